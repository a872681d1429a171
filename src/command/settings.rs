//! The settings that a command line asks for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use lockstep_ir::kernel::Language;

use super::arguments::{CheckArguments, ExitedThreads, FrontendArguments, KernelArguments};
use crate::axioms::{self, Declarations};
use crate::bounded;
use crate::deadline::Deadline;
use crate::frontend::hosts::Host;
use crate::frontend::{Annotations, FrontendOptions};
use crate::lockstep::LockstepOptions;
use crate::pipeline::settings::{NO_LIMIT, Settings};
use crate::prove::ProveOptions;
use crate::sandbox::SourceTree;
use crate::verdict::rule::Possible;

impl Settings {
    /// The settings of a command line. Sizes that contradict each other are an error.
    pub fn of(arguments: &KernelArguments) -> anyhow::Result<Self> {
        let files = &arguments.checks.boogie_files;
        let axioms = files.iter().map(|path| read_axioms(path)).collect::<anyhow::Result<_>>()?;
        Ok(Self { axioms, ..Self::without_axioms(arguments)? })
    }

    /// The same without the axioms, which are in files.
    pub fn without_axioms(arguments: &KernelArguments) -> anyhow::Result<Self> {
        let (frontend, checks) = (&arguments.frontend, &arguments.checks);
        let launch = arguments.launch.request();
        launch.check()?;
        let techniques = checks.techniques();
        let settings = Self {
            frontend: FrontendOptions {
                defines: frontend.defines.clone(),
                includes: frontend.includes.clone(),
                clang_arguments: frontend.clang_arguments.clone(),
                clang: frontend.clang.clone(),
                cl_std: frontend.cl_std.clone(),
                language: frontend.language,
                source_launches: !arguments.launch.gives_sizes() && !arguments.launch.open_sizes,
                hosts: Vec::new(),
                replaced: None,
                cuda_path: frontend.cuda_path.clone().or_else(toolkit),
                vector_arithmetic: frontend.vector_arithmetic,
                warp_size: checks.warp_sync.or(checks.warp_size),
                pointer_bits: frontend.pointer_bits,
                annotations: annotations(checks),
                assume: checks.assume.clone(),
                tree: None,
                readable: readable(frontend),
                trusted: frontend.trust_headers,
                no_sandbox: frontend.no_sandbox,
                // The worker that starts Clang is ended in time, and Clang with it.
                limit: NO_LIMIT,
                memory_bytes: arguments.memory_bytes(),
            },
            launch,
            lockstep: LockstepOptions {
                no_benign_tolerance: checks.no_benign_tolerance,
                adversarial: checks.adversarial_abstraction,
                only_intra_group: checks.only_intra_group,
                only_divergence: checks.only_divergence,
                only_log: checks.only_log,
                check_arrays: (!checks.check_arrays.is_empty()).then(|| checks.check_arrays.iter().cloned().collect()),
                asymmetric_asserts: checks.asymmetric_asserts,
                no_barrier_access_checks: checks.no_barrier_access_checks,
                checks: checks.checks(),
                warp_size: checks.warp_sync.or(checks.warp_size),
                warps_in_lock_step: checks.warp_sync.is_some(),
                partial_warps: checks.partial_warps,
                wrapping_strides: checks.wrapping_strides,
                exited_threads_arrive: checks.exited_threads == ExitedThreads::Arrive,
                techniques,
                ..LockstepOptions::default()
            },
            prove: ProveOptions {
                timeout: arguments.time_limit(),
                deadline: Deadline::NEVER,
                omitted_families: checks.omit_infer.clone(),
                no_infer: checks.no_infer,
                only_defects: checks.only_defects(),
                goes_on: false,
                techniques,
                language: Language::OpenCl,
            },
            kernels: frontend.kernels.clone(),
            kernel_values: arguments.launch.kernel_arguments.clone(),
            kernel_arrays: arguments.launch.kernel_arrays.clone(),
            axioms: Vec::new(),
            only_intra_group: checks.only_intra_group,
            no_replay: checks.no_replay,
            seeks_preconditions: false,
            seeks_by_runs: false,
            trial: None,
            run_deadline: Deadline::NEVER,
            possible: if checks.strict { Possible::Counts } else { Possible::Warns },
            equality_abstraction: checks.equality_abstraction,
            jobs: arguments.jobs.unwrap_or(0),
            memory_bytes: arguments.memory_bytes(),
            cache: None,
            recheck: None,
            drawn: false,
        };
        Ok(settings.with_hosts(&arguments.launch.hosts))
    }

    /// The same with hosts of OpenCL that the command line names.
    fn with_hosts(mut self, hosts: &[PathBuf]) -> Self {
        let host = |path: &PathBuf| Arc::new(Host::new(path, &self.frontend, true));
        self.frontend.hosts = hosts.iter().map(host).collect();
        self
    }
}

/// The folders and files that the command line names for Clang.
fn readable(frontend: &FrontendArguments) -> SourceTree {
    let paths = frontend.allow_read.iter().chain(&frontend.includes).map(PathBuf::as_path);
    let mut tree = SourceTree::new(paths);
    for argument in &frontend.clang_arguments {
        // A folder follows an option, or is a word by itself.
        let letters = argument.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
        let values = letters.map(|at| argument[at..].trim_start_matches('=')).into_iter().chain([argument.as_str()]);
        values.filter(|value| !value.is_empty()).for_each(|value| tree.add(Path::new(value)));
    }
    tree
}

/// The CUDA toolkit named by the environment.
fn toolkit() -> Option<PathBuf> {
    std::env::var_os("CUDA_PATH").filter(|path| !path.is_empty()).map(PathBuf::from)
}

fn read_axioms(path: &Path) -> anyhow::Result<Declarations> {
    let text = bounded::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(axioms::read(&path.display().to_string(), &text)?)
}

/// The annotations that count.
fn annotations(checks: &CheckArguments) -> Annotations {
    match (checks.no_annotations, checks.only_requires, checks.invariants_as_candidates) {
        (true, ..) => Annotations::None,
        (false, true, _) => Annotations::OnlyPreconditions,
        (false, false, true) => Annotations::InvariantsAsCandidates,
        (false, false, false) => Annotations::All,
    }
}
