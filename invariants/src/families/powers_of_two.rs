//! `powers-of-two`: doubled and halved variables.
//!
//! For a variable that is shifted by a constant or halved: `x & (x - 1) = 0` (a power of two or zero)
//! and `x ≠ 0`. For one that grows as another shrinks: `a·b = a0·b0`, also `b = 0 ∨ a·b = a0·b0`, and, if
//! the product is a constant, `(b = 0 ∧ a = 2·a0·b0) ∨ a·b = a0·b0`, which holds when the loop has ended.
//!
//! Example: a scan's `for (d = n >> 1, offset = 1; d > 0; d >>= 1, offset <<= 1)`: `d·offset = n >> 1`
//! as long as `d` is not zero, for `n` a power of two.
//!
//! Pays for tree reductions and scans.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{BinaryOp, Expression, Loop};

use crate::context::Context;
use crate::scan::CarriedCopy;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    let shifted: Vec<(CarriedCopy, i64)> = context
        .carried_bits(loop_)
        .into_iter()
        .filter_map(|copy| Some((copy, context.scan.evolution(copy).shift().filter(|&by| by != 0)?)))
        .collect();
    for &(copy, _) in &shifted {
        single(context, copy);
    }
    for &(growing, up) in shifted.iter().filter(|(_, by)| *by > 0) {
        for &(shrinking, down) in &shifted {
            // Copies of the same thread, or uniform ones.
            let together = growing.thread == shrinking.thread;
            if up == -down && together && context.same_width(growing, shrinking) {
                product(context, growing, shrinking);
            }
        }
    }
}

fn single(context: &mut Context<'_>, copy: CarriedCopy) {
    let x = context.current(copy);
    let width = context.expressions.width(x);
    let zero = context.expressions.number(width, 0);
    let ones = context.expressions.bits(Bits::ones(width));
    let below = context.expressions.add(x, ones);
    let common = context.expressions.binary(BinaryOp::And, x, below);
    let power = context.expressions.equal(common, zero);
    context.propose_of(copy, power);
    let is_zero = context.expressions.equal(x, zero);
    let nonzero = context.expressions.not(is_zero);
    context.propose_of(copy, nonzero);
}

fn product(context: &mut Context<'_>, growing: CarriedCopy, shrinking: CarriedCopy) {
    let (a, b) = (context.current(growing), context.current(shrinking));
    let (a0, b0) = (context.initial(growing), context.initial(shrinking));
    let now = context.expressions.multiply(a, b);
    let before = context.expressions.multiply(a0, b0);
    let kept = context.expressions.equal(now, before);
    context.propose_of(shrinking, kept);
    let zero: Expression = context.expressions.number(context.expressions.width(b), 0);
    let ended = context.expressions.equal(b, zero);
    let until_zero = context.expressions.or([ended, kept]);
    context.propose_of(shrinking, until_zero);
    if let Some(constant) = context.expressions.as_bits(before).cloned() {
        let doubled = context.expressions.bits(constant.add(&constant));
        let last = context.expressions.equal(a, doubled);
        let ended = context.expressions.and([ended, last]);
        let either = context.expressions.or([ended, kept]);
        context.propose_of(shrinking, either);
    }
}
