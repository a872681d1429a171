//! Floats as bit patterns: IEEE 754, rounded to nearest even, computed by the host.
//!
//! 16-bit operations are computed in `f32`, which has more than twice their precision plus two
//! bits. So double rounding is correct for sums, products, quotients and roots (Figueroa, "When is
//! double rounding innocuous?", 1995). It is not correct for a fused multiply-add. There, the exact
//! sum is rounded to odd first (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums",
//! 2008).
//!
//! Every NaN that arithmetic gives has the same bits, as on GPUs: which operand a NaN comes from is
//! no difference between the results of two threads.
//!
//! Functions that no standard specifies to the last bit (`sin`, `exp`) are the host's. A run does
//! not settle anything that depends on their last bits.

use half::{bf16, f16};
use lockstep_ir::kernel::{FloatOp, FloatType};

/// The number with a bit pattern, which `f64` holds exactly.
pub fn number(ty: FloatType, pattern: u64) -> f64 {
    match ty {
        FloatType::F16 => f16::from_bits(low16(pattern)).to_f64(),
        FloatType::Bf16 => bf16::from_bits(low16(pattern)).to_f64(),
        FloatType::F32 => f64::from(single(pattern)),
        FloatType::F64 => f64::from_bits(pattern),
    }
}

/// The bit pattern of the nearest number.
pub fn pattern(ty: FloatType, number: f64) -> u64 {
    match ty {
        FloatType::F16 => f16::from_f32(to_odd_single(number)).to_bits().into(),
        FloatType::Bf16 => bf16::from_f32(to_odd_single(number)).to_bits().into(),
        FloatType::F32 => to_single(number).to_bits().into(),
        FloatType::F64 => number.to_bits(),
    }
}

fn low16(pattern: u64) -> u16 {
    u16::try_from(pattern & 0xFFFF).expect("16 bits are kept")
}

fn single(pattern: u64) -> f32 {
    f32::from_bits(u32::try_from(pattern & 0xFFFF_FFFF).expect("32 bits are kept"))
}

#[expect(clippy::cast_possible_truncation, reason = "rounding is what is asked for")]
fn to_single(number: f64) -> f32 {
    number as f32
}

/// One of the two `f32` neighbours of a number: the one with an odd last bit.
///
/// Rounding it again to 16 bits is then equivalent to rounding once. (The crate's own conversion
/// from `f64` uses the upper 32 bits only.)
#[expect(clippy::float_cmp, reason = "whether the conversion is exact")]
fn to_odd_single(number: f64) -> f32 {
    let nearest = to_single(number);
    let back = f64::from(nearest);
    if back == number || !nearest.is_finite() || nearest.to_bits() & 1 == 1 {
        return nearest;
    }
    let outwards = number.abs() > back.abs();
    f32::from_bits(if outwards { nearest.to_bits() + 1 } else { nearest.to_bits() - 1 })
}

/// The bit pattern of a result: one for all NaNs.
fn canonical(ty: FloatType, result: u64) -> u64 {
    if number(ty, result).is_nan() { pattern(ty, f64::NAN) } else { result }
}

/// The result of an operation on one or two floats of one type.
///
/// It is a bit pattern, or 0 or 1 for comparisons.
pub fn operate(op: FloatOp, ty: FloatType, a: u64, b: u64) -> u64 {
    canonical(ty, operate_bitwise(op, ty, a, b))
}

fn operate_bitwise(op: FloatOp, ty: FloatType, a: u64, b: u64) -> u64 {
    match ty {
        FloatType::F32 => {
            let (x, y) = (single(a), single(b));
            match op {
                FloatOp::Add => (x + y).to_bits().into(),
                FloatOp::Subtract => (x - y).to_bits().into(),
                FloatOp::Multiply => (x * y).to_bits().into(),
                FloatOp::Divide => (x / y).to_bits().into(),
                FloatOp::Remainder => (x % y).to_bits().into(),
                FloatOp::SquareRoot => x.sqrt().to_bits().into(),
                _ => compare(op, x.into(), y.into()),
            }
        }
        FloatType::F64 => {
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            match op {
                FloatOp::Add => (x + y).to_bits(),
                FloatOp::Subtract => (x - y).to_bits(),
                FloatOp::Multiply => (x * y).to_bits(),
                FloatOp::Divide => (x / y).to_bits(),
                FloatOp::Remainder => (x % y).to_bits(),
                FloatOp::SquareRoot => x.sqrt().to_bits(),
                _ => compare(op, x, y),
            }
        }
        FloatType::F16 | FloatType::Bf16 => {
            let (x, y) = (to_single(number(ty, a)), to_single(number(ty, b)));
            let result = match op {
                FloatOp::Add => x + y,
                FloatOp::Subtract => x - y,
                FloatOp::Multiply => x * y,
                FloatOp::Divide => x / y,
                FloatOp::Remainder => x % y,
                FloatOp::SquareRoot => x.sqrt(),
                _ => return compare(op, x.into(), y.into()),
            };
            pattern(ty, result.into())
        }
    }
}

#[expect(clippy::float_cmp, reason = "the kernel compares so")]
fn compare(op: FloatOp, a: f64, b: f64) -> u64 {
    let unordered = a.is_nan() || b.is_nan();
    let holds = match op {
        FloatOp::OrderedEqual => a == b,
        FloatOp::OrderedNotEqual => !unordered && a != b,
        FloatOp::OrderedLess => a < b,
        FloatOp::OrderedLessEqual => a <= b,
        FloatOp::Ordered => !unordered,
        FloatOp::UnorderedEqual => unordered || a == b,
        FloatOp::UnorderedNotEqual => unordered || a != b,
        FloatOp::UnorderedLess => unordered || a < b,
        FloatOp::UnorderedLessEqual => unordered || a <= b,
        FloatOp::Unordered => unordered,
        FloatOp::Add
        | FloatOp::Subtract
        | FloatOp::Multiply
        | FloatOp::Divide
        | FloatOp::Remainder
        | FloatOp::FusedMultiplyAdd
        | FloatOp::MultiplyAdd
        | FloatOp::SquareRoot
        | FloatOp::FromFloat
        | FloatOp::FromSigned
        | FloatOp::FromUnsigned
        | FloatOp::ToSigned
        | FloatOp::ToUnsigned => unreachable!("{op:?} is no comparison"),
    };
    u64::from(holds)
}

/// The value of `a * b + c`, rounded once.
pub fn fused_multiply_add(ty: FloatType, a: u64, b: u64, c: u64) -> u64 {
    canonical(ty, fused_bitwise(ty, a, b, c))
}

fn fused_bitwise(ty: FloatType, a: u64, b: u64, c: u64) -> u64 {
    match ty {
        FloatType::F32 => single(a).mul_add(single(b), single(c)).to_bits().into(),
        FloatType::F64 => f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)).to_bits(),
        FloatType::F16 | FloatType::Bf16 => {
            // The product is exact in `f64`, and the sum is rounded to odd.
            let (product, addend) = (number(ty, a) * number(ty, b), number(ty, c));
            let sum = product + addend;
            let of_addend = sum - product;
            let error = (product - (sum - of_addend)) + (addend - of_addend);
            if error == 0.0 || !sum.is_finite() || sum.to_bits() & 1 == 1 {
                return pattern(ty, sum);
            }
            let outwards = (error > 0.0) == (sum > 0.0);
            let bits = if outwards { sum.to_bits() + 1 } else { sum.to_bits() - 1 };
            pattern(ty, f64::from_bits(bits))
        }
    }
}

/// Converts a float to another format.
pub fn convert(from: FloatType, to: FloatType, value: u64) -> u64 {
    if from == to { value } else { pattern(to, number(from, value)) }
}

/// Converts an integer to a float, rounded to nearest even.
#[expect(clippy::cast_precision_loss, reason = "rounding is what is asked for")]
pub fn from_integer(ty: FloatType, signed: Option<i64>, unsigned: u64) -> u64 {
    match (ty, signed) {
        (FloatType::F32, Some(value)) => (value as f32).to_bits().into(),
        (FloatType::F32, None) => (unsigned as f32).to_bits().into(),
        (FloatType::F64, Some(value)) => (value as f64).to_bits(),
        (FloatType::F64, None) => (unsigned as f64).to_bits(),
        // An integer that `f64` does not hold exactly may be near the midpoint of two 16-bit
        // numbers. Then the lost bits decide, and they are kept as one sticky bit.
        (FloatType::F16 | FloatType::Bf16, signed) => {
            let magnitude = signed.map_or(unsigned, i64::unsigned_abs);
            let lost = 64u32.saturating_sub(magnitude.leading_zeros()).saturating_sub(53);
            let kept = (magnitude >> lost) | u64::from(magnitude & ((1 << lost) - 1) != 0);
            let number = (kept as f64) * 2f64.powi(i32::try_from(lost).expect("at most 11"));
            pattern(ty, if signed.is_some_and(i64::is_negative) { -number } else { number })
        }
    }
}

/// A float as an integer of `width` bits, rounded towards zero.
///
/// It is the nearest integer that fits, and 0 for NaN.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the casts round and saturate as asked for"
)]
pub fn to_integer(ty: FloatType, value: u64, signed: bool, width: u32) -> u64 {
    let number = number(ty, value);
    let mask = u64::MAX >> (64 - width);
    if signed {
        let (least, greatest) = (i64::MIN >> (64 - width), i64::MAX >> (64 - width));
        (number as i64).clamp(least, greatest) as u64 & mask
    } else {
        (number as u64).min(mask)
    }
}

/// The result of a math function by its name, without vendor prefixes; `None` if it is unknown.
pub fn function(name: &str, operands: &[f64]) -> Option<f64> {
    let prefix = ["native_", "half_", "__"].iter().find_map(|prefix| name.strip_prefix(prefix));
    let name = prefix.unwrap_or(name);
    let single = || name.strip_suffix('f').and_then(|name| known(name, operands));
    known(name, operands).or_else(single).or_else(|| of_vectors(name.strip_prefix("fast_").unwrap_or(name), operands))
}

/// A function of vectors, with their components as consecutive operands.
fn of_vectors(name: &str, operands: &[f64]) -> Option<f64> {
    let length = |components: &[f64]| components.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (a, b) = operands.split_at(operands.len() / 2);
    let is_pair = a.len() == b.len();
    Some(match name {
        "dot" if is_pair => a.iter().zip(b).map(|(x, y)| x * y).sum(),
        "distance" if is_pair => length(&a.iter().zip(b).map(|(x, y)| x - y).collect::<Vec<_>>()),
        "length" => length(operands),
        _ => {
            let component: usize = name.strip_prefix("normalize.")?.parse().ok()?;
            let length = length(operands);
            let component = operands.get(component)?;
            if length == 0.0 { *component } else { component / length }
        }
    })
}

/// The result of a conversion by name, such as `convert_uchar_sat_rtz`.
///
/// It converts a float to an integer of this width. It is `None` if the conversion is unknown.
pub fn conversion(name: &str, ty: FloatType, value: u64, width: u32) -> Option<u64> {
    let (to, how) = name.strip_prefix("convert_")?.split_once('_')?;
    let number = number(ty, value);
    let rounded = match how {
        // Without saturation, a value out of range is undefined.
        "sat_rtz" => number.trunc(),
        "sat_rte" | "rte" => number.round_ties_even(),
        "sat_rtp" | "rtp" => number.ceil(),
        "sat_rtn" | "rtn" => number.floor(),
        _ => return None,
    };
    let signed = match to {
        "char" | "short" | "int" | "long" => true,
        "uchar" | "ushort" | "uint" | "ulong" => false,
        _ => return None,
    };
    Some(to_integer(FloatType::F64, rounded.to_bits(), signed, width))
}

fn known(name: &str, operands: &[f64]) -> Option<f64> {
    Some(match *operands {
        [x] => match name {
            "sin" | "sincos" => x.sin(),
            "cos" | "sincos.second" => x.cos(),
            "tan" => x.tan(),
            "asin" => x.asin(),
            "acos" => x.acos(),
            "atan" => x.atan(),
            "sinh" => x.sinh(),
            "cosh" => x.cosh(),
            "tanh" => x.tanh(),
            "asinh" => x.asinh(),
            "acosh" => x.acosh(),
            "atanh" => x.atanh(),
            "sinpi" => (x * std::f64::consts::PI).sin(),
            "cospi" => (x * std::f64::consts::PI).cos(),
            "exp" => x.exp(),
            "exp2" => x.exp2(),
            "exp10" => 10f64.powf(x),
            "expm1" => x.exp_m1(),
            "log" => x.ln(),
            "log2" => x.log2(),
            "log10" => x.log10(),
            "log1p" => x.ln_1p(),
            "sqrt" => x.sqrt(),
            "rsqrt" => x.sqrt().recip(),
            "recip" => x.recip(),
            "cbrt" => x.cbrt(),
            "fabs" | "abs" => x.abs(),
            "floor" => x.floor(),
            "ceil" => x.ceil(),
            "trunc" => x.trunc(),
            "round" => x.round(),
            "rint" | "nearbyint" => x.round_ties_even(),
            _ => return None,
        },
        [x, y] => match name {
            "pow" | "powr" => x.powf(y),
            "atan2" => x.atan2(y),
            "fmin" | "min" => x.min(y),
            "fmax" | "max" => x.max(y),
            "hypot" => x.hypot(y),
            "fmod" => x % y,
            "divide" => x / y,
            "copysign" => x.copysign(y),
            "fdim" => {
                if x > y {
                    x - y
                } else {
                    0.0
                }
            }
            _ => return None,
        },
        [x, y, z] => match name {
            "fma" | "mad" => x.mul_add(y, z),
            "clamp" => x.max(y).min(z),
            "mix" => x + (y - x) * z,
            _ => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use num_traits::{FromPrimitive, ToPrimitive};

    use super::*;

    /// The exact sum of a product and an addend of 16 bits, rounded once.
    ///
    /// The computation uses integer multiples of the smallest unit.
    fn exact(a: u16, b: u16, c: u16) -> u64 {
        // Numbers in f16 are integer multiples of 2^-24, and their products of 2^-48.
        let whole = |bits: u16| {
            let scaled = f16::from_bits(bits).to_f64() * 2f64.powi(24);
            i128::from(i64::from_f64(scaled).unwrap())
        };
        let sum = whole(a) * whole(b) + (whole(c) << 24);
        let magnitude = sum.unsigned_abs();
        let lost = (128 - magnitude.leading_zeros()).saturating_sub(53);
        let sticky = u128::from(magnitude & ((1u128 << lost) - 1) != 0);
        let kept = (magnitude >> lost | sticky).to_f64().unwrap();
        let number = kept * 2f64.powi(i32::try_from(lost).unwrap() - 48);
        pattern(FloatType::F16, if sum < 0 { -number } else { number })
    }

    #[test]
    fn a_product_and_a_sum_of_16_bits_are_rounded_once() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            u16::try_from(state >> 48).unwrap()
        };
        let mut rounded_twice = 0;
        for _ in 0..200_000 {
            let (a, b, c) = (next(), next(), next());
            if ![a, b, c].iter().all(|&bits| f16::from_bits(bits).is_finite()) {
                continue;
            }
            let expected = exact(a, b, c);
            if expected.trailing_zeros() >= 15 {
                continue;
            }
            let found = fused_multiply_add(FloatType::F16, a.into(), b.into(), c.into());
            assert_eq!(found, expected, "{a:#x} * {b:#x} + {c:#x}");
            let product = operate(FloatOp::Multiply, FloatType::F16, a.into(), b.into());
            rounded_twice += u32::from(operate(FloatOp::Add, FloatType::F16, product, c.into()) != expected);
        }
        assert!(rounded_twice > 1_000, "only {rounded_twice} would have been rounded otherwise");
    }

    #[test]
    fn integers_saturate_and_no_number_is_zero() {
        let f32_of = |number: f64| pattern(FloatType::F32, number);
        assert_eq!(to_integer(FloatType::F32, f32_of(-1.9), true, 8), 0xFF);
        assert_eq!(to_integer(FloatType::F32, f32_of(300.0), true, 8), 0x7F);
        assert_eq!(to_integer(FloatType::F32, f32_of(-300.0), true, 8), 0x80);
        assert_eq!(to_integer(FloatType::F32, f32_of(300.0), false, 8), 0xFF);
        assert_eq!(to_integer(FloatType::F32, f32_of(-1.0), false, 8), 0);
        assert_eq!(to_integer(FloatType::F32, f32_of(f64::NAN), true, 32), 0);
        assert_eq!(to_integer(FloatType::F64, 1e19f64.to_bits(), false, 64), 10_000_000_000_000_000_000);
    }

    #[test]
    fn whole_numbers_beyond_53_bits_are_rounded_once() {
        // The number 2^62 + 2^51 is the midpoint of two bfloat16 numbers except for the last bit,
        // which decides.
        let middle = (1u64 << 62) + (1 << 54);
        let down = from_integer(FloatType::Bf16, None, middle);
        let up = from_integer(FloatType::Bf16, None, middle + 1);
        assert_eq!(down, pattern(FloatType::Bf16, 2f64.powi(62)));
        assert_eq!(up, pattern(FloatType::Bf16, 2f64.powi(62) + 2f64.powi(55)));
    }

    #[test]
    fn comparisons_know_what_is_not_ordered() {
        let nan = f64::NAN.to_bits();
        let one = 1f64.to_bits();
        for (op, with_nan, equal) in [
            (FloatOp::OrderedEqual, 0, 1),
            (FloatOp::OrderedNotEqual, 0, 0),
            (FloatOp::OrderedLess, 0, 0),
            (FloatOp::OrderedLessEqual, 0, 1),
            (FloatOp::Ordered, 0, 1),
            (FloatOp::UnorderedEqual, 1, 1),
            (FloatOp::UnorderedNotEqual, 1, 0),
            (FloatOp::UnorderedLess, 1, 0),
            (FloatOp::UnorderedLessEqual, 1, 1),
            (FloatOp::Unordered, 1, 0),
        ] {
            assert_eq!(operate(op, FloatType::F64, nan, one), with_nan, "{op:?}");
            assert_eq!(operate(op, FloatType::F64, one, one), equal, "{op:?}");
        }
    }
}
