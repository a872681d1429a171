//! Functions of `<math.h>`, and of `<stdlib.h>` on integers.
//!
//! The functions on a `long double` are those on a `double`.

use super::{Answer, Arguments, Host, Routine};
use crate::numbers::{low, of_bool, of_float, of_int};

/// Functions of the machine's C library that Rust does not have, or that it computes in another
/// way.
mod machine {
    #[rustfmt::skip]
    unsafe extern "C" {
        pub safe fn acosh(a: f64) -> f64;
        pub safe fn acoshf(a: f32) -> f32;
        pub safe fn asinh(a: f64) -> f64;
        pub safe fn asinhf(a: f32) -> f32;
        pub safe fn atanh(a: f64) -> f64;
        pub safe fn atanhf(a: f32) -> f32;
        pub safe fn erf(a: f64) -> f64;
        pub safe fn erff(a: f32) -> f32;
        pub safe fn erfc(a: f64) -> f64;
        pub safe fn erfcf(a: f32) -> f32;
        pub safe fn exp10(a: f64) -> f64;
        pub safe fn exp10f(a: f32) -> f32;
        pub safe fn fdim(a: f64, b: f64) -> f64;
        pub safe fn fdimf(a: f32, b: f32) -> f32;
        pub safe fn ldexp(a: f64, exponent: i32) -> f64;
        pub safe fn ldexpf(a: f32, exponent: i32) -> f32;
        pub safe fn lgamma_r(a: f64, sign: &mut i32) -> f64;
        pub safe fn lgammaf_r(a: f32, sign: &mut i32) -> f32;
        pub safe fn logb(a: f64) -> f64;
        pub safe fn logbf(a: f32) -> f32;
        pub safe fn nextafter(a: f64, b: f64) -> f64;
        pub safe fn nextafterf(a: f32, b: f32) -> f32;
        pub safe fn frexp(a: f64, exponent: &mut i32) -> f64;
        pub safe fn frexpf(a: f32, exponent: &mut i32) -> f32;
        pub safe fn remainder(a: f64, b: f64) -> f64;
        pub safe fn remainderf(a: f32, b: f32) -> f32;
        pub safe fn tgamma(a: f64) -> f64;
        pub safe fn tgammaf(a: f32) -> f32;
    }
}

/// The routine of this name.
pub fn routine(name: &str) -> Option<Routine> {
    let long = || match name.strip_suffix('l') {
        Some(stem) if !matches!(stem, "labs" | "cei" | "erf" | "") => of_double(stem).or_else(|| with_others(stem)),
        _ => None,
    };
    of_double(name)
        .or_else(|| of_float_named(name))
        .or_else(|| with_others(name))
        .or_else(|| integers(name))
        .or_else(|| extremum(name))
        .or_else(long)
}

/// The functions `max` and `min` that CUDA adds to the host, for two numbers of a type.
fn extremum(name: &str) -> Option<Routine> {
    let (is_max, types) = match name.split_at_checked(6)? {
        ("_Z3max", types) => (true, types),
        ("_Z3min", types) => (false, types),
        _ => return None,
    };
    Some(match (types, is_max) {
        ("ff", true) => Routine::Floats(f32::max),
        ("ff", false) => Routine::Floats(f32::min),
        ("dd", true) => Routine::Doubles(f64::max),
        ("dd", false) => Routine::Doubles(f64::min),
        ("ii", true) => Routine::Plain(|_, arguments| Ok(of_int(arguments.int(0).max(arguments.int(1))))),
        ("ii", false) => Routine::Plain(|_, arguments| Ok(of_int(arguments.int(0).min(arguments.int(1))))),
        ("jj" | "mm" | "yy", true) => Routine::Plain(|_, arguments| Ok(arguments.word(0).max(arguments.word(1)))),
        ("jj" | "mm" | "yy", false) => Routine::Plain(|_, arguments| Ok(arguments.word(0).min(arguments.word(1)))),
        ("ll" | "xx", true) => Routine::Plain(|_, arguments| {
            Ok(arguments.word(0).cast_signed().max(arguments.word(1).cast_signed()).cast_unsigned())
        }),
        ("ll" | "xx", false) => Routine::Plain(|_, arguments| {
            Ok(arguments.word(0).cast_signed().min(arguments.word(1).cast_signed()).cast_unsigned())
        }),
        _ => return None,
    })
}

/// The functions of one or two numbers, by their names for `double`.
fn of_double(name: &str) -> Option<Routine> {
    double_1(name).map(Routine::Double).or_else(|| double_2(name).map(Routine::Doubles))
}

/// The same for `float`, by their names for that.
fn of_float_named(name: &str) -> Option<Routine> {
    let stem = name.strip_suffix('f')?;
    float_1(stem).map(Routine::Float).or_else(|| float_2(stem).map(Routine::Floats))
}

/// Defines the functions on floats of a type by their names for `double`.
macro_rules! functions {
    ($float:ident, $one:ident, $two:ident, $acosh:ident, $asinh:ident, $atanh:ident, $erf:ident, $erfc:ident,
        $exp10:ident, $fdim:ident, $lgamma:ident, $logb:ident, $nextafter:ident, $remainder:ident, $tgamma:ident) => {
        fn $one(name: &str) -> Option<fn($float) -> $float> {
            Some(match name {
                "sin" => $float::sin,
                "cos" => $float::cos,
                "tan" => $float::tan,
                "asin" => $float::asin,
                "acos" => $float::acos,
                "atan" => $float::atan,
                "sinh" => $float::sinh,
                "cosh" => $float::cosh,
                "tanh" => $float::tanh,
                "asinh" => |a| machine::$asinh(a),
                "acosh" => |a| machine::$acosh(a),
                "atanh" => |a| machine::$atanh(a),
                "exp" => $float::exp,
                "exp2" => $float::exp2,
                "exp10" => |a| machine::$exp10(a),
                "expm1" => $float::exp_m1,
                "log" => $float::ln,
                "log2" => $float::log2,
                "log10" => $float::log10,
                "log1p" => $float::ln_1p,
                "logb" => |a| machine::$logb(a),
                "sqrt" => $float::sqrt,
                "cbrt" => $float::cbrt,
                "fabs" => $float::abs,
                "floor" => $float::floor,
                "ceil" => $float::ceil,
                "trunc" => $float::trunc,
                "round" => $float::round,
                "rint" | "nearbyint" | "roundeven" => $float::round_ties_even,
                "erf" => |a| machine::$erf(a),
                "erfc" => |a| machine::$erfc(a),
                "tgamma" => |a| machine::$tgamma(a),
                "lgamma" => |a| machine::$lgamma(a, &mut 0),
                _ => return None,
            })
        }

        fn $two(name: &str) -> Option<fn($float, $float) -> $float> {
            Some(match name {
                "pow" => $float::powf,
                "fmod" => |a, b| a % b,
                "remainder" | "drem" => |a, b| machine::$remainder(a, b),
                "atan2" => $float::atan2,
                "hypot" => $float::hypot,
                "fmin" => $float::min,
                "fmax" => $float::max,
                "fdim" => |a, b| machine::$fdim(a, b),
                "copysign" => $float::copysign,
                "nextafter" => |a, b| machine::$nextafter(a, b),
                _ => return None,
            })
        }
    };
}

functions!(
    f64, double_1, double_2, acosh, asinh, atanh, erf, erfc, exp10, fdim, lgamma_r, logb, nextafter, remainder, tgamma
);
functions!(
    f32, float_1, float_2, acoshf, asinhf, atanhf, erff, erfcf, exp10f, fdimf, lgammaf_r, logbf, nextafterf,
    remainderf, tgammaf
);

/// The functions with numbers of several types.
fn with_others(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "fma" => |_, a| Ok(a.double(0).mul_add(a.double(1), a.double(2)).to_bits()),
        "fmaf" => |_, a| Ok(of_float(a.float(0).mul_add(a.float(1), a.float(2)))),
        "ldexp" | "scalbn" | "scalbln" => |_, a| Ok(machine::ldexp(a.double(0), exponent(a)).to_bits()),
        "ldexpf" | "scalbnf" | "scalblnf" => |_, a| Ok(of_float(machine::ldexpf(a.float(0), exponent(a)))),
        "frexp" => |host, a| {
            let mut exponent = 0;
            let fraction = machine::frexp(a.double(0), &mut exponent);
            host.memory.write_number(a.word(1), of_int(exponent), 4)?;
            Ok(fraction.to_bits())
        },
        "frexpf" => |host, a| {
            let mut exponent = 0;
            let fraction = machine::frexpf(a.float(0), &mut exponent);
            host.memory.write_number(a.word(1), of_int(exponent), 4)?;
            Ok(of_float(fraction))
        },
        "modf" => |host, a| {
            let whole = a.double(0).trunc();
            host.memory.write_number(a.word(1), whole.to_bits(), 8)?;
            Ok(rest(a.double(0), whole).to_bits())
        },
        "modff" => |host, a| {
            let whole = a.float(0).trunc();
            host.memory.write_number(a.word(1), of_float(whole), 4)?;
            Ok(low_rest(a.float(0), whole))
        },
        "sincos" => sincos,
        "sincosf" => sincosf,
        "lround" | "llround" => |_, a| Ok(whole(a.double(0).round())),
        "lroundf" | "llroundf" => |_, a| Ok(whole(a.float(0).round().into())),
        "lrint" | "llrint" => |_, a| Ok(whole(a.double(0).round_ties_even())),
        "lrintf" | "llrintf" => |_, a| Ok(whole(a.float(0).round_ties_even().into())),
        "isnan" | "__isnan" => |_, a| Ok(of_bool(a.double(0).is_nan())),
        "isnanf" | "__isnanf" => |_, a| Ok(of_bool(a.float(0).is_nan())),
        "isinf" | "__isinf" => |_, a| Ok(infinite(a.double(0))),
        "isinff" | "__isinff" => |_, a| Ok(infinite(a.float(0).into())),
        "finite" | "__finite" => |_, a| Ok(of_bool(a.double(0).is_finite())),
        "finitef" | "__finitef" => |_, a| Ok(of_bool(a.float(0).is_finite())),
        "__signbit" => |_, a| Ok(of_bool(a.double(0).is_sign_negative())),
        "__signbitf" => |_, a| Ok(of_bool(a.float(0).is_sign_negative())),
        _ => return None,
    }))
}

fn integers(name: &str) -> Option<Routine> {
    Some(Routine::Plain(match name {
        "abs" => |_, a| Ok(of_int(a.int(0).wrapping_abs())),
        "labs" | "llabs" => |_, a| Ok(a.word(0).cast_signed().wrapping_abs().cast_unsigned()),
        "ffs" => |_, a| {
            Ok(low(a.word(0)).trailing_zeros().wrapping_add(1).into()).map(|bit: u64| if bit > 32 { 0 } else { bit })
        },
        _ => return None,
    }))
}

/// The exponent of `ldexp` and the like, which may be a `long`.
fn exponent(arguments: Arguments<'_>) -> i32 {
    // An `int` has zeros above, so it is one of these as it is.
    match i64::from(arguments.int(1)) {
        number if arguments.word(1) >> 32 == 0 || number.cast_unsigned() == arguments.word(1) => arguments.int(1),
        _ => {
            if arguments.word(1).cast_signed() < 0 {
                -10_000
            } else {
                10_000
            }
        }
    }
}

/// The fraction beside a whole number, with the sign of the number.
fn rest(number: f64, whole: f64) -> f64 {
    if number.is_infinite() { 0f64.copysign(number) } else { (number - whole).copysign(number) }
}

fn low_rest(number: f32, whole: f32) -> u64 {
    of_float(if number.is_infinite() { 0f32.copysign(number) } else { (number - whole).copysign(number) })
}

/// A whole number as a `long`; one that does not fit is the smallest `long`.
#[expect(clippy::cast_possible_truncation, reason = "it is whole")]
fn whole(number: f64) -> u64 {
    let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number);
    if fits { (number as i64).cast_unsigned() } else { i64::MIN.cast_unsigned() }
}

fn infinite(number: f64) -> u64 {
    let sign = if number.is_sign_negative() { -1 } else { 1 };
    if number.is_infinite() { of_int(sign) } else { 0 }
}

fn sincos(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (sine, cosine) = (arguments.double(0).sin(), arguments.double(0).cos());
    host.memory.write_number(arguments.word(1), sine.to_bits(), 8)?;
    host.memory.write_number(arguments.word(2), cosine.to_bits(), 8)?;
    Ok(0)
}

fn sincosf(host: &mut Host<'_>, arguments: Arguments<'_>) -> Answer {
    let (sine, cosine) = (arguments.float(0).sin(), arguments.float(0).cos());
    host.memory.write_number(arguments.word(1), of_float(sine), 4)?;
    host.memory.write_number(arguments.word(2), of_float(cosine), 4)?;
    Ok(0)
}
