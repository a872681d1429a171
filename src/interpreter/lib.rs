//! Runs a kernel on all threads of a launch, on concrete inputs.
//!
//! The interpreter executes the kernel IR as imported, not the output of later stages, so its
//! findings are independent of them. [`compile`] translates the kernel to a register form once.
//! [`machine`] executes one thread until it waits for others. [`group`] lets the threads of a group
//! take turns, and [`launch`] the groups: one after the other, unless requested otherwise.
//! [`parallel`] distributes this over several cores, which affects nothing but the time. A run is
//! deterministic: the same launch runs in the same way again, and any run can be repeated turn by
//! turn ([`schedule`]). [`memory`] holds the arrays, of which only the touched pages exist.
//!
//! Integers are exact, and floats follow IEEE 754 with rounding to nearest even ([`floats`]).
//! Functions like `sin` are the host's. Undefined values are zero: variables and local memory that
//! have not been written, and results of operations that have none. [`arithmetic`] handles
//! arithmetic that the language leaves undefined. [`copies`] handles asynchronous copies, [`named`]
//! named barriers, [`phases`] barriers in shared memory, and [`images`] images. An error is
//! reported as an [`Event`], once for each place. The access is then skipped (a load gives zero),
//! and the run continues. [`stuck`] detects threads that wait forever in loops.

pub mod arguments;
mod arithmetic;
mod code;
mod compile;
mod contents;
mod copies;
mod events;
pub mod floats;
mod group;
mod images;
mod launch;
mod machine;
pub mod memory;
mod named;
pub mod one_buffer;
mod parallel;
mod phases;
mod races;
mod schedule;
mod stronger;
mod stuck;
#[cfg(test)]
mod tests;
mod warp;
mod watching;

use lockstep_ir::kernel::{BarrierKind, Space};
use lockstep_options::deadline::Deadline;

pub use arithmetic::{Arithmetic, Undefined};
pub use code::{Code, Part, Position};
use code::{Register, Step};
pub use compile::compile;
pub use events::{Event, PhaseError, Tally, Wrong};
pub use images::{Image, Pixel};
use launch::Launch;
pub use launch::{Next, Schedule};
pub use machine::MadeUp;
use machine::Thread;
use memory::Region;
pub use races::{Access, Barrier, Diary, LockChange, Pass, Race, Touch};
use races::{Detector, Views};
pub use schedule::{Turn, Turns};
pub use stronger::Stronger;

/// The sizes of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of threads per group.
    pub local_size: [u32; 3],
    /// The number of groups.
    pub num_groups: [u32; 3],
    /// The first global id.
    pub global_offset: [u32; 3],
    /// The number of dimensions of the launch.
    pub dimensions: u32,
    /// The number of threads per warp, at most 64.
    pub warp_size: u32,
}

impl Grid {
    /// The number of threads in a group.
    pub fn group_threads(&self) -> u64 {
        self.local_size.iter().map(|&size| u64::from(size)).product()
    }

    /// The number of groups in the launch.
    pub fn groups(&self) -> u64 {
        self.num_groups.iter().map(|&size| u64::from(size)).product()
    }

    /// A group's index, by its number.
    pub fn group_index(&self, group: u64) -> [u32; 3] {
        Self::index(group, self.num_groups)
    }

    /// A thread's id, by its number in the group.
    pub fn local_id(&self, thread: u32) -> [u32; 3] {
        Self::index(thread.into(), self.local_size)
    }

    fn index(number: u64, size: [u32; 3]) -> [u32; 3] {
        let [x, y, _] = size.map(u64::from);
        [number % x, number / x % y, number / x / y].map(|part| u32::try_from(part).expect("smaller than a size"))
    }
}

/// The input of a launch.
#[derive(Clone, Debug)]
pub struct Input {
    /// The memory of each of the kernel's arrays; empty for those in local and private memory.
    pub regions: Vec<Region>,
    /// The size in bytes of each array in local memory; 0 for other arrays.
    pub local_bytes: Vec<u64>,
    /// The initial contents of private arrays, by number.
    ///
    /// These are structs that are passed by value; other arrays are zero.
    pub private: Vec<(usize, Vec<u8>)>,
    /// The words of parameters that are passed by value.
    pub values: Vec<(u32, Vec<u64>)>,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The memory at the end.
    pub regions: Vec<Region>,
    /// The errors, in the order in which they were first seen.
    pub events: Vec<Event>,
    /// The number of executed steps.
    pub steps: u64,
    /// Whether the run was interrupted, because it reached its step limit or the time was up.
    pub broken_off: bool,
    /// Whether the time was up.
    pub is_late: bool,
    /// The results of race detection, if it was enabled.
    pub watched: Option<Watched>,
    /// The number of workers that ran the groups.
    pub workers: usize,
}

/// The results of race detection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// The steps at which a race may have been missed.
    ///
    /// At these, threads that synchronise through memory made more accesses to one place than are
    /// kept.
    pub unsure: Vec<Position>,
    /// Whether the threads' clocks overflowed; accesses after that were not compared.
    pub exhausted: bool,
    /// The size in bytes of the access records.
    ///
    /// Several workers each keep records of memory that all of them have read. These are counted
    /// once, except lists, which few accesses need and of which a single worker might have fewer.
    pub bytes: u64,
    /// The number of places in global memory with released knowledge.
    ///
    /// They take further memory.
    pub places: u64,
}

/// The options of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct How {
    /// The maximum number of steps of all threads together.
    pub most_steps: u64,
    /// The schedule.
    pub schedule: Schedule,
    /// Whether the threads of a warp execute in lockstep.
    pub warps_in_lock_step: bool,
    /// Whether `__activemask` tells a lane that it is alone in its warp.
    ///
    /// The set of active lanes is arbitrary (CUDA C++ Programming Guide, "Warp Vote Functions"). So
    /// a single lane is as valid an answer as all lanes that arrive there.
    pub lanes_apart: bool,
    /// Whether returned threads count as arrived at barriers (`--exited-threads arrive`).
    pub returned_arrive: bool,
    /// The races to detect, if any.
    pub races: Option<Races>,
    /// The numbers of the groups to run.
    ///
    /// All groups run if it is `None`, or if groups wait for each other.
    pub groups: Option<Vec<u64>>,
    /// The workers that run the groups.
    pub workers: Workers,
    /// The time at which the run is interrupted.
    pub deadline: Deadline,
}

/// The workers that run the groups of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workers {
    /// The maximum number of workers.
    pub most: usize,
    /// The steps that one worker executes before others join it.
    pub alone: u64,
}

impl Workers {
    /// A single worker.
    pub const ONE: Self = Self::of(1);

    /// At most this many workers, where they pay off.
    pub const fn of(most: usize) -> Self {
        Self { most, alone: parallel::ALONE }
    }
}

/// The races to detect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Races {
    /// Whether two plain writes of the same value are allowed.
    pub tolerant: bool,
    /// Whether only races between threads of one group are detected.
    pub within_groups: bool,
    /// The two threads to watch; `None` for all threads.
    ///
    /// Each is given by its group's number and its number in the group.
    pub between: Option<[(u64, u32); 2]>,
}

/// The bytes of registers, private and local memory of the threads that must run concurrently.
///
/// These are the threads of a group, or all threads if groups wait for each other.
pub fn bytes_at_once(code: &Code, grid: &Grid, input: &Input) -> u64 {
    let group = bytes_of_group(code, grid, input);
    if has_grid_barrier(code) { group.saturating_mul(grid.groups()) } else { group }
}

fn bytes_of_group(code: &Code, grid: &Grid, input: &Input) -> u64 {
    let thread = u64::from(code.registers) * 8 + u64::try_from(size_of::<Thread>()).expect("small");
    let thread = code.private_bytes.saturating_add(thread);
    let local = input.local_bytes.iter().fold(0, |sum: u64, bytes| sum.saturating_add(*bytes));
    grid.group_threads().saturating_mul(thread).saturating_add(local.saturating_mul(2))
}

/// Runs a kernel.
///
/// It is `None` if races are to be detected and there are too many threads to distinguish their
/// accesses.
pub fn run(code: &Code, grid: &Grid, input: Input, how: How) -> Option<Ran> {
    if parallel::is_for(code, &how) {
        return parallel::run(code, grid, &input, &how);
    }
    run_by(code, grid, input, how, |launch, how| launch.run(how.schedule))
}

/// Runs a kernel in an order of atomic operations that `choose` determines.
///
/// Every thread runs until its next step is an atomic operation. Then `choose` picks the one to
/// execute, by its index in the list; if it returns `None`, the run is interrupted. The schedule of
/// `how` is ignored.
///
/// Every order of atomic operations in a race-free run of the kernel is also the order in such a
/// run, and every thread behaves the same in both. The steps between atomic operations are ordered
/// by barriers, or access different places.
pub fn run_chosen(
    code: &Code,
    grid: &Grid,
    input: Input,
    how: How,
    mut choose: impl FnMut(&[Next]) -> Option<usize>,
) -> Option<Ran> {
    run_by(code, grid, input, how, |launch, _| launch.chosen(&mut choose))
}

fn run_by(code: &Code, grid: &Grid, input: Input, how: How, run: impl FnOnce(&mut Launch<'_>, &How)) -> Option<Ran> {
    let detector = detector(code, grid, &how)?;
    Some(run_with((code, grid), input, how, detector, run).0)
}

/// Runs a kernel and counts the atomic changes of each place.
///
/// It does not detect races, and continues past failed assumptions.
///
/// For the arrays of `tally`, it also records the accessed bytes.
pub fn run_counting(
    code: &Code,
    grid: &Grid,
    input: Input,
    how: How,
    made_up: MadeUp,
    mut tally: Tally,
) -> (Ran, Tally) {
    let (ran, _) = run_with((code, grid), input, How { races: None, ..how }, None, |launch, how| {
        launch.tally = Some(std::mem::take(&mut tally));
        launch.goes_on = true;
        launch.made_up = made_up;
        launch.run(how.schedule);
        tally = launch.tally.take().unwrap_or_default();
        tally.begun = launch.begun();
    });
    (ran, tally)
}

/// The race detector, if races are to be detected.
///
/// The inner `None` means that there are too many threads.
#[expect(clippy::option_option, reason = "nobody is to look, and nobody can")]
fn detector(code: &Code, grid: &Grid, how: &How) -> Option<Option<Detector>> {
    match how.races {
        Some(races) => Detector::new(code, grid, races, how.warps_in_lock_step).map(Some),
        None => Some(None),
    }
}

/// Runs a kernel by the given turns, and optionally records its turns.
///
/// Without given turns, it uses the schedule of `how`.
///
/// It returns the recorded turns, and the number of given turns whose thread could not run.
pub fn run_by_turns(
    (code, grid): (&Code, &Grid),
    input: Input,
    how: How,
    given: Option<&[Turn]>,
    keep: bool,
) -> Option<(Ran, Turns, u64)> {
    if given.is_none() && !keep {
        return Some((run(code, grid, input, how)?, Turns::default(), 0));
    }
    let (mut kept, mut left_out) = (Turns::default(), 0);
    let ran = run_by(code, grid, input, how, |launch, how| {
        launch.turns = keep.then(Turns::default);
        match given {
            Some(turns) => left_out = launch.given(turns),
            None => launch.run(how.schedule),
        }
        kept = launch.turns.take().unwrap_or_default();
    })?;
    Some((ran, kept, left_out))
}

/// Runs a kernel, detects these races, and keeps a diary; `None` if there are too many threads.
pub fn run_with_diary(
    (code, grid): (&Code, &Grid),
    input: Input,
    how: How,
    races: Races,
    diary: Diary,
) -> Option<(Ran, Diary)> {
    let mut detector = Detector::new(code, grid, races, how.warps_in_lock_step)?;
    detector.diary = Some(diary);
    let (ran, diary) =
        run_with((code, grid), input, How { races: Some(races), ..how }, Some(detector), |launch, how| {
            launch.run(how.schedule);
        });
    Some((ran, diary?))
}

fn run_with(
    (code, grid): (&Code, &Grid),
    input: Input,
    how: How,
    mut detector: Option<Detector>,
    run: impl FnOnce(&mut Launch<'_>, &How),
) -> (Ran, Option<Diary>) {
    if let Some(detector) = &mut detector {
        detector.views = Views::of(code, how.schedule, how.warps_in_lock_step);
    }
    let mut launch = Launch::new(code, grid, input, &how, detector);
    run(&mut launch, &how);
    let diary = launch.detector.as_mut().and_then(|detector| detector.diary.take());
    (ran(code, launch, &how), diary)
}

/// The result of a launch.
fn ran(code: &Code, launch: Launch<'_>, how: &How) -> Ran {
    let is_late = launch.is_late();
    let Launch { regions, mut events, left, broken_off, detector, stated, .. } = launch;
    let broken = contents::broken(&code.contents, &stated, &regions);
    let nobody = [0; 3];
    events.extend(broken.into_iter().map(|at| Event { what: Wrong::Assumption, at, group: nobody, thread: nobody }));
    let watched = detector.map(|detector| Watched {
        bytes: Detector::bytes_of_all(&[&detector]),
        places: Detector::places_of_all(&[&detector]),
        exhausted: detector.exhausted,
        unsure: detector.unsure.into_iter().collect(),
    });
    Ran { regions, events, steps: how.most_steps - left, broken_off, is_late, watched, workers: 1 }
}

fn has_grid_barrier(code: &Code) -> bool {
    code.steps.iter().any(|step| matches!(step, Step::Barrier { kind: BarrierKind::Grid, .. }))
}

fn registers_at_start(code: &Code, values: &[(u32, Vec<u64>)]) -> Vec<u64> {
    let mut start = vec![0; usize::try_from(code.registers).expect("registers are 32 bits")];
    let mut set = |register: Register, word: u64| {
        start[usize::try_from(register).expect("registers are 32 bits")] = word;
    };
    code.constants.iter().for_each(|&(register, word)| set(register, word));
    for &(parameter, register, words) in &code.parameters {
        let given = values.iter().find(|(index, _)| *index == parameter).map(|(_, words)| words.as_slice());
        let given = given.unwrap_or_default().iter().copied().chain(std::iter::repeat(0));
        (register..register + words).zip(given).for_each(|(register, word)| set(register, word));
    }
    start
}

/// Whether an array is in the memory of the launch.
pub fn is_of_launch(space: Space) -> bool {
    matches!(space, Space::Global | Space::Constant | Space::Generic)
}
