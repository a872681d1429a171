//! The facts that matter for a goal.
//!
//! A fact matters if it shares a symbol with the goal, directly or through other facts. Facts share
//! most of their subexpressions, so listing the symbols of each would go through the same
//! expressions again and again. Instead, the expressions are gone through as one graph: down from
//! the goal to its symbols, up from these to the facts that mention them, down from those, and so
//! on. Each expression is visited at most once in each direction.

use cranelift_entity::SecondaryMap;
use lockstep_ir::sequential::{Expression, Expressions, Function, Node};
use rustc_hash::FxHashMap;

/// The graph of the expressions that occurred in questions.
#[derive(Debug, Default)]
pub struct Relevance {
    /// The expressions that have an expression as an operand.
    above: SecondaryMap<Expression, Vec<Expression>>,
    is_known: SecondaryMap<Expression, bool>,
    /// Whether a variable or a function is in an expression.
    has_symbols: SecondaryMap<Expression, bool>,
    /// The applications of each function.
    applications: FxHashMap<Function, Vec<Expression>>,
    /// The number of the question for which an expression was last visited, downwards and upwards.
    visited: [SecondaryMap<Expression, u32>; 2],
    question: u32,
}

const DOWN: usize = 0;
const UP: usize = 1;

impl Relevance {
    /// The facts that share symbols with the goal, directly or through others, in their order.
    pub fn of(&mut self, expressions: &Expressions, facts: &[Expression], goal: Expression) -> Vec<Expression> {
        for &expression in facts.iter().chain([&goal]) {
            self.add(expressions, expression);
        }
        self.question += 1;
        let mut positions: FxHashMap<Expression, Vec<usize>> = FxHashMap::default();
        for (index, fact) in facts.iter().enumerate() {
            positions.entry(*fact).or_default().push(index);
        }
        // Facts without symbols are false: simplification leaves no others.
        let mut kept: Vec<bool> = facts.iter().map(|fact| !self.has_symbols[*fact]).collect();
        let mut down = vec![goal];
        let mut up: Vec<Expression> = Vec::new();
        loop {
            if let Some(top) = down.pop() {
                if !self.visits(DOWN, top) {
                    continue;
                }
                match expressions.node(top) {
                    Node::Variable(_) => up.push(top),
                    Node::Apply(function, _) => {
                        up.extend(self.applications.get(function).into_iter().flatten().copied());
                    }
                    _ => {}
                }
                expressions.for_each_operand(top, |operand| down.push(operand));
            } else if let Some(top) = up.pop() {
                if !self.visits(UP, top) {
                    continue;
                }
                up.extend_from_slice(&self.above[top]);
                let here = positions.get(&top).map_or(&[][..], Vec::as_slice);
                for &index in here {
                    kept[index] = true;
                }
                down.extend(here.first().map(|_| top));
            } else {
                break;
            }
        }
        facts.iter().zip(kept).filter(|(_, kept)| *kept).map(|(fact, _)| *fact).collect()
    }

    /// Whether an expression is visited for the first time for this question.
    fn visits(&mut self, direction: usize, expression: Expression) -> bool {
        std::mem::replace(&mut self.visited[direction][expression], self.question) != self.question
    }

    /// Adds an expression with its operands to the graph.
    fn add(&mut self, expressions: &Expressions, expression: Expression) {
        // An expression is followed by those whose operand it is: those above come last.
        let mut stack = vec![(expression, false)];
        while let Some((top, are_operands_known)) = stack.pop() {
            if are_operands_known {
                let mut has_symbols = matches!(expressions.node(top), Node::Variable(_) | Node::Apply(..));
                expressions.for_each_operand(top, |operand| has_symbols |= self.has_symbols[operand]);
                self.has_symbols[top] = has_symbols;
                continue;
            }
            if std::mem::replace(&mut self.is_known[top], true) {
                continue;
            }
            if let Node::Apply(function, _) = expressions.node(top) {
                self.applications.entry(*function).or_default().push(top);
            }
            stack.push((top, true));
            expressions.for_each_operand(top, |operand| {
                self.above[operand].push(top);
                stack.push((operand, false));
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use lockstep_ir::sequential::{Role, Sort};

    use super::*;

    #[test]
    fn facts_are_those_that_share_symbols() {
        let mut e = Expressions::default();
        let mut relevance = Relevance::default();
        let variable = |e: &mut Expressions, name: &str| {
            let variable = e.add_variable(name, Sort::Bits(8), None, Role::Input);
            e.variable(variable)
        };
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| variable(&mut e, name));
        let [one, two] = [e.number(8, 1), e.number(8, 2)];
        let sum = e.add(a, b);
        // `a + b = 1`, `b = c`, `d = 2`, and a fact without symbols.
        let facts = [e.equal(sum, one), e.equal(b, c), e.equal(d, two), e.boolean(false)];
        let about = |relevance: &mut Relevance, e: &Expressions, goal| relevance.of(e, &facts, goal);
        let of_a = e.equal(a, two);
        assert_eq!(about(&mut relevance, &e, of_a), [facts[0], facts[1], facts[3]]);
        let of_d = e.equal(d, one);
        assert_eq!(about(&mut relevance, &e, of_d), [facts[2], facts[3]]);
        // Constants connect nothing.
        let of_none = e.boolean(true);
        assert_eq!(about(&mut relevance, &e, of_none), [facts[3]]);
    }
}
