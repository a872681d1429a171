//! Files with a text and its twins in an IR, and beside each what is found about it.
//!
//! Each text begins with a line of its own, which comments may precede. The findings stand in
//! comments behind code, and in lines that begin with `//+`. Not all texts of a file may have the
//! same findings. `LOCKSTEP_TEST_BLESS=write` rewrites the files.

use std::collections::BTreeSet;
use std::path::Path;

use crate::harness::{Failure, ensure, ensure_blessed};

/// A text of a file.
#[derive(Default)]
pub struct Section {
    /// The lines of comments in front of it.
    comments: Vec<String>,
    /// The text without findings.
    pub code: String,
}

impl Section {
    /// The rest of a comment that begins with this.
    pub fn option(&self, beginning: &str) -> Option<&str> {
        self.comments.iter().find_map(|line| line.strip_prefix("// ")?.strip_prefix(beginning))
    }
}

/// The findings about a text, and the text with the findings in it.
pub struct Annotated {
    /// The findings alone.
    pub findings: String,
    /// The text as it is printed, with the findings beside it.
    pub text: String,
}

/// Checks a file whose texts begin with lines of this word. `annotate` is given a text, and the
/// first text of the file.
pub fn check_twins(
    path: &Path,
    text: &str,
    begin: &str,
    annotate: impl Fn(&Section, &Section) -> Result<Annotated, Failure>,
) -> Result<(), Failure> {
    let sections = sections(text, begin);
    ensure(sections.len() > 1, || format!("a {begin} has no twin"))?;
    let (mut blessed, mut found) = (Vec::new(), BTreeSet::new());
    for (index, section) in sections.iter().enumerate() {
        let name = section.code.lines().next().unwrap_or_default();
        let annotated = annotate(section, &sections[0]).map_err(|failure| format!("{name}: {failure}"))?;
        found.insert(annotated.findings);
        let blank = (index == 0 && !section.comments.is_empty()).then_some("");
        let lines = section.comments.iter().map(String::as_str).chain(blank).chain([annotated.text.as_str()]);
        blessed.push(lines.collect::<Vec<_>>().join("\n"));
    }
    ensure(found.len() > 1, || format!("the same is found about each {begin}"))?;
    ensure_blessed(path, text, &blessed.join("\n"))
}

fn sections(text: &str, begin: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut comments = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with("//+") && !line.is_empty()) {
        if line.starts_with("//") {
            comments.push(line.to_owned());
            continue;
        }
        // Comments between other lines are printed with the code.
        let before = std::mem::take(&mut comments);
        if line.split(' ').next() == Some(begin) {
            sections.push(Section { comments: before, code: String::new() });
        }
        if let Some(section) = sections.last_mut() {
            section.code.push_str(line.split(" //").next().unwrap_or_default());
            section.code.push('\n');
        }
    }
    sections
}
