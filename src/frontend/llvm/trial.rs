//! Trial runs of modules in a process of their own.
//!
//! LLVM ends its process, or crashes, if a module is broken in ways that its reader does not check
//! (bitcode mostly). The verdicts of all other kernels would be lost with the process. So modules
//! given as input are tried before this process reads them. The output of our own Clang is not
//! tried.

use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use lockstep_ir::kernel::Language;
use lockstep_system::sandbox::{self, Policy};
use wait_timeout::ChildExt as _;

use super::Source;
use crate::Annotations;

/// The command-line word that makes this program try a module.
pub const WORD: &str = "try-module";

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Sets the program that tries modules from now on, which answers to `WORD` by calling [`read`].
pub fn with(program: PathBuf) {
    // A second caller means the same program.
    let _ = PROGRAM.set(program);
}

/// The time limit of a trial, which is much longer than any that ends.
const LONGEST: Duration = Duration::from_mins(5);

/// The outcome of a trial.
enum Outcome {
    /// It ended with this status and this output.
    Ended(ExitStatus, String),
    /// It was killed at the time limit.
    Endless,
}

/// The error says that reading the module ends the reading process, or never ends.
///
/// Without a program to try it, the module passes.
pub fn comes_to_an_end(bytes: &[u8]) -> Result<(), String> {
    // A program that cannot be started says nothing about the module.
    let Some(Ok(outcome)) = PROGRAM.get().map(|program| tried(program, bytes)) else { return Ok(()) };
    match outcome {
        Outcome::Ended(status, _) if status.success() => Ok(()),
        Outcome::Ended(status, said) => {
            // LLVM's message is the last line, if there is one.
            let said = said.lines().rev().map(str::trim).find_map(|line| line.strip_prefix("LLVM ERROR: "));
            Err(said.map_or_else(|| format!("reading it ends the process ({status})"), str::to_owned))
        }
        Outcome::Endless => Err(format!("reading it does not come to an end in {} s", LONGEST.as_secs())),
    }
}

fn tried(program: &Path, bytes: &[u8]) -> io::Result<Outcome> {
    // The output goes to a file, so that no process waits for another to read.
    let mut said = tempfile::tempfile()?;
    let mut command = Command::new(program);
    command.arg(WORD).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(said.try_clone()?);
    // The process needs access to nothing but itself.
    let policy = Policy { execute: sandbox::loaded(), ..Policy::default() };
    sandbox::confine(&mut command, policy.prepare());
    let mut child = command.spawn()?;
    // The process reads all of its input first; if it cannot, its status tells.
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(bytes);
    }
    let Some(status) = child.wait_timeout(LONGEST)? else {
        child.kill()?;
        child.wait()?;
        return Ok(Outcome::Endless);
    };
    let mut bytes = Vec::new();
    said.rewind()?;
    said.read_to_end(&mut bytes)?;
    Ok(Outcome::Ended(status, String::from_utf8_lossy(&bytes).into_owned()))
}

/// Imports the module on stdin, and succeeds if LLVM does not end the process, whatever the result.
///
/// This process is asked for nothing else.
pub fn read() -> ExitCode {
    let mut bytes = Vec::new();
    if io::stdin().read_to_end(&mut bytes).is_ok() {
        let source = Source {
            path: Path::new("input"),
            language: Language::Llvm,
            pointer_bits: 64,
            unoptimised: false,
            annotations: Annotations::default(),
            assume: &[],
        };
        // A panic is our own fault, which is reported when the module is really imported.
        let _ = std::panic::catch_unwind(|| super::import(&bytes, source));
    }
    ExitCode::SUCCESS
}
