//! Results for findings and for kernels without an answer.

use std::collections::BTreeMap;

use lockstep_findings::manual::capitalised;
use lockstep_findings::undecided;
use lockstep_verdict::fix::Fix;
use lockstep_verdict::{AccessShown, Allowed, Finding, KernelReport};

use super::baseline::FINGERPRINT;
use super::places::Places;
use super::rules;
use super::schema::{
    ArtifactChange, CodeFlow, FixShown, Location, LogicalLocation, Outcome, Properties, Region, Replacement, Step,
    Suppression, Text, ThreadFlow,
};
use crate::{hinges, reasons, text};

/// The result for a finding. It is at the first access; both accesses are related locations, which
/// the message links to by number.
pub fn of_finding(report: &KernelReport, finding: &Finding, places: &mut Places) -> Outcome {
    let at = match finding.accesses.first().map(|access| position(report, access)) {
        Some((file, line, column)) => location(report, file, line, column, places),
        None => location(report, &report.file, report.line, 0, places),
    };
    let related = finding.accesses.iter().enumerate().map(|(index, access)| Location {
        id: Some(index + 1),
        message: Some(Text { text: text::deed(access) }),
        ..access_location(report, access, places)
    });
    let related_locations = related.collect();
    Outcome {
        rule_id: finding.code,
        rule_index: rules::index(finding.code),
        level: if finding.is_warning { "warning" } else { rules::level(finding.code) },
        message: Text { text: message(report, finding) },
        locations: [at],
        related_locations,
        code_flows: code_flows(report, finding, places),
        fixes: report.fix.iter().map(|fix| shown_fix(report, fix, places)).collect(),
        partial_fingerprints: fingerprints(&finding.fingerprint),
        baseline_state: None,
        suppressions: None,
        properties: properties(report, finding),
    }
}

/// The result for a kernel without an answer; `None` if it has one. The result is at the
/// unsupported construct, or else at the kernel.
pub fn of_verdict(report: &KernelReport, places: &mut Places) -> Option<Outcome> {
    let code = undecided::code(report)?;
    let reason = reasons::of(report).unwrap_or_else(|| "no reason is known".to_owned()).replace('\n', "; ");
    let text = sentence(&format!("Kernel {} is not verified: {}", report.name, unlinked(&reason)));
    Some(Outcome {
        rule_id: code,
        rule_index: rules::index(code),
        level: rules::level(code),
        message: Text { text },
        locations: [of_report(report, places)],
        related_locations: Vec::new(),
        code_flows: Vec::new(),
        fixes: Vec::new(),
        partial_fingerprints: fingerprints(&report.fingerprint),
        baseline_state: None,
        suppressions: None,
        properties: Properties {
            kernel: report.name.clone(),
            subkind: None,
            scope: None,
            array: None,
            confirmed: None,
            because: None,
            parameters: BTreeMap::new(),
        },
    })
}

/// The comment of the source that allows a finding.
pub fn suppression(report: &KernelReport, allowed: &Allowed, places: &mut Places) -> Suppression {
    let location = location(report, &allowed.file, allowed.line, 0, places);
    Suppression { kind: "inSource", justification: allowed.reason.clone(), location }
}

/// The place of a kernel without an answer.
pub fn of_report(report: &KernelReport, places: &mut Places) -> Location {
    let (file, line) = match report.refused_at() {
        Some(refused) => (&refused.file, refused.line),
        None => (&report.file, report.line),
    };
    location(report, file, line, 0, places)
}

fn fingerprints(fingerprint: &str) -> BTreeMap<&'static str, String> {
    BTreeMap::from([(FINGERPRINT, fingerprint.to_owned())])
}

fn properties(report: &KernelReport, finding: &Finding) -> Properties {
    Properties {
        kernel: report.name.clone(),
        subkind: finding.subkind.clone(),
        scope: finding.scope,
        array: finding.array.clone(),
        confirmed: Some(finding.confirmed),
        because: hinges::of_possible(finding),
        parameters: finding.parameters.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
    }
}

/// The message. Its first sentence names the problem, and services show that sentence by itself.
/// The threads and the notes follow.
fn message(report: &KernelReport, finding: &Finding) -> String {
    let title = capitalised(&text::title(finding));
    let mut sentences = vec![sentence(&format!("{title}, in kernel {}", unlinked(&report.name)))];
    for (index, access) in finding.accesses.iter().enumerate() {
        let (who, verb) = (capitalised(&text::who(access)), escaped(text::verb(access)));
        let circumstances = unlinked(&text::circumstances(access));
        sentences.push(sentence(&format!("{who} [{verb}]({}){circumstances}", index + 1)));
    }
    sentences.extend(text::notes(finding).iter().map(|note| sentence(&capitalised(&unlinked(note)))));
    sentences.join(" ")
}

fn sentence(text: &str) -> String {
    if text.ends_with('.') { text.to_owned() } else { format!("{text}.") }
}

/// The text of a link. The standard requires that these characters are escaped there, and nowhere
/// else.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

/// Text with everything escaped that could be read as a link.
fn unlinked(text: &str) -> String {
    text.replace("](", "] (")
}

/// The lines that mend a kernel, by file.
fn shown_fix(report: &KernelReport, fix: &Fix, places: &Places) -> FixShown {
    let mut changes: BTreeMap<&str, Vec<Replacement>> = BTreeMap::new();
    for insertion in &fix.insertions {
        let start_line = insertion.line;
        let deleted_region =
            Region { start_line, start_column: Some(1), end_line: None, end_column: Some(1), snippet: None };
        let inserted_content = Text { text: format!("{}{}\n", insertion.indentation, insertion.statement) };
        changes.entry(&insertion.file).or_default().push(Replacement { deleted_region, inserted_content });
    }
    for replaced in &fix.replacements {
        let start_column = usize::try_from(replaced.column).ok();
        let end_column = start_column.map(|column| column.saturating_add(replaced.old.chars().count()));
        let start_line = replaced.line;
        let deleted_region = Region { start_line, start_column, end_line: None, end_column, snippet: None };
        let inserted_content = Text { text: replaced.new.clone() };
        changes.entry(&replaced.file).or_default().push(Replacement { deleted_region, inserted_content });
    }
    for removed in &fix.removals {
        let (start_line, end_line) = (removed.line, Some(removed.line.saturating_add(1)));
        let deleted_region = Region { start_line, start_column: Some(1), end_line, end_column: Some(1), snippet: None };
        let inserted_content = Text { text: String::new() };
        changes.entry(&removed.file).or_default().push(Replacement { deleted_region, inserted_content });
    }
    let change = |(file, replacements): (&str, Vec<Replacement>)| ArtifactChange {
        artifact_location: places.artifact(file),
        replacements,
    };
    FixShown {
        description: Text { text: sentence(&text::fix_in_words(report, fix)) },
        artifact_changes: changes.into_iter().map(change).collect(),
    }
}

/// One flow with the way of each thread to its access, if a way has more than the access itself.
fn code_flows(report: &KernelReport, finding: &Finding, places: &mut Places) -> Vec<CodeFlow> {
    let threads = finding.accesses.iter().map(|access| thread_flow(report, access, places));
    let thread_flows: Vec<ThreadFlow> = threads.collect();
    let steps: usize = thread_flows.iter().map(|thread| thread.locations.len()).sum();
    if steps > 1 { vec![CodeFlow { thread_flows }] } else { Vec::new() }
}

/// The calls and loop iterations around an access, from the outside in, and then the access.
fn thread_flow(report: &KernelReport, access: &AccessShown, places: &mut Places) -> ThreadFlow {
    let mut locations: Vec<Step> = Vec::new();
    let mut add = |location: Location, message: String, importance| {
        let location = Location { message: Some(Text { text: message }), ..location };
        locations.push(Step { nesting_level: locations.len(), location, importance });
    };
    let calls = access.stack.len();
    for depth in 0..=calls {
        let loops = access.loops.iter().filter(|iteration| iteration.calls.min(calls) == depth && iteration.line > 0);
        for iteration in loops {
            let message = format!("iteration {} of {}", iteration.iteration, text::loop_(iteration));
            add(location(report, &iteration.file, iteration.line, 0, places), message, "important");
        }
        // The calls are innermost first.
        if let Some(call) = calls.checked_sub(depth + 1).and_then(|index| access.stack.get(index)) {
            let at = location(report, &call.file, call.line, call.column, places);
            add(at, format!("calls {}", call.function), "important");
        }
    }
    add(access_location(report, access, places), text::deed(access), "essential");
    ThreadFlow { id: text::who(access), locations }
}

fn access_location(report: &KernelReport, access: &AccessShown, places: &mut Places) -> Location {
    let (file, line, column) = position(report, access);
    location(report, file, line, column, places)
}

/// The place of an access, or the kernel if the compiler gives no place.
fn position<'a>(report: &'a KernelReport, access: &'a AccessShown) -> (&'a str, u32, u32) {
    match access.line {
        0 => (&report.file, report.line, 0),
        line => (&access.file, line, access.column),
    }
}

fn location(report: &KernelReport, file: &str, line: u32, column: u32, places: &mut Places) -> Location {
    Location {
        id: None,
        physical_location: places.physical(file, line, column),
        logical_locations: vec![LogicalLocation { fully_qualified_name: report.name.clone(), kind: "function" }],
        message: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_those_that_are_meant() {
        assert_eq!(escaped(r"a[1]\n"), r"a\[1\]\\n");
        assert_eq!(unlinked("t[0](3)"), "t[0] (3)");
    }
}
