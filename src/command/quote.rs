//! Quotes the source where the report lists what it assumes.
//!
//! The stages know the line of an assumption; its words are in the file.

use crate::report::Sources;

/// How an assumption of the source is listed, before its line.
pub const SOURCE_ASSUMPTION: &str = "the source's own assumption on line ";

/// The functions that assume, by the beginnings of their names; a function that is only specified ensures without proof.
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

/// Adds to each assumption that the source itself makes what stands there, if the file can be read.
pub fn quote_source(assumptions: &mut [String], kernel_file: &str, sources: &mut Sources) {
    for assumption in assumptions {
        let Some(place) = assumption.strip_prefix(SOURCE_ASSUMPTION) else { continue };
        let (line, file) = match place.split_once(" of ") {
            Some((line, file)) => (line, file),
            None => (place, kernel_file),
        };
        let Ok(line) = line.parse::<usize>() else { continue };
        let Some(text) = sources.text(file) else { continue };
        let found = assuming_calls(text, line);
        if !found.is_empty() {
            let found: Vec<String> = found.iter().map(|call| format!("`{call}`")).collect();
            *assumption = format!("{assumption}: {}", found.join(", "));
        }
    }
}

/// The calls on a line (from 1) that assume something, in one line each.
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

/// The text up to the parenthesis that closes the first one.
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
