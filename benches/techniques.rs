//! The benefit of each technique: the kernels again, with one technique disabled in turn.
//!
//! Each row is a run over all kernels that are decided with everything enabled: how many are still
//! decided, how long it takes, and which are lost. Engines, searches and abstractions are disabled
//! by `--without`, candidates by `--omit-infer`. A kernel may take [`TIMEOUT`] seconds. Kernels
//! without a verdict by then even with everything enabled are left out. Kernels run side by side on
//! all cores, so only rows of one table are comparable with each other, and seconds are processor
//! time.
//!
//! Disabling a technique must never make a defect go unnoticed *and* the kernel verified: that ends
//! the benchmark.
//!
//! `cargo bench --bench techniques -- NAME` takes kernels whose name contains NAME, and
//! `--timeout=SECONDS`. The table goes to stdout and, with every number, to
//! `target/bench-techniques.json`.

mod shared;

use lockstep::report;
use lockstep::techniques::Technique;
use lockstep_invariants::families::FAMILIES;
use rayon::prelude::*;
use serde::Serialize;
use shared::{Case, Cost, Words};

/// The default time limit of a kernel, in seconds.
const TIMEOUT: f64 = 5.0;

/// Families of candidates that serve one purpose together.
const GROUPS: [(&str, &[&str]); 1] = [("bounds and counters", &["bounds", "counter"])];

/// A row of the table.
#[derive(Serialize)]
struct Row {
    /// The disabled technique.
    without: String,
    options: Vec<String>,
    decided: usize,
    seconds: f64,
    /// The seconds with everything enabled, for the kernels that are decided in this row.
    seconds_with: f64,
    queries: u64,
    lost: Vec<String>,
    costs: Vec<Cost>,
}

#[derive(Serialize)]
struct Table {
    schema: &'static str,
    timeout_seconds: f64,
    cores: usize,
    kernels: usize,
    rows: Vec<Row>,
}

fn main() {
    let words = Words::read();
    let timeout = words.number("timeout", TIMEOUT);
    let everything = shared::cases(&words, &["cl"]);
    let decided_ones = measure(&everything, &[], timeout);
    let (cases, with): (Vec<Case>, Vec<Cost>) =
        everything.into_iter().zip(decided_ones).filter(|(_, cost)| cost.right).unzip();
    if cases.is_empty() {
        report::say("no kernel of such a name is decided");
        return;
    }
    report::show(&format!(
        "{} kernels are decided within {timeout} s each with everything on: {:.1} s, {} queries\n\n",
        cases.len(),
        with.iter().map(|cost| cost.cpu_seconds).sum::<f64>(),
        with.iter().map(|cost| cost.queries).sum::<u64>()
    ))
    .expect("the standard output can be written to");
    report::show(&format!(
        "{:24} {:>8} {:>9} {:>7} {:>8}  lost\n",
        "without", "decided", "seconds", "times", "queries"
    ))
    .expect("the standard output can be written to");
    let mut rows = Vec::new();
    for (name, options) in all_rows() {
        let row = row(name, options, &cases, &with, timeout);
        report::show(&text(&row)).expect("the standard output can be written to");
        rows.push(row);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let table = Table { schema: "lockstep-techniques/1", timeout_seconds: timeout, cores, kernels: cases.len(), rows };
    shared::write_json("bench-techniques.json", &table);
}

/// The techniques to disable in turn, with their flags.
fn all_rows() -> Vec<(String, Vec<String>)> {
    let mut rows = vec![("nothing".to_owned(), Vec::new())];
    for &technique in Technique::ALL {
        rows.push((technique.name().to_owned(), vec![format!("--without={}", technique.name())]));
    }
    rows.push(("all of shared memory".to_owned(), vec!["--adversarial-abstraction".to_owned()]));
    for (name, families) in GROUPS {
        let options = families.iter().map(|family| format!("--omit-infer={family}")).collect();
        rows.push((name.to_owned(), options));
    }
    let grouped = |name: &str| GROUPS.iter().any(|(_, families)| families.contains(&name));
    for family in FAMILIES.iter().filter(|family| !grouped(family.name)) {
        rows.push((format!("family {}", family.name), vec![format!("--omit-infer={}", family.name)]));
    }
    rows.push(("all candidates".to_owned(), vec!["--no-infer".to_owned()]));
    rows
}

fn measure(cases: &[Case], options: &[String], timeout: f64) -> Vec<Cost> {
    let more: Vec<String> = options.iter().cloned().chain(["-j1".to_owned(), format!("--timeout={timeout}")]).collect();
    cases.par_iter().map(|case| shared::run(case, &more)).collect()
}

fn row(without: String, options: Vec<String>, cases: &[Case], with: &[Cost], timeout: f64) -> Row {
    let costs = measure(cases, &options, timeout);
    for (case, cost) in cases.iter().zip(&costs) {
        assert!(
            !case.defective || cost.verdict != "verified",
            "without {without}: {} is verified, a defect",
            case.name
        );
        assert!(
            case.defective || cost.verdict != "defect",
            "without {without}: {} has a defect, it has none",
            case.name
        );
    }
    let decided = || costs.iter().zip(with).filter(|(cost, _)| cost.right);
    Row {
        decided: decided().count(),
        seconds: decided().map(|(cost, _)| cost.cpu_seconds).sum(),
        seconds_with: decided().map(|(_, with)| with.cpu_seconds).sum(),
        queries: decided().map(|(cost, _)| cost.queries).sum(),
        lost: costs.iter().filter(|cost| !cost.right).map(|cost| cost.name.clone()).collect(),
        without,
        options,
        costs,
    }
}

fn text(row: &Row) -> String {
    format!(
        "{:24} {:>8} {:>9.2} {:>7.2} {:>8}  {}\n",
        row.without,
        row.decided,
        row.seconds,
        row.seconds / row.seconds_with.max(f64::EPSILON),
        row.queries,
        shown(&row.lost)
    )
}

/// The most lost kernels that are named.
const NAMED: usize = 6;

fn shown(lost: &[String]) -> String {
    let mut names: Vec<String> = lost.iter().take(NAMED).cloned().collect();
    if lost.len() > NAMED {
        names.push(format!("and {} more", lost.len() - NAMED));
    }
    names.join("; ")
}
