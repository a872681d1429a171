//! Contracts and axioms, before functions are inlined.
//!
//! A **postcondition** is written at the beginning of its function and applies to its end. It
//! refers to parameters and variables by their values at the beginning. It refers to the result
//! ([`__return_val_*`]), to accesses, to being enabled and to shared memory by their state at the
//! end. So the part that depends on the state at the end is computed once more before each return.
//! It is stated there by a call of [`ENSURED`] or [`GLOBALLY_ENSURED`]. A postcondition that cannot
//! be moved, because it needs a branch, stays where it is, and is an error. [`misplaced`] finds
//! annotations in the wrong place. The postconditions of functions that are only [`specified`] are
//! assumptions.
//!
//! An **axiom** is a function without parameters; each kernel begins with its precondition.

mod misplaced;
mod specified;

use std::collections::HashMap;
use std::ffi::CString;

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::debuginfo as d;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMModuleRef};

use super::annotations::plain;
use super::passes::{functions, is_kernel};
use super::raw::{LBlock, LType, LValue, Opcode, TypeKind, ValueKind};
pub use misplaced::MISPLACED;
pub use specified::{ANYWHERE, HAPPENS, READS, WRITES};

/// States a postcondition at the end of its function.
pub const ENSURED: &str = "lockstep.ensured";

/// States a postcondition at the end of its function, whether or not the thread is active there.
pub const GLOBALLY_ENSURED: &str = "lockstep.globally.ensured";

/// The prefix of the functions of axioms, before a number.
const AXIOM: &str = "__lockstep_axiom_";

/// Moves the postconditions of all functions to their ends, and the axioms to the beginning of
/// every kernel.
pub fn place(module: LLVMModuleRef) {
    misplaced::mark(module);
    let all = functions(module);
    for &function in all.iter().filter(|function| !function.is_declaration()) {
        if specified::is_specified(function) {
            specified::make_accesses(module, function);
        }
        place_postconditions(module, function);
    }
    let axioms: Vec<LValue> = all.iter().copied().filter(|function| function.name().starts_with(AXIOM)).collect();
    for &kernel in all.iter().filter(|function| is_kernel(**function)) {
        for &axiom in axioms.iter().rev() {
            require_axiom(module, kernel, axiom);
        }
    }
}

/// The name of the function that an instruction calls.
fn called_name(instruction: LValue) -> Option<String> {
    let is_call = matches!(instruction.kind(), ValueKind::LLVMInstructionValueKind)
        && matches!(instruction.opcode(), Opcode::LLVMCall);
    let called = is_call.then(|| instruction.called()).flatten()?;
    matches!(called.kind(), ValueKind::LLVMFunctionValueKind).then(|| plain(&called.name()).to_owned())
}

/// The return instructions of a function's blocks.
fn returns(blocks: &[LBlock]) -> Vec<LValue> {
    let ends = blocks.iter().filter_map(|block| block.terminator());
    ends.filter(|terminator| matches!(terminator.opcode(), Opcode::LLVMRet)).collect()
}

fn place_postconditions(module: LLVMModuleRef, function: LValue) {
    let blocks = function.blocks();
    let Some(&entry) = blocks.first() else { return };
    let returns = returns(&blocks);
    for call in entry.instructions() {
        let target = match called_name(call).as_deref() {
            Some("__ensures") => ENSURED,
            Some("__global_ensures") => GLOBALLY_ENSURED,
            _ => continue,
        };
        let Some(&condition) = call.call_arguments().first() else { continue };
        let Some(late) = late_part(condition) else { continue };
        let specified = specified::is_specified(function);
        // A postcondition about accesses has been assumed of the accesses that the function makes.
        let of_returns = if specified && specified::is_about_accesses(&late) { &[][..] } else { &returns };
        for &at in of_returns {
            let target = if specified { "__assume" } else { target };
            state_again(module, call, condition, &late, at, target, HashMap::new());
        }
        // SAFETY: the call returns nothing, so nothing uses it.
        unsafe { c::LLVMInstructionEraseFromParent(call.0) };
        erase_unused(&late);
    }
}

/// The instructions of a condition that refer to the function's end, operands first.
///
/// `None` if one of them cannot be moved there.
fn late_part(condition: LValue) -> Option<Vec<LValue>> {
    let (mut known, mut late) = (HashMap::new(), Vec::new());
    is_late(condition, &mut known, &mut late);
    let movable = |instruction: &LValue| !matches!(instruction.opcode(), Opcode::LLVMPHI);
    late.iter().all(movable).then_some(late)
}

fn is_late(value: LValue, known: &mut HashMap<LValue, bool>, late: &mut Vec<LValue>) -> bool {
    if !matches!(value.kind(), ValueKind::LLVMInstructionValueKind) {
        return false;
    }
    if let Some(&answer) = known.get(&value) {
        return answer;
    }
    known.insert(value, false);
    let name = called_name(value).unwrap_or_default();
    // A variable of the function means its value at the beginning, and so does a value marked as
    // old.
    let passed_on = is_private_load(value).then(|| stored_once(value)).flatten();
    let passed_on = passed_on.filter(|&stored| is_late(stored, known, late));
    if passed_on.is_some() {
        known.insert(value, true);
        late.push(value);
        return true;
    }
    let fixed = plain(&name).starts_with("__old_") || is_private_load(value);
    let mut found = !fixed && (is_of_the_end(&name) || matches!(value.opcode(), Opcode::LLVMLoad));
    if !fixed {
        for operand in value.operands() {
            found |= is_late(operand, known, late);
        }
    }
    known.insert(value, found);
    if found {
        late.push(value);
    }
    found
}

fn is_private_load(value: LValue) -> bool {
    matches!(value.opcode(), Opcode::LLVMLoad) && value.operands().first().copied().is_some_and(is_private)
}

/// Whether a value is a pointer to a variable of one thread.
fn is_private(value: LValue) -> bool {
    matches!(value.ty().kind(), TypeKind::LLVMPointerTypeKind) && value.ty().address_space() == 0
}

/// The value that a load returns from a variable that is stored to once, as temporaries are.
fn stored_once(load: LValue) -> Option<LValue> {
    let variable = *load.operands().first()?;
    let mut stored = None;
    // SAFETY: the uses of a value are walked without changing them.
    unsafe {
        let mut next = c::LLVMGetFirstUse(variable.0);
        while !next.is_null() {
            let user = LValue(c::LLVMGetUser(next));
            if !matches!(user.kind(), ValueKind::LLVMInstructionValueKind) {
                return None;
            }
            match user.opcode() {
                Opcode::LLVMLoad => {}
                Opcode::LLVMStore if stored.is_none() && user.operands().get(1) == Some(&variable) => {
                    stored = user.operands().first().copied();
                }
                _ => return None,
            }
            next = c::LLVMGetNextUse(next);
        }
    }
    stored
}

/// Whether a call depends on the moment at which it is made.
fn is_of_the_end(name: &str) -> bool {
    const NAMES: [&str; 6] =
        ["__enabled", "__dominator_enabled", "__read", "__write", "__read_offset_bytes", "__write_offset_bytes"];
    let name = plain(name);
    name.starts_with("__return_val_") || NAMES.contains(&name)
}

/// Removes values computed for a postcondition only. A load with other uses stays.
fn erase_unused(instructions: &[LValue]) {
    for &instruction in instructions.iter().rev() {
        // SAFETY: an instruction of the module without uses; its users are gone already.
        unsafe {
            remove_stores_into_nothing(instruction);
            if !instruction.is_used() {
                c::LLVMInstructionEraseFromParent(instruction.0);
            }
        }
    }
}

/// Removes the store of a value into a variable that is no longer read.
unsafe fn remove_stores_into_nothing(value: LValue) {
    // SAFETY: see the caller.
    unsafe {
        let only = c::LLVMGetFirstUse(value.0);
        if only.is_null() || !c::LLVMGetNextUse(only).is_null() {
            return;
        }
        let store = LValue(c::LLVMGetUser(only));
        if !matches!(store.opcode(), Opcode::LLVMStore) || store.operands().first() != Some(&value) {
            return;
        }
        let uses = c::LLVMGetFirstUse(store.operands()[1].0);
        if c::LLVMGetNextUse(uses).is_null() {
            c::LLVMInstructionEraseFromParent(store.0);
        }
    }
}

/// Computes the late part before an instruction and states the condition there.
///
/// For some instructions the replacement is known.
fn state_again(
    module: LLVMModuleRef,
    call: LValue,
    condition: LValue,
    late: &[LValue],
    at: LValue,
    target: &str,
    mut copies: HashMap<LValue, LValue>,
) {
    // SAFETY: all instructions belong to the module. The copies stand before the return, which
    // everything in the entry block dominates, in the order in which they depend on each other.
    unsafe {
        let builder = c::LLVMCreateBuilderInContext(c::LLVMGetModuleContext(module));
        c::LLVMPositionBuilderBefore(builder, at.0);
        for &instruction in late {
            if copies.contains_key(&instruction) {
                continue;
            }
            let stored = is_private_load(instruction).then(|| stored_once(instruction)).flatten();
            let passed_on = stored.and_then(|stored| copies.get(&stored).copied());
            let copy = returned(instruction, at).or(passed_on);
            let copy = copy.unwrap_or_else(|| copied(builder, instruction, &copies));
            copies.insert(instruction, copy);
        }
        let mut argument = copies.get(&condition).unwrap_or(&condition).0;
        let called = LValue(c::LLVMGetCalledValue(call.0));
        let callee = function(module, target, called.global_type());
        let moved = c::LLVMBuildCall2(builder, called.global_type().0, callee.0, &raw mut argument, 1, c"".as_ptr());
        d::LLVMInstructionSetDebugLoc(moved, d::LLVMInstructionGetDebugLoc(call.0));
        c::LLVMDisposeBuilder(builder);
    }
}

/// The result of a return, for a call that stands for it.
fn returned(instruction: LValue, at: LValue) -> Option<LValue> {
    let name = called_name(instruction)?;
    let result = *at.operands().first()?;
    (name.starts_with("__return_val_") && result.ty() == instruction.ty()).then_some(result)
}

unsafe fn copied(builder: LLVMBuilderRef, instruction: LValue, copies: &HashMap<LValue, LValue>) -> LValue {
    // SAFETY: see the caller.
    unsafe {
        let copy = LValue(c::LLVMInstructionClone(instruction.0));
        for (index, operand) in (0..).zip(instruction.operands()) {
            if let Some(replacement) = copies.get(&operand) {
                c::LLVMSetOperand(copy.0, index, replacement.0);
            }
        }
        c::LLVMInsertIntoBuilder(builder, copy.0);
        d::LLVMInstructionSetDebugLoc(copy.0, d::LLVMInstructionGetDebugLoc(instruction.0));
        copy
    }
}

/// The function of this name, declared if need be.
fn function(module: LLVMModuleRef, name: &str, ty: LType) -> LValue {
    let name = CString::new(name).unwrap_or_default();
    // SAFETY: the module is alive.
    unsafe {
        LValue::new(c::LLVMGetNamedFunction(module, name.as_ptr()))
            .unwrap_or_else(|| LValue(c::LLVMAddFunction(module, name.as_ptr(), ty.0)))
    }
}

/// Begins a kernel with the precondition of an axiom.
fn require_axiom(module: LLVMModuleRef, kernel: LValue, axiom: LValue) {
    let Some(first) = kernel.blocks().first().and_then(|entry| entry.iter().next()) else { return };
    // SAFETY: both functions belong to the module. An inlined call needs a place in the source.
    unsafe {
        let context = c::LLVMGetModuleContext(module);
        let builder = c::LLVMCreateBuilderInContext(context);
        c::LLVMPositionBuilderBefore(builder, first.0);
        let holds = c::LLVMBuildCall2(builder, axiom.global_type().0, axiom.0, std::ptr::null_mut(), 0, c"".as_ptr());
        let truth = c::LLVMTypeOf(holds);
        let mut parameter = truth;
        let ty = LType(c::LLVMFunctionType(c::LLVMVoidTypeInContext(context), &raw mut parameter, 1, 0));
        let requires = function(module, "__requires", ty);
        let mut argument = holds;
        let stated = c::LLVMBuildCall2(builder, ty.0, requires.0, &raw mut argument, 1, c"".as_ptr());
        let scope = d::LLVMGetSubprogram(kernel.0);
        let own = d::LLVMGetSubprogram(axiom.0);
        if !scope.is_null() && !own.is_null() {
            let line = d::LLVMDISubprogramGetLine(own);
            let place = d::LLVMDIBuilderCreateDebugLocation(context, line, 1, scope, std::ptr::null_mut());
            d::LLVMInstructionSetDebugLoc(holds, place);
            d::LLVMInstructionSetDebugLoc(stated, place);
        }
        c::LLVMDisposeBuilder(builder);
    }
}
