//! `advances`: bounds on a variable that not every iteration advances.
//!
//! If each iteration adds one of several constants to `x`, none of them negative and the greatest
//! `m`, then `x - x0 ≤ m·k`, unsigned. It is proposed as `P → x - x0 ≤ m·k` and for recorded
//! variables as `hit → x_hit - x0 ≤ m·k_hit`, with counters of 64 bits. If the greatest iteration
//! number is a constant, it also replaces the counter.
//!
//! Inductive: an iteration adds at most `m` on the left and `m` on the right, which does not wrap
//! where the counter is bounded.
//!
//! Example: `for (i = 0; i < 24; i++) if (in[i] > 0) out[24*id + count++] = i;`: `count ≤ i`, so
//! each thread stays in its slice.
//!
//! Useful where threads pack their results, or push onto a stack of their own.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{CompareOp, Expression, Loop, Site};

use super::counter;
use crate::context::Context;
use crate::scan::{CarriedCopy, Evolution};

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    let counter = context.expressions.variable(context.loops[loop_].counter);
    for copy in context.carried_bits(loop_) {
        let Some(most) = greatest_advance(context, copy) else { continue };
        let (x, initial) = (context.current(copy), context.initial(copy));
        let condition = within(context, x, initial, &most, counter);
        context.propose_of(copy, condition);
        if let Some(limit) = counter::constant_limit(context, loop_) {
            let limit = context.expressions.number(64, limit);
            let condition = within(context, x, initial, &most, limit);
            context.propose_of(copy, condition);
        }
    }
    for site in context.changing_sites(loop_) {
        at_hits(context, loop_, site);
    }
}

fn at_hits(context: &mut Context<'_>, loop_: Loop, site: Site) {
    let data = context.sites[site].clone();
    for recorded in &data.recorded {
        let Some(&copy) = context.scan.carried.get(&recorded.original) else { continue };
        let Some(most) = greatest_advance(context, copy) else { continue };
        let counter = context.loops[copy.loop_].counter;
        let Some(counter) = data.recorded.iter().find(|one| one.original == counter) else { continue };
        let initial = context.initial(copy);
        let Some(initial) = context.at_hit(site, loop_, initial) else { continue };
        let x = context.expressions.variable(recorded.recorded);
        let counter = context.expressions.variable(counter.recorded);
        let condition = within(context, x, initial, &most, counter);
        context.propose_of_hit(site, condition);
    }
}

/// `x - x0 ≤ most · counter`
fn within(
    context: &mut Context<'_>,
    x: Expression,
    initial: Expression,
    most: &Bits,
    counter: Expression,
) -> Expression {
    let way = context.expressions.subtract(x, initial);
    let way = context.expressions.zero_extend(64, way);
    let limit = context.expressions.scale(most.zero_extend(64), counter);
    context.expressions.compare(CompareOp::UnsignedLessEqual, way, limit)
}

/// The greatest step of an iteration, if the step is not always the same.
fn greatest_advance(context: &Context<'_>, copy: CarriedCopy) -> Option<Bits> {
    let Evolution::Steps { steps, exact: false } = context.scan.evolution(copy) else { return None };
    let mut most: Option<Bits> = None;
    for &step in steps {
        let bits = context.expressions.as_bits(step)?;
        if bits.sign() || bits.width() > 64 {
            return None;
        }
        if most.as_ref().is_none_or(|most| most.unsigned() < bits.unsigned()) {
            most = Some(bits.clone());
        }
    }
    most.filter(|most| !most.is_zero())
}
