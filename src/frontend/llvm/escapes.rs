//! Places in host code at which a kernel's address escapes.
//!
//! Code that has the address of a kernel's **stub** can launch the kernel ([`super::launches`]).
//! The analysis runs after markers have been placed and constants propagated. A use of the address
//! is accounted for if it is one of these: the subject of a marker, the call after that marker, a
//! comparison, or an argument of a toolkit function that only queries or sets something. Choices
//! among addresses are followed. Any other use (a store, an argument, an initialiser of a remaining
//! variable) lets the address escape: then there may be unknown launches of the kernel.

use std::collections::BTreeSet;

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::debuginfo as d;

use super::graphs;
use super::launches::{
    chooses, is_launch_function, launched_by, launches_itself, name_of_called, passes_launches_on, place, unmangled,
};
use super::raw::{LMetadata, LValue, Opcode, ValueKind};

/// The toolkit's functions that take a kernel and do not launch it, named without CUDA's and HIP's
/// first word.
const HARMLESS: [&str; 15] = [
    "FuncGetAttributes",
    "FuncGetName",
    "FuncGetParamInfo",
    "FuncSetAttribute",
    "FuncSetCacheConfig",
    "FuncSetSharedMemConfig",
    "OccupancyAvailableDynamicSMemPerBlock",
    "OccupancyMaxActiveBlocksPerMultiprocessor",
    "OccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "OccupancyMaxActiveClusters",
    "OccupancyMaxPotentialBlockSize",
    "OccupancyMaxPotentialBlockSizeVariableSMem",
    "OccupancyMaxPotentialBlockSizeVariableSMemWithFlags",
    "OccupancyMaxPotentialBlockSizeWithFlags",
    "OccupancyMaxPotentialClusterSize",
];

/// The files and lines at which a stub's address escapes.
pub fn escapes(stub: LValue) -> BTreeSet<(String, u32)> {
    let mut found = BTreeSet::new();
    let mut values = vec![stub];
    let mut next = 0;
    while let Some(&value) = values.get(next) {
        next += 1;
        for user in value.users() {
            match user.kind() {
                ValueKind::LLVMInstructionValueKind if chooses(user) => values.push(user),
                ValueKind::LLVMInstructionValueKind if is_accounted_for(user, value) => {}
                ValueKind::LLVMInstructionValueKind => {
                    let place = place(user).or_else(|| place_of_function(function_of(user)));
                    found.insert(place.or_else(|| place_of_function(stub)).unwrap_or_default());
                }
                ValueKind::LLVMGlobalVariableValueKind if user.name().starts_with("llvm.") => {}
                ValueKind::LLVMGlobalVariableValueKind => {
                    let place = place_of_variable(user).or_else(|| place_of_function(stub));
                    found.insert(place.unwrap_or_default());
                }
                // A part of a constant, or an alias of it.
                _ => values.push(user),
            }
            let mut seen = BTreeSet::new();
            values.retain(|value| seen.insert(value.0.addr()));
        }
    }
    found
}

/// Whether an instruction uses a kernel's address in a known way.
fn is_accounted_for(user: LValue, kernel: LValue) -> bool {
    if passes_launches_on(&function_of(user).name()) || matches!(user.opcode(), Opcode::LLVMICmp) {
        return true;
    }
    if !matches!(user.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke) {
        return graphs::is_stored_for_node(user, kernel);
    }
    let arguments = user.call_arguments();
    let passed = |arguments: &[LValue]| arguments.contains(&kernel);
    match name_of_called(user) {
        Some(name) if is_harmless(&name) => true,
        _ if marks(user, kernel) => true,
        Some(name) if is_launch_function(&name) => !passed(&arguments[1..]) && is_marked(user, kernel),
        _ => !passed(&arguments) && is_marked(user, kernel),
    }
}

/// Whether a function of this name, which may be a template, does not launch its argument.
fn is_harmless(name: &str) -> bool {
    let plain = unmangled(name).unwrap_or(name);
    let behind = plain.strip_prefix("cuda").or_else(|| plain.strip_prefix("hip"));
    name.starts_with("llvm.")
        || matches!(name, "__cudaRegisterFunction" | "__hipRegisterFunction")
        || behind.is_some_and(|behind| HARMLESS.contains(&behind))
}

/// Whether an instruction is a marker of a launch of this kernel.
///
/// A marker without a known place is none of the verified launches ([`super::launches::launches`]).
fn marks(instruction: LValue, kernel: LValue) -> bool {
    launched_by(instruction) == Some(kernel) && place(instruction).is_some()
}

/// Whether a marker for this kernel precedes a call in its block, with no other launch of it
/// between the two.
fn is_marked(call: LValue, kernel: LValue) -> bool {
    // SAFETY: it is an instruction, and so are those before it.
    let before = |instruction: &LValue| LValue::new(unsafe { c::LLVMGetPreviousInstruction(instruction.0) });
    std::iter::successors(before(&call), before)
        .take_while(|&instruction| !launches_itself(instruction, kernel))
        .any(|instruction| marks(instruction, kernel))
}

/// The function of an instruction.
pub fn function_of(instruction: LValue) -> LValue {
    // SAFETY: it is an instruction of a block of a function.
    LValue(unsafe { c::LLVMGetBasicBlockParent(c::LLVMGetInstructionParent(instruction.0)) })
}

fn place_of_function(function: LValue) -> Option<(String, u32)> {
    // SAFETY: it is a function; its subprogram has a file.
    unsafe {
        let subprogram = LMetadata::new(d::LLVMGetSubprogram(function.0))?;
        let file = LMetadata::new(d::LLVMDIScopeGetFile(subprogram.0))?;
        let [_, name] = super::debug::file_path(file);
        Some((name, d::LLVMDISubprogramGetLine(subprogram.0)))
    }
}

fn place_of_variable(variable: LValue) -> Option<(String, u32)> {
    let declared = variable.global_metadata("dbg")?.operand(0, variable.ty())?;
    // SAFETY: it is a DIGlobalVariable.
    unsafe {
        let file = LMetadata::new(d::LLVMDIVariableGetFile(declared.0))?;
        let [_, name] = super::debug::file_path(file);
        Some((name, d::LLVMDIVariableGetLine(declared.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::is_harmless;

    #[test]
    fn functions_that_take_a_kernel_and_do_not_launch_it() {
        for name in ["cudaFuncSetAttribute", "_Z20cudaFuncSetAttributeIFvPfEE9cudaErrorPT_17cudaFuncAttributei"] {
            assert!(is_harmless(name), "{name}");
        }
        for name in ["cudaLaunchKernelExC", "_Z8keep_forPFvPfE17cudaFuncAttribute", "cudaGetFuncBySymbol"]
            .into_iter()
            .chain(["_Z28cudaFuncSetAttributeAndLaunchPFvPfE", "cudaFuncSetAttributeAndLaunch", "FuncGetName"])
        {
            assert!(!is_harmless(name), "{name}");
        }
    }
}
