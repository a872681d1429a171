//! `LS0110`, a **lane that is waited for and does not arrive**.
//!
//! A warp function (`__syncwarp`, `__shfl_sync`, `__ballot_sync`, a tile's `sync`, ...) waits for
//! all lanes that its mask names, except those that have returned. Here one thread has arrived, and
//! its mask names the lane of another thread that has not. The other thread takes another branch,
//! leaves the loop earlier, or arrives with another mask. The behaviour is undefined.
//!
//! Name only the lanes that reach the call (`__ballot_sync` before the branch computes them), or
//! move the call to a point that all of them reach.

use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0110";
/// The name of the kind.
pub const KIND: &str = "warp-divergence";

/// The finding, with the position of each thread.
pub(super) fn finding(run: &Run<'_>) -> Finding {
    let location = run.program.obligations[run.counterexample.obligation].location;
    let mut finding = run.finding(CODE, KIND);
    let arrives = run.counterexample.arrives.unwrap_or([true, false]);
    let acts = match arrives {
        // The masks differ.
        [true, true] => [Act::NamesOther, Act::OtherMask],
        _ => arrives.map(|arrives| if arrives { Act::WaitsForLane } else { Act::DoesNotArrive }),
    };
    for (thread, act) in acts.into_iter().enumerate() {
        finding.accesses.push(run.access(thread, location, act));
    }
    finding
}
