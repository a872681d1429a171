//! `equal-values`: both threads iterate or neither does, and their copies are equal, or differ as
//! they did at the start.
//!
//! `P$1 = P$2` for a loop whose activity is not known to be uniform. For each variable,
//! `x$1 = x$2`; `P$1 ∧ P$2 → x$1 = x$2`; and `P$1 ∧ P$2 → x$1 - x0$1 = x$2 - x0$2` unless a closed
//! form already implies it.
//!
//! Examples: `while (f(i)) { if (a) i++; else i += 2; }` with `a` and `f` equal for both threads;
//! `for (i = lid; i < 256; i += 64)` in groups of 64 threads: each thread has a trip count of
//! four.
//!
//! Useful for barriers in loops whose bounds depend on the thread. Also useful when a value is
//! equal for both threads but was not found to be uniform. It passes through code that could
//! distinguish threads and does not.

use lockstep_ir::sequential::{Copies, Loop, Sort};

use crate::context::Context;
use crate::scan::CarriedCopy;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    if let Copies::Each(active) = context.loops[loop_].active {
        let [first, second] = active.map(|variable| context.expressions.variable(variable));
        let same = context.expressions.equal(first, second);
        context.propose(same);
    }
    for index in 0..context.loops[loop_].carried.len() {
        let carried = &context.loops[loop_].carried[index];
        let Copies::Each(variables) = carried.variable else { continue };
        let sort = context.expressions.variables()[variables[0]].sort;
        if matches!(sort, Sort::Map { .. }) {
            continue;
        }
        let copies = [0, 1].map(|thread| CarriedCopy { loop_, index, thread });
        let [first, second] = copies.map(|copy| context.current(copy));
        let equal = context.expressions.equal(first, second);
        let parts = copies.map(|copy| context.active(copy));
        let both = context.expressions.and(parts);
        let step = copies.map(|copy| context.scan.evolution(copy).exact_step());
        let closed = step[0].is_some() && step[0] == step[1];
        let initial = copies.map(|copy| context.initial(copy));
        if !closed || initial[0] == initial[1] {
            context.propose(equal);
        }
        if closed {
            continue;
        }
        let guarded = context.expressions.implies(both, equal);
        context.propose(guarded);
        let same_way = copies.iter().all(|&copy| !context.scan.evolution(copy).is_irregular());
        if matches!(sort, Sort::Bits(_)) && same_way && initial[0] != initial[1] {
            let way = context.expressions.subtract(first, initial[0]);
            let other = context.expressions.subtract(second, initial[1]);
            let same = context.expressions.equal(way, other);
            let guarded = context.expressions.implies(both, same);
            context.propose(guarded);
        }
    }
}
