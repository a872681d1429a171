//! Infers invariants: answers Houdini's checks with Z3.
//!
//! The goals of a check (a loop and a phase) that mention the hits of the same sites are refuted
//! together: "one of them fails". A model shows which one. Facts about other sites are left out at
//! first, which is sound for a proof: a question about one site's hit is many times easier than one
//! about all. A model counts only if the other facts hold in it, too, or have been included in the
//! question. Each question has its own solver. A persistent solver, with the candidates as
//! assumption literals, was measured to be ten to thirty times slower: Z3 simplifies a question as
//! a whole only if it is the solver's first.

mod cases;
pub mod implied;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use cranelift_entity::EntityRef;
use lockstep_invariants::{Answer, CandidateId, Check, Prover};
use lockstep_ir::sequential::{Expression, Site};
use lockstep_options::techniques::Technique;
use lockstep_solver::{Effort, Session};
use rustc_hash::{FxHashMap, FxHashSet};

use self::cases::Cases;
use crate::discharge::decide::{Claims, Decider, Thoroughness};
use crate::discharge::{asserted_facts, usable_facts};
use crate::encode::sites::Sites;
use crate::encode::{Encoding, Position};

/// A prover for Houdini over an encoding with cut loops.
pub struct Inference<'a> {
    encoding: &'a mut Encoding,
    session: &'a mut Session,
    limit: Effort,
    /// The candidates that are already proved: they may be assumed and need not be checked.
    settled: &'a [bool],
    decider: Decider,
    shown: &'a mut Shown,
    sites: Sites,
    /// The candidates that have been dropped, in order.
    pub lost: Vec<Lost>,
    /// The most recent check.
    pub asked: Option<Check>,
}

/// The goals shown so far, with the facts that imply them.
///
/// While these facts remain, nothing is asked again.
///
/// Houdini repeats a check when a candidate falls that it may have used, and an attempt with more
/// effort repeats all checks. Most of the repeated goals were shown from facts that remain: those
/// about the same sites.
#[derive(Debug, Default)]
pub struct Shown {
    from: FxHashMap<Expression, Arc<[Expression]>>,
}

impl Shown {
    fn note(&mut self, facts: &[Expression], goals: &[(CandidateId, Expression)]) {
        let facts: Arc<[Expression]> = facts.into();
        self.from.extend(goals.iter().map(|&(_, goal)| (goal, Arc::clone(&facts))));
    }

    /// The goals that have not been shown from a subset of these facts.
    fn others(&self, facts: &[Expression], goals: Vec<(CandidateId, Expression)>) -> Vec<(CandidateId, Expression)> {
        let there: FxHashSet<Expression> = facts.iter().copied().collect();
        // Many goals are shown from the same facts.
        let mut known: Vec<(&Arc<[Expression]>, bool)> = Vec::new();
        let mut still_there = |used| {
            if let Some(&(_, answer)) = known.iter().find(|(same, _)| Arc::ptr_eq(same, used)) {
                return answer;
            }
            let answer = used.iter().all(|fact| there.contains(fact));
            known.push((used, answer));
            answer
        };
        goals.into_iter().filter(|(_, goal)| !self.from.get(goal).is_some_and(&mut still_there)).collect()
    }
}

/// A candidate that was dropped.
#[derive(Clone, Copy, Debug)]
pub struct Lost {
    /// The candidate.
    pub candidate: CandidateId,
    /// The check that dropped it.
    pub check: Check,
    /// Whether it was refuted; otherwise it could not be decided.
    pub refuted: bool,
}

/// The results for some goals.
#[derive(Default)]
struct Sorted {
    refuted: Vec<CandidateId>,
    open: Vec<CandidateId>,
}

impl<'a> Inference<'a> {
    /// A prover for the candidates of an encoding, some of which are settled.
    ///
    /// No single question may use more than `limit`.
    pub fn new(
        encoding: &'a mut Encoding,
        session: &'a mut Session,
        limit: Effort,
        settled: &'a [bool],
        shown: &'a mut Shown,
    ) -> Self {
        let (decider, sites) = (Decider::default(), Sites::default());
        Self { encoding, session, limit, settled, decider, shown, sites, lost: Vec::new(), asked: None }
    }

    /// Sorts the goals that do not hold into refuted and open ones.
    ///
    /// The first list of facts is always used, the second only for goals that are hard without it.
    /// Sorting ends at the first refutation, since Houdini asks again.
    ///
    /// Usually all goals hold, and one short question shows it. If that question is hard, the cause
    /// is a few hard goals among many easy ones. So brief questions are asked about shorter and
    /// shorter lists, and a thorough one about each goal that is hard by itself.
    fn sort(&mut self, facts: [&[Expression]; 2], every: &[(CandidateId, Expression)], sorted: &mut Sorted) {
        let mut hard = Vec::new();
        let mut waiting = vec![every];
        while let Some(goals) = waiting.pop() {
            let all = goals.len() == every.len();
            let (limit, how) = if all { (WHOLE, Thoroughness::Thorough) } else { (BRIEF, Thoroughness::Brief) };
            match self.ask(facts, goals, limit, how) {
                Claims::Hold => {}
                Claims::Fail(failing) if !failing.is_empty() || facts[1].is_empty() => {
                    if sorted.refute(goals, &failing) {
                        return;
                    }
                }
                Claims::Fail(_) | Claims::Unknown if self.session.out_of_time() => return,
                Claims::Fail(_) | Claims::Unknown if goals.len() == 1 => hard.push(goals[0]),
                Claims::Fail(_) | Claims::Unknown => {
                    let (first, second) = goals.split_at(goals.len() / 2);
                    waiting.extend([second, first]);
                }
            }
        }
        let all_facts = facts.concat();
        for goal in hard {
            match self.ask([&all_facts, &[]], &[goal], self.limit, Thoroughness::Thorough) {
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

    /// Whether one of the goals can fail, given facts.
    ///
    /// Other facts are not used, but must hold where a goal fails.
    fn ask(
        &mut self,
        [facts, others]: [&[Expression]; 2],
        goals: &[(CandidateId, Expression)],
        limit: Effort,
        how: Thoroughness,
    ) -> Claims {
        let claims: Vec<Expression> = goals.iter().map(|&(_, goal)| goal).collect();
        let e = &mut self.encoding.expressions;
        let answer = self.decider.claims(e, self.session, [facts, others, &claims], limit.min(self.limit), how);
        if matches!(answer, Claims::Hold) && self.session.techniques().has(Technique::ShownBefore) {
            self.shown.note(facts, goals);
        }
        answer
    }
}

impl Sorted {
    /// Records the goals that fail, and returns whether there are any.
    ///
    /// An answer that refutes nothing is useless.
    fn refute(&mut self, goals: &[(CandidateId, Expression)], failing: &[usize]) -> bool {
        self.refuted.extend(failing.iter().map(|&goal| goals[goal].0));
        if self.refuted.is_empty() {
            self.open.extend(goals.iter().map(|&(candidate, _)| candidate));
        }
        !self.refuted.is_empty()
    }
}

/// The budget of a question about all goals.
const WHOLE: Effort = 700_000;

/// The budget of a question about the goals of one group.
const GROUP: Effort = 2_000_000;

/// The budget of a brief question.
const BRIEF: Effort = 150_000;

impl Inference<'_> {
    /// The sites whose hits an expression mentions.
    fn sites_of(&mut self, expression: Expression) -> Rc<BTreeSet<Site>> {
        self.sites.of(&self.encoding.expressions, expression)
    }

    /// The goals, grouped by the sites that they mention.
    fn groups(
        &mut self,
        goals: Vec<(CandidateId, Expression)>,
    ) -> BTreeMap<Rc<BTreeSet<Site>>, Vec<(CandidateId, Expression)>> {
        let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for goal in goals {
            groups.entry(self.sites_of(goal.1)).or_default().push(goal);
        }
        groups
    }

    /// Sorts the goals of one group.
    ///
    /// The first questions leave out the facts about other sites, the facts that matter only to
    /// other sites, and the assertions about hits.
    fn sort_group(
        &mut self,
        facts: &[Expression],
        position: Position,
        sites: &BTreeSet<Site>,
        goals: &[(CandidateId, Expression)],
        sorted: &mut Sorted,
    ) {
        // An assertion on the way that accesses do not race says nothing about their places.
        let asserted: FxHashSet<Expression> = asserted_facts(self.encoding, position).collect();
        let (own, other): (Vec<Expression>, Vec<Expression>) = facts.iter().partition(|&&fact| {
            let of_fact = self.sites_of(fact);
            of_fact.is_subset(sites)
                && (of_fact.is_empty() || !asserted.contains(&fact))
                && self.encoding.matters(fact, sites)
        });
        if other.is_empty() || !self.session.techniques().has(Technique::SiteGroups) {
            return self.sort([facts, &[]], goals, sorted);
        }
        match self.ask([&own, &other], goals, GROUP, Thoroughness::Thorough) {
            Claims::Hold => {}
            Claims::Fail(failing) if !failing.is_empty() => {
                sorted.refute(goals, &failing);
            }
            // A fact that was left out is needed.
            Claims::Fail(_) => self.sort([facts, &[]], goals, sorted),
            Claims::Unknown if goals.len() == 1 => self.sort([facts, &[]], goals, sorted),
            // The question is too hard for all goals together.
            Claims::Unknown => {
                let (first, second) = goals.split_at(goals.len() / 2);
                self.sort([&own, &other], first, sorted);
                if sorted.refuted.is_empty() {
                    self.sort([&own, &other], second, sorted);
                }
            }
        }
    }
}

impl Prover for Inference<'_> {
    fn check(&mut self, check: Check, live: &[bool]) -> Answer {
        self.asked = Some(check);
        let Some(batch) = self.encoding.batches.get(&check) else {
            return Answer::Holds;
        };
        let (position, every) = (batch.position, batch.goals.clone());
        let mut live = live.to_vec();
        let facts = usable_facts(self.encoding, position, &live);
        // A goal that is literally assumed needs no solver.
        let mut cases = Cases::new(&facts);
        let is_open = |candidate: CandidateId| live[candidate.index()] && !self.settled[candidate.index()];
        let mut goals: Vec<_> =
            every.into_iter().filter(|(candidate, goal)| is_open(*candidate) && !cases.is_fact(*goal)).collect();
        if self.session.techniques().has(Technique::Cases) {
            goals.retain(|&(_, goal)| !cases.hold(&mut self.encoding.expressions, goal));
        }
        goals = self.shown.others(&facts, goals);
        if goals.is_empty() {
            return Answer::Holds;
        }
        let mut sorted = Sorted::default();
        for (sites, mut goals) in self.groups(goals) {
            // A refuted candidate is no longer a fact, so the rest is asked about again.
            while !self.session.out_of_time() {
                let mut now = Sorted::default();
                let facts = usable_facts(self.encoding, position, &live);
                self.sort_group(&facts, position, &sites, &goals, &mut now);
                for candidate in &now.refuted {
                    live[candidate.index()] = false;
                }
                goals.retain(|(candidate, _)| live[candidate.index()]);
                goals = self.shown.others(&usable_facts(self.encoding, position, &live), goals);
                let again = !now.refuted.is_empty() && !goals.is_empty() && !self.session.out_of_time();
                sorted.refuted.extend(now.refuted);
                sorted.open.extend(now.open);
                if !again {
                    break;
                }
            }
        }
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
