//! Reasons why no run shows a finding, derived from the runs that were tried.
//!
//! A finding that stays possible lists the facts that it hinges on. The values that the proof does
//! not know come from the counterexample ([`lockstep_findings`]), and this module adds the
//! obstacles that kept runs from showing the finding. The report gives the first of these that
//! applies:
//!
//! 1. The launch cannot be run, for example because it is too large.
//! 2. Runs do not evaluate the source's statement there.
//! 3. Runs have the defect, but only after an event that makes the rest of a run meaningless.
//! 4. Such an event stops all runs before the defect.
//! 5. Runs are broken off before they come to an end.
//! 6. Runs come to their ends without the defect. Then it hinges on the order of the threads, on
//!    the contents of the arrays, or on the state in which the proof lets a loop iteration begin.
//!    The report gives the number of runs and their orders.

use lockstep_interpreter::{Code, Event, Schedule, Wrong};
use lockstep_ir::kernel::{Array, VerifiedKernel};
use lockstep_verdict::hinge::{Order, Stop, Stopped, Tried};

/// Notes a run without the defect: the event that stopped it, and its steps if these were too many.
pub fn note(tried: &mut Tried, schedule: Schedule, stopped_by: Option<Stop>, broken_off: Option<u64>) {
    tried.orders.insert(match schedule {
        Schedule::InOrder => Order::OneByOne,
        Schedule::RoundRobin(_) | Schedule::Random(_) | Schedule::Stale(_) => Order::InTurns,
    });
    match (stopped_by, broken_off) {
        (Some(what), _) => {
            tried.stopped_by.get_or_insert(what);
        }
        (None, Some(steps)) => tried.broken_off = tried.broken_off.max(Some(steps)),
        (None, None) => tried.ended += 1,
    }
}

/// An event that makes the rest of a run meaningless, with its place.
pub fn stop(kernel: &VerifiedKernel, code: &Code, event: &Event) -> Stop {
    let name = |array: Array| kernel.arrays[array].name.clone();
    let what = match event.what {
        Wrong::OutOfBounds { array: Some(array), offset, writes, .. } => {
            Stopped::OutOfBounds { array: name(array), offset, writes }
        }
        Wrong::OutOfBounds { array: None, .. } => Stopped::Null,
        Wrong::OutsideImage { array, .. } => Stopped::OutsideImage(name(array)),
        Wrong::Misaligned { array, .. } => Stopped::Misaligned(name(array)),
        Wrong::ConstantWritten(array) => Stopped::ConstantWritten(name(array)),
        Wrong::Assumption => Stopped::Assumption,
        Wrong::NoSuchBarrier { .. } => Stopped::NoSuchBarrier,
        Wrong::NobodyWaits { .. } => Stopped::NobodyWaits,
        Wrong::Phase(_) => Stopped::Phase,
        Wrong::InactiveSource => Stopped::InactiveSource,
        Wrong::GoesRound => Stopped::GoesRound,
        Wrong::Unreachable => Stopped::Unreachable,
        Wrong::Undefined(what) => Stopped::Undefined(what.text()),
        Wrong::AnyValue(what) => Stopped::AnyValue(what.text()),
        Wrong::Refused(number) => Stopped::Refused(code.refusal(number).to_owned()),
        Wrong::Unknown(number) => Stopped::UnknownResult(code.function(number).to_owned()),
        Wrong::NotModelled => Stopped::NotModelled,
        Wrong::Assertion => Stopped::Assertion,
        Wrong::Divergence { .. } => Stopped::WaitsForEver,
        Wrong::Differs(_) => Stopped::Differs,
        Wrong::NotWaitedFor => Stopped::NotWaitedFor,
        Wrong::NotInMask => Stopped::NotInMask,
        Wrong::Trap => Stopped::Trap,
        Wrong::Unwritten { array, .. } => Stopped::Unwritten(name(array)),
        Wrong::Race(race) => Stopped::Race(name(race.array)),
    };
    let location = code.place(event.at);
    Stop { what, place: location.map(|location| kernel.place(Some(location))) }
}
