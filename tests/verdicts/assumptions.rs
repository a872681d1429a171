//! Reports list the assumptions of a verdict.
//!
//! Each kernel of `tests/assumptions/` is correct only under an assumption that nobody checks: it
//! is verified (`//pass`, flags in the second line, as for `tests/examples.rs`), and
//!
//! * `// assumes: TEXT`: the report lists exactly this among its assumptions;
//! * `// otherwise verified: FLAGS`: with these flags it is verified without any of these
//!   assumptions, whatever numbers are in them;
//! * `// otherwise defect: FLAGS`: with these flags none of them is made, and there is a defect;
//! * `// otherwise unknown: FLAGS`: the same, and the defect is one that no run shows;
//! * `// broken: FLAGS`: a run (`lockstep run`) that violates the assumption goes wrong.
//!
//! Without the first line an assumption could be made silently; without the second it could always
//! be listed. If no run can violate it, the kernel says what would go wrong.

use std::path::Path;
use std::process::Command;

use crate::Group;
use crate::harness::{Failure, ensure};
use lockstep::suite::{Expectation, Header};
use serde_json::Value;

/// A generous time limit, as the machine may be busy.
const LIMIT: &str = "--timeout=300";

fn assumption_is_listed(path: &Path, source: &str) -> Result<(), Failure> {
    let header = Header::parse(source).ok_or("the first line expects nothing known")?;
    ensure(header.expectation == Expectation::Pass, || "the first line is not //pass".to_owned())?;
    let expected: Vec<&str> = assumed(source).collect();
    ensure(!expected.is_empty(), || "the file says nothing of what it assumes".to_owned())?;
    let listed = assumptions(path, &header.flags, "verified")?;
    for assumption in expected {
        ensure(listed.iter().any(|known| known == assumption), || format!("`{assumption}` is missing in {listed:#?}"))?;
    }
    Ok(())
}

fn it_is_not_listed_otherwise(path: &Path, source: &str) -> Result<(), Failure> {
    let expected: Vec<String> = assumed(source).map(without_numbers).collect();
    let mut count = 0;
    for verdict in ["verified", "defect", "unknown"] {
        for flags in flags_behind(source, &format!("// otherwise {verdict}: ")) {
            count += 1;
            let listed = assumptions(path, &flags, verdict).map_err(|failure| format!("{flags:?}: {failure}"))?;
            let kept = listed.iter().find(|known| expected.contains(&without_numbers(known)));
            ensure(verdict != "verified" || kept.is_none(), || format!("{flags:?}: {kept:?} is listed still"))?;
        }
    }
    ensure(count > 0, || "the file does not say when nothing of the kind is assumed".to_owned())
}

fn run_that_breaks_it_goes_wrong(path: &Path, source: &str) -> Result<(), Failure> {
    for flags in flags_behind(source, "// broken: ") {
        let output = Command::new(env!("CARGO_BIN_EXE_lockstep")).arg("run").arg(path).args(&flags).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        ensure(output.status.code() == Some(1), || format!("{flags:?}: {}: {text}", output.status))?;
    }
    Ok(())
}

/// The assumptions that the file declares.
fn assumed(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| line.strip_prefix("// assumes: "))
}

/// The flags of each line with this beginning.
fn flags_behind<'a>(source: &'a str, beginning: &'a str) -> impl Iterator<Item = Vec<String>> + 'a {
    let lines = source.lines().filter_map(move |line| line.strip_prefix(beginning));
    lines.filter_map(|flags| Header::parse(&format!("//pass\n//{flags}"))).map(|header| header.flags)
}

/// The assumptions in the report on the file's only kernel, which has this verdict.
fn assumptions(path: &Path, flags: &[String], verdict: &str) -> Result<Vec<String>, Failure> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
    let output = command
        .arg("verify")
        .arg(path)
        .args(flags)
        .args([LIMIT, "--without=preconditions", "--format=json"])
        .output()?;
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("no JSON report ({error}): {}", String::from_utf8_lossy(&output.stderr)))?;
    let kernel = &report["kernels"][0];
    ensure(kernel["verdict"] == verdict, || {
        format!("{verdict} was expected, not {} ({}) {:#}", kernel["verdict"], kernel["reason"], kernel["findings"])
    })?;
    let has_findings = kernel["findings"].as_array().is_some_and(|findings| !findings.is_empty());
    ensure(verdict != "unknown" || has_findings, || format!("{} without a possible finding", kernel["reason"]))?;
    let listed = kernel["assumptions"].as_array().ok_or("no assumptions in the report")?;
    Ok(listed.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

fn without_numbers(assumption: &str) -> String {
    assumption.replace("lines", "line").chars().filter(|character| !character.is_ascii_digit()).collect()
}

/// The tests, and the files of each.
pub fn groups() -> Vec<Group> {
    vec![
        Group::new(assumption_is_listed, "tests/assumptions", r"\.(cl|cu)$"),
        Group::new(it_is_not_listed_otherwise, "tests/assumptions", r"\.(cl|cu)$"),
        Group::new(run_that_breaks_it_goes_wrong, "tests/assumptions", r"\.(cl|cu)$"),
    ]
}
