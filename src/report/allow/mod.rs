//! Findings that the source allows: `// lockstep: allow(LS0101) reason`.
//!
//! A comment behind code is about its line; one that is alone on its line is about the next line
//! with anything else. It allows the findings with one of its codes that have an access there. An
//! allowed finding stays in the report and the verdict stays as it is, but the finding does not
//! count for the exit status. A comment without a reason allows nothing.

mod comments;

use std::collections::{BTreeMap, BTreeSet};

use lockstep_findings::manual::every_kind;
use lockstep_findings::{KINDS, race, undecided};
use lockstep_verdict::{Allowed, Finding, KernelReport, Verdict};

use super::Sources;
use comments::{Comment, comments};

/// The beginning of every comment for Lockstep.
const MARK: &str = "lockstep:";

/// Whether a text has a comment that may allow something.
pub fn is_mentioned(text: &str) -> bool {
    text.contains(MARK)
}

/// A comment that allows findings.
#[derive(Debug)]
struct Allowance {
    /// The line of the comment.
    line: u32,
    /// The line that it is about.
    about: u32,
    codes: Vec<&'static str>,
    reason: String,
    is_conditional: bool,
    is_used: bool,
}

/// Sets the allowed findings of all reports aside. Returns warnings about comments that are wrong;
/// about those that allow nothing as well, if `is_whole`: all kernels were asked for, with all
/// checks.
pub fn set_aside(reports: &mut [KernelReport], is_whole: bool) -> Vec<String> {
    let mut sources = Sources::of(reports);
    let mut warnings = Vec::new();
    let names: BTreeSet<String> = reports.iter().flat_map(|report| &report.sources).cloned().collect();
    let mut files: BTreeMap<String, Vec<Allowance>> = BTreeMap::new();
    for name in names {
        let Some(text) = sources.text(&name).filter(|text| is_mentioned(text)) else { continue };
        let (allowances, wrong) = read(text);
        warnings.extend(wrong.into_iter().map(|(line, message)| format!("warning: {name}:{line}: {message}")));
        files.insert(name, allowances);
    }
    for report in reports.iter_mut() {
        let findings = std::mem::take(&mut report.findings);
        for finding in findings {
            match allowed(&finding, &mut files) {
                Some((reason, file, line)) => report.allowed.push(Allowed { finding, reason, file, line }),
                None => report.findings.push(finding),
            }
        }
    }
    if is_whole {
        warnings.extend(unused(&files, reports));
    }
    warnings
}

/// The reason and the place of the comment that allows a finding.
fn allowed(finding: &Finding, files: &mut BTreeMap<String, Vec<Allowance>>) -> Option<(String, String, u32)> {
    for access in finding.accesses.iter().filter(|access| access.line > 0) {
        let of_file = files.get_mut(&access.file).into_iter().flatten();
        let mut fitting = of_file.filter(|one| one.about == access.line && one.allows(finding.code));
        if let Some(one) = fitting.next() {
            one.is_used = true;
            return Some((one.reason.clone(), access.file.clone(), one.line));
        }
    }
    None
}

/// Warnings about comments that allow nothing, in files whose kernels are all decided.
fn unused(files: &BTreeMap<String, Vec<Allowance>>, reports: &[KernelReport]) -> Vec<String> {
    let is_open = |report: &&KernelReport| matches!(report.verdict, Verdict::Unknown | Verdict::Error);
    let open: BTreeSet<&String> = reports.iter().filter(is_open).flat_map(|report| &report.sources).collect();
    let decided = files.iter().filter(|(name, _)| !open.contains(name));
    let unused = decided.flat_map(|(name, all)| all.iter().map(move |one| (name, one)));
    let unused = unused.filter(|(_, one)| !one.is_used && !one.is_conditional);
    unused
        .map(|(name, one)| format!("warning: {name}:{}: no finding {} here to allow", one.line, one.codes.join(" or ")))
        .collect()
}

/// The allowances of a text, and what is wrong with other comments for Lockstep, by line.
fn read(text: &str) -> (Vec<Allowance>, Vec<(u32, String)>) {
    let all = comments(text);
    let alone: BTreeSet<u32> = all.iter().filter(|comment| comment.is_alone).map(|comment| comment.line).collect();
    let (mut allowances, mut wrong) = (Vec::new(), Vec::new());
    for comment in &all {
        let Some(rest) = comment.text.strip_prefix(MARK) else { continue };
        match codes_and_reason(rest.trim()) {
            Ok((codes, reason)) => allowances.push(allowance(comment, codes, reason, &alone)),
            Err(message) => wrong.push((comment.line, message)),
        }
    }
    (allowances, wrong)
}

impl Allowance {
    /// Whether it allows findings with this code. Whether runs explain a race depends on time.
    fn allows(&self, code: &str) -> bool {
        self.codes.iter().any(|allowed| *allowed == code || *allowed == race::unexplained(code))
    }
}

fn allowance(comment: &Comment, codes: Vec<&'static str>, reason: String, alone: &BTreeSet<u32>) -> Allowance {
    let mut about = comment.line;
    while alone.contains(&about) {
        about = about.saturating_add(1);
    }
    let is_conditional = comment.is_conditional;
    Allowance { line: comment.line, about, codes, reason, is_conditional, is_used: false }
}

/// The parts of `allow(LS0101) reason`.
fn codes_and_reason(text: &str) -> Result<(Vec<&'static str>, String), String> {
    const FORM: &str = "// lockstep: allow(LS0101) reason";
    let inner = text.strip_prefix("allow").map(str::trim_start).and_then(|rest| rest.strip_prefix('('));
    let Some((codes, reason)) = inner.and_then(|inner| inner.split_once(')')) else {
        return Err(format!("a comment for Lockstep has the form `{FORM}`"));
    };
    let codes = codes.split(',').map(|code| finding_code(code.trim())).collect::<Result<Vec<_>, _>>()?;
    let reason = reason.trim().trim_start_matches([':', '-']).trim();
    if reason.is_empty() {
        return Err(format!("it allows nothing without a reason: `{FORM}`"));
    }
    Ok((codes, reason.to_owned()))
}

fn finding_code(name: &str) -> Result<&'static str, String> {
    let is_it = |code: &str, kind: &str| code.eq_ignore_ascii_case(name) || kind.eq_ignore_ascii_case(name);
    if let Some(kind) = KINDS.iter().find(|kind| is_it(kind.code, kind.name)) {
        return Ok(kind.code);
    }
    if undecided::KINDS.iter().any(|kind| is_it(kind.code, kind.name)) {
        return Err(format!("{name} is no finding but a missing answer, which cannot be allowed"));
    }
    let known: Vec<&str> = every_kind().map(|kind| kind.code).collect();
    Err(format!("no finding has the code `{name}`; `lockstep explain` knows {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_about_its_line_or_the_next_one() {
        let text = "// lockstep: allow(LS0101) one\n// lockstep: allow(race, LS0105): two\na; // lockstep: allow(LS0101) three\n";
        let (found, wrong) = read(text);
        let found: Vec<(u32, usize, &str)> =
            found.iter().map(|one| (one.about, one.codes.len(), one.reason.as_str())).collect();
        assert_eq!(found, [(3, 1, "one"), (3, 2, "two"), (3, 1, "three")]);
        assert!(wrong.is_empty());
    }

    #[test]
    fn wrong_comments_allow_nothing() {
        for (text, part) in [
            ("// lockstep: allow(LS0101)", "without a reason"),
            ("// lockstep: allow LS0101 why", "has the form"),
            ("// lockstep: allow() why", "no finding has the code"),
            ("// lockstep: allow(LS9999) why", "no finding has the code `LS9999`"),
            ("// lockstep: allow(LS0203) why", "missing answer"),
        ] {
            let (found, wrong) = read(text);
            assert!(found.is_empty() && wrong.len() == 1 && wrong[0].1.contains(part), "{text}: {wrong:?}");
        }
        assert!(read("s = \"// lockstep: allow(LS0101) why\";").0.is_empty());
    }
}
