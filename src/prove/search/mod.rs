//! Searches for executions that fail an assertion: concrete and symbolic ones.

pub mod concrete;
pub mod counterexample;
pub mod defects;
pub mod straight;
pub mod unroll;
