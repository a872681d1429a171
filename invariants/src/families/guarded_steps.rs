//! `guarded-steps`: bounds on a variable that only takes a step where a comparison allows it.
//!
//! Let `x` go up by `s` only where `y < b` (or `y ≤ b`, or, for `s = 1`, `y ≠ b`). Here `y` is `x`
//! plus a term that never changes, and `b` is unchanged by the loop and not a constant. Then
//! `y ≤ b` for strict comparisons and steps of one, and otherwise `y - s < b` or `y - s ≤ b`;
//! likewise going down. It is proposed as `P ∨ left → …`, and at hits for the recorded values.
//!
//! Inductive: a step leads from `y < b` to at most `b`, and every other assignment of an iteration
//! goes the other way or back to a smaller value.
//!
//! Example: `if (cells == 0) depth--; else if (depth != level - 1) depth++;`: `depth + 1 ≤ level`.
//! And for a ring, `head = head + 1 == n ? 0 : head + 1`: `head + 1 ≤ n`.
//!
//! Useful for stacks and rings whose size is a parameter; the family `intervals` handles constant
//! sizes.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{CompareOp, Expression, Loop, Node};

use crate::context::Context;
use crate::scan::{CarriedCopy, comparisons};

/// The maximum number of conditions on one variable: one with more guards is a state machine.
const CONDITIONS: usize = 4;

/// The maximum number of branches analysed.
const BRANCHES: usize = 32;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    for copy in context.carried_bits(loop_) {
        for condition in conditions(context, copy) {
            context.propose_lasting(copy, condition);
        }
    }
    for site in context.changing_sites(loop_) {
        for recorded in &context.sites[site].recorded {
            let Some(&copy) = context.scan.carried.get(&recorded.original) else { continue };
            if !context.sites[site].loops.contains(&copy.loop_) {
                continue;
            }
            for condition in conditions(context, copy) {
                if let Some(condition) = context.at_hit(site, loop_, condition) {
                    context.propose_of_hit(site, condition);
                }
            }
        }
    }
}

/// The conditions that the family proposes for a copy of a variable.
fn conditions(context: &mut Context<'_>, copy: CarriedCopy) -> Vec<Expression> {
    let mut found: Vec<Expression> = Vec::new();
    if context.scan.evolution(copy).exact_step().is_some() || context.scan.evolution(copy).shift().is_some() {
        return found;
    }
    for (guards, step) in steps(context, copy) {
        for (guard, holds) in guards {
            for atom in comparisons(context.expressions, guard) {
                for condition in after_step(context, copy, atom, holds, &step) {
                    if found.len() < CONDITIONS && !found.contains(&condition) {
                        found.push(condition);
                    }
                }
            }
        }
    }
    found
}

/// The constant steps of a variable that are taken under conditions, with those conditions and
/// their truth values.
fn steps(context: &mut Context<'_>, copy: CarriedCopy) -> Vec<(Vec<(Expression, bool)>, Bits)> {
    let x = context.current(copy);
    let next = *context.loops[copy.loop_].carried[copy.index].next.of(copy.thread);
    let mut found = Vec::new();
    let mut waiting = vec![(next, Vec::new())];
    for _ in 0..BRANCHES {
        let Some((value, guards)) = waiting.pop() else { break };
        if let Node::IfThenElse(condition, then, otherwise) = *context.expressions.node(value) {
            for (branch, holds) in [(otherwise, false), (then, true)] {
                let mut guards: Vec<(Expression, bool)> = guards.clone();
                guards.push((condition, holds));
                waiting.push((branch, guards));
            }
            continue;
        }
        let step = context.expressions.subtract(value, x);
        if let Some(step) = context.expressions.as_bits(step).filter(|step| !step.is_zero())
            && !guards.is_empty()
        {
            found.push((guards, step.clone()));
        }
    }
    found
}

/// The conditions that hold after a step that is taken where a comparison holds, or does not hold.
fn after_step(
    context: &mut Context<'_>,
    copy: CarriedCopy,
    atom: Expression,
    holds: bool,
    step: &Bits,
) -> Vec<Expression> {
    let up = !step.sign();
    let (sides, strict, ops): ([(Expression, Expression); 2], bool, Vec<CompareOp>) =
        match *context.expressions.node(atom) {
            // Going up, `a < b` bounds `a`; its negation, `b ≤ a`, bounds `b`.
            Node::Compare(op, a, b) => {
                let strict = matches!(op, CompareOp::SignedLess | CompareOp::UnsignedLess) == holds;
                let (low, high) = if holds { (a, b) } else { (b, a) };
                ([(low, high), (low, high)], strict, vec![weak(op)])
            }
            Node::Equal(a, b) if !holds => {
                let both = vec![CompareOp::SignedLessEqual, CompareOp::UnsignedLessEqual];
                // Either side may be the variable, in either direction.
                if up { ([(a, b), (b, a)], true, both) } else { ([(b, a), (a, b)], true, both) }
            }
            _ => return Vec::new(),
        };
    let mut found = Vec::new();
    for (low, high) in sides {
        let (y, bound) = if up { (low, high) } else { (high, low) };
        if !follows(context, copy, y) || !context.scan.is_invariant(context.expressions, copy.loop_, bound) {
            continue;
        }
        // The family `intervals` handles constants.
        if context.expressions.as_bits(bound).is_some() {
            continue;
        }
        let by_one = step.is_one() || step.neg().is_one();
        for &op in &ops {
            let (y, op) = if strict && by_one {
                (y, op)
            } else {
                let step = context.expressions.bits(step.clone());
                (context.expressions.subtract(y, step), if strict { strictly(op) } else { op })
            };
            let (a, b) = if up { (y, bound) } else { (bound, y) };
            let condition = context.expressions.compare(op, a, b);
            if context.expressions.as_boolean(condition).is_none() && !found.contains(&condition) {
                found.push(condition);
            }
        }
    }
    found
}

/// Whether an expression is the variable plus a term that never changes.
fn follows(context: &mut Context<'_>, copy: CarriedCopy, y: Expression) -> bool {
    let x = context.current(copy);
    if context.expressions.sort(x) != context.expressions.sort(y) {
        return false;
    }
    let offset = context.expressions.subtract(y, x);
    context.scan.is_invariant(context.expressions, copy.loop_, offset)
}

fn weak(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::SignedLess | CompareOp::SignedLessEqual => CompareOp::SignedLessEqual,
        CompareOp::UnsignedLess | CompareOp::UnsignedLessEqual => CompareOp::UnsignedLessEqual,
    }
}

fn strictly(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::SignedLess | CompareOp::SignedLessEqual => CompareOp::SignedLess,
        CompareOp::UnsignedLess | CompareOp::UnsignedLessEqual => CompareOp::UnsignedLess,
    }
}
