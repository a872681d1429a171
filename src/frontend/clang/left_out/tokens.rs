//! Tokens of C++ text.

use std::ops::Range;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its bytes.
    pub bytes: Range<usize>,
    /// Its line, from 0.
    pub line: usize,
    /// Whether it is an identifier or a keyword.
    pub is_word: bool,
    /// Whether it stands in a system header.
    pub is_system: bool,
}

impl Token {
    /// Its text.
    pub fn text<'a>(&self, of: &'a str) -> &'a str {
        of.get(self.bytes.clone()).unwrap_or_default()
    }
}

/// The tokens of a text. Comments and directives are white space.
///
/// Punctuators have one character each. No token belongs to a system header yet.
pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 0);
    let mut begins_line = true;
    while at < bytes.len() {
        let is_directive = begins_line && bytes[at] == b'#';
        let end = if is_directive { end_of_line(bytes, at) } else { end_of_token(bytes, at) };
        let piece = &bytes[at..end];
        let is_space = piece[0].is_ascii_whitespace() || is_comment(piece);
        if !is_space && !is_directive {
            let is_word =
                is_of_word(piece[0]) && !piece[0].is_ascii_digit() && piece.iter().all(|&byte| is_of_word(byte));
            found.push(Token { bytes: at..end, line, is_word, is_system: false });
        }
        begins_line = is_space && (begins_line || piece.contains(&b'\n'));
        line += piece.split(|&byte| byte == b'\n').count() - 1;
        at = end;
    }
    found
}

/// The text with comments replaced by blanks. Lines and columns stay as they are.
pub fn without_comments(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut at = 0;
    while at < bytes.len() {
        let end = end_of_token(&bytes, at);
        if is_comment(&bytes[at..end]) {
            blank(&mut bytes[at..end]);
        }
        at = end;
    }
    bytes
}

/// Replaces everything but line ends by blanks.
pub fn blank(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| !matches!(**byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

fn is_comment(piece: &[u8]) -> bool {
    piece.starts_with(b"//") || piece.starts_with(b"/*")
}

/// The end of the token, the comment or the white space that starts here.
fn end_of_token(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let while_is = |is: fn(u8) -> bool| at + rest.iter().take_while(|&&byte| is(byte)).count();
    match rest {
        [first, ..] if first.is_ascii_whitespace() => while_is(|byte| byte.is_ascii_whitespace()),
        [b'/', b'/', ..] => end_of_line(bytes, at),
        [b'/', b'*', ..] => find(bytes, at + 2, b"*/").map_or(bytes.len(), |end| end + 2),
        [b'"' | b'\'', ..] => end_of_quoted(bytes, at),
        [b'.', b'0'..=b'9', ..] | [b'0'..=b'9', ..] => end_of_number(bytes, at),
        [first, ..] if is_of_word(*first) => {
            let end = while_is(is_of_word);
            match (&bytes[at..end], bytes.get(end)) {
                (b"R" | b"LR" | b"uR" | b"UR" | b"u8R", Some(b'"')) => end_of_raw(bytes, end),
                (b"L" | b"u" | b"U" | b"u8", Some(b'"' | b'\'')) => end_of_quoted(bytes, end),
                _ => end,
            }
        }
        _ => at + 1,
    }
}

/// The end of a line whose end no backslash hides.
fn end_of_line(bytes: &[u8], at: usize) -> usize {
    let is_end = |&end: &usize| bytes[end] == b'\n' && !ends_in_backslash(&bytes[..end]);
    (at..bytes.len()).find(is_end).unwrap_or(bytes.len())
}

/// Whether the next line belongs to this one.
pub fn ends_in_backslash(line: &[u8]) -> bool {
    line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\")
}

fn find(bytes: &[u8], from: usize, word: &[u8]) -> Option<usize> {
    let found = bytes.get(from..)?.windows(word.len()).position(|window| window == word)?;
    Some(from + found)
}

/// The end of a string or a character; it ends with its line at the latest.
fn end_of_quoted(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let mut end = at + 1;
    while end < bytes.len() {
        match bytes[end] {
            b'\\' => end += 1,
            b'\n' => return end,
            byte if byte == quote => return end + 1,
            _ => {}
        }
        end += 1;
    }
    bytes.len()
}

/// The end of a raw string whose quotation mark stands here.
fn end_of_raw(bytes: &[u8], at: usize) -> usize {
    let Some(open) = find(bytes, at, b"(") else { return bytes.len() };
    let close = [b")", &bytes[at + 1..open], b"\""].concat();
    find(bytes, open, &close).map_or(bytes.len(), |end| end + close.len())
}

fn end_of_number(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    while end < bytes.len() {
        let is_exponent = matches!(bytes[end], b'+' | b'-') && matches!(bytes[end - 1], b'e' | b'E' | b'p' | b'P');
        let separates = bytes[end] == b'\'' && bytes.get(end + 1).is_some_and(|&next| is_of_word(next));
        if !(is_of_word(bytes[end]) || bytes[end] == b'.' || separates || is_exponent && end > at) {
            break;
        }
        end += 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|token| token.text(text)).collect()
    }

    #[test]
    fn a_text_falls_into_its_tokens() {
        assert_eq!(texts("a+=1'000.5e-3f; // b\n/* c */ d"), ["a", "+", "=", "1'000.5e-3f", ";", "d"]);
        assert_eq!(texts(r#"R"x({)" )x" L'\'' "\"{" u8"}""#), [r#"R"x({)" )x""#, r"L'\''", r#""\"{""#, r#"u8"}""#]);
        assert_eq!(texts("don't\nfoo"), ["don", "'t", "foo"]);
        assert_eq!(texts("// a \\\n b\nc"), ["c"]);
        assert_eq!(texts(" # define x \\\n y\nz # w"), ["z", "#", "w"]);
    }

    #[test]
    fn comments_leave_blanks() {
        let text = without_comments(b"a /* b\nc */ \"/*\" // d\ne".to_vec());
        assert_eq!(text, b"a     \n     \"/*\"     \ne");
    }
}
