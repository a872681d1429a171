//! Rules about where things may be named, so that the folders stay what ARCHITECTURE.md says they are.

use std::fs;
use std::path::{Path, PathBuf};

/// Every Rust file below a folder of the repository.
fn rust_files(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    assert!(!files.is_empty(), "no Rust file in {folder}");
    files.sort();
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The code of a line, without a comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or("")
}

/// Whether the code uses the crate: as a path or in a `use`.
fn names_crate(line: &str, name: &str) -> bool {
    let code = code(line);
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = &code[at + name.len()..];
        let starts = before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '"');
        // `crate::solver::z3` is a module of ours, `::z3` is the crate.
        let ours = code[..at].strip_suffix("::").is_some_and(|path| path.ends_with(|c: char| c.is_alphanumeric()));
        starts && !ours && after.starts_with("::")
    })
}

/// Fails with every line below `folder` outside `allowed` for which `offends` holds.
fn check(folder: &str, allowed: &[&str], offends: impl Fn(&str) -> bool) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut offences = Vec::new();
    for file in rust_files(folder) {
        let name = file.strip_prefix(root).expect("below the root").display().to_string();
        if allowed.iter().any(|allowed| name.starts_with(allowed)) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a source file can be read");
        let lines = text.lines().enumerate().filter(|(_, line)| offends(line));
        offences.extend(lines.map(|(number, line)| format!("{name}:{}: {}", number + 1, line.trim())));
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn inkwell_is_named_only_by_the_llvm_front_end() {
    for folder in ["src", "ir/src", "invariants/src"] {
        let llvm = |line: &str| names_crate(line, "inkwell") || names_crate(line, "llvm_sys");
        check(folder, &["src/frontend/llvm/"], llvm);
    }
}

#[test]
fn z3_is_named_only_by_the_solver() {
    for folder in ["src", "ir/src", "invariants/src"] {
        check(folder, &["src/solver/"], |line| names_crate(line, "z3") || names_crate(line, "z3_sys"));
    }
}

#[test]
fn only_the_report_prints() {
    for folder in ["src", "ir/src", "invariants/src"] {
        check(folder, &["src/report/"], |line| {
            let code = code(line);
            ["println!(", "eprintln!(", "print!(", "eprint!(", "dbg!("].iter().any(|print| {
                code.find(print).is_some_and(|at| {
                    !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') || code[..at].ends_with('e')
                })
            })
        });
    }
}

#[test]
fn the_intermediate_representations_know_no_files() {
    for folder in ["ir/src", "invariants/src"] {
        // Tests may read what they compare with.
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for file in rust_files(folder) {
            let text = fs::read_to_string(&file).expect("a source file can be read");
            let name = file.strip_prefix(root).expect("below the root").display();
            let shipped = text.split("#[cfg(test)]").next().unwrap_or("");
            for (number, line) in shipped.lines().enumerate() {
                let code = code(line);
                let offends =
                    ["std::fs", "std::process", "std::net", "std::env"].iter().any(|part| code.contains(part));
                assert!(!offends, "{name}:{}: {}", number + 1, line.trim());
            }
        }
    }
}

#[test]
fn main_is_short() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs")).expect("it is there");
    assert!(text.lines().count() < 80);
}

#[test]
fn the_rules_can_fail() {
    assert!(names_crate("    let s = z3::Solver::new();", "z3"));
    assert!(names_crate("use inkwell::context::Context;", "inkwell"));
    assert!(names_crate("use ::z3::ast::Ast;", "z3"));
    assert!(!names_crate("use crate::solver::z3::Session; // z3::x", "z3"));
    assert!(!names_crate("let libz3::x;", "z3"));
}

/// A family that no proof needs is not worth its candidates.
#[test]
fn each_family_has_a_proof_that_needs_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/proofs");
    let sources: Vec<String> = fs::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| fs::read_to_string(entry.expect("the folder can be read").path()).expect("a kernel is text"))
        .collect();
    for family in lockstep_invariants::families::FAMILIES {
        let mark = format!("// needs {}", family.name);
        let needed = sources.iter().any(|source| source.lines().any(|line| line == mark));
        assert!(needed, "no kernel of tests/proofs says `{mark}`");
    }
}
