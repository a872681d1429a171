//! The tables of a kernel: arrays whose elements say where it works.
//!
//! Row pointers, permutations and worklists are arrays of integers that the kernel only reads, and
//! whose elements decide where it writes, or how often. Preconditions are about these.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{Array, ArrayOrigin, BinaryOp, FloatOp, Kernel, Operation, Terminator, Value};

use super::roles::dependent;
use crate::analysis::accesses::for_each_access;
use crate::analysis::pointers::points_to;
use crate::frontend::assume::elements;

/// The deepest computation of an address that is compared with another one.
const DEEPEST: u32 = 12;

/// The most tables that preconditions are about.
const MOST: usize = 4;

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The name of the parameter.
    pub name: String,
    /// Whether the kernel adds to what its elements name: `bins[data[i]] += 1`. Such a kernel is
    /// made for elements that are equal, and it lacks an atomic operation.
    pub accumulates: bool,
}

/// A kernel's tables, in the order of the parameters.
pub fn tables(kernel: &Kernel) -> Vec<Table> {
    let points = points_to(kernel);
    let mut written = BTreeSet::new();
    let mut is_known = true;
    let mut accesses: Vec<(Value, BTreeSet<Array>)> = Vec::new();
    for data in kernel.instructions.values() {
        for_each_access(kernel, &data.operation, data.result, |access| {
            let targets = &points[access.pointer];
            is_known &= !targets.unknown;
            if access.writes {
                written.extend(targets.arrays.iter().copied());
            }
            accesses.push((access.pointer, targets.arrays.iter().copied().collect()));
        });
    }
    if !is_known {
        return Vec::new();
    }
    let sums = sums(kernel);
    let table = |name: &str, array: Array| {
        let reads = |operation: &Operation| match operation {
            Operation::Load(access) => points[access.pointer].arrays.contains(&array),
            _ => false,
        };
        let from = dependent(kernel, &reads, &|_| true);
        let decides_where = accesses.iter().any(|(pointer, arrays)| from[*pointer] && !arrays.is_disjoint(&written));
        let decides_whether = kernel.blocks.values().any(|block| match &block.terminator {
            Terminator::Branch { condition, .. } => from[*condition],
            Terminator::Switch { value, .. } => from[*value],
            _ => false,
        });
        let accumulates = sums.iter().any(|pointer| from[*pointer]);
        (decides_where || decides_whether).then(|| Table { name: name.to_owned(), accumulates })
    };
    let names = kernel.passed().iter().map(|parameter| parameter.name.as_str());
    let integers = names.filter_map(|name| Some((name, elements(kernel, name).ok()?.0)));
    let only_read = integers
        .filter(|(_, array)| !written.contains(array) && kernel.arrays[*array].origin == ArrayOrigin::Parameter);
    only_read.filter_map(|(name, array)| table(name, array)).take(MOST).collect()
}

/// Whether elements of arrays say where the kernel accesses the array of this name.
pub fn is_indexed_by_contents(kernel: &Kernel, name: &str) -> bool {
    let points = points_to(kernel);
    let from =
        dependent(kernel, &|operation| matches!(operation, Operation::Load(_) | Operation::Atomic { .. }), &|_| true);
    let mut is_indexed = false;
    for data in kernel.instructions.values() {
        for_each_access(kernel, &data.operation, data.result, |access| {
            let is_meant = points[access.pointer].arrays.iter().any(|array| kernel.arrays[*array].name == name);
            is_indexed |= is_meant && from[access.pointer];
        });
    }
    is_indexed
}

/// The addresses of what the kernel adds to, without an atomic operation.
fn sums(kernel: &Kernel) -> Vec<Value> {
    let is_sum = |operation: &&Operation| match operation {
        Operation::Store(access, value) => parts(kernel, *value).into_iter().any(|part| match kernel.operation(part) {
            Some(Operation::Load(loaded)) => are_alike(kernel, loaded.pointer, access.pointer, DEEPEST),
            _ => false,
        }),
        _ => false,
    };
    let stores = kernel.instructions.values().map(|data| &data.operation).filter(is_sum);
    stores
        .filter_map(|store| if let Operation::Store(access, _) = store { Some(access.pointer) } else { None })
        .collect()
}

/// Whether two values are computed alike, as far as one can see.
fn are_alike(kernel: &Kernel, a: Value, b: Value, depth: u32) -> bool {
    let (Some(one), Some(other)) = (kernel.operation(a), kernel.operation(b)) else { return a == b };
    let operands = |operation: &Operation| {
        let mut operands = Vec::new();
        operation.for_each_operand(|operand| operands.push(operand));
        operands
    };
    let nothing = |operation: &Operation| {
        let mut operation = operation.clone();
        operation.for_each_operand_mut(|operand| *operand = a);
        operation
    };
    a == b
        || depth > 0
            && (one.is_computation() || matches!(one, Operation::Load(_)))
            && nothing(one) == nothing(other)
            && operands(one).into_iter().zip(operands(other)).all(|(a, b)| are_alike(kernel, a, b, depth - 1))
}

/// The operands of a sum, a minimum, or an operation on bits.
fn parts(kernel: &Kernel, value: Value) -> Vec<Value> {
    use BinaryOp::{Add, And, Or, Subtract, Xor};
    match kernel.operation(value) {
        Some(&Operation::Binary(Add | Subtract | And | Or | Xor, _, a, b)) => vec![a, b],
        Some(&Operation::Select(_, a, b)) => vec![a, b],
        Some(Operation::Float(FloatOp::Add | FloatOp::Subtract, operands)) => operands.clone(),
        Some(Operation::Float(FloatOp::FusedMultiplyAdd | FloatOp::MultiplyAdd, operands)) => {
            operands.last().copied().into_iter().collect()
        }
        // A number may be narrower in memory.
        Some(&Operation::Convert(_, inner)) => parts(kernel, inner),
        _ => Vec::new(),
    }
}
