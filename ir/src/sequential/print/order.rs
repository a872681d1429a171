//! The order in which operands of commutative operators are printed, which depends on the program
//! alone.

use cranelift_entity::SecondaryMap;

use crate::bits::Bits;
use crate::sequential::{Expression, Expressions, Node, Sort, UnaryOp};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    first_variable: u32,
    size: u32,
    shape: u64,
}

pub(super) struct Order<'a> {
    pub(super) expressions: &'a Expressions,
    keys: SecondaryMap<Expression, Option<Key>>,
}

impl<'a> Order<'a> {
    pub(super) fn new(expressions: &'a Expressions) -> Self {
        Self { expressions, keys: SecondaryMap::new() }
    }

    /// The operands in the order in which they are printed.
    pub(super) fn operands(&self, expression: Expression) -> Vec<Expression> {
        let mut operands = Vec::new();
        self.expressions.for_each_operand(expression, |operand| operands.push(operand));
        if self.commutes(expression) {
            operands.sort_by_key(|&operand| self.key(operand));
        }
        operands
    }

    fn commutes(&self, expression: Expression) -> bool {
        match self.expressions.node(expression) {
            Node::And(_) | Node::Or(_) | Node::Equal(..) | Node::Sum(..) => true,
            Node::Binary(op, ..) => op.commutes(),
            _ => false,
        }
    }

    pub(super) fn key(&self, expression: Expression) -> Key {
        self.keys[expression].expect("keys are computed before they are compared")
    }

    /// Computes the keys of `root` and everything in it.
    pub(super) fn compute(&mut self, root: Expression) {
        for part in self.expressions.operands_first(root, |part| self.keys[part].is_some()) {
            self.keys[part] = Some(self.compute_one(part));
        }
    }

    fn compute_one(&self, expression: Expression) -> Key {
        let mut key = Key { first_variable: u32::MAX, size: 1, shape: 0 };
        let mut shapes = Vec::new();
        self.expressions.for_each_operand(expression, |operand| {
            let operand = self.key(operand);
            key.first_variable = key.first_variable.min(operand.first_variable);
            key.size = key.size.saturating_add(operand.size);
            shapes.push(operand.shape);
        });
        let node = self.expressions.node(expression);
        let mut tags = vec![tag(node)];
        match node {
            Node::Boolean(value) => tags.push(u64::from(*value)),
            Node::Bits(bits) => tags.extend(words(bits)),
            Node::Variable(variable) => {
                key.first_variable = variable.as_u32();
                tags.push(u64::from(variable.as_u32()));
            }
            Node::Sum(constant, terms) => {
                tags.extend(words(constant));
                for ((coefficient, _), shape) in terms.iter().zip(&mut shapes) {
                    *shape = mix(words(coefficient).chain([*shape]));
                }
            }
            Node::Binary(op, ..) => tags.push(*op as u64),
            Node::Compare(op, ..) => tags.push(*op as u64),
            Node::Extract(high, low, _) => tags.extend([u64::from(*high), u64::from(*low)]),
            Node::Apply(function, _) => tags.push(u64::from(function.as_u32())),
            Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Equal(..)
            | Node::IfThenElse(..)
            | Node::Unary(UnaryOp::Not, _)
            | Node::ZeroExtend(_)
            | Node::SignExtend(_)
            | Node::Concat(..)
            | Node::Select(..)
            | Node::Store(..) => {}
        }
        if let Sort::Bits(width) = self.expressions.sort(expression) {
            tags.push(u64::from(width));
        }
        if self.commutes(expression) {
            shapes.sort_unstable();
        }
        key.shape = mix(tags.into_iter().chain(shapes));
        key
    }
}

fn tag(node: &Node) -> u64 {
    match node {
        Node::Boolean(_) => 0,
        Node::Bits(_) => 1,
        Node::Variable(_) => 2,
        Node::Not(_) => 3,
        Node::And(_) => 4,
        Node::Or(_) => 5,
        Node::Equal(..) => 6,
        Node::IfThenElse(..) => 7,
        Node::Sum(..) => 8,
        Node::Unary(UnaryOp::Not, _) => 9,
        Node::Binary(..) => 10,
        Node::Compare(..) => 11,
        Node::ZeroExtend(_) => 12,
        Node::SignExtend(_) => 13,
        Node::Extract(..) => 14,
        Node::Concat(..) => 15,
        Node::Select(..) => 16,
        Node::Store(..) => 17,
        Node::Apply(..) => 18,
    }
}

fn words(bits: &Bits) -> impl Iterator<Item = u64> {
    bits.unsigned().iter_u64_digits().chain([u64::from(bits.width())])
}

/// One number for a sequence, the same on every machine.
fn mix(words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().fold(0x9E37_79B9_7F4A_7C15, |state, word| {
        let mut mixed = (state ^ word).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^= mixed >> 29;
        mixed = mixed.wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 32)
    })
}
