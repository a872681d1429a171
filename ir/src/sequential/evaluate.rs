//! Evaluation of an expression under values of its variables.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::{Expression, Expressions, Function, Node, Sort, UnaryOp, Variable};
use crate::bits::Bits;

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// A truth value.
    Boolean(bool),
    /// A bit-vector.
    Bits(Bits),
    /// A map: its elements at some indices, and the element at all others.
    Map(BTreeMap<Bits, Bits>, Bits),
}

impl PartialEq for Value {
    /// Whether the two are the same value; equal maps may have different representations.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Boolean(a), Self::Boolean(b)) => a == b,
            (Self::Bits(a), Self::Bits(b)) => a == b,
            (Self::Map(a, a_default), Self::Map(b, b_default)) => {
                let indices: BTreeSet<_> = a.keys().chain(b.keys()).collect();
                let agree =
                    indices.iter().all(|&index| a.get(index).unwrap_or(a_default) == b.get(index).unwrap_or(b_default));
                // If every index is listed, the defaults are used nowhere.
                let all_listed = indices.first().is_some_and(|index| {
                    let count = 1u64.checked_shl(index.width());
                    count == u64::try_from(indices.len()).ok()
                });
                agree && (all_listed || a_default == b_default)
            }
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Value {
    /// Zero, false, or the map that is zero everywhere: the value of a variable that does not
    /// matter.
    pub fn zero(sort: Sort) -> Self {
        match sort {
            Sort::Boolean => Self::Boolean(false),
            Sort::Bits(width) => Self::Bits(Bits::zero(width)),
            Sort::Map { element, .. } => Self::Map(BTreeMap::new(), Bits::zero(element)),
        }
    }

    /// The truth value. Panics on another sort.
    pub fn boolean(&self) -> bool {
        match self {
            Self::Boolean(value) => *value,
            other => panic!("a truth value expected, {other:?} found"),
        }
    }

    /// The bit-vector. Panics on another sort.
    pub fn bits(&self) -> &Bits {
        match self {
            Self::Bits(bits) => bits,
            other => panic!("a bit-vector expected, {other:?} found"),
        }
    }

    /// The map's element at `index`. Panics on another sort.
    pub fn select(&self, index: &Bits) -> &Bits {
        match self {
            Self::Map(elements, default) => elements.get(index).unwrap_or(default),
            other => panic!("a map expected, {other:?} found"),
        }
    }

    /// The map with `value` at `index`. Panics on another sort.
    pub fn store(&self, index: Bits, value: Bits) -> Self {
        match self {
            Self::Map(elements, default) => {
                let mut elements = elements.clone();
                elements.insert(index, value);
                Self::Map(elements, default.clone())
            }
            other => panic!("a map expected, {other:?} found"),
        }
    }
}

/// The value of `expression` where `variables` gives each variable's value and `functions` each
/// function's result.
///
/// The given values must have the right sorts. Only the chosen branches of conditionals are
/// evaluated, and each shared expression once.
pub fn evaluate(
    expressions: &Expressions,
    expression: Expression,
    variables: &dyn Fn(Variable) -> Value,
    functions: &dyn Fn(Function, &[Value]) -> Value,
) -> Value {
    Evaluator::new(expressions, variables, functions).evaluate(expression)
}

/// Evaluates several expressions under one assignment, each shared expression once.
pub struct Evaluator<'a> {
    expressions: &'a Expressions,
    variables: &'a dyn Fn(Variable) -> Value,
    functions: &'a dyn Fn(Function, &[Value]) -> Value,
    known: FxHashMap<Expression, Value>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that knows no values yet.
    pub fn new(
        expressions: &'a Expressions,
        variables: &'a dyn Fn(Variable) -> Value,
        functions: &'a dyn Fn(Function, &[Value]) -> Value,
    ) -> Self {
        Self { expressions, variables, functions, known: FxHashMap::default() }
    }

    /// The value of an expression.
    pub fn evaluate(&mut self, expression: Expression) -> Value {
        // An explicit stack: expressions of unrolled programs are deep.
        let mut stack = vec![expression];
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let mut missing = |operand: Expression| {
                if !self.known.contains_key(&operand) {
                    stack.push(operand);
                }
            };
            match self.expressions.node(top) {
                Node::IfThenElse(condition, a, b) => match self.known.get(condition) {
                    Some(value) => missing(if value.boolean() { *a } else { *b }),
                    None => missing(*condition),
                },
                _ => self.expressions.for_each_operand(top, missing),
            }
            if stack.len() == before {
                let value = self.value(top);
                self.known.insert(top, value);
                stack.pop();
            }
        }
        self.known[&expression].clone()
    }

    /// The value of an expression whose operands are known.
    fn value(&self, expression: Expression) -> Value {
        let boolean = |operand: &Expression| self.known[operand].boolean();
        let bits = |operand: &Expression| self.known[operand].bits();
        match self.expressions.node(expression) {
            Node::Boolean(value) => Value::Boolean(*value),
            Node::Bits(constant) => Value::Bits(constant.clone()),
            Node::Variable(variable) => (self.variables)(*variable),
            Node::Not(a) => Value::Boolean(!boolean(a)),
            Node::And(all) => Value::Boolean(all.iter().all(boolean)),
            Node::Or(all) => Value::Boolean(all.iter().any(boolean)),
            Node::Equal(a, b) => Value::Boolean(self.known[a] == self.known[b]),
            Node::IfThenElse(c, a, b) => self.known[if boolean(c) { a } else { b }].clone(),
            Node::Sum(constant, terms) => Value::Bits(
                terms.iter().fold(constant.clone(), |sum, (coefficient, term)| sum.add(&coefficient.mul(bits(term)))),
            ),
            Node::Unary(UnaryOp::Not, a) => Value::Bits(bits(a).not()),
            Node::Binary(op, a, b) => Value::Bits(op.fold(bits(a), bits(b))),
            Node::Compare(op, a, b) => Value::Boolean(op.fold(bits(a), bits(b))),
            Node::ZeroExtend(a) => Value::Bits(bits(a).zero_extend(self.expressions.width(expression))),
            Node::SignExtend(a) => Value::Bits(bits(a).sign_extend(self.expressions.width(expression))),
            Node::Extract(high, low, a) => Value::Bits(bits(a).extract(*high, *low)),
            Node::Concat(a, b) => Value::Bits(bits(a).concat(bits(b))),
            Node::Select(map, index) => Value::Bits(self.known[map].select(bits(index)).clone()),
            Node::Store(map, index, value) => self.known[map].store(bits(index).clone(), bits(value).clone()),
            Node::Apply(function, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|argument| self.known[argument].clone()).collect();
                (self.functions)(*function, &arguments)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Random, Trees};
    use super::*;

    /// Soundness of the simplifier: the expressions that the constructors build have the same
    /// values as the unsimplified trees.
    #[test]
    fn simplified_expressions_have_the_value_of_the_plain_ones() {
        let mut informative = 0;
        for seed in 0..6_000 {
            let mut random = Random::new(seed);
            let mut trees = Trees::new();
            let sort = random.sort();
            let depth = 2 + random.below(4);
            let tree = trees.tree(&mut random, sort, depth);
            let built = trees.build(&tree);
            informative += usize::from(!matches!(trees.expressions.node(built), Node::Boolean(_) | Node::Bits(_)));
            for round in 0..4 {
                let assignment = trees.assignment(&mut Random::new(seed * 4 + round));
                let plain = trees.value(&tree, &assignment);
                let simplified = trees.evaluate(built, &assignment);
                assert_eq!(plain, simplified, "seed {seed}: {tree:?} became {built:?}");
            }
        }
        assert!(informative > 3_000, "most random trees should not fold to constants: {informative}");
    }

    /// Printing and sharing rely on this property: an expression in normal form is rebuilt as
    /// itself.
    #[test]
    fn simplified_expressions_stay_as_they_are() {
        for seed in 0..3_000 {
            let mut random = Random::new(seed);
            let mut trees = Trees::new();
            let sort = random.sort();
            let tree = trees.tree(&mut random, sort, 4);
            let built = trees.build(&tree);
            let rebuilt = trees.expressions.substitute(built, &FxHashMap::default(), &mut FxHashMap::default());
            assert_eq!(built, rebuilt, "seed {seed}: {tree:?}");
        }
    }

    /// Multiples of two ids are equal where the ids are, unless the multiplication wraps.
    #[test]
    fn equations_between_multiples_mean_what_they_say() {
        let mut simplified = 0;
        for factor in 1..32u64 {
            let mut e = Expressions::new();
            let variables = ["x", "y"].map(|name| e.add_variable(name, Sort::Bits(3), None, super::super::Role::Input));
            let [x, y] = variables.map(|variable| e.variable(variable));
            let multiples = [x, y].map(|id| {
                let wide = e.zero_extend(5, id);
                e.scale(Bits::new(5, factor), wide)
            });
            let (equation, plain) = (e.equal(multiples[0], multiples[1]), e.equal(x, y));
            simplified += usize::from(equation == plain);
            for (a, b) in (0..8u64).flat_map(|a| (0..8u64).map(move |b| (a, b))) {
                let value =
                    |variable: Variable| Value::Bits(Bits::new(3, if variable == variables[0] { a } else { b }));
                let says = evaluate(&e, equation, &value, &|_, _| unreachable!("there are no functions"));
                assert_eq!(says, Value::Boolean(factor * a % 32 == factor * b % 32), "{factor}: {a} and {b}");
            }
        }
        // All odd factors, 2 (with which 7 becomes 14), and -2, which gives the same equation.
        assert_eq!(simplified, 18);
    }

    /// A product with one bit is no multiplication.
    #[test]
    fn products_with_a_bit_mean_what_they_say() {
        let mut e = Expressions::new();
        let variables = ["x", "y"].map(|name| e.add_variable(name, Sort::Bits(3), None, super::super::Role::Input));
        let [x, y] = variables.map(|variable| e.variable(variable));
        let bit = e.extract(1, 1, x);
        let bit = e.zero_extend(3, bit);
        for product in [e.multiply(bit, y), e.multiply(y, bit)] {
            assert!(!e.multiplies_unknowns(&[product]));
            for (a, b) in (0..8u64).flat_map(|a| (0..8u64).map(move |b| (a, b))) {
                let value =
                    |variable: Variable| Value::Bits(Bits::new(3, if variable == variables[0] { a } else { b }));
                let says = evaluate(&e, product, &value, &|_, _| unreachable!("there are no functions"));
                assert_eq!(says, Value::Bits(Bits::new(3, (a >> 1 & 1) * b)), "{a} and {b}");
            }
        }
    }

    #[test]
    fn maps_that_differ_only_where_no_index_is_are_equal() {
        let bit = |value: u32| Bits::new(1, value);
        let both = BTreeMap::from([(bit(0), bit(1)), (bit(1), bit(0))]);
        assert_eq!(Value::Map(both.clone(), bit(0)), Value::Map(both.clone(), bit(1)));
        assert_ne!(Value::Map(BTreeMap::new(), bit(0)), Value::Map(BTreeMap::new(), bit(1)));
        assert_eq!(Value::Map(BTreeMap::new(), bit(0)), Value::Map(BTreeMap::from([(bit(1), bit(0))]), bit(0)));
    }

    #[test]
    fn deep_expressions_do_not_exhaust_the_stack() {
        let mut trees = Trees::new();
        let e = &mut trees.expressions;
        let x = e.add_variable("deep", Sort::Bits(32), None, super::super::Role::Input);
        let x = e.variable(x);
        let mut deep = x;
        for _ in 0..100_000 {
            deep = e.binary(super::super::BinaryOp::UnsignedDivide, x, deep);
        }
        let seven = |_: Variable| Value::Bits(Bits::new(32, 7u32));
        let value = evaluate(&trees.expressions, deep, &seven, &|_, _| unreachable!("there are no functions"));
        // 7 / 7 = 1, 7 / 1 = 7, and so on.
        assert_eq!(value, Value::Bits(Bits::new(32, 7u32)));
        assert!(super::super::print_expression(&trees.expressions, deep).len() < 10_000_000);
    }
}
