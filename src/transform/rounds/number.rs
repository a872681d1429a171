//! Values that hold how many operations each thread has executed on each ring.

use std::collections::BTreeSet;

use lockstep_ir::bits::Bits;
use lockstep_ir::cfg;
use lockstep_ir::kernel::transform::{Carried, Place, carry, prune};
use lockstep_ir::kernel::{
    BinaryOp, Block, CompareOp, Instruction, Kernel, NoWrap, Operation, Terminator, Type, Value,
};

use super::walk::barrier;
use super::{RingIndex, Rounds};

/// The width of the numbers of barriers in their rings.
pub const TURN_WIDTH: u32 = 32;

/// The positions of a ring's numbers among those that [`Operation::Counted`] lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The operations that the thread has executed.
    pub executed: usize,
    /// The rounds that are known to be complete. The same, where all wait.
    pub complete: usize,
    /// The distance of the next operation's number from the ring's first; `None` if it is 0.
    pub turn: Option<usize>,
}

impl Rounds {
    /// The positions of each ring's numbers.
    pub fn numbers(&self) -> Vec<Numbers> {
        let mut next = 0;
        let mut position = || {
            next += 1;
            next - 1
        };
        let of_ring = |ring: &super::Ring| {
            let executed = position();
            let complete = if ring.all_wait { executed } else { position() };
            Numbers { executed, complete, turn: (ring.size > 1).then(&mut position) }
        };
        self.rings.iter().map(of_ring).collect()
    }

    /// The kernel with the numbers, and with [`Operation::Counted`] where they are needed: before
    /// the first access of each block, at the heads of loops, and behind operations on barriers.
    pub fn number(&self, kernel: Kernel) -> Kernel {
        // The numbering of instructions stays from here on.
        let kernel = prune(kernel);
        let numbers = self.numbers();
        let operations = Self::operations(&kernel);
        let bits = kernel.pointer_bits;
        let mut carried = Vec::new();
        for (ring, number) in self.rings.iter().zip(&numbers) {
            let name = match (ring.first, ring.size) {
                (None, _) => "group".to_owned(),
                (Some(first), 1) => format!("barrier{first}"),
                (Some(first), size) => format!("barriers{first}to{}", first + size - 1),
            };
            carried.push(Carried { name: format!("{name}.executed"), initial: Bits::zero(bits) });
            if number.complete != number.executed {
                carried.push(Carried { name: format!("{name}.complete"), initial: Bits::zero(bits) });
            }
            if number.turn.is_some() {
                carried.push(Carried { name: format!("{name}.turn"), initial: Bits::new(TURN_WIDTH, ring.start) });
            }
        }
        let analysed = cfg::analyse(&kernel);
        let headers: BTreeSet<Block> =
            kernel.blocks.keys().filter(|&block| analysed.loops.with_header(block).is_some()).collect();
        let mut counted = None;
        carry(kernel, &carried, |kernel, block, place, current| match place {
            Place::Begin => {
                if headers.contains(&block) {
                    kernel.append_effect(block, Operation::Counted(current.to_vec()), None);
                    counted = Some(block);
                }
            }
            Place::At(instruction) => {
                let uses = !kernel.instructions[instruction].operation.is_computation();
                if uses && counted.replace(block) != Some(block) {
                    kernel.append_effect(block, Operation::Counted(current.to_vec()), None);
                }
                kernel.blocks[block].instructions.push(instruction);
                if let Some(&operation) = operations.get(&instruction) {
                    for &ring in self.sites[operation].keys() {
                        self.count(kernel, block, (instruction, operation), ring, numbers[ring], current);
                    }
                    kernel.append_effect(block, Operation::Counted(current.to_vec()), None);
                }
            }
            Place::End => {
                if matches!(kernel.blocks[block].terminator, Terminator::Return) {
                    kernel.append_effect(block, Operation::Counted(current.to_vec()), None);
                }
            }
        })
    }

    /// Counts an operation on a ring.
    fn count(
        &self,
        kernel: &mut Kernel,
        block: Block,
        (instruction, operation): (Instruction, usize),
        ring: RingIndex,
        number: Numbers,
        current: &mut [Value],
    ) {
        let Some((id, _, waits)) = barrier(&kernel.instructions[instruction].operation) else { return };
        let (data, rings) = (&self.rings[ring], &self.sites[operation]);
        let location = kernel.instructions[instruction].location;
        let bits = kernel.pointer_bits;
        let mut append = |operation: Operation, ty: Type| kernel.append(block, operation, ty, location);
        let wide = Type::Bits(bits);
        let one = append(Operation::Constant(Bits::one(bits)), wide);
        let executed = append(Operation::Binary(BinaryOp::Add, NoWrap::default(), current[number.executed], one), wide);
        let turn = number.turn.map(|turn| {
            let ty = Type::Bits(TURN_WIDTH);
            let constant = |value: u64| Operation::Constant(Bits::new(TURN_WIDTH, value));
            let [one, last, zero] = [1, data.size - 1, 0].map(|value| append(constant(value), ty));
            let is_last = append(Operation::Compare(CompareOp::Equal, current[turn], last), Type::Bool);
            let next = append(Operation::Binary(BinaryOp::Add, NoWrap::default(), current[turn], one), ty);
            (turn, append(Operation::Select(is_last, zero, next), ty))
        });
        // An operation that is on this ring for some threads only tells by its number.
        let is_here = match (id, data.first) {
            (Some(id), Some(first)) if rings.len() > 1 => {
                let ty = kernel.ty(id);
                let width = ty.width().unwrap_or(TURN_WIDTH);
                let mut append = |operation: Operation, ty: Type| kernel.append(block, operation, ty, location);
                let [first, size] =
                    [first, data.size].map(|value| append(Operation::Constant(Bits::new(width, value)), ty));
                let distance = append(Operation::Binary(BinaryOp::Subtract, NoWrap::default(), id, first), ty);
                Some(append(Operation::Compare(CompareOp::UnsignedLess, distance, size), Type::Bool))
            }
            _ => None,
        };
        let mut set = |position: usize, next: Value| {
            let ty = kernel.ty(next);
            current[position] = match is_here {
                Some(is_here) => {
                    kernel.append(block, Operation::Select(is_here, next, current[position]), ty, location)
                }
                None => next,
            };
        };
        if let Some((position, turn)) = turn {
            set(position, turn);
        }
        if waits && number.complete != number.executed {
            set(number.complete, executed);
        }
        set(number.executed, executed);
    }
}
