//! The headers of a real CUDA toolkit in place of Lockstep's own.
//!
//! Whole programs, and kernels whose language features the headers implement, get the same verdicts
//! as without. `LOCKSTEP_TEST_CUDA_PATH` names the toolkit's folder; without it nothing is tried,
//! and a message says so. `docs/compatibility.md` says how such a folder is put together.

use std::path::Path;

use crate::Group;
use crate::harness::{Case, Failure, ensure};
use crate::listed::{check_kernel, check_program};

/// The variable that names the toolkit.
const TOOLKIT: &str = "LOCKSTEP_TEST_CUDA_PATH";

#[expect(clippy::print_stderr, reason = "who runs the tests is told that these are skipped")]
fn say_skipped() {
    eprintln!("skipped: {TOOLKIT} names no CUDA toolkit");
}

/// A case whose flags name the toolkit; `None` and a message if there is none.
fn case(source: &str) -> Result<Option<Case>, Failure> {
    let mut case = Case::read(source)?;
    let Some(folder) = std::env::var_os(TOOLKIT) else {
        say_skipped();
        return Ok(None);
    };
    let folder = folder.into_string().map_err(|_| format!("{TOOLKIT} is not UTF-8"))?;
    ensure(Path::new(&folder).join("include/cuda_runtime.h").is_file(), || format!("{folder} is no CUDA toolkit"))?;
    case.flags.extend(["--cuda-path".to_owned(), folder]);
    Ok(Some(case))
}

/// Kernels with a defective twin: synchronisation, and other features that a toolkit's headers
/// implement.
fn kernel_has_its_verdict(path: &Path, source: &str) -> Result<(), Failure> {
    let Some(case) = case(source)? else { return Ok(()) };
    check_kernel(&case, path)
}

/// All kernels of a program with host code are verified, including those in the headers.
fn program_has_its_verdicts(path: &Path, source: &str) -> Result<(), Failure> {
    let Some(case) = case(source)? else { return Ok(()) };
    check_program(&case, path)
}

/// The tests, and the files of each.
pub fn groups() -> Vec<Group> {
    vec![
        Group::new(program_has_its_verdicts, "examples/programs", r"\.cu$"),
        Group::new(kernel_has_its_verdict, "examples", r"^[^/]*\.cu$"),
        Group::new(kernel_has_its_verdict, "tests/toolkit", r"\.cu$"),
    ]
}
