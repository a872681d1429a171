//! Makes text of others harmless for a terminal.
//!
//! A terminal executes control characters as commands, and some other characters change the order
//! in which it shows text. Names in LLVM's input may contain any of them, and so may Clang's
//! messages and source lines.

use std::borrow::Cow;

/// The text with a picture in place of each character that a terminal acts on, including line ends.
pub fn one_line(text: &str) -> Cow<'_, str> {
    replaced(text, |c| acts(c) || c == '\n' || c == '\t')
}

/// The same, but line ends and tabulators are kept.
pub fn lines(text: &str) -> Cow<'_, str> {
    replaced(text, acts)
}

/// The same, but the colours of reports are kept.
pub fn coloured(text: &str) -> Cow<'_, str> {
    if !text.chars().any(acts) {
        return Cow::Borrowed(text);
    }
    let mut all = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        all.push_str(&lines(&rest[..at]));
        let length = colour(&rest[at..]);
        all.push_str(if length > 0 { &rest[at..at + length] } else { "\u{241b}" });
        rest = &rest[at + length.max(1)..];
    }
    all.push_str(&lines(rest));
    Cow::Owned(all)
}

/// Whether a terminal may act on a character. Line ends and tabulators are harmless.
fn acts(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn replaced(text: &str, is_replaced: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_replaced) {
        return Cow::Borrowed(text);
    }
    let picture = |c: char| match u32::from(c) {
        code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap_or('\u{fffd}'),
        0x7f => '\u{2421}',
        _ => '\u{fffd}',
    };
    Cow::Owned(text.chars().map(|c| if is_replaced(c) { picture(c) } else { c }).collect())
}

/// The length of the sequence that begins a text if it sets a colour or a weight, else 0.
///
/// None of these sequences hides text.
fn colour(text: &str) -> usize {
    let Some(codes) = text.strip_prefix("\u{1b}[") else { return 0 };
    let Some(end) = codes.find(|c: char| !c.is_ascii_digit() && c != ';').filter(|&end| codes[end..].starts_with('m'))
    else {
        return 0;
    };
    let is_colour =
        |code: &str| matches!(code.parse(), Ok(0..=4 | 22 | 24 | 30..=37 | 39 | 90..=97)) || code.is_empty();
    if codes[..end].split(';').all(is_colour) { "\u{1b}[".len() + end + 1 } else { 0 }
}

/// A count with its noun: `1 check`, `2 checks`, `0 solver queries`.
pub fn count(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_get_no_commands() {
        let hostile = "a\u{1b}]0;x\u{7}\tb\r\n\u{202e}c\u{9b}2J";
        assert_eq!(lines(hostile), "a\u{241b}]0;x\u{2407}\tb\u{240d}\n\u{fffd}c\u{fffd}2J");
        assert_eq!(one_line("a\nb"), "a\u{240a}b");
        assert_eq!(coloured("\u{1b}[1m\u{1b}[91mred\u{1b}[0m"), "\u{1b}[1m\u{1b}[91mred\u{1b}[0m");
        assert_eq!(coloured("\u{1b}[8mx\u{1b}[2J\u{1b}"), "\u{241b}[8mx\u{241b}[2J\u{241b}");
        assert!(matches!(lines("plain\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn counts_of_things() {
        let counts =
            [count(0_u64, "check"), count(1_u64, "solver query"), count(2_u64, "solver query"), count(1_u64, "file")];
        assert_eq!(counts, ["0 checks", "1 solver query", "2 solver queries", "1 file"]);
    }
}
