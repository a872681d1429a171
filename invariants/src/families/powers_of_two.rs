//! `powers-of-two`: variables that some iterations double or halve.
//!
//! For a variable that an iteration keeps, shifts by a constant or halves, or sets to a constant
//! power of two: `x & (x - 1) = 0` (a power of two or zero) and `x ≠ 0`. For one that grows as
//! another shrinks: `a·b = a0·b0`, also `b = 0 ∨ a·b = a0·b0`. If *each* iteration shifts, closed
//! forms imply as much.
//!
//! Example: `if (used <= length / 4) length >>= 1;`: the length of a hash table, whose mask
//! `length - 1` computes a remainder.
//!
//! Useful for tables and rings that change their size, and for steps that depend on data.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{BinaryOp, Expression, Loop, Node};

use crate::context::Context;
use crate::scan::{CarriedCopy, shift};

/// The maximum number of branches of a value that are analysed.
const BRANCHES: usize = 32;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    let shifted: Vec<(CarriedCopy, Vec<i64>)> = context
        .carried_bits(loop_)
        .into_iter()
        .filter(|&copy| context.scan.evolution(copy).shift().is_none())
        .filter_map(|copy| Some((copy, shifts(context, copy)?)))
        .collect();
    for (copy, _) in &shifted {
        single(context, *copy);
    }
    for (growing, up) in shifted.iter().filter(|(_, by)| by.iter().all(|&by| by > 0)) {
        for (shrinking, down) in &shifted {
            // Copies of the same thread, or uniform ones.
            let together = growing.thread == shrinking.thread;
            let opposite = up.len() == down.len() && up.iter().all(|&by| down.contains(&-by));
            if opposite && together && context.same_width(*growing, *shrinking) {
                product(context, *growing, *shrinking);
            }
        }
    }
}

/// The numbers of bits by which iterations shift a variable, negative to the right. `None` unless
/// some iteration shifts it, and every iteration keeps it, shifts it, or sets it to a constant
/// power of two.
fn shifts(context: &mut Context<'_>, copy: CarriedCopy) -> Option<Vec<i64>> {
    let x = context.current(copy);
    let next = *context.loops[copy.loop_].carried[copy.index].next.of(copy.thread);
    let mut found = Vec::new();
    let mut waiting = vec![next];
    for _ in 0..BRANCHES {
        let Some(value) = waiting.pop() else { return (!found.is_empty()).then_some(found) };
        if let &Node::IfThenElse(_, then, otherwise) = context.expressions.node(value) {
            waiting.extend([otherwise, then]);
        } else if let Some(by) = shift(context.expressions, x, value).and_then(|evolution| evolution.shift()) {
            if !found.contains(&by) {
                found.push(by);
            }
        } else if value != x && context.expressions.as_bits(value).and_then(Bits::power_of_two).is_none() {
            return None;
        }
    }
    None
}

fn single(context: &mut Context<'_>, copy: CarriedCopy) {
    let x = context.current(copy);
    let width = context.expressions.width(x);
    let zero = context.expressions.number(width, 0);
    let ones = context.expressions.bits(Bits::ones(width));
    let below = context.expressions.add(x, ones);
    let common = context.expressions.binary(BinaryOp::And, x, below);
    let power = context.expressions.equal(common, zero);
    context.propose_lasting(copy, power);
    let is_zero = context.expressions.equal(x, zero);
    let nonzero = context.expressions.not(is_zero);
    context.propose_lasting(copy, nonzero);
}

fn product(context: &mut Context<'_>, growing: CarriedCopy, shrinking: CarriedCopy) {
    let (a, b) = (context.current(growing), context.current(shrinking));
    let (a0, b0) = (context.initial(growing), context.initial(shrinking));
    let now = context.expressions.multiply(a, b);
    let before = context.expressions.multiply(a0, b0);
    let kept = context.expressions.equal(now, before);
    context.propose_lasting(shrinking, kept);
    let zero: Expression = context.expressions.number(context.expressions.width(b), 0);
    let ended = context.expressions.equal(b, zero);
    let until_zero = context.expressions.or([ended, kept]);
    context.propose_lasting(shrinking, until_zero);
}
