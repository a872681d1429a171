//! Actions of threads in findings.

use serde::{Deserialize, Serialize};

/// The action of a thread at its place in a finding.
///
/// [`Act::name`] is part of the JSON format and of fingerprints, and must not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
pub enum Act {
    /// An ordinary read.
    #[strum(serialize = "read")]
    Read,
    /// An ordinary write.
    #[strum(serialize = "write")]
    Write,
    /// An atomic access.
    #[strum(serialize = "atomic")]
    Atomic,
    /// The read of an asynchronous copy.
    #[strum(serialize = "async-read")]
    AsyncRead,
    /// The write of an asynchronous copy.
    #[strum(serialize = "async-write")]
    AsyncWrite,
    /// An access of any kind.
    #[strum(serialize = "access")]
    Access,
    /// An access whose address is no multiple of its type's alignment.
    #[strum(serialize = "accesses at an address that is not aligned")]
    MisalignedAccess,
    /// A read of memory that nobody has written.
    #[strum(serialize = "reads what has not been written")]
    UnwrittenRead,
    /// A read of the value of a lane that does not take part.
    #[strum(serialize = "reads from a lane that does not take part")]
    InactiveLaneRead,
    /// The execution of an operation of the group.
    #[strum(serialize = "executes")]
    GroupOperation,
    /// The execution of a warp operation whose mask lacks the thread's own lane.
    #[strum(serialize = "executes with a mask without its lane")]
    ForeignMask,
    /// The thread arrives at a barrier.
    #[strum(serialize = "reaches")]
    Reaches,
    /// The thread does not arrive at a barrier.
    #[strum(serialize = "does not reach")]
    DoesNotReach,
    /// The thread waits at a warp barrier for the other, which its mask names.
    #[strum(serialize = "waits for the other, which its mask names")]
    WaitsForLane,
    /// The thread does not arrive at a warp barrier.
    #[strum(serialize = "does not arrive")]
    DoesNotArrive,
    /// The thread arrives at a warp barrier, and its mask names the other.
    #[strum(serialize = "arrives with a mask that names the other")]
    NamesOther,
    /// The thread arrives at a warp barrier with another mask.
    #[strum(serialize = "arrives with another mask")]
    OtherMask,
    /// The thread expects another number of threads at a named barrier than takes part.
    #[strum(serialize = "expects more or fewer threads than come to this barrier")]
    CountsOthers,
    /// The thread comes to a named barrier before its last round is complete.
    #[strum(serialize = "comes before the last round of this barrier is complete")]
    ComesTooEarly,
    /// The thread waits at a named barrier, and not all others come.
    #[strum(serialize = "waits for ever")]
    WaitsForEver,
    /// The thread uses an mbarrier that need not have been initialised.
    #[strum(serialize = "uses an mbarrier that is not initialised")]
    UsesUninitialised,
    /// The thread arrives at a named barrier where nobody waits.
    #[strum(serialize = "arrives where nobody waits")]
    ArrivesUnawaited,
    /// The thread comes to an assertion that does not hold.
    #[strum(serialize = "assertion")]
    Assertion,
    /// The thread comes to a loop invariant that does not hold.
    #[strum(serialize = "invariant")]
    Invariant,
    /// The thread computes an index that overflows.
    #[strum(serialize = "computes an index that overflows")]
    OverflowingIndex,
    /// The thread calls a function through a pointer that points to none.
    #[strum(serialize = "calls through a pointer to no known function")]
    UnknownCall,
}

impl Act {
    /// The name in formats for programs, and for most acts the verb in texts.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether the thread waits at a barrier.
    pub fn waits(self) -> bool {
        matches!(self, Self::Reaches | Self::WaitsForLane)
    }
}
