//! Verdicts on kernels: one test for each file of a folder, which states its own expectation.
//!
//! The tests that took longest when `slowest.txt` was written begin first, so that no core waits
//! for a long one at the end. `LOCKSTEP_TEST_TIMES=write` rewrites the list. Some groups run on a
//! sample, see `tests/harness/sample.rs`; a test whose name is given always runs.
//!
//! The tests run the command, not the library. Starting it takes a tenth of a kernel's time, and
//! Clang is a process of its own anyway. So the workers, the exit status and the JSON are tested,
//! too.

mod analyses;
mod assumptions;
mod benchmarks;
mod boogie;
mod examples;
mod facts;
mod families;
mod filetests;
mod fixes;
mod further;
#[path = "../harness/mod.rs"]
mod harness;
#[path = "../harness/listed.rs"]
mod listed;
mod preconditions;
mod ptx;
mod races;
mod runs;
#[path = "../harness/sample.rs"]
mod sample;
mod toolkit;
mod twins;

use std::any::type_name;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use harness::Failure;
use libtest_mimic::{Arguments, Failed, Trial};
use sample::Sample;

/// A test, given a file's path and text.
type Test = Arc<dyn Fn(&Path, &str) -> Result<(), Failure> + Send + Sync>;

/// A test of every file in a folder.
pub struct Group {
    name: String,
    test: Test,
    root: &'static str,
    pattern: &'static str,
    without: Option<&'static str>,
    /// The number of files for each that runs.
    one_of: u64,
}

impl Group {
    /// A test of the files below `root` whose paths, from there, match the pattern.
    pub fn new<F>(test: F, root: &'static str, pattern: &'static str) -> Self
    where
        F: Fn(&Path, &str) -> Result<(), Failure> + Send + Sync + 'static,
    {
        let name = type_name::<F>().split_once("::").expect("a function is in a crate").1.to_owned();
        Self { name, test: Arc::new(test), root, pattern, without: None, one_of: 1 }
    }

    /// Leaves out the files that have this in their names.
    pub fn without(self, part: &'static str) -> Self {
        Self { without: Some(part), ..self }
    }

    /// Runs one of this many files in a sample.
    pub fn sampled(self, one_of: u64) -> Self {
        Self { one_of, ..self }
    }

    fn files(&self) -> Vec<PathBuf> {
        let pattern = regex_lite::Regex::new(self.pattern).expect("a valid expression");
        let entries = walkdir::WalkDir::new(self.root).sort_by_file_name();
        let files = entries.into_iter().map(|entry| entry.expect("the folder can be read"));
        let paths = files.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
        let is_meant = |path: &PathBuf| {
            let name = path.strip_prefix(self.root).expect("below the root").to_str().expect("a name is UTF-8");
            pattern.is_match(name) && !self.without.is_some_and(|part| name.contains(part))
        };
        let files: Vec<PathBuf> = paths.filter(is_meant).collect();
        assert!(!files.is_empty(), "{}: no file of {} matches {}", self.name, self.root, self.pattern);
        files
    }
}

/// The tests that took longest, and their seconds.
const SLOWEST: &str = include_str!("slowest.txt");
const PATH_OF_SLOWEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/verdicts/slowest.txt");

/// The least seconds of a listed test.
const SLOW: f64 = 1.0;

/// The seconds of the tests that have run.
type Times = Arc<Mutex<Vec<(String, f64)>>>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let sample = if arguments.filter.is_none() { Sample::of_commit() } else { Sample::all() };
    let times = Times::default();
    let conclusion = libtest_mimic::run(&arguments, trials(&sample, &times));
    if !arguments.list {
        sample.report();
    }
    if std::env::var_os("LOCKSTEP_TEST_TIMES").is_some_and(|value| value == "write") {
        write_slowest(&times.lock().expect("no test panics here"));
    }
    conclusion.exit_code()
}

fn known_times() -> Vec<(&'static str, f64)> {
    let lines = SLOWEST.lines().map(|line| line.split_once(' ').expect("seconds and a name"));
    lines.map(|(seconds, name)| (name, seconds.parse().expect("seconds"))).collect()
}

/// The tests, the slow ones first.
fn trials(sample: &Sample, times: &Times) -> Vec<Trial> {
    let groups = [
        analyses::groups(),
        assumptions::groups(),
        benchmarks::groups(),
        boogie::groups(),
        examples::groups(),
        families::groups(),
        filetests::groups(),
        fixes::groups(),
        preconditions::groups(),
        ptx::groups(),
        further::groups(),
        races::groups(),
        runs::groups(),
        toolkit::groups(),
    ];
    let known: HashMap<&str, f64> = known_times().into_iter().collect();
    let mut trials = Vec::new();
    for group in groups.iter().flatten() {
        for path in group.files() {
            let name = format!("{}::{}", group.name, path.display());
            let is_left_out = !sample.has(&name, group.one_of);
            let seconds = known.get(name.as_str()).copied().unwrap_or_default();
            trials.push((seconds, trial(name, group.test.clone(), path, times.clone()).with_ignored_flag(is_left_out)));
        }
    }
    trials.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    trials.into_iter().map(|(_, trial)| trial).collect()
}

fn trial(name: String, test: Test, path: PathBuf, times: Times) -> Trial {
    Trial::test(name.clone(), move || {
        let begin = Instant::now();
        let source = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let result = test(&path, &source).map_err(|failure| Failed::from(failure.to_string()));
        times.lock().expect("no test panics here").push((name, begin.elapsed().as_secs_f64()));
        result
    })
}

/// Rewrites the list. Tests that have not run keep their places.
fn write_slowest(times: &[(String, f64)]) {
    let have_run: HashSet<&str> = times.iter().map(|(name, _)| name.as_str()).collect();
    let old = known_times().into_iter().filter(|(name, _)| !have_run.contains(name));
    let new = times.iter().map(|(name, seconds)| (name.as_str(), *seconds)).filter(|(_, seconds)| *seconds >= SLOW);
    let mut slow: Vec<(&str, f64)> = old.chain(new).collect();
    slow.sort_by(|(a, one), (b, other)| other.total_cmp(one).then_with(|| a.cmp(b)));
    let text = slow.into_iter().fold(String::new(), |mut text, (name, seconds)| {
        writeln!(text, "{seconds:.1} {name}").expect("a string can be written to");
        text
    });
    std::fs::write(PATH_OF_SLOWEST, text).expect("the list can be written");
}
