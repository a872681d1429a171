//! Runs the groups of a launch on several cores, with the same result as one worker in order.
//!
//! The first groups run alone. If they take long, the list of the others is cut into as many parts
//! as there are workers. Each worker runs the groups of its part, in order, on **memory of its
//! own** that starts with the launch's contents, with its own detector and events. The first worker
//! continues with the launch itself. The read and written bytes of every page are recorded. If in
//! the end **no byte that one worker has written was accessed by another**, the workers' results
//! are merged. Otherwise, or if an event requires a joint decision, the first worker continues
//! alone. It has done exactly what a single worker does first, and only the work of the others is
//! lost. Independence is also checked early, after a part of the groups.
//!
//! # Why the result is that of one worker
//!
//! Let S be the run of one worker, and assume that no byte written by one worker is accessed by
//! another. Then every group behaves in the workers' runs as in S, by induction over the steps of
//! S. A step depends on state of the group, on constants (code, sizes, addresses), or on a byte of
//! the launch's memory. The state of a group (registers, private and local memory) starts anew with
//! the group. A byte that is read was last written by a group of the same worker, or not at all. A
//! worker's groups run in the same order in both runs. So:
//!
//! * **Memory.** A byte holds the value from the one worker that wrote it, or its initial value. A
//!   page exists if any worker has touched it.
//! * **Turns.** Groups that do not end yield ([`super::launch`]). Each is visited once, as it
//!   starts. Then all that remain are visited in rounds, in the same order, and turns get longer
//!   after rounds in which none ended. Workers go through the same rounds together, and where turns
//!   end, groups do the same as in S. Two things would differ: a group that finds no room, and
//!   reaching the step limit. As soon as all workers together have less room, or less than one step
//!   left, they give up. (A turn that the limit would cut short in S has more steps than are left,
//!   and so has the sum.)
//! * **Events** depend on nothing else. In S, they are in the order of rounds, and within a round
//!   in the order of groups. Each worker has reported its first event of each kind and place. So
//!   the first one of S is the first of any worker in that order, and the others are dropped. If
//!   not all fit ([`MOST_EVENTS`], [`MOST_TOLD`]), the first worker continues alone.
//! * **Races** are detected from the records of earlier accesses to the same cell, and from clocks.
//!   A thread's clocks depend on its group's barriers, and on synchronisation through memory with
//!   threads that have written where it reads. These threads belong to the same worker. A cell has
//!   either bytes that only one worker has accessed, or bytes that no worker writes. All bytes of a
//!   cell are accessed alike (this is what defines a cell). For the former kind, the worker has the
//!   same stamps as S. For the latter, S also has stamps of other workers, and keeps different ones
//!   if there are too many. But reads do not race, and results are [unsure](super::Watched::unsure)
//!   only where accesses conflict. The records of local memory start anew with each group
//!   ([`Shadow::clear`](super::races)). *One thing is shared between workers*: a page's cells are
//!   words until an access splits them. This determines where in a word a race is first found, and
//!   which writes count as writes of the same value. So pages that two workers touch must have the
//!   same cell size in all of them from the beginning. Then S has the same cell size, since its
//!   first access to the page is the first one of some worker. Races are reported once for each
//!   pair of sites, as for events. Clocks that overflow stop the comparison in all later groups;
//!   then the first worker continues alone.
//! * **Asynchronous copies and named barriers** belong to a group. Bytes accessed by copies are
//!   covered as above, and so are pixels of images. No other stamp displaces a copy's stamp, nor
//!   does it displace any other. For the stamp of a copy's read that other workers have not seen,
//!   the argument about reads applies.
//! * **The time limit** may end a run anywhere. Reports of independent workers up to then are kept;
//!   their runs are parts of S.
//! * **Infinite loops** are checked for when turns have become longer. The check changes nothing.
//!   If no worker can make progress, all give up, and the first one detects this alone.
//! * **Atomic operations and fences** need no exception: their effects on memory are reads and
//!   writes. But groups that wait for each other find out late, after wasted turns. So if the code
//!   has any of these operations, workers give up once a group yields.
//!
//! The *cost* of a run is not the same: pages that several workers touch exist once for each
//! ([`Watched::bytes`] defines its count). Where turns have become longer, workers that give up
//! lose their work, as the first one has gone further than a single worker. So a kernel that does
//! not end reaches its step limit twice. The speed of workers may affect whether they give up, and
//! so the time of a run, but never its reports.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::code::{Code, Position, Step};
use super::events::{Event, Wrong};
use super::launch::{Launch, Schedule};
use super::machine::MOST_EVENTS;
use super::memory::Region;
use super::races::{Detector, MOST_TOLD, Pair};
use super::{Grid, How, Input, Ran, Watched, detector, has_grid_barrier, ran};

/// The steps that one worker executes before others join it.
///
/// Sharing shorter work costs more than it gains.
pub const ALONE: u64 = 1 << 18;

/// The bytes of memory that all workers together may touch.
///
/// The records for each byte take up to 17 more.
const MOST_TOUCHED: u64 = 512 << 20;

/// The number of parts into which each worker's groups are divided.
///
/// Workers check their independence after the first part, and again after all.
const EARLY: usize = 16;

/// Whether several workers may share a run.
pub fn is_for(code: &Code, how: &How) -> bool {
    let of_all = how.groups.is_none() && how.races.is_none_or(|races| races.between.is_none());
    how.workers.most > 1
        && how.schedule == Schedule::InOrder
        && of_all
        && !has_grid_barrier(code)
        && code.contents.is_empty()
}

/// Runs a kernel.
///
/// It is `None` if races are to be detected and there are too many threads to distinguish their
/// accesses.
pub fn run(code: &Code, grid: &Grid, input: &Input, how: &How) -> Option<Ran> {
    let new = || Some(Launch::new(code, grid, input.clone(), how, detector(code, grid, how)?));
    let mut first = new()?;
    first.regions.iter_mut().for_each(Region::watch);
    while how.most_steps - first.left < how.workers.alone && !first.broken_off && first.start_next() {}
    let most = how.workers.most.min(first.most_live).min(first.groups() - first.next);
    if most < 2 {
        return Some(alone(code, first, how));
    }
    let mut others = Vec::new();
    for _ in 1..most {
        let mut launch = new()?;
        launch.regions.iter_mut().for_each(Region::watch);
        others.push(launch);
    }
    match Team::new(code, how, first, others).run() {
        Ok(ran) => Some(ran),
        Err(GaveUp::First(first)) => Some(alone(code, *first, how)),
        Err(GaveUp::All) => Some(alone(code, new()?, how)),
    }
}

/// Executes the remaining work with one worker.
fn alone(code: &Code, mut launch: Launch<'_>, how: &How) -> Ran {
    launch.regions.iter_mut().for_each(Region::look_away);
    launch.run(Schedule::InOrder);
    ran(code, launch, how)
}

/// The reusable state when workers have given up.
enum GaveUp<'a> {
    /// The first worker's launch, in a state that a single worker reaches.
    First(Box<Launch<'a>>),
    /// Nothing: the first worker has run groups out of a single worker's order.
    All,
}

/// The workers of a launch.
struct Team<'a> {
    workers: Vec<Worker<'a>>,
    shared: Shared,
    how: How,
}

/// A worker of a team.
struct Worker<'a> {
    launch: Launch<'a>,
    /// The end of its part of the list of groups.
    end: usize,
    /// The number of events that it had reported at the end of each round.
    rounds: Vec<usize>,
    /// The totals that it has reported to others: remaining steps, and touched bytes.
    left: u64,
    touched: u64,
}

/// The state shared by all workers.
struct Shared {
    /// Whether a worker has given up.
    gave_up: AtomicBool,
    steps: AtomicU64,
    touched: AtomicU64,
    most_steps: u64,
    workers: usize,
    /// Whether a group that yields may wait for another one.
    may_wait: bool,
}

impl<'a> Team<'a> {
    /// A team that shares the unstarted groups of the first launch among all launches.
    fn new(code: &Code, how: &How, first: Launch<'a>, others: Vec<Launch<'a>>) -> Self {
        let (begin, groups) = (first.next, first.groups());
        let workers = others.len() + 1;
        let shared = Shared {
            gave_up: AtomicBool::new(first.broken_off),
            steps: AtomicU64::new(how.most_steps - first.left),
            touched: AtomicU64::new(touched(&first)),
            most_steps: how.most_steps,
            workers,
            may_wait: may_wait(code),
        };
        let place = |number: usize| begin + (groups - begin) * number / workers;
        let part = |(number, mut launch): (usize, Launch<'a>)| {
            launch.next = place(number);
            let (left, touched) = (launch.left, touched(&launch));
            Worker { launch, end: place(number + 1), rounds: Vec::new(), left, touched }
        };
        let launches = std::iter::once(first).chain(others);
        Self { workers: launches.enumerate().map(part).collect(), shared, how: how.clone() }
    }

    fn run(mut self) -> Result<Ran, GaveUp<'a>> {
        for parts in [EARLY, 1] {
            self.workers.par_iter_mut().with_max_len(1).for_each(|worker| worker.start_groups(parts, &self.shared));
            if self.is_late() {
                return self.in_part();
            }
            if !self.agrees() {
                return Err(GaveUp::First(Box::new(self.workers.swap_remove(0).launch)));
            }
        }
        // The worker that has started the last group knows the length of turns after that.
        let mut patience = self.workers.last().map_or(0, |last| last.launch.patience);
        self.end_round();
        while self.workers.iter().any(|worker| worker.launch.live() > 0) {
            let visit = |worker: &mut Worker<'a>| worker.visit(patience, &self.shared);
            let ended = self.workers.par_iter_mut().with_max_len(1).map(visit).reduce(|| false, |a, b| a | b);
            if self.is_late() {
                return self.in_part();
            }
            if !self.agrees() {
                return Err(GaveUp::All);
            }
            if !ended && self.workers.iter_mut().all(|worker| worker.launch.all_go_round().is_some()) {
                // The first worker detects and reports this alone.
                return Err(GaveUp::All);
            }
            if !ended {
                patience = patience.saturating_mul(2);
            }
            self.end_round();
        }
        Ok(self.together())
    }

    fn is_late(&self) -> bool {
        self.workers.iter().any(|worker| worker.launch.is_late())
    }

    /// The result when the time is up; none if the workers depend on each other.
    fn in_part(mut self) -> Result<Ran, GaveUp<'a>> {
        self.end_round();
        if self.are_independent() { Ok(self.together()) } else { Err(GaveUp::All) }
    }

    fn end_round(&mut self) {
        for worker in &mut self.workers {
            worker.rounds.push(worker.launch.events.len());
        }
    }

    /// Whether the result of all workers so far equals that of one, and none has given up.
    fn agrees(&self) -> bool {
        !self.shared.gave_up.load(Ordering::Relaxed) && self.are_independent()
    }

    /// Whether the result of all workers so far equals that of one.
    fn are_independent(&self) -> bool {
        let launches = || self.workers.iter().map(|worker| &worker.launch);
        let events: usize = launches().map(|launch| launch.events.len()).sum();
        let arrays = launches().map(|launch| launch.regions.len()).max().unwrap_or(0);
        let region = |array: usize| launches().map(|launch| &launch.regions[array]).collect::<Vec<_>>();
        let detectors: Vec<&Detector> = launches().filter_map(|launch| launch.detector.as_ref()).collect();
        events < MOST_EVENTS.min(MOST_TOLD)
            && !detectors.iter().any(|detector| detector.exhausted)
            && (0..arrays).all(|array| Region::are_independent(&region(array)))
            && Detector::are_alike(&detectors)
    }

    /// The merged result of all workers.
    fn together(self) -> Ran {
        let (how, count, is_late) = (&self.how, self.workers.len(), self.is_late());
        let events = events(&self.workers);
        let steps = self.workers.iter().map(|worker| how.most_steps - worker.launch.left).sum();
        let launches = || self.workers.iter().map(|worker| &worker.launch);
        let detectors: Vec<&Detector> = launches().filter_map(|launch| launch.detector.as_ref()).collect();
        let unsure: BTreeSet<Position> = detectors.iter().flat_map(|detector| &detector.unsure).copied().collect();
        let watched = how.races.map(|_| Watched {
            unsure: unsure.into_iter().collect(),
            exhausted: false,
            bytes: Detector::bytes_of_all(&detectors),
            places: Detector::places_of_all(&detectors),
        });
        let mut all = self.workers.into_iter().map(|worker| worker.launch.regions);
        let mut regions = all.next().unwrap_or_default();
        for others in all {
            regions.iter_mut().zip(others).for_each(|(region, other)| region.take_over(other));
        }
        regions.iter_mut().for_each(Region::look_away);
        Ran { regions, events, steps, broken_off: is_late, is_late, watched, workers: count }
    }
}

impl Worker<'_> {
    /// Starts the first of `parts` parts of its own groups.
    fn start_groups(&mut self, parts: usize, shared: &Shared) {
        let until = self.launch.next + (self.end - self.launch.next).div_ceil(parts);
        while self.launch.next < until && !shared.gave_up.load(Ordering::Relaxed) {
            let has_started = self.launch.start_next();
            self.tell(shared);
            if !has_started || (shared.may_wait && self.launch.live() > 0) {
                shared.gave_up.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Runs its groups that have not ended; returns whether one ends.
    fn visit(&mut self, patience: u64, shared: &Shared) -> bool {
        self.launch.patience = patience;
        let ended = self.launch.visit_all();
        self.tell(shared);
        ended
    }

    /// Reports its consumption to the others, and gives up if a limit is exceeded.
    fn tell(&mut self, shared: &Shared) {
        let (steps, bytes) = (self.left - self.launch.left, touched(&self.launch) - self.touched);
        self.left -= steps;
        self.touched += bytes;
        let all = |sum: &AtomicU64, part: u64| sum.fetch_add(part, Ordering::Relaxed) + part;
        let too_much = (all(&shared.steps, steps) >= shared.most_steps)
            | (all(&shared.touched, bytes) > MOST_TOUCHED)
            | (self.launch.live() * shared.workers >= self.launch.most_live);
        if too_much {
            shared.gave_up.store(true, Ordering::Relaxed);
        }
    }
}

/// The bytes of the pages that a launch has touched.
fn touched(launch: &Launch<'_>) -> u64 {
    launch.regions.iter().map(Region::touched).sum()
}

/// Whether a group may wait for another one, by repeated reads of memory that the other one writes.
///
/// Without an indication that others may write in between, a compiler has merged these reads into
/// one.
fn may_wait(code: &Code) -> bool {
    code.steps.iter().any(|step| match step {
        Step::Atomic(_) | Step::Fence { .. } => true,
        Step::Load { strong, .. } | Step::LoadPointer { strong, .. } => *strong,
        _ => false,
    })
}

/// The events of all workers, in the order of a single worker, each reported once.
fn events(workers: &[Worker<'_>]) -> Vec<Event> {
    let mut told: Vec<Event> = Vec::new();
    let mut races: FxHashSet<Pair> = FxHashSet::default();
    let pairs = |worker: &Worker<'_>| worker.launch.detector.iter().flat_map(Detector::told).collect::<Vec<_>>();
    let mut pairs: Vec<_> = workers.iter().map(|worker| pairs(worker).into_iter()).collect();
    let rounds = workers.first().map_or(0, |first| first.rounds.len());
    for round in 0..rounds {
        for (worker, pairs) in workers.iter().zip(&mut pairs) {
            let begin = round.checked_sub(1).map_or(0, |before| worker.rounds[before]);
            for event in &worker.launch.events[begin..worker.rounds[round]] {
                let is_new = match event.what {
                    // The pairs are in the order of the events.
                    Wrong::Race(_) => pairs.next().is_some_and(|pair| races.insert(pair)),
                    _ => !told.iter().any(|other| event.is_like(other)),
                };
                if is_new {
                    told.push(*event);
                }
            }
        }
    }
    told
}
