//! The groups of a launch on several cores, with the result that one worker has who lets them run in order.
//!
//! The first groups run alone; where they take long, the list of the others is cut into as many parts as there are workers. Each
//! worker lets the groups of its part run, in order, on **memory of its own** that begins as the launch's does, with a detector and
//! events of its own; the first one goes on where it is. Of every page it is noted which bytes are read and which are written. If in the end
//! **no byte that one worker has written was accessed by another**, what all of them have is put together. If not, or if anything
//! else came up that workers decide together, the first worker goes on alone: it has done what one worker does first, and nothing is lost
//! but what the others did meanwhile. That is looked at early, too, after a part of the groups.
//!
//! # Why the result is that of one worker
//!
//! Let S be the run of one worker, and let no byte that a worker has written be accessed by another. Then every group does in the workers' runs
//! what it does in S, by induction over the steps of S: what a step depends on is the group's own (registers, private and local
//! memory, which start anew with the group), constant (code, sizes, addresses), or a byte of the launch's memory. A byte that is
//! read was last written by the same worker's groups, which come in the same order in both runs, or by nobody. So:
//!
//! * **Memory.** A byte holds what the one worker wrote that has written it, or what it held at first. A page exists if any worker
//!   has touched it.
//! * **Whose turn it is.** Groups that do not come to an end give way ([`super::launch`]): each is visited once, as it starts, and then all
//!   that are left in rounds, in the same order, with turns that get longer after rounds in which none ended. Workers go through
//!   the same rounds together, and where turns end groups do what they do in S. Two things would differ: groups that find no room,
//!   and a limit of steps that is reached. As soon as all workers together have less room, or less than one step left, they give up.
//!   (A turn that would be cut short by the limit in S has more steps than are left, and so has the sum.)
//! * **Events** depend on nothing else, and stand in S in the order of rounds, in each of them in that of the groups. Each worker has told
//!   one of each kind and place, the first of its own; so the first of S is the first that any worker has in that order, and the others
//!   are left out. That not all fit ([`MOST_EVENTS`], [`MOST_TOLD`]) is left to the first worker alone.
//! * **Races** are told from what is kept of earlier accesses to the same cell, and from clocks. A thread's clocks depend on its group's barriers, and on
//!   what it learns through memory from threads that have written where it reads: its worker's. A cell has bytes that only one worker has accessed, or
//!   bytes that nobody writes; all bytes of a cell are accessed alike (that is what makes it a cell). Of the former the worker has the stamps
//!   that S has. Of the latter S has stamps of other workers too, and keeps other ones where they are more than are kept; but
//!   no race comes of reads, and nowhere is anything [unsure](super::Watched::unsure) but where accesses conflict. What is kept of local memory is as new in each group
//!   ([`Shadow::clear`](super::races)).
//!   *One thing is common to workers*: a page's cells are words until somebody accesses it otherwise, and that tells where in a word a race is
//!   found first, and which writes are taken for writes of the same value. So pages that two workers touch must be kept alike by all of them from
//!   the beginning, and then they are so in S, whose first access to the page is the first one of some worker.
//!   Races are told once for each pair of sites: as for events. Clocks that run out stop the comparison in all groups to come: then the first
//!   worker goes on alone.
//! * **Copies and barriers with numbers** are a group's own, and what copies access are bytes as above, as pixels of images are. A copy's stamp is
//!   dropped for nobody's, and stands for nobody's; where it is one of a read that other workers have not seen, the argument about reads holds.
//! * **The time** that a run may take ends it anywhere. What independent workers have told by then is told; their runs are parts of S.
//! * **Loops that never end** are looked for when turns have become longer. Looking changes nothing; where all workers see nothing else they give up, and
//!   the first one finds them alone.
//! * **Atomic operations and fences** need no exception: what they do to memory are reads and writes. But groups that wait for each other
//!   find out late that they do, by turns that are lost. Where code has any of these, workers give up once a group gives way.
//!
//! What a run *costs* is not the same: pages that several workers touch exist once for each ([`Watched::bytes`] says what it says).
//! Where turns have become longer, workers that give up have lost what they did, as the first one has gone ahead of one that is alone: a kernel
//! that does not come to an end reaches its limit of steps twice.
//! Whether workers give up may depend on which of them is faster, and so may the time that a run takes, but nothing that it tells.

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

/// The steps that one worker executes before others join it: to share what takes less time costs more than it gains.
pub const ALONE: u64 = 1 << 18;

/// The bytes of memory that all workers together may touch; what is noted and kept of each takes up to 17 more.
const MOST_TOUCHED: u64 = 512 << 20;

/// After how much of the groups workers look whether they depend on each other: the first of so many parts, and then all.
const EARLY: usize = 16;

/// Whether a run is one that several workers may share.
pub fn is_for(code: &Code, how: &How) -> bool {
    let of_all = how.groups.is_none() && how.races.is_none_or(|races| races.between.is_none());
    how.workers.most > 1 && how.schedule == Schedule::InOrder && of_all && !has_grid_barrier(code)
}

/// Runs a kernel. `None` if races are to be found, and there are so many threads that their accesses cannot be told apart.
pub fn run(code: &Code, grid: &Grid, input: &Input, how: &How) -> Option<Ran> {
    let new = || Some(Launch::new(code, grid, input.clone(), how, detector(code, grid, how)?));
    let mut first = new()?;
    first.regions.iter_mut().for_each(Region::watch);
    while how.most_steps - first.left < how.workers.alone && !first.broken_off && first.start_next() {}
    let most = how.workers.most.min(first.most_live).min(first.groups() - first.next);
    if most < 2 {
        return Some(alone(first, how));
    }
    let mut others = Vec::new();
    for _ in 1..most {
        let mut launch = new()?;
        launch.regions.iter_mut().for_each(Region::watch);
        others.push(launch);
    }
    match Team::new(code, how, first, others).run() {
        Ok(ran) => Some(ran),
        Err(GaveUp::First(first)) => Some(alone(*first, how)),
        Err(GaveUp::All) => Some(alone(new()?, how)),
    }
}

/// One worker does what there is left to do.
fn alone(mut launch: Launch<'_>, how: &How) -> Ran {
    launch.regions.iter_mut().for_each(Region::look_away);
    launch.run(Schedule::InOrder);
    ran(launch, how)
}

/// What there is when workers have given up.
enum GaveUp<'a> {
    /// The first worker's launch: as one worker has it who has come so far.
    First(Box<Launch<'a>>),
    /// Nothing: of a round the first worker has done what others do before.
    All,
}

/// The workers of a launch.
struct Team<'a> {
    workers: Vec<Worker<'a>>,
    shared: Shared,
    how: How,
}

/// One of them.
struct Worker<'a> {
    launch: Launch<'a>,
    /// The end of its part of the list of groups.
    end: usize,
    /// How many events it had told at the end of each round.
    rounds: Vec<usize>,
    /// What it has told others of: steps that were left, and bytes touched.
    left: u64,
    touched: u64,
}

/// What all of them see.
struct Shared {
    /// Whether one of them has given up.
    gave_up: AtomicBool,
    steps: AtomicU64,
    touched: AtomicU64,
    most_steps: u64,
    workers: usize,
    /// Whether a group that gives way may wait for another one.
    may_wait: bool,
}

impl<'a> Team<'a> {
    /// The groups that have not started in the first launch are shared by all of these.
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
        // Who has started the last group knows how long turns are after that.
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
                // The first worker finds that out alone, and tells it.
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

    /// What has come of it when the time is up: of workers that depend on each other, nothing.
    fn in_part(mut self) -> Result<Ran, GaveUp<'a>> {
        self.end_round();
        if self.are_independent() { Ok(self.together()) } else { Err(GaveUp::All) }
    }

    fn end_round(&mut self) {
        for worker in &mut self.workers {
            worker.rounds.push(worker.launch.events.len());
        }
    }

    /// Whether the result of all workers so far is that of one, and they go on.
    fn agrees(&self) -> bool {
        !self.shared.gave_up.load(Ordering::Relaxed) && self.are_independent()
    }

    /// Whether the result of all workers so far is that of one.
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

    /// What all have done.
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
    /// Starts groups until so much of its own have been.
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

    /// Lets its groups run that have not ended: whether one does.
    fn visit(&mut self, patience: u64, shared: &Shared) -> bool {
        self.launch.patience = patience;
        let ended = self.launch.visit_all();
        self.tell(shared);
        ended
    }

    /// Tells others what it has used up, and gives up if that is more than there is.
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

/// Whether a group may wait for another one: by reading again and again what that one writes. Where nothing says that others may write meanwhile
/// a compiler has made one read of them.
fn may_wait(code: &Code) -> bool {
    code.steps.iter().any(|step| match step {
        Step::Atomic(_) | Step::Fence { .. } => true,
        Step::Load { strong, .. } | Step::LoadPointer { strong, .. } => *strong,
        _ => false,
    })
}

/// The events of all workers, in the order of one, each told once.
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
                    // The pairs are told in the order of the events.
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
