//! Functions and maps over integers.
//!
//! Arguments, indices and results are the unsigned numbers of their widths, so equal bits are equal
//! integers.

use ::z3::ast::{Ast, Dynamic, Int};
use ::z3::{FuncDecl, Sort as Z3Sort};
use lockstep_ir::sequential::{BinaryOp, Expression, Expressions, Function, Node, Sort};

use super::{Integers, Sign, Word, bounds, integer};

impl Integers {
    /// A function's value; `None` if an argument is a map.
    pub(super) fn application(
        &mut self,
        e: &Expressions,
        function: Function,
        arguments: &[Expression],
        result: &Z3Sort,
    ) -> Option<Dynamic> {
        let mut values: Vec<Dynamic> = Vec::new();
        for &argument in arguments {
            values.push(match e.sort(argument) {
                Sort::Boolean => self.booleans[&argument].clone().into(),
                Sort::Bits(_) => {
                    let argument = self.reduced(e, argument, Sign::Unsigned);
                    self.term(&argument).into()
                }
                Sort::Map { .. } => return None,
            });
        }
        let domain: Vec<Z3Sort> = values.iter().map(Ast::get_sort).collect();
        let domain: Vec<&Z3Sort> = domain.iter().collect();
        let name = format!("{}!i", e.functions()[function].name);
        let values: Vec<&dyn Ast> = values.iter().map(|value| value as &dyn Ast).collect();
        Some(FuncDecl::new(name, &domain, result).apply(&values))
    }

    /// The element of a map at an index, unfolded down to elements of variables.
    pub(super) fn element(&mut self, e: &Expressions, map: Expression, index: Expression, width: u32) -> Word {
        if let Some(known) = self.elements.get(&(map, index)) {
            return known.clone();
        }
        let word = match *e.node(map) {
            Node::Store(inner, changed, value) => {
                let otherwise = self.element(e, inner, index, width);
                let here = self.equality(e, changed, index);
                let value = self.words[&value].clone();
                self.either(&here, &value, &otherwise)
            }
            Node::IfThenElse(condition, then, otherwise) => {
                let (a, b) = (self.element(e, then, index, width), self.element(e, otherwise, index, width));
                let condition = self.booleans[&condition].clone();
                self.either(&condition, &a, &b)
            }
            Node::Variable(variable) => {
                let at = self.reduced(e, index, Sign::Unsigned);
                let name = format!("{}!m", e.variables()[variable].name);
                let map = FuncDecl::new(name, &[&Z3Sort::int()], &Z3Sort::int());
                let (low, high) = bounds(width, Sign::Unsigned);
                let at = self.term(&at);
                self.bounded(integer(map.apply(&[&at])), low, high)
            }
            _ => self.unknown_word(width),
        };
        self.elements.insert((map, index), word.clone());
        word
    }
}

/// The result of an operation that integers lack, as a function of its operands: equal operands
/// give equal results.
pub fn function_of_bits(op: BinaryOp, width: u32, a: &Int, b: &Int) -> Int {
    let int = Z3Sort::int();
    let function = FuncDecl::new(format!("{op:?}!{width}"), &[&int, &int], &int);
    integer(function.apply(&[a, b]))
}
