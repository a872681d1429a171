//! `--assume`: the command line's assumptions about the arguments and sizes of every launch.
//!
//! An assumption is a C expression over the kernel's integer parameters and the functions that tell
//! sizes: `width >= get_global_size(0) && n % 4 == 0`, or in CUDA `gridDim.x * blockDim.x <= n`. It
//! is computed as C does, with C's promotions, and wraps where C does. It becomes a precondition of
//! each kernel that has all parameters it names.

use std::collections::BTreeSet;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp, Operation, ThreadQuery, Type, UnaryOp, Value};
use lockstep_ir::text::{Comments, Lexis, Piece, longest, one_if, pieces};

use super::builder::Builder;

/// An assumption about every launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The text as given.
    pub text: String,
    tree: Tree,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Tree {
    Number(u64, Integer),
    Name(String),
    Query(Query, u8),
    /// The same in CUDA, where it is an `unsigned`.
    Word(Query, u8),
    Unary(Unary, Box<Tree>),
    Binary(Binary, Box<[Tree; 2]>),
    Conditional(Box<[Tree; 3]>),
}

/// A function that tells a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Query {
    LocalSize,
    NumGroups,
    GlobalSize,
    GlobalOffset,
    Dimensions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unary {
    Plus,
    Minus,
    Complement,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binary {
    Arithmetic(Arithmetic),
    /// The comparison, whether the operands are exchanged, whether the result is negated.
    Compare(Comparison),
    And,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arithmetic {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

/// An integer type of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// Its width in bits.
    pub bits: u32,
    /// Whether it has negative values.
    pub signed: bool,
}

const INT: Integer = Integer { bits: 32, signed: true };
const UNSIGNED: Integer = Integer { bits: 32, signed: false };

impl Integer {
    /// The type with this name in OpenCL C, or in C++ where `long` has 64 bits.
    pub fn named(name: &str) -> Option<Self> {
        let (name, signed) = match name.strip_prefix("unsigned ").or_else(|| name.strip_prefix('u')) {
            Some(rest) => (rest, false),
            None => (name.strip_prefix("signed ").unwrap_or(name), true),
        };
        let bits = match name {
            "char" => 8,
            "short" => 16,
            "int" => 32,
            "long" | "long long" => 64,
            _ => return None,
        };
        Some(Self { bits, signed })
    }

    fn promoted(self) -> Self {
        if self.bits < INT.bits { INT } else { self }
    }

    fn common(self, other: Self) -> Self {
        let (a, b) = (self.promoted(), other.promoted());
        match a.bits.cmp(&b.bits) {
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Equal => Self { bits: a.bits, signed: a.signed && b.signed },
        }
    }
}

impl Assumption {
    /// Reads an expression. The error is a sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens, next: 0, depth: 0 };
        let tree = parser.conditional()?;
        match parser.peek() {
            None => Ok(Self { text: text.trim().to_owned(), tree }),
            Some(token) => Err(format!("`{token}` is not expected there")),
        }
    }

    /// The names of parameters.
    pub fn names(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        let mut pending = vec![&self.tree];
        while let Some(tree) = pending.pop() {
            match tree {
                Tree::Name(name) => {
                    names.insert(name.as_str());
                }
                Tree::Number(..) | Tree::Query(..) | Tree::Word(..) => {}
                Tree::Unary(_, inner) => pending.push(inner),
                Tree::Binary(_, both) => pending.extend(both.iter()),
                Tree::Conditional(three) => pending.extend(three.iter()),
            }
        }
        names
    }

    /// Appends the computation of the expression to a kernel.
    ///
    /// `parameter` gives the value and type of a parameter.
    pub fn build(
        &self,
        builder: &mut Builder<'_>,
        parameter: &dyn Fn(&str) -> Result<Typed, String>,
    ) -> Result<Value, String> {
        let value = build(builder, &self.tree, parameter)?;
        Ok(truth(builder, value))
    }
}

/// A computed value and its type.
pub type Typed = (Value, Integer);

fn build(
    builder: &mut Builder<'_>,
    tree: &Tree,
    parameter: &dyn Fn(&str) -> Result<Typed, String>,
) -> Result<Typed, String> {
    match tree {
        Tree::Number(value, ty) => Ok((builder.bits(Bits::new(ty.bits, *value)), *ty)),
        Tree::Name(name) => parameter(name),
        Tree::Query(query, dimension) => Ok(size(builder, *query, *dimension)),
        Tree::Word(query, dimension) => {
            let wide = size(builder, *query, *dimension);
            Ok((convert(builder, wide, UNSIGNED), UNSIGNED))
        }
        Tree::Unary(op, inner) => {
            let inner = build(builder, inner, parameter)?;
            Ok(unary(builder, *op, inner))
        }
        Tree::Binary(op, both) => {
            let a = build(builder, &both[0], parameter)?;
            let b = build(builder, &both[1], parameter)?;
            Ok(binary(builder, *op, a, b))
        }
        Tree::Conditional(three) => {
            let condition = build(builder, &three[0], parameter)?;
            let (a, b) = (build(builder, &three[1], parameter)?, build(builder, &three[2], parameter)?);
            let ty = a.1.common(b.1);
            let condition = truth(builder, condition);
            let (a, b) = (convert(builder, a, ty), convert(builder, b, ty));
            Ok((builder.select(condition, a, b), ty))
        }
    }
}

fn size(builder: &mut Builder<'_>, query: Query, dimension: u8) -> Typed {
    let bits = builder.kernel.pointer_bits;
    let ty = Integer { bits, signed: false };
    // Beyond the third dimension, sizes are 1 and offsets are 0.
    if dimension > 2 {
        let number = u64::from(query != Query::GlobalOffset);
        return (builder.number(bits, number), ty);
    }
    let (query, ty) = match query {
        Query::LocalSize => (ThreadQuery::LocalSize(dimension), ty),
        Query::NumGroups => (ThreadQuery::NumGroups(dimension), ty),
        Query::GlobalSize => (ThreadQuery::GlobalSize(dimension), ty),
        Query::GlobalOffset => (ThreadQuery::GlobalOffset(dimension), ty),
        Query::Dimensions => (ThreadQuery::Dimensions, ty),
    };
    (builder.append(Operation::ThreadQuery(query), Type::Bits(bits)), ty)
}

fn unary(builder: &mut Builder<'_>, op: Unary, inner: Typed) -> Typed {
    let ty = inner.1.promoted();
    match op {
        Unary::Not => {
            let holds = truth(builder, inner);
            let not = builder.unary(UnaryOp::Not, holds);
            from_truth(builder, not)
        }
        Unary::Plus => (convert(builder, inner, ty), ty),
        Unary::Minus | Unary::Complement => {
            let value = convert(builder, inner, ty);
            let op = if op == Unary::Minus { UnaryOp::Negate } else { UnaryOp::Not };
            (builder.unary(op, value), ty)
        }
    }
}

fn binary(builder: &mut Builder<'_>, op: Binary, a: Typed, b: Typed) -> Typed {
    match op {
        Binary::And | Binary::Or => {
            let (a, b) = (truth(builder, a), truth(builder, b));
            let op = if op == Binary::And { BinaryOp::And } else { BinaryOp::Or };
            let holds = builder.binary(op, a, b);
            from_truth(builder, holds)
        }
        Binary::Compare(comparison) => {
            let ty = a.1.common(b.1);
            let (a, b) = (convert(builder, a, ty), convert(builder, b, ty));
            let (less, less_equal) = if ty.signed {
                (CompareOp::SignedLess, CompareOp::SignedLessEqual)
            } else {
                (CompareOp::UnsignedLess, CompareOp::UnsignedLessEqual)
            };
            let holds = match comparison {
                Comparison::Less => builder.compare(less, a, b),
                Comparison::LessEqual => builder.compare(less_equal, a, b),
                Comparison::Greater => builder.compare(less, b, a),
                Comparison::GreaterEqual => builder.compare(less_equal, b, a),
                Comparison::Equal => builder.compare(CompareOp::Equal, a, b),
                Comparison::NotEqual => builder.compare(CompareOp::NotEqual, a, b),
            };
            from_truth(builder, holds)
        }
        Binary::Arithmetic(op) => arithmetic(builder, op, a, b),
    }
}

fn arithmetic(builder: &mut Builder<'_>, op: Arithmetic, a: Typed, b: Typed) -> Typed {
    // The result of a shift has the type of the shifted operand.
    let shift = matches!(op, Arithmetic::ShiftLeft | Arithmetic::ShiftRight);
    let ty = if shift { a.1.promoted() } else { a.1.common(b.1) };
    let (a, b) = (convert(builder, a, ty), convert(builder, b, ty));
    let op = match op {
        Arithmetic::Multiply => BinaryOp::Multiply,
        Arithmetic::Divide if ty.signed => BinaryOp::SignedDivide,
        Arithmetic::Divide => BinaryOp::UnsignedDivide,
        Arithmetic::Remainder if ty.signed => BinaryOp::SignedRemainder,
        Arithmetic::Remainder => BinaryOp::UnsignedRemainder,
        Arithmetic::Add => BinaryOp::Add,
        Arithmetic::Subtract => BinaryOp::Subtract,
        Arithmetic::ShiftLeft => BinaryOp::ShiftLeft,
        Arithmetic::ShiftRight if ty.signed => BinaryOp::ArithmeticShiftRight,
        Arithmetic::ShiftRight => BinaryOp::LogicalShiftRight,
        Arithmetic::And => BinaryOp::And,
        Arithmetic::Or => BinaryOp::Or,
        Arithmetic::Xor => BinaryOp::Xor,
    };
    (builder.binary(op, a, b), ty)
}

fn convert(builder: &mut Builder<'_>, (value, from): Typed, to: Integer) -> Value {
    let op = match from.bits.cmp(&to.bits) {
        std::cmp::Ordering::Equal => return value,
        std::cmp::Ordering::Greater => ConvertOp::Truncate,
        std::cmp::Ordering::Less if from.signed => ConvertOp::SignExtend,
        std::cmp::Ordering::Less => ConvertOp::ZeroExtend,
    };
    builder.convert(op, value, Type::Bits(to.bits))
}

fn truth(builder: &mut Builder<'_>, (value, ty): Typed) -> Value {
    // In C a comparison is a number; the operation that it was made from says the same more simply.
    if let Some(&Operation::Convert(ConvertOp::ZeroExtend, holds)) = builder.kernel.operation(value)
        && builder.ty(holds) == Type::Bool
    {
        return holds;
    }
    let zero = builder.number(ty.bits, 0);
    builder.compare(CompareOp::NotEqual, value, zero)
}

fn from_truth(builder: &mut Builder<'_>, holds: Value) -> Typed {
    (builder.convert(ConvertOp::ZeroExtend, holds, Type::Bits(INT.bits)), INT)
}

// --- Reading -------------------------------------------------------------------------------------

/// Operators, the longer ones first.
const OPERATORS: [&str; 25] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "(",
    ")", "?", ":", ",",
];

/// The lexical rules.
const LEXIS: Lexis = Lexis {
    word_part: |text| one_if(|c| c.is_ascii_alphanumeric() || "_.".contains(c), text),
    symbol: |text| {
        let none = || format!("`{}` has no meaning there", text.chars().next().unwrap_or_default());
        longest(&OPERATORS, text).ok_or_else(none)
    },
    quotes: &[],
    comments: Comments::None,
};

/// Splits a text into numbers, names and operators.
fn tokens(text: &str) -> Result<Vec<&str>, String> {
    let pieces = pieces(text, &LEXIS).map_err(|error| error.message)?;
    let all = pieces.into_iter().map(|(piece, _)| match piece {
        Piece::Word(text) | Piece::Symbol(text) | Piece::Quoted(_, text) => text,
    });
    Ok(all.collect())
}

/// The binary operators, the loosest first.
const LEVELS: [&[(&str, Binary)]; 10] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("|", Binary::Arithmetic(Arithmetic::Or))],
    &[("^", Binary::Arithmetic(Arithmetic::Xor))],
    &[("&", Binary::Arithmetic(Arithmetic::And))],
    &[("==", Binary::Compare(Comparison::Equal)), ("!=", Binary::Compare(Comparison::NotEqual))],
    &[
        ("<=", Binary::Compare(Comparison::LessEqual)),
        (">=", Binary::Compare(Comparison::GreaterEqual)),
        ("<", Binary::Compare(Comparison::Less)),
        (">", Binary::Compare(Comparison::Greater)),
    ],
    &[("<<", Binary::Arithmetic(Arithmetic::ShiftLeft)), (">>", Binary::Arithmetic(Arithmetic::ShiftRight))],
    &[("+", Binary::Arithmetic(Arithmetic::Add)), ("-", Binary::Arithmetic(Arithmetic::Subtract))],
    &[
        ("*", Binary::Arithmetic(Arithmetic::Multiply)),
        ("/", Binary::Arithmetic(Arithmetic::Divide)),
        ("%", Binary::Arithmetic(Arithmetic::Remainder)),
    ],
];

/// The deepest nesting that is read.
const DEEPEST: usize = 100;

struct Parser<'a> {
    tokens: Vec<&'a str>,
    next: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.next).copied()
    }

    fn accept(&mut self, token: &str) -> bool {
        let found = self.peek() == Some(token);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.accept(token) {
            return Ok(());
        }
        Err(match self.peek() {
            Some(other) => format!("`{token}` is expected before `{other}`"),
            None => format!("`{token}` is missing at the end"),
        })
    }

    fn conditional(&mut self) -> Result<Tree, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("it nests too deeply".into());
        }
        let condition = self.level(0)?;
        let tree = if self.accept("?") {
            let then = self.conditional()?;
            self.expect(":")?;
            let otherwise = self.conditional()?;
            Tree::Conditional(Box::new([condition, then, otherwise]))
        } else {
            condition
        };
        self.depth -= 1;
        Ok(tree)
    }

    fn level(&mut self, level: usize) -> Result<Tree, String> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        while let Some((_, op)) = operators.iter().find(|(token, _)| self.peek() == Some(*token)) {
            self.next += 1;
            let right = self.level(level + 1)?;
            left = Tree::Binary(*op, Box::new([left, right]));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Tree, String> {
        let op = match self.peek() {
            Some("+") => Unary::Plus,
            Some("-") => Unary::Minus,
            Some("~") => Unary::Complement,
            Some("!") => Unary::Not,
            _ => return self.primary(),
        };
        self.next += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("it nests too deeply".into());
        }
        let inner = self.unary()?;
        self.depth -= 1;
        Ok(Tree::Unary(op, Box::new(inner)))
    }

    fn primary(&mut self) -> Result<Tree, String> {
        if self.accept("(") {
            let inner = self.conditional()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let Some(token) = self.peek() else { return Err("something is missing at the end".into()) };
        self.next += 1;
        match token.chars().next() {
            Some(first) if first.is_ascii_digit() => number(token),
            Some(first) if first.is_ascii_alphabetic() || first == '_' => {
                if self.peek() == Some("(") {
                    self.query(token)
                } else if let Some((variable, axis)) = token.split_once('.') {
                    coordinate(variable, axis).ok_or_else(|| format!("`{token}` is no size of the launch"))
                } else {
                    Ok(Tree::Name(token.to_owned()))
                }
            }
            _ => Err(format!("`{token}` is not expected there")),
        }
    }

    fn query(&mut self, name: &str) -> Result<Tree, String> {
        let query = match name {
            "get_local_size" => Query::LocalSize,
            "get_num_groups" => Query::NumGroups,
            "get_global_size" => Query::GlobalSize,
            "get_global_offset" => Query::GlobalOffset,
            "get_work_dim" => Query::Dimensions,
            _ => return Err(format!("`{name}` is no function that tells a size of the launch")),
        };
        self.expect("(")?;
        let mut dimension = 0;
        if query != Query::Dimensions {
            let token = self.peek().unwrap_or_default();
            dimension = token.parse().map_err(|_| format!("{name} is given a dimension: 0, 1 or 2"))?;
            self.next += 1;
        }
        self.expect(")")?;
        Ok(Tree::Query(query, dimension))
    }
}

/// `gridDim.x`, `blockDim.y`.
fn coordinate(variable: &str, axis: &str) -> Option<Tree> {
    let query = match variable {
        "gridDim" => Query::NumGroups,
        "blockDim" => Query::LocalSize,
        _ => return None,
    };
    let dimension = (0..).zip(["x", "y", "z"]).find(|(_, name)| *name == axis)?.0;
    Some(Tree::Word(query, dimension))
}

fn number(token: &str) -> Result<Tree, String> {
    let digits = token.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = token[digits.len()..].to_ascii_lowercase();
    let (digits, radix) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => (hexadecimal, 16),
        None if digits.len() > 1 && digits.starts_with('0') => (&digits[1..], 8),
        None => (digits, 10),
    };
    let value =
        u64::from_str_radix(digits, radix).map_err(|_| format!("`{token}` is no integer of at most 64 bits"))?;
    let unsigned = suffix.contains('u');
    let long = suffix.contains('l');
    // The type is the first of C's that can hold the number.
    let fits = |ty: Integer| value <= (u64::MAX >> (64 - ty.bits + u32::from(ty.signed)));
    let types = [(32, true), (32, false), (64, true), (64, false)].map(|(bits, signed)| Integer { bits, signed });
    let allowed = |ty: &Integer| {
        (!unsigned || !ty.signed) && (!long || ty.bits == 64) && (unsigned || radix != 10 || ty.signed || ty.bits == 64)
    };
    let ty = types.into_iter().filter(allowed).find(|ty| fits(*ty));
    ty.map(|ty| Tree::Number(value, ty)).ok_or_else(|| format!("`{token}` is too large"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Assumption::parse(text).unwrap_err()
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(error("n >"), "something is missing at the end");
        assert_eq!(error("n > 1)"), "`)` is not expected there");
        assert_eq!(error("(n > 1"), "`)` is missing at the end");
        assert_eq!(error("n = 1"), "`=` has no meaning there");
        assert_eq!(error("n.x > 1"), "`n.x` is no size of the launch");
        assert_eq!(error("gridDim.w > 1"), "`gridDim.w` is no size of the launch");
        assert_eq!(error("n > 1.5"), "`1.5` is no integer of at most 64 bits");
        assert_eq!(error("f(1)"), "`f` is no function that tells a size of the launch");
        assert_eq!(error("get_global_size(n)"), "get_global_size is given a dimension: 0, 1 or 2");
        assert_eq!(error("99999999999999999999"), "`99999999999999999999` is no integer of at most 64 bits");
        assert_eq!(error("1x"), "`1x` is no integer of at most 64 bits");
        assert!(error(&"(".repeat(10_000)).contains("deeply"));
        assert!(error(&"!".repeat(10_000)).contains("deeply"));
        assert!(Assumption::parse("").is_err());
    }

    #[test]
    fn operators_bind_as_in_c() {
        let tree = |text: &str| Assumption::parse(text).unwrap().tree;
        assert_eq!(tree("a + b * c < d && e == f | g"), tree("((a + (b * c)) < d) && ((e == f) | g)"));
        assert_eq!(tree("a - b - c"), tree("(a - b) - c"));
        assert_eq!(tree("a ? b : c ? d : e"), tree("a ? b : (c ? d : e)"));
        assert_eq!(tree("!a == b"), tree("(!a) == b"));
        assert_ne!(tree("a & b == c"), tree("(a & b) == c"));
        assert_ne!(tree("a << b + c"), tree("(a << b) + c"));
    }

    #[test]
    fn numbers_have_the_types_of_c() {
        let ty = |text: &str| match Assumption::parse(text).unwrap().tree {
            Tree::Number(_, ty) => (ty.bits, ty.signed),
            other => panic!("{other:?}"),
        };
        assert_eq!(ty("2147483647"), (32, true));
        assert_eq!(ty("2147483648"), (64, true));
        assert_eq!(ty("0x80000000"), (32, false));
        assert_eq!(ty("1u"), (32, false));
        assert_eq!(ty("1UL"), (64, false));
        assert_eq!(ty("1l"), (64, true));
        assert_eq!(ty("18446744073709551615"), (64, false));
    }

    #[test]
    fn names_are_those_of_parameters() {
        let assumption = Assumption::parse(" n <= get_local_size(0) * m ").unwrap();
        assert_eq!(assumption.names().into_iter().collect::<Vec<_>>(), ["m", "n"]);
        assert_eq!(assumption.text, "n <= get_local_size(0) * m");
    }
}
