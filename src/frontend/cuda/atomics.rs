//! Atomic functions.
//!
//! They order nothing. Their scope is the device, the block (`_block`), or the system with the host
//! (`_system`). The functions of libcu++ (`cuda::atomic`), each of which has an ordering and a
//! scope, are in [`builtins::atomics`](crate::builtins::atomics).

use lockstep_ir::kernel::{Access, AtomicOp, Needs, Operation, Ordering, Scope, Value};

use crate::builtins::call::{Answer, Call};
use crate::builtins::mangle::{ParameterType, Scalar};
use crate::builtins::memory;

/// Appends an atomic function.
pub fn expand(call: &mut Call) -> Answer {
    let (base, scope) = scope_of(call.name);
    let Some(function) = base.strip_prefix("atomic") else { return Ok(None) };
    let ParameterType::Pointer(_, pointee) = call.parameter(0)? else { return Ok(None) };
    let scalar = pointee.scalar();
    let (float, signed) = match scalar {
        Some(Scalar::Float(_)) => (true, true),
        Some(Scalar::Integer(integer)) => (false, integer.signed),
        Some(Scalar::Bool) | None => (true, true),
    };
    let op = match (function, float, signed) {
        ("Add", true, _) => AtomicOp::FloatAdd,
        ("Add", ..) => AtomicOp::Add,
        ("Sub", true, _) => AtomicOp::FloatSubtract,
        ("Sub", ..) => AtomicOp::Subtract,
        ("Exch", ..) => AtomicOp::Exchange,
        ("Min", true, _) => AtomicOp::FloatMin,
        ("Min", _, true) => AtomicOp::SignedMin,
        ("Min", ..) => AtomicOp::UnsignedMin,
        ("Max", true, _) => AtomicOp::FloatMax,
        ("Max", _, true) => AtomicOp::SignedMax,
        ("Max", ..) => AtomicOp::UnsignedMax,
        ("And", ..) => AtomicOp::And,
        ("Or", ..) => AtomicOp::Or,
        ("Xor", ..) => AtomicOp::Xor,
        ("Inc", ..) => AtomicOp::Increment,
        ("Dec", ..) => AtomicOp::Decrement,
        ("CAS", ..) => AtomicOp::CompareExchange,
        _ => return Ok(None),
    };
    let pointer = call.single(0)?;
    let pointer = memory::written(call.builder, pointer);
    each_part(call, pointer, op, scope)
}

/// A value of several parts is changed part by part; CUDA promises no more for `float2` and
/// `float4`.
fn each_part(call: &mut Call, pointer: Value, op: AtomicOp, scope: Scope) -> Answer {
    let types = call.result.to_vec();
    let mut offset = 0;
    let mut lanes = Vec::new();
    for (index, ty) in types.into_iter().enumerate() {
        let bytes = ty.width().ok_or_else(|| call.ill_typed())? / 8;
        let mut operands = Vec::new();
        for argument in &call.arguments[1..] {
            operands.push(*argument.get(index).ok_or_else(|| call.ill_typed())?);
        }
        if operands.iter().any(|&operand| call.builder.ty(operand) != ty) || bytes == 0 {
            return Err(call.ill_typed());
        }
        let place = if offset == 0 {
            pointer
        } else {
            let pointer_type = call.builder.ty(pointer);
            let distance = call.builder.number(call.builder.kernel.pointer_bits, u64::from(offset));
            let sum = Operation::PointerAdd { pointer, offset: distance, in_bounds: true };
            call.builder.append(sum, pointer_type)
        };
        let access =
            Access { pointer: place, alignment: bytes.next_power_of_two(), volatile: false, needs: Needs::Everything };
        let ordering = Ordering::Relaxed;
        let operation = Operation::Atomic { access, op, operands, ordering, failing: None, scope };
        lanes.push(call.builder.append(operation, ty));
        offset += bytes;
    }
    Ok(Some(lanes))
}

fn scope_of(name: &str) -> (&str, Scope) {
    if let Some(base) = name.strip_suffix("_block") {
        (base, Scope::Group)
    } else if let Some(base) = name.strip_suffix("_system") {
        (base, Scope::System)
    } else {
        (name, Scope::Device)
    }
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::{FloatType, Space, Type};

    use super::*;
    use crate::builtins::testing::Bench;

    fn check(name: &str, ty: Type, operands: usize, expected: (AtomicOp, Scope)) {
        let mut bench = Bench::cuda();
        let mut arguments = vec![vec![bench.pointer(Space::Global)]];
        arguments.extend((0..operands).map(|_| vec![bench.input(ty)]));
        bench.call(name, &arguments, &[ty]);
        let Operation::Atomic { op, scope, ordering, operands: given, .. } = bench.last().clone() else {
            panic!("{name}: {:?}", bench.last())
        };
        assert_eq!(((op, scope), ordering, given.len()), (expected, Ordering::Relaxed, operands), "{name}");
    }

    #[test]
    fn signs_and_scopes_come_from_the_name() {
        let int = Type::Bits(32);
        check("_Z9atomicAddPii", int, 1, (AtomicOp::Add, Scope::Device));
        check("_Z9atomicMinPjj", int, 1, (AtomicOp::UnsignedMin, Scope::Device));
        check("_Z9atomicMinPii", int, 1, (AtomicOp::SignedMin, Scope::Device));
        check("_Z15atomicMax_blockPyy", Type::Bits(64), 1, (AtomicOp::UnsignedMax, Scope::Group));
        check("_Z16atomicCAS_systemPiii", int, 2, (AtomicOp::CompareExchange, Scope::System));
        check("_Z9atomicIncPjj", int, 1, (AtomicOp::Increment, Scope::Device));
        check("_Z9atomicAddPff", Type::Float(FloatType::F32), 1, (AtomicOp::FloatAdd, Scope::Device));
        check("_Z9atomicAddPdd", Type::Float(FloatType::F64), 1, (AtomicOp::FloatAdd, Scope::Device));
    }

    #[test]
    fn vectors_are_changed_part_by_part() {
        let mut bench = Bench::cuda();
        let float = Type::Float(FloatType::F32);
        let pointer = bench.pointer(Space::Global);
        let value = bench.inputs(float, 2);
        bench.call("_Z9atomicAddP6float2S_", &[vec![pointer], value], &[float, float]);
        assert_eq!(bench.find(|operation| matches!(operation, Operation::Atomic { .. })).len(), 2);
    }
}
