//! Verdicts on the kernels of `benches/kernels/`.
//!
//! The kernels are written for this purpose in the shapes of public benchmark suites. They need
//! only the sizes of their launch and assumptions about their arguments. Every file has two forms.
//! As it is it must be verified. With `-D DEFECT` it has a seeded mistake, which must be found on
//! exactly the marked lines (`//~`, see `tests/harness/`). Forms that are not yet decided in this
//! way are listed in `undecided.txt`: the name of the file without its extension, `:DEFECT` after
//! it for the second form, the current verdict, and a line on the missing feature.

use std::path::{Path, PathBuf};

use crate::Group;
use crate::harness::{Case, Failure, check_case, check_gap, ensure, listed_gap};
use lockstep::suite::Expectation;

/// The forms that do not yet have the intended verdict.
const UNDECIDED: &str = include_str!("../../benches/kernels/undecided.txt");

fn benchmark_is_verified(path: &Path, source: &str) -> Result<(), Failure> {
    let case = Case::read(source)?;
    ensure(case.expected == Expectation::Pass, || "the first line is not //pass".to_owned())?;
    decided_or_listed(&case, "", path)
}

fn seeded_defect_is_found(path: &Path, source: &str) -> Result<(), Failure> {
    let mut case = Case::read(source)?;
    ensure(!case.marks.is_empty(), || "no line is marked as part of the seeded defect".to_owned())?;
    case.expected = Expectation::Fails;
    case.flags.extend(["-D".to_owned(), "DEFECT".to_owned()]);
    decided_or_listed(&case, ":DEFECT", path)
}

fn decided_or_listed(case: &Case, form: &str, path: &Path) -> Result<(), Failure> {
    let name = path.file_stem().and_then(|name| name.to_str()).ok_or("a file name that is not UTF-8")?;
    match listed_gap(UNDECIDED, |listed| listed == format!("{name}{form}")) {
        None => check_case(case, path),
        Some(verdict) => {
            let mut hurried = case.clone();
            hurried.flags.push(LIMIT_OF_GAPS.to_owned());
            // The machine determines whether a few seconds suffice for the listed verdict or for
            // the intended one. No other verdict may occur.
            check_gap(&hurried, verdict, path)
                .or_else(|failure| check_gap(&hurried, "unknown", path).map_err(|_| failure))
                .or_else(|failure| check_case(&hurried, path).map_err(|_| failure))
        }
    }
}

/// The time limit of known gaps, which use all of it.
const LIMIT_OF_GAPS: &str = "--timeout=2";

/// Checks that each listed file exists and has its reason, so that the list explains every gap.
fn list_is_in_order(path: &Path, list: &str) -> Result<(), Failure> {
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let name = words.next().ok_or("an empty line")?;
        let kernel: PathBuf = path.with_file_name(format!("{}.cl", name.trim_end_matches(":DEFECT")));
        ensure(kernel.is_file(), || format!("{} is listed and missing", kernel.display()))?;
        let verdict = words.next().unwrap_or_default();
        ensure(["unknown", "defect", "error"].contains(&verdict), || format!("{name}: no verdict to hold: {verdict}"))?;
        ensure(words.next().is_some(), || format!("{name}: no reason"))?;
    }
    Ok(())
}

/// The tests, and the files of each.
pub fn groups() -> Vec<Group> {
    vec![
        Group::new(benchmark_is_verified, "benches/kernels", r"\.cl$").sampled(8),
        Group::new(seeded_defect_is_found, "benches/kernels", r"\.cl$").sampled(8),
        Group::new(list_is_in_order, "benches/kernels", r"undecided\.txt$"),
    ]
}
