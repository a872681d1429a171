//! All orders in which warps come to named barriers.
//!
//! A run shows one order. In another one a warp may come twice to a barrier before others have come
//! once, so that it completes with the wrong operations. The kernel therefore logs what each warp
//! does at barriers, and all orders of these operations are tried.
//!
//! *Argument.* Take a run without an event, and another one of the same input. Up to the first
//! barrier that completes with other operations, both have the same order between accesses. So the
//! values read are the same (see [`super::truth`]), and so are the warps' operations. If each
//! operation meets the same others in all orders of the logged ones, all runs are alike. If not,
//! this is an error by itself: the program is not well synchronised (WEFT, section 3).

use std::collections::{BTreeMap, BTreeSet};

use lockstep::frontend::builder::Builder;
use lockstep::interpreter::Ran;
use lockstep_ir::kernel::{
    Access, Array, ArrayData, ArrayOrigin, BarrierKind, BinaryOp, ConvertOp, Needs, Operation, Parameter,
    ParameterKind, Space, ThreadQuery, Type, Value, VerifiedKernel, verify,
};

use super::program::Program;
use super::truth::{DIVERGENCE, NAMED_BARRIER, UNSETTLED};
use super::vocabulary::Vocabulary;

const WORD: Type = Type::Bits(64);

/// The most operations of a thread that are logged, a power of two.
const MOST_LOGGED: u64 = 256;

/// The most states of a group's barriers that are tried.
const MOST_STATES: usize = 20_000;

/// The bit of a logged operation that tells that the thread waits.
const WAITS: u32 = 40;

/// The lowest bit of its number of threads.
const THREADS: u32 = 8;

/// A warp's operation on a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    /// The barrier's number; `None` for the barrier of the whole group.
    number: Option<u64>,
    threads: u64,
    waits: bool,
}

/// The operations of a group's warps.
type Walks = Vec<Vec<Step>>;

/// An operation: its warp, and its position among the warp's.
type At = (usize, usize);

/// The errors of other orders than that of a run.
#[derive(Clone, Debug)]
pub struct Found {
    /// Their kinds.
    pub kinds: BTreeSet<&'static str>,
    /// Whether all orders were tried.
    pub is_complete: bool,
}

/// The groups' operations that have been looked at.
#[derive(Debug, Default)]
pub struct Meetings(BTreeSet<Walks>);

impl Meetings {
    /// The errors of other orders of a run's operations, if such operations were not seen before.
    pub fn of_run(&mut self, program: &Program, ran: &Ran) -> Found {
        let mut found = Found { kinds: BTreeSet::new(), is_complete: true };
        if !program.has(Vocabulary::NamedBarriers) {
            return found;
        }
        let Some(groups) = logged(program, ran) else { return Found { is_complete: false, ..found } };
        for walks in groups {
            if self.0.insert(walks.clone()) {
                found.is_complete &= Orders::new(&walks, program.warp_size).all(&mut found.kinds);
            }
        }
        found
    }
}

// --- The log -------------------------------------------------------------------------------------

/// The kernel with one more array, in which each thread logs its operations on barriers.
pub fn with_log(program: &Program, kernel: &VerifiedKernel) -> VerifiedKernel {
    if !program.has(Vocabulary::NamedBarriers) {
        return kernel.clone();
    }
    let mut kernel = (**kernel).clone();
    let array = |name: &str, space, origin| ArrayData {
        name: name.to_owned(),
        space,
        origin,
        element: None,
        size: (space == Space::Private).then_some(8),
        contents: None,
        volatile: false,
        sized_by: None,
        restrict: false,
        nonzero: false,
        location: None,
    };
    let done = kernel.arrays.push(array("done", Space::Private, ArrayOrigin::Stack));
    let log = kernel.arrays.push(array("log", Space::Global, ArrayOrigin::Parameter));
    kernel.parameters.push(Parameter { name: "log".to_owned(), kind: ParameterKind::Pointer(log) });
    for block in kernel.blocks.keys().collect::<Vec<_>>() {
        let is_entry = block == kernel.entry;
        let old = std::mem::take(&mut kernel.blocks[block].instructions);
        let mut logs = Logs { builder: Builder { kernel: &mut kernel, block, location: None }, program, done, log };
        if is_entry {
            let (access, none) = (logs.done(), logs.number(0));
            logs.builder.append_effect(Operation::Store(access, none));
        }
        for instruction in old {
            if let Operation::Barrier { kind, .. } = logs.builder.kernel.instructions[instruction].operation {
                logs.barrier(kind);
            }
            logs.builder.kernel.blocks[block].instructions.push(instruction);
        }
    }
    verify(kernel).unwrap_or_else(|problems| panic!("not a kernel: {problems:?}"))
}

/// Where operations are logged.
struct Logs<'a> {
    builder: Builder<'a>,
    program: &'a Program,
    /// The number of operations that the thread has logged.
    done: Array,
    log: Array,
}

impl Logs<'_> {
    fn number(&mut self, number: u64) -> Value {
        self.builder.number(64, number)
    }

    fn access(&mut self, array: Array, offset: Option<Value>) -> Access {
        let space = self.builder.kernel.arrays[array].space;
        let base = self.builder.append(Operation::ArrayBase(array), Type::Pointer(space));
        let pointer = offset.map_or(base, |offset| {
            let add = Operation::PointerAdd { pointer: base, offset, in_bounds: true };
            self.builder.append(add, Type::Pointer(space))
        });
        Access { pointer, alignment: 8, volatile: false, needs: Needs::Everything }
    }

    fn done(&mut self) -> Access {
        self.access(self.done, None)
    }

    fn query(&mut self, query: ThreadQuery) -> Value {
        self.builder.append(Operation::ThreadQuery(query), WORD)
    }

    /// Logs an operation, if it is one on a barrier of the group or a named one.
    fn barrier(&mut self, kind: BarrierKind) {
        let all = u64::from(whole_warps(self.program));
        let (id, count, waits) = match kind {
            BarrierKind::Group => (None, None, true),
            BarrierKind::Named { id, count } => (Some(id), count, true),
            BarrierKind::Arrive { id, count } => (Some(id), Some(count), false),
            _ => return,
        };
        // No logged operation is 0.
        let id = match id {
            Some(id) => {
                let (id, one) = (self.builder.convert(ConvertOp::ZeroExtend, id, WORD), self.number(2));
                self.builder.binary(BinaryOp::Add, id, one)
            }
            None => self.number(1),
        };
        let count = match count {
            Some(count) => self.builder.convert(ConvertOp::ZeroExtend, count, WORD),
            None => self.number(all),
        };
        let (shift, waits) = (self.number(THREADS.into()), self.number(u64::from(waits) << WAITS));
        let count = self.builder.binary(BinaryOp::ShiftLeft, count, shift);
        let entry = self.builder.binary(BinaryOp::Or, id, count);
        let entry = self.builder.binary(BinaryOp::Or, entry, waits);
        self.append(entry);
    }

    fn append(&mut self, entry: Value) {
        let access = self.done();
        let done = self.builder.append(Operation::Load(access.clone()), WORD);
        let one = self.number(1);
        let after = self.builder.binary(BinaryOp::Add, done, one);
        self.builder.append_effect(Operation::Store(access, after));
        let row = self.number((self.program.local_size[0] * self.program.num_groups[0]).into());
        let (x, y) = (self.query(ThreadQuery::GlobalId(0)), self.query(ThreadQuery::GlobalId(1)));
        let start = self.builder.binary(BinaryOp::Multiply, y, row);
        let thread = self.builder.binary(BinaryOp::Add, start, x);
        let (most, last, bytes) = (self.number(MOST_LOGGED), self.number(MOST_LOGGED - 1), self.number(8));
        let start = self.builder.binary(BinaryOp::Multiply, thread, most);
        let inside = self.builder.binary(BinaryOp::And, done, last);
        let at = self.builder.binary(BinaryOp::Add, start, inside);
        let offset = self.builder.binary(BinaryOp::Multiply, at, bytes);
        let access = self.access(self.log, Some(offset));
        self.builder.append_effect(Operation::Store(access, entry));
    }
}

/// The group's threads, counted in whole warps.
fn whole_warps(program: &Program) -> u32 {
    let threads: u32 = program.local_size.iter().product();
    threads.next_multiple_of(program.warp_size)
}

/// The logged operations of each group; `None` if there are too many, or lanes of a warp have
/// others.
fn logged(program: &Program, ran: &Ran) -> Option<Vec<Walks>> {
    let region = ran.regions.last()?;
    let bytes: Vec<u8> = region.contents(region.reach()).flatten().collect();
    let words: Vec<u64> =
        bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight"))).collect();
    let most = usize::try_from(MOST_LOGGED).expect("small");
    let [width, height] = program.local_size;
    let [across, down] = program.num_groups;
    let mut groups = Vec::new();
    for (group_y, group_x) in (0..down).flat_map(|y| (0..across).map(move |x| (y, x))) {
        let warps = usize::try_from(whole_warps(program) / program.warp_size).expect("few");
        let mut walks: Walks = vec![Vec::new(); warps];
        for local in 0..width * height {
            let (x, y) = (group_x * width + local % width, group_y * height + local / width);
            let thread = usize::try_from(y * width * across + x).expect("few");
            let own = words.iter().skip(thread * most).take(most);
            let steps: Vec<Step> = own.take_while(|word| **word != 0).map(|&word| step(word)).collect();
            let walk = &mut walks[usize::try_from(local / program.warp_size).expect("few")];
            // A lane that has returned no longer counts.
            let (shorter, longer) = if steps.len() < walk.len() { (&steps, &*walk) } else { (&*walk, &steps) };
            if steps.len() == most || !longer.starts_with(shorter) {
                return None;
            }
            *walk = longer.clone();
        }
        groups.push(walks);
    }
    Some(groups)
}

fn step(word: u64) -> Step {
    let number = (word & ((1 << THREADS) - 1)).checked_sub(2);
    Step { number, threads: word >> THREADS & u64::from(u32::MAX), waits: word >> WAITS & 1 == 1 }
}

// --- Orders --------------------------------------------------------------------------------------

/// A state of the warps: the operations that each has executed, and those at barriers that are not
/// complete.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    executed: Vec<usize>,
    come: BTreeMap<Option<u64>, BTreeSet<At>>,
}

struct Orders<'a> {
    walks: &'a Walks,
    warp_size: u64,
    /// The operations that complete a barrier with each operation.
    met: BTreeMap<At, BTreeSet<At>>,
}

impl<'a> Orders<'a> {
    fn new(walks: &'a Walks, warp_size: u32) -> Self {
        Self { walks, warp_size: warp_size.into(), met: BTreeMap::new() }
    }

    /// Tries all orders, and returns whether there are few enough.
    fn all(&mut self, kinds: &mut BTreeSet<&'static str>) -> bool {
        let start = State { executed: vec![0; self.walks.len()], ..State::default() };
        let mut seen = BTreeSet::from([start.clone()]);
        let mut pending = vec![start];
        while let Some(state) = pending.pop() {
            let next: Vec<usize> = (0..self.walks.len()).filter(|&warp| self.can_go_on(&state, warp)).collect();
            if next.is_empty() {
                self.look_at_the_end(&state, kinds);
            }
            for warp in next {
                let after = self.after(&state, warp, kinds);
                if seen.insert(after.clone()) {
                    pending.push(after);
                }
            }
            if seen.len() > MOST_STATES {
                return false;
            }
        }
        true
    }

    fn step(&self, (warp, position): At) -> Step {
        self.walks[warp][position]
    }

    fn can_go_on(&self, state: &State, warp: usize) -> bool {
        let executed = state.executed[warp];
        let waits = |at: &At| at.0 == warp && self.step(*at).waits;
        executed < self.walks[warp].len() && !state.come.values().flatten().any(waits)
    }

    /// The state after a warp's next operation.
    fn after(&mut self, state: &State, warp: usize, kinds: &mut BTreeSet<&'static str>) -> State {
        let mut after = state.clone();
        let at = (warp, state.executed[warp]);
        let step = self.step(at);
        after.executed[warp] += 1;
        let come = after.come.entry(step.number).or_default();
        if come.first().is_some_and(|&other| self.step(other).threads != step.threads) {
            kinds.insert(NAMED_BARRIER);
        }
        come.insert(at);
        if u64::try_from(come.len()).expect("few") * self.warp_size >= step.threads {
            let come = after.come.remove(&step.number).unwrap_or_default();
            self.complete(&come, kinds);
        }
        after
    }

    fn complete(&mut self, come: &BTreeSet<At>, kinds: &mut BTreeSet<&'static str>) {
        if !come.iter().any(|&at| self.step(at).waits) {
            kinds.insert(NAMED_BARRIER);
        }
        for &at in come {
            if self.met.entry(at).or_insert_with(|| come.clone()) != come {
                kinds.insert(UNSETTLED);
            }
        }
    }

    fn look_at_the_end(&self, state: &State, kinds: &mut BTreeSet<&'static str>) {
        for &at in state.come.values().flatten() {
            kinds.insert(if self.step(at).waits { DIVERGENCE } else { NAMED_BARRIER });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(walks: &Walks) -> BTreeSet<&'static str> {
        let mut kinds = BTreeSet::new();
        assert!(Orders::new(walks, 2).all(&mut kinds));
        kinds
    }

    fn sync(number: u64, threads: u64) -> Step {
        Step { number: Some(number), threads, waits: true }
    }

    fn arrive(number: u64, threads: u64) -> Step {
        Step { waits: false, ..sync(number, threads) }
    }

    #[test]
    fn warps_in_step_meet_in_one_way() {
        let producer = vec![arrive(1, 4), sync(2, 4), arrive(1, 4), sync(2, 4)];
        let consumer = vec![sync(1, 4), arrive(2, 4), sync(1, 4), arrive(2, 4)];
        assert!(found(&vec![producer, consumer]).is_empty());
    }

    /// If the consumer is as fast as the producer, nothing goes wrong.
    #[test]
    fn a_barrier_that_is_reused_early_is_seen() {
        let walks = vec![vec![arrive(1, 4), arrive(1, 4)], vec![sync(1, 4), sync(1, 4)]];
        assert_eq!(found(&walks), BTreeSet::from([DIVERGENCE, UNSETTLED, NAMED_BARRIER]));
    }

    #[test]
    fn a_circle_of_waits_is_seen() {
        let walks = vec![vec![sync(1, 4), sync(2, 4)], vec![sync(2, 4), sync(1, 4)]];
        assert_eq!(found(&walks), BTreeSet::from([DIVERGENCE]));
    }

    #[test]
    fn other_counts_and_arrivals_left_over_are_seen() {
        assert_eq!(found(&vec![vec![arrive(1, 4)], Vec::new()]), BTreeSet::from([NAMED_BARRIER]));
        assert!(found(&vec![vec![sync(1, 4)], vec![sync(1, 6)], vec![sync(1, 6)]]).contains(&NAMED_BARRIER));
    }
}
