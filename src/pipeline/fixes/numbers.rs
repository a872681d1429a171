//! Numbers of threads at named barriers, and masks of lanes, that are wrong in the source.
//!
//! The count of a named barrier is a multiple of the size of a warp, and a mask has a bit for each
//! lane. So the numbers to try are few: other multiples, and the mask with the lane that the
//! finding says is not in it.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{BarrierKind, Kernel, Operation};

use super::operations::{is_of_name, lines};
use super::points::without_comment;
use super::{WARP, number_in_block};
use crate::findings::{lane_not_in_mask, named_barrier};
use crate::report::Sources;
use crate::verdict::Finding;
use crate::verdict::fix::Replacement;

/// The most changes of one number.
const MOST: usize = 4;

/// Changes of one number each.
pub fn words(kernel: &Kernel, findings: &[&Finding], file: &str, sources: &mut Sources) -> Vec<Vec<Replacement>> {
    let of_kind = |kind: &'static str| findings.iter().filter(move |finding| finding.kind == kind);
    let mut found = Vec::new();
    for finding in of_kind(lane_not_in_mask::KIND) {
        let Some(access) = finding.accesses.first().filter(|access| access.file == file) else { continue };
        let lane = number_in_block(access, &finding.block) % WARP;
        found.extend(changes(access.line, (file, sources), |mask, text| {
            let is_mask = text.starts_with("0x") && mask < 1 << WARP && mask >> lane & 1 == 0;
            is_mask.then(|| vec![format!("0x{:0width$x}", mask | 1 << lane, width = text.len() - 2)])
        }));
    }
    if of_kind(named_barrier::KIND).next().is_some() {
        let most = findings.iter().map(|finding| finding.block.iter().product::<u64>()).max().unwrap_or(0);
        for line in lines(kernel, file, is_named) {
            found.extend(changes(line, (file, sources), |number, text| {
                let is_count = number > 0 && number % WARP == 0 && !text.starts_with("0x");
                let mut others: Vec<u64> = (1..=most / WARP).map(|warps| warps * WARP).collect();
                others.retain(|other| *other != number);
                others.sort_by_key(|other| other.abs_diff(number));
                is_count.then(|| others.iter().take(MOST).map(u64::to_string).collect())
            }));
        }
    }
    found
}

fn is_named(operation: &Operation) -> bool {
    let is_named = |kind: &BarrierKind| matches!(kind, BarrierKind::Named { .. } | BarrierKind::Arrive { .. });
    matches!(operation, Operation::Barrier { kind, .. } if is_named(kind))
}

/// The changes of each number of a line to others.
fn changes(
    line: u32,
    (file, sources): (&str, &mut Sources),
    others: impl Fn(u64, &str) -> Option<Vec<String>>,
) -> Vec<Vec<Replacement>> {
    let Some(code) = sources.line(file, line).map(without_comment_behind) else { return Vec::new() };
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (at, number) in numbers(code) {
        let value = match number.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => number.parse(),
        };
        let (Ok(value), Ok(column)) = (value, u32::try_from(at + 1)) else { continue };
        for new in others(value, number).into_iter().flatten() {
            let (file, old) = (file.to_owned(), number.to_owned());
            let change = Replacement { file, line, column, old, new };
            found.extend(seen.insert(change.clone()).then(|| vec![change]));
        }
    }
    found
}

/// A line up to its comment, with the white space before it.
fn without_comment_behind(text: &str) -> &str {
    let code = without_comment(text);
    text.find(code).map_or(text, |at| &text[..at + code.len()])
}

/// The numbers of a line with their positions, without suffixes.
fn numbers(code: &str) -> Vec<(usize, &str)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while code.is_ascii() && at < code.len() {
        let word: usize = code[at..].chars().take_while(|letter| is_of_name(*letter)).count();
        let text = &code[at..at + word];
        let number = text.trim_end_matches(['u', 'U', 'l', 'L']);
        let is_decimal = number.bytes().all(|digit| digit.is_ascii_digit());
        let is_hexadecimal =
            number.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        // Numbers of operands in instructions have a sign before them.
        let is_operand = code[..at].ends_with(['%', '.', '$']);
        if !number.is_empty() && (is_decimal || is_hexadecimal) && !is_operand {
            found.push((at, number));
        }
        at += word.max(1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_source() {
        assert_eq!(numbers("sync(1 + pair, 64u);"), [(5, "1"), (15, "64")]);
        assert_eq!(numbers("__syncwarp(0x00ffUL);"), [(11, "0x00ff")]);
        assert_eq!(numbers("asm(\"bar.sync %0, 128;\" :: \"r\"(x2));"), [(18, "128")]);
    }
}
