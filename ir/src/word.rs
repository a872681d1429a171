//! Arithmetic on words: bit-vectors of 1 to 64 bits in a `u64` whose other bits are zeros.
//!
//! It gives the results of [`Bits`](crate::bits::Bits), which has any width, and is much faster.

use crate::kernel::{BinaryOp, CompareOp};

/// The mask with all bits of a width set.
#[inline]
pub fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The smallest and the greatest signed number of a width.
#[inline]
pub fn signed_limits(width: u32) -> (i64, i64) {
    (i64::MIN >> (64 - width), i64::MAX >> (64 - width))
}

/// The signed number that the lowest bits of a 64-bit number represent.
#[inline]
#[expect(clippy::cast_possible_wrap, reason = "the same bits, read as a signed number")]
pub fn sign_extended(value: u64, width: u32) -> i64 {
    ((value << (64 - width)) as i64) >> (64 - width)
}

/// The lowest bits of a number.
#[inline]
#[expect(clippy::cast_sign_loss, reason = "the same bits, read as an unsigned number")]
pub fn truncated(value: i64, width: u32) -> u64 {
    (value as u64) & mask(width)
}

impl BinaryOp {
    /// The result on words of this width, as [`BinaryOp::fold`] defines it.
    #[inline]
    pub fn of_words(self, width: u32, a: u64, b: u64) -> u64 {
        let signed = |value: u64| sign_extended(value, width);
        let is_near = b < width.into();
        let result = match self {
            Self::Add => a.wrapping_add(b),
            Self::Subtract => a.wrapping_sub(b),
            Self::Multiply => a.wrapping_mul(b),
            Self::UnsignedDivide => a.checked_div(b).unwrap_or(u64::MAX),
            Self::UnsignedRemainder => a.checked_rem(b).unwrap_or(a),
            Self::SignedDivide => match (signed(a), signed(b)) {
                (x, 0) => return truncated(if x < 0 { 1 } else { -1 }, width),
                (x, y) => return truncated(x.wrapping_div(y), width),
            },
            Self::SignedRemainder => match (signed(a), signed(b)) {
                (_, 0) => a,
                (x, y) => return truncated(x.wrapping_rem(y), width),
            },
            Self::ShiftLeft if is_near => a << b,
            Self::LogicalShiftRight if is_near => a >> b,
            Self::ShiftLeft | Self::LogicalShiftRight => 0,
            Self::ArithmeticShiftRight => return truncated(signed(a) >> b.min(u64::from(width) - 1), width),
            Self::And => a & b,
            Self::Or => a | b,
            Self::Xor => a ^ b,
        };
        result & mask(width)
    }
}

impl CompareOp {
    /// The result on words of this width, as [`CompareOp::fold`] defines it.
    #[inline]
    pub fn of_words(self, width: u32, a: u64, b: u64) -> bool {
        let signed = |value: u64| sign_extended(value, width);
        match self {
            Self::Equal => a == b,
            Self::NotEqual => a != b,
            Self::UnsignedLess => a < b,
            Self::UnsignedLessEqual => a <= b,
            Self::SignedLess => signed(a) < signed(b),
            Self::SignedLessEqual => signed(a) <= signed(b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Bits;

    /// Numbers at the edges of a width, and some between them.
    fn numbers(width: u32) -> Vec<u64> {
        let half = 1 << (width - 1);
        let edges = [0, 1, 2, 3, 7, width.into(), u64::from(width) - 1, half, half - 1, half + 1, mask(width), 0x5A5A];
        edges.into_iter().map(|number| number & mask(width)).collect()
    }

    #[test]
    fn words_have_the_results_of_bit_vectors() {
        for width in [1, 2, 3, 8, 31, 32, 33, 63, 64] {
            for (a, b) in numbers(width).into_iter().flat_map(|a| numbers(width).into_iter().map(move |b| (a, b))) {
                let (wide_a, wide_b) = (Bits::new(width, a), Bits::new(width, b));
                for &op in BinaryOp::ALL {
                    let expected = op.fold(&wide_a, &wide_b).to_u64();
                    assert_eq!(Some(op.of_words(width, a, b)), expected, "{op:?} of {width} bits: {a}, {b}");
                }
                for &op in CompareOp::ALL {
                    let expected = op.fold(&wide_a, &wide_b);
                    assert_eq!(op.of_words(width, a, b), expected, "{op:?} of {width} bits: {a}, {b}");
                }
            }
        }
    }
}
