//! The search goes on behind the first defect, and shows one finding for each cause.
//!
//! Each kernel of `tests/further/` has several defects:
//!
//! * Line 1: `//causes: N`, the number of findings that are shown.
//! * Line 2: `//` and the flags.
//!
//! The marks are those of all confirmed findings, whether they are shown or named in another one.
//! With `MENDED` defined the kernel is verified.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::Group;
use crate::harness::{Failure, all_findings, concerned_lines, ensure, expect_verdict, marks, sole_kernel};

fn verify(path: &Path, source: &str, more: &[&str]) -> Result<Value, Failure> {
    let flags = source.lines().nth(1).and_then(|line| line.strip_prefix("//")).ok_or("the second line has no flags")?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
    command.arg("verify").arg(path).args(flags.split(' ')).args(["--without", "preconditions"]).args(more);
    sole_kernel(&command.args(["--format", "json", "--timeout=300"]).output()?)
}

fn all_causes_are_shown(path: &Path, source: &str) -> Result<(), Failure> {
    let causes = source.lines().next().and_then(|line| line.strip_prefix("//causes: ")?.parse::<usize>().ok());
    let kernel = verify(path, source, &[])?;
    expect_verdict(&kernel, "defect")?;
    let shown = kernel["findings"].as_array().ok_or("no findings")?;
    let of = |finding: &Value| (finding["kind"].as_str().unwrap_or_default().to_owned(), concerned_lines(finding));
    let found: BTreeSet<_> =
        all_findings(&kernel).into_iter().filter(|finding| finding["confirmed"] == true).map(of).collect();
    let marked = marks(source)?.confirmed;
    let marked: BTreeSet<_> = marked.into_iter().map(|((kind, _), lines)| (kind, lines)).collect();
    ensure(found == marked, || format!("{found:?} was found, {marked:?} is marked"))?;
    ensure(Some(shown.len()) == causes, || format!("{} findings are shown", shown.len()))
}

fn mended_kernel_is_verified(path: &Path, source: &str) -> Result<(), Failure> {
    expect_verdict(&verify(path, source, &["-D", "MENDED"])?, "verified")
}

pub fn groups() -> Vec<Group> {
    let kernels = r"\.c[lu]$";
    vec![
        Group::new(all_causes_are_shown, "tests/further", kernels),
        Group::new(mended_kernel_is_verified, "tests/further", kernels),
    ]
}
