//! Numbers the batches of the copies that each thread starts for itself (`cp.async`).
//!
//! A thread closes batches and waits for all but the latest. Which copies a wait is for depends on
//! how many batches have been closed, which is a number like any other: zero at the start, and one
//! more wherever a batch is closed. Once it is a value, analyses and proofs know of it what they
//! know of every counter of a loop.

use std::collections::{BTreeMap, BTreeSet};

use super::prune;
use super::ssa::{Shape, Variable, reconstruct_at_start};
use crate::bits::Bits;
use crate::cfg;
use crate::kernel::{AsyncWait, BinaryOp, Block, CompareOp, Kernel, Location, NoWrap, Operation, Type, Value};

/// The kernel in which the copies of each thread, and its waits for them, name the number of
/// batches that the thread has closed. No operation closes a batch any longer.
///
/// A kernel without such copies stays as it is. Copies and waits that name a number keep it.
pub fn number_batches(kernel: Kernel) -> Kernel {
    if !kernel.instructions.values().any(|data| is_of_batches(&data.operation)) {
        return kernel;
    }
    let mut kernel = prune(kernel);
    let (entry, offset) = (kernel.entry, kernel.offset_type());
    let of_entry = std::mem::take(&mut kernel.blocks[entry].instructions);
    let zero = Operation::Constant(Bits::zero(kernel.pointer_bits));
    let none = kernel.append(entry, zero, offset, None);
    kernel.values[none].name = Some("batches".to_owned());
    kernel.blocks[entry].instructions.extend(of_entry);
    let mut variable =
        Variable { original: none, definitions: BTreeMap::from([(entry, none)]), passages: BTreeSet::new() };
    let mut begin_with = BTreeSet::new();
    for block in kernel.blocks.keys().collect::<Vec<_>>() {
        let closed = number_in_block(&mut kernel, block, none);
        if let Some(closed) = closed.at_end {
            variable.definitions.insert(block, closed);
        }
        if closed.is_used_at_start && block != entry {
            begin_with.insert(block);
        }
    }
    let shape = Shape::new(cfg::graph(&kernel));
    reconstruct_at_start(&mut kernel, &shape, &variable, &begin_with);
    // The operations that close batches belong to no block any longer.
    prune(kernel)
}

/// The number of closed batches in a block.
struct Numbered {
    /// The number at the end, if the block closes batches.
    at_end: Option<Value>,
    /// Whether the number at the start is used.
    is_used_at_start: bool,
}

/// Names the number of closed batches in a block, which begins with `at_start`.
fn number_in_block(kernel: &mut Kernel, block: Block, at_start: Value) -> Numbered {
    let mut closed = at_start;
    let mut is_used_at_start = false;
    for instruction in std::mem::take(&mut kernel.blocks[block].instructions) {
        let location = kernel.instructions[instruction].location;
        let before = closed;
        let is_used = match &mut kernel.instructions[instruction].operation {
            Operation::AsyncWait(AsyncWait::Commit) => {
                let one = Operation::Constant(Bits::one(kernel.pointer_bits));
                let one = kernel.append(block, one, kernel.offset_type(), location);
                let sum = Operation::Binary(BinaryOp::Add, NoWrap::default(), closed, one);
                closed = kernel.append(block, sum, kernel.offset_type(), location);
                is_used_at_start |= before == at_start;
                continue;
            }
            Operation::AsyncWait(AsyncWait::Batches { closed: number @ None, .. }) => {
                *number = Some(closed);
                true
            }
            Operation::AsyncCopy { group, event: number @ None, .. } if group.is_of_threads() => {
                *number = Some(closed);
                true
            }
            &mut Operation::AsyncWait(AsyncWait::AllBut(later)) => {
                let first = but_the_latest(kernel, block, closed, later, location);
                let wait = AsyncWait::Batches { closed: Some(first), kept: 0 };
                kernel.instructions[instruction].operation = Operation::AsyncWait(wait);
                true
            }
            _ => false,
        };
        is_used_at_start |= is_used && before == at_start;
        kernel.blocks[block].instructions.push(instruction);
    }
    Numbered { at_end: (closed != at_start).then_some(closed), is_used_at_start }
}

/// The number of closed batches less those that a wait leaves; zero if that is less than none.
fn but_the_latest(kernel: &mut Kernel, block: Block, closed: Value, later: Value, location: Option<Location>) -> Value {
    let (offset, bits) = (kernel.offset_type(), kernel.pointer_bits);
    let none = kernel.append(block, Operation::Constant(Bits::zero(bits)), offset, location);
    let are_so_many = Operation::Compare(CompareOp::UnsignedLessEqual, later, closed);
    let are_so_many = kernel.append(block, are_so_many, Type::Bool, location);
    let others = Operation::Binary(BinaryOp::Subtract, NoWrap::default(), closed, later);
    let others = kernel.append(block, others, offset, location);
    kernel.append(block, Operation::Select(are_so_many, others, none), offset, location)
}

fn is_of_batches(operation: &Operation) -> bool {
    match operation {
        Operation::AsyncWait(AsyncWait::Commit | AsyncWait::AllBut(_) | AsyncWait::Batches { closed: None, .. }) => {
            true
        }
        Operation::AsyncCopy { group, event, .. } => group.is_of_threads() && event.is_none(),
        _ => false,
    }
}
