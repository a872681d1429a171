//! Proofs checked by a second solver: the treatment of its answers.
//!
//! If cvc5 and Bitwuzla are installed (`pip install cvc5 bitwuzla`), the tests check that their
//! answers are the right ones.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::command::{ADD, Folder, SIZES, check, lockstep};
use serde_json::Value;

/// A solver that recognises contradictions and otherwise executes a script; the question's file is
/// `$1`.
fn folder_with_solver(script: &str) -> Folder {
    let script = format!("#!/bin/sh\nif grep -q '^(assert false)$' \"$1\"; then echo unsat; exit; fi\n{script}\n");
    let folder = Folder::new(&[("add.cl", ADD.as_bytes()), ("solver", script.as_bytes())]);
    fs::set_permissions(folder.path("solver"), fs::Permissions::from_mode(0o755)).expect("modes can be set");
    folder
}

/// `verify` of a kernel with two sizes, and its only kernel's report.
fn report(folder: &Folder, words: &[&str]) -> (Option<i32>, Value, String) {
    let output = folder.run(&[&["verify", "add.cl", "--format=json", SIZES[0], SIZES[1]], words].concat());
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"));
    (output.status.code(), report["kernels"][0].clone(), stderr)
}

#[test]
fn unsatisfiable_answers_are_counted() {
    let folder = folder_with_solver("cat \"$1\" >>asked; echo unsat");
    let (status, kernel, stderr) = report(&folder, &["--recheck=./solver"]);
    let recheck = &kernel["statistics"]["recheck"];
    assert_eq!((status, &kernel["verdict"]), (Some(0), &"verified".into()), "{stderr}");
    let asked = fs::read_to_string(folder.path("asked")).expect("it was asked");
    let questions = asked.matches("(check-sat)").count();
    // Two threads of a group write two cells, and so do threads of two groups.
    assert!(questions >= 2, "{asked}");
    assert_eq!(recheck["unsat"], questions);
    assert_eq!((&recheck["undecided"], &recheck["failed"]), (&0.into(), &0.into()));
    assert_eq!(recheck["solver"], "./solver");
    assert!(!asked.contains(" Int") && asked.contains("(set-logic QF_AUFBV)"), "{asked}");
    // The cache is not used: the same questions are asked again.
    report(&folder, &["--recheck=./solver {}"]);
    let again = fs::read_to_string(folder.path("asked")).expect("it was asked");
    assert_eq!(again.matches("(check-sat)").count(), 2 * questions);
    let text = folder.run(&["verify", "add.cl", SIZES[0], SIZES[1], "--recheck=./solver"]).stdout;
    let text = String::from_utf8_lossy(&text).into_owned();
    let queries = if questions == 1 { "query" } else { "queries" };
    assert!(text.contains(&format!("  re-checked by ./solver: {questions} {queries} unsat\n")), "{text}");
    assert_eq!(report(&folder, &[]).1["statistics"].get("recheck"), None);
}

#[test]
fn a_model_is_an_error_and_its_question_is_kept() {
    let folder = folder_with_solver("echo sat");
    let (status, kernel, _) = report(&folder, &["--recheck=./solver"]);
    assert_eq!((status, &kernel["verdict"]), (Some(4), &"error".into()), "{kernel}");
    let reason = kernel["reason"].as_str().expect("a reason");
    assert!(reason.contains("`./solver` answers sat where the proof needs unsat: add: "), "{reason}");
    let file = reason.rsplit(' ').next().expect("a path");
    let question = fs::read_to_string(file).expect("the question is there");
    assert!(question.contains("(assert ") && question.ends_with("(check-sat)\n"), "{question}");
    fs::remove_file(file).expect("it can be removed");
}

#[test]
fn undecided_answers_are_counted() {
    for script in ["echo unknown", "sleep 30"] {
        let folder = folder_with_solver(script);
        let (status, kernel, _) = report(&folder, &["--recheck=./solver", "--recheck-timeout=0.2"]);
        let recheck = &kernel["statistics"]["recheck"];
        assert_eq!((status, &kernel["verdict"]), (Some(0), &"verified".into()));
        assert!(recheck["undecided"].as_u64() > Some(0) && recheck["unsat"] == 0, "{recheck}");
        assert_eq!(recheck["limit_seconds"], 0.2);
    }
    let folder = folder_with_solver("echo unknown");
    let words = ["verify", "add.cl", SIZES[0], SIZES[1], "--recheck=./solver", "--recheck-timeout=7"];
    let text = String::from_utf8_lossy(&folder.run(&words).stdout).into_owned();
    assert!(
        text.contains("  re-checked by ./solver: 0 queries unsat, ") && text.contains(" not decided in 7 s\n"),
        "{text}"
    );
}

#[test]
fn other_output_is_a_fault_of_the_command() {
    for script in ["echo nonsense", "echo unsat; exit 3", "exit 1", "echo no memory >&2; exit 1"] {
        let folder = folder_with_solver(script);
        let (status, kernel, stderr) = report(&folder, &["--recheck=./solver"]);
        assert_eq!((status, &kernel["verdict"]), (Some(3), &"verified".into()), "{script}");
        assert!(kernel["statistics"]["recheck"]["failed"].as_u64() > Some(0), "{kernel}");
        assert!(stderr.contains("error: --recheck: `./solver` gave no answer to "), "{stderr}");
    }
}

#[test]
fn commands_that_are_no_solver_are_refused_at_once() {
    let folder = folder_with_solver("");
    check(&folder, &["verify", "add.cl", "--recheck=./nowhere"], 3, &["--recheck: `./nowhere` cannot be run"]);
    check(&folder, &["verify", "add.cl", "--recheck=true"], 3, &["--recheck: `true` ended with"]);
    check(&folder, &["verify", "add.cl", "--recheck=sh -c 'echo sat'"], 3, &["answers sat to a contradiction"]);
    check(&folder, &["verify", "add.cl", "--recheck=./solver '"], 3, &["missing closing quote"]);
}

/// Proofs by induction, with invariants of nested loops, digits, warps and counters; proofs by
/// execution; a proof without pairs of threads.
const EXAMPLES: [&str; 6] = [
    "vector_add.cl",
    "strided_fill.cl",
    "reduce_strided.cl",
    "transpose_tile.cl",
    "syncwarp_exchange.cu",
    "scan_in_place.cl",
];

/// The command of a solver from PyPI, if it is installed.
#[allow(clippy::print_stderr, reason = "who reads the tests' output should know what was left out")]
fn installed(solver: &str) -> Option<String> {
    let found = Command::new("python3").args(["-c", &format!("import {solver}")]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        eprintln!("note: {solver} is not installed (pip install {solver}): proofs are not checked with it");
        return None;
    }
    Some(format!("python3 {}/tests/second_solver.py {solver}", env!("CARGO_MANIFEST_DIR")))
}

/// The reports on an example's kernels, with the flags of its second line.
fn rechecked(example: &str, command: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(example);
    let source = fs::read_to_string(&path).expect("an example can be read");
    let header = lockstep::suite::Header::parse(&source).expect("it says what is expected");
    let output = lockstep_on(&path, &header.flags, command);
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    report["kernels"].as_array().expect("kernels").clone()
}

fn lockstep_on(path: &Path, flags: &[String], command: &str) -> std::process::Output {
    let mut run = lockstep();
    run.arg("verify").arg(path).args(flags).args(["--format=json", "--recheck", command]);
    run.output().expect("lockstep runs")
}

#[test]
fn other_solvers_agree_with_proofs() {
    for command in ["cvc5", "bitwuzla"].into_iter().filter_map(installed) {
        for example in EXAMPLES {
            for kernel in rechecked(example, &command) {
                let recheck = &kernel["statistics"]["recheck"];
                assert_eq!(kernel["verdict"], "verified", "{example}: {}", kernel["reason"]);
                assert!(recheck["unsat"].as_u64() > Some(0), "{example}: {recheck}");
                assert_eq!(recheck["failed"], 0, "{example}: {recheck}");
            }
        }
    }
}

/// Questions have content: a solver that is not told the facts finds models.
#[test]
fn without_its_facts_a_proof_is_none() {
    for command in ["cvc5", "bitwuzla"].into_iter().filter_map(installed) {
        let script = format!(
            "#!/bin/sh\nawk '/^\\(assert/ {{ last = $0; next }} /^\\(check-sat/ {{ print last }} {{ print }}' \"$1\" >\"$1.part\"\n\
             {command} \"$1.part\"\nrm \"$1.part\"\n"
        );
        let folder = Folder::new(&[("add.cl", ADD.as_bytes()), ("solver", script.as_bytes())]);
        fs::set_permissions(folder.path("solver"), fs::Permissions::from_mode(0o755)).expect("modes can be set");
        let (status, kernel, _) = report(&folder, &["--recheck=./solver"]);
        assert_eq!((status, &kernel["verdict"]), (Some(4), &"error".into()), "{kernel}");
        let file = kernel["reason"].as_str().and_then(|reason| reason.rsplit(' ').next()).expect("a path");
        fs::remove_file(file).expect("it can be removed");
    }
}
