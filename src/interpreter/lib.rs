//! Runs a kernel on all threads of a launch, on concrete inputs.
//!
//! The kernel IR as it was imported is executed, not what later stages make of it: so what is found here owes nothing to them.
//! [`compile`] makes a register form of it once; [`machine`] executes one thread of it until it waits for others; [`group`] lets the
//! threads of a group take turns, and [`launch`] the groups: one after the other, unless asked otherwise; [`parallel`] lets several
//! cores do that, which shows in nothing but the time that it takes. A run is deterministic: the same launch runs in the same way
//! again, and any run can be repeated turn by turn ([`schedule`]). Memory is [`memory`]'s: of an array only the pages that are touched exist.
//!
//! Integers are exact, floats are IEEE's to nearest even ([`floats`]); functions like `sin` are the host's. What
//! is undefined is zero: variables and local memory that nobody wrote, results of operations that have none; what the language leaves
//! undefined of arithmetic is [`arithmetic`]'s. Copies beside a group's threads are [`copies`]'s, barriers with numbers [`named`]'s, images
//! [`images`]'. What goes wrong is told as an [`Event`], once for each place: the access is left out (a load gives zero) and the run goes on.
//! That threads wait for ever in loops is [`stuck`]'s to find.

pub mod arguments;
mod arithmetic;
mod code;
mod compile;
mod copies;
mod events;
pub mod floats;
mod group;
mod images;
mod launch;
mod machine;
pub mod memory;
mod named;
mod numbers;
mod parallel;
mod races;
mod schedule;
mod stuck;
#[cfg(test)]
mod tests;
mod warp;

use lockstep_ir::kernel::{BarrierKind, Space};
use lockstep_options::deadline::Deadline;

pub use arithmetic::{Arithmetic, Undefined};
pub use code::{Code, Part, Position};
use code::{Register, Step};
pub use compile::compile;
pub use events::{Event, Tally, Wrong};
pub use images::{Image, Pixel};
use launch::Launch;
pub use launch::{Next, Schedule};
pub use machine::MadeUp;
use machine::Thread;
use memory::Region;
use races::Detector;
pub use races::{Access, Barrier, Diary, Pass, Race, Touch};
pub use schedule::{Turn, Turns};

/// The sizes of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Threads per group.
    pub local_size: [u32; 3],
    /// Groups.
    pub num_groups: [u32; 3],
    /// The first global id.
    pub global_offset: [u32; 3],
    /// How many dimensions the launch has.
    pub dimensions: u32,
    /// Threads per warp, at most 64.
    pub warp_size: u32,
}

impl Grid {
    /// Threads in a group.
    pub fn group_threads(&self) -> u64 {
        self.local_size.iter().map(|&size| u64::from(size)).product()
    }

    /// Groups in the launch.
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

/// What a launch starts with.
#[derive(Clone, Debug)]
pub struct Input {
    /// The memory of each of the kernel's arrays; empty for those in local and private memory.
    pub regions: Vec<Region>,
    /// How many bytes of local memory each array has; 0 for those that lie elsewhere.
    pub local_bytes: Vec<u64>,
    /// What private arrays start with, by their numbers: structs that are passed by value; zeros elsewhere.
    pub private: Vec<(usize, Vec<u8>)>,
    /// The words of parameters that are passed by value.
    pub values: Vec<(u32, Vec<u64>)>,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Memory at the end.
    pub regions: Vec<Region>,
    /// What went wrong, in the order in which it was first seen.
    pub events: Vec<Event>,
    /// How many steps were executed.
    pub steps: u64,
    /// Whether the run was broken off, as it had executed as many steps as it may, or the time was up.
    pub broken_off: bool,
    /// Whether the time was up.
    pub is_late: bool,
    /// What looking for races came to, if anybody looked.
    pub watched: Option<Watched>,
    /// How many workers have run the groups.
    pub workers: usize,
}

/// What looking for races came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// The steps at which a race may have been missed: more accesses of one place by threads that learn from each other
    /// through memory than are kept.
    pub unsure: Vec<Position>,
    /// Whether threads met more often than can be counted: from then on nothing was compared.
    pub exhausted: bool,
    /// The bytes that were kept of accesses. Several workers keep what all of them have read once each, which is not counted, but
    /// for lists, which few accesses need: of these there may be more than one worker would have.
    pub bytes: u64,
    /// In how many places in global memory threads have left for each other what they know, which takes memory besides.
    pub places: u64,
}

/// How a kernel is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct How {
    /// At most so many steps of all threads together.
    pub most_steps: u64,
    /// Who runs when.
    pub schedule: Schedule,
    /// Whether the threads of a warp execute in lock-step.
    pub warps_in_lock_step: bool,
    /// Whether a lane that asks who else of its warp is here finds itself alone (`__activemask`). Which lanes run along is chance
    /// (CUDA C++ Programming Guide, "Warp Vote Functions"): by itself is as good an answer as with all that come there.
    pub lanes_apart: bool,
    /// Whether threads that have returned count as having come to their group's barriers (`--exited-threads arrive`).
    pub returned_arrive: bool,
    /// Whether races are looked for.
    pub races: Option<Races>,
    /// The groups that run, by their numbers; all if nothing is said, or if groups wait for each other.
    pub groups: Option<Vec<u64>>,
    /// Who runs the groups.
    pub workers: Workers,
    /// When the run is broken off, wherever it is.
    pub deadline: Deadline,
}

/// Who runs the groups of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workers {
    /// How many workers at most.
    pub most: usize,
    /// The steps that one executes before others join it.
    pub alone: u64,
}

impl Workers {
    /// One.
    pub const ONE: Self = Self::of(1);

    /// At most so many, where it pays.
    pub const fn of(most: usize) -> Self {
        Self { most, alone: parallel::ALONE }
    }
}

/// Which races are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Races {
    /// Whether two plain writes of the same value are none.
    pub tolerant: bool,
    /// Whether only those between threads of one group are.
    pub within_groups: bool,
    /// The two threads, each by its group's number and its number in the group, if no others are watched.
    pub between: Option<[(u64, u32); 2]>,
}

/// The bytes of registers, private and local memory of the threads that have to run at the same time: those of a group, or all
/// where groups wait for each other.
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

/// Runs a kernel. `None` if races are to be found, and there are so many threads that their accesses cannot be told apart.
pub fn run(code: &Code, grid: &Grid, input: Input, how: How) -> Option<Ran> {
    if parallel::is_for(code, &how) {
        return parallel::run(code, grid, &input, &how);
    }
    run_by(code, grid, input, how, |launch, how| launch.run(how.schedule))
}

/// The same, in which every thread runs until its next step is an atomic operation, and `choose` says whose is executed next, by
/// its number in the list; if it says nothing the run is broken off. The schedule of `how` does not count.
///
/// Whatever order atomic operations have in any run of the kernel without races, they have in such a run, and every thread does
/// the same in it: what threads do between them is ordered by barriers, or about different places.
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

/// Runs a kernel without looking for races, whatever is assumed in it, and counts how often places are changed by atomic operations;
/// of the arrays of `tally` also which bytes are accessed.
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

/// Who looks for races, if anybody does; `None` if there are too many threads.
#[expect(clippy::option_option, reason = "nobody is to look, and nobody can")]
fn detector(code: &Code, grid: &Grid, how: &How) -> Option<Option<Detector>> {
    match how.races {
        Some(races) => Detector::new(code, grid, races, how.warps_in_lock_step).map(Some),
        None => Some(None),
    }
}

/// The same by turns that are given, or by the schedule of `how` if none are, while the turns are kept if asked for. Returns them, and how many
/// of those given were of threads that could not run.
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

/// Runs a kernel and looks for these races, while a diary is kept. `None` if there are too many threads.
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
    detector: Option<Detector>,
    run: impl FnOnce(&mut Launch<'_>, &How),
) -> (Ran, Option<Diary>) {
    let mut launch = Launch::new(code, grid, input, &how, detector);
    run(&mut launch, &how);
    let diary = launch.detector.as_mut().and_then(|detector| detector.diary.take());
    (ran(launch, &how), diary)
}

/// What came of it.
fn ran(launch: Launch<'_>, how: &How) -> Ran {
    let is_late = launch.is_late();
    let Launch { regions, events, left, broken_off, detector, .. } = launch;
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

/// Whether an array lies in the memory of the launch.
pub fn is_of_launch(space: Space) -> bool {
    matches!(space, Space::Global | Space::Constant | Space::Generic)
}
