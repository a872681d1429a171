//! What a thread knows of others: vector clocks, as small as what is known allows (BARRACUDA, section 4.3.1).
//!
//! Every thread counts a **time** of its own, from 1 on, that advances when others may learn of what it has done so far. An
//! access is **stamped** with who made it, when, and where in the code. A thread knows of an access if it has learned of that thread's
//! time or of a later one; then the access comes before whatever the thread does next.
//!
//! The vector of all times that a thread knows of is never written down. What barriers teach is the same for many: of the
//! launch, of the group and of the warp one time each stands for all threads of it (the paper's formats for warps that are together,
//! and for those that have parted: what one part has not learned of the other is told by the time of the warp). Lanes that
//! meet in parts have a time for each lane (its format for nested branches); and what a thread has learned from another one
//! through memory is a map of units to times ([`Clock`], its sparse format), which shares its parts with the maps it came from.
//! A thread that has learned nothing that way takes 24 bytes while it runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use super::super::Grid;
use super::fences::Fences;
use super::sync::{Place, Released, Sequence};

/// A thread's count of what it has let others know.
pub type Time = u32;

/// A thread of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Who {
    /// Its group's number.
    pub group: u64,
    /// Its number in the group.
    pub number: u32,
}

/// Who made an access, when, and where in the code; 0 is none. A stamp leaves the highest bit free.
pub type Stamp = u64;

/// How stamps are put together: from the highest bit the time, the group, the number in it, the site.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    group_bits: u32,
    number_bits: u32,
    site_bits: u32,
    /// Threads in a warp.
    pub warp_size: u32,
    /// Threads in a group; numbers from there on are those of copies beside them.
    pub threads: u32,
    /// Whether there are such copies.
    pub has_copies: bool,
}

/// How many bits it takes to tell so many things apart.
fn bits(count: u64) -> u32 {
    64 - count.saturating_sub(1).leading_zeros()
}

impl Layout {
    /// For a launch, so many copies in each group beside its threads, and code of so many sites; `None` if there would be no room for
    /// times.
    pub fn new(grid: &Grid, copies: u32, sites: u64) -> Option<Self> {
        let numbers = grid.group_threads().checked_add(copies.into())?;
        let (group_bits, number_bits, site_bits) = (bits(grid.groups()), bits(numbers), bits(sites));
        let threads = u32::try_from(grid.group_threads()).ok()?;
        let layout =
            Self { group_bits, number_bits, site_bits, warp_size: grid.warp_size, threads, has_copies: copies > 0 };
        (group_bits + number_bits + site_bits <= 51).then_some(layout)
    }

    /// A stamp.
    pub fn stamp(self, who: Who, time: Time, site: u64) -> Stamp {
        let thread = (who.group << self.number_bits) | u64::from(who.number);
        (((u64::from(time) << (self.group_bits + self.number_bits)) | thread) << self.site_bits) | site
    }

    /// The last time that there is room for.
    pub fn last_time(self) -> Time {
        let bits = 63 - self.group_bits - self.number_bits - self.site_bits;
        u32::try_from((1u64 << bits.min(32)) - 1).expect("at most 32 bits")
    }

    /// When.
    pub fn time(self, stamp: Stamp) -> Time {
        u32::try_from(stamp >> (self.group_bits + self.number_bits + self.site_bits)).expect("stamped with 32 bits")
    }

    /// Who.
    pub fn who(self, stamp: Stamp) -> Who {
        let thread = stamp >> self.site_bits;
        let number = thread & ((1 << self.number_bits) - 1);
        let group = (thread >> self.number_bits) & ((1 << self.group_bits) - 1);
        Who { group, number: u32::try_from(number).expect("stamped with 32 bits") }
    }

    /// Where.
    pub fn site(self, stamp: Stamp) -> u64 {
        stamp & ((1 << self.site_bits) - 1)
    }

    /// Whether it is no thread, but a copy beside those of its group.
    pub fn is_copy(self, who: Who) -> bool {
        who.number >= self.threads
    }

    /// A thread's warp in its group.
    pub fn warp(self, who: Who) -> u32 {
        who.number / self.warp_size
    }

    /// How far two threads are from each other: 0 is the same one, then the same warp, the same group, the launch.
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

/// Threads that one time stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// All of the launch.
    Launch,
    /// A group's.
    Group(u64),
    /// Those of a warp: the group, the warp in it.
    Warp(u64, u32),
    /// One.
    Thread(Who),
}

/// Times of units: of a thread the latest of those that stand for it is known, 0 if there is none.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    times: Times,
    /// What is known of fences, where that orders anything: of global memory's clocks alone.
    pub fences: Option<Arc<Fences>>,
}

/// A few times lie side by side, in no order; many in a map that shares its parts with those that it came from.
#[derive(Clone, Debug)]
enum Times {
    Few(Vec<(Unit, Time)>),
    Many(OrdMap<Unit, Time>),
}

/// More times than that are many. A node of the map has room for 16, of which a clock of its own would leave most empty.
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

    /// What is known of fences, made if there is nothing.
    pub fn fences_mut(&mut self) -> &mut Fences {
        Arc::make_mut(self.fences.get_or_insert_default())
    }

    /// The times alone.
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

    /// The time known of a thread.
    pub fn of(&self, who: Who, layout: Layout) -> Time {
        if self.number_of_times() == 0 {
            return 0;
        }
        let units = [Unit::Thread(who), Unit::Warp(who.group, layout.warp(who)), Unit::Group(who.group), Unit::Launch];
        units.into_iter().filter_map(|unit| self.get(unit)).max().unwrap_or(0)
    }

    /// The time known of a copy, for which no barrier stands.
    pub fn of_copy(&self, who: Who) -> Time {
        self.get(Unit::Thread(who)).unwrap_or(0)
    }

    /// What is known of copies.
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

    /// Learns a time of a unit.
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

    /// Learns all that another clock knows.
    pub fn join(&mut self, other: &Self) {
        match (&mut self.fences, &other.fences) {
            (_, None) => {}
            (Some(known), Some(others)) if Arc::ptr_eq(known, others) => {}
            (Some(known), Some(others)) => Arc::make_mut(known).join(others),
            (known @ None, Some(others)) => *known = Some(others.clone()),
        }
        match (&mut self.times, &other.times) {
            (Times::Many(all), Times::Many(others)) => join_many(all, others),
            // What few know is added to what many know, which is shared.
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

/// Adds to each time of a map that of another one. Of maps that came from each other only what they do not share is looked at, so
/// that who learns much again and again (from a flag that each group hands on to the next one) takes no longer for it.
fn join_many(all: &mut OrdMap<Unit, Time>, others: &OrdMap<Unit, Time>) {
    // How much smaller a map must be for its times to be looked up one by one.
    const FEWER: usize = 16;
    let mut few = others.clone();
    if all.len() < few.len() {
        std::mem::swap(all, &mut few);
    }
    let known = all.clone();
    let mut learn = |unit: Unit, time: Time| {
        if known.get(&unit).is_none_or(|known| *known < time) {
            all.insert(unit, time);
        }
    };
    if few.len() < known.len() / FEWER {
        few.iter().for_each(|(unit, time)| learn(*unit, *time));
    } else {
        known.diff(&few).filter_map(only_in_second).for_each(|(unit, time)| learn(unit, time));
    }
}

/// What of a difference the second map has.
fn only_in_second(difference: DiffItem<'_, '_, Unit, Time>) -> Option<(Unit, Time)> {
    match difference {
        DiffItem::Add(unit, time) | DiffItem::Update { new: (unit, time), .. } => Some((*unit, *time)),
        DiffItem::Remove(..) => None,
    }
}

/// One for each memory that a barrier may order for itself: local memory, global memory, images.
pub type BySpace<T> = [T; 3];

/// What is known by all threads of a group.
#[derive(Clone, Debug, Default)]
pub struct GroupClock {
    /// The group's number.
    pub group: u64,
    /// The time that stands for every thread of the group, since its last barrier.
    pub known: BySpace<Time>,
    /// What threads had learned that came to a barrier.
    pub learned: BySpace<Clock>,
}

/// What a thread knows besides.
#[derive(Clone, Debug)]
pub struct ThreadClock {
    /// Its own time.
    pub own: Time,
    /// The time that stands for every lane of its warp, since they last met.
    pub warp: BySpace<Time>,
    /// The rest, which most threads do without.
    pub more: Option<Box<More>>,
}

/// What few threads need.
#[derive(Clone, Debug, Default)]
pub struct More {
    /// Times of the single lanes, where some know more than others; empty otherwise.
    pub lanes: BySpace<Vec<Time>>,
    /// What it has learned through memory.
    pub learned: BySpace<Clock>,
    /// What its last releasing fences let others know through places of each memory.
    pub fenced: BySpace<Released>,
    /// What it has read of in each memory, and learns at its next acquiring fence.
    pub seen: BySpace<Released>,
    /// What its releasing operations have left where.
    pub headed: BTreeMap<Place, Sequence>,
    /// The past of the write that it has observed last.
    pub observed: Option<Arc<Released>>,
}

impl ThreadClock {
    /// A thread at the beginning.
    pub fn new(time: Time) -> Self {
        Self { own: time, warp: [0; 3], more: None }
    }

    /// The rest, made if there is none.
    pub fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    /// The time that it knows of a lane of its warp.
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
        /// Clocks that learn, are copied, and learn from each other, few times and many, know the latest of all.
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
                        // Many at a time, so that some clocks have many and some few.
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
