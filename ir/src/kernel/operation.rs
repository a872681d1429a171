//! The kinds of operations that [`Operation`] has.

use super::keyword::Keyword;
use super::{Array, Value};
#[cfg(doc)]
use super::{ArrayOrigin, Operation, Type};

/// An operation on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Bitwise complement; logical on Booleans.
    Not,
    /// Two's complement negation.
    Negate,
}

/// An operation on two bit-vectors; `And`, `Or` and `Xor` on two Booleans also.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::VariantArray)]
pub enum BinaryOp {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Unsigned quotient.
    UnsignedDivide,
    /// Signed quotient, rounded towards zero.
    SignedDivide,
    /// Unsigned remainder.
    UnsignedRemainder,
    /// Signed remainder, with the sign of the dividend.
    SignedRemainder,
    /// Shift left.
    ShiftLeft,
    /// Shift right; zeros are shifted in.
    LogicalShiftRight,
    /// Shift right; copies of the sign bit are shifted in.
    ArithmeticShiftRight,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive disjunction.
    Xor,
}

impl BinaryOp {
    /// All of them.
    pub const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The operator in C.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::UnsignedDivide | Self::SignedDivide => "/",
            Self::UnsignedRemainder | Self::SignedRemainder => "%",
            Self::ShiftLeft => "<<",
            Self::LogicalShiftRight | Self::ArithmeticShiftRight => ">>",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
        }
    }

    /// Whether it shifts.
    pub fn is_shift(self) -> bool {
        matches!(self, Self::ShiftLeft | Self::LogicalShiftRight | Self::ArithmeticShiftRight)
    }

    /// Whether it divides.
    pub fn is_division(self) -> bool {
        self.is_partial() && !self.is_shift()
    }

    /// Whether languages leave the result undefined for some operands: a divisor of zero, a
    /// distance of the width or more.
    pub fn is_partial(self) -> bool {
        match self {
            Self::UnsignedDivide
            | Self::SignedDivide
            | Self::UnsignedRemainder
            | Self::SignedRemainder
            | Self::ShiftLeft
            | Self::LogicalShiftRight
            | Self::ArithmeticShiftRight => true,
            Self::Add | Self::Subtract | Self::Multiply | Self::And | Self::Or | Self::Xor => false,
        }
    }
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::VariantArray)]
pub enum CompareOp {
    /// `=`
    Equal,
    /// `≠`
    NotEqual,
    /// Unsigned `<`.
    UnsignedLess,
    /// Unsigned `≤`.
    UnsignedLessEqual,
    /// Signed `<`.
    SignedLess,
    /// Signed `≤`.
    SignedLessEqual,
}

impl CompareOp {
    /// All of them.
    pub const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;
}

/// A conversion to the result's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConvertOp {
    /// To a wider bit-vector, filled with zeros. A Boolean becomes 0 or 1.
    ZeroExtend,
    /// To a wider bit-vector, filled with the sign bit. A Boolean becomes 0 or -1.
    SignExtend,
    /// To a narrower bit-vector: the low bits. To a Boolean: the lowest bit.
    Truncate,
    /// The same bits as another type of the same width (floats, bit-vectors; a Boolean and
    /// `Bits(1)`).
    Bitcast,
}

/// Float arithmetic; comparisons return a Boolean, conversions the result's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatOp {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// `fmod(a, b)`
    Remainder,
    /// `a * b + c`, rounded once.
    FusedMultiplyAdd,
    /// `a * b + c`, rounded once or twice.
    MultiplyAdd,
    /// Square root.
    SquareRoot,
    /// Ordered and equal.
    OrderedEqual,
    /// Ordered and not equal.
    OrderedNotEqual,
    /// Ordered and less.
    OrderedLess,
    /// Ordered and at most.
    OrderedLessEqual,
    /// Neither is a NaN.
    Ordered,
    /// Unordered or equal.
    UnorderedEqual,
    /// Unordered or not equal.
    UnorderedNotEqual,
    /// Unordered or less.
    UnorderedLess,
    /// Unordered or at most.
    UnorderedLessEqual,
    /// One is a NaN.
    Unordered,
    /// To another float format, to nearest even.
    FromFloat,
    /// From a signed integer, to nearest even.
    FromSigned,
    /// From an unsigned integer, to nearest even.
    FromUnsigned,
    /// To a signed integer, towards zero.
    ToSigned,
    /// To an unsigned integer, towards zero.
    ToUnsigned,
}

/// The kind of an atomic operation. All but `Store` and the forms without a result return the old
/// value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Writes, returns the old value.
    Exchange,
    /// Writes the second operand if the old value equals the first; returns the old value.
    CompareExchange,
    /// Adds.
    Add,
    /// Subtracts.
    Subtract,
    /// Increments; with an operand: wraps to 0 above it (CUDA).
    Increment,
    /// Decrements; with an operand: wraps to it below 0 and above it (CUDA).
    Decrement,
    /// Signed minimum.
    SignedMin,
    /// Signed maximum.
    SignedMax,
    /// Unsigned minimum.
    UnsignedMin,
    /// Unsigned maximum.
    UnsignedMax,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive disjunction.
    Xor,
    /// Float addition.
    FloatAdd,
    /// Float subtraction.
    FloatSubtract,
    /// Float minimum.
    FloatMin,
    /// Float maximum.
    FloatMax,
}

/// The memory ordering of an atomic or a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ordering {
    /// Nothing.
    Relaxed,
    /// Later accesses stay after it.
    Acquire,
    /// Earlier accesses stay before it.
    Release,
    /// Both.
    AcquireRelease,
    /// Both, and one order of all such operations.
    SequentiallyConsistent,
}

impl Ordering {
    /// Whether it releases: earlier accesses stay before it.
    pub fn releases(self) -> bool {
        matches!(self, Self::Release | Self::AcquireRelease | Self::SequentiallyConsistent)
    }

    /// Whether it acquires: later accesses stay after it.
    pub fn acquires(self) -> bool {
        matches!(self, Self::Acquire | Self::AcquireRelease | Self::SequentiallyConsistent)
    }

    /// The weakest ordering that is at least this one, and releases or acquires if asked to.
    #[must_use]
    pub fn strengthened(self, release: bool, acquire: bool) -> Self {
        match (self, self.releases() || release, self.acquires() || acquire) {
            (Self::SequentiallyConsistent, ..) | (_, false, false) => self,
            (_, true, true) => Self::AcquireRelease,
            (_, true, false) => Self::Release,
            (_, false, true) => Self::Acquire,
        }
    }
}

/// The threads between which an atomic or a fence takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The thread alone (image fences).
    Thread,
    /// The threads of a warp or sub-group.
    Warp,
    /// The threads of a group.
    Group,
    /// The threads of a cluster.
    Cluster,
    /// All threads of the launch.
    Device,
    /// All threads and the host.
    System,
}

impl Scope {
    /// The scope of all threads of the launch, or a wider one.
    #[must_use]
    pub fn widened(self) -> Self {
        if self == Self::System { self } else { Self::Device }
    }
}

/// A set of memories that a barrier or a fence orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "memories that stand beside each other")]
pub struct SpaceSet {
    /// Local memory.
    pub local: bool,
    /// Global memory.
    pub global: bool,
    /// Images.
    pub image: bool,
    /// Local memory of library models alone ([`ArrayOrigin::Library`]), which `local` includes.
    pub library: bool,
}

impl SpaceSet {
    /// All memory, as `__syncthreads` orders it.
    pub const ALL: Self = Self { local: true, global: true, image: true, library: false };

    /// No memory.
    pub const NONE: Self = Self { local: false, global: false, image: false, library: false };

    /// Whether this is all memory that a program can see.
    pub fn is_all(self) -> bool {
        Self { library: false, ..self } == Self::ALL
    }

    /// Only the memory in which library models compute: no memory that a program can see.
    pub const LIBRARY: Self = Self { library: true, ..Self::NONE };
}

/// The threads that a barrier waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BarrierKind {
    /// All threads of the group.
    Group,
    /// `count` threads of the group at the barrier with this number; both may be run-time values.
    Named {
        /// The barrier's number.
        id: Value,
        /// The number of threads that take part; `None` for the whole group.
        count: Option<Value>,
    },
    /// As `Named`, without waiting.
    Arrive {
        /// The barrier's number.
        id: Value,
        /// The number of threads that take part.
        count: Value,
    },
    /// The lanes of the mask; `None` for all lanes of the warp.
    Warp {
        /// The participating lanes.
        mask: Option<Value>,
    },
    /// All threads of the launch.
    Grid,
    /// All threads of the cluster.
    Cluster,
}

/// A warp exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarpOp {
    /// From the lane with this index.
    Shuffle,
    /// From the lane this far below.
    ShuffleUp,
    /// From the lane this far above.
    ShuffleDown,
    /// From the lane whose index differs in these bits.
    ShuffleXor,
    /// Whether the predicate holds for all.
    VoteAll,
    /// Whether the predicate holds for some lane.
    VoteAny,
    /// Whether the predicate is equal for all.
    VoteEqual,
    /// The lanes for which the predicate holds.
    Ballot,
    /// The lanes with the same value.
    MatchAny,
    /// All lanes if all have the same value, else none.
    MatchAll,
    /// The active lanes.
    ActiveMask,
    /// Sum over the mask.
    ReduceAdd,
    /// Signed minimum over the mask.
    ReduceSignedMin,
    /// Signed maximum over the mask.
    ReduceSignedMax,
    /// Unsigned minimum over the mask.
    ReduceUnsignedMin,
    /// Unsigned maximum over the mask.
    ReduceUnsignedMax,
    /// Conjunction over the mask.
    ReduceAnd,
    /// Disjunction over the mask.
    ReduceOr,
    /// Exclusive disjunction over the mask.
    ReduceXor,
}

/// An operation over the threads of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupOp {
    /// The number of threads for which the predicate holds, as a bit-vector.
    Count,
    /// Whether the predicate holds for all.
    All,
    /// Whether the predicate holds for some thread.
    Any,
}

/// The threads that start an asynchronous copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AsyncGroup {
    /// The whole group at once, once (OpenCL's `async_work_group_copy`).
    Group,
    /// Each thread for itself (`cp.async`). The copy writes one element, of which the thread reads
    /// the first `count` bytes; the others become zero. Its event is the number of batches that
    /// the thread had closed before.
    Thread,
    /// Each thread for itself, as `Thread`, but `count` bytes: adjacent elements, of which the last
    /// may be a part.
    Elements,
    /// The threads of the group, each a part of the elements of `count` bytes for itself. All of
    /// them start it with the same pointers and count, and each element is copied by one thread.
    /// Which one that is may be different for each copy. Its event is as for `Thread`.
    Shared,
}

impl AsyncGroup {
    /// Whether each thread waits for its own part of the copy, by the number of its batch.
    pub const fn is_of_threads(self) -> bool {
        match self {
            Self::Group => false,
            Self::Thread | Self::Elements | Self::Shared => true,
        }
    }

    /// Whether all threads of the group must start it, with the same operands.
    pub const fn is_collective(self) -> bool {
        match self {
            Self::Group | Self::Shared => true,
            Self::Thread | Self::Elements => false,
        }
    }
}

/// The side of a strided copy that has the stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StridedSide {
    /// The source.
    From,
    /// The destination.
    To,
}

/// A wait for asynchronous copies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AsyncWait {
    /// For the copies of these events, of type `Bits(pointer_bits)` each.
    Events(Vec<Value>),
    /// Closes the current batch of the thread's copies (`cp.async.commit_group`). Frontends append
    /// it; [`super::transform::number_batches`] turns it into a sum.
    Commit,
    /// For the thread's own copies in all closed batches but the latest (`cp.async.wait_group`).
    Batches {
        /// The number of batches that the thread has closed, of type `Bits(pointer_bits)`; `None`
        /// until they are numbered. The wait is for each copy whose event plus `kept`, as words, is
        /// less than it.
        closed: Option<Value>,
        /// The number of batches that may remain.
        kept: u32,
    },
    /// For the thread's own copies in all closed batches but this many of the latest, of type
    /// `Bits(pointer_bits)`. If so many have not been closed, it waits for none. Frontends append
    /// it; [`super::transform::number_batches`] computes the number that `Batches` takes.
    AllBut(Value),
}

/// The bytes of a phase object (PTX ISA, `mbarrier`), which is at a multiple of them.
pub const PHASE_OBJECT_BYTES: u64 = 8;

/// The most arrivals for which a phase object can be (PTX ISA, `mbarrier.init`).
pub const MOST_ARRIVALS: u64 = (1 << 20) - 1;

/// An operation on a phase object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PhaseOp {
    /// Sets the number of arrivals that complete a phase.
    Initialise,
    /// Counts one arrival; the result is a token for the phase.
    Arrive,
    /// Lets the thread's copies count as an arrival when they are done.
    ArriveOnCopy,
    /// Waits until the token's phase is complete.
    Wait,
    /// Whether the token's phase is complete. The answer may come late: a phase that is complete
    /// need not be seen to be so at once.
    Test,
    /// Waits until a phase is complete whose number has this parity: the current one or the one
    /// before it. The phase before the first counts as complete.
    WaitParity,
    /// Whether such a phase is complete; the answer may come late.
    TestParity,
}

/// The ground of an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssumeKind {
    /// The user states it (`__assume`).
    User,
    /// The user states it for every launch (`__requires`).
    Precondition,
    /// The command line states it for every launch (`--assume`); the report quotes it.
    Given,
    /// The source's own launch implies it; the report quotes it.
    Launch,
    /// The semantics of a modelled operation implies it (the range of `clz`).
    Semantics,
}

/// The subject of an assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssertKind {
    /// The user's `assert`.
    User,
    /// The user's `__global_assert`: it must hold whether or not the thread is active.
    Global,
    /// A call through a pointer leads to a known function.
    KnownTarget,
    /// At most one thread of each group comes here. An obligation of a proof, which no run checks.
    Elected,
    /// A thread that waits for all groups has read what all of them have counted. An obligation of
    /// a proof.
    Awaited,
}

impl BarrierKind {
    pub(super) fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Value)) {
        match self {
            Self::Group | Self::Grid | Self::Cluster => {}
            Self::Named { id, count } => {
                visit(id);
                count.iter_mut().for_each(visit);
            }
            Self::Arrive { id, count } => {
                visit(id);
                visit(count);
            }
            Self::Warp { mask } => mask.iter_mut().for_each(visit),
        }
    }
}

/// A fact about the integers that an array has at the beginning of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContentsFact {
    /// The kind of fact.
    pub kind: ContentsKind,
    /// The array.
    pub array: Array,
    /// The width of an element in bits: 8, 16, 32 or 64.
    pub element: u32,
    /// Whether elements have a sign.
    pub signed: bool,
    /// For elements within bounds: the least one, and the number behind the largest, of 64 bits
    /// with a sign.
    pub bounds: Option<[Value; 2]>,
}

/// A kind of fact about contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContentsKind {
    /// No element is less than one before it.
    Sorted,
    /// Each element is greater than those before it, and the last one is at least 1024 less than
    /// the largest number of its type.
    Increasing,
    /// No two elements are equal.
    Distinct,
    /// The elements are within bounds.
    Within,
}

impl ContentsKind {
    /// The kind with this name in conditions.
    pub fn named(name: &str) -> Option<Self> {
        Self::from_word(name)
    }

    /// The name in conditions.
    pub fn name(self) -> &'static str {
        self.word()
    }
}
