//! Runs the prover's counterexamples.
//!
//! A counterexample names sizes, parameters and two threads of the sequential program. The
//! sequential program is an abstraction: unknown contents of arrays may be anything, and floats are
//! no numbers. So the interpreter runs the kernel on all threads of the two threads' groups, with
//! the counterexample's numbers and with several contents of the arrays. If the run has the defect
//! (a race at the same two places, a barrier that is not reached, an access outside its array), the
//! finding is **confirmed**. It is then a fact about the kernel, whatever the prover did. The run
//! does not depend on the transformation. They share the import from LLVM IR and the definition of
//! a race.
//!
//! Other groups of the launch do not run. The groups of a real launch may run later, because only a
//! barrier of the launch makes groups wait for each other. If the kernel has such a barrier, all
//! groups run.
//!
//! At first, only the two threads of the counterexample are watched. If they do not race, any two
//! threads may race; the finding then shows the threads and the place of the run.

mod contents;
mod contradiction;
mod endless;
mod lacking;
mod locks;
mod matching;
mod obstacles;
mod path;
pub mod program;
mod refuted;
mod sampled;
mod sought;
mod varied;

use lockstep_verdict::act::Act;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::slice;

use lockstep_findings as kinds;
use lockstep_interpreter::arguments::{Given, behind_fields, prepare};
use lockstep_interpreter::{Code, Event, Grid, How, Input, Races, Ran, Schedule, Workers, Wrong};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    Array, ArrayData, ArrayOrigin, InstructionData, Language, Operation, ParameterKind, Space, Type, VerifiedKernel,
    WarpOp,
};
use lockstep_ir::sequential::Program;
use lockstep_options::checks::Check;
use lockstep_prove::{Counterexample, smaller};
use lockstep_transform::analysis::mixed::mixed_arrays;
use lockstep_transform::analysis::volatile::volatile_data;
use lockstep_transform::lockstep::LockstepOptions;
use lockstep_transform::signals::{locks, may_have_signals};
use lockstep_verdict::hinge::{Difference, Hinge, NoRun, Tried};
use lockstep_verdict::reason::Reason;
use lockstep_verdict::{AccessShown, Finding, Witness};

use contents::{CONTENTS, Contents, TOLD, Telling, Values};
pub use matching::Places;
pub use refuted::{Known, Overlap, is_refutable};
pub use sampled::Sampled;
pub use sought::{Effort, Tried as TriedLaunch};

/// The option of `run` under which each lane is alone when it asks for the active lanes.
const LANES_APART: &str = "--lanes-apart";

/// The most steps of one run.
const STEPS: u64 = 4_000_000;

/// The most steps of a run when all contents are tried for the first time. Contents that make a
/// loop endless would otherwise use up the steps for those that show the defect at once.
const STEPS_OF_SHORT: u64 = 250_000;

/// The most steps of all runs for one finding.
const STEPS_IN_ALL: u64 = 40_000_000;

/// The most steps of a run after shorter ones did not come to the end: for example, a loop over all
/// elements of a tile in every thread.
const STEPS_OF_LONG: u64 = 60_000_000;

/// The most groups of a launch that a witness runs as a whole.
const MOST_GROUPS: u64 = 1024;

/// The number of contents that are tried in long runs, and where threads take turns.
const FEW: usize = 3;

/// The most bytes of registers and memory of threads that run at the same time.
const BYTES: u64 = 1 << 30;

/// The schedules. Threads run one after the other, or all take turns if the former takes too long
/// to come to the defect, or comes to it with other numbers.
const SCHEDULES: [Schedule; 3] = [Schedule::InOrder, Schedule::RoundRobin(1), Schedule::RoundRobin(64)];

/// A counterexample that is being tried: its launch, its two threads (the group's number and the
/// thread's number in the group) and the steps that are left for it.
struct Trial {
    grid: Grid,
    threads: Option<[(u64, u32); 2]>,
    left: u64,
    /// The most steps of one run.
    each: u64,
    /// Whether a run was broken off before its end.
    broken_off: bool,
    /// Whether each lane is alone when it asks for the active lanes.
    lanes_apart: bool,
    /// The runs that ended without the defect: whether only the two threads were watched, the
    /// contents of arrays, and the schedule.
    ended: Vec<(bool, Contents, Schedule)>,
    /// The outcomes of runs without the defect.
    tried: Tried,
    /// The defect of a run with other numbers than the finding's, and the run's schedule.
    found: Option<(Finding, Schedule)>,
}

impl Trial {
    fn new(grid: Grid, threads: Option<[(u64, u32); 2]>) -> Self {
        Self {
            grid,
            threads,
            left: STEPS_IN_ALL,
            each: STEPS,
            broken_off: false,
            lanes_apart: false,
            ended: Vec::new(),
            tried: Tried::default(),
            found: None,
        }
    }
}

/// Runs counterexamples of one kernel.
pub struct Replay<'a> {
    kernel: &'a VerifiedKernel,
    options: &'a LockstepOptions,
    code: Code,
    offset: [u32; 3],
    warp_size: u32,
    telling: Telling,
    /// Whether some lane asks which other lanes of its warp are active, which depends on chance.
    asks_who_is_here: bool,
    /// The steps that are left for runs that explain races.
    explaining: Cell<u64>,
    /// The arrays of locks, each with the value of a lock that nobody holds.
    locks: BTreeMap<Array, u64>,
    /// The arrays that the kernel loads from, if its behaviour is determined by its inputs.
    loaded: Option<BTreeSet<Array>>,
}

/// The outcome of running a counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// A run has the defect.
    Confirmed,
    /// No run had the defect, which says nothing.
    Possible,
    /// There is no such defect: the counterexample fixes every relevant value, and its run does not
    /// have the defect ([`contradiction`]).
    Contradicted,
}

impl<'a> Replay<'a> {
    /// The replay for a kernel that was proved with these options, in a launch whose global ids
    /// begin at `offset`.
    pub fn new(kernel: &'a VerifiedKernel, options: &'a LockstepOptions, offset: [u32; 3], warp_size: u32) -> Self {
        let telling = Telling::of(kernel);
        // Lanes that run in lock-step may depend on each other's accesses.
        let loaded = contradiction::loaded(kernel).filter(|_| !options.warps_in_lock_step);
        let is_question =
            |data: &InstructionData| matches!(data.operation, Operation::WarpExchange { op: WarpOp::ActiveMask, .. });
        // The lanes of a wavefront on AMD's devices have one program counter, so no lane is alone
        // there by chance.
        let is_chance = kernel.language != Language::Hip;
        let asks_who_is_here = is_chance && kernel.instructions.values().any(is_question);
        let (code, explaining) = (code(kernel), Cell::new(lacking::STEPS));
        let free = |(array, free): (Array, Bits)| Some((array, free.to_u64()?));
        let locks = if may_have_signals(kernel) { locks(kernel) } else { BTreeMap::new() };
        let locks = locks.into_iter().filter_map(free).collect();
        Self { kernel, options, code, offset, warp_size, telling, asks_who_is_here, explaining, locks, loaded }
    }

    /// Runs a counterexample; confirms its finding if a run has the same defect.
    pub fn replay(&self, finding: &mut Finding, counterexample: &Counterexample) -> Replayed {
        let Some(tried) = self.try_all(finding, counterexample) else { return Replayed::Confirmed };
        let is_late = self.options.deadline.passed();
        if !is_late && self.is_contradicted(finding, counterexample).unwrap_or(false) {
            return Replayed::Contradicted;
        }
        for hinge in finding.hinges.iter_mut().filter(|hinge| **hinge == Hinge::NotReplayed) {
            *hinge = if is_late { Hinge::TimeUp } else { Hinge::Tried(Box::new(tried.clone())) };
        }
        Replayed::Possible
    }

    /// Makes a confirmed finding smaller: the same defect in a smaller execution, if a run has
    /// exactly that one.
    pub fn minimise(&self, finding: &mut Finding, program: &Program, counterexample: &Counterexample) {
        let Some(small) = smaller(program, counterexample, self.options.deadline) else { return };
        let Some((told, _)) =
            kinds::findings(program, slice::from_ref(&small), self.kernel.language).into_iter().next()
        else {
            return;
        };
        let mut found = told.clone();
        let is_confirmed = self.replay(&mut found, &small) == Replayed::Confirmed;
        if is_confirmed && found.accesses == told.accesses && kinds::same_defect(&found, finding) {
            *finding = found;
        }
    }

    /// Whether the counterexample's execution does not have the defect; `None` if it cannot be run.
    fn is_contradicted(&self, finding: &Finding, counterexample: &Counterexample) -> Option<bool> {
        let (loaded, grid) = (self.loaded.as_ref()?, self.grid(counterexample)?);
        let threads = threads(&grid, counterexample)?;
        let (mut input, _) = self.input(&grid, counterexample, CONTENTS[0])?;
        if !contradiction::is_told(self.kernel, loaded, finding, counterexample, &mut input)
            || lockstep_interpreter::bytes_at_once(&self.code, &grid, &input) > BYTES
        {
            return None;
        }
        for schedule in [SCHEDULES[0], SCHEDULES[1]] {
            let mut how = self.how(&Trial::new(grid, Some(threads)), schedule, true);
            // Otherwise the detector may ignore a write that is overwritten with the same value.
            how.races = how.races.map(|races| Races { tolerant: false, ..races });
            let ran = lockstep_interpreter::run(&self.code, &grid, input.clone(), how)?;
            if !contradiction::is_flawless(&ran) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The reason for the verdict on a kernel whose finding is contradicted.
    pub fn contradicted(finding: &Finding) -> Reason {
        contradiction::reason(finding)
    }

    fn places<'g>(&'g self, grid: &'g Grid) -> Places<'g> {
        let returned_count_as_come = self.options.exited_threads_arrive;
        Places { kernel: self.kernel, code: &self.code, grid, returned_count_as_come }
    }

    /// Confirms the finding if a run has the defect; otherwise returns the outcomes of the runs.
    fn try_all(&self, finding: &mut Finding, counterexample: &Counterexample) -> Option<Tried> {
        let Some(grid) = self.grid(counterexample) else {
            return Some(Tried { refused: Some(NoRun::TooManyThreads), ..Tried::default() });
        };
        let threads = threads(&grid, counterexample);
        let mut trial = Trial::new(grid, threads);
        let (told, made_up) = CONTENTS.split_at(TOLD);
        self.try_with(finding, counterexample, &mut trial, true, told, &SCHEDULES);
        trial.each = STEPS_OF_SHORT;
        for only_these in [true, false] {
            if trial.found.is_none() {
                let contents = if only_these { made_up } else { &CONTENTS };
                self.try_with(finding, counterexample, &mut trial, only_these, contents, &SCHEDULES[..1]);
            }
        }
        trial.lanes_apart = self.asks_who_is_here && !self.options.warps_in_lock_step;
        if trial.found.is_none() && trial.lanes_apart {
            trial.ended.clear();
            self.try_with(finding, counterexample, &mut trial, false, &CONTENTS, &SCHEDULES[..1]);
        }
        if trial.found.is_none() && trial.lanes_apart {
            trial.lanes_apart = false;
            trial.ended.clear();
        }
        trial.each = STEPS;
        for only_these in [true, false] {
            if trial.found.is_none() {
                let contents = if only_these { made_up } else { &CONTENTS };
                self.try_with(finding, counterexample, &mut trial, only_these, contents, &SCHEDULES);
            }
        }
        if trial.found.is_none() {
            // A later write of one thread may hide an earlier one from the other, unless they take
            // turns.
            self.try_with(finding, counterexample, &mut trial, true, &CONTENTS[..FEW], &SCHEDULES[1..]);
        }
        if trial.found.is_none() && trial.broken_off {
            (trial.left, trial.each) = (2 * STEPS_OF_LONG, STEPS_OF_LONG);
            self.try_with(finding, counterexample, &mut trial, true, &CONTENTS[..FEW], &SCHEDULES[..1]);
        }
        if let Some((found, _)) = trial.found {
            *finding = self.confirmed(found);
            return None;
        }
        if finding.accesses.iter().any(|access| access.line == 0) {
            trial.tried.refused = Some(NoRun::NoDebugInformation);
        }
        trial.tried.is_stated = self.is_stated(finding, &grid);
        trial.tried.beside = self.differences(finding);
        trial.tried.has_unknowns = finding.hinges.iter().any(|hinge| *hinge != Hinge::NotReplayed);
        trial.tried.is_in_loop = finding.accesses.iter().any(|access| !access.loops.is_empty());
        Some(trial.tried)
    }

    /// The defect of a run as a confirmed finding.
    fn confirmed(&self, mut found: Finding) -> Finding {
        self.tell_floats(&mut found);
        found.hinges.retain(|hinge| matches!(hinge, Hinge::Parameter { .. }));
        Finding { confirmed: true, ..found }
    }

    /// The differences between runs and the proof that may explain why runs lack the finding.
    fn differences(&self, finding: &Finding) -> Vec<Difference> {
        let is_race = finding.kind == kinds::race::KIND;
        let returns_arrive = is_race && self.options.exited_threads_arrive;
        let within_group = finding.scope == Some(kinds::race::WITHIN_GROUP);
        let are_atomic = is_race && finding.accesses.iter().all(|access| access.act == Act::Atomic);
        let lanes_return = finding.kind == kinds::warp_divergence::KIND && !self.options.exited_threads_arrive;
        let any = |is: &dyn Fn(&Operation) -> bool| self.kernel.instructions.values().any(|data| is(&data.operation));
        let asks_for_addresses =
            |operation: &Operation| matches!(operation, Operation::PointerEqual(..) | Operation::PointerDifference(..));
        let of_host: Vec<String> = self.variables_of_host().map(str::to_owned).collect();
        let all = [
            (!of_host.is_empty(), Difference::HostVariables(of_host)),
            (returns_arrive && within_group, Difference::ReturnsArrive),
            (are_atomic && !self.options.checks.has(Check::Alignment), Difference::OverlappingAtomics),
            (is_race && self.has_relaxed_stores(), Difference::VolatileWrites),
            (lanes_return, Difference::ReturnedLanes),
            (any(&asks_for_addresses), Difference::Addresses),
        ];
        all.into_iter().filter(|(applies, _)| *applies).map(|(_, difference)| difference).collect()
    }

    /// Whether some stores are volatile, and relaxed atomic ones for it.
    fn has_relaxed_stores(&self) -> bool {
        let is_volatile = |operation: &Operation| matches!(operation, Operation::Store(to, _) if to.volatile);
        self.kernel.language.has_relaxed_volatiles()
            && self.kernel.instructions.values().any(|data| is_volatile(&data.operation))
    }

    /// Variables at file scope that the kernel reads and does not write, and that are initialised
    /// with zeros only.
    fn variables_of_host(&self) -> impl Iterator<Item = &str> {
        let is_given = |data: &&ArrayData| {
            data.origin == ArrayOrigin::Variable
                && matches!(data.space, Space::Global | Space::Constant)
                && data.contents.as_ref().is_none_or(|contents| contents.iter().all(|byte| *byte == 0))
        };
        self.kernel.arrays.values().filter(is_given).map(|data| data.name.as_str())
    }

    /// Whether the finding is about a statement of the source that no run evaluates.
    fn is_stated(&self, finding: &Finding, grid: &Grid) -> bool {
        if [kinds::invariant_entry::KIND, kinds::invariant_step::KIND].contains(&finding.kind) {
            return true;
        }
        let places = self.places(grid);
        let is_there = |access: &AccessShown| self.code.assertions().any(|at| places.is_at(access, at));
        finding.kind == kinds::assertion::KIND && !finding.accesses.iter().any(is_there)
    }

    /// Runs the trial with these contents and schedules. It stops at a run that is the very
    /// execution of the finding, or when the steps are spent. A run that merely has the defect is
    /// kept for want of a better one.
    fn try_with(
        &self,
        finding: &Finding,
        counterexample: &Counterexample,
        trial: &mut Trial,
        only_these: bool,
        contents: &[Contents],
        schedules: &[Schedule],
    ) {
        for &contents in contents {
            if trial.ended.contains(&(only_these, contents, schedules[0])) {
                continue;
            }
            if trial.left == 0 || self.options.deadline.passed() {
                return;
            }
            let grid = trial.grid;
            let Some((input, arguments)) = self.input(&grid, counterexample, contents) else {
                trial.tried.refused.get_or_insert(NoRun::Arguments);
                continue;
            };
            let bytes = lockstep_interpreter::bytes_at_once(&self.code, &grid, &input);
            if bytes > BYTES {
                trial.tried.refused = Some(NoRun::TooMuchMemory(bytes));
                return;
            }
            let before = trial.found.is_some();
            let broken_off = std::mem::take(&mut trial.broken_off);
            let exactly = self.try_one(finding, trial, &input, only_these, schedules);
            if !trial.broken_off {
                trial.ended.push((only_these, contents, schedules[0]));
            }
            trial.broken_off |= broken_off;
            if let Some((found, schedule)) = trial.found.as_mut().filter(|_| exactly || !before) {
                let racing = racing(&grid, found);
                found.witness = Some(witness(&grid, arguments, *schedule, trial.lanes_apart, racing, trial.threads));
                let schedule = *schedule;
                if found.kind == kinds::race::KIND {
                    let how = self.how(trial, schedule, false);
                    if let Some((found, _)) = &mut trial.found {
                        self.note_lacking(found, &grid, &input, &how);
                        self.note_locks(found, &grid, &input, &how);
                    }
                }
            }
            if exactly || before {
                return;
            }
        }
    }

    /// Gives the float parameters of a finding the values of the run, written as numbers.
    fn tell_floats(&self, found: &mut Finding) {
        let Some(witness) = &found.witness else { return };
        for parameter in &self.kernel.parameters {
            let ParameterKind::Scalar(Type::Float(_)) = parameter.kind else { continue };
            let begins = format!("--arg={}=", parameter.name);
            let value = witness.words.iter().find_map(|word| word.strip_prefix(&begins));
            if let (Some(value), Some(told)) = (value, found.parameters.get_mut(&parameter.name)) {
                value.clone_into(told);
            }
        }
    }

    /// Runs this input with one schedule after the other, as long as a run does not come to an end
    /// or has the defect with other numbers. Notes the results; returns whether a run is the very
    /// execution of the finding.
    fn try_one(
        &self,
        finding: &Finding,
        trial: &mut Trial,
        input: &Input,
        only_these: bool,
        schedules: &[Schedule],
    ) -> bool {
        let grid = trial.grid;
        for &schedule in schedules {
            let how = self.how(trial, schedule, only_these);
            let Some(ran) = lockstep_interpreter::run(&self.code, &grid, input.clone(), how) else {
                trial.tried.refused = Some(NoRun::TooManyToTellApart);
                return false;
            };
            trial.left = trial.left.saturating_sub(ran.steps.max(1));
            trial.broken_off |= ran.broken_off;
            let mut found = finding.clone();
            let is_found = self.places(&grid).confirm(&mut found, &self.defined(&ran.events), only_these);
            if !is_found {
                self.note(finding, &ran, (&grid, schedule), &mut trial.tried);
            }
            let exactly = is_found && found.accesses == finding.accesses;
            if exactly || (is_found && trial.found.is_none()) {
                trial.found = Some((found, schedule));
            }
            if exactly || trial.left == 0 || ran.is_late || !(is_found || ran.broken_off) {
                return exactly;
            }
        }
        false
    }

    fn how(&self, trial: &Trial, schedule: Schedule, only_these: bool) -> How {
        let races = Races {
            tolerant: !self.options.no_benign_tolerance,
            within_groups: self.options.only_intra_group,
            between: trial.threads.filter(|_| only_these),
        };
        let groups = trial.threads.map(|threads| BTreeSet::from(threads.map(|(group, _)| group)));
        How {
            most_steps: trial.left.min(trial.each),
            schedule,
            warps_in_lock_step: self.options.warps_in_lock_step,
            lanes_apart: trial.lanes_apart,
            returned_arrive: self.options.exited_threads_arrive,
            races: Some(races),
            groups: groups.map(|groups| groups.into_iter().collect()),
            workers: Workers::ONE,
            deadline: self.options.deadline,
        }
    }

    /// The counterexample's sizes.
    fn grid(&self, counterexample: &Counterexample) -> Option<Grid> {
        self.grid_of(&counterexample.local_sizes, &counterexample.num_groups)
    }

    /// A launch of these sizes; sizes that are not given are 1.
    fn grid_of(&self, local_sizes: &[u64], num_groups: &[u64]) -> Option<Grid> {
        let sizes = |sizes: &[u64]| -> Option<[u32; 3]> {
            let mut all = [1; 3];
            for (to, &size) in all.iter_mut().zip(sizes) {
                *to = u32::try_from(size).ok().filter(|size| *size > 0)?;
            }
            Some(all)
        };
        let (local_size, num_groups) = (sizes(local_sizes)?, sizes(num_groups)?);
        let used = (0..3).rev().find(|&d| local_size[d] > 1 || num_groups[d] > 1).unwrap_or(0);
        Some(Grid {
            local_size,
            num_groups,
            global_offset: self.offset,
            dimensions: u32::try_from(used + 1).expect("three dimensions"),
            warp_size: self.warp_size,
        })
    }

    /// The initial contents of an array, in the form of `--arg`.
    fn contents_of(&self, data: &ArrayData, counterexample: &Counterexample, contents: Contents) -> Option<String> {
        let of_array = counterexample.contents.iter().find(|told| told.array == data.name);
        // A struct's fields are parameters, whatever other contents are tried.
        let is_told = contents.told || data.origin == ArrayOrigin::Aggregate;
        let told = of_array.filter(|_| is_told && data.contents.is_none()).and_then(contents::in_words);
        told.or_else(|| contents::words(data, contents, &self.telling))
    }

    /// The initial state of the launch, and the arguments that describe it.
    fn input(&self, grid: &Grid, counterexample: &Counterexample, contents: Contents) -> Option<(Input, Vec<Given>)> {
        let mut arguments = Vec::new();
        let mut fixed = self.options.arguments.iter();
        for (index, parameter) in self.kernel.parameters.iter().enumerate() {
            let value = match &parameter.kind {
                ParameterKind::Scalar(ty) => {
                    let is_fixed = fixed.next().is_some_and(Option::is_some);
                    let value = counterexample.parameters.iter().find(|(name, _)| *name == parameter.name);
                    match ty {
                        // The proof treats floats as arbitrary bit patterns.
                        Type::Float(_) if !matches!(contents.floats, Values::Zeros | Values::Count) && !is_fixed => {
                            Some(self.telling.float(contents.floats, index))
                        }
                        _ => value.and_then(|(_, bits)| contents::number(bits, *ty)),
                    }
                }
                ParameterKind::Pointer(array) | ParameterKind::Aggregate(array) => {
                    self.contents_of(&self.kernel.arrays[*array], counterexample, contents)
                }
                ParameterKind::Opaque => None,
            };
            arguments.extend(value.map(|value| Given { name: parameter.name.clone(), value }));
        }
        for (_, data) in behind_fields(self.kernel) {
            let value = self.contents_of(data, counterexample, contents);
            arguments.extend(value.map(|value| Given { name: data.name.clone(), value }));
        }
        let prepared = prepare(self.kernel, grid, &arguments, &self.options.arguments).ok()?;
        Some((prepared.input, arguments))
    }

    /// Notes a run without the defect, or one that has it only after an event that makes the rest
    /// of the run meaningless.
    fn note(&self, finding: &Finding, ran: &Ran, (grid, schedule): (&Grid, Schedule), tried: &mut Tried) {
        let stop = self.first_stop(&ran.events).map(|event| obstacles::stop(self.kernel, &self.code, event));
        if let Some(what) = stop.as_ref().filter(|_| tried.after.is_none()) {
            let all: Vec<&Event> = ran.events.iter().collect();
            tried.after = self.places(grid).confirm(&mut finding.clone(), &all, false).then(|| what.clone());
        }
        if let Some(event) = ran.events.iter().find(|event| matches!(event.what, Wrong::Unwritten { .. })) {
            tried.unwritten.get_or_insert_with(|| obstacles::stop(self.kernel, &self.code, event));
        }
        obstacles::note(tried, schedule, stop, ran.broken_off.then_some(ran.steps));
    }

    /// The first event after which the language does not allow the run, or the run rests on an
    /// invented value.
    fn first_stop<'e>(&self, events: &'e [Event]) -> Option<&'e Event> {
        let assumption = || events.iter().find(|event| event.what == Wrong::Assumption);
        assumption().or_else(|| events.iter().find(|event| !self.is_harmless(event)))
    }

    /// The events up to which the language allows the run and no value was invented. Races, threads
    /// that wait forever, assertions and unchecked conditions leave everything else as it is; any
    /// other fault comes last. If an assumption does not hold, there is no such run.
    fn defined<'e>(&self, events: &'e [Event]) -> Vec<&'e Event> {
        if events.iter().any(|event| event.what == Wrong::Assumption) {
            return Vec::new();
        }
        let harmless = events.iter().take_while(|event| self.is_harmless(event)).count();
        let (before, after) = events.split_at(harmless);
        let Some(first) = after.first() else { return before.iter().collect() };
        // Other threads that execute the same code might have come there before that one.
        let is_same = |event: &&Event| {
            event.at == first.at && std::mem::discriminant(&event.what) == std::mem::discriminant(&first.what)
        };
        before.iter().chain(after.iter().filter(is_same)).collect()
    }

    /// Whether the run after an event is still one that the language allows.
    fn is_harmless(&self, event: &Event) -> bool {
        match event.what {
            Wrong::Race(_)
            | Wrong::Divergence { .. }
            | Wrong::Differs(_)
            // The group's threads have completed all their operations.
            | Wrong::NotWaitedFor
            | Wrong::NobodyWaits { .. }
            | Wrong::NotInMask
            | Wrong::Assertion
            // The later operations of others may also come before it: none has passed an operation
            // that needs this thread.
            | Wrong::Trap
            // Zero is as good as any other value.
            | Wrong::Unwritten { .. } => true,
            Wrong::Misaligned { .. } => !self.options.checks.has(Check::Alignment),
            // An array of any size may have more elements before and after the accessed ones, as
            // every proof assumes.
            Wrong::OutOfBounds { array: Some(array), writes: false, .. } => self.kernel.arrays[array].size.is_none(),
            _ => false,
        }
    }
}

/// The command-line words with which `lockstep run` repeats the run.
///
/// `racing` are the threads that race, and the groups of the threads in `run` were run, or all if
/// there are none.
fn witness(
    grid: &Grid,
    arguments: Vec<Given>,
    schedule: Schedule,
    lanes_apart: bool,
    racing: Option<[(u64, u32); 2]>,
    run: Option<[(u64, u32); 2]>,
) -> Witness {
    let dimensions = usize::try_from(grid.dimensions).expect("three dimensions");
    let size = |sizes: [u32; 3]| sizes[..dimensions].iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let size = |sizes| {
        let size: String = size(sizes);
        if dimensions > 1 { format!("[{size}]") } else { size }
    };
    let mut words =
        vec![format!("--local-size={}", size(grid.local_size)), format!("--num-groups={}", size(grid.num_groups))];
    if grid.global_offset != [0; 3] {
        words.push(format!("--global-offset={}", size(grid.global_offset)));
    }
    words.extend(match schedule {
        Schedule::InOrder => None,
        Schedule::RoundRobin(steps) => Some(format!("--schedule=round-robin={steps}")),
        Schedule::Random(seed) => Some(format!("--schedule=random={seed}")),
        Schedule::Stale(seed) => Some(format!("{}={seed}", Witness::OLDER_VALUES)),
    });
    words.extend(lanes_apart.then(|| LANES_APART.to_owned()));
    // Runs of counterexamples leave out the other groups, too.
    if let Some(run) = run.filter(|_| grid.groups() > MOST_GROUPS) {
        let groups = BTreeSet::from(run.map(|(group, _)| group));
        let groups: Vec<String> = groups.iter().map(u64::to_string).collect();
        words.push(format!("--only-groups={}", groups.join(",")));
    }
    // If all threads are watched, not every pair of places is reported.
    words
        .extend(racing.map(|[(group, thread), (other_group, other)]| {
            format!("--between={group}:{thread},{other_group}:{other}")
        }));
    words.extend(arguments.into_iter().map(|given| format!("--arg={}={}", given.name, given.value)));
    Witness { words, command: Vec::new() }
}

/// The code of a kernel, in which races of volatile data are found.
pub fn code(kernel: &VerifiedKernel) -> Code {
    let code = lockstep_interpreter::compile(kernel).with_volatile_data(volatile_data(kernel));
    code.with_observed_only(&mixed_arrays(kernel))
}

/// The two threads of a counterexample.
fn threads(grid: &Grid, counterexample: &Counterexample) -> Option<[(u64, u32); 2]> {
    let thread = |index: usize| thread(grid, &counterexample.group_ids[index], &counterexample.local_ids[index]);
    // A finding about one thread by itself has no other thread.
    let first = thread(0)?;
    Some([first, thread(1).unwrap_or(first)])
}

/// The two threads that race, if the finding is a race.
fn racing(grid: &Grid, finding: &Finding) -> Option<[(u64, u32); 2]> {
    let [first, second] = finding.accesses.as_slice() else { return None };
    let thread = |access: &AccessShown| thread(grid, &access.block, &access.thread);
    (finding.kind == kinds::race::KIND).then(|| Some([thread(first)?, thread(second)?]))?
}

/// A thread by its ids: the group's number, and the thread's number in the group.
fn thread(grid: &Grid, group: &[u64], local: &[u64]) -> Option<(u64, u32)> {
    let number = |ids: &[u64], sizes: [u32; 3]| -> Option<u64> {
        let mut number = 0u64;
        for (dimension, &size) in sizes.iter().enumerate().rev() {
            let id = ids.get(dimension).copied().unwrap_or(0);
            number = number.checked_mul(size.into())?.checked_add(id).filter(|_| id < u64::from(size))?;
        }
        Some(number)
    };
    Some((number(group, grid.num_groups)?, u32::try_from(number(local, grid.local_size)?).ok()?))
}
