//! `verify --fix-suggestions DIR`: each suggested fix as a patch.
//!
//! `DIR/KERNEL-NUMBER.patch` is a unified diff of the kernel's file, for `patch -p1` or `git
//! apply`. The changed source is the one that was verified ([`Fix::applied`]).
//!
//! [`Fix::applied`]: crate::verdict::fix::Fix::applied

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use similar::TextDiff;

use crate::report::Sources;
use crate::verdict::KernelReport;
use crate::witness::safe;

/// The beginning of each patch, by which one is known. Tools pass over the lines before the diff.
const MARK: &str = "A fix suggested by lockstep verify --fix-suggestions";

/// Whether patches can be written below this folder, which is a folder or does not exist.
///
/// # Errors
/// It is something else.
pub fn check(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() && !folder.is_dir() {
        bail!("--fix-suggestions: {} is not a folder", folder.display());
    }
    Ok(())
}

/// Writes the fixes of all kernels, and returns messages about them.
///
/// # Errors
/// A file cannot be written, or is there and no patch of ours. Then nothing is written.
pub fn write(folder: &Path, reports: &[KernelReport]) -> anyhow::Result<Vec<String>> {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let (mut all, mut notes) = (Vec::new(), Vec::new());
    for report in reports.iter().filter(|report| report.fix.is_some()) {
        let name = safe(&report.name);
        let number = numbers.entry(name.clone()).or_default();
        *number += 1;
        let Some(patch) = patch(report) else {
            notes.push(format!("note: {} has changed since, so the fix of {name} is not written", report.file));
            continue;
        };
        let place = folder.join(format!("{name}-{number}.patch"));
        refuse_others(&place)?;
        all.push((place, patch));
    }
    for (place, patch) in &all {
        fs::write(place, patch).with_context(|| format!("cannot write the fix {}", place.display()))?;
        notes.push(format!("note: a fix was written to {}", place.display()));
    }
    Ok(notes)
}

/// The patch of a kernel with a fix; `None` if its file has changed since.
fn patch(report: &KernelReport) -> Option<String> {
    let fix = report.fix.as_ref()?;
    let file = fix.replacements.iter().map(|one| &one.file).chain(fix.insertions.iter().map(|one| &one.file)).next()?;
    let mut sources = Sources::named(&report.sources);
    let before = sources.text(file)?;
    let after = fix.applied(file, before)?;
    // Absolute paths, too, are below the prefixes.
    let path = file.trim_start_matches("./").trim_start_matches('/');
    let diff = TextDiff::from_lines(before, &after);
    let diff = diff.unified_diff().header(&format!("a/{path}"), &format!("b/{path}")).to_string();
    Some(format!("{MARK}, with which the kernel {} is verified.\n\n{diff}", safe(&report.name)))
}

/// Refuses to replace a file that is no patch of ours.
fn refuse_others(place: &PathBuf) -> anyhow::Result<()> {
    match fs::read_to_string(place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(text) if text.starts_with(MARK) => Ok(()),
        Ok(_) | Err(_) => bail!("--fix-suggestions: {} is there already and is none; remove it", place.display()),
    }
}
