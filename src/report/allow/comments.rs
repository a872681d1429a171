//! The line comments of a source text that the compiler may see.
//!
//! Strings, character literals, raw strings and block comments are skipped, and so are comments
//! on lines of directives and below `#if 0`. After a `#line` directive nothing counts: the numbers
//! of the lines are then not those of the file.

/// A `//` comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its line, from 1.
    pub line: u32,
    /// Its text behind the slashes, without blanks around it.
    pub text: String,
    /// Whether nothing else is on its line.
    pub is_alone: bool,
    /// Whether a condition of the preprocessor decides whether the compiler sees it.
    pub is_conditional: bool,
}

/// The comments, in their order.
pub fn comments(text: &str) -> Vec<Comment> {
    let mut scanner = Scanner { letters: text.chars().collect(), at: 0, line: 1, ..Scanner::default() };
    scanner.run();
    scanner.found
}

/// A condition of the preprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    /// `#if 0`: the compiler does not see what is below.
    Off,
    /// Around a whole header, so that it is included once.
    Guard,
    /// Any other.
    Open,
}

#[derive(Debug, Default)]
struct Scanner {
    letters: Vec<char>,
    at: usize,
    line: u32,
    /// Whether something other than blanks and comments is on this line.
    has_code: bool,
    conditions: Vec<Condition>,
    /// Whether any code or directive came before.
    has_begun: bool,
    found: Vec<Comment>,
}

impl Scanner {
    fn run(&mut self) {
        while let Some(letter) = self.peek(0) {
            match (letter, self.peek(1)) {
                ('\n', _) => self.next_line(),
                ('/', Some('/')) => self.comment(),
                ('/', Some('*')) => self.block_comment(),
                ('#', _) if !self.has_code => {
                    if !self.directive() {
                        return;
                    }
                }
                ('"' | '\'', _) => self.quoted(letter),
                (letter, _) if letter.is_whitespace() => self.at += 1,
                (letter, _) if is_word(letter) => self.word(),
                _ => self.code(1),
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.letters.get(self.at + ahead).copied()
    }

    fn next_line(&mut self) {
        self.at += 1;
        self.line = self.line.saturating_add(1);
        self.has_code = false;
    }

    fn code(&mut self, letters: usize) {
        self.at += letters;
        self.has_code = true;
        self.has_begun = true;
    }

    /// Goes to the end of the line, and of the lines that continue it. Returns the text.
    fn rest_of_line(&mut self) -> String {
        let mut text = String::new();
        while let Some(letter) = self.peek(0).filter(|&letter| letter != '\n') {
            match (letter, self.peek(1), self.peek(2)) {
                ('\\', Some('\n'), _) => self.continued(2),
                ('\\', Some('\r'), Some('\n')) => self.continued(3),
                _ => {
                    text.push(letter);
                    self.at += 1;
                }
            }
        }
        text
    }

    fn continued(&mut self, letters: usize) {
        self.at += letters;
        self.line = self.line.saturating_add(1);
    }

    fn comment(&mut self) {
        let line = self.line;
        self.at += 2;
        let text = self.rest_of_line().trim().to_owned();
        let is_off = self.conditions.contains(&Condition::Off);
        // A comment of several lines has no line that it is about.
        if !is_off && line == self.line {
            let is_conditional = self.conditions.contains(&Condition::Open);
            self.found.push(Comment { line, text, is_alone: !self.has_code, is_conditional });
        }
    }

    fn block_comment(&mut self) {
        self.at += 2;
        while let Some(letter) = self.peek(0) {
            match (letter, self.peek(1)) {
                ('*', Some('/')) => {
                    self.at += 2;
                    return;
                }
                ('\n', _) => self.continued(1),
                _ => self.at += 1,
            }
        }
    }

    /// A directive; returns whether lines keep their numbers.
    fn directive(&mut self) -> bool {
        self.at += 1;
        let first = !self.has_begun;
        let text = self.rest_of_line();
        let text = text.split("//").next().unwrap_or_default();
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        match name {
            "if" if words.next() == Some("0") => self.conditions.push(Condition::Off),
            "ifndef" if first => self.conditions.push(Condition::Guard),
            "if" | "ifdef" | "ifndef" => self.conditions.push(Condition::Open),
            "else" | "elif" | "elifdef" | "elifndef" => {
                if let Some(last) = self.conditions.last_mut() {
                    *last = Condition::Open;
                }
            }
            "endif" => {
                self.conditions.pop();
            }
            "line" => return false,
            name if name.starts_with(|letter: char| letter.is_ascii_digit()) => return false,
            _ => {}
        }
        self.has_begun = true;
        true
    }

    fn quoted(&mut self, quote: char) {
        self.code(1);
        while let Some(letter) = self.peek(0) {
            match letter {
                '\\' => {
                    if self.peek(1) == Some('\n') {
                        self.continued(2);
                    } else {
                        self.at += 2;
                    }
                }
                // It was no literal, such as an apostrophe in disabled text.
                '\n' => return,
                letter => {
                    self.at += 1;
                    if letter == quote {
                        return;
                    }
                }
            }
        }
    }

    /// A name or a number; numbers may have apostrophes. A raw string follows some names.
    fn word(&mut self) {
        let start = self.at;
        let is_number = self.letters[start].is_ascii_digit();
        while let Some(letter) = self.peek(0) {
            let separates = is_number && letter == '\'' && self.peek(1).is_some_and(is_word);
            if !is_word(letter) && !separates {
                break;
            }
            self.code(1);
        }
        let word: String = self.letters[start..self.at].iter().collect();
        if self.peek(0) == Some('"') && ["R", "LR", "uR", "UR", "u8R"].contains(&word.as_str()) {
            self.raw_string();
        }
    }

    fn raw_string(&mut self) {
        self.code(1);
        let mut end: Vec<char> = vec![')'];
        while let Some(letter) = self.peek(0).filter(|&letter| letter != '(') {
            if letter == '\n' || end.len() > 16 {
                return;
            }
            end.push(letter);
            self.at += 1;
        }
        end.push('"');
        while self.at < self.letters.len() {
            if self.letters[self.at..].starts_with(&end) {
                self.at += end.len();
                return;
            }
            if self.peek(0) == Some('\n') { self.continued(1) } else { self.at += 1 }
        }
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(u32, String)> {
        comments(text).into_iter().map(|comment| (comment.line, comment.text)).collect()
    }

    #[test]
    fn only_comments_that_the_compiler_sees_count() {
        let text = "a = \"// no\"; // one\nchar c = '\"'; // two\n/* // no\n// no */ // three\n#if 0\n// no\n#else\n// four\n\
            #endif // no\n#define M(x) x \\\n  // no\nint n = 1'000'000; // five\nR\"x(\n// no )\" )x\"; // six\n";
        let found = lines(text);
        let expected = [(1, "one"), (2, "two"), (4, "three"), (8, "four"), (12, "five"), (14, "six")];
        assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn comments_know_their_surroundings() {
        let text = "#ifndef H\n#define H\n// alone\nint a; // behind\n#ifdef X\n// perhaps\n#endif\n#endif\n";
        let found: Vec<(bool, bool)> =
            comments(text).iter().map(|comment| (comment.is_alone, comment.is_conditional)).collect();
        assert_eq!(found, [(true, false), (false, false), (true, true)]);
    }

    #[test]
    fn lines_that_are_renumbered_have_no_comments() {
        assert_eq!(lines("// one\n#line 7\n// no\n"), [(1, "one".to_owned())]);
        assert_eq!(lines("# 7 \"a.h\"\n// no\n"), []);
        assert_eq!(lines("// goes on \\\nhere\n// two\n"), [(3, "two".to_owned())]);
    }
}
