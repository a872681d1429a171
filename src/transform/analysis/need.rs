//! Values that affect the control flow and the accesses of a thread.
//!
//! A value is **needed** if an address, a branch, the operand of a synchronisation, an assumption
//! or an assertion depends on it, through arithmetic or through memory. If a needed load reads an
//! array, the values stored there are needed too. A value that the kernel merely computes is not
//! needed; a sum of floats has no part in a race.
//!
//! The result determines how closely memory is followed. Where overflow is not assumed away for
//! values that are not needed, digits do not count on it either.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use lockstep_ir::computation;
use lockstep_ir::kernel::{Array, Definition, Kernel, Operation, Terminator, Value, WarpOp};

use super::pointers::PointsTo;
use super::structure::Structure;

/// The needed values.
#[derive(Clone, Debug, Default)]
pub struct Needed(SecondaryMap<Value, bool>);

impl Needed {
    /// Whether a value is needed.
    pub fn value(&self, value: Value) -> bool {
        self.0[value]
    }
}

/// Finds the needed values.
pub fn needed(kernel: &Kernel, structure: &Structure, points_to: &PointsTo) -> Needed {
    let mut result = Needed::default();
    let mut pending = roots(kernel, structure);
    let mut arrays: BTreeSet<Array> = BTreeSet::new();
    while let Some(value) = pending.pop() {
        if std::mem::replace(&mut result.0[value], true) {
            continue;
        }
        match kernel.values[value].definition {
            Definition::Parameter(block, index) => {
                pending.extend(structure.arguments(kernel, block, index));
            }
            Definition::Result(instruction) => {
                let operation = &kernel.instructions[instruction].operation;
                operation.for_each_operand(|operand| pending.push(operand));
                if let Operation::Load(access) = operation {
                    for &array in &points_to[access.pointer].arrays {
                        if arrays.insert(array) {
                            pending.extend(stored(kernel, structure, points_to, array));
                        }
                    }
                }
            }
        }
    }
    result
}

/// The values stored into an array.
fn stored(kernel: &Kernel, structure: &Structure, points_to: &PointsTo, array: Array) -> Vec<Value> {
    let mut values = Vec::new();
    for &block in &structure.order {
        for &instruction in &kernel.blocks[block].instructions {
            if let Operation::Store(access, value) = &kernel.instructions[instruction].operation
                && points_to[access.pointer].arrays.contains(&array)
            {
                values.push(*value);
            }
        }
    }
    values
}

fn roots(kernel: &Kernel, structure: &Structure) -> Vec<Value> {
    let mut roots = Vec::new();
    for &block in &structure.order {
        for &instruction in &kernel.blocks[block].instructions {
            push_roots(&kernel.instructions[instruction].operation, &mut roots);
        }
        match &kernel.blocks[block].terminator {
            Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => roots.push(*value),
            Terminator::Jump(_) | Terminator::Return | Terminator::Trap | Terminator::Unreachable => {}
        }
    }
    roots
}

/// The operands that an operation needs even if its result is not needed.
fn push_roots(operation: &Operation, roots: &mut Vec<Value>) {
    match operation {
        Operation::Load(access) | Operation::Store(access, _) | Operation::Atomic { access, .. } => {
            roots.push(access.pointer);
        }
        Operation::MemorySet { to, bytes, .. } => roots.extend([to.pointer, *bytes]),
        Operation::ImageWrite { image, coordinates, .. } => {
            roots.push(*image);
            roots.extend(coordinates);
        }
        Operation::MemoryCopy { .. }
        | Operation::ImageRead { .. }
        | Operation::Fence { .. }
        | Operation::Barrier { .. }
        | Operation::AsyncCopy { .. }
        | Operation::AsyncWait(_)
        | Operation::Phase { .. }
        | Operation::Counted(_)
        | Operation::Assume(..)
        | Operation::Assert(..)
        | Operation::Annotation { .. } => operation.for_each_operand(|operand| roots.push(operand)),
        // The exchanged values matter if the result does.
        Operation::WarpExchange { op, mask, operands } => {
            roots.extend(mask);
            let steers = match op {
                WarpOp::Shuffle | WarpOp::ShuffleUp | WarpOp::ShuffleDown | WarpOp::ShuffleXor => 1,
                _ => operands.len(),
            };
            roots.extend(&operands[steers..]);
        }
        Operation::GroupExchange { .. } => {}
        computation!() => {}
    }
}
