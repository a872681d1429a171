//! The report in SARIF 2.1.0, the format of code-scanning services.
//!
//! The document is one run. It has a rule for each kind of finding and of missing answer
//! ([`rules`]). It has a result for each finding and for each kernel without an answer
//! ([`results`]); a kernel without a result is verified. Choices that the standard leaves open suit
//! GitHub's code scanning; docs/sarif.md describes them. [`schema`] has the format's types, and
//! [`baseline`] reads a report back.

pub mod baseline;
mod places;
mod results;
mod rules;
mod schema;

use std::collections::BTreeMap;

use lockstep_findings::undecided;
use lockstep_verdict::{KernelReport, Verdict};

use super::{Comparison, Document, assumptions, json, reasons, text};
use places::{COLUMN_KIND, Places, ROOT};
use schema::{
    BaseId, Compared, Driver, Invocation, Kernel, Log, Notification, Outcome, RuleReference, Run, RunProperties,
    SCHEMA, Text, Tool, VERSION,
};

/// The name of the tool, by which results are filtered.
const TOOL: &str = "Lockstep";

/// The document.
pub fn render(document: &Document<'_>) -> anyhow::Result<String> {
    let mut places = Places::of(document.reports);
    let compared = document.comparison.is_some();
    let run = Run {
        tool: Tool { driver: driver(document.tool) },
        invocations: [invocation(document, &mut places)],
        original_uri_base_ids: BTreeMap::from([(ROOT, root())]),
        column_kind: COLUMN_KIND,
        results: all_results(document.reports, compared, &mut places),
        properties: RunProperties {
            kernels: document.reports.iter().map(|report| kernel(report, &places)).collect(),
            baseline: document.comparison.map(counts),
        },
    };
    json::pretty(&Log { schema: SCHEMA, version: VERSION, runs: [run] })
}

fn driver(tool: &super::Tool) -> Driver {
    Driver {
        name: TOOL,
        version: tool.version,
        semantic_version: tool.version,
        information_uri: Some(tool.repository).filter(|uri| !uri.is_empty()),
        rules: rules::rules(),
    }
}

fn root() -> BaseId {
    BaseId { description: Text { text: "The folder that lockstep was called in.".into() } }
}

/// The results of all kernels. If one of them is suppressed, each says whether it is.
fn all_results(reports: &[KernelReport], compared: bool, places: &mut Places) -> Vec<Outcome> {
    let mut all: Vec<Outcome> = reports.iter().flat_map(|report| results(report, compared, places)).collect();
    if all.iter().any(|result| result.suppressions.is_some()) {
        for result in &mut all {
            result.suppressions.get_or_insert_default();
        }
    }
    all
}

/// A kernel's results. Those in the baseline are kept and marked as such: a service would take a
/// missing result for a fixed one.
fn results(report: &KernelReport, compared: bool, places: &mut Places) -> Vec<Outcome> {
    let state = |known: bool| compared.then_some(if known { "unchanged" } else { "new" });
    let mut results = Vec::new();
    for (findings, known) in [(&report.findings, false), (&report.known.findings, true)] {
        for finding in findings {
            let result = results::of_finding(report, finding, places);
            results.push(Outcome { baseline_state: state(known), ..result });
        }
    }
    for allowed in &report.allowed {
        let suppressions = Some(vec![results::suppression(report, allowed, places)]);
        let result = results::of_finding(report, &allowed.finding, places);
        results.push(Outcome { baseline_state: state(false), suppressions, ..result });
    }
    let verdict = results::of_verdict(report, places);
    results.extend(verdict.map(|result| Outcome { baseline_state: state(report.known.verdict), ..result }));
    results
}

fn invocation(document: &Document<'_>, places: &mut Places) -> Invocation {
    let fault = document.reports.iter().any(|report| report.verdict == Verdict::Error);
    let plain = |level, text: &str| Notification {
        level,
        message: Text { text: text.trim_end().to_owned() },
        locations: Vec::new(),
        associated_rule: None,
    };
    let mut notifications: Vec<Notification> = document.errors.iter().map(|error| plain("error", error)).collect();
    notifications.extend(document.diagnostics.iter().map(|diagnostic| plain("warning", diagnostic)));
    notifications.extend(document.reports.iter().filter_map(|report| notification(report, places)));
    Invocation {
        execution_successful: document.errors.is_empty() && !fault,
        tool_execution_notifications: notifications,
    }
}

/// A notification that a kernel could not be analysed, which is more than a missing answer.
fn notification(report: &KernelReport, places: &mut Places) -> Option<Notification> {
    let code = undecided::code(report)?;
    let level = match code {
        undecided::fault::CODE => "error",
        undecided::unsupported::CODE => "warning",
        _ => return None,
    };
    let reason = reasons::of(report).unwrap_or_else(|| "no reason is known".to_owned());
    Some(Notification {
        level,
        message: Text { text: format!("kernel {} was not analysed: {reason}", report.name) },
        locations: vec![results::of_report(report, places)],
        associated_rule: Some(RuleReference { id: code, index: rules::index(code) }),
    })
}

fn kernel(report: &KernelReport, places: &Places) -> Kernel {
    Kernel {
        name: report.name.clone(),
        uri: places.artifact(&report.file).uri,
        line: report.line,
        verdict: report.verdict.name(),
        requires: report.requires.clone(),
        launch: (!report.block.is_empty()).then(|| text::launch(report)),
        assumptions: assumptions::of(report),
    }
}

fn counts(comparison: &Comparison) -> Compared {
    Compared { unchanged: comparison.findings + comparison.unknown, gone: comparison.gone }
}
