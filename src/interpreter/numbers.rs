//! Operations on numbers of any width: what the machine does with those that are wider than a register, and what the
//! tests compare the others with.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp, Operation, UnaryOp};

/// The result of an operation on numbers, of this width; `None` if it is none.
pub fn operate(operation: &Operation, operands: &[Bits], width: u32) -> Option<Bits> {
    Some(match (operation, operands) {
        (Operation::Unary(UnaryOp::Not, _), [a]) => a.not(),
        (Operation::Unary(UnaryOp::Negate, _), [a]) => a.neg(),
        (Operation::Binary(op, ..), [a, b]) => binary(*op, a, b),
        (Operation::Compare(op, ..), [a, b]) => Bits::new(1, u8::from(compare(*op, a, b))),
        (Operation::Convert(op, _), [a]) => match op {
            ConvertOp::ZeroExtend => a.zero_extend(width),
            ConvertOp::SignExtend => a.sign_extend(width),
            ConvertOp::Truncate => a.extract(width - 1, 0),
            ConvertOp::Bitcast => a.clone(),
        },
        (Operation::Extract { high, low, .. }, [a]) => a.extract(*high, *low),
        (Operation::Concat(..), [a, b]) => a.concat(b),
        _ => return None,
    })
}

fn binary(op: BinaryOp, a: &Bits, b: &Bits) -> Bits {
    match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Subtract => a.sub(b),
        BinaryOp::Multiply => a.mul(b),
        BinaryOp::UnsignedDivide => a.udiv(b),
        BinaryOp::SignedDivide => a.sdiv(b),
        BinaryOp::UnsignedRemainder => a.urem(b),
        BinaryOp::SignedRemainder => a.srem(b),
        BinaryOp::ShiftLeft => a.shl(b),
        BinaryOp::LogicalShiftRight => a.lshr(b),
        BinaryOp::ArithmeticShiftRight => a.ashr(b),
        BinaryOp::And => a.and(b),
        BinaryOp::Or => a.or(b),
        BinaryOp::Xor => a.xor(b),
    }
}

fn compare(op: CompareOp, a: &Bits, b: &Bits) -> bool {
    match op {
        CompareOp::Equal => a == b,
        CompareOp::NotEqual => a != b,
        CompareOp::UnsignedLess => a.unsigned() < b.unsigned(),
        CompareOp::UnsignedLessEqual => a.unsigned() <= b.unsigned(),
        CompareOp::SignedLess => a.signed() < b.signed(),
        CompareOp::SignedLessEqual => a.signed() <= b.signed(),
    }
}
