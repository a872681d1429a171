//! The state that conditions mention and depend on, looked up in the kernel before it is lowered.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use lockstep_ir::kernel::{
    self, Access, AssertKind, Definition, Instruction, Kernel, Operation, Space, Terminator, Type, Value,
};

use super::taken::TAKEN;
use crate::analysis::pointers::PointsTo;
use crate::analysis::structure::Structure;

/// The state that a condition mentions besides the thread's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Mentions {
    /// The other thread.
    pub other: bool,
    /// Logged accesses.
    pub accesses: bool,
    /// Accesses to local memory.
    pub local: bool,
    /// Accesses to global memory.
    pub global: bool,
}

/// The mentions of a condition, through arithmetic and through variables.
pub fn mentions(kernel: &Kernel, structure: &Structure, points_to: &PointsTo, condition: Value) -> Mentions {
    let mut found = Mentions::default();
    for value in depended_on(kernel, structure, condition) {
        let Some(Operation::Annotation { name, operands }) = kernel.operation(value) else { continue };
        match name.as_str() {
            "__other" | "__lockstep_same_group" => found.other = true,
            name if ACCESSES.contains(&name) => {
                found.accesses = true;
                for &array in operands.iter().take(1).flat_map(|&pointer| &points_to[pointer].arrays) {
                    match kernel.arrays[array].space {
                        Space::Local => found.local = true,
                        Space::Global | Space::Constant | Space::Private | Space::Generic => found.global = true,
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The arrays about whose accesses a condition makes a statement.
pub fn accessed_arrays(
    kernel: &Kernel,
    structure: &Structure,
    points_to: &PointsTo,
    condition: Value,
) -> BTreeSet<kernel::Array> {
    let mut arrays = BTreeSet::new();
    for value in depended_on(kernel, structure, condition) {
        if let Some(Operation::Annotation { name, operands }) = kernel.operation(value)
            && ACCESSES.contains(&name.as_str())
        {
            arrays.extend(operands.iter().take(1).flat_map(|&pointer| &points_to[pointer].arrays));
        }
    }
    arrays
}

/// The annotations about accesses. The first operand is a pointer.
const ACCESSES: [&str; 5] = ["__read", "__write", "__read_offset_bytes", "__write_offset_bytes", TAKEN];

/// The loads that only barrier invariants use.
pub fn reads_of_barrier_invariants(kernel: &Kernel, structure: &Structure) -> BTreeSet<Instruction> {
    let mut users: SecondaryMap<Value, Vec<Option<Instruction>>> = SecondaryMap::new();
    for &block in &structure.order {
        let data = &kernel.blocks[block];
        for &instruction in &data.instructions {
            let operation = &kernel.instructions[instruction].operation;
            operation.for_each_operand(|operand| users[operand].push(Some(instruction)));
        }
        data.terminator.for_each_operand(|operand| users[operand].push(None));
    }
    let instructions = structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions).copied();
    let loads = instructions.filter(|&load| matches!(kernel.instructions[load].operation, Operation::Load(_)));
    loads.filter(|&load| ends_in_barrier_invariants(kernel, &users, load)).collect()
}

/// Whether an instruction's result is used only by barrier invariants.
fn ends_in_barrier_invariants(
    kernel: &Kernel,
    users: &SecondaryMap<Value, Vec<Option<Instruction>>>,
    instruction: Instruction,
) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = vec![instruction];
    let mut found = false;
    while let Some(instruction) = pending.pop() {
        let data = &kernel.instructions[instruction];
        match (data.result, &data.operation) {
            (None, Operation::Annotation { name, .. }) if name.starts_with("__barrier_invariant_") => found = true,
            (Some(result), operation) if passes_on(operation) => {
                let new: &[Option<Instruction>] = if seen.insert(result) { &users[result] } else { &[] };
                for &user in new {
                    let Some(user) = user else { return false };
                    pending.push(user);
                }
            }
            _ => return false,
        }
    }
    found
}

/// Whether the result is the only effect of an operation's operands.
fn passes_on(operation: &Operation) -> bool {
    let other = matches!(operation, Operation::Annotation { name, .. } if name == "__other");
    other || operation.is_computation() || matches!(operation, Operation::Load(_))
}

/// The values that a value depends on, through arithmetic, variables and branches.
fn depended_on(kernel: &Kernel, structure: &Structure, value: Value) -> BTreeSet<Value> {
    let mut seen = BTreeSet::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if !seen.insert(value) {
            continue;
        }
        match kernel.values[value].definition {
            Definition::Parameter(block, index) => {
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                for &from in &structure.predecessors[block] {
                    let terminator = &kernel.blocks[from].terminator;
                    let targets = terminator.targets().filter(|target| target.block == block);
                    pending.extend(targets.filter_map(|target| target.arguments.get(index)));
                    match terminator {
                        Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => {
                            pending.push(*value);
                        }
                        Terminator::Jump(_) | Terminator::Return | Terminator::Trap | Terminator::Unreachable => {}
                    }
                }
            }
            Definition::Result(instruction) => {
                let operation = &kernel.instructions[instruction].operation;
                operation.for_each_operand(|operand| pending.push(operand));
            }
        }
    }
    seen
}

/// The values that statements about inactive threads depend on.
pub fn stated_of_all(kernel: &Kernel, structure: &Structure, points_to: &PointsTo) -> BTreeSet<Value> {
    let mut values = BTreeSet::new();
    for &instruction in structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions) {
        let (condition, global) = match &kernel.instructions[instruction].operation {
            Operation::Assert(condition, kind) => (*condition, *kind == AssertKind::Global),
            Operation::Annotation { name, operands } if !operands.is_empty() => {
                (operands[0], name.contains("_global_"))
            }
            _ => continue,
        };
        if global || mentions(kernel, structure, points_to, condition).other {
            values.extend(depended_on(kernel, structure, condition));
        }
    }
    values
}

/// Whether a statement must be checked for each pair of threads.
pub fn concerns_pairs(kernel: &Kernel, structure: &Structure, points_to: &PointsTo) -> bool {
    let instructions = structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions);
    instructions.into_iter().any(|&instruction| match &kernel.instructions[instruction].operation {
        Operation::Assert(_, AssertKind::Global) => true,
        Operation::Assert(condition, AssertKind::User) => {
            mentions(kernel, structure, points_to, *condition) != Mentions::default()
        }
        Operation::Annotation { name, .. } if name == "__global_invariant" => true,
        Operation::Annotation { name, operands } if name == "__invariant" || name == "__function_wide_invariant" => {
            operands.iter().any(|&condition| mentions(kernel, structure, points_to, condition) != Mentions::default())
        }
        _ => false,
    })
}

/// The arrays about whose accesses the source asks.
pub fn asked_about(kernel: &Kernel, structure: &Structure, points_to: &PointsTo) -> BTreeSet<kernel::Array> {
    let mut arrays = BTreeSet::new();
    for &instruction in structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions) {
        if let Operation::Annotation { name, operands } = &kernel.instructions[instruction].operation
            && ACCESSES.contains(&name.as_str())
        {
            arrays.extend(operands.iter().take(1).flat_map(|&pointer| &points_to[pointer].arrays));
        }
    }
    arrays
}

/// Whether a condition depends on a load from memory that threads share.
pub fn reads_shared_memory(kernel: &Kernel, condition: Value) -> bool {
    let mut found = false;
    for_each_load(kernel, condition, |access| {
        found |= !matches!(kernel.ty(access.pointer), Type::Pointer(Space::Private | Space::Constant));
    });
    found
}

/// The arrays that a condition loads from; `None` if they are unknown.
pub fn loaded_arrays(kernel: &Kernel, points_to: &PointsTo, condition: Value) -> Option<BTreeSet<kernel::Array>> {
    let mut arrays = Some(BTreeSet::new());
    for_each_load(kernel, condition, |access| {
        let targets = &points_to[access.pointer];
        match &mut arrays {
            Some(found) if !targets.unknown && !targets.elsewhere => found.extend(&targets.arrays),
            _ => arrays = None,
        }
    });
    arrays
}

/// Calls `visit` on the accesses of the loads from which a value is computed.
fn for_each_load(kernel: &Kernel, value: Value, mut visit: impl FnMut(&Access)) {
    let mut seen = BTreeSet::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if let Some(operation) = kernel.operation(value).filter(|_| seen.insert(value)) {
            if let Operation::Load(access) = operation {
                visit(access);
            }
            operation.for_each_operand(|operand| pending.push(operand));
        }
    }
}
