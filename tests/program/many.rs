//! Many kernels at once: folders and compilation databases as input, and the report about all of
//! them.

use std::fs;
use std::process::{Command, Output};

use crate::command::{ADD, Folder, TWO, check};
use serde_json::Value;

/// A folder with files in folders.
fn tree(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(&[]);
    for (name, text) in files {
        let path = folder.path(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
    folder
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The names, files and verdicts of the kernels in the report.
fn judged(folder: &Folder, words: &[&str]) -> Vec<[String; 3]> {
    let output = folder.run(&[&["verify", "--format=json"], words].concat());
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let kernels = report["kernels"].as_array().expect("kernels").iter();
    kernels
        .map(|kernel| ["name", "file", "verdict"].map(|key| kernel[key].as_str().expect("a text").to_owned()))
        .collect()
}

#[test]
fn every_kernel_below_a_folder_is_judged() {
    let folder = tree(&[
        ("sub/two.cl", TWO),
        ("add.cl", ADD),
        ("sub/deeper/cu.cu", "__global__ void cu(int *a) { a[threadIdx.x] = blockIdx.x; }\n"),
        ("helper.cl", "int helper(int x) { return x; }\n"),
        (".hidden/bad.cl", "not C"),
        ("host.cpp", "not C"),
    ]);
    std::os::unix::fs::symlink("..", folder.path("sub/circle")).expect("a link can be made");
    let expected = [
        ["add", "add.cl", "verified"],
        ["cu", "sub/deeper/cu.cu", "defect"],
        ["good", "sub/two.cl", "verified"],
        ["bad", "sub/two.cl", "defect"],
    ];
    assert_eq!(judged(&folder, &["."]), expected);
    assert_eq!(judged(&folder, &["sub", "add.cl"])[..2], expected[1..3]);
    check(&folder, &["verify", "."], 1, &[]);
    check(&folder, &["verify", ".", "--kernel=add"], 0, &[]);
    check(
        &folder,
        &["verify", ".", "--kernel=nowhere"],
        3,
        &["no kernel `nowhere` in the input; there are: add, bad, cu, good"],
    );
}

#[test]
fn a_folder_without_kernels_is_named() {
    let folder = tree(&[("none/a.cpp", ""), ("empty/f.cl", "int f(int x) { return x; }\n"), ("add.cl", ADD)]);
    check(&folder, &["verify", "none"], 3, &["error: none: no source of kernels here (.cl, "]);
    check(&folder, &["verify", "empty"], 3, &["error: empty: no kernel in the 1 source here"]);
    // The fault of a named file is its own.
    check(&folder, &["verify", "empty/f.cl"], 3, &["empty/f.cl: no kernel in this file"]);
    let output = folder.run(&["verify", "none", "add.cl"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stdout(&output).contains("verified add"), "what is there is judged");
}

#[test]
fn compile_error_in_one_file_costs_no_other_file() {
    let folder = tree(&[("add.cl", ADD), ("broken.cl", "__kernel void k() { int = 3; }\n"), ("two.cl", TWO)]);
    let output = folder.run(&["verify", "."]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("broken.cl does not compile"), "{stderr}");
    let text = stdout(&output);
    assert!(text.ends_with("3 kernels: 2 verified, 1 defect, and 1 error of the input\n"), "{text}");
}

/// More files than are in memory at the same time: the summary is correct, and so is the order.
#[test]
fn a_folder_of_many_files() {
    let kernel = |number: u32| {
        let body = "(i32 %n, ptr addrspace(1) %a) {\n  ret void\n}\n";
        (
            format!("k{number:03}.ll"),
            format!("target triple = \"spir64-unknown-unknown\"\ndefine spir_kernel void @k{number}{body}"),
        )
    };
    let files: Vec<(String, String)> = (0..140).map(kernel).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = tree(&[&files[..], &[("zzz.cl", TWO)]].concat());
    let text = stdout(&folder.run(&["verify", "."]));
    let verified = text.lines().filter_map(|line| line.strip_prefix("verified ")?.split_once(' '));
    let names: Vec<&str> = verified.map(|(name, _)| name).collect();
    let expected: Vec<String> = (0..140).map(|number| format!("k{number}")).chain(["good".into()]).collect();
    assert_eq!(names, expected);
    // With so many kernels only the unverified ones are listed.
    let table: Vec<&str> = text.lines().rev().take(3).collect();
    assert_eq!(table[0], "142 kernels: 141 verified, 1 defect");
    assert!(table[1].starts_with("defect  bad  zzz.cl:2  2 findings  ") && table[2].is_empty(), "{table:?}");
    // A kernel in one part is not missing in the whole; a kernel in no part is reported missing
    // once.
    check(&folder, &["verify", ".", "--kernel=k0", "--kernel=k139"], 0, &[]);
    let both = folder.run(&["verify", ".", "--kernel=k0", "--kernel=k139", "--kernel=k140", "--kernel-arrays=k139,64"]);
    let stderr = String::from_utf8_lossy(&both.stderr).into_owned();
    assert_eq!((both.status.code(), stderr.lines().count()), (Some(3), 1), "{stderr}");
    assert!(stderr.starts_with("error: no kernel `k140` in the input; there are: bad, good, k0, k1, "), "{stderr}");
}

#[test]
fn the_table_at_the_end() {
    let folder = tree(&[("add.cl", ADD), ("two.cl", TWO)]);
    let output = folder.run(&["verify", "add.cl", "two.cl"]);
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().rev().take(4).collect();
    assert_eq!(lines[0], "3 kernels: 2 verified, 1 defect");
    assert!(lines[1].starts_with("defect    bad   two.cl:2  2 findings  "), "{text}");
    assert!(lines[2].starts_with("verified  good  two.cl:1              "), "{text}");
    assert!(lines[3].starts_with("verified  add   add.cl:1              "), "{text}");
    assert!(lines[1..].iter().all(|line| line.ends_with(" s")), "{text}");
    // One kernel needs no table.
    assert!(!stdout(&folder.run(&["verify", "add.cl"])).contains("\nverified  "));
}

#[test]
fn quiet_says_only_what_is_wrong() {
    let unknown = "__kernel void u(__global int *a) { a[sub_group_reduce_add(1)] = 0; }\n";
    let folder = tree(&[("add.cl", ADD), ("two.cl", TWO), ("u.cl", unknown)]);
    let good = folder.run(&["verify", "add.cl", "-q", "--solver=cvc4"]);
    assert_eq!((good.status.code(), &good.stdout[..], &good.stderr[..]), (Some(0), &b""[..], &b""[..]));
    let all = folder.run(&["verify", ".", "--quiet", "--silent"]);
    let text = stdout(&all);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(all.status.code(), Some(1));
    let races = &lines[..lines.len() - 1];
    assert!(!races.is_empty() && races.iter().all(|line| line.starts_with("two.cl:4:")), "{text}");
    assert!(races.iter().all(|line| line.contains(": defect bad: LS0101: read-write race on a[")), "{text}");
    assert!(lines[races.len()].starts_with("u.cl:1: unknown u: LS0203: unsupported: "), "{text}");
    // A fault of the input is still reported. The output for programs does not change.
    check(&folder, &["verify", "nowhere.cl", "-q"], 3, &["error: cannot read nowhere.cl"]);
    assert_eq!(judged(&folder, &["two.cl", "--quiet"]).len(), 2);
}

#[test]
fn a_compilation_database_says_how_sources_are_read() {
    let kernel = "#include \"size.h\"\n__global__ void k(int *a) {\n#ifdef SHIFTED\n  a[threadIdx.x] = a[threadIdx.x + SIZE];\n\
                  #endif\n}\n";
    let entries = r#"[
        {"directory": "build", "file": "../k.cu", "command": "nvcc -DSHIFTED -I../include -gencode arch=compute_70,code=sm_70 --expt-relaxed-constexpr -Xcompiler -DSIZE=0 -ccbin g++ -rdc=true -std=c++17 -c ../k.cu -o k.o"},
        {"directory": "build", "file": "../main.cpp", "command": "g++ -c ../main.cpp"}]"#;
    let files = [("k.cu", kernel), ("include/size.h", "#define SIZE 1\n"), ("main.cpp", "not C"), ("other.cl", ADD)];
    let folder = tree(&[&files[..], &[("compile_commands.json", entries), ("build/x", "")]].concat());
    let expected = [["k", "k.cu", "defect"]].map(|kernel| kernel.map(str::to_owned));
    assert_eq!(judged(&folder, &["compile_commands.json", "--local-size=64"]), expected);
    // A folder with a database is read by it.
    assert_eq!(judged(&folder, &[".", "--local-size=64"]), expected);
    let note = ["note: ./compile_commands.json says what is read, and how: 1 file"];
    check(&folder, &["verify", ".", "--local-size=64"], 1, &note);
    // Definitions on the command line take precedence; the same file with other options counts as
    // another.
    let twice = entries.replace(
        "[\n",
        "[\n{\"directory\": \"build\", \"file\": \"../k.cu\", \"arguments\": [\"nvcc\", \"-I../include\"]},",
    );
    fs::write(folder.path("compile_commands.json"), twice).expect("a file can be written");
    let verdicts = |words: &[&str]| judged(&folder, words).into_iter().map(|[.., verdict]| verdict).collect::<Vec<_>>();
    assert_eq!(verdicts(&[".", "--local-size=64"]), ["verified", "defect"]);
    assert_eq!(verdicts(&[".", "--local-size=64", "-DSHIFTED"]), ["defect", "defect"]);
}

#[test]
fn compilation_databases_that_are_none() {
    let folder = tree(&[("a/compile_commands.json", "[\n {\"file\": 3}\n]"), ("a/add.cl", ADD), ("b/add.cl", ADD)]);
    let place = "error: a/compile_commands.json:2:11: no compilation database: invalid type";
    check(&folder, &["verify", "a"], 3, &[place]);
    check(&folder, &["verify", "a/compile_commands.json"], 3, &[place]);
    check(&folder, &["verify", "b/compile_commands.json"], 3, &["cannot read b/compile_commands.json"]);
    let host = r#"[{"directory": ".", "file": "main.cpp", "command": "g++ main.cpp"}]"#;
    fs::write(folder.path("b/compile_commands.json"), host).expect("a file can be written");
    check(&folder, &["verify", "b/compile_commands.json"], 3, &["no source of kernels here"]);
    // A database of host code says nothing of kernels.
    check(&folder, &["verify", "b"], 0, &["note: b/compile_commands.json names no CUDA, HIP or OpenCL source"]);
}

/// Runs `lockstep verify` with stderr on a terminal, and returns its output there.
fn on_terminal(folder: &Folder, words: &str, kind: &str) -> Option<String> {
    let script = format!(
        "import os, pty, subprocess, sys\n\
         ours, theirs = pty.openpty()\n\
         child = subprocess.Popen([{:?}, 'verify', *{words:?}.split()], stderr=theirs, stdout=subprocess.DEVNULL)\n\
         os.close(theirs)\n\
         try:\n while True: sys.stdout.buffer.write(os.read(ours, 4096))\n\
         except OSError: pass\n\
         child.wait()\n",
        env!("CARGO_BIN_EXE_lockstep")
    );
    let mut python = Command::new("python3");
    let output = python.args(["-c", &script]).env("TERM", kind).current_dir(folder.0.path()).output();
    let output = output.ok().filter(|output| output.status.success())?;
    Some(stdout(&output))
}

#[test]
#[allow(clippy::print_stderr, reason = "who reads the tests' output should know what was left out")]
fn progress_is_shown_on_terminals_only() {
    let folder = tree(&[("add.cl", ADD), ("two.cl", TWO)]);
    let Some(drawn) = on_terminal(&folder, ".", "xterm") else {
        eprintln!("note: no Python with pty here: what is drawn on a terminal is not looked at");
        return;
    };
    assert!(drawn.contains("reading 0/2"), "{drawn:?}");
    // The kernels of the file that is read first may be proved before the other one is read, and
    // the last state need not be drawn.
    assert!((1..=3).any(|all| drawn.contains(&format!("proving 0/{all}"))), "{drawn:?}");
    for (words, kind) in [(".", "dumb"), (". --quiet", "xterm"), ("add.cl", "xterm")] {
        assert_eq!(on_terminal(&folder, words, kind).as_deref(), Some(""), "{words} on {kind}");
    }
    assert_eq!(folder.run(&["verify", "."]).stderr, b"");
}
