//! Computations at the end of a block, for passes that put numbers into a kernel.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, Block, CompareOp, Kernel, NoWrap, Operation, Type, Value};
use lockstep_ir::source::Location;
use num_bigint::BigUint;

/// The end of a block, where operations are appended.
pub struct Appender<'a> {
    /// The kernel.
    pub kernel: &'a mut Kernel,
    /// The block.
    pub block: Block,
    /// The location of what is appended.
    pub location: Option<Location>,
}

impl Appender<'_> {
    /// An operation with a result.
    pub fn append(&mut self, operation: Operation, ty: Type) -> Value {
        self.kernel.append(self.block, operation, ty, self.location)
    }

    /// An operation without a result.
    pub fn append_effect(&mut self, operation: Operation) {
        self.kernel.append_effect(self.block, operation, self.location);
    }

    /// A constant of this width.
    pub fn number(&mut self, width: u32, number: impl Into<BigUint>) -> Value {
        self.append(Operation::Constant(Bits::new(width, number)), Type::Bits(width))
    }

    /// An operation on two numbers of one width, which may wrap.
    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let ty = self.kernel.ty(a);
        self.append(Operation::Binary(op, NoWrap::default(), a, b), ty)
    }

    /// A comparison of two numbers.
    pub fn compare(&mut self, op: CompareOp, a: Value, b: Value) -> Value {
        self.append(Operation::Compare(op, a, b), Type::Bool)
    }
}
