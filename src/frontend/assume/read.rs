//! Reads assumptions.

use lockstep_ir::kernel::ContentsKind;
use lockstep_ir::text::{Comments, Lexis, Piece, longest, one_if, pieces};

use super::{Arithmetic, Assumption, Binary, Comparison, Integer, Query, Tree, Unary};

impl Assumption {
    /// Reads an expression. The error is a sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens, next: 0, depth: 0 };
        let tree = parser.conditional()?;
        match parser.peek() {
            None => Ok(Self { text: text.trim().to_owned(), origin: None, only: None, tree }),
            Some(token) => Err(format!("`{token}` is not expected there")),
        }
    }
}

/// Operators, the longer ones first.
const OPERATORS: [&str; 25] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "(",
    ")", "?", ":", ",",
];

/// The lexical rules.
const LEXIS: Lexis = Lexis {
    word_part: |text| one_if(|c| c.is_ascii_alphanumeric() || "_.[]".contains(c), text),
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
                if let (Some("("), Some(kind)) = (self.peek(), ContentsKind::named(token)) {
                    self.contents(kind)
                } else if self.peek() == Some("(") {
                    self.query(token)
                } else if let Some((variable @ ("gridDim" | "blockDim"), axis)) = token.split_once('.') {
                    coordinate(variable, axis).ok_or_else(|| format!("`{token}` is no size of the launch"))
                } else if !is_path(token) {
                    Err(format!("`{token}` names no field of a parameter"))
                } else {
                    Ok(Tree::Name(token.to_owned()))
                }
            }
            _ => Err(format!("`{token}` is not expected there")),
        }
    }

    /// A fact about contents, behind its name.
    fn contents(&mut self, kind: ContentsKind) -> Result<Tree, String> {
        self.expect("(")?;
        let array = self.peek().filter(|token| is_path(token));
        let array = array.ok_or_else(|| format!("{} is given an array", kind.name()))?.to_owned();
        self.next += 1;
        let mut bounds = None;
        if kind == ContentsKind::Within {
            self.expect(",")?;
            let least = self.conditional()?;
            self.expect(",")?;
            bounds = Some(Box::new([least, self.conditional()?]));
        }
        self.expect(")")?;
        Ok(Tree::Contents(kind, array, bounds))
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

/// Whether a text is a name, or that of a field: `p.grid.n[2]`.
fn is_path(token: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') && !part.contains(['[', ']'])
    };
    let is_index = |part: &str| {
        part.strip_suffix(']').is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()))
    };
    token.split('.').all(|part| {
        let mut parts = part.split('[');
        parts.next().is_some_and(is_name) && parts.all(is_index)
    })
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
        for text in ["n. > 1", "n.1 > 1", "n[] > 1", "n[i] > 1", "n]1 > 1", "n[1]] > 1", "n[1]m > 1"] {
            assert!(error(text).ends_with("names no field of a parameter"), "{text}");
        }
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
    fn facts_about_contents() {
        let assumption = Assumption::parse("within(columns, -1, n * 2) && sorted(rows)").unwrap();
        assert_eq!(assumption.arrays().into_iter().collect::<Vec<_>>(), ["columns", "rows"]);
        assert_eq!(assumption.names().into_iter().collect::<Vec<_>>(), ["n"]);
        assert_eq!(error("sorted(1)"), "sorted is given an array");
        assert_eq!(error("within(a, 0)"), "`,` is expected before `)`");
        assert_eq!(error("distinct(a, b)"), "`)` is expected before `,`");
        // Without parentheses it is a name.
        assert_eq!(Assumption::parse("sorted > 1").unwrap().names().len(), 1);
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
        let assumption = Assumption::parse("p.grid.n[2][10] < q.width").unwrap();
        assert_eq!(assumption.names().into_iter().collect::<Vec<_>>(), ["p.grid.n[2][10]", "q.width"]);
    }
}
