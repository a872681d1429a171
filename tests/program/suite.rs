//! `lockstep suite`: the files that are run, their expectations, and the comparison.

use std::fs;

use crate::command::{ADD, Folder, POSSIBLE, TWO, check};

#[test]
fn the_suite_compares_with_the_first_lines() {
    let pass = format!("//pass\n//--local_size=64 --num_groups=4 --no-inline\n{ADD}");
    let fail = format!("//xfail:NOT_ALL_VERIFIED\n//--local_size=64 --num_groups=4\n{ADD}");
    let flags = format!("//xfail:COMMAND_LINE_ERROR\n//--local_size=64 --global_size=100\n{ADD}");
    let files: [(&str, &[u8]); 3] = [("a.cl", pass.as_bytes()), ("b.cl", fail.as_bytes()), ("c.cl", flags.as_bytes())];
    let folder = Folder::new(&files);
    check(&folder, &["suite", ".", "-o", "table.json"], 1, &[]);
    let text = fs::read_to_string(folder.path("table.json")).expect("the table is written");
    let table: serde_json::Value = serde_json::from_str(&text).expect("the table is JSON");
    let agreements: Vec<_> = table["rows"].as_array().expect("rows").iter().map(|row| &row["agreement"]).collect();
    assert_eq!(agreements, ["agrees", "disagrees", "agrees"]);
    check(&folder, &["suite", ".", "--filter", "^[ac]"], 0, &[]);
    let explained = "b.cl verified nothing is wrong with it\n";
    fs::write(folder.path("why"), explained).expect("a file can be written");
    check(&folder, &["suite", ".", "--explanations", "why"], 0, &[]);
}

#[test]
fn a_suite_leaves_no_file_out_in_silence() {
    let folder = Folder::new(&[("a.cl", format!("//pass\n//\n{ADD}").as_bytes()), ("b.cl", ADD.as_bytes())]);
    check(&folder, &["suite", "."], 0, &["note: 1 file without an expected verdict left out"]);
    std::os::unix::fs::symlink("nowhere", folder.path("c.cl")).expect("a link can be made");
    check(&folder, &["suite", "."], 3, &["cannot read ./c.cl"]);
    check(&folder, &["suite", "a.cl"], 3, &["cannot read the folder a.cl"]);
    check(&folder, &["suite", ".", "--filter", "("], 3, &["--filter is not a regular expression"]);
    check(&folder, &["suite", ".", "--filter", "z"], 3, &["no .cl, .cu, .hip or .ptx file to run"]);
}

#[test]
fn suite_expects_more_than_pass_and_fail() {
    let file = |code: &str, text: &str| format!("//{code}\n//--local_size=64 --num_groups=4\n{text}");
    let clang = file("xfail:CLANG_ERROR", "__kernel void k() { int = 3; }\n");
    let other = file("xfail:BUGLE_ERROR", ADD);
    let pass = file("pass", "__kernel void k(__global int *a) { a[0] = get_local_id(0); }\n");
    let unknown =
        file("xfail:NOT_ALL_VERIFIED", "__kernel void k(__global int *a) { a[sub_group_reduce_add(1)] = 1; }\n");
    let unknown = unknown.replace("//--", "//--cl-std=CL3.0 --");
    // A refusal agrees with an expected one, unless that is the compiler's.
    let refused = unknown.replace("NOT_ALL_VERIFIED", "BUGLE_ERROR");
    let misplaced = file(
        "xfail:GPUVERIFYVCGEN_ERROR",
        "__kernel void k(__global int *a) { a[0] = 1; __invariant(a[0] == 1); a[0] = 2; }\n",
    );
    let compiler = clang.replace("CLANG_ERROR", "GPUVERIFYVCGEN_ERROR");
    let folder = Folder::new(&[
        ("a.cl", clang.as_bytes()),
        ("b.cl", other.as_bytes()),
        ("c.cl", pass.as_bytes()),
        ("d.cl", unknown.as_bytes()),
        ("e.cl", refused.as_bytes()),
        ("f.cl", misplaced.as_bytes()),
        ("g.cl", compiler.as_bytes()),
    ]);
    let output = folder.run(&["suite", ".", "-o", "table.json"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for part in ["b.cl: expects xfail:BUGLE_ERROR, is verified", "race on a[0] at line 3", "median", "p95"] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    let table = fs::read_to_string(folder.path("table.json")).expect("the table is written");
    let table: serde_json::Value = serde_json::from_str(&table).expect("the table is JSON");
    let agreements: Vec<_> = table["rows"].as_array().expect("rows").iter().map(|row| &row["agreement"]).collect();
    assert_eq!(agreements, ["agrees", "disagrees", "disagrees", "unknown", "agrees", "agrees", "disagrees"]);
    for key in ["median", "mean", "p95", "max"] {
        assert!(table["seconds"][key].as_f64().is_some(), "{key} is missing in {table}");
    }
    // An unknown is less severe than a disagreement.
    check(&folder, &["suite", ".", "--filter", "[ad]"], 2, &[]);
}

#[test]
fn a_suite_of_searches_for_defects() {
    let file =
        |expected: &str, text: &str| format!("//{expected}\n//--local_size=64 --num_groups=4 --findbugs\n{text}");
    let (pass, fails, none) =
        (file("pass", ADD), file("xfail:NOT_ALL_VERIFIED", TWO), file("xfail:NOT_ALL_VERIFIED", ADD));
    let folder = Folder::new(&[("a.cl", pass.as_bytes()), ("b.cl", fails.as_bytes()), ("c.cl", none.as_bytes())]);
    check(&folder, &["suite", ".", "--filter", "[ab]"], 0, &[]);
    check(&folder, &["suite", "."], 2, &[]);
}

/// GPUVerify reports possible failures, so a possible finding meets the expectation of a failure.
#[test]
fn a_possible_finding_is_an_expected_failure() {
    let file = |expected: &str| format!("//{expected}\n//--local_size=64 --num_groups=1\n{POSSIBLE}");
    let (fails, pass) = (file("xfail:NOT_ALL_VERIFIED"), file("pass"));
    let folder = Folder::new(&[("a.cl", fails.as_bytes()), ("b.cl", pass.as_bytes())]);
    check(&folder, &["suite", ".", "--filter=a"], 0, &[]);
    check(&folder, &["suite", ".", "--filter=a", "--strict"], 0, &[]);
    check(&folder, &["suite", ".", "--filter=b"], 2, &[]);
    check(&folder, &["suite", ".", "--filter=b", "--strict"], 1, &[]);
}
