//! The report for people: each kernel's verdict, and each finding with the source around its
//! accesses.

use lockstep_verdict::act::Act;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use lockstep_verdict::fix::{Fix, Insertion, Removal, Replacement};
use lockstep_verdict::lack::{Lack, Order};
use lockstep_verdict::locks::{GivenBack, Held, Lock, Locks};
use lockstep_verdict::{
    AccessShown, Allowed, ByDefault, Finding, KernelReport, LoopIteration, Rechecked, Verdict, Witness,
};

use super::{Colour, Comparison, Document, Sources, assumptions, count, hinges, quoted, reasons, summary, underlined};

/// The columns of the excerpts if the terminal does not give its width.
const WIDTH: usize = 120;

/// All reports, with a table of them if there are several.
pub fn render(document: &Document<'_>, colour: Colour) -> String {
    let reports = document.reports;
    let mut text = String::new();
    let mut sources = Sources::of(document.reports);
    let shared = shared_assumptions(reports);
    for report in reports {
        kernel(&mut text, (report, &shared), &mut sources, colour);
        text.push('\n');
    }
    if !shared.is_empty() {
        let proofs = reports.iter().filter(|report| is_proved(report)).count();
        let _ = writeln!(text, "assuming in each of the {proofs} proofs:");
        for assumption in &shared {
            let _ = writeln!(text, "  - {assumption}");
        }
        text.push('\n');
    }
    if reports.len() > 1 {
        text.push_str(&summary::render(document, colour, summary::width(colour)));
    }
    if let Some(comparison) = document.comparison {
        text.push_str(&left_out(comparison));
    }
    text.push_str(&configured(document));
    text
}

/// The configurations that were used; empty if there were none.
fn configured(document: &Document<'_>) -> String {
    let files: BTreeSet<&str> = document.configurations.iter().flatten().map(String::as_str).collect();
    let files: Vec<&str> = files.into_iter().collect();
    if files.is_empty() { String::new() } else { format!("settings: {}\n", files.join(", ")) }
}

/// The results that are left out because the baseline has them, and the baseline results that were
/// not found.
pub(super) fn left_out(comparison: &Comparison) -> String {
    let Comparison { file, findings, unknown, gone, .. } = comparison;
    let gone = match gone {
        0 => String::new(),
        several => format!("; {several} of it not found any more"),
    };
    format!("left out, as the baseline {file} has them: {}, {unknown} unknown{gone}\n", count(*findings, "finding"))
}

/// Whether the verdict rests on a proof.
fn is_proved(report: &KernelReport) -> bool {
    matches!(report.verdict, Verdict::Verified | Verdict::Conditional)
}

/// The assumptions that all proofs of a run share, if there are several.
fn shared_assumptions(reports: &[KernelReport]) -> Vec<String> {
    let mut lists = reports.iter().filter(|report| is_proved(report)).map(assumptions::of);
    let (Some(mut shared), rest) = (lists.next(), lists.collect::<Vec<_>>()) else { return Vec::new() };
    shared.retain(|assumption| rest.iter().all(|list| list.contains(assumption)));
    if rest.is_empty() { Vec::new() } else { shared }
}

fn kernel(text: &mut String, (report, shared): (&KernelReport, &[String]), sources: &mut Sources, colour: Colour) {
    for finding in &report.findings {
        text.push_str(&self::finding(finding, sources, colour));
        text.push_str("\n\n");
    }
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{} {}{}", verdict(report.verdict, colour), report.name, headline(report));
    if let Some(reason) = reasons::of(report).filter(|_| !report.is_known()) {
        // A precondition that is found has no other reason than that the proof without it fails.
        let heading = if report.verdict == Verdict::Conditional { "undecided elsewhere" } else { "because" };
        let _ = writeln!(text, "  {heading}: {}", reason.replace('\n', "\n    "));
    }
    if !report.block.is_empty() {
        let places = [launched_at(report), escapes_at(report), recorded_at(report)].concat();
        let _ = writeln!(text, "  launch: {}{places}", launch(report));
    }
    if let Some(by_default) = &report.by_default {
        let _ = writeln!(text, "  without options: {}", by_default_in_words(by_default));
    }
    for required in &report.requires {
        let _ = writeln!(text, "  verified where: {required}");
    }
    if let Some(fix) = report.fix.as_ref().filter(|_| !report.findings.is_empty()) {
        let _ = writeln!(text, "  fix: {}", fix_in_words(report, fix));
    }
    for allowed in &report.allowed {
        let _ = writeln!(text, "  allowed: {}", allowed_in_words(allowed));
    }
    let own: Vec<String> = assumptions::of(report).into_iter().filter(|own| !shared.contains(own)).collect();
    if is_proved(report) && !own.is_empty() {
        text.push_str(if shared.is_empty() { "  assuming:\n" } else { "  assuming besides:\n" });
        for assumption in own {
            let _ = writeln!(text, "    - {assumption}");
        }
    }
    if let Some(run) = assumptions::unfinished_run(report) {
        let _ = writeln!(text, "  not checked: {run}");
    }
    let _ = writeln!(text, "  {}", statistics(report));
    if let Some(rechecked) = &report.rechecked {
        let _ = writeln!(text, "  {}", recheck_in_words(rechecked));
    }
}

/// The lines that mend a kernel.
pub(super) fn fix_in_words(report: &KernelReport, fix: &Fix) -> String {
    let line_of = |file: &str, of: u32| line(report, &(file.to_owned(), of));
    // A statement that is removed and inserted is moved.
    let from = |insertion: &Insertion| fix.removals.iter().find(|removal| removal.statement == insertion.statement);
    let put = |insertion: &Insertion| {
        let Insertion { file, line, statement, .. } = insertion;
        let place = line_of(file, *line);
        match from(insertion) {
            Some(removal) => format!("move `{statement}` on line {} before line {place}", line_of(file, removal.line)),
            None => format!("`{statement}` before line {place}"),
        }
    };
    let is_gone = |removal: &&Removal| !fix.insertions.iter().any(|insertion| from(insertion) == Some(*removal));
    let gone = fix.removals.iter().filter(is_gone);
    let gone =
        gone.map(|Removal { file, line, statement }| format!("remove `{statement}` on line {}", line_of(file, *line)));
    let replace = |replacement: &Replacement| {
        let Replacement { old, new, .. } = replacement;
        let place = (replacement.file.clone(), replacement.line);
        format!("`{new}` in place of `{old}` on line {}", line(report, &place))
    };
    let replaced = fix.replacements.iter().map(replace);
    let lines: Vec<String> = fix.insertions.iter().map(put).chain(gone).chain(replaced).collect();
    format!("{}; with this the kernel is verified", lines.join(" and "))
}

/// The verdict on the launch that the program makes without options.
pub(super) fn by_default_in_words(by_default: &ByDefault) -> String {
    let open = |sizes: &[u32]| sizes.iter().map(|&size| Some(size)).collect::<Vec<_>>();
    let mut text = sizes(&open(&by_default.block), &open(&by_default.grid));
    if !by_default.arguments.is_empty() {
        let values = by_default.arguments.iter().map(|(name, value)| format!("{name} = {value}"));
        let _ = write!(text, ", with {}", values.collect::<Vec<_>>().join(", "));
    }
    format!("{} ({text})", by_default.verdict.name())
}

/// `LS0101: write-write race on a[0] (line 7): all threads write the same`
pub(super) fn allowed_in_words(allowed: &Allowed) -> String {
    let Allowed { finding, reason, file, line } = allowed;
    format!("{}: {} ({file}:{line}: {reason})", finding.code, title(finding))
}

/// The cost of a verdict, in one line.
pub(super) fn statistics(report: &KernelReport) -> String {
    let statistics = &report.statistics;
    let invariants = match statistics.candidates_proposed {
        0 => String::new(),
        proposed => format!("{} of {} kept, ", statistics.candidates_kept, count(proposed, "candidate invariant")),
    };
    let (checks, queries) = (count(statistics.obligations, "check"), count(statistics.queries, "solver query"));
    format!("{checks} proved, {invariants}{queries}, {:.2} s", statistics.wall_seconds)
}

/// `re-checked by cvc5: 41 queries unsat, 2 not decided in 10 s`
pub(super) fn recheck_in_words(rechecked: &Rechecked) -> String {
    let Rechecked { solver, unsatisfiable, undecided, failed, limit_seconds, .. } = rechecked;
    let mut text = format!("re-checked by {solver}: {} unsat", count(*unsatisfiable, "query"));
    if *undecided > 0 {
        let _ = write!(text, ", {undecided} not decided in {limit_seconds} s");
    }
    if *failed > 0 {
        let _ = write!(text, ", {failed} not answered");
    }
    text
}

/// A line, with its file if that is not the kernel's.
fn line(report: &KernelReport, (file, line): &(String, u32)) -> String {
    if *file == report.file { line.to_string() } else { format!("{line} of {file}") }
}

/// The places where the source launches the kernel with these sizes. A recorded launch comes from
/// other files than the kernel's.
pub(super) fn launched_at(report: &KernelReport) -> String {
    let recorded = !report.recorded_at.is_empty();
    let place = |place: &(String, u32)| if recorded { format!("{}:{}", place.0, place.1) } else { line(report, place) };
    let places: Vec<String> = report.launched_at.iter().map(place).collect();
    let lines = |number: &str| if recorded { String::new() } else { format!("{number} ") };
    match places.as_slice() {
        [] => String::new(),
        [place] => format!(", as {}{place} launches it", lines("line")),
        _ => format!(", as {}{} launch it", lines("lines"), places.join(", ")),
    }
}

/// The places where the kernel's address escapes to code that may launch it. Files without a line
/// are those that are in no program.
pub(super) fn escapes_at(report: &KernelReport) -> String {
    let (lines, files): (Vec<_>, Vec<_>) = report.escapes_at.iter().partition(|(_, line)| *line > 0);
    let lines: Vec<String> = lines.into_iter().map(|place| line(report, place)).collect();
    let files: Vec<&str> = files.into_iter().map(|(file, _)| file.as_str()).filter(|file| !file.is_empty()).collect();
    let mut text = match lines.as_slice() {
        [] => String::new(),
        [line] => format!(", as the kernel's address goes where it is not followed in line {line}"),
        _ => format!(", as the kernel's address goes where it is not followed in lines {}", lines.join(", ")),
    };
    if !files.is_empty() {
        let _ = write!(text, ", as {} may launch it in an unknown way", files.join(", "));
    }
    text
}

/// The places where the launch is recorded.
pub(super) fn recorded_at(report: &KernelReport) -> String {
    let places: Vec<String> = report.recorded_at.iter().map(|(file, line)| format!("{file}:{line}")).collect();
    if places.is_empty() { String::new() } else { format!(", recorded in {}", places.join(", ")) }
}

fn headline(report: &KernelReport) -> String {
    let place = match report.line {
        0 => report.file.clone(),
        line => format!("{}:{line}", report.file),
    };
    let findings = findings_in_words(report);
    let joint = if findings.is_empty() { "" } else { ": " };
    format!(" ({place}){joint}{findings}")
}

/// The number of findings, of those that the source allows, and of those in the baseline; empty if
/// all are zero.
pub(super) fn findings_in_words(report: &KernelReport) -> String {
    match (unallowed_in_words(report), report.allowed.len()) {
        (others, 0) => others,
        (others, allowed) if others.is_empty() => format!("{} allowed", count(allowed, "finding")),
        (others, allowed) => format!("{others}, {allowed} allowed"),
    }
}

fn unallowed_in_words(report: &KernelReport) -> String {
    match (report.findings.len(), report.known.findings.len()) {
        (0, 0) if report.known.verdict => "in the baseline".to_owned(),
        (0, 0) => String::new(),
        (several, 0) if report.verdict == Verdict::Unknown => count(several, "possible finding"),
        (several, 0) if report.verdict == Verdict::Conditional => {
            format!("{} outside of the precondition", count(several, "finding"))
        }
        (several, 0) => count(several, "finding"),
        (0, known) => format!("{} in the baseline", count(known, "finding")),
        (several, known) => format!("{}, {known} more in the baseline", count(several, "finding")),
    }
}

/// The word, coloured.
pub(super) fn verdict(verdict: Verdict, colour: Colour) -> String {
    let code = match verdict {
        Verdict::Verified => "1;32",
        Verdict::Defect | Verdict::Error => "1;31",
        Verdict::Unknown | Verdict::Conditional => "1;33",
    };
    match colour {
        Colour::Never => verdict.name().to_owned(),
        Colour::IfTerminal => format!("\u{1b}[{code}m{}\u{1b}[0m", verdict.name()),
    }
}

/// The launch, as the command line and the source give it.
pub(super) fn launch(report: &KernelReport) -> String {
    let mut text = if report.threads.is_empty() {
        sizes(&report.block, &report.grid)
    } else {
        in_all(&report.threads, &report.block, &report.grid)
    };
    if !report.offset.is_empty() {
        let offset: Vec<String> = report.offset.iter().map(u32::to_string).collect();
        let _ = write!(text, ", global ids from ({})", offset.join(", "));
    }
    if let Some(bytes) = report.shared_bytes {
        let _ = write!(text, ", {} of dynamic shared memory", count(bytes, "byte"));
    }
    if !report.arguments.is_empty() {
        let values: Vec<String> = report.arguments.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let _ = write!(text, ", with {}", values.join(", "));
    }
    text
}

/// Sizes with a given number of threads in the launch: `1024 threads in groups of any size`.
fn in_all(threads: &[Option<u32>], block: &[Option<u32>], grid: &[Option<u32>]) -> String {
    let known = |extents: &[Option<u32>]| extents.iter().any(Option::is_some);
    let groups = if known(grid) { format!("{} groups", size(grid)) } else { "groups".to_owned() };
    let of = if known(block) { format!("{} threads", size(block)) } else { "any size".to_owned() };
    let open = [threads, block, grid].iter().any(|extents| known(extents) && extents.iter().any(Option::is_none));
    format!("{} threads in {groups} of {of}{}", size(threads), if open { LEGEND } else { "" })
}

const LEGEND: &str = " (* is any number)";

/// The sizes in words: `16 groups of 64 threads`, `any number of groups of 8x8 threads`.
fn sizes(block: &[Option<u32>], grid: &[Option<u32>]) -> String {
    let open = |extents: &[Option<u32>]| extents.iter().all(Option::is_none);
    let groups = match grid {
        _ if open(grid) => "any number of groups".to_owned(),
        _ if grid.iter().all(|extent| *extent == Some(1)) => "1 group".to_owned(),
        _ => format!("{} groups", size(grid)),
    };
    let threads = match block {
        _ if open(block) => "any size".to_owned(),
        _ if block.iter().all(|extent| *extent == Some(1)) => "1 thread".to_owned(),
        _ => format!("{} threads", size(block)),
    };
    let partly = |extents: &[Option<u32>]| !open(extents) && extents.iter().any(Option::is_none);
    let legend = if partly(block) || partly(grid) { LEGEND } else { "" };
    format!("{groups} of {threads}{legend}")
}

fn size(extents: &[Option<u32>]) -> String {
    let shown = |extent: &Option<u32>| extent.map_or("*".to_owned(), |number| number.to_string());
    extents.iter().map(shown).collect::<Vec<_>>().join("x")
}

/// One finding, with the source around its accesses.
pub fn finding(finding: &Finding, sources: &mut Sources, colour: Colour) -> String {
    let mut group: Group<'_> = Group::with_title(level(finding).primary_title(title(finding)).id(finding.code));
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

fn level(finding: &Finding) -> Level<'static> {
    if finding.is_warning { Level::WARNING } else { Level::ERROR }
}

/// The source around an access, or only the place if the source cannot be read.
fn excerpt<'a>(group: Group<'a>, number: usize, access: &AccessShown, sources: &mut Sources) -> Group<'a> {
    let label = format!("({number}) {}", deed(access));
    let span = sources
        .text(&access.file)
        .and_then(|text| Some((text.to_owned(), underlined::span(text, access.line, access.column)?)));
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

/// The problem, in a line without the places.
pub(super) fn title(finding: &Finding) -> String {
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
        "group-operation-divergence" => "group operation divergence: not every thread of the group does the same",
        "assertion" => "assertion failure",
        "constant-write" => "write to constant memory",
        "null-dereference" => "access through the null pointer",
        "out-of-bounds" => "access outside the array",
        "warp-divergence" => "warp divergence: not every lane of the mask arrives here",
        "lane-not-in-mask" => "lane outside its own mask",
        "inactive-source" => "read from a lane that does not take part",
        "misaligned-access" => "misaligned access: its type asks for more of the address",
        "uninitialised-read" => "read of what no thread has written",
        "index-overflow" => "overflow in the computation of an index",
        "unknown-target" => "call through a pointer to no known function",
        "endless-wait" => "endless wait for a value that no thread writes",
        "named-barrier" => "named barrier or mbarrier that is used wrongly",
        "invariant-entry" => "loop invariant failure: it does not hold before the loop",
        "invariant-step" => "loop invariant failure: an iteration breaks it",
        other => other,
    };
    let certainty = if finding.confirmed { "" } else { "possible " };
    format!("{certainty}{subkind}{what}{place}{scope}")
}

/// The action of a thread: `thread (3) of group (0) writes, index gid + 1 = 3 + 1 = 4, in iteration
/// 2 of the loop at line 7`.
pub(super) fn deed(access: &AccessShown) -> String {
    format!("{} {}{}", who(access), verb(access), circumstances(access))
}

/// The thread.
pub(super) fn who(access: &AccessShown) -> String {
    format!("thread {} of group {}", tuple(&access.thread), tuple(&access.block))
}

/// The verb for its action.
pub(super) fn verb(access: &AccessShown) -> &'static str {
    match access.act {
        Act::Read => "reads here",
        Act::Write => "writes here",
        Act::Atomic => "accesses atomically here",
        Act::AsyncRead => "reads here, asynchronously",
        Act::AsyncWrite => "writes here, asynchronously",
        Act::Reaches => "reaches the barrier",
        Act::DoesNotReach => "does not reach the barrier",
        Act::Assertion | Act::Invariant => "is here",
        Act::GroupOperation => "executes this",
        Act::Access => "accesses here",
        other => other.name(),
    }
}

/// The place, the iteration and the calls of an access. Begins with a semicolon if it is not empty.
pub(super) fn circumstances(access: &AccessShown) -> String {
    let mut text = String::new();
    if !access.arithmetic.is_empty() {
        let _ = write!(text, "; {}", access.arithmetic);
    }
    for iteration in &access.loops {
        let _ = write!(text, "; iteration {} of {}", iteration.iteration, loop_(iteration));
    }
    for frame in &access.stack {
        let line = if frame.line > 0 { format!(":{}", frame.line) } else { String::new() };
        let _ = write!(text, "; in {}, called at {}{line}", frame.function, frame.file);
    }
    text
}

/// A loop by its line.
pub(super) fn loop_(iteration: &LoopIteration) -> String {
    match iteration.line {
        0 => "a loop (no debug information)".to_owned(),
        line => format!("the loop at line {line}"),
    }
}

/// Ids in parentheses: `(3, 0)`.
pub(super) fn tuple(ids: &[u64]) -> String {
    format!("({})", ids.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))
}

/// The launch of a finding, if it is known: `2 groups of 8x8 threads`.
pub(super) fn sizes_of_run(finding: &Finding) -> Option<String> {
    let numbers = |sizes: &[u64]| sizes.iter().map(u64::to_string).collect::<Vec<_>>().join("x");
    let (block, grid) = (numbers(&finding.block), numbers(&finding.grid));
    let plural = if finding.grid.iter().all(|&groups| groups == 1) { "" } else { "s" };
    let threads = if finding.block.iter().all(|&threads| threads == 1) { "thread" } else { "threads" };
    (!finding.block.is_empty()).then(|| format!("{grid} group{plural} of {block} {threads}"))
}

/// The launch, the parameters, and the certainty of the finding.
pub(super) fn notes(finding: &Finding) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(sizes) = sizes_of_run(finding) {
        notes.push(format!("in a launch of {sizes}"));
    }
    if !finding.parameters.is_empty() {
        let values = finding.parameters.iter().map(|(name, value)| format!("{name} = {value}"));
        notes.push(format!("with {}", values.collect::<Vec<_>>().join(", ")));
    }
    if finding.confirmed {
        notes.push(format!("confirmed: a concrete run does this{}", again(finding)));
        if finding.witness.as_ref().is_some_and(Witness::sees_older_values) {
            notes.push("in this run, atomic reads see older values where the memory model allows it".to_owned());
        }
        notes.extend(hinges::of_confirmed(finding));
        notes.extend(finding.lacks.iter().map(|lack| lacking(lack, finding)));
        notes.extend(finding.locks.iter().flat_map(|locks| of_locks(locks, finding)));
    } else {
        notes.extend(hinges::of_possible(finding).map(|because| format!("possible: {because}")));
    }
    notes.extend(others_of_its_cause(finding));
    notes
}

/// The property that an operation lacks, and its effect on the two threads.
fn lacking(lack: &Lack, finding: &Finding) -> String {
    let threads = match finding.accesses.as_slice() {
        [one, other, ..] if one.block != other.block => "they are in different groups",
        _ => "they are in one group",
    };
    let place = format!("{}:{}", lack.file, lack.line);
    let races = finding.accesses.iter().any(|access| (&access.file, access.line) == (&lack.file, lack.line));
    match lack.order {
        Order::Scope => format!("the scope at {place} does not include both threads; {threads}"),
        // A fence beside an access orders others, not the access itself.
        Order::Release if races => format!("the access at {place} is not released itself: it needs release order"),
        Order::Release => format!("nothing is released at {place}: it needs a fence before it, or release order"),
        Order::Acquire => format!("nothing is acquired at {place}: it needs a fence behind it, or acquire order"),
    }
}

/// The locks that the threads of a race hold, and who gives one back besides.
fn of_locks(locks: &Locks, finding: &Finding) -> Vec<String> {
    let name = |lock: &Lock| match &lock.of_group {
        Some(group) => format!("{} of group {}", lock.place, tuple(group)),
        None => lock.place.clone(),
    };
    let held = |held: &[Held], thread: &[u64]| {
        let taken = |held: &Held| {
            let by = if held.by == thread { String::new() } else { format!(" by thread {} for it", tuple(&held.by)) };
            format!("{} (taken at {}:{}{by})", name(&held.lock), held.file, held.line)
        };
        let all: Vec<String> = held.iter().map(taken).collect();
        if all.is_empty() { "no lock".to_owned() } else { all.join(", ") }
    };
    let side = |(access, of_side): (&AccessShown, &Vec<Held>)| {
        format!(
            "thread {} of group {} holds {}",
            tuple(&access.thread),
            tuple(&access.block),
            held(of_side, &access.thread)
        )
    };
    let mut notes: Vec<String> = finding.accesses.iter().zip(&locks.held).map(side).collect();
    notes.extend(locks.given_back.as_ref().map(|given| {
        let GivenBack { lock, file, line, block, thread } = given;
        let thread = format!("thread {} of group {}", tuple(thread), tuple(block));
        format!("{} is given back in between at {file}:{line} by {thread}, which does not hold it", name(lock))
    }));
    notes
}

/// The maximum number of further findings of one cause that a note names.
const NAMED: usize = 4;

/// The further findings that have the same cause.
fn others_of_its_cause(finding: &Finding) -> Option<String> {
    let brief = |other: &Finding| {
        let mut lines: Vec<String> = other.accesses.iter().map(|access| access.line.to_string()).collect();
        lines.dedup();
        let of_array = other.array.as_ref().map_or(String::new(), |array| format!(" on {array}"));
        let noun = if lines.len() == 1 { "line" } else { "lines" };
        format!("{}{of_array} ({noun} {})", other.subkind.as_deref().unwrap_or(other.kind), lines.join(" and "))
    };
    let mut named: Vec<String> = finding.also.iter().map(brief).collect();
    named.dedup();
    let more = named.len().saturating_sub(NAMED);
    named.truncate(NAMED);
    if more > 0 {
        named.push(format!("{more} more"));
    }
    (!named.is_empty()).then(|| format!("probably of the same cause: {}", named.join(", ")))
}

/// The maximum length of the shown command that reruns a finding.
const LONGEST_COMMAND: usize = 400;

/// The command that reruns the finding, for a shell, if it is short.
fn again(finding: &Finding) -> String {
    let words = finding.witness.as_ref().map(|witness| &witness.command).filter(|words| !words.is_empty());
    let command = words.map(|words| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "));
    let shown = command.filter(|command| command.len() <= LONGEST_COMMAND);
    shown.map_or(String::new(), |command| format!(": {command}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(line: u32, column: u32) -> AccessShown {
        AccessShown {
            file: "a.cl".into(),
            line,
            column,
            act: Act::Write,
            block: vec![0],
            thread: vec![3],
            loops: Vec::new(),
            stack: Vec::new(),
            arithmetic: String::new(),
        }
    }

    #[test]
    fn sizes_in_words() {
        assert_eq!(sizes(&[Some(64)], &[Some(16)]), "16 groups of 64 threads");
        assert_eq!(sizes(&[Some(8), Some(8)], &[Some(1), Some(1)]), "1 group of 8x8 threads");
        assert_eq!(sizes(&[None], &[None]), "any number of groups of any size");
        assert_eq!(sizes(&[Some(16), None], &[None, None]), "any number of groups of 16x* threads (* is any number)");
    }

    #[test]
    fn a_deed_names_thread_group_index_and_loop() {
        let mut access = access(2, 5);
        access.arithmetic = "index gid + 1 = 3 + 1 = 4".into();
        access.loops.push(LoopIteration { file: "a.cl".into(), line: 7, iteration: 2, calls: 0 });
        assert_eq!(
            deed(&access),
            "thread (3) of group (0) writes here; index gid + 1 = 3 + 1 = 4; iteration 2 of the loop at line 7"
        );
    }
}
