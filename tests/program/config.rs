//! `lockstep.toml`: the settings that it gives, their places, and the limits of its power.

use std::fs;

use lockstep::command::config::{Configuration, schema};
use serde_json::Value;

use crate::command::{ADD, Folder};

/// Races in groups of more than one thread.
const ONE: &str = "__kernel void one(__global int *a, int n) { a[n] = get_global_id(0); }\n";

/// Reads an array at a place that depends on a macro of a header.
const INCLUDING: &str = "#include \"step.h\"\n\
    __kernel void shift(__global int *a) { int i = get_global_id(0); a[i] = a[i + STEP]; }\n";

/// A folder with these files, some of them in folders of their own.
fn tree(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(&[]);
    for (name, text) in files {
        let path = folder.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
    }
    folder
}

/// Compares the exit status; every part must be on stdout or stderr.
#[track_caller]
fn check(folder: &Folder, words: &[&str], status: i32, parts: &[&str]) {
    let output = folder.run(words);
    let said = [&output.stdout[..], &output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert_eq!(output.status.code(), Some(status), "{said}");
    for part in parts {
        assert!(said.contains(part), "`{part}` is missing in:\n{said}");
    }
}

fn report(folder: &Folder, words: &[&str]) -> Value {
    let output = folder.run(&[words, &["--format=json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn settings_apply_to_the_inputs_below_and_the_report_names_the_file() {
    let folder = tree(&[("one.cl", ONE)]);
    check(&folder, &["verify", "one.cl"], 1, &["defect one"]);
    fs::write(folder.path("lockstep.toml"), "[defaults]\nlocal-size = 1\nnum-groups = 1\n").expect("a file");
    check(&folder, &["verify", "one.cl"], 0, &["verified one", "1 group of 1 thread", "settings: lockstep.toml"]);
    assert_eq!(report(&folder, &["verify", "one.cl"])["kernels"][0]["configuration"], "lockstep.toml");
    check(&folder, &["verify", "one.cl", "--no-config"], 1, &["defect one"]);
    // The command line wins, option by option.
    check(&folder, &["verify", "one.cl", "--local-size=2"], 1, &["1 group of 2 threads"]);
    check(&folder, &["verify", "one.cl", "--open-sizes"], 1, &["any number of groups"]);
    check(&folder, &["run", "one.cl", "--arg=n=0"], 0, &["1 group of 1 thread"]);
}

#[test]
fn a_named_configuration_replaces_the_one_above() {
    let bad = "[defaults]\nlocal-size = 0\n";
    let good = "[defaults]\nlocal-size = 1\nnum-groups = 1\n";
    let files = [("a/one.cl", ONE), ("lockstep.toml", bad), ("other.toml", good)];
    let folder = tree(&files);
    check(&folder, &["verify", "a/one.cl"], 3, &["error: lockstep.toml:2:14: `local-size`: ", "size of 0"]);
    check(&folder, &["run", "a/one.cl"], 3, &["error: lockstep.toml:2:14"]);
    check(&folder, &["verify", "a/one.cl", "--config=other.toml"], 0, &["settings: other.toml"]);
    check(&folder, &["verify", "a/one.cl", "--config=nowhere.toml"], 3, &["nowhere.toml"]);
}

#[test]
fn overrides_are_for_files_and_kernels() {
    let text = "[defaults]\ntimeout = 30\n\
        [[override]]\nfiles = [\"one/*.cl\"]\nlocal-size = 1\nnum-groups = 1\n\
        [[override]]\nkernels = [\"tw?\"]\narguments = { n = 7 }\narrays = { a = 64 }\n";
    let two = ONE.replace("one(", "two(");
    let both = format!("{ONE}{two}");
    let folder = tree(&[("one/a.cl", &both), ("b.cl", ONE), ("lockstep.toml", text)]);
    let report = report(&folder, &["verify", "one/a.cl", "b.cl"]);
    let verdicts: Vec<&str> = (0..3).map(|index| report["kernels"][index]["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["verified", "verified", "defect"]);
    let assumed = |index: usize| report["kernels"][index]["assumptions"].to_string();
    assert!(assumed(1).contains("n is 7 (lockstep.toml)") && assumed(1).contains("64 bytes"), "{}", assumed(1));
    assert!(!assumed(0).contains("n is 7"), "{}", assumed(0));
}

#[test]
fn arguments_must_be_parameters_of_the_kernel() {
    let text = "[[override]]\nkernels = \"one\"\narguments = { m = 7 }\n";
    let folder = tree(&[("one.cl", ONE), ("lockstep.toml", text)]);
    let said = "lockstep.toml:3: `arguments`: kernel one has no such parameter `m`; there are: n";
    check(&folder, &["verify", "one.cl"], 3, &[said]);
}

/// A name that is mistaken would leave out all races.
#[test]
fn arrays_that_are_checked_must_be_there() {
    let text = "[[override]]\nkernels = \"one\"\ncheck-arrays = [\"b\"]\n";
    let folder = tree(&[("one.cl", ONE), ("lockstep.toml", text)]);
    check(&folder, &["verify", "one.cl"], 3, &["lockstep.toml:3: `check-arrays`: kernel one has no array `b`"]);
    fs::write(folder.path("lockstep.toml"), text.replace("\"b\"", "\"a\"")).expect("a file");
    check(&folder, &["verify", "one.cl"], 1, &["defect one"]);
}

/// The command of a report reads the configuration as well.
#[test]
fn a_run_again_has_the_same_settings() {
    let source = "__kernel void k(__global int *a, int n) { a[get_local_id(0) + n] = 1; }\n";
    let text = "[defaults]\nlocal-size = 64\nnum-groups = 1\n\
        [[override]]\nkernels = \"k\"\narrays = { a = 256 }\narguments = { n = 1 }\n";
    let folder = tree(&[("k.cl", source), ("lockstep.toml", text)]);
    let report = report(&folder, &["verify", "k.cl"]);
    let finding = &report["kernels"][0]["findings"][0];
    assert_eq!((&finding["code"], &finding["confirmed"]), (&"LS0107".into(), &true.into()), "{report}");
    let command = finding["command"].as_str().expect("a command");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    check(&folder, &words, 1, &["outside"]);
}

/// Whatever weakens a verdict is listed among its assumptions, with the file it comes from.
#[test]
fn assumptions_of_a_configuration_are_listed() {
    let source = "__kernel void k(__global int *a, int n) { a[get_global_id(0) * n] = get_global_id(0); }\n";
    let text = "[defaults]\nassume = [\"n == 1\"]\nno-check = [\"null\"]\nonly-intra-group = true\n\
        max-group-size = 64\n";
    let folder = tree(&[("k.cl", source), ("lockstep.toml", text)]);
    let said = ["verified k", "`n == 1` (lockstep.toml:2)", "(--only-intra-group)", "(--no-check null)", "64"];
    check(&folder, &["verify", "k.cl"], 0, &said);
    // An assumption about another kernel does not count.
    let other = text.replace("[defaults]", "[[override]]\nkernels = \"other\"");
    fs::write(folder.path("lockstep.toml"), other).expect("a file");
    check(&folder, &["verify", "k.cl", "--local-size=64"], 2, &["conditional k"]);
    // A condition that cannot hold for the kernel is an error with its line.
    fs::write(folder.path("lockstep.toml"), "[defaults]\nassume = \"a == 1\"\n").expect("a file");
    check(&folder, &["verify", "k.cl"], 3, &["lockstep.toml:2: `a == 1`: "]);
}

#[test]
fn includes_are_relative_to_the_file_and_inside_of_its_tree() {
    let text = "[defaults]\nincludes = \"inc\"\ndefines = [\"STEP=OFF\", \"OFF=0\"]\n";
    let header = "#ifndef STEP\n#error none\n#endif\n";
    let files = [("r/src/k.cl", INCLUDING), ("r/inc/step.h", header), ("r/lockstep.toml", text), ("out/step.h", "")];
    let folder = tree(&files);
    fs::create_dir(folder.path("r/.git")).expect("a folder");
    check(&folder, &["verify", "r/src/k.cl"], 0, &["verified shift"]);
    // A macro of the command line replaces the one of the file.
    check(&folder, &["verify", "r/src/k.cl", "-DOFF=1"], 1, &["defect shift"]);
    fs::write(folder.path("r/lockstep.toml"), "[defaults]\nincludes = \"../out\"\n").expect("a file");
    check(&folder, &["verify", "r/src/k.cl"], 3, &["r/lockstep.toml:2: `includes`: ../out lies outside"]);
    check(&folder, &["verify", "r/src/k.cl", "--allow-read=out", "-DSTEP=0"], 0, &["verified shift"]);
    fs::write(folder.path("r/lockstep.toml"), "[defaults]\nincludes = \"none\"\n").expect("a file");
    check(&folder, &["verify", "r/src/k.cl"], 3, &["none is no folder"]);
}

/// Without this, messages about the linked file would quote it.
#[test]
fn a_link_out_of_the_repository_is_not_read() {
    let folder = tree(&[("r/one.cl", ONE), ("secret", "password = 7\n")]);
    fs::create_dir(folder.path("r/.git")).expect("a folder");
    std::os::unix::fs::symlink("../secret", folder.path("r/lockstep.toml")).expect("a link");
    let output = folder.run(&["verify", "r/one.cl"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(3) && said.contains("lies outside") && !said.contains("password"), "{said}");
}

#[test]
fn keys_that_start_programs_or_hide_kernels_are_unknown() {
    for key in
        ["clang = \"/bin/sh\"", "clang-arg = [\"-fplugin=x\"]", "recheck = \"sh\"", "exclude = \"*\"", "jobs = 9"]
    {
        let text = format!("[defaults]\n{key}\n");
        let folder = tree(&[("add.cl", ADD), ("lockstep.toml", &text)]);
        check(&folder, &["verify", "add.cl"], 3, &["lockstep.toml:2:1: unknown key"]);
    }
}

/// The schema and the reader agree on these texts.
#[test]
fn the_schema_accepts_what_the_reader_accepts() {
    let validator = jsonschema::validator_for(&schema::schema()).expect("the schema is one");
    let table = |rest: &str| format!("[defaults]\n{rest}\n");
    let over = |rest: &str| format!("[[override]]\n{rest}\n");
    let right = [
        String::new(),
        "\"$schema\" = \"docs/lockstep.schema.json\"\n".to_owned(),
        table("local-size = 64\nnum-groups = \"16x16\"\nglobal-offset = 0").replace("global-offset = 0", ""),
        table("local-size = [16, \"*\"]\nstrict = true\ntimeout = 1.5\npointer-bits = 32"),
        table("language = \"cuda\"\nexited-threads = \"arrive\"\ncheck = \"overflow\"\nno-check = [\"null\"]"),
        table("defines = [\"A\", \"B=1\"]\nassume = \"n > 0\"\nincludes = [\".\"]\nmax-group-size = 256"),
        over("files = \"a/*.cl\"\ndefines = \"A\""),
        over("kernels = [\"a\", \"b*\"]\narguments = { n = 1, m = \"0x10\" }\narrays = { a = 64 }"),
    ];
    let wrong = [
        "[default]\n".to_owned(),
        "local-size = 64\n".to_owned(),
        "defaults = 1\n".to_owned(),
        "[override]\nfiles = \"a\"\n".to_owned(),
        table("local-size = 0"),
        table("local-size = [1, 2, 3, 4]"),
        table("strict = 1"),
        table("timeout = \"1\""),
        table("timeout = -1"),
        table("language = \"c\""),
        table("check = [\"bound\"]"),
        table("defines = []"),
        table("defines = [1]"),
        table("files = \"a\""),
        table("arguments = { n = 1 }"),
        table("warp-size = 1"),
        over("strict = true"),
        over("kernels = \"a\"\ndefines = \"A\""),
        over("files = \"a\"\narguments = { n = 1 }"),
        over("kernels = \"a\"\narguments = { n = true }"),
        over("kernels = []\n"),
        table("clang = \"x\""),
    ];
    for (texts, expected) in [(&right[..], true), (&wrong, false)] {
        for text in texts {
            let read = Configuration::parse(text, "lockstep.toml".into(), "/".into());
            assert_eq!(read.is_ok(), expected, "the reader on {text}: {read:?}");
            let value: Value = toml::from_str(text).expect("TOML");
            assert_eq!(validator.is_valid(&value), expected, "the schema on {text}");
        }
    }
}

#[test]
fn the_committed_schema_is_the_readers() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/lockstep.schema.json");
    let text = serde_json::to_string_pretty(&schema::schema()).expect("JSON") + "\n";
    if std::env::var_os("LOCKSTEP_TEST_BLESS").is_some_and(|value| value == "write") {
        fs::write(path, &text).expect("a file");
    }
    assert_eq!(fs::read_to_string(path).expect("a file"), text, "LOCKSTEP_TEST_BLESS=write writes it anew");
}

/// Every key is described where its reader looks for it.
#[test]
fn every_key_is_documented() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/configuration.md")).expect("a page");
    let schema = schema::schema();
    let keys = schema["properties"]["override"]["items"]["properties"].as_object().expect("keys");
    for key in keys.keys() {
        assert!(page.contains(&format!("`{key}`")), "docs/configuration.md lacks {key}");
    }
}

#[test]
fn preconditions_that_were_found_are_added() {
    let table = "__kernel void table(__global int *out, int n) {\n    __local int a[8];\n    int i = get_local_id(0);\n    \
        if (i < n) a[i] = i;\n    barrier(CLK_LOCAL_MEM_FENCE);\n    out[get_global_id(0)] = i < n ? a[i] : 0;\n}\n";
    let order = "__kernel void order(__global int *out, __global const int *at) {\n    \
        out[at[get_global_id(0)]] = get_global_id(0);\n}\n";
    let folder = tree(&[("src/table.cl", table), ("src/order.cl", order)]);
    let words = ["verify", "src", "--write-requires", "lockstep.toml"];
    check(&folder, &words, 2, &["2 conditional", "note: preconditions of 2 kernels were added to lockstep.toml"]);
    let written = fs::read_to_string(folder.path("lockstep.toml")).expect("it is written");
    let wanted = "[[override]]\nfiles = [\"src/order.cl\"]\nkernels = [\"order\"]\nassume = [\"distinct(at)\"]\n\n\
        [[override]]\nfiles = [\"src/table.cl\"]\nkernels = [\"table\"]\nassume = [\"n <= 8\"]\n";
    assert_eq!(written, wanted);
    // Then there is nothing to find, and the file stays as it is.
    check(&folder, &words, 0, &["2 verified", "preconditions of 0 kernels"]);
    assert_eq!(fs::read_to_string(folder.path("lockstep.toml")).expect("it is there"), wanted);
    // A file that is no configuration is not changed.
    fs::write(folder.path("other.toml"), "[defaults\n").expect("a file");
    check(&folder, &["verify", "src/order.cl", "--no-config", "--write-requires=other.toml"], 3, &["other.toml:1:10"]);
    assert_eq!(fs::read_to_string(folder.path("other.toml")).expect("it is there"), "[defaults\n");
}
