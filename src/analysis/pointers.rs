//! Which arrays each pointer may point into.
//!
//! A flow-insensitive fixed point over SSA: pointers start at arrays ([`Operation::ArrayBase`]) or null,
//! and arithmetic, casts, selections and block parameters pass them on. A pointer that comes out of memory or
//! out of an integer may point into any array of its address space, so the result over-approximates.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use lockstep_ir::kernel::{Array, Kernel, Operation, Space, Terminator, Type, Value};

/// What a pointer may point into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// These arrays.
    pub arrays: BTreeSet<Array>,
    /// The null pointer is among them.
    pub null: bool,
}

impl Targets {
    fn extend(&mut self, other: &Self) -> bool {
        let before = (self.arrays.len(), self.null);
        self.arrays.extend(&other.arrays);
        self.null |= other.null;
        before != (self.arrays.len(), self.null)
    }
}

/// The targets of each pointer-typed value; empty for other values.
pub type PointsTo = SecondaryMap<Value, Targets>;

/// Computes what each pointer may point into.
pub fn points_to(kernel: &Kernel) -> PointsTo {
    let mut result = PointsTo::new();
    let mut changed = true;
    while changed {
        changed = false;
        for block in kernel.blocks.values() {
            for &instruction in &block.instructions {
                let data = &kernel.instructions[instruction];
                let Some(value) = data.result.filter(|&value| matches!(kernel.ty(value), Type::Pointer(_))) else {
                    continue;
                };
                let new = operation_targets(kernel, &data.operation, value, &result);
                changed |= result[value].extend(&new);
            }
            changed |= pass_arguments(kernel, &block.terminator, &mut result);
        }
    }
    result
}

fn pass_arguments(kernel: &Kernel, terminator: &Terminator, result: &mut PointsTo) -> bool {
    let mut changed = false;
    for target in terminator.targets() {
        for (&parameter, &argument) in kernel.blocks[target.block].parameters.iter().zip(&target.arguments) {
            if matches!(kernel.ty(parameter), Type::Pointer(_)) {
                let new = result[argument].clone();
                changed |= result[parameter].extend(&new);
            }
        }
    }
    changed
}

fn operation_targets(kernel: &Kernel, operation: &Operation, value: Value, known: &PointsTo) -> Targets {
    match operation {
        Operation::ArrayBase(array) => Targets { arrays: BTreeSet::from([*array]), null: false },
        Operation::Null => Targets { arrays: BTreeSet::new(), null: true },
        Operation::PointerAdd { pointer, .. } | Operation::SpaceCast(pointer) => known[*pointer].clone(),
        Operation::Select(_, a, b) => {
            let mut both = known[*a].clone();
            both.extend(&known[*b]);
            both
        }
        // Whatever else makes a pointer (loads, atomics, undefined values, addresses) may make any.
        _ => anything(kernel, kernel.ty(value)),
    }
}

/// Every array that a pointer of this type may point into, and null.
pub fn anything(kernel: &Kernel, ty: Type) -> Targets {
    let Type::Pointer(space) = ty else { return Targets::default() };
    let arrays = kernel
        .arrays
        .iter()
        .filter(|(_, data)| space == Space::Generic || data.space == space)
        .map(|(array, _)| array)
        .collect();
    Targets { arrays, null: true }
}
