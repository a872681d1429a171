//! Operations on numbers of any width.
//!
//! The machine uses them for numbers wider than a register, and the tests as a reference for all
//! others.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{ConvertOp, Operation, UnaryOp};

/// The result of an operation on numbers, with this width; `None` for other operations.
pub fn operate(operation: &Operation, operands: &[Bits], width: u32) -> Option<Bits> {
    Some(match (operation, operands) {
        (Operation::Unary(UnaryOp::Not, _), [a]) => a.not(),
        (Operation::Unary(UnaryOp::Negate, _), [a]) => a.neg(),
        (Operation::Binary(op, ..), [a, b]) => op.fold(a, b),
        (Operation::Compare(op, ..), [a, b]) => Bits::new(1, u8::from(op.fold(a, b))),
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
