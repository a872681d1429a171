//! How Clang is called for OpenCL C.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::ANNOTATIONS;
use crate::frontend::FrontendOptions;

/// Clang's own atomics are made those of OpenCL: for SPIR targets Clang drops the scopes of its own.
const ATOMICS: &str = include_str!("../opencl/atomics.h");

/// The arguments that the language needs; the header they name is written into the folder.
pub fn arguments(folder: &Path, options: &FrontendOptions) -> io::Result<Vec<OsString>> {
    let header = folder.join("lockstep.h");
    std::fs::write(&header, [ATOMICS, ANNOTATIONS].concat())?;
    let target = if options.pointer_bits == 32 { "spir-unknown-unknown" } else { "spir64-unknown-unknown" };
    let standard = match options.cl_std.as_deref() {
        None => "CL2.0".to_owned(),
        Some(standard) if standard.starts_with(|first: char| first.is_ascii_digit()) => format!("CL{standard}"),
        Some(standard) => standard.to_owned(),
    };
    let mut arguments: Vec<OsString> =
        ["-O0", "-x", "cl", "-target", target, "-cl-kernel-arg-info"].map(OsString::from).to_vec();
    // In C99 an inline function's body would be missing without optimisation.
    arguments.push("-fgnu89-inline".into());
    arguments.push(format!("-cl-std={standard}").into());
    arguments.extend(["-include".into(), header.into()]);
    Ok(arguments)
}
