//! Ranges of the expressions of a sequential program.
//!
//! A range holds for a bit-vector's value **as a signed number**, in every state of the program,
//! under its preconditions alone. `local_id < local_size` and `local_size <= 1024` bound an id; a
//! branch does not bound anything. Inputs get their ranges from preconditions that are comparisons;
//! assigned variables have none. The range of a computed expression comes from abstract
//! interpretation ([`operations`]): bounds as a signed and as an unsigned number, and known bits.

use lockstep_ir::sequential::{Expression, Expressions, Node, Role, Sort, UnaryOp};
use rustc_hash::FxHashMap;

use crate::abstraction::{Word, mask, operations, signed_limits};

/// The maximum depth to which operands are analysed; deeper parts may be anything of their width.
const DEEPEST: u32 = 40;

/// The number of passes over the conditions, for bounds that follow from each other.
const ROUNDS: usize = 3;

/// Ranges of wider bit-vectors are not tracked: their sums and products would exceed `i128`.
const WIDEST: u32 = 64;

/// The numbers from `low` to `high`, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The lower bound.
    pub low: i128,
    /// The upper bound.
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
    pub fn and(self, other: Self) -> Option<Self> {
        let both = Self { low: self.low.max(other.low), high: self.high.min(other.high) };
        (both.low <= both.high).then_some(both)
    }

    /// The sums of a number of each range.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { low: self.low + other.low, high: self.high + other.high }
    }

    /// The sums of a number of each range; `None` beyond `i128`.
    pub fn checked_plus(self, other: Self) -> Option<Self> {
        Some(Self { low: self.low.checked_add(other.low)?, high: self.high.checked_add(other.high)? })
    }

    /// The differences of a number of each range.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self { low: self.low - other.high, high: self.high - other.low }
    }

    /// The products of a number of each range, each of at most 64 bits; `None` beyond `i128`.
    pub fn times(self, other: Self) -> Option<Self> {
        let corners = [
            self.low.checked_mul(other.low)?,
            self.low.checked_mul(other.high)?,
            self.high.checked_mul(other.low)?,
            self.high.checked_mul(other.high)?,
        ];
        Some(Self { low: corners.into_iter().min()?, high: corners.into_iter().max()? })
    }

    /// The number of bits that its numbers need, including the sign.
    pub fn bits(self) -> u32 {
        let magnitude = |number: i128| if number < 0 { !number } else { number };
        let most = magnitude(self.low).max(magnitude(self.high));
        129 - most.leading_zeros()
    }
}

/// The ranges known so far.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    known: FxHashMap<Expression, Word>,
    /// Ranges computed since the last fact was learnt; a cache, because expressions are widely
    /// shared.
    computed: FxHashMap<Expression, Word>,
}

impl Ranges {
    /// Learns that conditions hold in every state.
    pub fn learn_all(&mut self, e: &Expressions, conditions: &[Expression]) {
        // A bound that follows from others is found once those are known.
        for _ in 0..ROUNDS {
            for &condition in conditions {
                self.learn(e, condition);
            }
        }
    }

    /// Learns that a condition holds in every state. Bounds that follow from other conditions are
    /// found if those are learnt first.
    pub fn learn(&mut self, e: &Expressions, condition: Expression) {
        match e.node(condition) {
            Node::And(parts) => parts.iter().for_each(|&part| self.learn(e, part)),
            &Node::Compare(op, a, b) => {
                let (Some(x), Some(y)) = (self.word(e, a), self.word(e, b)) else { return };
                if let Some((x, y)) = operations::where_compared(op, &x, &y) {
                    self.learn_word(e, a, &x);
                    self.learn_word(e, b, &y);
                }
            }
            &Node::Equal(a, b) if matches!(e.sort(a), Sort::Bits(_)) => {
                let (Some(x), Some(y)) = (self.word(e, a), self.word(e, b)) else { return };
                self.learn_word(e, a, &y);
                self.learn_word(e, b, &x);
            }
            _ => {}
        }
    }

    /// Learns a range that an expression has in every state.
    pub fn learn_range(&mut self, e: &Expressions, of: Expression, range: Range) {
        let Some(width) = followed(e, of) else { return };
        let all = Range::of_width(width);
        let ends = range.and(all).map(|both| (i64::try_from(both.low), i64::try_from(both.high)));
        if let Some((Ok(low), Ok(high))) = ends
            && let Some(word) = Word::between_signed(width, low, high)
        {
            self.learn_word(e, of, &word);
        }
    }

    /// Learns facts about an expression. If they contradict the known ones, there is no such state,
    /// and nothing needs to be learnt.
    fn learn_word(&mut self, e: &Expressions, of: Expression, word: &Word) {
        let Some(before) = self.word(e, of) else { return };
        let Some(both) = before.and(word) else { return };
        if both != before {
            self.known.insert(of, both);
            self.computed.clear();
        }
        // The facts about the operand may be more precise than at first.
        self.learn_of_operand(e, of, &both);
    }

    /// Derives facts about the operand: those about an extended number hold for the number. Those
    /// about a multiple that does not wrap determine those about the number that is multiplied.
    fn learn_of_operand(&mut self, e: &Expressions, of: Expression, word: &Word) {
        let (inner, narrow) = match *e.node(of) {
            Node::Sum(ref constant, ref terms) if constant.is_zero() && terms.len() == 1 => {
                let (factor, inner) = (&terms[0].0, terms[0].1);
                let (Some(factor), Some(before)) = (factor.to_u64().filter(|&factor| factor > 0), self.word(e, inner))
                else {
                    return;
                };
                let (width, (_, most)) = (e.width(inner), before.unsigned());
                if u128::from(factor) * u128::from(most) > u128::from(mask(width)) {
                    return;
                }
                let (low, high) = word.unsigned();
                (inner, Word::between(width, low.div_ceil(factor), high / factor))
            }
            Node::ZeroExtend(inner) => {
                let (low, high) = word.unsigned();
                (inner, Word::between(e.width(inner), low, high.min(mask(e.width(inner)))))
            }
            Node::SignExtend(inner) => {
                let (least, most) = signed_limits(e.width(inner));
                let (low, high) = word.signed();
                (inner, Word::between_signed(e.width(inner), low.max(least), high.min(most)))
            }
            _ => return,
        };
        if let Some(narrow) = narrow {
            self.learn_word(e, inner, &narrow);
        }
    }

    /// The range of a bit-vector of at most 64 bits; `None` for anything else.
    pub fn of(&mut self, e: &Expressions, expression: Expression) -> Option<Range> {
        let (low, high) = self.word(e, expression)?.signed();
        Some(Range { low: low.into(), high: high.into() })
    }

    /// All facts about a bit-vector of at most 64 bits.
    pub fn word(&mut self, e: &Expressions, expression: Expression) -> Option<Word> {
        self.within_depth(e, expression, DEEPEST)
    }

    fn within_depth(&mut self, e: &Expressions, expression: Expression, depth: u32) -> Option<Word> {
        let width = followed(e, expression)?;
        if let Some(known) = self.computed.get(&expression) {
            return Some(*known);
        }
        let any = Word::any(width);
        let computed = depth.checked_sub(1).and_then(|depth| self.compute(e, expression, depth)).unwrap_or(any);
        let word = self.known.get(&expression).map_or(computed, |known| known.and(&computed).unwrap_or(*known));
        self.computed.insert(expression, word);
        Some(word)
    }

    /// The facts that follow from those about the operands.
    fn compute(&mut self, e: &Expressions, expression: Expression, depth: u32) -> Option<Word> {
        let mut of = |operand| self.within_depth(e, operand, depth);
        let width = e.width(expression);
        match e.node(expression) {
            Node::Bits(bits) => Word::constant(bits),
            Node::Sum(constant, terms) => {
                let words = terms.iter().map(|(coefficient, term)| Some((coefficient.to_u64()?, of(*term)?)));
                Some(operations::sum(width, constant.to_u64()?, &words.collect::<Option<Vec<_>>>()?))
            }
            Node::Unary(UnaryOp::Not, a) => Some(operations::complement(&of(*a)?)),
            &Node::ZeroExtend(inner) => Some(operations::zero_extend(width, &of(inner)?)),
            &Node::SignExtend(inner) => Some(operations::sign_extend(width, &of(inner)?)),
            &Node::Extract(high, low, inner) => Some(operations::extract(high, low, &of(inner)?)),
            &Node::Concat(a, b) => Some(operations::concat(&of(a)?, &of(b)?)),
            &Node::IfThenElse(_, a, b) => Some(of(a)?.or(&of(b)?)),
            &Node::Binary(op, a, b) => Some(operations::binary(op, &of(a)?, &of(b)?)),
            // Booleans and maps have no width; the other nodes may be anything.
            Node::Boolean(_)
            | Node::Variable(_)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Equal(..)
            | Node::Compare(..)
            | Node::Select(..)
            | Node::Store(..)
            | Node::Apply(..) => None,
        }
    }
}

/// The width of a bit-vector that is not too wide to be tracked.
fn followed(e: &Expressions, expression: Expression) -> Option<u32> {
    match e.sort(expression) {
        Sort::Bits(width @ 1..=WIDEST) => Some(width),
        _ => None,
    }
}

/// Whether a condition is about inputs only: then it holds throughout if it holds at the start.
pub fn about_inputs(e: &Expressions, condition: Expression) -> bool {
    let mut inputs_only = true;
    e.for_each_variable(condition, |variable| inputs_only &= e.variables()[variable].role == Role::Input);
    inputs_only
}

#[cfg(test)]
mod tests {
    use lockstep_ir::bits::Bits;
    use lockstep_ir::sequential::{BinaryOp, CompareOp};

    use super::*;

    fn input(e: &mut Expressions, name: &str) -> Expression {
        let variable = e.add_variable(name, Sort::Bits(32), None, Role::Input);
        e.variable(variable)
    }

    #[test]
    fn an_index_below_a_bounded_size_is_bounded() {
        let mut e = Expressions::new();
        let (index, size) = (input(&mut e, "index"), input(&mut e, "size"));
        let most = e.number(32, 1024);
        let mut ranges = Ranges::default();
        for (op, a, b) in [(CompareOp::UnsignedLessEqual, size, most), (CompareOp::UnsignedLess, index, size)] {
            let condition = e.compare(op, a, b);
            ranges.learn(&e, condition);
        }
        assert_eq!(ranges.of(&e, index), Some(Range { low: 0, high: 1023 }));
        let scaled = e.scale(Bits::from_signed(32, -4), index);
        assert_eq!(ranges.of(&e, scaled), Some(Range { low: -4092, high: 0 }));
    }

    #[test]
    fn bounds_of_a_multiple_bound_its_factor() {
        let mut e = Expressions::new();
        let (index, size, free) = (input(&mut e, "index"), input(&mut e, "size"), input(&mut e, "free"));
        let four = |e: &mut Expressions, of| e.scale(Bits::new(32, 4u32), of);
        let at_most = |e: &mut Expressions, of, most| {
            let most = e.number(32, most);
            e.compare(CompareOp::UnsignedLessEqual, of, most)
        };
        let below = e.compare(CompareOp::UnsignedLess, index, size);
        let (sizes, frees) = (four(&mut e, size), four(&mut e, free));
        let conditions =
            [below, at_most(&mut e, sizes, 102), at_most(&mut e, size, 1 << 20), at_most(&mut e, frees, 102)];
        let mut ranges = Ranges::default();
        ranges.learn_all(&e, &conditions);
        // Some number is below it.
        assert_eq!(ranges.of(&e, size), Some(Range { low: 1, high: 25 }));
        assert_eq!(ranges.of(&e, index), Some(Range { low: 0, high: 24 }));
        // Four times 2^30 is 0.
        assert_eq!(ranges.of(&e, free), Some(Range::of_width(32)));
    }

    #[test]
    fn bounds_of_an_extended_number_bound_the_number() {
        let mut e = Expressions::new();
        let (a, b) = (input(&mut e, "a"), input(&mut e, "b"));
        let mut ranges = Ranges::default();
        let (wide, most) = (e.zero_extend(64, a), e.number(64, 256));
        let condition = e.compare(CompareOp::UnsignedLessEqual, wide, most);
        ranges.learn(&e, condition);
        assert_eq!(ranges.of(&e, a), Some(Range { low: 0, high: 256 }));
        let (wide, least) = (e.sign_extend(64, b), e.bits(Bits::from_signed(64, -7)));
        let condition = e.compare(CompareOp::SignedLessEqual, least, wide);
        ranges.learn(&e, condition);
        assert_eq!(ranges.of(&e, b), Some(Range { low: -7, high: (1 << 31) - 1 }));
    }

    #[test]
    fn values_that_may_wrap_may_be_anything() {
        let mut e = Expressions::new();
        let (a, b) = (input(&mut e, "a"), input(&mut e, "b"));
        let mut ranges = Ranges::default();
        ranges.learn_range(&e, a, Range { low: 0, high: i128::from(i32::MAX) });
        let one = e.number(32, 1);
        let next = e.add(a, one);
        assert_eq!(ranges.of(&e, next), Some(Range::of_width(32)));
        // Above a bound as an unsigned number, as negative numbers are.
        let five = e.number(32, 5);
        let above = e.compare(CompareOp::UnsignedLess, five, b);
        ranges.learn(&e, above);
        assert_eq!(ranges.of(&e, b), Some(Range::of_width(32)));
        let wide = e.zero_extend(64, b);
        assert_eq!(ranges.of(&e, wide), Some(Range { low: 6, high: (1 << 32) - 1 }));
    }

    #[test]
    fn masked_and_concatenated_values_are_bounded() {
        let mut e = Expressions::new();
        let (a, b) = (input(&mut e, "a"), input(&mut e, "b"));
        let (seven, four) = (e.number(32, 7), e.number(32, 4));
        let low = e.binary(BinaryOp::And, a, seven);
        let high = e.binary(BinaryOp::And, b, seven);
        let high = e.binary(BinaryOp::ShiftLeft, high, four);
        let both = e.binary(BinaryOp::Xor, low, high);
        assert_eq!(Ranges::default().of(&e, both), Some(Range { low: 0, high: 0x77 }));
        // A fact assumed about one side of an equation is known about the other.
        let mut ranges = Ranges::default();
        let equal = e.equal(a, both);
        ranges.learn(&e, equal);
        assert_eq!(ranges.of(&e, a), Some(Range { low: 0, high: 0x77 }));
    }

    #[test]
    fn numbers_need_bits_for_the_magnitude_and_the_sign() {
        for (number, bits) in [(0, 1), (-1, 1), (1, 2), (-2, 2), (127, 8), (-128, 8), (128, 9)] {
            assert_eq!(Range::exactly(number).bits(), bits, "{number}");
        }
    }
}
