//! The version of LLVM.

/// The version of the LLVM that is linked in: `19.1.7`.
pub fn version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}
