//! `LS0202`, a **kernel that was not decided in time**.
//!
//! Neither a proof nor a defect was found within `--timeout`, which covers all work on the kernel.
//! The kernel may be correct; nothing is known about it.
//!
//! Allow more time (`--timeout 300`), or make the question easier: give sizes (`--local-size`,
//! `--num-groups`), assumptions about the arguments (`--assume`), or annotations in the source.

/// The stable code.
pub const CODE: &str = "LS0202";
/// The name of the kind.
pub const KIND: &str = "out-of-time";
