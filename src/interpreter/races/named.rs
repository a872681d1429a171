//! Knowledge at named barriers, at which some threads do not wait.

use super::clock::{BySpace, Clock, Time, Unit, Who};
use super::{Detector, GroupWatch, SPACES};
use crate::Thread;

/// The knowledge of a thread when it arrives, including itself.
#[derive(Clone, Debug)]
pub struct Arrived {
    learned: BySpace<Clock>,
    /// The knowledge about itself and its warp.
    ///
    /// It is small, and separate from the rest, which many threads share.
    units: BySpace<Vec<(Unit, Time)>>,
}

impl Detector {
    /// Records a thread's arrival at a barrier.
    ///
    /// Its later steps are not visible to the threads that wait there.
    pub fn arrive(&mut self, watch: &GroupWatch, thread: &mut Thread) -> Arrived {
        let me = Who { group: watch.clock.group, number: thread.number };
        let learned =
            SPACES.map(|space| thread.clock.more.as_ref().map(|more| more.learned[space].clone()).unwrap_or_default());
        let units = SPACES.map(|space| self.own_units(&thread.clock, me, space));
        self.advance(&mut thread.clock);
        Arrived { learned, units }
    }
}

/// Adds the knowledge of all threads that have arrived to the threads that wait.
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
