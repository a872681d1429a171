//! Infers invariants: answers Houdini's checks with Z3.
//!
//! The goals of a check (a loop and a phase) are refuted together: "one of them fails"; a model says which. Each question
//! has a solver of its own. One that is kept between questions, with the candidates behind literals, was measured to be
//! ten to thirty times slower: Z3 simplifies a question as a whole only where it is the solver's first.

use cranelift_entity::EntityRef;
use lockstep_invariants::{Answer, CandidateId, Check, Prover};
use lockstep_ir::sequential::Expression;

use crate::prove::cases::holds_by_cases;
use crate::prove::decide::{Claims, Decider, Thoroughness};
use crate::prove::discharge::usable_facts;
use crate::prove::encode::Encoding;
use crate::solver::{Effort, Session};

/// Houdini's prover over a cut encoding.
pub struct Inference<'a> {
    encoding: &'a mut Encoding,
    session: &'a mut Session,
    limit: Effort,
    decider: Decider,
    /// The candidates that have been dropped, in order.
    pub lost: Vec<Lost>,
}

/// A candidate that was dropped.
#[derive(Clone, Copy, Debug)]
pub struct Lost {
    /// Which.
    pub candidate: CandidateId,
    /// By which check.
    pub check: Check,
    /// Whether it was refuted; otherwise it could not be decided.
    pub refuted: bool,
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
        Self { encoding, session, limit, decider: Decider::default(), lost: Vec::new() }
    }

    /// Sorts the goals that do not hold into refuted and open ones. Ends at the first refutation: Houdini asks again.
    ///
    /// Mostly all hold, and that they do is one short question. Where it is not, a few hard goals among many easy ones make
    /// it so: shorter and shorter lists are asked about briefly, and each goal that is hard by itself thoroughly.
    fn sort(&mut self, facts: &[Expression], every: &[(CandidateId, Expression)], sorted: &mut Sorted) {
        let mut hard = Vec::new();
        let mut waiting = vec![every];
        while let Some(goals) = waiting.pop() {
            let all = goals.len() == every.len();
            let (limit, how) = if all { (WHOLE, Thoroughness::Thorough) } else { (BRIEF, Thoroughness::Brief) };
            match self.ask(facts, goals, limit, how) {
                Claims::Hold => {}
                Claims::Fail(failing) => {
                    if sorted.refute(goals, &failing) {
                        return;
                    }
                }
                Claims::Unknown if self.session.out_of_time() => return,
                Claims::Unknown if goals.len() == 1 => hard.push(goals[0]),
                Claims::Unknown => {
                    let (first, second) = goals.split_at(goals.len() / 2);
                    waiting.extend([second, first]);
                }
            }
        }
        for goal in hard {
            match self.ask(facts, &[goal], self.limit, Thoroughness::Thorough) {
                Claims::Hold => {}
                Claims::Fail(failing) => {
                    if sorted.refute(&[goal], &failing) {
                        return;
                    }
                }
                Claims::Unknown if self.session.out_of_time() => return,
                Claims::Unknown => sorted.open.push(goal.0),
            }
        }
    }

    /// Whether one of the goals can fail.
    fn ask(
        &mut self,
        facts: &[Expression],
        goals: &[(CandidateId, Expression)],
        limit: Effort,
        how: Thoroughness,
    ) -> Claims {
        let claims: Vec<Expression> = goals.iter().map(|&(_, goal)| goal).collect();
        let e = &mut self.encoding.expressions;
        self.decider.claims(e, self.session, [facts, &claims], limit.min(self.limit), how)
    }
}

impl Sorted {
    /// Notes the goals that fail, and whether there are any: an answer that refutes nothing is none.
    fn refute(&mut self, goals: &[(CandidateId, Expression)], failing: &[usize]) -> bool {
        self.refuted.extend(failing.iter().map(|&goal| goals[goal].0));
        if self.refuted.is_empty() {
            self.open.extend(goals.iter().map(|&(candidate, _)| candidate));
        }
        !self.refuted.is_empty()
    }
}

/// What a question about all goals may cost.
const WHOLE: Effort = 700_000;

/// What a brief question may cost.
const BRIEF: Effort = 150_000;

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
        let mut sorted = Sorted::default();
        self.sort(&facts, &goals, &mut sorted);
        let dropped = if sorted.refuted.is_empty() { &sorted.open } else { &sorted.refuted };
        let refuted = !sorted.refuted.is_empty();
        self.lost.extend(dropped.iter().map(|&candidate| Lost { candidate, check, refuted }));
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
