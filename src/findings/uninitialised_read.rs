//! `LS0114`, a **read of shared memory that nobody has written**.
//!
//! A thread reads a cell of its group's shared memory before any thread can have written it. The
//! value of the cell is undefined.
//!
//! The place that is read may depend on a value that the proof does not know (`a[b[t]]`, with `b`
//! written by the kernel). Then only a run makes it a finding: a counterexample may choose that
//! value freely, and would be a guess. Without such a run the kernel is `unknown`, and the reason
//! names the read and the value.

use lockstep_ir::source::Place;
use lockstep_prove::Counterexample;
use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;
use lockstep_verdict::reason::Reason;

use super::run::Run;

/// The stable code.
pub const CODE: &str = "LS0114";
/// The name of the kind.
pub const KIND: &str = "uninitialised-read";

/// The reason that makes a kernel unknown in place of a finding of this kind. The finding hinges on
/// an unknown value, and no run has confirmed it.
pub fn guessed(finding: &Finding, counterexample: &Counterexample) -> Option<Reason> {
    if finding.kind != KIND || finding.confirmed || counterexample.unknowns.is_empty() {
        return None;
    }
    let access = finding.accesses.first().filter(|access| access.line > 0);
    let place = access.map(|access| Place { file: access.file.clone(), line: access.line });
    Some(Reason::MaybeUnwritten { place, hinges: finding.hinges.clone() })
}

/// The finding of this thread, or of thread 1 if the claim is the same for both.
pub(super) fn finding(run: &Run<'_>, thread: Option<usize>) -> Finding {
    run.finding_at_obligation(CODE, KIND, &[thread.unwrap_or(0)], Act::UnwrittenRead)
}
