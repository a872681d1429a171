//! Bits of one type as another, and conversions that name their rounding.
//!
//! A conversion is an operation of the kernel IR if it rounds like a cast, and an uninterpreted
//! function by its name otherwise. Conversions to short floats are casts in our headers. For other
//! roundings the headers call `__lockstep_half_rz` and its like, which give the rounded number that
//! is then cast.

use lockstep_ir::kernel::{ConvertOp, FloatOp, FloatType, Operation, Type, Value};

use crate::builder::Builder;
use crate::builtins::call::{Answer, Call};

/// Appends a conversion or a reinterpretation.
pub fn expand(call: &mut Call) -> Answer {
    const SHORT: Type = Type::Bits(16);
    const INT: Type = Type::Bits(32);
    const LONG: Type = Type::Bits(64);
    const HALF: Type = Type::Float(FloatType::F16);
    const FLOAT: Type = Type::Float(FloatType::F32);
    const DOUBLE: Type = Type::Float(FloatType::F64);
    match call.name {
        "__float_as_int" | "__float_as_uint" => append(call, &[FLOAT], INT, reinterpret),
        "__int_as_float" | "__uint_as_float" => append(call, &[INT], FLOAT, reinterpret),
        "__double_as_longlong" => append(call, &[DOUBLE], LONG, reinterpret),
        "__longlong_as_double" => append(call, &[LONG], DOUBLE, reinterpret),
        "__hiloint2double" => append(call, &[INT, INT], DOUBLE, |builder, x, ty| {
            let joined = builder.append(Operation::Concat(x[0], x[1]), LONG);
            builder.convert(ConvertOp::Bitcast, joined, ty)
        }),
        "__double2hiint" => append(call, &[DOUBLE], INT, |builder, x, _| word(builder, x[0], 32)),
        "__double2loint" => append(call, &[DOUBLE], INT, |builder, x, _| word(builder, x[0], 0)),
        "__float2half_rn" => append(call, &[FLOAT], SHORT, |builder, x, ty| {
            let half = builder.float(FloatOp::FromFloat, x.to_vec(), HALF);
            builder.convert(ConvertOp::Bitcast, half, ty)
        }),
        "__half2float" => append(call, &[SHORT], FLOAT, |builder, x, ty| {
            let half = builder.convert(ConvertOp::Bitcast, x[0], HALF);
            builder.float(FloatOp::FromFloat, vec![half], ty)
        }),
        name if is_to_short_float(name) => {
            call.expect_parameters(1)?;
            let name = name.to_owned();
            call.lanewise(|builder, x, ty| builder.uninterpreted(name.clone(), x.to_vec(), ty))
        }
        name => match Conversion::parse(name) {
            Some(conversion) => {
                let name = name.to_owned();
                append(call, &[conversion.from.ty()], conversion.to.ty(), |builder, x, ty| match conversion.op() {
                    Some(op) => builder.float(op, x.to_vec(), ty),
                    None => builder.uninterpreted(name.clone(), x.to_vec(), ty),
                })
            }
            None => Ok(None),
        },
    }
}

fn is_to_short_float(name: &str) -> bool {
    let rounding = name.strip_prefix("__lockstep_half_").or_else(|| name.strip_prefix("__lockstep_bfloat16_"));
    matches!(rounding, Some("rz" | "ru" | "rd"))
}

/// Appends a function of parameters of these types and a result of this one.
fn append(
    call: &mut Call,
    parameters: &[Type],
    result: Type,
    function: impl Fn(&mut Builder<'_>, &[Value], Type) -> Value,
) -> Answer {
    call.expect_parameters(parameters.len())?;
    for (index, &ty) in parameters.iter().enumerate() {
        let argument = call.single(index)?;
        if call.builder.ty(argument) != ty {
            return Err(call.ill_typed());
        }
    }
    if call.result != [result] {
        return Err(call.ill_typed());
    }
    call.lanewise(function)
}

fn reinterpret(builder: &mut Builder<'_>, x: &[Value], ty: Type) -> Value {
    builder.convert(ConvertOp::Bitcast, x[0], ty)
}

/// The 32 bits of a double that start at this bit.
fn word(builder: &mut Builder<'_>, x: Value, low: u32) -> Value {
    let bits = builder.convert(ConvertOp::Bitcast, x, Type::Bits(64));
    builder.extract(low + 31, low, bits)
}

/// A type that has conversions to and from other types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Float(FloatType),
    Signed(u32),
    Unsigned(u32),
}

impl Number {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "float" => Self::Float(FloatType::F32),
            "double" => Self::Float(FloatType::F64),
            "int" => Self::Signed(32),
            "uint" => Self::Unsigned(32),
            "ll" => Self::Signed(64),
            "ull" => Self::Unsigned(64),
            _ => return None,
        })
    }

    fn ty(self) -> Type {
        match self {
            Self::Float(float) => Type::Float(float),
            Self::Signed(width) | Self::Unsigned(width) => Type::Bits(width),
        }
    }
}

/// The parts of a conversion's name: `__float2int_rz`.
struct Conversion<'name> {
    from: Number,
    to: Number,
    rounding: &'name str,
}

impl<'name> Conversion<'name> {
    fn parse(name: &'name str) -> Option<Self> {
        let (types, rounding) = name.strip_prefix("__")?.split_once('_')?;
        let (from, to) = types.split_once('2')?;
        let (from, to) = (Number::parse(from)?, Number::parse(to)?);
        matches!(rounding, "rn" | "rz" | "ru" | "rd").then_some(Self { from, to, rounding })
    }

    /// The operation with this rounding, if there is one.
    fn op(&self) -> Option<FloatOp> {
        match (self.from, self.to, self.rounding) {
            (Number::Float(_), Number::Signed(_), "rz") => Some(FloatOp::ToSigned),
            (Number::Float(_), Number::Unsigned(_), "rz") => Some(FloatOp::ToUnsigned),
            (Number::Float(_), Number::Float(_), "rn") => Some(FloatOp::FromFloat),
            (Number::Signed(_), Number::Float(_), "rn") => Some(FloatOp::FromSigned),
            (Number::Unsigned(_), Number::Float(_), "rn") => Some(FloatOp::FromUnsigned),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::testing::Bench;

    const INT: Type = Type::Bits(32);
    const LONG: Type = Type::Bits(64);
    const FLOAT: Type = Type::Float(FloatType::F32);
    const DOUBLE: Type = Type::Float(FloatType::F64);

    #[test]
    fn casts_keep_the_bits() {
        let mut bench = Bench::cuda();
        let (float, double) = (bench.input(FLOAT), bench.input(DOUBLE));
        let (low, high) = (bench.input(INT), bench.input(INT));
        let one = |bench: &mut Bench, name: &str, x, ty| bench.call(name, &[vec![x]], &[ty])[0];
        let values = [
            one(&mut bench, "_Z14__float_as_intf", float, INT),
            one(&mut bench, "_Z15__float_as_uintf", float, INT),
            one(&mut bench, "__nv_float_as_int", float, INT),
            one(&mut bench, "_Z14__int_as_floati", low, FLOAT),
            one(&mut bench, "_Z20__double_as_longlongd", double, LONG),
            one(&mut bench, "_Z14__double2hiintd", double, INT),
            one(&mut bench, "__nv_double2loint", double, INT),
            bench.call("_Z16__hiloint2doubleii", &[vec![high], vec![low]], &[DOUBLE])[0],
        ];
        let (x, y) = (1.5f32.to_bits(), (-2.25f64).to_bits() | 0x4d);
        let inputs = [x.into(), y.into(), 0x1234_5678, 0x9abc_def0];
        let expected: [u128; 8] = [
            x.into(),
            x.into(),
            x.into(),
            0x1234_5678,
            y.into(),
            (y >> 32).into(),
            (y & 0xffff_ffff).into(),
            0x9abc_def0_1234_5678,
        ];
        assert_eq!(values.map(|value| bench.evaluate(&inputs, value)), expected);
    }

    #[test]
    fn roundings_of_casts_are_operations() {
        let mut bench = Bench::cuda();
        let (x, i) = (bench.input(FLOAT), bench.input(INT));
        for (name, argument, ty, expected) in [
            ("_Z14__float2int_rzf", x, INT, Operation::Float(FloatOp::ToSigned, vec![x])),
            ("__nv_float2uint_rz", x, INT, Operation::Float(FloatOp::ToUnsigned, vec![x])),
            ("_Z14__float2int_rnf", x, INT, Operation::Uninterpreted("__float2int_rn".into(), vec![x])),
            ("__nv_float2int_rn", x, INT, Operation::Uninterpreted("__float2int_rn".into(), vec![x])),
            ("_Z15__uint2float_rnj", i, FLOAT, Operation::Float(FloatOp::FromUnsigned, vec![i])),
            ("__nv_int2double_rn", i, DOUBLE, Operation::Float(FloatOp::FromSigned, vec![i])),
            ("_Z14__int2float_rdi", i, FLOAT, Operation::Uninterpreted("__int2float_rd".into(), vec![i])),
        ] {
            let value = bench.call(name, &[vec![argument]], &[ty])[0];
            assert_eq!(*bench.operation(value), expected, "{name}");
        }
        for name in ["_Z14__float2int_rxf", "_Z13__half2int_rnf", "_Z11float2int_rnf", "_Z13__float2intrzf"] {
            assert_eq!(bench.try_call(name, &[vec![x]], &[INT]), Ok(None), "{name}");
        }
    }
}
