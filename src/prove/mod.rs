//! Decides a sequential program: infer invariants, discharge obligations, search defects by unrolling.

mod concrete;
mod counterexample;
mod discharge;
mod encode;
mod explain;
mod infer;
mod questions;
mod straight;
mod unroll;

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use lockstep_invariants::{Candidate, ProposeOptions, houdini, propose};
use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{Invariant, Loop, Obligation, Program, Unknown, VerifiedProgram};
use lockstep_ir::source::Location;

use crate::solver::{Checked, Session, in_fresh_context};
use concrete::Inputs;
use discharge::{Status, discharge, usable_facts};
use encode::{Encoding, Mode, Source, encode};
use infer::Inference;
pub use questions::{Question, Questions, questions};
pub use straight::unrolled;
use unroll::{Found, MOST_DEFECTS};

/// How hard to try.
#[derive(Clone, Debug)]
pub struct ProveOptions {
    /// The time one kernel may take.
    pub timeout: Duration,
    /// Candidate families that are switched off, by name.
    pub omitted_families: Vec<String>,
    /// No candidates at all (`--no-infer`).
    pub no_infer: bool,
}

impl Default for ProveOptions {
    fn default() -> Self {
        Self { timeout: Duration::from_mins(1), omitted_families: Vec::new(), no_infer: false }
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The answer.
    pub outcome: Outcome,
    /// The invariants that were proved, by loop; over the expressions of [`Proof::annotated`].
    pub invariants: Vec<(Loop, Invariant)>,
    /// The program with these invariants at its loops' heads.
    pub annotated: Program,
    /// What it cost.
    pub statistics: ProofStatistics,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No execution fails an assertion.
    Proved,
    /// These executions do, one per obligation that fails; at least one.
    Refuted(Vec<Counterexample>),
    /// Neither was shown, and why.
    Unknown(String),
    /// The preconditions exclude every execution, or the end of the program cannot be reached: an error of
    /// the user's assumptions, and why.
    Vacuous(String),
}

/// An execution that fails an assertion.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The assertion.
    pub obligation: Obligation,
    /// Each thread's id in its group.
    pub local_ids: [Vec<u64>; 2],
    /// Each thread's group.
    pub group_ids: [Vec<u64>; 2],
    /// Threads per group.
    pub local_sizes: Vec<u64>,
    /// Groups.
    pub num_groups: Vec<u64>,
    /// The scalar parameters.
    pub parameters: Vec<(String, Bits)>,
    /// The watched cell, for races.
    pub cell: Option<u64>,
    /// For races: the first cell each thread accesses.
    pub offsets: Option<[Bits; 2]>,
    /// Whether each thread is at the barrier, for barrier divergence.
    pub arrives: Option<[bool; 2]>,
    /// The completed iterations of the loops around thread 1's access (at the moment of the hit) and thread 2's.
    pub iterations: [Vec<(Loop, u64)>; 2],
    /// The arbitrary values that the failure depends on, without [`Unknown::Choice`].
    pub unknowns: Vec<(Unknown, Option<Location>)>,
}

/// What a proof cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProofStatistics {
    /// Seconds of invariant inference.
    pub infer_seconds: f64,
    /// Seconds of everything else.
    pub prove_seconds: f64,
    /// Candidates proposed.
    pub candidates_proposed: usize,
    /// Candidates proved.
    pub candidates_kept: usize,
    /// Obligations proved.
    pub obligations: usize,
    /// Calls of the solver; queries that simplified to a constant are not among them.
    pub queries: usize,
}

/// Decides a program.
///
/// Loops are cut at their invariants for a proof; defects are looked for by executing them. Only the first can prove
/// (or the second, where it covers everything), only the second can refute.
pub fn prove(program: &VerifiedProgram, options: &ProveOptions) -> Proof {
    in_fresh_context(|| {
        let start = Instant::now();
        let deadline = start + options.timeout;
        let mut decision = Decision {
            options,
            start,
            deadline,
            session: Session::new(deadline),
            program: (**program).clone(),
            base: None,
            invariants: Vec::new(),
            statistics: ProofStatistics::default(),
        };
        let outcome = decision.decide();
        let mut statistics = decision.statistics;
        statistics.queries = decision.session.queries();
        statistics.prove_seconds = start.elapsed().as_secs_f64() - statistics.infer_seconds;
        let mut annotated = decision.program;
        for (loop_, invariant) in &decision.invariants {
            annotated.loops[*loop_].invariants.push(invariant.clone());
        }
        Proof { outcome, invariants: decision.invariants, annotated, statistics }
    })
}

struct Decision<'a> {
    options: &'a ProveOptions,
    start: Instant,
    deadline: Instant,
    session: Session,
    /// The program, with the candidates' expressions.
    program: Program,
    /// Inputs that satisfy the preconditions.
    base: Option<Inputs>,
    invariants: Vec<(Loop, Invariant)>,
    statistics: ProofStatistics,
}

/// The share of the time that inference may use, and the one by whose end the proof is given up for the search.
const INFERENCE_SHARE: f64 = 0.45;
const PROOF_SHARE: f64 = 0.65;

impl Decision<'_> {
    fn decide(&mut self) -> Outcome {
        if let Some(vacuous) = self.contradictory_preconditions() {
            return vacuous;
        }
        if let Some(base) = &self.base {
            let mut defects = concrete::search(&self.program, base, concrete::GLANCE);
            if !defects.is_empty() {
                defects.truncate(MOST_DEFECTS);
                return Outcome::Refuted(defects);
            }
        }
        let candidates = self.candidates();
        let mut encoding = encode(&self.program, &candidates, Mode::Cut);
        let live = self.infer(&mut encoding, &candidates);

        let loop_free = encoding.complete;
        if !loop_free {
            self.session.set_deadline(self.share(PROOF_SHARE));
        }
        let limit = if loop_free { self.options.timeout / 2 } else { self.options.timeout / 8 };
        let statuses = discharge(&mut encoding, &live, &mut self.session, limit, MOST_DEFECTS);
        self.session.set_deadline(self.deadline);
        let proved = statuses.iter().filter(|&&status| status == Status::Proved).count();
        self.statistics.obligations = encoding.trivial_goals + proved;
        if proved == statuses.len() {
            return self.unless_the_end_is_out_of_reach(&encoding, &live);
        }
        if loop_free {
            let defects = unroll::defects(&self.program, &mut encoding, &statuses, &mut self.session, limit);
            if !defects.is_empty() {
                return Outcome::Refuted(defects);
            }
        } else {
            match unroll::search(&self.program, &mut self.session, self.deadline) {
                Found::Defects(defects) => return Outcome::Refuted(defects),
                Found::Nothing(obligations) => {
                    self.statistics.obligations = obligations;
                    return self.unless_the_end_is_out_of_reach(&encoding, &live);
                }
                Found::Undecided => {}
            }
        }
        let timeout = self.session.out_of_time().then_some(self.options.timeout);
        Outcome::Unknown(explain::unknown(&self.program, &encoding, &statuses, timeout))
    }

    fn share(&self, share: f64) -> Instant {
        self.start + self.options.timeout.mul_f64(share)
    }

    fn candidates(&mut self) -> Vec<Candidate> {
        if self.options.no_infer || self.program.loops.is_empty() {
            return Vec::new();
        }
        let start = Instant::now();
        let options = ProposeOptions { omitted: self.options.omitted_families.clone() };
        let candidates = propose(&mut self.program, &options);
        self.statistics.infer_seconds += start.elapsed().as_secs_f64();
        self.statistics.candidates_proposed = candidates.len();
        candidates
    }

    /// Which candidates are proved.
    fn infer(&mut self, encoding: &mut Encoding, candidates: &[Candidate]) -> Vec<bool> {
        if candidates.is_empty() {
            return Vec::new();
        }
        let start = Instant::now();
        self.session.set_deadline(self.share(INFERENCE_SHARE));
        let limit = self.options.timeout / 20;
        let mut prover = Inference::new(encoding, &mut self.session, limit);
        let mut live = vec![true; candidates.len()];
        if let Some(base) = &self.base {
            let refuted = concrete::refuted(&self.program, candidates, base, concrete::REFUTATION);
            live = refuted.into_iter().map(|refuted| !refuted).collect();
        }
        let mut kept = houdini(&self.program, candidates, live, &mut prover);
        self.session.set_deadline(self.deadline);
        if !kept.finished {
            kept.live = vec![false; candidates.len()];
        }
        for (candidate, _) in candidates.iter().zip(&kept.live).filter(|(_, live)| **live) {
            let invariant = Invariant { condition: candidate.condition, family: candidate.family.to_owned() };
            self.invariants.push((candidate.loop_, invariant));
        }
        self.statistics.candidates_kept = self.invariants.len();
        self.statistics.infer_seconds += start.elapsed().as_secs_f64();
        kept.live
    }

    fn contradictory_preconditions(&mut self) -> Option<Outcome> {
        let solver = self.session.solver();
        for precondition in &self.program.preconditions {
            self.session.assert(&solver, &self.program.expressions, precondition.condition);
        }
        let checked = self.session.check(&solver, &self.program.expressions, &[], self.options.timeout / 10);
        match checked {
            Checked::Unsatisfiable => {}
            Checked::Satisfiable(model) => {
                // The clone must not grow: later expressions get the numbers that it would use.
                let inputs: Vec<_> = self.program.expressions.variables().keys().collect();
                for input in inputs {
                    self.program.expressions.variable(input);
                }
                let mut expressions = self.program.expressions.clone();
                self.base = Some(concrete::of_model(&self.program, &mut expressions, &model, &mut self.session));
                return None;
            }
            Checked::Unknown => return None,
        }
        let mut reasons: Vec<&str> = Vec::new();
        for precondition in &self.program.preconditions {
            if !reasons.contains(&precondition.reason.as_str()) {
                reasons.push(&precondition.reason);
            }
        }
        Some(Outcome::Vacuous(format!("the preconditions contradict each other: {}", reasons.join("; "))))
    }

    /// A proof about a program whose end cannot be reached may be one about nothing.
    fn unless_the_end_is_out_of_reach(&mut self, encoding: &Encoding, live: &[bool]) -> Outcome {
        let restricted = encoding.facts_before(encoding.end).any(|(_, fact)| fact.source == Source::Program);
        if restricted {
            let solver = self.session.solver();
            for fact in usable_facts(encoding, encoding.end, live) {
                self.session.assert(&solver, &encoding.expressions, fact);
            }
            let limit = self.options.timeout / 10;
            if let Checked::Unsatisfiable = self.session.check(&solver, &encoding.expressions, &[], limit) {
                return Outcome::Vacuous(
                    "the end of the kernel cannot be reached: what is assumed on the way contradicts itself, or a loop \
                     never ends"
                        .to_owned(),
                );
            }
        }
        Outcome::Proved
    }
}
