//! Rules about where names may be used, so that the folders stay as ARCHITECTURE.md describes them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use lockstep_ir::assumption::Assumed;
use strum::VariantNames;

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
fn the_kernel_of_the_machine_is_asked_for_a_sandbox_in_one_place() {
    let sandboxes = |line: &str| names_crate(line, "landlock") || names_crate(line, "seccompiler");
    check("src", &["src/system/sandbox/"], sandboxes);
}

/// The packages that a package of this repository depends on, tests apart.
fn dependencies(folder: &str) -> Vec<String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("a package has a manifest");
    let section = text.split("\n[dependencies]\n").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', ' ', '=']).next()).filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

/// Cargo rules out cycles; these are the dependencies that must not exist at all.
#[test]
fn stages_depend_on_those_before_them_only() {
    let stages = [
        ("ir", &["lockstep-"][..]),
        ("invariants", &["lockstep-solver", "lockstep-prove", "lockstep-transform", "lockstep-frontend"]),
        ("src/options", &["lockstep-system", "lockstep-verdict"]),
        ("src/system", &["lockstep-"]),
        ("src/verdict", &["lockstep-options", "lockstep-system", "lockstep-prove", "lockstep-report"]),
        ("src/frontend", &["lockstep-transform", "lockstep-prove", "lockstep-report", "lockstep-verdict"]),
        ("src/transform", &["lockstep-frontend", "lockstep-prove", "lockstep-solver", "lockstep-report"]),
        ("src/solver", &["lockstep-transform", "lockstep-frontend", "lockstep-prove", "lockstep-report"]),
        ("src/interpreter", &["lockstep-transform", "lockstep-solver", "lockstep-prove", "lockstep-frontend"]),
        ("src/prove", &["lockstep-frontend", "lockstep-interpreter", "lockstep-findings", "lockstep-report"]),
        ("src/findings", &["lockstep-frontend", "lockstep-interpreter", "lockstep-replay", "lockstep-report"]),
        ("src/replay", &["lockstep-frontend", "lockstep-solver", "lockstep-report"]),
        ("src/report", &["lockstep-frontend", "lockstep-solver", "lockstep-replay", "lockstep-interpreter"]),
    ];
    for (folder, forbidden) in stages {
        let all = dependencies(folder);
        assert!(!all.is_empty(), "{folder} has no dependencies");
        let drawn: Vec<_> = all.iter().filter(|name| forbidden.iter().any(|not| name.starts_with(not))).collect();
        assert!(drawn.is_empty(), "{folder} depends on {drawn:?}");
    }
    let of = |name: &str| stages.iter().filter(|(folder, _)| dependencies(folder).contains(&name.to_owned())).count();
    assert_eq!((of("inkwell"), of("z3")), (1, 1));
}

#[test]
fn only_the_report_prints() {
    for folder in ["src", "ir/src", "invariants/src"] {
        check(folder, &["src/report/", "src/frontend/build.rs", "src/solver/build.rs"], |line| {
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
        // Tests may read the files that they compare with.
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

/// The paths in the first column of a table.
///
/// Each is relative to the folder of the one before it, or to one that a heading names.
fn paths_of_map(page: &str) -> Vec<(String, Vec<String>)> {
    let (mut rows, mut heading) = (Vec::new(), Vec::new());
    for line in page.lines() {
        let quoted = |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        if line.starts_with('#') {
            heading = quoted(line);
        } else if let Some(row) = line.strip_prefix("| `") {
            let first = row.split(" | ").next().unwrap_or_default();
            let mut folders = heading.clone();
            for name in quoted(&format!("`{first}")) {
                if let Some((folder, _)) = name.rsplit_once('/') {
                    let below_heading = heading.iter().map(|heading| format!("{heading}{folder}/"));
                    folders.extend(below_heading.chain([format!("{folder}/")]));
                }
                rows.push((name, folders.clone()));
            }
        }
    }
    rows
}

#[test]
fn the_code_map_names_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("it is there");
    let map = page.split("## Code map").nth(1).and_then(|map| map.split("\n## ").next()).expect("a code map");
    let rows = paths_of_map(map);
    assert!(rows.len() > 100, "{} paths", rows.len());
    let exists = |name: &str, folders: &[String]| {
        let below = |folder: &str| [root.join(folder), root.join("src").join(folder)].map(|folder| folder.join(name));
        let mut places = folders.iter().map(String::as_str).chain([""]).flat_map(below);
        places.any(|path| path.exists())
    };
    let missing: Vec<&String> =
        rows.iter().filter(|(name, folders)| !exists(name, folders)).map(|(name, _)| name).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names {missing:?}");
}

/// The complaint about a comment, if there is one: its columns, or how a sentence begins.
fn complaint(line: &str) -> Option<String> {
    const WIDEST: usize = 100;
    let comment = line.trim_start().strip_prefix("//")?.trim_start_matches(['/', '!']).trim();
    let columns = line.chars().count();
    if columns > WIDEST && comment.contains(' ') {
        return Some(format!("{columns} columns"));
    }
    let sentences = comment.split(". ").chain(comment.split(": ").skip(1));
    let begins = |word: &&str| sentences.clone().any(|sentence| sentence.starts_with(&format!("{word} ")));
    ["What", "That", "Of"].iter().find(|word| begins(word)).map(|word| format!("a sentence begins with {word}"))
}

#[test]
fn comments_are_short_and_name_their_subject_first() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "ir/src", "invariants/src", "benches", "tests/library", "tests/program", "tests/verdicts"];
    let mut found = Vec::new();
    for file in folders.iter().flat_map(|folder| rust_files(folder)) {
        let text = fs::read_to_string(&file).expect("a source file can be read");
        let name = file.strip_prefix(root).expect("below the root").display();
        // A literal that goes over several lines is no comment, whatever its lines look like.
        let mut in_literal = false;
        for (number, line) in (1..).zip(text.lines()) {
            if !in_literal {
                found.extend(complaint(line).map(|complaint| format!("{name}:{number}: {complaint}")));
            }
            let quotes = line.replace("\\\"", "").replace("'\"'", "").matches('"').count();
            let is_comment = !in_literal && line.trim_start().starts_with("//");
            in_literal ^= !is_comment && quotes % 2 == 1;
        }
    }
    assert!(found.is_empty(), "{} comments:\n{}", found.len(), found.join("\n"));
    assert!(complaint("    /// What it is.").is_some() && complaint("// It is so. That is why.").is_some());
    assert!(complaint("// Whatever it is, so be it.").is_none() && complaint("let what = 1; // What").is_none());
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
    let names = names_of_tests("`a.cl` is `not one.cl`, nor `.ll`; `tests/b.rs::c` is");
    assert_eq!(names, [("a.cl", None), ("tests/b.rs", Some("c"))]);
    assert!(test_exists("tidy.rs", Some("the_rules_can_fail")) && test_exists("attacks/same_value*.cl", None));
    assert!(!test_exists("tidy.rs", Some("the_rules_cannot_fail")) && !test_exists("attacks/other_value*.cl", None));
}

/// The names of tests in a text.
///
/// They stand in backquotes and look like a file (`attacks/a.cl`, with `*` for any letters) or like
/// a function in one (`tests/a.rs::b`).
fn names_of_tests(text: &str) -> Vec<(&str, Option<&str>)> {
    const ENDINGS: [&str; 7] = [".rs", ".cl", ".cu", ".hip", ".ptx", ".txt", ".bpl"];
    let names = text.split('`').skip(1).step_by(2).map(|name| match name.split_once("::") {
        Some((file, function)) => (file, Some(function)),
        None => (name, None),
    });
    let is_file = |name: &str| ENDINGS.iter().any(|ending| name.len() > ending.len() && name.ends_with(ending));
    names.filter(|(file, _)| is_file(file) && !file.contains(char::is_whitespace)).collect()
}

/// The folders of the test binaries: a test is named by its file, whichever binary links it.
const BINARIES: [&str; 3] = ["tests/library", "tests/program", "tests/verdicts"];

/// The files of this name: from the root, or among the tests or the examples.
fn files_named(name: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let in_tests = name.strip_prefix("tests/").unwrap_or(name);
    let folders = ["", "tests", "examples"].map(|folder| root.join(folder).join(name));
    let mut found = Vec::new();
    for path in folders.into_iter().chain(BINARIES.map(|folder| root.join(folder).join(in_tests))) {
        let pattern = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let Some((start, end)) = pattern.split_once('*') else {
            found.extend(path.is_file().then_some(path));
            continue;
        };
        let entries = fs::read_dir(path.parent().expect("a folder")).into_iter().flatten();
        let files = entries.map(|entry| entry.expect("the folder can be read").path());
        found.extend(files.filter(|file| {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }));
    }
    found
}

/// Whether this file exists, and contains this function.
fn test_exists(file: &str, function: Option<&str>) -> bool {
    let files = files_named(file);
    let Some(function) = function else { return !files.is_empty() };
    let declaration = format!("fn {function}(");
    files.iter().any(|file| fs::read_to_string(file).expect("a test is text").contains(&declaration))
}

/// The page names existing tests for each assumption.
#[test]
fn each_assumption_is_tried_by_tests_that_exist() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/soundness.md")).expect("it is there");
    for (file, function) in names_of_tests(&page) {
        assert!(test_exists(file, function), "docs/soundness.md names {file} {}", function.unwrap_or_default());
    }
    let mut untried = Vec::new();
    let mut rows = 0;
    for section in page.split("\n| assumption |").skip(1) {
        let table = section.lines().skip(2).take_while(|line| line.starts_with('|'));
        for row in table {
            rows += 1;
            let tried = row.trim_end_matches('|').rsplit_once(" | ").map_or("", |(_, last)| last);
            if names_of_tests(tried).is_empty() {
                untried.push(row);
            }
        }
    }
    assert!(rows > 50, "{rows} rows");
    assert!(untried.is_empty(), "nobody tries:\n{}", untried.join("\n"));
}

/// The page names each assumption that a report can list.
#[test]
fn each_assumption_is_on_the_page() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/soundness.md")).expect("it is there");
    let missing: Vec<&&str> = Assumed::VARIANTS.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(Assumed::VARIANTS.len() > 50 && missing.is_empty(), "docs/soundness.md does not name {missing:?}");
}

/// A kernel that demonstrates an assumption stands beside it on the page.
#[test]
fn each_kernel_about_an_assumption_is_on_the_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/soundness.md")).expect("it is there");
    for entry in fs::read_dir(root.join("tests/assumptions")).expect("the folder can be read") {
        let name = entry.expect("the folder can be read").file_name().into_string().expect("a name");
        assert!(page.contains(&format!("`assumptions/{name}`")), "docs/soundness.md does not name {name}");
    }
}

/// A family of candidates without a proof that needs it is not worth its cost.
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

/// The names in a folder, without their endings.
fn names_in(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    paths.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect()
}

#[test]
fn each_analysis_has_its_filetests() {
    let mut analyses = names_in("src/transform/analysis");
    assert!(analyses.remove("mod"));
    assert_eq!(names_in("tests/analyses"), analyses);
}

#[test]
fn each_family_proposes_something_in_a_filetest() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families");
    let read = |name| fs::read_to_string(folder.join(format!("{name}.txt"))).expect("a program is text");
    let texts: String = names_in("tests/families").into_iter().map(read).collect();
    for family in lockstep_invariants::families::FAMILIES {
        assert!(texts.contains(&format!(" [{}] ", family.name)), "no file of tests/families has {}", family.name);
    }
}
