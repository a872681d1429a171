//! The tokens of the text format.

use std::fmt;

use num_bigint::BigUint;

use crate::kernel::ParseError;
use crate::text::{self, Comments, Lexis, Piece, one_if, pieces, unescaped};

/// The widest bit-vector that a text may mention.
pub(super) const WIDEST: u32 = 1 << 16;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Name {
        text: String,
        /// Whether it was in backquotes.
        quoted: bool,
    },
    /// A number, with the width in `5bv32`.
    Number(BigUint, Option<u32>),
    /// `%1`
    Reference(usize),
    /// The contents of double quotes.
    Text(String),
    Symbol(&'static str),
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name { text, .. } => write!(f, "`{text}`"),
            Self::Number(value, None) => write!(f, "`{value}`"),
            Self::Number(value, Some(width)) => write!(f, "`{value}bv{width}`"),
            Self::Reference(number) => write!(f, "`%{number}`"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Symbol(symbol) => write!(f, "`{symbol}`"),
            Self::End => f.write_str("the end"),
        }
    }
}

/// Longer ones first.
const SYMBOLS: &[&str] = &[
    "==>", ">>u", ">>s", "<=u", "<=s", ">=u", ">=s", "<u", "<s", ">u", ">s", "/u", "/s", "%u", "%s", "<<", "==", "!=",
    ":=", "&&", "||", "=", ":", ";", ",", "(", ")", "{", "}", "[", "]", "?", "!", "~", "-", "+", "*", "&", "|", "^",
    "@",
];

/// The lexical rules. A sign belongs to the symbol before it only if no name goes on there: `<size`
/// is not `<s ize`.
const LEXIS: Lexis =
    Lexis { word_part: |text| one_if(is_name, text), symbol, quotes: &['"', '`'], comments: Comments::Lines };

/// The tokens of a text, each with its line.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, u32)>, ParseError> {
    let token = |(piece, line)| match token(piece) {
        Ok(token) => Ok((token, line)),
        Err(message) => Err(ParseError { line, message }),
    };
    pieces(text, &LEXIS)?.into_iter().map(token).collect()
}

fn token(piece: Piece<'_>) -> Result<Token, String> {
    match piece {
        Piece::Word(word) if word.starts_with(|c: char| c.is_ascii_digit()) => number(word),
        Piece::Word(word) => Ok(Token::Name { text: word.to_owned(), quoted: false }),
        Piece::Quoted(quote, text) => {
            let text = unescaped(text).ok_or("an unknown escape")?;
            Ok(if quote == '"' { Token::Text(text) } else { Token::Name { text, quoted: true } })
        }
        Piece::Symbol(symbol) => match SYMBOLS.iter().find(|known| **known == symbol) {
            Some(symbol) => Ok(Token::Symbol(symbol)),
            None => symbol[1..].parse().map(Token::Reference).map_err(|_| format!("`{symbol}` is too large")),
        },
    }
}

fn symbol(rest: &str) -> Result<usize, String> {
    let digits = rest.strip_prefix('%').map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    if digits > 0 {
        return Ok(1 + digits);
    }
    let ends = |symbol: &str| !symbol.ends_with(['u', 's']) || !rest[symbol.len()..].starts_with(is_name);
    if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol) && ends(symbol)) {
        return Ok(symbol.len());
    }
    match text::longest(&[">>", "<", ">", "/", "%"], rest) {
        Some(length) => {
            let operator = &rest[..length];
            Err(format!("`{operator}` needs a sign: `{operator}u` or `{operator}s`"))
        }
        None => Err(format!("`{}` begins nothing", rest.chars().next().unwrap_or_default())),
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

/// A number in decimal or hexadecimal digits, or a bit-vector such as `5bv32`.
fn number(word: &str) -> Result<Token, String> {
    let no_number = || format!("`{word}` is no number");
    let digits = |digits: &str, radix| BigUint::parse_bytes(digits.as_bytes(), radix).ok_or_else(no_number);
    if let Some(hexadecimal) = word.strip_prefix("0x") {
        return Ok(Token::Number(digits(hexadecimal, 16)?, None));
    }
    let Some((value, width)) = word.split_once("bv") else { return Ok(Token::Number(digits(word, 10)?, None)) };
    match width.parse() {
        Ok(width) if (1..=WIDEST).contains(&width) => Ok(Token::Number(digits(value, 10)?, Some(width))),
        _ => Err(format!("`{width}` is no width")),
    }
}
