//! Abstract operations of the sequential program: facts about results, from facts about operands.
//!
//! Each function's result contains the concrete result for all concrete operands that its operands
//! contain, wrapped around or not; the tests try random ones. A sum or product is computed over the
//! integers, from the operands read as unsigned and as signed numbers. If the result lies between
//! two neighbouring multiples of `2^width`, its bounds are those of the integer minus the lower
//! multiple. Otherwise only the low bits are known.

use lockstep_ir::sequential::{BinaryOp, CompareOp};

use super::word::{Word, mask, sign_extended, signed_limits, truncated};

/// The words that remain of two operands under a condition: `None` if it does not hold for any of
/// their values.
pub type Both = Option<(Word, Word)>;

/// `constant + Σ coefficient · term`, modulo `2^width`.
pub fn sum(width: u32, constant: u64, terms: &[(u64, Word)]) -> Word {
    let as_signed = |number: u64| i128::from(sign_extended(number, width));
    let mut unsigned = Some((as_signed(constant), as_signed(constant)));
    let mut signed = unsigned;
    let (mut low_bits, mut known) = (constant, width);
    for (coefficient, term) in terms {
        let factor = as_signed(*coefficient);
        let (low, high) = term.unsigned();
        unsigned = plus_times(unsigned, factor, i128::from(low), i128::from(high));
        let (low, high) = term.signed();
        signed = plus_times(signed, factor, i128::from(low), i128::from(high));
        low_bits = low_bits.wrapping_add(coefficient.wrapping_mul(term.ones()));
        known = known.min(coefficient.trailing_zeros() + term.known_low_bits());
    }
    let word = low_part(width, low_bits, known.min(width));
    [unsigned, signed].into_iter().flatten().fold(word, |word, (low, high)| within(word, low, high))
}

fn plus_times(bounds: Option<(i128, i128)>, factor: i128, low: i128, high: i128) -> Option<(i128, i128)> {
    let (least, most) = bounds?;
    let (a, b) = (factor.checked_mul(low)?, factor.checked_mul(high)?);
    Some((least.checked_add(a.min(b))?, most.checked_add(a.max(b))?))
}

/// The numbers whose lowest `known` bits are those of `bits`.
fn low_part(width: u32, bits: u64, known: u32) -> Word {
    if known == 0 {
        return Word::any(width);
    }
    let known = mask(known);
    Word::with_bits(width, !bits & known, bits & known).expect("no bit is both")
}

/// The word, given that an integer between these bounds is congruent to it modulo `2^width`.
fn within(word: Word, low: i128, high: i128) -> Word {
    let width = word.width();
    let modulus = 1_i128 << width;
    let far = 1_i128 << 126;
    let mut word = word;
    if low < -far || high > far {
        return word;
    }
    let from_zero = (low.div_euclid(modulus), high.div_euclid(modulus));
    if from_zero.0 == from_zero.1 {
        let less = from_zero.0 * modulus;
        if let (Ok(low), Ok(high)) = (u64::try_from(low - less), u64::try_from(high - less))
            && let Some(bounds) = Word::between(width, low, high)
        {
            word = word.and(&bounds).unwrap_or(word);
        }
    }
    let half = modulus / 2;
    let from_half = ((low + half).div_euclid(modulus), (high + half).div_euclid(modulus));
    if from_half.0 == from_half.1 {
        let less = from_half.0 * modulus;
        if let (Ok(low), Ok(high)) = (i64::try_from(low - less), i64::try_from(high - less))
            && let Some(bounds) = Word::between_signed(width, low, high)
        {
            word = word.and(&bounds).unwrap_or(word);
        }
    }
    word
}

/// Bitwise complement.
pub fn complement(a: &Word) -> Word {
    let width = a.width();
    let all = mask(width);
    let bits = Word::with_bits(width, a.ones(), a.zeros());
    let unsigned = Word::between(width, all - a.unsigned().1, all - a.unsigned().0);
    let signed = Word::between_signed(width, !a.signed().1, !a.signed().0);
    together(width, [bits, unsigned, signed])
}

/// The intersection of several true descriptions.
fn together<const N: usize>(width: u32, all: [Option<Word>; N]) -> Word {
    all.into_iter().flatten().fold(Word::any(width), |word, other| word.and(&other).unwrap_or(word))
}

/// An operation on two words.
pub fn binary(op: BinaryOp, a: &Word, b: &Word) -> Word {
    match op {
        BinaryOp::Multiply => multiply(a, b),
        BinaryOp::UnsignedDivide => unsigned_divide(a, b),
        BinaryOp::SignedDivide => signed_divide(a, b),
        BinaryOp::UnsignedRemainder => unsigned_remainder(a, b),
        BinaryOp::SignedRemainder => signed_remainder(a, b),
        BinaryOp::ShiftLeft => shift_left(a, b),
        BinaryOp::LogicalShiftRight => logical_shift_right(a, b),
        BinaryOp::ArithmeticShiftRight => arithmetic_shift_right(a, b),
        BinaryOp::And => and(a, b),
        BinaryOp::Or => or(a, b),
        BinaryOp::Xor => xor(a, b),
    }
}

fn multiply(a: &Word, b: &Word) -> Word {
    let width = a.width();
    let zeros_below = |word: &Word| word.zeros().trailing_ones().min(width);
    let known = (a.known_low_bits() + zeros_below(b)).min(b.known_low_bits() + zeros_below(a)).min(width);
    let word = low_part(width, a.ones().wrapping_mul(b.ones()), known);
    let word = match i128::try_from(u128::from(a.unsigned().1) * u128::from(b.unsigned().1)) {
        Ok(most) => within(word, i128::from(a.unsigned().0) * i128::from(b.unsigned().0), most),
        Err(_) => word,
    };
    let corners =
        [a.signed().0, a.signed().1].map(|x| [b.signed().0, b.signed().1].map(|y| i128::from(x) * i128::from(y)));
    let corners = corners.as_flattened();
    match (corners.iter().min(), corners.iter().max()) {
        (Some(&low), Some(&high)) => within(word, low, high),
        _ => word,
    }
}

fn unsigned_divide(a: &Word, b: &Word) -> Word {
    // Division by zero gives all ones.
    if b.unsigned().0 == 0 {
        return Word::any(a.width());
    }
    let (low, high) = (a.unsigned().0 / b.unsigned().1, a.unsigned().1 / b.unsigned().0);
    together(a.width(), [Word::between(a.width(), low, high)])
}

fn signed_divide(a: &Word, b: &Word) -> Word {
    let width = a.width();
    let ((low, high), (least, most)) = (a.signed(), b.signed());
    if least <= 0 {
        return Word::any(width);
    }
    let corners = [low / least, low / most, high / least, high / most];
    let (low, high) = (corners.iter().min().copied(), corners.iter().max().copied());
    together(width, [low.zip(high).and_then(|(low, high)| Word::between_signed(width, low, high))])
}

fn unsigned_remainder(a: &Word, b: &Word) -> Word {
    let width = a.width();
    let ((_, high), (least, most)) = (a.unsigned(), b.unsigned());
    if least > high {
        return *a;
    }
    // The remainder by zero is the number itself, and no remainder is greater than the number.
    let high = if least == 0 { high } else { high.min(most - 1) };
    let bits = b
        .as_constant()
        .filter(|by| by.is_power_of_two())
        .map(|by| low_part(width, a.ones(), a.known_low_bits().min(by.trailing_zeros())));
    together(width, [Word::between(width, 0, high), bits])
}

fn signed_remainder(a: &Word, b: &Word) -> Word {
    let width = a.width();
    let ((low, high), (least, most)) = (a.signed(), b.signed());
    // The remainder lies between zero and the number. If the divisor is not zero, it is nearer to
    // zero than the divisor.
    let (mut low, mut high) = (i128::from(low.min(0)), i128::from(high.max(0)));
    if least > 0 || most < 0 {
        let size = i128::from(least).abs().max(i128::from(most).abs()) - 1;
        (low, high) = (low.max(-size), high.min(size));
    }
    within(Word::any(width), low, high)
}

/// The distances of a shift; all distances of the width or more are equivalent.
fn amounts(b: &Word) -> (u32, u32) {
    let clamp = |amount: u64| u32::try_from(amount).unwrap_or(u32::MAX).min(b.width());
    (clamp(b.unsigned().0), clamp(b.unsigned().1))
}

fn shift_left(a: &Word, b: &Word) -> Word {
    let width = a.width();
    let (least, most) = amounts(b);
    if least == most {
        let factor = if least == width { 0 } else { 1_u64 << least };
        return sum(width, 0, &[(factor, *a)]);
    }
    let zeros = (a.zeros().trailing_ones().min(width) + least).min(width);
    let word = low_part(width, 0, zeros);
    // A shift beyond the width leaves nothing: there is no bound from below.
    let low = if most == width { 0 } else { i128::from(a.unsigned().0) << least };
    let high = i128::from(a.unsigned().1);
    if high.leading_zeros() > most + 1 { within(word, low, high << most) } else { word }
}

fn shifted_right(value: u64, by: u32) -> u64 {
    value.checked_shr(by).unwrap_or(0)
}

fn logical_shift_right(a: &Word, b: &Word) -> Word {
    let width = a.width();
    let (least, most) = amounts(b);
    let bounds = Word::between(width, shifted_right(a.unsigned().0, most), shifted_right(a.unsigned().1, least));
    let bits = (least == most).then(|| {
        let above = mask(width) & !shifted_right(mask(width), least);
        Word::with_bits(width, shifted_right(a.zeros(), least) | above, shifted_right(a.ones(), least))
    });
    together(width, [bounds, bits.flatten()])
}

fn arithmetic_shift_right(a: &Word, b: &Word) -> Word {
    let width = a.width();
    let (least, most) = amounts(b);
    let shifted = |value: i64, by: u32| value >> by.min(63);
    let (low, high) = a.signed();
    let low = shifted(low, least).min(shifted(low, most));
    let high = shifted(high, least).max(shifted(high, most));
    let bits = (least == most).then(|| {
        // The sign bit fills up the word, if it is known.
        let by = least.min(width - 1);
        let fill = |bits: u64| truncated(sign_extended(bits, width) >> by, width);
        Word::with_bits(width, fill(a.zeros()), fill(a.ones()))
    });
    together(width, [Word::between_signed(width, low, high), bits.flatten()])
}

fn and(a: &Word, b: &Word) -> Word {
    let width = a.width();
    let bits = Word::with_bits(width, a.zeros() | b.zeros(), a.ones() & b.ones());
    let bounds = Word::between(width, 0, a.unsigned().1.min(b.unsigned().1));
    together(width, [bits, bounds])
}

fn or(a: &Word, b: &Word) -> Word {
    let width = a.width();
    let bits = Word::with_bits(width, a.zeros() & b.zeros(), a.ones() | b.ones());
    let high = a.unsigned().1.saturating_add(b.unsigned().1);
    let bounds = Word::between(width, a.unsigned().0.max(b.unsigned().0), high);
    together(width, [bits, bounds])
}

fn xor(a: &Word, b: &Word) -> Word {
    let width = a.width();
    let zeros = (a.zeros() & b.zeros()) | (a.ones() & b.ones());
    let ones = (a.zeros() & b.ones()) | (a.ones() & b.zeros());
    let bounds = Word::between(width, 0, a.unsigned().1.saturating_add(b.unsigned().1));
    together(width, [Word::with_bits(width, zeros, ones), bounds])
}

/// Zero-extended to a greater width.
pub fn zero_extend(width: u32, a: &Word) -> Word {
    let above = mask(width) & !mask(a.width());
    let bits = Word::with_bits(width, a.zeros() | above, a.ones());
    together(width, [bits, Word::between(width, a.unsigned().0, a.unsigned().1)])
}

/// Sign-extended to a greater width.
pub fn sign_extend(width: u32, a: &Word) -> Word {
    let fill = |bits: u64| truncated(sign_extended(bits, a.width()), width);
    let bits = Word::with_bits(width, fill(a.zeros()), fill(a.ones()));
    together(width, [bits, Word::between_signed(width, a.signed().0, a.signed().1)])
}

/// The bits from `low` to `high`.
pub fn extract(high: u32, low: u32, a: &Word) -> Word {
    let width = high - low + 1;
    let bits = Word::with_bits(width, a.zeros() >> low, a.ones() >> low).unwrap_or(Word::any(width));
    let word = within(bits, i128::from(a.unsigned().0 >> low), i128::from(a.unsigned().1 >> low));
    within(word, i128::from(a.signed().0 >> low), i128::from(a.signed().1 >> low))
}

/// `a` as the high bits, `b` as the low bits, together at most 64 bits.
pub fn concat(a: &Word, b: &Word) -> Word {
    let (width, shift) = (a.width() + b.width(), b.width());
    let bits = Word::with_bits(width, a.zeros() << shift | b.zeros(), a.ones() << shift | b.ones());
    let low = a.unsigned().0 << shift | b.unsigned().0;
    let high = a.unsigned().1 << shift | b.unsigned().1;
    together(width, [bits, Word::between(width, low, high)])
}

/// The truth value of a comparison, if it is known.
pub fn compare(op: CompareOp, a: &Word, b: &Word) -> Option<bool> {
    let decided = |always: bool, never: bool| if always { Some(true) } else { never.then_some(false) };
    match op {
        CompareOp::UnsignedLess => decided(a.unsigned().1 < b.unsigned().0, a.unsigned().0 >= b.unsigned().1),
        CompareOp::UnsignedLessEqual => decided(a.unsigned().1 <= b.unsigned().0, a.unsigned().0 > b.unsigned().1),
        CompareOp::SignedLess => decided(a.signed().1 < b.signed().0, a.signed().0 >= b.signed().1),
        CompareOp::SignedLessEqual => decided(a.signed().1 <= b.signed().0, a.signed().0 > b.signed().1),
    }
}

/// Whether two words are equal, if it is known.
pub fn equal(a: &Word, b: &Word) -> Option<bool> {
    match (a.and(b), a.as_constant(), b.as_constant()) {
        (None, _, _) => Some(false),
        (Some(_), Some(x), Some(y)) => Some(x == y),
        _ => None,
    }
}

/// The parts of two words that satisfy a comparison.
pub fn where_compared(op: CompareOp, a: &Word, b: &Word) -> Both {
    let width = a.width();
    let (least, most) = signed_limits(width);
    let (below, above) = match op {
        CompareOp::UnsignedLess => (
            Word::between(width, 0, b.unsigned().1.checked_sub(1)?)?,
            Word::between(width, a.unsigned().0.checked_add(1)?, mask(width))?,
        ),
        CompareOp::UnsignedLessEqual => {
            (Word::between(width, 0, b.unsigned().1)?, Word::between(width, a.unsigned().0, mask(width))?)
        }
        CompareOp::SignedLess => (
            Word::between_signed(width, least, b.signed().1.checked_sub(1)?)?,
            Word::between_signed(width, a.signed().0.checked_add(1)?, most)?,
        ),
        CompareOp::SignedLessEqual => {
            (Word::between_signed(width, least, b.signed().1)?, Word::between_signed(width, a.signed().0, most)?)
        }
    };
    Some((a.and(&below)?, b.and(&above)?))
}

/// The word without this number: smaller if the number is one of its bounds.
pub fn without(a: &Word, number: u64) -> Option<Word> {
    let width = a.width();
    let mut word = *a;
    let (low, high) = word.unsigned();
    if low == number {
        word = word.and(&Word::between(width, low.checked_add(1)?, mask(width))?)?;
    } else if high == number {
        word = word.and(&Word::between(width, 0, high.checked_sub(1)?)?)?;
    }
    let number = sign_extended(number, width);
    let (low, high) = word.signed();
    let (least, most) = signed_limits(width);
    if low == number {
        word = word.and(&Word::between_signed(width, low.checked_add(1)?, most)?)?;
    } else if high == number {
        word = word.and(&Word::between_signed(width, least, high.checked_sub(1)?)?)?;
    }
    Some(word)
}
