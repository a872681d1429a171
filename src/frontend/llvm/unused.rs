//! Removes computations whose result nobody uses: unread lanes of vectors, constants of unused
//! addresses.
//!
//! Only computations go. Operations that touch memory, wait, or state something stay. Loads with
//! unused results stay, too: they are accesses.

use cranelift_entity::EntitySet;
use lockstep_ir::kernel::{Definition, Kernel, Value};

/// Removes unused computations.
pub fn remove(kernel: &mut Kernel) {
    let used = used_values(kernel);
    let instructions = &kernel.instructions;
    for block in kernel.blocks.values_mut() {
        block.instructions.retain(|instruction| {
            let data = &instructions[*instruction];
            !data.operation.is_computation() || data.result.is_some_and(|result| used.contains(result))
        });
    }
}

/// The values that an effect or a terminator depends on.
fn used_values(kernel: &Kernel) -> EntitySet<Value> {
    let mut used = EntitySet::new();
    let mut pending = Vec::new();
    for block in kernel.blocks.values() {
        block.terminator.for_each_operand(|value| pending.push(value));
        for instruction in &block.instructions {
            let operation = &kernel.instructions[*instruction].operation;
            if !operation.is_computation() {
                operation.for_each_operand(|value| pending.push(value));
            }
        }
    }
    while let Some(value) = pending.pop() {
        if used.insert(value)
            && let Definition::Result(instruction) = kernel.values[value].definition
        {
            kernel.instructions[instruction].operation.for_each_operand(|operand| pending.push(operand));
        }
    }
    used
}
