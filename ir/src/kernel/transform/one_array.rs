//! Two arrays made one.

use crate::bits::Bits;
use crate::kernel::{Array, Block, Definition, Instruction, InstructionData, Kernel, Operation, Type, ValueData};

/// The kernel in a launch whose pointer to the array `part` points into the array `whole`, this
/// many bytes behind its beginning.
///
/// Every pointer to `part` becomes one into `whole`, so no access goes to `part` any more. The two
/// arrays are in one address space. `whole` has no known size, or is large enough for `part`.
pub fn make_one(mut kernel: Kernel, [whole, part]: [Array; 2], distance: u64) -> Kernel {
    let blocks: Vec<Block> = kernel.blocks.keys().collect();
    for block in blocks {
        let mut instructions = Vec::new();
        for instruction in std::mem::take(&mut kernel.blocks[block].instructions) {
            if kernel.instructions[instruction].operation == Operation::ArrayBase(part) {
                replace(&mut kernel, instruction, (whole, distance), &mut instructions);
            }
            if let Operation::Contents(fact) = &mut kernel.instructions[instruction].operation
                && fact.array == part
                && distance == 0
            {
                fact.array = whole;
            }
            instructions.push(instruction);
        }
        kernel.blocks[block].instructions = instructions;
    }
    kernel
}

/// Makes an instruction compute a pointer into another array. `before` gets the instructions that
/// it needs in front of it.
fn replace(
    kernel: &mut Kernel,
    instruction: Instruction,
    (array, distance): (Array, u64),
    before: &mut Vec<Instruction>,
) {
    if distance == 0 {
        kernel.instructions[instruction].operation = Operation::ArrayBase(array);
        return;
    }
    let pointer_type = kernel.instructions[instruction].result.map(|result| kernel.values[result].ty);
    let location = kernel.instructions[instruction].location;
    let offset = Operation::Constant(Bits::new(kernel.pointer_bits, distance));
    let operands = [(Operation::ArrayBase(array), pointer_type), (offset, Some(Type::Bits(kernel.pointer_bits)))];
    let [pointer, offset] = operands.map(|(operation, ty)| {
        let instruction = kernel.instructions.next_key();
        let definition = Definition::Result(instruction);
        let ty = ty.expect("the base of an array is a value");
        let result = kernel.values.push(ValueData { ty, name: None, definition });
        before.push(kernel.instructions.push(InstructionData { operation, result: Some(result), location }));
        result
    });
    kernel.instructions[instruction].operation = Operation::PointerAdd { pointer, offset, in_bounds: false };
}
