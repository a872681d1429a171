//! Decides a question: which engine is asked, in which order, and for how long.
//!
//! No engine is best at everything. Bits know what overflows and what masks do; integers know what is added and
//! multiplied; unknowns in place of products are enough for whatever does not depend on what the products are. An
//! answer "contradictory" counts from each of them: what they leave out only allows more. A model counts only from
//! one that leaves out nothing.

use lockstep_ir::sequential::{BinaryOp, Expression, Expressions, Node, Role};
use lockstep_options::techniques::Technique;
use lockstep_solver::{Checked, Effort, Model, Products, QUICK_EFFORT, Session};
use rustc_hash::FxHashMap;

use crate::bit_counts::BitCounts;
use crate::equations::with_equations_decided;
use crate::lighten::{Lighter, Weight};
use crate::propagate::{propagated, with_cells_in_place};

/// How hard a question is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thoroughness {
    /// Only engines that are quick to give up.
    Brief,
    /// All.
    Thorough,
}

/// What came of claims.
#[derive(Clone, Debug)]
pub enum Claims {
    /// All follow.
    Hold,
    /// These do not, by their positions; if there are none, nobody knows which.
    Fail(Vec<usize>),
    /// Nobody knows.
    Unknown,
}

/// What a linear question over integers may cost.
const LINEAR_EFFORT: Effort = 400_000;

/// What a question over integers may cost.
const INTEGER_EFFORT: Effort = 4_000_000;

/// What a translation of all bits may cost before integers are asked: what is plain from it is so at once.
const AT_ONCE: Effort = 30_000;

/// Simplification is repeated while it changes something, so many times at most.
const ROUNDS: usize = 4;

/// What a question without what is long to compute may cost.
const LIGHTER_EFFORT: Effort = 200_000;

/// What a question with unknowns in place of counts of bits may cost.
const COUNTS_EFFORT: Effort = 1_000_000;

/// Decides questions over expressions of one arena.
#[derive(Debug, Default)]
pub struct Decider {
    /// What each expression is with unknowns in place of products.
    opaque: FxHashMap<Expression, Expression>,
    lighter: Lighter,
    counts: BitCounts,
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
        if session.out_of_time() {
            return Checked::Unknown;
        }
        match self.lighter_question(e, session, parts, limit) {
            (Checked::Unsatisfiable, _) => Checked::Unsatisfiable,
            (_, Weight::TooHeavy) => Checked::Unknown,
            (_, Weight::Heavy | Weight::Light) => self.as_it_is(e, session, parts, limit, how),
        }
    }

    /// Asked without what is long to compute; `Unknown` if there is little of that.
    fn lighter_question(
        &mut self,
        e: &mut Expressions,
        session: &mut Session,
        parts: &[Expression],
        limit: Effort,
    ) -> (Checked, Weight) {
        if !session.techniques().has(Technique::LighterQuestions) {
            return (Checked::Unknown, Weight::Light);
        }
        let (lighter, weight) = self.lighter.question(e, parts);
        let answer = match weight {
            Weight::Light => Checked::Unknown,
            Weight::Heavy | Weight::TooHeavy => {
                self.as_it_is(e, session, &lighter, limit.min(LIGHTER_EFFORT), Thoroughness::Brief)
            }
        };
        (answer, weight)
    }

    fn as_it_is(
        &mut self,
        e: &mut Expressions,
        session: &mut Session,
        parts: &[Expression],
        limit: Effort,
        how: Thoroughness,
    ) -> Checked {
        let parts = simplified(e, session, parts);
        if is_contradiction(e, &parts) || self.contradicts_as_counts(e, session, &parts, limit, how) {
            return Checked::Unsatisfiable;
        }
        if e.multiplies_unknowns(&parts) {
            let answer = Self::linear(e, session, &parts, limit);
            if !matches!(answer, Checked::Unknown) {
                return answer;
            }
            if let Checked::Unsatisfiable = self.opaque(e, session, &parts, limit, Thoroughness::Brief) {
                return Checked::Unsatisfiable;
            }
        }
        Self::exactly(e, session, &parts, limit, how)
    }

    /// Whether claims follow from facts, for inference, which must be quick: where unknowns are multiplied, a claim also
    /// counts as refuted if it fails for some numbers in place of the products and linear questions don't save it; and where
    /// nearly all is long to compute, if it fails for some numbers in place of that. A claim fails only where the other facts,
    /// which are not asked about, hold as well.
    pub fn claims(
        &mut self,
        e: &mut Expressions,
        session: &mut Session,
        [facts, others, claims]: [&[Expression]; 3],
        limit: Effort,
        how: Thoroughness,
    ) -> Claims {
        if session.out_of_time() {
            return Claims::Unknown;
        }
        let parts = parts_of(e, facts, claims);
        match self.lighter_question(e, session, &parts, limit) {
            (Checked::Unsatisfiable, _) => return Claims::Hold,
            (Checked::Satisfiable(model), Weight::TooHeavy) => {
                return Claims::Fail(self.fail_lighter(e, session, [others, claims], &model));
            }
            (Checked::Unknown, Weight::TooHeavy) => return Claims::Unknown,
            (Checked::Satisfiable(_) | Checked::Unknown, Weight::Heavy | Weight::Light) => {}
        }
        let simple = simplified(e, session, &parts);
        if is_contradiction(e, &simple) || self.contradicts_as_counts(e, session, &simple, limit, how) {
            return Claims::Hold;
        }
        let mut answer = Checked::Unknown;
        if e.multiplies_unknowns(&simple) {
            answer = Self::linear(e, session, &simple, limit);
            if matches!(answer, Checked::Unknown) {
                match self.opaque(e, session, &parts, limit, how) {
                    Checked::Unsatisfiable => answer = Checked::Unsatisfiable,
                    Checked::Satisfiable(model) => {
                        let failing = self.refuted(e, session, [facts, others, claims], &model, limit);
                        if !failing.is_empty() {
                            return Claims::Fail(failing);
                        }
                    }
                    Checked::Unknown => {}
                }
            }
        }
        if matches!(answer, Checked::Unknown) {
            answer = Self::exactly(e, session, &simple, limit, how);
        }
        match answer {
            Checked::Unsatisfiable => Claims::Hold,
            Checked::Unknown => Claims::Unknown,
            Checked::Satisfiable(model) => {
                let mut is = |expression: Expression, truth: bool| model.boolean(session, e, expression) == Some(truth);
                if !others.iter().all(|&other| is(other, true)) {
                    return Claims::Unknown;
                }
                Claims::Fail((0..claims.len()).filter(|&claim| is(claims[claim], false)).collect())
            }
        }
    }

    /// The claims that fail in a model of a lighter question; none if facts that were not asked about fail, too.
    fn fail_lighter(
        &mut self,
        e: &mut Expressions,
        session: &mut Session,
        [others, claims]: [&[Expression]; 2],
        model: &Model,
    ) -> Vec<usize> {
        let mut is = |expression: Expression, truth: bool| {
            let lighter = self.lighter.lighter(e, expression);
            model.boolean(session, e, lighter) == Some(truth)
        };
        if !others.iter().all(|&other| is(other, true)) {
            return Vec::new();
        }
        (0..claims.len()).filter(|&claim| is(claims[claim], false)).collect()
    }

    /// The claims that fail in a model of unknowns in place of products; none if linear questions save them.
    fn refuted(
        &mut self,
        e: &mut Expressions,
        session: &mut Session,
        [facts, others, claims]: [&[Expression]; 3],
        model: &Model,
        limit: Effort,
    ) -> Vec<usize> {
        let mut is = |e: &mut Expressions, expression: Expression, truth: bool| {
            let opaque = self.without_products(e, expression);
            model.boolean(session, e, opaque) == Some(truth)
        };
        if !others.iter().all(|&other| is(e, other, true)) {
            return Vec::new();
        }
        let failing: Vec<usize> = (0..claims.len()).filter(|&claim| is(e, claims[claim], false)).collect();
        // Of all claims the linear question has been asked.
        if failing.len() == claims.len() || failing.is_empty() {
            return failing;
        }
        let suspects: Vec<Expression> = failing.iter().map(|&claim| claims[claim]).collect();
        let question = parts_of(e, facts, &suspects);
        let question = simplified(e, session, &question);
        match Self::linear(e, session, &question, limit) {
            Checked::Unsatisfiable => Vec::new(),
            Checked::Satisfiable(_) | Checked::Unknown => failing,
        }
    }

    /// Whether a question contradicts itself by what is true of counts of bits.
    fn contradicts_as_counts(
        &mut self,
        e: &mut Expressions,
        session: &mut Session,
        parts: &[Expression],
        limit: Effort,
        how: Thoroughness,
    ) -> bool {
        if !session.techniques().has(Technique::BitCounts) {
            return false;
        }
        let Some(question) = self.counts.question(e, parts) else { return false };
        let answer = Self::exactly(e, session, &question, limit.min(COUNTS_EFFORT), how);
        matches!(answer, Checked::Unsatisfiable)
    }

    /// Asked with products as what they are: of bits, of all bits if that decides at once, of integers, and of all bits at last.
    fn exactly(
        e: &Expressions,
        session: &mut Session,
        parts: &[Expression],
        limit: Effort,
        how: Thoroughness,
    ) -> Checked {
        let answer = session.check_quickly(e, parts, limit.min(QUICK_EFFORT));
        if !matches!(answer, Checked::Unknown) {
            return answer;
        }
        if how == Thoroughness::Thorough {
            let answer = session.check_thoroughly(e, parts, limit.min(AT_ONCE));
            if !matches!(answer, Checked::Unknown) {
                return answer;
            }
        }
        let answer = session.check_integers(e, parts, limit.min(INTEGER_EFFORT), Products::Exact);
        if !matches!(answer, Checked::Unknown) || how == Thoroughness::Brief {
            return answer;
        }
        session.check_thoroughly(e, parts, limit)
    }

    /// Asked about integers, without what is not linear: where unknowns are multiplied, that decides at once what bits
    /// never do.
    fn linear(e: &Expressions, session: &mut Session, parts: &[Expression], limit: Effort) -> Checked {
        session.check_integers(e, parts, limit.min(LINEAR_EFFORT), Products::Linear)
    }

    /// Asked with unknowns in place of products. A model is one of these unknowns, not of the question.
    fn opaque(
        &mut self,
        e: &mut Expressions,
        session: &mut Session,
        parts: &[Expression],
        limit: Effort,
        how: Thoroughness,
    ) -> Checked {
        if !session.techniques().has(Technique::OpaqueProducts) {
            return Checked::Unknown;
        }
        let opaque: Vec<Expression> = parts.iter().map(|&part| self.without_products(e, part)).collect();
        match session.check_quickly(e, &opaque, limit.min(QUICK_EFFORT)) {
            Checked::Unknown if how == Thoroughness::Thorough => session.check_thoroughly(e, &opaque, limit),
            answer => answer,
        }
    }

    /// A part of a question with an unknown in place of each product of two that are no constants, always the same for
    /// the same product.
    fn without_products(&mut self, e: &mut Expressions, part: Expression) -> Expression {
        let is_product = |e: &Expressions, part| matches!(e.node(part), Node::Binary(BinaryOp::Multiply, ..));
        let unknown = |e: &mut Expressions, product| {
            let unknown = e.add_variable("product", e.sort(product), None, Role::Value);
            e.variable(unknown)
        };
        e.replace(part, is_product, unknown, &mut self.opaque)
    }
}

/// A question simplified by what it says itself.
fn simplified(e: &mut Expressions, session: &Session, parts: &[Expression]) -> Vec<Expression> {
    let techniques = session.techniques();
    let propagates = techniques.has(Technique::Propagation);
    let mut simple = if propagates { propagated(e, parts) } else { parts.to_vec() };
    // That both threads are at the same cell may say at once that they are the same, and what that decides may say more.
    for round in 0..ROUNDS {
        let before = simple.clone();
        if round == 0 && techniques.has(Technique::WatchedCell) {
            simple = with_cells_in_place(e, simple);
        }
        if techniques.has(Technique::Equations) {
            simple = with_equations_decided(e, &simple);
        }
        if simple == before {
            break;
        }
        if propagates {
            simple = propagated(e, &simple);
        }
    }
    simple
}

/// Whether a question is answered by what it says itself: no solver is needed.
fn is_contradiction(e: &Expressions, parts: &[Expression]) -> bool {
    parts.iter().any(|&part| e.as_boolean(part) == Some(false))
}

/// The question whether one of the claims can fail.
fn parts_of(e: &mut Expressions, facts: &[Expression], claims: &[Expression]) -> Vec<Expression> {
    let negated: Vec<Expression> = claims.iter().map(|&claim| e.not(claim)).collect();
    let one_fails = e.or(negated);
    facts.iter().copied().chain([one_fails]).collect()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use lockstep_ir::sequential::Sort;

    use super::*;
    use lockstep_solver::{effort_of, in_fresh_context};

    /// What is said of two different threads at one cell, each `factor` times its id away from the same base; and how many
    /// questions the solver was asked.
    fn two_threads_at_one_cell(factor: u64) -> (Checked, usize) {
        let mut e = Expressions::new();
        let mut variable = |name: &str, width: u32, role: Role| {
            let variable = e.add_variable(name, Sort::Bits(width), None, role);
            e.variable(variable)
        };
        let watched = variable("watched", 64, Role::Watched);
        let base = variable("base", 64, Role::Input);
        let ids = ["id1", "id2"].map(|name| variable(name, 32, Role::Input));
        let same = e.equal(ids[0], ids[1]);
        let mut parts = vec![e.not(same)];
        for (id, factor) in ids.into_iter().zip([1, factor]) {
            let wide = e.zero_extend(64, id);
            let factor = e.number(64, factor);
            let distance = e.multiply(factor, wide);
            let cell = e.add(base, distance);
            parts.push(e.equal(watched, cell));
        }
        let second = Duration::from_secs(1);
        let mut session = Session::new(effort_of(second), Instant::now() + 60 * second);
        let mut decider = Decider::default();
        let answer = decider.decide(&mut e, &mut session, &parts, effort_of(second), Thoroughness::Thorough);
        (answer, session.queries())
    }

    #[test]
    fn affine_pairs_need_no_solver() {
        in_fresh_context(|| {
            let (answer, queries) = two_threads_at_one_cell(1);
            assert!(matches!(answer, Checked::Unsatisfiable), "{answer:?}");
            assert_eq!(queries, 0);
            let (answer, queries) = two_threads_at_one_cell(2);
            assert!(matches!(answer, Checked::Satisfiable(_)), "{answer:?}");
            assert!(queries > 0);
        });
    }
}
