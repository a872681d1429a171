//! The shared part of the benchmarks.
//!
//! It has the measured kernels, a run of Lockstep on one and its cost, tables, and files in
//! `target/`.
#![allow(dead_code, reason = "each benchmark uses some of it")]

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lockstep::suite::Header;
use serde::Serialize;

/// A kernel file, and the flags for its runs.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file's name, with the macros defined for it.
    pub name: String,
    pub path: PathBuf,
    /// The flags of its second line, and definitions.
    pub flags: Vec<String>,
    /// Whether it has a defect, which must be found.
    pub defective: bool,
}

/// The words after the benchmark's name on the command line.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// Parts of the names of kernels or rows; empty for all.
    pub filter: Vec<String>,
    /// `--NAME=VALUE`.
    options: Vec<(String, String)>,
}

impl Words {
    /// Reads the command line; Cargo passes `--bench`, which has no meaning here.
    pub fn read() -> Self {
        let mut words = Self::default();
        for word in std::env::args().skip(1) {
            match word.strip_prefix("--") {
                None => words.filter.push(word),
                Some(option) => {
                    let named = option.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
                    words.options.extend(named);
                }
            }
        }
        words
    }

    /// Whether the item with this name is requested.
    pub fn want(&self, name: &str) -> bool {
        self.filter.is_empty() || self.filter.iter().any(|part| name.contains(part.as_str()))
    }

    /// A number given as `--NAME=NUMBER`.
    pub fn number(&self, name: &str, otherwise: f64) -> f64 {
        let given = self.all(name).last();
        given.map_or(otherwise, |value| value.parse().unwrap_or_else(|_| panic!("--{name} is a number")))
    }

    /// The values given as `--NAME=VALUE`.
    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.options.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The kernels of `examples/` and `benches/kernels/`, or of the folders given by `--folder`.
///
/// Kernels that have a defect with `DEFECT` defined are also included with it. Only files with one
/// of these endings count.
pub fn cases(words: &Words, endings: &[&str]) -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut cases = Vec::new();
    let given: Vec<&str> = words.all("folder").collect();
    for folder in if given.is_empty() { vec!["examples", "benches/kernels"] } else { given } {
        let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten();
        let mut files: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| endings.iter().any(|&ending| path.extension().is_some_and(|extension| extension == ending)))
            .collect();
        files.sort();
        cases.extend(files.iter().flat_map(|file| cases_of(file)));
    }
    cases.retain(|case| words.want(&case.name));
    cases
}

fn cases_of(path: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(path).expect("a kernel can be read");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".cl").unwrap_or(&name).to_owned();
    let flags = Header::parse(&text).map(|header| header.flags).unwrap_or_default();
    let defective = !text.starts_with("//pass");
    let own = Case { name: name.clone(), path: path.to_owned(), flags, defective };
    let mut cases = vec![own.clone()];
    if text.lines().any(|line| line.starts_with("#if") && line.contains("DEFECT")) {
        let flags = own.flags.iter().cloned().chain(["-DDEFECT".to_owned()]).collect();
        cases.push(Case { name: format!("{name}, defect"), flags, defective: true, ..own });
    }
    cases
}

/// The cost of a run, and its outcome.
#[derive(Clone, Debug, Serialize)]
pub struct Cost {
    pub name: String,
    /// The worst of the file's kernels.
    pub verdict: String,
    /// Whether the verdict is the right one.
    pub right: bool,
    /// The reason why it is unknown, if it is.
    pub reason: Option<String>,
    /// From the start of the process to its end.
    pub seconds: f64,
    /// Processor time, including Clang's.
    pub cpu_seconds: f64,
    /// Clang and the import.
    pub frontend_seconds: f64,
    pub lower_seconds: f64,
    pub infer_seconds: f64,
    pub prove_seconds: f64,
    pub peak_mb: f64,
    pub candidates_proposed: u64,
    pub candidates_kept: u64,
    pub queries: u64,
}

/// Runs Lockstep on a kernel in a process of its own, as a user would.
pub fn run(case: &Case, more: &[String]) -> Cost {
    let mut words: Vec<OsString> = vec!["verify".into(), "--no-cache".into(), "--format=json".into()];
    words.extend(case.flags.iter().chain(more).map(OsString::from));
    words.push(case.path.clone().into());
    let Run { seconds, cpu_seconds, stdout } = run_command(Command::new(env!("CARGO_BIN_EXE_lockstep")).args(words));
    let report: serde_json::Value = serde_json::from_slice(&stdout).unwrap_or_default();
    let none = Vec::new();
    let kernels = report["kernels"].as_array().unwrap_or(&none);
    let sum = |group: &str, name: &str| -> f64 {
        kernels.iter().filter_map(|kernel| kernel["statistics"][group][name].as_f64()).sum()
    };
    let count = |value: &dyn Fn(&serde_json::Value) -> Option<u64>| -> u64 { kernels.iter().filter_map(value).sum() };
    let worst = ["error", "defect", "unknown", "conditional", "verified"].into_iter();
    let mut worst = worst.filter(|verdict| kernels.iter().any(|kernel| kernel["verdict"] == *verdict));
    let verdict = worst.next().unwrap_or("error").to_owned();
    let bytes = kernels.iter().filter_map(|kernel| kernel["statistics"]["peak_rss_bytes"].as_u64()).max();
    Cost {
        name: case.name.clone(),
        // A defect may have a precondition that excludes it.
        right: if case.defective { ["defect", "conditional"].contains(&&*verdict) } else { verdict == "verified" },
        reason: kernels.iter().find_map(|kernel| Some(kernel["reason"].as_str()?.to_owned())),
        verdict,
        seconds,
        cpu_seconds,
        frontend_seconds: sum("seconds", "frontend"),
        lower_seconds: sum("seconds", "lower"),
        infer_seconds: sum("seconds", "infer"),
        prove_seconds: sum("seconds", "prove"),
        peak_mb: megabytes(bytes.unwrap_or(0)),
        candidates_proposed: count(&|kernel| kernel["statistics"]["candidates"]["proposed"].as_u64()),
        candidates_kept: count(&|kernel| kernel["statistics"]["candidates"]["kept"].as_u64()),
        queries: count(&|kernel| kernel["statistics"]["queries"].as_u64()),
    }
}

/// A process that has ended.
pub struct Run {
    /// From its start to its end.
    pub seconds: f64,
    /// The processor time of the process and its children, which is more reliable on a busy
    /// machine.
    ///
    /// The same as `seconds` if the system does not report it.
    pub cpu_seconds: f64,
    pub stdout: Vec<u8>,
}

/// Runs a command to its end.
pub fn run_command(command: &mut Command) -> Run {
    let started = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the command can be run");
    let mut stdout = Vec::new();
    child.stdout.take().expect("it is piped").read_to_end(&mut stdout).expect("what it writes can be read");
    // The entry of an ended process stays until it is waited for.
    let stat = Path::new("/proc").join(child.id().to_string()).join("stat");
    let used = loop {
        match std::fs::read_to_string(&stat).ok().and_then(|line| processor_seconds(&line)) {
            Some((used, true)) => break Some(used),
            Some((_, false)) => std::thread::sleep(Duration::from_millis(1)),
            None => break None,
        }
    };
    child.wait().expect("the command ends");
    let seconds = started.elapsed().as_secs_f64();
    Run { seconds, cpu_seconds: used.unwrap_or(seconds), stdout }
}

/// The processor time of a process and its children, and whether it has ended, from a line of
/// `/proc/PID/stat`.
fn processor_seconds(line: &str) -> Option<(f64, bool)> {
    let fields: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u32 = fields.get(11..15)?.iter().filter_map(|field| field.parse::<u32>().ok()).sum();
    // A tick is a hundredth of a second on every Linux in use.
    Some((f64::from(ticks) / 100.0, *fields.first()? == "Z"))
}

/// The processor time that this process uses during some work, on all its threads.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let before = used_by_this_process();
    let result = work();
    (result, used_by_this_process().saturating_sub(before).as_secs_f64())
}

fn used_by_this_process() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a value of that type, which the call fills in.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(failed, 0, "every process has this clock");
    let part = |number: libc::c_long| u64::try_from(number).expect("no clock of a process is negative");
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}

fn megabytes(bytes: u64) -> f64 {
    // Kibibytes of a process fit into 32 bits.
    f64::from(u32::try_from(bytes / 1024).unwrap_or(u32::MAX)) / 1024.0
}

/// The fastest of some runs, with the most memory of any. Long runs are repeated less often.
pub fn fastest(case: &Case, more: &[String], runs: usize) -> Cost {
    let mut best = run(case, more);
    let mut spent = best.seconds;
    for _ in 1..runs {
        if spent > LONG_SECONDS {
            break;
        }
        let mut next = run(case, more);
        spent += next.seconds;
        next.peak_mb = next.peak_mb.max(best.peak_mb);
        best.peak_mb = next.peak_mb;
        if next.cpu_seconds < best.cpu_seconds {
            best = next;
        }
    }
    best
}

/// The seconds of a run after which the kernel is not run again.
const LONG_SECONDS: f64 = 6.0;

/// The smallest of the values that `percent` % of them do not exceed.
pub fn at_percent(values: impl IntoIterator<Item = f64>, percent: usize) -> f64 {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}

/// A count as a number to calculate with.
pub fn float(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

/// A file in `target/`.
pub fn in_target(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the folder for tests is in target/").join(name)
}

/// Writes every number to a file in `target/`, and prints its path.
pub fn write_json(name: &str, value: &impl Serialize) {
    let path = in_target(name);
    let text = serde_json::to_string_pretty(value).expect("numbers and names can be written as JSON");
    std::fs::write(&path, text + "\n").expect("target/ can be written to");
    lockstep::report::show(&format!("{}\n", path.display())).expect("the standard output can be written to");
}
