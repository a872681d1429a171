//! `closed-form`: induction variables in terms of the iteration number.
//!
//! If an iteration adds `s`, unchanged by the loop, then `x = x0 + s·k` modulo `2^width`; if it shifts
//! by `c` bits, then `x = x0 << c·k` or `x = x0 >> c·k`, where an amount of the width or more empties
//! `x` (or fills it with its sign). Halving a signed number, `x / 2^c`, is shifting as long as `x0` is
//! not negative.
//!
//! Example: `for (i = tid; i < n; i += 64)` gives `P → i = tid + 64·k`.
//!
//! Pays always: the offset of an access becomes a function of the iteration number, which is what the
//! two threads have in common. It holds under wrap-around as well, so nothing else is needed for it.

use lockstep_ir::sequential::{CompareOp, Loop};

use crate::context::Context;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    for copy in context.carried_bits(loop_) {
        let counter = context.expressions.variable(context.loops[loop_].counter);
        let initial = context.initial(copy);
        let evolution = context.scan.evolution(copy).clone();
        let Some(form) = context.closed_form(initial, &evolution, counter) else { continue };
        let x = context.current(copy);
        let closed = context.expressions.equal(x, form);
        context.propose_of(copy, closed);
        if let Some(by) = evolution.shift().filter(|&by| by != 0) {
            // A loop that goes on until a bit is gone ends before all are.
            let width = u64::from(context.expressions.width(x));
            let limit = context.expressions.number(64, width.div_ceil(by.unsigned_abs()));
            let few = context.expressions.compare(CompareOp::UnsignedLessEqual, counter, limit);
            context.propose_of(copy, few);
        }
    }
}
