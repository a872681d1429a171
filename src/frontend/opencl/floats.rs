//! Math, common, geometric and relational functions of floats.
//!
//! Arithmetic on floats is uninterpreted, so these are deterministic functions of which only the
//! name is known: one per lane, or of all lanes for the geometric ones. Functions that only look at
//! bits (`fabs`, `copysign`, `signbit`, `isinf`…) are exact. A second result is stored through the
//! pointer in a real access of all lanes.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp, FloatOp, FloatType, Type, Value};

use super::super::builder::{Builder, Lanes};
use crate::builtins::Unsupported;
use crate::builtins::call::{Answer, Call};
use crate::builtins::mangle::{ParameterType, Scalar};

/// Appends a function of floats.
pub fn expand(call: &mut Call) -> Answer {
    if call.name == "nan" {
        return call.lanewise(|builder, operands, ty| builder.uninterpreted("nan", operands.to_vec(), ty));
    }
    if !call.parameters.iter().any(ParameterType::is_float) {
        return Ok(None);
    }
    if let Some((op, operands)) = arithmetic(call.name) {
        expect_alike(call, operands)?;
        return call.lanewise(|builder, operands, ty| builder.float(op, operands.to_vec(), ty));
    }
    match call.name {
        "fabs" | "copysign" => sign_bits(call),
        "signbit" | "isinf" | "isfinite" | "isnormal" => classify(call),
        "isnan" => compare(call, FloatOp::Unordered, Operands::Same),
        "isordered" => compare(call, FloatOp::Ordered, Operands::InOrder),
        "isunordered" => compare(call, FloatOp::Unordered, Operands::InOrder),
        "isequal" => compare(call, FloatOp::OrderedEqual, Operands::InOrder),
        "isnotequal" => compare(call, FloatOp::UnorderedNotEqual, Operands::InOrder),
        "isless" => compare(call, FloatOp::OrderedLess, Operands::InOrder),
        "islessequal" => compare(call, FloatOp::OrderedLessEqual, Operands::InOrder),
        "isgreater" => compare(call, FloatOp::OrderedLess, Operands::Exchanged),
        "isgreaterequal" => compare(call, FloatOp::OrderedLessEqual, Operands::Exchanged),
        "islessgreater" => compare(call, FloatOp::OrderedNotEqual, Operands::InOrder),
        "fract" | "modf" | "sincos" | "frexp" | "lgamma_r" | "remquo" => second_result(call),
        "dot" | "cross" | "length" | "distance" | "normalize" | "fast_length" | "fast_distance" | "fast_normalize" => {
            geometric(call)
        }
        name if MATH.contains(&name) => {
            let name = name.to_string();
            call.lanewise(|builder, operands, ty| builder.uninterpreted(name.clone(), operands.to_vec(), ty))
        }
        name if is_prefixed(name) => {
            let name = name.to_string();
            call.lanewise(|builder, operands, ty| builder.uninterpreted(name.clone(), operands.to_vec(), ty))
        }
        _ => Ok(None),
    }
}

/// The functions that the kernel IR has an operation for, with the number of operands.
fn arithmetic(name: &str) -> Option<(FloatOp, usize)> {
    Some(match name {
        "fma" => (FloatOp::FusedMultiplyAdd, 3),
        "mad" => (FloatOp::MultiplyAdd, 3),
        "sqrt" => (FloatOp::SquareRoot, 1),
        "fmod" => (FloatOp::Remainder, 2),
        _ => return None,
    })
}

/// The functions applied lane by lane of which only the name is known.
const MATH: &[&str] = &[
    "acos",
    "acosh",
    "acospi",
    "asin",
    "asinh",
    "asinpi",
    "atan",
    "atan2",
    "atan2pi",
    "atanh",
    "atanpi",
    "cbrt",
    "ceil",
    "clamp",
    "cos",
    "cosh",
    "cospi",
    "degrees",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fdim",
    "floor",
    "fmax",
    "fmin",
    "hypot",
    "ilogb",
    "ldexp",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "max",
    "maxmag",
    "min",
    "minmag",
    "mix",
    "nextafter",
    "pow",
    "pown",
    "powr",
    "radians",
    "remainder",
    "rint",
    "rootn",
    "round",
    "rsqrt",
    "sign",
    "sin",
    "sinh",
    "sinpi",
    "smoothstep",
    "step",
    "tan",
    "tanh",
    "tanpi",
    "tgamma",
    "trunc",
];

/// The functions that also exist with `native_` and `half_`.
const PREFIXED: &[&str] =
    &["cos", "divide", "exp", "exp10", "exp2", "log", "log10", "log2", "powr", "recip", "rsqrt", "sin", "sqrt", "tan"];

fn is_prefixed(name: &str) -> bool {
    name.strip_prefix("native_").or_else(|| name.strip_prefix("half_")).is_some_and(|name| PREFIXED.contains(&name))
}

/// Refuses a call with another number of parameters, or with parameters of different types.
fn expect_alike(call: &Call, parameters: usize) -> Result<(), Unsupported> {
    call.expect_parameters(parameters)?;
    if call.parameters.iter().all(|parameter| *parameter == call.parameters[0]) {
        Ok(())
    } else {
        Err(call.ill_typed())
    }
}

/// The float type of the first parameter.
fn float_type(call: &Call) -> Result<FloatType, Unsupported> {
    match call.parameter(0)?.scalar() {
        Some(Scalar::Float(float)) => Ok(float),
        _ => Err(call.ill_typed()),
    }
}

/// The sign bit alone, as a mask.
fn sign_mask(float: FloatType) -> Bits {
    Bits::one(float.width()).shl(&Bits::new(float.width(), float.width() - 1))
}

/// The bits of the exponent, as a mask; also the bits of positive infinity.
fn exponent_mask(float: FloatType) -> Bits {
    let fraction: u32 = match float {
        FloatType::F16 => 10,
        FloatType::Bf16 => 7,
        FloatType::F32 => 23,
        FloatType::F64 => 52,
    };
    let without_sign = sign_mask(float).not();
    without_sign.and(&Bits::ones(float.width()).shl(&Bits::new(float.width(), fraction)))
}

fn as_bits(builder: &mut Builder<'_>, float: FloatType, value: Value) -> Value {
    builder.convert(ConvertOp::Bitcast, value, Type::Bits(float.width()))
}

fn masked(builder: &mut Builder<'_>, value: Value, mask: Bits) -> Value {
    let mask = builder.bits(mask);
    builder.binary(BinaryOp::And, value, mask)
}

/// `fabs(x)`: without the sign; `copysign(x, y)`: with the sign of `y`.
fn sign_bits(call: &mut Call) -> Answer {
    let float = float_type(call)?;
    let copy = call.name == "copysign";
    expect_alike(call, if copy { 2 } else { 1 })?;
    call.lanewise(|builder, operands, ty| {
        let bits = as_bits(builder, float, operands[0]);
        let mut result = masked(builder, bits, sign_mask(float).not());
        if copy {
            let sign = as_bits(builder, float, operands[1]);
            let sign = masked(builder, sign, sign_mask(float));
            result = builder.binary(BinaryOp::Or, result, sign);
        }
        builder.convert(ConvertOp::Bitcast, result, ty)
    })
}

/// A truth value as relational functions return it: 1 for scalars, all ones for the lanes of
/// vectors.
fn relational(builder: &mut Builder<'_>, vector: bool, value: Value, ty: Type) -> Value {
    builder.convert(if vector { ConvertOp::SignExtend } else { ConvertOp::ZeroExtend }, value, ty)
}

fn returns_vector(call: &Call) -> Result<bool, Unsupported> {
    if call.result.iter().all(|ty| matches!(ty, Type::Bits(width) if *width > 1)) {
        Ok(matches!(call.parameter(0)?, ParameterType::Vector(..)))
    } else {
        Err(call.ill_typed())
    }
}

fn classify(call: &mut Call) -> Answer {
    call.expect_parameters(1)?;
    let (float, vector) = (float_type(call)?, returns_vector(call)?);
    let name = call.name;
    call.lanewise(|builder, operands, ty| {
        let bits = as_bits(builder, float, operands[0]);
        let answer = match name {
            "signbit" => {
                let zero = builder.number(float.width(), 0);
                builder.compare(CompareOp::SignedLess, bits, zero)
            }
            "isinf" => {
                let magnitude = masked(builder, bits, sign_mask(float).not());
                let infinity = builder.bits(exponent_mask(float));
                builder.compare(CompareOp::Equal, magnitude, infinity)
            }
            _ => {
                let exponent = masked(builder, bits, exponent_mask(float));
                let highest = builder.bits(exponent_mask(float));
                let finite = builder.compare(CompareOp::NotEqual, exponent, highest);
                if name == "isfinite" {
                    finite
                } else {
                    let zero = builder.number(float.width(), 0);
                    let not_tiny = builder.compare(CompareOp::NotEqual, exponent, zero);
                    builder.binary(BinaryOp::And, finite, not_tiny)
                }
            }
        };
        relational(builder, vector, answer, ty)
    })
}

/// The operands that a comparison takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    InOrder,
    Exchanged,
    /// The only operand, twice.
    Same,
}

fn compare(call: &mut Call, op: FloatOp, order: Operands) -> Answer {
    expect_alike(call, if order == Operands::Same { 1 } else { 2 })?;
    let vector = returns_vector(call)?;
    call.lanewise(|builder, x, ty| {
        let operands = match order {
            Operands::InOrder => vec![x[0], x[1]],
            Operands::Exchanged => vec![x[1], x[0]],
            Operands::Same => vec![x[0], x[0]],
        };
        let answer = builder.float(op, operands, Type::Bool);
        relational(builder, vector, answer, ty)
    })
}

/// A function whose last parameter points to the place of a second result.
///
/// The second result is named like `sincos.second` for `sincos`.
fn second_result(call: &mut Call) -> Answer {
    let at = call.parameters.len().checked_sub(1).ok_or_else(|| call.ill_typed())?;
    call.expect_parameters(if call.name == "remquo" { 3 } else { 2 })?;
    let Some((_, pointee)) = call.parameter(at)?.pointee() else {
        return Err(call.ill_typed());
    };
    let lane = match pointee.scalar() {
        Some(Scalar::Float(float)) => Type::Float(float),
        Some(Scalar::Integer(integer)) => Type::Bits(integer.width),
        Some(Scalar::Bool) | None => return Err(call.ill_typed()),
    };
    let (alignment, count) = (pointee.bytes().unwrap_or(1), pointee.lanes());
    let operands = (0..at).map(|index| call.lanes(index)).collect::<Result<Vec<_>, _>>()?;
    let lanes = call.result.len();
    if operands.iter().any(|operand| operand.len() != lanes) || count.map(usize::try_from) != Some(Ok(lanes)) {
        return Err(call.ill_typed());
    }
    let (mut first, mut second) = (Lanes::new(), Lanes::new());
    for index in 0..lanes {
        let of: Vec<Value> = operands.iter().map(|operand| operand[index]).collect();
        first.push(call.builder.uninterpreted(call.name, of.clone(), call.result[index]));
        second.push(call.builder.uninterpreted(format!("{}.second", call.name), of, lane));
    }
    let pointer = call.single(at)?;
    call.store(pointer, alignment, &second)?;
    Ok(Some(first))
}

/// A function of all lanes of its arguments. The lanes of a vector result are separate functions:
/// `cross.0`.
fn geometric(call: &mut Call) -> Answer {
    let mut operands = Vec::new();
    for index in 0..call.parameters.len() {
        operands.extend(call.lanes(index)?);
    }
    let result = call.result;
    let mut lanes = Lanes::with_capacity(result.len());
    for (index, &ty) in result.iter().enumerate() {
        let name = if result.len() == 1 { call.name.to_string() } else { format!("{}.{index}", call.name) };
        lanes.push(call.builder.uninterpreted(name, operands.clone(), ty));
    }
    Ok(Some(lanes))
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::{Operation, Space};

    use super::*;
    use crate::builtins::testing::Bench;

    const FLOAT: Type = Type::Float(FloatType::F32);
    const INT: Type = Type::Bits(32);

    fn name_of(bench: &Bench, value: Value) -> (String, usize) {
        match bench.operation(value) {
            Operation::Uninterpreted(name, operands) => (name.clone(), operands.len()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn math_is_one_function_per_lane() {
        let mut bench = Bench::opencl();
        let x = bench.inputs(FLOAT, 3);
        let lanes = bench.call("_Z3minDv2_ff", &[vec![x[0], x[1]], vec![x[2]]], &[FLOAT; 2]);
        assert_eq!(*bench.operation(lanes[1]), Operation::Uninterpreted("min".into(), vec![x[1], x[2]]));
        for name in ["_Z10native_sinf", "_Z10half_rsqrtf", "_Z3sinf", "_Z11native_sqrtf", "_Z5floorf"] {
            let lanes = bench.call(name, &[vec![x[0]]], &[FLOAT]);
            assert_eq!(name_of(&bench, lanes[0]).1, 1);
        }
        let root = bench.call("_Z4sqrtf", &[vec![x[0]]], &[FLOAT])[0];
        assert_eq!(*bench.operation(root), Operation::Float(FloatOp::SquareRoot, vec![x[0]]));
    }

    #[test]
    fn geometry_is_a_function_of_all_lanes() {
        let mut bench = Bench::opencl();
        let x = bench.inputs(FLOAT, 6);
        let arguments = [x[..3].to_vec(), x[3..].to_vec()];
        let dot = bench.call("_Z3dotDv3_fS_", &arguments, &[FLOAT])[0];
        assert_eq!(name_of(&bench, dot), ("dot".into(), 6));
        let cross = bench.call("_Z5crossDv3_fS_", &arguments, &[FLOAT; 3]);
        assert_eq!(name_of(&bench, cross[2]), ("cross.2".into(), 6));
    }

    #[test]
    fn bits_of_floats_are_exact() {
        let mut bench = Bench::opencl();
        let x = bench.inputs(FLOAT, 2);
        let one = |bench: &mut Bench, name: &str, ty| bench.call(name, &[vec![x[0]]], &[ty])[0];
        let absolute = one(&mut bench, "_Z4fabsf", FLOAT);
        let sign = one(&mut bench, "_Z7signbitf", INT);
        let infinite = one(&mut bench, "_Z5isinff", INT);
        let finite = one(&mut bench, "_Z8isfinitef", INT);
        let normal = one(&mut bench, "_Z8isnormalf", INT);
        let copied = bench.call("_Z8copysignff", &[vec![x[0]], vec![x[1]]], &[FLOAT])[0];
        for number in [0.0f32, -0.0, 1.5, -1.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-40, -f32::MAX] {
            let inputs = [number.to_bits().into(), (-2.0f32).to_bits().into()];
            assert_eq!(bench.evaluate(&inputs, absolute), number.abs().to_bits().into());
            assert_eq!(bench.evaluate(&inputs, sign), number.is_sign_negative().into());
            assert_eq!(bench.evaluate(&inputs, infinite), number.is_infinite().into());
            assert_eq!(bench.evaluate(&inputs, finite), number.is_finite().into());
            assert_eq!(bench.evaluate(&inputs, normal), number.is_normal().into());
            assert_eq!(bench.evaluate(&inputs, copied), number.copysign(-2.0).to_bits().into());
        }
    }

    #[test]
    fn vectors_compare_to_all_ones() {
        let mut bench = Bench::opencl();
        let x = bench.inputs(FLOAT, 4);
        let arguments = [x[..2].to_vec(), x[2..].to_vec()];
        let lanes = bench.call("_Z9isgreaterDv2_fS_", &arguments, &[INT; 2]);
        let Operation::Convert(ConvertOp::SignExtend, truth) = *bench.operation(lanes[0]) else { panic!("extended") };
        assert_eq!(*bench.operation(truth), Operation::Float(FloatOp::OrderedLess, vec![x[2], x[0]]));
        let lane = bench.call("_Z5isnanf", &[vec![x[0]]], &[INT])[0];
        let Operation::Convert(ConvertOp::ZeroExtend, truth) = *bench.operation(lane) else { panic!("extended") };
        assert_eq!(*bench.operation(truth), Operation::Float(FloatOp::Unordered, vec![x[0], x[0]]));
    }

    #[test]
    fn second_results_are_stored() {
        let mut bench = Bench::opencl();
        let x = bench.inputs(FLOAT, 2);
        let pointer = bench.pointer(Space::Local);
        bench.call("_Z6sincosDv2_fPU3AS3S_", &[x.clone(), vec![pointer]], &[FLOAT; 2]);
        let Operation::Store(access, value) = bench.last() else { panic!("a store") };
        assert_eq!((access.pointer, access.alignment), (pointer, 8));
        assert_eq!(bench.kernel.ty(*value).width(), Some(64));
        bench.call("_Z5frexpfPU3AS4i", &[vec![x[0]], vec![pointer]], &[FLOAT]);
        let Operation::Store(_, value) = bench.last() else { panic!("a store") };
        assert_eq!(bench.kernel.ty(*value), INT);
        bench.call("_Z6remquoffPU3AS4i", &[vec![x[0]], vec![x[1]], vec![pointer]], &[FLOAT]);
    }
}
