//! `LS0102`, a **barrier that not every thread reaches**.
//!
//! Every thread of a group must reach the same barrier the same number of times. Here one thread
//! reaches it and another thread of the same group does not. The other thread takes another branch,
//! leaves the loop earlier, or has already returned. The behaviour is undefined: on most devices
//! the group hangs or continues without waiting.
//!
//! Move the barrier to a point that all threads reach, or make the condition around it the same for
//! all of them. A thread that has returned counts as missing. `--exited-threads arrive` counts it
//! as having arrived, as recent NVIDIA hardware does.

use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0102";
/// The name of the kind.
pub const KIND: &str = "barrier-divergence";

/// The finding, with the position of each thread.
pub(super) fn finding(run: &Run<'_>) -> Finding {
    let location = run.program.obligations[run.counterexample.obligation].location;
    let mut finding = run.finding(CODE, KIND);
    // If the prover does not say, the first thread is the one that arrives: the program is
    // symmetric.
    let arrives = run.counterexample.arrives.unwrap_or([true, false]);
    for (thread, arrives) in arrives.into_iter().enumerate() {
        let act = if arrives { Act::Reaches } else { Act::DoesNotReach };
        finding.accesses.push(run.access(thread, location, act));
    }
    finding
}
