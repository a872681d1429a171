//! `equal-predicates`: both threads iterate or neither does.
//!
//! `P$1 = P$2` for a loop whose activity is not known to be uniform.
//!
//! Example: `for (i = lid; i < 256; i += 64)` in groups of 64 threads: each thread has a trip count
//! of four.
//!
//! Useful for barriers in loops whose bounds depend on the thread.

use lockstep_ir::sequential::{Copies, Loop};

use crate::context::Context;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    if let Copies::Each(active) = context.loops[loop_].active {
        let [first, second] = active.map(|variable| context.expressions.variable(variable));
        let same = context.expressions.equal(first, second);
        context.propose(same);
    }
}
