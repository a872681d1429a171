//! The settings of a run: everything that affects verdicts on kernels.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use lockstep_ir::kernel::Language;

use crate::axioms::{self, Declarations, Signatures};
use crate::cache::Cache;
use crate::deadline::Deadline;
use crate::frontend::{FrontendOptions, ImportedKernel};
use crate::launch::LaunchRequest;
use crate::lockstep::LockstepOptions;
use crate::pipeline::given::{KernelArrays, KernelValues};
use crate::pipeline::input::Input;
use crate::pipeline::input_fault::{Culprit, InputFault};
use crate::prove::ProveOptions;
use crate::solver::{self, SecondSolver};
use crate::verdict::rule::Possible;

/// The share of the time for a proof without preconditions, where some are sought.
const OF_FIRST_PROOF: f64 = 0.5;

/// The time that stands for "no limit".
pub const NO_LIMIT: Duration = Duration::from_hours(365 * 24);

/// The command line's settings for kernels.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
pub struct Settings {
    /// The options for reading files.
    pub frontend: FrontendOptions,
    /// The given sizes.
    pub launch: LaunchRequest,
    /// The checks. The arguments in these options belong to no kernel: [`Settings::kernel_values`]
    /// has them.
    pub lockstep: LockstepOptions,
    /// The options of the prover.
    pub prove: ProveOptions,
    /// The requested kernels; all if empty.
    pub kernels: Vec<String>,
    /// Values of parameters, per kernel.
    pub kernel_values: Vec<KernelValues>,
    /// Axioms about functions that the kernels declare and do not define.
    pub axioms: Vec<Declarations>,
    /// Sizes of arrays, per kernel.
    pub kernel_arrays: Vec<KernelArrays>,
    /// Whether races between groups are ignored.
    pub only_intra_group: bool,
    /// Whether counterexamples are not replayed.
    pub no_replay: bool,
    /// The treatment of findings that no run has confirmed: whether they are defects.
    pub possible: Possible,
    /// Whether preconditions are sought for kernels with a defect.
    pub seeks_preconditions: bool,
    /// Whether runs look for a defect where the proof decides nothing.
    pub seeks_by_runs: bool,
    /// How a changed kernel is tried; `None` for an ordinary run. A trial explains no defect.
    pub trial: Option<Trial>,
    /// The time at which a run of the whole program ends.
    pub run_deadline: Deadline,
    /// Whether GPUVerify's equality abstraction was requested.
    pub equality_abstraction: bool,
    /// The number of kernels processed at the same time; the number of cores if 0.
    pub jobs: usize,
    /// The memory limit for judging a kernel.
    pub memory_bytes: Option<u64>,
    /// The cache of proofs.
    pub cache: Option<Cache>,
    /// The second solver that rechecks proofs.
    pub recheck: Option<SecondSolver>,
    /// Whether findings get pictures, and reports get the proved programs.
    pub drawn: bool,
}

/// A trial of a changed kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// Runs may refute it; it is not proved.
    Runs,
    /// Runs may refute it before a proof is tried.
    Proof,
    /// Likewise, and it is refuted if no run of some launch ends.
    Ending,
}

impl Settings {
    /// The settings with the axioms resolved for these kernels' functions.
    pub fn with_axioms(&self, kernels: &[&ImportedKernel]) -> Result<Self, InputFault> {
        let fault = |message: String| InputFault { culprit: Culprit::Axioms, message };
        let mut signatures = Signatures::default();
        if !self.axioms.is_empty() {
            let read = kernels.iter().filter_map(|kernel| kernel.kernel.as_ref().ok());
            read.into_iter().try_for_each(|kernel| signatures.add(kernel)).map_err(fault)?;
        }
        let resolved = self.axioms.iter().map(|file| axioms::resolve(file, &signatures));
        let resolved = resolved.collect::<Result<Vec<_>, _>>().map_err(|error| fault(error.to_string()))?;
        let lockstep = LockstepOptions { axioms: resolved.into(), ..self.lockstep.clone() };
        Ok(Self { lockstep, ..self.clone() })
    }

    /// The settings for a kernel in this language, with the time at which all work on it ends. The
    /// front end's share of the time limit is already used. To run a whole program takes longer
    /// than to run its kernel.
    pub(super) fn for_kernel(&self, language: Language, frontend_seconds: f64, has_program: bool) -> Self {
        let spent = Duration::try_from_secs_f64(frontend_seconds).unwrap_or_default();
        let left = self.prove.timeout.saturating_sub(spent);
        let mut settings = self.clone();
        // Runs are left some of the time, for a defect that the proof does not find: first those of
        // the kernel, and then one of its program.
        let [of_proof, of_kernel] = match (self.seeks_by_runs, has_program) {
            (false, _) => [1.0, 1.0],
            (true, false) => [0.9, 1.0],
            (true, true) => [0.7, 0.8],
        };
        settings.run_deadline = Deadline::after(left);
        settings.lockstep.deadline = Deadline::after(left.mul_f64(of_kernel));
        let of_proof = left.mul_f64(of_proof);
        settings.prove.deadline = Deadline::after(of_proof);
        settings.prove.language = language;
        settings
    }

    /// The settings with some of the time left for a precondition.
    pub(super) fn leaving_time_for_preconditions(&self, frontend_seconds: f64) -> Self {
        let mut settings = self.clone();
        let spent = Duration::try_from_secs_f64(frontend_seconds).unwrap_or_default();
        let left = self.prove.timeout.saturating_sub(spent);
        settings.prove.deadline = self.prove.deadline.within(left.mul_f64(OF_FIRST_PROOF));
        settings
    }

    /// The settings with less effort.
    pub(super) fn briefly(&self, most: Duration) -> Self {
        let mut settings = self.clone();
        settings.prove.timeout = settings.prove.timeout.min(most);
        settings
    }

    /// The settings for a trial, which has this effort and ends by the deadline.
    pub(super) fn trying(&self, trial: Trial, most: Duration, deadline: Deadline) -> Self {
        let mut settings = self.briefly(most);
        settings.prove.deadline = settings.prove.deadline.earlier(deadline);
        settings.lockstep.deadline = settings.lockstep.deadline.earlier(deadline);
        Self { seeks_by_runs: false, seeks_preconditions: false, trial: Some(trial), ..settings }
    }

    /// The input for a file whose kernels are launched as the command line or the source says.
    pub fn input(&self, path: &Path) -> Input {
        let known = self.frontend.tree.is_some();
        let frontend = if known { self.frontend.clone() } else { self.frontend.in_tree_of(path) };
        Input { path: path.to_owned(), frontend, recorded: Vec::new(), found_in: None, special: None }
    }

    /// Runs `work` on the requested number of workers.
    pub fn on_workers<T: Send>(jobs: usize, work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(solver::STACK_BYTES).build();
        Ok(pool.context("cannot start worker threads")?.install(work))
    }
}
