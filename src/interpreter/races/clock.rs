//! Vector clocks, compressed as far as possible (BARRACUDA, section 4.3.1).
//!
//! Every thread has a **time** of its own, counted from 1, that advances when it releases its
//! accesses to others. An access is **stamped** with its thread, its time and its site in the code.
//! A thread knows of an access if it has learned that thread's time or a later one. Then the access
//! happens before the thread's next steps.
//!
//! The full vector of known times is never stored. Knowledge from barriers is shared by many
//! threads: one time each for the launch, the group and the warp represents all their threads.
//! (These are the paper's formats for converged warps, and for diverged ones: the time of the warp
//! represents the part of the knowledge that one branch has not received from the other.) Lanes
//! that meet in subsets have a time for each lane (the paper's format for nested branches).
//! Knowledge acquired from other threads through memory is a map of units to times ([`Clock`], the
//! paper's sparse format). It shares structure with the maps from which it was derived. A thread
//! without such knowledge takes 24 bytes while it runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use super::super::Grid;
use super::fences::Fences;
use super::sync::{Place, Released, Sequence};

/// A thread's time: the number of its releases.
pub type Time = u32;

/// A thread of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Who {
    /// Its group's number.
    pub group: u64,
    /// Its number in its group.
    pub number: u32,
}

/// A stamp: the thread of an access, its time and its site in the code; 0 is none.
///
/// The highest bit of a stamp is always free.
pub type Stamp = u64;

/// The layout of stamps: time, group, number in the group and site, from the highest bit.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    group_bits: u32,
    number_bits: u32,
    site_bits: u32,
    /// The number of threads in a warp.
    pub warp_size: u32,
    /// The number of threads in a group; larger numbers are those of asynchronous copies.
    pub threads: u32,
    /// Whether there are such copies.
    pub has_copies: bool,
}

/// The number of bits that distinguish `count` values.
fn bits(count: u64) -> u32 {
    64 - count.saturating_sub(1).leading_zeros()
}

impl Layout {
    /// The layout for a launch; `None` if no bits would be left for times.
    ///
    /// It has room for this number of copies in each group, and for code with this number of sites.
    pub fn new(grid: &Grid, copies: u32, sites: u64) -> Option<Self> {
        let numbers = grid.group_threads().checked_add(copies.into())?;
        let (group_bits, number_bits, site_bits) = (bits(grid.groups()), bits(numbers), bits(sites));
        let threads = u32::try_from(grid.group_threads()).ok()?;
        let layout =
            Self { group_bits, number_bits, site_bits, warp_size: grid.warp_size, threads, has_copies: copies > 0 };
        (group_bits + number_bits + site_bits <= 51).then_some(layout)
    }

    /// Makes a stamp.
    pub fn stamp(self, who: Who, time: Time, site: u64) -> Stamp {
        let thread = (who.group << self.number_bits) | u64::from(who.number);
        (((u64::from(time) << (self.group_bits + self.number_bits)) | thread) << self.site_bits) | site
    }

    /// The largest time that fits.
    pub fn last_time(self) -> Time {
        let bits = 63 - self.group_bits - self.number_bits - self.site_bits;
        u32::try_from((1u64 << bits.min(32)) - 1).expect("at most 32 bits")
    }

    /// The time of a stamp.
    pub fn time(self, stamp: Stamp) -> Time {
        u32::try_from(stamp >> (self.group_bits + self.number_bits + self.site_bits)).expect("stamped with 32 bits")
    }

    /// The thread of a stamp.
    pub fn who(self, stamp: Stamp) -> Who {
        let thread = stamp >> self.site_bits;
        let number = thread & ((1 << self.number_bits) - 1);
        let group = (thread >> self.number_bits) & ((1 << self.group_bits) - 1);
        Who { group, number: u32::try_from(number).expect("stamped with 32 bits") }
    }

    /// The site of a stamp.
    pub fn site(self, stamp: Stamp) -> u64 {
        stamp & ((1 << self.site_bits) - 1)
    }

    /// Whether it is an asynchronous copy of its group instead of a thread.
    pub fn is_copy(self, who: Who) -> bool {
        who.number >= self.threads
    }

    /// A thread's warp in its group.
    pub fn warp(self, who: Who) -> u32 {
        who.number / self.warp_size
    }

    /// The distance between two threads: same thread (0), warp, group, launch.
    pub fn distance(self, a: Stamp, b: Stamp) -> u8 {
        let (a, b) = (self.who(a), self.who(b));
        match (a == b, a.group == b.group, self.warp(a) == self.warp(b)) {
            (true, ..) => 0,
            (false, true, true) => 1,
            (false, true, false) => 2,
            (false, false, _) => 3,
        }
    }
}

/// A unit: the threads that one time represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// All threads of the launch.
    Launch,
    /// The threads of a group.
    Group(u64),
    /// The threads of a warp: the group, and the warp in it.
    Warp(u64, u32),
    /// A single thread.
    Thread(Who),
    /// A chain of strong writes of a place, with the number of its writes in place of a time.
    Chain(u64),
}

/// A map of units to times; the time of a thread is the latest of its units, and 0 without any.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    times: Times,
    /// The knowledge about fences, if it affects ordering: only in global memory's clocks.
    pub fences: Option<Arc<Fences>>,
}

/// A list of few times, or a persistent map of many.
///
/// The list is unordered. The map shares structure with its origins.
#[derive(Clone, Debug)]
enum Times {
    Few(Vec<(Unit, Time)>),
    Many(OrdMap<Unit, Time>),
}

/// The largest number of times in a list.
///
/// A node of the map has room for 16, which would be mostly empty for such a clock.
const FEW: usize = 8;

impl Default for Times {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl Clock {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.number_of_times() == 0 && self.fences.is_none()
    }

    /// The knowledge about fences, created if absent.
    pub fn fences_mut(&mut self) -> &mut Fences {
        Arc::make_mut(self.fences.get_or_insert_default())
    }

    /// The clock without its knowledge about fences.
    #[must_use]
    pub fn without_fences(self) -> Self {
        Self { fences: None, ..self }
    }

    fn number_of_times(&self) -> usize {
        match &self.times {
            Times::Few(times) => times.len(),
            Times::Many(times) => times.len(),
        }
    }

    fn get(&self, unit: Unit) -> Option<Time> {
        match &self.times {
            Times::Few(times) => times.iter().find(|(known, _)| *known == unit).map(|(_, time)| *time),
            Times::Many(times) => times.get(&unit).copied(),
        }
    }

    /// The known time of a thread.
    pub fn of(&self, who: Who, layout: Layout) -> Time {
        if self.number_of_times() == 0 {
            return 0;
        }
        let units = [Unit::Thread(who), Unit::Warp(who.group, layout.warp(who)), Unit::Group(who.group), Unit::Launch];
        units.into_iter().filter_map(|unit| self.get(unit)).max().unwrap_or(0)
    }

    /// The number of the writes of a chain that are known.
    pub fn of_chain(&self, number: u64) -> Time {
        if self.number_of_times() == 0 { 0 } else { self.get(Unit::Chain(number)).unwrap_or(0) }
    }

    /// Forgets all chains.
    pub fn forget_chains(&mut self) {
        match &mut self.times {
            Times::Few(times) => times.retain(|(unit, _)| !matches!(unit, Unit::Chain(_))),
            // Chains are the last units in order, and their numbers begin with 1.
            Times::Many(times) => {
                if times.get_max().is_some_and(|(unit, _)| matches!(unit, Unit::Chain(_))) {
                    *times = times.split(&Unit::Chain(0)).0;
                }
            }
        }
    }

    /// The known time of a copy, which no barrier represents.
    pub fn of_copy(&self, who: Who) -> Time {
        self.get(Unit::Thread(who)).unwrap_or(0)
    }

    /// The knowledge about copies.
    pub fn of_copies(&self, layout: Layout) -> Self {
        let mut copies = Self::default();
        self.for_each(|unit, time| match unit {
            Unit::Thread(who) if layout.is_copy(who) => copies.learn(unit, time),
            _ => {}
        });
        copies
    }

    fn for_each(&self, mut visit: impl FnMut(Unit, Time)) {
        match &self.times {
            Times::Few(times) => times.iter().for_each(|(unit, time)| visit(*unit, *time)),
            Times::Many(times) => times.iter().for_each(|(unit, time)| visit(*unit, *time)),
        }
    }

    /// Adds a time of a unit.
    pub fn learn(&mut self, unit: Unit, time: Time) {
        if time == 0 {
            return;
        }
        match &mut self.times {
            Times::Few(times) => match times.iter().position(|(known, _)| *known == unit) {
                Some(at) => times[at].1 = time.max(times[at].1),
                None if times.len() < FEW => times.push((unit, time)),
                None => self.times = Times::Many(times.iter().copied().chain([(unit, time)]).collect()),
            },
            Times::Many(times) => {
                if times.get(&unit).is_none_or(|known| *known < time) {
                    times.insert(unit, time);
                }
            }
        }
    }

    /// Whether two clocks are seen to be equal at a glance.
    pub fn is_same(&self, other: &Self) -> bool {
        let fences = match (&self.fences, &other.fences) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        match (&self.times, &other.times) {
            (Times::Many(one), Times::Many(other)) => fences && one.ptr_eq(other),
            (Times::Few(one), Times::Few(other)) => fences && one == other,
            _ => false,
        }
    }

    /// Adds everything that another clock knows.
    pub fn join(&mut self, other: &Self) {
        match (&mut self.fences, &other.fences) {
            (_, None) => {}
            (Some(known), Some(others)) if Arc::ptr_eq(known, others) => {}
            (Some(known), Some(others)) => Arc::make_mut(known).join(others),
            (known @ None, Some(others)) => *known = Some(others.clone()),
        }
        match (&mut self.times, &other.times) {
            (Times::Many(all), Times::Many(others)) => join_many(all, others),
            // The few times are added to the shared map of many.
            (Times::Few(few), Times::Many(_)) => {
                let few = std::mem::take(few);
                self.times = other.times.clone();
                for (unit, time) in few {
                    self.learn(unit, time);
                }
            }
            (_, Times::Few(few)) => few.iter().for_each(|(unit, time)| self.learn(*unit, *time)),
        }
    }
}

/// Merges the times of one map into another.
///
/// For maps with a common origin, only the unshared parts are visited. So repeated merges of large
/// maps (such as from a flag that each group passes on to the next) do not take longer. A map that
/// is covered by the other is replaced by it, so that maps that come to know the same are one, and
/// their next merge is free.
fn join_many(all: &mut OrdMap<Unit, Time>, others: &OrdMap<Unit, Time>) {
    // The size ratio from which the times of the smaller map are looked up one by one.
    const FEWER: usize = 16;
    if all.ptr_eq(others) {
        return;
    }
    if others.len() < all.len() / FEWER {
        return learn_all(all, others.iter().map(|(unit, time)| (*unit, *time)));
    }
    if all.len() < others.len() / FEWER {
        let few = std::mem::replace(all, others.clone());
        return learn_all(all, few.iter().map(|(unit, time)| (*unit, *time)));
    }
    let (mut mine, mut theirs) = (Vec::new(), Vec::new());
    for difference in all.diff(others) {
        match difference {
            DiffItem::Add(unit, time) => theirs.push((*unit, *time)),
            DiffItem::Remove(unit, time) => mine.push((*unit, *time)),
            DiffItem::Update { old: (unit, old), new: (_, new) } if old < new => theirs.push((*unit, *new)),
            DiffItem::Update { old: (unit, old), .. } => mine.push((*unit, *old)),
        }
    }
    if mine.len() < theirs.len() || mine.is_empty() {
        all.clone_from(others);
        learn_all(all, mine.into_iter());
    } else {
        learn_all(all, theirs.into_iter());
    }
}

/// Adds times that may be later than the known ones.
fn learn_all(all: &mut OrdMap<Unit, Time>, times: impl Iterator<Item = (Unit, Time)>) {
    for (unit, time) in times {
        if all.get(&unit).is_none_or(|known| *known < time) {
            all.insert(unit, time);
        }
    }
}

/// One value for each memory that a barrier may order separately.
///
/// The memories are local memory, global memory and images.
pub type BySpace<T> = [T; 3];

/// The knowledge of all threads of a group.
#[derive(Clone, Debug, Default)]
pub struct GroupClock {
    /// The group's number.
    pub group: u64,
    /// The time that represents every thread of the group, since its last barrier.
    pub known: BySpace<Time>,
    /// The knowledge of the threads that have arrived at a barrier.
    pub learned: BySpace<Clock>,
    /// The knowledge that these threads have read and not acquired, where it matters.
    pub heard: BySpace<Clock>,
}

/// The further knowledge of a thread.
#[derive(Clone, Debug)]
pub struct ThreadClock {
    /// Its own time.
    pub own: Time,
    /// The time that represents every lane of its warp, since they last met.
    pub warp: BySpace<Time>,
    /// The rest, which most threads do not need.
    pub more: Option<Box<More>>,
}

/// Data that few threads need.
#[derive(Clone, Debug, Default)]
pub struct More {
    /// The times of single lanes, if some know more than others; otherwise empty.
    pub lanes: BySpace<Vec<Time>>,
    /// The knowledge acquired through memory.
    pub learned: BySpace<Clock>,
    /// The knowledge that its last releasing fences publish through places of each memory.
    pub fenced: BySpace<Released>,
    /// The knowledge that it has read in each memory and acquires at its next acquiring fence.
    pub seen: BySpace<Released>,
    /// The knowledge that its releasing operations have left at each place.
    pub headed: BTreeMap<Place, Sequence>,
    /// The knowledge that its strong reads have read at each place, which its next acquiring
    /// operation on that place acquires (PTX).
    pub read: BTreeMap<Place, Released>,
    /// The past of the write that it observed last.
    pub observed: Option<Arc<Released>>,
}

impl ThreadClock {
    /// A thread in its initial state.
    pub fn new(time: Time) -> Self {
        Self { own: time, warp: [0; 3], more: None }
    }

    /// The rest, created if absent.
    pub fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    /// The known time of a lane of its warp.
    pub fn of_lane(&self, space: usize, lane: usize) -> Time {
        let lanes = self.more.as_ref().map_or(&[][..], |more| &more.lanes[space]);
        lanes.get(lane).copied().unwrap_or(0).max(self.warp[space])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn unit(number: u64) -> Unit {
        Unit::Thread(Who { group: number, number: 0 })
    }

    proptest! {
        /// Clocks know the latest times after learning, copying and joining.
        #[test]
        fn clocks_know_the_latest_times(
            steps in prop::collection::vec((0usize..4, 0usize..4, 0u64..400, 1u32..9, 0u8..8), 1..400),
        ) {
            let mut clocks = vec![Clock::default(); 4];
            let mut expected = vec![BTreeMap::<u64, Time>::new(); 4];
            for (a, b, number, time, what) in steps {
                match what {
                    0 => {
                        clocks[a] = clocks[b].clone();
                        expected[a] = expected[b].clone();
                    }
                    1 | 2 => {
                        let other = clocks[b].clone();
                        clocks[a].join(&other);
                        for (number, time) in expected[b].clone() {
                            let known = expected[a].entry(number).or_default();
                            *known = time.max(*known);
                        }
                    }
                    _ => {
                        // Many times are added at once, so some clocks have many and some few.
                        for number in number..number + u64::from(time) * 3 {
                            clocks[a].learn(unit(number), time);
                            let known = expected[a].entry(number).or_default();
                            *known = time.max(*known);
                        }
                    }
                }
                for (clock, expected) in clocks.iter().zip(&expected) {
                    prop_assert_eq!(clock.number_of_times(), expected.len());
                    for (&number, &time) in expected {
                        prop_assert_eq!(clock.get(unit(number)), Some(time));
                    }
                }
            }
        }
    }
}
