//! Checks every integer function against the specification, in unbounded integers.
//!
//! The checks cover every width, sign and number of lanes.

use lockstep_ir::kernel::Type;
use num_bigint::BigInt;
use proptest::prelude::*;

use crate::builder::Lanes;
use crate::builtins::testing::{Bench, mask, sign_extend};

/// The integer types, by the letter of the mangled name.
const TYPES: [(char, u32, bool); 8] = [
    ('c', 8, true),
    ('h', 8, false),
    ('s', 16, true),
    ('t', 16, false),
    ('i', 32, true),
    ('j', 32, false),
    ('l', 64, true),
    ('m', 64, false),
];

const LANES: [usize; 6] = [1, 2, 3, 4, 8, 16];

/// An operand type, as the formulas see it.
#[derive(Clone, Copy)]
struct Operand {
    width: u32,
    signed: bool,
}

/// A function of unbounded integers; its result is taken modulo `2^width` of the result type.
type Formula = fn(Operand, &[BigInt]) -> BigInt;

/// The functions, with their number of operands and their formulas.
const FUNCTIONS: [(&str, usize, Formula); 22] = [
    ("abs", 1, |_, x| big_abs(&x[0])),
    ("abs_diff", 2, |_, x| big_abs(&(&x[0] - &x[1]))),
    ("add_sat", 2, |ty, x| saturated(ty, &x[0] + &x[1])),
    ("sub_sat", 2, |ty, x| saturated(ty, &x[0] - &x[1])),
    ("hadd", 2, |_, x| (&x[0] + &x[1]) >> 1),
    ("rhadd", 2, |_, x| (&x[0] + &x[1] + 1) >> 1),
    ("clamp", 3, |_, x| if x[1] <= x[2] { x[0].clone().clamp(x[1].clone(), x[2].clone()) } else { x[0].clone() }),
    ("clz", 1, |ty, x| {
        let set = (0..ty.width).rev().position(|bit| bit_of(&x[0], bit));
        set.map_or(ty.width.into(), BigInt::from)
    }),
    ("ctz", 1, |ty, x| (0..ty.width).position(|bit| bit_of(&x[0], bit)).map_or(ty.width.into(), BigInt::from)),
    ("popcount", 1, |ty, x| (0..ty.width).filter(|&bit| bit_of(&x[0], bit)).count().into()),
    ("mad_hi", 3, |ty, x| ((&x[0] * &x[1]) >> ty.width) + &x[2]),
    ("mad_sat", 3, |ty, x| saturated(ty, &x[0] * &x[1] + &x[2])),
    ("max", 2, |_, x| x[0].clone().max(x[1].clone())),
    ("min", 2, |_, x| x[0].clone().min(x[1].clone())),
    ("mul_hi", 2, |ty, x| (&x[0] * &x[1]) >> ty.width),
    ("rotate", 2, |ty, x| {
        let by = (0..ty.width.trailing_zeros()).filter(|&bit| bit_of(&x[1], bit)).map(|bit| 1 << bit).sum::<u32>();
        set_bits(ty.width, |bit| bit_of(&x[0], (bit + ty.width - by) % ty.width))
    }),
    ("bitselect", 3, |ty, x| set_bits(ty.width, |bit| bit_of(if bit_of(&x[2], bit) { &x[1] } else { &x[0] }, bit))),
    ("mul24", 2, |_, x| &x[0] * &x[1]),
    ("mad24", 3, |_, x| &x[0] * &x[1] + &x[2]),
    ("upsample", 2, |ty, x| (&x[0] << ty.width) + &x[1]),
    ("select", 3, |_, x| if x[2] == BigInt::ZERO { x[0].clone() } else { x[1].clone() }),
    ("any", 1, |ty, x| BigInt::from(u32::from(bit_of(&x[0], ty.width - 1)))),
];

fn big_abs(x: &BigInt) -> BigInt {
    if *x < BigInt::ZERO { -x } else { x.clone() }
}

/// A bit of a number in two's complement.
fn bit_of(x: &BigInt, bit: u32) -> bool {
    (x >> bit) % 2 != BigInt::ZERO
}

fn set_bits(width: u32, holds: impl Fn(u32) -> bool) -> BigInt {
    (0..width).filter(|&bit| holds(bit)).map(|bit| BigInt::from(1) << bit).sum()
}

fn saturated(ty: Operand, x: BigInt) -> BigInt {
    let highest = (BigInt::from(1) << (ty.width - u32::from(ty.signed))) - 1;
    let lowest = if ty.signed { -&highest - 1 } else { BigInt::ZERO };
    x.clamp(lowest, highest)
}

/// Clang's name of a function of this many operands of one type; `last` has a type of its own.
fn mangled(name: &str, lanes: usize, types: &[char]) -> String {
    let mut text = format!("_Z{}{name}", name.len());
    let mut seen: Vec<char> = Vec::new();
    for &letter in types {
        match (lanes, seen.iter().position(|&known| known == letter)) {
            (1, _) => text.push(letter),
            (_, Some(0)) => text.push_str("S_"),
            (_, Some(further)) => text = format!("{text}S{}_", further - 1),
            (_, None) => {
                text = format!("{text}Dv{lanes}_{letter}");
                seen.push(letter);
            }
        }
    }
    text
}

/// Whether the function exists for operands of this type.
fn exists(name: &str, ty: Operand) -> bool {
    match name {
        "mul24" | "mad24" => ty.width == 32,
        "upsample" => ty.width < 64,
        // For vectors the top bit of each lane decides, which the other test of `select` covers.
        "any" => ty.signed,
        _ => true,
    }
}

fn letter(width: u32, signed: bool) -> char {
    TYPES.iter().find(|ty| ty.1 == width && ty.2 == signed).expect("an integer type").0
}

/// The operand types of a function, and the width of its result.
fn signature(name: &str, operands: usize, ty: Operand) -> (Vec<char>, u32) {
    let mut letters = vec![letter(ty.width, ty.signed); operands];
    match name {
        "upsample" => letters[1] = letter(ty.width, false),
        "select" => letters[2] = letter(ty.width, true),
        _ => {}
    }
    let result = match name {
        "upsample" => 2 * ty.width,
        "any" => 32,
        _ => ty.width,
    };
    (letters, result)
}

/// Numbers that are likely to coincide: the ends of the range, small ones, and arbitrary ones.
fn number() -> impl Strategy<Value = u128> {
    prop_oneof![
        Just(0),
        Just(u128::MAX),
        (0u32..64).prop_map(|bit| 1 << bit),
        (0u32..64).prop_map(|bit| (1 << bit) - 1),
        (0u32..64).prop_map(|bit| u128::MAX << bit),
        0u128..64,
        any::<u128>(),
    ]
}

fn check(function: usize, ty: (char, u32, bool), lanes: usize, numbers: &[u128]) {
    let (name, operands, formula) = FUNCTIONS[function];
    let ty = Operand { width: ty.1, signed: ty.2 };
    // `any` and the scalar `select` are not lane by lane.
    let lanes = if matches!(name, "any" | "select") { 1 } else { lanes };
    if !exists(name, ty) {
        return;
    }
    let (letters, width) = signature(name, operands, ty);
    let mut bench = Bench::opencl();
    let arguments: Vec<Lanes> = (0..operands).map(|_| bench.inputs(Type::Bits(ty.width), lanes)).collect();
    let results = bench.call(&mangled(name, lanes, &letters), &arguments, &vec![Type::Bits(width); lanes]);
    let mut inputs: Vec<u128> = numbers.iter().take(operands * lanes).map(|x| x & mask(ty.width)).collect();
    if matches!(name, "mul24" | "mad24") {
        // The result is defined for operands of 24 bits only.
        let small =
            |x: &mut u128| *x = if ty.signed { sign_extend(*x, 23).cast_unsigned() & mask(32) } else { *x & mask(24) };
        inputs.iter_mut().take(2 * lanes).for_each(small);
    }
    for (lane, result) in results.into_iter().enumerate() {
        let read = |operand: usize| {
            let bits = inputs[operand * lanes + lane];
            let signed = TYPES.iter().any(|ty| ty.0 == letters[operand] && ty.2);
            if signed { BigInt::from(sign_extend(bits, ty.width)) } else { BigInt::from(bits) }
        };
        let operands: Vec<BigInt> = (0..operands).map(read).collect();
        if name == "clamp" && operands[1] > operands[2] {
            // The result is not defined.
            continue;
        }
        let modulus = BigInt::from(1) << width;
        let expected: BigInt = (formula(ty, &operands) % &modulus + &modulus) % &modulus;
        assert_eq!(BigInt::from(bench.evaluate(&inputs, result)), expected, "{name} of {width} bits {operands:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn functions_are_exact(
        ty in 0..TYPES.len(),
        lanes in 0..LANES.len(),
        numbers in prop::collection::vec(number(), 48),
    ) {
        for function in 0..FUNCTIONS.len() {
            check(function, TYPES[ty], LANES[lanes], &numbers);
        }
    }
}
