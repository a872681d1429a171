//! Imports kernels from LLVM IR.
//!
//! A module is parsed ([`import`]), cleaned up ([`passes`]), and each kernel function
//! ([`annotated`]) becomes a kernel. [`kernels`] builds parameters, blocks and terminators,
//! [`values`] operands and constants, [`instructions`] arithmetic, [`memory`] arrays and accesses,
//! [`intrinsics`] calls, [`debug`] source locations and names. [`trial`] keeps broken modules from
//! taking others with them.

mod addresses;
mod aliases;
mod allocations;
mod annotated;
mod annotations;
mod assembly;
mod components;
mod contracts;
mod debug;
mod defaults;
mod dispatch;
pub mod driver;
mod escapes;
mod extremes;
mod fields;
mod freedom;
mod graphs;
mod host_program;
mod host_ranges;
mod inlining;
mod instructions;
mod intrinsics;
mod kernels;
mod launches;
mod linking;
mod memory;
mod numbers;
mod opencl_host;
mod other_thread;
mod passed;
mod passes;
mod raw;
mod relations;
mod toolkit;
pub mod trial;
mod types;
pub mod unused;
mod values;
mod vectors;
mod version;

use std::ffi::{CStr, CString, c_void};
use std::path::Path;
use std::sync::Once;

use inkwell::llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::ir_reader::LLVMParseIRInContext;
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMDiagnosticInfoRef, LLVMModuleRef};
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::llvm_sys::target::{LLVMGetModuleDataLayout, LLVMPointerSize};
use lockstep_ir::kernel::Language;

use super::assume::Assumption;
use super::{Annotations, ImportedKernel};
pub use launches::{HostCode, Place, STUB, kernel_symbol, launches};
pub use linking::{Renamed, Symbols, link, symbols};
pub use opencl_host::{NotCovered, OpenClHost, launches as opencl_launches};
use raw::Layout;
use types::{Spaces, Target};
pub use version::version;

/// The inputs of an import besides the module.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file, as named by the user.
    pub path: &'a Path,
    /// The language of the file; LLVM IR may say that it comes from OpenCL C.
    pub language: Language,
    /// The width of pointers.
    pub pointer_bits: u32,
    /// Whether every instruction stands where the source has it.
    ///
    /// An optimiser may compute a sum where the source does not: then its overflow means nothing
    /// unless the sum is used.
    pub unoptimised: bool,
    /// The annotations that count.
    pub annotations: Annotations,
    /// The assumptions about every launch.
    pub assume: &'a [Assumption],
}

/// A context and a module in it, both disposed of at the end.
struct Owner {
    context: LLVMContextRef,
    module: LLVMModuleRef,
}

impl Drop for Owner {
    fn drop(&mut self) {
        // SAFETY: both are owned; the module goes first.
        unsafe {
            if !self.module.is_null() {
                c::LLVMDisposeModule(self.module);
            }
            c::LLVMContextDispose(self.context);
        }
    }
}

/// LLVM's default would print the message and, for an error, end the process.
extern "C" fn ignore_diagnostic(_: LLVMDiagnosticInfoRef, _: *mut c_void) {}

/// Imports every kernel of a module, given as text or bitcode. The error describes the fault of the
/// module.
pub fn import(bytes: &[u8], source: Source<'_>) -> Result<Vec<ImportedKernel>, String> {
    let owner = parse(bytes)?;
    components::forget_marks(owner.module);
    if source.unoptimised {
        components::mark(owner.module, source.language);
    }
    annotated::mark_kernels(owner.module);
    contracts::place(owner.module);
    passes::run(owner.module)?;
    verify(owner.module)?;
    // SAFETY: the module is alive until the end of this function.
    let layout = Layout(unsafe { LLVMGetModuleDataLayout(owner.module) });
    let target = target(owner.module, source.pointer_bits);
    let language = match source.language {
        Language::Llvm if target.spaces == Spaces::Nvptx => Language::Cuda,
        Language::Llvm if has_opencl_version(owner.module) => Language::OpenCl,
        language => language,
    };
    let source = Source { language, ..source };
    let functions = passes::functions(owner.module);
    let kernels: Vec<_> = functions.into_iter().filter(|function| passes::is_kernel(*function)).collect();
    if kernels.is_empty() && source.language == Language::Llvm {
        no_kernel_because_of_its_target(owner.module)?;
    }
    Ok(kernels.into_iter().map(|function| kernels::import(function, layout, target, source)).collect())
}

/// The message for modules compiled for processors, which have no kernels.
///
/// Most likely they are the host side of a program.
fn no_kernel_because_of_its_target(module: LLVMModuleRef) -> Result<(), String> {
    // SAFETY: the string belongs to the module.
    let triple = unsafe { CStr::from_ptr(c::LLVMGetTarget(module)) }.to_string_lossy().into_owned();
    let machine = triple.split('-').next().unwrap_or_default();
    let is_of_device = ["spir", "nvptx", "amdgcn"].iter().any(|device| machine.starts_with(device));
    if machine.is_empty() || is_of_device {
        return Ok(());
    }
    Err(format!(
        "it has no kernel and is compiled for {triple}, which is no GPU; compile the device's side \
         (--cuda-device-only, or -target spir64)"
    ))
}

fn parse(bytes: &[u8]) -> Result<Owner, String> {
    // The first bytes tell bitcode from text. LLVM wants text to end in NUL, which copying ensures.
    // SAFETY: the buffer is copied, and consumed by the parser whatever the outcome.
    unsafe {
        let mut owner = Owner { context: c::LLVMContextCreate(), module: std::ptr::null_mut() };
        c::LLVMContextSetDiagnosticHandler(owner.context, Some(ignore_diagnostic), std::ptr::null_mut());
        let name = CString::new("input").unwrap_or_default();
        let buffer = c::LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), name.as_ptr());
        keep_reader_from_aborting();
        let mut message = std::ptr::null_mut();
        if LLVMParseIRInContext(owner.context, buffer, &raw mut owner.module, &raw mut message) != 0 {
            owner.module = std::ptr::null_mut();
            return Err(first_sentence(&raw::owned(message)));
        }
        verify(owner.module)?;
        Ok(owner)
    }
}

/// Keeps LLVM's reader from verifying modules, which would end the process.
///
/// The reader verifies modules with debug information when it checks whether that is outdated, and
/// ends the process if they are broken. It is told not to check: [`verify`] does, and describes the
/// fault.
fn keep_reader_from_aborting() {
    static TOLD: Once = Once::new();
    let words = [c"lockstep", c"-disable-auto-upgrade-debug-info"].map(CStr::as_ptr);
    // SAFETY: the words are strings of the program, and no other code sets LLVM's options.
    TOLD.call_once(|| unsafe { LLVMParseCommandLineOptions(2, words.as_ptr(), std::ptr::null()) });
}

/// LLVM's message, without the excerpt of the input that follows, which may be binary.
fn first_sentence(message: &str) -> String {
    let line = message.trim().lines().next().unwrap_or_default();
    line.trim_start_matches("input:")
        .trim_start()
        .trim_start_matches("error:")
        .chars()
        .filter(|letter| !letter.is_control())
        .collect::<String>()
        .trim()
        .to_owned()
}

fn verify(module: LLVMModuleRef) -> Result<(), String> {
    let mut message = std::ptr::null_mut();
    // SAFETY: the module is alive; the message is ours.
    let broken =
        unsafe { LLVMVerifyModule(module, LLVMVerifierFailureAction::LLVMReturnStatusAction, &raw mut message) };
    let text = raw::owned(message);
    if broken == 0 { Ok(()) } else { Err(first_sentence(&text)) }
}

fn has_opencl_version(module: LLVMModuleRef) -> bool {
    // SAFETY: the module is alive.
    unsafe { c::LLVMGetNamedMetadataNumOperands(module, c"opencl.ocl.version".as_ptr()) > 0 }
}

/// The module's target. The width of pointers is the layout's, or the requested one if there is no
/// layout.
fn target(module: LLVMModuleRef, asked: u32) -> Target {
    // SAFETY: the strings belong to the module.
    let (triple, described) = unsafe {
        let triple = CStr::from_ptr(c::LLVMGetTarget(module)).to_string_lossy();
        (triple, *c::LLVMGetDataLayoutStr(module) != 0)
    };
    let (pointer_bits, spaces) = match triple.split('-').next().unwrap_or_default() {
        "spir64" | "spirv64" => (64, Spaces::Spir),
        "spir" | "spirv32" => (32, Spaces::Spir),
        "nvptx64" => (64, Spaces::Nvptx),
        "nvptx" => (32, Spaces::Nvptx),
        // SAFETY: the layout belongs to the module.
        _ if described => match unsafe { LLVMPointerSize(LLVMGetModuleDataLayout(module)) } {
            4 => (32, Spaces::Spir),
            8 => (64, Spaces::Spir),
            _ => (asked, Spaces::Spir),
        },
        _ => (asked, Spaces::Spir),
    };
    Target { pointer_bits, spaces }
}
