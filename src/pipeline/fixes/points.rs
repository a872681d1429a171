//! Places in a kernel at which a line of the source may be inserted.
//!
//! A statement that is put before line L of a file is executed at a point P of the kernel if
//!
//! * a statement S begins in line L, and
//! * of the operations and branches in the lines of S, in one inlined call, P is directly before
//!   the first, and all others are dominated by it.
//!
//! Then whoever comes to S passes P, and S follows P. All lines of S count: an operand on a later
//! line is read before the store on the first one. Computations are not counted: they may stand
//! elsewhere, and nothing about them depends on when they are made.
//!
//! The text tells where statements begin and end. The line before S ends one, and line L is no
//! label and no branch of an `if`. S goes up to the first line that ends a statement or begins a
//! block.

use std::collections::BTreeMap;

use lockstep_ir::cfg::{self, Dominators};
use lockstep_ir::kernel::{Block, Kernel};
use lockstep_ir::source::Location;

use crate::report::Sources;

/// A place for a line of the source.
#[derive(Clone, Debug)]
pub struct Point {
    /// The file.
    pub file: String,
    /// The line before which it is, from 1.
    pub line: u32,
    /// The white space before a statement there.
    pub indentation: String,
    /// The blocks, and the positions in them, at which an operation has to be inserted: one for
    /// each inlined call.
    pub at: Vec<(Block, usize)>,
}

/// The positions of what a line executes, by inlined call.
type Calls = BTreeMap<Option<Location>, Vec<(Block, usize)>>;

/// The most lines of a statement.
const MOST_LINES: u32 = 30;

/// The beginnings of lines that are not reached from the line above, or belong to it.
const NO_BEGINNINGS: [&str; 6] = ["else", "case ", "default", "catch", "{", "#"];

/// All places, in the order of the source.
pub fn points(kernel: &Kernel, sources: &mut Sources) -> Vec<Point> {
    let graph = cfg::graph(kernel);
    let dominators = Dominators::new(&graph);
    let mut lines: BTreeMap<(String, u32), Calls> = BTreeMap::new();
    for &block in graph.reverse_postorder() {
        let data = &kernel.blocks[block];
        let counted = data.instructions.iter().map(|&instruction| {
            let data = &kernel.instructions[instruction];
            data.location.filter(|_| !data.operation.is_computation())
        });
        for (index, location) in counted.chain([data.location]).enumerate() {
            let Some(location) = location else { continue };
            let place = &kernel.locations[location];
            let line = lines.entry((kernel.files[place.file].clone(), place.line)).or_default();
            line.entry(place.inlined_at).or_default().push((block, index));
        }
    }
    let mut found = Vec::new();
    for (file, line) in lines.keys() {
        let Some(indentation) = indentation_of_statement(sources, file, *line) else { continue };
        let Some(last) = last_line(sources, file, *line) else { continue };
        let mut calls = Calls::new();
        for (_, of_line) in lines.range((file.clone(), *line)..=(file.clone(), last)) {
            for (call, at) in of_line {
                calls.entry(*call).or_default().extend(at);
            }
        }
        let first = |all: &Vec<(Block, usize)>| {
            let dominates = |one: (Block, usize), other: (Block, usize)| {
                if one.0 == other.0 { one.1 <= other.1 } else { dominators.dominates(one.0, other.0) }
            };
            all.iter().copied().find(|one| all.iter().all(|other| dominates(*one, *other)))
        };
        if let Some(at) = calls.values().map(first).collect() {
            found.push(Point { file: file.clone(), line: *line, indentation, at });
        }
    }
    found
}

/// The white space before the statement that begins in a line; `None` if none begins there.
pub fn indentation_of_statement(sources: &mut Sources, file: &str, line: u32) -> Option<String> {
    let text = sources.line(file, line)?.to_owned();
    let trimmed = text.trim();
    let is_end_of_block = trimmed == "}";
    let is_label = trimmed.ends_with(':') || !is_end_of_block && trimmed.starts_with('}');
    if trimmed.is_empty() || is_label || NO_BEGINNINGS.iter().any(|begin| trimmed.starts_with(begin)) {
        return None;
    }
    let mut before = line;
    let above = loop {
        before = before.checked_sub(1).filter(|line| *line > 0)?;
        let above = without_comment(sources.line(file, before)?);
        if !above.is_empty() {
            break above.to_owned();
        }
    };
    let number = |wanted: char| above.chars().filter(|letter| *letter == wanted).count();
    let is_within = number('(') != number(')') || above.ends_with("= {") || above.ends_with("={");
    if above.starts_with('#') || is_within || !above.ends_with([';', '{', '}']) {
        return None;
    }
    let indentation: String = text.chars().take_while(|letter| letter.is_whitespace()).collect();
    // The end of a block is a step further out than its statements.
    Some(if is_end_of_block && !above.ends_with('{') {
        indentation_of(sources.line(file, before)?)
    } else {
        indentation
    })
}

/// The line in which the statement ends, or its block begins, that begins in this line.
fn last_line(sources: &mut Sources, file: &str, line: u32) -> Option<u32> {
    let ends = |last: &u32| {
        let text = sources.line(file, *last).map(without_comment);
        text.is_some_and(|text| text.ends_with([';', '{', '}']))
    };
    (line..line.saturating_add(MOST_LINES)).find(ends)
}

fn indentation_of(line: &str) -> String {
    line.chars().take_while(|letter| letter.is_whitespace()).collect()
}

/// A line without its comment and without white space around it.
///
/// The beginning of a comment may be in a string, which then ends no statement.
pub fn without_comment(line: &str) -> &str {
    let code = line.split("//").next().unwrap_or_default();
    if code.matches('"').count() % 2 == 1 { "\"" } else { code.trim() }
}
