//! Fingerprints: the identity of findings across runs.
//!
//! A fingerprint is computed from the subject of a finding: its code, the kernel and the name of
//! its file, the array, and whether the threads share a group. For each access it includes the kind
//! and the text of its line and of the calls that lead to it. It does not include line numbers,
//! folders, sizes or values. So edits elsewhere, the location of the sources, and the launch that
//! the solver happens to show make no difference. The accesses have no order: either thread may be
//! the first. A number distinguishes two findings of a run that agree in all of this.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use lockstep_findings::{race, undecided};
use lockstep_verdict::{AccessShown, Finding, KernelReport};
use sha2::{Digest, Sha256};

use super::Sources;

/// The number of bytes of the hash that are kept.
const BYTES: usize = 16;

/// Computes the fingerprints of a run.
pub fn assign(reports: &mut [KernelReport]) {
    let mut sources = Sources::of(reports);
    let mut seen = BTreeMap::new();
    for report in reports {
        let kernel = [base_name(&report.file), report.name.clone()];
        for finding in &mut report.findings {
            finding.fingerprint = numbered(&mut seen, of_finding(finding, &kernel, &mut sources));
        }
        if let Some(code) = undecided::code(report) {
            report.fingerprint = numbered(&mut seen, of_verdict(report, code, &kernel, &mut sources));
        }
    }
}

/// The hash, and the number of its occurrences in the run so far, from 1.
fn numbered(seen: &mut BTreeMap<String, u32>, hash: String) -> String {
    let number = seen.entry(hash.clone()).or_default();
    *number += 1;
    format!("{hash}:{number}")
}

fn of_finding(finding: &Finding, kernel: &[String; 2], sources: &mut Sources) -> String {
    let mut accesses: Vec<Vec<String>> = finding.accesses.iter().map(|access| of_access(access, sources)).collect();
    accesses.sort();
    // Whether runs explain a race depends on time.
    let mut parts = vec![race::unexplained(finding.code).to_owned()];
    parts.extend_from_slice(kernel);
    parts.push(finding.scope.unwrap_or_default().to_owned());
    parts.push(finding.array.clone().unwrap_or_default());
    for access in accesses {
        // The number of lines distinguishes two accesses from one access through more calls.
        parts.push(access.len().to_string());
        parts.extend(access);
    }
    hash(&parts)
}

fn of_access(access: &AccessShown, sources: &mut Sources) -> Vec<String> {
    let mut lines = |file: &str, line| sources.line(file, line).map(without_layout).unwrap_or_default();
    let mut parts = vec![access.act.name().to_owned(), lines(&access.file, access.line)];
    parts.extend(access.stack.iter().map(|frame| lines(&frame.file, frame.line)));
    parts
}

/// The fingerprint of a kernel that is not decided.
fn of_verdict(report: &KernelReport, code: &str, kernel: &[String; 2], sources: &mut Sources) -> String {
    // Which of the two limits is hit may depend on the machine.
    let limited = [undecided::out_of_time::CODE, undecided::out_of_memory::CODE];
    let code = if limited.contains(&code) { undecided::unproved::CODE } else { code };
    let refused = report.refused_at().and_then(|place| sources.line(&place.file, place.line));
    let line = refused.map(without_layout).unwrap_or_default();
    hash(&[code.to_owned(), kernel[0].clone(), kernel[1].clone(), line])
}

/// The name of the file without its folders, which differ from machine to machine.
fn base_name(file: &str) -> String {
    Path::new(file).file_name().map_or_else(|| file.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The line without the white space that a formatter might change: only the space that separates
/// words remains.
fn without_layout(line: &str) -> String {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut text = String::new();
    for part in line.split_whitespace() {
        if text.ends_with(is_word) && part.starts_with(is_word) {
            text.push(' ');
        }
        text.push_str(part);
    }
    text
}

fn hash(parts: &[String]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hash.finalize()[..BYTES].iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;
    use lockstep_verdict::act::Act;

    use super::*;

    fn access(act: Act) -> AccessShown {
        AccessShown {
            file: "nowhere.cl".into(),
            line: 3,
            column: 5,
            act,
            block: vec![0],
            thread: vec![1],
            loops: Vec::new(),
            stack: Vec::new(),
            arithmetic: String::new(),
        }
    }

    fn race(scope: &'static str, acts: [Act; 2]) -> Finding {
        Finding {
            code: "LS0101",
            kind: "race",
            subkind: Some(acts.map(Act::name).join("-")),
            scope: Some(scope),
            confirmed: false,
            is_warning: true,
            hinges: Vec::new(),
            lacks: Vec::new(),
            locks: None,
            witness: None,
            array: Some("a".into()),
            offset_bytes: Some(4),
            place: None,
            accesses: acts.map(access).to_vec(),
            also: Vec::new(),
            parameters: IndexMap::new(),
            block: vec![64],
            grid: vec![1],
            fingerprint: String::new(),
            picture: None,
        }
    }

    #[test]
    fn either_thread_may_be_the_first() {
        let of = |finding: &Finding| of_finding(finding, &["a.cl".into(), "k".into()], &mut Sources::default());
        let print = of(&race("intra-group", [Act::Read, Act::Write]));
        assert_eq!(print, of(&race("intra-group", [Act::Write, Act::Read])));
        assert_ne!(print, of(&race("intra-group", [Act::Write, Act::Write])));
        assert_ne!(print, of(&race("inter-group", [Act::Read, Act::Write])));
        let elsewhere = Finding { array: Some("b".into()), ..race("intra-group", [Act::Read, Act::Write]) };
        assert_ne!(print, of(&elsewhere));
    }

    #[test]
    fn layout_does_not_matter_but_words_do() {
        assert_eq!(without_layout("\tint i =  x [ 1 ] ;"), without_layout("int i = x[1];"));
        assert_ne!(without_layout("int i"), without_layout("inti"));
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        let hash = |parts: [&str; 2]| hash(&parts.map(str::to_owned));
        assert_ne!(hash(["ab", "c"]), hash(["a", "bc"]));
        assert_eq!(hash(["ab", "c"]).len(), 2 * BYTES);
    }

    #[test]
    fn equal_ones_are_numbered() {
        let mut seen = BTreeMap::new();
        let numbers = ["a", "b", "a"].map(|hash| numbered(&mut seen, hash.to_owned()));
        assert_eq!(numbers, ["a:1", "b:1", "a:2"]);
    }
}
