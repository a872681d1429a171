//! A source merged with its headers, and the same after preprocessing.
//!
//! Clang writes both. The merged text (`-frewrite-includes`) has every line as its author wrote it,
//! macros and directives too. The preprocessed text has the tokens that the compiler proper sees.
//! Parts are chosen in the preprocessed text and removed from the merged one.

use std::fmt::Write as _;
use std::ops::Range;

use super::tokens::{Token, blank, ends_in_backslash, tokens};

/// The name under which Clang knows both texts while host code is looked for.
const NAME: &str = "merged";

/// Pragmas that have no effect on the text behind them, beyond the next statement.
const OF_STATEMENTS: [&str; 7] = ["omp", "acc", "unroll", "nounroll", "ivdep", "loop", "GCC"];

/// A file and a line of it, from 1.
pub type Origin<'a> = (&'a str, u32);

/// Text with line markers: `# 12 "a.h" 2 3`.
pub struct Marked {
    pub text: String,
    /// For each line, the index of the marker before it.
    marker: Vec<Option<usize>>,
    markers: Vec<Marker>,
}

struct Marker {
    /// The line behind it, from 0.
    line: usize,
    /// The number of that line in the file.
    number: u32,
    file: String,
    is_system: bool,
}

impl Marked {
    pub fn new(text: String) -> Self {
        let (mut marker, mut markers) = (Vec::new(), Vec::new());
        for (line, content) in text.split('\n').enumerate() {
            if let Some((number, file, is_system)) = parse_marker(content) {
                markers.push(Marker { line: line + 1, number, file, is_system });
            }
            marker.push(markers.len().checked_sub(1));
        }
        Self { text, marker, markers }
    }

    /// The file and the line that a line comes from.
    pub fn origin(&self, line: usize) -> Option<Origin<'_>> {
        let marker = &self.markers[(*self.marker.get(line)?)?];
        let further = u32::try_from(line.saturating_sub(marker.line)).unwrap_or(0);
        Some((&marker.file, marker.number.saturating_add(further)))
    }

    /// The same text, whose markers give each line its place in this text.
    ///
    /// They still tell which lines belong to system headers.
    pub fn placed_in_itself(&self) -> String {
        let mut text = String::with_capacity(self.text.len());
        for (line, content) in self.text.split('\n').enumerate() {
            if line > 0 {
                text.push('\n');
            }
            match parse_marker(content) {
                Some((.., is_system)) => {
                    let kind = if is_system { " 3" } else { "" };
                    let _ = write!(text, "# {} \"{NAME}\"{kind}", line + 2);
                }
                None => text.push_str(content),
            }
        }
        text
    }

    /// Whether a line stands in a system header.
    pub fn is_system(&self, line: usize) -> bool {
        self.marker.get(line).copied().flatten().is_some_and(|marker| self.markers[marker].is_system)
    }

    /// The tokens outside of directives.
    pub fn tokens(&self) -> Vec<Token> {
        let mut found = tokens(&self.text);
        for token in &mut found {
            token.is_system = self.is_system(token.line);
        }
        found
    }
}

fn parse_marker(line: &str) -> Option<(u32, String, bool)> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(' ')?;
    let (name, flags) = rest.strip_prefix('"')?.rsplit_once('"')?;
    let file = name.replace("\\\"", "\"").replace("\\\\", "\\");
    Some((number.parse().ok()?, file, flags.split_whitespace().any(|flag| flag == "3")))
}

/// The place of a message about such a text: its line and its column, from 0, and the rest.
pub fn place_of_message(message: &str) -> Option<(usize, usize, &str)> {
    let rest = message.strip_prefix(NAME)?.strip_prefix(':')?;
    let (line, rest) = rest.split_once(':')?;
    let (column, rest) = rest.split_once(": ")?;
    let from_0 = |number: &str| number.parse::<usize>().ok()?.checked_sub(1);
    Some((from_0(line)?, from_0(column)?, rest))
}

/// Text without these parts. An empty statement stands for each.
pub fn without(text: &str, parts: &[Range<usize>]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for part in parts {
        let removed = &mut bytes[part.clone()];
        if let Some(place) = blank_text(removed) {
            removed[place] = b';';
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Blanks everything but directives that may have an effect behind the part. The result is the
/// first byte that is blank now.
fn blank_text(part: &mut [u8]) -> Option<usize> {
    let (mut is_continued, mut is_kept) = (false, false);
    let (mut start, mut first) = (0, None);
    for line in part.split_mut(|&byte| byte == b'\n') {
        let is_directive = start > 0 && line.trim_ascii_start().starts_with(b"#");
        if !is_continued {
            is_kept = is_directive && !is_of_statement(line);
        }
        is_continued = ends_in_backslash(line) && (is_directive || is_continued);
        if !is_kept {
            blank(line);
            first = first.or(line.iter().position(|&byte| byte == b' ').map(|at| start + at));
        }
        start += line.len() + 1;
    }
    first
}

fn is_of_statement(directive: &[u8]) -> bool {
    let text = String::from_utf8_lossy(directive);
    let mut words = text.trim_start().trim_start_matches('#').split_whitespace();
    if words.next() != Some("pragma") {
        return false;
    }
    let first = words.next().map(|word| if word == "clang" { words.next().unwrap_or("") } else { word });
    let first = first.unwrap_or("").split('(').next().unwrap_or("");
    OF_STATEMENTS.contains(&first) && !(first == "GCC" && words.next() == Some("poison"))
}

/// The tokens of the preprocessed text, in the merged text.
pub struct Places<'a> {
    preprocessed: &'a Marked,
    tokens: &'a [Token],
    merged: &'a str,
    /// The start of each line of the merged text.
    starts: Vec<usize>,
}

impl<'a> Places<'a> {
    /// The merged text must have no comments.
    pub fn new(merged: &'a Marked, preprocessed: &'a Marked, tokens: &'a [Token]) -> Self {
        let merged = &merged.text;
        let ends = merged.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let starts = [0].into_iter().chain(ends).collect();
        Self { preprocessed, tokens, merged, starts }
    }

    /// The line of the merged text that a token comes from.
    pub fn line(&self, token: usize) -> Option<usize> {
        let (_, number) = self.preprocessed.origin(self.tokens.get(token)?.line)?;
        usize::try_from(number).ok()?.checked_sub(1)
    }

    /// The byte of the merged text at which a token starts, if it is known.
    ///
    /// A token that stands before or behind all macros of its line stands there as it is.
    pub fn start(&self, token: usize) -> Option<usize> {
        let Some(line) = self.line(token) else {
            return (token == self.tokens.len()).then_some(self.merged.len());
        };
        let is_on_line = |&at: &usize| self.line(at) == Some(line);
        let before = (0..token).rev().take_while(is_on_line).count();
        let behind = (token..self.tokens.len()).take_while(is_on_line).count();
        let start = *self.starts.get(line)?;
        let end = self.starts.get(line + 1).map_or(self.merged.len(), |&next| next);
        let text = self.merged.get(start..end)?;
        let written = tokens(text);
        let is_same = |(at, token): (usize, &Token)| self.text(at) == token.text(text);
        if written.len() >= behind {
            let from = written.len() - behind;
            if (token..).zip(&written[from..]).all(is_same) {
                return Some(start + written.get(from)?.bytes.start);
            }
        }
        let first = token - before;
        if before > 0 && written.len() > before && (first..token).zip(&written).all(is_same) {
            return Some(start + written[before].bytes.start);
        }
        (before == 0).then_some(start)
    }

    fn text(&self, token: usize) -> &str {
        self.tokens[token].text(&self.preprocessed.text)
    }
}
