//! Barriers of the whole launch that a kernel makes of memory, as barriers.
//!
//! Kernels that cannot call a library for it make such a barrier themselves, often once in each
//! iteration of a loop:
//!
//! ```text
//! barrier of the group
//! if (the thread is the leader) {
//!     fence;  count;  wait until all groups have counted;  fence;
//! }
//! barrier of the group
//! ```
//!
//! There are two ways to wait: on the counter itself, which grows ([`counters`]), or on a flag
//! that the last one turns when it has set the counter back ([`generations`]).
//!
//! [`with_grid_barriers`] puts a barrier of the launch before what the leader does, at which the
//! proof forgets what came before, and states obligations.
//!
//! # Why this is sound
//!
//! The following is checked of the kernel's text, for one or two cells that only these places of
//! the kernel access, at a scope that includes all threads.
//!
//! 1. A thread that every group has comes to the leader's code whenever the group comes to the
//!    branch, and adds once on each way through that code.
//! 2. No thread accesses memory between the first barrier and the second, except for the cells.
//! 3. On each way, the leader releases before or by its addition, and acquires by or after the
//!    last operation by which it knows that all groups have counted.
//!
//! Two obligations are left to the proof ([`AssertKind::Elected`], [`AssertKind::Awaited`]):
//!
//! 4. At most one thread of each group comes to the leader's code.
//! 5. All groups have counted when it goes on, which each form states in its own way.
//!
//! The transformed kernel also asserts that all threads come to the barrier of the launch, or
//! none, so that a thread's E-th barrier is every other thread's E-th.
//!
//! Both forms show that each leader's E-th addition is part of a release pattern, that by its E-th
//! wait each leader has acquired from all of them, and so that accesses before a leader's release
//! happen before those behind another leader's acquisition. By 2 and by the barriers of the group,
//! each access that a thread makes before the E-th place happens before each access that any
//! thread makes behind it. A barrier of the launch means the same. As for all rules, an execution
//! in which an obligation fails has a first failure, and everything before it is as described
//! ([`super`]).
//!
//! *With fences of all threads.* Where all threads fence before the first barrier, and not the
//! leader behind it, its addition is no release pattern; where they fence behind the second one,
//! its read is no acquire pattern. In PTX, sequentially consistent fences order all the same, if
//! there is one on both sides: see the argument in `interpreter/races/fences.rs`. The barriers of
//! the group order the threads' fences before the leader's addition and behind its read. A pattern
//! on one side and such fences on the other order nothing, so all ways of all leaders must order
//! in the same manner.

mod counters;
mod generations;

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::transform::{Carried, Place, carry};
use lockstep_ir::kernel::{
    Array, AssertKind, BarrierKind, BinaryOp, Block, Builder, ConvertOp, Instruction, Kernel, Operation, Ordering,
    Scope, Space, SpaceSet, Terminator, ThreadQuery, Type, Value, VerifiedKernel, verify,
};
use lockstep_ir::source::Location;
use lockstep_options::launch::Launch;
use num_bigint::BigUint;

use super::leaders::{self, Thread};
use super::{Found, Strong, has_other_synchronisation, is_wide};
use crate::analysis::accesses::for_each_access;
use crate::analysis::alignment::divisors;
use crate::analysis::initialised::constant_place;
use crate::analysis::pointers::points_to;
use crate::analysis::structure::Structure;
use counters::Counter;
use generations::Generations;

/// The most ways through a leader's code.
const MOST_WAYS: usize = 64;

/// The width of the launch's sizes in bits.
const QUERY_WIDTH: u32 = 64;

/// A kernel whose barriers of the launch are operations.
pub struct GridBarriers {
    /// The kernel.
    pub kernel: VerifiedKernel,
    /// The arrays of their cells, with what is assumed of each.
    pub arrays: BTreeMap<Array, Listed>,
}

/// Assumptions about an array of cells.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// Whether they are zero at first.
    pub unset: bool,
    /// The most additions that are made to a counter there, if that matters.
    pub additions: Option<BigUint>,
}

/// A cell by which leaders wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    array: Array,
    /// The offset in bytes.
    place: u64,
    bytes: u64,
}

impl Cell {
    /// The cell of an operation, if it is always the same.
    fn of(kernel: &Kernel, strong: &Strong) -> Option<Self> {
        let (array, place) = constant_place(kernel, strong.pointer)?;
        Some(Self { array, place, bytes: strong.bytes })
    }

    fn overlaps(self, other: Self) -> bool {
        self.array == other.array && self.place < other.place + other.bytes && other.place < self.place + self.bytes
    }

    fn width(self) -> Option<u32> {
        u32::try_from(self.bytes * 8).ok()
    }
}

/// The operations on each cell.
type Cells = BTreeMap<Cell, BTreeMap<Instruction, Strong>>;

/// The leader's code at a place where the threads of the launch meet.
#[derive(Clone, Debug)]
struct Code {
    /// The block behind whose end the leader parts from the others.
    branch: Block,
    /// The block with which the leader's code begins.
    entry: Block,
    /// The block behind the code.
    behind: Block,
    /// The memories that the barriers of the group order.
    spaces: SpaceSet,
    /// Whether all threads pass a sequentially consistent fence before they meet first, and after
    /// they meet again.
    fenced: [bool; 2],
    /// Threads that every group has and that come to the code, whatever else holds.
    leaders: BTreeSet<Thread>,
    /// The leader's operations.
    operations: BTreeMap<Instruction, (Cell, Strong)>,
}

impl Code {
    fn cells(&self) -> BTreeSet<Cell> {
        self.operations.values().map(|(cell, _)| *cell).collect()
    }

    fn location(&self, kernel: &Kernel) -> Option<Location> {
        self.operations.keys().next().and_then(|&at| kernel.instructions[at].location)
    }
}

/// A form of barriers of the launch, with all places of the kernel that use its cells.
trait Form {
    /// The places, with the blocks that end each leader's code.
    fn codes(&self) -> &[(Code, BTreeSet<Block>)];

    /// The assumptions about the arrays of its cells.
    fn listed(&self) -> Vec<(Array, Listed)>;

    /// The numbers that each thread carries for it.
    fn carried(&self, kernel: &Kernel) -> Vec<Carried>;

    /// All threads come to a place. Behind the barrier of the launch.
    fn meet(&self, code: Builder<'_>, launch: &Launch, numbers: &mut [Value]);

    /// The leader enters its code.
    fn enter(&self, code: Builder<'_>, numbers: &mut [Value]);

    /// The leader executes an operation on a cell, which is appended.
    fn operate(&self, code: Builder<'_>, launch: &Launch, at: Instruction, numbers: &mut [Value]);

    /// The leader may be at the end of its code: it is at the end of a block from which it leaves
    /// that code. Obligations stated here hold on the block's other edges, too.
    fn leave(&self, code: Builder<'_>, launch: &Launch, numbers: &mut [Value]);

    /// Whether an instruction is an operation of some leader.
    fn operates(&self, at: Instruction) -> bool {
        self.codes().iter().any(|(code, _)| code.operations.contains_key(&at))
    }
}

/// The kernel in which barriers of the launch are operations; `None` if it makes none.
pub fn with_grid_barriers(kernel: &VerifiedKernel, launch: &Launch) -> Option<GridBarriers> {
    let (changed, structure) = Structure::of(kernel).ok()?;
    let cells = cells(&changed, &structure);
    if cells.is_empty() || has_other_synchronisation(&changed, &structure) {
        return None;
    }
    let mut places: BTreeMap<BTreeSet<Cell>, Vec<Code>> = BTreeMap::new();
    for &block in &structure.order {
        if let Some(code) = code(&changed, &structure, launch, &cells, block) {
            places.entry(code.cells()).or_default().push(code);
        }
    }
    retain_whole(&mut places, &cells);
    let of_places = places.into_iter().filter_map(|(cells, codes)| form(&changed, launch, &cells, codes));
    let is_zero = |(array, listed): &(Array, Listed)| !(listed.unset && changed.arrays[*array].nonzero);
    let mut forms: Vec<Box<dyn Form>> = of_places.filter(|form| form.listed().iter().all(is_zero)).collect();
    // An array is of barriers, or it is not.
    loop {
        let whole: BTreeSet<Cell> =
            forms.iter().flat_map(|form| form.codes()).flat_map(|(code, _)| code.cells()).collect();
        let is_whole = |array: Array| cells.keys().filter(|cell| cell.array == array).all(|cell| whole.contains(cell));
        let before = forms.len();
        forms.retain(|form| form.listed().iter().all(|(array, _)| is_whole(*array)));
        if forms.len() == before {
            break;
        }
    }
    let mut arrays: BTreeMap<Array, Listed> = BTreeMap::new();
    for (array, listed) in forms.iter().flat_map(|form| form.listed()) {
        let all = arrays.entry(array).or_default();
        all.unset |= listed.unset;
        all.additions = all.additions.take().into_iter().chain(listed.additions).min();
    }
    if forms.is_empty() {
        return None;
    }
    let kernel = verify(replace(changed, launch, &forms)).ok()?;
    Some(GridBarriers { kernel, arrays })
}

/// The cells of arrays whose every access is an operation on one of them.
fn cells(kernel: &Kernel, structure: &Structure) -> Cells {
    let (points_to, divisors) = (points_to(kernel), divisors(kernel, &structure.order));
    let mut found = Found::default();
    for &instruction in structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions) {
        found.note(kernel, &points_to, &divisors, instruction, false);
    }
    // The barrier of the launch stands before the additions, so an ordinary load before it would
    // seem to be ordered with them.
    let mut unfit: BTreeSet<Array> = found.others.clone();
    let all = structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions);
    for &instruction in all.filter(|instruction| !found.operations.contains_key(instruction)) {
        let data = &kernel.instructions[instruction];
        for_each_access(kernel, &data.operation, data.result, |access| {
            unfit.extend(&points_to[access.pointer].arrays);
        });
    }
    let mut cells = Cells::new();
    for (&at, (strong, _)) in &found.operations {
        match Cell::of(kernel, strong) {
            Some(cell) if strong.is_wide && kernel.arrays[strong.array].space == Space::Global => {
                cells.entry(cell).or_default().insert(at, strong.clone());
            }
            _ => _ = unfit.insert(strong.array),
        }
    }
    for cell in cells.keys() {
        if cells.keys().any(|other| other != cell && other.overlaps(*cell)) {
            unfit.insert(cell.array);
        }
    }
    cells.retain(|cell, _| !unfit.contains(&cell.array));
    cells
}

/// Leaves out the places whose cells are accessed elsewhere, too.
fn retain_whole(places: &mut BTreeMap<BTreeSet<Cell>, Vec<Code>>, cells: &Cells) {
    places.retain(|of_places, codes| {
        let known: BTreeSet<Instruction> = codes.iter().flat_map(|code| code.operations.keys()).copied().collect();
        of_places.iter().all(|cell| cells[cell].keys().all(|at| known.contains(at)))
    });
}

/// The form of the barriers that use these cells.
fn form(kernel: &Kernel, launch: &Launch, cells: &BTreeSet<Cell>, codes: Vec<Code>) -> Option<Box<dyn Form>> {
    match *cells.iter().copied().collect::<Vec<_>>() {
        [cell] => Some(Box::new(Counter::of(kernel, launch, cell, codes)?)),
        [first, second] => {
            let form = |count, flag| Generations::of(kernel, launch, count, flag, codes.clone());
            Some(Box::new(form(first, second).or_else(|| form(second, first))?))
        }
        _ => None,
    }
}

/// The leader's code that begins at the end of a block.
fn code(kernel: &Kernel, structure: &Structure, launch: &Launch, cells: &Cells, branch: Block) -> Option<Code> {
    let Terminator::Branch { condition, then, otherwise } = &kernel.blocks[branch].terminator else { return None };
    let before = meets_before(kernel, structure, branch)?;
    for (enters, passes, holds) in [(then, otherwise, true), (otherwise, then, false)] {
        if enters.block == passes.block {
            continue;
        }
        let Some(inside) = between(kernel, structure, (branch, enters.block), passes.block) else { continue };
        let is_inside = |at: &Instruction| inside.iter().any(|&block| kernel.blocks[block].instructions.contains(at));
        let operations: BTreeMap<Instruction, (Cell, Strong)> = cells
            .iter()
            .flat_map(|(cell, all)| all.iter().map(move |(at, strong)| (*at, (*cell, strong.clone()))))
            .filter(|(at, _)| is_inside(at))
            .collect();
        let leaders = leaders::chosen(kernel, launch, *condition, holds);
        if operations.is_empty() || leaders.is_empty() {
            continue;
        }
        let behind = meets_behind(kernel, passes.block)?;
        return Some(Code {
            branch,
            entry: enters.block,
            behind: passes.block,
            spaces: SpaceSet { global: true, local: before.spaces.local && behind.spaces.local, ..SpaceSet::NONE },
            fenced: [before.is_total, behind.is_total],
            leaders,
            operations,
        });
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

/// The effects of a fence.
#[derive(Clone, Copy)]
struct Fence {
    releases: bool,
    acquires: bool,
    /// Whether it has a place in the order of sequentially consistent fences.
    is_total: bool,
}

/// The operations of a leader so far on its way through its code.
trait Way: Clone {
    /// Goes on to an operation on a cell; `None` if no leader of this form does that here.
    fn operate(&mut self, at: Instruction, cell: Cell, strong: &Strong) -> Option<()>;

    /// Goes on to a fence for all threads.
    fn fence(&mut self, fence: Fence);
}

/// The ends of all ways through a leader's code, with the blocks in which they end; `None` if one
/// of them goes on forever, or accesses something else.
fn ways<W: Way>(kernel: &Kernel, code: &Code, first: W) -> Option<(Vec<W>, BTreeSet<Block>)> {
    let (mut ends, mut exits) = (Vec::new(), BTreeSet::new());
    let mut pending = vec![(vec![code.entry], first)];
    while let Some((blocks, mut way)) = pending.pop() {
        let (&block, before) = blocks.split_last()?;
        if before.contains(&block) {
            return None;
        }
        for &instruction in &kernel.blocks[block].instructions {
            pass(kernel, code, instruction, &mut way)?;
        }
        let targets: Vec<Block> = kernel.blocks[block].terminator.targets().map(|target| target.block).collect();
        if targets.is_empty() {
            return None;
        }
        for target in targets {
            if target == code.behind {
                exits.insert(block);
                ends.push(way.clone());
            } else {
                pending.push(([blocks.as_slice(), &[target]].concat(), way.clone()));
            }
        }
        if ends.len() + pending.len() > MOST_WAYS {
            return None;
        }
    }
    Some((ends, exits))
}

/// Goes on to an instruction.
fn pass<W: Way>(kernel: &Kernel, code: &Code, instruction: Instruction, way: &mut W) -> Option<()> {
    let operation = &kernel.instructions[instruction].operation;
    if let Some((cell, strong)) = code.operations.get(&instruction) {
        return way.operate(instruction, *cell, strong);
    }
    if let Operation::Fence { ordering, scope, spaces } = operation
        && is_wide(*scope) == Some(true)
        && spaces.global
    {
        let is_total = is_total(kernel, *ordering, *scope);
        way.fence(Fence { releases: ordering.releases(), acquires: ordering.acquires(), is_total });
    }
    is_quiet(operation).then_some(())
}

/// Puts barriers of the launch before what the leaders do, with the obligations.
fn replace(kernel: Kernel, launch: &Launch, forms: &[Box<dyn Form>]) -> Kernel {
    let of_forms: Vec<Vec<Carried>> = forms.iter().map(|form| form.carried(&kernel)).collect();
    let counts: Vec<usize> = of_forms.iter().map(Vec::len).collect();
    let all: Vec<Carried> = of_forms.into_iter().flatten().collect();
    carry(kernel, &all, |kernel, block, place, numbers| {
        let mut rest = numbers;
        for (form, &count) in forms.iter().zip(&counts) {
            let (numbers, others) = rest.split_at_mut(count);
            rest = others;
            for (code, exits) in form.codes() {
                let location = code.location(kernel);
                let mut builder = Builder { kernel, block, location };
                match place {
                    Place::At(at) if code.operations.contains_key(&at) => form.operate(builder, launch, at, numbers),
                    Place::Begin if code.entry == block => {
                        elect(&mut builder);
                        form.enter(builder, numbers);
                    }
                    Place::End if exits.contains(&block) => form.leave(builder, launch, numbers),
                    Place::End if code.branch == block => {
                        let barrier = Operation::Barrier { kind: BarrierKind::Grid, spaces: code.spaces, flags: None };
                        builder.append_effect(barrier);
                        form.meet(builder, launch, numbers);
                    }
                    _ => {}
                }
            }
        }
        if let Place::At(at) = place
            && !forms.iter().any(|form| form.operates(at))
        {
            kernel.blocks[block].instructions.push(at);
        }
    })
}

/// Asserts that at most one thread of each group comes to the leader's code.
fn elect(code: &mut Builder<'_>) {
    let always = code.append(Operation::Constant(Bits::one(1)), Type::Bool);
    code.append_effect(Operation::Assert(always, AssertKind::Elected));
}

/// The number of groups, in this many bits.
fn groups(code: &mut Builder<'_>, launch: &Launch, width: u32) -> Value {
    let mut product = None;
    for dimension in (0..3u8).filter(|&dimension| launch.num_groups[usize::from(dimension)].known() != Some(1)) {
        let groups = code.append(Operation::ThreadQuery(ThreadQuery::NumGroups(dimension)), Type::Bits(QUERY_WIDTH));
        let groups = code.resized(groups, width, ConvertOp::ZeroExtend);
        product = Some(product.map_or(groups, |product| code.binary(BinaryOp::Multiply, product, groups)));
    }
    product.unwrap_or_else(|| code.number(width, 1))
}

/// The number of groups of a launch, if it is known.
fn known_groups(launch: &Launch) -> Option<BigUint> {
    launch.num_groups.iter().map(|extent| extent.known().map(BigUint::from)).product()
}
