//! The users' source texts, read once.

use std::collections::BTreeMap;
use std::fs;

/// Source files by their path as the compiler was given it.
#[derive(Debug, Default)]
pub struct Sources(BTreeMap<String, Option<String>>);

impl Sources {
    /// The text of a file, if it can be read.
    pub fn text(&mut self, file: &str) -> Option<&str> {
        if !self.0.contains_key(file) {
            let text = fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            self.0.insert(file.to_owned(), text);
        }
        self.0.get(file)?.as_deref()
    }

    /// A line of a file, from 1.
    pub fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        self.text(file)?.lines().nth(index)
    }
}
