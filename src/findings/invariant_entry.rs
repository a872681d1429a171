//! `LS0108`, a **loop invariant that does not hold before the loop**.
//!
//! A loop invariant of the source does not hold when execution first reaches the loop.

use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0108";
/// The name of the kind.
pub const KIND: &str = "invariant-entry";

/// The finding; both threads are at the same place.
pub(super) fn finding(run: &Run<'_>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[0, 1], Act::Invariant)
}
