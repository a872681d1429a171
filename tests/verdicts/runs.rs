//! Two independent answers: a verified kernel goes wrong in no run, and the interpreter supports
//! all examples.
//!
//! A verified kernel is executed with the default inputs of a run, which are among those of the
//! proof. A confirmed finding is executed again with the words that it names, and goes wrong again.

use std::path::Path;
use std::process::Command;

use crate::Group;
use crate::harness::{Failure, all_findings, ensure};
use lockstep::suite::{Expectation, Header};
use serde_json::Value;

/// The sizes that stand for any.
const OPEN: (&str, &str) = ("*", "4");

fn verified_example_runs(path: &Path, source: &str) -> Result<(), Failure> {
    let header = Header::parse(source).ok_or("the first line expects nothing known")?;
    ensure(header.expectation == Expectation::Pass, || "an example that is not verified is called so".to_owned())?;
    let flags = header.flags.iter().map(|flag| flag.replace(OPEN.0, OPEN.1));
    let output = Command::new(env!("CARGO_BIN_EXE_lockstep")).arg("run").arg(path).args(flags).output()?;
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    ensure(output.status.code() == Some(0), || format!("{}:\n{stdout}{stderr}", output.status))?;
    ensure(stdout.contains("ran "), || format!("nothing was run:\n{stdout}{stderr}"))
}

/// The limit, which suffices for small launches: this many times fifty million steps.
const LIMIT: &str = "--timeout=4";

/// Files with findings that no run confirms, because the interpreter does not support or know
/// something.
const UNCONFIRMED: [&str; 2] = [
    // Lanes that have returned need not reach a barrier of the warp; the proof is stricter.
    "tile_sync_defect.cu",
    // Both groups write results of the same pixels in the same order: the same number, which is no
    // race.
    "convolution_columns.cl",
];

fn confirmed_finding_happens_again(path: &Path, source: &str) -> Result<(), Failure> {
    happens_again(path, Header::parse(source).ok_or("the first line expects nothing known")?)
}

fn seeded_defect_happens_again(path: &Path, source: &str) -> Result<(), Failure> {
    let mut header = Header::parse(source).ok_or("the first line expects nothing known")?;
    header.flags.push("-DDEFECT".to_owned());
    happens_again(path, header)
}

fn happens_again(path: &Path, header: Header) -> Result<(), Failure> {
    let lockstep = || Command::new(env!("CARGO_BIN_EXE_lockstep"));
    let output =
        lockstep().arg("verify").arg(path).args(["--format=json", "--no-cache"]).args(&header.flags).output()?;
    let report: Value = serde_json::from_slice(&output.stdout)?;
    let kernels = report["kernels"].as_array().ok_or("no kernels")?;
    let findings = kernels.iter().flat_map(all_findings);
    let (confirmed, possible): (Vec<_>, Vec<_>) = findings.partition(|finding| finding["confirmed"] == true);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_known = UNCONFIRMED.contains(&name);
    ensure(possible.is_empty() != is_known, || format!("not confirmed: {possible:?}"))?;
    let is_size = |flag: &&String| {
        let name = flag.strip_prefix("--").unwrap_or_default();
        ["local", "num", "block", "grid", "global"].iter().any(|size| name.starts_with(size))
    };
    for finding in confirmed {
        let words = finding["witness"].as_array().ok_or("a confirmed finding has a witness")?;
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        let flags = header.flags.iter().filter(|flag| !is_size(flag));
        let output = lockstep().arg("run").arg(path).args(flags).args(&words).arg(LIMIT).output()?;
        let stdout = String::from_utf8_lossy(&output.stdout);
        ensure(output.status.code() == Some(1), || format!("{}: {words:?}:\n{stdout}", output.status))?;
    }
    Ok(())
}

/// The tests, and the files of each.
pub fn groups() -> Vec<Group> {
    vec![
        Group::new(verified_example_runs, "examples", r"^[^/]*\.(cl|cu|hip)$").without("_defect."),
        Group::new(confirmed_finding_happens_again, "examples", r"^[^/]*_defect\.(cl|cu|hip)$"),
        Group::new(seeded_defect_happens_again, "benches/kernels", r"\.cl$").sampled(8),
    ]
}
