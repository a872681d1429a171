//! Verdicts on whole kernels.
//!
//! Those of `examples/` are for people to learn from. Those of `tests/attacks/` try to slip past
//! the verifier. Each of those in `tests/kernels/` needs an exact model of one language feature.
//! Those of `tests/synchronisation/` synchronise through memory. Those of `tests/proofs/` are about
//! loop invariants. `tests/harness/` defines how a file states
//! its expectation; those of `tests/marks/` state it wrongly, which must be noticed.

use std::path::Path;

use crate::Group;
use crate::harness::{Case, Failure, check_case, ensure, run, sole_kernel};
use crate::listed::{check_kernel, check_program};
use lockstep::suite::Expectation;

fn kernel_has_its_verdict(path: &Path, source: &str) -> Result<(), Failure> {
    let case = Case::read(source)?;
    check_kernel(&case, path)
}

/// All kernels of a program with host code are verified, except the listed ones.
fn program_has_its_verdicts(path: &Path, source: &str) -> Result<(), Failure> {
    let case = Case::read(source)?;
    ensure(case.expected == Expectation::Pass, || "a program is one that is right".to_owned())?;
    check_program(&case, path)
}

/// The kernel needs the candidate families that it names.
fn proof_needs_its_families(path: &Path, source: &str) -> Result<(), Failure> {
    let case = Case::read(source)?;
    for family in source.lines().filter_map(|line| line.strip_prefix("// needs ")) {
        let mut flags = case.flags.clone();
        flags.extend(["--omit-infer".to_owned(), family.to_owned(), "--timeout=5".to_owned()]);
        let verdict = sole_kernel(&run(&flags, path)?)?["verdict"].clone();
        ensure(verdict != "verified" && verdict != "error", || format!("{verdict} without {family}"))?;
    }
    Ok(())
}

/// A proof verifies no defective kernel, even if no search looks for the defect.
///
/// A search that finds the defect hides a proof that would have missed it.
fn proof_alone_verifies_no_defect(path: &Path, source: &str) -> Result<(), Failure> {
    let case = Case::read(source)?;
    let mut flags = case.flags.clone();
    let searches = ["concrete-search", "unrolling"].into_iter().flat_map(|search| ["--without", search]);
    flags.extend(searches.map(str::to_owned).chain(["--timeout=5".to_owned()]));
    let verdict = sole_kernel(&run(&flags, path)?)?["verdict"].clone();
    ensure(verdict != "error" && (verdict == "verified") == (case.expected == Expectation::Pass), || {
        format!("{verdict} where no defects are looked for")
    })
}

/// A kernel with wrong marks does not have its verdict: its third line is part of the failure's
/// text.
fn wrong_marks_are_told(path: &Path, source: &str) -> Result<(), Failure> {
    let said = source.lines().nth(2).and_then(|line| line.strip_prefix("// fails: ")).ok_or("no failure in line 3")?;
    let Err(failure) = check_case(&Case::read(source)?, path) else {
        return Err("the marks are taken as right".into());
    };
    ensure(failure.to_string().contains(said), || format!("`{said}` is missing in: {failure}"))
}

/// An example without a defective twin could be verified by a verifier that says yes to everything.
fn example_has_its_twin(path: &Path, source: &str) -> Result<(), Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let name = path.file_stem().and_then(|name| name.to_str()).ok_or("a file name that is not UTF-8")?;
    let (twin, expected_here) = match name.strip_suffix("_defect") {
        Some(correct) => (correct.to_owned(), Expectation::Fails),
        None => (format!("{name}_defect"), Expectation::Pass),
    };
    ensure(path.with_file_name(format!("{twin}.{ending}")).is_file(), || format!("{twin}.{ending} is missing"))?;
    let case = Case::read(source)?;
    ensure(case.expected == expected_here, || format!("{name}.{ending} should expect {expected_here:?}"))?;
    ensure(case.marks.is_empty() == (expected_here == Expectation::Pass), || {
        "a defective example marks the lines concerned, a correct one has none".to_owned()
    })
}

/// A right pattern of synchronisation has twins with a mistake, `name_defect_how`, and each of them
/// has its right one.
fn pattern_has_its_twins(path: &Path, source: &str) -> Result<(), Failure> {
    let name = path.file_stem().and_then(|name| name.to_str()).ok_or("a file name that is not UTF-8")?;
    let case = Case::read(source)?;
    let Some((right, _)) = name.split_once("_defect_") else {
        let twins = std::fs::read_dir(path.parent().ok_or("a folder")?)?;
        let start = format!("{name}_defect_");
        let twins = twins.flatten().filter(|twin| twin.file_name().to_string_lossy().starts_with(&start)).count();
        ensure(twins > 1 && case.expected == Expectation::Pass, || format!("{name} has {twins} twins"))?;
        return ensure(case.marks.is_empty(), || "a right kernel has marks".to_owned());
    };
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let right = path.with_file_name(format!("{right}.{ending}"));
    ensure(right.is_file(), || format!("{} is missing", right.display()))?;
    ensure(case.expected == Expectation::Fails && !case.marks.is_empty(), || "a defect has marks".to_owned())
}

/// The tests, and the files of each.
pub fn groups() -> Vec<Group> {
    vec![
        Group::new(kernel_has_its_verdict, "examples", r"^[^/]*\.(cl|cu|hip)$"),
        Group::new(program_has_its_verdicts, "examples/programs", r"\.cu$"),
        Group::new(kernel_has_its_verdict, "tests/attacks", r"\.(cl|cu|hip|ptx)$").sampled(8),
        Group::new(kernel_has_its_verdict, "tests/kernels", r"\.(cl|cu|hip|ptx)$").sampled(5),
        Group::new(kernel_has_its_verdict, "tests/synchronisation", r"\.(cl|cu)$").sampled(3),
        Group::new(proof_alone_verifies_no_defect, "tests/synchronisation", r"\.(cl|cu)$").sampled(8),
        Group::new(pattern_has_its_twins, "tests/synchronisation", r"\.(cl|cu)$"),
        Group::new(kernel_has_its_verdict, "tests/proofs", r"\.(cl|cu|hip)$").sampled(5),
        Group::new(
            proof_alone_verifies_no_defect,
            "tests/attacks",
            r"(digits|repeated|many|equations|tickets|warp|assumption)_.*\.(cl|cu)$",
        )
        .sampled(8),
        Group::new(proof_needs_its_families, "tests/proofs", r"\.(cl|cu|hip)$").sampled(6),
        Group::new(wrong_marks_are_told, "tests/marks", r"\.cl$"),
        Group::new(example_has_its_twin, "tests/proofs", r"\.(cl|cu|hip)$"),
        Group::new(example_has_its_twin, "tests/kernels", r"^ptx_file_.*\.ptx$"),
        Group::new(kernel_has_its_verdict, "tests/annotations", r"\.(cl|cu|hip)$"),
        Group::new(example_has_its_twin, "examples", r"^[^/]*\.(cl|cu|hip)$"),
    ]
}
