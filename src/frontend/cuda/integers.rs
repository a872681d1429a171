//! Integer intrinsics, all exact except `__fns`, of which only the name is known.
//!
//! Shifts, sums and products wrap. Functions of small integers in a word (`__vadd2`, `__vmaxs4`)
//! work lane by lane.

mod small;

use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp, Operation, Type, UnaryOp, Value};

use crate::builder::Builder;
use crate::builtins::arithmetic::integer_lane;
use crate::builtins::call::{Answer, Call};
use crate::builtins::mangle::{Integer, ParameterType, Scalar};

/// Appends an integer function.
pub fn expand(call: &mut Call) -> Answer {
    if !call.parameters.iter().all(is_integer) {
        return Ok(None);
    }
    if let Some(small) = small::function(call.name) {
        return append(call, &[32; 2][..small.operands], |builder, x| small.append(builder, x));
    }
    match call.name {
        "__clz" => append(call, &[32], |builder, x| by_name(builder, "ctlz", x)),
        "__clzll" => append(call, &[64], |builder, x| by_name(builder, "ctlz", x)),
        "__ffs" => append(call, &[32], first_set),
        "__ffsll" => append(call, &[64], first_set),
        "__popc" => append(call, &[32], |builder, x| by_name(builder, "ctpop", x)),
        "__popcll" => append(call, &[64], |builder, x| by_name(builder, "ctpop", x)),
        "__brev" => append(call, &[32], |builder, x| by_name(builder, "bitreverse", x)),
        "__brevll" => append(call, &[64], |builder, x| by_name(builder, "bitreverse", x)),
        "__fns" => call.lanewise(|builder, x, ty| builder.uninterpreted("__fns", x.to_vec(), ty)),
        "__byte_perm" => append(call, &[32; 3], byte_perm),
        "__funnelshift_l" => append(call, &[32; 3], |builder, x| funnel_shift(builder, x, true, false)),
        "__funnelshift_lc" => append(call, &[32; 3], |builder, x| funnel_shift(builder, x, true, true)),
        "__funnelshift_r" => append(call, &[32; 3], |builder, x| funnel_shift(builder, x, false, false)),
        "__funnelshift_rc" => append(call, &[32; 3], |builder, x| funnel_shift(builder, x, false, true)),
        "__mul24" => append(call, &[32; 2], |builder, x| mul24(builder, x, true)),
        "__umul24" => append(call, &[32; 2], |builder, x| mul24(builder, x, false)),
        "__mulhi" => append(call, &[32; 2], |builder, x| mul_hi(builder, x, true)),
        "__umulhi" => append(call, &[32; 2], |builder, x| mul_hi(builder, x, false)),
        "__mul64hi" => append(call, &[64; 2], |builder, x| mul_hi(builder, x, true)),
        "__umul64hi" => append(call, &[64; 2], |builder, x| mul_hi(builder, x, false)),
        "__sad" => append(call, &[32; 3], |builder, x| difference_and_sum(builder, x, true)),
        "__usad" => append(call, &[32; 3], |builder, x| difference_and_sum(builder, x, false)),
        "__hadd" => append(call, &[32; 2], |builder, x| half_sum(builder, x, true, 0)),
        "__rhadd" => append(call, &[32; 2], |builder, x| half_sum(builder, x, true, 1)),
        "__uhadd" => append(call, &[32; 2], |builder, x| half_sum(builder, x, false, 0)),
        "__urhadd" => append(call, &[32; 2], |builder, x| half_sum(builder, x, false, 1)),
        "__dp4a" => dot(call, [8, 8], 0),
        "__dp2a_lo" => dot(call, [16, 8], 0),
        "__dp2a_hi" => dot(call, [16, 8], 2),
        "abs" | "labs" | "llabs" => {
            call.expect_parameters(1)?;
            call.lanewise(|builder, x, _| by_name(builder, "abs", x))
        }
        "min" | "llmin" | "umin" | "ullmin" => extreme(call, "min"),
        "max" | "llmax" | "umax" | "ullmax" => extreme(call, "max"),
        _ => Ok(None),
    }
}

fn is_integer(parameter: &ParameterType) -> bool {
    matches!(parameter, ParameterType::Scalar(Scalar::Integer(_)))
}

/// Appends a function of operands of these widths. The result has as many of the returned bits as
/// it needs.
fn append(call: &mut Call, widths: &[u32], function: impl Fn(&mut Builder<'_>, &[Value]) -> Value) -> Answer {
    call.expect_parameters(widths.len())?;
    let fits = |(index, &width): (usize, &u32)| call.integer(index).is_some_and(|integer| integer.width == width);
    if !widths.iter().enumerate().all(fits) || !matches!(call.result, [Type::Bits(32 | 64)]) {
        return Err(call.ill_typed());
    }
    call.lanewise(|builder, x, ty| {
        let result = function(builder, x);
        builder.convert(ConvertOp::Truncate, result, ty)
    })
}

/// The function that corresponds to an LLVM intrinsic.
pub fn by_name(builder: &mut Builder<'_>, name: &str, operands: &[Value]) -> Value {
    let ty = builder.ty(operands[0]);
    integer_lane(builder, name, operands, ty).expect("an intrinsic on integers")
}

/// The width of a number.
pub fn width_of(builder: &Builder<'_>, value: Value) -> u32 {
    builder.ty(value).width().expect("a bit-vector")
}

/// Extends to more bits, with the operand's sign.
fn extend(builder: &mut Builder<'_>, signed: bool, value: Value, width: u32) -> Value {
    let op = if signed { ConvertOp::SignExtend } else { ConvertOp::ZeroExtend };
    builder.convert(op, value, Type::Bits(width))
}

/// One more than the index of the lowest bit that is set; 0 if none is.
fn first_set(builder: &mut Builder<'_>, x: &[Value]) -> Value {
    let width = width_of(builder, x[0]);
    let (zero, one) = (builder.number(width, 0), builder.number(width, 1));
    let zeros = by_name(builder, "cttz", x);
    let counted = builder.binary(BinaryOp::Add, zeros, one);
    let none = builder.compare(CompareOp::Equal, x[0], zero);
    builder.select(none, zero, counted)
}

/// Four of the eight bytes of `x[1]:x[0]`, each chosen by the low three bits of one of the low four
/// digits of `x[2]`.
fn byte_perm(builder: &mut Builder<'_>, x: &[Value]) -> Value {
    permute_bytes(builder, x, |_, _, byte| byte)
}

/// The same with a function of each byte and the number of its digit.
pub fn permute_bytes(
    builder: &mut Builder<'_>,
    x: &[Value],
    made: impl Fn(&mut Builder<'_>, u32, Value) -> Value,
) -> Value {
    let bytes = builder.append(Operation::Concat(x[1], x[0]), Type::Bits(64));
    let mut result: Option<Value> = None;
    for digit in 0..4 {
        let index = builder.extract(4 * digit + 2, 4 * digit, x[2]);
        let eighths = builder.number(3, 0);
        let distance = builder.append(Operation::Concat(index, eighths), Type::Bits(6));
        let distance = extend(builder, false, distance, 64);
        let shifted = builder.binary(BinaryOp::LogicalShiftRight, bytes, distance);
        let byte = builder.extract(7, 0, shifted);
        let byte = made(builder, digit, byte);
        result = Some(match result {
            None => byte,
            Some(lower) => builder.append(Operation::Concat(byte, lower), Type::Bits(8 * (digit + 1))),
        });
    }
    result.expect("four bytes")
}

/// The high word of `x[1]:x[0]` shifted left, or the low word of it shifted right.
///
/// The distance is `x[2]` modulo 32, or `x[2]` but at most 32.
pub fn funnel_shift(builder: &mut Builder<'_>, x: &[Value], left: bool, clamp: bool) -> Value {
    let joined = builder.append(Operation::Concat(x[1], x[0]), Type::Bits(64));
    let distance = if clamp {
        let most = builder.number(32, 32);
        by_name(builder, "umin", &[x[2], most])
    } else {
        let modulus = builder.number(32, 31);
        builder.binary(BinaryOp::And, x[2], modulus)
    };
    let distance = extend(builder, false, distance, 64);
    if left {
        let shifted = builder.binary(BinaryOp::ShiftLeft, joined, distance);
        builder.extract(63, 32, shifted)
    } else {
        let shifted = builder.binary(BinaryOp::LogicalShiftRight, joined, distance);
        builder.extract(31, 0, shifted)
    }
}

/// The product of the low 24 bits.
fn mul24(builder: &mut Builder<'_>, x: &[Value], signed: bool) -> Value {
    let [a, b] = [x[0], x[1]].map(|operand| {
        let low = builder.extract(23, 0, operand);
        extend(builder, signed, low, 32)
    });
    builder.binary(BinaryOp::Multiply, a, b)
}

/// The high half of the product.
fn mul_hi(builder: &mut Builder<'_>, x: &[Value], signed: bool) -> Value {
    let width = width_of(builder, x[0]);
    let [a, b] = [x[0], x[1]].map(|operand| extend(builder, signed, operand, 2 * width));
    let product = builder.binary(BinaryOp::Multiply, a, b);
    builder.extract(2 * width - 1, width, product)
}

/// `|x[0] - x[1]|`
fn difference(builder: &mut Builder<'_>, x: &[Value], signed: bool) -> Value {
    let op = if signed { CompareOp::SignedLess } else { CompareOp::UnsignedLess };
    let smaller = builder.compare(op, x[0], x[1]);
    let up = builder.binary(BinaryOp::Subtract, x[1], x[0]);
    let down = builder.binary(BinaryOp::Subtract, x[0], x[1]);
    builder.select(smaller, up, down)
}

/// `|x[0] - x[1]| + x[2]`
fn difference_and_sum(builder: &mut Builder<'_>, x: &[Value], signed: bool) -> Value {
    let difference = difference(builder, x, signed);
    builder.binary(BinaryOp::Add, difference, x[2])
}

/// `(x[0] + x[1] + more) >> 1` without wrapping.
fn half_sum(builder: &mut Builder<'_>, x: &[Value], signed: bool, more: u64) -> Value {
    let width = width_of(builder, x[0]);
    let [a, b] = [x[0], x[1]].map(|operand| extend(builder, signed, operand, width + 2));
    let more = builder.number(width + 2, more);
    let sum = builder.binary(BinaryOp::Add, a, b);
    let sum = builder.binary(BinaryOp::Add, sum, more);
    builder.extract(width, 1, sum)
}

/// A sum of products of lanes of two words with these lane widths, and of the third operand.
///
/// The lanes of the second word begin at `first`.
fn dot(call: &mut Call, widths: [u32; 2], first: u32) -> Answer {
    let signed = call.integer(0).is_some_and(|integer: Integer| integer.signed);
    append(call, &[32; 3], |builder, x| {
        let mut sum = x[2];
        for lane in 0..32 / widths[0] {
            let [a, b] = [(x[0], widths[0], lane), (x[1], widths[1], first + lane)].map(|(word, width, lane)| {
                let lane = builder.extract((lane + 1) * width - 1, lane * width, word);
                extend(builder, signed, lane, 32)
            });
            let product = builder.binary(BinaryOp::Multiply, a, b);
            sum = builder.binary(BinaryOp::Add, sum, product);
        }
        sum
    })
}

/// The smaller or the larger of two numbers, which are unsigned if one of them is.
fn extreme(call: &mut Call, which: &str) -> Answer {
    call.expect_parameters(2)?;
    let (Some(a), Some(b)) = (call.integer(0), call.integer(1)) else { return Err(call.ill_typed()) };
    if a.width != b.width {
        return Err(call.ill_typed());
    }
    let name = format!("{}{which}", if a.signed && b.signed { 's' } else { 'u' });
    call.lanewise(|builder, x, _| by_name(builder, &name, x))
}

/// `-x`
fn negated(builder: &mut Builder<'_>, x: Value) -> Value {
    builder.unary(UnaryOp::Negate, x)
}

#[cfg(test)]
mod laws;
