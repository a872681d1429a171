//! The meaning of OpenCL C's built-in functions.
//!
//! Clang declares the built-in functions without bodies, under their Itanium-mangled names.
//! [`mangle`] reads such a name as a base name and parameter types; the other modules, one per
//! chapter of the OpenCL C specification, append the operations of a function. The signs of
//! integers are known from the mangled name only. Functions that are not modelled are refused by
//! name in [`refused`]; every other name is left to the import.

mod asynchronous;
mod atomics;
mod conversions;
mod floats;
mod host_headers;
mod images;
mod integers;
mod refused;
mod spaces;
mod synchronise;
mod vectors;
mod work_items;

use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Operation, Type};

use super::builder::{Builder, Lanes};
use super::builtins::call::{Answer, Call};
use super::builtins::{self, Unsupported, mangle};
pub use host_headers::HOST_HEADERS;

/// The chapters, in the order in which they are tried.
///
/// A chapter answers `Ok(None)` for a name that is not its own. No two chapters know the same name
/// with the same parameter types.
const CHAPTERS: [fn(&mut Call) -> Answer; 12] = [
    refused::expand,
    builtins::atomics::expand,
    work_items::expand,
    spaces::expand,
    synchronise::expand,
    integers::expand,
    floats::expand,
    conversions::expand,
    vectors::expand,
    atomics::expand,
    asynchronous::expand,
    images::expand,
];

/// Appends the meaning of a call of the function with this mangled name.
///
/// `result` has the type of each lane of the result; it is empty for a function that returns
/// nothing. `Ok(None)` if the function is not one of OpenCL's built-in functions.
pub fn call(
    builder: &mut Builder<'_>,
    mangled: &str,
    arguments: &[Lanes],
    result: &[Type],
) -> Result<Option<Lanes>, Unsupported> {
    if let Some(lanes) = unmangled(builder, mangled, arguments, result)? {
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

/// The source name of a function with a mangled name; other functions have one name.
pub fn source_name(name: &str) -> String {
    mangle::demangle(name).map_or_else(|| name.to_owned(), |function| function.base)
}

/// The assumption about its arguments made by a call of the function with this mangled name, for
/// the report.
pub fn assumption(mangled: &str) -> Option<Assumed> {
    match mangle::demangle(mangled)?.base.as_str() {
        "mul24" => Some(Assumed::OperandsOfMul24),
        "mad24" => Some(Assumed::FactorsOfMad24),
        _ => None,
    }
}

/// The functions for which Clang has names of its own.
fn unmangled(builder: &mut Builder<'_>, name: &str, arguments: &[Lanes], result: &[Type]) -> Answer {
    refused::unmangled(name)?;
    match name {
        "__to_global" | "__to_local" | "__to_private" => spaces::to_space(builder, name, arguments, result),
        // The second is the name in older versions of Clang.
        "printf" | "_Z6printfPU3AS2Kcz" | "__translate_sampler_initializer" => Ok(Some(zeros(builder, result))),
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
    use lockstep_ir::kernel::{FloatType, Space, verify};
    use proptest::prelude::*;

    use super::*;
    use crate::builtins::mangle::{ParameterType, Scalar};
    use crate::builtins::testing::Bench;

    #[test]
    fn names_of_others_are_left_alone() {
        let mut bench = Bench::opencl();
        for name in ["foo", "_Z3fooi", "_Z", "", "llvm.fabs.f32", "_ZN3foo3barEi", "__assert_fail", "_Z3minv"] {
            assert_eq!(bench.try_call(name, &[], &[]), Ok(None), "{name}");
        }
    }

    #[test]
    fn printf_does_nothing_and_returns_zero() {
        let mut bench = Bench::opencl();
        let lanes = bench.call("printf", &[], &[Type::Bits(32)]);
        assert!(bench.kernel.constant(lanes[0]).is_some_and(Bits::is_zero));
        assert_eq!(bench.kernel.instructions.len(), 1);
    }

    #[test]
    fn arguments_that_do_not_fit_the_name_are_refused() {
        let mut bench = Bench::opencl();
        let byte = bench.input(Type::Bits(8));
        for (name, arguments) in [("_Z3minii", vec![vec![byte], vec![byte]]), ("_Z3minii", vec![])] {
            let answer = bench.try_call(name, &arguments, &[Type::Bits(32)]);
            assert!(answer.is_err(), "{name}: {answer:?}");
        }
    }

    /// A type of `declarations.txt`, lane by lane.
    fn result_types(text: &str) -> Vec<Type> {
        let (lanes, scalar) = match text.strip_prefix('<').and_then(|text| text.strip_suffix('>')) {
            Some(vector) => vector.split_once(" x ").expect("a vector"),
            None => ("1", text),
        };
        let ty = match scalar {
            "void" => return Vec::new(),
            "event" => Type::Bits(64),
            "i1" => Type::Bool,
            "half" => Type::Float(FloatType::F16),
            "float" => Type::Float(FloatType::F32),
            "double" => Type::Float(FloatType::F64),
            integer => Type::Bits(integer[1..].parse().expect("a width")),
        };
        vec![ty; lanes.parse().expect("a number of lanes")]
    }

    /// Arguments of a function's parameter types; every number is the constant 1.
    fn arguments(bench: &mut Bench, parameters: &[ParameterType]) -> Vec<Lanes> {
        let mut arguments = Vec::new();
        for parameter in parameters {
            arguments.push(match parameter {
                ParameterType::Scalar(scalar) | ParameterType::Vector(scalar, _) => {
                    let lanes = usize::try_from(parameter.lanes().expect("lanes")).expect("few lanes");
                    match *scalar {
                        Scalar::Bool => bench.inputs(Type::Bool, lanes),
                        Scalar::Integer(integer) => vec![bench.number(integer.width, 1); lanes],
                        Scalar::Float(float) => bench.inputs(Type::Float(float), lanes),
                    }
                }
                ParameterType::Pointer(Space::Generic, _) => {
                    let pointer = bench.pointer(Space::Global);
                    vec![bench.builder().append(Operation::SpaceCast(pointer), Type::Pointer(Space::Generic))]
                }
                ParameterType::Pointer(space, _) => vec![bench.pointer(*space)],
                ParameterType::Opaque(name) if name.contains("image") => vec![bench.image(image_dimensions(name))],
                ParameterType::Opaque(name) if name.starts_with("memory_") => vec![bench.number(32, 2)],
                ParameterType::Opaque(_) => vec![bench.number(64, 0)],
                ParameterType::Void => Lanes::new(),
            });
        }
        arguments
    }

    fn image_dimensions(name: &str) -> u8 {
        let plain = u8::try_from("123".find(&name["ocl_image".len()..][..1]).expect("a dimension")).expect("small") + 1;
        plain + u8::from(name.contains("array"))
    }

    /// `declarations.txt` lists Clang 19's declarations for kernels that call most of the built-in
    /// functions.
    #[test]
    fn functions_that_clang_declares_are_expanded_or_refused_by_name() {
        let mut expanded = 0;
        for line in include_str!("declarations.txt").lines() {
            let (name, result) = line.split_once(' ').expect("a name and a type");
            let function = mangle::demangle(name).unwrap_or_else(|| panic!("{name} is not read"));
            let mut bench = Bench::opencl();
            let arguments = arguments(&mut bench, &function.parameters);
            let collective = function.base.contains("sub_group") || function.base.starts_with("work_group_");
            if collective && function.base != "work_group_barrier" {
                let refusal = bench.try_call(name, &arguments, &result_types(result)).expect_err(name);
                assert!(refusal.0.ends_with(&format!(" {}", function.base)), "{refusal}");
                continue;
            }
            bench.call(name, &arguments, &result_types(result));
            let problems = verify(bench.kernel).err().unwrap_or_default();
            assert!(problems.is_empty(), "{name}: {problems:?}");
            expanded += 1;
        }
        assert!(expanded > 500, "{expanded}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// A module can declare a built-in function with parameters that it does not have.
        #[test]
        fn no_declaration_makes_it_panic(
            line in 0usize..1000,
            parameters in "((Dv(2|3|4|16)_)?[cshtijlmfdb]|P(U3AS[1234])?[KV]?[ifmv]|Dh|11ocl_sampler|14ocl_image2d_ro){0,4}",
            result in "(void|(<[234] x )?(i1|i8|i32|i64|half|float|double|event))",
        ) {
            let lines: Vec<&str> = include_str!("declarations.txt").lines().collect();
            let base = mangle::demangle(lines[line % lines.len()].split(' ').next().expect("a name")).expect("read").base;
            let name = format!("_Z{}{base}{}", base.len(), if parameters.is_empty() { "v" } else { &parameters });
            if let Some(function) = mangle::demangle(&name) {
                let mut bench = Bench::opencl();
                let arguments = arguments(&mut bench, &function.parameters);
                let result = if result.starts_with('<') { format!("{result}>") } else { result };
                let _ = bench.try_call(&name, &arguments, &result_types(&result));
            }
        }
    }
}
