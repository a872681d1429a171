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

/// The knowledge of all that have arrived at a phase object.
#[derive(Clone, Debug, Default)]
pub struct Gathered(Option<BySpace<Clock>>);

impl Gathered {
    /// Adds that of another arrival.
    pub fn add(&mut self, arrived: &Arrived) {
        let all = self.0.get_or_insert_with(|| SPACES.map(|_| Clock::default()));
        for space in SPACES {
            all[space].join(&arrived.learned[space]);
            arrived.units[space].iter().for_each(|(unit, time)| all[space].learn(*unit, *time));
        }
    }

    /// Adds it to that of a thread.
    pub fn pass(&self, thread: &mut Thread) {
        let Some(all) = &self.0 else { return };
        for space in SPACES {
            thread.clock.more().learned[space].join(&all[space]);
        }
    }
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
