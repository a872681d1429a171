//! Random queries about few bits, answered over integers and by trying all values.

use std::time::{Duration, Instant};

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{
    BinaryOp, CompareOp, Expression, Expressions, Role, Sort, UnaryOp, Value, Variable, evaluate,
};

use crate::{Checked, Products, Session, in_fresh_context};

/// A source of pseudorandom numbers, the same each time.
struct Source(u64);

impl Source {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

const WIDTH: u32 = 3;

fn pick<T: Copy>(from: &mut Source, all: &[T]) -> T {
    all[usize::try_from(from.below(all.len() as u64)).expect("a small number")]
}

/// A random number of [`WIDTH`] bits.
fn number(e: &mut Expressions, from: &mut Source, variables: &[Expression], depth: u32) -> Expression {
    if depth == 0 {
        return match from.below(3) {
            0 => e.number(WIDTH, from.below(8)),
            _ => pick(from, variables),
        };
    }
    let mut below = |e: &mut Expressions| number(e, from, variables, depth - 1);
    let (a, b) = (below(e), below(e));
    match from.below(14) {
        0 | 1 => e.add(a, b),
        10 => e.multiply(a, b),
        11 => {
            let factor = e.number(WIDTH, 2 + from.below(5));
            let product = e.multiply(factor, a);
            e.add(product, b)
        }
        12 => {
            let wide = [e.zero_extend(2 * WIDTH, a), e.zero_extend(2 * WIDTH, b)];
            let product = e.multiply(wide[0], wide[1]);
            let offset = e.number(2 * WIDTH, from.below(64));
            let sum = e.add(product, offset);
            let low = u32::try_from(from.below(u64::from(WIDTH) + 1)).expect("a small number");
            e.extract(low + WIDTH - 1, low, sum)
        }
        13 => {
            let bound = e.number(WIDTH, from.below(8));
            let condition = comparison(e, from, b, bound);
            e.if_then_else(condition, a, bound)
        }
        2 => e.subtract(a, b),
        3 => e.unary(UnaryOp::Not, a),
        4 => {
            let condition = comparison(e, from, a, b);
            e.if_then_else(condition, a, b)
        }
        5 => {
            let wide = [e.sign_extend(2 * WIDTH, a), e.zero_extend(2 * WIDTH, b)];
            let wide = e.binary(pick(from, BinaryOp::ALL), wide[0], wide[1]);
            let low = u32::try_from(from.below(u64::from(WIDTH) + 1)).expect("a small number");
            e.extract(low + WIDTH - 1, low, wide)
        }
        _ => e.binary(pick(from, BinaryOp::ALL), a, b),
    }
}

fn comparison(e: &mut Expressions, from: &mut Source, a: Expression, b: Expression) -> Expression {
    match from.below(11) {
        // Bounds of a computed number.
        7 | 8 => {
            let bound = e.number(WIDTH, from.below(8));
            let [first, second] = if from.below(2) == 0 { [a, bound] } else { [bound, b] };
            e.compare(pick(from, CompareOp::ALL), first, second)
        }
        9 => {
            let wide = [e.sign_extend(2 * WIDTH, a), e.zero_extend(2 * WIDTH, b)];
            let product = from.below(2) == 0;
            let computed = if product { e.multiply(wide[0], wide[1]) } else { e.subtract(wide[0], wide[1]) };
            let bound = e.number(2 * WIDTH, from.below(64));
            let [first, second] = if from.below(2) == 0 { [computed, bound] } else { [bound, computed] };
            e.compare(pick(from, CompareOp::ALL), first, second)
        }
        0 => e.equal(a, b),
        // The condition that one number lies among the few cells behind another, without a wrap in
        // the distance.
        1 => {
            let wide = [e.zero_extend(2 * WIDTH, a), e.zero_extend(2 * WIDTH, b)];
            let size = 1 + from.below(3);
            let factor = e.number(2 * WIDTH, size);
            let first = e.multiply(factor, wide[1]);
            let distance = e.subtract(wide[0], first);
            let size = e.number(2 * WIDTH, size);
            e.compare(CompareOp::UnsignedLess, distance, size)
        }
        _ => e.compare(pick(from, CompareOp::ALL), a, b),
    }
}

fn condition(e: &mut Expressions, from: &mut Source, variables: &[Expression]) -> Expression {
    let depth = u32::try_from(from.below(3)).expect("a small number");
    let (a, b) = (number(e, from, variables, depth), number(e, from, variables, 1));
    let first = comparison(e, from, a, b);
    match from.below(5) {
        0 => {
            let (c, d) = (number(e, from, variables, 1), number(e, from, variables, 0));
            let second = comparison(e, from, c, d);
            e.or([first, second])
        }
        1 => e.not(first),
        _ => first,
    }
}

/// Whether some values of the variables make all parts true.
fn holds_somewhere(e: &Expressions, variables: &[Variable], parts: &[Expression]) -> bool {
    let no_functions = |_, _: &[Value]| panic!("there are no functions");
    (0..1_u64 << (WIDTH * 3)).any(|assignment| {
        let value = |variable: Variable| {
            let position = variables.iter().position(|&known| known == variable).expect("one of the three");
            Value::Bits(Bits::new(WIDTH, assignment >> (WIDTH * u32::try_from(position).expect("below 3")) & 7))
        };
        parts.iter().all(|&part| evaluate(e, part, &value, &no_functions).boolean())
    })
}

#[test]
fn integers_answer_what_trying_all_bits_says() {
    let (mut contradictory, mut satisfiable) = (0, 0);
    for seed in 1..=1000_u64 {
        let mut from = Source(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut e = Expressions::new();
        let variables: Vec<Variable> =
            ["x", "y", "z"].map(|name| e.add_variable(name, Sort::Bits(WIDTH), None, Role::Input)).to_vec();
        let all: Vec<Expression> = variables.iter().map(|&variable| e.variable(variable)).collect();
        let count = 1 + from.below(7);
        let parts: Vec<Expression> = (0..count).map(|_| condition(&mut e, &mut from, &all)).collect();
        let truth = holds_somewhere(&e, &variables, &parts);
        for products in [Products::Linear, Products::Exact] {
            let (answer, values) = in_fresh_context(|| {
                let mut session = Session::new(u64::MAX, Instant::now() + Duration::from_mins(1));
                match session.check_integers(&e, &parts, 3_000_000, products) {
                    Checked::Unsatisfiable => (Some(false), None),
                    Checked::Satisfiable(model) => {
                        let values: Option<Vec<Bits>> =
                            all.iter().map(|&variable| model.bits(&mut session, &e, variable)).collect();
                        (Some(true), values)
                    }
                    Checked::Unknown => (None, None),
                }
            });
            if let Some(answer) = answer {
                assert_eq!(answer, truth, "seed {seed}, {products:?}");
                if answer { satisfiable += 1 } else { contradictory += 1 }
            }
            if let Some(values) = values {
                let value = |variable: Variable| {
                    let position = variables.iter().position(|&known| known == variable).expect("one of the three");
                    Value::Bits(values[position].clone())
                };
                let no_functions = |_, _: &[Value]| panic!("there are no functions");
                for &part in &parts {
                    assert!(evaluate(&e, part, &value, &no_functions).boolean(), "seed {seed}: no model");
                }
            }
        }
    }
    assert!(contradictory > 100 && satisfiable > 100, "{contradictory} and {satisfiable} of 2000 answered");
}

/// `y1·w + x1 = y2·w + x2` with `x1, x2 < w`, where the products do not overflow: the rows are the
/// same. The solver needs no theory of products.
#[test]
fn rows_and_columns_are_told_apart_by_linear_questions() {
    let mut e = Expressions::new();
    let mut input = |name: &str| {
        let variable = e.add_variable(name, Sort::Bits(32), None, Role::Input);
        e.variable(variable)
    };
    let [x1, y1, x2, y2, w] = ["x1", "y1", "x2", "y2", "w"].map(&mut input);
    let zero = e.number(32, 0);
    let (least, most) = (e.bits(Bits::from_signed(64, i32::MIN)), e.number(64, i32::MAX.unsigned_abs().into()));
    let mut parts = Vec::new();
    let mut sums = Vec::new();
    for (x, y) in [(x1, y1), (x2, y2)] {
        let (wide_y, wide_w) = (e.sign_extend(64, y), e.sign_extend(64, w));
        let wide = e.multiply(wide_y, wide_w);
        let product = e.multiply(y, w);
        let sum = e.add(product, x);
        parts.extend([
            e.compare(CompareOp::SignedLessEqual, zero, x),
            e.compare(CompareOp::SignedLess, x, w),
            e.compare(CompareOp::SignedLessEqual, least, wide),
            e.compare(CompareOp::SignedLessEqual, wide, most),
            e.compare(CompareOp::SignedLessEqual, product, sum),
        ]);
        sums.push(sum);
    }
    parts.push(e.equal(sums[0], sums[1]));
    let (same_row, same_column) = (e.equal(y1, y2), e.equal(x1, x2));
    let both = e.and([same_row, same_column]);
    let ask = |parts: &[Expression]| {
        in_fresh_context(|| {
            let mut session = Session::new(u64::MAX, Instant::now() + Duration::from_mins(1));
            matches!(session.check_integers(&e, parts, 3_000_000, Products::Linear), Checked::Unsatisfiable)
        })
    };
    assert!(!ask(&parts), "rows and columns there are");
    let mut e2 = e.clone();
    parts.push(e2.not(both));
    let proved = in_fresh_context(|| {
        let mut session = Session::new(u64::MAX, Instant::now() + Duration::from_mins(1));
        matches!(session.check_integers(&e2, &parts, 3_000_000, Products::Linear), Checked::Unsatisfiable)
    });
    assert!(proved);
    // Without one of the assumptions, the sums may wrap.
    parts.remove(4);
    let proved = in_fresh_context(|| {
        let mut session = Session::new(u64::MAX, Instant::now() + Duration::from_mins(1));
        matches!(session.check_integers(&e2, &parts, 3_000_000, Products::Exact), Checked::Unsatisfiable)
    });
    assert!(!proved);
}
