//! Values that determine only the addresses of some accesses (and, for a load, its result).
//!
//! Assumptions about the computation of such a value matter little to other accesses: a query about
//! those can omit them at first. This is advice for proofs; no fact depends on it.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::EntitySet;
use lockstep_ir::computation;
use lockstep_ir::kernel::{Definition, Instruction, Kernel, Operation, Terminator, Value};

use super::accesses::for_each_access;
use super::structure::Structure;

/// The most accesses that may depend on an address; beyond that, it counts as one that matters
/// everywhere.
const MOST_ACCESSES: usize = 256;

/// For each value, the accesses whose addresses it is computed for.
#[derive(Clone, Debug, Default)]
pub struct Addresses(BTreeMap<Value, BTreeSet<Instruction>>);

impl Addresses {
    /// The accesses whose addresses are the only effect of a value; `None` if it has other effects.
    pub fn only_of(&self, value: Value) -> Option<&BTreeSet<Instruction>> {
        self.0.get(&value)
    }
}

/// Finds the values that determine only the addresses of accesses.
pub fn addresses(kernel: &Kernel, structure: &Structure) -> Addresses {
    let mut others = EntitySet::new();
    let mut pending = Vec::new();
    let mut pointers: Vec<(Instruction, Value)> = Vec::new();
    for &block in &structure.order {
        for &instruction in &kernel.blocks[block].instructions {
            let data = &kernel.instructions[instruction];
            if matches!(data.operation, computation!()) {
                continue;
            }
            let mut accessed = BTreeSet::new();
            if matches!(data.operation, Operation::Load(_) | Operation::Store(..) | Operation::Atomic { .. }) {
                for_each_access(kernel, &data.operation, data.result, |shape| {
                    accessed.insert(shape.pointer);
                });
            }
            data.operation.for_each_operand(|operand| {
                if !accessed.contains(&operand) {
                    pending.push(operand);
                }
            });
            pointers.extend(accessed.into_iter().map(|pointer| (instruction, pointer)));
        }
        let terminator = &kernel.blocks[block].terminator;
        if let Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } = terminator {
            pending.push(*value);
        }
        // Values passed to another block are not followed.
        pending.extend(terminator.targets().flat_map(|target| target.arguments.iter().copied()));
    }
    let add_others = |mut pending: Vec<Value>, others: &mut EntitySet<Value>| {
        while let Some(value) = pending.pop() {
            if others.insert(value)
                && let Some(operation) = kernel.operation(value)
            {
                operation.for_each_operand(|operand| pending.push(operand));
            }
        }
    };
    add_others(pending, &mut others);
    let mut addresses = Addresses::default();
    for (access, pointer) in pointers {
        let mut pending = vec![pointer];
        while let Some(value) = pending.pop() {
            if others.contains(value) {
                continue;
            }
            let accesses = addresses.0.entry(value).or_default();
            if accesses.len() >= MOST_ACCESSES && !accesses.contains(&access) {
                add_others(vec![value], &mut others);
                continue;
            }
            if !accesses.insert(access) {
                continue;
            }
            if let Some(operation) = kernel.operation(value) {
                operation.for_each_operand(|operand| pending.push(operand));
            }
        }
    }
    addresses.0.retain(|&value, _| !others.contains(value));
    addresses
}

/// The values that the address of some access is computed from, through arithmetic and across
/// blocks. They include its index and the values that the index is computed from, but not the
/// conditions of branches.
pub fn indices(kernel: &Kernel, structure: &Structure) -> EntitySet<Value> {
    let mut pending = Vec::new();
    for &instruction in structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions) {
        let data = &kernel.instructions[instruction];
        for_each_access(kernel, &data.operation, data.result, |shape| pending.push(shape.pointer));
    }
    let mut indices = EntitySet::new();
    while let Some(value) = pending.pop() {
        if !indices.insert(value) {
            continue;
        }
        match kernel.values[value].definition {
            Definition::Parameter(block, index) => pending.extend(structure.arguments(kernel, block, index)),
            Definition::Result(instruction) => {
                let operation = &kernel.instructions[instruction].operation;
                // A comparison selects an index, but is not an index itself.
                if matches!(operation, computation!()) && !matches!(operation, Operation::Compare(..)) {
                    operation.for_each_operand(|operand| pending.push(operand));
                }
            }
        }
    }
    indices
}
