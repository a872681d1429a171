//! Calls through function pointers.
//!
//! Before functions are inlined, each call through a pointer becomes a call of a **dispatcher** for
//! its function type. The dispatcher compares the pointer with each function of this type whose
//! address the module takes, and calls the one that it equals. If it equals none of them it calls
//! [`UNKNOWN_TARGET`], which is a defect if it happens. Nothing is lost: a pointer can lead only to
//! a function whose address somebody takes, and a function that another file defines is not known
//! here.

use std::collections::HashMap;
use std::ffi::CString;

use inkwell::llvm_sys::LLVMIntPredicate;
use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::debuginfo as d;
use inkwell::llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};

use super::passes::functions;
use super::raw::{LBlock, LType, LValue, Opcode, TypeKind, ValueKind};

/// The function called for a pointer that leads to no known function.
pub const UNKNOWN_TARGET: &str = "lockstep.unknown.target";

/// The prefix of the names of dispatchers, before a number.
const DISPATCHER: &str = "lockstep.dispatch.";

/// Turns every call through a pointer into a call of a dispatcher.
pub fn run(module: LLVMModuleRef) {
    let all = functions(module);
    let calls: Vec<LValue> = all
        .iter()
        .flat_map(|function| function.blocks())
        .flat_map(LBlock::instructions)
        .filter(|instruction| is_indirect(*instruction))
        .collect();
    if calls.is_empty() {
        return;
    }
    let taken: Vec<LValue> = all.into_iter().filter(|function| is_address_taken(*function)).collect();
    let mut dispatchers: HashMap<LType, LValue> = HashMap::new();
    for call in calls {
        // SAFETY: it is a call.
        let ty = LType(unsafe { c::LLVMGetCalledFunctionType(call.0) });
        let number = dispatchers.len();
        let dispatcher = *dispatchers.entry(ty).or_insert_with(|| {
            let candidates = taken.iter().copied().filter(|function| function.global_type() == ty).collect();
            build(module, ty, number, candidates)
        });
        replace(call, dispatcher);
    }
}

/// Whether an instruction calls through a pointer.
fn is_indirect(instruction: LValue) -> bool {
    matches!(instruction.opcode(), Opcode::LLVMCall)
        && instruction.called().is_some_and(|called| {
            !matches!(called.kind(), ValueKind::LLVMFunctionValueKind | ValueKind::LLVMInlineAsmValueKind)
        })
}

/// Whether a function is used other than by calling it.
fn is_address_taken(function: LValue) -> bool {
    // SAFETY: the uses of a live value.
    unsafe {
        let mut next = c::LLVMGetFirstUse(function.0);
        while !next.is_null() {
            let user = LValue(c::LLVMGetUser(next));
            let is_call =
                matches!(user.kind(), ValueKind::LLVMInstructionValueKind) && matches!(user.opcode(), Opcode::LLVMCall);
            if !is_call || user.call_arguments().contains(&function) {
                return true;
            }
            next = c::LLVMGetNextUse(next);
        }
        false
    }
}

/// The dispatcher of a function type: the pointer comes first, then the arguments.
fn build(module: LLVMModuleRef, ty: LType, number: usize, candidates: Vec<LValue>) -> LValue {
    // SAFETY: everything belongs to the module's context; the builder is disposed of.
    unsafe {
        let context = c::LLVMGetModuleContext(module);
        let result = c::LLVMGetReturnType(ty.0);
        let mut parameters = vec![std::ptr::null_mut(); c::LLVMCountParamTypes(ty.0) as usize];
        c::LLVMGetParamTypes(ty.0, parameters.as_mut_ptr());
        parameters.insert(0, c::LLVMPointerTypeInContext(context, 0));
        let count = u32::try_from(parameters.len()).unwrap_or(u32::MAX);
        let signature = c::LLVMFunctionType(result, parameters.as_mut_ptr(), count, 0);
        let name = CString::new(format!("{DISPATCHER}{number}")).unwrap_or_default();
        let dispatcher = LValue(c::LLVMAddFunction(module, name.as_ptr(), signature));
        c::LLVMSetLinkage(dispatcher.0, LLVMLinkage::LLVMInternalLinkage);
        let given = dispatcher.parameters();
        let mut arguments: Vec<LLVMValueRef> = given[1..].iter().map(|argument| argument.0).collect();
        let builder = c::LLVMCreateBuilderInContext(context);
        let block = || c::LLVMAppendBasicBlockInContext(context, dispatcher.0, c"".as_ptr());
        let mut here = block();
        for candidate in candidates {
            let (found, next) = (block(), block());
            c::LLVMPositionBuilderAtEnd(builder, here);
            let same = LLVMIntPredicate::LLVMIntEQ;
            let same = c::LLVMBuildICmp(builder, same, given[0].0, candidate.0, c"".as_ptr());
            c::LLVMBuildCondBr(builder, same, found, next);
            c::LLVMPositionBuilderAtEnd(builder, found);
            let count = u32::try_from(arguments.len()).unwrap_or(u32::MAX);
            let value = c::LLVMBuildCall2(builder, ty.0, candidate.0, arguments.as_mut_ptr(), count, c"".as_ptr());
            answer(builder, result, value);
            here = next;
        }
        c::LLVMPositionBuilderAtEnd(builder, here);
        let nothing = c::LLVMFunctionType(c::LLVMVoidTypeInContext(context), std::ptr::null_mut(), 0, 0);
        let name = CString::new(UNKNOWN_TARGET).unwrap_or_default();
        let unknown = LValue::new(c::LLVMGetNamedFunction(module, name.as_ptr()))
            .unwrap_or_else(|| LValue(c::LLVMAddFunction(module, name.as_ptr(), nothing)));
        c::LLVMBuildCall2(builder, nothing, unknown.0, std::ptr::null_mut(), 0, c"".as_ptr());
        answer(builder, result, c::LLVMGetUndef(result));
        c::LLVMDisposeBuilder(builder);
        dispatcher
    }
}

/// Returns a value, or nothing.
///
/// # Safety
///
/// The builder stands at the end of a block of a function with this result.
unsafe fn answer(
    builder: inkwell::llvm_sys::prelude::LLVMBuilderRef,
    result: inkwell::llvm_sys::prelude::LLVMTypeRef,
    value: LLVMValueRef,
) {
    unsafe {
        if matches!(LType(result).kind(), TypeKind::LLVMVoidTypeKind) {
            c::LLVMBuildRetVoid(builder);
        } else {
            c::LLVMBuildRet(builder, value);
        }
    }
}

/// Calls the dispatcher in place of the pointer.
fn replace(call: LValue, dispatcher: LValue) {
    // SAFETY: both belong to one module; the call is erased when nothing uses it any more.
    unsafe {
        let context = c::LLVMGetTypeContext(c::LLVMTypeOf(call.0));
        let builder = c::LLVMCreateBuilderInContext(context);
        c::LLVMPositionBuilderBefore(builder, call.0);
        let mut arguments = vec![c::LLVMGetCalledValue(call.0)];
        arguments.extend(call.call_arguments().iter().map(|argument| argument.0));
        let count = u32::try_from(arguments.len()).unwrap_or(u32::MAX);
        let ty = dispatcher.global_type().0;
        let direct = c::LLVMBuildCall2(builder, ty, dispatcher.0, arguments.as_mut_ptr(), count, c"".as_ptr());
        d::LLVMInstructionSetDebugLoc(direct, d::LLVMInstructionGetDebugLoc(call.0));
        c::LLVMReplaceAllUsesWith(call.0, direct);
        c::LLVMInstructionEraseFromParent(call.0);
        c::LLVMDisposeBuilder(builder);
    }
}
