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
const CHAPTERS: [fn(&mut Call) -> Answer; 10] = [
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
        // The second is what older versions of Clang call it.
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

    use super::mangle::{ParameterType, Scalar};
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
                ParameterType::Void => panic!("a parameter of type void"),
            });
        }
        arguments
    }

    fn image_dimensions(name: &str) -> u8 {
        let plain = u8::try_from("123".find(&name["ocl_image".len()..][..1]).expect("a dimension")).expect("small") + 1;
        plain + u8::from(name.contains("array"))
    }

    /// `declarations.txt` lists what Clang 19 declares for kernels that call most of the built-in functions.
    #[test]
    fn what_clang_declares_is_expanded_or_refused_by_name() {
        let mut expanded = 0;
        for line in include_str!("declarations.txt").lines() {
            let (name, result) = line.split_once(' ').expect("a name and a type");
            let function = mangle::demangle(name).unwrap_or_else(|| panic!("{name} is not read"));
            let mut bench = Bench::new();
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
}
