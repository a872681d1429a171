//! Renders verdicts: as text, as JSON, as SARIF, as a page of HTML.
//!
//! A counterexample becomes a [`lockstep_verdict::Finding`] in [`finding`], with one file per kind;
//! [`undecided`] has the same for kernels without an answer. Each format has one renderer.
//! [`fingerprint`] identifies the findings that two runs share, and a [`Baseline`] removes those
//! that an earlier run has. Only this folder writes to stdout and stderr.

mod advice;
pub mod allow;
pub mod assumptions;
pub mod fingerprint;
pub mod hinges;
mod html;
pub mod json;
pub mod left_out;
mod progress;
mod quiet;
pub mod reasons;
mod sarif;
mod sources;
mod summary;
mod text;
mod underlined;

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::OnceLock;

use anyhow::Context as _;
use lockstep_ir::source::LeftOut;
use lockstep_system::printable;
pub use lockstep_system::printable::count;
use lockstep_verdict::KernelReport;

pub use progress::Progress;
pub use sarif::baseline::{Baseline, BaselineError, Comparison};
pub use sources::Sources;
pub use text::finding;

/// A form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// For people, in lines: problems only.
    Quiet,
    /// For programs.
    Json,
    /// For services and editors that show the results of analysers.
    Sarif,
    /// For people, with pictures: one page.
    Html,
}

/// The versions of Lockstep and of the components that it uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Lockstep's own version.
    pub version: &'static str,
    /// The project's home; empty if the package does not say.
    pub repository: &'static str,
    /// The version of LLVM: `19.1.7`.
    pub llvm: String,
    /// The version of the Z3 library that is loaded: `5.4.0.0`.
    pub z3: String,
}

impl Tool {
    /// The text that `lockstep --version` prints after the name.
    pub fn summary(&self) -> String {
        format!("{} (LLVM {}, Z3 {})", self.version, self.llvm, self.z3)
    }
}

/// The contents of a report.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// The tool that reports.
    pub tool: &'a Tool,
    /// The reports on the kernels.
    pub reports: &'a [KernelReport],
    /// Errors in the input.
    pub errors: &'a [&'a str],
    /// Other messages about the input: the compiler's warnings, options without effect.
    pub diagnostics: &'a [String],
    /// The host code that was left out because it does not compile.
    pub left_out: &'a [LeftOut],
    /// The comparison of the run with an earlier one.
    pub comparison: Option<&'a Comparison>,
    /// The arguments of the command line, as they were given.
    pub command: &'a [String],
    /// For each report, the configuration (`lockstep.toml`) that changed its kernel's settings.
    pub configurations: &'a [Option<String>],
}

/// A word, quoted for a shell if necessary.
pub fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=.,:@+/%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A file and the name that the user knows it by.
static CALLED: OnceLock<(String, String)> = OnceLock::new();

/// Has all output call a file by another name. The standard input lies in such a file.
pub fn call(file: String, name: String) {
    // There is one standard input.
    let _ = CALLED.set((file, name));
}

/// The name that the user knows a file by.
pub fn name_of(file: &str) -> &str {
    CALLED.get().filter(|(known, _)| known == file).map_or(file, |(_, name)| name)
}

/// A text with the names that the user knows files by.
pub fn renamed(text: &str) -> Cow<'_, str> {
    match CALLED.get() {
        Some((file, name)) if text.contains(file.as_str()) => text.replace(file.as_str(), name).into(),
        _ => text.into(),
    }
}

/// Has all text have colours, or none; otherwise the terminal and the environment decide.
pub fn choose_colours(colours: Option<bool>) {
    let choice = match colours {
        None => anstream::ColorChoice::Auto,
        Some(true) => anstream::ColorChoice::Always,
        Some(false) => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Never: it goes into a file.
    Never,
    /// With escape sequences; [`show`] removes them if stdout is not a terminal or `NO_COLOR` is
    /// set.
    IfTerminal,
}

/// The reports of a run in one document.
pub fn render(format: Format, document: &Document<'_>, colour: Colour) -> anyhow::Result<String> {
    match format {
        Format::Text => Ok(harmless(text::render(document, colour), colour)),
        Format::Quiet => Ok(harmless(quiet::render(document, colour), colour)),
        Format::Json => json::render(document),
        Format::Sarif => sarif::render(document),
        // After some characters a browser shows text in another order, and a terminal that shows
        // the file obeys its escape sequences.
        Format::Html => Ok(printable::lines(&html::render(document)?).into_owned()),
    }
}

/// Text without control sequences for the terminal, except those for colours if the text is
/// coloured.
fn harmless(text: String, colour: Colour) -> String {
    match colour {
        Colour::Never => printable::lines(&text).into_owned(),
        Colour::IfTerminal => text,
    }
}

/// Writes to stdout. A closed pipe is not an error.
///
/// # Errors
/// Fails if the text cannot be written, for example because the disk is full.
pub fn show(text: &str) -> anyhow::Result<()> {
    let mut output = anstream::stdout().lock();
    match output.write_all(printable::coloured(&renamed(text)).as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to the standard output"),
    }
}

/// Clears the screen if stdout is a terminal.
pub fn clear_screen() {
    if io::stdout().is_terminal() {
        let mut output = anstream::stdout().lock();
        let _ = output.write_all(b"\x1b[2J\x1b[3J\x1b[H").and_then(|()| output.flush());
    }
}

/// Writes a line to stderr, ignoring errors.
pub fn say(line: &str) {
    let mut output = anstream::stderr().lock();
    let _ = output.write_all(format!("{}\n", printable::lines(&renamed(line))).as_bytes());
}

/// Writes to stderr if the text is not empty.
pub fn say_unless_empty(text: &str) {
    if !text.trim().is_empty() {
        say(text.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_for_a_shell() {
        let words = ["a.cl", "--arg=a=[1, 2]", "scale(float *)", "it's", "100%", ""].map(quoted);
        assert_eq!(words, ["a.cl", "'--arg=a=[1, 2]'", "'scale(float *)'", r"'it'\''s'", "100%", "''"]);
    }
}
