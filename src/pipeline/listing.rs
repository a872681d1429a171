//! The sequential program of a kernel with the invariants that were proved, for reports that show
//! it.

use std::collections::{BTreeSet, HashMap};

use cranelift_entity::PrimaryMap;
use lockstep_ir::sequential::{self, Pair, PrintOptions, Program, print_expression};
use lockstep_ir::source::{File, Location, LocationData};

use crate::prove::{Outcome, leave_out_implied};
use crate::report::{Sources, reasons};
use crate::verdict::picture::{Listing, LoopShown};

/// The most lines of a program that are shown.
const MOST_LINES: usize = 600;

/// The most invariants that are listed separately.
const MOST_INVARIANTS: usize = 100;

/// The length in bytes of the longest invariant that is listed separately.
const LONGEST: usize = 2_000;

/// The program and its invariants, as far as there is room for them, with the mentioned lines of
/// these sources.
pub fn listing(mut program: Program, outcome: &Outcome, sources: &[String]) -> Listing {
    leave_out_implied(&mut program);
    let source_line = source_lines(&program.files, &program.locations, sources);
    let options = PrintOptions { source_line: Some(&source_line), legend: true, ..PrintOptions::default() };
    let all = sequential::print(&program, &options);
    let lines = all.lines().count();
    let text: Vec<&str> = all.lines().take(MOST_LINES).collect();
    let (loops, more_invariants) = invariants(&program);
    Listing {
        pair: match program.pair {
            Pair::SameGroup => "two threads of the same group",
            Pair::DifferentGroups => "two threads of different groups",
            Pair::Alone => "a thread by itself",
            Pair::SameThread => "a thread and its own asynchronous copies",
        },
        outcome: match outcome {
            Outcome::Proved => outcome_in_words(&program, outcome),
            Outcome::Refuted(_) => "Refuted: an assertion of it can fail.".to_owned(),
            Outcome::Unknown(_) => "Not proved: what is said above of the kernel is why.".to_owned(),
            Outcome::Impossible(_) => "There are no such threads in this launch.".to_owned(),
        },
        loops,
        more_invariants,
        text: text.join("\n"),
        more_lines: lines - text.len(),
    }
}

/// The invariants by loop, and the number of those left out.
fn invariants(program: &Program) -> (Vec<LoopShown>, usize) {
    let (mut loops, mut shown, mut left_out) = (Vec::new(), 0, 0);
    for data in program.loops.values().filter(|data| !data.invariants.is_empty()) {
        let line = data.location.map_or(0, |location| program.locations[location].line);
        let mut of_loop = LoopShown { line, invariants: Vec::new() };
        for invariant in &data.invariants {
            let text = if shown < MOST_INVARIANTS {
                print_expression(&program.expressions, invariant.condition)
            } else {
                String::new()
            };
            if text.is_empty() || text.len() > LONGEST {
                left_out += 1;
            } else {
                shown += 1;
                of_loop.invariants.push((invariant.family.clone(), text));
            }
        }
        loops.push(of_loop);
    }
    (loops, left_out)
}

/// The outcome of a proof in a sentence.
pub fn outcome_in_words(program: &Program, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Proved => match program.obligations.len() {
            0 => "Proved: nothing is asserted that could fail.".to_owned(),
            1 => "Proved: the assertion cannot fail.".to_owned(),
            more => format!("Proved: none of the {more} assertions can fail."),
        },
        Outcome::Refuted(defects) => {
            let failing: BTreeSet<String> = defects.iter().map(|defect| defect.obligation.to_string()).collect();
            let failing: Vec<String> = failing.into_iter().collect();
            format!("Refuted: {} can fail; `lockstep verify` shows how.", failing.join(", "))
        }
        Outcome::Unknown(reason) => format!("Not proved: {}.", reasons::reason(reason, "")),
        Outcome::Impossible(grounds) => format!("Not proved: {}.", reasons::contradiction(grounds)),
    }
}

/// The text of each mentioned source line, from files that were read.
pub fn source_lines(
    files: &PrimaryMap<File, String>,
    locations: &PrimaryMap<Location, LocationData>,
    sources: &[String],
) -> impl Fn(&str, u32) -> Option<String> + use<> {
    let mut sources = Sources::named(sources);
    let mut lines = HashMap::new();
    for location in locations.values() {
        let file = &files[location.file];
        if let Some(text) = sources.line(file, location.line) {
            lines.insert((file.clone(), location.line), text.trim().to_owned());
        }
    }
    move |file, line| lines.get(&(file.to_owned(), line)).cloned()
}
