//! Manual pages: the doc comment of the file of each kind of finding.
//!
//! A page begins with a line of its own that gives the code and, in bold, the name of the defect:
//! `` `LS0101`, a **data race**. ``

use crate::examples::{Example, example};
use crate::undecided;

/// A kind of finding, or of a missing answer.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The stable code.
    pub code: &'static str,
    /// The name of the kind.
    pub name: &'static str,
    /// The text of its file.
    pub source: &'static str,
}

/// All kinds, in the order of the codes.
pub fn every_kind() -> impl Iterator<Item = &'static Kind> {
    crate::KINDS.iter().chain(&undecided::KINDS)
}

/// Error: no kind has this code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no finding has the code `{0}`; there are:\n{list}", list = list())]
pub struct UnknownCode(String);

fn list() -> String {
    let lines = every_kind().map(|kind| format!("  {}  {}", kind.code, kind.name));
    lines.collect::<Vec<_>>().join("\n")
}

/// The manual page, as text for a reader, of the kind with this code or name. Case does not matter.
pub fn page(code: &str) -> Result<String, UnknownCode> {
    let asked = code.trim();
    let is_meant = |kind: &&Kind| [kind.code, kind.name].iter().any(|name| name.eq_ignore_ascii_case(asked));
    let kind = every_kind().find(is_meant).ok_or_else(|| UnknownCode(code.to_owned()))?;
    let title = capitalised(&kind.page().title);
    // The first paragraph is the title.
    let text = kind.text();
    let text = text.split_once("\n\n").map_or("", |(_, rest)| rest);
    let shown = example(kind.code).map_or(String::new(), |example| shown(&example));
    Ok(format!("{}: {title} ({})\n\n{}\n{shown}", kind.code, kind.name, text.trim_end()))
}

/// The kernels of an example, below a manual page.
fn shown(example: &Example) -> String {
    let indented = |text: &str| {
        let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
        text.lines().map(line).collect::<String>()
    };
    let Example { file, flags, wrong, mended } = example;
    let blank = if flags.is_empty() { "" } else { " " };
    let (wrong, mended) = (indented(wrong), indented(mended));
    format!("\nExample, shown by `lockstep verify {file}{blank}{flags}`:\n\n{wrong}\nMended:\n\n{mended}")
}

/// The kinds of these modules, each of which has a `CODE` and a `KIND`.
macro_rules! kinds {
    ($($module:ident),+ $(,)?) => {
        [$($crate::manual::Kind {
            code: $module::CODE,
            name: $module::KIND,
            source: include_str!(concat!(stringify!($module), ".rs")),
        }),+]
    };
}
pub(crate) use kinds;

/// A manual page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The title: `Data race`.
    pub title: String,
    /// The first paragraph, in one line.
    pub summary: String,
    /// The page without its first line, in Markdown.
    pub text: String,
}

impl Kind {
    /// The doc comment of its file.
    fn text(&self) -> String {
        let lines = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    }

    /// Its manual page.
    pub fn page(&self) -> Page {
        let text = self.text();
        let mut paragraphs = text.split("\n\n").map(|paragraph| in_one_line(paragraph.trim()));
        let first = paragraphs.next().unwrap_or_default();
        let rest: Vec<String> = paragraphs.collect();
        Page {
            title: capitalised(first.split("**").nth(1).unwrap_or(&first)),
            summary: rest.first().cloned().unwrap_or_default(),
            text: rest.join("\n\n"),
        }
    }
}

/// A paragraph of prose without its line breaks, which some services preserve. Lists and tables
/// stay as they are.
fn in_one_line(paragraph: &str) -> String {
    let marks = ["* ", "- ", "|", "```", "    "];
    let is_prose = !paragraph.lines().any(|line| marks.iter().any(|mark| line.starts_with(mark)));
    if is_prose { paragraph.replace('\n', " ") } else { paragraph.to_owned() }
}

/// The text with a capital first letter.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_the_doc_comment_of_a_file() {
        let source = "//! `X1`, a **lost\n//! sock**.\n//!\n//! It is\n//! gone.\n//!\n//! Buy one:\n//! * red\n//! * blue\n\nuse it;\n//! no\n";
        let page = Kind { code: "X1", name: "lost-sock", source }.page();
        let text = "It is gone.\n\nBuy one:\n* red\n* blue".to_owned();
        assert_eq!(page, Page { title: "Lost sock".into(), summary: "It is gone.".into(), text });
    }

    #[test]
    fn every_kind_has_a_page_under_its_code() {
        let codes: Vec<&str> = every_kind().map(|kind| kind.code).collect();
        assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
        for kind in every_kind() {
            let page = kind.page();
            assert!(kind.source.starts_with(&format!("//! `{}`, a", kind.code)), "{}", kind.code);
            assert!(!page.title.contains(kind.code) && !page.summary.is_empty(), "{page:?}");
        }
    }
    #[test]
    fn a_page_is_found_by_code_and_by_name() {
        let race = page("LS0101").expect("it is there");
        assert!(race.starts_with("LS0101: Data race (race)\n\nTwo threads access the same bytes,"), "{race}");
        assert!(!race.contains("//!") && race.contains("race with each other.\n\nExample, "), "{race}");
        assert!(race.contains("\nMended:\n\n    __kernel void") && race.ends_with("    }\n"), "{race}");
        for other in ["ls0101", " race", "Race"] {
            assert_eq!(page(other).as_ref(), Ok(&race));
        }
        let unknown = page("LS0199").expect_err("there is none").to_string();
        assert!(unknown.contains("`LS0199`") && every_kind().all(|kind| unknown.contains(kind.code)), "{unknown}");
    }
}
