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
fn an_unknown_family_of_invariants_is_refused() {
    let folder = Folder::new(&[("add.cl", ADD.as_bytes())]);
    check(&folder, &["verify", "add.cl", "--omit-infer", "strides"], 3, &["strides", "stride"]);
    check(&folder, &["verify", "add.cl", "--omit-infer", "stride", "--local-size", "64"], 0, &[]);
}

#[test]
fn an_unknown_technique_is_refused() {
    let folder = Folder::new(&[("add.cl", ADD.as_bytes())]);
    check(&folder, &["verify", "add.cl", "--without", "integer"], 3, &["integer", "integers", "own-writes"]);
    let two = ["verify", "add.cl", "--without", "integers", "--without=cases", "--local-size", "64"];
    check(&folder, &two, 0, &[]);
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
    check(&folder, &words, 3, &["2 groups of 32 threads are not a global size of 128 in dimension 0"]);
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
    check(
        &folder,
        &["verify", "a.cl", "--kernel-args=add,7"],
        3,
        &["1 value for kernel add, which has 0 parameters passed by value"],
    );
    check(&folder, &["verify", "a.cl", "--kernel-args=sub,7"], 3, &["no kernel `sub`"]);
    let one = "--kernel-arrays gives 1 size for kernel add, which has 2 pointer parameters";
    check(&folder, &["verify", "a.cl", "--kernel-arrays=add,16"], 3, &[one]);
    check(&folder, &["verify", "a.cl", "--kernel-arrays=sub,16"], 3, &["no kernel `sub`"]);
    check(&folder, &["verify", "a.cl", "--kernel-arrays=add,0,*"], 3, &["`0` is not a size in bytes"]);
    check(&folder, &["inspect", "a.cl", "--kernel-arrays=add,16"], 2, &[one]);
    let source = "struct two { char a, b; };\n\
        __kernel void k(char c, __read_only image1d_t im, sampler_t s, struct two two, __global float4 *out, float4 v) {\n  \
        out[get_global_id(0)] = read_imagef(im, s, 0) + v * (float)(c + two.a);\n}\n";
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    let given = |option: &'static str, status: i32, said: &[&str]| {
        check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1], option], status, said);
    };
    given("--kernel-args=k,256,*,*", 3, &["256 does not fit c, which has 8 bits"]);
    given("--kernel-args=k,-128,0x10000,*", 3, &["0x10000 does not fit two, which has 2 bytes"]);
    given("--kernel-arrays=k,16,*", 3, &["im is an image, which has no size in bytes: write `*`"]);
    // A sampler may be counted. A vector has as many bits as it has.
    given("--kernel-args=k,255,0xFFFF,0x3f8000003f8000003f8000003f800000", 0, &[]);
    given("--kernel-args=k,255,3,0xFFFF,0x3f8000003f8000003f8000003f800000", 0, &[]);
    given("--kernel-arrays=k,*,4096", 0, &[]);
    given("--kernel-arrays=k,*,4095", 1, &[]);
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

/// Two kernels, one of which has a race.
const TWO: &str = "__kernel void good(__global int *a) { a[get_global_id(0)] = 1; }\n\
    __kernel void bad(__global int *a) {\n  int i = get_global_id(0);\n  a[i] = a[i + 1];\n}\n";

const SIZES: [&str; 2] = ["--local-size=64", "--num-groups=4"];

/// The text without its times, which differ from run to run.
fn without_times(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let times = regex_lite::Regex::new(r"[0-9.]+ s\b").expect("a valid expression");
    times.replace_all(&text, "TIME").into_owned()
}

/// The JSON report without times and memory.
fn without_costs(text: &[u8]) -> serde_json::Value {
    let mut report: serde_json::Value = serde_json::from_slice(text).expect("the report is JSON");
    for kernel in report["kernels"].as_array_mut().expect("kernels") {
        let statistics = kernel["statistics"].as_object_mut().expect("statistics");
        assert!(statistics.remove("seconds").is_some() && statistics.remove("peak_rss_bytes").is_some());
    }
    report
}

#[test]
fn a_file_that_must_not_be_read() {
    let folder = Folder::new(&[]);
    fs::create_dir(folder.path("folder.cl")).expect("a folder can be made");
    check(&folder, &["verify", "folder.cl"], 3, &["cannot read folder.cl"]);
    std::os::unix::fs::symlink("itself.cl", folder.path("itself.cl")).expect("a link can be made");
    check(&folder, &["verify", "itself.cl"], 3, &["cannot read itself.cl"]);
}

#[test]
fn garbage_and_nothing_as_llvm_ir() {
    let folder = Folder::new(&[
        ("a.ll", b"define void @f( {"),
        ("b.ll", b"\xff\xfe\x00garbage"),
        ("c.bc", b"BC\xc0\xde"),
        ("d.bc", b"BC\xc0\xde\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"),
        ("e.bc", b""),
        ("f.cl", b""),
    ]);
    for name in ["a.ll", "b.ll", "c.bc", "d.bc"] {
        check(&folder, &["verify", name], 3, &[name, "not valid LLVM IR"]);
    }
    for name in ["e.bc", "f.cl"] {
        check(&folder, &["verify", name], 3, &[name, "no kernel in this file"]);
    }
}

#[test]
fn groups_and_launches_too_large_to_exist() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    check(&folder, &["verify", "a.cl", "--local-size=65536x65536"], 3, &["65536,65536", "more than 2^31"]);
    check(&folder, &["verify", "a.cl", "--local-size=2147483648"], 3, &["--max-launch-threads"]);
    check(&folder, &["verify", "a.cl", "--local-size=64", "--num-groups=67108864"], 3, &["more than 2^31"]);
    check(&folder, &["verify", "a.cl", "--local-size="], 3, &["is not a size"]);
}

#[test]
fn limits_of_time_and_workers() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    for (option, value) in [("--timeout", "-1"), ("--timeout", "soon"), ("--timeout", "NaN"), ("-j", "-1")] {
        check(&folder, &["verify", "a.cl", option, value], 3, &[option, value]);
    }
    check(&folder, &["verify", "a.cl", "-j", "100000"], 3, &["from 1 to 256"]);
    let words = ["verify", "a.cl", SIZES[0], SIZES[1], "-j", "0", "--timeout", "0"];
    check(&folder, &words, 0, &[]);
    // Too little time is no error: the verdict says what it lacked, if it lacked any.
    let output = folder.run(&["verify", "a.cl", "--timeout", "0.001"]);
    assert!(matches!(output.status.code(), Some(0 | 2)), "{output:?}");
}

#[test]
fn a_clang_that_is_none() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new(&[
        ("a.cl", ADD.as_bytes()),
        ("killed", b"#!/bin/sh\nkill -9 $$\n"),
        ("old", b"#!/bin/sh\necho 'error: Lockstep needs Clang 19' >&2\nexit 1\n"),
        ("silent", b"#!/bin/sh\nexit 0\n"),
        ("script", b"no script\n"),
    ]);
    for name in ["killed", "old", "silent"] {
        fs::set_permissions(folder.path(name), fs::Permissions::from_mode(0o755)).expect("modes can be set");
    }
    check(&folder, &["verify", "a.cl", "--clang=./killed"], 3, &["Clang ended with signal: 9", "a.cl"]);
    check(&folder, &["verify", "a.cl", "--clang=./old"], 3, &["Lockstep needs Clang 19; give its path with --clang"]);
    check(&folder, &["verify", "a.cl", "--clang=./silent"], 3, &["left no output for a.cl"]);
    check(&folder, &["verify", "a.cl", "--clang=./script"], 3, &["cannot run Clang at ./script"]);
    check(&folder, &["verify", "a.cl", "--clang=."], 3, &["cannot run Clang at ."]);
    let output = lockstep().current_dir(folder.0.path()).env("PATH", "").args(["verify", "a.cl"]).output();
    let output = output.expect("lockstep runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("Clang 19 is not installed"), "{stderr}");
}

#[test]
fn a_report_that_cannot_be_written() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    check(&folder, &["verify", "a.cl", "-o", "no/folder/report"], 3, &["cannot write no/folder/report"]);
    check(&folder, &["verify", "a.cl", "-o", "."], 3, &["cannot write ."]);
    check(&folder, &["suite", ".", "--json", "no/folder/table"], 3, &[]);
}

#[test]
fn names_that_are_odd() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new(&[("with space.cl", ADD.as_bytes()), ("-dash.cl", ADD.as_bytes())]);
    check(&folder, &["verify", SIZES[0], SIZES[1], "with space.cl", "--", "-dash.cl"], 0, &[]);
    let name = OsStr::from_bytes(b"caf\xe9.cl");
    fs::write(folder.0.path().join(name), ADD).expect("a file can be written");
    let output = lockstep().current_dir(folder.0.path()).args(["verify", SIZES[0], SIZES[1]]).arg(name).output();
    let output = output.expect("lockstep runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_source_in_another_encoding() {
    let source = b"// caf\xe9\n__kernel void k(__global int *a) { /* \xe9 */ a[0] = get_local_id(0); }\n";
    let folder = Folder::new(&[("a.cl", source)]);
    let output = folder.run(&["verify", "a.cl", SIZES[0], SIZES[1]]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("a.cl:2:") && text.contains("a[0]"), "{text}");
}

#[test]
fn ten_megabytes_of_source() {
    let mut source = "// nothing is said here, again and again and again\n".repeat(200_000);
    source.push_str(ADD);
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    let output = folder.run(&["verify", "a.cl", SIZES[0], SIZES[1]]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("verified add (a.cl:200001)"), "{text}");
}

#[test]
fn nobody_reads_what_is_written() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    let mut child = lockstep()
        .current_dir(folder.0.path())
        .args(["verify", "a.cl", SIZES[0], SIZES[1], "--format=json"])
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("lockstep runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("lockstep ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(!stderr.contains("panic") && !stderr.contains("fault"), "{stderr}");
}

#[test]
#[cfg(debug_assertions)]
fn a_fault_in_one_kernel_leaves_the_others_their_verdicts() {
    let folder = Folder::new(&[("a.cl", TWO.as_bytes())]);
    let words = ["verify", "a.cl", "nowhere.cl", SIZES[0], SIZES[1], "--format=json"];
    let run = |fault: &str| {
        lockstep()
            .current_dir(folder.0.path())
            .env("LOCKSTEP_FAULT", fault)
            .args(words)
            .output()
            .expect("lockstep runs")
    };
    let output = run("good");
    // A fault comes before bad input, bad input before a defect.
    assert_eq!(output.status.code(), Some(4));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let kernels = report["kernels"].as_array().expect("kernels");
    let verdicts: Vec<_> = kernels.iter().map(|kernel| (&kernel["name"], &kernel["verdict"])).collect();
    assert_eq!(verdicts, [(&"good".into(), &"error".into()), (&"bad".into(), &"defect".into())]);
    let reason = kernels[0]["reason"].as_str().expect("an error has a reason");
    assert!(reason.contains("a fault in Lockstep itself") && reason.contains("on purpose"), "{reason}");
    assert_eq!(report["errors"].as_array().map(Vec::len), Some(1));
    assert_eq!(run("").status.code(), Some(3));
}

#[test]
fn the_worst_decides_the_exit_status() {
    let unknown = "__kernel void odd(__global int *a) { a[sub_group_reduce_add(1)] = 1; }\n";
    let source = format!("{TWO}{unknown}");
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    let run = |kernels: &[&str]| {
        let mut words = vec!["verify", "a.cl", "--cl-std=CL3.0", SIZES[0], SIZES[1]];
        words.extend(kernels.iter().flat_map(|kernel| ["--kernel", kernel]));
        folder.run(&words)
    };
    assert_eq!(run(&["good"]).status.code(), Some(0));
    assert_eq!(run(&["good", "odd"]).status.code(), Some(2));
    assert_eq!(run(&[]).status.code(), Some(1));
    assert_eq!(run(&["nobody"]).status.code(), Some(3));
    let text = run(&["odd"]).stdout;
    assert!(String::from_utf8_lossy(&text).contains("a.cl:6"), "{}", String::from_utf8_lossy(&text));
}

#[test]
fn errors_are_part_of_the_json_report() {
    let folder = Folder::new(&[("a.cl", b"syntax error"), ("b.bc", b"garbage"), ("c.cl", ADD.as_bytes())]);
    let words = ["verify", "a.cl", "b.bc", "nowhere.cl", "c.cl", "--format=json", "--kernel-args=add,7"];
    let output = folder.run(&words);
    assert_eq!(output.status.code(), Some(3));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let errors = report["errors"].as_array().expect("errors");
    for (error, part) in errors.iter().zip(["a.cl does not compile", "b.bc", "nowhere.cl", "kernel add"]) {
        assert!(error.as_str().is_some_and(|error| error.contains(part)), "{error}");
    }
    assert_eq!((errors.len(), report["kernels"].as_array().map(Vec::len)), (4, Some(0)));
}

#[test]
fn the_same_input_gives_the_same_report() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes()), ("b.cl", TWO.as_bytes())]);
    let run = |jobs: &str, format: &str| {
        let words = ["verify", "b.cl", "a.cl", SIZES[0], SIZES[1], "--format", format, "-j", jobs];
        folder.run(&words).stdout
    };
    let text = without_times(&run("1", "text"));
    assert!(text.contains("TIME") && text.contains("3 kernels: 2 verified, 1 defect"), "{text}");
    let json = without_costs(&run("1", "json"));
    for jobs in ["1", "2", "7"] {
        assert_eq!(without_times(&run(jobs, "text")), text);
        assert_eq!(without_costs(&run(jobs, "json")), json);
    }
}

#[test]
fn colour_only_where_it_is_wanted() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    let coloured = |variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(variables.iter().copied());
        command.current_dir(folder.0.path()).args(["verify", "a.cl", SIZES[0], SIZES[1]]);
        let output = command.output().expect("lockstep runs");
        // Progress is for terminals.
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout.contains(&0x1b)
    };
    assert!(!coloured(&[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("NO_COLOR", "1")]));
    assert!(!coloured(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]));
}

#[test]
fn a_suite_leaves_no_file_out_in_silence() {
    let folder = Folder::new(&[("a.cl", format!("//pass\n//\n{ADD}").as_bytes()), ("b.cl", ADD.as_bytes())]);
    check(&folder, &["suite", "."], 0, &["note: 1 file without an expected verdict left out"]);
    std::os::unix::fs::symlink("nowhere", folder.path("c.cl")).expect("a link can be made");
    check(&folder, &["suite", "."], 3, &["cannot read ./c.cl"]);
    check(&folder, &["suite", "a.cl"], 3, &["cannot read the folder a.cl"]);
    check(&folder, &["suite", ".", "--filter", "("], 3, &["--filter is not a regular expression"]);
    check(&folder, &["suite", ".", "--filter", "z"], 3, &["no .cl, .cu or .hip file to run"]);
}

#[test]
fn what_a_suite_expects_besides_pass_and_fail() {
    let file = |code: &str, text: &str| format!("//{code}\n//--local_size=64 --num_groups=4\n{text}");
    let clang = file("xfail:CLANG_ERROR", "__kernel void k() { int = 3; }\n");
    let other = file("xfail:BUGLE_ERROR", ADD);
    let pass = file("pass", "__kernel void k(__global int *a) { a[0] = get_local_id(0); }\n");
    let unknown =
        file("xfail:NOT_ALL_VERIFIED", "__kernel void k(__global int *a) { a[sub_group_reduce_add(1)] = 1; }\n");
    let unknown = unknown.replace("//--", "//--cl-std=CL3.0 --");
    // What is refused agrees with a refusal, unless it is the compiler's.
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
    let output = folder.run(&["suite", ".", "--json", "table.json"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for part in ["b.cl: expects xfail:BUGLE_ERROR, is verified", "race on a[0] at line 3 and 3", "median", "p95"] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    let table = fs::read_to_string(folder.path("table.json")).expect("the table is written");
    let table: serde_json::Value = serde_json::from_str(&table).expect("the table is JSON");
    let agreements: Vec<_> = table["rows"].as_array().expect("rows").iter().map(|row| &row["agreement"]).collect();
    assert_eq!(agreements, ["agrees", "disagrees", "disagrees", "unknown", "agrees", "agrees", "disagrees"]);
    for key in ["median", "mean", "p95", "max"] {
        assert!(table["seconds"][key].as_f64().is_some(), "{key} is missing in {table}");
    }
    // An unknown is less than a disagreement.
    check(&folder, &["suite", ".", "--filter", "[ad]"], 2, &[]);
}

/// A race on `a[i]`, whose two sites are assignments: the compiler's column is the one of the operator.
const OPERATORS: &str = "__kernel void k(__global int *a, int n) {\n  int i = get_local_id(0);\n  \
    /* \u{e9} */ a[0] = i;\n  a[i + n] += 1;\n}\n";

#[test]
fn both_formats_give_the_same_positions() {
    let folder = Folder::new(&[("a.cl", OPERATORS.as_bytes())]);
    let text = folder.run(&["verify", "a.cl", SIZES[0], SIZES[1]]).stdout;
    let text = String::from_utf8_lossy(&text);
    let report = folder.run(&["verify", "a.cl", SIZES[0], SIZES[1], "--format=json"]).stdout;
    let report: serde_json::Value = serde_json::from_slice(&report).expect("the report is JSON");
    let findings = report["kernels"][0]["findings"].as_array().expect("findings");
    let of = |access: &serde_json::Value| format!("a.cl:{}:{}", access["line"], access["column"]);
    let in_json: Vec<String> =
        findings.iter().flat_map(|f| f["accesses"].as_array().expect("accesses")).map(of).collect();
    let places = regex_lite::Regex::new(r"a\.cl:[0-9]+:[0-9]+").expect("a valid expression");
    let in_text: Vec<&str> = places.find_iter(&text).map(|found| found.as_str()).collect();
    assert_eq!(in_text, in_json, "{text}");
    // The `a` in characters from 1, behind a letter of two bytes.
    assert!(in_json.contains(&"a.cl:3:11".to_owned()) && in_json.contains(&"a.cl:4:3".to_owned()), "{in_json:?}");
}

#[test]
fn the_seconds_of_a_kernel_are_those_that_passed() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    let started = std::time::Instant::now();
    let output = folder.run(&["verify", "a.cl", "--format=json"]).stdout;
    let passed = started.elapsed().as_secs_f64();
    let report: serde_json::Value = serde_json::from_slice(&output).expect("the report is JSON");
    let wall = report["kernels"][0]["statistics"]["seconds"]["wall"].as_f64().expect("seconds");
    assert!(wall > 0.0 && wall <= passed, "{wall} of {passed}");
}

#[test]
fn without_debug_information_no_line_is_named() {
    let source = "target triple = \"spir64\"\n\
        define spir_kernel void @k(ptr addrspace(1) %a, i64 %n) {\n\
        entry:\n  br label %head\n\
        head:\n  %i = phi i64 [ 0, %entry ], [ %next, %head ]\n  \
        %p = getelementptr i32, ptr addrspace(1) %a, i64 %i\n  %l = call spir_func i64 @_Z12get_local_idj(i32 0)\n  \
        %v = trunc i64 %l to i32\n  store i32 %v, ptr addrspace(1) %p\n  %next = add i64 %i, 1\n  \
        %more = icmp ult i64 %next, %n\n  br i1 %more, label %head, label %end\n\
        end:\n  ret void\n}\n\
        declare spir_func i64 @_Z12get_local_idj(i32)\n";
    let folder = Folder::new(&[("a.ll", source.as_bytes())]);
    let output = folder.run(&["verify", "a.ll", SIZES[0], SIZES[1]]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("of a loop (no debug information)"), "{text}");
    assert!(!text.contains("line 0") && !text.contains(":0"), "{text}");
}

#[test]
fn a_global_size_beside_a_number_of_groups() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    let json = |words: &[&str]| -> serde_json::Value {
        let words: Vec<&str> = ["verify", "a.cl", "--format=json"].iter().chain(words).copied().collect();
        let output = folder.run(&words);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("the report is JSON")
    };
    for words in [
        &["--global-size=128", "--num-groups=2"][..],
        &["--global-size=128", "--num-groups=2", "--local-size=64"],
        &["--global-size=128", "--num-groups=*", "--local-size=64"],
        &["--global-size=*", "--num-groups=2", "--local-size=64"],
    ] {
        let launch = &json(words)["kernels"][0]["launch"];
        assert_eq!(launch, &serde_json::json!({ "block": [64], "grid": [2] }), "{words:?}");
    }
    let contradiction = |words: &[&str], said: &str| {
        let words: Vec<&str> = ["verify", "a.cl"].iter().chain(words).copied().collect();
        check(&folder, &words, 3, &[said]);
    };
    contradiction(&["--global-size=128", "--num-groups=3"], "3 groups of any number of threads are not a global size");
    contradiction(&["--global-size=128", "--num-groups=4", "--local-size=64"], "4 groups of 64 threads are not");
    contradiction(&["--global-size=128", "--num-groups=2x1"], "1 dimension and the number of groups 2 dimensions");
}

#[test]
fn what_the_command_line_fixes_is_named() {
    let source = "__kernel void k(__global int *a, int n, char c) {\n  \
        if (n != 7 || c != -1) a[0] = get_local_id(0);\n  a[get_global_id(0)] = 1;\n}\n";
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    let fixed = ["verify", "a.cl", "--kernel-args=k,7,255", "--global-size=1024", "--global-offset=8"];
    let text = folder.run(&fixed);
    let (status, text) = (text.status.code(), String::from_utf8_lossy(&text.stdout).into_owned());
    assert_eq!(status, Some(0), "{text}");
    let launch =
        "launch: 1024 threads in groups of any size, global ids from (8), with n = 7, c = 255 (-1 if signed)\n";
    let assumptions = [
        "the launch has 1024 threads in all (--global-size)",
        "global ids start at (8) (--global-offset)",
        "the argument n is 7 (--kernel-args)",
        "the argument c is 255 (-1 if signed) (--kernel-args)",
    ];
    for part in [launch].into_iter().chain(assumptions) {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    let words: Vec<&str> = fixed.into_iter().chain(["--format=json"]).collect();
    let report: serde_json::Value = serde_json::from_slice(&folder.run(&words).stdout).expect("the report is JSON");
    let listed = report["kernels"][0]["assumptions"].as_array().expect("assumptions");
    for assumption in assumptions {
        assert!(listed.iter().any(|known| known == assumption), "`{assumption}` is missing in {listed:?}");
    }
    // What nothing fixes is not named.
    let free = folder.run(&["verify", "a.cl", "--kernel-args=k,*,*", "--global-offset=0"]);
    let text = String::from_utf8_lossy(&free.stdout);
    assert_eq!(free.status.code(), Some(1), "{text}");
    assert!(text.contains("launch: any number of groups of any size\n"), "{text}");
}

#[test]
fn a_stub_s_own_launch_is_not_one_of_the_source() {
    // As a toolkit's headers have it since CUDA 9.2: a stub calls `cudaLaunchKernel` with the sizes that were pushed, and a
    // template calls the function that is no template.
    let source = "extern \"C\" int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);\n\
        template <class T> int cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments, int shared) {\n  \
        return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, 0);\n}\n\
        __global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n\
        int main() {\n  int *a = 0;\n  void *all[] = { &a };\n  k<<<4, 64>>>(a);\n  \
        return cudaLaunchKernel(k, dim3(2), dim3(32), all, 0);\n}\n";
    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let words = ["verify", "a.cu", "--clang-arg=-Xclang", "--clang-arg=-target-sdk-version=12.4"];
    let output = folder.run(&words);
    let text = String::from_utf8_lossy(&output.stdout);
    let launches: Vec<&str> = text.lines().filter(|line| line.contains("launch:")).map(str::trim).collect();
    let expected = [
        "launch: 4 groups of 64 threads, as line 9 launches it",
        "launch: 2 groups of 32 threads, as line 10 launches it",
    ];
    assert_eq!(launches, expected, "{text}{}", String::from_utf8_lossy(&output.stderr));
}

/// The lines about launches in what `verify` prints of a CUDA file, each behind the verdict and the kernel.
#[track_caller]
fn launches_of(source: &str) -> Vec<String> {
    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let output = folder.run(&["verify", "a.cu"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let mut launches = Vec::new();
    let mut kernel = String::new();
    for line in text.lines() {
        match line.trim().strip_prefix("launch: ") {
            Some(launch) => launches.push(format!("{kernel}: {launch}")),
            None if line.contains("(a.cu:") => {
                line.split(" (").next().unwrap_or_default().clone_into(&mut kernel);
            }
            None => {}
        }
    }
    assert!(!launches.is_empty(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    launches
}

/// All groups write to the same places: what is launched with one group is verified, and a launch with more is a defect.
const OF_ONE_GROUP: &str = "__global__ void k(int *a, int n) { a[threadIdx.x] = blockIdx.x; }\n";

#[test]
fn launches_through_pointers_are_followed() {
    let source = "template <class K, class... A> void launch(K kernel, dim3 g, dim3 b, A... all) { kernel<<<g, b>>>(all...); }\n\
        typedef void (*Kernel)(int *, int);\n\
        void run(Kernel kernel, int g, int *a) {\n  kernel<<<g, 64>>>(a, 1);\n}\n\
        int choose();\n\
        __global__ void other(int *a, int n) { a[threadIdx.x] = blockIdx.x; }\n\
        int main() {\n  int *a = 0;\n  k<<<1, 64>>>(a, 1);\n  launch(k, dim3(4), dim3(64), a, 1);\n  \
        auto p = &k;\n  p<<<6, 64>>>(a, 1);\n  run(k, 8, a);\n  \
        try {\n    (choose() ? k : other)<<<2, 64>>>(a, choose() ? choose() : 1);\n  } catch (int) {}\n  \
        cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 64);\n  \
        return p == k;\n}\n";
    let expected = [
        "defect k: 4 groups of 64 threads, as line 2 launches it",
        "defect k: 8 groups of 64 threads, as line 5 launches it",
        "verified k: 1 group of 64 threads, as line 11 launches it",
        "defect k: 6 groups of 64 threads, as line 14 launches it",
        "defect k: 2 groups of 64 threads, as line 17 launches it",
        "defect other: 2 groups of 64 threads, as line 17 launches it",
    ];
    assert_eq!(launches_of(&[OF_ONE_GROUP, source].concat()), expected);
}

#[test]
fn many_launches_are_joined_dimension_by_dimension() {
    // Only the last extends in the second dimension, of which the kernel knows nothing.
    let calls: Vec<String> = (1..=9).map(|groups| format!("  k<<<{groups}, 64>>>(a);\n")).collect();
    let calls = calls.concat();
    let source = |last: &str| {
        format!(
            "__global__ void k(int *a) {{ a[blockIdx.x * 64 + threadIdx.x] = clock(); }}\nvoid run(int *a) {{\n{calls}{last}}}\n"
        )
    };
    let lines = "as lines 3, 4, 5, 6, 7, 8, 9, 10, 11";
    let same = format!("verified k: any number of groups of 64 threads, {lines} launch it");
    assert_eq!(launches_of(&source("")), [same]);
    let [launch] = &launches_of(&source("  k<<<1, dim3(64, 2)>>>(a);\n"))[..] else { panic!("several launches") };
    assert!(launch.starts_with("defect k: ") && launch.ends_with(&format!("{lines}, 12 launch it")), "{launch}");
}

#[test]
fn kernels_whose_addresses_escape_are_launched_in_any_way() {
    let direct = "int main() {\n  int *a = 0;\n  k<<<1, 64>>>(a, 1);\n";
    let any = "defect k: any number of groups of any size, as the kernel's address goes where it is not followed in";
    for (before, after, place) in [
        ("", "", None),
        ("void keep(void (*)(int *, int));\n", "  keep(k);\n", Some("line 6")),
        ("void keep(void *);\n", "  keep((void *)k);\n  keep((void *)&k);\n", Some("lines 6, 7")),
        ("void (*table[2])(int *, int) = { k, 0 };\n", "  table[a[1]]<<<5, 64>>>(a, 1);\n", Some("line 2")),
        ("struct L { void (*k)(int *, int); void call(); };\n", "  L l;\n  l.k = k;\n  l.call();\n", Some("line 7")),
        // Where something is caught every call that may throw ends its block.
        (
            "template <class F> void in_turn(F f) { f(); }\n",
            "  try { in_turn([&] { k<<<1, 64>>>(a, 1); }); } catch (int) {}\n",
            None,
        ),
        ("", "  cudaLaunchConfig_t c = {};\n  cudaLaunchKernelEx(&c, k, a, 1);\n", Some("line 6")),
    ] {
        let source = [OF_ONE_GROUP, before, direct, after, "  return 0;\n}\n"].concat();
        let lines = before.lines().count();
        let again = if after.contains("catch") { ", 6 launch it" } else { " launches it" };
        let plural = if after.contains("catch") { "lines" } else { "line" };
        let known = format!("verified k: 1 group of 64 threads, as {plural} {}{again}", 4 + lines);
        let all: Vec<String> = [known].into_iter().chain(place.map(|place| format!("{any} {place}"))).collect();
        assert_eq!(launches_of(&source), all, "{source}");
    }
    // A launch that reads its kernel from a table of constants is followed.
    let table = "static void (*const table[])(int *, int) = { k };\n\
        int main() { for (int i = 0; i < 1; i++) table[0]<<<1, 64>>>(0, 1); }\n";
    let followed = ["verified k: 1 group of 64 threads, as line 3 launches it"];
    assert_eq!(launches_of(&[OF_ONE_GROUP, table].concat()), followed);
}

#[test]
fn a_launch_gives_the_size_of_dynamic_shared_memory() {
    let kernel = "extern __shared__ int dyn[];\n\
        __global__ void k(int *o) {\n  dyn[threadIdx.x] = 1;\n  __syncthreads();\n  o[threadIdx.x] = dyn[threadIdx.x];\n}\n\
        __global__ void without(int *o) { o[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";
    let main = "int main(int number, char **) {\n  k<<<1, 64, 63 * sizeof(int)>>>(0);\n  k<<<1, 64>>>(0);\n  \
        k<<<1, 64, 64 * sizeof(int)>>>(0);\n  k<<<1, 64, number>>>(0);\n  void *all[1];\n  \
        cudaLaunchKernel((const void *)k, dim3(1), dim3(64), all, 256);\n  \
        without<<<1, 64>>>(0);\n  without<<<1, 64, 4>>>(0);\n}\n";
    let source = [kernel, main].concat();
    let expected = [
        "defect k: 1 group of 64 threads, 252 bytes of dynamic shared memory, as line 9 launches it",
        "defect k: 1 group of 64 threads, 0 bytes of dynamic shared memory, as line 10 launches it",
        "verified k: 1 group of 64 threads, 256 bytes of dynamic shared memory, as lines 11, 14 launch it",
        "verified k: 1 group of 64 threads, as line 12 launches it",
        "verified without: 1 group of 64 threads, as lines 15, 16 launch it",
    ];
    assert_eq!(launches_of(&source), expected);

    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let output = folder.run(&["verify", "a.cu", "--format=json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let codes = |kernel: &serde_json::Value| -> Vec<String> {
        let findings = kernel["findings"].as_array().expect("findings").iter();
        findings.map(|finding| finding["code"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let kernels = report["kernels"].as_array().expect("kernels");
    for (kernel, bytes) in kernels.iter().zip([252, 0]) {
        assert_eq!(kernel["launch"]["shared_bytes"], bytes);
        let codes = codes(kernel);
        assert!(!codes.is_empty() && codes.iter().all(|code| code == "LS0107"), "{codes:?}");
    }
    // Only where the size is not known it is taken to suffice.
    let enough = "accesses stay inside dyn, of which every launch gives enough bytes";
    let assumes = |kernel: &serde_json::Value| kernel["assumptions"].to_string().contains(enough);
    assert_eq!(kernels[2..].iter().map(assumes).collect::<Vec<_>>(), [false, true, false]);
    let output = folder.run(&["verify", "a.cu", "--kernel=k", "--local-size=64", "--num-groups=1"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains(enough), "{text}");
}

#[test]
fn kernels_are_called_as_the_source_calls_them() {
    let source = "__global__ void pl(int *a) { a[threadIdx.x] = 1; }\n\
        __global__ void pl(const float *a, unsigned int *b) { b[threadIdx.x] = 1; }\n\
        template <int N, class T> __global__ void nt(T *a) { a[threadIdx.x] = N; }\n\
        template __global__ void nt<2, int>(int *);\n\
        template __global__ void nt<3, int>(int *);\n\
        template __global__ void nt<3, float>(float *);\n\
        namespace n { template <class T> __global__ void sc(T *a) { a[threadIdx.x] = 1; } }\n\
        template __global__ void n::sc<int>(int *);\n";
    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let overloads = ["pl(int*)", "pl(const float*, unsigned int*)"];
    for (name, called) in [
        ("pl", &overloads[..]),
        ("::pl", &overloads),
        ("pl(int*)", &overloads[..1]),
        ("pl( int * )", &overloads[..1]),
        ("pl(const float *, unsigned int *)", &overloads[1..]),
        ("_Z2plPi", &overloads[..1]),
        ("nt<2,int>", &["nt<2, int>"]),
        ("nt< 2 >", &["nt<2, int>"]),
        ("nt", &["nt<2, int>", "nt<3, int>", "nt<3, float>"]),
        ("n::sc< int >", &["n::sc<int>"]),
        ("::n::sc", &["n::sc<int>"]),
    ] {
        let words = ["verify", "a.cu", "--local-size=64", "--num-groups=1", "--format=json", "--kernel", name];
        let output = folder.run(&words);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
        let kernels = report["kernels"].as_array().expect("kernels").iter();
        let names: Vec<&str> = kernels.map(|kernel| kernel["name"].as_str().unwrap_or_default()).collect();
        assert_eq!(names, called, "{name}");
    }
    for unknown in ["nt<3>", "pl(float*)", "sc", "nt<"] {
        check(&folder, &["verify", "a.cu", "--kernel", unknown], 3, &[&format!("no kernel `{unknown}`"), overloads[0]]);
    }
    let sized = ["verify", "a.cu", "--kernel=nt<2,int>", "--kernel-arrays=nt<2,int>,252", SIZES[0], SIZES[1]];
    assert!(String::from_utf8_lossy(&folder.run(&sized).stdout).contains("LS0107"));
}

#[test]
fn the_help_names_every_kind_of_file() {
    let sources = [".cl", ".cu", ".hip"];
    let llvm = [".ll", ".bc"];
    for (command, about, endings) in [
        ("verify", "Files: ", [&sources[..], &llvm, &[".json"]].concat()),
        ("inspect", "A file: ", [&sources[..], &llvm].concat()),
        ("suite", "The folder; ", sources.to_vec()),
    ] {
        let output = Folder::new(&[]).run(&[command, "--help"]);
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.lines().find(|line| line.contains(about)).expect("a line about files");
        for ending in endings {
            assert!(line.contains(ending), "`{ending}` is missing in `{line}`");
        }
    }
}

/// What `verify` prints about a kernel with a defect.
#[track_caller]
fn check_shown(source: &str, words: &[&str], shown: &[&str], never: &[&str]) {
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    let words: Vec<&str> = ["verify", "a.cl"].iter().chain(words).copied().collect();
    let output = folder.run(&words);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for part in shown {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    for part in never {
        assert!(!text.contains(part), "`{part}` is in:\n{text}");
    }
}

#[test]
fn groups_of_open_size_begin_where_the_source_says() {
    let source = "__kernel void k(__global int *a) {\n  int i = get_global_id(0);\n  a[i] = a[i + 1];\n}\n";
    let index = "index get_local_id(0) + get_group_id(0)*get_local_size(0) + 1 = ";
    check_shown(source, &[], &[index], &["group_start"]);
}

#[test]
fn sums_that_wrap_around_say_so() {
    let source = "__kernel void k(__global int *a, uint n) {\n  uint i = get_local_id(0);\n  \
        if (n > 2147483640 && n < 2147483648u) a[2 * n + 4 + 16 * i] = a[0];\n}\n";
    let sum = "16*0 + 2*2147483646 + 4 = 0 (wraps around 2^32)";
    check_shown(source, &["--local-size=64", "--num-groups=1"], &[sum], &[]);
    let source = source.replace("n > 2147483640 && n < 2147483648u", "n > -64 && n < 0").replace("uint", "int");
    check_shown(&source, &["--local-size=64", "--num-groups=1"], &[" + 4 = 0\n"], &["wraps"]);
}

#[test]
fn a_race_on_an_image_names_the_pixel() {
    let source = "__kernel void k(__write_only image2d_t im, __write_only image3d_t vol) {\n  int x = get_local_id(0);\n  \
        write_imagei(im, (int2)(x / 2 + 3, 1), (int4)(x));\n}\n";
    let pixels = ["race on im(3, 1), threads", "pixel (get_local_id(0) / 2 + 3, 1) = (1 / 2 + 3, 1) = (3, 1)"];
    check_shown(source, &["--local-size=2", "--num-groups=1"], &pixels, &["byte"]);
    let source = "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n\
        __kernel void k(__write_only image3d_t im) {\n  int x = get_local_id(0);\n  \
        write_imagei(im, (int4)(x / 2, 5, 7, 0), (int4)(x));\n}\n";
    check_shown(source, &["--local-size=2", "--num-groups=1"], &["race on im(0, 5, 7), threads"], &["byte"]);
}

#[test]
fn the_bounds_of_a_private_array_are_in_elements() {
    let source = "__kernel void k(__global int *a) {\n  int t[16];\n  \
        for (int i = 0; i <= 16; i++) t[i] = i;\n  a[get_global_id(0)] = t[a[0] & 15];\n}\n";
    check_shown(source, &SIZES, &["t[16], which has 16 elements", "index i = 16"], &["bytes"]);
}

/// The README shows what its two commands really print. If this fails because the output has changed for the better,
/// copy it from the failure.
#[test]
fn the_transcripts_of_the_readme() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("there is a README");
    let blocks: Vec<&str> = readme.split("```\n").skip(1).step_by(2).collect();
    let commands: Vec<&str> = blocks[0].lines().collect();
    assert_eq!(commands.len(), 2, "the README has two commands");
    for (command, transcript) in commands.iter().zip(&blocks[1..]) {
        let words = command.strip_prefix("./x ").expect("./x runs everything").split(' ');
        let output = lockstep().current_dir(root).args(words).output().expect("lockstep runs");
        let printed = without_times(&output.stdout);
        assert_eq!(printed.trim_end(), without_times(transcript.as_bytes()).trim_end(), "of {command}");
    }
}

#[test]
fn each_option_of_gpuverify_is_known() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    // Under GPUVerify's names, abbreviated, and with values that are words of their own.
    let words =
        ["verify", "--opencl", "--local_size", "64", "--num_g=[4]", "--pointer-bitwidth", "32", "--verify", "a.cl"];
    check(&folder, &words, 0, &[]);
    let switches = [
        "--verbose",
        "--time",
        "--time-as-csv=x",
        "--error-limit=3",
        "--equality-abstraction",
        "--math-int",
        "--no-inline",
        "--infer-info",
        "--k-induction-depth=2",
        "--race-instrumenter=original",
        "--solver=cvc4",
        "--debug",
        "--keep-temps",
        "--opt-opt=-O2",
        "--bugle-opt=-x",
        "--cruncher-opt=/y",
        "--boogie-opt=/z",
        "--omit-infer=loopBound",
        "--vcgen-opt=/noPruneInfeasibleEdges",
    ];
    for switch in switches {
        let note = format!("note: {switch} has no effect");
        check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1], switch], 0, &[&note]);
    }
    let refused =
        [("--stop-at-bpl", "inspect --stage boogie"), ("--gen-smt2", "--stage smt2"), ("--vcgen-opt=/no", "`/no`")];
    for (option, instead) in refused {
        check(&folder, &["verify", "a.cl", option], 3, &[option.split('=').next().unwrap(), instead]);
    }
    check(&folder, &["verify", "--version"], 0, &[]);
}

#[test]
fn silence_if_all_is_well() {
    let folder = Folder::new(&[("a.cl", TWO.as_bytes())]);
    let good = folder.run(&["verify", "a.cl", "--silent", "--kernel=good"]);
    assert_eq!((good.status.code(), good.stdout.as_slice()), (Some(0), &b""[..]));
    let all = folder.run(&["verify", "a.cl", "--silent"]);
    assert_eq!(all.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&all.stdout).contains("defect bad"));
}

#[test]
fn atomics_exclude_the_equality_abstraction() {
    let source = "__kernel void k(__global int *a) { atomic_inc(a); }\n";
    let folder = Folder::new(&[("a.cl", source.as_bytes()), ("b.cl", ADD.as_bytes())]);
    let words = ["--equality-abstraction", SIZES[0], SIZES[1]];
    let run = |file: &'static str| ["verify", file].into_iter().chain(words).collect::<Vec<_>>();
    check(&folder, &run("a.cl"), 3, &["--equality-abstraction cannot be used with atomics (a.cl:1)"]);
    check(&folder, &run("b.cl"), 0, &[]);
    check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1]], 0, &[]);
    check(&folder, &["verify", "b.cl", "--equality-abstraction", "--adversarial-abstraction"], 3, &["cannot be used"]);
}

#[test]
fn exit_statuses_of_gpuverify() {
    let unsupported = "__kernel void k(__global int *a) { a[sub_group_reduce_add(1)] = 1; }\n";
    let misplaced = "__kernel void k(__global int *a) { a[0] = 1; __invariant(a[0] == 1); a[0] = 2; }\n";
    let folder = Folder::new(&[
        ("two.cl", TWO.as_bytes()),
        ("syntax.cl", b"__kernel void k() { int = 3; }\n"),
        ("garbage.bc", b"garbage"),
        ("none.cl", b"int f(int x) { return x; }\n"),
        ("unsupported.cl", unsupported.as_bytes()),
        ("misplaced.cl", misplaced.as_bytes()),
    ]);
    let cases: [(&[&str], i32, i32); 11] = [
        (&["two.cl", "--kernel=good"], 0, 0),
        (&["two.cl", "--no-such-flag"], 3, 1),
        (&["two.cl", "--local_size=64", "--global_size=100"], 3, 1),
        (&["two.cl", "--gen-smt2"], 3, 1),
        (&["syntax.cl"], 3, 2),
        (&["garbage.bc"], 3, 3),
        (&["none.cl"], 3, 4),
        (&["unsupported.cl", "--cl-std=CL3.0"], 2, 4),
        (&["misplaced.cl"], 3, 5),
        (&["two.cl"], 1, 6),
        (&["two.cl", "--clang=/nowhere"], 3, 9),
    ];
    for (words, own, gpuverify) in cases {
        let words: Vec<&str> = ["verify"].iter().chain(words).copied().collect();
        check(&folder, &words, own, &[]);
        let words: Vec<&str> = words.iter().chain(&["--exit-codes=gpuverify"]).copied().collect();
        check(&folder, &words, gpuverify, &[]);
    }
    // Of several it is the one that GPUVerify would have come upon first.
    check(&folder, &["verify", "two.cl", "garbage.bc", "syntax.cl", "--exit-codes", "gpuverify"], 2, &[]);
}

/// The assumptions of the only kernel in a file, which is verified.
#[track_caller]
fn assumptions(folder: &Folder, words: &[&str]) -> Vec<String> {
    let words: Vec<&str> = ["verify", "--format=json"].iter().chain(words).copied().collect();
    let output = folder.run(&words);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let listed = report["kernels"][0]["assumptions"].as_array().expect("assumptions");
    listed.iter().map(|assumption| assumption.as_str().unwrap_or_default().to_owned()).collect()
}

/// A kernel with one defect of each kind that can be chosen, and the words that leave it out.
#[test]
fn what_is_not_to_be_checked_is_not_found() {
    let cases = [
        (
            "bounds",
            "a.cu",
            "__global__ void k(int *a) { int t[4]; t[threadIdx.x] = 1; a[threadIdx.x] = t[threadIdx.x]; }",
        ),
        ("null", "b.cu", "__global__ void k(int *a) { int *p = threadIdx.x < 9 ? nullptr : a; p[threadIdx.x] = 1; }"),
        (
            "constant",
            "c.cu",
            "__constant__ int c[64];\n__global__ void k(int *a, int n) { if (n) c[threadIdx.x] = 1; a[threadIdx.x] = n; }",
        ),
        ("alignment", "d.cu", "__global__ void k(char *a) { *(int *)(a + 6 * threadIdx.x) = 1; }"),
        (
            "uninitialised",
            "e.cu",
            "__global__ void k(int *a) { __shared__ int s[64]; a[threadIdx.x] = s[threadIdx.x]; }",
        ),
        (
            "shuffle-source",
            "f.cu",
            "__global__ void k(int *a) { int x = threadIdx.x; \
            if (x < 16) x = __shfl_sync(0xffff, x, 20); a[threadIdx.x] = x; }",
        ),
        ("lane-mask", "g.cu", "__global__ void k(int *a) { __syncwarp(0xffff); a[threadIdx.x] = 1; }"),
        ("overflow", "h.cu", "__global__ void k(int *a, int n) { if (n > 0) a[n * 64 + (int)threadIdx.x] = n; }"),
    ];
    let files: Vec<(&str, &[u8])> = cases.iter().map(|(_, name, source)| (*name, source.as_bytes())).collect();
    let folder = Folder::new(&files);
    for (check, name, _) in cases {
        let with: &[&str] = if check == "overflow" { &["--check=overflow"] } else { &[] };
        let words = |more: &[&'static str]| [&["verify", name, "--block-dim=32", "--grid-dim=1"], more].concat();
        assert_eq!(folder.run(&words(with)).status.code(), Some(1), "{check}");
        let without = format!("--no-check={check}");
        let output = folder.run(&[&words(&[])[..], &[without.as_str()]].concat());
        assert_eq!(output.status.code(), Some(0), "{check}: {}", String::from_utf8_lossy(&output.stdout));
    }
    check(&folder, &["verify", "a.cu", "--no-check=races"], 3, &["invalid value 'races' for '--no-check <CHECK>'"]);
}

#[test]
fn what_is_not_checked_is_listed() {
    let source = "__kernel void k(__global int *a, __global int *b) {\n  a[get_global_id(0)] = 1;\n  b[0] = get_global_id(0);\n  \
        __assert(__no_read(b));\n}\n";
    let invariant = "__kernel void k(__global int *a) {\n  __local int p[64];\n  p[get_local_id(0)] = 1;\n  \
        __barrier_invariant_1(p[get_local_id(0)] == 1, 0);\n  barrier(CLK_LOCAL_MEM_FENCE);\n  \
        a[get_global_id(0)] = p[0];\n}\n";
    let folder = Folder::new(&[("a.cl", source.as_bytes()), ("b.cl", invariant.as_bytes())]);
    let cases: [(&[&str], &str); 10] = [
        (&["b.cl", "--no-check=bounds"], "accesses stay inside arrays of known size (--no-check bounds)"),
        (&["b.cl", "--no-check=null,constant"], "no access goes through the null pointer (--no-check null)"),
        (&["b.cl", "--no-check=null,constant"], "nothing writes constant memory (--no-check constant)"),
        (
            &["b.cl", "--no-check", "lane-mask"],
            "masks name the lanes that execute the operation (--no-check lane-mask)",
        ),
        (&["b.cl", "--kernel-arrays=k,1024"], "the array a has 1024 bytes (--kernel-arrays)"),
        (&["a.cl", "--only-log"], "races are not checked (--only-log)"),
        (&["a.cl", "--only-divergence"], "races are not checked (--only-divergence)"),
        (&["a.cl", "--check-arrays=a"], "races are checked on a only (--check-arrays)"),
        (&["a.cl", "--check-arrays=a"], "accesses to arrays that are left out is not checked (--check-arrays)"),
        (&["b.cl", "--no-barrier-access-checks"], "behind it (--no-barrier-access-checks)"),
    ];
    for (words, assumption) in cases {
        let words: Vec<&str> = words.iter().chain(&SIZES).copied().collect();
        let listed = assumptions(&folder, &words);
        assert!(listed.iter().any(|known| known.contains(assumption)), "`{assumption}` is missing in {listed:?}");
    }
    let listed = assumptions(&folder, &["b.cl", SIZES[0], SIZES[1]]).join(" ");
    assert!(!listed.contains("--"), "{listed}");
    // Without the flags there are races.
    check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1]], 1, &[]);
}

#[test]
fn arrays_that_are_not_there() {
    let folder = Folder::new(&[("a.cl", TWO.as_bytes()), ("b.cl", ADD.as_bytes())]);
    let said = "--check-arrays: no kernel has an array `c`; there are: a, b";
    check(&folder, &["verify", "a.cl", "b.cl", "--check-arrays=a,c"], 3, &[said]);
    // It is enough that one kernel has it.
    check(&folder, &["verify", "a.cl", "b.cl", "--kernel=good", "--check-arrays=b"], 0, &[]);
}

/// An invariant is one of both threads, unless only the first is asked for: then what needs it of the second is not proved.
#[test]
fn asymmetric_assertions_say_nothing_of_the_second_thread() {
    let folder = Folder::new(&[("a.cl", include_bytes!("annotations/loop_invariant.cl"))]);
    check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1]], 0, &[]);
    check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1], "--asymmetric-asserts", "--timeout=2"], 2, &[]);
}

#[test]
fn where_only_defects_are_looked_for_nothing_is_verified() {
    let nothing = "__kernel void k(__global int *a) { }\n";
    let loops = "__kernel void k(__global int *a, uint n) {\n  \
        for (uint i = get_global_id(0); i < n; i += get_global_size(0)) a[i] = 1;\n}\n";
    let files: [(&str, &[u8]); 4] = [
        ("a.cl", ADD.as_bytes()),
        ("b.cl", nothing.as_bytes()),
        ("c.cl", loops.as_bytes()),
        ("two.cl", TWO.as_bytes()),
    ];
    let folder = Folder::new(&files);
    for (file, option, depth) in [
        ("a.cl", "--findbugs", "2 iterations"),
        ("b.cl", "--findbugs", "2 iterations"),
        ("c.cl", "--loop-unwind=1", "1 iteration"),
    ] {
        let words = ["verify", file, SIZES[0], SIZES[1], option];
        let output = folder.run(&words);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let reason = format!("only defects were looked for (--findbugs, up to {depth} of each loop); none was found");
        assert!(text.contains("unknown") && text.contains(&reason), "{text}");
        let words: Vec<&str> = words.iter().chain(&["--exit-codes=gpuverify"]).copied().collect();
        check(&folder, &words, 0, &[]);
        // As GPUVerify has it, a depth of 0 is none.
        check(&folder, &["verify", file, SIZES[0], SIZES[1], "--loop-unwind=0"], 0, &[]);
    }
    let output = folder.run(&["verify", "two.cl", SIZES[0], SIZES[1], "--findbugs"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("2 kernels: 1 defect, 1 unknown"), "{text}");
    check(&folder, &["verify", "two.cl", SIZES[0], SIZES[1], "--findbugs", "--exit-codes=gpuverify"], 6, &[]);
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

#[test]
fn files_of_axioms() {
    let kernel = "DECLARE_UF_UNARY(f, uint, uint);\n\
        __kernel void k(__global uint *a, uint n) { __assert(f(n) != 0); a[get_global_id(0)] = n; }\n\
        __kernel void other(__global uint *a) { a[get_global_id(0)] = 1; }\n";
    let folder = Folder::new(&[
        ("a.cl", kernel.as_bytes()),
        ("b.cl", ADD.as_bytes()),
        ("good.bpl", b"axiom (forall x : bv32 :: f(x) != 0bv32);\n"),
        ("other.bpl", b"axiom (forall x : bv32 :: f(x) != 1bv32);\n"),
        ("syntax.bpl", b"// one\naxiom f(0bv32) ==;\n"),
        ("procedure.bpl", b"\nprocedure p();\n"),
        ("narrow.bpl", b"axiom (forall x : bv16 :: f(x) != 0bv16);\n"),
    ]);
    check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1]], 1, &[]);
    check(&folder, &["verify", "a.cl", SIZES[0], SIZES[1], "--boogie-file=other.bpl"], 1, &[]);
    let words = ["verify", "a.cl", SIZES[0], SIZES[1], "--boogie-file=other.bpl", "--boogie-file", "good.bpl"];
    check(&folder, &words, 0, &[]);
    let stated = "what good.bpl states holds (--boogie-file) (line 1)";
    let listed = assumptions(&folder, &["a.cl", "--kernel=k", SIZES[0], SIZES[1], "--boogie-file=good.bpl"]);
    assert!(listed.iter().any(|known| known == stated), "{listed:?}");
    // A kernel that does not apply the function rests on no axiom about it.
    let listed = assumptions(&folder, &["a.cl", "--kernel=other", SIZES[0], SIZES[1], "--boogie-file=good.bpl"]);
    assert!(!listed.iter().any(|known| known.contains("good.bpl")), "{listed:?}");
    for (file, said) in [
        ("syntax.bpl", "syntax.bpl:2: `;` is not expected there"),
        ("procedure.bpl", "procedure.bpl:2: `procedure` is not read"),
        ("narrow.bpl", "narrow.bpl:1: f takes (bv32) and is given (bv16)"),
    ] {
        check(&folder, &["verify", "a.cl", "--boogie-file", file], 3, &[said]);
        check(&folder, &["inspect", "a.cl", "--boogie-file", file], 3, &[said]);
        check(&folder, &["verify", "a.cl", "--boogie-file", file, "--exit-codes=gpuverify"], 12, &[said]);
    }
    let said = "good.bpl:1: function f is neither declared in the file nor applied by a kernel";
    check(&folder, &["verify", "b.cl", "--boogie-file=good.bpl"], 3, &[said]);
    check(&folder, &["verify", "a.cl", "--boogie-file=nowhere.bpl"], 3, &["cannot read nowhere.bpl"]);
    let output =
        folder.run(&["inspect", "a.cl", "--kernel=k", SIZES[0], SIZES[1], "--boogie-file=good.bpl", "--no-infer"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("because \"an axiom (good.bpl:1)\""), "{text}");
}

#[test]
fn headers_for_the_host_and_of_what_is_refused_leave_the_other_kernels_their_verdicts() {
    let source = "#include <cuda/barrier>\n#include <helper_cuda.h>\n#include <nvtx3/nvToolsExt.h>\n#include <nvrtc.h>\n\
        __global__ void good(int *a) { a[threadIdx.x] = 1; }\n\
        __global__ void waits(int *a) {\n  __shared__ cuda::barrier<cuda::thread_scope_block> b;\n  \
        b.arrive_and_wait();\n  a[threadIdx.x] = 1;\n}\n\
        int main(int n, char **words) {\n  findCudaDevice(n, (const char **)words);\n  int *a;\n  \
        checkCudaErrors(cudaMalloc(&a, 256));\n  nvtxRangePush(\"good\");\n  good<<<1, 64>>>(a);\n  \
        getLastCudaError(\"good\");\n  waits<<<1, 64>>>(a);\n  nvtxRangePop();\n}\n";
    let folder = Folder::new(&[("a.cu", source.as_bytes())]);
    let output = folder.run(&["verify", "a.cu"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{text}");
    for part in ["verified good (a.cu:5)", "unknown waits (a.cu:6)", "cuda::barrier (a.cu:8)", "1 group of 64 threads"]
    {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn each_kind_of_finding_has_a_headline() {
    for (file, flags, headline) in [
        ("attacks/warp_passed_by", "", "not every lane of the mask arrives here"),
        ("attacks/warp_not_full", "", "read from a lane that does not take part"),
        ("kernels/aligned_vector_defect", "", "misaligned access: its type asks for more of the address"),
        ("kernels/initialised_later_defect", "", "read of what no thread has written"),
        ("kernels/index_without_overflow_defect", "--check=overflow", "overflow in the computation of an index"),
    ] {
        let path = format!("{}/tests/{file}.cu", env!("CARGO_MANIFEST_DIR"));
        let source = fs::read_to_string(&path).expect("a kernel");
        let sizes = source.lines().nth(1).and_then(|line| line.strip_prefix("//")).expect("flags").to_owned();
        let mut words = vec!["verify", &path, flags];
        words.retain(|word| !word.is_empty());
        words.extend(sizes.split_whitespace().filter(|word| *word != flags));
        let output = Folder::new(&[]).run(&words);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(headline), "{file}: `{headline}` is missing in:\n{text}");
    }
}

#[test]
fn a_kernel_that_launches_another_is_told_so() {
    let source = "__global__ void child(int *a) { a[threadIdx.x] = 1; }\n\
        __global__ void parent(int *a) { child<<<4, 64>>>(a); }\n";
    check(&Folder::new(&[("a.cu", source.as_bytes())]), &["verify", "a.cu"], 3, &["dynamic parallelism"]);
}
