//! The program: parses a command line, and calls the command that it names.

mod patches;
mod verify;
mod watch;

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::error::ErrorKind;

use crate::command::arguments::{Arguments, Command, KernelArguments};
use crate::command::compatibility::Translated;
use crate::command::exit::ExitStatus;
use crate::command::scratch::Scratch;
use crate::command::{compatibility, exit, generated, inspect, piped, run as run_kernel, worker};
use crate::findings;
use crate::frontend::llvm::trial;
use crate::judge;
use crate::pipeline::{self, Culprit, fault};
use crate::report::{self};
use crate::suite;
use crate::worker::signals;

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
    arguments.color.choose();
    let quiet = matches!(&arguments.command, Command::Verify(arguments) if arguments.quiet);
    for note in notes.iter().filter(|_| !quiet) {
        report::say(&format!("note: {note}"));
    }
    exit::settled(|| execute(arguments))
}

fn parse(words: Vec<OsString>) -> Result<Arguments, ExitStatus> {
    Arguments::read(words).map_err(|error| {
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
fn execute(mut arguments: Arguments) -> anyhow::Result<ExitStatus> {
    let _scratch = match &arguments.command {
        Command::Explain { .. } | Command::Completions { .. } | Command::Man { .. } => None,
        Command::Verify(_) | Command::Inspect(_) | Command::Run(_) | Command::Suite(_) => Some(Scratch::new()?),
    };
    piped::store(&mut arguments.command)?;
    match arguments.command {
        Command::Verify(arguments) if arguments.watch => watch::watch(&arguments),
        Command::Verify(arguments) => verify::verify(&arguments),
        Command::Inspect(arguments) => worker::in_worker("inspect", arguments.kernel.allowance(), |steps| {
            let outputs: Vec<&Path> = arguments.output.as_deref().into_iter().collect();
            confine(&arguments.kernel, &outputs)?;
            inspect::inspect(&arguments, steps)
        }),
        Command::Run(arguments) => worker::in_worker("the run", arguments.kernel.allowance(), |steps| {
            let saved = arguments.save.iter().map(|saved| saved.path.as_path());
            let outputs = arguments.output.as_deref().into_iter().chain(arguments.save_schedule.as_deref());
            confine(&arguments.kernel, &outputs.chain(saved).collect::<Vec<_>>())?;
            run_kernel::run(&arguments, steps)
        }),
        Command::Suite(arguments) => suite::suite(&arguments),
        Command::Explain { code } => explain(&code),
        Command::Completions { shell } => generated::completions(shell),
        Command::Man { command } => generated::manual(command.as_deref()),
    }
}

/// Puts a worker that writes these files into a sandbox.
pub fn confine(arguments: &KernelArguments, outputs: &[&Path]) -> anyhow::Result<()> {
    if arguments.frontend.no_sandbox {
        return Ok(());
    }
    judge::enter_to_write(outputs).context("the sandbox cannot be entered")
}

/// Prints a manual page.
pub fn explain(code: &str) -> anyhow::Result<ExitStatus> {
    signals::forget();
    report::show(&findings::manual::page(code)?)?;
    Ok(ExitStatus::Verified)
}
