//! The command lines of Clang for OpenCL C, and for the hosts that launch its kernels.

use std::ffi::OsString;
use std::path::Path;

use super::headers::Headers;
use crate::FrontendOptions;

/// The arguments that the language needs.
pub fn arguments(headers: &Headers, options: &FrontendOptions) -> Vec<OsString> {
    let target = if options.pointer_bits == 32 { "spir-unknown-unknown" } else { "spir64-unknown-unknown" };
    let standard = match options.cl_std.as_deref() {
        None => "CL2.0".to_owned(),
        Some(standard) if standard.starts_with(|first: char| first.is_ascii_digit()) => format!("CL{standard}"),
        Some(standard) => standard.to_owned(),
    };
    let mut arguments: Vec<OsString> =
        ["-O0", "-x", "cl", "-target", target, "-cl-kernel-arg-info"].map(OsString::from).to_vec();
    // Under C99 rules an inline function's body would be missing without optimisation.
    arguments.push("-fgnu89-inline".into());
    arguments.push(format!("-cl-std={standard}").into());
    arguments.extend(["-include".into(), headers.before_source().into()]);
    arguments
}

/// The arguments for a host in C or C++, whose code is to be inlined.
///
/// The declarations of the API are Lockstep's own, unless a folder of the command line has others.
pub fn host_arguments(headers: &Headers, path: &Path) -> Vec<OsString> {
    let is_c = path.extension().is_some_and(|ending| ending == "c");
    let language = if is_c { "c" } else { "c++" };
    let mut arguments: Vec<OsString> = ["-x", language, "-O1", "-w", "-isystem"].map(OsString::from).to_vec();
    arguments.extend([headers.folder().into(), "-include".into(), headers.before_host().into()]);
    arguments
}
