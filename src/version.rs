//! Versions of Lockstep, LLVM and Z3.

use crate::report::Tool;

/// Lockstep's own version.
pub const LOCKSTEP: &str = env!("CARGO_PKG_VERSION");

/// The home of the project; empty if the package does not say.
pub const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// A hash of the sources, the packages, the compiler and its options that made this executable.
pub const BUILD: &str = env!("LOCKSTEP_BUILD");

/// The version of the Z3 library that was really loaded, not the one linked against: `5.4.0.0`.
pub fn z3() -> String {
    crate::solver::version()
}

/// The same with everything that Z3 says of itself, such as the commit it was built from.
pub fn z3_in_full() -> &'static str {
    crate::solver::version_in_full()
}

/// The stamp of cached answers: another build, or another Z3, may answer otherwise.
pub fn stamp() -> String {
    [BUILD, LOCKSTEP, z3_in_full()].join("\n")
}

/// The version of LLVM: `19.1.7`.
pub fn llvm() -> String {
    crate::frontend::llvm::version()
}

/// The versions that reports name.
pub fn tool() -> Tool {
    Tool { version: LOCKSTEP, repository: REPOSITORY, llvm: llvm(), z3: z3() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_z3_that_is_loaded_is_5_or_newer() {
        let version = super::z3();
        let major: u32 = version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0);
        assert!(major >= 5, "Z3 {version} is too old: LLVM's libz3 was loaded instead of third-party/z3");
    }

    #[test]
    fn llvm_is_19() {
        assert!(super::llvm().starts_with("19."), "{}", super::llvm());
    }
}
