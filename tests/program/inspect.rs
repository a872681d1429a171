//! The output of `lockstep inspect`: each stage of one small kernel, line by line where it matters.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use lockstep_ir::sequential::{self, PrintOptions, parse};

/// A reduction in one loop. The expectations mention its line numbers.
const SUM: &str = "\
__kernel void sum(__global const int *in, __global int *out, int n)
{
    __local int part[64];
    int lid = get_local_id(0);
    int gid = get_global_id(0);
    part[lid] = in[gid + n];
    for (int s = 32; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < s) {
            part[lid] += part[lid + s];
        }
    }
    if (lid == 0) {
        out[get_group_id(0)] = part[0];
    }
}
";

/// The output of `lockstep inspect` on [`SUM`] for two groups of 64 threads.
fn inspect(source: &str, words: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join("sum.cl"), source).expect("a file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_lockstep"))
        .current_dir(folder.path())
        .args(["inspect", "sum.cl", "--local-size", "64", "--num-groups", "2"])
        .args(words)
        .output()
        .expect("lockstep runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8(output.stdout).expect("it is text")
}

/// Each part stands in the text, in this order.
#[track_caller]
fn assert_in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else {
            panic!("`{part}` is missing, or not in order, in\n{text}")
        };
        rest = after;
    }
}

#[test]
fn the_kernel_stage_has_source_lines_and_names() {
    let text = inspect(SUM, &["--stage", "kernel"]);
    assert_in_order(
        &text,
        &[
            "kernel \"sum\" opencl",
            "// 4: int lid = get_local_id(0);",
            "\"lid\": bv32 = truncate",
            "// 7: for (int s = 32; s > 0; s /= 2) {",
            "// 8: barrier(CLK_LOCAL_MEM_FENCE);\n    barrier group {local}",
            "// 9: if (lid < s) {",
            ".lid, v",
            "// 10: part[lid] += part[lid + s];",
            "store",
        ],
    );
    lockstep_ir::kernel::parse(&text).expect("what is printed for people can be read back");
}

#[test]
fn the_cfg_stage_has_source_lines_and_loops() {
    let text = inspect(SUM, &["--stage", "cfg"]);
    assert_in_order(
        &text,
        &[
            "digraph \"sum\" {",
            "subgraph cluster_loop0 {",
            "label=\"loop0, line 7\"",
            "10: part[lid] += part[lid + s];",
            "\n  }\n",
            "4: int lid = get_local_id(0);",
            "[label=\"(0 <s s)\"]",
            "style=bold",
        ],
    );
}

#[test]
fn the_predicated_stage_is_one_thread_without_branches() {
    let text = inspect(SUM, &["--stage", "predicated"]);
    assert_in_order(
        &text,
        &[
            "kernel sum, one thread:",
            "// 6: part[lid] = in[gid + n];",
            "let lid = local_id.x;",
            "let gid = lid + 64*group_id.x;",
            "= in[sext64(gid + n)];",
            "part = part[sext64(lid) := ",
            "s = 32;",
            "while (active.0) {",
            "// 8: barrier(CLK_LOCAL_MEM_FENCE);",
            "havoc part.visible: contents \"part\";",
            "let at.8 = active.0 && s >s 0;",
            "when at.8: part = part.visible;",
            "// 10: part[lid] += part[lid + s];",
            "let at.10 = lid <s s && at.8;",
            "assume at.10 ==>",
            "= part[sext64(lid + s)];",
            "when at.10: part = part[sext64(lid) := ",
            "\n  }\n",
            "// 14: out[get_group_id(0)] = part[0];",
            "let at.14 = lid == 0;",
            "when at.14: out = out[zext64(group_id.x) := ",
        ],
    );
    for absent in ["$", "watched", "hit", "assert"] {
        let body = text.split("one thread:").nth(1).expect("the body follows");
        assert!(!body.contains(absent), "`{absent}` in\n{text}");
    }
}

/// A value that is not followed is shown as unknown, not left out.
#[test]
fn the_predicated_stage_shows_writes_of_unknown_values() {
    let source = "\
__kernel void copy(__global const float *in, write_only image2d_t picture)
{
    __local float part[64];
    event_t done = async_work_group_copy(part, in, 64, 0);
    wait_group_events(1, &done);
    if (get_local_id(0) > 5) {
        write_imagef(picture, (int2)(3, 4), (float4)(1.0f, 2.0f, 3.0f, 4.0f));
    }
}
";
    let text = inspect(source, &["--stage", "predicated"]);
    assert_in_order(
        &text,
        &[
            "// 4: event_t done = async_work_group_copy(part, in, 64, 0);",
            ": part = part.unknown;",
            "// 7: write_imagef(",
            "when at.7: picture = picture.unknown;",
        ],
    );
    assert!(!text.contains("wrote.") && !text.contains("hits."), "{text}");
}

#[test]
fn the_sequential_stage_reads_like_the_source() {
    let text = inspect(SUM, &["--stage", "sequential"]);
    assert_in_order(
        &text,
        &[
            "// Proved: none of the ",
            "program \"sum\" same-group;",
            "require local_id.x$1 <u 64 because \"thread ids lie in the group\";",
            "// 6: part[lid] = in[gid + n];",
            "let lid$1 = local_id.x$1;",
            "let gid$1 = lid$1 + 64*group_id.x;",
            "contents.in[sext64(gid$1 + n)]",
            "// 7: for (int s = 32; s > 0; s /= 2) {",
            "while loop0 (active.0) counter iteration.0",
            "carried \"s\" s = 32 then s /s 2;",
            "invariant [",
            "// 8: barrier(CLK_LOCAL_MEM_FENCE);",
            "let at.8 = active.0 && s >s 0;",
            "// 10: part[lid] += part[lid + s];",
            "let at.10$1 = lid$1 <s s && at.8;",
            "let at.10$2 = lid$2 <s s && at.8;",
            "let hits.1$1 = sext64(lid$1 + s) == watched.part && at.10$1 && track.1;",
            "when hits.1$1: s.at.1$1 = s;",
            "read.part.1$1 = hits.1$1 || read.part.1$1;",
            "// no race on part: thread 1's write in line 6, thread 2's read in line 10",
            "loaded$2 = contents.part[sext64(lid$2 + s)];",
            "// 14: out[get_group_id(0)] = part[0];",
        ],
    );
    parse(&text).expect("what is printed for people can be read back");
}

/// The kernel stage's output is valid input, with the same verdict, places and numbers.
///
/// Modes are not changed in the sandbox, in which it is written.
#[test]
fn an_output_that_is_written_again_keeps_its_mode() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let output = place.path().join("sum.txt");
    for mode in [0o666, 0o640] {
        fs::write(&output, "before").expect("a file can be written");
        fs::set_permissions(&output, fs::Permissions::from_mode(mode)).expect("its mode can be set");
        inspect(SUM, &["--stage=kernel", "--output", output.to_str().expect("UTF-8")]);
        let kept = fs::metadata(&output).expect("it is there").permissions().mode() & 0o777;
        let text = fs::read_to_string(&output).expect("it can be read");
        assert!(kept == mode && text.starts_with("kernel \"sum\""), "{kept:o}: {text}");
    }
}

#[test]
fn kernel_ir_is_an_input() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file can be written");
    let run = |words: &[&str]| {
        let sizes = ["--local-size=64", "--num-groups=2"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
        command.current_dir(folder.path()).args(words).args(sizes).output().expect("lockstep runs")
    };
    let of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let twice = format!("{SUM}{}", SUM.replace("sum(", "racy(").replace("barrier(CLK_LOCAL_MEM_FENCE);", ""));
    write("sum.cl", &twice);
    let inspected = run(&["inspect", "sum.cl", "--stage=kernel"]);
    let text = of(&inspected.stdout);
    write("sum.kernel", &text);
    let again = run(&["inspect", "sum.kernel", "--stage=kernel"]);
    // The lines of the source are not quoted: only the input says which file they belong to.
    let without_source = |text: &str| text.lines().filter(|line| !line.contains("// ")).collect::<Vec<_>>().join("\n");
    assert_eq!(without_source(&of(&again.stdout)), without_source(&text));
    let of_source = of(&run(&["verify", "sum.cl"]).stdout);
    let verified = run(&["verify", "sum.kernel"]);
    let of_text = of(&verified.stdout);
    assert_eq!(verified.status.code(), Some(1), "{of_text}");
    assert!(of_text.contains("verified sum (sum.cl:1)") && of_text.contains("defect racy (sum.cl:17)"), "{of_text}");
    let findings =
        |text: &str| text.lines().filter(|line| line.contains("race on")).map(str::to_owned).collect::<Vec<_>>();
    assert!(!findings(&of_text).is_empty());
    assert_eq!(findings(&of_text), findings(&of_source));

    let wrong = |name: &str, text: &str, part: &str| {
        write(name, text);
        let output = run(&["verify", name]);
        let errors = of(&output.stderr);
        assert!(output.status.code() == Some(3) && errors.contains(part), "{errors}");
    };
    let second = 1 + text.lines().position(|line| line.starts_with("kernel \"racy\"")).expect("it was printed");
    let broken = text.replacen("kernel \"racy\" opencl", "kernel \"racy\" basic", 1);
    wrong("broken.kernel", &broken, &format!("broken.kernel: not valid kernel IR: line {second}: "));
    let ill_typed = text.replace("barrier group {local}", "v999: bv8 = add v0, v0");
    wrong("typed.kernel", &ill_typed, "the kernel of line 1 breaks rules of the kernel IR: ");
    wrong("empty.kernel", "", "no kernel in this file");
}

/// Every example can be printed in every textual stage, and the output is read back as the same.
#[test]
fn the_examples_are_read_as_they_were_printed() {
    let mut examples: Vec<_> = fs::read_dir("examples").expect("there are examples").flatten().collect();
    examples.sort_by_key(fs::DirEntry::path);
    let mut read = 0;
    for path in examples.iter().map(fs::DirEntry::path).filter(|path| path.extension().is_some_and(|it| it == "cl")) {
        let source = fs::read_to_string(&path).expect("an example can be read");
        let flags = source.lines().nth(1).and_then(|line| line.strip_prefix("//")).unwrap_or_default();
        let flags: Vec<&str> = flags.split_whitespace().chain(["--no-infer", "--stage"]).collect();
        let print = |stage: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
            let output = command.arg("inspect").arg(&path).args(&flags).arg(stage).output().expect("lockstep runs");
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(0), "{}: {errors}", path.display());
            String::from_utf8(output.stdout).expect("it is text")
        };
        assert!(print("predicated").contains(", one thread:\n"), "{}", path.display());
        let text = print("sequential");
        let options = PrintOptions::default();
        let once = parse(&text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", path.display()));
        let again = parse(&sequential::print(&once, &options)).expect("it was read once");
        assert_eq!(sequential::print(&once, &options), sequential::print(&again, &options), "{}", path.display());
        let lines = |text: &str| {
            let kept = text.lines().map(|line| line.split(" // ").next().unwrap_or_default().trim().to_owned());
            kept.filter(|line| !line.is_empty() && !line.starts_with("//")).collect::<Vec<_>>()
        };
        assert_eq!(lines(&text), lines(&sequential::print(&once, &options)), "{}", path.display());
        read += 1;
    }
    assert!(read > 40, "{read} examples are too few");
}

#[test]
fn the_sequential_stage_says_what_fails() {
    let racy = SUM.replace("        barrier(CLK_LOCAL_MEM_FENCE);\n", "\n");
    let text = inspect(&racy, &["--stage", "sequential"]);
    let first = text.lines().next().expect("there is a line");
    assert!(first.starts_with("// Refuted: ob") && first.contains("can fail"), "{first}");
}

/// Another solver gives the expected answers, each `unsat`.
#[test]
fn the_smt2_stage_is_answered_by_another_solver_as_expected() {
    let text = inspect(SUM, &["--stage", "smt2"]);
    assert_in_order(
        &text,
        &[
            "; --- question 1 of ",
            "; expected: unsat, the claims hold\n(set-info :status unsat)",
            "no race on `part` between the write at sum.cl:6",
            "loop0: an iteration keeps the invariants of the loop at sum.cl:7",
        ],
    );
    assert_answers(&text);
}

/// If a claim can fail, `sat` is expected, and given.
#[test]
fn the_smt2_stage_of_a_defect_has_a_question_that_can_be_satisfied() {
    let racy = SUM.replace("part[lid] = in[gid + n];", "part[lid / 2] = in[gid + n];");
    let text = inspect(&racy, &["--stage", "smt2"]);
    assert!(text.contains("(set-info :status sat)"), "{text}");
    assert_answers(&text);
}

#[track_caller]
#[allow(clippy::print_stderr, reason = "a test that could not look says so")]
fn assert_answers(script: &str) {
    let expected: Vec<&str> =
        script.lines().filter_map(|line| line.strip_prefix("(set-info :status ")?.strip_suffix(")")).collect();
    assert!(!expected.is_empty() && !expected.contains(&"unknown"), "{script}");
    assert_eq!(script.matches("(check-sat)").count(), expected.len());
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("questions.smt2");
    fs::write(&path, script).expect("a file can be written");
    let mut asked = false;
    for (solver, arguments) in [("z3", &["-T:120"][..]), ("cvc5", &["--incremental", "--tlimit=120000"][..])] {
        let Ok(output) = Command::new(solver).args(arguments).arg(&path).output() else { continue };
        let answers = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(answers.lines().collect::<Vec<_>>(), expected, "{solver} disagrees on\n{script}");
        asked = true;
    }
    if !asked {
        eprintln!("neither z3 nor cvc5 is installed: nobody has looked at the scripts");
    }
}
