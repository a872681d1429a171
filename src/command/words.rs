//! Splits flags into words as a shell does.

/// The words of a line: between blanks outside quotes, with quotes and backslashes removed.
pub fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (Some('"') | None, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some(_), _) => word.get_or_insert_default().push(character),
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does() {
        assert_eq!(split(r#"-DA="x y" 'b c' d\ e "" f"#), ["-DA=x y", "b c", "d e", "", "f"]);
        assert_eq!(split(r#" a  "b c"d 'e\f' g\ h "" "#), ["a", "b cd", "e\\f", "g h", ""]);
        assert_eq!(split("").len(), 0);
    }
}
