//! Checks every integer function against the CUDA Math API's definition, in unbounded integers.

use lockstep_ir::kernel::Type;
use num_bigint::BigInt;
use proptest::prelude::*;

use crate::builder::Lanes;
use crate::builtins::testing::{Bench, mask, sign_extend};

/// A function of unbounded integers; its result is taken modulo `2^width` of the result type.
type Formula = fn(&[BigInt]) -> BigInt;

/// The functions: mangled parameters, the letter of the result, and the formula.
const FUNCTIONS: &[(&str, &str, char, Formula)] = &[
    ("__clz", "i", 'i', |x| 32 - length(&bits(&x[0], 32))),
    ("__clzll", "x", 'i', |x| 64 - length(&bits(&x[0], 64))),
    ("__ffs", "i", 'i', |x| first(&x[0], 32)),
    ("__ffsll", "x", 'i', |x| first(&x[0], 64)),
    ("__popc", "j", 'i', |x| x[0].iter_u64_digits().map(u64::count_ones).sum::<u32>().into()),
    ("__popcll", "y", 'i', |x| x[0].iter_u64_digits().map(u64::count_ones).sum::<u32>().into()),
    ("__brev", "j", 'j', |x| mirrored(&x[0], 32)),
    ("__brevll", "y", 'y', |x| mirrored(&x[0], 64)),
    ("__byte_perm", "jjj", 'j', |x| {
        let bytes = &x[0] + (&x[1] << 32);
        (0..4).map(|digit| (&bytes >> (8 * small(&x[2], 4 * digit, 3)) & big(255)) << (8 * digit)).sum()
    }),
    ("__funnelshift_l", "jjj", 'j', |x| ((&x[0] + (&x[1] << 32)) << (small(&x[2], 0, 5))) >> 32),
    ("__funnelshift_lc", "jjj", 'j', |x| ((&x[0] + (&x[1] << 32)) << at_most_32(&x[2])) >> 32),
    ("__funnelshift_r", "jjj", 'j', |x| (&x[0] + (&x[1] << 32)) >> (small(&x[2], 0, 5))),
    ("__funnelshift_rc", "jjj", 'j', |x| (&x[0] + (&x[1] << 32)) >> at_most_32(&x[2])),
    ("__mul24", "ii", 'i', |x| lane(&x[0], 0, 24, true) * lane(&x[1], 0, 24, true)),
    ("__umul24", "jj", 'j', |x| lane(&x[0], 0, 24, false) * lane(&x[1], 0, 24, false)),
    ("__mulhi", "ii", 'i', |x| (&x[0] * &x[1]) >> 32),
    ("__umulhi", "jj", 'j', |x| (&x[0] * &x[1]) >> 32),
    ("__mul64hi", "xx", 'x', |x| (&x[0] * &x[1]) >> 64),
    ("__umul64hi", "yy", 'y', |x| (&x[0] * &x[1]) >> 64),
    ("__sad", "iij", 'j', |x| absolute(&x[0] - &x[1]) + &x[2]),
    ("__usad", "jjj", 'j', |x| absolute(&x[0] - &x[1]) + &x[2]),
    ("__hadd", "ii", 'i', |x| (&x[0] + &x[1]) >> 1),
    ("__rhadd", "ii", 'i', |x| (&x[0] + &x[1] + 1) >> 1),
    ("__uhadd", "jj", 'j', |x| (&x[0] + &x[1]) >> 1),
    ("__urhadd", "jj", 'j', |x| (&x[0] + &x[1] + 1) >> 1),
    ("__dp4a", "iii", 'i', |x| dot(x, [8, 8], 0, true)),
    ("__dp4a", "jjj", 'j', |x| dot(x, [8, 8], 0, false)),
    ("__dp2a_lo", "iii", 'i', |x| dot(x, [16, 8], 0, true)),
    ("__dp2a_lo", "jjj", 'j', |x| dot(x, [16, 8], 0, false)),
    ("__dp2a_hi", "iii", 'i', |x| dot(x, [16, 8], 2, true)),
    ("__dp2a_hi", "jjj", 'j', |x| dot(x, [16, 8], 2, false)),
    ("abs", "i", 'i', |x| absolute(x[0].clone())),
    ("abs", "l", 'l', |x| absolute(x[0].clone())),
    ("labs", "l", 'l', |x| absolute(x[0].clone())),
    ("llabs", "x", 'x', |x| absolute(x[0].clone())),
    ("min", "ii", 'i', minimum),
    ("min", "jj", 'j', minimum),
    ("min", "ll", 'l', minimum),
    ("min", "ij", 'j', |x| minimum(&[bits(&x[0], 32), x[1].clone()])),
    ("min", "yx", 'y', |x| minimum(&[x[0].clone(), bits(&x[1], 64)])),
    ("max", "ii", 'i', maximum),
    ("max", "yy", 'y', maximum),
    ("max", "ji", 'j', |x| maximum(&[x[0].clone(), bits(&x[1], 32)])),
    ("umin", "jj", 'j', minimum),
    ("umax", "jj", 'j', maximum),
    ("llmin", "xx", 'x', minimum),
    ("llmax", "xx", 'x', maximum),
    ("ullmin", "yy", 'y', minimum),
    ("ullmax", "yy", 'y', maximum),
];

/// A function of one lane of this many bits of the operands; its result is taken modulo `2^bits`.
type Lane = fn(u32, &[BigInt]) -> BigInt;

/// The functions of small integers.
///
/// Each has its name without the number of lanes, the number of operands, and whether lanes are
/// signed.
const SMALL: &[(&str, usize, bool, Lane)] = &[
    ("__vabs", 1, true, |_, x| absolute(x[0].clone())),
    ("__vabsss", 1, true, |width, x| clamped(absolute(x[0].clone()), width, true)),
    ("__vneg", 1, true, |_, x| -&x[0]),
    ("__vnegss", 1, true, |width, x| clamped(-&x[0], width, true)),
    ("__vadd", 2, false, |_, x| &x[0] + &x[1]),
    ("__vaddss", 2, true, |width, x| clamped(&x[0] + &x[1], width, true)),
    ("__vaddus", 2, false, |width, x| clamped(&x[0] + &x[1], width, false)),
    ("__vsub", 2, false, |_, x| &x[0] - &x[1]),
    ("__vsubss", 2, true, |width, x| clamped(&x[0] - &x[1], width, true)),
    ("__vsubus", 2, false, |width, x| clamped(&x[0] - &x[1], width, false)),
    ("__vhaddu", 2, false, |_, x| (&x[0] + &x[1]) >> 1),
    ("__vavgu", 2, false, |_, x| (&x[0] + &x[1] + 1) >> 1),
    ("__vavgs", 2, true, |_, x| (&x[0] + &x[1] + u32::from(&x[0] + &x[1] >= BigInt::ZERO)) >> 1),
    ("__vabsdiffs", 2, true, |_, x| absolute(&x[0] - &x[1])),
    ("__vabsdiffu", 2, false, |_, x| absolute(&x[0] - &x[1])),
    ("__vmaxs", 2, true, |_, x| maximum(x)),
    ("__vmaxu", 2, false, |_, x| maximum(x)),
    ("__vmins", 2, true, |_, x| minimum(x)),
    ("__vminu", 2, false, |_, x| minimum(x)),
    ("__vcmpeq", 2, false, |_, x| all_ones(x[0] == x[1])),
    ("__vcmpne", 2, false, |_, x| all_ones(x[0] != x[1])),
    ("__vcmpges", 2, true, |_, x| all_ones(x[0] >= x[1])),
    ("__vcmpgeu", 2, false, |_, x| all_ones(x[0] >= x[1])),
    ("__vcmpgts", 2, true, |_, x| all_ones(x[0] > x[1])),
    ("__vcmpgtu", 2, false, |_, x| all_ones(x[0] > x[1])),
    ("__vcmples", 2, true, |_, x| all_ones(x[0] <= x[1])),
    ("__vcmpleu", 2, false, |_, x| all_ones(x[0] <= x[1])),
    ("__vcmplts", 2, true, |_, x| all_ones(x[0] < x[1])),
    ("__vcmpltu", 2, false, |_, x| all_ones(x[0] < x[1])),
    ("__vseteq", 2, false, |_, x| u32::from(x[0] == x[1]).into()),
    ("__vsetne", 2, false, |_, x| u32::from(x[0] != x[1]).into()),
    ("__vsetges", 2, true, |_, x| u32::from(x[0] >= x[1]).into()),
    ("__vsetgeu", 2, false, |_, x| u32::from(x[0] >= x[1]).into()),
    ("__vsetgts", 2, true, |_, x| u32::from(x[0] > x[1]).into()),
    ("__vsetgtu", 2, false, |_, x| u32::from(x[0] > x[1]).into()),
    ("__vsetles", 2, true, |_, x| u32::from(x[0] <= x[1]).into()),
    ("__vsetleu", 2, false, |_, x| u32::from(x[0] <= x[1]).into()),
    ("__vsetlts", 2, true, |_, x| u32::from(x[0] < x[1]).into()),
    ("__vsetltu", 2, false, |_, x| u32::from(x[0] < x[1]).into()),
];

fn big(x: u32) -> BigInt {
    x.into()
}

fn modulo(x: &BigInt, width: u32) -> BigInt {
    let modulus = big(1) << width;
    ((x % &modulus) + &modulus) % &modulus
}

/// The bits of a number in two's complement, as an unsigned number.
fn bits(x: &BigInt, width: u32) -> BigInt {
    modulo(x, width)
}

fn length(x: &BigInt) -> BigInt {
    x.bits().into()
}

fn first(x: &BigInt, width: u32) -> BigInt {
    bits(x, width).trailing_zeros().map_or(BigInt::ZERO, |zeros| BigInt::from(zeros) + 1)
}

fn mirrored(x: &BigInt, width: u32) -> BigInt {
    (0..width).map(|bit| ((x >> bit) & big(1)) << (width - 1 - bit)).sum()
}

fn small(x: &BigInt, low: u32, count: u32) -> u32 {
    modulo(&(x >> low), count).try_into().expect("few bits")
}

fn at_most_32(x: &BigInt) -> u32 {
    x.min(&big(32)).try_into().expect("few bits")
}

/// A lane of a word.
fn lane(x: &BigInt, low: u32, width: u32, signed: bool) -> BigInt {
    let lane = modulo(&(x >> low), width);
    if signed && lane >= big(1) << (width - 1) { lane - (big(1) << width) } else { lane }
}

fn absolute(x: BigInt) -> BigInt {
    if x < BigInt::ZERO { -x } else { x }
}

fn minimum(x: &[BigInt]) -> BigInt {
    x.iter().min().expect("operands").clone()
}

fn maximum(x: &[BigInt]) -> BigInt {
    x.iter().max().expect("operands").clone()
}

fn all_ones(holds: bool) -> BigInt {
    -BigInt::from(u32::from(holds))
}

fn clamped(x: BigInt, width: u32, signed: bool) -> BigInt {
    let highest = (big(1) << (width - u32::from(signed))) - 1;
    let lowest = if signed { -&highest - 1 } else { BigInt::ZERO };
    x.clamp(lowest, highest)
}

fn dot(x: &[BigInt], widths: [u32; 2], from: u32, signed: bool) -> BigInt {
    let product = |index: u32| {
        lane(&x[0], index * widths[0], widths[0], signed) * lane(&x[1], (from + index) * widths[1], widths[1], signed)
    };
    &x[2] + (0..32 / widths[0]).map(product).sum::<BigInt>()
}

fn type_of(letter: char) -> (u32, bool) {
    match letter {
        'i' => (32, true),
        'j' => (32, false),
        'l' | 'x' => (64, true),
        'm' | 'y' => (64, false),
        _ => panic!("{letter}"),
    }
}

/// Numbers that are likely to coincide: the ends of ranges, small ones, repeated bytes, and
/// arbitrary ones.
fn number() -> impl Strategy<Value = u128> {
    prop_oneof![
        Just(0),
        Just(u128::MAX),
        (0u32..64).prop_map(|bit| 1 << bit),
        (0u32..64).prop_map(|bit| (1 << bit) - 1),
        (0u32..64).prop_map(|bit| u128::MAX << bit),
        0u128..64,
        (0u128..256).prop_map(|byte| byte * 0x0101_0101_0101_0101),
        (0usize..5, 0usize..5, 0usize..5, 0usize..5).prop_map(|(a, b, c, d)| {
            let ends = [0x7f, 0x80, 0x81, 0xff, 0x00];
            ends[a] | ends[b] << 8 | ends[c] << 16 | ends[d] << 24
        }),
        any::<u128>(),
    ]
}

fn check(name: &str, letters: &str, result: char, numbers: &[u128], formula: impl Fn(&[BigInt]) -> BigInt) {
    let mut bench = Bench::cuda();
    let types: Vec<(u32, bool)> = letters.chars().map(type_of).collect();
    let arguments: Vec<Lanes> = types.iter().map(|ty| vec![bench.input(Type::Bits(ty.0))]).collect();
    let width = type_of(result).0;
    let mut spellings = vec![format!("_Z{}{name}{letters}", name.len())];
    // Toolkits call libdevice for functions with one spelling there; not for `min` of mixed types,
    // say.
    let own = name.strip_prefix("__").unwrap_or(name);
    if LIBDEVICE.contains(&own) && !matches!(letters, "l" | "ll" | "ij" | "ji" | "yx" | "yy" | "jj" if own.len() == 3) {
        spellings.push(format!("__nv_{own}"));
    }
    let inputs: Vec<u128> = types.iter().zip(numbers).map(|(ty, x)| x & mask(ty.0)).collect();
    let read = |(&(width, signed), &x): (&(u32, bool), &u128)| {
        if signed { BigInt::from(sign_extend(x, width)) } else { BigInt::from(x) }
    };
    let operands: Vec<BigInt> = types.iter().zip(&inputs).map(read).collect();
    let expected = modulo(&formula(&operands), width);
    for spelling in spellings {
        let value = bench.call(&spelling, &arguments, &[Type::Bits(width)])[0];
        assert_eq!(BigInt::from(bench.evaluate(&inputs, value)), expected, "{spelling} {operands:?}");
    }
}

/// The integer functions of libdevice.
const LIBDEVICE: &[&str] = &[
    "abs",
    "brev",
    "brevll",
    "byte_perm",
    "clz",
    "clzll",
    "ffs",
    "ffsll",
    "hadd",
    "llabs",
    "llmax",
    "llmin",
    "max",
    "min",
    "mul24",
    "mul64hi",
    "mulhi",
    "popc",
    "popcll",
    "rhadd",
    "sad",
    "uhadd",
    "ullmax",
    "ullmin",
    "umax",
    "umin",
    "umul24",
    "umul64hi",
    "umulhi",
    "urhadd",
    "usad",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn functions_are_exact(numbers in prop::collection::vec(number(), 3)) {
        for &(name, letters, result, formula) in FUNCTIONS {
            check(name, letters, result, &numbers, formula);
        }
    }

    #[test]
    fn functions_of_small_integers_are_exact(numbers in prop::collection::vec(number(), 2)) {
        for &(name, operands, signed, formula) in SMALL {
            for width in [16, 8] {
                let name = format!("{name}{}", 32 / width);
                check(&name, &"j".repeat(operands), 'j', &numbers, |words| {
                    let each = |index: u32| {
                        let lanes: Vec<BigInt> =
                            words.iter().map(|word| lane(word, index * width, width, signed)).collect();
                        modulo(&formula(width, &lanes), width) << (index * width)
                    };
                    (0..32 / width).map(each).sum()
                });
            }
        }
        for (name, signed) in [("__vsads", true), ("__vsadu", false)] {
            for width in [16, 8] {
                check(&format!("{name}{}", 32 / width), "jj", 'j', &numbers, |words| {
                    let each = |index: u32| {
                        let [a, b] = [0, 1].map(|word: usize| lane(&words[word], index * width, width, signed));
                        absolute(a - b)
                    };
                    (0..32 / width).map(each).sum()
                });
            }
        }
    }
}
