//! The types in the opcodes of PTX: `u32`, `f16x2`, `pred`.

use lockstep_ir::kernel::{ConvertOp, FloatType};

/// The meaning of an operand's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `u32`
    Unsigned,
    /// `s32`
    Signed,
    /// `b32`
    Bits,
    /// `f32`
    Float(FloatType),
    /// `pred`
    Predicate,
    /// Several small numbers, or floats of a format that the kernel IR does not have.
    Other,
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PtxType {
    /// The meaning of the bits.
    pub class: Class,
    /// The number of bits; 1 for a predicate.
    pub width: u32,
}

impl PtxType {
    /// The type of this name.
    pub fn parse(name: &str) -> Option<Self> {
        let float = |float: FloatType| Self { class: Class::Float(float), width: float.width() };
        Some(match name {
            "pred" => Self { class: Class::Predicate, width: 1 },
            "f16" => float(FloatType::F16),
            "bf16" => float(FloatType::Bf16),
            "f32" => float(FloatType::F32),
            "f64" => float(FloatType::F64),
            "f16x2" | "bf16x2" | "u16x2" | "s16x2" | "tf32" => Self { class: Class::Other, width: 32 },
            "e4m3x2" | "e5m2x2" => Self { class: Class::Other, width: 16 },
            _ => {
                let class = match name.get(..1)? {
                    "u" => Class::Unsigned,
                    "s" => Class::Signed,
                    "b" => Class::Bits,
                    _ => return None,
                };
                let width = name[1..].parse().ok().filter(|width| matches!(width, 8 | 16 | 32 | 64 | 128))?;
                Self { class, width }
            }
        })
    }

    /// Whether it is an integer type, or untyped bits.
    pub fn is_integer(self) -> bool {
        matches!(self.class, Class::Unsigned | Class::Signed | Class::Bits)
    }

    /// Whether it is a signed integer type.
    pub fn is_signed(self) -> bool {
        self.class == Class::Signed
    }

    /// The float format.
    pub fn float(self) -> Option<FloatType> {
        match self.class {
            Class::Float(float) => Some(float),
            _ => None,
        }
    }

    /// The conversion of a value of this type to more bits.
    pub fn extension(self) -> ConvertOp {
        if self.is_signed() { ConvertOp::SignExtend } else { ConvertOp::ZeroExtend }
    }
}
