//! Calls of functions without a body: the device's own, libdevice's, and Lockstep's headers'.

use lockstep_ir::assumption::Assumptions;
use lockstep_ir::kernel::{AssertKind, FloatType, Kernel, Language, Operation, Space, Type, Value, verify};

use super::machine::{Machine, bitcast};
use super::read::Operand;
use crate::builder::{Builder, Lanes};
use crate::builtins::mangle::{self, ParameterType, Scalar};
use crate::builtins::{Unsupported, memory};
use crate::{cuda, opencl};

/// libdevice's functions: name, type of the result, types of the parameters.
const LIBDEVICE: &str = include_str!("../cuda/libdevice.txt");

/// Appends the meaning of a call.
pub fn call(
    machine: &mut Machine,
    name: &str,
    results: &[Operand],
    arguments: &[Operand],
    assumptions: &mut Assumptions,
) -> Result<(), Unsupported> {
    match name {
        // Its output is no access, and its result is unknown.
        "vprintf" | "printf" => {
            for result in results {
                machine.forget(result);
            }
            return Ok(());
        }
        "__assertfail" => {
            let never = machine.builder.boolean(false);
            machine.builder.append_effect(Operation::Assert(never, AssertKind::User));
            return Ok(());
        }
        "malloc" | "free" => return Err(Unsupported(format!("memory that a kernel allocates ({name})"))),
        _ => {}
    }
    let unknown = || Unsupported(format!("call of {}, which has no body", opencl::source_name(name)));
    let (parameters, result) = types(name).ok_or_else(unknown)?;
    if parameters.len() != arguments.len() || results.len() > 1 {
        return Err(unknown());
    }
    let mut lanes = Vec::new();
    for (argument, ty) in arguments.iter().zip(parameters) {
        lanes.push(argument_lanes(machine, argument, ty)?);
    }
    if let Some(assumed) = cuda::assumption(name) {
        let here = machine.builder.kernel.place(machine.builder.location);
        assumptions.add(assumed.at([here]));
    }
    let Some(target) = results.first() else {
        return match cuda::call(machine.builder, name, &lanes, &[])? {
            Some(_) => Ok(()),
            None => Err(unknown()),
        };
    };
    let width = machine.width(target).ok_or_else(unknown)?;
    let types: Vec<Type> = lanes.iter().flatten().map(|&lane| machine.builder.ty(lane)).collect();
    let mut results = result.map_or_else(|| candidates(width), |ty| vec![ty]);
    if results.len() > 1 {
        results.retain(|result| is_well_typed(name, &types, *result));
    }
    // If none fits, the first one gives the reason.
    let result = results.first().copied().unwrap_or(Type::Bits(width));
    let lanes = cuda::call(machine.builder, name, &lanes, &[result])?.ok_or_else(unknown)?;
    let &[value] = lanes.as_slice() else { return Err(unknown()) };
    set(machine, target, value)
}

/// Whether a call of a function with a result of this type follows the rules of the kernel IR,
/// tried in a kernel of its own.
fn is_well_typed(name: &str, arguments: &[Type], result: Type) -> bool {
    let mut kernel = Kernel::new("trial", Language::Cuda, 64);
    let block = kernel.entry;
    let mut builder = Builder { kernel: &mut kernel, block, location: None };
    let lanes: Vec<Lanes> = arguments.iter().map(|ty| vec![builder.append(Operation::Undefined, *ty)]).collect();
    let answer = cuda::call(&mut builder, name, &lanes, &[result]);
    matches!(answer, Ok(Some(_))) && verify(kernel).is_ok()
}

/// A result of a function whose type is known by its width only.
fn candidates(width: u32) -> Vec<Type> {
    let floats = [FloatType::F16, FloatType::F32, FloatType::F64];
    let float = floats.into_iter().find(|float| float.width() == width).map(Type::Float);
    [Some(Type::Bits(width)), float].into_iter().flatten().collect()
}

fn set(machine: &mut Machine, target: &Operand, value: Value) -> Result<(), Unsupported> {
    match machine.builder.ty(value) {
        Type::Float(float) => {
            let bits = bitcast(machine.builder, value, Type::Bits(float.width()));
            machine.set(target, bits)
        }
        _ => machine.set(target, value),
    }
}

/// The types of a function's parameters, and that of its result if it is known.
fn types(name: &str) -> Option<(Vec<Type>, Option<Type>)> {
    if let Some(function) = mangle::demangle(name) {
        let parameters = function.parameters.iter().map(parameter_type).collect::<Option<_>>()?;
        return Some((parameters, None));
    }
    let line = LIBDEVICE.lines().find(|line| line.split(' ').next() == Some(name))?;
    let mut words = line.split(' ').skip(1);
    let result = named_type(words.next()?);
    let parameters = words.next()?.split(',').map(named_type).collect::<Option<_>>()?;
    Some((parameters, result))
}

fn parameter_type(parameter: &ParameterType) -> Option<Type> {
    Some(match parameter {
        ParameterType::Scalar(Scalar::Bool) => Type::Bits(8),
        ParameterType::Scalar(Scalar::Integer(integer)) => Type::Bits(integer.width),
        ParameterType::Scalar(Scalar::Float(float)) => Type::Float(*float),
        ParameterType::Pointer(..) => Type::Pointer(Space::Generic),
        ParameterType::Vector(..) | ParameterType::Opaque(_) | ParameterType::Void => return None,
    })
}

fn named_type(name: &str) -> Option<Type> {
    Some(match name {
        "float" => Type::Float(FloatType::F32),
        "double" => Type::Float(FloatType::F64),
        "ptr" => Type::Pointer(Space::Generic),
        integer => Type::Bits(integer.strip_prefix('i')?.parse().ok()?),
    })
}

fn argument_lanes(machine: &mut Machine, argument: &Operand, ty: Type) -> Result<Lanes, Unsupported> {
    let bits = machine.builder.kernel.pointer_bits;
    if !matches!(ty, Type::Pointer(_)) {
        let number = machine.number(argument, ty.width().unwrap_or(32))?;
        return Ok(vec![bitcast(machine.builder, number, ty)]);
    }
    if let Some(pointer) = machine.pointer_of(argument, bits) {
        machine.seen.pointers.push(pointer);
        return Ok(vec![memory::written(machine.builder, pointer)]);
    }
    let number = machine.number(argument, bits)?;
    machine.seen.numbers.push(number);
    Ok(vec![machine.builder.append(Operation::IntegerToPointer(number), ty)])
}
