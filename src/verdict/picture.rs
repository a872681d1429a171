//! What only a report that is drawn shows: the threads' ways to a finding, the bytes they touch, the programs that were proved.

use serde::{Deserialize, Serialize};

use super::names::{Name, known_name};

/// What a picture of a finding shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// The array concerned.
    pub array: Option<ArrayShape>,
    /// The bytes of each of [`super::Finding::accesses`]; `None` where they are not known.
    pub touched: Vec<Option<Touched>>,
    /// The way of the thread of each access to it; empty where it is not known.
    pub ways: Vec<Way>,
}

/// How an array is laid out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayShape {
    /// Its name.
    pub name: String,
    /// The element's type as the source writes it.
    pub element: Option<String>,
    /// Its size in bytes; 1 where the array has no declared elements.
    pub element_bytes: u64,
    /// The dimensions of a multi-dimensional array in elements, outermost first; empty or one for a plain one.
    pub dimensions: Vec<u64>,
    /// The size of the array in bytes, if it is known.
    pub bytes: Option<u64>,
}

/// The bytes of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    /// The first one, from the array's beginning; negative before it.
    pub first: i64,
    /// How many.
    pub bytes: u64,
}

/// The barriers on a thread's way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// Those that it has passed, in order.
    pub passed: Vec<Passed>,
    /// Where it has come to then.
    pub end: WayEnd,
    /// Those that it passes afterwards, before the other thread has come to its end.
    pub after: Vec<Passed>,
}

/// A barrier that a thread has passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    /// The source file of the barrier.
    pub file: String,
    /// Its line; 0 if unknown.
    pub line: u32,
    /// Whose it is.
    pub of: BarrierOf,
    /// Threads that have passed it together have the same number.
    pub meeting: u32,
}

/// Whom a barrier makes wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BarrierOf {
    /// Lanes of a warp.
    Warp,
    /// The threads of a group.
    Group,
    /// All threads of the launch.
    Launch,
}

/// Where a thread has come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WayEnd {
    /// To the place that the finding tells.
    There,
    /// To a place where it waits for others; file and line.
    Waits(String, u32),
    /// To the end of the kernel.
    Returned,
}

/// A sequential program that was to be proved, for people to read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// Of which two threads: `two threads of the same group`.
    #[serde(deserialize_with = "known_name")]
    pub pair: Name,
    /// What came of it, in a sentence.
    pub outcome: String,
    /// The invariants that were proved.
    pub loops: Vec<LoopShown>,
    /// How many of them are left out.
    pub more_invariants: usize,
    /// The first lines of the program.
    pub text: String,
    /// How many lines are left out.
    pub more_lines: usize,
}

/// A loop with the invariants that were proved for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopShown {
    /// Its line; 0 if unknown.
    pub line: u32,
    /// Each with the family that proposed it.
    pub invariants: Vec<(String, String)>,
}
