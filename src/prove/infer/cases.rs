//! Discharges preserved invariants without a solver, by distinguishing the two cases of an access.
//!
//! After an iteration, a claim about a hit has the form `(A ∨ h) → F`. Either the access happens
//! now (`A`), or it happened before (`h`). `F` is over the recorded values `if A { now } else {
//! before }`. In the case `A`, `F` is over the current values and is usually one of the conjuncts
//! of `A`. In the other case, `h → F` is over the earlier values and is usually an assumption at
//! the loop's head.

use lockstep_ir::sequential::{Expression, Expressions, Node};
use rustc_hash::{FxHashMap, FxHashSet};

/// The facts from which goals must follow.
pub struct Cases<'f> {
    facts: &'f [Expression],
    set: FxHashSet<Expression>,
    /// The expressions known to hold where an access happens.
    ///
    /// They are cached because each access has many goals.
    known: FxHashMap<Expression, FxHashSet<Expression>>,
}

impl<'f> Cases<'f> {
    /// The case distinction over these facts.
    pub fn new(facts: &'f [Expression]) -> Self {
        Self { facts, set: facts.iter().copied().collect(), known: FxHashMap::default() }
    }

    /// Whether an expression is literally one of the facts.
    pub fn is_fact(&self, goal: Expression) -> bool {
        self.set.contains(&goal)
    }

    /// Whether a single fact implies the goal in each case.
    pub fn hold(&mut self, expressions: &mut Expressions, goal: Expression) -> bool {
        let Node::Or(parts) = expressions.node(goal).clone() else { return false };
        for &part in &parts {
            let &Node::Not(either) = expressions.node(part) else { continue };
            let Node::Or(alternatives) = expressions.node(either).clone() else { continue };
            let [first, second] = alternatives[..] else { continue };
            let claim = expressions.or(parts.iter().copied().filter(|&other| other != part));
            for (access, hit) in [(first, second), (second, first)] {
                // The earlier case is the cheaper question.
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

/// The expressions known to hold under the conditions, including the facts.
///
/// A fact `p1 ∨ ... ∨ q` leaves `q` where each `pi` is known to be false. This `q` may be needed to
/// exclude a part of another fact, so the rule is repeated until nothing is added.
fn known_there(
    expressions: &mut Expressions,
    facts: &[Expression],
    conditions: &[Expression],
) -> FxHashSet<Expression> {
    let mut known: FxHashSet<Expression> = facts.iter().chain(conditions).copied().collect();
    let mut open: Vec<Expression> =
        facts.iter().copied().filter(|&fact| matches!(expressions.node(fact), Node::Or(_))).collect();
    loop {
        let before = open.len();
        open.retain(|&fact| match only_part_left(expressions, fact, &known) {
            Some(part) => {
                known.insert(part);
                if let Node::And(all) = expressions.node(part) {
                    known.extend(all.iter().copied());
                }
                false
            }
            None => true,
        });
        if open.len() == before {
            return known;
        }
    }
}

/// The part of a disjunction that holds because all others are excluded.
fn only_part_left(
    expressions: &mut Expressions,
    fact: Expression,
    known: &FxHashSet<Expression>,
) -> Option<Expression> {
    let Node::Or(parts) = expressions.node(fact).clone() else { return None };
    let mut left = None;
    for &part in &parts {
        let negated = expressions.not(part);
        // A condition with several parts is excluded if one of them is excluded.
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
        if excluded || met {
            continue;
        }
        if left.replace(part).is_some() {
            return None;
        }
    }
    left
}

/// The expression simplified under a known value of a condition.
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

    /// The expressions of `(A ∨ h) → r' = 5` with `r' = if A { x } else { r }`.
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
