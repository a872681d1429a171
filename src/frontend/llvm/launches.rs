//! The launches in a file's host code.
//!
//! Clang compiles `k<<<grid, block, shared>>>(…)` on the host to a call of a function that takes the sizes, and one of a **stub** of the
//! kernel behind it. Before anything is inlined a marker goes in front of the first that has both, with each size as an
//! operand of its own ([`mark`]). Then constants are propagated and functions inlined: what is a constant number in a marker by then is
//! one in every run that comes there. Sizes that are not are left open. The result is about *where* launches stand, and
//! not about whether they are reached.

use std::ffi::CString;

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::debuginfo as d;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMModuleRef, LLVMValueRef};

use super::passes::{functions, run_pipeline};
use super::raw::{LBlock, LMetadata, LValue, Opcode, ValueKind};
use crate::launch::{Extent, SourceLaunch};

/// What stands in front of each launch.
const MARKER: &str = "lockstep.launch";

/// How the names of stubs are made of those of kernels.
const STUB: &str = "__device_stub__";

/// The passes: inlining and constants, nothing that joins two calls into one.
const PIPELINE: &std::ffi::CStr = c"ipsccp,function(sroa,early-cse,instcombine<no-verify-fixpoint>),cgscc(inline),\
    function(sroa,early-cse,gvn,instcombine<no-verify-fixpoint>),ipsccp,function(instcombine<no-verify-fixpoint>),globaldce";

/// A launch, and the symbol of the kernel that it is one of.
pub type Launched = (String, SourceLaunch);

/// Finds the launches in the bitcode of a file's host side, in the order of the source.
pub fn launches(bitcode: &[u8]) -> Result<Vec<Launched>, String> {
    let owner = super::parse(bitcode)?;
    let module = owner.module;
    mark(module);
    if functions(module).iter().any(|function| function.name() == "main" && !function.is_declaration()) {
        hide_all_but_main(module);
    }
    run_pipeline(module, PIPELINE)?;
    let calls = functions(module).into_iter().flat_map(LValue::blocks).flat_map(LBlock::instructions);
    let mut found: Vec<Launched> = calls.filter_map(launch).collect();
    found.sort_by_key(|(_, launch)| (launch.file.clone(), launch.line));
    Ok(found)
}

/// The whole program is there: nobody else calls its functions.
fn hide_all_but_main(module: LLVMModuleRef) {
    for function in functions(module) {
        if !function.is_declaration() && function.name() != "main" {
            // SAFETY: a function with a body; a function of a comdat stays in it.
            unsafe {
                c::LLVMSetLinkage(function.0, LLVMLinkage::LLVMInternalLinkage);
            }
        }
    }
}

fn name_of_called(instruction: LValue) -> Option<String> {
    let called =
        matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke).then(|| instruction.called())??;
    matches!(called.kind(), ValueKind::LLVMFunctionValueKind).then(|| called.name())
}

/// Puts a marker before each launch.
fn mark(module: LLVMModuleRef) {
    let callers = functions(module).into_iter().filter(|function| !passes_launches_on(&function.name()));
    for function in callers {
        let instructions: Vec<LValue> = function.blocks().into_iter().flat_map(LBlock::instructions).collect();
        for (position, &instruction) in instructions.iter().enumerate() {
            let Some(name) = name_of_called(instruction) else { continue };
            let arguments = instruction.call_arguments();
            match name.as_str() {
                "cudaConfigureCall" | "__cudaPushCallConfiguration" | "__hipPushCallConfiguration" => {
                    let behind = &instructions[position + 1..];
                    let stub =
                        behind.iter().find(|next| name_of_called(**next).is_some_and(|name| name.contains(STUB)));
                    if let (Some(kernel), Some(sizes)) = (stub.and_then(|stub| stub.called()), arguments.get(..5)) {
                        insert_marker(module, instruction, sizes, kernel);
                    }
                }
                _ if is_launch_function(&name) => {
                    if let (Some(&kernel), Some(sizes)) = (arguments.first(), arguments.get(1..5)) {
                        let shared = arguments.get(6).copied();
                        let sizes: Vec<LValue> = sizes.iter().copied().chain(shared).collect();
                        insert_marker(module, instruction, &sizes, kernel);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Whether the launches in a function are those of its callers: a stub launches what `<<<…>>>` said, and a toolkit's
/// template the arguments that it is called with.
fn passes_launches_on(name: &str) -> bool {
    name.contains(STUB) || is_launch_function(name)
}

/// `cudaLaunchKernel` and its like, which may be templates: kernel, grid, block, arguments, shared memory, stream.
fn is_launch_function(name: &str) -> bool {
    ["cudaLaunchKernel", "cudaLaunchCooperativeKernel", "hipLaunchKernel", "hipLaunchCooperativeKernel"]
        .into_iter()
        .any(|known| name == known || name.contains(&format!("{}{known}", known.len())))
}

/// A marker with grid, block, bytes of shared memory, and the kernel's stub.
fn insert_marker(module: LLVMModuleRef, before: LValue, sizes: &[LValue], kernel: LValue) {
    // SAFETY: everything belongs to the module; the builder is disposed of.
    unsafe {
        let context = c::LLVMGetModuleContext(module);
        let builder = c::LLVMCreateBuilderInContext(context);
        c::LLVMPositionBuilderBefore(builder, before.0);
        let (word, long) = (c::LLVMInt32TypeInContext(context), c::LLVMInt64TypeInContext(context));
        let mut operands: Vec<LLVMValueRef> = Vec::new();
        for pair in sizes[..4].chunks_exact(2) {
            operands.extend(coordinates(builder, pair[0], pair[1]));
        }
        let shared = sizes.get(4).filter(|value| c::LLVMTypeOf(value.0) == long);
        operands.push(shared.map_or_else(|| c::LLVMGetUndef(long), |value| value.0));
        operands.push(kernel.0);
        let pointer = c::LLVMPointerTypeInContext(context, 0);
        let mut parameters = [word, word, word, word, word, word, long, pointer];
        let ty = c::LLVMFunctionType(c::LLVMVoidTypeInContext(context), parameters.as_mut_ptr(), 8, 0);
        let name = CString::new(MARKER).unwrap_or_default();
        let marker = LValue::new(c::LLVMGetNamedFunction(module, name.as_ptr()))
            .unwrap_or_else(|| LValue(c::LLVMAddFunction(module, name.as_ptr(), ty)));
        let call = c::LLVMBuildCall2(builder, ty, marker.0, operands.as_mut_ptr(), 8, c"".as_ptr());
        d::LLVMInstructionSetDebugLoc(call, d::LLVMInstructionGetDebugLoc(before.0));
        c::LLVMDisposeBuilder(builder);
    }
}

/// The sizes of a `dim3` that is passed in two registers: the first two in one of 64 bits, the third in another.
///
/// # Safety
/// The builder stands in the block of both values.
unsafe fn coordinates(builder: LLVMBuilderRef, low: LValue, high: LValue) -> [LLVMValueRef; 3] {
    unsafe {
        let context = c::LLVMGetTypeContext(c::LLVMTypeOf(low.0));
        let (word, long) = (c::LLVMInt32TypeInContext(context), c::LLVMInt64TypeInContext(context));
        if c::LLVMTypeOf(low.0) != long || c::LLVMTypeOf(high.0) != word {
            return [c::LLVMGetUndef(word); 3];
        }
        let x = c::LLVMBuildTrunc(builder, low.0, word, c"".as_ptr());
        let shifted = c::LLVMBuildLShr(builder, low.0, c::LLVMConstInt(long, 32, 0), c"".as_ptr());
        let y = c::LLVMBuildTrunc(builder, shifted, word, c"".as_ptr());
        [x, y, high.0]
    }
}

/// The launch that a marker stands for.
fn launch(instruction: LValue) -> Option<Launched> {
    if name_of_called(instruction)? != MARKER {
        return None;
    }
    let operands = instruction.call_arguments();
    let kernel = *operands.get(7)?;
    let symbol = matches!(kernel.kind(), ValueKind::LLVMFunctionValueKind).then(|| kernel_symbol(&kernel.name()))??;
    let size = |index: usize| match operands[index].small_constant().and_then(|size| u32::try_from(size).ok()) {
        Some(size) if size > 0 => Extent::Known(size),
        _ => Extent::Open,
    };
    let (file, line) = place(instruction)?;
    let launch =
        SourceLaunch { num_groups: [size(0), size(1), size(2)], local_size: [size(3), size(4), size(5)], file, line };
    Some((symbol, launch))
}

/// Where the launch itself stands.
fn place(instruction: LValue) -> Option<(String, u32)> {
    let location = instruction.debug_location()?;
    // SAFETY: it is a DILocation, whose scope has a file.
    unsafe {
        let scope = LMetadata::new(d::LLVMDILocationGetScope(location.0))?;
        let file = LMetadata::new(d::LLVMDIScopeGetFile(scope.0))?;
        let [_, name] = super::debug::file_path(file);
        Some((name, d::LLVMDILocationGetLine(location.0)))
    }
}

/// The symbol of the kernel whose stub has this name: `_Z16__device_stub__kPf` is `_Z1kPf`.
fn kernel_symbol(stub: &str) -> Option<String> {
    let at = stub.find(STUB)?;
    let name = &stub[at + STUB.len()..];
    let digits = stub[..at].len() - stub[..at].trim_end_matches(|digit: char| digit.is_ascii_digit()).len();
    let length = stub[at - digits..at].parse::<usize>().ok();
    match length.and_then(|length| length.checked_sub(STUB.len())) {
        Some(length) => Some(format!("{}{length}{name}", &stub[..at - digits])),
        // `extern "C"`
        None => (at == 0).then(|| name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::kernel_symbol;

    #[test]
    fn stubs_are_named_after_kernels() {
        for (stub, kernel) in [
            ("_Z16__device_stub__kPf", Some("_Z1kPf")),
            ("_ZN2ns16__device_stub__kIfEEvPT_1Pi", Some("_ZN2ns1kIfEEvPT_1Pi")),
            ("_Z25__device_stub__vector_addPf", Some("_Z10vector_addPf")),
            ("__device_stub__plain", Some("plain")),
            ("_Z4mainv", None),
            ("_Z3__device_stub__k", None),
        ] {
            assert_eq!(kernel_symbol(stub).as_deref(), kernel, "{stub}");
        }
    }
}
