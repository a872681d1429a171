//! Constants and initialisers, with the addresses of objects as numbers.

use inkwell::llvm_sys::core as c;

use super::Objects;
use super::function::{Number, Unknown};
use crate::llvm::raw::{LType, LValue, Opcode, TypeKind, ValueKind};
use crate::llvm::values::{element_count, for_each_part, pattern};

/// The deepest constant that is looked into.
const DEEPEST: u32 = 32;

impl Objects {
    /// The numbers of a constant, one for each of its slots.
    pub(super) fn constant(&self, value: LValue, numbers: &mut Vec<u64>) -> Result<(), Unknown> {
        self.constant_at(value, numbers, 0)
    }

    fn constant_at(&self, value: LValue, numbers: &mut Vec<u64>, depth: u32) -> Result<(), Unknown> {
        match value.kind() {
            _ if depth > DEEPEST => return Err("a constant that is nested too deeply".into()),
            ValueKind::LLVMUndefValueValueKind
            | ValueKind::LLVMPoisonValueKind
            | ValueKind::LLVMConstantAggregateZeroValueKind
            | ValueKind::LLVMConstantPointerNullValueKind => {
                numbers.extend(self.numbers(value.ty())?.iter().map(|_| 0));
            }
            ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind
            | ValueKind::LLVMConstantDataArrayValueKind
            | ValueKind::LLVMConstantDataVectorValueKind => {
                self.numbers(value.ty())?;
                for index in 0..element_count(value.ty()) {
                    let element = value.aggregate_element(index).ok_or("a constant without elements")?;
                    self.constant_at(element, numbers, depth + 1)?;
                }
            }
            _ => numbers.push(self.number(value, depth)?),
        }
        Ok(())
    }

    /// A constant that is a single number.
    fn number(&self, value: LValue, depth: u32) -> Result<u64, Unknown> {
        if depth > DEEPEST {
            return Err("a constant that is nested too deeply".into());
        }
        let not_known = || Unknown::from("a constant of an unknown kind");
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind => {
                value.small_constant().ok_or_else(|| "a number of more than 64 bits".into())
            }
            ValueKind::LLVMConstantFPValueKind if matches!(value.ty().kind(), TypeKind::LLVMX86_FP80TypeKind) => {
                let mut is_rounded = 0;
                // SAFETY: it is a constant float.
                Ok(unsafe { c::LLVMConstRealGetDouble(value.0, &raw mut is_rounded) }.to_bits())
            }
            ValueKind::LLVMConstantFPValueKind => {
                pattern(value).and_then(|bits| bits.to_u64()).ok_or_else(|| "a float of an unknown format".into())
            }
            ValueKind::LLVMConstantPointerNullValueKind
            | ValueKind::LLVMUndefValueValueKind
            | ValueKind::LLVMPoisonValueKind => Ok(0),
            ValueKind::LLVMGlobalVariableValueKind | ValueKind::LLVMFunctionValueKind => {
                self.addresses.get(&value).copied().ok_or_else(not_known)
            }
            ValueKind::LLVMGlobalAliasValueKind => {
                // SAFETY: it is an alias.
                let target = LValue::new(unsafe { c::LLVMAliasGetAliasee(value.0) }).ok_or_else(not_known)?;
                self.number(target, depth + 1)
            }
            ValueKind::LLVMConstantExprValueKind => self.expression(value, depth),
            _ => Err(not_known()),
        }
    }

    fn expression(&self, value: LValue, depth: u32) -> Result<u64, Unknown> {
        let operands = value.operands();
        let number = |index: usize| {
            let operand = operands.get(index).ok_or("a constant without operands")?;
            self.number(*operand, depth + 1)
        };
        match value.constant_opcode() {
            Opcode::LLVMGetElementPtr => {
                let mut address = number(0)?;
                for (index, scale) in self.element_steps(value)? {
                    let index = match index {
                        Some(index) => signed(index.ty(), self.number(index, depth + 1)?),
                        None => 1,
                    };
                    address = address.wrapping_add(index.wrapping_mul(scale));
                }
                Ok(address)
            }
            Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr | Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast => number(0),
            Opcode::LLVMTrunc => Ok(masked(value.ty(), number(0)?)),
            Opcode::LLVMAdd => Ok(masked(value.ty(), number(0)?.wrapping_add(number(1)?))),
            Opcode::LLVMSub => Ok(masked(value.ty(), number(0)?.wrapping_sub(number(1)?))),
            other => Err(format!("a constant made by {other:?}").into()),
        }
    }

    /// The terms of the offset that `getelementptr` adds: an index, or nothing for 1, and the bytes
    /// that it counts.
    pub(super) fn element_steps(&self, value: LValue) -> Result<Vec<(Option<LValue>, u64)>, Unknown> {
        // SAFETY: it is a `getelementptr`, as an instruction or a constant.
        let mut ty = LType(unsafe { c::LLVMGetGEPSourceElementType(value.0) });
        let mut steps = Vec::new();
        for (position, index) in value.operands().into_iter().skip(1).enumerate() {
            if matches!(index.ty().kind(), TypeKind::LLVMVectorTypeKind) {
                return Err("a vector of addresses".into());
            }
            if position == 0 {
                steps.push((Some(index), self.layout.allocation_bytes(ty)));
                continue;
            }
            match ty.kind() {
                TypeKind::LLVMStructTypeKind => {
                    let field = index.small_constant().and_then(|field| u32::try_from(field).ok());
                    let field = field.ok_or("a field that is not constant")?;
                    steps.push((None, self.layout.field_offset(ty, field)));
                    let at = usize::try_from(field).unwrap_or(usize::MAX);
                    ty = *ty.fields().get(at).ok_or("a field that does not exist")?;
                }
                TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => {
                    ty = ty.element();
                    steps.push((Some(index), self.layout.allocation_bytes(ty)));
                }
                _ => return Err("an element of something without elements".into()),
            }
        }
        Ok(steps)
    }

    /// Writes the contents of an initialiser. `None` if they cannot be told.
    pub(super) fn write(&self, value: LValue, bytes: &mut [u8]) -> Option<()> {
        for_each_part(value, 0, self.layout, &mut |part, offset| {
            if matches!(part.kind(), ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind) {
                return Some(());
            }
            let number = self.number(part, 0).ok()?;
            let count = usize::from(Number::of(part.ty())?.bytes);
            let start = usize::try_from(offset).ok()?;
            bytes.get_mut(start..start + count)?.copy_from_slice(&number.to_le_bytes()[..count]);
            Some(())
        })
    }
}

/// A number of an integer type, extended to 64 bits.
fn signed(ty: LType, number: u64) -> u64 {
    let unused = 64 - ty.integer_width().clamp(1, 64);
    u64::from_ne_bytes((i64::from_ne_bytes((number << unused).to_ne_bytes()) >> unused).to_ne_bytes())
}

/// The bits of a number that a type has.
fn masked(ty: LType, number: u64) -> u64 {
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => number & (u64::MAX >> (64 - ty.integer_width().clamp(1, 64))),
        _ => number,
    }
}
