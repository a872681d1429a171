//! `verify --witness DIR`: witnesses reproduce the defect, by `lockstep run` and on an OpenCL
//! device.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::command::{Folder, SIZES, TWO, check, lockstep};
use lockstep::suite::Header;
use serde_json::Value;

/// Writes the witnesses of an example into a folder, and returns the report.
fn written(source: &Path, flags: &[String], to: &Path) -> Value {
    let mut command = lockstep();
    command
        .arg("verify")
        .arg(source)
        .args(flags)
        .args(["--format=json", "--no-cache", "--without=preconditions"])
        .arg("--witness")
        .arg(to);
    let output = command.output().expect("lockstep runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(!stderr.contains("note:"), "the run of the whole launch has not the finding: {stderr}");
    serde_json::from_slice(&output.stdout).expect("a report")
}

/// Runs the script of a witness.
fn again(witness: &Path) -> (Option<i32>, String) {
    let mut script = Command::new("sh");
    script.arg(witness.join("run.sh")).env("LOCKSTEP", env!("CARGO_BIN_EXE_lockstep"));
    let output: Output = script.current_dir("/").output().expect("a shell");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The confirmed findings of a report, with the folders of their witnesses.
fn witnesses<'r>(report: &'r Value, below: &Path) -> Vec<(&'r Value, PathBuf)> {
    let kernels = list(&report["kernels"]).iter();
    let of_kernel = |kernel: &'r Value| {
        let name = kernel["name"].as_str().expect("a name");
        let confirmed = list(&kernel["findings"]).iter().filter(|finding| finding["confirmed"] == true);
        confirmed.zip(1..).map(move |(finding, number)| {
            let code = finding["code"].as_str().expect("a code");
            // Characters that are not valid in file names everywhere become underscores.
            let name = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
            (finding, below.join(format!("{name}-{number}-{code}")))
        })
    };
    kernels.flat_map(of_kernel).collect()
}

/// Checks that the run's output describes the finding: its place in the array, and both accesses.
fn is_told(finding: &Value, told: &str) {
    for access in list(&finding["accesses"]) {
        let file = access["file"].as_str().and_then(|file| file.rsplit('/').next()).expect("a file");
        // Columns in a report are those of an expression's beginning.
        let place = format!("{file}:{}:", access["line"]);
        // A thread that does not reach a barrier may be anywhere else.
        if finding["kind"] == "race" || access["access"] == "reaches" {
            assert!(told.contains(&place), "{place} is missing in:\n{told}");
        }
    }
    if finding["kind"] == "race" {
        let (array, offset) = (finding["array"].as_str().expect("an array"), &finding["offset_bytes"]);
        let race = format!("race on {array} at byte {offset}, ");
        assert!(told.contains(&race), "`{race}` is missing in:\n{told}");
    }
}

#[test]
fn witnesses_of_examples_go_wrong_again() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for name in [
        "vector_add_defect.cl",
        "walsh_transform_defect.cl",
        "bitonic_step_defect.cl",
        "short_circuit_guard_defect.cl",
        "stencil_2d_halo_defect.cl",
        "early_return_defect.cl",
        "sized_pointers_defect.cl",
        "struct_copy_strided_defect.cu",
        "shuffle_reduce_defect.cu",
        "dynamic_shared_memory_defect.cu",
        "functor_defect.cu",
    ] {
        let source = fs::read_to_string(examples.join(name)).expect("an example");
        let header = Header::parse(&source).expect("a header");
        let folder = tempfile::tempdir().expect("a folder");
        // The witness is read from elsewhere: it is self-contained.
        let copy = folder.path().join(name);
        fs::copy(examples.join(name), &copy).expect("a copy");
        let report = written(&copy, &header.flags, &folder.path().join("out"));
        fs::remove_file(&copy).expect("the copy");
        let all = witnesses(&report, &folder.path().join("out"));
        assert!(!all.is_empty(), "{name} has no witness");
        for (finding, witness) in all {
            let (status, told) = again(&witness);
            assert_eq!(status, Some(1), "{name}: {}:\n{told}", witness.display());
            is_told(finding, &told);
            let story = fs::read_to_string(witness.join("WITNESS.md")).expect("a story");
            assert!(story.contains("It ends with status 1"), "{story}");
            let is_opencl = Path::new(name).extension().is_some_and(|ending| ending == "cl");
            assert_eq!(witness.join("host.c").exists(), is_opencl, "{name}");
        }
    }
}

#[test]
fn included_files_come_along() {
    let kernel = "#include \"../common/index.h\"\n#include \"width.h\"\n\
        __kernel void k(__global int *a) {\n  a[INDEX / WIDTH] = get_global_id(0);\n}\n";
    let folder = Folder::new(&[]);
    for (path, text) in [
        ("source/kernels/k.cl", kernel),
        ("source/common/index.h", "#define INDEX get_global_id(0)\n"),
        ("headers/width.h", "#include \"two.h\"\n#define WIDTH TWO\n"),
        ("headers/two.h", "#define TWO 2\n"),
    ] {
        fs::create_dir_all(folder.path(path).parent().expect("a folder")).expect("a folder");
        fs::write(folder.path(path), text).expect("a file");
    }
    let words = ["verify", "source/kernels/k.cl", "-Iheaders", "--no-cache", "--witness=w"];
    check(&folder, &[&words[..], &SIZES].concat(), 1, &[]);
    let witness = folder.path("w/k-1-LS0101");
    for gone in ["source", "headers"] {
        fs::remove_dir_all(folder.path(gone)).expect("removed");
    }
    let (status, told) = again(&witness);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("k.cl:4:"), "{told}");
    if can_compile_host_programs() {
        let told = on_device(&witness);
        assert!(told.contains("ran k"), "{told}");
    }
}

#[test]
fn files_of_others_stay() {
    let folder = Folder::new(&[("two.cl", TWO.as_bytes())]);
    let words = [&["verify", "two.cl", "--no-cache", "--witness=w"][..], &SIZES].concat();
    fs::create_dir_all(folder.path("w/bad-1-LS0101")).expect("a folder");
    fs::write(folder.path("w/bad-1-LS0101/mine.txt"), "mine").expect("a file");
    check(&folder, &words, 3, &["bad-1-LS0101 is there already and is no witness"]);
    let left: Vec<_> = fs::read_dir(folder.path("w/bad-1-LS0101")).expect("a folder").collect();
    assert_eq!(left.len(), 1);
    assert_eq!(fs::read_dir(folder.path("w")).expect("a folder").count(), 1, "nothing else was written");
    fs::remove_dir_all(folder.path("w")).expect("removed");
    // An existing witness is overwritten.
    check(&folder, &words, 1, &[]);
    check(&folder, &words, 1, &[]);
    let file = [&["verify", "two.cl", "--witness=two.cl"][..], &SIZES].concat();
    check(&folder, &file, 3, &["two.cl is not a folder"]);
    check(&folder, &[&words[..], &["--no-replay"]].concat(), 3, &["--no-replay"]);
}

// --- On a device ---------------------------------------------------------------------------------

/// Whether there is a C compiler with OpenCL's headers and loader, and a device. Prints a message
/// if not.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn can_compile_host_programs() -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("try.c");
    let text = "#define CL_TARGET_OPENCL_VERSION 120\n#include <CL/cl.h>\n\
        int main(void) { cl_platform_id p; cl_uint n; return clGetPlatformIDs(1, &p, &n) != CL_SUCCESS; }\n";
    fs::write(&source, text).expect("a file");
    let program = folder.path().join("try");
    let compiled = Command::new("cc").arg(&source).arg("-o").arg(&program).arg("-lOpenCL").output();
    let there = compiled.is_ok_and(|output| output.status.success())
        && Command::new(&program).status().is_ok_and(|status| status.success());
    if !there {
        eprintln!("skipped: no OpenCL here (apt install pocl-opencl-icd ocl-icd-opencl-dev opencl-headers)");
    }
    there
}

/// Compiles and runs the host program of a witness, and returns its output.
fn on_device(witness: &Path) -> String {
    let program = tempfile::tempdir().expect("a folder");
    let program = program.path().join("host");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program).args(["host.c", "-lOpenCL"]);
    let compiled = compiler.current_dir(witness).output().expect("a compiler");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&program).args(["--timeout", "30"]).current_dir(witness).output().expect("a program");
    let told = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    // At a barrier that not all threads reach, anything may happen.
    let expected: &[i32] = if witness.to_string_lossy().ends_with("LS0102") { &[0, 124, 125] } else { &[0] };
    let is_expected = ran.status.code().map_or(expected.len() > 1, |code| expected.contains(&code));
    assert!(is_expected, "{}: {told}", ran.status);
    told
}

#[test]
fn host_programs_run_on_a_device() {
    if !can_compile_host_programs() {
        return;
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    // The arrays that do not race have the same contents there as here.
    for (name, same) in [
        ("vector_add_defect.cl", &["a", "b"][..]),
        ("stencil_2d_halo_defect.cl", &["in"]),
        ("early_return_defect.cl", &[]),
    ] {
        let source = fs::read_to_string(examples.join(name)).expect("an example");
        let header = Header::parse(&source).expect("a header");
        let folder = tempfile::tempdir().expect("a folder");
        let report = written(&examples.join(name), &header.flags, folder.path());
        for (_, witness) in witnesses(&report, folder.path()) {
            let told = on_device(&witness);
            let story = fs::read_to_string(witness.join("WITNESS.md")).expect("a story");
            let line = |text: &str, array: &str| {
                let begins = format!("  {array}: ");
                text.lines().find(|line| line.starts_with(&begins)).map(str::to_owned)
            };
            for array in same {
                assert!(line(&told, array).is_some(), "{told}");
                assert_eq!(line(&told, array), line(&story, array), "{name}");
            }
        }
    }
}
