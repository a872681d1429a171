//! Operands and constants.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{ConvertOp, Operation, Space, Type};
use num_bigint::BigInt;

use super::kernels::Importer;
use super::passes;
use super::raw::{LType, LValue, Layout, Opcode, TypeKind, ValueKind};
use super::types::{self, Unreadable};
use crate::builder::Lanes;

impl Importer<'_> {
    /// The lanes of an operand.
    ///
    /// Constants are appended to the current block; an undefined value is undefined afresh for each
    /// use.
    pub fn operand(&mut self, value: LValue) -> Result<Lanes, Unreadable> {
        if let Some(lanes) = self.values.get(&value) {
            return Ok(lanes.clone());
        }
        if self.undefined.contains(&value) {
            return self.undefined_lanes(value.ty());
        }
        match value.kind() {
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => self.undefined_lanes(value.ty()),
            ValueKind::LLVMInstructionValueKind => {
                Err(format!("value used before it is computed: {}", value.print().trim()))
            }
            ValueKind::LLVMArgumentValueKind => Err(format!("parameter {}", value.name())),
            _ => self.constant(value),
        }
    }

    /// The lane of an operand that has one.
    pub fn scalar(&mut self, value: LValue) -> Result<lockstep_ir::kernel::Value, Unreadable> {
        match self.operand(value)?.as_slice() {
            [lane] => Ok(*lane),
            lanes => Err(format!("operand with {} parts where one is expected", lanes.len())),
        }
    }

    /// Lanes of any values.
    pub fn undefined_lanes(&mut self, ty: LType) -> Result<Lanes, Unreadable> {
        let lanes = self.lanes(ty)?;
        Ok(lanes.into_iter().map(|lane| self.builder().append(Operation::Undefined, lane)).collect())
    }

    /// The types of a value's lanes.
    pub fn lanes(&self, ty: LType) -> Result<Vec<Type>, Unreadable> {
        types::lanes(ty, self.target)
    }

    /// Marks an instruction's result as undefined afresh for each use, if its operand is.
    pub fn mark_undefined(&mut self, instruction: LValue) -> bool {
        let undefined = passes::is_undefined_call(instruction)
            || (matches!(instruction.opcode(), Opcode::LLVMLoad)
                && instruction.operands().first().is_some_and(|pointer| passes::is_uninitialised_memory(*pointer)))
            || (matches!(instruction.opcode(), Opcode::LLVMExtractValue | Opcode::LLVMExtractElement)
                && instruction.operands().first().is_some_and(|operand| self.undefined.contains(operand)));
        if undefined {
            self.undefined.insert(instruction);
        }
        undefined
    }

    fn constant(&mut self, value: LValue) -> Result<Lanes, Unreadable> {
        let ty = value.ty();
        match value.kind() {
            ValueKind::LLVMGlobalVariableValueKind => {
                let array = self.global(value)?;
                let pointer = Type::Pointer(self.kernel.arrays[array].space);
                Ok(vec![self.builder().append(Operation::ArrayBase(array), pointer)])
            }
            ValueKind::LLVMConstantExprValueKind => self.computation(value, value.constant_opcode()),
            ValueKind::LLVMFunctionValueKind => {
                let array = self.function_array(value);
                Ok(vec![self.builder().append(Operation::ArrayBase(array), Type::Pointer(Space::Constant))])
            }
            ValueKind::LLVMConstantPointerNullValueKind => {
                let pointer = Type::Pointer(self.target.space(ty.address_space())?);
                Ok(vec![self.builder().append(Operation::Null, pointer)])
            }
            ValueKind::LLVMConstantTargetNoneValueKind => {
                let lanes = self.lanes(ty)?;
                Ok(lanes.into_iter().map(|lane| self.zero(lane)).collect())
            }
            ValueKind::LLVMConstantIntValueKind | ValueKind::LLVMConstantFPValueKind => {
                let bits = pattern(value).ok_or_else(|| format!("constant {}", value.print()))?;
                let lane = types::scalar(ty, self.target)?;
                Ok(vec![self.builder().append(Operation::Constant(bits), lane)])
            }
            ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind
            | ValueKind::LLVMConstantAggregateZeroValueKind
            | ValueKind::LLVMConstantDataArrayValueKind
            | ValueKind::LLVMConstantDataVectorValueKind => self.constant_aggregate(value),
            _ => Err(format!("constant {}", value.print())),
        }
    }

    fn constant_aggregate(&mut self, value: LValue) -> Result<Lanes, Unreadable> {
        let mut lanes = Lanes::new();
        for index in 0..element_count(value.ty()) {
            let element = value.aggregate_element(index).ok_or_else(|| format!("constant {}", value.print()))?;
            lanes.extend(self.operand(element)?);
        }
        Ok(lanes)
    }

    /// The zero of a type: false, 0, 0.0, null.
    pub fn zero(&mut self, ty: Type) -> lockstep_ir::kernel::Value {
        match ty.width() {
            Some(width) => self.builder().append(Operation::Constant(Bits::zero(width)), ty),
            None => self.builder().append(Operation::Null, ty),
        }
    }

    /// A bit-vector of the offset width made from one of any width, read as signed.
    pub fn signed_offset(&mut self, value: lockstep_ir::kernel::Value) -> lockstep_ir::kernel::Value {
        self.resize(value, ConvertOp::SignExtend)
    }

    /// A bit-vector of the offset width made from one of any width, read as unsigned.
    pub fn unsigned_offset(&mut self, value: lockstep_ir::kernel::Value) -> lockstep_ir::kernel::Value {
        self.resize(value, ConvertOp::ZeroExtend)
    }

    fn resize(&mut self, value: lockstep_ir::kernel::Value, widen: ConvertOp) -> lockstep_ir::kernel::Value {
        let wanted = self.kernel.pointer_bits;
        let width = self.kernel.ty(value).width().unwrap_or(wanted);
        if let Some(constant) = self.kernel.constant(value).cloned() {
            let resized = match widen {
                _ if width >= wanted => constant.extract(wanted - 1, 0),
                ConvertOp::SignExtend => constant.sign_extend(wanted),
                _ => constant.zero_extend(wanted),
            };
            return self.builder().bits(resized);
        }
        let op = if width > wanted { ConvertOp::Truncate } else { widen };
        self.builder().convert(op, value, Type::Bits(wanted))
    }
}

/// The number of elements of a constant aggregate of this type.
pub fn element_count(ty: LType) -> u32 {
    match ty.kind() {
        TypeKind::LLVMStructTypeKind => u32::try_from(ty.fields().len()).unwrap_or(u32::MAX),
        TypeKind::LLVMArrayTypeKind => u32::try_from(ty.array_length()).unwrap_or(u32::MAX),
        TypeKind::LLVMVectorTypeKind => ty.vector_length(),
        _ => 0,
    }
}

/// The bits of a scalar constant.
pub fn pattern(value: LValue) -> Option<Bits> {
    let ty = value.ty();
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => {
            let width = ty.integer_width();
            if let Some(number) = value.small_constant() {
                return Some(Bits::new(width, number));
            }
            // LLVM prints `i128 -12`.
            let text = value.print();
            let number = text.split_whitespace().last()?.parse::<BigInt>().ok()?;
            Some(Bits::from_signed(width, number))
        }
        TypeKind::LLVMHalfTypeKind | TypeKind::LLVMBFloatTypeKind => float_pattern(value, 16),
        TypeKind::LLVMFloatTypeKind => float_pattern(value, 32),
        TypeKind::LLVMDoubleTypeKind => float_pattern(value, 64),
        _ => None,
    }
}

/// LLVM folds the bit-cast of a constant.
fn float_pattern(value: LValue, width: u32) -> Option<Bits> {
    use inkwell::llvm_sys::core as c;
    // SAFETY: a float and an integer of the same width, in the same context.
    let integer = unsafe {
        let ty = c::LLVMIntTypeInContext(c::LLVMGetTypeContext(value.ty().0), width);
        LValue::new(c::LLVMConstBitCast(value.0, ty))
    };
    integer?.small_constant().map(|number| Bits::new(width, number))
}

/// Collects the addresses of functions and variables in an initialiser, with their offsets.
pub fn addresses(value: LValue, offset: u64, layout: Layout, found: &mut Vec<(u64, LValue)>) {
    let ty = value.ty();
    match value.kind() {
        ValueKind::LLVMFunctionValueKind | ValueKind::LLVMGlobalVariableValueKind => found.push((offset, value)),
        ValueKind::LLVMConstantExprValueKind if matches!(value.constant_opcode(), Opcode::LLVMAddrSpaceCast) => {
            value.operands().into_iter().for_each(|operand| addresses(operand, offset, layout, found));
        }
        ValueKind::LLVMConstantArrayValueKind | ValueKind::LLVMConstantStructValueKind => {
            for index in 0..element_count(ty) {
                let at = match ty.kind() {
                    TypeKind::LLVMStructTypeKind => layout.field_offset(ty, index),
                    _ => layout.allocation_bytes(ty.element()) * u64::from(index),
                };
                if let Some(element) = value.aggregate_element(index) {
                    addresses(element, offset + at, layout, found);
                }
            }
        }
        _ => {}
    }
}

/// Writes an initialiser's bytes. `None` for unknown bytes, which are undefined or part of an
/// address.
pub fn write_bytes(value: LValue, offset: u64, layout: Layout, bytes: &mut [u8]) -> Option<()> {
    for_each_part(value, offset, layout, &mut |part, offset| match part.kind() {
        ValueKind::LLVMConstantPointerNullValueKind => Some(()),
        ValueKind::LLVMConstantIntValueKind | ValueKind::LLVMConstantFPValueKind => {
            let number = pattern(part)?.unsigned().to_bytes_le();
            let start = usize::try_from(offset).ok()?;
            bytes.get_mut(start..start + number.len())?.copy_from_slice(&number);
            Some(())
        }
        _ => None,
    })
}

/// Visits the parts of an initialiser that are not aggregates, with their offsets; zeros of whole
/// aggregates are left out. `None` if a visit gives that.
pub fn for_each_part(
    value: LValue,
    offset: u64,
    layout: Layout,
    visit: &mut dyn FnMut(LValue, u64) -> Option<()>,
) -> Option<()> {
    let ty = value.ty();
    match value.kind() {
        ValueKind::LLVMConstantAggregateZeroValueKind => Some(()),
        ValueKind::LLVMConstantArrayValueKind
        | ValueKind::LLVMConstantStructValueKind
        | ValueKind::LLVMConstantVectorValueKind
        | ValueKind::LLVMConstantDataArrayValueKind
        | ValueKind::LLVMConstantDataVectorValueKind => {
            for index in 0..element_count(ty) {
                let at = match ty.kind() {
                    TypeKind::LLVMStructTypeKind => layout.field_offset(ty, index),
                    TypeKind::LLVMVectorTypeKind => layout.store_bytes(ty.element()) * u64::from(index),
                    _ => layout.allocation_bytes(ty.element()) * u64::from(index),
                };
                for_each_part(value.aggregate_element(index)?, offset + at, layout, visit)?;
            }
            Some(())
        }
        _ => visit(value, offset),
    }
}
