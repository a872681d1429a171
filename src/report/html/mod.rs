//! The report as one self-contained page of HTML: styles and pictures are embedded, and there are
//! no scripts.
//!
//! This module converts the data of a run into those of the page, which has types of its own. The
//! templates beside it render them and escape all text from the user. [`excerpt`] shows the source
//! with the accesses marked, [`ways`] the threads' ways through the barrier intervals, and
//! [`cells`] the touched bytes of the array. The last two produce a [`drawing`]. Their data are
//! computed for this format only ([`lockstep_verdict::picture`]).

mod cells;
mod drawing;
mod excerpt;
mod ways;

use askama::Template;
use lockstep_findings as finding;
use lockstep_findings::manual::{Kind, capitalised};
use lockstep_findings::undecided;
use lockstep_verdict::picture::{Listing, Picture};
use lockstep_verdict::{AccessShown, Finding, KernelReport, Verdict};
use pulldown_cmark::{Event, Parser, html::push_html};

use super::{Document, Sources, assumptions, hinges, quoted, reasons, summary, text};
use drawing::Drawing;
use excerpt::{Excerpt, Row};

/// The page.
#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    title: String,
    version: String,
    command: Vec<String>,
    total: String,
    baseline: Option<String>,
    errors: &'a [&'a str],
    diagnostics: Vec<&'a str>,
    kernels: Vec<KernelSection<'a>>,
}

/// The section of a kernel.
struct KernelSection<'a> {
    anchor: String,
    /// The fingerprint of a verdict that is unknown or an error; empty otherwise.
    fingerprint: &'a str,
    name: &'a str,
    place: String,
    verdict: &'static str,
    findings_in_words: String,
    explanation: &'static str,
    launch: Option<String>,
    /// The reasons for a missing answer, line by line.
    reasons: Vec<Vec<Part>>,
    manual: Option<Manual>,
    findings: Vec<FindingSection<'a>>,
    configuration: Option<&'a str>,
    known: Vec<String>,
    allowed: Vec<String>,
    requires: &'a [String],
    assumptions: Vec<String>,
    unfinished_run: Option<String>,
    statistics: String,
    listings: &'a [Listing],
}

/// The section of a finding.
struct FindingSection<'a> {
    fingerprint: &'a str,
    code: &'static str,
    title: String,
    confirmed: bool,
    because: Option<String>,
    hinges: Vec<String>,
    /// The command that reruns it; empty if nothing has run it.
    command: Vec<String>,
    excerpts: Vec<Excerpt>,
    threads: Vec<Thread<'a>>,
    ways: Option<Drawing>,
    /// The origin of the picture of the ways.
    ways_from: &'static str,
    cells: Option<(Drawing, String)>,
    launch: Option<String>,
    parameters: Vec<(&'a str, &'a str)>,
    manual: Option<Manual>,
}

/// A part of prose: code, which is between backquotes, or words.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    is_code: bool,
    text: String,
}

/// The action of a thread in a finding.
struct Thread<'a> {
    number: usize,
    who: String,
    verb: &'a str,
    place: String,
    /// The index with its numbers, cut before each `=`.
    arithmetic: Vec<&'a str>,
    loops: Vec<String>,
    calls: Vec<String>,
}

/// A manual page.
struct Manual {
    code: &'static str,
    title: String,
    /// The page's body in HTML.
    body: String,
}

/// The page.
pub fn render(document: &Document<'_>) -> anyhow::Result<String> {
    let mut sources = Sources::of(document.reports);
    let reports = document.reports;
    let total = match reports {
        [one] => format!("1 kernel: {}", one.verdict.name()),
        _ => summary::total(document).trim_end().to_owned(),
    };
    let kernel = |(number, report): (usize, _)| {
        let configuration = document.configurations.get(number - 1).and_then(Option::as_deref);
        KernelSection { configuration, ..kernel(number, report, &mut sources) }
    };
    let kernels = (1..).zip(reports).map(kernel).collect();
    let page = Page {
        title: format!("Lockstep – {total}"),
        version: document.tool.summary(),
        command: std::iter::once("lockstep".to_owned())
            .chain(document.command.iter().map(|word| quoted(word)))
            .collect(),
        total,
        baseline: document.comparison.map(|comparison| capitalised(text::left_out(comparison).trim_end())),
        errors: document.errors,
        diagnostics: document.diagnostics.iter().map(|said| said.trim_end()).collect(),
        kernels,
    };
    Ok(page.render()?)
}

fn kernel<'a>(number: usize, report: &'a KernelReport, sources: &mut Sources) -> KernelSection<'a> {
    let places = [text::launched_at(report), text::escapes_at(report), text::recorded_at(report)].concat();
    let code = undecided::code(report);
    let reason = reasons::of(report).filter(|_| !report.is_known());
    let finding = |(index, found)| finding_section(report, found, &format!("k{number}f{index}"), sources);
    KernelSection {
        anchor: format!("kernel-{number}"),
        fingerprint: &report.fingerprint,
        name: &report.name,
        place: place(&report.file, report.line),
        verdict: report.verdict.name(),
        findings_in_words: text::findings_in_words(report),
        explanation: explanation(report),
        launch: (!report.block.is_empty()).then(|| format!("{}{places}", text::launch(report))),
        reasons: reason.map_or_else(Vec::new, |reason| reason.lines().map(parts).collect()),
        manual: code.and_then(|code| manual(&undecided::KINDS, code)),
        findings: (1..).zip(&report.findings).map(finding).collect(),
        known: report.known.findings.iter().map(|known| format!("{}: {}", known.code, text::title(known))).collect(),
        configuration: None,
        allowed: report.allowed.iter().map(text::allowed_in_words).collect(),
        requires: &report.requires,
        assumptions: assumptions::of(report),
        unfinished_run: assumptions::unfinished_run(report),
        statistics: text::statistics(report),
        listings: &report.listings,
    }
}

/// The words and the code in prose. A backquote without a second one is no quote.
fn parts(text: &str) -> Vec<Part> {
    let pieces: Vec<&str> = text.split('`').collect();
    if pieces.len().is_multiple_of(2) {
        return vec![Part { is_code: false, text: text.to_owned() }];
    }
    let part = |(index, text): (usize, &str)| Part { is_code: index % 2 == 1, text: text.to_owned() };
    pieces.into_iter().enumerate().map(part).filter(|part| !part.text.is_empty()).collect()
}

/// The meaning of the verdict.
fn explanation(report: &KernelReport) -> &'static str {
    match report.verdict {
        Verdict::Verified => {
            "No input, no schedule and no pair of threads breaks a property, under the assumptions below."
        }
        Verdict::Conditional | Verdict::Defect if report.findings.is_empty() && !report.allowed.is_empty() => {
            "All that was found is allowed by the source or in the baseline. It is not verified: the rest was searched, \
             not proved."
        }
        Verdict::Conditional if !report.reasons.is_empty() => {
            "It is verified under the precondition below. Outside of it, it was neither proved nor refuted."
        }
        Verdict::Conditional if report.findings.is_empty() => {
            "It is verified under the precondition below. All that was found outside of it is in the baseline."
        }
        Verdict::Conditional if report.findings.iter().any(|found| found.confirmed) => {
            "It is verified under the precondition below. Outside of it there are inputs and a schedule with which it \
             goes wrong; a run of the kernel shows it."
        }
        Verdict::Conditional => {
            "It is verified under the precondition below. Outside of it, it may go wrong, though no run has shown it."
        }
        Verdict::Defect if report.findings.is_empty() => "All that was found is in the baseline.",
        Verdict::Defect if report.findings.iter().any(|found| found.confirmed) => {
            "There are inputs and a schedule with which it goes wrong; a run of the kernel shows it."
        }
        Verdict::Defect => "It may go wrong. No run has shown it; each finding says what it hinges on.",
        Verdict::Unknown if !report.findings.is_empty() => {
            "It was neither proved nor refuted. It may go wrong, though no run has shown it; each warning says what it hinges on."
        }
        Verdict::Unknown if report.is_known() && !report.known.verdict => {
            "It was neither proved nor refuted. All that may be wrong with it is in the baseline."
        }
        Verdict::Unknown if report.known.verdict => "It was neither proved nor refuted, as in the baseline.",
        Verdict::Unknown => "It was neither proved nor refuted.",
        Verdict::Error => "Lockstep itself failed on this kernel; this says nothing about the kernel.",
    }
}

fn place(file: &str, line: u32) -> String {
    if line > 0 { format!("{file}:{line}") } else { file.to_owned() }
}

fn finding_section<'a>(
    report: &'a KernelReport,
    found: &'a Finding,
    id: &str,
    sources: &mut Sources,
) -> FindingSection<'a> {
    let no_picture = Picture::default();
    let picture = found.picture.as_ref().unwrap_or(&no_picture);
    FindingSection {
        fingerprint: &found.fingerprint,
        code: found.code,
        title: capitalised(&text::title(found)),
        confirmed: found.confirmed,
        because: hinges::of_possible(found),
        hinges: hinges::of_confirmed(found),
        command: again(found),
        excerpts: excerpt::excerpts(report, found, sources),
        threads: (1..).zip(&found.accesses).map(|(number, access)| thread(report, number, access)).collect(),
        ways: ways::drawing(found, &picture.ways, format!("{id}-ways")),
        ways_from: ways_from(found, picture),
        cells: cells::drawing(found, picture, format!("{id}-cells")),
        launch: text::sizes_of_run(found),
        parameters: found.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        manual: manual(&finding::KINDS, found.code),
    }
}

/// The origin of the picture of the ways.
fn ways_from(found: &Finding, picture: &Picture) -> &'static str {
    match (found.confirmed, picture.ways.is_empty()) {
        (true, false) if picture.ways.iter().any(|way| !way.after.is_empty()) => {
            "As in the run that confirmed it. A barrier stands between the two accesses, but it does not order them."
        }
        (true, false) => "As in the run that confirmed it.",
        (true, true) => "The run did not tell which barriers the threads pass on their way.",
        (false, false) => "The kernel has no barrier.",
        (false, true) => "No run reproduced it: which barriers the threads pass on their way is not known.",
    }
}

fn thread<'a>(report: &KernelReport, number: usize, access: &'a AccessShown) -> Thread<'a> {
    let of_loop = |of: &lockstep_verdict::LoopIteration| format!("iteration {} of {}", of.iteration, text::loop_(of));
    let call = |frame: &lockstep_verdict::Frame| {
        format!("in {}, called at {}", frame.function, place(&frame.file, frame.line))
    };
    Thread {
        number,
        who: text::who(access),
        verb: text::verb(access),
        place: match access.line {
            0 => String::new(),
            line if access.file == report.file => format!("line {line}"),
            line => place(&access.file, line),
        },
        arithmetic: equation(&access.arithmetic),
        loops: access.loops.iter().map(of_loop).collect(),
        calls: access.stack.iter().map(call).collect(),
    }
}

/// The parts of `index i + 1 = 2 + 1 = 3`. Each part but the first begins with its equals sign.
fn equation(text: &str) -> Vec<&str> {
    let starts: Vec<usize> = text.match_indices(" = ").map(|(at, _)| at + 1).collect();
    let mut parts = Vec::new();
    let mut from = 0;
    for start in starts.into_iter().chain([text.len()]) {
        parts.push(text[from..start].trim_end());
        from = start;
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The words of the command that reruns a finding, if there is one.
fn again(found: &Finding) -> Vec<String> {
    found.witness.iter().flat_map(|witness| &witness.command).map(|word| quoted(word)).collect()
}

/// The manual page of a kind.
fn manual(kinds: &[Kind], code: &'static str) -> Option<Manual> {
    let page = kinds.iter().find(|kind| kind.code == code)?.page();
    // Text that looks like HTML in a page is meant literally.
    let events = Parser::new(&page.text).map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        other => other,
    });
    let mut body = String::new();
    push_html(&mut body, events);
    Some(Manual { code, title: page.title, body })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equation_has_a_part_for_each_sign() {
        assert_eq!(equation("index i + 1 = 2 + 1 = 3"), ["index i + 1", "= 2 + 1", "= 3"]);
        assert_eq!(equation("index i == j ? 1 : 0 = 1"), ["index i == j ? 1 : 0", "= 1"]);
        assert!(equation("").is_empty());
    }

    #[test]
    fn code_in_prose_is_told_from_words() {
        let part = |(is_code, text): (bool, &str)| Part { is_code, text: text.to_owned() };
        let shown = [(false, "no race on "), (true, "a"), (false, ", "), (true, "b")].map(part);
        assert_eq!(parts("no race on `a`, `b`"), shown);
        assert_eq!(parts("a ` b"), [(false, "a ` b")].map(part));
    }

    #[test]
    fn manual_pages_become_html() {
        let all = finding::KINDS.iter().chain(&undecided::KINDS);
        for kind in all {
            let page = manual(std::slice::from_ref(kind), kind.code).expect("a page");
            assert!(page.body.starts_with("<p>") && page.body.ends_with("</p>\n"), "{}: {}", kind.code, page.body);
        }
    }
}
