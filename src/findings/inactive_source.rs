//! `LS0112`, a **shuffle from a lane that does not take part**.
//!
//! A thread reads the value of a lane that is not in the mask, has returned, or does not exist
//! because the last warp of the group is not full. The value that it gets is undefined.
//!
//! Give lanes without work a neutral value instead of leaving them out, or read from lanes that
//! take part.

use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0112";
/// The name of the kind.
pub const KIND: &str = "inactive-source";

/// The finding of this thread, or of thread 1 if the claim is the same for both.
pub(super) fn finding(run: &Run<'_>, thread: Option<usize>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[thread.unwrap_or(0)], Act::InactiveLaneRead)
}
