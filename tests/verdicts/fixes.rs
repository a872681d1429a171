//! Suggested fixes: the source with the suggested lines is verified.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::Group;
use crate::harness::{Case, Failure, ensure, expect_verdict, run, sole_kernel};

/// The files for which a fix is expected.
const MENDED: &str = include_str!("mended.txt");

/// A fix is suggested for the listed files, and the files with it are verified. Others may have
/// one, too: whether a fix is found depends on the time, which grows with the time limit.
fn fix_mends_the_source(path: &Path, source: &str) -> Result<(), Failure> {
    let case = Case::read(source)?;
    let name = path.file_name().and_then(|name| name.to_str()).ok_or("a file name that is not UTF-8")?;
    let is_listed = MENDED.lines().any(|line| line == name);
    let output = Command::new(env!("CARGO_BIN_EXE_lockstep"))
        .arg("verify")
        .arg(path)
        .args(&case.flags)
        .args(["--without", "preconditions", "--without", "further-defects", "--format", "json"])
        .args((!case.flags.iter().any(|flag| flag.starts_with("--timeout"))).then_some("--timeout=120"))
        .output()?;
    let kernel = sole_kernel(&output)?;
    let Some(fix) = kernel.get("fix") else {
        return ensure(!is_listed, || "no fix is suggested".to_owned());
    };
    let folder = tempfile::tempdir()?;
    let mended = folder.path().join(name);
    std::fs::write(&mended, with_fix(source, fix)?)?;
    expect_verdict(&sole_kernel(&run(&case.flags, &mended)?)?, "verified")
}

/// The source with the lines of a fix, as an editor would put them there.
fn with_fix(source: &str, fix: &Value) -> Result<String, Failure> {
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    let all = |key: &str| fix[key].as_array().map_or(&[][..], Vec::as_slice);
    let changes = ["insertions", "replacements", "removals"].map(|key| all(key).len());
    ensure(changes.iter().sum::<usize>() > 0, || "a fix without changes".to_owned())?;
    let number = |change: &Value| change["line"].as_u64().and_then(|line| usize::try_from(line).ok());
    let mut removed = std::collections::BTreeSet::new();
    for removal in all("removals") {
        let line = number(removal).and_then(|line| line.checked_sub(1)).ok_or("no line")?;
        let statement = removal["statement"].as_str().ok_or("no statement")?;
        ensure(lines.get(line).is_some_and(|text| text.contains(statement)), || format!("not there: {statement}"))?;
        removed.insert(line);
    }
    for replacement in all("replacements").iter().rev() {
        let text = |key: &str| replacement[key].as_str().ok_or_else(|| format!("a replacement without {key}"));
        let number = |key: &str| replacement[key].as_u64().and_then(|number| usize::try_from(number).ok());
        let (line, column) = number("line").zip(number("column")).ok_or("no place")?;
        let line = lines.get_mut(line.checked_sub(1).ok_or("line 0")?).ok_or("no such line")?;
        let (before, rest) = line.split_at_checked(column.checked_sub(1).ok_or("column 0")?).ok_or("no such column")?;
        let behind = rest.strip_prefix(text("old")?).ok_or_else(|| format!("another word in: {line}"))?;
        *line = format!("{before}{}{behind}", text("new")?);
    }
    let mut inserted = Vec::new();
    for insertion in all("insertions") {
        let text = |key: &str| insertion[key].as_str().ok_or_else(|| format!("an insertion without {key}"));
        let line = number(insertion).and_then(|line| line.checked_sub(1)).ok_or("no line")?;
        inserted.push((line, format!("{}{}", text("indentation")?, text("statement")?)));
    }
    let mut result = Vec::new();
    for (at, line) in lines.into_iter().enumerate() {
        result.extend(inserted.iter().filter(|(before, _)| *before == at).map(|(_, text)| text.clone()));
        result.extend((!removed.contains(&at)).then_some(line));
    }
    Ok(result.join("\n"))
}

/// The tests, and the files of each.
pub fn groups() -> Vec<Group> {
    vec![
        Group::new(fix_mends_the_source, "examples", r"^[^/]*_defect\.(cl|cu)$").sampled(8),
        Group::new(fix_mends_the_source, "tests/synchronisation", r"_defect_.*\.(cl|cu)$").sampled(8),
    ]
}
