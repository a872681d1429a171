//! Verdicts on whole kernels, as their files expect them: the shared part of the example and
//! benchmark tests.
//!
//! A kernel file states its expectation:
//!
//! * Line 1: `//pass` is the verdict `verified`; `//xfail:NOT_ALL_VERIFIED` is `defect`, or
//!   `unknown` with possible findings if only such are marked; `//unknown` is `unknown` without a
//!   finding; any other `//xfail:` is a fault of the input: exit status 3 and a word on why.
//! * Line 2: `//` and the flags, quoted as for a shell.
//! * Line 3 may be `// open sizes too`: the same verdict with every size of the flags left open.
//! * A line `// needs FAMILY` (one of `--omit-infer`): without this family of candidate invariants
//!   it is not verified.
//! * `//~ KIND` at the end of a line of a defective kernel: a confirmed finding of this kind has
//!   its accesses on exactly the lines with this mark. For a barrier divergence it is the barrier
//!   of the thread that reaches one. If one mistake makes several pairs of lines race, words after
//!   the kind tell them apart: `//~ race load store` belongs to the pair `load` and to the pair
//!   `store`, and every finding must be one of the pairs. Each marked kind is found. An error that
//!   occurs only after another error is not marked: an execution ends with its first finding.
//! * `//~? KIND`: the same for a finding that stays possible, since no run shows it. A kernel with
//!   such marks alone is `unknown`. A line may have several marks.
//! * `//~ unsupported`: the reason of an `unknown` names this line.

mod bless;
mod ensure;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output};

use lockstep::suite::{Expectation, Header};
use serde_json::Value;

pub use bless::ensure_blessed;
pub use ensure::{Failure, ensure};

/// The expectation of a file.
#[derive(Clone)]
pub struct Case {
    pub expected: Expectation,
    pub flags: Vec<String>,
    pub open_sizes: bool,
    pub marks: Marks,
}

/// The marked lines.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Lines of findings that a run confirms.
    pub confirmed: Lines,
    /// Lines of findings that stay possible.
    possible: Lines,
}

/// Lines by kind and by the word that tells a pair of lines from others of the same kind.
type Lines = BTreeMap<(String, String), BTreeSet<u64>>;

impl Marks {
    /// Whether no line is marked.
    pub fn is_empty(&self) -> bool {
        self.confirmed.is_empty() && self.possible.is_empty()
    }

    /// Whether a finding is expected that a run confirms.
    pub fn has_confirmed(&self) -> bool {
        !self.confirmed.is_empty()
    }
}

/// Checks that the kernel gets the expected verdict, also with open sizes if it says so.
pub fn check_case(case: &Case, path: &Path) -> Result<(), Failure> {
    check(case, &case.flags, path)?;
    if case.open_sizes {
        let flags: Vec<String> = case.flags.iter().map(|flag| with_open_size(flag)).collect();
        check(case, &flags, path).map_err(|failure| format!("with open sizes: {failure}"))?;
    }
    Ok(())
}

/// Checks that the kernel has the verdict that a list of gaps gives it today.
pub fn check_gap(case: &Case, verdict: &str, path: &Path) -> Result<(), Failure> {
    let mut flags = case.flags.clone();
    if !has_limit(&flags) {
        flags.push(LIMIT_OF_GAPS.to_owned());
    }
    expect_verdict(&sole_kernel(&run(&flags, path)?)?, verdict)
}

/// The current verdict of a kernel, from a list of those that do not have the intended verdict.
///
/// The lines of the list have a name, the verdict, and the missing feature.
pub fn listed_gap(list: &'static str, is_named: impl Fn(&str) -> bool) -> Option<&'static str> {
    list.lines().find_map(|line| {
        let (name, rest) = line.split_once(' ')?;
        is_named(name).then(|| rest.split(' ').next()).flatten()
    })
}

/// The time limit of a kernel whose file sets none: a test is not a benchmark, and the machine may
/// be busy.
const GENEROUS_LIMIT: &str = "--timeout=300";

/// The time limit of known gaps, which use all of it: a user's default.
const LIMIT_OF_GAPS: &str = "--timeout=60";

pub fn run(flags: &[String], path: &Path) -> std::io::Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_lockstep"))
        .arg("verify")
        .arg(path)
        .args(flags)
        .args((!has_limit(flags)).then_some(GENEROUS_LIMIT))
        // These tests are about the first defects, and whether they are found.
        .args(["--without", "preconditions", "--without", "further-defects", "--without", "fixes"])
        .args(["--format", "json"])
        .output()
}

fn has_limit(flags: &[String]) -> bool {
    flags.iter().any(|flag| flag.starts_with("--timeout"))
}

fn check(case: &Case, flags: &[String], path: &Path) -> Result<(), Failure> {
    let output = run(flags, path)?;
    match &case.expected {
        Expectation::Pass => check_verified(&sole_kernel(&output)?),
        Expectation::Fails => check_defect(&sole_kernel(&output)?, &case.marks),
        Expectation::Unknown => check_unknown(&sole_kernel(&output)?, &case.marks),
        Expectation::Error(_) => check_input_fault(&output),
    }
}

fn check_verified(kernel: &Value) -> Result<(), Failure> {
    expect_verdict(kernel, "verified")?;
    ensure(!list(&kernel["assumptions"]).is_empty(), || "verified, but under no assumption".to_owned())?;
    let obligations = kernel["statistics"]["obligations"].as_u64();
    ensure(obligations > Some(0), || format!("verified without proving anything: {obligations:?} obligations"))
}

fn check_defect(kernel: &Value, marks: &Marks) -> Result<(), Failure> {
    ensure(!marks.is_empty(), || "the file marks no line".to_owned())?;
    expect_verdict(kernel, if marks.confirmed.is_empty() { "unknown" } else { "defect" })?;
    let findings = all_findings(kernel);
    ensure(!findings.is_empty(), || "a defect without a finding".to_owned())?;
    let lines_of = |finding: &Value| if is_confirmed(finding) { &marks.confirmed } else { &marks.possible };
    for finding in &findings {
        let kind = finding["kind"].as_str().unwrap_or_default();
        let lines = concerned_lines(finding);
        let known = lines_of(finding);
        let expected = known.iter().any(|((marked_kind, _), marked)| marked_kind == kind && *marked == lines);
        let certainty = if is_confirmed(finding) { "" } else { "possible " };
        ensure(expected, || format!("{certainty}{kind} on lines {lines:?} was found, expected is one of {known:?}"))?;
    }
    for (known, confirmed) in [(&marks.confirmed, true), (&marks.possible, false)] {
        for (kind, _) in known.keys() {
            let is_found = |finding: &&Value| finding["kind"] == kind.as_str() && is_confirmed(finding) == confirmed;
            let certainty = if confirmed { "" } else { "possible " };
            ensure(findings.iter().any(is_found), || {
                format!("no {certainty}{kind} was found, though lines are marked with it: {known:?}")
            })?;
        }
    }
    Ok(())
}

/// The findings that are shown, and those named in them.
pub fn all_findings(kernel: &Value) -> Vec<&Value> {
    let mut all = Vec::new();
    for finding in list(&kernel["findings"]) {
        all.push(finding);
        all.extend(list(&finding["also"]));
    }
    all
}

fn is_confirmed(finding: &Value) -> bool {
    finding["confirmed"] == true
}

fn check_unknown(kernel: &Value, marks: &Marks) -> Result<(), Failure> {
    expect_verdict(kernel, "unknown")?;
    let reason = kernel["reason"].as_str().unwrap_or_default();
    ensure(!reason.is_empty(), || "unknown without a reason".to_owned())?;
    let findings = list(&kernel["findings"]);
    ensure(findings.is_empty(), || format!("unknown was expected without findings: {findings:?}"))?;
    for line in marks.confirmed.values().flatten() {
        let named = reason.split(|character: char| !character.is_ascii_digit()).any(|word| word == line.to_string());
        ensure(named, || format!("the reason does not name line {line}: {reason}"))?;
    }
    Ok(())
}

fn check_input_fault(output: &Output) -> Result<(), Failure> {
    ensure(output.status.code() == Some(3), || format!("exit status 3 expected: {}", described(output)))?;
    ensure(!output.stderr.is_empty(), || "no word on what is wrong".to_owned())
}

/// The lines of a finding's accesses; for a barrier divergence the line of the thread at the
/// barrier.
pub fn concerned_lines(finding: &Value) -> BTreeSet<u64> {
    let at_barrier = finding["kind"] == "barrier-divergence";
    let accesses = list(&finding["accesses"]).iter();
    accesses
        .filter(|access| !at_barrier || access["access"] == "reaches")
        .filter_map(|access| access["line"].as_u64())
        .collect()
}

pub fn expect_verdict(kernel: &Value, expected: &str) -> Result<(), Failure> {
    ensure(kernel["verdict"] == expected, || {
        format!("{expected} was expected, not {} ({}) {:#}", kernel["verdict"], kernel["reason"], kernel["findings"])
    })
}

/// The reports on the file's kernels.
pub fn kernels(output: &Output) -> Result<Vec<Value>, Failure> {
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("no JSON report ({error}): {}", described(output)))?;
    ensure(report["schema"] == "lockstep-report/1", || "another schema".to_owned())?;
    Ok(list(&report["kernels"]).to_vec())
}

/// The report on the file's only kernel.
pub fn sole_kernel(output: &Output) -> Result<Value, Failure> {
    match kernels(output)?.as_slice() {
        [kernel] => Ok(kernel.clone()),
        kernels => Err(format!("one kernel expected, not {}: {}", kernels.len(), described(output)).into()),
    }
}

fn described(output: &Output) -> String {
    format!("{}, stderr: {}", output.status, String::from_utf8_lossy(&output.stderr))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The flag with every number replaced by `*` if it gives a size.
fn with_open_size(flag: &str) -> String {
    let numbers = regex_lite::Regex::new("[0-9]+").expect("a valid expression");
    match flag.split_once('=') {
        Some((name @ ("--local_size" | "--num_groups"), sizes)) => {
            format!("{name}={}", numbers.replace_all(sizes, "*"))
        }
        _ => flag.to_owned(),
    }
}

impl Case {
    pub fn read(source: &str) -> Result<Self, Failure> {
        let header = Header::parse(source).ok_or("the first line expects nothing known")?;
        let mut lines = source.lines().skip(1);
        ensure(lines.next().is_some_and(|line| line.starts_with("//")), || "no flags in the second line".to_owned())?;
        Ok(Self {
            expected: header.expectation,
            flags: header.flags,
            open_sizes: lines.next() == Some("// open sizes too"),
            marks: marks(source)?,
        })
    }
}

pub fn marks(source: &str) -> Result<Marks, Failure> {
    let mut marks = Marks::default();
    for (number, line) in (1..).zip(source.lines()) {
        for mark in line.split("//~").skip(1) {
            let (lines, mark) = match mark.strip_prefix('?') {
                Some(mark) => (&mut marks.possible, mark),
                None => (&mut marks.confirmed, mark),
            };
            let mut words = mark.split_whitespace();
            let kind = words.next().ok_or_else(|| format!("line {number}: a mark without a kind"))?;
            let mut labels: Vec<&str> = words.collect();
            if labels.is_empty() {
                labels.push("");
            }
            for label in labels {
                lines.entry((kind.to_owned(), label.to_owned())).or_default().insert(number);
            }
        }
    }
    Ok(marks)
}
