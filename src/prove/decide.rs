//! Decides a question: which engine is asked, in which order, and for how long.
//!
//! No engine is best at everything. Bits know what overflows and what masks do; integers know what is added and
//! multiplied; unknowns in place of products are enough for whatever does not depend on what the products are. An
//! answer "contradictory" counts from each of them: what they leave out only allows more. A model counts only from
//! one that leaves out nothing.

use lockstep_ir::sequential::{BinaryOp, Expression, Expressions, Node, Role};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::prove::propagate::propagated;
use crate::solver::{Checked, Effort, Products, Session};

/// How hard a question is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thoroughness {
    /// Only engines that are quick to give up.
    Brief,
    /// All.
    Thorough,
}

/// What a linear question over integers may cost.
const LINEAR_EFFORT: Effort = 400_000;

/// What a question over integers may cost.
const INTEGER_EFFORT: Effort = 4_000_000;

/// What the general engine for bits may spend on a question.
const QUICK_EFFORT: Effort = 1_000_000;

/// Decides questions over expressions of one arena.
#[derive(Debug, Default)]
pub struct Decider {
    /// What each expression is with unknowns in place of products.
    opaque: FxHashMap<Expression, Expression>,
}

impl Decider {
    /// Whether some expressions hold together; no engine may spend more than `limit`.
    pub fn decide(
        &mut self,
        e: &mut Expressions,
        session: &mut Session,
        parts: &[Expression],
        limit: Effort,
        how: Thoroughness,
    ) -> Checked {
        let parts = propagated(e, parts);
        let products = multiplies_unknowns(e, &parts);
        if products {
            // Where unknowns are multiplied, integers decide at once what bits never do.
            let answer = session.check_integers(e, &parts, limit.min(LINEAR_EFFORT), Products::Linear);
            if !matches!(answer, Checked::Unknown) {
                return answer;
            }
            let opaque: Vec<Expression> = parts.iter().map(|&part| self.without_products(e, part)).collect();
            if let Checked::Unsatisfiable = session.check_quickly(e, &opaque, limit.min(QUICK_EFFORT)) {
                return Checked::Unsatisfiable;
            }
        }
        let answer = session.check_quickly(e, &parts, limit.min(QUICK_EFFORT));
        if !matches!(answer, Checked::Unknown) {
            return answer;
        }
        let answer = session.check_integers(e, &parts, limit.min(INTEGER_EFFORT), Products::Exact);
        if !matches!(answer, Checked::Unknown) || how == Thoroughness::Brief {
            return answer;
        }
        session.check_thoroughly(e, &parts, limit)
    }

    /// A part of a question with an unknown in place of each product of two that are no constants, always the same for
    /// the same product.
    fn without_products(&mut self, e: &mut Expressions, part: Expression) -> Expression {
        let mut stack = vec![part];
        while let Some(&top) = stack.last() {
            if self.opaque.contains_key(&top) {
                stack.pop();
                continue;
            }
            let opaque = if let Node::Binary(BinaryOp::Multiply, ..) = e.node(top) {
                let unknown = e.add_variable("product", e.sort(top), None, Role::Value);
                e.variable(unknown)
            } else {
                let before = stack.len();
                e.for_each_operand(top, |operand| {
                    if !self.opaque.contains_key(&operand) {
                        stack.push(operand);
                    }
                });
                if stack.len() > before {
                    continue;
                }
                e.rebuild(top, |operand| self.opaque[&operand])
            };
            self.opaque.insert(top, opaque);
            stack.pop();
        }
        self.opaque[&part]
    }
}

/// Whether a product of two numbers neither of which is a constant occurs.
fn multiplies_unknowns(e: &Expressions, parts: &[Expression]) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = parts.to_vec();
    while let Some(top) = stack.pop() {
        if !seen.insert(top) {
            continue;
        }
        if matches!(e.node(top), Node::Binary(BinaryOp::Multiply, ..)) {
            return true;
        }
        e.for_each_operand(top, |operand| stack.push(operand));
    }
    false
}
