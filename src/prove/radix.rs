//! Row-major indices: `y1·w + x1 = y2·w + x2` with `0 <= x1, x2 < w` means `y1 = y2` and `x1 = x2`.
//!
//! A solver for bit-vectors that is not told needs very long to find out: the products of unknowns have to be taken
//! apart bit by bit. So the fact is instantiated for products in a question that the source promises not to overflow
//! ([`crate::lockstep`] writes that as bounds on the product of the factors, sign-extended). For each pair of sums
//!
//! ```text
//!     S1 = a1·w + r1,  S2 = a2·w + r2        modulo 2^n
//! ```
//!
//! the instance is
//!
//! ```text
//!     least <= a1·w, a2·w <= most            computed with 2n bits or more
//!     ∧ a1·w <= S1 ∧ a2·w <= S2              signed, with n bits
//!     ∧ 0 <= r1 < w ∧ 0 <= r2 < w            signed
//!     ∧ S1 = S2
//!     → a1 = a2 ∧ r1 = r2
//! ```
//!
//! It is **valid**, whatever else holds: the first line makes both products the mathematical ones. A product plus a
//! number that is not negative either is the mathematical sum or wraps once, below the product, which the second line
//! excludes. So `a1·w + r1 = a2·w + r2` as whole numbers, `w` is positive, and both remainders of the division by
//! `w` are `r1 = r2`, both quotients `a1 = a2`. A valid fact can be added to any question.
//!
//! With the instances at hand a proof seldom needs to know what the products are. So the question is asked with
//! unknowns in their place first ([`Radix::without_products`]): whatever cannot be so for any numbers cannot be so for
//! the products.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{BinaryOp, CompareOp, Expression, Expressions, Node, Role, Sort};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most instances added to one question.
const MOST: usize = 48;

/// A sum `row·width + column`, in which the product is promised not to overflow.
struct Index {
    row: Expression,
    width: Expression,
    /// The product in the sum's width.
    product: Expression,
    sum: Expression,
    column: Expression,
    /// The product with twice the bits or more.
    wide: Expression,
}

/// Questions without their products.
#[derive(Debug, Default)]
pub struct Radix {
    /// What each expression is with unknowns in place of products.
    replaced: FxHashMap<Expression, Expression>,
}

impl Radix {
    /// A part of a question with an unknown in place of each product of two that are no constants, always the same for
    /// the same product.
    pub fn without_products(&mut self, e: &mut Expressions, part: Expression) -> Expression {
        let mut stack = vec![part];
        while let Some(&top) = stack.last() {
            if self.replaced.contains_key(&top) {
                stack.pop();
                continue;
            }
            let replaced = if let Node::Binary(BinaryOp::Multiply, ..) = e.node(top) {
                let unknown = e.add_variable("product", e.sort(top), None, Role::Value);
                e.variable(unknown)
            } else {
                let before = stack.len();
                e.for_each_operand(top, |operand| {
                    if !self.replaced.contains_key(&operand) {
                        stack.push(operand);
                    }
                });
                if stack.len() > before {
                    continue;
                }
                e.rebuild(top, |operand| self.replaced[&operand])
            };
            self.replaced.insert(top, replaced);
            stack.pop();
        }
        self.replaced[&part]
    }
}

/// The instances that may help with a question, given all its parts.
pub fn instances(e: &mut Expressions, parts: &[Expression]) -> Vec<Expression> {
    let nodes = nodes(e, parts);
    let indices = indices(e, &nodes);
    let mut instances = Vec::new();
    for (position, first) in indices.iter().enumerate() {
        for second in &indices[position + 1..] {
            let comparable = first.width == second.width && first.sum != second.sum && first.row != second.row;
            if comparable && instances.len() < MOST {
                instances.push(instance(e, first, second));
            }
        }
    }
    instances
}

/// Whether a product of two unknowns with room for the whole result occurs.
pub fn has_promises(e: &mut Expressions, parts: &[Expression]) -> bool {
    nodes(e, parts).into_iter().any(|node| factors(e, node).is_some())
}

/// All expressions that occur, in a repeatable order.
fn nodes(e: &Expressions, parts: &[Expression]) -> Vec<Expression> {
    let mut seen = FxHashSet::default();
    let mut stack = parts.to_vec();
    while let Some(top) = stack.pop() {
        if seen.insert(top) {
            e.for_each_operand(top, |operand| stack.push(operand));
        }
    }
    let mut nodes: Vec<Expression> = seen.into_iter().collect();
    nodes.sort_unstable();
    nodes
}

fn indices(e: &mut Expressions, nodes: &[Expression]) -> Vec<Index> {
    let mut indices = Vec::new();
    let wide: Vec<Expression> =
        nodes.iter().copied().filter(|&node| matches!(e.node(node), Node::Binary(BinaryOp::Multiply, ..))).collect();
    for wide in wide {
        let Some((a, b)) = factors(e, wide) else { continue };
        let product = e.multiply(a, b);
        for &sum in nodes {
            if e.sort(sum) != e.sort(product) || !(sum == product || matches!(e.node(sum), Node::Sum(..))) {
                continue;
            }
            let column = e.subtract(sum, product);
            if terms(e, column) + terms(e, product) != terms(e, sum) {
                continue;
            }
            for (row, width) in [(a, b), (b, a)] {
                indices.push(Index { row, width, product, sum, column, wide });
            }
        }
    }
    indices
}

/// The factors of a product of two sign-extended numbers, before the extension, which leaves room for the product.
fn factors(e: &mut Expressions, wide: Expression) -> Option<(Expression, Expression)> {
    let &Node::Binary(BinaryOp::Multiply, a, b) = e.node(wide) else { return None };
    let narrow = |e: &Expressions, factor| match e.node(factor) {
        &Node::SignExtend(inner) => Some(e.width(inner)),
        _ => None,
    };
    let width = narrow(e, a).max(narrow(e, b))?;
    if e.width(wide) < 2 * width {
        return None;
    }
    let mut factor = |extended: Expression| match *e.node(extended) {
        Node::SignExtend(inner) if e.width(inner) == width => Some(inner),
        // Zero-extended further by a sign extension: the sign is clear.
        Node::ZeroExtend(inner) if e.width(inner) < width => Some(e.zero_extend(width, inner)),
        _ => None,
    };
    Some((factor(a)?, factor(b)?))
}

/// The number of terms besides the constant.
fn terms(e: &Expressions, expression: Expression) -> usize {
    match e.node(expression) {
        Node::Bits(_) => 0,
        Node::Sum(_, terms) => terms.len(),
        _ => 1,
    }
}

fn instance(e: &mut Expressions, first: &Index, second: &Index) -> Expression {
    let mut premises = vec![e.equal(first.sum, second.sum)];
    for index in [first, second] {
        let width = e.width(index.sum);
        let (most, least) =
            (Bits::ones(width - 1).zero_extend(width), Bits::one(width).shl(&Bits::new(width, width - 1)));
        let Sort::Bits(bits) = e.sort(index.wide) else { continue };
        let (most, least) = (e.bits(most.sign_extend(bits)), e.bits(least.sign_extend(bits)));
        let zero = e.number(width, 0);
        premises.extend([
            e.compare(CompareOp::SignedLessEqual, least, index.wide),
            e.compare(CompareOp::SignedLessEqual, index.wide, most),
            e.compare(CompareOp::SignedLessEqual, index.product, index.sum),
            e.compare(CompareOp::SignedLessEqual, zero, index.column),
            e.compare(CompareOp::SignedLess, index.column, index.width),
        ]);
    }
    let rows = e.equal(first.row, second.row);
    let columns = e.equal(first.column, second.column);
    let premise = e.and(premises);
    let conclusion = e.and([rows, columns]);
    e.implies(premise, conclusion)
}
