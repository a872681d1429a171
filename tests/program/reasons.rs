//! The reasons that reports give.
//!
//! Each kernel of `tests/reasons/` has its verdict in the first line and its flags in the second,
//! as those of `tests/examples.rs` do (with `--strict`, as nothing is run). The next lines are
//! expectations of the JSON report:
//!
//! * `//reason: TEXT`: the reason of the `unknown` contains this.
//! * `//because: TEXT`: the cause of some finding contains this.
//! * `//not because: TEXT`: the cause of no finding does.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

#[test]
fn reports_say_why() {
    let mut files: Vec<PathBuf> = std::fs::read_dir("tests/reasons")
        .expect("the folder of the kernels")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    assert!(files.len() >= 10, "{} kernels", files.len());
    let wrong: Vec<String> = files.iter().flat_map(|file| failures(file)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The faults of the report on a kernel.
fn failures(file: &Path) -> Vec<String> {
    let source = std::fs::read_to_string(file).expect("a kernel");
    let lines: Vec<&str> = source.lines().collect();
    let flags = lines[1].strip_prefix("//").expect("flags in the second line");
    let output = Command::new(env!("CARGO_BIN_EXE_lockstep"))
        .arg("verify")
        .arg(file)
        .args(flags.split_whitespace())
        .args(["--no-cache", "--no-replay", "--strict", "--format", "json"])
        .output()
        .expect("lockstep runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a JSON report");
    let kernel = &report["kernels"][0];
    let expected = match lines[0] {
        "//unknown" => "unknown",
        "//xfail:NOT_ALL_VERIFIED" => "defect",
        other => panic!("{}: {other}", file.display()),
    };
    let mut wrong = Vec::new();
    if kernel["verdict"] != expected {
        wrong.push(format!("{}: {} instead of {expected}: {}", file.display(), kernel["verdict"], kernel["reason"]));
    }
    let reason = kernel["reason"].as_str().unwrap_or_default();
    let findings = kernel["findings"].as_array().expect("findings");
    let because: Vec<&str> = findings.iter().filter_map(|finding| finding["because"].as_str()).collect();
    let mut expectations = 0;
    for line in lines {
        let holds = if let Some(text) = line.strip_prefix("//reason: ") {
            reason.contains(text)
        } else if let Some(text) = line.strip_prefix("//because: ") {
            because.iter().any(|because| because.contains(text))
        } else if let Some(text) = line.strip_prefix("//not because: ") {
            because.iter().all(|because| !because.contains(text))
        } else {
            continue;
        };
        expectations += 1;
        if !holds {
            wrong.push(format!("{}: {line}\n    reason: {reason}\n    because: {because:?}", file.display()));
        }
    }
    assert!(expectations > 0, "{} expects nothing", file.display());
    wrong
}
