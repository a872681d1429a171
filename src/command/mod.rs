//! The command line: `verify`, `inspect`, `run`, `suite`.
//!
//! [`arguments`] says what can be written, [`compatibility`] what GPUVerify's users write instead,
//! [`pipeline`] calls the stages in order for every kernel.

pub mod arguments;
pub mod compatibility;
mod dot;
mod fault;
mod inspect;
mod memory;
pub mod pipeline;
mod quote;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use clap::error::ErrorKind;

use crate::report::{self, Colour, Format, Progress};
use crate::suite;
use crate::verdict::{KernelReport, Verdict};
use arguments::{Arguments, Command, FormatName, VerifyArguments};

/// How the process ends; the greatest that applies, in the order 4, 3, 1, 2, 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// Every kernel verified.
    Verified = 0,
    /// At least one defect.
    Defect = 1,
    /// At least one unknown.
    Unknown = 2,
    /// The input or the command line is at fault.
    Input = 3,
    /// A fault in Lockstep itself.
    Fault = 4,
}

impl ExitStatus {
    /// The status after these verdicts and errors.
    pub fn of(reports: &[KernelReport], input_errors: bool) -> Self {
        let any = |verdict| reports.iter().any(|report| report.verdict == verdict);
        if any(Verdict::Error) {
            Self::Fault
        } else if input_errors {
            Self::Input
        } else if any(Verdict::Defect) {
            Self::Defect
        } else if any(Verdict::Unknown) {
            Self::Unknown
        } else {
            Self::Verified
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(match status {
            ExitStatus::Verified => 0,
            ExitStatus::Defect => 1,
            ExitStatus::Unknown => 2,
            ExitStatus::Input => 3,
            ExitStatus::Fault => 4,
        })
    }
}

/// The whole program.
pub fn main() -> ExitCode {
    fault::keep_panics_quiet();
    let (words, notes) = compatibility::translate(std::env::args_os());
    let arguments = match parse(words) {
        Ok(arguments) => arguments,
        Err(status) => return status.into(),
    };
    for note in notes {
        report::say(&format!("note: {note}"));
    }
    let status = fault::guarded(|| execute(arguments)).unwrap_or_else(|message| {
        report::say(&format!("error: a fault in Lockstep itself: {message}"));
        Ok(ExitStatus::Fault)
    });
    status
        .unwrap_or_else(|error| {
            report::say(&format!("error: {error:#}"));
            ExitStatus::Input
        })
        .into()
}

fn parse(words: Vec<OsString>) -> Result<Arguments, ExitStatus> {
    Arguments::try_parse_from(words).map_err(|error| {
        let status = match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitStatus::Verified,
            _ => ExitStatus::Input,
        };
        // Help goes to stdout, errors to stderr. If that is closed there is nobody to tell.
        let _ = error.print();
        status
    })
}

/// Runs a command. An error is the user's: it ends with status 3.
fn execute(arguments: Arguments) -> anyhow::Result<ExitStatus> {
    match arguments.command {
        Command::Verify(arguments) => verify(&arguments),
        Command::Inspect(arguments) => inspect::inspect(&arguments),
        Command::Run(_) => anyhow::bail!("`lockstep run` is not available yet"),
        Command::Suite(arguments) => suite::suite(&arguments),
    }
}

fn verify(arguments: &VerifyArguments) -> anyhow::Result<ExitStatus> {
    let format = match arguments.format {
        FormatName::Text => Format::Text,
        FormatName::Json => Format::Json,
        FormatName::Sarif => anyhow::bail!("--format sarif is not available yet; there are text and json"),
        FormatName::Html => anyhow::bail!("--format html is not available yet; there are text and json"),
    };
    let settings = pipeline::Settings { cache: arguments.cache.cache(), ..pipeline::Settings::of(&arguments.kernel)? };
    let progress = Progress::new();
    let outcome = pipeline::verify(&arguments.inputs, &settings, &progress)?;
    progress.finish();
    for diagnostics in &outcome.diagnostics {
        report::say(diagnostics.trim_end());
    }
    for error in &outcome.errors {
        report::say(&format!("error: {error}"));
    }
    let errors = &outcome.errors;
    match &arguments.output {
        Some(path) => write_file(path, &report::render(format, &outcome.reports, errors, Colour::Never)?)?,
        None => report::show(&report::render(format, &outcome.reports, errors, Colour::IfTerminal)?),
    }
    Ok(ExitStatus::of(&outcome.reports, !errors.is_empty()))
}

/// Writes what was asked for with `-o` or `--json`.
pub(crate) fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
