//! Hostile repositories: none of their contents is executed, and no file outside of them appears in
//! a report.
//!
//! Nothing is left behind, and a correct kernel beside gets its verdict. Each tree is built in a
//! folder of its own, with the same neighbours: a file with a secret, a folder for temporary files,
//! which must be empty at the end, and a home folder. A plugin and a program of the tree make the
//! canary file if they run. Trees whose verdict depends on limits of time and memory are listed in
//! [`NEED_LIMITS`]; `LOCKSTEP_HOSTILE=all` makes the large ones larger.

mod place;
mod trees;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;
use std::process::Command;

use place::{Place, Plugin, SECRET, canary, plugin};
use trees::TREES;

/// A hostile repository, and the command that is run on it.
pub struct Tree {
    /// The attack that it tries.
    pub name: &'static str,
    /// Puts it into a place.
    pub build: fn(&Place),
    /// The words of the command; `verify .` if there are none.
    pub words: &'static [&'static str],
    /// The outcome for the good kernel in it.
    pub expected: Expected,
    /// Parts of the output: nothing is left out without a message.
    pub said: &'static [&'static str],
}

/// The outcome for the good kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// It is verified.
    Verified,
    /// A suite agrees with it, by the numbers of its last line.
    Agrees,
    /// The tree contains none.
    Nothing,
}

/// Trees in which something never ends, or takes more memory than there is, unless limits hold.
const NEED_LIMITS: [&str; 8] = [
    "named pipe as a header",
    "device as a header",
    "giant header",
    "giant source",
    "exponential macros",
    "deep parentheses",
    "deep templates",
    "many small files",
];

/// Characters that a terminal takes for commands.
fn controls(text: &str) -> BTreeSet<char> {
    let is_plain = |c: char| c == '\n' || c == '\t' || !c.is_control();
    text.chars().filter(|&c| !is_plain(c) || ('\u{202a}'..='\u{202e}').contains(&c)).collect()
}

/// The text without the sequences that colour reports.
fn without_colours(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        plain.push_str(&rest[..at]);
        let sequence = &rest[at + 2..];
        let end = sequence.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(sequence.len());
        let coloured =
            sequence[end..].starts_with('m') && sequence[..end].split(';').all(|code| code != "8" && code != "5");
        plain.push_str(if coloured { "" } else { "\u{1b}" });
        rest = if coloured { &sequence[end + 1..] } else { sequence };
    }
    plain + rest
}

fn check(tree: &Tree) {
    let place = Place::new();
    (tree.build)(&place);
    let report = place.outside("report");
    let base = if tree.words.is_empty() { vec!["verify", "."] } else { tree.words.to_vec() };
    let mut words = base.clone();
    let takes_time = matches!(words[0], "verify" | "suite" | "run");
    let limit = if NEED_LIMITS.contains(&tree.name) { "--timeout=5" } else { "--timeout=30" };
    words.extend(takes_time.then_some(limit));
    let witness = format!("--witness={}", place.outside("witness").display());
    let verifies = words[0] == "verify";
    words.extend(verifies.then_some(witness.as_str()));
    let output = place.run(&words);
    let (stdout, stderr) =
        (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned());
    let whole = format!("$ lockstep {}\n{stdout}\n{stderr}", words.join(" "));
    let name = tree.name;
    assert!(matches!(output.status.code(), Some(0..=3)), "{name}: {:?}\n{whole}", output.status);
    match tree.expected {
        Expected::Verified => {
            assert!(without_colours(&stdout).contains("verified good"), "{name}: no verdict\n{whole}");
        }
        Expected::Agrees => assert!(!stdout.contains("good.cl: expects"), "{name}: no verdict\n{whole}"),
        Expected::Nothing => {}
    }
    for part in tree.said {
        assert!(whole.contains(part), "{name}: `{part}` is not said\n{whole}");
    }
    for text in [&stdout, &stderr] {
        let found = controls(&without_colours(text));
        assert!(found.is_empty(), "{name}: {found:?} reach the terminal\n{whole}");
    }
    let mut shown = whole.clone();
    if verifies {
        for format in ["html", "sarif", "json"] {
            let to = format!("--output={}", report.display());
            let as_format = format!("--format={format}");
            let words = [&base[..], &[as_format.as_str(), to.as_str(), limit]].concat();
            // Slow trees have been run once.
            if !NEED_LIMITS.contains(&name) {
                let output = place.run(&words);
                let text = fs::read_to_string(&report).unwrap_or_default();
                let runs = format == "html" && text.contains("<script>alert");
                assert!(!runs, "{name}: a script in the page\n{text}");
                if format != "html" && !text.is_empty() {
                    let parsed: Result<serde_json::Value, _> = serde_json::from_str(&text);
                    assert!(parsed.is_ok(), "{name}: {format} is broken\n{text}");
                }
                let found = controls(&text);
                assert!(found.is_empty(), "{name}: {found:?} in {format}");
                shown += &text;
                shown += &String::from_utf8_lossy(&output.stderr);
            }
        }
        // Code must not run without the sandbox either.
        if !NEED_LIMITS.contains(&name) {
            place.run(&[&base[..], &[limit, "--no-sandbox"]].concat());
        }
    }
    run_scripts(&place.outside("witness"));
    shown += &all_text(&place.outside("witness"));
    assert!(!shown.contains(SECRET), "{name}: a secret is shown\n{shown}");
    assert!(!canary().exists(), "{name}: code of the repository was executed\n{whole}");
    let left = place.left_behind();
    assert!(left.is_empty(), "{name}: left behind: {left:?}");
}

/// Runs the commands that witnesses contain.
fn run_scripts(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let script = entry.path().join("run.sh");
        if script.exists() {
            let lockstep = env!("CARGO_BIN_EXE_lockstep");
            let _ = Command::new("sh").arg(script).env("LOCKSTEP", lockstep).output();
        }
    }
}

/// The text of all files below a folder, and their names.
fn all_text(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        text += &path.display().to_string();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            text += &all_text(&path);
        } else if entry.file_type().is_ok_and(|kind| kind.is_file() && !kind.is_fifo()) {
            text += &String::from_utf8_lossy(&fs::read(&path).unwrap_or_default());
        }
    }
    text
}

/// Checks every fourth tree from this one on, so that the parts run side by side.
fn check_part(part: usize) {
    let chosen = std::env::var("LOCKSTEP_TREE").ok();
    let skipped = std::env::var("LOCKSTEP_HOSTILE").is_ok_and(|which| which == "quick");
    let mut failed = Vec::new();
    for tree in TREES.iter().skip(part).step_by(4) {
        let wanted = chosen.as_ref().is_none_or(|name| tree.name.contains(name.as_str()));
        if wanted && !(skipped && NEED_LIMITS.contains(&tree.name)) {
            // The other trees are checked all the same.
            failed.extend(std::panic::catch_unwind(|| check(tree)).err().map(|_| tree.name));
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn trees_gain_nothing_1_of_4() {
    check_part(0);
}

#[test]
fn trees_gain_nothing_2_of_4() {
    check_part(1);
}

#[test]
fn trees_gain_nothing_3_of_4() {
    check_part(2);
}

#[test]
fn trees_gain_nothing_4_of_4() {
    check_part(3);
}

#[test]
fn there_are_enough_trees_and_each_has_a_name() {
    let names: BTreeSet<&str> = TREES.iter().map(|tree| tree.name).collect();
    assert!(names.len() == TREES.len() && names.len() >= 25, "{}", TREES.len());
    assert!(NEED_LIMITS.iter().all(|name| names.contains(name)));
}

/// The canary works: Clang makes it if told to load the plugin.
#[test]
fn the_plugin_works() {
    let plugin = Plugin::new();
    let [source, sung] = ["p.c", "canary"].map(|name| plugin.folder.path().join(name));
    let words = ["-fsyntax-only", "-Xclang", "-load", "-Xclang"];
    let status = Command::new("clang-19").args(words).arg(&plugin.library).arg(source).output().expect("Clang 19");
    assert!(sung.exists(), "{status:?}");
}

#[test]
fn files_that_the_user_names_are_taken_literally() {
    let place = Place::new();
    let racy = "__kernel void k(__global int *a) { a[0] = get_global_id(0) + N; }\n";
    place.put("r.cl", "-DN=2 -Xclang -load -Xclang ./p.so");
    place.put("@r.cl", racy);
    place.put("@inc/n.h", "#define N 1\n");
    place.put("plain.cl", &format!("#include \"n.h\"\n{racy}"));
    for words in [
        &["verify", "@r.cl", "-DN=1"][..],
        &["verify", "plain.cl", "-I", "@inc"],
        &["run", "@r.cl", "-DN=1", "--local-size=2", "--num-groups=1"],
    ] {
        let output = place.run(words);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let output = place.run(&["verify", "plain.cl", "--clang-arg=@r.cl"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(!canary().exists() && place.left_behind().is_empty());
}

/// Lockstep ignores the environment's options for Clang.
#[test]
fn the_environment_of_clang_is_clean() {
    let place = Place::new();
    place.put("inc/n.h", "#define N 1\n");
    place.put("a.cl", "#include <n.h>\n__kernel void k(__global int *a) { a[get_global_id(0)] = N; }\n");
    let mut command = place.command(&["verify", "a.cl"]);
    command.env("CCC_OVERRIDE_OPTIONS", format!("+-Xclang +-load +-Xclang +{}", plugin().display()));
    command.env("CPATH", place.path("inc"));
    // An empty folder name means the working folder.
    fs::copy(place.path("evil.sh"), place.path("clang-19")).expect("a script");
    let searched = std::env::var("PATH").expect("a path");
    command.env("PATH", format!(":{searched}"));
    let output = command.output().expect("lockstep runs");
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!canary().exists());
}
