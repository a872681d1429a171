//! The blocks that a group's leader executes for all, and the values that are the same for the
//! group.
//!
//! The leader is the thread whose local ids are all zero, which every group has.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use lockstep_ir::bits::Bits;
use lockstep_ir::cfg::{self, Dominators};
use lockstep_ir::kernel::{
    Array, ArrayOrigin, BarrierKind, BinaryOp, Block, Instruction, Kernel, Operation, Space, Terminator, ThreadQuery,
    Type, Value,
};

use crate::analysis::accesses::for_each_access;
use crate::analysis::pointers::PointsTo;
use crate::analysis::structure::Structure;

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
    /// The loads of what a leader has stored.
    pub broadcasts: BTreeMap<Instruction, Broadcast>,
}

impl Leaders {
    /// The leaders' blocks of a kernel.
    pub fn of(kernel: &Kernel, structure: &Structure, points_to: &PointsTo) -> Self {
        let mut leaders = Self::default();
        let stores = stores(kernel, structure, points_to);
        let dominators = Dominators::new(&cfg::graph(kernel));
        for &block in &structure.order {
            leaders.standing[block] = leaders.standing_of(kernel, structure, block);
            for &instruction in &kernel.blocks[block].instructions {
                let broadcast = leaders.broadcast(kernel, structure, &dominators, &stores, (block, instruction));
                if let Some(broadcast) = broadcast {
                    leaders.broadcasts.insert(instruction, broadcast);
                }
                let Some(result) = kernel.instructions[instruction].result else { continue };
                if broadcast.is_some() || leaders.computes_for_group(kernel, block, instruction) {
                    leaders.of_group.insert(result);
                }
            }
        }
        leaders
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
        match for_leader(kernel, condition) {
            Some(holds) if holds.is_zero() == (position == 1) => Standing::Led,
            Some(_) => Standing::Others,
            None => Standing::Unknown,
        }
    }

    fn standing_of(&self, kernel: &Kernel, structure: &Structure, block: Block) -> Standing {
        if block == kernel.entry {
            return Standing::Together;
        }
        if let Some(dominator) = structure.shortcut[block] {
            return self.standing[dominator];
        }
        if structure.loop_of[block].is_some() {
            return Standing::Unknown;
        }
        let mut all = BTreeSet::new();
        for &from in &structure.predecessors[block] {
            if structure.loop_of[from].is_some() {
                return Standing::Unknown;
            }
            let targets = kernel.blocks[from].terminator.targets().enumerate();
            for (position, _) in targets.filter(|(_, target)| target.block == block) {
                all.insert(self.along(kernel, from, position) as u8);
            }
        }
        let only = |standing: Standing| all.iter().all(|&one| one == standing as u8);
        [Standing::Together, Standing::Led, Standing::Others]
            .into_iter()
            .find(|&standing| !all.is_empty() && only(standing))
            .unwrap_or_default()
    }

    /// Whether an operation's result does not depend on which thread of the group executes it.
    fn computes_for_group(&self, kernel: &Kernel, block: Block, instruction: Instruction) -> bool {
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
            // The copy of a thread that is not active is the leader's.
            Operation::Atomic { .. } => self.standing[block] == Standing::Led,
            Operation::Load(access) => access.volatile && self.standing[block] == Standing::Led && is_scalar(kernel, instruction),
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

    /// What a load returns if the leader has stored it before a barrier.
    ///
    /// *Why.* The array has one store. Only the leader executes it, once, and whether it does depends
    /// on the group alone. The barrier dominates the load, and control does not come from it to the
    /// store. So all threads of the group have passed the barrier before the load, the leader has
    /// stored before it if it stores at all, and nobody stores afterwards.
    fn broadcast(
        &self,
        kernel: &Kernel,
        structure: &Structure,
        dominators: &Dominators<Block>,
        stores: &BTreeMap<Array, Vec<Stored>>,
        (block, instruction): (Block, Instruction),
    ) -> Option<Broadcast> {
        let Operation::Load(access) = &kernel.instructions[instruction].operation else { return None };
        let (array, offset) = constant_place(kernel, access.pointer)?;
        let [Stored::At { block: stored, pointer, value }] = stores.get(&array)?.as_slice() else { return None };
        let result = kernel.instructions[instruction].result?;
        let is_same = constant_place(kernel, *pointer)? == (array, offset) && kernel.ty(result) == kernel.ty(*value);
        let is_led = self.standing[*stored] == Standing::Led && self.is_of_group(*value);
        if !is_same || !is_led || matches!(kernel.ty(result), Type::Pointer(_)) {
            return None;
        }
        let is_barrier = |&instruction: &Instruction| {
            let operation = &kernel.instructions[instruction].operation;
            matches!(operation, Operation::Barrier { kind: BarrierKind::Group, spaces, flags: None } if spaces.local)
        };
        // The store does not follow the barrier, so the barrier follows the store.
        let behind = structure.order.iter().filter(|&&other| {
            other != *stored && dominators.dominates(other, block) && !reaches(kernel, other, *stored)
        });
        let before_load = |other: Block| {
            let all = kernel.blocks[other].instructions.iter();
            let before: Vec<&Instruction> =
                if other == block { all.take_while(|&&one| one != instruction).collect() } else { all.collect() };
            before.into_iter().any(is_barrier)
        };
        let mut behind = behind.copied();
        behind.any(before_load).then_some(Broadcast { block: *stored, value: *value })
    }
}

/// Whether control can come from one block to another.
fn reaches(kernel: &Kernel, from: Block, to: Block) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = vec![from];
    while let Some(block) = pending.pop() {
        for target in kernel.blocks[block].terminator.targets() {
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
    /// A store outside of loops.
    At { block: Block, pointer: Value, value: Value },
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
                Operation::Store(access, value) if structure.loop_of[block].is_none() => {
                    Stored::At { block, pointer: access.pointer, value: *value }
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

/// The array and the offset of a pointer, if both are constant.
fn constant_place(kernel: &Kernel, pointer: Value) -> Option<(Array, u64)> {
    match kernel.operation(pointer)? {
        Operation::ArrayBase(array) => Some((*array, 0)),
        Operation::SpaceCast(pointer) => constant_place(kernel, *pointer),
        Operation::PointerAdd { pointer, offset, .. } => {
            let (array, before) = constant_place(kernel, *pointer)?;
            Some((array, before.checked_add(kernel.constant(*offset)?.to_u64()?)?))
        }
        _ => None,
    }
}

/// The value that the leader computes, if it is known because its ids are zero.
fn for_leader(kernel: &Kernel, value: Value) -> Option<Bits> {
    let operation = kernel.operation(value)?;
    let width = kernel.ty(value).width()?;
    match operation {
        Operation::Constant(bits) => Some(bits.clone()),
        Operation::ThreadQuery(ThreadQuery::LocalId(_)) => Some(Bits::zero(width)),
        Operation::Binary(BinaryOp::Multiply | BinaryOp::And, _, a, b) => {
            let (a, b) = (for_leader(kernel, *a), for_leader(kernel, *b));
            let zero = [&a, &b].into_iter().flatten().find(|bits| bits.is_zero()).cloned();
            zero.or_else(|| operation.fold_known(|operand| for_leader(kernel, operand), width))
        }
        Operation::Unary(..)
        | Operation::Binary(..)
        | Operation::Compare(..)
        | Operation::Convert(..)
        | Operation::Extract { .. }
        | Operation::Concat(..) => operation.fold_known(|operand| for_leader(kernel, operand), width),
        Operation::Select(condition, a, b) => {
            let condition = for_leader(kernel, *condition)?;
            for_leader(kernel, if condition.is_zero() { *b } else { *a })
        }
        _ => None,
    }
}
