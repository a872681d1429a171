//! The version of Z3.

/// The version of the Z3 library that the process has actually loaded: `5.4.0.0`.
pub fn version() -> String {
    let full = ::z3::full_version();
    full.trim_start_matches("Z3 ").split_whitespace().next().unwrap_or(full).to_owned()
}

/// The library's full description of its version.
pub fn version_in_full() -> &'static str {
    ::z3::full_version()
}
