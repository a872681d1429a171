//! Reads assumptions.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::lexer::Token;
use super::{Parsed, Parser};
use crate::assumption::{Assumed, Assumption};
use crate::source::Place;

impl Parser {
    pub(super) fn assumption(&mut self) -> Parsed<Assumption> {
        let name = self.name()?;
        let mut fields = Map::new();
        if matches!(self.peek(), Token::Name { .. }) && !self.at_word("at") {
            loop {
                let field = self.name()?;
                self.symbol(":")?;
                let value = self.value()?;
                fields.insert(field, value);
                if !self.accept(",") {
                    break;
                }
            }
        }
        let variant = if fields.is_empty() {
            Value::String(name)
        } else {
            Value::Object([(name, Value::Object(fields))].into_iter().collect())
        };
        let what: Assumed = match serde_json::from_value(variant) {
            Ok(what) => what,
            Err(error) => return self.error(format!("no assumption: {error}")),
        };
        let mut places = BTreeSet::new();
        if self.accept_word("at") {
            loop {
                let (file, line) = (self.text()?, self.number()?);
                places.insert(Place { file, line });
                if !self.accept(",") {
                    break;
                }
            }
        }
        Ok(Assumption { what, places })
    }

    /// A text, a number, a word or a list of these.
    fn value(&mut self) -> Parsed<Value> {
        if self.accept("[") {
            let mut values = Vec::new();
            while !self.accept("]") {
                if !values.is_empty() {
                    self.symbol(",")?;
                }
                values.push(self.value()?);
            }
            return Ok(Value::Array(values));
        }
        match self.peek() {
            Token::Text(_) => self.text().map(Value::String),
            Token::Number(..) => self.number::<u64>().map(Value::from),
            Token::Name { .. } => match self.name()?.as_str() {
                "true" => Ok(Value::Bool(true)),
                "false" => Ok(Value::Bool(false)),
                "null" => Ok(Value::Null),
                _ => self.expected("a value"),
            },
            _ => self.expected("a value"),
        }
    }
}
