//! The headers of a real CUDA toolkit in place of ours: whole programs, and kernels whose language they make, get the
//! verdicts that they get without.
//!
//! The toolkit is the folder that `LOCKSTEP_TEST_CUDA_PATH` names; without it nothing is tried, and a message says so.
//! `docs/compatibility.md` says how such a folder is put together.

mod harness;
#[path = "harness/listed.rs"]
mod listed;

use std::path::Path;

use harness::{Case, Failure, ensure};
use listed::{check_kernel, check_program};

/// Names the toolkit.
const TOOLKIT: &str = "LOCKSTEP_TEST_CUDA_PATH";

#[expect(clippy::print_stderr, reason = "who runs the tests is told that these are skipped")]
fn say_skipped() {
    eprintln!("skipped: {TOOLKIT} names no CUDA toolkit");
}

/// A case whose flags name the toolkit, or nothing and a message if there is none.
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

/// Kernels with a twin that has a defect: what synchronises, and what else a toolkit's headers make.
#[expect(clippy::needless_pass_by_value, reason = "datatest-stable hands the contents over by value")]
fn kernel_has_its_verdict(path: &Path, source: String) -> Result<(), Failure> {
    let Some(case) = case(&source)? else { return Ok(()) };
    check_kernel(&case, path)
}

/// All kernels of a program with host code are verified, those that the headers themselves have included.
#[expect(clippy::needless_pass_by_value, reason = "datatest-stable hands the contents over by value")]
fn program_has_its_verdicts(path: &Path, source: String) -> Result<(), Failure> {
    let Some(case) = case(&source)? else { return Ok(()) };
    check_program(&case, path)
}

datatest_stable::harness! {
    { test = program_has_its_verdicts, root = "examples/programs", pattern = r"\.cu$" },
    { test = kernel_has_its_verdict, root = "examples", pattern = r"^[^/]*\.cu$" },
    { test = kernel_has_its_verdict, root = "tests/toolkit", pattern = r"\.cu$" },
}
