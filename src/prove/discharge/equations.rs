//! Decides and splits equations, from their combination and from residues modulo a number.
//!
//! Consider `1024 * row + 64 * group + id = 1024 * row' + 64 * group' + id'`, with ids below 64 and
//! groups below 16. It implies `64 * group + id = 64 * group' + id'`, because a number below 1024
//! is its own remainder modulo 1024. This in turn implies that the groups and the ids are equal. If
//! 3 is added on one side only, the equation is contradictory. So two accesses of rows, tiles or
//! structures of constant size are compared part by part, and usually nothing is left for a solver.
//!
//! # Residues
//!
//! Let `s + t = c` modulo `2^w`, where all coefficients in `t` are multiples of `m`, and `s`, as a
//! mathematical integer, is in an interval. If `m` divides `2^w`, or if the equation holds over the
//! integers, then `s = c` modulo `m`. If the interval contains no such number, the equation is
//! false. If it contains exactly one, `v`, the equation is equivalent to `s = v` and `t = c - v`,
//! and `s = v` holds over the integers. Applied to the whole sum as `s` and `m = 2^w`, the rule
//! determines when an equation holds over the integers. Then it may be divided by any common
//! divisor of all its coefficients and its constant.
//!
//! The intervals come from the question's unconditional assertions about the terms. The equation
//! itself may be one of these assertions. Its replacement implies it without any interval (the
//! parts add up to it, or to a divisor of it), and together with the intervals it implies the
//! parts. An equation that is asserted under a condition, or not at all, is equivalent to its parts
//! wherever all assertions hold, and the question concerns no other states. Terms stay unchanged,
//! with the equations inside them: otherwise the assertion of an interval could come to mention a
//! different term.
//!
//! # Elimination
//!
//! The unconditionally asserted equations are solved, each for a term with an odd coefficient
//! (which has an inverse modulo `2^w`). An equation that becomes contradictory after substituting
//! earlier ones contradicts them. Another equation is decided if, after all these substitutions, it
//! becomes trivial or contradictory. The asserted equations stay unchanged, because they decide the
//! others.

use std::collections::BTreeMap;

use lockstep_invariants::ranges::{Range, Ranges};
use lockstep_invariants::{mask, sign_extended};
use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{Expression, Expressions, Node, Sort};
use num_integer::Integer;
use rustc_hash::{FxHashMap, FxHashSet};

/// The question with its equations decided where possible, and otherwise split.
///
/// It is `false` if they contradict each other.
///
/// Equations inside terms stay unchanged, so the terms do, too: a fact about a term remains a fact
/// about the same term.
pub fn with_equations_decided(e: &mut Expressions, parts: &[Expression]) -> Vec<Expression> {
    let equations = equations(e, parts);
    if equations.is_empty() {
        return parts.to_vec();
    }
    let mut ranges = Ranges::default();
    ranges.learn_all(e, parts);
    let mut system = System::default();
    let mut decided = FxHashMap::default();
    for &part in parts {
        let Some(equation) = Linear::of(e, part) else { continue };
        let reduced = system.reduced(equation.clone());
        let (Some(split), Some(_)) = (equation.split(e, &mut ranges), reduced.split(e, &mut ranges)) else {
            return vec![e.boolean(false)];
        };
        system.solve(reduced);
        decided.insert(part, split.build(e));
    }
    for part in equations {
        let Some(equation) = Linear::of(e, part).filter(|_| !decided.contains_key(&part)) else { continue };
        let reduced = system.reduced(equation.clone());
        let decision = if reduced.terms.is_empty() {
            e.boolean(reduced.constant == 0)
        } else {
            match (reduced.split(e, &mut ranges), equation.split(e, &mut ranges)) {
                (Some(_), Some(split)) => split.build(e),
                _ => e.boolean(false),
            }
        };
        decided.insert(part, decision);
    }
    let decision = |_: &mut Expressions, atom| decided.get(&atom).copied().unwrap_or(atom);
    let mut memo = FxHashMap::default();
    parts.iter().map(|&part| e.replace(part, is_atom, decision, &mut memo)).collect()
}

/// The equations of bit-vectors that a question consists of, except those inside terms.
fn equations(e: &Expressions, parts: &[Expression]) -> Vec<Expression> {
    let (mut seen, mut equations) = (FxHashSet::default(), Vec::new());
    let mut pending = parts.to_vec();
    while let Some(part) = pending.pop() {
        if !seen.insert(part) {
            continue;
        }
        if !is_atom(e, part) {
            e.for_each_operand(part, |operand| pending.push(operand));
        } else if matches!(e.node(part), Node::Equal(..)) {
            equations.push(part);
        }
    }
    equations
}

/// Whether an expression is not a Boolean combination of others.
fn is_atom(e: &Expressions, part: Expression) -> bool {
    match *e.node(part) {
        Node::Not(_) | Node::And(_) | Node::Or(_) => false,
        Node::Equal(a, _) => e.sort(a) != Sort::Boolean,
        Node::IfThenElse(..) => e.sort(part) != Sort::Boolean,
        _ => true,
    }
}

/// An equation: a sum of terms with coefficients and a constant is 0 modulo `2^width`.
#[derive(Clone, Debug)]
struct Linear {
    width: u32,
    constant: u64,
    terms: BTreeMap<Expression, u64>,
}

impl Linear {
    /// The linear form of an equation of bit-vectors of at most 64 bits.
    fn of(e: &Expressions, equation: Expression) -> Option<Self> {
        let &Node::Equal(a, b) = e.node(equation) else { return None };
        let Sort::Bits(width @ 1..=64) = e.sort(a) else { return None };
        let mut all = Self { width, constant: 0, terms: BTreeMap::new() };
        for (side, factor) in [(a, 1), (b, u64::MAX)] {
            match e.node(side) {
                Node::Sum(constant, terms) => {
                    all.constant = all.constant.wrapping_add(constant.to_u64()?.wrapping_mul(factor));
                    for (coefficient, term) in terms {
                        all.add(*term, coefficient.to_u64()?.wrapping_mul(factor));
                    }
                }
                Node::Bits(bits) => all.constant = all.constant.wrapping_add(bits.to_u64()?.wrapping_mul(factor)),
                _ => all.add(side, factor),
            }
        }
        all.constant &= mask(width);
        Some(all)
    }

    /// Adds a multiple of a term.
    fn add(&mut self, term: Expression, factor: u64) {
        let coefficient = self.terms.entry(term).or_default();
        *coefficient = coefficient.wrapping_add(factor) & mask(self.width);
        if *coefficient == 0 {
            self.terms.remove(&term);
        }
    }

    /// Adds a multiple of another sum.
    fn add_times(&mut self, other: &Self, factor: u64) {
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(factor)) & mask(self.width);
        for (&term, &coefficient) in &other.terms {
            self.add(term, coefficient.wrapping_mul(factor));
        }
    }

    /// Equations whose conjunction is equivalent; `None` if the equation is false.
    fn split(&self, e: &Expressions, ranges: &mut Ranges) -> Option<Split> {
        let signed = |number: u64| i128::from(sign_extended(number, self.width));
        let range = |term, ranges: &mut Ranges| ranges.of(e, term).unwrap_or(Range::of_width(self.width));
        let terms = self.terms.iter().map(|(&term, &factor)| (signed(factor), term, range(term, ranges))).collect();
        let whole = Equation { terms, sum: -signed(self.constant), exact: false };
        let mut equations = Vec::new();
        whole.split(self.width, &mut equations).then_some(Split { width: self.width, equations })
    }
}

/// Equations that have been solved, each for a term.
#[derive(Debug, Default)]
struct System(Vec<(Expression, Linear)>);

impl System {
    /// An equation with the solved terms replaced.
    ///
    /// The solution for each term mentions only terms for which no earlier equation is solved.
    fn reduced(&self, mut equation: Linear) -> Linear {
        for (term, value) in &self.0 {
            if value.width == equation.width
                && let Some(factor) = equation.terms.remove(term)
            {
                equation.add_times(value, factor);
            }
        }
        equation
    }

    /// Adds a reduced equation, if it can be solved.
    fn solve(&mut self, mut equation: Linear) {
        let odd = equation.terms.iter().rev().find(|&(_, factor)| factor % 2 == 1);
        let Some((&term, &factor)) = odd else { return };
        equation.terms.remove(&term);
        let mut value = Linear { terms: BTreeMap::new(), constant: 0, width: equation.width };
        value.add_times(&equation, inverse(factor).wrapping_neg());
        self.0.push((term, value));
    }
}

/// The equations into which one is split.
struct Split {
    width: u32,
    equations: Vec<Equation>,
}

/// A coefficient, the expression that it multiplies, and the range of that expression.
type Term = (i128, Expression, Range);

/// An equation: some terms add up to a number.
struct Equation {
    terms: Vec<Term>,
    sum: i128,
    /// Whether it holds over the integers, not only modulo the number of values.
    exact: bool,
}

impl Equation {
    /// Splits the equation; returns whether it can hold.
    fn split(mut self, width: u32, out: &mut Vec<Self>) -> bool {
        if !self.exact {
            match residue(range(&self.terms), self.sum, 1 << width) {
                Residue::None => return false,
                Residue::One(sum) => (self.sum, self.exact) = (sum, true),
                Residue::Many => {}
            }
        }
        // The divisors of the number of values are powers of two.
        let size = |factor: i128| if self.exact { factor.abs() } else { 1 << factor.trailing_zeros() };
        let divisor = |terms: &[Term]| terms.iter().fold(0, |divisor: i128, &(factor, ..)| divisor.gcd(&size(factor)));
        match divisor(&self.terms) {
            0 => return self.sum == 0,
            all if self.sum % all != 0 => return false,
            all if self.exact => {
                self.terms.iter_mut().for_each(|(factor, ..)| *factor /= all);
                self.sum /= all;
            }
            _ => {}
        }
        self.terms.sort_by_key(|&(factor, ..)| size(factor));
        for count in 1..self.terms.len() {
            let (small, large) = self.terms.split_at(count);
            let divisor = divisor(large);
            match residue(range(small), self.sum, divisor) {
                Residue::Many => {}
                Residue::None => return false,
                Residue::One(part) => {
                    let large = Self { terms: self.terms.split_off(count), sum: self.sum - part, exact: self.exact };
                    let small = Self { terms: self.terms, sum: part, exact: true };
                    return small.split(width, out) && large.split(width, out);
                }
            }
        }
        out.push(self);
        true
    }
}

impl Split {
    fn build(&self, e: &mut Expressions) -> Expression {
        let number = |number: i128| Bits::from_signed(self.width, number);
        let all: Vec<Expression> = self
            .equations
            .iter()
            .map(|equation| {
                let terms = equation.terms.iter().map(|&(factor, term, _)| (number(factor), term)).collect();
                let (sum, value) = (e.sum(Bits::zero(self.width), terms), e.bits(number(equation.sum)));
                e.equal(sum, value)
            })
            .collect();
        e.and(all)
    }
}

/// The numbers in an interval that are congruent to a given number.
enum Residue {
    /// There may be several.
    Many,
    /// There is exactly one.
    One(i128),
    /// There are none.
    None,
}

/// The numbers in an interval that are congruent to a given number.
fn residue(range: Option<Range>, number: i128, modulus: i128) -> Residue {
    // The limit is far below the overflow of `i128`: the rest of the sum stays in range after any
    // number of splits.
    let range = range.filter(|range| [range.low, range.high].iter().all(|end| end.unsigned_abs() < 1 << 100));
    let Some(Range { low, high }) = range else { return Residue::Many };
    let least = low + (number - low).rem_euclid(modulus);
    match () {
        () if least > high => Residue::None,
        () if least + modulus > high => Residue::One(least),
        () => Residue::Many,
    }
}

/// The range of a sum of terms; `None` for extreme values.
fn range(terms: &[Term]) -> Option<Range> {
    let mut sum = Range::exactly(0);
    for &(factor, _, range) in terms {
        sum = sum.checked_plus(Range::exactly(factor).times(range)?)?;
    }
    Some(sum)
}

/// The inverse of an odd number modulo 2^64, and hence modulo any smaller power of two.
fn inverse(odd: u64) -> u64 {
    // Each step doubles the number of correct bits; the square of an odd number has three.
    let step = |guess: u64| guess.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(guess)));
    (0..5).fold(odd, |guess, _| step(guess))
}

#[cfg(test)]
mod tests {
    use lockstep_ir::sequential::{CompareOp, Role, Value, Variable, evaluate};

    use super::*;

    /// Variables with few bits, so that all their values can be tried.
    fn inputs<const N: usize>(e: &mut Expressions, width: u32) -> [Expression; N] {
        std::array::from_fn(|index| {
            let variable = e.add_variable(&format!("x{index}"), Sort::Bits(width), None, Role::Input);
            e.variable(variable)
        })
    }

    fn all_hold(e: &Expressions, parts: &[Expression], values: &[u64], width: u32) -> bool {
        let value = |variable: Variable| Value::Bits(Bits::new(width, values[variable.as_u32() as usize]));
        let functions = |_, _: &[Value]| unreachable!("there are no functions");
        parts.iter().all(|&part| evaluate(e, part, &value, &functions) == Value::Boolean(true))
    }

    /// A generator of pseudo-random numbers.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % bound
        }

        fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
            let number = usize::try_from(self.below(all.len() as u64)).expect("an index");
            all[number]
        }

        /// A sum of some of the terms.
        fn sum(&mut self, e: &mut Expressions, terms: &[Expression], width: u32) -> Expression {
            const FACTORS: [i64; 9] = [0, 1, 1, -1, 2, 3, 4, 8, -6];
            let terms: Vec<_> =
                terms.iter().map(|&term| (Bits::from_signed(width, self.one_of(&FACTORS)), term)).collect();
            let constant = if self.below(2) == 0 { 0 } else { self.below(1 << width) };
            e.sum(Bits::new(width, constant), terms)
        }

        fn equation(&mut self, e: &mut Expressions, terms: &[Expression], width: u32) -> Expression {
            let (a, b) = (self.sum(e, terms, width), self.sum(e, terms, width));
            e.equal(a, b)
        }
    }

    /// A wrong step here would be a wrong proof.
    ///
    /// The result must hold for exactly the same values as the input.
    #[test]
    fn questions_mean_the_same_afterwards() {
        let (mut changed, mut contradictory, mut satisfiable) = (0, 0, 0);
        for seed in 0..1_000 {
            let mut random = Random(seed);
            let mut e = Expressions::new();
            let width = random.one_of(&[1, 2, 3, 4, 4, 4]);
            let variables: [Expression; 3] = inputs(&mut e, width);
            let mut terms = variables.to_vec();
            if random.below(3) == 0 {
                // A term with an equation inside.
                let inside = random.equation(&mut e, &variables, width);
                terms.push(e.if_then_else(inside, variables[0], variables[1]));
            }
            let mut parts = Vec::new();
            for &term in &terms {
                // Most variables are bounded, as residues require.
                let bound = random.one_of(&[1, 2, 3, 4, 5, 15]) & mask(width);
                let bound = if random.below(4) == 0 { random.one_of(&terms) } else { e.number(width, bound) };
                let op =
                    random.one_of(&[CompareOp::UnsignedLess, CompareOp::UnsignedLessEqual, CompareOp::SignedLessEqual]);
                let bounded = e.compare(op, term, bound);
                parts.push(bounded);
            }
            for _ in 0..=random.below(3) {
                let equation = random.equation(&mut e, &terms, width);
                let other = random.equation(&mut e, &terms, width);
                let part = match random.below(4) {
                    0 | 1 => equation,
                    2 => e.not(equation),
                    _ => e.or([equation, other]),
                };
                parts.push(part);
            }
            let decided = with_equations_decided(&mut e, &parts);
            changed += u32::from(decided != parts);
            contradictory += u32::from(decided.iter().any(|&part| e.as_boolean(part) == Some(false)));
            for state in 0..1u64 << (3 * width) {
                let values = [0, 1, 2].map(|index| (state >> (width * index)) & mask(width));
                let before = all_hold(&e, &parts, &values, width);
                satisfiable += u32::from(before);
                assert_eq!(all_hold(&e, &decided, &values, width), before, "seed {seed}: {values:?}");
            }
        }
        assert!(changed > 200 && contradictory > 50 && satisfiable > 10_000, "{changed} {contradictory} {satisfiable}");
    }

    /// The fact `x < 4`, for each expression.
    fn below_four(e: &mut Expressions, all: &[Expression]) -> Vec<Expression> {
        let four = e.number(e.width(all[0]), 4);
        all.iter().map(|&one| e.compare(CompareOp::UnsignedLess, one, four)).collect()
    }

    /// Rows of 16 cells, each of 4 tiles of 4 cells: any rows, so that products with 16 may wrap.
    #[test]
    fn cells_of_rows_are_compared_part_by_part() {
        let mut e = Expressions::new();
        let [row, tile, id, other_row, other_tile, other_id] = inputs(&mut e, 8);
        let cell = |e: &mut Expressions, [row, tile, id]: [Expression; 3], more: u64| {
            let terms = [(16u32, row), (4, tile), (1, id)];
            e.sum(Bits::new(8, more), terms.map(|(factor, term)| (Bits::new(8, factor), term)).to_vec())
        };
        let bounds = below_four(&mut e, &[tile, id, other_tile, other_id]);
        let first = cell(&mut e, [row, tile, id], 0);
        for more in [0, 16, 64] {
            let second = cell(&mut e, [other_row, other_tile, other_id], more);
            let equation = e.equal(first, second);
            let parts = [&bounds[..], &[equation]].concat();
            let decided = with_equations_decided(&mut e, &parts);
            let (same_tile, same_id) = (e.equal(tile, other_tile), e.equal(id, other_id));
            let Node::And(said) = e.node(decided[4]) else { panic!("three equations expected") };
            assert!(said.len() == 3 && said.contains(&same_tile) && said.contains(&same_id), "{more}");
        }
        // In structures of four members, two different members are never the same cell.
        let (members, other_members) = (e.scale(Bits::new(8, 4u32), row), e.scale(Bits::new(8, 4u32), other_row));
        let (one, two) = (e.number(8, 1), e.number(8, 2));
        let (first, second) = (e.add(members, one), e.add(other_members, two));
        let equation = e.equal(first, second);
        let no = e.boolean(false);
        assert_eq!(with_equations_decided(&mut e, &[equation]), [no]);
    }

    /// If `t` is below a term that is 3, `t + 16 * u = 0` implies that both are 0.
    ///
    /// This does not apply if the equation itself makes that term 3.
    #[test]
    fn terms_stay_as_they_are() {
        let mut e = Expressions::new();
        let [t, u, x, y] = inputs(&mut e, 8);
        let zero = e.number(8, 0);
        let sum = e.sum(Bits::zero(8), vec![(Bits::new(8, 1u32), t), (Bits::new(8, 16u32), u)]);
        let inside = e.equal(sum, zero);
        let term = e.if_then_else(inside, x, y);
        let three = e.number(8, 3);
        let parts = [e.equal(term, three), e.compare(CompareOp::UnsignedLess, t, term)];
        let decided = with_equations_decided(&mut e, &parts);
        for (values, holds) in [([16, 15, 3, 100], false), ([0, 0, 3, 100], true), ([2, 0, 0, 3], true)] {
            assert_eq!(all_hold(&e, &parts, &values, 8), holds);
            assert_eq!(all_hold(&e, &decided, &values, 8), holds, "{values:?}");
        }
    }

    #[test]
    fn equations_together_decide_others() {
        let mut e = Expressions::new();
        let [id, other_id, round, cell, other_cell] = inputs(&mut e, 32);
        let place = |e: &mut Expressions, id| {
            e.sum(Bits::zero(32), vec![(Bits::new(32, 1u32), id), (Bits::new(32, 128u32), round)])
        };
        let (first, second) = (place(&mut e, id), place(&mut e, other_id));
        let (at, other_at) = (e.equal(cell, first), e.equal(other_cell, second));
        let meet = e.equal(cell, other_cell);
        let same = e.equal(id, other_id);
        let differ = e.not(same);
        let parts = [at, other_at, meet, differ];
        assert_eq!(with_equations_decided(&mut e, &parts)[3], e.boolean(false));
        // Without the last equation, they may or may not meet.
        assert_eq!(with_equations_decided(&mut e, &[at, other_at, differ]), [at, other_at, differ]);
        // At different places, they do not meet.
        let one = e.number(32, 1);
        let next = e.add(other_cell, one);
        let apart = e.equal(cell, next);
        let parts = [at, other_at, same, apart];
        let no = e.boolean(false);
        assert_eq!(with_equations_decided(&mut e, &parts), [no]);
    }

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in (1..10_000u64).step_by(2).chain([u64::MAX, u64::MAX / 3]) {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }
}
