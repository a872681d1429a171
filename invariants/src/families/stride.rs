//! `stride`: a variable modulo its step.
//!
//! If every step is a multiple of `2^t`, then the low `t` bits of `x` are those of `x0`,
//! wrap-around or not. If the steps are multiples of another constant, or the only step is a value
//! `s` that the loop does not change, then `x mod s = x0 mod s` unless a step wraps.
//!
//! Example: `for (i = tid; i < n; i += 64)` gives `P → i[5:0] = tid[5:0]`; with
//! `if (c) i += get_local_size(0)` it gives `P → i mod size = tid mod size`.
//!
//! Useful when a variable has no closed form, because it advances by different multiples, or in a
//! loop inside this one.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{BinaryOp, Expression, Loop, Node};

use crate::context::Context;
use crate::scan::{CarriedCopy, Evolution};

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    for copy in context.carried_bits(loop_) {
        for condition in conditions(context, copy) {
            context.propose_lasting(copy, condition);
        }
    }
}

/// The conditions that the family proposes for a copy of a variable.
pub fn conditions(context: &mut Context<'_>, copy: CarriedCopy) -> Vec<Expression> {
    let Evolution::Steps { steps, exact } = context.scan.evolution(copy).clone() else { return Vec::new() };
    let x = context.current(copy);
    let initial = context.initial(copy);
    let width = context.expressions.width(x);
    let mut found = Vec::new();
    let low = steps.iter().map(|&step| trailing_zeros(context, step)).min().unwrap_or(0);
    if (1..width).contains(&low) {
        let now = context.expressions.extract(low - 1, 0, x);
        let before = context.expressions.extract(low - 1, 0, initial);
        found.push(context.expressions.equal(now, before));
    }
    // Remainders by symbolic values are especially hard for a solver: they are not proposed if the
    // closed form implies them.
    let modulus = modulus(context, &steps).filter(|&modulus| !exact || context.expressions.as_bits(modulus).is_some());
    if let Some(modulus) = modulus {
        let now = context.expressions.binary(BinaryOp::UnsignedRemainder, x, modulus);
        let before = context.expressions.binary(BinaryOp::UnsignedRemainder, initial, modulus);
        found.push(context.expressions.equal(now, before));
    }
    found.retain(|&condition| context.expressions.as_boolean(condition).is_none());
    found
}

/// A modulus that is no power of two: the greatest common divisor of constant steps, or the only
/// step.
fn modulus(context: &mut Context<'_>, steps: &[Expression]) -> Option<Expression> {
    let nonzero: Vec<Expression> =
        steps.iter().copied().filter(|&step| !context.expressions.as_bits(step).is_some_and(Bits::is_zero)).collect();
    let mut divisor: Option<Bits> = None;
    for &step in &nonzero {
        let Some(bits) = context.expressions.as_bits(step) else {
            return (nonzero.len() == 1).then_some(step);
        };
        let size = if bits.sign() { bits.neg() } else { bits.clone() };
        divisor = Some(match divisor {
            None => size,
            Some(known) => greatest_common_divisor(known, size),
        });
    }
    let divisor = divisor.filter(|divisor| divisor.power_of_two().is_none())?;
    Some(context.expressions.bits(divisor))
}

fn greatest_common_divisor(mut a: Bits, mut b: Bits) -> Bits {
    while !b.is_zero() {
        (a, b) = (b.clone(), a.urem(&b));
    }
    a
}

/// The number of low bits of a value that are certainly zero; the width if all are.
fn trailing_zeros(context: &Context<'_>, value: Expression) -> u32 {
    let width = context.expressions.width(value);
    let of_bits =
        |bits: &Bits| bits.unsigned().trailing_zeros().map_or(width, |zeros| u32::try_from(zeros).unwrap_or(width));
    match context.expressions.node(value) {
        Node::Bits(bits) => of_bits(bits),
        Node::Sum(constant, terms) => terms.iter().map(|(factor, _)| of_bits(factor)).fold(of_bits(constant), u32::min),
        _ => 0,
    }
}
