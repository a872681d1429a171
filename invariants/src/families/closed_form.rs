//! `closed-form`: induction variables in terms of the iteration number.
//!
//! If an iteration adds `s`, unchanged by the loop, then `x = x0 + s·k` modulo `2^width`. If it
//! shifts by `c` bits, then `x = x0 << c·k` or `x = x0 >> c·k`, where a distance of the width or
//! more empties `x` (or fills it with its sign). Halving a signed number, `x / 2^c`, is shifting as
//! long as `x0` is not negative.
//!
//! Modulo `2^width` the counter's low bits are multiplied, which is hard for solvers unless `s` is
//! a power of two. A constant bound on the number of iterations may keep all intermediate values
//! within the range of `width` bits, signed or unsigned. Then the claim is in 64 bits instead:
//! `ext64(x) = ext64(x0) + s·k`, which is linear and equally strong.
//!
//! Example: `for (i = tid; i < n; i += 64)` gives `P → i = tid + 64·k`.
//!
//! Always useful: the offset of an access becomes a function of the iteration number, which the two
//! threads share. The form also holds under wrap-around, so it needs no other facts.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{CompareOp, Expression, Loop};

use super::counter::constant_trip;
use crate::context::Context;
use crate::scan::CarriedCopy;

/// The width of counters.
const COUNTER_WIDTH: u32 = 64;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    for copy in context.carried_bits(loop_) {
        let counter = context.expressions.variable(context.loops[loop_].counter);
        let initial = context.initial(copy);
        let evolution = context.scan.evolution(copy).clone();
        let Some(form) = context.closed_form(initial, &evolution, counter) else { continue };
        let x = context.current(copy);
        let closed = context.expressions.equal(x, form);
        let wide = wide_form(context, copy, counter);
        context.propose_of(copy, wide.unwrap_or(closed));
        if let Some(by) = evolution.shift().filter(|&by| by != 0) {
            // A loop that runs until a bit is gone ends before all bits are.
            let width = u64::from(context.expressions.width(x));
            let limit = context.expressions.number(64, width.div_ceil(by.unsigned_abs()));
            let few = context.expressions.compare(CompareOp::UnsignedLessEqual, counter, limit);
            context.propose_of(copy, few);
        }
    }
}

/// The closed form in the counter's width. It requires a constant start, a constant step that is no
/// power of two, and so few iterations that nothing wraps.
fn wide_form(context: &mut Context<'_>, copy: CarriedCopy, counter: Expression) -> Option<Expression> {
    let step = context.scan.evolution(copy).exact_step()?;
    let step = context.expressions.as_bits(step).cloned()?;
    let start = context.initial(copy);
    let start = context.expressions.as_bits(start).cloned()?;
    let simple = step.power_of_two().is_some() || step.neg().power_of_two().is_some();
    if simple || step.is_zero() || step.width() >= COUNTER_WIDTH {
        return None;
    }
    let trips = i128::from(constant_trip(context, copy)?);
    let half = 1i128 << (step.width() - 1);
    let signed = |bits: &Bits| bits.to_u64().map(|number| i128::from(number) - if bits.sign() { 2 * half } else { 0 });
    let unsigned = |bits: &Bits| bits.to_u64().map(i128::from);
    let end = |start: i128| signed(&step).map(|step| start + step * trips);
    let x = context.current(copy);
    let in_range = |start: i128, range: std::ops::Range<i128>| {
        range.contains(&start) && end(start).is_some_and(|end| range.contains(&end))
    };
    let (wide, start) = if in_range(signed(&start)?, -half..half) {
        (context.expressions.sign_extend(COUNTER_WIDTH, x), start.sign_extend(COUNTER_WIDTH))
    } else if in_range(unsigned(&start)?, 0..2 * half) {
        (context.expressions.zero_extend(COUNTER_WIDTH, x), start.zero_extend(COUNTER_WIDTH))
    } else {
        return None;
    };
    let step = context.expressions.bits(step.sign_extend(COUNTER_WIDTH));
    let way = context.expressions.multiply(step, counter);
    let start = context.expressions.bits(start);
    let sum = context.expressions.add(start, way);
    Some(context.expressions.equal(wide, sum))
}
