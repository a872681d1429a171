//! Which operations are computations, and which interact with other threads: the one list of each.

use super::Operation;

/// A pattern for the [`Operation`](crate::kernel::Operation)s that are **computations**.
///
/// A computation's result is all there is to it. It accesses no memory, waits for nobody, and states nothing that
/// a proof might use or owe; what it returns depends on its operands, on the thread that asks, and on nothing that
/// changes while the kernel runs (but that [`Undefined`](crate::kernel::Operation::Undefined) and pointers made of
/// numbers may be anything each time). So one whose result nobody uses may be left out, and whoever looks for effects
/// may pass it over.
///
/// It is no promise that the result is equal for threads with equal operands: an address is not.
///
/// A pattern rather than a question, so that a match that treats the other operations one by one stays exhaustive: an
/// operation that is new is decided on here, or else wherever effects matter.
///
/// ```
/// use lockstep_ir::computation;
/// use lockstep_ir::kernel::Operation;
///
/// assert!(matches!(Operation::Null, computation!()));
/// ```
#[macro_export]
macro_rules! computation {
    () => {
        $crate::kernel::Operation::Constant(_)
            | $crate::kernel::Operation::Undefined
            | $crate::kernel::Operation::Anything
            | $crate::kernel::Operation::Choice(_)
            | $crate::kernel::Operation::Cached { .. }
            | $crate::kernel::Operation::Parameter(_)
            | $crate::kernel::Operation::ThreadQuery(_)
            | $crate::kernel::Operation::Unary(..)
            | $crate::kernel::Operation::Binary(..)
            | $crate::kernel::Operation::Compare(..)
            | $crate::kernel::Operation::Select(..)
            | $crate::kernel::Operation::Convert(..)
            | $crate::kernel::Operation::Extract { .. }
            | $crate::kernel::Operation::Concat(..)
            | $crate::kernel::Operation::Float(..)
            | $crate::kernel::Operation::Uninterpreted(..)
            | $crate::kernel::Operation::ArrayBase(_)
            | $crate::kernel::Operation::Null
            | $crate::kernel::Operation::PointerAdd { .. }
            | $crate::kernel::Operation::SpaceCast(_)
            | $crate::kernel::Operation::PointerToInteger(_)
            | $crate::kernel::Operation::IntegerToPointer(_)
            | $crate::kernel::Operation::PointerEqual(..)
            | $crate::kernel::Operation::PointerDifference(..)
    };
}

/// A pattern for the [`Operation`](crate::kernel::Operation)s that are **interactions**.
///
/// By these, plain loads apart, a thread touches memory that others may share, or synchronises with them. What else there is
/// are [computations](crate::computation) and what is there for proofs: assumptions, assertions and annotations.
///
/// ```
/// use lockstep_ir::interaction;
/// use lockstep_ir::kernel::Operation;
///
/// assert!(!matches!(Operation::Null, interaction!()));
/// ```
#[macro_export]
macro_rules! interaction {
    () => {
        $crate::kernel::Operation::Store(..)
            | $crate::kernel::Operation::Atomic { .. }
            | $crate::kernel::Operation::MemoryCopy { .. }
            | $crate::kernel::Operation::MemorySet { .. }
            | $crate::kernel::Operation::ImageRead { .. }
            | $crate::kernel::Operation::ImageWrite { .. }
            | $crate::kernel::Operation::Fence { .. }
            | $crate::kernel::Operation::Barrier { .. }
            | $crate::kernel::Operation::WarpExchange { .. }
            | $crate::kernel::Operation::GroupExchange { .. }
            | $crate::kernel::Operation::AsyncCopy { .. }
            | $crate::kernel::Operation::AsyncWait(_)
            | $crate::kernel::Operation::Phase { .. }
    };
}

impl Operation {
    /// Whether this is a computation: see [`computation!`](crate::computation).
    pub fn is_computation(&self) -> bool {
        matches!(self, computation!())
    }
}
