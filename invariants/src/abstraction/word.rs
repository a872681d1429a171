//! The domain of bit-vectors of at most 64 bits: unsigned bounds, signed bounds, and known bits.
//!
//! The three domains exchange facts whenever a word is made ([`Word::new`]). A number between 4 and
//! 7 begins with the bits `1`. A number whose sign bit is 0 is the same read either way. A multiple
//! of 4 that is at least 5 is at least 8. Congruences modulo powers of two are known low bits:
//! unlike other facts, they survive a sum that wraps around.
//!
//! There is no empty word: an impossible set is `None`.

use lockstep_ir::bits::Bits;
pub use lockstep_ir::word::{mask, sign_extended, signed_limits, truncated};

/// A set of bit-vectors of one width, from 1 to 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    width: u32,
    /// The unsigned bounds, inclusive.
    unsigned: (u64, u64),
    /// The signed bounds, inclusive.
    signed: (i64, i64),
    /// The bits that are 0.
    zeros: u64,
    /// The bits that are 1.
    ones: u64,
}

impl Word {
    /// All numbers of a width.
    pub fn any(width: u32) -> Self {
        Self { width, unsigned: (0, mask(width)), signed: signed_limits(width), zeros: 0, ones: 0 }
    }

    /// One number, given by its lowest bits.
    pub fn exactly(width: u32, value: u64) -> Self {
        let value = value & mask(width);
        let signed = sign_extended(value, width);
        Self { width, unsigned: (value, value), signed: (signed, signed), zeros: !value & mask(width), ones: value }
    }

    /// A constant of at most 64 bits.
    pub fn constant(bits: &Bits) -> Option<Self> {
        (bits.width() <= 64).then_some(())?;
        Some(Self::exactly(bits.width(), bits.to_u64()?))
    }

    /// The numbers between two unsigned ones, inclusive.
    pub fn between(width: u32, low: u64, high: u64) -> Option<Self> {
        Self { unsigned: (low, high.min(mask(width))), ..Self::any(width) }.reduced()
    }

    /// The numbers between two signed ones, inclusive.
    pub fn between_signed(width: u32, low: i64, high: i64) -> Option<Self> {
        let (least, most) = signed_limits(width);
        Self { signed: (low.max(least), high.min(most)), ..Self::any(width) }.reduced()
    }

    /// The numbers with these bits 0 and those 1.
    pub fn with_bits(width: u32, zeros: u64, ones: u64) -> Option<Self> {
        Self { zeros: zeros & mask(width), ones: ones & mask(width), ..Self::any(width) }.reduced()
    }

    /// Its width in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned bounds, inclusive.
    pub fn unsigned(&self) -> (u64, u64) {
        self.unsigned
    }

    /// The signed bounds, inclusive.
    pub fn signed(&self) -> (i64, i64) {
        self.signed
    }

    /// The bits that are 0.
    pub fn zeros(&self) -> u64 {
        self.zeros
    }

    /// The bits that are 1.
    pub fn ones(&self) -> u64 {
        self.ones
    }

    /// The number of consecutive known bits from the lowest on.
    pub fn known_low_bits(&self) -> u32 {
        (self.zeros | self.ones).trailing_ones().min(self.width)
    }

    /// The only number of the set, if there is exactly one.
    pub fn as_constant(&self) -> Option<u64> {
        (self.unsigned.0 == self.unsigned.1).then_some(self.unsigned.0)
    }

    /// Whether the set contains all numbers of the width.
    #[cfg(test)]
    pub fn is_any(&self) -> bool {
        *self == Self::any(self.width)
    }

    /// Whether the set contains the number with these lowest bits.
    #[cfg(test)]
    pub fn contains(&self, value: u64) -> bool {
        let value = value & mask(self.width);
        let signed = sign_extended(value, self.width);
        (self.unsigned.0..=self.unsigned.1).contains(&value)
            && (self.signed.0..=self.signed.1).contains(&signed)
            && value & self.zeros == 0
            && value & self.ones == self.ones
    }

    /// Whether every number of this set is in the other, as far as each domain by itself shows.
    #[cfg(test)]
    pub fn is_within(&self, other: &Self) -> bool {
        other.unsigned.0 <= self.unsigned.0
            && self.unsigned.1 <= other.unsigned.1
            && other.signed.0 <= self.signed.0
            && self.signed.1 <= other.signed.1
            && other.zeros & !self.zeros == 0
            && other.ones & !self.ones == 0
    }

    /// The intersection.
    pub fn and(&self, other: &Self) -> Option<Self> {
        Self {
            width: self.width,
            unsigned: (self.unsigned.0.max(other.unsigned.0), self.unsigned.1.min(other.unsigned.1)),
            signed: (self.signed.0.max(other.signed.0), self.signed.1.min(other.signed.1)),
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
        }
        .reduced()
    }

    /// The union, over-approximated.
    pub fn or(&self, other: &Self) -> Self {
        Self {
            width: self.width,
            unsigned: (self.unsigned.0.min(other.unsigned.0), self.unsigned.1.max(other.unsigned.1)),
            signed: (self.signed.0.min(other.signed.0), self.signed.1.max(other.signed.1)),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
        }
    }

    /// The widened union. A bound of `next` that exceeds this set's moves to the nearest of
    /// `thresholds` (ascending), or is dropped.
    pub fn widened(&self, next: &Self, thresholds: &[u64]) -> Self {
        let joined = self.or(next);
        let width = self.width;
        let signed = |threshold: &u64| sign_extended(*threshold, width);
        let (least, most) = signed_limits(width);
        let low = joined.unsigned.0;
        let high = joined.unsigned.1;
        let (signed_low, signed_high) = joined.signed;
        Self {
            unsigned: (
                if low < self.unsigned.0 {
                    thresholds.iter().copied().filter(|&t| t <= low).max().unwrap_or(0)
                } else {
                    low
                },
                if high > self.unsigned.1 {
                    thresholds.iter().copied().filter(|&t| t >= high).min().unwrap_or(mask(width))
                } else {
                    high
                },
            ),
            signed: (
                if signed_low < self.signed.0 {
                    thresholds.iter().map(signed).filter(|&t| t <= signed_low).max().unwrap_or(least)
                } else {
                    signed_low
                },
                if signed_high > self.signed.1 {
                    thresholds.iter().map(signed).filter(|&t| t >= signed_high).min().unwrap_or(most)
                } else {
                    signed_high
                },
            ),
            ..joined
        }
    }

    /// Exchanges facts between the domains; `None` if they contradict each other.
    fn reduced(mut self) -> Option<Self> {
        loop {
            let before = self;
            self.bounds_from_bits()?;
            self.bits_from_bounds();
            self.exchange_signs();
            let contradiction =
                self.unsigned.0 > self.unsigned.1 || self.signed.0 > self.signed.1 || self.zeros & self.ones != 0;
            if contradiction {
                return None;
            }
            if self == before {
                return Some(self);
            }
        }
    }

    fn bounds_from_bits(&mut self) -> Option<()> {
        let (low, high) = &mut self.unsigned;
        *low = (*low).max(self.ones);
        *high = (*high).min(mask(self.width) & !self.zeros);
        // The nearest numbers whose low bits are the known ones.
        let known = (self.zeros | self.ones).trailing_ones().min(self.width);
        if known > 0 && known < self.width {
            let low_bits = mask(known);
            let residue = self.ones & low_bits;
            *low = low.checked_add(residue.wrapping_sub(*low) & low_bits)?;
            *high = high.checked_sub(high.wrapping_sub(residue) & low_bits)?;
        }
        (*low <= *high).then_some(())
    }

    /// Derives bits from bounds: the leading bits that both bounds share are those of all numbers
    /// in between.
    fn bits_from_bounds(&mut self) {
        let (low, high) = self.unsigned;
        let different = low ^ high;
        let open = if different == 0 { 0 } else { u64::MAX >> different.leading_zeros() };
        let known = mask(self.width) & !open;
        self.ones |= low & known;
        self.zeros |= !low & known;
    }

    fn exchange_signs(&mut self) {
        let width = self.width;
        let half = 1_u64 << (width - 1);
        let (low, high) = self.unsigned;
        if (low < half) == (high < half) {
            let (least, most) = (sign_extended(low, width), sign_extended(high, width));
            self.signed = (self.signed.0.max(least), self.signed.1.min(most));
        }
        if self.zeros & half != 0 {
            self.signed.0 = self.signed.0.max(0);
        }
        let (least, most) = self.signed;
        if (least < 0) == (most < 0) && least <= most {
            let (low, high) = (truncated(least, width), truncated(most, width));
            self.unsigned = (self.unsigned.0.max(low), self.unsigned.1.min(high));
        }
    }
}
