//! The users' source texts, read once.
//!
//! Debug information may name any file of the machine (`#line 1 "/etc/passwd"`). Text is shown of those files only that were
//! read for the kernels of the report: [`KernelReport::sources`] names them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::bounded;
use crate::verdict::KernelReport;

/// Source files by their path as the compiler was given it.
#[derive(Debug, Default)]
pub struct Sources {
    allowed: BTreeSet<String>,
    texts: BTreeMap<String, Option<String>>,
}

impl Sources {
    /// Those that were read for these kernels.
    pub fn of(reports: &[KernelReport]) -> Self {
        Self::named(reports.iter().flat_map(|report| &report.sources))
    }

    /// Those of these names.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a String>) -> Self {
        Self { allowed: names.into_iter().cloned().collect(), texts: BTreeMap::new() }
    }

    /// The text of a file, if it was read for a kernel and still can be.
    pub fn text(&mut self, file: &str) -> Option<&str> {
        if !self.allowed.contains(file) {
            return None;
        }
        if !self.texts.contains_key(file) {
            let text = bounded::read(Path::new(file)).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            self.texts.insert(file.to_owned(), text);
        }
        self.texts.get(file)?.as_deref()
    }

    /// A line of a file, from 1.
    pub fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        self.text(file)?.lines().nth(index)
    }
}
