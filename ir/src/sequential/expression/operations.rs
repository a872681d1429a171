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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::VariantArray)]
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
    /// All of them.
    pub const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The counterpart of a kernel's operation on bit-vectors; `None` for sums and differences.
    pub fn of(op: kernel::BinaryOp) -> Option<Self> {
        Self::ALL.iter().copied().find(|of| of.of_kernel() == op)
    }

    /// The kernel's operation with the same meaning.
    pub fn of_kernel(self) -> kernel::BinaryOp {
        match self {
            Self::Multiply => kernel::BinaryOp::Multiply,
            Self::UnsignedDivide => kernel::BinaryOp::UnsignedDivide,
            Self::SignedDivide => kernel::BinaryOp::SignedDivide,
            Self::UnsignedRemainder => kernel::BinaryOp::UnsignedRemainder,
            Self::SignedRemainder => kernel::BinaryOp::SignedRemainder,
            Self::ShiftLeft => kernel::BinaryOp::ShiftLeft,
            Self::LogicalShiftRight => kernel::BinaryOp::LogicalShiftRight,
            Self::ArithmeticShiftRight => kernel::BinaryOp::ArithmeticShiftRight,
            Self::And => kernel::BinaryOp::And,
            Self::Or => kernel::BinaryOp::Or,
            Self::Xor => kernel::BinaryOp::Xor,
        }
    }
}

/// A comparison of bit-vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::VariantArray)]
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
        self.of_kernel().fold(a, b)
    }
}

impl CompareOp {
    /// All of them.
    pub const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

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

    /// The kernel's comparison with the same meaning.
    pub fn of_kernel(self) -> kernel::CompareOp {
        match self {
            Self::UnsignedLess => kernel::CompareOp::UnsignedLess,
            Self::UnsignedLessEqual => kernel::CompareOp::UnsignedLessEqual,
            Self::SignedLess => kernel::CompareOp::SignedLess,
            Self::SignedLessEqual => kernel::CompareOp::SignedLessEqual,
        }
    }

    /// The value on constants.
    pub fn fold(self, a: &Bits, b: &Bits) -> bool {
        self.of_kernel().fold(a, b)
    }
}
