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

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0110";
/// The name of the kind.
pub const KIND: &str = "warp-divergence";

/// The action of the thread that has arrived.
pub const WAITS: &str = "waits for the other, which its mask names";

/// The finding, with the position of each thread.
pub(super) fn finding(run: &Run<'_>) -> Finding {
    let location = run.program.obligations[run.counterexample.obligation].location;
    let mut finding = run.finding(CODE, KIND);
    let arrives = run.counterexample.arrives.unwrap_or([true, false]);
    let words = match arrives {
        // The masks differ.
        [true, true] => ["arrives with a mask that names the other", "arrives with another mask"],
        _ => arrives.map(|arrives| if arrives { WAITS } else { "does not arrive" }),
    };
    for (thread, word) in words.into_iter().enumerate() {
        finding.accesses.push(run.access(thread, location, word));
    }
    finding
}
