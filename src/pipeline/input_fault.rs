//! Faults of the input: the source, the command line, or the files that it names.

use serde::{Deserialize, Serialize};

use crate::frontend::InputError;

/// The part of the input that is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Culprit {
    /// The command line: an option, a size, a missing file.
    CommandLine,
    /// A file of recorded launches is invalid, or a launch in it does not fit its kernel.
    Recording,
    /// Clang is missing or does not work.
    Compiler,
    /// The source does not compile.
    Source,
    /// A file of LLVM IR is invalid.
    Bitcode,
    /// A source has no kernels.
    NoKernel,
    /// A kernel has a forbidden or contradictory statement.
    Kernel,
    /// A file of axioms is invalid, or concerns functions other than the kernels'.
    Axioms,
}

impl Culprit {
    /// The culprit if a file cannot be imported.
    pub fn of_import(error: &InputError) -> Self {
        match error {
            InputError::Unreadable { .. } | InputError::UnknownKind { .. } | InputError::Refused(_) => {
                Self::CommandLine
            }
            InputError::Clang(_) | InputError::OutOfMemory { .. } => Self::Compiler,
            InputError::DoesNotCompile { .. } => Self::Source,
            InputError::InvalidLlvm { .. } | InputError::InvalidPtx { .. } | InputError::InvalidText { .. } => {
                Self::Bitcode
            }
            InputError::NoKernel { .. } => Self::NoKernel,
        }
    }
}

/// An error in the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFault {
    /// The part of the input that is at fault.
    pub culprit: Culprit,
    /// The description of the error.
    pub message: String,
}

impl InputFault {
    /// A fault of the command line.
    pub fn command_line(message: impl Into<String>) -> Self {
        Self { culprit: Culprit::CommandLine, message: message.into() }
    }

    /// A fault of a kernel's source.
    pub fn kernel(message: impl Into<String>) -> Self {
        Self { culprit: Culprit::Kernel, message: message.into() }
    }
}
