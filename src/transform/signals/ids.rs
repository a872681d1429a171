//! Ids first: a kernel that computes its ids, and what follows from them, once at its beginning.
//!
//! Code asks for an id where it uses it, each time anew. A thread that waits for its number and
//! later stores the next one computes that number twice, and the first time behind the read with
//! which it compares. Rules that speak of *the* number of a thread need one value.
//!
//! Moved are queries, constants, scalar parameters, conversions, and wrapping sums, differences,
//! products and bit operations of these. Such a computation has the same result wherever a thread
//! makes it, and nothing else comes of it: none of them is undefined for any operand. Others, such
//! as sums that must not overflow, stay where they are.

use std::collections::BTreeMap;

use lockstep_ir::cfg;
use lockstep_ir::kernel::{BinaryOp, Instruction, Kernel, NoWrap, Operation, Type, Value, VerifiedKernel, verify};

/// The most computations at the beginning; further ones stay.
const MOST: usize = 256;

/// The kernel that computes its ids first.
pub fn with_ids_first(kernel: &VerifiedKernel) -> Option<VerifiedKernel> {
    let order = cfg::analyse(kernel).order().to_vec();
    let mut changed: Kernel = (**kernel).clone();
    let mut first: Vec<Instruction> = Vec::new();
    // The computations at the beginning, and each value by which another one is replaced.
    let mut known: Vec<(Operation, Type, Value)> = Vec::new();
    let mut instead: BTreeMap<Value, Value> = BTreeMap::new();
    for block in order {
        let mut stay = Vec::new();
        for instruction in std::mem::take(&mut changed.blocks[block].instructions) {
            let data = &mut changed.instructions[instruction];
            data.operation.for_each_operand_mut(|value| *value = instead.get(value).copied().unwrap_or(*value));
            let (operation, result) = (data.operation.clone(), data.result);
            let Some(result) = result.filter(|_| first.len() < MOST && is_of_ids(&operation, &known)) else {
                stay.push(instruction);
                continue;
            };
            let ty = changed.ty(result);
            match known.iter().find(|(same, other, _)| *same == operation && *other == ty) {
                Some(&(_, _, value)) => _ = instead.insert(result, value),
                None => known.push((operation, ty, result)),
            }
            // One whose result nobody uses any more stands somewhere all the same.
            first.push(instruction);
        }
        changed.blocks[block].instructions = stay;
    }
    // Blocks hand values on against the order, too.
    for data in changed.blocks.values_mut() {
        data.terminator.for_each_operand_mut(|value| *value = instead.get(value).copied().unwrap_or(*value));
    }
    let entry = changed.entry;
    let rest = std::mem::take(&mut changed.blocks[entry].instructions);
    changed.blocks[entry].instructions = first.into_iter().chain(rest).collect();
    verify(changed).ok()
}

/// Whether an operation computes something from ids alone, and has a result for all operands.
fn is_of_ids(operation: &Operation, known: &[(Operation, Type, Value)]) -> bool {
    let is_total = match operation {
        Operation::Constant(_) | Operation::Parameter(_) | Operation::ThreadQuery(_) | Operation::Convert(..) => true,
        Operation::Binary(op, no_wrap, ..) => {
            let ops =
                [BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply, BinaryOp::And, BinaryOp::Or, BinaryOp::Xor];
            *no_wrap == NoWrap::default() && ops.contains(op)
        }
        _ => false,
    };
    let mut are_known = true;
    operation.for_each_operand(|operand| are_known &= known.iter().any(|(_, _, value)| *value == operand));
    is_total && are_known
}
