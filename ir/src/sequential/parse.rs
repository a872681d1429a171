//! Reads the text format that [`super::print()`] writes; the format is described in `print/mod.rs`.
//!
//! Expressions go through the simplifying constructors, so a text written by hand need not be in normal form.

mod expression;
mod lexer;
mod tables;

use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;

use super::print::{sort_text, thread_of_name};
use super::{
    Array, ArrayData, Carried, Copies, Digit, Expression, Expressions, Function, Invariant, Loop, LoopData,
    Observables, Pair, Precondition, Program, Role, Sort, Statement, Suggestion, Unknown, Variable,
};
use crate::kernel::{ElementLayout, ParseError};
use crate::source::{File, Location, LocationData};

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
    /// What `%1`, `%2` … stand for.
    definitions: FxHashMap<usize, Expression>,
    /// What `let name = …;` made names stand for.
    names: FxHashMap<String, Expression>,
    depth: u32,
}

impl Parser {
    fn new(tokens: Vec<(Token, u32)>) -> Self {
        let program = Program {
            name: String::new(),
            pair: Pair::SameGroup,
            files: PrimaryMap::new(),
            locations: PrimaryMap::new(),
            expressions: Expressions::new(),
            preconditions: Vec::new(),
            exact: Vec::new(),
            body: Vec::new(),
            loops: PrimaryMap::new(),
            arrays: PrimaryMap::new(),
            sites: PrimaryMap::new(),
            obligations: PrimaryMap::new(),
            suggested: Vec::new(),
            observables: Observables::default(),
            assumptions: Vec::new(),
        };
        let (functions, definitions, names) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Self { tokens, position: 0, program, functions, definitions, names, depth: 0 }
    }

    // --- Tokens -------------------------------------------------------------------------------------

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

    /// An entity that is about to be entered into its table: its number is the next one.
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

    // --- Expressions --------------------------------------------------------------------------------

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

    // --- Programs -----------------------------------------------------------------------------------

    fn program(&mut self) -> Parsed<()> {
        self.word("program")?;
        self.program.name = self.text()?;
        self.program.pair = match self.words()?.as_str() {
            "same-group" => Pair::SameGroup,
            "different-groups" => Pair::DifferentGroups,
            "alone" => Pair::Alone,
            other => return self.error(format!("`same-group` or `different-groups` expected, `{other}` found")),
        };
        self.symbol(";")?;
        while *self.peek() != Token::End {
            self.entry()?;
        }
        Ok(())
    }

    fn entry(&mut self) -> Parsed<()> {
        match self.name()?.as_str() {
            "assumption" => {
                let text = self.text()?;
                self.program.assumptions.push(text);
                self.symbol(";")
            }
            "let" => self.definition(),
            "function" => self.function(),
            "array" => self.array(),
            "require" => {
                let condition = self.condition()?;
                self.word("because")?;
                let reason = self.text()?;
                self.program.preconditions.push(Precondition { condition, reason });
                self.symbol(";")
            }
            "exact" => {
                let condition = self.condition()?;
                self.word("because")?;
                let reason = self.text()?;
                self.program.exact.push(Precondition { condition, reason });
                self.symbol(";")
            }
            "body" => {
                self.program.body = self.block(None)?;
                Ok(())
            }
            "site" => self.site(),
            "obligation" => self.obligation(),
            "observe" => self.observable(),
            "file" => {
                let number: u32 = self.number()?;
                let name = self.text()?;
                if usize::try_from(number) != Ok(self.program.files.len()) {
                    return self.error("files are numbered from 0");
                }
                self.program.files.push(name);
                self.symbol(";")
            }
            "location" => self.place(),
            role => self.declaration(role),
        }
    }

    fn declaration(&mut self, role: &str) -> Parsed<()> {
        let role = match role {
            "input" => Role::Input,
            "watched" => Role::Watched,
            "value" => Role::Value,
            "predicate" => Role::Predicate,
            "counter" => Role::Counter(self.entity("loop")?),
            "exit" => Role::ExitCounter(self.entity("loop")?),
            "hit" => Role::Hit(self.entity("site")?),
            "written" => Role::Written(self.entity("site")?),
            "recorded" => Role::Recorded(self.entity("site")?),
            "contents" => Role::Contents,
            "choice" => Role::Choice,
            other => return self.error(format!("`{other}` begins no entry of a program")),
        };
        let mut names = vec![self.name()?];
        while self.accept(",") {
            names.push(self.name()?);
        }
        self.symbol(":")?;
        let sort = self.sort()?;
        let thread = if self.accept_word("thread") { Some(self.thread()?) } else { None };
        for name in names {
            if self.program.expressions.variable_named(&name).is_some() || self.names.contains_key(&name) {
                return self.error(format!("`{name}` is declared twice"));
            }
            let thread = thread.unwrap_or_else(|| thread_of_name(&name));
            self.program.expressions.add_variable(&name, sort, thread, role);
        }
        self.symbol(";")
    }

    fn thread(&mut self) -> Parsed<Option<usize>> {
        if self.accept_word("both") {
            return Ok(None);
        }
        match self.number::<u64>()? {
            1 => Ok(Some(0)),
            2 => Ok(Some(1)),
            _ => self.error("a thread is 1, 2 or both"),
        }
    }

    fn sort(&mut self) -> Parsed<Sort> {
        if self.accept_word("bool") {
            return Ok(Sort::Boolean);
        }
        if !self.accept("[") {
            return Ok(Sort::Bits(self.width()?));
        }
        let index = self.width()?;
        self.symbol("]")?;
        Ok(Sort::Map { index, element: self.width()? })
    }

    fn width(&mut self) -> Parsed<u32> {
        let name = self.name()?;
        let width = name.strip_prefix("bv").and_then(|width| width.parse().ok());
        match width {
            Some(width) if (1..=lexer::WIDEST).contains(&width) => Ok(width),
            _ => self.error(format!("a sort such as `bv32` expected, `{name}` found")),
        }
    }

    fn function(&mut self) -> Parsed<()> {
        let name = self.name()?;
        self.symbol("(")?;
        let mut parameters = Vec::new();
        while !self.accept(")") {
            if !parameters.is_empty() {
                self.symbol(",")?;
            }
            parameters.push(self.sort()?);
        }
        self.symbol(":")?;
        let result = self.sort()?;
        if self.functions.contains_key(&name) {
            return self.error(format!("the function `{name}` is declared twice"));
        }
        let function = self.program.expressions.add_function(&name, parameters, result);
        self.functions.insert(name, function);
        self.symbol(";")
    }

    fn array(&mut self) -> Parsed<()> {
        let next: Array = self.program.arrays.next_key();
        self.next_entity("arr", next)?;
        let name = self.text()?;
        self.symbol(":")?;
        let group_shared = self.at_word("group");
        if group_shared {
            self.words()?;
            self.symbol(",")?;
        }
        self.word("watched")?;
        let watched = self.variable()?;
        self.symbol(",")?;
        self.word("cells")?;
        self.word("of")?;
        let cell_bytes = self.number()?;
        self.word("bytes")?;
        let mut data =
            ArrayData { name, group_shared, cell_bytes, watched, digits: Vec::new(), element: None, image: None };
        while self.accept(",") {
            if self.accept_word("digit") {
                let variable = self.variable()?;
                self.symbol("=")?;
                let sort = self.program.expressions.variables()[variable].sort;
                data.digits.push(Digit { variable, value: self.expression(Some(sort))? });
            } else if self.at_word("image") {
                data.image = Some(self.image()?);
            } else {
                data.element = Some(self.element()?);
            }
        }
        self.program.arrays.push(data);
        self.symbol(";")
    }

    fn image(&mut self) -> Parsed<u8> {
        self.word("image")?;
        self.word("of")?;
        let dimensions = self.number()?;
        self.word("dimensions")?;
        Ok(dimensions)
    }

    pub(super) fn element(&mut self) -> Parsed<ElementLayout> {
        self.word("element")?;
        let name = self.text()?;
        self.word("of")?;
        let bytes = self.number()?;
        self.word("bytes")?;
        let mut dimensions = Vec::new();
        while self.accept("[") {
            dimensions.push(self.number()?);
            self.symbol("]")?;
        }
        Ok(ElementLayout { name, bytes, dimensions })
    }

    fn place(&mut self) -> Parsed<()> {
        let number: u32 = self.number()?;
        if usize::try_from(number) != Ok(self.program.locations.len()) {
            return self.error("locations are numbered from 0");
        }
        self.symbol("=")?;
        self.word("file")?;
        let file: u32 = self.number()?;
        if usize::try_from(file).map_or(true, |file| file >= self.program.files.len()) {
            return self.error(format!("there is no file {file}"));
        }
        self.symbol(":")?;
        let line = self.number()?;
        self.symbol(":")?;
        let column = self.number()?;
        let function = if self.accept_word("in") { self.text()? } else { String::new() };
        let inlined_at = if self.accept_word("inlined") { self.location()? } else { None };
        let file = File::from_u32(file);
        self.program.locations.push(LocationData { file, line, column, inlined_at, function });
        self.symbol(";")
    }

    // --- Statements ---------------------------------------------------------------------------------

    fn block(&mut self, around: Option<Loop>) -> Parsed<Vec<Statement>> {
        self.symbol("{")?;
        let mut statements = Vec::new();
        while !self.accept("}") {
            if self.accept_word("let") {
                self.definition()?;
            } else {
                statements.push(self.statement(around)?);
            }
        }
        Ok(statements)
    }

    fn statement(&mut self, around: Option<Loop>) -> Parsed<Statement> {
        if self.accept_word("while") {
            return Ok(Statement::Loop(self.looop(around)?));
        }
        if self.accept_word("havoc") {
            let variable = self.variable()?;
            self.symbol(":")?;
            let unknown = self.unknown()?;
            self.symbol(";")?;
            return Ok(Statement::Havoc { variable, unknown, location: self.location()? });
        }
        if self.accept_word("assume") {
            let condition = self.condition()?;
            self.word("because")?;
            let reason = self.text()?;
            self.symbol(";")?;
            return Ok(Statement::Assume { condition, reason, location: self.location()? });
        }
        if self.accept_word("assert") {
            let obligation = self.entity("ob")?;
            self.symbol(":")?;
            let condition = self.condition()?;
            self.symbol(";")?;
            return Ok(Statement::Assert { condition, obligation, location: self.location()? });
        }
        let when = if self.accept_word("when") { Some(self.condition()?) } else { None };
        if when.is_some() {
            self.symbol(":")?;
        }
        let variable = self.variable()?;
        self.symbol("=")?;
        let sort = self.program.expressions.variables()[variable].sort;
        let mut value = self.expression(Some(sort))?;
        if let Some(when) = when {
            let old = self.program.expressions.variable(variable);
            value = self.program.expressions.if_then_else(when, value, old);
        }
        self.symbol(";")?;
        Ok(Statement::Assign { variable, value, location: self.location()? })
    }

    fn unknown(&mut self) -> Parsed<Unknown> {
        Ok(match self.name()?.as_str() {
            "load" => Unknown::Load(self.text()?),
            "atomic" => Unknown::Atomic(self.text()?),
            "contents" => Unknown::Contents(self.text()?),
            "undefined" => Unknown::Undefined,
            "unmodelled" => Unknown::Unmodelled(self.text()?),
            "choice" => Unknown::Choice,
            other => return self.error(format!("`{other}` is nothing that a value can stand for")),
        })
    }

    /// A loop, after `while`.
    fn looop(&mut self, parent: Option<Loop>) -> Parsed<Loop> {
        self.depth += 1;
        if self.depth > expression::DEEPEST {
            return self.error("loops nest too deeply");
        }
        let next: Loop = self.program.loops.next_key();
        self.next_entity("loop", next)?;
        self.symbol("(")?;
        let guard = self.condition()?;
        self.symbol(")")?;
        self.word("counter")?;
        let counter = self.variable()?;
        self.word("active")?;
        let active = self.variables()?;
        let has_barrier = self.accept_word("barrier");
        let location = self.location()?;
        let (mut carried, mut invariants) = (Vec::new(), Vec::new());
        loop {
            if self.accept_word("carried") {
                carried.push(self.carried()?);
            } else if self.accept_word("invariant") {
                invariants.push(self.invariant()?);
            } else if self.accept_word("suggested") {
                let condition = self.condition()?;
                self.symbol(";")?;
                self.program.suggested.push(Suggestion { loop_: next, condition });
            } else {
                break;
            }
        }
        let body = Vec::new();
        let data = LoopData { counter, guard, active, body, parent, invariants, carried, has_barrier, location };
        // Entered before the loops in it.
        let looop = self.program.loops.push(data);
        self.program.loops[looop].body = self.block(Some(looop))?;
        self.depth -= 1;
        Ok(looop)
    }

    fn carried(&mut self) -> Parsed<Carried> {
        let name = if matches!(self.peek(), Token::Text(_)) { Some(self.text()?) } else { None };
        let variable = self.variables()?;
        let sort = self.program.expressions.variables()[*variable.of(0)].sort;
        self.symbol("=")?;
        let initial = self.copies(Some(sort))?;
        self.word("then")?;
        let next = self.copies(Some(sort))?;
        self.symbol(";")?;
        Ok(Carried { name, variable, initial, next })
    }

    fn invariant(&mut self) -> Parsed<Invariant> {
        self.symbol("[")?;
        let family = if matches!(self.peek(), Token::Text(_)) { self.text()? } else { self.words()? };
        self.symbol("]")?;
        let condition = self.condition()?;
        self.symbol(";")?;
        Ok(Invariant { condition, family })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Random, Trees, random_program, sample};
    use super::super::{PrintOptions, print, print_expression};
    use super::*;

    #[track_caller]
    fn assert_round_trip(program: &Program) {
        let text = print(program, &PrintOptions::default());
        let mut read = parse(&text).unwrap_or_else(|error| panic!("{error}\n{}", numbered(&text)));
        pretty_equal(&text, &print(&read, &PrintOptions::default()));
        // With all names written out it is still the same program.
        let mut plain = program.clone();
        plain.expressions.forget_names();
        read.expressions.forget_names();
        pretty_equal(&print(&plain, &PrintOptions::default()), &print(&read, &PrintOptions::default()));
    }

    #[track_caller]
    fn pretty_equal(text: &str, again: &str) {
        for (number, (a, b)) in text.lines().zip(again.lines()).enumerate() {
            assert_eq!(a, b, "line {} of\n{}", number + 1, numbered(text));
        }
        assert_eq!(text, again);
    }

    fn numbered(text: &str) -> String {
        (1..).zip(text.lines()).map(|(number, line)| format!("{number:4} {line}")).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_sample_is_read_as_it_was_printed() {
        assert_round_trip(&sample());
    }

    #[test]
    fn random_programs_are_read_as_they_were_printed() {
        for seed in 0..300 {
            assert_round_trip(&random_program(seed));
        }
    }

    /// Not only the same text, the same expression: within one arena reading gives what was printed.
    #[test]
    fn expressions_are_read_as_they_were_printed() {
        for seed in 0..3_000 {
            let mut random = Random::new(seed);
            let mut trees = Trees::new();
            let sort = random.sort();
            let depth = 2 + random.below(4);
            let tree = trees.tree(&mut random, sort, depth);
            let built = trees.build(&tree);
            let text = print_expression(&trees.expressions, built);
            let mut parser = Parser::new(tokens(&text).unwrap());
            for (function, data) in trees.expressions.functions() {
                parser.functions.insert(data.name.clone(), function);
            }
            parser.program.expressions = trees.expressions;
            while parser.accept_word("let") {
                parser.definition().unwrap();
            }
            let read = parser.expression(None).unwrap_or_else(|error| panic!("{error} in {text}"));
            assert_eq!(*parser.peek(), Token::End, "{text}");
            let again = print_expression(&parser.program.expressions, read);
            assert_eq!(read, built, "seed {seed}: {text}\nbecame {again}\nof {tree:?}");
        }
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        let error = |text: &str| {
            let error = parse(&format!("program \"p\" same-group;\n{text}")).unwrap_err();
            format!("{}: {}", error.line, error.message)
        };
        let declared = "input x: bv32;\ninput b: bool;\n";
        assert_eq!(error("value x: bv0;"), "2: a sort such as `bv32` expected, `bv0` found");
        assert_eq!(error(&format!("{declared}body {{\n  x = y;\n}}")), "5: there is no variable or definition `y`");
        assert_eq!(error(&format!("{declared}body {{\n  x = b;\n}}")), "5: bv32 expected, bool found");
        assert!(
            error(&format!("{declared}require 1 == 2 because \"x\";")).starts_with("4: the width of 1 is not known")
        );
        assert_eq!(error(&format!("{declared}require x < 2 because \"x\";")), "4: `<` needs a sign: `<u` or `<s`");
        assert_eq!(
            error(&format!("{declared}require x <u 4294967296 because \"\";")),
            "4: 4294967296 has more than 32 bits"
        );
        assert_eq!(error(&format!("{declared}let x = b;")), "4: `x` is a variable already");
        assert_eq!(
            error(&format!("{declared}let i = x + 1;\nlet i = x + 1;\nlet i = x;")),
            "6: `i` was defined as something else"
        );
        assert!(error("require \"a").contains("quotes"), "{}", error("require \"a"));
        assert!(error(&format!("require {}", "(".repeat(100_000))).contains("deeply"));
    }
}
