//! Verdicts on the kernels of `benches/kernels/`, which are written for the purpose in the shapes
//! that public suites of benchmarks have, and which need nothing but the sizes of their launch and
//! what they take for granted of their arguments.
//!
//! Every file has two forms: as it is it must be verified, with `-D DEFECT` it has a seeded
//! mistake, which must be found on exactly the lines marked (`//~`, see `tests/harness/`). Those
//! that are not decided so yet are listed in `undecided.txt`: the name of the file without its
//! extension, `:DEFECT` after it for the second form, the verdict today, and a line on what is
//! missing.

use std::path::{Path, PathBuf};

use crate::Group;
use crate::harness::{Case, Failure, check_case, check_gap, ensure, listed_gap};
use lockstep::suite::Expectation;

/// The forms that are not decided as they should be.
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
            // Whether a few seconds suffice for the verdict or for the right one depends on the
            // machine; that there is no other one does not.
            check_gap(&hurried, verdict, path)
                .or_else(|failure| check_gap(&hurried, "unknown", path).map_err(|_| failure))
                .or_else(|failure| check_case(&hurried, path).map_err(|_| failure))
        }
    }
}

/// What is not decided takes all the time it is given.
const LIMIT_OF_GAPS: &str = "--timeout=2";

/// What is listed exists and has its reason, so that the list says of every gap what it is.
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

/// The tests, and the files that each is about.
pub fn groups() -> Vec<Group> {
    vec![
        Group::new(benchmark_is_verified, "benches/kernels", r"\.cl$").sampled(8),
        Group::new(seeded_defect_is_found, "benches/kernels", r"\.cl$").sampled(8),
        Group::new(list_is_in_order, "benches/kernels", r"undecided\.txt$"),
    ]
}
