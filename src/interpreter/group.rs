//! The threads of a group, which run in turn and wait for each other.
//!
//! A thread runs until it has to wait. When all threads of the group wait, their reasons are
//! checked. A warp's exchange or barrier completes when all running lanes of its mask have arrived.
//! The group's barrier completes when all threads that have not returned have arrived. If nothing
//! can proceed, the group hangs, and this is reported.

use lockstep_ir::kernel::{BarrierKind, GroupOp, SpaceSet};

use super::code::{Code, Position, Step};
use super::copies::Copies;
use super::events::Wrong;
use super::machine::{Local, Reach, Stop, Thread};
use super::named::NamedBarriers;
use super::phases::Phases;
use super::races::{Barrier, GroupWatch};
use super::warp::{self, Lane};

/// A group of the launch while it runs.
pub struct Group {
    /// Its number in the launch.
    pub number: u64,
    /// Its index, per dimension.
    pub index: [u32; 3],
    /// Its threads.
    pub threads: Vec<Thread>,
    /// The reason why each thread has stopped; `None` if it can run.
    pub stops: Vec<Option<Stop>>,
    /// Its local memory: one array for each of the kernel's, empty for arrays in other memory.
    pub local: Vec<Local>,
    /// Its named barriers.
    pub named: NamedBarriers,
    /// Its phase objects.
    pub phases: Phases,
    /// Its copies that have not been waited for.
    pub copies: Copies,
    /// The records of its accesses.
    pub watch: GroupWatch,
    /// Whether it has ended.
    pub has_ended: bool,
}

/// The state of a group that has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupStop {
    /// Its threads have returned.
    Finished,
    /// It cannot proceed: a thread is stuck, or waits forever.
    Broken,
    /// It waits at this barrier of the whole launch.
    Grid(Position),
    /// It waits for its next turn.
    GivesWay,
}

/// The steps of a turn if other threads can run: one may wait in a loop for the effects of another.
const TURN: u64 = 1 << 14;

/// The steps between checks of the clock in a longer turn.
const SLICE: u64 = 1 << 14;

/// The minimum cost of a turn, in steps.
const LEAST_WORK: u64 = 16;

impl Group {
    /// Runs the threads for at most `steps` steps in total.
    ///
    /// It stops earlier if all of them wait for other groups or forever.
    pub fn run(&mut self, reach: &mut Reach<'_>, steps: u64) -> GroupStop {
        let ends = reach.steps.saturating_sub(steps);
        loop {
            for thread in 0..self.threads.len() {
                if reach.steps <= ends || reach.clock.look(LEAST_WORK) {
                    break;
                }
                self.execute(reach, thread, TURN);
            }
            if let Some(stop) = self.settle(reach) {
                return stop;
            }
            // Lanes of a warp do not wait for other warps, but other warps may wait for these lanes
            // in loops.
            self.release_warps(reach);
            self.release_named(reach);
            if reach.steps <= ends || reach.clock.is_late {
                return GroupStop::GivesWay;
            }
        }
    }

    /// Runs one thread for at most `steps` steps, if it can run.
    pub fn turn(&mut self, reach: &mut Reach<'_>, thread: usize, steps: u64) -> GroupStop {
        reach.clock.look(LEAST_WORK);
        self.execute(reach, thread, steps);
        if self.stops[thread].is_some() || reach.warps_in_lock_step {
            self.release_warp_of(reach, thread);
            self.release_named(reach);
        }
        self.settle(reach).unwrap_or(GroupStop::GivesWay)
    }

    /// Whether a thread has stopped while another one can run.
    pub fn waits_for_others(&self, thread: usize) -> bool {
        self.stops[thread].is_some() && self.can_run().next().is_some()
    }

    /// The threads that can run.
    pub fn can_run(&self) -> impl Iterator<Item = usize> + '_ {
        self.stops.iter().enumerate().filter(|(_, stop)| stop.is_none()).map(|(thread, _)| thread)
    }

    /// Runs one thread, or its warp, for at most `steps` steps.
    pub fn execute(&mut self, reach: &mut Reach<'_>, thread: usize, steps: u64) {
        if reach.warps_in_lock_step {
            self.execute_warp(reach, thread, steps);
        } else {
            self.execute_thread(reach, thread, steps);
        }
    }

    /// Executes a warp in lockstep for at most `steps` steps.
    ///
    /// The lanes at the lowest code position make a step together. Blocks are laid out in the order
    /// of lockstep execution. So the paths of a branch execute in sequence, and lanes that have
    /// left a loop wait for those that remain. Diverged lanes reconverge where their paths meet.
    ///
    /// The accesses of lanes in one step are not ordered. After a joint step, each lane knows the
    /// accesses of the others (BARRACUDA, section 3.3.1, rule ENDINSN). This knowledge is
    /// propagated after steps that access memory, and where lanes reconverge.
    fn execute_warp(&mut self, reach: &mut Reach<'_>, thread: usize, steps: u64) {
        let size = usize::try_from(reach.grid.warp_size).expect("at most 64");
        let start = thread / size * size;
        let end = (start + size).min(self.threads.len());
        let mut together: Vec<usize> = Vec::new();
        for _ in 0..steps {
            let can_run = (start..end).filter(|&lane| self.stops[lane].is_none());
            let Some(at) = can_run.clone().map(|lane| self.threads[lane].at).min() else { return };
            let active: Vec<usize> = can_run.filter(|&lane| self.threads[lane].at == at).collect();
            if active != together {
                tell_each_other(reach, &mut self.threads, &active);
                together = active;
            }
            for &lane in &together {
                self.execute_thread(reach, lane, 1);
            }
            if reach.steps == 0 || reach.clock.is_late {
                return;
            }
            if reach.code.step(at).accesses_memory() {
                tell_each_other(reach, &mut self.threads, &together);
            }
        }
    }

    fn execute_thread(&mut self, reach: &mut Reach<'_>, thread: usize, steps: u64) {
        if self.stops[thread].is_none() {
            let ends = reach.steps.saturating_sub(steps);
            loop {
                reach.turn_ends = ends.max(reach.steps.saturating_sub(SLICE));
                let before = reach.steps;
                let stop = reach.execute(&mut self.threads[thread]);
                reach.note_turn(&self.threads[thread], before);
                let is_late = reach.clock.look(before - reach.steps);
                if stop == Stop::OutOfSteps && reach.steps > ends && !is_late {
                    continue;
                }
                match stop {
                    Stop::Arrives(number, at) => {
                        let barrier = reach.code.named_barrier(number);
                        self.stops[thread] = barrier.waits.then_some(Stop::Named(at));
                        self.arrive(reach, thread, at, barrier);
                        if self.stops[thread].is_some() {
                            return;
                        }
                    }
                    Stop::Phase(number, at) => {
                        self.phase(reach, thread, number, at);
                        if self.stops[thread].is_some() {
                            return;
                        }
                    }
                    Stop::OwnCopy(number, at) => self.copy_of_thread(reach, thread, number, at),
                    Stop::OwnWait(number) => self.wait_for_own(reach, thread, number),
                    _ => {
                        self.stops[thread] = Some(stop).filter(|stop| *stop != Stop::OutOfSteps);
                        return;
                    }
                }
            }
        }
    }

    /// Releases the threads whose wait is complete, if no thread can run.
    ///
    /// If there are none, it returns the group's state.
    fn settle(&mut self, reach: &mut Reach<'_>) -> Option<GroupStop> {
        if self.can_run().next().is_some() || self.release_warps(reach) || self.release_named(reach) {
            return None;
        }
        let mut waiting = self.waiting();
        let Some((first, stop)) = waiting.next() else {
            drop(waiting);
            let is_broken = |stop: &Option<Stop>| matches!(stop, Some(Stop::Broken(_)));
            let broken = self.stops.iter().any(is_broken);
            if !broken {
                self.look_for_copies_left(reach);
                self.look_for_arrivals_left(reach);
            }
            return Some(if broken { GroupStop::Broken } else { GroupStop::Finished });
        };
        if self.has_trapped(reach.code) {
            return Some(GroupStop::Broken);
        }
        let other = waiting.find(|(_, other)| *other != stop);
        let arrive = reach.returned_arrive && matches!(stop, Stop::Barrier(..) | Stop::GroupExchange(_));
        let returned = self.stops.iter().position(|stop| *stop == Some(Stop::Finished)).filter(|_| !arrive);
        drop(waiting);
        let missing = self.missing_lane(reach, first, stop).or(other.map(|(other, _)| other)).or(returned);
        match (stop, missing) {
            (Stop::Barrier(BarrierKind::Group, at), None) => {
                let spaces = ordered(reach, at, self.threads.iter());
                if let Some(watch) = &mut reach.watch {
                    watch.detector.note_barrier(Barrier::Group, watch.group, self.threads.iter());
                    watch.detector.group_barrier(watch.group, &mut self.threads, spaces);
                }
                self.go_on(|_| true);
                None
            }
            (Stop::Barrier(BarrierKind::Grid, at), None) => Some(GroupStop::Grid(at)),
            (Stop::GroupExchange(at), None) => {
                self.exchange(reach, at);
                None
            }
            (Stop::AsyncCopy(number, at), None) => {
                self.start_copy(reach, number, at);
                None
            }
            (Stop::AsyncWait(number, at), None) => {
                self.wait_for_copies(reach, number, at);
                None
            }
            (_, missing) => {
                self.diverge(reach, first, missing);
                Some(GroupStop::Broken)
            }
        }
    }

    /// Releases the threads that wait at the barrier of the whole launch.
    pub fn pass_grid_barrier(&mut self) {
        self.go_on(|stop| matches!(stop, Stop::Barrier(BarrierKind::Grid, _)));
    }

    fn go_on(&mut self, which: impl Fn(Stop) -> bool) {
        for stop in &mut self.stops {
            if stop.is_some_and(|stop| !matches!(stop, Stop::Finished | Stop::Broken(_)) && which(stop)) {
                *stop = None;
            }
        }
    }

    /// The waiting threads, with their reasons.
    fn waiting(&self) -> impl Iterator<Item = (usize, Stop)> + '_ {
        let all = self.stops.iter().enumerate().filter_map(|(thread, stop)| Some((thread, (*stop)?)));
        all.filter(|(_, stop)| !matches!(stop, Stop::Finished | Stop::Broken(_)))
    }

    fn diverge(&self, reach: &mut Reach<'_>, first: usize, missing: Option<usize>) {
        let position = |thread: usize| self.threads[thread].at.saturating_sub(1);
        let other = missing.map(|other| (position(other), self.threads[other].local_id));
        let returned = missing.is_some_and(|other| self.stops[other] == Some(Stop::Finished));
        let what = Wrong::Divergence { other: other.filter(|_| !returned), returned: other.filter(|_| returned) };
        reach.wrong(&self.threads[first], what, position(first));
    }

    // --- Warps
    // --------------------------------------------------------------------------------------

    /// Releases lanes that have all arrived at their exchange or barrier.
    ///
    /// It returns whether there were any.
    fn release_warps(&mut self, reach: &mut Reach<'_>) -> bool {
        let size = usize::try_from(reach.grid.warp_size).expect("at most 64");
        let mut released = false;
        for start in (0..self.threads.len()).step_by(size) {
            released |= self.release_warp_of(reach, start);
        }
        released
    }

    /// Does the same for the warp of this thread.
    fn release_warp_of(&mut self, reach: &mut Reach<'_>, thread: usize) -> bool {
        let size = usize::try_from(reach.grid.warp_size).expect("at most 64");
        let start = thread / size * size;
        self.release_warp(reach, start, (start + size).min(self.threads.len()))
    }

    fn release_warp(&mut self, reach: &mut Reach<'_>, start: usize, end: usize) -> bool {
        let mut released = false;
        let mut without_mask: Option<Stop> = None;
        for thread in start..end {
            let Some(stop) = self.stops[thread] else { continue };
            let Some(mask) = self.mask_of(reach, thread, stop) else { continue };
            let Some(mask) = mask else {
                // The lanes that have arrived are the active ones: there are no others to wait for.
                without_mask = without_mask.or(Some(stop));
                continue;
            };
            let lanes: Vec<usize> = (start..end).filter(|lane| mask >> (lane - start) & 1 == 1).collect();
            let has_come = |lane: usize| match self.stops[lane] {
                Some(Stop::Finished) => true,
                Some(other @ Stop::Broken(_)) => !has_trapped(reach.code, other),
                Some(other) => self.goes_with(reach, (lane, other), (thread, stop)),
                None => false,
            };
            if lanes.contains(&thread) && lanes.iter().all(|&lane| has_come(lane)) {
                let goes = |lane: &usize| {
                    self.stops[*lane].is_some_and(|other| self.goes_with(reach, (*lane, other), (thread, stop)))
                };
                let lanes: Vec<usize> = lanes.into_iter().filter(goes).collect();
                self.pass_warp(reach, start, &lanes, stop);
                released = true;
            }
        }
        // Whether the lane has stopped. A lane at a named barrier or a phase object does not count,
        // because other threads may release it.
        let is_waiting =
            |thread: usize| self.stops[thread].is_some_and(|stop| !matches!(stop, Stop::Named(_) | Stop::Awaits(_)));
        match without_mask {
            Some(stop) if !released && ((start..end).all(is_waiting) || self.can_run().next().is_none()) => {
                let lanes: Vec<usize> = (start..end).filter(|&lane| self.stops[lane] == Some(stop)).collect();
                self.pass_warp(reach, start, &lanes, stop);
                true
            }
            _ => released,
        }
    }

    /// The mask with which a thread waits in its warp.
    ///
    /// The outer `None` means that it does not wait, and the inner one that it waits for the lanes
    /// that arrive.
    #[expect(clippy::option_option, reason = "no wait, and a wait without a mask")]
    fn mask_of(&self, reach: &Reach<'_>, thread: usize, stop: Stop) -> Option<Option<u64>> {
        let register = match stop {
            Stop::Barrier(BarrierKind::Warp { mask }, at) => {
                let Step::Barrier { mask: register, .. } = reach.code.step(at) else { return None };
                if mask.is_none() {
                    return Some(Some(u64::MAX));
                }
                register
            }
            Stop::Exchange(number, _) => match reach.code.exchange(number).mask {
                Some(register) => register,
                None => return Some(None),
            },
            Stop::Barrier(..)
            | Stop::GroupExchange(_)
            | Stop::Named(_)
            | Stop::Arrives(..)
            | Stop::Phase(..)
            | Stop::Awaits(_)
            | Stop::AsyncCopy(..)
            | Stop::AsyncWait(..)
            | Stop::OwnCopy(..)
            | Stop::OwnWait(_)
            | Stop::Finished
            | Stop::Broken(_)
            | Stop::OutOfSteps => return None,
        };
        Some(Some(self.threads[thread].get(register)))
    }

    /// A lane of the thread's warp for which the thread waits, and which waits for something else.
    fn missing_lane(&self, reach: &Reach<'_>, thread: usize, stop: Stop) -> Option<usize> {
        let mask = self.mask_of(reach, thread, stop)??;
        let size = usize::try_from(reach.grid.warp_size).expect("at most 64");
        let start = thread / size * size;
        let waits_elsewhere = |lane: &usize| {
            let other = self.stops[*lane].filter(|other| !matches!(other, Stop::Finished | Stop::Broken(_)));
            other.is_some_and(|other| !self.goes_with(reach, (*lane, other), (thread, stop)))
        };
        let end = (start + size).min(self.threads.len());
        (start..end).filter(|lane| mask >> (lane - start) & 1 == 1).find(waits_elsewhere)
    }

    /// Whether a thread of the group has trapped, which ends the launch.
    pub fn has_trapped(&self, code: &Code) -> bool {
        self.stops.iter().flatten().any(|&stop| has_trapped(code, stop))
    }

    /// Whether two lanes wait for the same operation of their warp.
    ///
    /// They have the same mask, and are at the same exchange or both at a warp barrier.
    ///
    /// The place of the warp barrier does not matter (PTX ISA, `shfl.sync` and `bar.warp.sync`:
    /// "the same membermask value").
    fn goes_with(&self, reach: &Reach<'_>, (lane, of_lane): (usize, Stop), (thread, of_thread): (usize, Stop)) -> bool {
        let is_warp_barrier = |stop: Stop| matches!(stop, Stop::Barrier(BarrierKind::Warp { .. }, _));
        let same_mask = || self.mask_of(reach, lane, of_lane) == self.mask_of(reach, thread, of_thread);
        (of_lane == of_thread || (is_warp_barrier(of_lane) && is_warp_barrier(of_thread))) && same_mask()
    }

    fn pass_warp(&mut self, reach: &mut Reach<'_>, start: usize, lanes: &[usize], stop: Stop) {
        if let Stop::Exchange(number, at) = stop {
            let exchange = reach.code.exchange(number);
            let of = |&lane: &usize| Lane {
                number: u32::try_from(lane - start).expect("at most 64"),
                operands: exchange.operands.iter().map(|&operand| self.threads[lane].get(operand)).collect(),
            };
            let taking_part: Vec<Lane> = lanes.iter().map(of).collect();
            let results = warp::results(exchange, &taking_part, reach.grid.warp_size, reach.lanes_apart);
            for (&lane, (result, sent)) in lanes.iter().zip(results) {
                if let Some(to) = exchange.to {
                    self.threads[lane].set(to, result);
                }
                if !sent {
                    reach.wrong(&self.threads[lane], Wrong::InactiveSource, at);
                }
            }
        }
        if let Stop::Barrier(BarrierKind::Warp { .. }, _) = stop {
            self.meet(reach, lanes);
        }
        for &lane in lanes {
            self.stops[lane] = None;
        }
    }

    /// Completes a barrier of the warp for these lanes, wherever each of them has reached it.
    fn meet(&mut self, reach: &mut Reach<'_>, lanes: &[usize]) {
        let ordered = |&lane: &usize| match self.stops[lane] {
            Some(Stop::Barrier(_, at)) => ordered(reach, at, [&self.threads[lane]].into_iter()),
            _ => SpaceSet::NONE,
        };
        let spaces = lanes.iter().map(ordered).fold(SpaceSet::ALL, |all, one| SpaceSet {
            local: all.local && one.local,
            global: all.global && one.global,
            image: all.image && one.image,
            library: false,
        });
        if let Some(watch) = &mut reach.watch {
            let threads = lanes.iter().map(|&lane| &self.threads[lane]);
            watch.detector.note_barrier(Barrier::Warp, watch.group, threads);
            watch.detector.warp_barrier(&mut self.threads, lanes, spaces);
        }
    }

    /// Completes a vote of the group's threads.
    fn exchange(&mut self, reach: &Reach<'_>, at: Position) {
        let Step::GroupExchange { op, width, to, predicate } = reach.code.step(at) else { return };
        let takes_part = |stop: &Option<Stop>| *stop == Some(Stop::GroupExchange(at));
        let taking_part = || self.threads.iter().zip(&self.stops).filter(|(_, stop)| takes_part(stop));
        let holds = taking_part().filter(|(thread, _)| thread.get(predicate) != 0).count();
        let result = match op {
            GroupOp::Count => u64::try_from(holds).expect("counted") & (u64::MAX >> (64 - width)),
            GroupOp::All => u64::from(holds == taking_part().count()),
            GroupOp::Any => u64::from(holds > 0),
        };
        for (thread, stop) in self.threads.iter_mut().zip(&mut self.stops).filter(|(_, stop)| takes_part(stop)) {
            thread.set(to, result);
            *stop = None;
        }
    }
}

/// Whether a thread has trapped: no thread passes a point that it has not reached.
pub fn has_trapped(code: &Code, stop: Stop) -> bool {
    matches!(stop, Stop::Broken(at) if code.step(at) == Step::Trap)
}

/// The memories that a barrier orders for all of these threads.
fn ordered<'a>(reach: &Reach<'_>, at: Position, threads: impl Iterator<Item = &'a Thread>) -> SpaceSet {
    let (spaces, flags) = match reach.code.step(at) {
        Step::Barrier { spaces, flags, .. } => (spaces, flags),
        Step::Named(_) => (SpaceSet::ALL, None),
        _ => return SpaceSet::NONE,
    };
    let Some(flags) = flags else { return spaces };
    let all = threads.fold(u64::MAX, |all, thread| all & thread.get(flags));
    SpaceSet {
        local: spaces.local && all & 1 != 0,
        global: spaces.global && all & 2 != 0,
        image: spaces.image && all & 4 != 0,
        library: false,
    }
}

/// Propagates knowledge between lanes that have made a step together.
fn tell_each_other(reach: &mut Reach<'_>, threads: &mut [Thread], lanes: &[usize]) {
    if let Some(watch) = &mut reach.watch {
        watch.detector.warp_barrier(threads, lanes, SpaceSet::ALL);
    }
}
