//! What each example costs: seconds per kernel and where they go, Clang's share apart, and peak memory.
//!
//! Every example is verified in a process of its own, as a user would, [`RUNS`] times; the fastest run counts. Its
//! stages are those of the JSON report; two programs (same group, different groups) are worked on side by side, so they
//! may add up to more than the whole. Clang's share is measured by importing the file alone. The table goes to stdout and,
//! with every number, to `target/bench-examples.json`. `cargo bench -- NAME` runs those whose name contains NAME.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use lockstep::frontend::{FrontendOptions, import};
use lockstep::report;
use lockstep::suite::Header;
use serde::Serialize;

/// How often each example is run.
const RUNS: usize = 3;

/// What the numbers are held against.
const AIM: &str = "aim on 2 cores: median at most 0.15 s, worst at most 10 s, at most 300 MB";

/// What an example cost.
#[derive(Serialize)]
struct Cost {
    name: String,
    verdict: String,
    /// From the start of the process to its end.
    seconds: f64,
    clang_seconds: f64,
    /// Clang and the import.
    frontend_seconds: f64,
    lower_seconds: f64,
    infer_seconds: f64,
    prove_seconds: f64,
    peak_mb: f64,
    candidates_proposed: u64,
    candidates_kept: u64,
    queries: u64,
}

/// All of them.
#[derive(Serialize)]
struct Summary {
    schema: &'static str,
    kernels: usize,
    cores: usize,
    median_seconds: f64,
    p95_seconds: f64,
    worst_seconds: f64,
    worst: String,
    median_clang_seconds: f64,
    peak_mb: f64,
    costs: Vec<Cost>,
}

fn main() {
    // Cargo passes `--bench`; everything else is part of a name.
    let filter: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    report::show(&format!(
        "{:34} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>7} {:>6} {:>9} {:>7}\n",
        "", "verdict", "seconds", "Clang", "import", "lower", "infer", "prove", "MB", "kept", "queries"
    ));
    let mut costs = Vec::new();
    for file in examples(&filter) {
        let cost = measure(&file);
        report::show(&line(&cost));
        costs.push(cost);
    }
    if costs.is_empty() {
        report::say("no example has such a name");
        return;
    }
    let summary = summary(costs);
    report::show(&format!(
        "\n{} kernels: median {:.3} s (Clang {:.3} s), p95 {:.3} s, worst {:.3} s ({}), at most {:.0} MB\n{AIM}\n",
        summary.kernels,
        summary.median_seconds,
        summary.median_clang_seconds,
        summary.p95_seconds,
        summary.worst_seconds,
        summary.worst,
        summary.peak_mb
    ));
    write(&summary);
}

fn examples(filter: &[String]) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("examples/ can be read")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            filter.is_empty() || filter.iter().any(|part| name.contains(part))
        })
        .collect();
    files.sort();
    files
}

/// The fastest of some runs; the most memory of any.
fn measure(file: &Path) -> Cost {
    let text = std::fs::read_to_string(file).expect("an example can be read");
    let flags = Header::parse(&text).map(|header| header.flags).unwrap_or_default();
    let runs: Vec<Cost> = (0..RUNS).map(|_| run(file, &flags)).collect();
    let peak_mb = runs.iter().map(|cost| cost.peak_mb).fold(0.0, f64::max);
    let clang = runs.iter().map(|cost| cost.clang_seconds).fold(f64::INFINITY, f64::min);
    let fastest = runs.into_iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds)).expect("there is a run");
    Cost { peak_mb, clang_seconds: clang, ..fastest }
}

fn run(file: &Path, flags: &[String]) -> Cost {
    let mut words: Vec<OsString> = vec!["verify".into(), "--format=json".into(), "--no-cache".into()];
    words.extend(flags.iter().map(OsString::from));
    words.push(file.into());
    let started = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_lockstep")).args(words).output().expect("lockstep runs");
    let seconds = started.elapsed().as_secs_f64();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let kernel = &report["kernels"][0];
    let statistics = &kernel["statistics"];
    let stage = |name: &str| statistics["seconds"][name].as_f64().unwrap_or(0.0);
    let count = |value: &serde_json::Value| value.as_u64().unwrap_or(0);
    Cost {
        name: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        verdict: kernel["verdict"].as_str().unwrap_or("none").to_owned(),
        seconds,
        clang_seconds: import(file, &FrontendOptions::default()).map_or(0.0, |module| module.clang_seconds),
        frontend_seconds: stage("frontend"),
        lower_seconds: stage("lower"),
        infer_seconds: stage("infer"),
        prove_seconds: stage("prove"),
        peak_mb: megabytes(count(&statistics["peak_rss_bytes"])),
        candidates_proposed: count(&statistics["candidates"]["proposed"]),
        candidates_kept: count(&statistics["candidates"]["kept"]),
        queries: count(&statistics["queries"]),
    }
}

fn line(cost: &Cost) -> String {
    format!(
        "{:34} {:>8} {:>8.3} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {:>6.0} {:>9} {:>7}\n",
        cost.name,
        cost.verdict,
        cost.seconds,
        cost.clang_seconds,
        (cost.frontend_seconds - cost.clang_seconds).max(0.0),
        cost.lower_seconds,
        cost.infer_seconds,
        cost.prove_seconds,
        cost.peak_mb,
        format!("{}/{}", cost.candidates_kept, cost.candidates_proposed),
        cost.queries
    )
}

fn summary(costs: Vec<Cost>) -> Summary {
    let sorted = |value: fn(&Cost) -> f64| {
        let mut values: Vec<f64> = costs.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let seconds = sorted(|cost| cost.seconds);
    let worst = costs.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
    Summary {
        schema: "lockstep-bench/1",
        kernels: costs.len(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        median_seconds: at_percent(&seconds, 50),
        p95_seconds: at_percent(&seconds, 95),
        worst_seconds: at_percent(&seconds, 100),
        worst: worst.map_or(String::new(), |cost| cost.name.clone()),
        median_clang_seconds: at_percent(&sorted(|cost| cost.clang_seconds), 50),
        peak_mb: costs.iter().map(|cost| cost.peak_mb).fold(0.0, f64::max),
        costs,
    }
}

/// The smallest of the sorted values that `percent` % of them do not exceed.
fn at_percent(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}

fn write(summary: &Summary) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the folder for tests is in target/");
    let path = target.join("bench-examples.json");
    let text = serde_json::to_string_pretty(summary).expect("numbers and names can be written as JSON");
    std::fs::write(&path, text + "\n").expect("target/ can be written to");
    report::show(&format!("{}\n", path.display()));
}

fn megabytes(bytes: u64) -> f64 {
    // Kibibytes of a process fit into 32 bits.
    f64::from(u32::try_from(bytes / 1024).unwrap_or(u32::MAX)) / 1024.0
}
