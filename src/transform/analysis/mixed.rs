//! Arrays that some accesses treat as plain memory and others as atomic.
//!
//! Only in these does it matter to races which atomic writes a thread has observed. Two atomic
//! accesses of one width and of device scope do not race, and without atomic writes there is
//! nothing to observe.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::{Array, Kernel, Operation, Scope};

use super::accesses::for_each_access;
use super::pointers::points_to;

/// The arrays with accesses of both kinds, or with atomic ones that may race with each other. A
/// volatile access is of both kinds.
pub fn mixed_arrays(kernel: &Kernel) -> BTreeSet<Array> {
    let points_to = points_to(kernel);
    let (mut plain, mut atomic) = (BTreeSet::new(), BTreeSet::new());
    let mut widths: BTreeMap<Array, Option<u64>> = BTreeMap::new();
    for data in kernel.instructions.values() {
        for_each_access(kernel, &data.operation, data.result, |shape| {
            let targets = &points_to[shape.pointer].arrays;
            if shape.atomic || shape.volatile {
                atomic.extend(targets.iter().copied());
            }
            let is_narrow = match &data.operation {
                Operation::Atomic { scope, .. } => !matches!(scope, Scope::Device | Scope::System),
                _ => false,
            };
            let has_other_width = |array: &Array| *widths.entry(*array).or_insert(shape.bytes) != shape.bytes;
            let others: Vec<Array> = targets.iter().copied().filter(has_other_width).collect();
            plain.extend(others);
            if !shape.atomic || is_narrow {
                plain.extend(targets.iter().copied());
            }
        });
    }
    &plain & &atomic
}
