//! `LS0115`, an **index that overflows**.
//!
//! The signed arithmetic that computes the index of an access overflows for the values shown. The
//! behaviour is undefined. Compute the index with a wider type (`size_t`). Only `--check overflow`
//! enables this check.

use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0115";
/// The name of the kind.
pub const KIND: &str = "index-overflow";

/// The finding of this thread, or of thread 1 if the claim is the same for both.
pub(super) fn finding(run: &Run<'_>, thread: Option<usize>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[thread.unwrap_or(0)], Act::OverflowingIndex)
}
