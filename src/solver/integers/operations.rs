//! Bit-vector operations as operations on integers.

use ::z3::ast::{Bool, Int};
use lockstep_ir::bits::Bits;
use lockstep_ir::polynomial::Polynomial;
use lockstep_ir::sequential::{BinaryOp, Expression, Expressions, Node, UnaryOp};
use num_bigint::BigInt;

use super::functions::function_of_bits;
use super::{Integers, SLACK, Sign, Word, bounds, constant, floor_divide, number, power};

impl Integers {
    /// Translates a bit-vector node whose operands are translated.
    pub(super) fn word_node(&mut self, e: &Expressions, expression: Expression) -> Word {
        let width = e.width(expression);
        match e.node(expression) {
            Node::Bits(bits) => Word::exactly(constant(bits)),
            &Node::Variable(variable) => self.variable(e, expression, variable, width),
            Node::Sum(constant, terms) => self.sum(constant, terms),
            &Node::IfThenElse(c, a, b) => {
                let (c, a, b) = (self.booleans[&c].clone(), self.words[&a].clone(), self.words[&b].clone());
                self.either(&c, &a, &b)
            }
            &Node::Unary(UnaryOp::Not, a) => {
                let minus_one = Word::exactly(BigInt::from(-1));
                plus(&minus_one, &times_constant(&self.words[&a], &BigInt::from(-1)))
            }
            &Node::Binary(op, a, b) => self.binary(e, op, a, b, width),
            &Node::ZeroExtend(a) => self.reduced(e, a, Sign::Unsigned),
            &Node::SignExtend(a) => self.reduced(e, a, Sign::Signed),
            &Node::Extract(_, 0, a) => self.words[&a].clone(),
            &Node::Extract(_, low, a) => {
                let a = self.reduced(e, a, Sign::Unsigned);
                self.quotient(&a, &power(low))
            }
            &Node::Concat(a, b) => {
                let factor = power(e.width(b));
                let (a, b) = (self.words[&a].clone(), self.reduced(e, b, Sign::Unsigned));
                plus(&times_constant(&a, &factor), &b)
            }
            &Node::Select(map, index) => self.element(e, map, index, width),
            Node::Apply(function, arguments) => match self.application(e, *function, arguments, &::z3::Sort::int()) {
                Some(value) => {
                    let (low, high) = bounds(width, Sign::Unsigned);
                    self.bounded(super::integer(value), low, high)
                }
                None => self.unknown_word(width),
            },
            Node::Boolean(_)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Equal(..)
            | Node::Compare(..)
            | Node::Store(..) => unreachable!("no bit-vector expression"),
        }
    }

    /// An arbitrary number of this width.
    pub(super) fn unknown_word(&mut self, width: u32) -> Word {
        self.exact = false;
        let term = self.fresh();
        let (low, high) = bounds(width, Sign::Unsigned);
        self.bounded(term, low, high)
    }

    fn sum(&mut self, offset: &Bits, terms: &[(Bits, Expression)]) -> Word {
        let mut total = Word::exactly(constant(offset));
        for (coefficient, term) in terms {
            total = plus(&total, &times_constant(&self.words[term], &constant(coefficient)));
        }
        self.note_factors(&total.value);
        total
    }

    fn binary(&mut self, e: &Expressions, op: BinaryOp, a: Expression, b: Expression, width: u32) -> Word {
        match op {
            BinaryOp::Multiply => {
                let (a, b) = (self.factor(e, a, FACTOR_DEPTH), self.factor(e, b, FACTOR_DEPTH));
                self.product(&a, &b)
            }
            BinaryOp::UnsignedDivide => self.unsigned_division(e, a, b)[0].clone(),
            BinaryOp::UnsignedRemainder => self.unsigned_division(e, a, b)[1].clone(),
            BinaryOp::SignedDivide => self.signed_division(e, op, a, b, width, 0),
            BinaryOp::SignedRemainder => self.signed_division(e, op, a, b, width, 1),
            BinaryOp::ShiftLeft | BinaryOp::LogicalShiftRight => self.opaque(e, op, a, b, width),
            BinaryOp::ArithmeticShiftRight => match e.as_bits(b).and_then(Bits::to_u64) {
                Some(amount) => {
                    let amount = u32::try_from(amount).unwrap_or(width).min(width);
                    let a = self.reduced(e, a, Sign::Signed);
                    self.quotient(&a, &power(amount))
                }
                None => self.opaque(e, op, a, b, width),
            },
            BinaryOp::And => self.and(e, a, b, width),
            BinaryOp::Or => self.or(e, a, b, width),
            BinaryOp::Xor => self.xor(e, a, b, width),
        }
    }

    /// The factor of a product, with the choices in it outside: `w * (c ? x : y)` is `c ? w * x :
    /// w * y`. So products of the same numbers are the same products, whenever each was recorded.
    fn factor(&mut self, e: &Expressions, expression: Expression, depth: u32) -> Factor {
        let (inner, sign) = match *e.node(expression) {
            Node::SignExtend(inner) => (inner, Some(Sign::Signed)),
            Node::ZeroExtend(inner) => (inner, Some(Sign::Unsigned)),
            _ => (expression, None),
        };
        if let &Node::IfThenElse(c, a, b) = e.node(inner)
            && let Some(depth) = depth.checked_sub(1)
        {
            let [a, b] = [a, b].map(|part| match sign {
                None => self.factor(e, part, depth),
                Some(sign) => self.extended_factor(e, part, sign, depth),
            });
            return Factor::Choice(self.booleans[&c].clone(), Box::new([a, b]));
        }
        Factor::One(self.multiplicand(e, expression))
    }

    fn extended_factor(&mut self, e: &Expressions, inner: Expression, sign: Sign, depth: u32) -> Factor {
        if let &Node::IfThenElse(c, a, b) = e.node(inner)
            && let Some(depth) = depth.checked_sub(1)
        {
            let parts = [a, b].map(|part| self.extended_factor(e, part, sign, depth));
            return Factor::Choice(self.booleans[&c].clone(), Box::new(parts));
        }
        Factor::One(self.reduced(e, inner, sign))
    }

    fn product(&mut self, a: &Factor, b: &Factor) -> Word {
        match (a, b) {
            (Factor::One(a), Factor::One(b)) => self.times(a, b),
            (Factor::Choice(condition, parts), other) | (other, Factor::Choice(condition, parts)) => {
                let [first, second] = parts.each_ref().map(|part| self.product(part, other));
                self.either(condition, &first, &second)
            }
        }
    }

    /// One of two numbers.
    pub(super) fn either(&mut self, condition: &Bool, a: &Word, b: &Word) -> Word {
        if a.value == b.value {
            return a.clone();
        }
        let term = condition.ite(&self.term(a), &self.term(b));
        let (low, high) = (a.low.clone().min(b.low.clone()), a.high.clone().max(b.high.clone()));
        Word { value: self.atom(term, low.clone(), high.clone()), low, high }
    }

    /// The quotient by a positive number, rounded down.
    fn quotient(&mut self, a: &Word, by: &BigInt) -> Word {
        let (low, high) = (floor_divide(&a.low, by), floor_divide(&a.high, by));
        if low == high {
            return Word::exactly(low);
        }
        if *by == BigInt::from(1) {
            return a.clone();
        }
        let value = self.by_constant(a, by, true, [&low, &high]);
        Word { value, low, high }
    }

    /// The remainder of the quotient.
    fn remainder(&mut self, a: &Word, by: &BigInt) -> Word {
        let (low, high) = (floor_divide(&a.low, by), floor_divide(&a.high, by));
        if low == high {
            return a.clone().less(&(low * by));
        }
        let (low, high) = (BigInt::ZERO, by - 1);
        let value = self.by_constant(a, by, false, [&low, &high]);
        Word { value, low, high }
    }

    fn by_constant(&mut self, a: &Word, by: &BigInt, quotient: bool, [low, high]: [&BigInt; 2]) -> Polynomial {
        let key = (a.value.clone(), by.clone(), quotient);
        if let Some(known) = self.quotients.get(&key) {
            return known.clone();
        }
        let term = self.term(a);
        let term = if quotient { term.div(number(by)) } else { term.modulo(number(by)) };
        let value = self.atom(term, low.clone(), high.clone());
        self.quotients.insert(key, value.clone());
        value
    }

    /// A factor to multiply by: a congruent number is as good, if it is not too large.
    fn multiplicand(&mut self, e: &Expressions, expression: Expression) -> Word {
        let word = &self.words[&expression];
        let limit = power(e.width(expression) + SLACK);
        if -&limit <= word.low && word.high <= limit {
            return word.clone();
        }
        self.reduced(e, expression, Sign::Signed)
    }

    /// Quotient and remainder. Division by zero follows SMT-LIB: all ones, and the dividend.
    fn unsigned_division(&mut self, e: &Expressions, a: Expression, b: Expression) -> [Word; 2] {
        if let Some(known) = self.divisions.get(&(a, b)) {
            return known.clone();
        }
        let width = e.width(a);
        let (x, y) = (self.reduced(e, a, Sign::Unsigned), self.reduced(e, b, Sign::Unsigned));
        let division = if y.low == y.high && y.low > BigInt::ZERO {
            [self.quotient(&x, &y.low), self.remainder(&x, &y.low)]
        } else {
            let (_, most) = bounds(width, Sign::Unsigned);
            let positive = y.low > BigInt::ZERO;
            let (quotient, remainder) = (self.fresh(), self.fresh());
            let quotient = self.bounded(quotient, BigInt::ZERO, if positive { x.high.clone() } else { most.clone() });
            let remainder = self.bounded(remainder, BigInt::ZERO, x.high.clone());
            let product = self.times(&quotient, &y);
            let sum = plus(&product, &remainder);
            let [x, y, sum, q, r] = [&x, &y, &sum, &quotient, &remainder].map(|word| self.term(word));
            let zero = y.eq(Int::from_i64(0));
            let proper = [x.eq(&sum), r.lt(&y), q.le(&x)];
            self.definitions.push(zero.not().implies(Bool::and(&proper)));
            let improper = [q.eq(number(&most)), r.eq(&x)];
            self.definitions.push(zero.implies(Bool::and(&improper)));
            [quotient, remainder]
        };
        self.divisions.insert((a, b), division.clone());
        division
    }

    /// Quotient (0) or remainder (1), rounded towards zero, for a positive constant divisor or for
    /// numbers that are not negative.
    fn signed_division(
        &mut self,
        e: &Expressions,
        op: BinaryOp,
        a: Expression,
        b: Expression,
        width: u32,
        which: usize,
    ) -> Word {
        let (x, y) = (self.reduced(e, a, Sign::Signed), self.reduced(e, b, Sign::Signed));
        let zero = BigInt::ZERO;
        if x.low >= zero && y.low > zero {
            return self.unsigned_division(e, a, b)[which].clone();
        }
        if y.low != y.high || y.low <= zero {
            return self.opaque(e, op, a, b, width);
        }
        let divisor = y.low;
        let (up, down) = (self.quotient(&x, &divisor), self.quotient(&negated(&x), &divisor));
        let positive = self.term(&x).ge(Int::from_i64(0));
        let mut quotient = self.either(&positive, &up, &negated(&down));
        quotient.low = -(down.high.max(BigInt::ZERO));
        quotient.high = up.high.max(BigInt::ZERO);
        if which == 0 {
            return quotient;
        }
        let value = x.value.plus_times(&quotient.value, &-&divisor);
        let most: BigInt = &divisor - 1;
        let low = if x.low < zero { -&most } else { zero.clone() };
        let high = if x.high > zero { most } else { zero };
        Word { value, low, high }
    }

    /// A function of two numbers with known bounds and no other properties.
    fn opaque(&mut self, e: &Expressions, op: BinaryOp, a: Expression, b: Expression, width: u32) -> Word {
        self.exact = false;
        let commutes = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
        let (a, b) = if commutes && b < a { (b, a) } else { (a, b) };
        let (x, y) = (self.reduced(e, a, Sign::Unsigned), self.reduced(e, b, Sign::Unsigned));
        let (first, second) = (self.term(&x), self.term(&y));
        let term = function_of_bits(op, width, &first, &second);
        let (low, most) = bounds(width, Sign::Unsigned);
        let high = match op {
            BinaryOp::And => {
                self.definitions.push(term.le(&first));
                self.definitions.push(term.le(&second));
                x.high.min(y.high)
            }
            BinaryOp::LogicalShiftRight => {
                self.definitions.push(term.le(&first));
                x.high
            }
            BinaryOp::Or => {
                self.definitions.push(term.ge(&first));
                self.definitions.push(term.ge(&second));
                self.definitions.push(term.le(&first + &second));
                let bits = x.high.bits().max(y.high.bits());
                (BigInt::from(1) << bits) - 1
            }
            BinaryOp::Xor => {
                self.definitions.push(term.le(&first + &second));
                let bits = x.high.bits().max(y.high.bits());
                (BigInt::from(1) << bits) - 1
            }
            BinaryOp::Multiply
            | BinaryOp::UnsignedDivide
            | BinaryOp::SignedDivide
            | BinaryOp::UnsignedRemainder
            | BinaryOp::SignedRemainder
            | BinaryOp::ShiftLeft
            | BinaryOp::ArithmeticShiftRight => most.clone(),
        };
        self.bounded(term, low, high.min(most))
    }

    /// With a mask of the lowest bits, a remainder; with one of the highest bits, the number
    /// without its remainder.
    fn and(&mut self, e: &Expressions, a: Expression, b: Expression, width: u32) -> Word {
        for (mask, other) in [(a, b), (b, a)] {
            let Some(bits) = e.as_bits(mask) else { continue };
            if let Some(low) = lowest_ones(bits) {
                let word = self.words[&other].clone();
                return self.remainder(&word, &power(low));
            }
            if let Some(cleared) = lowest_ones(&bits.not()) {
                let word = self.reduced(e, other, Sign::Unsigned);
                let rest = self.remainder(&word, &power(cleared));
                return Word { value: word.value.minus(&rest.value), low: BigInt::ZERO, high: word.high };
            }
            if let Some(bit) = bits.power_of_two() {
                let word = self.reduced(e, other, Sign::Unsigned);
                let above = self.quotient(&word, &power(bit));
                let one = self.remainder(&above, &power(1));
                return times_constant(&one, &power(bit));
            }
        }
        self.opaque(e, BinaryOp::And, a, b, width)
    }

    /// For numbers without a common bit, the sum.
    fn or(&mut self, e: &Expressions, a: Expression, b: Expression, width: u32) -> Word {
        for (high, low) in [(a, b), (b, a)] {
            let below = self.reduced(e, low, Sign::Unsigned);
            let zeros = trailing_zeros(e, high);
            if below.high < power(zeros) {
                let above = self.reduced(e, high, Sign::Unsigned);
                return plus(&above, &below);
            }
        }
        self.opaque(e, BinaryOp::Or, a, b, width)
    }

    /// With a power of two, one bit is flipped.
    fn xor(&mut self, e: &Expressions, a: Expression, b: Expression, width: u32) -> Word {
        for (constant, other) in [(a, b), (b, a)] {
            let Some(bit) = e.as_bits(constant).and_then(Bits::power_of_two) else { continue };
            let word = self.reduced(e, other, Sign::Unsigned);
            let above = self.quotient(&word, &power(bit));
            let is_set = self.remainder(&above, &power(1));
            let turned = times_constant(&is_set, &-power(bit + 1));
            let sum = plus(&plus(&word, &turned), &Word::exactly(power(bit)));
            let (low, high) = bounds(width, Sign::Unsigned);
            return Word { value: sum.value, low: low.max(sum.low), high: high.min(sum.high) };
        }
        self.opaque(e, BinaryOp::Xor, a, b, width)
    }
}

/// A factor of a product: numbers, one of which conditions choose.
enum Factor {
    One(Word),
    Choice(Bool, Box<[Factor; 2]>),
}

/// The deepest nesting of choices that are taken out of a product.
const FACTOR_DEPTH: u32 = 3;

fn plus(a: &Word, b: &Word) -> Word {
    Word { value: a.value.plus(&b.value), low: &a.low + &b.low, high: &a.high + &b.high }
}

fn negated(a: &Word) -> Word {
    times_constant(a, &BigInt::from(-1))
}

fn times_constant(a: &Word, factor: &BigInt) -> Word {
    let (low, high) = (&a.low * factor, &a.high * factor);
    let value = a.value.scaled(factor);
    if low <= high { Word { value, low, high } } else { Word { value, low: high, high: low } }
}

/// The number of ones, if they are the lowest bits and there is at least one.
fn lowest_ones(bits: &Bits) -> Option<u32> {
    let more = bits.add(&Bits::one(bits.width()));
    if more.is_zero() { None } else { more.power_of_two().filter(|&ones| ones > 0) }
}

/// The number of lowest bits that are zero, as far as the form of the expression shows.
fn trailing_zeros(e: &Expressions, expression: Expression) -> u32 {
    let of_constant = |bits: &Bits| {
        let mut zeros = 0;
        while zeros < bits.width() && bits.extract(zeros, zeros).is_zero() {
            zeros += 1;
        }
        zeros
    };
    match e.node(expression) {
        Node::Bits(bits) => of_constant(bits),
        Node::Sum(offset, terms) => {
            terms.iter().map(|(coefficient, _)| of_constant(coefficient)).fold(of_constant(offset), u32::min)
        }
        Node::ZeroExtend(a) | Node::SignExtend(a) => trailing_zeros(e, *a),
        &Node::Binary(BinaryOp::And, a, b) => trailing_zeros(e, a).max(trailing_zeros(e, b)),
        &Node::Concat(_, b) => trailing_zeros(e, b),
        _ => 0,
    }
}
