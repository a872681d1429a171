//! Lines of flags, as headers of kernel files and recorded launches have them.

/// Stands for `#` while a line is split.
const HASH: char = '\u{1}';

/// The flags of a line, split as a shell does, except that `#` begins no comment: no flag may be
/// skipped.
///
/// # Errors
///
/// A quote is not closed, or the line has a control character.
pub fn split(line: &str) -> Result<Vec<String>, String> {
    if line.contains(HASH) {
        return Err("control character".to_owned());
    }
    let words = shell_words::split(&line.replace('#', &HASH.to_string())).map_err(|cause| cause.to_string())?;
    Ok(words.into_iter().map(|word| word.replace(HASH, "#")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_split_as_a_shell_does_without_comments() {
        assert_eq!(split(r#"-DA="x y" 'b c' d\ e "" f"#).unwrap(), ["-DA=x y", "b c", "d e", "", "f"]);
        assert_eq!(split("-DA #x '#y' -DB").unwrap(), ["-DA", "#x", "#y", "-DB"]);
        assert!(split("a 'b").is_err() && split("a \u{1}").is_err());
    }
}
