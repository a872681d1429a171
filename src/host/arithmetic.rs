//! Arithmetic on slots, with the meaning of LLVM's instructions.
//!
//! Integers have zeros above their width. Where LLVM leaves a result undefined, it is that of Rust:
//! a shift by the width or more gives zero, and a float that is too large for an integer gives the
//! nearest one. A division without a result has none here either.

use half::f16;
use lockstep_ir::host::{Comparison, Conversion, FloatOperation, IntegerOperation, MathFunction, Relations};

use crate::numbers::{float, of_float};

/// The mask of a number of 1 to 64 bits.
#[inline]
fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - u32::from(width))
}

/// A number of 1 to 64 bits in two's complement.
#[inline]
fn signed(width: u8, value: u64) -> i64 {
    let unused = 64 - u32::from(width);
    (value << unused).cast_signed() >> unused
}

/// The result of an operation on integers; `None` for a division without a result.
#[inline]
pub fn integer(operation: IntegerOperation, width: u8, a: u64, b: u64) -> Option<u64> {
    let mask = mask(width);
    Some(match operation {
        IntegerOperation::Add => a.wrapping_add(b) & mask,
        IntegerOperation::Sub => a.wrapping_sub(b) & mask,
        IntegerOperation::Mul => a.wrapping_mul(b) & mask,
        IntegerOperation::UDiv => a.checked_div(b)?,
        IntegerOperation::URem => a.checked_rem(b)?,
        IntegerOperation::SDiv => signed_quotient(width, a, b)?,
        IntegerOperation::SRem => signed_remainder(width, a, b)?,
        IntegerOperation::And => a & b,
        IntegerOperation::Or => a | b,
        IntegerOperation::Xor => a ^ b,
        IntegerOperation::Shl if b < width.into() => a << b & mask,
        IntegerOperation::LShr if b < width.into() => a >> b,
        IntegerOperation::AShr if b < width.into() => (signed(width, a) >> b).cast_unsigned() & mask,
        IntegerOperation::Shl | IntegerOperation::LShr | IntegerOperation::AShr => 0,
        IntegerOperation::UMin => a.min(b),
        IntegerOperation::UMax => a.max(b),
        IntegerOperation::SMin if signed(width, a) <= signed(width, b) => a,
        IntegerOperation::SMax if signed(width, a) >= signed(width, b) => a,
        IntegerOperation::SMin | IntegerOperation::SMax => b,
    })
}

fn signed_quotient(width: u8, a: u64, b: u64) -> Option<u64> {
    let quotient = signed(width, a).checked_div(signed(width, b))?;
    let result = quotient.cast_unsigned() & mask(width);
    (signed(width, result) == quotient).then_some(result)
}

fn signed_remainder(width: u8, a: u64, b: u64) -> Option<u64> {
    signed_quotient(width, a, b)?;
    Some((signed(width, a) % signed(width, b)).cast_unsigned() & mask(width))
}

/// The result of an operation, and whether the exact one has another value.
pub fn overflowing(operation: IntegerOperation, is_signed: bool, width: u8, a: u64, b: u64) -> (u64, bool) {
    let wide = |value: u64| if is_signed { i128::from(signed(width, value)) } else { i128::from(value) };
    let exact = match operation {
        IntegerOperation::Add => wide(a).checked_add(wide(b)),
        IntegerOperation::Sub => wide(a).checked_sub(wide(b)),
        _ => wide(a).checked_mul(wide(b)),
    };
    let wrapping = match operation {
        IntegerOperation::Add => a.wrapping_add(b),
        IntegerOperation::Sub => a.wrapping_sub(b),
        _ => a.wrapping_mul(b),
    };
    let result = wrapping & mask(width);
    (result, exact != Some(wide(result)))
}

/// Whether a comparison of integers holds.
#[inline]
pub fn compare(comparison: Comparison, width: u8, a: u64, b: u64) -> bool {
    match comparison {
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
        Comparison::Less { or_equal: false, is_signed: false } => a < b,
        Comparison::Less { or_equal: true, is_signed: false } => a <= b,
        Comparison::Less { or_equal: false, is_signed: true } => signed(width, a) < signed(width, b),
        Comparison::Less { or_equal: true, is_signed: true } => signed(width, a) <= signed(width, b),
    }
}

/// Whether two floats are in one of the relations.
#[inline]
pub fn compare_floats(relations: Relations, is_double: bool, a: u64, b: u64) -> bool {
    let ordering =
        if is_double { f64::from_bits(a).partial_cmp(&f64::from_bits(b)) } else { float(a).partial_cmp(&float(b)) };
    match ordering {
        Some(std::cmp::Ordering::Less) => relations.less,
        Some(std::cmp::Ordering::Equal) => relations.equal,
        Some(std::cmp::Ordering::Greater) => relations.greater,
        None => relations.unordered,
    }
}

/// Defines the operations on floats of a type.
macro_rules! float_functions {
    ($float:ident, $binary:ident, $math:ident) => {
        #[inline]
        fn $binary(operation: FloatOperation, a: $float, b: $float) -> $float {
            match operation {
                FloatOperation::Add => a + b,
                FloatOperation::Sub => a - b,
                FloatOperation::Mul => a * b,
                FloatOperation::Div => a / b,
                FloatOperation::Rem => a % b,
                FloatOperation::Min => a.min(b),
                FloatOperation::Max => a.max(b),
                FloatOperation::CopySign => a.copysign(b),
                FloatOperation::Power => a.powf(b),
                FloatOperation::ArcTangent2 => a.atan2(b),
                FloatOperation::Hypotenuse => a.hypot(b),
            }
        }

        fn $math(function: MathFunction, a: $float) -> $float {
            match function {
                MathFunction::Negate => -a,
                MathFunction::Abs => a.abs(),
                MathFunction::Sqrt => a.sqrt(),
                MathFunction::Cbrt => a.cbrt(),
                MathFunction::Floor => a.floor(),
                MathFunction::Ceil => a.ceil(),
                MathFunction::Trunc => a.trunc(),
                MathFunction::Round => a.round(),
                MathFunction::RoundEven => a.round_ties_even(),
                MathFunction::Sin => a.sin(),
                MathFunction::Cos => a.cos(),
                MathFunction::Tan => a.tan(),
                MathFunction::Asin => a.asin(),
                MathFunction::Acos => a.acos(),
                MathFunction::Atan => a.atan(),
                MathFunction::Sinh => a.sinh(),
                MathFunction::Cosh => a.cosh(),
                MathFunction::Tanh => a.tanh(),
                MathFunction::Exp => a.exp(),
                MathFunction::Exp2 => a.exp2(),
                MathFunction::Expm1 => a.exp_m1(),
                MathFunction::Log => a.ln(),
                MathFunction::Log2 => a.log2(),
                MathFunction::Log10 => a.log10(),
                MathFunction::Log1p => a.ln_1p(),
            }
        }
    };
}

float_functions!(f64, binary_64, math_64);
float_functions!(f32, binary_32, math_32);

/// The result of an operation on two floats.
#[inline]
pub fn floats(operation: FloatOperation, is_double: bool, a: u64, b: u64) -> u64 {
    if is_double {
        binary_64(operation, f64::from_bits(a), f64::from_bits(b)).to_bits()
    } else {
        of_float(binary_32(operation, float(a), float(b)))
    }
}

/// The result of a function of one float.
pub fn math(function: MathFunction, is_double: bool, a: u64) -> u64 {
    if is_double { math_64(function, f64::from_bits(a)).to_bits() } else { of_float(math_32(function, float(a))) }
}

/// A product and a sum of floats, rounded once.
pub fn fused_multiply_add(is_double: bool, [a, b, c]: [u64; 3]) -> u64 {
    if is_double {
        f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)).to_bits()
    } else {
        of_float(float(a).mul_add(float(b), float(c)))
    }
}

/// A float of 16 bits in a slot.
fn half(value: u64) -> f16 {
    let [low, high, ..] = value.to_le_bytes();
    f16::from_le_bytes([low, high])
}

/// The result of a conversion.
#[inline]
pub fn convert(conversion: Conversion, a: u64) -> u64 {
    match conversion {
        Conversion::Truncate(width) => a & mask(width),
        Conversion::SignExtend(from, to) => signed(from, a).cast_unsigned() & mask(to),
        Conversion::SignedToFloat(width, is_double) => from_signed(signed(width, a), is_double),
        Conversion::UnsignedToFloat(is_double) => from_unsigned(a, is_double),
        Conversion::FloatToSigned(is_double, width) => to_signed(number(a, is_double), width),
        Conversion::FloatToUnsigned(is_double, width) => to_unsigned(number(a, is_double), width),
        Conversion::Widen => f64::from(float(a)).to_bits(),
        Conversion::Narrow => narrow(a),
        Conversion::FromHalf(true) => half(a).to_f64().to_bits(),
        Conversion::FromHalf(false) => of_float(half(a).to_f32()),
        Conversion::ToHalf(true) => f16::from_f64(f64::from_bits(a)).to_bits().into(),
        Conversion::ToHalf(false) => f16::from_f32(float(a)).to_bits().into(),
        Conversion::CountOnes => a.count_ones().into(),
        Conversion::LeadingZeros(width) => u64::from((a & mask(width)).leading_zeros() + u32::from(width) - 64),
        Conversion::TrailingZeros(width) => a.trailing_zeros().min(width.into()).into(),
        Conversion::SwapBytes(width) => a.swap_bytes() >> (64 - u32::from(width)),
        Conversion::Absolute(width) => signed(width, a).unsigned_abs() & mask(width),
    }
}

/// A float of either size. Every one of 32 bits is one of 64.
fn number(a: u64, is_double: bool) -> f64 {
    if is_double { f64::from_bits(a) } else { f64::from(float(a)) }
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest float is the result")]
fn narrow(a: u64) -> u64 {
    of_float(f64::from_bits(a) as f32)
}

#[expect(clippy::cast_precision_loss, reason = "the nearest float is the result")]
fn from_signed(a: i64, is_double: bool) -> u64 {
    if is_double { (a as f64).to_bits() } else { of_float(a as f32) }
}

#[expect(clippy::cast_precision_loss, reason = "the nearest float is the result")]
fn from_unsigned(a: u64, is_double: bool) -> u64 {
    if is_double { (a as f64).to_bits() } else { of_float(a as f32) }
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest integer is the result")]
fn to_signed(a: f64, width: u8) -> u64 {
    let unused = 64 - u32::from(width);
    let (least, greatest) = (i64::MIN >> unused, i64::MAX >> unused);
    (a as i64).clamp(least, greatest).cast_unsigned() & mask(width)
}

/// A negative float gives the integer that x86 gives for it, if the width is below 64.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the nearest integer is the result")]
fn to_unsigned(a: f64, width: u8) -> u64 {
    if width == 64 { a as u64 } else { (a as i64).cast_unsigned() & mask(width) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_at_their_width() {
        use IntegerOperation as Op;
        for (operation, width, a, b, expected) in [
            (Op::Add, 8, 200, 100, Some(44)),
            (Op::Sub, 32, 0, 1, Some(0xFFFF_FFFF)),
            (Op::Mul, 64, u64::MAX, 2, Some(u64::MAX - 1)),
            (Op::SDiv, 32, 0xFFFF_FFF9, 2, Some(0xFFFF_FFFD)),
            (Op::SRem, 32, 0xFFFF_FFF9, 2, Some(0xFFFF_FFFF)),
            (Op::SDiv, 32, 0x8000_0000, 0xFFFF_FFFF, None),
            (Op::SRem, 64, 1 << 63, u64::MAX, None),
            (Op::UDiv, 32, 1, 0, None),
            (Op::URem, 32, 1, 0, None),
            (Op::SDiv, 8, 1, 0, None),
            (Op::Shl, 8, 0xFF, 4, Some(0xF0)),
            (Op::Shl, 8, 0xFF, 8, Some(0)),
            (Op::AShr, 8, 0x80, 3, Some(0xF0)),
            (Op::AShr, 64, u64::MAX, 64, Some(0)),
            (Op::LShr, 64, u64::MAX, 63, Some(1)),
            (Op::SMin, 8, 0x80, 0x7F, Some(0x80)),
            (Op::SMax, 8, 0x80, 0x7F, Some(0x7F)),
            (Op::UMax, 8, 0x80, 0x7F, Some(0x80)),
        ] {
            assert_eq!(integer(operation, width, a, b), expected, "{operation:?} {a} {b}");
        }
    }

    #[test]
    fn overflow_is_told() {
        use IntegerOperation as Op;
        assert_eq!(overflowing(Op::Add, true, 32, 0x7FFF_FFFF, 1), (0x8000_0000, true));
        assert_eq!(overflowing(Op::Add, false, 32, 0x7FFF_FFFF, 1), (0x8000_0000, false));
        assert_eq!(overflowing(Op::Sub, false, 64, 0, 1), (u64::MAX, true));
        assert_eq!(overflowing(Op::Mul, false, 64, 1 << 32, 1 << 32), (0, true));
        assert_eq!(overflowing(Op::Mul, true, 64, u64::MAX, u64::MAX), (1, false));
        assert_eq!(overflowing(Op::Mul, false, 64, u64::MAX, u64::MAX), (1, true));
    }

    #[test]
    fn conversions_keep_their_width() {
        for (conversion, a, expected) in [
            (Conversion::SignExtend(8, 32), 0x80, 0xFFFF_FF80),
            (Conversion::Truncate(8), 0x1FF, 0xFF),
            (Conversion::SignedToFloat(32, true), 0xFFFF_FFFF, (-1f64).to_bits()),
            (Conversion::UnsignedToFloat(false), 3, of_float(3.0)),
            (Conversion::FloatToSigned(true, 32), (-1.9f64).to_bits(), 0xFFFF_FFFF),
            (Conversion::FloatToSigned(true, 32), 1e30f64.to_bits(), 0x7FFF_FFFF),
            (Conversion::FloatToSigned(false, 64), of_float(f32::NAN), 0),
            (Conversion::FloatToUnsigned(true, 64), 1e19f64.to_bits(), 10_000_000_000_000_000_000),
            (Conversion::LeadingZeros(32), 1, 31),
            (Conversion::LeadingZeros(64), 0, 64),
            (Conversion::TrailingZeros(16), 0, 16),
            (Conversion::SwapBytes(32), 0x1122_3344, 0x4433_2211),
            (Conversion::Absolute(8), 0x80, 0x80),
            (Conversion::Absolute(32), 0xFFFF_FFFF, 1),
            (Conversion::Narrow, 0.1f64.to_bits(), of_float(0.1)),
            (Conversion::Widen, of_float(0.5), 0.5f64.to_bits()),
            (Conversion::CountOnes, 0xFF, 8),
        ] {
            assert_eq!(convert(conversion, a), expected, "{conversion:?} {a:#x}");
        }
    }

    #[test]
    fn nan_is_unordered() {
        let nan = f64::NAN.to_bits();
        let unordered = Relations { unordered: true, ..Relations::default() };
        let less = Relations { less: true, equal: true, ..Relations::default() };
        assert!(compare_floats(unordered, true, nan, nan) && !compare_floats(less, true, nan, nan));
        assert!(compare_floats(less, false, of_float(1.0), of_float(1.0)));
        assert!(compare_floats(less, true, (-0f64).to_bits(), 0f64.to_bits()));
        let max = FloatOperation::Max;
        assert_eq!(floats(max, true, nan, 1f64.to_bits()), 1f64.to_bits());
    }
}
