//! `LS0116`, a **call through a pointer to no known function**.
//!
//! A thread calls a function through a pointer. The pointer is none of the functions of this type
//! whose address the source takes. It is null, not initialised, or of unknown origin.
//! `__requires(f == square || f == cube)` states the possible targets.

use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0116";
/// The name of the kind.
pub const KIND: &str = "unknown-target";

/// The finding of this thread, or of thread 1 if the claim is the same for both.
pub(super) fn finding(run: &Run<'_>, thread: Option<usize>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[thread.unwrap_or(0)], Act::UnknownCall)
}
