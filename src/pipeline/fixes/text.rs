//! The source with a suggested fix, compiled anew.

use std::collections::BTreeMap;
use std::sync::Arc;

use lockstep_ir::kernel::VerifiedKernel;

use crate::frontend::{self, FrontendOptions, ImportedKernel};
use crate::pipeline::input::Input;
use crate::report::Sources;
use crate::verdict::fix::{Fix, Replacement};

/// The same kernel of an input whose source has these changes; `None` if it cannot be read.
///
/// Launches in the source say nothing new.
pub fn imported(fix: &Fix, imported: &ImportedKernel, input: &Input, sources: &mut Sources) -> Option<VerifiedKernel> {
    let text: Arc<str> = applied(fix, &imported.file, sources.text(&imported.file)?)?.into();
    let options =
        FrontendOptions { replaced: Some(text), source_launches: false, hosts: Vec::new(), ..input.frontend.clone() };
    let module = frontend::import(&input.path, &options).ok()?;
    module.kernels.into_iter().find(|kernel| kernel.name == imported.name)?.kernel.ok()
}

/// The text of a file with these changes; `None` if they are not all about the file, or do not fit.
fn applied(fix: &Fix, file: &str, text: &str) -> Option<String> {
    let files = fix.insertions.iter().map(|one| &one.file).chain(fix.replacements.iter().map(|one| &one.file));
    if files.into_iter().any(|of| of != file) {
        return None;
    }
    let mut replacements: BTreeMap<u32, Vec<&Replacement>> = BTreeMap::new();
    for one in &fix.replacements {
        replacements.entry(one.line).or_default().push(one);
    }
    let mut result = String::with_capacity(text.len());
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let end = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
        for inserted in fix.insertions.iter().filter(|inserted| inserted.line == number) {
            result.extend([&inserted.indentation, &inserted.statement, end]);
        }
        let mut line = line.to_owned();
        let mut of_line = replacements.remove(&number).unwrap_or_default();
        // From the end of the line, so that columns stay.
        of_line.sort_by_key(|one| std::cmp::Reverse(one.column));
        for one in of_line {
            let at = usize::try_from(one.column.checked_sub(1)?).ok()?;
            line.get(at..)?.starts_with(&one.old).then_some(())?;
            line.replace_range(at..at + one.old.len(), &one.new);
        }
        result.push_str(&line);
    }
    replacements.is_empty().then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::fix::Insertion;

    #[test]
    fn changes_are_made_where_they_are_meant() {
        let replacement = |line, column, old: &str, new: &str| Replacement {
            file: "a".to_owned(),
            line,
            column,
            old: old.to_owned(),
            new: new.to_owned(),
        };
        let insertion =
            Insertion { file: "a".to_owned(), line: 2, indentation: "  ".to_owned(), statement: "f();".to_owned() };
        let fix = Fix {
            insertions: vec![insertion],
            replacements: vec![replacement(2, 1, "x", "long_name"), replacement(2, 4, "y", "z")],
        };
        assert_eq!(applied(&fix, "a", "one\nx, y\nlast").as_deref(), Some("one\n  f();\nlong_name, z\nlast"));
        assert_eq!(applied(&fix, "a", "one\r\nx, y\r\n").as_deref(), Some("one\r\n  f();\r\nlong_name, z\r\n"));
        assert_eq!(applied(&fix, "a", "one\nx, z\n"), None, "another word is there");
        assert_eq!(applied(&fix, "a", "one\n"), None, "the line is missing");
        assert_eq!(applied(&fix, "b", "one\nx, y\n"), None, "another file");
    }
}
