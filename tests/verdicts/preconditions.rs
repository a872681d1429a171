//! Preconditions are found.
//!
//! Each kernel of `tests/preconditions/` fails for some arguments or sizes:
//!
//! * Line 1: `//conditional: P`, the conditions that are found, with `; ` between them.
//! * Line 2: `//` and the flags.
//! * Line 3: `// contract: C`, a condition that whoever calls the kernel keeps.
//! * Line 4: `// undecided elsewhere` if the proof without the precondition is too hard, and no
//!   defect outside of it is known.
//!
//! The contract implies the precondition, so a caller who keeps it gets a proof. With `DEFECT`
//! defined the kernel has a defect that no precondition excuses.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::Group;
use crate::harness::{Failure, ensure, expect_verdict, kernels};

struct Case<'a> {
    requires: Vec<&'a str>,
    flags: Vec<String>,
    contract: &'a str,
    is_undecided_elsewhere: bool,
}

impl<'a> Case<'a> {
    fn of(source: &'a str) -> Result<Self, Failure> {
        let mut lines = source.lines();
        let mut line = |prefix: &str| lines.next().and_then(|line| line.strip_prefix(prefix));
        let requires = line("//conditional: ").ok_or("the first line has no precondition")?.split("; ").collect();
        let flags = line("//").ok_or("the second line has no flags")?.split(' ').map(str::to_owned).collect();
        let contract = line("// contract: ").ok_or("the third line has no contract")?;
        let is_undecided_elsewhere = line("// undecided elsewhere").is_some();
        Ok(Self { requires, flags, contract, is_undecided_elsewhere })
    }
}

fn verify(path: &Path, flags: &[String], more: &[&str]) -> std::io::Result<Output> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
    let has_limit = more.iter().any(|flag| flag.starts_with("--timeout"));
    let limit: &[&str] = if has_limit { &[] } else { &["--timeout=300"] };
    command.arg("verify").arg(path).args(flags).args(more).args(["--format", "json"]).args(limit).output()
}

fn sole(output: &Output) -> Result<Value, Failure> {
    let [kernel] = <[Value; 1]>::try_from(kernels(output)?).map_err(|_| "there is not one kernel".to_owned())?;
    Ok(kernel)
}

fn precondition_is_found(path: &Path, source: &str) -> Result<(), Failure> {
    let Case { requires, flags, is_undecided_elsewhere, .. } = Case::of(source)?;
    let limit: &[&str] = if is_undecided_elsewhere { &["--timeout=40"] } else { &[] };
    let output = verify(path, &flags, limit)?;
    let kernel = sole(&output)?;
    expect_verdict(&kernel, "conditional")?;
    let found: Vec<&str> = kernel["requires"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    ensure(found == requires, || format!("{found:?} was found"))?;
    let findings = kernel["findings"].as_array().ok_or("no findings")?;
    if is_undecided_elsewhere {
        ensure(findings.is_empty(), || format!("{findings:?}"))?;
        ensure(kernel["reason"].is_string(), || "nothing says why it is undecided elsewhere".to_owned())?;
    } else {
        ensure(findings.iter().any(|finding| finding["confirmed"] == true), || "nothing is confirmed".to_owned())?;
    }
    ensure(kernel["assumptions"].as_array().is_some_and(|all| !all.is_empty()), || "nothing is assumed".to_owned())?;
    ensure(output.status.code() == Some(2), || format!("{}", output.status))?;
    // With the precondition there is nothing to find.
    let stated: Vec<&str> = requires.iter().flat_map(|condition| ["--assume", condition]).collect();
    expect_verdict(&sole(&verify(path, &flags, &stated)?)?, "verified")
}

fn precondition_follows_from_the_contract(path: &Path, source: &str) -> Result<(), Failure> {
    let Case { requires, flags, contract, .. } = Case::of(source)?;
    expect_verdict(&sole(&verify(path, &flags, &["--assume", contract])?)?, "verified")?;
    let otherwise = format!("!({})", requires.join(" && "));
    let output = verify(path, &flags, &["--assume", contract, "--assume", &otherwise])?;
    let error = String::from_utf8_lossy(&output.stderr);
    ensure(output.status.code() == Some(3) && error.contains("contradict each other"), || {
        format!("{}: {error}", output.status)
    })
}

fn defect_is_not_excused(path: &Path, source: &str) -> Result<(), Failure> {
    let Case { flags, .. } = Case::of(source)?;
    let output = verify(path, &flags, &["-D", "DEFECT"])?;
    expect_verdict(&sole(&output)?, "defect")?;
    ensure(output.status.code() == Some(1), || format!("{}", output.status))
}

pub fn groups() -> Vec<Group> {
    let kernels = r"\.c[lu]$";
    vec![
        Group::new(precondition_is_found, "tests/preconditions", kernels),
        Group::new(precondition_follows_from_the_contract, "tests/preconditions", kernels),
        Group::new(defect_is_not_excused, "tests/preconditions", kernels),
    ]
}
