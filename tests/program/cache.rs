//! The cache of results: the same report with and without it, and never another kernel's.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Kernels that reach each of the verdicts in different ways.
const KERNELS: [&str; 5] = [
    "examples/strided_fill.cl",
    "examples/strided_fill_defect.cl",
    "examples/vector_add.cl",
    "examples/sized_pointers_defect.cl",
    "tests/annotations/loop_invariant_lost.cl",
];

/// A run on a kernel copied to `kernel.cl` in a folder of its own, with the cache in another
/// folder.
struct Run {
    folder: tempfile::TempDir,
}

impl Run {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn verify(&self, kernel: &str, more: &[&str]) -> Output {
        self.verify_in(kernel, more, &self.cache())
    }

    fn verify_in(&self, kernel: &str, more: &[&str], cache: &Path) -> Output {
        let source = fs::read_to_string(kernel).expect("a kernel");
        let flags = source.lines().nth(1).and_then(|line| line.strip_prefix("//")).expect("flags in the second line");
        let limited = more.iter().any(|option| option.starts_with("--timeout"));
        let path = self.folder.path().join("kernel.cl");
        fs::write(&path, &source).expect("it can be copied");
        Command::new(env!("CARGO_BIN_EXE_lockstep"))
            .arg("verify")
            .arg(&path)
            .args(flags.split_whitespace())
            // Each change of the source that is tried has an entry of its own.
            .args(["--format", "json", "--without", "fixes"])
            // The clock must not decide, however busy the machine is.
            .args((!limited).then_some("--timeout=300"))
            .args(more)
            .env("LOCKSTEP_CACHE", cache)
            .output()
            .expect("lockstep runs")
    }

    /// The entries of the cache, without Clang's headers.
    fn entries(&self) -> Vec<PathBuf> {
        let Ok(folders) = fs::read_dir(self.cache()) else { return Vec::new() };
        let folders = folders.map(|folder| folder.expect("an entry").path()).filter(|path| !path.ends_with("headers"));
        let folders = folders.map(|folder| fs::read_dir(folder).expect("a folder"));
        folders.flatten().map(|entry| entry.expect("an entry").path()).collect()
    }

    /// The contents of each entry.
    fn contents(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        self.entries().into_iter().map(|entry| (entry.clone(), fs::read(entry).expect("the entry"))).collect()
    }

    fn entry(&self) -> PathBuf {
        let mut entries = self.entries();
        assert_eq!(entries.len(), 1, "{entries:?}");
        entries.remove(0)
    }
}

/// A report without seconds and memory, and the exit status.
fn report(output: &Output) -> (Value, Option<i32>) {
    let mut report: Value = serde_json::from_slice(&output.stdout).expect("a JSON report");
    for kernel in report["kernels"].as_array_mut().expect("kernels") {
        let statistics = kernel["statistics"].as_object_mut().expect("statistics");
        assert!(statistics.remove("seconds").is_some() && statistics.remove("peak_rss_bytes").is_some());
    }
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (report, output.status.code())
}

fn verdict(output: &Output) -> Value {
    report(output).0["kernels"][0]["verdict"].clone()
}

#[test]
fn the_report_is_the_same_cold_and_warm_and_without() {
    for kernel in KERNELS {
        let run = Run::new();
        let without = report(&run.verify(kernel, &["--no-cache"]));
        assert!(run.entries().is_empty(), "--no-cache writes nothing");
        let cold = report(&run.verify(kernel, &[]));
        let contents = run.contents();
        // Pairs of threads that were skipped because of a defect that no run shows are an entry of
        // their own.
        assert!((1..=2).contains(&contents.len()), "{kernel}: {contents:?}");
        let warm = report(&run.verify(kernel, &[]));
        assert_eq!(cold, without, "{kernel}");
        assert_eq!(warm, without, "{kernel}");
        assert_eq!(run.contents(), contents, "{kernel}: nothing else was looked for");
    }
}

#[test]
fn cached_proof_is_the_one_reported() {
    let run = Run::new();
    assert_eq!(verdict(&run.verify("examples/vector_add.cl", &[])), "verified");
    plant(&run.entry(), |text| text.replace("\"Proved\"", r#"{"Unknown":{"NotConfirmed":"planted"}}"#));
    let (planted, _) = report(&run.verify("examples/vector_add.cl", &[]));
    let reason = planted["kernels"][0]["reason"].as_str().unwrap_or_default();
    assert!(reason.ends_with(": planted"), "warm runs read the cache: {reason}");
    let (without, _) = report(&run.verify("examples/vector_add.cl", &["--no-cache"]));
    assert_eq!(without["kernels"][0]["verdict"], "verified", "--no-cache reads nothing");
}

/// Changes the contents of an entry and seals it again.
fn plant(entry: &Path, change: impl Fn(&str) -> String) {
    let bytes = fs::read(entry).expect("an entry");
    let text = std::str::from_utf8(&bytes[64..]).expect("the contents are text");
    let changed = change(text);
    assert_ne!(text, changed);
    let hash = Sha256::digest(changed.as_bytes());
    fs::write(entry, [&bytes[..32], &hash[..], changed.as_bytes()].concat()).expect("it can be written");
}

#[test]
fn a_changed_kernel_is_proved_anew() {
    for (kernel, twin) in [("vector_add", "vector_add_defect"), ("strided_fill", "strided_fill_defect")] {
        let [kernel, twin] = [kernel, twin].map(|name| format!("examples/{name}.cl"));
        let run = Run::new();
        // Under the same name, back and forth.
        for _ in 0..2 {
            assert_eq!(verdict(&run.verify(&kernel, &[])), "verified");
            assert_eq!(verdict(&run.verify(&twin, &[])), "defect");
        }
        assert_eq!(run.entries().len(), 2);
    }
}

#[test]
fn every_option_that_matters_has_it_proved_anew() {
    let run = Run::new();
    // There is no loop, so each of these decides it at once: a result that the clock ends is not
    // remembered.
    let kernel = "examples/vector_add.cl";
    let options: [&[&str]; 6] = [
        &[],
        &["--timeout=301"],
        &["--no-infer"],
        &["--omit-infer", "hit-facts"],
        &["--no-benign-tolerance"],
        &["--only-divergence"],
    ];
    let mut before = 0;
    for more in options {
        let output = run.verify(kernel, more);
        assert_ne!(output.status.code(), Some(3), "{more:?}: {}", String::from_utf8_lossy(&output.stderr));
        let entries = run.entries().len();
        assert_eq!(entries, before + 1, "{more:?}");
        before = entries;
    }
    // The number of workers does not matter.
    run.verify(kernel, &["-j", "1"]);
    assert_eq!(run.entries().len(), before);
}

#[test]
fn damaged_entries_are_no_entries() {
    let run = Run::new();
    let kernel = "examples/vector_add_defect.cl";
    let cold = report(&run.verify(kernel, &[]));
    let entry = run.entry();
    let whole = fs::read(&entry).expect("the entry");
    let mut damaged = whole.clone();
    *damaged.last_mut().expect("it is not empty") ^= 1;
    let half = whole[..whole.len() / 2].to_vec();
    for content in [damaged, half, Vec::new(), b"\"Proved\"".to_vec()] {
        fs::write(&entry, &content).expect("it can be written");
        assert_eq!(report(&run.verify(kernel, &[])), cold);
        assert_eq!(fs::read(&entry).expect("the entry"), whole, "it is mended");
    }
    // The entry is whole, but not the expected one: another obligation, or another form.
    for changed in ["[null,null,null]", "[]", "{}", ""] {
        plant(&entry, |_| changed.to_owned());
        assert_eq!(report(&run.verify(kernel, &[])), cold, "{changed}");
    }
    plant(&entry, |text| text.replace("\"obligation\":", "\"obligation\":77"));
    assert_eq!(report(&run.verify(kernel, &[])), cold);
}

#[test]
fn without_a_place_nothing_is_remembered_and_nothing_is_wrong() {
    let run = Run::new();
    let kernel = "examples/vector_add.cl";
    let file = run.folder.path().join("a file");
    fs::write(&file, "").expect("it can be written");
    for place in [file.join("cache"), PathBuf::new()] {
        assert_eq!(verdict(&run.verify_in(kernel, &[], &place)), "verified");
    }
    assert!(run.entries().is_empty());
}

#[test]
fn verdicts_of_the_clock_are_not_cached() {
    let run = Run::new();
    let output = run.verify("examples/strided_fill.cl", &["--timeout=0.01"]);
    assert_eq!(verdict(&output), "unknown");
    assert!(run.entries().is_empty());
}
