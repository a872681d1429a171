//! Atomic functions: those of OpenCL 1.x and those modelled on C11.
//!
//! The functions of 1.x are relaxed and work between all threads of the device. Those modelled on
//! C11 are sequentially consistent and work on the device unless their arguments say otherwise. An
//! order that is not constant counts as relaxed, and a scope that is not constant as the thread
//! alone: both promise least.

use lockstep_ir::kernel::{AtomicOp, BinaryOp, CompareOp, ConvertOp, Operation, Ordering, Scope, Type, Value};

use super::super::builder::Lanes;
use super::synchronise;
use crate::builtins::Unsupported;
use crate::builtins::call::{Answer, Call};
use crate::builtins::mangle::{ParameterType, Scalar};
use crate::builtins::memory;

/// Appends an atomic function.
pub fn expand(call: &mut Call) -> Answer {
    if let Some(name) = call.name.strip_prefix("atomic_").or_else(|| call.name.strip_prefix("atom_"))
        && let Some(op) = Legacy::parse(name)
    {
        return legacy(call, op);
    }
    let Some(name) = call.name.strip_prefix("atomic_") else {
        return Ok(None);
    };
    let (name, explicit) = match name.strip_suffix("_explicit") {
        Some(name) => (name, true),
        None => (name, false),
    };
    match name {
        "init" if !explicit => initialise(call),
        "load" => load(call, explicit),
        "store" => store(call, explicit),
        "exchange" => modify(call, Fetch::Exchange, explicit),
        "fetch_add" => modify(call, Fetch::Add, explicit),
        "fetch_sub" => modify(call, Fetch::Subtract, explicit),
        "fetch_and" => modify(call, Fetch::And, explicit),
        "fetch_or" => modify(call, Fetch::Or, explicit),
        "fetch_xor" => modify(call, Fetch::Xor, explicit),
        "fetch_min" => modify(call, Fetch::Min, explicit),
        "fetch_max" => modify(call, Fetch::Max, explicit),
        "compare_exchange_strong" => compare_exchange(call, explicit, false),
        "compare_exchange_weak" => compare_exchange(call, explicit, true),
        "flag_test_and_set" => test_and_set(call, explicit),
        "flag_clear" => clear(call, explicit),
        _ => Ok(None),
    }
}

/// A read-modify-write with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fetch {
    Exchange,
    Add,
    Subtract,
    And,
    Or,
    Xor,
    Min,
    Max,
}

impl Fetch {
    /// The operation on objects of this type.
    fn on(self, scalar: Scalar) -> Option<AtomicOp> {
        let (signed, float) = match scalar {
            Scalar::Bool => return None,
            Scalar::Integer(integer) => (integer.signed, false),
            Scalar::Float(_) => (true, true),
        };
        match (self, float) {
            (Self::Exchange, _) => Some(AtomicOp::Exchange),
            (Self::Add, false) => Some(AtomicOp::Add),
            (Self::Add, true) => Some(AtomicOp::FloatAdd),
            (Self::Subtract, false) => Some(AtomicOp::Subtract),
            (Self::Subtract, true) => Some(AtomicOp::FloatSubtract),
            (Self::Min, true) => Some(AtomicOp::FloatMin),
            (Self::Max, true) => Some(AtomicOp::FloatMax),
            (Self::Min, false) => Some(if signed { AtomicOp::SignedMin } else { AtomicOp::UnsignedMin }),
            (Self::Max, false) => Some(if signed { AtomicOp::SignedMax } else { AtomicOp::UnsignedMax }),
            (Self::And, false) => Some(AtomicOp::And),
            (Self::Or, false) => Some(AtomicOp::Or),
            (Self::Xor, false) => Some(AtomicOp::Xor),
            (Self::And | Self::Or | Self::Xor, true) => None,
        }
    }
}

/// An atomic of OpenCL 1.x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Legacy {
    Fetch(Fetch),
    Increment,
    Decrement,
    CompareExchange,
}

impl Legacy {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "add" => Self::Fetch(Fetch::Add),
            "sub" => Self::Fetch(Fetch::Subtract),
            "xchg" => Self::Fetch(Fetch::Exchange),
            "min" => Self::Fetch(Fetch::Min),
            "max" => Self::Fetch(Fetch::Max),
            "and" => Self::Fetch(Fetch::And),
            "or" => Self::Fetch(Fetch::Or),
            "xor" => Self::Fetch(Fetch::Xor),
            "inc" => Self::Increment,
            "dec" => Self::Decrement,
            "cmpxchg" => Self::CompareExchange,
            _ => return None,
        })
    }
}

/// An atomic object: its pointer and its type.
#[derive(Clone, Copy)]
struct Object {
    pointer: Value,
    scalar: Scalar,
}

/// The ordering of an atomic, and its scope.
type Strength = (Ordering, Scope);

fn legacy(call: &mut Call, op: Legacy) -> Answer {
    let object = object(call)?;
    let strength = (Ordering::Relaxed, Scope::Device);
    let (op, operands) = match op {
        Legacy::Fetch(fetch) => {
            call.expect_parameters(2)?;
            (fetch.on(object.scalar).ok_or_else(|| call.ill_typed())?, vec![operand(call, 1, object)?])
        }
        Legacy::Increment | Legacy::Decrement => {
            call.expect_parameters(1)?;
            let increment = op == Legacy::Increment;
            (if increment { AtomicOp::Increment } else { AtomicOp::Decrement }, Vec::new())
        }
        Legacy::CompareExchange => {
            call.expect_parameters(3)?;
            (AtomicOp::CompareExchange, vec![operand(call, 1, object)?, operand(call, 2, object)?])
        }
    };
    Ok(Some(vec![atomic(call, object, op, operands, strength)]))
}

fn modify(call: &mut Call, fetch: Fetch, explicit: bool) -> Answer {
    let object = object(call)?;
    let strength = strength(call, 2, 1, explicit)?;
    let op = fetch.on(object.scalar).ok_or_else(|| call.ill_typed())?;
    let operand = operand(call, 1, object)?;
    Ok(Some(vec![atomic(call, object, op, vec![operand], strength)]))
}

fn load(call: &mut Call, explicit: bool) -> Answer {
    let object = object(call)?;
    let strength = strength(call, 1, 1, explicit)?;
    Ok(Some(vec![atomic(call, object, AtomicOp::Load, Vec::new(), strength)]))
}

fn store(call: &mut Call, explicit: bool) -> Answer {
    let object = object(call)?;
    let strength = strength(call, 2, 1, explicit)?;
    let value = operand(call, 1, object)?;
    write(call, object, value, strength);
    Ok(Some(Lanes::new()))
}

/// Initialisation is not atomic itself.
fn initialise(call: &mut Call) -> Answer {
    call.expect_parameters(2)?;
    let object = object(call)?;
    let value = operand(call, 1, object)?;
    call.store(object.pointer, object.scalar.bytes(), &[value])?;
    Ok(Some(Lanes::new()))
}

/// Returns whether the object had the expected value.
///
/// On failure the object's value is stored as the expected one; on success storing it changes
/// nothing.
fn compare_exchange(call: &mut Call, explicit: bool, weak: bool) -> Answer {
    let object = object(call)?;
    let strength = strength(call, 3, 2, explicit)?;
    let failing = explicit.then(|| order(call, 4)).transpose()?;
    if call.parameter(1)?.pointee().map(|(_, pointee)| pointee) != Some(&ParameterType::Scalar(object.scalar)) {
        return Err(call.ill_typed());
    }
    let expected_at = call.single(1)?;
    let desired = operand(call, 2, object)?;
    let ty = lane_type(object.scalar);
    let expected = call.load(expected_at, object.scalar.bytes(), &[ty])?[0];
    let exchange = operation(object, AtomicOp::CompareExchange, vec![expected, desired], strength);
    let Operation::Atomic { access, op, operands, ordering, scope, .. } = exchange else {
        return Err(call.ill_typed());
    };
    let old = call.builder.append(Operation::Atomic { access, op, operands, ordering, failing, scope }, ty);
    call.store(expected_at, object.scalar.bytes(), &[old])?;
    let bits = Type::Bits(8 * object.scalar.bytes());
    let builder = &mut *call.builder;
    let (found, wanted) =
        (builder.convert(ConvertOp::Bitcast, old, bits), builder.convert(ConvertOp::Bitcast, expected, bits));
    let mut success = builder.compare(CompareOp::Equal, found, wanted);
    if weak {
        let spurious = builder.append(Operation::Undefined, Type::Bool);
        success = builder.binary(BinaryOp::And, success, spurious);
    }
    Ok(Some(vec![success]))
}

fn test_and_set(call: &mut Call, explicit: bool) -> Answer {
    let object = object(call)?;
    let strength = strength(call, 1, 1, explicit)?;
    let one = flag_value(call, object, 1)?;
    let old = atomic(call, object, AtomicOp::Exchange, vec![one], strength);
    let zero = flag_value(call, object, 0)?;
    Ok(Some(vec![call.builder.compare(CompareOp::NotEqual, old, zero)]))
}

fn clear(call: &mut Call, explicit: bool) -> Answer {
    let object = object(call)?;
    let strength = strength(call, 1, 1, explicit)?;
    let zero = flag_value(call, object, 0)?;
    write(call, object, zero, strength);
    Ok(Some(Lanes::new()))
}

fn flag_value(call: &mut Call, object: Object, value: u64) -> Result<Value, Unsupported> {
    match object.scalar {
        Scalar::Integer(integer) => Ok(call.builder.number(integer.width, value)),
        Scalar::Bool | Scalar::Float(_) => Err(call.ill_typed()),
    }
}

/// The object that the first argument points to.
fn object(call: &mut Call) -> Result<Object, Unsupported> {
    match call.parameter(0)?.pointee() {
        Some((_, &ParameterType::Scalar(scalar @ (Scalar::Integer(_) | Scalar::Float(_))))) => {
            Ok(Object { pointer: call.single(0)?, scalar })
        }
        _ => Err(call.ill_typed()),
    }
}

/// An operand in the type of the object; a pointer difference may be narrower or wider than its
/// integer.
fn operand(call: &mut Call, index: usize, object: Object) -> Result<Value, Unsupported> {
    let value = call.single(index)?;
    match (lane_type(object.scalar), call.builder.ty(value)) {
        (wanted, found) if wanted == found => Ok(value),
        (wanted @ Type::Bits(to), Type::Bits(from)) => {
            let signed = call.integer(index).is_some_and(|integer| integer.signed);
            let op = match (to < from, signed) {
                (true, _) => ConvertOp::Truncate,
                (false, true) => ConvertOp::SignExtend,
                (false, false) => ConvertOp::ZeroExtend,
            };
            Ok(call.builder.convert(op, value, wanted))
        }
        _ => Err(call.ill_typed()),
    }
}

/// The order given by an argument; the weakest if it is not known.
fn order(call: &mut Call, index: usize) -> Result<Ordering, Unsupported> {
    Ok(call.constant(index)?.map_or(Ordering::Relaxed, |bits| synchronise::ordering(&bits)))
}

/// The order and the scope given by the arguments from index `first` on.
///
/// These are `orders` orders, the first of which is taken, and optionally a scope.
fn strength(call: &mut Call, first: usize, orders: usize, explicit: bool) -> Result<Strength, Unsupported> {
    if !explicit {
        call.expect_parameters(first)?;
        return Ok((Ordering::SequentiallyConsistent, Scope::Device));
    }
    let ordering = order(call, first)?;
    let scope_index = first + orders;
    if call.parameters.len() == scope_index {
        return Ok((ordering, Scope::Device));
    }
    call.expect_parameters(scope_index + 1)?;
    let scope = call.constant(scope_index)?.map_or(Scope::Thread, |bits| synchronise::scope(&bits));
    Ok((ordering, scope))
}

fn atomic(call: &mut Call, object: Object, op: AtomicOp, operands: Vec<Value>, strength: Strength) -> Value {
    let ty = lane_type(object.scalar);
    call.builder.append(operation(object, op, operands, strength), ty)
}

fn write(call: &mut Call, object: Object, value: Value, strength: Strength) {
    call.builder.append_effect(operation(object, AtomicOp::Store, vec![value], strength));
}

fn operation(object: Object, op: AtomicOp, operands: Vec<Value>, (ordering, scope): Strength) -> Operation {
    let access = memory::access(object.pointer, object.scalar.bytes());
    Operation::Atomic { access, op, operands, ordering, failing: None, scope }
}

fn lane_type(scalar: Scalar) -> Type {
    match scalar {
        Scalar::Bool => Type::Bool,
        Scalar::Integer(integer) => Type::Bits(integer.width),
        Scalar::Float(float) => Type::Float(float),
    }
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::{FloatType, Space};

    use super::*;
    use crate::builtins::testing::Bench;

    /// The atomic operation that a call of this function with these further arguments appends.
    fn appended(name: &str, ty: Type, operands: usize, constants: &[u64], result: &[Type]) -> Strengths {
        let mut bench = Bench::opencl();
        let mut arguments = vec![vec![bench.pointer(Space::Global)]];
        arguments.extend(bench.inputs(ty, operands).into_iter().map(|value| vec![value]));
        for &constant in constants {
            arguments.push(vec![bench.number(32, constant)]);
        }
        bench.call(name, &arguments, result);
        let atomics = bench.find(|operation| matches!(operation, Operation::Atomic { .. }));
        let [Operation::Atomic { access, op, operands, ordering, scope, .. }] = atomics.as_slice() else {
            panic!("{name}: {atomics:?}");
        };
        assert_eq!(Some(access.alignment * 8), ty.width(), "{name}");
        (*op, operands.len(), *ordering, *scope)
    }

    type Strengths = (AtomicOp, usize, Ordering, Scope);

    const INT: Type = Type::Bits(32);

    #[test]
    fn atomics_of_opencl_1() {
        let float = Type::Float(FloatType::F32);
        for (name, ty, operands, op) in [
            ("_Z10atomic_addPU3AS1Vii", INT, 1, AtomicOp::Add),
            ("_Z10atomic_subPU3AS1Vjj", INT, 1, AtomicOp::Subtract),
            ("_Z10atomic_incPU3AS3Vi", INT, 0, AtomicOp::Increment),
            ("_Z10atomic_decPU3AS3Vi", INT, 0, AtomicOp::Decrement),
            ("_Z14atomic_cmpxchgPU3AS1Viii", INT, 2, AtomicOp::CompareExchange),
            ("_Z11atomic_xchgPU3AS1Vff", float, 1, AtomicOp::Exchange),
            ("_Z10atomic_minPU3AS1Vii", INT, 1, AtomicOp::SignedMin),
            ("_Z10atomic_maxPU3AS1Vjj", INT, 1, AtomicOp::UnsignedMax),
            ("_Z8atom_minPU3AS1Vmm", Type::Bits(64), 1, AtomicOp::UnsignedMin),
            ("_Z8atom_addPU3AS1Vll", Type::Bits(64), 1, AtomicOp::Add),
        ] {
            assert_eq!(appended(name, ty, operands, &[], &[ty]), (op, operands, Ordering::Relaxed, Scope::Device));
        }
    }

    #[test]
    fn orders_and_scopes_of_opencl_2() {
        let strong = (Ordering::SequentiallyConsistent, Scope::Device);
        let (order, scope) = strong;
        assert_eq!(
            appended("_Z16atomic_fetch_addPU3AS4VU7_Atomicii", INT, 1, &[], &[INT]),
            (AtomicOp::Add, 1, order, scope)
        );
        assert_eq!(
            appended("_Z25atomic_fetch_add_explicitPU3AS4VU7_Atomicii12memory_order", INT, 1, &[0], &[INT]),
            (AtomicOp::Add, 1, Ordering::Relaxed, Scope::Device)
        );
        let store = "_Z21atomic_store_explicitPU3AS4VU7_Atomicii12memory_order12memory_scope";
        assert_eq!(appended(store, INT, 1, &[3, 1], &[]), (AtomicOp::Store, 1, Ordering::Release, Scope::Group));
        assert_eq!(
            appended("_Z11atomic_loadPU3AS4VU7_Atomici", INT, 0, &[], &[INT]),
            (AtomicOp::Load, 0, order, scope)
        );
        assert_eq!(
            appended("_Z24atomic_flag_test_and_setPU3AS4VU7_Atomici", INT, 0, &[], &[Type::Bool]),
            (AtomicOp::Exchange, 1, order, scope)
        );
        assert_eq!(
            appended("_Z26atomic_flag_clear_explicitPU3AS4VU7_Atomici12memory_order", INT, 0, &[3], &[]),
            (AtomicOp::Store, 1, Ordering::Release, Scope::Device)
        );
    }

    #[test]
    fn a_computed_scope_is_the_narrowest() {
        let mut bench = Bench::opencl();
        let pointer = bench.pointer(Space::Local);
        let x = bench.inputs(INT, 3);
        let name = "_Z24atomic_fetch_or_explicitPU3AS4VU7_Atomicii12memory_order12memory_scope";
        bench.call(name, &[vec![pointer], vec![x[0]], vec![x[1]], vec![x[2]]], &[INT]);
        let Operation::Atomic { ordering, scope, .. } = bench.last() else { panic!("an atomic") };
        assert_eq!((*ordering, *scope), (Ordering::Relaxed, Scope::Thread));
    }

    #[test]
    fn compare_exchange_reads_and_writes_what_is_expected() {
        let mut bench = Bench::opencl();
        let object = bench.pointer(Space::Global);
        let expected = bench.pointer(Space::Private);
        let desired = bench.input(INT);
        let (acquire, relaxed, device) = (bench.number(32, 2), bench.number(32, 0), bench.number(32, 2));
        let arguments = [object, expected, desired, acquire, relaxed, device].map(|value| vec![value]);
        let name = "_Z37atomic_compare_exchange_weak_explicitPU3AS4VU7_AtomiciPU3AS4ii12memory_orderS4_12memory_scope";
        bench.call(name, &arguments, &[Type::Bool]);
        let accesses = bench.find(|operation| {
            matches!(operation, Operation::Load(_) | Operation::Store(..) | Operation::Atomic { .. })
        });
        let [Operation::Load(load), Operation::Atomic { access, ordering, failing, .. }, Operation::Store(store, _)] =
            accesses.as_slice()
        else {
            panic!("{accesses:?}");
        };
        assert_eq!((load.pointer, access.pointer, store.pointer), (expected, object, expected));
        assert_eq!((*ordering, *failing), (Ordering::Acquire, Some(Ordering::Relaxed)));
    }

    #[test]
    fn initialisation_is_a_plain_store() {
        let mut bench = Bench::opencl();
        let pointer = bench.pointer(Space::Global);
        let value = bench.input(INT);
        bench.call("_Z11atomic_initPU3AS4VU7_Atomicii", &[vec![pointer], vec![value]], &[]);
        assert!(
            matches!(bench.last(), Operation::Store(access, stored) if access.pointer == pointer && *stored == value)
        );
    }
}
