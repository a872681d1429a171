//! Numbers made from the address of a pointer, and pointers made from such numbers.

use lockstep_ir::kernel::{BinaryOp, ConvertOp, Operation, Space, Type, UnaryOp, Value};

use crate::builder::Builder;

/// The most operations that are looked through between a pointer's address and a pointer made from
/// it.
const MOST_ADDRESS_STEPS: usize = 12;

/// The pointer of this type whose address is a number.
///
/// It is the pointer whose address the number is computed from, moved by the number of bytes
/// between them. `None` for other numbers.
pub fn pointer_behind(builder: &mut Builder<'_>, number: Value, ty: Type) -> Option<Value> {
    let (pointer, distances) = address_and_distances(builder, number, MOST_ADDRESS_STEPS)?;
    let from = builder.ty(pointer);
    let generic = Type::Pointer(Space::Generic);
    if from != ty && from != generic && ty != generic {
        return None;
    }
    let mut result = if from == ty { pointer } else { builder.append(Operation::SpaceCast(pointer), ty) };
    let wide = builder.kernel.offset_type();
    for offset in distances {
        // A 32-bit address lies in a small window: an address that leaves it, also by wrapping,
        // leads nowhere.
        let offset = builder.convert(ConvertOp::SignExtend, offset, wide);
        result = builder.append(Operation::PointerAdd { pointer: result, offset, in_bounds: false }, ty);
    }
    Some(result)
}

/// The pointer whose address a number is computed from, and the distances added to the address.
fn address_and_distances(builder: &mut Builder<'_>, number: Value, steps: usize) -> Option<(Value, Vec<Value>)> {
    let ty = builder.ty(number);
    if steps == 0 || !matches!(ty, Type::Bits(_)) {
        return None;
    }
    match *builder.kernel.operation(number)? {
        // Nothing is known of the target of an undefined pointer, but its bits may be known where
        // they were set.
        Operation::PointerToInteger(pointer)
            if matches!(builder.kernel.operation(pointer), Some(Operation::Undefined | Operation::Anything)) =>
        {
            None
        }
        Operation::PointerToInteger(pointer) if ty == builder.kernel.offset_type() => Some((pointer, Vec::new())),
        Operation::Binary(BinaryOp::Add, _, a, b) => {
            let (found, other) = match address_and_distances(builder, a, steps - 1) {
                Some(found) => (found, b),
                None => (address_and_distances(builder, b, steps - 1)?, a),
            };
            let (pointer, mut distances) = found;
            distances.push(other);
            Some((pointer, distances))
        }
        Operation::Binary(BinaryOp::Subtract, _, a, b) => {
            let (pointer, mut distances) = address_and_distances(builder, a, steps - 1)?;
            distances.push(builder.unary(UnaryOp::Negate, b));
            Some((pointer, distances))
        }
        // Rounding an address down: `a & m` is `a - (a & ~m)`.
        Operation::Binary(BinaryOp::And, _, a, mask) => {
            let (pointer, mut distances) = address_and_distances(builder, a, steps - 1)?;
            let cleared = builder.unary(UnaryOp::Not, mask);
            let rest = builder.binary(BinaryOp::And, a, cleared);
            distances.push(builder.unary(UnaryOp::Negate, rest));
            Some((pointer, distances))
        }
        // Bits are set or flipped, by whatever distance that adds.
        Operation::Binary(BinaryOp::Or | BinaryOp::Xor, _, a, b) => {
            let (found, address) = match address_and_distances(builder, a, steps - 1) {
                Some(found) => (found, a),
                None => (address_and_distances(builder, b, steps - 1)?, b),
            };
            let (pointer, mut distances) = found;
            distances.push(builder.binary(BinaryOp::Subtract, number, address));
            Some((pointer, distances))
        }
        // The addresses of shared memory have 32 bits, however wide the register is.
        Operation::Convert(ConvertOp::Truncate | ConvertOp::ZeroExtend, a) => {
            let (pointer, distances) = address_and_distances(builder, a, steps - 1)?;
            // A truncated address is another address.
            let bits = ty.width().min(builder.ty(a).width());
            (bits == Some(32) && builder.ty(pointer) == Type::Pointer(Space::Local)).then_some((pointer, distances))
        }
        _ => None,
    }
}
