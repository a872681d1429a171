//! Annotations in the wrong place of their function, found before functions are inlined.
//!
//! After inlining, nobody can tell where a function began. A pre- or postcondition stands at the
//! **beginning**: in no branch, before anything that others see, and before a variable changes.
//! Elsewhere a postcondition would speak of values in the middle of its function, and a
//! precondition of facts that no caller can ensure. `__old_int` and `__old_bool` have a meaning in
//! postconditions only. A function-wide invariant stands at the **end**, after the loops that it is
//! about: before them it would read as if it held there only.
//!
//! A misplaced annotation becomes a call of a function [`MISPLACED`]. The kernels into which the
//! call is inlined report it (`src/transform/analysis/placement.rs`); all others are unaffected.

use std::collections::{BTreeSet, HashSet};

use inkwell::llvm_sys::LLVMAttributeFunctionIndex;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::super::annotations::plain;
use super::super::passes::functions;
use super::super::raw::{LBlock, LValue, Opcode, ValueKind};
use super::{called_name, function, is_private, is_private_load, stored_once};

/// The prefix of the functions that stand for misplaced annotations, before the annotation's name.
pub const MISPLACED: &str = "lockstep.misplaced.";

/// Marks the misplaced annotations of all functions.
pub fn mark(module: LLVMModuleRef) {
    let all = functions(module);
    let quiet = quiet_functions(&all);
    for &function in all.iter().filter(|function| !function.is_declaration()) {
        let Calls { contracts, old, function_wide } = calls(function);
        for &call in &contracts {
            if !is_at_beginning(function, call, &quiet) {
                rename(module, call);
            }
        }
        for &call in &function_wide {
            if !is_at_end(function, call, &quiet) {
                rename(module, call);
            }
        }
        let stated = stated(contracts.iter().copied().filter(|call| !is_precondition(*call)));
        for call in old.into_iter().filter(|call| !stated.contains(call)) {
            rename(module, call);
        }
    }
}

/// The calls in a function whose places matter.
#[derive(Default)]
struct Calls {
    contracts: Vec<LValue>,
    old: Vec<LValue>,
    function_wide: Vec<LValue>,
}

fn calls(function: LValue) -> Calls {
    let mut calls = Calls::default();
    for instruction in function.blocks().into_iter().flat_map(LBlock::instructions) {
        match plain(&called_name(instruction).unwrap_or_default()) {
            "__requires" | "__global_requires" | "__ensures" | "__global_ensures" => calls.contracts.push(instruction),
            "__old_int" | "__old_bool" => calls.old.push(instruction),
            "__function_wide_invariant" | "__function_wide_candidate_invariant" => {
                calls.function_wide.push(instruction);
            }
            _ => {}
        }
    }
    calls
}

fn is_precondition(call: LValue) -> bool {
    called_name(call).is_some_and(|name| name.ends_with("requires"))
}

/// Whether a call stands at the beginning of its function.
///
/// Each run of the function reaches it, and before that nothing happens that others see, and no
/// variable that has a value is changed.
fn is_at_beginning(function: LValue, call: LValue, quiet: &BTreeSet<String>) -> bool {
    let blocks = function.blocks();
    let Some(own) = blocks.iter().copied().find(|block| block.iter().any(|instruction| instruction == call)) else {
        return false;
    };
    // The blocks before the call, in the order in which they are found.
    let (mut before, mut next) = (vec![blocks[0]], 0);
    while let Some(&block) = before.get(next) {
        next += 1;
        if block == own {
            continue;
        }
        let successors = block.terminator().map(LValue::successors).unwrap_or_default();
        if successors.is_empty() {
            return false;
        }
        let new: Vec<LBlock> = successors.into_iter().filter(|successor| !before.contains(successor)).collect();
        before.extend(new);
    }
    let mut stored = HashSet::new();
    before.into_iter().all(|block| {
        block.iter().take_while(|&instruction| instruction != call).all(|instruction| {
            let changes = matches!(instruction.opcode(), Opcode::LLVMStore)
                && instruction.operands().get(1).is_some_and(|variable| !stored.insert(*variable));
            !changes && !is_seen(instruction, quiet)
        })
    })
}

/// Whether a call stands at the end of its function.
///
/// No loop lies around or after it, nor anything that others see.
fn is_at_end(function: LValue, call: LValue, quiet: &BTreeSet<String>) -> bool {
    let Some(own) = function.blocks().into_iter().find(|block| block.iter().any(|instruction| instruction == call))
    else {
        return false;
    };
    let successors = |block: LBlock| block.terminator().map(LValue::successors).unwrap_or_default();
    let (mut behind, mut next) = (vec![own], 0);
    while let Some(&block) = behind.get(next) {
        next += 1;
        let new: Vec<LBlock> = successors(block).into_iter().filter(|successor| !behind.contains(successor)).collect();
        behind.extend(new);
    }
    let in_own = own.iter().skip_while(|&instruction| instruction != call);
    let elsewhere = behind[1..].iter().flat_map(|block| block.iter());
    if in_own.chain(elsewhere).any(|instruction| is_seen(instruction, quiet)) {
        return false;
    }
    // Without a loop there is always a block to which none of the others leads.
    while let Some(position) =
        behind.iter().position(|block| !behind.iter().any(|&other| successors(other).contains(block)))
    {
        behind.swap_remove(position);
    }
    behind.is_empty()
}

/// Whether others may see the effect of an instruction.
fn is_seen(instruction: LValue, quiet: &BTreeSet<String>) -> bool {
    match instruction.opcode() {
        Opcode::LLVMStore => !instruction.operands().get(1).copied().is_some_and(is_private),
        Opcode::LLVMCall => {
            let called =
                instruction.called().filter(|called| matches!(called.kind(), ValueKind::LLVMFunctionValueKind));
            let Some(called) = called else { return true };
            let name = called.name();
            match () {
                () if !called.is_declaration() => !quiet.contains(&name),
                () if plain(&name).starts_with("__") => false,
                // These intrinsics write; others describe variables, or compute.
                () if ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."]
                    .iter()
                    .any(|prefix| name.starts_with(prefix)) =>
                {
                    !instruction.call_arguments().first().copied().is_some_and(is_private)
                }
                () => !name.starts_with("llvm.") && may_write(called),
            }
        }
        Opcode::LLVMAtomicRMW
        | Opcode::LLVMAtomicCmpXchg
        | Opcode::LLVMFence
        | Opcode::LLVMInvoke
        | Opcode::LLVMCallBr
        | Opcode::LLVMVAArg => true,
        // Arithmetic, reads, and branches.
        _ => false,
    }
}

/// The functions with no effect that others see: they compute from their arguments, and from memory
/// that they read.
fn quiet_functions(all: &[LValue]) -> BTreeSet<String> {
    let mut quiet = BTreeSet::new();
    loop {
        let before = quiet.len();
        for function in all.iter().filter(|function| !function.is_declaration()) {
            let mut body = function.blocks().into_iter().flat_map(LBlock::instructions);
            if body.all(|instruction| !is_seen(instruction, &quiet)) {
                quiet.insert(function.name());
            }
        }
        if quiet.len() == before {
            return quiet;
        }
    }
}

/// Whether a function without a body may write to memory.
///
/// Clang's attribute `memory` says it: two bits per kind of memory, the higher of which means that
/// the memory is written (`ModRefInfo`).
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

/// All values that postconditions depend on, including temporaries.
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

/// Turns a call into one of the function that stands for a misplaced annotation.
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
