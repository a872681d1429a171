//! Replaces a loop that only waits by its last iteration.
//!
//! A loop **only waits** if an iteration computes values, executes fences, and makes one access: a
//! strong read, or a read-modify-write that changes nothing where the loop goes on. It passes
//! nothing from one iteration to the next. So an iteration depends on what the access returns, and
//! on nothing that earlier iterations have done. What the thread does behind the loop depends on
//! the last iteration alone.
//!
//! **Why this is sound.** Threads terminate (a listed assumption), so a thread that comes to the
//! loop leaves it in some iteration. The earlier iterations access the same cell in the same way as
//! the last one, so they race with nothing else. Their fences only order more. A swap that fails
//! changes nothing. An exchange that leaves the loop in another iteration stores the same value each
//! time, and the rules for places ([`super`]) hold for any number of such exchanges. So each
//! execution has the races and the orders of one in which the thread executes the loop once, and
//! reads what it read in the last iteration.

use std::collections::BTreeSet;

use lockstep_ir::bits::Bits;
use lockstep_ir::cfg::{self, LoopData};
use lockstep_ir::kernel::{
    AssumeKind, Block, Instruction, Kernel, Operation, Target, Terminator, Type, VerifiedKernel, verify,
};

use super::{Change, strong};

/// The kernel in which loops that only wait are executed once; `None` if it has none.
pub fn without_waiting(kernel: &VerifiedKernel) -> Option<VerifiedKernel> {
    let mut changed = (**kernel).clone();
    let mut found = false;
    let analysed = cfg::analyse(&changed);
    let loops: Vec<LoopData<Block>> = analysed.loops.iter().map(|(_, data)| data.clone()).collect();
    for data in loops.iter().filter(|data| data.children.is_empty()) {
        if only_waits(&changed, data) {
            leave_at_once(&mut changed, data);
            found = true;
        }
    }
    let changed = found.then(|| lockstep_ir::kernel::transform::prune(changed))?;
    verify(changed).ok()
}

/// Whether a loop only waits.
fn only_waits(kernel: &Kernel, data: &LoopData<Block>) -> bool {
    let members: BTreeSet<Block> = data.members.iter().copied().collect();
    // Nothing changes from one iteration to the next.
    if !kernel.blocks[data.header].parameters.is_empty() || data.exits.is_empty() {
        return false;
    }
    let all: Vec<(Block, Instruction)> = data
        .members
        .iter()
        .flat_map(|&block| kernel.blocks[block].instructions.iter().map(move |&instruction| (block, instruction)))
        .collect();
    let mut accesses = 0;
    for (block, instruction) in all {
        let one = &kernel.instructions[instruction];
        match &one.operation {
            Operation::Fence { .. } => {}
            operation if operation.is_computation() => {
                let is_anything = matches!(
                    operation,
                    Operation::Undefined | Operation::Anything | Operation::Choice(_) | Operation::Cached { .. }
                );
                if is_anything {
                    return false;
                }
            }
            operation => {
                let waits = strong(kernel, operation, one.result).is_some_and(|strong| {
                    matches!(strong.change, Change::Keep | Change::Exchange(_) | Change::Swap(..))
                });
                if !waits || block != data.header {
                    return false;
                }
                accesses += 1;
            }
        }
    }
    // An access in the header is one in each iteration, and its address does not change.
    accesses == 1 && data.members.iter().all(|&block| stays_or_leaves(kernel, block, &members))
}

/// Whether a block ends in a way that can be replaced.
fn stays_or_leaves(kernel: &Kernel, block: Block, members: &BTreeSet<Block>) -> bool {
    match &kernel.blocks[block].terminator {
        Terminator::Jump(target) => members.contains(&target.block),
        Terminator::Branch { .. } => true,
        Terminator::Switch { .. } | Terminator::Return | Terminator::Trap | Terminator::Unreachable => false,
    }
}

/// Lets a thread leave a loop in the iteration in which it comes to it.
fn leave_at_once(kernel: &mut Kernel, data: &LoopData<Block>) {
    for &latch in &data.latches {
        let location = kernel.blocks[latch].location;
        let terminator = kernel.blocks[latch].terminator.clone();
        let is_back = |target: &Target| target.block == data.header;
        let (condition, terminator) = match terminator {
            Terminator::Branch { condition, then, otherwise } => match (is_back(&then), is_back(&otherwise)) {
                (true, false) => {
                    let operation = Operation::Unary(lockstep_ir::kernel::UnaryOp::Not, condition);
                    let leaves = kernel.append(latch, operation, Type::Bool, location);
                    (Some(leaves), Terminator::Jump(otherwise))
                }
                (false, true) => (Some(condition), Terminator::Jump(then)),
                _ => (None, Terminator::Trap),
            },
            _ => (None, Terminator::Trap),
        };
        let condition = condition
            .unwrap_or_else(|| kernel.append(latch, Operation::Constant(Bits::zero(1)), Type::Bool, location));
        kernel.append_effect(latch, Operation::Assume(condition, AssumeKind::Semantics), location);
        kernel.blocks[latch].terminator = terminator;
    }
}
