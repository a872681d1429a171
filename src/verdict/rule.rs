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
//! A finding is confirmed when a run of the kernel shows it (`src/replay/`). A possible finding is
//! a counterexample of the two-thread abstraction. It rests on a value, an order or a thread that
//! no run has shown, and may be false. It cannot leave a kernel `verified` either, because its
//! obligation has no proof.

use lockstep_ir::source::Place;

use super::reason::Reason;
use super::{Finding, KernelReport, Verdict};

/// The maximum number of possible findings that a reason names.
const NAMED: usize = 3;

/// The effect of findings that no run has confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Possible {
    /// They are warnings, and the kernel is unknown.
    Warns,
    /// They are defects (`--strict`).
    Counts,
}

/// Settles the verdict on a kernel whose findings are in the report. `unproved` has the reasons for
/// missing proofs besides those that the findings are about.
pub fn settle(report: &mut KernelReport, unproved: Vec<Reason>, possible: Possible) {
    for finding in &mut report.findings {
        finding.is_warning = !finding.confirmed && possible == Possible::Warns;
    }
    let warnings: Vec<&Finding> = report.findings.iter().filter(|finding| finding.is_warning).collect();
    let (verdict, reasons) = if warnings.len() < report.findings.len() {
        (Verdict::Defect, Vec::new())
    } else if !warnings.is_empty() {
        (Verdict::Unknown, named(&warnings).into_iter().chain(unproved).collect())
    } else if unproved.is_empty() {
        (Verdict::Verified, Vec::new())
    } else {
        (Verdict::Unknown, unproved)
    };
    report.verdict = verdict;
    report.reasons = reasons;
}

/// The reasons for an unknown verdict that possible findings give.
fn named(findings: &[&Finding]) -> Vec<Reason> {
    let reason = |finding: &&Finding| {
        let mut places: Vec<Place> = Vec::new();
        for access in finding.accesses.iter().filter(|access| access.line > 0) {
            let place = Place { file: access.file.clone(), line: access.line };
            if !places.contains(&place) {
                places.push(place);
            }
        }
        Reason::Possible { kind: finding.kind.to_owned(), array: finding.array.clone(), places }
    };
    let mut reasons: Vec<Reason> = Vec::new();
    for possible in findings.iter().map(reason) {
        if !reasons.contains(&possible) {
            reasons.push(possible);
        }
    }
    if reasons.len() > NAMED {
        let more = reasons.len() - NAMED;
        reasons.truncate(NAMED);
        reasons.push(Reason::MorePossible(more));
    }
    reasons
}
