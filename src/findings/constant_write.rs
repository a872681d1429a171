//! `LS0105`, a **write to constant memory**.
//!
//! A kernel must not write to constant memory. A cast can make such a write possible; its behaviour
//! is undefined.

use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0105";
/// The name of the kind.
pub const KIND: &str = "constant-write";

/// The finding of this thread, or of thread 1 if the claim is the same for both.
pub(super) fn finding(run: &Run<'_>, thread: Option<usize>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[thread.unwrap_or(0)], Act::Write)
}
