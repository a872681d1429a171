//! Knowledge at named barriers, at which some threads do not wait.

use std::collections::VecDeque;

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
pub struct Gathered {
    all: BySpace<Clock>,
    /// Some of what it was made of. The threads of a group share most of their knowledge, so it
    /// need not be compared again.
    from: BySpace<VecDeque<Clock>>,
}

/// The most clocks of which it is remembered that they are included.
const REMEMBERED: usize = 4;

impl Gathered {
    /// Adds that of another arrival.
    pub fn add(&mut self, arrived: &Arrived) {
        for space in SPACES {
            let (all, from, learned) = (&mut self.all[space], &mut self.from[space], &arrived.learned[space]);
            if !from.iter().any(|clock| clock.is_same(learned)) {
                all.join(learned);
                from.push_back(learned.clone());
                if from.len() > REMEMBERED {
                    from.pop_front();
                }
            }
            arrived.units[space].iter().for_each(|(unit, time)| all.learn(*unit, *time));
        }
    }

    /// Adds it to that of a thread.
    pub fn pass(&self, thread: &mut Thread) {
        for space in SPACES {
            let learned = &mut thread.clock.more().learned[space];
            let own = std::mem::replace(learned, self.all[space].clone());
            if !self.from[space].iter().any(|clock| clock.is_same(&own)) {
                learned.join(&own);
            }
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
