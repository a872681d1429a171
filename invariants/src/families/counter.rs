//! `counter`: bounds on the trip count.
//!
//! Let a thread continue only while `x + d < n`, with `x` going up by a constant `s`, and `d`, `n`
//! unchanged by the loop.
//!
//! * If `x0`, `d` and `n` are constants, so is the first iteration `T` in which the comparison
//!   fails. Proposed are `P → k ≤ T` and `k ≤ T + 1`. The same holds for `≤`, `≠`, going down, and
//!   for an `x` that is shifted.
//! * If the step is one, `P → k ≤ n - d - x0` (for `≤` one more), all 64 bits wide.
//!
//! Example: `for (i = 0; i < 100; i++)`: `P → k ≤ 100`.
//!
//! Useful with symbolic rows, `A[k*w + i]`: products of the counter must not wrap.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{CompareOp, Expression, Loop, Node};

use crate::context::Context;
use crate::scan::{CarriedCopy, comparisons};

/// The maximum number of iterations executed to find a constant trip count.
const TRIED: u64 = 1 << 13;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    let counter = context.counter(loop_);
    for copy in context.carried_bits(loop_) {
        let constant = constant_trip(context, copy).map(|limit| context.expressions.number(64, limit));
        for limit in constant.into_iter().chain(symbolic_limits(context, copy)) {
            let within = context.expressions.compare(CompareOp::UnsignedLessEqual, counter, limit);
            let active = context.active(copy);
            let guarded = context.expressions.implies(active, within);
            context.propose(guarded);
        }
    }
    if let Some(limit) = constant_limit(context, loop_) {
        let end = context.expressions.number(64, limit.saturating_add(1));
        let within = context.expressions.compare(CompareOp::UnsignedLessEqual, counter, end);
        context.propose(within);
    }
}

/// The greatest iteration number that a thread can reach, if it is the same constant for both
/// threads.
pub fn constant_limit(context: &mut Context<'_>, loop_: Loop) -> Option<u64> {
    let mut limits = [None::<u64>; 2];
    for copy in context.carried_bits(loop_) {
        let Some(trip) = constant_trip(context, copy) else { continue };
        let uniform = context.loops[loop_].carried[copy.index].variable.is_uniform();
        for (thread, limit) in limits.iter_mut().enumerate() {
            if uniform || thread == copy.thread {
                *limit = Some(limit.map_or(trip, |known| known.min(trip)));
            }
        }
    }
    Some(limits[0]?.max(limits[1]?))
}

/// The first iteration in which a conjunct that decides about continuing fails, for constants.
pub fn constant_trip(context: &mut Context<'_>, copy: CarriedCopy) -> Option<u64> {
    if !context.scan.evolution(copy).is_steady() {
        return None;
    }
    let start = context.initial(copy);
    context.expressions.as_bits(start)?;
    let next = context.next(copy);
    let conjuncts = &context.scan.loops[copy.loop_].continuing[copy.thread];
    let mut least = None;
    for &conjunct in conjuncts {
        let positive = match *context.expressions.node(conjunct) {
            Node::Not(inner) => inner,
            _ => conjunct,
        };
        if comparisons(context.expressions, positive) != [positive] || !decides_alone(context, copy, conjunct) {
            continue;
        }
        let mut value = start;
        for trip in 0..TRIED {
            let holds = context.replaced(conjunct, copy, value);
            match context.expressions.as_boolean(holds) {
                Some(true) => {}
                Some(false) => {
                    least = Some(least.map_or(trip, |known: u64| known.min(trip)));
                    break;
                }
                None => break,
            }
            let later = context.replaced(next, copy, value);
            // A shifted value reaches a fixed point, and a condition on further variables is not
            // known.
            if later == value || context.expressions.as_bits(later).is_none() {
                break;
            }
            value = later;
        }
    }
    least
}

/// Whether a condition mentions the variable and nothing else.
fn decides_alone(context: &Context<'_>, copy: CarriedCopy, condition: Expression) -> bool {
    let variable = context.variable_of(copy);
    let mut alone = true;
    context.expressions.for_each_variable(condition, |mentioned| alone &= mentioned == variable);
    alone
}

/// 64-bit bounds of the counter for a step of one or minus one.
fn symbolic_limits(context: &mut Context<'_>, copy: CarriedCopy) -> Vec<Expression> {
    let Some(step) = context.scan.evolution(copy).exact_step() else { return Vec::new() };
    let Some(step) = context.expressions.as_bits(step).cloned() else { return Vec::new() };
    if step.width() > 64 || !(step.is_one() || step.is_ones()) {
        return Vec::new();
    }
    let conjuncts = context.scan.loops[copy.loop_].continuing[copy.thread].clone();
    conjuncts.into_iter().filter_map(|conjunct| symbolic_limit(context, copy, &step, conjunct)).collect()
}

fn symbolic_limit(
    context: &mut Context<'_>,
    copy: CarriedCopy,
    step: &Bits,
    conjunct: Expression,
) -> Option<Expression> {
    let (a, b, weak) = match *context.expressions.node(conjunct) {
        Node::Compare(op, a, b) => (a, b, matches!(op, CompareOp::UnsignedLessEqual | CompareOp::SignedLessEqual)),
        Node::Not(inner) => match *context.expressions.node(inner) {
            Node::Equal(a, b) => (a, b, false),
            _ => return None,
        },
        _ => return None,
    };
    let x = context.current(copy);
    if context.expressions.sort(a) != context.expressions.sort(x) {
        return None;
    }
    // The remaining distance at the start, with the closed form in place of x: that of n - (x + d)
    // going up, of (x + d) - n going down.
    let initial = context.initial(copy);
    let difference = context.expressions.subtract(b, a);
    let at_start = context.replaced(difference, copy, initial);
    if !context.scan.is_invariant(context.expressions, copy.loop_, at_start) {
        return None;
    }
    // `x + d < n` has x on the left going up, `n < x + d` on the right going down; an equation has
    // either.
    let per_step = {
        let moved = context.expressions.bits(step.clone());
        let moved = context.expressions.add(x, moved);
        let later = context.replaced(difference, copy, moved);
        let change = context.expressions.subtract(later, difference);
        context.expressions.as_bits(change).cloned()?
    };
    let distance = if per_step.is_ones() {
        at_start
    } else if per_step.is_one() && matches!(context.expressions.node(conjunct), Node::Not(_)) {
        context.expressions.negate(at_start)
    } else {
        return None;
    };
    if context.expressions.as_bits(distance).is_some() {
        return None; // The constant family says it better.
    }
    let wide = context.expressions.zero_extend(64, distance);
    let one_more = context.expressions.number(64, u64::from(weak));
    Some(context.expressions.add(wide, one_more))
}
