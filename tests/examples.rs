//! Verdicts on whole kernels: those of `examples/`, which are for people to learn from, and those of
//! `tests/attacks/`, which try to slip past the verifier, and those of `tests/kernels/`, each of which needs one
//! feature of the language to be modelled exactly, and those of `tests/proofs/`, which are about loop invariants.
//!
//! A kernel file says what is expected of it:
//!
//! * Line 1: `//pass` is the verdict `verified`; `//xfail:NOT_ALL_VERIFIED` is `defect`; `//unknown` is `unknown`;
//!   any other `//xfail:` is a fault of the input: exit status 3 and a word on why.
//! * Line 2: `//` and the flags.
//! * Line 3 may be `// open sizes too`: the same verdict with every size of the flags left open.
//! * A line `// needs FAMILY` (one of `--omit-infer`): without that family of candidate invariants it is not verified.
//! * `//~ KIND` at the end of a line of a defective kernel: a finding of this kind has its accesses on exactly the
//!   lines marked so. For a barrier divergence it is the barrier of the thread that reaches one. Where one mistake
//!   makes several pairs of lines race, words after the kind tell them apart: `//~ race load store`
//!   belongs to the pair `load` and to the pair `store`, and every finding must be one of the pairs.
//! * `//~ unsupported`: the reason of an `unknown` names this line.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

/// What a file expects.
struct Case {
    expected: Expected,
    flags: Vec<String>,
    open_sizes: bool,
    marks: Marks,
}

enum Expected {
    Verified,
    Defect,
    Unknown,
    InputFault,
}

/// The marked lines, by kind and by the word that tells a pair of lines from others of the same kind.
type Marks = BTreeMap<(String, String), BTreeSet<u64>>;

#[expect(clippy::needless_pass_by_value, reason = "datatest-stable hands the contents over by value")]
fn kernel_has_its_verdict(path: &Path, source: String) -> Result<(), Failure> {
    let case = Case::read(&source)?;
    if let Some(verdict) = known_gap(path) {
        return expect_verdict(&sole_kernel(&run(&case.flags, path)?)?, verdict);
    }
    check(&case, &case.flags, path)?;
    if case.open_sizes {
        let flags: Vec<String> = case.flags.iter().map(|flag| with_open_size(flag)).collect();
        check(&case, &flags, path).map_err(|failure| format!("with open sizes: {failure}"))?;
    }
    Ok(())
}

/// The verdict today of a kernel that is listed in `known_gaps.txt`.
fn known_gap(path: &Path) -> Option<&'static str> {
    include_str!("known_gaps.txt").lines().find_map(|line| {
        let (file, rest) = line.split_once(' ')?;
        (path.ends_with(file)).then(|| rest.split(' ').next()).flatten()
    })
}

/// The families that a kernel says it needs are needed.
#[expect(clippy::needless_pass_by_value, reason = "datatest-stable hands the contents over by value")]
fn proof_needs_its_families(path: &Path, source: String) -> Result<(), Failure> {
    let case = Case::read(&source)?;
    for family in source.lines().filter_map(|line| line.strip_prefix("// needs ")) {
        let mut flags = case.flags.clone();
        flags.extend(["--omit-infer".to_owned(), family.to_owned(), "--timeout=5".to_owned()]);
        let verdict = sole_kernel(&run(&flags, path)?)?["verdict"].clone();
        ensure(verdict != "verified" && verdict != "error", || format!("{verdict} without {family}"))?;
    }
    Ok(())
}

/// An example without a defective twin could be verified by a verifier that says yes to everything.
#[expect(clippy::needless_pass_by_value, reason = "datatest-stable hands the contents over by value")]
fn example_has_its_twin(path: &Path, source: String) -> Result<(), Failure> {
    let name = path.file_stem().and_then(|name| name.to_str()).ok_or("a file name that is not UTF-8")?;
    let (twin, expected_here) = match name.strip_suffix("_defect") {
        Some(correct) => (correct.to_owned(), "//xfail:NOT_ALL_VERIFIED"),
        None => (format!("{name}_defect"), "//pass"),
    };
    ensure(path.with_file_name(format!("{twin}.cl")).is_file(), || format!("{twin}.cl is missing"))?;
    ensure(source.starts_with(expected_here), || format!("{name}.cl should start with {expected_here}"))?;
    ensure(Case::read(&source)?.marks.is_empty() == (expected_here == "//pass"), || {
        "a defective example marks the lines concerned, a correct one has none".to_owned()
    })
}

/// A test is no benchmark: unless the file sets a limit, a kernel has time enough on a busy machine.
const GENEROUS_LIMIT: &str = "--timeout=300";

fn run(flags: &[String], path: &Path) -> std::io::Result<Output> {
    let limited = flags.iter().any(|flag| flag.starts_with("--timeout"));
    Command::new(env!("CARGO_BIN_EXE_lockstep"))
        .arg("verify")
        .arg(path)
        .args(flags)
        .args((!limited).then_some(GENEROUS_LIMIT))
        .args(["--format", "json"])
        .output()
}

fn check(case: &Case, flags: &[String], path: &Path) -> Result<(), Failure> {
    let output = run(flags, path)?;
    match case.expected {
        Expected::Verified => check_verified(&sole_kernel(&output)?),
        Expected::Defect => check_defect(&sole_kernel(&output)?, &case.marks),
        Expected::Unknown => check_unknown(&sole_kernel(&output)?, &case.marks),
        Expected::InputFault => check_input_fault(&output),
    }
}

fn check_verified(kernel: &Value) -> Result<(), Failure> {
    expect_verdict(kernel, "verified")?;
    ensure(!list(&kernel["assumptions"]).is_empty(), || "verified, but under no assumption".to_owned())?;
    let obligations = kernel["statistics"]["obligations"].as_u64();
    ensure(obligations > Some(0), || format!("verified without proving anything: {obligations:?} obligations"))
}

fn check_defect(kernel: &Value, marks: &Marks) -> Result<(), Failure> {
    expect_verdict(kernel, "defect")?;
    ensure(!marks.is_empty(), || "the file marks no line".to_owned())?;
    let findings = list(&kernel["findings"]);
    ensure(!findings.is_empty(), || "a defect without a finding".to_owned())?;
    for finding in findings {
        let kind = finding["kind"].as_str().unwrap_or_default();
        let lines = concerned_lines(finding);
        let expected = marks.iter().any(|((marked_kind, _), marked)| marked_kind == kind && *marked == lines);
        ensure(expected, || format!("{kind} on lines {lines:?} was found, expected is one of {marks:?}"))?;
    }
    Ok(())
}

fn check_unknown(kernel: &Value, marks: &Marks) -> Result<(), Failure> {
    expect_verdict(kernel, "unknown")?;
    let reason = kernel["reason"].as_str().unwrap_or_default();
    ensure(!reason.is_empty(), || "unknown without a reason".to_owned())?;
    for line in marks.values().flatten() {
        let named = reason.split(|character: char| !character.is_ascii_digit()).any(|word| word == line.to_string());
        ensure(named, || format!("the reason does not name line {line}: {reason}"))?;
    }
    Ok(())
}

fn check_input_fault(output: &Output) -> Result<(), Failure> {
    ensure(output.status.code() == Some(3), || format!("exit status 3 expected: {}", described(output)))?;
    ensure(!output.stderr.is_empty(), || "no word on what is wrong".to_owned())
}

/// The lines of a finding's accesses; for a barrier divergence that of the thread at the barrier.
fn concerned_lines(finding: &Value) -> BTreeSet<u64> {
    let at_barrier = finding["kind"] == "barrier-divergence";
    let accesses = list(&finding["accesses"]).iter();
    accesses
        .filter(|access| !at_barrier || access["access"] == "reaches")
        .filter_map(|access| access["line"].as_u64())
        .collect()
}

fn expect_verdict(kernel: &Value, expected: &str) -> Result<(), Failure> {
    ensure(kernel["verdict"] == expected, || {
        format!("{expected} was expected, not {} ({}) {:#}", kernel["verdict"], kernel["reason"], kernel["findings"])
    })
}

/// The report on the file's only kernel.
fn sole_kernel(output: &Output) -> Result<Value, Failure> {
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("no JSON report ({error}): {}", described(output)))?;
    ensure(report["schema"] == "lockstep-report/1", || "another schema".to_owned())?;
    match list(&report["kernels"]) {
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

fn ensure(condition: bool, message: impl FnOnce() -> String) -> Result<(), Failure> {
    if condition { Ok(()) } else { Err(message().into()) }
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
    fn read(source: &str) -> Result<Self, Failure> {
        let mut lines = source.lines();
        let expected = match lines.next().unwrap_or_default() {
            "//pass" => Expected::Verified,
            "//xfail:NOT_ALL_VERIFIED" => Expected::Defect,
            "//unknown" => Expected::Unknown,
            fault if fault.starts_with("//xfail:") => Expected::InputFault,
            other => return Err(format!("the first line expects nothing known: {other}").into()),
        };
        let flags = lines.next().and_then(|line| line.strip_prefix("//")).ok_or("no flags in the second line")?;
        Ok(Self {
            expected,
            flags: flags.split_whitespace().map(str::to_owned).collect(),
            open_sizes: lines.next() == Some("// open sizes too"),
            marks: marks(source)?,
        })
    }
}

fn marks(source: &str) -> Result<Marks, Failure> {
    let mut marks = Marks::new();
    for (number, line) in (1..).zip(source.lines()) {
        let Some((_, mark)) = line.split_once("//~") else { continue };
        let mut words = mark.split_whitespace();
        let kind = words.next().ok_or_else(|| format!("line {number}: a mark without a kind"))?;
        let mut labels: Vec<&str> = words.collect();
        if labels.is_empty() {
            labels.push("");
        }
        for label in labels {
            marks.entry((kind.to_owned(), label.to_owned())).or_default().insert(number);
        }
    }
    Ok(marks)
}

datatest_stable::harness! {
    { test = kernel_has_its_verdict, root = "examples", pattern = r"\.cl$" },
    { test = kernel_has_its_verdict, root = "tests/attacks", pattern = r"\.cl$" },
    { test = kernel_has_its_verdict, root = "tests/kernels", pattern = r"\.cl$" },
    { test = kernel_has_its_verdict, root = "tests/proofs", pattern = r"\.cl$" },
    { test = proof_needs_its_families, root = "tests/proofs", pattern = r"\.cl$" },
    { test = example_has_its_twin, root = "tests/proofs", pattern = r"\.cl$" },
    { test = kernel_has_its_verdict, root = "tests/annotations", pattern = r"\.cl$" },
    { test = example_has_its_twin, root = "examples", pattern = r"\.cl$" },
}
