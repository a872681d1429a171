//! The headers of a real CUDA toolkit in place of ours: whole programs, and kernels whose language they make, get the
//! verdicts that they get without.
//!
//! The toolkit is the folder that `LOCKSTEP_TEST_CUDA_PATH` names; without it nothing is tried, and a message says so.
//! `docs/compatibility.md` says how such a folder is put together.

mod harness;

use std::path::Path;

use harness::{Case, Failure, check_case, check_gap, ensure, expect_verdict, kernels, listed_gap, run};

/// The kernels whose verdict is not yet the one that they ask for, with a toolkit or without.
const KNOWN_GAPS: &str = include_str!("known_gaps.txt");

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
    match listed_gap(KNOWN_GAPS, |name| path.ends_with(name)) {
        Some(verdict) => check_gap(&case, verdict, path),
        None => check_case(&case, path),
    }
}

/// All kernels of a program with host code are verified, those that the headers themselves have included.
#[expect(clippy::needless_pass_by_value, reason = "datatest-stable hands the contents over by value")]
fn program_has_its_verdicts(path: &Path, source: String) -> Result<(), Failure> {
    let Some(case) = case(&source)? else { return Ok(()) };
    let kernels = kernels(&run(&case.flags, path)?)?;
    ensure(kernels.len() > 1, || format!("{} kernels are too few for a program", kernels.len()))?;
    for kernel in kernels {
        let name = kernel["name"].as_str().unwrap_or_default().to_owned();
        let listed = listed_gap(KNOWN_GAPS, |gap| {
            gap.split_once(':').is_some_and(|(file, of)| path.ends_with(file) && name == of)
        });
        expect_verdict(&kernel, listed.unwrap_or("verified")).map_err(|failure| format!("{name}: {failure}"))?;
    }
    Ok(())
}

datatest_stable::harness! {
    { test = program_has_its_verdicts, root = "examples/programs", pattern = r"\.cu$" },
    { test = kernel_has_its_verdict, root = "examples", pattern = r"^[^/]*\.cu$" },
    { test = kernel_has_its_verdict, root = "tests/toolkit", pattern = r"\.cu$" },
}
