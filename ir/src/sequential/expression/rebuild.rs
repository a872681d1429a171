//! Expressions made again from other operands, and what occurs in them.

use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{BinaryOp, Expression, Expressions, Node, Variable};

impl Expressions {
    /// `expression` with each variable replaced by what `map` says; variables it does not name stay.
    ///
    /// `memo` carries results from one call to the next under the same `map`.
    pub fn substitute(
        &mut self,
        expression: Expression,
        map: &FxHashMap<Variable, Expression>,
        memo: &mut FxHashMap<Expression, Expression>,
    ) -> Expression {
        // An explicit stack: expressions of unrolled programs are deep.
        let mut stack = vec![expression];
        while let Some(&top) = stack.last() {
            if memo.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            self.for_each_operand(top, |operand| {
                if !memo.contains_key(&operand) {
                    stack.push(operand);
                }
            });
            if stack.len() > before {
                continue;
            }
            let rebuilt = match self.node(top) {
                Node::Variable(variable) => map.get(variable).copied().unwrap_or(top),
                _ => self.rebuild(top, |operand| memo[&operand]),
            };
            memo.insert(top, rebuilt);
            stack.pop();
        }
        memo[&expression]
    }

    /// The expression with each direct operand replaced, simplified again.
    pub fn rebuild(&mut self, expression: Expression, map: impl Fn(Expression) -> Expression) -> Expression {
        match self.node(expression).clone() {
            Node::Boolean(_) | Node::Bits(_) | Node::Variable(_) => expression,
            Node::Not(a) => self.not(map(a)),
            Node::And(all) => self.and(all.iter().map(|&part| map(part)).collect::<Vec<_>>()),
            Node::Or(all) => self.or(all.iter().map(|&part| map(part)).collect::<Vec<_>>()),
            Node::Equal(a, b) => self.equal(map(a), map(b)),
            Node::IfThenElse(a, b, c) => self.if_then_else(map(a), map(b), map(c)),
            Node::Sum(constant, terms) => {
                let terms = terms.iter().map(|(coefficient, term)| (coefficient.clone(), map(*term))).collect();
                self.sum(constant, terms)
            }
            Node::Unary(op, a) => self.unary(op, map(a)),
            Node::Binary(op, a, b) => self.binary(op, map(a), map(b)),
            Node::Compare(op, a, b) => self.compare(op, map(a), map(b)),
            Node::ZeroExtend(a) => {
                let width = self.width(expression);
                self.zero_extend(width, map(a))
            }
            Node::SignExtend(a) => {
                let width = self.width(expression);
                self.sign_extend(width, map(a))
            }
            Node::Extract(high, low, a) => self.extract(high, low, map(a)),
            Node::Concat(a, b) => self.concat(map(a), map(b)),
            Node::Select(a, b) => self.select(map(a), map(b)),
            Node::Store(a, b, c) => self.store(map(a), map(b), map(c)),
            Node::Apply(function, arguments) => {
                self.apply(function, arguments.iter().map(|&argument| map(argument)).collect())
            }
        }
    }

    /// Whether something like this occurs in one of some expressions; each that they share is looked at once.
    pub fn occurs(&self, within: &[Expression], is_it: impl Fn(&Node) -> bool) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = within.to_vec();
        while let Some(top) = stack.pop() {
            if !seen.insert(top) {
                continue;
            }
            if is_it(self.node(top)) {
                return true;
            }
            self.for_each_operand(top, |operand| stack.push(operand));
        }
        false
    }

    /// Whether a product of two numbers neither of which is a constant occurs.
    pub fn multiplies_unknowns(&self, within: &[Expression]) -> bool {
        self.occurs(within, |node| matches!(node, Node::Binary(BinaryOp::Multiply, ..)))
    }

    /// Calls `visit` on each variable that occurs in `expression`, once each, in no particular but a
    /// repeatable order.
    pub fn for_each_variable(&self, expression: Expression, mut visit: impl FnMut(Variable)) {
        let mut seen = cranelift_entity::EntitySet::with_capacity(expression.index() + 1);
        let mut stack = vec![expression];
        while let Some(top) = stack.pop() {
            if !seen.insert(top) {
                continue;
            }
            if let Node::Variable(variable) = self.node(top) {
                visit(*variable);
            }
            self.for_each_operand(top, |operand| stack.push(operand));
        }
    }
}
