//! The meaning of CUDA's and HIP's built-in functions.
//!
//! Our own headers ([`HEADERS`]) declare the device functions without bodies. So a call of one
//! stays a call, under its Itanium-mangled name, at its place in the source. With the headers of a
//! toolkit the same functions arrive as NVVM intrinsics (`llvm.nvvm.…`, [`intrinsic`]), as
//! libdevice functions (`__nv_…`), and as inline PTX. The modules, one per chapter of the CUDA C++
//! Programming Guide, append the operations of a function. Functions that are not modelled are
//! refused by name.

mod atomics;
mod conversions;
pub(super) mod copies;
mod floats;
mod headers;
pub(super) mod integers;
mod libdevice;
pub(super) mod nvvm;
pub(super) mod phases;
pub(super) mod shuffle;
pub(super) mod synchronise;
pub(super) mod textures;
pub(super) mod warp;

use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::{ConvertOp, Operation, Type, Value};

use super::builder::{Builder, Lanes};
use super::builtins::call::{Answer, Call};
use super::builtins::{self, Unsupported, mangle};
pub use super::ptx::{Assembly, assembly};
pub use headers::{HEADERS, HIP_WARP_SIZE, OWN_HEADERS, PLAIN_HOST, PRELUDE, VECTOR_ARITHMETIC};
pub use nvvm::intrinsic;

/// The chapters, in the order in which they are tried.
///
/// A chapter answers `Ok(None)` for a name that is not its own.
const CHAPTERS: [fn(&mut Call) -> Answer; 10] = [
    builtins::atomics::expand,
    synchronise::expand,
    copies::expand,
    phases::expand,
    warp::expand,
    atomics::expand,
    integers::expand,
    conversions::expand,
    floats::expand,
    textures::expand,
];

/// Appends the meaning of a call of the function with this name.
///
/// The name is mangled or one of libdevice's. `result` has the type of each lane of the result; it
/// is empty for a function that returns nothing. `Ok(None)` if the function is not built in.
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

/// The assumption made by a call of the function with this mangled name, for the report.
pub fn assumption(mangled: &str) -> Option<Assumed> {
    textures::assumption(&mangle::demangle(mangled)?.base)
}

/// A number, or a float, of which nothing is known.
pub fn anything(builder: &mut Builder<'_>, ty: Type) -> Value {
    let Some(width) = ty.width() else { return builder.append(Operation::Anything, ty) };
    let bits = builder.append(Operation::Anything, Type::Bits(width));
    builder.convert(ConvertOp::Bitcast, bits, ty)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::process::Command;

    use lockstep_ir::kernel::{FloatType, Language, Space, verify};
    use serde::Deserialize;

    use super::*;
    use crate::builtins::mangle::{ParameterType, Scalar};
    use crate::builtins::testing::Bench;

    /// A declaration, as Clang prints it.
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Declaration {
        #[serde(default)]
        kind: String,
        mangled_name: Option<String>,
        r#type: Option<TypeName>,
        #[serde(default)]
        inner: Vec<Declaration>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct TypeName {
        qual_type: String,
    }

    impl Declaration {
        fn has(&self, kind: &str) -> bool {
            self.inner.iter().any(|inner| inner.kind == kind)
        }

        /// The functions for devices without a body: mangled name and type.
        fn functions<'a>(&'a self, found: &mut Vec<(&'a str, &'a str)>) {
            if let ("FunctionDecl", Some(name), Some(ty)) = (self.kind.as_str(), &self.mangled_name, &self.r#type)
                && self.has("CUDADeviceAttr")
                && !self.has("CompoundStmt")
            {
                found.push((name, &ty.qual_type));
            }
            if matches!(self.kind.as_str(), "TranslationUnitDecl" | "LinkageSpecDecl" | "NamespaceDecl") {
                self.inner.iter().for_each(|inner| inner.functions(found));
            }
        }
    }

    /// Clang's output for a source with our headers, checked only.
    fn clang(source: &str, language: Language, arguments: &[&str]) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in HEADERS {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("written");
        }
        let file = folder.path().join("source.cu");
        std::fs::write(&file, source).expect("written");
        let mut command = Command::new("clang-19");
        command.args(["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib"]).args([
            "-Xclang",
            "-target-feature",
            "-Xclang",
            "+ptx83",
            "-fsyntax-only",
            "-include",
            PRELUDE,
        ]);
        if language == Language::Hip {
            command.arg(format!("-D{HIP_WARP_SIZE}=64")).args(["-include", "hip/hip_runtime.h"]);
        }
        let output = command.args(arguments).arg("-isystem").args([folder.path(), &file]).output().expect("Clang 19");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// Clang's output for all our headers together.
    fn declarations(language: Language) -> Declaration {
        let mut source = String::new();
        for (name, _) in HEADERS.iter().filter(|(name, _)| !name.starts_with("lockstep/")) {
            writeln!(source, "#include <{name}>").expect("a string");
        }
        let tree = clang(&source, language, &["-Wall", "-Werror", "-Xclang", "-ast-dump=json"]);
        serde_json::from_slice(&tree).expect("a tree")
    }

    #[test]
    fn programs_in_the_style_of_samples_are_accepted() {
        for (source, language, standards) in [
            (include_str!("programs/standard_library.cu"), Language::Cuda, ["c++11", "c++20"].as_slice()),
            (include_str!("programs/newer_libraries.cu"), Language::Cuda, &["c++11", "c++20"]),
            (include_str!("programs/nothing_included.cu"), Language::Cuda, &["c++11", "c++17"]),
            (include_str!("programs/cooperative.cu"), Language::Cuda, &["c++14", "c++20"]),
            (include_str!("programs/other_headers.cu"), Language::Cuda, &["c++17", "c++20"]),
            (include_str!("programs/vectors.cu"), Language::Cuda, &["c++14", "c++20"]),
            (include_str!("programs/other_names.hip"), Language::Hip, &["c++14", "c++20"]),
        ] {
            for standard in standards {
                clang(source, language, &[&format!("-std={standard}")]);
            }
        }
    }

    /// The lanes of a result; `None` for a type that is not a number.
    fn result_types(name: &str) -> Option<Vec<Type>> {
        Some(vec![match name {
            "void" => return Some(Vec::new()),
            "bool" => Type::Bool,
            "int" | "unsigned int" => Type::Bits(32),
            "long" | "unsigned long" | "long long" | "unsigned long long" => Type::Bits(64),
            "unsigned short" => Type::Bits(16),
            "float" => Type::Float(FloatType::F32),
            "double" => Type::Float(FloatType::F64),
            _ => return None,
        }])
    }

    /// Arguments of these types; every integer is 1. `None` if one of the types has no argument.
    fn arguments(bench: &mut Bench, parameters: &[ParameterType]) -> Option<Vec<Lanes>> {
        let argument = |parameter: &ParameterType| {
            Some(match parameter {
                ParameterType::Scalar(Scalar::Bool) => bench.inputs(Type::Bool, 1),
                ParameterType::Scalar(Scalar::Integer(integer)) => vec![bench.number(integer.width, 1)],
                ParameterType::Scalar(Scalar::Float(float)) => bench.inputs(Type::Float(*float), 1),
                ParameterType::Pointer(..) => vec![bench.pointer(Space::Global)],
                ParameterType::Vector(..) | ParameterType::Opaque(_) | ParameterType::Void => return None,
            })
        };
        parameters.iter().map(argument).collect()
    }

    #[test]
    fn functions_of_our_headers_are_known_or_refused_by_name() {
        check_declared_functions(Language::Cuda);
        check_declared_functions(Language::Hip);
    }

    fn check_declared_functions(language: Language) {
        let all = declarations(language);
        let mut functions = Vec::new();
        all.functions(&mut functions);
        let (mut known, mut refused) = (0, 0);
        for (name, ty) in functions {
            // The function is not ours but Clang's, or the C library's.
            let Some(function) = mangle::demangle(name) else { continue };
            let result = ty.split('(').next().expect("a function's type").trim();
            let mut bench = Bench::cuda();
            bench.kernel.language = language;
            let (Some(arguments), Some(result)) = (arguments(&mut bench, &function.parameters), result_types(result))
            else {
                continue;
            };
            match bench.try_call(name, &arguments, &result) {
                Ok(Some(_)) => {
                    let problems = verify(bench.kernel).err().unwrap_or_default();
                    assert!(problems.is_empty(), "{name}: {problems:?}");
                    known += 1;
                }
                Ok(None) => panic!("{name} is not known"),
                Err(refusal) => {
                    let base = function.base.trim_start_matches("__lockstep_refused_").replacen("cuda_", "cuda::", 1);
                    assert!(refusal.0.contains(&base), "{refusal}");
                    refused += 1;
                }
            }
        }
        assert!(known > 700 && refused > 20, "{known} known, {refused} refused");
    }
}
