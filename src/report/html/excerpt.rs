//! The source around a finding, with its accesses and the lines that lead to them marked.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use lockstep_verdict::picture::{Picture, WayEnd};
use lockstep_verdict::{AccessShown, Finding, KernelReport};

use crate::{Sources, text, underlined};

/// Lines before and behind an access.
const AROUND: u32 = 2;

/// Gaps of up to this many lines are filled.
const FILLED: u32 = 2;

/// The maximum number of lines of an excerpt.
const MOST_LINES: usize = 60;

/// Lines of one file.
pub struct Excerpt {
    /// The file.
    pub file: String,
    /// The lines, in order.
    pub rows: Vec<Row>,
}

/// A part of an excerpt.
pub enum Row {
    /// A line of source.
    Line {
        /// Its number.
        number: u32,
        /// Whether a thread passes a barrier there.
        barrier: bool,
        /// Its text in pieces.
        pieces: Vec<Piece>,
    },
    /// The action of a thread in the line above.
    Label {
        /// White space as wide as the text in front of the access.
        indent: String,
        /// The access's number, from 1.
        number: usize,
        /// The label, in words.
        text: String,
    },
    /// Lines are left out.
    Gap,
    /// The source cannot be read.
    Unreadable {
        /// The line.
        number: u32,
    },
}

/// A part of a line.
#[derive(Debug, PartialEq, Eq)]
pub struct Piece {
    /// The classes of the accesses that the piece belongs to: `mark-1`, `mark-1 mark-2`; empty for
    /// none.
    pub class: &'static str,
    /// The text.
    pub text: String,
}

/// The lines and accesses of a file to show.
#[derive(Default)]
struct Wanted<'a> {
    accesses: Vec<(usize, &'a AccessShown)>,
    others: BTreeSet<u32>,
    barriers: BTreeSet<u32>,
}

/// The excerpts of a finding, the file of its first access first.
pub fn excerpts(report: &KernelReport, finding: &Finding, sources: &mut Sources) -> Vec<Excerpt> {
    let mut order: Vec<&str> = Vec::new();
    let mut wanted: BTreeMap<&str, Wanted<'_>> = BTreeMap::new();
    for (index, access) in finding.accesses.iter().enumerate().filter(|(_, access)| access.line > 0) {
        if !order.contains(&access.file.as_str()) {
            order.push(&access.file);
        }
        wanted.entry(&access.file).or_default().accesses.push((index + 1, access));
    }
    for access in &finding.accesses {
        let loops = access.loops.iter().map(|iteration| (&iteration.file, iteration.line));
        let calls = access.stack.iter().map(|frame| (&frame.file, frame.line));
        for (file, line) in loops.chain(calls).filter(|(_, line)| *line > 0) {
            if !order.contains(&file.as_str()) {
                order.push(file);
            }
            wanted.entry(file).or_default().others.insert(line);
        }
    }
    if let (Some(of_kernel), true) = (wanted.get_mut(report.file.as_str()), report.line > 0) {
        of_kernel.others.insert(report.line);
    }
    let no_picture = Picture::default();
    let ways = &finding.picture.as_ref().unwrap_or(&no_picture).ways;
    for (file, line) in ways.iter().filter_map(|way| match &way.end {
        WayEnd::Waits(file, line) if *line > 0 => Some((file.as_str(), *line)),
        _ => None,
    }) {
        if let Some(of_file) = wanted.get_mut(file) {
            of_file.others.insert(line);
        }
    }
    for passed in ways.iter().flat_map(|way| way.passed.iter().chain(&way.after)).filter(|passed| passed.line > 0) {
        if let Some(of_file) = wanted.get_mut(passed.file.as_str()) {
            of_file.others.insert(passed.line);
            of_file.barriers.insert(passed.line);
        }
    }
    let excerpt = |file: &str| Excerpt { file: file.to_owned(), rows: rows(file, &wanted[file], sources) };
    order.into_iter().map(excerpt).collect()
}

fn rows(file: &str, wanted: &Wanted<'_>, sources: &mut Sources) -> Vec<Row> {
    let Some(text) = sources.text(file) else {
        let lines: BTreeSet<u32> = wanted.accesses.iter().map(|(_, access)| access.line).collect();
        return lines.into_iter().map(|number| Row::Unreadable { number }).collect();
    };
    let all: Vec<&str> = text.lines().collect();
    let last = u32::try_from(all.len()).unwrap_or(u32::MAX);
    let mut rows = Vec::new();
    let mut before = 0;
    for number in lines(wanted, last) {
        if number > before + 1 && before > 0 {
            rows.push(Row::Gap);
        }
        before = number;
        let Some(line) = usize::try_from(number).ok().and_then(|number| all.get(number.checked_sub(1)?)) else {
            continue;
        };
        let marks = marks(wanted, number, line);
        rows.push(Row::Line { number, barrier: wanted.barriers.contains(&number), pieces: pieces(line, &marks) });
        for ((access, range), label) in marks.iter().zip(labels(wanted, number)) {
            rows.push(Row::Label { indent: indent(&line[..range.start]), number: *access, text: label });
        }
    }
    rows
}

/// The lines to show: those around accesses have priority.
fn lines(wanted: &Wanted<'_>, last: u32) -> BTreeSet<u32> {
    let mut lines = BTreeSet::new();
    for (_, access) in &wanted.accesses {
        lines.extend(access.line.saturating_sub(AROUND).max(1)..=access.line.saturating_add(AROUND).min(last));
    }
    let room = MOST_LINES.saturating_sub(lines.len());
    lines.extend(wanted.others.iter().copied().filter(|line| *line <= last).take(room));
    let shown: Vec<u32> = lines.iter().copied().collect();
    for pair in shown.windows(2) {
        if pair[1] - pair[0] <= FILLED + 1 {
            lines.extend(pair[0]..pair[1]);
        }
    }
    lines
}

/// The accesses in a line, each with its part of the line, in bytes.
fn marks(wanted: &Wanted<'_>, number: u32, line: &str) -> Vec<(usize, Range<usize>)> {
    let here = wanted.accesses.iter().filter(|(_, access)| access.line == number);
    here.map(|(index, access)| (*index, underlined::span(line, 1, access.column).unwrap_or(0..line.len()))).collect()
}

fn labels(wanted: &Wanted<'_>, number: u32) -> Vec<String> {
    let here = wanted.accesses.iter().filter(|(_, access)| access.line == number);
    here.map(|(_, access)| format!("{} {}", text::who(access), text::verb(access))).collect()
}

/// White space as wide as the text.
fn indent(text: &str) -> String {
    text.chars().map(|letter| if letter == '\t' { '\t' } else { ' ' }).collect()
}

/// The line cut where marks begin and end.
fn pieces(line: &str, marks: &[(usize, Range<usize>)]) -> Vec<Piece> {
    let mut cuts: BTreeSet<usize> = BTreeSet::from([0, line.len()]);
    cuts.extend(marks.iter().flat_map(|(_, range)| [range.start, range.end]));
    let cuts: Vec<usize> = cuts.into_iter().collect();
    let piece = |ends: &[usize]| {
        let range = ends[0]..ends[1];
        let has = |number: usize| {
            marks.iter().any(|(access, mark)| *access == number && mark.start <= range.start && range.end <= mark.end)
        };
        let class = match (has(1), has(2)) {
            (true, true) => "mark-1 mark-2",
            (true, false) => "mark-1",
            (false, true) => "mark-2",
            (false, false) => "",
        };
        Piece { class, text: line[range].to_owned() }
    };
    cuts.windows(2).map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_may_overlap() {
        let classes = |marks: &[(usize, Range<usize>)]| {
            let pieces = pieces("a[a[i]] = 1;", marks);
            pieces.into_iter().map(|piece| (piece.class, piece.text)).collect::<Vec<_>>()
        };
        let of = |class, text: &str| (class, text.to_owned());
        let nested = [of("mark-1", "a["), of("mark-1 mark-2", "a[i]"), of("mark-1", "]"), of("", " = 1;")];
        assert_eq!(classes(&[(1, 0..7), (2, 2..6)]), nested);
        assert_eq!(classes(&[(1, 0..7), (2, 0..7)]), [of("mark-1 mark-2", "a[a[i]]"), of("", " = 1;")]);
        assert_eq!(classes(&[]), [of("", "a[a[i]] = 1;")]);
    }

    #[test]
    fn small_gaps_are_filled() {
        let wanted = |others: &[u32]| Wanted { others: others.iter().copied().collect(), ..Wanted::default() };
        let shown = |others: &[u32]| lines(&wanted(others), 20).into_iter().collect::<Vec<_>>();
        assert_eq!(shown(&[3, 6, 10]), [3, 4, 5, 6, 10]);
        assert_eq!(shown(&[19, 25]), [19]);
    }

    #[test]
    fn labels_stand_under_their_access_also_behind_tabs() {
        assert_eq!(indent("\tif (ä) "), "\t       ");
    }
}
