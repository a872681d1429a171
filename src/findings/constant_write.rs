//! `LS0105`, a **write to constant memory**.
//!
//! Constant memory must not be written by a kernel; where a cast makes it possible, what happens is undefined.

use lockstep_verdict::Finding;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0105";
/// The name of the kind.
pub const KIND: &str = "constant-write";

/// The finding: a thread's; thread 1's if it is one for both.
pub(super) fn finding(run: &Run<'_>, thread: Option<usize>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[thread.unwrap_or(0)], "write")
}
