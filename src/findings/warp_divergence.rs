//! `LS0110`, a **lane that is waited for and does not arrive**.
//!
//! A function of the warp (`__syncwarp`, `__shfl_sync`, `__ballot_sync`, a tile's `sync`, ...) waits for all lanes that its mask names,
//! apart from those that have returned. Here one thread is there, and its mask names the lane of another that is not: that takes another
//! branch, leaves the loop earlier, or comes with another mask. What happens then is undefined.
//!
//! Name the lanes that come by (`__ballot_sync` before the branch tells which), or move the call to where all of them do.

use lockstep_verdict::Finding;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0110";
/// The name of the kind.
pub const KIND: &str = "warp-divergence";

/// What the thread does that is there.
pub const WAITS: &str = "waits for the other, which its mask names";

/// The finding: where each of the threads is.
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
