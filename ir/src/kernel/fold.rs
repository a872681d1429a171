//! Constant folding of operations on numbers.

use super::{BinaryOp, CompareOp, ConvertOp, Operation, UnaryOp, Value};
use crate::bits::Bits;

impl Operation {
    /// The result on constants, of this width; `None` for other operations than those on numbers.
    pub fn fold(&self, operands: &[Bits], width: u32) -> Option<Bits> {
        Some(match (self, operands) {
            (Self::Unary(UnaryOp::Not, _), [a]) => a.not(),
            (Self::Unary(UnaryOp::Negate, _), [a]) => a.neg(),
            (Self::Binary(op, ..), [a, b]) => op.fold(a, b),
            (Self::Compare(op, ..), [a, b]) => Bits::new(1, u8::from(op.fold(a, b))),
            (Self::Convert(op, _), [a]) => match op {
                ConvertOp::ZeroExtend => a.zero_extend(width),
                ConvertOp::SignExtend => a.sign_extend(width),
                ConvertOp::Truncate => a.extract(width - 1, 0),
                ConvertOp::Bitcast => a.clone(),
            },
            (Self::Extract { high, low, .. }, [a]) => a.extract(*high, *low),
            (Self::Concat(..), [a, b]) => a.concat(b),
            _ => return None,
        })
    }

    /// The same where the operands are known; `None` also for a division by zero.
    pub fn fold_known(&self, get: impl Fn(Value) -> Option<Bits>, width: u32) -> Option<Bits> {
        if let Self::Binary(op, _, a, b) = self {
            return op.checked_fold(&get(*a)?, &get(*b)?);
        }
        let mut operands = Vec::new();
        self.for_each_operand(|operand| operands.push(get(operand)));
        self.fold(&operands.into_iter().collect::<Option<Vec<Bits>>>()?, width)
    }
}

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
