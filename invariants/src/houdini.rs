//! Houdini: the largest set of candidates that holds by induction.

use cranelift_entity::entity_impl;
use lockstep_ir::sequential::{Loop, Program};

use crate::Candidate;

/// A candidate, by its index in the list given to [`houdini`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CandidateId(u32);
entity_impl!(CandidateId, "candidate");

/// Half of an induction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// The candidates hold when the loop is reached.
    Entry,
    /// The candidates are kept by an iteration.
    Step,
}

/// What a prover is asked: do all live candidates of this loop hold in this phase, given all live
/// candidates of all loops?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Check {
    /// The loop.
    pub loop_: Loop,
    /// The half.
    pub phase: Phase,
}

/// A prover's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They all do.
    Holds,
    /// These do not, in one execution or several; at least one, all live candidates of the loop.
    Refuted(Vec<CandidateId>),
    /// It cannot tell of these, all live candidates of the loop, at least one: they are dropped.
    CannotTell(Vec<CandidateId>),
    /// It has run out of time for everything.
    OutOfTime,
}

/// Something that can check candidates.
pub trait Prover {
    /// Decides a check. `live` says of each candidate whether it may be assumed.
    fn check(&mut self, check: Check, live: &[bool]) -> Answer;
}

/// What Houdini leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Whether each candidate was proved.
    pub live: Vec<bool>,
    /// Whether the fixed point was reached; if not, nothing is proved and `live` is all false.
    pub finished: bool,
}

/// The largest inductive set of candidates.
pub fn houdini(_program: &Program, candidates: &[Candidate], _prover: &mut dyn Prover) -> Kept {
    Kept { live: vec![false; candidates.len()], finished: false }
}
