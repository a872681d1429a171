//! The shared parts of text formats: the lexer of all of them, with line numbers, and its error.

/// The lexical rules of a text format.
///
/// White space separates pieces.
#[derive(Clone, Copy)]
pub struct Lexis {
    /// The length in bytes of the part of a word with which a text begins; 0 if it begins with
    /// something else.
    pub word_part: fn(&str) -> usize,
    /// The length in bytes of the symbol with which a text begins, or the error there.
    pub symbol: fn(&str) -> Result<usize, String>,
    /// The characters that begin and end a quoted text. Inside, `\` escapes the next character, and
    /// the text ends in its line.
    pub quotes: &'static [char],
    /// The comments.
    pub comments: Comments,
}

/// The comments of a text format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    /// There are none.
    None,
    /// From `//` to the end of the line.
    Lines,
    /// Also from `/*` to the first `*/`.
    Blocks,
    /// Also from `/*` to `*/`, with such comments inside.
    NestedBlocks,
}

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// A word.
    Word(&'a str),
    /// The contents of quotes of this kind, with escapes as they are written ([`unescaped`]).
    Quoted(char, &'a str),
    /// A symbol.
    Symbol(&'a str),
}

/// The pieces of a text, each with its line, counted from 1.
pub fn pieces<'a>(text: &'a str, lexis: &Lexis) -> Result<Vec<(Piece<'a>, u32)>, TextError> {
    let mut pieces = Vec::new();
    let (mut rest, mut line) = (text, 1u32);
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else {
            let (piece, length) = piece(rest, first, lexis).map_err(|message| TextError { line, message })?;
            pieces.extend(piece.map(|piece| (piece, line)));
            length
        };
        let lines = rest[..length].matches('\n').count();
        line = line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        rest = &rest[length..];
    }
    Ok(pieces)
}

/// The first piece of a text, or none for a comment, and its length in bytes.
fn piece<'a>(rest: &'a str, first: char, lexis: &Lexis) -> Result<(Option<Piece<'a>>, usize), String> {
    if lexis.comments != Comments::None && rest.starts_with("//") {
        return Ok((None, rest.find('\n').unwrap_or(rest.len())));
    }
    let has_blocks = matches!(lexis.comments, Comments::Blocks | Comments::NestedBlocks);
    if has_blocks && rest.starts_with("/*") {
        return Ok((None, comment(rest, lexis.comments).ok_or("a comment does not end")?));
    }
    if lexis.quotes.contains(&first) {
        let length = quoted(rest, first).ok_or("a quote is not closed in its line")?;
        return Ok((Some(Piece::Quoted(first, &rest[1..length - 1])), length));
    }
    let mut length = 0;
    loop {
        let part = (lexis.word_part)(&rest[length..]);
        if part == 0 {
            break;
        }
        length += part;
    }
    if length > 0 {
        return Ok((Some(Piece::Word(&rest[..length])), length));
    }
    let length = (lexis.symbol)(rest)?;
    Ok((Some(Piece::Symbol(&rest[..length])), length))
}

/// The length of the comment with which a text begins.
fn comment(text: &str, kind: Comments) -> Option<usize> {
    let (mut depth, mut at) = (0, 0);
    loop {
        let rest = text.get(at..)?;
        if rest.starts_with("/*") && (depth == 0 || kind == Comments::NestedBlocks) {
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

/// The length of the quoted text with which a text begins, quotes included.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\n' => return None,
            '\\' => _ = characters.next().filter(|&(_, escaped)| escaped != '\n')?,
            _ if character == quote => return Some(at + quote.len_utf8()),
            _ => {}
        }
    }
    None
}

/// The contents of a quoted text without its escapes; `None` if one is unknown.
///
/// `\n`, `\r` and `\t` are as in C, `\u{1f}` is the character with that number, and any other
/// character that is neither letter nor digit stands for itself.
pub fn unescaped(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        plain.push(match (character, character == '\\') {
            (_, false) => character,
            (_, true) => match characters.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'u' => {
                    let digits: String =
                        characters.by_ref().skip_while(|&c| c == '{').take_while(|&c| c != '}').collect();
                    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
                }
                other if other.is_alphanumeric() => return None,
                other => other,
            },
        });
    }
    Some(plain)
}

/// The length of the longest of some symbols with which a text begins, given with longer ones
/// first.
pub fn longest(symbols: &[&str], text: &str) -> Option<usize> {
    symbols.iter().find(|symbol| text.starts_with(**symbol)).map(|symbol| symbol.len())
}

/// The length of the first character if it passes a test, and 0 otherwise.
pub fn one_if(test: impl Fn(char) -> bool, text: &str) -> usize {
    text.chars().next().filter(|&first| test(first)).map_or(0, char::len_utf8)
}

/// A token of the kernel IR's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// Letters, digits, `_`, `$` and `.`: a keyword, an entity or a number.
    Word(String),
    /// A text in quotes, without them and with its escapes resolved.
    Quoted(String),
    /// Any other character.
    Symbol(char),
    /// Nothing is left.
    End,
}

/// An error in a text, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: u32,
    /// The error message.
    pub message: String,
}

/// A text cut into tokens, and a position in it.
pub struct Cursor {
    tokens: Vec<(Token, u32)>,
    place: usize,
}

/// The lexical rules of the kernel IR.
const LEXIS: Lexis = Lexis {
    word_part: |text| one_if(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.'), text),
    symbol: |text| Ok(one_if(|_| true, text)),
    quotes: &['"'],
    comments: Comments::Lines,
};

impl Cursor {
    /// Cuts a text into tokens.
    pub fn new(text: &str) -> Result<Self, TextError> {
        let mut tokens = Vec::new();
        for (piece, line) in pieces(text, &LEXIS)? {
            let token = match piece {
                Piece::Word(word) => Token::Word(word.to_owned()),
                Piece::Quoted(_, text) => Token::Quoted(
                    unescaped(text).ok_or_else(|| TextError { line, message: "an unknown escape".to_owned() })?,
                ),
                Piece::Symbol(symbol) => Token::Symbol(symbol.chars().next().unwrap_or_default()),
            };
            tokens.push((token, line));
        }
        let last = u32::try_from(text.matches('\n').count()).map_or(u32::MAX, |lines| lines.saturating_add(1));
        tokens.push((Token::End, last));
        Ok(Self { tokens, place: 0 })
    }

    /// The next token.
    pub fn peek(&self) -> &Token {
        &self.tokens[self.place].0
    }

    /// Consumes and returns the next token; the end is never consumed.
    pub fn next_token(&mut self) -> Token {
        let token = self.peek().clone();
        self.place = (self.place + 1).min(self.tokens.len() - 1);
        token
    }

    /// An error at the next token.
    pub fn error(&self, message: impl Into<String>) -> TextError {
        TextError { line: self.tokens[self.place].1, message: message.into() }
    }

    /// Consumes this symbol if it is next. Returns whether it was.
    pub fn eat(&mut self, symbol: char) -> bool {
        let found = *self.peek() == Token::Symbol(symbol);
        if found {
            self.next_token();
        }
        found
    }

    /// Consumes this word if it is next. Returns whether it was.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(next) if next == word);
        if found {
            self.next_token();
        }
        found
    }

    /// Consumes this symbol, or fails.
    pub fn expect(&mut self, symbol: char) -> Result<(), TextError> {
        if self.eat(symbol) { Ok(()) } else { Err(self.error(format!("expected `{symbol}`"))) }
    }

    /// Consumes this word, or fails.
    pub fn expect_word(&mut self, word: &str) -> Result<(), TextError> {
        if self.eat_word(word) { Ok(()) } else { Err(self.error(format!("expected `{word}`"))) }
    }

    /// Consumes any word.
    pub fn word(&mut self) -> Result<String, TextError> {
        let Token::Word(word) = self.peek() else { return Err(self.error("expected a word")) };
        let word = word.clone();
        self.next_token();
        Ok(word)
    }

    /// Consumes a text in quotes.
    pub fn quoted(&mut self) -> Result<String, TextError> {
        let Token::Quoted(text) = self.peek() else { return Err(self.error("expected a text in quotes")) };
        let text = text.clone();
        self.next_token();
        Ok(text)
    }

    /// Consumes a word that `read` understands.
    pub fn read<T>(&mut self, what: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<T, TextError> {
        let found = if let Token::Word(word) = self.peek() { read(word) } else { None };
        let found = found.ok_or_else(|| self.error(format!("expected {what}")))?;
        self.next_token();
        Ok(found)
    }

    /// Consumes a number in decimal digits.
    pub fn number<T: std::str::FromStr>(&mut self) -> Result<T, TextError> {
        self.read("a number in range", |word| word.parse().ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NESTED: Lexis = Lexis { comments: Comments::NestedBlocks, ..LEXIS };
    const FLAT: Lexis = Lexis { comments: Comments::Blocks, ..LEXIS };

    fn words(text: &str, lexis: &Lexis) -> Result<Vec<(String, u32)>, (u32, String)> {
        let word = |(piece, line): (Piece<'_>, u32)| match piece {
            Piece::Word(text) | Piece::Symbol(text) | Piece::Quoted(_, text) => (text.to_owned(), line),
        };
        match pieces(text, lexis) {
            Ok(all) => Ok(all.into_iter().map(word).collect()),
            Err(error) => Err((error.line, error.message)),
        }
    }

    #[test]
    fn pieces_have_the_lines_on_which_they_begin() {
        let text = "a // b\n/* c /* d\n */ e */ \"f\\\" g\"\nh";
        let of = |found: &[(&str, u32)]| found.iter().map(|&(word, line)| (word.to_owned(), line)).collect::<Vec<_>>();
        assert_eq!(words(text, &NESTED).unwrap(), of(&[("a", 1), ("f\\\" g", 3), ("h", 4)]));
        let flat = of(&[("a", 1), ("e", 3), ("*", 3), ("/", 3), ("f\\\" g", 3), ("h", 4)]);
        assert_eq!(words(text, &FLAT).unwrap(), flat);
    }

    #[test]
    fn open_quotes_and_comments_are_errors_on_their_line() {
        assert_eq!(words("a\n\"b\nc\"", &LEXIS).unwrap_err().0, 2);
        assert_eq!(words("\"b\\", &LEXIS).unwrap_err().0, 1);
        assert_eq!(words("\n\n/* a /* b */", &NESTED).unwrap_err().0, 3);
        assert!(words("\n\n/* a /* b */", &FLAT).unwrap().is_empty());
        let none = Lexis { comments: Comments::None, ..LEXIS };
        assert_eq!(words("8 // 2", &none).unwrap().len(), 4, "no comment where there are none");
    }

    #[test]
    fn escapes_are_resolved_or_refused() {
        assert_eq!(unescaped(r#"a\"b\\c\n\u{e9}"#).as_deref(), Some("a\"b\\c\né"));
        assert_eq!(unescaped(r"\q"), None);
        assert_eq!(unescaped(r"\u{zz}"), None);
    }
}
