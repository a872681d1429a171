//! `LS0113`, an **access that is not aligned**.
//!
//! A thread reads or writes a value at an address that is not a multiple of the alignment that its
//! type requires: `*(float4 *)(p + 1)` for a `float *p`. On a GPU such an access is an error, not
//! merely slow as on a CPU.

use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0113";
/// The name of the kind.
pub const KIND: &str = "misaligned-access";

/// The finding of this thread, or of thread 1 if the claim is the same for both.
pub(super) fn finding(run: &Run<'_>, thread: Option<usize>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[thread.unwrap_or(0)], Act::MisalignedAccess)
}
