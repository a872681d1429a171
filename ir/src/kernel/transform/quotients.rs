//! Recognises divisions by constants that a compiler made multiplications.
//!
//! Granlund and Montgomery, "Division by invariant integers using multiplication" (PLDI 1994). For
//! an `x` of `N` bits, a multiplier `M` and a shift `k`, let `d = ⌈2^k / M⌉` and `e = M·d - 2^k`.
//!
//! * **Without a sign** `⌊x·M / 2^k⌋ = ⌊x / d⌋` if `e·2^N <= 2^k`. Since `x·M / 2^k` is
//!   `x/d + x·e / (d·2^k)`, and `x·e < 2^k`, it exceeds `x/d` by less than `1/d`, and no integer
//!   lies between.
//! * **With a sign** `⌊x·M / 2^k⌋`, plus one for a negative `x`, is the quotient rounded to zero if
//!   `0 < e` and `e·2^(N-1) <= 2^k`. For `x >= 0` as above. For `x = -y`, `⌈y·M / 2^k⌉ = ⌊y / d⌋ +
//!   1` as `y·M / 2^k` exceeds `y/d` by more than nothing and at most `1/d`.
//!
//! `x - d·⌊x / d⌋` becomes a remainder. Proofs know what quotients and remainders of loop counters
//! and indices are; of the high half of a product they know nothing.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::bits::Bits;
use crate::kernel::{
    BinaryOp, Block, ConvertOp, Definition, Instruction, InstructionData, Kernel, NoWrap, Operation, Type, Value,
    ValueData,
};

/// The most operations that are looked through to find a product.
const DEPTH: u32 = 8;

/// The kernel with quotients and remainders in place of the multiplications that compute them.
pub fn recognise_quotients(mut kernel: Kernel) -> Kernel {
    for block in kernel.blocks.keys().collect::<Vec<_>>() {
        for instruction in kernel.blocks[block].instructions.clone() {
            let Some(result) = kernel.instructions[instruction].result else { continue };
            if let Some(quotient) = quotient(&kernel, result) {
                replace_by_quotient(&mut kernel, block, instruction, &quotient);
            } else if let Some((op, dividend, divisor)) = remainder(&kernel, result) {
                kernel.instructions[instruction].operation =
                    Operation::Binary(op, NoWrap::default(), dividend, divisor);
            }
        }
    }
    kernel
}

/// `x / divisor`, rounded to zero.
struct Quotient {
    x: Value,
    signed: bool,
    divisor: Bits,
}

/// A value that is the integer `⌊x · multiplier / 2^shift⌋`, with or without a sign.
struct Scaled {
    x: Value,
    signed: bool,
    multiplier: BigInt,
    shift: u32,
}

impl Scaled {
    /// Shifted to the right, if so many bits can hold it.
    fn shifted(mut self, by: u32, width: u32, x_width: u32) -> Option<Self> {
        self.shift += by;
        let at = |x: BigInt| (x * &self.multiplier).div_floor(&(BigInt::one() << self.shift));
        let [x_least, x_most] = range(x_width, self.signed);
        let [least, most] = range(width, self.signed);
        let fits = |value: &BigInt| least <= *value && *value <= most;
        (fits(&at(x_least)) && fits(&at(x_most))).then_some(self)
    }

    /// The divisor, and `e` of the module's documentation.
    fn divisor(&self) -> Option<(BigInt, BigInt)> {
        if !self.multiplier.is_positive() {
            return None;
        }
        let power = BigInt::one() << self.shift;
        let divisor = power.div_ceil(&self.multiplier);
        let excess = &self.multiplier * &divisor - power;
        Some((divisor, excess))
    }
}

/// The least and the greatest number of so many bits.
fn range(width: u32, signed: bool) -> [BigInt; 2] {
    if signed {
        let half = BigInt::one() << (width - 1);
        [-half.clone(), half - 1]
    } else {
        [BigInt::zero(), (BigInt::one() << width) - 1]
    }
}

fn width_of(kernel: &Kernel, value: Value) -> Option<u32> {
    match kernel.ty(value) {
        Type::Bits(width) => Some(width),
        _ => None,
    }
}

/// A constant, also one that is converted.
fn constant(kernel: &Kernel, value: Value) -> Option<Bits> {
    match kernel.operation(value)? {
        Operation::Constant(bits) if width_of(kernel, value).is_some() => Some(bits.clone()),
        Operation::Convert(op @ (ConvertOp::ZeroExtend | ConvertOp::SignExtend), of) => {
            let (bits, width) = (kernel.constant(*of)?, width_of(kernel, value)?);
            Some(if *op == ConvertOp::ZeroExtend { bits.zero_extend(width) } else { bits.sign_extend(width) })
        }
        _ => None,
    }
}

/// A constant operand, and the other one.
fn with_constant(kernel: &Kernel, [a, b]: [Value; 2]) -> Option<(Value, Bits)> {
    match constant(kernel, b) {
        Some(bits) => Some((a, bits)),
        None => Some((b, constant(kernel, a)?)),
    }
}

/// The operands of an operation.
fn operands(kernel: &Kernel, op: BinaryOp, value: Value) -> Option<[Value; 2]> {
    match kernel.operation(value)? {
        Operation::Binary(found, _, a, b) if *found == op => Some([*a, *b]),
        _ => None,
    }
}

/// The value shifted by a constant.
fn shift(kernel: &Kernel, op: BinaryOp, value: Value) -> Option<(Value, u32)> {
    let [of, by] = operands(kernel, op, value)?;
    let by = u32::try_from(constant(kernel, by)?.to_u64()?).ok()?;
    (by < width_of(kernel, value)?).then_some((of, by))
}

/// How a value is a scaled one.
fn scaled(kernel: &Kernel, value: Value, depth: u32) -> Option<Scaled> {
    let width = width_of(kernel, value)?;
    let of = |value: Value| scaled(kernel, value, depth.checked_sub(1)?);
    let narrowed = |found: Scaled, by: u32| {
        let x_width = width_of(kernel, found.x)?;
        found.shifted(by, width, x_width)
    };
    match *kernel.operation(value)? {
        Operation::Binary(BinaryOp::Multiply, ..) => {
            let (factor, multiplier) = with_constant(kernel, operands(kernel, BinaryOp::Multiply, value)?)?;
            let (x, signed) = match *kernel.operation(factor)? {
                Operation::Convert(ConvertOp::ZeroExtend, x) => (x, false),
                Operation::Convert(ConvertOp::SignExtend, x) => (x, true),
                _ => return None,
            };
            width_of(kernel, x)?;
            let multiplier = if signed { multiplier.signed() } else { BigInt::from(multiplier.unsigned().clone()) };
            narrowed(Scaled { x, signed, multiplier, shift: 0 }, 0)
        }
        Operation::Binary(op @ (BinaryOp::LogicalShiftRight | BinaryOp::ArithmeticShiftRight), ..) => {
            let (shifted, by) = shift(kernel, op, value)?;
            let found = of(shifted)?;
            (found.signed == (op == BinaryOp::ArithmeticShiftRight)).then(|| narrowed(found, by))?
        }
        Operation::Extract { low, value: whole, .. } => narrowed(of(whole)?, low),
        Operation::Convert(ConvertOp::Truncate, whole) => narrowed(of(whole)?, 0),
        Operation::Convert(op @ (ConvertOp::ZeroExtend | ConvertOp::SignExtend), narrow) => {
            let found = of(narrow)?;
            (found.signed == (op == ConvertOp::SignExtend)).then_some(found)
        }
        Operation::Binary(BinaryOp::Add, _, a, b) => {
            let (found, other) = of(a).map(|found| (found, b)).or_else(|| of(b).map(|found| (found, a)))?;
            let more = Scaled { multiplier: &found.multiplier + (BigInt::one() << found.shift), ..found };
            if other == more.x {
                // ⌊x·M / 2^k⌋ + x.
                narrowed(more, 0)
            } else {
                // q + ⌊(x - q) / 2⌋ = ⌊(x + q) / 2⌋, where q <= x.
                let (difference, 1) = shift(kernel, BinaryOp::LogicalShiftRight, other)? else { return None };
                let [x, q] = operands(kernel, BinaryOp::Subtract, difference)?;
                let is_below = more.multiplier <= BigInt::one() << (more.shift + 1);
                (x == more.x && !more.signed && is_below && [a, b].contains(&q)).then(|| narrowed(more, 1))?
            }
        }
        _ => None,
    }
}

/// The quotient that a value is.
fn quotient(kernel: &Kernel, value: Value) -> Option<Quotient> {
    if let Some(found) = scaled(kernel, value, DEPTH).filter(|found| !found.signed && found.shift > 0) {
        let width = width_of(kernel, found.x)?;
        // ⌊⌊y / 2^s⌋ / d⌋ = ⌊y / (2^s·d)⌋: an even divisor is halved first.
        let (x, halved) = shift(kernel, BinaryOp::LogicalShiftRight, found.x).unwrap_or((found.x, 0));
        let (divisor, excess) = found.divisor()?;
        let is_exact = (excess << (width - halved)) <= (BigInt::one() << found.shift);
        return if is_exact { division(width, x, false, divisor << halved) } else { None };
    }
    // The floor, plus one for a negative number: a plus of its sign bit, or a minus of its sign.
    let (floor, sign, op) = match *kernel.operation(value)? {
        Operation::Binary(BinaryOp::Add, _, a, b) => {
            let is_sign = |sign: Value| {
                let found = shift(kernel, BinaryOp::LogicalShiftRight, sign);
                found.is_some_and(|(of, by)| Some(by + 1) == width_of(kernel, of))
            };
            if is_sign(b) { (a, b, BinaryOp::LogicalShiftRight) } else { (b, a, BinaryOp::LogicalShiftRight) }
        }
        Operation::Binary(BinaryOp::Subtract, _, a, b) => (a, b, BinaryOp::ArithmeticShiftRight),
        _ => return None,
    };
    let found = scaled(kernel, floor, DEPTH).filter(|found| found.signed && found.shift > 0)?;
    let width = width_of(kernel, found.x)?;
    let (of, by) = shift(kernel, op, sign)?;
    let (divisor, excess) = found.divisor()?;
    // The multiplier is positive, so all of its products have the sign of `x`.
    let has_its_sign = of == found.x
        || scaled(kernel, of, DEPTH).is_some_and(|of| of.signed && of.x == found.x && of.multiplier.is_positive());
    let holds = by + 1 == width_of(kernel, of)?
        && has_its_sign
        && excess.is_positive()
        && (excess << (width - 1)) <= (BigInt::one() << found.shift);
    if holds { division(width, found.x, true, divisor) } else { None }
}

/// A division, unless it is a shift or always zero.
fn division(width: u32, x: Value, signed: bool, divisor: BigInt) -> Option<Quotient> {
    let [_, most] = range(width, signed);
    if divisor > most || divisor <= BigInt::one() {
        return None;
    }
    let divisor = Bits::new(width, BigUint::try_from(divisor).ok()?);
    divisor.power_of_two().is_none().then_some(Quotient { x, signed, divisor })
}

/// A remainder, where the value is a dividend minus its quotient times the divisor.
fn remainder(kernel: &Kernel, value: Value) -> Option<(BinaryOp, Value, Value)> {
    let found = |x: Value, product: Value, negated: bool| {
        let (quotient, factor) = with_constant(kernel, operands(kernel, BinaryOp::Multiply, product)?)?;
        let factor = if negated { factor.neg() } else { factor };
        let (op, dividend, divisor) = match *kernel.operation(quotient)? {
            Operation::Binary(BinaryOp::UnsignedDivide, _, x, d) => (BinaryOp::UnsignedRemainder, x, d),
            Operation::Binary(BinaryOp::SignedDivide, _, x, d) => (BinaryOp::SignedRemainder, x, d),
            _ => return None,
        };
        (dividend == x && *kernel.constant(divisor)? == factor).then_some((op, dividend, divisor))
    };
    match *kernel.operation(value)? {
        Operation::Binary(BinaryOp::Subtract, _, x, product) => found(x, product, false),
        Operation::Binary(BinaryOp::Add, _, a, b) => found(a, b, true).or_else(|| found(b, a, true)),
        _ => None,
    }
}

/// Makes an instruction a quotient, converted to the width of its result.
fn replace_by_quotient(kernel: &mut Kernel, block: Block, instruction: Instruction, found: &Quotient) {
    let Some(width) = kernel.instructions[instruction].result.and_then(|result| width_of(kernel, result)) else {
        return;
    };
    let narrow = found.divisor.width();
    let (divide, extend) = if found.signed {
        (BinaryOp::SignedDivide, ConvertOp::SignExtend)
    } else {
        (BinaryOp::UnsignedDivide, ConvertOp::ZeroExtend)
    };
    let divisor = insert(kernel, block, instruction, Operation::Constant(found.divisor.clone()), narrow);
    let division = Operation::Binary(divide, NoWrap::default(), found.x, divisor);
    kernel.instructions[instruction].operation = if width == narrow {
        division
    } else {
        let quotient = insert(kernel, block, instruction, division, narrow);
        // The quotient fits, as the value did.
        Operation::Convert(if width > narrow { extend } else { ConvertOp::Truncate }, quotient)
    };
}

/// Inserts a computation before an instruction.
fn insert(kernel: &mut Kernel, block: Block, before: Instruction, operation: Operation, width: u32) -> Value {
    let location = kernel.instructions[before].location;
    let instruction = kernel.instructions.push(InstructionData { operation, result: None, location });
    let definition = Definition::Result(instruction);
    let value = kernel.values.push(ValueData { ty: Type::Bits(width), name: None, definition });
    kernel.instructions[instruction].result = Some(value);
    let instructions = &mut kernel.blocks[block].instructions;
    let place = instructions.iter().position(|other| *other == before).expect("an instruction is in its block");
    instructions.insert(place, instruction);
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Language, Terminator};

    /// A kernel under construction, with a number of eight bits that it is about.
    struct Bench {
        kernel: Kernel,
        x: Value,
    }

    impl Bench {
        fn new() -> Self {
            let mut kernel = Kernel::new("k", Language::Ptx, 64);
            let block = kernel.entry;
            kernel.blocks[block].terminator = Terminator::Return;
            let x = kernel.append(block, Operation::Undefined, Type::Bits(8), None);
            Self { kernel, x }
        }

        fn append(&mut self, operation: Operation, width: u32) -> Value {
            self.kernel.append(self.kernel.entry, operation, Type::Bits(width), None)
        }

        fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
            let width = width_of(&self.kernel, a).unwrap();
            self.append(Operation::Binary(op, NoWrap::default(), a, b), width)
        }

        fn with_number(&mut self, op: BinaryOp, a: Value, number: u64) -> Value {
            let width = width_of(&self.kernel, a).unwrap();
            let number = self.append(Operation::Constant(Bits::new(width, number)), width);
            self.binary(op, a, number)
        }

        /// The high half of the product of a number of eight bits.
        fn high_product(&mut self, extend: ConvertOp, multiplier: u64) -> Value {
            let wide = self.append(Operation::Convert(extend, self.x), 16);
            let product = self.with_number(BinaryOp::Multiply, wide, multiplier);
            self.append(Operation::Extract { high: 15, low: 8, value: product }, 8)
        }

        /// The operation, dividend and divisor that the last value becomes.
        fn recognised(self, value: Value) -> Option<(BinaryOp, u64)> {
            let x = self.x;
            let before = self.kernel.operation(value).cloned();
            let kernel = recognise_quotients(self.kernel);
            let after = kernel.operation(value).cloned();
            if before == after {
                return None;
            }
            match after.unwrap() {
                Operation::Binary(op, _, dividend, divisor) => {
                    assert_eq!(dividend, x);
                    Some((op, kernel.constant(divisor).unwrap().to_u64().unwrap()))
                }
                other => panic!("{other:?} is no division"),
            }
        }
    }

    /// Every multiplier and shift: where a quotient is seen, it is that quotient for every number,
    /// and the smallest multipliers of all divisors are seen.
    #[test]
    fn all_products_of_bytes() {
        let mut seen = [false; 256];
        for multiplier in 1u64..256 {
            for by in 0u64..8 {
                let mut bench = Bench::new();
                let high = bench.high_product(ConvertOp::ZeroExtend, multiplier);
                let value = bench.with_number(BinaryOp::LogicalShiftRight, high, by);
                let Some((op, divisor)) = bench.recognised(value) else { continue };
                assert_eq!(op, BinaryOp::UnsignedDivide);
                for x in 0..256 {
                    assert_eq!((x * multiplier) >> (8 + by), x / divisor, "{x} * {multiplier} >> {}", 8 + by);
                }
                seen[usize::try_from(divisor).unwrap()] = true;
            }
        }
        let expected = (3u64..256).filter(|divisor| {
            let fits = |by: u64| {
                let multiplier = (256u64 << by).div_ceil(*divisor);
                multiplier < 256 && multiplier * divisor - (256 << by) <= 1 << by
            };
            !divisor.is_power_of_two() && (0..8).any(fits)
        });
        let missing: Vec<u64> = expected.filter(|divisor| !seen[usize::try_from(*divisor).unwrap()]).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(seen.iter().filter(|seen| **seen).count() > 100);
    }

    /// The longer form, for multipliers of nine bits.
    #[test]
    fn all_products_with_nine_bits() {
        let mut seen = 0;
        for multiplier in 0u64..256 {
            for by in 0u64..7 {
                let mut bench = Bench::new();
                let high = bench.high_product(ConvertOp::ZeroExtend, multiplier);
                let difference = bench.binary(BinaryOp::Subtract, bench.x, high);
                let half = bench.with_number(BinaryOp::LogicalShiftRight, difference, 1);
                let sum = bench.binary(BinaryOp::Add, half, high);
                let value = bench.with_number(BinaryOp::LogicalShiftRight, sum, by);
                let Some((op, divisor)) = bench.recognised(value) else { continue };
                assert_eq!(op, BinaryOp::UnsignedDivide);
                for x in 0..256 {
                    let high = (x * multiplier) >> 8;
                    assert_eq!((((x - high) >> 1) + high) >> by, x / divisor);
                }
                seen += 1;
            }
        }
        assert!(seen > 50, "{seen}");
    }

    /// Numbers with a sign, with the two forms of adding one to a negative quotient.
    #[test]
    fn all_products_with_a_sign() {
        let mut seen = [false; 128];
        for multiplier in 0u64..256 {
            for (by, is_added, minus) in
                (0u64..7).flat_map(|by| [(by, false, false), (by, true, false), (by, false, true), (by, true, true)])
            {
                let mut bench = Bench::new();
                let mut high = bench
                    .high_product(ConvertOp::SignExtend, Bits::new(8, multiplier).sign_extend(16).to_u64().unwrap());
                if is_added {
                    high = bench.binary(BinaryOp::Add, high, bench.x);
                }
                let floor = bench.with_number(BinaryOp::ArithmeticShiftRight, high, by);
                let (value, x) = (floor, bench.x);
                let value = if minus {
                    let sign = bench.with_number(BinaryOp::ArithmeticShiftRight, x, 7);
                    bench.binary(BinaryOp::Subtract, value, sign)
                } else {
                    let sign = bench.with_number(BinaryOp::LogicalShiftRight, high, 7);
                    bench.binary(BinaryOp::Add, value, sign)
                };
                let Some((op, divisor)) = bench.recognised(value) else { continue };
                assert_eq!(op, BinaryOp::SignedDivide);
                let multiplier = i64::from(u8::try_from(multiplier).unwrap().cast_signed());
                for x in -128i64..128 {
                    let high = ((x * multiplier) >> 8) + if is_added { x } else { 0 };
                    let high = i64::from(i8::try_from(high).expect("no sum wraps that is recognised"));
                    let value = (high >> by) + i64::from(x < 0);
                    assert_eq!(value, x / i64::try_from(divisor).unwrap(), "{x} * {multiplier} >> {by}");
                }
                seen[usize::try_from(divisor).unwrap()] = true;
            }
        }
        let missing: Vec<usize> =
            (3usize..127).filter(|divisor| !divisor.is_power_of_two() && !seen[*divisor]).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn a_remainder_is_seen() {
        for (op, factor, recognised) in
            [(BinaryOp::Subtract, 3, true), (BinaryOp::Add, 253, true), (BinaryOp::Subtract, 5, false)]
        {
            let mut bench = Bench::new();
            let high = bench.high_product(ConvertOp::ZeroExtend, 171);
            let quotient = bench.with_number(BinaryOp::LogicalShiftRight, high, 1);
            let product = bench.with_number(BinaryOp::Multiply, quotient, factor);
            let value = bench.binary(op, bench.x, product);
            let found = bench.recognised(value);
            assert_eq!(found, recognised.then_some((BinaryOp::UnsignedRemainder, 3)));
        }
    }
}
