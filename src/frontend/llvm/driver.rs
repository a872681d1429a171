//! Launches through the driver: kernels by name, `cuModuleGetFunction` and `cuLaunchKernel`.
//!
//! A host looks a kernel up by its name, gets a **handle**, and launches that:
//!
//! ```text
//! cuModuleGetFunction(&handle, module, "name");
//! cuLaunchKernel(handle, gx, gy, gz, bx, by, bz, shared, stream, arguments, extra);
//! ```
//!
//! The function that looks up gets a body ([`define_lookups`]): it stores the result of a call of
//! [`NAMED`], which only computes. It is inlined, and the handle of a launch is then often such a
//! call ([`handles_of`]). A variable of the program that is only loaded and stored is followed,
//! whichever comes first: it may have any of the values. Any other handle may be any kernel's, and
//! so is one whose name is not constant: every kernel may have unknown launches there
//! ([`escapes`]). A lookup that fails leaves the handle as it was.

use std::collections::BTreeSet;

use inkwell::llvm_sys::LLVMIntPredicate::LLVMIntEQ;
use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::graphs;
use super::launches::{Place, add_attribute, chooses, chosen_from, launched_by, name_of_called, place};
use super::opencl_host::text;
use super::passes::functions;
use super::raw::{LBlock, LType, LValue, Opcode, TypeKind, ValueKind};

/// The function of the handle of the kernel with a name: module and name.
const NAMED: &str = "lockstep.kernel.named";

/// The function of the status of a lookup, which is any: module and name.
const STATUS: &str = "lockstep.lookup.status";

/// The driver's functions that look up a kernel: place of the handle, module, name.
pub const LOOKUPS: [&str; 3] = ["cuModuleGetFunction", "cuLibraryGetKernel", "hipModuleGetFunction"];

/// The driver's functions that launch a handle: handle, three numbers of groups, three of threads,
/// bytes of shared memory, stream, arguments.
const LAUNCHING: [&str; 4] =
    ["cuLaunchKernel", "cuLaunchCooperativeKernel", "hipModuleLaunchKernel", "hipModuleLaunchCooperativeKernel"];

/// The functions that take a handle, neither launch it nor make another of it.
const HARMLESS: [&str; 10] = [
    "cuFuncGetAttribute",
    "cuFuncGetName",
    "cuFuncSetAttribute",
    "cuFuncSetCacheConfig",
    "cuFuncSetSharedMemConfig",
    "cuKernelGetAttribute",
    "cuKernelSetAttribute",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    "cuOccupancyMaxPotentialBlockSize",
    "hipFuncGetAttribute",
];

/// Whether a function launches handles.
pub fn is_launch_function(name: &str) -> bool {
    LAUNCHING.contains(&name)
}

/// Whether a function looks up kernels or launches handles.
pub fn is_of_driver(name: &str) -> bool {
    LOOKUPS.contains(&name) || is_launch_function(name)
}

/// Gives the functions that look up kernels their bodies, which are inlined.
pub fn define_lookups(module: LLVMModuleRef) {
    for function in functions(module).into_iter().filter(|function| function.is_declaration()) {
        if let [to, of, name] = function.parameters()[..]
            && LOOKUPS.contains(&function.name().as_str())
            && [to, of, name].iter().all(|parameter| matches!(parameter.ty().kind(), TypeKind::LLVMPointerTypeKind))
            && returns_integer(function)
        {
            define(module, function, [to, of, name]);
        }
    }
}

fn returns_integer(function: LValue) -> bool {
    // SAFETY: it is a function.
    let result = LType(unsafe { c::LLVMGetReturnType(c::LLVMGlobalGetValueType(function.0)) });
    matches!(result.kind(), TypeKind::LLVMIntegerTypeKind)
}

fn define(module: LLVMModuleRef, function: LValue, [to, of, name]: [LValue; 3]) {
    // SAFETY: the function belongs to the module, which is alive, and has no body yet; the
    // operands are its parameters, which are pointers, and it returns an integer.
    unsafe {
        let context = c::LLVMGetModuleContext(module);
        let builder = c::LLVMCreateBuilderInContext(context);
        c::LLVMPositionBuilderAtEnd(builder, c::LLVMAppendBasicBlockInContext(context, function.0, c"".as_ptr()));
        let pointer = c::LLVMPointerTypeInContext(context, 0);
        let integer = c::LLVMGetReturnType(c::LLVMGlobalGetValueType(function.0));
        let call = |callee: &str, result| {
            let ty = c::LLVMFunctionType(result, [pointer; 2].as_mut_ptr(), 2, 0);
            let symbol = std::ffi::CString::new(callee).unwrap_or_default();
            let known = LValue::new(c::LLVMGetNamedFunction(module, symbol.as_ptr()));
            let callee = known.unwrap_or_else(|| LValue(c::LLVMAddFunction(module, symbol.as_ptr(), ty)));
            add_attribute(module, callee, "nounwind", 0);
            add_attribute(module, callee, "willreturn", 0);
            add_attribute(module, callee, "memory", 0);
            c::LLVMBuildCall2(builder, ty, callee.0, [of.0, name.0].as_mut_ptr(), 2, c"".as_ptr())
        };
        let (handle, status) = (call(NAMED, pointer), call(STATUS, integer));
        let succeeds = c::LLVMBuildICmp(builder, LLVMIntEQ, status, c::LLVMConstInt(integer, 0, 0), c"".as_ptr());
        let before = c::LLVMBuildLoad2(builder, pointer, to.0, c"".as_ptr());
        let stored = c::LLVMBuildSelect(builder, succeeds, handle, before, c"".as_ptr());
        c::LLVMBuildStore(builder, stored, to.0);
        c::LLVMBuildRet(builder, status);
        c::LLVMSetLinkage(function.0, LLVMLinkage::LLVMInternalLinkage);
        c::LLVMDisposeBuilder(builder);
        add_attribute(module, function, "alwaysinline", 0);
    }
}

/// The kernels that a launched value may be.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Handles {
    /// The kernels' names in their modules.
    pub names: BTreeSet<String>,
    /// Whether it may be any other kernel, too.
    pub is_unknown: bool,
}

/// The kernels that a value may be the handle of.
pub fn handles_of(value: LValue) -> Handles {
    let mut found = Handles::default();
    let (mut pending, mut seen) = (vec![value], BTreeSet::new());
    while let Some(value) = pending.pop() {
        for value in chosen_from(value).into_iter().filter(|value| seen.insert(value.0.addr())) {
            let is_instruction = matches!(value.kind(), ValueKind::LLVMInstructionValueKind);
            if let Some(variable) = is_instruction.then(|| loaded_from(value)).flatten() {
                pending.extend(stored_in(variable));
            } else if is_lookup(value) {
                let name = name_looked_up(value);
                found.is_unknown |= name.is_none();
                found.names.extend(name);
            } else {
                // No kernel has the handle null.
                found.is_unknown |= !matches!(
                    value.kind(),
                    ValueKind::LLVMConstantPointerNullValueKind
                        | ValueKind::LLVMUndefValueValueKind
                        | ValueKind::LLVMPoisonValueKind
                );
            }
        }
    }
    found
}

/// The variable that a load reads, if it is a pointer that the program only loads and stores as a
/// whole.
fn loaded_from(load: LValue) -> Option<LValue> {
    let is_load = matches!(load.opcode(), Opcode::LLVMLoad);
    load.operands().first().copied().filter(|variable| is_load && is_pointer_of_program(*variable))
}

/// Whether a variable of a file is a pointer whose address goes nowhere: no other file may store
/// something in it.
fn is_pointer_of_program(variable: LValue) -> bool {
    let is_variable = matches!(variable.kind(), ValueKind::LLVMGlobalVariableValueKind);
    let is_pointer = is_variable && matches!(variable.global_type().kind(), TypeKind::LLVMPointerTypeKind);
    let is_whole = |user: &LValue| {
        let is_instruction = matches!(user.kind(), ValueKind::LLVMInstructionValueKind);
        match is_instruction.then(|| (user.opcode(), user.operands())) {
            Some((Opcode::LLVMLoad, _)) => matches!(user.ty().kind(), TypeKind::LLVMPointerTypeKind),
            Some((Opcode::LLVMStore, operands)) => {
                operands[0] != variable && matches!(operands[0].ty().kind(), TypeKind::LLVMPointerTypeKind)
            }
            _ => false,
        }
    };
    is_pointer && variable.is_internal() && variable.users().iter().all(is_whole)
}

/// The values that such a variable may have.
fn stored_in(variable: LValue) -> Vec<LValue> {
    let stores = variable.users().into_iter().filter(|user| matches!(user.opcode(), Opcode::LLVMStore));
    let stored = stores.filter_map(|store| store.operands().first().copied());
    // SAFETY: it is a global variable.
    stored.chain(LValue::new(unsafe { c::LLVMGetInitializer(variable.0) })).collect()
}

/// Whether a value is a handle where it is looked up.
fn is_lookup(value: LValue) -> bool {
    matches!(value.kind(), ValueKind::LLVMInstructionValueKind)
        && name_of_called(value).is_some_and(|name| name == NAMED)
}

/// The name that a lookup gives, if it is constant.
fn name_looked_up(lookup: LValue) -> Option<String> {
    lookup.call_arguments().get(1).and_then(|name| text(*name))
}

/// The places at which kernels may be launched in unknown ways, with the kernel's name in its
/// module. Without a name it may be any kernel.
pub fn escapes(module: LLVMModuleRef) -> Vec<(Option<String>, Place)> {
    let mut found = BTreeSet::new();
    for instruction in functions(module).into_iter().flat_map(LValue::blocks).flat_map(LBlock::instructions) {
        let at = |instruction: LValue| place(instruction).unwrap_or_default();
        if is_lookup(instruction) {
            found.extend(goes_elsewhere(instruction).map(|user| (name_looked_up(instruction), at(user))));
        }
        if graphs::describes_unknown(instruction) {
            found.insert((None, at(instruction)));
        }
        if calls_launch(instruction) {
            let is_marked = marker_of(instruction).is_some_and(|marker| place(marker).is_some());
            let launched = instruction.call_arguments().first().map(|handle| handles_of(*handle)).unwrap_or_default();
            if launched.is_unknown || !is_marked {
                found.insert((None, at(instruction)));
            }
        }
    }
    found.into_iter().collect()
}

fn calls_launch(instruction: LValue) -> bool {
    name_of_called(instruction).is_some_and(|name| is_launch_function(&name))
}

/// The marker in front of a call that launches a handle.
fn marker_of(call: LValue) -> Option<LValue> {
    // SAFETY: it is an instruction of a block.
    let before = LValue::new(unsafe { c::LLVMGetPreviousInstruction(call.0) })?;
    (launched_by(before)? == *call.call_arguments().first()?).then_some(before)
}

/// An instruction through which a handle goes where it is not followed.
fn goes_elsewhere(handle: LValue) -> Option<LValue> {
    let (mut pending, mut seen) = (vec![handle], BTreeSet::new());
    while let Some(value) = pending.pop() {
        if !seen.insert(value.0.addr()) {
            continue;
        }
        for user in value.users() {
            let is_instruction = matches!(user.kind(), ValueKind::LLVMInstructionValueKind);
            let variable = stored_to(user, value);
            if is_instruction && chooses(user) {
                pending.push(user);
            } else if let Some(variable) = variable {
                pending.extend(variable.users().into_iter().filter(|user| matches!(user.opcode(), Opcode::LLVMLoad)));
            } else if !is_instruction || !is_accounted_for(user, value) {
                return Some(if is_instruction { user } else { handle });
            }
        }
    }
    None
}

/// The variable in which an instruction stores a value, if each load of it is followed.
fn stored_to(store: LValue, value: LValue) -> Option<LValue> {
    let is_instruction = matches!(store.kind(), ValueKind::LLVMInstructionValueKind);
    let is_store = is_instruction && matches!(store.opcode(), Opcode::LLVMStore);
    let operands = if is_store { store.operands() } else { return None };
    (operands[0] == value && is_pointer_of_program(operands[1])).then_some(operands[1])
}

/// Whether an instruction uses a handle in a known way.
fn is_accounted_for(user: LValue, handle: LValue) -> bool {
    if matches!(user.opcode(), Opcode::LLVMICmp) || launched_by(user) == Some(handle) {
        return true;
    }
    let Some(name) = name_of_called(user) else { return false };
    let only_first = || user.call_arguments().iter().skip(1).all(|argument| *argument != handle);
    let is_harmless = name.starts_with("llvm.") || HARMLESS.contains(&name.as_str());
    is_harmless || is_launch_function(&name) && only_first()
}
