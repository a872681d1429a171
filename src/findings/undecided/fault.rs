//! `LS0205`, a **fault in Lockstep itself**.
//!
//! Lockstep failed while it worked on the kernel, so nothing is known about the kernel. The other
//! kernels of the run are still decided. Please report the fault with the kernel and the command
//! line.

/// The stable code.
pub const CODE: &str = "LS0205";
/// The name of the kind.
pub const KIND: &str = "fault";
