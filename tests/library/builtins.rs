//! Checks that the table of Clang's builtin functions is complete.
//!
//! The table (`src/frontend/clang/builtins.txt`) gives the treatment of every builtin function that
//! Clang 19 accepts on our targets, and has no other names. Clang has no option that lists them.
//! Its own library has their names as strings, among many others. Each string that could be a name
//! is put to Clang as `__has_builtin(name)`, for each target, language and standard that Lockstep
//! uses.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const TABLE: &str = include_str!("../../src/frontend/clang/builtins.txt");

/// The configurations in which Clang is asked, by the options of its first phase.
///
/// The host's builtins, which CUDA also has on the device side, cannot be called there; without a
/// target for the host there are none.
const TARGETS: [&[&str]; 7] = [
    &["-triple", "spir64-unknown-unknown", "-x", "cl", "-cl-std=CL1.2"],
    &["-triple", "spir64-unknown-unknown", "-x", "cl", "-cl-std=CL2.0"],
    &["-triple", "spir-unknown-unknown", "-x", "cl", "-cl-std=CL3.0"],
    &["-triple", "spir64-unknown-unknown", "-x", "cl", "-cl-std=clc++"],
    &[NVPTX, "nvptx64-nvidia-cuda", "-target-cpu", "sm_80", "-target-feature", "+ptx83", "-std=gnu++11"],
    &[NVPTX, "nvptx64-nvidia-cuda", "-target-cpu", "sm_90a", "-target-feature", "+ptx85", "-std=gnu++17"],
    &[NVPTX, "nvptx64-nvidia-cuda", "-target-cpu", "sm_90a", "-target-feature", "+ptx85", "-std=gnu++23"],
];

/// The `-triple` of configurations that also get CUDA's other device-side options.
const NVPTX: &str = "-triple";

/// The possible treatments.
const TREATMENTS: [&str; 13] = [
    "redirected",
    "atomic",
    "nvvm",
    "intrinsic",
    "folded",
    "access",
    "function",
    "opencl",
    "frame",
    "flow",
    "anything",
    "nothing",
    "rejected",
];

/// Type traits that Clang 19.1.1, which Ubuntu 24.04 has, knows but denies in `__has_builtin`.
const DENIED: [&str; 4] = [
    "__can_pass_in_regs",
    "__reference_binds_to_temporary",
    "__reference_constructs_from_temporary",
    "__reference_converts_from_temporary",
];

/// Each name of the table, with its treatment.
fn table() -> BTreeMap<&'static str, &'static str> {
    let mut names = BTreeMap::new();
    for section in TABLE.split("\n[").skip(1) {
        let (treatment, rest) = section.split_once("]\n").expect("a treatment");
        assert!(TREATMENTS.contains(&treatment), "{treatment}");
        assert!(rest.starts_with("# "), "{treatment} has no reason");
        for name in rest.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace) {
            assert_eq!(names.insert(name, treatment), None, "{name} is listed twice");
        }
    }
    names
}

/// The files that may contain Clang's code: the program, and the library that implements it.
fn clang_code() -> Vec<PathBuf> {
    let output = Command::new("sh").args(["-c", "command -v clang-19"]).output().expect("a shell");
    let found = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    let program = found.canonicalize().expect("Clang 19");
    let libraries = program.parent().and_then(Path::parent).expect("an installation").join("lib");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(libraries).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libclang-cpp.so")));
    files.push(program);
    files
}

/// All strings in these files that could be names.
fn identifiers(files: &[PathBuf]) -> BTreeSet<String> {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut names = BTreeSet::new();
    for bytes in files.iter().filter_map(|file| std::fs::read(file).ok()) {
        for string in bytes.split(|byte| *byte == 0) {
            // The bytes before a string are no part of it.
            let name = string.rsplit(|byte| !is_of_name(byte)).next().unwrap_or_default();
            let name = String::from_utf8_lossy(name).into_owned();
            if (2..100).contains(&name.len()) && !name.starts_with(|first: char| first.is_ascii_digit()) {
                names.insert(name);
            }
        }
    }
    // Clang warns about its use outside of macros.
    names.remove("__VA_ARGS__");
    names.remove("__VA_OPT__");
    names
}

/// The names that are builtins for such a target.
fn accepted(names: &BTreeSet<String>, target: &[&str]) -> BTreeSet<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ask.c");
    let mut source = String::new();
    for name in names {
        writeln!(source, "#if __has_builtin({name})\nBUILTIN \"{name}\"\n#endif").expect("a string");
    }
    std::fs::write(&file, source).expect("written");
    let mut command = Command::new("clang-19");
    command.arg("-cc1").args(target);
    if target.contains(&"nvptx64-nvidia-cuda") {
        command.args(["-x", "cuda", "-fcuda-is-device"]);
    }
    let output = command.args(["-E", "-P"]).arg(&file).output().expect("Clang 19");
    assert!(output.status.success(), "{target:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().filter_map(|line| line.strip_prefix("BUILTIN \"")?.strip_suffix('"')).map(str::to_owned).collect()
}

#[test]
fn every_builtin_of_clang_is_in_the_table() {
    let table = table();
    let files = clang_code();
    let mut asked = identifiers(&files);
    asked.extend(table.keys().map(|&name| name.to_owned()));
    let found: BTreeSet<String> = TARGETS.iter().flat_map(|target| accepted(&asked, target)).collect();
    let missing: Vec<&String> = found.iter().filter(|name| !table.contains_key(name.as_str())).collect();
    assert!(missing.is_empty(), "builtins of Clang that are not in builtins.txt: {missing:?}");
    let gone: Vec<_> = table.keys().filter(|&&name| !found.contains(name) && !DENIED.contains(&name)).collect();
    assert!(gone.is_empty(), "builtins.txt lists what Clang has not: {gone:?}");
}

/// If Clang's code had the names in another form, nothing could be missing from the table.
#[test]
fn the_names_are_found_in_clangs_code() {
    let names = identifiers(&clang_code());
    let unseen: Vec<_> = table().into_keys().filter(|&name| !names.contains(name)).collect();
    assert!(unseen.len() < 60, "names that are not seen in Clang's code: {unseen:?}");
}
