//! Between which numbers the expressions of a sequential program lie.
//!
//! A range holds of a bit-vector's value **as a signed number**, in every state of the program, under its preconditions
//! alone: `local_id < local_size` and `local_size <= 1024` bound an id, a branch does not bound anything. Inputs
//! get theirs from preconditions that are comparisons; assigned variables have none. What is computed has the range of
//! the mathematical result if no number in it wraps, else the range of its width.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{BinaryOp, CompareOp, Expression, Expressions, Node, Role};
use rustc_hash::FxHashMap;

/// Operands are looked into through this many levels; what lies deeper may be anything of its width.
const DEEPEST: u32 = 40;

/// Ranges of bit-vectors wider than this are not followed: their sums and products would leave `i128`.
const WIDEST: u32 = 64;

/// The numbers from `low` to `high`, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least.
    pub low: i128,
    /// The greatest.
    pub high: i128,
}

impl Range {
    /// All signed numbers of a width of at most 64 bits.
    pub fn of_width(width: u32) -> Self {
        let half = 1_i128 << (width - 1);
        Self { low: -half, high: half - 1 }
    }

    /// One number.
    pub fn exactly(number: i128) -> Self {
        Self { low: number, high: number }
    }

    /// Whether every number of this range lies in the other.
    pub fn within(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// The numbers in both; `None` if there are none.
    fn and(self, other: Self) -> Option<Self> {
        let both = Self { low: self.low.max(other.low), high: self.high.min(other.high) };
        (both.low <= both.high).then_some(both)
    }

    fn or(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The sums of a number of each.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { low: self.low + other.low, high: self.high + other.high }
    }

    /// The differences of a number of each.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self { low: self.low - other.high, high: self.high - other.low }
    }

    /// The products of a number of each, each of at most 64 bits; `None` beyond `i128`.
    pub fn times(self, other: Self) -> Option<Self> {
        let corners = [
            self.low.checked_mul(other.low)?,
            self.low.checked_mul(other.high)?,
            self.high.checked_mul(other.low)?,
            self.high.checked_mul(other.high)?,
        ];
        Some(Self { low: corners.into_iter().min()?, high: corners.into_iter().max()? })
    }

    /// How many bits its numbers need, with the sign.
    pub fn bits(self) -> u32 {
        let magnitude = |number: i128| if number < 0 { !number } else { number };
        let most = magnitude(self.low).max(magnitude(self.high));
        129 - most.leading_zeros()
    }
}

/// The ranges known so far.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    known: FxHashMap<Expression, Range>,
    /// What was computed since the last was learnt: expressions are widely shared.
    computed: FxHashMap<Expression, Range>,
}

impl Ranges {
    /// Takes note that a condition holds in every state. Bounds that follow from others are found if those are
    /// noted first.
    pub fn learn(&mut self, e: &Expressions, condition: Expression) {
        match e.node(condition) {
            Node::And(parts) => parts.iter().for_each(|&part| self.learn(e, part)),
            &Node::Compare(op, a, b) => self.learn_comparison(e, op, a, b),
            _ => {}
        }
    }

    /// Takes note of a range that an expression has in every state.
    pub fn learn_range(&mut self, e: &Expressions, of: Expression, range: Range) {
        if let Some(both) = self.of(e, of).and_then(|known| known.and(range)) {
            self.known.insert(of, both);
            self.computed.clear();
        }
    }

    fn learn_comparison(&mut self, e: &Expressions, op: CompareOp, a: Expression, b: Expression) {
        let (Some(x), Some(y)) = (self.of(e, a), self.of(e, b)) else { return };
        let all = Range::of_width(e.width(a));
        let step = match op {
            CompareOp::UnsignedLess | CompareOp::SignedLess => 1,
            CompareOp::UnsignedLessEqual | CompareOp::SignedLessEqual => 0,
        };
        match op {
            CompareOp::SignedLess | CompareOp::SignedLessEqual => {
                self.learn_range(e, a, Range { low: all.low, high: y.high - step });
                self.learn_range(e, b, Range { low: x.low + step, high: all.high });
            }
            CompareOp::UnsignedLess | CompareOp::UnsignedLessEqual => {
                // Below a number that is not negative there are no negative ones, which are large as unsigned ones.
                if y.low >= 0 {
                    self.learn_range(e, a, Range { low: 0, high: y.high - step });
                    if x.low >= 0 {
                        self.learn_range(e, b, Range { low: x.low + step, high: all.high });
                    }
                }
            }
        }
    }

    /// The range of a bit-vector of at most 64 bits; `None` for anything else.
    pub fn of(&mut self, e: &Expressions, expression: Expression) -> Option<Range> {
        self.within_depth(e, expression, DEEPEST)
    }

    fn within_depth(&mut self, e: &Expressions, expression: Expression, depth: u32) -> Option<Range> {
        let lockstep_ir::sequential::Sort::Bits(width @ 1..=WIDEST) = e.sort(expression) else { return None };
        if let Some(&known) = self.known.get(&expression).or_else(|| self.computed.get(&expression)) {
            return Some(known);
        }
        let all = Range::of_width(width);
        let range = depth.checked_sub(1).and_then(|depth| self.compute(e, expression, depth));
        let range = range.filter(|range| range.within(all)).unwrap_or(all);
        self.computed.insert(expression, range);
        Some(range)
    }

    /// The range of the mathematical result, which may lie outside the width.
    fn compute(&mut self, e: &Expressions, expression: Expression, depth: u32) -> Option<Range> {
        let mut of = |operand| self.within_depth(e, operand, depth);
        let width = e.width(expression);
        match e.node(expression) {
            Node::Bits(bits) => Some(Range::exactly(signed(bits)?)),
            // The sum is taken modulo 2^width; with coefficients as signed numbers it is the mathematical one
            // where that lies within the width.
            Node::Sum(constant, terms) => {
                terms.iter().try_fold(Range::exactly(signed(constant)?), |sum, (coefficient, term)| {
                    let product = of(*term)?.times(Range::exactly(signed(coefficient)?))?;
                    let next = sum.plus(product);
                    // Kept far from the ends of i128, whatever follows.
                    next.within(Range { low: -(1 << 126), high: 1 << 126 }).then_some(next)
                })
            }
            &Node::ZeroExtend(inner) => {
                let narrow = e.width(inner);
                let range = of(inner)?;
                Some(if range.low >= 0 { range } else { Range { low: 0, high: (1_i128 << narrow) - 1 } })
            }
            &Node::SignExtend(inner) => of(inner),
            &Node::Extract(high, 0, inner) if e.width(inner) <= WIDEST => {
                of(inner).filter(|range| range.within(Range::of_width(high + 1)))
            }
            &Node::IfThenElse(_, a, b) => Some(of(a)?.or(of(b)?)),
            &Node::Binary(op, a, b) => binary(op, of(a)?, of(b)?, width),
            // Booleans and maps have no width; the others may be anything.
            Node::Boolean(_)
            | Node::Variable(_)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Equal(..)
            | Node::Unary(..)
            | Node::Compare(..)
            | Node::Extract(..)
            | Node::Concat(..)
            | Node::Select(..)
            | Node::Store(..)
            | Node::Apply(..) => None,
        }
    }
}

fn binary(op: BinaryOp, a: Range, b: Range, width: u32) -> Option<Range> {
    let positive = a.low >= 0 && b.low >= 0;
    match op {
        BinaryOp::Multiply => a.times(b),
        BinaryOp::UnsignedDivide | BinaryOp::SignedDivide if positive && b.low > 0 => {
            Some(Range { low: a.low / b.high, high: a.high / b.low })
        }
        BinaryOp::UnsignedRemainder | BinaryOp::SignedRemainder if positive && b.low > 0 => {
            Some(Range { low: 0, high: a.high.min(b.high - 1) })
        }
        BinaryOp::LogicalShiftRight | BinaryOp::ArithmeticShiftRight if positive => {
            let least = u32::try_from(b.low).unwrap_or(width).min(width);
            Some(Range { low: 0, high: a.high >> least })
        }
        BinaryOp::And if a.low >= 0 || b.low >= 0 => {
            let high = match (a.low >= 0, b.low >= 0) {
                (true, true) => a.high.min(b.high),
                (true, false) => a.high,
                _ => b.high,
            };
            Some(Range { low: 0, high })
        }
        BinaryOp::Or | BinaryOp::Xor if positive => {
            let bits = Range { low: 0, high: a.high.max(b.high) }.bits() - 1;
            Some(Range { low: 0, high: (1_i128 << bits) - 1 })
        }
        BinaryOp::UnsignedDivide
        | BinaryOp::SignedDivide
        | BinaryOp::UnsignedRemainder
        | BinaryOp::SignedRemainder
        | BinaryOp::ShiftLeft
        | BinaryOp::LogicalShiftRight
        | BinaryOp::ArithmeticShiftRight
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => None,
    }
}

/// A constant as a signed number.
fn signed(bits: &Bits) -> Option<i128> {
    bits.to_i64().map(i128::from)
}

/// Whether a condition is one about inputs, which holds throughout if it holds at the start.
pub fn about_inputs(e: &Expressions, condition: Expression) -> bool {
    let mut inputs_only = true;
    e.for_each_variable(condition, |variable| inputs_only &= e.variables()[variable].role == Role::Input);
    inputs_only
}
