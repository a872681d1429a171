//! Runs that refute the assumptions of a proof.
//!
//! A proof is about two threads, and so is the check that its preconditions have a model. Its
//! assumptions about the launch as a whole, or about arithmetic that all inputs lead to, may
//! nevertheless be false in every run. Then the proof says nothing, and `verified` would be wrong
//! even though each assumption is listed. So after a proof the kernel is run, and the run's
//! behaviour is compared with the list.
//!
//! # What counts
//!
//! One run that breaks an assumption refutes nothing. Its inputs are chosen here, and the
//! assumption may keep a caller from choosing them (`n` is not 0 where the kernel divides by it).
//! So there are several runs. They have other sizes where these are open, other parameters and
//! other contents, and other invented values (of a clock, or of a function without a body). **As
//! soon as one run satisfies all assumptions, the verdict stands**: they can hold together in this
//! launch. The verdict is withdrawn if some runs break an assumption and none satisfies them all.
//! It becomes `unknown`, which is no claim, so a mistake here costs precision and never soundness.
//!
//! # What does not count
//!
//! A run may lie outside the scope of the proof. A condition that the source or the command line
//! states about arguments may not hold. An access may leave an array (whose size was chosen here),
//! or an operation may be skipped because it cannot be run. The run then **strays** at some place.
//! Events that do not depend on that place ([`Influences`]) also happen in other runs, in which no
//! such fault occurs. So the run continues, and an assumption that it breaks counts unless a place
//! at which it strayed before is an influence on the assumption. A condition of the source that
//! does not hold matters only if it concerns parameters or contents that are an influence on the
//! assumption. In the same way, a run that breaks nothing satisfies all assumptions although it
//! strays, if the stray has no influence on the assumptions that other runs break.
//!
//! A run that is broken off remains valid up to that point: an assumption that it broke is broken.
//! So it may be short ([`STEPS`], and longer only if it broke nothing so far). For a large launch
//! some groups are enough, since other groups may come later in a real run, too. This does not
//! apply where numbers are drawn from a counter, which all threads do together. If such a run is
//! broken off, too, the number is extrapolated, provided that threads run one after the other. Each
//! thread that has not begun is taken to draw as many numbers as the average of those that have.
//!
//! # What is compared
//!
//! These assumptions are compared, each on a line that the report lists:
//!
//! * signed overflow, division by zero and of the least number by -1, shift distances, operands of
//!   24 bits, and unreachable code;
//! * counters that advance by sizes of the launch, whose sums are marked for the runs;
//! * how many numbers are drawn from a counter;
//! * the accessed bytes of arrays that overlap in the launch;
//! * threads that wait forever;
//! * the limit of 2^56 bytes on arrays;
//! * conditions of the source about nothing but ids, sizes and constants;
//! * conditions that `--no-check` leaves unchecked: bounds of arrays of known size, writes of
//!   constant memory, masks.
//!
//! Other assumptions are not compared, as a run cannot test them:
//!
//! * that other arrays do not overlap, start aligned and have their sizes (the run lays them out);
//! * the host's actions during the run;
//! * sizes, which are the run's;
//! * functions without a body and images (their values are invented);
//! * pointers loaded from memory;
//! * whether a leading zero of 0 is counted (the run counts 32);
//! * equal values.

mod influence;

use std::collections::BTreeMap;

use lockstep_interpreter::arguments::{Given, prepare};
use lockstep_interpreter::{Event, Grid, How, Input, MadeUp, Part, Schedule, Tally, Undefined, Workers, Wrong, memory};
use lockstep_ir::assumption::{Assumed, Assumption, Assumptions};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, Operation, ParameterKind, Space, Type};
use lockstep_ir::source::{Location, Place};
use lockstep_options::checks::Check;
use lockstep_options::launch::{Extent, Launch};
use lockstep_transform::analysis::counters::{Apart, counters};
use lockstep_transform::analysis::pointers::points_to;
use lockstep_transform::analysis::structure::Structure;
use lockstep_transform::lockstep::LARGEST;
use lockstep_verdict::reason::{Instead, Refuted};
use num_bigint::BigUint;

use super::contents::{self, Contents, Values};
use super::{BYTES, Replay, obstacles};
use influence::Influence;
pub(super) use influence::Influences;

/// The most steps of one run: some milliseconds.
const STEPS: u64 = 1 << 18;

/// The most steps of further runs if the first was broken off: without counters that numbers are
/// drawn from, and with such counters.
const STEPS_OF_LONG: [u64; 2] = [1 << 20, 1 << 24];

/// The most groups that run all together.
const GROUPS: u64 = 64;

/// The most groups that run all together if numbers are drawn from a counter, because a list of
/// them is kept.
const MOST_GROUPS: u64 = 1 << 20;

/// The number of threads in each dimension of a group of open size.
const OPEN: [u32; 3] = [32, 4, 1];

/// The inputs to try, up to the first one that satisfies all assumptions.
const TRIED: [(Scalars, Values, MadeUp); 7] = [
    (Scalars::Threads, Values::Zeros, MadeUp::All(0)),
    (Scalars::All(1), Values::Count, MadeUp::All(1)),
    (Scalars::All(0), Values::Ones, MadeUp::Small(0)),
    (Scalars::Apart { first: 16, step: 16 }, Values::Ones, MadeUp::All(0)),
    (Scalars::Apart { first: 1000, step: 7 }, Values::Random(0), MadeUp::Random(0)),
    (Scalars::Apart { first: 5, step: 0x0fff_fff1 }, Values::Random(1), MadeUp::Random(1)),
    (Scalars::Telling, Values::Among(0), MadeUp::Small(1)),
];

/// The inputs to try before these if parameters are known with which the preconditions hold.
const TRIED_IF_STATED: [(Scalars, Values, MadeUp); 2] =
    [(Scalars::Satisfying, Values::Zeros, MadeUp::All(0)), (Scalars::Satisfying, Values::Among(0), MadeUp::Small(0))];

/// Values of integers that are passed by value.
#[derive(Clone, Copy)]
enum Scalars {
    /// The number of threads in the launch.
    Threads,
    /// This number for all.
    All(u64),
    /// A different number for each.
    Apart { first: u64, step: u64 },
    /// Numbers that the kernel compares with.
    Telling,
    /// Numbers with which the preconditions hold, if such are known.
    Satisfying,
}

/// Whether a run could break any of these assumptions.
pub fn is_refutable(assumptions: &Assumptions) -> bool {
    assumptions.iter().any(|listed| match &listed.what {
        Assumed::NoSignedOverflow
        | Assumed::NoDivisionByZero { .. }
        | Assumed::ShiftsBelowWidth
        | Assumed::OperandsOfMul24
        | Assumed::FactorsOfMad24
        | Assumed::Termination
        | Assumed::FewDraws { .. }
        | Assumed::Source { .. }
        | Assumed::NotReached
        | Assumed::LargestArray { .. }
        | Assumed::LaunchStrides
        | Assumed::BoundsUnchecked
        | Assumed::ConstantUnchecked
        | Assumed::LaneMaskUnchecked => true,
        Assumed::Dimensions { .. }
        | Assumed::DeviceSizes { .. }
        | Assumed::GlobalSize { .. }
        | Assumed::GlobalOffset { .. }
        | Assumed::SingleThread
        | Assumed::GroupsRunAtOnce
        | Assumed::LockStepWarps { .. }
        | Assumed::WholeWarps { .. }
        | Assumed::ReturnedThreadsArrive
        | Assumed::Argument { .. }
        | Assumed::OneBuffer { .. }
        | Assumed::ArraySize { .. }
        | Assumed::HostComputes { .. }
        | Assumed::HostAllocates { .. }
        | Assumed::AllocationsSucceed { .. }
        | Assumed::Given { .. }
        | Assumed::Axioms { .. }
        | Assumed::Import
        // Launches in which arrays overlap refute this one; the overlaps are known separately.
        | Assumed::PointersApart
        | Assumed::PointersOutsideVariables { .. }
        | Assumed::ImagesApart
        | Assumed::PointersOutsideImages
        | Assumed::InsideUnknownSizes
        | Assumed::InsideDynamicShared { .. }
        | Assumed::AlignedStart { .. }
        | Assumed::AlignedByArguments { .. }
        | Assumed::LoadedPointerAligned
        | Assumed::LoadedPointerNotNull
        | Assumed::ComparedParameterNotNull
        | Assumed::ComparedNotFromNull
        | Assumed::PointerArraysDoNotWrap
        | Assumed::IntegerIsAddress { .. }
        | Assumed::TableAddresses { .. }
        | Assumed::TexturesUnchanged
        | Assumed::LibraryStorage
        | Assumed::PartitionDoesNotWait
        | Assumed::MissingHeaders { .. }
        | Assumed::NoZerosOfZero
        | Assumed::SignalsUnset { .. }
        | Assumed::SameValueWrites
        | Assumed::NoBody { .. }
        | Assumed::FunctionOfArguments { .. }
        | Assumed::AsSpecified { .. }
        | Assumed::GroupsUnchecked
        | Assumed::RacesUnchecked { .. }
        | Assumed::OtherArraysUnchecked { .. }
        | Assumed::StatementsUnchecked
        | Assumed::StatementsAboutOthersUnchecked
        | Assumed::BarrierAccessesUnchecked
        | Assumed::NullUnchecked => false,
    })
}

/// The outcome of a run.
#[derive(Default)]
struct Seen {
    /// The assumptions that the run breaks, each with the behaviour observed instead.
    broken: Vec<(Assumption, Instead)>,
    /// The places where the run strays from the scope of the proof.
    strays: Vec<Stray>,
}

/// A point at which a run leaves the scope of the proof.
enum Stray {
    /// A fault occurs there, and the run continues.
    At(Part),
    /// A condition does not hold that depends on this influence.
    Condition(Influence),
    /// Threads that should wait for others there do not.
    Order,
}

impl Seen {
    /// Whether the run may have come to a place because it strayed before.
    fn is_led_astray(&self, influence: impl FnOnce() -> Influence) -> bool {
        if self.strays.is_empty() {
            return false;
        }
        let influence = influence();
        self.strays.iter().any(|stray| stray.may_change(&influence))
    }
}

impl Stray {
    /// Whether the stray might change the events at a place with this influence.
    fn may_change(&self, influence: &Influence) -> bool {
        match self {
            Self::At(part) => influence.contains(*part),
            Self::Condition(of_condition) => influence.shares_inputs_with(of_condition),
            Self::Order => influence.communicates(),
        }
    }
}

/// The facts that runs of one kernel are compared with.
struct Comparison<'a> {
    assumptions: &'a Assumptions,
    /// The assumed upper bounds on the numbers drawn from counters.
    limits: BTreeMap<Array, Limit>,
    overlaps: &'a [Overlap],
    influences: Influences<'a>,
}

/// Two arrays that overlap in the launch.
#[derive(Clone, Copy, Debug)]
pub struct Overlap {
    /// The arrays.
    pub arrays: [Array; 2],
    /// The distance in bytes from the beginning of the first array to that of the second.
    pub distance: i64,
}

/// Facts about a launch besides its sizes.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// Parameters with which the preconditions hold, by their names; empty if none are known.
    pub satisfying: &'a [(String, Bits)],
    /// The arrays that overlap.
    pub overlaps: &'a [Overlap],
}

/// The assumed upper bound on the numbers drawn from a counter.
struct Limit {
    most: BigUint,
    /// The assumption.
    listed: Assumption,
    /// Whether the counter is set anew from time to time.
    is_set: bool,
}

impl Comparison<'_> {
    /// Whether an assumption depends on all threads of the launch together.
    fn is_of_all(&self) -> bool {
        !self.limits.is_empty() || !self.overlaps.is_empty()
    }

    /// The listed assumption that arrays do not overlap.
    fn apart(&self) -> Option<&Assumption> {
        let is_apart =
            |what: &Assumed| matches!(what, Assumed::PointersApart | Assumed::PointersOutsideVariables { .. });
        self.assumptions.iter().find(|listed| is_apart(&listed.what))
    }

    /// The assumption of this kind, if it is listed.
    fn listed(&self, what: Assumed) -> Option<Assumption> {
        self.assumptions.find(&what).cloned()
    }

    /// The assumption of this kind for this place alone, if it is listed.
    fn listed_at(&self, what: Assumed, place: &Place) -> Option<Assumption> {
        self.assumptions.find(&what).filter(|listed| listed.places.contains(place)).cloned()
    }
}

impl Replay<'_> {
    /// The assumption that no run of this launch satisfies, if there is one.
    pub fn refuted(&self, launch: &Launch, assumptions: &Assumptions, known: Known<'_>) -> Option<Refuted> {
        let Known { satisfying, overlaps } = known;
        let limits = self.limits(launch, assumptions);
        let comparison = Comparison { assumptions, limits, overlaps, influences: Influences::of(self.kernel) };
        let mut runs = Vec::new();
        let if_stated: &[_] = if satisfying.is_empty() { &[] } else { &TRIED_IF_STATED };
        for (index, &(scalars, contents, made_up)) in if_stated.iter().chain(&TRIED).enumerate() {
            let Some(grid) = self.grid_for(launch, index) else { continue };
            let Some(input) = self.arbitrary(&grid, scalars, contents, satisfying) else { continue };
            let Some(seen) = self.try_run(&grid, &input, made_up, &comparison) else { continue };
            if seen.broken.is_empty() && seen.strays.is_empty() {
                return None;
            }
            runs.push(seen);
        }
        let broken = || runs.iter().flat_map(|seen| &seen.broken);
        let (assumption, instead) = broken().next()?.clone();
        let mut influences: Vec<(&Assumption, Influence)> = Vec::new();
        for (assumption, _) in broken() {
            if !influences.iter().any(|(known, _)| *known == assumption) {
                influences.push((assumption, self.influence_on(assumption, &comparison)));
            }
        }
        let keeps = |seen: &Seen| {
            let may_change = |stray: &Stray| influences.iter().any(|(_, influence)| stray.may_change(influence));
            seen.broken.is_empty() && !seen.strays.iter().any(may_change)
        };
        if runs.iter().any(keeps) {
            return None;
        }
        let runs = runs.iter().filter(|seen| !seen.broken.is_empty()).count();
        Some(Refuted { assumption, instead, runs })
    }

    /// The assumed upper bounds on the numbers drawn from counters.
    fn limits(&self, launch: &Launch, assumptions: &Assumptions) -> BTreeMap<Array, Limit> {
        if !assumptions.iter().any(|listed| matches!(listed.what, Assumed::FewDraws { .. })) {
            return BTreeMap::new();
        }
        let Ok((kernel, structure)) = Structure::of(self.kernel) else { return BTreeMap::new() };
        let limit = |(array, counter): (Array, lockstep_transform::analysis::counters::Counter)| {
            let data = &kernel.arrays[array];
            let Apart::IfAtMost(most) = counter.tells_apart(&kernel, &structure, data.space, launch) else {
                return None;
            };
            let is_set = counter.is_set;
            let (counter, each_interval) = (data.name.clone(), is_set);
            let listed = assumptions.find(&Assumed::FewDraws { counter, each_interval, most: most.clone() })?.clone();
            Some((array, Limit { most, listed, is_set }))
        };
        counters(&kernel, &structure, &points_to(&kernel)).into_iter().filter_map(limit).collect()
    }

    /// The influence on whether an assumption holds.
    fn influence_on(&self, assumption: &Assumption, comparison: &Comparison<'_>) -> Influence {
        let of_counter = comparison.limits.iter().find(|(_, limit)| limit.listed == *assumption);
        if let Some((&array, _)) = of_counter {
            return comparison.influences.on_atomics_of(array);
        }
        let stands_there = |place: &Place| match &assumption.what {
            Assumed::Source { place: there, .. } => place == there,
            _ => assumption.places.contains(place),
        };
        let place_of = |location: Option<Location>| self.kernel.place(location);
        let instructions = self.kernel.instructions.iter().map(|(at, data)| (Part::Instruction(at), data.location));
        let ends = self.kernel.blocks.iter().map(|(at, data)| (Part::End(at), data.location));
        let parts: Vec<(Part, Place)> =
            instructions.chain(ends).map(|(part, location)| (part, place_of(location))).collect();
        let there = parts.iter().filter(|(_, place)| stands_there(place)).map(|(part, _)| *part);
        let there: Vec<Part> = there.collect();
        // An assumption that names no line is about the whole kernel.
        let all = there.is_empty().then_some(parts).into_iter().flatten().map(|(part, _)| part);
        comparison.influences.on(there.into_iter().chain(all))
    }

    /// The outcome of a run, or of a longer one if it is broken off before it breaks anything;
    /// `None` if that says nothing.
    fn try_run(&self, grid: &Grid, input: &Input, made_up: MadeUp, comparison: &Comparison<'_>) -> Option<Seen> {
        let has_counters = !comparison.limits.is_empty();
        let long = STEPS_OF_LONG[usize::from(comparison.is_of_all())];
        // Each thread runs to its end before the next one begins, which soonest shows how many
        // numbers one draws.
        let one_by_one = has_counters.then_some((long, Schedule::RoundRobin(u64::MAX)));
        let mut last = None;
        for (most, schedule) in [(STEPS, Schedule::InOrder), (long, Schedule::InOrder)].into_iter().chain(one_by_one) {
            let (seen, broken_off) = self.run_within((most, schedule), (grid, input, made_up), comparison)?;
            let is_settled = !broken_off || !seen.broken.is_empty();
            last = Some(seen);
            if is_settled {
                break;
            }
        }
        last
    }

    /// The outcome of a run of at most this many steps, and whether it was broken off.
    fn run_within(
        &self,
        (most_steps, schedule): (u64, Schedule),
        (grid, input, made_up): (&Grid, &Input, MadeUp),
        comparison: &Comparison<'_>,
    ) -> Option<(Seen, bool)> {
        if lockstep_interpreter::bytes_at_once(&self.code, grid, input) > BYTES / 16 {
            return None;
        }
        let groups = grid.groups();
        let is_large = groups > if comparison.is_of_all() { MOST_GROUPS } else { GROUPS };
        let how = How {
            most_steps,
            schedule,
            warps_in_lock_step: self.options.warps_in_lock_step,
            lanes_apart: false,
            returned_arrive: self.options.exited_threads_arrive,
            races: None,
            groups: is_large.then(|| (0..GROUPS).chain([groups - 1]).collect()),
            workers: Workers::ONE,
            deadline: self.options.deadline,
        };
        let mut tally = Tally::default();
        for array in comparison.overlaps.iter().flat_map(|overlap| overlap.arrays) {
            tally.touched.entry(array).or_default();
        }
        let (ran, tally) = lockstep_interpreter::run_counting(&self.code, grid, input.clone(), how, made_up, tally);
        if ran.is_late {
            return None;
        }
        let mut seen = Seen::default();
        for event in &ran.events {
            let part = self.code.part(event.at);
            if let Some(assumption) = self.broken_by(event, comparison) {
                let influence = || comparison.influences.on([part]);
                if !seen.is_led_astray(influence) {
                    seen.broken.push((assumption, Instead::Event(obstacles::stop(self.kernel, &self.code, event))));
                }
            } else if event.what == Wrong::Assumption {
                let influence = comparison.influences.on([part]);
                // Threads for which the condition does not hold do not exist.
                if influence.is_of_the_launch() {
                    return None;
                }
                seen.strays.push(Stray::Condition(influence));
            } else if matches!(event.what, Wrong::Refused(_)) && self.orders(part) {
                seen.strays.push(Stray::Order);
            } else if goes_astray(event) {
                seen.strays.push(Stray::At(part));
            }
        }
        let extrapolates = ran.broken_off && schedule != Schedule::InOrder;
        for (&array, limit) in &comparison.limits {
            let influence = || comparison.influences.on_atomics_of(array);
            if let Some(instead) = self.too_many(&tally, (array, limit), extrapolates.then_some(grid))
                && !seen.is_led_astray(influence)
            {
                seen.broken.push((limit.listed.clone(), instead));
            }
        }
        for overlap in comparison.overlaps {
            let [first, second] = overlap.arrays.map(|array| &tally.touched[&array]);
            if let (Some(listed), Some(byte)) = (comparison.apart(), first.shared_with(second, overlap.distance)) {
                let arrays = overlap.arrays.map(|array| self.kernel.arrays[array].name.clone());
                let shared = Instead::Shared { arrays, distance: overlap.distance, byte };
                seen.broken.push((listed.clone(), shared));
            }
        }
        Some((seen, ran.broken_off))
    }

    /// Whether threads wait for others at a place.
    fn orders(&self, part: Part) -> bool {
        let Part::Instruction(instruction) = part else { return false };
        matches!(
            self.kernel.instructions[instruction].operation,
            Operation::Barrier { .. } | Operation::AsyncWait(_) | Operation::Phase { .. }
        )
    }

    /// The number of draws from a counter, if it exceeds the assumed bound. If the run was broken
    /// off, the number is extrapolated to all threads of the launch.
    fn too_many(&self, tally: &Tally, (array, limit): (Array, &Limit), grid: Option<&Grid>) -> Option<Instead> {
        let data = &self.kernel.arrays[array];
        let most = tally.most(array);
        if BigUint::from(most) > limit.most {
            return Some(Instead::Draws { drawn: most, counter: data.name.clone() });
        }
        // If the counter is set anew, the number is not a sum over threads.
        let grid = grid.filter(|_| !limit.is_set && tally.begun > 0)?;
        let all = grid.group_threads().saturating_mul(if data.space == Space::Local { 1 } else { grid.groups() });
        let begun = tally.begun.min(all);
        let by_all = BigUint::from(most) * all / begun;
        let counter = data.name.clone();
        (by_all > limit.most).then_some(Instead::DrawsOfSome { drawn: most, counter, threads: begun, all })
    }

    /// The listed assumption that an event breaks.
    fn broken_by(&self, event: &Event, comparison: &Comparison<'_>) -> Option<Assumption> {
        let place = self.kernel.place(self.code.place(event.at));
        let here = |what: Assumed| comparison.listed_at(what, &place);
        let unchecked = |check: Check| check.assumed_instead().and_then(|what| comparison.listed(what));
        let division = || [true, false].into_iter().find_map(|signed| here(Assumed::NoDivisionByZero { signed }));
        match event.what {
            Wrong::Undefined(what) | Wrong::AnyValue(what) => match what.why {
                Undefined::SignedOverflow if !what.op.is_division() => {
                    here(Assumed::NoSignedOverflow).or_else(|| here(Assumed::LaunchStrides))
                }
                Undefined::SignedOverflow | Undefined::DivisionByZero => division(),
                Undefined::Distance => here(Assumed::ShiftsBelowWidth),
                Undefined::UnsignedOverflow => here(Assumed::LaunchStrides),
            },
            Wrong::Assumption => {
                let of_24_bits = here(Assumed::OperandsOfMul24).or_else(|| here(Assumed::FactorsOfMad24));
                of_24_bits.or_else(|| self.source_assumption(event, &place, comparison))
            }
            Wrong::OutOfBounds { array: Some(array), offset, .. }
                if self.kernel.arrays[array].size.is_none() && offset.unsigned_abs() >> LARGEST != 0 =>
            {
                comparison.listed(Assumed::LargestArray { exponent: LARGEST })
            }
            Wrong::Unreachable => here(Assumed::NotReached),
            Wrong::GoesRound => comparison.listed(Assumed::Termination),
            Wrong::OutOfBounds { array: Some(array), .. } if self.kernel.arrays[array].size.is_some() => {
                unchecked(Check::Bounds)
            }
            Wrong::ConstantWritten(_) => unchecked(Check::Constant),
            Wrong::NotInMask => unchecked(Check::LaneMask),
            _ => None,
        }
    }

    /// The source's assumption at the place of an event, if it concerns the launch alone.
    fn source_assumption(&self, event: &Event, place: &Place, comparison: &Comparison<'_>) -> Option<Assumption> {
        let is_there = |what: &Assumed| matches!(what, Assumed::Source { place: there, .. } if there == place);
        let listed = comparison.assumptions.iter().find(|listed| is_there(&listed.what))?;
        comparison.influences.on([self.code.part(event.at)]).is_of_the_launch().then(|| listed.clone())
    }

    /// The launch, with sizes for the open ones that differ from run to run.
    fn grid_for(&self, launch: &Launch, index: usize) -> Option<Grid> {
        let is_small = index % 2 == 1;
        let open_groups = if is_small { 1 } else { 2 };
        let sizes: [(u64, u64); 3] = std::array::from_fn(|d| {
            let open = if is_small { 1 } else { u64::from(OPEN[d].min(launch.max_group_size)) };
            let size = |extent: Extent| extent.known().map(u64::from);
            let dividing = |all: u64| (1..=open).rev().find(|size| all.is_multiple_of(*size)).unwrap_or(1);
            match (size(launch.local_size[d]), size(launch.num_groups[d]), size(launch.global_size[d])) {
                (Some(threads), Some(count), _) => (threads, count),
                (Some(threads), None, Some(all)) => (threads, all / threads),
                (Some(threads), None, None) => (threads, open_groups),
                (None, Some(count), Some(all)) => (all / count, count),
                (None, Some(count), None) => (open, count),
                (None, None, Some(all)) => (dividing(all), all / dividing(all)),
                (None, None, None) => (open, open_groups),
            }
        });
        let (local, groups) = (sizes.map(|(threads, _)| threads), sizes.map(|(_, groups)| groups));
        let threads: u64 = local.iter().product();
        let is_given = launch.local_size.iter().all(|size| size.known().is_some());
        if threads > launch.max_group_size.into() && !is_given {
            return None;
        }
        self.grid_of(&local, &groups)
    }

    /// An input chosen without any knowledge about it.
    fn arbitrary(&self, grid: &Grid, scalars: Scalars, values: Values, satisfying: &[(String, Bits)]) -> Option<Input> {
        let contents = Contents { told: false, integers: values, floats: values };
        let mut arguments = Vec::new();
        let mut fixed = self.options.arguments.iter();
        for (index, parameter) in self.kernel.parameters.iter().enumerate() {
            let value = match &parameter.kind {
                ParameterKind::Scalar(ty) => {
                    let is_fixed = fixed.next().is_some_and(Option::is_some);
                    let mut known = satisfying.iter().filter(|_| matches!(scalars, Scalars::Satisfying));
                    let known = known.find(|(name, _)| *name == parameter.name);
                    let known = known.and_then(|(_, bits)| contents::number(bits, *ty));
                    match ty {
                        _ if is_fixed => None,
                        _ if known.is_some() => known,
                        Type::Float(_) => Some(self.telling.float(values, index)),
                        Type::Bits(width) => Some(self.integer(grid, scalars, index, *width)),
                        Type::Bool | Type::Pointer(_) => None,
                    }
                }
                ParameterKind::Pointer(array) | ParameterKind::Aggregate(array) => {
                    contents::words(&self.kernel.arrays[*array], contents, &self.telling)
                }
                ParameterKind::Opaque => None,
            };
            arguments.extend(value.map(|value| Given { name: parameter.name.clone(), value }));
        }
        Some(prepare(self.kernel, grid, &arguments, &self.options.arguments).ok()?.input)
    }

    /// A parameter's value.
    fn integer(&self, grid: &Grid, scalars: Scalars, index: usize, width: u32) -> String {
        let index = u64::try_from(index).expect("counted");
        let number = match scalars {
            Scalars::Threads | Scalars::Satisfying => grid.group_threads().saturating_mul(grid.groups()),
            Scalars::All(number) => number,
            Scalars::Apart { first, step } => first.wrapping_add(index.wrapping_mul(step)),
            Scalars::Telling => return self.telling.integer_of(memory::scrambled(index), width),
        };
        // The value is not negative as a signed number.
        let mask = u64::MAX >> (64 - width.clamp(2, 64) + 1);
        (number & mask).to_string()
    }
}

/// Whether the run strays at an event from the scope of the proof. Invented values are inputs like
/// others.
fn goes_astray(event: &Event) -> bool {
    match event.what {
        Wrong::OutOfBounds { .. }
        | Wrong::OutsideImage { .. }
        | Wrong::Misaligned { .. }
        | Wrong::ConstantWritten(_)
        | Wrong::Assumption
        | Wrong::Refused(_)
        | Wrong::Undefined(_)
        | Wrong::Unreachable => true,
        Wrong::NotModelled
        | Wrong::Unknown(_)
        | Wrong::AnyValue(_)
        | Wrong::Assertion
        | Wrong::Divergence { .. }
        | Wrong::Differs(_)
        | Wrong::NotWaitedFor
        | Wrong::NobodyWaits { .. }
        | Wrong::Phase(_)
        | Wrong::NoSuchBarrier { .. }
        | Wrong::InactiveSource
        | Wrong::NotInMask
        | Wrong::GoesRound
        | Wrong::Trap
        | Wrong::Unwritten { .. }
        | Wrong::Race(_) => false,
    }
}
