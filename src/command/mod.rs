//! The command line: `verify`, `inspect`, `run`, `suite`.
//!
//! [`arguments`] defines Lockstep's options, and [`compatibility`] translates GPUVerify's.
//! [`judge`] has kernels judged in worker processes, [`pipeline`] calls the stages in order for one
//! kernel, and [`exit`] numbers the outcome.

mod apart;
pub mod arguments;
pub mod compatibility;
mod dot;
pub mod exit;
pub mod inputs;
mod inspect;
pub mod output;
mod recorded;
pub mod run;
mod scratch;
mod settings;
pub mod words;

use std::ffi::OsString;
use std::io;
use std::mem;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use clap::error::ErrorKind;

use crate::axioms::AxiomError;
use crate::findings;
use crate::frontend::llvm::trial;
use crate::judge;
use crate::pipeline::{self, Culprit, InputFault, fault};
use crate::report::{self, Baseline, Colour, Document, Format, Progress, fingerprint};
use crate::sandbox;
use crate::suite;
use crate::verdict::KernelReport;
use crate::version;
use crate::witness;
use crate::worker::signals;
use arguments::{Arguments, Command, FormatName, KernelArguments, RecordedArguments, VerifyArguments};
use compatibility::Translated;
use exit::ExitStatus;
use inputs::Inputs;
use output::write_file;
use recorded::Recordings;
use scratch::Scratch;

/// The whole program.
pub fn main() -> ExitCode {
    fault::keep_panics_quiet();
    let words: Vec<OsString> = std::env::args_os().collect();
    if words.get(1).is_some_and(|word| word == trial::WORD) {
        // Without a worker, nothing is known of the module.
        return pipeline::Settings::on_workers(1, trial::read).unwrap_or(ExitCode::SUCCESS);
    }
    if let Ok(program) = std::env::current_exe() {
        trial::with(program);
    }
    signals::report_file_limit();
    let codes = exit::codes_asked_for(&words);
    run(words).code(codes)
}

fn run(words: Vec<OsString>) -> ExitStatus {
    let Translated { words, notes } = match compatibility::translate(words) {
        Ok(translated) => translated,
        Err(refused) => {
            report::say(&format!("error: {refused}"));
            return ExitStatus::Input(Culprit::CommandLine);
        }
    };
    let arguments = match parse(words) {
        Ok(arguments) => arguments,
        Err(status) => return status,
    };
    let quiet = matches!(&arguments.command, Command::Verify(arguments) if arguments.quiet);
    for note in notes.iter().filter(|_| !quiet) {
        report::say(&format!("note: {note}"));
    }
    settled(|| execute(arguments))
}

/// The status of finished work, once its error or its panic has been printed.
fn settled(work: impl FnOnce() -> anyhow::Result<ExitStatus>) -> ExitStatus {
    let status = fault::guarded(work).unwrap_or_else(|message| {
        report::say(&format!("error: a fault in Lockstep itself: {message}"));
        Ok(ExitStatus::Fault)
    });
    status.unwrap_or_else(|error| {
        report::say(&format!("error: {error:#}"));
        ExitStatus::Input(if error.is::<AxiomError>() { Culprit::Axioms } else { Culprit::CommandLine })
    })
}

fn parse(words: Vec<OsString>) -> Result<Arguments, ExitStatus> {
    Arguments::try_parse_from(words).map_err(|error| {
        let status = match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitStatus::Verified,
            _ => ExitStatus::Input(Culprit::CommandLine),
        };
        // Help goes to stdout, errors to stderr; a failure to print is reported nowhere.
        match error.print() {
            Err(cause) if status == ExitStatus::Verified && cause.kind() != io::ErrorKind::BrokenPipe => {
                report::say(&format!("error: cannot write to the standard output: {cause}"));
                ExitStatus::Input(Culprit::CommandLine)
            }
            _ => status,
        }
    })
}

/// Runs a command. An error is the user's: it ends with status 3.
fn execute(arguments: Arguments) -> anyhow::Result<ExitStatus> {
    let _scratch = match &arguments.command {
        Command::Explain { .. } => None,
        Command::Verify(_) | Command::Inspect(_) | Command::Run(_) | Command::Suite(_) => Some(Scratch::new()?),
    };
    match arguments.command {
        Command::Verify(arguments) => verify(&arguments),
        Command::Inspect(arguments) => apart::apart("inspect", arguments.kernel.allowance(), |steps| {
            let outputs: Vec<&Path> = arguments.output.as_deref().into_iter().collect();
            confine(&arguments.kernel, &outputs)?;
            inspect::inspect(&arguments, steps)
        }),
        Command::Run(arguments) => apart::apart("the run", arguments.kernel.allowance(), |steps| {
            let saved = arguments.save.iter().map(|saved| saved.path.as_path());
            let outputs = arguments.output.as_deref().into_iter().chain(arguments.save_schedule.as_deref());
            confine(&arguments.kernel, &outputs.chain(saved).collect::<Vec<_>>())?;
            run::run(&arguments, steps)
        }),
        Command::Suite(arguments) => suite::suite(&arguments),
        Command::Explain { code } => explain(&code),
    }
}

/// Puts a worker that writes these files into a sandbox.
fn confine(arguments: &KernelArguments, outputs: &[&Path]) -> anyhow::Result<()> {
    if arguments.frontend.no_sandbox {
        return Ok(());
    }
    judge::enter_to_write(outputs).context("the sandbox cannot be entered")
}

/// Prints a manual page.
fn explain(code: &str) -> anyhow::Result<ExitStatus> {
    signals::forget();
    report::show(&findings::manual::page(code)?)?;
    Ok(ExitStatus::Verified)
}

fn verify(arguments: &VerifyArguments) -> anyhow::Result<ExitStatus> {
    if let Some(code) = &arguments.explain {
        return explain(code);
    }
    let format = match arguments.format {
        FormatName::Text if arguments.quiet => Format::Quiet,
        FormatName::Text => Format::Text,
        FormatName::Json => Format::Json,
        FormatName::Sarif => Format::Sarif,
        FormatName::Html => Format::Html,
    };
    arguments.witness.as_deref().map_or(Ok(()), witness::check)?;
    let baseline = arguments.baseline.as_deref().map(Baseline::read).transpose()?;
    let settings = pipeline::Settings {
        cache: arguments.cache.cache(),
        drawn: format == Format::Html,
        recheck: arguments.recheck.solver()?,
        ..pipeline::Settings::of(&arguments.kernel)?
    };
    let RecordedArguments { json, list_intercepted, verify_intercepted, verify_all_intercepted } = arguments.recorded;
    // Clap does not enforce a requirement if an option that conflicts with it is present.
    if !json && (list_intercepted || verify_intercepted.is_some() || verify_all_intercepted) {
        anyhow::bail!("--list-intercepted, --verify-intercepted and --verify-all-intercepted need --recorded-launches");
    }
    let mut recordings =
        if json { recorded::read(&arguments.inputs, verify_intercepted) } else { Recordings::default() };
    let inputs = match (json, list_intercepted) {
        (true, true) => Inputs::default(),
        (true, false) => Inputs { files: recordings.inputs(&settings), ..Inputs::default() },
        (false, _) => inputs::find(&arguments.inputs, &settings),
    };
    let progress = if arguments.quiet { Progress::none() } else { Progress::new() };
    let mut outcome = judge::verify(&inputs.files, &settings, &progress);
    progress.finish();
    outcome.errors.extend(outcome.interruption());
    // From here on only printing is left.
    signals::forget();
    outcome.errors.splice(0..0, inputs.faults);
    outcome.errors.extend(failed_rechecks(&outcome.reports));
    outcome.diagnostics.splice(0..0, inputs.notes.iter().map(|note| format!("note: {note}")));
    if let sandbox::Status::Partial(missing) = sandbox::status()
        && !inputs.files.is_empty()
        && !settings.frontend.no_sandbox
    {
        outcome
            .diagnostics
            .insert(0, format!("note: the sandbox is not whole: the kernel of this machine lacks {missing}"));
    }
    if recordings.faults.is_empty() {
        outcome.errors.extend(outcome.never_launched.iter().map(|name| recorded::never_launched(name)));
    }
    outcome.errors.splice(0..0, mem::take(&mut recordings.faults));
    outcome.diagnostics.extend(recordings.notes.iter().map(|note| format!("note: {note}")));
    for diagnostics in outcome.diagnostics.iter().filter(|_| !arguments.quiet) {
        report::say(diagnostics.trim_end());
    }
    let errors: Vec<&str> = outcome.errors.iter().map(|error| error.message.as_str()).collect();
    for error in &errors {
        report::say(&format!("error: {error}"));
    }
    fingerprint::assign(&mut outcome.reports);
    let comparison = baseline.map(|baseline| baseline.set_aside(&mut outcome.reports));
    let status = ExitStatus::of(&outcome);
    if list_intercepted {
        report::show(&recordings.list())?;
        return Ok(status);
    }
    let command: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let drawn = if format == Format::Html { &outcome.reports[..] } else { &[] };
    let flags = witness::flags(drawn, &inputs.files, &settings);
    let document = Document {
        tool: &version::tool(),
        reports: &outcome.reports,
        errors: &errors,
        diagnostics: &outcome.diagnostics,
        comparison: comparison.as_ref(),
        command: &command,
        flags: &flags,
    };
    let silent = arguments.silent && status == ExitStatus::Verified;
    match &arguments.output {
        Some(path) => write_file(path, &report::render(format, &document, Colour::Never)?)?,
        None if silent => {}
        None => report::show(&report::render(format, &document, Colour::IfTerminal)?)?,
    }
    let Some(folder) = arguments.witness.as_ref().filter(|_| outcome.interrupted.is_none()) else { return Ok(status) };
    let written = apart::apart("the writing of witnesses", arguments.kernel.allowance(), |steps| {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        confine(&arguments.kernel, &[folder])?;
        let notes = witness::write(folder, &outcome.reports, &inputs.files, &settings, || steps.next())?;
        for note in &notes {
            report::say(note);
        }
        Ok(ExitStatus::Verified)
    })?;
    Ok(if written == ExitStatus::Verified { status } else { written })
}

/// The error for a second solver that gave no answers, if so.
fn failed_rechecks(reports: &[KernelReport]) -> Option<InputFault> {
    let rechecked = || reports.iter().filter_map(|report| report.rechecked.as_ref());
    let first = rechecked().find_map(|rechecked| Some((&rechecked.solver, rechecked.failure.as_ref()?)));
    let questions = report::count(rechecked().map(|rechecked| rechecked.failed).sum::<usize>(), "question");
    first.map(|(solver, what)| {
        InputFault::command_line(format!("--recheck: `{solver}` gave no answer to {questions}; of the first it {what}"))
    })
}
