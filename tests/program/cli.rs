//! The command line: exit statuses and messages for bad, odd or missing files, and for events while
//! it runs.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::command::{ADD, Folder, SIZES, TWO, check, lockstep};

#[test]
fn a_missing_file_is_named() {
    check(&Folder::new(&[]), &["verify", "nowhere.cl"], 3, &["nowhere.cl"]);
}

#[test]
fn a_folder_is_no_file() {
    for command in ["inspect", "run"] {
        check(&Folder::new(&[]), &[command, "."], 3, &[&format!("error: . is a folder: `{command}` takes one file")]);
    }
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

/// One bit of this module's metadata is changed, on which LLVM's reader crashes (a segmentation
/// fault in LLVM 19).
#[test]
fn bitcode_that_ends_who_reads_it() {
    let folder = Folder::new(&[("a.bc", include_bytes!("../data/broken.bc")), ("b.cl", ADD.as_bytes())]);
    let words = ["verify", "a.bc", "b.cl", SIZES[0], SIZES[1]];
    check(&folder, &words, 3, &["a.bc: not valid LLVM IR: reading it ends the process"]);
    let output = folder.run(&words);
    assert!(String::from_utf8_lossy(&output.stdout).contains("verified add (b.cl:1)"), "{output:?}");
}

/// No source produces a scope that contains itself, but LLVM accepts it.
#[test]
fn debug_information_that_is_in_itself() {
    let module = "target triple = \"spir64\"\n\
        define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) !dbg !3 {\n  \
          %v = alloca i32, !dbg !8\n    #dbg_declare(ptr %v, !7, !DIExpression(), !8)\n  \
          store i32 1, ptr addrspace(1) %a, !dbg !8\n  ret void, !dbg !8\n}\n\
        !llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n!opencl.ocl.version = !{!2}\n\
        !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)\n\
        !1 = !DIFile(filename: \"k.cl\", directory: \"/\")\n!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n\
        !3 = distinct !DISubprogram(name: \"k\", scope: !1, file: !1, line: 1, type: !4, unit: !0, \
          spFlags: DISPFlagDefinition)\n!4 = !DISubroutineType(types: !5)\n!5 = !{null, !6, !9}\n\
        !6 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !6, size: 64)\n\
        !7 = !DILocalVariable(name: \"v\", scope: !3, file: !1, line: 2, type: !12)\n!8 = !DILocation(line: 2, scope: !3)\n\
        !9 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"s\", file: !1, size: 64, elements: !10)\n\
        !10 = !{!11}\n!11 = !DIDerivedType(tag: DW_TAG_member, name: \"m\", baseType: !9, size: 64)\n\
        !12 = distinct !DICompositeType(tag: DW_TAG_array_type, baseType: !12, size: 64, elements: !13)\n\
        !13 = !{!14}\n!14 = !DISubrange(count: 2)\n";
    let folder = Folder::new(&[("a.ll", module.as_bytes())]);
    let output = folder.run(&["verify", "a.ll", "--local-size=1", "--num-groups=1"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("verified k"), "{output:?}");
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
    check(&folder, &["verify", "a.cl", "--format=pdf"], 3, &["--format", "pdf", "html"]);
    check(&folder, &["suite", "."], 3, &["begins with //pass"]);
    check(&folder, &["suite", "nowhere"], 3, &["nowhere"]);
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
fn a_file_that_must_not_be_read() {
    let folder = Folder::new(&[]);
    fs::create_dir(folder.path("folder.cl")).expect("a folder can be made");
    check(&folder, &["inspect", "folder.cl"], 3, &["folder.cl is a folder"]);
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
    check(&folder, &["suite", ".", "--output", "no/folder/table"], 3, &[]);
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
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
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
fn the_help_names_every_kind_of_file() {
    let sources = [".cl", ".cu", ".hip"];
    let llvm = [".ll", ".bc"];
    for (command, about, endings) in [
        ("verify", "Files ", [&sources[..], &llvm].concat()),
        ("inspect", "File: ", [&sources[..], &llvm].concat()),
        ("run", "File: ", [&sources[..], &llvm].concat()),
        ("suite", "Folder ", sources.to_vec()),
    ] {
        let text = help(&[command, "--help"]);
        let line = text.lines().find(|line| line.contains(about)).expect("a line about files");
        for ending in endings {
            assert!(line.contains(ending), "`{ending}` is missing in `{line}`");
        }
    }
    assert!(help(&["verify", "--help-all"]).contains("recorded launches (.json)"));
}

/// The help that these words print.
fn help(words: &[&str]) -> String {
    let output = Folder::new(&[]).run(words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_help_for_daily_use_fits_a_terminal() {
    for words in [&[][..], &["verify"], &["inspect"], &["run"], &["suite"], &["explain"]] {
        let short = help(&[words, &["--help"]].concat());
        assert_eq!(short, help(&[words, &["-h"]].concat()), "{words:?}");
        let lines = short.lines().count();
        assert!(lines <= 30, "{words:?}: {lines} lines:\n{short}");
        assert!(short.contains("--help-all"), "{short}");
    }
}

#[test]
fn the_whole_help_has_every_option() {
    for (command, options) in [
        ("verify", &["--recorded-launches", "[alias: --json]", "--without", "--no-cache", "--exit-codes"][..]),
        ("inspect", &["--omit-infer", "--trust-headers"]),
        ("run", &["--between", "--lanes-apart", "--kernel-arrays"]),
        ("suite", &["--explanations", "--no-cache"]),
    ] {
        let (short, whole) = (help(&[command, "--help"]), help(&[command, "--help-all"]));
        assert!(whole.lines().count() > short.lines().count(), "{command}");
        for option in options {
            assert!(whole.contains(option), "`{option}` is missing in:\n{whole}");
        }
    }
}

#[test]
fn a_code_is_explained() {
    let folder = Folder::new(&[]);
    for words in [&["verify", "--explain", "ls0102"][..], &["verify", "--explain=LS0102"], &["explain", "LS0102"]] {
        let output = folder.run(words);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.starts_with("LS0102: Barrier that not every thread reaches (barrier-divergence)\n\n"), "{text}");
    }
    check(&folder, &["verify", "--explain", "LS9999"], 3, &["no finding has the code `LS9999`", "LS0101", "LS0205"]);
    check(&folder, &["verify", "--explain", "LS0101", "a.cl"], 3, &["--explain", "cannot be used with"]);
}

/// Runs a command whose standard input has this text.
fn piped(folder: &Folder, words: &[&str], text: &str) -> std::process::Output {
    let mut command = lockstep();
    command.current_dir(folder.0.path()).args(words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    // A command that is refused does not read it.
    let _ = child.stdin.take().expect("it is piped").write_all(text.as_bytes());
    child.wait_with_output().expect("it ends")
}

#[test]
fn the_standard_input_is_an_input() {
    let folder = Folder::new(&[("n.h", b"#define N 1\n"), ("lockstep.toml", b"[defaults]\nlocal-size = 64\n")]);
    let text = "#include \"n.h\"\n__kernel void k(__global int *a) { int i = get_global_id(0); a[i] = a[i + N]; }\n";
    let output = piped(&folder, &["verify", "-", "-x", "cl"], text);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    for part in [" --> stdin.cl:2:", "defect k (stdin.cl:2)", "groups of 64 threads", "lockstep run - --kernel=k"] {
        assert!(said.contains(part), "`{part}` is missing in:\n{said}");
    }
    assert!(!said.contains("lockstep-"), "the temporary file is named:\n{said}");
    for format in ["json", "sarif", "html"] {
        let output = piped(&folder, &["verify", "-", "-xcl", &format!("--format={format}")], text);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("stdin.cl") && !said.contains("/stdin.cl"), "{said}");
    }
    let output = piped(&folder, &["inspect", "-", "-x", "cl", "--stage=kernel"], text);
    assert!(output.status.success(), "{output:?}");
    let output = piped(&folder, &["run", "-", "-x", "cl", "--num-groups=1"], text);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn the_standard_input_needs_a_language() {
    let output = piped(&Folder::new(&[]), &["verify", "-"], ADD);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("give it with -x"), "{output:?}");
    let output = piped(&Folder::new(&[]), &["verify", "-", "-xcl"], "__kernel void k(");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(3) && said.contains("stdin.cl:1:"), "{said}");
}

#[test]
fn colours_follow_the_option_and_the_environment() {
    let folder = Folder::new(&[("add.cl", ADD.as_bytes())]);
    let coloured = |words: &[&str], environment: &[(&str, &str)]| {
        let mut command = lockstep();
        command.env_remove("NO_COLOR").current_dir(folder.0.path());
        command.args(["verify", "add.cl"]).args(words).envs(environment.iter().copied());
        command.output().expect("it runs").stdout.contains(&0x1b)
    };
    assert!(!coloured(&[], &[]));
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(coloured(&["--color=always"], &[]));
    assert!(coloured(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!coloured(&["--color=never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&["--color=always", "--format=json"], &[]));
}

/// The command in the report runs in a shell and shows the defect again.
#[test]
fn commands_in_reports_can_be_pasted() {
    let source = "__kernel void shift(__global int *a, int n) { int i = get_global_id(0); a[i] = a[i + n]; }\n";
    let folder = Folder::new(&[("it's a kernel.cl", source.as_bytes())]);
    let output = folder.run(&["verify", "it's a kernel.cl", "--local-size=64", "-DX='a b'", "--assume", "n > 0"]);
    let said = String::from_utf8_lossy(&output.stdout);
    let command = said.lines().find_map(|line| line.split("a concrete run does this: ").nth(1)).expect("a command");
    let path = env!("CARGO_BIN_EXE_lockstep");
    let again =
        Command::new("sh").current_dir(folder.0.path()).args(["-c", &command.replacen("lockstep", path, 1)]).output();
    let again = again.expect("a shell");
    let shown = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.code() == Some(1) && shown.contains("race"), "{command}: {again:?}");
}

/// Each assumption is told once, and those that one kernel has alone, with this kernel.
#[test]
fn assumptions_of_all_kernels_are_listed_once() {
    let two = format!("{ADD}__kernel void part(__global int *a, int n) {{ a[get_global_id(0)] = 8 / n; }}\n");
    let folder = Folder::new(&[("two.cl", two.as_bytes())]);
    let output = folder.run(&["verify", "two.cl"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("assuming in each of the 2 proofs:\n"), "{said}");
    assert_eq!(said.matches("accesses stay inside arrays").count(), 1, "{said}");
    let (own, shared) = said.split_once("assuming in each").expect("both");
    assert!(own.contains("assuming besides:") && own.contains("no division by zero"), "{own}");
    assert!(!shared.contains("no division by zero"), "{shared}");
}

/// Only what may change a verdict is worth a reader's time.
#[test]
fn style_is_no_concern_of_lockstep() {
    let style =
        "__kernel void k(__global int *a) { int unused; int i = get_global_id(0); if ((i == 0)) ; a[i] = 1; }\n";
    let folder = Folder::new(&[("k.cl", style.as_bytes())]);
    let output = folder.run(&["verify", "k.cl"]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let output = folder.run(&["verify", "k.cl", "--clang-arg=-Wall"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("unused"), "{output:?}");
    let folder = Folder::new(&[("k.cl", style.replace("a[i] = 1", "int x; a[i] = x").as_bytes())]);
    let output = folder.run(&["verify", "k.cl"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("uninitialized"), "{output:?}");
}
