//! Uniformity: values and control flow that are equal for both threads of a pair.
//!
//! A value is **uniform** if, whenever both threads execute its definition in the same iterations
//! of the loops around it, both compute the same. A block is uniform if either both threads reach
//! it (in the same iterations) or neither does. The analysis starts from "everything is uniform"
//! and removes everything that is not, to the greatest fixed point of these rules:
//!
//! * values that differ between threads (their ids; the group's id for a pair of different groups),
//!   values loaded from memory that is written, and undefined values are not uniform;
//! * a pure operation is uniform if its operands are;
//! * a block is uniform if the block that it post-dominates from the same loop is
//!   ([`Structure::shortcut`]), or if every edge into it is. An edge is uniform if its block and
//!   the branch condition are;
//! * a block parameter is uniform if all arguments are, and if there is one edge or all edges are
//!   uniform. Edges into a loop and back edges count separately, because in lock-step both threads
//!   take the same kind;
//! * a statement that covers threads that have left a loop is about the values they left with. A
//!   variable of such a loop that the statement depends on is not uniform if threads leave at
//!   different times;
//! * for a thread alone, everything is uniform: both threads of the program are this one;
//! * a value that leaves a loop which threads may leave in different iterations is not uniform.
//!   Loops are closed ([`lockstep_ir::kernel::transform::close_loops`]), so such a value is a
//!   parameter of an exit block.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use lockstep_ir::kernel::{ArrayOrigin, Block, Instruction, Kernel, Operation, Space, Terminator, ThreadQuery, Value};
use lockstep_ir::sequential::Pair;

use super::intervals::Intervals;
use super::pointers::{PointsTo, compare_alike, same_address_for_all};
use super::structure::Structure;

/// The values, blocks and edges that are not uniform.
#[derive(Clone, Debug, Default)]
pub struct Uniformity {
    divergent_values: SecondaryMap<Value, bool>,
    divergent_blocks: SecondaryMap<Block, bool>,
}

impl Uniformity {
    /// Whether a value is uniform.
    pub fn value(&self, value: Value) -> bool {
        !self.divergent_values[value]
    }

    /// Whether reaching a block is uniform.
    pub fn block(&self, block: Block) -> bool {
        !self.divergent_blocks[block]
    }

    /// Whether taking the edge with this index out of a block is uniform.
    pub fn edge(&self, kernel: &Kernel, block: Block) -> bool {
        self.block(block)
            && match &kernel.blocks[block].terminator {
                Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => self.value(*value),
                Terminator::Jump(_) | Terminator::Return | Terminator::Trap | Terminator::Unreachable => true,
            }
    }
}

/// Computes uniformity for one kind of pair. `written` tells which arrays some thread may write.
pub fn uniformity(
    kernel: &Kernel,
    structure: &Structure,
    points_to: &PointsTo,
    written: &dyn Fn(lockstep_ir::kernel::Array) -> bool,
    intervals: &Intervals,
    stated_of_all: &BTreeSet<Value>,
    pair: Pair,
) -> Uniformity {
    let mut facts = Uniformity::default();
    if matches!(pair, Pair::Alone | Pair::SameThread) {
        return facts;
    }
    loop {
        let mut changed = false;
        for &block in &structure.order {
            changed |= visit_block(kernel, structure, block, stated_of_all, &mut facts);
            for &instruction in &kernel.blocks[block].instructions {
                let Some(result) = kernel.instructions[instruction].result else { continue };
                if facts.value(result)
                    && !operation_is_uniform(kernel, instruction, points_to, written, intervals, pair, &facts)
                {
                    facts.divergent_values[result] = true;
                    changed = true;
                }
            }
        }
        if !changed {
            return facts;
        }
    }
}

fn visit_block(
    kernel: &Kernel,
    structure: &Structure,
    block: Block,
    stated_of_all: &BTreeSet<Value>,
    facts: &mut Uniformity,
) -> bool {
    let mut changed = false;
    let predecessors = &structure.predecessors[block];
    if facts.block(block) {
        let uniform = match structure.shortcut[block] {
            Some(dominator) => facts.block(dominator),
            None => predecessors.iter().all(|&from| facts.edge(kernel, from)),
        };
        if !uniform {
            facts.divergent_blocks[block] = true;
            changed = true;
        }
    }
    let left = structure.left_by_entering(block);
    let is_head = structure.loop_of[block].is_some_and(|index| structure.loops[index].header == block);
    let left_apart = is_head && !facts.block(block);
    let temporal = left.into_iter().any(|left| !facts.block(structure.loops[left].header));
    let (back, entering): (Vec<Block>, Vec<Block>) =
        predecessors.iter().partition(|&&from| structure.is_back_edge(from, block));
    for (index, &parameter) in kernel.blocks[block].parameters.iter().enumerate() {
        if !facts.value(parameter) {
            continue;
        }
        let own = left_apart && stated_of_all.contains(&parameter);
        let uniform = !(temporal || own)
            && [&back, &entering].into_iter().all(|edges| {
                let arguments = incoming(kernel, edges, block, index);
                arguments.iter().all(|&argument| facts.value(argument))
                    && (arguments.len() == 1 || edges.iter().all(|&from| facts.edge(kernel, from)))
            });
        if !uniform {
            facts.divergent_values[parameter] = true;
            changed = true;
        }
    }
    changed
}

/// The arguments for a parameter over all edges from these blocks, one per edge.
fn incoming(kernel: &Kernel, from: &[Block], block: Block, index: usize) -> Vec<Value> {
    from.iter()
        .flat_map(|&from| kernel.blocks[from].terminator.targets())
        .filter(|target| target.block == block)
        .map(|target| target.arguments[index])
        .collect()
}

fn operation_is_uniform(
    kernel: &Kernel,
    instruction: Instruction,
    points_to: &PointsTo,
    written: &dyn Fn(lockstep_ir::kernel::Array) -> bool,
    intervals: &Intervals,
    pair: Pair,
    facts: &Uniformity,
) -> bool {
    let operation = &kernel.instructions[instruction].operation;
    let mut operands_uniform = true;
    operation.for_each_operand(|operand| operands_uniform &= facts.value(operand));
    match operation {
        Operation::ThreadQuery(query) => match query {
            ThreadQuery::LocalId(_) | ThreadQuery::GlobalId(_) | ThreadQuery::LaneId => false,
            ThreadQuery::GroupId(_) => pair != Pair::DifferentGroups,
            ThreadQuery::LocalSize(_)
            | ThreadQuery::NumGroups(_)
            | ThreadQuery::GlobalSize(_)
            | ThreadQuery::GlobalOffset(_)
            | ThreadQuery::Dimensions
            | ThreadQuery::WarpSize => true,
        },
        Operation::Load(access) => {
            // Memory that nobody writes is a function of the offset, the same for all threads.
            // Within a group, so are the contents of an array at the last barrier.
            operands_uniform
                && !access.volatile
                && !points_to[access.pointer].may_be_null()
                && points_to[access.pointer].arrays.iter().all(|&array| {
                    let data = &kernel.arrays[array];
                    let same_for_all =
                        matches!(data.space, Space::Global | Space::Constant) || data.origin == ArrayOrigin::Aggregate;
                    let never_written = !data.volatile
                        && !written(array)
                        && same_for_all
                        && !matches!(data.origin, ArrayOrigin::Image { .. });
                    never_written || intervals.clean(instruction, array)
                })
        }
        // The whole group shares one event and one result.
        Operation::AsyncCopy { .. } | Operation::GroupExchange { .. } => pair != Pair::DifferentGroups,
        Operation::PointerEqual(a, b) => operands_uniform && compare_alike(kernel, points_to, [*a, *b], pair),
        // An operation that turns a pointer into bits sees its address.
        Operation::PointerToInteger(_) | Operation::PointerDifference(..) | Operation::Uninterpreted(..) => {
            let mut same_addresses = true;
            operation.for_each_operand(|operand| {
                same_addresses &= same_address_for_all(kernel, points_to, operand, pair);
            });
            operands_uniform && same_addresses
        }
        Operation::Undefined
        | Operation::Anything
        | Operation::Choice(_)
        | Operation::Cached { .. }
        | Operation::Atomic { .. }
        | Operation::ImageRead { .. }
        | Operation::WarpExchange { .. }
        | Operation::Phase { .. }
        | Operation::Counted(_)
        | Operation::Annotation { .. }
        | Operation::IntegerToPointer(_) => false,
        // Facts are about the beginning of the launch.
        Operation::Contents(_)
        | Operation::Constant(_)
        | Operation::Parameter(_)
        | Operation::ArrayBase(_)
        | Operation::Null
        | Operation::Unary(..)
        | Operation::Binary(..)
        | Operation::Compare(..)
        | Operation::Select(..)
        | Operation::Convert(..)
        | Operation::Extract { .. }
        | Operation::Concat(..)
        | Operation::Float(..)
        | Operation::PointerAdd { .. }
        | Operation::SpaceCast(_) => operands_uniform,
        Operation::Store(..)
        | Operation::MemoryCopy { .. }
        | Operation::MemorySet { .. }
        | Operation::ImageWrite { .. }
        | Operation::Fence { .. }
        | Operation::Barrier { .. }
        | Operation::AsyncWait(_)
        | Operation::Assume(..)
        | Operation::Assert(..) => false,
    }
}
