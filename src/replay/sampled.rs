//! Runs of launches that no counterexample names, to see in which of them a kernel fails.

use std::collections::BTreeSet;

use lockstep_interpreter::arguments::{Given, prepare};
use lockstep_interpreter::{Event, Grid, How, Input, Races, Ran, Schedule, Workers, Wrong};
use lockstep_ir::kernel::{ParameterKind, Type};
use lockstep_options::checks::Check;
use lockstep_transform::signals::may_have_signals;
use lockstep_verdict::Finding;

use super::contents::{self, Contents, Values};
use super::{BYTES, Replay};

/// The most steps of one run: some milliseconds.
const STEPS: u64 = 4_000_000;

/// The number of groups from which on those of a finding are a part of the launch.
const FEW_GROUPS: u64 = 8;

/// The most steps of a run of the program's own launch: about a second.
const MOST_STEPS: u64 = 20_000_000;

/// The most threads of a launch that are run.
const MOST_THREADS: u64 = 1 << 16;

/// The contents of arrays. Element `i` is `i`: offsets are in order, indices differ and are small.
const CONTENTS: Contents = Contents { told: false, integers: Values::Count, floats: Values::Random(0) };

/// The same, but indices are equal, and as small as can be.
const SMALL: Contents = Contents { told: false, integers: Values::Zeros, floats: Values::Random(0) };

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampled {
    /// Whether the run has a defect.
    pub fails: bool,
    /// Whether it says nothing about this launch: it was broken off, rests on something that the
    /// language does not define, or passes only because threads write the same value.
    pub is_void: bool,
    /// The number of executed steps.
    pub steps: u64,
}

/// The first groups of a large launch, and its last one; `None` for all.
pub fn some_groups(grid: &Grid) -> Option<Vec<u64>> {
    let of_group: u64 = grid.local_size.into_iter().map(u64::from).product();
    let (most, all) = ((MOST_THREADS / of_group.max(1)).max(2), grid.groups());
    (all > most).then(|| (0..most - 1).chain([all - 1]).collect())
}

fn given(parameters: &[(&str, i128)]) -> Vec<Given> {
    parameters.iter().map(|(name, value)| Given { name: (*name).to_owned(), value: value.to_string() }).collect()
}

/// The groups that a finding names, and their neighbours, by number.
fn named_groups(grid: &Grid, finding: &Finding) -> Vec<u64> {
    let [columns, rows, _] = grid.num_groups.map(u64::from);
    let at = |block: &[u64], axis: usize| block.get(axis).copied().unwrap_or(0);
    let number = |block: &[u64]| at(block, 0) + columns * (at(block, 1) + rows * at(block, 2));
    let named = finding.accesses.iter().map(|access| number(&access.block));
    let around = named.flat_map(|group| group.saturating_sub(1)..=group.saturating_add(1));
    let all: BTreeSet<u64> = around.chain([0, 1]).filter(|group| *group < grid.groups()).collect();
    all.into_iter().collect()
}

impl Replay<'_> {
    /// Runs a launch of these sizes with these integer parameters, by name; others have default
    /// values. `None` if it cannot be run. If `has_tables`, a launch fails only if it does so with
    /// arrays of small indices, too.
    pub fn sample(
        &self,
        local: &[u64],
        groups: &[u64],
        parameters: &[(&str, i128)],
        has_tables: bool,
    ) -> Option<Sampled> {
        let sampled = self.sample_with(local, groups, parameters, (CONTENTS, false), STEPS)?;
        if !has_tables || !sampled.fails {
            return Some(sampled);
        }
        self.sample_with(local, groups, parameters, (SMALL, false), STEPS)
            .filter(|small| !small.is_void)
            .or(Some(sampled))
    }

    /// Whether a launch has no defect with elements that count up in small or large steps. If only
    /// accesses outside of arrays count, it may also have none with zeros.
    pub fn passes_orderly(
        &self,
        local: &[u64],
        groups: &[u64],
        parameters: &[(&str, i128)],
        only_bounds: bool,
    ) -> bool {
        let spread = Contents { integers: Values::Spread, ..CONTENTS };
        let zeros = only_bounds.then_some(SMALL);
        [CONTENTS, spread].into_iter().chain(zeros).any(|contents| {
            let sampled = self.sample_with(local, groups, parameters, (contents, only_bounds), MOST_STEPS);
            sampled.is_some_and(|sampled| !sampled.fails && !sampled.is_void)
        })
    }

    /// Whether a defect like a finding occurs in a launch of these sizes with these integer
    /// parameters, whatever else does. `None` if a run does not tell. If the launch is large, or
    /// its run long, only the groups of the finding and those around them run.
    pub fn shows(&self, local: &[u64], groups: &[u64], parameters: &[(&str, i128)], finding: &Finding) -> Option<bool> {
        let is_float = |name: &&String| {
            let named = self.kernel.parameters.iter().find(|parameter| parameter.name == **name);
            named.is_some_and(|parameter| matches!(parameter.kind, ParameterKind::Scalar(Type::Float(_))))
        };
        let floats = finding.parameters.iter().filter(|(name, _)| is_float(name));
        let floats = floats.map(|(name, value)| Given { name: name.clone(), value: value.clone() });
        let launch = self.prepared(local, groups, given(parameters).into_iter().chain(floats).collect(), CONTENTS)?;
        let is_tolerant = !self.options.no_benign_tolerance;
        let of_finding = || Some(named_groups(&launch.0, finding));
        let some = some_groups(&launch.0).and_then(|_| of_finding());
        let is_whole = some.is_none();
        let mut ran = self.ran(&launch, (is_tolerant, some), STEPS)?;
        let is_large = groups.iter().product::<u64>() > FEW_GROUPS;
        if ran.broken_off && is_whole && is_large {
            ran = self.ran(&launch, (is_tolerant, of_finding()), STEPS)?;
        }
        let places = self.places(&launch.0);
        if self.defined(&ran.events).iter().any(|event| places.is_like(finding, event)) {
            return Some(true);
        }
        let ends = !ran.broken_off && ran.events.iter().all(|event| self.is_harmless(event));
        ends.then_some(false)
    }

    fn sample_with(
        &self,
        local: &[u64],
        groups: &[u64],
        parameters: &[(&str, i128)],
        (values, only_bounds): (Contents, bool),
        most_steps: u64,
    ) -> Option<Sampled> {
        let launch = self.prepared(local, groups, given(parameters), values)?;
        let counts = |wrong: &Wrong| self.is_defect(wrong) && (!only_bounds || !matches!(wrong, Wrong::Race(_)));
        let run = |tolerant: bool| self.ran(&launch, (tolerant, some_groups(&launch.0)), most_steps);
        let fails = |ran: &Ran| self.defined(&ran.events).iter().any(|event| counts(&event.what));
        let tolerates = !self.options.no_benign_tolerance;
        let ran = run(tolerates)?;
        if fails(&ran) {
            return Some(Sampled { fails: true, is_void: false, steps: ran.steps });
        }
        let is_passed_over =
            |wrong: &Wrong| matches!(wrong, Wrong::Unwritten { .. }) || only_bounds && matches!(wrong, Wrong::Race(_));
        let strays = |event: &Event| !is_passed_over(&event.what);
        let is_void = ran.broken_off || ran.events.iter().any(strays);
        let is_void = is_void || tolerates && fails(&run(false)?);
        Some(Sampled { fails: false, is_void, steps: ran.steps })
    }

    /// A launch of these sizes and parameters, with such contents of arrays.
    fn prepared(
        &self,
        local: &[u64],
        groups: &[u64],
        mut arguments: Vec<Given>,
        values: Contents,
    ) -> Option<(Grid, Input)> {
        let grid = self.grid_of(local, groups)?;
        for parameter in &self.kernel.parameters {
            if let ParameterKind::Pointer(array) = parameter.kind {
                let words = contents::words(&self.kernel.arrays[array], values, &self.telling);
                arguments.extend(words.map(|value| Given { name: parameter.name.clone(), value }));
            }
        }
        let input = prepare(self.kernel, &grid, &arguments, &self.options.arguments).ok()?.input;
        let fits = lockstep_interpreter::bytes_at_once(&self.code, &grid, &input) <= BYTES;
        fits.then_some((grid, input))
    }

    fn ran(
        &self,
        (grid, input): &(Grid, Input),
        (tolerant, groups): (bool, Option<Vec<u64>>),
        most_steps: u64,
    ) -> Option<Ran> {
        let how = How {
            most_steps,
            // Where threads wait for each other, they take turns.
            schedule: if may_have_signals(self.kernel) { Schedule::RoundRobin(64) } else { Schedule::InOrder },
            warps_in_lock_step: self.options.warps_in_lock_step,
            lanes_apart: false,
            returned_arrive: self.options.exited_threads_arrive,
            races: Some(Races { tolerant, within_groups: self.options.only_intra_group, between: None }),
            groups,
            workers: Workers::ONE,
            deadline: self.options.deadline,
        };
        lockstep_interpreter::run(&self.code, grid, input.clone(), how)
    }

    /// Whether an event of a run is a defect in every launch of these sizes and parameters.
    pub(super) fn is_defect(&self, event: &Wrong) -> bool {
        match *event {
            Wrong::Race(_) | Wrong::Differs(_) | Wrong::Assertion => true,
            Wrong::Divergence { other, .. } => other.is_some() || !self.options.exited_threads_arrive,
            Wrong::OutOfBounds { array: Some(array), .. } => {
                self.kernel.arrays[array].size.is_some() && self.options.checks.has(Check::Bounds)
            }
            _ => false,
        }
    }
}
