//! What the languages' built-in functions have in common: calls of functions without a body, under their Itanium-mangled
//! names.

pub mod addresses;
pub mod arithmetic;
pub mod atomics;
pub mod call;
pub mod mangle;
pub mod memory;

#[cfg(test)]
pub mod testing;

/// A built-in function that is not supported, by name: `sub-group function sub_group_all`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsupported(pub String);
