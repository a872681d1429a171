//! Simplifies a question by its own unconditional assertions.
//!
//! They decide conditions elsewhere in the question.
//!
//! Most assumptions on the way to an access hold under the condition that the access is executed
//! (`active → the product does not overflow`). The question asserts this condition. So the
//! assumption holds unconditionally *in this question*, and bounds on numbers can be read from it
//! ([`lockstep_solver`]). The rules are those of unit propagation, with a conjunction as a possible
//! unit. The result holds for the same values of the variables as the input.

use lockstep_ir::sequential::{Expression, Expressions, Node, Role, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of rounds; simplification stops when nothing changes.
const ROUNDS: usize = 4;

/// Expressions equivalent to the conjunction of `parts`.
///
/// It is a single `false` for an obvious contradiction.
pub fn propagated(e: &mut Expressions, parts: &[Expression]) -> Vec<Expression> {
    let mut known = Known::default();
    let mut waiting: Vec<Expression> = parts.to_vec();
    for _ in 0..ROUNDS {
        let before = known.all.len();
        let mut clauses = Vec::new();
        for part in std::mem::take(&mut waiting) {
            known.add(e, part, &mut clauses);
        }
        known.propagate(e, &mut clauses);
        if known.contradiction {
            return vec![e.boolean(false)];
        }
        waiting = clauses;
        if known.all.len() == before {
            break;
        }
        known.decide_inside(e, &mut waiting);
    }
    known.order.into_iter().chain(waiting).collect()
}

/// The parts with the accessed cell in place of the watched one, where the question equates them.
pub fn with_cells_in_place(e: &mut Expressions, mut simple: Vec<Expression>) -> Vec<Expression> {
    let mut definitions = Vec::new();
    while let Some((definition, watched, cell)) = simple.iter().find_map(|&part| watched_cell(e, part)) {
        let replacement = FxHashMap::from_iter([(watched, cell)]);
        let mut memo = FxHashMap::default();
        simple = simple.into_iter().map(|part| e.substitute(part, &replacement, &mut memo)).collect();
        simple.retain(|&part| e.as_boolean(part) != Some(true));
        // The definition appears once, at the end, so that a model has the cell.
        definitions.push(definition);
    }
    simple.into_iter().chain(definitions).collect()
}

/// The equation `watched = cell`: any cell may be watched, so the cell can replace it everywhere.
fn watched_cell(e: &Expressions, part: Expression) -> Option<(Expression, Variable, Expression)> {
    let &Node::Equal(a, b) = e.node(part) else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(variable, cell)| {
        let &Node::Variable(watched) = e.node(variable) else { return None };
        let mut occurs = false;
        e.for_each_variable(cell, |variable| occurs |= variable == watched);
        (e.variables()[watched].role == Role::Watched && !occurs).then_some((part, watched, cell))
    })
}

/// The expressions that hold unconditionally.
#[derive(Default)]
struct Known {
    all: FxHashSet<Expression>,
    /// The same expressions in order of discovery.
    order: Vec<Expression>,
    contradiction: bool,
}

impl Known {
    /// Splits a part: conjuncts are known, disjunctions are clauses.
    fn add(&mut self, e: &mut Expressions, part: Expression, clauses: &mut Vec<Expression>) {
        match e.node(part).clone() {
            Node::And(parts) => parts.iter().for_each(|&part| self.add(e, part, clauses)),
            Node::Or(_) => {
                if !self.all.contains(&part) {
                    clauses.push(part);
                }
            }
            Node::Boolean(true) => {}
            _ => {
                let negated = e.not(part);
                self.contradiction |= e.as_boolean(part) == Some(false) || self.all.contains(&negated);
                if self.all.insert(part) {
                    self.order.push(part);
                }
            }
        }
    }

    /// Whether an expression is known to hold, or known not to.
    fn truth(&self, e: &mut Expressions, of: Expression) -> Option<bool> {
        if self.all.contains(&of) {
            return Some(true);
        }
        let negated = e.not(of);
        if self.all.contains(&negated) {
            return Some(false);
        }
        match e.node(of).clone() {
            Node::And(parts) => {
                let truths: Vec<Option<bool>> = parts.iter().map(|&part| self.truth(e, part)).collect();
                if truths.contains(&Some(false)) {
                    return Some(false);
                }
                truths.iter().all(|&truth| truth == Some(true)).then_some(true)
            }
            Node::Or(parts) => {
                let truths: Vec<Option<bool>> = parts.iter().map(|&part| self.truth(e, part)).collect();
                if truths.contains(&Some(true)) {
                    return Some(true);
                }
                truths.iter().all(|&truth| truth == Some(false)).then_some(false)
            }
            _ => None,
        }
    }

    /// Shortens the clauses until a fixpoint.
    fn propagate(&mut self, e: &mut Expressions, clauses: &mut Vec<Expression>) {
        loop {
            let before = self.all.len();
            let mut kept = Vec::new();
            for clause in std::mem::take(clauses) {
                let Node::Or(parts) = e.node(clause).clone() else {
                    self.add(e, clause, &mut kept);
                    continue;
                };
                let mut open = Vec::new();
                let mut holds = false;
                for &part in &parts {
                    match self.truth(e, part) {
                        Some(true) => holds = true,
                        Some(false) => {}
                        None => open.push(self.shortened(e, part)),
                    }
                }
                if !holds {
                    let left = e.or(open);
                    self.add(e, left, &mut kept);
                }
            }
            *clauses = kept;
            if self.contradiction || self.all.len() == before {
                return;
            }
        }
    }

    /// A conjunction without its known conjuncts.
    fn shortened(&self, e: &mut Expressions, part: Expression) -> Expression {
        let Node::And(parts) = e.node(part).clone() else { return part };
        let mut open = Vec::new();
        for &part in &parts {
            if self.truth(e, part) != Some(true) {
                open.push(part);
            }
        }
        e.and(open)
    }

    /// Replaces known conditions inside other expressions.
    fn decide_inside(&mut self, e: &mut Expressions, clauses: &mut Vec<Expression>) {
        let known = std::mem::take(&mut self.order);
        self.all.clear();
        let mut memo = FxHashMap::default();
        for &fact in &known {
            for (part, truth) in [(fact, true), (e.not(fact), false)] {
                memo.insert(part, e.boolean(truth));
            }
        }
        let mut rewritten = Vec::new();
        for fact in known {
            // Only the inside of the fact itself is rewritten: it stays asserted.
            rewritten.push(rewrite_inside(e, fact, &mut memo));
        }
        for clause in std::mem::take(clauses) {
            rewritten.push(rewrite(e, clause, &mut memo));
        }
        for part in rewritten {
            self.add(e, part, clauses);
        }
    }
}

/// An expression rebuilt from the known values of its parts.
fn rewrite(e: &mut Expressions, expression: Expression, memo: &mut FxHashMap<Expression, Expression>) -> Expression {
    for part in e.operands_first(expression, |part| memo.contains_key(&part)) {
        let rebuilt = e.rebuild(part, |operand| memo[&operand]);
        memo.insert(part, rebuilt);
    }
    memo[&expression]
}

/// The rewritten form of a fact, which is itself known.
fn rewrite_inside(e: &mut Expressions, fact: Expression, memo: &mut FxHashMap<Expression, Expression>) -> Expression {
    // The fact `¬p` decides `p`.
    if let &Node::Not(inner) = e.node(fact) {
        let inner = rewrite_inside(e, inner, memo);
        return e.not(inner);
    }
    let mut operands = Vec::new();
    e.for_each_operand(fact, |operand| operands.push(operand));
    for operand in operands {
        rewrite(e, operand, memo);
    }
    e.rebuild(fact, |operand| memo[&operand])
}

#[cfg(test)]
mod tests {
    use lockstep_ir::sequential::Sort;

    use super::*;

    fn booleans<const N: usize>(e: &mut Expressions) -> [Expression; N] {
        std::array::from_fn(|index| {
            let variable = e.add_variable(&format!("p{index}"), Sort::Boolean, None, Role::Input);
            e.variable(variable)
        })
    }

    #[test]
    fn a_condition_that_is_met_frees_what_it_guards() {
        let mut e = Expressions::new();
        let [a, b, c, d] = booleans(&mut e);
        let both = e.and([a, b]);
        let fact = e.implies(both, c);
        let other = e.implies(d, b);
        let simple = propagated(&mut e, &[fact, other, a, b]);
        assert_eq!(simple, [a, b, c], "what follows is said, what holds anyway is not");
    }

    #[test]
    fn open_conditions_stay_open() {
        let mut e = Expressions::new();
        let [a, b, c, _] = booleans(&mut e);
        let both = e.and([a, b]);
        let fact = e.implies(both, c);
        let shorter = e.implies(b, c);
        assert_eq!(propagated(&mut e, &[fact, a]), [a, shorter]);
    }

    #[test]
    fn contradictions_are_found() {
        let mut e = Expressions::new();
        let [a, b, _, _] = booleans(&mut e);
        let not_b = e.not(b);
        let fact = e.implies(a, b);
        let no = e.boolean(false);
        assert_eq!(propagated(&mut e, &[fact, not_b, a]), [no]);
    }

    #[test]
    fn the_watched_cell_is_the_one_accessed() {
        let mut e = Expressions::new();
        let watched = e.add_variable("watched", Sort::Bits(8), None, Role::Watched);
        let watched = e.variable(watched);
        let [x, y] = ["x", "y"].map(|name| {
            let variable = e.add_variable(name, Sort::Bits(8), None, Role::Input);
            e.variable(variable)
        });
        let (first, second) = (e.equal(x, watched), e.equal(watched, y));
        let both = e.equal(x, y);
        assert_eq!(with_cells_in_place(&mut e, vec![first, second]), [both, first]);
    }

    #[test]
    fn conditions_inside_of_numbers_are_decided() {
        let mut e = Expressions::new();
        let [a, ..] = booleans::<1>(&mut e);
        let (three, four) = (e.number(8, 3), e.number(8, 4));
        let x = e.add_variable("x", Sort::Bits(8), None, Role::Input);
        let x = e.variable(x);
        let chosen = e.if_then_else(a, x, three);
        let fact = e.equal(chosen, four);
        let plain = e.equal(x, four);
        assert_eq!(propagated(&mut e, &[fact, a]), [plain, a]);
    }
}
