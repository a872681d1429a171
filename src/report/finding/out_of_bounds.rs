//! `LS0107`, an **access outside an array**.
//!
//! A thread accesses an array of known size (a local, private or constant array declared in the source) outside its bounds. Arrays
//! behind pointer parameters have unknown sizes and are not checked.

use super::run::Run;
use crate::verdict::Finding;

/// The stable code.
pub const CODE: &str = "LS0107";
/// The name of the kind.
pub const KIND: &str = "out-of-bounds";

/// The finding: a thread's access to `array`; thread 1's if it is one for both.
pub(super) fn finding(run: &Run<'_>, array: &str, thread: Option<usize>) -> Finding {
    let finding = run.finding_at_obligation(CODE, KIND, &[thread.unwrap_or(0)], "access");
    Finding { array: Some(array.to_owned()), ..finding }
}
