//! `LS0202`, a **kernel that was not decided in time**.
//!
//! Neither a proof nor a defect was found within `--timeout`, which counts all that is done for the kernel. The kernel may be
//! correct; nothing is known of it.
//!
//! Give more time (`--timeout 300`), or make the question easier: with sizes (`--local-size`, `--num-groups`), with
//! assumptions about the arguments (`--assume`), or with annotations in the source.

/// The stable code.
pub const CODE: &str = "LS0202";
/// The name of the kind.
pub const KIND: &str = "out-of-time";
