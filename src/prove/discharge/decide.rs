//! Decides a question: asks relaxations of it, from the lightest to the question itself.
//!
//! No engine is best at everything. Bit-vectors handle overflow and masks. Integers handle sums and
//! products. Unknowns in place of products suffice for everything that does not depend on the
//! products' values. A [`Step`] is a relaxation with the engines that are asked about it, and
//! [`STEPS`] is the order.
//!
//! **Soundness.** A relaxation holds wherever the question holds, because it only leaves out
//! constraints. So *unsatisfiable transfers*: if a relaxation is contradictory, the question is.
//! *Models come only from exact steps*. Inference may also drop a claim because of a model of a
//! relaxation, since dropping a candidate is always sound.

use lockstep_ir::sequential::{Expression, Expressions};
use lockstep_options::techniques::Technique;
use lockstep_solver::{Checked, Effort, Model, Products, QUICK_EFFORT, Session};

use super::bit_counts::BitCounts;
use super::dividends::with_dividends_equated;
use super::equations::with_equations_decided;
use super::lighten::{Lighter, Weight};
use super::opaque::Opaque;
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

/// A relaxation of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relaxation {
    /// Unknowns in place of long computations ([`super::lighten`]).
    Lighter,
    /// Unknowns in place of population counts, with facts about counts ([`super::bit_counts`]).
    Counts,
    /// Unknowns in place of products and quotients ([`super::opaque`]).
    Opaque,
    /// The question itself.
    Itself,
}

/// The meaning of a model that a step finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Models {
    /// It is a model of the question.
    Exact,
    /// It is a model of the relaxation only; a claim that fails in it may be dropped.
    Refuting,
    /// It is a model of the relaxation only, and of no use.
    Useless,
}

/// An engine that is asked with a budget, and the least thoroughness for which it is.
type Attempt = (Engine, Effort, Thoroughness);

/// A solver's theory and settings.
#[derive(Clone, Copy, Debug)]
enum Engine {
    /// Bit-vectors, without a translation to bits.
    QuickBits,
    /// Bit-vectors, translated to bits.
    Bits,
    /// Integers; a model counts only if the translation is exact.
    Integers(Products),
}

/// A relaxation, and how it is asked.
struct Step {
    relaxation: Relaxation,
    /// Whether the step is for questions that multiply or divide unknowns only.
    of_products: bool,
    models: Models,
    limit: Effort,
    attempts: &'static [Attempt],
}

/// The steps by which a question is decided, in order. [`Relaxation::Lighter`] comes before them,
/// and is decided by the same steps.
const STEPS: [Step; 4] = [
    Step {
        relaxation: Relaxation::Counts,
        of_products: false,
        models: Models::Useless,
        limit: 1_000_000,
        attempts: EXACTLY,
    },
    Step {
        relaxation: Relaxation::Itself,
        of_products: true,
        models: Models::Exact,
        limit: Effort::MAX,
        attempts: LINEAR,
    },
    Step {
        relaxation: Relaxation::Opaque,
        of_products: true,
        models: Models::Refuting,
        limit: Effort::MAX,
        attempts: AS_BITS,
    },
    Step {
        relaxation: Relaxation::Itself,
        of_products: false,
        models: Models::Exact,
        limit: Effort::MAX,
        attempts: EXACTLY,
    },
];

/// Bits, with a translation of all of them only if that succeeds at once or nothing else helps.
const EXACTLY: &[Attempt] = &[
    (Engine::QuickBits, QUICK_EFFORT, Thoroughness::Brief),
    (Engine::Bits, 30_000, Thoroughness::Thorough),
    (Engine::Integers(Products::Exact), 4_000_000, Thoroughness::Brief),
    (Engine::Bits, Effort::MAX, Thoroughness::Thorough),
];

/// Integers without nonlinear terms: for products of unknowns, this decides at once questions that
/// bit-vectors never decide.
const LINEAR: &[Attempt] = &[(Engine::Integers(Products::Linear), 400_000, Thoroughness::Brief)];

/// Bits alone.
const AS_BITS: &[Attempt] =
    &[(Engine::QuickBits, QUICK_EFFORT, Thoroughness::Brief), (Engine::Bits, Effort::MAX, Thoroughness::Thorough)];

/// The budget of a question without long computations.
const LIGHTER_EFFORT: Effort = 200_000;

/// The maximum number of simplification rounds; simplification stops when nothing changes.
const ROUNDS: usize = 4;

/// The claims that a question is about: it asks for a state in which one of them fails.
#[derive(Clone, Copy)]
struct Claimed<'q> {
    facts: &'q [Expression],
    /// Facts that are not asked about, but must hold where a claim fails.
    others: &'q [Expression],
    claims: &'q [Expression],
}

/// The answer to a question.
enum Answer {
    Contradiction,
    Model(Model),
    /// The claims at these positions fail in a model of a relaxation.
    Refuted(Vec<usize>),
    Unknown,
}

/// Decides questions over expressions of one arena.
#[derive(Debug, Default)]
pub struct Decider {
    opaque: Opaque,
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
        match self.answer(e, session, parts, None, limit, how) {
            Answer::Contradiction => Checked::Unsatisfiable,
            Answer::Model(model) => Checked::Satisfiable(model),
            Answer::Refuted(_) | Answer::Unknown => Checked::Unknown,
        }
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
        let claimed = Claimed { facts, others, claims };
        let parts = parts_of(e, facts, claims);
        match self.answer(e, session, &parts, Some(claimed), limit, how) {
            Answer::Contradiction => Claims::Hold,
            Answer::Refuted(failing) => Claims::Fail(failing),
            Answer::Unknown => Claims::Unknown,
            Answer::Model(model) => {
                self.failing(e, session, Relaxation::Itself, claimed, &model).map_or(Claims::Unknown, Claims::Fail)
            }
        }
    }

    /// Decides a question, first without long computations if it has many.
    fn answer(
        &mut self,
        e: &mut Expressions,
        session: &mut Session,
        parts: &[Expression],
        claimed: Option<Claimed<'_>>,
        limit: Effort,
        how: Thoroughness,
    ) -> Answer {
        if session.out_of_time() {
            return Answer::Unknown;
        }
        if session.techniques().has(Technique::LighterQuestions) {
            let (lighter, weight) = self.lighter.question(e, parts);
            if weight != Weight::Light {
                let limit = limit.min(LIGHTER_EFFORT);
                match (self.in_steps(e, session, &lighter, None, limit, Thoroughness::Brief), weight, claimed) {
                    (Answer::Contradiction, ..) => return Answer::Contradiction,
                    (Answer::Model(model), Weight::TooHeavy, Some(claimed)) => {
                        let failing = self.failing(e, session, Relaxation::Lighter, claimed, &model);
                        return Answer::Refuted(failing.unwrap_or_default());
                    }
                    (_, Weight::TooHeavy, _) => return Answer::Unknown,
                    (_, Weight::Heavy | Weight::Light, _) => {}
                }
            }
        }
        self.in_steps(e, session, parts, claimed, limit, how)
    }

    /// Decides a question by [`STEPS`].
    fn in_steps(
        &mut self,
        e: &mut Expressions,
        session: &mut Session,
        parts: &[Expression],
        claimed: Option<Claimed<'_>>,
        limit: Effort,
        how: Thoroughness,
    ) -> Answer {
        let simple = simplified(e, session, parts);
        if is_contradiction(e, &simple) {
            return Answer::Contradiction;
        }
        for step in &STEPS {
            if step.of_products && !e.multiplies_or_divides(&simple) {
                continue;
            }
            // Where claims may be dropped, the products must be those of the claims.
            let refutes = claimed.filter(|_| step.models == Models::Refuting);
            let (parts, how) = match step.models {
                Models::Refuting if claimed.is_some() => (parts, how),
                Models::Refuting => (&*simple, Thoroughness::Brief),
                Models::Exact | Models::Useless => (&*simple, how),
            };
            let Some(relaxed) = self.relaxed(e, session, step.relaxation, parts) else { continue };
            match (attempt(e, session, &relaxed, step.attempts, limit.min(step.limit), how), step.models, refutes) {
                (Checked::Unsatisfiable, ..) => return Answer::Contradiction,
                (Checked::Satisfiable(model), Models::Exact, _) => return Answer::Model(model),
                (Checked::Satisfiable(model), Models::Refuting, Some(claimed)) => {
                    let failing = self.refuted(e, session, step.relaxation, claimed, &model, limit);
                    if !failing.is_empty() {
                        return Answer::Refuted(failing);
                    }
                }
                (Checked::Satisfiable(_) | Checked::Unknown, ..) => {}
            }
        }
        Answer::Unknown
    }

    /// A relaxation of a question as a step asks it; `None` if the question has none.
    fn relaxed(
        &mut self,
        e: &mut Expressions,
        session: &Session,
        relaxation: Relaxation,
        parts: &[Expression],
    ) -> Option<Vec<Expression>> {
        let uses = |technique| session.techniques().has(technique).then_some(());
        match relaxation {
            Relaxation::Itself => Some(parts.to_vec()),
            Relaxation::Counts => uses(Technique::BitCounts).and_then(|()| self.counts.question(e, parts)),
            Relaxation::Opaque => uses(Technique::OpaqueProducts).map(|()| self.opaque.question(e, parts)),
            Relaxation::Lighter => None,
        }
    }

    /// The claims that fail in a model of a relaxation; `None` if a fact that was not asked about
    /// fails, too.
    fn failing(
        &mut self,
        e: &mut Expressions,
        session: &mut Session,
        relaxation: Relaxation,
        Claimed { others, claims, .. }: Claimed<'_>,
        model: &Model,
    ) -> Option<Vec<usize>> {
        let mut is = |expression: Expression, truth: bool| {
            let relaxed = match relaxation {
                Relaxation::Lighter => self.lighter.lighter(e, expression),
                Relaxation::Opaque => self.opaque.without_products(e, expression),
                Relaxation::Counts | Relaxation::Itself => expression,
            };
            model.boolean(session, e, relaxed) == Some(truth)
        };
        if !others.iter().all(|&other| is(other, true)) {
            return None;
        }
        Some((0..claims.len()).filter(|&claim| is(claims[claim], false)).collect())
    }

    /// The claims that fail in a model of a relaxation and that linear questions do not prove.
    fn refuted(
        &mut self,
        e: &mut Expressions,
        session: &mut Session,
        relaxation: Relaxation,
        claimed: Claimed<'_>,
        model: &Model,
        limit: Effort,
    ) -> Vec<usize> {
        let failing = self.failing(e, session, relaxation, claimed, model).unwrap_or_default();
        // The linear question has been asked about all claims.
        if failing.len() == claimed.claims.len() || failing.is_empty() {
            return failing;
        }
        let suspects: Vec<Expression> = failing.iter().map(|&claim| claimed.claims[claim]).collect();
        let question = parts_of(e, claimed.facts, &suspects);
        let question = simplified(e, session, &question);
        match attempt(e, session, &question, LINEAR, limit, Thoroughness::Brief) {
            Checked::Unsatisfiable => Vec::new(),
            Checked::Satisfiable(_) | Checked::Unknown => failing,
        }
    }
}

/// Asks the engines of a list in order, until one answers.
fn attempt(
    e: &Expressions,
    session: &mut Session,
    parts: &[Expression],
    attempts: &[Attempt],
    limit: Effort,
    how: Thoroughness,
) -> Checked {
    for &(engine, effort, least) in attempts {
        if least == Thoroughness::Thorough && how == Thoroughness::Brief {
            continue;
        }
        let limit = limit.min(effort);
        let answer = match engine {
            Engine::QuickBits => session.check_quickly(e, parts, limit),
            Engine::Bits => session.check_thoroughly(e, parts, limit),
            Engine::Integers(products) => session.check_integers(e, parts, limit, products),
        };
        if !matches!(answer, Checked::Unknown) {
            return answer;
        }
    }
    Checked::Unknown
}

/// Whether simplification alone shows that some expressions contradict each other.
pub fn contradict_at_once(e: &mut Expressions, session: &Session, parts: &[Expression]) -> bool {
    let parts = simplified(e, session, parts);
    is_contradiction(e, &parts)
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
            simple = with_dividends_equated(e, &simple);
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

    use lockstep_ir::sequential::{Role, Sort};

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
