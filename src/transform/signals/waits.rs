//! Replaces a loop that only waits by its last iteration.
//!
//! A loop **only waits** if an iteration computes values, executes fences, and makes one access: a
//! strong read, or a read-modify-write that changes nothing where the loop goes on. Nothing that it
//! passes to the next iteration depends on what the one before has passed to it, and neither does
//! the access. So an iteration depends on what the access returns, and on nothing that earlier
//! iterations have done. Behind the loop, all depends on the last iteration alone.
//!
//! Code behind the end of a wait may stand in the loop, before a flag or a test that ends it.
//! [`leave_early`] takes it out of the loop first.
//!
//! There are two forms. In `while (*flag == 0);` the access comes before the test. In
//! `while (seen == 0) seen = *flag;` the test comes first, on a value that is passed on. There the
//! test is made once before the access and once behind it.
//!
//! **Why this is sound.** Threads terminate (a listed assumption), so a thread that comes to the
//! loop leaves it in some iteration. The earlier iterations access the same cell in the same way as
//! the last one, so they race with nothing else. Their fences only order more. A swap that fails
//! changes nothing. An exchange must be one by which a thread takes a lock: the rule for locks
//! ([`super`]) holds for any number of attempts. (One that gives a lock back may take it from the
//! next holder the second time.) So each execution has the races and the orders of one in which the
//! thread executes the loop once, and reads what it read in the last iteration.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::bits::Bits;
use lockstep_ir::cfg::{self, LoopData};
use lockstep_ir::kernel::transform::{leave_early, prune};
use lockstep_ir::kernel::{
    AssumeKind, Block, Instruction, Kernel, Operation, Target, Terminator, Type, UnaryOp, Value, VerifiedKernel, verify,
};
use lockstep_options::launch::Launch;

use super::{Change, strong, taking_exchanges};
use crate::analysis::structure::Structure;

/// The kernel in which loops that only wait are executed once; `None` if it has none.
pub fn without_waiting(kernel: &VerifiedKernel, launch: &Launch) -> Option<VerifiedKernel> {
    // Code behind the end of a wait is no part of the loop.
    let kernel = verify(leave_early((**kernel).clone())).ok()?;
    // Loops are closed there: values leave them through parameters of the blocks behind.
    let (mut changed, structure) = Structure::of(&kernel).ok()?;
    let taking = taking_exchanges(&changed, &structure, launch);
    let mut found = false;
    let analysed = cfg::analyse(&changed);
    let loops: Vec<LoopData<Block>> = analysed.loops.iter().map(|(_, data)| data.clone()).collect();
    for data in loops.iter().filter(|data| data.children.is_empty()) {
        if only_waits(&changed, data, &taking) {
            leave_at_once(&mut changed, data);
            found = true;
        } else if let Some(wait) = wait_behind_test(&changed, data, &taking) {
            test_again(&mut changed, &wait);
            found = true;
        }
    }
    let changed = found.then(|| prune(changed))?;
    verify(changed).ok()
}

/// Whether a loop only waits.
fn only_waits(kernel: &Kernel, data: &LoopData<Block>, taking: &BTreeSet<Instruction>) -> bool {
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
        match step(kernel, instruction, taking) {
            Some(Step::Quiet) => {}
            Some(Step::Access) if block == data.header => accesses += 1,
            Some(Step::Access) | None => return false,
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
    // A thread that goes on is none, so it may go anywhere. Behind the header all values are known
    // that it passes on where it leaves, and the loop's end stays one that all threads come to.
    let leaves = |target: &&Target| !data.members.contains(&target.block);
    let exit = kernel.blocks[data.header].terminator.targets().find(leaves).cloned();
    let elsewhere = || exit.clone().map_or(Terminator::Trap, Terminator::Jump);
    for &latch in &data.latches {
        let location = kernel.blocks[latch].location;
        let terminator = kernel.blocks[latch].terminator.clone();
        let is_back = |target: &Target| target.block == data.header;
        let (condition, terminator) = match terminator {
            Terminator::Branch { condition, then, otherwise } => match (is_back(&then), is_back(&otherwise)) {
                (true, false) => {
                    let operation = Operation::Unary(UnaryOp::Not, condition);
                    let leaves = kernel.append(latch, operation, Type::Bool, location);
                    (Some(leaves), Terminator::Jump(otherwise))
                }
                (false, true) => (Some(condition), Terminator::Jump(then)),
                _ => (None, elsewhere()),
            },
            _ => (None, elsewhere()),
        };
        let condition =
            condition.unwrap_or_else(|| kernel.append(latch, Operation::Constant(Bits::zero(1)), Type::Bool, location));
        kernel.append_effect(latch, Operation::Assume(condition, AssumeKind::Semantics), location);
        kernel.blocks[latch].terminator = terminator;
    }
}

/// An instruction of a loop that only waits.
enum Step {
    /// A computation or a fence.
    Quiet,
    /// The access.
    Access,
}

fn step(kernel: &Kernel, instruction: Instruction, taking: &BTreeSet<Instruction>) -> Option<Step> {
    let (operation, result) = (&kernel.instructions[instruction].operation, kernel.instructions[instruction].result);
    if matches!(operation, Operation::Fence { .. }) || operation.is_repeatable() {
        return Some(Step::Quiet);
    }
    let strong = strong(kernel, operation, result)?;
    let waits = match strong.change {
        Change::Keep | Change::Swap(..) => true,
        Change::Exchange(_) => taking.contains(&instruction),
        Change::Store(_) | Change::Count(..) | Change::Other => false,
    };
    waits.then_some(Step::Access)
}

/// A loop in which the test comes before the access.
struct Wait {
    header: Block,
    /// The condition of the test, whether the loop goes on if it holds, and where to otherwise.
    condition: Value,
    stays: bool,
    exit: Target,
    /// The block that goes back to the test, and what it passes on.
    latch: Block,
    passed: Vec<Value>,
}

fn wait_behind_test(kernel: &Kernel, data: &LoopData<Block>, taking: &BTreeSet<Instruction>) -> Option<Wait> {
    let members: BTreeSet<Block> = data.members.iter().copied().collect();
    let Terminator::Branch { condition, then, otherwise } = &kernel.blocks[data.header].terminator else { return None };
    let stays = members.contains(&then.block);
    let (inside, exit) = if stays { (then, otherwise) } else { (otherwise, then) };
    if !members.contains(&inside.block) || members.contains(&exit.block) {
        return None;
    }
    // The values that depend on what was passed.
    let mut carried: BTreeSet<Value> = kernel.blocks[data.header].parameters.iter().copied().collect();
    let mut accesses = 0;
    let mut note = |block: Block, is_header: bool| -> Option<()> {
        for &instruction in &kernel.blocks[block].instructions {
            let one = &kernel.instructions[instruction];
            let mut depends = false;
            one.operation.for_each_operand(|operand| depends |= carried.contains(&operand));
            match step(kernel, instruction, taking)? {
                Step::Access if is_header || depends => return None,
                Step::Access => accesses += 1,
                Step::Quiet => carried.extend(one.result.filter(|_| depends)),
            }
        }
        Some(())
    };
    note(data.header, true)?;
    let mut block = inside.block;
    let mut seen = BTreeSet::from([data.header]);
    let passed = loop {
        if !seen.insert(block) || !kernel.blocks[block].parameters.is_empty() {
            return None;
        }
        note(block, false)?;
        let Terminator::Jump(target) = &kernel.blocks[block].terminator else { return None };
        if target.block == data.header {
            break target.arguments.clone();
        }
        block = target.block;
    };
    let is_whole = seen.len() == members.len() && accesses == 1 && inside.arguments.is_empty();
    if !is_whole || passed.iter().any(|value| carried.contains(value)) {
        return None;
    }
    Some(Wait { header: data.header, condition: *condition, stays, exit: exit.clone(), latch: block, passed })
}

/// Tests behind the access whether the loop ends, which it does.
fn test_again(kernel: &mut Kernel, wait: &Wait) {
    let parameters = kernel.blocks[wait.header].parameters.clone();
    let mut values: BTreeMap<Value, Value> = parameters.into_iter().zip(wait.passed.iter().copied()).collect();
    for instruction in kernel.blocks[wait.header].instructions.clone() {
        let data = kernel.instructions[instruction].clone();
        let mut operation = data.operation;
        operation.for_each_operand_mut(|operand| {
            if let Some(&value) = values.get(operand) {
                *operand = value;
            }
        });
        match data.result {
            Some(result) => {
                let ty = kernel.ty(result);
                let copy = kernel.append(wait.latch, operation, ty, data.location);
                values.insert(result, copy);
            }
            None => {
                kernel.append_effect(wait.latch, operation, data.location);
            }
        }
    }
    let value = |value: &Value| values.get(value).copied().unwrap_or(*value);
    let location = kernel.blocks[wait.latch].location;
    let condition = value(&wait.condition);
    let ends = if wait.stays {
        kernel.append(wait.latch, Operation::Unary(UnaryOp::Not, condition), Type::Bool, location)
    } else {
        condition
    };
    kernel.append_effect(wait.latch, Operation::Assume(ends, AssumeKind::Semantics), location);
    let arguments = wait.exit.arguments.iter().map(value).collect();
    kernel.blocks[wait.latch].terminator = Terminator::Jump(Target { block: wait.exit.block, arguments });
}
