//! Translation of expressions to Z3's bit-vector terms.
//!
//! The translation is one to one: the sequential program's operations are SMT-LIB's. It is
//! iterative, since the expressions of unrolled programs are deep, and records every result for as
//! long as the session lasts.

use std::ops::Neg;

use ::z3::ast::{Array, Ast, BV, Bool, Dynamic};
use ::z3::{FuncDecl, Sort as Z3Sort};
use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{
    BinaryOp, CompareOp, Expression, Expressions, Function, Node, Sort, UnaryOp, VariableData,
};

use super::applications::Applied;
use super::z3::Session;

impl Session {
    pub(super) fn boolean(&mut self, expressions: &Expressions, expression: Expression) -> Bool {
        self.translate(expressions, expression).as_bool().expect("a Boolean expression")
    }

    pub(super) fn translate(&mut self, expressions: &Expressions, expression: Expression) -> Dynamic {
        for part in expressions.operands_first(expression, |part| self.terms.contains_key(&part)) {
            let term = self.node(expressions, part);
            self.terms.insert(part, term);
        }
        self.terms[&expression].clone()
    }

    /// The term of a node whose operands are translated.
    fn node(&mut self, expressions: &Expressions, expression: Expression) -> Dynamic {
        match expressions.node(expression) {
            Node::Boolean(value) => Bool::from_bool(*value).into(),
            Node::Bits(bits) => numeral(bits).into(),
            &Node::Variable(variable) => constant(&expressions.variables()[variable]),
            &Node::Not(a) => self.term_boolean(a).not().into(),
            Node::And(all) => Bool::and(&self.term_booleans(all)).into(),
            Node::Or(all) => Bool::or(&self.term_booleans(all)).into(),
            &Node::Equal(a, b) => {
                self.maps_as_wholes |= matches!(expressions.sort(a), Sort::Map { .. });
                self.terms[&a].eq(&self.terms[&b]).into()
            }
            &Node::IfThenElse(c, a, b) => self.term_boolean(c).ite(&self.terms[&a], &self.terms[&b]),
            Node::Sum(constant, terms) => self.sum(constant, terms).into(),
            &Node::Unary(UnaryOp::Not, a) => self.term_bits(a).bvnot().into(),
            &Node::Binary(op, a, b) => self.binary(op, a, b).into(),
            &Node::Compare(op, a, b) => self.compare(op, a, b).into(),
            &Node::ZeroExtend(a) => {
                let more = expressions.width(expression) - expressions.width(a);
                self.term_bits(a).zero_ext(more).into()
            }
            &Node::SignExtend(a) => {
                let more = expressions.width(expression) - expressions.width(a);
                self.term_bits(a).sign_ext(more).into()
            }
            &Node::Extract(high, low, a) => self.term_bits(a).extract(high, low).into(),
            &Node::Concat(a, b) => self.term_bits(a).concat(self.term_bits(b)).into(),
            &Node::Select(map, index) => self.element(expressions, expression, map, index),
            &Node::Store(map, index, value) => {
                self.term_map(map).store(&self.terms[&index], &self.terms[&value]).into()
            }
            Node::Apply(function, arguments) => self.application(expressions, expression, *function, arguments),
        }
    }

    fn application(
        &mut self,
        expressions: &Expressions,
        user: Expression,
        function: Function,
        arguments: &[Expression],
    ) -> Dynamic {
        let declared = self.functions.entry(function).or_insert_with(|| {
            let data = &expressions.functions()[function];
            let domain: Vec<Z3Sort> = data.parameters.iter().map(|&sort| z3_sort(sort)).collect();
            let domain: Vec<&Z3Sort> = domain.iter().collect();
            FuncDecl::new(data.name.as_str(), &domain, &z3_sort(data.result))
        });
        let terms: Vec<&dyn Ast> = arguments.iter().map(|argument| &self.terms[argument] as &dyn Ast).collect();
        let native = declared.apply(&terms);
        self.maps_as_wholes |= arguments.iter().any(|&argument| matches!(expressions.sort(argument), Sort::Map { .. }));
        if arguments.is_empty() {
            return native;
        }
        let arguments: Vec<(Expression, Dynamic)> =
            arguments.iter().map(|&argument| (argument, self.terms[&argument].clone())).collect();
        self.applications.constant(user, Applied::Function(function), &arguments, native)
    }

    /// The element of a map, unfolded down to elements of variables.
    fn element(&mut self, expressions: &Expressions, user: Expression, map: Expression, index: Expression) -> Dynamic {
        if let Some(known) = self.applications.unfolded(user, map, index) {
            return known;
        }
        let at = self.terms[&index].clone();
        // Each level is a separate user, so that shared parts are unfolded once.
        match *expressions.node(map) {
            Node::Store(inner, changed, value) => {
                let otherwise = self.element(expressions, user, inner, index);
                let element = self.terms[&changed].eq(&at).ite(&self.terms[&value], &otherwise);
                self.applications.remember(map, index, &[inner], element)
            }
            Node::IfThenElse(condition, then, otherwise) => {
                let first = self.element(expressions, user, then, index);
                let second = self.element(expressions, user, otherwise, index);
                let element = self.term_boolean(condition).ite(&first, &second);
                self.applications.remember(map, index, &[then, otherwise], element)
            }
            _ => {
                let native = self.term_map(map).select(&at);
                self.applications.constant(user, Applied::Map(map), &[(index, at)], native)
            }
        }
    }

    fn term_boolean(&self, expression: Expression) -> Bool {
        self.terms[&expression].as_bool().expect("a Boolean expression")
    }

    fn term_booleans(&self, all: &[Expression]) -> Vec<Bool> {
        all.iter().map(|&part| self.term_boolean(part)).collect()
    }

    fn term_bits(&self, expression: Expression) -> BV {
        self.terms[&expression].as_bv().expect("a bit-vector expression")
    }

    fn term_map(&self, expression: Expression) -> Array {
        self.terms[&expression].as_array().expect("a map expression")
    }

    fn sum(&self, constant: &Bits, terms: &[(Bits, Expression)]) -> BV {
        let mut total = (!constant.is_zero()).then(|| numeral(constant));
        for (coefficient, term) in terms {
            let term = self.term_bits(*term);
            let (negative, product) = if coefficient.is_one() {
                (false, term)
            } else if coefficient.is_ones() {
                (true, term)
            } else {
                (false, numeral(coefficient).bvmul(&term))
            };
            total = Some(match total {
                None if negative => product.neg(),
                None => product,
                Some(total) if negative => total.bvsub(&product),
                Some(total) => total.bvadd(&product),
            });
        }
        total.unwrap_or_else(|| numeral(constant))
    }

    fn binary(&self, op: BinaryOp, a: Expression, b: Expression) -> BV {
        let (a, b) = (self.term_bits(a), self.term_bits(b));
        match op {
            BinaryOp::Multiply => a.bvmul(&b),
            BinaryOp::UnsignedDivide => a.bvudiv(&b),
            BinaryOp::SignedDivide => a.bvsdiv(&b),
            BinaryOp::UnsignedRemainder => a.bvurem(&b),
            BinaryOp::SignedRemainder => a.bvsrem(&b),
            BinaryOp::ShiftLeft => a.bvshl(&b),
            BinaryOp::LogicalShiftRight => a.bvlshr(&b),
            BinaryOp::ArithmeticShiftRight => a.bvashr(&b),
            BinaryOp::And => a.bvand(&b),
            BinaryOp::Or => a.bvor(&b),
            BinaryOp::Xor => a.bvxor(&b),
        }
    }

    fn compare(&self, op: CompareOp, a: Expression, b: Expression) -> Bool {
        let (a, b) = (self.term_bits(a), self.term_bits(b));
        match op {
            CompareOp::UnsignedLess => a.bvult(&b),
            CompareOp::UnsignedLessEqual => a.bvule(&b),
            CompareOp::SignedLess => a.bvslt(&b),
            CompareOp::SignedLessEqual => a.bvsle(&b),
        }
    }
}

fn numeral(bits: &Bits) -> BV {
    match bits.to_u64() {
        Some(small) => BV::from_u64(small, bits.width()),
        None => BV::from_str(bits.width(), &bits.unsigned().to_string()).expect("a numeral of decimal digits"),
    }
}

fn constant(data: &VariableData) -> Dynamic {
    Dynamic::new_const(data.name.as_str(), &z3_sort(data.sort))
}

fn z3_sort(sort: Sort) -> Z3Sort {
    match sort {
        Sort::Boolean => Z3Sort::bool(),
        Sort::Bits(width) => Z3Sort::bitvector(width),
        Sort::Map { index, element } => Z3Sort::array(&Z3Sort::bitvector(index), &Z3Sort::bitvector(element)),
    }
}
