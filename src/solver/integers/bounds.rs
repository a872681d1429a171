//! Bounds of the integers, learnt from the assertions of a query and from the parts of sums and
//! products.
//!
//! The better the bounds, the fewer numbers have to be brought into range. All bounds hold in every
//! state in which the query's parts hold.

use lockstep_ir::polynomial::Polynomial;
use lockstep_ir::sequential::{CompareOp, Expression, Expressions};
use num_bigint::BigInt;

use super::{Integers, Sign, Word, at, bounds, number, power, sign_of};

/// The most sums and products that are looked for in others.
const MOST_BOUNDED: usize = 40;

impl Integers {
    /// Narrows the bounds of two numbers, one of which is known to be less than the other.
    pub(super) fn learn(&mut self, e: &Expressions, op: CompareOp, a: Expression, b: Expression) {
        let sign = sign_of(op);
        let width = e.width(a);
        let (least, most) = bounds(width, sign);
        let [first, second] = [a, b].map(|side| {
            let word = &self.words[&side];
            let inside = least <= word.low && word.high <= most;
            if inside { (word.low.clone(), word.high.clone()) } else { (least.clone(), most.clone()) }
        });
        let step = match op {
            CompareOp::UnsignedLess | CompareOp::SignedLess => 1,
            CompareOp::UnsignedLessEqual | CompareOp::SignedLessEqual => 0,
        };
        for (side, low, high) in [(a, least.clone(), second.1 - step), (b, first.0 + step, most.clone())] {
            let word = self.words[&side].clone();
            let word = self.narrowed(word, width, low, high);
            self.words.insert(side, word);
        }
    }

    /// Adds better bounds for a number. It is congruent to its expression, read as a signed and as
    /// an unsigned number.
    pub(super) fn known_better(&mut self, e: &Expressions, expression: Expression, word: Word) -> Word {
        let Some(known) = self.ranges.word(e, expression) else { return word };
        let ((low, high), (least, most)) = (known.signed(), known.unsigned());
        let word = self.narrowed(word, known.width(), low.into(), high.into());
        self.narrowed(word, known.width(), least.into(), most.into())
    }

    /// The bounds of a bit-vector read with this sign, as far as the query determines them.
    pub(super) fn read(&mut self, e: &Expressions, expression: Expression, sign: Sign) -> Option<(BigInt, BigInt)> {
        let known = self.ranges.word(e, expression)?;
        Some(match sign {
            Sign::Signed => (known.signed().0.into(), known.signed().1.into()),
            Sign::Unsigned => (known.unsigned().0.into(), known.unsigned().1.into()),
        })
    }

    /// Narrows the bounds of a number that is congruent to one between `low` and `high`. The number
    /// lies between them itself if, within its bounds, no other number is congruent to one of
    /// those.
    pub(super) fn narrowed(&mut self, word: Word, width: u32, low: BigInt, high: BigInt) -> Word {
        let modulus = power(width);
        if word.low <= &high - &modulus || word.high >= &low + &modulus {
            return word;
        }
        let narrowed = Word { value: word.value, low: word.low.clone().max(low), high: word.high.clone().min(high) };
        let (rises, falls) = (narrowed.low > word.low, narrowed.high < word.high);
        if rises || falls {
            // These bounds may come from a comparison whose translation they simplify, so the
            // comparison alone would no longer state them.
            let term = self.term(&narrowed);
            self.definitions.extend(rises.then(|| term.ge(number(&narrowed.low))));
            self.definitions.extend(falls.then(|| term.le(number(&narrowed.high))));
            self.remember(&narrowed);
        }
        narrowed
    }

    /// Records the bounds of a sum or product that do not follow from those of its parts.
    pub(super) fn remember(&mut self, word: &Word) {
        if word.value.is_linear() || self.bounded.len() >= MOST_BOUNDED {
            return;
        }
        match self.bounded.iter_mut().find(|(known, ..)| *known == word.value) {
            Some((_, low, high)) => {
                *low = word.low.clone().max(low.clone());
                *high = word.high.clone().min(high.clone());
            }
            None => self.bounded.push((word.value.clone(), word.low.clone(), word.high.clone())),
        }
    }

    /// Bounds from those of the atoms.
    pub(super) fn bounds_of_parts(&self, value: &Polynomial) -> (BigInt, BigInt) {
        let (mut low, mut high) = (BigInt::ZERO, BigInt::ZERO);
        for (monomial, coefficient) in value.terms() {
            let (mut least, mut most) = (coefficient.clone(), coefficient.clone());
            for &atom in monomial {
                let (_, low, high) = &self.atoms[at(atom)];
                let corners = [&least * low, &least * high, &most * low, &most * high];
                least.clone_from(corners.iter().min().expect("four corners"));
                most = corners.into_iter().max().expect("four corners");
            }
            low += least;
            high += most;
        }
        (low, high)
    }

    /// A word with the best bounds: its own, or those of a part with better known bounds plus those
    /// of the rest.
    pub(super) fn refined(&mut self, mut word: Word) -> Word {
        if word.value.is_linear() {
            return word;
        }
        for (known, low, high) in &self.bounded {
            let rest = word.value.minus(known);
            if rest.len() < word.value.len() {
                let (least, most) = self.bounds_of_parts(&rest);
                word.low = word.low.max(low + least);
                word.high = word.high.min(high + most);
            }
        }
        word
    }
}
