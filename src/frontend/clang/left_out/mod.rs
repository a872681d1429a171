//! Leaves out host code that does not compile.
//!
//! Programs need libraries that are not installed where they are verified, and only the host's side
//! uses them. Nothing here happens to a source that compiles. Otherwise:
//!
//! 1. Headers that are not found are taken to be empty, and named ([`Assumed::MissingHeaders`]).
//! 2. The source is merged with its headers, and preprocessed ([`merged`]).
//! 3. Clang checks the preprocessed text. A part around each error is left out, until there is no
//!    error. [`choice`] says which parts may go, and why the device code stays the same.
//! 4. The parts are removed from the merged text, which keeps lines and columns. Preprocessing the
//!    result must give the same tokens as before.
//!
//! Launches are looked for in the source as it is ([`super::compile_host`]). If its host side does
//! not compile, nothing is concluded from launches.
//!
//! [`Assumed::MissingHeaders`]: lockstep_ir::assumption::Assumed::MissingHeaders

mod choice;
mod merged;
mod scopes;
mod tokens;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::time::Instant;

use lockstep_ir::source::{LeftOut, LeftOutPart, Place};
use lockstep_system::sandbox::SourceTree;

use super::{erased, process};
use crate::{FrontendOptions, InputError};
use choice::Choice;
use merged::{Marked, Places};
use scopes::Unit;
use tokens::{Token, tokens, without_comments};

/// The most headers that are taken to be empty.
const MOST_HEADERS: usize = 100;

/// The rounds in which statements go, and the rounds after which nothing more goes.
const ROUNDS: (usize, usize) = (8, 16);

/// Endings of headers that have device code.
const OF_DEVICES: [&str; 3] = ["cuh", "cu", "hip"];

/// A pragma that gives functions to devices without an attribute.
const IMPLICIT: &str = "force_cuda_host_device";

/// A source without the host code that does not compile.
pub struct Reduced {
    /// The merged source.
    pub source: PathBuf,
    /// The options of Clang for it.
    pub arguments: Vec<OsString>,
    /// Its folder is all that Clang needs to read.
    pub options: FrontendOptions,
    pub left_out: Vec<LeftOut>,
}

/// A compilation that failed.
pub struct Failed<'a> {
    pub source: &'a Path,
    /// Clang's arguments, without those for the output.
    pub arguments: &'a [OsString],
    pub headers: &'a Path,
    /// A folder for temporary files.
    pub folder: &'a Path,
    pub options: &'a FrontendOptions,
    /// The file for the rule with the names of the files that Clang opened.
    pub rule: &'a Path,
}

/// The reason why the source is not compiled without parts of it.
pub enum Kept {
    /// This message is about code that must not be left out.
    Because(String),
    /// The fault lies elsewhere.
    Error(InputError),
}

impl From<InputError> for Kept {
    fn from(error: InputError) -> Self {
        Self::Error(error)
    }
}

impl From<std::io::Error> for Kept {
    fn from(cause: std::io::Error) -> Self {
        Self::Because(format!("cannot read or write a temporary file: {cause}"))
    }
}

/// Leaves out the host code that does not compile.
pub fn reduce(failed: &Failed<'_>) -> Result<Reduced, Kept> {
    let implicit = "-foffload-implicit-host-device-templates";
    let given = &failed.options.clang_arguments;
    if given.iter().any(|argument| erased::may_precede_headers(argument) || argument == implicit) {
        return Err(Kept::Because("an option changes what is read or what is device code".to_owned()));
    }
    let (merged, mut left_out) = failed.merge()?;
    let preprocessed = Marked::new(failed.preprocess(&merged.placed_in_itself())?);
    let all = preprocessed.tokens();
    refuse_implicit(&preprocessed)?;
    // It would be taken for a line marker.
    if all.iter().any(|token| token.text(&preprocessed.text).contains("\n#")) {
        return Err(Kept::Because("a line of a string begins with #".to_owned()));
    }
    let unit = Unit::new(&preprocessed.text, &all);
    let declarations = unit.declarations();
    let places = Places::new(&merged, &preprocessed, &all);
    let mut choice = Choice::new(&unit, &declarations, &places);
    Checked::new(failed, &preprocessed, &all).reduce(&mut choice)?;

    let parts: Vec<&choice::Part> = choice.parts().collect();
    let ranges: Option<Vec<Range<usize>>> =
        parts.iter().map(|part| Some(places.start(*part.all.start())?..places.start(part.all.end() + 1)?)).collect();
    let unknown = || Kept::Because("the place of a part in the source is not known".to_owned());
    let ranges = ranges.filter(|ranges| ranges.iter().all(|range| range.start <= range.end)).ok_or_else(unknown)?;
    let reduced = merged::without(&merged.text, &ranges);
    let expected = Marked::new(merged::without(&preprocessed.text, &bytes_of(&parts, &all)));
    let found = Marked::new(failed.preprocess(&Marked::new(reduced.clone()).placed_in_itself())?);
    if !texts(&expected).eq(texts(&found)) {
        return Err(unknown());
    }
    left_out.extend(described(&parts, &merged, &places));
    let source = failed.folder.join("reduced.cu");
    fs::write(&source, reduced)?;
    Ok(Reduced { source, arguments: failed.arguments_for_merged(), options: failed.own_options(), left_out })
}

/// The texts of all tokens.
fn texts(text: &Marked) -> impl Iterator<Item = &str> {
    tokens(&text.text).into_iter().map(|token| text.text.get(token.bytes).unwrap_or_default())
}

fn bytes_of(parts: &[&choice::Part], all: &[Token]) -> Vec<Range<usize>> {
    parts.iter().map(|part| all[*part.all.start()].bytes.start..all[*part.all.end()].bytes.end).collect()
}

fn refuse_implicit(preprocessed: &Marked) -> Result<(), Kept> {
    let mut lines = preprocessed.text.split('\n').enumerate();
    if lines.any(|(line, text)| text.contains(IMPLICIT) && !preprocessed.is_system(line)) {
        return Err(Kept::Because(format!("#pragma clang {IMPLICIT} makes functions of the host device code")));
    }
    Ok(())
}

/// The parts, for the report: one entry for all statements of a function.
fn described(parts: &[&choice::Part], merged: &Marked, places: &Places<'_>) -> Vec<LeftOut> {
    let mut found: BTreeMap<(usize, bool), LeftOut> = BTreeMap::new();
    for part in parts {
        let is_statement = part.kind == LeftOutPart::Statements;
        let (file, line) = places.line(part.of).and_then(|line| merged.origin(line)).unwrap_or_default();
        let place = Place { file: file.to_owned(), line };
        let (name, error) = (part.name.clone(), part.error.clone());
        let entry = LeftOut { part: part.kind, place, name, number: 0, error };
        found.entry((part.of, is_statement)).or_insert(entry).number += 1;
    }
    found.into_values().collect()
}

impl Failed<'_> {
    /// The source merged with its headers, without comments, and the headers that are missing.
    fn merge(&self) -> Result<(Marked, Vec<LeftOut>), Kept> {
        let missing = self.folder.join("missing");
        let output = self.folder.join("merged.cu");
        fs::create_dir_all(&missing)?;
        let mut left_out = Vec::new();
        loop {
            let mut arguments = self.arguments.to_vec();
            arguments.extend(["-w", "-E", "-frewrite-includes", "-fno-color-diagnostics"].map(OsString::from));
            arguments.extend(["-idirafter".into(), missing.clone().into(), "-o".into(), output.clone().into()]);
            arguments.extend(["-MD".into(), "-MT".into(), "it".into(), "-MF".into(), self.rule.into()]);
            let ended = process::run(self.source, &arguments, self.headers, self.folder, self.options, &|| ())?;
            if ended.status.success() {
                break;
            }
            let Some(header) = missing_header(&ended.said).filter(|_| left_out.len() < MOST_HEADERS) else {
                return Err(Kept::Because(first_error(&ended.said)));
            };
            provide(&missing, &header)?;
            left_out.push(header);
        }
        let bytes = without_comments(fs::read(&output)?);
        let text = String::from_utf8(bytes).map_err(|_| Kept::Because("it has bytes that are no UTF-8".to_owned()))?;
        Ok((Marked::new(text), left_out))
    }

    /// A merged text, preprocessed.
    fn preprocess(&self, merged: &str) -> Result<String, Kept> {
        let (input, output) = (self.folder.join("unexpanded.cu"), self.folder.join("expanded.ii"));
        fs::write(&input, merged)?;
        let mut arguments = self.arguments_for_merged();
        arguments.extend(["-w".into(), "-E".into(), "-o".into(), output.clone().into()]);
        let ended = process::run(&input, &arguments, self.headers, self.folder, &self.own_options(), &|| ())?;
        if !ended.status.success() {
            return Err(Kept::Because(first_error(&ended.said)));
        }
        Ok(fs::read_to_string(&output)?)
    }

    /// Clang's messages about a preprocessed text; `None` if it compiles.
    fn check(&self, preprocessed: &str) -> Result<Option<String>, Kept> {
        const OPTIONS: [&str; 8] = [
            "-w",
            "-fsyntax-only",
            "-ferror-limit=0",
            "-ftemplate-backtrace-limit=0",
            "-fno-caret-diagnostics",
            "-fno-color-diagnostics",
            "-fdiagnostics-format=clang",
            "-fno-diagnostics-fixit-info",
        ];
        let input = self.folder.join("checked.cu");
        fs::write(&input, preprocessed)?;
        let mut arguments: Vec<OsString> = without_pairs(&self.arguments_for_merged(), "-D", "-U");
        arguments.extend(OPTIONS.map(OsString::from));
        let ended = process::run(&input, &arguments, self.headers, self.folder, &self.own_options(), &|| ())?;
        Ok(Some(ended.said).filter(|_| !ended.status.success()))
    }

    /// The arguments for a text that contains what the options include.
    fn arguments_for_merged(&self) -> Vec<OsString> {
        let mut arguments = without_pairs(self.arguments, "-include", "--include");
        // With a toolkit, Clang would include its own header once more.
        arguments.push("-nocudainc".into());
        arguments
    }

    fn own_options(&self) -> FrontendOptions {
        FrontendOptions {
            tree: Some(SourceTree::new([self.folder])),
            readable: SourceTree::default(),
            ..self.options.clone()
        }
    }
}

/// The arguments without two options and their values.
fn without_pairs(arguments: &[OsString], option: &str, other: &str) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut all = arguments.iter();
    while let Some(argument) = all.next() {
        let word = argument.to_string_lossy();
        if word == option || word == other {
            all.next();
        } else if !word.starts_with(option) && !word.starts_with(other) {
            kept.push(argument.clone());
        }
    }
    kept
}

/// The preprocessed text, from which parts are taken away.
struct Checked<'a> {
    failed: &'a Failed<'a>,
    original: &'a Marked,
    tokens: &'a [Token],
    /// The first byte of each line.
    starts: Vec<usize>,
    /// There is none if it is too far away.
    deadline: Option<Instant>,
}

impl<'a> Checked<'a> {
    fn new(failed: &'a Failed<'a>, original: &'a Marked, tokens: &'a [Token]) -> Self {
        let ends = original.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        Self { failed, original, tokens, starts, deadline: Instant::now().checked_add(failed.options.limit) }
    }

    /// Leaves out parts until the rest compiles and mentions none of them.
    fn reduce(&self, choice: &mut Choice<'_>) -> Result<(), Kept> {
        for round in 0..ROUNDS.1 {
            if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
                return Err(Kept::Because("it takes too long".to_owned()));
            }
            // Markers have other lengths there, but no other line changes.
            let rest = Marked::new(self.rest(choice)).placed_in_itself();
            choice.begin_round();
            match self.failed.check(&rest)? {
                Some(said) => self.leave_out(choice, &said, round >= ROUNDS.0)?,
                None if choice.settle().map_err(Kept::Because)? => {}
                None => return Ok(()),
            }
        }
        Err(Kept::Because("too much of it does not compile".to_owned()))
    }

    fn rest(&self, choice: &Choice<'_>) -> String {
        let parts: Vec<&choice::Part> = choice.parts().collect();
        merged::without(&self.original.text, &bytes_of(&parts, self.tokens))
    }

    /// Leaves out a part for each error.
    fn leave_out(&self, choice: &mut Choice<'_>, said: &str, wholly: bool) -> Result<(), Kept> {
        let lines: Vec<&str> = said.lines().collect();
        let errors = lines.iter().enumerate().filter_map(|(at, line)| Some((at, error(line)?)));
        let mut number = 0;
        for (at, (place, message)) in errors {
            // The use of a template stands in a note behind the error.
            let notes = lines[at + 1..].iter().take_while(|line| error(line).is_none());
            let uses = notes.filter(|line| line.contains("requested here"));
            let uses = uses.filter_map(|line| merged::place_of_message(line)).map(|(line, column, _)| (line, column));
            self.leave_out_one(choice, std::iter::once(place).chain(uses), message, wholly)
                .map_err(|cause| Kept::Because(format!("{message} ({cause})")))?;
            number += 1;
        }
        if number == 0 { Err(Kept::Because(first_error(said))) } else { Ok(()) }
    }

    /// Leaves out a part at the first of these places that is in no system header.
    fn leave_out_one(
        &self,
        choice: &mut Choice<'_>,
        places: impl Iterator<Item = (usize, usize)>,
        message: &str,
        wholly: bool,
    ) -> Result<(), &'static str> {
        let mut tokens = places.filter_map(|(line, column)| self.token(line, column));
        match tokens.find(|&token| !self.tokens[token].is_system) {
            Some(token) => choice.leave_out(token, message, wholly),
            None => Err("it stands in a system header"),
        }
    }

    /// The token at a line and a column, or the next one.
    fn token(&self, line: usize, column: usize) -> Option<usize> {
        let start = self.starts.get(line)? + column;
        let at = self.tokens.partition_point(|token| token.bytes.end <= start);
        Some(at.min(self.tokens.len().checked_sub(1)?))
    }
}

/// The place and the text of an error.
fn error(line: &str) -> Option<((usize, usize), &str)> {
    let (line, column, rest) = merged::place_of_message(line)?;
    let message = rest.strip_prefix("error: ").or_else(|| rest.strip_prefix("fatal error: "))?;
    Some(((line, column), message))
}

/// The header that Clang does not find, if its first error is that.
fn missing_header(said: &str) -> Option<LeftOut> {
    let line = said.lines().find(|line| line.contains("error: "))?;
    let (place, error) = line.split_once(": fatal error: ")?;
    let name = error.strip_prefix('\'')?.strip_suffix("' file not found")?;
    let mut numbers = place.rsplitn(3, ':');
    let (_, line, file) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let place = Place { file: file.to_owned(), line: line.parse().ok()? };
    let (name, error) = (name.to_owned(), error.to_owned());
    Some(LeftOut { part: LeftOutPart::Header, place, name, number: 1, error })
}

/// Makes an empty header.
fn provide(folder: &Path, header: &LeftOut) -> Result<(), Kept> {
    let path = Path::new(&header.name);
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if !is_plain || OF_DEVICES.contains(&ending) || folder.join(path).exists() {
        return Err(Kept::Because(format!("'{}' file not found", header.name)));
    }
    let path = folder.join(path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, "")?;
    Ok(())
}

/// The first error among Clang's messages.
pub fn first_error(said: &str) -> String {
    let line = said.lines().find(|line| line.contains("error: ")).or(said.lines().next()).unwrap_or_default();
    line.split_once("error: ").map_or(line, |(_, message)| message).to_owned()
}
