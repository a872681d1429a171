//! `LS0111`, a **lane that is not in its own mask**.
//!
//! A thread calls a warp function (`__syncwarp`, `__shfl_sync`, `__ballot_sync`, ...) with a mask
//! in which the bit of its own lane is not set. The behaviour is undefined. The mask must name all
//! lanes that execute the call, including the calling lane.

use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0111";
/// The name of the kind.
pub const KIND: &str = "lane-not-in-mask";

/// The finding of this thread, or of thread 1 if the claim is the same for both.
pub(super) fn finding(run: &Run<'_>, thread: Option<usize>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[thread.unwrap_or(0)], Act::ForeignMask)
}
