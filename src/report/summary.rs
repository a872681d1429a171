//! The table at the end of a report on several kernels: a line for each kernel, and one with the
//! totals.

use std::borrow::Cow;

use console::{Term, measure_text_width};
use lockstep_verdict::{KernelReport, Verdict};

use super::{Colour, Document, count, text};

/// The maximum number of kernels that are all listed. A longer table lists only those that are not
/// verified.
const MOST: usize = 40;

/// The minimum number of columns of a place and of a name, however narrow the terminal is.
const LEAST: usize = 12;

/// The number of available columns; `None` for as many as are needed.
pub fn width(colour: Colour) -> Option<usize> {
    let terminal = Term::stdout().size_checked().filter(|_| colour == Colour::IfTerminal);
    terminal.map(|(_, columns)| columns.into())
}

/// The table, in this many columns if possible.
pub fn render(document: &Document<'_>, colour: Colour, width: Option<usize>) -> String {
    let all = document.reports;
    let is_listed = |report: &&KernelReport| all.len() <= MOST || report.verdict != Verdict::Verified;
    let rows: Vec<Row> = all.iter().filter(is_listed).map(Row::of).collect();
    let mut table = String::new();
    let longest = |cell: fn(&Row) -> &str| rows.iter().map(|row| measure_text_width(cell(row))).max().unwrap_or(0);
    let verdict = longest(|row| row.verdict.name());
    let findings = longest(|row| &row.findings);
    let seconds = longest(|row| &row.seconds);
    let [name, place] = fitted(
        [longest(|row| &row.name), longest(|row| &row.place)],
        width.map(|width| width.saturating_sub(verdict + findings + seconds + 2 * 4)),
    );
    for row in &rows {
        let padding = " ".repeat(verdict - row.verdict.name().len());
        let cells = [
            text::verdict(row.verdict, colour) + &padding,
            padded(&without_end(&row.name, name), name),
            padded(&without_beginning(&row.place, place), place),
            padded(&row.findings, findings),
            format!("{}{}", " ".repeat(seconds - measure_text_width(&row.seconds)), row.seconds),
        ];
        table.push_str(&cells.join("  "));
        table.push('\n');
    }
    table + &total(document)
}

struct Row {
    verdict: Verdict,
    name: String,
    place: String,
    findings: String,
    seconds: String,
}

impl Row {
    fn of(report: &KernelReport) -> Self {
        let own = match report.findings.len() {
            0 => String::new(),
            several if report.verdict == Verdict::Unknown => format!("{several} possible"),
            several => count(several, "finding"),
        };
        let allowed = Some(report.allowed.len()).filter(|&number| number > 0).map(|number| format!("{number} allowed"));
        let findings =
            Some(own).filter(|own| !own.is_empty()).into_iter().chain(allowed).collect::<Vec<_>>().join(", ");
        let place = match report.line {
            0 => report.file.clone(),
            line => format!("{}:{line}", report.file),
        };
        let seconds = format!("{:.2} s", report.statistics.wall_seconds);
        Self { verdict: report.verdict, name: report.name.clone(), place, findings, seconds }
    }
}

/// The columns for names and places: as many as they need, or fewer for the longer one first.
fn fitted([name, place]: [usize; 2], available: Option<usize>) -> [usize; 2] {
    let Some(available) = available.filter(|&available| name + place > available) else { return [name, place] };
    let half = available / 2;
    let place = place.min(available.saturating_sub(name).max(half)).max(LEAST.min(place));
    [name.min(available.saturating_sub(place)).max(LEAST.min(name)), place]
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(measure_text_width(text))))
}

/// The beginning of a text, in this many columns.
fn without_end(text: &str, width: usize) -> Cow<'_, str> {
    console::truncate_str(text, width, "…")
}

/// The end of a text, in this many columns. For a place the end is more informative.
fn without_beginning(text: &str, width: usize) -> Cow<'_, str> {
    if measure_text_width(text) <= width {
        return text.into();
    }
    let ends = text.char_indices().map(|(at, _)| &text[at..]);
    let end = ends.into_iter().find(|end| measure_text_width(end) < width).unwrap_or_default();
    format!("…{end}").into()
}

/// The number of kernels for each verdict.
pub(super) fn total(document: &Document<'_>) -> String {
    let all = [Verdict::Verified, Verdict::Conditional, Verdict::Defect, Verdict::Unknown, Verdict::Error];
    let number = |verdict| document.reports.iter().filter(|report| report.verdict == verdict).count();
    let mut parts: Vec<String> = all
        .into_iter()
        .filter(|&verdict| number(verdict) > 0)
        .map(|verdict| format!("{} {}", number(verdict), verdict.name()))
        .collect();
    let allowed: usize = document.reports.iter().map(|report| report.allowed.len()).sum();
    if allowed > 0 {
        parts.push(format!("{} allowed", count(allowed, "finding")));
    }
    if !document.errors.is_empty() {
        parts.push(format!("and {} of the input", count(document.errors.len(), "error")));
    }
    format!("{} kernels: {}\n", document.reports.len(), parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_and_places_are_shortened() {
        assert_eq!(without_end("reduce_strided", 8), "reduce_…");
        assert_eq!(without_beginning("examples/deep/reduce.cl:7", 12), "…reduce.cl:7");
        assert_eq!(without_beginning("日本語.cl:7", 8), "…語.cl:7");
        assert_eq!((without_end("ab", 2), without_beginning("ab", 2)), ("ab".into(), "ab".into()));
    }

    #[test]
    fn columns_are_shared() {
        assert_eq!(fitted([10, 30], None), [10, 30]);
        assert_eq!(fitted([10, 30], Some(40)), [10, 30]);
        assert_eq!(fitted([10, 30], Some(30)), [10, 20]);
        assert_eq!(fitted([50, 30], Some(60)), [30, 30]);
        assert_eq!(fitted([50, 8], Some(20)), [12, 8]);
        // A width that is too small for anything is exceeded.
        assert_eq!(fitted([50, 30], Some(3)), [12, 12]);
    }
}
