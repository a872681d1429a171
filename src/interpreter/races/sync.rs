//! Threads that learn from each other through memory: release and acquire.
//!
//! A thread that writes to a place with a releasing operation, or with a plain atomic one behind a releasing fence, leaves there
//! what it knows (at the operation, or at the fence); one that reads it from there with an acquiring operation, or with an
//! atomic one before an acquiring fence, learns it. A read-modify-write hands on what was there and adds its own; a store
//! that is none replaces it, but for what the same thread has released there since the last store of another one (the release
//! sequence of C11 and OpenCL; observation order and release patterns in the PTX model, which keep what C++20 has dropped). Both must
//! include the other thread in their scope: that is PTX's rule ("morally strong"), and stricter than the BARRACUDA paper's
//! (section 3.3.3), which lets one scope of the two suffice where the hardware of its time did.
//!
//! OpenCL orders the two memories apart (section 3.3.7). What is released through a place of one memory tells of accesses to that memory;
//! of the other one, too, where both sides are fences of both memories, or both sides are sequentially consistent ([`Means`]).

use lockstep_ir::kernel::{Array, Ordering, Scope};
use smallvec::SmallVec;

use super::clock::{BySpace, Clock, Layout, Who};

/// Within which threads an operation works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Those of a warp.
    Warp,
    /// Those of a group.
    Group,
    /// All of the launch.
    Launch,
}

impl Level {
    /// The level of a scope; `None`: the thread alone. Of a cluster only the group counts, which is less.
    pub fn of(scope: Scope) -> Option<Self> {
        match scope {
            Scope::Thread => None,
            Scope::Warp => Some(Self::Warp),
            Scope::Group | Scope::Cluster => Some(Self::Group),
            Scope::Device | Scope::System => Some(Self::Launch),
        }
    }

    /// Whether it holds both threads.
    pub fn holds(self, a: Who, b: Who, layout: Layout) -> bool {
        match self {
            Self::Launch => true,
            Self::Group => a.group == b.group,
            Self::Warp => a.group == b.group && layout.warp(a) == layout.warp(b),
        }
    }
}

/// Whether an ordering lets others know.
pub fn releases(ordering: Ordering) -> bool {
    matches!(ordering, Ordering::Release | Ordering::AcquireRelease | Ordering::SequentiallyConsistent)
}

/// Whether an ordering learns from others.
pub fn acquires(ordering: Ordering) -> bool {
    matches!(ordering, Ordering::Acquire | Ordering::AcquireRelease | Ordering::SequentiallyConsistent)
}

/// By which means something was released: to whom it tells of the memory that the place is not in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Means {
    /// To nobody.
    One,
    /// To fences of both memories; to all where memories are not ordered apart.
    Both,
    /// To what is sequentially consistent.
    Total,
}

/// Who has released, and how: as far as any operation of the kernel tells threads apart, the first thread of the warp or the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct From {
    level: Level,
    means: Means,
    who: Who,
}

/// A place through which threads learn: the group of local arrays, the array, the first byte.
pub type Place = (Option<u64>, Array, u64);

/// Changes of a place one after the other, in which nothing that was released got lost.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// Which of all.
    pub number: u64,
    /// What has been released in it.
    pub released: Released,
}

/// What has been released, by whom and to whom.
#[derive(Clone, Debug, Default)]
pub struct Released(SmallVec<[(From, BySpace<Clock>); 1]>);

impl Released {
    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds what a thread lets others know. `finest` is the lowest level of any operation in the kernel.
    pub fn add(
        &mut self,
        (level, means): (Level, Means),
        who: Who,
        finest: Level,
        layout: Layout,
        clocks: &BySpace<Clock>,
    ) {
        let who = match finest {
            Level::Launch => Who { group: 0, number: 0 },
            Level::Group => Who { group: who.group, number: 0 },
            Level::Warp => Who { group: who.group, number: layout.warp(who) * layout.warp_size },
        };
        self.join(From { level, means, who }, clocks);
    }

    /// Adds everything of another, at most at this level.
    pub fn add_all(&mut self, other: &Self, level: Level) {
        for (from, clocks) in &other.0 {
            self.join(From { level: from.level.min(level), ..*from }, clocks);
        }
    }

    /// Adds everything of another, as it is.
    pub fn join_all(&mut self, other: &Self) {
        for (from, clocks) in &other.0 {
            self.join(*from, clocks);
        }
    }

    /// Adds what a thread may see, with an operation of this level.
    pub fn add_seen(&mut self, other: &Self, level: Level, who: Who, layout: Layout) {
        for (from, clocks) in other.seen_by(level, who, layout) {
            self.join(*from, clocks);
        }
    }

    /// What a thread learns with an operation of this level.
    pub fn learned(&self, level: Level, who: Who, layout: Layout) -> impl Iterator<Item = (Means, &BySpace<Clock>)> {
        self.seen_by(level, who, layout).map(|(from, clocks)| (from.means, clocks))
    }

    fn join(&mut self, from: From, clocks: &BySpace<Clock>) {
        match self.0.binary_search_by_key(&from, |(known, _)| *known) {
            Ok(at) => join(&mut self.0[at].1, clocks),
            Err(at) => self.0.insert(at, (from, clocks.clone())),
        }
    }

    fn seen_by(&self, level: Level, who: Who, layout: Layout) -> impl Iterator<Item = (&From, &BySpace<Clock>)> {
        let holds = move |from: &From| from.level.holds(from.who, who, layout) && level.holds(from.who, who, layout);
        self.0.iter().filter(move |(from, _)| holds(from)).map(|(from, clocks)| (from, clocks))
    }
}

/// Adds to each clock what the other one knows.
pub fn join(clocks: &mut BySpace<Clock>, others: &BySpace<Clock>) {
    clocks.iter_mut().zip(others).for_each(|(clock, other)| clock.join(other));
}
