//! Bit-vector queries translated to integers.
//!
//! A solver for bit-vectors splits products of unknowns, divisions and sums of many terms into
//! bits; over integers they stay whole. So an expression of `w` bits becomes an integer that is
//! **congruent** to it modulo `2^w`, with known bounds. Sums and products are those of the
//! integers: a number is reduced only where an operation inspects it. Where a comparison, a
//! division or an extension to more bits inspects a number, the integer is brought into the range
//! that the operation means ([`Integers::reduced`]): `[0, 2^w)`, or `[-2^(w-1), 2^(w-1))`. If its
//! bounds say that it lies there, nothing needs to be done. Otherwise it is `x - 2^w·q`, where `q`
//! is the one number that brings it there. **No wrap is ever assumed away**: where one is
//! impossible for reasons that bounds do not show, the solver finds `q = 0` under the conditions of
//! that place.
//!
//! Bounds come from the query itself (its assertions hold in every state that counts) and from the
//! operations.
//!
//! Sums and products are polynomials ([`lockstep_ir::polynomial`]), so the solver sees each product
//! of unknowns once, as a number of its own. Together with lemmas on products that share a factor
//! ([`products`]), this is mostly enough: the first query is **linear**. Only if that one is
//! satisfiable does a second query define the products.
//!
//! An operation without a counterpart among integers (`a & b` of two unknowns, a shift by an
//! unknown) becomes an uninterpreted function with bounds. Then the integers allow more than the
//! bits do. A contradiction is still an answer, but a model is not ([`Integers::exact`]).

mod bounds;
mod functions;
mod operations;
mod products;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use ::z3::Sort as Z3Sort;
use ::z3::ast::{Bool, Dynamic, Int};
use lockstep_invariants::ranges::Ranges;
use lockstep_ir::bits::Bits;
use lockstep_ir::polynomial::{Atom, Monomial, Polynomial};
use lockstep_ir::sequential::{CompareOp, Expression, Expressions, Node, Sort, Variable};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use products::Product;

/// An integer and its bounds.
#[derive(Clone, Debug)]
struct Word {
    value: Polynomial,
    low: BigInt,
    high: BigInt,
}

/// The sign with which the bits of a number are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Sign {
    Signed,
    Unsigned,
}

/// The translation of one query.
pub struct Integers {
    words: FxHashMap<Expression, Word>,
    booleans: FxHashMap<Expression, Bool>,
    reduced: FxHashMap<(Expression, Sign), Word>,
    elements: FxHashMap<(Expression, Expression), Word>,
    divisions: FxHashMap<(Expression, Expression), [Word; 2]>,
    /// Maps whose indices and elements are translated.
    maps: FxHashSet<Expression>,
    /// The variables that the query reads as signed numbers.
    signed: BTreeSet<Variable>,
    ranges: Ranges,
    /// The atoms of polynomials, with their bounds.
    atoms: Vec<(Int, BigInt, BigInt)>,
    /// Polynomials with several monomials whose known bounds are better than those from their
    /// parts.
    bounded: Vec<(Polynomial, BigInt, BigInt)>,
    /// The numbers that stand for products of atoms.
    monomials: BTreeMap<Monomial, Int>,
    /// The products of unknowns.
    products: Vec<Product>,
    /// Quotients (and remainders) by constants.
    quotients: FxHashMap<(Polynomial, BigInt, bool), Polynomial>,
    /// The definitions of the integers that stand for terms.
    definitions: Vec<Bool>,
    exact: bool,
    /// The number of names made so far.
    names: usize,
}

impl Integers {
    /// Creates the translation of a query with these parts, all of which are asserted.
    pub fn new(e: &Expressions, parts: &[Expression]) -> Self {
        let mut ranges = Ranges::default();
        // Bounds that follow from others need those first, in whatever order they stand.
        for _ in 0..ROUNDS {
            for &part in parts {
                ranges.learn(e, part);
            }
        }
        Self {
            words: FxHashMap::default(),
            booleans: FxHashMap::default(),
            reduced: FxHashMap::default(),
            elements: FxHashMap::default(),
            divisions: FxHashMap::default(),
            maps: FxHashSet::default(),
            signed: looked_at_as_signed(e, parts),
            ranges,
            atoms: Vec::new(),
            bounded: Vec::new(),
            monomials: BTreeMap::new(),
            products: Vec::new(),
            quotients: FxHashMap::default(),
            definitions: Vec::new(),
            exact: true,
            names: 0,
        }
    }

    /// Translates the asserted parts. Their bounds are learnt before anything else is translated
    /// that could use them.
    pub fn parts(&mut self, e: &Expressions, parts: &[Expression]) -> Vec<Bool> {
        let rank = |part: &Expression| match *e.node(*part) {
            Node::Compare(_, a, b) if e.as_bits(a).is_some() || e.as_bits(b).is_some() => 0,
            Node::Compare(..) => 1,
            _ => 2,
        };
        let mut ordered = parts.to_vec();
        ordered.sort_by_key(rank);
        for &part in &ordered {
            if let &Node::Compare(op, a, b) = e.node(part) {
                self.translate(e, a);
                self.translate(e, b);
                self.learn(e, op, a, b);
            }
        }
        ordered.into_iter().map(|part| self.boolean(e, part)).collect()
    }

    /// Whether the integers allow exactly the same values as the bits.
    pub fn exact(&self) -> bool {
        self.exact
    }

    /// The definitions to assert besides the translated parts, so far.
    pub fn definitions(&mut self) -> Vec<Bool> {
        std::mem::take(&mut self.definitions)
    }

    /// The translation of a Boolean expression.
    pub fn boolean(&mut self, e: &Expressions, expression: Expression) -> Bool {
        self.translate(e, expression);
        self.booleans[&expression].clone()
    }

    /// An integer that is congruent to a bit-vector expression.
    pub fn congruent(&mut self, e: &Expressions, expression: Expression) -> Int {
        self.translate(e, expression);
        let word = self.words[&expression].clone();
        self.term(&word)
    }

    /// An atom for a term with these bounds.
    fn atom(&mut self, term: Int, low: BigInt, high: BigInt) -> Polynomial {
        let atom = Atom::try_from(self.atoms.len()).expect("fewer atoms than memory has bytes");
        self.atoms.push((term, low, high));
        Polynomial::atom(atom)
    }

    /// A word's integer as a term.
    fn term(&mut self, word: &Word) -> Int {
        self.term_of(&word.value)
    }

    fn term_of(&mut self, polynomial: &Polynomial) -> Int {
        let mut parts = Vec::with_capacity(polynomial.len());
        for (monomial, coefficient) in polynomial.terms() {
            let one = *coefficient == BigInt::from(1);
            let factor = match monomial.as_ref() {
                [] => None,
                &[atom] => Some(self.atoms[at(atom)].0.clone()),
                _ => Some(self.monomial(monomial)),
            };
            parts.push(match factor {
                None => number(coefficient),
                Some(factor) if one => factor,
                Some(factor) => number(coefficient) * factor,
            });
        }
        match parts.as_slice() {
            [] => Int::from_i64(0),
            [one] => one.clone(),
            several => Int::add(several),
        }
    }

    /// The number that stands for a product of atoms.
    fn monomial(&mut self, monomial: &Monomial) -> Int {
        let next = self.monomials.len();
        self.monomials.entry(monomial.clone()).or_insert_with(|| Int::new_const(format!("!p{next}"))).clone()
    }

    fn is_translated(&self, expression: Expression) -> bool {
        self.words.contains_key(&expression)
            || self.booleans.contains_key(&expression)
            || self.maps.contains(&expression)
    }

    fn translate(&mut self, e: &Expressions, expression: Expression) {
        for part in e.operands_first(expression, |part| self.is_translated(part)) {
            self.node(e, part);
        }
    }

    /// Translates a node whose operands are translated.
    fn node(&mut self, e: &Expressions, expression: Expression) {
        match e.sort(expression) {
            Sort::Boolean => {
                let term = self.boolean_node(e, expression);
                self.booleans.insert(expression, term);
            }
            Sort::Bits(width) => {
                let word = self.word_node(e, expression);
                let word = self.refined(word);
                let word = self.known_better(e, expression, word);
                let word = self.kept_small(word, width);
                self.words.insert(expression, word);
            }
            Sort::Map { .. } => {
                self.maps.insert(expression);
            }
        }
    }

    fn boolean_node(&mut self, e: &Expressions, expression: Expression) -> Bool {
        let all = |this: &Self, parts: &[Expression]| parts.iter().map(|part| this.booleans[part].clone()).collect();
        match e.node(expression) {
            Node::Boolean(value) => Bool::from_bool(*value),
            Node::Variable(variable) => Bool::new_const(e.variables()[*variable].name.as_str()),
            Node::Not(a) => self.booleans[a].not(),
            Node::And(parts) => {
                let parts: Vec<Bool> = all(self, parts);
                Bool::and(&parts)
            }
            Node::Or(parts) => {
                let parts: Vec<Bool> = all(self, parts);
                Bool::or(&parts)
            }
            Node::IfThenElse(c, a, b) => self.booleans[c].ite(&self.booleans[a], &self.booleans[b]),
            &Node::Equal(a, b) => self.equality(e, a, b),
            &Node::Compare(op, a, b) => {
                let sign = sign_of(op);
                let (a, b) = (self.reduced(e, a, sign), self.reduced(e, b, sign));
                let (a, b) = (self.term(&a), self.term(&b));
                match op {
                    CompareOp::UnsignedLess | CompareOp::SignedLess => a.lt(&b),
                    CompareOp::UnsignedLessEqual | CompareOp::SignedLessEqual => a.le(&b),
                }
            }
            Node::Apply(function, arguments) => match self.application(e, *function, arguments, &Z3Sort::bool()) {
                Some(value) => value.as_bool().expect("a function with truth values"),
                None => self.unknown_boolean(),
            },
            Node::Bits(_)
            | Node::Sum(..)
            | Node::Unary(..)
            | Node::Binary(..)
            | Node::ZeroExtend(_)
            | Node::SignExtend(_)
            | Node::Extract(..)
            | Node::Concat(..)
            | Node::Select(..)
            | Node::Store(..) => unreachable!("no Boolean expression"),
        }
    }

    /// Whether two expressions are equal: their difference is a multiple of `2^width`.
    fn equality(&mut self, e: &Expressions, a: Expression, b: Expression) -> Bool {
        match e.sort(a) {
            Sort::Boolean => self.booleans[&a].eq(&self.booleans[&b]),
            Sort::Bits(width) => {
                let (a, b) = (self.words[&a].clone(), self.words[&b].clone());
                self.congruence(&a, &b, width)
            }
            Sort::Map { .. } => self.unknown_boolean(),
        }
    }

    fn congruence(&mut self, a: &Word, b: &Word, width: u32) -> Bool {
        let (low, high) = (&a.low - &b.high, &a.high - &b.low);
        let modulus = power(width);
        if -&modulus < low && high < modulus {
            return self.term(a).eq(self.term(b));
        }
        let difference = Word { value: a.value.minus(&b.value), low, high };
        let difference = self.brought(difference, width, Sign::Signed);
        self.term(&difference).eq(Int::from_i64(0))
    }

    /// The number that the bits mean with this sign.
    fn reduced(&mut self, e: &Expressions, expression: Expression, sign: Sign) -> Word {
        if let Some(known) = self.reduced.get(&(expression, sign)) {
            return known.clone();
        }
        let width = e.width(expression);
        let word = self.words[&expression].clone();
        let mut word = self.brought(word, width, sign);
        if let Some((low, high)) = self.read(e, expression, sign) {
            word = self.narrowed(word, width, low, high);
        }
        self.reduced.insert((expression, sign), word.clone());
        word
    }

    /// The number in the range of a width and a sign that is congruent to this one.
    fn brought(&mut self, word: Word, width: u32, sign: Sign) -> Word {
        if let Some(constant) = word.value.as_constant() {
            let (low, _) = bounds(width, sign);
            let quotient = floor_divide(&(&constant - low), &power(width));
            return Word::exactly(constant - quotient * power(width));
        }
        let modulus = power(width);
        let (low, high) = bounds(width, sign);
        let first = floor_divide(&(&word.low - &low), &modulus);
        let last = floor_divide(&(&word.high - &low), &modulus);
        if first == last {
            return word.less(&(first * modulus));
        }
        let end = last.clone();
        let quotient = if &last - &first <= BigInt::from(MOST_CASES) {
            // Nested: q is `first`, or one more if the number is beyond the first range, and so on.
            let term = self.term(&word);
            let mut quotient = number(&last);
            let mut at = last;
            while at > first {
                at -= 1;
                let beyond = term.gt(number(&(&at * &modulus + &high)));
                quotient = beyond.ite(&quotient, &number(&at));
            }
            quotient
        } else {
            let quotient = self.fresh();
            self.definitions.push(quotient.ge(number(&first)));
            self.definitions.push(quotient.le(number(&last)));
            quotient
        };
        let quotient = self.atom(quotient, first, end);
        let value = word.value.plus_times(&quotient, &-modulus);
        let term = self.term_of(&value);
        // Implied where the quotient is chosen by cases, but useful to the solver.
        self.definitions.push(term.ge(number(&low)));
        self.definitions.push(term.le(number(&high)));
        Word { value, low, high }
    }

    /// Reduces a number that would grow from operation to operation.
    fn kept_small(&mut self, word: Word, width: u32) -> Word {
        let limit = power(width + SLACK);
        if -&limit <= word.low && word.high <= limit {
            return word;
        }
        // A product is kept, because it is compared with products.
        if word.high.bits() <= u64::from(2 * width + SLACK) && word.low.bits() <= u64::from(2 * width + SLACK) {
            return word;
        }
        self.brought(word, width, Sign::Signed)
    }

    fn fresh(&mut self) -> Int {
        self.names += 1;
        Int::new_const(format!("!q{}", self.names))
    }

    fn unknown_boolean(&mut self) -> Bool {
        self.exact = false;
        self.names += 1;
        Bool::new_const(format!("!b{}", self.names))
    }

    /// A variable's integer, or another number that the solver chooses, with its bounds.
    fn bounded(&mut self, term: Int, low: BigInt, high: BigInt) -> Word {
        self.definitions.push(term.ge(number(&low)));
        self.definitions.push(term.le(number(&high)));
        Word { value: self.atom(term, low.clone(), high.clone()), low, high }
    }

    fn variable(&mut self, e: &Expressions, expression: Expression, variable: Variable, width: u32) -> Word {
        let data = &e.variables()[variable];
        let sign = if self.signed.contains(&variable) { Sign::Signed } else { Sign::Unsigned };
        let (low, high) = self.read(e, expression, sign).unwrap_or_else(|| bounds(width, sign));
        self.bounded(Int::new_const(data.name.as_str()), low, high)
    }
}

impl Word {
    fn exactly(value: BigInt) -> Self {
        Self { value: Polynomial::constant(value.clone()), low: value.clone(), high: value }
    }

    fn less(self, by: &BigInt) -> Self {
        let value = self.value.plus(&Polynomial::constant(-by));
        Self { value, low: self.low - by, high: self.high - by }
    }
}

/// The number of rounds in which bounds are learnt from a query's parts.
const ROUNDS: usize = 3;

/// The most additional values of a quotient that is chosen by cases.
const MOST_CASES: u32 = 3;

/// The most additional bits that sums may need before they are reduced.
const SLACK: u32 = 12;

fn sign_of(op: CompareOp) -> Sign {
    match op {
        CompareOp::UnsignedLess | CompareOp::UnsignedLessEqual => Sign::Unsigned,
        CompareOp::SignedLess | CompareOp::SignedLessEqual => Sign::Signed,
    }
}

fn at(atom: Atom) -> usize {
    atom as usize
}

fn power(width: u32) -> BigInt {
    BigInt::from(1) << width
}

/// The least and the greatest number of a width.
fn bounds(width: u32, sign: Sign) -> (BigInt, BigInt) {
    match sign {
        Sign::Signed => (-power(width - 1), power(width - 1) - 1),
        Sign::Unsigned => (BigInt::ZERO, power(width) - 1),
    }
}

fn floor_divide(a: &BigInt, b: &BigInt) -> BigInt {
    let quotient = a / b;
    if &quotient * b > *a { quotient - 1 } else { quotient }
}

fn number(value: &BigInt) -> Int {
    match i64::try_from(value) {
        Ok(small) => Int::from_i64(small),
        Err(_) => value.to_string().parse().expect("a numeral of decimal digits"),
    }
}

/// The variables that are compared or extended as signed numbers, by themselves or as a term of a
/// sum.
fn looked_at_as_signed(e: &Expressions, parts: &[Expression]) -> BTreeSet<Variable> {
    let mut seen = FxHashSet::default();
    let mut signed = BTreeSet::new();
    let mut stack = parts.to_vec();
    while let Some(top) = stack.pop() {
        if !seen.insert(top) {
            continue;
        }
        let mut look = |operand: Expression| match e.node(operand) {
            Node::Variable(variable) => {
                signed.insert(*variable);
            }
            Node::Sum(_, terms) => {
                for (_, term) in terms {
                    if let Node::Variable(variable) = e.node(*term) {
                        signed.insert(*variable);
                    }
                }
            }
            _ => {}
        };
        match *e.node(top) {
            Node::Compare(CompareOp::SignedLess | CompareOp::SignedLessEqual, a, b) => {
                look(a);
                look(b);
            }
            Node::SignExtend(a) => look(a),
            _ => {}
        }
        e.for_each_operand(top, |operand| stack.push(operand));
    }
    signed
}

/// A constant as a number of its sign.
fn constant(bits: &Bits) -> BigInt {
    bits.signed()
}

/// The integer for a value of Z3.
fn integer(value: Dynamic) -> Int {
    value.as_int().expect("a function with numbers as values")
}
