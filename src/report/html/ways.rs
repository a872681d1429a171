//! A picture of the threads' ways through the barrier intervals to the place of a finding.
//!
//! Each thread has a lane, from the top down. A barrier that both threads pass together is a line
//! across both lanes; a barrier that only one of them passes is a short line. Between two common
//! barriers, items in different lanes have no order and are drawn side by side.

use lockstep_verdict::act::Act;
use std::collections::BTreeSet;

use lockstep_verdict::picture::{BarrierOf, Passed, Way, WayEnd};
use lockstep_verdict::{AccessShown, Finding};

use super::drawing::{Drawing, WIDTH, shortened};
use crate::{count, text};

/// The maximum number of consecutive barrier rows that are shown in full.
const MOST_ROWS: usize = 6;

/// The number of rows kept at the end of a shortened sequence; one less is kept at the beginning.
const KEPT: usize = 3;

/// The centres of the lanes.
const LANES: [i32; 2] = [96, 264];

/// The distance from the beginning of a row to its barrier.
const BARRIER: i32 = 22;

/// Half the length of the line for a barrier of one lane.
const HALF: i32 = 34;

/// An item of a lane in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item<'a> {
    Barrier(&'a Passed),
    End(&'a WayEnd),
}

/// A row of the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Row<'a> {
    /// A barrier that both threads pass together, repeated this many times.
    Together(&'a Passed, usize),
    /// Items of the two lanes, side by side.
    Apart([Option<Item<'a>>; 2]),
    /// This many barriers, left out.
    LeftOut(usize),
    /// The way is not known.
    Unknown,
}

/// The picture; `None` if it would have no lane or no event.
pub fn drawing(finding: &Finding, ways: &[Way], id: String) -> Option<Drawing> {
    let accesses = finding.accesses.get(..finding.accesses.len().min(2)).filter(|accesses| !accesses.is_empty())?;
    if let ([_], [way]) = (accesses, ways)
        && way.passed.is_empty()
    {
        // The picture would be empty.
        return None;
    }
    let there = WayEnd::There;
    let is_known = ways.len() == accesses.len();
    let rows = if is_known {
        shorter(rows(ways))
    } else {
        let end = |index: usize| (index < accesses.len()).then_some(Item::End(&there));
        vec![Row::Unknown, Row::Apart([end(0), end(1)])]
    };
    let title = if accesses.len() == 1 { "The way of the thread" } else { "The ways of the two threads" };
    let mut picture = Picture::new(finding, accesses, Drawing::new(id, title.to_owned()));
    picture.drawing.description = description(accesses, is_known.then_some(ways));
    picture.draw(&rows);
    Some(picture.drawing)
}

/// The contents of the picture, in words.
fn description(accesses: &[AccessShown], ways: Option<&[Way]>) -> String {
    let of = |(index, access): (usize, &AccessShown)| {
        let (who, verb) = (text::who(access), text::verb(access));
        let line = if access.line > 0 { format!(" (line {})", access.line) } else { String::new() };
        match ways.map(|ways| &ways[index]) {
            None => format!("{who} {verb}{line}; the barriers on its way are not known."),
            Some(way) => {
                let end = match &way.end {
                    WayEnd::There => format!("{verb}{line}"),
                    WayEnd::Waits(_, line) => format!("waits elsewhere{}", at_line(*line)),
                    WayEnd::Returned => "has returned".to_owned(),
                };
                format!("{who} passes {} and {end}.", count(way.passed.len(), "barrier"))
            }
        }
    };
    accesses.iter().enumerate().map(of).collect::<Vec<_>>().join(" ")
}

fn at_line(line: u32) -> String {
    if line > 0 { format!(", line {line}") } else { String::new() }
}

// --- Rows ----------------------------------------------------------------------------------------

fn items(way: &Way) -> Vec<Item<'_>> {
    let before = way.passed.iter().map(Item::Barrier);
    before.chain([Item::End(&way.end)]).chain(way.after.iter().map(Item::Barrier)).collect()
}

/// The rows of one or two ways.
fn rows(ways: &[Way]) -> Vec<Row<'_>> {
    let lanes: Vec<Vec<Item<'_>>> = ways.iter().map(items).collect();
    let [first, second] = lanes.as_slice() else {
        return lanes.into_iter().flatten().map(|item| Row::Apart([Some(item), None])).collect();
    };
    let meetings = |lane: &[Item<'_>]| lane.iter().filter_map(meeting).collect::<BTreeSet<u32>>();
    let common: BTreeSet<u32> = meetings(first).intersection(&meetings(second)).copied().collect();
    let is_common = |item: &Item<'_>| meeting(item).is_some_and(|number| common.contains(&number));
    let mut rows = Vec::new();
    let (mut first, mut second) = (first.as_slice(), second.as_slice());
    loop {
        let apart = [first, second].map(|lane| lane.iter().position(is_common).unwrap_or(lane.len()));
        rows.extend(side_by_side(&first[..apart[0]], &second[..apart[1]]));
        match first.get(apart[0]) {
            Some(Item::Barrier(passed)) => rows.push(Row::Together(passed, 1)),
            Some(Item::End(_)) | None => return rows,
        }
        (first, second) = (&first[apart[0] + 1..], second.get(apart[1] + 1..).unwrap_or_default());
    }
}

fn meeting(item: &Item<'_>) -> Option<u32> {
    match item {
        Item::Barrier(passed) => Some(passed.meeting),
        Item::End(_) => None,
    }
}

/// The items of two lanes between common barriers. If both lanes end there, their ends are in one
/// row.
fn side_by_side<'a>(first: &[Item<'a>], second: &[Item<'a>]) -> Vec<Row<'a>> {
    let ends_with = |lane: &[Item<'_>]| matches!(lane.last(), Some(Item::End(_)));
    let height = first.len().max(second.len());
    let skipped = |lane: &[Item<'a>]| {
        if ends_with(first) && ends_with(second) { height - lane.len() } else { 0 }
    };
    let skip = [skipped(first), skipped(second)];
    let item =
        |lane: &[Item<'a>], skip: usize, row: usize| row.checked_sub(skip).and_then(|row| lane.get(row)).copied();
    (0..height).map(|row| Row::Apart([item(first, skip[0], row), item(second, skip[1], row)])).collect()
}

/// The rows with repetitions counted, and with most of a long sequence of barriers left out.
fn shorter(rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    let mut counted: Vec<Row<'_>> = Vec::new();
    for row in rows {
        match (counted.last_mut(), &row) {
            (Some(Row::Together(before, times)), Row::Together(passed, _)) if same_place(before, passed) => *times += 1,
            _ => counted.push(row),
        }
    }
    let mut short = Vec::new();
    for run in counted.chunk_by(|a, b| is_barrier(a) && is_barrier(b)) {
        if run.len() <= MOST_ROWS {
            short.extend_from_slice(run);
            continue;
        }
        let (begin, end) = (KEPT - 1, run.len() - KEPT);
        short.extend_from_slice(&run[..begin]);
        short.push(Row::LeftOut(run[begin..end].iter().map(barriers).sum()));
        short.extend_from_slice(&run[end..]);
    }
    short
}

fn same_place(a: &Passed, b: &Passed) -> bool {
    (&a.file, a.line, a.of) == (&b.file, b.line, b.of)
}

fn is_barrier(row: &Row<'_>) -> bool {
    match row {
        Row::Together(..) => true,
        Row::Apart(items) => !items.iter().flatten().any(|item| matches!(item, Item::End(_))),
        Row::LeftOut(_) => true,
        Row::Unknown => false,
    }
}

/// The number of barriers that a lane passes in a row.
fn barriers(row: &Row<'_>) -> usize {
    match row {
        Row::Together(_, times) => *times,
        Row::Apart(_) => 1,
        Row::LeftOut(left_out) => *left_out,
        Row::Unknown => 0,
    }
}

// --- Drawing -------------------------------------------------------------------------------------

struct Picture<'a> {
    finding: &'a Finding,
    accesses: &'a [AccessShown],
    lanes: Vec<i32>,
    drawing: Drawing,
    /// The height used so far.
    y: i32,
    /// The lower end of each lane.
    ends: [Option<i32>; 2],
}

impl<'a> Picture<'a> {
    fn new(finding: &'a Finding, accesses: &'a [AccessShown], drawing: Drawing) -> Self {
        let lanes = if accesses.len() == 1 { vec![WIDTH / 2] } else { LANES.to_vec() };
        Self { finding, accesses, lanes, drawing, y: 0, ends: [None; 2] }
    }

    fn draw(&mut self, rows: &[Row<'_>]) {
        for (access, &x) in self.accesses.iter().zip(&self.lanes.clone()) {
            self.drawing.text("strong", (x, 14), format!("thread {}", shortened(&text::tuple(&access.thread), 16)));
            self.drawing.text("quiet", (x, 30), format!("group {}", shortened(&text::tuple(&access.block), 16)));
        }
        // The lanes are drawn below everything on them, and their lengths are known only at the
        // end.
        let below = std::mem::take(&mut self.drawing.shapes);
        self.y = 42;
        let (mut intervals, mut interval_starts) = (Vec::new(), self.y);
        let mut passed = 0;
        for row in rows {
            if matches!(row, Row::Together(..)) {
                intervals.push((passed, interval_starts, self.y + BARRIER));
                interval_starts = self.y + BARRIER;
            }
            self.row(row);
            passed += if is_barrier(row) { barriers(row) } else { 0 };
        }
        intervals.push((passed, interval_starts, self.y));
        self.clash();
        let above = std::mem::replace(&mut self.drawing.shapes, below);
        self.lanes_and_intervals(rows, &intervals);
        self.drawing.shapes.extend(above);
        self.drawing.height = self.y + 6;
    }

    fn row(&mut self, row: &Row<'_>) {
        match row {
            Row::Together(passed, times) => {
                self.together(barrier(passed, *times));
                self.y += BARRIER + 16;
            }
            Row::LeftOut(left_out) => {
                self.y += 20;
                self.label(WIDTH / 2, self.y, format!("{} more", count(*left_out, "barrier")));
                self.y += 18;
            }
            Row::Unknown => {
                self.y += 24;
                self.label(WIDTH / 2, self.y, "not known".to_owned());
                self.y += 22;
            }
            Row::Apart(items) => self.apart(*items),
        }
    }

    fn together(&mut self, label: String) {
        let y = self.y + BARRIER;
        let (from, to) = (self.lanes[0] - HALF, self.lanes[self.lanes.len() - 1] + HALF);
        let label = shortened(&label, 30);
        let half = width_of(&label) / 2;
        self.drawing.line("barrier", (from, y), (WIDTH / 2 - half, y));
        self.drawing.line("barrier", (WIDTH / 2 + half, y), (to, y));
        self.drawing.text("label", (WIDTH / 2, y + 4), label);
    }

    /// Text on a patch of the page's background colour.
    fn label(&mut self, x: i32, y: i32, text: String) {
        let text = shortened(&text, 30);
        let width = width_of(&text);
        self.drawing.rectangle("ground", (x - width / 2, y - 9), (width, 18));
        self.drawing.text("label", (x, y + 4), text);
    }

    fn apart(&mut self, items: [Option<Item<'_>>; 2]) {
        let mut height = 40;
        for (index, item) in items.into_iter().enumerate() {
            let Some(&x) = self.lanes.get(index) else { continue };
            match item {
                Some(Item::Barrier(passed)) => {
                    let y = self.y + 14;
                    self.drawing.line("barrier", (x - HALF, y), (x + HALF, y));
                    self.label(x, y + 15, barrier(passed, 1));
                }
                Some(Item::End(end)) => height = height.max(self.end(index, x, end)),
                None => {}
            }
        }
        self.y += height;
    }

    /// Draws the end of a lane. Returns its height.
    fn end(&mut self, index: usize, x: i32, end: &WayEnd) -> i32 {
        let access = &self.accesses[index];
        let y = self.y + 26;
        if access.act == Act::Reaches {
            // The barrier stands in front of the thread that has arrived, and is missed by the
            // other thread.
            let others = self.lanes.iter().copied().filter(|other| *other != x);
            let line = |from: i32, to: i32| ((from, y), (to, y));
            let missed: Vec<_> = others.map(|other| line(WIDTH / 2, other + (other - x).signum() * HALF)).collect();
            for (from, to) in missed {
                self.drawing.line("missed", from, to);
            }
            let (from, to) = line(x - (WIDTH / 2 - x).signum() * HALF, WIDTH / 2);
            self.drawing.line("barrier", from, to);
        }
        self.drawing.badge((x, y), index + 1);
        self.ends[index] = Some(y);
        let lines = end_in_words(access, end);
        let mut below = y + 28;
        for (number, line) in lines.iter().enumerate() {
            self.drawing.text(if number == 0 { "strong" } else { "quiet" }, (x, below), shortened(line, 27));
            below += 15;
        }
        below - self.y
    }

    /// Draws the relation between the two accesses of a race.
    fn clash(&mut self) {
        let ([Some(first), Some(second)], true) = (self.ends, self.finding.kind == "race") else { return };
        let [left, right] = [LANES[0] + 15, LANES[1] - 15];
        self.drawing.line("clash", (left, first), (right, second));
        if first == second {
            let place = self.finding.place.as_ref().or(self.finding.array.as_ref());
            self.drawing.text("strong", (WIDTH / 2, first - 8), shortened(place.map_or("", String::as_str), 18));
            self.drawing.text("quiet", (WIDTH / 2, first + 17), "in no order");
        }
    }

    fn lanes_and_intervals(&mut self, rows: &[Row<'_>], intervals: &[(usize, i32, i32)]) {
        let both_know = rows.iter().all(|row| !matches!(row, Row::Unknown) && !has_lone_barrier(row));
        if let ([Some(first), Some(second)], Some((_, from, to))) = (self.ends, intervals.last())
            && both_know
            && first == second
        {
            self.drawing.rectangle("band", (0, *from), (WIDTH, to - from));
        }
        if both_know && self.lanes.len() == 2 && intervals.len() > 1 {
            for (passed, from, _) in intervals {
                self.drawing.text_at("small", "start", (4, from + 14), format!("interval {}", passed + 1));
            }
        }
        let class = if rows.contains(&Row::Unknown) { "unknown-lane" } else { "lane" };
        for (index, &x) in self.lanes.iter().enumerate() {
            // A thread that continues after its end passes the barriers below.
            let stops = rows.iter().rev().find_map(|row| match row {
                Row::Apart(items) => items[index].map(|item| matches!(item, Item::End(_))),
                Row::Together(..) => Some(false),
                Row::LeftOut(_) | Row::Unknown => None,
            });
            let end = if stops == Some(true) { self.ends[index].unwrap_or(self.y) } else { self.y };
            self.drawing.line(class, (x, 40), (x, end));
        }
    }
}

/// The approximate width of a label, with some padding.
fn width_of(label: &str) -> i32 {
    i32::try_from(label.chars().count()).unwrap_or(0) * 6 + 16
}

fn has_lone_barrier(row: &Row<'_>) -> bool {
    matches!(row, Row::Apart(items) if items.iter().flatten().any(|item| matches!(item, Item::Barrier(_))))
}

/// A barrier by its line: `barrier, line 12 × 3`.
fn barrier(passed: &Passed, times: usize) -> String {
    let kind = match passed.of {
        BarrierOf::Group => "barrier",
        BarrierOf::Warp => "warp barrier",
        BarrierOf::Launch => "launch barrier",
    };
    let times = if times > 1 { format!(" × {times}") } else { String::new() };
    format!("{kind}{}{times}", at_line(passed.line))
}

/// The action of a thread at its end, in a few short lines.
fn end_in_words(access: &AccessShown, end: &WayEnd) -> Vec<String> {
    let what = match (access.act, end) {
        (_, WayEnd::Waits(_, line)) => return vec!["waits elsewhere".to_owned(), format!("line {line}")],
        (_, WayEnd::Returned) => "has returned".to_owned(),
        (Act::Read, _) => format!("reads{}", at_line(access.line)),
        (Act::Write, _) => format!("writes{}", at_line(access.line)),
        (Act::Atomic, _) => format!("atomic access{}", at_line(access.line)),
        (Act::Reaches, _) => format!("at the barrier{}", at_line(access.line)),
        (Act::WaitsForLane, _) => format!("waits{}", at_line(access.line)),
        (Act::DoesNotReach, _) => "does not reach it".to_owned(),
        _ => format!("here{}", at_line(access.line)),
    };
    let mut lines = vec![what];
    if *end == WayEnd::There {
        let loops = access.loops.iter().map(|of| match of.line {
            0 => format!("iteration {} of a loop", of.iteration),
            line => format!("iteration {}, loop line {line}", of.iteration),
        });
        lines.extend(loops);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(line: u32, meeting: u32) -> Passed {
        Passed { file: "a.cl".into(), line, of: BarrierOf::Group, meeting }
    }

    fn way(passed: &[(u32, u32)], after: &[(u32, u32)]) -> Way {
        let all = |all: &[(u32, u32)]| all.iter().map(|&(line, meeting)| pass(line, meeting)).collect();
        Way { passed: all(passed), end: WayEnd::There, after: all(after) }
    }

    /// Each row in short notation. `=3` is a barrier of both threads in line 3, `3|*` a barrier of
    /// the first beside the end of the second.
    fn shown(rows: &[Row<'_>]) -> Vec<String> {
        let item = |item: &Option<Item<'_>>| match item {
            Some(Item::Barrier(passed)) => passed.line.to_string(),
            Some(Item::End(_)) => "*".to_owned(),
            None => String::new(),
        };
        let row = |row: &Row<'_>| match row {
            Row::Together(passed, times) => format!("={}x{times}", passed.line),
            Row::Apart([first, second]) => format!("{}|{}", item(first), item(second)),
            Row::LeftOut(left_out) => format!("+{left_out}"),
            Row::Unknown => "?".to_owned(),
        };
        rows.iter().map(row).collect()
    }

    #[test]
    fn barriers_that_both_pass_are_common_rows() {
        let ways = [way(&[(3, 1), (5, 4)], &[]), way(&[(3, 1), (5, 4)], &[])];
        assert_eq!(shown(&rows(&ways)), ["=3x1", "=5x1", "*|*"]);
    }

    #[test]
    fn an_access_before_a_barrier_stands_above_it() {
        let ways = [way(&[(3, 1)], &[(5, 2)]), way(&[(3, 1), (5, 2)], &[])];
        assert_eq!(shown(&rows(&ways)), ["=3x1", "*|", "=5x1", "|*"]);
    }

    #[test]
    fn paths_of_separate_groups_are_side_by_side() {
        let ways = [way(&[(3, 1), (3, 2)], &[]), way(&[(3, 3)], &[])];
        assert_eq!(shown(&rows(&ways)), ["3|", "3|3", "*|*"]);
    }

    #[test]
    fn of_many_barriers_some_are_left_out() {
        let same: Vec<(u32, u32)> = (1..9).map(|meeting| (3, meeting)).collect();
        let ways = [way(&same, &[]), way(&same, &[])];
        assert_eq!(shown(&shorter(rows(&ways))), ["=3x8", "*|*"]);
        let turns: Vec<(u32, u32)> = (1..11).map(|meeting| (3 + meeting % 2, meeting)).collect();
        let ways = [way(&turns, &[]), way(&turns, &[])];
        assert_eq!(shown(&shorter(rows(&ways))), ["=4x1", "=3x1", "+5", "=3x1", "=4x1", "=3x1", "*|*"][..]);
    }
}
