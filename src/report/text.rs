//! The report for people: each kernel's verdict, each finding with the source around its accesses.

use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Colour, Sources};
use crate::verdict::{AccessShown, Finding, KernelReport, Verdict};

/// Columns of the excerpts where the terminal does not say.
const WIDTH: usize = 120;

/// All reports, and a line that counts them where there are several.
pub fn render(reports: &[KernelReport], colour: Colour) -> String {
    let mut text = String::new();
    let mut sources = Sources::default();
    for report in reports {
        kernel(&mut text, report, &mut sources, colour);
        text.push('\n');
    }
    if reports.len() > 1 {
        text.push_str(&count(reports));
    }
    text
}

fn count(reports: &[KernelReport]) -> String {
    let all = [Verdict::Verified, Verdict::Defect, Verdict::Unknown, Verdict::Error];
    let parts: Vec<String> = all
        .into_iter()
        .filter_map(|verdict| {
            let number = reports.iter().filter(|report| report.verdict == verdict).count();
            (number > 0).then(|| format!("{number} {}", verdict.name()))
        })
        .collect();
    format!("{} kernels: {}\n", reports.len(), parts.join(", "))
}

fn kernel(text: &mut String, report: &KernelReport, sources: &mut Sources, colour: Colour) {
    for finding in &report.findings {
        text.push_str(&self::finding(finding, sources, colour));
        text.push_str("\n\n");
    }
    // Writing to a string does not fail.
    let _ = writeln!(text, "{} {}{}", verdict(report.verdict, colour), report.name, headline(report));
    if let Some(reason) = &report.reason {
        let _ = writeln!(text, "  because: {reason}");
    }
    if !report.block.is_empty() {
        let _ = writeln!(text, "  launch: groups of {} threads, {} of them", size(&report.block), size(&report.grid));
    }
    if report.verdict == Verdict::Verified && !report.assumptions.is_empty() {
        text.push_str("  assuming:\n");
        for assumption in &report.assumptions {
            let _ = writeln!(text, "    - {assumption}");
        }
    }
    let statistics = &report.statistics;
    let seconds =
        statistics.frontend_seconds + statistics.lower_seconds + statistics.infer_seconds + statistics.prove_seconds;
    let _ = writeln!(
        text,
        "  {} checks proved, {} of {} candidate invariants kept, {} solver queries, {seconds:.2} s",
        statistics.obligations, statistics.candidates_kept, statistics.candidates_proposed, statistics.queries,
    );
}

fn headline(report: &KernelReport) -> String {
    let place = match report.line {
        0 => report.file.clone(),
        line => format!("{}:{line}", report.file),
    };
    let findings = match report.findings.len() {
        0 => String::new(),
        1 => ": 1 finding".to_owned(),
        several => format!(": {several} findings"),
    };
    format!(" ({place}){findings}")
}

fn verdict(verdict: Verdict, colour: Colour) -> String {
    let code = match verdict {
        Verdict::Verified => "1;32",
        Verdict::Defect | Verdict::Error => "1;31",
        Verdict::Unknown => "1;33",
    };
    match colour {
        Colour::Never => verdict.name().to_owned(),
        Colour::IfTerminal => format!("\u{1b}[{code}m{}\u{1b}[0m", verdict.name()),
    }
}

fn size(extents: &[Option<u32>]) -> String {
    let shown = |extent: &Option<u32>| extent.map_or("*".to_owned(), |number| number.to_string());
    extents.iter().map(shown).collect::<Vec<_>>().join("x")
}

fn finding(finding: &Finding, sources: &mut Sources, colour: Colour) -> String {
    let mut group: Group<'_> = Group::with_title(Level::ERROR.primary_title(title(finding)).id(finding.code));
    for (number, access) in finding.accesses.iter().enumerate() {
        group = excerpt(group, number + 1, access, sources);
    }
    for note in notes(finding) {
        group = group.element(Level::NOTE.message(note));
    }
    let renderer = match colour {
        Colour::Never => Renderer::plain(),
        Colour::IfTerminal => Renderer::styled(),
    };
    renderer.term_width(WIDTH).decor_style(DecorStyle::Ascii).render(&[group])
}

/// The source around an access, or only its place if the source cannot be read.
fn excerpt<'a>(group: Group<'a>, number: usize, access: &AccessShown, sources: &mut Sources) -> Group<'a> {
    let label = format!("({number}) {}", deed(access));
    let span = sources.text(&access.file).and_then(|text| Some((text.to_owned(), span(text, access)?)));
    match span {
        Some((text, span)) => group.element(
            Snippet::source(text).path(access.file.clone()).annotation(AnnotationKind::Primary.span(span).label(label)),
        ),
        None if access.line > 0 => {
            let line = usize::try_from(access.line).unwrap_or(0);
            group.element(Origin::path(access.file.clone()).line(line)).element(Level::NOTE.message(label))
        }
        None => group.element(Level::NOTE.message(label)),
    }
}

/// The bytes of the source to underline: from the access's column to the end of the word, the line if there is no column.
fn span(text: &str, access: &AccessShown) -> Option<Range<usize>> {
    let index = usize::try_from(access.line).ok()?.checked_sub(1)?;
    let mut start = 0;
    let line = text.split_inclusive('\n').enumerate().find_map(|(number, line)| {
        if number == index {
            return Some(line);
        }
        start += line.len();
        None
    })?;
    let line = line.trim_end();
    let column = usize::try_from(access.column).ok()?;
    if column == 0 || column > line.len() || !line.is_char_boundary(column - 1) {
        let indent = line.len() - line.trim_start().len();
        return Some(start + indent..start + line.len());
    }
    let part = around(line, column - 1);
    Some(start + part.start..start + part.end)
}

/// What to underline at a column of a line: `a[i + 1]` from its first letter on, for an assignment operator what is
/// assigned to.
fn around(line: &str, at: usize) -> Range<usize> {
    let bytes = line.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    if is_word(bytes[at]) {
        let mut end = at + bytes[at..].iter().take_while(|&&byte| is_word(byte)).count();
        // Only an index belongs to the access; the parentheses of a call are its arguments.
        while bytes.get(end) == Some(&b'[')
            && let Some(close) = closing(&bytes[end..])
        {
            end += close + 1;
        }
        return at..end;
    }
    let operator = bytes[at..].iter().take_while(|&&byte| b"+-*/%&|^<>=".contains(&byte)).count();
    if operator > 0 && bytes[at..at + operator].ends_with(b"=") {
        let left = line[..at].trim_end();
        let start = assigned(left.as_bytes());
        if start < left.len() && line.is_char_boundary(start) {
            return start..left.len();
        }
    }
    at..at + line[at..].chars().next().map_or(0, char::len_utf8)
}

/// Where the bracket that begins the text is closed.
fn closing(text: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    text.iter().position(|byte| {
        match byte {
            b'[' | b'(' => depth += 1,
            b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

/// Where what is assigned to begins, given the text before the operator: `a[i].x` at the end of it.
fn assigned(left: &[u8]) -> usize {
    let mut depth = 0usize;
    let mut start = left.len();
    while start > 0 {
        match left[start - 1] {
            b']' | b')' => depth += 1,
            b'[' | b'(' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            byte if byte.is_ascii_alphanumeric() || b"_.".contains(&byte) || !byte.is_ascii() => {}
            b'>' if start > 1 && left[start - 2] == b'-' => {}
            b'-' if left.get(start) == Some(&b'>') => {}
            b'*' if start == left.len() || left.get(start) != Some(&b' ') => {}
            _ => break,
        }
        start -= 1;
    }
    start
}

fn title(finding: &Finding) -> String {
    let scope = match finding.scope {
        Some("inter-group") => ", threads of different groups",
        Some(_) => ", threads of the same group",
        None => "",
    };
    let place = finding.place.as_ref().or(finding.array.as_ref());
    let joint = if finding.kind == "out-of-bounds" { ":" } else { " on" };
    let place = place.map_or(String::new(), |place| format!("{joint} {place}"));
    let subkind = finding.subkind.as_ref().map_or(String::new(), |subkind| format!("{subkind} "));
    let what = match finding.kind {
        "race" => "race",
        "barrier-divergence" => "barrier divergence: not every thread of the group reaches this barrier",
        "group-operation-divergence" => "threads of a group differ in a group-wide operation",
        "assertion" => "assertion does not hold",
        "constant-write" => "write to constant memory",
        "null-dereference" => "access through the null pointer",
        "out-of-bounds" => "access outside the array",
        "invariant-entry" => "loop invariant does not hold before the loop",
        "invariant-step" => "loop invariant is broken by an iteration",
        other => other,
    };
    let certainty = if finding.confirmed { "" } else { "possible " };
    format!("{certainty}{subkind}{what}{place}{scope}")
}

/// What a thread does: `thread (3) of group (0) writes, index gid + 1 = 3 + 1 = 4, in iteration 2 of the loop at line 7`.
fn deed(access: &AccessShown) -> String {
    let verb = match access.access.as_str() {
        "read" => "reads here",
        "write" => "writes here",
        "atomic" => "accesses atomically here",
        "async-read" => "reads here, asynchronously",
        "async-write" => "writes here, asynchronously",
        "reaches" => "reaches the barrier",
        "does not reach" => "does not reach the barrier",
        "assertion" | "invariant" => "is here",
        "executes" => "executes this",
        "access" => "accesses here",
        other => other,
    };
    let mut text = format!("thread {} of group {} {verb}", tuple(&access.thread), tuple(&access.block));
    if !access.arithmetic.is_empty() {
        let _ = write!(text, "; index {}", access.arithmetic);
    }
    for iteration in &access.loops {
        let _ = write!(text, "; iteration {} of the loop at line {}", iteration.iteration, iteration.line);
    }
    for frame in &access.stack {
        let _ = write!(text, "; in {}, called at {}:{}", frame.function, frame.file, frame.line);
    }
    text
}

fn tuple(ids: &[u64]) -> String {
    format!("({})", ids.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))
}

fn notes(finding: &Finding) -> Vec<String> {
    let mut notes = Vec::new();
    let numbers = |sizes: &[u64]| sizes.iter().map(u64::to_string).collect::<Vec<_>>().join("x");
    if !finding.block.is_empty() {
        let (block, grid) = (numbers(&finding.block), numbers(&finding.grid));
        let plural = if finding.grid.iter().all(|&groups| groups == 1) { "" } else { "s" };
        notes.push(format!("in a launch of {grid} group{plural} of {block} threads"));
    }
    if !finding.parameters.is_empty() {
        let values = finding.parameters.iter().map(|(name, value)| format!("{name} = {value}"));
        notes.push(format!("with {}", values.collect::<Vec<_>>().join(", ")));
    }
    match (&finding.because, finding.confirmed) {
        (_, true) => notes.push("confirmed: a concrete run does this".into()),
        (Some(because), false) => notes.push(format!("possible: {because}")),
        (None, false) => notes.push("possible: not replayed".into()),
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(line: u32, column: u32) -> AccessShown {
        AccessShown {
            file: "a.cl".into(),
            line,
            column,
            access: "write".into(),
            block: vec![0],
            thread: vec![3],
            loops: Vec::new(),
            stack: Vec::new(),
            arithmetic: String::new(),
        }
    }

    #[test]
    fn the_word_at_the_column_is_underlined() {
        let text = "first\n  A[gid] = 1;\n";
        let part = |line, column| span(text, &access(line, column)).map(|span| &text[span]);
        assert_eq!(part(2, 5), Some("gid"));
        assert_eq!(part(2, 3), Some("A[gid]"));
        assert_eq!(part(2, 4), Some("["));
        assert_eq!(part(2, 10), Some("A[gid]"));
        assert_eq!(part(2, 0), Some("A[gid] = 1;"));
        assert_eq!(part(2, 99), Some("A[gid] = 1;"));
        assert_eq!(part(3, 1), None);
        assert_eq!(part(0, 1), None);
    }

    #[test]
    fn what_is_assigned_to_is_underlined() {
        let part = |line: &str, at| line[around(line, at)].to_owned();
        assert_eq!(part("if (i < n) c[i].x += a[i];", 18), "c[i].x");
        assert_eq!(part("*p = 1;", 3), "*p");
        assert_eq!(part("t[i + 1][j] = t[j][i];", 12), "t[i + 1][j]");
        assert_eq!(part("t[i + 1][j] = t[j][i];", 14), "t[j][i]");
        assert_eq!(part("f(x);", 0), "f");
        assert_eq!(part("a == b", 0), "a");
    }

    #[test]
    fn a_deed_names_thread_group_index_and_loop() {
        let mut access = access(2, 5);
        access.arithmetic = "gid + 1 = 3 + 1 = 4".into();
        access.loops.push(crate::verdict::LoopIteration { file: "a.cl".into(), line: 7, iteration: 2 });
        assert_eq!(
            deed(&access),
            "thread (3) of group (0) writes here; index gid + 1 = 3 + 1 = 4; iteration 2 of the loop at line 7"
        );
    }
}
