//! `bounds`: a variable against its initial value, zero, and the bounds that guards compare it
//! with.
//!
//! * `x ≥ x0` if the steps go up, `x ≤ x0` if they go down, and both if the direction is unknown;
//!   signed and unsigned.
//! * `0 ≤ x`, signed, if `x` is compared signed, goes down or is halved.
//! * `x < n` and `x ≤ n` (or the mirrored ones) for each comparison of `x` in the condition under
//!   which a thread continues. The loop must not change `n`, and `x` may have an added loop
//!   constant. From `x ≠ n` it is `x ≤ n` going up and `n ≤ x` going down.
//!
//! Example: `for (i = 0; i < n; i++)` gives `P → 0 ≤ i` and `P → i ≤ n`.
//!
//! Useful when offsets of different rows or arrays must stay apart, where a closed form alone could
//! wrap.

use lockstep_ir::sequential::{CompareOp, Expression, Loop, Node};
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::scan::{CarriedCopy, Direction, Evolution, comparisons, direction};

/// The maximum number of comparisons analysed for one variable: a condition with more is a table.
const COMPARISONS: usize = 6;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    for copy in context.carried_bits(loop_) {
        for condition in conditions(context, copy) {
            context.propose_lasting(copy, condition);
        }
    }
}

/// The conditions that the family proposes for a copy of a variable.
pub fn conditions(context: &mut Context<'_>, copy: CarriedCopy) -> Vec<Expression> {
    let x = context.current(copy);
    let initial = context.initial(copy);
    let evolution = context.scan.evolution(copy).clone();
    let direction = direction(context.expressions, &evolution);
    let compared = compared_with(context, copy);
    let mut found = Vec::new();
    if evolution == Evolution::Unknown && compared.is_empty() {
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
    if context.expressions.sort(core) != context.expressions.sort(x) {
        return None;
    }
    let next = *context.loops[copy.loop_].carried[copy.index].next.of(copy.thread);
    let offset = context.expressions.subtract(core, x);
    if core != next && !context.scan.is_invariant(context.expressions, copy.loop_, offset) {
        return None;
    }
    let value = if core == side { x } else { context.expressions.rebuild(side, |_| x) };
    Some(Compared { op, value, bound, left, equation: false })
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

/// Replaces one variable by another in an expression; shared with `counter`.
pub fn replaced(context: &mut Context<'_>, expression: Expression, copy: CarriedCopy, value: Expression) -> Expression {
    let variable = context.variable_of(copy);
    let map: FxHashMap<_, _> = [(variable, value)].into_iter().collect();
    context.expressions.substitute(expression, &map, &mut FxHashMap::default())
}
