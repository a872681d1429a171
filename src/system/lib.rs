//! The operating system as Lockstep uses it.
//!
//! Files of others are read through [`bounded`], and texts of others shown through [`printable`].
//! [`cache`] keeps entries in the user's cache folder, [`sandbox`] limits Clang and the processes
//! that judge kernels, [`worker`] starts and ends these.

pub mod bounded;
pub mod cache;
pub mod printable;
pub mod sandbox;
pub mod worker;
