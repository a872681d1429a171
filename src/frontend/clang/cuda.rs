//! The command line of Clang for CUDA and HIP.
//!
//! Clang compiles for the device only, with Lockstep's own headers or with those of a toolkit.

use std::ffi::OsString;
use std::path::Path;

use lockstep_ir::kernel::Language;

use super::headers::Headers;
use super::process::literal;
use crate::FrontendOptions;
use crate::cuda::{HIP_WARP_SIZE, OWN_HEADERS, PLAIN_HOST, PRELUDE, VECTOR_ARITHMETIC};

/// The arguments for the device.
pub fn arguments(headers: &Headers, language: Language, options: &FrontendOptions) -> Vec<OsString> {
    let device = ["-O0", "--cuda-device-only", "-Xclang", "-target-feature", "-Xclang", "+ptx83"];
    let mut arguments = both_sides(headers, language, options);
    arguments.extend(device.map(OsString::from));
    arguments
}

/// The headers of C++ that the toolkit's own header includes for the host.
const STANDARD: [&str; 4] = ["cmath", "cstdlib", "cstring", "ctime"];

/// The arguments for headers of C++ that sources may use without including them.
pub fn with_standard_headers() -> impl Iterator<Item = OsString> {
    STANDARD.iter().flat_map(|header| ["-include", header]).map(OsString::from)
}

/// The arguments for the host, whose code is to be inlined.
pub fn host_arguments(headers: &Headers, language: Language, options: &FrontendOptions) -> Vec<OsString> {
    let mut arguments = both_sides(headers, language, options);
    // The device compilation has printed the diagnostics already.
    arguments.extend(["-O1", "--cuda-host-only", "-w"].map(OsString::from));
    arguments
}

/// The arguments for a file in C or C++, whose code is to be inlined.
///
/// The toolkit's headers are written for C++ with its keywords, and so C++ is read as CUDA, without
/// the macro by which a source sees that. A file that uses none of the toolkit may have other
/// things of the same names: then, and in C, the headers are empty.
pub fn plain_host_arguments(
    headers: &Headers,
    (path, language): (&Path, Language),
    with_toolkit: bool,
    options: &FrontendOptions,
) -> Vec<OsString> {
    if with_toolkit {
        let mut arguments = host_arguments(headers, language, options);
        arguments.push(format!("-D{PLAIN_HOST}").into());
        return arguments;
    }
    let is_c = path.extension().is_some_and(|ending| ending == "c");
    let language = if is_c { "c" } else { "c++" };
    let arguments = ["-x", language, "-O1", "-w", "-idirafter"].map(OsString::from);
    arguments.into_iter().chain([headers.folder().into()]).collect()
}

fn both_sides(headers: &Headers, language: Language, options: &FrontendOptions) -> Vec<OsString> {
    // HIP is the same language under other names, which Lockstep's headers define. The toolkit may
    // be newer than Clang.
    let mut arguments: Vec<OsString> =
        ["-x", "cuda", "-nocudalib", "-Wno-unknown-cuda-version"].map(OsString::from).to_vec();
    if !options.clang_arguments.iter().any(|argument| argument.starts_with("--cuda-gpu-arch")) {
        arguments.push("--cuda-gpu-arch=sm_80".into());
    }
    match &options.cuda_path {
        Some(path) if language == Language::Cuda => {
            let mut option = OsString::from("--cuda-path=");
            option.push(literal(path));
            arguments.push(option);
            // With `-nocudalib` Clang does not detect the version; `<<<>>>` means another function
            // before CUDA 9.2.
            if let Some(version) = toolkit_version(path) {
                arguments.extend(["-Xclang".into(), format!("-target-sdk-version={version}").into()]);
            }
        }
        _ => {
            let folder = headers.folder();
            let mut shown = OsString::from("-fdebug-prefix-map=");
            shown.push(folder);
            shown.push("=");
            shown.push(OWN_HEADERS);
            arguments.push(shown);
            arguments.extend([
                "-nocudainc".into(),
                "-isystem".into(),
                folder.into(),
                "-include".into(),
                PRELUDE.into(),
            ]);
            if language == Language::Hip {
                arguments.push(format!("-D{HIP_WARP_SIZE}={}", options.warp_size.unwrap_or(64)).into());
                // HIP's vectors have arithmetic of their own.
                arguments.extend(["-include".into(), "hip/hip_runtime.h".into()]);
            } else if options.vector_arithmetic {
                arguments.extend(["-include".into(), VECTOR_ARITHMETIC.into()]);
            }
        }
    }
    arguments.extend(["-include".into(), headers.before_source().into()]);
    arguments
}

/// The version that a toolkit's headers declare: `12.4`.
fn toolkit_version(path: &Path) -> Option<String> {
    let header = std::fs::read(path.join("include").join("cuda.h")).ok()?;
    let header = String::from_utf8_lossy(&header);
    let number = header.lines().find_map(|line| line.strip_prefix("#define CUDA_VERSION"))?;
    let number: u32 = number.trim().parse().ok()?;
    Some(format!("{}.{}", number / 1000, number % 1000 / 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_a_toolkit_is_in_its_header() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(toolkit_version(folder.path()), None);
        let include = folder.path().join("include");
        std::fs::create_dir(&include).expect("a folder");
        std::fs::write(include.join("cuda.h"), "#ifndef X\n#define CUDA_VERSION 12040\n").expect("a file");
        assert_eq!(toolkit_version(folder.path()).as_deref(), Some("12.4"));
    }
}
