//! Loop invariants for sequential programs: candidate families and Houdini.
//!
//! [`propose`] guesses, [`houdini`] keeps what can be proved. Nothing here knows a solver: proving is
//! the business of a [`Prover`].

pub mod families;
mod houdini;

pub use houdini::{Answer, CandidateId, Check, Kept, Phase, Prover, houdini};

use lockstep_ir::sequential::{Expression, Loop, Program};

/// A guess: something that may hold at each evaluation of a loop's guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The loop.
    pub loop_: Loop,
    /// What may hold.
    pub condition: Expression,
    /// The family that proposes it.
    pub family: &'static str,
}

/// Which families propose.
#[derive(Clone, Debug, Default)]
pub struct ProposeOptions {
    /// Families switched off, by name.
    pub omitted: Vec<String>,
}

/// The candidates of all families for all loops, without repetitions, an outer loop's before those of the
/// loops inside it.
pub fn propose(_program: &mut Program, _options: &ProposeOptions) -> Vec<Candidate> {
    Vec::new()
}
