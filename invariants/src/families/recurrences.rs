//! `recurrences`: variables in terms of the iteration number.
//!
//! Each iteration maps `x` to a new value ([`crate::recurrences`]). If it is always the same map,
//! `x` has a closed form, a function of `x0` and `k`. If it is one of several, `x` keeps a property
//! that all of them keep.
//!
//! * **Closed forms**, such as `x = x0 + s·k`; for two values in turns also `x = x0 ∨ x = f(x0)`.
//!   Modulo `2^width` the counter's low bits are multiplied, which is hard for solvers unless `s`
//!   is a power of two. A constant bound on the number of iterations may keep all values within the
//!   range of the width, signed or unsigned. Then the claim is in 64 bits instead:
//!   `ext64(x) = ext64(x0) + s·k`, which is linear and equally strong. Halving a signed number is
//!   shifting as long as `x0` is not negative. A loop that shifts by `c` until a bit is gone ends
//!   before all bits are: `k ≤ width / c`.
//!   Beside a variable of 64 bits with a closed form, the wide claim is made in any case: that
//!   variable may be an offset that an optimiser made of the same counter. With a bound `x < n` of
//!   the loop there is also `ext64(x0) + s·k < ext64(n)`, for the offset, too.
//! * **Steps** `s1, s2, …`: if all are multiples of `2^t`, the low `t` bits of `x` are those of
//!   `x0`, wrap-around or not. If they are multiples of another constant, or the only one is a
//!   value `s` that the loop does not change, then `x mod s = x0 mod s` unless a step wraps. If
//!   they are constants, none of them negative and the greatest `m`, then `x - x0 ≤ m·k`, unsigned,
//!   and with the greatest iteration number in place of `k`.
//! * **Shifts** by several distances, or assignments of constant powers of two: `x & (x - 1) = 0`
//!   (a power of two or zero) and `x ≠ 0`. If `a` grows as `b` shrinks, then `a·b = a0·b0`, at
//!   least until `b = 0`.
//!
//! Each is inductive by itself: one more application of the map keeps it.
//!
//! Examples: `for (i = tid; i < n; i += 64)` gives `i = tid + 64·k`. Ping-pong buffers, `cur ^= 1`,
//! give `cur = k odd ? 1 : 0`. A pipeline's `stage = stage + 1 == 3 ? 0 : stage + 1` gives
//! `stage = k mod 3`, and the phase that it flips then is `k / 3 mod 2`.
//! `if (in[i] > 0) out[24*id + count++] = i` gives `count ≤ k`, and
//! `if (used <= length / 4) length >>= 1` a power of two.
//!
//! Always useful: the offset of an access becomes a function of the iteration number, which the two
//! threads share.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{BinaryOp, CompareOp, Expression, Loop, Node};

use super::counter::{constant_limit, constant_trip};
use crate::claims::Claim;
use crate::context::Context;
use crate::recurrences::{Branch, Evolution, branches, shift};
use crate::scan::CarriedCopy;

/// The width of counters.
const COUNTER_WIDTH: u32 = 64;

pub fn claims(context: &mut Context<'_>, loop_: Loop) -> Vec<Claim> {
    let mut found = Vec::new();
    for copy in context.carried_copies(loop_) {
        closed_form(context, copy, &mut found);
        let Evolution::Steps { steps, exact } = context.scan.evolution(copy).clone() else { continue };
        for condition in congruences(context, copy, &steps, exact) {
            found.push(Claim::lasting(context, copy, condition));
        }
        if !exact {
            advances(context, copy, &steps, &mut found);
        }
    }
    shifts(context, loop_, &mut found);
    found
}

// --- One map -------------------------------------------------------------------------------------

fn closed_form(context: &mut Context<'_>, copy: CarriedCopy, found: &mut Vec<Claim>) {
    let counter = context.counter(copy.loop_);
    let Some(form) = context.closed_form(copy, counter) else { return };
    let x = context.current(copy);
    let closed = match wide_form(context, copy, counter) {
        Some(wide) => wide,
        None => context.expressions.equal(x, form),
    };
    found.push(Claim::carried(context, copy, closed));
    wide_beside(context, copy, counter, found);
    let evolution = context.scan.evolution(copy);
    if let &Evolution::Exchange { other, .. } = evolution {
        let either = [context.initial(copy), other].map(|value| context.expressions.equal(x, value));
        let either = context.expressions.or(either);
        found.push(Claim::carried(context, copy, either));
    }
    if let Some(by) = evolution.shift().filter(|&by| by != 0) {
        let width = u64::from(context.expressions.width(x));
        let limit = context.expressions.number(64, width.div_ceil(by.unsigned_abs()));
        let few = context.expressions.compare(CompareOp::UnsignedLessEqual, counter, limit);
        found.push(Claim::carried(context, copy, few));
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
    let way = context.expressions.scale(step.sign_extend(COUNTER_WIDTH), counter);
    let start = context.expressions.bits(start);
    let sum = context.expressions.add(start, way);
    Some(context.expressions.equal(wide, sum))
}

/// The closed form in the counter's width, and the loop's bound for it, of a counter beside an
/// offset of that width.
///
/// An optimiser makes two variables of `for (i = tid; i < n; i += s) a[i]`: the counter, of 32
/// bits, and the offset, which has 64. The bound of the counter then bounds the offset's `k`,
/// unless the counter wraps.
fn wide_beside(context: &mut Context<'_>, copy: CarriedCopy, counter: Expression, found: &mut Vec<Claim>) {
    if context.width_of(copy) >= COUNTER_WIDTH {
        return;
    }
    let Some(step) = context.scan.evolution(copy).exact_step() else { return };
    let is_offset = |context: &Context<'_>, other: &CarriedCopy| {
        let is_shared = context.loops[copy.loop_].carried[other.index].variable.is_uniform();
        context.width_of(*other) == COUNTER_WIDTH
            && (other.thread == copy.thread || is_shared)
            && context.scan.evolution(*other).exact_step().is_some()
    };
    let offsets: Vec<CarriedCopy> =
        context.carried_bits(copy.loop_).into_iter().filter(|other| is_offset(context, other)).collect();
    if offsets.is_empty() {
        return;
    }
    let (x, initial) = (context.current(copy), context.initial(copy));
    let step = match context.expressions.as_bits(step).cloned() {
        Some(step) if step.is_zero() => return,
        Some(step) => context.expressions.bits(step.sign_extend(COUNTER_WIDTH)),
        None => context.expressions.zero_extend(COUNTER_WIDTH, step),
    };
    let way = context.expressions.multiply(step, counter);
    let [wide, start] = [x, initial].map(|value| context.expressions.zero_extend(COUNTER_WIDTH, value));
    let reached = context.expressions.add(start, way);
    let closed = context.expressions.equal(wide, reached);
    found.push(Claim::carried(context, copy, closed));
    for conjunct in context.scan.loops[copy.loop_].continuing[copy.thread].clone() {
        let (op, a, b) = match *context.expressions.node(conjunct) {
            Node::Compare(CompareOp::UnsignedLess | CompareOp::SignedLess, a, b) => (CompareOp::UnsignedLess, a, b),
            Node::Compare(CompareOp::UnsignedLessEqual | CompareOp::SignedLessEqual, a, b) => {
                (CompareOp::UnsignedLessEqual, a, b)
            }
            _ => continue,
        };
        let is_before_step = a == x;
        let is_about = is_before_step || a == context.next(copy);
        if !is_about || !context.scan.is_invariant(context.expressions, copy.loop_, b) {
            continue;
        }
        let mut limit = context.expressions.zero_extend(COUNTER_WIDTH, b);
        if is_before_step {
            limit = context.expressions.add(limit, step);
        }
        let within = context.expressions.compare(op, reached, limit);
        found.extend(offsets.iter().map(|offset| Claim::carried(context, *offset, within)));
    }
}

// --- One of several steps ------------------------------------------------------------------------

/// `x ≡ x0` modulo the greatest common divisor of the steps.
fn congruences(context: &mut Context<'_>, copy: CarriedCopy, steps: &[Expression], exact: bool) -> Vec<Expression> {
    let (x, initial) = (context.current(copy), context.initial(copy));
    let width = context.expressions.width(x);
    let mut found = Vec::new();
    let low = steps.iter().map(|&step| trailing_zeros(context, step)).min().unwrap_or(0);
    if (1..width).contains(&low) {
        let [now, before] = [x, initial].map(|value| context.expressions.extract(low - 1, 0, value));
        found.push(context.expressions.equal(now, before));
    }
    // Remainders by symbolic values are especially hard for a solver: they are not proposed if the
    // closed form implies them.
    let modulus = modulus(context, steps).filter(|&modulus| !exact || context.expressions.as_bits(modulus).is_some());
    if let Some(modulus) = modulus {
        let remainder = |value| context.expressions.binary(BinaryOp::UnsignedRemainder, value, modulus);
        let [now, before] = [x, initial].map(remainder);
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

/// `x - x0 ≤ m·k`, and the same for the greatest `k`.
fn advances(context: &mut Context<'_>, copy: CarriedCopy, steps: &[Expression], found: &mut Vec<Claim>) {
    let Some(most) = greatest(context, steps) else { return };
    let (x, initial) = (context.current(copy), context.initial(copy));
    let counter = context.counter(copy.loop_);
    let limit = constant_limit(context, copy.loop_).map(|limit| context.expressions.number(64, limit));
    for counter in [Some(counter), limit].into_iter().flatten() {
        let way = context.expressions.subtract(x, initial);
        let way = context.expressions.zero_extend(64, way);
        let limit = context.expressions.scale(most.zero_extend(64), counter);
        let within = context.expressions.compare(CompareOp::UnsignedLessEqual, way, limit);
        found.push(Claim::carried(context, copy, within));
    }
}

/// The greatest of constant steps, none of which is negative.
fn greatest(context: &Context<'_>, steps: &[Expression]) -> Option<Bits> {
    let mut most: Option<Bits> = None;
    for &step in steps {
        let bits = context.expressions.as_bits(step).filter(|bits| !bits.sign() && bits.width() <= 64)?;
        if most.as_ref().is_none_or(|most| most.unsigned() < bits.unsigned()) {
            most = Some(bits.clone());
        }
    }
    most.filter(|most| !most.is_zero())
}

// --- One of several shifts -----------------------------------------------------------------------

fn shifts(context: &mut Context<'_>, loop_: Loop, found: &mut Vec<Claim>) {
    let copies = context.carried_bits(loop_).into_iter();
    let shifted: Vec<(CarriedCopy, Vec<i64>)> = copies
        .filter(|&copy| context.scan.evolution(copy).shift().is_none())
        .filter_map(|copy| Some((copy, distances(context, copy)?)))
        .collect();
    for &(copy, _) in &shifted {
        power_of_two(context, copy, found);
    }
    for (growing, up) in shifted.iter().filter(|(_, by)| by.iter().all(|&by| by > 0)) {
        for (shrinking, down) in &shifted {
            // Copies of the same thread, or uniform ones.
            let together = growing.thread == shrinking.thread;
            let opposite = up.len() == down.len() && up.iter().all(|&by| down.contains(&-by));
            if opposite && together && context.width_of(*growing) == context.width_of(*shrinking) {
                product(context, *growing, *shrinking, found);
            }
        }
    }
}

/// The numbers of bits by which iterations shift a variable, negative to the right. `None` unless
/// some iteration shifts it, and every iteration keeps it, shifts it, or sets it to a constant
/// power of two.
fn distances(context: &mut Context<'_>, copy: CarriedCopy) -> Option<Vec<i64>> {
    let (x, next) = (context.current(copy), context.next(copy));
    let mut found = Vec::new();
    let (values, true) = branches(context.expressions, next) else { return None };
    for Branch { value, .. } in values {
        if let Some(by) = shift(context.expressions, x, value).and_then(|evolution| evolution.shift()) {
            if !found.contains(&by) {
                found.push(by);
            }
        } else if value != x && context.expressions.as_bits(value).and_then(Bits::power_of_two).is_none() {
            return None;
        }
    }
    (!found.is_empty()).then_some(found)
}

fn power_of_two(context: &mut Context<'_>, copy: CarriedCopy, found: &mut Vec<Claim>) {
    let x = context.current(copy);
    let width = context.expressions.width(x);
    let zero = context.expressions.number(width, 0);
    let ones = context.expressions.bits(Bits::ones(width));
    let below = context.expressions.add(x, ones);
    let common = context.expressions.binary(BinaryOp::And, x, below);
    let power = context.expressions.equal(common, zero);
    let is_zero = context.expressions.equal(x, zero);
    let nonzero = context.expressions.not(is_zero);
    found.extend([power, nonzero].map(|condition| Claim::lasting(context, copy, condition)));
}

fn product(context: &mut Context<'_>, growing: CarriedCopy, shrinking: CarriedCopy, found: &mut Vec<Claim>) {
    let (a, b) = (context.current(growing), context.current(shrinking));
    let (a0, b0) = (context.initial(growing), context.initial(shrinking));
    let now = context.expressions.multiply(a, b);
    let before = context.expressions.multiply(a0, b0);
    let kept = context.expressions.equal(now, before);
    let zero = context.expressions.number(context.expressions.width(b), 0);
    let ended = context.expressions.equal(b, zero);
    let until_zero = context.expressions.or([ended, kept]);
    found.extend([kept, until_zero].map(|condition| Claim::lasting(context, shrinking, condition)));
}
