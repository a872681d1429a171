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

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::parse;

    use super::*;

    /// `cell` and `last` are each computed for one access; `next` and the values that it is
    /// computed from are computed for a branch, too.
    const KERNEL: &str = r#"kernel "addresses" opencl pointers 64
arr0 = global parameter "out"
parameter "out" pointer arr0
entry block0

block0:
    v0 "id": bv64 = query local_id 0
    v1: bv64 = constant 64bv64
    v2 "row": bv64 = multiply v0, v1
    v3 "cell": bv64 = add v2, v0
    v4: pointer(global) = array_base arr0
    v5: pointer(global) = pointer_add v4, v3
    v6: bv8 = constant 7bv8
    store v5 align 1, v6
    v7 "next": bv64 = add v2, v1
    v8: pointer(global) = pointer_add v4, v7
    v9: bv8 = load v8 align 1
    v10: bool = equal v7, v1
    branch v10, block1, block2

block1:
    v11 "last": bv64 = multiply v2, v1
    v12: pointer(global) = pointer_add v4, v11
    store v12 align 1, v9
    jump block2

block2:
    return
"#;

    #[test]
    fn what_is_computed_for_addresses_alone_is_known() {
        let kernel = parse(KERNEL).expect("a kernel");
        let (kernel, structure) = Structure::of(&kernel).expect("it is structured");
        let addresses = addresses(&kernel, &structure);
        let named = |name: &str| {
            let named = kernel.values.iter().find(|(_, data)| data.name.as_deref() == Some(name));
            named.expect("there is such a value").0
        };
        let accesses = |name: &str| addresses.only_of(named(name)).map(BTreeSet::len);
        assert_eq!(accesses("cell"), Some(1));
        assert_eq!(accesses("last"), Some(1));
        assert_ne!(addresses.only_of(named("cell")), addresses.only_of(named("last")));
        // A branch also depends on these.
        assert_eq!([accesses("next"), accesses("row"), accesses("id")], [None; 3]);
    }
}
