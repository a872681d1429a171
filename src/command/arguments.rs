//! Options of the command line, and their help.
//!
//! `-h` and `--help` print the options for daily use, `--help-all` prints all of them: an option
//! that is not for daily
//! use has `hide_short_help`. The first paragraph of a doc comment is the short help.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{ArgAction, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use lockstep_ir::kernel::Language;

use super::exit::ExitCodes;
use super::run::{Asked, Between, Saved, parse_between, parse_saved, parse_schedule};
use super::worker::Allowance;
use crate::cache::Cache;
use crate::checks::{Check, Checks};
use crate::frontend::assume::Assumption;
use crate::interpreter::arguments::{Given, parse_given};
use crate::launch::{LaunchRequest, Size, parse_size};
use crate::pipeline::NO_LIMIT;
use crate::pipeline::given::{KernelArrays, KernelValues, parse_kernel_arrays, parse_kernel_values};
use crate::report;
use crate::solver::SecondSolver;
use crate::techniques::{Technique, Techniques};
use crate::version;

static VERSION: LazyLock<String> = LazyLock::new(|| version::tool().summary());

/// Heading for how inputs become kernels.
const INPUT: &str = "Input";
/// Heading for the sizes and arguments of a launch.
const LAUNCH: &str = "Launch";
/// Heading for the properties that are checked.
const CHECKS: &str = "Checks";
/// Heading for facts that a proof may use without proving them.
const ASSUMPTIONS: &str = "Assumptions and annotations";
/// Heading for warps and barriers.
const HARDWARE: &str = "Warps and barriers";
/// Heading for the search for a proof.
const PROOF: &str = "Proof search";
/// Heading for sandboxes and trust.
const SECURITY: &str = "Security";
/// Heading for reports.
const OUTPUT: &str = "Output";
/// Heading for recorded launches.
const RECORDED: &str = "Recorded launches";

/// Exit statuses, shown below the help of the commands that reach verdicts.
const EXIT_STATUS: &str = "Exit status: 0 verified, 1 defect, 2 unknown, 3 bad input or command line, 4 internal fault";

/// Prove GPU kernels free of data races and barrier divergence, or show a run that has one
#[derive(Debug, Parser)]
#[command(name = "lockstep", version = VERSION.as_str(), propagate_version = true, arg_required_else_help = true)]
#[command(disable_help_flag = true, after_help = EXIT_STATUS)]
pub struct Arguments {
    /// Print the options for daily use
    #[arg(short, long, global = true, action = ArgAction::HelpShort, display_order = 1000)]
    pub help: Option<bool>,
    /// Print every option
    #[arg(long, global = true, action = ArgAction::HelpLong, display_order = 1001)]
    pub help_all: Option<bool>,
    /// Colours of the text report, the help and messages
    ///
    /// auto has them on a terminal, unless NO_COLOR is set, and elsewhere if CLICOLOR_FORCE is.
    #[arg(long, alias = "colour", global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    #[arg(help_heading = OUTPUT, hide_short_help = true)]
    pub color: Colours,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// When output has colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colours {
    /// On a terminal, or as the environment says.
    Auto,
    /// Also in pipes.
    Always,
    /// Never.
    Never,
}

impl Colours {
    /// Has all output follow this choice.
    pub fn choose(self) {
        report::choose_colours(match self {
            Self::Auto => None,
            Self::Always => Some(true),
            Self::Never => Some(false),
        });
    }
}

/// A command of the command line.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Prove or refute every kernel in the inputs
    #[command(after_help = EXIT_STATUS)]
    Verify(VerifyArguments),
    /// Print one stage of the pipeline for a kernel
    Inspect(InspectArguments),
    /// Run a kernel on all threads of a launch and detect its data races
    Run(RunArguments),
    /// Verify a folder of kernels whose first lines state the expected verdict
    Suite(SuiteArguments),
    /// Print the manual page of a finding code such as LS0101
    Explain {
        /// Code or kind of the finding: LS0101, race
        code: String,
    },
    /// Print the script with which a shell completes command lines
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the man page
    Man {
        /// The command that it is about: verify, run, ...
        command: Option<String>,
    },
}

/// `lockstep verify`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct VerifyArguments {
    /// Files (.cl, .cu, .hip, .ll, .bc, .ptx, .kernel), folders, or compile_commands.json
    ///
    /// Hosts (.c, .cpp) beside .cl files fix how their kernels are launched.
    ///
    /// `-` is the standard input, whose language -x gives. With --recorded-launches, files of
    /// recorded launches (.json).
    #[arg(required_unless_present = "explain", value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    /// Print the manual page of a finding code and exit
    #[arg(long, value_name = "CODE", conflicts_with = "inputs", hide_short_help = true)]
    pub explain: Option<String>,
    /// How kernels are read, launched and checked.
    #[command(flatten)]
    pub kernel: KernelArguments,
    /// Report format
    #[arg(long, value_enum, default_value = "text", help_heading = OUTPUT)]
    pub format: FormatName,
    /// Write the report to a file instead of stdout
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    /// Print one line per finding or unknown kernel, and nothing else
    ///
    /// Suppresses progress, notes and compiler warnings. Applies to the text format.
    #[arg(short, long, help_heading = OUTPUT)]
    pub quiet: bool,
    /// Ignore the findings in an earlier SARIF report
    ///
    /// They do not count for the exit status. A SARIF report keeps them, marked `unchanged`.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub baseline: Option<PathBuf>,
    /// Write a folder that reproduces each confirmed finding
    ///
    /// Each folder holds the source, a script that reruns it and, for OpenCL C, a host program in
    /// C.
    #[arg(long, value_name = "DIR", conflicts_with = "no_replay", help_heading = OUTPUT)]
    pub witness: Option<PathBuf>,
    /// Write each suggested fix to this folder, as a patch
    ///
    /// Each patch changes the file of one kernel. The changed source was compiled and verified.
    #[arg(long, value_name = "DIR", help_heading = OUTPUT, hide_short_help = true)]
    pub fix_suggestions: Option<PathBuf>,
    /// Print nothing if every kernel is verified
    ///
    /// Findings in the baseline count as nothing to report.
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub silent: bool,
    /// Verify again whenever an input, an included header or lockstep.toml changes
    #[arg(long, conflicts_with = "json", help_heading = OUTPUT, hide_short_help = true)]
    pub watch: bool,
    /// Convention for exit statuses
    #[arg(long, value_enum, value_name = "WHOSE", default_value = "lockstep", help_heading = OUTPUT)]
    #[arg(hide_short_help = true)]
    pub exit_codes: ExitCodes,
    /// Exit with 0 if kernels are verified under a precondition that was found
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub accept_requires: bool,
    /// Add the preconditions that were found to this lockstep.toml
    ///
    /// The file is made if there is none. Each kernel gets a table `[[override]]` of its own.
    #[arg(long, value_name = "FILE", conflicts_with = "json", help_heading = OUTPUT, hide_short_help = true)]
    pub write_requires: Option<PathBuf>,
    /// Recorded launches.
    #[command(flatten)]
    pub recorded: RecordedArguments,
    /// The proof cache.
    #[command(flatten)]
    pub cache: CacheArguments,
    /// A second solver that checks proofs.
    #[command(flatten)]
    pub recheck: RecheckArguments,
}

/// Second solver that checks proofs.
#[derive(Clone, Debug, Args)]
pub struct RecheckArguments {
    /// Check every proof with a second solver
    ///
    /// CMD is given a file of SMT-LIB 2 (in place of `{}`, or last) and answers sat, unsat or
    /// unknown. The proof cache
    /// is not used.
    #[arg(long, value_name = "CMD", help_heading = PROOF, hide_short_help = true)]
    pub recheck: Option<String>,
    /// Time limit of the second solver for each question
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds, allow_negative_numbers = true)]
    #[arg(help_heading = PROOF, hide_short_help = true)]
    pub recheck_timeout: Duration,
}

impl RecheckArguments {
    /// The solver of `--recheck`.
    pub fn solver(&self) -> anyhow::Result<Option<SecondSolver>> {
        let limit = if self.recheck_timeout.is_zero() { NO_LIMIT } else { self.recheck_timeout.min(NO_LIMIT) };
        let solver = self.recheck.as_ref().map(|command| SecondSolver::new(command, limit));
        solver.transpose().map_err(|cause| anyhow::anyhow!("--recheck: {cause}"))
    }
}

/// Recorded launches.
#[derive(Clone, Debug, Args)]
pub struct RecordedArguments {
    /// Read the inputs as recorded launches and verify each with its own sizes and arguments
    ///
    /// `--json` is GPUVerify's name for this option.
    #[arg(long = "recorded-launches", visible_alias = "json", help_heading = RECORDED, hide_short_help = true)]
    #[arg(conflicts_with_all = ["local_size", "num_groups", "global_size", "global_offset", "open_sizes", "language",
        "kernel_arguments", "kernel_arrays"])]
    pub json: bool,
    /// Print the recorded launches and exit
    #[arg(long, conflicts_with_all = ["verify_intercepted", "verify_all_intercepted"])]
    #[arg(help_heading = RECORDED, hide_short_help = true)]
    pub list_intercepted: bool,
    /// Verify only the recorded launch of this number, counted from 0
    #[arg(long, value_name = "NUMBER", conflicts_with = "verify_all_intercepted")]
    #[arg(help_heading = RECORDED, hide_short_help = true)]
    pub verify_intercepted: Option<usize>,
    /// Verify all recorded launches, which is the default
    #[arg(long, help_heading = RECORDED, hide_short_help = true)]
    pub verify_all_intercepted: bool,
}

/// `lockstep inspect`.
#[derive(Debug, Args)]
pub struct InspectArguments {
    /// File: .cl, .cu, .hip, .ll, .bc, .ptx, .kernel
    #[arg(value_name = "INPUT")]
    pub input: PathBuf,
    /// Stage to print
    #[arg(long, value_enum, default_value = "sequential")]
    pub stage: Stage,
    /// Pair of threads that the program is about
    #[arg(long, value_enum, default_value = "same-group")]
    pub pair: PairName,
    /// Show the proved loop invariants in the Boogie program too
    ///
    /// The stage `sequential` has them unless --no-infer is given.
    #[arg(long)]
    pub invariants: bool,
    /// How kernels are read, launched and checked.
    #[command(flatten)]
    pub kernel: KernelArguments,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
}

/// `lockstep run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// File: .cl, .cu, .hip, .ll, .bc, .ptx, .kernel
    #[arg(value_name = "INPUT")]
    pub input: PathBuf,
    /// Value of a parameter, such as 3, iota:int*8 or zeros:float*1024
    ///
    /// An integer that is left out is the number of threads; an array that is left out holds zeros.
    /// docs/running.md
    /// lists every form.
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = parse_given)]
    pub arguments: Vec<Given>,
    /// Run the file's `main`, and the kernels that it launches
    ///
    /// With --host, other files are part of the program. The program gets no input but
    /// --program-arg. The launches of all kernels, or of those with --kernel, are searched for data
    /// races and for accesses outside of what the host allocates.
    #[arg(long, conflicts_with_all = ["arguments", "save", "save_schedule", "between", "only_groups", "lanes_apart"])]
    pub program: bool,
    /// Command-line argument of the program
    #[arg(
        long = "program-arg",
        value_name = "WORD",
        requires = "program",
        allow_hyphen_values = true,
        hide_short_help = true
    )]
    pub program_arguments: Vec<String>,
    /// Write an array to a file after the run, as .npy or raw bytes
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_saved)]
    pub save: Vec<Saved>,
    /// Order in which threads run
    ///
    /// One of in-order, round-robin[=STEPS], random[=SEED], stale[=SEED] and file:PATH. round-robin
    /// gives every thread STEPS steps (1 by default) in turn. stale is random, and atomic reads may
    /// see older values. file:PATH reads what --save-schedule wrote.
    #[arg(long, value_name = "SCHEDULE", default_value = "in-order", value_parser = parse_schedule)]
    pub schedule: Asked,
    /// Let a lane that queries the active lanes of its warp find itself alone
    ///
    /// Applies to `__activemask` and `coalesced_threads`. By default all lanes that arrive there
    /// are active.
    #[arg(long, conflicts_with = "warp_sync", hide_short_help = true)]
    pub lanes_apart: bool,
    /// Write the schedule of the run to a file
    ///
    /// Each line is one turn, `GROUP:THREAD STEPS`.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub save_schedule: Option<PathBuf>,
    /// Look for data races between two threads only, and report every pair of places
    ///
    /// A thread is the number of its group and its number in the group. Both count through the
    /// dimensions, the first
    /// one fastest.
    #[arg(long, value_name = "GROUP:THREAD,GROUP:THREAD", value_parser = parse_between, hide_short_help = true)]
    pub between: Option<Between>,
    /// Run only these groups of the launch, by their numbers
    ///
    /// Others may run later, unless threads of several groups wait for each other.
    #[arg(long, value_name = "GROUP,...", value_delimiter = ',', hide_short_help = true)]
    pub only_groups: Vec<u64>,
    /// Output format
    #[arg(long, value_enum, default_value = "text", help_heading = OUTPUT)]
    pub format: RunFormat,
    /// Write the output to a file instead of stdout
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    /// How kernels are read, launched and checked.
    #[command(flatten)]
    pub kernel: KernelArguments,
}

/// `lockstep suite`.
#[derive(Debug, Args)]
pub struct SuiteArguments {
    /// Folder whose .cl, .cu and .hip files are verified
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Write the table as JSON to a file
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Verify only files whose path below DIR matches a regular expression
    #[arg(long, value_name = "REGEX")]
    pub filter: Option<String>,
    /// File of accepted deviations, one `path verdict reason` a line
    #[arg(long, value_name = "FILE")]
    pub explanations: Option<PathBuf>,
    /// Time limit for each kernel
    ///
    /// The flags of a file may lower it, and with --trust-headers raise it.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub timeout: Duration,
    /// Theory for integer arithmetic
    #[arg(long, value_enum, default_value = "auto")]
    pub math: Math,
    /// Accept any option in a file's flags
    ///
    /// Such options may name a compiler, its options, files elsewhere or more time.
    #[arg(long)]
    pub trust_headers: bool,
    /// Count possible findings as defects
    #[arg(long)]
    pub strict: bool,
    /// Number of parallel workers; 0 for one per core [default: 0]
    #[arg(short, long, value_name = "N", value_parser = parse_jobs, allow_negative_numbers = true)]
    pub jobs: Option<usize>,
    /// The proof cache.
    #[command(flatten)]
    pub cache: CacheArguments,
}

/// The configuration, `lockstep.toml`.
#[derive(Clone, Debug, Args)]
pub struct ConfigArguments {
    /// Read the settings of this file instead of the lockstep.toml above each input
    ///
    /// Options of the command line win over it. docs/configuration.md lists its keys.
    #[arg(long, value_name = "FILE", help_heading = INPUT, hide_short_help = true)]
    pub config: Option<PathBuf>,
    /// Read no lockstep.toml
    #[arg(long, conflicts_with = "config", help_heading = INPUT, hide_short_help = true)]
    pub no_config: bool,
    /// The command line itself.
    #[arg(skip)]
    pub line: Arc<CommandLine>,
    /// The file that holds the standard input, if it is an input.
    #[arg(skip)]
    pub piped: Option<PathBuf>,
}

/// A command line, and which options it gives.
#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    /// Its words.
    pub words: Vec<OsString>,
    /// The options, by their names in these types.
    pub given: BTreeSet<String>,
}

impl Arguments {
    /// Reads a command line, which is kept beside the options.
    pub fn read(words: Vec<OsString>) -> Result<Self, clap::Error> {
        let mut command = Self::command();
        let matches = command.try_get_matches_from_mut(&words)?;
        let mut arguments = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        let of_command = matches.subcommand().map(|(_, matches)| matches);
        let ids = of_command.iter().flat_map(|matches| {
            let is_given = |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
            matches.ids().filter(is_given).map(|id| id.as_str().to_owned())
        });
        let line = Arc::new(CommandLine { given: ids.collect(), words });
        if let Some(kernel) = arguments.command.kernel_arguments_mut() {
            kernel.config.line = line;
        }
        Ok(arguments)
    }
}

impl Command {
    /// How kernels are read, launched and checked, for the commands that say so.
    pub fn kernel_arguments_mut(&mut self) -> Option<&mut KernelArguments> {
        match self {
            Self::Verify(arguments) => Some(&mut arguments.kernel),
            Self::Inspect(arguments) => Some(&mut arguments.kernel),
            Self::Run(arguments) => Some(&mut arguments.kernel),
            Self::Suite(_) | Self::Explain { .. } | Self::Completions { .. } | Self::Man { .. } => None,
        }
    }

    /// How kernels are read, launched and checked, for the commands that say so.
    pub fn into_kernel_arguments(mut self) -> Option<KernelArguments> {
        self.kernel_arguments_mut().map(|arguments| arguments.clone())
    }
}

/// How kernels are read, launched and checked.
#[derive(Clone, Debug, Args)]
pub struct KernelArguments {
    /// The configuration.
    #[command(flatten)]
    pub config: ConfigArguments,
    /// From a file to kernels.
    #[command(flatten)]
    pub frontend: FrontendArguments,
    /// The sizes.
    #[command(flatten)]
    pub launch: LaunchArguments,
    /// The properties that are checked.
    #[command(flatten)]
    pub checks: CheckArguments,
    /// Time limit for each kernel; 0 for none
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub timeout: Duration,
    /// Memory limit for each kernel in MiB; 0 for none
    #[arg(long, value_name = "MIB", default_value_t = 4096, hide_short_help = true)]
    pub memory: u64,
    /// Number of parallel workers; 0 for one per core [default: 0]
    ///
    /// A worker verifies one kernel at a time. With `run` it executes some groups of a kernel.
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

    /// Time and memory for a kernel.
    pub fn allowance(&self) -> Allowance {
        Allowance { timeout: self.time_limit(), memory_bytes: self.memory_bytes() }
    }
}

/// The proof cache.
#[derive(Clone, Copy, Debug, Args)]
pub struct CacheArguments {
    /// Neither reuse nor store proofs
    ///
    /// Proofs are otherwise stored in $LOCKSTEP_CACHE or `~/.cache/lockstep`, at most 256 MB of
    /// them.
    #[arg(long, help_heading = PROOF, hide_short_help = true)]
    pub no_cache: bool,
}

impl CacheArguments {
    /// The cache; `None` if it is switched off or has no place.
    pub fn cache(self) -> Option<Cache> {
        (!self.no_cache).then(|| Cache::of_user(&version::stamp())).flatten()
    }
}

/// From a file to kernels.
#[derive(Clone, Debug, Args)]
pub struct FrontendArguments {
    /// Select a kernel by name; may be repeated
    ///
    /// The name of a template selects all of its instances. Overloads are told apart by parameter
    /// types: 'k(int *)'.
    #[arg(long = "kernel", value_name = "NAME")]
    pub kernels: Vec<String>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// Search this folder for headers
    #[arg(short = 'I', value_name = "DIR")]
    pub includes: Vec<PathBuf>,
    /// Pass an argument to Clang; may be repeated
    #[arg(long = "clang-arg", value_name = "ARG", allow_hyphen_values = true, help_heading = INPUT, hide_short_help = true)]
    pub clang_arguments: Vec<String>,
    /// Path of the Clang to run
    #[arg(long, value_name = "PATH", help_heading = INPUT, hide_short_help = true)]
    pub clang: Option<PathBuf>,
    /// OpenCL C version: CL1.2, CL2.0, CL3.0
    #[arg(long, value_name = "VERSION", help_heading = INPUT, hide_short_help = true)]
    pub cl_std: Option<String>,
    /// Language of the sources: cl, cuda, hip
    ///
    /// The file extension decides if this is left out.
    #[arg(short = 'x', long, value_name = "LANGUAGE", value_parser = language, help_heading = INPUT, hide_short_help = true)]
    pub language: Option<Language>,
    /// CUDA toolkit whose headers replace Lockstep's own [default: $CUDA_PATH]
    #[arg(long, value_name = "DIR", help_heading = INPUT, hide_short_help = true)]
    pub cuda_path: Option<PathBuf>,
    /// Give CUDA's vectors arithmetic: float4 + float4, dot, length, …
    ///
    /// Functions that the source declares are preferred. HIP's vectors have arithmetic anyway.
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    pub vector_arithmetic: bool,
    /// Width of pointers and size_t: 32 or 64
    #[arg(long, value_name = "BITS", default_value_t = 64, value_parser = pointer_bits)]
    #[arg(help_heading = INPUT, hide_short_help = true)]
    pub pointer_bits: u32,
    /// Let inputs name files below this folder; may be repeated
    ///
    /// By default they may name files of their own repository or folder, of -I folders and of the
    /// system.
    #[arg(long, value_name = "DIR", help_heading = SECURITY, hide_short_help = true)]
    pub allow_read: Vec<PathBuf>,
    /// Let compilation databases and recorded launches name files anywhere
    ///
    /// Use it only for repositories that you trust.
    #[arg(long, help_heading = SECURITY, hide_short_help = true)]
    pub trust_headers: bool,
    /// Run Clang and the workers without the sandbox
    #[arg(long, help_heading = SECURITY, hide_short_help = true)]
    pub no_sandbox: bool,
}

/// The sizes of a launch.
#[derive(Clone, Debug, Args)]
pub struct LaunchArguments {
    /// Threads per group: 64, 16x16, or '*' for any
    ///
    /// Sizes are also written 16,16 or [16,16], and '*' leaves one dimension open.
    #[arg(long, visible_alias = "block-dim", aliases = ["local_size", "blockDim"], value_name = "SIZE")]
    #[arg(value_parser = parse_size, help_heading = LAUNCH)]
    pub local_size: Option<Size>,
    /// Groups in the launch
    #[arg(long, visible_alias = "grid-dim", aliases = ["num_groups", "gridDim"], value_name = "SIZE")]
    #[arg(value_parser = parse_size, help_heading = LAUNCH)]
    pub num_groups: Option<Size>,
    /// Threads in the launch: group size times number of groups
    #[arg(long, alias = "global_size", value_name = "SIZE", value_parser = parse_size)]
    #[arg(help_heading = LAUNCH, hide_short_help = true)]
    pub global_size: Option<Size>,
    /// First global id
    #[arg(long, alias = "global_offset", value_name = "OFFSET", value_parser = parse_offset)]
    #[arg(help_heading = LAUNCH, hide_short_help = true)]
    pub global_offset: Option<Offset>,
    /// Read the launches of this other file of the program; may be repeated
    ///
    /// For OpenCL it is the host in C or C++, for CUDA and HIP any file with host code. An INPUT
    /// that ends with .c, .cc, .cpp or .cxx is such a file, too.
    #[arg(long = "host", value_name = "FILE", help_heading = LAUNCH, conflicts_with = "open_sizes", hide_short_help = true)]
    pub hosts: Vec<PathBuf>,
    /// Ignore the sizes of the source's own launches (`<<<...>>>`)
    #[arg(long, help_heading = LAUNCH, hide_short_help = true)]
    pub open_sizes: bool,
    /// Maximum number of threads in a group of open size
    #[arg(long, value_name = "THREADS", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(help_heading = LAUNCH, hide_short_help = true)]
    pub max_group_size: u32,
    /// A launch of open size has fewer threads than this
    #[arg(long, value_name = "THREADS", default_value_t = 1 << 31, value_parser = clap::value_parser!(u64).range(2..=1 << 31))]
    #[arg(help_heading = LAUNCH, hide_short_help = true)]
    pub max_launch_threads: u64,
    /// Fix the by-value arguments of a kernel; `*` leaves one open
    ///
    /// Floats and structs are given by their bits. May be given once per kernel.
    #[arg(long = "kernel-args", value_name = "KERNEL,VALUE...", value_parser = parse_kernel_values)]
    #[arg(help_heading = LAUNCH, hide_short_help = true)]
    pub kernel_arguments: Vec<KernelValues>,
    /// Fix the sizes in bytes of a kernel's arrays; `*` leaves one open
    ///
    /// May be given once per kernel.
    #[arg(long, value_name = "KERNEL,SIZE...", value_parser = parse_kernel_arrays)]
    #[arg(help_heading = LAUNCH, hide_short_help = true)]
    pub kernel_arrays: Vec<KernelArrays>,
}

/// Properties that are checked, and the search for a proof.
#[derive(Clone, Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct CheckArguments {
    /// Only look for defects: nothing is ever verified
    ///
    /// A loop of unknown trip count is unrolled twice.
    #[arg(long, help_heading = PROOF, hide_short_help = true)]
    pub findbugs: bool,
    /// Only look for defects, with this many iterations of loops of unknown trip count
    #[arg(long, value_name = "ITERATIONS", value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    #[arg(help_heading = PROOF, hide_short_help = true)]
    pub loop_unwind: Option<u32>,
    /// Count possible findings as defects
    ///
    /// They are otherwise warnings, and the kernel is unknown.
    #[arg(long, help_heading = CHECKS, hide_short_help = true)]
    pub strict: bool,
    /// Also check this property; only `overflow` is off by default
    #[arg(long, value_name = "CHECK", value_delimiter = ',', help_heading = CHECKS, hide_short_help = true, value_parser = checks())]
    pub check: Vec<Check>,
    /// Do not check this property
    ///
    /// The proof of the others assumes it, and the report lists that.
    #[arg(long, value_name = "CHECK", value_delimiter = ',', help_heading = CHECKS, hide_short_help = true, value_parser = checks())]
    pub no_check: Vec<Check>,
    /// Check data races on these arrays only
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = CHECKS, hide_short_help = true)]
    pub check_arrays: Vec<String>,
    /// Do not check data races between groups
    #[arg(long, help_heading = CHECKS, hide_short_help = true)]
    pub only_intra_group: bool,
    /// Do not check data races, only barriers and assertions
    #[arg(long, help_heading = CHECKS, hide_short_help = true)]
    pub only_divergence: bool,
    /// Do not check data races, only the source's claims about accesses
    #[arg(long, help_heading = CHECKS, hide_short_help = true)]
    pub only_log: bool,
    /// Report writes of equal values to one place as data races
    #[arg(long, help_heading = CHECKS, hide_short_help = true)]
    pub no_benign_tolerance: bool,
    /// Do not check the reads of barrier invariants for data races
    #[arg(long, help_heading = CHECKS, hide_short_help = true)]
    pub no_barrier_access_checks: bool,
    /// Prove assertions for one thread, without assuming them for the other
    #[arg(long, help_heading = CHECKS, hide_short_help = true)]
    pub asymmetric_asserts: bool,
    /// Do not run counterexamples
    ///
    /// Every finding is then `possible`, and its kernel unknown unless --strict is given.
    #[arg(long, help_heading = PROOF, hide_short_help = true)]
    pub no_replay: bool,
    /// Let a load from written memory return any value
    #[arg(long, conflicts_with = "equality_abstraction", help_heading = PROOF, hide_short_help = true)]
    pub adversarial_abstraction: bool,
    /// GPUVerify's choice of an abstraction; here each array's is chosen as needed
    #[arg(long, hide = true)]
    pub equality_abstraction: bool,
    /// Meaning of a barrier for threads that have returned
    #[arg(long, value_enum, default_value = "missing", help_heading = HARDWARE, hide_short_help = true)]
    pub exited_threads: ExitedThreads,
    /// Threads per warp, a power of two [default: 32; 64 for HIP]
    #[arg(long, value_name = "THREADS", value_parser = warp_size, help_heading = HARDWARE, hide_short_help = true)]
    pub warp_size: Option<u32>,
    /// Let groups of open size end with a part of a warp
    ///
    /// By default they consist of whole warps if operations of the kernel name all lanes.
    #[arg(long, help_heading = HARDWARE, hide_short_help = true)]
    pub partial_warps: bool,
    /// Let loop counters that advance by sizes of the launch wrap
    ///
    /// By default `i += gridDim.x * blockDim.x` is assumed to stay in the range of its type.
    #[arg(long, help_heading = HARDWARE, hide_short_help = true)]
    pub wrapping_strides: bool,
    /// Assume that the lanes of a warp of this size execute in lock-step
    ///
    /// Hardware since Volta (2017) does not.
    #[arg(long, value_name = "THREADS", value_parser = warp_size, help_heading = HARDWARE, hide_short_help = true)]
    pub warp_sync: Option<u32>,
    /// Assume a C condition on the launch, such as 'n >= 64'
    ///
    /// It may use the integer parameters of a kernel and the sizes of the launch: 'n >=
    /// get_global_size(0)'. May be
    /// repeated.
    #[arg(long, value_name = "CONDITION", value_parser = Assumption::parse, allow_hyphen_values = true)]
    #[arg(help_heading = LAUNCH)]
    pub assume: Vec<Assumption>,
    /// Assume the axioms of a Boogie file; may be repeated
    ///
    /// They are about functions that kernels declare with DECLARE_UF_UNARY and DECLARE_UF_BINARY.
    #[arg(long = "boogie-file", value_name = "FILE.bpl", help_heading = ASSUMPTIONS, hide_short_help = true)]
    pub boogie_files: Vec<PathBuf>,
    /// Ignore the annotations of the source
    #[arg(long, help_heading = ASSUMPTIONS, hide_short_help = true)]
    pub no_annotations: bool,
    /// Ignore the annotations of the source except the preconditions of kernels
    #[arg(long, help_heading = ASSUMPTIONS, hide_short_help = true)]
    pub only_requires: bool,
    /// Treat the loop invariants of the source as guesses that may be false
    #[arg(long, help_heading = ASSUMPTIONS, hide_short_help = true)]
    pub invariants_as_candidates: bool,
    /// Do not infer loop invariants
    #[arg(long, help_heading = PROOF, hide_short_help = true)]
    pub no_infer: bool,
    /// Leave out a family of candidate invariants; may be repeated
    #[arg(long, value_name = "FAMILY", value_parser = candidate_families(), help_heading = PROOF, hide_short_help = true)]
    pub omit_infer: Vec<String>,
    /// Theory for integer arithmetic
    #[arg(long, value_enum, default_value = "auto", help_heading = PROOF, hide_short_help = true)]
    pub math: Math,
    /// Switch off one technique of the proof search; may be repeated
    ///
    /// Nothing is assumed in its place.
    #[arg(long, value_name = "TECHNIQUE", help_heading = PROOF, hide_short_help = true, value_parser = techniques())]
    pub without: Vec<Technique>,
}

/// Iterations of loops of unknown trip count with `--findbugs` alone.
const DEFAULT_DEPTH: u32 = 2;

/// Theory for integer arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Math {
    /// Bit-vectors or integers, whichever decides a question.
    Auto,
    /// Bit-vectors only: slower, and more kernels are unknown.
    Bv,
}

impl CheckArguments {
    /// Iterations of each loop if only defects are looked for.
    pub fn only_defects(&self) -> Option<u32> {
        // GPUVerify takes a depth of 0 for none given.
        let depth = self.loop_unwind.filter(|&depth| depth > 0);
        depth.or((self.findbugs).then_some(DEFAULT_DEPTH))
    }

    /// Properties checked besides data races and divergence.
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

/// Reads the name of one of these, which `--help-all` lists with their summaries.
fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
    summary: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values = all.iter().map(move |&one| PossibleValue::new(name(one)).help(summary(one)));
    PossibleValuesParser::new(values)
        .map(move |given| *all.iter().find(|&&one| name(one) == given).expect("one of the possible values"))
}

fn checks() -> impl TypedValueParser<Value = Check> {
    one_of(Check::ALL, Check::name, Check::summary)
}

fn techniques() -> impl TypedValueParser<Value = Technique> {
    one_of(Technique::ALL, Technique::name, Technique::summary)
}

/// The names of the families of candidate invariants.
fn candidate_families() -> PossibleValuesParser {
    let names = lockstep_invariants::families::FAMILIES.iter();
    names.map(|family| PossibleValue::new(family.name).help(family.summary)).collect::<Vec<_>>().into()
}

/// Format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// Plain text for a terminal.
    Text,
    /// One JSON document, schema `lockstep-report/1`.
    Json,
    /// SARIF 2.1.0 for code scanning.
    Sarif,
    /// One self-contained page with pictures.
    Html,
}

/// Output format of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// Plain text for a terminal.
    Text,
    /// One JSON document, schema `lockstep-run/1`.
    Json,
}

/// Stage that `inspect` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// Kernel IR, as imported: the program of one thread.
    Kernel,
    /// Program of one thread, with predicates in place of branches.
    Predicated,
    /// Sequential program of two threads, with the proved loop invariants.
    Sequential,
    /// Sequential program as Boogie text.
    Boogie,
    /// Questions of the proof as SMT-LIB 2.
    Smt2,
    /// Control-flow graph in Graphviz's dot language.
    Cfg,
    /// Roles of a group's warps, and what is proved of the named barriers where they meet.
    Roles,
}

/// Pair of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PairName {
    /// Two threads of one group.
    SameGroup,
    /// Two threads of different groups.
    DifferentGroups,
    /// A thread that is alone in its group.
    Alone,
    /// A thread and the asynchronous copies that it starts.
    SameThread,
}

/// Threads that have returned, at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExitedThreads {
    /// They are missing, which is divergence: the portable reading.
    Missing,
    /// They count as arrived, as on recent NVIDIA hardware.
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
            ranges: Vec::new(),
            host: Vec::new(),
            by_default: None,
            array_bytes: Vec::new(),
            allocated: None,
            allocations: Vec::new(),
            computed_elsewhere: BTreeSet::new(),
            groups_elsewhere: false,
            aliases: Vec::new(),
            apart: Vec::new(),
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
