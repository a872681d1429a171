//! `verify --fix-suggestions DIR`: each suggested fix as a patch.
//!
//! `DIR/KERNEL-NUMBER.patch` is a unified diff of the kernel's file, for `patch -p1` or `git
//! apply`. The changed source is the one that was verified ([`Fix::applied`]).
//!
//! [`Fix::applied`]: crate::verdict::fix::Fix::applied

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::bail;
use similar::TextDiff;

use crate::bounded;
use crate::command::output::write_with;
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
    let (mut all, mut notes): (Vec<(PathBuf, String)>, Vec<String>) = (Vec::new(), Vec::new());
    for report in reports.iter().filter(|report| report.fix.is_some()) {
        let name = safe(&report.name);
        let number = numbers.entry(name.clone()).or_default();
        *number += 1;
        let Some(patch) = patch(report) else {
            notes.push(format!("note: the fix of {name} cannot be written as a patch of {}", report.file));
            continue;
        };
        let place = folder.join(format!("{name}-{number}.patch"));
        refuse_others(&place)?;
        all.push((place, patch));
    }
    for (place, patch) in &all {
        write_with(place, |file| file.write_all(patch.as_bytes()))?;
        notes.push(format!("note: a fix was written to {}", place.display()));
    }
    Ok(notes)
}

/// The patch of a kernel with a fix; `None` if the changes no longer fit its file, or the file has
/// ends of lines that no patch keeps.
fn patch(report: &KernelReport) -> Option<String> {
    let fix = report.fix.as_ref()?;
    let file = fix.files().next()?;
    let before = bounded::read_to_string(Path::new(file)).ok()?;
    let after = fix.applied(file, &before)?;
    if after.replace("\r\n", "\n").contains('\r') {
        return None;
    }
    // Absolute paths, too, are below the prefixes.
    let path = file.trim_start_matches("./").trim_start_matches('/');
    let diff = TextDiff::from_lines(&before, &after);
    let diff = diff.unified_diff().header(&format!("a/{path}"), &format!("b/{path}")).to_string();
    Some(format!("{MARK}, with which the kernel {} is verified.\n\n{diff}", safe(&report.name)))
}

/// Refuses to replace what is no patch of ours: another file, a link, a pipe.
fn refuse_others(place: &Path) -> anyhow::Result<()> {
    let is_ours = || {
        let mut begin = String::new();
        let length = u64::try_from(MARK.len()).expect("a line is short");
        File::open(place).and_then(|file| file.take(length).read_to_string(&mut begin)).is_ok() && begin == MARK
    };
    match fs::symlink_metadata(place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(known) if known.is_file() && is_ours() => Ok(()),
        Ok(_) | Err(_) => bail!("--fix-suggestions: {} is no patch of an earlier run; remove it", place.display()),
    }
}
