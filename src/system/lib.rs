//! Lockstep's interface to the operating system.
//!
//! Files of others are read through [`bounded`], and texts of others shown through [`printable`].
//! [`cache`] keeps entries in the user's cache folder, [`sandbox`] limits Clang and the processes
//! that judge kernels, and [`worker`] starts and ends these processes.

pub mod bounded;
pub mod cache;
pub mod printable;
pub mod sandbox;
pub mod worker;
