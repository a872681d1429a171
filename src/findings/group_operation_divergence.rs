//! `LS0103`, a **group-wide operation called differently**.
//!
//! All threads of a group must reach a group-wide operation (an asynchronous copy, a wait for
//! events) with the same arguments. Here two threads of a group differ.

use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0103";
/// The name of the kind.
pub const KIND: &str = "group-operation-divergence";

/// The finding; both threads are at the same place.
pub(super) fn finding(run: &Run<'_>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[0, 1], Act::GroupOperation)
}
