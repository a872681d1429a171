//! Houdini: the largest set of candidates that holds by induction.

use std::collections::BTreeSet;

use cranelift_entity::{EntityRef, entity_impl};
use lockstep_ir::sequential::{Loop, Program, Statement};
use rustc_hash::FxHashMap;

use crate::Candidate;

/// A candidate, by its index in the list given to [`houdini`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CandidateId(u32);
entity_impl!(CandidateId, "candidate");

/// Half of an induction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// The candidates hold when the loop is reached.
    Entry,
    /// The candidates are kept by an iteration.
    Step,
}

/// A question to a prover: do all live candidates of this loop hold in this phase, given all live
/// candidates of all loops?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Check {
    /// The loop.
    pub loop_: Loop,
    /// The phase.
    pub phase: Phase,
}

/// A prover's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All of them hold.
    Holds,
    /// These do not hold, in one execution or several. There is at least one, and all are live
    /// candidates of the loop.
    Refuted(Vec<CandidateId>),
    /// The prover cannot decide these, which are dropped. There is at least one, and all are live
    /// candidates of the loop.
    CannotTell(Vec<CandidateId>),
    /// The time limit for the whole inference passed.
    OutOfTime,
}

/// An engine that can check candidates.
pub trait Prover {
    /// Decides a check. `live` states for each candidate whether it may be assumed.
    fn check(&mut self, check: Check, live: &[bool]) -> Answer;
}

/// The result of Houdini.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The candidates that were not dropped. They are proved if the fixed point was reached.
    pub live: Vec<bool>,
    /// Whether the fixed point was reached. If not, nothing is proved, but a longer attempt may
    /// start with the live candidates.
    pub finished: bool,
}

/// The largest inductive set among the candidates that `live` admits. Candidates that some
/// execution falsifies need not be admitted: no inductive set contains them.
///
/// The answer is unique: a check that holds under some assumptions holds under more. So dropping a
/// refuted candidate never loses a candidate of the largest inductive set (Flanagan and Leino's
/// Houdini). Checks run in program order, outer loops before those inside them, entry before step.
/// So the invariants of a loop are mostly settled before later loops rely on them. A check runs
/// again only when a candidate that it may have assumed is dropped ([`Order::requeue`]).
///
/// Terminates: each answer other than [`Answer::Holds`] drops a candidate, or ends the run.
pub fn houdini(program: &Program, candidates: &[Candidate], mut live: Vec<bool>, prover: &mut dyn Prover) -> Kept {
    let order = Order::new(program);
    let mut waiting: BTreeSet<(usize, Phase)> = BTreeSet::new();
    for &loop_ in &order.sequence {
        waiting.extend([(order.position(loop_), Phase::Entry), (order.position(loop_), Phase::Step)]);
    }
    // A candidate of a loop that the body does not mention would never be checked.
    for (candidate, live) in candidates.iter().zip(&mut live) {
        *live &= order.spans.contains_key(&candidate.loop_);
    }
    while let Some((position, phase)) = waiting.pop_first() {
        let loop_ = order.sequence[position];
        if !(0..candidates.len()).any(|index| live[index] && candidates[index].loop_ == loop_) {
            continue;
        }
        let refuted = match prover.check(Check { loop_, phase }, &live) {
            Answer::Holds => continue,
            Answer::Refuted(which) | Answer::CannotTell(which) => which,
            Answer::OutOfTime => return Kept { live, finished: false },
        };
        drop_candidates(loop_, &refuted, candidates, &mut live);
        waiting.insert((position, phase));
        order.requeue(loop_, &mut waiting);
    }
    Kept { live, finished: true }
}

/// Drops the refuted candidates. If none of them is a live one of this loop, contrary to the
/// prover's contract, it drops all candidates of the loop. This ensures progress, and that no
/// unproved candidate stays.
fn drop_candidates(loop_: Loop, refuted: &[CandidateId], candidates: &[Candidate], live: &mut [bool]) {
    let mut progress = false;
    for id in refuted {
        let index = id.index();
        if index < live.len() && live[index] && candidates[index].loop_ == loop_ {
            live[index] = false;
            progress = true;
        }
    }
    if !progress {
        for (candidate, live) in candidates.iter().zip(live) {
            *live &= candidate.loop_ != loop_;
        }
    }
}

/// The loops in program order, an outer loop before those inside it.
struct Order {
    sequence: Vec<Loop>,
    /// Each loop's position in `sequence` and the position after the last loop inside it.
    spans: FxHashMap<Loop, (usize, usize)>,
}

impl Order {
    fn new(program: &Program) -> Self {
        let mut order = Self { sequence: Vec::new(), spans: FxHashMap::default() };
        order.visit(program, &program.body);
        order
    }

    fn visit(&mut self, program: &Program, statements: &[Statement]) {
        for statement in statements {
            if let &Statement::Loop(loop_) = statement {
                let start = self.sequence.len();
                self.sequence.push(loop_);
                self.visit(program, &program.loops[loop_].body);
                self.spans.insert(loop_, (start, self.sequence.len()));
            }
        }
    }

    fn position(&self, loop_: Loop) -> usize {
        self.spans[&loop_].0
    }

    /// Adds the checks that may have assumed a candidate of `dropped`. These are its own step, and
    /// both halves of the loops inside it and after it, which are reached through it. The step of
    /// each loop around it is also added, because an iteration runs through it. Loops before it,
    /// and its own entry, are reached without it.
    fn requeue(&self, dropped: Loop, waiting: &mut BTreeSet<(usize, Phase)>) {
        let position = self.position(dropped);
        waiting.insert((position, Phase::Step));
        for later in position + 1..self.sequence.len() {
            waiting.extend([(later, Phase::Entry), (later, Phase::Step)]);
        }
        for earlier in 0..position {
            if self.spans[&self.sequence[earlier]].1 > position {
                waiting.insert((earlier, Phase::Step));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use lockstep_ir::sequential::Expression;

    use super::*;
    use crate::testing::{Builder, empty_program};

    /// A prover of a random monotone system: candidate `c` passes a phase if one of its rules has
    /// all its premises live.
    struct Mock {
        owners: Vec<Loop>,
        rules: FxHashMap<(usize, Phase), Vec<Vec<usize>>>,
        /// Decides which of several refuted candidates are named.
        dice: u64,
        checks: usize,
        patience: usize,
    }

    impl Mock {
        fn failing(&self, check: Check, live: &[bool]) -> Vec<usize> {
            (0..self.owners.len())
                .filter(|&index| live[index] && self.owners[index] == check.loop_)
                .filter(|&index| {
                    !self.rules[&(index, check.phase)].iter().any(|rule| rule.iter().all(|&premise| live[premise]))
                })
                .collect()
        }
    }

    impl Prover for Mock {
        fn check(&mut self, check: Check, live: &[bool]) -> Answer {
            self.checks += 1;
            if self.checks > self.patience {
                return Answer::OutOfTime;
            }
            let failing = self.failing(check, live);
            if failing.is_empty() {
                return Answer::Holds;
            }
            self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let first = usize::try_from(self.dice >> 33).unwrap() % failing.len();
            let named: Vec<_> =
                failing[first..].iter().map(|&index| CandidateId::from_u32(u32::try_from(index).unwrap())).collect();
            if self.dice & (1 << 20) == 0 { Answer::Refuted(named) } else { Answer::CannotTell(named) }
        }
    }

    /// A program whose loops have the parents given (an index of an earlier loop, or none).
    fn forest(parents: &[Option<usize>]) -> Program {
        let mut program = empty_program();
        let mut builder = Builder::new(&mut program);
        let loops: Vec<Loop> = parents.iter().map(|_| builder.add_loop()).collect();
        for (index, parent) in parents.iter().enumerate() {
            builder.place(loops[index], parent.map(|parent| loops[parent]));
        }
        program
    }

    /// Whether a check of `user` may assume candidates of `used`, derived directly from the meaning
    /// of the program.
    fn may_use(program: &Program, asking: Loop, phase: Phase, used: Loop) -> bool {
        let inside = |inner: Loop, outer: Loop| {
            let mut at = Some(inner);
            while let Some(loop_) = at {
                if loop_ == outer {
                    return true;
                }
                at = program.loops[loop_].parent;
            }
            false
        };
        if inside(used, asking) {
            return phase == Phase::Step;
        }
        if inside(asking, used) {
            return true;
        }
        let order = Order::new(program);
        order.position(used) < order.position(asking)
    }

    fn naive(mock: &Mock, loops: &[Loop]) -> Vec<bool> {
        let mut live = vec![true; mock.owners.len()];
        loop {
            let mut changed = false;
            for &loop_ in loops {
                for phase in [Phase::Entry, Phase::Step] {
                    for index in mock.failing(Check { loop_, phase }, &live) {
                        live[index] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return live;
            }
        }
    }

    fn system(
        parents: &[Option<usize>],
        owners: &[usize],
        edges: &[(usize, bool, Vec<usize>)],
        dice: u64,
    ) -> (Program, Vec<Candidate>, Mock) {
        let program = forest(parents);
        let loops: Vec<Loop> = program.loops.keys().collect();
        let owners: Vec<Loop> = owners.iter().map(|&owner| loops[owner % loops.len()]).collect();
        let condition = Expression::from_u32(0);
        let candidates = owners.iter().map(|&loop_| Candidate { loop_, condition, family: "mock" }).collect();
        let mut rules: FxHashMap<(usize, Phase), Vec<Vec<usize>>> = FxHashMap::default();
        for index in 0..owners.len() {
            for phase in [Phase::Entry, Phase::Step] {
                rules.insert((index, phase), Vec::new());
            }
        }
        for (target, step, premises) in edges {
            let target = target % owners.len();
            let phase = if *step { Phase::Step } else { Phase::Entry };
            let premises = premises
                .iter()
                .map(|premise| premise % owners.len())
                .filter(|&premise| may_use(&program, owners[target], phase, owners[premise]))
                .collect();
            rules.get_mut(&(target, phase)).unwrap().push(premises);
        }
        (program, candidates, Mock { owners, rules, dice, checks: 0, patience: usize::MAX })
    }

    proptest! {
        #[test]
        fn agrees_with_the_naive_fixed_point(
            shape in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
            owners in prop::collection::vec(0usize..6, 1..12),
            edges in prop::collection::vec((0usize..12, any::<bool>(), prop::collection::vec(0usize..12, 0..3)), 0..50),
            dice in any::<u64>(),
        ) {
            // Each loop's parent is an earlier one or none.
            let parents: Vec<Option<usize>> =
                shape.iter().enumerate().map(|(index, pick)| pick.index(index + 1).checked_sub(1)).collect();
            let (program, candidates, mut mock) = system(&parents, &owners, &edges, dice);
            let loops: Vec<Loop> = program.loops.keys().collect();
            let expected = naive(&mock, &loops);
            let kept = houdini(&program, &candidates, vec![true; candidates.len()], &mut mock);
            prop_assert!(kept.finished);
            prop_assert_eq!(kept.live, expected);
        }
    }

    #[test]
    fn a_loop_drops_what_rested_on_an_inner_loop() {
        // Candidate 0 of the outer loop is kept by an iteration only thanks to candidate 1 of the
        // inner loop, which has no rule for its step.
        let edges = [(0, false, vec![]), (0, true, vec![1]), (1, false, vec![0])];
        let (program, candidates, mut mock) = system(&[None, Some(0)], &[0, 1], &edges, 7);
        let kept = houdini(&program, &candidates, vec![true; candidates.len()], &mut mock);
        assert_eq!(kept, Kept { live: vec![false, false], finished: true });
    }

    #[test]
    fn candidates_may_support_each_other() {
        let edges = [(0, false, vec![]), (0, true, vec![1]), (1, false, vec![]), (1, true, vec![0])];
        let (program, candidates, mut mock) = system(&[None], &[0, 0], &edges, 7);
        let kept = houdini(&program, &candidates, vec![true; candidates.len()], &mut mock);
        assert_eq!(kept, Kept { live: vec![true, true], finished: true });
        // One entry and one step: no question is asked twice.
        assert_eq!(mock.checks, 2);
    }

    #[test]
    fn nothing_is_kept_when_time_is_out() {
        let edges = [(0, false, vec![]), (0, true, vec![])];
        let (program, candidates, mut mock) = system(&[None], &[0], &edges, 7);
        mock.patience = 1;
        let kept = houdini(&program, &candidates, vec![true; candidates.len()], &mut mock);
        assert_eq!(kept, Kept { live: vec![true], finished: false });
    }

    #[test]
    fn an_attempt_goes_on_where_a_shorter_one_ended() {
        let edges = [(0, false, vec![]), (0, true, vec![1]), (1, false, vec![]), (2, false, vec![]), (2, true, vec![])];
        let (program, candidates, mut mock) = system(&[None], &[0, 0, 0], &edges, 7);
        let mut live = vec![true; 3];
        let mut attempts = 0;
        loop {
            // One entry and one step: a candidate that the step drops is dropped for good.
            (mock.checks, mock.patience) = (0, 2);
            let kept = houdini(&program, &candidates, live, &mut mock);
            (live, attempts) = (kept.live, attempts + 1);
            if kept.finished {
                break;
            }
        }
        assert_eq!(live, [false, false, true]);
        assert!(attempts > 1, "one attempt does not suffice");
    }

    #[test]
    fn a_prover_that_names_nothing_loses_the_loop() {
        struct Vague;
        impl Prover for Vague {
            fn check(&mut self, check: Check, _live: &[bool]) -> Answer {
                if check.phase == Phase::Step { Answer::Refuted(Vec::new()) } else { Answer::Holds }
            }
        }
        let (program, candidates, _) = system(&[None], &[0, 0], &[], 7);
        assert_eq!(
            houdini(&program, &candidates, vec![true; 2], &mut Vague),
            Kept { live: vec![false, false], finished: true }
        );
    }
}
