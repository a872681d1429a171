//! `--format sarif` and `--baseline`: the output follows the standard's schema, and findings are
//! recognised.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::command::{Folder, POSSIBLE, SIZES, check};
use jsonschema::Validator;
use serde_json::Value;

/// A kernel with a race between the two accesses of its last line.
const SHIFT: &str = "__kernel void shift(__global int *a) {\n  int i = get_local_id(0);\n  a[i] = a[i + 1];\n}\n";

/// Another kernel with a race.
const SPREAD: &str = "__kernel void spread(__global int *b) {\n  int i = get_local_id(0);\n  b[i / 2] = i;\n}\n";

/// A kernel that is refused, in its second line.
const ODD: &str = "__kernel void odd(__global int *a) {\n  a[sub_group_reduce_add(1)] = 1;\n}\n";

/// Calls and loops around a race.
const DEEP: &str = "void put(__global int *a, int i) {\n  for (int k = 0; k < 3; k++)\n    a[i + k] = i;\n}\n\
    __kernel void deep(__global int *a) {\n  int i = get_local_id(0);\n  for (int j = 0; j < 4; j++)\n    put(a, i + j);\n}\n";

/// Kernels with an access outside an array, with a barrier that not all threads reach, and without
/// a mistake.
const OTHERS: &str = "__kernel void out(__global int *a) {\n  int t[4];\n  for (int i = 0; i <= 4; i++) t[i] = i;\n  \
    a[get_global_id(0)] = t[a[0] & 3];\n}\n\
    __kernel void diverges(__global int *a) {\n  if (get_local_id(0) > 3)\n    barrier(CLK_LOCAL_MEM_FENCE);\n}\n\
    __kernel void good(__global int *a) { a[get_global_id(0)] = 1; }\n";

/// The output of `verify` on files with one group of 64 threads, which makes each race one finding.
fn verify(folder: &Folder, words: &[&str]) -> Output {
    let fixed = ["verify", SIZES[0], "--num-groups=1", "--cl-std=CL3.0"];
    folder.run(&fixed.iter().chain(words).copied().collect::<Vec<_>>())
}

#[track_caller]
fn sarif(folder: &Folder, words: &[&str]) -> Value {
    let output = verify(folder, &[words, &["--format=sarif"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn results(log: &Value) -> &[Value] {
    log["runs"][0]["results"].as_array().expect("results")
}

/// The results that are about a kernel.
fn of_kernel<'a>(log: &'a Value, kernel: &str) -> Vec<&'a Value> {
    results(log).iter().filter(|result| result["properties"]["kernel"] == kernel).collect()
}

fn fingerprint(result: &Value) -> &str {
    result["partialFingerprints"]["lockstepFinding/v1"].as_str().expect("a fingerprint")
}

/// The fingerprint of the only result for a file with this text.
#[track_caller]
fn fingerprint_of(source: &str) -> String {
    let log = sarif(&Folder::new(&[("a.cl", source.as_bytes())]), &["a.cl"]);
    assert_eq!(results(&log).len(), 1, "{log}");
    fingerprint(&results(&log)[0]).to_owned()
}

fn text(value: &Value) -> &str {
    value["text"].as_str().expect("a text")
}

fn schema() -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sarif-schema-2.1.0.json");
    let mut schema: Value =
        serde_json::from_str(&fs::read_to_string(path).expect("the schema")).expect("the schema is JSON");
    // In this edition the language patterns, none of which Lockstep writes, have a bracket too
    // many.
    for object in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][object]["properties"]["language"];
        assert!(language.as_object_mut().expect("a property").remove("pattern").is_some());
    }
    jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema")
}

#[track_caller]
fn check_schema(schema: &Validator, log: &Value) {
    let errors: Vec<String> =
        schema.iter_errors(log).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// A folder with every outcome of a kernel or a file, except a fault.
fn all_kinds() -> Folder {
    let bare = "target triple = \"spir64\"\ndefine spir_kernel void @bare(ptr addrspace(1) %a) {\n  \
        %l = call spir_func i64 @_Z12get_local_idj(i32 0)\n  store i64 %l, ptr addrspace(1) %a\n  ret void\n}\n\
        declare spir_func i64 @_Z12get_local_idj(i32)\n";
    Folder::new(&[
        ("a b.cl", SHIFT.as_bytes()),
        ("deep.cl", DEEP.as_bytes()),
        ("odd.cl", ODD.as_bytes()),
        ("others.cl", OTHERS.as_bytes()),
        ("bare.ll", bare.as_bytes()),
        ("wrong.cl", b"syntax error"),
    ])
}

const ALL_KINDS: [&str; 6] = ["a b.cl", "deep.cl", "odd.cl", "others.cl", "bare.ll", "wrong.cl"];

#[test]
fn the_schema_of_the_standard_is_followed() {
    let (schema, folder) = (schema(), all_kinds());
    let log = sarif(&folder, &ALL_KINDS);
    check_schema(&schema, &log);
    let rules: Vec<&str> = results(&log).iter().filter_map(|result| result["ruleId"].as_str()).collect();
    assert_eq!(rules, ["LS0101", "LS0101", "LS0203", "LS0107", "LS0102", "LS0101"]);
    fs::write(folder.path("old"), log.to_string()).expect("a file can be written");
    check_schema(&schema, &sarif(&folder, &[&ALL_KINDS[1..], &["--baseline=old"]].concat()));
    check_schema(&schema, &sarif(&folder, &["others.cl", "--kernel=good", "--findbugs"]));
    check_schema(&schema, &sarif(&folder, &["others.cl", "--kernel=good"]));
}

/// The test above is worth nothing if the validator accepts everything.
#[test]
fn the_schema_refuses_what_is_wrong() {
    let (schema, log) = (schema(), sarif(&all_kinds(), &ALL_KINDS));
    for (place, wrong) in [
        ("/version", "2.2.0"),
        ("/runs/0/tool/driver/name", "null"),
        ("/runs/0/columnKind", "bytes"),
        ("/runs/0/results/0/level", "fatal"),
        ("/runs/0/results/0/message", "a text"),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", "0"),
        ("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", "a b.cl"),
    ] {
        let mut log = log.clone();
        let value = log.pointer_mut(place).unwrap_or_else(|| panic!("{place} is missing"));
        *value = serde_json::from_str(wrong).unwrap_or_else(|_| wrong.into());
        assert!(!schema.is_valid(&log), "{place} may be {wrong}");
    }
}

#[test]
fn a_race_has_two_related_locations_and_two_threads() {
    let folder = Folder::new(&[("a.cl", SHIFT.as_bytes())]);
    let log = sarif(&folder, &["a.cl"]);
    let result = &results(&log)[0];
    let related = result["relatedLocations"].as_array().expect("related locations");
    let columns: Vec<_> = related
        .iter()
        .map(|location| {
            let region = &location["physicalLocation"]["region"];
            assert_eq!((&region["startLine"], &region["endLine"]), (&3.into(), &3.into()));
            let columns =
                [&region["startColumn"], &region["endColumn"]].map(|column| column.as_u64().expect("a column"));
            (location["id"].as_u64().expect("an id"), columns, text(&region["snippet"]))
        })
        .collect();
    // Either thread may be the first.
    let (read, write) = ([10, 18], [3, 7]);
    let one_way = [(1, read, "a[i + 1]"), (2, write, "a[i]")];
    let the_other = [(1, write, "a[i]"), (2, read, "a[i + 1]")];
    assert!(columns == one_way || columns == the_other, "{columns:?}");
    assert_eq!(result["locations"][0]["physicalLocation"], related[0]["physicalLocation"]);
    let message = text(&result["message"]);
    assert!(
        message.contains(" here](1)") && message.contains(" here](2)") && message.contains("kernel shift."),
        "{message}"
    );
    let threads = result["codeFlows"][0]["threadFlows"].as_array().expect("threads");
    assert_eq!(threads.len(), 2);
    assert_ne!(threads[0]["id"], threads[1]["id"]);
    assert_eq!((&result["level"], &result["ruleIndex"]), (&"error".into(), &0.into()));
}

#[test]
fn a_thread_flow_leads_through_loops_and_calls() {
    let folder = Folder::new(&[("a.cl", DEEP.as_bytes())]);
    let log = sarif(&folder, &["a.cl"]);
    for thread in results(&log)[0]["codeFlows"][0]["threadFlows"].as_array().expect("threads") {
        let steps = thread["locations"].as_array().expect("steps").iter().map(|step| {
            let line = step["location"]["physicalLocation"]["region"]["startLine"].as_u64().expect("a line");
            (line, text(&step["location"]["message"]))
        });
        let steps: Vec<_> = steps.collect();
        let [(7, outer), (8, call), (2, inner), (3, access)] = steps[..] else { panic!("{steps:?}") };
        assert!(outer.ends_with("the loop at line 7") && inner.ends_with("the loop at line 2"), "{steps:?}");
        assert!(call == "calls put" && access.contains("writes here"), "{steps:?}");
    }
}

#[test]
fn rules_are_those_of_the_manual() {
    let log = sarif(&Folder::new(&[("a.cl", SHIFT.as_bytes())]), &["a.cl"]);
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    let written: Vec<&str> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
    let manual =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/findings.md")).expect("the manual");
    let codes = regex_lite::Regex::new(r"(?m)^\| `(LS\d{4})` \|").expect("a valid expression");
    let described: Vec<&str> = codes.captures_iter(&manual).filter_map(|code| Some(code.get(1)?.as_str())).collect();
    assert_eq!(written, described);
    for rule in rules {
        assert!(text(&rule["fullDescription"]).ends_with('.'), "{rule}");
        assert!(rule["help"]["markdown"].as_str().is_some_and(|page| page.starts_with("# ")), "{rule}");
    }
}

#[test]
fn a_refused_kernel_is_not_silently_clean() {
    let folder = Folder::new(&[("a.cl", ODD.as_bytes())]);
    let output = verify(&folder, &["a.cl", "--format=sarif"]);
    assert_eq!(output.status.code(), Some(2));
    let log: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let [result] = results(&log) else { panic!("{log}") };
    assert_eq!((&result["ruleId"], &result["level"]), (&"LS0203".into(), &"warning".into()));
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    assert!(text(&result["message"]).contains("sub_group_reduce_add"), "{result}");
    let invocation = &log["runs"][0]["invocations"][0];
    let [notification] = &invocation["toolExecutionNotifications"].as_array().expect("notifications")[..] else {
        panic!("{invocation}")
    };
    assert_eq!(notification["associatedRule"]["id"], "LS0203");
    assert!(text(&notification["message"]).contains("kernel odd was not analysed"), "{notification}");
    assert_eq!(invocation["executionSuccessful"], true);
}

#[test]
fn input_errors_are_notifications() {
    let folder = Folder::new(&[("a.cl", SHIFT.as_bytes())]);
    let log = sarif(&folder, &["a.cl", "nowhere.cl"]);
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert_eq!(notification["level"], "error");
    assert!(text(&notification["message"]).contains("nowhere.cl"), "{notification}");
    assert_eq!(results(&log).len(), 1);
}

#[test]
fn verified_kernels_tell_what_they_rest_on() {
    let log = sarif(&Folder::new(&[("a.cl", OTHERS.as_bytes())]), &["a.cl", "--kernel=good"]);
    let kernel = &log["runs"][0]["properties"]["kernels"][0];
    assert_eq!((&kernel["name"], &kernel["verdict"]), (&"good".into(), &"verified".into()));
    assert!(kernel["assumptions"].as_array().is_some_and(|assumptions| !assumptions.is_empty()), "{kernel}");
    assert!(results(&log).is_empty());
}

#[test]
fn files_elsewhere_have_absolute_uris() {
    let (folder, other) = (Folder::new(&[("a.cl", SHIFT.as_bytes())]), Folder::new(&[("b.cl", SHIFT.as_bytes())]));
    let elsewhere = other.path("b.cl").canonicalize().expect("a path");
    let here = folder.path("a.cl").canonicalize().expect("a path");
    let log = sarif(&folder, &[&here.display().to_string(), &elsewhere.display().to_string()]);
    let at = |index: usize| &results(&log)[index]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(at(0), &serde_json::json!({ "uri": "a.cl", "uriBaseId": "%SRCROOT%" }));
    assert_eq!(at(1), &serde_json::json!({ "uri": format!("file://{}", elsewhere.display()) }));
    // Code scanning shows no alert in a link.
    std::os::unix::fs::symlink(&elsewhere, folder.path("link.cl")).expect("a link can be made");
    let linked = sarif(&folder, &["link.cl"]);
    assert_eq!(results(&linked)[0]["locations"][0]["physicalLocation"]["artifactLocation"], *at(1));
}

#[test]
fn the_same_input_gives_the_same_file() {
    let folder = all_kinds();
    let run = |jobs: &str| verify(&folder, &[&ALL_KINDS[..], &["--format=sarif", "-j", jobs]].concat()).stdout;
    let first = run("1");
    assert!(!first.is_empty() && first == run("1") && first == run("5"));
}

#[test]
fn fingerprints_survive_edits_elsewhere() {
    let before = fingerprint_of(SHIFT);
    for (edit, source) in [
        ("lines above", format!("// one\n\n#define TWO 2\n{SHIFT}")),
        ("lines in the kernel", SHIFT.replace("\n  int i", "\n  int unused = 3;\n\n  int i")),
        ("lines below", format!("{SHIFT}\n// the end\n")),
        ("other indentation and spaces", SHIFT.replace("  a[i] = a[i + 1];", "\ta[i]=a[ i+1 ];  ")),
        ("another name for the parameter's type", SHIFT.replace("__global int *a", "global int* a")),
    ] {
        assert_ne!(source, SHIFT, "{edit}");
        assert_eq!(fingerprint_of(&source), before, "{edit}");
    }
}

#[test]
fn fingerprints_change_with_what_races() {
    let before = fingerprint_of(SHIFT);
    for (edit, source) in [
        ("the line", SHIFT.replace("a[i + 1]", "a[i + 2]")),
        ("the array", SHIFT.replace("*a", "*b").replace("a[", "b[")),
        ("the kernel", SHIFT.replace("shift", "shove")),
    ] {
        assert_ne!(fingerprint_of(&source), before, "{edit}");
    }
    let folder = Folder::new(&[("b.cl", SHIFT.as_bytes())]);
    assert_ne!(fingerprint(&results(&sarif(&folder, &["b.cl"]))[0]), before, "another file");
}

#[test]
fn fingerprints_do_not_depend_on_the_launch_or_the_folder() {
    let folder = Folder::new(&[("a.cl", SHIFT.as_bytes())]);
    let run = |words: &[&str]| {
        let output = folder.run(&[&["verify", "--format=sarif"], words].concat());
        let log: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
        let found = results(&log).iter().find(|result| result["properties"]["scope"] == "intra-group");
        fingerprint(found.expect("a race within a group")).to_owned()
    };
    let before = fingerprint_of(SHIFT);
    assert_eq!(run(&["a.cl", "--local-size=32", "--num-groups=8"]), before);
    assert_eq!(run(&[&folder.path("a.cl").display().to_string()]), before);
}

#[test]
fn equal_findings_are_told_apart() {
    let folder = Folder::new(&[("a.cl", SHIFT.as_bytes())]);
    fs::create_dir(folder.path("sub")).expect("a folder can be made");
    fs::copy(folder.path("a.cl"), folder.path("sub/a.cl")).expect("a file can be copied");
    let log = sarif(&folder, &["a.cl", "sub/a.cl"]);
    let prints: Vec<&str> = results(&log).iter().map(fingerprint).collect();
    let [first, second] = prints[..] else { panic!("{prints:?}") };
    assert_eq!(first.strip_suffix(":1"), second.strip_suffix(":2"), "{prints:?}");
    assert!(first.ends_with(":1"), "{prints:?}");
}

/// A folder with a kernel and a baseline of it.
#[track_caller]
fn with_baseline(source: &str, status: i32) -> Folder {
    let folder = Folder::new(&[("a.cl", source.as_bytes())]);
    let output = verify(&folder, &["a.cl", "--format=sarif", "-o", "old.sarif"]);
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    folder
}

const BASELINE: &str = "--baseline=old.sarif";

#[test]
fn a_baseline_hides_the_old_and_shows_the_new() {
    let folder = with_baseline(SHIFT, 1);
    let known = verify(&folder, &["a.cl", BASELINE]);
    let shown = String::from_utf8_lossy(&known.stdout);
    assert_eq!(known.status.code(), Some(0), "{shown}");
    assert!(!shown.contains("LS0101"), "{shown}");
    // It is still a defect, and nothing says that it is verified.
    assert!(
        shown.contains("defect shift (a.cl:1): 1 finding in the baseline") && !shown.contains("verified"),
        "{shown}"
    );
    assert!(shown.contains("left out, as the baseline old.sarif has them: 1 finding, 0 unknown\n"), "{shown}");

    fs::write(folder.path("a.cl"), format!("// new\n{SPREAD}{SHIFT}")).expect("a file can be written");
    let both = verify(&folder, &["a.cl", BASELINE]);
    let shown = String::from_utf8_lossy(&both.stdout);
    assert_eq!(both.status.code(), Some(1), "{shown}");
    assert!(shown.contains("race on b[") && !shown.contains("race on a["), "{shown}");
    assert!(shown.contains("defect spread (a.cl:2): 1 finding\n"), "{shown}");

    let json = verify(&folder, &["a.cl", BASELINE, "--format=json"]);
    assert_eq!(json.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&json.stdout).expect("the report is JSON");
    let counts =
        report["kernels"].as_array().expect("kernels").iter().map(|kernel| {
            (kernel["findings"].as_array().map_or(0, Vec::len), kernel["in_baseline"].as_u64().unwrap_or(0))
        });
    assert_eq!(counts.collect::<Vec<_>>(), [(1, 0), (0, 1)]);
    assert_eq!(report["baseline"], serde_json::json!({ "file": "old.sarif", "findings": 1, "unknown": 0, "gone": 0 }));
}

#[test]
fn in_sarif_the_old_is_unchanged_and_the_new_is_new() {
    let folder = with_baseline(&format!("{SHIFT}{ODD}"), 1);
    fs::write(folder.path("a.cl"), format!("{SPREAD}{SHIFT}")).expect("a file can be written");
    let output = verify(&folder, &["a.cl", BASELINE, "--format=sarif"]);
    assert_eq!(output.status.code(), Some(1));
    let log: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let states: Vec<_> =
        results(&log).iter().map(|result| (&result["properties"]["kernel"], &result["baselineState"])).collect();
    assert_eq!(states, [(&"spread".into(), &"new".into()), (&"shift".into(), &"unchanged".into())]);
    // Services would show an absent finding as one that is still there.
    assert_eq!(log["runs"][0]["properties"]["baseline"], serde_json::json!({ "unchanged": 1, "gone": 1 }));
    let without = sarif(&folder, &["a.cl"]);
    assert!(results(&without).iter().all(|result| result["baselineState"].is_null()));
}

#[test]
fn a_report_can_be_the_next_baseline() {
    let folder = with_baseline(SHIFT, 1);
    fs::write(folder.path("a.cl"), format!("{SPREAD}{SHIFT}")).expect("a file can be written");
    let next = ["a.cl", BASELINE, "--format=sarif", "-o", "old.sarif"];
    assert_eq!(verify(&folder, &next).status.code(), Some(1));
    // It has both the old finding and the new one.
    assert_eq!(verify(&folder, &next).status.code(), Some(0));
    assert_eq!(verify(&folder, &next).status.code(), Some(0));
    let silent = verify(&folder, &["a.cl", BASELINE, "--silent"]);
    assert!(silent.status.success() && silent.stdout.is_empty(), "{silent:?}");
}

#[test]
fn of_two_equal_findings_the_baseline_may_have_one() {
    let folder = with_baseline(SHIFT, 1);
    fs::create_dir(folder.path("sub")).expect("a folder can be made");
    fs::copy(folder.path("a.cl"), folder.path("sub/a.cl")).expect("a file can be copied");
    assert_eq!(verify(&folder, &["a.cl", BASELINE]).status.code(), Some(0));
    assert_eq!(verify(&folder, &["a.cl", "sub/a.cl", BASELINE]).status.code(), Some(1));
}

#[test]
fn an_unknown_of_the_baseline_stays_unknown_and_does_not_count() {
    let folder = with_baseline(ODD, 2);
    let output = verify(&folder, &["a.cl", BASELINE]);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(shown.contains("unknown odd (a.cl:1): in the baseline") && !shown.contains("verified"), "{shown}");
    assert!(shown.contains("0 findings, 1 unknown"), "{shown}");
    let log = sarif(&folder, &["a.cl", BASELINE]);
    assert_eq!(of_kernel(&log, "odd")[0]["baselineState"], "unchanged");
    // A defect where none was visible before is new.
    fs::write(folder.path("a.cl"), ODD.replace("sub_group_reduce_add(1)", "0")).expect("a file can be written");
    let output = verify(&folder, &["a.cl", BASELINE, "--no-benign-tolerance"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn findings_that_are_gone_are_counted() {
    let folder = with_baseline(&format!("{SHIFT}{SPREAD}"), 1);
    fs::write(folder.path("a.cl"), SHIFT).expect("a file can be written");
    let output = verify(&folder, &["a.cl", BASELINE]);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("1 finding, 0 unknown; 1 of it not found any more\n"), "{shown}");
}

#[test]
fn files_that_are_no_baseline_are_refused() {
    let folder = Folder::new(&[("a.cl", SHIFT.as_bytes()), ("text", b"no baseline"), ("a.json", b"{}")]);
    let other = r#"{ "version": "2.1.0", "runs": [{ "tool": { "driver": { "name": "Other" } }, "results": [] }] }"#;
    fs::write(folder.path("other.sarif"), other).expect("a file can be written");
    verify(&folder, &["a.cl", "--format=json", "-o", "report.json"]);
    for (file, message) in [
        ("nowhere", "cannot read the baseline nowhere"),
        (".", "cannot read the baseline ."),
        ("text", "text is no baseline: it is not SARIF"),
        ("a.json", "a.json is no baseline: it is not SARIF"),
        ("report.json", "report.json is no baseline: it is not SARIF"),
        ("other.sarif", "other.sarif is no baseline: it has no run of Lockstep"),
    ] {
        check(&folder, &["verify", "a.cl", "--baseline", file], 3, &[message]);
    }
}

#[test]
#[cfg(debug_assertions)]
fn a_fault_is_never_part_of_a_baseline() {
    let folder = Folder::new(&[("a.cl", SHIFT.as_bytes())]);
    let run = |words: &[&str]| {
        let mut command = crate::command::lockstep();
        command.current_dir(folder.0.path()).env("LOCKSTEP_FAULT", "shift");
        command.args(["verify", "a.cl", "--format=sarif"]).args(words).output().expect("lockstep runs")
    };
    let output = run(&[]);
    let log: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    assert_eq!((output.status.code(), &results(&log)[0]["ruleId"]), (Some(4), &"LS0205".into()));
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
    check_schema(&schema(), &log);
    fs::write(folder.path("old.sarif"), &output.stdout).expect("a file can be written");
    let again = run(&[BASELINE]);
    let log: Value = serde_json::from_slice(&again.stdout).expect("the report is JSON");
    assert_eq!((again.status.code(), &results(&log)[0]["baselineState"]), (Some(4), &"new".into()));
}

#[test]
fn a_possible_finding_is_a_warning_and_part_of_a_baseline() {
    let folder = Folder::new(&[("a.cl", POSSIBLE.as_bytes())]);
    let log = sarif(&folder, &["a.cl"]);
    check_schema(&schema(), &log);
    let [result] = results(&log) else { panic!("one result: {log}") };
    assert_eq!((&result["ruleId"], &result["level"]), (&"LS0101".into(), &"warning".into()));
    assert_eq!(result["properties"]["confirmed"], false);
    assert!(text(&result["message"]).contains("only after a value that is not modelled at a.cl:4"), "{result}");
    assert_eq!(log["runs"][0]["properties"]["kernels"][0]["verdict"], "unknown");
    let strict = sarif(&folder, &["a.cl", "--strict"]);
    assert_eq!(results(&strict)[0]["level"], "error");
    assert_eq!(fingerprint(&results(&strict)[0]), fingerprint(result));

    fs::write(folder.path("old"), log.to_string()).expect("a file can be written");
    let again = verify(&folder, &["a.cl", "--baseline=old"]);
    let shown = String::from_utf8_lossy(&again.stdout);
    assert_eq!(again.status.code(), Some(0), "{shown}");
    assert!(shown.contains("unknown place (a.cl:2): 1 finding in the baseline"), "{shown}");
    assert!(!shown.contains("because:") && shown.contains("1 finding, 0 unknown"), "{shown}");
    assert_eq!(verify(&folder, &["a.cl", "--baseline=old", "--strict"]).status.code(), Some(0));
    assert_eq!(results(&sarif(&folder, &["a.cl", "--baseline=old"]))[0]["baselineState"], "unchanged");
}
