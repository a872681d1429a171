//! Defects that runs find where the proof found none.
//!
//! A search for a counterexample may end without a result: a loop needs many iterations, or a race
//! needs indices of a certain kind in several arrays. A handful of runs often shows the defect at
//! once. Each array of integers gets zeros, elements that count up, or offsets of short rows; all
//! combinations are tried, as far as the steps suffice. The result is a finding like that of a
//! counterexample, with a witness.

use std::collections::BTreeSet;

use lockstep_findings as kinds;
use lockstep_interpreter::arguments::{Given, behind_fields, component, prepare};
use lockstep_interpreter::memory::Element;
use lockstep_interpreter::{Event, Grid, How, Input, Position, Race, Races, Ran, Schedule, Workers, Wrong};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, ArrayData, ArrayOrigin, AtomicOp, InstructionData, Operation, ParameterKind, Type};
use lockstep_options::checks::Check;
use lockstep_options::deadline::Deadline;
use lockstep_transform::analysis::accesses::for_each_access;
use lockstep_transform::analysis::pointers::points_to;
use lockstep_transform::signals::may_have_signals;
use lockstep_verdict::act::Act;
use lockstep_verdict::{AccessShown, Finding};

use super::contents::{Contents, Values};
use super::matching::{act, shown};
use super::sampled::some_groups;
use super::{BYTES, Replay, contents, racing, witness};

/// The most steps of all runs for one kernel.
const STEPS_IN_ALL: u64 = 40_000_000;

/// The most steps of one run.
const STEPS: u64 = 4_000_000;

/// The most combinations of contents in one launch.
const COMBINATIONS: usize = 27;

/// The values of integers, the most frequent ones first.
const INTEGERS: [Values; 3] = [Values::Count, Values::Zeros, Values::Rows];

/// Orders in which threads take their steps, where they synchronise through memory, before random
/// ones. Elsewhere one suffices: a race is found in whichever order its accesses occur.
const TURNS: [Schedule; 2] = [Schedule::RoundRobin(64), Schedule::RoundRobin(1)];

/// The number of random orders, and that of a few runs.
const RANDOM: u64 = 12;
const RANDOM_OF_FEW: u64 = 2;

/// The number of random orders in which reads may see older values, and that of a few runs.
const STALE: u64 = 6;
const STALE_OF_FEW: u64 = 1;

/// The most steps of one of several orders, at least so many for each thread. A thread may wait for
/// one that never comes.
const STEPS_OF_ORDER: u64 = 400_000;
const STEPS_OF_THREAD: u64 = 250;

/// A launch that is tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Threads per group.
    pub local: Vec<u64>,
    /// Groups.
    pub groups: Vec<u64>,
    /// The integer parameters, by name.
    pub parameters: Vec<(String, Bits)>,
}

/// The runs in which a defect is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A few of those of [`Effort::All`], the first ones.
    Few,
    /// Runs with all combinations of contents, and in several orders where threads wait for each
    /// other.
    All,
}

/// A run that has been tried.
struct OneRun {
    grid: Grid,
    arguments: Vec<Given>,
    input: Input,
    how: How,
    ran: Ran,
}

/// How many of some runs end, and how many wait for ever.
#[derive(Default)]
struct Ends {
    ended: u32,
    waiting: u32,
}

impl Ends {
    fn note(&mut self, ran: &Ran) {
        let waits = ran.events.iter().any(|event| event.what == Wrong::GoesRound);
        self.waiting += u32::from(waits);
        self.ended += u32::from(!waits && !ran.broken_off);
    }

    /// Whether some runs wait for ever, and none ends.
    fn are_missing(&self) -> bool {
        self.waiting > 0 && self.ended == 0
    }
}

/// How to go on after a run.
enum Next<T> {
    /// With this result.
    Result(T),
    /// With the next run.
    Run,
}

impl Replay<'_> {
    /// A race or an access outside of an array that a run of one of these launches has before the
    /// deadline, or else a wait for ever that each of the launches has, and each of the others. If
    /// it is a race, the finding says what would order it.
    pub fn seek(&self, [launches, others]: [&[Tried]; 2], effort: Effort, deadline: Deadline) -> Option<Finding> {
        let mut endless: Vec<Option<Finding>> = vec![None; launches.len()];
        let found = self.first(launches, (effort, deadline), |index, run| {
            let (launch, OneRun { grid, arguments, input, how, ran }) = (&launches[index], run);
            let found = self.defined(&ran.events).into_iter().find_map(|event| self.found(event, &grid, launch));
            let Some(mut found) = found else {
                let wait = self.endless_wait(&ran).filter(|wait| wait.is_certain() || effort == Effort::All);
                let Some(wait) = wait else { return Next::Run };
                let mut found = self.waits_for_ever(&wait, &grid, launch);
                found.witness = Some(witness(&grid, arguments, how.schedule, false, None, None));
                // A race under another schedule says more.
                endless[index].get_or_insert(found);
                return Next::Run;
            };
            for parameter in &self.kernel.parameters {
                let ParameterKind::Scalar(Type::Float(_)) = parameter.kind else { continue };
                let given = arguments.iter().find(|given| given.name == parameter.name);
                found.parameters.extend(given.map(|given| (given.name.clone(), given.value.clone())));
            }
            let racing = racing(&grid, &found);
            found.witness = Some(witness(&grid, arguments, how.schedule, false, racing, racing));
            self.note_lacking(&mut found, &grid, &input, &how);
            self.note_locks(&mut found, &grid, &input, &how);
            Next::Result(self.confirmed(found))
        });
        // A kernel may be meant for one size of launches.
        found.or_else(|| {
            let all: Option<Vec<Finding>> = endless.into_iter().collect();
            let first = all?.into_iter().next()?;
            let waits = |other: &Tried| self.has_endless_wait(other, deadline);
            others.iter().all(waits).then_some(first)
        })
    }

    /// Whether some run of a launch has a wait for ever.
    fn has_endless_wait(&self, launch: &Tried, deadline: Deadline) -> bool {
        let of_run = |_, run: OneRun| match self.endless_wait(&run.ran) {
            Some(_) => Next::Result(()),
            None => Next::Run,
        };
        self.first(std::slice::from_ref(launch), (Effort::Few, deadline), of_run).is_some()
    }

    /// Whether one of a few runs of these launches has a defect before the deadline, or some wait
    /// for ever and none ends.
    pub fn fails(&self, launches: &[Tried], deadline: Deadline) -> bool {
        let is_defect = |ran: &Ran| self.defined(&ran.events).iter().any(|event| self.is_defect(&event.what));
        let mut ends = Ends::default();
        let of_run = |_, run: OneRun| {
            ends.note(&run.ran);
            let fails = is_defect(&run.ran) || self.endless_wait(&run.ran).is_some();
            if fails { Next::Result(()) } else { Next::Run }
        };
        let fails = self.first(launches, (Effort::Few, deadline), of_run).is_some();
        fails || ends.are_missing()
    }

    /// Whether some of a few runs of a launch wait for ever, and none ends.
    pub fn waits_in_all_runs(&self, launch: &Tried, deadline: Deadline) -> bool {
        let mut ends = Ends::default();
        let of_run = |_, run: OneRun| -> Next<()> {
            ends.note(&run.ran);
            Next::Run
        };
        self.first(std::slice::from_ref(launch), (Effort::Few, deadline), of_run);
        ends.are_missing()
    }

    /// Whether some operation may read an older value: an atomic or volatile load.
    fn has_strong_reads(&self) -> bool {
        let is_strong = |data: &InstructionData| match &data.operation {
            Operation::Atomic { op, .. } => *op == AtomicOp::Load,
            Operation::Load(access) => access.volatile && self.kernel.language.has_relaxed_volatiles(),
            _ => false,
        };
        self.kernel.instructions.values().any(is_strong)
    }

    /// The first result of a run.
    fn first<T>(
        &self,
        launches: &[Tried],
        (effort, deadline): (Effort, Deadline),
        mut of_run: impl FnMut(usize, OneRun) -> Next<T>,
    ) -> Option<T> {
        let deadline = deadline.earlier(self.options.deadline);
        let mut left = STEPS_IN_ALL;
        let arrays = self.arrays_of_integers();
        let choices = INTEGERS.len().saturating_pow(u32::try_from(arrays.len()).unwrap_or(u32::MAX));
        // Whether threads wait for each other, and which of them look in time, depends on the order
        // of their steps.
        let (combinations, random, stale) = match effort {
            Effort::Few => (1, RANDOM_OF_FEW, STALE_OF_FEW),
            Effort::All => (COMBINATIONS, RANDOM, STALE),
        };
        let stale = (1..=stale).filter(|_| !self.options.warps_in_lock_step && self.has_strong_reads());
        let stale = stale.map(Schedule::Stale);
        let schedules: Vec<Schedule> = if may_have_signals(self.kernel) {
            let random = (1..=random).map(Schedule::Random);
            TURNS.into_iter().chain(random).chain([Schedule::InOrder]).chain(stale).collect()
        } else {
            [Schedule::InOrder].into_iter().chain(stale).collect()
        };
        for combination in 0..choices.min(combinations) {
            for (index, launch) in launches.iter().enumerate() {
                for &schedule in &schedules {
                    if left == 0 || deadline.passed() {
                        return None;
                    }
                    let run = self.run_once(launch, (&arrays, combination), (schedule, deadline), &mut left);
                    if let Some(Next::Result(result)) = run.map(|run| of_run(index, run)) {
                        return Some(result);
                    }
                }
            }
        }
        None
    }

    /// The arrays of integers that the launch fills.
    fn arrays_of_integers(&self) -> Vec<Array> {
        let is_filled = |(array, data): &(Array, &ArrayData)| {
            data.origin == ArrayOrigin::Parameter
                && !matches!(component(data), Some(Element::Float(_)))
                && self.loaded.as_ref().is_none_or(|loaded| loaded.contains(array))
        };
        self.kernel.arrays.iter().filter(is_filled).map(|(array, _)| array).collect()
    }

    /// The arrays through which threads may signal each other, in a kernel with fences or ordering
    /// operations. Signals are unset at first, as the proof assumes.
    pub(super) fn signals(&self) -> BTreeSet<Array> {
        let mut found = BTreeSet::new();
        if !may_have_signals(self.kernel) {
            return found;
        }
        let targets = points_to(self.kernel);
        for data in self.kernel.instructions.values() {
            for_each_access(self.kernel, &data.operation, data.result, |access| {
                if access.atomic || access.volatile {
                    found.extend(&targets[access.pointer].arrays);
                }
            });
        }
        found
    }

    fn run_once(
        &self,
        launch: &Tried,
        (arrays, combination): (&[Array], usize),
        (schedule, deadline): (Schedule, Deadline),
        left: &mut u64,
    ) -> Option<OneRun> {
        let grid = self.grid_of(&launch.local, &launch.groups)?;
        let arguments = self.arguments(launch, (arrays, combination));
        let input = prepare(self.kernel, &grid, &arguments, &self.options.arguments).ok()?.input;
        if lockstep_interpreter::bytes_at_once(&self.code, &grid, &input) > BYTES {
            return None;
        }
        let threads: u64 = launch.local.iter().chain(&launch.groups).product();
        let of_order = STEPS_OF_ORDER.max(threads.saturating_mul(STEPS_OF_THREAD)).min(STEPS);
        let most = if may_have_signals(self.kernel) { of_order } else { STEPS };
        let groups = some_groups(&grid);
        let how = How {
            most_steps: most.min(*left),
            schedule,
            warps_in_lock_step: self.options.warps_in_lock_step,
            lanes_apart: false,
            returned_arrive: self.options.exited_threads_arrive,
            races: Some(Races {
                tolerant: !self.options.no_benign_tolerance,
                within_groups: self.options.only_intra_group,
                between: None,
            }),
            groups: groups.clone(),
            workers: Workers::ONE,
            deadline,
        };
        let ran = lockstep_interpreter::run(&self.code, &grid, input.clone(), how.clone())?;
        *left = left.saturating_sub(ran.steps.max(1));
        Some(OneRun { grid, arguments, input, how, ran })
    }

    /// The arguments of a launch with one of the combinations of contents.
    fn arguments(&self, launch: &Tried, (arrays, combination): (&[Array], usize)) -> Vec<Given> {
        let mut arguments = Vec::new();
        let signals = self.signals();
        let of_array = |array: Array| {
            let position = arrays.iter().position(|known| *known == array).unwrap_or(0);
            let before = INTEGERS.len().saturating_pow(u32::try_from(position).unwrap_or(u32::MAX));
            let integers = INTEGERS[combination / before % INTEGERS.len()];
            let contents = if signals.contains(&array) {
                Contents { told: false, integers: Values::Zeros, floats: Values::Zeros }
            } else {
                Contents { told: false, integers, floats: Values::Random(0) }
            };
            contents::words(&self.kernel.arrays[array], contents, &self.telling)
        };
        for (index, parameter) in self.kernel.parameters.iter().enumerate() {
            let value = match &parameter.kind {
                ParameterKind::Scalar(Type::Float(_)) => Some(self.telling.float(Values::Random(0), index)),
                ParameterKind::Scalar(ty) => {
                    let known = launch.parameters.iter().find(|(name, _)| *name == parameter.name);
                    known.and_then(|(_, bits)| contents::number(bits, *ty))
                }
                ParameterKind::Pointer(array) => of_array(*array),
                ParameterKind::Aggregate(_) | ParameterKind::Opaque => None,
            };
            arguments.extend(value.map(|value| Given { name: parameter.name.clone(), value }));
        }
        for (array, data) in behind_fields(self.kernel) {
            arguments.extend(of_array(array).map(|value| Given { name: data.name.clone(), value }));
        }
        arguments
    }

    /// The finding of an event, if it is a race or an access outside of an array.
    pub(super) fn found(&self, event: &Event, grid: &Grid, launch: &Tried) -> Option<Finding> {
        match event.what {
            Wrong::Race(race) => Some(self.race(event, &race, grid, launch)),
            Wrong::OutOfBounds { array: Some(array), offset, .. } => {
                let data = &self.kernel.arrays[array];
                let size = data.size.filter(|_| self.options.checks.has(Check::Bounds))?;
                let byte = u64::try_from(offset).ok();
                let at = byte.map_or_else(
                    || data.name.clone(),
                    |byte| kinds::race::place(&data.name, data.element.as_ref(), byte),
                );
                let access = self.access(event.at, (event.group, event.thread), grid, Act::Access);
                Some(Finding {
                    array: Some(data.name.clone()),
                    offset_bytes: byte,
                    place: Some(format!("{at}, {}", kinds::out_of_bounds::has(size, data.element.as_ref()))),
                    accesses: vec![access],
                    ..blank(kinds::out_of_bounds::CODE, kinds::out_of_bounds::KIND, launch)
                })
            }
            _ => None,
        }
    }

    /// The finding of an access through the null pointer, in a run whose pointers are those of a
    /// program.
    pub(super) fn through_null(&self, event: &Event, grid: &Grid, launch: &Tried) -> Option<Finding> {
        let access = self.access(event.at, (event.group, event.thread), grid, Act::Access);
        let blank = blank(kinds::null_dereference::CODE, kinds::null_dereference::KIND, launch);
        self.options.checks.has(Check::Null).then(|| Finding { accesses: vec![access], ..blank })
    }

    /// The finding of a barrier that a thread does not reach.
    pub(super) fn diverging(&self, event: &Event, grid: &Grid, launch: &Tried) -> Option<Finding> {
        let Wrong::Divergence { other, returned } = event.what else { return None };
        let returned = returned.filter(|_| !self.options.exited_threads_arrive);
        let (_, missing) = other.or(returned).filter(|_| self.code.is_barrier(event.at))?;
        let access = |thread, act| self.access(event.at, (event.group, thread), grid, act);
        let accesses = vec![access(event.thread, Act::Reaches), access(missing, Act::DoesNotReach)];
        let blank = blank(kinds::barrier_divergence::CODE, kinds::barrier_divergence::KIND, launch);
        Some(Finding { accesses, ..blank })
    }

    fn race(&self, event: &Event, race: &Race, grid: &Grid, launch: &Tried) -> Finding {
        let data = &self.kernel.arrays[race.array];
        let group = grid.group_index(race.group);
        let earlier = self.access(race.at, (group, grid.local_id(race.thread)), grid, act(race.earlier));
        let later = self.access(event.at, (event.group, event.thread), grid, act(race.later));
        let is_within = group == event.group;
        let is_volatile = [race.at, event.at].map(|at| self.code.is_volatile(at));
        let place = match race.pixel {
            Some(pixel) => format!("{}{pixel}", data.name),
            None => kinds::race::place(&data.name, data.element.as_ref(), race.offset),
        };
        Finding {
            subkind: Some([earlier.act, later.act].map(kinds::race::plain).join("-")),
            scope: Some(if is_within { kinds::race::WITHIN_GROUP } else { kinds::race::BETWEEN_GROUPS }),
            array: Some(data.name.clone()),
            offset_bytes: race.pixel.is_none().then_some(race.offset),
            place: Some(place),
            accesses: vec![earlier, later],
            ..blank(kinds::race::code(is_volatile), kinds::race::KIND, launch)
        }
    }

    pub(super) fn access(
        &self,
        at: Position,
        (group, thread): ([u32; 3], [u32; 3]),
        grid: &Grid,
        act: Act,
    ) -> AccessShown {
        let dimensions = usize::try_from(grid.dimensions).unwrap_or(3);
        let ids = |ids: [u32; 3]| ids.iter().take(dimensions).map(|&id| u64::from(id)).collect();
        let ((file, line, column), stack) =
            self.code.place(at).map(|location| shown(self.kernel, location)).unwrap_or_default();
        let (block, thread) = (ids(group), ids(thread));
        AccessShown { file, line, column, act, block, thread, loops: Vec::new(), stack, arithmetic: String::new() }
    }
}

/// A finding of a kind in a launch.
pub(super) fn blank(code: &'static str, kind: &'static str, launch: &Tried) -> Finding {
    Finding {
        parameters: launch.parameters.iter().map(|(name, bits)| (name.clone(), kinds::number(bits))).collect(),
        block: launch.local.clone(),
        grid: launch.groups.clone(),
        ..Finding::new(code, kind)
    }
}
