//! The output about verdicts: findings in words, the JSON report, the transcripts of the README.

use std::fs;
use std::process::Command;

use crate::command::{ADD, Folder, POSSIBLE, SIZES, TWO, check, lockstep};

#[test]
fn errors_of_one_file_leave_the_others_their_verdicts() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    let words = ["verify", "nowhere.cl", "a.cl", "--local-size=64", "--num-groups=4", "--format=json", "-o", "report"];
    check(&folder, &words, 3, &["nowhere.cl"]);
    let text = fs::read_to_string(folder.path("report")).expect("the report is written");
    let report: serde_json::Value = serde_json::from_str(&text).expect("the report is JSON");
    assert_eq!(report["schema"], "lockstep-report/1");
    assert_eq!(report["errors"].as_array().map(Vec::len), Some(1));
    let kernel = &report["kernels"][0];
    assert_eq!((&kernel["name"], &kernel["verdict"]), (&"add".into(), &"verified".into()));
    assert_eq!(kernel["launch"], serde_json::json!({ "block": [64], "grid": [4] }));
    for key in ["file", "line", "reason", "findings", "assumptions", "statistics"] {
        assert!(!kernel[key].is_null() || key == "reason", "{key} is missing in {kernel}");
    }
}

#[test]
fn a_race_is_shown_with_both_accesses() {
    let source = "__kernel void shift(__global int *a) {\n  int i = get_global_id(0);\n  a[i] = a[i + 1];\n}\n";
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    let output = folder.run(&["verify", "a.cl", "--local-size=64", "--num-groups=1"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for part in
        ["LS0101", "(1) thread (", "(2) thread (", "a[i] = a[i + 1];", "confirmed: a concrete run", "defect shift"]
    {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}

/// The text without its times, which differ from run to run.
fn without_times(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let times = regex_lite::Regex::new(r"[0-9.]+ s\b").expect("a valid expression");
    times.replace_all(&text, "TIME").into_owned()
}

/// The JSON report without times and memory.
fn without_costs(text: &[u8]) -> serde_json::Value {
    let mut report: serde_json::Value = serde_json::from_slice(text).expect("the report is JSON");
    for kernel in report["kernels"].as_array_mut().expect("kernels") {
        let statistics = kernel["statistics"].as_object_mut().expect("statistics");
        assert!(statistics.remove("seconds").is_some() && statistics.remove("peak_rss_bytes").is_some());
    }
    report
}

#[test]
fn errors_are_part_of_the_json_report() {
    let folder = Folder::new(&[("a.cl", b"syntax error"), ("b.bc", b"garbage"), ("c.cl", ADD.as_bytes())]);
    let words = ["verify", "a.cl", "b.bc", "nowhere.cl", "c.cl", "--format=json", "--kernel-args=add,7"];
    let output = folder.run(&words);
    assert_eq!(output.status.code(), Some(3));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let errors = report["errors"].as_array().expect("errors");
    for (error, part) in errors.iter().zip(["a.cl does not compile", "b.bc", "nowhere.cl", "kernel add"]) {
        assert!(error.as_str().is_some_and(|error| error.contains(part)), "{error}");
    }
    assert_eq!((errors.len(), report["kernels"].as_array().map(Vec::len)), (4, Some(0)));
}

#[test]
fn the_same_input_gives_the_same_report() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes()), ("b.cl", TWO.as_bytes())]);
    let run = |jobs: &str, format: &str| {
        let words = ["verify", "b.cl", "a.cl", SIZES[0], SIZES[1], "--format", format, "-j", jobs];
        folder.run(&words).stdout
    };
    let text = without_times(&run("1", "text"));
    assert!(text.contains("TIME") && text.contains("3 kernels: 2 verified, 1 defect"), "{text}");
    let json = without_costs(&run("1", "json"));
    for jobs in ["1", "2", "7"] {
        assert_eq!(without_times(&run(jobs, "text")), text);
        assert_eq!(without_costs(&run(jobs, "json")), json);
    }
}

#[test]
fn colour_only_where_it_is_wanted() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    let coloured = |variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(variables.iter().copied());
        command.current_dir(folder.0.path()).args(["verify", "a.cl", SIZES[0], SIZES[1]]);
        let output = command.output().expect("lockstep runs");
        // Progress is for terminals.
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout.contains(&0x1b)
    };
    assert!(!coloured(&[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("NO_COLOR", "1")]));
    assert!(!coloured(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]));
}

/// A race on `a[i]`, whose two sites are assignments: the compiler's column is the one of the
/// operator.
const OPERATORS: &str = "__kernel void k(__global int *a, int n) {\n  int i = get_local_id(0); if (get_global_id(0) == 1)\n  \
    /* \u{e9} */ a[0] = i;\n  a[i + n] += 1;\n}\n";

#[test]
fn both_formats_give_the_same_positions() {
    let folder = Folder::new(&[("a.cl", OPERATORS.as_bytes())]);
    let text = folder.run(&["verify", "a.cl", SIZES[0], SIZES[1]]).stdout;
    let text = String::from_utf8_lossy(&text);
    let report = folder.run(&["verify", "a.cl", SIZES[0], SIZES[1], "--format=json"]).stdout;
    let report: serde_json::Value = serde_json::from_slice(&report).expect("the report is JSON");
    let findings = report["kernels"][0]["findings"].as_array().expect("findings");
    let of = |access: &serde_json::Value| format!("a.cl:{}:{}", access["line"], access["column"]);
    let in_json: Vec<String> =
        findings.iter().flat_map(|f| f["accesses"].as_array().expect("accesses")).map(of).collect();
    let places = regex_lite::Regex::new(r"a\.cl:[0-9]+:[0-9]+").expect("a valid expression");
    let in_text: Vec<&str> = places.find_iter(&text).map(|found| found.as_str()).collect();
    assert_eq!(in_text, in_json, "{text}");
    // The column of `a` counts characters from 1, after a letter of two bytes.
    assert!(in_json.contains(&"a.cl:3:11".to_owned()) && in_json.contains(&"a.cl:4:3".to_owned()), "{in_json:?}");
}

#[test]
fn the_seconds_of_a_kernel_are_those_that_passed() {
    let folder = Folder::new(&[("a.cl", ADD.as_bytes())]);
    let started = std::time::Instant::now();
    let output = folder.run(&["verify", "a.cl", "--format=json"]).stdout;
    let passed = started.elapsed().as_secs_f64();
    let report: serde_json::Value = serde_json::from_slice(&output).expect("the report is JSON");
    let wall = report["kernels"][0]["statistics"]["seconds"]["wall"].as_f64().expect("seconds");
    assert!(wall > 0.0 && wall <= passed, "{wall} of {passed}");
}

#[test]
fn without_debug_information_no_line_is_named() {
    let source = "target triple = \"spir64\"\n\
        define spir_kernel void @k(ptr addrspace(1) %a, i64 %n) {\n\
        entry:\n  br label %head\n\
        head:\n  %i = phi i64 [ 0, %entry ], [ %next, %head ]\n  \
        %p = getelementptr i32, ptr addrspace(1) %a, i64 %i\n  %l = call spir_func i64 @_Z12get_local_idj(i32 0)\n  \
        %v = trunc i64 %l to i32\n  store i32 %v, ptr addrspace(1) %p\n  %next = add i64 %i, 1\n  \
        %more = icmp ult i64 %next, %n\n  br i1 %more, label %head, label %end\n\
        end:\n  ret void\n}\n\
        declare spir_func i64 @_Z12get_local_idj(i32)\n";
    let folder = Folder::new(&[("a.ll", source.as_bytes())]);
    let output = folder.run(&["verify", "a.ll", SIZES[0], SIZES[1]]);
    let text = String::from_utf8_lossy(&output.stdout);
    // A run's events at locations without names are not compared with it.
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("possible: no run shows it: without debug information (-g)"), "{text}");
    assert!(text.contains("of a loop (no debug information)"), "{text}");
    assert!(!text.contains("line 0") && !text.contains(":0"), "{text}");
}

/// The output of `verify` about a kernel with a defect.
#[track_caller]
fn check_shown(source: &str, words: &[&str], shown: &[&str], never: &[&str]) {
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    let words: Vec<&str> = ["verify", "a.cl"].iter().chain(words).copied().collect();
    let output = folder.run(&words);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for part in shown {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    for part in never {
        assert!(!text.contains(part), "`{part}` is in:\n{text}");
    }
}

#[test]
fn groups_of_open_size_begin_where_the_source_says() {
    let source = "__kernel void k(__global int *a) {\n  int i = get_global_id(0);\n  a[i] = a[i + 1];\n}\n";
    let index = "index get_local_id(0) + get_group_id(0)*get_local_size(0) + 1 = ";
    check_shown(source, &[], &[index], &["group_start"]);
}

#[test]
fn sums_that_wrap_around_say_so() {
    let source = "__kernel void k(__global int *a, uint n) {\n  uint i = get_local_id(0);\n  \
        if (n > 2147483640 && n < 2147483648u) a[2 * n + 4 + 16 * i] = a[0];\n}\n";
    let sum = "16*0 + 2*2147483646 + 4 = 0 (wraps around 2^32)";
    check_shown(source, &["--local-size=64", "--num-groups=1", "--without=preconditions"], &[sum], &[]);
    let source = source.replace("n > 2147483640 && n < 2147483648u", "n > -64 && n < 0").replace("uint", "int");
    check_shown(
        &source,
        &["--local-size=64", "--num-groups=1", "--without=preconditions"],
        &[" + 4 = 0\n"],
        &["wraps"],
    );
}

#[test]
fn a_race_on_an_image_names_the_pixel() {
    let source = "__kernel void k(__write_only image2d_t im, __write_only image3d_t vol) {\n  int x = get_local_id(0);\n  \
        write_imagei(im, (int2)(x / 2 + 3, 1), (int4)(x));\n}\n";
    let pixels = ["race on im(3, 1), threads", "pixel (get_local_id(0) / 2 + 3, 1) = (1 / 2 + 3, 1) = (3, 1)"];
    check_shown(source, &["--local-size=2", "--num-groups=1"], &pixels, &["byte"]);
    let source = "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n\
        __kernel void k(__write_only image3d_t im) {\n  int x = get_local_id(0);\n  \
        write_imagei(im, (int4)(x / 2, 5, 7, 0), (int4)(x));\n}\n";
    check_shown(source, &["--local-size=2", "--num-groups=1"], &["race on im(0, 5, 7), threads"], &["byte"]);
}

#[test]
fn the_bounds_of_a_private_array_are_in_elements() {
    let source = "__kernel void k(__global int *a) {\n  int t[16];\n  \
        for (int i = 0; i <= 16; i++) t[i] = i;\n  a[get_global_id(0)] = t[a[0] & 15];\n}\n";
    check_shown(source, &SIZES, &["t[16], which has 16 elements", "index i = 16"], &["bytes"]);
}

/// The README shows the real output of its commands.
///
/// If this fails because the output has improved, copy it from the failure.
#[test]
fn the_transcripts_of_the_readme() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("there is a README");
    let blocks: Vec<&str> = readme.split("```").skip(1).step_by(2).collect();
    assert!(blocks[0].trim().lines().eq(["./x verify examples/vector_add.cl", "./x test"]), "the first two commands");
    let mut transcripts = 0;
    for block in blocks.iter().filter_map(|block| block.strip_prefix("console\n$ ./x ")) {
        let (command, transcript) = block.split_once('\n').expect("a transcript below the command");
        let output = lockstep().current_dir(root).args(command.split(' ')).output().expect("lockstep runs");
        let printed = without_times(&output.stdout);
        assert_eq!(printed.trim_end(), without_times(transcript.as_bytes()).trim_end(), "of {command}");
        transcripts += 1;
    }
    assert_eq!(transcripts, 1, "the README shows a data race");
}

#[test]
fn each_kind_of_finding_has_a_headline() {
    for (file, flags, headline) in [
        ("attacks/warp_passed_by", "", "not every lane of the mask arrives here"),
        ("attacks/warp_not_full", "", "read from a lane that does not take part"),
        ("kernels/aligned_vector_defect", "", "misaligned access: its type asks for more of the address"),
        ("kernels/initialised_later_defect", "", "read of what no thread has written"),
        ("kernels/index_without_overflow_defect", "--check=overflow", "overflow in the computation of an index"),
    ] {
        let path = format!("{}/tests/{file}.cu", env!("CARGO_MANIFEST_DIR"));
        let source = fs::read_to_string(&path).expect("a kernel");
        let sizes = source.lines().nth(1).and_then(|line| line.strip_prefix("//")).expect("flags").to_owned();
        let mut words = vec!["verify", &path, flags];
        words.retain(|word| !word.is_empty());
        words.extend(sizes.split_whitespace().filter(|word| *word != flags));
        let output = Folder::new(&[]).run(&words);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(headline), "{file}: `{headline}` is missing in:\n{text}");
    }
}

/// The exit status and the output for a kernel with a possible finding.
fn possible(words: &[&str]) -> (Option<i32>, String) {
    let folder = Folder::new(&[("a.cl", POSSIBLE.as_bytes()), ("b.cl", ADD.as_bytes())]);
    let output = folder.run(&[&["verify", "a.cl", SIZES[0], "--num-groups=1"], words].concat());
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_possible_finding_is_a_warning_of_a_kernel_that_is_unknown() {
    let (status, text) = possible(&[]);
    assert_eq!(status, Some(2), "{text}");
    for part in [
        "warning[LS0101]: possible write-write race on a",
        "runs show it only after a value that is not modelled at a.cl:4",
        "unknown place (a.cl:2): 1 possible finding\n  because: a possible race on `a` (a.cl:4) is neither confirmed by a run",
    ] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    assert!(!text.contains("error["), "{text}");
    let (status, text) = possible(&["--format=json"]);
    let report: serde_json::Value = serde_json::from_str(&text).expect("the report is JSON");
    let kernel = &report["kernels"][0];
    assert_eq!(
        (status, &kernel["verdict"], &kernel["findings"][0]["confirmed"]),
        (Some(2), &"unknown".into(), &false.into())
    );
    assert!(kernel["reason"].as_str().is_some_and(|reason| reason.contains("possible race")), "{kernel}");
    assert!(kernel["findings"][0]["because"].as_str().is_some_and(|because| because.contains("a.cl:4")), "{kernel}");
    let (status, text) = possible(&["--quiet"]);
    let line = "a.cl:4:3: unknown place: LS0101: possible write-write race on a[0], threads of the same group\n";
    assert_eq!((status, text.as_str()), (Some(2), line));
    let (_, text) = possible(&["b.cl"]);
    assert!(text.contains("1 possible ") && text.ends_with("2 kernels: 1 verified, 1 unknown\n"), "{text}");
}

#[test]
fn strictly_a_possible_finding_is_a_defect() {
    let (status, text) = possible(&["--strict"]);
    assert_eq!(status, Some(1), "{text}");
    for part in ["error[LS0101]: possible write-write race on a", "defect place (a.cl:2): 1 finding\n"] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    assert!(!text.contains("because:"), "{text}");
    let (status, text) = possible(&["--strict", "--format=json"]);
    let report: serde_json::Value = serde_json::from_str(&text).expect("the report is JSON");
    let kernel = &report["kernels"][0];
    assert_eq!(
        (status, &kernel["verdict"], &kernel["findings"][0]["confirmed"]),
        (Some(1), &"defect".into(), &false.into())
    );
    assert!(kernel["reason"].is_null(), "{kernel}");
}

#[test]
fn a_possible_finding_fails_with_the_exit_statuses_of_gpuverify() {
    assert_eq!(possible(&["--exit-codes=gpuverify"]).0, Some(6));
    assert_eq!(possible(&["--exit-codes=gpuverify", "--findbugs"]).0, Some(6));
    assert_eq!(possible(&["--exit-codes=gpuverify", "--strict"]).0, Some(6));
}

/// Without runs nothing is confirmed, so nothing is a defect.
#[test]
fn without_runs_every_finding_is_possible() {
    let folder = Folder::new(&[("a.cl", TWO.as_bytes())]);
    let words = ["verify", "a.cl", "--kernel=bad", SIZES[0], SIZES[1], "--no-replay"];
    check(&folder, &words, 2, &[]);
    check(&folder, &[&words[..], &["--strict"]].concat(), 1, &[]);
}
