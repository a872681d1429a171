//! NVVM's metadata about functions: which are kernels, and how they are launched.
//!
//! `!nvvm.annotations` lists triples of a function, a word and a number: `!{ptr @k, !"kernel", i32
//! 1}`, `!{ptr @k, !"maxntidx", i32 256}` for `__launch_bounds__(256)`.

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::passes::PTX_KERNEL;
use super::raw::{LValue, ValueKind};

/// Gives the listed functions the calling convention of kernels.
pub fn mark_kernels(module: LLVMModuleRef) {
    for (function, word, number) in listed(module) {
        if word == "kernel" && number == 1 {
            // SAFETY: it is a function of the module.
            unsafe { c::LLVMSetFunctionCallConv(function.0, PTX_KERNEL) };
        }
    }
}

/// The number listed for a function under a word.
pub fn number_of(function: LValue, word: &str) -> Option<u64> {
    // SAFETY: the function is alive, and so is its module.
    let module = unsafe { c::LLVMGetGlobalParent(function.0) };
    listed(module).into_iter().find(|(of, found, _)| *of == function && found == word).map(|(_, _, number)| number)
}

fn listed(module: LLVMModuleRef) -> Vec<(LValue, String, u64)> {
    let name = c"nvvm.annotations".as_ptr();
    // SAFETY: the module is alive, and has this many nodes of this name.
    let nodes = unsafe {
        let mut nodes = vec![std::ptr::null_mut(); c::LLVMGetNamedMetadataNumOperands(module, name) as usize];
        c::LLVMGetNamedMetadataOperands(module, name, nodes.as_mut_ptr());
        nodes
    };
    nodes.into_iter().filter_map(LValue::new).flat_map(entries).collect()
}

/// The entries of one node: a function, then words and numbers.
fn entries(node: LValue) -> Vec<(LValue, String, u64)> {
    // SAFETY: the operands of named metadata are nodes; absent operands are null.
    let operands = unsafe {
        let mut operands = vec![std::ptr::null_mut(); c::LLVMGetMDNodeNumOperands(node.0) as usize];
        c::LLVMGetMDNodeOperands(node.0, operands.as_mut_ptr());
        operands.into_iter().map(LValue::new).collect::<Vec<_>>()
    };
    let Some(function) = operands.first().copied().flatten() else { return Vec::new() };
    if !matches!(function.kind(), ValueKind::LLVMFunctionValueKind) {
        return Vec::new();
    }
    let pairs = operands[1..].chunks_exact(2);
    pairs
        .filter_map(|pair| {
            let word = pair[0].and_then(LValue::string)?;
            Some((function, word, pair[1]?.small_constant()?))
        })
        .collect()
}
