//! The passes over a module before it is imported.
//!
//! They comprise only inlining, SSA construction and the removal of unused functions and variables.
//! None of them moves, merges or deletes a loop or an access to memory that threads share.
//!
//! SSA construction folds `phi [1, %a], [undef, %b]` to `1`, which would hide that a thread may
//! read an uninitialised variable. So every variable is first **pinned**: it starts with the result
//! of an opaque call of `lockstep.undefined.N`, which the import turns into
//! [`Operation::Undefined`](lockstep_ir::kernel::Operation::Undefined), afresh for each use. A
//! variable declared inside the function's body (in a loop, say) is pinned where it is declared,
//! too: there it loses the value of the last iteration. A struct or an array is copied from the
//! opaque memory `lockstep.uninitialised` instead, each load of which is undefined. A copy is split
//! where the kernel's own accesses split the variable, and nowhere else; a store would be split
//! into fields and padding.

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_uint};

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::error::{LLVMConsumeError, LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMModuleRef};
use inkwell::llvm_sys::target::LLVMGetModuleDataLayout;
use inkwell::llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
};
use inkwell::llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage};

use super::raw::{LMetadata, LType, LValue, Layout, MetadataKind, Opcode, TypeKind, ValueKind};
use super::{dispatch, inlining, toolkit};

/// The name of the functions whose results are undefined values, before a number.
pub const UNDEFINED: &str = "lockstep.undefined.";

/// The name of the memory with unknown contents.
const UNINITIALISED: &CStr = c"lockstep.uninitialised";

/// More bytes than any variable has.
const UNINITIALISED_BYTES: u64 = 1 << 30;

/// LLVM's numbers for the calling conventions of kernels (`spir_kernel`, `ptx_kernel`).
const SPIR_KERNEL: c_uint = 76;
pub const PTX_KERNEL: c_uint = 71;

/// The functions of a module, in its order.
pub fn functions(module: LLVMModuleRef) -> Vec<LValue> {
    // SAFETY: the module is alive.
    let first = LValue::new(unsafe { c::LLVMGetFirstFunction(module) });
    std::iter::successors(first, |function| LValue::new(unsafe { c::LLVMGetNextFunction(function.0) })).collect()
}

/// The global variables of a module.
pub fn variables(module: LLVMModuleRef) -> Vec<LValue> {
    // SAFETY: the module is alive, and so are its variables, which form a list.
    let first = LValue::new(unsafe { c::LLVMGetFirstGlobal(module) });
    std::iter::successors(first, |variable| LValue::new(unsafe { c::LLVMGetNextGlobal(variable.0) })).collect()
}

/// Whether a function is a kernel with a body.
pub fn is_kernel(function: LValue) -> bool {
    // SAFETY: `function` is a function.
    let convention = unsafe { c::LLVMGetFunctionCallConv(function.0) };
    !function.is_declaration() && [SPIR_KERNEL, PTX_KERNEL].contains(&convention)
}

/// Whether a value is a call of one of the functions whose results are undefined.
pub fn is_undefined_call(value: LValue) -> bool {
    matches!(value.kind(), ValueKind::LLVMInstructionValueKind)
        && matches!(value.opcode(), Opcode::LLVMCall)
        && value.called().is_some_and(|called| called.name().starts_with(UNDEFINED))
}

/// Whether a pointer leads into the memory with unknown contents.
pub fn is_uninitialised_memory(pointer: LValue) -> bool {
    match pointer.kind() {
        ValueKind::LLVMGlobalVariableValueKind => pointer.name().as_bytes() == UNINITIALISED.to_bytes(),
        ValueKind::LLVMConstantExprValueKind => {
            matches!(pointer.constant_opcode(), Opcode::LLVMGetElementPtr)
                && pointer.operands().first().is_some_and(|base| is_uninitialised_memory(*base))
        }
        _ => false,
    }
}

/// Runs the passes. The error is LLVM's own message.
pub fn run(module: LLVMModuleRef) -> Result<(), String> {
    // SAFETY: the module is alive. The C interface can read debug information in the form of calls.
    unsafe { c::LLVMSetIsNewDbgInfoFormat(module, 0) };
    let defined = || functions(module).into_iter().filter(|function| !function.is_declaration());
    toolkit::run(module);
    dispatch::run(module);
    defined().for_each(mark_for_inlining);
    // This removes unused functions first: a header of which a kernel uses two functions is not to
    // be inlined into itself.
    run_pipeline(module, c"globaldce")?;
    inlining::limit(defined().collect());
    let (mut undefined, mut parameters) = (HashMap::new(), HashMap::new());
    defined().for_each(|function| pin_variables(module, function, &mut undefined, &mut parameters));
    run_pipeline(module, c"always-inline,function(sroa<preserve-cfg>),globaldce")?;
    unsafe { c::LLVMSetIsNewDbgInfoFormat(module, 0) };
    Ok(())
}

pub fn run_pipeline(module: LLVMModuleRef, pipeline: &CStr) -> Result<(), String> {
    // SAFETY: the passes need no target machine; options and message are disposed of once.
    unsafe {
        let options = LLVMCreatePassBuilderOptions();
        let error = LLVMRunPasses(module, pipeline.as_ptr(), std::ptr::null_mut(), options);
        LLVMDisposePassBuilderOptions(options);
        if error.is_null() {
            return Ok(());
        }
        let message = LLVMGetErrorMessage(error);
        if message.is_null() {
            LLVMConsumeError(error);
            return Err("the passes failed".into());
        }
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(text)
    }
}

fn pin_variables(
    module: LLVMModuleRef,
    function: LValue,
    undefined: &mut HashMap<LType, LValue>,
    parameters: &mut HashMap<LMetadata, bool>,
) {
    let blocks = function.blocks();
    let Some(&entry) = blocks.first() else { return };
    for block in &blocks {
        for instruction in block.instructions() {
            match instruction.opcode() {
                Opcode::LLVMAlloca => {
                    if let Some(next) = instruction.next_instruction() {
                        pin(module, instruction, next, undefined);
                    }
                }
                // A parameter's own variable is declared in the entry block, after its store: not
                // pinned again.
                Opcode::LLVMCall if *block != entry => {
                    if let (Some(variable), Some(next)) =
                        (declared(instruction, parameters), instruction.next_instruction())
                    {
                        pin(module, variable, next, undefined);
                    }
                }
                _ => {}
            }
        }
    }
}

/// The variable that a call of `llvm.dbg.declare` declares, if it is not a parameter.
///
/// The parameters of functions that were inlined before this pass have their values by then.
fn declared(call: LValue, parameters: &mut HashMap<LMetadata, bool>) -> Option<LValue> {
    // SAFETY: a cast that answers null where it does not apply.
    LValue::new(unsafe { c::LLVMIsADbgDeclareInst(call.0) })?;
    let arguments = call.call_arguments();
    let described = *arguments.get(1)?;
    if *parameters.entry(described.metadata()?).or_insert_with(|| describes_parameter(described)) {
        return None;
    }
    let variable = arguments.first()?.metadata()?.value(call.ty())?;
    let is_alloca = matches!(variable.kind(), ValueKind::LLVMInstructionValueKind)
        && matches!(variable.opcode(), Opcode::LLVMAlloca);
    is_alloca.then_some(variable)
}

/// Whether an argument of type `metadata` describes a parameter's variable.
///
/// The C interface has the number of a parameter only in the printed node, and printing numbers all
/// nodes of the module. Variables of inner blocks, which are the most, are known by their scope.
fn describes_parameter(variable: LValue) -> bool {
    let scope = variable.metadata().and_then(LMetadata::variable_scope);
    let in_block = scope.is_some_and(|scope| matches!(scope.kind(), MetadataKind::LLVMDILexicalBlockMetadataKind));
    !in_block && variable.print().contains(", arg: ")
}

/// Makes a variable uninitialised, before an instruction.
fn pin(module: LLVMModuleRef, variable: LValue, before: LValue, undefined: &mut HashMap<LType, LValue>) {
    // SAFETY: `variable` is an alloca; the builder is disposed of.
    unsafe {
        let ty = LType(c::LLVMGetAllocatedType(variable.0));
        let builder = c::LLVMCreateBuilderInContext(c::LLVMGetTypeContext(ty.0));
        c::LLVMPositionBuilderBefore(builder, before.0);
        c::LLVMSetCurrentDebugLocation2(builder, inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(before.0));
        match variable.operands().first().and_then(|count| count.small_constant()) {
            Some(1) if is_single_value(ty) => store_undefined(module, builder, variable, ty, undefined),
            Some(count) => copy_uninitialised(module, builder, variable, ty, count),
            // Refused when it is imported.
            None => {}
        }
        c::LLVMDisposeBuilder(builder);
    }
}

/// Stores an undefined value.
///
/// # Safety
///
/// `variable` is an alloca of this type in the module that the builder builds in.
unsafe fn store_undefined(
    module: LLVMModuleRef,
    builder: LLVMBuilderRef,
    variable: LValue,
    ty: LType,
    undefined: &mut HashMap<LType, LValue>,
) {
    let number = undefined.len();
    unsafe {
        let signature = c::LLVMFunctionType(ty.0, std::ptr::null_mut(), 0, 0);
        let callee = *undefined.entry(ty).or_insert_with(|| {
            let name = CString::new(format!("{UNDEFINED}{number}")).unwrap_or_default();
            LValue(c::LLVMAddFunction(module, name.as_ptr(), signature))
        });
        let value = c::LLVMBuildCall2(builder, signature, callee.0, std::ptr::null_mut(), 0, c"".as_ptr());
        c::LLVMBuildStore(builder, value, variable.0);
    }
}

/// Copies from the memory with unknown contents.
///
/// # Safety
///
/// `variable` is an alloca of this many values of this type in the module that the builder builds
/// in.
unsafe fn copy_uninitialised(module: LLVMModuleRef, builder: LLVMBuilderRef, variable: LValue, ty: LType, count: u64) {
    unsafe {
        let layout = Layout(LLVMGetModuleDataLayout(module));
        let bytes = layout.allocation_bytes(ty).saturating_mul(count);
        let context = c::LLVMGetTypeContext(ty.0);
        let found = c::LLVMGetNamedGlobal(module, UNINITIALISED.as_ptr());
        let memory = if found.is_null() {
            let byte = c::LLVMInt8TypeInContext(context);
            c::LLVMAddGlobal(module, c::LLVMArrayType2(byte, UNINITIALISED_BYTES), UNINITIALISED.as_ptr())
        } else {
            found
        };
        let bytes = c::LLVMConstInt(c::LLVMInt64TypeInContext(context), bytes, 0);
        c::LLVMBuildMemCpy(builder, variable.0, 1, memory, 1, bytes);
    }
}

/// Whether a type is a scalar's or a vector's.
fn is_single_value(ty: LType) -> bool {
    !matches!(ty.kind(), TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind)
}

fn mark_for_inlining(function: LValue) {
    let kind = |name: &str| unsafe { c::LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
    // SAFETY: `function` is a function, the attribute kinds exist.
    unsafe {
        for attribute in ["noinline", "optnone"] {
            c::LLVMRemoveEnumAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, kind(attribute));
        }
        let context = c::LLVMGetTypeContext(c::LLVMTypeOf(function.0));
        let attribute = c::LLVMCreateEnumAttribute(context, kind("alwaysinline"), 0);
        c::LLVMAddAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, attribute);
        if !is_kernel(function) {
            c::LLVMSetLinkage(function.0, LLVMLinkage::LLVMInternalLinkage);
        }
    }
}
