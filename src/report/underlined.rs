//! The part of a source line that belongs to an access: from the place that the compiler gives it
//! to the words to underline.

use std::ops::Range;

use lockstep_verdict::AccessShown;

use super::Sources;

/// The column of an access in every report: the beginning of the underlined part, in characters
/// from 1. It is the compiler's column if the source cannot be read or has no such place.
pub fn column(access: &AccessShown, sources: &mut Sources) -> u32 {
    let mut begin = || {
        let text = sources.text(&access.file)?;
        let span = span(text, access.line, access.column)?;
        let before = &text[..span.start];
        let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
        u32::try_from(line.chars().count() + 1).ok()
    };
    if access.column == 0 { 0 } else { begin().unwrap_or(access.column) }
}

/// The bytes of the source to underline, from the access's column to the end of the word. Without a
/// column it is the whole line.
pub fn span(text: &str, line: u32, column: u32) -> Option<Range<usize>> {
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    let mut start = 0;
    let line = text.split_inclusive('\n').enumerate().find_map(|(number, line)| {
        if number == index {
            return Some(line);
        }
        start += line.len();
        None
    })?;
    let line = line.trim_end();
    let column = usize::try_from(column).ok()?;
    if column == 0 || column > line.len() || !line.is_char_boundary(column - 1) {
        let indent = line.len() - line.trim_start().len();
        return Some(start + indent..start + line.len());
    }
    let part = around(line, column - 1);
    Some(start + part.start..start + part.end)
}

/// The part to underline at a column of a line. It is `a[i + 1]` from its first letter on, and for
/// an assignment operator the target of the assignment.
fn around(line: &str, at: usize) -> Range<usize> {
    let bytes = line.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    if is_word(bytes[at]) {
        let mut end = at + bytes[at..].iter().take_while(|&&byte| is_word(byte)).count();
        // Only an index belongs to the access; the parentheses of a call are its arguments.
        while bytes.get(end) == Some(&b'[')
            && let Some(close) = closing(&bytes[end..])
        {
            end += close + 1;
        }
        return at..end;
    }
    let operator = bytes[at..].iter().take_while(|&&byte| b"+-*/%&|^<>=".contains(&byte)).count();
    if operator > 0 && bytes[at..at + operator].ends_with(b"=") {
        let left = line[..at].trim_end();
        let start = assigned(left.as_bytes());
        if start < left.len() && line.is_char_boundary(start) {
            return start..left.len();
        }
    }
    at..at + line[at..].chars().next().map_or(0, char::len_utf8)
}

/// The position of the bracket that closes the one at the beginning of the text.
fn closing(text: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    text.iter().position(|byte| {
        match byte {
            b'[' | b'(' => depth += 1,
            b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

/// The beginning of the assignment's target, given the text in front of the operator: `a[i].x` at
/// its end.
fn assigned(left: &[u8]) -> usize {
    let mut depth = 0usize;
    let mut start = left.len();
    while start > 0 {
        match left[start - 1] {
            b']' | b')' => depth += 1,
            b'[' | b'(' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            byte if byte.is_ascii_alphanumeric() || b"_.".contains(&byte) || !byte.is_ascii() => {}
            b'>' if start > 1 && left[start - 2] == b'-' => {}
            b'-' if left.get(start) == Some(&b'>') => {}
            b'*' if start == left.len() || left.get(start) != Some(&b' ') => {}
            _ => break,
        }
        start -= 1;
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_at_the_column_is_underlined() {
        let text = "first\n  A[gid] = 1;\n";
        let part = |line, column| span(text, line, column).map(|span| &text[span]);
        assert_eq!(part(2, 5), Some("gid"));
        assert_eq!(part(2, 3), Some("A[gid]"));
        assert_eq!(part(2, 4), Some("["));
        assert_eq!(part(2, 10), Some("A[gid]"));
        assert_eq!(part(2, 0), Some("A[gid] = 1;"));
        assert_eq!(part(2, 99), Some("A[gid] = 1;"));
        assert_eq!(part(3, 1), None);
        assert_eq!(part(0, 1), None);
    }

    #[test]
    fn places_that_are_assigned_to_are_underlined() {
        let part = |line: &str, at| line[around(line, at)].to_owned();
        assert_eq!(part("if (i < n) c[i].x += a[i];", 18), "c[i].x");
        assert_eq!(part("*p = 1;", 3), "*p");
        assert_eq!(part("t[i + 1][j] = t[j][i];", 12), "t[i + 1][j]");
        assert_eq!(part("t[i + 1][j] = t[j][i];", 14), "t[j][i]");
        assert_eq!(part("f(x);", 0), "f");
        assert_eq!(part("a == b", 0), "a");
    }
}
