//! Manual pages: the doc comment of the file of each kind of finding.
//!
//! A page begins with a line of its own that has the code and, in bold, what it is: `` `LS0101`, a **data race**. ``

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

/// The kinds of these modules, each of which has a `CODE` and a `KIND`.
macro_rules! kinds {
    ($($module:ident),+ $(,)?) => {
        [$($crate::report::manual::Kind {
            code: $module::CODE,
            name: $module::KIND,
            source: include_str!(concat!(stringify!($module), ".rs")),
        }),+]
    };
}
pub(super) use kinds;

/// A manual page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// What it is: `Data race`.
    pub title: String,
    /// The first paragraph, in one line.
    pub summary: String,
    /// All of it but the first line, in Markdown.
    pub text: String,
}

impl Kind {
    /// Its manual page.
    pub fn page(&self) -> Page {
        let lines = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        let text = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n");
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

/// A paragraph of prose without its line breaks, which some services keep. Lists and tables stay as they are.
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
    use crate::report::{finding, undecided};

    #[test]
    fn a_page_is_the_doc_comment_of_a_file() {
        let source = "//! `X1`, a **lost\n//! sock**.\n//!\n//! It is\n//! gone.\n//!\n//! Buy one:\n//! * red\n//! * blue\n\nuse it;\n//! no\n";
        let page = Kind { code: "X1", name: "lost-sock", source }.page();
        let text = "It is gone.\n\nBuy one:\n* red\n* blue".to_owned();
        assert_eq!(page, Page { title: "Lost sock".into(), summary: "It is gone.".into(), text });
    }

    #[test]
    fn every_kind_has_a_page_under_its_code() {
        let kinds = finding::KINDS.iter().chain(&undecided::KINDS);
        let codes: Vec<&str> = kinds.clone().map(|kind| kind.code).collect();
        assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
        for kind in kinds {
            let page = kind.page();
            assert!(kind.source.starts_with(&format!("//! `{}`, a", kind.code)), "{}", kind.code);
            assert!(!page.title.contains(kind.code) && !page.summary.is_empty(), "{page:?}");
        }
    }
}
