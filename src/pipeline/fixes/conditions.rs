//! Conditions by which threads wait for each other or choose who goes on, with another comparison
//! or a number that is one more or less: a wait that ends one too early, a counter that is compared
//! with the wrong number.
//!
//! The lines are those of atomic and volatile accesses with a comparison, and those of calls that
//! have such accesses. Only words outside of the operations themselves and of indices change. A
//! condition that never holds would hide the race: the caller requires that runs still come to the
//! accesses of the race, and that some run of each launch ends.

use std::collections::BTreeSet;

use lockstep_ir::kernel::Kernel;

use super::operations::{is_of_name, is_operation, is_strong, lines};
use super::points::without_comment;
use crate::report::Sources;
use crate::verdict::Finding;
use crate::verdict::fix::Replacement;

/// Comparisons, each with the one to try in its place.
const COMPARISONS: [(&str, &str); 6] =
    [(" <= ", " < "), (" >= ", " > "), (" < ", " <= "), (" > ", " >= "), (" == ", " != "), (" != ", " == ")];

/// The most lines whose conditions are changed.
const MOST: usize = 4;

/// The largest number that is changed.
const LARGEST: u64 = 64;

/// Changes of one condition each, in the lines that are nearest to the races first.
pub fn words(kernel: &Kernel, races: &[&Finding], file: &str, sources: &mut Sources) -> Vec<Vec<Replacement>> {
    let accesses = races.iter().flat_map(|race| &race.accesses).filter(|access| access.file == file);
    let raced: BTreeSet<u32> = accesses.map(|access| access.line).collect();
    let mut lines: Vec<u32> = lines(kernel, file, is_strong).into_iter().collect();
    let distance = |line: &u32| raced.iter().map(|other| line.abs_diff(*other)).min();
    lines.sort_by_key(|line| distance(line));
    let mut found = Vec::new();
    let mut changed = 0;
    for line in lines {
        let Some(text) = sources.line(file, line) else { continue };
        let Some(at) = u32::try_from(text.len() - text.trim_start().len() + 1).ok() else { continue };
        let code = without_comment(text);
        let all = variants(code);
        changed += usize::from(!all.is_empty());
        if changed > MOST {
            break;
        }
        found.extend(
            all.into_iter()
                .map(|new| vec![Replacement { file: file.to_owned(), line, column: at, old: code.to_owned(), new }]),
        );
    }
    found
}

/// The variants of a line, each with one other word.
fn variants(code: &str) -> Vec<String> {
    let has_comparison = COMPARISONS.iter().any(|(old, _)| code.contains(old));
    let is_call = code.ends_with(");") && !code.contains('=');
    let is_plain = code.is_ascii() && !code.contains(['"', '\'', '\\', '#', '?']) && !code.contains("/*");
    if !is_plain || !(has_comparison || is_call) || code.starts_with("for") {
        return Vec::new();
    }
    let is_free = free(code);
    let with = |at: usize, length: usize, new: &str| format!("{}{new}{}", &code[..at], &code[at + length..]);
    let mut found = Vec::new();
    for (old, new) in COMPARISONS {
        for (at, _) in code.match_indices(old).filter(|(at, _)| is_free[*at]) {
            found.push(with(at, old.len(), new));
        }
    }
    let mut at = 0;
    while at < code.len() {
        let digits = code[at..].bytes().take_while(u8::is_ascii_digit).count();
        let is_whole = !code[..at].ends_with(|letter: char| is_of_name(letter) || letter == '.');
        let is_decimal = !code[at + digits..].starts_with(['x', 'X', '.', 'e', 'f']);
        if digits > 0
            && is_whole
            && is_decimal
            && is_free[at]
            && let Ok(number) = code[at..at + digits].parse::<u64>()
            && number <= LARGEST
        {
            let near = number.checked_sub(1).into_iter().chain([number + 1]);
            found.extend(near.map(|near| with(at, digits, &near.to_string())));
        }
        at += digits.max(1);
    }
    found
}

/// For each letter, whether it is outside of indices and of the arguments of operations.
fn free(code: &str) -> Vec<bool> {
    let (mut open, mut found) = (Vec::new(), Vec::with_capacity(code.len()));
    let mut name = 0..0;
    for (at, letter) in code.char_indices() {
        match letter {
            '(' => open.push(is_operation(&code[name.clone()])),
            '[' => open.push(true),
            ')' | ']' => _ = open.pop(),
            _ => {}
        }
        name = if is_of_name(letter) { name.start..at + 1 } else { at + 1..at + 1 };
        found.push(!open.contains(&true));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_differ_in_one_word() {
        assert_eq!(
            variants("while (atomicAdd(&rows[b - 1], 0) < row) {"),
            ["while (atomicAdd(&rows[b - 1], 0) <= row) {"]
        );
        assert_eq!(
            variants("is_last = atomicAdd(count, 1) == n - 2;"),
            [
                "is_last = atomicAdd(count, 1) != n - 2;",
                "is_last = atomicAdd(count, 1) == n - 1;",
                "is_last = atomicAdd(count, 1) == n - 3;"
            ]
        );
        assert_eq!(
            variants("meet(count, step * n - 1);"),
            ["meet(count, step * n - 0);", "meet(count, step * n - 2);"]
        );
        for none in ["*flag = 1;", "atomicExch(flag, 1);", "for (int i = 0; i < 4; ++i)", "s = \"x < y\" == 1;"] {
            assert_eq!(variants(none), [""; 0], "{none}");
        }
    }
}
