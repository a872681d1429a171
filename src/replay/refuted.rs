//! Whether runs refute what a proof rests on.
//!
//! A proof is about two threads, and so is the check that its preconditions have a model. What it assumes of the launch as a whole, or of
//! arithmetic that all inputs lead to, may be false in every run all the same: then it says nothing, and `verified` would be wrong though
//! each assumption is listed. So after a proof the kernel is run, and what the run does is compared with the list.
//!
//! # What counts
//!
//! One run that breaks an assumption refutes nothing: its inputs are chosen here, and the assumption may be what keeps a caller from
//! choosing them (`n` is not 0 where the kernel divides by it). So there are several runs, with other sizes where these are open, other parameters
//! and other contents. **As soon as one keeps all assumptions the verdict stands**: they can hold together in this launch.
//! The verdict is withdrawn if some runs break an assumption and none keeps them all. It becomes `unknown`, which is no claim, so
//! whatever is wrong here costs precision and never soundness.
//!
//! A run says nothing, for or against, where it is none that the proof is about, or where it is not the kernel's own: a condition that the source or the command
//! line states of arguments does not hold, an access leaves an array (which had a size of our choice), a value was made up. Where
//! all runs say nothing the verdict stands.
//!
//! A run that is broken off has done what it did: what it broke is broken. So it may be short ([`STEPS`], and longer only if it broke nothing so
//! far), and of a large launch some groups are enough, since other groups may come later in a real run, too; not where numbers are drawn
//! from a counter, which all threads do together.
//!
//! # What is compared
//!
//! Signed overflow, division by zero and of the least number by -1, distances of shifts, operands of 24 bits, what is never reached, how many
//! numbers are drawn from a counter, threads that wait for ever, that arrays have at most 2^56 bytes, conditions of the source about nothing but ids,
//! sizes and constants, and what `--no-check` leaves unchecked: bounds of arrays of known size, writes of
//! constant memory, masks; each in a line that the report lists. Not compared, as a run has no say in it: that arrays do
//! not overlap, start aligned and have the sizes that they have (the run lays them out); what the host does meanwhile; sizes, which are the run's; functions
//! without a body and images (made up); pointers out of memory; whether a leading zero of 0 is counted (the run counts 32); equal values.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::{Array, AssumeKind, Operation, ParameterKind, Type, Value};
use num_bigint::BigUint;

use super::contents::{self, Contents, Values};
use super::{BYTES, Replay};
use crate::analysis::counters::{Apart, counters};
use crate::analysis::pointers::points_to;
use crate::analysis::structure::Structure;
use crate::checks::Check;
use crate::frontend::assumed::{DISTANCE, DIVISION, FACTORS_OF_MAD24, OPERANDS_OF_MUL24};
use crate::interpreter::arguments::{Given, prepare};
use crate::interpreter::{self, Drawn, Event, Grid, How, Input, Schedule, Undefined, Workers, Wrong, memory};
use crate::launch::{Extent, Launch};
use crate::lockstep::{
    FEW_DRAWS, LARGEST, NO_OVERFLOW, NOT_REACHED, SOURCE_ASSUMPTION, TERMINATION, few_draws, largest_array, not_reached,
};

/// The most steps of one run: some milliseconds.
const STEPS: u64 = 1 << 18;

/// The most steps of a second run, where the first was broken off: without counters that numbers are drawn from, and with such.
const STEPS_OF_LONG: [u64; 2] = [1 << 20, 1 << 24];

/// The most groups that all run.
const GROUPS: u64 = 64;

/// The most groups that all run where numbers are drawn from a counter: a list is kept of them.
const MOST_GROUPS: u64 = 1 << 20;

/// Threads of a group whose size is open, in its first dimension and in others.
const OPEN: [u32; 3] = [32, 4, 1];

/// Assumptions about operands of 24 bits.
const OF_24_BITS: [&str; 2] = [OPERANDS_OF_MUL24, FACTORS_OF_MAD24];

/// The inputs that are tried: the first one that keeps all assumptions ends it.
const TRIED: [(Scalars, Values); 7] = [
    (Scalars::Threads, Values::Zeros),
    (Scalars::All(1), Values::Count),
    (Scalars::All(0), Values::Ones),
    (Scalars::Apart { first: 16, step: 16 }, Values::Ones),
    (Scalars::Apart { first: 1000, step: 7 }, Values::Random(0)),
    (Scalars::Apart { first: 5, step: 0x0fff_fff1 }, Values::Random(1)),
    (Scalars::Telling, Values::Among(0)),
];

/// What integers that are passed by value are.
#[derive(Clone, Copy)]
enum Scalars {
    /// The threads of the launch.
    Threads,
    /// This.
    All(u64),
    /// Each another number.
    Apart { first: u64, step: u64 },
    /// Numbers that the kernel compares with.
    Telling,
}

/// An assumption that no run keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// The assumption, as it is listed.
    pub assumption: String,
    /// What a run does instead.
    pub instead: String,
    /// How many runs there were.
    pub runs: usize,
}

impl Refuted {
    /// Why the kernel is not verified.
    pub fn reason(&self) -> String {
        let runs = match self.runs {
            1 => "the run that was tried breaks".to_owned(),
            runs => format!("each of {runs} runs that were tried breaks"),
        };
        format!(
            "nothing would be proved: {runs} an assumption that the proof rests on\nassumed: {}\na run: {}",
            self.assumption, self.instead
        )
    }
}

/// Whether a run could break any of these assumptions.
pub fn is_refutable(assumptions: &[String]) -> bool {
    let unchecked = UNCHECKED.into_iter().filter_map(Check::assumed_instead);
    let largest = largest_array();
    let heads = [NO_OVERFLOW, DIVISION, DISTANCE, TERMINATION, FEW_DRAWS, SOURCE_ASSUMPTION];
    let heads: Vec<&str> = heads.into_iter().chain(OF_24_BITS).chain(unchecked).collect();
    assumptions.iter().any(|listed| {
        heads.iter().any(|head| listed.starts_with(head)) || listed.ends_with(NOT_REACHED) || *listed == largest
    })
}

/// What came of one run.
enum Outcome {
    /// It says nothing.
    Nothing,
    /// It keeps all assumptions.
    Keeps,
    /// It breaks this one.
    Breaks(String, String),
}

impl Replay<'_> {
    /// The assumption that no run of this launch keeps, if none does.
    pub fn refuted(&self, launch: &Launch, assumptions: &[String]) -> Option<Refuted> {
        let limits = self.limits(launch, assumptions);
        let mut first: Option<Refuted> = None;
        for (index, &(scalars, contents)) in TRIED.iter().enumerate() {
            let Some(grid) = self.grid_for(launch, index) else { continue };
            let Some(input) = self.arbitrary(&grid, scalars, contents) else { continue };
            match self.try_run(&grid, input, assumptions, &limits) {
                Outcome::Nothing => {}
                Outcome::Keeps => return None,
                Outcome::Breaks(assumption, instead) => {
                    let first = first.get_or_insert(Refuted { assumption, instead, runs: 0 });
                    first.runs += 1;
                }
            }
        }
        first
    }

    /// How many numbers are assumed to be drawn from counters at most, and how that is listed.
    fn limits(&self, launch: &Launch, assumptions: &[String]) -> BTreeMap<Array, (BigUint, String)> {
        if !assumptions.iter().any(|listed| listed.starts_with(FEW_DRAWS)) {
            return BTreeMap::new();
        }
        let Ok((kernel, structure)) = Structure::of(self.kernel) else { return BTreeMap::new() };
        let limit = |(array, counter): (Array, crate::analysis::counters::Counter)| {
            let data = &kernel.arrays[array];
            let Apart::IfAtMost(limit) = counter.tells_apart(&kernel, &structure, data.space, launch) else {
                return None;
            };
            let listed = few_draws(&data.name, counter.is_set, &limit);
            assumptions.contains(&listed).then_some((array, (limit, listed)))
        };
        counters(&kernel, &structure, &points_to(&kernel)).into_iter().filter_map(limit).collect()
    }

    /// What a run comes to, a longer one if it is broken off before it breaks anything.
    fn try_run(
        &self,
        grid: &Grid,
        input: Input,
        assumptions: &[String],
        limits: &BTreeMap<Array, (BigUint, String)>,
    ) -> Outcome {
        let (outcome, is_settled) = self.run_within(STEPS, grid, input.clone(), assumptions, limits);
        if is_settled {
            return outcome;
        }
        // How much is drawn all the threads of the launch decide together.
        let most = STEPS_OF_LONG[usize::from(!limits.is_empty())];
        self.run_within(most, grid, input, assumptions, limits).0
    }

    /// What a run of so many steps at most comes to, and whether a longer one can come to nothing else.
    fn run_within(
        &self,
        most_steps: u64,
        grid: &Grid,
        input: Input,
        assumptions: &[String],
        limits: &BTreeMap<Array, (BigUint, String)>,
    ) -> (Outcome, bool) {
        if interpreter::bytes_at_once(&self.code, grid, &input) > BYTES / 16 {
            return (Outcome::Nothing, true);
        }
        let groups = grid.groups();
        let is_large = groups > if limits.is_empty() { GROUPS } else { MOST_GROUPS };
        let how = How {
            most_steps,
            schedule: Schedule::InOrder,
            warps_in_lock_step: self.options.warps_in_lock_step,
            lanes_apart: false,
            returned_arrive: self.options.exited_threads_arrive,
            races: None,
            groups: is_large.then(|| (0..GROUPS).chain([groups - 1]).collect()),
            workers: Workers::ONE,
            deadline: self.options.deadline,
        };
        let (ran, drawn) = interpreter::run_counting(&self.code, grid, input, how);
        if ran.is_late {
            return (Outcome::Nothing, true);
        }
        // A value that was made up is possible, so what this run draws counts like that of any other run.
        let mut made_up = false;
        for event in &ran.events {
            if let Some(assumption) = self.broken_by(event, assumptions) {
                return (Outcome::Breaks(assumption, self.told(event)), true);
            }
            if event.is_made_up() {
                made_up = true;
                break;
            }
            if says_nothing(event) {
                return (Outcome::Nothing, true);
            }
        }
        let outcome = match limits.iter().find(|(array, (limit, _))| BigUint::from(drawn.most(**array)) > *limit) {
            Some((&array, (_, listed))) => Outcome::Breaks(listed.clone(), self.told_of_draws(&drawn, array)),
            None if made_up => Outcome::Nothing,
            None => Outcome::Keeps,
        };
        let is_settled = !ran.broken_off || matches!(outcome, Outcome::Breaks(..));
        (outcome, is_settled)
    }

    /// The listed assumption that an event breaks.
    fn broken_by(&self, event: &Event, assumptions: &[String]) -> Option<String> {
        let line = self.line(event);
        let with_lines = |head: &str| {
            let mut listed = assumptions.iter().filter(|listed| listed.starts_with(head));
            listed.find(|listed| lines(listed).any(|number| number == line)).cloned()
        };
        let exactly = |text: &str| assumptions.iter().find(|listed| *listed == text).cloned();
        let unchecked = |check: Check| check.assumed_instead().and_then(exactly);
        match event.what {
            Wrong::Undefined(what) | Wrong::AnyValue(what) => match what.why {
                Undefined::SignedOverflow if !what.op.is_division() => with_lines(NO_OVERFLOW),
                Undefined::SignedOverflow | Undefined::DivisionByZero => with_lines(DIVISION),
                Undefined::Distance => with_lines(DISTANCE),
                Undefined::UnsignedOverflow => None,
            },
            Wrong::Assumption => OF_24_BITS.into_iter().find_map(with_lines).or_else(|| {
                let listed = format!("{SOURCE_ASSUMPTION}{line}");
                exactly(&listed).filter(|_| self.is_about_the_launch(event))
            }),
            Wrong::OutOfBounds { array: Some(array), offset, .. }
                if self.kernel.arrays[array].size.is_none() && offset.unsigned_abs() >> LARGEST != 0 =>
            {
                exactly(&largest_array())
            }
            Wrong::Unreachable => exactly(&not_reached(line)),
            Wrong::GoesRound => exactly(TERMINATION),
            Wrong::OutOfBounds { array: Some(array), .. } if self.kernel.arrays[array].size.is_some() => {
                unchecked(Check::Bounds)
            }
            Wrong::ConstantWritten(_) => unchecked(Check::Constant),
            Wrong::NotInMask => unchecked(Check::LaneMask),
            _ => None,
        }
    }

    /// Whether what is assumed there depends on nothing but ids, sizes and constants.
    fn is_about_the_launch(&self, event: &Event) -> bool {
        let place = self.code.place(event.at);
        let assumed = self.kernel.instructions.values().filter(|data| data.location == place);
        let conditions = assumed.filter_map(|data| match data.operation {
            Operation::Assume(condition, AssumeKind::User | AssumeKind::Precondition) => Some(condition),
            _ => None,
        });
        let conditions: Vec<Value> = conditions.collect();
        place.is_some() && !conditions.is_empty() && conditions.into_iter().all(|one| self.is_of_the_launch(one))
    }

    fn is_of_the_launch(&self, value: Value) -> bool {
        let (mut pending, mut seen) = (vec![value], BTreeSet::new());
        while let Some(value) = pending.pop() {
            if !seen.insert(value) {
                continue;
            }
            match self.kernel.operation(value) {
                Some(Operation::Constant(_) | Operation::ThreadQuery(_)) => {}
                Some(operation) if operation.is_computation() => {
                    let known = pending.len();
                    operation.for_each_operand(|operand| pending.push(operand));
                    // A parameter, say, which comes from elsewhere.
                    if pending.len() == known {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
    }

    fn line(&self, event: &Event) -> u32 {
        self.code.place(event.at).map_or(0, |location| self.kernel.locations[location].line)
    }

    fn told(&self, event: &Event) -> String {
        let place = self.code.place(event.at).map(|location| &self.kernel.locations[location]);
        let place = place.map(|data| format!(" at {}:{}", self.kernel.files[data.file], data.line)).unwrap_or_default();
        let what = match event.what {
            Wrong::Undefined(what) | Wrong::AnyValue(what) => what.text(),
            Wrong::Assumption => "a thread for which it does not hold".to_owned(),
            Wrong::Unreachable => "a thread comes there".to_owned(),
            Wrong::GoesRound => "a thread waits for ever in a loop".to_owned(),
            Wrong::OutOfBounds { array: Some(array), offset, .. } => {
                format!("an access at byte {offset} of {}", self.kernel.arrays[array].name)
            }
            Wrong::ConstantWritten(array) => format!("a write to {}", self.kernel.arrays[array].name),
            _ => "a lane that its mask does not name".to_owned(),
        };
        format!("{what}{place}")
    }

    fn told_of_draws(&self, drawn: &Drawn, array: Array) -> String {
        format!("{} numbers are drawn from `{}`", drawn.most(array), self.kernel.arrays[array].name)
    }

    /// The launch, with sizes for those that are open: other ones each time.
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

    /// An input of which nothing is known.
    fn arbitrary(&self, grid: &Grid, scalars: Scalars, values: Values) -> Option<Input> {
        let contents = Contents { told: false, integers: values, floats: values };
        let mut arguments = Vec::new();
        let mut fixed = self.options.arguments.iter();
        for (index, parameter) in self.kernel.parameters.iter().enumerate() {
            let value = match &parameter.kind {
                ParameterKind::Scalar(ty) => {
                    let is_fixed = fixed.next().is_some_and(Option::is_some);
                    match ty {
                        _ if is_fixed => None,
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
            Scalars::Threads => grid.group_threads().saturating_mul(grid.groups()),
            Scalars::All(number) => number,
            Scalars::Apart { first, step } => first.wrapping_add(index.wrapping_mul(step)),
            Scalars::Telling => return self.telling.integer_of(memory::scrambled(index), width),
        };
        // As a signed number it is not negative.
        let mask = u64::MAX >> (64 - width.clamp(2, 64) + 1);
        (number & mask).to_string()
    }
}

/// Checks whose absence is an assumption.
const UNCHECKED: [Check; 3] = [Check::Bounds, Check::Constant, Check::LaneMask];

/// The numbers of the lines in a listed assumption.
fn lines(listed: &str) -> impl Iterator<Item = u32> + '_ {
    let numbers = listed.strip_suffix(')').and_then(|listed| listed.rsplit_once(" (line"));
    let numbers = numbers.map_or("", |(_, numbers)| numbers.trim_start_matches('s'));
    numbers.split(',').filter_map(|number| number.trim().parse().ok())
}

/// Whether the run from here on is none that the proof is about, or not the kernel's own.
fn says_nothing(event: &Event) -> bool {
    match event.what {
        Wrong::OutOfBounds { .. }
        | Wrong::OutsideImage { .. }
        | Wrong::Misaligned { .. }
        | Wrong::ConstantWritten(_)
        | Wrong::Assumption
        | Wrong::Refused(_)
        | Wrong::NotModelled
        | Wrong::Unknown(_)
        | Wrong::AnyValue(_)
        | Wrong::Undefined(_)
        | Wrong::Unreachable => true,
        Wrong::Assertion
        | Wrong::Divergence { .. }
        | Wrong::Differs(_)
        | Wrong::NotWaitedFor
        | Wrong::NobodyWaits { .. }
        | Wrong::NoSuchBarrier { .. }
        | Wrong::InactiveSource
        | Wrong::NotInMask
        | Wrong::GoesRound
        | Wrong::Trap
        | Wrong::Unwritten { .. }
        | Wrong::Race(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_from_what_is_listed() {
        let of = |text: &str| lines(text).collect::<Vec<_>>();
        assert_eq!(of("no division by zero (line 7)"), [7]);
        assert_eq!(of("signed arithmetic does not overflow (lines 2, 31, 4)"), [2, 31, 4]);
        assert_eq!(of("every thread terminates"), [0; 0]);
        assert_eq!(of("nothing writes constant memory (--no-check constant)"), [0; 0]);
    }
}
