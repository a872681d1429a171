//! Transformations of kernels that preserve their behaviour: of their graph, and for a launch in
//! which two arrays are one.
//!
//! Each takes a kernel that satisfies the rules of [`super::verify`] and returns one that does.

mod batches;
mod carry;
mod closed;
mod exits;
mod known;
mod one_array;
mod prune;
mod quotients;
mod reducible;
mod ssa;
mod waits;

pub use batches::number_batches;
pub use carry::{Carried, Place, carry};
pub use closed::close_loops;
pub use exits::leave_early;
pub use known::decide;
pub use one_array::make_one;
pub use prune::prune;
pub use quotients::recognise_quotients;
pub use reducible::{Irreducible, make_reducible};
pub use waits::recognise_waits;

use super::{Block, BlockData, Kernel, Target, Terminator};

/// Puts a new block on the edge that leaves `from` through the target with this index. The new
/// block passes the arguments on.
fn split_edge(kernel: &mut Kernel, from: Block, slot: usize) -> Block {
    let middle = kernel.blocks.next_key();
    let data = &mut kernel.blocks[from];
    let location = data.location;
    let target = data.terminator.targets_mut().nth(slot).expect("the slot was counted in the same terminator");
    let target = std::mem::replace(target, Target { block: middle, arguments: Vec::new() });
    kernel.blocks.push(BlockData {
        parameters: Vec::new(),
        instructions: Vec::new(),
        terminator: Terminator::Jump(target),
        location,
    })
}

/// The indices of the targets of `from` that lead to `to`.
fn slots(kernel: &Kernel, from: Block, to: Block) -> Vec<usize> {
    let targets = kernel.blocks[from].terminator.targets().enumerate();
    targets.filter(|(_, target)| target.block == to).map(|(slot, _)| slot).collect()
}

#[cfg(test)]
mod tests;
