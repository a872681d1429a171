//! `bounds`: a variable against its initial value, zero, and the bounds that comparisons guard it
//! with.
//!
//! * `x ≥ x0` if the steps go up, `x ≤ x0` if they go down, and both if the direction is unknown;
//!   signed and unsigned.
//! * `0 ≤ x`, signed, if `x` is compared signed, goes down or is halved.
//! * `x < n` and `x ≤ n` (or the mirrored ones) for each comparison of `x` in the condition under
//!   which a thread continues. The loop must not change `n`, and `x` may have an added loop
//!   constant. From `x ≠ n` it is `x ≤ n` going up and `n ≤ x` going down.
//! * `y ≤ n` if `x` goes up by `s` only where `y < n` (or `y ≤ n`, or, for `s = 1`, `y ≠ n`). Here
//!   `y` is `x` plus a term that never changes, and `n` is no constant: the family
//!   `abstract-values` handles those. If the comparison is not strict or `s` is not one, the claim
//!   is `y - s < n` or `y - s ≤ n`. Likewise going down.
//!
//! Inductive: a step leads from `y < n` to at most `n`. Every other assignment of an iteration goes
//! the other way or back to a smaller value.
//!
//! Examples: `for (i = 0; i < n; i++)` gives `P → 0 ≤ i` and `P → i ≤ n`. A stack,
//! `if (depth != level - 1) depth++`, gives `depth + 1 ≤ level`. A ring,
//! `head = head + 1 == n ? 0 : head + 1`, gives `head + 1 ≤ n`.
//!
//! Useful when offsets of different rows or arrays must stay apart, where a closed form alone could
//! wrap, and for stacks and rings whose size is a parameter.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{CompareOp, Expression, Loop, Node};

use crate::claims::Claim;
use crate::context::Context;
use crate::recurrences::{Branch, Direction, branches, direction};
use crate::scan::{CarriedCopy, comparisons};

/// The maximum number of comparisons analysed for one variable: a condition with more is a table.
const COMPARISONS: usize = 6;

/// The maximum number of conditions from guarded steps of one variable: one with more guards is a
/// state machine.
const GUARDED: usize = 4;

pub fn claims(context: &mut Context<'_>, loop_: Loop) -> Vec<Claim> {
    let mut found = Vec::new();
    for copy in context.carried_bits(loop_) {
        let mut conditions = conditions(context, copy);
        if !context.scan.evolution(copy).is_steady() {
            conditions.extend(of_guarded_steps(context, copy));
        }
        found.extend(conditions.into_iter().map(|condition| Claim::lasting(context, copy, condition)));
    }
    found
}

/// The conditions from a variable's direction and from those under which its thread continues.
pub fn conditions(context: &mut Context<'_>, copy: CarriedCopy) -> Vec<Expression> {
    let x = context.current(copy);
    let initial = context.initial(copy);
    let evolution = context.scan.evolution(copy).clone();
    let direction = direction(context.expressions, &evolution);
    let compared = compared_with(context, copy);
    let mut found = Vec::new();
    if evolution.is_irregular() && compared.is_empty() {
        return found;
    }
    let signed_use = compared.iter().any(|one| matches!(one.op, CompareOp::SignedLess | CompareOp::SignedLessEqual));
    let unsigned_use = compared.iter().any(|one| one.op != one.op.signed());
    for op in [CompareOp::SignedLessEqual, CompareOp::UnsignedLessEqual] {
        // If the guard implies how the variable is read, the other reading is not proposed.
        let other_reading =
            if op == CompareOp::SignedLessEqual { unsigned_use && !signed_use } else { signed_use && !unsigned_use };
        if other_reading {
            continue;
        }
        if direction != Direction::Down {
            found.push(context.expressions.compare(op, initial, x));
        }
        if direction != Direction::Up {
            found.push(context.expressions.compare(op, x, initial));
        }
    }
    if signed_use || direction == Direction::Down {
        let width = context.expressions.width(x);
        let zero = context.expressions.number(width, 0);
        found.push(context.expressions.compare(CompareOp::SignedLessEqual, zero, x));
    }
    for one in compared {
        found.extend(one.conditions(context, direction));
    }
    found.retain(|&condition| context.expressions.as_boolean(condition).is_none());
    found
}

/// A comparison of a variable with a bound that the loop does not change.
struct Compared {
    op: CompareOp,
    /// The variable, extended as in the comparison.
    value: Expression,
    bound: Expression,
    /// Whether the variable is on the left.
    left: bool,
    /// Whether the comparison was originally `≠`: both bounds are guesses.
    equation: bool,
}

impl Compared {
    fn conditions(&self, context: &mut Context<'_>, direction: Direction) -> Vec<Expression> {
        let weak = self.op.weak();
        let strict = self.op.strict();
        let (value, bound) = (self.value, self.bound);
        if self.equation {
            return match direction {
                Direction::Up => vec![context.expressions.compare(weak, value, bound)],
                Direction::Down => vec![context.expressions.compare(weak, bound, value)],
                Direction::Unknown => Vec::new(),
            };
        }
        let (a, b) = if self.left { (value, bound) } else { (bound, value) };
        vec![context.expressions.compare(strict, a, b), context.expressions.compare(weak, a, b)]
    }
}

/// The comparisons of a variable in the conditions under which its thread continues.
fn compared_with(context: &mut Context<'_>, copy: CarriedCopy) -> Vec<Compared> {
    let mut atoms = Vec::new();
    for &conjunct in &context.scan.loops[copy.loop_].continuing[copy.thread] {
        for atom in comparisons(context.expressions, conjunct) {
            if !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
    }
    let mut found = Vec::new();
    for atom in atoms {
        if found.len() >= COMPARISONS {
            break;
        }
        match *context.expressions.node(atom) {
            Node::Compare(op, a, b) => {
                found.extend(compared(context, copy, op, a, b, true));
                found.extend(compared(context, copy, op, b, a, false));
            }
            Node::Equal(a, b) => {
                for (a, b) in [(a, b), (b, a)] {
                    for op in [CompareOp::SignedLess, CompareOp::UnsignedLess] {
                        found.extend(
                            compared(context, copy, op, a, b, true).map(|one| Compared { equation: true, ..one }),
                        );
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// `side op bound`, if `side` is the variable plus a term that the loop does not change, extended
/// or not.
fn compared(
    context: &mut Context<'_>,
    copy: CarriedCopy,
    op: CompareOp,
    side: Expression,
    bound: Expression,
    left: bool,
) -> Option<Compared> {
    if !context.scan.is_invariant(context.expressions, copy.loop_, bound) {
        return None;
    }
    let x = context.current(copy);
    let core = match *context.expressions.node(side) {
        Node::ZeroExtend(inner) | Node::SignExtend(inner) => inner,
        _ => side,
    };
    if core != context.next(copy) && !follows(context, copy, core) {
        return None;
    }
    let value = if core == side { x } else { context.expressions.rebuild(side, |_| x) };
    Some(Compared { op, value, bound, left, equation: false })
}

// --- Steps under a guard -------------------------------------------------------------------------

/// The conditions from steps that are taken where a comparison allows it.
fn of_guarded_steps(context: &mut Context<'_>, copy: CarriedCopy) -> Vec<Expression> {
    let (x, next) = (context.current(copy), context.next(copy));
    let mut found: Vec<Expression> = Vec::new();
    for Branch { guards, value } in branches(context.expressions, next).0 {
        let step = context.expressions.subtract(value, x);
        let Some(step) = context.expressions.as_bits(step).filter(|step| !step.is_zero()).cloned() else { continue };
        for (guard, holds) in guards {
            for atom in comparisons(context.expressions, guard) {
                for condition in after_step(context, copy, atom, holds, &step) {
                    if found.len() < GUARDED && !found.contains(&condition) {
                        found.push(condition);
                    }
                }
            }
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
                ([(low, high), (low, high)], strict, vec![op.weak()])
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
        // The family `abstract-values` handles constants.
        if context.expressions.as_bits(bound).is_some() {
            continue;
        }
        let by_one = step.is_one() || step.neg().is_one();
        for &op in &ops {
            let (y, op) = if strict && by_one {
                (y, op)
            } else {
                let step = context.expressions.bits(step.clone());
                (context.expressions.subtract(y, step), if strict { op.strict() } else { op })
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

/// Variations of a comparison.
trait Variations {
    fn weak(self) -> Self;
    fn strict(self) -> Self;
    fn signed(self) -> Self;
}

impl Variations for CompareOp {
    fn weak(self) -> Self {
        match self {
            Self::UnsignedLess | Self::UnsignedLessEqual => Self::UnsignedLessEqual,
            Self::SignedLess | Self::SignedLessEqual => Self::SignedLessEqual,
        }
    }

    fn strict(self) -> Self {
        match self {
            Self::UnsignedLess | Self::UnsignedLessEqual => Self::UnsignedLess,
            Self::SignedLess | Self::SignedLessEqual => Self::SignedLess,
        }
    }

    fn signed(self) -> Self {
        match self {
            Self::UnsignedLess | Self::SignedLess => Self::SignedLess,
            Self::UnsignedLessEqual | Self::SignedLessEqual => Self::SignedLessEqual,
        }
    }
}
