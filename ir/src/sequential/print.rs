//! Prints sequential programs, pleasant to read and readable by [`super::parse()`].

use super::Program;

/// What a printed program shows beside its statements.
#[derive(Default)]
pub struct PrintOptions<'a> {
    /// The text of a source line, by file name and line number; shown beside the statements it became.
    pub source_line: Option<&'a dyn Fn(&str, u32) -> Option<String>>,
}

/// The program as text.
pub fn print(_program: &Program, _options: &PrintOptions<'_>) -> String {
    String::new()
}
