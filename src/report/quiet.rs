//! The report of problems only, in the form of a compiler's messages. It has a line for each
//! finding and for each kernel without an answer.

use lockstep_findings::undecided;
use lockstep_verdict::{Finding, KernelReport, Undecided};

use super::{Colour, Document, Sources, reasons, text, underlined};

/// The problems; empty if there are none.
pub fn render(document: &Document<'_>, colour: Colour) -> String {
    let mut sources = Sources::of(document.reports);
    let wrong = document.reports.iter().filter(|report| !report.is_known());
    wrong.flat_map(|report| lines(report, &mut sources, colour)).map(|line| line + "\n").collect()
}

fn lines(report: &KernelReport, sources: &mut Sources, colour: Colour) -> Vec<String> {
    let verdict = text::verdict(report.verdict, colour);
    let findings = report.findings.iter().map(|finding| {
        let what = format!("{}: {}", finding.code, text::title(finding));
        format!("{}: {verdict} {}: {what}", place(report, finding, sources), report.name)
    });
    // The possible findings are already listed.
    let is_said = report.undecided() == Some(Undecided::Unconfirmed);
    let reason = reasons::of(report).filter(|_| !is_said).into_iter().map(|reason| {
        let first = reason.lines().next().unwrap_or_default();
        let code = undecided::code(report).map_or(String::new(), |code| format!("{code}: "));
        format!("{}:{}: {verdict} {}: {code}{first}", report.file, report.line, report.name)
    });
    findings.chain(reason).collect()
}

/// The place of the first access, or of the kernel if it has none.
fn place(report: &KernelReport, finding: &Finding, sources: &mut Sources) -> String {
    match finding.accesses.iter().find(|access| access.line > 0) {
        Some(access) => format!("{}:{}:{}", access.file, access.line, underlined::column(access, sources)),
        None => format!("{}:{}", report.file, report.line),
    }
}
