//! Splits a Boogie file into words, numbers and operators, with their lines.

use num_bigint::BigUint;

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A name or a keyword.
    Word(&'a str),
    /// A number of this many bits.
    Bits(BigUint, u32),
    /// A number.
    Number(BigUint),
    /// The text between quotes.
    Text(&'a str),
    /// An operator, a parenthesis, a comma.
    Operator(&'static str),
}

/// The operators, longer ones first.
const OPERATORS: [&str; 31] = [
    "<==>", "==>", "<==", "&&", "||", "==", "!=", "<=", ">=", "<:", "++", "::", ":=", "<", ">", "+", "-", "*", "/",
    "!", "(", ")", "[", "]", "{", "}", ",", ";", ":", "=", "|",
];

/// Whether a character may occur in a name.
fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_.$#'`~^\\?".contains(character)
}

/// The pieces of a text, each with its line. The error holds the line on which it occurs.
pub fn tokens(text: &str) -> Result<Vec<(Token<'_>, u32)>, (u32, String)> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1;
    let lines = |text: &str| u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX);
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            comment(rest).ok_or((line, "a comment that does not end".to_owned()))?
        } else if first == '"' {
            let length = rest[1..].find('"').ok_or((line, "a text that does not end".to_owned()))?;
            tokens.push((Token::Text(&rest[1..=length]), line));
            length + 2
        } else if first.is_ascii_digit() {
            let length = rest.find(|character: char| !is_of_name(character)).unwrap_or(rest.len());
            let number =
                number(&rest[..length]).ok_or_else(|| (line, format!("`{}` is no number", &rest[..length])))?;
            tokens.push((number, line));
            length
        } else if is_of_name(first) {
            let length = rest.find(|character: char| !is_of_name(character)).unwrap_or(rest.len());
            tokens.push((Token::Word(&rest[..length]), line));
            length
        } else {
            let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
            let operator = operator.ok_or_else(|| (line, format!("`{first}` has no meaning there")))?;
            tokens.push((Token::Operator(operator), line));
            operator.len()
        };
        line = line.saturating_add(lines(&rest[..length]));
        rest = &rest[length..];
    }
    Ok(tokens)
}

/// The length of a comment between `/*` and `*/`, which may contain nested comments.
fn comment(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        if rest.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += rest.chars().next()?.len_utf8();
        }
    }
}

fn number(text: &str) -> Option<Token<'static>> {
    let decimal = |digits: &str| BigUint::parse_bytes(digits.as_bytes(), 10);
    match text.split_once("bv") {
        Some((value, width)) => {
            let (value, width) = (decimal(value)?, width.parse().ok()?);
            (width > 0 && value.bits() <= u64::from(width)).then_some(Token::Bits(value, width))
        }
        None => decimal(text).map(Token::Number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_operators() {
        let text = "axiom // one\n/* two /* three */\n*/ f'x(0bv32) ==> \"a b\" 7;";
        let found: Vec<(Token<'_>, u32)> = tokens(text).unwrap();
        let expected = [
            (Token::Word("axiom"), 1),
            (Token::Word("f'x"), 3),
            (Token::Operator("("), 3),
            (Token::Bits(0u32.into(), 32), 3),
            (Token::Operator(")"), 3),
            (Token::Operator("==>"), 3),
            (Token::Text("a b"), 3),
            (Token::Number(7u32.into()), 3),
            (Token::Operator(";"), 3),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_none_of_these_is_named_with_its_line() {
        for (text, line, part) in [
            ("x\n%", 2, "`%`"),
            ("\n/* x", 2, "comment"),
            ("\"x", 1, "text"),
            ("\n\n256bv8", 3, "256bv8"),
            ("1e5", 1, "1e5"),
        ] {
            let (at, message) = tokens(text).unwrap_err();
            assert!(at == line && message.contains(part), "{text}: {at}: {message}");
        }
    }
}
