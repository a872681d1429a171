//! Which arrays each pointer may point into.
//!
//! A flow-insensitive fixed point over SSA: pointers start at arrays ([`Operation::ArrayBase`]) or null,
//! and arithmetic, casts, selections and block parameters pass them on. A pointer that comes out of memory or
//! out of an integer may point into any array of its address space, so the result over-approximates.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use lockstep_ir::kernel::{Array, Kernel, Operation, Space, Terminator, Type, Value};
use lockstep_ir::sequential::Pair;

/// What a pointer may point into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// These arrays.
    pub arrays: BTreeSet<Array>,
    /// The null pointer is among them.
    pub null: bool,
    /// It may point to memory that no array stands for: the kernel has none in the pointer's address space.
    pub elsewhere: bool,
}

impl Targets {
    fn extend(&mut self, other: &Self) -> bool {
        let before = (self.arrays.len(), self.null, self.elsewhere);
        self.arrays.extend(&other.arrays);
        self.null |= other.null;
        self.elsewhere |= other.elsewhere;
        before != (self.arrays.len(), self.null, self.elsewhere)
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
        Operation::ArrayBase(array) => Targets { arrays: BTreeSet::from([*array]), ..Targets::default() },
        Operation::Null => Targets { null: true, ..Targets::default() },
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

/// Whether a pointer that is the same array and offset for both threads of a pair has the same address for them: private
/// arrays, and local ones of different groups, may lie anywhere.
pub fn same_address_for_all(kernel: &Kernel, points_to: &PointsTo, pointer: Value, pair: Pair) -> bool {
    points_to[pointer].arrays.iter().all(|&array| match kernel.arrays[array].space {
        Space::Private | Space::Generic => false,
        Space::Local => pair == Pair::SameGroup,
        Space::Global | Space::Constant => true,
    })
}

/// Every array that a pointer of this type may point into, and null. Where there is an array, memory that is
/// none of the kernel's arrays need not be looked at: whatever threads do to each other there they may do in that array.
pub fn anything(kernel: &Kernel, ty: Type) -> Targets {
    let Type::Pointer(space) = ty else { return Targets::default() };
    let arrays: BTreeSet<Array> = kernel
        .arrays
        .iter()
        .filter(|(_, data)| space == Space::Generic || data.space == space)
        .map(|(array, _)| array)
        .collect();
    Targets { elsewhere: arrays.is_empty(), arrays, null: true }
}
