//! `known-bits`: the bits of a variable that are the same constants in every iteration.
//!
//! `P ∨ left → x[h:0] = c` for the lowest bits, as far as they are known, and `x & m = c` for
//! others that no bound implies; the same for values recorded with a hit. The bits come from
//! executing the loop ([`crate::abstraction`]).
//!
//! Example: `if (c) base ^= 64;` from 0 gives `base[5:0] = 0`; `seen |= 1` gives `seen[0] = 1`.
//!
//! Useful where low bits that arithmetic preserves, wrap-around or not, distinguish the values of
//! several threads: buffers that are toggled, flags kept in a word. The family `stride` handles the
//! low bits of a variable to which an unknown multiple is added.

use lockstep_ir::sequential::{BinaryOp, Expression, Expressions, Loop};

use crate::abstraction::{Word, mask};
use crate::context::Context;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    super::propose_of_words(context, loop_, conditions);
}

/// The conditions that the family proposes for a value.
fn conditions(e: &mut Expressions, x: Expression, word: &Word) -> Vec<Expression> {
    let width = word.width();
    let low = word.known_low_bits();
    // All bits are known: the family `intervals` handles constants.
    if low == width {
        return Vec::new();
    }
    let mut found = Vec::new();
    if low > 0 {
        let bits = e.extract(low - 1, 0, x);
        let known = e.number(low, word.ones() & mask(low));
        found.push(e.equal(bits, known));
    }
    // The bits that the bounds imply.
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
