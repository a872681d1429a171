//! Lets threads leave a loop where it is decided that they do.
//!
//! In `while (!done) { if (f()) { …; done = true; } }`, nothing but the test follows behind `done =
//! true`, and it leads out of the loop. Here the way from there goes out at once, so what is done
//! once is no longer part of the loop.
//!
//! **Why the behaviour stays.** A way is replaced along which blocks only compute values, and whose
//! branches are decided by the constants that are passed along it, or by the branches through which
//! control has come to it. The new way computes the same values and leads to the same place.

use std::collections::{BTreeMap, BTreeSet};

use super::ssa::{Shape, Variable, reconstruct, uses_elsewhere};
use super::{decide, prune, split_edge};
use crate::bits::Bits;
use crate::cfg::{self, LoopData};
use crate::kernel::{Block, Definition, Kernel, Operation, Target, Terminator, Value};

/// The most ways that are replaced.
const MOST: usize = 32;

/// The most blocks of a way, and computations from which a branch is decided.
const MOST_BLOCKS: usize = 8;
const MOST_DEPTH: usize = 16;

/// The kernel in which threads leave loops where it is decided that they do, without blocks in a
/// row.
pub fn leave_early(kernel: Kernel) -> Kernel {
    let mut kernel = prune(kernel);
    replace_ways(&mut kernel);
    drop_copies(&mut kernel);
    let mut kernel = prune(decide(kernel));
    join_rows(&mut kernel);
    prune(kernel)
}

/// Replaces ways out of loops; how many.
pub(super) fn replace_ways(kernel: &mut Kernel) -> usize {
    for count in 0..MOST {
        let Some(way) = next(kernel) else { return count };
        take(kernel, &way);
        // A block that nothing leads to any more has no arguments for new parameters.
        *kernel = prune(kernel.clone());
    }
    MOST
}

/// A way out of a loop.
struct Way {
    /// The block in which it begins, and its target there.
    from: Block,
    slot: usize,
    /// The blocks along it, with the target that is taken in each.
    blocks: Vec<(Block, usize)>,
    /// Where it leads, with the arguments that the last of them passes.
    target: Target,
}

fn next(kernel: &Kernel) -> Option<Way> {
    let cfg = cfg::analyse(kernel);
    let all: Vec<LoopData<Block>> = cfg.loops.iter().map(|(_, data)| data.clone()).collect();
    // Innermost first.
    all.iter().rev().filter(|data| data.members.iter().all(|&block| !meets_others(kernel, block))).find_map(|data| {
        data.members.iter().find_map(|&from| {
            let slots = kernel.blocks[from].terminator.targets().count();
            (0..slots).find_map(|slot| way(kernel, &cfg.graph, data, (from, slot)))
        })
    })
}

/// Whether threads meet others in a block. They do so in the same iteration of the loops around.
fn meets_others(kernel: &Kernel, block: Block) -> bool {
    kernel.blocks[block].instructions.iter().any(|&instruction| {
        matches!(
            kernel.instructions[instruction].operation,
            Operation::Barrier { .. }
                | Operation::WarpExchange { .. }
                | Operation::GroupExchange { .. }
                | Operation::Phase { .. }
                | Operation::AsyncCopy { .. }
                | Operation::AsyncWait(_)
        )
    })
}

/// The way through a target of a block, if it is decided that it leaves the loop.
fn way(
    kernel: &Kernel,
    graph: &cfg::Graph<Block>,
    data: &LoopData<Block>,
    (from, slot): (Block, usize),
) -> Option<Way> {
    let mut known = known_behind(kernel, graph, from);
    known.extend(decided_by(kernel, from, slot));
    let mut target = kernel.blocks[from].terminator.targets().nth(slot)?.clone();
    let (mut blocks, mut is_decided) = (Vec::new(), false);
    while data.members.contains(&target.block) {
        let block = target.block;
        if blocks.iter().any(|(other, _)| *other == block)
            || blocks.len() == MOST_BLOCKS
            || !only_computes(kernel, block)
        {
            return None;
        }
        let passed: Vec<Option<Bits>> =
            target.arguments.iter().map(|&argument| constant(kernel, &known, argument, MOST_DEPTH)).collect();
        // So far, the block's values were those of an earlier execution of it.
        known.retain(|&value, _| home(kernel, value) != Some(block));
        let parameters = kernel.blocks[block].parameters.iter().copied();
        known.extend(parameters.zip(passed).filter_map(|(parameter, bits)| Some((parameter, bits?))));
        let slot = match &kernel.blocks[block].terminator {
            Terminator::Jump(_) => 0,
            Terminator::Branch { condition, .. } => {
                is_decided = true;
                usize::from(constant(kernel, &known, *condition, MOST_DEPTH)?.is_zero())
            }
            _ => return None,
        };
        blocks.push((block, slot));
        target = kernel.blocks[block].terminator.targets().nth(slot)?.clone();
    }
    is_decided.then_some(Way { from, slot, blocks, target })
}

/// The block of a value.
fn home(kernel: &Kernel, value: Value) -> Option<Block> {
    match kernel.values[value].definition {
        Definition::Parameter(block, _) => Some(block),
        Definition::Result(instruction) => {
            kernel.blocks.keys().find(|&block| kernel.blocks[block].instructions.contains(&instruction))
        }
    }
}

/// The condition that control through a target decides.
fn decided_by(kernel: &Kernel, from: Block, slot: usize) -> Option<(Value, Bits)> {
    match &kernel.blocks[from].terminator {
        Terminator::Branch { condition, then, otherwise } if then.block != otherwise.block => {
            Some((*condition, if slot == 0 { Bits::one(1) } else { Bits::zero(1) }))
        }
        _ => None,
    }
}

/// The conditions of the branches through which control must have come to a block.
fn known_behind(kernel: &Kernel, graph: &cfg::Graph<Block>, mut block: Block) -> BTreeMap<Value, Bits> {
    let mut known = BTreeMap::new();
    for _ in 0..MOST_DEPTH {
        let &[before] = graph.predecessors(block) else { break };
        let slot = kernel.blocks[before].terminator.targets().position(|target| target.block == block);
        known.extend(slot.and_then(|slot| decided_by(kernel, before, slot)));
        block = before;
    }
    known
}

/// Whether a block does nothing but compute values, the same ones wherever it is done.
fn only_computes(kernel: &Kernel, block: Block) -> bool {
    let mut all = kernel.blocks[block].instructions.iter();
    all.all(|&instruction| kernel.instructions[instruction].operation.is_repeatable())
}

/// The constant that a value is, with what is known.
fn constant(kernel: &Kernel, known: &BTreeMap<Value, Bits>, value: Value, depth: usize) -> Option<Bits> {
    if let Some(bits) = known.get(&value) {
        return Some(bits.clone());
    }
    let operation = kernel.operation(value)?;
    if let Operation::Constant(bits) = operation {
        return Some(bits.clone());
    }
    if depth == 0 || !operation.is_computation() {
        return None;
    }
    operation.fold_known(|operand| constant(kernel, known, operand, depth - 1), kernel.ty(value).width()?)
}

/// Replaces a way by a block of its own.
fn take(kernel: &mut Kernel, way: &Way) {
    let homes: BTreeMap<Value, Block> = homes(kernel);
    let elsewhere = uses_elsewhere(kernel, |value| homes[&value]);
    let middle = split_edge(kernel, way.from, way.slot);
    let Terminator::Jump(first) = kernel.blocks[middle].terminator.clone() else { panic!("a new block jumps") };
    let mut arguments = first.arguments;
    let mut values: BTreeMap<Value, Value> = BTreeMap::new();
    let of = |values: &BTreeMap<Value, Value>, value: Value| values.get(&value).copied().unwrap_or(value);
    for &(block, slot) in &way.blocks {
        values.extend(kernel.blocks[block].parameters.iter().copied().zip(arguments));
        for instruction in kernel.blocks[block].instructions.clone() {
            let data = kernel.instructions[instruction].clone();
            let mut operation = data.operation;
            operation.for_each_operand_mut(|operand| *operand = of(&values, *operand));
            let Some(result) = data.result else { continue };
            let copy = kernel.append(middle, operation, kernel.ty(result), data.location);
            let name = kernel.values[result].name.clone();
            kernel.values[copy].name = name;
            values.insert(result, copy);
        }
        let target = kernel.blocks[block].terminator.targets().nth(slot);
        arguments = target.map(|target| target.arguments.clone()).unwrap_or_default();
        for argument in &mut arguments {
            *argument = of(&values, *argument);
        }
    }
    kernel.blocks[middle].terminator = Terminator::Jump(Target { block: way.target.block, arguments });
    // Behind the loop, a value is that of the block or that of the way, whichever was taken.
    let shape = Shape::new(cfg::graph(kernel));
    for (original, copy) in values {
        let Some(uses) = elsewhere.get(&original) else { continue };
        let definitions = BTreeMap::from([(homes[&original], original), (middle, copy)]);
        let reachable: BTreeSet<Block> =
            uses.iter().copied().filter(|&block| shape.graph.is_reachable(block)).collect();
        reconstruct(kernel, &shape, &Variable { original, definitions, passages: BTreeSet::new() }, &reachable);
    }
}

/// The block of each value.
fn homes(kernel: &Kernel) -> BTreeMap<Value, Block> {
    let mut homes = BTreeMap::new();
    for (block, data) in &kernel.blocks {
        homes.extend(data.parameters.iter().map(|&parameter| (parameter, block)));
        let results = data.instructions.iter().filter_map(|&instruction| kernel.instructions[instruction].result);
        homes.extend(results.map(|result| (result, block)));
    }
    homes
}

/// Removes the parameters that are one other value, whichever way control comes.
fn drop_copies(kernel: &mut Kernel) {
    while let Some((block, index, value)) = copy(kernel) {
        let parameter = kernel.blocks[block].parameters.remove(index);
        for data in kernel.blocks.values_mut() {
            for target in data.terminator.targets_mut().filter(|target| target.block == block) {
                target.arguments.remove(index);
            }
        }
        for (position, &other) in kernel.blocks[block].parameters.clone().iter().enumerate() {
            let position = u32::try_from(position).expect("parameters have numbers of 32 bits");
            kernel.values[other].definition = Definition::Parameter(block, position);
        }
        let replace = |operand: &mut Value| {
            if *operand == parameter {
                *operand = value;
            }
        };
        for data in kernel.blocks.values_mut() {
            data.terminator.for_each_operand_mut(replace);
        }
        for data in kernel.instructions.values_mut() {
            data.operation.for_each_operand_mut(replace);
        }
    }
}

/// A parameter that is always the same other value.
fn copy(kernel: &Kernel) -> Option<(Block, usize, Value)> {
    kernel.blocks.iter().find_map(|(block, data)| {
        (0..data.parameters.len()).find_map(|index| {
            let targets = kernel.blocks.values().flat_map(|from| from.terminator.targets());
            let passed = targets.filter(|target| target.block == block).map(|target| target.arguments[index]);
            let others: BTreeSet<Value> = passed.filter(|&value| value != data.parameters[index]).collect();
            let mut others = others.into_iter();
            match (others.next(), others.next()) {
                (Some(value), None) => Some((block, index, value)),
                _ => None,
            }
        })
    })
}

/// Appends to each block the one that it alone leads to.
fn join_rows(kernel: &mut Kernel) {
    for block in kernel.blocks.keys().collect::<Vec<_>>() {
        while let Terminator::Jump(target) = kernel.blocks[block].terminator.clone() {
            let next = target.block;
            let ways = kernel.blocks.values().flat_map(|data| data.terminator.targets());
            let is_only = ways.filter(|other| other.block == next).count() == 1;
            if !is_only || next == block || next == kernel.entry || !kernel.blocks[next].parameters.is_empty() {
                break;
            }
            let behind = std::mem::take(&mut kernel.blocks[next].instructions);
            kernel.blocks[block].instructions.extend(behind);
            kernel.blocks[block].terminator =
                std::mem::replace(&mut kernel.blocks[next].terminator, Terminator::Unreachable);
        }
    }
}
