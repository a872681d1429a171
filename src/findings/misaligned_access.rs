//! `LS0113`, an **access that is not aligned**.
//!
//! A thread reads or writes a value at an address that is not a multiple of the alignment that its type asks for: `*(float4 *)(p + 1)`
//! for a `float *p`. On a GPU that is an error, and not slow as elsewhere.

use lockstep_verdict::Finding;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0113";
/// The name of the kind.
pub const KIND: &str = "misaligned-access";

/// The finding: a thread's; thread 1's if it is one for both.
pub(super) fn finding(run: &Run<'_>, thread: Option<usize>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[thread.unwrap_or(0)], "accesses at an address that is not aligned")
}
