//! Files that contain their own expectations, and can be rewritten with what is found.

use std::path::Path;

use super::ensure::Failure;

/// `write` rewrites the files.
const VARIABLE: &str = "LOCKSTEP_TEST_BLESS";

/// Fails if a file differs from the text that it ought to have, unless it is rewritten.
pub fn ensure_blessed(path: &Path, text: &str, expected: &str) -> Result<(), Failure> {
    if text == expected {
        return Ok(());
    }
    if std::env::var_os(VARIABLE).is_some_and(|value| value == "write") {
        std::fs::write(path, expected)?;
        return Ok(());
    }
    let lines = text.lines().map(Some).chain([None]).zip(expected.lines().map(Some).chain([None]));
    let first = (1..).zip(lines).find(|(_, (old, new))| old != new);
    let (line, (old, new)) = first.ok_or("the files differ in the ends of lines")?;
    let told = |line: Option<&str>| line.unwrap_or("(the end)").trim().to_owned();
    Err(format!("line {line}: `{}` is expected, `{}` found ({VARIABLE}=write rewrites the file)", told(old), told(new))
        .into())
}
