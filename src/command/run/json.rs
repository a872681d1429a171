//! The results of runs as JSON, `lockstep-run/1`.
//!
//! The types are separate: the schema outlives the internal types.

use lockstep_ir::source::Location;
use serde::Serialize;

use super::contents::{self, Shown};
use super::events;
use super::{Executed, outcome};
use crate::findings as kinds;
use crate::frontend::ImportedKernel;
use crate::interpreter::memory::Region;
use crate::interpreter::{Access, Event, PhaseError, Race, Wrong};
use crate::report::json;
use crate::version;

/// One document about all runs, and about the kernels that were not run.
pub fn render(kernels: &[Kernel], errors: &[String]) -> anyhow::Result<String> {
    let tool = Tool { name: "lockstep", version: version::LOCKSTEP, llvm: version::llvm() };
    json::pretty(&Report { schema: "lockstep-run/1", tool, errors, kernels })
}

/// The document about a run of a whole program.
pub fn render_program(program: &super::program::JsonProgram<'_>) -> anyhow::Result<String> {
    let tool = Tool { name: "lockstep", version: version::LOCKSTEP, llvm: version::llvm() };
    json::pretty(&ProgramReport { schema: "lockstep-run/1", tool, program })
}

#[derive(Serialize)]
struct ProgramReport<'a> {
    schema: &'static str,
    tool: Tool,
    program: &'a super::program::JsonProgram<'a>,
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    tool: Tool,
    errors: &'a [String],
    kernels: &'a [Kernel],
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
    llvm: String,
}

/// A kernel in one launch.
#[derive(Serialize)]
pub struct Kernel {
    name: String,
    file: String,
    line: u32,
    launch: Launch,
    /// `ran`, `defect` or `unfinished`.
    outcome: &'static str,
    /// The reason why it was broken off, if it was. Other ends of a run are among the events.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    arguments: Vec<Argument>,
    events: Vec<JsonEvent>,
    /// Places where a race may have been missed: more threads accessed memory than are kept apart,
    /// or the scope is a cluster, whose groups are not known.
    unsure: Vec<Place>,
    /// Whether threads synchronised more often than can be counted, so that later races are not
    /// found.
    exhausted: bool,
    arrays: Vec<Shown>,
    statistics: Statistics,
}

#[derive(Serialize)]
struct Launch {
    block: Vec<u32>,
    grid: Vec<u32>,
    /// The number of groups that were run, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    only_groups: Option<usize>,
}

#[derive(Serialize)]
struct Argument {
    name: String,
    /// The value in words.
    value: String,
    /// Whether it was chosen instead of given.
    chosen: bool,
}

/// A defect or error. If there are several at one place, the first is reported.
#[derive(Serialize)]
struct JsonEvent {
    severity: &'static str,
    kind: &'static str,
    message: String,
    #[serde(flatten)]
    at: Side,
    /// The other side: the earlier access of a race, or a thread that waits elsewhere or has
    /// returned at a barrier.
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<Side>,
    #[serde(skip_serializing_if = "Option::is_none")]
    array: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset_bytes: Option<i64>,
}

/// A thread's action, and its place.
#[derive(Serialize)]
struct Side {
    #[serde(flatten)]
    place: Place,
    block: [u32; 3],
    thread: [u32; 3],
    /// `read`, `write`, `atomic`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    access: Option<&'static str>,
}

/// A place in the source; without a file if it is not known.
#[derive(Serialize)]
struct Place {
    file: Option<String>,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Statistics {
    threads: u64,
    steps: u64,
    seconds: f64,
    touched_bytes: u64,
    /// The bytes kept per access to find races; `null` if races are not searched for.
    race_bytes: Option<u64>,
    /// The places in global memory through which threads synchronise, likewise.
    places: Option<u64>,
    /// Turns of a given schedule that were skipped, as their threads could not run.
    turns_left_out: u64,
}

impl Kernel {
    /// The results of a run.
    pub fn new(executed: &Executed<'_>, imported: &ImportedKernel) -> Self {
        let (grid, ran) = (&executed.grid, &executed.ran);
        let used = usize::try_from(grid.dimensions).expect("three dimensions");
        let watched = ran.watched.as_ref();
        let unsure = watched.map(|watched| watched.unsure.as_slice()).unwrap_or_default();
        let described = executed.described.iter();
        Self {
            name: imported.name.clone(),
            file: imported.file.clone(),
            line: imported.line,
            launch: Launch {
                block: grid.local_size[..used].to_vec(),
                grid: grid.num_groups[..used].to_vec(),
                only_groups: Some(executed.only_groups).filter(|&groups| groups > 0),
            },
            outcome: outcome(ran),
            reason: executed.unfinished(),
            arguments: described
                .map(|one| Argument { name: one.name.clone(), value: one.value.clone(), chosen: one.chosen })
                .collect(),
            events: ran.events.iter().map(|event| json_event(executed, event)).collect(),
            unsure: unsure.iter().map(|&at| place(executed, executed.code.place(at))).collect(),
            exhausted: watched.is_some_and(|watched| watched.exhausted),
            arrays: contents::shown(&executed.kernel, &ran.regions, &executed.elements),
            statistics: Statistics {
                threads: grid.groups() * grid.group_threads(),
                steps: ran.steps,
                seconds: executed.seconds.as_secs_f64(),
                touched_bytes: ran.regions.iter().map(Region::touched).sum(),
                race_bytes: watched.map(|watched| watched.bytes),
                places: watched.map(|watched| watched.places),
                turns_left_out: executed.left_out,
            },
        }
    }
}

fn json_event(executed: &Executed<'_>, event: &Event) -> JsonEvent {
    let Executed { kernel, code, grid, .. } = executed;
    let (severity, message) = events::words(kernel, code, grid, event);
    let side = |at, block, thread| Side { place: place(executed, code.place(at)), block, thread, access: None };
    let here = side(event.at, event.group, event.thread);
    let (at, other) = match event.what {
        Wrong::Race(Race { at, group, thread, earlier, later, .. }) => {
            let before = side(at, grid.group_index(group), grid.local_id(thread));
            let with = |side: Side, access: Access| Side { access: Some(access.name()), ..side };
            (with(here, later), Some(with(before, earlier)))
        }
        Wrong::Divergence { other, returned } => {
            (here, other.or(returned).map(|(at, thread)| side(at, event.group, thread)))
        }
        _ => (here, None),
    };
    let (array, offset_bytes) = match event.what {
        Wrong::OutOfBounds { array, offset, .. } => (array, Some(offset)),
        Wrong::OutsideImage { array, .. } | Wrong::ConstantWritten(array) => (Some(array), None),
        Wrong::Misaligned { array, offset, .. } => (Some(array), Some(offset)),
        Wrong::Unwritten { array, offset } => (Some(array), i64::try_from(offset).ok()),
        Wrong::Race(Race { array, offset, .. }) => (Some(array), i64::try_from(offset).ok()),
        _ => (None, None),
    };
    JsonEvent {
        severity,
        kind: kind(&event.what),
        message,
        at,
        other,
        array: array.map(|array| kernel.arrays[array].name.clone()),
        offset_bytes,
    }
}

fn place(executed: &Executed<'_>, location: Option<Location>) -> Place {
    let data = location.map(|location| &executed.kernel.locations[location]);
    Place {
        file: data.map(|data| executed.kernel.files[data.file].clone()),
        line: data.map_or(0, |data| data.line),
        column: data.map_or(0, |data| data.column),
    }
}

/// The name of an event, which is that of `verify`'s reports if `verify` looks for such a defect.
fn kind(what: &Wrong) -> &'static str {
    match what {
        Wrong::OutOfBounds { array: Some(_), .. } | Wrong::OutsideImage { .. } => kinds::out_of_bounds::KIND,
        Wrong::OutOfBounds { array: None, .. } => kinds::null_dereference::KIND,
        Wrong::Misaligned { .. } => kinds::misaligned_access::KIND,
        Wrong::ConstantWritten(_) => kinds::constant_write::KIND,
        Wrong::Assertion => kinds::assertion::KIND,
        Wrong::Assumption => "assumption",
        Wrong::Divergence { .. } => kinds::barrier_divergence::KIND,
        Wrong::Differs(_) => kinds::group_operation_divergence::KIND,
        Wrong::NotWaitedFor => "copy-not-waited-for",
        Wrong::NoSuchBarrier { .. } => "no-such-barrier",
        Wrong::NobodyWaits { .. } => "arrival-not-waited-for",
        Wrong::Phase(PhaseError::NotInitialised) => "mbarrier-not-initialised",
        Wrong::Phase(PhaseError::NoSuchCount(_)) => "mbarrier-count",
        Wrong::Phase(PhaseError::TooMany { .. }) => "mbarrier-arrivals",
        Wrong::InactiveSource => kinds::inactive_source::KIND,
        Wrong::NotInMask => kinds::lane_not_in_mask::KIND,
        Wrong::GoesRound => "endless-loop",
        Wrong::Trap => "trap",
        Wrong::Unreachable => "unreachable",
        Wrong::Undefined(_) => "undefined-arithmetic",
        Wrong::AnyValue(_) => "any-value",
        Wrong::Refused(_) => "not-executed",
        Wrong::Unwritten { .. } => kinds::uninitialised_read::KIND,
        Wrong::NotModelled | Wrong::Unknown(_) => "made-up",
        Wrong::Race(_) => kinds::race::KIND,
    }
}
