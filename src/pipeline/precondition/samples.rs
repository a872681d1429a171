//! Launches on which a precondition is tried, to see what it leaves.
//!
//! Some of them are run, with array contents that fit most kernels. The launches that fail guide
//! the search. A precondition that excludes most of those that pass asks too much.

use std::collections::{BTreeMap, BTreeSet};

use super::launches::Valuation;
use super::roles::Roles;
use super::templates::{FITS, IS_CONSTANT, PATTERN, Template};
use crate::frontend::assume::Integer;
use crate::frontend::assume::evaluate::Number;
use crate::interpreter::memory::scrambled;
use crate::replay::Sampled;

/// The number of launches.
const SAMPLES: usize = 4_000;

/// Parameters that are tried besides the kernel's constants.
const VALUES: [i128; 22] = [-1, 0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 100, 128, 256, 1000, 1_000_000];

/// Sizes of groups. Small ones are rare: with few threads many launches pass by accident.
const SIZES: [u64; 9] = [2, 8, 31, 32, 33, 64, 100, 128, 256];

/// The same where several dimensions are open: a group has few threads in each.
const SIZES_OF_SEVERAL: [u64; 9] = [1, 4, 7, 8, 15, 16, 17, 31, 32];

/// Numbers of groups.
const GROUPS: [u64; 9] = [1, 2, 2, 3, 4, 4, 5, 8, 16];

/// The most steps of all runs.
const STEPS: u64 = 100_000_000;

/// The number of launches that are run.
const RUN: usize = 64;

/// The number of launches that are run under a conjunction before it is tried.
const RUN_UNDER: usize = 24;

/// The number of launches between two that are preferred.
const OTHERS: usize = 2;

/// The most threads of a launch that is run, in a group and in all.
const THREADS: [u64; 2] = [1024, 4096];

/// A thread with fewer steps than this fraction of the least of failing launches does little of the
/// kernel's work.
const WORK: u64 = 2;

/// A parameter is pinned if fewer positive values of it are left.
const LEFT: usize = 4;

/// An open size of groups is pinned if fewer sizes are left, unless a condition names the one that
/// the kernel is made for.
const SIZES_LEFT: usize = 3;

/// The launches that are tried. Sizes that are given stay as they are.
pub struct Samples {
    launches: Vec<Valuation>,
    parameters: Vec<String>,
    /// The parameters that are offsets.
    offsets: BTreeSet<String>,
    /// The size of warps, if groups consist of whole ones.
    warp: Option<u32>,
    /// Whether the size of groups is open.
    has_open_group: bool,
    /// Whether some launch passes.
    is_passed: bool,
    /// The launches that fail when they are run, ...
    pub failing: Vec<Valuation>,
    /// ... and those that do not, although they do as much work.
    passing: Vec<Valuation>,
}

/// A generator of numbers, the same in each run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = scrambled(self.0);
        let limit = u64::try_from(limit.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.0 % limit).unwrap_or_default()
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

impl Samples {
    /// Launches like `base` with other arguments for these parameters, and other sizes where
    /// `block` and `grid` are open. `needs_groups` says whether the kernel is made for several
    /// groups, `warp` that groups consist of whole warps of this size.
    pub fn new(
        base: &Valuation,
        parameters: &[(String, Integer)],
        constants: &[u64],
        (block, grid): (&[Option<u32>], &[Option<u32>]),
        (roles, needs_groups, warp): (&Roles, bool, Option<u32>),
    ) -> Self {
        let mut draw = Draw(1);
        let around = constants.iter().flat_map(|&c| [-1, 0, 1].map(|by| i128::from(c) + by));
        let values: Vec<i128> = VALUES.into_iter().chain(around).collect();
        let are_several = |sizes: &[Option<u32>]| sizes.iter().filter(|size| size.is_none()).count() > 1;
        let choices = |sizes: &[Option<u32>]| if are_several(sizes) { SIZES_OF_SEVERAL } else { SIZES };
        let of_kernel = constants.iter().flat_map(|&c| [c - 1, c, c + 1]).filter(|&c| c <= 1024);
        let local: Vec<u64> = choices(block).into_iter().chain(of_kernel).collect();
        let mut launches = Vec::new();
        let is_one = parameters.is_empty() && block.iter().chain(grid).all(Option::is_some);
        for number in 0..if is_one { 1 } else { SAMPLES } {
            let mut launch = Valuation { arguments: BTreeMap::new(), is_orderly: true, ..base.clone() };
            for (sizes, given, choice) in
                [(&mut launch.local, block, local.as_slice()), (&mut launch.groups, grid, &GROUPS)]
            {
                // Equal sizes are as frequent as others.
                let same = draw.of(choice);
                for (size, given) in sizes.iter_mut().zip(given) {
                    if given.is_none() {
                        *size = if draw.below(2) == 0 { same } else { draw.of(choice) };
                    }
                }
            }
            let sizes: Vec<i128> = (0..block.len().min(3))
                .flat_map(|at| {
                    let (local, groups) = (launch.local[at], launch.groups[at]);
                    [local, groups, local * groups, local * groups]
                })
                .map(i128::from)
                .collect();
            for (name, ty) in parameters {
                let known: Vec<i128> = launch.arguments.values().copied().map(Number::value).collect();
                // Arguments that have to do with sizes or other arguments are frequent.
                let value = match draw.below(7) {
                    _ if number % 8 == 0 && draw.below(2) == 0 => 0,
                    0 | 1 => draw.of(&sizes) + draw.of(&[0, 0, 1, 2]),
                    2 => draw.of(&sizes) * draw.of(&[1, 2, 4, 8, 16]),
                    3 => draw.of(&sizes) * draw.of(&values),
                    4 if !known.is_empty() => draw.of(&known) * draw.of(&sizes) + draw.of(&[0, 1]),
                    5 if !known.is_empty() => draw.of(&known) + draw.of(&sizes),
                    _ => draw.of(&values),
                };
                launch.arguments.insert(name.clone(), Number::new(value, *ty));
            }
            let is_whole = warp.is_none_or(|warp| launch.local.iter().product::<u64>().is_multiple_of(warp.into()));
            if is_whole && is_large(&launch, needs_groups) {
                launches.push(launch);
            }
        }
        let parameters = parameters.iter().map(|(name, _)| name.clone()).collect();
        Self {
            launches,
            parameters,
            offsets: roles.offsets.clone(),
            warp,
            has_open_group: block.contains(&None),
            is_passed: false,
            failing: Vec::new(),
            passing: Vec::new(),
        }
    }

    /// Puts launches that satisfy these templates, with small arguments first, between the others.
    /// Otherwise few of the launches that pass may be short enough for a run.
    pub fn prefer(&mut self, templates: &[&Template]) {
        if templates.is_empty() {
            return;
        }
        let satisfies =
            |launch: &Valuation| templates.iter().all(|template| template.assumption.holds(launch) == Some(true));
        let (mut preferred, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.launches).into_iter().partition(satisfies);
        let size =
            |launch: &Valuation| launch.arguments.values().map(|value| value.value().unsigned_abs()).sum::<u128>();
        preferred.sort_by_key(|launch| size(launch).saturating_mul(launch.threads().into()));
        let (mut preferred, mut others) = (preferred.into_iter(), others.into_iter());
        loop {
            let some: Vec<Valuation> = preferred.by_ref().take(1).chain(others.by_ref().take(OTHERS)).collect();
            if some.is_empty() {
                break;
            }
            self.launches.extend(some);
        }
    }

    /// Runs some of the launches.
    pub fn run(&mut self, run: &dyn Fn(&Valuation) -> Option<Sampled>) {
        let chosen: Vec<Valuation> = self.runnable().take(RUN).cloned().collect();
        let mut passing = Vec::new();
        let mut work = Vec::new();
        let mut spent = 0;
        for launch in chosen {
            if spent >= STEPS {
                break;
            }
            let Some(sampled) = run(&launch) else { continue };
            spent += sampled.steps;
            let of_thread = sampled.steps / launch.threads();
            if sampled.fails {
                self.failing.push(launch);
                work.push(of_thread);
            } else if !sampled.is_void {
                passing.push((launch, of_thread));
            }
        }
        self.is_passed = !passing.is_empty();
        let least = work.into_iter().min().map_or(0, |least| least / WORK);
        self.passing = passing.into_iter().filter(|(_, steps)| *steps >= least).map(|(launch, _)| launch).collect();
    }

    /// The launches that fail, among some that satisfy a conjunction.
    pub fn failing_under(
        &self,
        chosen: &[&Template],
        run: &dyn Fn(&Valuation) -> Option<Sampled>,
    ) -> Option<Valuation> {
        let holds = |launch: &&Valuation| chosen.iter().all(|part| part.assumption.holds(*launch) == Some(true));
        let mut others = self.runnable().skip(RUN).filter(holds).take(RUN_UNDER);
        others.find(|launch| run(launch).is_some_and(|sampled| sampled.fails)).cloned()
    }

    /// The launches that can be run.
    fn runnable(&self) -> impl Iterator<Item = &Valuation> {
        self.launches
            .iter()
            .filter(|launch| launch.local.iter().product::<u64>() <= THREADS[0] && launch.threads() <= THREADS[1])
    }

    /// Whether launches were run, and none passed: then the kernel has a defect that no
    /// precondition excuses.
    pub fn none_passes(&self) -> bool {
        !self.is_passed && self.failing.len() >= RUN / 8
    }

    /// Whether a template may be a part of a conjunction that leaves enough: it admits most of the
    /// launches that pass, and, if it is a bound or an order, those among them in which an offset
    /// is zero. Otherwise the safe offsets have a gap between zero and others, and the template
    /// chooses one side arbitrarily: `a[i] += a[i + offset]` is no kernel for large offsets only.
    pub fn admit(&self, template: &Template) -> bool {
        let names = template.assumption.names();
        let is_zero = |launch: &Valuation| {
            let mut offsets = names.iter().filter(|name| self.offsets.contains(**name));
            offsets.any(|name| launch.arguments.get(*name).is_some_and(|value| value.value() == 0))
        };
        let holds = |launch: &&Valuation| template.assumption.holds(*launch) != Some(false);
        self.are_most(self.passing.iter().filter(holds).count(), template.cost)
            && (template.cost >= PATTERN
                || self.passing.iter().filter(|launch| is_zero(launch)).all(|launch| holds(&launch)))
    }

    /// Whether so many of the launches that pass are enough for a template of this cost. A bound or
    /// an order must admit half of them. A multiple or an equation is about few numbers, and many
    /// others pass by accident. So do many launches in which columns do not fit into rows.
    fn are_most(&self, admitted: usize, cost: u32) -> bool {
        let share = if cost < PATTERN && cost != FITS { 2 } else { 10 };
        share * admitted >= self.passing.len()
    }

    /// For each launch, whether it satisfies a template; first for those that pass.
    pub fn satisfying(&self, template: &Template) -> Vec<bool> {
        let all = self.passing.iter().chain(&self.launches);
        all.map(|launch| template.assumption.holds(launch) == Some(true)).collect()
    }

    /// Whether a conjunction of templates leaves enough: most of the launches that pass, and
    /// several values of each parameter that it names.
    pub fn leaves_enough(&self, chosen: &[(&Template, &[bool])]) -> bool {
        let holds = |index: usize| chosen.iter().all(|(_, satisfying)| satisfying[index]);
        let passing = self.passing.len();
        let costs = || chosen.iter().map(|(part, _)| part.cost);
        let cost = costs().find(|cost| *cost == FITS).or(costs().max()).unwrap_or(0);
        if !self.are_most((0..passing).filter(|&index| holds(index)).count(), cost) {
            return false;
        }
        let left: Vec<&Valuation> =
            self.launches.iter().zip(passing..).filter(|(_, index)| holds(*index)).map(|(launch, _)| launch).collect();
        let is_named = |name: &&String| chosen.iter().any(|(part, _)| part.assumption.names().contains(name.as_str()));
        let is_constant = chosen.iter().any(|(part, _)| part.cost >= IS_CONSTANT);
        let sizes: BTreeSet<u64> = left.iter().map(|launch| launch.local.iter().product()).collect();
        !left.is_empty()
            && (!self.has_open_group || is_constant || sizes.len() >= SIZES_LEFT)
            // A single warp is no group for a kernel of warps.
            && (!self.has_open_group || self.warp.is_none_or(|warp| sizes.iter().any(|&size| size > warp.into())))
            && self.parameters.iter().filter(is_named).all(|name| {
                let values = left.iter().map(|launch| launch.arguments[name].value());
                let values: BTreeSet<i128> = values.filter(|&value| value > 0).collect();
                values.len() >= LEFT
            })
    }
}

/// Whether a launch has more than one thread in a group, and more than one group if the kernel is
/// made for several.
fn is_large(launch: &Valuation, needs_groups: bool) -> bool {
    launch.local.iter().product::<u64>() > 1 && (!needs_groups || launch.groups.iter().product::<u64>() > 1)
}
