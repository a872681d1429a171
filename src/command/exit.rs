//! The end of the process: the outcome, and its exit status.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::axioms::AxiomError;
use crate::pipeline::fault;
use crate::pipeline::input::RunOutcome;
use crate::pipeline::input_fault::Culprit;
use crate::report;
use crate::verdict::{Undecided, Verdict};

/// The tool whose exit statuses are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ExitCodes {
    /// Lockstep's own.
    #[default]
    Lockstep,
    /// GPUVerify's: 0, 1 the command line, 2 Clang, 4 unsupported, 6 not verified, 7 time limit.
    Gpuverify,
}

/// The tool whose exit statuses a command line asks for, even if it cannot be parsed.
pub fn codes_asked_for(words: &[OsString]) -> ExitCodes {
    let words: Vec<&str> = words.iter().map_while(|word| word.to_str()).take_while(|word| *word != "--").collect();
    let value = |index: usize| match words[index].strip_prefix("--exit-codes")? {
        "" => words.get(index + 1).copied(),
        rest => rest.strip_prefix('='),
    };
    let asked = (0..words.len()).find_map(value).and_then(|name| ExitCodes::from_str(name, false).ok());
    asked.unwrap_or_default()
}

/// The status of finished work, once its error or its panic has been printed.
pub fn settled(work: impl FnOnce() -> anyhow::Result<ExitStatus>) -> ExitStatus {
    let status = fault::guarded(work).unwrap_or_else(|message| {
        report::say(&format!("error: a fault in Lockstep itself: {message}"));
        Ok(ExitStatus::Fault)
    });
    status.unwrap_or_else(|error| {
        report::say(&format!("error: {error:#}"));
        ExitStatus::Input(if error.is::<AxiomError>() { Culprit::Axioms } else { Culprit::CommandLine })
    })
}

/// The outcome of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExitStatus {
    /// Every kernel verified, or in the baseline.
    Verified,
    /// At least one defect.
    Defect,
    /// At least one that is verified under a precondition only.
    Conditional,
    /// At least one unknown, with the greatest of their causes.
    Unknown(Undecided),
    /// The input or the command line is at fault.
    Input(Culprit),
    /// A fault in Lockstep itself.
    Fault,
    /// This signal asked the process to stop.
    Interrupted(i32),
}

impl ExitStatus {
    /// The first that applies of a fault, bad input, a defect, an unknown, a precondition that is
    /// not accepted (`--accept-requires`).
    ///
    /// Among several faults of the input it is the one that GPUVerify would have met first.
    /// Findings in the baseline do not count.
    pub fn of(outcome: &RunOutcome, accepts_preconditions: bool) -> Self {
        if let Some((signal, _)) = outcome.interrupted {
            return Self::Interrupted(signal);
        }
        let new = || outcome.reports.iter().filter(|report| !report.is_known());
        let any = |verdict| new().any(|report| report.verdict == verdict);
        if any(Verdict::Error) {
            return Self::Fault;
        }
        if let Some(culprit) = outcome.errors.iter().map(|error| error.culprit).min() {
            return Self::Input(culprit);
        }
        if any(Verdict::Defect) {
            return Self::Defect;
        }
        let unknown = new().filter(|report| report.verdict == Verdict::Unknown);
        match unknown.map(|report| report.undecided().unwrap_or(Undecided::Unproved)).max() {
            Some(cause) => Self::Unknown(cause),
            None if any(Verdict::Conditional) && !accepts_preconditions => Self::Conditional,
            None => Self::Verified,
        }
    }

    /// The exit status.
    pub fn code(self, codes: ExitCodes) -> ExitCode {
        let code = match codes {
            ExitCodes::Lockstep => self.own_code(),
            ExitCodes::Gpuverify => self.code_of_gpuverify(),
        };
        code.into()
    }

    fn own_code(self) -> u8 {
        match self {
            Self::Verified => 0,
            Self::Defect => 1,
            Self::Unknown(_) | Self::Conditional => 2,
            Self::Input(_) => 3,
            Self::Fault => 4,
            // Shells number the end of a program by a signal in this way.
            Self::Interrupted(signal) => 128 | u8::try_from(signal).unwrap_or(0),
        }
    }

    /// GPUVerify's number for the closest outcome: the part of it that would have stopped.
    fn code_of_gpuverify(self) -> u8 {
        match self {
            Self::Verified | Self::Unknown(Undecided::NoDefectFound) => 0,
            Self::Input(Culprit::CommandLine) => 1,
            Self::Input(Culprit::Source) => 2,
            Self::Input(Culprit::Bitcode) => 3,
            Self::Input(Culprit::NoKernel) | Self::Unknown(Undecided::NotRead) => 4,
            Self::Input(Culprit::Kernel) | Self::Unknown(Undecided::NotLowered) => 5,
            Self::Defect | Self::Conditional | Self::Unknown(Undecided::Unproved | Undecided::Unconfirmed) => 6,
            Self::Unknown(Undecided::OutOfTime | Undecided::OutOfMemory) => 7,
            Self::Input(Culprit::Compiler) => 9,
            Self::Input(Culprit::Recording) => 10,
            Self::Interrupted(_) => 8,
            Self::Fault => 11,
            Self::Input(Culprit::Axioms) => 12,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_statuses_are_asked_for() {
        let asked = |words: &[&str]| codes_asked_for(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(asked(&["verify", "--exit-codes=gpuverify", "--nonsense"]), ExitCodes::Gpuverify);
        assert_eq!(asked(&["verify", "--exit-codes", "gpuverify"]), ExitCodes::Gpuverify);
        assert_eq!(asked(&["verify", "--exit-codes", "lockstep"]), ExitCodes::Lockstep);
        assert_eq!(asked(&["verify", "--", "--exit-codes=gpuverify"]), ExitCodes::Lockstep);
    }
}
