//! `--write-requires`: preconditions that were found, in a `lockstep.toml`.
//!
//! Each kernel gets a table of its own behind the others, which stay as they are. A condition that
//! the file gives the kernel already is not among those that were found.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use glob::Pattern;

use super::read::{Configuration, located};
use crate::bounded;
use crate::command::output::write_file;
use crate::pipeline::Input;
use crate::report;
use crate::verdict::KernelReport;

/// Appends the preconditions of kernels to a file, which is made if there is none.
///
/// The result is the number of kernels.
///
/// # Errors
///
/// The file is no configuration, or cannot be written.
pub fn write_requires(path: &Path, reports: &[KernelReport], inputs: &[Input]) -> anyhow::Result<usize> {
    let known = match bounded::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = fs::canonicalize(folder).with_context(|| format!("there is no folder {}", folder.display()))?;
    let mut tables = BTreeSet::new();
    for report in reports.iter().filter(|report| !report.requires.is_empty()) {
        let Some(input) = inputs.get(report.input) else { continue };
        let Ok(file) = fs::canonicalize(&input.path) else { continue };
        // The configuration is about files below it.
        let Ok(file) = file.strip_prefix(&folder) else { continue };
        let table = table(&file.display().to_string(), report);
        if !known.contains(&table) {
            tables.insert(table);
        }
    }
    if tables.is_empty() {
        return Ok(0);
    }
    let mut text = known;
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    for table in &tables {
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = write!(text, "{gap}{table}");
    }
    if let Err(problems) = Configuration::parse(&text, path.to_owned(), folder) {
        let all: Vec<String> = problems.iter().map(|problem| located(path, problem)).collect();
        anyhow::bail!("--write-requires: {}", all.join("\nerror: "));
    }
    write_file(path, &text)?;
    Ok(tables.len())
}

/// The table of a kernel.
fn table(file: &str, report: &KernelReport) -> String {
    let requires: Vec<String> = report.requires.iter().map(|condition| quoted(condition)).collect();
    format!(
        "[[override]]\nfiles = [{}]\nkernels = [{}]\nassume = [{}]\n",
        quoted(&Pattern::escape(file)),
        quoted(&Pattern::escape(&report.name)),
        requires.join(", ")
    )
}

/// A string of TOML: those of JSON are.
fn quoted(text: &str) -> String {
    serde_json::Value::from(report::renamed(text).into_owned()).to_string()
}
