//! Modules that came as such are tried in a process of their own before they are read in this one:
//! LLVM ends its process, or breaks down, where a module is broken in ways that its reader does not
//! look for (bitcode mostly), and the verdicts of all other kernels would be lost with it. What our
//! own Clang writes is not tried.

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

/// The word on a command line that makes of this program one that tries a module.
pub const WORD: &str = "try-module";

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// From now on modules are tried by this program, which answers to `WORD` by calling [`read`].
pub fn with(program: PathBuf) {
    // Whoever says so twice means the same program.
    let _ = PROGRAM.set(program);
}

/// How long a module is tried: much longer than any takes that has an end.
const LONGEST: Duration = Duration::from_mins(5);

/// What became of a trial.
enum Outcome {
    /// It ended so, and said this.
    Ended(ExitStatus, String),
    /// It was ended.
    Endless,
}

/// The error says that reading the module ends the process that does, or does not come to an end.
/// Without a program that tries it, nobody knows.
pub fn comes_to_an_end(bytes: &[u8]) -> Result<(), String> {
    // A program that cannot be started says nothing about the module.
    let Some(Ok(outcome)) = PROGRAM.get().map(|program| tried(program, bytes)) else { return Ok(()) };
    match outcome {
        Outcome::Ended(status, _) if status.success() => Ok(()),
        Outcome::Ended(status, said) => {
            // What LLVM says is the last line, if it says anything.
            let said = said.lines().rev().map(str::trim).find_map(|line| line.strip_prefix("LLVM ERROR: "));
            Err(said.map_or_else(|| format!("reading it ends the process ({status})"), str::to_owned))
        }
        Outcome::Endless => Err(format!("reading it does not come to an end in {} s", LONGEST.as_secs())),
    }
}

fn tried(program: &Path, bytes: &[u8]) -> io::Result<Outcome> {
    // What is said goes to a file: nobody waits for anybody to read.
    let mut said = tempfile::tempfile()?;
    let mut command = Command::new(program);
    command.arg(WORD).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(said.try_clone()?);
    // It needs nothing but itself.
    let policy = Policy { execute: sandbox::loaded(), ..Policy::default() };
    sandbox::confine(&mut command, policy.prepare());
    let mut child = command.spawn()?;
    // It reads everything before it does anything; if it cannot, its status tells.
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

/// Imports the module on stdin, and ends well if LLVM lets it, whatever came of it: this process is
/// asked for nothing else.
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
        // A panic is ours: it is told where the module is imported in earnest.
        let _ = std::panic::catch_unwind(|| super::import(&bytes, source));
    }
    ExitCode::SUCCESS
}
