//! Prints sequential programs, pleasant to read and readable by [`super::parse()`].
//!
//! # The format
//!
//! ```text
//! program "scale" same-group;
//! assumption "pointer parameters do not overlap";
//! input lid$1, lid$2: bv32;            // roles: input watched value predicate counter …
//! array arr0 "a": watched watched.a, cells of 4 bytes, element "float" of 4 bytes;
//! require lid$1 <u 64 because "thread ids lie in the group";
//! body {
//!   // 3: for (int i = 0; i < n; i++)
//!   i$1 = 0; @0
//!   while loop0 (active$1 || active$2) counter k active {active$1, active$2} @0
//!     carried "i" {i$1, i$2} = {0, 0} then {i$1 + 1, i$2 + 1};
//!     invariant [closed-form] i$1 <=s n;
//!   {
//!     havoc choice: choice; @1
//!     assert ob0: !hit || offset$2 != watched.a; @1 // race: write - read
//!   }
//! }
//! ```
//!
//! Operators bind as in Rust, from loose to tight: `?:`, `==>`, `||`, `&&`, comparisons, `|`, `^`, `&`,
//! shifts, `+ -`, `* / %`, prefix operators, `x[7:0]` (bits), `m[i]` and `m[i := v]` (maps). Where the
//! sign matters the operator says so: `<u` and `<s`, `/u` and `/s`, `>>u` and `>>s`. A constant's width is
//! that of the operands beside it; `5bv32` where nothing beside it tells. `let %1 = …;` names what occurs
//! more than once in the item that follows. `@4` is the entry of the table of locations at the end.
//!
//! Operands of commutative operators are printed in an order that depends on the program alone, not on
//! the order in which its expressions were built, so that printing what was parsed gives the same text.

use std::fmt::Write as _;

use cranelift_entity::{EntityRef, SecondaryMap};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::{
    BinaryOp, CompareOp, Copies, Expression, Expressions, Loop, Node, ObligationKind, Pair, Program, Role, Site, Sort,
    Statement, UnaryOp, Unknown, Variable,
};
use crate::bits::Bits;
use crate::source::{File, Location};

/// The text of a source line, by file name and line number.
type SourceLine<'a> = dyn Fn(&str, u32) -> Option<String> + 'a;

/// What a printed program shows beside its statements.
#[derive(Default)]
pub struct PrintOptions<'a> {
    /// The text of a source line, by file name and line number; shown beside the statements it became.
    pub source_line: Option<&'a SourceLine<'a>>,
}

/// The program as text.
pub fn print(program: &Program, options: &PrintOptions<'_>) -> String {
    let mut printer = Printer {
        program,
        options,
        order: Order::new(&program.expressions),
        text: String::new(),
        indent: 0,
        shown: None,
    };
    printer.program();
    printer.text
}

/// One expression as text; definitions of what it shares come first, separated by `;`.
pub fn print_expression(expressions: &Expressions, expression: Expression) -> String {
    let mut order = Order::new(expressions);
    let item = Item::new(&mut order, &[expression]);
    let mut text = String::new();
    for &shared in &item.definitions {
        let _ = write!(text, "let {} = {}; ", item.reference(shared), item.definition(&order, shared));
    }
    text + &item.render(&order, expression, false)
}

/// Words that a variable or function may only be called in backquotes: what a statement or an operand begins with.
pub(super) const KEYWORDS: &[&str] = &["true", "false", "concat", "let", "havoc", "assume", "assert", "while"];

/// A name as it is written in the format: in backquotes if it could be mistaken for something else.
pub(super) fn name_text(name: &str) -> String {
    let plain = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$'))
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !KEYWORDS.contains(&name)
        && !["zext", "sext"].iter().any(|prefix| {
            name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
        });
    if plain { name.to_owned() } else { format!("`{}`", escape(name, '`')) }
}

/// A string literal of the format.
fn quoted(text: &str) -> String {
    format!("\"{}\"", escape(text, '"'))
}

fn escape(text: &str, quote: char) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\\' => escaped.push_str("\\\\"),
            c if c == quote => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

// --- The order of operands --------------------------------------------------------------------------

/// What operands are ordered by: the first variable in them, their size, and a number that tells the rest apart.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    first_variable: u32,
    size: u32,
    shape: u64,
}

struct Order<'a> {
    expressions: &'a Expressions,
    keys: SecondaryMap<Expression, Option<Key>>,
}

impl<'a> Order<'a> {
    fn new(expressions: &'a Expressions) -> Self {
        Self { expressions, keys: SecondaryMap::new() }
    }

    /// The operands in the order in which they are printed.
    fn operands(&self, expression: Expression) -> Vec<Expression> {
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

    fn key(&self, expression: Expression) -> Key {
        self.keys[expression].expect("keys are computed before they are compared")
    }

    /// Computes the keys of `root` and everything in it. An explicit stack: expressions can be deep.
    fn compute(&mut self, root: Expression) {
        let mut stack = vec![root];
        while let Some(&top) = stack.last() {
            if self.keys[top].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let keys = &self.keys;
            self.expressions.for_each_operand(top, |operand| {
                if keys[operand].is_none() {
                    stack.push(operand);
                }
            });
            if stack.len() == before {
                self.keys[top] = Some(self.compute_one(top));
                stack.pop();
            }
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

// --- Expressions ------------------------------------------------------------------------------------

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
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

/// A shared expression is named if it has at least this many nodes.
const WORTH_A_NAME: u32 = 4;

/// An expression is named if it nests deeper than this, so that no line and no recursion is deep.
const DEEPEST: u32 = 24;

/// Expressions that are printed together, and what they share.
struct Item {
    /// What is named, each after those it mentions.
    definitions: Vec<Expression>,
    numbers: FxHashMap<Expression, usize>,
    /// Whether an expression's width shows without knowing what is expected where it stands.
    self_typed: FxHashMap<Expression, bool>,
}

impl Item {
    fn new(order: &mut Order<'_>, roots: &[Expression]) -> Self {
        for &root in roots {
            order.compute(root);
        }
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
            stack.extend(order.operands(top).into_iter().rev().map(|operand| (operand, false)));
        }
        let mut item =
            Self { definitions: Vec::new(), numbers: FxHashMap::default(), self_typed: FxHashMap::default() };
        // The size and height as printed: what is named counts as one node.
        let mut extents: FxHashMap<Expression, (u32, u32)> = FxHashMap::default();
        for expression in finished {
            let (mut size, mut height) = (1u32, 0u32);
            order.expressions.for_each_operand(expression, |operand| {
                let (operand_size, operand_height) = extents[&operand];
                size = size.saturating_add(operand_size);
                height = height.max(operand_height + 1);
            });
            let mut self_typed = item.shows_width(order.expressions, expression);
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

    fn shows_width(&self, expressions: &Expressions, expression: Expression) -> bool {
        match expressions.node(expression) {
            Node::Bits(_) => false,
            Node::IfThenElse(_, a, b) | Node::Binary(_, a, b) => self.self_typed[a] || self.self_typed[b],
            Node::Unary(UnaryOp::Not, a) => self.self_typed[a],
            Node::Sum(_, terms) => terms.iter().any(|(_, term)| self.self_typed[term]),
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

    fn reference(&self, expression: Expression) -> String {
        format!("%{}", self.numbers[&expression])
    }

    /// The right-hand side of a definition.
    fn definition(&self, order: &Order<'_>, expression: Expression) -> String {
        self.node(order, expression, self.shows_width(order.expressions, expression)).1
    }

    /// The expression where any operator may stand. `known`: its width shows from where it stands.
    fn render(&self, order: &Order<'_>, expression: Expression, known: bool) -> String {
        self.operand(order, expression, Binding::Conditional, known)
    }

    /// The expression in parentheses unless it binds at least as tightly as `least`.
    fn operand(&self, order: &Order<'_>, expression: Expression, least: Binding, known: bool) -> String {
        if self.numbers.contains_key(&expression) {
            return self.reference(expression);
        }
        let (binding, text) = self.node(order, expression, known);
        if binding < least { format!("({text})") } else { text }
    }

    fn node(&self, order: &Order<'_>, expression: Expression, known: bool) -> (Binding, String) {
        let expressions = order.expressions;
        let known = known || self.shows_width(expressions, expression);
        let infix = |binding: Binding,
                     operator: &str,
                     [left, right]: [Expression; 2],
                     [least_left, least_right]: [Binding; 2],
                     known: bool| {
            let left = self.operand(order, left, least_left, known);
            let right = self.operand(order, right, least_right, known);
            (binding, format!("{left} {operator} {right}"))
        };
        match expressions.node(expression) {
            Node::Boolean(value) => (Binding::Postfix, value.to_string()),
            Node::Bits(bits) => bits_text(bits, known),
            Node::Variable(variable) => (Binding::Postfix, name_text(&expressions.variables()[*variable].name)),
            Node::Not(a) => match expressions.node(*a) {
                Node::Equal(x, y) if !self.numbers.contains_key(a) => self.equation(order, "!=", *x, *y),
                _ => (Binding::Prefix, format!("!{}", self.operand(order, *a, Binding::Prefix, true))),
            },
            Node::And(_) => self.junction(order, &order.operands(expression), " && ", Binding::Conjunction),
            Node::Or(_) => self.disjunction(order, expression),
            Node::Equal(a, b) => self.equation(order, "==", *a, *b),
            Node::IfThenElse(c, a, b) => {
                let c = self.operand(order, *c, Binding::Implication, true);
                let a = self.operand(order, *a, Binding::Implication, known);
                let b = self.operand(order, *b, Binding::Conditional, known);
                (Binding::Conditional, format!("{c} ? {a} : {b}"))
            }
            Node::Sum(constant, terms) => self.sum(order, constant, terms, known),
            Node::Unary(UnaryOp::Not, a) => {
                (Binding::Prefix, format!("~{}", self.operand(order, *a, Binding::Prefix, known)))
            }
            Node::Binary(op, ..) => {
                let (operator, binding) = binary_text(*op);
                let operands = order.operands(expression);
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
                (Binding::Postfix, format!("zext{width}({})", self.render(order, *a, false)))
            }
            Node::SignExtend(a) => {
                let width = expressions.width(expression);
                (Binding::Postfix, format!("sext{width}({})", self.render(order, *a, false)))
            }
            Node::Extract(high, low, a) => {
                let a = self.operand(order, *a, Binding::Postfix, false);
                (Binding::Postfix, format!("{a}[{high}:{low}]"))
            }
            Node::Concat(a, b) => {
                let (a, b) = (self.render(order, *a, false), self.render(order, *b, false));
                (Binding::Postfix, format!("concat({a}, {b})"))
            }
            Node::Select(map, index) => {
                let map = self.operand(order, *map, Binding::Postfix, true);
                (Binding::Postfix, format!("{map}[{}]", self.render(order, *index, true)))
            }
            Node::Store(map, index, value) => {
                let map = self.operand(order, *map, Binding::Postfix, true);
                let (index, value) = (self.render(order, *index, true), self.render(order, *value, true));
                (Binding::Postfix, format!("{map}[{index} := {value}]"))
            }
            Node::Apply(function, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|&a| self.render(order, a, true)).collect();
                let name = name_text(&expressions.functions()[*function].name);
                (Binding::Postfix, format!("{name}({})", arguments.join(", ")))
            }
        }
    }

    fn junction(&self, order: &Order<'_>, parts: &[Expression], operator: &str, binding: Binding) -> (Binding, String) {
        let parts: Vec<_> = parts.iter().map(|&part| self.operand(order, part, tighter(binding), true)).collect();
        (binding, parts.join(operator))
    }

    /// A disjunction; as an implication if exactly one of its parts is a negation.
    fn disjunction(&self, order: &Order<'_>, expression: Expression) -> (Binding, String) {
        let mut parts = order.operands(expression);
        let negated = |part: &Expression| match order.expressions.node(*part) {
            Node::Not(inner) if !self.numbers.contains_key(part) => Some(*inner),
            _ => None,
        };
        let mut premises = parts.iter().filter_map(negated);
        let (Some(premise), None) = (premises.next(), premises.next()) else {
            return self.junction(order, &parts, " || ", Binding::Disjunction);
        };
        parts.retain(|part| negated(part).is_none());
        let premise = self.operand(order, premise, Binding::Disjunction, true);
        let conclusion = match parts.as_slice() {
            [one] => self.operand(order, *one, Binding::Disjunction, true),
            _ => self.junction(order, &parts, " || ", Binding::Disjunction).1,
        };
        (Binding::Implication, format!("{premise} ==> {conclusion}"))
    }

    fn equation(&self, order: &Order<'_>, operator: &str, a: Expression, b: Expression) -> (Binding, String) {
        let literal = |e| matches!(order.expressions.node(e), Node::Bits(_) | Node::Boolean(_));
        let (a, b) = if (literal(a), order.key(a)) <= (literal(b), order.key(b)) { (a, b) } else { (b, a) };
        let known = self.self_typed[&a] || self.self_typed[&b];
        let a = self.operand(order, a, Binding::BitOr, known);
        let b = self.operand(order, b, Binding::BitOr, known);
        (Binding::Comparison, format!("{a} {operator} {b}"))
    }

    /// A sum as one writes it: what is added first, then what is subtracted.
    fn sum(&self, order: &Order<'_>, constant: &Bits, terms: &[(Bits, Expression)], known: bool) -> (Binding, String) {
        if let [(coefficient, term)] = terms
            && coefficient.is_ones()
            && constant.is_ones()
        {
            return (Binding::Prefix, format!("~{}", self.operand(order, *term, Binding::Prefix, known)));
        }
        let subtracted = |bits: &Bits| bits.width() > 1 && bits.sign();
        let mut terms: Vec<_> = terms.iter().collect();
        terms.sort_by_key(|(coefficient, term)| (subtracted(coefficient), order.key(*term)));
        let mut parts: Vec<(bool, String)> = terms
            .into_iter()
            .map(|(coefficient, term)| {
                let minus = subtracted(coefficient);
                let factor = if minus { coefficient.neg() } else { coefficient.clone() };
                if factor.is_one() {
                    // A leading minus binds tighter than a division.
                    let least = if minus { Binding::Prefix } else { Binding::Product };
                    (minus, self.operand(order, *term, least, known))
                } else {
                    let term = self.operand(order, *term, Binding::Prefix, known);
                    (minus, format!("{}*{term}", magnitude_text(&factor, known)))
                }
            })
            .collect();
        if !constant.is_zero() {
            let minus = subtracted(constant);
            let magnitude = if minus { constant.neg() } else { constant.clone() };
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

/// A constant; small negative numbers as such.
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

/// A sort.
pub(super) fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Boolean => "bool".into(),
        Sort::Bits(width) => format!("bv{width}"),
        Sort::Map { index, element } => format!("[bv{index}]bv{element}"),
    }
}

fn role_text(role: Role) -> String {
    match role {
        Role::Input => "input".into(),
        Role::Watched => "watched".into(),
        Role::Value => "value".into(),
        Role::Predicate => "predicate".into(),
        Role::Counter(looop) => format!("counter {looop}"),
        Role::ExitCounter(looop) => format!("exit {looop}"),
        Role::Hit(site) => format!("hit {site}"),
        Role::Written(site) => format!("written {site}"),
        Role::Recorded(site) => format!("recorded {site}"),
        Role::Contents => "contents".into(),
        Role::Choice => "choice".into(),
    }
}

/// The thread that a variable's name shows.
pub(super) fn thread_of_name(name: &str) -> Option<usize> {
    if name.ends_with("$1") {
        Some(0)
    } else if name.ends_with("$2") {
        Some(1)
    } else {
        None
    }
}

fn thread_text(thread: Option<usize>) -> &'static str {
    match thread {
        None => "both",
        Some(0) => "1",
        Some(_) => "2",
    }
}

fn unknown_text(unknown: &Unknown) -> String {
    match unknown {
        Unknown::Load(array) => format!("load {}", quoted(array)),
        Unknown::Atomic(array) => format!("atomic {}", quoted(array)),
        Unknown::Contents(array) => format!("contents {}", quoted(array)),
        Unknown::Undefined => "undefined".into(),
        Unknown::Unmodelled(what) => format!("unmodelled {}", quoted(what)),
        Unknown::Choice => "choice".into(),
    }
}

/// How a site accesses its array, in a word.
pub(super) fn access_text(kind: super::AccessKind) -> &'static str {
    match kind {
        super::AccessKind::Read => "read",
        super::AccessKind::Write => "write",
        super::AccessKind::Atomic => "atomic",
        super::AccessKind::AsyncRead => "async-read",
        super::AccessKind::AsyncWrite => "async-write",
    }
}

// --- Programs ---------------------------------------------------------------------------------------

struct Printer<'a> {
    program: &'a Program,
    options: &'a PrintOptions<'a>,
    order: Order<'a>,
    text: String,
    indent: usize,
    /// The source line that was shown last.
    shown: Option<(File, u32)>,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn blank(&mut self) {
        self.text.push('\n');
    }

    /// What `roots` share is defined on lines of its own.
    fn item(&mut self, roots: &[Expression]) -> Item {
        let item = Item::new(&mut self.order, roots);
        for &shared in &item.definitions {
            let line = format!("let {} = {};", item.reference(shared), item.definition(&self.order, shared));
            self.line(&line);
        }
        item
    }

    fn render(&self, item: &Item, expression: Expression, known: bool) -> String {
        item.render(&self.order, expression, known)
    }

    fn copies(&self, item: &Item, copies: &Copies<Expression>, known: bool) -> String {
        match copies {
            Copies::Uniform(one) => self.render(item, *one, known),
            Copies::Each([first, second]) => {
                format!("{{{}, {}}}", self.render(item, *first, known), self.render(item, *second, known))
            }
        }
    }

    fn name(&self, variable: Variable) -> String {
        name_text(&self.program.expressions.variables()[variable].name)
    }

    fn names(&self, copies: Copies<Variable>) -> String {
        match copies {
            Copies::Uniform(one) => self.name(one),
            Copies::Each([first, second]) => format!("{{{}, {}}}", self.name(first), self.name(second)),
        }
    }

    fn program(&mut self) {
        let program = self.program;
        let pair = match program.pair {
            Pair::SameGroup => "same-group",
            Pair::DifferentGroups => "different-groups",
            Pair::Alone => "alone",
        };
        self.line(&format!("program {} {pair};", quoted(&program.name)));
        for assumption in &program.assumptions {
            self.line(&format!("assumption {};", quoted(assumption)));
        }
        self.declarations();
        if !program.preconditions.is_empty() {
            self.blank();
        }
        for precondition in &program.preconditions {
            let item = self.item(&[precondition.condition]);
            let condition = self.render(&item, precondition.condition, true);
            self.line(&format!("require {condition} because {};", quoted(&precondition.reason)));
        }
        self.blank();
        self.line("body {");
        self.statements(&program.body);
        self.line("}");
        self.sites();
        self.obligations();
        self.observables();
        self.places();
    }

    fn declarations(&mut self) {
        let program = self.program;
        let expressions = &program.expressions;
        if !expressions.functions().is_empty() {
            self.blank();
        }
        for data in expressions.functions().values() {
            let parameters: Vec<_> = data.parameters.iter().map(|&sort| sort_text(sort)).collect();
            let result = sort_text(data.result);
            self.line(&format!("function {}({}): {result};", name_text(&data.name), parameters.join(", ")));
        }
        if !expressions.variables().is_empty() {
            self.blank();
        }
        // Neighbours that differ in nothing but their name share a line.
        let mut pending: Option<(String, String, Vec<String>)> = None;
        for data in expressions.variables().values() {
            let mut sort = sort_text(data.sort);
            if thread_of_name(&data.name) != data.thread {
                let _ = write!(sort, " thread {}", thread_text(data.thread));
            }
            let role = role_text(data.role);
            let name = name_text(&data.name);
            match &mut pending {
                Some((same_role, same_sort, names)) if *same_role == role && *same_sort == sort && names.len() < 8 => {
                    names.push(name);
                }
                _ => {
                    if let Some(done) = pending.replace((role, sort, vec![name])) {
                        self.variables(done);
                    }
                }
            }
        }
        if let Some(done) = pending {
            self.variables(done);
        }
        if !program.arrays.is_empty() {
            self.blank();
        }
        for (array, data) in &program.arrays {
            let mut line = format!("array {array} {}:", quoted(&data.name));
            if data.group_shared {
                line.push_str(" group-shared,");
            }
            let _ = write!(line, " watched {}, cells of {} bytes", self.name(data.watched), data.cell_bytes);
            if let Some(element) = &data.element {
                let _ = write!(line, ", element {} of {} bytes", quoted(&element.name), element.bytes);
                for dimension in &element.dimensions {
                    let _ = write!(line, "[{dimension}]");
                }
            }
            self.line(&format!("{line};"));
        }
    }

    fn variables(&mut self, (role, sort, names): (String, String, Vec<String>)) {
        self.line(&format!("{role} {}: {sort};", names.join(", ")));
    }

    fn statements(&mut self, statements: &[Statement]) {
        self.indent += 1;
        for statement in statements {
            self.statement(statement);
        }
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign { variable, value, location } => {
                self.source(*location);
                let item = self.item(&[*value]);
                let value = self.render(&item, *value, true);
                let name = self.name(*variable);
                self.line(&format!("{name} = {value};{}", at(*location)));
            }
            Statement::Havoc { variable, unknown, location } => {
                self.source(*location);
                let name = self.name(*variable);
                self.line(&format!("havoc {name}: {};{}", unknown_text(unknown), at(*location)));
            }
            Statement::Assume { condition, reason, location } => {
                self.source(*location);
                let item = self.item(&[*condition]);
                let condition = self.render(&item, *condition, true);
                self.line(&format!("assume {condition} because {};{}", quoted(reason), at(*location)));
            }
            Statement::Assert { condition, obligation, location } => {
                self.source(*location);
                let item = self.item(&[*condition]);
                let condition = self.render(&item, *condition, true);
                let comment = self.obligation_comment(*obligation);
                self.line(&format!("assert {obligation}: {condition};{} // {comment}", at(*location)));
            }
            Statement::Loop(looop) => self.looop(*looop),
        }
    }

    fn looop(&mut self, looop: Loop) {
        let program = self.program;
        let data = &program.loops[looop];
        self.source(data.location);
        let mut roots = vec![data.guard];
        for carried in &data.carried {
            roots.extend(carried.initial.iter().chain(carried.next.iter()));
        }
        roots.extend(data.invariants.iter().map(|invariant| invariant.condition));
        let item = self.item(&roots);
        let guard = self.render(&item, data.guard, true);
        let (counter, active) = (self.name(data.counter), self.names(data.active));
        let barrier = if data.has_barrier { " barrier" } else { "" };
        let header = format!("while {looop} ({guard}) counter {counter} active {active}{barrier}");
        self.line(&format!("{header}{}", at(data.location)));
        self.indent += 1;
        for carried in &data.carried {
            let name = carried.name.as_deref().map(|name| quoted(name) + " ").unwrap_or_default();
            let variable = self.names(carried.variable);
            let initial = self.copies(&item, &carried.initial, true);
            let next = self.copies(&item, &carried.next, true);
            self.line(&format!("carried {name}{variable} = {initial} then {next};"));
        }
        for invariant in &data.invariants {
            let condition = self.render(&item, invariant.condition, true);
            let plain = invariant.family.split('-').all(|word| {
                word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.chars().all(|c| c.is_ascii_alphanumeric())
            });
            let family = if plain { invariant.family.clone() } else { quoted(&invariant.family) };
            self.line(&format!("invariant [{family}] {condition};"));
        }
        self.indent -= 1;
        self.line("{");
        self.statements(&data.body);
        self.line("}");
    }

    /// The source line that the next statement comes from, unless it was shown last.
    fn source(&mut self, location: Option<Location>) {
        let Some((file, line)) = location.and_then(|location| self.place(location)) else { return };
        if self.shown == Some((file, line)) {
            return;
        }
        self.shown = Some((file, line));
        let Some(name) = self.program.files.get(file) else { return };
        let text = self.options.source_line.and_then(|source_line| source_line(name, line));
        let text = text.map(|text| format!(": {}", text.trim().replace(['\n', '\r'], " "))).unwrap_or_default();
        let comment = if self.program.files.len() > 1 || text.is_empty() {
            format!("// {}:{line}{text}", name.replace(['\n', '\r'], " "))
        } else {
            format!("// {line}{text}")
        };
        self.line(&comment);
    }

    fn place(&self, location: Location) -> Option<(File, u32)> {
        let data = self.program.locations.get(location)?;
        (data.line > 0).then_some((data.file, data.line))
    }

    fn line_of(&self, location: Option<Location>) -> String {
        match location.and_then(|location| self.place(location)) {
            Some((_, line)) => format!(" in line {line}"),
            None => String::new(),
        }
    }

    fn obligation_comment(&self, obligation: super::Obligation) -> String {
        let Some(data) = self.program.obligations.get(obligation) else { return "no such obligation".into() };
        let access = |site: Site| match self.program.sites.get(site) {
            Some(data) => format!("{}{}", access_text(data.kind), self.line_of(data.location)),
            None => "no such site".into(),
        };
        match &data.kind {
            ObligationKind::Race { logged, checked } => {
                let array = self.program.sites.get(*checked).and_then(|site| self.program.arrays.get(site.array));
                let array = array.map(|array| array.name.replace(['\n', '\r'], " ")).unwrap_or_default();
                format!("race on {array}: {} - {}", access(*logged), access(*checked))
            }
            ObligationKind::BarrierDivergence { .. } => "barrier divergence".into(),
            ObligationKind::GroupOperationDivergence => "group operation divergence".into(),
            ObligationKind::Assertion { .. } => "assertion".into(),
            ObligationKind::ConstantWrite { .. } => "write to constant memory".into(),
            ObligationKind::NullDereference { .. } => "null dereference".into(),
            ObligationKind::OutOfBounds { array, .. } => {
                format!("out of bounds of {}", array.replace(['\n', '\r'], " "))
            }
            ObligationKind::InvariantEntry => "invariant before the loop".into(),
            ObligationKind::InvariantStep => "invariant after an iteration".into(),
        }
    }

    fn sites(&mut self) {
        let program = self.program;
        for (site, data) in &program.sites {
            self.blank();
            if let Some(array) = program.arrays.get(data.array) {
                let name = array.name.replace(['\n', '\r'], " ");
                self.line(&format!("// {} of {name}{}", access_text(data.kind), self.line_of(data.location)));
            }
            let mut roots: Vec<_> = data.offset.iter().chain(data.active.iter()).copied().collect();
            roots.extend(&data.facts);
            let item = self.item(&roots);
            let offset = self.copies(&item, &data.offset, false);
            let active = self.copies(&item, &data.active, true);
            let mut header = format!(
                "site {site} {} {} hit {} at {offset} when {active}",
                access_text(data.kind),
                data.array,
                self.name(data.hit)
            );
            if !data.loops.is_empty() {
                let loops: Vec<_> = data.loops.iter().map(ToString::to_string).collect();
                let _ = write!(header, " in {}", loops.join(", "));
            }
            self.line(&format!("{header} {{{}", at(data.location)));
            self.indent += 1;
            if let Some(written) = data.written {
                let line = format!("written {};", self.name(written));
                self.line(&line);
            }
            for recorded in &data.recorded {
                let line = format!("recorded {} = {};", self.name(recorded.recorded), self.name(recorded.original));
                self.line(&line);
            }
            for &fact in &data.facts {
                let line = format!("fact {};", self.render(&item, fact, true));
                self.line(&line);
            }
            self.indent -= 1;
            self.line("}");
        }
    }

    fn obligations(&mut self) {
        let program = self.program;
        if !program.obligations.is_empty() {
            self.blank();
        }
        for (obligation, data) in &program.obligations {
            let kind = match &data.kind {
                ObligationKind::Race { logged, checked } => format!("race {logged}, {checked}"),
                ObligationKind::BarrierDivergence { active } => {
                    let roots: Vec<_> = active.iter().copied().collect();
                    let item = self.item(&roots);
                    format!("barrier-divergence {}", self.copies(&item, active, true))
                }
                ObligationKind::GroupOperationDivergence => "group-operation-divergence".into(),
                ObligationKind::Assertion { thread } => format!("assertion {}", thread_text(*thread)),
                ObligationKind::ConstantWrite { thread } => format!("constant-write {}", thread_text(*thread)),
                ObligationKind::NullDereference { thread } => format!("null-dereference {}", thread_text(*thread)),
                ObligationKind::OutOfBounds { array, thread } => {
                    format!("out-of-bounds {} {}", quoted(array), thread_text(*thread))
                }
                ObligationKind::InvariantEntry => "invariant-entry".into(),
                ObligationKind::InvariantStep => "invariant-step".into(),
            };
            self.line(&format!("obligation {obligation} {kind};{}", at(data.location)));
        }
    }

    fn observables(&mut self) {
        let observables = &self.program.observables;
        self.blank();
        let mut all = Vec::new();
        for id in &observables.local_ids {
            all.push(("local-id".to_owned(), *id));
        }
        for id in &observables.group_ids {
            all.push(("group-id".to_owned(), *id));
        }
        for &size in &observables.local_sizes {
            all.push(("local-size".to_owned(), Copies::Uniform(size)));
        }
        for &number in &observables.num_groups {
            all.push(("num-groups".to_owned(), Copies::Uniform(number)));
        }
        for (name, value) in &observables.parameters {
            all.push((format!("parameter {}", quoted(name)), Copies::Uniform(*value)));
        }
        for (what, value) in all {
            let roots: Vec<_> = value.iter().copied().collect();
            let item = self.item(&roots);
            let line = format!("observe {what} = {};", self.copies(&item, &value, false));
            self.line(&line);
        }
    }

    fn places(&mut self) {
        let program = self.program;
        if !program.files.is_empty() {
            self.blank();
        }
        for (file, name) in &program.files {
            self.line(&format!("file {} {};", file.index(), quoted(name)));
        }
        for (location, data) in &program.locations {
            let mut line =
                format!("location {} = file {}:{}:{}", location.index(), data.file.index(), data.line, data.column);
            if !data.function.is_empty() {
                let _ = write!(line, " in {}", quoted(&data.function));
            }
            if let Some(call) = data.inlined_at {
                let _ = write!(line, " inlined @{}", call.index());
            }
            self.line(&format!("{line};"));
        }
    }
}

fn at(location: Option<Location>) -> String {
    location.map(|location| format!(" @{}", location.index())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::testing::sample;
    use super::*;

    #[test]
    fn a_loop_reads_like_source() {
        let source = |_: &str, line| (line == 4).then(|| "  a[4 * lid + i - 3] = f(a[0]);".to_owned());
        let text = print(&sample(), &PrintOptions { source_line: Some(&source) });
        let expected = r#"
body {
  hit$1 = false;
  havoc a: contents "a";
  // scale.cl:3
  i = 0; @0
  active = n >s 0; @0
  while loop0 (active) counter k active active @0
    carried "i" i = 0 then i + 1;
    invariant [user] i == k[31:0];
    invariant [user] i <=u 4;
    invariant [user] active ==> i <s n;
    invariant [user] hit$1 ==> sext64(4*lid$1 + k.hit$1[31:0] - 3) == watched.a;
    invariant [user] hit$1 ==> k.hit$1[31:0] <u 4;
  {
    // 4: a[4 * lid + i - 3] = f(a[0]);
    loaded = f(a[0]); @1
    havoc choice: choice; @1
    assert ob0: !(sext64(4*lid$2 + i - 3) == watched.a && active && hit$1); @1 // race on a: write in line 4 - write in line 4
"#;
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn what_is_shared_is_printed_once() {
        let mut e = Expressions::new();
        let variable = |e: &mut Expressions, name| {
            let variable = e.add_variable(name, Sort::Bits(32), None, Role::Value);
            e.variable(variable)
        };
        let (x, y) = (variable(&mut e, "x"), variable(&mut e, "y"));
        let mut square = e.binary(BinaryOp::Xor, x, y);
        for _ in 0..200 {
            let shifted = e.binary(BinaryOp::ArithmeticShiftRight, square, y);
            square = e.binary(BinaryOp::UnsignedDivide, square, shifted);
        }
        // As a tree it would have 2^200 leaves.
        assert!(print_expression(&e, square).len() < 10_000);
    }

    #[test]
    fn widths_show_only_where_nothing_tells_them() {
        let mut e = Expressions::new();
        let c = e.add_variable("c", Sort::Boolean, None, Role::Value);
        let x = e.add_variable("x", Sort::Bits(8), None, Role::Value);
        let (c, x) = (e.variable(c), e.variable(x));
        let (one, two) = (e.number(8, 1), e.number(8, 2));
        let chosen = e.if_then_else(c, one, two);
        assert_eq!(print_expression(&e, chosen), "c ? 1bv8 : 2bv8");
        let sum = e.add(chosen, x);
        assert_eq!(print_expression(&e, sum), "(c ? 1 : 2) + x");
        let minus = e.subtract(one, x);
        assert_eq!(print_expression(&e, minus), "1 - x");
        let quotient = e.binary(BinaryOp::UnsignedDivide, x, chosen);
        let negated = e.negate(quotient);
        assert_eq!(print_expression(&e, negated), "-(x /u (c ? 1 : 2))");
    }
}
