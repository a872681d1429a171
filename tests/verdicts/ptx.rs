//! Verdicts on PTX.
//!
//! The same kernel as source and as the PTX that Clang makes of it has the verdict that the source
//! states. `ptx_of_clang.txt` lists the differences: the name, the verdict on the PTX, and the
//! reason. Clang optimises (`-O1`), as a build does.
//!
//! The output of eight compilers ([`tests/ptx/`](../ptx/README.md), `examples/ptx/`) has the
//! verdict that its first line states, or is refused for an instruction that is not modelled.
//! `ptx_of_compilers.txt` lists the others. No kernel with a seeded defect is verified.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use lockstep::frontend::cuda::{HEADERS, PRELUDE};
use lockstep::suite::Expectation;
use tempfile::TempDir;

use crate::Group;
use crate::harness::{Case, Failure, check_gap, ensure, expect_verdict, listed_gap, run, sole_kernel};

/// The kernels with another verdict as PTX.
const DIFFERENCES: &str = include_str!("ptx_of_clang.txt");

/// The output of compilers with another verdict than its first line states.
const UNDECIDED: &str = include_str!("ptx_of_compilers.txt");

/// The time limit for such a kernel, which may use all of it.
const LIMIT: &str = "--timeout=10";

/// A folder with Lockstep's headers, which is left behind for the system to clean up.
fn headers() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in HEADERS {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is ours");
            std::fs::write(path, text).expect("the folder is ours");
        }
        folder
    });
    folder.path()
}

/// The PTX of a source, in this folder.
fn compiled(source: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    let ptx = folder.join("kernel.ptx");
    let mut command = Command::new("clang-19");
    command.args(["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib"]);
    command.args(["-Xclang", "-target-feature", "-Xclang", "+ptx83", "-include", PRELUDE, "-DLOCKSTEP", "-w"]);
    command.args(["-O1", "-g", "-S", "-I", "include", "-isystem"]).arg(headers());
    let output = command.arg("-o").arg(&ptx).arg(source).output()?;
    ensure(output.status.success(), || String::from_utf8_lossy(&output.stderr).into_owned())?;
    Ok(ptx)
}

/// The PTX has the verdict of the source, or the listed one.
fn ptx_has_the_verdict_of_its_source(path: &Path, source: &str) -> Result<(), Failure> {
    let mut case = Case::read(source)?;
    let folder = tempfile::tempdir()?;
    let ptx = compiled(path, folder.path())?;
    let name = path.file_stem().and_then(|name| name.to_str()).ok_or("a file name that is not UTF-8")?;
    if let Some(verdict) = listed_gap(DIFFERENCES, |listed| listed == name) {
        case.flags.push(LIMIT.to_owned());
        return check_gap(&case, verdict, &ptx);
    }
    let kernel = sole_kernel(&run(&case.flags, &ptx)?)?;
    expect_verdict(
        &kernel,
        match case.expected {
            Expectation::Pass => "verified",
            _ if case.marks.has_confirmed() => "defect",
            _ => "unknown",
        },
    )
}

/// The output of a compiler has the verdict that its first line states, is refused, or is listed.
/// Preconditions are not sought.
fn output_of_a_compiler_has_its_verdict(path: &Path, source: &str) -> Result<(), Failure> {
    let case = Case::read(source)?;
    let name = path.file_name().and_then(|name| name.to_str()).ok_or("a file name that is not UTF-8")?;
    let listed = listed_gap(UNDECIDED, |listed| listed == name);
    let mut flags = case.flags.clone();
    flags.extend(listed.map(|_| LIMIT.to_owned()));
    let kernel = sole_kernel(&run(&flags, path)?)?;
    let is_right = match case.expected {
        Expectation::Pass => true,
        Expectation::Fails | Expectation::Unknown => false,
        Expectation::Error(code) => return Err(format!("PTX for which {code} is expected").into()),
    };
    ensure(is_right || kernel["verdict"] != "verified", || "a defect is verified".to_owned())?;
    let is_refused = kernel["reason"].as_str().is_some_and(|reason| reason.starts_with("unsupported"));
    if is_refused && listed.is_none() {
        return expect_verdict(&kernel, "unknown");
    }
    let stated = match case.expected {
        Expectation::Pass => "verified",
        Expectation::Fails => "defect",
        Expectation::Unknown | Expectation::Error(_) => "unknown",
    };
    // Where the time decides, a listed file may have no answer, or the stated one.
    let may_be = [listed.unwrap_or(stated), stated, if listed.is_some() { "unknown" } else { stated }];
    let verdict = kernel["verdict"].as_str().unwrap_or_default();
    ensure(may_be.contains(&verdict), || format!("{verdict}, which is none of {may_be:?}"))
}

/// The tests, and the files of each.
pub fn groups() -> Vec<Group> {
    vec![
        Group::new(ptx_has_the_verdict_of_its_source, "examples", r"^[^/]*\.cu$").sampled(5),
        Group::new(output_of_a_compiler_has_its_verdict, "examples/ptx", r"\.ptx$").sampled(6),
        Group::new(output_of_a_compiler_has_its_verdict, "tests/ptx", r"\.ptx$").sampled(12),
    ]
}
