//! From a kernel to the sequential program of two threads: predicate, dualise, instrument.

use lockstep_ir::kernel::VerifiedKernel;
use lockstep_ir::sequential::{Pair, VerifiedProgram};

use crate::launch::Launch;

/// What is checked and how shared memory is abstracted.
#[derive(Clone, Debug, Default)]
pub struct LockstepOptions {
    /// Writes of the same value to one cell are races too (`--no-benign-tolerance`).
    pub no_benign_tolerance: bool,
    /// Every load of written memory returns anything (`--adversarial-abstraction`).
    pub adversarial: bool,
    /// No races are checked (`--only-divergence`).
    pub only_divergence: bool,
    /// Threads that have returned count as having arrived at barriers (`--exited-threads arrive`).
    pub exited_threads_arrive: bool,
    /// Values of scalar parameters (`--kernel-args`), by position among the scalar parameters; `None` is open.
    pub arguments: Vec<Option<u64>>,
}

/// A kernel that cannot be turned into a sequential program, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unsupported: {construct}")]
pub struct Unsupported {
    /// What it is, by name.
    pub construct: String,
    /// Where.
    pub location: Option<lockstep_ir::source::Location>,
}

/// The program of one pair of threads; `None` if there is nothing to check for that pair.
pub fn lower(
    _kernel: &VerifiedKernel,
    _launch: &Launch,
    _pair: Pair,
    _options: &LockstepOptions,
) -> Result<Option<VerifiedProgram>, Unsupported> {
    Err(Unsupported { construct: "everything".into(), location: None })
}
