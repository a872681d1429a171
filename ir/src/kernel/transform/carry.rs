//! Numbers that each thread carries along and that no variable of the source holds: how often it
//! has done something so far.
//!
//! Once such a number is an SSA value, analyses and proofs know of it what they know of every
//! counter of a loop.

use std::collections::{BTreeMap, BTreeSet};

use super::prune;
use super::ssa::{Shape, Variable, reconstruct_at_start};
use crate::bits::Bits;
use crate::cfg;
use crate::kernel::{Block, Instruction, Kernel, Operation, Type, Value};

/// A number that a thread carries along.
pub struct Carried {
    /// Its name.
    pub name: String,
    /// Its value at the start of the thread.
    pub initial: Bits,
}

/// A place in a block.
#[derive(Clone, Copy)]
pub enum Place {
    /// The beginning.
    Begin,
    /// An instruction, which is in no block now.
    At(Instruction),
    /// The end, before the terminator.
    End,
}

/// The kernel with values that hold the numbers.
///
/// `visit` is called for the places of each block in turn, with the numbers before them. It appends
/// to the block the computations of the numbers behind the place, and the instruction of the place
/// unless that goes.
pub fn carry(
    kernel: Kernel,
    carried: &[Carried],
    mut visit: impl FnMut(&mut Kernel, Block, Place, &mut [Value]),
) -> Kernel {
    let mut kernel = prune(kernel);
    let entry = kernel.entry;
    let of_entry = std::mem::take(&mut kernel.blocks[entry].instructions);
    let start = |number: &Carried| {
        let ty = Type::Bits(number.initial.width());
        let value = kernel.append(entry, Operation::Constant(number.initial.clone()), ty, None);
        kernel.values[value].name = Some(number.name.clone());
        value
    };
    let at_start: Vec<Value> = carried.iter().map(start).collect();
    let constants = kernel.blocks[entry].instructions.clone();
    let mut variables: Vec<Variable> = at_start
        .iter()
        .map(|&original| Variable {
            original,
            definitions: BTreeMap::from([(entry, original)]),
            passages: BTreeSet::new(),
        })
        .collect();
    kernel.blocks[entry].instructions = of_entry;
    for block in kernel.blocks.keys().collect::<Vec<_>>() {
        let mut current = at_start.clone();
        let instructions = std::mem::take(&mut kernel.blocks[block].instructions);
        let places = instructions.into_iter().map(Place::At);
        for place in [Place::Begin].into_iter().chain(places).chain([Place::End]) {
            visit(&mut kernel, block, place, &mut current);
        }
        for (variable, &at_end) in variables.iter_mut().zip(&current) {
            if at_end != variable.original {
                variable.definitions.insert(block, at_end);
            }
        }
    }
    let of_entry = std::mem::replace(&mut kernel.blocks[entry].instructions, constants);
    kernel.blocks[entry].instructions.extend(of_entry);
    let shape = Shape::new(cfg::graph(&kernel));
    for variable in &variables {
        let begin_with: BTreeSet<Block> =
            kernel.blocks.keys().filter(|&block| block != entry && uses(&kernel, block, variable.original)).collect();
        reconstruct_at_start(&mut kernel, &shape, variable, &begin_with);
    }
    // Some instructions may belong to no block any longer.
    prune(kernel)
}

fn uses(kernel: &Kernel, block: Block, value: Value) -> bool {
    let mut found = false;
    let data = &kernel.blocks[block];
    for &instruction in &data.instructions {
        kernel.instructions[instruction].operation.for_each_operand(|operand| found |= operand == value);
    }
    data.terminator.for_each_operand(|operand| found |= operand == value);
    found
}
