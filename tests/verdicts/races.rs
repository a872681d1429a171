//! Races in runs: small kernels after the categories of the suite in the BARRACUDA paper (section
//! 6.1).
//!
//! Each of them is judged correctly under every schedule. A kernel of `tests/races/` states its
//! expectation:
//!
//! * Line 1: `// race-free` or `// racy`.
//! * Line 2: `// run: ` and the flags of `lockstep run`, quoted as for a shell.
//! * Line 3 of a racy kernel may be `// schedules: ` and those under which its race must be found.
//!   It may go unnoticed under others if not every run has it.
//! * A comment: the subject, and the reason why it is racy or not. The memory model of its language
//!   (PTX's, OpenCL's) decides this, and never Lockstep.
//! * `//~ race` at the end of a line of a racy kernel: its accesses take part in a race. Reports
//!   name no other lines, and over all schedules each of them.
//!
//! A race-free kernel `name.cu` has racy twins, `name_defect.cu` or `name_defect_how.cu`, and a
//! racy one has its race-free one: they differ by one small detail. The faults of the files in
//! `tests/races/rejected/` must be noticed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Group;
use crate::harness::{Failure, ensure};

/// The schedules.
const SCHEDULES: [&str; 3] = ["in-order", "round-robin", "random=1"];

/// The limit at which a kernel that waits for ever ends: this many times fifty million steps.
const LIMIT: &str = "--timeout=1";

/// The limit of another try, as a busy machine spends the first one on other work.
const PATIENT_LIMIT: &str = "--timeout=15";

/// The exit status of a run that is not finished and has found nothing.
const UNFINISHED: i32 = 2;

const MARK: &str = "//~ race";

/// The expectation of a file.
struct Case {
    racy: bool,
    flags: Vec<String>,
    /// The schedules under which a race must be found.
    found_under: Vec<String>,
    /// The lines whose accesses race.
    marked: BTreeSet<u64>,
}

fn kernel_is_judged_right(path: &Path, source: &str) -> Result<(), Failure> {
    check(&Case::read(source)?, path)
}

/// A detector that finds nothing passes every race-free kernel; one that always finds a race passes
/// every racy one.
fn kernel_has_its_twin(path: &Path, source: &str) -> Result<(), Failure> {
    let name = file_name(path)?;
    let (stem, ending) = name.rsplit_once('.').ok_or("a file name without an ending")?;
    let is_twin = |other: &str| match stem.split_once("_defect") {
        Some((correct, _)) => other == format!("{correct}.{ending}"),
        None => other.starts_with(&format!("{stem}_defect")) && other.ends_with(&format!(".{ending}")),
    };
    ensure(Case::read(source)?.racy == stem.contains("_defect"), || format!("{name} does not say so"))?;
    let folder = path.parent().ok_or("a file in no folder")?;
    for entry in fs::read_dir(folder)? {
        if is_twin(&entry?.file_name().to_string_lossy()) {
            return Ok(());
        }
    }
    Err(format!("{name} has no twin").into())
}

/// A faulty file is not passed over: its last line is part of the failure's text.
fn faulty_file_is_noticed(path: &Path, source: &str) -> Result<(), Failure> {
    let told = source.lines().last().and_then(|line| line.strip_prefix("// fails: ")).ok_or("no failure at the end")?;
    let Err(failure) = Case::read(source).and_then(|case| check(&case, path)) else {
        return Err("nothing is noticed".into());
    };
    ensure(failure.to_string().contains(told), || format!("`{told}` is missing in: {failure}"))
}

/// Runs a kernel under every schedule, and compares the races found with the expectation.
fn check(case: &Case, path: &Path) -> Result<(), Failure> {
    let mut named = BTreeSet::new();
    for schedule in SCHEDULES {
        let found = check_run(case, path, schedule).map_err(|failure| format!("{schedule}: {failure}"))?;
        named.extend(found);
    }
    ensure(named == case.marked, || format!("races on lines {named:?} were found, marked are {:?}", case.marked))
}

/// The lines of the races found under one schedule.
fn check_run(case: &Case, path: &Path, schedule: &str) -> Result<BTreeSet<u64>, Failure> {
    let run = |limit| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
        command.arg("run").arg(path).args(&case.flags).args(["--schedule", schedule, limit]).output()
    };
    let mut output = run(LIMIT)?;
    if output.status.code() == Some(UNFINISHED) {
        output = run(PATIENT_LIMIT)?;
    }
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let told = || format!("{}\n{stdout}{stderr}", output.status);
    let found = races(&stdout, &file_name(path)?).map_err(|failure| format!("{failure}: {}", told()))?;
    let is_missed = case.racy && found.is_empty();
    let may_be_missed = !case.found_under.iter().any(|required| required == schedule);
    ensure(!is_missed || may_be_missed, || format!("no race was found: {}", told()))?;
    ensure(case.racy || found.is_empty(), || format!("a race was found: {}", told()))?;
    ensure(found.is_subset(&case.marked), || format!("races on lines {found:?}, not marked: {}", told()))?;
    ensure(output.status.code() == Some(i32::from(!found.is_empty())), || format!("another status: {}", told()))?;
    Ok(found)
}

/// The lines of all races that a run has found; other errors are a failure.
fn races(stdout: &str, file: &str) -> Result<BTreeSet<u64>, Failure> {
    let mut lines = BTreeSet::new();
    for finding in stdout.split("\n\n").filter(|part| part.starts_with("error: ") || part.starts_with("note: ")) {
        ensure(finding.starts_with("error: ") && finding.contains(" race on "), || "not only races".to_owned())?;
        let places = finding.lines().filter_map(|line| {
            let is_place = line.starts_with("  --> ") || line.contains(" at ");
            is_place.then(|| line.rsplit(' ').next()).flatten()?.split_once(&format!("{file}:"))
        });
        let places: Vec<&str> = places.map(|(_, place)| place).collect();
        ensure(places.len() == 2, || format!("a race between {} places", places.len()))?;
        for place in places {
            lines.insert(place.split(':').next().unwrap_or_default().parse()?);
        }
    }
    Ok(lines)
}

fn file_name(path: &Path) -> Result<String, Failure> {
    let name = path.file_name().and_then(|name| name.to_str()).ok_or("a file name that is not UTF-8")?;
    Ok(name.to_owned())
}

impl Case {
    fn read(source: &str) -> Result<Self, Failure> {
        let mut lines = source.lines().peekable();
        let racy = match lines.next() {
            Some("// race-free") => false,
            Some("// racy") => true,
            _ => return Err("line 1 is neither `// race-free` nor `// racy`".into()),
        };
        let flags = lines.next().and_then(|line| line.strip_prefix("// run: ")).ok_or("line 2 is not `// run: `")?;
        let given = lines.peek().and_then(|line| line.strip_prefix("// schedules:"));
        let found_under = match given {
            Some(given) => given.split_whitespace().map(str::to_owned).collect(),
            None => SCHEDULES.map(str::to_owned).to_vec(),
        };
        if given.is_some() {
            lines.next();
            ensure(racy, || "a race-free kernel is so under all schedules".to_owned())?;
        }
        let is_known = |schedule: &String| SCHEDULES.contains(&schedule.as_str());
        ensure(!found_under.is_empty() && found_under.iter().all(is_known), || {
            format!("schedules are some of {SCHEDULES:?}")
        })?;
        let comment = lines.next().and_then(|line| line.strip_prefix("// ")).unwrap_or_default();
        ensure(comment.len() > 1, || "no comment on why".to_owned())?;
        let marked = marks(source)?;
        ensure(racy != marked.is_empty(), || "a racy kernel marks lines, a race-free one marks none".to_owned())?;
        Ok(Self { racy, flags: shell_words::split(flags)?, found_under, marked })
    }
}

fn marks(source: &str) -> Result<BTreeSet<u64>, Failure> {
    let mut marked = BTreeSet::new();
    for (number, line) in (1..).zip(source.lines()).filter(|(_, line)| line.contains("//~")) {
        ensure(line.ends_with(MARK), || format!("line {number} does not end in `{MARK}`"))?;
        marked.insert(number);
    }
    Ok(marked)
}

/// The tests, and the files of each.
pub fn groups() -> Vec<Group> {
    vec![
        Group::new(kernel_is_judged_right, "tests/races", r"^[^/]*\.(cl|cu)$").sampled(6),
        Group::new(kernel_has_its_twin, "tests/races", r"^[^/]*\.(cl|cu)$"),
        Group::new(faulty_file_is_noticed, "tests/races/rejected", r"\.(cl|cu)$"),
    ]
}
