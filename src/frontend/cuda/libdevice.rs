//! The functions of NVIDIA's libdevice, which toolkits' headers call.
//!
//! Examples are `__nv_clz` for `__clz` and `__nv_sinf` for `sinf`. Their names are not mangled: the
//! parameter types are known from the arguments, and the sign of integers from the name.

use std::rc::Rc;

use lockstep_ir::kernel::{Space, Type};

use crate::builder::{Builder, Lanes};
use crate::builtins::mangle::{Function, Integer, ParameterType, Scalar};

/// The names under which the chapters may know a libdevice function, in the order in which they are
/// tried.
pub fn functions(builder: &Builder<'_>, name: &str, arguments: &[Lanes]) -> Vec<Function> {
    let Some(base) = name.strip_prefix("__nv_") else { return Vec::new() };
    let signed = !is_unsigned(base);
    let parameter = |lanes: &Lanes| match lanes.as_slice() {
        &[lane] => parameter(builder.ty(lane), signed),
        _ => ParameterType::Void,
    };
    let parameters: Vec<ParameterType> = arguments.iter().map(parameter).collect();
    let base = base.strip_prefix("fast_").map_or_else(|| renamed(base).to_owned(), |base| format!("__{base}"));
    let intrinsic = format!("__{base}");
    [base, intrinsic].map(|base| Function { base, parameters: parameters.clone() }).into()
}

fn parameter(ty: Type, signed: bool) -> ParameterType {
    match ty {
        Type::Bool => ParameterType::Scalar(Scalar::Bool),
        Type::Bits(width) => ParameterType::Scalar(Scalar::Integer(Integer { width, signed })),
        Type::Float(float) => ParameterType::Scalar(Scalar::Float(float)),
        Type::Pointer(_) => ParameterType::Pointer(Space::Generic, Rc::new(ParameterType::Void)),
    }
}

/// Whether the function's integer parameters are unsigned.
fn is_unsigned(base: &str) -> bool {
    base.starts_with('u') || matches!(base, "popc" | "popcll" | "brev" | "brevll" | "byte_perm" | "half2float")
}

/// The name in C of a libdevice function that has another name here.
fn renamed(base: &str) -> &str {
    match base {
        "isnand" | "isnanf" => "isnan",
        "isinfd" | "isinff" => "isinf",
        "isfinited" | "finitef" => "isfinite",
        "signbitd" | "signbitf" => "signbit",
        base => base,
    }
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::{FloatType, Space, verify};

    use super::*;
    use crate::builtins::testing::Bench;

    fn ty(name: &str) -> Option<Type> {
        Some(match name {
            "void" => return None,
            "float" => Type::Float(FloatType::F32),
            "double" => Type::Float(FloatType::F64),
            "ptr" => Type::Pointer(Space::Global),
            integer => Type::Bits(integer[1..].parse().expect("a width")),
        })
    }

    /// `libdevice.txt` lists libdevice's definitions: name, result, parameters.
    #[test]
    fn functions_of_libdevice_are_known_or_refused_by_name() {
        let mut known = 0;
        for line in include_str!("libdevice.txt").lines() {
            let [name, result, parameters] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let mut bench = Bench::cuda();
            let argument = |parameter| match ty(parameter).expect("a type") {
                Type::Pointer(space) => vec![bench.pointer(space)],
                ty => vec![bench.input(ty)],
            };
            let arguments: Vec<Lanes> = parameters.split(',').map(argument).collect();
            let result: Vec<Type> = ty(result).into_iter().collect();
            match bench.try_call(name, &arguments, &result) {
                Ok(Some(_)) => {
                    let problems = verify(bench.kernel).err().unwrap_or_default();
                    assert!(problems.is_empty(), "{name}: {problems:?}");
                    known += 1;
                }
                Ok(None) => panic!("{name} is not known"),
                Err(refusal) => assert!(refusal.0.contains("norm"), "{name}: {refusal}"),
            }
        }
        assert!(known > 340, "{known}");
    }
}
