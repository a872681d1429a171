//! The possible behaviours of a tiny launch, found by running all its inputs and all orders of its
//! atomic operations.
//!
//! Inputs are the parameter, the second parameter, initial contents of arrays, and the results of
//! functions without a body ([`super::choices`]). Only the lowest bit of the cells that the program
//! may read before it writes them is an input; all other initial contents are masked away. The
//! results of functions, too, are reduced to one bit. If no result of an atomic operation is used,
//! one order of the threads is enough:
//!
//! *Argument.* Take an input, a run of it without an event, and any other run of the same input.
//! The actions of threads between two barriers depend on the values that they read. Let r be the
//! first read of the other run whose value differs from that of the same read in the first run.
//! Another thread has written this value since a barrier (or r itself is ordered in both runs
//! alike). Everything that happened before r in the other run is in the first run, too. So the two
//! accesses race there, and the detector reports races whatever the order of the accesses was. This
//! contradicts the first run, which has no event. So there is no such read, and the two runs have
//! the same accesses and the same barriers.
//!
//! Lanes of a warp that wait for each other do not change this. *Argument.* A lane that waits with
//! a mask continues when each lane of the mask waits at the same place with the same mask, or has
//! returned. Neither ends before the others have continued. So a lane's partners, and the value
//! that it receives, depend on the actions of these lanes, not on their times. The same holds for a
//! group's copy: all threads start it and wait for it together, and the detector treats it as a
//! thread of its own. A thread's own copy is made when it is started, and is compared like another
//! thread until its thread has waited for it: so a run without an event has one outcome. Runs try
//! one way to part each copy that threads share. The findings are true, and a proof that misses one
//! of them is detected.
//!
//! The argument does not hold if lanes do not say whom they wait for: then the findings are true,
//! but may not be complete. The same applies if a second parameter is not masked, and to counters
//! that the host has set: only few of all values are tried. It also applies where copies of threads
//! may write equal values: the values may differ in bits that no input tries.
//!
//! A run does not count if an event happens in it that the verifier assumes not to happen, by its
//! line or array: signed overflow, or an access before or far behind an array. Other findings in
//! such a run may be reported, but need not be. A run may draw two numbers from a counter that are
//! closer to each other than its step. Findings of such runs are kept apart: "counters do not wrap
//! around" is an assumption of reports. The assumption excuses nothing if no input avoids it.
//!
//! With named barriers, an order in which warps come to them may differ from that of the run: so
//! all such orders are tried for the operations of each run ([`super::meetings`]). If a run goes
//! wrong at a named barrier, others may get farther, and all findings count as true.
//!
//! Threads that signal each other through memory ([`Vocabulary::Signals`]) may wait in loops, which
//! have no end of orders. So such a launch is run under many schedules ([`schedules`]), of which
//! some run one thread after the other and others let threads alternate. A thread that waits for
//! ever ends its run, which is no error. Arrays of signals start with zeros in these runs. If
//! nothing goes wrong, others follow in which they start with other values: errors of these are
//! kept apart. A kernel for open sizes is also run in other small sizes ([`truth_of_sizes`]).
//!
//! If results are used, all orders of atomic operations are tried, except those that differ from
//! others in nothing that any thread sees (sleep sets: Godefroid, "Partial-order methods for the
//! verification of concurrent systems", 1996, chapter 5). Two neighbours in an order may be swapped
//! if they are about different places.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use lockstep::deadline::Deadline;
use lockstep::interpreter::memory::{Fill, Region};
use lockstep::interpreter::{self, Code, Event, Grid, How, Input, Next, Races, Ran, Schedule, Workers, Wrong};
use lockstep_ir::kernel::{Space, VerifiedKernel, WarpOp};

use super::choices;
use super::meetings::{self, Meetings};
use super::program::{Counter, Program, Statement};
use super::schedules::{self, Order};
use super::vocabulary::Vocabulary;

/// The most runs for one program.
const MOST_RUNS: u64 = 10_000;

/// The most steps of one run.
const MOST_STEPS: u64 = 100_000;

/// The most steps of one run of threads that may wait for each other in loops.
const MOST_STEPS_OF_SIGNALS: u64 = 6_000;

/// The sizes of groups and of launches in which kernels for open sizes are run, too.
const OTHER_SIZES: [(u32, u32); 6] = [(1, 2), (2, 1), (2, 2), (3, 1), (1, 3), (2, 3)];

/// The number of cells that start with these values.
const MOST_SIGNALS: usize = 32;

/// The values with which arrays of signals start in further runs.
const OTHER_STARTS: [u8; 3] = [1, 2, 200];

/// The number of tried values of the parameter: all that its mask allows.
const PARAMETERS: u64 = 4;

/// The tried values of a second parameter that is not masked.
///
/// Products and sums with few small numbers change their behaviour near these values.
const WIDTHS: [u32; 16] = [
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    8,
    u32::MAX / 3 + 1,
    (1 << 30) + 1,
    1 << 30,
    1 << 31,
    (1 << 31) + 1,
    u32::MAX - 2,
    u32::MAX - 1,
    u32::MAX,
];

/// The bytes of a global array.
///
/// A run that leaves it does not count: the memory used depends on the farthest access.
const BYTES: u64 = 1 << 22;

/// The place of a divergence, whichever operation of several threads it is about.
pub const DIVERGENCE: &str = "divergence";

/// A named barrier that is used wrongly.
pub const NAMED_BARRIER: &str = "named-barrier";

/// Operations on a named barrier that meet others in another order of the warps.
pub const UNSETTLED: &str = "meetings that depend on the order";

/// The events after which nothing is known.
const AFTER_WHICH_ANYTHING_MAY_BE: [&str; 4] = ["race", "lane-not-in-mask", "operands-differ", UNSETTLED];

/// The possible errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// The kinds of findings in runs without a counter that wraps around, as reports name them.
    pub kinds: BTreeSet<&'static str>,
    /// The same for runs in which two numbers drawn from a counter are closer than its step, as it
    /// has wrapped around.
    pub kinds_of_wrapped: BTreeSet<&'static str>,
    /// Kinds that may be reported but need not be.
    ///
    /// Nothing is promised of their consequences, or the same run has undefined behaviour.
    pub minor: BTreeSet<&'static str>,
    /// The same for runs in which arrays of signals start with other values than zeros.
    pub kinds_of_starts: BTreeSet<&'static str>,
    /// An input under which something goes wrong, if there is one.
    pub input: Option<u64>,
    /// Whether all inputs and orders were tried, or a race was found, after which the rest is
    /// skipped.
    pub is_complete: bool,
    /// The number of runs.
    pub runs: u64,
    /// The number of runs that ended without undefined behaviour and without a counter that wrapped
    /// around.
    ///
    /// Undefined behaviour is assumed away.
    pub without_wrapping: u64,
}

impl Truth {
    /// Whether nothing goes wrong.
    pub fn is_clean(&self) -> bool {
        self.kinds.is_empty() && self.kinds_of_wrapped.is_empty()
    }

    /// Adds the errors of the same kernel in another launch.
    fn join(&mut self, other: Self) {
        self.kinds.extend(other.kinds);
        self.kinds_of_wrapped.extend(other.kinds_of_wrapped);
        self.kinds_of_starts.extend(other.kinds_of_starts);
        self.minor.extend(other.minor);
        self.input = self.input.or(other.input);
        self.is_complete &= other.is_complete;
        self.runs += other.runs;
        self.without_wrapping += other.without_wrapping;
    }

    /// Whether this may be the truth of the same program built in another way, whose threads make
    /// other steps, and come to named barriers in another order.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let depends = |truth: &Self| truth.kinds.contains(UNSETTLED) || truth.minor.contains(UNSETTLED);
        self.kinds == other.kinds || (depends(self) && depends(other))
    }

    /// Whether a finding of this kind is true.
    pub fn has(&self, kind: &str) -> bool {
        let family = family(kind);
        let all = || self.kinds.iter().chain(&self.kinds_of_wrapped).chain(&self.kinds_of_starts).chain(&self.minor);
        // A thread missing where a library's threads work together is reported as its model's
        // resulting error.
        let is_missing = |known: &str| kind == "inactive-source" && known == DIVERGENCE;
        // A wait for ever may be one at a named barrier and one elsewhere at once.
        let is_waiting = |known: &str| [kind, known].contains(&NAMED_BARRIER) && [family, known].contains(&DIVERGENCE);
        all().any(|known| {
            *known == family || AFTER_WHICH_ANYTHING_MAY_BE.contains(known) || is_missing(known) || is_waiting(known)
        })
    }
}

/// Runs a program of this kernel on all inputs.
pub fn truth(program: &Program, kernel: &VerifiedKernel, tolerant: bool) -> Truth {
    let chosen = meetings::with_log(program, &choices::with_choices(program, kernel));
    let enumeration = Enumeration {
        program,
        kernel: &chosen,
        code: lockstep::replay::code(&chosen),
        grid: grid(program),
        tolerant,
        ordered: uses_results(program),
        meetings: RefCell::new(Meetings::default()),
    };
    // Whole cells are copied, and only their lowest bit is an input. So copies may write different
    // values although they are equal in all runs.
    let compares_copies = tolerant && program.has(Vocabulary::OwnCopies);
    let mut truth = Truth { is_complete: is_exact(program) && !compares_copies, ..Truth::default() };
    for input in 0..inputs(program) {
        enumeration.run(input, &mut truth);
        if truth.kinds.contains("race") {
            truth.is_complete = true;
            break;
        }
        if truth.runs > MOST_RUNS {
            truth.is_complete = false;
            break;
        }
    }
    truth
}

/// Runs a program of this kernel in its own launch and in others, until something goes wrong.
pub fn truth_of_sizes(program: &Program, kernel: &VerifiedKernel, tolerant: bool) -> Truth {
    let mut found = truth(program, kernel, tolerant);
    for (group, groups) in OTHER_SIZES {
        if !found.is_clean() {
            break;
        }
        let other = Program { local_size: [group, 1], num_groups: [groups, 1], ..program.clone() };
        found.join(truth(&other, kernel, tolerant));
    }
    found
}

/// The number of inputs.
pub fn inputs(program: &Program) -> u64 {
    let cells: u32 = program.arrays.iter().filter(|array| !array.is_local).map(|array| array.cells).sum();
    let starts = program.arrays.iter().filter_map(|array| array.counter).map(|counter| starts(counter).len());
    let starts: u64 = starts.map(|count| u64::try_from(count).expect("few")).product();
    let choices = program.threads() * program.calls;
    (PARAMETERS * widths(program) * starts) << (cells + choices)
}

fn widths(program: &Program) -> u64 {
    let Some(width) = program.width else { return 1 };
    width.mask.map_or(u64::try_from(WIDTHS.len()).expect("few"), |mask| u64::from(mask) + 1)
}

/// The tried start values of a counter.
fn starts(counter: Counter) -> Vec<u64> {
    let end = 1_u64 << counter.bits;
    match counter.start {
        Some(_) => vec![0],
        None => vec![0, end - 1 - u64::from(counter.step) % end],
    }
}

/// Whether the tried inputs are all inputs, and the outcome depends only on the threads' actions.
fn is_exact(program: &Program) -> bool {
    let mut is_exact = program.width.is_none_or(|width| width.mask.is_some());
    is_exact &= program.arrays.iter().all(|array| array.counter.is_none_or(|counter| counter.start.is_some()));
    // The lanes that reach an exchange without a mask depend on timing.
    program.for_each(&mut |statement| {
        is_exact &= !matches!(
            statement,
            Statement::Exchange { mask: None, .. } | Statement::Exchange { op: WarpOp::ActiveMask, .. }
        );
    });
    is_exact
}

fn uses_results(program: &Program) -> bool {
    let mut uses = false;
    program.for_each(&mut |statement| {
        uses |= matches!(statement, Statement::Atomic { to: Some(_), .. } | Statement::Draw { .. });
    });
    uses
}

fn grid(program: &Program) -> Grid {
    let extent = |[x, y]: [u32; 2]| [x, y, 1];
    Grid {
        local_size: extent(program.local_size),
        num_groups: extent(program.num_groups),
        global_offset: [0; 3],
        dimensions: 2,
        warp_size: program.warp_size,
    }
}

struct Enumeration<'a> {
    program: &'a Program,
    kernel: &'a VerifiedKernel,
    code: Code,
    grid: Grid,
    tolerant: bool,
    ordered: bool,
    meetings: RefCell<Meetings>,
}

/// The number of draws from each place of a counter: its group if it is local, its array, its
/// offset.
type Drawn = BTreeMap<(Option<[u32; 3]>, String, u64), u64>;

impl Enumeration<'_> {
    /// The input of this number, in which arrays of signals start with a value.
    fn input(&self, number: u64, start: u8) -> Input {
        let mut rest = number;
        let mut draw = |below: u64| {
            let drawn = rest % below;
            rest /= below;
            drawn
        };
        let mut values = vec![draw(PARAMETERS)];
        if let Some(width) = self.program.width {
            let drawn = draw(widths(self.program));
            values.push(match width.mask {
                Some(_) => drawn,
                None => WIDTHS[usize::try_from(drawn).expect("few")].into(),
            });
        }
        let contents: Vec<Vec<u8>> = self
            .program
            .arrays
            .iter()
            .map(|array| match array.counter {
                Some(counter) => {
                    let starts = starts(counter);
                    let start = starts[usize::try_from(draw(u64::try_from(starts.len()).expect("few"))).expect("few")];
                    (0..4).flat_map(|_| u32::try_from(start).expect("a word").to_le_bytes()).collect()
                }
                None if array.signals => [start, 0, 0, 0].repeat(MOST_SIGNALS),
                None => (0..if array.is_local { 0 } else { array.cells })
                    .flat_map(|_| u32::try_from(draw(2)).expect("a bit").to_le_bytes())
                    .collect(),
            })
            .collect();
        if self.program.calls > 0 {
            values.push(rest);
        }
        let mut regions = Vec::new();
        let mut local_bytes = Vec::new();
        for data in self.kernel.arrays.values() {
            let is_local = data.space == Space::Local;
            // A compiler may have removed arrays.
            let array = self.array(&data.name);
            let bytes = array.map(|array| contents[array].clone()).unwrap_or_default();
            regions.push(Region::new(if is_local { 0 } else { BYTES }, Fill::Bytes(bytes)));
            local_bytes.push(if is_local { data.size.unwrap_or(0) } else { 0 });
        }
        let pointers = self.program.arrays.iter().filter(|array| !array.is_local).count();
        let first = u32::try_from(pointers).expect("few");
        let values = (first..).zip(values).map(|(parameter, value)| (parameter, vec![value])).collect();
        Input { regions, local_bytes, private: Vec::new(), values }
    }

    /// The array of the program that has this name.
    fn array(&self, name: &str) -> Option<usize> {
        (0..self.program.arrays.len()).find(|&array| name == self.program.name(array).to_string())
    }

    fn how(&self, schedule: Schedule) -> How {
        How {
            most_steps: if self.program.has(Vocabulary::Signals) { MOST_STEPS_OF_SIGNALS } else { MOST_STEPS },
            schedule,
            warps_in_lock_step: false,
            lanes_apart: false,
            returned_arrive: false,
            races: Some(Races { tolerant: self.tolerant, within_groups: false, between: None }),
            groups: None,
            workers: Workers::ONE,
            deadline: Deadline::NEVER,
        }
    }

    fn run(&self, number: u64, truth: &mut Truth) {
        if self.program.has(Vocabulary::Signals) {
            return self.many_schedules(number, truth);
        }
        if self.ordered {
            return self.all_orders(number, truth);
        }
        // The detector keeps the later one of a thread's two writes, so that tolerance depends on
        // the order. Several orders are run for threads that wait for others, as only an argument
        // shows that one suffices.
        let all = [Schedule::InOrder, Schedule::RoundRobin(1), Schedule::Random(number)];
        let waits_for_others = [Vocabulary::Warps, Vocabulary::NamedBarriers];
        let waits = waits_for_others.iter().any(|&vocabulary| self.program.has(vocabulary)) || self.program.copies();
        for schedule in &all[..if self.tolerant || waits { 3 } else { 1 }] {
            let ran = interpreter::run(&self.code, &self.grid, self.input(number, 0), self.how(*schedule));
            self.add(number, ran.expect("a small launch"), (false, false), truth);
        }
    }

    /// Runs threads that may wait for each other in loops.
    fn many_schedules(&self, number: u64, truth: &mut Truth) {
        for order in schedules::of(&self.grid, number) {
            let ran = self.run_in(&order, self.input(number, 0));
            self.add(number, Ran { broken_off: false, ..ran }, (false, false), truth);
            if truth.kinds.contains("race") {
                return;
            }
        }
        let orders = || schedules::few(&self.grid, number);
        for (start, order) in OTHER_STARTS.into_iter().flat_map(|start| orders().map(move |order| (start, order))) {
            let mut other = Truth::default();
            let ran = self.run_in(&order, self.input(number, start));
            self.add(number, Ran { broken_off: false, ..ran }, (false, false), &mut other);
            truth.runs += 1;
            truth.kinds_of_starts.extend(other.kinds);
            truth.minor.extend(other.minor);
        }
    }

    fn run_in(&self, order: &Order, input: Input) -> Ran {
        let (schedule, turns) = match order {
            Order::Of(schedule) => (*schedule, None),
            Order::Turns(turns) => (Schedule::InOrder, Some(turns.as_slice())),
        };
        let ran = interpreter::run_by_turns((&self.code, &self.grid), input, self.how(schedule), turns, false);
        ran.expect("a small launch").0
    }

    /// Tries every order of the atomic operations, except those that differ from another one in
    /// nothing.
    fn all_orders(&self, number: u64, truth: &mut Truth) {
        let mut path: Vec<Choice> = Vec::new();
        loop {
            let mut depth = 0;
            let mut is_pruned = false;
            let (mut drawn, mut has_wrapped) = (Drawn::new(), false);
            let choose = |next: &[Next]| {
                if depth == path.len() {
                    let asleep = path.last().map(Choice::asleep_behind).unwrap_or_default();
                    path.push(Choice::new(next, asleep));
                }
                let chosen = path[depth].chosen;
                depth += 1;
                is_pruned |= chosen.is_none();
                if let Some(chosen) = chosen {
                    has_wrapped |= self.wraps(&next[chosen], &mut drawn);
                }
                chosen
            };
            let how = self.how(Schedule::InOrder);
            let ran = interpreter::run_chosen(&self.code, &self.grid, self.input(number, 0), how, choose);
            let ran = ran.expect("a small launch");
            let ran = Ran { broken_off: ran.broken_off && !is_pruned, ..ran };
            self.add(number, ran, (has_wrapped, is_pruned), truth);
            while path.last_mut().is_some_and(|choice| !choice.advance()) {
                path.pop();
            }
            if path.is_empty() || truth.kinds.contains("race") || truth.runs > MOST_RUNS {
                return;
            }
        }
    }

    /// Whether a drawn number is closer to one drawn before than the counter's step.
    ///
    /// The distance is taken modulo the counter's range, whatever its start value.
    fn wraps(&self, next: &Next, drawn: &mut Drawn) -> bool {
        let Some(array) = next.array else { return false };
        let data = &self.kernel.arrays[array];
        let counter = self.array(&data.name).and_then(|array| self.program.arrays[array].counter);
        let Some(counter) = counter else { return false };
        let group = (data.space == Space::Local).then_some(next.group);
        let before = drawn.entry((group, data.name.clone(), next.offset)).or_default();
        let end = 1_u64 << counter.bits;
        let step = u64::from(counter.step) % end;
        let least = step.min(end - step);
        let is_close = |draws: u64| {
            let distance = draws * step % end;
            distance.min(end - distance) < least
        };
        let wraps = (1..=*before).any(is_close);
        *before += 1;
        wraps
    }

    fn add(&self, number: u64, ran: Ran, (has_wrapped, is_pruned): (bool, bool), truth: &mut Truth) {
        truth.runs += 1;
        truth.is_complete &= !ran.broken_off && ran.watched.as_ref().is_some_and(|watched| watched.unsure.is_empty());
        if ran.events.iter().any(|event| self.is_undefined(event.what)) {
            truth.is_complete &= !ran.events.iter().any(|event| matches!(event.what, Wrong::OutOfBounds { .. }));
            // Other errors of the run may be reported all the same.
            truth.minor.extend(ran.events.iter().map(|event| kind(event.what).0));
            return;
        }
        truth.without_wrapping += u64::from(!has_wrapped && !is_pruned);
        if !is_pruned && !ran.broken_off && ran.events.iter().all(|event| kind(event.what).1) {
            let found = self.meetings.borrow_mut().of_run(self.program, &ran);
            truth.is_complete &= found.is_complete;
            truth.input = truth.input.or((!found.kinds.is_empty()).then_some(number));
            if has_wrapped { &mut truth.kinds_of_wrapped } else { &mut truth.kinds }.extend(found.kinds);
        }
        for Event { what, .. } in ran.events {
            let (kind, is_minor) = kind(what);
            if is_minor {
                truth.minor.insert(kind);
                truth.is_complete &= !matches!(what, Wrong::Unwritten { .. });
                continue;
            }
            if has_wrapped { &mut truth.kinds_of_wrapped } else { &mut truth.kinds }.insert(kind);
            // Warps that come to the barriers in another order may get farther.
            if self.program.has(Vocabulary::NamedBarriers) && [DIVERGENCE, NAMED_BARRIER].contains(&kind) {
                truth.minor.insert(UNSETTLED);
            }
            truth.input = truth.input.or(Some(number));
        }
    }

    /// Whether a run with this event does not count, because its line or array is assumed free of
    /// it.
    fn is_undefined(&self, what: Wrong) -> bool {
        match what {
            Wrong::Undefined(_) => true,
            Wrong::OutOfBounds { array: Some(array), .. } => self.kernel.arrays[array].size.is_none(),
            _ => false,
        }
    }
}

/// A place in the tree of orders.
struct Choice {
    next: Vec<Next>,
    /// The threads whose operation need not be the next one here: its consequences have been seen.
    asleep: BTreeSet<usize>,
    /// The thread whose operation is executed; `None` if no thread's would show anything new.
    chosen: Option<usize>,
}

impl Choice {
    fn new(next: &[Next], asleep: Vec<Next>) -> Self {
        let is_same = |a: &Next, b: &Next| (a.group, a.thread) == (b.group, b.thread);
        let position = |sleeper: &Next| next.iter().position(|other| is_same(sleeper, other));
        let asleep = asleep.iter().filter_map(position).collect();
        let mut choice = Self { next: next.to_vec(), asleep, chosen: None };
        choice.chosen = choice.awake();
        choice
    }

    fn awake(&self) -> Option<usize> {
        (0..self.next.len()).find(|index| !self.asleep.contains(index))
    }

    /// The sleepers of the place after this choice.
    fn asleep_behind(&self) -> Vec<Next> {
        let Some(chosen) = self.chosen else { return Vec::new() };
        let stays = |index: &&usize| **index != chosen && are_independent(&self.next[**index], &self.next[chosen]);
        self.asleep.iter().filter(stays).map(|&index| self.next[index]).collect()
    }

    /// Advances to another choice here, and returns whether there is one.
    fn advance(&mut self) -> bool {
        self.asleep.extend(self.chosen);
        self.chosen = self.chosen.and_then(|_| self.awake());
        self.chosen.is_some()
    }
}

/// Whether two operations may be swapped.
///
/// Groups have their own local memory; treating it as shared does no harm.
fn are_independent(a: &Next, b: &Next) -> bool {
    (a.array, a.offset / 4) != (b.array, b.offset / 4)
}

/// The kind of finding of an event, and whether it may go unnoticed.
fn kind(what: Wrong) -> (&'static str, bool) {
    match what {
        Wrong::Race(_) => ("race", false),
        Wrong::Divergence { .. } => (DIVERGENCE, false),
        Wrong::Differs(_) => ("operands-differ", false),
        Wrong::OutOfBounds { .. } => ("out-of-bounds", false),
        Wrong::NotInMask => ("lane-not-in-mask", false),
        Wrong::InactiveSource => ("inactive-source", false),
        Wrong::NoSuchBarrier { .. } | Wrong::NobodyWaits { .. } => (NAMED_BARRIER, false),
        // Nothing is promised of the value that is read there.
        Wrong::Unwritten { .. } => ("uninitialised-read", true),
        // The event is not a race by itself.
        // A launch that does not end has no race because of that.
        Wrong::GoesRound => ("endless-loop", true),
        Wrong::NotWaitedFor => ("not waited for", true),
        _ => ("something else", false),
    }
}

/// The name of a kind of finding in these tests.
fn family(kind: &str) -> &str {
    match kind {
        "barrier-divergence" | "warp-divergence" | "group-operation-divergence" => DIVERGENCE,
        "endless-wait" => "endless-loop",
        other => other,
    }
}
