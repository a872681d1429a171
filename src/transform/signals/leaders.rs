//! The blocks that a group's leader executes for all, and the values that are the same for the
//! group.
//!
//! The leader is one thread that every group has: the one whose local ids are all zero, or another
//! one whose ids the kernel compares with. Which thread it is matters to precision alone.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use lockstep_ir::bits::Bits;
use lockstep_ir::cfg::{self, Dominators};
use lockstep_ir::kernel::{
    Array, ArrayOrigin, BarrierKind, BinaryOp, Block, CompareOp, Instruction, Kernel, Operation, Space, Target,
    Terminator, ThreadQuery, Type, Value,
};
use lockstep_options::launch::Launch;

use crate::analysis::accesses::for_each_access;
use crate::analysis::initialised::constant_place;
use crate::analysis::pointers::PointsTo;
use crate::analysis::structure::Structure;

/// Ids in one dimension of threads that are asked whether they come along with the leader.
const OTHERS: [u64; 10] = [0, 1, 2, 3, 31, 32, 33, 64, 128, 256];

/// The most threads that are tried as leaders.
const MOST_CANDIDATES: usize = 4;

/// The most operations in a row from which a value is computed.
const MOST_DEPTH: usize = 64;

/// The threads of a group that come to a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// All or none.
    Together,
    /// The leader, where [`lockstep_ir::sequential::SignalRule::Elected`] holds; or nobody.
    Led,
    /// Threads other than the leader.
    Others,
    /// Unknown.
    #[default]
    Unknown,
}

/// A load of what the leader has stored for its group before a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broadcast {
    /// The block of the store.
    pub block: Block,
    /// The stored value.
    pub value: Value,
}

/// The blocks that leaders execute, and what they tell their groups.
#[derive(Clone, Debug, Default)]
pub struct Leaders {
    standing: SecondaryMap<Block, Standing>,
    of_group: BTreeSet<Value>,
    /// The leader of each group.
    leader: Thread,
    /// A few other threads.
    others: Vec<Thread>,
    /// The loads of what a leader has stored.
    pub broadcasts: BTreeMap<Instruction, Broadcast>,
}

impl Leaders {
    /// The leaders' blocks of a kernel.
    pub fn of(kernel: &Kernel, structure: &Structure, points_to: &PointsTo, launch: &Launch) -> Self {
        let of = |leader: Thread| Self::with_leader(kernel, structure, points_to, leader);
        // The one that executes most blocks alone; the first of several.
        candidates(kernel, launch).into_iter().map(of).rev().max_by_key(Self::led_blocks).unwrap_or_default()
    }

    fn led_blocks(&self) -> usize {
        self.standing.values().filter(|standing| **standing == Standing::Led).count()
    }

    /// The blocks of a leader. Groups are supposed to iterate loops together, with values of the
    /// group, until some edge back to the header shows that they do not.
    fn with_leader(kernel: &Kernel, structure: &Structure, points_to: &PointsTo, leader: Thread) -> Self {
        let stores = stores(kernel, structure, points_to);
        let barriers = Barriers::of(kernel);
        let mut doubts = Doubts::default();
        loop {
            let mut leaders = Self { leader, others: leader.others(), ..Self::default() };
            leaders.follow((kernel, structure, points_to), &stores, &barriers, &doubts);
            if !leaders.note_doubts(kernel, structure, &mut doubts) {
                return leaders;
            }
        }
    }

    fn follow(
        &mut self,
        (kernel, structure, points_to): (&Kernel, &Structure, &PointsTo),
        stores: &BTreeMap<Array, Vec<Stored>>,
        barriers: &Barriers<'_>,
        doubts: &Doubts,
    ) {
        for &block in &structure.order {
            self.standing[block] = self.standing_of(kernel, structure, block, doubts);
            if is_header(structure, block) && self.standing[block] == Standing::Together {
                let parameters = kernel.blocks[block].parameters.iter().enumerate();
                let of_group: Vec<Value> = parameters
                    .filter(|(index, parameter)| {
                        !doubts.values.contains(*parameter)
                            && entering(kernel, structure, block)
                                .all(|(_, target)| self.is_of_group(target.arguments[*index]))
                    })
                    .map(|(_, &parameter)| parameter)
                    .collect();
                self.of_group.extend(of_group);
            }
            for &instruction in &kernel.blocks[block].instructions {
                let broadcast = self.broadcast((barriers, structure), stores, instruction);
                if let Some(broadcast) = broadcast {
                    self.broadcasts.insert(instruction, broadcast);
                }
                let Some(result) = kernel.instructions[instruction].result else { continue };
                if broadcast.is_some() || self.computes_for_group((kernel, points_to), block, instruction) {
                    self.of_group.insert(result);
                }
            }
        }
    }

    /// Notes the loops that groups do not iterate together, and the values that threads pass back
    /// and that are not the group's; whether there are new ones.
    fn note_doubts(&self, kernel: &Kernel, structure: &Structure, doubts: &mut Doubts) -> bool {
        let known = doubts.headers.len() + doubts.values.len();
        for header in structure.loops.iter().map(|shape| shape.header) {
            if self.standing[header] != Standing::Together {
                continue;
            }
            for (from, position, target) in leading_to(kernel, structure, header) {
                if !structure.is_back_edge(from, header) {
                    continue;
                }
                if self.along(kernel, from, position) != Standing::Together {
                    doubts.headers.insert(header);
                }
                let passed = kernel.blocks[header].parameters.iter().zip(&target.arguments);
                let other =
                    passed.filter(|(parameter, value)| self.is_of_group(**parameter) && !self.is_of_group(**value));
                doubts.values.extend(other.map(|(&parameter, _)| parameter));
            }
        }
        doubts.headers.len() + doubts.values.len() > known
    }

    /// The threads of a group that come to a block.
    pub fn standing(&self, block: Block) -> Standing {
        self.standing[block]
    }

    /// Whether the copy of each thread of a group is the value of its leader: the value does not
    /// depend on which thread of the group computes it.
    pub fn is_of_group(&self, value: Value) -> bool {
        self.of_group.contains(&value)
    }

    /// The threads that take an edge, of those that come to its block.
    pub fn along(&self, kernel: &Kernel, from: Block, position: usize) -> Standing {
        let before = self.standing[from];
        let condition = match &kernel.blocks[from].terminator {
            Terminator::Jump(_) => return before,
            Terminator::Branch { condition, .. } => *condition,
            _ => return Standing::Unknown,
        };
        if !matches!(before, Standing::Together | Standing::Led) {
            return before;
        }
        if self.is_of_group(condition) {
            return before;
        }
        let takes = |thread: &Thread| Some(thread.value(kernel, condition)?.is_zero() == (position == 1));
        match takes(&self.leader) {
            // Others would come along. Whether the leader is alone is asserted in any case.
            Some(true) if self.others.iter().any(|other| takes(other) == Some(true)) => Standing::Unknown,
            Some(true) => Standing::Led,
            Some(false) => Standing::Others,
            None => Standing::Unknown,
        }
    }

    /// Whether some thread of the group executes an instruction whenever the group comes to another
    /// one, which it dominates but for the choice of the leader.
    pub fn surely_before(
        &self,
        barriers: &Barriers<'_>,
        structure: &Structure,
        first: Instruction,
        second: Instruction,
    ) -> bool {
        let (Some(block), Some(other)) = (barriers.blocks[first], barriers.blocks[second]) else { return false };
        let head = match (self.standing[block], structure.predecessors[block].as_slice()) {
            (Standing::Together, _) => block,
            (Standing::Led, &[from]) => from,
            _ => return false,
        };
        self.standing[head] == Standing::Together && barriers.dominators.dominates(head, other)
    }

    fn standing_of(&self, kernel: &Kernel, structure: &Structure, block: Block, doubts: &Doubts) -> Standing {
        if block == kernel.entry {
            return Standing::Together;
        }
        if let Some(dominator) = structure.shortcut[block] {
            return self.standing[dominator];
        }
        if is_header(structure, block) {
            let mut before = entering(kernel, structure, block).map(|(standing, _)| standing);
            let together = before.all(|(from, position)| self.along(kernel, from, position) == Standing::Together);
            let is_together = together && !doubts.headers.contains(&block);
            return if is_together { Standing::Together } else { Standing::Unknown };
        }
        let mut all = BTreeSet::new();
        for (from, position, _) in leading_to(kernel, structure, block) {
            let standing = self.along(kernel, from, position);
            // Who leaves a loop alone leaves it in one of several iterations.
            if structure.loop_of[from] != structure.loop_of[block] && standing != Standing::Together {
                return Standing::Unknown;
            }
            all.insert(standing as u8);
        }
        let only = |standing: Standing| all.iter().all(|&one| one == standing as u8);
        [Standing::Together, Standing::Led, Standing::Others]
            .into_iter()
            .find(|&standing| !all.is_empty() && only(standing))
            .unwrap_or_default()
    }

    /// Whether an operation's result does not depend on which thread of the group executes it.
    fn computes_for_group(
        &self,
        (kernel, points_to): (&Kernel, &PointsTo),
        block: Block,
        instruction: Instruction,
    ) -> bool {
        let operation = &kernel.instructions[instruction].operation;
        match operation {
            Operation::ThreadQuery(query) => match query {
                ThreadQuery::LocalId(_) | ThreadQuery::GlobalId(_) | ThreadQuery::LaneId => false,
                ThreadQuery::GroupId(_)
                | ThreadQuery::LocalSize(_)
                | ThreadQuery::NumGroups(_)
                | ThreadQuery::GlobalSize(_)
                | ThreadQuery::GlobalOffset(_)
                | ThreadQuery::Dimensions
                | ThreadQuery::WarpSize => true,
            },
            // The copy of a thread that is not active is the leader's: it is any value, as nothing
            // is known of what the operation returns. Private memory has the thread's own values.
            // Nothing may be assumed of the result that relates it to the place.
            Operation::Atomic { .. } => self.standing[block] == Standing::Led,
            Operation::Load(access) => {
                let is_any = access.volatile && !points_to[access.pointer].are_private(kernel);
                let is_of_group = self.is_of_group(access.pointer) && is_scalar(kernel, instruction);
                is_any && is_of_group && self.standing[block] == Standing::Led
            }
            Operation::Constant(_) | Operation::Parameter(_) | Operation::ArrayBase(_) | Operation::Null => true,
            Operation::Unary(..)
            | Operation::Binary(..)
            | Operation::Compare(..)
            | Operation::Select(..)
            | Operation::Convert(..)
            | Operation::Extract { .. }
            | Operation::Concat(..)
            | Operation::PointerAdd { .. }
            | Operation::SpaceCast(_) => {
                let mut all = true;
                operation.for_each_operand(|operand| all &= self.is_of_group(operand));
                all
            }
            _ => false,
        }
    }

    /// The value that a load returns if the leader has stored it before a barrier.
    ///
    /// *Why.* The array has one store. Only the leader executes it, and whether it does depends on
    /// the group alone. Store and load are in the same loops, which the group iterates together. In
    /// each iteration, the barrier comes before the load, and control does not come from it to the
    /// store. So all threads of the group have passed the barrier before the load, and the leader
    /// has stored before it, if it stores in this iteration at all. On each way from the load to
    /// the store of a later iteration there is a barrier, so nobody has stored again.
    fn broadcast(
        &self,
        (barriers, structure): (&Barriers<'_>, &Structure),
        stores: &BTreeMap<Array, Vec<Stored>>,
        instruction: Instruction,
    ) -> Option<Broadcast> {
        let kernel = barriers.kernel;
        let Operation::Load(access) = &kernel.instructions[instruction].operation else { return None };
        let (array, offset) = constant_place(kernel, access.pointer)?;
        let [Stored::At { at, block: stored, pointer, value }] = stores.get(&array)?.as_slice() else { return None };
        let result = kernel.instructions[instruction].result?;
        let is_same = constant_place(kernel, *pointer)? == (array, offset) && kernel.ty(result) == kernel.ty(*value);
        let is_led = self.standing[*stored] == Standing::Led && self.is_of_group(*value);
        let (of_load, of_store) = (structure.loop_of[barriers.blocks[instruction]?], structure.loop_of[*stored]);
        let iterates = of_load.is_none_or(|index| self.standing[structure.loops[index].header] == Standing::Together);
        if !is_same || !is_led || of_load != of_store || !iterates || matches!(kernel.ty(result), Type::Pointer(_)) {
            return None;
        }
        let header = of_load.map(|index| structure.loops[index].header);
        let is_between = barriers.separate_within(header, *at, instruction) && !barriers.comes_back(instruction, *at);
        is_between.then_some(Broadcast { block: *stored, value: *value })
    }
}

/// The supposed facts about loops that do not hold.
#[derive(Default)]
struct Doubts {
    /// The headers of loops that groups do not iterate together.
    headers: BTreeSet<Block>,
    /// The values that iterations pass on and that are not the group's.
    values: BTreeSet<Value>,
}

fn is_header(structure: &Structure, block: Block) -> bool {
    structure.loop_of[block].is_some_and(|index| structure.loops[index].header == block)
}

/// The edges to a block: where each begins, its position there, and its target.
fn leading_to<'a>(
    kernel: &'a Kernel,
    structure: &'a Structure,
    block: Block,
) -> impl Iterator<Item = (Block, usize, &'a Target)> {
    structure.predecessors[block].iter().flat_map(move |&from| {
        let targets = kernel.blocks[from].terminator.targets().enumerate();
        targets.filter(move |(_, target)| target.block == block).map(move |(position, target)| (from, position, target))
    })
}

/// The edges by which a loop is entered.
fn entering<'a>(
    kernel: &'a Kernel,
    structure: &'a Structure,
    header: Block,
) -> impl Iterator<Item = ((Block, usize), &'a Target)> {
    let all = leading_to(kernel, structure, header).filter(move |(from, ..)| !structure.is_back_edge(*from, header));
    all.map(|(from, position, target)| ((from, position), target))
}

/// Whether control can come from one block to another without passing the header of a loop.
fn reaches(kernel: &Kernel, from: Block, to: Block, header: Option<Block>) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = vec![from];
    while let Some(block) = pending.pop() {
        for target in kernel.blocks[block].terminator.targets().filter(|target| Some(target.block) != header) {
            if target.block == to {
                return true;
            }
            if seen.insert(target.block) {
                pending.push(target.block);
            }
        }
    }
    false
}

fn is_scalar(kernel: &Kernel, instruction: Instruction) -> bool {
    kernel.instructions[instruction].result.is_some_and(|result| !matches!(kernel.ty(result), Type::Pointer(_)))
}

/// A write to an array.
#[derive(Clone, Copy, Debug)]
enum Stored {
    /// A store of a value.
    At { at: Instruction, block: Block, pointer: Value, value: Value },
    /// Any other.
    Otherwise,
}

/// The writes to local arrays.
fn stores(kernel: &Kernel, structure: &Structure, points_to: &PointsTo) -> BTreeMap<Array, Vec<Stored>> {
    let mut stores: BTreeMap<Array, Vec<Stored>> = BTreeMap::new();
    for &block in &structure.order {
        for &instruction in &kernel.blocks[block].instructions {
            let data = &kernel.instructions[instruction];
            let stored = match &data.operation {
                Operation::Store(access, value) => {
                    Stored::At { at: instruction, block, pointer: access.pointer, value: *value }
                }
                _ => Stored::Otherwise,
            };
            for_each_access(kernel, &data.operation, data.result, |access| {
                let local = |array: &&Array| {
                    let data = &kernel.arrays[**array];
                    data.space == Space::Local && data.origin == ArrayOrigin::Variable
                };
                for &array in points_to[access.pointer].arrays.iter().filter(local).filter(|_| access.writes) {
                    stores.entry(array).or_default().push(stored);
                }
            });
        }
    }
    stores
}

/// A thread of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thread {
    /// Its local ids.
    ids: [u64; 3],
    /// The sizes of the group, where they are known.
    sizes: [Option<u64>; 3],
}

impl Thread {
    /// The thread whose local ids are zero, which every group has.
    fn first(launch: &Launch) -> Self {
        let size = |dimension: usize| launch.local_size[dimension].known().map(u64::from);
        Self { ids: [0; 3], sizes: [0, 1, 2].map(size) }
    }

    /// The thread with another id in one dimension; `None` if some group may lack it.
    fn with(self, dimension: usize, id: u64) -> Option<Self> {
        let mut ids = self.ids;
        ids[dimension] = id;
        (id == 0 || self.sizes[dimension].is_some_and(|size| id < size)).then_some(Self { ids, ..self })
    }

    /// A few other threads, which some groups have.
    fn others(self) -> Vec<Self> {
        let along = |dimension: usize| {
            let exists = move |id: &u64| self.sizes[dimension].is_none_or(|size| *id < size);
            OTHERS.into_iter().chain([self.ids[dimension] + 1]).filter(exists).map(move |id| {
                let mut ids = self.ids;
                ids[dimension] = id;
                Self { ids, ..self }
            })
        };
        (0..3).flat_map(along).filter(|other| *other != self).collect()
    }

    /// The value that the thread computes, if it follows from its ids.
    fn value(self, kernel: &Kernel, value: Value) -> Option<Bits> {
        Evaluation { kernel, thread: self, known: BTreeMap::new() }.of(value, 0)
    }
}

/// The computation of values of one thread.
struct Evaluation<'a> {
    kernel: &'a Kernel,
    thread: Thread,
    known: BTreeMap<Value, Option<Bits>>,
}

impl Evaluation<'_> {
    fn of(&mut self, value: Value, depth: usize) -> Option<Bits> {
        if depth > MOST_DEPTH {
            return None;
        }
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        let result = self.compute(value, depth + 1);
        self.known.insert(value, result.clone());
        result
    }

    fn compute(&mut self, value: Value, depth: usize) -> Option<Bits> {
        let operation = self.kernel.operation(value)?.clone();
        let width = self.kernel.ty(value).width()?;
        match &operation {
            Operation::Constant(bits) => Some(bits.clone()),
            Operation::ThreadQuery(ThreadQuery::LocalId(dimension)) => {
                Some(Bits::new(width, self.thread.ids[usize::from(*dimension)]))
            }
            Operation::ThreadQuery(ThreadQuery::LocalSize(dimension)) => {
                Some(Bits::new(width, self.thread.sizes[usize::from(*dimension)]?))
            }
            Operation::Select(condition, a, b) => {
                let condition = self.of(*condition, depth)?;
                self.of(if condition.is_zero() { *b } else { *a }, depth)
            }
            Operation::Unary(..)
            | Operation::Binary(..)
            | Operation::Compare(..)
            | Operation::Convert(..)
            | Operation::Extract { .. }
            | Operation::Concat(..) => {
                let mut operands = BTreeMap::new();
                operation.for_each_operand(|operand| _ = operands.insert(operand, None));
                for (&operand, known) in &mut operands {
                    *known = self.of(operand, depth);
                }
                let zero = operands.values().flatten().find(|bits| bits.is_zero());
                if let (Operation::Binary(BinaryOp::Multiply | BinaryOp::And, ..), Some(zero)) = (&operation, zero) {
                    return Some(zero.clone());
                }
                operation.fold_known(|operand| operands.get(&operand).cloned().flatten(), width)
            }
            _ => None,
        }
    }
}

/// The threads that may lead: the first one, and those whose ids the kernel compares with.
fn candidates(kernel: &Kernel, launch: &Launch) -> Vec<Thread> {
    let first = Thread::first(launch);
    let mut found = vec![first];
    let id = |value: Value| {
        let mut value = value;
        while let Some(Operation::Convert(_, from)) = kernel.operation(value) {
            value = *from;
        }
        match kernel.operation(value) {
            Some(Operation::ThreadQuery(ThreadQuery::LocalId(dimension))) => Some(usize::from(*dimension)),
            _ => None,
        }
    };
    for data in kernel.instructions.values() {
        let Operation::Compare(CompareOp::Equal | CompareOp::NotEqual, a, b) = data.operation else { continue };
        let compared = [(a, b), (b, a)].into_iter().find_map(|(a, b)| Some((id(a)?, first.value(kernel, b)?)));
        let Some((dimension, constant)) = compared else { continue };
        let thread = constant.to_u64().and_then(|id| first.with(dimension, id));
        found.extend(thread.filter(|thread| !found.contains(thread) && found.len() < MOST_CANDIDATES));
    }
    found
}

/// Some threads that every group has and for which a condition has this value.
pub fn chosen(kernel: &Kernel, launch: &Launch, condition: Value, holds: bool) -> BTreeSet<Thread> {
    let is_chosen = |thread: &Thread| thread.value(kernel, condition).is_some_and(|value| value.is_zero() != holds);
    candidates(kernel, launch).into_iter().filter(is_chosen).collect()
}

/// Whether a value is the same for all threads of a launch, wherever they compute it.
pub fn is_of_launch(kernel: &Kernel, value: Value) -> bool {
    let (mut seen, mut pending) = (BTreeSet::from([value]), vec![value]);
    while let Some(value) = pending.pop() {
        let Some(operation) = kernel.operation(value) else { return false };
        match operation {
            Operation::Constant(_)
            | Operation::Parameter(_)
            | Operation::ThreadQuery(
                ThreadQuery::LocalSize(_)
                | ThreadQuery::NumGroups(_)
                | ThreadQuery::GlobalSize(_)
                | ThreadQuery::GlobalOffset(_)
                | ThreadQuery::Dimensions
                | ThreadQuery::WarpSize,
            ) => {}
            Operation::Unary(..)
            | Operation::Binary(..)
            | Operation::Compare(..)
            | Operation::Select(..)
            | Operation::Convert(..)
            | Operation::Extract { .. }
            | Operation::Concat(..) => operation.for_each_operand(|operand| {
                if seen.insert(operand) {
                    pending.push(operand);
                }
            }),
            _ => return false,
        }
    }
    true
}

/// The barriers of whole groups that order local memory.
pub struct Barriers<'a> {
    kernel: &'a Kernel,
    dominators: Dominators<Block>,
    blocks: SecondaryMap<Instruction, Option<Block>>,
    all: Vec<Instruction>,
}

impl<'a> Barriers<'a> {
    /// The barriers of a kernel.
    pub fn of(kernel: &'a Kernel) -> Self {
        let blocks = kernel.instruction_blocks();
        let is_barrier = |instruction: Instruction| {
            let operation = &kernel.instructions[instruction].operation;
            matches!(operation, Operation::Barrier { kind: BarrierKind::Group, spaces, flags: None } if spaces.local)
        };
        let all = kernel.instructions.keys().filter(|&one| blocks[one].is_some() && is_barrier(one)).collect();
        Self { kernel, dominators: Dominators::new(&cfg::graph(kernel)), blocks, all }
    }

    /// Whether some barrier comes behind an instruction, and never before it, and before each
    /// execution of another one.
    pub fn separate(&self, first: Instruction, second: Instruction) -> bool {
        self.separate_within(None, first, second)
    }

    /// Likewise within one iteration of the loop with this header.
    fn separate_within(&self, header: Option<Block>, first: Instruction, second: Instruction) -> bool {
        let is_inside = |barrier: Instruction| header.is_none_or(|header| self.follows(header, barrier));
        let mut all = self.all.iter().copied().filter(|&barrier| is_inside(barrier));
        all.any(|barrier| self.precedes(barrier, second) && !self.may_precede(barrier, first, header))
    }

    /// Whether control can come from an instruction to another one without a barrier.
    fn comes_back(&self, from: Instruction, to: Instruction) -> bool {
        let Some(home) = self.blocks[from] else { return true };
        let all = &self.kernel.blocks[home].instructions;
        let behind = all.iter().position(|&one| one == from).map_or(0, |position| position + 1);
        let (mut seen, mut pending) = (BTreeSet::new(), vec![(home, behind)]);
        while let Some((block, first)) = pending.pop() {
            let mut rest = self.kernel.blocks[block].instructions.iter().skip(first);
            match rest.find(|one| **one == to || self.all.contains(one)) {
                Some(one) if *one == to => return true,
                Some(_) => {}
                None => {
                    let targets = self.kernel.blocks[block].terminator.targets().map(|target| target.block);
                    pending.extend(targets.filter(|target| seen.insert(*target)).map(|target| (target, 0)));
                }
            }
        }
        false
    }

    /// Whether an instruction comes behind the beginning of a block that dominates it.
    fn follows(&self, block: Block, instruction: Instruction) -> bool {
        self.blocks[instruction].is_some_and(|home| self.dominators.dominates(block, home))
    }

    /// Whether an instruction comes before each execution of another one.
    fn precedes(&self, first: Instruction, second: Instruction) -> bool {
        let (Some(a), Some(b)) = (self.blocks[first], self.blocks[second]) else { return false };
        if a == b { self.is_earlier(a, first, second) } else { self.dominators.dominates(a, b) }
    }

    /// Whether an instruction may be executed before another one.
    fn may_precede(&self, first: Instruction, second: Instruction, header: Option<Block>) -> bool {
        let (Some(a), Some(b)) = (self.blocks[first], self.blocks[second]) else { return true };
        (a == b && self.is_earlier(a, first, second)) || reaches(self.kernel, a, b, header)
    }

    fn is_earlier(&self, block: Block, first: Instruction, second: Instruction) -> bool {
        let position = |one| self.kernel.blocks[block].instructions.iter().position(|&other| other == one);
        position(first) < position(second)
    }
}
