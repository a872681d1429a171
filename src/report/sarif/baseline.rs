//! Baselines (`--baseline`): an earlier report in SARIF, whose findings are known and not reported
//! again.
//!
//! Findings are compared by fingerprint. Results that the earlier run had left out itself
//! (`absent`) do not belong to the baseline. Results that it took from a baseline of its own
//! (`unchanged`) do, so that each run's report can be the next one's baseline.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use lockstep_findings::undecided;
use lockstep_system::bounded;
use lockstep_verdict::{KernelReport, Known, Verdict};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::TOOL;
use super::schema::VERSION;

/// The fingerprint's name in a result. A change to the contents of a fingerprint must change the
/// number.
pub const FINGERPRINT: &str = "lockstepFinding/v1";

/// An earlier report.
#[derive(Clone, Debug)]
pub struct Baseline {
    file: String,
    fingerprints: BTreeSet<String>,
}

/// The comparison of a run with its baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The baseline.
    pub file: String,
    /// The number of findings in both.
    pub findings: usize,
    /// The number of kernels without an answer in both.
    pub unknown: usize,
    /// The number of baseline results that were not found again: they were fixed, or not looked
    /// for.
    pub gone: usize,
}

/// The reason why a file is not a baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The file is missing or cannot be read.
    #[error("cannot read the baseline {}: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
    /// The file is not a report of Lockstep in SARIF.
    #[error("{} is no baseline: {cause}; `--format sarif -o FILE` writes one", path.display())]
    NoSarif {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: String,
    },
}

impl Baseline {
    /// Reads a file that `--format sarif` wrote.
    pub fn read(path: &Path) -> Result<Self, BaselineError> {
        let bytes = bounded::read(path).map_err(|cause| BaselineError::Unreadable { path: path.to_owned(), cause })?;
        let fingerprints =
            fingerprints(&bytes).map_err(|cause| BaselineError::NoSarif { path: path.to_owned(), cause })?;
        Ok(Self { file: path.display().to_string(), fingerprints })
    }

    /// Sets aside the results that are in the baseline. The reports must have their fingerprints.
    pub fn set_aside(self, reports: &mut [KernelReport]) -> Comparison {
        let Self { file, mut fingerprints } = self;
        let mut comparison = Comparison { file, findings: 0, unknown: 0, gone: 0 };
        for report in reports {
            let findings = std::mem::take(&mut report.findings);
            let (known, new) = findings.into_iter().partition(|finding| fingerprints.remove(&finding.fingerprint));
            report.findings = new;
            let verdict = report.verdict == Verdict::Unknown && fingerprints.remove(&report.fingerprint);
            report.known = Known { findings: known, verdict };
            comparison.findings += report.known.findings.len();
            comparison.unknown += usize::from(verdict);
        }
        comparison.gone = fingerprints.len();
        comparison
    }
}

/// The parts of a file that are read. The rest may be anything.
#[derive(Deserialize)]
struct Log {
    version: String,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    tool: Tool,
    // The standard has null for a run that did not begin.
    results: Option<Vec<Outcome>>,
}

#[derive(Deserialize)]
struct Tool {
    driver: Driver,
}

#[derive(Deserialize)]
struct Driver {
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    #[serde(default)]
    rule_id: String,
    #[serde(default)]
    partial_fingerprints: BTreeMap<String, String>,
    baseline_state: Option<String>,
    suppressions: Option<Vec<IgnoredAny>>,
}

/// The fingerprints in a file, or the reason why it is not a report of Lockstep.
fn fingerprints(bytes: &[u8]) -> Result<BTreeSet<String>, String> {
    let log: Log = serde_json::from_slice(bytes).map_err(|cause| format!("it is not SARIF ({cause})"))?;
    if log.version != VERSION {
        return Err(format!("it is of version {} of SARIF, not {VERSION}", log.version));
    }
    // A file may contain the merged runs of several tools.
    let mut ours = log.runs.into_iter().filter(|run| run.tool.driver.name == TOOL).peekable();
    if ours.peek().is_none() {
        return Err("it has no run of Lockstep".to_owned());
    }
    let results = ours.flat_map(|run| run.results.unwrap_or_default());
    // A fault in Lockstep always counts as new.
    let counts = |result: &Outcome| {
        // A comment allowed it, and without the comment it counts.
        let is_allowed = result.suppressions.as_ref().is_some_and(|all| !all.is_empty());
        result.baseline_state.as_deref() != Some("absent") && result.rule_id != undecided::fault::CODE && !is_allowed
    };
    let present = results.filter(counts);
    present.map(|mut result| result.partial_fingerprints.remove(FINGERPRINT)).collect::<Option<_>>().ok_or_else(|| {
        format!("a result in it has no fingerprint {FINGERPRINT}, as another version of Lockstep writes")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, because: &str) {
        let error = fingerprints(text.as_bytes()).expect_err("no baseline");
        assert!(error.contains(because), "{error}");
    }

    fn run(tool: &str, results: &str) -> String {
        format!(r#"{{ "tool": {{ "driver": {{ "name": "{tool}" }} }}, "results": {results} }}"#)
    }

    fn log(runs: &[String]) -> String {
        format!(r#"{{ "version": "2.1.0", "runs": [{}] }}"#, runs.join(","))
    }

    fn result(fingerprint: &str, state: &str) -> String {
        format!(r#"{{ "partialFingerprints": {{ "{FINGERPRINT}": "{fingerprint}" }}, "baselineState": "{state}" }}"#)
    }

    #[test]
    fn logs_of_others_are_refused() {
        refused("no JSON", "not SARIF");
        refused(r#"{ "schema": "lockstep-report/1", "kernels": [] }"#, "not SARIF");
        refused(r#"{ "version": "2.2.0", "runs": [] }"#, "version 2.2.0");
        refused(&log(&[]), "no run of Lockstep");
        refused(&log(&[run("Other", "[]")]), "no run of Lockstep");
        refused(&log(&[run(TOOL, r#"[{ "ruleId": "LS0101" }]"#)]), "no fingerprint");
    }

    #[test]
    fn the_fingerprints_of_our_runs_count() {
        let ours =
            run(TOOL, &format!("[{}, {}, {}]", result("a", "new"), result("b", "unchanged"), result("c", "absent")));
        let read = fingerprints(log(&[run("Other", "null"), ours, run(TOOL, "null")]).as_bytes()).expect("a baseline");
        assert_eq!(read.iter().map(String::as_str).collect::<Vec<_>>(), ["a", "b"]);
    }
}
