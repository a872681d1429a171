//! Links the host sides of files, as a build does.

use std::collections::{BTreeMap, BTreeSet};

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::ir_reader::LLVMParseIRInContext;
use inkwell::llvm_sys::linker::LLVMLinkModules2;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::launches::{STUB, reached_from};
use super::passes::{functions, variables};
use super::raw::{self, LValue, ValueKind};

/// The names by which the host side of a file is linked with others.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// The functions and variables that no other file may define.
    pub defined: BTreeSet<String>,
    /// Those that other files may define as well: weak ones, and instances of templates.
    pub shared: BTreeSet<String>,
    /// Those that are used and are not in the file.
    pub needed: BTreeSet<String>,
    /// The functions and variables that other files can use, each with the names that it may reach:
    /// those that are needed, stubs, and others that are in this map.
    pub reached: BTreeMap<String, BTreeSet<String>>,
    /// The stubs of kernels, and the host's shadows of device variables, that only this file knows.
    pub own: BTreeSet<String>,
}

/// The symbols of a file's host side, given as bitcode.
pub fn symbols(bitcode: &[u8]) -> Result<Symbols, String> {
    let owner = super::parse(bitcode)?;
    let mut found = Symbols::default();
    for value in functions(owner.module).into_iter().chain(variables(owner.module)).chain(aliases(owner.module)) {
        let name = value.name();
        // SAFETY: it is a global value.
        let linkage = unsafe { c::LLVMGetLinkage(value.0) };
        match linkage {
            _ if name.starts_with("llvm.") => {}
            LLVMLinkage::LLVMExternalLinkage | LLVMLinkage::LLVMExternalWeakLinkage if value.is_declaration() => {
                found.needed.extend(value.is_used().then_some(name));
            }
            LLVMLinkage::LLVMExternalLinkage => {
                found.defined.insert(name);
            }
            LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage => {
                found.own.extend((name.contains(STUB) || is_shadow(value)).then_some(name));
            }
            _ => {
                found.shared.insert(name);
            }
        }
    }
    let is_usable = |value: &LValue| !value.is_declaration() && !value.is_internal();
    let usable = functions(owner.module).into_iter().chain(variables(owner.module)).filter(is_usable);
    for value in usable.chain(aliases(owner.module)).filter(|value| !value.name().starts_with("llvm.")) {
        found.reached.insert(value.name(), reached_by(value));
    }
    Ok(found)
}

/// The names of global values that a function or variable may reach within its file, apart from
/// those that only the file knows; stubs are among them.
fn reached_by(value: LValue) -> BTreeSet<String> {
    let all = reached_from(vec![value]);
    let is_global = |value: &&LValue| {
        matches!(
            value.kind(),
            ValueKind::LLVMFunctionValueKind
                | ValueKind::LLVMGlobalVariableValueKind
                | ValueKind::LLVMGlobalAliasValueKind
        )
    };
    let is_known = |value: &&LValue| !value.is_internal() || value.name().contains(STUB);
    all.iter().filter(is_global).filter(is_known).map(|value| value.name()).collect()
}

fn aliases(module: LLVMModuleRef) -> Vec<LValue> {
    // SAFETY: the module is alive, and so are its aliases, which form a list.
    let first = LValue::new(unsafe { c::LLVMGetFirstGlobalAlias(module) });
    let next = |alias: &LValue| LValue::new(unsafe { c::LLVMGetNextGlobalAlias(alias.0) });
    std::iter::successors(first, next).collect()
}

/// Whether a global value is the host's shadow of a device variable, which has no value.
pub fn is_shadow(value: LValue) -> bool {
    if !matches!(value.kind(), ValueKind::LLVMGlobalVariableValueKind) {
        return false;
    }
    // SAFETY: it is a global variable.
    let initial = LValue::new(unsafe { c::LLVMGetInitializer(value.0) });
    initial.is_some_and(|initial| matches!(initial.kind(), ValueKind::LLVMUndefValueValueKind))
}

/// The stubs and variables of devices that get other names, by the names that they have in their
/// file.
pub type Renamed = BTreeMap<String, String>;

/// Links the bitcode of a file with that of others, in which some values get other names first.
///
/// Other names that only one file knows stay those of the first file that has them; LLVM's linker
/// adds to those of later files.
pub fn link(first: &[u8], others: &[(&[u8], &Renamed)]) -> Result<Vec<u8>, String> {
    let owner = super::parse(first)?;
    for (bytes, renamed) in others {
        // SAFETY: the buffer is copied, and consumed by the parser whatever the outcome; the linker
        // consumes the module.
        unsafe {
            let buffer =
                c::LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), c"input".as_ptr());
            let mut module = std::ptr::null_mut();
            let mut message = std::ptr::null_mut();
            if LLVMParseIRInContext(owner.context, buffer, &raw mut module, &raw mut message) != 0 {
                return Err(super::first_sentence(&raw::owned(message)));
            }
            for value in functions(module).into_iter().chain(variables(module)).filter(|value| value.is_internal()) {
                if let Some(name) = renamed.get(&value.name()) {
                    c::LLVMSetValueName2(value.0, name.as_ptr().cast(), name.len());
                }
            }
            if LLVMLinkModules2(owner.module, module) != 0 {
                return Err("the files cannot be linked".to_owned());
            }
        }
    }
    super::verify(owner.module)?;
    // SAFETY: the buffer is disposed of after its contents have been copied.
    unsafe {
        let buffer = LLVMWriteBitcodeToMemoryBuffer(owner.module);
        let bytes =
            std::slice::from_raw_parts(c::LLVMGetBufferStart(buffer).cast::<u8>(), c::LLVMGetBufferSize(buffer));
        let bytes = bytes.to_vec();
        c::LLVMDisposeMemoryBuffer(buffer);
        Ok(bytes)
    }
}
