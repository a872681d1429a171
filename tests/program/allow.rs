//! Findings that comments of the source allow.

use std::fs;

use serde_json::Value;

use crate::command::{Folder, SIZES, lockstep};

const COMMENT: &str = "// lockstep: allow(LS0101) every thread writes what is never read";

/// A race whose accesses are on one line.
fn one(before: &str, behind: &str) -> String {
    format!("__kernel void one(__global int *a) {{\n{before}\n  a[0] = get_global_id(0); {behind}\n}}\n")
}

fn run(text: &str, words: &[&str]) -> (i32, String, String) {
    let folder = Folder::new(&[("one.cl", text.as_bytes())]);
    let output = folder.run(&[&["verify", "one.cl", SIZES[0], SIZES[1]], words].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

#[track_caller]
fn check(text: &str, status: i32, parts: &[&str]) {
    let (code, stdout, stderr) = run(text, &[]);
    assert_eq!(code, status, "{stdout}{stderr}");
    for part in parts {
        assert!(stdout.contains(part) || stderr.contains(part), "`{part}` is missing in:\n{stdout}{stderr}");
    }
}

#[test]
fn an_allowed_finding_leaves_the_verdict_and_not_the_status() {
    let said = ["defect one (one.cl:1): 2 findings allowed", "  allowed: LS0101: write-write race on a[0]"];
    let reason = "(one.cl:3: every thread writes what is never read)";
    check(&one("", COMMENT), 0, &[said[0], said[1], reason]);
    check(&one(COMMENT, ""), 0, &[said[0], "(one.cl:2: every thread"]);
    check(&one("", ""), 1, &["defect one (one.cl:1): 2 findings\n"]);
}

#[test]
fn comments_elsewhere_allow_nothing() {
    let unused = "one.cl:2: no finding LS0102 here to allow";
    check(&one("// lockstep: allow(LS0102) another code", ""), 1, &[unused]);
    check(&one(&format!("{COMMENT}\n  int x = 0;"), ""), 1, &["one.cl:2: no finding LS0101 here to allow"]);
    check(&one("", &format!("\n{COMMENT}")), 1, &["one.cl:4: no finding LS0101 here to allow"]);
    // It is code of a string, of a block comment, or not seen by the compiler.
    check(&one("", &format!("__constant char *s = \"{COMMENT}\";")), 1, &["2 findings\n"]);
    check(&one("", &format!("/* {COMMENT} */")), 1, &["2 findings\n"]);
    check(&one(&format!("#if 0\n{COMMENT}\n#endif"), ""), 1, &["2 findings\n"]);
    check(&one(&format!("#line 2\n{COMMENT}"), ""), 1, &["2 findings\n"]);
}

#[test]
fn a_reason_is_required() {
    check(&one("", "// lockstep: allow(LS0101)"), 1, &["warning: one.cl:3: it allows nothing without a reason"]);
    check(&one("", "// lockstep: allow LS0101 why"), 1, &["warning: one.cl:3: a comment for Lockstep has the form"]);
    check(&one("", "// lockstep: allow(LS0203) why"), 1, &["a missing answer, which cannot be allowed"]);
}

/// The other findings of the kernel count as before, those of other pairs of threads as well.
#[test]
fn other_findings_still_count() {
    let text = "__kernel void two(__global int *a, __global int *b) {\n  __local int c[1];\n  \
        c[0] = get_local_id(0); // lockstep: allow(LS0101) it is never read\n  b[get_local_id(0)] = get_group_id(0);\n}\n";
    check(text, 1, &["1 finding, 1 allowed", "threads of different groups"]);
}

/// One of the two accesses is enough.
#[test]
fn a_race_is_allowed_at_either_access() {
    let text = |first: &str, second: &str| {
        format!(
            "__kernel void two(__global int *a, __global int *b) {{\n  int i = get_global_id(0);\n  a[i] = i; {first}\n  \
             b[i] = a[i + 1]; {second}\n}}\n"
        )
    };
    check(&text(COMMENT, ""), 0, &["allowed"]);
    check(&text("", COMMENT), 0, &["allowed"]);
    check(&text("", ""), 1, &[]);
}

#[test]
fn a_possible_finding_can_be_allowed() {
    let text = "int slot(int);\n__kernel void place(__global int *a) {\n  int i = get_local_id(0);\n  \
        a[slot(i)] = i; // lockstep: allow(LS0101) slots are distinct\n}\n";
    check(text, 0, &["unknown place"]);
}

#[test]
fn reports_for_programs_have_the_reason() {
    let text = one("", COMMENT);
    let (_, json, _) = run(&text, &["--format=json"]);
    let report: Value = serde_json::from_str(&json).expect("JSON");
    let kernel = &report["kernels"][0];
    assert_eq!((kernel["verdict"].as_str(), kernel["findings"].as_array().map(Vec::len)), (Some("defect"), Some(0)));
    let allowed = &kernel["allowed"][0];
    assert_eq!(allowed["code"], "LS0101");
    assert_eq!(allowed["justification"], "every thread writes what is never read");
    assert_eq!(allowed["allowed_at"]["line"], 3);

    let both = format!("{text}__kernel void bad(__global int *a) {{ a[1] = get_global_id(0); }}\n");
    let (status, sarif, _) = run(&both, &["--format=sarif"]);
    let log: Value = serde_json::from_str(&sarif).expect("SARIF");
    let results = log["runs"][0]["results"].as_array().expect("results");
    // The standard has suppressions for all results or for none.
    let suppressed: Vec<usize> =
        results.iter().map(|result| result["suppressions"].as_array().expect("suppressions").len()).collect();
    assert!(status == 1 && suppressed.contains(&0) && suppressed.contains(&1), "{suppressed:?}");
    let suppression = &results[suppressed.iter().position(|&number| number == 1).unwrap()]["suppressions"][0];
    assert_eq!(suppression["kind"], "inSource");
    assert_eq!(suppression["justification"], "every thread writes what is never read");
    assert_eq!(suppression["location"]["physicalLocation"]["region"]["startLine"], 3);

    let (_, page, _) = run(&text, &["--format=html"]);
    assert!(page.contains("Allowed by the source") && page.contains("what is never read"));
    assert_eq!(run(&text, &["--quiet"]).1, "");
}

/// Without its comment the finding counts again.
#[test]
fn a_baseline_does_not_take_allowed_findings_over() {
    let folder = Folder::new(&[("one.cl", one("", COMMENT).as_bytes())]);
    let words = ["verify", "one.cl", SIZES[0], SIZES[1], "--format=sarif", "-o", "known.sarif"];
    assert!(folder.run(&words).status.success());
    fs::write(folder.path("one.cl"), one("", "")).expect("a file");
    let output = folder.run(&["verify", "one.cl", SIZES[0], SIZES[1], "--baseline=known.sarif"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

/// Only part of the kernels or checks was asked for, so the finding may well be there.
#[test]
fn a_comment_is_unused_only_if_everything_was_checked() {
    let text = format!("{}__kernel void good(__global int *a) {{ a[get_global_id(0)] = 1; }}\n", one("", COMMENT));
    let folder = Folder::new(&[("k.cl", text.as_bytes())]);
    let output = folder.run(&["verify", "k.cl", "--kernel=good"]);
    assert!(output.status.success() && !String::from_utf8_lossy(&output.stderr).contains("to allow"), "{output:?}");
}

/// The text of a comment that a hostile repository has does not reach the terminal as it is.
#[test]
fn reasons_are_shown_without_control_characters() {
    let text = one("", "// lockstep: allow(LS0101) \u{1b}[2Jgone");
    let folder = Folder::new(&[]);
    fs::write(folder.path("k.cl"), text).expect("a file");
    let output = lockstep().current_dir(folder.0.path()).args(["verify", "k.cl"]).output().expect("it runs");
    assert!(!output.stdout.contains(&0x1b), "{output:?}");
}

/// One missing barrier lets `s` race with both reads. The comment is about the first.
#[test]
fn a_comment_excuses_no_other_finding_of_the_same_cause() {
    let kernel = |comment: &str| {
        format!(
            "__kernel void one(__global int *a) {{\n  __local int s[64], q[64];\n  int t = get_local_id(0);\n  \
             s[t] = t;\n  q[t] = t;\n  a[get_global_id(0)] = s[63 - t]; {comment}\n  \
             a[get_global_id(0)] += q[63 - t];\n}}\n"
        )
    };
    check(&kernel(""), 1, &["1 finding\n", "probably of the same cause: write-read on q (lines 5 and 7)"]);
    check(&kernel(COMMENT), 1, &["write-read race on q", "  allowed: LS0101: write-read race on s"]);
}
