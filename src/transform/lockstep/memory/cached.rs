//! Loads through a cache that is not kept coherent (`__ldg`, `ld.global.nc`).
//!
//! "Data that is read-only for the entire lifetime of the kernel" may be read so (CUDA C++
//! Programming Guide, "Global Memory"). The guide does not define the result for a kernel that
//! writes to the same array: the cache may hold a value from before the write, whichever thread
//! wrote. So the value is that of memory if no instruction of the kernel may write to the arrays
//! concerned, and arbitrary otherwise. Either way the load is an access that races like any other.

use std::collections::BTreeMap;

use lockstep_ir::kernel::{Kernel, Operation, Value};

use crate::analysis::pointers::PointsTo;
use crate::lockstep::memory::arrays::Uses;

/// Replaces each [`Operation::Cached`] by the value in memory, or by an arbitrary value.
pub fn resolve(kernel: &mut Kernel, points_to: &PointsTo, used: &Uses) {
    let mut values: BTreeMap<Value, Value> = BTreeMap::new();
    for data in kernel.instructions.values_mut() {
        let Operation::Cached { pointer, value } = data.operation else { continue };
        let targets = &points_to[pointer];
        let is_constant =
            !targets.unknown && !targets.elsewhere && !targets.arrays.iter().any(|&array| used.is_written(array));
        if let Some(result) = data.result.filter(|_| is_constant) {
            values.insert(result, value);
        }
        data.operation = Operation::Choice(Some(value));
    }
    if values.is_empty() {
        return;
    }
    let resolved = |value: &mut Value| {
        while let Some(&other) = values.get(value) {
            *value = other;
        }
    };
    for data in kernel.instructions.values_mut() {
        data.operation.for_each_operand_mut(resolved);
    }
    for block in kernel.blocks.values_mut() {
        block.terminator.for_each_operand_mut(resolved);
    }
}
