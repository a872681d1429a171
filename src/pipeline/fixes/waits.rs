//! Waits for asynchronous copies that leave too many of them under way.
//!
//! A wait names the number of newest batches that it does not wait for. A smaller number makes it
//! wait for more.

use std::collections::BTreeSet;

use crate::report::Sources;
use crate::verdict::Finding;
use crate::verdict::act::Act;
use crate::verdict::fix::Replacement;

/// The texts before and behind the number.
const WAITS: [(&str, &str); 4] = [
    ("__pipeline_wait_prior(", ")"),
    ("pipeline_consumer_wait_prior<", ">"),
    ("wait_prior<", ">"),
    ("cp.async.wait_group ", ";"),
];

/// The most waits that are changed.
const MOST: usize = 4;

/// Changes of one wait each, the smallest one first.
pub fn words(races: &[&Finding], sources: &mut Sources) -> Vec<Vec<Replacement>> {
    let accesses = || races.iter().flat_map(|race| &race.accesses);
    if !accesses().any(|access| matches!(access.act, Act::AsyncRead | Act::AsyncWrite)) {
        return Vec::new();
    }
    let files: BTreeSet<&str> = accesses().map(|access| access.file.as_str()).collect();
    let mut found = Vec::new();
    for file in files {
        let Some(text) = sources.text(file) else { continue };
        let waits = (1..).zip(text.lines()).filter_map(|(line, text)| Some((line, number(text)?))).take(MOST);
        for (line, (at, old)) in waits {
            let Ok(column) = u32::try_from(at + 1) else { continue };
            let change = |new: String| Replacement { file: file.to_owned(), line, column, old: old.to_owned(), new };
            found.extend(smaller(old).into_iter().map(|new| vec![change(new)]));
        }
    }
    found
}

/// The number in the only wait of a line, and its position.
fn number(text: &str) -> Option<(usize, &str)> {
    let code = text.split("//").next().unwrap_or_default();
    let (begin, end) = WAITS.into_iter().find(|(begin, _)| code.contains(begin))?;
    let at = code.find(begin)? + begin.len();
    let length = code[at..].find(end)?;
    let number = code[at..at + length].trim();
    let is_sum = number.chars().all(|letter| letter.is_ascii_alphanumeric() || "_+-* ".contains(letter));
    let is_only = text.is_ascii() && code.matches(begin).count() == 1;
    (is_sum && is_only && !number.is_empty()).then(|| (at + code[at..].find(number).unwrap_or_default(), number))
}

/// Smaller numbers, the largest ones first.
fn smaller(number: &str) -> Vec<String> {
    if let Ok(number) = number.parse::<u32>() {
        return (0..number.min(8)).rev().map(|less| less.to_string()).collect();
    }
    let less =
        match number.rsplit_once("- ").and_then(|(before, last)| Some((before, last.trim().parse::<u32>().ok()?))) {
            Some((before, last)) => format!("{before}- {}", last.saturating_add(1)),
            None => format!("{number} - 1"),
        };
    vec![less, "0".to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_have_their_number() {
        assert_eq!(number("  __pipeline_wait_prior( STAGES - 1 );"), Some((25, "STAGES - 1")));
        assert_eq!(number("asm(\"cp.async.wait_group 2;\");"), Some((25, "2")));
        assert_eq!(number("cuda::pipeline_consumer_wait_prior<1>(p);"), Some((35, "1")));
        assert_eq!(number("__pipeline_wait_prior(f(1));"), None);
        assert_eq!(number("// __pipeline_wait_prior(1);"), None);
    }

    #[test]
    fn smaller_numbers_wait_for_more() {
        assert_eq!(smaller("2"), ["1", "0"]);
        assert_eq!(smaller("0"), [""; 0]);
        assert_eq!(smaller("STAGES - 1"), ["STAGES - 2", "0"]);
        assert_eq!(smaller("STAGES"), ["STAGES - 1", "0"]);
    }
}
