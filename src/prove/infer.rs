//! Infers invariants: answers Houdini's checks with Z3.
//!
//! Each check (a loop and a phase) has a solver that is kept from one call to the next. A candidate that is assumed is a
//! fact behind a literal of its own, so that dropping it is leaving out an assumption. The goals of a check are refuted
//! together: "one of them fails"; a model says which.

use std::collections::BTreeMap;
use std::time::Duration;

use cranelift_entity::{EntityRef, PrimaryMap};
use lockstep_invariants::{Answer, CandidateId, Check, Prover};
use lockstep_ir::sequential::{Expression, Role, Sort};

use crate::prove::encode::{Encoding, Source};
use crate::solver::{Checked, Session, Solver};

/// Houdini's prover over a cut encoding.
pub struct Inference<'a> {
    encoding: &'a mut Encoding,
    session: &'a mut Session,
    /// For each candidate the literal behind which it is assumed.
    literals: PrimaryMap<CandidateId, Expression>,
    solvers: BTreeMap<Check, Solver>,
    limit: Duration,
}

/// What came of some goals.
#[derive(Default)]
struct Sorted {
    refuted: Vec<CandidateId>,
    open: Vec<CandidateId>,
}

impl<'a> Inference<'a> {
    /// A prover for the candidates of an encoding; no single question may take longer than `limit`.
    pub fn new(encoding: &'a mut Encoding, session: &'a mut Session, candidates: usize, limit: Duration) -> Self {
        let mut literals = PrimaryMap::with_capacity(candidates);
        for index in 0..candidates {
            let name = format!("assume..{index}");
            let literal = encoding.expressions.add_variable(&name, Sort::Boolean, None, Role::Choice);
            literals.push(encoding.expressions.variable(literal));
        }
        Self { encoding, session, literals, solvers: BTreeMap::new(), limit }
    }

    fn solver(&mut self, check: Check) -> Solver {
        if let Some(solver) = self.solvers.remove(&check) {
            return solver;
        }
        let solver = self.session.solver();
        let position = self.encoding.batches[&check].position;
        let facts: Vec<_> =
            self.encoding.facts_before(position).map(|(_, fact)| (fact.condition, fact.source)).collect();
        for (condition, source) in facts.into_iter().rev() {
            let fact = match source {
                Source::Candidate(candidate) => self.encoding.expressions.implies(self.literals[candidate], condition),
                Source::Precondition | Source::Program | Source::Asserted | Source::Invariant => condition,
            };
            self.session.assert(&solver, &self.encoding.expressions, fact);
        }
        solver
    }

    /// Sorts the goals that do not hold into refuted and open ones. Ends at the first refutation: Houdini asks again.
    fn sort(
        &mut self,
        solver: &Solver,
        assumptions: &[Expression],
        goals: &[(CandidateId, Expression)],
        sorted: &mut Sorted,
    ) {
        let mut waiting = vec![goals];
        while let Some(goals) = waiting.pop() {
            let negated: Vec<_> = goals.iter().map(|&(_, goal)| self.encoding.expressions.not(goal)).collect();
            let one_fails = self.encoding.expressions.or(negated);
            solver.push();
            self.session.assert(solver, &self.encoding.expressions, one_fails);
            let checked = self.session.check(solver, &self.encoding.expressions, assumptions, self.limit);
            solver.pop();
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
        let assumed: Vec<Expression> = self
            .encoding
            .facts_before(batch.position)
            .filter(|(_, fact)| matches!(fact.source, Source::Candidate(candidate) if is_live(candidate)))
            .map(|(_, fact)| fact.condition)
            .collect();
        // What is assumed word for word needs no solver.
        let goals: Vec<_> = batch
            .goals
            .iter()
            .filter(|(candidate, goal)| is_live(*candidate) && !assumed.contains(goal))
            .copied()
            .collect();
        if goals.is_empty() {
            return Answer::Holds;
        }
        let mut assumptions: Vec<Expression> = self
            .encoding
            .facts_before(batch.position)
            .filter_map(|(_, fact)| match fact.source {
                Source::Candidate(candidate) if is_live(candidate) => Some(self.literals[candidate]),
                _ => None,
            })
            .collect();
        assumptions.sort_unstable();
        assumptions.dedup();

        let solver = self.solver(check);
        let mut sorted = Sorted::default();
        self.sort(&solver, &assumptions, &goals, &mut sorted);
        self.solvers.insert(check, solver);
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
