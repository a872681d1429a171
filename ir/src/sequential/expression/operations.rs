//! The operations on bit-vectors and the comparisons of bit-vectors, with their values on
//! constants.

use crate::bits::Bits;
use crate::kernel;

/// An operation on one bit-vector. (Negation is a [`Node::Sum`].)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Bitwise complement.
    Not,
}

/// An operation on two bit-vectors, with SMT-LIB's meaning. (Sums are [`Node::Sum`].)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `bvmul`
    Multiply,
    /// `bvudiv`
    UnsignedDivide,
    /// `bvsdiv`
    SignedDivide,
    /// `bvurem`
    UnsignedRemainder,
    /// `bvsrem`
    SignedRemainder,
    /// `bvshl`
    ShiftLeft,
    /// `bvlshr`
    LogicalShiftRight,
    /// `bvashr`
    ArithmeticShiftRight,
    /// `bvand`
    And,
    /// `bvor`
    Or,
    /// `bvxor`
    Xor,
}

impl BinaryOp {
    /// The counterpart of a kernel's operation on bit-vectors; `None` for sums and differences.
    pub fn of(op: kernel::BinaryOp) -> Option<Self> {
        Some(match op {
            kernel::BinaryOp::Add | kernel::BinaryOp::Subtract => return None,
            kernel::BinaryOp::Multiply => Self::Multiply,
            kernel::BinaryOp::UnsignedDivide => Self::UnsignedDivide,
            kernel::BinaryOp::SignedDivide => Self::SignedDivide,
            kernel::BinaryOp::UnsignedRemainder => Self::UnsignedRemainder,
            kernel::BinaryOp::SignedRemainder => Self::SignedRemainder,
            kernel::BinaryOp::ShiftLeft => Self::ShiftLeft,
            kernel::BinaryOp::LogicalShiftRight => Self::LogicalShiftRight,
            kernel::BinaryOp::ArithmeticShiftRight => Self::ArithmeticShiftRight,
            kernel::BinaryOp::And => Self::And,
            kernel::BinaryOp::Or => Self::Or,
            kernel::BinaryOp::Xor => Self::Xor,
        })
    }
}

/// A comparison of bit-vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `bvult`
    UnsignedLess,
    /// `bvule`
    UnsignedLessEqual,
    /// `bvslt`
    SignedLess,
    /// `bvsle`
    SignedLessEqual,
}

/// The list of all variants; a missing variant is a compile error.
macro_rules! all {
    ($enumeration:ident { $($variant:ident,)+ }) => {
        impl $enumeration {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];
        }

        const _: fn($enumeration) = |one| match one {
            $($enumeration::$variant => {})+
        };
    };
}

all! {
    BinaryOp {
        Multiply,
        UnsignedDivide,
        SignedDivide,
        UnsignedRemainder,
        SignedRemainder,
        ShiftLeft,
        LogicalShiftRight,
        ArithmeticShiftRight,
        And,
        Or,
        Xor,
    }
}

all! {
    CompareOp {
        UnsignedLess,
        UnsignedLessEqual,
        SignedLess,
        SignedLessEqual,
    }
}

impl BinaryOp {
    /// Whether the operands may be exchanged.
    pub fn commutes(self) -> bool {
        matches!(self, Self::Multiply | Self::And | Self::Or | Self::Xor)
    }

    pub(super) fn zero_absorbs_left(self) -> bool {
        // 0 / 0 is all ones, so division is not among them.
        matches!(
            self,
            Self::ShiftLeft
                | Self::LogicalShiftRight
                | Self::ArithmeticShiftRight
                | Self::UnsignedRemainder
                | Self::SignedRemainder
        )
    }

    /// The value on constants.
    pub fn fold(self, a: &Bits, b: &Bits) -> Bits {
        match self {
            Self::Multiply => a.mul(b),
            Self::UnsignedDivide => a.udiv(b),
            Self::SignedDivide => a.sdiv(b),
            Self::UnsignedRemainder => a.urem(b),
            Self::SignedRemainder => a.srem(b),
            Self::ShiftLeft => a.shl(b),
            Self::LogicalShiftRight => a.lshr(b),
            Self::ArithmeticShiftRight => a.ashr(b),
            Self::And => a.and(b),
            Self::Or => a.or(b),
            Self::Xor => a.xor(b),
        }
    }
}

impl CompareOp {
    /// The comparison that holds of the exchanged operands when this one does not.
    pub fn negated(self) -> Self {
        match self {
            Self::UnsignedLess => Self::UnsignedLessEqual,
            Self::UnsignedLessEqual => Self::UnsignedLess,
            Self::SignedLess => Self::SignedLessEqual,
            Self::SignedLessEqual => Self::SignedLess,
        }
    }

    /// The same comparison of unsigned numbers.
    pub fn unsigned(self) -> Self {
        match self {
            Self::UnsignedLess | Self::SignedLess => Self::UnsignedLess,
            Self::UnsignedLessEqual | Self::SignedLessEqual => Self::UnsignedLessEqual,
        }
    }

    pub(super) fn reflexive(self) -> bool {
        matches!(self, Self::UnsignedLessEqual | Self::SignedLessEqual)
    }

    /// The value on constants.
    pub fn fold(self, a: &Bits, b: &Bits) -> bool {
        match self {
            Self::UnsignedLess => a.unsigned() < b.unsigned(),
            Self::UnsignedLessEqual => a.unsigned() <= b.unsigned(),
            Self::SignedLess => a.signed() < b.signed(),
            Self::SignedLessEqual => a.signed() <= b.signed(),
        }
    }
}
