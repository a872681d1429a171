//! Facts about kernels, computed and never stored in them.

pub mod alignment;
pub mod intervals;
pub mod need;
pub mod pointers;
pub mod structure;
pub mod uniformity;
