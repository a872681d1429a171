//! The tokens of the text format.

use std::fmt;

use num_bigint::BigUint;

use crate::kernel::ParseError;

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

/// The tokens of a text, each with its line.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, u32)>, ParseError> {
    let mut tokens = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let mut rest = content.trim_start();
        while !rest.is_empty() && !rest.starts_with("//") {
            let (token, length) = token(rest).map_err(|message| ParseError { line, message })?;
            tokens.push((token, line));
            rest = rest[length..].trim_start();
        }
    }
    Ok(tokens)
}

/// The first token and its length in bytes.
fn token(rest: &str) -> Result<(Token, usize), String> {
    let first = rest.chars().next().expect("there is something left");
    if first == '"' || first == '`' {
        let (text, length) = quoted(rest, first)?;
        let token = if first == '"' { Token::Text(text) } else { Token::Name { text, quoted: true } };
        return Ok((token, length));
    }
    if first.is_ascii_digit() {
        return number(rest);
    }
    if is_name(first) {
        let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        return Ok((Token::Name { text: rest[..length].to_owned(), quoted: false }, length));
    }
    if let Some(digits) = rest.strip_prefix('%')
        && digits.starts_with(|c: char| c.is_ascii_digit())
    {
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let number = digits[..length].parse().map_err(|_| format!("`%{}` is too large", &digits[..length]))?;
        return Ok((Token::Reference(number), length + 1));
    }
    let symbol = SYMBOLS.iter().find(|symbol| {
        // `<size` is not `<s ize`.
        rest.strip_prefix(**symbol).is_some_and(|after| !symbol.ends_with(['u', 's']) || !after.starts_with(is_name))
    });
    match symbol {
        Some(symbol) => Ok((Token::Symbol(symbol), symbol.len())),
        None if matches!(first, '<' | '>' | '/' | '%') => {
            let operator = if rest.starts_with(">>") { ">>" } else { &rest[..1] };
            Err(format!("`{operator}` needs a sign: `{operator}u` or `{operator}s`"))
        }
        None => Err(format!("`{first}` begins nothing")),
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

fn quoted(rest: &str, quote: char) -> Result<(String, usize), String> {
    let mut text = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => match characters.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, 'r')) => text.push('\r'),
                Some((_, c)) => text.push(c),
                None => break,
            },
            c if c == quote => return Ok((text, at + 1)),
            c => text.push(c),
        }
    }
    Err("the quotes are not closed on this line".into())
}

fn number(rest: &str) -> Result<(Token, usize), String> {
    if let Some(digits) = rest.strip_prefix("0x") {
        let length = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
        let value = BigUint::parse_bytes(&digits.as_bytes()[..length], 16);
        return match value {
            Some(value) => Ok((Token::Number(value, None), length + 2)),
            None => Err("`0x` needs digits".into()),
        };
    }
    let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let value = BigUint::parse_bytes(&rest.as_bytes()[..length], 10).expect("these are digits");
    let Some(digits) = rest[length..].strip_prefix("bv") else { return Ok((Token::Number(value, None), length)) };
    let width_length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    match digits[..width_length].parse() {
        Ok(width) if (1..=WIDEST).contains(&width) => {
            Ok((Token::Number(value, Some(width)), length + 2 + width_length))
        }
        _ => Err(format!("`{}` is no width", &digits[..width_length])),
    }
}
