//! Infers invariants: answers Houdini's checks with Z3.
//!
//! The goals of a check (a loop and a phase) are refuted together: "one of them fails"; a model says which. Each question
//! has a solver of its own. One that is kept between questions, with the candidates behind literals, was measured to be
//! ten to thirty times slower: Z3 simplifies a question as a whole only where it is the solver's first.

use cranelift_entity::EntityRef;
use lockstep_invariants::{Answer, CandidateId, Check, Prover};
use lockstep_ir::sequential::Expression;

use crate::prove::cases::holds_by_cases;
use crate::prove::discharge::usable_facts;
use crate::prove::encode::Encoding;
use crate::prove::radix::{self, Radix};
use crate::solver::{Checked, Effort, Session};

/// Houdini's prover over a cut encoding.
pub struct Inference<'a> {
    encoding: &'a mut Encoding,
    session: &'a mut Session,
    limit: Effort,
    radix: Radix,
}

/// What came of some goals.
#[derive(Default)]
struct Sorted {
    refuted: Vec<CandidateId>,
    open: Vec<CandidateId>,
}

impl<'a> Inference<'a> {
    /// A prover for the candidates of an encoding; no single question may take longer than `limit`.
    pub fn new(encoding: &'a mut Encoding, session: &'a mut Session, limit: Effort) -> Self {
        Self { encoding, session, limit, radix: Radix::default() }
    }

    /// The question as it is, or, if it has products that are promised not to overflow, with unknowns in place of all
    /// products: inference must be quick, and a candidate that is lost is no mistake.
    fn without_promised_products(
        &mut self,
        mut facts: Vec<Expression>,
        mut goals: Vec<(CandidateId, Expression)>,
    ) -> (Vec<Expression>, Vec<(CandidateId, Expression)>) {
        let e = &mut self.encoding.expressions;
        let parts: Vec<_> = facts.iter().copied().chain(goals.iter().map(|&(_, goal)| goal)).collect();
        if radix::has_promises(e, &parts) {
            facts.extend(radix::instances(e, &parts));
            for part in facts.iter_mut().chain(goals.iter_mut().map(|(_, goal)| goal)) {
                *part = self.radix.without_products(e, *part);
            }
        }
        (facts, goals)
    }

    /// Sorts the goals that do not hold into refuted and open ones. Ends at the first refutation: Houdini asks again.
    fn sort(&mut self, facts: &[Expression], goals: &[(CandidateId, Expression)], sorted: &mut Sorted) {
        let mut waiting = vec![goals];
        while let Some(goals) = waiting.pop() {
            let negated: Vec<_> = goals.iter().map(|&(_, goal)| self.encoding.expressions.not(goal)).collect();
            let one_fails = self.encoding.expressions.or(negated);
            let solver = self.session.solver();
            for &fact in facts.iter().chain([&one_fails]) {
                self.session.assert(&solver, &self.encoding.expressions, fact);
            }
            let checked = self.session.check(&solver, &self.encoding.expressions, &[], self.limit);
            match checked {
                Checked::Unsatisfiable => {}
                Checked::Satisfiable(model) => {
                    for &(candidate, goal) in goals {
                        if model.boolean(self.session, &self.encoding.expressions, goal) == Some(false) {
                            sorted.refuted.push(candidate);
                        }
                    }
                    if !sorted.refuted.is_empty() {
                        return;
                    }
                    // A model that refutes nothing is no answer.
                    sorted.open.extend(goals.iter().map(|&(candidate, _)| candidate));
                }
                Checked::Unknown if self.session.out_of_time() => return,
                Checked::Unknown if goals.len() == 1 => sorted.open.push(goals[0].0),
                Checked::Unknown => {
                    let (first, second) = goals.split_at(goals.len() / 2);
                    waiting.extend([second, first]);
                }
            }
        }
    }
}

impl Prover for Inference<'_> {
    fn check(&mut self, check: Check, live: &[bool]) -> Answer {
        let Some(batch) = self.encoding.batches.get(&check) else {
            return Answer::Holds;
        };
        let is_live = |candidate: CandidateId| live[candidate.index()];
        let facts = usable_facts(self.encoding, batch.position, live);
        // What is assumed word for word needs no solver.
        let mut goals: Vec<_> = batch
            .goals
            .iter()
            .filter(|(candidate, goal)| is_live(*candidate) && !facts.contains(goal))
            .copied()
            .collect();
        goals.retain(|&(_, goal)| !holds_by_cases(&mut self.encoding.expressions, &facts, goal));
        if goals.is_empty() {
            return Answer::Holds;
        }
        let (facts, goals) = self.without_promised_products(facts, goals);
        let mut sorted = Sorted::default();
        self.sort(&facts, &goals, &mut sorted);
        if !sorted.refuted.is_empty() {
            Answer::Refuted(sorted.refuted)
        } else if self.session.out_of_time() {
            Answer::OutOfTime
        } else if !sorted.open.is_empty() {
            Answer::CannotTell(sorted.open)
        } else {
            Answer::Holds
        }
    }
}
