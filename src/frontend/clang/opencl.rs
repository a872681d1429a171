//! The command line of Clang for OpenCL C.

use std::ffi::OsString;

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
