//! The table of a suite's results, as text and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::agreement::{Agreement, Observed};
use super::expectation::Expectation;
use crate::report;

/// One file.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its path below the folder.
    pub name: String,
    /// Whether it uses annotations.
    pub annotated: bool,
    /// Its expectation.
    pub expectation: Expectation,
    /// Its outcome.
    pub observed: Observed,
    /// The comparison of the two.
    pub agreement: Agreement,
    /// The outcome in words.
    pub reason: String,
    /// The reason why it is correct nevertheless.
    pub explanation: Option<String>,
    /// Seconds from reading the file to the last verdict.
    pub seconds: f64,
    /// Seconds of these in Clang.
    pub clang_seconds: f64,
}

/// The counts, the disagreements with their reasons, and the times.
pub fn text(rows: &[Row]) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "{:44} {:>7} {:>7} {:>10} {:>8} {:>10}",
        "", "files", "agree", "explained", "unknown", "disagree"
    );
    let mut line = |label: &str, rows: &[&Row]| {
        if rows.is_empty() {
            return;
        }
        let count = |agreement| rows.iter().filter(|row| row.agreement == agreement).count();
        let _ = writeln!(
            text,
            "{label:44} {:>7} {:>7} {:>10} {:>8} {:>10}",
            rows.len(),
            count(Agreement::Agrees),
            count(Agreement::Explained),
            count(Agreement::Unknown),
            count(Agreement::Disagrees),
        );
    };
    for (annotated, label) in [(false, "without annotations"), (true, "with annotations")] {
        let of_kind: Vec<&Row> = rows.iter().filter(|row| row.annotated == annotated).collect();
        line(label, &of_kind);
        for (expectation, label) in categories() {
            let chosen: Vec<&Row> = of_kind.iter().copied().filter(|row| expectation(&row.expectation)).collect();
            line(label, &chosen);
        }
    }
    let all: Vec<&Row> = rows.iter().collect();
    line("all", &all);
    for (agreement, title) in [
        (Agreement::Disagrees, "Disagreements"),
        (Agreement::Unknown, "Unknown"),
        (Agreement::Explained, "Right, though another verdict is expected"),
    ] {
        list(&mut text, rows, agreement, title);
    }
    let times = Times::of(rows);
    let _ = writeln!(
        text,
        "\nSeconds per file: median {:.2}, mean {:.2}, p95 {:.2}, max {:.2} ({}); Clang's share: median {:.2}",
        times.median, times.mean, times.p95, times.max, times.slowest, times.clang_median
    );
    text
}

type Category = (fn(&Expectation) -> bool, &'static str);

fn categories() -> [Category; 4] {
    [
        (|expectation| *expectation == Expectation::Pass, "  pass"),
        (|expectation| *expectation == Expectation::Fails, "  xfail:NOT_ALL_VERIFIED"),
        (|expectation| matches!(expectation, Expectation::Error(_)), "  xfail, other codes"),
        (|expectation| *expectation == Expectation::Unknown, "  unknown"),
    ]
}

fn list(text: &mut String, rows: &[Row], agreement: Agreement, title: &str) {
    let mut chosen = rows.iter().filter(|row| row.agreement == agreement).peekable();
    if chosen.peek().is_none() {
        return;
    }
    let _ = writeln!(text, "\n{title}:");
    for row in chosen {
        let mark = if row.annotated { " [annotated]" } else { "" };
        let reason = row.explanation.as_ref().unwrap_or(&row.reason);
        // The lines after the first are details, which the JSON table has.
        let reason = reason.lines().next().unwrap_or_default();
        let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        let (expected, observed) = (row.expectation.name(), row.observed.name());
        let _ = writeln!(text, "  {}{mark}: expects {expected}, is {observed}{reason}", row.name);
    }
}

/// The times of all files.
#[derive(Debug, Serialize)]
struct Times {
    median: f64,
    mean: f64,
    p95: f64,
    max: f64,
    slowest: String,
    clang_median: f64,
}

impl Times {
    fn of(rows: &[Row]) -> Self {
        let mut seconds: Vec<f64> = rows.iter().map(|row| row.seconds).collect();
        let mut clang: Vec<f64> = rows.iter().map(|row| row.clang_seconds).collect();
        seconds.sort_by(f64::total_cmp);
        clang.sort_by(f64::total_cmp);
        let slowest = rows.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let count = u32::try_from(seconds.len().max(1)).map_or(f64::MAX, f64::from);
        Self {
            median: at_percent(&seconds, 50),
            mean: seconds.iter().sum::<f64>() / count,
            p95: at_percent(&seconds, 95),
            max: at_percent(&seconds, 100),
            slowest: slowest.map_or(String::new(), |row| row.name.clone()),
            clang_median: at_percent(&clang, 50),
        }
    }
}

/// The smallest of the sorted values that at least `percent` % of them do not exceed; 0 if there
/// are none.
fn at_percent(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}

#[derive(Serialize)]
struct Table<'a> {
    schema: &'static str,
    files: usize,
    seconds: Times,
    rows: Vec<JsonRow<'a>>,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    file: &'a str,
    annotated: bool,
    expected: String,
    observed: &'static str,
    agreement: &'static str,
    reason: &'a str,
    explanation: Option<&'a str>,
    seconds: f64,
    clang_seconds: f64,
}

/// The table as a JSON document, `lockstep-suite/1`.
pub fn json(rows: &[Row]) -> anyhow::Result<String> {
    let table = Table {
        schema: "lockstep-suite/1",
        files: rows.len(),
        seconds: Times::of(rows),
        rows: rows
            .iter()
            .map(|row| JsonRow {
                file: &row.name,
                annotated: row.annotated,
                expected: row.expectation.name(),
                observed: row.observed.name(),
                agreement: row.agreement.name(),
                reason: &row.reason,
                explanation: row.explanation.as_deref(),
                seconds: row.seconds,
                clang_seconds: row.clang_seconds,
            })
            .collect(),
    };
    report::json::pretty(&table)
}

#[cfg(test)]
mod tests {
    #[test]
    fn percentiles_are_values_that_occur() {
        let sorted = [1.0, 2.0, 3.0, 4.0];
        let at = |percent| format!("{}", super::at_percent(&sorted, percent));
        assert_eq!([at(50), at(95), at(100)], ["2", "4", "4"]);
        assert_eq!(format!("{}", super::at_percent(&[], 50)), "0");
    }
}
