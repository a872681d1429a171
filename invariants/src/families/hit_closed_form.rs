//! `hit-closed-form`: recorded values in terms of recorded iteration numbers.
//!
//! For each site whose hit the loop changes:
//!
//! * `hit → x_hit = x0 + s·k_hit` for each recorded variable that some loop carries with a closed
//!   form (family `closed-form`), with `x0` and `s` taken at the hit too;
//! * `hit → k_hit < k` for the loop itself and `hit → k_hit ≤ k` for the loops around it; in a nest
//!   also `hit ∧ (no outer loop has gone on since) → k_hit < k`, since an inner counter starts
//!   again;
//! * `hit → k_hit = k` for a loop around it with a barrier, which may have ordered everything
//!   before this iteration. The same is proposed under the condition that this loop was entered,
//!   `E1 ∨ E2`, because a thread that leaves the outer loop before the barrier passes neither;
//! * `hit → bound` for the conditions of the families `bounds` and `stride` on recorded variables;
//! * `hit → k_hit ≤ T` for a loop with a constant trip count.
//!
//! Example: a write to `A[i]` in `for (i = tid; i < n; i += 64)` gives
//! `hit → i_hit = tid + 64·k_hit` and `hit → k_hit < k`. So the hit of an earlier iteration is on
//! another cell than this iteration's access.
//!
//! Useful whenever a loop accesses an array without a barrier between the iterations.

use lockstep_ir::sequential::{CompareOp, Expression, Loop, Site, Variable};

use super::{bounds, counter, stride};
use crate::context::Context;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    for site in context.changing_sites(loop_) {
        recorded_values(context, loop_, site);
        recorded_counters(context, loop_, site);
    }
}

fn recorded_values(context: &mut Context<'_>, loop_: Loop, site: Site) {
    for recorded in &context.sites[site].recorded {
        let Some(&copy) = context.scan.carried.get(&recorded.original) else { continue };
        if !context.sites[site].loops.contains(&copy.loop_) {
            continue;
        }
        let depth = context.loops.len();
        if let Some(form) = context.closed_form_at_hit(site, loop_, copy, depth) {
            let value = context.expressions.variable(recorded.recorded);
            let closed = context.expressions.equal(value, form);
            context.propose_of_hit(site, closed);
        }
        let mut conditions = bounds::conditions(context, copy);
        conditions.extend(stride::conditions(context, copy));
        for condition in conditions {
            if let Some(condition) = context.at_hit(site, loop_, condition) {
                context.propose_of_hit(site, condition);
            }
        }
    }
}

fn recorded_counters(context: &mut Context<'_>, loop_: Loop, site: Site) {
    let around = loops_around(context, loop_);
    let entered = entered_by_one(context, loop_);
    // The conditions that the enclosing loops are in the iteration of the hit.
    let mut same_iterations: Vec<Expression> = Vec::new();
    for &enclosing in &around {
        let Some((counter, recorded)) = counters(context, enclosing, site) else { continue };
        let before = context.expressions.compare(CompareOp::UnsignedLess, recorded, counter);
        if enclosing == loop_ {
            context.propose_of_hit(site, before);
            let same = context.expressions.and(same_iterations.iter().copied());
            let ordered = context.expressions.implies(same, before);
            context.propose_of_hit(site, ordered);
        } else {
            let not_after = context.expressions.compare(CompareOp::UnsignedLessEqual, recorded, counter);
            context.propose_of_hit(site, not_after);
            if !context.sites[site].loops.contains(&loop_) {
                context.propose_of_hit(site, before);
            }
            let same = context.expressions.equal(recorded, counter);
            if context.loops[enclosing].has_barrier {
                context.propose_of_hit(site, same);
                if let Some(entered) = entered {
                    let same = context.expressions.implies(entered, same);
                    context.propose_of_hit(site, same);
                }
            }
            same_iterations.push(same);
        }
    }
    for index in 0..context.sites[site].loops.len() {
        let enclosing = context.sites[site].loops[index];
        let Some((_, recorded)) = counters(context, enclosing, site) else { continue };
        if let Some(limit) = counter::constant_limit(context, enclosing) {
            let limit = context.expressions.number(64, limit);
            let few = context.expressions.compare(CompareOp::UnsignedLessEqual, recorded, limit);
            context.propose_of_hit(site, few);
        }
    }
}

/// Whether one of the threads enters the loop, if that is not certain.
fn entered_by_one(context: &mut Context<'_>, loop_: Loop) -> Option<Expression> {
    let [first, second] = context.scan.loops[loop_].entered;
    let entered = context.expressions.or([first?, second?]);
    let is_open = context.expressions.as_boolean(entered).is_none();
    (is_open && context.scan.is_invariant(context.expressions, loop_, entered)).then_some(entered)
}

/// The loop and those around it, outermost first.
fn loops_around(context: &Context<'_>, loop_: Loop) -> Vec<Loop> {
    let mut around = vec![loop_];
    while let Some(parent) = context.loops[around[around.len() - 1]].parent {
        around.push(parent);
    }
    around.reverse();
    around
}

/// A loop's counter and its recorded value.
fn counters(context: &mut Context<'_>, loop_: Loop, site: Site) -> Option<(Expression, Expression)> {
    let counter: Variable = context.loops[loop_].counter;
    let recorded = context.sites[site].recorded.iter().find(|recorded| recorded.original == counter)?.recorded;
    Some((context.expressions.variable(counter), context.expressions.variable(recorded)))
}
