//! `LS0104`, an **assertion that fails**.
//!
//! An assertion of the source does not hold in the run shown.

use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0104";
/// The name of the kind.
pub const KIND: &str = "assertion";

/// The finding of this thread, or of thread 1 if the claim is the same for both.
pub(super) fn finding(run: &Run<'_>, thread: Option<usize>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[thread.unwrap_or(0)], Act::Assertion)
}
