//! Reads the text format that [`super::print()`] writes; the format is described in `print/mod.rs`.
//!
//! Expressions are built with the simplifying constructors, so a text written by hand need not be
//! in normal form.

mod assumption;
mod expression;
mod lexer;
mod program;
mod statements;
mod tables;

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

use super::print::sort_text;
use super::{Copies, Expression, Function, Pair, Program, Sort, Variable};
use crate::kernel::ParseError;
use crate::source::Location;

use lexer::{Token, tokens};

/// Reads one program.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser::new(tokens(text)?);
    parser.program()?;
    Ok(parser.program)
}

type Parsed<T> = Result<T, ParseError>;

struct Parser {
    tokens: Vec<(Token, u32)>,
    position: usize,
    program: Program,
    functions: FxHashMap<String, Function>,
    /// The expressions that `%1`, `%2` … stand for.
    definitions: FxHashMap<usize, Expression>,
    /// The expressions of the names defined by `let name = …;`.
    names: FxHashMap<String, Expression>,
    depth: u32,
}

impl Parser {
    fn new(tokens: Vec<(Token, u32)>) -> Self {
        let program = Program::empty("", Pair::SameGroup);
        let (functions, definitions, names) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Self { tokens, position: 0, program, functions, definitions, names, depth: 0 }
    }

    // --- Tokens ----------------------------------------------------------------------------------

    fn peek(&self) -> &Token {
        self.tokens.get(self.position).map_or(&Token::End, |(token, _)| token)
    }

    fn line(&self) -> u32 {
        let position = self.position.min(self.tokens.len().saturating_sub(1));
        self.tokens.get(position).map_or(1, |(_, line)| *line)
    }

    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(ParseError { line: self.line(), message: message.into() })
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        self.error(format!("{what} expected, {} found", self.peek()))
    }

    fn at_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), Token::Symbol(found) if *found == symbol)
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let found = self.at_symbol(symbol);
        self.position += usize::from(found);
        found
    }

    fn symbol(&mut self, symbol: &str) -> Parsed<()> {
        if self.accept(symbol) { Ok(()) } else { self.expected(&format!("`{symbol}`")) }
    }

    fn at_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name { text, quoted: false } if text == word)
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        self.position += usize::from(found);
        found
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn name(&mut self) -> Parsed<String> {
        match self.peek().clone() {
            Token::Name { text, .. } => {
                self.position += 1;
                Ok(text)
            }
            _ => self.expected("a name"),
        }
    }

    /// Words joined by hyphens.
    fn words(&mut self) -> Parsed<String> {
        let mut words = self.name()?;
        while self.accept("-") {
            words.push('-');
            words.push_str(&self.name()?);
        }
        Ok(words)
    }

    fn text(&mut self) -> Parsed<String> {
        match self.peek().clone() {
            Token::Text(text) => {
                self.position += 1;
                Ok(text)
            }
            _ => self.expected("a text in quotes"),
        }
    }

    fn number<T: TryFrom<u64>>(&mut self) -> Parsed<T> {
        if let Token::Number(value, None) = self.peek()
            && let Ok(value) = u64::try_from(value.clone())
            && let Ok(value) = T::try_from(value)
        {
            self.position += 1;
            return Ok(value);
        }
        self.expected("a number")
    }

    /// An entity by its printed name, such as `loop3`.
    fn entity<T: EntityRef>(&mut self, prefix: &str) -> Parsed<T> {
        if let Token::Name { text, quoted: false } = self.peek()
            && let Some(number) = text.strip_prefix(prefix).and_then(|number| number.parse::<u32>().ok())
            && number < u32::MAX
        {
            self.position += 1;
            return Ok(T::new(usize::try_from(number).expect("32 bits fit")));
        }
        self.expected(&format!("`{prefix}` with a number"))
    }

    /// An entity that is about to be added to its table: its number is the next one.
    fn next_entity<T: EntityRef + PartialEq + std::fmt::Display>(&mut self, prefix: &str, next: T) -> Parsed<()> {
        let entity: T = self.entity(prefix)?;
        if entity == next { Ok(()) } else { self.error(format!("{next} is next, not {entity}")) }
    }

    fn location(&mut self) -> Parsed<Option<Location>> {
        if !self.accept("@") {
            return Ok(None);
        }
        let number: u32 = self.number()?;
        if number == u32::MAX { self.expected("a location") } else { Ok(Some(Location::from_u32(number))) }
    }

    fn variable(&mut self) -> Parsed<Variable> {
        let name = self.name()?;
        match self.program.expressions.variable_named(&name) {
            Some(variable) => Ok(variable),
            None => self.error(format!("there is no variable `{name}`")),
        }
    }

    fn variables(&mut self) -> Parsed<Copies<Variable>> {
        if !self.accept("{") {
            return Ok(Copies::Uniform(self.variable()?));
        }
        let first = self.variable()?;
        self.symbol(",")?;
        let second = self.variable()?;
        self.symbol("}")?;
        Ok(Copies::Each([first, second]))
    }

    // --- Expressions -----------------------------------------------------------------------------

    fn expression(&mut self, expected: Option<Sort>) -> Parsed<Expression> {
        let line = self.line();
        let ast = self.conditional()?;
        let built = self.elaborate(&ast, expected).map_err(|message| ParseError { line, message })?;
        match expected {
            Some(expected) if self.program.expressions.sort(built) != expected => {
                let (expected, found) = (sort_text(expected), sort_text(self.program.expressions.sort(built)));
                Err(ParseError { line, message: format!("{expected} expected, {found} found") })
            }
            _ => Ok(built),
        }
    }

    fn condition(&mut self) -> Parsed<Expression> {
        self.expression(Some(Sort::Boolean))
    }

    fn copies(&mut self, expected: Option<Sort>) -> Parsed<Copies<Expression>> {
        if !self.accept("{") {
            return Ok(Copies::Uniform(self.expression(expected)?));
        }
        let first = self.expression(expected)?;
        self.symbol(",")?;
        let second = self.expression(expected)?;
        self.symbol("}")?;
        Ok(Copies::Each([first, second]))
    }

    /// `let %1 = …;` or `let tid$1 = …;`, after `let`.
    fn definition(&mut self) -> Parsed<()> {
        if let Token::Reference(number) = *self.peek() {
            self.position += 1;
            self.symbol("=")?;
            let value = self.expression(None)?;
            self.symbol(";")?;
            self.definitions.insert(number, value);
            return Ok(());
        }
        let name = self.name()?;
        if self.program.expressions.variable_named(&name).is_some() {
            return self.error(format!("`{name}` is a variable already"));
        }
        self.symbol("=")?;
        let value = self.expression(None)?;
        if self.names.get(&name).is_some_and(|&known| known != value) {
            return self.error(format!("`{name}` was defined as something else"));
        }
        self.symbol(";")?;
        self.program.expressions.hint_name(value, &name);
        self.names.insert(name, value);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
