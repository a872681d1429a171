//! The locks around the accesses of a race.

use serde::{Deserialize, Serialize};

/// The locks around the two accesses of a race, in the run that confirms it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locks {
    /// The locks that the thread of each access has taken before it and not given back, in the
    /// order of the accesses. In a race between groups, these are also the locks that other threads
    /// of its group have taken before a barrier of the group.
    pub held: [Vec<Held>; 2],
    /// A change between the accesses by which another thread gives back a lock that both hold.
    pub given_back: Option<GivenBack>,
}

impl Locks {
    /// Whether both accesses are made under locks, and under no common one.
    pub fn differ(&self) -> bool {
        let [first, second] = &self.held;
        let is_common = |held: &Held| second.iter().any(|other| other.lock == held.lock);
        !first.is_empty() && !second.is_empty() && !first.iter().any(is_common)
    }
}

/// A lock.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Lock {
    /// Its cell as the source would write it: `locks[3]`.
    pub place: String,
    /// The group whose local memory has the cell, if it is local memory.
    pub of_group: Option<Vec<u64>>,
}

/// A lock that a thread holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Held {
    /// The lock.
    pub lock: Lock,
    /// The file of the operation that took it.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// The thread of the group that took it.
    pub by: Vec<u64>,
}

/// A thread gives back a lock that another one holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenBack {
    /// The lock.
    pub lock: Lock,
    /// The file of the operation that gives it back.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// The group of the thread that gives it back.
    pub block: Vec<u64>,
    /// The thread in its group.
    pub thread: Vec<u64>,
}
