//! `LS0201`, a **kernel that is neither proved nor refuted**.
//!
//! Lockstep found neither a proof that the kernel is free of defects nor a run that has one. The
//! kernel may be correct; nothing is known about it.
//!
//! The reason names the obstacle, such as a loop whose invariant was lost, and possible remedies.
//! If you know a fact about the arguments, state it: `--assume 'n >= get_global_size(0)'`, or
//! annotations in the source. Given sizes (`--local-size`, `--num-groups`) make proofs easier.

/// The stable code.
pub const CODE: &str = "LS0201";
/// The name of the kind.
pub const KIND: &str = "unproved";
