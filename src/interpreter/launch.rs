//! The groups of a launch: which of them run, and in which order.
//!
//! In the ordered schedule, one group runs after the other. A group that does not end yields after
//! a while, since it may wait in a loop for another one. The next groups are then started beside
//! it. Once there is no room for more, all started groups take turns of increasing length. In the
//! schedules by steps or by chance, as many groups as there is room for run together from the
//! beginning. The barrier of the launch completes when all have arrived.

use std::time::Duration;

use lockstep_ir::kernel::Array;
use lockstep_options::deadline::Deadline;

use super::code::{Code, Position, Step};
use super::contents::Stated;
use super::copies::Copies;
use super::events::{Event, Tally, Wrong};
use super::group::{Group, GroupStop};
use super::machine::{Local, MadeUp, Reach, Stop, Thread, Watch};
use super::memory::{Addresses, Region, scrambled};
use super::named::NamedBarriers;
use super::phases::Phases;
use super::races::{Detector, GroupWatch, ThreadClock};
use super::schedule::Turns;
use super::{Grid, How, Input, bytes_of_group, has_grid_barrier, registers_at_start};

/// The schedule of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Group by group, and in each of them each thread until it waits.
    InOrder,
    /// Each thread for this number of steps, round robin.
    RoundRobin(u64),
    /// A random thread for a few steps, with this seed.
    Random(u64),
    /// Likewise, and strong reads may see older values, as relaxed order allows. This needs a
    /// search for races, which knows the order.
    Stale(u64),
}

/// The next atomic operation of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// The thread's group.
    pub group: [u32; 3],
    /// The thread's number in its group.
    pub thread: u32,
    /// The step.
    pub at: Position,
    /// The array.
    pub array: Option<Array>,
    /// The first byte.
    pub offset: u64,
}

/// The steps after which a group yields for the first time.
const PATIENCE: u64 = 1 << 20;

/// The steps after which threads that wait for ever are first looked for.
const LOOK_FIRST: u64 = 1 << 14;

/// The memory of groups that run together, unless a barrier of the launch requires all of them.
const ROOM: u64 = 1 << 30;

/// The maximum number of steps of one random turn.
const RANDOM_TURN: usize = 16;

/// The maximum number of steps of one that ends before a strong operation.
const MOST_TO_SIGNAL: usize = 64;

/// The work between checks of the clock, in steps.
const LOOK_EVERY: u64 = 1 << 12;

/// The time for checking whether threads wait forever, once the time limit has passed.
const GRACE: Duration = Duration::from_millis(100);

/// The clock of a launch, which is checked periodically.
pub struct Clock {
    deadline: Deadline,
    /// The remaining work until the next check.
    until: u64,
    /// Whether the time was up at the last check.
    pub is_late: bool,
}

impl Clock {
    fn new(deadline: Deadline) -> Self {
        Self { deadline, until: 1, is_late: false }
    }

    /// Counts some work, and returns whether the time is up.
    pub fn look(&mut self, work: u64) -> bool {
        self.until = self.until.saturating_sub(work);
        if self.until == 0 && !self.is_late {
            self.until = LOOK_EVERY;
            self.is_late = self.deadline.passed();
        }
        self.is_late
    }
}

/// A running launch.
#[expect(clippy::struct_excessive_bools, reason = "ways to run that stand beside each other")]
pub struct Launch<'a> {
    code: &'a Code,
    grid: &'a Grid,
    start: Vec<u64>,
    private: Vec<(usize, Vec<u8>)>,
    local_bytes: Vec<u64>,
    addresses: Addresses,
    /// The maximum number of groups that run together.
    pub most_live: usize,
    /// The number of steps after which ordered groups yield.
    pub patience: u64,
    warps_in_lock_step: bool,
    lanes_apart: bool,
    /// Whether threads continue past failed assumptions and unsupported operations.
    pub goes_on: bool,
    /// The rule for made-up values.
    pub made_up: MadeUp,
    returned_arrive: bool,
    each_thread: bool,
    live: Vec<Live>,
    /// The numbers of the groups to run, and how many of them have started.
    which: Vec<u64>,
    pub next: usize,
    /// The access records of ended groups, whose memory is reused.
    ended: Vec<GroupWatch>,
    /// The number of ended groups in which a thread was stuck.
    broken: u64,
    /// The step at which the first group returned, and its thread.
    returned: Option<(Position, [u32; 3])>,
    /// Whether a thread has trapped, which ends the launch.
    trapped: bool,
    /// The memory of the launch.
    pub regions: Vec<Region>,
    /// The errors so far.
    pub events: Vec<Event>,
    /// The step limit, and the remaining steps.
    most_steps: u64,
    pub left: u64,
    /// The number of steps after which waiting forever is checked.
    look_after: u64,
    /// Whether the steps ran out, or the time was up.
    pub broken_off: bool,
    clock: Clock,
    /// The race detector, if races are detected.
    pub detector: Option<Detector>,
    /// The turns of threads, if they are recorded.
    pub turns: Option<Turns>,
    /// The counters, if anything is counted.
    pub tally: Option<Tally>,
    /// The facts about contents that were stated.
    pub stated: Stated,
}

/// A group that has started and not ended.
struct Live {
    group: Group,
    /// The barrier of the launch at which it waits.
    waits: Option<Position>,
}

impl<'a> Launch<'a> {
    /// A launch in its initial state.
    pub fn new(code: &'a Code, grid: &'a Grid, input: Input, how: &How, detector: Option<Detector>) -> Self {
        let room = if has_grid_barrier(code) { u64::MAX } else { ROOM / bytes_of_group(code, grid, &input).max(1) };
        let which = match &how.groups {
            Some(groups) if !has_grid_barrier(code) => groups.clone(),
            _ => (0..grid.groups()).collect(),
        };
        let mut regions = input.regions;
        // A fact about contents is checked for the elements that are read.
        code.contents.iter().for_each(|step| regions[step.array].watch());
        Self {
            code,
            grid,
            start: registers_at_start(code, &input.values),
            private: input.private,
            local_bytes: input.local_bytes,
            addresses: Addresses::new(code.arrays.len(), code.pointer_bytes),
            most_live: usize::try_from(room).unwrap_or(usize::MAX).max(1),
            patience: PATIENCE,
            live: Vec::new(),
            which,
            next: 0,
            ended: Vec::new(),
            broken: 0,
            returned: None,
            trapped: false,
            regions,
            events: Vec::new(),
            most_steps: how.most_steps,
            left: how.most_steps,
            look_after: LOOK_FIRST,
            warps_in_lock_step: how.warps_in_lock_step,
            lanes_apart: how.lanes_apart,
            goes_on: false,
            made_up: MadeUp::default(),
            returned_arrive: how.returned_arrive,
            each_thread: how.races.is_some_and(|races| races.between.is_some()),
            broken_off: false,
            clock: Clock::new(how.deadline),
            detector,
            turns: None,
            tally: None,
            stated: Stated::new(),
        }
    }

    /// Runs all groups.
    pub fn run(&mut self, schedule: Schedule) {
        match schedule {
            Schedule::InOrder => self.in_order(),
            Schedule::RoundRobin(steps) => self.round_robin(steps.max(1)),
            Schedule::Random(seed) | Schedule::Stale(seed) => self.random(seed),
        }
        self.look_at_the_end();
    }

    /// Whether all threads wait forever; this is checked each time the number of steps has doubled.
    fn is_stuck(&mut self) -> bool {
        let made = self.most_steps - self.left;
        let is_time = made >= self.look_after;
        if is_time {
            self.look_after = made.saturating_mul(2);
        }
        is_time && self.waits_for_ever()
    }

    /// Checks whether the step limit was irrelevant: no number of steps would have sufficed.
    pub(super) fn look_at_the_end(&mut self) {
        if self.clock.is_late {
            // The check continues after the deadline, but not for long.
            self.clock = Clock::new(self.clock.deadline.later(GRACE));
            self.broken_off = !self.waits_for_ever();
            self.clock.is_late = true;
            return;
        }
        self.broken_off = self.broken_off && !self.waits_for_ever();
    }

    /// Whether the run was interrupted because the time was up.
    pub fn is_late(&self) -> bool {
        self.broken_off && self.clock.is_late
    }

    // --- Schedules
    // ----------------------------------------------------------------------------------

    fn in_order(&mut self) {
        while !self.broken_off {
            if self.start_next() {
                continue;
            }
            if !self.pass_barrier() {
                break;
            }
            let ended = self.visit_all();
            self.lose_patience(ended);
            if !ended && self.is_stuck() {
                break;
            }
        }
    }

    /// Starts the next group and runs it until it yields.
    ///
    /// It returns `false` if there is no group, or no room for it.
    pub fn start_next(&mut self) -> bool {
        let starts = self.start_one();
        if starts {
            let ended = self.visit(self.live.len() - 1..self.live.len(), self.patience);
            self.lose_patience(ended);
        }
        starts
    }

    /// Runs all started groups until each yields; returns whether any of them ended.
    pub fn visit_all(&mut self) -> bool {
        self.visit(0..self.live.len(), self.patience)
    }

    /// Makes turns longer once all groups have started and none ends.
    fn lose_patience(&mut self, ended: bool) {
        if !ended && self.next == self.which.len() {
            self.patience = self.patience.saturating_mul(2);
        }
    }

    /// The number of threads that have made a step.
    pub fn begun(&self) -> u64 {
        let has_begun = |(thread, stop): &(&Thread, &Option<Stop>)| thread.at != 0 || stop.is_some();
        let of_group = |group: &Group| group.threads.iter().zip(&group.stops).filter(has_begun).count();
        let live: usize = self.live.iter().map(|live| of_group(&live.group)).sum();
        let ended = u64::try_from(self.next - self.live.len()).expect("counted");
        ended.saturating_mul(self.grid.group_threads()).saturating_add(u64::try_from(live).expect("counted"))
    }

    /// The number of groups that have started and not ended.
    pub fn live(&self) -> usize {
        self.live.len()
    }

    /// Whether every thread of the launch runs, waits or has returned.
    ///
    /// Then none has yet to start, and none was stuck.
    pub(super) fn is_whole(&self) -> bool {
        let all = u64::try_from(self.which.len()).is_ok_and(|count| count == self.grid.groups());
        let has_broken = |live: &Live| live.group.stops.iter().any(|stop| matches!(stop, Some(Stop::Broken(_))));
        all && self.all_have_started() && self.broken == 0 && !self.live.iter().any(has_broken)
    }

    /// Whether all groups have started.
    pub(super) fn all_have_started(&self) -> bool {
        self.next == self.which.len()
    }

    /// The groups that do not wait for all others, by their index among the live ones.
    pub(super) fn can_go_on(&self) -> Vec<usize> {
        (0..self.live.len()).filter(|&index| self.live[index].waits.is_none()).collect()
    }

    /// The total number of groups to run.
    pub fn groups(&self) -> usize {
        self.which.len()
    }

    pub(super) fn round_robin(&mut self, steps: u64) {
        while !self.broken_off {
            while self.start_one() {}
            if !self.pass_barrier() {
                break;
            }
            for index in 0..self.live.len() {
                for thread in 0..self.live[index].group.threads.len() {
                    // A thread that waits for one that runs has no turn. With its visits, a loop of
                    // one thread would take many times its steps.
                    if self.warps_in_lock_step || !self.live[index].group.waits_for_others(thread) {
                        self.turn(index, thread, steps);
                    }
                }
            }
            if !self.forget_ended() && self.is_stuck() {
                break;
            }
        }
    }

    fn random(&mut self, seed: u64) {
        let mut state = seed;
        let mut draw = |below: usize| {
            state = scrambled(state);
            usize::try_from(state % u64::try_from(below).expect("counted")).expect("smaller than a size")
        };
        while self.start_one() {}
        // Threads that compete come to do so at different times, or all at first.
        if seed % 2 == 1 {
            for (index, thread) in self.running() {
                if !self.is_before_signal(index, thread) {
                    self.turn_to_signal(index, thread);
                }
            }
            self.forget_ended();
        }
        while !self.broken_off {
            while self.start_one() {}
            if !self.pass_barrier() {
                break;
            }
            let running: Vec<usize> = (0..self.live.len()).filter(|&index| self.live[index].waits.is_none()).collect();
            let index = running[draw(running.len())];
            let mut threads: Vec<usize> = self.live[index].group.can_run().collect();
            let to_signal = draw(2) == 0;
            if to_signal && threads.iter().any(|&thread| self.is_before_signal(index, thread)) {
                threads.retain(|&thread| self.is_before_signal(index, thread));
            }
            let thread = threads[draw(threads.len())];
            if to_signal {
                self.turn_to_signal(index, thread);
            } else {
                let steps = 1 + draw(RANDOM_TURN);
                self.turn(index, thread, u64::try_from(steps).expect("few"));
            }
            if !self.forget_ended() && self.is_stuck() {
                break;
            }
        }
    }

    /// Runs a thread up to its next strong operation behind this step, if it comes there soon. Many
    /// errors of synchronisation show only if another thread is next between two such operations.
    fn turn_to_signal(&mut self, index: usize, thread: usize) {
        for made in 0..MOST_TO_SIGNAL {
            let group = &self.live[index].group;
            let can_run = !group.has_ended && !self.broken_off && group.can_run().any(|running| running == thread);
            if !can_run || made > 0 && self.is_before_signal(index, thread) {
                break;
            }
            self.turn(index, thread, 1);
        }
    }

    fn is_before_signal(&self, index: usize, thread: usize) -> bool {
        self.is_before_atomic(index, thread) || self.code.is_volatile(self.live[index].group.threads[thread].at)
    }

    /// Runs each thread up to its next atomic operation, and then executes the chosen one.
    pub fn chosen(&mut self, choose: &mut dyn FnMut(&[Next]) -> Option<usize>) {
        while !self.broken_off {
            while self.start_one() {}
            if !self.pass_barrier() {
                break;
            }
            let running = self.running();
            let goes_on = running.iter().find(|(index, thread)| !self.is_before_atomic(*index, *thread));
            let next = || running.iter().map(|&(index, thread)| self.next_of(index, thread)).collect::<Vec<_>>();
            let Some(&(index, thread)) = goes_on.or_else(|| running.get(choose(&next())?)) else {
                self.broken_off = true;
                break;
            };
            self.turn(index, thread, 1);
            self.forget_ended();
        }
    }

    /// The index of a group among the live ones, if this thread of it can run.
    pub(super) fn can_run(&self, group: u64, thread: u32) -> Option<usize> {
        let index = self.live.iter().position(|live| live.group.number == group)?;
        let is_there = self.live[index].waits.is_none();
        (is_there && self.live[index].group.can_run().any(|running| running == thread as usize)).then_some(index)
    }

    /// The threads that can run: the group's index among the live ones, and the thread's number.
    fn running(&self) -> Vec<(usize, usize)> {
        let groups = self.live.iter().enumerate().filter(|(_, live)| live.waits.is_none());
        groups.flat_map(|(index, live)| live.group.can_run().map(move |thread| (index, thread))).collect()
    }

    fn is_before_atomic(&self, index: usize, thread: usize) -> bool {
        matches!(self.code.step(self.live[index].group.threads[thread].at), Step::Atomic(_))
    }

    fn next_of(&self, index: usize, thread: usize) -> Next {
        let group = &self.live[index].group;
        let (thread, at) = (&group.threads[thread], group.threads[thread].at);
        let pointer = match self.code.step(at) {
            Step::Atomic(number) => self.code.atomic(number).pointer,
            _ => 0,
        };
        Next {
            group: group.index,
            thread: thread.number,
            at,
            array: Code::array(thread.get(pointer)),
            offset: thread.get(pointer + 1),
        }
    }

    // --- Groups
    // -------------------------------------------------------------------------------------

    /// Starts the next group if there is one, and room for it.
    pub(super) fn start_one(&mut self) -> bool {
        let can = self.next < self.which.len() && self.live.len() < self.most_live && !self.broken_off;
        if can {
            self.broken_off |= self.clock.look(self.grid.group_threads());
            let group = self.new_group(self.which[self.next]);
            self.live.push(Live { group, waits: None });
            self.next += 1;
        }
        can
    }

    fn new_group(&mut self, number: u64) -> Group {
        let (watch, clock) = match &mut self.detector {
            Some(detector) => (detector.start(number, self.ended.pop()), detector.thread()),
            None => (GroupWatch::default(), ThreadClock::new(0)),
        };
        let new_thread = |thread: u64| {
            let number = u32::try_from(thread).expect("a group has fewer than 2^32 threads");
            let mut thread = Thread::new(self.code, &self.start, self.grid.local_id(number), number, clock.clone());
            for (array, bytes) in &self.private {
                let at = usize::try_from(self.code.arrays[*array].private).expect("small");
                thread.private[at..at + bytes.len()].copy_from_slice(bytes);
            }
            thread
        };
        let threads: Vec<Thread> = (0..self.grid.group_threads()).map(new_thread).collect();
        let local = |&bytes: &u64| Local::new(usize::try_from(bytes).expect("memory fits"));
        Group {
            number,
            index: self.grid.group_index(number),
            stops: vec![None; threads.len()],
            threads,
            local: self.local_bytes.iter().map(local).collect(),
            named: NamedBarriers::new(),
            phases: Phases::new(),
            copies: Copies::default(),
            watch,
            has_ended: false,
        }
    }

    /// Runs these groups for at most `steps` steps each; returns whether any of them ended.
    fn visit(&mut self, which: std::ops::Range<usize>, steps: u64) -> bool {
        for index in which {
            if self.live[index].waits.is_none() && !self.broken_off {
                let stop = self.with_reach(index, |group, reach| group.run(reach, steps));
                self.note(index, stop);
            }
        }
        self.forget_ended()
    }

    /// Runs one thread for at most `steps` steps, if it can run.
    pub(super) fn turn(&mut self, index: usize, thread: usize, steps: u64) {
        if self.live[index].waits.is_none() && !self.broken_off {
            let stop = self.with_reach(index, |group, reach| group.turn(reach, thread, steps));
            self.note(index, stop);
        }
    }

    pub(super) fn with_reach<T>(&mut self, index: usize, run: impl FnOnce(&mut Group, &mut Reach<'_>) -> T) -> T {
        let group = &mut self.live[index].group;
        let mut local = std::mem::take(&mut group.local);
        let mut watch = std::mem::take(&mut group.watch);
        let mut reach = Reach {
            code: self.code,
            grid: self.grid,
            group: group.index,
            regions: &mut self.regions,
            local: &mut local,
            addresses: self.addresses,
            events: &mut self.events,
            steps: self.left,
            clock: &mut self.clock,
            turn_ends: 0,
            turns: self.turns.as_mut(),
            group_number: group.number,
            warps_in_lock_step: self.warps_in_lock_step,
            lanes_apart: self.lanes_apart,
            goes_on: self.goes_on,
            made_up: self.made_up,
            returned_arrive: self.returned_arrive,
            each_thread: self.each_thread,
            watch: self.detector.as_mut().map(|detector| Watch { detector, group: &mut watch }),
            changes: None,
            tally: self.tally.as_mut(),
            stated: &mut self.stated,
        };
        let result = run(group, &mut reach);
        self.left = reach.steps;
        group.local = local;
        group.watch = watch;
        result
    }

    fn note(&mut self, index: usize, stop: GroupStop) {
        let live = &mut self.live[index];
        match stop {
            GroupStop::Finished | GroupStop::Broken => live.group.has_ended = true,
            GroupStop::Grid(at) => live.waits = Some(at),
            GroupStop::GivesWay => {}
        }
        self.broken += u64::from(stop == GroupStop::Broken);
        self.trapped |= live.group.has_trapped(self.code);
        if stop == GroupStop::Finished && self.returned.is_none() {
            self.returned = live.group.threads.first().map(|thread| (thread.at, thread.local_id));
        }
        self.broken_off |= (self.left == 0 || self.clock.is_late) && stop == GroupStop::GivesWay;
    }

    /// Removes groups that have ended; returns whether there were any.
    pub(super) fn forget_ended(&mut self) -> bool {
        let before = self.live.len();
        let ended = self.live.extract_if(.., |live| live.group.has_ended);
        for live in ended {
            if let Some(detector) = &mut self.detector {
                detector.end(&live.group.watch);
            }
            self.ended.push(live.group.watch);
        }
        self.live.len() < before
    }

    /// Whether any group can run.
    ///
    /// If all wait at the barrier of the launch, they pass it, unless one of them has returned or
    /// trapped.
    pub(super) fn pass_barrier(&mut self) -> bool {
        let Some(first) = self.live.first() else { return false };
        if self.live.iter().any(|live| live.waits.is_none()) {
            return true;
        }
        if self.trapped {
            return false;
        }
        if let (Some(at), Some(returned)) = (first.waits, self.returned.filter(|_| !self.returned_arrive)) {
            let what = Wrong::Divergence { other: None, returned: Some(returned) };
            self.events.push(Event { what, at, group: first.group.index, thread: [0; 3] });
            return false;
        }
        if let Some(detector) = &mut self.detector {
            let groups = self.live.iter_mut().map(|live| (&mut live.group.watch, &mut live.group.threads[..]));
            detector.launch_barrier(groups);
        }
        for live in &mut self.live {
            live.group.pass_grid_barrier();
            live.waits = None;
        }
        true
    }
}
