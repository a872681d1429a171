//! Functions that are only specified: those named `__spec…`, whose bodies consist of annotations.
//!
//! Such a function stands for a missing one. `__reads_from(p)` and `__writes_to(p)` say which
//! arrays it may access. The access may be anywhere: it is one access at an unknown place, since a
//! race needs one access of each thread, and it may happen or not. The function's postconditions
//! about accesses (`__write_implies(p, __write_offset_bytes(p) == …)`) are assumed about that
//! access. So they hold for the function's accesses and say nothing about earlier ones. If no
//! access agrees with them, the function makes none: "it does not write if `c`" can hold, and `c`
//! too.
//!
//! The accesses stand at the function's end, where every value that its postconditions use is
//! known. Its other postconditions are assumed at its end; the values that it writes are otherwise
//! unknown. All of this is the user's claim about the function, and is listed as such.

use std::collections::HashMap;

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::debuginfo as d;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMModuleRef};

use super::super::annotations::plain;
use super::super::raw::{LType, LValue, Opcode};
use super::{called_name, function, is_of_the_end, is_private_load, late_part, returns, state_again, stored_once};

/// A pointer to any place of the array that another points into. The rest of the name is an address
/// space.
pub const ANYWHERE: &str = "lockstep.anywhere.";

/// Whether such an access happens, which is unknown.
pub const HAPPENS: &str = "lockstep.happens";

/// A read of unknown width and place, if it happens. The rest of the name is an address space.
pub const READS: &str = "lockstep.reads.";

/// A write of an unknown value, if it happens.
pub const WRITES: &str = "lockstep.writes.";

/// Whether a function is only specified.
pub fn is_specified(function: LValue) -> bool {
    plain(&function.name()).starts_with("__spec")
}

/// Whether a postcondition is about accesses.
pub fn is_about_accesses(late: &[LValue]) -> bool {
    late.iter().any(|&instruction| ACCESSES.contains(&called_name(instruction).unwrap_or_default().as_str()))
}

const ACCESSES: [&str; 4] = ["__read", "__write", "__read_offset_bytes", "__write_offset_bytes"];

/// Makes accesses from a function's declared reads and writes.
pub fn make_accesses(module: LLVMModuleRef, specified: LValue) {
    let blocks = specified.blocks();
    // An annotation elsewhere is refused by name.
    let (Some(entry), [end]) = (blocks.first(), &returns(&blocks)[..]) else { return };
    let ensures: Vec<LValue> = entry
        .instructions()
        .into_iter()
        .filter(|&call| matches!(called_name(call).as_deref(), Some("__ensures" | "__global_ensures")))
        .collect();
    for effect in entry.instructions() {
        match called_name(effect).as_deref() {
            Some("__reads_from") => {
                make_access(module, [effect, *end], READS, ["__read", "__read_offset_bytes"], &ensures);
            }
            Some("__writes_to") => {
                make_access(module, [effect, *end], WRITES, ["__write", "__write_offset_bytes"], &ensures);
            }
            _ => {}
        }
    }
}

fn make_access(module: LLVMModuleRef, [effect, end]: [LValue; 2], access: &str, about: [&str; 2], ensures: &[LValue]) {
    let Some(&pointer) = effect.call_arguments().first() else { return };
    let space = pointer.ty().address_space();
    // SAFETY: all of it belongs to the module; the effect's call returns nothing.
    unsafe {
        let context = c::LLVMGetModuleContext(module);
        let builder = c::LLVMCreateBuilderInContext(context);
        c::LLVMPositionBuilderBefore(builder, end.0);
        let mut parameter = pointer.ty().0;
        let ty = LType(c::LLVMFunctionType(pointer.ty().0, &raw mut parameter, 1, 0));
        let anywhere = function(module, &format!("{ANYWHERE}{space}"), ty);
        let place = call(builder, ty, anywhere, &[pointer], effect);
        let truth = LType(c::LLVMInt1TypeInContext(context));
        let ty = LType(c::LLVMFunctionType(truth.0, std::ptr::null_mut(), 0, 0));
        let happens = call(builder, ty, function(module, HAPPENS, ty), &[], effect);
        for &postcondition in ensures {
            assume_of_access(module, builder, postcondition, [effect, end], [pointer, place, happens], about);
        }
        c::LLVMPositionBuilderBefore(builder, end.0);
        let mut parameters = [parameter, truth.0];
        let ty = LType(c::LLVMFunctionType(c::LLVMVoidTypeInContext(context), parameters.as_mut_ptr(), 2, 0));
        let accessed = function(module, &format!("{access}{space}"), ty);
        call(builder, ty, accessed, &[place, happens], effect);
        c::LLVMDisposeBuilder(builder);
        c::LLVMInstructionEraseFromParent(effect.0);
    }
}

/// Assumes a postcondition about the accesses that follow, if it refers to no other moments.
///
/// # Safety
///
/// Everything belongs to the module of the builder.
unsafe fn assume_of_access(
    module: LLVMModuleRef,
    builder: LLVMBuilderRef,
    postcondition: LValue,
    [effect, end]: [LValue; 2],
    [pointer, place, happens]: [LValue; 3],
    [accessed, offset]: [&str; 2],
) {
    let Some(&condition) = postcondition.call_arguments().first() else { return };
    let Some(late) = late_part(condition) else { return };
    let mut known = HashMap::new();
    for &instruction in &late {
        let name = called_name(instruction).unwrap_or_default();
        let same = || instruction.call_arguments().first().is_some_and(|&other| origin(other) == origin(pointer));
        // SAFETY: see above.
        unsafe {
            if name == accessed && same() {
                c::LLVMPositionBuilderBefore(builder, end.0);
                let truth = c::LLVMBuildZExt(builder, happens.0, instruction.ty().0, c"".as_ptr());
                known.insert(instruction, LValue(truth));
            } else if name == offset && same() {
                let Some(called) = instruction.called() else { return };
                let ty = called.global_type();
                c::LLVMPositionBuilderBefore(builder, end.0);
                let offset = call(builder, ty, function(module, "__ptr_offset_bytes", ty), &[place], effect);
                known.insert(instruction, offset);
            } else if is_of_the_end(&name)
                || matches!(instruction.opcode(), Opcode::LLVMLoad) && !is_private_load(instruction)
            {
                return;
            }
        }
    }
    if !known.is_empty() {
        state_again(module, postcondition, condition, &late, end, "__assume", known);
    }
}

/// The value that a temporary keeps.
fn origin(value: LValue) -> LValue {
    is_private_load(value).then(|| stored_once(value)).flatten().unwrap_or(value)
}

/// # Safety
///
/// Everything belongs to the module of the builder.
unsafe fn call(builder: LLVMBuilderRef, ty: LType, callee: LValue, arguments: &[LValue], like: LValue) -> LValue {
    let mut operands: Vec<_> = arguments.iter().map(|argument| argument.0).collect();
    let count = u32::try_from(operands.len()).unwrap_or(u32::MAX);
    // SAFETY: see above.
    unsafe {
        let call = c::LLVMBuildCall2(builder, ty.0, callee.0, operands.as_mut_ptr(), count, c"".as_ptr());
        d::LLVMInstructionSetDebugLoc(call, d::LLVMInstructionGetDebugLoc(like.0));
        LValue(call)
    }
}
