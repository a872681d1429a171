//! `abstract-values`: constant bounds and constant bits of a variable.
//!
//! The constants come from executing the loop on abstract words ([`crate::abstraction`]) until a
//! fixpoint. A word is a set of numbers, given by bounds, signed and unsigned, and by bits that all
//! of them share. It passes through conditional assignments that add, subtract, mask, clamp, shift
//! or toggle. Proposed are
//!
//! * `c ≤ x` and `x ≤ d`, in the reading (signed or unsigned) in which they are closer together;
//! * `x[h:0] = c` for the lowest bits, as far as they are known, and `x & m = c` for others that no
//!   bound implies.
//!
//! The claims are about carried variables that do not move steadily, and about the values that
//! threads take along when they leave the loop.
//!
//! Examples: `if (in[i] > 0) head = (head + 1) & 7;` gives `head ≤ 7`;
//! `if (top < 23) stack[top++] = …;` gives `top ≤ 23`; `if (c) base ^= 64;` from 0 gives
//! `base[5:0] = 0`.
//!
//! Useful where an index goes up and down, wraps around, or is clamped: it has no closed form, and
//! no loop's guard bounds it. Also useful where low bits that arithmetic preserves, wrap-around or
//! not, distinguish the values of several threads, such as buffers that are toggled.

use lockstep_ir::sequential::{BinaryOp, CompareOp, Expression, Expressions, Loop};

use crate::abstraction::{Word, mask, signed_limits, truncated};
use crate::claims::{Claim, While};
use crate::context::Context;

pub fn claims(context: &mut Context<'_>, loop_: Loop) -> Vec<Claim> {
    let mut found = Vec::new();
    for copy in context.carried_bits(loop_) {
        if !context.scan.evolution(copy).is_steady()
            && let Some(word) = context.word(copy)
        {
            let x = context.current(copy);
            let conditions = conditions(context.expressions, x, &word);
            found.extend(conditions.into_iter().map(|condition| Claim::lasting(context, copy, condition)));
        }
    }
    for exit in &context.scan.exits[loop_] {
        let of = context.expressions.variables()[exit.taken].thread;
        for &(variable, _) in &exit.values {
            let thread = context.expressions.variables()[variable].thread;
            // The facts of thread 2 are those of thread 1.
            let first = if thread == Some(1) { context.first_copy(variable) } else { Some(variable) };
            let Some(word) = first.and_then(|first| context.word_of(loop_, first)) else { continue };
            if thread.is_none() || of.is_none() || thread == of {
                let x = context.expressions.variable(variable);
                let holds = While::Left(exit.taken);
                let conditions = conditions(context.expressions, x, &word).into_iter();
                found.extend(conditions.map(|condition| Claim { about: variable, holds, condition }));
            }
        }
    }
    found
}

fn conditions(e: &mut Expressions, x: Expression, word: &Word) -> Vec<Expression> {
    let width = word.width();
    if let Some(number) = word.as_constant() {
        let number = e.number(width, number);
        return vec![e.equal(x, number)];
    }
    let mut found = bounds(e, x, word);
    found.extend(bits(e, x, word));
    found
}

/// The bounds that say more than "does not overflow".
fn bounds(e: &mut Expressions, x: Expression, word: &Word) -> Vec<Expression> {
    let width = word.width();
    let mut found = Vec::new();
    let mut bound = |op: CompareOp, number: u64, above: bool| {
        let number = e.number(width, number);
        found.push(if above { e.compare(op, x, number) } else { e.compare(op, number, x) });
    };
    let ((low, high), (signed_low, signed_high)) = (word.unsigned(), word.signed());
    let (least, most) = signed_limits(width);
    // Bounds near the ends of the range only restate "does not overflow".
    let near = if width > 16 { mask(width) / 4 } else { 0 };
    if signed_low >= 0 {
        if high < mask(width) / 2 - near {
            bound(CompareOp::UnsignedLessEqual, high, true);
        } else {
            bound(CompareOp::SignedLessEqual, 0, false);
        }
        if low > 0 {
            bound(CompareOp::UnsignedLessEqual, low, false);
        }
        return found;
    }
    let near_signed = i64::try_from(near).unwrap_or(i64::MAX);
    if signed_low > least.saturating_add(near_signed) {
        bound(CompareOp::SignedLessEqual, truncated(signed_low, width), false);
    }
    if signed_high < most.saturating_sub(near_signed) {
        bound(CompareOp::SignedLessEqual, truncated(signed_high, width), true);
    }
    if high < mask(width) - near {
        bound(CompareOp::UnsignedLessEqual, high, true);
    }
    if low > near {
        bound(CompareOp::UnsignedLessEqual, low, false);
    }
    found
}

/// The bits that are known and that no bound implies.
fn bits(e: &mut Expressions, x: Expression, word: &Word) -> Vec<Expression> {
    let width = word.width();
    let low = word.known_low_bits();
    let mut found = Vec::new();
    if low > 0 {
        let bits = e.extract(low - 1, 0, x);
        let known = e.number(low, word.ones() & mask(low));
        found.push(e.equal(bits, known));
    }
    let shown = Word::between(width, word.unsigned().0, word.unsigned().1);
    let shown = shown.map_or(0, |shown| shown.zeros() | shown.ones());
    let below = if low == 0 { 0 } else { mask(low) };
    let others = (word.zeros() | word.ones()) & !shown & !below;
    if others != 0 {
        let through = e.number(width, others);
        let masked = e.binary(BinaryOp::And, x, through);
        let known = e.number(width, word.ones() & others);
        found.push(e.equal(masked, known));
    }
    found
}
