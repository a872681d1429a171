//! Arithmetic on addresses: which array an address belongs to.
//!
//! PTX has addresses, which are numbers; the kernel IR has pointers into arrays. A register that
//! holds an address holds the pointer, if it is known. It is known for variables and for kernel
//! parameters that are used as addresses, and stays known through moves, conversions between state
//! spaces, selections, the merging of paths, and the addition of distances.
//!
//! # Soundness
//!
//! A pointer that a register holds has the same address as the register's number, so it may become
//! that number anywhere ([`Operation::PointerToInteger`]). The choice between the two never loses a
//! behaviour: an access at a number goes anywhere in its address space
//! ([`Operation::IntegerToPointer`]). One rule claims more: pointer plus distance points into the
//! pointer's array. A program may break it in two ways. It may compute the distance from another
//! array's address; such sums stay numbers ([`super::taint`]). Or it may leave the array by a
//! distance computed otherwise: an access out of bounds, which is checked for arrays of known size
//! and otherwise an assumption that the report lists.
//!
//! Addresses of 32 bits lie in the small window of shared memory. Each distance counts as a signed
//! number, and the sum of distances is exact in 64 bits. It differs from the 32-bit sum only if the
//! address leaves the window by 2^31 bytes on its way.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp, Operation, Space, Type, UnaryOp, Value};

use super::machine::Machine;
use super::read::{Instruction, Operand};
use super::types::PtxType;
use crate::builtins::Unsupported;

/// Appends arithmetic on a pointer. `Ok(false)` if no operand is one, or for other instructions.
pub fn expand(machine: &mut Machine, instruction: &Instruction) -> Result<bool, Unsupported> {
    let (name, words) = instruction.words();
    let integer = |word: &str| PtxType::parse(word).filter(|ty| ty.is_integer());
    match (name, words.as_slice()) {
        ("add", &[ty]) => match integer(ty) {
            Some(ty) => add(machine, instruction, ty.width),
            None => Ok(false),
        },
        ("sub", &[ty]) => match integer(ty) {
            Some(ty) => subtract(machine, instruction, ty.width),
            None => Ok(false),
        },
        ("mad", &[part @ ("lo" | "wide"), ty]) => match integer(ty) {
            Some(ty) => add_product(machine, instruction, ty, part == "wide"),
            None => Ok(false),
        },
        ("and" | "or" | "xor", &[ty]) => match integer(ty) {
            Some(ty) => change_bits(machine, instruction, ty.width, name),
            None => Ok(false),
        },
        ("selp", &[ty]) => match integer(ty) {
            Some(ty) => select(machine, instruction, ty.width),
            None => Ok(false),
        },
        ("cvt", &[to, from]) => match (integer(to), integer(from)) {
            (Some(to), Some(from)) => convert(machine, instruction, to, from),
            _ => Ok(false),
        },
        _ => Ok(false),
    }
}

/// The pointer moved by a distance; `None` if the distance is computed from an address.
pub fn moved(machine: &mut Machine, pointer: Value, distance: Value) -> Option<Value> {
    if machine.taint.of(machine.builder.kernel, distance) {
        return None;
    }
    if machine.builder.kernel.constant(distance).is_some_and(Bits::is_zero) {
        return Some(pointer);
    }
    let bits = machine.builder.kernel.pointer_bits;
    let offset = match machine.builder.kernel.constant(distance).cloned() {
        Some(number) if number.width() < bits => machine.builder.bits(number.sign_extend(bits)),
        _ => machine.builder.resized(distance, bits, ConvertOp::SignExtend),
    };
    let ty = machine.builder.ty(pointer);
    Some(machine.builder.append(Operation::PointerAdd { pointer, offset, in_bounds: false }, ty))
}

/// Sets the first operand to the pointer moved by a distance.
fn set_moved(
    machine: &mut Machine,
    instruction: &Instruction,
    pointer: Value,
    distance: Value,
) -> Result<bool, Unsupported> {
    let Some(result) = moved(machine, pointer, distance) else { return Ok(false) };
    machine.set(instruction.operand(0)?, result)?;
    Ok(true)
}

fn add(machine: &mut Machine, instruction: &Instruction, width: u32) -> Result<bool, Unsupported> {
    let (a, b) = (instruction.operand(1)?, instruction.operand(2)?);
    let (pointer, other) = match (machine.pointer_of(a, width), machine.pointer_of(b, width)) {
        (Some(pointer), None) => (pointer, b),
        (None, Some(pointer)) => (pointer, a),
        (None, None) | (Some(_), Some(_)) => return Ok(false),
    };
    let distance = machine.number(other, width)?;
    set_moved(machine, instruction, pointer, distance)
}

fn subtract(machine: &mut Machine, instruction: &Instruction, width: u32) -> Result<bool, Unsupported> {
    let (a, b) = (instruction.operand(1)?, instruction.operand(2)?);
    match (machine.pointer_of(a, width), machine.pointer_of(b, width)) {
        (Some(pointer), None) => {
            let distance = machine.number(b, width)?;
            if machine.taint.of(machine.builder.kernel, distance) {
                return Ok(false);
            }
            let distance = machine.builder.unary(UnaryOp::Negate, distance);
            set_moved(machine, instruction, pointer, distance)
        }
        (Some(first), Some(second)) if machine.builder.ty(first) == machine.builder.ty(second) => {
            let ty = machine.builder.kernel.offset_type();
            let distance = machine.builder.append(Operation::PointerDifference(first, second), ty);
            let distance = machine.builder.resized(distance, width, ConvertOp::ZeroExtend);
            machine.set(instruction.operand(0)?, distance)?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// `mad`: a product is added to an address.
fn add_product(machine: &mut Machine, instruction: &Instruction, ty: PtxType, wide: bool) -> Result<bool, Unsupported> {
    let width = if wide { 2 * ty.width } else { ty.width };
    let Some(pointer) = machine.pointer_of(instruction.operand(3)?, width) else { return Ok(false) };
    let [a, b] =
        [machine.number(instruction.operand(1)?, ty.width)?, machine.number(instruction.operand(2)?, ty.width)?];
    let extension = ty.extension();
    let [a, b] = [a, b].map(|factor| machine.builder.resized(factor, width, extension));
    let product = machine.builder.binary(BinaryOp::Multiply, a, b);
    set_moved(machine, instruction, pointer, product)
}

/// Bits of an address are cleared, set or flipped, by whatever distance that adds.
///
/// A mask that clears the highest bits makes a number.
fn change_bits(machine: &mut Machine, instruction: &Instruction, width: u32, name: &str) -> Result<bool, Unsupported> {
    let (a, b) = (instruction.operand(1)?, instruction.operand(2)?);
    let (pointer, other) = match (machine.pointer_of(a, width), machine.pointer_of(b, width)) {
        (Some(pointer), None) => (pointer, b),
        (None, Some(pointer)) => (pointer, a),
        (None, None) | (Some(_), Some(_)) => return Ok(false),
    };
    let other = machine.number(other, width)?;
    let keeps_high = |bits: &Bits| bits.sign();
    let is_mask = name == "and";
    if machine.taint.of(machine.builder.kernel, other)
        || is_mask && !machine.builder.kernel.constant(other).is_some_and(keeps_high)
    {
        return Ok(false);
    }
    let ty = machine.builder.kernel.offset_type();
    let address = machine.builder.append(Operation::PointerToInteger(pointer), ty);
    let address = machine.builder.resized(address, width, ConvertOp::ZeroExtend);
    let distance = if is_mask {
        let cleared = machine.builder.unary(UnaryOp::Not, other);
        let rest = machine.builder.binary(BinaryOp::And, address, cleared);
        machine.builder.unary(UnaryOp::Negate, rest)
    } else {
        let op = if name == "or" { BinaryOp::Or } else { BinaryOp::Xor };
        let changed = machine.builder.binary(op, address, other);
        machine.builder.binary(BinaryOp::Subtract, changed, address)
    };
    // The distance is computed from the address of this same array.
    let bits = machine.builder.kernel.pointer_bits;
    let offset = machine.builder.resized(distance, bits, ConvertOp::SignExtend);
    let ty = machine.builder.ty(pointer);
    let result = machine.builder.append(Operation::PointerAdd { pointer, offset, in_bounds: false }, ty);
    machine.set(instruction.operand(0)?, result)?;
    Ok(true)
}

fn select(machine: &mut Machine, instruction: &Instruction, width: u32) -> Result<bool, Unsupported> {
    let operands = [instruction.operand(1)?, instruction.operand(2)?];
    let Some(pointers) = alike(machine, operands, width) else { return Ok(false) };
    let condition = machine.predicate(instruction.operand(3)?)?;
    let chosen = machine.builder.select(condition, pointers[0], pointers[1]);
    machine.set(instruction.operand(0)?, chosen)?;
    Ok(true)
}

/// Two operands as pointers of one type: two pointers, or a pointer and zero.
///
/// Zero is the null pointer, but in shared memory it is an address like any other.
fn alike(machine: &mut Machine, operands: [&Operand; 2], width: u32) -> Option<[Value; 2]> {
    let found = operands.map(|operand| machine.pointer_of(operand, width));
    let [a, b] = match found {
        [Some(a), Some(b)] => [a, b],
        [Some(a), None] if has_null(machine, a) && machine.constant(operands[1]) == Some(0) => {
            [a, null_like(machine, a)]
        }
        [None, Some(b)] if has_null(machine, b) && machine.constant(operands[0]) == Some(0) => {
            [null_like(machine, b), b]
        }
        _ => return None,
    };
    if machine.builder.ty(a) == machine.builder.ty(b) {
        return Some([a, b]);
    }
    Some([a, b].map(|pointer| cast(machine, pointer, Type::Pointer(Space::Generic))))
}

fn has_null(machine: &Machine, pointer: Value) -> bool {
    machine.builder.ty(pointer) != Type::Pointer(Space::Local)
}

fn null_like(machine: &mut Machine, pointer: Value) -> Value {
    let ty = machine.builder.ty(pointer);
    machine.builder.append(Operation::Null, ty)
}

/// The pointer in this address space.
pub fn cast(machine: &mut Machine, pointer: Value, ty: Type) -> Value {
    match machine.builder.kernel.operation(pointer) {
        _ if machine.builder.ty(pointer) == ty => pointer,
        Some(Operation::Null) => machine.builder.append(Operation::Null, ty),
        _ => machine.builder.append(Operation::SpaceCast(pointer), ty),
    }
}

/// A shared address keeps its value between 32 and 64 bits.
fn convert(machine: &mut Machine, instruction: &Instruction, to: PtxType, from: PtxType) -> Result<bool, Unsupported> {
    let is_resize = matches!((to.width, from.width), (32, 64) | (64, 32)) && !from.is_signed();
    let same = to.width == from.width;
    if !is_resize && !same {
        return Ok(false);
    }
    let Some(pointer) = machine.pointer_of(instruction.operand(1)?, from.width) else { return Ok(false) };
    if is_resize && machine.builder.ty(pointer) != Type::Pointer(Space::Local) {
        return Ok(false);
    }
    machine.set(instruction.operand(0)?, pointer)?;
    Ok(true)
}

/// Compares two operands that are pointers, or a pointer and zero. `None` for numbers.
///
/// The order of pointers is that of their distance, which is unknown for two arrays.
pub fn compared(machine: &mut Machine, op: &str, operands: [&Operand; 2], width: u32) -> Option<Value> {
    let [a, b] = alike(machine, operands, width)?;
    if matches!(op, "eq" | "ne") {
        let equal = machine.builder.append(Operation::PointerEqual(a, b), Type::Bool);
        return Some(if op == "eq" { equal } else { machine.builder.unary(UnaryOp::Not, equal) });
    }
    let ty = machine.builder.kernel.offset_type();
    let distance = machine.builder.append(Operation::PointerDifference(a, b), ty);
    let zero = machine.builder.number(ty.width().unwrap_or(64), 0);
    Some(match op {
        "lt" | "lo" => machine.builder.compare(CompareOp::SignedLess, distance, zero),
        "le" | "ls" => machine.builder.compare(CompareOp::SignedLessEqual, distance, zero),
        "gt" | "hi" => machine.builder.compare(CompareOp::SignedLess, zero, distance),
        "ge" | "hs" => machine.builder.compare(CompareOp::SignedLessEqual, zero, distance),
        _ => return None,
    })
}
