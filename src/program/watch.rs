//! `lockstep verify --watch`: verifies again when a file of the run changes.
//!
//! Each run is a process of its own, so that it starts and ends as without the option. Between the
//! runs the times and sizes of the files are polled: the inputs, the headers that they include,
//! databases, and every place where a `lockstep.toml` would count.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::Context;

use crate::command::arguments::VerifyArguments;
use crate::command::config::{Configurations, candidates};
use crate::command::exit::ExitStatus;
use crate::command::inputs;
use crate::frontend::{clang, language_of};
use crate::pipeline::{Input, Settings};
use crate::report;

/// The time between two looks at the files.
const PERIOD: Duration = Duration::from_millis(300);

/// The option itself, which no run gets.
const OPTION: &str = "--watch";

/// The time and the size of a file; none if it is not there.
type Stamp = Option<(SystemTime, u64)>;

/// Verifies until a signal ends the process.
pub fn watch(arguments: &VerifyArguments) -> anyhow::Result<ExitStatus> {
    anyhow::ensure!(arguments.kernel.config.piped.is_none(), "--watch: the standard input does not change");
    let program = std::env::current_exe().context("--watch: this program cannot be found")?;
    let line = &arguments.kernel.config.line.words;
    let end = line.iter().position(|word| word == "--").unwrap_or(line.len());
    let is_kept = |(index, word): &(usize, &OsString)| *index > end || *word != OPTION;
    let words: Vec<&OsString> = line.iter().enumerate().skip(1).filter(is_kept).map(|(_, word)| word).collect();
    let mut included = BTreeMap::new();
    let mut files = watched(arguments, &mut included);
    loop {
        let before = stamps(&files);
        report::clear_screen();
        Command::new(&program).args(&words).status().context("--watch: the run cannot be started")?;
        let found = watched(arguments, &mut included);
        let now = stamps(&found);
        let changed = changes(&before, &now).into_iter().find(|file| files.contains(file));
        files = found;
        let changed = if let Some(changed) = changed {
            changed
        } else {
            report::say(&format!("note: watching {}; Ctrl-C ends", report::count(existing(&now), "file")));
            wait(&files, &now)
        };
        report::say(&format!("note: {} changed", changed.display()));
    }
}

/// Waits for a change, and until the files have been the same for a moment. Returns a changed file.
fn wait(files: &BTreeSet<PathBuf>, before: &BTreeMap<PathBuf, Stamp>) -> PathBuf {
    loop {
        thread::sleep(PERIOD);
        let mut now = stamps(files);
        let Some(changed) = changes(before, &now).into_iter().next() else { continue };
        loop {
            thread::sleep(PERIOD);
            let later = stamps(files);
            if later == now {
                return changed;
            }
            now = later;
        }
    }
}

fn existing(stamps: &BTreeMap<PathBuf, Stamp>) -> usize {
    stamps.values().filter(|stamp| stamp.is_some()).count()
}

/// The files with other stamps than before.
fn changes(before: &BTreeMap<PathBuf, Stamp>, now: &BTreeMap<PathBuf, Stamp>) -> Vec<PathBuf> {
    let is_other = |(file, stamp): &(&PathBuf, &Stamp)| before.get(*file).is_some_and(|known| known != *stamp);
    now.iter().filter(is_other).map(|(file, _)| file.clone()).collect()
}

fn stamps(files: &BTreeSet<PathBuf>) -> BTreeMap<PathBuf, Stamp> {
    let stamp = |file: &PathBuf| {
        let known = fs::metadata(file).ok()?;
        Some((known.modified().ok()?, known.len()))
    };
    files.iter().map(|file| (file.clone(), stamp(file))).collect()
}

/// The files of a run. `included` has the headers that each input included when it last compiled.
fn watched(arguments: &VerifyArguments, included: &mut BTreeMap<PathBuf, Vec<PathBuf>>) -> BTreeSet<PathBuf> {
    let mut files: BTreeSet<PathBuf> = arguments.inputs.iter().cloned().collect();
    files.extend(arguments.kernel.config.config.clone());
    files.extend(arguments.kernel.checks.boogie_files.iter().cloned());
    for input in read(arguments) {
        let headers = Some(&input).and_then(headers);
        if let Some(headers) = headers {
            included.insert(input.path.clone(), headers);
        }
        files.extend(included.get(&input.path).into_iter().flatten().cloned());
        files.extend(candidates(&input.path));
        files.insert(input.path);
    }
    files
}

/// The inputs, as a run finds them.
fn read(arguments: &VerifyArguments) -> Vec<Input> {
    // A fault is one of the run, which reports it.
    let Ok(settings) = Settings::without_axioms(&arguments.kernel) else { return Vec::new() };
    if arguments.recorded.json {
        return Vec::new();
    }
    let found = inputs::find(&arguments.inputs, &settings);
    Configurations::new(&arguments.kernel, false).apply(found.files)
}

/// The headers that an input includes; none if it does not compile.
fn headers(input: &Input) -> Option<Vec<PathBuf>> {
    let language = language_of(&input.path, &input.frontend)?;
    let is_source = |path: &Path| {
        path.extension().is_none_or(|ending| !["ll", "bc", "ptx", "kernel"].iter().any(|it| ending == *it))
    };
    if !is_source(&input.path) {
        return None;
    }
    clang::dependencies(&input.path, language, &input.frontend).ok()
}
