//! `LS0206`, a **kernel whose judging took too much memory**.
//!
//! The worker process that judged the kernel held more than `--memory` and was ended. Nothing is known of the kernel; the other
//! kernels of the run are decided all the same.
//!
//! Allow more (`--memory 16384`), or make the question smaller: with sizes (`--local-size`, `--num-groups`), or by verifying parts of
//! the kernel on their own.

/// The stable code.
pub const CODE: &str = "LS0206";
/// The name of the kind.
pub const KIND: &str = "out-of-memory";
