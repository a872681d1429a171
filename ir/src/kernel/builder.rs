//! Appends instructions to a kernel.

use super::{BinaryOp, Block, CompareOp, ConvertOp, FloatOp, Kernel, NoWrap, Operation, Type, UnaryOp, Value};
use crate::bits::Bits;
use crate::source::Location;

/// Where instructions are appended.
pub struct Builder<'kernel> {
    /// The kernel.
    pub kernel: &'kernel mut Kernel,
    /// The block at whose end instructions are appended.
    pub block: Block,
    /// The place in the source they come from.
    pub location: Option<Location>,
}

impl Builder<'_> {
    /// Appends an operation with a result.
    pub fn append(&mut self, operation: Operation, ty: Type) -> Value {
        self.kernel.append(self.block, operation, ty, self.location)
    }

    /// Appends an operation without a result.
    pub fn append_effect(&mut self, operation: Operation) {
        self.kernel.append_effect(self.block, operation, self.location);
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.kernel.ty(value)
    }

    /// A bit-vector constant.
    pub fn bits(&mut self, bits: Bits) -> Value {
        let ty = Type::Bits(bits.width());
        self.append(Operation::Constant(bits), ty)
    }

    /// A bit-vector constant from a number.
    pub fn number(&mut self, width: u32, value: u64) -> Value {
        self.bits(Bits::new(width, value))
    }

    /// A truth value.
    pub fn boolean(&mut self, value: bool) -> Value {
        self.append(Operation::Constant(Bits::new(1, u32::from(value))), Type::Bool)
    }

    /// `op a`
    pub fn unary(&mut self, op: UnaryOp, a: Value) -> Value {
        let ty = self.ty(a);
        self.append(Operation::Unary(op, a), ty)
    }

    /// `a op b`, wrapping.
    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        self.append(Operation::Binary(op, NoWrap::default(), a, b), ty)
    }

    /// `a op b`
    pub fn compare(&mut self, op: CompareOp, a: Value, b: Value) -> Value {
        self.append(Operation::Compare(op, a, b), Type::Bool)
    }

    /// `if c { a } else { b }`
    pub fn select(&mut self, c: Value, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        self.append(Operation::Select(c, a, b), ty)
    }

    /// The operand as another type; the operand itself if it has that type.
    pub fn convert(&mut self, op: ConvertOp, a: Value, ty: Type) -> Value {
        if self.ty(a) == ty { a } else { self.append(Operation::Convert(op, a), ty) }
    }

    /// A number in this many bits: its lowest bits, or widened so.
    pub fn resized(&mut self, value: Value, width: u32, widen: ConvertOp) -> Value {
        let found = self.ty(value).width().unwrap_or(width);
        let op = if found > width { ConvertOp::Truncate } else { widen };
        self.convert(op, value, Type::Bits(width))
    }

    /// The bits `low..=high`.
    pub fn extract(&mut self, high: u32, low: u32, value: Value) -> Value {
        self.append(Operation::Extract { high, low, value }, Type::Bits(high - low + 1))
    }

    /// Float arithmetic.
    pub fn float(&mut self, op: FloatOp, operands: Vec<Value>, ty: Type) -> Value {
        self.append(Operation::Float(op, operands), ty)
    }

    /// A deterministic function of which only the name is known.
    pub fn uninterpreted(&mut self, name: impl Into<String>, operands: Vec<Value>, ty: Type) -> Value {
        self.append(Operation::Uninterpreted(name.into(), operands), ty)
    }
}
