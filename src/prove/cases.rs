//! Discharges what an iteration keeps by looking at the two cases of an access, without a solver.
//!
//! What is claimed of a hit is, after an iteration, `(A ∨ h) → F`: the access happens now (`A`), or it had happened
//! before (`h`), and `F` is over recorded values `if A { now } else { before }`. Where `A` holds, `F` is over the values of
//! now, and mostly one of the conditions that `A` consists of; where it does not, `h → F` is over the values from before,
//! and mostly what was assumed at the loop's head.

use lockstep_ir::sequential::{Expression, Expressions, Node};
use rustc_hash::{FxHashMap, FxHashSet};

/// The facts that goals are to follow from.
pub struct Cases<'f> {
    facts: &'f [Expression],
    set: FxHashSet<Expression>,
    /// What is known where an access happens: there are many goals about each access.
    known: FxHashMap<Expression, FxHashSet<Expression>>,
}

impl<'f> Cases<'f> {
    /// For these facts.
    pub fn new(facts: &'f [Expression]) -> Self {
        Self { facts, set: facts.iter().copied().collect(), known: FxHashMap::default() }
    }

    /// Whether something is one of the facts, word for word.
    pub fn is_fact(&self, goal: Expression) -> bool {
        self.set.contains(&goal)
    }

    /// Whether the goal follows from a single fact in each case.
    pub fn hold(&mut self, expressions: &mut Expressions, goal: Expression) -> bool {
        let Node::Or(parts) = expressions.node(goal).clone() else { return false };
        for &part in &parts {
            let &Node::Not(either) = expressions.node(part) else { continue };
            let Node::Or(alternatives) = expressions.node(either).clone() else { continue };
            let [first, second] = alternatives[..] else { continue };
            let claim = expressions.or(parts.iter().copied().filter(|&other| other != part));
            for (access, hit) in [(first, second), (second, first)] {
                // What held before is the quicker question.
                if self.before(expressions, access, hit, claim) && self.now(expressions, access, claim) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the claim holds where the access happens.
    fn now(&mut self, expressions: &mut Expressions, access: Expression, claim: Expression) -> bool {
        let claim = decided(expressions, access, true, claim);
        let known = self.known.entry(access).or_insert_with(|| {
            let conditions = match expressions.node(access).clone() {
                Node::And(parts) => parts,
                _ => [access].into(),
            };
            known_there(expressions, self.facts, &conditions)
        });
        let known = |part: &Expression| known.contains(part);
        match expressions.node(claim) {
            Node::Boolean(value) => *value,
            Node::And(parts) => parts.iter().all(known),
            Node::Or(parts) => known(&claim) || parts.iter().any(known),
            _ => known(&claim),
        }
    }

    /// Whether the claim holds where the access does not happen.
    fn before(&self, expressions: &mut Expressions, access: Expression, hit: Expression, claim: Expression) -> bool {
        let claim = decided(expressions, access, false, claim);
        let assumed = expressions.implies(hit, claim);
        expressions.as_boolean(assumed) == Some(true) || self.is_fact(assumed)
    }
}

/// The facts, the conditions, and what a fact `p1 ∨ ... ∨ q` leaves where each `pi` is known not to hold.
fn known_there(
    expressions: &mut Expressions,
    facts: &[Expression],
    conditions: &[Expression],
) -> FxHashSet<Expression> {
    let mut known: FxHashSet<Expression> = facts.iter().chain(conditions).copied().collect();
    for &fact in facts {
        let Node::Or(parts) = expressions.node(fact).clone() else { continue };
        let mut left = parts.iter().filter(|&&part| {
            let negated = expressions.not(part);
            // A condition with several parts is excluded if one of them is.
            let excluded = match expressions.node(part) {
                Node::And(all) => {
                    let all = all.clone();
                    all.iter().any(|&one| known.contains(&expressions.not(one)))
                }
                _ => false,
            };
            let met = match expressions.node(negated) {
                Node::And(all) => all.iter().all(|one| known.contains(one)),
                _ => known.contains(&negated),
            };
            !(excluded || met)
        });
        if let (Some(&last), None) = (left.next(), left.next()) {
            drop(left);
            known.insert(last);
            if let Node::And(all) = expressions.node(last) {
                known.extend(all.iter().copied());
            }
        }
    }
    known
}

/// The expression where a condition has a known value.
fn decided(expressions: &mut Expressions, condition: Expression, value: bool, expression: Expression) -> Expression {
    let mut memo: FxHashMap<Expression, Expression> = FxHashMap::default();
    for part in expressions.operands_first(expression, |_| false) {
        let rebuilt = match *expressions.node(part) {
            Node::IfThenElse(decides, then, _) if decides == condition && value => memo[&then],
            Node::IfThenElse(decides, _, otherwise) if decides == condition => memo[&otherwise],
            _ => expressions.rebuild(part, |operand| memo[&operand]),
        };
        memo.insert(part, rebuilt);
    }
    memo[&expression]
}

#[cfg(test)]
mod tests {
    use lockstep_ir::sequential::{Role, Sort};

    use super::*;

    /// `(A ∨ h) → r' = 5` with `r' = if A { x } else { r }`.
    fn goal(expressions: &mut Expressions) -> [Expression; 5] {
        let mut variable = |name: &str, sort| {
            let variable = expressions.add_variable(name, sort, None, Role::Input);
            expressions.variable(variable)
        };
        let (chosen, hit) = (variable("chosen", Sort::Boolean), variable("hit", Sort::Boolean));
        let (x, recorded) = (variable("x", Sort::Bits(8)), variable("recorded", Sort::Bits(8)));
        let five = expressions.number(8, 5);
        let is_five = expressions.equal(x, five);
        let was_five = expressions.equal(recorded, five);
        let access = expressions.and([chosen, is_five]);
        let either = expressions.or([access, hit]);
        let value = expressions.if_then_else(access, x, recorded);
        let claim = expressions.equal(value, five);
        let goal = expressions.implies(either, claim);
        let assumed = expressions.implies(hit, was_five);
        [goal, assumed, either, is_five, was_five]
    }

    #[test]
    fn both_cases_are_needed() {
        let mut expressions = Expressions::new();
        let [goal, assumed, either, is_five, _] = goal(&mut expressions);
        assert!(Cases::new(&[assumed]).hold(&mut expressions, goal));
        assert!(!Cases::new(&[]).hold(&mut expressions, goal), "nothing is known of the hit before");
        assert!(!Cases::new(&[is_five]).hold(&mut expressions, goal), "what holds now need not have held before");
        assert!(!Cases::new(&[assumed]).hold(&mut expressions, either), "another form");
    }
}
