//! Connectives, equations and conditionals, which simplify as they are built.

use cranelift_entity::EntitySet;

use super::{Expression, Expressions, Node, Sort};
use crate::bits::Bits;

/// A conjunction or disjunction of this many parts is a single part in others.
const MOST_PARTS: usize = 256;

impl Expressions {
    /// `¬a`
    pub fn not(&mut self, a: Expression) -> Expression {
        match self.node(a) {
            Node::Boolean(value) => {
                let value = !value;
                self.boolean(value)
            }
            Node::Not(inner) => *inner,
            // ¬(x < y) is y ≤ x: comparisons stay positive.
            &Node::Compare(op, x, y) => self.compare(op.negated(), y, x),
            _ => self.intern(Node::Not(a), Sort::Boolean),
        }
    }

    /// The conjunction of all; true if there are none.
    pub fn and(&mut self, all: impl IntoIterator<Item = Expression>) -> Expression {
        self.junction(all, true)
    }

    /// The disjunction of all; false if there are none.
    pub fn or(&mut self, all: impl IntoIterator<Item = Expression>) -> Expression {
        self.junction(all, false)
    }

    /// The conjuncts of a condition, each once. The conjuncts of a disjunction are those that all
    /// its parts share.
    pub fn conjuncts(&self, condition: Expression) -> Vec<Expression> {
        let mut conjuncts = Vec::new();
        match self.node(condition) {
            Node::And(parts) => conjuncts.extend(parts.iter().flat_map(|&part| self.conjuncts(part))),
            Node::Or(parts) => {
                let mut common: Option<Vec<Expression>> = None;
                for &part in parts {
                    let own = self.conjuncts(part);
                    common = Some(match common {
                        None => own,
                        Some(common) => common.into_iter().filter(|one| own.contains(one)).collect(),
                    });
                }
                // The disjunction itself is a conjunct, unless its parts share everything that it
                // states.
                conjuncts = common.unwrap_or_default();
                if !conjuncts.contains(&condition) {
                    conjuncts.push(condition);
                }
            }
            _ => conjuncts.push(condition),
        }
        let mut seen = EntitySet::new();
        conjuncts.retain(|&conjunct| seen.insert(conjunct));
        conjuncts
    }

    fn junction(&mut self, all: impl IntoIterator<Item = Expression>, conjunction: bool) -> Expression {
        let mut parts = Vec::new();
        for part in all {
            match self.node(part) {
                Node::And(inner) if conjunction && inner.len() < MOST_PARTS => parts.extend_from_slice(inner),
                Node::Or(inner) if !conjunction && inner.len() < MOST_PARTS => parts.extend_from_slice(inner),
                Node::Boolean(value) if *value == conjunction => {}
                Node::Boolean(_) => return part,
                _ => parts.push(part),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        for &part in &parts {
            if let Node::Not(inner) = self.node(part)
                && parts.binary_search(inner).is_ok()
            {
                return self.boolean(!conjunction);
            }
        }
        match parts.as_slice() {
            [] => self.boolean(conjunction),
            [one] => *one,
            _ if conjunction => self.intern(Node::And(parts.into()), Sort::Boolean),
            _ => self.intern(Node::Or(parts.into()), Sort::Boolean),
        }
    }

    /// `a → b`
    pub fn implies(&mut self, a: Expression, b: Expression) -> Expression {
        let not_a = self.not(a);
        self.or([not_a, b])
    }

    /// `a = b`, of any one sort.
    pub fn equal(&mut self, a: Expression, b: Expression) -> Expression {
        assert_eq!(self.sort(a), self.sort(b), "equality needs one sort");
        if a == b {
            return self.boolean(true);
        }
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Bits(_), Node::Bits(_)) => self.boolean(false),
            (Node::Boolean(value), _) => {
                if value {
                    b
                } else {
                    self.not(b)
                }
            }
            (_, Node::Boolean(value)) => {
                if value {
                    a
                } else {
                    self.not(a)
                }
            }
            (Node::Not(x), _) if x == b => self.boolean(false),
            (_, Node::Not(y)) if y == a => self.boolean(false),
            (Node::ZeroExtend(x), Node::ZeroExtend(y)) | (Node::SignExtend(x), Node::SignExtend(y))
                if self.sort(x) == self.sort(y) =>
            {
                self.equal(x, y)
            }
            (Node::ZeroExtend(x), Node::Bits(bits)) | (Node::Bits(bits), Node::ZeroExtend(x)) => {
                let narrow = bits.extract(self.width(x) - 1, 0);
                if narrow.zero_extend(bits.width()) == bits {
                    let narrow = self.bits(narrow);
                    self.equal(x, narrow)
                } else {
                    self.boolean(false)
                }
            }
            (Node::Sum(..), _) | (_, Node::Sum(..)) => self.equal_sums(a, b),
            _ => self.equal_ordered(a, b),
        }
    }

    /// `a = b` for bit-vectors, at least one a sum: cancels common terms of both sides.
    fn equal_sums(&mut self, a: Expression, b: Expression) -> Expression {
        let mut difference = self.subtract(a, b);
        let width = self.width(a);
        if self.reads_better_negated(difference) {
            difference = self.negate(difference);
        }
        let (left, right) = match self.node(difference).clone() {
            Node::Bits(bits) => return self.boolean(bits.is_zero()),
            Node::Sum(constant, terms) => {
                // Terms with a coefficient in the upper half move to the other side, so that x + 1
                // = y + 1 becomes x = y and not x - y = 0. One side gets the constant.
                let (left, right): (Vec<_>, Vec<_>) =
                    terms.iter().cloned().partition(|(coefficient, _)| !coefficient.sign());
                let right = right.into_iter().map(|(coefficient, term)| (coefficient.neg(), term)).collect();
                if left.is_empty() {
                    (self.sum(constant, Vec::new()), self.sum(Bits::zero(width), right))
                } else {
                    (self.sum(Bits::zero(width), left), self.sum(constant.neg(), right))
                }
            }
            _ => (difference, self.bits(Bits::zero(width))),
        };
        if let Some((a, b)) = self.without_factor(left, right) {
            return self.equal(a, b);
        }
        match (self.node(left), self.node(right)) {
            (Node::Sum(..), _) | (_, Node::Sum(..)) => self.equal_ordered(left, right),
            // The remainder may be an equation that the other rules handle.
            _ => self.equal(left, right),
        }
    }

    /// `x` and `y` if the equation is `c * x = c * y` and implies that they are equal. It does if
    /// `c` is odd, since it then has an inverse, or if neither product can wrap.
    fn without_factor(&self, left: Expression, right: Expression) -> Option<(Expression, Expression)> {
        let multiple = |side: Expression| match self.node(side) {
            Node::Sum(constant, terms) if constant.is_zero() => match &terms[..] {
                [(factor, term)] => Some((factor, *term)),
                _ => None,
            },
            _ => None,
        };
        let ((factor, x), (other, y)) = (multiple(left)?, multiple(right)?);
        let width = self.width(left);
        let fits = |term: Expression| match *self.node(term) {
            Node::ZeroExtend(inner) => factor.significant() + self.width(inner) <= width,
            _ => false,
        };
        let is_odd = factor.extract(0, 0).is_one();
        (factor == other && (is_odd || fits(x) && fits(y))).then_some((x, y))
    }

    /// Whether `-d` is preferred to a difference `d`. Both are zero in the same cases, so
    /// `a = b + 1` and `b = a - 1` become the same equation.
    fn reads_better_negated(&self, difference: Expression) -> bool {
        let Node::Sum(constant, terms) = self.node(difference) else { return false };
        let decisive = |bits: &&Bits| **bits != bits.neg();
        if decisive(&constant) {
            // The constant goes to the right-hand side, with a positive sign.
            let all_negative = terms.iter().all(|(coefficient, _)| coefficient.sign());
            let all_positive = terms.iter().all(|(coefficient, _)| !coefficient.sign());
            return if all_negative || all_positive { all_negative } else { !constant.sign() };
        }
        terms.iter().map(|(coefficient, _)| coefficient).find(decisive).is_some_and(Bits::sign)
    }

    fn equal_ordered(&mut self, a: Expression, b: Expression) -> Expression {
        if a == b {
            return self.boolean(true);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.intern(Node::Equal(a, b), Sort::Boolean)
    }

    /// `if c { a } else { b }`
    pub fn if_then_else(&mut self, c: Expression, a: Expression, b: Expression) -> Expression {
        assert_eq!(self.sort(a), self.sort(b), "both branches have one sort");
        if a == b {
            return a;
        }
        if let Some(value) = self.as_boolean(c) {
            return if value { a } else { b };
        }
        if let &Node::Not(inner) = self.node(c) {
            return self.if_then_else(inner, b, a);
        }
        if self.sort(a) == Sort::Boolean {
            match (self.as_boolean(a), self.as_boolean(b)) {
                (Some(true), _) => return self.or([c, b]),
                (Some(false), _) => {
                    let not_c = self.not(c);
                    return self.and([not_c, b]);
                }
                (_, Some(true)) => return self.implies(c, a),
                (_, Some(false)) => return self.and([c, a]),
                _ => {}
            }
        }
        // if c { if c { x } else { y } } else { b } is if c { x } else { b }, and likewise below.
        if let &Node::IfThenElse(d, x, _) = self.node(a)
            && d == c
        {
            return self.if_then_else(c, x, b);
        }
        if let &Node::IfThenElse(d, _, y) = self.node(b)
            && d == c
        {
            return self.if_then_else(c, a, y);
        }
        let sort = self.sort(a);
        self.intern(Node::IfThenElse(c, a, b), sort)
    }
}
