//! What CUDA's and HIP's built-in functions mean.
//!
//! Our own headers ([`HEADERS`]) declare the device functions without bodies, so that a call of one stays a call, under its
//! Itanium-mangled name, at its place in the source. With the headers of a toolkit the same functions arrive as intrinsics of
//! NVVM (`llvm.nvvm.…`, [`intrinsic`]), as functions of libdevice (`__nv_…`), and as inline PTX. The modules, one per
//! chapter of the CUDA C++ Programming Guide, append what a function does. What is not modelled is refused by name.

mod atomics;
mod headers;
mod nvvm;
mod synchronise;
mod warp;

use lockstep_ir::kernel::Type;

use super::builder::{Builder, Lanes};
use super::builtins::call::{Answer, Call};
use super::builtins::{Unsupported, mangle};

pub use headers::{HEADERS, OWN_HEADERS, PRELUDE};
pub use nvvm::intrinsic;

/// The chapters, in the order in which they are asked. A chapter answers `Ok(None)` for a name that is not its own.
const CHAPTERS: [fn(&mut Call) -> Answer; 3] = [synchronise::expand, warp::expand, atomics::expand];

/// Appends what a call of the function with this mangled name means.
///
/// `result` has the type of each lane of the result; it is empty for a function that returns nothing.
/// `Ok(None)`: not one of the built-in functions.
pub fn call(
    builder: &mut Builder<'_>,
    mangled: &str,
    arguments: &[Lanes],
    result: &[Type],
) -> Result<Option<Lanes>, Unsupported> {
    let Some(function) = mangle::demangle(mangled) else { return Ok(None) };
    let mut call = Call { builder, name: &function.base, parameters: &function.parameters, arguments, result };
    for chapter in CHAPTERS {
        if let Some(lanes) = chapter(&mut call)? {
            return call.fit(lanes).map(Some);
        }
    }
    Ok(None)
}
