//! What each example costs: seconds per kernel with Clang's share apart, and peak memory.
//!
//! Every example is verified in a process of its own, as a user would, several times; the fastest counts. Clang's
//! share is measured apart, by importing the file alone. `cargo bench -- NAME` runs those whose name contains NAME.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use lockstep::frontend::{FrontendOptions, import};
use lockstep::report;
use lockstep::suite::Header;

/// How often each example is run.
const RUNS: usize = 3;

/// What an example cost.
struct Cost {
    name: String,
    verdict: String,
    seconds: f64,
    clang_seconds: f64,
    peak_bytes: u64,
}

fn main() {
    // Cargo passes `--bench`; everything else is part of a name.
    let filter: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("examples/ can be read")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .filter(|path| filter.is_empty() || filter.iter().any(|part| path.to_string_lossy().contains(part)))
        .collect();
    files.sort();
    report::show(&format!("{:36} {:>9} {:>9} {:>9} {:>9}\n", "", "verdict", "seconds", "of Clang", "MB"));
    let mut costs = Vec::new();
    for file in &files {
        let cost = measure(file);
        report::show(&format!(
            "{:36} {:>9} {:>9.3} {:>9.3} {:>9.1}\n",
            cost.name,
            cost.verdict,
            cost.seconds,
            cost.clang_seconds,
            megabytes(cost.peak_bytes)
        ));
        costs.push(cost);
    }
    summary(&costs);
}

fn measure(file: &Path) -> Cost {
    let text = std::fs::read_to_string(file).expect("an example can be read");
    let flags = Header::parse(&text).map(|header| header.flags).unwrap_or_default();
    let mut cost = Cost {
        name: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        verdict: String::new(),
        seconds: f64::INFINITY,
        clang_seconds: f64::INFINITY,
        peak_bytes: 0,
    };
    for _ in 0..RUNS {
        let mut words: Vec<OsString> = vec!["verify".into(), "--format=json".into()];
        words.extend(flags.iter().map(OsString::from));
        words.push(file.into());
        let started = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_lockstep")).args(words).output().expect("lockstep runs");
        cost.seconds = cost.seconds.min(started.elapsed().as_secs_f64());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let kernel = &report["kernels"][0];
        kernel["verdict"].as_str().unwrap_or("none").clone_into(&mut cost.verdict);
        cost.peak_bytes = cost.peak_bytes.max(kernel["statistics"]["peak_rss_bytes"].as_u64().unwrap_or(0));
        if let Ok(module) = import(file, &FrontendOptions::default()) {
            cost.clang_seconds = cost.clang_seconds.min(module.clang_seconds);
        }
    }
    cost
}

fn summary(costs: &[Cost]) {
    let sorted = |value: fn(&Cost) -> f64| {
        let mut values: Vec<f64> = costs.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let (seconds, clang) = (sorted(|cost| cost.seconds), sorted(|cost| cost.clang_seconds));
    let (Some(worst), Some(clang_median)) = (seconds.last(), clang.get(clang.len() / 2)) else { return };
    let peak = costs.iter().map(|cost| cost.peak_bytes).max().unwrap_or(0);
    report::show(&format!(
        "\n{} kernels: median {:.3} s (Clang {clang_median:.3} s), worst {worst:.3} s, at most {:.1} MB\n",
        costs.len(),
        seconds[seconds.len() / 2],
        megabytes(peak)
    ));
}

fn megabytes(bytes: u64) -> f64 {
    // Kibibytes of a process fit into 32 bits.
    f64::from(u32::try_from(bytes / 1024).unwrap_or(u32::MAX)) / 1024.0
}
