//! Numbers the batches of the copies that each thread starts for itself (`cp.async`).
//!
//! A thread closes batches and waits for all but the latest. Which copies a wait is for depends on
//! how many batches have been closed: zero at the start, and one more wherever a batch is closed.

use super::carry::{Carried, Place, carry};
use crate::bits::Bits;
use crate::kernel::{AsyncWait, BinaryOp, Block, CompareOp, Kernel, Location, NoWrap, Operation, Type, Value};

/// The kernel in which the copies of each thread, and its waits for them, name the number of
/// batches that the thread has closed. No operation closes a batch any longer.
///
/// A kernel without such copies stays as it is. Copies and waits that name a number keep it.
pub fn number_batches(kernel: Kernel) -> Kernel {
    if !kernel.instructions.values().any(|data| is_of_batches(&data.operation)) {
        return kernel;
    }
    let (bits, offset) = (kernel.pointer_bits, kernel.offset_type());
    let batches = Carried { name: "batches".to_owned(), initial: Bits::zero(bits) };
    carry(kernel, &[batches], |kernel, block, place, closed| {
        let Place::At(instruction) = place else { return };
        let location = kernel.instructions[instruction].location;
        match &mut kernel.instructions[instruction].operation {
            Operation::AsyncWait(AsyncWait::Commit) => {
                let one = kernel.append(block, Operation::Constant(Bits::one(bits)), offset, location);
                let sum = Operation::Binary(BinaryOp::Add, NoWrap::default(), closed[0], one);
                closed[0] = kernel.append(block, sum, offset, location);
                return;
            }
            Operation::AsyncWait(AsyncWait::Batches { closed: number @ None, .. }) => *number = Some(closed[0]),
            Operation::AsyncCopy { group, event: number @ None, .. } if group.is_of_threads() => {
                *number = Some(closed[0]);
            }
            &mut Operation::AsyncWait(AsyncWait::AllBut(later)) => {
                let first = but_the_latest(kernel, block, closed[0], later, location);
                let wait = AsyncWait::Batches { closed: Some(first), kept: 0 };
                kernel.instructions[instruction].operation = Operation::AsyncWait(wait);
            }
            _ => {}
        }
        kernel.blocks[block].instructions.push(instruction);
    })
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
