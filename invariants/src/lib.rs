//! Loop invariants for sequential programs: candidate families and Houdini.
//!
//! [`propose`] guesses, [`houdini`] keeps what can be proved. Nothing here knows a solver: proving is
//! the business of a [`Prover`].

mod context;
pub mod families;
mod houdini;
mod scan;
#[cfg(test)]
mod testing;

pub use houdini::{Answer, CandidateId, Check, Kept, Phase, Prover, houdini};

use indexmap::{IndexMap, IndexSet};
use lockstep_ir::sequential::{Expression, Loop, Program};

use context::Context;
use families::FAMILIES;
use scan::Scan;

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

/// The family of what the user suggests.
pub const SUGGESTED: &str = "suggested";

/// Which families propose.
#[derive(Clone, Debug, Default)]
pub struct ProposeOptions {
    /// Families switched off, by name.
    pub omitted: Vec<String>,
    /// Whether only what the user suggests is proposed.
    pub only_suggested: bool,
}

/// The candidates of all families for all loops, without repetitions, an outer loop's before those of the
/// loops inside it.
///
/// What simplifies to true or false is left out, and so is what the user has stated already.
pub fn propose(program: &mut Program, options: &ProposeOptions) -> Vec<Candidate> {
    let scan = Scan::new(program);
    let mut candidates = Vec::new();
    let mut context = Context {
        expressions: &mut program.expressions,
        loops: &program.loops,
        sites: &program.sites,
        scan: &scan,
        proposed: IndexSet::new(),
    };
    for (loop_, data) in &program.loops {
        let mut found: IndexMap<Expression, &'static str> = IndexMap::new();
        for suggestion in program.suggested.iter().filter(|suggestion| suggestion.loop_ == loop_) {
            found.insert(suggestion.condition, SUGGESTED);
        }
        for family in FAMILIES {
            if options.only_suggested || options.omitted.iter().any(|name| name == family.name) {
                continue;
            }
            (family.propose)(&mut context, loop_);
            for condition in context.proposed.drain(..) {
                found.entry(condition).or_insert(family.name);
            }
        }
        candidates.extend(
            found
                .into_iter()
                .filter(|(condition, _)| context.expressions.as_boolean(*condition).is_none())
                .filter(|(condition, _)| data.invariants.iter().all(|invariant| invariant.condition != *condition))
                .map(|(condition, family)| Candidate { loop_, condition, family }),
        );
    }
    candidates
}
