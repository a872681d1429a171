//! Pointers: offsets from them, casts of them, and numbers made from their addresses.

use inkwell::llvm_sys::core as c;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, ConvertOp, Operation, Space, Type, Value};

use crate::builder::Lanes;
use crate::builtins::addresses;
use crate::llvm::kernels::Importer;
use crate::llvm::raw::{LType, LValue, TypeKind, ValueKind};
use crate::llvm::types::{self, Spaces, Unreadable};
use crate::llvm::values;

impl Importer<'_> {
    /// `getelementptr`: a byte offset from the pointer.
    pub fn element_pointer(&mut self, instruction: LValue) -> Result<Lanes, Unreadable> {
        if !matches!(instruction.ty().kind(), TypeKind::LLVMPointerTypeKind) {
            return Err("vector of pointers".into());
        }
        // SAFETY: the caller has checked that it is a getelementptr.
        let (mut ty, in_bounds) =
            unsafe { (LType(c::LLVMGetGEPSourceElementType(instruction.0)), c::LLVMIsInBounds(instruction.0) != 0) };
        let operands = instruction.operands();
        let pointer = self.scalar(operands[0])?;
        let mut offset = Offset::new(self.kernel.pointer_bits);
        for (position, index) in operands.iter().enumerate().skip(1) {
            if position == 1 {
                offset.add(self, *index, types::allocation_bytes(ty, self.layout, self.target))?;
                continue;
            }
            match ty.kind() {
                TypeKind::LLVMStructTypeKind => {
                    let field = index.small_constant().and_then(|field| u32::try_from(field).ok());
                    let field = field.ok_or("struct field that is not constant")?;
                    offset.add_constant(self.layout.field_offset(ty, field));
                    ty = ty.fields()[field as usize];
                }
                TypeKind::LLVMVectorTypeKind => {
                    ty = ty.element();
                    offset.add(self, *index, self.layout.store_bytes(ty))?;
                }
                _ => {
                    ty = ty.element();
                    offset.add(self, *index, types::allocation_bytes(ty, self.layout, self.target))?;
                }
            }
        }
        let Some(offset) = offset.finish(self) else { return Ok(vec![pointer]) };
        let ty = self.kernel.ty(pointer);
        Ok(vec![self.builder().append(Operation::PointerAdd { pointer, offset, in_bounds }, ty)])
    }

    /// `addrspacecast`. If a plain pointer may point anywhere, a pointer whose space is known keeps
    /// it.
    pub fn space_cast(&mut self, operand: LValue, ty: LType) -> Result<Lanes, Unreadable> {
        let types = self.lanes(ty)?;
        let lanes = self.operand(operand)?;
        let keeps = |ty: Type| self.target.spaces == Spaces::Nvptx && ty == Type::Pointer(Space::Generic);
        let cast = lanes.into_iter().zip(types).map(|(lane, ty)| (lane, ty, keeps(ty))).collect::<Vec<_>>();
        Ok(cast.into_iter().map(|(lane, ty, keeps)| if keeps { lane } else { self.cast(lane, ty) }).collect())
    }

    /// The pointer cast to this address space; the pointer itself if it is already in it.
    pub fn cast(&mut self, pointer: Value, ty: Type) -> Value {
        match self.kernel.operation(pointer) {
            _ if self.kernel.ty(pointer) == ty => pointer,
            Some(Operation::Null) => self.builder().append(Operation::Null, ty),
            _ => self.builder().append(Operation::SpaceCast(pointer), ty),
        }
    }

    /// Two values of one type: pointers whose known spaces differ become plain pointers.
    pub fn alike(&mut self, [a, b]: [Value; 2]) -> [Value; 2] {
        match (self.kernel.ty(a), self.kernel.ty(b)) {
            (Type::Pointer(first), Type::Pointer(second)) if first != second => {
                [a, b].map(|pointer| self.cast(pointer, Type::Pointer(Space::Generic)))
            }
            _ => [a, b],
        }
    }

    /// `ptrtoint`.
    pub fn pointer_to_integer(&mut self, operand: LValue, ty: LType) -> Result<Lanes, Unreadable> {
        let types = self.lanes(ty)?;
        let lanes = self.operand(operand)?;
        let address = self.kernel.offset_type();
        let convert = |(lane, ty): (Value, Type)| {
            let behind = match self.kernel.operation(lane) {
                // A cast there and back again gives the same number.
                Some(Operation::IntegerToPointer(number)) => Some(*number),
                _ => None,
            };
            let mut builder = self.builder();
            let number = behind.unwrap_or_else(|| builder.append(Operation::PointerToInteger(lane), address));
            let op = if ty.width() < address.width() { ConvertOp::Truncate } else { ConvertOp::ZeroExtend };
            builder.convert(op, number, ty)
        };
        Ok(lanes.into_iter().zip(types).map(convert).collect())
    }

    /// `inttoptr`.
    pub fn integer_to_pointer(&mut self, operand: LValue, ty: LType) -> Result<Lanes, Unreadable> {
        let types = self.lanes(ty)?;
        let lanes = self.operand(operand)?;
        let convert = |(lane, ty): (Value, Type)| match self.kernel.operation(lane) {
            // A cast there and back again gives the same pointer.
            Some(Operation::PointerToInteger(pointer)) if self.kernel.ty(*pointer) == ty => *pointer,
            Some(Operation::Constant(bits)) if bits.is_zero() => self.builder().append(Operation::Null, ty),
            _ => addresses::pointer_behind(&mut self.builder(), lane, ty).unwrap_or_else(|| {
                let number = self.unsigned_offset(lane);
                self.builder().append(Operation::IntegerToPointer(number), ty)
            }),
        };
        Ok(lanes.into_iter().zip(types).map(convert).collect())
    }
}

/// A byte offset: a constant and a sum of products.
///
/// The terms carry no [`lockstep_ir::kernel::NoWrap`] flags: which facts about address computations
/// are assumed and which are checked depends on the array.
struct Offset {
    constant: Bits,
    sum: Option<Value>,
}

impl Offset {
    fn new(width: u32) -> Self {
        Self { constant: Bits::zero(width), sum: None }
    }

    fn add_constant(&mut self, bytes: u64) {
        self.constant = self.constant.add(&Bits::new(self.constant.width(), bytes));
    }

    /// Adds an index times the size of its elements.
    fn add(&mut self, importer: &mut Importer<'_>, index: LValue, bytes: u64) -> Result<(), Unreadable> {
        let width = self.constant.width();
        if matches!(index.kind(), ValueKind::LLVMConstantIntValueKind) {
            let index = values::pattern(index).ok_or("constant index")?;
            let index = if index.width() >= width { index.extract(width - 1, 0) } else { index.sign_extend(width) };
            self.constant = self.constant.add(&index.mul(&Bits::new(width, bytes)));
            return Ok(());
        }
        let index = importer.scalar(index)?;
        let index = importer.signed_offset(index);
        let mut builder = importer.builder();
        let product = if bytes == 1 {
            index
        } else {
            let bytes = builder.number(width, bytes);
            builder.binary(BinaryOp::Multiply, index, bytes)
        };
        self.sum = Some(match self.sum {
            None => product,
            Some(sum) => builder.binary(BinaryOp::Add, sum, product),
        });
        Ok(())
    }

    /// The offset as a value; `None` for 0.
    fn finish(self, importer: &mut Importer<'_>) -> Option<Value> {
        let mut builder = importer.builder();
        match self.sum {
            None if self.constant.is_zero() => None,
            None => Some(builder.bits(self.constant)),
            Some(sum) if self.constant.is_zero() => Some(sum),
            Some(sum) => {
                let constant = builder.bits(self.constant);
                Some(builder.binary(BinaryOp::Add, sum, constant))
            }
        }
    }
}
