//! The cost of each kernel: seconds by stage, Clang's share apart, candidates, queries, and peak
//! memory.
//!
//! The kernels are those of `examples/` and `benches/kernels/`, each also with its seeded defect.
//! Each is verified in a process of its own, as a user would, [`RUNS`] times; the fastest run
//! counts. Its stages are those of the JSON report. The programs of a kernel (same group, different
//! groups) are processed side by side, so they may add up to more than the whole. Clang's share is
//! measured by importing the file alone. The table goes to stdout and, with every number, to
//! `target/bench-kernels.json`. `cargo bench --bench kernels -- NAME` runs those whose name
//! contains NAME.

mod shared;

use lockstep::frontend::{FrontendOptions, import};
use lockstep::report;
use serde::Serialize;
use shared::{Case, Cost, Words, at_percent};

/// The number of runs of each kernel.
const RUNS: usize = 3;

/// The languages, by the endings of files, and the aims of their numbers.
const LANGUAGES: [(&str, &str, &str); 2] = [
    ("OpenCL", "cl", "aim on 2 cores: median at most 0.15 s, p95 at most 3 s, worst at most 60 s, at most 1024 MB"),
    ("CUDA", "cu", "aim on 2 cores: median at most 0.2 s, of which Clang has at most 0.08 s, at most 1024 MB"),
];

/// A line of the table.
#[derive(Serialize)]
struct Line {
    clang_seconds: f64,
    #[serde(flatten)]
    cost: Cost,
}

/// All of them.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    cores: usize,
    languages: Vec<Summary>,
}

/// The numbers of a language.
#[derive(Serialize)]
struct Summary {
    language: &'static str,
    kernels: usize,
    right: usize,
    median_seconds: f64,
    p95_seconds: f64,
    worst_seconds: f64,
    worst: String,
    total_seconds: f64,
    total_cpu_seconds: f64,
    median_clang_seconds: f64,
    median_without_clang_seconds: f64,
    total_without_clang_seconds: f64,
    peak_mb: f64,
    lines: Vec<Line>,
}

fn main() {
    let words = Words::read();
    report::show(&format!(
        "{:44} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>6} {:>9} {:>7}\n",
        "", "verdict", "seconds", "CPU", "Clang", "import", "lower", "infer", "prove", "MB", "kept", "queries"
    ))
    .expect("the standard output can be written to");
    let mut languages = Vec::new();
    for (language, ending, aim) in LANGUAGES {
        let mut lines = Vec::new();
        for case in shared::cases(&words, &[ending]) {
            let line = Line { clang_seconds: clang_seconds(&case), cost: shared::fastest(&case, &[], RUNS) };
            report::show(&text(&line)).expect("the standard output can be written to");
            lines.push(line);
        }
        if !lines.is_empty() {
            let summary = summary(language, lines);
            report::show(&format!("\n{}{aim}\n\n", in_words(&summary))).expect("the standard output can be written to");
            languages.push(summary);
        }
    }
    if languages.is_empty() {
        report::say("no kernel has such a name");
        return;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    shared::write_json("bench-kernels.json", &Report { schema: "lockstep-bench/3", cores, languages });
}

fn in_words(summary: &Summary) -> String {
    format!(
        "{}: {} of {} decided as expected\nmedian {:.3} s (Clang {:.3} s, without Clang {:.3} s), p95 {:.3} s, worst {:.3} s ({}), total \
         {:.1} s (without Clang {:.1} s; of the processors {:.1} s), at most {:.0} MB\n",
        summary.language,
        summary.right,
        summary.kernels,
        summary.median_seconds,
        summary.median_clang_seconds,
        summary.median_without_clang_seconds,
        summary.p95_seconds,
        summary.worst_seconds,
        summary.worst,
        summary.total_seconds,
        summary.total_without_clang_seconds,
        summary.total_cpu_seconds,
        summary.peak_mb
    )
}

/// The time of Clang, the fastest of some runs.
fn clang_seconds(case: &Case) -> f64 {
    let once = || import(&case.path, &FrontendOptions::default()).map_or(0.0, |module| module.clang_seconds);
    (0..RUNS).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn text(Line { clang_seconds, cost }: &Line) -> String {
    format!(
        "{:44} {:>8} {:>8.3} {:>7.2} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {:>6.0} {:>9} {:>7}{}\n",
        cost.name,
        cost.verdict,
        cost.seconds,
        cost.cpu_seconds,
        clang_seconds,
        (cost.frontend_seconds - clang_seconds).max(0.0),
        cost.lower_seconds,
        cost.infer_seconds,
        cost.prove_seconds,
        cost.peak_mb,
        format!("{}/{}", cost.candidates_kept, cost.candidates_proposed),
        cost.queries,
        if cost.right { "" } else { "  not as expected" }
    )
}

fn summary(language: &'static str, lines: Vec<Line>) -> Summary {
    let seconds = || lines.iter().map(|line| line.cost.seconds);
    let without_clang = || lines.iter().map(|line| (line.cost.seconds - line.clang_seconds).max(0.0));
    let worst = lines.iter().max_by(|a, b| a.cost.seconds.total_cmp(&b.cost.seconds));
    Summary {
        language,
        kernels: lines.len(),
        right: lines.iter().filter(|line| line.cost.right).count(),
        median_seconds: at_percent(seconds(), 50),
        p95_seconds: at_percent(seconds(), 95),
        worst_seconds: at_percent(seconds(), 100),
        worst: worst.map_or(String::new(), |line| line.cost.name.clone()),
        total_seconds: seconds().sum(),
        total_cpu_seconds: lines.iter().map(|line| line.cost.cpu_seconds).sum(),
        median_clang_seconds: at_percent(lines.iter().map(|line| line.clang_seconds), 50),
        median_without_clang_seconds: at_percent(without_clang(), 50),
        total_without_clang_seconds: without_clang().sum(),
        peak_mb: lines.iter().map(|line| line.cost.peak_mb).fold(0.0, f64::max),
        lines,
    }
}
