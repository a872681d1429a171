//! Recorded launches on the command line (`--json`).
//!
//! The facts of a recording become preconditions, and its faults are reported with their places.

use std::fs;
use std::process::{Command, Output};

use tempfile::TempDir;

/// `shift` is correct if no thread writes a cell that another reads, that is, if `n` is 0 or large
/// enough.
const KERNEL: &str = "__kernel void shift(__global int *a, int n) {\n  int i = get_global_id(0);\n  \
    if (i + n < STEP * get_global_size(0)) a[i + n] = a[i];\n}\n\
    __kernel void halves(__local int *l, sampler_t s, image2d_t m) {\n  l[get_local_id(0)] = 1;\n}\n";

const LAUNCH: &str = r#"{ "language": "OpenCL", "kernel_file": "k.cl", "entry_point": "shift", "local_size": [64],
  "global_size": [256], "compiler_flags": "-DSTEP=2 -cl-mad-enable", "kernel_arguments":
  [ { "type": "array", "size": 2048 }, { "type": "scalar", "value": "0x100" } ], "host_api_calls":
  [ { "function_name": "clEnqueueNDRangeKernel", "compilation_unit": "host.c", "line_number": 12 } ] }"#;

/// A folder with the kernels and a recording of these launches.
fn folder(launches: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::create_dir(folder.path().join("recorded")).expect("a folder can be made");
    fs::write(folder.path().join("recorded/k.cl"), KERNEL).expect("a file can be written");
    let text = format!("[ {} ]\n", launches.join(",\n"));
    fs::write(folder.path().join("recorded/all.json"), text).expect("a file can be written");
    folder
}

fn run(folder: &TempDir, options: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
    command.env("NO_COLOR", "1").current_dir(folder.path());
    let Output { status, stdout, stderr } =
        command.args(["verify", "recorded/all.json"]).args(options).output().expect("lockstep runs");
    (status.code(), String::from_utf8_lossy(&stdout).into_owned(), String::from_utf8_lossy(&stderr).into_owned())
}

#[track_caller]
fn check(launches: &[&str], options: &[&str], status: i32, on_stdout: &[&str], on_stderr: &[&str]) {
    let (code, stdout, stderr) = run(&folder(launches), options);
    assert_eq!(code, Some(status), "stdout:\n{stdout}\nstderr:\n{stderr}");
    for (text, parts) in [(&stdout, on_stdout), (&stderr, on_stderr)] {
        for part in parts {
            assert!(text.contains(part), "`{part}` is missing in:\n{text}");
        }
    }
}

#[test]
fn recorded_values_are_preconditions() {
    let listed = [
        "verified shift",
        "4 groups of 64 threads, with n = 256, as host.c:12 launches it, recorded in recorded/all.json:1",
        "the argument n is 256 (recorded)",
        "the array a has 2048 bytes (recorded)",
    ];
    check(&[LAUNCH], &["--json"], 0, &listed, &["note: recorded/all.json: the compiler flag -cl-mad-enable"]);
    // One thread writes the cell that another reads.
    check(&[&LAUNCH.replace("0x100", "0xff")], &["--json"], 1, &["race", "n = 255"], &[]);
    check(&[&LAUNCH.replace("2048", "2044")], &["--json"], 1, &["outside the array"], &[]);
    check(&[&LAUNCH.replace("STEP=2", "STEP=3")], &["--json"], 0, &[], &[]);
    check(&[&LAUNCH.replace("[256]", "[512]")], &["--json"], 1, &["outside the array", "8 groups"], &[]);
    let open = LAUNCH.replace(r#", "value": "0x100""#, "");
    check(&[&open], &["--json"], 1, &["race"], &[]);
}

#[test]
fn one_verdict_per_distinct_launch() {
    let again = LAUNCH.replace("12", "20");
    let other = LAUNCH.replace("0x100", "0x1");
    let launches = [LAUNCH, &other, &again];
    let parts = ["as host.c:12, host.c:20 launch it, recorded in recorded/all.json:1, recorded/all.json:9", "n = 1,"];
    check(&launches, &["--json"], 1, &[&parts[..], &["2 kernels: 1 verified, 1 defect"]].concat(), &[]);
    check(&launches, &["--json", "--verify-all-intercepted"], 1, &["2 kernels"], &[]);
    check(&launches, &["--json", "--verify-intercepted=2"], 0, &["recorded in recorded/all.json:9"], &[]);
    check(&launches, &["--json", "--verify-intercepted", "1"], 1, &["recorded in recorded/all.json:5"], &[]);
    check(&launches, &["--json", "--verify-intercepted=3"], 3, &[], &["has 3 launches, and none of number 3"]);
}

#[test]
fn where_nothing_is_verified_something_is_wrong() {
    check(&[], &["--json"], 3, &[], &["error: recorded/all.json: no recorded launch"]);
    check(&[], &["--json", "--list-intercepted"], 3, &[], &["error: recorded/all.json: no recorded launch"]);
    check(&[], &["--json", "--exit-codes=gpuverify"], 10, &[], &[]);
    let never = "error: no recorded launch of kernel halves";
    check(&[LAUNCH], &["--json", "--kernel=halves"], 3, &[], &[never]);
    check(&[LAUNCH], &["--json", "--kernel=halves", "--exit-codes=gpuverify"], 1, &[], &[]);
    check(&[LAUNCH], &["--json", "--kernel=halves", "--kernel=shift"], 3, &["verified shift"], &[never]);
    check(&[LAUNCH], &["--json", "--kernel=twist"], 3, &[], &["no kernel `twist` in the input"]);
    // A faulty one still counts as a launch.
    let halves = LAUNCH.replace("shift", "halves").replace("[64]", "[60]");
    let (code, _, stderr) = run(&folder(&[LAUNCH, &halves]), &["--json", "--kernel=halves"]);
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.contains("kernel halves: global size") && !stderr.contains("no recorded launch"), "{stderr}");
}

#[test]
fn the_list_of_launches() {
    let list = "[0] shift (k.cl), recorded in recorded/all.json:1\n  256 threads in groups of 64 threads\n  \
        compiled with -DSTEP=2 -cl-mad-enable\n  argument 0: an array of 2048 bytes\n  argument 1: 0x100\n  \
        clEnqueueNDRangeKernel called in host.c:12\n[1] shift";
    check(&[LAUNCH, LAUNCH], &["--json", "--list-intercepted"], 0, &[list], &[]);
}

#[test]
fn the_report_for_programs() {
    let (_, stdout, _) = run(&folder(&[LAUNCH]), &["--json", "--format=json"]);
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("the report is JSON");
    let expected = serde_json::json!({ "block": [64], "grid": [4], "at": [{ "file": "host.c", "line": 12 }],
        "recorded": [{ "file": "recorded/all.json", "line": 1 }] });
    assert_eq!(report["kernels"][0]["launch"], expected);
}

#[test]
fn a_fault_has_its_place() {
    let fault = |from: &str, to: &str, parts: &[&str]| {
        let broken = LAUNCH.replace(from, to);
        assert_ne!(broken, LAUNCH);
        check(&[LAUNCH, &broken], &["--json"], 3, &[], parts);
        check(&[&broken], &["--json", "--exit-codes=gpuverify"], 10, &[], &[]);
    };
    fault("[64]", "[\"64\"]", &["recorded/all.json:5:", "expected u64"]);
    fault("[64]", "[60]", &["recorded/all.json:5: kernel shift: global size 256 is not a multiple of local size 60"]);
    fault("[64]", "[64, 1]", &["recorded/all.json:5: kernel shift: the global size has 1 dimension"]);
    fault("k.cl", "l.cl", &["recorded/all.json:5: cannot read recorded/l.cl"]);
    fault(
        "\"shift\"",
        "\"twist\"",
        &["recorded/all.json:5: no kernel `twist` in recorded/k.cl; there are: shift, halves"],
    );
    fault(
        "-DSTEP=2 -cl-mad-enable",
        "-DSTEP=2 -D",
        &["recorded/all.json:5: kernel shift: the compiler flag -D has no value"],
    );
    fault("0x100\"", "0x100000000\"", &["all.json:5: kernel shift", "recorded: 4294967296 does not fit n"]);
    fault("\"array\", \"size\": 2048", "\"scalar\"", &["a is recorded as a scalar, which it is not"]);
    fault(
        "\"size\": 2048",
        "\"address_space\": \"local\"",
        &["a is recorded as an array in local memory, and is in global"],
    );
    fault("{ \"type\": \"array\", \"size\": 2048 },", "", &["1 argument recorded, and there are 2 parameters"]);
}

#[test]
fn arguments_without_a_value() {
    let halves = LAUNCH.replace("shift", "halves").replace(
        r#"[ { "type": "array", "size": 2048 }, { "type": "scalar", "value": "0x100" } ]"#,
        r#"[ { "type": "array", "size": 256, "address_space": "local" }, { "type": "sampler" }, { "type": "image" } ]"#,
    );
    check(&[&halves], &["--json"], 0, &["the array l has 256 bytes (recorded)"], &[]);
    check(&[&halves.replace("\"size\": 256", "\"size\": 252")], &["--json"], 1, &["outside the array"], &[]);
    check(&[&halves.replace("\"image\"", "\"sampler\"")], &["--json"], 3, &[], &["m is recorded as a sampler"]);
}

#[test]
fn conflicting_options_are_refused() {
    check(&[LAUNCH], &["--json", "--local_size=64"], 3, &[], &["--recorded-launches", "--local-size"]);
    for option in ["--list-intercepted", "--verify-intercepted=0", "--verify-all-intercepted"] {
        check(&[LAUNCH], &[option], 3, &[], &["need --recorded-launches"]);
        check(&[LAUNCH], &[option, "--local_size=64"], 3, &[], &["need --recorded-launches"]);
    }
    check(&[LAUNCH], &["--json", "--list-intercepted", "--verify-intercepted=0"], 3, &[], &["cannot be used with"]);
}
