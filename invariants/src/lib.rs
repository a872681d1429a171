//! Loop invariants for sequential programs: candidate families and Houdini.
//!
//! [`propose`] guesses candidates, and [`houdini`] keeps those that can be proved. This crate does
//! not depend on a solver: a [`Prover`] does the proving.

mod abstraction;
mod claims;
mod context;
pub mod families;
mod houdini;
pub mod ranges;
mod recurrences;
mod scan;
mod sums;
#[cfg(test)]
mod testing;

pub use abstraction::{Word, mask, operations, sign_extended, signed_limits};
pub use houdini::{Answer, CandidateId, Check, Kept, Phase, Prover, houdini};
pub use sums::{Sum, add_sums};

use indexmap::{IndexMap, IndexSet};
use lockstep_ir::sequential::{BinaryOp, Expression, Expressions, Loop, Node, Program};
use rustc_hash::FxHashSet;

use abstraction::Heads;
use claims::Claims;
use context::Context;
use families::{FAMILIES, Family};
use scan::Scan;

/// A candidate: a condition that may hold at each evaluation of a loop's guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The loop.
    pub loop_: Loop,
    /// The condition.
    pub condition: Expression,
    /// The family that proposes it.
    pub family: &'static str,
}

impl Candidate {
    /// Whether solvers find the condition hard. It is if it has products of unknowns, remainders by
    /// a number that is no power of two, or multiples of a counter's low bits.
    pub fn is_dear(&self, expressions: &Expressions) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![self.condition];
        while let Some(top) = stack.pop() {
            if !seen.insert(top) {
                continue;
            }
            if let Node::Binary(op, _, by) = *expressions.node(top) {
                let fixed = expressions.as_bits(by).is_some_and(|bits| bits.power_of_two().is_some());
                match op {
                    BinaryOp::Multiply => return true,
                    BinaryOp::UnsignedDivide
                    | BinaryOp::SignedDivide
                    | BinaryOp::UnsignedRemainder
                    | BinaryOp::SignedRemainder
                        if !fixed =>
                    {
                        return true;
                    }
                    _ => {}
                }
            }
            if let Node::Sum(_, terms) = expressions.node(top)
                && terms.iter().any(|(factor, term)| {
                    let simple = factor.power_of_two().is_some() || factor.neg().power_of_two().is_some();
                    !simple && matches!(expressions.node(*term), Node::Extract(..))
                })
            {
                return true;
            }
            expressions.for_each_operand(top, |operand| stack.push(operand));
        }
        false
    }
}

/// The family of the user's suggestions.
pub const SUGGESTED: &str = "suggested";

/// The selection of families.
#[derive(Clone, Debug, Default)]
pub struct ProposeOptions {
    /// Families switched off, by name.
    pub omitted: Vec<String>,
    /// Whether only the user's suggestions are proposed.
    pub only_suggested: bool,
}

/// The candidates of all families for all loops, without repetitions, an outer loop's before those
/// of the loops inside it.
///
/// `sums` are the program's ghosts of [`add_sums`]. Conditions that simplify to true or false are
/// left out, and so are those that the user has already stated.
pub fn propose(program: &mut Program, sums: &[Sum], options: &ProposeOptions) -> Vec<Candidate> {
    let scan = Scan::new(program);
    let omitted = |family: &str| options.only_suggested || options.omitted.iter().any(|name| name == family);
    let without_words = omitted(families::ABSTRACT_VALUES);
    let heads = if without_words { Heads::new() } else { abstraction::heads(program, &scan) };
    let mut candidates = Vec::new();
    let mut context = Context {
        expressions: &mut program.expressions,
        loops: &program.loops,
        sites: &program.sites,
        scan: &scan,
        heads: &heads,
        sums,
        proposed: IndexSet::new(),
    };
    let wanted: Vec<&Family> = FAMILIES.iter().filter(|family| !omitted(family.name)).collect();
    let mut claims: Vec<Claims> = wanted.iter().map(|family| Claims::new(family.claims)).collect();
    for (loop_, data) in &program.loops {
        let mut found: IndexMap<Expression, &'static str> = IndexMap::new();
        for suggestion in program.suggested.iter().filter(|suggestion| suggestion.loop_ == loop_) {
            found.insert(suggestion.condition, SUGGESTED);
        }
        for (family, claims) in wanted.iter().zip(&mut claims) {
            claims.propose(&mut context, loop_);
            (family.propose)(&mut context, loop_);
            context.take_proposed(family.name, &mut found);
        }
        for site in context.changing_sites(loop_) {
            for recorded in &context.sites[site].recorded {
                for (family, claims) in wanted.iter().zip(&mut claims) {
                    claims.propose_of_recorded(&mut context, loop_, site, recorded.original);
                    context.take_proposed(family.name, &mut found);
                }
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
