//! `LS0109`, a **loop invariant that an iteration breaks**.
//!
//! A loop invariant of the source holds before an iteration but not after it. The run shown starts
//! at an arbitrary iteration in which all invariants hold. This state need not be reachable; a
//! stronger invariant may exclude it.

use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0109";
/// The name of the kind.
pub const KIND: &str = "invariant-step";

/// The finding; both threads are at the same place.
pub(super) fn finding(run: &Run<'_>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[0, 1], Act::Invariant)
}
