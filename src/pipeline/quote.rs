//! Quotations of the source for the assumptions in the report.
//!
//! The stages know the line of an assumption; its text is in the file.

use lockstep_ir::assumption::{Assumed, Assumptions};

use crate::report::Sources;

/// The name prefixes of functions that assume. A function that is only specified ensures its
/// contract without proof.
const ASSUMING: [&str; 8] = [
    "__requires(",
    "__global_requires(",
    "__ensures(",
    "__global_ensures(",
    "__assume(",
    "__axiom(",
    "__add_noovfl_",
    "__builtin_assume(",
];

/// Adds to each assumption of the source the calls that stand on its line, if the file can be read.
pub fn quote_source(assumptions: &mut Assumptions, sources: &mut Sources) {
    assumptions.for_each_mut(|assumption| {
        let Assumed::Source { place, calls } = &mut assumption.what else { return };
        if let (Some(text), Ok(line)) = (sources.text(&place.file), usize::try_from(place.line)) {
            *calls = assuming_calls(text, line);
        }
    });
}

/// The calls on a line (counted from 1) that assume something, each as one line.
fn assuming_calls(text: &str, line: usize) -> Vec<String> {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = &text[start..];
    let this_line = rest.split('\n').next().unwrap_or_default();
    let mut calls = Vec::new();
    let mut at = 0;
    while at < this_line.len() {
        let continues_word = |before: &str| before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let here = this_line.get(..at).is_some_and(|before| !continues_word(before));
        let call = here.then(|| ASSUMING.iter().find(|name| rest[at..].starts_with(**name))).flatten();
        match call.and_then(|_| balanced(&rest[at..])) {
            Some(call) => {
                at += call.len();
                calls.push(call.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            None => at += 1,
        }
    }
    calls
}

/// The text up to the parenthesis that closes its first one.
fn balanced(text: &str) -> Option<&str> {
    const LONGEST: usize = 2_000;
    let mut depth = 0_usize;
    for (at, character) in text.char_indices().take(LONGEST) {
        match character {
            '(' => depth += 1,
            ')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return text.get(..=at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_quoted_whole() {
        let text =
            "void k() {\n  __requires(a < (b)); int x = __add_noovfl_int(a,\n    b); not__assume(c); __assume(d)";
        assert_eq!(assuming_calls(text, 2), ["__requires(a < (b))", "__add_noovfl_int(a, b)"]);
        assert_eq!(assuming_calls(text, 3), ["__assume(d)"]);
        assert!(assuming_calls(text, 1).is_empty());
        assert!(assuming_calls(text, 9).is_empty());
        assert!(assuming_calls("ä __assume(", 1).is_empty());
    }
}
