//! Lemmas on products of unknowns, for linear queries.
//!
//! Two products with a common factor `f`, `a·f` and `b·f`, differ by a multiple of `f`. So
//!
//! ```text
//!     0 <= f  ∧  a < b   →   a·f + f <= b·f
//!                a = b   →   a·f = b·f
//! ```
//!
//! This is all that a row-major index needs. Let `y1·w + x1 = y2·w + x2` with `0 <= x1, x2 < w`.
//! Then the difference of the products equals that of `x2` and `x1`. It is between `-w` and `w`,
//! and so `y1 = y2`. A product is zero if a factor is, and not negative if its factors are not. It
//! is then not less than one of them if the other is positive. All these lemmas hold for all
//! integers, and they are linear where a product is a number of its own.

use ::z3::ast::{Bool, Int};
use lockstep_ir::polynomial::Polynomial;
use num_bigint::BigInt;

use super::{Integers, Word};

/// A product of two unknown numbers.
pub struct Product {
    factors: [Polynomial; 2],
    value: Polynomial,
}

/// The most pairs of products of one query that get lemmas.
const MOST_PAIRS: usize = 400;

/// The most products of one query that get lemmas.
const MOST_PRODUCTS: usize = 60;

/// The most monomials of a product that is expanded.
const MOST_TERMS: usize = 64;

impl Integers {
    /// The product of two numbers.
    pub(super) fn times(&mut self, a: &Word, b: &Word) -> Word {
        let corners = [&a.low * &b.low, &a.low * &b.high, &a.high * &b.low, &a.high * &b.high];
        let low = corners.iter().min().expect("four corners").clone();
        let high = corners.into_iter().max().expect("four corners");
        let [a, b] = [a, b].map(|word| word.value.clone());
        if let Some(factor) = a.as_constant() {
            return Word { value: b.scaled(&factor), low, high };
        }
        if let Some(factor) = b.as_constant() {
            return Word { value: a.scaled(&factor), low, high };
        }
        let [a, b] = if a.len() * b.len() <= MOST_TERMS {
            [a, b]
        } else {
            [a, b].map(|part| {
                let term = self.term_of(&part);
                let (low, high) = self.bounds_of_parts(&part);
                self.atom(term, low, high)
            })
        };
        let value = a.times(&b);
        self.note_product([a, b], value.clone());
        Word { value, low, high }
    }

    fn note_product(&mut self, factors: [Polynomial; 2], value: Polynomial) {
        if self.products.len() < MOST_PRODUCTS && self.products.iter().all(|known| known.factors != factors) {
            self.products.push(Product { factors, value });
        }
    }

    /// Notes that a sum `z·h·w + y·w` is `(z·h + y)·w`, plus the terms that have no factor in
    /// common.
    pub(super) fn note_factors(&mut self, sum: &Polynomial) {
        if sum.is_linear() {
            return;
        }
        for (atom, other) in sum.common_factors() {
            let factor = Polynomial::atom(atom);
            let product = factor.times(&other);
            self.note_product([other, factor], product);
        }
    }

    /// The lemmas on the products.
    pub fn lemmas(&mut self) -> Vec<Bool> {
        let products = std::mem::take(&mut self.products);
        let mut lemmas = Vec::new();
        for product in &products {
            lemmas.extend(self.signs(product));
        }
        // `z·h·w` is not a row by itself if `(z·h + y)·w` is there.
        let whole = |factor: &Polynomial, other: &Polynomial| {
            let larger = |known: &Product| {
                (0..2).any(|i| {
                    known.factors[i] == *factor
                        && known.factors[1 - i] != *other
                        && other.is_part_of(&known.factors[1 - i])
                })
            };
            !products.iter().any(larger)
        };
        let mut rows: Vec<(&Polynomial, &Polynomial, &Polynomial)> = Vec::new();
        for product in &products {
            for i in 0..2 {
                let (factor, other) = (&product.factors[i], &product.factors[1 - i]);
                let row = (factor, other, &product.value);
                if whole(factor, other) && !rows.contains(&row) {
                    rows.push(row);
                }
            }
        }
        let mut pairs = 0;
        for (index, first) in rows.iter().enumerate() {
            for second in &rows[index + 1..] {
                if first.0 == second.0 && pairs < MOST_PAIRS {
                    pairs += 1;
                    lemmas.extend(self.common_factor(first.0, [first.1, second.1], [first.2, second.2]));
                }
            }
        }
        self.products = products;
        lemmas
    }

    /// The facts about a product that follow from the signs of its factors.
    fn signs(&mut self, product: &Product) -> Vec<Bool> {
        let bounds = product.factors.each_ref().map(|factor| self.bounds_of_parts(factor));
        let [a, b] = product.factors.each_ref().map(|factor| self.term_of(factor));
        let value = self.term_of(&product.value);
        // A condition that the bounds imply is left out.
        let at_least = |term: &Int, (low, _): &(BigInt, BigInt), least: i64| {
            (*low < BigInt::from(least)).then(|| term.ge(Int::from_i64(least)))
        };
        let claim = |conditions: [Option<Bool>; 2], conclusion: Bool| {
            let conditions: Vec<Bool> = conditions.into_iter().flatten().collect();
            if conditions.is_empty() { conclusion } else { Bool::and(&conditions).implies(conclusion) }
        };
        let [x, y] = &bounds;
        vec![
            claim([at_least(&a, x, 0), at_least(&b, y, 0)], value.ge(Int::from_i64(0))),
            claim([at_least(&a, x, 1), at_least(&b, y, 0)], value.ge(&b)),
            claim([at_least(&a, x, 0), at_least(&b, y, 1)], value.ge(&a)),
            Bool::or(&[a.eq(Int::from_i64(0)), b.eq(Int::from_i64(0))]).implies(value.eq(Int::from_i64(0))),
        ]
    }

    /// The lemma that products with a common factor are as far apart as the other factors are.
    fn common_factor(&mut self, factor: &Polynomial, others: [&Polynomial; 2], values: [&Polynomial; 2]) -> Vec<Bool> {
        let (low, _) = self.bounds_of_parts(factor);
        let factor = self.term_of(factor);
        // The comparison uses differences, from which common parts are gone.
        let zero = Int::from_i64(0);
        let other = self.term_of(&others[1].minus(others[0]));
        let value = self.term_of(&values[1].minus(values[0]));
        let mut before = vec![other.gt(&zero)];
        let mut behind = vec![other.lt(&zero)];
        if low < BigInt::ZERO {
            before.push(factor.ge(&zero));
            behind.push(factor.ge(&zero));
        }
        vec![
            Bool::and(&before).implies(value.ge(&factor)),
            Bool::and(&behind).implies(value.le(&factor * Int::from_i64(-1))),
            other.eq(&zero).implies(value.eq(&zero)),
        ]
    }

    /// The definitions of the numbers that stand for products; none if there are no products.
    pub fn definitions_of_products(&mut self) -> Vec<Bool> {
        let monomials: Vec<_> = self.monomials.iter().map(|(atoms, value)| (atoms.clone(), value.clone())).collect();
        let product = |atoms: &[u32]| {
            let factors: Vec<Int> = atoms.iter().map(|&atom| self.atoms[super::at(atom)].0.clone()).collect();
            Int::mul(&factors)
        };
        monomials.iter().map(|(atoms, value)| value.eq(product(atoms))).collect()
    }
}
