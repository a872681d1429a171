//! The pipeline: every kernel of every input through every stage.
//!
//! import → resolve the launch → lower for both pairs of threads → prove → report. Kernels are independent of each other;
//! [`judge`](super::judge) has them worked on in parallel, each in a process.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use lockstep_ir::assumption::{Assumed, Assumption, Assumptions};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{InstructionData, Kernel, Language, Operation, Terminator, VerifiedKernel};
use lockstep_ir::sequential::{Ground, Obligation, ObligationKind, Pair, Program, VerifiedProgram};
use lockstep_ir::source::{Location, Place};

use super::arguments::{CheckArguments, ExitedThreads, FrontendArguments, KernelArguments};
use super::exit::{Culprit, InputFault};
use super::given::{Given, KernelArrays, KernelValues};
use super::listing::listing;
use super::withdraw::{Passing, withdraw_refuted};
use super::{fault, memory, picture, quote};
use crate::analysis::fences::might_order;
use crate::analysis::placement::misplaced;
use crate::analysis::structure::Structure;
use crate::axioms::{self, Declarations, Signatures};
use crate::bounded;
use crate::cache::Cache;
use crate::checks::Check;
use crate::deadline::Deadline;
use crate::findings;
use crate::findings::{same_defect, same_places, uninitialised_read};
use crate::frontend::{self, Annotations, FrontendOptions, ImportedKernel, InputError, Module};
use crate::launch::recorded::RecordedArgument;
use crate::launch::{self, Extent, Launch, LaunchRequest, ResolvedLaunch};
use crate::lockstep::{LockstepOptions, MOST_RACES, NotLowered, assumptions_alone, lower_for_proof};
use crate::prove::{
    Conclusion, Counterexample, Outcome, ProveOptions, Task, conclude_all, conclude_and_recheck, satisfying,
};
use crate::replay::{Replay, Replayed};
use crate::report::{self, Sources};
use crate::sandbox::SourceTree;
use crate::solver::{self, SecondSolver};
use crate::verdict::hinge::Hinge;
use crate::verdict::reason::{Reason, Work};
use crate::verdict::rule::{self, Possible};
use crate::verdict::{Finding, KernelReport, Known, Rechecked, Statistics, Verdict};

/// The time that stands for "no limit".
pub const NO_LIMIT: Duration = Duration::from_hours(365 * 24);

/// Everything the command line decides about kernels.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
pub struct Settings {
    /// How files are read.
    pub frontend: FrontendOptions,
    /// The sizes given.
    pub launch: LaunchRequest,
    /// What is checked. The arguments in it are those of no kernel: [`Settings::kernel_values`] has them.
    pub lockstep: LockstepOptions,
    /// How hard it is tried.
    pub prove: ProveOptions,
    /// The kernels asked for; all if empty.
    pub kernels: Vec<String>,
    /// Values of parameters, per kernel.
    pub kernel_values: Vec<KernelValues>,
    /// What holds of functions that the kernels declare and do not define.
    pub axioms: Vec<Declarations>,
    /// Sizes of arrays, per kernel.
    pub kernel_arrays: Vec<KernelArrays>,
    /// No races between groups.
    pub only_intra_group: bool,
    /// Counterexamples are not run.
    pub no_replay: bool,
    /// Whether findings that no run has confirmed are defects.
    pub possible: Possible,
    /// GPUVerify's equality abstraction was asked for.
    pub equality_abstraction: bool,
    /// How many kernels at the same time; as many as there are cores if 0.
    pub jobs: usize,
    /// The memory that the judging of a kernel may take.
    pub memory_bytes: Option<u64>,
    /// Where proofs are remembered.
    pub cache: Option<Cache>,
    /// Who is asked about proofs besides Z3.
    pub recheck: Option<SecondSolver>,
    /// Whether findings get pictures, and reports the programs that were proved.
    pub drawn: bool,
}

impl Settings {
    /// What the command line says. Sizes that contradict each other are an error.
    pub fn of(arguments: &KernelArguments) -> anyhow::Result<Self> {
        let (frontend, checks) = (&arguments.frontend, &arguments.checks);
        let launch = arguments.launch.request();
        launch.check()?;
        let techniques = checks.techniques();
        Ok(Self {
            frontend: FrontendOptions {
                defines: frontend.defines.clone(),
                includes: frontend.includes.clone(),
                clang_arguments: frontend.clang_arguments.clone(),
                clang: frontend.clang.clone(),
                cl_std: frontend.cl_std.clone(),
                language: frontend.language,
                source_launches: !arguments.launch.gives_sizes() && !arguments.launch.open_sizes,
                cuda_path: frontend.cuda_path.clone().or_else(toolkit),
                warp_size: checks.warp_sync.or(checks.warp_size),
                pointer_bits: frontend.pointer_bits,
                annotations: annotations(checks),
                assume: checks.assume.clone(),
                tree: None,
                readable: readable(frontend),
                trusted: frontend.trust_headers,
                no_sandbox: frontend.no_sandbox,
                // The worker in which Clang is started is ended in time, and Clang with it.
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
                techniques,
                language: Language::OpenCl,
            },
            kernels: frontend.kernels.clone(),
            kernel_values: arguments.launch.kernel_arguments.clone(),
            kernel_arrays: arguments.launch.kernel_arrays.clone(),
            axioms: checks.boogie_files.iter().map(|path| read_axioms(path)).collect::<anyhow::Result<_>>()?,
            only_intra_group: checks.only_intra_group,
            no_replay: checks.no_replay,
            possible: if checks.strict { Possible::Counts } else { Possible::Warns },
            equality_abstraction: checks.equality_abstraction,
            jobs: arguments.jobs.unwrap_or(0),
            memory_bytes: arguments.memory_bytes(),
            cache: None,
            recheck: None,
            drawn: false,
        })
    }

    /// The same with what the axioms say of these kernels' functions.
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

    /// The same for a kernel in this language, with a moment at which all work on it ends, the front end's share of which has
    /// taken so long.
    fn for_kernel(&self, language: Language, frontend_seconds: f64) -> Self {
        let spent = Duration::try_from_secs_f64(frontend_seconds).unwrap_or_default();
        let deadline = Deadline::after(self.prove.timeout.saturating_sub(spent));
        let mut settings = self.clone();
        (settings.prove.deadline, settings.lockstep.deadline) = (deadline, deadline);
        settings.prove.language = language;
        settings
    }

    /// A file whose kernels are launched as the command line or the source says.
    pub fn input(&self, path: &Path) -> Input {
        let known = self.frontend.tree.is_some();
        let frontend = if known { self.frontend.clone() } else { self.frontend.in_tree_of(path) };
        Input { path: path.to_owned(), frontend, recorded: Vec::new(), found_in: None }
    }

    /// Runs `work` on as many workers as asked for.
    pub fn on_workers<T: Send>(jobs: usize, work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(solver::STACK_BYTES).build();
        Ok(pool.context("cannot start worker threads")?.install(work))
    }
}

/// The folders and files that the command line names for Clang.
fn readable(frontend: &FrontendArguments) -> SourceTree {
    let paths = frontend.allow_read.iter().chain(&frontend.includes).map(PathBuf::as_path);
    let mut tree = SourceTree::new(paths);
    for argument in &frontend.clang_arguments {
        // A folder is behind an option, or is a word by itself.
        let letters = argument.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
        let values = letters.map(|at| argument[at..].trim_start_matches('=')).into_iter().chain([argument.as_str()]);
        values.filter(|value| !value.is_empty()).for_each(|value| tree.add(Path::new(value)));
    }
    tree
}

/// The CUDA toolkit that the environment names.
fn toolkit() -> Option<PathBuf> {
    std::env::var_os("CUDA_PATH").filter(|path| !path.is_empty()).map(PathBuf::from)
}

fn read_axioms(path: &Path) -> anyhow::Result<Declarations> {
    let text = bounded::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(axioms::read(&path.display().to_string(), &text)?)
}

/// Which annotations count.
fn annotations(checks: &CheckArguments) -> Annotations {
    match (checks.no_annotations, checks.only_requires, checks.invariants_as_candidates) {
        (true, ..) => Annotations::None,
        (false, true, _) => Annotations::OnlyPreconditions,
        (false, false, true) => Annotations::InvariantsAsCandidates,
        (false, false, false) => Annotations::All,
    }
}

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct RunOutcome {
    /// A report per kernel, in the order of the input.
    pub reports: Vec<KernelReport>,
    /// What is wrong with the input.
    pub errors: Vec<InputFault>,
    /// The names of kernels that were asked for and are there, and of which there is no launch: only recordings lack some.
    pub never_launched: Vec<String>,
    /// What Clang said about files that it compiled.
    pub diagnostics: Vec<String>,
    /// Seconds that Clang took.
    pub clang_seconds: f64,
    /// Seconds from the beginning of each file to its end, added up.
    pub wall_seconds: f64,
    /// The signal that ended the run before its time, and how many kernels, or files that were not read, are missing.
    pub interrupted: Option<(i32, usize)>,
}

impl RunOutcome {
    /// That the run was ended before its time, if it was.
    pub fn interruption(&self) -> Option<InputFault> {
        let (signal, missing) = self.interrupted?;
        let missing = report::count(missing, "kernel or file");
        let message = format!("interrupted by signal {signal}: {missing} not judged");
        Some(InputFault { culprit: Culprit::CommandLine, message })
    }
}

/// A file with kernels.
#[derive(Clone, Debug)]
pub struct Input {
    /// The file.
    pub path: PathBuf,
    /// How it is read.
    pub frontend: FrontendOptions,
    /// Recorded launches, and the names of the kernels that they are of. Where there is none, all kernels are meant.
    pub recorded: Vec<(String, AskedLaunch)>,
    /// The folder or compilation database in which it was found, if it was not named itself: it need not have a kernel.
    pub found_in: Option<PathBuf>,
}

impl Input {
    /// What is asked about the file's kernels, or the names of kernels that are not there.
    pub(super) fn asked<'a>(&self, module: &'a Module, settings: &Settings) -> Vec<Result<Asked<'a>, InputFault>> {
        let wanted = |kernel: &&ImportedKernel| settings.wants(kernel);
        if self.recorded.is_empty() {
            let kernels = module.kernels.iter().filter(wanted);
            return kernels
                .flat_map(|kernel| settings.launches(kernel).into_iter().map(move |launch| Ok((kernel, launch))))
                .collect();
        }
        let of_one = |(name, launch): &(String, AskedLaunch)| {
            let called: Vec<&ImportedKernel> = module.kernels.iter().filter(|kernel| kernel.is_called(name)).collect();
            if called.is_empty() {
                let names: Vec<&str> = module.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
                let (file, names) = (self.path.display(), names.join(", "));
                return vec![Err(launch.fault(format!("no kernel `{name}` in {file}; there are: {names}")))];
            }
            called.into_iter().filter(wanted).map(|kernel| Ok((kernel, launch.clone()))).collect()
        };
        self.recorded.iter().flat_map(of_one).collect()
    }

    /// What is wrong with a file that cannot be imported. That it is not there is the fault of the recording that names it.
    fn fault(&self, error: &InputError) -> InputFault {
        let (culprit, message) = (Culprit::of_import(error), error.to_string());
        match self.recorded.first().filter(|_| culprit == Culprit::CommandLine) {
            Some((_, launch)) => launch.fault(message),
            None => InputFault { culprit, message },
        }
    }
}

/// A kernel and how it is launched.
pub(super) type Asked<'a> = (&'a ImportedKernel, AskedLaunch);

/// Decides a kernel that comes from no file of the input, on the workers of the current pool, for the first of its launches.
pub fn decide_alone(kernel: &ImportedKernel, settings: &Settings) -> Result<KernelReport, InputFault> {
    let _ready = solver::warm_up();
    let launches = settings.launches(kernel);
    let launch = launches.first().ok_or_else(|| InputFault::command_line("the kernel has no launch".to_owned()))?;
    decide_guarded(kernel, 0.0, launch, settings)
}

/// A launch that a kernel is verified for.
#[derive(Clone, Debug)]
pub struct AskedLaunch {
    /// The sizes.
    pub request: LaunchRequest,
    /// Where the source launches the kernel so; empty if the sizes come from elsewhere.
    pub places: Vec<(String, u32)>,
    /// Where the source lets the kernel's address go, if this launch stands for those that come of it.
    pub escapes: Vec<(String, u32)>,
    /// Where the launch is recorded; empty if it is not a recorded one.
    pub recorded_at: Vec<(String, u32)>,
    /// The arguments, if they were recorded.
    pub arguments: Option<Vec<RecordedArgument>>,
}

impl AskedLaunch {
    fn new(request: LaunchRequest, places: Vec<(String, u32)>) -> Self {
        Self { request, places, escapes: Vec::new(), recorded_at: Vec::new(), arguments: None }
    }

    /// A fault of what asks for this launch.
    fn fault(&self, message: String) -> InputFault {
        match self.recorded_at.first() {
            Some((file, line)) => {
                InputFault { culprit: Culprit::Recording, message: format!("{file}:{line}: {message}") }
            }
            None => InputFault::command_line(message),
        }
    }
}

/// A kernel that the source launches in more ways than this is verified for one launch that stands for all of them.
const MOST_SOURCE_LAUNCHES: usize = 8;

impl Settings {
    /// The launches that a kernel is verified for: the one that the command line describes, or those in the source. Where there may be
    /// others in the source one of any size stands for them.
    pub fn launches(&self, kernel: &ImportedKernel) -> Vec<AskedLaunch> {
        let mut launches: Vec<AskedLaunch> = Vec::new();
        let known = kernel.kernel.as_ref().ok().map(|kernel| &**kernel);
        for launch in &kernel.launches {
            let request = launch.request(known, &self.launch);
            let place = (launch.file.clone(), launch.line);
            match launches.iter_mut().find(|known| known.request == request) {
                Some(known) if known.places.contains(&place) => {}
                Some(known) => known.places.push(place),
                None => launches.push(AskedLaunch::new(request, vec![place])),
            }
        }
        if launches.len() > MOST_SOURCE_LAUNCHES {
            let requests: Vec<LaunchRequest> = launches.iter().map(|launch| launch.request.clone()).collect();
            let places = launches.into_iter().flat_map(|launch| launch.places).collect();
            launches =
                LaunchRequest::joined(&requests).map(|request| AskedLaunch::new(request, places)).into_iter().collect();
        }
        let any = AskedLaunch { escapes: kernel.escapes.clone(), ..AskedLaunch::new(self.launch.clone(), Vec::new()) };
        if launches.is_empty() || !kernel.escapes.is_empty() {
            launches.push(any);
        }
        launches
    }

    /// Whether this kernel was asked for.
    pub fn wants(&self, kernel: &ImportedKernel) -> bool {
        self.kernels.is_empty() || self.kernels.iter().any(|name| kernel.is_called(name))
    }
}

/// A file that has been read.
pub(super) enum Imported {
    /// Its kernels.
    Module(Module),
    /// It cannot be read.
    Error(InputFault),
    /// Clang ran out of memory, whose limit is so many bytes.
    OutOfMemory(u64),
    /// The import panicked, and said this.
    Fault(String),
}

/// Reads a file; `started` is called when Clang runs.
pub(super) fn import(input: &Input, started: &(dyn Fn() + Sync)) -> Imported {
    match fault::guarded(|| frontend::import_meanwhile(&input.path, &input.frontend, started)) {
        Ok(Ok(module)) => Imported::Module(module),
        Ok(Err(InputError::OutOfMemory { bytes, .. })) => Imported::OutOfMemory(bytes),
        Ok(Err(error)) => Imported::Error(input.fault(&error)),
        Err(message) => Imported::Fault(message),
    }
}

/// A report that says nothing yet.
pub(super) fn empty_report(name: &str, file: &str, line: u32) -> KernelReport {
    KernelReport {
        name: name.to_owned(),
        file: file.to_owned(),
        line,
        input: 0,
        block: Vec::new(),
        grid: Vec::new(),
        threads: Vec::new(),
        offset: Vec::new(),
        shared_bytes: None,
        launched_at: Vec::new(),
        escapes_at: Vec::new(),
        recorded_at: Vec::new(),
        arguments: Vec::new(),
        verdict: Verdict::Unknown,
        reasons: Vec::new(),
        findings: Vec::new(),
        assumptions: Assumptions::default(),
        statistics: Statistics::default(),
        rechecked: None,
        fingerprint: String::new(),
        known: Known::default(),
        sources: Vec::new(),
        listings: Vec::new(),
    }
}

/// The report of a kernel; the error is one of the command line (values or sizes that do not fit this kernel) or of the
/// kernel's source.
pub(super) fn decide_guarded(
    imported: &ImportedKernel,
    frontend_seconds: f64,
    launch: &AskedLaunch,
    settings: &Settings,
) -> Result<KernelReport, InputFault> {
    let started = Instant::now();
    let language = imported.kernel.as_ref().map_or(Language::OpenCl, |kernel| kernel.language);
    let settings = &settings.for_kernel(language, frontend_seconds);
    let mut blank = empty_report(&imported.name, &imported.file, imported.line);
    blank.statistics.frontend_seconds = frontend_seconds;
    blank.sources.clone_from(&imported.sources);
    let decided = fault::guarded(|| decide(imported, blank.clone(), launch, settings));
    let mut report = decided.unwrap_or_else(|message| {
        blank.verdict = Verdict::Error;
        blank.reasons = vec![Reason::Fault(Work::Judging, message)];
        Ok(blank)
    })?;
    report.statistics.wall_seconds = frontend_seconds + started.elapsed().as_secs_f64();
    report.statistics.peak_rss_bytes = memory::peak_rss_bytes();
    Ok(report)
}

fn decide(
    imported: &ImportedKernel,
    mut report: KernelReport,
    asked: &AskedLaunch,
    settings: &Settings,
) -> Result<KernelReport, InputFault> {
    fault::on_purpose(&imported.name);
    let kernel = match &imported.kernel {
        Ok(kernel) => kernel,
        Err(refusal) => {
            let place = Place { file: refusal.file.clone(), line: refusal.line };
            let place = Some(place).filter(|place| !place.file.is_empty());
            report.reasons = vec![Reason::NotRead { construct: refusal.construct.clone(), place }];
            return Ok(report);
        }
    };
    let in_this_kernel = |error: String| format!("kernel {} ({}): {error}", imported.name, imported.file);
    let of_source = |error| InputFault::kernel(in_this_kernel(error));
    let of_launch = |error| asked.fault(in_this_kernel(error));
    check_annotations(kernel).map_err(of_source)?;
    check_abstraction(kernel, settings).map_err(of_source)?;
    let resolved = asked.request.resolve(kernel).map_err(|error| of_launch(error.to_string()))?;
    report.launched_at.clone_from(&asked.places);
    report.escapes_at.clone_from(&asked.escapes);
    report.recorded_at.clone_from(&asked.recorded_at);
    let given = match &asked.arguments {
        Some(arguments) => settings.recorded(kernel, arguments),
        None => settings.given(imported, kernel, &asked.request),
    };
    let Given { kernel, options, arguments, assumptions } = given.map_err(of_launch)?;
    let kernel = &*kernel;
    describe(&mut report, &resolved);
    report.shared_bytes = asked.request.shared_bytes;
    report.arguments = arguments;
    report.assumptions = resolved.assumptions;
    report.assumptions.extend(assumptions);
    report.assumptions.extend(imported.assumptions.iter().cloned());
    report.assumptions.extend(unchecked(settings, &options));
    let pairs = [Pair::SameGroup, Pair::DifferentGroups, Pair::Alone]
        .map(|pair| (pair != Pair::DifferentGroups || !settings.only_intra_group).then_some(pair));
    let (decided, rechecked) = decide_pairs(kernel, &resolved.launch, pairs, &options, settings);
    report.statistics.lower_seconds = decided.iter().map(|pair| pair.lower_seconds).sum();
    let results = decided.map(|pair| pair.result);
    if let Some(contradiction) = contradiction(&results) {
        return Err(of_source(report::reasons::contradiction(&contradiction)));
    }
    let satisfying = satisfying_if_proved(&results, settings);
    if has_end(kernel) && results.iter().all(|result| matches!(result, Pairwise::Nothing)) {
        nothing_to_check(&resolved.launch, &mut report);
        report.assumptions.extend(assumptions_alone(kernel, &resolved.launch, &options));
    } else {
        let warp_size = options.warp_size_for(kernel.language).min(64);
        // Under axioms functions are whatever satisfies them, and no host's.
        let replay = (options.axioms.is_empty() && !settings.no_replay)
            .then(|| Replay::new(kernel, &options, resolved.launch.global_offset, warp_size));
        let broken_off = results.each_ref().map(is_broken_off);
        let mut open: Vec<Reason> = Vec::new();
        merge(kernel, results, settings, replay.as_ref(), (&mut report, &mut open));
        // No run shows the defect for which other pairs of threads were left undecided: they are decided after all.
        let is_shown = replay.is_none() || report.findings.iter().any(|finding| finding.confirmed);
        if broken_off.contains(&true) && !is_shown {
            open.retain(|reason| *reason != Reason::BrokenOff);
            let left = [0, 1, 2].map(|index| pairs[index].filter(|_| broken_off[index]));
            let (decided, _) = decide_pairs(kernel, &resolved.launch, left, &options, settings);
            report.statistics.lower_seconds += decided.iter().map(|pair| pair.lower_seconds).sum::<f64>();
            merge(kernel, decided.map(|pair| pair.result), settings, replay.as_ref(), (&mut report, &mut open));
        }
        settle(kernel, open, settings, &mut report);
        report.findings.iter_mut().for_each(|finding| only_dimensions(finding, resolved.shown_dimensions));
    }
    if !options.axioms.is_empty() {
        report.findings.iter_mut().for_each(hinges_on_axioms);
    }
    let (aliases, pointees) = (&asked.request.aliases, &imported.pointees);
    let passing = Passing { aliases, pointees, satisfying: &satisfying };
    withdraw_refuted(kernel, &resolved.launch, &options, passing, &mut report);
    if let Some(depth) = settings.prove.only_defects.filter(|_| report.verdict == Verdict::Verified) {
        report.verdict = Verdict::Unknown;
        report.reasons = vec![Reason::NoDefectFound { depth, spent: None }];
    }
    if let Some(rechecked) = rechecked.filter(|_| report.verdict == Verdict::Verified) {
        note_recheck(&mut report, rechecked);
    }
    quote::quote_source(&mut report.assumptions, &mut Sources::named(&imported.sources));
    Ok(report)
}

/// Parameters with which the preconditions of a kernel hold that is proved for all pairs of threads; none of another one.
fn satisfying_if_proved(results: &[Pairwise], settings: &Settings) -> Vec<(String, Bits)> {
    let mut programs = results.iter().filter_map(|result| match result {
        Pairwise::Proof(decided) => Some((&decided.0, &decided.1.outcome)),
        Pairwise::Nothing | Pairwise::Refused(_) => None,
    });
    let is_proved = programs.clone().all(|(_, outcome)| matches!(outcome, Outcome::Proved));
    programs.next().filter(|_| is_proved).map(|(program, _)| satisfying(program, &settings.prove)).unwrap_or_default()
}

/// Whether the annotations of the source stand where they must.
fn check_annotations(kernel: &Kernel) -> Result<(), String> {
    let annotated = |data: &InstructionData| matches!(data.operation, Operation::Annotation { .. });
    if !kernel.instructions.values().any(annotated) {
        return Ok(());
    }
    let Ok((kernel, structure)) = Structure::of(kernel) else { return Ok(()) };
    match misplaced(&kernel, &structure) {
        Some(found) => Err(format!("{}{}", found.message, place(&kernel, found.location))),
        None => Ok(()),
    }
}

/// GPUVerify's equality abstraction, under which two threads read the same from a place, and atomics exclude each other.
fn check_abstraction(kernel: &Kernel, settings: &Settings) -> Result<(), String> {
    let atomic = |data: &&InstructionData| matches!(data.operation, Operation::Atomic { .. });
    match kernel.instructions.values().find(atomic).filter(|_| settings.equality_abstraction) {
        Some(data) => {
            Err(format!("--equality-abstraction cannot be used with atomics{}", place(kernel, data.location)))
        }
        None => Ok(()),
    }
}

/// The launch as a report shows it.
fn describe(report: &mut KernelReport, resolved: &ResolvedLaunch) {
    let (launch, dimensions) = (&resolved.launch, resolved.shown_dimensions);
    let shown = |size: &[Extent; 3]| size[..dimensions].iter().map(|extent| extent.known()).collect();
    report.block = shown(&launch.local_size);
    report.grid = shown(&launch.num_groups);
    if launch.global_size.iter().any(|extent| extent.known().is_some()) {
        report.threads = shown(&launch.global_size);
    }
    if launch.global_offset != [0; 3] {
        report.offset = launch::shown_offset(&launch.global_offset, dimensions).to_vec();
    }
}

/// The checks that the command line leaves out, as assumptions.
fn unchecked(settings: &Settings, options: &LockstepOptions) -> Vec<Assumption> {
    let races = |option: &str| Assumed::RacesUnchecked { option: option.to_owned() };
    let all = [
        (settings.only_intra_group, Assumed::GroupsUnchecked),
        (options.only_divergence, races("--only-divergence")),
        (options.only_log, races("--only-log")),
    ];
    let given = all.into_iter().filter(|(given, _)| *given).map(|(_, assumed)| assumed);
    let switched_off = Check::ALL.into_iter().filter(|&check| !options.checks.has(check));
    let others = options.check_arrays.as_ref().map(|arrays| {
        let names = arrays.iter().cloned().collect();
        Assumed::OtherArraysUnchecked { names }
    });
    let unchecked = given.chain(switched_off.filter_map(Check::assumed_instead)).chain(others);
    unchecked.map(Assumed::everywhere).collect()
}

/// A defect under axioms is one of functions that satisfy what the axioms say of the terms that occur, and perhaps not more.
fn hinges_on_axioms(finding: &mut Finding) {
    finding.hinges.insert(0, Hinge::Axioms);
    finding.confirmed = false;
}

/// Leaves out the dimensions in which the launch does not extend: every id there is 0.
fn only_dimensions(finding: &mut Finding, dimensions: usize) {
    let of_accesses = finding.accesses.iter_mut().flat_map(|access| [&mut access.block, &mut access.thread]);
    of_accesses.chain([&mut finding.block, &mut finding.grid]).for_each(|ids| ids.truncate(dimensions));
}

/// What came of one pair of threads.
enum Pairwise {
    /// There is nothing to check.
    Nothing,
    /// The kernel cannot be lowered.
    Refused(NotLowered),
    /// The program, and what the prover says.
    Proof(Box<(VerifiedProgram, Conclusion)>),
}

struct Decided {
    result: Pairwise,
    lower_seconds: f64,
}

/// What a second solver says of the proofs of a kernel, or to what it found a model.
type Recheck = Result<Rechecked, String>;

fn note_recheck(report: &mut KernelReport, rechecked: Recheck) {
    match rechecked {
        Ok(rechecked) => report.rechecked = Some(rechecked),
        Err(model) => {
            report.verdict = Verdict::Error;
            report.reasons = vec![Reason::NotConfirmed(model)];
        }
    }
}

/// Lowers the kernel for the kinds of pairs asked for, and decides the programs side by side.
fn decide_pairs(
    kernel: &VerifiedKernel,
    launch: &Launch,
    pairs: [Option<Pair>; 3],
    options: &LockstepOptions,
    settings: &Settings,
) -> ([Decided; 3], Option<Recheck>) {
    let lowered = pairs.map(|pair| {
        let started = Instant::now();
        let lowered = pair.map_or(Ok(None), |pair| lower_for_proof(kernel, launch, pair, options));
        (lowered, started.elapsed().as_secs_f64())
    });
    let tasks = [0, 1, 2].map(|index| lowered[index].0.as_ref().ok()?.as_ref().map(Task::from));
    let (proofs, rechecked) = match &settings.recheck {
        None => (conclude_all(&tasks, &settings.prove, settings.cache.as_ref(), settings.drawn), None),
        Some(solver) => conclude_and_recheck(&tasks, &settings.prove, solver, settings.drawn),
    };
    let mut proofs = proofs.into_iter();
    let decided = lowered.map(|(lowered, lower_seconds)| {
        let proof = proofs.next().flatten();
        let result = match (lowered, proof) {
            (Err(unsupported), _) => Pairwise::Refused(unsupported),
            (Ok(Some(programs)), Some(proof)) => Pairwise::Proof(Box::new((programs.program, proof))),
            (Ok(_), _) => Pairwise::Nothing,
        };
        Decided { result, lower_seconds }
    });
    (decided, rechecked)
}

/// The verdict where neither a pair of threads nor one thread by itself has anything to check.
fn nothing_to_check(launch: &Launch, report: &mut KernelReport) {
    let single = launch.local_size.iter().chain(&launch.num_groups).all(|extent| *extent == Extent::Known(1));
    report.verdict = Verdict::Verified;
    if single {
        report.assumptions.add(Assumed::SingleThread.everywhere());
    }
}

/// Why there is no launch at all, if there is none. That no launch has two threads of one group, say, is no mistake, unless
/// it is something that the source requires of threads' ids that makes it so: the threads are there all the same.
fn contradiction(results: &[Pairwise]) -> Option<Vec<Ground>> {
    let (mut found, mut some) = (None, false);
    for result in results {
        match result {
            Pairwise::Nothing => {}
            Pairwise::Refused(_) => some = true,
            Pairwise::Proof(decided) => match &decided.1.outcome {
                Outcome::Impossible(grounds) if restricts_ids(&decided.0) => return Some(grounds.clone()),
                Outcome::Impossible(grounds) => found = found.or(Some(grounds.clone())),
                Outcome::Proved | Outcome::Refuted(_) | Outcome::Unknown(_) => some = true,
            },
        }
    }
    found.filter(|_| !some)
}

/// Whether a precondition of the source is about ids of threads.
fn restricts_ids(program: &VerifiedProgram) -> bool {
    let expressions = &program.expressions;
    program.preconditions.iter().filter(|precondition| precondition.ground == Ground::Source).any(|precondition| {
        let mut found = false;
        expressions.for_each_variable(precondition.condition, |variable| {
            found |= expressions.variables()[variable].thread.is_some();
        });
        found || expressions.as_boolean(precondition.condition) == Some(false)
    })
}

/// Whether a pair was left undecided, as another one has a defect.
fn is_broken_off(result: &Pairwise) -> bool {
    matches!(result, Pairwise::Proof(decided) if matches!(&decided.1.outcome, Outcome::Unknown(Reason::BrokenOff)))
}

/// Merges the pairs' results into the report, the findings of all, and into what is open.
fn merge(
    kernel: &VerifiedKernel,
    results: [Pairwise; 3],
    settings: &Settings,
    replay: Option<&Replay<'_>>,
    (report, open): (&mut KernelReport, &mut Vec<Reason>),
) {
    for result in results {
        match result {
            Pairwise::Nothing => {}
            Pairwise::Refused(NotLowered::OutOfTime) => {
                open.push(Reason::LoweringOutOfTime(settings.prove.timeout));
            }
            Pairwise::Refused(NotLowered::TooLarge) => open.push(Reason::TooManyPairs(MOST_RACES)),
            Pairwise::Refused(NotLowered::Unsupported(unsupported)) => {
                let place = place_of(kernel, unsupported.location);
                open.push(Reason::NotLowered { construct: unsupported.construct, place });
            }
            Pairwise::Proof(decided) => {
                let (program, proof) = *decided;
                add_statistics(&mut report.statistics, &proof);
                if let Some(annotated) = proof.annotated {
                    let listing = listing(annotated, &proof.outcome, &report.sources);
                    // One of a pair that was left undecided at first is out of date.
                    report.listings.retain(|known| known.pair != listing.pair);
                    report.listings.push(listing);
                }
                report.assumptions.extend(program.assumptions.iter().cloned());
                match proof.outcome {
                    // There is no such pair of threads.
                    Outcome::Proved | Outcome::Impossible(_) => {}
                    Outcome::Refuted(counterexamples) => {
                        let (perhaps, certain): (Vec<_>, Vec<_>) = counterexamples
                            .into_iter()
                            .partition(|found| ordered_by_fence(kernel, &program, found.obligation).is_some());
                        let found = findings::findings(&program, &certain, kernel.language);
                        for (mut finding, counterexample) in found {
                            let replayed = replay.map(|replay| replay.replay(&mut finding, counterexample));
                            match (replay, replayed) {
                                (_, Some(Replayed::Contradicted)) => {
                                    open.push(Replay::contradicted(&finding));
                                    continue;
                                }
                                (Some(replay), Some(Replayed::Confirmed)) => {
                                    replay.minimise(&mut finding, &program, counterexample);
                                }
                                (Some(replay), Some(Replayed::Possible)) => {
                                    replay.vary(&mut finding, &report.findings, &program, counterexample);
                                }
                                (None, Some(Replayed::Confirmed | Replayed::Possible)) | (_, None) => {}
                            }
                            if let Some(reason) = uninitialised_read::guessed(&finding, counterexample) {
                                open.push(reason);
                                continue;
                            }
                            // A run may have shown it in place of one that it did not show.
                            if report.findings.iter().any(|known| known.confirmed && same_defect(known, &finding)) {
                                continue;
                            }
                            if settings.drawn {
                                finding.picture = Some(picture::of(&finding, &program, counterexample, kernel, replay));
                            }
                            report.findings.push(finding);
                        }
                        let of_fences = |found: &Counterexample| ordered_by_fence(kernel, &program, found.obligation);
                        open.extend(perhaps.iter().filter_map(of_fences));
                    }
                    Outcome::Unknown(reason) => open.push(reason),
                }
            }
        }
    }
}

/// Makes the verdict of what was merged, as [`rule`] says: a defect of one pair is a defect, a proof needs all.
fn settle(kernel: &VerifiedKernel, open: Vec<Reason>, settings: &Settings, report: &mut KernelReport) {
    // Where a run shows that threads of one group race, a warning that those of two groups may race there says nothing new.
    let shown: Vec<Finding> = report.findings.iter().filter(|finding| finding.confirmed).cloned().collect();
    report.findings.retain(|finding| finding.confirmed || !shown.iter().any(|shown| same_places(shown, finding)));
    let mut reasons: Vec<Reason> = Vec::new();
    for reason in open {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    // That defect may have turned out to be none for sure, or to be possible only: then this is the reason.
    if reasons.len() > 1 || !report.findings.is_empty() {
        reasons.retain(|reason| *reason != Reason::BrokenOff);
    }
    if reasons.is_empty() && !has_end(kernel) && settings.prove.only_defects.is_none() {
        reasons.push(Reason::NeverReturns);
    }
    rule::settle(report, reasons, settings.possible);
}

/// The reason that a race is which a fence might prevent.
fn ordered_by_fence(kernel: &Kernel, program: &Program, obligation: Obligation) -> Option<Reason> {
    let ObligationKind::Race { logged, checked } = program.obligations[obligation].kind else { return None };
    let [first, second] = [logged, checked].map(|site| program.sites[site].location);
    let fence = place_of(kernel, Some(might_order(kernel, first?, second?)?));
    let array = program.arrays[program.sites[logged].array].name.clone();
    Some(Reason::FenceOrdering { fence, array, lines: [first, second].map(|location| kernel.place(location).line) })
}

/// Whether some path leads from the kernel's entry to an end. Where none does, what stands behind an endless loop has
/// been left out as never executed, and everything holds of it.
fn has_end(kernel: &Kernel) -> bool {
    let mut seen = vec![kernel.entry];
    let mut next = 0;
    while let Some(&block) = seen.get(next) {
        next += 1;
        let terminator = &kernel.blocks[block].terminator;
        if matches!(terminator, Terminator::Return | Terminator::Trap) {
            return true;
        }
        for target in terminator.targets() {
            if !seen.contains(&target.block) {
                seen.push(target.block);
            }
        }
    }
    false
}

/// File and line in parentheses, if they are known.
fn place(kernel: &Kernel, location: Option<Location>) -> String {
    place_of(kernel, location).map_or(String::new(), |place| format!(" ({}:{})", place.file, place.line))
}

/// File and line, if they are known.
fn place_of(kernel: &Kernel, location: Option<Location>) -> Option<Place> {
    Some(kernel.place(location)).filter(|place| place.line > 0)
}

fn add_statistics(statistics: &mut Statistics, proof: &Conclusion) {
    let cost = &proof.statistics;
    statistics.infer_seconds += cost.infer_seconds;
    statistics.prove_seconds += cost.prove_seconds;
    statistics.candidates_proposed += cost.candidates_proposed;
    statistics.candidates_kept += cost.candidates_kept;
    statistics.obligations += cost.obligations;
    statistics.queries += cost.queries;
}
