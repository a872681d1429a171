//! Splits a Boogie file into words, numbers and operators, with their lines.

use lockstep_ir::text::{Comments, Lexis, Piece, TextError, longest, one_if, pieces};
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

/// The lexical rules.
const LEXIS: Lexis = Lexis {
    word_part: |text| one_if(|c| c.is_ascii_alphanumeric() || "_.$#'`~^\\?".contains(c), text),
    symbol: |text| {
        let none = || format!("`{}` has no meaning there", text.chars().next().unwrap_or_default());
        longest(&OPERATORS, text).ok_or_else(none)
    },
    quotes: &['"'],
    comments: Comments::NestedBlocks,
};

/// The pieces of a text, each with its line. The error holds the line on which it occurs.
pub fn tokens(text: &str) -> Result<Vec<(Token<'_>, u32)>, (u32, String)> {
    let token = |(piece, line)| match piece {
        Piece::Word(word) if word.starts_with(|c: char| c.is_ascii_digit()) => {
            number(word).map(|number| (number, line)).ok_or_else(|| (line, format!("`{word}` is no number")))
        }
        Piece::Word(word) => Ok((Token::Word(word), line)),
        Piece::Quoted(_, text) => Ok((Token::Text(text), line)),
        Piece::Symbol(symbol) => {
            let operator = OPERATORS.iter().find(|operator| **operator == symbol);
            Ok((Token::Operator(operator.expect("the rules find operators only")), line))
        }
    };
    let pieces = pieces(text, &LEXIS).map_err(|TextError { line, message }| (line, message))?;
    pieces.into_iter().map(token).collect()
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
    fn other_tokens_are_named_with_their_line() {
        for (text, line, part) in [
            ("x\n%", 2, "`%`"),
            ("\n/* x", 2, "comment"),
            ("\"x", 1, "quote"),
            ("\n\n256bv8", 3, "256bv8"),
            ("1e5", 1, "1e5"),
        ] {
            let (at, message) = tokens(text).unwrap_err();
            assert!(at == line && message.contains(part), "{text}: {at}: {message}");
        }
    }
}
