//! The rule that makes a verdict out of findings and missing proofs.
//!
//! | findings | unproved | verdict |
//! |---|---|---|
//! | at least one confirmed | anything | `defect` |
//! | only possible ones, `--strict` | anything | `defect` |
//! | only possible ones | anything | `unknown`, and the reason names them |
//! | none | something | `unknown` |
//! | none | nothing | `verified` |
//!
//! A finding is confirmed when a run of the kernel has it (`src/replay/`). A possible one is a counterexample of the
//! two-thread abstraction: it rests on a value, an order or a thread that no run has shown, and may be false. It never
//! makes a kernel `verified` either, as the obligation that it is about has no proof.

use super::{Finding, KernelReport, Undecided, Verdict};

/// The most possible findings that a reason names.
const NAMED: usize = 3;

/// Whether findings that no run has confirmed make a kernel a defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Possible {
    /// They are warnings of a kernel that is unknown.
    Warns,
    /// They are defects (`--strict`).
    Counts,
}

/// Settles the verdict on a kernel whose findings are in the report. `unproved` has a line for each thing that has no
/// proof apart from what the findings are about, and `cause` is the greatest of their causes.
pub fn settle(report: &mut KernelReport, mut unproved: Vec<String>, cause: Undecided, possible: Possible) {
    for finding in &mut report.findings {
        finding.is_warning = !finding.confirmed && possible == Possible::Warns;
    }
    let warnings: Vec<&Finding> = report.findings.iter().filter(|finding| finding.is_warning).collect();
    let (verdict, cause) = if warnings.len() < report.findings.len() {
        (Verdict::Defect, None)
    } else if !warnings.is_empty() {
        unproved = named(&warnings).into_iter().chain(unproved).collect();
        (Verdict::Unknown, Some(Undecided::Unconfirmed))
    } else if unproved.is_empty() {
        (Verdict::Verified, None)
    } else {
        (Verdict::Unknown, Some(cause))
    };
    report.verdict = verdict;
    report.undecided = cause;
    report.reason = (verdict == Verdict::Unknown).then(|| unproved.join("\n"));
}

/// The reason that possible findings are: `a possible race on a (k.cl:5, k.cl:7) is neither confirmed by a run nor excluded by a
/// proof`.
fn named(findings: &[&Finding]) -> Vec<String> {
    let name = |finding: &&Finding| {
        let mut places: Vec<String> = Vec::new();
        for access in finding.accesses.iter().filter(|access| access.line > 0) {
            let place = format!("{}:{}", access.file, access.line);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let places = if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) };
        let array = finding.array.as_ref().map_or(String::new(), |array| format!(" on `{array}`"));
        let kind = finding.kind.replace('-', " ");
        format!("a possible {kind}{array}{places} is neither confirmed by a run nor excluded by a proof")
    };
    let mut lines: Vec<String> = Vec::new();
    for line in findings.iter().map(name) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if lines.len() > NAMED {
        let more = lines.len() - NAMED;
        lines.truncate(NAMED);
        lines.push(format!("{more} more possible findings are neither confirmed nor excluded"));
    }
    lines
}
