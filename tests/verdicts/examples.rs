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

/// A proof verifies no defective kernel, even if no search and no run looks for the defect.
///
/// A search that finds the defect hides a proof that would have missed it.
fn proof_alone_verifies_no_defect(path: &Path, source: &str) -> Result<(), Failure> {
    let case = Case::read(source)?;
    // Proofs assume that threads terminate.
    if source.contains("//~ endless-wait") {
        return Ok(());
    }
    let mut flags = case.flags.clone();
    let searches = ["concrete-search", "unrolling"].into_iter().flat_map(|search| ["--without", search]);
    let searches = searches.chain(["--no-replay"]);
    // A right kernel is verified in the end; a defective one is not, however long it takes.
    let timeout = if case.expected == Expectation::Pass { 60 } else { 5 };
    flags.extend(searches.map(str::to_owned).chain([format!("--timeout={timeout}")]));
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

/// The code of the race in a twin of this name: the property that its author took away.
fn code_of(name: &str, how: &str) -> Option<&'static str> {
    let by_volatile = name.starts_with("volatile_");
    match how {
        _ if by_volatile => Some("LS0118"),
        "fence_late" => Some("LS0121"),
        _ if how.starts_with("acquire") => Some("LS0121"),
        _ if how.starts_with("release") => Some("LS0120"),
        _ if how.starts_with("scope") => Some("LS0119"),
        _ if how.starts_with("other_lock") => Some("LS0124"),
        _ if how.starts_with("unlock") => Some("LS0125"),
        _ if how.starts_with("barrier") || how.starts_with("other") || how.starts_with("own") => Some("LS0101"),
        _ => None,
    }
}

/// The race of a twin has the code of what was taken away, and names an operation near there.
fn race_lacks_what_was_taken_away(path: &Path, source: &str) -> Result<(), Failure> {
    let name = path.file_stem().and_then(|name| name.to_str()).ok_or("a file name that is not UTF-8")?;
    let (right, how) = name.split_once("_defect_").ok_or("a twin")?;
    let code = code_of(name, how).ok_or("the name does not tell the code")?;
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let right = std::fs::read_to_string(path.with_file_name(format!("{right}.{ending}")))?;
    let kernel = sole_kernel(&run(&Case::read(source)?.flags, path)?)?;
    let finding = &kernel["findings"][0];
    ensure(finding["code"] == code, || format!("{} instead of {code}", finding["code"]))?;
    let lacks = finding["lacks"].as_array().map_or(&[][..], Vec::as_slice);
    ensure(lacks.is_empty() == ["LS0101", "LS0118", "LS0124", "LS0125"].contains(&code), || {
        format!("lacks {lacks:?}")
    })?;
    let changed = changed_lines(source, &right);
    let is_near = |lack: &serde_json::Value| {
        let line = lack["line"].as_u64().and_then(|line| usize::try_from(line).ok()).unwrap_or(0);
        line + LINES_NEAR > changed.0 && line < changed.1 + LINES_NEAR
    };
    let is_far =
        changed.0 == changed.1 && source.lines().nth(changed.0 - 1).is_some_and(|line| line.contains("thread_scope"));
    ensure(is_far || name == FAR || lacks.iter().all(is_near), || {
        format!("lacks {lacks:?}, changed are lines {changed:?}")
    })
}

/// A twin whose operation is in a function of its own. Types with a scope are also far away.
const FAR: &str = "flag_ptx_fences_defect_acquire";

/// The most lines between an operation and a fence that belongs to it.
const LINES_NEAR: usize = 4;

/// The first and the last line of a twin that differ from the right kernel, without comments.
fn changed_lines(source: &str, right: &str) -> (usize, usize) {
    let code = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with("//"));
        lines.map(|line| line.split("//").next().unwrap_or_default().trim_end().to_owned()).collect()
    };
    let comments = source.lines().filter(|line| line.starts_with("//")).count();
    let (wrong, right) = (code(source), code(right));
    let same =
        |pairs: &mut dyn Iterator<Item = (&String, &String)>| pairs.take_while(|(one, other)| one == other).count();
    let before = same(&mut wrong.iter().zip(&right));
    let behind = same(&mut wrong.iter().rev().zip(right.iter().rev()));
    (comments + before + 1, comments + wrong.len().saturating_sub(behind).max(before + 1))
}

/// The tests, and the files of each.
pub fn groups() -> Vec<Group> {
    vec![
        Group::new(kernel_has_its_verdict, "examples", r"^[^/]*\.(cl|cu|hip)$"),
        Group::new(program_has_its_verdicts, "examples/programs", r"\.cu$"),
        Group::new(kernel_has_its_verdict, "tests/attacks", r"\.(cl|cu|hip|ptx)$").sampled(8),
        Group::new(kernel_has_its_verdict, "tests/kernels", r"\.(cl|cu|hip|ptx)$").sampled(5),
        Group::new(kernel_has_its_verdict, "tests/synchronisation", r"\.(cl|cu)$").sampled(3),
        Group::new(proof_alone_verifies_no_defect, "tests/synchronisation", r"\.(cl|cu|hip)$").sampled(8),
        Group::new(pattern_has_its_twins, "tests/synchronisation", r"\.(cl|cu)$"),
        Group::new(
            race_lacks_what_was_taken_away,
            "tests/synchronisation",
            r"(^volatile_.*_defect_|_defect_(acquire|fence_late|release|scope|barrier|other|own|unlock)).*\.(cl|cu)$",
        )
        .sampled(3),
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
