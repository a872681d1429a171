//! The folder for temporary files.

use std::fs;

use anyhow::Context as _;
use tempfile::TempDir;

use crate::worker::Cleaner;

/// The folder for the temporary files of this process and of all that it starts: it goes when this process ends, also where it was
/// killed and could not clear up, once its workers have ended too.
#[derive(Debug)]
pub struct Scratch {
    // Removed before the cleaner is told that there is nothing to do.
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
        // Without one the folder stays only where this process is killed.
        let cleaner = Cleaner::start(|| {
            let _ = fs::remove_dir_all(folder.path());
        });
        // Whoever said so before, in the same process, means a folder that is there too.
        let _ = tempfile::env::override_temp_dir(folder.path());
        Ok(Self { _folder: folder, _cleaner: cleaner.ok() })
    }
}
