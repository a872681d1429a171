//! Bit-vectors: sums in normal form, products, the other operations, comparisons, and changes of
//! width. All of them simplify as they are built.

use super::{BinaryOp, CompareOp, Expression, Expressions, Node, Sort, UnaryOp};
use crate::bits::Bits;

/// Products of sums are multiplied out up to this many products.
const MOST_PRODUCTS: usize = 32;

/// A sum of this many terms is a single term in other sums: otherwise the partial sums of a long
/// one would have quadratic size.
const MOST_TERMS: usize = 64;

/// Extractions are moved inwards through this many levels at most.
const DEEPEST_EXTRACTION: u32 = 100;

impl Expressions {
    /// `constant + Σ coefficient · term`, in normal form.
    pub fn sum(&mut self, constant: Bits, terms: Vec<(Bits, Expression)>) -> Expression {
        let width = constant.width();
        let mut constant = constant;
        let mut flat: Vec<(Bits, Expression)> = Vec::with_capacity(terms.len());
        for (coefficient, term) in terms {
            match self.node(term) {
                Node::Bits(bits) => constant = constant.add(&coefficient.mul(bits)),
                Node::Sum(inner_constant, inner) if inner.len() < MOST_TERMS => {
                    constant = constant.add(&coefficient.mul(inner_constant));
                    flat.extend(inner.iter().map(|(factor, term)| (coefficient.mul(factor), *term)));
                }
                _ => flat.push((coefficient, term)),
            }
        }
        flat.sort_by_key(|(_, term)| *term);
        let mut merged: Vec<(Bits, Expression)> = Vec::with_capacity(flat.len());
        for (coefficient, term) in flat {
            match merged.last_mut() {
                Some((last, same)) if *same == term => *last = last.add(&coefficient),
                _ => merged.push((coefficient, term)),
            }
        }
        merged.retain(|(coefficient, _)| !coefficient.is_zero());
        match merged.as_slice() {
            [] => self.bits(constant),
            [(coefficient, term)] if coefficient.is_one() && constant.is_zero() => *term,
            _ => self.intern(Node::Sum(constant, merged.into()), Sort::Bits(width)),
        }
    }

    /// `a + b`
    pub fn add(&mut self, a: Expression, b: Expression) -> Expression {
        let width = self.width(a);
        self.sum(Bits::zero(width), vec![(Bits::one(width), a), (Bits::one(width), b)])
    }

    /// `a - b`
    pub fn subtract(&mut self, a: Expression, b: Expression) -> Expression {
        let width = self.width(a);
        self.sum(Bits::zero(width), vec![(Bits::one(width), a), (Bits::ones(width), b)])
    }

    /// `-a`
    pub fn negate(&mut self, a: Expression) -> Expression {
        let width = self.width(a);
        self.sum(Bits::zero(width), vec![(Bits::ones(width), a)])
    }

    /// `factor · a`
    pub fn scale(&mut self, factor: Bits, a: Expression) -> Expression {
        self.sum(Bits::zero(factor.width()), vec![(factor, a)])
    }

    /// `a · b`
    pub fn multiply(&mut self, a: Expression, b: Expression) -> Expression {
        match (&self.node(a).clone(), &self.node(b).clone()) {
            (Node::Bits(factor), _) => self.scale(factor.clone(), b),
            (_, Node::Bits(factor)) => self.scale(factor.clone(), a),
            // A product with one bit needs no multiplication, which solvers find hard.
            (&Node::ZeroExtend(bit), _) if self.width(bit) == 1 => self.if_bit(bit, b),
            (_, &Node::ZeroExtend(bit)) if self.width(bit) == 1 => self.if_bit(bit, a),
            // A product with a sum is a sum of products, so that equal polynomials are equal nodes.
            (Node::Sum(constant, terms), _) if self.may_distribute(a, b) => self.distribute(constant, terms, b),
            (_, Node::Sum(constant, terms)) if self.may_distribute(a, b) => self.distribute(constant, terms, a),
            _ => {
                let (a, b) = if a < b { (a, b) } else { (b, a) };
                let sort = self.sort(a);
                self.intern(Node::Binary(BinaryOp::Multiply, a, b), sort)
            }
        }
    }

    /// A number if a bit is set, or else zero.
    fn if_bit(&mut self, bit: Expression, number: Expression) -> Expression {
        let one = self.number(1, 1);
        let is_set = self.equal(bit, one);
        let zero = self.bits(Bits::zero(self.width(number)));
        self.if_then_else(is_set, number, zero)
    }

    /// Whether the product of two sums stays small, as products of products of sums would not.
    fn may_distribute(&self, a: Expression, b: Expression) -> bool {
        let terms = |expression| match self.node(expression) {
            Node::Sum(_, terms) => terms.len() + 1,
            _ => 1,
        };
        terms(a) * terms(b) <= MOST_PRODUCTS
    }

    fn distribute(&mut self, constant: &Bits, terms: &[(Bits, Expression)], factor: Expression) -> Expression {
        let width = constant.width();
        let mut products = vec![(constant.clone(), factor)];
        for (coefficient, term) in terms {
            let product = self.multiply(*term, factor);
            products.push((coefficient.clone(), product));
        }
        self.sum(Bits::zero(width), products)
    }

    /// `op a`
    pub fn unary(&mut self, op: UnaryOp, a: Expression) -> Expression {
        match op {
            // ~a is -a - 1.
            UnaryOp::Not => {
                let width = self.width(a);
                self.sum(Bits::ones(width), vec![(Bits::ones(width), a)])
            }
        }
    }

    /// `a op b`
    pub fn binary(&mut self, op: BinaryOp, a: Expression, b: Expression) -> Expression {
        assert_eq!(self.sort(a), self.sort(b), "bit-vector operands have one width");
        if op == BinaryOp::Multiply {
            return self.multiply(a, b);
        }
        if let (Some(x), Some(y)) = (self.as_bits(a), self.as_bits(b)) {
            let folded = op.fold(x, y);
            return self.bits(folded);
        }
        if let Some(simpler) = self.simplify_binary(op, a, b) {
            return simpler;
        }
        let (a, b) = if op.commutes() && b < a { (b, a) } else { (a, b) };
        let sort = self.sort(a);
        self.intern(Node::Binary(op, a, b), sort)
    }

    /// The rules for one constant operand and for equal operands.
    fn simplify_binary(&mut self, op: BinaryOp, a: Expression, b: Expression) -> Option<Expression> {
        let width = self.width(a);
        let (constant, other) = match (self.as_bits(a).cloned(), self.as_bits(b).cloned()) {
            (_, Some(constant)) => (constant, a),
            (Some(constant), None) if op.commutes() => (constant, b),
            (Some(constant), None) if constant.is_zero() && op.zero_absorbs_left() => {
                return Some(a);
            }
            _ if a == b => {
                return match op {
                    BinaryOp::And | BinaryOp::Or => Some(a),
                    BinaryOp::Xor => Some(self.bits(Bits::zero(width))),
                    _ => None,
                };
            }
            _ => return None,
        };
        match op {
            BinaryOp::And if constant.is_zero() => Some(self.bits(constant)),
            BinaryOp::And if constant.is_ones() => Some(other),
            BinaryOp::And => {
                // A mask of low bits keeps the low bits.
                let low = constant.add(&Bits::one(width)).power_of_two()?;
                let kept = self.extract(low - 1, 0, other);
                Some(self.zero_extend(width, kept))
            }
            BinaryOp::Or | BinaryOp::Xor if constant.is_zero() => Some(other),
            BinaryOp::Or if constant.is_ones() => Some(self.bits(constant)),
            BinaryOp::Xor if constant.is_ones() => Some(self.unary(UnaryOp::Not, other)),
            BinaryOp::ShiftLeft => {
                let factor = Bits::one(width).shl(&constant);
                Some(self.scale(factor, other))
            }
            BinaryOp::LogicalShiftRight | BinaryOp::ArithmeticShiftRight if constant.is_zero() => Some(other),
            BinaryOp::LogicalShiftRight => {
                let amount = constant.to_u64().filter(|&amount| amount < u64::from(width));
                let Some(amount) = amount else {
                    return Some(self.bits(Bits::zero(width)));
                };
                let amount = u32::try_from(amount).expect("below the width");
                let kept = self.extract(width - 1, amount, other);
                Some(self.zero_extend(width, kept))
            }
            BinaryOp::UnsignedDivide => {
                let amount = constant.power_of_two()?;
                let amount = self.number(width, u64::from(amount));
                Some(self.binary(BinaryOp::LogicalShiftRight, other, amount))
            }
            BinaryOp::UnsignedRemainder if constant.power_of_two().is_some() => {
                let mask = constant.sub(&Bits::one(width));
                let mask = self.bits(mask);
                Some(self.binary(BinaryOp::And, other, mask))
            }
            BinaryOp::SignedDivide if constant.is_one() => Some(other),
            _ => None,
        }
    }

    /// `a op b`
    pub fn compare(&mut self, op: CompareOp, a: Expression, b: Expression) -> Expression {
        assert_eq!(self.sort(a), self.sort(b), "bit-vector operands have one width");
        if a == b {
            return self.boolean(op.reflexive());
        }
        if let (Some(x), Some(y)) = (self.as_bits(a), self.as_bits(b)) {
            let folded = op.fold(x, y);
            return self.boolean(folded);
        }
        let width = self.width(a);
        match op {
            CompareOp::UnsignedLess if self.as_bits(b).is_some_and(Bits::is_zero) => {
                return self.boolean(false);
            }
            CompareOp::UnsignedLessEqual if self.as_bits(a).is_some_and(Bits::is_zero) => {
                return self.boolean(true);
            }
            CompareOp::UnsignedLessEqual if self.as_bits(b).is_some_and(Bits::is_zero) => {
                return self.equal(a, b);
            }
            CompareOp::UnsignedLessEqual if self.as_bits(b).is_some_and(Bits::is_ones) => {
                return self.boolean(true);
            }
            _ => {}
        }
        if let (&Node::ZeroExtend(x), &Node::ZeroExtend(y)) = (self.node(a), self.node(b))
            && self.sort(x) == self.sort(y)
            && self.width(x) < width
        {
            return self.compare(op.unsigned(), x, y);
        }
        if let (&Node::SignExtend(x), &Node::SignExtend(y)) = (self.node(a), self.node(b))
            && self.sort(x) == self.sort(y)
        {
            return self.compare(op, x, y);
        }
        self.intern(Node::Compare(op, a, b), Sort::Boolean)
    }

    /// `a` zero-extended to `width` bits in all.
    pub fn zero_extend(&mut self, width: u32, a: Expression) -> Expression {
        if self.width(a) == width {
            return a;
        }
        assert!(self.width(a) < width, "extension to a narrower bit-vector");
        match self.node(a).clone() {
            Node::Bits(bits) => self.bits(bits.zero_extend(width)),
            Node::ZeroExtend(inner) => self.zero_extend(width, inner),
            _ => self.intern(Node::ZeroExtend(a), Sort::Bits(width)),
        }
    }

    /// `a` sign-extended to `width` bits in all.
    pub fn sign_extend(&mut self, width: u32, a: Expression) -> Expression {
        if self.width(a) == width {
            return a;
        }
        assert!(self.width(a) < width, "extension to a narrower bit-vector");
        match self.node(a).clone() {
            Node::Bits(bits) => self.bits(bits.sign_extend(width)),
            Node::SignExtend(inner) => self.sign_extend(width, inner),
            Node::ZeroExtend(inner) => self.zero_extend(width, inner),
            _ => self.intern(Node::SignExtend(a), Sort::Bits(width)),
        }
    }

    /// The bits `low..=high`.
    pub fn extract(&mut self, high: u32, low: u32, a: Expression) -> Expression {
        self.extract_within(high, low, a, DEEPEST_EXTRACTION)
    }

    fn extract_within(&mut self, high: u32, low: u32, a: Expression, depth: u32) -> Expression {
        let width = self.width(a);
        assert!(low <= high && high < width, "extract out of range");
        if low == 0 && high + 1 == width {
            return a;
        }
        if let Some(&known) = self.extractions.get(&(high, low, a)) {
            return known;
        }
        let extracted = match depth.checked_sub(1) {
            Some(depth) => self.extract_inwards(high, low, a, depth),
            None => self.intern(Node::Extract(high, low, a), Sort::Bits(high - low + 1)),
        };
        self.extractions.insert((high, low, a), extracted);
        extracted
    }

    fn extract_inwards(&mut self, high: u32, low: u32, a: Expression, depth: u32) -> Expression {
        let kept = high - low + 1;
        match self.node(a).clone() {
            Node::Bits(bits) => self.bits(bits.extract(high, low)),
            Node::Extract(_, inner_low, inner) => self.extract_within(high + inner_low, low + inner_low, inner, depth),
            Node::ZeroExtend(inner) | Node::SignExtend(inner) if high < self.width(inner) => {
                self.extract_within(high, low, inner, depth)
            }
            Node::ZeroExtend(inner) if low >= self.width(inner) => self.bits(Bits::zero(kept)),
            Node::ZeroExtend(inner) if low == 0 => self.zero_extend(kept, inner),
            Node::SignExtend(inner) if low == 0 => self.sign_extend(kept, inner),
            Node::Concat(_, bottom) if high < self.width(bottom) => self.extract_within(high, low, bottom, depth),
            Node::Concat(top, bottom) if low >= self.width(bottom) => {
                let shift = self.width(bottom);
                self.extract_within(high - shift, low - shift, top, depth)
            }
            // The low bits of a sum are the sum of the low bits.
            Node::Sum(constant, terms) if low == 0 => {
                let terms = terms
                    .iter()
                    .map(|(coefficient, term)| {
                        (coefficient.extract(high, 0), self.extract_within(high, 0, *term, depth))
                    })
                    .collect();
                self.sum(constant.extract(high, 0), terms)
            }
            Node::Binary(BinaryOp::Multiply, x, y) if low == 0 => {
                let x = self.extract_within(high, 0, x, depth);
                let y = self.extract_within(high, 0, y, depth);
                self.multiply(x, y)
            }
            Node::IfThenElse(c, x, y) => {
                let x = self.extract_within(high, low, x, depth);
                let y = self.extract_within(high, low, y, depth);
                self.if_then_else(c, x, y)
            }
            _ => self.intern(Node::Extract(high, low, a), Sort::Bits(kept)),
        }
    }

    /// `high` as the high bits, `low` as the low bits.
    pub fn concat(&mut self, high: Expression, low: Expression) -> Expression {
        let width = self.width(high) + self.width(low);
        match (self.node(high).clone(), self.node(low).clone()) {
            (Node::Bits(x), Node::Bits(y)) => self.bits(x.concat(&y)),
            (Node::Bits(x), _) if x.is_zero() => self.zero_extend(width, low),
            (Node::Extract(h, l, x), Node::Extract(k, m, y)) if x == y && l == k + 1 => self.extract(h, m, x),
            _ => self.intern(Node::Concat(high, low), Sort::Bits(width)),
        }
    }
}
