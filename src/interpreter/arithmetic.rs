//! Arithmetic with some results that the source language leaves undefined or unspecified.
//!
//! An operation that the front end has marked ([`NoWrap`]) is a step of its own kind. It computes
//! the same result as the others (the kernel IR gives every operation a result) and checks whether
//! the language defines it. OpenCL C, CUDA C++ and LLVM IR all leave signed overflow undefined. An
//! impossible quotient is undefined in C++ and in LLVM IR. In OpenCL C, it is an unspecified value
//! without further effects (section 6.3 a). OpenCL C takes shift distances modulo the width, which
//! Clang makes explicit.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, NoWrap};
use lockstep_ir::word::mask;

use super::machine::signed;

/// The reason why arithmetic has no result, or an unexpected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// The result does not fit as a signed number.
    SignedOverflow,
    /// The result does not fit as an unsigned number.
    UnsignedOverflow,
    /// It divides by zero.
    DivisionByZero,
    /// It shifts by the width or more.
    Distance,
}

/// A faulty operation on numbers of up to 64 bits; for wider ones, the operands are not reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arithmetic {
    /// The reason.
    pub why: Undefined,
    /// The operation.
    pub op: BinaryOp,
    /// The width in bits.
    pub width: u32,
    /// The operands.
    pub operands: Option<[u64; 2]>,
}

impl Arithmetic {
    /// The description in words.
    pub fn text(self) -> String {
        let Self { why, op, width, operands } = self;
        let symbol = op.symbol();
        let is_signed =
            why == Undefined::SignedOverflow || matches!(op, BinaryOp::SignedDivide | BinaryOp::SignedRemainder);
        let shown = |value: u64| match u8::try_from(width) {
            Ok(width) if is_signed => signed(width, value).to_string(),
            _ => value.to_string(),
        };
        let term = operands.map(|[a, b]| format!("{} {symbol} {}", shown(a), shown(b)));
        let term = term.unwrap_or_else(|| format!("the result of {symbol}"));
        match why {
            Undefined::SignedOverflow => format!("signed overflow: {term} does not fit in {width} bits"),
            Undefined::UnsignedOverflow => format!("overflow: {term} does not fit in {width} bits"),
            Undefined::DivisionByZero => format!("division by zero: {term}"),
            Undefined::Distance => format!("shift by the width or more: {term} in {width} bits"),
        }
    }
}

/// The result of an operation on numbers of up to 64 bits.
pub fn binary(op: BinaryOp, width: u8, a: u64, b: u64) -> u64 {
    op.of_words(width.into(), a, b)
}

/// Whether the signed sum of two numbers overflows at this width.
pub fn sum_overflows(width: u8, a: u64, b: u64, sum: u64) -> bool {
    ((a ^ sum) & (b ^ sum)) >> (width - 1) & 1 == 1
}

/// Whether the signed difference of two numbers overflows at this width.
pub fn difference_overflows(width: u8, a: u64, b: u64, difference: u64) -> bool {
    ((a ^ b) & (a ^ difference)) >> (width - 1) & 1 == 1
}

/// Whether the signed product of two numbers overflows at this width.
pub fn product_overflows(width: u8, a: u64, b: u64, product: u64) -> bool {
    signed(width, a).checked_mul(signed(width, b)) != Some(signed(width, product))
}

/// The reason why the language leaves a marked operation undefined for these numbers, if it does.
pub fn undefined(op: BinaryOp, marks: NoWrap, width: u8, a: u64, b: u64) -> Option<Undefined> {
    let result = binary(op, width, a, b);
    let is_far = b >= width.into();
    let least = 1 << (width - 1);
    let is_signed_division = matches!(op, BinaryOp::SignedDivide | BinaryOp::SignedRemainder);
    if marks.partial && op.is_shift() && is_far {
        return Some(Undefined::Distance);
    }
    if marks.partial && op.is_division() && b == 0 {
        return Some(Undefined::DivisionByZero);
    }
    // The quotient does not fit; according to C, there is then no remainder either.
    if marks.partial && is_signed_division && a == least && b == mask(width.into()) {
        return Some(Undefined::SignedOverflow);
    }
    let signed_overflow = match op {
        BinaryOp::Add => sum_overflows(width, a, b, result),
        BinaryOp::Subtract => difference_overflows(width, a, b, result),
        BinaryOp::Multiply => product_overflows(width, a, b, result),
        BinaryOp::ShiftLeft if is_far => a != 0,
        BinaryOp::ShiftLeft => signed(width, result) >> b != signed(width, a),
        _ => false,
    };
    let unsigned_overflow = || match op {
        BinaryOp::Add => result < a,
        BinaryOp::Subtract => a < b,
        BinaryOp::Multiply => a.checked_mul(b) != Some(result),
        BinaryOp::ShiftLeft if is_far => a != 0,
        BinaryOp::ShiftLeft => result >> b != a,
        _ => false,
    };
    if marks.signed && !marks.meant && signed_overflow {
        return Some(Undefined::SignedOverflow);
    }
    (marks.unsigned && !marks.meant && unsigned_overflow()).then_some(Undefined::UnsignedOverflow)
}

/// The same check for wider numbers.
pub fn undefined_of_wide(op: BinaryOp, marks: NoWrap, a: &Bits, b: &Bits) -> Option<Undefined> {
    let width = a.width();
    let is_far = b.to_u64().is_none_or(|distance| distance >= u64::from(width));
    let wide = 2 * width;
    if marks.partial && op.is_division() && b.is_zero() {
        return Some(Undefined::DivisionByZero);
    }
    if marks.partial && op.is_shift() && is_far {
        return Some(Undefined::Distance);
    }
    let fits = |extend: fn(&Bits, u32) -> Bits| {
        if op == BinaryOp::ShiftLeft && is_far {
            return a.is_zero();
        }
        // Twice the bits hold every sum, difference and product, and every result of a shift by
        // less than the width.
        let exact =
            op.fold(&extend(a, wide), &if op == BinaryOp::ShiftLeft { b.zero_extend(wide) } else { extend(b, wide) });
        exact == extend(&op.fold(a, b), wide)
    };
    let wraps = matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::ShiftLeft);
    let of_division = marks.partial && matches!(op, BinaryOp::SignedDivide | BinaryOp::SignedRemainder);
    let quotient_fits = || {
        let quotient = |a: &Bits, b: &Bits| BinaryOp::SignedDivide.fold(a, b);
        quotient(&a.sign_extend(wide), &b.sign_extend(wide)) == quotient(a, b).sign_extend(wide)
    };
    if (wraps && marks.signed && !marks.meant && !fits(Bits::sign_extend)) || (of_division && !quotient_fits()) {
        return Some(Undefined::SignedOverflow);
    }
    (wraps && marks.unsigned && !marks.meant && !fits(Bits::zero_extend)).then_some(Undefined::UnsignedOverflow)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operations that may have no result, or an unexpected one.
    fn ops() -> impl Iterator<Item = BinaryOp> {
        BinaryOp::ALL.iter().copied().filter(|op| !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor))
    }

    const MARKS: NoWrap = NoWrap { signed: false, unsigned: false, meant: false, partial: false };

    /// The mathematical result of an operation, if it exists.
    fn exact(op: BinaryOp, x: i128, y: i128) -> Option<i128> {
        match op {
            BinaryOp::Add => Some(x + y),
            BinaryOp::Subtract => Some(x - y),
            BinaryOp::Multiply => Some(x * y),
            BinaryOp::ShiftLeft => Some(x << y),
            BinaryOp::SignedDivide | BinaryOp::UnsignedDivide => x.checked_div(y),
            // If the quotient does not fit, there is no remainder either, so the quotient is
            // checked.
            BinaryOp::SignedRemainder | BinaryOp::UnsignedRemainder => x.checked_div(y),
            _ => None,
        }
    }

    /// The result required by the C standard, computed with numbers that cannot overflow.
    fn expected(op: BinaryOp, marks: NoWrap, width: u32, a: u64, b: u64) -> Option<Undefined> {
        let width_byte = u8::try_from(width).expect("small");
        let signed_of = |value: u64| i128::from(signed(width_byte, value));
        let is_division = op.is_partial() && !op.is_shift();
        if marks.partial && op.is_shift() && b >= u64::from(width) {
            return Some(Undefined::Distance);
        }
        if marks.partial && is_division && b == 0 {
            return Some(Undefined::DivisionByZero);
        }
        let is_signed_division = matches!(op, BinaryOp::SignedDivide | BinaryOp::SignedRemainder);
        let wraps = matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::ShiftLeft);
        let distance = op == BinaryOp::ShiftLeft;
        let as_signed = exact(op, signed_of(a), if distance { b.into() } else { signed_of(b) });
        let fits_signed = as_signed.is_some_and(|x| (-(1 << (width - 1))..1 << (width - 1)).contains(&x));
        if ((marks.signed && wraps) || (marks.partial && is_signed_division)) && !fits_signed {
            return Some(Undefined::SignedOverflow);
        }
        let fits_unsigned = exact(op, a.into(), b.into()).is_some_and(|x| (0..1 << width).contains(&x));
        (marks.unsigned && wraps && !fits_unsigned).then_some(Undefined::UnsignedOverflow)
    }

    #[test]
    fn results_that_do_not_fit_are_undefined() {
        let marks = [
            NoWrap { signed: true, ..MARKS },
            NoWrap { unsigned: true, ..MARKS },
            NoWrap { signed: true, unsigned: true, ..MARKS },
            NoWrap { partial: true, ..MARKS },
            NoWrap { signed: true, partial: true, ..MARKS },
        ];
        for width in [1u8, 2, 3, 5] {
            let bits = u32::from(width);
            for (a, b) in (0..1u64 << width).flat_map(|a| (0..1u64 << width).map(move |b| (a, b))) {
                let [wide_a, wide_b] = [a, b].map(|value| Bits::new(bits, value));
                for op in ops() {
                    assert_eq!(Some(binary(op, width, a, b)), op.fold(&wide_a, &wide_b).to_u64(), "{op:?} of {a}, {b}");
                    for marks in marks {
                        let expected = expected(op, marks, bits, a, b);
                        let told = format!("{op:?} of {a}, {b} in {width} bits, {marks:?}");
                        assert_eq!(undefined(op, marks, width, a, b), expected, "{told}");
                        assert_eq!(undefined_of_wide(op, marks, &wide_a, &wide_b), expected, "{told}, as wide ones");
                    }
                }
            }
        }
    }

    #[test]
    fn the_ends_of_registers_are_no_others() {
        let (most, least) = (i64::MAX.cast_unsigned(), i64::MIN.cast_unsigned());
        let signed = NoWrap { signed: true, ..MARKS };
        let unsigned = NoWrap { unsigned: true, ..MARKS };
        let overflow = Some(Undefined::SignedOverflow);
        for (op, a, b, is) in [
            (BinaryOp::Add, most, 1, overflow),
            (BinaryOp::Add, most, 0, None),
            (BinaryOp::Add, least, u64::MAX, overflow),
            (BinaryOp::Subtract, 0, least, overflow),
            (BinaryOp::Subtract, u64::MAX, least, None),
            (BinaryOp::Multiply, 1 << 32, 1 << 31, overflow),
            (BinaryOp::Multiply, 1 << 31, 1 << 31, None),
            (BinaryOp::Multiply, least, u64::MAX, overflow),
            (BinaryOp::ShiftLeft, 1, 63, overflow),
            (BinaryOp::ShiftLeft, 1, 62, None),
        ] {
            assert_eq!(undefined(op, signed, 64, a, b), is, "{op:?} of {a}, {b}");
        }
        let overflow = Some(Undefined::UnsignedOverflow);
        for (op, a, b, is) in [
            (BinaryOp::Add, u64::MAX, 1, overflow),
            (BinaryOp::Subtract, 0, 1, overflow),
            (BinaryOp::Multiply, 1 << 32, 1 << 32, overflow),
            (BinaryOp::Multiply, 1 << 32, 1 << 31, None),
        ] {
            assert_eq!(undefined(op, unsigned, 64, a, b), is, "{op:?} of {a}, {b}");
        }
    }

    #[test]
    fn marks_that_are_only_meant_are_not_reported() {
        let marks = NoWrap { signed: true, meant: true, ..MARKS };
        assert_eq!(undefined(BinaryOp::Multiply, marks, 32, 1 << 20, 1 << 20), None);
    }

    #[test]
    fn it_is_told_with_its_numbers() {
        let told = |why, op, width, operands| Arithmetic { why, op, width, operands }.text();
        let minus_one = u64::from(u32::MAX);
        assert_eq!(
            told(Undefined::SignedOverflow, BinaryOp::Subtract, 32, Some([1 << 31, 1])),
            "signed overflow: -2147483648 - 1 does not fit in 32 bits"
        );
        assert_eq!(
            told(Undefined::DivisionByZero, BinaryOp::SignedDivide, 32, Some([minus_one, 0])),
            "division by zero: -1 / 0"
        );
        assert_eq!(
            told(Undefined::DivisionByZero, BinaryOp::UnsignedRemainder, 32, Some([minus_one, 0])),
            "division by zero: 4294967295 % 0"
        );
        assert_eq!(
            told(Undefined::Distance, BinaryOp::ShiftLeft, 100, None),
            "shift by the width or more: the result of << in 100 bits"
        );
    }
}
