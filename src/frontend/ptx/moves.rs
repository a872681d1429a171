//! Moves, conversions, comparisons, selections, and the logic of predicates.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp, FloatOp, Operation, Space, Type, UnaryOp, Value};

use super::machine::Machine;
use super::memory::space_of;
use super::pointers;
use super::read::{Instruction, Operand};
use super::types::{Class, PtxType};
use crate::builder::Builder;
use crate::builtins::memory::{join, split};
use crate::builtins::{Unsupported, addresses};
use crate::cuda::{anything, nvvm};

/// Appends one of these instructions. `Ok(false)` for an unknown one.
pub fn expand(machine: &mut Machine, instruction: &Instruction) -> Result<bool, Unsupported> {
    let (name, words) = instruction.words();
    match (name, words.as_slice()) {
        ("mov", &[ty]) => PtxType::parse(ty).map_or(Ok(false), |ty| copy(machine, instruction, ty)),
        ("cvta", [words @ .., "u32" | "u64"]) => address(machine, instruction, words),
        ("isspacep", &[space]) => is_in_space(machine, instruction, space),
        ("cvt", &[ref modifiers @ .., to, from]) => match (PtxType::parse(to), PtxType::parse(from)) {
            (Some(to), Some(from)) => convert(machine, instruction, modifiers, to, from),
            _ => Ok(false),
        },
        ("setp", &[op, ref words @ .., ty]) => match (words, PtxType::parse(ty)) {
            ([] | ["and" | "or" | "xor"], Some(ty)) => set_predicates(machine, instruction, op, words.first(), ty),
            _ => Ok(false),
        },
        ("set", &[op, to, from]) => match (PtxType::parse(to), PtxType::parse(from)) {
            (Some(to), Some(from)) if to.is_integer() => set(machine, instruction, op, to, from),
            _ => Ok(false),
        },
        ("selp", &[ty]) => PtxType::parse(ty).map_or(Ok(false), |ty| select(machine, instruction, ty)),
        ("slct", &[ty, "s32"]) => PtxType::parse(ty).map_or(Ok(false), |ty| select_by_sign(machine, instruction, ty)),
        ("and" | "or" | "xor" | "not", ["pred"]) => predicates(machine, instruction, name),
        _ => Ok(false),
    }
}

/// `mov`: from one register, into several that share its bits, or out of several.
fn copy(machine: &mut Machine, instruction: &Instruction, ty: PtxType) -> Result<bool, Unsupported> {
    let (to, from) = (instruction.operand(0)?, instruction.operand(1)?);
    match (to, from) {
        (Operand::Vector(parts), from) => {
            let whole = machine.number(from, ty.width)?;
            let types = part_types(parts.len(), ty.width).ok_or_else(|| instruction.refused())?;
            let lanes = split(machine.builder, whole, &types).ok_or_else(|| instruction.refused())?;
            for (part, lane) in parts.iter().zip(lanes) {
                machine.set(part, lane)?;
            }
        }
        (to, Operand::Vector(parts)) => {
            let types = part_types(parts.len(), ty.width).ok_or_else(|| instruction.refused())?;
            let width = types[0].width().unwrap_or(1);
            let lanes = parts.iter().map(|part| machine.number(part, width)).collect::<Result<Vec<_>, _>>()?;
            let whole = join(machine.builder, &lanes).ok_or_else(|| instruction.refused())?;
            machine.set(to, whole)?;
        }
        (to, from) if ty.class == Class::Predicate => {
            let value = machine.predicate(from)?;
            machine.set(to, value)?;
        }
        (to, from) => {
            let value = match machine.content(from) {
                Ok(Some(value)) if matches!(machine.builder.ty(value), Type::Pointer(_)) => value,
                _ => machine.number(from, ty.width)?,
            };
            machine.set(to, value)?;
        }
    }
    Ok(true)
}

fn part_types(count: usize, width: u32) -> Option<Vec<Type>> {
    let parts = u32::try_from(count).ok().filter(|&parts| parts > 0 && width.is_multiple_of(parts))?;
    Some(vec![Type::Bits(width / parts); count])
}

/// `cvta`: between addresses of a state space and generic ones. The pointer stays the same.
fn address(machine: &mut Machine, instruction: &Instruction, words: &[&str]) -> Result<bool, Unsupported> {
    let (to_space, space) = match words {
        ["to", space] => (true, space_of(space)),
        [space] => (false, space_of(space)),
        _ => return Ok(false),
    };
    let space = space.ok_or_else(|| instruction.refused())?;
    let (target, from) = (instruction.operand(0)?, instruction.operand(1)?);
    let own = Type::Pointer(if to_space { Space::Generic } else { space });
    let content = machine.content(from)?;
    let pointer = match content {
        Some(value) if matches!(machine.builder.ty(value), Type::Pointer(_)) => Some(value),
        Some(number) if !machine.follows_all => addresses::pointer_behind(machine.builder, number, own),
        Some(_) | None => None,
    };
    if let Some(pointer) = pointer {
        machine.seen.converted.push(pointer);
    } else if machine.follows_all && space == Space::Global {
        // Generic addresses of global memory are the same numbers.
        let number = machine.number(from, machine.width(target).unwrap_or(64))?;
        machine.seen.numbers.push(number);
        machine.set(target, number)?;
        return Ok(true);
    }
    let value = match pointer {
        Some(pointer) if to_space && machine.builder.ty(pointer) == Type::Pointer(Space::Generic) => {
            machine.builder.append(Operation::SpaceCast(pointer), Type::Pointer(space))
        }
        Some(pointer) => pointer,
        // An address whose pointer is not known leads nowhere, which is refused where it is used.
        None => anything(machine.builder, Type::Bits(machine.width(target).unwrap_or(64))),
    };
    machine.set(target, value)?;
    Ok(true)
}

/// `isspacep`: known where the pointer's space is known.
fn is_in_space(machine: &mut Machine, instruction: &Instruction, space: &str) -> Result<bool, Unsupported> {
    let space = space_of(space).ok_or_else(|| instruction.refused())?;
    let holds = match machine.content(instruction.operand(1)?)? {
        Some(pointer) => nvvm::is_in_space(machine.builder, space, pointer),
        None => anything(machine.builder, Type::Bool),
    };
    machine.set(instruction.operand(0)?, holds)?;
    Ok(true)
}

/// `cvt`, where the kernel IR has the conversion.
fn convert(
    machine: &mut Machine,
    instruction: &Instruction,
    modifiers: &[&str],
    to: PtxType,
    from: PtxType,
) -> Result<bool, Unsupported> {
    let source = instruction.operand(1)?;
    let value = match (from.float(), to.float(), modifiers) {
        (None, None, [] | ["sat"]) if from.is_integer() && to.is_integer() => {
            let value = machine.number(source, from.width)?;
            if modifiers.is_empty() {
                machine.builder.resized(value, to.width, from.extension())
            } else {
                saturated(machine.builder, value, from, to)
            }
        }
        (None, Some(float), ["rn"]) if from.is_integer() => {
            let value = machine.number(source, from.width)?;
            let op = if from.is_signed() { FloatOp::FromSigned } else { FloatOp::FromUnsigned };
            machine.builder.float(op, vec![value], Type::Float(float))
        }
        (Some(float), None, ["rzi"]) if to.is_integer() => {
            let value = machine.float(source, float)?;
            let op = if to.is_signed() { FloatOp::ToSigned } else { FloatOp::ToUnsigned };
            machine.builder.float(op, vec![value], Type::Bits(to.width))
        }
        (Some(a), Some(b), [] | ["rn"]) if a != b => {
            let value = machine.float(source, a)?;
            machine.builder.float(FloatOp::FromFloat, vec![value], Type::Float(b))
        }
        (Some(a), Some(b), []) if a == b => machine.float(source, a)?,
        _ => return Ok(false),
    };
    machine.write(instruction.operand(0)?, value, to.extension())?;
    Ok(true)
}

/// The nearest number of a type.
fn saturated(builder: &mut Builder<'_>, value: Value, from: PtxType, to: PtxType) -> Value {
    let width = from.width.max(to.width) + 1;
    let exact = builder.resized(value, width, from.extension());
    let (low, high) = if to.is_signed() {
        let high = Bits::ones(to.width - 1).zero_extend(width);
        (high.not(), high)
    } else {
        (Bits::zero(width), Bits::ones(to.width).zero_extend(width))
    };
    let (low, high) = (builder.bits(low), builder.bits(high));
    let below = builder.compare(CompareOp::SignedLess, exact, low);
    let above = builder.compare(CompareOp::SignedLess, high, exact);
    let clamped = builder.select(above, high, exact);
    let clamped = builder.select(below, low, clamped);
    builder.extract(to.width - 1, 0, clamped)
}

/// Compares the operands 1 and 2. `None` for an unknown comparison.
fn compared(
    machine: &mut Machine,
    instruction: &Instruction,
    op: &str,
    ty: PtxType,
) -> Result<Option<Value>, Unsupported> {
    let operands = [instruction.operand(1)?, instruction.operand(2)?];
    if ty.is_integer()
        && let Some(holds) = pointers::compared(machine, op, operands, ty.width)
    {
        return Ok(Some(holds));
    }
    if let Some(float) = ty.float() {
        let (op, exchanged) = match op {
            "eq" => (FloatOp::OrderedEqual, false),
            "ne" => (FloatOp::OrderedNotEqual, false),
            "lt" => (FloatOp::OrderedLess, false),
            "le" => (FloatOp::OrderedLessEqual, false),
            "gt" => (FloatOp::OrderedLess, true),
            "ge" => (FloatOp::OrderedLessEqual, true),
            "equ" => (FloatOp::UnorderedEqual, false),
            "neu" => (FloatOp::UnorderedNotEqual, false),
            "ltu" => (FloatOp::UnorderedLess, false),
            "leu" => (FloatOp::UnorderedLessEqual, false),
            "gtu" => (FloatOp::UnorderedLess, true),
            "geu" => (FloatOp::UnorderedLessEqual, true),
            "num" => (FloatOp::Ordered, false),
            "nan" => (FloatOp::Unordered, false),
            _ => return Ok(None),
        };
        let mut values =
            operands.map(|operand| machine.float(operand, float)).into_iter().collect::<Result<Vec<_>, _>>()?;
        if exchanged {
            values.reverse();
        }
        return Ok(Some(machine.builder.float(op, values, Type::Bool)));
    }
    if !ty.is_integer() {
        return Ok(None);
    }
    let signed = ty.is_signed();
    let less = if signed { CompareOp::SignedLess } else { CompareOp::UnsignedLess };
    let at_most = if signed { CompareOp::SignedLessEqual } else { CompareOp::UnsignedLessEqual };
    let (op, exchanged) = match op {
        "eq" => (CompareOp::Equal, false),
        "ne" => (CompareOp::NotEqual, false),
        "lt" => (less, false),
        "le" => (at_most, false),
        "gt" => (less, true),
        "ge" => (at_most, true),
        "lo" => (CompareOp::UnsignedLess, false),
        "ls" => (CompareOp::UnsignedLessEqual, false),
        "hi" => (CompareOp::UnsignedLess, true),
        "hs" => (CompareOp::UnsignedLessEqual, true),
        _ => return Ok(None),
    };
    let (a, b) = (machine.number(operands[0], ty.width)?, machine.number(operands[1], ty.width)?);
    Ok(Some(if exchanged { machine.builder.compare(op, b, a) } else { machine.builder.compare(op, a, b) }))
}

/// `setp`: a comparison and its opposite; both may be combined with a further predicate.
fn set_predicates(
    machine: &mut Machine,
    instruction: &Instruction,
    op: &str,
    combination: Option<&&str>,
    ty: PtxType,
) -> Result<bool, Unsupported> {
    let Some(holds) = compared(machine, instruction, op, ty)? else { return Ok(false) };
    let opposite = machine.builder.unary(UnaryOp::Not, holds);
    let mut results = [holds, opposite];
    if let Some(combination) = combination {
        let third = machine.predicate(instruction.operand(3)?)?;
        let op = match *combination {
            "and" => BinaryOp::And,
            "or" => BinaryOp::Or,
            _ => BinaryOp::Xor,
        };
        results = results.map(|result| machine.builder.binary(op, result, third));
    }
    match instruction.operand(0)? {
        Operand::Pair(first, second) => {
            machine.set(first, results[0])?;
            machine.set(second, results[1])?;
        }
        target => machine.set(target, results[0])?,
    }
    Ok(true)
}

/// `set`: all ones where a comparison holds, else zero.
fn set(
    machine: &mut Machine,
    instruction: &Instruction,
    op: &str,
    to: PtxType,
    from: PtxType,
) -> Result<bool, Unsupported> {
    let Some(holds) = compared(machine, instruction, op, from)? else { return Ok(false) };
    let ones = machine.builder.convert(ConvertOp::SignExtend, holds, Type::Bits(to.width));
    machine.set(instruction.operand(0)?, ones)?;
    Ok(true)
}

fn select(machine: &mut Machine, instruction: &Instruction, ty: PtxType) -> Result<bool, Unsupported> {
    let condition = machine.predicate(instruction.operand(3)?)?;
    choose(machine, instruction, ty, condition)
}

/// `slct`: the first operand if the third is not negative.
fn select_by_sign(machine: &mut Machine, instruction: &Instruction, ty: PtxType) -> Result<bool, Unsupported> {
    let number = machine.number(instruction.operand(3)?, 32)?;
    let zero = machine.builder.number(32, 0);
    let condition = machine.builder.compare(CompareOp::SignedLessEqual, zero, number);
    choose(machine, instruction, ty, condition)
}

fn choose(
    machine: &mut Machine,
    instruction: &Instruction,
    ty: PtxType,
    condition: Value,
) -> Result<bool, Unsupported> {
    let a = machine.number(instruction.operand(1)?, ty.width)?;
    let b = machine.number(instruction.operand(2)?, ty.width)?;
    let chosen = machine.builder.select(condition, a, b);
    machine.set(instruction.operand(0)?, chosen)?;
    Ok(true)
}

fn predicates(machine: &mut Machine, instruction: &Instruction, name: &str) -> Result<bool, Unsupported> {
    let a = machine.predicate(instruction.operand(1)?)?;
    let op = match name {
        "and" => BinaryOp::And,
        "or" => BinaryOp::Or,
        "xor" => BinaryOp::Xor,
        _ => {
            let result = machine.builder.unary(UnaryOp::Not, a);
            machine.set(instruction.operand(0)?, result)?;
            return Ok(true);
        }
    };
    let b = machine.predicate(instruction.operand(2)?)?;
    let result = machine.builder.binary(op, a, b);
    machine.set(instruction.operand(0)?, result)?;
    Ok(true)
}

/// Arithmetic on floats: the kernel IR's, if it rounds to nearest and neither flushes nor
/// saturates.
pub fn float_arithmetic(machine: &mut Machine, instruction: &Instruction) -> Result<bool, Unsupported> {
    let (name, words) = instruction.words();
    let Some((last, modifiers)) = words.split_last() else { return Ok(false) };
    let Some(float) = PtxType::parse(last).and_then(PtxType::float) else { return Ok(false) };
    let (op, count) = match (name, modifiers) {
        ("add", [] | ["rn"]) => (FloatOp::Add, 2),
        ("sub", [] | ["rn"]) => (FloatOp::Subtract, 2),
        ("mul", [] | ["rn"]) => (FloatOp::Multiply, 2),
        ("div", ["rn"]) => (FloatOp::Divide, 2),
        ("fma" | "mad", ["rn"]) => (FloatOp::FusedMultiplyAdd, 3),
        ("sqrt", ["rn"]) => (FloatOp::SquareRoot, 1),
        ("abs" | "neg", []) => return sign(machine, instruction, float.width(), name == "abs"),
        _ => return Ok(false),
    };
    let operand = |index| machine.float(instruction.operand(index)?, float);
    let operands = (1..=count).map(operand).collect::<Result<Vec<_>, _>>()?;
    let result = machine.builder.float(op, operands, Type::Float(float));
    machine.set(instruction.operand(0)?, result)?;
    Ok(true)
}

/// Clears or flips the sign of a float.
fn sign(machine: &mut Machine, instruction: &Instruction, width: u32, clears: bool) -> Result<bool, Unsupported> {
    let value = machine.number(instruction.operand(1)?, width)?;
    let sign = Bits::one(width).shl(&Bits::new(width, width - 1));
    let builder = &mut *machine.builder;
    let result = if clears {
        let rest = builder.bits(sign.not());
        builder.binary(BinaryOp::And, value, rest)
    } else {
        let sign = builder.bits(sign);
        builder.binary(BinaryOp::Xor, value, sign)
    };
    machine.set(instruction.operand(0)?, result)?;
    Ok(true)
}

/// A function of its operands of which only the name is known.
pub fn function(machine: &mut Machine, instruction: &Instruction) -> Result<bool, Unsupported> {
    const FUNCTIONS: [&str; 50] = [
        "abs",
        "add",
        "bfind",
        "bmsk",
        "copysign",
        "cos",
        "createpolicy",
        "cvt",
        "div",
        "dp2a",
        "dp4a",
        "ex2",
        "fma",
        "fns",
        "lg2",
        "lop3",
        "mad",
        "max",
        "min",
        "mul",
        "neg",
        "prmt",
        "rcp",
        "rsqrt",
        "set",
        "setp",
        "shf",
        "sin",
        "slct",
        "sqrt",
        "sub",
        "szext",
        "tanh",
        "testp",
        "vabsdiff",
        "vabsdiff2",
        "vabsdiff4",
        "vadd",
        "vadd2",
        "vadd4",
        "vavrg2",
        "vavrg4",
        "vmad",
        "vmax",
        "vmin",
        "vset",
        "vshl",
        "vshr",
        "vsub",
        "vsub2",
    ];
    let (name, words) = instruction.words();
    let plain = |operand: &Operand| {
        !matches!(operand, Operand::Vector(_) | Operand::Address(..) | Operand::Pair(..) | Operand::OtherAddress)
    };
    // The carry would be lost.
    if !FUNCTIONS.contains(&name) || words.contains(&"cc") || !instruction.operands.iter().all(plain) {
        return Ok(false);
    }
    let Some((target, operands)) = instruction.operands.split_first() else { return Ok(false) };
    let width = words.last().and_then(|word| PtxType::parse(word)).map_or(32, |ty| ty.width);
    let values = operands.iter().map(|operand| machine.whole(operand, width)).collect::<Result<Vec<_>, _>>()?;
    let ty = if machine.is_predicate(target) { Type::Bool } else { Type::Bits(machine.width(target).unwrap_or(width)) };
    let result = machine.builder.uninterpreted(format!("ptx.{}", instruction.opcode), values, ty);
    machine.set(target, result)?;
    Ok(true)
}
