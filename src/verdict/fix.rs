//! Changes of the source under which a defective kernel is verified.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// Changes of the source. The kernel with all of them is verified.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// Lines to put into the source, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub insertions: Vec<Insertion>,
    /// Words to replace, in the order of the source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replacements: Vec<Replacement>,
    /// Lines to remove from the source, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removals: Vec<Removal>,
}

impl Fix {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.insertions.is_empty() && self.replacements.is_empty() && self.removals.is_empty()
    }

    /// The files that change, with repetitions.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let inserted = self.insertions.iter().map(|one| &one.file);
        let replaced = self.replacements.iter().map(|one| &one.file);
        inserted.chain(replaced).chain(self.removals.iter().map(|one| &one.file)).map(String::as_str)
    }

    /// The number in the changed source of a line that stays.
    pub fn line_behind(&self, line: u32) -> u32 {
        let count = |all: usize| u32::try_from(all).unwrap_or(u32::MAX);
        let new = count(self.insertions.iter().filter(|one| one.line <= line).count());
        let gone = count(self.removals.iter().filter(|one| one.line < line).count());
        line.saturating_add(new).saturating_sub(gone)
    }

    /// The number in the changed source of a line that stays or is moved; `None` if it is removed.
    pub fn line_of_statement(&self, line: u32) -> Option<u32> {
        let Some(removal) = self.removals.iter().find(|removal| removal.line == line) else {
            return Some(self.line_behind(line));
        };
        let moved = self.insertions.iter().find(|insertion| insertion.statement == removal.statement)?;
        // It is right before the line that it is put before.
        self.line_behind(moved.line).checked_sub(1)
    }

    /// The numbers of the changed and the new lines in the changed source.
    pub fn lines_behind(&self) -> BTreeSet<u32> {
        let count = |all: usize| u32::try_from(all).unwrap_or(u32::MAX);
        let inserted = self.insertions.iter().enumerate().map(|(before, one)| {
            let gone = count(self.removals.iter().filter(|gone| gone.line < one.line).count());
            one.line.saturating_add(count(before)).saturating_sub(gone)
        });
        let replaced = self.replacements.iter().map(|one| self.line_behind(one.line));
        inserted.chain(replaced).collect()
    }

    /// The text of a file with these changes; `None` if they are not all about the file, or do not
    /// fit.
    pub fn applied(&self, file: &str, text: &str) -> Option<String> {
        if self.files().any(|of| of != file) {
            return None;
        }
        let mut replacements: BTreeMap<u32, Vec<&Replacement>> = BTreeMap::new();
        for one in &self.replacements {
            replacements.entry(one.line).or_default().push(one);
        }
        let mut removals: BTreeMap<u32, &Removal> = self.removals.iter().map(|one| (one.line, one)).collect();
        let mut result = String::with_capacity(text.len());
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let end = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
            for inserted in self.insertions.iter().filter(|inserted| inserted.line == number) {
                result.extend([&inserted.indentation, &inserted.statement, end]);
            }
            if let Some(removed) = removals.remove(&number) {
                line.trim_start().starts_with(&removed.statement).then_some(())?;
                continue;
            }
            let mut line = line.to_owned();
            let mut of_line = replacements.remove(&number).unwrap_or_default();
            // From the end of the line, so that columns stay.
            of_line.sort_by_key(|one| std::cmp::Reverse(one.column));
            for one in of_line {
                let at = usize::try_from(one.column.checked_sub(1)?).ok()?;
                line.get(at..)?.starts_with(&one.old).then_some(())?;
                line.replace_range(at..at + one.old.len(), &one.new);
            }
            result.push_str(&line);
        }
        (replacements.is_empty() && removals.is_empty()).then_some(result)
    }
}

/// A line to remove from the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Removal {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The statement there, which is all of the line but white space and a comment behind it.
    pub statement: String,
}

/// A word to replace in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Replacement {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column of the word's first letter, from 1.
    pub column: u32,
    /// The word.
    pub old: String,
    /// The word in its place.
    pub new: String,
}

/// A line to put into the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Insertion {
    /// The file.
    pub file: String,
    /// The line before which it belongs, from 1.
    pub line: u32,
    /// The white space before it.
    pub indentation: String,
    /// The statement.
    pub statement: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_made_where_they_are_meant() {
        let replacement = |line, column, old: &str, new: &str| Replacement {
            file: "a".to_owned(),
            line,
            column,
            old: old.to_owned(),
            new: new.to_owned(),
        };
        let insertion =
            Insertion { file: "a".to_owned(), line: 2, indentation: "  ".to_owned(), statement: "f();".to_owned() };
        let fix = Fix {
            insertions: vec![insertion],
            replacements: vec![replacement(2, 1, "x", "long_name"), replacement(2, 4, "y", "z")],
            removals: Vec::new(),
        };
        assert_eq!(fix.applied("a", "one\nx, y\nlast").as_deref(), Some("one\n  f();\nlong_name, z\nlast"));
        assert_eq!(fix.applied("a", "one\r\nx, y\r\n").as_deref(), Some("one\r\n  f();\r\nlong_name, z\r\n"));
        assert_eq!(fix.lines_behind(), BTreeSet::from([2, 3]));
        assert_eq!(fix.applied("a", "one\nx, z\n"), None, "another word is there");
        assert_eq!(fix.applied("a", "one\n"), None, "the line is missing");
        assert_eq!(fix.applied("b", "one\nx, y\n"), None, "another file");
    }

    #[test]
    fn a_line_is_moved() {
        let (file, statement) = ("a".to_owned(), "f();".to_owned());
        let insertion = |line| {
            let (file, statement) = (file.clone(), statement.clone());
            vec![Insertion { file, line, indentation: " ".to_owned(), statement }]
        };
        let removal = |line| vec![Removal { file: file.clone(), line, statement: statement.clone() }];
        let down = Fix { insertions: insertion(4), removals: removal(2), ..Fix::default() };
        assert_eq!(down.applied("a", "1\n  f(); // why\n3\n4\n").as_deref(), Some("1\n3\n f();\n4\n"));
        assert_eq!((down.lines_behind(), down.line_behind(3), down.line_behind(4)), (BTreeSet::from([3]), 2, 4));
        let up = Fix { insertions: insertion(1), removals: removal(3), ..Fix::default() };
        assert_eq!(up.applied("a", "1\n2\nf();\n4\n").as_deref(), Some(" f();\n1\n2\n4\n"));
        assert_eq!((up.lines_behind(), up.line_behind(2), up.line_behind(4)), (BTreeSet::from([1]), 3, 4));
        assert_eq!((down.line_of_statement(2), up.line_of_statement(3)), (Some(3), Some(1)));
        assert_eq!(up.applied("a", "1\n2\ng();\n"), None, "another statement is there");
        assert_eq!(up.applied("a", "1\n2\n"), None, "the line is missing");
    }
}
