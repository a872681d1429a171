//! Reads a program's entries: declarations, assumptions, and the places of its parts.

use super::lexer::{self, Token};
use super::{Parsed, Parser};
use crate::kernel::ElementLayout;
use crate::sequential::print::thread_of_name;
use crate::sequential::{Array, ArrayData, Digit, Ground, Pair, Precondition, Role, Sort};
use crate::source::{File, LocationData};

impl Parser {
    pub(super) fn program(&mut self) -> Parsed<()> {
        self.word("program")?;
        self.program.name = self.text()?;
        self.program.pair = match self.words()?.as_str() {
            "same-group" => Pair::SameGroup,
            "different-groups" => Pair::DifferentGroups,
            "alone" => Pair::Alone,
            "same-thread" => Pair::SameThread,
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
                let assumption = self.assumption()?;
                self.program.assumptions.add(assumption);
                self.symbol(";")
            }
            "let" => self.definition(),
            "function" => self.function(),
            "array" => self.array(),
            "require" => {
                let condition = self.condition()?;
                self.word("because")?;
                let ground = self.ground()?;
                self.program.preconditions.push(Precondition { condition, ground });
                self.symbol(";")
            }
            "exact" => {
                let condition = self.condition()?;
                self.word("because")?;
                let ground = self.ground()?;
                self.program.exact.push(Precondition { condition, ground });
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

    fn ground(&mut self) -> Parsed<Ground> {
        if matches!(self.peek(), Token::Text(_)) {
            return Ok(Ground::Model(self.text()?));
        }
        match self.name()?.as_str() {
            "source" => Ok(Ground::Source),
            "given" => Ok(Ground::Given),
            "host" => Ok(Ground::Host),
            other => self.error(format!("a ground expected, `{other}` found")),
        }
    }

    fn declaration(&mut self, role: &str) -> Parsed<()> {
        let role = match role {
            "input" => Role::Input,
            "watched" => Role::Watched,
            "value" => Role::Value,
            "predicate" => Role::Predicate,
            "ghost" => Role::Ghost,
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

    pub(super) fn thread(&mut self) -> Parsed<Option<usize>> {
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
}
