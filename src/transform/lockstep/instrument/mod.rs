//! Instrumentation: hits of thread 1, checks of thread 2, and claims about each thread.
//!
//! [`races`] logs and checks the accesses of each [`sites`] entry. [`claims`] asserts the
//! conditions that concern one thread by itself, and [`overflow`] assumes that signed arithmetic
//! does not overflow, where that matters. [`digits`] splits indices into rows of symbolic width, in
//! a variant of the program.

pub mod claims;
pub mod digits;
pub mod overflow;
pub mod races;
pub mod sites;
