//! The blocks of a module in which pointers are followed.

use std::collections::HashMap;

use inkwell::llvm_sys::prelude::LLVMModuleRef;

use crate::llvm::passes::functions;
use crate::llvm::raw::{LBlock, LValue};

/// A block of the host's code.
pub(super) struct BlockOfHost {
    pub block: LBlock,
    pub function: LValue,
    /// The instructions, the terminator last.
    pub instructions: Vec<LValue>,
    /// The blocks that may come before, by their numbers.
    pub predecessors: Vec<usize>,
}

/// The blocks of a module, by numbers.
pub(super) struct Blocks {
    pub of: Vec<BlockOfHost>,
    /// The block of each instruction, and its position there.
    pub at: HashMap<LValue, (usize, usize)>,
}

impl Blocks {
    pub fn of(module: LLVMModuleRef) -> Self {
        let mut blocks = Self { of: Vec::new(), at: HashMap::new() };
        let mut numbers = HashMap::new();
        for function in functions(module) {
            for block in function.blocks() {
                let (number, instructions) = (blocks.of.len(), block.instructions());
                numbers.insert(block, number);
                blocks.at.extend(instructions.iter().enumerate().map(|(index, one)| (*one, (number, index))));
                blocks.of.push(BlockOfHost { block, function, instructions, predecessors: Vec::new() });
            }
        }
        for number in 0..blocks.of.len() {
            let successors = blocks.of[number].block.terminator().map(LValue::successors).unwrap_or_default();
            for successor in successors {
                let predecessors = &mut blocks.of[numbers[&successor]].predecessors;
                if predecessors.last() != Some(&number) {
                    predecessors.push(number);
                }
            }
        }
        blocks
    }

    /// The function that has an instruction.
    pub fn function_of(&self, instruction: LValue) -> Option<LValue> {
        self.at.get(&instruction).map(|(block, _)| self.of[*block].function)
    }
}
