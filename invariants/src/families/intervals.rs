//! `intervals`: constant bounds of a variable.
//!
//! `P ∨ left → c ≤ x` and `x ≤ d`, in the reading (signed or unsigned) in which the bounds are
//! closer together, and the same for values recorded with a hit. The constants come from executing
//! the loop on intervals ([`crate::abstraction`]) until a fixpoint: conditional assignments that
//! add, subtract, mask, clamp or shift.
//!
//! Example: `if (in[i] > 0) head = (head + 1) & 7;` gives `head ≤ 7`;
//! `if (top < 23) stack[top++] = …;` gives `top ≤ 23`.
//!
//! Useful where an index goes up and down, wraps around, or is clamped: it has no closed form, and
//! no loop's guard bounds it.

use lockstep_ir::sequential::{CompareOp, Expression, Expressions, Loop};

use crate::abstraction::{Word, mask, signed_limits};
use crate::context::Context;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    super::propose_of_words(context, loop_, conditions);
}

/// The conditions that the family proposes for a value.
fn conditions(e: &mut Expressions, x: Expression, word: &Word) -> Vec<Expression> {
    let width = word.width();
    if let Some(number) = word.as_constant() {
        let number = e.number(width, number);
        return vec![e.equal(x, number)];
    }
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
        bound(CompareOp::SignedLessEqual, crate::abstraction::truncated(signed_low, width), false);
    }
    if signed_high < most.saturating_sub(near_signed) {
        bound(CompareOp::SignedLessEqual, crate::abstraction::truncated(signed_high, width), true);
    }
    if high < mask(width) - near {
        bound(CompareOp::UnsignedLessEqual, high, true);
    }
    if low > near {
        bound(CompareOp::UnsignedLessEqual, low, false);
    }
    found
}
