//! Tests of the laws of the domain of words, and of the soundness of each operation, on random
//! words.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{BinaryOp, CompareOp};

use super::operations::{
    binary, compare, complement, concat, equal, extract, sign_extend, sum, where_compared, without, zero_extend,
};
use super::word::{Word, mask, sign_extended, signed_limits};

/// The tested widths: the smallest, some in between, one whose neighbour is not a machine word, and
/// the greatest.
const WIDTHS: [u32; 7] = [1, 2, 5, 8, 32, 63, 64];

/// Pseudo-random numbers, the same each time.
struct Source(u64);

impl Source {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(all.len() as u64)).expect("a small number")]
    }

    /// A number, often near an end of the range or a power of two.
    fn number(&mut self, width: u32) -> u64 {
        let near = self.below(5).wrapping_sub(2);
        let base = match self.below(4) {
            0 => 0,
            1 => 1 << self.below(u64::from(width)),
            2 => self.next() >> self.below(64),
            _ => self.next(),
        };
        base.wrapping_add(near) & mask(width)
    }

    /// A word and one of its numbers.
    fn word(&mut self, width: u32) -> (Word, u64) {
        let inside = self.number(width);
        let mut word = Word::any(width);
        if self.below(2) == 0 {
            let other = self.number(width);
            let bounds = Word::between(width, inside.min(other), inside.max(other)).expect("not empty");
            word = word.and(&bounds).expect("the number is in both");
        }
        if self.below(2) == 0 {
            let (a, b) = (sign_extended(inside, width), sign_extended(self.number(width), width));
            let bounds = Word::between_signed(width, a.min(b), a.max(b)).expect("not empty");
            word = word.and(&bounds).expect("the number is in both");
        }
        if self.below(2) == 0 {
            let known = self.next() & self.next();
            let bits = Word::with_bits(width, !inside & known, inside & known).expect("not empty");
            word = word.and(&bits).expect("the number is in both");
        }
        if self.below(8) == 0 {
            word = Word::exactly(width, inside);
        }
        assert!(word.contains(inside), "{word:?} lost {inside}");
        (word, inside)
    }
}

fn bits(width: u32, value: u64) -> Bits {
    Bits::new(width, value)
}

fn number(bits: &Bits) -> u64 {
    bits.to_u64().expect("at most 64 bits")
}

#[test]
fn results_contain_what_the_operations_make() {
    let mut from = Source(0x9E37_79B9_7F4A_7C15);
    let mut telling = 0_u32;
    for _ in 0..60_000 {
        let width = from.pick(&WIDTHS);
        let ((a, x), (b, y)) = (from.word(width), from.word(width));
        for &op in BinaryOp::ALL {
            let concrete = number(&op.fold(&bits(width, x), &bits(width, y)));
            let result = binary(op, &a, &b);
            assert!(result.contains(concrete), "{op:?} of {x} in {a:?} and {y} in {b:?}: {concrete} not in {result:?}");
            telling += u32::from(!result.is_any());
        }
        let (factor, other, offset) = (from.number(width), from.number(width), from.number(width));
        let total = offset.wrapping_add(factor.wrapping_mul(x)).wrapping_add(other.wrapping_mul(y));
        let result = sum(width, offset, &[(factor, a), (other, b)]);
        assert!(result.contains(total), "{offset} + {factor}·{x} + {other}·{y} of {a:?}, {b:?} not in {result:?}");
        assert!(complement(&a).contains(!x), "not {x} of {a:?}");
    }
    assert!(telling > 300_000, "most results say something: {telling}");
}

#[test]
fn results_contain_what_changes_of_width_make() {
    let mut from = Source(0xD1B5_4A32_D192_ED03);
    for _ in 0..60_000 {
        let width = from.pick(&WIDTHS);
        let (a, x) = from.word(width);
        let wider = width + u32::try_from(from.below(u64::from(65 - width))).expect("at most 64");
        assert!(zero_extend(wider, &a).contains(x), "{x} of {a:?}");
        let extended = number(&bits(width, x).sign_extend(wider));
        assert!(sign_extend(wider, &a).contains(extended), "{x} of {a:?}");
        let low = u32::try_from(from.below(u64::from(width))).expect("below 64");
        let high = low + u32::try_from(from.below(u64::from(width - low))).expect("below 64");
        let part = extract(high, low, &a);
        assert!(part.contains(x >> low), "bits {high} to {low} of {x} of {a:?} are not in {part:?}");
        if width < 64 {
            let (b, y) = from.word(64 - width);
            assert!(concat(&a, &b).contains(x << (64 - width) | y), "{x} of {a:?} above {y} of {b:?}");
        }
    }
}

#[test]
fn conditions_leave_what_satisfies_them() {
    let mut from = Source(0xA076_1D64_78BD_642F);
    let mut narrowed = 0_u32;
    for _ in 0..60_000 {
        let width = from.pick(&WIDTHS);
        let ((a, x), (b, y)) = (from.word(width), from.word(width));
        for &op in CompareOp::ALL {
            let holds = op.fold(&bits(width, x), &bits(width, y));
            assert_ne!(compare(op, &a, &b), Some(!holds), "{x} {op:?} {y} in {a:?} and {b:?}");
            if holds {
                let (left, right) = where_compared(op, &a, &b).expect("these two satisfy it");
                assert!(left.contains(x) && right.contains(y), "{x} {op:?} {y} of {a:?}, {b:?}: {left:?}, {right:?}");
                narrowed += u32::from(left != a || right != b);
            }
        }
        assert_ne!(equal(&a, &b), Some(x != y), "{x} of {a:?} = {y} of {b:?}");
        let other = from.number(width);
        if other != x {
            assert!(without(&a, other).is_some_and(|left| left.contains(x)), "{a:?} without {other} has lost {x}");
        }
    }
    assert!(narrowed > 20_000, "conditions narrow: {narrowed}");
}

#[test]
fn joins_and_meets_are_those_of_sets() {
    let mut from = Source(0xE703_7ED1_A0B4_28DB);
    for _ in 0..60_000 {
        let width = from.pick(&WIDTHS);
        let ((a, x), (b, y)) = (from.word(width), from.word(width));
        let joined = a.or(&b);
        assert!(a.is_within(&joined) && b.is_within(&joined), "{a:?} or {b:?} is {joined:?}");
        assert_eq!((joined, a.or(&a)), (b.or(&a), a));
        assert_eq!(a.and(&a), Some(a), "nothing is left to be told");
        let both = a.and(&b);
        assert_eq!(both, b.and(&a));
        assert!(!(b.contains(x)) || both.is_some_and(|both| both.contains(x)), "{x} of {a:?} and {b:?}");
        if let Some(both) = both {
            assert!(both.is_within(&a) && both.is_within(&b));
        }
        let mut thresholds = [from.number(width), from.number(width), from.number(width)];
        thresholds.sort_unstable();
        let widened = a.widened(&b, &thresholds);
        assert!(joined.is_within(&widened) && widened.contains(y), "{a:?} widened by {b:?}");
    }
}

/// Widening terminates: each bound moves over the thresholds once.
#[test]
fn widening_comes_to_an_end() {
    let mut from = Source(0x8EBC_6AF0_9C88_C6E3);
    for _ in 0..2_000 {
        let width = from.pick(&WIDTHS);
        let mut thresholds: Vec<u64> = (0..6).map(|_| from.number(width)).collect();
        thresholds.sort_unstable();
        let mut word = from.word(width).0;
        let mut changes = 0;
        for _ in 0..300 {
            let next = word.widened(&from.word(width).0, &thresholds);
            changes += u32::from(next != word);
            word = next;
        }
        // Four bounds: each moves once to its first place, over six thresholds, and to the end. The
        // rest are changes of bits.
        assert!(changes <= 4 * 8 + width, "{changes} changes");
    }
}

#[test]
fn the_domains_tell_each_other() {
    let odd = Word::with_bits(8, 0, 1).expect("not empty");
    let between = |low, high| Word::between(8, low, high).expect("not empty");
    assert_eq!(odd.and(&between(4, 6)).and_then(|word| word.as_constant()), Some(5));
    assert_eq!(odd.and(&between(4, 4)), None);
    assert_eq!(between(4, 7).ones(), 4);
    assert_eq!(between(0x80, 0xff).signed(), (-128, -1));
    let negative = Word::between_signed(8, -3, -2).expect("not empty");
    assert_eq!((negative.unsigned(), negative.ones()), ((0xfd, 0xfe), 0xfc));
    assert_eq!(signed_limits(1), (-1, 0));
    // 254 + 4·x wraps around and stays even.
    let sum = sum(8, 254, &[(4, Word::any(8))]);
    assert_eq!((sum.zeros(), sum.ones()), (1, 2));
}

#[test]
fn masked_clamped_and_divided_values_are_bounded() {
    let any = Word::any(32);
    let seven = Word::exactly(32, 7);
    assert_eq!(binary(BinaryOp::And, &any, &seven).unsigned(), (0, 7));
    assert_eq!(binary(BinaryOp::UnsignedRemainder, &any, &seven).unsigned(), (0, 6));
    assert_eq!(binary(BinaryOp::SignedRemainder, &any, &seven).signed(), (-6, 6));
    let shifted = binary(BinaryOp::LogicalShiftRight, &any, &Word::exactly(32, 28));
    assert_eq!(shifted.unsigned(), (0, 15));
    // 5·x + 1 and seven times that, for x below 32.
    let x = Word::between(32, 0, 31).expect("not empty");
    assert_eq!(sum(32, 1, &[(5, x)]).unsigned(), (1, 156));
}
