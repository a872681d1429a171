//! `LS0114`, a **read of shared memory that nobody has written**.
//!
//! A thread reads a cell of its group's shared memory that no thread can have written by then. Its value is undefined.

use super::run::Run;
use crate::verdict::Finding;

/// The stable code.
pub const CODE: &str = "LS0114";
/// The name of the kind.
pub const KIND: &str = "uninitialised-read";

/// The finding: a thread's; thread 1's if it is one for both.
pub(super) fn finding(run: &Run<'_>, thread: Option<usize>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[thread.unwrap_or(0)], "reads what has not been written")
}
