//! `LS0206`, a **kernel that exceeded the memory limit**.
//!
//! The worker process that judged the kernel exceeded `--memory` and was ended. Nothing is known
//! about the kernel. The other kernels of the run are still decided.
//!
//! Allow more memory (`--memory 16384`), or make the question smaller: give sizes (`--local-size`,
//! `--num-groups`), or verify parts of the kernel on their own.

/// The stable code.
pub const CODE: &str = "LS0206";
/// The name of the kind.
pub const KIND: &str = "out-of-memory";
