//! What a tiny launch of a program may do, by trying all of its inputs, and all orders of its atomic operations.
//!
//! Inputs are the parameter and the lowest bit of the cells that the program may read before it writes them; all else that an
//! array holds at first is masked away. Where no result of an atomic operation is used one order of the threads is enough:
//!
//! *Argument.* Take an input, a run of it without an event, and any other run of the same input. What threads do between two barriers
//! depends on what they read. Let r be the first read of the other run that gives something else than the same read of
//! the first run. What it gives was written by another thread since a barrier (or r itself is ordered in both runs alike), and all that
//! happened before r in the other run is in the first run too; so there the two accesses race, and the detector tells races whatever the order
//! of the accesses was. So there is no such read, and the two runs have the same accesses and the same barriers.
//!
//! Where results are used all orders of atomic operations are tried but for those that differ from others in nothing that any
//! thread sees (sleep sets: Godefroid, "Partial-order methods for the verification of concurrent systems", 1996, chapter 5): two neighbours in an order that
//! are about different places may change theirs.

use std::collections::BTreeSet;

use lockstep::deadline::Deadline;
use lockstep::interpreter::memory::{Fill, Region};
use lockstep::interpreter::{self, Code, Event, Grid, How, Input, Next, Races, Ran, Schedule, Workers, Wrong};
use lockstep_ir::kernel::{Space, VerifiedKernel};

use super::program::{Program, Statement};

/// The most runs for one program.
const MOST_RUNS: u64 = 20_000;

/// The most steps of one.
const MOST_STEPS: u64 = 100_000;

/// Bits of the parameter that are tried.
const PARAMETER_BITS: u32 = 2;

/// What may go wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// The kinds of findings that runs have, as reports name them.
    pub kinds: BTreeSet<&'static str>,
    /// An input under which something goes wrong, if any does.
    pub input: Option<u32>,
    /// Whether all inputs and orders were tried, or a race was found, after which none are.
    pub is_complete: bool,
    /// How many runs there were.
    pub runs: u64,
}

/// Runs a program of this kernel on all inputs.
pub fn truth(program: &Program, kernel: &VerifiedKernel, tolerant: bool) -> Truth {
    let enumeration = Enumeration {
        program,
        kernel,
        code: interpreter::compile(kernel),
        grid: grid(program),
        tolerant,
        ordered: uses_results(program),
    };
    let bits = input_bits(program);
    let mut truth = Truth { is_complete: true, ..Truth::default() };
    for input in 0..1u32 << bits {
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

/// The bits of all inputs together.
pub fn input_bits(program: &Program) -> u32 {
    let cells = program.arrays.iter().filter(|array| !array.is_local).map(|array| array.cells);
    PARAMETER_BITS + cells.sum::<u32>()
}

fn uses_results(program: &Program) -> bool {
    let mut uses = false;
    program.for_each(&mut |statement| uses |= matches!(statement, Statement::Atomic { to: Some(_), .. }));
    uses
}

fn grid(program: &Program) -> Grid {
    let extent = |[x, y]: [u32; 2]| [x, y, 1];
    Grid {
        local_size: extent(program.local_size),
        num_groups: extent(program.num_groups),
        global_offset: [0; 3],
        dimensions: 2,
        warp_size: 32,
    }
}

struct Enumeration<'a> {
    program: &'a Program,
    kernel: &'a VerifiedKernel,
    code: Code,
    grid: Grid,
    tolerant: bool,
    ordered: bool,
}

impl Enumeration<'_> {
    fn input(&self, bits: u32) -> Input {
        let mut rest = bits;
        let mut bit = || {
            let bit = rest & 1;
            rest >>= 1;
            bit
        };
        let parameter = bit() + 2 * bit();
        let mut regions = Vec::new();
        let mut local_bytes = Vec::new();
        let contents: Vec<Vec<u8>> = self
            .program
            .arrays
            .iter()
            .map(|array| (0..if array.is_local { 0 } else { array.cells }).flat_map(|_| bit().to_le_bytes()).collect())
            .collect();
        for data in self.kernel.arrays.values() {
            let is_local = data.space == Space::Local;
            // A compiler may have left arrays out.
            let array = (0..contents.len()).find(|&array| data.name == self.program.name(array).to_string());
            let bytes = array.map(|array| contents[array].clone()).unwrap_or_default();
            regions.push(Region::new(if is_local { 0 } else { 1 << 40 }, Fill::Bytes(bytes)));
            local_bytes.push(if is_local { data.size.unwrap_or(0) } else { 0 });
        }
        let last = u32::try_from(self.kernel.parameters.len()).expect("few parameters") - 1;
        Input { regions, local_bytes, private: Vec::new(), values: vec![(last, vec![parameter.into()])] }
    }

    fn how(&self, schedule: Schedule) -> How {
        How {
            most_steps: MOST_STEPS,
            schedule,
            warps_in_lock_step: false,
            returned_arrive: false,
            races: Some(Races { tolerant: self.tolerant, within_groups: false, between: None }),
            groups: None,
            workers: Workers::ONE,
            deadline: Deadline::NEVER,
        }
    }

    fn run(&self, bits: u32, truth: &mut Truth) {
        if self.ordered {
            return self.all_orders(bits, truth);
        }
        // Of two writes of a thread the detector keeps the later one, so that tolerance hinges on the order.
        let all = [Schedule::InOrder, Schedule::RoundRobin(1), Schedule::Random(bits.into())];
        for schedule in &all[..if self.tolerant { 3 } else { 1 }] {
            let ran = interpreter::run(&self.code, &self.grid, self.input(bits), self.how(*schedule));
            truth.add(bits, ran.expect("a small launch"));
        }
    }

    /// Every order of the atomic operations, but for those that differ from another one in nothing.
    fn all_orders(&self, bits: u32, truth: &mut Truth) {
        let mut path: Vec<Choice> = Vec::new();
        loop {
            let mut depth = 0;
            let mut is_pruned = false;
            let choose = |next: &[Next]| {
                if depth == path.len() {
                    let asleep = path.last().map(Choice::asleep_behind).unwrap_or_default();
                    path.push(Choice::new(next, asleep));
                }
                let chosen = path[depth].chosen;
                depth += 1;
                is_pruned |= chosen.is_none();
                chosen
            };
            let how = self.how(Schedule::InOrder);
            let ran = interpreter::run_chosen(&self.code, &self.grid, self.input(bits), how, choose);
            let ran = ran.expect("a small launch");
            let ran = Ran { broken_off: ran.broken_off && !is_pruned, ..ran };
            truth.add(bits, ran);
            while path.last_mut().is_some_and(|choice| !choice.advance()) {
                path.pop();
            }
            if path.is_empty() || truth.kinds.contains("race") || truth.runs > MOST_RUNS {
                return;
            }
        }
    }
}

/// A place in the tree of orders.
struct Choice {
    next: Vec<Next>,
    /// The threads whose operation need not be the next one here: what comes of it has been seen.
    asleep: BTreeSet<usize>,
    /// Whose operation is executed; `None`: nobody's that would show anything new.
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

    /// The sleepers of the place that this choice leads to.
    fn asleep_behind(&self) -> Vec<Next> {
        let Some(chosen) = self.chosen else { return Vec::new() };
        let stays = |index: &&usize| **index != chosen && are_independent(&self.next[**index], &self.next[chosen]);
        self.asleep.iter().filter(stays).map(|&index| self.next[index]).collect()
    }

    /// Another choice here; whether there is one.
    fn advance(&mut self) -> bool {
        self.asleep.extend(self.chosen);
        self.chosen = self.chosen.and_then(|_| self.awake());
        self.chosen.is_some()
    }
}

/// Whether two operations may change places. Groups have their own local memory, and it does no harm to think that they had not.
fn are_independent(a: &Next, b: &Next) -> bool {
    (a.array, a.offset / 4) != (b.array, b.offset / 4)
}

impl Truth {
    fn add(&mut self, input: u32, ran: Ran) {
        self.runs += 1;
        self.is_complete &= !ran.broken_off && ran.watched.is_some_and(|watched| watched.unsure.is_empty());
        for Event { what, .. } in ran.events {
            self.kinds.insert(kind(what));
            self.input = self.input.or(Some(input));
        }
    }
}

/// The kind of finding that an event is.
fn kind(what: Wrong) -> &'static str {
    match what {
        Wrong::Race(_) => "race",
        Wrong::Divergence { .. } => "barrier-divergence",
        Wrong::OutOfBounds { .. } => "out-of-bounds",
        _ => "something else",
    }
}
