//! Statements that stand at the wrong place: on the wrong side of a signal, a barrier or the end of
//! a block. They are moved, or removed.
//!
//! A statement is one line of the source with nothing else on it. It is moved within its block,
//! past an operation that synchronises; a barrier that not all threads reach is moved out of the
//! blocks around it. The text tells that nothing on the way changes what the statement uses, nor
//! uses what it changes, as far as names tell. The changed source is compiled, so a name that is
//! not known at the new place excludes it. Whether the kernel then computes the same is left to the
//! reader, as for every suggestion.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{Kernel, Operation};

use super::points::{indentation_of_statement, without_comment};
use super::{NEAR, operations};
use crate::report::Sources;
use crate::verdict::Finding;
use crate::verdict::act::Act;
use crate::verdict::fix::{Fix, Insertion, Removal};

/// The most lines that are moved, and the most places for each.
const MOST_LINES: usize = 4;
const MOST_PLACES: usize = 4;

/// The beginnings of statements that are not moved.
const NOT_MOVED: [&str; 8] = ["return", "break", "continue", "goto", "do", "else", "if", "for"];

/// The removal of a line by which a lock is given back that others hold, if it is not the only
/// one.
pub fn without_unlock(kernel: &Kernel, races: &[&Finding], file: &str, sources: &mut Sources) -> Vec<Fix> {
    let mut given_back = races.iter().filter_map(|race| race.locks.as_ref()?.given_back.as_ref());
    let Some(given) = given_back.next().filter(|given| given.file == file) else { return Vec::new() };
    let Some(removed) = statement(sources, file, given.line) else { return Vec::new() };
    // Without another one, nobody would get the lock any more.
    let mut is_same = |line: &u32| *line != given.line && statement(sources, file, *line).as_ref() == Some(&removed);
    let others: Vec<u32> = synchronising(kernel, file).into_iter().filter(&mut is_same).collect();
    // Who executes the one also executes the other, if both are in one block.
    let has_another = others.iter().any(|&other| {
        let (first, last) = (other.min(given.line), other.max(given.line));
        let mut depth = 0_i32;
        (first + 1..last).all(|line| {
            let text = sources.line(file, line).map(without_comment).unwrap_or_default();
            let count = |wanted: char| i32::try_from(text.matches(wanted).count()).unwrap_or(i32::MAX / 2);
            depth -= count('}');
            let is_inside = depth >= 0;
            depth += count('{');
            is_inside && !leaves(text)
        }) && depth == 0
    });
    let removal = Removal { file: file.to_owned(), line: given.line, statement: removed };
    has_another.then(|| Fix { removals: vec![removal], ..Fix::default() }).into_iter().collect()
}

/// Moves of accesses that race, and of operations of asynchronous copies, past operations that
/// synchronise.
pub fn past_signals(kernel: &Kernel, races: &[&Finding], file: &str, sources: &mut Sources) -> Vec<Fix> {
    let accesses = || races.iter().flat_map(|race| &race.accesses).filter(|access| access.file == file);
    let mut lines: Vec<u32> = accesses().map(|access| access.line).collect();
    if accesses().any(|access| matches!(access.act, Act::AsyncRead | Act::AsyncWrite)) {
        let first = lines.iter().min().map_or(1, |line| line.saturating_sub(NEAR));
        let last = lines.iter().max().map_or(1, |line| line.saturating_add(NEAR));
        let closes = |line: &u32| sources.line(file, *line).is_some_and(|text| text.contains("commit"));
        lines.extend((first..=last).filter(closes).collect::<Vec<u32>>());
    }
    let mut seen = BTreeSet::new();
    lines.retain(|line| seen.insert(*line));
    let signals = synchronising(kernel, file);
    let is_past = |from: u32, to: u32| {
        let passed = if to > from { from + 1..to } else { to..from };
        signals.range(passed).next().is_some()
    };
    moves(&lines, (file, sources), |from, to, depth| depth == 0 && is_past(from, to))
}

/// Moves of barriers that not all threads reach, out of the blocks around them.
pub fn of_barriers(findings: &[&Finding], file: &str, sources: &mut Sources) -> Vec<Fix> {
    let accesses = findings.iter().flat_map(|finding| &finding.accesses).filter(|access| access.file == file);
    let lines: BTreeSet<u32> = accesses.map(|access| access.line).collect();
    let lines: Vec<u32> = lines.into_iter().collect();
    moves(&lines, (file, sources), |from, to, depth| to > from && depth < 0)
}

/// The moves of statements that a function allows: from a line to before another one, in a block
/// that is so much deeper.
fn moves(lines: &[u32], (file, sources): (&str, &mut Sources), allows: impl Fn(u32, u32, i32) -> bool) -> Vec<Fix> {
    let mut found = Vec::new();
    for &line in lines.iter().take(MOST_LINES) {
        let Some(statement) = statement(sources, file, line) else { continue };
        if sources.text(file).is_none_or(|text| has_address_taken(&statement, text)) {
            continue;
        }
        let mut places: Vec<u32> = Vec::new();
        for is_down in [true, false] {
            places.extend(reachable((file, sources), line, is_down, &statement, &allows));
        }
        places.sort_by_key(|place| place.abs_diff(line));
        for place in places.into_iter().take(MOST_PLACES) {
            let Some(indentation) = indentation_of_statement(sources, file, place) else { continue };
            let insertion = Insertion { file: file.to_owned(), line: place, indentation, statement: statement.clone() };
            let removal = Removal { file: file.to_owned(), line, statement: statement.clone() };
            found.push(Fix { insertions: vec![insertion], removals: vec![removal], ..Fix::default() });
        }
    }
    found
}

/// The lines before which a statement can be put, in one direction.
fn reachable(
    (file, sources): (&str, &mut Sources),
    line: u32,
    is_down: bool,
    statement: &str,
    allows: &impl Fn(u32, u32, i32) -> bool,
) -> Vec<u32> {
    let (mut depth, mut least) = (0, 0);
    let mut found = Vec::new();
    for distance in 1..=NEAR {
        let Some(place) = (if is_down { line.checked_add(distance + 1) } else { line.checked_sub(distance) }) else {
            break;
        };
        let passed = if is_down { place - 1 } else { place };
        let Some(text) = sources.line(file, passed).map(|text| without_comment(text).to_owned()) else { break };
        if !may_pass(statement, &text) {
            break;
        }
        let count = |wanted: char| i32::try_from(text.matches(wanted).count()).unwrap_or(i32::MAX / 2);
        let (opened, closed) = if is_down { (count('{'), count('}')) } else { (count('}'), count('{')) };
        least = least.min(depth - closed);
        depth += opened - closed;
        // Blocks that begin on the way also end there. Functions are not left.
        let is_function = depth < 0 && sources.line(file, passed).is_some_and(|text| text.starts_with('}'));
        if is_function || !is_down && depth < 0 {
            break;
        }
        if depth == least && allows(line, place, depth) {
            found.push(place);
        }
    }
    found
}

/// Whether a statement and a line may be executed in the other order, as far as names tell.
fn may_pass(statement: &str, line: &str) -> bool {
    let (used, own) = (names(statement), assigned(statement));
    let shares = |with: &BTreeSet<&str>| names(line).iter().any(|name| with.contains(name));
    // A function may change what it is given.
    let calls = line.ends_with(");") && !line.contains('=');
    let changed = if calls { names(line) } else { assigned(line) };
    !leaves(line) && !changed.iter().any(|name| used.contains(name)) && !shares(&own)
}

/// Whether a line may leave the code behind it out.
fn leaves(line: &str) -> bool {
    names(line).iter().any(|name| ["return", "break", "continue", "goto", "case", "default"].contains(name))
}

/// Whether the address of a variable of a statement is taken somewhere in a file: others may change
/// it.
fn has_address_taken(statement: &str, text: &str) -> bool {
    names(statement).into_iter().any(|name| {
        let address = format!("&{name}");
        text.match_indices(&address).any(|(at, _)| {
            let behind = text[at + address.len()..].chars().next();
            behind.is_none_or(|letter| !operations::is_of_name(letter) && letter != '[')
        })
    })
}

/// The indices and sizes that nothing changes.
const CONSTANT: [&str; 4] = ["threadIdx", "blockIdx", "blockDim", "gridDim"];

/// The names of variables in a line, without those of members.
fn names(text: &str) -> BTreeSet<&str> {
    let (mut found, mut at) = (BTreeSet::new(), 0);
    for name in text.split(|letter: char| !operations::is_of_name(letter)) {
        let is_member = text[..at].ends_with('.') || text[..at].ends_with("->");
        let is_name = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        if is_name && !is_member && !CONSTANT.contains(&name) {
            found.insert(name);
        }
        at += name.len() + text[at + name.len()..].chars().next().map_or(0, char::len_utf8);
    }
    found
}

/// The variables that a line assigns to, and the arrays whose elements it assigns to.
fn assigned(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices('=') {
        let (before, behind) = (&text[..at], &text[at + 1..]);
        if behind.starts_with('=')
            || before.ends_with(['=', '!', '<', '>']) && !before.ends_with("<<") && !before.ends_with(">>")
        {
            continue;
        }
        let target = before.trim_end_matches(|letter: char| "+-*/%&|^<> ".contains(letter));
        found.extend(changed_variable(target));
    }
    for sign in ["++", "--"] {
        for (at, _) in text.match_indices(sign) {
            found.extend(changed_variable(&text[..at]));
            let behind = text[at + sign.len()..].trim_start();
            let end = behind.find(|letter: char| !operations::is_of_name(letter)).unwrap_or(behind.len());
            found.extend((end > 0).then(|| &behind[..end]));
        }
    }
    found
}

/// The variable whose value, element or member is named at the end of a text.
fn changed_variable(text: &str) -> Option<&str> {
    let text = without_index(text);
    let name = last_name(text)?;
    let before = text[..text.len() - name.len()].trim_end();
    let object = before.strip_suffix('.').or_else(|| before.strip_suffix("->"));
    object.map_or(Some(name), changed_variable)
}

/// A text without the index at its end.
fn without_index(text: &str) -> &str {
    let mut text = text.trim_end();
    while text.ends_with(']') {
        let mut depth = 0_u32;
        let open = text.char_indices().rev().find(|(_, letter)| {
            match letter {
                ']' => depth += 1,
                '[' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some((open, _)) = open else { return "" };
        text = text[..open].trim_end();
    }
    text
}

/// The name at the end of a text.
fn last_name(text: &str) -> Option<&str> {
    let begin = text.rfind(|letter: char| !operations::is_of_name(letter)).map_or(0, |at| at + 1);
    (begin < text.len()).then(|| &text[begin..])
}

/// The statement that is all of a line.
fn statement(sources: &mut Sources, file: &str, line: u32) -> Option<String> {
    indentation_of_statement(sources, file, line)?;
    let text = sources.line(file, line)?;
    let code = without_comment(text);
    let first = code.split(|letter: char| !operations::is_of_name(letter)).next().unwrap_or_default();
    let is_whole = code.ends_with(';') && code.matches(';').count() == 1 && code.is_ascii();
    let is_plain = !code.contains(['{', '}', '\\', '#']) && !code.contains("/*") && !code.contains("*/");
    let is_open = code.matches('(').count() != code.matches(')').count();
    (is_whole && is_plain && !is_open && !NOT_MOVED.contains(&first)).then(|| code.to_owned())
}

/// The lines of a file with operations by which threads synchronise, and with calls that have them.
fn synchronising(kernel: &Kernel, file: &str) -> BTreeSet<u32> {
    let is_meant = |operation: &Operation| {
        let is_sync = matches!(
            operation,
            Operation::Fence { .. } | Operation::Barrier { .. } | Operation::Phase { .. } | Operation::AsyncWait(_)
        );
        is_sync || operations::is_strong(operation)
    };
    operations::lines(kernel, file, is_meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assigned_variables_are_known() {
        let of = |text: &str| assigned(text).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(of("int v = data[i];"), "v");
        assert_eq!(of("sum += a == b;"), "sum");
        assert_eq!(of("x <<= 2; y >>= 1;"), "x y");
        assert_eq!(of("for (int i = 0; i <= n; ++i) {"), "i");
        assert_eq!(of("n--;"), "n");
        assert_eq!(of("all[i].next->count += 2;"), "all");
        assert_eq!(of("data[at[i]][1] = v;"), "data");
        assert_eq!(of("if (a <= b && c != d) {"), "");
    }

    #[test]
    fn statements_do_not_pass_what_they_need() {
        assert!(may_pass("data[0] = v;", "atomicExch(flag, 1);"));
        assert!(may_pass("int v = data[0];", "while (*flag == 0) {"));
        assert!(!may_pass("out[i] = v;", "int v = data[0];"));
        assert!(!may_pass("int v = data[0];", "out[i] = v;"));
        assert!(!may_pass("data[i] = 1;", "++i;"));
        assert!(!may_pass("*data = src[5] + 1;", "src[5] = n;"));
        assert!(!may_pass("data[i] = n;", "next(i);"));
        assert!(!may_pass("data[0] = n;", "return;"));
        assert!(!may_pass("data[0] = s.x;", "s.y = 1;"));
        assert!(may_pass("sums[blockIdx.x] = n;", "atomicExch(&states[blockIdx.x], 2);"));
    }
}
