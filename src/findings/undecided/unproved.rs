//! `LS0201`, a **kernel that is neither proved nor refuted**.
//!
//! No proof was found that the kernel is free of defects, and no run in which it has one. It may be correct; nothing is
//! known of it.
//!
//! The reason names what stands in the way, such as a loop whose invariant was lost, and what may help. Where only you know
//! something of the arguments, say it: `--assume 'n >= get_global_size(0)'`, or annotations in the source. Sizes that are
//! given (`--local-size`, `--num-groups`) make proofs easier.

/// The stable code.
pub const CODE: &str = "LS0201";
/// The name of the kind.
pub const KIND: &str = "unproved";
