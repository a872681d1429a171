//! Samples of tests that take minutes and rarely find anything new.
//!
//! They run on some of their files, on others after each commit. `LOCKSTEP_TEST_SAMPLE=all` (`./x
//! test --all`) runs everything; any other value stands for the commit. A file that the last commit
//! or the working tree changes is in every sample. Without a repository the sample is always the
//! same.

#![allow(dead_code, reason = "each target uses some of it")]

use std::io::Write as _;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use sha2::{Digest, Sha256};

const VARIABLE: &str = "LOCKSTEP_TEST_SAMPLE";

/// The files that tests run on.
pub struct Sample {
    /// `None` if all files are.
    seed: Option<String>,
    changed: Vec<String>,
    left_out: AtomicUsize,
}

impl Sample {
    /// The sample of all files.
    pub fn all() -> Self {
        Self { seed: None, changed: Vec::new(), left_out: AtomicUsize::new(0) }
    }

    /// The sample of the commit that is checked out, or the one that the environment asks for.
    pub fn of_commit() -> Self {
        let asked = std::env::var(VARIABLE).ok().filter(|asked| !asked.is_empty());
        if asked.as_deref() == Some("all") {
            return Self::all();
        }
        let commit = || git(&["rev-parse", "--short=12", "HEAD"]).map(|commit| commit.trim().to_owned());
        let seed = asked.or_else(commit).unwrap_or_else(|| "no commit".to_owned());
        // In a clone of one commit only the working tree is known.
        let last = git(&["diff", "--name-only", "HEAD~1"]).or_else(|| git(&["diff", "--name-only", "HEAD"]));
        let new = git(&["ls-files", "--others", "--exclude-standard"]);
        let changed = [last, new].into_iter().flatten().flat_map(|names| lines(&names)).collect();
        Self { seed: Some(seed), changed, left_out: AtomicUsize::new(0) }
    }

    /// Whether a test runs, if one of this many does.
    ///
    /// Its name ends in the path of its file, if it is about one.
    pub fn has(&self, name: &str, one_of: u64) -> bool {
        let Some(seed) = &self.seed else { return true };
        if one_of <= 1 || self.changed.iter().any(|file| name.ends_with(file.as_str())) {
            return true;
        }
        let hash = Sha256::digest(format!("{seed} {name}"));
        let number = hash.iter().take(8).fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
        let is_in = number.is_multiple_of(one_of);
        self.left_out.fetch_add(usize::from(!is_in), Ordering::Relaxed);
        is_in
    }

    /// Prints how many were left out, on stderr whether or not a test's output is captured.
    pub fn report(&self) {
        let left_out = self.left_out.load(Ordering::Relaxed);
        let Some(seed) = self.seed.as_ref().filter(|_| left_out > 0) else { return };
        let note = format!("note: {left_out} left out of the sample of {seed}; {VARIABLE}=all runs everything\n");
        let _ = std::io::stderr().write_all(note.as_bytes());
    }
}

fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(env!("CARGO_MANIFEST_DIR")).args(words).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}
