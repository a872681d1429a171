//! The same input gives the same report, times and memory apart.
//!
//! No result depends on the clock, on the order in which threads finish, or on memory addresses.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Kernels whose verdicts are reached in different ways.
///
/// They cover an induction, the execution of all loops, a search among concrete executions, models
/// of the solver, several findings, and small launches. One is an `unknown` with its reason, after
/// all stages of proof and search.
const KERNELS: [&str; 8] = [
    "examples/strided_fill",
    "examples/break_two_places",
    "examples/histogram_local",
    "examples/separable_convolution_defect",
    "examples/switch_fall_through_defect",
    "examples/sized_pointers_defect",
    "tests/kernels/small_scope_planes_defect",
    "tests/reasons/lost_before_the_loop",
];

#[test]
fn reports_are_the_same_each_time_and_with_any_number_of_threads() {
    for example in KERNELS {
        let first = report(example, 1);
        assert!(first["kernels"][0]["statistics"]["queries"].as_u64() > Some(0), "{example} asks the solver something");
        for jobs in [1, 2] {
            let another = report(example, jobs);
            assert_eq!(first, another, "{example} with -j {jobs}");
        }
    }
}

/// The report on an example, without the parts that may differ.
fn report(example: &str, jobs: usize) -> Value {
    let path = Path::new(example).with_extension("cl");
    let source = std::fs::read_to_string(&path).expect("an example");
    let flags = source.lines().nth(1).and_then(|line| line.strip_prefix("//")).expect("flags in the second line");
    let output = Command::new(env!("CARGO_BIN_EXE_lockstep"))
        .arg("verify")
        .arg(&path)
        .args(flags.split_whitespace())
        // The clock must not decide, however busy the machine is.
        .args(["--timeout=600", "--no-cache", "--format", "json", "-j", &jobs.to_string()])
        .output()
        .expect("lockstep runs");
    let mut report: Value = serde_json::from_slice(&output.stdout).expect("a JSON report");
    let kernels = report["kernels"].as_array_mut().expect("kernels");
    assert!(!kernels.is_empty(), "{example}");
    for kernel in kernels {
        let statistics = kernel["statistics"].as_object_mut().expect("statistics");
        assert!(statistics.remove("seconds").is_some() && statistics.remove("peak_rss_bytes").is_some());
    }
    report
}
