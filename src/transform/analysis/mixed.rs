//! Arrays that some accesses treat as plain memory and others as atomic.
//!
//! Only in these does it matter to races which atomic writes a thread has observed: two atomic
//! accesses do not race, and without atomic writes there is nothing to observe.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{Array, Kernel};

use super::accesses::for_each_access;
use super::pointers::points_to;

/// The arrays with accesses of both kinds. A volatile access is of both.
pub fn mixed_arrays(kernel: &Kernel) -> BTreeSet<Array> {
    let points_to = points_to(kernel);
    let (mut plain, mut atomic) = (BTreeSet::new(), BTreeSet::new());
    for data in kernel.instructions.values() {
        for_each_access(kernel, &data.operation, data.result, |shape| {
            let targets = &points_to[shape.pointer].arrays;
            if shape.atomic || shape.volatile {
                atomic.extend(targets.iter().copied());
            }
            if !shape.atomic {
                plain.extend(targets.iter().copied());
            }
        });
    }
    &plain & &atomic
}
