//! A relaxation of a question: unknowns in place of products, quotients and remainders.
//!
//! The same product is the same unknown everywhere. Products and divisions by powers of two are no
//! work for a solver and stay.
//!
//! The relaxation keeps bounds of a quotient `x / n` and of a remainder `x % n`, as facts about
//! the unknown: a remainder is below its divisor, and neither exceeds the dividend. These facts
//! hold in unsigned divisions with `n != 0`, and in signed ones with `x >= 0` and `n > 0`, where
//! both agree. They hold for the true values, so whatever satisfies the question satisfies the
//! relaxation.

use lockstep_ir::sequential::{BinaryOp, CompareOp, Expression, Expressions, Node, Role, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

/// Questions over the expressions of one arena, with unknowns in place of products.
#[derive(Debug, Default)]
pub struct Opaque {
    /// Each expression with unknowns in place of products.
    known: FxHashMap<Expression, Expression>,
    /// The expression that each unknown stands for.
    meaning: FxHashMap<Variable, Expression>,
    /// The facts about each unknown, made when they are first needed.
    facts: FxHashMap<Variable, Vec<Expression>>,
}

impl Opaque {
    /// A question without products, quotients and remainders, and the facts about its unknowns.
    pub fn question(&mut self, e: &mut Expressions, parts: &[Expression]) -> Vec<Expression> {
        let mut relaxed: Vec<Expression> = parts.iter().map(|&part| self.without_products(e, part)).collect();
        let mut seen = FxHashSet::default();
        let mut next = 0;
        // The facts about a quotient mention its dividend, which may be another unknown.
        while next < relaxed.len() {
            let mut unknowns = Vec::new();
            e.for_each_variable(relaxed[next], |variable| {
                if self.meaning.contains_key(&variable) && seen.insert(variable) {
                    unknowns.push(variable);
                }
            });
            for unknown in unknowns {
                relaxed.extend(self.facts_about(e, unknown));
            }
            next += 1;
        }
        relaxed
    }

    /// An expression with an unknown in place of each product of two non-constants, and of each
    /// quotient and remainder that is no shift or mask.
    pub fn without_products(&mut self, e: &mut Expressions, part: Expression) -> Expression {
        let is_product = |e: &Expressions, part| e.is_product_or_division(e.node(part));
        let meaning = &mut self.meaning;
        let unknown = |e: &mut Expressions, product| {
            let unknown = e.add_variable("product", e.sort(product), None, Role::Value);
            meaning.insert(unknown, product);
            e.variable(unknown)
        };
        e.replace(part, is_product, unknown, &mut self.known)
    }

    fn facts_about(&mut self, e: &mut Expressions, unknown: Variable) -> Vec<Expression> {
        if let Some(facts) = self.facts.get(&unknown) {
            return facts.clone();
        }
        let facts = match *e.node(self.meaning[&unknown]) {
            Node::Binary(op, x, n) => {
                let [x, n] = [x, n].map(|operand| self.without_products(e, operand));
                let unknown = e.variable(unknown);
                bounds(e, op, [x, n], unknown)
            }
            _ => Vec::new(),
        };
        self.facts.insert(unknown, facts.clone());
        facts
    }
}

/// The bounds of a quotient or remainder; nothing about a product.
fn bounds(e: &mut Expressions, op: BinaryOp, [x, n]: [Expression; 2], result: Expression) -> Vec<Expression> {
    let (signed, remainder) = match op {
        BinaryOp::UnsignedDivide => (false, false),
        BinaryOp::UnsignedRemainder => (false, true),
        BinaryOp::SignedDivide => (true, false),
        BinaryOp::SignedRemainder => (true, true),
        _ => return Vec::new(),
    };
    let zero = e.number(e.width(n), 0);
    let mut conditions = Vec::new();
    if signed {
        conditions.push(e.compare(CompareOp::SignedLess, zero, n));
        conditions.push(e.compare(CompareOp::SignedLessEqual, zero, x));
    } else {
        let is_zero = e.equal(n, zero);
        conditions.push(e.not(is_zero));
    }
    // Where the condition holds, signed and unsigned comparisons agree; the signed ones are those
    // that a program with signed divisions has.
    let (less, less_equal) = if signed {
        (CompareOp::SignedLess, CompareOp::SignedLessEqual)
    } else {
        (CompareOp::UnsignedLess, CompareOp::UnsignedLessEqual)
    };
    let mut claims = vec![e.compare(less_equal, result, x)];
    if signed {
        claims.push(e.compare(less_equal, zero, result));
    }
    if remainder {
        claims.push(e.compare(less, result, n));
    }
    let condition = e.and(conditions);
    claims.into_iter().map(|claim| e.implies(condition, claim)).collect()
}

#[cfg(test)]
mod tests {
    use lockstep_ir::sequential::Sort;

    use super::*;

    fn words<const N: usize>(e: &mut Expressions) -> [Expression; N] {
        std::array::from_fn(|index| {
            let variable = e.add_variable(&format!("x{index}"), Sort::Bits(8), None, Role::Input);
            e.variable(variable)
        })
    }

    #[test]
    fn the_same_product_is_the_same_unknown() {
        let mut e = Expressions::new();
        let [x, y, z] = words(&mut e);
        let product = e.binary(BinaryOp::Multiply, x, y);
        let (first, second) = (e.equal(product, z), e.equal(product, x));
        let relaxed = Opaque::default().question(&mut e, &[first, second]);
        let [Node::Equal(a, b), Node::Equal(c, d)] = [0, 1].map(|part| e.node(relaxed[part]).clone()) else { panic!() };
        assert!([a, b].iter().any(|side| [c, d].contains(side) && *side != product), "both mention one unknown");
        assert_eq!(relaxed.len(), 2, "nothing is known of a product");
    }

    #[test]
    fn quotients_of_quotients_keep_their_bounds() {
        let mut e = Expressions::new();
        let [x, n, m] = words(&mut e);
        let quotient = e.binary(BinaryOp::UnsignedDivide, x, n);
        let rest = e.binary(BinaryOp::UnsignedRemainder, quotient, m);
        let part = e.equal(rest, x);
        let relaxed = Opaque::default().question(&mut e, &[part]);
        // The remainder is at most the quotient and below m, and the quotient is at most x.
        assert_eq!(relaxed.len(), 4);
        assert!(!e.multiplies_or_divides(&relaxed));
    }

    /// The bounds hold of all quotients and remainders in 8 bits.
    #[test]
    fn bounds_hold_of_the_true_values() {
        for op in
            [BinaryOp::UnsignedDivide, BinaryOp::UnsignedRemainder, BinaryOp::SignedDivide, BinaryOp::SignedRemainder]
        {
            let mut e = Expressions::new();
            for x in 0..=255 {
                for n in 0..=255 {
                    let [a, b] = [x, n].map(|value| e.number(8, value));
                    let result = e.binary(op, a, b);
                    for fact in bounds(&mut e, op, [a, b], result) {
                        assert_eq!(e.as_boolean(fact), Some(true), "{op:?} of {x} and {n}");
                    }
                }
            }
        }
    }
}
