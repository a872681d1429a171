//! A call of a built-in function, as the chapters see it.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{ConvertOp, Type, Value};

use super::Unsupported;
use super::mangle::{Integer, ParameterType, Scalar};
use crate::builder::{Builder, Lanes};

/// A chapter's answer about a call.
///
/// It is the lanes of the result, or the refusal of an unsupported function. `None` means that the
/// name is not the chapter's own.
pub type Answer = Result<Option<Lanes>, Unsupported>;

/// A call of a function whose name has been read.
pub struct Call<'call, 'kernel> {
    /// Where instructions are appended.
    pub builder: &'call mut Builder<'kernel>,
    /// The base name: `min`.
    pub name: &'call str,
    /// The parameter types from the mangled name.
    pub parameters: &'call [ParameterType],
    /// The arguments.
    pub arguments: &'call [Lanes],
    /// The type of each lane of the result.
    pub result: &'call [Type],
}

impl Call<'_, '_> {
    /// The refusal of a call whose types differ from the specification's declaration of the
    /// function.
    pub fn ill_typed(&self) -> Unsupported {
        Unsupported(format!("call of {} with arguments or a result of unexpected types", self.name))
    }

    /// The type of a parameter.
    pub fn parameter(&self, index: usize) -> Result<&ParameterType, Unsupported> {
        self.parameters.get(index).ok_or_else(|| self.ill_typed())
    }

    /// The lanes of an argument, checked to have the types in the mangled name.
    pub fn lanes(&self, index: usize) -> Result<Lanes, Unsupported> {
        let lanes = self.arguments.get(index).ok_or_else(|| self.ill_typed())?;
        if self.arguments.len() != self.parameters.len() || !self.agrees(self.parameter(index)?, lanes) {
            return Err(self.ill_typed());
        }
        Ok(lanes.clone())
    }

    fn agrees(&self, parameter: &ParameterType, lanes: &Lanes) -> bool {
        let is = |&lane: &Value, scalar: Scalar| match (scalar, self.builder.ty(lane)) {
            (Scalar::Bool, Type::Bool | Type::Bits(_)) => true,
            (Scalar::Integer(integer), Type::Bits(width)) => integer.width == width,
            (Scalar::Float(float), Type::Float(found)) => float == found,
            _ => false,
        };
        match *parameter {
            ParameterType::Scalar(scalar) => lanes.len() == 1 && is(&lanes[0], scalar),
            ParameterType::Vector(scalar, count) => {
                usize::try_from(count).is_ok_and(|count| lanes.len() == count)
                    && lanes.iter().all(|lane| is(lane, scalar))
            }
            ParameterType::Pointer(..) => lanes.len() == 1 && matches!(self.builder.ty(lanes[0]), Type::Pointer(_)),
            ParameterType::Void | ParameterType::Opaque(_) => true,
        }
    }

    /// An argument of one lane.
    pub fn single(&self, index: usize) -> Result<Value, Unsupported> {
        match self.lanes(index)?.as_slice() {
            &[value] => Ok(value),
            _ => Err(self.ill_typed()),
        }
    }

    /// An argument that is a constant; `None` if it is computed.
    pub fn constant(&self, index: usize) -> Result<Option<Bits>, Unsupported> {
        let value = self.single(index)?;
        Ok(self.builder.kernel.constant(value).cloned())
    }

    /// The integer type of a parameter, or of its lanes; `None` for any other type.
    pub fn integer(&self, index: usize) -> Option<Integer> {
        match self.parameters.get(index)?.scalar()? {
            Scalar::Integer(integer) => Some(integer),
            Scalar::Bool | Scalar::Float(_) => None,
        }
    }

    /// Applies a function lane by lane to all arguments and collects the results.
    ///
    /// An argument of one lane stands for a vector with as many lanes as the result.
    pub fn lanewise(&mut self, mut apply: impl FnMut(&mut Builder<'_>, &[Value], Type) -> Value) -> Answer {
        let arguments =
            (0..self.parameters.len()).map(|index| self.lanes(index)).collect::<Result<Vec<_>, Unsupported>>()?;
        let count = self.result.len();
        if count == 0 || arguments.iter().any(|lanes| lanes.len() != 1 && lanes.len() != count) {
            return Err(self.ill_typed());
        }
        let lane = |index: usize| {
            let operands: Vec<Value> =
                arguments.iter().map(|lanes| if lanes.len() == 1 { lanes[0] } else { lanes[index] }).collect();
            apply(self.builder, &operands, self.result[index])
        };
        Ok(Some((0..count).map(lane).collect()))
    }

    /// Refuses a call with another number of parameters.
    pub fn expect_parameters(&self, count: usize) -> Result<(), Unsupported> {
        if self.parameters.len() == count { Ok(()) } else { Err(self.ill_typed()) }
    }

    /// The lanes, with truth values converted to the result's type. Lanes of another type are
    /// refused.
    pub fn fit(&mut self, lanes: Lanes) -> Result<Lanes, Unsupported> {
        if lanes.len() != self.result.len() {
            return Err(self.ill_typed());
        }
        let mut fitted = Lanes::with_capacity(lanes.len());
        for (lane, &ty) in lanes.into_iter().zip(self.result) {
            fitted.push(match (self.builder.ty(lane), ty) {
                (found, expected) if found == expected => lane,
                (Type::Bool, Type::Bits(_)) => self.builder.convert(ConvertOp::ZeroExtend, lane, ty),
                (Type::Bits(1), Type::Bool) => self.builder.convert(ConvertOp::Bitcast, lane, ty),
                _ => return Err(self.ill_typed()),
            });
        }
        Ok(fitted)
    }
}
