//! Feeds arbitrary input to Lockstep's readers.
//!
//! No input may cause a panic, and accepted input must mean what it says. Each function is a target
//! of a fuzzer (`targets/`, built with libFuzzer). The ordinary tests below try it on changed
//! seeds. [`seeds`] is the initial corpus of a fuzzer.

pub mod seeds;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use clap::Parser;
use lockstep::command::arguments::{Arguments, Command, RunArguments, SuiteArguments};
use lockstep::command::{compatibility, run};
use lockstep::deadline::Deadline;
use lockstep::frontend::llvm::trial;
use lockstep::frontend::{self, ImportedKernel};
use lockstep::interpreter::{self, Grid, How, Races, Schedule, Workers, arguments};
use lockstep::launch::LaunchRequest;
use lockstep::lockstep::lower_for_proof;
use lockstep::pipeline::Settings;
use lockstep::suite::{self, Header};
use lockstep_ir::kernel::{self, Kernel, VerifiedKernel};
use lockstep_ir::sequential::Pair;

/// The most steps of a run.
const FEW_STEPS: u64 = 20_000;

/// The most threads of a run, and the most bytes that they and its arrays take.
const FEW_THREADS: u64 = 1 << 10;
const FEW_BYTES: u64 = 64 << 20;

/// The longest text or code of a kernel: longer ones are slow and find nothing new.
const LONGEST: usize = 1 << 16;

/// The text of a kernel.
///
/// An accepted text is printed and must be read back as the same kernel. A kernel that obeys the
/// rules of the IR is run and lowered.
pub fn kernel_text(bytes: &[u8]) {
    let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= LONGEST) else { return };
    let Ok(read) = kernel::parse(text) else { return };
    let printed = kernel::print(&read);
    let again =
        kernel::parse(&printed).unwrap_or_else(|error| panic!("what is printed is not read: {error}\n{printed}"));
    assert_eq!(kernel::print(&again), printed, "what is printed is read as something else");
    let Ok(kernel) = kernel::verify(again) else { return };
    used(&kernel);
}

/// The first bytes of bitcode, alone or in a wrapper.
const BITCODE: [&[u8]; 2] = [b"BC\xC0\xDE", b"\xDE\xC0\x17\x0B"];

/// A module of LLVM IR, as text.
pub fn llvm_module(bytes: &[u8]) {
    if !BITCODE.iter().any(|magic| bytes.starts_with(magic)) {
        imported(bytes);
    }
}

/// A module of LLVM IR, as bitcode.
///
/// LLVM's reader ends the process for some broken modules. So the program `LOCKSTEP` names tries a
/// module first, as it does for a user's input; without it nothing is tried.
pub fn llvm_bitcode(bytes: &[u8]) {
    static HAS_PROGRAM: OnceLock<bool> = OnceLock::new();
    let has_program = *HAS_PROGRAM.get_or_init(|| {
        let program = std::env::var_os("LOCKSTEP");
        program.map(|program| trial::with(program.into())).is_some()
    });
    if has_program && BITCODE.iter().any(|magic| bytes.starts_with(magic)) {
        imported(bytes);
    }
}

fn imported(bytes: &[u8]) {
    if bytes.len() > LONGEST {
        return;
    }
    let path = scratch().join("module.ll");
    fs::write(&path, bytes).expect("the folder is ours");
    let Ok(settings) = settings_of(&["lockstep", "verify", &path.display().to_string()]) else { return };
    let Ok(module) = frontend::import(&path, &settings.frontend) else { return };
    for imported in &module.kernels {
        if let Ok(kernel) = &imported.kernel {
            used(kernel);
        }
    }
}

/// The words of `lockstep run`, for a kernel with parameters of all kinds: they are understood or
/// refused.
pub fn launch_arguments(bytes: &[u8]) {
    let Ok(line) = std::str::from_utf8(bytes) else { return };
    // Files may be anything, and some have no end.
    if ["file", "--json", "--axiom"].iter().any(|word| line.contains(word)) {
        return;
    }
    let Ok(words) = shell_words::split(line) else { return };
    let all = ["lockstep", "run", "launched.kernel"].map(str::to_owned).into_iter().chain(words);
    let Some(arguments) = run_arguments(all.collect()) else { return };
    let Ok(mut settings) = Settings::of(&arguments.kernel) else { return };
    settings.prove.timeout = Duration::from_secs(1);
    let imported = launched();
    let kernel = imported.kernel.as_ref().expect("it is verified");
    for asked in settings.launches(imported) {
        if is_small(&asked.request, kernel)
            && let Ok(executed) = run::execute(imported, kernel, &asked, &arguments, &settings)
        {
            executed.text(imported).expect("it can be told");
        }
    }
}

/// The first two lines of a file of a suite.
pub fn suite_header(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some(header) = Header::parse(&text) else { return };
    if text.contains("axiom") {
        return;
    }
    let Ok(settings) = suite::settings(Path::new("folder/kernel.cl"), &header, suite_arguments()) else { return };
    if let Ok(kernel) = &launched().kernel {
        for asked in settings.launches(launched()) {
            let _ = asked.request.resolve(kernel);
            let _ = settings.given(launched(), kernel, &asked.request);
        }
    }
}

// --- A kernel that was accepted ------------------------------------------------------------------

/// Applies all stages short of the proof to a verified kernel, in a launch of known sizes and in
/// any.
fn used(kernel: &VerifiedKernel) {
    static SETTINGS: OnceLock<[Settings; 2]> = OnceLock::new();
    let both = SETTINGS.get_or_init(|| {
        [["--local-size=2", "--num-groups=2"], ["--local-size=*", "--num-groups=*"]].map(|[size, groups]| {
            settings_of(&["lockstep", "verify", size, groups, "any.kernel"]).expect("these words are of `verify`")
        })
    });
    for settings in both {
        let Ok(resolved) = settings.launch.resolve(kernel) else { continue };
        for pair in [Pair::SameGroup, Pair::DifferentGroups, Pair::Alone] {
            // A refusal names the construct that is not modelled.
            let _ = lower_for_proof(kernel, &resolved.launch, pair, &settings.lockstep);
        }
    }
    executed(kernel);
}

fn executed(kernel: &VerifiedKernel) {
    let grid =
        Grid { local_size: [2, 1, 1], num_groups: [2, 1, 1], global_offset: [0; 3], dimensions: 1, warp_size: 32 };
    let Ok(prepared) = arguments::prepare(kernel, &grid, &[], &[]) else { return };
    let code = interpreter::compile(kernel);
    if interpreter::bytes_at_once(&code, &grid, &prepared.input) > FEW_BYTES {
        return;
    }
    let how = How {
        most_steps: FEW_STEPS,
        schedule: Schedule::InOrder,
        warps_in_lock_step: false,
        lanes_apart: false,
        returned_arrive: false,
        races: Some(Races { tolerant: true, within_groups: false, between: None }),
        groups: None,
        workers: Workers::ONE,
        deadline: Deadline::NEVER,
    };
    interpreter::run(&code, &grid, prepared.input, how);
}

fn is_small(request: &LaunchRequest, kernel: &Kernel) -> bool {
    let Ok(resolved) = request.resolve(kernel) else { return true };
    let extents = resolved.launch.local_size.iter().chain(&resolved.launch.num_groups);
    let threads = extents.filter_map(|extent| extent.known()).try_fold(1u64, |all, size| all.checked_mul(size.into()));
    threads.is_some_and(|threads| threads <= FEW_THREADS)
}

// --- Command lines -------------------------------------------------------------------------------

fn parsed(all: Vec<String>) -> Option<Command> {
    let translated = compatibility::translate(all.into_iter().map(OsString::from)).ok()?;
    Some(Arguments::try_parse_from(translated.words).ok()?.command)
}

fn run_arguments(all: Vec<String>) -> Option<RunArguments> {
    match parsed(all)? {
        Command::Run(arguments) => Some(arguments),
        _ => None,
    }
}

fn settings_of(all: &[&str]) -> Result<Settings, String> {
    match parsed(all.iter().map(|word| (*word).to_owned()).collect()) {
        Some(Command::Verify(arguments)) => Settings::of(&arguments.kernel).map_err(|error| error.to_string()),
        _ => Err("not a command line of verify".to_owned()),
    }
}

fn suite_arguments() -> &'static SuiteArguments {
    static ARGUMENTS: OnceLock<SuiteArguments> = OnceLock::new();
    ARGUMENTS.get_or_init(|| match parsed(["lockstep", "suite", "folder"].map(str::to_owned).to_vec()) {
        Some(Command::Suite(arguments)) => arguments,
        _ => unreachable!("these words are of `suite`"),
    })
}

/// A kernel with a parameter of every kind.
fn launched() -> &'static ImportedKernel {
    static KERNEL: OnceLock<ImportedKernel> = OnceLock::new();
    KERNEL.get_or_init(|| {
        let path = Path::new("launched.kernel");
        let settings = settings_of(&["lockstep", "verify", "launched.kernel"]).expect("these words are of `verify`");
        let module = frontend::text::import(path, include_bytes!("launched.kernel"), &settings.frontend);
        module.expect("it is kernel IR").kernels.into_iter().next().expect("it has a kernel")
    })
}

/// A folder of this process.
fn scratch() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| tempfile::tempdir().expect("a folder can be made")).path()
}
