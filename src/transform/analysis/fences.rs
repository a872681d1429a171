//! Accesses that fences might order.
//!
//! A thread writes data, executes a **fence**, and then signals this to others by an atomic or
//! volatile access. Another thread sees the signal by such an access of its own, and reads the
//! data. Whether the two accesses are ordered is a question of the memory model that is not
//! answered yet. So a race between accesses in such places is not reported as a defect, but as
//! unknown. The answer here is about paths alone. It may say "might" where nothing orders anything;
//! this affects only the classification of a race.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{AtomicOp, Block, Instruction, Kernel, Operation};
use lockstep_ir::source::Location;

/// The place of a fence that might order the accesses at two places, in either order.
pub fn might_order(kernel: &Kernel, a: Location, b: Location) -> Option<Location> {
    [(a, b), (b, a)].into_iter().find_map(|(first, second)| {
        let place = at(kernel, first).into_iter().find_map(|access| fence_behind(kernel, access))?;
        let seen = at(kernel, second).into_iter().any(|access| sees_before(kernel, access));
        seen.then_some(place)
    })
}

/// The instructions at a place.
fn at(kernel: &Kernel, location: Location) -> Vec<Instruction> {
    let all = kernel.blocks.values().flat_map(|block| &block.instructions).copied();
    all.filter(|&instruction| kernel.instructions[instruction].location == Some(location)).collect()
}

/// The fence after an access, if a signal to others follows the fence.
fn fence_behind(kernel: &Kernel, access: Instruction) -> Option<Location> {
    let behind = reachable(kernel, access);
    behind.iter().copied().find_map(|fence| {
        let data = &kernel.instructions[fence];
        let signals = match &data.operation {
            Operation::Fence { .. } => reachable(kernel, fence).into_iter().any(|other| tells(kernel, other)),
            Operation::Atomic { ordering, op, .. } => *op != AtomicOp::Load && ordering.releases(),
            _ => false,
        };
        signals.then_some(data.location).flatten()
    })
}

/// Whether an instruction can signal to other threads.
fn tells(kernel: &Kernel, instruction: Instruction) -> bool {
    match &kernel.instructions[instruction].operation {
        Operation::Atomic { op, .. } => *op != AtomicOp::Load,
        Operation::Store(access, _) => access.volatile,
        _ => false,
    }
}

/// Whether a thread may have received a signal before an access.
fn sees_before(kernel: &Kernel, access: Instruction) -> bool {
    let all = kernel.blocks.values().flat_map(|block| &block.instructions).copied();
    let mut seeing = all.filter(|&instruction| match &kernel.instructions[instruction].operation {
        Operation::Atomic { op, .. } => *op != AtomicOp::Store,
        Operation::Load(access) => access.volatile,
        _ => false,
    });
    seeing.any(|instruction| reachable(kernel, instruction).contains(&access))
}

/// The instructions that may be executed after an instruction.
fn reachable(kernel: &Kernel, from: Instruction) -> BTreeSet<Instruction> {
    let mut found = BTreeSet::new();
    let mut blocks: BTreeSet<Block> = BTreeSet::new();
    let mut pending = Vec::new();
    for (block, data) in &kernel.blocks {
        if let Some(position) = data.instructions.iter().position(|&instruction| instruction == from) {
            found.extend(data.instructions[position + 1..].iter().copied());
            pending.push(block);
        }
    }
    while let Some(block) = pending.pop() {
        for target in kernel.blocks[block].terminator.targets() {
            if blocks.insert(target.block) {
                found.extend(kernel.blocks[target.block].instructions.iter().copied());
                pending.push(target.block);
            }
        }
    }
    found
}
