//! Asynchronous copies of a group: each is a thread of its own, numbered after the group's threads.
//!
//! A copy is made by no particular thread of the group. So it knows everything that all of them
//! know when they have arrived to start it: the knowledge from their last barrier, and the copies
//! for which they have waited. In a group with one thread, it knows everything that this thread has
//! done. Barriers give no knowledge of a copy; only waiting for it does. Then all threads of the
//! group know of it, and so does every thread that learns from them. Numbers are reused, with a
//! later time, once the copy has been waited for.

use super::clock::{Clock, ThreadClock, Time, Unit, Who};
use super::{Accessed, Detector, GroupWatch, Race};
use crate::Thread;

/// The maximum number of a group's copies in flight.
pub const MOST: u32 = 64;

/// The numbers of a group's copies.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// The number of times that each number was allocated.
    times: Vec<Time>,
    free: Vec<u32>,
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
        if self.layout.is_copy(who) {
            return threads.iter().any(|(group, _)| *group == who.group);
        }
        threads.contains(&(who.group, who.number))
    }

    /// The thread reported for an access: the thread itself, or for a copy one of its group.
    ///
    /// For a copy, it is a thread other than the one with which it races, if there is one.
    pub fn told_for(&self, who: Who, other: Who) -> u32 {
        if !self.layout.is_copy(who) {
            return who.number;
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
