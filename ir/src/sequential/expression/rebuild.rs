//! Rebuilds expressions from other operands, and searches their parts.

use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{BinaryOp, Expression, Expressions, Node, Variable};

/// The extent of a walk through an expression at one of its parts.
enum Visit {
    /// The part is skipped, with everything in it.
    Skip,
    /// The part is visited, and nothing in it.
    Alone,
    /// Everything in the part is visited, and then the part.
    Whole,
}

impl Expressions {
    /// The expression and all its parts, each once, operands first. Known parts are left out with
    /// everything in them.
    pub fn operands_first(&self, expression: Expression, is_known: impl Fn(Expression) -> bool) -> Vec<Expression> {
        self.walk(expression, |part| if is_known(part) { Visit::Skip } else { Visit::Whole })
    }

    /// An explicit stack: expressions of unrolled programs are deep.
    fn walk(&self, expression: Expression, visit: impl Fn(Expression) -> Visit) -> Vec<Expression> {
        enum Step {
            Enter(Expression),
            Leave(Expression),
        }
        let mut order = Vec::new();
        let mut entered = FxHashSet::default();
        let mut stack = vec![Step::Enter(expression)];
        while let Some(step) = stack.pop() {
            match step {
                Step::Leave(part) => order.push(part),
                Step::Enter(part) if entered.contains(&part) => {}
                Step::Enter(part) => match visit(part) {
                    Visit::Skip => {}
                    Visit::Alone => {
                        entered.insert(part);
                        order.push(part);
                    }
                    Visit::Whole => {
                        entered.insert(part);
                        stack.push(Step::Leave(part));
                        self.for_each_operand(part, |operand| stack.push(Step::Enter(operand)));
                    }
                },
            }
        }
        order
    }

    /// The expression with a replacement in place of each outermost part that has one.
    ///
    /// `memo` caches replacements from one call to the next, under the same rule.
    pub fn replace(
        &mut self,
        expression: Expression,
        is_replaced: impl Fn(&Self, Expression) -> bool,
        mut replacement: impl FnMut(&mut Self, Expression) -> Expression,
        memo: &mut FxHashMap<Expression, Expression>,
    ) -> Expression {
        let parts = self.walk(expression, |part| match () {
            () if memo.contains_key(&part) => Visit::Skip,
            () if is_replaced(self, part) => Visit::Alone,
            () => Visit::Whole,
        });
        for part in parts {
            let instead = if is_replaced(self, part) {
                replacement(self, part)
            } else {
                self.rebuild(part, |operand| memo[&operand])
            };
            memo.insert(part, instead);
        }
        memo[&expression]
    }

    /// `expression` with each variable replaced according to `map`; variables that it does not name
    /// stay.
    ///
    /// `memo` caches results from one call to the next, under the same `map`.
    pub fn substitute(
        &mut self,
        expression: Expression,
        map: &FxHashMap<Variable, Expression>,
        memo: &mut FxHashMap<Expression, Expression>,
    ) -> Expression {
        for part in self.operands_first(expression, |part| memo.contains_key(&part)) {
            let rebuilt = match self.node(part) {
                Node::Variable(variable) => map.get(variable).copied().unwrap_or(part),
                _ => self.rebuild(part, |operand| memo[&operand]),
            };
            memo.insert(part, rebuilt);
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

    /// Whether a matching part occurs in one of some expressions; each shared part is visited once.
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

    /// Whether a product of two non-constant numbers occurs.
    pub fn multiplies_unknowns(&self, within: &[Expression]) -> bool {
        self.occurs(within, |node| matches!(node, Node::Binary(BinaryOp::Multiply, ..)))
    }

    /// Whether a product of two non-constants occurs, or a division that is no shift or mask.
    pub fn multiplies_or_divides(&self, within: &[Expression]) -> bool {
        self.occurs(within, |node| self.is_product_or_division(node))
    }

    /// Whether this is a product of two non-constants, or a division that is no shift or mask.
    pub fn is_product_or_division(&self, node: &Node) -> bool {
        let Node::Binary(op, _, by) = *node else { return false };
        match op {
            BinaryOp::Multiply => true,
            BinaryOp::UnsignedDivide
            | BinaryOp::SignedDivide
            | BinaryOp::UnsignedRemainder
            | BinaryOp::SignedRemainder => self.as_bits(by).is_none_or(|bits| bits.power_of_two().is_none()),
            _ => false,
        }
    }

    /// Calls `visit` once on each variable that occurs in `expression`, in an unspecified but
    /// repeatable order.
    pub fn for_each_variable(&self, expression: Expression, mut visit: impl FnMut(Variable)) {
        self.for_each_part(expression, |part| {
            if let Node::Variable(variable) = self.node(part) {
                visit(*variable);
            }
        });
    }

    /// Visits an expression and all its parts, each once.
    pub fn for_each_part(&self, expression: Expression, mut visit: impl FnMut(Expression)) {
        let mut seen = cranelift_entity::EntitySet::with_capacity(expression.index() + 1);
        let mut stack = vec![expression];
        while let Some(top) = stack.pop() {
            if !seen.insert(top) {
                continue;
            }
            visit(top);
            self.for_each_operand(top, |operand| stack.push(operand));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Role, Sort};
    use super::*;

    fn inputs(e: &mut Expressions) -> [Expression; 2] {
        ["x", "y"].map(|name| {
            let variable = e.add_variable(name, Sort::Bits(8), None, Role::Input);
            e.variable(variable)
        })
    }

    #[test]
    fn operands_come_first_and_once() {
        let mut e = Expressions::new();
        let [x, y] = inputs(&mut e);
        let product = e.multiply(x, y);
        let sum = e.add(product, x);
        let less = e.compare(super::super::CompareOp::UnsignedLess, product, sum);
        let order = e.operands_first(less, |_| false);
        let place = |part| order.iter().position(|&other| other == part).expect("it is visited");
        assert_eq!(order.len(), 5, "{order:?}");
        for (operand, of) in [(x, product), (y, product), (product, sum), (x, sum), (product, less), (sum, less)] {
            assert!(place(operand) < place(of), "{order:?}");
        }
        assert_eq!(e.operands_first(less, |part| part == product), [x, sum, less]);
        assert_eq!(e.operands_first(less, |part| part == less), []);
    }

    #[test]
    fn the_outermost_parts_are_replaced() {
        let mut e = Expressions::new();
        let [x, y] = inputs(&mut e);
        let inner = e.multiply(x, y);
        let outer = e.multiply(inner, x);
        let whole = e.add(outer, y);
        let mut replaced = Vec::new();
        let mut memo = FxHashMap::default();
        let is_product = |e: &Expressions, part| matches!(e.node(part), Node::Binary(BinaryOp::Multiply, ..));
        for _ in 0..2 {
            let simple = e.replace(whole, is_product, |_, part| (replaced.push(part), x).1, &mut memo);
            assert_eq!(simple, e.add(x, y));
        }
        assert_eq!(replaced, [outer], "once, and nothing in it");
    }
}
