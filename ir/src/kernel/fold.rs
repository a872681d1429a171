//! Constant folding of operations on numbers.

use super::{BinaryOp, CompareOp};
use crate::bits::Bits;

impl BinaryOp {
    /// The result on constants.
    pub fn fold(self, a: &Bits, b: &Bits) -> Bits {
        match self {
            Self::Add => a.add(b),
            Self::Subtract => a.sub(b),
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

    /// The result on constants; `None` for a division by zero.
    pub fn checked_fold(self, a: &Bits, b: &Bits) -> Option<Bits> {
        let divides =
            matches!(self, Self::UnsignedDivide | Self::SignedDivide | Self::UnsignedRemainder | Self::SignedRemainder);
        (!divides || !b.is_zero()).then(|| self.fold(a, b))
    }
}

impl CompareOp {
    /// The result on constants.
    pub fn fold(self, a: &Bits, b: &Bits) -> bool {
        match self {
            Self::Equal => a == b,
            Self::NotEqual => a != b,
            Self::UnsignedLess => a.unsigned() < b.unsigned(),
            Self::UnsignedLessEqual => a.unsigned() <= b.unsigned(),
            Self::SignedLess => a.signed() < b.signed(),
            Self::SignedLessEqual => a.signed() <= b.signed(),
        }
    }
}
