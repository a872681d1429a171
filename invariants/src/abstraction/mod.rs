//! Abstract interpretation: the values of single words at the heads of loops (source 2 of DESIGN
//! 2.3).
//!
//! A word's domain is the product of unsigned bounds, signed bounds, and known bits ([`word`]). The
//! operations of the sequential program have abstract counterparts that include wrap-around
//! ([`operations`]). [`facts`] evaluates expressions under conditions, and [`engine`] executes the
//! program until a fixpoint.
//!
//! The results are *candidates* of the family `abstract-values`: each is proved, or dropped, like
//! any other. So the engine may guess where a sound analysis would have to give up; its
//! documentation describes where it does.

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
