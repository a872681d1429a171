//! Prints expressions, with as few parentheses and widths as parsing needs.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::name_text;
use super::names::View;
use crate::bits::Bits;
use crate::sequential::{BinaryOp, CompareOp, Expression, Node, UnaryOp};

/// The precedence of an operator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Conditional,
    Implication,
    Disjunction,
    Conjunction,
    Comparison,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Prefix,
    Postfix,
}

/// A shared expression gets a name if it has at least this many nodes.
const WORTH_A_NAME: u32 = 4;

/// An expression gets a name if it nests deeper than this, which bounds line lengths and recursion.
const DEEPEST: u32 = 24;

/// Expressions that are printed together, with their shared parts.
pub(super) struct Item {
    /// The named expressions, each after those it mentions.
    pub(super) definitions: Vec<Expression>,
    numbers: FxHashMap<Expression, usize>,
    /// Whether an expression's width is evident without the width that its place expects.
    self_typed: FxHashMap<Expression, bool>,
    /// An expression that is spelled out though it has a name: the item is its definition.
    spelled_out: Option<Expression>,
}

impl Item {
    pub(super) fn new(view: &View<'_>, roots: &[Expression], spelled_out: Option<Expression>) -> Self {
        let mut item = Self {
            definitions: Vec::new(),
            numbers: FxHashMap::default(),
            self_typed: FxHashMap::default(),
            spelled_out,
        };
        let (uses, finished) = item.uses(view, roots);
        // The size and height as printed: a named expression counts as one node.
        let mut extents: FxHashMap<Expression, (u32, u32)> = FxHashMap::default();
        for expression in finished {
            if item.is_named(view, expression) {
                extents.insert(expression, (1, 0));
                item.self_typed.insert(expression, true);
                continue;
            }
            let (mut size, mut height) = (1u32, 0u32);
            for operand in view.operands(expression) {
                let (operand_size, operand_height) = extents[&operand];
                size = size.saturating_add(operand_size);
                height = height.max(operand_height + 1);
            }
            let mut self_typed = item.shows_width(view, expression);
            if size >= WORTH_A_NAME && uses[&expression] > 1 || height > DEEPEST {
                item.definitions.push(expression);
                item.numbers.insert(expression, item.definitions.len());
                (size, height) = (1, 0);
                self_typed = true;
            }
            extents.insert(expression, (size, height));
            item.self_typed.insert(expression, self_typed);
        }
        item
    }

    /// The number of occurrences of each expression, and all of them, operands first.
    fn uses(&self, view: &View<'_>, roots: &[Expression]) -> (FxHashMap<Expression, u32>, Vec<Expression>) {
        let mut uses: FxHashMap<Expression, u32> = FxHashMap::default();
        let mut finished = Vec::new();
        // Postorder over the shared graph; a node is entered with `false` and left with `true`.
        let mut stack: Vec<(Expression, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
        while let Some((top, operands_done)) = stack.pop() {
            if operands_done {
                finished.push(top);
                continue;
            }
            let count = uses.entry(top).or_default();
            *count += 1;
            if *count > 1 {
                continue;
            }
            stack.push((top, true));
            if !self.is_named(view, top) {
                stack.extend(view.operands(top).into_iter().rev().map(|operand| (operand, false)));
            }
        }
        (uses, finished)
    }

    fn is_named(&self, view: &View<'_>, expression: Expression) -> bool {
        self.spelled_out != Some(expression) && view.names.is_named(expression)
    }

    fn shows_width(&self, view: &View<'_>, expression: Expression) -> bool {
        match view.expressions().node(expression) {
            Node::Bits(_) => false,
            Node::IfThenElse(_, a, b) | Node::Binary(_, a, b) => self.self_typed[a] || self.self_typed[b],
            Node::Unary(UnaryOp::Not, a) => self.self_typed[a],
            Node::Sum(..) => view.operands(expression).iter().any(|term| self.self_typed[term]),
            Node::Boolean(_)
            | Node::Variable(_)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Equal(..)
            | Node::Compare(..)
            | Node::ZeroExtend(_)
            | Node::SignExtend(_)
            | Node::Extract(..)
            | Node::Concat(..)
            | Node::Select(..)
            | Node::Store(..)
            | Node::Apply(..) => true,
        }
    }

    /// Whether an expression is written as a name or number.
    fn is_reference(&self, view: &View<'_>, expression: Expression) -> bool {
        self.numbers.contains_key(&expression) || self.is_named(view, expression)
    }

    pub(super) fn reference(&self, expression: Expression) -> String {
        format!("%{}", self.numbers[&expression])
    }

    /// The right-hand side of a definition.
    pub(super) fn definition(&self, view: &View<'_>, expression: Expression) -> String {
        self.node(view, expression, self.shows_width(view, expression)).1
    }

    /// The expression in a place where any operator may stand. `known`: the place implies its
    /// width.
    pub(super) fn render(&self, view: &View<'_>, expression: Expression, known: bool) -> String {
        self.operand(view, expression, Binding::Conditional, known)
    }

    /// The expression in parentheses unless it binds at least as tightly as `least`.
    pub(super) fn operand(&self, view: &View<'_>, expression: Expression, least: Binding, known: bool) -> String {
        if self.numbers.contains_key(&expression) {
            return self.reference(expression);
        }
        if self.is_named(view, expression) {
            return name_text(view.names.name(expression));
        }
        let (binding, text) = self.node(view, expression, known);
        if binding < least { format!("({text})") } else { text }
    }

    fn node(&self, view: &View<'_>, expression: Expression, known: bool) -> (Binding, String) {
        let expressions = view.expressions();
        let known = known || self.shows_width(view, expression);
        let infix = |binding: Binding,
                     operator: &str,
                     [left, right]: [Expression; 2],
                     [least_left, least_right]: [Binding; 2],
                     known: bool| {
            let left = self.operand(view, left, least_left, known);
            let right = self.operand(view, right, least_right, known);
            (binding, format!("{left} {operator} {right}"))
        };
        match expressions.node(expression) {
            Node::Boolean(value) => (Binding::Postfix, value.to_string()),
            Node::Bits(bits) => bits_text(bits, known),
            Node::Variable(variable) => (Binding::Postfix, name_text(&expressions.variables()[*variable].name)),
            Node::Not(a) => match expressions.node(*a) {
                Node::Equal(x, y) if !self.is_reference(view, *a) => self.equation(view, "!=", *x, *y),
                _ => (Binding::Prefix, format!("!{}", self.operand(view, *a, Binding::Prefix, true))),
            },
            Node::And(_) => self.junction(view, &view.operands(expression), " && ", Binding::Conjunction),
            Node::Or(_) => self.disjunction(view, expression),
            Node::Equal(a, b) => self.equation(view, "==", *a, *b),
            Node::IfThenElse(c, a, b) => {
                let c = self.operand(view, *c, Binding::Implication, true);
                let a = self.operand(view, *a, Binding::Implication, known);
                let b = self.operand(view, *b, Binding::Conditional, known);
                (Binding::Conditional, format!("{c} ? {a} : {b}"))
            }
            Node::Sum(..) => self.sum(view, expression, known),
            Node::Unary(UnaryOp::Not, a) => {
                (Binding::Prefix, format!("~{}", self.operand(view, *a, Binding::Prefix, known)))
            }
            Node::Binary(op, ..) => {
                let (operator, binding) = binary_text(*op);
                let operands = view.operands(expression);
                let tighter = tighter(binding);
                infix(binding, operator, [operands[0], operands[1]], [binding, tighter], known)
            }
            Node::Compare(op, a, b) => {
                let known = self.self_typed[a] || self.self_typed[b];
                let (operator, flipped) = compare_text(*op);
                let least = [Binding::BitOr; 2];
                if expressions.as_bits(*a).is_some() {
                    infix(Binding::Comparison, flipped, [*b, *a], least, known)
                } else {
                    infix(Binding::Comparison, operator, [*a, *b], least, known)
                }
            }
            Node::ZeroExtend(a) => {
                let width = expressions.width(expression);
                (Binding::Postfix, format!("zext{width}({})", self.render(view, *a, false)))
            }
            Node::SignExtend(a) => {
                let width = expressions.width(expression);
                (Binding::Postfix, format!("sext{width}({})", self.render(view, *a, false)))
            }
            Node::Extract(high, low, a) => {
                let a = self.operand(view, *a, Binding::Postfix, false);
                (Binding::Postfix, format!("{a}[{high}:{low}]"))
            }
            Node::Concat(a, b) => {
                let (a, b) = (self.render(view, *a, false), self.render(view, *b, false));
                (Binding::Postfix, format!("concat({a}, {b})"))
            }
            Node::Select(map, index) => {
                let map = self.operand(view, *map, Binding::Postfix, true);
                (Binding::Postfix, format!("{map}[{}]", self.render(view, *index, true)))
            }
            Node::Store(map, index, value) => {
                let map = self.operand(view, *map, Binding::Postfix, true);
                let (index, value) = (self.render(view, *index, true), self.render(view, *value, true));
                (Binding::Postfix, format!("{map}[{index} := {value}]"))
            }
            Node::Apply(function, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|&a| self.render(view, a, true)).collect();
                let name = name_text(&expressions.functions()[*function].name);
                (Binding::Postfix, format!("{name}({})", arguments.join(", ")))
            }
        }
    }

    fn junction(&self, view: &View<'_>, parts: &[Expression], operator: &str, binding: Binding) -> (Binding, String) {
        let parts: Vec<_> = parts.iter().map(|&part| self.operand(view, part, tighter(binding), true)).collect();
        (binding, parts.join(operator))
    }

    /// A disjunction; as an implication if exactly one of its parts is a negation.
    fn disjunction(&self, view: &View<'_>, expression: Expression) -> (Binding, String) {
        let mut parts = view.operands(expression);
        let negated = |part: &Expression| match view.expressions().node(*part) {
            Node::Not(inner) if !self.is_reference(view, *part) => Some(*inner),
            _ => None,
        };
        let mut premises = parts.iter().filter_map(negated);
        let (Some(premise), None) = (premises.next(), premises.next()) else {
            return self.junction(view, &parts, " || ", Binding::Disjunction);
        };
        parts.retain(|part| negated(part).is_none());
        let premise = self.operand(view, premise, Binding::Disjunction, true);
        let conclusion = match parts.as_slice() {
            [one] => self.operand(view, *one, Binding::Disjunction, true),
            _ => self.junction(view, &parts, " || ", Binding::Disjunction).1,
        };
        (Binding::Implication, format!("{premise} ==> {conclusion}"))
    }

    fn equation(&self, view: &View<'_>, operator: &str, a: Expression, b: Expression) -> (Binding, String) {
        let literal = |e| matches!(view.expressions().node(e), Node::Bits(_) | Node::Boolean(_));
        let (a, b) = if (literal(a), view.order.key(a)) <= (literal(b), view.order.key(b)) { (a, b) } else { (b, a) };
        let known = self.self_typed[&a] || self.self_typed[&b];
        let a = self.operand(view, a, Binding::BitOr, known);
        let b = self.operand(view, b, Binding::BitOr, known);
        (Binding::Comparison, format!("{a} {operator} {b}"))
    }

    /// A sum in the usual notation: first the added terms, then the subtracted ones.
    fn sum(&self, view: &View<'_>, sum: Expression, known: bool) -> (Binding, String) {
        if let Node::Sum(constant, terms) = view.expressions().node(sum)
            && let [(coefficient, term)] = &terms[..]
            && coefficient.is_ones()
            && constant.is_ones()
        {
            return (Binding::Prefix, format!("~{}", self.operand(view, *term, Binding::Prefix, known)));
        }
        let subtracted = |bits: &Bits| bits.width() > 1 && bits.sign();
        let (constant, mut terms) = view.summands(sum);
        terms.sort_by_key(|(coefficient, term)| (subtracted(coefficient), view.order.key(*term)));
        let mut parts: Vec<(bool, String)> = terms
            .into_iter()
            .map(|(coefficient, term)| {
                let minus = subtracted(&coefficient);
                let factor = if minus { coefficient.neg() } else { coefficient.clone() };
                if factor.is_one() {
                    // A leading minus binds tighter than a division.
                    let least = if minus { Binding::Prefix } else { Binding::Product };
                    (minus, self.operand(view, term, least, known))
                } else {
                    let term = self.operand(view, term, Binding::Prefix, known);
                    (minus, format!("{}*{term}", magnitude_text(&factor, known)))
                }
            })
            .collect();
        if !constant.is_zero() {
            let minus = subtracted(&constant);
            let magnitude = if minus { constant.neg() } else { constant };
            let part = (minus, magnitude_text(&magnitude, known));
            if !minus && parts[0].0 {
                parts.insert(0, part);
            } else {
                parts.push(part);
            }
        }
        let single = parts.len() == 1;
        let mut text = String::new();
        for (position, (minus, part)) in parts.into_iter().enumerate() {
            match (position, minus) {
                (0, false) => text.push_str(&part),
                (0, true) => {
                    text.push('-');
                    text.push_str(&part);
                }
                (_, false) => {
                    text.push_str(" + ");
                    text.push_str(&part);
                }
                (_, true) => {
                    text.push_str(" - ");
                    text.push_str(&part);
                }
            }
        }
        (if single { Binding::Product } else { Binding::Sum }, text)
    }
}

fn tighter(binding: Binding) -> Binding {
    match binding {
        Binding::Conditional => Binding::Implication,
        Binding::Implication => Binding::Disjunction,
        Binding::Disjunction => Binding::Conjunction,
        Binding::Conjunction => Binding::Comparison,
        Binding::Comparison => Binding::BitOr,
        Binding::BitOr => Binding::BitXor,
        Binding::BitXor => Binding::BitAnd,
        Binding::BitAnd => Binding::Shift,
        Binding::Shift => Binding::Sum,
        Binding::Sum => Binding::Product,
        Binding::Product => Binding::Prefix,
        Binding::Prefix | Binding::Postfix => Binding::Postfix,
    }
}

fn binary_text(op: BinaryOp) -> (&'static str, Binding) {
    match op {
        BinaryOp::Multiply => ("*", Binding::Product),
        BinaryOp::UnsignedDivide => ("/u", Binding::Product),
        BinaryOp::SignedDivide => ("/s", Binding::Product),
        BinaryOp::UnsignedRemainder => ("%u", Binding::Product),
        BinaryOp::SignedRemainder => ("%s", Binding::Product),
        BinaryOp::ShiftLeft => ("<<", Binding::Shift),
        BinaryOp::LogicalShiftRight => (">>u", Binding::Shift),
        BinaryOp::ArithmeticShiftRight => (">>s", Binding::Shift),
        BinaryOp::And => ("&", Binding::BitAnd),
        BinaryOp::Or => ("|", Binding::BitOr),
        BinaryOp::Xor => ("^", Binding::BitXor),
    }
}

/// The operator, and the one for exchanged operands.
fn compare_text(op: CompareOp) -> (&'static str, &'static str) {
    match op {
        CompareOp::UnsignedLess => ("<u", ">u"),
        CompareOp::UnsignedLessEqual => ("<=u", ">=u"),
        CompareOp::SignedLess => ("<s", ">s"),
        CompareOp::SignedLessEqual => ("<=s", ">=s"),
    }
}

/// A constant; small negative numbers with a minus sign.
fn bits_text(bits: &Bits, known: bool) -> (Binding, String) {
    let magnitude = bits.neg();
    if bits.width() >= 8 && bits.sign() && magnitude.unsigned() <= &BigUint::from(1024u32) && magnitude != *bits {
        (Binding::Prefix, format!("-{}", magnitude_text(&magnitude, known)))
    } else {
        (Binding::Postfix, magnitude_text(bits, known))
    }
}

fn magnitude_text(bits: &Bits, known: bool) -> String {
    let value = bits.unsigned();
    if !known {
        format!("{value}bv{}", bits.width())
    } else if value >= &BigUint::from(0x1_0000u32) {
        format!("{value:#x}")
    } else {
        value.to_string()
    }
}
