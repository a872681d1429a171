//! Runs folders of kernels with expected verdicts.
//!
//! The first line of a kernel file gives the expectation, `//pass` or `//xfail:CODE`, and the
//! second the flags that it is run with: the convention of GPUVerify's test-suite. Every `.cl`,
//! `.cu`, `.hip` and `.ptx` file below the folder is run through the pipeline in this process.
//! [`expectation`] reads the two lines, [`agreement`] compares, [`table`] counts and shows.

mod agreement;
mod expectation;
mod permitted;
mod table;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use indexmap::IndexSet;
use regex_lite::Regex;

use crate::bounded;
use crate::command::arguments::{Command, Math, SuiteArguments};
use crate::command::compatibility;
use crate::command::exit::ExitStatus;
use crate::command::inputs::outside;
use crate::command::output::write_file;
use crate::judge::{self, Job};
use crate::pipeline::input_fault::Culprit;
use crate::pipeline::{Input, RunOutcome, Settings};
use crate::report::{self, Progress};
use crate::sandbox::SourceTree;
use crate::verdict::{Undecided, Verdict};
use crate::worker::signals;
use agreement::{Agreement, Explanations, Observed};
pub use expectation::{Expectation, Header};
use table::Row;

/// The endings of the files that are run.
const KINDS: [&str; 4] = ["cl", "cu", "hip", "ptx"];

/// Runs the folder and prints the table.
///
/// The status is that of `verify` for the worst outcome: disagreements are defects, unknowns are
/// unknowns.
pub fn suite(arguments: &SuiteArguments) -> anyhow::Result<ExitStatus> {
    let filter =
        arguments.filter.as_deref().map(Regex::new).transpose().context("--filter is not a regular expression")?;
    let explanations = match &arguments.explanations {
        Some(path) => {
            let text = bounded::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            Explanations::parse(&text).with_context(|| format!("{}", path.display()))?
        }
        None => Explanations::default(),
    };
    let mut files = Vec::new();
    collect(&arguments.folder, &mut files)?;
    let name = |path: &Path| path.strip_prefix(&arguments.folder).unwrap_or(path).display().to_string();
    files.retain(|path| filter.as_ref().is_none_or(|filter| filter.is_match(&name(path))));
    files.sort();
    if files.is_empty() {
        bail!("no .cl, .cu, .hip or .ptx file to run in {}", arguments.folder.display());
    }
    let (mut cases, mut faults) = (Vec::new(), Vec::new());
    for path in &files {
        match Case::read(path, arguments) {
            Ok(case) => cases.push(case),
            Err(fault) => faults.push(fault),
        }
    }
    // An unreadable file keeps no other from being run.
    for fault in &faults {
        report::say(&format!("error: {fault:#}"));
    }
    let without_header = cases.iter().filter(|case| case.is_none()).count();
    let cases: Vec<Case> = cases.into_iter().flatten().collect();
    let progress = Progress::new();
    let outcomes = outcomes(&cases, arguments, &progress);
    progress.finish();
    // From here on only printing is left.
    signals::forget();
    let interrupted = outcomes.iter().flatten().find_map(|outcome| outcome.interrupted);
    let is_whole = |outcome: &Result<RunOutcome, String>| {
        outcome.as_ref().is_ok_and(|outcome| outcome.interrupted.is_none_or(|(_, missing)| missing == 0))
    };
    let rows = cases.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_err() || is_whole(outcome));
    let rows: Vec<Row> = rows.map(|(case, outcome)| case.row(outcome, &name(&case.path), &explanations)).collect();
    if rows.is_empty() && faults.is_empty() && interrupted.is_none() {
        bail!("no .cl, .cu, .hip or .ptx file in {} begins with //pass or //xfail:CODE", arguments.folder.display());
    }
    if without_header > 0 {
        report::say(&format!("note: {} without an expected verdict left out", report::count(without_header, "file")));
    }
    report::show(&table::text(&rows))?;
    if let Some(path) = &arguments.json {
        write_file(path, &table::json(&rows)?)?;
    }
    Ok(match interrupted {
        Some((signal, _)) => {
            let missing = report::count(cases.len() - rows.len(), "file");
            report::say(&format!("error: interrupted by signal {signal}: {missing} not judged"));
            ExitStatus::Interrupted(signal)
        }
        None => match status(&rows) {
            ExitStatus::Fault => ExitStatus::Fault,
            _ if !faults.is_empty() => ExitStatus::Input(Culprit::CommandLine),
            status => status,
        },
    })
}

fn status(rows: &[Row]) -> ExitStatus {
    let any = |agreement: &[Agreement]| rows.iter().any(|row| agreement.contains(&row.agreement));
    if rows.iter().any(|row| row.observed == Observed::Fault) {
        ExitStatus::Fault
    } else if any(&[Agreement::Disagrees]) {
        ExitStatus::Defect
    } else if any(&[Agreement::Unknown]) {
        ExitStatus::Unknown(Undecided::Unproved)
    } else {
        ExitStatus::Verified
    }
}

/// Every source file below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))?;
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot read the folder {}", folder.display()))?;
        let path = entry.path();
        // Links to folders are not followed: they could lead in circles.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&path, files)?;
        } else if path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| KINDS.contains(&ending)) {
            files.push(path);
        }
    }
    Ok(())
}

/// A file with an expectation.
struct Case {
    path: PathBuf,
    header: Header,
    annotated: bool,
    /// Its settings; an error if its flags are not understood.
    settings: Result<Settings, String>,
    inputs: Vec<Input>,
}

impl Case {
    /// Reads the file; `None` without an expectation, an error if it cannot be read.
    fn read(path: &Path, arguments: &SuiteArguments) -> anyhow::Result<Option<Self>> {
        if !arguments.trust_headers && path.exists() {
            let mut tree = SourceTree::default();
            tree.add_around(&arguments.folder);
            if !tree.holds(path) {
                bail!("{}", outside(&path.display().to_string(), &arguments.folder).message);
            }
        }
        let bytes = bounded::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some(header) = Header::parse(&text) else { return Ok(None) };
        let settings = settings(path, &header, arguments);
        let settings = settings.map(|settings| Settings { cache: arguments.cache.cache(), ..settings });
        let inputs = settings.iter().map(|settings| settings.input(path)).collect();
        let annotated = expectation::uses_annotations(&text);
        Ok(Some(Self { path: path.to_owned(), header, annotated, settings, inputs }))
    }

    fn row(&self, outcome: &Result<RunOutcome, String>, name: &str, explanations: &Explanations) -> Row {
        let (observed, reason, clang_seconds, seconds) = match outcome {
            Ok(outcome) => (Observed::of(outcome), explain(outcome), outcome.clang_seconds, outcome.wall_seconds),
            Err(error) => (Observed::CommandLine, error.clone(), 0.0, 0.0),
        };
        let (agreement, explanation) = agreement::compare(name, &self.header.expectation, observed, explanations);
        Row {
            name: name.to_owned(),
            annotated: self.annotated,
            expectation: self.header.expectation.clone(),
            observed,
            agreement,
            reason,
            explanation,
            seconds,
            clang_seconds,
        }
    }
}

/// The outcome of each file, or the error in its flags.
fn outcomes(cases: &[Case], arguments: &SuiteArguments, progress: &Progress) -> Vec<Result<RunOutcome, String>> {
    let settings = cases.iter().filter_map(|case| Some((case.settings.as_ref().ok()?, &case.inputs[..])));
    let jobs: Vec<Job<'_>> = settings.map(|(settings, inputs)| Job { inputs, settings }).collect();
    let mut judged = judge::judge(&jobs, arguments.jobs.unwrap_or(0), progress).into_iter();
    let outcome = |case: &Case| match &case.settings {
        Ok(_) => judged.next().ok_or_else(|| "the file was not judged".to_owned()),
        Err(error) => Err(error.clone()),
    };
    cases.iter().map(outcome).collect()
}

/// The settings of the file's flags; an error if they are not understood.
pub fn settings(path: &Path, header: &Header, options: &SuiteArguments) -> Result<Settings, String> {
    let folder = path.parent().unwrap_or(Path::new(".")).display().to_string();
    let flags = header.flags.iter().map(|flag| flag.replace("${KERNEL_DIR}", &folder));
    let mut words: Vec<OsString> = vec!["lockstep".into(), "verify".into()];
    words.extend(flags.map(OsString::from));
    let mut words = compatibility::translate(words)?.words;
    let given = |option: &str, words: &[OsString]| {
        words.iter().any(|word| word.to_string_lossy().split('=').next() == Some(option))
    };
    // The convention is GPUVerify's, whose command line takes one of the two.
    if ["--global-size", "--global_size"].iter().any(|option| given(option, &words))
        && ["--num-groups", "--num_groups", "--grid-dim", "--gridDim"].iter().any(|option| given(option, &words))
    {
        return Err("the flags give both a number of groups and a global size".into());
    }
    if !given("--pointer-bits", &words) {
        words.push("--pointer-bits=32".into());
    }
    if !given("--timeout", &words) {
        words.push(format!("--timeout={}", options.timeout.as_secs_f64()).into());
    }
    if options.math == Math::Bv && !given("--math", &words) {
        words.push("--math=bv".into());
    }
    if options.strict && !given("--strict", &words) {
        words.push("--strict".into());
    }
    // GPUVerify's header for CUDA has it.
    if !given("--vector-arithmetic", &words) {
        words.push("--vector-arithmetic".into());
    }
    // GPUVerify does not perform these checks, so its expectations do not cover them.
    words.push("--no-check=alignment,uninitialised".into());
    words.push("--".into());
    words.push(path.into());
    let arguments = permitted::parse(words, &options.folder, options.trust_headers)?;
    match arguments.command {
        Command::Verify(mut arguments) => {
            if !options.trust_headers && !options.timeout.is_zero() {
                // A file may ask for less time, but not for more.
                let asked = Some(arguments.kernel.timeout).filter(|asked| !asked.is_zero());
                arguments.kernel.timeout = asked.unwrap_or(options.timeout).min(options.timeout);
            }
            let settings = Settings::of(&arguments.kernel).map_err(|error| error.to_string())?;
            let frontend = settings.frontend.in_tree_of(&options.folder);
            Ok(Settings { frontend, ..settings })
        }
        _ => Err("the flags name another command".into()),
    }
}

/// The outcome of a run in one line.
fn explain(outcome: &RunOutcome) -> String {
    let findings = outcome.reports.iter().flat_map(|report| &report.findings).map(|finding| {
        let lines = finding.accesses.iter().map(|access| access.line).filter(|&line| line > 0);
        let lines: IndexSet<String> = lines.map(|line| line.to_string()).collect();
        let lines: Vec<String> = lines.into_iter().collect();
        let at = match lines.as_slice() {
            [] => String::new(),
            [line] => format!(" at line {line}"),
            lines => format!(" at lines {}", lines.join(" and ")),
        };
        let place = finding.place.as_ref().map_or(String::new(), |place| format!(" on {place}"));
        format!("{}{place}{at}", finding.kind)
    });
    let undecided = outcome.reports.iter().filter(|report| report.verdict != Verdict::Verified);
    let reasons = undecided.filter_map(report::reasons::of);
    // The first of Clang's errors tells the most.
    let errors =
        outcome.errors.iter().map(|error| error.message.as_str()).map(|error| {
            error.lines().find(|line| line.contains("error:")).map_or_else(|| first_line(error), first_line)
        });
    let mut parts: Vec<String> = errors.chain(findings).chain(reasons).collect();
    parts.dedup();
    if parts.len() > 3 {
        parts.truncate(3);
        parts.push("…".into());
    }
    parts.join("; ")
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or("").trim().to_owned()
}

impl Expectation {
    /// The expectation as written in a file.
    pub fn name(&self) -> String {
        match self {
            Self::Pass => "pass".into(),
            Self::Fails => "xfail:NOT_ALL_VERIFIED".into(),
            Self::Error(code) => format!("xfail:{code}"),
            Self::Unknown => "unknown".into(),
        }
    }
}
