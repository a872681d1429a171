//! Reads statements: the body of a program and of its loops.

use super::lexer::Token;
use super::{Parsed, Parser, expression};
use crate::sequential::{Carried, Invariant, Loop, LoopData, Site, Statement, Suggestion, Unknown};

impl Parser {
    pub(super) fn block(&mut self, around: Option<Loop>) -> Parsed<Vec<Statement>> {
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

    /// `{site0, site2}`
    fn sites(&mut self) -> Parsed<Vec<Site>> {
        let mut sites = Vec::new();
        self.symbol("{")?;
        while !self.accept("}") {
            if !sites.is_empty() {
                self.symbol(",")?;
            }
            sites.push(self.entity("site")?);
        }
        Ok(sites)
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
            let about = if self.accept_word("for") { Some(self.sites()?) } else { None };
            self.symbol(";")?;
            return Ok(Statement::Assume { condition, reason, about, location: self.location()? });
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
        // The loop is added before the loops in it.
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
