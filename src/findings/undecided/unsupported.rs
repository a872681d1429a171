//! `LS0203`, a **kernel with a construct that is not supported**.
//!
//! The kernel uses something that Lockstep does not model, and so nothing is known of it: neither of this line nor of the
//! rest of the kernel.
//!
//! Write it in another way where checks matter, or check the kernel with this part replaced by what is known of it.

/// The stable code.
pub const CODE: &str = "LS0203";
/// The name of the kind.
pub const KIND: &str = "unsupported";
