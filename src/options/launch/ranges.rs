//! Ranges of the numbers that the host passes to a launch.
//!
//! `if (n < 1 || n > 512) return;` and `for (j = 32; j <= 1024; j *= 2)` in the host's code say
//! which numbers a kernel gets, without a value or an equation. A range is an interval, with a
//! remainder that the number leaves, and whether it is a power of two.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, CompareOp};

use super::relations::{Relation, Term};

/// The greatest size of a launch in a dimension.
const LARGEST_SIZE: i128 = (1 << 31) - 2;

/// The numbers that a value may be.
///
/// All conditions hold together. Numbers are those of the value as a signed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostRange {
    /// The least number.
    pub low: i128,
    /// The greatest number.
    pub high: i128,
    /// The number leaves [`HostRange::remainder`] when it is divided by this; 1 if nothing is
    /// known, 0 if it *is* the remainder.
    pub modulus: i128,
    /// From 0 to the modulus, exclusive.
    pub remainder: i128,
    /// Whether at most one bit of the value is set: it is 0 or a power of two.
    pub is_power: bool,
}

impl HostRange {
    /// All numbers of this width, of at most 64 bits.
    pub fn all(width: u32) -> Self {
        let half = 1_i128 << (width.clamp(1, 64) - 1);
        Self::between(-half, half - 1)
    }

    /// The numbers from `low` to `high`.
    pub fn between(low: i128, high: i128) -> Self {
        Self { low, high, modulus: 1, remainder: 0, is_power: false }
    }

    /// One number.
    pub fn exactly(number: i128) -> Self {
        Self {
            low: number,
            high: number,
            modulus: 0,
            remainder: number,
            is_power: number >= 0 && number.count_ones() <= 1,
        }
    }

    /// The number, if it is only one.
    pub fn number(&self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether no number is in the range.
    pub fn is_empty(&self) -> bool {
        self.low > self.high
    }

    /// Whether every number of this range is in another one.
    pub fn within(&self, other: &Self) -> bool {
        self.is_empty()
            || (other.low <= self.low
                && self.high <= other.high
                && (self.is_power || !other.is_power)
                && leaves(self, other.modulus, other.remainder))
    }

    /// The least range with the numbers of both.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        if self.is_empty() {
            return *other;
        }
        if other.is_empty() {
            return *self;
        }
        let modulus = gcd(gcd(self.modulus, other.modulus), self.remainder - other.remainder);
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            modulus,
            remainder: reduced(self.remainder, modulus),
            is_power: self.is_power && other.is_power,
        }
    }

    /// The numbers in both, or a few more.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        // The greater modulus says more.
        let says_more = other.modulus == 0 || self.modulus != 0 && other.modulus > self.modulus;
        let (modulus, remainder) =
            if says_more { (other.modulus, other.remainder) } else { (self.modulus, self.remainder) };
        Self {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            modulus,
            remainder,
            is_power: self.is_power || other.is_power,
        }
    }

    /// The lower and the upper bound, if they are worth naming: not the least and the greatest
    /// number of this width, or the next.
    fn bounds(&self, width: u32) -> (Option<i128>, Option<i128>) {
        let all = Self::all(width);
        ((self.low > all.low + 1).then_some(self.low), (self.high < all.high - 1).then_some(self.high))
    }

    /// Whether the range says more of a number than its type does, and than every launch.
    pub fn says_something_of(&self, number: &Term) -> bool {
        let all = Self::all(number.width());
        let known = number.restrict(Self::between(all.low + 1, all.high - 1));
        !known.within(self)
    }

    /// The range in words, given the number: `n is from 1 to 512`.
    pub fn text(&self, number: &str, width: u32) -> String {
        if let Some(value) = self.number() {
            return format!("{number} is {value}");
        }
        let mut parts = Vec::new();
        match self.bounds(width) {
            (Some(low), Some(high)) => parts.push(format!("from {low} to {high}")),
            (Some(low), None) => parts.push(format!("at least {low}")),
            (None, Some(high)) => parts.push(format!("at most {high}")),
            (None, None) => {}
        }
        if self.modulus > 1 && self.remainder == 0 {
            parts.push(format!("a multiple of {}", self.modulus));
        } else if self.modulus > 1 {
            parts.push(format!("{} more than a multiple of {}", self.remainder, self.modulus));
        }
        if self.is_power {
            parts.push(if self.low > 0 { "a power of two".to_owned() } else { "0 or a power of two".to_owned() });
        }
        format!("{number} is {}", parts.join(", and "))
    }

    /// The range as relations of a number of this width: as few as say it.
    pub fn relations(&self, number: &Term) -> Vec<Relation> {
        let width = number.width();
        let all = Self::all(width);
        let constant = |value: i128| Term::Constant(Bits::from_signed(width, value));
        let mut relations = Vec::new();
        let mut relate = |op, left, right| relations.push(Relation { op, left, right });
        if let Some(value) = self.number() {
            relate(CompareOp::Equal, number.clone(), constant(value));
            return relations;
        }
        let (low, high) = self.bounds(width);
        if let Some(low) = low {
            relate(CompareOp::SignedLessEqual, constant(low), number.clone());
        }
        if let Some(high) = high {
            relate(CompareOp::SignedLessEqual, number.clone(), constant(high));
        }
        let divides_all = |modulus: i128| modulus.count_ones() == 1;
        if self.modulus > 1 && self.modulus <= all.high && (self.low >= 0 || divides_all(self.modulus)) {
            let rest = binary(BinaryOp::UnsignedRemainder, number.clone(), constant(self.modulus));
            relate(CompareOp::Equal, rest, constant(self.remainder));
        }
        if self.is_power {
            let below = binary(BinaryOp::Subtract, number.clone(), constant(1));
            relate(CompareOp::Equal, binary(BinaryOp::And, number.clone(), below), constant(0));
        }
        relations
    }
}

impl Term {
    /// The numbers of a range that every launch allows.
    #[must_use]
    pub fn restrict(&self, range: HostRange) -> HostRange {
        match self {
            Self::Groups(_) | Self::Threads(_) => {
                HostRange { low: range.low.max(1), high: range.high.min(LARGEST_SIZE), ..range }
            }
            Self::Argument { .. }
            | Self::Host { .. }
            | Self::Constant(_)
            | Self::Binary(..)
            | Self::Convert(..)
            | Self::Choice(..) => range,
        }
    }
}

fn binary(op: BinaryOp, a: Term, b: Term) -> Term {
    Term::Binary(op, Box::new([a, b]))
}

/// Whether every number of a range leaves this remainder.
fn leaves(range: &HostRange, modulus: i128, remainder: i128) -> bool {
    match (range.modulus, modulus) {
        (_, 1) => true,
        (0, 0) => range.remainder == remainder,
        (_, 0) => false,
        (of_range, modulus) => of_range % modulus == 0 && reduced(range.remainder, modulus) == remainder,
    }
}

/// A number divided by a modulus; the number itself if the modulus is 0.
fn reduced(number: i128, modulus: i128) -> i128 {
    if modulus == 0 { number } else { number.rem_euclid(modulus) }
}

/// The greatest common divisor; that of 0 and a number is the number.
pub fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::super::relations::Names;
    use super::*;

    fn text(range: HostRange) -> Vec<String> {
        let n = Term::Argument { index: 0, width: 32 };
        range
            .relations(&n)
            .iter()
            .map(|relation| relation.text(&Names { argument: &|_| "n".to_owned(), host: &[] }))
            .collect()
    }

    #[test]
    fn ranges_read_as_conditions() {
        assert_eq!(text(HostRange::between(1, 512)), ["n >= 1", "n <= 512"]);
        assert_eq!(HostRange::between(1, 512).text("n", 32), "n is from 1 to 512");
        assert_eq!(text(HostRange::exactly(7)), ["n is 7"]);
        assert!(text(HostRange::all(32)).is_empty());
        let multiple = HostRange { modulus: 16, ..HostRange::between(0, i128::from(i32::MAX)) };
        assert_eq!(text(multiple), ["n >= 0", "n % 16 is 0"]);
        let power = HostRange { is_power: true, ..HostRange::between(32, 1024) };
        assert_eq!(text(power), ["n >= 32", "n <= 1024", "n & (n - 1) is 0"]);
        assert_eq!(power.text("n", 32), "n is from 32 to 1024, and a power of two");
        assert_eq!(multiple.text("n", 32), "n is at least 0, and a multiple of 16");
    }

    #[test]
    fn a_hull_has_all_numbers_of_both() {
        let hull = HostRange::exactly(8).or(&HostRange::exactly(32));
        assert_eq!((hull.low, hull.high, hull.modulus, hull.remainder, hull.is_power), (8, 32, 24, 8, true));
        let hull = hull.or(&HostRange::exactly(12));
        assert_eq!((hull.modulus, hull.remainder, hull.is_power), (4, 0, false));
        for number in [8, 32, 12] {
            assert!(HostRange::exactly(number).within(&hull), "{number}");
        }
        assert!(!HostRange::exactly(13).within(&hull));
        assert!(!HostRange::between(8, 12).within(&hull));
    }

    #[test]
    fn an_intersection_keeps_what_both_have() {
        let multiple = HostRange { modulus: 4, ..HostRange::between(0, 100) };
        let both = multiple.and(&HostRange { is_power: true, ..HostRange::between(10, 200) });
        assert_eq!((both.low, both.high, both.modulus, both.is_power), (10, 100, 4, true));
    }
}
