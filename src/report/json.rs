//! The JSON report, `lockstep-report/1`. It has types of its own: the schema outlives the internal
//! types.

use std::collections::BTreeMap;

use lockstep_ir::source::{LeftOut, LeftOutPart};
use lockstep_verdict::fix::Fix;
use lockstep_verdict::lack::Lack;
use lockstep_verdict::locks::Locks;
use lockstep_verdict::{AccessShown, Allowed, Finding, KernelReport, Rechecked};
use serde::Serialize;

use super::{Comparison, Document, Sources, assumptions, hinges, quoted, reasons, underlined};

/// The document.
pub fn render(document: &Document<'_>) -> anyhow::Result<String> {
    let mut sources = Sources::of(document.reports);
    let report = Report {
        schema: "lockstep-report/1",
        tool: ToolShown {
            name: "lockstep",
            version: document.tool.version,
            z3: &document.tool.z3,
            llvm: &document.tool.llvm,
        },
        errors: document.errors,
        left_out: document.left_out.iter().map(left_out).collect(),
        baseline: document.comparison.map(baseline),
        kernels: kernels(document, &mut sources),
    };
    pretty(&report)
}

/// A document as indented JSON, with a line feed at the end.
pub fn pretty(of: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(of)? + "\n")
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    tool: ToolShown<'a>,
    errors: &'a [&'a str],
    /// Host code that was left out because it does not compile.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOutShown<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<Baseline<'a>>,
    kernels: Vec<Kernel<'a>>,
}

#[derive(Serialize)]
struct LeftOutShown<'a> {
    /// `header`, `statements`, `body` or `declaration`.
    part: LeftOutPart,
    name: &'a str,
    file: &'a str,
    line: u32,
    /// The number of statements.
    number: usize,
    /// The compiler's first message about it.
    error: &'a str,
}

fn left_out(left: &LeftOut) -> LeftOutShown<'_> {
    let LeftOut { part, place, name, number, error } = left;
    LeftOutShown { part: *part, name, file: &place.file, line: place.line, number: *number, error }
}

/// The comparison of the run with the one of `--baseline`.
#[derive(Serialize)]
struct Baseline<'a> {
    file: &'a str,
    /// Findings of the baseline that are left out.
    findings: usize,
    /// Kernels that are unknown in both.
    unknown: usize,
    /// Findings of the baseline that were not found again.
    gone: usize,
}

#[derive(Serialize)]
struct ToolShown<'a> {
    name: &'static str,
    version: &'static str,
    z3: &'a str,
    llvm: &'a str,
}

#[derive(Serialize)]
struct Kernel<'a> {
    name: &'a str,
    file: &'a str,
    line: u32,
    launch: Launch<'a>,
    /// The configuration that changed the settings of the kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<&'a str>,
    verdict: &'static str,
    reason: Option<String>,
    /// The launch that the program makes without options, if it was decided by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_default: Option<JsonByDefault<'a>>,
    /// The conditions under which a conditional kernel is verified.
    requires: &'a [String],
    findings: Vec<JsonFinding<'a>>,
    /// Lines of the source under which a defective kernel is verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'a Fix>,
    /// Findings that comments of the source allow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    allowed: Vec<JsonAllowed<'a>>,
    /// The number of findings left out because the baseline has them; also 1 for a kernel that is
    /// unknown in both.
    #[serde(skip_serializing_if = "is_zero")]
    in_baseline: usize,
    assumptions: Vec<String>,
    /// The early end of the program's own run, which would have tried assumptions.
    #[serde(skip_serializing_if = "Option::is_none")]
    unfinished_run: Option<JsonUnfinishedRun<'a>>,
    statistics: JsonStatistics<'a>,
}

/// The launch that a program makes without options.
#[derive(Serialize)]
struct JsonByDefault<'a> {
    verdict: &'static str,
    block: &'a [u32],
    grid: &'a [u32],
    arguments: BTreeMap<&'a str, &'a str>,
}

/// A run of a program that does not come to its end.
#[derive(Serialize)]
struct JsonUnfinishedRun<'a> {
    at: Option<Place<'a>>,
    reason: &'a str,
}

/// Sizes per dimension; `null` is open.
#[derive(Serialize)]
struct Launch<'a> {
    block: &'a [Option<u32>],
    grid: &'a [Option<u32>],
    /// The bytes of dynamic shared memory, if they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    shared_bytes: Option<u64>,
    /// The places where the source launches the kernel with these sizes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    at: Vec<Place<'a>>,
    /// The places where the source lets the kernel's address escape, if this launch of any size
    /// stands for the launches through that address.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    escapes: Vec<Place<'a>>,
    /// The recordings of this launch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    recorded: Vec<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: u32,
}

/// A finding that a comment of the source allows.
#[derive(Serialize)]
struct JsonAllowed<'a> {
    #[serde(flatten)]
    finding: JsonFinding<'a>,
    /// The reason that the comment gives.
    justification: &'a str,
    /// The place of the comment.
    allowed_at: Place<'a>,
}

#[derive(Serialize)]
struct JsonFinding<'a> {
    code: &'static str,
    kind: &'static str,
    subkind: Option<&'a str>,
    scope: Option<&'static str>,
    confirmed: bool,
    because: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<&'a [String]>,
    /// The command that runs it again, for a shell.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    array: Option<&'a str>,
    offset_bytes: Option<u64>,
    accesses: Vec<Access<'a>>,
    /// The properties of synchronising operations that would order the accesses of a race.
    #[serde(skip_serializing_if = "<[Lack]>::is_empty")]
    lacks: &'a [Lack],
    /// The locks around the accesses of a race.
    #[serde(skip_serializing_if = "Option::is_none")]
    locks: Option<&'a Locks>,
    parameters: BTreeMap<&'a str, &'a str>,
    /// Further findings that have the same cause.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<JsonFinding<'a>>,
}

#[derive(Serialize)]
#[allow(clippy::struct_field_names, reason = "the schema names them")]
struct Access<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    access: &'a str,
    block: &'a [u64],
    thread: &'a [u64],
    loops: Vec<Iteration<'a>>,
    stack: Vec<Frame<'a>>,
}

#[derive(Serialize)]
#[allow(clippy::struct_field_names, reason = "the schema names them")]
struct Iteration<'a> {
    file: &'a str,
    line: u32,
    iteration: u64,
}

#[derive(Serialize)]
struct Frame<'a> {
    function: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct JsonStatistics<'a> {
    seconds: Seconds,
    candidates: Candidates,
    obligations: usize,
    queries: usize,
    peak_rss_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    recheck: Option<Recheck<'a>>,
}

/// The result of a second solver for the proof.
#[derive(Serialize)]
struct Recheck<'a> {
    solver: &'a str,
    unsat: usize,
    undecided: usize,
    failed: usize,
    /// Claims that the solver was not asked about.
    by_construction: usize,
    limit_seconds: f64,
    seconds: f64,
}

/// Seconds per stage. They are sums over the programs of a kernel, which are decided side by side;
/// `wall` is the elapsed time.
#[derive(Serialize)]
struct Seconds {
    wall: f64,
    frontend: f64,
    lower: f64,
    infer: f64,
    prove: f64,
}

#[derive(Serialize)]
struct Candidates {
    proposed: usize,
    kept: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn baseline(comparison: &Comparison) -> Baseline<'_> {
    let Comparison { file, findings, unknown, gone, .. } = comparison;
    Baseline { file, findings: *findings, unknown: *unknown, gone: *gone }
}

fn kernels<'a>(document: &Document<'a>, sources: &mut Sources) -> Vec<Kernel<'a>> {
    let all = document.reports.iter().enumerate().map(|(index, report)| {
        let configuration = document.configurations.get(index).and_then(Option::as_deref);
        Kernel { configuration, ..kernel(report, sources) }
    });
    all.collect()
}

fn kernel<'a>(report: &'a KernelReport, sources: &mut Sources) -> Kernel<'a> {
    Kernel {
        configuration: None,
        name: &report.name,
        file: &report.file,
        line: report.line,
        launch: Launch {
            block: &report.block,
            grid: &report.grid,
            shared_bytes: report.shared_bytes,
            at: places(&report.launched_at),
            escapes: places(&report.escapes_at),
            recorded: places(&report.recorded_at),
        },
        verdict: report.verdict.name(),
        reason: reasons::of(report),
        by_default: report.by_default.as_ref().map(|launch| JsonByDefault {
            verdict: launch.verdict.name(),
            block: &launch.block,
            grid: &launch.grid,
            arguments: launch.arguments.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        }),
        requires: &report.requires,
        findings: report.findings.iter().map(|found| finding(found, sources)).collect(),
        fix: report.fix.as_ref(),
        allowed: report.allowed.iter().map(|found| allowed(found, sources)).collect(),
        in_baseline: report.known.findings.len() + usize::from(report.known.verdict),
        assumptions: assumptions::of(report),
        unfinished_run: report.unfinished_run.as_ref().map(|run| JsonUnfinishedRun {
            at: run.place.as_ref().map(|place| Place { file: &place.file, line: place.line }),
            reason: &run.reason,
        }),
        statistics: statistics(report),
    }
}

fn places(places: &[(String, u32)]) -> Vec<Place<'_>> {
    places.iter().map(|(file, line)| Place { file, line: *line }).collect()
}

fn allowed<'a>(allowed: &'a Allowed, sources: &mut Sources) -> JsonAllowed<'a> {
    let allowed_at = Place { file: &allowed.file, line: allowed.line };
    JsonAllowed { finding: finding(&allowed.finding, sources), justification: &allowed.reason, allowed_at }
}

/// One finding, outside of a document.
pub fn finding_alone(found: &Finding, sources: &mut Sources) -> serde_json::Value {
    serde_json::to_value(finding(found, sources)).unwrap_or_default()
}

fn finding<'a>(finding: &'a Finding, sources: &mut Sources) -> JsonFinding<'a> {
    JsonFinding {
        code: finding.code,
        kind: finding.kind,
        subkind: finding.subkind.as_deref(),
        scope: finding.scope,
        confirmed: finding.confirmed,
        because: hinges::of_possible(finding),
        witness: finding.witness.as_ref().map(|witness| witness.words.as_slice()),
        command: command(finding),
        array: finding.array.as_deref(),
        offset_bytes: finding.offset_bytes,
        accesses: finding.accesses.iter().map(|shown| access(shown, sources)).collect(),
        lacks: &finding.lacks,
        locks: finding.locks.as_deref(),
        parameters: finding.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        also: finding.also.iter().map(|other| self::finding(other, sources)).collect(),
    }
}

fn command(finding: &Finding) -> Option<String> {
    let words = finding.witness.as_ref().map(|witness| &witness.command).filter(|words| !words.is_empty())?;
    Some(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "))
}

fn access<'a>(access: &'a AccessShown, sources: &mut Sources) -> Access<'a> {
    Access {
        file: &access.file,
        line: access.line,
        column: underlined::column(access, sources),
        access: access.act.name(),
        block: &access.block,
        thread: &access.thread,
        loops: access
            .loops
            .iter()
            .map(|iteration| Iteration { file: &iteration.file, line: iteration.line, iteration: iteration.iteration })
            .collect(),
        stack: access
            .stack
            .iter()
            .map(|frame| Frame { function: &frame.function, file: &frame.file, line: frame.line, column: frame.column })
            .collect(),
    }
}

fn recheck(rechecked: &Rechecked) -> Recheck<'_> {
    let &Rechecked {
        ref solver,
        limit_seconds,
        unsatisfiable,
        undecided,
        failed,
        failure: _,
        by_construction,
        seconds,
    } = rechecked;
    Recheck { solver, unsat: unsatisfiable, undecided, failed, by_construction, limit_seconds, seconds }
}

fn statistics(report: &KernelReport) -> JsonStatistics<'_> {
    let statistics = &report.statistics;
    JsonStatistics {
        seconds: Seconds {
            wall: statistics.wall_seconds,
            frontend: statistics.frontend_seconds,
            lower: statistics.lower_seconds,
            infer: statistics.infer_seconds,
            prove: statistics.prove_seconds,
        },
        candidates: Candidates { proposed: statistics.candidates_proposed, kept: statistics.candidates_kept },
        obligations: statistics.obligations,
        queries: statistics.queries,
        peak_rss_bytes: statistics.peak_rss_bytes,
        recheck: report.rechecked.as_ref().map(recheck),
    }
}
