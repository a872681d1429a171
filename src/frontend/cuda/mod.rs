//! What CUDA's and HIP's built-in functions mean.
//!
//! Our own headers ([`HEADERS`]) declare the device functions without bodies, so that a call of one stays a call, under its
//! Itanium-mangled name, at its place in the source. With the headers of a toolkit the same functions arrive as intrinsics of
//! NVVM (`llvm.nvvm.…`, [`intrinsic`]), as functions of libdevice (`__nv_…`), and as inline PTX. The modules, one per
//! chapter of the CUDA C++ Programming Guide, append what a function does. What is not modelled is refused by name.

mod atomics;
mod conversions;
mod floats;
mod headers;
mod integers;
mod libdevice;
mod nvvm;
mod others;
mod synchronise;
mod warp;

use lockstep_ir::kernel::{ConvertOp, Operation, Type, Value};

use super::builder::{Builder, Lanes};
use super::builtins::call::{Answer, Call};
use super::builtins::{Unsupported, mangle};

pub use headers::{HEADERS, OWN_HEADERS, PRELUDE};
pub use nvvm::intrinsic;

/// The chapters, in the order in which they are asked. A chapter answers `Ok(None)` for a name that is not its own.
const CHAPTERS: [fn(&mut Call) -> Answer; 7] = [
    synchronise::expand,
    warp::expand,
    atomics::expand,
    integers::expand,
    conversions::expand,
    floats::expand,
    others::expand,
];

/// Appends what a call of the function with this name means, which is mangled or one of libdevice's.
///
/// `result` has the type of each lane of the result; it is empty for a function that returns nothing.
/// `Ok(None)`: not one of the built-in functions.
pub fn call(
    builder: &mut Builder<'_>,
    name: &str,
    arguments: &[Lanes],
    result: &[Type],
) -> Result<Option<Lanes>, Unsupported> {
    let functions = match mangle::demangle(name) {
        Some(function) => vec![function],
        None => libdevice::functions(builder, name, arguments),
    };
    for function in functions {
        let mut call = Call { builder, name: &function.base, parameters: &function.parameters, arguments, result };
        for chapter in CHAPTERS {
            if let Some(lanes) = chapter(&mut call)? {
                return call.fit(lanes).map(Some);
            }
        }
    }
    Ok(None)
}

/// What a call of the function with this mangled name takes for granted, for the report.
pub fn assumption(mangled: &str) -> Option<&'static str> {
    others::assumption(&mangle::demangle(mangled)?.base)
}

/// A number, or a float, of which nothing is known. It is made of an undefined value, and not the absence of one.
fn anything(builder: &mut Builder<'_>, ty: Type) -> Value {
    let Some(width) = ty.width() else { return builder.append(Operation::Undefined, ty) };
    let undefined = builder.append(Operation::Undefined, Type::Bits(width));
    let bits = builder.extract(width - 1, 0, undefined);
    builder.convert(ConvertOp::Bitcast, bits, ty)
}
