//! `alternation`: variables that return to their initial value every other iteration.
//!
//! Suppose that one iteration turns `x` into `y`, and the next one turns `y` back into `x`. This
//! must hold for all `x` and all other values that the loop carries. Then `x` has its initial value
//! in even iterations, and the result of one iteration in odd ones:
//!
//! ```text
//!     x = if k mod 2 = 0 { x0 } else { next(x0) }
//! ```
//!
//! It is proposed in this form, `P → …` and at hits in terms of `k_hit`, and as
//! `x = x0 ∨ x = next(x0)`. Inductive: `next` exchanges the two values, and the counter's lowest
//! bit changes.
//!
//! Example: ping-pong buffers, `cur ^= 1`, `cur = 1 - cur`, or two pointers that are swapped.
//!
//! Useful for stencils, scans and sorts that read from one buffer and write to the other.

use lockstep_ir::sequential::{BinaryOp, Expression, Loop, Node, Site, Variable};
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::scan::CarriedCopy;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    let counter = context.expressions.variable(context.loops[loop_].counter);
    for (copy, [even, odd]) in alternating(context, loop_) {
        let x = context.current(copy);
        let form = by_parity(context, counter, [even, odd]);
        let equal = context.expressions.equal(x, form);
        context.propose_of(copy, equal);
        let either = [even, odd].map(|value| context.expressions.equal(x, value));
        let either = context.expressions.or(either);
        context.propose_of(copy, either);
    }
    for site in context.changing_sites(loop_) {
        for around in context.sites[site].loops.clone() {
            at_hits(context, loop_, site, around);
        }
    }
}

/// Proposes the same for recorded values.
fn at_hits(context: &mut Context<'_>, loop_: Loop, site: Site, around: Loop) {
    let recorded = context.sites[site].recorded.clone();
    let of = |original: Variable| recorded.iter().find(|one| one.original == original).map(|one| one.recorded);
    let Some(counter) = of(context.loops[around].counter) else { return };
    let counter = context.expressions.variable(counter);
    for (copy, values) in alternating(context, around) {
        let Some(x) = of(context.variable_of(copy)) else { continue };
        let x = context.expressions.variable(x);
        let values = values.map(|value| context.at_hit(site, loop_, value));
        let [Some(even), Some(odd)] = values else { continue };
        let form = by_parity(context, counter, [even, odd]);
        let equal = context.expressions.equal(x, form);
        context.propose_of_hit(site, equal);
    }
}

fn by_parity(context: &mut Context<'_>, counter: Expression, [even, odd]: [Expression; 2]) -> Expression {
    let lowest = context.expressions.extract(0, 0, counter);
    let one = context.expressions.number(1, 1);
    let is_odd = context.expressions.equal(lowest, one);
    context.expressions.if_then_else(is_odd, odd, even)
}

/// Whether a variable's bits are flipped by a value that never changes.
fn flips(context: &Context<'_>, x: Expression, once: Expression) -> bool {
    matches!(*context.expressions.node(once), Node::Binary(BinaryOp::Xor, a, b) if (a == x) != (b == x))
}

/// The copies that alternate, with their initial values and those after one iteration.
fn alternating(context: &mut Context<'_>, loop_: Loop) -> Vec<(CarriedCopy, [Expression; 2])> {
    let mut found = Vec::new();
    let copies = context.carried_bits(loop_);
    for thread in 0..2 {
        let mut next = FxHashMap::default();
        let mut initial = FxHashMap::default();
        for &copy in &copies {
            if copy.thread == thread || context.loops[loop_].carried[copy.index].variable.is_uniform() {
                let carried = &context.loops[loop_].carried[copy.index];
                next.insert(context.variable_of(copy), *carried.next.of(copy.thread));
                initial.insert(context.variable_of(copy), *carried.initial.of(copy.thread));
            }
        }
        for &copy in copies.iter().filter(|copy| copy.thread == thread) {
            let (x, once) = (context.current(copy), next[&context.variable_of(copy)]);
            let twice = context.expressions.substitute(once, &next, &mut FxHashMap::default());
            if once == x || !(twice == x || flips(context, x, once)) {
                continue;
            }
            let odd = context.expressions.substitute(once, &initial, &mut FxHashMap::default());
            if context.scan.is_invariant(context.expressions, loop_, odd) {
                found.push((copy, [context.initial(copy), odd]));
            }
        }
    }
    found
}
