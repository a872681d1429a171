//! Functions of a CUDA toolkit, and of Clang's headers beside it, whose meaning differs from their
//! bodies.
//!
//! A grid waits by counting blocks in memory that the driver has provided. A tile of several warps
//! waits by counting warps in shared memory that the compiler has reserved. Before functions are
//! inlined, such a function gets a body that expresses its purpose: a call of a function that our
//! own headers have, too. Functions that would need the memory itself are refused by name, so
//! nothing is lost when a pointer to it is null.
//!
//! `__reduce_add_sync` and the like pass their mask and their value the wrong way round in Clang
//! 19's headers. They are functions of the language, which need no body.

use std::ffi::CString;

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::debuginfo as d;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::debug::file_path;
use super::passes::functions;
use super::raw::{LMetadata, LType, LValue, TypeKind};

/// The meaning that replaces a function's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// It calls this function, which takes no arguments, and returns null.
    Calls(&'static str),
    /// It returns null.
    Null,
    /// It does what the language's function of the same name does.
    ItsName,
    /// It returns true: a launch that is not cooperative is not recognised as such.
    True,
}

/// Replaces the bodies.
pub fn run(module: LLVMModuleRef) {
    for function in functions(module).into_iter().filter(|function| !function.is_declaration()) {
        let name = function.name();
        let is_known = is_warp_reduction(&name) && is_of_clang(function, "__clang_cuda_intrinsics.h")
            || is_allocation(&name) && is_of_clang(function, "cuda_wrappers/new");
        let meaning = if is_known { Some(Meaning::ItsName) } else { meaning(&name) };
        if let Some(meaning) = meaning {
            replace(module, function, meaning);
        }
    }
}

/// The meaning of the function with this mangled name, if it is one of those.
fn meaning(symbol: &str) -> Option<Meaning> {
    let nested = symbol.strip_prefix("_ZNK").or_else(|| symbol.strip_prefix("_ZN"))?;
    let inside = nested.strip_prefix("18cooperative_groups")?.strip_prefix("4__v1")?;
    Some(match inside {
        "7details4gridL4syncEPj" => Meaning::Calls("__lockstep_grid_sync"),
        "7details4gridL14barrier_arriveEPj" => Meaning::Calls("__lockstep_refused_barrier_arrive"),
        "7details4gridL12barrier_waitEjPj" => Meaning::Calls("__lockstep_refused_barrier_wait"),
        "10grid_group8is_validEv" => Meaning::True,
        "7details18get_grid_workspaceEv" | "7detailsL19reserved_shared_ptrEv" => Meaning::Null,
        // The constructors: every use of a tile of several warps begins there.
        _ if inside.starts_with("34__static_size_multi_warp_tile_baseI") && inside.contains("EEC2") => {
            Meaning::Calls("__lockstep_refused_tiled_partition")
        }
        _ => return None,
    })
}

/// Whether a mangled name is that of `__reduce_add_sync` or the like.
fn is_warp_reduction(symbol: &str) -> bool {
    let name = symbol.strip_prefix("_Z17__reduce_").or_else(|| symbol.strip_prefix("_Z16__reduce_"));
    let operation = name.and_then(|name| name.strip_suffix("_syncjj").or_else(|| name.strip_suffix("_syncji")));
    operation.is_some_and(|operation| ["add", "min", "max", "and", "or", "xor"].contains(&operation))
}

/// Whether a mangled name is that of an allocating `new`, or of the matching `delete`.
pub fn is_allocation(symbol: &str) -> bool {
    let operator = ["_Znw", "_Zna", "_Zdl", "_Zda"].iter().find_map(|operator| symbol.strip_prefix(operator));
    matches!(operator, Some("m" | "mRKSt9nothrow_t" | "Pv" | "Pvm" | "PvRKSt9nothrow_t"))
}

/// Whether a function stands in this Clang header.
fn is_of_clang(function: LValue, header: &str) -> bool {
    // SAFETY: a function has debug information, or null.
    unsafe {
        LMetadata::new(d::LLVMGetSubprogram(function.0))
            .and_then(|subprogram| LMetadata::new(d::LLVMDIScopeGetFile(subprogram.0)))
            .is_some_and(|file| file_path(file)[1].ends_with(header))
    }
}

/// Replaces a function by one with this meaning.
///
/// The new function has no debug information, so its calls are located at its own calls.
fn replace(module: LLVMModuleRef, function: LValue, meaning: Meaning) {
    let ty = function.global_type();
    // SAFETY: everything belongs to the module; the old function is deleted when nothing uses it
    // any more.
    unsafe {
        let context = c::LLVMGetModuleContext(module);
        let name = CString::new(function.name()).unwrap_or_default();
        c::LLVMSetValueName2(function.0, c"".as_ptr(), 0);
        let replacement = LValue(c::LLVMAddFunction(module, name.as_ptr(), ty.0));
        c::LLVMReplaceAllUsesWith(function.0, replacement.0);
        c::LLVMDeleteFunction(function.0);
        if meaning == Meaning::ItsName {
            return;
        }
        let builder = c::LLVMCreateBuilderInContext(context);
        c::LLVMPositionBuilderAtEnd(builder, c::LLVMAppendBasicBlockInContext(context, replacement.0, c"".as_ptr()));
        if let Meaning::Calls(name) = meaning {
            let nothing = c::LLVMFunctionType(c::LLVMVoidTypeInContext(context), std::ptr::null_mut(), 0, 0);
            let name = CString::new(format!("_Z{}{name}v", name.len())).unwrap_or_default();
            let called = LValue::new(c::LLVMGetNamedFunction(module, name.as_ptr()))
                .unwrap_or_else(|| LValue(c::LLVMAddFunction(module, name.as_ptr(), nothing)));
            c::LLVMBuildCall2(builder, nothing, called.0, std::ptr::null_mut(), 0, c"".as_ptr());
        }
        let result = LType(c::LLVMGetReturnType(ty.0));
        match (result.kind(), meaning) {
            (TypeKind::LLVMVoidTypeKind, _) => c::LLVMBuildRetVoid(builder),
            (_, Meaning::True) => c::LLVMBuildRet(builder, c::LLVMConstInt(result.0, 1, 0)),
            (_, Meaning::Calls(_) | Meaning::Null | Meaning::ItsName) => {
                c::LLVMBuildRet(builder, c::LLVMConstNull(result.0))
            }
        };
        c::LLVMDisposeBuilder(builder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_by_their_mangled_names() {
        let sync = Some(Meaning::Calls("__lockstep_grid_sync"));
        let tile = Some(Meaning::Calls("__lockstep_refused_tiled_partition"));
        for (symbol, expected) in [
            ("_ZN18cooperative_groups4__v17details4gridL4syncEPj", sync),
            ("_ZNK18cooperative_groups4__v110grid_group8is_validEv", Some(Meaning::True)),
            ("_ZN18cooperative_groups4__v17details18get_grid_workspaceEv", Some(Meaning::Null)),
            (
                "_ZN18cooperative_groups4__v134__static_size_multi_warp_tile_baseILj64EEC2INS0_12thread_blockEEERKT_",
                tile,
            ),
            ("_ZNK18cooperative_groups4__v134__static_size_multi_warp_tile_baseILj64EE4syncEv", None),
            ("_ZN18cooperative_groups10grid_group4syncEv", None),
            ("_ZN4mine18cooperative_groups4__v17details4gridL4syncEPj", None),
            ("_Z4syncPj", None),
        ] {
            assert_eq!(meaning(symbol), expected, "{symbol}");
        }
        for (symbol, expected) in [
            ("_Z17__reduce_add_syncjj", true),
            ("_Z17__reduce_min_syncji", true),
            ("_Z16__reduce_or_syncjj", true),
            ("_Z17__reduce_add_syncjf", false),
            ("_Z12__reduce_addjj", false),
        ] {
            assert_eq!(is_warp_reduction(symbol), expected, "{symbol}");
        }
    }
}
