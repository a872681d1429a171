//! `LS0203`, a **kernel with a construct that is not supported**.
//!
//! The kernel uses a construct that Lockstep does not model. Nothing is known about the kernel:
//! neither about this line nor about the rest.
//!
//! Write the construct in another way, or check the kernel with this part replaced by the facts
//! that are known about it.

/// The stable code.
pub const CODE: &str = "LS0203";
/// The name of the kind.
pub const KIND: &str = "unsupported";
