//! Snapshots of texts for people; each is in `tests/program/snapshots/` under the name of its test.
//!
//! `INSTA_UPDATE=always cargo test --workspace --test program texts` rewrites them; the diff is
//! then reviewed. Without it a text that differs is a failure and leaves no file, since
//! `.cargo/config.toml` sets `INSTA_UPDATE=no`.

use std::fs;

use crate::command::{ADD, Folder, POSSIBLE, SIZES, lockstep};

/// Neighbours race, in a group and between groups.
const SHIFT: &str = "__kernel void shift(__global int *a) {\n  int i = get_global_id(0);\n  a[i] = a[i + 1];\n}\n";

/// A barrier that only some threads reach.
const DIVERGENT: &str = "\
__kernel void reverse(__global int *out, int n) {
  __local int part[64];
  int i = get_local_id(0);
  part[i] = i;
  if (i < n) {
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = part[63 - i];
  }
}
";

/// A loop with a barrier in it.
const ROTATE: &str = "\
__kernel void rotate(__global int *out, int n) {
  __local int part[64];
  int i = get_local_id(0);
  part[i] = i;
  for (int k = 0; k < n; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = part[(i + 1) % 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    part[i] = next;
  }
  out[get_global_id(0)] = part[i];
}
";

/// The assertion fails in the first element, and an access lies outside its array.
const ASSERTED: &str = "\
__kernel void asserted(__global int *out) {
  int table[8];
  int i = get_local_id(0);
  __assert(i != 3);
  table[i & 8] = i;
  out[get_global_id(0)] = table[i & 7];
}
";

/// The suggested invariant, which a proof needs, does not hold in the first iteration.
const LOST: &str = "\
__kernel void lost(__global int *out, int n, int from) {
  int at = from;
  for (int i = 0; __candidate_invariant(at == (int)get_global_id(0)), i < n; i++) {
    if (i > 0)
      __assert(at == (int)get_global_id(0));
    at = get_global_id(0);
  }
  out[get_global_id(0)] = at;
}
";

/// A recursive function, which is not supported.
const RECURSIVE: &str = "\
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__kernel void recursive(__global int *a) {
  a[get_global_id(0)] = fib(a[0]);
}
";

const COMMANDS: [&str; 5] = ["verify", "inspect", "run", "suite", "explain"];

/// Runs a command line in a folder with these files, and compares its exit status and output with a
/// snapshot. Numbers that differ from run to run, or with the search for a proof, are left out.
#[track_caller]
fn check_texts(name: &str, files: &[(&str, &str)], words: &[&str]) {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let folder = Folder::new(&files);
    let mut command = lockstep();
    // Without a terminal, clap asks these for the width.
    command.env_remove("COLUMNS").env_remove("LINES").env("LC_ALL", "C");
    let output = command.current_dir(folder.0.path()).args(words).output().expect("lockstep runs");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let status = output.status.code().map_or("none".to_owned(), |code| code.to_string());
    let text = format!("status: {status}\n--- stdout\n{stdout}--- stderr\n{stderr}");
    let path = regex_lite::escape(&folder.0.path().display().to_string());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(format!("lockstep {}", words.join(" ")));
    settings.add_filter(&path, "FOLDER");
    settings.add_filter(r"\d+(\.\d+)? m?s\b", "SECONDS");
    settings.add_filter(r"Seconds per file: .*", "Seconds per file: …");
    settings.add_filter(r"\(\d+ million a second\)", "(… million a second)");
    settings.add_filter(r"\d+ solver quer(y|ies)", "… solver queries");
    settings.add_filter(r"\d+ of \d+ candidate invariants", "… of … candidate invariants");
    settings.add_filter(r"lockstep \d[.\d]* \(LLVM [.\d]+, Z3 [.\d]+\)", "lockstep VERSION (LLVM VERSION, Z3 VERSION)");
    settings.add_filter(r"note: the sandbox is not whole: .*\n", "");
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Verifies one file for 4 groups of 64 threads.
#[track_caller]
fn check_report(name: &str, source: &str, words: &[&str]) {
    check_texts(name, &[("a.cl", source)], &[&["verify", "a.cl"], &SIZES[..], words].concat());
}

#[test]
fn verified_kernel_is_reported() {
    check_report("verified_kernel_is_reported", ADD, &[]);
}

#[test]
fn open_sizes_are_assumptions() {
    check_texts("open_sizes_are_assumptions", &[("a.cl", ADD)], &["verify", "a.cl"]);
}

#[test]
fn race_has_two_accesses() {
    check_report("race_has_two_accesses", SHIFT, &[]);
}

#[test]
fn barrier_divergence_has_two_threads() {
    check_report("barrier_divergence_has_two_threads", DIVERGENT, &[]);
}

#[test]
fn errors_of_one_thread_are_reported() {
    check_report("errors_of_one_thread_are_reported", ASSERTED, &[]);
}

#[test]
fn possible_finding_is_a_warning() {
    check_report("possible_finding_is_a_warning", POSSIBLE, &[]);
}

#[test]
fn possible_findings_are_errors_if_strict() {
    check_report("possible_findings_are_errors_if_strict", POSSIBLE, &["--strict"]);
}

#[test]
fn lost_invariant_is_named() {
    check_report("lost_invariant_is_named", LOST, &["--no-infer"]);
}

#[test]
fn unsupported_construct_is_named() {
    check_report("unsupported_construct_is_named", RECURSIVE, &[]);
}

#[test]
fn several_kernels_have_a_table() {
    let files = [("a.cl", ADD), ("b.cl", SHIFT), ("c.cl", RECURSIVE)];
    let words = [&["verify", "a.cl", "b.cl", "c.cl"], &SIZES[..]].concat();
    check_texts("several_kernels_have_a_table", &files, &words);
}

#[test]
fn quiet_report_has_a_line_per_finding() {
    let files = [("a.cl", ADD), ("b.cl", SHIFT), ("c.cl", RECURSIVE)];
    let words = [&["verify", "--quiet", "a.cl", "b.cl", "c.cl"], &SIZES[..]].concat();
    check_texts("quiet_report_has_a_line_per_finding", &files, &words);
}

#[test]
fn compile_error_is_that_of_clang() {
    let source = "__kernel void broken(__global int *a) {\n  a[get_global_id(0)] = b;\n}\n";
    check_report("compile_error_is_that_of_clang", source, &[]);
}

#[test]
fn missing_file_is_an_error() {
    check_texts("missing_file_is_an_error", &[], &["verify", "nowhere.cl"]);
}

#[test]
fn missing_input_is_an_error() {
    check_texts("missing_input_is_an_error", &[], &["verify"]);
}

#[test]
fn unknown_ending_is_an_error() {
    check_texts("unknown_ending_is_an_error", &[("a.txt", "")], &["verify", "a.txt"]);
}

#[test]
fn unknown_flag_is_an_error() {
    check_texts("unknown_flag_is_an_error", &[("a.cl", ADD)], &["verify", "a.cl", "--local-sise=64"]);
}

#[test]
fn unknown_kernel_is_an_error() {
    check_texts("unknown_kernel_is_an_error", &[("a.cl", ADD)], &["verify", "a.cl", "--kernel=sub"]);
}

#[test]
fn bad_size_is_an_error() {
    check_texts("bad_size_is_an_error", &[("a.cl", ADD)], &["verify", "a.cl", "--local-size=64x"]);
}

#[test]
fn bad_assumption_is_an_error() {
    check_texts("bad_assumption_is_an_error", &[("a.cl", ADD)], &["verify", "a.cl", "--assume=m > 1"]);
}

#[test]
fn help_has_the_options_for_daily_use() {
    check_texts("help", &[], &["--help"]);
    for command in COMMANDS {
        check_texts(&format!("help_of_{command}"), &[], &[command, "--help"]);
    }
}

#[test]
fn help_all_has_every_option() {
    for command in COMMANDS {
        check_texts(&format!("help_all_of_{command}"), &[], &[command, "--help-all"]);
    }
}

#[test]
fn version_is_shown() {
    check_texts("version_is_shown", &[], &["--version"]);
}

#[test]
fn manual_page_is_explained() {
    check_texts("manual_page_is_explained", &[], &["explain", "LS0102"]);
}

#[test]
fn unknown_code_is_an_error() {
    check_texts("unknown_code_is_an_error", &[], &["explain", "LS9999"]);
}

/// Inspects a stage of one file for 4 groups of 64 threads.
#[track_caller]
fn check_stage(name: &str, source: &str, stage: &str) {
    check_texts(name, &[("a.cl", source)], &[&["inspect", "a.cl", "--stage", stage], &SIZES[..]].concat());
}

#[test]
fn kernel_ir_is_shown() {
    check_stage("kernel_ir_is_shown", ADD, "kernel");
}

#[test]
fn graph_is_shown() {
    check_stage("graph_is_shown", ROTATE, "cfg");
}

#[test]
fn one_thread_is_shown() {
    check_stage("one_thread_is_shown", ROTATE, "predicated");
}

#[test]
fn sequential_program_is_shown() {
    check_stage("sequential_program_is_shown", SHIFT, "sequential");
}

#[test]
fn boogie_program_is_shown() {
    check_stage("boogie_program_is_shown", SHIFT, "boogie");
}

#[test]
fn questions_are_shown() {
    check_stage("questions_are_shown", SHIFT, "smt2");
}

#[test]
fn run_without_a_race_is_reported() {
    let words = ["run", "a.cl", "--local-size=4", "--num-groups=2", "--arg=b=iota:int*8"];
    check_texts("run_without_a_race_is_reported", &[("a.cl", ADD)], &words);
}

#[test]
fn run_with_a_race_is_reported() {
    let words = ["run", "a.cl", "--local-size=4", "--num-groups=2"];
    check_texts("run_with_a_race_is_reported", &[("a.cl", SHIFT)], &words);
}

#[test]
fn suite_has_a_summary() {
    let file = |expectation: &str, source: &str| format!("//{expectation}\n//--local_size=64 --num_groups=4\n{source}");
    let (agrees, refuted, differs) =
        (file("pass", ADD), file("xfail:NOT_ALL_VERIFIED", SHIFT), file("pass", DIVERGENT));
    let files = [("agrees.cl", &*agrees), ("refuted.cl", &refuted), ("differs.cl", &differs)];
    check_texts("suite_has_a_summary", &files, &["suite", "."]);
}

#[test]
fn each_snapshot_has_its_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program");
    let source = fs::read_to_string(format!("{folder}/texts.rs")).expect("a test is text");
    let of_commands = COMMANDS.map(|command| [format!("help_of_{command}"), format!("help_all_of_{command}")]);
    let is_compared = |name: &str| {
        of_commands.as_flattened().iter().any(|known| known == name) || source.contains(&format!("(\"{name}\""))
    };
    let entries = fs::read_dir(format!("{folder}/snapshots")).expect("there are snapshots");
    let names = entries.map(|entry| entry.expect("the folder can be read").file_name().into_string().expect("a name"));
    let stale: Vec<String> =
        names.filter(|name| name.strip_suffix(".snap").is_none_or(|name| !is_compared(name))).collect();
    assert!(stale.is_empty(), "no test compares {stale:?}");
}
