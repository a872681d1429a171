//! The folder for temporary files.

use std::fs::{self, DirBuilder};
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::worker::Cleaner;

/// The number of names that are tried.
const ATTEMPTS: usize = 16;

/// The folder for the temporary files of this process and of every process that it starts.
///
/// It is removed when this process ends. If this process was killed, a [`Cleaner`] removes it once
/// all workers have ended.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    _cleaner: Option<Cleaner>,
}

impl Scratch {
    /// Makes the folder, in which temporary files lie from now on.
    ///
    /// # Errors
    ///
    /// The folder cannot be made.
    pub fn new() -> anyhow::Result<Self> {
        let place = std::env::temp_dir();
        let scratch = Self::new_in(&place).with_context(|| {
            format!("cannot make a temporary folder in {} (TMPDIR names another place)", place.display())
        })?;
        // This fails if the process has set another folder before, which exists, too.
        let _ = tempfile::env::override_temp_dir(&scratch.folder);
        Ok(scratch)
    }

    fn new_in(place: &Path) -> io::Result<Self> {
        // The sandbox names the folder by its path, whatever the working folder.
        let place = std::path::absolute(place)?;
        let mut attempts = 0;
        loop {
            attempts += 1;
            let folder = place.join(format!("lockstep-{:016x}", RandomState::new().hash_one(attempts)));
            // The cleaner starts before the folder exists, so that a kill at no moment leaves the
            // folder behind. It is dropped, and removes nothing, if another process has a folder of
            // this name.
            let cleaner = Cleaner::start(|| {
                let _ = fs::remove_dir_all(&folder);
            });
            match DirBuilder::new().mode(0o700).create(&folder) {
                // Without a cleaner the folder stays behind only if this process is killed.
                Ok(()) => return Ok(Self { folder, _cleaner: cleaner.ok() }),
                Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists && attempts < ATTEMPTS => {}
                Err(cause) => return Err(cause),
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The cleaner is dropped after this, with nothing left to do. It cannot remove a folder
        // that cannot be removed here.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
