//! `predicate-facts`: the conditions that an active thread has passed on its way.
//!
//! * `P → P'` with `P'` the activity in the enclosing loop.
//! * `P → c` for each condition `c` on the way to the loop, over terms that the loop does not
//!   change.
//! * `P → c` and `k > 0 → P → c` for each condition under which a thread returns to the head. The
//!   condition is over values of the previous iteration; `x - s` stands for the earlier value of an
//!   `x` that grows by `s`, and `x` for `next(x)`.
//!
//! Example: `if (tid < n) do { …; i += 64; } while (i < n)` gives `P → tid < n` and
//! `k > 0 → P → i < n`; for `while (i < n) { …; i += 64; }` it is `k > 0 → P → i - 64 < n`.
//!
//! Useful for accesses guarded outside the loop, and for bounds of variables that several tests
//! guard.

use lockstep_ir::sequential::{CompareOp, Copies, Expression, Loop};
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::scan::CarriedCopy;

/// The maximum number of conditions of each kind that are proposed for a thread: more are a table.
pub const CONDITIONS: usize = 8;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    let active = context.loops[loop_].active;
    for (thread, &variable) in active.iter().enumerate() {
        let active = context.expressions.variable(variable);
        if let Some(parent) = context.loops[loop_].parent {
            let around = match context.loops[parent].active {
                Copies::Uniform(one) => context.expressions.variable(one),
                Copies::Each(each) => context.expressions.variable(each[thread]),
            };
            let nested = context.expressions.implies(active, around);
            context.propose(nested);
        }
        entering(context, loop_, thread, active);
        continuing(context, loop_, thread, active);
    }
}

fn entering(context: &mut Context<'_>, loop_: Loop, thread: usize, active: Expression) {
    let conditions: Vec<Expression> = context.scan.loops[loop_].entering[thread]
        .iter()
        .copied()
        .filter(|&condition| context.scan.is_invariant(context.expressions, loop_, condition))
        .take(CONDITIONS)
        .collect();
    for condition in conditions {
        let guarded = context.expressions.implies(active, condition);
        context.propose(guarded);
    }
}

fn continuing(context: &mut Context<'_>, loop_: Loop, thread: usize, active: Expression) {
    let conditions = context.scan.loops[loop_].continuing[thread].clone();
    let mut proposed = 0;
    for condition in conditions {
        // The activity itself adds nothing.
        if condition == active || proposed == CONDITIONS {
            continue;
        }
        let Some(condition) = one_iteration_later(context, loop_, condition) else { continue };
        proposed += 1;
        let guarded = context.expressions.implies(active, condition);
        context.propose(guarded);
        let counter = context.counter(loop_);
        let zero = context.expressions.number(64, 0);
        let later = context.expressions.compare(CompareOp::UnsignedLess, zero, counter);
        let guarded = context.expressions.implies(later, guarded);
        context.propose(guarded);
    }
}

/// A condition from the head of the previous iteration, over the values at the head of this one.
fn one_iteration_later(context: &mut Context<'_>, loop_: Loop, condition: Expression) -> Option<Expression> {
    let mut nexts: FxHashMap<Expression, Expression> = FxHashMap::default();
    let mut known: FxHashMap<Expression, Option<Expression>> = FxHashMap::default();
    for copy in context.carried_bits(loop_) {
        let x = context.current(copy);
        let next = context.next(copy);
        known.insert(x, previous_value(context, copy, x));
        // If several variables get the same value, the first stands for it.
        if context.expressions.as_bits(next).is_none() {
            nexts.entry(next).or_insert(x);
        }
    }
    known.extend(nexts.into_iter().map(|(next, x)| (next, Some(x))));
    context.in_terms_of(loop_, condition, &mut known)
}

fn previous_value(context: &mut Context<'_>, copy: CarriedCopy, x: Expression) -> Option<Expression> {
    let step = context.scan.evolution(copy).exact_step()?;
    Some(context.expressions.subtract(x, step))
}
