//! Copies beside the threads of a group: each is a thread of its own, which has a number behind those of the group's threads.
//!
//! A copy is made by no particular thread of the group, so it knows what all of them know when they have come to start it: what their
//! last barrier has told, and which copies they have waited for; where the group is one thread, all that this one has
//! done. Of a copy nobody knows by a barrier, only by having waited for it: then all threads of the group know, and whoever learns from them.
//! Numbers are used again, with a later time, once the copy has been waited for.

use super::clock::{Clock, ThreadClock, Time, Unit, Who};
use super::{Accessed, Detector, GroupWatch, Race};
use crate::Thread;

/// The most copies that a group may have under way.
pub const MOST: u32 = 64;

/// The numbers of a group's copies.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// How often each number was given out.
    times: Vec<Time>,
    free: Vec<u32>,
}

/// A copy under way: its number behind those of the threads, and what it knows.
#[derive(Clone, Debug)]
pub struct Copying {
    number: u32,
    clock: ThreadClock,
}

impl Detector {
    /// All threads of a group have come to where a copy starts. `None` if there are more than can be told apart.
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

    /// All threads of a group have waited for a copy.
    pub fn end_copy(&mut self, watch: &mut GroupWatch, copy: Copying) {
        let unit = Unit::Thread(Who { group: watch.clock.group, number: copy.number });
        watch.clock.learned.iter_mut().for_each(|learned| learned.learn(unit, copy.clock.own));
        watch.copies.free.push(copy.number - self.layout.threads);
    }

    /// Compares an access of a copy with those before it, as [`Detector::access`] does.
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

    /// Whether accesses of this thread, or copy, are compared with others.
    pub(super) fn is_watched(&self, who: Who) -> bool {
        let Some(threads) = self.races.between else { return true };
        if self.layout.is_copy(who) {
            return threads.iter().any(|(group, _)| *group == who.group);
        }
        threads.contains(&(who.group, who.number))
    }

    /// The thread that is told for one that accesses memory: itself, or for a copy one of its group, another one than the thread that it
    /// races with if there is one.
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

    /// What is known of copies, by anybody in these clocks.
    pub(super) fn copies_known<'a>(&self, clocks: impl Iterator<Item = &'a Clock>) -> Clock {
        let mut all = Clock::default();
        clocks.for_each(|clock| all.join(&clock.of_copies(self.layout)));
        all
    }
}
