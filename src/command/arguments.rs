//! What can be written on the command line.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lockstep_ir::kernel::Language;

use super::apart::Allowance;
use super::exit::ExitCodes;
use super::given::{KernelArrays, KernelValues, parse_kernel_arrays, parse_kernel_values};
use super::pipeline::NO_LIMIT;
use super::run::{Asked, Between, Saved, parse_between, parse_saved, parse_schedule};
use crate::cache::Cache;
use crate::checks::{Check, Checks};
use crate::frontend::assume::Assumption;
use crate::interpreter::arguments::{Given, parse_given};
use crate::launch::{LaunchRequest, Size, parse_size};
use crate::solver::SecondSolver;
use crate::techniques::{Technique, Techniques};
use crate::version;

static VERSION: LazyLock<String> = LazyLock::new(version::summary);

/// Proves GPU kernels free of data races and barrier divergence, or shows a run in which they are not.
#[derive(Debug, Parser)]
#[command(name = "lockstep", version = VERSION.as_str(), propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "Exit status: 0 every kernel verified, 1 a defect, 2 an unknown, 3 the input or the command \
    line is at fault, 4 a fault in Lockstep itself. `verify` and `inspect` understand GPUVerify's options, too.")]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Prove or refute every kernel in the inputs
    Verify(VerifyArguments),
    /// Print a stage of the way from a kernel to its verdict
    Inspect(InspectArguments),
    /// Run a kernel concretely on all threads, and find the races that it has
    Run(RunArguments),
    /// Run a folder of kernels with expected verdicts in their first lines
    Suite(SuiteArguments),
    /// Print the manual page of a code such as LS0101
    Explain {
        /// The code, or the name of the kind: LS0101, race
        code: String,
    },
}

/// `lockstep verify`.
#[derive(Debug, Args)]
pub struct VerifyArguments {
    /// Files: .cl, .cu, .hip, .ll, .bc, .kernel; folders of such; compile_commands.json; with --json files of recorded launches (.json)
    #[arg(required_unless_present = "explain", value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    /// Print the manual page of this code of a finding (LS0101, or its kind: race), and do nothing else
    #[arg(long, value_name = "CODE", conflicts_with = "inputs")]
    pub explain: Option<String>,
    /// Which launches are verified.
    #[command(flatten)]
    pub recorded: RecordedArguments,
    /// How kernels are read, launched and checked.
    #[command(flatten)]
    pub kernel: KernelArguments,
    /// How the verdicts are shown
    #[arg(long, value_enum, default_value = "text")]
    pub format: FormatName,
    /// Write the report to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Leave out what is in this file, which --format sarif wrote earlier: it is not reported and does not count for the
    /// exit status. In SARIF it stays, as `unchanged`
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write each confirmed finding into a folder of its own below this one: the source, a script that runs it again and, for OpenCL,
    /// a host program in C
    #[arg(long, value_name = "DIR", conflicts_with = "no_replay")]
    pub witness: Option<PathBuf>,
    /// Print nothing if every kernel is verified, or what is to say of it is in the baseline
    #[arg(long)]
    pub silent: bool,
    /// Say only what is wrong, a line for each finding and for each kernel without an answer (text); no progress, no notes, no
    /// warnings of the compiler
    #[arg(short, long)]
    pub quiet: bool,
    /// Whose exit statuses are used
    #[arg(long, value_enum, value_name = "WHOSE", default_value = "lockstep")]
    pub exit_codes: ExitCodes,
    /// Where proofs are remembered.
    #[command(flatten)]
    pub cache: CacheArguments,
    /// Who checks proofs besides Z3.
    #[command(flatten)]
    pub recheck: RecheckArguments,
}

/// Who checks proofs besides Z3.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "A second opinion")]
pub struct RecheckArguments {
    /// Have every proof checked by this solver, too: a command that is given a file of SMT-LIB 2 (`{}` in it, or last) and answers
    /// sat, unsat or unknown. Nothing remembered is used. If it finds a model the kernel's verdict is `error`
    #[arg(long, value_name = "CMD")]
    pub recheck: Option<String>,
    /// Seconds for each question to it
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub recheck_timeout: Duration,
}

impl RecheckArguments {
    /// The solver, if there is to be one.
    pub fn solver(&self) -> anyhow::Result<Option<SecondSolver>> {
        let limit = if self.recheck_timeout.is_zero() { NO_LIMIT } else { self.recheck_timeout.min(NO_LIMIT) };
        let solver = self.recheck.as_ref().map(|command| SecondSolver::new(command, limit));
        solver.transpose().map_err(|cause| anyhow::anyhow!("--recheck: {cause}"))
    }
}

/// Recorded launches.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Recorded launches")]
pub struct RecordedArguments {
    /// The inputs are JSON files of recorded launches: each launch is verified with its own sizes and arguments
    #[arg(long, conflicts_with_all = ["local_size", "num_groups", "global_size", "global_offset", "open_sizes", "language",
        "kernel_arguments", "kernel_arrays"])]
    pub json: bool,
    /// Print the recorded launches
    #[arg(long, conflicts_with_all = ["verify_intercepted", "verify_all_intercepted"])]
    pub list_intercepted: bool,
    /// Only the recorded launch of this number, from 0
    #[arg(long, value_name = "NUMBER", conflicts_with = "verify_all_intercepted")]
    pub verify_intercepted: Option<usize>,
    /// All recorded launches, which is what is done anyway
    #[arg(long)]
    pub verify_all_intercepted: bool,
}

/// `lockstep inspect`.
#[derive(Debug, Args)]
pub struct InspectArguments {
    /// A file: .cl, .cu, .hip, .ll, .bc, .kernel
    #[arg(value_name = "INPUT")]
    pub input: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value = "sequential")]
    pub stage: Stage,
    /// Which two threads the sequential program is about
    #[arg(long, value_enum, default_value = "same-group")]
    pub pair: PairName,
    /// Infer the loop invariants and show those proved at the loop heads in Boogie too (`sequential` has them anyway,
    /// unless `--no-infer`)
    #[arg(long)]
    pub invariants: bool,
    /// How kernels are read, launched and checked.
    #[command(flatten)]
    pub kernel: KernelArguments,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `lockstep run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// A file: .cl, .cu, .hip, .ll, .bc, .kernel
    #[arg(value_name = "INPUT")]
    pub input: PathBuf,
    /// The value of a parameter: a number; of an array zeros:float*1024, iota:int*1024, random:float*1024 (random@7: with
    /// another seed), [1, 2, 3], file:PATH (raw or .npy), or a number for all elements. What is left out: integers are the
    /// number of threads, arrays zeros of any size. May be given several times
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = parse_given)]
    pub arguments: Vec<Given>,
    /// Write an array to this file at the end: an array of NumPy's if it ends with .npy, otherwise raw; may be given several
    /// times
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_saved)]
    pub save: Vec<Saved>,
    /// Who runs when: in-order (group by group), round-robin or round-robin=STEPS (every thread so many steps, 1 by default, then the
    /// next), random or random=SEED (threads drawn by chance), file:PATH (the turns of a file, as --save-schedule writes them)
    #[arg(long, value_name = "SCHEDULE", default_value = "in-order", value_parser = parse_schedule)]
    pub schedule: Asked,
    /// Let a lane that asks who else of its warp runs along find itself alone (`__activemask`, `coalesced_threads`): which lanes do
    /// is chance, and by default all that come there do
    #[arg(long, conflicts_with = "warp_sync")]
    pub lanes_apart: bool,
    /// Write which thread made how many steps to this file, one turn a line: GROUP:THREAD STEPS, each by its number
    #[arg(long, value_name = "FILE")]
    pub save_schedule: Option<PathBuf>,
    /// Look for races between these two threads only, each by the number of its group and its own in it (counted through the
    /// dimensions, the first one fastest): then every pair of places where they race is told, and what goes wrong in each thread
    #[arg(long, value_name = "GROUP:THREAD,GROUP:THREAD", value_parser = parse_between)]
    pub between: Option<Between>,
    /// How it is told what came of it
    #[arg(long, value_enum, default_value = "text")]
    pub format: RunFormat,
    /// Write that to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How kernels are read, launched and checked.
    #[command(flatten)]
    pub kernel: KernelArguments,
}

/// `lockstep suite`.
#[derive(Debug, Args)]
pub struct SuiteArguments {
    /// The folder; every .cl, .cu and .hip file below it is run
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Write the table as JSON to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Only files whose path below DIR matches this regular expression
    #[arg(long, value_name = "REGEX")]
    pub filter: Option<String>,
    /// Verdicts that are right though the files expect others: lines `path verdict reason`
    #[arg(long, value_name = "FILE")]
    pub explanations: Option<PathBuf>,
    /// Seconds per kernel: the most, whatever the flags of a file say (with --trust-headers where they say nothing)
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub timeout: Duration,
    /// How numbers are reasoned about, where the flags of a file say nothing
    #[arg(long, value_enum, default_value = "auto")]
    pub math: Math,
    /// Let the flags of a file be any: also such as name a compiler, options of its own, files elsewhere, more time
    #[arg(long)]
    pub trust_headers: bool,
    /// Findings that no run has confirmed are defects, not warnings of kernels that are unknown
    #[arg(long)]
    pub strict: bool,
    /// How many files are worked on at the same time; as many as there are cores by default, or with 0
    #[arg(short, long, value_name = "N", value_parser = parse_jobs, allow_negative_numbers = true)]
    pub jobs: Option<usize>,
    /// Where proofs are remembered.
    #[command(flatten)]
    pub cache: CacheArguments,
}

/// How kernels are read, launched and checked.
#[derive(Clone, Debug, Args)]
pub struct KernelArguments {
    /// How a file becomes kernels.
    #[command(flatten)]
    pub frontend: FrontendArguments,
    /// The sizes.
    #[command(flatten)]
    pub launch: LaunchArguments,
    /// What is checked.
    #[command(flatten)]
    pub checks: CheckArguments,
    /// Seconds per kernel, also parts of one; 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub timeout: Duration,
    /// The most memory that the judging of a kernel may take, in MiB; 0 for no limit
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
    /// How many kernels are worked on at the same time, or with `run` groups of one; as many as there are cores by default, or
    /// with 0
    #[arg(short, long, value_name = "N", value_parser = parse_jobs, allow_negative_numbers = true)]
    pub jobs: Option<usize>,
}

impl KernelArguments {
    /// The limit of time for a kernel.
    pub fn time_limit(&self) -> Duration {
        if self.timeout.is_zero() { NO_LIMIT } else { self.timeout.min(NO_LIMIT) }
    }

    /// The limit of memory for a kernel.
    pub fn memory_bytes(&self) -> Option<u64> {
        (self.memory > 0).then(|| self.memory.saturating_mul(1 << 20))
    }

    /// What the work on a kernel may use.
    pub fn allowance(&self) -> Allowance {
        Allowance { timeout: self.time_limit(), memory_bytes: self.memory_bytes() }
    }
}

/// Where proofs are remembered.
#[derive(Clone, Copy, Debug, Args)]
pub struct CacheArguments {
    /// Prove everything anew and remember nothing. Otherwise an unchanged kernel is not proved twice: proofs are remembered in
    /// $LOCKSTEP_CACHE or, if that is not set, the folder `lockstep` of your cache folder (~/.cache); at most 256 MB, the
    /// oldest go
    #[arg(long)]
    pub no_cache: bool,
}

impl CacheArguments {
    /// The cache, unless there is to be none or there is no place for it.
    pub fn cache(self) -> Option<Cache> {
        (!self.no_cache).then(Cache::of_user).flatten()
    }
}

/// How a file becomes kernels.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reading")]
pub struct FrontendArguments {
    /// Only the kernel of this name, or all instances of a template; of overloaded ones `'k(int *)'`; may be given several times
    #[arg(long = "kernel", value_name = "NAME")]
    pub kernels: Vec<String>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// Look for included files in this folder too
    #[arg(short = 'I', value_name = "DIR")]
    pub includes: Vec<PathBuf>,
    /// Pass this argument to Clang; may be given several times
    #[arg(long = "clang-arg", value_name = "ARG", allow_hyphen_values = true)]
    pub clang_arguments: Vec<String>,
    /// The Clang to run
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,
    /// The language version: CL1.2, CL2.0, CL3.0
    #[arg(long, value_name = "VERSION")]
    pub cl_std: Option<String>,
    /// The language of source files: cl, cuda, hip; by their ending if left out
    #[arg(short = 'x', long, value_name = "LANGUAGE", value_parser = language)]
    pub language: Option<Language>,
    /// A CUDA toolkit whose headers are used in place of Lockstep's own; $CUDA_PATH if left out
    #[arg(long, value_name = "DIR")]
    pub cuda_path: Option<PathBuf>,
    /// Let sources and compilation databases name files below this folder, too; may be given several times. By default they may name
    /// those of their own repository or folder, of the folders given with -I, and of the system
    #[arg(long, value_name = "DIR")]
    pub allow_read: Vec<PathBuf>,
    /// Trust what compilation databases, recordings and the first lines of a suite's files say: files anywhere, any option
    #[arg(long)]
    pub trust_headers: bool,
    /// Run Clang, and the processes that judge kernels, without their sandbox
    #[arg(long)]
    pub no_sandbox: bool,
    /// The width of pointers and size_t: 32 or 64
    #[arg(long, value_name = "BITS", default_value_t = 64, value_parser = pointer_bits)]
    pub pointer_bits: u32,
}

/// The sizes of a launch.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Launch (a size is 64, 16x16, 16,16 or [16,16]; '*' leaves a dimension open)")]
pub struct LaunchArguments {
    /// Threads per group
    #[arg(long, visible_alias = "block-dim", aliases = ["local_size", "blockDim"], value_name = "SIZE")]
    #[arg(value_parser = parse_size)]
    pub local_size: Option<Size>,
    /// Groups
    #[arg(long, visible_alias = "grid-dim", aliases = ["num_groups", "gridDim"], value_name = "SIZE")]
    #[arg(value_parser = parse_size)]
    pub num_groups: Option<Size>,
    /// Threads in the launch: group size times groups
    #[arg(long, alias = "global_size", value_name = "SIZE", value_parser = parse_size)]
    pub global_size: Option<Size>,
    /// Leave the sizes open that the source's own launches (`<<<...>>>`) would give
    #[arg(long)]
    pub open_sizes: bool,
    /// The first global id
    #[arg(long, alias = "global_offset", value_name = "OFFSET", value_parser = parse_offset)]
    pub global_offset: Option<Offset>,
    /// The most threads a group of open size can have
    #[arg(long, value_name = "THREADS", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_group_size: u32,
    /// A launch of open size has fewer threads than this
    #[arg(long, value_name = "THREADS", default_value_t = 1 << 31, value_parser = clap::value_parser!(u64).range(2..=1 << 31))]
    pub max_launch_threads: u64,
    /// Fix the arguments of a kernel that are passed by value (floats and structs by their bits); `*` leaves one open; may be
    /// given once per kernel
    #[arg(long = "kernel-args", value_name = "KERNEL,VALUE...", value_parser = parse_kernel_values)]
    pub kernel_arguments: Vec<KernelValues>,
    /// Fix the sizes in bytes of the arrays that a kernel is given; `*` leaves one open; may be given once per kernel
    #[arg(long, value_name = "KERNEL,SIZE...", value_parser = parse_kernel_arrays)]
    pub kernel_arrays: Vec<KernelArrays>,
}

/// What is checked, and how hard it is tried.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Checking")]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct CheckArguments {
    /// Only look for defects, with 2 iterations of loops of which it is not known how often they run: nothing is ever verified
    #[arg(long)]
    pub findbugs: bool,
    /// The same with so many iterations
    #[arg(long, value_name = "ITERATIONS", value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub loop_unwind: Option<u32>,
    /// Check barriers and assertions, no races
    #[arg(long)]
    pub only_divergence: bool,
    /// Check no races, but what the source states about accesses
    #[arg(long)]
    pub only_log: bool,
    /// Check races on these arrays only: names of the source, separated by commas
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub check_arrays: Vec<String>,
    /// Show assertions of one thread, and assume nothing of the other
    #[arg(long)]
    pub asymmetric_asserts: bool,
    /// Findings that no run has confirmed are defects, not warnings of kernels that are unknown
    #[arg(long)]
    pub strict: bool,
    /// Counterexamples are not run: each finding is a possible one, and the verdict unknown unless --strict is given
    #[arg(long)]
    pub no_replay: bool,
    /// What barrier invariants read is not checked for races
    #[arg(long)]
    pub no_barrier_access_checks: bool,
    /// Check this, too: all but overflow are checked by default; several are separated by commas
    #[arg(long, value_name = "CHECK", value_enum, value_delimiter = ',')]
    pub check: Vec<Check>,
    /// Do not check this; what the proof needs of it is assumed instead, and listed
    #[arg(long, value_name = "CHECK", value_enum, value_delimiter = ',')]
    pub no_check: Vec<Check>,
    /// Check no races between threads of different groups
    #[arg(long)]
    pub only_intra_group: bool,
    /// Writes of the same value to one place are races too
    #[arg(long)]
    pub no_benign_tolerance: bool,
    /// A load from memory that is written returns anything
    #[arg(long, conflicts_with = "equality_abstraction")]
    pub adversarial_abstraction: bool,
    /// GPUVerify's choice of an abstraction; here each array's is chosen as needed
    #[arg(long, hide = true)]
    pub equality_abstraction: bool,
    /// Whether threads that have returned are missing at a barrier
    #[arg(long, value_enum, default_value = "missing")]
    pub exited_threads: ExitedThreads,
    /// How many threads a warp has: a power of two. 32 by default, 64 for HIP
    #[arg(long, value_name = "THREADS", value_parser = warp_size)]
    pub warp_size: Option<u32>,
    /// Take it that warps of so many threads execute each instruction together, as on hardware before 2017
    #[arg(long, value_name = "THREADS", value_parser = warp_size)]
    pub warp_sync: Option<u32>,
    /// Take this for granted of every launch: a C expression over the parameters of a kernel and the sizes of the launch, such
    /// as 'n >= get_global_size(0)'; may be given several times
    #[arg(long, value_name = "CONDITION", value_parser = Assumption::parse, allow_hyphen_values = true)]
    pub assume: Vec<Assumption>,
    /// Take the axioms of this Boogie file for granted, about functions that the kernels declare with DECLARE_UF_UNARY and
    /// DECLARE_UF_BINARY; may be given several times
    #[arg(long = "boogie-file", value_name = "FILE.bpl")]
    pub boogie_files: Vec<PathBuf>,
    /// No candidate invariants
    #[arg(long)]
    pub no_infer: bool,
    /// Leave out a family of candidate invariants; may be given several times
    #[arg(long, value_name = "FAMILY", value_parser = candidate_families())]
    pub omit_infer: Vec<String>,
    /// How numbers are reasoned about
    #[arg(long, value_enum, default_value = "auto")]
    pub math: Math,
    /// Do without a part of the proof, to see what it is worth: nothing is assumed instead; may be given several times
    #[arg(long, value_name = "TECHNIQUE", value_enum, help_heading = "Experiments")]
    pub without: Vec<Technique>,
    /// Ignore the annotations of the source
    #[arg(long)]
    pub no_annotations: bool,
    /// Ignore the annotations of the source except for the preconditions of kernels
    #[arg(long)]
    pub only_requires: bool,
    /// The loop invariants of the source are guesses that need not hold
    #[arg(long)]
    pub invariants_as_candidates: bool,
}

/// How many iterations of loops are executed where only defects are looked for and nothing else is said.
const DEFAULT_DEPTH: u32 = 2;

/// How numbers are reasoned about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Math {
    /// As bits or as integers, whichever decides a question.
    Auto,
    /// As bits, always: slower, and more is unknown.
    Bv,
}

impl CheckArguments {
    /// How many iterations of a loop are executed if only defects are looked for.
    pub fn only_defects(&self) -> Option<u32> {
        // GPUVerify takes a depth of 0 for none given.
        let depth = self.loop_unwind.filter(|&depth| depth > 0);
        depth.or((self.findbugs).then_some(DEFAULT_DEPTH))
    }

    /// What is checked besides races and divergence.
    pub fn checks(&self) -> Checks {
        Checks::chosen(&self.check, &self.no_check)
    }

    /// The techniques in use.
    pub fn techniques(&self) -> Techniques {
        let integers = (self.math == Math::Bv).then_some(Technique::Integers);
        let without: Vec<Technique> = self.without.iter().copied().chain(integers).collect();
        Techniques::without(&without)
    }
}

impl ValueEnum for Check {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.name()).help(self.summary()))
    }
}

impl ValueEnum for Technique {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.name()).help(self.summary()))
    }
}

/// The names of the families of candidate invariants.
fn candidate_families() -> clap::builder::PossibleValuesParser {
    let names = lockstep_invariants::families::FAMILIES.iter();
    names.map(|family| clap::builder::PossibleValue::new(family.name).help(family.summary)).collect::<Vec<_>>().into()
}

/// How verdicts are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// For people.
    Text,
    /// For programs: one document, `lockstep-report/1`.
    Json,
    /// For code scanning: SARIF 2.1.0.
    Sarif,
    /// For people, to keep or send: one page with pictures.
    Html,
}

/// How it is told what came of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// For people.
    Text,
    /// For programs: one document, `lockstep-run/1`.
    Json,
}

/// Something `inspect` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// The kernel IR: what one thread executes.
    Kernel,
    /// The sequential program before its loops have invariants.
    Predicated,
    /// The sequential program of two threads.
    Sequential,
    /// The sequential program as Boogie text.
    Boogie,
    /// The sequential program's preconditions as SMT-LIB 2.
    Smt2,
    /// The kernel's control-flow graph in the language of Graphviz's dot.
    Cfg,
}

/// Two threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PairName {
    /// Of one group.
    SameGroup,
    /// Of different groups.
    DifferentGroups,
    /// One thread that has its group to itself.
    Alone,
}

/// Threads that have returned, at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExitedThreads {
    /// They are missing: the portable reading.
    Missing,
    /// They count as having arrived: recent NVIDIA hardware.
    Arrive,
}

/// The first global id per dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset(pub [u32; 3]);

impl LaunchArguments {
    /// Whether any size is given.
    pub fn gives_sizes(&self) -> bool {
        self.local_size.is_some() || self.num_groups.is_some() || self.global_size.is_some()
    }

    /// The sizes as one request.
    pub fn request(&self) -> LaunchRequest {
        LaunchRequest {
            local_size: self.local_size.clone(),
            num_groups: self.num_groups.clone(),
            global_size: self.global_size.clone(),
            global_offset: self.global_offset.map_or([0; 3], |offset| offset.0),
            shared_bytes: None,
            arguments: Vec::new(),
            relations: Vec::new(),
            aliases: Vec::new(),
            max_group_size: self.max_group_size,
            max_launch_threads: self.max_launch_threads,
        }
    }
}

fn pointer_bits(text: &str) -> Result<u32, String> {
    match text {
        "32" => Ok(32),
        "64" => Ok(64),
        _ => Err("32 or 64".into()),
    }
}

fn warp_size(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(size) if size.is_power_of_two() && (2..=1024).contains(&size) => Ok(size),
        _ => Err("a power of two from 2 to 1024".into()),
    }
}

fn language(text: &str) -> Result<Language, String> {
    match text {
        "cl" | "opencl" => Ok(Language::OpenCl),
        "cuda" | "cu" => Ok(Language::Cuda),
        "hip" => Ok(Language::Hip),
        _ => Err("cl, cuda or hip".into()),
    }
}

/// The most workers: each has a large stack, and more than there are cores gain nothing.
const MOST_JOBS: usize = 256;

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("`{text}` is not a number of seconds"))?;
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`{text}` is not a number of seconds"))
}

fn parse_jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(jobs) if jobs <= MOST_JOBS => Ok(jobs),
        _ => Err(format!("write a number from 1 to {MOST_JOBS}, or 0 for as many as there are cores")),
    }
}

fn parse_offset(text: &str) -> Result<Offset, String> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    let numbers: Vec<u32> = inner
        .split([',', 'x'])
        .map(|part| part.trim().parse().map_err(|_| format!("`{text}` is not an offset: write 64 or 64,0,0")))
        .collect::<Result<_, _>>()?;
    // With a launch of at most 2^31 threads, global ids have 32 bits.
    if numbers.iter().any(|&number| number >= 1 << 31) {
        return Err(format!("`{text}` is no offset below 2^31"));
    }
    if numbers.len() > 3 {
        return Err(format!("`{text}` has more than three dimensions"));
    }
    Ok(Offset(std::array::from_fn(|dimension| numbers.get(dimension).copied().unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(words: &[&str]) -> LaunchRequest {
        let words = ["lockstep", "verify"].into_iter().chain(words.iter().copied()).chain(["a.cl"]);
        match Arguments::try_parse_from(words).expect("parses").command {
            Command::Verify(arguments) => arguments.kernel.launch.request(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_grammar_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn all_names_of_the_sizes() {
        let expected = launch(&["--local-size", "16x8", "--num-groups=4"]);
        assert_eq!(expected.local_size, Some(parse_size("16,8").unwrap()));
        for words in [
            ["--local_size=[16,8]", "--num_groups=[4]"],
            ["--block-dim=16,8", "--grid-dim=4"],
            ["--blockDim=16x8", "--gridDim=4"],
        ] {
            assert_eq!(launch(&words), expected, "{words:?}");
        }
        let global = launch(&["--local_size=16", "--global_size=256", "--global_offset=[1,2]"]);
        assert_eq!(global.global_size, Some(parse_size("256").unwrap()));
        assert_eq!(global.global_offset, [1, 2, 0]);
    }

    #[test]
    fn seconds_and_workers() {
        assert_eq!(parse_seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["-1", "NaN", "inf", "1e300", "soon", ""] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
        assert_eq!(parse_jobs("4"), Ok(4));
        for text in ["-1", "100000", "99999999999999999999", "many"] {
            assert!(parse_jobs(text).is_err(), "{text}");
        }
    }
}
