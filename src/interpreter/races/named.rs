//! Barriers of some of a group's threads, of which some do not wait.

use super::clock::{BySpace, Clock, Time, Unit, Who};
use super::{Detector, GroupWatch, SPACES};
use crate::Thread;

/// What a thread knows when it arrives, itself included.
#[derive(Clone, Debug)]
pub struct Arrived {
    learned: BySpace<Clock>,
    /// What is its own, or of its warp: few, and apart from the rest, which many threads share.
    units: BySpace<Vec<(Unit, Time)>>,
}

impl Detector {
    /// A thread arrives at a barrier; what it does from now on, those who wait there do not learn of.
    pub fn arrive(&mut self, watch: &GroupWatch, thread: &mut Thread) -> Arrived {
        let me = Who { group: watch.clock.group, number: thread.number };
        let learned =
            SPACES.map(|space| thread.clock.more.as_ref().map(|more| more.learned[space].clone()).unwrap_or_default());
        let units = SPACES.map(|space| self.own_units(&thread.clock, me, space));
        self.advance(&mut thread.clock);
        Arrived { learned, units }
    }
}

/// The threads that wait know what all have known that have arrived.
pub fn pass_named<'a>(threads: &mut [Thread], waiting: &[usize], arrived: impl Iterator<Item = &'a Arrived> + Clone) {
    let all: BySpace<Clock> = SPACES.map(|space| {
        let mut all = Clock::default();
        arrived.clone().for_each(|arrived| all.join(&arrived.learned[space]));
        arrived.clone().flat_map(|arrived| &arrived.units[space]).for_each(|(unit, time)| all.learn(*unit, *time));
        all
    });
    for &thread in waiting {
        threads[thread].clock.more().learned.clone_from(&all);
    }
}
