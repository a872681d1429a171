//! The common part of the languages' built-in functions.
//!
//! Built-in functions are called without a body, under their Itanium-mangled names.

pub mod addresses;
pub mod arithmetic;
pub mod atomics;
pub mod call;
pub mod mangle;
pub mod memory;

#[cfg(test)]
pub mod testing;

/// The name of a built-in function that is not supported: `sub-group function sub_group_all`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsupported(pub String);
