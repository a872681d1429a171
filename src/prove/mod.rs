//! Decides a sequential program: infer invariants, discharge obligations, search defects by unrolling.

mod cases;
mod concrete;
mod counterexample;
mod decide;
mod discharge;
mod encode;
mod explain;
mod implied;
mod infer;
mod lighten;
mod lost;
mod propagate;
mod questions;
mod remember;
mod sites;
mod straight;
mod unroll;

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use lockstep_invariants::{Candidate, Check, Kept, ProposeOptions, Sum, add_sums, houdini, propose};
use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{Invariant, Loop, Obligation, Program, Unknown, VerifiedProgram};
use lockstep_ir::source::Location;

use rayon::prelude::*;

use crate::solver::{Checked, Effort, Model, Session, effort_of, in_fresh_context};
use crate::techniques::{Technique, Techniques};
use concrete::{Explored, Inputs};
use discharge::{Discharged, Status, discharge, undecided, usable_facts};
use encode::{Bounds, Encoding, Mode, Source, encode};
pub use explain::unknown_in_words;
use explain::{Attempt, Spent};
pub use implied::leave_out_implied;
use infer::{Inference, Lost, Shown};
pub use questions::{Question, Questions, questions};
pub use remember::{Conclusion, conclude_all};
pub use straight::unrolled;
use unroll::{Found, MOST_DEFECTS};

/// How hard to try. All of it is part of what a remembered proof is found by, so all of it can be hashed.
#[derive(Clone, Debug, Hash)]
pub struct ProveOptions {
    /// The time one kernel may take.
    pub timeout: Duration,
    /// Candidate families that are switched off, by name.
    pub omitted_families: Vec<String>,
    /// No candidates at all (`--no-infer`).
    pub no_infer: bool,
    /// The techniques in use (`--without`).
    pub techniques: Techniques,
}

impl Default for ProveOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_mins(1),
            omitted_families: Vec::new(),
            no_infer: false,
            techniques: Techniques::default(),
        }
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
    /// Whether it rests on executing the loops to their ends; a proof that does not is one by induction.
    pub executed: bool,
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
    /// No launch satisfies the preconditions, and which these are.
    Impossible(String),
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
    /// The scalar parameters on whose values it depends, where that was tried: by name.
    pub hinges: Vec<String>,
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
/// Defects are looked for by executing it, and it is proved with its loops cut at their invariants. Only the first can
/// refute; only the second can prove, or the first where it covers everything.
pub fn prove(program: &VerifiedProgram, options: &ProveOptions) -> Proof {
    prove_all(&[Some(program)], options).pop().flatten().expect("a proof of the program that there is")
}

/// Decides the programs of the kinds of pairs of a kernel's threads, side by side, in stages: proofs and searches take turns,
/// each with more effort than before. No stage of one program begins before all programs have ended the last: if a
/// defect of one is found the others are not decided, and which stage that is does not depend on the clock.
pub fn prove_all(programs: &[Option<&VerifiedProgram>], options: &ProveOptions) -> Vec<Option<Proof>> {
    let start = Instant::now();
    let programs: Vec<Option<Prepared>> =
        programs.iter().map(|program| program.map(|program| Prepared::new(program, options))).collect();
    let glance_at = |prepared: &Prepared| in_fresh_context(|| glance(&prepared.program, options, start));
    let glances: Vec<Option<Glance>> = programs.par_iter().map(|prepared| prepared.as_ref().map(glance_at)).collect();
    let begin = |(prepared, glance): (Prepared, Glance)| Decision::new(prepared, options, start, glance);
    let mut decisions: Vec<Option<Decision>> =
        programs.into_iter().zip(glances).map(|(prepared, glance)| prepared.zip(glance).map(begin)).collect();
    for stage in [Stage::Short, Stage::Look, Stage::Long, Stage::Last] {
        if decisions.iter().flatten().any(|decision| matches!(decision.outcome, Some(Outcome::Refuted(_)))) {
            break;
        }
        decisions.par_iter_mut().flatten().for_each(|decision| in_fresh_context(|| decision.advance(stage)));
    }
    decisions.into_iter().map(|decision| decision.map(Decision::end)).collect()
}

/// A program with the ghosts that inference wants.
struct Prepared {
    program: Program,
    sums: Vec<Sum>,
}

impl Prepared {
    fn new(program: &VerifiedProgram, options: &ProveOptions) -> Self {
        let mut program = (**program).clone();
        let wanted = !options.no_infer && options.techniques.has(Technique::RunningSums);
        let sums = if wanted { add_sums(&mut program) } else { Vec::new() };
        debug_assert!(lockstep_ir::sequential::verify(program.clone()).is_ok(), "ghosts keep the rules");
        Self { program, sums }
    }
}

/// What the first look at a program says.
struct Glance {
    outcome: Option<Outcome>,
    /// Inputs that satisfy the preconditions.
    base: Option<Inputs>,
    /// Whether some execution reaches the end.
    end_reached: bool,
    queries: usize,
    seconds: f64,
}

/// Looks whether the preconditions can be satisfied, and executes the program a few times.
fn glance(program: &Program, options: &ProveOptions, start: Instant) -> Glance {
    let begun = Instant::now();
    let limit = effort_of(options.timeout / 10);
    let mut session = Session::new(limit, start + options.timeout).with(options.techniques);
    let mut expressions = program.expressions.clone();
    let solver = session.solver();
    for precondition in program.preconditions.iter().chain(&program.exact) {
        session.assert(&solver, &expressions, precondition.condition);
    }
    let mut glance = Glance { outcome: None, base: None, end_reached: false, queries: 0, seconds: 0.0 };
    match counterexample::readable(program, &mut expressions, &mut session, &solver, limit) {
        Checked::Unsatisfiable => glance.outcome = Some(contradictory_preconditions(program)),
        Checked::Satisfiable(model) => {
            let base = concrete::of_model(program, &mut expressions, &model, &mut session);
            let searched = options.techniques.has(Technique::ConcreteSearch);
            let search = || concrete::search(program, &base, concrete::GLANCE, start + options.timeout);
            let mut explored = if searched { search() } else { Explored::default() };
            explored.defects.truncate(MOST_DEFECTS);
            glance.outcome = (!explored.defects.is_empty()).then_some(Outcome::Refuted(explored.defects));
            glance.end_reached = explored.end_reached;
            glance.base = Some(base);
        }
        Checked::Unknown => {}
    }
    glance.queries = session.queries();
    glance.seconds = begun.elapsed().as_secs_f64();
    glance
}

fn contradictory_preconditions(program: &Program) -> Outcome {
    let mut reasons: Vec<&str> = Vec::new();
    for precondition in program.preconditions.iter().chain(&program.exact) {
        if !reasons.contains(&precondition.reason.as_str()) {
            reasons.push(&precondition.reason);
        }
    }
    Outcome::Impossible(format!("the preconditions contradict each other: {}", reasons.join("; ")))
}

/// A turn of the proof or of the search for defects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// A proof with little effort: most succeed.
    Short,
    /// A search with little effort: most defects are found.
    Look,
    /// The proof, with all the effort that it may take.
    Long,
    /// The search, with all that is left.
    Last,
}

struct Decision<'a> {
    options: &'a ProveOptions,
    deadline: Instant,
    /// The program, with the candidates' expressions.
    program: Program,
    sums: Vec<Sum>,
    glance: Glance,
    outcome: Option<Outcome>,
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
    first: FirstStage,
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

/// What proving without dear candidates may use, for inference and for the assertions.
const FIRST_INFERENCE: Effort = 8_000_000;
const FIRST_PROOF: Effort = 2_000_000;

/// What came of proving without dear candidates.
struct FirstStage {
    /// The candidates that were proved.
    settled: Vec<bool>,
    /// What came of the assertions.
    statuses: Vec<Status>,
}

impl FirstStage {
    fn new(encoding: &Encoding, candidates: &[Candidate]) -> Self {
        Self { settled: vec![false; candidates.len()], statuses: undecided(encoding) }
    }
}

/// What inference may use before it is tried whether executing all loops is a proof at less cost.
const SHORT_INFERENCE: Effort = 4_000_000;

/// What the assertions may use before a look for defects.
const SHORT_PROOF: Effort = 6_000_000;

/// The time in which to look for a reason, and the part of the time for the kernel that it is at most.
const REASONING: Duration = Duration::from_secs(2);
const REASONING_PART: u32 = 4;

/// What the first look for defects may use.
const LOOK: Effort = 4_000_000;

impl<'a> Decision<'a> {
    fn new(prepared: Prepared, options: &'a ProveOptions, start: Instant, mut glance: Glance) -> Self {
        Decision {
            options,
            deadline: start + options.timeout,
            program: prepared.program,
            sums: prepared.sums,
            outcome: glance.outcome.take(),
            glance,
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

    /// Takes a turn, unless all is decided.
    fn advance(&mut self, stage: Stage) {
        if self.outcome.is_some() {
            return;
        }
        let begun = Instant::now();
        let mut session = Session::new(effort_of(self.options.timeout), self.deadline)
            .with(self.options.techniques)
            .resumed(self.spent);
        let mut proving = self.attempt.take();
        self.outcome = match (stage, &mut proving) {
            (Stage::Short, proving) => self.short(&mut session, proving),
            (Stage::Look, Some(proving)) => self.look(&mut session, proving),
            (Stage::Long, Some(proving)) => self.long(&mut session, proving),
            (Stage::Last, Some(proving)) => Some(self.last(&mut session, proving)),
            (_, None) => None,
        };
        self.attempt = proving;
        self.spent = (session.spent(), session.queries());
        self.seconds += begun.elapsed().as_secs_f64();
    }

    /// What came of it. A decision that has none was broken off.
    fn end(self) -> Proof {
        let mut statistics = self.statistics;
        statistics.queries = self.glance.queries + self.spent.1;
        statistics.prove_seconds = self.glance.seconds + self.seconds - statistics.infer_seconds;
        let mut annotated = self.program;
        for (loop_, invariant) in &self.invariants {
            annotated.loops[*loop_].invariants.push(invariant.clone());
        }
        let broken_off = || Outcome::Unknown("other threads of this kernel have a defect".to_owned());
        let outcome = self.outcome.unwrap_or_else(broken_off);
        Proof { outcome, invariants: self.invariants, annotated, executed: self.executed, statistics }
    }

    fn short(&mut self, session: &mut Session, attempt: &mut Option<Proving>) -> Option<Outcome> {
        let candidates = self.candidates();
        let mut encoding = encode(&self.program, &candidates, Mode::Cut);
        let admitted = self.not_refuted(&candidates);
        let mut first = FirstStage::new(&encoding, &candidates);
        // Inference with dear candidates takes seconds.
        if self.are_dear(&candidates, &admitted)
            && let Some(outcome) = self.execute(session, concrete::LOOK)
        {
            return Some(outcome);
        }
        if self.first_stage(session, &mut encoding, &candidates, &admitted, &mut first) {
            let live = self.keep(&candidates, first.settled);
            self.statistics.obligations = encoding.trivial_goals + encoding.goals.len();
            return Some(self.proved(session, &encoding, &live));
        }
        let falsified = admitted.iter().map(|admitted| !admitted).collect();
        let kept = self.infer(session, &mut encoding, &candidates, admitted, &first.settled, SHORT_INFERENCE);
        let statuses = std::mem::take(&mut first.statuses);
        let proving = attempt.insert(Proving { candidates, falsified, encoding, first, kept, live: None, statuses });
        if proving.kept.finished {
            self.settle(proving);
            let end = session.spent() + SHORT_PROOF;
            return self.discharge(session, proving, end.min(self.share(PROOF_SHARE)), SHORT_PROOF / 3);
        }
        let all = self.share(INFERENCE_SHARE);
        match unroll::glance(&self.program, session, all) {
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
        if let Some(outcome) = self.execute(session, concrete::SYSTEMATIC) {
            return Some(outcome);
        }
        let end = (session.spent() + LOOK).min(self.share(1.0));
        self.search(session, proving, &unroll::ROUNDS[..unroll::FIRST_ROUNDS], end)
    }

    /// Searches defects by executing the program on concrete inputs.
    fn execute(&mut self, session: &Session, effort: concrete::Effort) -> Option<Outcome> {
        let searched = self.options.techniques.has(Technique::ConcreteSearch) && !session.clock_ran_out();
        let base = self.glance.base.as_ref().filter(|_| searched)?;
        let mut explored = concrete::search(&self.program, base, effort.within(self.options.timeout), self.deadline);
        explored.defects.truncate(MOST_DEFECTS);
        self.glance.end_reached |= explored.end_reached;
        (!explored.defects.is_empty()).then_some(Outcome::Refuted(explored.defects))
    }

    fn long(&mut self, session: &mut Session, proving: &mut Proving) -> Option<Outcome> {
        let open = proving.statuses.contains(&Status::Open);
        let failures = proving.statuses.iter().filter(|&&status| status == Status::Failed).count();
        if proving.live.is_none() {
            let live = std::mem::take(&mut proving.kept.live);
            let (effort, settled) = (self.share(INFERENCE_SHARE), &proving.first.settled);
            proving.kept = self.infer(session, &mut proving.encoding, &proving.candidates, live, settled, effort);
            self.settle(proving);
        } else if !open || failures >= MOST_DEFECTS {
            return None;
        }
        let loop_free = proving.encoding.complete;
        let end = self.share(if loop_free { 1.0 } else { PROOF_SHARE });
        let limit = effort_of(if loop_free { self.options.timeout / 2 } else { self.options.timeout / 8 });
        self.discharge(session, proving, end, limit)
    }

    fn last(&mut self, session: &mut Session, proving: &mut Proving) -> Outcome {
        let all = self.share(1.0);
        if let Some(outcome) = self.search(session, proving, &unroll::ROUNDS, all) {
            return outcome;
        }
        let Proving { candidates, falsified, encoding, kept, statuses, .. } = proving;
        let live = proving.live.clone().unwrap_or_else(|| vec![false; candidates.len()]);
        let undecided = (!kept.finished).then_some((&kept.live[..], self.asked));
        let spent = self.what_is_spent(session);
        let attempt = Attempt { candidates, live: &live, lost: &self.lost, falsified, undecided, spent };
        // The reason has its own little time, if only what stands for time is spent.
        session.extend(Instant::now() + REASONING.min(self.options.timeout / REASONING_PART));
        Outcome::Unknown(explain::unknown(&self.program, encoding, statuses, &attempt, session))
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
        encoding.complete && self.program.exact.is_empty()
    }

    /// Executes the loops, unless that has been done already because there are none.
    fn search(&mut self, session: &mut Session, proving: &Proving, rounds: &[Bounds], end: Effort) -> Option<Outcome> {
        if self.is_exact(&proving.encoding) {
            return None;
        }
        match unroll::search(&self.program, session, rounds, end) {
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
    fn what_is_spent(&self, session: &Session) -> Option<Spent> {
        let timeout = self.options.timeout;
        if session.clock_ran_out() {
            return Some(Spent::Time(timeout));
        }
        session.out_of_time().then_some(Spent::Effort(timeout))
    }

    fn share(&self, share: f64) -> Effort {
        effort_of(self.options.timeout.mul_f64(share))
    }

    /// The defects among the executions of the inputs in which an induction fails.
    fn executions_of(&self, session: &mut Session, encoding: &mut Encoding, models: &[Model]) -> Vec<Counterexample> {
        let mut defects: Vec<Counterexample> = Vec::new();
        let searched = self.options.techniques.has(Technique::ConcreteSearch);
        for model in models.iter().filter(|_| searched) {
            let inputs = concrete::of_model(&self.program, &mut encoding.expressions, model, session);
            for defect in concrete::search(&self.program, &inputs, concrete::CLOSE_LOOK, self.deadline).defects {
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
            let refuted = concrete::refuted(&self.program, candidates, base, concrete::REFUTATION);
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

    /// Whether some of the candidates that may hold are dear.
    fn are_dear(&self, candidates: &[Candidate], admitted: &[bool]) -> bool {
        let mut all = candidates.iter().zip(admitted);
        all.any(|(candidate, &admitted)| admitted && candidate.is_dear(&self.program.expressions))
    }

    /// Tries to do without the candidates that are dear. Whether that is a proof.
    fn first_stage(
        &mut self,
        session: &mut Session,
        encoding: &mut Encoding,
        candidates: &[Candidate],
        admitted: &[bool],
        stage: &mut FirstStage,
    ) -> bool {
        let e = &self.program.expressions;
        let cheap: Vec<bool> =
            admitted.iter().zip(candidates).map(|(&live, candidate)| live && !candidate.is_dear(e)).collect();
        if cheap == admitted || !self.options.techniques.has(Technique::StagedInference) {
            return false;
        }
        let lost = self.lost.len();
        let kept = self.infer(session, encoding, candidates, cheap, &stage.settled, FIRST_INFERENCE);
        // What is lost here is tried again.
        self.lost.truncate(lost);
        if !kept.finished {
            return false;
        }
        stage.settled = kept.live;
        let end = session.spent() + FIRST_PROOF;
        session.set_allowance(end.min(self.share(PROOF_SHARE)));
        let open = std::mem::take(&mut stage.statuses);
        stage.statuses = discharge(encoding, &stage.settled, open, session, FIRST_PROOF / 4, 1).statuses;
        session.set_allowance(self.share(1.0));
        stage.statuses.iter().all(|&status| status == Status::Proved)
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
            return Outcome::Unknown("the preconditions could not be shown to be satisfiable".to_owned());
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
            Checked::Unsatisfiable => Outcome::Vacuous(
                "the end of the kernel cannot be reached: what is assumed on the way contradicts itself, or a loop \
                 never ends"
                    .to_owned(),
            ),
            Checked::Unknown => Outcome::Unknown("the end of the kernel could not be shown to be reachable".to_owned()),
        }
    }
}
