//! `LS0116`, a **call through a pointer to no known function**.
//!
//! A thread calls a function through a pointer that is none of the functions of this type whose address the source takes: the pointer is
//! null, or not initialised, or comes from where nobody says what it is. `__requires(f == square || f == cube)` says so.

use lockstep_verdict::Finding;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0116";
/// The name of the kind.
pub const KIND: &str = "unknown-target";

/// The finding: a thread's; thread 1's if it is one for both.
pub(super) fn finding(run: &Run<'_>, thread: Option<usize>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[thread.unwrap_or(0)], "calls through a pointer to no known function")
}
