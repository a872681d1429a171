//! Launches as nodes of graphs: `cudaGraphAddKernelNode` and its like.
//!
//! The host describes the launch in a struct, and passes its address:
//!
//! ```text
//! cudaKernelNodeParams params = {0};
//! params.func = (void *)kernel; params.gridDim = dim3(4); params.blockDim = dim3(64); …
//! cudaGraphAddKernelNode(&node, graph, dependencies, count, &params);
//! ```
//!
//! The function only reads the struct. So a marker with the fields goes in front of the call
//! ([`super::launches`]), and their values are those that were stored last. A kernel's address that
//! is stored in a struct which is used in no other way does not escape.

use inkwell::llvm_sys::LLVMAttributeIndex;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMModuleRef, LLVMValueRef};

use super::aliases::toolkit_function;
use super::launches::{attribute_kind, chosen_from, launched_by, name_of_called, place};
use super::raw::{LValue, Opcode, TypeKind, ValueKind};

/// The functions that take such a struct, and the index of its address among their arguments.
const NODES: [(&str, u32); 3] =
    [("GraphAddKernelNode", 4), ("GraphKernelNodeSetParams", 1), ("GraphExecKernelNodeSetParams", 2)];

/// The offsets in the struct, in bytes.
const GRID: [u64; 3] = [8, 12, 16];
const BLOCK: [u64; 3] = [20, 24, 28];
const SHARED: u64 = 32;

/// The address of the struct that a call describes a launch with.
pub fn described_by(call: LValue) -> Option<LValue> {
    let name = toolkit_function(call)?;
    let (_, index) = NODES.iter().find(|(known, _)| *known == name)?;
    let described = call.call_arguments().get(usize::try_from(*index).ok()?).copied()?;
    let is_toolkits = call.called().is_some_and(LValue::is_declaration);
    (is_toolkits && matches!(described.ty().kind(), TypeKind::LLVMPointerTypeKind)).then_some(described)
}

/// Whether a call describes a launch whose kernel is not followed: it may be any.
pub fn describes_unknown(call: LValue) -> bool {
    let is_call = matches!(call.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke);
    is_call && described_by(call).is_some() && !is_known(call)
}

/// Marks a call as one that only reads the struct.
pub fn only_reads(module: LLVMModuleRef, call: LValue) {
    let name = toolkit_function(call).unwrap_or_default();
    let Some((_, index)) = NODES.iter().find(|(known, _)| *known == name) else { return };
    for attribute in ["readonly", "nocapture"] {
        // SAFETY: the attribute belongs to the call's context, and the call has the argument.
        unsafe {
            let kind = attribute_kind(attribute);
            let attribute = c::LLVMCreateEnumAttribute(c::LLVMGetModuleContext(module), kind, 0);
            c::LLVMAddCallSiteAttribute(call.0, *index as LLVMAttributeIndex + 1, attribute);
        }
    }
}

/// The operands of a marker: groups, threads, bytes of shared memory, kernel.
///
/// # Safety
///
/// The builder stands in front of the call with the struct, in its block.
pub unsafe fn fields(builder: LLVMBuilderRef, module: LLVMModuleRef, described: LValue) -> Vec<LLVMValueRef> {
    unsafe {
        let context = c::LLVMGetModuleContext(module);
        let (byte, word) = (c::LLVMInt8TypeInContext(context), c::LLVMInt32TypeInContext(context));
        let (long, pointer) = (c::LLVMInt64TypeInContext(context), c::LLVMPointerTypeInContext(context, 0));
        let read = |at: u64, ty| {
            let mut index = [c::LLVMConstInt(long, at, 0)];
            let place = c::LLVMBuildGEP2(builder, byte, described.0, index.as_mut_ptr(), 1, c"".as_ptr());
            c::LLVMBuildLoad2(builder, ty, place, c"".as_ptr())
        };
        let mut all: Vec<LLVMValueRef> = GRID.iter().chain(&BLOCK).map(|&at| read(at, word)).collect();
        all.push(c::LLVMBuildZExt(builder, read(SHARED, word), long, c"".as_ptr()));
        all.push(read(0, pointer));
        all
    }
}

/// Whether an instruction stores a kernel's address in such a struct, all of whose uses are known.
pub fn is_stored_for_node(store: LValue, kernel: LValue) -> bool {
    if !matches!(store.opcode(), Opcode::LLVMStore) || store.operands()[0] != kernel {
        return false;
    }
    let mut object = store.operands()[1];
    while is(object, Opcode::LLVMGetElementPtr) {
        object = object.operands()[0];
    }
    is(object, Opcode::LLVMAlloca) && is_only_described(object)
}

fn is(value: LValue, opcode: Opcode) -> bool {
    matches!(value.kind(), ValueKind::LLVMInstructionValueKind) && value.opcode() == opcode
}

/// Whether the struct at an address is only stored to, loaded from, and passed for launches whose
/// kernels are known.
fn is_only_described(address: LValue) -> bool {
    address.users().into_iter().all(|user| match user.opcode() {
        // A number of the struct, not the kernel.
        Opcode::LLVMLoad => {
            matches!(user.ty().kind(), TypeKind::LLVMIntegerTypeKind) && user.ty().integer_width() <= 32
        }
        Opcode::LLVMStore => user.operands()[0] != address,
        Opcode::LLVMGetElementPtr => is_only_described(user),
        Opcode::LLVMCall | Opcode::LLVMInvoke => {
            let name = name_of_called(user).unwrap_or_default();
            // A copy of the struct is not followed.
            let is_copied = (name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove"))
                && user.call_arguments().get(1) == Some(&address);
            (name.starts_with("llvm.") && !is_copied) || described_by(user) == Some(address) && is_known(user)
        }
        _ => false,
    })
}

/// Whether the marker of a call names all kernels that it may launch. A marker without a known
/// place is none of the verified launches.
fn is_known(call: LValue) -> bool {
    // SAFETY: it is an instruction, and so are those before it.
    let before = |instruction: &LValue| LValue::new(unsafe { c::LLVMGetPreviousInstruction(instruction.0) });
    let earlier = std::iter::successors(before(&call), before);
    let mut earlier = earlier.take_while(|one| described_by(*one).is_none());
    let marker = earlier.find(|one| launched_by(*one).is_some() && place(*one).is_some());
    marker.and_then(launched_by).is_some_and(are_all_functions)
}

/// Whether a pointer is one of some functions, or null.
fn are_all_functions(pointer: LValue) -> bool {
    let is_known = |value: &LValue| {
        matches!(value.kind(), ValueKind::LLVMFunctionValueKind | ValueKind::LLVMConstantPointerNullValueKind)
    };
    chosen_from(pointer).iter().all(is_known)
}
