//! `convert_T` and `as_T`.
//!
//! Conversions between integers are exact. A conversion from or to floats is the kernel IR's
//! operation if it rounds like a cast, and an uninterpreted function named by the rounding
//! otherwise.

use lockstep_ir::kernel::{ConvertOp, FloatOp, FloatType, Type, Value};

use super::super::builder::Builder;
use super::integers;
use crate::builtins::call::{Answer, Call};
use crate::builtins::mangle::{Integer, Scalar};
use crate::builtins::memory;

/// Appends a conversion or a reinterpretation.
pub fn expand(call: &mut Call) -> Answer {
    if let Some(conversion) = call.name.strip_prefix("convert_").and_then(Conversion::parse) {
        return convert(call, &conversion);
    }
    match call.name.strip_prefix("as_").and_then(scalar_and_lanes) {
        Some((_, lanes)) => reinterpret(call, lanes),
        None => Ok(None),
    }
}

/// The parts of a conversion's name.
#[derive(Debug, PartialEq)]
struct Conversion<'name> {
    to: Scalar,
    /// The type's name, without the number of lanes.
    to_name: &'name str,
    lanes: usize,
    saturate: bool,
    rounding: Option<&'name str>,
}

impl<'name> Conversion<'name> {
    fn parse(name: &'name str) -> Option<Self> {
        let mut parts = name.split('_');
        let ty = parts.next()?;
        let (to, lanes) = scalar_and_lanes(ty)?;
        let mut next = parts.next();
        let saturate = next == Some("sat");
        if saturate {
            next = parts.next();
        }
        let rounding = next;
        if parts.next().is_some() || !matches!(rounding, None | Some("rte" | "rtz" | "rtp" | "rtn")) {
            return None;
        }
        Some(Self { to, to_name: ty.trim_end_matches(|c: char| c.is_ascii_digit()), lanes, saturate, rounding })
    }

    /// The name of the uninterpreted conversion from this kind of source: `convert_int_sat_rtz`.
    fn uninterpreted(&self, default_rounding: &str, source: &str) -> String {
        let saturate = if self.saturate { "_sat" } else { "" };
        format!("convert_{}{saturate}_{}{source}", self.to_name, self.rounding.unwrap_or(default_rounding))
    }
}

fn scalar_and_lanes(name: &str) -> Option<(Scalar, usize)> {
    let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
    let integer = |width, signed| Scalar::Integer(Integer { width, signed });
    let scalar = match &name[..digits] {
        "char" => integer(8, true),
        "uchar" => integer(8, false),
        "short" => integer(16, true),
        "ushort" => integer(16, false),
        "int" => integer(32, true),
        "uint" => integer(32, false),
        "long" => integer(64, true),
        "ulong" => integer(64, false),
        "half" => Scalar::Float(FloatType::F16),
        "float" => Scalar::Float(FloatType::F32),
        "double" => Scalar::Float(FloatType::F64),
        _ => return None,
    };
    let lanes = match &name[digits..] {
        "" => 1,
        "2" => 2,
        "3" => 3,
        "4" => 4,
        "8" => 8,
        "16" => 16,
        _ => return None,
    };
    Some((scalar, lanes))
}

fn convert(call: &mut Call, conversion: &Conversion) -> Answer {
    call.expect_parameters(1)?;
    let from = call.parameter(0)?.scalar();
    if call.lanes(0)?.len() != conversion.lanes {
        return Err(call.ill_typed());
    }
    match (from, conversion.to) {
        (Some(Scalar::Integer(from)), Scalar::Integer(to)) => {
            let saturate = conversion.saturate;
            call.lanewise(|builder, x, _| integer_to_integer(builder, x[0], from, to, saturate))
        }
        (Some(Scalar::Integer(from)), Scalar::Float(_)) => {
            call.lanewise(|builder, x, ty| integer_to_float(builder, x[0], from, conversion, ty))
        }
        (Some(Scalar::Float(_)), Scalar::Integer(to)) => {
            call.lanewise(|builder, x, ty| float_to_integer(builder, x[0], to, conversion, ty))
        }
        (Some(Scalar::Float(from)), Scalar::Float(to)) => call
            .lanewise(|builder, x, ty| if from == to { x[0] } else { float_to_float(builder, x[0], conversion, ty) }),
        (Some(Scalar::Bool) | None, _) | (_, Scalar::Bool) => Err(call.ill_typed()),
    }
}

fn integer_to_integer(builder: &mut Builder<'_>, value: Value, from: Integer, to: Integer, saturate: bool) -> Value {
    if saturate {
        // One bit more than the wider type holds the numbers of both types as signed ones.
        let width = from.width.max(to.width) + 1;
        let wide = integers::extend(builder, from.signed, value, width);
        return integers::saturate(builder, wide, width, to);
    }
    if to.width < from.width {
        builder.convert(ConvertOp::Truncate, value, Type::Bits(to.width))
    } else {
        integers::extend(builder, from.signed, value, to.width)
    }
}

fn integer_to_float(builder: &mut Builder<'_>, value: Value, from: Integer, to: &Conversion, ty: Type) -> Value {
    match to.rounding {
        None | Some("rte") => {
            let op = if from.signed { FloatOp::FromSigned } else { FloatOp::FromUnsigned };
            builder.float(op, vec![value], ty)
        }
        Some(_) => {
            let source = if from.signed { ".signed" } else { ".unsigned" };
            builder.uninterpreted(to.uninterpreted("rte", source), vec![value], ty)
        }
    }
}

fn float_to_integer(builder: &mut Builder<'_>, value: Value, to: Integer, conversion: &Conversion, ty: Type) -> Value {
    match conversion.rounding {
        None | Some("rtz") if !conversion.saturate => {
            let op = if to.signed { FloatOp::ToSigned } else { FloatOp::ToUnsigned };
            builder.float(op, vec![value], ty)
        }
        _ => builder.uninterpreted(conversion.uninterpreted("rtz", ""), vec![value], ty),
    }
}

fn float_to_float(builder: &mut Builder<'_>, value: Value, to: &Conversion, ty: Type) -> Value {
    match to.rounding {
        None | Some("rte") => builder.float(FloatOp::FromFloat, vec![value], ty),
        Some(_) => builder.uninterpreted(to.uninterpreted("rte", ""), vec![value], ty),
    }
}

/// The same bits in lanes of another type; the last of four lanes may be dropped.
fn reinterpret(call: &mut Call, lanes: usize) -> Answer {
    call.expect_parameters(1)?;
    let operand = call.lanes(0)?;
    if lanes != call.result.len() || call.parameter(0)?.scalar().is_none() {
        return Err(call.ill_typed());
    }
    let joined = memory::join(call.builder, &operand).ok_or_else(|| call.ill_typed())?;
    let result = memory::split(call.builder, joined, call.result).ok_or_else(|| call.ill_typed())?;
    Ok(Some(result))
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::Operation;

    use super::*;
    use crate::builtins::testing::{Bench, sign_extend};

    const FLOAT: Type = Type::Float(FloatType::F32);

    #[test]
    fn names() {
        let parsed = Conversion::parse("uchar3_sat_rte").expect("a conversion");
        assert_eq!((parsed.to_name, parsed.lanes, parsed.saturate, parsed.rounding), ("uchar", 3, true, Some("rte")));
        for name in ["int5", "int_rtx", "int_rte_sat", "bool", "", "int_sat_rte_x", "ndrange"] {
            assert_eq!(Conversion::parse(name), None, "{name}");
        }
    }

    #[test]
    fn integers_saturate_to_the_nearest() {
        let ranges: [(&str, u32, i128, i128); 4] =
            [("char", 8, -128, 127), ("uchar", 8, 0, 255), ("short", 16, -32768, 32767), ("uint", 32, 0, 0xffff_ffff)];
        for (letter, signed) in [("s", true), ("t", false)] {
            for (to, width, lowest, highest) in ranges {
                let mut bench = Bench::opencl();
                let x = bench.input(Type::Bits(16));
                let (plain, saturating) = (format!("convert_{to}"), format!("convert_{to}_sat"));
                let [plain, saturating] = [plain, saturating].map(|name| {
                    bench.call(&format!("_Z{}{name}{letter}", name.len()), &[vec![x]], &[Type::Bits(width)])[0]
                });
                for bits in (0..0x1_0000u128).step_by(61).chain([0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff]) {
                    let number = if signed { sign_extend(bits, 16) } else { bits.cast_signed() };
                    let mask = (1 << width) - 1;
                    assert_eq!(bench.evaluate(&[bits], plain), number.cast_unsigned() & mask, "{to} {number}");
                    let nearest = number.clamp(lowest, highest).cast_unsigned() & mask;
                    assert_eq!(bench.evaluate(&[bits], saturating), nearest, "{to} {number}");
                }
            }
        }
    }

    #[test]
    fn floats_round_as_named() {
        let mut bench = Bench::opencl();
        let (x, i) = (bench.input(FLOAT), bench.input(Type::Bits(32)));
        for (name, argument, ty, expected) in [
            ("_Z11convert_intf", x, Type::Bits(32), Operation::Float(FloatOp::ToSigned, vec![x])),
            ("_Z12convert_uintf", x, Type::Bits(32), Operation::Float(FloatOp::ToUnsigned, vec![x])),
            (
                "_Z19convert_int_sat_rtzf",
                x,
                Type::Bits(32),
                Operation::Uninterpreted("convert_int_sat_rtz".into(), vec![x]),
            ),
            (
                "_Z15convert_int_satf",
                x,
                Type::Bits(32),
                Operation::Uninterpreted("convert_int_sat_rtz".into(), vec![x]),
            ),
            ("_Z17convert_float_rtej", i, FLOAT, Operation::Float(FloatOp::FromUnsigned, vec![i])),
            ("_Z17convert_float_rtzi", i, FLOAT, Operation::Uninterpreted("convert_float_rtz.signed".into(), vec![i])),
            ("_Z14convert_doublef", x, Type::Float(FloatType::F64), Operation::Float(FloatOp::FromFloat, vec![x])),
        ] {
            let value = bench.call(name, &[vec![argument]], &[ty])[0];
            assert_eq!(*bench.operation(value), expected, "{name}");
        }
        assert_eq!(bench.call("_Z13convert_floatf", &[vec![x]], &[FLOAT]), [x]);
    }

    #[test]
    fn lanes_of_other_widths_share_the_bits() {
        let mut bench = Bench::opencl();
        let x = bench.inputs(Type::Bits(16), 4);
        let words = bench.call("_Z7as_int2Dv4_s", std::slice::from_ref(&x), &[Type::Bits(32); 2]);
        let three = bench.call("_Z9as_short3Dv4_s", &[x], &[Type::Bits(16); 3]);
        let inputs = [0x1111, 0x2222, 0x3333, 0x4444];
        assert_eq!(bench.evaluate(&inputs, words[0]), 0x2222_1111);
        assert_eq!(bench.evaluate(&inputs, words[1]), 0x4444_3333);
        assert_eq!(bench.evaluate(&inputs, three[2]), 0x3333);
    }
}
