//! Barriers of the whole launch that a kernel makes of a counter, as barriers.
//!
//! Kernels that cannot call a library for it make such a barrier themselves, often once in each
//! iteration of a loop:
//!
//! ```text
//! barrier of the group
//! if (the thread is the leader) {
//!     fence;  count += 1;  while (count < goal);  fence;
//! }
//! barrier of the group
//! ```
//!
//! [`with_grid_barriers`] puts a barrier of the launch before what the leader does, at which the
//! proof forgets what came before, and states two obligations.
//!
//! # Why this is sound
//!
//! The following is checked of the kernel's text, for one cell that only these places of the kernel
//! access, with additions of one constant s > 0 and reads, at a scope that includes all threads.
//!
//! 1. A thread that every group has comes to the leader's code whenever the group comes to the
//!    branch, and adds once on each way through that code.
//! 2. No thread accesses memory between the first barrier and the second, except for the cell.
//! 3. On each way, the leader releases before or by its addition, and acquires by or after its last
//!    read of the cell, which may be the addition's own.
//!
//! Two obligations are left to the proof ([`AssertKind::Elected`], [`AssertKind::Awaited`]):
//!
//! 4. At most one thread of each group comes to the leader's code.
//! 5. Let E be the number of times that the thread has passed one of these places, this one
//!    included, and G the number of groups. Then what the last read has returned is at least E G s
//!    (if it is the addition, what it has written).
//!
//! The transformed kernel also asserts that all threads come to the barrier of the launch, or none,
//! so that a thread's E-th barrier is every other thread's E-th. And the cell is zero at first and
//! does not wrap (listed).
//!
//! *Claim.* When a leader goes on behind its E-th wait, the leaders of all groups have made their
//! E-th addition, and each of these precedes the read in observation order. *Proof.* The additions
//! are read-modify-writes, so they form a chain in which the value grows by s. Let r = v s be what
//! the read returns: it reads from the v-th addition of the chain, and v >= E G. Suppose that some
//! group h has made fewer than E of the first v additions. Then some other group j has made at
//! least E + 1 of them, since there are G groups. The leader of j had gone on behind its E-th wait
//! before its (E+1)-th addition. By coherence, that wait's read reads from an earlier addition than
//! the (E+1)-th one, so from the v'-th with v' < v, and h has made fewer than E of the first v'
//! additions, too. So there is an infinite descent.
//!
//! By 3, each leader's E-th addition is part of a release pattern, and the read of one of an
//! acquire pattern that observes it. So accesses before a leader's release happen before those
//! behind another leader's acquisition. By 2 and by the barriers of the group, each access that a
//! thread makes before the E-th place happens before each access that any thread makes behind it.
//! A barrier of the launch means the same. As for all rules, an execution in which an
//! obligation fails has a first failure, and everything before it is as described ([`super`]).
//!
//! *With fences of all threads.* Where all threads fence before the first barrier, and not the
//! leader behind it, its addition is no release pattern; where they fence behind the second one,
//! its read is no acquire pattern. In PTX, sequentially consistent fences order all the same, if
//! there is one on both sides: see the argument in `interpreter/races/fences.rs`. The barriers of
//! the group order the threads' fences before the leader's addition and behind its read.
//!
//! *No wrap.* At most 2^(w-3) / s additions are made (listed), where w is the width of the cell.
//! All groups come to the first barrier or none, so G is at most that. A thread comes to its E-th
//! place only if the (E-1) G additions before are made. So E G s <= 2^(w-2): products are exact,
//! and comparisons with a sign are right as well. The transformed kernel assumes E G s < 2^(w-1).

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::transform::{Carried, Place, carry};
use lockstep_ir::kernel::{
    Array, AssertKind, AssumeKind, BarrierKind, BinaryOp, Block, Builder, CompareOp, ConvertOp, Instruction, Kernel,
    Operation, Ordering, Scope, Space, SpaceSet, Terminator, ThreadQuery, Type, Value, VerifiedKernel, verify,
};
use lockstep_ir::source::Location;
use lockstep_options::launch::Launch;
use num_bigint::BigUint;

use super::{Change, Found, MOST_STEP, Strong, has_other_synchronisation, is_wide, leaders};
use crate::analysis::accesses::for_each_access;
use crate::analysis::alignment::divisors;
use crate::analysis::initialised::constant_place;
use crate::analysis::pointers::points_to;
use crate::analysis::structure::Structure;

/// The most ways through a leader's code.
const MOST_WAYS: usize = 64;

/// The width of the launch's sizes in bits.
const QUERY_WIDTH: u32 = 64;

/// A kernel whose barriers of the launch are operations.
pub struct GridBarriers {
    /// The kernel.
    pub kernel: VerifiedKernel,
    /// The arrays of the counters, with the most additions that are assumed.
    pub counters: BTreeMap<Array, BigUint>,
}

/// The counter of some barriers.
struct Counter {
    array: Array,
    step: u64,
    width: u32,
    barriers: Vec<GridBarrier>,
}

/// A place at which the threads of the launch meet.
#[derive(Debug)]
struct GridBarrier {
    /// The block behind whose end the leader parts from the others.
    branch: Block,
    /// The block with which the leader's code begins.
    entry: Block,
    /// The memories that it orders.
    spaces: SpaceSet,
    /// The leader's operations on the counter, with what they do.
    operations: BTreeMap<Instruction, Strong>,
    /// The blocks that end the leader's code.
    exits: BTreeSet<Block>,
}

/// The kernel in which barriers of the launch are operations; `None` if it makes none.
pub fn with_grid_barriers(kernel: &VerifiedKernel, launch: &Launch) -> Option<GridBarriers> {
    let (changed, structure) = Structure::of(kernel).ok()?;
    let (points_to, divisors) = (points_to(&changed), divisors(&changed, &structure.order));
    let mut found = Found::default();
    for &instruction in structure.order.iter().flat_map(|&block| &changed.blocks[block].instructions) {
        found.note(&changed, &points_to, &divisors, instruction, false);
    }
    let is_addition = |strong: &Strong| matches!(strong.change, Change::Count(_, None));
    let arrays = found.operations.values().filter(|(strong, _)| is_addition(strong)).map(|(strong, _)| strong.array);
    let arrays: BTreeSet<Array> = arrays.collect();
    // The barrier of the launch stands before the additions, so an ordinary load before it would
    // seem to be ordered with them.
    let mut read: BTreeSet<Array> = BTreeSet::new();
    let all = structure.order.iter().flat_map(|&block| &changed.blocks[block].instructions);
    for &instruction in all.filter(|instruction| !found.operations.contains_key(instruction)) {
        let data = &changed.instructions[instruction];
        for_each_access(&changed, &data.operation, data.result, |access| {
            read.extend(&points_to[access.pointer].arrays);
        });
    }
    let fit = arrays.into_iter().filter(|array| !read.contains(array));
    let counters = fit.filter_map(|array| counter(&changed, &structure, launch, &found, array));
    let counters: Vec<Counter> = counters.collect();
    if counters.is_empty() || has_other_synchronisation(&changed, &structure) {
        return None;
    }
    let limits = counters.iter().map(|counter| (counter.array, counter.most_additions())).collect();
    let kernel = verify(replace(changed, launch, &counters)).ok()?;
    Some(GridBarriers { kernel, counters: limits })
}

/// The counter in an array, if all accesses to it belong to barriers of the launch.
fn counter(kernel: &Kernel, structure: &Structure, launch: &Launch, found: &Found, array: Array) -> Option<Counter> {
    let data = &kernel.arrays[array];
    let all: BTreeMap<Instruction, &Strong> = found
        .operations
        .iter()
        .filter(|(_, (strong, _))| strong.array == array)
        .map(|(&at, (strong, _))| (at, strong))
        .collect();
    let first = all.values().next()?;
    let (cell, bytes) = (constant_place(kernel, first.pointer)?, first.bytes);
    let step = all.values().find_map(|strong| match &strong.change {
        Change::Count(step, None) => step.to_u64().filter(|step| (1..=MOST_STEP).contains(step)),
        _ => None,
    })?;
    let is_fit = |strong: &&Strong| {
        let changes = match &strong.change {
            Change::Keep => true,
            Change::Count(by, None) => by.to_u64() == Some(step),
            _ => false,
        };
        let is_same = constant_place(kernel, strong.pointer) == Some(cell) && strong.bytes == bytes;
        changes && is_same && strong.is_wide && !strong.is_plain
    };
    if data.space != Space::Global || data.nonzero || found.others.contains(&array) || !all.values().all(is_fit) {
        return None;
    }
    let of_block = |&block: &Block| grid_barrier(kernel, structure, launch, &all, block);
    let barriers: Vec<GridBarrier> = structure.order.iter().filter_map(of_block).collect();
    let known: BTreeSet<Instruction> = barriers.iter().flat_map(|barrier| barrier.operations.keys()).copied().collect();
    let width = u32::try_from(bytes).ok()? * 8;
    let counter = Counter { array, step, width, barriers };
    // A launch of more groups refutes the assumption about the number of additions.
    let groups: Option<BigUint> = launch.num_groups.iter().map(|extent| extent.known().map(BigUint::from)).product();
    let is_possible = groups.is_none_or(|groups| groups <= counter.most_additions());
    (known.len() == all.len() && is_possible).then_some(counter)
}

/// The barrier of the launch at which a leader parts from its group at the end of a block.
fn grid_barrier(
    kernel: &Kernel,
    structure: &Structure,
    launch: &Launch,
    all: &BTreeMap<Instruction, &Strong>,
    branch: Block,
) -> Option<GridBarrier> {
    let Terminator::Branch { condition, then, otherwise } = &kernel.blocks[branch].terminator else { return None };
    let before = meets_before(kernel, structure, branch)?;
    for (enters, passes, holds) in [(then, otherwise, true), (otherwise, then, false)] {
        if enters.block == passes.block {
            continue;
        }
        let Some(inside) = between(kernel, structure, (branch, enters.block), passes.block) else { continue };
        let is_inside = |at: &Instruction| inside.iter().any(|&block| kernel.blocks[block].instructions.contains(at));
        let operations: BTreeMap<Instruction, Strong> =
            all.iter().filter(|(at, _)| is_inside(at)).map(|(&at, &strong)| (at, strong.clone())).collect();
        if operations.is_empty() || !leaders::is_chosen(kernel, launch, *condition, holds) {
            continue;
        }
        let behind = meets_behind(kernel, passes.block)?;
        let mut walk = Walk {
            kernel,
            operations: &operations,
            behind: passes.block,
            fenced: [before.is_total, behind.is_total],
            exits: BTreeSet::new(),
            ways: 0,
        };
        walk.follow(&[enters.block], Way::default())?;
        let exits = walk.exits;
        let spaces = SpaceSet { global: true, local: before.spaces.local && behind.spaces.local, ..SpaceSet::NONE };
        return Some(GridBarrier { branch, entry: enters.block, spaces, operations, exits });
    }
    None
}

/// The blocks between an edge and a block that all of them lead to, if no other edge leads there.
fn between(
    kernel: &Kernel,
    structure: &Structure,
    (branch, first): (Block, Block),
    behind: Block,
) -> Option<BTreeSet<Block>> {
    let mut inside = BTreeSet::new();
    let mut pending = vec![first];
    while let Some(block) = pending.pop() {
        if block == branch || inside.len() > MOST_WAYS {
            return None;
        }
        if block != behind && inside.insert(block) {
            pending.extend(kernel.blocks[block].terminator.targets().map(|target| target.block));
        }
    }
    let is_closed = |&block: &Block| {
        let mut from = structure.predecessors[block].iter();
        from.all(|from| inside.contains(from) || (block == first && *from == branch))
    };
    let meets = structure.predecessors[behind].iter().all(|from| inside.contains(from) || *from == branch);
    (inside.iter().all(is_closed) && meets).then_some(inside)
}

/// A barrier of the group before or behind the leader's code.
struct Met {
    spaces: SpaceSet,
    /// Whether each thread passes a sequentially consistent fence on its other side, and accesses
    /// nothing in between.
    is_total: bool,
}

impl Met {
    /// Goes on to an operation; `None` if it lies beyond what the barrier and the fence may have
    /// between them.
    fn pass(met: &mut Option<Self>, kernel: &Kernel, operation: &Operation) -> Option<()> {
        match (operation, met) {
            (Operation::Barrier { kind: BarrierKind::Group, spaces, flags: None }, met @ None) if spaces.global => {
                *met = Some(Self { spaces: *spaces, is_total: false });
            }
            (Operation::Fence { ordering, scope, spaces }, Some(met)) if is_total(kernel, *ordering, *scope) => {
                met.is_total |= spaces.global;
            }
            (operation, _) if is_quiet(operation) => {}
            _ => return None,
        }
        Some(())
    }
}

/// The barrier of the group after which nothing is accessed up to the end of a block.
fn meets_before(kernel: &Kernel, structure: &Structure, block: Block) -> Option<Met> {
    let (mut at, mut met, mut seen) = (block, None, BTreeSet::new());
    while seen.insert(at) {
        for &instruction in kernel.blocks[at].instructions.iter().rev() {
            if Met::pass(&mut met, kernel, &kernel.instructions[instruction].operation).is_none() {
                return met;
            }
        }
        // Whoever comes to the end has come through the only block before.
        let &[before] = structure.predecessors[at].as_slice() else { break };
        if !matches!(kernel.blocks[before].terminator, Terminator::Jump(_)) {
            break;
        }
        at = before;
    }
    met
}

/// The barrier of the group to which a block leads before anything is accessed.
fn meets_behind(kernel: &Kernel, block: Block) -> Option<Met> {
    let (mut at, mut met, mut seen) = (block, None, BTreeSet::new());
    while seen.insert(at) {
        for &instruction in &kernel.blocks[at].instructions {
            if Met::pass(&mut met, kernel, &kernel.instructions[instruction].operation).is_none() {
                return met;
            }
        }
        let Terminator::Jump(target) = &kernel.blocks[at].terminator else { break };
        at = target.block;
    }
    met
}

/// Whether an operation neither accesses memory nor waits.
fn is_quiet(operation: &Operation) -> bool {
    let assumes = matches!(operation, Operation::Assume(..) | Operation::Fence { .. });
    assumes || operation.is_computation()
}

/// Whether a fence has a place in the order of sequentially consistent fences.
fn is_total(kernel: &Kernel, ordering: Ordering, scope: Scope) -> bool {
    ordering == Ordering::SequentiallyConsistent && is_wide(scope) == Some(true) && kernel.language.has_fence_order()
}

/// The operations of the leader on its way.
#[derive(Clone, Debug, Default)]
struct Way {
    /// Whether it has executed a releasing fence, and a sequentially consistent one.
    fenced: [bool; 2],
    /// Whether its addition is part of a release pattern, and whether a sequentially consistent
    /// fence precedes it; `None` before the addition.
    released: Option<[bool; 2]>,
    /// Whether it has acquired by its last operation on the counter, and whether a sequentially
    /// consistent fence follows that.
    acquired: [bool; 2],
    /// Whether the last operation returns what it has read.
    is_read: bool,
}

/// A walk along all ways through the leader's code.
struct Walk<'a> {
    kernel: &'a Kernel,
    operations: &'a BTreeMap<Instruction, Strong>,
    /// The block behind the code.
    behind: Block,
    /// Whether all threads pass a sequentially consistent fence before they meet first, and after
    /// they meet again.
    fenced: [bool; 2],
    exits: BTreeSet<Block>,
    ways: usize,
}

impl Walk<'_> {
    /// Follows all ways from the last of these blocks; `None` if one of them is not a leader's.
    fn follow(&mut self, blocks: &[Block], mut way: Way) -> Option<()> {
        let (&block, before) = blocks.split_last()?;
        if before.contains(&block) {
            return None;
        }
        for &instruction in &self.kernel.blocks[block].instructions {
            self.pass(instruction, &mut way)?;
        }
        let targets: Vec<Block> = self.kernel.blocks[block].terminator.targets().map(|target| target.block).collect();
        if targets.is_empty() {
            return None;
        }
        for target in targets {
            if target != self.behind {
                self.follow(&[blocks, &[target]].concat(), way.clone())?;
                continue;
            }
            self.ways += 1;
            self.exits.insert(block);
            if self.ways > MOST_WAYS || !self.orders(&way)? {
                return None;
            }
        }
        Some(())
    }

    /// Whether a way that has added orders what all groups do before and behind it.
    fn orders(&self, way: &Way) -> Option<bool> {
        let [released, fenced] = way.released?;
        let by_patterns = released && way.acquired[0];
        let by_fences = (fenced || self.fenced[0]) && (way.acquired[1] || self.fenced[1]);
        Some(way.is_read && (by_patterns || by_fences))
    }

    fn pass(&self, instruction: Instruction, way: &mut Way) -> Option<()> {
        let operation = &self.kernel.instructions[instruction].operation;
        if let Some(strong) = self.operations.get(&instruction) {
            if strong.writes() {
                // One addition in each place.
                let [fenced, total] = way.fenced;
                way.released = way.released.is_none().then_some([fenced || strong.releases, total]);
                way.released?;
            }
            way.acquired = [strong.acquires, false];
            way.is_read = strong.result.is_some();
            return Some(());
        }
        if let Operation::Fence { ordering, scope, spaces } = operation
            && is_wide(*scope) == Some(true)
            && spaces.global
        {
            let is_total = is_total(self.kernel, *ordering, *scope);
            way.fenced = [way.fenced[0] || ordering.releases(), way.fenced[1] || is_total];
            way.acquired = [way.acquired[0] || ordering.acquires(), way.acquired[1] || is_total];
        }
        is_quiet(operation).then_some(())
    }
}

/// Puts barriers of the launch before what the leaders do, with the obligations.
fn replace(kernel: Kernel, launch: &Launch, counters: &[Counter]) -> Kernel {
    let numbers = |counter: &Counter| {
        let name = &kernel.arrays[counter.array].name;
        let named = |what: &str| Carried { name: format!("{name}.{what}"), initial: Bits::zero(counter.width) };
        [named("barriers"), named("seen")]
    };
    let numbers: Vec<Carried> = counters.iter().flat_map(numbers).collect();
    carry(kernel, &numbers, |kernel, block, place, numbers| {
        for (counter, numbers) in counters.iter().zip(numbers.chunks_exact_mut(2)) {
            let [passed, seen] = numbers else { panic!("a counter has two numbers") };
            for barrier in &counter.barriers {
                let location = barrier.location(kernel);
                let code = Builder { kernel, block, location };
                match place {
                    Place::At(instruction) if barrier.operations.contains_key(&instruction) => {
                        *seen = counter.operate(code, instruction, &barrier.operations[&instruction], *seen);
                    }
                    Place::Begin if barrier.entry == block => elect(code),
                    Place::End if barrier.exits.contains(&block) => counter.await_all(code, launch, *passed, *seen),
                    Place::End if barrier.branch == block => {
                        *passed = counter.meet(code, launch, barrier.spaces, *passed);
                    }
                    _ => {}
                }
            }
        }
        if let Place::At(instruction) = place
            && !counters.iter().any(|counter| counter.operates(instruction))
        {
            kernel.blocks[block].instructions.push(instruction);
        }
    })
}

/// Asserts that at most one thread of each group comes to the leader's code.
fn elect(mut code: Builder<'_>) {
    let always = code.append(Operation::Constant(Bits::one(1)), Type::Bool);
    code.append_effect(Operation::Assert(always, AssertKind::Elected));
}

impl GridBarrier {
    fn location(&self, kernel: &Kernel) -> Option<Location> {
        self.operations.keys().next().and_then(|&at| kernel.instructions[at].location)
    }
}

impl Counter {
    /// The most additions that are assumed.
    fn most_additions(&self) -> BigUint {
        (BigUint::from(1u32) << (self.width - 3)) / self.step
    }

    fn operates(&self, instruction: Instruction) -> bool {
        self.barriers.iter().any(|barrier| barrier.operations.contains_key(&instruction))
    }

    /// An operation of a leader; what it has seen of the counter.
    fn operate(&self, mut code: Builder<'_>, instruction: Instruction, strong: &Strong, before: Value) -> Value {
        code.kernel.blocks[code.block].instructions.push(instruction);
        match strong.result {
            Some(result) if strong.writes() => {
                let step = code.number(self.width, self.step);
                code.binary(BinaryOp::Add, result, step)
            }
            Some(result) => result,
            None => before,
        }
    }

    /// A barrier of the launch; the number of them that the thread has passed.
    fn meet(&self, mut code: Builder<'_>, launch: &Launch, spaces: SpaceSet, passed: Value) -> Value {
        code.append_effect(Operation::Barrier { kind: BarrierKind::Grid, spaces, flags: None });
        let one = code.number(self.width, 1);
        let passed = code.binary(BinaryOp::Add, passed, one);
        // The counter does not wrap.
        let goal = self.goal(&mut code, launch, passed);
        let limit = code.bits(Bits::new(self.width, BigUint::from(1u32) << (self.width - 1)));
        let is_small = code.compare(CompareOp::UnsignedLess, goal, limit);
        code.append_effect(Operation::Assume(is_small, AssumeKind::Semantics));
        passed
    }

    /// Asserts that the last value that a leader has seen includes the additions of all groups.
    fn await_all(&self, mut code: Builder<'_>, launch: &Launch, passed: Value, seen: Value) {
        let goal = self.goal(&mut code, launch, passed);
        let holds = code.compare(CompareOp::UnsignedLessEqual, goal, seen);
        code.append_effect(Operation::Assert(holds, AssertKind::Awaited));
    }

    /// The value of the counter when all groups have counted for this number of barriers.
    fn goal(&self, code: &mut Builder<'_>, launch: &Launch, passed: Value) -> Value {
        let mut goal = passed;
        if self.step > 1 {
            let step = code.number(self.width, self.step);
            goal = code.binary(BinaryOp::Multiply, goal, step);
        }
        for dimension in (0..3u8).filter(|&dimension| launch.num_groups[usize::from(dimension)].known() != Some(1)) {
            let mut groups =
                code.append(Operation::ThreadQuery(ThreadQuery::NumGroups(dimension)), Type::Bits(QUERY_WIDTH));
            if self.width < QUERY_WIDTH {
                groups = code.append(Operation::Convert(ConvertOp::Truncate, groups), Type::Bits(self.width));
            }
            goal = code.binary(BinaryOp::Multiply, goal, groups);
        }
        goal
    }
}
