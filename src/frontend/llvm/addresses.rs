//! Integer parameters of kernels that become pointers.
//!
//! Interpreted languages like to pass addresses as numbers. Such a parameter points to memory of
//! its own, like a pointer parameter, and the number is its address. The report lists it. Without
//! this rule it would lead anywhere. An integer that is only added to an address may be a distance,
//! and stays a number.

use inkwell::llvm_sys::core as c;
use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::{ArrayData, ArrayOrigin, Operation, ParameterKind, Space, Type};

use super::kernels::Importer;
use super::raw::{LValue, Opcode, TypeKind, ValueKind};

/// The width of a pointer: CUDA's all have the same.
const ADDRESS_BITS: u32 = 64;

/// Whether an integer parameter itself becomes a pointer.
pub fn is_address(parameter: LValue) -> bool {
    if !matches!(parameter.ty().kind(), TypeKind::LLVMIntegerTypeKind) || parameter.ty().integer_width() != ADDRESS_BITS
    {
        return false;
    }
    // SAFETY: these are the uses of a live value, each of which has a user.
    unsafe {
        let mut next = c::LLVMGetFirstUse(parameter.0);
        while !next.is_null() {
            let user = LValue(c::LLVMGetUser(next));
            let is_instruction = matches!(user.kind(), ValueKind::LLVMInstructionValueKind);
            if is_instruction && matches!(user.opcode(), Opcode::LLVMIntToPtr) {
                return true;
            }
            next = c::LLVMGetNextUse(next);
        }
    }
    false
}

impl Importer<'_> {
    /// Imports such a parameter.
    pub fn import_address(&mut self, parameter: LValue, name: &str) -> ParameterKind {
        self.assume_here(Assumed::IntegerIsAddress { name: name.to_owned() });
        let array = self.kernel.arrays.push(ArrayData {
            name: name.to_owned(),
            space: Space::Global,
            origin: ArrayOrigin::Parameter,
            element: None,
            size: None,
            contents: None,
            volatile: false,
            sized_by: None,
            restrict: false,
            nonzero: false,
            location: self.kernel.location,
        });
        let mut builder = self.builder();
        let base = builder.append(Operation::ArrayBase(array), Type::Pointer(Space::Global));
        let number = builder.append(Operation::PointerToInteger(base), Type::Bits(ADDRESS_BITS));
        self.name_value(number, name);
        self.values.insert(parameter, vec![number]);
        ParameterKind::Pointer(array)
    }
}
