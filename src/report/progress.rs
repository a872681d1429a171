//! Progress of a run, shown on stderr.

use std::ffi::OsStr;
use std::io::{IsTerminal, stderr};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lockstep_system::printable;

/// A line on stderr while several files are read and several kernels are verified. Nothing is shown
/// if stderr is not a terminal that can redraw a line.
#[derive(Debug, Default)]
pub struct Progress {
    bar: OnceLock<ProgressBar>,
    silent: bool,
    files: AtomicU64,
    files_read: AtomicU64,
    pieces: AtomicU64,
    pieces_done: AtomicU64,
}

impl Progress {
    /// A progress line that appears when the work starts.
    pub fn new() -> Self {
        let can_redraw = is_capable(stderr().is_terminal(), std::env::var_os("TERM").as_deref());
        Self { silent: !can_redraw, ..Self::default() }
    }

    /// No progress line.
    pub fn none() -> Self {
        Self { silent: true, ..Self::default() }
    }

    /// Announces the number of files to be read.
    pub fn reading(&self, files: usize) {
        self.files.store(files.try_into().unwrap_or(u64::MAX), Ordering::Relaxed);
        self.show("reading", &self.files_read, &self.files);
    }

    /// Counts a file as read.
    pub fn read(&self) {
        self.files_read.fetch_add(1, Ordering::Relaxed);
        self.show("reading", &self.files_read, &self.files);
    }

    /// Announces the start of the work, or more of it: this many pieces.
    pub fn start(&self, pieces: usize) {
        self.pieces.fetch_add(pieces.try_into().unwrap_or(u64::MAX), Ordering::Relaxed);
        self.show("proving", &self.pieces_done, &self.pieces);
    }

    /// Shows the name of the current piece.
    pub fn begin(&self, name: &str) {
        if let Some(bar) = self.bar.get() {
            bar.set_message(printable::one_line(name).into_owned());
        }
    }

    /// Counts a piece as done.
    pub fn done(&self) {
        self.pieces_done.fetch_add(1, Ordering::Relaxed);
        self.show("proving", &self.pieces_done, &self.pieces);
    }

    /// Updates the seconds. The process has one thread, so nothing else updates them.
    pub fn tick(&self) {
        if let Some(bar) = self.bar.get() {
            bar.tick();
        }
    }

    /// Ends the work: the line disappears.
    pub fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }

    /// Shows the number of pieces done and in all, once there are several.
    fn show(&self, what: &'static str, done: &AtomicU64, all: &AtomicU64) {
        let (done, all) = (done.load(Ordering::Relaxed), all.load(Ordering::Relaxed));
        if self.silent || all < 2 && self.bar.get().is_none() {
            return;
        }
        let bar = self.bar.get_or_init(new_bar);
        bar.set_prefix(what);
        bar.set_length(all);
        bar.set_position(done);
    }
}

fn new_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{prefix} {pos}/{len} {bar:30} {elapsed} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

/// Whether stderr can redraw a line.
fn is_capable(is_terminal: bool, kind: Option<&OsStr>) -> bool {
    is_terminal && kind != Some(OsStr::new("dumb"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_terminals_that_redraw_have_a_bar() {
        assert!(is_capable(true, Some(OsStr::new("xterm"))) && is_capable(true, None));
        assert!(!is_capable(true, Some(OsStr::new("dumb"))) && !is_capable(false, Some(OsStr::new("xterm"))));
    }
}
