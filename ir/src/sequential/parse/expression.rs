//! Parses expressions of the text format in two steps: as written, and then built, once the widths
//! around constants are known.

use num_bigint::BigUint;

use super::lexer::{Token, WIDEST};
use super::{Parsed, Parser};
use crate::bits::Bits;
use crate::sequential::print::sort_text;
use crate::sequential::{BinaryOp, CompareOp, Expression, Sort, UnaryOp};

/// The maximum nesting of expressions and loops in a text; printed programs nest far less.
pub(super) const DEEPEST: u32 = 200;

/// An expression as written.
pub(super) enum Ast {
    Boolean(bool),
    Number(BigUint, Option<u32>),
    Name(String),
    Reference(usize),
    Not(Box<Ast>),
    Negate(Box<Ast>),
    Complement(Box<Ast>),
    And(Vec<Ast>),
    Or(Vec<Ast>),
    Implies(Box<[Ast; 2]>),
    /// `==`, or `!=` if the flag is not set.
    Equal(bool, Box<[Ast; 2]>),
    Compare(CompareOp, Box<[Ast; 2]>),
    Conditional(Box<[Ast; 3]>),
    Arithmetic(Arithmetic, Box<[Ast; 2]>),
    Extend {
        signed: bool,
        width: u32,
        operand: Box<Ast>,
    },
    Extract(u32, u32, Box<Ast>),
    Concat(Box<[Ast; 2]>),
    Select(Box<[Ast; 2]>),
    Store(Box<[Ast; 3]>),
    Apply(String, Vec<Ast>),
}

#[derive(Clone, Copy)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Binary(BinaryOp),
}

/// Operators that associate to the left, from loose to tight.
const LEVELS: &[&[(&str, Arithmetic)]] = &[
    &[("|", Arithmetic::Binary(BinaryOp::Or))],
    &[("^", Arithmetic::Binary(BinaryOp::Xor))],
    &[("&", Arithmetic::Binary(BinaryOp::And))],
    &[
        ("<<", Arithmetic::Binary(BinaryOp::ShiftLeft)),
        (">>u", Arithmetic::Binary(BinaryOp::LogicalShiftRight)),
        (">>s", Arithmetic::Binary(BinaryOp::ArithmeticShiftRight)),
    ],
    &[("+", Arithmetic::Add), ("-", Arithmetic::Subtract)],
    &[
        ("*", Arithmetic::Binary(BinaryOp::Multiply)),
        ("/u", Arithmetic::Binary(BinaryOp::UnsignedDivide)),
        ("/s", Arithmetic::Binary(BinaryOp::SignedDivide)),
        ("%u", Arithmetic::Binary(BinaryOp::UnsignedRemainder)),
        ("%s", Arithmetic::Binary(BinaryOp::SignedRemainder)),
    ],
];

/// The comparison, and whether its operands are exchanged.
const COMPARISONS: &[(&str, CompareOp, bool)] = &[
    ("<u", CompareOp::UnsignedLess, false),
    ("<=u", CompareOp::UnsignedLessEqual, false),
    ("<s", CompareOp::SignedLess, false),
    ("<=s", CompareOp::SignedLessEqual, false),
    (">u", CompareOp::UnsignedLess, true),
    (">=u", CompareOp::UnsignedLessEqual, true),
    (">s", CompareOp::SignedLess, true),
    (">=s", CompareOp::SignedLessEqual, true),
];

impl Parser {
    // --- As written ------------------------------------------------------------------------------

    pub(super) fn conditional(&mut self) -> Parsed<Ast> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.error("expressions nest too deeply");
        }
        let condition = self.implication()?;
        let parsed = if self.accept("?") {
            let a = self.implication()?;
            self.symbol(":")?;
            let b = self.conditional()?;
            Ast::Conditional(Box::new([condition, a, b]))
        } else {
            condition
        };
        self.depth -= 1;
        Ok(parsed)
    }

    fn implication(&mut self) -> Parsed<Ast> {
        let premise = self.disjunction()?;
        if !self.accept("==>") {
            return Ok(premise);
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.error("expressions nest too deeply");
        }
        let conclusion = self.implication()?;
        self.depth -= 1;
        Ok(Ast::Implies(Box::new([premise, conclusion])))
    }

    fn disjunction(&mut self) -> Parsed<Ast> {
        let mut parts = vec![self.conjunction()?];
        while self.accept("||") {
            parts.push(self.conjunction()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Ast::Or(parts) })
    }

    fn conjunction(&mut self) -> Parsed<Ast> {
        let mut parts = vec![self.comparison()?];
        while self.accept("&&") {
            parts.push(self.comparison()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Ast::And(parts) })
    }

    fn comparison(&mut self) -> Parsed<Ast> {
        let left = self.level(0)?;
        for (symbol, equal) in [("==", true), ("!=", false)] {
            if self.accept(symbol) {
                return Ok(Ast::Equal(equal, Box::new([left, self.level(0)?])));
            }
        }
        for &(symbol, op, exchanged) in COMPARISONS {
            if self.accept(symbol) {
                let right = self.level(0)?;
                let operands = if exchanged { [right, left] } else { [left, right] };
                return Ok(Ast::Compare(op, Box::new(operands)));
            }
        }
        Ok(left)
    }

    fn level(&mut self, level: usize) -> Parsed<Ast> {
        let Some(operators) = LEVELS.get(level) else { return self.prefix() };
        let mut left = self.level(level + 1)?;
        let mut operators_here = 0;
        while let Some((_, op)) = operators.iter().find(|(symbol, _)| self.at_symbol(symbol)) {
            self.position += 1;
            operators_here += 1;
            if operators_here > 10 * DEEPEST {
                return self.error("too many operators in a row");
            }
            left = Ast::Arithmetic(*op, Box::new([left, self.level(level + 1)?]));
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Parsed<Ast> {
        let constructor: fn(Box<Ast>) -> Ast = if self.accept("!") {
            Ast::Not
        } else if self.accept("-") {
            Ast::Negate
        } else if self.accept("~") {
            Ast::Complement
        } else {
            return self.postfix();
        };
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.error("expressions nest too deeply");
        }
        let operand = self.prefix()?;
        self.depth -= 1;
        Ok(constructor(Box::new(operand)))
    }

    fn postfix(&mut self) -> Parsed<Ast> {
        let mut base = self.primary()?;
        let mut operators_here = 0;
        while self.accept("[") {
            operators_here += 1;
            if operators_here > DEEPEST {
                return self.error("too many operators in a row");
            }
            base = self.index(base)?;
        }
        Ok(base)
    }

    /// After `[`.
    fn index(&mut self, base: Ast) -> Parsed<Ast> {
        let index = self.conditional()?;
        let indexed = if self.accept(":=") {
            Ast::Store(Box::new([base, index, self.conditional()?]))
        } else if let Ast::Number(high, None) = &index
            && self.accept(":")
        {
            let Ok(high) = u32::try_from(high.clone()) else { return self.error(format!("there is no bit {high}")) };
            Ast::Extract(high, self.number()?, Box::new(base))
        } else {
            Ast::Select(Box::new([base, index]))
        };
        self.symbol("]")?;
        Ok(indexed)
    }

    fn primary(&mut self) -> Parsed<Ast> {
        match self.peek().clone() {
            Token::Number(value, width) => {
                self.position += 1;
                Ok(Ast::Number(value, width))
            }
            Token::Reference(number) => {
                self.position += 1;
                Ok(Ast::Reference(number))
            }
            Token::Name { text, quoted } => {
                self.position += 1;
                self.named(text, quoted)
            }
            Token::Symbol("(") => {
                self.position += 1;
                let inner = self.conditional()?;
                self.symbol(")")?;
                Ok(inner)
            }
            Token::Symbol(_) | Token::Text(_) | Token::End => self.expected("an expression"),
        }
    }

    fn named(&mut self, name: String, quoted: bool) -> Parsed<Ast> {
        if !quoted && (name == "true" || name == "false") {
            return Ok(Ast::Boolean(name == "true"));
        }
        if !self.accept("(") {
            return Ok(Ast::Name(name));
        }
        let mut arguments = Vec::new();
        while !self.accept(")") {
            if !arguments.is_empty() {
                self.symbol(",")?;
            }
            arguments.push(self.conditional()?);
        }
        let extension = |prefix: &str| name.strip_prefix(prefix).and_then(|width| width.parse::<u32>().ok());
        for (prefix, signed) in [("zext", false), ("sext", true)] {
            let Some(width) = extension(prefix).filter(|_| !quoted) else { continue };
            return match <[Ast; 1]>::try_from(arguments) {
                Ok([operand]) if width <= WIDEST => Ok(Ast::Extend { signed, width, operand: Box::new(operand) }),
                _ => self.error(format!("`{name}` takes one operand, and at most {WIDEST} bits")),
            };
        }
        if name == "concat" && !quoted {
            return match <[Ast; 2]>::try_from(arguments) {
                Ok(both) => Ok(Ast::Concat(Box::new(both))),
                Err(_) => self.error("`concat` takes two operands"),
            };
        }
        Ok(Ast::Apply(name, arguments))
    }

    // --- Built -----------------------------------------------------------------------------------

    /// The sort of an expression, as far as it is known without the sort that its place expects.
    fn shown_sort(&self, ast: &Ast) -> Option<Sort> {
        let expressions = &self.program.expressions;
        match ast {
            Ast::Boolean(_)
            | Ast::Not(_)
            | Ast::And(_)
            | Ast::Or(_)
            | Ast::Implies(_)
            | Ast::Equal(..)
            | Ast::Compare(..) => Some(Sort::Boolean),
            Ast::Number(_, width) => width.map(Sort::Bits),
            Ast::Name(name) => match expressions.variable_named(name) {
                Some(variable) => Some(expressions.variables()[variable].sort),
                None => self.names.get(name).map(|&known| expressions.sort(known)),
            },
            Ast::Reference(number) => self.definitions.get(number).map(|&known| expressions.sort(known)),
            Ast::Negate(a) | Ast::Complement(a) => self.shown_sort(a),
            Ast::Conditional(parts) => self.shown_sort(&parts[1]).or_else(|| self.shown_sort(&parts[2])),
            Ast::Arithmetic(_, both) => self.shown_sort(&both[0]).or_else(|| self.shown_sort(&both[1])),
            Ast::Extend { width, .. } => Some(Sort::Bits(*width)),
            Ast::Extract(high, low, _) => high.checked_sub(*low).and_then(|more| more.checked_add(1)).map(Sort::Bits),
            Ast::Concat(both) => match (self.shown_sort(&both[0]), self.shown_sort(&both[1])) {
                (Some(Sort::Bits(high)), Some(Sort::Bits(low))) => high.checked_add(low).map(Sort::Bits),
                _ => None,
            },
            Ast::Select(both) => match self.shown_sort(&both[0]) {
                Some(Sort::Map { element, .. }) => Some(Sort::Bits(element)),
                _ => None,
            },
            Ast::Store(parts) => self.shown_sort(&parts[0]),
            Ast::Apply(name, _) => self.functions.get(name).map(|&function| expressions.functions()[function].result),
        }
    }

    /// Builds an expression; `expected` is the sort that its place implies.
    pub(super) fn elaborate(&mut self, ast: &Ast, expected: Option<Sort>) -> Result<Expression, String> {
        match ast {
            Ast::Boolean(value) => Ok(self.program.expressions.boolean(*value)),
            Ast::Number(value, width) => self.constant(value, width.map(Sort::Bits).or(expected)),
            Ast::Name(name) => match self.program.expressions.variable_named(name) {
                Some(variable) => Ok(self.program.expressions.variable(variable)),
                None => {
                    self.names.get(name).copied().ok_or_else(|| format!("there is no variable or definition `{name}`"))
                }
            },
            Ast::Reference(number) => {
                self.definitions.get(number).copied().ok_or_else(|| format!("`%{number}` is not defined"))
            }
            Ast::Not(a) => {
                let a = self.sorted(a, Sort::Boolean)?;
                Ok(self.program.expressions.not(a))
            }
            Ast::Negate(a) => {
                let a = self.bits(a, expected)?;
                Ok(self.program.expressions.negate(a))
            }
            Ast::Complement(a) => {
                let a = self.bits(a, expected)?;
                Ok(self.program.expressions.unary(UnaryOp::Not, a))
            }
            Ast::And(parts) => {
                let parts = parts.iter().map(|part| self.sorted(part, Sort::Boolean)).collect::<Result<Vec<_>, _>>()?;
                Ok(self.program.expressions.and(parts))
            }
            Ast::Or(parts) => {
                let parts = parts.iter().map(|part| self.sorted(part, Sort::Boolean)).collect::<Result<Vec<_>, _>>()?;
                Ok(self.program.expressions.or(parts))
            }
            Ast::Implies(both) => {
                let [premise, conclusion] = &**both;
                let premise = self.sorted(premise, Sort::Boolean)?;
                let conclusion = self.sorted(conclusion, Sort::Boolean)?;
                Ok(self.program.expressions.implies(premise, conclusion))
            }
            Ast::Equal(equal, both) => {
                let (a, b) = self.alike(&both[0], &both[1], None)?;
                let same = self.program.expressions.equal(a, b);
                Ok(if *equal { same } else { self.program.expressions.not(same) })
            }
            Ast::Compare(op, both) => {
                let (a, b) = self.alike(&both[0], &both[1], None)?;
                self.width_of(a)?;
                Ok(self.program.expressions.compare(*op, a, b))
            }
            Ast::Conditional(parts) => {
                let condition = self.sorted(&parts[0], Sort::Boolean)?;
                let (a, b) = self.alike(&parts[1], &parts[2], expected)?;
                Ok(self.program.expressions.if_then_else(condition, a, b))
            }
            Ast::Arithmetic(op, both) => {
                let (a, b) = self.alike(&both[0], &both[1], expected)?;
                self.width_of(a)?;
                let expressions = &mut self.program.expressions;
                Ok(match op {
                    Arithmetic::Add => expressions.add(a, b),
                    Arithmetic::Subtract => expressions.subtract(a, b),
                    Arithmetic::Binary(op) => expressions.binary(*op, a, b),
                })
            }
            Ast::Extend { signed, width, operand } => {
                let a = self.bits(operand, None)?;
                let narrow = self.width_of(a)?;
                let expressions = &mut self.program.expressions;
                match signed {
                    _ if narrow > *width => Err(format!("{narrow} bits cannot be extended to {width}")),
                    true => Ok(expressions.sign_extend(*width, a)),
                    false => Ok(expressions.zero_extend(*width, a)),
                }
            }
            Ast::Extract(high, low, a) => {
                let a = self.bits(a, None)?;
                let width = self.width_of(a)?;
                if low <= high && *high < width {
                    Ok(self.program.expressions.extract(*high, *low, a))
                } else {
                    Err(format!("of {width} bits there are no bits [{high}:{low}]"))
                }
            }
            Ast::Concat(both) => {
                let (high, low) = (self.bits(&both[0], None)?, self.bits(&both[1], None)?);
                if self.width_of(high)? + self.width_of(low)? > WIDEST {
                    return Err(format!("more than {WIDEST} bits"));
                }
                Ok(self.program.expressions.concat(high, low))
            }
            Ast::Select(both) => {
                let (map, index, _) = self.map_and_index(&both[0], &both[1])?;
                Ok(self.program.expressions.select(map, index))
            }
            Ast::Store(parts) => {
                let (map, index, element) = self.map_and_index(&parts[0], &parts[1])?;
                let value = self.sorted(&parts[2], Sort::Bits(element))?;
                Ok(self.program.expressions.store(map, index, value))
            }
            Ast::Apply(name, arguments) => self.application(name, arguments),
        }
    }

    fn application(&mut self, name: &str, arguments: &[Ast]) -> Result<Expression, String> {
        let Some(&function) = self.functions.get(name) else {
            return Err(format!("there is no function `{name}`"));
        };
        let parameters = self.program.expressions.functions()[function].parameters.clone();
        if parameters.len() != arguments.len() {
            return Err(format!("`{name}` takes {} arguments, not {}", parameters.len(), arguments.len()));
        }
        let arguments = arguments
            .iter()
            .zip(parameters)
            .map(|(argument, parameter)| self.sorted(argument, parameter))
            .collect::<Result<_, _>>()?;
        Ok(self.program.expressions.apply(function, arguments))
    }

    fn constant(&mut self, value: &BigUint, sort: Option<Sort>) -> Result<Expression, String> {
        match sort {
            Some(Sort::Bits(width)) if value.bits() <= u64::from(width) => {
                Ok(self.program.expressions.bits(Bits::new(width, value.clone())))
            }
            Some(Sort::Bits(width)) => Err(format!("{value} has more than {width} bits")),
            Some(other) => Err(format!("{} expected, {value} found", sort_text(other))),
            None => Err(format!("the width of {value} is not known: write it as in `{value}bv32`")),
        }
    }

    fn sorted(&mut self, ast: &Ast, sort: Sort) -> Result<Expression, String> {
        let built = self.elaborate(ast, Some(sort))?;
        let found = self.program.expressions.sort(built);
        if found == sort { Ok(built) } else { Err(format!("{} expected, {} found", sort_text(sort), sort_text(found))) }
    }

    fn bits(&mut self, ast: &Ast, expected: Option<Sort>) -> Result<Expression, String> {
        let built = self.elaborate(ast, expected)?;
        self.width_of(built)?;
        Ok(built)
    }

    fn width_of(&self, expression: Expression) -> Result<u32, String> {
        match self.program.expressions.sort(expression) {
            Sort::Bits(width) => Ok(width),
            other => Err(format!("a bit-vector expected, {} found", sort_text(other))),
        }
    }

    /// Two operands of one sort.
    fn alike(&mut self, a: &Ast, b: &Ast, expected: Option<Sort>) -> Result<(Expression, Expression), String> {
        let sort = self.shown_sort(a).or_else(|| self.shown_sort(b)).or(expected);
        let a = self.elaborate(a, sort)?;
        let b = self.elaborate(b, sort)?;
        let (left, right) = (self.program.expressions.sort(a), self.program.expressions.sort(b));
        if left == right {
            Ok((a, b))
        } else {
            Err(format!("the operands are {} and {}", sort_text(left), sort_text(right)))
        }
    }

    /// A map, an index into it, and the width of its elements.
    fn map_and_index(&mut self, map: &Ast, index: &Ast) -> Result<(Expression, Expression, u32), String> {
        let map = self.elaborate(map, None)?;
        match self.program.expressions.sort(map) {
            Sort::Map { index: width, element } => Ok((map, self.sorted(index, Sort::Bits(width))?, element)),
            other => Err(format!("a map expected, {} found", sort_text(other))),
        }
    }
}
