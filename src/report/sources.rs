//! The users' source texts, read once.
//!
//! Debug information may name any file on the machine (`#line 1 "/etc/passwd"`). Only text of files
//! that were read for the kernels of the report is shown: [`KernelReport::sources`] names them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lockstep_system::bounded;
use lockstep_verdict::KernelReport;

/// Larger files are not shown.
const LARGEST: u64 = 16 << 20;

/// The number of bytes of a line that are shown. Reports quote lines again and again, and a line
/// may be as long as its file.
const LONGEST_LINE: usize = 4096;

/// Source files, by the path that was given to the compiler.
#[derive(Debug, Default)]
pub struct Sources {
    allowed: BTreeSet<String>,
    texts: BTreeMap<String, Option<Text>>,
}

/// A text, and the bytes at which its lines begin.
#[derive(Debug)]
struct Text {
    text: String,
    starts: Vec<usize>,
}

impl Text {
    fn new(text: String) -> Self {
        let lengths = text.split_inclusive('\n').map(str::len);
        let ends = lengths.scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        let starts = std::iter::once(0).chain(ends).collect();
        Self { text, starts }
    }

    fn line(&self, index: usize) -> Option<&str> {
        let end = *self.starts.get(index.checked_add(1)?)?;
        self.text.get(self.starts[index]..end)?.lines().next()
    }
}

impl Sources {
    /// The sources that were read for these kernels.
    pub fn of(reports: &[KernelReport]) -> Self {
        Self::named(reports.iter().flat_map(|report| &report.sources))
    }

    /// The sources with these names.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a String>) -> Self {
        Self { allowed: names.into_iter().cloned().collect(), texts: BTreeMap::new() }
    }

    /// The text of a file, if it was read for a kernel and still can be.
    pub fn text(&mut self, file: &str) -> Option<&str> {
        Some(&self.known(file)?.text)
    }

    fn known(&mut self, file: &str) -> Option<&Text> {
        if !self.allowed.contains(file) {
            return None;
        }
        if !self.texts.contains_key(file) {
            let text = read(Path::new(file)).map(Text::new);
            self.texts.insert(file.to_owned(), text);
        }
        self.texts.get(file)?.as_ref()
    }

    /// A line of a file, from 1.
    pub fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        self.known(file)?.line(index)
    }
}

/// The text of a file with its lines cut off where they are too long.
fn read(path: &Path) -> Option<String> {
    if bounded::check_kind(path).ok()?.len() > LARGEST {
        return None;
    }
    let bytes = bounded::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if text.lines().all(|line| line.len() <= LONGEST_LINE) {
        return Some(text);
    }
    let cut = |line: &str| -> String {
        let end = line.floor_char_boundary(LONGEST_LINE);
        let ending = if end < line.len() && line.ends_with('\n') { "\n" } else { "" };
        [&line[..end], ending].concat()
    };
    Some(text.split_inclusive('\n').map(cut).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_off_and_long_files_are_not_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.cl");
        let name = path.display().to_string();
        std::fs::write(&path, format!("first\n{}ä\nthird", "x".repeat(LONGEST_LINE - 1))).expect("a file");
        let mut sources = Sources::named([&name]);
        let second = sources.line(&name, 2).expect("a line").to_owned();
        assert_eq!(second, "x".repeat(LONGEST_LINE - 1));
        for (number, line) in [(1, Some("first")), (3, Some("third")), (4, None)] {
            assert_eq!(sources.line(&name, number), line);
        }
        std::fs::File::options().write(true).open(&path).and_then(|file| file.set_len(LARGEST + 1)).expect("a file");
        assert_eq!(Sources::named([&name]).text(&name), None);
    }
}
