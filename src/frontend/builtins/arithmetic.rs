//! Arithmetic by the names of LLVM's intrinsics (`ctlz`, `fshl`, `sadd.sat`), which other built-in
//! functions share.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp, FloatOp, FloatType, Operation, Type, UnaryOp, Value};

use crate::builder::{Builder, Lanes};

/// Intrinsics on floats: exact where that is simple, otherwise functions of which only the name is
/// known.
pub fn float_lane(builder: &mut Builder<'_>, base: &str, operands: &[Value], ty: Type) -> Option<Value> {
    const BY_NAME: [&str; 37] = [
        "acos",
        "asin",
        "atan",
        "canonicalize",
        "ceil",
        "cos",
        "cosh",
        "exp",
        "exp10",
        "exp2",
        "floor",
        "fptosi.sat",
        "fptoui.sat",
        "ldexp",
        "llrint",
        "llround",
        "log",
        "log10",
        "log2",
        "lrint",
        "lround",
        "maximum",
        "maxnum",
        "minimum",
        "minnum",
        "nearbyint",
        "pow",
        "powi",
        "rint",
        "round",
        "roundeven",
        "sin",
        "sinh",
        "tan",
        "tanh",
        "trunc",
        "is.fpclass",
    ];
    let width = ty.width()?;
    match base {
        "fmuladd" => Some(builder.float(FloatOp::MultiplyAdd, operands.to_vec(), ty)),
        "fma" => Some(builder.float(FloatOp::FusedMultiplyAdd, operands.to_vec(), ty)),
        "sqrt" => Some(builder.float(FloatOp::SquareRoot, operands.to_vec(), ty)),
        "fabs" => {
            let bits = builder.convert(ConvertOp::Bitcast, operands[0], Type::Bits(width));
            let mask = builder.bits(Bits::ones(width - 1).zero_extend(width));
            let cleared = builder.binary(BinaryOp::And, bits, mask);
            Some(builder.convert(ConvertOp::Bitcast, cleared, ty))
        }
        "copysign" => {
            let magnitude = builder.convert(ConvertOp::Bitcast, operands[0], Type::Bits(width));
            let sign = builder.convert(ConvertOp::Bitcast, operands[1], Type::Bits(width));
            let magnitude = builder.extract(width - 2, 0, magnitude);
            let sign = builder.extract(width - 1, width - 1, sign);
            let joined = builder.append(Operation::Concat(sign, magnitude), Type::Bits(width));
            Some(builder.convert(ConvertOp::Bitcast, joined, ty))
        }
        "convert.from.fp16" => {
            let half = builder.convert(ConvertOp::Bitcast, operands[0], Type::Float(FloatType::F16));
            Some(builder.float(FloatOp::FromFloat, vec![half], ty))
        }
        "convert.to.fp16" => {
            let half = builder.float(FloatOp::FromFloat, operands.to_vec(), Type::Float(FloatType::F16));
            Some(builder.convert(ConvertOp::Bitcast, half, ty))
        }
        _ if BY_NAME.contains(&base) => Some(builder.uninterpreted(base, operands.to_vec(), ty)),
        _ => None,
    }
}

/// Intrinsics on bit-vectors, exactly.
pub fn integer_lane(builder: &mut Builder<'_>, base: &str, operands: &[Value], ty: Type) -> Option<Value> {
    let Type::Bits(width) = ty else { return None };
    let (a, b) = (*operands.first()?, operands.get(1).copied());
    match base {
        "smin" | "smax" | "umin" | "umax" => {
            let b = b?;
            let op = if base.starts_with('s') { CompareOp::SignedLess } else { CompareOp::UnsignedLess };
            let less = builder.compare(op, a, b);
            Some(if base.ends_with("min") { builder.select(less, a, b) } else { builder.select(less, b, a) })
        }
        "abs" => {
            let zero = builder.number(width, 0);
            let negative = builder.compare(CompareOp::SignedLess, a, zero);
            let negated = builder.unary(UnaryOp::Negate, a);
            Some(builder.select(negative, negated, a))
        }
        "ctlz" => Some(first_set(builder, a, width, (0..width).map(|bit| (bit, width - 1 - bit)))),
        "cttz" => Some(first_set(builder, a, width, (0..width).rev().map(|bit| (bit, bit)))),
        "ctpop" => {
            let bits = (0..width).map(|bit| (bit, bit));
            let mut sum = builder.number(width, 0);
            for (high, low) in bits {
                let bit = builder.extract(high, low, a);
                let bit = builder.convert(ConvertOp::ZeroExtend, bit, ty);
                sum = builder.binary(BinaryOp::Add, sum, bit);
            }
            Some(sum)
        }
        "bswap" => Some(reversed(builder, a, width, 8)),
        "bitreverse" => Some(reversed(builder, a, width, 1)),
        "fshl" | "fshr" => Some(funnel_shift(builder, base == "fshl", a, b?, *operands.get(2)?, width)),
        "sadd.sat" => Some(saturated(builder, BinaryOp::Add, true, a, b?, width)),
        "uadd.sat" => Some(saturated(builder, BinaryOp::Add, false, a, b?, width)),
        "ssub.sat" => Some(saturated(builder, BinaryOp::Subtract, true, a, b?, width)),
        "usub.sat" => Some(saturated(builder, BinaryOp::Subtract, false, a, b?, width)),
        _ => None,
    }
}

/// The number for the last set bit among these; the width if none is set.
fn first_set(builder: &mut Builder<'_>, a: Value, width: u32, bits: impl Iterator<Item = (u32, u32)>) -> Value {
    let one = builder.number(1, 1);
    let mut result = builder.number(width, u64::from(width));
    for (bit, number) in bits {
        let extracted = builder.extract(bit, bit, a);
        let set = builder.compare(CompareOp::Equal, extracted, one);
        let number = builder.number(width, u64::from(number));
        result = builder.select(set, number, result);
    }
    result
}

/// The pieces of this many bits in reverse order.
fn reversed(builder: &mut Builder<'_>, a: Value, width: u32, piece: u32) -> Value {
    let mut result = builder.extract(piece - 1, 0, a);
    for index in 1..width / piece {
        let next = builder.extract((index + 1) * piece - 1, index * piece, a);
        result = builder.append(Operation::Concat(result, next), Type::Bits((index + 1) * piece));
    }
    result
}

/// The high half of `a:b << c` or the low half of `a:b >> c`, `c` modulo the width.
fn funnel_shift(builder: &mut Builder<'_>, left: bool, a: Value, b: Value, c: Value, width: u32) -> Value {
    let wide = Type::Bits(2 * width);
    let joined = builder.append(Operation::Concat(a, b), wide);
    let modulus = builder.number(width, u64::from(width));
    let distance = builder.binary(BinaryOp::UnsignedRemainder, c, modulus);
    let distance = builder.convert(ConvertOp::ZeroExtend, distance, wide);
    if left {
        let shifted = builder.binary(BinaryOp::ShiftLeft, joined, distance);
        builder.extract(2 * width - 1, width, shifted)
    } else {
        let shifted = builder.binary(BinaryOp::LogicalShiftRight, joined, distance);
        builder.extract(width - 1, 0, shifted)
    }
}

/// `a op b` with a result outside the type's range replaced by the nearer end of it.
fn saturated(builder: &mut Builder<'_>, op: BinaryOp, signed: bool, a: Value, b: Value, width: u32) -> Value {
    // Two more bits hold every result, and its sign.
    let wide_width = width + 2;
    let wide = Type::Bits(wide_width);
    let extend = if signed { ConvertOp::SignExtend } else { ConvertOp::ZeroExtend };
    let a = builder.convert(extend, a, wide);
    let b = builder.convert(extend, b, wide);
    let exact = builder.binary(op, a, b);
    let (low, high) = if signed {
        let high = Bits::ones(width - 1).zero_extend(wide_width);
        (high.not(), high)
    } else {
        (Bits::zero(wide_width), Bits::ones(width).zero_extend(wide_width))
    };
    let low = builder.bits(low);
    let high = builder.bits(high);
    let below = builder.compare(CompareOp::SignedLess, exact, low);
    let above = builder.compare(CompareOp::SignedLess, high, exact);
    let clamped = builder.select(above, high, exact);
    let clamped = builder.select(below, low, clamped);
    builder.extract(width - 1, 0, clamped)
}

/// `sadd.with.overflow` and its like: the wrapped results, then whether they wrapped.
pub fn overflow(builder: &mut Builder<'_>, op: &str, arguments: &[Lanes]) -> Option<Lanes> {
    let (signed, op) = match op {
        "sadd" => (true, BinaryOp::Add),
        "uadd" => (false, BinaryOp::Add),
        "ssub" => (true, BinaryOp::Subtract),
        "usub" => (false, BinaryOp::Subtract),
        "smul" => (true, BinaryOp::Multiply),
        "umul" => (false, BinaryOp::Multiply),
        _ => return None,
    };
    let extend = if signed { ConvertOp::SignExtend } else { ConvertOp::ZeroExtend };
    let (mut results, mut wrapped) = (Lanes::new(), Lanes::new());
    for (a, b) in arguments.first()?.iter().zip(arguments.get(1)?) {
        let ty = builder.ty(*a);
        let wide = Type::Bits(2 * ty.width()? + 1);
        let wide_a = builder.convert(extend, *a, wide);
        let wide_b = builder.convert(extend, *b, wide);
        let exact = builder.binary(op, wide_a, wide_b);
        let result = builder.convert(ConvertOp::Truncate, exact, ty);
        let back = builder.convert(extend, result, wide);
        wrapped.push(builder.compare(CompareOp::NotEqual, back, exact));
        results.push(result);
    }
    results.append(&mut wrapped);
    Some(results)
}
