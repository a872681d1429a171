//! The shared part of the command-line tests: runs `lockstep` in a folder of a test's own.

#![allow(dead_code, reason = "each target uses some of it")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A kernel that is correct.
pub const ADD: &str = "__kernel void add(__global int *a, __global const int *b) {\n  \
    int i = get_global_id(0);\n  a[i] += b[i];\n}\n";

/// Two kernels, one of which has a race.
pub const TWO: &str = "__kernel void good(__global int *a) { a[get_global_id(0)] = 1; }\n\
    __kernel void bad(__global int *a) {\n  int i = get_global_id(0);\n  a[i] = a[i + 1];\n}\n";

/// A kernel with a race that no run can show: it depends on the result of a function without a
/// body.
pub const POSSIBLE: &str = "int slot(int);\n__kernel void place(__global int *a) {\n  int i = get_local_id(0);\n  \
    a[slot(i)] = i;\n}\n";

/// The sizes of a small launch.
pub const SIZES: [&str; 2] = ["--local-size=64", "--num-groups=4"];

/// A folder of its own for a test, with files in it.
pub struct Folder(pub TempDir);

impl Folder {
    pub fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a folder can be made");
            fs::write(path, text).expect("a file can be written");
        }
        Self(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn run(&self, words: &[&str]) -> Output {
        lockstep().current_dir(self.0.path()).args(words).output().expect("lockstep runs")
    }
}

/// The program, without colours.
pub fn lockstep() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
    command.env("NO_COLOR", "1");
    command
}

/// Runs `lockstep` and compares its exit status; every part must be on stderr.
#[track_caller]
pub fn check(folder: &Folder, words: &[&str], status: i32, on_stderr: &[&str]) {
    let output = folder.run(words);
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "stdout:\n{stdout}\nstderr:\n{stderr}");
    for part in on_stderr {
        assert!(stderr.contains(part), "`{part}` is missing in:\n{stderr}");
    }
}
