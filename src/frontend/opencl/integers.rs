//! Integer built-ins, and the relational ones that choose bits. All of them are exact.
//!
//! `mul24` and `mad24` multiply all bits. For operands of at most 24 bits, the only ones for which
//! the specification defines the result, that is the product; other operands are assumed absent.
//! Shifts, sums and products wrap, except that `mul24` and `mad24` of signed numbers overflow where
//! `*` and `+` would.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{AssumeKind, BinaryOp, CompareOp, ConvertOp, NoWrap, Operation, Type, UnaryOp, Value};

use super::super::builder::{Builder, Lanes};
use crate::builtins::call::{Answer, Call};
use crate::builtins::mangle::{Integer, ParameterType};

/// Appends an integer function.
pub fn expand(call: &mut Call) -> Answer {
    match call.name {
        "any" => return quantify(call, BinaryOp::Or),
        "all" => return quantify(call, BinaryOp::And),
        "select" => return select(call),
        "bitselect" => return bitselect(call),
        _ => {}
    }
    // The other names also exist for floats, or have one integer parameter at least.
    let Some(integer) = call.integer(0) else {
        return Ok(None);
    };
    let (count, function): (usize, Function) = match call.name {
        "abs" => (1, abs),
        "clz" => (1, clz),
        "ctz" => (1, ctz),
        "popcount" => (1, popcount),
        "abs_diff" => (2, abs_diff),
        "add_sat" => (2, add_sat),
        "sub_sat" => (2, sub_sat),
        "hadd" => (2, hadd),
        "rhadd" => (2, rhadd),
        "max" => (2, max),
        "min" => (2, min),
        "mul_hi" => (2, mul_hi),
        "mul24" => (2, mul24),
        "rotate" => (2, rotate),
        "upsample" => (2, upsample),
        "clamp" => (3, clamp),
        "mad_hi" => (3, mad_hi),
        "mad_sat" => (3, mad_sat),
        "mad24" => (3, mad24),
        _ => return Ok(None),
    };
    call.expect_parameters(count)?;
    let like_first = |index| call.integer(index).is_some_and(|other: Integer| other.width == integer.width);
    if !(0..count).all(like_first) || !integer.width.is_power_of_two() {
        return Err(call.ill_typed());
    }
    call.lanewise(|builder, operands, _| function(builder, integer, operands))
}

/// Appends one lane of a function of operands of one integer type.
type Function = fn(&mut Builder<'_>, Integer, &[Value]) -> Value;

/// `a < b`
pub fn less(builder: &mut Builder<'_>, signed: bool, a: Value, b: Value) -> Value {
    builder.compare(if signed { CompareOp::SignedLess } else { CompareOp::UnsignedLess }, a, b)
}

/// Extends to at least as many bits, with the operand's sign.
pub fn extend(builder: &mut Builder<'_>, signed: bool, value: Value, width: u32) -> Value {
    let op = if signed { ConvertOp::SignExtend } else { ConvertOp::ZeroExtend };
    builder.convert(op, value, Type::Bits(width))
}

/// The smallest and the largest number of an integer type, as bits of a wider signed one.
pub fn range(integer: Integer, width: u32) -> (Bits, Bits) {
    if integer.signed {
        let highest = Bits::ones(integer.width - 1).zero_extend(width);
        (highest.not(), highest)
    } else {
        (Bits::zero(width), Bits::ones(integer.width).zero_extend(width))
    }
}

/// A wider signed number as the nearest one of an integer type.
pub fn saturate(builder: &mut Builder<'_>, value: Value, width: u32, to: Integer) -> Value {
    let (lowest, highest) = range(to, width);
    let wide = Integer { width, signed: true };
    let (lowest, highest) = (builder.bits(lowest), builder.bits(highest));
    let clamped = clamp(builder, wide, &[value, lowest, highest]);
    builder.convert(ConvertOp::Truncate, clamped, Type::Bits(to.width))
}

fn is_negative(builder: &mut Builder<'_>, width: u32, value: Value) -> Value {
    let zero = builder.number(width, 0);
    builder.compare(CompareOp::SignedLess, value, zero)
}

fn abs(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    if !integer.signed {
        return x[0];
    }
    let negative = is_negative(builder, integer.width, x[0]);
    let negated = builder.unary(UnaryOp::Negate, x[0]);
    builder.select(negative, negated, x[0])
}

fn abs_diff(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    let smaller = less(builder, integer.signed, x[0], x[1]);
    let up = builder.binary(BinaryOp::Subtract, x[1], x[0]);
    let down = builder.binary(BinaryOp::Subtract, x[0], x[1]);
    builder.select(smaller, up, down)
}

fn add_sat(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    saturated(builder, integer, BinaryOp::Add, x)
}

fn sub_sat(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    saturated(builder, integer, BinaryOp::Subtract, x)
}

/// Two bits more hold every sum and every difference as a signed number.
fn saturated(builder: &mut Builder<'_>, integer: Integer, op: BinaryOp, x: &[Value]) -> Value {
    let width = integer.width + 2;
    let a = extend(builder, integer.signed, x[0], width);
    let b = extend(builder, integer.signed, x[1], width);
    let exact = builder.binary(op, a, b);
    saturate(builder, exact, width, integer)
}

fn half_of_difference(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    let different = builder.binary(BinaryOp::Xor, x[0], x[1]);
    let one = builder.number(integer.width, 1);
    let shift = if integer.signed { BinaryOp::ArithmeticShiftRight } else { BinaryOp::LogicalShiftRight };
    builder.binary(shift, different, one)
}

/// `(x + y) >> 1` without wrapping: the common bits, and half of the bits that only one has.
fn hadd(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    let common = builder.binary(BinaryOp::And, x[0], x[1]);
    let half = half_of_difference(builder, integer, x);
    builder.binary(BinaryOp::Add, common, half)
}

/// `(x + y + 1) >> 1` without wrapping.
fn rhadd(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    let either = builder.binary(BinaryOp::Or, x[0], x[1]);
    let half = half_of_difference(builder, integer, x);
    builder.binary(BinaryOp::Subtract, either, half)
}

fn max(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    let smaller = less(builder, integer.signed, x[0], x[1]);
    builder.select(smaller, x[1], x[0])
}

fn min(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    let smaller = less(builder, integer.signed, x[1], x[0]);
    builder.select(smaller, x[1], x[0])
}

fn clamp(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    let raised = max(builder, integer, &[x[0], x[1]]);
    min(builder, integer, &[raised, x[2]])
}

fn double_product(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    let a = extend(builder, integer.signed, x[0], 2 * integer.width);
    let b = extend(builder, integer.signed, x[1], 2 * integer.width);
    builder.binary(BinaryOp::Multiply, a, b)
}

fn mul_hi(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    let product = double_product(builder, integer, x);
    builder.extract(2 * integer.width - 1, integer.width, product)
}

fn mad_hi(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    let high = mul_hi(builder, integer, x);
    builder.binary(BinaryOp::Add, high, x[2])
}

fn mul24(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    assume_24_bits(builder, integer, x[0]);
    assume_24_bits(builder, integer, x[1]);
    like_operator(builder, integer, BinaryOp::Multiply, x[0], x[1])
}

fn mad24(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    let product = mul24(builder, integer, x);
    like_operator(builder, integer, BinaryOp::Add, product, x[2])
}

/// Arithmetic that overflows where the language's operator does.
///
/// People write `mad24(y, width, x)` for `y * width + x`, and mean no more by it.
fn like_operator(builder: &mut Builder<'_>, integer: Integer, op: BinaryOp, a: Value, b: Value) -> Value {
    let ty = builder.ty(a);
    builder.append(
        Operation::Binary(op, NoWrap { signed: integer.signed, meant: integer.signed, ..NoWrap::default() }, a, b),
        ty,
    )
}

/// Assumes the fact that [`assumption`](super::assumption) puts in the report.
fn assume_24_bits(builder: &mut Builder<'_>, integer: Integer, value: Value) {
    let (lowest, highest) = range(Integer { width: 24, ..integer }, integer.width);
    let at_most = if integer.signed { CompareOp::SignedLessEqual } else { CompareOp::UnsignedLessEqual };
    let (lowest, highest) = (builder.bits(lowest), builder.bits(highest));
    for (small, large) in [(lowest, value), (value, highest)] {
        let holds = builder.compare(at_most, small, large);
        builder.append_effect(Operation::Assume(holds, AssumeKind::Semantics));
    }
}

/// Twice the width and a bit hold `x * y + z` as a signed number.
fn mad_sat(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    let width = 2 * integer.width + 1;
    let product = double_product(builder, integer, x);
    let product = extend(builder, integer.signed, product, width);
    let addend = extend(builder, integer.signed, x[2], width);
    let exact = builder.binary(BinaryOp::Add, product, addend);
    saturate(builder, exact, width, integer)
}

/// To the left, by the second operand modulo the width.
fn rotate(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    let modulus = builder.number(integer.width, u64::from(integer.width - 1));
    let left = builder.binary(BinaryOp::And, x[1], modulus);
    let negated = builder.unary(UnaryOp::Negate, x[1]);
    let right = builder.binary(BinaryOp::And, negated, modulus);
    let high = builder.binary(BinaryOp::ShiftLeft, x[0], left);
    let low = builder.binary(BinaryOp::LogicalShiftRight, x[0], right);
    builder.binary(BinaryOp::Or, high, low)
}

fn upsample(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    builder.append(Operation::Concat(x[0], x[1]), Type::Bits(2 * integer.width))
}

fn clz(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    count_zeros(builder, integer.width, x[0], BinaryOp::ShiftLeft)
}

fn ctz(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    count_zeros(builder, integer.width, x[0], BinaryOp::LogicalShiftRight)
}

/// Counts the zeros at the end from which `shift` moves bits out, by halves.
///
/// If the outermost half is zero, it counts its bits and moves on to the next. A zero counts all
/// bits.
fn count_zeros(builder: &mut Builder<'_>, width: u32, value: Value, shift: BinaryOp) -> Value {
    let zero = builder.number(width, 0);
    let (mut rest, mut count) = (value, zero);
    let mut half = width;
    while half > 0 {
        let outer = if shift == BinaryOp::ShiftLeft {
            builder.extract(width - 1, width - half, rest)
        } else {
            builder.extract(half - 1, 0, rest)
        };
        let none = builder.number(half, 0);
        let empty = builder.compare(CompareOp::Equal, outer, none);
        let distance = builder.number(width, u64::from(half));
        let counted = builder.binary(BinaryOp::Add, count, distance);
        let moved = builder.binary(shift, rest, distance);
        count = builder.select(empty, counted, count);
        // A value of all zeros is counted at once; a one in its place stops the count.
        let moved = if half == width { builder.bits(Bits::ones(width)) } else { moved };
        rest = builder.select(empty, moved, rest);
        half /= 2;
    }
    count
}

/// Adds neighbouring groups of bits, with one bit at first and half the width at last.
fn popcount(builder: &mut Builder<'_>, integer: Integer, x: &[Value]) -> Value {
    let width = integer.width;
    let mut sums = x[0];
    let mut group = 1;
    while group < width {
        let mask = alternating(width, group);
        let mask = builder.bits(mask);
        let distance = builder.number(width, u64::from(group));
        let even = builder.binary(BinaryOp::And, sums, mask);
        let shifted = builder.binary(BinaryOp::LogicalShiftRight, sums, distance);
        let odd = builder.binary(BinaryOp::And, shifted, mask);
        sums = builder.binary(BinaryOp::Add, even, odd);
        group *= 2;
    }
    sums
}

/// Every second group of bits, the lowest included.
fn alternating(width: u32, group: u32) -> Bits {
    let mut mask = Bits::ones(group).zero_extend(width);
    let mut filled = 2 * group;
    while filled < width {
        mask = mask.or(&mask.shl(&Bits::new(width, filled)));
        filled *= 2;
    }
    mask
}

/// Whether the top bit is set in any or in all lanes, as an `int`.
fn quantify(call: &mut Call, op: BinaryOp) -> Answer {
    call.expect_parameters(1)?;
    let Some(integer) = call.integer(0) else {
        return Err(call.ill_typed());
    };
    let mut result: Option<Value> = None;
    for lane in call.lanes(0)? {
        let sign = is_negative(call.builder, integer.width, lane);
        result = Some(match result {
            Some(others) => call.builder.binary(op, others, sign),
            None => sign,
        });
    }
    Ok(result.map(|value| vec![call.builder.convert(ConvertOp::ZeroExtend, value, Type::Bits(32))]))
}

/// `c ? b : a` for scalars; for vectors the top bit of each lane of `c` decides.
fn select(call: &mut Call) -> Answer {
    call.expect_parameters(3)?;
    let Some(integer) = call.integer(2) else {
        return Err(call.ill_typed());
    };
    let (a, b, c) = (call.lanes(0)?, call.lanes(1)?, call.lanes(2)?);
    if a.len() != b.len() || a.len() != c.len() || call.parameters[0] != call.parameters[1] {
        return Err(call.ill_typed());
    }
    let vector = matches!(call.parameter(2)?, ParameterType::Vector(..));
    let mut lanes = Lanes::with_capacity(a.len());
    for index in 0..a.len() {
        let chosen = if vector {
            is_negative(call.builder, integer.width, c[index])
        } else {
            let zero = call.builder.number(integer.width, 0);
            call.builder.compare(CompareOp::NotEqual, c[index], zero)
        };
        lanes.push(call.builder.select(chosen, b[index], a[index]));
    }
    Ok(Some(lanes))
}

/// Each bit of `b` where `c` has a one, else of `a`; also for floats.
fn bitselect(call: &mut Call) -> Answer {
    call.expect_parameters(3)?;
    let Some(width) = call.parameter(0)?.scalar().map(|scalar| 8 * scalar.bytes()) else {
        return Err(call.ill_typed());
    };
    if call.parameters.iter().any(|parameter| *parameter != call.parameters[0]) {
        return Err(call.ill_typed());
    }
    call.lanewise(|builder, operands, _| {
        let ty = builder.ty(operands[0]);
        let [a, b, c] = [0, 1, 2].map(|index| builder.convert(ConvertOp::Bitcast, operands[index], Type::Bits(width)));
        let from_b = builder.binary(BinaryOp::And, b, c);
        let kept = builder.unary(UnaryOp::Not, c);
        let from_a = builder.binary(BinaryOp::And, a, kept);
        let bits = builder.binary(BinaryOp::Or, from_a, from_b);
        builder.convert(ConvertOp::Bitcast, bits, ty)
    })
}

#[cfg(test)]
mod laws;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::testing::{Bench, sign_extend};

    const BYTE: Type = Type::Bits(8);

    /// Compares a function of bytes with a formula on all operands.
    ///
    /// `signed` determines how the formula's caller reads the operands.
    fn check_bytes(name: &str, signed: bool, operands: usize, formula: impl Fn(&[i128]) -> i128) {
        check_bytes_to(name, signed, operands, 8, formula);
    }

    fn check_bytes_to(name: &str, signed: bool, operands: usize, width: u32, formula: impl Fn(&[i128]) -> i128) {
        let mut bench = Bench::opencl();
        let letter = if signed { "c" } else { "h" };
        let arguments: Vec<Lanes> = bench.inputs(BYTE, operands).into_iter().map(|value| vec![value]).collect();
        let mangled = format!("_Z{}{name}{}", name.len(), letter.repeat(operands));
        let result = bench.call(&mangled, &arguments, &[Type::Bits(width)])[0];
        // All values for one and two operands; for three, the values around the ends of the ranges.
        let interesting: Vec<u128> = match operands {
            1 | 2 => (0..256).collect(),
            _ => vec![0, 1, 2, 3, 7, 15, 16, 63, 64, 85, 126, 127, 128, 129, 130, 170, 191, 192, 240, 253, 254, 255],
        };
        let mut indices = vec![0; operands];
        loop {
            let inputs: Vec<u128> = indices.iter().map(|&index: &usize| interesting[index]).collect();
            let numbers: Vec<i128> =
                inputs.iter().map(|&x| if signed { sign_extend(x, 8) } else { x.cast_signed() }).collect();
            let expected = formula(&numbers).cast_unsigned() & (u128::MAX >> (128 - width));
            assert_eq!(bench.evaluate(&inputs, result), expected, "{name}{numbers:?}");
            let Some(next) = (0..operands).find(|&place| indices[place] + 1 < interesting.len()) else {
                return;
            };
            indices[next] += 1;
            indices[..next].fill(0);
        }
    }

    fn check_both(name: &str, operands: usize, formula: impl Fn(&[i128]) -> i128) {
        check_bytes(name, true, operands, &formula);
        check_bytes(name, false, operands, &formula);
    }

    fn saturated(signed: bool, x: i128) -> i128 {
        if signed { x.clamp(-128, 127) } else { x.clamp(0, 255) }
    }

    #[test]
    fn functions_of_one_byte() {
        check_both("abs", 1, |x| x[0].abs());
        check_both("popcount", 1, |x| i128::from((x[0] & 255).count_ones()));
        check_both("clz", 1, |x| (0..8).take_while(|bit| x[0] >> (7 - bit) & 1 == 0).count().try_into().unwrap());
        check_both("ctz", 1, |x| (0..8).take_while(|bit| x[0] >> bit & 1 == 0).count().try_into().unwrap());
    }

    #[test]
    fn functions_of_two_bytes() {
        check_both("max", 2, |x| x[0].max(x[1]));
        check_both("min", 2, |x| x[0].min(x[1]));
        check_both("abs_diff", 2, |x| (x[0] - x[1]).abs());
        check_both("hadd", 2, |x| (x[0] + x[1]) >> 1);
        check_both("rhadd", 2, |x| (x[0] + x[1] + 1) >> 1);
        check_both("mul_hi", 2, |x| (x[0] * x[1]) >> 8);
        check_both("rotate", 2, |x| {
            let value = u8::try_from(x[0] & 255).unwrap();
            value.rotate_left(u32::try_from(x[1] & 7).unwrap()).into()
        });
    }

    #[test]
    fn saturating_functions_of_bytes() {
        for signed in [true, false] {
            check_bytes("add_sat", signed, 2, |x| saturated(signed, x[0] + x[1]));
            check_bytes("sub_sat", signed, 2, |x| saturated(signed, x[0] - x[1]));
            check_bytes("mad_sat", signed, 3, |x| saturated(signed, x[0] * x[1] + x[2]));
        }
    }

    #[test]
    fn functions_of_three_bytes() {
        check_both("mad_hi", 3, |x| ((x[0] * x[1]) >> 8) + x[2]);
        check_both("bitselect", 3, |x| (0..8).map(|i| (if x[2] >> i & 1 == 1 { x[1] } else { x[0] }) & 1 << i).sum());
        // The result is undefined where the lower bound is above the upper one.
        check_both("clamp", 3, |x| if x[1] <= x[2] { x[0].clamp(x[1], x[2]) } else { x[0].max(x[1]).min(x[2]) });
        check_both("select", 3, |x| if x[2] == 0 { x[0] } else { x[1] });
    }

    #[test]
    fn upsample_puts_the_first_operand_on_top() {
        check_bytes_to("upsample", false, 2, 16, |x| x[0] * 256 + x[1]);
    }

    #[test]
    fn products_of_numbers_of_24_bits() {
        let mut bench = Bench::opencl();
        let x = bench.inputs(Type::Bits(32), 3);
        let product = bench.call("_Z5mul24ii", &[vec![x[0]], vec![x[1]]], &[Type::Bits(32)])[0];
        let sum = bench.call("_Z5mad24iii", &[vec![x[0]], vec![x[1]], vec![x[2]]], &[Type::Bits(32)])[0];
        assert_eq!(bench.evaluate(&[1000, 2000, 7], product), 2_000_000);
        assert_eq!(bench.evaluate(&[1000, 2000, 7], sum), 2_000_007);
    }

    #[test]
    fn wide_counts() {
        let mut bench = Bench::opencl();
        let x = bench.input(Type::Bits(64));
        let clz = bench.call("_Z3clzm", &[vec![x]], &[Type::Bits(64)])[0];
        let popcount = bench.call("_Z8popcountl", &[vec![x]], &[Type::Bits(64)])[0];
        for value in [0u64, 1, 2, 0x8000, u64::MAX, 1 << 63, 0x0123_4567_89ab_cdef] {
            assert_eq!(bench.evaluate(&[value.into()], clz), value.leading_zeros().into());
            assert_eq!(bench.evaluate(&[value.into()], popcount), value.count_ones().into());
        }
    }

    #[test]
    fn a_scalar_operand_stands_for_a_vector() {
        let mut bench = Bench::opencl();
        let x = bench.inputs(Type::Bits(32), 3);
        let lanes = bench.call("_Z3minDv2_ii", &[vec![x[0], x[1]], vec![x[2]]], &[Type::Bits(32); 2]);
        assert_eq!(bench.evaluate(&[5, 9, 7], lanes[0]), 5);
        assert_eq!(bench.evaluate(&[5, 9, 7], lanes[1]), 7);
    }

    #[test]
    fn vectors_decide_by_the_top_bit() {
        let mut bench = Bench::opencl();
        let x = bench.inputs(BYTE, 6);
        let (a, b, c) = (vec![x[0], x[1]], vec![x[2], x[3]], vec![x[4], x[5]]);
        let chosen = bench.call("_Z6selectDv2_cS_S_", &[a, b, c.clone()], &[BYTE; 2]);
        let any = bench.call("_Z3anyDv2_c", std::slice::from_ref(&c), &[Type::Bits(32)])[0];
        let all = bench.call("_Z3allDv2_c", &[c], &[Type::Bits(32)])[0];
        let inputs = [1, 2, 3, 4, 0x7f, 0x80];
        assert_eq!(bench.evaluate(&inputs, chosen[0]), 1);
        assert_eq!(bench.evaluate(&inputs, chosen[1]), 4);
        assert_eq!((bench.evaluate(&inputs, any), bench.evaluate(&inputs, all)), (1, 0));
    }
}
