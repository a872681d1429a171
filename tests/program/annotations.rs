//! Tests the kernels of `tests/annotations/`, whose verdicts `tests/examples.rs` checks.
//!
//! The documentation shows them as they are, compilers that know nothing of annotations accept
//! them, and they need their annotations.

use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/annotations")
}

fn kernels() -> Vec<(String, String)> {
    let mut kernels: Vec<(String, String)> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "cl"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    kernels.sort();
    kernels
}

/// The part of a kernel's file after the two lines for the tests.
fn shown(source: &str) -> &str {
    source.splitn(3, '\n').nth(2).unwrap_or_default().trim_end()
}

#[test]
fn the_documentation_shows_the_kernels_as_they_are() {
    let text = include_str!("../../docs/annotations.md");
    let mut count = 0;
    for part in text.split("<!-- tests/annotations/").skip(1) {
        let (name, rest) = part.split_once(" -->\n```c\n").expect("a marker before a block of code");
        let (block, _) = rest.split_once("\n```").expect("the end of the block");
        let source = std::fs::read_to_string(folder().join(name)).unwrap();
        assert_eq!(block, shown(&source), "{name} is shown otherwise than it is");
        count += 1;
    }
    assert!(count >= 15, "only {count} kernels are shown");
}

/// A kernel that misuses annotations does not compile elsewhere, either.
#[test]
fn compilers_that_know_nothing_of_annotations_take_the_kernels() {
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/lockstep.h");
    for (name, _) in kernels() {
        let output = Command::new("clang-19")
            .args(["-x", "cl", "-cl-std=CL2.0", "-target", "spir64-unknown-unknown", "-fsyntax-only", "-include"])
            .arg(&header)
            .arg(folder().join(&name))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), !name.starts_with("acts_on_"), "{name}: {said}");
    }
}

/// The flags of a kernel's second line.
fn flags(source: &str) -> Vec<&str> {
    source.lines().nth(1).unwrap_or_default().trim_start_matches('/').split_whitespace().collect()
}

/// A kernel that demonstrates an annotation is not verified without it.
#[test]
fn kernels_that_need_an_annotation_are_not_verified_without() {
    const NEEDED: [&str; 14] = [
        "candidate_assert.cl",
        "dominator.cl",
        "powers_of_two.cl",
        "barrier_invariant.cl",
        "barrier_invariant_binary.cl",
        "barrier_invariant_in_loop.cl",
        "candidates.cl",
        "global_invariant.cl",
        "loop_invariant.cl",
        "requires.cl",
        "two_threads.cl",
        "uninterpreted.cl",
        "assume_option.cl",
        "assume_contents.cl",
    ];
    let kernels = kernels();
    for needed in NEEDED {
        let (name, source) = kernels.iter().find(|(name, _)| name == needed).expect("the kernel is there");
        let flags = flags(source).into_iter().filter(|flag| !flag.starts_with("--assume"));
        let output = Command::new(env!("CARGO_BIN_EXE_lockstep"))
            .arg("verify")
            .arg(folder().join(name))
            .args(flags)
            .args(["--no-annotations", "--timeout", "5"])
            .output()
            .unwrap();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{name}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

/// A misplaced precondition is an error while only preconditions count; if nothing counts, it is
/// ignored.
#[test]
fn misplaced_preconditions_are_errors_as_long_as_any_count() {
    for (flag, status) in [("--only-requires", 3), ("--no-annotations", 1)] {
        let kernel = folder().join("misplaced_requires.cl");
        let output = Command::new(env!("CARGO_BIN_EXE_lockstep")).args(["verify", flag]).arg(kernel).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{flag}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

/// Assumptions are listed, with line and text.
#[test]
fn assumptions_are_listed() {
    let assumptions = |name: &str| {
        let source = std::fs::read_to_string(folder().join(name)).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_lockstep"))
            .arg("verify")
            .arg(folder().join(name))
            .args(flags(&source))
            .args(["--format", "json"])
            .output()
            .unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        report["kernels"][0]["assumptions"].to_string()
    };
    let listed = [
        ("requires.cl", "the source's own assumption on line 6: `__requires(length >= get_local_size(0))`"),
        ("two_threads.cl", "the source's own assumption on line 7: `__assume(__distinct_int(place))`"),
        ("uninterpreted.cl", "the source's own assumption on line 5: `__axiom(get_num_groups(0) == 4)`"),
        ("uninterpreted.cl", "slot_of, which has no body, is a function of its arguments and does nothing else"),
        ("sum.cl", "the source's own assumption on line 5: `__add_noovfl_unsigned_int(before, n)`"),
        ("assume_contents.cl", "`sorted(rows)` (--assume)"),
        ("assume_option.cl", "`width>=get_global_size(0)` (--assume)"),
    ];
    for (name, assumption) in listed {
        let found = assumptions(name);
        assert!(found.contains(assumption), "{name}: {found}");
    }
    assert!(!assumptions("contract.cl").contains("own assumption"), "a called function's precondition is none");
}

/// A misplaced annotation is an error that names the right place.
#[test]
fn an_error_names_the_right_place() {
    let elsewhere = [
        ("misplaced_axiom.cl", "__axiom stands at file scope"),
        ("misplaced_barrier_invariant.cl", "__barrier_invariant_1 does not stand directly before a barrier"),
        ("misplaced_by_short_circuit.cl", "write it first in the loop's condition"),
        ("misplaced_ensures.cl", "__ensures does not stand at the beginning of its function"),
        ("misplaced_ensures_after_change.cl", "__ensures does not stand at the beginning of its function"),
        ("misplaced_requires_after_change.cl", "__requires does not stand at the beginning of its function"),
        ("misplaced_requires_after_copy.cl", "__requires does not stand at the beginning of its function"),
        ("misplaced_requires_after_call.cl", "__requires does not stand at the beginning of its function"),
        ("misplaced_function_wide.cl", "__function_wide_invariant does not stand at the end of its function"),
        ("misplaced_function_wide_in_loop.cl", "__function_wide_invariant does not stand at the end of its function"),
        ("misplaced_invariant_after_access.cl", "write it first in the loop's condition"),
        ("acts_on_an_unused_value.cl", "the source uses the value of __invariant"),
        ("misplaced_ensures_in_branch.cl", "__ensures does not stand at the beginning of its function"),
        ("misplaced_ensures_with_branch.cl", "__ensures does not stand at the beginning of its function"),
        ("misplaced_invariant.cl", "write it first in the loop's condition"),
        ("misplaced_old.cl", "__old_int does not stand in an __ensures"),
        ("misplaced_requires.cl", "__requires does not stand at the beginning of its function"),
        ("misplaced_requires_after_access.cl", "__requires does not stand at the beginning of its function"),
        ("misplaced_requires_in_function.cl", "__requires does not stand at the beginning of its function"),
        ("misplaced_return_value.cl", "__return_val_uint does not stand in an __ensures"),
        ("acts_on_an_invariant.cl", "the source uses the value of __invariant"),
        ("acts_on_a_last_invariant.cl", "the source uses the value of __invariant"),
    ];
    let misplaced = kernels().into_iter().filter(|(name, _)| name.starts_with("misplaced_"));
    let without_message = misplaced.filter(|(name, _)| elsewhere.iter().all(|(known, _)| known != name));
    assert_eq!(without_message.map(|(name, _)| name).collect::<Vec<_>>(), Vec::<String>::new());
    for (name, message) in elsewhere {
        let kernel = folder().join(name);
        let output = Command::new(env!("CARGO_BIN_EXE_lockstep")).arg("verify").arg(kernel).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{name}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(message), "{name}: {said}");
    }
}
