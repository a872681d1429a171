//! Facts about expressions under conditions.
//!
//! [`Facts`] evaluates expressions over the known facts about variables. A condition that holds
//! narrows the facts about the expressions in it, and from those the facts about their operands:
//! `head + 1 < 6` narrows `head + 1` and so `head`. Each branch of a conditional is evaluated under
//! the condition, or under its negation.

use std::collections::BTreeMap;
use std::rc::Rc;

use lockstep_ir::sequential::{BinaryOp, CompareOp, Expression, Expressions, Node, Sort, UnaryOp, Variable};
use rustc_hash::FxHashMap;

use super::operations::{
    binary, compare, complement, concat, equal, extract, sign_extend, sum, where_compared, without, zero_extend,
};
use super::word::{Word, mask};

/// The known facts about an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The facts about a bit-vector of at most 64 bits.
    Word(Word),
    /// The facts about a truth value.
    Truth(Option<bool>),
    /// No facts: the expression is of another sort.
    Unfollowed,
}

impl Value {
    /// The value without facts of a sort.
    pub fn any(sort: Sort) -> Self {
        match sort {
            Sort::Boolean => Self::Truth(None),
            Sort::Bits(width @ 1..=64) => Self::Word(Word::any(width)),
            Sort::Bits(_) | Sort::Map { .. } => Self::Unfollowed,
        }
    }

    /// The union of two values.
    pub fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Word(a), Self::Word(b)) => Self::Word(a.or(b)),
            (Self::Truth(a), Self::Truth(b)) if a == b => *self,
            (Self::Truth(_), Self::Truth(_)) => Self::Truth(None),
            _ => Self::Unfollowed,
        }
    }

    fn and(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Word(a), Self::Word(b)) => a.and(b).map(Self::Word),
            (Self::Truth(Some(a)), Self::Truth(Some(b))) => (a == b).then_some(*self),
            (Self::Truth(None), _) => Some(*other),
            _ => Some(*self),
        }
    }
}

/// The known facts about variables at a place. A missing variable has no value yet, in any
/// execution.
pub type State = BTreeMap<Variable, Value>;

/// The maximum depth to which operands are analysed.
const DEEPEST: u32 = 150;

/// The maximum number of branches of one expression that are evaluated under their conditions.
pub const BRANCHES: u32 = 64;

/// The known facts at a place under conditions.
pub struct Facts<'a> {
    e: &'a Expressions,
    state: &'a State,
    /// The facts about the inputs.
    inputs: &'a FxHashMap<Expression, Value>,
    /// The assumptions, as disjunctions. One part may become known when all others are known to
    /// fail.
    clauses: &'a [Expression],
    learnt: Rc<FxHashMap<Expression, Value>>,
    memo: FxHashMap<Expression, Option<Value>>,
    /// The number of evaluations so far.
    pub effort: u64,
}

impl<'a> Facts<'a> {
    /// The facts that follow from `state` about the variables, `inputs` about expressions over
    /// inputs, and the clauses.
    pub fn new(
        e: &'a Expressions,
        state: &'a State,
        inputs: &'a FxHashMap<Expression, Value>,
        clauses: &'a [Expression],
    ) -> Self {
        Self { e, state, inputs, clauses, learnt: Rc::default(), memo: FxHashMap::default(), effort: 0 }
    }

    /// The facts learnt from conditions.
    pub fn into_learnt(self) -> FxHashMap<Expression, Value> {
        Rc::unwrap_or_clone(self.learnt)
    }

    /// The facts under an additional condition of this truth value; `None` if it contradicts them.
    pub fn supposing(&self, condition: Expression, truth: bool) -> Option<Self> {
        let mut inner = Self {
            e: self.e,
            state: self.state,
            inputs: self.inputs,
            clauses: self.clauses,
            learnt: Rc::clone(&self.learnt),
            memo: FxHashMap::default(),
            effort: 0,
        };
        inner.learn(condition, truth)?;
        inner.propagate()?;
        Some(inner)
    }

    /// Learns from the clauses.
    pub fn propagate(&mut self) -> Option<()> {
        let learnt = self.clauses.iter().try_for_each(|&clause| self.learn(clause, true));
        // While learning, branches are evaluated without their conditions.
        self.memo.clear();
        learnt
    }

    /// The value of an expression: `None` if it has none yet.
    pub fn value(&mut self, expression: Expression, branches: &mut u32) -> Option<Value> {
        self.within_depth(expression, branches, DEEPEST)
    }

    fn within_depth(&mut self, expression: Expression, branches: &mut u32, depth: u32) -> Option<Value> {
        if let Some(known) = self.memo.get(&expression) {
            return *known;
        }
        self.effort += 1;
        let any = Value::any(self.e.sort(expression));
        if any == Value::Unfollowed {
            return Some(any);
        }
        let computed = match depth.checked_sub(1) {
            Some(depth) => self.compute(expression, branches, depth),
            None => Some(any),
        };
        let value = computed.map(|mut value| {
            for known in [self.inputs.get(&expression), self.learnt.get(&expression)].into_iter().flatten() {
                value = value.and(known).unwrap_or(value);
            }
            value
        });
        self.memo.insert(expression, value);
        value
    }

    fn compute(&mut self, expression: Expression, branches: &mut u32, depth: u32) -> Option<Value> {
        let e = self.e;
        match e.sort(expression) {
            Sort::Boolean => Some(Value::Truth(self.compute_truth(expression, branches, depth))),
            _ => self.compute_word(expression, branches, depth),
        }
    }

    fn word(&mut self, expression: Expression, branches: &mut u32, depth: u32) -> Option<Word> {
        match self.within_depth(expression, branches, depth)? {
            Value::Word(word) => Some(word),
            // Wider than the tracked widths.
            Value::Truth(_) | Value::Unfollowed => None,
        }
    }

    fn compute_word(&mut self, expression: Expression, branches: &mut u32, depth: u32) -> Option<Value> {
        let e = self.e;
        let width = e.width(expression);
        let any = Value::any(e.sort(expression));
        let word = match e.node(expression) {
            Node::Bits(bits) => Word::constant(bits)?,
            Node::Variable(variable) => return self.variable(*variable),
            Node::Sum(constant, terms) => {
                let mut words = Vec::with_capacity(terms.len());
                for (coefficient, term) in terms {
                    words.push((coefficient.to_u64()?, self.word(*term, branches, depth)?));
                }
                sum(width, constant.to_u64()?, &words)
            }
            Node::Unary(UnaryOp::Not, a) => complement(&self.word(*a, branches, depth)?),
            &Node::Binary(op, a, b) => {
                let (a, b) = (self.word(a, branches, depth)?, self.word(b, branches, depth)?);
                binary(op, &a, &b)
            }
            &Node::IfThenElse(condition, a, b) => return self.branch(condition, a, b, branches, depth),
            &Node::ZeroExtend(a) => zero_extend(width, &self.word(a, branches, depth)?),
            &Node::SignExtend(a) => sign_extend(width, &self.word(a, branches, depth)?),
            &Node::Extract(high, low, a) if e.width(a) <= 64 => extract(high, low, &self.word(a, branches, depth)?),
            &Node::Concat(a, b) => concat(&self.word(a, branches, depth)?, &self.word(b, branches, depth)?),
            Node::Extract(..) | Node::Select(..) | Node::Apply(..) => return Some(any),
            Node::Boolean(_)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Equal(..)
            | Node::Compare(..)
            | Node::Store(..) => unreachable!("no bit-vector expression"),
        };
        Some(Value::Word(word))
    }

    fn variable(&self, variable: Variable) -> Option<Value> {
        self.state.get(&variable).copied()
    }

    fn branch(
        &mut self,
        condition: Expression,
        a: Expression,
        b: Expression,
        branches: &mut u32,
        depth: u32,
    ) -> Option<Value> {
        let first = self.side(condition, true, a, branches, depth);
        match (first, self.side(condition, false, b, branches, depth)) {
            (Some(a), Some(b)) => Some(a.or(&b)),
            (one, other) => one.or(other),
        }
    }

    /// The value of one side of a conditional; `None` if that side is never chosen.
    ///
    /// If the condition only implies that one of several cases holds, each case is evaluated by
    /// itself.
    fn side(
        &mut self,
        condition: Expression,
        holds: bool,
        side: Expression,
        branches: &mut u32,
        depth: u32,
    ) -> Option<Value> {
        match self.truth(condition, branches, depth) {
            Some(truth) if truth != holds => return None,
            Some(_) => return self.within_depth(side, branches, depth),
            None if *branches == 0 => return self.within_depth(side, branches, depth),
            None => *branches -= 1,
        }
        let Some(atom) = self.ambiguous(condition, holds, depth) else {
            let mut inner = self.supposing(condition, holds)?;
            let value = inner.within_depth(side, branches, depth);
            self.effort += inner.effort;
            return value;
        };
        let mut both = [true, false].map(|truth| {
            let mut inner = self.supposing(atom, truth)?;
            let value = inner.side(condition, holds, side, branches, depth);
            self.effort += inner.effort;
            value
        });
        match (both[0].take(), both[1].take()) {
            (Some(a), Some(b)) => Some(a.or(&b)),
            (one, other) => one.or(other),
        }
    }

    /// A part of a condition, itself not a conjunction or disjunction, that several parts leave
    /// open.
    fn ambiguous(&mut self, condition: Expression, holds: bool, depth: u32) -> Option<Expression> {
        let depth = depth.checked_sub(1)?;
        match self.e.node(condition) {
            Node::Not(a) => self.ambiguous(*a, !holds, depth),
            Node::And(parts) | Node::Or(parts) => {
                let all_hold = matches!(self.e.node(condition), Node::And(_)) == holds;
                let mut open =
                    parts.iter().copied().filter(|&part| self.truth(part, &mut 0, depth).is_none()).collect::<Vec<_>>();
                if !all_hold && open.len() > 1 {
                    return Some(self.atom(open[0], depth));
                }
                open.drain(..).find_map(|part| self.ambiguous(part, holds, depth))
            }
            _ => None,
        }
    }

    /// A part whose truth value is not known.
    fn atom(&mut self, condition: Expression, depth: u32) -> Expression {
        let Some(depth) = depth.checked_sub(1) else { return condition };
        match self.e.node(condition) {
            Node::Not(a) => self.atom(*a, depth),
            Node::And(parts) | Node::Or(parts) => {
                match parts.iter().find(|&&part| self.truth(part, &mut 0, depth).is_none()) {
                    Some(&open) => self.atom(open, depth),
                    None => condition,
                }
            }
            _ => condition,
        }
    }

    /// The truth value of a condition, if it is known.
    pub fn truth(&mut self, condition: Expression, branches: &mut u32, depth: u32) -> Option<bool> {
        match self.within_depth(condition, branches, depth) {
            Some(Value::Truth(truth)) => truth,
            _ => None,
        }
    }

    fn compute_truth(&mut self, expression: Expression, branches: &mut u32, depth: u32) -> Option<bool> {
        let e = self.e;
        match e.node(expression) {
            Node::Boolean(value) => Some(*value),
            Node::Variable(variable) => match self.variable(*variable)? {
                Value::Truth(truth) => truth,
                _ => None,
            },
            Node::Not(a) => self.truth(*a, branches, depth).map(|truth| !truth),
            Node::And(parts) => self.junction(parts, false, branches, depth),
            Node::Or(parts) => self.junction(parts, true, branches, depth),
            &Node::Equal(a, b) => {
                match (self.within_depth(a, branches, depth)?, self.within_depth(b, branches, depth)?) {
                    (Value::Word(a), Value::Word(b)) => equal(&a, &b),
                    (Value::Truth(a), Value::Truth(b)) => Some(a? == b?),
                    _ => None,
                }
            }
            &Node::Compare(op, a, b) => compare(op, &self.word(a, branches, depth)?, &self.word(b, branches, depth)?),
            &Node::IfThenElse(c, a, b) => match self.truth(c, branches, depth) {
                Some(true) => self.truth(a, branches, depth),
                Some(false) => self.truth(b, branches, depth),
                None => {
                    let (a, b) = (self.truth(a, branches, depth), self.truth(b, branches, depth));
                    a.filter(|_| a == b)
                }
            },
            Node::Apply(..) => None,
            Node::Bits(_)
            | Node::Sum(..)
            | Node::Unary(..)
            | Node::Binary(..)
            | Node::ZeroExtend(_)
            | Node::SignExtend(_)
            | Node::Extract(..)
            | Node::Concat(..)
            | Node::Select(..)
            | Node::Store(..) => unreachable!("no Boolean expression"),
        }
    }

    /// The value of a conjunction or disjunction: whether one of the parts is `decisive`, or none.
    fn junction(&mut self, parts: &[Expression], decisive: bool, branches: &mut u32, depth: u32) -> Option<bool> {
        let mut all_known = true;
        for &part in parts {
            match self.truth(part, branches, depth) {
                Some(truth) if truth == decisive => return Some(decisive),
                Some(_) => {}
                None => all_known = false,
            }
        }
        all_known.then_some(!decisive)
    }

    // --- Learning --------------------------------------------------------------------------------

    /// Records that a condition has this truth value; `None` if it cannot.
    pub fn learn(&mut self, condition: Expression, truth: bool) -> Option<()> {
        let e = self.e;
        let mut branches = 0;
        match e.node(condition) {
            Node::Not(a) => return self.learn(*a, !truth),
            Node::And(parts) | Node::Or(parts) if matches!(e.node(condition), Node::And(_)) == truth => {
                parts.iter().try_for_each(|&part| self.learn(part, truth))?;
            }
            Node::And(parts) | Node::Or(parts) => {
                let mut open = None;
                for &part in parts {
                    match self.truth(part, &mut branches, DEEPEST) {
                        Some(known) if known == truth => return Some(()),
                        Some(_) => {}
                        None if open.is_none() => open = Some(part),
                        None => return self.narrow(condition, Value::Truth(Some(truth))),
                    }
                }
                return self.learn(open?, truth);
            }
            &Node::Compare(op, a, b) => {
                let (op, a, b) = if truth { (op, a, b) } else { (op.negated(), b, a) };
                self.learn_comparison(op, a, b)?;
            }
            &Node::Equal(a, b) => self.learn_equation(a, b, truth)?,
            Node::Boolean(_) | Node::Variable(_) | Node::IfThenElse(..) | Node::Apply(..) => {}
            Node::Bits(_)
            | Node::Sum(..)
            | Node::Unary(..)
            | Node::Binary(..)
            | Node::ZeroExtend(_)
            | Node::SignExtend(_)
            | Node::Extract(..)
            | Node::Concat(..)
            | Node::Select(..)
            | Node::Store(..) => unreachable!("no Boolean expression"),
        }
        self.narrow(condition, Value::Truth(Some(truth)))
    }

    fn learn_comparison(&mut self, op: CompareOp, a: Expression, b: Expression) -> Option<()> {
        let (Some(x), Some(y)) = (self.known_word(a), self.known_word(b)) else { return Some(()) };
        let (x, y) = where_compared(op, &x, &y)?;
        self.narrow(a, Value::Word(x))?;
        self.narrow(b, Value::Word(y))?;
        if matches!(op, CompareOp::SignedLess | CompareOp::SignedLessEqual) {
            self.learn_no_overflow(a, b)?;
        }
        Some(())
    }

    /// Learns from `x ≤ x + c` for a positive `c`, signed, that the sum does not wrap; likewise
    /// from `x - c ≤ x`.
    fn learn_no_overflow(&mut self, a: Expression, b: Expression) -> Option<()> {
        for (x, sum, up) in [(a, b, true), (b, a, false)] {
            let Some(constant) = self.difference(sum, x) else { continue };
            let Some(word) = self.known_word(x) else { continue };
            let width = word.width();
            let (least, most) = super::word::signed_limits(width);
            let by = super::word::sign_extended(constant, width);
            let bounds = match (up, by > 0) {
                (true, true) => Word::between_signed(width, least, most - by),
                (false, false) => Word::between_signed(width, least - by, most),
                _ => continue,
            };
            self.narrow(x, Value::Word(bounds?))?;
        }
        Some(())
    }

    /// The non-zero constant by which this sum exceeds `x`.
    fn difference(&self, sum: Expression, x: Expression) -> Option<u64> {
        let parts = |expression| match self.e.node(expression) {
            Node::Sum(constant, terms) => Some((constant.to_u64()?, terms.to_vec())),
            _ => None,
        };
        let (constant, terms) = parts(sum)?;
        let one = |terms: &[(lockstep_ir::bits::Bits, Expression)]| match terms {
            [(factor, term)] => *term == x && factor.is_one(),
            _ => false,
        };
        let less = match parts(x) {
            Some((less, of_x)) if of_x == terms => less,
            _ if one(&terms) => 0,
            _ => return None,
        };
        Some(constant.wrapping_sub(less) & mask(self.e.width(x))).filter(|&by| by != 0)
    }

    fn learn_equation(&mut self, a: Expression, b: Expression, truth: bool) -> Option<()> {
        let mut branches = 0;
        let (x, y) = (self.value(a, &mut branches), self.value(b, &mut branches));
        match (x, y) {
            (Some(Value::Word(x)), Some(Value::Word(y))) => {
                if truth {
                    let both = x.and(&y)?;
                    self.narrow(a, Value::Word(both))?;
                    return self.narrow(b, Value::Word(both));
                }
                if let Some(number) = y.as_constant() {
                    self.narrow(a, Value::Word(without(&x, number)?))?;
                }
                if let Some(number) = x.as_constant() {
                    self.narrow(b, Value::Word(without(&y, number)?))?;
                }
                Some(())
            }
            (Some(Value::Truth(x)), Some(Value::Truth(y))) => {
                if let Some(known) = y {
                    self.learn(a, known == truth)?;
                } else if let Some(known) = x {
                    self.learn(b, known == truth)?;
                }
                Some(())
            }
            _ => Some(()),
        }
    }

    fn known_word(&mut self, expression: Expression) -> Option<Word> {
        let mut branches = 0;
        self.word(expression, &mut branches, DEEPEST)
    }

    /// Records the facts about an expression, and the facts about its operands that follow.
    fn narrow(&mut self, expression: Expression, value: Value) -> Option<()> {
        let mut branches = 0;
        let Some(before) = self.value(expression, &mut branches) else { return Some(()) };
        let now = before.and(&value)?;
        if now == before {
            return Some(());
        }
        Rc::make_mut(&mut self.learnt).insert(expression, now);
        self.memo.clear();
        if let Value::Word(word) = now {
            self.narrow_operands(expression, &word)?;
        }
        Some(())
    }

    fn narrow_operands(&mut self, expression: Expression, word: &Word) -> Option<()> {
        let e = self.e;
        let width = word.width();
        match e.node(expression) {
            // x = (word - constant), or its negation.
            Node::Sum(constant, terms) => {
                let [(factor, term)] = &terms[..] else { return Some(()) };
                let (Some(constant), Some(factor)) = (constant.to_u64(), factor.to_u64()) else { return Some(()) };
                let minus_one = mask(width);
                let inverse = match factor {
                    1 => sum(width, constant.wrapping_neg(), &[(1, *word)]),
                    _ if factor == minus_one => sum(width, constant, &[(minus_one, *word)]),
                    _ => return Some(()),
                };
                self.narrow(*term, Value::Word(inverse))
            }
            &Node::ZeroExtend(a) => {
                let (low, high) = word.unsigned();
                let inner = Word::between(e.width(a), low, high)?;
                let bits = Word::with_bits(e.width(a), word.zeros(), word.ones())?;
                self.narrow(a, Value::Word(inner.and(&bits)?))
            }
            &Node::SignExtend(a) => {
                let (low, high) = word.signed();
                let inner = Word::between_signed(e.width(a), low, high)?;
                self.narrow(a, Value::Word(inner))
            }
            &Node::Extract(high, low, a) if e.width(a) <= 64 => {
                let here = mask(high - low + 1) << low;
                let bits = Word::with_bits(e.width(a), word.zeros() << low & here, word.ones() << low & here)?;
                self.narrow(a, Value::Word(bits))
            }
            &Node::Concat(a, b) => {
                let shift = e.width(b);
                self.narrow(a, Value::Word(extract(width - 1, shift, word)))?;
                self.narrow(b, Value::Word(extract(shift - 1, 0, word)))
            }
            // The bits that the mask lets through.
            &Node::Binary(BinaryOp::And, a, b) => {
                for (part, other) in [(a, b), (b, a)] {
                    let Some(through) = self.known_word(other).and_then(|other| other.as_constant()) else { continue };
                    let bits = Word::with_bits(width, word.zeros() & through, word.ones())?;
                    self.narrow(part, Value::Word(bits))?;
                }
                Some(())
            }
            _ => Some(()),
        }
    }
}
