//! Decides a question: selects the engines, their order, and their budgets.
//!
//! No engine is best at everything. Bit-vectors handle overflow and masks. Integers handle sums and
//! products. Unknowns in place of products suffice for everything that does not depend on the
//! products' values. An answer "contradictory" counts from each engine, because leaving out
//! constraints only allows more states. A model counts only from an engine that leaves out nothing.

use lockstep_ir::sequential::{BinaryOp, Expression, Expressions, Node, Role};
use lockstep_options::techniques::Technique;
use lockstep_solver::{Checked, Effort, Model, Products, QUICK_EFFORT, Session};
use rustc_hash::FxHashMap;

use super::bit_counts::BitCounts;
use super::equations::with_equations_decided;
use super::lighten::{Lighter, Weight};
use super::propagate::{propagated, with_cells_in_place};

/// The thoroughness with which a question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thoroughness {
    /// Only engines that give up quickly.
    Brief,
    /// All engines.
    Thorough,
}

/// The result of checking claims.
#[derive(Clone, Debug)]
pub enum Claims {
    /// All claims follow.
    Hold,
    /// The claims at these positions do not follow; if the list is empty, it is unknown which ones.
    Fail(Vec<usize>),
    /// The result is unknown.
    Unknown,
}

/// The budget of a linear question over integers.
const LINEAR_EFFORT: Effort = 400_000;

/// The budget of a question over integers.
const INTEGER_EFFORT: Effort = 4_000_000;

/// The budget of a translation to bits before integers are tried: obvious answers come at once.
const AT_ONCE: Effort = 30_000;

/// The maximum number of simplification rounds; simplification stops when nothing changes.
const ROUNDS: usize = 4;

/// The budget of a question without long computations.
const LIGHTER_EFFORT: Effort = 200_000;

/// The budget of a question with unknowns in place of population counts.
const COUNTS_EFFORT: Effort = 1_000_000;

/// Decides questions over expressions of one arena.
#[derive(Debug, Default)]
pub struct Decider {
    /// Each expression with unknowns in place of products.
    opaque: FxHashMap<Expression, Expression>,
    lighter: Lighter,
    counts: BitCounts,
}

impl Decider {
    /// Decides whether some expressions hold together; no engine may spend more than `limit`.
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

    /// Decides the question without long computations; `Unknown` if it has few of them.
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

    /// Decides whether claims follow from facts, for inference, which must be quick.
    ///
    /// If unknowns are multiplied, a claim also counts as refuted if two conditions hold: it fails
    /// for some values in place of the products, and linear questions do not prove it. If nearly
    /// all of the question is a long computation, a claim is refuted if it fails for some values in
    /// place of that computation. A claim fails only if the other facts, which are not asked about,
    /// hold as well.
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

    /// The claims that fail in a model of a lighter question.
    ///
    /// There are none if facts that were left out fail too.
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

    /// The claims that fail in a model with unknowns in place of products.
    ///
    /// Claims that linear questions prove are left out.
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
        // The linear question has been asked about all claims.
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

    /// Whether the facts about population counts make a question contradictory.
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

    /// Decides the question with exact products.
    ///
    /// It asks about bits, about all bits if that succeeds at once, about integers, and finally
    /// about all bits.
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

    /// Asks about integers, without nonlinear terms.
    ///
    /// For products of unknowns, this decides at once questions that bit-vectors never decide.
    fn linear(e: &Expressions, session: &mut Session, parts: &[Expression], limit: Effort) -> Checked {
        session.check_integers(e, parts, limit.min(LINEAR_EFFORT), Products::Linear)
    }

    /// Decides the question with unknowns in place of products.
    ///
    /// A model of this is not a model of the question.
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

    /// A part of a question with an unknown in place of each product of two non-constants.
    ///
    /// The same product always gets the same unknown.
    fn without_products(&mut self, e: &mut Expressions, part: Expression) -> Expression {
        let is_product = |e: &Expressions, part| matches!(e.node(part), Node::Binary(BinaryOp::Multiply, ..));
        let unknown = |e: &mut Expressions, product| {
            let unknown = e.add_variable("product", e.sort(product), None, Role::Value);
            e.variable(unknown)
        };
        e.replace(part, is_product, unknown, &mut self.opaque)
    }
}

/// A question simplified by its own assertions.
fn simplified(e: &mut Expressions, session: &Session, parts: &[Expression]) -> Vec<Expression> {
    let techniques = session.techniques();
    let propagates = techniques.has(Technique::Propagation);
    let mut simple = if propagates { propagated(e, parts) } else { parts.to_vec() };
    // An assertion that both threads access the same cell may imply that they are the same thread,
    // and this may imply more.
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

/// Whether a question is contradictory on its face, so that no solver is needed.
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

    /// The result for two different threads at one cell, and the number of solver queries.
    ///
    /// Each cell is `factor` times the thread's id from the same base.
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
