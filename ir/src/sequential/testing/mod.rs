//! Programs and expressions for the tests of this folder: a sample, and random ones.

mod programs;
mod sample;
mod trees;

use super::Sort;
use crate::bits::Bits;

pub use programs::random_program;
#[cfg(test)]
pub(super) use sample::sample;
pub(super) use sample::trivial;
pub(super) use trees::Trees;

/// Pseudo-random numbers (splitmix64), so that a failing seed can be named.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, bound: u32) -> u32 {
        u32::try_from(self.next() % u64::from(bound)).expect("below a u32")
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[usize::try_from(self.next() % 0x1_0000).expect("16 bits fit") % from.len()]
    }

    pub(super) fn sort(&mut self) -> Sort {
        match self.below(8) {
            0..3 => Sort::Boolean,
            7 => *self.pick(&MAPS),
            _ => Sort::Bits(*self.pick(&WIDTHS)),
        }
    }

    /// Constants that trigger rules, and some that trigger none.
    pub(super) fn bits(&mut self, width: u32) -> Bits {
        match self.below(6) {
            0 => Bits::zero(width),
            1 => Bits::one(width),
            2 => Bits::ones(width),
            3 => Bits::one(width).shl(&Bits::new(width, self.below(width))),
            4 => Bits::from_signed(width, i64::from(self.below(9)) - 4),
            _ => Bits::new(width, self.next()),
        }
    }
}

pub(super) const WIDTHS: [u32; 5] = [1, 3, 8, 32, 64];
const MAPS: [Sort; 2] = [Sort::Map { index: 3, element: 8 }, Sort::Map { index: 1, element: 3 }];
