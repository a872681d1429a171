//! The events of a run as text, each with its place.

use std::fmt::Write as _;

use lockstep_ir::kernel::{Array, VerifiedKernel};
use lockstep_ir::source::Location;

use crate::interpreter::{Access, Code, Event, Grid, PhaseError, Watched, Wrong};
use crate::report::count;

/// The name of an event, its severity (an error, or a note), and its description in words.
pub fn words(kernel: &VerifiedKernel, code: &Code, grid: &Grid, event: &Event) -> (&'static str, String) {
    let array = |array: Array| kernel.arrays[array].name.as_str();
    match event.what {
        Wrong::OutOfBounds { array: Some(of), offset, bytes, writes } => {
            let verb = if writes { "write" } else { "read" };
            ("error", format!("{verb} of {} at byte {offset} of {}, outside of it", count(bytes, "byte"), array(of)))
        }
        Wrong::OutOfBounds { array: None, writes, .. } => {
            ("error", format!("{} through a null pointer", if writes { "write" } else { "read" }))
        }
        Wrong::OutsideImage { array: of, pixel, image, writes } => {
            let verb = if writes { "write" } else { "read" };
            ("error", format!("{verb} of pixel {pixel} of {}, which has {image}", array(of)))
        }
        Wrong::Misaligned { array: of, offset, alignment } => {
            ("error", format!("access at byte {offset} of {}, which is no multiple of {alignment}", array(of)))
        }
        Wrong::ConstantWritten(of) => ("error", format!("write to constant memory, {}", array(of))),
        Wrong::Assertion => ("error", "an assertion does not hold".to_owned()),
        Wrong::Divergence { other: Some((at, thread)), .. } => {
            ("error", format!("waits for ever: {} waits at {}", who(thread), place(kernel, code.place(at))))
        }
        Wrong::Divergence { returned: Some((_, thread)), .. } => {
            ("error", format!("waits for ever: {} has returned", who(thread)))
        }
        Wrong::Divergence { .. } => ("error", "waits for ever".to_owned()),
        Wrong::GoesRound => {
            ("error", "waits for ever in a loop: no thread that runs still changes what it depends on".to_owned())
        }
        Wrong::Differs(thread) => {
            ("error", format!("does with the group what {} does with other operands", who(thread)))
        }
        Wrong::NotWaitedFor => {
            ("error", "nobody waits for this copy before the threads of the group return".to_owned())
        }
        Wrong::NoSuchBarrier { id, threads } => {
            let warp = grid.warp_size;
            let rule = format!("numbers are below 16, threads whole warps of {warp}, and all who come name as many");
            ("error", format!("barrier {id} for {}: {rule}", count(threads, "thread")))
        }
        Wrong::NobodyWaits { id, come, threads } => {
            let are = format!("{come} of {}", count(threads, "thread"));
            ("error", format!("nobody waits at barrier {id} for the threads that arrive there ({are} have come)"))
        }
        Wrong::Phase(PhaseError::NotInitialised) => {
            ("error", "uses an mbarrier that has not been initialised".to_owned())
        }
        Wrong::Phase(PhaseError::NoSuchCount(arrivals)) => {
            let are = count(arrivals, "arrival");
            ("error", format!("initialises an mbarrier for {are}: 1 to 1,048,575 are possible"))
        }
        Wrong::Phase(PhaseError::TooMany { count: arrivals, pending }) => {
            let are = count(arrivals, "arrival");
            ("error", format!("{are} at an mbarrier whose phase lacks {pending}"))
        }
        Wrong::InactiveSource => ("error", "reads the value of a lane that does not take part".to_owned()),
        Wrong::NotInMask => ("error", "is not among the lanes that the mask names".to_owned()),
        Wrong::Unwritten { array: of, offset } => {
            ("error", format!("read of local memory that nobody has written, byte {offset} of {}", array(of)))
        }
        Wrong::Undefined(what) => ("error", what.text()),
        Wrong::AnyValue(what) => ("note", format!("{}, for which the language takes any value", what.text())),
        Wrong::Trap => {
            ("error", "a trap ends the launch: nobody passes a barrier that this thread has not come to".to_owned())
        }
        Wrong::Unreachable => ("error", "comes to what the source says is never reached".to_owned()),
        Wrong::Race(race) => {
            let kinds = format!("{}-{}", race.earlier.name(), race.later.name());
            let is_within = grid.group_index(race.group) == event.group;
            let scope = if is_within { "within a group" } else { "between groups" };
            let touched = match race.pixel {
                Some(pixel) => format!("{}{pixel}", array(race.array)),
                None => format!("{} at byte {}", array(race.array), race.offset),
            };
            ("error", format!("{kinds} race on {touched}, {scope}"))
        }
        Wrong::Assumption => ("note", "what is assumed does not hold for this input; the thread ends here".to_owned()),
        Wrong::Refused(number) => ("note", format!("{} is not executed; the thread ends here", code.refusal(number))),
        Wrong::NotModelled => ("note", "what this returns is not known: it is taken to be zero".to_owned()),
        Wrong::Unknown(number) => {
            ("note", format!("what {} returns is not known: a value was made up", code.function(number)))
        }
    }
}

/// Writes an event with its place, and the other access of a race.
pub fn write_event(
    text: &mut String,
    kernel: &VerifiedKernel,
    code: &Code,
    grid: &Grid,
    event: &Event,
) -> anyhow::Result<()> {
    let (severity, what) = words(kernel, code, grid, event);
    writeln!(text, "{severity}: {what}")?;
    writeln!(text, "  --> {}", place(kernel, code.place(event.at)))?;
    let of_group = |[x, y, z]: [u32; 3]| format!("of group ({x}, {y}, {z})");
    let (thread, group) = (who(event.thread), of_group(event.group));
    match event.what {
        Wrong::Race(race) => {
            writeln!(text, "   = {} {group} {} here", accessor(race.later, thread), deed(race.later))?;
            let earlier = accessor(race.earlier, who(grid.local_id(race.thread)));
            let (group, at) = (of_group(grid.group_index(race.group)), place(kernel, code.place(race.at)));
            writeln!(text, "   = {earlier} {group} {} at {at}", deed(race.earlier))?;
        }
        _ => writeln!(text, "   = {thread} {group}")?,
    }
    writeln!(text)?;
    Ok(())
}

/// The thread that accesses memory, or a copy that goes on beside it.
fn accessor(access: Access, thread: String) -> String {
    match access {
        Access::AsyncRead | Access::AsyncWrite => "a copy".to_owned(),
        Access::Read | Access::Write | Access::Atomic => thread,
    }
}

fn deed(access: Access) -> &'static str {
    match access {
        Access::Atomic => "accesses it atomically",
        Access::Write | Access::AsyncWrite => "writes it",
        Access::Read | Access::AsyncRead => "reads it",
    }
}

/// Writes the places where a race may have been missed.
pub fn write_unsure(text: &mut String, kernel: &VerifiedKernel, code: &Code, watched: &Watched) -> anyhow::Result<()> {
    for &at in &watched.unsure {
        let cause = if code.is_of_open_scope(at) {
            "this operation has the scope of a cluster, whose groups are not known"
        } else {
            "more threads accessed this place than are kept apart"
        };
        writeln!(text, "note: {cause}; a race may have been missed")?;
        writeln!(text, "  --> {}\n", place(kernel, code.place(at)))?;
    }
    if watched.exhausted {
        writeln!(
            text,
            "note: threads meet more often, or more copies are under way, than can be counted; later races are not found\n"
        )?;
    }
    Ok(())
}

fn place(kernel: &VerifiedKernel, location: Option<Location>) -> String {
    match location.map(|location| &kernel.locations[location]) {
        Some(data) => format!("{}:{}:{}", kernel.files[data.file], data.line, data.column),
        None => "a place that is not known".to_owned(),
    }
}

fn who([x, y, z]: [u32; 3]) -> String {
    format!("thread ({x}, {y}, {z})")
}
