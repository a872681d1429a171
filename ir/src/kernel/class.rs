//! The classification of operations into computations and interactions with other threads: the one
//! list of each.

use super::Operation;

/// A pattern for the [`Operation`](crate::kernel::Operation)s that are **computations**.
///
/// A computation has a result and no effects. It accesses no memory, waits for no thread, and
/// states nothing that a proof might use or owe. The result depends on its operands and on the
/// executing thread, and on nothing that changes while the kernel runs. The exceptions are
/// [`Undefined`](crate::kernel::Operation::Undefined) and pointers made of numbers, which may be
/// anything each time. So a computation whose result is unused may be removed, and a search for
/// effects may skip computations.
///
/// Threads with equal operands need not get equal results: addresses differ.
///
/// This is a pattern rather than a predicate, so that a match that handles the other operations one
/// by one stays exhaustive. A new operation has to be classified here, or else in every match on
/// effects.
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
            | $crate::kernel::Operation::Contents(_)
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
/// In these operations, and in plain loads, a thread accesses memory that it may share with others,
/// or synchronises with them. All other operations are [computations](crate::computation) or serve
/// proofs: assumptions, assertions and annotations.
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

    /// Whether this is a computation with the same result wherever a thread repeats it.
    pub fn is_repeatable(&self) -> bool {
        let is_open = matches!(self, Self::Undefined | Self::Anything | Self::Choice(_) | Self::Cached { .. });
        self.is_computation() && !is_open
    }
}
