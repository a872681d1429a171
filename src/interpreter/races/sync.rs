//! Synchronisation through memory: release and acquire.
//!
//! A thread releases its knowledge at a place if it writes there with a releasing operation, or
//! with a plain atomic one after a releasing fence. The released knowledge is that at the
//! operation, or at the fence. A thread acquires it if it reads from there with an acquiring
//! operation, or with an atomic one before an acquiring fence. A read-modify-write passes on the
//! existing knowledge and adds its own. Any other store replaces it, except for knowledge that the
//! same thread has released there since the last store of another thread. (This is the release
//! sequence of C11 and OpenCL.) Each of the two operations must include the other thread in its
//! scope. This is PTX's rule ("morally strong"). It is stricter than that of the BARRACUDA paper
//! (section 3.3.3), in which one scope of the two suffices, as on the hardware of its time.
//!
//! In PTX, both patterns follow program order at a place (PTX ISA, "Release and Acquire
//! Patterns"), whatever other threads store there. "A release operation on M followed by a strong
//! write on M in program order" is a release pattern, so a thread's later writes release again what
//! its releasing operation has released. "A strong read on M followed by an acquire operation on M
//! in program order" is an acquire pattern, so an acquiring operation also acquires what the
//! thread's earlier strong reads of the place have read. The proof does not use this.
//!
//! OpenCL orders the two memories separately (section 3.3.7). A release through a place of one
//! memory covers accesses to that memory. It covers the other memory, too, if both sides are fences
//! of both memories, or if both sides are sequentially consistent ([`Means`]).

use lockstep_ir::kernel::{Array, Scope};
use smallvec::SmallVec;

use super::clock::{BySpace, Clock, Layout, Who};

/// The threads within which an operation synchronises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The threads of a warp.
    Warp,
    /// The threads of a group.
    Group,
    /// All threads of the launch.
    Launch,
}

impl Level {
    /// The level of a scope; `None` for the thread alone.
    ///
    /// For a cluster, whose groups are not known, it is the launch, which is larger. So no race is
    /// claimed that the cluster excludes, and the step is one at which races may be missed.
    pub fn of(scope: Scope) -> Option<Self> {
        match scope {
            Scope::Thread => None,
            Scope::Warp => Some(Self::Warp),
            Scope::Group => Some(Self::Group),
            Scope::Cluster | Scope::Device | Scope::System => Some(Self::Launch),
        }
    }

    /// Whether the level includes both threads.
    pub fn holds(self, a: Who, b: Who, layout: Layout) -> bool {
        match self {
            Self::Launch => true,
            Self::Group => a.group == b.group,
            Self::Warp => a.group == b.group && layout.warp(a) == layout.warp(b),
        }
    }
}

/// The means of a release, which determine who acquires knowledge about other memory.
///
/// The other memory is the one that does not contain the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Means {
    /// No acquirers.
    One,
    /// Fences of both memories; all acquirers if memories are not ordered separately.
    Both,
    /// Sequentially consistent operations.
    Total,
}

/// The thread that has released, and its means.
///
/// It is the first thread of the warp or the group if no operation of the kernel distinguishes
/// threads further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct From {
    level: Level,
    means: Means,
    who: Who,
}

/// A place through which threads synchronise: group, array, first byte.
///
/// The group is given for local arrays only.
pub type Place = (Option<u64>, Array, u64);

/// Consecutive changes of a place in which no released knowledge was lost.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The number of the sequence.
    pub number: u64,
    /// The knowledge released in it.
    pub released: Released,
}

/// Released knowledge, with its releasing threads and its acquirers.
#[derive(Clone, Debug, Default)]
pub struct Released(SmallVec<[(From, BySpace<Clock>); 1]>);

impl Released {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds knowledge that a thread publishes.
    ///
    /// `finest` is the lowest level of any operation in the kernel.
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

    /// Adds everything from another, at most at this level.
    pub fn add_all(&mut self, other: &Self, level: Level) {
        for (from, clocks) in &other.0 {
            self.join(From { level: from.level.min(level), ..*from }, clocks);
        }
    }

    /// Adds everything from another, unchanged.
    pub fn join_all(&mut self, other: &Self) {
        for (from, clocks) in &other.0 {
            self.join(*from, clocks);
        }
    }

    /// Adds the knowledge that a thread may see with an operation of this level.
    pub fn add_seen(&mut self, other: &Self, level: Level, who: Who, layout: Layout) {
        for (from, clocks) in other.seen_by(level, who, layout) {
            self.join(*from, clocks);
        }
    }

    /// The knowledge that a thread acquires with an operation of this level.
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

/// Adds the knowledge of each other clock to the corresponding one.
pub fn join(clocks: &mut BySpace<Clock>, others: &BySpace<Clock>) {
    clocks.iter_mut().zip(others).for_each(|(clock, other)| clock.join(other));
}
