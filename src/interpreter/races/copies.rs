//! Asynchronous copies: each is a thread of its own, numbered after the group's threads.
//!
//! A copy of a group is made by no particular thread of the group. So it knows everything that all
//! of them
//! know when they have arrived to start it: the knowledge from their last barrier, and the copies
//! for which they have waited. In a group with one thread, it knows everything that this thread has
//! done. Barriers give no knowledge of a copy; only waiting for it does. Then all threads of the
//! group know of it, and so does every thread that learns from them. Numbers are reused, with a
//! later time, once the copy has been waited for.
//!
//! A copy of a thread knows what the thread knows when it starts it, its own accesses included. The
//! thread learns of it by waiting, and hands this knowledge on at barriers like all that it has
//! learned. Each thread has numbers of its own for its copies, so that a copy tells whose it is.

use std::collections::BTreeMap;

use super::clock::{Clock, ThreadClock, Time, Unit, Who};
use super::{Accessed, Detector, GroupWatch, Race};
use crate::code::Code;
use crate::{Grid, Thread};

/// The maximum number of a group's copies in flight.
const MOST: u32 = 64;

/// The maximum number of a thread's copies in flight: each is a bit of a word.
const MOST_OF_THREAD: u32 = 64;

/// The numbers of a group's copies.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// The number of times that each number was allocated.
    times: Vec<Time>,
    free: Vec<u32>,
    /// The copies of each thread.
    of_threads: BTreeMap<u32, OfThread>,
}

/// The numbers of a thread's copies.
#[derive(Clone, Debug, Default)]
struct OfThread {
    /// The copies in flight: a bit for each.
    in_flight: u64,
    /// The number of copies that were started.
    started: Time,
}

/// How many numbers a group's copies need; `None` if there are too many.
pub fn numbers(code: &Code, grid: &Grid) -> Option<u32> {
    let of_threads = code.asynchronous.iter().any(|copy| copy.group.is_of_threads());
    match (of_threads, !code.asynchronous.is_empty()) {
        (true, _) => {
            let threads = u32::try_from(grid.group_threads()).ok()?;
            threads.checked_mul(MOST_OF_THREAD)?.checked_add(MOST)
        }
        (false, true) => Some(MOST),
        (false, false) => Some(0),
    }
}

/// A copy in flight: its number after those of the threads, and its knowledge.
#[derive(Clone, Debug)]
pub struct Copying {
    number: u32,
    clock: ThreadClock,
}

impl Detector {
    /// Starts a copy that all threads of a group have reached.
    ///
    /// It is `None` if there are too many to distinguish.
    pub fn start_copy(&mut self, watch: &mut GroupWatch, threads: &mut [Thread]) -> Option<Copying> {
        let numbers = &mut watch.copies;
        let free = numbers.free.pop().or_else(|| {
            let next = u32::try_from(numbers.times.len()).expect("few");
            (next < MOST).then(|| numbers.times.push(0)).map(|()| next)
        });
        let Some(free) = free else {
            self.exhausted = true;
            return None;
        };
        let time = &mut numbers.times[free as usize];
        *time += 1;
        let mut clock = ThreadClock::new(*time);
        self.exhausted |= *time >= self.layout.last_time();
        if let [alone] = threads {
            let me = Who { group: watch.clock.group, number: alone.number };
            clock.more().learned = self.known_to(&watch.clock, &alone.clock, me);
            self.advance(&mut alone.clock);
        }
        Some(Copying { number: self.layout.threads + free, clock })
    }

    /// Ends a copy for which all threads of a group have waited.
    pub fn end_copy(&mut self, watch: &mut GroupWatch, copy: Copying) {
        let unit = Unit::Thread(Who { group: watch.clock.group, number: copy.number });
        watch.clock.learned.iter_mut().for_each(|learned| learned.learn(unit, copy.clock.own));
        watch.copies.free.push(copy.number - self.layout.threads);
    }

    /// Starts a copy of a thread.
    ///
    /// It is `None` if there are too many to distinguish.
    pub fn start_own_copy(&mut self, watch: &mut GroupWatch, thread: &mut Thread) -> Option<Copying> {
        let own = watch.copies.of_threads.entry(thread.number).or_default();
        let free = own.in_flight.trailing_ones();
        if free >= MOST_OF_THREAD {
            self.exhausted = true;
            return None;
        }
        own.in_flight |= 1 << free;
        own.started += 1;
        let mut clock = ThreadClock::new(own.started);
        self.exhausted |= own.started >= self.layout.last_time();
        let me = Who { group: watch.clock.group, number: thread.number };
        clock.more().learned = self.known_to(&watch.clock, &thread.clock, me);
        self.advance(&mut thread.clock);
        let first = self.layout.threads + MOST + thread.number * MOST_OF_THREAD;
        Some(Copying { number: first + free, clock })
    }

    /// Ends a copy for which its thread has waited.
    pub fn end_own_copy(&mut self, watch: &mut GroupWatch, thread: &mut Thread, copy: &Copying) {
        let unit = Unit::Thread(Who { group: watch.clock.group, number: copy.number });
        thread.clock.more().learned.iter_mut().for_each(|learned| learned.learn(unit, copy.clock.own));
        if let Some(own) = watch.copies.of_threads.get_mut(&thread.number) {
            own.in_flight &= !(1 << ((copy.number - self.layout.threads - MOST) % MOST_OF_THREAD));
        }
    }

    /// The thread that started a copy for itself.
    fn owner(&self, who: Who) -> Option<u32> {
        Some(who.number.checked_sub(self.layout.threads + MOST)? / MOST_OF_THREAD)
    }

    /// Compares an access of a copy with earlier ones, as [`Detector::access`] does.
    pub fn access_of_copy(
        &mut self,
        watch: &mut GroupWatch,
        copy: &Copying,
        accessed: Accessed,
        same: impl Fn(u64, u64) -> bool,
        found: impl FnMut(Race),
    ) {
        self.access(watch, (&copy.clock, copy.number), accessed, same, found);
    }

    /// Whether accesses of this thread or copy are compared with others.
    pub(super) fn is_watched(&self, who: Who) -> bool {
        let Some(threads) = self.races.between else { return true };
        if let Some(owner) = self.owner(who) {
            return threads.contains(&(who.group, owner));
        }
        if self.layout.is_copy(who) {
            return threads.iter().any(|(group, _)| *group == who.group);
        }
        threads.contains(&(who.group, who.number))
    }

    /// The thread that is reported for an access: the thread itself, or the thread that started the
    /// copy. A copy of a group is reported for one of the group's threads.
    ///
    /// For a copy of the group, it is a thread other than the one with which it races, if there is
    /// one.
    pub fn told_for(&self, who: Who, other: Who) -> u32 {
        if !self.layout.is_copy(who) {
            return who.number;
        }
        if let Some(owner) = self.owner(who) {
            return owner;
        }
        let of_group =
            |(group, number): &(u64, u32)| *group == who.group && (*group, *number) != (other.group, other.number);
        if let Some((_, number)) = self.races.between.iter().flatten().find(|thread| of_group(thread)) {
            return *number;
        }
        u32::from((other.group, other.number) == (who.group, 0) && self.layout.threads > 1)
    }

    /// The knowledge about copies in any of these clocks.
    pub(super) fn copies_known<'a>(&self, clocks: impl Iterator<Item = &'a Clock>) -> Clock {
        let mut all = Clock::default();
        clocks.for_each(|clock| all.join(&clock.of_copies(self.layout)));
        all
    }
}
