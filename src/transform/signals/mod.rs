//! Signals: how threads synchronise through memory, and the plan of a proof that uses it.
//!
//! Two accesses of different threads do not race if one **happens before** the other. Beside
//! barriers, threads order their accesses through **places** in memory that they access by strong
//! operations only (atomics, and volatile accesses where these are relaxed): one thread *releases*
//! there, another one *acquires*. [`signals`] finds the places, and the lock-step transformation
//! asserts their rules and uses them (`lockstep/synchronise/signals/`).
//!
//! References: PTX ISA, "Memory Consistency Model"; Lustig, Sahasrabuddhe and Giroux, "A formal
//! analysis of the NVIDIA PTX memory consistency model", ASPLOS 2019; OpenCL 3.0 section 3.3.
//!
//! # When an access is ordered
//!
//! Let x be an access of thread 1, y one of thread 2. A **release pattern** behind x is a releasing
//! write w that follows x, or a releasing fence that follows x and a strong write w that follows
//! the fence. An **acquire pattern** before y is an acquiring read r, or a strong read r and an
//! acquiring fence that follows it. If r reads the value of w, or a value derived from it by a
//! chain of atomic read-modify-writes, the two patterns synchronise, and x happens before y. All of
//! these operations must include the other thread in their scopes. In PTX this is base causality
//! order, in C11 and OpenCL happens-before by release sequences (without the stores of the same
//! thread that C++20 has dropped). OpenCL orders the two memories separately, so there x, y and the
//! place must be in the same memory, which the fences must name.
//!
//! It remains to show that r has read from w, or from behind it. Each [`Kind`] of place has its
//! rule for that, which is a statement about the values of w and r:
//!
//! * **Flag.** Only stores and exchanges change the cell. No two of them, by whichever threads,
//!   store the same value there, except for the value zero ([`SignalRule::Unique`], asserted for
//!   every pair of threads and for each thread). The cell is zero at first (a listed assumption).
//!   So if r reads a value v other than zero, it reads from the one write of v (read-modify-writes
//!   that change nothing, such as the addition of zero, pass the value on). If w stores v, r reads
//!   from w.
//! * **Counter.** Each write adds the same step s > 0, and each thread that counts does so once at
//!   each place of the kernel. The cell is zero at first (listed). At most D additions are made,
//!   where D is the number of threads or groups that count; D s does not wrap (proved, or listed).
//!   So the k-th addition returns k s, and all later ones more. If w returns o and r returns more
//!   than o, then w is among the additions that r has seen, which form a chain of
//!   read-modify-writes. The value with which w counts is at most (D - 1) s, and no two additions
//!   return the same. CUDA's `atomicInc` wraps at a limit, which must be at least D - 1
//!   ([`SignalRule::Limit`]). If the counter is also set, each thread that sets it must have seen
//!   (D - 1) s before ([`SignalRule::Reset`]): then all additions are made, and a value that r
//!   reads from there on is no addition's, but r is itself an addition, or a load. Counters that
//!   are set have no loads.
//! * **Progress.** One thread stores to the cell, its owner ([`SignalRule::Owned`]), and each time
//!   more than before ([`SignalRule::Grows`]), as an unsigned number, also in loops. The cell is
//!   zero at first (listed). So if w stores u and r reads at least u, then r reads from w, or from
//!   a store w' of the same thread that follows w in program order, as a store before w has stored
//!   less, and u is not zero. A fence between x and w lies between x and w', too, so w' is the
//!   strong write of a release pattern behind x. If w releases by itself, each other write to the
//!   place must, too. An owner may also add a step, if that is the only write of the kernel there:
//!   as nobody else stores to the cell, it then holds the sum of the owner's additions.
//! * **Lock.** The cell changes from *free* to another value by compare-and-swap, or by an exchange
//!   that stores another value ([`SignalRule::Taken`]), and back only by stores and exchanges of
//!   the thread whose operation has changed it from *free* ([`SignalRule::Held`]). So at most one
//!   thread holds the lock at any time, and who takes it reads what its last holder has stored.
//!   Each holder has acquired before it gives back, and has released all accesses that it made
//!   after that ([`SignalRule::Released`]). Then two accesses x and y that both lie behind the
//!   acquisition of the same lock by their threads and before it is given back are ordered, in one
//!   direction or the other: one critical section comes before the other, and the chain of critical
//!   sections in between hands the order on. Nothing is assumed about the value at first: if it is
//!   not *free*, nobody enters.
//! * **Turn.** Threads draw tickets from a counter that nobody sets, so no two are the same. A
//!   thread has its turn when it reads its own ticket in the cell, until it stores the next number
//!   there, which only a thread that has its turn does ([`SignalRule::Next`],
//!   [`SignalRule::Held`]). So the numbers in the cell go up by one: let the k-th store be the
//!   first that does not follow the number before it. Its thread has read its ticket x in the cell,
//!   so x is one of the numbers stored before, but not the last one. So some thread has stored x +
//!   1 already, and it had the ticket x: the same thread, which has read x again behind its own
//!   store of x + 1. Coherence excludes this, as x is not stored again before. Thus at most one
//!   thread has its turn at any time, and reads what the one before has stored; the rest is as for
//!   locks. In place of a ticket, a thread may have a number of its own, such as its group's, if no
//!   two threads have the same number for one cell ([`SignalRule::Distinct`]): the argument uses
//!   nothing else of tickets.
//!
//! The rules are obligations of the same programs that use them. A proof of the kernel needs the
//! proofs of all pairs of threads, so each rule holds for all threads.
//!
//! # Through leaders
//!
//! Often one thread of a group, the **leader**, signals for all: x, a barrier of the group, the
//! leader's release. Here the leader is a thread that every group has, such as the one whose local
//! ids are all zero. A block is *led* if control that depends on the group alone comes to a branch
//! that the leader takes ([`leaders`]). The lock-step program has no third thread, but a copy of
//! each value for each thread, which is arbitrary where the thread is inactive. In a led block, the
//! copy of a thread other than the leader stands for the value of its group's leader. This is
//! sound: at most one thread of the group comes there ([`SignalRule::Elected`]), so each other
//! thread is inactive, and its copies occur in no statement about the thread itself. It needs care
//! with values that depend on the thread's id, whose copies are computed from the wrong one. They
//! are never used so ([`leaders::Leaders::is_of_group`]).
//!
//! Loops may be led as well: groups iterate a loop *together* if its control depends on values that
//! are the group's in each iteration ([`leaders`] supposes it, and looks whether each edge back to
//! the header agrees). Then an iteration of a thread is one of its group, and so of its leader.
//!
//! A leader may take a lock for its group. Behind a barrier of the group, which follows the
//! acquisition, the accesses of all its threads are under the lock. Before the leader gives it
//! back, a barrier must follow each of them, and then a release of the leader
//! ([`SignalRule::Released`]). So they lie between the leader's acquisition and its release in
//! happens-before order, and the rule for locks applies. Only the thread that has taken the lock
//! may give it back ([`SignalRule::Held`]).
//!
//! A leader may also draw a number for its group. No other group's leader draws the same
//! ([`crate::analysis::counters`]).
//!
//! Base causality order includes the synchronisation of barriers. So after the barrier, x is in the
//! leader's past, and a release pattern of the leader covers it. On the other side, the leader
//! acquires, and a barrier hands this on to its group. If the fence comes *before* the barrier, in
//! the threads themselves, the leader's write alone is no release pattern. In PTX, sequentially
//! consistent fences on both sides order all the same: see the argument in
//! `interpreter/races/fences.rs`.
//!
//! # Loops that only wait
//!
//! [`waits`] replaces them by their last iteration.
//!
//! # Barriers of the launch
//!
//! [`grids`] finds those that a kernel makes of a counter, or of a counter and a flag, in loops,
//! too.

pub mod grids;
pub mod ids;
pub mod leaders;
pub mod waits;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    Array, ArrayOrigin, AtomicOp, BinaryOp, CompareOp, Definition, Instruction, Kernel, Operation, Ordering, Scope,
    Space, Terminator, Value,
};
#[cfg(doc)]
use lockstep_ir::sequential::SignalRule;
use lockstep_options::launch::Launch;

use crate::analysis::accesses::for_each_access;
use crate::analysis::alignment::{Divisors, divisors};
use crate::analysis::initialised::constant_place;
use crate::analysis::pointers::{PointsTo, points_to};
use crate::analysis::structure::Structure;
use leaders::{Leaders, Standing};

/// The largest step of a counter. A counter of 32 bits then has numbers for as many threads as a
/// launch may well have.
const MOST_STEP: u64 = 16;

/// The most operations on places.
const MOST_OPERATIONS: usize = 24;

/// The plan for the places of a kernel.
pub struct Signals {
    /// The places, by array. Each cell of the array is one.
    pub places: BTreeMap<Array, Place>,
    /// The operations on places.
    pub operations: BTreeMap<Instruction, Strong>,
    /// The blocks that leaders execute for their groups.
    pub leaders: Leaders,
    /// Whether threads that do not signal execute sequentially consistent fences, which order
    /// accesses in PTX.
    pub by_others_fences: bool,
    /// Whether loops that only wait have been replaced, so that termination is assumed.
    pub waits: bool,
}

/// The cells of an array through which threads synchronise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The way in which they are used.
    pub kind: Kind,
    /// Whether the scope of each operation includes all threads of the launch; else the scope of
    /// each is that of the group, and operations of different groups on one cell race.
    pub is_wide: bool,
}

/// The way in which threads synchronise through a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It tells by a value that something was done.
    Flag,
    /// It counts.
    Counter {
        /// The number that each addition adds.
        step: u64,
    },
    /// It tells how far one thread has come.
    Progress,
    /// It excludes others.
    Lock {
        /// The value of a lock that nobody holds.
        free: Bits,
    },
    /// It tells whose turn it is.
    Turn {
        /// The ticket that each thread has drawn, or its own number.
        ticket: Value,
        /// The counter that it was drawn from; `None` for numbers of the threads' own.
        counter: Option<Array>,
    },
}

impl Kind {
    /// Whether threads exclude each other there.
    pub fn excludes(&self) -> bool {
        matches!(self, Self::Lock { .. } | Self::Turn { .. })
    }
}

/// The change of a cell by an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// None.
    Keep,
    /// To this value.
    Store(Value),
    /// To this value; the result is the old one.
    Exchange(Value),
    /// By a step, up to a limit if there is one; the result is the old value.
    Count(Bits, Option<Value>),
    /// From the first value to the second.
    Swap(Bits, Value),
    /// Any other.
    Other,
}

/// A strong operation: one that is atomic, or a volatile access where these are relaxed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Strong {
    /// The array.
    pub array: Array,
    /// The address.
    pub pointer: Value,
    /// The change that it makes.
    pub change: Change,
    /// The old value.
    pub result: Option<Value>,
    /// Whether it releases.
    pub releases: bool,
    /// Whether it acquires.
    pub acquires: bool,
    /// Whether its scope includes all threads of the launch.
    pub is_wide: bool,
    /// Whether it is an ordinary store, which may only set a counter.
    pub is_plain: bool,
    /// Whether it is a volatile access, and not an atomic one.
    is_volatile: bool,
    /// Whether the kernel uses the result.
    is_asked: bool,
    /// The size of the cell.
    bytes: u64,
}

impl Strong {
    /// Whether the operation changes a cell.
    pub fn writes(&self) -> bool {
        self.change != Change::Keep
    }

    /// The width of the number in the cell.
    pub fn width(&self) -> u32 {
        u32::try_from(8 * self.bytes).expect("cells are small")
    }

    /// Whether the operation tells the old value, and passes it on if it changes the cell.
    pub fn reads(&self) -> bool {
        let only_reads = !matches!(self.change, Change::Store(_) | Change::Exchange(_));
        self.result.is_some() && !self.is_plain && only_reads
    }
}

/// Whether a kernel may have signals: it has fences, or atomics that order.
pub fn may_have_signals(kernel: &Kernel) -> bool {
    kernel.instructions.values().any(|data| match &data.operation {
        Operation::Fence { .. } => true,
        Operation::Atomic { ordering, .. } => *ordering != Ordering::Relaxed,
        _ => false,
    })
}

/// Whether leaders may draw numbers for their groups: there are atomic operations, and local memory
/// by which to tell the number.
pub fn may_draw_for_groups(kernel: &Kernel) -> bool {
    let mut operations = kernel.instructions.values().map(|data| &data.operation);
    operations.any(|operation| matches!(operation, Operation::Atomic { .. }))
        && kernel.arrays.values().any(|data| data.space == Space::Local)
}

/// Whether a leader tells its group a number that it has drawn from a counter.
fn draws_for_groups(kernel: &Kernel, structure: &Structure, found: &Found, leaders: &Leaders) -> bool {
    let told = origins(kernel, structure, leaders.broadcasts.values().map(|broadcast| broadcast.value).collect());
    let counts = |strong: &Strong| matches!(strong.change, Change::Count(..));
    let mut drawn = found.operations.values().filter(|(strong, _)| counts(strong));
    drawn.any(|(strong, _)| strong.result.is_some_and(|result| leaders.is_of_group(result) && told.contains(&result)))
}

/// The plan for a kernel; `None` if it has no places, or constructs with which the rules have not
/// been thought through. Counters of barriers of the launch are no places.
pub fn signals(
    kernel: &Kernel,
    structure: &Structure,
    points_to: &PointsTo,
    divisors: &Divisors,
    launch: &Launch,
    waits: bool,
    of_barriers: &BTreeSet<Array>,
) -> Option<Signals> {
    if !(may_have_signals(kernel) || may_draw_for_groups(kernel)) || has_other_synchronisation(kernel, structure) {
        return None;
    }
    let (found, leaders, initial) = found(kernel, structure, points_to, divisors, launch);
    let mut places = found.places(kernel, structure, &initial);
    places.retain(|array, _| !of_barriers.contains(array));
    if !may_have_signals(kernel) {
        places.clear();
    }
    let draws_for_groups = draws_for_groups(kernel, structure, &found, &leaders);
    let mut operations: BTreeMap<Instruction, Strong> =
        found.operations.into_iter().map(|(at, (strong, _))| (at, strong)).collect();
    operations.retain(|at, strong| places.contains_key(&strong.array) && !initial.contains_key(at));
    let is_of_use = !places.is_empty() || draws_for_groups;
    if !is_of_use || operations.len() > MOST_OPERATIONS {
        return None;
    }
    let by_others_fences = kernel.language.has_fence_order()
        && structure.order.iter().filter(|&&block| leaders.standing(block) != Standing::Led).any(|&block| {
            let instructions = kernel.blocks[block].instructions.iter();
            instructions.map(|&instruction| &kernel.instructions[instruction].operation).any(|operation| {
                matches!(operation, Operation::Fence { ordering: Ordering::SequentiallyConsistent, .. })
            })
        });
    Some(Signals { places, operations, leaders, by_others_fences, waits })
}

/// The accesses to the arrays of a kernel, the blocks that leaders execute, and the stores by which
/// local memory begins.
fn found(
    kernel: &Kernel,
    structure: &Structure,
    points_to: &PointsTo,
    divisors: &Divisors,
    launch: &Launch,
) -> (Found, Leaders, BTreeMap<Instruction, bool>) {
    let found = Found::of(kernel, structure, points_to, divisors);
    let leaders = Leaders::of(kernel, structure, points_to, launch);
    let initial = found.initialisations(kernel, structure, &leaders);
    (found, leaders, initial)
}

/// The exchanges by which threads take locks.
pub fn taking_exchanges(kernel: &Kernel, structure: &Structure, launch: &Launch) -> BTreeSet<Instruction> {
    let (points_to, divisors) = (points_to(kernel), divisors(kernel, &structure.order));
    let (found, _, initial) = found(kernel, structure, &points_to, &divisors, launch);
    let places = found.places(kernel, structure, &initial);
    let takes = |strong: &Strong| match places.get(&strong.array).map(|place| &place.kind) {
        Some(Kind::Lock { free }) => is_taking(kernel, strong, free),
        _ => false,
    };
    found.operations.iter().filter(|(_, (strong, _))| takes(strong)).map(|(&at, _)| at).collect()
}

/// The arrays of locks that are taken and given back, each with the value of a lock that nobody
/// holds.
pub fn locks(kernel: &Kernel) -> BTreeMap<Array, Bits> {
    let Ok((kernel, structure)) = Structure::of(kernel) else { return BTreeMap::new() };
    let (points_to, divisors) = (points_to(&kernel), divisors(&kernel, &structure.order));
    let found = Found::of(&kernel, &structure, &points_to, &divisors);
    let initial = found.initialisations(&kernel, &structure, &Leaders::default());
    let places = found.places(&kernel, &structure, &initial).into_iter();
    // One thread may win a contest that is held once.
    let is_given_back = |array: Array, free: &Bits| {
        let mut all = found.operations.values().map(|(strong, _)| strong);
        all.any(|strong| strong.array == array && strong.writes() && !is_taking(&kernel, strong, free))
    };
    let free = |(array, place): (Array, Place)| match place.kind {
        Kind::Lock { free } => is_given_back(array, &free).then_some((array, free)),
        _ => None,
    };
    places.filter_map(free).collect()
}

/// The volatile accesses that are strong operations on places: arrays that only strong operations
/// of one width access, and what is read there decides a branch. They race neither with each other
/// nor with atomic operations.
pub fn strong_volatiles(
    kernel: &Kernel,
    structure: &Structure,
    points_to: &PointsTo,
    divisors: &Divisors,
) -> BTreeSet<Instruction> {
    if !kernel.has_fences() || !kernel.language.has_fence_order() {
        return BTreeSet::new();
    }
    let mut found = Found { deciding: deciding(kernel, structure), ..Found::default() };
    for &instruction in structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions) {
        found.note(kernel, points_to, divisors, instruction, false);
    }
    let is_fit = |array: Array| {
        let mut all = found.operations.values().map(|(strong, _)| strong).filter(|strong| strong.array == array);
        let bytes = all.clone().next().map(|strong| strong.bytes);
        !found.others.contains(&array)
            && found.tell(kernel, structure, all.clone())
            && all.all(|strong| !strong.is_plain && Some(strong.bytes) == bytes)
    };
    let volatile = found.operations.iter().filter(|(_, (strong, _))| strong.is_volatile && is_fit(strong.array));
    volatile.map(|(&at, _)| at).collect()
}

/// Whether a kernel has synchronisation with which the argument has not been thought through.
fn has_other_synchronisation(kernel: &Kernel, structure: &Structure) -> bool {
    let mut all = structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions);
    all.any(|&instruction| {
        matches!(
            kernel.instructions[instruction].operation,
            Operation::AsyncCopy { .. }
                | Operation::AsyncWait(_)
                | Operation::Phase { .. }
                | Operation::Annotation { .. }
        )
    })
}

/// The values that some operation or branch uses.
fn used(kernel: &Kernel, structure: &Structure) -> BTreeSet<Value> {
    let mut used = BTreeSet::new();
    for &block in &structure.order {
        for &instruction in &kernel.blocks[block].instructions {
            kernel.instructions[instruction].operation.for_each_operand(|operand| _ = used.insert(operand));
        }
        kernel.blocks[block].terminator.for_each_operand(|operand| _ = used.insert(operand));
    }
    used
}

/// The values from which conditions of branches are computed.
fn deciding(kernel: &Kernel, structure: &Structure) -> BTreeSet<Value> {
    let mut pending = Vec::new();
    for &block in &structure.order {
        match &kernel.blocks[block].terminator {
            Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => pending.push(*value),
            Terminator::Jump(_) | Terminator::Return | Terminator::Trap | Terminator::Unreachable => {}
        }
        for &instruction in &kernel.blocks[block].instructions {
            if let Operation::Assume(condition, _) = &kernel.instructions[instruction].operation {
                pending.push(*condition);
            }
        }
    }
    origins(kernel, structure, pending)
}

/// The values from which values are computed, themselves included.
fn origins(kernel: &Kernel, structure: &Structure, mut pending: Vec<Value>) -> BTreeSet<Value> {
    let mut found = BTreeSet::new();
    while let Some(value) = pending.pop() {
        if !found.insert(value) {
            continue;
        }
        match kernel.values[value].definition {
            Definition::Parameter(block, index) => pending.extend(structure.arguments(kernel, block, index)),
            Definition::Result(instruction) => {
                let operation = &kernel.instructions[instruction].operation;
                if operation.is_computation() {
                    operation.for_each_operand(|operand| pending.push(operand));
                }
            }
        }
    }
    found
}

/// The accesses to the arrays of a kernel.
#[derive(Default)]
struct Found {
    used: BTreeSet<Value>,
    deciding: BTreeSet<Value>,
    /// The strong operations and the ordinary stores, and whether each is in a loop.
    operations: BTreeMap<Instruction, (Strong, bool)>,
    /// The arrays with other accesses.
    others: BTreeSet<Array>,
}

impl Found {
    fn of(kernel: &Kernel, structure: &Structure, points_to: &PointsTo, divisors: &Divisors) -> Self {
        let mut found =
            Self { used: used(kernel, structure), deciding: deciding(kernel, structure), ..Self::default() };
        for &block in &structure.order {
            let in_loop = structure.loop_of[block].is_some();
            for &instruction in &kernel.blocks[block].instructions {
                found.note(kernel, points_to, divisors, instruction, in_loop);
            }
        }
        found
    }

    fn note(
        &mut self,
        kernel: &Kernel,
        points_to: &PointsTo,
        divisors: &Divisors,
        instruction: Instruction,
        in_loop: bool,
    ) {
        let data = &kernel.instructions[instruction];
        if let Some(mut strong) = strong(kernel, &data.operation, data.result) {
            strong.is_asked = strong.result.is_some_and(|result| self.used.contains(&result));
            let targets = &points_to[strong.pointer];
            let is_aligned = divisors[strong.pointer].is_multiple_of(strong.bytes);
            let is_one = !targets.null && !targets.unknown && !targets.elsewhere && is_aligned;
            if let (true, Some(&array), 1) = (is_one, targets.arrays.first(), targets.arrays.len()) {
                strong.array = array;
                self.operations.insert(instruction, (strong, in_loop));
                return;
            }
        }
        for_each_access(kernel, &data.operation, data.result, |access| {
            let arrays = &points_to[access.pointer].arrays;
            // An ordinary load changes nothing, and races as any.
            if !matches!(data.operation, Operation::Load(_)) {
                self.others.extend(arrays);
            }
        });
    }

    /// The stores to local memory by which a group begins: a barrier of the group follows them, and
    /// dominates all other operations on the array. The flag tells whether the store is surely
    /// executed, and one of zero to the only cell that is ever accessed.
    fn initialisations(
        &self,
        kernel: &Kernel,
        structure: &Structure,
        leaders: &Leaders,
    ) -> BTreeMap<Instruction, bool> {
        let arrays: BTreeSet<Array> = self.operations.values().map(|(strong, _)| strong.array).collect();
        let local = arrays.into_iter().filter(|&array| kernel.arrays[array].space == Space::Local);
        let barriers = leaders::Barriers::of(kernel);
        let mut found = BTreeMap::new();
        for array in local {
            let all: Vec<(Instruction, &Strong, bool)> = self
                .operations
                .iter()
                .filter(|(_, (strong, _))| strong.array == array)
                .map(|(&at, (strong, in_loop))| (at, strong, *in_loop))
                .collect();
            let cell = |strong: &Strong| constant_place(kernel, strong.pointer);
            let first = all.first().and_then(|(_, strong, _)| cell(strong));
            let is_one_cell = first.is_some() && all.iter().all(|(_, strong, _)| cell(strong) == first);
            let is_store = |strong: &Strong| matches!(strong.change, Change::Store(_));
            let (stores, others): (Vec<_>, Vec<_>) =
                all.iter().partition(|(_, strong, in_loop)| is_store(strong) && !in_loop);
            for (at, strong, _) in &stores {
                // Each other operation comes behind the barrier, or it is such a store itself.
                let comes_before = |other: Instruction| barriers.separate(*at, other);
                let is_sure = |other: Instruction| leaders.surely_before(&barriers, structure, *at, other);
                let mut rest = others.iter().chain(stores.iter().filter(|(other, ..)| other != at));
                let is_zero = match strong.change {
                    Change::Store(value) => kernel.constant(value).is_some_and(Bits::is_zero),
                    _ => false,
                };
                let is_whole = all.iter().all(|(_, other, _)| other.bytes == strong.bytes);
                if is_whole && rest.clone().all(|(other, ..)| comes_before(*other)) {
                    let is_sure = rest.all(|(other, ..)| is_sure(*other));
                    found.insert(*at, is_zero && is_one_cell && is_sure);
                }
            }
        }
        found
    }

    /// Whether operations on an array are signals. Data that is volatile is none, though such
    /// accesses are no data race in PTX. A value that is read there decides a branch, and is
    /// not written back.
    fn tell<'a>(
        &self,
        kernel: &Kernel,
        structure: &Structure,
        mut all: impl Iterator<Item = &'a Strong> + Clone,
    ) -> bool {
        if !all.clone().any(|strong| strong.is_volatile) {
            return true;
        }
        let decides = |strong: &Strong| strong.result.is_some_and(|result| self.deciding.contains(&result));
        let stored = |strong: &Strong| match strong.change {
            Change::Store(value) => Some(value),
            _ => None,
        };
        let origins = origins(kernel, structure, all.clone().filter_map(stored).collect());
        let read = all.clone().filter_map(|strong| strong.result);
        !read.into_iter().any(|result| origins.contains(&result)) && all.any(decides)
    }

    fn places(
        &self,
        kernel: &Kernel,
        structure: &Structure,
        initial: &BTreeMap<Instruction, bool>,
    ) -> BTreeMap<Array, Place> {
        let arrays: BTreeSet<Array> = self.operations.values().map(|(strong, _)| strong.array).collect();
        let place = |array| Some((array, self.place((kernel, structure), array, initial)?));
        let mut places: BTreeMap<Array, Place> = arrays.into_iter().filter_map(place).collect();
        // Tickets are drawn from counters that only count.
        let is_set = |array: Array| {
            let mut all = self.operations.values().filter(|(strong, _)| strong.array == array);
            all.any(|(strong, _)| matches!(strong.change, Change::Store(_) | Change::Exchange(_)))
        };
        let counters: BTreeMap<Array, bool> = places
            .iter()
            .filter(|(array, place)| place.kind == Kind::Counter { step: 1 } && !is_set(**array))
            .map(|(&array, place)| (array, place.is_wide))
            .collect();
        places.retain(|_, place| match place.kind {
            Kind::Turn { counter: Some(counter), .. } => {
                counters.get(&counter).is_some_and(|is_wide| *is_wide || !place.is_wide)
            }
            Kind::Turn { counter: None, .. } => true,
            Kind::Flag | Kind::Counter { .. } | Kind::Progress | Kind::Lock { .. } => true,
        });
        places
    }

    fn place(
        &self,
        (kernel, structure): (&Kernel, &Structure),
        array: Array,
        initial: &BTreeMap<Instruction, bool>,
    ) -> Option<Place> {
        let data = &kernel.arrays[array];
        let is_memory = matches!(data.space, Space::Global | Space::Local)
            && !matches!(data.origin, ArrayOrigin::Image { .. } | ArrayOrigin::Library | ArrayOrigin::Aggregate);
        if self.others.contains(&array) || !is_memory {
            return None;
        }
        let begins_at_zero = !data.nonzero;
        let of_array = self.operations.iter().filter(|(_, (strong, _))| strong.array == array);
        let (begins, rest): (Vec<_>, Vec<_>) = of_array.partition(|(at, _)| initial.contains_key(at));
        let places: BTreeSet<Instruction> = rest.iter().map(|(at, _)| **at).collect();
        let all: Vec<(&Strong, bool)> = rest.into_iter().map(|(_, (strong, in_loop))| (strong, *in_loop)).collect();
        // Local memory holds anything at first.
        let is_zero = match data.space {
            Space::Global => begins_at_zero,
            _ => begins.iter().any(|(at, _)| initial[*at]),
        };
        let bytes = all.first()?.0.bytes;
        if all.iter().any(|(strong, _)| strong.bytes != bytes) {
            return None;
        }
        if !self.tell(kernel, structure, all.iter().map(|(strong, _)| *strong)) {
            return None;
        }
        // Where operations have the scope of the group, those of other groups must race with all.
        let mut scopes = all.iter().filter(|(strong, _)| !strong.is_plain).map(|(strong, _)| strong.is_wide);
        let is_wide = scopes.next()?;
        if !scopes.all(|other| other == is_wide) {
            return None;
        }
        if let Some(kind) = self.turn(kernel, &all).or_else(|| own_turn(kernel, &all, &places)) {
            return Some(Place { kind, is_wide });
        }
        let counts = is_zero
            .then(|| flag(&all).or_else(|| counter(kernel, &all)).or_else(|| self.progress(kernel, &all)))
            .flatten();
        let kind = counts.or_else(|| lock(kernel, &all))?;
        Some(Place { kind, is_wide })
    }
}

impl Found {
    /// Stores and additions in loops. A value that is read there decides a branch.
    fn progress(&self, kernel: &Kernel, all: &[(&Strong, bool)]) -> Option<Kind> {
        let is_fit = |strong: &Strong| match &strong.change {
            Change::Keep => true,
            Change::Store(_) => !strong.is_plain,
            Change::Exchange(_) => !strong.is_asked,
            Change::Count(step, limit) => limit.is_none() && !step.is_zero(),
            Change::Swap(..) | Change::Other => false,
        };
        let grows = |(strong, in_loop): &(&Strong, bool)| match strong.change {
            Change::Store(value) | Change::Exchange(value) => *in_loop && kernel.constant(value).is_none(),
            Change::Count(..) => *in_loop,
            Change::Keep | Change::Swap(..) | Change::Other => false,
        };
        // An addition adds to the last number of the same write.
        let writes = all.iter().filter(|(strong, _)| strong.writes()).count();
        let counts = all.iter().any(|(strong, _)| matches!(strong.change, Change::Count(..)));
        let decides = |(strong, _): &(&Strong, bool)| {
            strong.change == Change::Keep && strong.result.is_some_and(|result| self.deciding.contains(&result))
        };
        let is_whole = all.iter().all(|(strong, _)| is_fit(strong)) && (!counts || writes == 1);
        (is_whole && all.iter().any(grows) && all.iter().any(decides)).then_some(Kind::Progress)
    }

    /// Reads that are compared with a ticket, and stores of the next one.
    fn turn(&self, kernel: &Kernel, all: &[(&Strong, bool)]) -> Option<Kind> {
        let draws = self.operations.values().filter(|(strong, in_loop)| {
            !in_loop && matches!(&strong.change, Change::Count(step, None) if step.is_one())
        });
        let tickets: BTreeMap<Value, Array> =
            draws.filter_map(|(strong, _)| Some((strong.result?, strong.array))).collect();
        let read: BTreeSet<Value> = all.iter().filter_map(|(strong, _)| strong.result).collect();
        let mut compared = kernel.instructions.values().filter_map(|data| match data.operation {
            Operation::Compare(CompareOp::Equal | CompareOp::NotEqual, a, b) => {
                [(a, b), (b, a)].into_iter().find(|(a, b)| read.contains(a) && tickets.contains_key(b))
            }
            _ => None,
        });
        let (_, ticket) = compared.next()?;
        let counter = tickets[&ticket];
        let is_own = all.iter().any(|(strong, _)| strong.array == counter);
        // Numbers from several cells may be the same.
        let draws = self.operations.values().filter(|(strong, _)| strong.array == counter);
        let cells: BTreeSet<_> = draws.map(|(strong, _)| constant_place(kernel, strong.pointer)).collect();
        if is_own || cells.len() != 1 || cells.contains(&None) || compared.any(|(_, other)| other != ticket) {
            return None;
        }
        let is_fit = |strong: &Strong| match &strong.change {
            Change::Keep => true,
            Change::Store(_) => !strong.is_plain,
            Change::Count(step, limit) => step.is_one() && limit.is_none() && !strong.is_asked,
            Change::Exchange(_) | Change::Swap(..) | Change::Other => false,
        };
        let is_whole = all.iter().all(|(strong, _)| is_fit(strong)) && all.iter().any(|(strong, _)| strong.writes());
        is_whole.then_some(Kind::Turn { ticket, counter: Some(counter) })
    }
}

/// Reads that are compared with a number of the thread, and stores of the next one, outside of
/// loops. The number is computed in the first block, before all of these operations.
fn own_turn(kernel: &Kernel, all: &[(&Strong, bool)], places: &BTreeSet<Instruction>) -> Option<Kind> {
    let read: BTreeSet<Value> = all.iter().filter_map(|(strong, _)| strong.result).collect();
    let is_one = |value: Value| kernel.constant(value).is_some_and(Bits::is_one);
    let before = |value: Value| match kernel.operation(value) {
        Some(&Operation::Binary(BinaryOp::Add, _, a, b)) => {
            [(a, b), (b, a)].into_iter().find(|(_, step)| is_one(*step)).map(|(number, _)| number)
        }
        _ => None,
    };
    // The number may be compared in a wider type than that of the cell.
    let compared = || {
        kernel.instructions.values().filter_map(|data| match data.operation {
            Operation::Compare(CompareOp::Equal | CompareOp::NotEqual, a, b) => {
                [(a, b), (b, a)].into_iter().find(|(a, _)| read.contains(a)).map(|(_, number)| number)
            }
            _ => None,
        })
    };
    let mut stored = all.iter().filter_map(|(strong, _)| match strong.change {
        Change::Store(value) => Some(before(value)),
        _ => None,
    });
    let number = stored.next().unwrap_or_else(|| compared().next())?;
    let mut begin = kernel.blocks[kernel.entry].instructions.iter().take_while(|at| !places.contains(at));
    let is_first = begin.any(|&at| kernel.instructions[at].result == Some(number));
    if kernel.constant(number).is_some() || read.contains(&number) || !is_first {
        return None;
    }
    let is_fit = |(strong, in_loop): &(&Strong, bool)| match &strong.change {
        Change::Keep => !in_loop,
        Change::Store(value) => !in_loop && !strong.is_plain && before(*value) == Some(number),
        Change::Count(step, None) => !in_loop && step.is_one() && !strong.is_asked,
        Change::Count(..) | Change::Exchange(_) | Change::Swap(..) | Change::Other => false,
    };
    let is_whole = all.iter().all(is_fit) && all.iter().any(|(strong, _)| strong.writes());
    is_whole.then_some(Kind::Turn { ticket: number, counter: None })
}

/// Stores and exchanges outside of loops.
fn flag(all: &[(&Strong, bool)]) -> Option<Kind> {
    let is_fit = |(strong, in_loop): &(&Strong, bool)| match strong.change {
        Change::Keep => true,
        Change::Store(_) => !in_loop && !strong.is_plain,
        // The result tells which value another thread has stored; a lock is one use of it.
        Change::Exchange(_) => !in_loop && !strong.is_asked,
        Change::Count(..) | Change::Swap(..) | Change::Other => false,
    };
    let writes = all.iter().any(|(strong, _)| strong.writes());
    (writes && all.iter().all(is_fit)).then_some(Kind::Flag)
}

/// Additions of one step outside of loops.
fn counter(kernel: &Kernel, all: &[(&Strong, bool)]) -> Option<Kind> {
    let mut steps = all.iter().filter_map(|(strong, _)| match &strong.change {
        Change::Count(step, _) => Some(step),
        _ => None,
    });
    let step = steps.next()?.to_u64().filter(|step| (1..=MOST_STEP).contains(step))?;
    if !steps.all(|other| other.to_u64() == Some(step)) {
        return None;
    }
    // All have one limit, or none has.
    let limits: BTreeSet<Option<Value>> = all
        .iter()
        .filter_map(|(strong, _)| match strong.change {
            Change::Count(_, limit) => Some(limit),
            _ => None,
        })
        .collect();
    if limits.len() != 1 || limits.iter().flatten().any(|limit| !leaders::is_of_launch(kernel, *limit)) {
        return None;
    }
    let is_set = all.iter().any(|(strong, _)| matches!(strong.change, Change::Store(_) | Change::Exchange(_)));
    let is_fit = |(strong, in_loop): &(&Strong, bool)| match strong.change {
        Change::Count(..) | Change::Store(_) | Change::Exchange(_) => !in_loop,
        Change::Keep => !is_set,
        Change::Swap(..) | Change::Other => false,
    };
    all.iter().all(is_fit).then_some(Kind::Counter { step })
}

/// Swaps from one value, or exchanges of others, and stores of it.
fn lock(kernel: &Kernel, all: &[(&Strong, bool)]) -> Option<Kind> {
    let constant = |value: Value| kernel.constant(value).cloned();
    let swapped = all.iter().find_map(|(strong, _)| match &strong.change {
        Change::Swap(from, _) => Some(from.clone()),
        _ => None,
    });
    let given_back = all.iter().find_map(|(strong, _)| match strong.change {
        Change::Store(value) => constant(value),
        Change::Exchange(value) if !strong.is_asked => constant(value),
        _ => None,
    });
    let free = swapped.or(given_back)?;
    let is_fit = |strong: &Strong| match &strong.change {
        Change::Keep => true,
        Change::Swap(from, _) => *from == free && strong.result.is_some(),
        Change::Store(value) => !strong.is_plain && constant(*value).as_ref() == Some(&free),
        Change::Exchange(value) => constant(*value).is_some_and(|value| value == free || strong.is_asked),
        Change::Count(..) | Change::Other => false,
    };
    let takes = all.iter().any(|(strong, _)| is_taking(kernel, strong, &free));
    (takes && all.iter().all(|(strong, _)| is_fit(strong))).then_some(Kind::Lock { free })
}

/// Whether an operation on a lock tries to take it; if it changes the cell, it gives it back
/// otherwise.
pub fn is_taking(kernel: &Kernel, strong: &Strong, free: &Bits) -> bool {
    match strong.change {
        Change::Swap(..) => true,
        Change::Exchange(value) => kernel.constant(value) != Some(free),
        Change::Keep | Change::Store(_) | Change::Count(..) | Change::Other => false,
    }
}

/// A strong operation, or an ordinary store. Its array is not known yet.
fn strong(kernel: &Kernel, operation: &Operation, result: Option<Value>) -> Option<Strong> {
    // The PTX ISA defines volatile accesses as relaxed ones.
    let relaxed = kernel.language.has_fence_order();
    let array = Array::from_u32(0);
    let of_volatile = |pointer, change, result, value: Value, is_plain: bool| {
        let bytes = u64::from(kernel.ty(value).width()?) / 8;
        let strong = Strong {
            array,
            pointer,
            change,
            result,
            releases: false,
            acquires: false,
            is_wide: true,
            is_plain,
            is_volatile: !is_plain,
            is_asked: false,
            bytes,
        };
        matches!(bytes, 1 | 2 | 4 | 8).then_some(strong)
    };
    match operation {
        Operation::Load(access) if access.volatile && relaxed => {
            of_volatile(access.pointer, Change::Keep, result, result?, false)
        }
        Operation::Store(access, value) => {
            of_volatile(access.pointer, Change::Store(*value), None, *value, !(access.volatile && relaxed))
        }
        Operation::Atomic { access, op, operands, ordering, failing, scope } => {
            let width = operands.first().copied().or(result).and_then(|value| kernel.ty(value).width())?;
            let is_wide = is_wide(*scope)?;
            let bytes = u64::from(width) / 8;
            let change = change(kernel, *op, operands, width);
            let strong = Strong {
                array,
                pointer: access.pointer,
                result,
                releases: ordering.releases() && *op != AtomicOp::Load,
                // A swap that changes nothing may fail. One that takes a lock does not.
                acquires: ordering.acquires()
                    && *op != AtomicOp::Store
                    && (change != Change::Keep || failing.is_none_or(Ordering::acquires)),
                is_wide,
                is_plain: false,
                is_volatile: false,
                is_asked: false,
                bytes,
                change,
            };
            matches!(bytes, 4 | 8).then_some(strong)
        }
        _ => None,
    }
}

/// Whether a scope includes all threads of the launch, or those of the group; `None` if it includes
/// less.
pub fn is_wide(scope: Scope) -> Option<bool> {
    match scope {
        Scope::Thread | Scope::Warp => None,
        Scope::Group | Scope::Cluster => Some(false),
        Scope::Device | Scope::System => Some(true),
    }
}

/// Whether an atomic operation never changes its cell.
pub fn only_reads(kernel: &Kernel, operation: &Operation) -> bool {
    let Operation::Atomic { op, operands, .. } = operation else { return false };
    let width = operands.first().and_then(|value| kernel.ty(*value).width());
    *op == AtomicOp::Load || width.is_some_and(|width| change(kernel, *op, operands, width) == Change::Keep)
}

/// The change that an atomic operation makes.
fn change(kernel: &Kernel, op: AtomicOp, operands: &[Value], width: u32) -> Change {
    let constant = |value: &Value| kernel.constant(*value).cloned();
    let is = |value: &Value, bits: &Bits| kernel.constant(*value) == Some(bits);
    match (op, operands) {
        (AtomicOp::Load, _) => Change::Keep,
        (AtomicOp::Store, [value]) => Change::Store(*value),
        (AtomicOp::Exchange, [value]) => Change::Exchange(*value),
        (AtomicOp::Add | AtomicOp::Subtract | AtomicOp::Or | AtomicOp::Xor, [value])
            if is(value, &Bits::zero(width)) =>
        {
            Change::Keep
        }
        (AtomicOp::And, [value]) if is(value, &Bits::ones(width)) => Change::Keep,
        (AtomicOp::CompareExchange, [from, to]) => match (constant(from), constant(to)) {
            _ if from == to => Change::Keep,
            (Some(from), Some(to)) if from == to => Change::Keep,
            (Some(from), _) => Change::Swap(from, *to),
            (None, _) => Change::Other,
        },
        (AtomicOp::Add, [step]) => constant(step).map_or(Change::Other, |step| Change::Count(step, None)),
        (AtomicOp::Increment, []) => Change::Count(Bits::one(width), None),
        (AtomicOp::Increment, [limit]) => Change::Count(Bits::one(width), Some(*limit)),
        _ => Change::Other,
    }
}
