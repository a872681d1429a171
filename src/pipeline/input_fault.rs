//! Faults of the input: the source, the command line, or what it names.

use serde::{Deserialize, Serialize};

use crate::frontend::InputError;

/// What is at fault where it is not Lockstep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Culprit {
    /// The command line: an option, a size, a file that is not there.
    CommandLine,
    /// A file of recorded launches is none, or a launch in it is not one of its kernel.
    Recording,
    /// Clang is missing or does not work.
    Compiler,
    /// The source does not compile.
    Source,
    /// A file of LLVM IR is none.
    Bitcode,
    /// A source without kernels.
    NoKernel,
    /// A kernel says something that must not be said, or that contradicts itself.
    Kernel,
    /// A file of axioms is none, or is about other functions than the kernels'.
    Axioms,
}

impl Culprit {
    /// What is at fault if a file cannot be imported.
    pub fn of_import(error: &InputError) -> Self {
        match error {
            InputError::Unreadable { .. } | InputError::UnknownKind { .. } | InputError::Refused(_) => {
                Self::CommandLine
            }
            InputError::Clang(_) | InputError::OutOfMemory { .. } => Self::Compiler,
            InputError::DoesNotCompile { .. } => Self::Source,
            InputError::InvalidLlvm { .. } | InputError::InvalidText { .. } => Self::Bitcode,
            InputError::NoKernel { .. } => Self::NoKernel,
        }
    }
}

/// Something that is wrong with the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFault {
    /// What is at fault.
    pub culprit: Culprit,
    /// What is wrong, in words.
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
