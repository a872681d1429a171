//! What stands in the wrong place of its function, before functions are inlined: afterwards nobody can tell where one
//! began.
//!
//! A pre- or postcondition stands at the **beginning**: before any branch, and before anything that others see. Elsewhere
//! a postcondition would speak of values in the middle of its function, and the precondition of a called function would be no
//! more than an assertion. `__old_int` and `__old_bool` have a meaning in postconditions only.
//!
//! What stands elsewhere becomes a call of a function [`MISPLACED`]: the kernels that it is inlined into are told
//! (`src/analysis/placement.rs`), all others are none the worse for it. A kernel's own preconditions are looked at there.

use std::collections::{BTreeSet, HashSet};

use inkwell::llvm_sys::LLVMAttributeFunctionIndex;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::super::annotations::plain;
use super::super::passes::{functions, is_kernel};
use super::super::raw::{LBlock, LValue, Opcode, TypeKind, ValueKind};
use super::{called_name, function, is_private_load, stored_once};

/// How the functions are called that stand for misplaced annotations, before the annotation's name.
pub const MISPLACED: &str = "lockstep.misplaced.";

/// Marks what stands in the wrong place in any function.
pub fn mark(module: LLVMModuleRef) {
    let all = functions(module);
    let quiet = quiet_functions(&all);
    for &function in all.iter().filter(|function| !function.is_declaration()) {
        let (contracts, old) = calls(function);
        let at_beginning = beginning(function, &quiet);
        for &call in &contracts {
            let of_kernel = is_kernel(function) && is_precondition(call);
            if !of_kernel && !at_beginning.contains(&call) {
                rename(module, call);
            }
        }
        let stated = stated(contracts.iter().copied().filter(|call| !is_precondition(*call)));
        for call in old.into_iter().filter(|call| !stated.contains(call)) {
            rename(module, call);
        }
    }
}

/// The contracts of a function, and its calls of `__old_…`.
fn calls(function: LValue) -> (Vec<LValue>, Vec<LValue>) {
    let (mut contracts, mut old) = (Vec::new(), Vec::new());
    for instruction in function.blocks().into_iter().flat_map(LBlock::instructions) {
        match plain(&called_name(instruction).unwrap_or_default()) {
            "__requires" | "__global_requires" | "__ensures" | "__global_ensures" => contracts.push(instruction),
            "__old_int" | "__old_bool" => old.push(instruction),
            _ => {}
        }
    }
    (contracts, old)
}

fn is_precondition(call: LValue) -> bool {
    called_name(call).is_some_and(|name| name.ends_with("requires"))
}

/// The instructions of a function before the first that others see; none behind a branch.
fn beginning(function: LValue, quiet: &BTreeSet<String>) -> HashSet<LValue> {
    let entry = function.blocks().first().map(|entry| entry.instructions()).unwrap_or_default();
    entry.into_iter().take_while(|instruction| !is_seen(*instruction, quiet)).collect()
}

/// Whether others may see what an instruction does.
fn is_seen(instruction: LValue, quiet: &BTreeSet<String>) -> bool {
    let is_private = |pointer: Option<&LValue>| {
        pointer.is_some_and(|pointer| {
            matches!(pointer.ty().kind(), TypeKind::LLVMPointerTypeKind) && pointer.ty().address_space() == 0
        })
    };
    match instruction.opcode() {
        Opcode::LLVMStore => !is_private(instruction.operands().get(1)),
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMFence => true,
        Opcode::LLVMCall => {
            let called =
                instruction.called().filter(|called| matches!(called.kind(), ValueKind::LLVMFunctionValueKind));
            let Some(called) = called else { return true };
            let name = called.name();
            // Intrinsics copy, initialise and describe variables; annotations state.
            !(name.starts_with("llvm.")
                || plain(&name).starts_with("__")
                || quiet.contains(&name)
                || !may_write(called))
        }
        _ => false,
    }
}

/// The functions of one block that do nothing that others see: they compute something of their arguments.
fn quiet_functions(all: &[LValue]) -> BTreeSet<String> {
    let mut quiet = BTreeSet::new();
    loop {
        let before = quiet.len();
        for function in all.iter().filter(|function| function.blocks().len() == 1) {
            let body = function.blocks().into_iter().flat_map(LBlock::instructions);
            if body.into_iter().all(|instruction| !is_seen(instruction, &quiet)) {
                quiet.insert(function.name());
            }
        }
        if quiet.len() == before {
            return quiet;
        }
    }
}

/// Whether a function without a body may write to memory, by the attribute `memory` that Clang gives it: two bits per kind of
/// memory, of which the higher one says that it is written (`ModRefInfo`).
fn may_write(function: LValue) -> bool {
    const WRITTEN: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    let name = "memory";
    // SAFETY: `function` is a function; LLVM answers null for an attribute that it does not have.
    unsafe {
        let kind = c::LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
        let attribute = c::LLVMGetEnumAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, kind);
        attribute.is_null() || c::LLVMGetEnumAttributeValue(attribute) & WRITTEN != 0
    }
}

/// All that postconditions depend on, temporaries included.
fn stated(calls: impl Iterator<Item = LValue>) -> HashSet<LValue> {
    let mut found = HashSet::new();
    let mut open: Vec<LValue> = calls.collect();
    while let Some(value) = open.pop() {
        if matches!(value.kind(), ValueKind::LLVMInstructionValueKind) && found.insert(value) {
            open.extend(value.operands());
            open.extend(is_private_load(value).then(|| stored_once(value)).flatten());
        }
    }
    found
}

/// Makes a call one of the function that stands for what is misplaced.
fn rename(module: LLVMModuleRef, call: LValue) {
    let Some(called) = call.called() else { return };
    let name = format!("{MISPLACED}{}", plain(&called.name()));
    let callee = function(module, &name, called.global_type());
    // SAFETY: the called function is a call's last operand, and both functions have one type.
    unsafe {
        c::LLVMSetFunctionCallConv(callee.0, c::LLVMGetInstructionCallConv(call.0));
        let last = c::LLVMGetNumOperands(call.0) - 1;
        c::LLVMSetOperand(call.0, last.unsigned_abs(), callee.0);
    }
}
