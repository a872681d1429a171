//! Polynomials with integer coefficients over *atoms*: numbers treated as opaque.
//!
//! Their sums and products are normal forms. So, before a solver is involved, equal products are
//! recognised as equal, and a common part of two sums cancels in their difference.

use std::collections::BTreeMap;

use num_bigint::BigInt;

/// An opaque number, by its index.
pub type Atom = u32;

/// A product of atoms, in order; empty for 1.
pub type Monomial = Box<[Atom]>;

/// A sum of monomials with coefficients, none of which is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Polynomial {
    terms: BTreeMap<Monomial, BigInt>,
}

impl Polynomial {
    /// A number.
    pub fn constant(value: BigInt) -> Self {
        let mut all = Self::default();
        all.add_term(Box::default(), value);
        all
    }

    /// An atom.
    pub fn atom(atom: Atom) -> Self {
        Self { terms: BTreeMap::from([(Monomial::from([atom]), BigInt::from(1))]) }
    }

    /// The monomials with their coefficients, that of 1 first.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, &BigInt)> {
        self.terms.iter()
    }

    /// The number of monomials.
    #[expect(clippy::len_without_is_empty, reason = "the number of terms; none are left out of zero")]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether no two atoms are multiplied.
    pub fn is_linear(&self) -> bool {
        self.terms.keys().all(|monomial| monomial.len() < 2)
    }

    /// Whether it is a part of another polynomial: all its monomials occur there, too.
    pub fn is_part_of(&self, other: &Self) -> bool {
        self.terms.iter().all(|(monomial, coefficient)| other.terms.get(monomial) == Some(coefficient))
    }

    /// Pairs `(atom, a)` for each atom that occurs in several products; `a` is the factor of the
    /// atom in their sum.
    pub fn common_factors(&self) -> Vec<(Atom, Self)> {
        let mut by_atom: BTreeMap<Atom, Self> = BTreeMap::new();
        for (monomial, coefficient) in self.terms.iter().filter(|(monomial, _)| monomial.len() >= 2) {
            for (position, &atom) in monomial.iter().enumerate() {
                if position > 0 && monomial[position - 1] == atom {
                    continue;
                }
                let mut rest = monomial.to_vec();
                rest.remove(position);
                by_atom.entry(atom).or_default().add_term(rest.into(), coefficient.clone());
            }
        }
        by_atom.into_iter().filter(|(_, other)| other.len() >= 2).collect()
    }

    /// The constant, if it has no atoms.
    pub fn as_constant(&self) -> Option<BigInt> {
        match self.terms.len() {
            0 => Some(BigInt::ZERO),
            1 => self.terms.get(&Monomial::default()).cloned(),
            _ => None,
        }
    }

    /// The atom, if it is a single one.
    pub fn as_atom(&self) -> Option<Atom> {
        let (monomial, coefficient) = self.terms.first_key_value()?;
        match &monomial[..] {
            &[atom] if self.terms.len() == 1 && *coefficient == BigInt::from(1) => Some(atom),
            _ => None,
        }
    }

    /// The sum.
    pub fn plus(&self, other: &Self) -> Self {
        self.plus_times(other, &BigInt::from(1))
    }

    /// The difference.
    pub fn minus(&self, other: &Self) -> Self {
        self.plus_times(other, &BigInt::from(-1))
    }

    /// `self + factor * other`
    pub fn plus_times(&self, other: &Self, factor: &BigInt) -> Self {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.terms {
            sum.add_term(monomial.clone(), coefficient * factor);
        }
        sum
    }

    /// `factor * self`
    pub fn scaled(&self, factor: &BigInt) -> Self {
        Self::default().plus_times(self, factor)
    }

    /// The product.
    pub fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (first, a) in &self.terms {
            for (second, b) in &other.terms {
                let mut atoms: Vec<Atom> = first.iter().chain(second).copied().collect();
                atoms.sort_unstable();
                product.add_term(atoms.into(), a * b);
            }
        }
        product
    }

    /// `(q, r)` with `self = atom * q + r`, where no monomial of `r` contains the atom.
    pub fn divided_by(&self, atom: Atom) -> (Self, Self) {
        let (mut quotient, mut rest) = (Self::default(), Self::default());
        for (monomial, coefficient) in &self.terms {
            match monomial.iter().position(|&factor| factor == atom) {
                Some(position) => {
                    let mut others = monomial.to_vec();
                    others.remove(position);
                    quotient.add_term(others.into(), coefficient.clone());
                }
                None => rest.add_term(monomial.clone(), coefficient.clone()),
            }
        }
        (quotient, rest)
    }

    /// `(q, r)` with `self = number * q + r` for a positive number. `r` has the terms whose
    /// coefficients are not multiples of it, and the remainder of the constant, which is not
    /// negative.
    pub fn divided_by_number(&self, number: &BigInt) -> (Self, Self) {
        let (mut quotient, mut rest) = (Self::default(), Self::default());
        for (monomial, coefficient) in &self.terms {
            let left = ((coefficient % number) + number) % number;
            if left == BigInt::ZERO {
                quotient.add_term(monomial.clone(), coefficient / number);
            } else if monomial.is_empty() {
                quotient.add_term(monomial.clone(), (coefficient - &left) / number);
                rest.add_term(monomial.clone(), left);
            } else {
                rest.add_term(monomial.clone(), coefficient.clone());
            }
        }
        (quotient, rest)
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: BigInt) {
        if coefficient == BigInt::ZERO {
            return;
        }
        let sum = self.terms.get(&monomial).map_or_else(|| coefficient.clone(), |known| known + &coefficient);
        if sum == BigInt::ZERO {
            self.terms.remove(&monomial);
        } else {
            self.terms.insert(monomial, sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(x + 2)(x - 2) = x² - 4`, and terms that cancel disappear.
    #[test]
    fn products_are_normal_forms() {
        let number = |value: i32| Polynomial::constant(value.into());
        let x = Polynomial::atom(7);
        let product = x.plus(&number(2)).times(&x.minus(&number(2)));
        assert_eq!(product, x.times(&x).minus(&number(4)));
        assert_eq!(product.minus(&product).as_constant(), Some(BigInt::ZERO));
        let (y, w) = (Polynomial::atom(1), Polynomial::atom(2));
        assert_eq!(y.times(&w), w.times(&y));
        assert_eq!(y.plus(&x).times(&w), w.times(&x).plus(&w.times(&y)));
    }

    /// The divisor times the quotient, plus the remainder, is the polynomial again.
    #[test]
    fn quotient_and_rest_make_the_whole() {
        let number = |value: i32| Polynomial::constant(value.into());
        let (x, y, w) = (Polynomial::atom(1), Polynomial::atom(2), Polynomial::atom(3));
        // (x w + y - 1) w + 3 x - 5
        let whole = x.times(&w).plus(&y).minus(&number(1)).times(&w).plus(&x.scaled(&3.into())).minus(&number(5));
        let (quotient, rest) = whole.divided_by(3);
        assert_eq!(quotient, x.times(&w).plus(&y).minus(&number(1)));
        assert_eq!(quotient.times(&w).plus(&rest), whole);
        let sum = x.scaled(&12.into()).plus(&y).minus(&number(5));
        let (quotient, rest) = sum.divided_by_number(&4.into());
        assert_eq!(quotient, x.scaled(&3.into()).minus(&number(2)));
        assert_eq!(rest, y.plus(&number(3)));
    }
}
