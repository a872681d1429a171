//! The decision of one program: stages of proofs and searches, each with more effort than the one before.

mod first;

use std::time::{Duration, Instant};

use lockstep_invariants::{Candidate, Check, Kept, ProposeOptions, Sum, houdini, propose};
use lockstep_ir::sequential::{Invariant, Loop, ObligationKind, Program};
use lockstep_options::deadline::Deadline;
use lockstep_options::techniques::Technique;
use lockstep_solver::{Checked, Effort, Model, Session, effort_of};
use lockstep_verdict::reason::{Reason, Spent};

use self::first::{First, FirstStages};
use super::concrete;
use super::discharge::{Discharged, Status, discharge, usable_facts};
use super::encode::{Bounds, Encoding, Goal, Mode, Source, Subject, encode};
use super::explain::{self, Attempt};
use super::infer::{Inference, Lost, Shown};
use super::unroll::{self, Found, MOST_DEFECTS};
use super::{Counterexample, Glance, Outcome, Preparation, Prepared, Proof, ProofStatistics, ProveOptions};

/// A turn of the proof or of the search for defects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A proof with little effort: most succeed.
    Short,
    /// A search with little effort: most defects are found.
    Look,
    /// The proof, with all the effort that it may take.
    Long,
    /// The search, with all that is left.
    Last,
}

pub struct Decision<'a> {
    options: &'a ProveOptions,
    deadline: Instant,
    /// The program that is being proved, with the candidates' expressions.
    program: Program,
    sums: Vec<Sum>,
    /// The program in which defects are looked for, if that is neither of the others.
    searched: Option<Program>,
    /// The program without digits, as long as it is the one with digits that is being proved.
    plain: Option<Prepared>,
    glance: Glance,
    /// Whether defects have been looked for in small launches.
    looked: bool,
    pub outcome: Option<Outcome>,
    /// The proof as far as it has got.
    attempt: Option<Proving>,
    invariants: Vec<(Loop, Invariant)>,
    /// The candidates that were dropped.
    lost: Vec<Lost>,
    /// What inference has shown about the encoding.
    shown: Shown,
    /// The check with which inference has ended.
    asked: Option<Check>,
    /// Whether the loops had to be executed.
    executed: bool,
    /// What the solver has spent so far, in how many queries.
    spent: (Effort, usize),
    seconds: f64,
    statistics: ProofStatistics,
}

/// A proof by induction that has not come to its end.
struct Proving {
    candidates: Vec<Candidate>,
    /// Which of them executions falsify.
    falsified: Vec<bool>,
    encoding: Encoding,
    first: FirstStages,
    /// What inference leaves.
    kept: Kept,
    /// The candidates that may be assumed, once inference has ended.
    live: Option<Vec<bool>>,
    statuses: Vec<Status>,
}

/// The share of the effort that inference may use, and the one by whose end the proof is given up for the search.
const LEAST_INFERENCE_LIMIT: Duration = Duration::from_millis(300);
const INFERENCE_SHARE: f64 = 0.45;
const PROOF_SHARE: f64 = 0.65;

/// The share of these that a proof with digits may use: if it fails there is one without.
const DIGITS_SHARE: f64 = 0.8;

/// What inference may use before it is tried whether executing all loops is a proof at less cost.
const SHORT_INFERENCE: Effort = 4_000_000;

/// What the assertions may use before a look for defects.
const SHORT_PROOF: Effort = 6_000_000;

/// The most time in which to look for a reason, and the part of the time for the kernel that it is at most.
const REASONING: Duration = Duration::from_secs(2);
const REASONING_PART: u32 = 4;

/// The time in which to look for a reason; it is a part of the time for the kernel.
pub fn reasoning_time(options: &ProveOptions) -> Duration {
    REASONING.min(options.timeout / REASONING_PART)
}

/// What the first look for defects may use.
const LOOK: Effort = 4_000_000;

impl<'a> Decision<'a> {
    pub fn new(preparation: Preparation, options: &'a ProveOptions, start: Instant, mut glance: Glance) -> Self {
        let (prepared, plain) = match preparation.with_digits {
            Some(with_digits) => (with_digits, Some(preparation.plain)),
            None => (preparation.plain, None),
        };
        Decision {
            options,
            deadline: options.ends(start).checked_sub(reasoning_time(options)).map_or(start, |end| end.max(start)),
            program: prepared.program,
            sums: prepared.sums,
            searched: preparation.searched,
            plain,
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

    /// Takes a turn; only what is open does.
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

    /// What came of it. A decision that has none was broken off.
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

    /// Whether it is the program with digits that is being proved.
    fn has_digits(&self) -> bool {
        self.plain.is_some()
    }

    /// The program in which defects are looked for.
    fn searched(&self) -> &Program {
        let plain = || self.plain.as_ref().map_or(&self.program, |plain| &plain.program);
        self.searched.as_ref().unwrap_or_else(plain)
    }

    /// Goes on with the program without digits.
    fn give_up_digits(&mut self, session: &mut Session) {
        let Some(plain) = self.plain.take() else { return };
        self.program = plain.program;
        self.sums = plain.sums;
        self.invariants.clear();
        self.lost.clear();
        self.shown = Shown::default();
        self.asked = None;
        session.change_arena();
    }

    /// Whether something that must hold of digits could not be shown.
    fn digits_fail(&self, proving: &Proving) -> bool {
        let mut pairs = proving.encoding.goals.iter().zip(&proving.statuses);
        let about_digits = |goal: &Goal| match goal.subject {
            Subject::Obligation(obligation) => {
                matches!(self.program.obligations[obligation].kind, ObligationKind::Digits { .. })
            }
            Subject::Invariant(..) => false,
        };
        self.has_digits() && pairs.any(|(goal, &status)| status != Status::Proved && about_digits(goal))
    }

    /// A proof with little effort: with digits, or without where they do not stay below their radices.
    fn short(&mut self, session: &mut Session, attempt: &mut Option<Proving>) -> Option<Outcome> {
        let outcome = self.short_attempt(session, attempt);
        let failed = |proving: &Proving| proving.kept.finished && self.digits_fail(proving);
        if outcome.is_none() && attempt.as_ref().is_some_and(failed) {
            self.give_up_digits(session);
            return self.short_attempt(session, attempt);
        }
        outcome
    }

    fn short_attempt(&mut self, session: &mut Session, attempt: &mut Option<Proving>) -> Option<Outcome> {
        let candidates = self.candidates();
        let mut encoding = encode(&self.program, &candidates, Mode::Cut);
        let admitted = self.not_refuted(&candidates);
        let falsified = admitted.iter().map(|admitted| !admitted).collect();
        let mut first = FirstStages::new(&encoding, &candidates, admitted);
        // Inference with dear candidates takes seconds.
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

    /// Searches defects in small launches, once.
    fn look_systematically(&mut self, session: &Session) -> Option<Outcome> {
        let already = std::mem::replace(&mut self.looked, true);
        if already { None } else { self.execute(session, concrete::SYSTEMATIC) }
    }

    /// Searches defects by executing the program on concrete inputs.
    fn execute(&mut self, session: &Session, effort: concrete::Effort) -> Option<Outcome> {
        let searched = self.options.techniques.has(Technique::ConcreteSearch) && !session.clock_ran_out();
        let base = self.glance.base.as_ref().filter(|_| searched)?;
        let effort = effort.within(self.options.timeout);
        let mut explored = concrete::search(self.searched(), base, effort, Deadline::at(self.deadline));
        explored.defects.truncate(MOST_DEFECTS);
        self.glance.end_reached |= explored.end_reached;
        (!explored.defects.is_empty()).then_some(Outcome::Refuted(explored.defects))
    }

    /// The proof, with digits for most of the effort at first.
    fn long(&mut self, session: &mut Session, attempt: &mut Option<Proving>) -> Option<Outcome> {
        let had_digits = self.has_digits();
        let outcome = self.long_attempt(session, attempt.as_mut()?);
        if outcome.is_some() || !had_digits {
            return outcome;
        }
        self.give_up_digits(session);
        let outcome = self.short_attempt(session, attempt);
        if outcome.is_some() { outcome } else { self.long_attempt(session, attempt.as_mut()?) }
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

    /// Of assertions that fail for good the executions, for which there was too little effort when they were found to fail: a
    /// state that a report can show is harder to find than any.
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
        // Where an execution takes a million steps no other search has got far.
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
        // The reason has its own little time, if only what stands for time is spent.
        session.extend(self.options.deadline.or_earlier(Instant::now() + reasoning_time(self.options)));
        Outcome::Unknown(explain::unknown(&self.program, encoding, statuses, &attempt, session, self.options.language))
    }

    /// Notes which candidates may be assumed, now that inference has ended.
    fn settle(&mut self, proving: &mut Proving) {
        let live = if proving.kept.finished { &proving.kept.live } else { &proving.first.settled };
        proving.live = Some(self.keep(&proving.candidates, live.clone()));
    }

    /// Tries to prove the assertions that are not; where one fails, whether that is so in an execution.
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

    /// Whether a state of the encoding is an execution: a defect must satisfy what is exact of the inputs, of which an
    /// encoding with cut loops says nothing.
    fn is_exact(&self, encoding: &Encoding) -> bool {
        let is_searched = !self.has_digits() && self.searched.is_none();
        encoding.complete && self.program.exact.is_empty() && is_searched
    }

    /// Executes the loops, unless that has been done already because there are none.
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

    /// What has run out.
    fn spent_limit(&self, session: &Session) -> Option<Spent> {
        let timeout = self.options.timeout;
        if session.clock_ran_out() {
            return Some(Spent::Time(timeout));
        }
        session.out_of_time().then_some(Spent::Budget(timeout))
    }

    fn share(&self, share: f64) -> Effort {
        let share = if self.has_digits() { share * DIGITS_SHARE } else { share };
        effort_of(self.options.timeout.mul_f64(share))
    }

    /// The defects among the executions of the inputs in which an induction fails.
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

    /// Which candidates no execution on concrete inputs falsifies.
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

    /// Which of the candidates that are live hold by induction, given those that are settled.
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

    /// Notes the invariants: the candidates that are live when inference has finished, or those that were settled before.
    fn keep(&mut self, candidates: &[Candidate], live: Vec<bool>) -> Vec<bool> {
        for (candidate, _) in candidates.iter().zip(&live).filter(|(_, live)| **live) {
            let invariant = Invariant { condition: candidate.condition, family: candidate.family.to_owned() };
            self.invariants.push((candidate.loop_, invariant));
        }
        self.statistics.candidates_kept = self.invariants.len();
        live
    }

    /// A proof, unless it is one about nothing: no execution, or none that gets to the end.
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
