//! Named barriers, for some of a group's threads (PTX ISA, `bar`).
//!
//! A barrier is for a number of threads. When they have arrived, it completes: the waiting ones
//! continue, and its next round begins. A thread that arrives without waiting continues at once.
//! Warps arrive as a whole (`.aligned` requires this, and `bar` implies it). Once all lanes that
//! have not returned have arrived, a warp counts with its full number of threads. A lane that has
//! arrived twice before the others have arrived once has also arrived at the next round.
//!
//! Arrivals are meant for threads that wait. So it is reported if a barrier completes without a
//! waiting thread. It is also reported if a barrier is incomplete when the group ends although
//! threads have arrived. (PTX pairs `barrier.arrive` of producers with `barrier.sync` or
//! `barrier.red` of consumers. According to WEFT, section 3, a program that leaves a barrier half
//! complete is not well synchronised.)
//!
//! Everything that the arriving threads did before, waiting or not, happens before the later steps
//! of the waiting threads.

use std::collections::{BTreeMap, VecDeque};

use lockstep_ir::kernel::SpaceSet;

use super::code::{NamedBarrier, Position};
use super::events::Wrong;
use super::group::Group;
use super::machine::{Reach, Stop};
use super::races::{self, Arrived};

/// The number of named barriers in a PTX group.
const BARRIERS: u64 = 16;

/// The barriers of a group, by their numbers.
pub type NamedBarriers = BTreeMap<u64, Round>;

/// The arrivals at a barrier since it last completed.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// For each thread, the arrivals that wait for the rest of its warp.
    pending: Vec<VecDeque<Arrival>>,
    /// The arrivals that count.
    counted: Vec<Arrival>,
    /// The number of threads for which they count.
    threads: u64,
    /// The number of threads for which the barrier is.
    expected: u64,
}

#[derive(Clone, Debug)]
struct Arrival {
    thread: usize,
    at: Position,
    waits: bool,
    expected: u64,
    known: Option<Arrived>,
}

impl Group {
    /// Records a thread's arrival at a named barrier.
    pub fn arrive(&mut self, reach: &mut Reach<'_>, thread: usize, at: Position, barrier: NamedBarrier) {
        let warp = u64::from(reach.grid.warp_size);
        let all = u64::try_from(self.threads.len()).expect("counted").div_ceil(warp) * warp;
        let id = self.threads[thread].get(barrier.id);
        let expected = barrier.count.map_or(all, |count| self.threads[thread].get(count));
        if id >= BARRIERS || expected == 0 || !expected.is_multiple_of(warp) {
            reach.wrong(&self.threads[thread], Wrong::NoSuchBarrier { id, threads: expected }, at);
        }
        let known = reach.watch.as_mut().map(|watch| watch.detector.arrive(watch.group, &mut self.threads[thread]));
        let round = self.named.entry(id).or_default();
        round.pending.resize_with(self.threads.len(), VecDeque::new);
        round.pending[thread].push_back(Arrival { thread, at, waits: barrier.waits, expected, known });
        self.complete(reach, id);
    }

    /// Releases threads whose barrier is complete because lanes of their warp have returned.
    ///
    /// It returns whether there are any.
    pub fn release_named(&mut self, reach: &mut Reach<'_>) -> bool {
        let numbers: Vec<u64> = self.named.keys().copied().collect();
        let mut released = false;
        for id in numbers {
            released |= self.complete(reach, id);
        }
        released
    }

    /// Counts the warps that have arrived, and releases the threads when the barrier is complete.
    ///
    /// It returns whether any threads were released.
    fn complete(&mut self, reach: &mut Reach<'_>, id: u64) -> bool {
        let mut released = false;
        while let Some(lanes) = self.whole_warp(reach, id) {
            let Some(round) = self.named.get_mut(&id) else { break };
            let come: Vec<Arrival> = lanes.into_iter().filter_map(|lane| round.pending[lane].pop_front()).collect();
            self.count(reach, id, come);
            let round = &self.named[&id];
            if round.threads >= round.expected {
                released |= self.pass_named(reach, id);
            }
        }
        released
    }

    /// The lanes of a warp that has arrived as a whole and does not count yet.
    fn whole_warp(&self, reach: &Reach<'_>, id: u64) -> Option<std::ops::Range<usize>> {
        let warp = usize::try_from(reach.grid.warp_size).expect("at most 64");
        let pending = &self.named.get(&id)?.pending;
        let has_come = |lane: usize| !pending[lane].is_empty();
        let is_missing = |lane: usize| !has_come(lane) && self.stops[lane] != Some(Stop::Finished);
        let warps = (0..pending.len()).step_by(warp).map(|start| start..(start + warp).min(pending.len()));
        warps.into_iter().find(|lanes| lanes.clone().any(has_come) && !lanes.clone().any(is_missing))
    }

    fn count(&mut self, reach: &mut Reach<'_>, id: u64, come: Vec<Arrival>) {
        let round = self.named.get_mut(&id).expect("somebody has come");
        if round.counted.is_empty() {
            round.expected = come[0].expected;
        }
        round.threads += u64::from(reach.grid.warp_size);
        let differs = come.iter().find(|arrival| arrival.expected != round.expected);
        if let Some(arrival) = differs {
            let threads = arrival.expected;
            reach.wrong(&self.threads[arrival.thread], Wrong::NoSuchBarrier { id, threads }, arrival.at);
        }
        round.counted.extend(come);
    }

    /// Reports arrivals without effect, once the threads have returned.
    ///
    /// These were not counted, or were counted at a barrier that did not complete.
    pub fn look_for_arrivals_left(&mut self, reach: &mut Reach<'_>) {
        for (id, round) in std::mem::take(&mut self.named) {
            if let Some(arrival) = round.counted.first().or_else(|| round.pending.iter().flatten().next()) {
                let what = Wrong::NobodyWaits { id, come: round.threads, threads: arrival.expected };
                reach.wrong(&self.threads[arrival.thread], what, arrival.at);
            }
        }
    }

    /// Releases the waiting threads; returns whether there are any.
    fn pass_named(&mut self, reach: &mut Reach<'_>, id: u64) -> bool {
        let round = self.named.get_mut(&id).expect("somebody has come");
        let counted = std::mem::take(&mut round.counted);
        if let Some(arrival) = counted.first().filter(|_| !counted.iter().any(|arrival| arrival.waits)) {
            let what = Wrong::NobodyWaits { id, come: round.threads, threads: round.expected };
            reach.wrong(&self.threads[arrival.thread], what, arrival.at);
        }
        let round = self.named.get_mut(&id).expect("somebody has come");
        round.threads = 0;
        let waiting: Vec<usize> =
            counted.iter().filter(|arrival| arrival.waits).map(|arrival| arrival.thread).collect();
        if let Some(watch) = &mut reach.watch {
            let is_there = |thread: usize| waiting.contains(&thread) || self.stops[thread] == Some(Stop::Finished);
            if (0..self.threads.len()).all(is_there) && waiting.len() == counted.len() {
                watch.detector.group_barrier(watch.group, &mut self.threads, SpaceSet::ALL);
            } else {
                let arrived = counted.iter().filter_map(|arrival| arrival.known.as_ref());
                races::pass_named(&mut self.threads, &waiting, arrived);
            }
        }
        for &thread in &waiting {
            self.stops[thread] = None;
        }
        !waiting.is_empty()
    }
}
