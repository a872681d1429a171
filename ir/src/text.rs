//! The shared parts of text formats: a lexer with line numbers and its error.

/// A token.
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

/// A text cut into tokens, and a position in it. `//` begins a comment that ends with its line.
pub struct Cursor {
    tokens: Vec<(Token, u32)>,
    place: usize,
}

impl Cursor {
    /// Cuts a text into tokens.
    pub fn new(text: &str) -> Result<Self, TextError> {
        let mut tokens = Vec::new();
        let mut line = 1u32;
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            if character == '\n' {
                line = line.saturating_add(1);
            } else if character == '/' && characters.peek() == Some(&'/') {
                while characters.peek().is_some_and(|&next| next != '\n') {
                    characters.next();
                }
            } else if character == '"' {
                tokens.push((Token::Quoted(quoted(&mut characters, line)?), line));
            } else if in_word(character) {
                let mut word = String::from(character);
                while let Some(next) = characters.next_if(|&next| in_word(next)) {
                    word.push(next);
                }
                tokens.push((Token::Word(word), line));
            } else if !character.is_whitespace() {
                tokens.push((Token::Symbol(character), line));
            }
        }
        tokens.push((Token::End, line));
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

fn in_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '$' | '.')
}

/// The rest of a text in quotes whose first quote has been consumed.
fn quoted(characters: &mut impl Iterator<Item = char>, line: u32) -> Result<String, TextError> {
    let error = |message: &str| TextError { line, message: message.into() };
    let mut text = String::new();
    loop {
        match characters.next() {
            None | Some('\n') => return Err(error("a quote is not closed in its line")),
            Some('"') => return Ok(text),
            Some('\\') => match characters.next() {
                Some(escaped @ ('"' | '\\')) => text.push(escaped),
                Some('u') => {
                    let digits: String =
                        characters.by_ref().skip_while(|&c| c == '{').take_while(|&c| c != '}').collect();
                    let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                    text.push(code.ok_or_else(|| error("an escape is no character"))?);
                }
                _ => return Err(error("an unknown escape")),
            },
            Some(character) => text.push(character),
        }
    }
}
