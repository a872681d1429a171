//! Operations on numbers of any width: what the machine does with those that are wider than a register, and what the
//! tests compare the others with.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{ConvertOp, Operation, UnaryOp};

/// The result of an operation on numbers, of this width; `None` if it is none.
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
