//! Abstract interpretation: what single words may be at the heads of loops (source 2 of DESIGN 2.3).
//!
//! A word's domain is the product of bounds, as an unsigned and as a signed number, and known bits ([`word`]), with all that
//! the operations of the sequential program make of them, wrap-around included ([`operations`]). [`facts`] evaluates
//! expressions under conditions, [`engine`] executes the program until nothing changes.
//!
//! What it finds are *candidates* of the families `intervals` and `known-bits`: each is proved, or dropped, like any other.
//! So the engine may guess, and does, where a sound analysis would have to give up: see there.

mod engine;
mod facts;
mod modular;
pub mod operations;
#[cfg(test)]
mod tests;
mod word;

pub use engine::{Heads, heads};
pub use facts::Value;
pub use modular::{Span, Vector};
pub use word::{Word, mask, sign_extended, signed_limits, truncated};
