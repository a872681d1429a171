//! The command line's exit statuses and messages for bad input, and the shape of the JSON report.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

const ADD: &str = "__kernel void add(__global int *a, __global const int *b) {\n  \
    int i = get_global_id(0);\n  a[i] += b[i];\n}\n";

/// A folder of its own for a test, with files in it.
struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("a file can be written");
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, words: &[&str]) -> Output {
        lockstep().current_dir(self.0.path()).args(words).output().expect("lockstep runs")
    }
}

fn lockstep() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
    command.env("NO_COLOR", "1");
    command
}

/// Runs `lockstep` and compares its exit status; every part must be on stderr.
#[track_caller]
fn check(folder: &Folder, words: &[&str], status: i32, on_stderr: &[&str]) {
    let output = folder.run(words);
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "stdout:\n{stdout}\nstderr:\n{stderr}");
    for part in on_stderr {
        assert!(stderr.contains(part), "`{part}` is missing in:\n{stderr}");
    }
}

#[test]
fn a_missing_file_is_named() {
    check(&Folder::new(&[]), &["verify", "nowhere.cl"], 3, &["nowhere.cl"]);
}

#[test]
fn a_folder_is_no_file() {
    check(&Folder::new(&[]), &["verify", "."], 3, &["error: "]);
}

#[test]
fn an_ending_that_is_not_known() {
    let folder = Folder::new(&[("a.txt", b"")]);
    check(&folder, &["verify", "a.txt"], 3, &["a.txt: not a kind of file Lockstep reads"]);
}

#[test]
fn garbage_is_not_bitcode() {
    let folder = Folder::new(&[("a.bc", b"\xde\xad\xbe\xef garbage \x00\x01\x02")]);
    check(&folder, &["verify", "a.bc"], 3, &["a.bc: not valid LLVM IR"]);
}

#[test]
fn the_compilers_own_words_for_a_syntax_error() {
    let folder = Folder::new(&[("a.cl", b"__kernel void k() { int = 3; }\n")]);
    check(&folder, &["verify", "a.cl"], 3, &["a.cl does not compile", "a.cl:1:2", "expected identifier"]);
}

#[test]
fn a_file_without_a_kernel() {
    let folder = Folder::new(&[("a.cl", b"int f(int x) { return x; }\n")]);
    check(&folder, &["verify", "a.cl"], 3, &["a.cl: no kernel in this file"]);
}

#[test]
fn a_kernel_that_is_not_there() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    check(&folder, &["verify", "a.cl", "--kernel", "sub"], 3, &["no kernel `sub`", "add"]);
    check(&folder, &["inspect", "a.cl", "--kernel", "sub"], 3, &["no kernel `sub`", "add"]);
}

#[test]
fn sizes_that_are_none() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    check(&folder, &["verify", "a.cl", "--local-size=0"], 3, &["a size of 0"]);
    check(&folder, &["verify", "a.cl", "--local-size=lots"], 3, &["`lots` is not a size"]);
    check(&folder, &["verify", "a.cl", "--local-size=2147483649"], 3, &["more than 2^31"]);
    check(&folder, &["verify", "a.cl", "--local-size=1,1,1,1"], 3, &["more than three dimensions"]);
    let words = ["verify", "a.cl", "--local-size=64", "--global-size=100"];
    check(&folder, &words, 3, &["global size 100 is not a multiple of local size 64"]);
}

#[test]
fn sizes_that_contradict_each_other_or_the_source() {
    let source = ADD.replace("__kernel", "__kernel __attribute__((reqd_work_group_size(32, 1, 1)))");
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    check(&folder, &["verify", "a.cl", "--local-size=64"], 3, &["reqd_work_group_size(32,1,1)"]);
    let words = ["verify", "a.cl", "--num-groups=2", "--global-size=128"];
    check(&folder, &words, 3, &["cannot be used with"]);
}

#[test]
fn no_clang() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    check(&folder, &["verify", "a.cl", "--clang=/nowhere/clang"], 3, &["/nowhere/clang"]);
}

#[test]
fn commands_and_formats_that_are_not_there() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    check(&folder, &[], 3, &["Usage"]);
    check(&folder, &["verify"], 3, &["INPUT"]);
    check(&folder, &["prove", "a.cl"], 3, &["prove"]);
    check(&folder, &["verify", "a.cl", "--no-such-flag"], 3, &["--no-such-flag"]);
    check(&folder, &["run", "a.cl"], 3, &["not available yet"]);
    check(&folder, &["verify", "a.cl", "--format=sarif"], 3, &["sarif is not available yet"]);
    check(&folder, &["verify", "a.cl", "--format=html"], 3, &["html is not available yet"]);
    check(&folder, &["suite", "."], 3, &["begins with //pass"]);
    check(&folder, &["suite", "nowhere"], 3, &["nowhere"]);
}

#[test]
fn values_that_do_not_fit_the_kernel() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    check(&folder, &["verify", "a.cl", "--kernel-args=add,7"], 3, &["1 values for kernel add"]);
    check(&folder, &["verify", "a.cl", "--kernel-args=sub,7"], 3, &["no kernel `sub`"]);
}

#[test]
fn help_and_version_are_no_errors() {
    let folder = Folder::new(&[]);
    check(&folder, &["--help"], 0, &[]);
    let output = folder.run(&["--version"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(text.starts_with("lockstep 0."), "{text}");
    assert!(text.contains("LLVM 19.") && text.contains("Z3 5."), "{text}");
}

#[test]
fn errors_of_one_file_leave_the_others_their_verdicts() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    let words = ["verify", "nowhere.cl", "a.cl", "--local-size=64", "--num-groups=4", "--format=json", "-o", "report"];
    check(&folder, &words, 3, &["nowhere.cl"]);
    let text = fs::read_to_string(folder.path("report")).expect("the report is written");
    let report: serde_json::Value = serde_json::from_str(&text).expect("the report is JSON");
    assert_eq!(report["schema"], "lockstep-report/1");
    assert_eq!(report["errors"].as_array().map(Vec::len), Some(1));
    let kernel = &report["kernels"][0];
    assert_eq!((&kernel["name"], &kernel["verdict"]), (&"add".into(), &"verified".into()));
    assert_eq!(kernel["launch"], serde_json::json!({ "block": [64], "grid": [4] }));
    for key in ["file", "line", "reason", "findings", "assumptions", "statistics"] {
        assert!(!kernel[key].is_null() || key == "reason", "{key} is missing in {kernel}");
    }
}

#[test]
fn a_race_is_shown_with_both_accesses() {
    let source = "__kernel void shift(__global int *a) {\n  int i = get_global_id(0);\n  a[i] = a[i + 1];\n}\n";
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    let output = folder.run(&["verify", "a.cl", "--local-size=64", "--num-groups=1"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for part in ["LS0101", "(1) thread (", "(2) thread (", "a[i] = a[i + 1];", "not replayed", "defect shift"] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}

#[test]
fn the_suite_compares_with_the_first_lines() {
    let pass = format!("//pass\n//--local_size=64 --num_groups=4 --no-inline\n{ADD}");
    let fail = format!("//xfail:NOT_ALL_VERIFIED\n//--local_size=64 --num_groups=4\n{ADD}");
    let flags = format!("//xfail:COMMAND_LINE_ERROR\n//--local_size=64 --global_size=100\n{ADD}");
    let files: [(&str, &[u8]); 3] = [("a.cl", pass.as_bytes()), ("b.cl", fail.as_bytes()), ("c.cl", flags.as_bytes())];
    let folder = Folder::new(&files);
    check(&folder, &["suite", ".", "--json", "table.json"], 1, &[]);
    let text = fs::read_to_string(folder.path("table.json")).expect("the table is written");
    let table: serde_json::Value = serde_json::from_str(&text).expect("the table is JSON");
    let agreements: Vec<_> = table["rows"].as_array().expect("rows").iter().map(|row| &row["agreement"]).collect();
    assert_eq!(agreements, ["agrees", "disagrees", "agrees"]);
    check(&folder, &["suite", ".", "--filter", "^[ac]"], 0, &[]);
    let explained = "b.cl verified nothing is wrong with it\n";
    fs::write(folder.path("why"), explained).expect("a file can be written");
    check(&folder, &["suite", ".", "--explanations", "why"], 0, &[]);
}
