//! The mathematical functions and intrinsics of floats.
//!
//! Arithmetic on floats is uninterpreted, so these are deterministic functions of which only the
//! name is known. A function of floats has the name of the one of doubles: `sinf` is `sin` of an
//! f32. Functions that only look at bits (`fabs`, `copysign`, `signbit`, `isinf`…) are exact.
//! Second results are stored through their pointers.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp, FloatOp, FloatType, Type, Value};

use super::anything;
use crate::builder::{Builder, Lanes};
use crate::builtins::Unsupported;
use crate::builtins::arithmetic::float_lane;
use crate::builtins::call::{Answer, Call};
use crate::builtins::mangle::ParameterType;

/// Appends a function of floats.
pub fn expand(call: &mut Call) -> Answer {
    if matches!(call.name, "nan" | "nanf") {
        let lanes = call.result.iter().map(|&ty| anything(call.builder, ty)).collect();
        return Ok(Some(lanes));
    }
    if matches!(call.name, "norm" | "normf" | "rnorm" | "rnormf") {
        return Err(Unsupported(format!("function of an array of floats {}", call.name)));
    }
    if !call.parameters.iter().any(ParameterType::is_float) {
        return Ok(None);
    }
    if let Some((op, operands)) = arithmetic(call.name) {
        expect_alike(call, operands)?;
        return call.lanewise(|builder, x, ty| builder.float(op, x.to_vec(), ty));
    }
    match call.name {
        "__frcp_rn" | "__drcp_rn" => reciprocal(call),
        "fabs" | "fabsf" | "abs" => like_intrinsic(call, "fabs", 1),
        "copysign" | "copysignf" => like_intrinsic(call, "copysign", 2),
        "signbit" | "isinf" | "isfinite" | "isnormal" => classify(call),
        "isnan" => compare(call, FloatOp::Unordered, Operands::Same),
        "isunordered" => compare(call, FloatOp::Unordered, Operands::InOrder),
        "isless" => compare(call, FloatOp::OrderedLess, Operands::InOrder),
        "islessequal" => compare(call, FloatOp::OrderedLessEqual, Operands::InOrder),
        "isgreater" => compare(call, FloatOp::OrderedLess, Operands::Exchanged),
        "isgreaterequal" => compare(call, FloatOp::OrderedLessEqual, Operands::Exchanged),
        "islessgreater" => compare(call, FloatOp::OrderedNotEqual, Operands::InOrder),
        "sincos" | "sincosf" => store_both(call, ["sin", "cos"]),
        "sincospi" | "sincospif" => store_both(call, ["sinpi", "cospi"]),
        "__sincosf" => store_both(call, ["__sinf", "__cosf"]),
        "modf" | "modff" => second_result(call, "modf", 1),
        "frexp" | "frexpf" => second_result(call, "frexp", 1),
        "remquo" | "remquof" => second_result(call, "remquo", 2),
        "min" => extreme(call, "fmin"),
        "max" => extreme(call, "fmax"),
        name => match known(name) {
            Some(name) => call.lanewise(|builder, x, ty| builder.uninterpreted(name, x.to_vec(), ty)),
            None => Ok(None),
        },
    }
}

/// The functions that the kernel IR has an operation for, with the number of operands.
fn arithmetic(name: &str) -> Option<(FloatOp, usize)> {
    Some(match name {
        "__fadd_rn" | "__dadd_rn" => (FloatOp::Add, 2),
        "__fsub_rn" | "__dsub_rn" => (FloatOp::Subtract, 2),
        "__fmul_rn" | "__dmul_rn" => (FloatOp::Multiply, 2),
        "__fdiv_rn" | "__ddiv_rn" => (FloatOp::Divide, 2),
        "fma" | "fmaf" | "__fmaf_rn" | "__fmaf_ieee_rn" | "__fma_rn" => (FloatOp::FusedMultiplyAdd, 3),
        "sqrt" | "sqrtf" | "__fsqrt_rn" | "__dsqrt_rn" => (FloatOp::SquareRoot, 1),
        "fmod" | "fmodf" => (FloatOp::Remainder, 2),
        _ => return None,
    })
}

/// The functions of which only the name is known, by their name for doubles.
const MATH: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "cospi",
    "cyl_bessel_i0",
    "cyl_bessel_i1",
    "erf",
    "erfc",
    "erfcinv",
    "erfcx",
    "erfinv",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fdim",
    "fdivide",
    "floor",
    "fmax",
    "fmin",
    "hypot",
    "ilogb",
    "j0",
    "j1",
    "jn",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "nextafter",
    "norm3d",
    "norm4d",
    "normcdf",
    "normcdfinv",
    "pow",
    "powi",
    "rcbrt",
    "remainder",
    "rhypot",
    "rint",
    "rnorm3d",
    "rnorm4d",
    "round",
    "rsqrt",
    "scalbln",
    "scalbn",
    "sin",
    "sinh",
    "sinpi",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "y0",
    "y1",
    "yn",
];

/// The intrinsics of which only the name is known.
const INTRINSICS: &[&str] = &[
    "__cosf",
    "__exp10f",
    "__expf",
    "__fdividef",
    "__frsqrt_rn",
    "__log10f",
    "__log2f",
    "__logf",
    "__powf",
    "__rcp64h",
    "__saturatef",
    "__sinf",
    "__tanf",
];

/// The intrinsics that round to zero, up and down.
const ROUNDED: &[&str] = &[
    "__dadd",
    "__ddiv",
    "__dmul",
    "__drcp",
    "__dsqrt",
    "__dsub",
    "__fadd",
    "__fdiv",
    "__fma",
    "__fmaf",
    "__fmaf_ieee",
    "__fmul",
    "__frcp",
    "__fsqrt",
    "__fsub",
];

/// The name of an uninterpreted function, which is the one for doubles if the given name is for
/// floats.
fn known(name: &str) -> Option<&str> {
    if MATH.contains(&name) || INTRINSICS.contains(&name) {
        return Some(name);
    }
    let rounded = ["_rz", "_ru", "_rd"].iter().find_map(|rounding| name.strip_suffix(rounding));
    if rounded.is_some_and(|base| ROUNDED.contains(&base)) {
        return Some(name);
    }
    name.strip_suffix('f').filter(|base| MATH.contains(base))
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

/// The type of the first parameter, a float.
fn float_type(call: &Call) -> Result<FloatType, Unsupported> {
    let argument = call.single(0)?;
    match call.builder.ty(argument) {
        Type::Float(float) => Ok(float),
        Type::Bool | Type::Bits(_) | Type::Pointer(_) => Err(call.ill_typed()),
    }
}

/// `1 / x`
fn reciprocal(call: &mut Call) -> Answer {
    let one = match float_type(call)? {
        FloatType::F32 => Bits::new(32, 1.0f32.to_bits()),
        FloatType::F64 => Bits::new(64, 1.0f64.to_bits()),
        FloatType::F16 | FloatType::Bf16 => return Err(call.ill_typed()),
    };
    expect_alike(call, 1)?;
    call.lanewise(|builder, x, ty| {
        let one = builder.bits(one.clone());
        let one = builder.convert(ConvertOp::Bitcast, one, ty);
        builder.float(FloatOp::Divide, vec![one, x[0]], ty)
    })
}

/// The function that corresponds to an LLVM intrinsic.
fn like_intrinsic(call: &mut Call, name: &str, parameters: usize) -> Answer {
    expect_alike(call, parameters)?;
    if call.result != [Type::Float(float_type(call)?)] {
        return Err(call.ill_typed());
    }
    call.lanewise(|builder, x, ty| float_lane(builder, name, x, ty).expect("an intrinsic on floats"))
}

/// The bits of the exponent, as a mask; also the bits of positive infinity.
fn exponent_mask(float: FloatType) -> Bits {
    let (width, fraction): (u32, u32) = match float {
        FloatType::F16 => (16, 10),
        FloatType::Bf16 => (16, 7),
        FloatType::F32 => (32, 23),
        FloatType::F64 => (64, 52),
    };
    Bits::ones(width - 1 - fraction).zero_extend(width).shl(&Bits::new(width, fraction))
}

/// Classifications that the bits decide.
fn classify(call: &mut Call) -> Answer {
    expect_alike(call, 1)?;
    let (float, name) = (float_type(call)?, call.name);
    truth(call, |builder, x| {
        let width = float.width();
        let bits = builder.convert(ConvertOp::Bitcast, x[0], Type::Bits(width));
        if name == "signbit" {
            let zero = builder.number(width, 0);
            return builder.compare(CompareOp::SignedLess, bits, zero);
        }
        let infinity = builder.bits(exponent_mask(float));
        if name == "isinf" {
            let magnitude = builder.bits(Bits::ones(width - 1).zero_extend(width));
            let magnitude = builder.binary(BinaryOp::And, bits, magnitude);
            return builder.compare(CompareOp::Equal, magnitude, infinity);
        }
        let exponent = builder.binary(BinaryOp::And, bits, infinity);
        let finite = builder.compare(CompareOp::NotEqual, exponent, infinity);
        if name == "isfinite" {
            return finite;
        }
        let zero = builder.number(width, 0);
        let not_tiny = builder.compare(CompareOp::NotEqual, exponent, zero);
        builder.binary(BinaryOp::And, finite, not_tiny)
    })
}

/// Appends a truth value, as a number if the function returns a number.
fn truth(call: &mut Call, answer: impl Fn(&mut Builder<'_>, &[Value]) -> Value) -> Answer {
    if !matches!(call.result, [Type::Bool | Type::Bits(_)]) {
        return Err(call.ill_typed());
    }
    call.lanewise(|builder, x, _| answer(builder, x))
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
    truth(call, |builder, x| {
        let operands = match order {
            Operands::InOrder => vec![x[0], x[1]],
            Operands::Exchanged => vec![x[1], x[0]],
            Operands::Same => vec![x[0], x[0]],
        };
        builder.float(op, operands, Type::Bool)
    })
}

/// The smaller or the larger of two floats, one of which may be a float and the other a double.
fn extreme(call: &mut Call, name: &str) -> Answer {
    call.expect_parameters(2)?;
    if !call.parameters.iter().all(ParameterType::is_float) {
        return Err(call.ill_typed());
    }
    call.lanewise(|builder, x, ty| {
        let same = |operand| {
            if builder.ty(operand) == ty { operand } else { builder.float(FloatOp::FromFloat, vec![operand], ty) }
        };
        let operands = x.iter().copied().map(same).collect();
        builder.uninterpreted(name, operands, ty)
    })
}

/// `sincos(x, *first, *second)`: two functions of one float, stored through the pointers.
fn store_both(call: &mut Call, names: [&str; 2]) -> Answer {
    call.expect_parameters(3)?;
    let ty = Type::Float(float_type(call)?);
    let x = call.single(0)?;
    for (index, name) in names.into_iter().enumerate() {
        let result = call.builder.uninterpreted(name, vec![x], ty);
        store(call, 1 + index, result, ty)?;
    }
    Ok(Some(Lanes::new()))
}

/// A function of this many floats whose last parameter points to the place of a second result.
///
/// The second result is named like `modf.second` for `modf`.
fn second_result(call: &mut Call, name: &str, operands: usize) -> Answer {
    call.expect_parameters(operands + 1)?;
    let ty = Type::Float(float_type(call)?);
    if call.result != [ty] {
        return Err(call.ill_typed());
    }
    let x = (0..operands).map(|index| call.single(index)).collect::<Result<Vec<_>, _>>()?;
    let second = if name == "modf" { ty } else { Type::Bits(32) };
    let first = call.builder.uninterpreted(name, x.clone(), ty);
    let second_value = call.builder.uninterpreted(format!("{name}.second"), x, second);
    store(call, operands, second_value, second)?;
    Ok(Some(vec![first]))
}

/// Stores a value through a pointer argument.
fn store(call: &mut Call, index: usize, value: Value, ty: Type) -> Result<(), Unsupported> {
    let pointer = call.single(index)?;
    match (call.builder.ty(pointer), ty.width()) {
        (Type::Pointer(_), Some(width)) => call.store(pointer, width / 8, &[value]),
        _ => Err(call.ill_typed()),
    }
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::{Operation, Space};

    use super::*;
    use crate::builtins::testing::Bench;

    const FLOAT: Type = Type::Float(FloatType::F32);
    const DOUBLE: Type = Type::Float(FloatType::F64);
    const INT: Type = Type::Bits(32);

    fn one(bench: &mut Bench, name: &str, x: Value, ty: Type) -> Value {
        bench.call(name, &[vec![x]], &[ty])[0]
    }

    #[test]
    fn a_function_has_one_name_for_all_its_spellings() {
        let mut bench = Bench::cuda();
        let (x, y) = (bench.input(FLOAT), bench.input(DOUBLE));
        for (base, spellings) in [
            ("sin", ["_Z3sinf", "_Z4sinff", "__nv_sinf"]),
            ("erf", ["_Z3erff", "_Z4erfff", "__nv_erff"]),
            ("rsqrt", ["_Z5rsqrtf", "_Z6rsqrtff", "__nv_rsqrtf"]),
            ("__sinf", ["_Z6__sinff", "__nv_fast_sinf", "_Z6__sinff"]),
            ("__fsqrt_rd", ["_Z10__fsqrt_rdf", "__nv_fsqrt_rd", "_Z10__fsqrt_rdf"]),
        ] {
            for name in spellings {
                let value = one(&mut bench, name, x, FLOAT);
                assert_eq!(*bench.operation(value), Operation::Uninterpreted(base.into(), vec![x]), "{name}");
            }
        }
        let value = one(&mut bench, "_Z3sind", y, DOUBLE);
        assert_eq!(*bench.operation(value), Operation::Uninterpreted("sin".into(), vec![y]));
    }

    #[test]
    fn rounding_to_nearest_is_the_operator_s() {
        let mut bench = Bench::cuda();
        let x = bench.inputs(FLOAT, 3);
        for (name, op, count) in [
            ("_Z9__fadd_rnff", FloatOp::Add, 2),
            ("__nv_fsub_rn", FloatOp::Subtract, 2),
            ("_Z9__fmul_rnff", FloatOp::Multiply, 2),
            ("_Z9__fdiv_rnff", FloatOp::Divide, 2),
            ("_Z4fmaffff", FloatOp::FusedMultiplyAdd, 3),
            ("__nv_fmaf_rn", FloatOp::FusedMultiplyAdd, 3),
            ("_Z5sqrtff", FloatOp::SquareRoot, 1),
            ("__nv_fmodf", FloatOp::Remainder, 2),
        ] {
            let arguments: Vec<Lanes> = x[..count].iter().map(|&value| vec![value]).collect();
            let value = bench.call(name, &arguments, &[FLOAT])[0];
            assert_eq!(*bench.operation(value), Operation::Float(op, x[..count].to_vec()), "{name}");
        }
        let reciprocal = one(&mut bench, "_Z9__frcp_rnf", x[0], FLOAT);
        let Operation::Float(FloatOp::Divide, operands) = bench.operation(reciprocal).clone() else { panic!("1 / x") };
        assert_eq!(bench.evaluate(&[], operands[0]), 1.0f32.to_bits().into());
    }

    #[test]
    fn bits_of_floats_are_exact() {
        let mut bench = Bench::cuda();
        let x = bench.inputs(FLOAT, 2);
        let absolutes =
            ["_Z4fabsf", "_Z5fabsff", "_Z3absf", "__nv_fabsf"].map(|name| one(&mut bench, name, x[0], FLOAT));
        let sign = one(&mut bench, "_Z7signbitf", x[0], Type::Bool);
        let infinite = one(&mut bench, "__nv_isinff", x[0], INT);
        let finite = one(&mut bench, "__nv_finitef", x[0], INT);
        let normal = one(&mut bench, "_Z8isnormalf", x[0], Type::Bool);
        let copied = bench.call("_Z9copysignfff", &[vec![x[0]], vec![x[1]]], &[FLOAT])[0];
        for number in [0.0f32, -0.0, 1.5, -1.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-40, -f32::MAX] {
            let inputs = [number.to_bits().into(), (-2.0f32).to_bits().into()];
            for absolute in absolutes {
                assert_eq!(bench.evaluate(&inputs, absolute), number.abs().to_bits().into());
            }
            assert_eq!(bench.evaluate(&inputs, sign), number.is_sign_negative().into());
            assert_eq!(bench.evaluate(&inputs, infinite), number.is_infinite().into());
            assert_eq!(bench.evaluate(&inputs, finite), number.is_finite().into());
            assert_eq!(bench.evaluate(&inputs, normal), number.is_normal().into());
            assert_eq!(bench.evaluate(&inputs, copied), number.copysign(-2.0).to_bits().into());
        }
    }

    #[test]
    fn comparisons_answer_as_declared() {
        let mut bench = Bench::cuda();
        let x = bench.inputs(FLOAT, 2);
        let truth = one(&mut bench, "_Z5isnanf", x[0], Type::Bool);
        assert_eq!(*bench.operation(truth), Operation::Float(FloatOp::Unordered, vec![x[0], x[0]]));
        let number = one(&mut bench, "__nv_isnanf", x[0], INT);
        assert!(matches!(bench.operation(number), Operation::Convert(ConvertOp::ZeroExtend, _)));
        let greater = bench.call("_Z9isgreaterff", &[vec![x[0]], vec![x[1]]], &[Type::Bool])[0];
        assert_eq!(*bench.operation(greater), Operation::Float(FloatOp::OrderedLess, vec![x[1], x[0]]));
    }

    #[test]
    fn a_float_beside_a_double_is_converted() {
        let mut bench = Bench::cuda();
        let (x, y) = (bench.input(FLOAT), bench.input(DOUBLE));
        let value = bench.call("_Z3minfd", &[vec![x], vec![y]], &[DOUBLE])[0];
        let Operation::Uninterpreted(name, operands) = bench.operation(value).clone() else { panic!("uninterpreted") };
        assert_eq!((name.as_str(), operands[1]), ("fmin", y));
        assert_eq!(*bench.operation(operands[0]), Operation::Float(FloatOp::FromFloat, vec![x]));
    }

    #[test]
    fn second_results_are_stored() {
        let mut bench = Bench::cuda();
        let x = bench.inputs(FLOAT, 2);
        let (a, b) = (bench.pointer(Space::Local), bench.pointer(Space::Global));
        for name in ["_Z7sincosffPfS_", "__nv_sincosf", "_Z6sincosfPfS_"] {
            bench.call(name, &[vec![x[0]], vec![a], vec![b]], &[]);
            let Operation::Store(access, value) = bench.last() else { panic!("a store") };
            assert_eq!((access.pointer, access.alignment), (b, 4));
            assert_eq!(*bench.operation(*value), Operation::Uninterpreted("cos".into(), vec![x[0]]));
        }
        bench.call("_Z5frexpfPi", &[vec![x[0]], vec![a]], &[FLOAT]);
        let Operation::Store(access, value) = bench.last() else { panic!("a store") };
        assert_eq!((access.pointer, bench.kernel.ty(*value)), (a, INT));
        bench.call("_Z6remquoffPi", &[vec![x[0]], vec![x[1]], vec![a]], &[FLOAT]);
        bench.call("__nv_modff", &[vec![x[0]], vec![a]], &[FLOAT]);
        let Operation::Store(_, value) = bench.last() else { panic!("a store") };
        assert_eq!(bench.kernel.ty(*value), FLOAT);
        let refusal = bench.try_call("_Z4normiPKd", &[vec![x[0]], vec![a]], &[DOUBLE]).expect_err("refused");
        assert_eq!(refusal.to_string(), "function of an array of floats norm");
    }
}
