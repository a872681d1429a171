//! Tells on stderr how far a run has come.

use std::io::{IsTerminal, stderr};
use std::sync::OnceLock;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line on stderr while several kernels are worked on; nothing where stderr is no terminal.
#[derive(Debug, Default)]
pub struct Progress {
    bar: OnceLock<ProgressBar>,
    silent: bool,
}

impl Progress {
    /// A progress line that appears when the work starts.
    pub fn new() -> Self {
        Self { bar: OnceLock::new(), silent: !stderr().is_terminal() }
    }

    /// None at all.
    pub fn none() -> Self {
        Self { bar: OnceLock::new(), silent: true }
    }

    /// The work starts: so many pieces.
    pub fn start(&self, pieces: usize) {
        if self.silent || pieces < 2 {
            return;
        }
        let pieces = u64::try_from(pieces).unwrap_or(u64::MAX);
        let bar = ProgressBar::with_draw_target(Some(pieces), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {bar:30} {msg}") {
            bar.set_style(style);
        }
        self.bar.get_or_init(|| bar);
    }

    /// A piece is done.
    pub fn done(&self, name: &str) {
        if let Some(bar) = self.bar.get() {
            bar.set_message(name.to_owned());
            bar.inc(1);
        }
    }

    /// All is done: the line disappears.
    pub fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
