//! Data for drawn reports only: the threads' ways to a finding, the bytes they touch, and the
//! programs that were proved.

use serde::{Deserialize, Serialize};

use super::names::{Name, known_name};

/// The data of a picture of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// The array concerned.
    pub array: Option<ArrayShape>,
    /// The bytes of each of [`super::Finding::accesses`]; `None` where they are not known.
    pub touched: Vec<Option<Touched>>,
    /// The way of each access's thread to the access; empty if it is not known.
    pub ways: Vec<Way>,
}

/// The layout of an array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayShape {
    /// Its name.
    pub name: String,
    /// The element's type as the source writes it.
    pub element: Option<String>,
    /// Its size in bytes; 1 where the array has no declared elements.
    pub element_bytes: u64,
    /// The dimensions of a multi-dimensional array in elements, outermost first. Empty, or one
    /// entry, for a plain array.
    pub dimensions: Vec<u64>,
    /// The size of the array in bytes, if it is known.
    pub bytes: Option<u64>,
}

/// The bytes of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    /// The first one, from the array's beginning; negative before it.
    pub first: i64,
    /// The number of bytes.
    pub bytes: u64,
}

/// The barriers on a thread's way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// The barriers passed, in order.
    pub passed: Vec<Passed>,
    /// The end of the way.
    pub end: WayEnd,
    /// The barriers passed afterwards, before the other thread reaches its end.
    pub after: Vec<Passed>,
}

/// A barrier that a thread has passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    /// The source file of the barrier.
    pub file: String,
    /// Its line; 0 if unknown.
    pub line: u32,
    /// The threads that it makes wait.
    pub of: BarrierOf,
    /// The number of the meeting: threads that pass the barrier together have the same number.
    pub meeting: u32,
}

/// The threads that a barrier makes wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BarrierOf {
    /// Lanes of a warp.
    Warp,
    /// The threads of a group.
    Group,
    /// All threads of the launch.
    Launch,
}

/// The end of a thread's way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WayEnd {
    /// The place of the finding.
    There,
    /// A place where the thread waits for others; file and line.
    Waits(String, u32),
    /// The end of the kernel.
    Returned,
}

/// A sequential program that was to be proved, for people to read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// The pair of threads that it is about: `two threads of the same group`.
    #[serde(deserialize_with = "known_name")]
    pub pair: Name,
    /// The outcome, in a sentence.
    pub outcome: String,
    /// The invariants that were proved.
    pub loops: Vec<LoopShown>,
    /// The number of omitted invariants.
    pub more_invariants: usize,
    /// The first lines of the program.
    pub text: String,
    /// The number of omitted lines.
    pub more_lines: usize,
}

/// A loop with the invariants that were proved for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopShown {
    /// Its line; 0 if unknown.
    pub line: u32,
    /// The invariants, each with the family that proposed it.
    pub invariants: Vec<(String, String)>,
}
