//! The inputs of `verify`: files, folders of files, and compilation databases.
//!
//! A named file must have a kernel. A [`folder`] and a [`database`] may have files without: they
//! are left out, as long as one has a kernel.

mod database;
mod flags;
mod folder;

use std::path::{Path, PathBuf};

use crate::pipeline::input_fault::{Culprit, InputFault};
use crate::pipeline::{Input, Settings};
use database::Database;
pub use database::shown;

/// The name of a compilation database.
const DATABASE: &str = "compile_commands.json";

/// The files to read.
#[derive(Debug, Default)]
pub struct Inputs {
    /// The order is that of the command line; files of a folder are sorted, those of a database in
    /// its order.
    pub files: Vec<Input>,
    /// The faults of folders and databases.
    pub faults: Vec<InputFault>,
    /// Notes on possibly unexpected behaviour.
    pub notes: Vec<String>,
}

/// The files that these paths stand for.
pub fn find(paths: &[PathBuf], settings: &Settings) -> Inputs {
    let mut inputs = Inputs::default();
    for path in paths {
        if path.is_dir() {
            inputs.add_folder(path, settings);
        } else if path.file_name().is_some_and(|name| name == DATABASE) {
            let files = inputs.read_database(path, path, settings);
            inputs.add_found(path, files.unwrap_or_default());
        } else {
            inputs.files.push(settings.input(path));
        }
    }
    inputs
}

/// The error for a folder given to a command that takes a file.
pub fn refuse_folder(path: &Path, command: &str) -> anyhow::Result<()> {
    if path.is_dir() {
        anyhow::bail!("{} is a folder: `{command}` takes one file (`verify` takes folders)", path.display());
    }
    Ok(())
}

/// The fault of a path, named in a folder or file, that lies outside of its tree.
pub fn outside(what: &str, of: &Path) -> InputFault {
    let of = of.display();
    InputFault::command_line(format!(
        "{what}: not read, since it lies outside of the repository or folder of {of}; --allow-read DIR names folders that may be read"
    ))
}

impl Inputs {
    /// The files of a folder.
    ///
    /// They are those of its compilation database with their options, if that has kernels;
    /// otherwise all files below the folder.
    fn add_folder(&mut self, folder: &Path, settings: &Settings) {
        let database = folder.join(DATABASE);
        if database.is_file() {
            let Some(files) = self.read_database(&database, folder, settings) else { return };
            let (shown, count) = (database.display(), files.len());
            if count > 0 {
                self.notes.push(format!("{shown} says what is read, and how: {}", crate::report::count(count, "file")));
                return self.add_found(folder, files);
            }
            self.notes
                .push(format!("{shown} names no CUDA, HIP or OpenCL source: all files below the folder are read"));
        }
        let (paths, faults) = folder::kernel_files(folder);
        // The unreadable parts may have the kernels.
        let whole = faults.is_empty();
        self.faults.extend(faults);
        let frontend = settings.frontend.in_tree_of(folder);
        let found = |path: PathBuf| {
            let (frontend, found_in) = (frontend.clone(), Some(folder.to_owned()));
            Input { path, frontend, recorded: Vec::new(), found_in, special: None }
        };
        let (files, others): (Vec<PathBuf>, Vec<PathBuf>) =
            paths.into_iter().partition(|path| frontend.may_read(path) || !path.exists());
        self.faults.extend(others.iter().map(|path| outside(&path.display().to_string(), folder)));
        let files: Vec<Input> = files.into_iter().map(found).collect();
        if whole || !files.is_empty() {
            self.add_found(folder, files);
        }
    }

    /// The kernel sources of a database; `None` if it is not a valid one, which is recorded.
    fn read_database(&mut self, path: &Path, given: &Path, settings: &Settings) -> Option<Vec<Input>> {
        match Database::read(path, given, &settings.frontend.in_tree_of(given)) {
            Ok(Database { files, faults, notes }) => {
                self.faults.extend(faults);
                self.notes.extend(notes);
                Some(files)
            }
            Err(message) => {
                self.faults.push(InputFault::command_line(message));
                None
            }
        }
    }

    fn add_found(&mut self, place: &Path, files: Vec<Input>) {
        // The faults of a database have been reported.
        if files.is_empty() && self.faults.is_empty() {
            let endings = folder::ENDINGS.join(", .");
            let message = format!("{}: no source of kernels here (.{endings})", place.display());
            self.faults.push(InputFault { culprit: Culprit::NoKernel, message });
        }
        self.files.extend(files);
    }
}
