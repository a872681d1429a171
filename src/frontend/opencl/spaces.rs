//! The address space that a generic pointer points into.
//!
//! If the code shows the array from which the pointer is computed, the answer is exact. Otherwise
//! it is unknown, but the same for every query of the same address: `to_global(p)` is `p` or null.

use lockstep_ir::kernel::{Operation, Space, Type, Value};

use super::super::builder::{Builder, Lanes};
use crate::builtins::Unsupported;
use crate::builtins::call::{Answer, Call};

/// Appends `get_fence`.
pub fn expand(call: &mut Call) -> Answer {
    if call.name != "get_fence" {
        return Ok(None);
    }
    call.expect_parameters(1)?;
    let pointer = call.single(0)?;
    let width = match call.result {
        [Type::Bits(width)] => *width,
        _ => return Err(call.ill_typed()),
    };
    let flags = match space_of(call.builder, pointer) {
        Some(Space::Local) => call.builder.number(width, 1),
        Some(Space::Global) => call.builder.number(width, 2),
        Some(Space::Private | Space::Constant | Space::Generic) | None => {
            let address = address(call.builder, pointer);
            call.builder.uninterpreted("get_fence", vec![address], Type::Bits(width))
        }
    };
    Ok(Some(vec![flags]))
}

/// Appends `__to_global` and its like, by Clang's names.
pub fn to_space(builder: &mut Builder<'_>, name: &str, arguments: &[Lanes], result: &[Type]) -> Answer {
    let ([argument], [ty @ Type::Pointer(space)]) = (arguments, result) else { return Err(ill_typed(name)) };
    let &[pointer] = argument.as_slice() else { return Err(ill_typed(name)) };
    if !matches!(builder.ty(pointer), Type::Pointer(_)) {
        return Err(ill_typed(name));
    }
    let cast = if builder.ty(pointer) == *ty { pointer } else { builder.append(Operation::SpaceCast(pointer), *ty) };
    let there = match space_of(builder, pointer) {
        Some(found) if found == *space => return Ok(Some(vec![cast])),
        Some(Space::Private | Space::Global | Space::Local | Space::Constant) => builder.boolean(false),
        Some(Space::Generic) | None => {
            let address = address(builder, pointer);
            builder.uninterpreted(name.trim_start_matches('_'), vec![address], Type::Bool)
        }
    };
    let null = builder.append(Operation::Null, *ty);
    Ok(Some(vec![builder.select(there, cast, null)]))
}

fn ill_typed(name: &str) -> Unsupported {
    Unsupported(format!("call of {name} with arguments or a result of unexpected types"))
}

fn address(builder: &mut Builder<'_>, pointer: Value) -> Value {
    let ty = builder.kernel.offset_type();
    builder.append(Operation::PointerToInteger(pointer), ty)
}

/// The space of the array that a pointer is computed from; `None` if the code does not show it.
fn space_of(builder: &Builder<'_>, pointer: Value) -> Option<Space> {
    let mut pointer = pointer;
    loop {
        match builder.kernel.operation(pointer)? {
            Operation::SpaceCast(from) | Operation::PointerAdd { pointer: from, .. } => pointer = *from,
            Operation::ArrayBase(array) => return Some(builder.kernel.arrays[*array].space),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use lockstep_ir::bits::Bits;

    use super::*;
    use crate::builtins::testing::Bench;

    fn generic(bench: &mut Bench, pointer: Value) -> Value {
        bench.builder().append(Operation::SpaceCast(pointer), Type::Pointer(Space::Generic))
    }

    #[test]
    fn a_pointer_in_plain_sight_is_known() {
        let mut bench = Bench::opencl();
        let local = bench.pointer(Space::Local);
        let pointer = generic(&mut bench, local);
        let flags = bench.call("_Z9get_fencePU3AS4v", &[vec![pointer]], &[Type::Bits(32)])[0];
        assert_eq!(bench.kernel.constant(flags).and_then(Bits::to_u64), Some(1));
        let back = bench.call("__to_local", &[vec![pointer]], &[Type::Pointer(Space::Local)])[0];
        assert_eq!(*bench.operation(back), Operation::SpaceCast(pointer));
        let never = bench.call("__to_global", &[vec![pointer]], &[Type::Pointer(Space::Global)])[0];
        let Operation::Select(condition, _, null) = *bench.operation(never) else { panic!("a selection") };
        assert!(bench.kernel.constant(condition).is_some_and(Bits::is_zero));
        assert_eq!(*bench.operation(null), Operation::Null);
    }

    #[test]
    fn any_other_pointer_is_itself_or_null() {
        let mut bench = Bench::opencl();
        let pointer = bench.builder().append(Operation::Undefined, Type::Pointer(Space::Generic));
        let global = bench.call("__to_global", &[vec![pointer]], &[Type::Pointer(Space::Global)])[0];
        let Operation::Select(condition, cast, null) = *bench.operation(global) else { panic!("a selection") };
        assert!(matches!(bench.operation(condition), Operation::Uninterpreted(name, _) if name == "to_global"));
        assert_eq!(*bench.operation(cast), Operation::SpaceCast(pointer));
        assert_eq!(*bench.operation(null), Operation::Null);
    }

    #[test]
    fn arguments_that_are_no_pointers_are_refused() {
        let mut bench = Bench::opencl();
        let number = bench.number(64, 0);
        assert!(bench.try_call("__to_global", &[vec![number]], &[Type::Pointer(Space::Global)]).is_err());
        assert!(bench.try_call("__to_global", &[], &[]).is_err());
    }
}
