//! The decision of one program: alternating proofs and searches of increasing effort.

mod beyond;
mod first;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use lockstep_invariants::{Candidate, Check, Kept, ProposeOptions, Sum, houdini, propose};
use lockstep_ir::sequential::{Invariant, Loop, ObligationKind, Program};
use lockstep_options::deadline::Deadline;
use lockstep_options::techniques::Technique;
use lockstep_solver::{Checked, Effort, Model, Session, effort_of};
use lockstep_transform::lockstep::VariantForm;
use lockstep_verdict::reason::{Reason, Spent};

pub use self::beyond::go_on;
use self::first::{First, FirstStages};
use crate::discharge::{Discharged, Status, discharge, usable_facts};
use crate::encode::{Bounds, Encoding, Goal, Mode, Source, Subject, encode};
use crate::explain::{self, Attempt};
use crate::infer::{Inference, Lost, Shown};
use crate::search::concrete;
use crate::search::unroll::{self, Found, MOST_DEFECTS};
use crate::{Counterexample, Glance, Outcome, Preparation, Prepared, Proof, ProofStatistics, ProveOptions};

/// A stage of the proof or of the search for defects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A proof with little effort; most succeed.
    Short,
    /// A search with little effort; most defects are found.
    Look,
    /// The proof with its full effort.
    Long,
    /// The search with all remaining effort.
    Last,
}

pub struct Decision<'a> {
    options: &'a ProveOptions,
    deadline: Instant,
    /// The variant that is being proved.
    form: VariantForm,
    /// Its program, with the candidates' expressions.
    program: Program,
    sums: Vec<Sum>,
    /// The variants whose proofs are tried if this one fails, in order.
    next: VecDeque<Prepared>,
    /// The plain program, in which defects are searched, if it is not the last one that is proved.
    searched: Option<Program>,
    glance: Glance,
    /// Whether small launches have been searched for defects.
    looked: bool,
    pub outcome: Option<Outcome>,
    /// The progress of the proof.
    attempt: Option<Proving>,
    invariants: Vec<(Loop, Invariant)>,
    /// The candidates that were dropped.
    lost: Vec<Lost>,
    /// The facts that inference has shown about the encoding.
    shown: Shown,
    /// The check at which inference ended.
    asked: Option<Check>,
    /// Whether the loops had to be executed.
    executed: bool,
    /// The effort that the solver has spent, and the number of queries.
    spent: (Effort, usize),
    seconds: f64,
    statistics: ProofStatistics,
}

/// A proof by induction in progress.
struct Proving {
    candidates: Vec<Candidate>,
    /// Whether an execution falsifies each candidate.
    falsified: Vec<bool>,
    encoding: Encoding,
    first: FirstStages,
    /// The candidates that inference has kept.
    kept: Kept,
    /// The candidates that may be assumed, once inference has ended.
    live: Option<Vec<bool>>,
    statuses: Vec<Status>,
}

/// The least limit of an inference question, and the effort shares of inference and of the proof.
///
/// Once the proof has used its share, it is given up for the search.
const LEAST_INFERENCE_LIMIT: Duration = Duration::from_millis(300);
const INFERENCE_SHARE: f64 = 0.45;
const PROOF_SHARE: f64 = 0.65;

/// The share of these limits for a variant that is not the last one to be proved.
const VARIANT_SHARE: f64 = 0.8;

/// The budget of inference before executing all loops is tried as a cheaper proof.
const SHORT_INFERENCE: Effort = 4_000_000;

/// The budget of the assertions before a search for defects.
const SHORT_PROOF: Effort = 6_000_000;

/// The maximum time to find the reason for a failure, and its maximum share of the kernel's time.
const REASONING: Duration = Duration::from_secs(2);
const REASONING_PART: u32 = 4;

/// The most time to find the reason for a failure; it is part of the kernel's time.
pub fn reasoning_time(options: &ProveOptions) -> Duration {
    REASONING.min(options.timeout / REASONING_PART)
}

/// The same, but no more than a quarter of the time that is left.
fn reasoning_time_now(options: &ProveOptions) -> Duration {
    reasoning_time(options).min(options.deadline.remaining() / REASONING_PART)
}

/// The budget of the first search for defects.
const LOOK: Effort = 4_000_000;

impl<'a> Decision<'a> {
    pub fn new(preparation: Preparation, options: &'a ProveOptions, start: Instant, mut glance: Glance) -> Self {
        let Preparation { first: Prepared { form, program, sums }, others: next, searched } = preparation;
        Decision {
            options,
            deadline: options.ends(start).checked_sub(reasoning_time_now(options)).map_or(start, |end| end.max(start)),
            form,
            program,
            sums,
            next,
            searched,
            outcome: glance.outcome.take(),
            glance,
            looked: false,
            attempt: None,
            invariants: Vec::new(),
            lost: Vec::new(),
            shown: Shown::default(),
            asked: None,
            executed: false,
            spent: (0, 0),
            seconds: 0.0,
            statistics: ProofStatistics::default(),
        }
    }

    /// Runs a stage, if the program is still open.
    pub fn advance(&mut self, stage: Stage) {
        let begun = Instant::now();
        let mut session = Session::new(effort_of(self.options.timeout), self.deadline)
            .with(self.options.techniques)
            .resumed(self.spent);
        let mut proving = self.attempt.take();
        self.outcome = match (stage, &mut proving) {
            (Stage::Short, proving) => self.short(&mut session, proving),
            (Stage::Look, Some(proving)) => self.look(&mut session, proving),
            (Stage::Long, proving) => self.long(&mut session, proving),
            (Stage::Last, Some(proving)) => Some(self.last(&mut session, proving)),
            (_, None) => None,
        };
        self.attempt = proving;
        self.spent = (session.spent(), session.queries());
        self.seconds += begun.elapsed().as_secs_f64();
    }

    /// The resulting proof; a decision without an outcome was interrupted.
    pub fn end(self) -> Proof {
        let mut statistics = self.statistics;
        statistics.queries = self.glance.queries + self.spent.1;
        statistics.prove_seconds = self.glance.seconds + self.seconds - statistics.infer_seconds;
        let mut annotated = self.program;
        for (loop_, invariant) in &self.invariants {
            annotated.loops[*loop_].invariants.push(invariant.clone());
        }
        let broken_off = || Outcome::Unknown(Reason::BrokenOff);
        let outcome = self.outcome.unwrap_or_else(broken_off);
        Proof { outcome, invariants: self.invariants, annotated, executed: self.executed, statistics }
    }

    /// The program in which defects are searched.
    fn searched(&self) -> &Program {
        let last = || self.next.back().map_or(&self.program, |last| &last.program);
        self.searched.as_ref().unwrap_or_else(last)
    }

    /// Whether the proof of another variant is tried if this one fails.
    fn has_next(&self) -> bool {
        !self.next.is_empty()
    }

    /// Switches to the next variant.
    fn take_next(&mut self, session: &mut Session) {
        let Some(Prepared { form, program, sums }) = self.next.pop_front() else { return };
        (self.form, self.program, self.sums) = (form, program, sums);
        self.invariants.clear();
        self.lost.clear();
        self.shown = Shown::default();
        self.asked = None;
        session.change_arena();
    }

    /// Whether an assertion could not be shown that is the variant's own, such as that digits stay
    /// below their radices.
    fn is_unsuitable(&self, proving: &Proving) -> bool {
        let mut pairs = proving.encoding.goals.iter().zip(&proving.statuses);
        let is_own = |goal: &Goal| match goal.subject {
            Subject::Obligation(obligation) => {
                matches!(self.program.obligations[obligation].kind, ObligationKind::Digits { .. })
            }
            Subject::Invariant(..) => false,
        };
        self.has_next() && pairs.any(|(goal, &status)| status != Status::Proved && is_own(goal))
    }

    /// A proof with little effort, of the first variant that suits.
    fn short(&mut self, session: &mut Session, attempt: &mut Option<Proving>) -> Option<Outcome> {
        loop {
            let outcome = self.short_attempt(session, attempt);
            let fails = |proving: &Proving| proving.kept.finished && self.is_unsuitable(proving);
            if outcome.is_some() || !attempt.as_ref().is_some_and(fails) {
                return outcome;
            }
            self.take_next(session);
        }
    }

    fn short_attempt(&mut self, session: &mut Session, attempt: &mut Option<Proving>) -> Option<Outcome> {
        let candidates = self.candidates();
        let mut encoding = encode(&self.program, &candidates, Mode::Cut);
        let admitted = self.not_refuted(&candidates);
        let falsified = admitted.iter().map(|admitted| !admitted).collect();
        let mut first = FirstStages::new(&encoding, &candidates, admitted);
        // Inference with expensive candidates takes seconds.
        if first.are_dear(&self.program, &candidates)
            && let Some(outcome) = self.execute(session, concrete::LOOK)
        {
            return Some(outcome);
        }
        match self.first_stages(session, &mut encoding, &candidates, &mut first) {
            First::Proved => {
                let live = self.keep(&candidates, first.settled);
                self.statistics.obligations = encoding.trivial_goals + encoding.goals.len();
                return Some(self.proved(session, &encoding, &live));
            }
            First::Decided(outcome) => return Some(outcome),
            First::Open => {}
        }
        let admitted = std::mem::take(&mut first.admitted);
        let kept = self.infer(session, &mut encoding, &candidates, admitted, &first.settled, SHORT_INFERENCE);
        let statuses = std::mem::take(&mut first.statuses);
        let proving = attempt.insert(Proving { candidates, falsified, encoding, first, kept, live: None, statuses });
        if proving.kept.finished {
            self.settle(proving);
            let end = session.spent() + SHORT_PROOF;
            return self.discharge(session, proving, end.min(self.share(PROOF_SHARE)), SHORT_PROOF / 3);
        }
        let all = self.share(INFERENCE_SHARE);
        match unroll::glance(self.searched(), session, all) {
            Found::Defects(defects) => Some(Outcome::Refuted(defects)),
            Found::Nothing(obligations) => {
                self.executed = true;
                self.statistics.obligations = obligations;
                let none = vec![false; proving.candidates.len()];
                Some(self.proved(session, &proving.encoding, &none))
            }
            Found::Undecided => None,
        }
    }

    fn look(&mut self, session: &mut Session, proving: &mut Proving) -> Option<Outcome> {
        if let Some(outcome) = self.look_systematically(session) {
            return Some(outcome);
        }
        let end = (session.spent() + LOOK).min(self.share(1.0));
        self.search(session, proving, &unroll::ROUNDS[..unroll::FIRST_ROUNDS], end)
    }

    /// Searches small launches for defects, once.
    fn look_systematically(&mut self, session: &Session) -> Option<Outcome> {
        let already = std::mem::replace(&mut self.looked, true);
        if already { None } else { self.execute(session, concrete::SYSTEMATIC) }
    }

    /// Searches for defects by executing the program on concrete inputs.
    fn execute(&mut self, session: &Session, effort: concrete::Effort) -> Option<Outcome> {
        let searched = self.options.techniques.has(Technique::ConcreteSearch) && !session.clock_ran_out();
        let base = self.glance.base.as_ref().filter(|_| searched)?;
        let effort = effort.within(self.options.timeout);
        let mut explored = concrete::search(self.searched(), base, effort, Deadline::at(self.deadline));
        explored.defects.truncate(MOST_DEFECTS);
        self.glance.end_reached |= explored.end_reached;
        (!explored.defects.is_empty()).then_some(Outcome::Refuted(explored.defects))
    }

    /// The proof with its full effort, most of which goes to the first variant.
    fn long(&mut self, session: &mut Session, attempt: &mut Option<Proving>) -> Option<Outcome> {
        loop {
            let outcome = self.long_attempt(session, attempt.as_mut()?);
            if outcome.is_some() || !self.has_next() {
                return outcome;
            }
            self.take_next(session);
            let outcome = self.short_attempt(session, attempt);
            if outcome.is_some() {
                return outcome;
            }
        }
    }

    fn long_attempt(&mut self, session: &mut Session, proving: &mut Proving) -> Option<Outcome> {
        let open = proving.statuses.contains(&Status::Open);
        let failures = proving.statuses.iter().filter(|&&status| status == Status::Failed).count();
        if proving.live.is_none() {
            let live = std::mem::take(&mut proving.kept.live);
            let (effort, settled) = (self.share(INFERENCE_SHARE), &proving.first.settled);
            proving.kept = self.infer(session, &mut proving.encoding, &proving.candidates, live, settled, effort);
            self.settle(proving);
        } else if !open || failures >= MOST_DEFECTS {
            return self.tell(session, proving);
        }
        let loop_free = proving.encoding.complete;
        let end = self.share(if loop_free { 1.0 } else { PROOF_SHARE });
        let limit = effort_of(if loop_free { self.options.timeout / 2 } else { self.options.timeout / 8 });
        self.discharge(session, proving, end, limit)
    }

    /// Finds the executions in which assertions definitely fail.
    ///
    /// There was too little effort for this when the failures were found: a reportable state is
    /// harder to find than an arbitrary one.
    fn tell(&self, session: &mut Session, proving: &mut Proving) -> Option<Outcome> {
        if !self.is_exact(&proving.encoding) {
            return None;
        }
        session.set_allowance(self.share(1.0));
        let limit = effort_of(self.options.timeout / 2);
        let defects = unroll::defects(&self.program, &mut proving.encoding, &proving.statuses, session, limit);
        (!defects.is_empty()).then_some(Outcome::Refuted(defects))
    }

    fn last(&mut self, session: &mut Session, proving: &mut Proving) -> Outcome {
        // If one execution takes a million steps, no other search has got far.
        if let Some(outcome) = self.execute(session, concrete::EXHAUSTIVE) {
            return outcome;
        }
        let all = self.share(1.0);
        if let Some(outcome) = self.search(session, proving, &unroll::ROUNDS, all) {
            return outcome;
        }
        let Proving { candidates, falsified, encoding, kept, statuses, .. } = proving;
        let live = proving.live.clone().unwrap_or_else(|| vec![false; candidates.len()]);
        let undecided = (!kept.finished).then_some((&kept.live[..], self.asked));
        let spent = self.spent_limit(session);
        let attempt = Attempt { candidates, live: &live, lost: &self.lost, falsified, undecided, spent };
        // Finding the reason has a small time limit of its own if only the effort limit is spent.
        session.extend(self.options.deadline.or_earlier(Instant::now() + reasoning_time(self.options)));
        Outcome::Unknown(explain::unknown(&self.program, encoding, statuses, &attempt, session, self.options.language))
    }

    /// Records the candidates that may be assumed, now that inference has ended.
    fn settle(&mut self, proving: &mut Proving) {
        let live = if proving.kept.finished { &proving.kept.live } else { &proving.first.settled };
        proving.live = Some(self.keep(&proving.candidates, live.clone()));
    }

    /// Tries to prove the open assertions.
    ///
    /// If one fails, it determines whether it fails in an execution.
    fn discharge(
        &mut self,
        session: &mut Session,
        proving: &mut Proving,
        end: Effort,
        limit: Effort,
    ) -> Option<Outcome> {
        let live = proving.live.clone().unwrap_or_default();
        let encoding = &mut proving.encoding;
        session.set_allowance(end);
        let known = std::mem::take(&mut proving.statuses);
        let Discharged { statuses, models } = discharge(encoding, &live, known, session, limit, MOST_DEFECTS);
        session.set_allowance(self.share(1.0));
        let proved = statuses.iter().filter(|&&status| status == Status::Proved).count();
        self.statistics.obligations = encoding.trivial_goals + proved;
        proving.statuses = statuses;
        if proved == proving.statuses.len() {
            return Some(self.proved(session, encoding, &live));
        }
        let defects = if self.is_exact(encoding) {
            unroll::defects(&self.program, encoding, &proving.statuses, session, limit)
        } else {
            self.executions_of(session, encoding, &models)
        };
        (!defects.is_empty()).then_some(Outcome::Refuted(defects))
    }

    /// Whether a state of the encoding is an execution.
    ///
    /// A defect must satisfy the exact facts about the inputs, which an encoding with cut loops
    /// ignores.
    fn is_exact(&self, encoding: &Encoding) -> bool {
        encoding.complete && self.program.exact.is_empty() && self.form == VariantForm::Plain
    }

    /// Executes the loops, unless there are none, in which case this has already been done.
    fn search(&mut self, session: &mut Session, proving: &Proving, rounds: &[Bounds], end: Effort) -> Option<Outcome> {
        if self.is_exact(&proving.encoding) {
            return None;
        }
        match unroll::search(self.searched(), session, rounds, end) {
            Found::Defects(defects) => Some(Outcome::Refuted(defects)),
            Found::Nothing(obligations) => {
                self.executed = true;
                self.statistics.obligations = obligations;
                let none = vec![false; proving.candidates.len()];
                Some(self.proved(session, &proving.encoding, proving.live.as_ref().unwrap_or(&none)))
            }
            Found::Undecided => None,
        }
    }

    /// The limit that has run out.
    fn spent_limit(&self, session: &Session) -> Option<Spent> {
        let timeout = self.options.timeout;
        if session.clock_ran_out() {
            return Some(Spent::Time(timeout));
        }
        session.out_of_time().then_some(Spent::Budget(timeout))
    }

    fn share(&self, share: f64) -> Effort {
        let share = if self.has_next() { share * VARIANT_SHARE } else { share };
        effort_of(self.options.timeout.mul_f64(share))
    }

    /// The defects among the executions of the inputs in which an induction step fails.
    fn executions_of(&self, session: &mut Session, encoding: &mut Encoding, models: &[Model]) -> Vec<Counterexample> {
        let mut defects: Vec<Counterexample> = Vec::new();
        let deadline = Deadline::at(self.deadline);
        let searched = self.options.techniques.has(Technique::ConcreteSearch);
        for model in models.iter().filter(|_| searched) {
            let inputs = concrete::of_model(&self.program, &mut encoding.expressions, model, session);
            let inputs = concrete::carried_over(inputs, &self.program, self.searched());
            for defect in concrete::search(self.searched(), &inputs, concrete::CLOSE_LOOK, deadline).defects {
                if defects.iter().all(|known| known.obligation != defect.obligation) {
                    defects.push(defect);
                }
            }
        }
        defects.sort_by_key(|defect| defect.obligation);
        defects.truncate(MOST_DEFECTS);
        defects
    }

    fn candidates(&mut self) -> Vec<Candidate> {
        if self.program.loops.is_empty() {
            return Vec::new();
        }
        let start = Instant::now();
        let only_suggested = self.options.no_infer;
        let options = ProposeOptions { omitted: self.options.omitted_families.clone(), only_suggested };
        let candidates = propose(&mut self.program, &self.sums, &options);
        self.statistics.infer_seconds += start.elapsed().as_secs_f64();
        self.statistics.candidates_proposed = candidates.len();
        candidates
    }

    /// The candidates that no concrete execution falsifies.
    fn not_refuted(&mut self, candidates: &[Candidate]) -> Vec<bool> {
        let start = Instant::now();
        let mut admitted = vec![true; candidates.len()];
        let wanted = !candidates.is_empty() && self.options.techniques.has(Technique::ConcreteRefutation);
        if let Some(base) = self.glance.base.as_ref().filter(|_| wanted) {
            let base = concrete::carried_over(base.clone(), self.searched(), &self.program);
            let refuted =
                concrete::refuted(&self.program, candidates, &base, concrete::REFUTATION, Deadline::at(self.deadline));
            admitted = refuted.into_iter().map(|refuted| !refuted).collect();
        }
        self.statistics.infer_seconds += start.elapsed().as_secs_f64();
        admitted
    }

    /// The live candidates that hold by induction, given the settled ones.
    fn infer(
        &mut self,
        session: &mut Session,
        encoding: &mut Encoding,
        candidates: &[Candidate],
        live: Vec<bool>,
        settled: &[bool],
        effort: Effort,
    ) -> Kept {
        if candidates.is_empty() {
            return Kept { live, finished: true };
        }
        let start = Instant::now();
        let share = self.share(INFERENCE_SHARE);
        session.set_allowance(share.min(session.spent() + effort));
        let limit = effort_of((self.options.timeout / 60).max(LEAST_INFERENCE_LIMIT));
        let mut prover = Inference::new(encoding, session, limit, settled, &mut self.shown);
        let kept = houdini(&self.program, candidates, live, &mut prover);
        self.asked = prover.asked;
        self.lost.extend(prover.lost);
        session.set_allowance(self.share(1.0));
        self.statistics.infer_seconds += start.elapsed().as_secs_f64();
        kept
    }

    /// Records the invariants, and returns the candidates that may be assumed.
    ///
    /// They are the live candidates after complete inference, or the previously settled ones.
    fn keep(&mut self, candidates: &[Candidate], live: Vec<bool>) -> Vec<bool> {
        for (candidate, _) in candidates.iter().zip(&live).filter(|(_, live)| **live) {
            let invariant = Invariant { condition: candidate.condition, family: candidate.family.to_owned() };
            self.invariants.push((candidate.loop_, invariant));
        }
        self.statistics.candidates_kept = self.invariants.len();
        live
    }

    /// A proof, unless it is vacuous: no execution, or none that reaches the end.
    fn proved(&mut self, session: &mut Session, encoding: &Encoding, live: &[bool]) -> Outcome {
        if self.glance.end_reached {
            return Outcome::Proved;
        }
        if self.glance.base.is_none() {
            return Outcome::Unknown(Reason::PreconditionsUndecided);
        }
        if !encoding.facts_before(encoding.end).any(|(_, fact)| fact.source == Source::Program) {
            return Outcome::Proved;
        }
        let solver = session.solver();
        for fact in usable_facts(encoding, encoding.end, live) {
            session.assert(&solver, &encoding.expressions, fact);
        }
        match session.check(&solver, &encoding.expressions, &[], effort_of(self.options.timeout / 10)) {
            Checked::Satisfiable(_) => Outcome::Proved,
            Checked::Unsatisfiable => Outcome::Unknown(Reason::EndUnreachable),
            Checked::Unknown => Outcome::Unknown(Reason::EndUndecided),
        }
    }
}
