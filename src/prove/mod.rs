//! Decides a sequential program: infer invariants, discharge obligations, search defects by unrolling.

use std::time::Duration;

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{Invariant, Loop, Obligation, Unknown, VerifiedProgram};
use lockstep_ir::source::Location;

/// How hard to try.
#[derive(Clone, Debug)]
pub struct ProveOptions {
    /// The time one kernel may take.
    pub timeout: Duration,
    /// Candidate families that are switched off, by name.
    pub omitted_families: Vec<String>,
    /// No candidates at all (`--no-infer`).
    pub no_infer: bool,
}

impl Default for ProveOptions {
    fn default() -> Self {
        Self { timeout: Duration::from_mins(1), omitted_families: Vec::new(), no_infer: false }
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The answer.
    pub outcome: Outcome,
    /// The invariants that were proved, by loop.
    pub invariants: Vec<(Loop, Invariant)>,
    /// What it cost.
    pub statistics: ProofStatistics,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No execution fails an assertion.
    Proved,
    /// These executions do, one per obligation that fails; at least one.
    Refuted(Vec<Counterexample>),
    /// Neither was shown, and why.
    Unknown(String),
    /// The preconditions exclude every execution, or the end of the program cannot be reached: an error of
    /// the user's assumptions, and why.
    Vacuous(String),
}

/// An execution that fails an assertion.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The assertion.
    pub obligation: Obligation,
    /// Each thread's id in its group.
    pub local_ids: [Vec<u64>; 2],
    /// Each thread's group.
    pub group_ids: [Vec<u64>; 2],
    /// Threads per group.
    pub local_sizes: Vec<u64>,
    /// Groups.
    pub num_groups: Vec<u64>,
    /// The scalar parameters.
    pub parameters: Vec<(String, Bits)>,
    /// The watched cell, for races.
    pub cell: Option<u64>,
    /// For races: the first cell each thread accesses.
    pub offsets: Option<[Bits; 2]>,
    /// Whether each thread is at the barrier, for barrier divergence.
    pub arrives: Option<[bool; 2]>,
    /// The completed iterations of the loops around thread 1's access (at the moment of the hit) and thread 2's.
    pub iterations: [Vec<(Loop, u64)>; 2],
    /// The arbitrary values that the failure depends on, without [`Unknown::Choice`].
    pub unknowns: Vec<(Unknown, Option<Location>)>,
}

/// What a proof cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProofStatistics {
    /// Seconds of invariant inference.
    pub infer_seconds: f64,
    /// Seconds of everything else.
    pub prove_seconds: f64,
    /// Candidates proposed.
    pub candidates_proposed: usize,
    /// Candidates proved.
    pub candidates_kept: usize,
    /// Obligations proved.
    pub obligations: usize,
    /// Calls of the solver; queries that simplified to a constant are not among them.
    pub queries: usize,
}

/// Decides a program.
pub fn prove(_program: &VerifiedProgram, _options: &ProveOptions) -> Proof {
    Proof {
        outcome: Outcome::Unknown("not written yet".into()),
        invariants: Vec::new(),
        statistics: ProofStatistics::default(),
    }
}
