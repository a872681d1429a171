//! Answers about whole programs: verdicts on kernels in the programs that launch them.
//!
//! The programs are those of `benches/programs/`: a file each, or a folder with several files. Each
//! is verified as it is, which is right, and with `DEFECT` defined, which seeds one defect that its
//! own `main` triggers. The first two lines of a program name it and its defect:
//!
//! ```text
//! // program: ONE SENTENCE
//! // defect: KERNEL: KIND: ONE SENTENCE
//! ```
//!
//! `//~ KIND` ends each line where a finding of the seeded defect is right; the kind is `race`,
//! `bounds` or `divergence`. The totals are
//!
//! * the share of kernels that are verified or conditional, without the defect;
//! * the answers about the kernels with the seeded defect, of which `verified` is a missed defect;
//! * the share of confirmed findings in kernels called `defect` that are at a marked line.
//!
//! A finding elsewhere is wrong in most cases, because the program never launches the kernel with
//! those arguments or contents. The benchmark cannot tell, so read it.
//!
//! `cargo bench --bench programs -- NAME` takes programs whose name contains NAME, and
//! `--timeout=SECONDS`. The table goes to stdout and, with every number, to
//! `target/bench-programs.json`.

mod shared;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use lockstep::report;
use serde::Serialize;
use serde_json::Value;
use shared::Words;

/// The default time limit of a kernel, in seconds.
const TIMEOUT: f64 = 30.0;

/// The endings of the files that have kernels, or templates of them.
const SOURCES: [&str; 5] = ["cl", "cu", "cuh", "h", "hip"];

/// A program, and its seeded defect.
struct Program {
    name: String,
    path: PathBuf,
    /// The name of the kernel with the seeded defect.
    kernel: String,
    /// The file names, numbers and kinds of the marked lines.
    marked: BTreeSet<(String, u64, String)>,
}

/// The answer about a kernel.
#[derive(Serialize)]
struct Answer {
    program: String,
    defective: bool,
    kernel: String,
    /// Whether the defect is seeded in this kernel.
    seeded: bool,
    verdict: String,
    reason: Option<String>,
    requires: Vec<String>,
    seconds: f64,
    /// Confirmed findings at marked lines and elsewhere.
    at_mark: usize,
    elsewhere: usize,
}

/// The totals, each a number of kernels but for the last two.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    timeout_seconds: f64,
    programs: usize,
    /// The verdicts without the defect.
    right: BTreeMap<String, usize>,
    /// The answers about the defective programs, see [`outcome`].
    seeded: BTreeMap<&'static str, usize>,
    /// Confirmed findings in kernels called `defect`, with and without the defect.
    findings: usize,
    findings_at_mark: usize,
    answers: Vec<Answer>,
}

fn main() {
    let words = Words::read();
    let timeout = words.number("timeout", TIMEOUT);
    let programs = programs(&words);
    if programs.is_empty() {
        report::say("no program has such a name");
        return;
    }
    let mut answers = Vec::new();
    let mut seeded = BTreeMap::new();
    for program in &programs {
        for defective in [false, true] {
            let own = verify(program, defective, timeout);
            for answer in &own {
                show(&line(answer));
            }
            if defective {
                *seeded.entry(outcome(&own)).or_default() += 1;
            }
            answers.extend(own);
        }
    }
    let report = totals(programs.len(), timeout, seeded, answers);
    show(&in_words(&report));
    shared::write_json("bench-programs.json", &report);
}

fn show(text: &str) {
    report::show(text).expect("the standard output can be written to");
}

/// The programs whose name is requested, in the order of their names.
fn programs(words: &Words) -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/programs");
    let mut paths: Vec<PathBuf> = entries(&folder);
    paths.retain(|path| path.is_dir() || path.extension().is_some_and(|ending| ending == "cu" || ending == "hip"));
    let programs = paths.into_iter().filter_map(program);
    programs.filter(|program| words.want(&program.name)).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// The program in a file or folder; none if no file states a defect.
fn program(path: PathBuf) -> Option<Program> {
    let files = if path.is_dir() { entries(&path) } else { vec![path.clone()] };
    let mut marked = BTreeSet::new();
    let mut kernel = None;
    for file in files {
        if !file.extension().is_some_and(|ending| SOURCES.iter().any(|source| ending == *source)) {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a program can be read");
        let marks = (1..).zip(text.lines()).filter_map(|(number, line)| Some((number, line.split_once("//~ ")?.1)));
        let name = file_name(&file.to_string_lossy());
        marked.extend(marks.map(|(number, kind)| (name.clone(), number, kind.trim().to_owned())));
        let defect = text.lines().nth(1).and_then(|line| line.strip_prefix("// defect: "));
        kernel = kernel.or_else(|| Some(defect?.split(':').next()?.to_owned()));
    }
    let name = path.file_name()?.to_string_lossy().into_owned();
    Some(Program { name, path, kernel: kernel?, marked })
}

fn file_name(path: &str) -> String {
    Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The answers about all kernels of a program, as a user would get them.
fn verify(program: &Program, defective: bool, timeout: f64) -> Vec<Answer> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
    command.args(["verify", "--no-cache", "--format=json"]).arg(format!("--timeout={timeout}"));
    command.args(defective.then_some("-DDEFECT")).arg(&program.path);
    let run = shared::run_command(&mut command);
    let report: Value = serde_json::from_slice(&run.stdout).unwrap_or_default();
    list(&report["kernels"]).iter().map(|kernel| answer(program, defective, kernel)).collect()
}

fn answer(program: &Program, defective: bool, kernel: &Value) -> Answer {
    let name = text(&kernel["name"]);
    let confirmed = list(&kernel["findings"]).iter().filter(|finding| finding["confirmed"] == true);
    let (at_mark, elsewhere): (Vec<_>, Vec<_>) = confirmed.partition(|finding| defective && program.marks(finding));
    Answer {
        program: program.name.clone(),
        defective,
        seeded: defective && (plain_name(&name) == program.kernel || name.starts_with('(')),
        kernel: name,
        verdict: text(&kernel["verdict"]),
        reason: kernel["reason"].as_str().map(ToOwned::to_owned),
        requires: list(&kernel["requires"]).iter().map(text).collect(),
        seconds: kernel["statistics"]["seconds"]["wall"].as_f64().unwrap_or(0.0),
        at_mark: at_mark.len(),
        elsewhere: elsewhere.len(),
    }
}

impl Program {
    /// Whether an access of the finding is at a line that is marked for its kind.
    fn marks(&self, finding: &Value) -> bool {
        let kind = match finding["kind"].as_str() {
            Some("race") => "race",
            Some("out-of-bounds") => "bounds",
            _ => "divergence",
        };
        list(&finding["accesses"]).iter().any(|access| {
            let line = access["line"].as_u64().unwrap_or(0);
            self.marked.contains(&(file_name(&text(&access["file"])), line, kind.to_owned()))
        })
    }
}

/// The name of a kernel without its namespaces and arguments.
fn plain_name(name: &str) -> &str {
    let end = name.find(['<', '(']).unwrap_or(name.len());
    name[..end].rsplit("::").next().unwrap_or(name)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[][..], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The outcome for a program with a seeded defect: the best answer about any launch of its kernel.
fn outcome(answers: &[Answer]) -> &'static str {
    let seeded = || answers.iter().filter(|answer| answer.seeded);
    let any = |verdict: &str| seeded().any(|answer| answer.verdict == verdict);
    if seeded().any(|answer| answer.verdict == "defect" && answer.at_mark > 0) {
        "found"
    } else if any("defect") {
        "a defect elsewhere only"
    } else if any("conditional") {
        "hidden by a precondition"
    } else if any("unknown") {
        "unknown"
    } else if any("verified") {
        "missed: verified"
    } else {
        "error"
    }
}

fn totals(
    programs: usize,
    timeout_seconds: f64,
    seeded: BTreeMap<&'static str, usize>,
    answers: Vec<Answer>,
) -> Report {
    let mut right = BTreeMap::new();
    for answer in answers.iter().filter(|answer| !answer.defective) {
        *right.entry(answer.verdict.clone()).or_default() += 1;
    }
    let called_defect = || answers.iter().filter(|answer| answer.verdict == "defect");
    let findings_at_mark = called_defect().map(|answer| answer.at_mark).sum();
    let findings = findings_at_mark + called_defect().map(|answer| answer.elsewhere).sum::<usize>();
    Report { schema: "lockstep-bench/3", timeout_seconds, programs, right, seeded, findings, findings_at_mark, answers }
}

fn line(answer: &Answer) -> String {
    format!(
        "{:28} {:40} {:>11} {:>7.2}{}{}{}\n",
        if answer.defective { format!("{}, defect", answer.program) } else { answer.program.clone() },
        answer.kernel,
        answer.verdict,
        answer.seconds,
        if answer.seeded { "  seeded" } else { "" },
        if answer.at_mark + answer.elsewhere > 0 {
            format!("  {} at a mark, {} elsewhere", answer.at_mark, answer.elsewhere)
        } else {
            String::new()
        },
        answer.requires.iter().map(|condition| format!("  where {condition}")).collect::<Vec<_>>().concat()
    )
}

fn in_words(report: &Report) -> String {
    let kernels: usize = report.right.values().sum();
    let count = |verdict: &str| report.right.get(verdict).copied().unwrap_or(0);
    let good = count("verified") + count("conditional");
    let verdicts: Vec<String> = report.right.iter().map(|(verdict, count)| format!("  {verdict}: {count}\n")).collect();
    let verdicts = verdicts.concat();
    let outcomes: Vec<String> =
        report.seeded.iter().map(|(outcome, count)| format!("  {outcome}: {count}\n")).collect();
    let outcomes = outcomes.concat();
    format!(
        "\n{} programs, {kernels} kernels without the defect, {good} ({}) verified or conditional\n{verdicts}{} seeded \
         defects\n{outcomes}{} of {} confirmed findings ({}) in kernels called defect are at a marked line\n",
        report.programs,
        percent(good, kernels),
        report.programs,
        report.findings_at_mark,
        report.findings,
        percent(report.findings_at_mark, report.findings),
    )
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.0} %", 100.0 * shared::float(part) / shared::float(whole.max(1)))
}
