//! Loads that the other thread makes.
//!
//! `a[__other_int(i)]` in an annotation means the element that the *other* thread would read as
//! `a[i]`. If this thread read it while the other may be writing it, it would be a race. So a load
//! becomes the other thread's load, `__other_int(a[i])`, if its address depends on the thread only
//! through the other thread's values. Only annotations can use the result (see
//! [`lockstep_transform::analysis::placement`]), and without a race both are the same element.

use std::collections::BTreeMap;

use lockstep_ir::kernel::{
    Block, Definition, Instruction, InstructionData, Kernel, Operation, ThreadQuery, Type, Value, ValueData,
};

/// Rewrites the loads of a kernel.
pub fn rewrite(kernel: &mut Kernel) {
    let blocks: Vec<Block> = kernel.blocks.keys().collect();
    for block in blocks {
        let instructions = std::mem::take(&mut kernel.blocks[block].instructions);
        let mut rewritten = Vec::with_capacity(instructions.len());
        for instruction in instructions {
            rewrite_load(kernel, instruction, &mut rewritten);
            rewritten.push(instruction);
        }
        kernel.blocks[block].instructions = rewritten;
    }
}

/// Makes a load an annotation if it is the other thread's, and puts the required operations before
/// it.
fn rewrite_load(kernel: &mut Kernel, instruction: Instruction, before: &mut Vec<Instruction>) {
    let data = kernel.instructions[instruction].clone();
    let (Operation::Load(access), Some(result)) = (&data.operation, data.result) else { return };
    let ty = kernel.ty(result);
    let mut found = false;
    let of_others = depends_through_others(kernel, access.pointer, &mut found, 0);
    if !(of_others && found) || matches!(ty, Type::Pointer(_)) {
        return;
    }
    let mut copies = BTreeMap::new();
    let mut access = access.clone();
    access.pointer = own(kernel, access.pointer, before, &mut copies);
    let load = append(kernel, Operation::Load(access), ty, &data, before);
    kernel.instructions[instruction].operation =
        Operation::Annotation { name: "__other".to_owned(), operands: vec![load] };
}

/// The deepest address that is looked through.
const DEEPEST: u32 = 64;

/// Whether a value is the same for all threads, apart from values of the other thread.
///
/// Records whether it depends on any of these.
fn depends_through_others(kernel: &Kernel, value: Value, found: &mut bool, depth: u32) -> bool {
    let Some(operation) = kernel.operation(value).filter(|_| depth < DEEPEST) else { return false };
    match operation {
        Operation::Annotation { name, .. } if name == "__other" => {
            *found = true;
            true
        }
        Operation::ThreadQuery(query) => match query {
            ThreadQuery::LocalSize(_)
            | ThreadQuery::NumGroups(_)
            | ThreadQuery::GlobalSize(_)
            | ThreadQuery::GlobalOffset(_)
            | ThreadQuery::Dimensions
            | ThreadQuery::WarpSize => true,
            ThreadQuery::LocalId(_) | ThreadQuery::GlobalId(_) | ThreadQuery::GroupId(_) | ThreadQuery::LaneId => false,
        },
        Operation::Undefined
        | Operation::Anything
        | Operation::Choice(_)
        | Operation::Cached { .. }
        | Operation::PointerToInteger(_)
        | Operation::IntegerToPointer(_) => false,
        operation if operation.is_computation() => {
            let mut all = true;
            operation.for_each_operand(|operand| all &= depends_through_others(kernel, operand, found, depth + 1));
            all
        }
        _ => false,
    }
}

/// The value with this thread's values in place of the other thread's.
fn own(kernel: &mut Kernel, value: Value, before: &mut Vec<Instruction>, copies: &mut BTreeMap<Value, Value>) -> Value {
    if let Some(&copy) = copies.get(&value) {
        return copy;
    }
    let Definition::Result(instruction) = kernel.values[value].definition else { return value };
    let data = kernel.instructions[instruction].clone();
    if let Operation::Annotation { operands, .. } = &data.operation {
        return operands[0];
    }
    let mut operation = data.operation.clone();
    operation.for_each_operand_mut(|operand| *operand = own(kernel, *operand, before, copies));
    let ty = kernel.ty(value);
    let copy = append(kernel, operation, ty, &data, before);
    copies.insert(value, copy);
    copy
}

fn append(
    kernel: &mut Kernel,
    operation: Operation,
    ty: Type,
    like: &InstructionData,
    before: &mut Vec<Instruction>,
) -> Value {
    let instruction = kernel.instructions.push(InstructionData { operation, result: None, location: like.location });
    let value = kernel.values.push(ValueData { ty, name: None, definition: Definition::Result(instruction) });
    kernel.instructions[instruction].result = Some(value);
    before.push(instruction);
    value
}
