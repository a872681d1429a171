//! The folder for temporary files.

use std::fs;

use anyhow::Context as _;
use tempfile::TempDir;

use crate::worker::Cleaner;

/// The folder for the temporary files of this process and of everything it starts. It is removed when this process ends; if this
/// process was killed, a [`Cleaner`] removes it once all workers have ended.
#[derive(Debug)]
pub struct Scratch {
    // Dropped first: the cleaner is then ended with nothing left to do.
    _folder: TempDir,
    _cleaner: Option<Cleaner>,
}

impl Scratch {
    /// Makes the folder, in which temporary files lie from now on.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn new() -> anyhow::Result<Self> {
        let place = std::env::temp_dir();
        let folder = tempfile::Builder::new().prefix("lockstep-").tempdir_in(&place);
        let folder = folder.with_context(|| {
            format!("cannot make a temporary folder in {} (TMPDIR names another place)", place.display())
        })?;
        // Without a cleaner the folder stays behind only if this process is killed.
        let cleaner = Cleaner::start(|| {
            let _ = fs::remove_dir_all(folder.path());
        });
        // This fails if the process has set another folder before, which exists too.
        let _ = tempfile::env::override_temp_dir(folder.path());
        Ok(Self { _folder: folder, _cleaner: cleaner.ok() })
    }
}
