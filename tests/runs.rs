//! Two independent answers: a kernel that is verified goes wrong in no run, and the interpreter knows all that examples do.
//!
//! What is verified is executed with the inputs that a run takes where nothing is said: one of those that the proof is about.

#[path = "harness/ensure.rs"]
mod ensure;

use std::path::Path;
use std::process::Command;

use ensure::{Failure, ensure};
use lockstep::suite::{Expectation, Header};

/// The sizes that stand for any.
const OPEN: (&str, &str) = ("*", "4");

#[expect(clippy::needless_pass_by_value, reason = "datatest-stable hands the contents over by value")]
fn verified_example_runs(path: &Path, source: String) -> Result<(), Failure> {
    let header = Header::parse(&source).ok_or("the first line expects nothing known")?;
    ensure(header.expectation == Expectation::Pass, || "an example that is not verified is called so".to_owned())?;
    let flags = header.flags.iter().map(|flag| flag.replace(OPEN.0, OPEN.1));
    let output = Command::new(env!("CARGO_BIN_EXE_lockstep")).arg("run").arg(path).args(flags).output()?;
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    ensure(output.status.code() == Some(0), || format!("{}:\n{stdout}{stderr}", output.status))?;
    ensure(stdout.contains("ran "), || format!("nothing was run:\n{stdout}{stderr}"))
}

datatest_stable::harness! {
    { test = verified_example_runs, root = "examples", pattern = r"^[^/]*(?<!_defect)\.(cl|cu|hip)$" },
}
