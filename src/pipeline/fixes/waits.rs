//! Waits for asynchronous copies that leave too many of them under way.
//!
//! A wait names the number of newest batches that it does not wait for. A smaller number makes it
//! wait for more.

use std::collections::BTreeSet;

use lockstep_ir::kernel::Kernel;

use super::text::lines_of;
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
pub fn words(kernel: &Kernel, races: &[&Finding], sources: &mut Sources) -> Vec<Vec<Replacement>> {
    let accesses = || races.iter().flat_map(|race| &race.accesses);
    if !accesses().any(|access| matches!(access.act, Act::AsyncRead | Act::AsyncWrite)) {
        return Vec::new();
    }
    let files: BTreeSet<&str> = accesses().map(|access| access.file.as_str()).collect();
    let mut found = Vec::new();
    for file in files {
        let lines = lines_of(kernel, file).into_iter();
        let waits: Vec<(u32, Wait)> =
            lines.filter_map(|line| Some((line, wait(sources.line(file, line)?)?))).take(MOST).collect();
        for (line, Wait { at, begin, number, end }) in waits {
            let Ok(column) = u32::try_from(at + 1) else { continue };
            let call = |number: &str| format!("{begin}{number}{end}");
            let change = |less: String| Replacement {
                file: file.to_owned(),
                line,
                column,
                old: call(&number),
                new: call(less.trim()),
            };
            found.extend(smaller(number.trim()).into_iter().map(|less| vec![change(less)]));
        }
    }
    found
}

/// The text of a wait.
#[derive(Debug, PartialEq, Eq)]
struct Wait {
    at: usize,
    begin: &'static str,
    number: String,
    end: &'static str,
}

/// The only wait of a line.
fn wait(text: &str) -> Option<Wait> {
    let code = text.split("//").next().unwrap_or_default();
    let (begin, end) = WAITS.into_iter().find(|(begin, _)| code.contains(begin))?;
    let at = code.find(begin)?;
    let behind = &code[at + begin.len()..];
    let number = behind[..behind.find(end)?].to_owned();
    let is_sum = number.chars().all(|letter| letter.is_ascii_alphanumeric() || "_+-* ".contains(letter));
    let is_only = text.is_ascii() && !code.contains("/*") && code.matches(begin).count() == 1;
    (is_sum && is_only && !number.trim().is_empty()).then_some(Wait { at, begin, number, end })
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
        let number = |text: &str| wait(text).map(|wait| (wait.at, wait.number));
        assert_eq!(number("  __pipeline_wait_prior( STAGES - 1 );"), Some((2, " STAGES - 1 ".to_owned())));
        assert_eq!(number("asm(\"cp.async.wait_group 2;\");"), Some((5, "2".to_owned())));
        assert_eq!(number("cuda::pipeline_consumer_wait_prior<1>(p);"), Some((6, "1".to_owned())));
        assert_eq!(number("__pipeline_wait_prior(f(1));"), None);
        assert_eq!(number("// __pipeline_wait_prior(1);"), None);
        assert_eq!(number("/* it */ __pipeline_wait_prior(1);"), None);
    }

    #[test]
    fn smaller_numbers_wait_for_more() {
        assert_eq!(smaller("2"), ["1", "0"]);
        assert_eq!(smaller("0"), [""; 0]);
        assert_eq!(smaller("STAGES - 1"), ["STAGES - 2", "0"]);
        assert_eq!(smaller("STAGES"), ["STAGES - 1", "0"]);
    }
}
