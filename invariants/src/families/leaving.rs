//! `leaving`: the values that a thread takes along when it leaves a loop.
//!
//! `left → v = e`, for each way out of a loop and each value `v` taken along. Here `e` is its value
//! at that moment, over variables that the loop carries or does not change. A thread that has left
//! changes none of them any more.
//!
//! Also `left → c`, for the condition that made it leave, if it is over such variables.
//!
//! Also `E → P ∨ left`: a thread that enters the loop is still in it or has taken one of the ways
//! out. `E` is the activity before the loop.
//!
//! Also `¬(P ∧ left)`: it does not do both.
//!
//! Example: `for (r…) for (c…) { …; at += 112; }`: the outer loop continues with the inner loop's
//! `at`.
//!
//! Useful in nests, and where a loop continues with a variable of an earlier loop.

use lockstep_ir::sequential::Loop;

use crate::context::Context;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    for thread in 0..2 {
        let Some(entered) = context.scan.loops[loop_].entered[thread] else { continue };
        if context.scan.is_invariant(context.expressions, loop_, entered) {
            let was_active = context.was_active(loop_, thread);
            let accounted = context.expressions.implies(entered, was_active);
            context.propose(accounted);
        }
    }
    for exit in &context.scan.exits[loop_] {
        let left = context.expressions.variable(exit.taken);
        let thread = context.expressions.variables()[exit.taken].thread.unwrap_or(0);
        let active = context.expressions.variable(*context.loops[loop_].active.of(thread));
        let both = context.expressions.and([left, active]);
        let apart = context.expressions.not(both);
        context.propose(apart);
        let lasts = |context: &Context<'_>, value| {
            let mut lasting = true;
            context.expressions.for_each_variable(value, |part| {
                let carried = context.scan.carried.get(&part).is_some_and(|copy| copy.loop_ == loop_);
                lasting &= carried || !context.scan.loops[loop_].changed.contains(part);
            });
            lasting
        };
        // A shared variable changes as long as one of the threads is in the loop.
        let of_one = context.expressions.variables()[exit.taken].thread.is_some();
        for &condition in exit.conditions.iter().filter(|_| of_one) {
            if lasts(context, condition) {
                let still = context.expressions.implies(left, condition);
                context.propose(still);
            }
        }
        for &(variable, value) in &exit.values {
            if lasts(context, value) {
                let variable = context.expressions.variable(variable);
                let same = context.expressions.equal(variable, value);
                let guarded = context.expressions.implies(left, same);
                context.propose(guarded);
            }
        }
    }
}
