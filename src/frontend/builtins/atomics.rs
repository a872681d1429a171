//! Atomics that our headers pass on with operation, ordering and scope as arguments.
//!
//! `__lockstep_atomic_<operation>(address, operands…, ordering, scope)` is libcu++'s, with the
//! numbers of its enumerations. A compare-exchange has two orderings; the second applies where it
//! finds another value.
//!
//! `__lockstep_builtin_<operation>(address, operands…, ordering, scope, scheme)` stands for Clang's
//! own functions, whose scope Clang 19 drops in code for SPIR and NVPTX
//! (`src/frontend/clang/scoped_atomics.h`). The scheme says whose numbers the scope is given in;
//! scope and scheme must be constants.
//!
//! For libcu++'s an unknown scope is the narrowest, and an unknown ordering the weakest: both only
//! make more pairs of accesses race.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Access, AtomicOp, Needs, Operation, Ordering, Scope, SpaceSet, Type};

use super::Unsupported;
use super::call::{Answer, Call};
use super::mangle::{ParameterType, Scalar};
use super::memory;

/// Appends an atomic operation or a fence. `Ok(None)`: the name is not one of these.
pub fn expand(call: &mut Call) -> Answer {
    if let Some(function) = call.name.strip_prefix("__lockstep_atomic_") {
        let orders = orders(function);
        let Some(operands) = call.parameters.len().checked_sub(1 + orders) else { return Err(call.ill_typed()) };
        let scope = scope(CUDA, call.constant(operands + orders)?);
        return operation(call, function, operands, scope);
    }
    if call.name == "__lockstep_builtin_may_fail" {
        return may_fail(call);
    }
    if let Some(function) = call.name.strip_prefix("__lockstep_builtin_") {
        let orders = orders(function);
        let Some(operands) = call.parameters.len().checked_sub(2 + orders) else { return Err(call.ill_typed()) };
        let scheme = call.constant(operands + orders + 1)?.and_then(|scheme| scheme.to_u64());
        let scheme = scheme.and_then(|scheme| SCHEMES.get(usize::try_from(scheme).ok()?));
        let Some(&scheme) = scheme else { return Err(call.ill_typed()) };
        let number = call.constant(operands + orders)?;
        if number.is_none() || call.constant(operands)?.is_none() {
            return Err(Unsupported("atomic whose ordering or scope is not a constant".into()));
        }
        return operation(call, function, operands, scope(scheme, number));
    }
    Ok(None)
}

/// The scopes meant by the numbers from 0 on.
type Scheme = &'static [Scope];

/// The values of `cuda::thread_scope`, including one that it lacks.
const CUDA: Scheme = &[Scope::System, Scope::Device, Scope::Group, Scope::Thread, Scope::Warp, Scope::Cluster];

/// `__MEMORY_SCOPE_SYSTEM` and the others of `__scoped_atomic_…`.
const CLANG: Scheme = &[Scope::System, Scope::Device, Scope::Group, Scope::Warp, Scope::Thread];

/// `__HIP_MEMORY_SCOPE_SINGLETHREAD`, which is 1, and the others of `__hip_atomic_…`.
const HIP: Scheme = &[Scope::Thread, Scope::Thread, Scope::Warp, Scope::Group, Scope::Device, Scope::System];

/// The schemes, indexed by the number with which the header names them.
const SCHEMES: [Scheme; 3] = [CUDA, CLANG, HIP];

/// The number of orderings that a function takes.
fn orders(function: &str) -> usize {
    if function == "compare_exchange" { 2 } else { 1 }
}

/// An operation with this many arguments before the ordering: the address and the operands.
fn operation(call: &mut Call, function: &str, operands: usize, scope: Scope) -> Answer {
    let ordering = ordering(call.constant(operands)?);
    if function == "fence" {
        let spaces = SpaceSet { local: true, global: true, ..SpaceSet::NONE };
        call.builder.append_effect(Operation::Fence { ordering, scope, spaces });
        return Ok(Some(Vec::new()));
    }
    let ParameterType::Pointer(_, pointee) = call.parameter(0)? else { return Err(call.ill_typed()) };
    let Some(op) = op(function, pointee.scalar().ok_or_else(|| call.ill_typed())?) else { return Ok(None) };
    let values = (1..operands).map(|index| call.single(index)).collect::<Result<Vec<_>, _>>()?;
    let ty = match (call.result, values.first()) {
        (&[ty], _) => ty,
        (_, Some(&value)) => call.builder.ty(value),
        _ => return Err(call.ill_typed()),
    };
    let alignment = ty.width().ok_or_else(|| call.ill_typed())? / 8;
    let pointer = call.single(0)?;
    let pointer = if op == AtomicOp::Load { pointer } else { memory::written(call.builder, pointer) };
    let access = Access { pointer, alignment, volatile: false, needs: Needs::Everything };
    let failing =
        if op == AtomicOp::CompareExchange { Some(self::ordering(call.constant(operands + 1)?)) } else { None };
    let operation = Operation::Atomic { access, op, operands: values, ordering, failing, scope };
    if call.result.is_empty() {
        call.builder.append_effect(operation);
        return Ok(Some(Vec::new()));
    }
    Ok(Some(vec![call.builder.append(operation, ty)]))
}

/// Whether a compare-exchange fails although the value is the expected one, as a weak one may.
fn may_fail(call: &mut Call) -> Answer {
    call.expect_parameters(1)?;
    let strong = call.constant(0)?.is_some_and(|weak| weak.is_zero());
    let fails =
        if strong { call.builder.boolean(false) } else { call.builder.append(Operation::Undefined, Type::Bool) };
    Ok(Some(vec![fails]))
}

/// The operation of this name on an object of this type.
fn op(function: &str, scalar: Scalar) -> Option<AtomicOp> {
    let (float, signed) = match scalar {
        Scalar::Float(_) => (true, true),
        Scalar::Integer(integer) => (false, integer.signed),
        Scalar::Bool => return None,
    };
    Some(match (function, float, signed) {
        ("load", ..) => AtomicOp::Load,
        ("store", ..) => AtomicOp::Store,
        ("exchange", ..) => AtomicOp::Exchange,
        ("compare_exchange", false, _) => AtomicOp::CompareExchange,
        ("add", true, _) => AtomicOp::FloatAdd,
        ("add", ..) => AtomicOp::Add,
        ("sub", true, _) => AtomicOp::FloatSubtract,
        ("sub", ..) => AtomicOp::Subtract,
        ("and_", false, _) => AtomicOp::And,
        ("or_", false, _) => AtomicOp::Or,
        ("xor_", false, _) => AtomicOp::Xor,
        ("min", true, _) => AtomicOp::FloatMin,
        ("min", _, true) => AtomicOp::SignedMin,
        ("min", ..) => AtomicOp::UnsignedMin,
        ("max", true, _) => AtomicOp::FloatMax,
        ("max", _, true) => AtomicOp::SignedMax,
        ("max", ..) => AtomicOp::UnsignedMax,
        ("inc", false, false) => AtomicOp::Increment,
        ("dec", false, false) => AtomicOp::Decrement,
        _ => return None,
    })
}

/// An ordering's number, the same in C11, C++, libcu++ and Clang.
fn ordering(number: Option<Bits>) -> Ordering {
    match number.and_then(|number| number.to_u64()) {
        // Compilers treat `consume` as `acquire`.
        Some(1 | 2) => Ordering::Acquire,
        Some(3) => Ordering::Release,
        Some(4) => Ordering::AcquireRelease,
        Some(5) => Ordering::SequentiallyConsistent,
        _ => Ordering::Relaxed,
    }
}

fn scope(scheme: Scheme, number: Option<Bits>) -> Scope {
    let number = number.and_then(|number| usize::try_from(number.to_u64()?).ok());
    number.and_then(|number| scheme.get(number).copied()).unwrap_or(Scope::Thread)
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::Space;

    use super::*;
    use crate::builtins::testing::Bench;

    const INT: Type = Type::Bits(32);

    fn strength(bench: &Bench) -> (Ordering, Scope) {
        match bench.last() {
            Operation::Atomic { ordering, scope, .. } | Operation::Fence { ordering, scope, .. } => (*ordering, *scope),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_scheme_has_its_own_numbers() {
        for (scheme, expected) in [
            (
                0,
                [Scope::System, Scope::Device, Scope::Group, Scope::Thread, Scope::Warp, Scope::Cluster, Scope::Thread],
            ),
            (1, [Scope::System, Scope::Device, Scope::Group, Scope::Warp, Scope::Thread, Scope::Thread, Scope::Thread]),
            (2, [Scope::Thread, Scope::Thread, Scope::Warp, Scope::Group, Scope::Device, Scope::System, Scope::Thread]),
        ] {
            for (number, scope) in (0..).zip(expected) {
                let mut bench = Bench::cuda();
                let arguments: Vec<_> = [5, number, scheme].map(|number| vec![bench.number(32, number)]).to_vec();
                bench.call("_Z24__lockstep_builtin_fenceiii", &arguments, &[]);
                assert_eq!(strength(&bench), (Ordering::SequentiallyConsistent, scope), "{scheme}: {number}");
            }
        }
    }

    #[test]
    fn the_same_functions_are_known_in_both_languages() {
        for (name, mut bench) in [
            ("_Z22__lockstep_builtin_addPViiiii", Bench::cuda()),
            ("_Z22__lockstep_builtin_addPU3AS4Viiiii", Bench::opencl()),
        ] {
            let mut arguments = vec![vec![bench.pointer(Space::Global)], vec![bench.input(INT)]];
            arguments.extend([4, 2, 1].map(|number| vec![bench.number(32, number)]));
            bench.call(name, &arguments, &[INT]);
            assert_eq!(strength(&bench), (Ordering::AcquireRelease, Scope::Group), "{name}");
        }
    }

    #[test]
    fn a_computed_scope_of_the_library_is_the_narrowest_and_one_of_clang_is_refused() {
        let mut bench = Bench::cuda();
        let mut arguments = vec![vec![bench.pointer(Space::Global)]];
        arguments.extend(bench.inputs(INT, 2).into_iter().map(|value| vec![value]));
        bench.call("_Z22__lockstep_atomic_loadPVKjii", &arguments, &[INT]);
        assert_eq!(strength(&bench), (Ordering::Relaxed, Scope::Thread));
        arguments.push(vec![bench.number(32, 1)]);
        assert!(bench.try_call("_Z23__lockstep_builtin_loadPVKjiii", &arguments, &[INT]).is_err());
    }

    #[test]
    fn an_unknown_scheme_is_refused() {
        let mut bench = Bench::cuda();
        let arguments: Vec<_> = [5, 0, 7].map(|number| vec![bench.number(32, number)]).to_vec();
        assert!(bench.try_call("_Z24__lockstep_builtin_fenceiii", &arguments, &[]).is_err());
    }
}
