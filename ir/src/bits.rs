//! Constant bit-vectors of any width, with the arithmetic of SMT-LIB's `FixedSizeBitVectors`.

use std::fmt;

use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

/// A bit-vector constant: `width` bits, the value read as unsigned below `2^width`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    width: u32,
    value: BigUint,
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}bv{}", self.value, self.width)
    }
}

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Bits {
    /// `value mod 2^width`. `width` is at least 1.
    pub fn new(width: u32, value: impl Into<BigUint>) -> Self {
        assert!(width > 0, "a bit-vector has at least one bit");
        let mut value = value.into();
        if value.bits() > u64::from(width) {
            value &= mask(width);
        }
        Self { width, value }
    }

    /// `value` in two's complement, truncated or sign-extended to `width` bits.
    pub fn from_signed(width: u32, value: impl Into<BigInt>) -> Self {
        let modulus = BigInt::one() << width;
        let value: BigInt = value.into();
        let reduced = ((value % &modulus) + &modulus) % &modulus;
        Self::new(width, reduced.to_biguint().expect("reduced modulo a positive number"))
    }

    /// All bits zero.
    pub fn zero(width: u32) -> Self {
        Self::new(width, 0u32)
    }

    /// The number one.
    pub fn one(width: u32) -> Self {
        Self::new(width, 1u32)
    }

    /// All bits one.
    pub fn ones(width: u32) -> Self {
        Self::new(width, mask(width))
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value read as unsigned.
    pub fn unsigned(&self) -> &BigUint {
        &self.value
    }

    /// The value read in two's complement.
    pub fn signed(&self) -> BigInt {
        let value = BigInt::from(self.value.clone());
        if self.sign() { value - (BigInt::one() << self.width) } else { value }
    }

    /// The unsigned value, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.value.to_u64()
    }

    /// The two's complement value, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        self.signed().to_i64()
    }

    /// The top bit.
    pub fn sign(&self) -> bool {
        self.value.bit(u64::from(self.width) - 1)
    }

    /// Whether every bit is zero.
    pub fn is_zero(&self) -> bool {
        self.value.is_zero()
    }

    /// Whether the value is one.
    pub fn is_one(&self) -> bool {
        self.value.is_one()
    }

    /// Whether every bit is one.
    pub fn is_ones(&self) -> bool {
        self.value == mask(self.width)
    }

    /// The number of bits needed to write the value as an unsigned number.
    pub fn significant(&self) -> u32 {
        u32::try_from(self.value.bits()).expect("at most the width")
    }

    /// `Some(k)` if the value is `2^k`.
    pub fn power_of_two(&self) -> Option<u32> {
        let trailing = self.value.trailing_zeros()?;
        (BigUint::one() << trailing == self.value).then(|| u32::try_from(trailing).expect("below the width"))
    }

    /// `bvadd`.
    pub fn add(&self, other: &Self) -> Self {
        Self::new(self.width, &self.value + &other.value)
    }

    /// `bvsub`.
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }

    /// `bvneg`.
    pub fn neg(&self) -> Self {
        Self::new(self.width, (BigUint::one() << self.width) - &self.value)
    }

    /// `bvmul`.
    pub fn mul(&self, other: &Self) -> Self {
        Self::new(self.width, &self.value * &other.value)
    }

    /// `bvudiv`: all ones when dividing by zero.
    pub fn udiv(&self, other: &Self) -> Self {
        if other.is_zero() {
            return Self::ones(self.width);
        }
        Self::new(self.width, &self.value / &other.value)
    }

    /// `bvurem`: the dividend when dividing by zero.
    pub fn urem(&self, other: &Self) -> Self {
        if other.is_zero() {
            return self.clone();
        }
        Self::new(self.width, &self.value % &other.value)
    }

    /// `bvsdiv`: rounds towards zero; 1 or -1 when dividing by zero.
    pub fn sdiv(&self, other: &Self) -> Self {
        if other.is_zero() {
            return if self.sign() { Self::one(self.width) } else { Self::ones(self.width) };
        }
        Self::from_signed(self.width, self.signed() / other.signed())
    }

    /// `bvsrem`: the sign of the dividend; the dividend when dividing by zero.
    pub fn srem(&self, other: &Self) -> Self {
        if other.is_zero() {
            return self.clone();
        }
        Self::from_signed(self.width, self.signed() % other.signed())
    }

    /// `bvshl`: zero when shifting by the width or more.
    pub fn shl(&self, other: &Self) -> Self {
        match self.shift_amount(other) {
            Some(amount) => Self::new(self.width, &self.value << amount),
            None => Self::zero(self.width),
        }
    }

    /// `bvlshr`: zero when shifting by the width or more.
    pub fn lshr(&self, other: &Self) -> Self {
        match self.shift_amount(other) {
            Some(amount) => Self::new(self.width, &self.value >> amount),
            None => Self::zero(self.width),
        }
    }

    /// `bvashr`: all sign bits when shifting by the width or more.
    pub fn ashr(&self, other: &Self) -> Self {
        match self.shift_amount(other) {
            Some(amount) => Self::from_signed(self.width, self.signed() >> amount),
            None if self.sign() => Self::ones(self.width),
            None => Self::zero(self.width),
        }
    }

    /// `bvand`.
    pub fn and(&self, other: &Self) -> Self {
        Self::new(self.width, &self.value & &other.value)
    }

    /// `bvor`.
    pub fn or(&self, other: &Self) -> Self {
        Self::new(self.width, &self.value | &other.value)
    }

    /// `bvxor`.
    pub fn xor(&self, other: &Self) -> Self {
        Self::new(self.width, &self.value ^ &other.value)
    }

    /// `bvnot`.
    pub fn not(&self) -> Self {
        Self::new(self.width, &self.value ^ mask(self.width))
    }

    /// The bits `low..=high` as a vector of `high - low + 1` bits.
    pub fn extract(&self, high: u32, low: u32) -> Self {
        assert!(low <= high && high < self.width, "extract out of range");
        Self::new(high - low + 1, &self.value >> low)
    }

    /// `self` as the high bits, `low` as the low bits.
    pub fn concat(&self, low: &Self) -> Self {
        Self::new(self.width + low.width, (&self.value << low.width) | &low.value)
    }

    /// Zero-extended to `width` bits in all.
    pub fn zero_extend(&self, width: u32) -> Self {
        Self::new(width, self.value.clone())
    }

    /// Sign-extended to `width` bits in all.
    pub fn sign_extend(&self, width: u32) -> Self {
        Self::from_signed(width, self.signed())
    }

    fn shift_amount(&self, amount: &Self) -> Option<u32> {
        amount.value.to_u32().filter(|&amount| amount < self.width)
    }
}

fn mask(width: u32) -> BigUint {
    (BigUint::one() << width) - BigUint::one()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(width: u32) -> impl Iterator<Item = Bits> {
        (0..1u32 << width).map(move |value| Bits::new(width, value))
    }

    #[test]
    fn signed_operations_agree_with_the_machine_on_bytes() {
        for a in all(8) {
            for b in all(8) {
                let (x, y) = (a.to_i64().unwrap(), b.to_i64().unwrap());
                assert_eq!(a.add(&b), Bits::from_signed(8, x + y));
                assert_eq!(a.sub(&b), Bits::from_signed(8, x - y));
                assert_eq!(a.mul(&b), Bits::from_signed(8, x * y));
                if y != 0 {
                    assert_eq!(a.sdiv(&b), Bits::from_signed(8, x / y));
                    assert_eq!(a.srem(&b), Bits::from_signed(8, x % y));
                }
            }
        }
    }

    #[test]
    fn division_by_zero_is_what_smt_lib_says() {
        for a in all(4) {
            let zero = Bits::zero(4);
            assert!(a.udiv(&zero).is_ones());
            assert_eq!(a.urem(&zero), a);
            assert_eq!(a.srem(&zero), a);
            let quotient = a.sdiv(&zero);
            assert!(if a.sign() { quotient.is_one() } else { quotient.is_ones() });
        }
    }

    #[test]
    fn shifts_past_the_width_saturate() {
        let a = Bits::new(8, 0x81u32);
        for amount in [8u32, 9, 200] {
            let amount = Bits::new(8, amount);
            assert!(a.shl(&amount).is_zero());
            assert!(a.lshr(&amount).is_zero());
            assert!(a.ashr(&amount).is_ones());
        }
        assert_eq!(a.ashr(&Bits::one(8)), Bits::new(8, 0xC0u32));
    }

    #[test]
    fn extract_undoes_concat() {
        let (high, low) = (Bits::new(5, 19u32), Bits::new(3, 6u32));
        let both = high.concat(&low);
        assert_eq!(both.extract(7, 3), high);
        assert_eq!(both.extract(2, 0), low);
    }

    #[test]
    fn powers_of_two() {
        assert_eq!(Bits::new(128, 1u32).shl(&Bits::new(128, 100u32)).power_of_two(), Some(100));
        assert_eq!(Bits::new(8, 6u32).power_of_two(), None);
        assert_eq!(Bits::zero(8).power_of_two(), None);
    }
}
