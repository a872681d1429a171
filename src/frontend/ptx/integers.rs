//! Integer arithmetic and logic of PTX, exactly.
//!
//! A quotient by zero is any number. Shift distances are clamped to the width, as in the kernel
//! IR's shifts.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp, Operation, Type, UnaryOp, Value};

use super::machine::{CARRY, Machine};
use super::read::Instruction;
use super::types::PtxType;
use crate::builder::Builder;
use crate::builtins::Unsupported;
use crate::cuda::integers::{by_name, funnel_shift, permute_bytes, width_of};
use crate::cuda::nvvm::high_product;

/// Appends an integer instruction. `Ok(false)` for an unknown one.
pub fn expand(machine: &mut Machine, instruction: &Instruction) -> Result<bool, Unsupported> {
    let (name, words) = instruction.words();
    let Some((last, modifiers)) = words.split_last() else { return Ok(false) };
    let Some(ty) = PtxType::parse(last).filter(|ty| ty.is_integer()) else { return Ok(false) };
    let width = ty.width;
    let signed = ty.is_signed();
    let each = |count: usize| vec![width; count];
    let sign = if signed { "s" } else { "u" };
    match (name, modifiers) {
        ("add" | "addc" | "sub" | "subc", [] | ["cc"]) => sum(machine, instruction, name, width, !modifiers.is_empty()),
        ("mad" | "madc", ["lo" | "hi", "cc"]) | ("madc", ["lo" | "hi"]) => {
            multiply_and_carry(machine, instruction, ty, modifiers)
        }
        ("mul", &[part @ ("lo" | "hi")]) => {
            append(machine, instruction, &each(2), ty, |builder, x| product(builder, x, signed, part))
        }
        ("mad", &[part @ ("lo" | "hi")]) => append(machine, instruction, &each(3), ty, |builder, x| {
            let product = product(builder, x, signed, part);
            builder.binary(BinaryOp::Add, product, x[2])
        }),
        ("mul", ["wide"]) => append(machine, instruction, &each(2), ty, |builder, x| wide(builder, x, ty)),
        ("mad", ["wide"]) => append(machine, instruction, &[width, width, 2 * width], ty, |builder, x| {
            let product = wide(builder, x, ty);
            builder.binary(BinaryOp::Add, product, x[2])
        }),
        ("mul24", &[part]) if width == 32 => {
            append(machine, instruction, &each(2), ty, |builder, x| product24(builder, x, ty, part))
        }
        ("mad24", &[part]) if width == 32 => append(machine, instruction, &each(3), ty, |builder, x| {
            let product = product24(builder, x, ty, part);
            builder.binary(BinaryOp::Add, product, x[2])
        }),
        ("add" | "sub", ["sat"]) if signed => {
            append(machine, instruction, &each(2), ty, |builder, x| by_name(builder, &format!("s{name}.sat"), x))
        }
        ("min" | "max", []) => {
            append(machine, instruction, &each(2), ty, |builder, x| by_name(builder, &format!("{sign}{name}"), x))
        }
        ("abs", []) => append(machine, instruction, &each(1), ty, |builder, x| by_name(builder, "abs", x)),
        ("neg", []) => append(machine, instruction, &each(1), ty, |builder, x| builder.unary(UnaryOp::Negate, x[0])),
        ("not", []) => append(machine, instruction, &each(1), ty, |builder, x| builder.unary(UnaryOp::Not, x[0])),
        ("cnot", []) => append(machine, instruction, &each(1), ty, |builder, x| {
            let zero = builder.number(width, 0);
            let none = builder.compare(CompareOp::Equal, x[0], zero);
            builder.convert(ConvertOp::ZeroExtend, none, Type::Bits(width))
        }),
        ("and", []) => append(machine, instruction, &each(2), ty, |builder, x| binary(builder, BinaryOp::And, x)),
        ("or", []) => append(machine, instruction, &each(2), ty, |builder, x| binary(builder, BinaryOp::Or, x)),
        ("xor", []) => append(machine, instruction, &each(2), ty, |builder, x| binary(builder, BinaryOp::Xor, x)),
        ("div" | "rem", []) => {
            append(machine, instruction, &each(2), ty, |builder, x| quotient(builder, x, signed, name == "div"))
        }
        ("shl" | "shr", []) => {
            append(machine, instruction, &[width, 32], ty, |builder, x| shift(builder, x, signed, name == "shl"))
        }
        ("shf", &[direction @ ("l" | "r"), mode @ ("clamp" | "wrap")]) if width == 32 => {
            append(machine, instruction, &each(3), ty, |builder, x| {
                funnel_shift(builder, x, direction == "l", mode == "clamp")
            })
        }
        ("sad", []) => append(machine, instruction, &each(3), ty, |builder, x| {
            let [larger, smaller] = ["max", "min"].map(|end| by_name(builder, &format!("{sign}{end}"), x));
            let difference = builder.binary(BinaryOp::Subtract, larger, smaller);
            builder.binary(BinaryOp::Add, difference, x[2])
        }),
        ("brev", []) => append(machine, instruction, &each(1), ty, |builder, x| by_name(builder, "bitreverse", x)),
        ("popc" | "clz", []) => append(machine, instruction, &each(1), ty, |builder, x| {
            let counted = by_name(builder, if name == "popc" { "ctpop" } else { "ctlz" }, x);
            builder.resized(counted, 32, ConvertOp::ZeroExtend)
        }),
        ("bfind", [] | ["shiftamt"]) => append(machine, instruction, &each(1), ty, |builder, x| {
            highest_bit(builder, x, signed, !modifiers.is_empty())
        }),
        ("bfe", []) => append(machine, instruction, &[width, 32, 32], ty, |builder, x| field(builder, x, signed)),
        ("bfi", []) => append(machine, instruction, &[width, width, 32, 32], ty, insert_field),
        ("lop3", []) => match instruction.operands.get(4).and_then(|table| machine.constant(table)) {
            Some(table) => append(machine, instruction, &each(3), ty, |builder, x| lookup(builder, x, table)),
            None => Ok(false),
        },
        ("prmt", []) if width == 32 => append(machine, instruction, &each(3), ty, permute),
        _ => Ok(false),
    }
}

/// Appends a function of operands of these widths.
fn append(
    machine: &mut Machine,
    instruction: &Instruction,
    widths: &[u32],
    ty: PtxType,
    function: impl Fn(&mut Builder<'_>, &[Value]) -> Value,
) -> Result<bool, Unsupported> {
    let operands = read(machine, instruction, widths)?;
    let result = function(machine.builder, &operands);
    machine.write(instruction.operand(0)?, result, ty.extension())?;
    Ok(true)
}

fn read(machine: &mut Machine, instruction: &Instruction, widths: &[u32]) -> Result<Vec<Value>, Unsupported> {
    let operand = |(index, &width): (usize, &u32)| machine.number(instruction.operand(index + 1)?, width);
    widths.iter().enumerate().map(operand).collect()
}

fn binary(builder: &mut Builder<'_>, op: BinaryOp, x: &[Value]) -> Value {
    builder.binary(op, x[0], x[1])
}

/// Sums and differences, with the carry that comes in (`addc`) and the one that goes out (`.cc`).
fn sum(
    machine: &mut Machine,
    instruction: &Instruction,
    name: &str,
    width: u32,
    carries: bool,
) -> Result<bool, Unsupported> {
    let op = if name.starts_with("add") { BinaryOp::Add } else { BinaryOp::Subtract };
    let x = read(machine, instruction, &[width, width])?;
    if !carries && !name.ends_with('c') {
        let result = binary(machine.builder, op, &x);
        machine.set(instruction.operand(0)?, result)?;
        return Ok(true);
    }
    let carry = name.ends_with('c').then(|| machine.carry());
    finish_sum(machine, instruction, op, [x[0], x[1]], carry, carries)
}

/// Products of which a sum with carries is made.
fn multiply_and_carry(
    machine: &mut Machine,
    instruction: &Instruction,
    ty: PtxType,
    modifiers: &[&str],
) -> Result<bool, Unsupported> {
    let x = read(machine, instruction, &[ty.width; 3])?;
    let product = product(machine.builder, &x, ty.is_signed(), modifiers[0]);
    let carry = instruction.opcode.starts_with("madc").then(|| machine.carry());
    finish_sum(machine, instruction, BinaryOp::Add, [product, x[2]], carry, modifiers.contains(&"cc"))
}

fn finish_sum(
    machine: &mut Machine,
    instruction: &Instruction,
    op: BinaryOp,
    x: [Value; 2],
    carry: Option<Value>,
    carries: bool,
) -> Result<bool, Unsupported> {
    let builder = &mut *machine.builder;
    let width = width_of(builder, x[0]);
    // The additional bit is the carry of a sum and the borrow of a difference.
    let wide = Type::Bits(width + 1);
    let [a, b] = x.map(|operand| builder.convert(ConvertOp::ZeroExtend, operand, wide));
    let mut result = builder.binary(op, a, b);
    if let Some(carry) = carry {
        let carry = builder.convert(ConvertOp::ZeroExtend, carry, wide);
        result = builder.binary(op, result, carry);
    }
    let low = builder.extract(width - 1, 0, result);
    if carries {
        let high = builder.extract(width, width, result);
        let carry = machine.builder.convert(ConvertOp::Bitcast, high, Type::Bool);
        machine.put(CARRY, Some(carry));
    }
    machine.set(instruction.operand(0)?, low)?;
    Ok(true)
}

fn product(builder: &mut Builder<'_>, x: &[Value], signed: bool, part: &str) -> Value {
    if part == "hi" { high_product(builder, signed, x[0], x[1]) } else { binary(builder, BinaryOp::Multiply, x) }
}

/// The full product, with twice the width.
fn wide(builder: &mut Builder<'_>, x: &[Value], ty: PtxType) -> Value {
    let [a, b] = [x[0], x[1]].map(|factor| builder.resized(factor, 2 * ty.width, ty.extension()));
    builder.binary(BinaryOp::Multiply, a, b)
}

/// The low or the high 32 of the 48 bits of the product of the low 24 bits.
fn product24(builder: &mut Builder<'_>, x: &[Value], ty: PtxType, part: &str) -> Value {
    let [a, b] = [x[0], x[1]].map(|factor| {
        let low = builder.extract(23, 0, factor);
        builder.resized(low, 48, ty.extension())
    });
    let product = builder.binary(BinaryOp::Multiply, a, b);
    if part == "hi" { builder.extract(47, 16, product) } else { builder.extract(31, 0, product) }
}

fn quotient(builder: &mut Builder<'_>, x: &[Value], signed: bool, divides: bool) -> Value {
    let op = match (signed, divides) {
        (true, true) => BinaryOp::SignedDivide,
        (true, false) => BinaryOp::SignedRemainder,
        (false, true) => BinaryOp::UnsignedDivide,
        (false, false) => BinaryOp::UnsignedRemainder,
    };
    let result = binary(builder, op, x);
    if builder.kernel.constant(x[1]).is_some_and(|divisor| !divisor.is_zero()) {
        return result;
    }
    let zero = builder.number(width_of(builder, x[1]), 0);
    let none = builder.compare(CompareOp::Equal, x[1], zero);
    let ty = builder.ty(result);
    // The manual leaves the value to the machine. Runs have that of SMT-LIB.
    let unspecified = builder.append(Operation::Choice(Some(result)), ty);
    builder.select(none, unspecified, result)
}

/// A shift by a distance of 32 bits.
fn shift(builder: &mut Builder<'_>, x: &[Value], signed: bool, left: bool) -> Value {
    let width = width_of(builder, x[0]);
    let wide = width.max(32);
    let extension = if signed { ConvertOp::SignExtend } else { ConvertOp::ZeroExtend };
    let value = builder.resized(x[0], wide, extension);
    let distance = builder.resized(x[1], wide, ConvertOp::ZeroExtend);
    let op = match (left, signed) {
        (true, _) => BinaryOp::ShiftLeft,
        (false, true) => BinaryOp::ArithmeticShiftRight,
        (false, false) => BinaryOp::LogicalShiftRight,
    };
    let shifted = builder.binary(op, value, distance);
    builder.resized(shifted, width, ConvertOp::ZeroExtend)
}

/// The index of the highest bit that differs from the sign, or its distance from the top; all ones
/// if there is none.
fn highest_bit(builder: &mut Builder<'_>, x: &[Value], signed: bool, from_top: bool) -> Value {
    let width = width_of(builder, x[0]);
    let mut magnitude = x[0];
    if signed {
        let last = builder.number(width, u64::from(width) - 1);
        let sign = builder.binary(BinaryOp::ArithmeticShiftRight, x[0], last);
        magnitude = builder.binary(BinaryOp::Xor, x[0], sign);
    }
    let zeros = by_name(builder, "ctlz", &[magnitude]);
    let zeros = builder.resized(zeros, 32, ConvertOp::ZeroExtend);
    let last = builder.number(32, u64::from(width) - 1);
    let found = if from_top { zeros } else { builder.binary(BinaryOp::Subtract, last, zeros) };
    let zero = builder.number(width, 0);
    let none = builder.compare(CompareOp::Equal, magnitude, zero);
    let ones = builder.bits(Bits::ones(32));
    builder.select(none, ones, found)
}

/// The low eight bits of a number, as one of another width.
fn small(builder: &mut Builder<'_>, x: Value, width: u32) -> Value {
    let byte = builder.extract(7, 0, x);
    builder.resized(byte, width, ConvertOp::ZeroExtend)
}

/// `2^length - 1`: all ones for lengths beyond the width.
fn ones(builder: &mut Builder<'_>, length: Value) -> Value {
    let one = builder.number(width_of(builder, length), 1);
    let power = builder.binary(BinaryOp::ShiftLeft, one, length);
    builder.binary(BinaryOp::Subtract, power, one)
}

/// `bfe`: `x[2]` bits of `x[0]` from bit `x[1]` on.
fn field(builder: &mut Builder<'_>, x: &[Value], signed: bool) -> Value {
    let width = width_of(builder, x[0]);
    let (position, length) = (small(builder, x[1], width), small(builder, x[2], width));
    if !signed {
        let shifted = builder.binary(BinaryOp::LogicalShiftRight, x[0], position);
        let mask = ones(builder, length);
        return builder.binary(BinaryOp::And, shifted, mask);
    }
    // The last bit of the field is its sign: the field is shifted to the top and back.
    let (one, top) = (builder.number(width, 1), builder.number(width, u64::from(width) - 1));
    let end = builder.binary(BinaryOp::Add, position, length);
    let last = builder.binary(BinaryOp::Subtract, end, one);
    let last = by_name(builder, "umin", &[last, top]);
    let up = builder.binary(BinaryOp::Subtract, top, last);
    let raised = builder.binary(BinaryOp::ShiftLeft, x[0], up);
    let down = builder.binary(BinaryOp::Add, up, position);
    let lowered = builder.binary(BinaryOp::ArithmeticShiftRight, raised, down);
    let zero = builder.number(width, 0);
    let none = builder.compare(CompareOp::Equal, length, zero);
    builder.select(none, zero, lowered)
}

/// `bfi`: `x[1]` with `x[3]` bits from bit `x[2]` on replaced by the low bits of `x[0]`.
fn insert_field(builder: &mut Builder<'_>, x: &[Value]) -> Value {
    let width = width_of(builder, x[0]);
    let (position, length) = (small(builder, x[2], width), small(builder, x[3], width));
    let mask = ones(builder, length);
    let mask = builder.binary(BinaryOp::ShiftLeft, mask, position);
    let shifted = builder.binary(BinaryOp::ShiftLeft, x[0], position);
    let inserted = builder.binary(BinaryOp::And, shifted, mask);
    let others = builder.unary(UnaryOp::Not, mask);
    let kept = builder.binary(BinaryOp::And, x[1], others);
    builder.binary(BinaryOp::Or, kept, inserted)
}

/// `lop3`: the function of three bits that is given by a table of eight bits.
fn lookup(builder: &mut Builder<'_>, x: &[Value], table: i128) -> Value {
    // The table's answers for 0xF0, 0xCC and 0xAA apply to the operands.
    let simple = [
        (0xC0, BinaryOp::And, 0, 1),
        (0xFC, BinaryOp::Or, 0, 1),
        (0x3C, BinaryOp::Xor, 0, 1),
        (0xA0, BinaryOp::And, 0, 2),
        (0x88, BinaryOp::And, 1, 2),
    ];
    if let Some(&(_, op, a, b)) = simple.iter().find(|(known, ..)| *known == table & 0xFF) {
        return builder.binary(op, x[a], x[b]);
    }
    let width = width_of(builder, x[0]);
    let mut result = builder.number(width, 0);
    for row in (0..8_usize).filter(|row| (table >> row) & 1 == 1) {
        let mut all = builder.bits(Bits::ones(width));
        for (bit, &operand) in [4, 2, 1].into_iter().zip(x) {
            let literal = if row & bit == 0 { builder.unary(UnaryOp::Not, operand) } else { operand };
            all = builder.binary(BinaryOp::And, all, literal);
        }
        result = builder.binary(BinaryOp::Or, result, all);
    }
    result
}

/// `prmt`: four of the eight bytes of `x[1]:x[0]`, each chosen by a digit of `x[2]`.
///
/// The fourth bit of a digit asks for the byte's sign only.
fn permute(builder: &mut Builder<'_>, x: &[Value]) -> Value {
    permute_bytes(builder, x, |builder, digit, byte| {
        let seven = builder.number(8, 7);
        let sign = builder.binary(BinaryOp::ArithmeticShiftRight, byte, seven);
        let wants_sign = builder.extract(4 * digit + 3, 4 * digit + 3, x[2]);
        let wants_sign = builder.convert(ConvertOp::Bitcast, wants_sign, Type::Bool);
        builder.select(wants_sign, sign, byte)
    })
}
