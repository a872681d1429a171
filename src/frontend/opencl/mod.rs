//! What OpenCL C's built-in functions mean.
//!
//! Clang declares the built-in functions without bodies, under their Itanium-mangled names. [`mangle`] reads
//! such a name as a base name and parameter types; the other modules, one per chapter of the OpenCL C
//! specification, append what the function does. The signs of integers are known from the mangled name
//! only. What is not modelled is refused by name in [`refused`]; every other name is left to the import.

mod asynchronous;
mod atomics;
mod call;
mod conversions;
mod floats;
mod images;
mod integers;
mod mangle;
mod memory;
mod refused;
mod synchronise;
mod vectors;
mod work_items;

#[cfg(test)]
mod testing;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Operation, Type};

use self::call::{Answer, Call};
use super::builder::{Builder, Lanes};

/// A built-in function that is not supported, by name: `sub-group function sub_group_all`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsupported(pub String);

/// The chapters, in the order in which they are asked. A chapter answers `Ok(None)` for a name that is not
/// its own; no two chapters know the same name with the same parameter types.
const CHAPTERS: [fn(&mut Call) -> Answer; 11] = [
    refused::expand,
    work_items::expand,
    synchronise::expand,
    integers::expand,
    floats::expand,
    conversions::expand,
    vectors::expand,
    atomics::expand,
    asynchronous::expand,
    images::expand,
    no_effect,
];

/// Appends what a call of the function with this mangled name means.
///
/// `result` has the type of each lane of the result; it is empty for a function that returns nothing.
/// `Ok(None)`: not one of OpenCL's built-in functions.
pub fn call(
    builder: &mut Builder<'_>,
    mangled: &str,
    arguments: &[Lanes],
    result: &[Type],
) -> Result<Option<Lanes>, Unsupported> {
    if let Some(lanes) = unmangled(builder, mangled, result)? {
        return Ok(Some(lanes));
    }
    let Some(function) = mangle::demangle(mangled) else {
        return Ok(None);
    };
    let mut call = Call { builder, name: &function.base, parameters: &function.parameters, arguments, result };
    for chapter in CHAPTERS {
        if let Some(lanes) = chapter(&mut call)? {
            return call.fit(lanes).map(Some);
        }
    }
    Ok(None)
}

/// The functions that Clang calls by a name of its own.
fn unmangled(builder: &mut Builder<'_>, name: &str, result: &[Type]) -> Answer {
    refused::unmangled(name)?;
    match name {
        "printf" | "__translate_sampler_initializer" => Ok(Some(zeros(builder, result))),
        _ => Ok(None),
    }
}

/// `prefetch` changes nothing that a program can observe.
fn no_effect(call: &mut Call) -> Answer {
    match call.name {
        "prefetch" => Ok(Some(Lanes::new())),
        "printf" => Ok(Some(zeros(call.builder, call.result))),
        _ => Ok(None),
    }
}

fn zeros(builder: &mut Builder<'_>, result: &[Type]) -> Lanes {
    let zero = |&ty: &Type| match ty.width() {
        Some(width) => builder.append(Operation::Constant(Bits::zero(width)), ty),
        None => builder.append(Operation::Null, ty),
    };
    result.iter().map(zero).collect()
}

#[cfg(test)]
mod tests {
    use super::testing::Bench;
    use super::*;

    #[test]
    fn names_of_others_are_left_alone() {
        let mut bench = Bench::new();
        for name in ["foo", "_Z3fooi", "_Z", "", "llvm.fabs.f32", "_ZN3foo3barEi", "__assert_fail", "_Z3minv"] {
            assert_eq!(bench.try_call(name, &[], &[]), Ok(None), "{name}");
        }
    }

    #[test]
    fn printf_does_nothing_and_returns_zero() {
        let mut bench = Bench::new();
        let lanes = bench.call("printf", &[], &[Type::Bits(32)]);
        assert!(bench.kernel.constant(lanes[0]).is_some_and(Bits::is_zero));
        assert_eq!(bench.kernel.instructions.len(), 1);
    }

    #[test]
    fn arguments_that_do_not_fit_the_name_are_refused() {
        let mut bench = Bench::new();
        let byte = bench.input(Type::Bits(8));
        for (name, arguments) in [("_Z3minii", vec![vec![byte], vec![byte]]), ("_Z3minii", vec![])] {
            let answer = bench.try_call(name, &arguments, &[Type::Bits(32)]);
            assert!(answer.is_err(), "{name}: {answer:?}");
        }
    }
}
