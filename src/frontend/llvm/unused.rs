//! Removes computations whose result nobody uses: lanes of vectors that are never read, constants of unused addresses.
//!
//! Only computations go. Whatever touches memory, waits, or states something stays, loads with unused results
//! included: they are accesses.

use cranelift_entity::EntitySet;
use lockstep_ir::kernel::{Definition, Kernel, Operation, Value};

/// Removes unused computations.
pub fn remove(kernel: &mut Kernel) {
    let used = used_values(kernel);
    let instructions = &kernel.instructions;
    for block in kernel.blocks.values_mut() {
        block.instructions.retain(|instruction| {
            let data = &instructions[*instruction];
            !is_computation(&data.operation) || data.result.is_some_and(|result| used.contains(result))
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
            if !is_computation(operation) {
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

fn is_computation(operation: &Operation) -> bool {
    match operation {
        Operation::Constant(_)
        | Operation::Undefined
        | Operation::Parameter(_)
        | Operation::ThreadQuery(_)
        | Operation::Unary(..)
        | Operation::Binary(..)
        | Operation::Compare(..)
        | Operation::Select(..)
        | Operation::Convert(..)
        | Operation::Extract { .. }
        | Operation::Concat(..)
        | Operation::Float(..)
        | Operation::Uninterpreted(..)
        | Operation::ArrayBase(_)
        | Operation::Null
        | Operation::PointerAdd { .. }
        | Operation::SpaceCast(_)
        | Operation::PointerToInteger(_)
        | Operation::IntegerToPointer(_)
        | Operation::PointerEqual(..)
        | Operation::PointerDifference(..) => true,
        Operation::Load(_)
        | Operation::Store(..)
        | Operation::Atomic { .. }
        | Operation::MemoryCopy { .. }
        | Operation::MemorySet { .. }
        | Operation::ImageRead { .. }
        | Operation::ImageWrite { .. }
        | Operation::Fence { .. }
        | Operation::Barrier { .. }
        | Operation::WarpExchange { .. }
        | Operation::AsyncCopy { .. }
        | Operation::AsyncWait(_)
        | Operation::Phase { .. }
        | Operation::Assume(..)
        | Operation::Assert(..)
        | Operation::Annotation { .. } => false,
    }
}
