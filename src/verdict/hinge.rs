//! The facts that a possible finding hinges on, as plain data. [`lockstep_report::hinges`] has the
//! sentences.

use std::collections::BTreeSet;

use lockstep_ir::sequential::Unknown;
use lockstep_ir::source::Place;
use serde::{Deserialize, Serialize};

/// A fact that a finding, or a missing proof, hinges on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hinge {
    /// A value that the proof does not know.
    Value {
        /// The value.
        unknown: Unknown,
        /// The line where it arises, if that is known.
        place: Option<Place>,
    },
    /// More such values than are named.
    MoreValues(usize),
    /// The value of a parameter.
    Parameter {
        /// The parameter.
        name: String,
        /// Its value here.
        value: String,
    },
    /// A parameter that the host computes where that is not followed.
    OfHost {
        /// The parameter.
        name: String,
    },
    /// The contents that the program gives its arrays: with orderly ones there is no defect.
    Contents,
    /// The contents that the host copies to these variables: with other contents than those of the
    /// run there is no defect.
    SetByHost(Vec<String>),
    /// Numbers or contents of another run than that of the program without options, which makes
    /// this launch and has no such defect.
    OtherRun {
        /// The number of launches after which the run was broken off; none if it came to its end.
        first: Option<u64>,
    },
    /// Numbers or contents of another run than that of the program, which ends at another defect.
    BehindDefect,
    /// Groups of another size than those that the program without options launches, each with its
    /// threads; the kernel's address goes where it is not followed.
    OtherSizes {
        /// The threads per group of the launches in the program's run.
        launched: Vec<[u32; 3]>,
    },
    /// A launch: the program in the kernel's file never makes one.
    NeverLaunched,
    /// Axioms of `--boogie-file`, which are used for terms of the kernel only.
    Axioms,
    /// No run was tried.
    NotReplayed,
    /// The time limit passed before a run showed it.
    TimeUp,
    /// Runs were tried, and none showed it.
    Tried(Box<Tried>),
}

/// The outcome of runs for one finding, none of which has shown it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// The reason why the launch cannot be run.
    pub refused: Option<NoRun>,
    /// Whether the source states the property, so that only the proof evaluates it.
    pub is_stated: bool,
    /// An event before the defect that a run had, which makes the rest of the run meaningless.
    pub after: Option<Stop>,
    /// An event that stopped a run before.
    pub stopped_by: Option<Stop>,
    /// Runs that nothing stopped.
    pub ended: usize,
    /// The maximum number of steps of a run that was broken off.
    pub broken_off: Option<u64>,
    /// The orders in which threads ran.
    pub orders: BTreeSet<Order>,
    /// A read of memory that nobody has written: a run reads zero there, the proof any value.
    pub unwritten: Option<Stop>,
    /// Other differences between runs and the proof.
    pub beside: Vec<Difference>,
    /// Whether the accesses are in loops, about which the proof may know less than runs do.
    pub is_in_loop: bool,
    /// Whether the counterexample rests on unknown values.
    pub has_unknowns: bool,
}

/// The reason why a launch cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoRun {
    /// It has more threads than a run can have.
    TooManyThreads,
    /// It has too many threads to tell their accesses apart.
    TooManyToTellApart,
    /// The threads that run at the same time need this many bytes.
    TooMuchMemory(u64),
    /// Its arguments cannot be given to a run.
    Arguments,
    /// There is no debug information to find the places with.
    NoDebugInformation,
}

/// The order in which the threads of a run take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Order {
    /// Each thread to its end, or to a barrier, before the next.
    OneByOne,
    /// In turns.
    InTurns,
}

/// A difference between runs and the proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Difference {
    /// Runs leave variables at zero that the host sets.
    HostVariables(Vec<String>),
    /// Runs order accesses before a return by later barriers.
    ReturnsArrive,
    /// Runs treat overlapping atomic operations of equal width as atomic to each other.
    OverlappingAtomics,
    /// Runs do not report two writes of the same value as a race, although one is volatile.
    VolatileWrites,
    /// Runs do not wait for lanes that have returned.
    ReturnedLanes,
    /// Runs compare addresses that they have chosen.
    Addresses,
}

/// An event of a run, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// The event.
    pub what: Stopped,
    /// Its line, if that is known.
    pub place: Option<Place>,
}

/// An event that makes the rest of a run meaningless.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stopped {
    /// An access outside of the memory that the run gives an array.
    OutOfBounds {
        /// The array.
        array: String,
        /// The byte.
        offset: i64,
        /// Whether it is a write.
        writes: bool,
    },
    /// An access through the null pointer.
    Null,
    /// An access outside of an image.
    OutsideImage(String),
    /// A misaligned access.
    Misaligned(String),
    /// A write to constant memory.
    ConstantWritten(String),
    /// An assumption that does not hold.
    Assumption,
    /// A barrier that does not exist.
    NoSuchBarrier,
    /// Threads that arrive at a barrier where nobody waits for them.
    NobodyWaits,
    /// An mbarrier that is used wrongly.
    Phase,
    /// A read from a lane that does not take part.
    InactiveSource,
    /// A loop that never ends.
    GoesRound,
    /// Code that the source marks as unreachable.
    Unreachable,
    /// Undefined behaviour of an operation, as [`lockstep_interpreter::UndefinedOperation`]
    /// describes it.
    Undefined(String),
    /// A value that the language leaves open, described in the same way.
    AnyValue(String),
    /// An operation that is not run.
    Refused(String),
    /// The result of an unknown function.
    UnknownResult(String),
    /// A value that is not modelled.
    NotModelled,
    /// An assertion that does not hold.
    Assertion,
    /// A thread that waits for ever.
    WaitsForEver,
    /// A group operation with different operands.
    Differs,
    /// A copy that nobody waits for.
    NotWaitedFor,
    /// A lane that is not in its own mask.
    NotInMask,
    /// A trap.
    Trap,
    /// A read of memory that nobody has written.
    Unwritten(String),
    /// A race on another array.
    Race(String),
}
