//! The inputs of `verify`: files, folders of files, and compilation databases.
//!
//! A named file must have a kernel. A [`folder`] and a [`database`] may have files without: they
//! are left out, as long as one has a kernel.

mod database;
mod flags;
mod folder;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lockstep_ir::kernel::Language;

use crate::frontend::hosts::{self, Host};
use crate::frontend::{FrontendOptions, language_of};
use crate::pipeline::input_fault::{Culprit, InputFault};
use crate::pipeline::{Input, Settings};
use database::Database;
pub use database::shown;

/// The name of a compilation database.
const DATABASE: &str = "compile_commands.json";

/// The sources of kernels in a database, and the hosts.
type Found = (Vec<Input>, Vec<Arc<Host>>);

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
    let is_host = |path: &&PathBuf| settings.frontend.language.is_none() && hosts::is_host(path) && !path.is_dir();
    let (hosts, paths): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(is_host);
    for path in paths {
        if path.is_dir() {
            inputs.add_folder(path, settings);
        } else if path.file_name().is_some_and(|name| name == DATABASE) {
            let (files, hosts) = inputs.read_database(path, path, settings).unwrap_or_default();
            inputs.add_found(path, files, &hosts);
        } else {
            inputs.files.push(settings.input(path));
        }
    }
    let named = hosts.iter().map(|path| Arc::new(Host::new(path, &settings.frontend, true)));
    inputs.add_named_hosts(&named.collect::<Vec<_>>(), &settings.frontend.hosts);
    inputs.tell_sources();
    inputs.tell_of_each_other();
    inputs
}

/// Whether hosts may launch the kernels of an input.
fn has_hosts(input: &Input) -> bool {
    language_of(&input.path, &input.frontend).is_some_and(|language| language != Language::Llvm)
}

fn is_opencl(input: &Input) -> bool {
    language_of(&input.path, &input.frontend) == Some(Language::OpenCl)
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
        let mut compiled = Vec::new();
        if database.is_file() {
            let Some((files, hosts)) = self.read_database(&database, folder, settings) else { return };
            let (shown, count) = (database.display(), files.len());
            if count > 0 {
                self.notes.push(format!("{shown} says what is read, and how: {}", crate::report::count(count, "file")));
                return self.add_found(folder, files, &hosts);
            }
            self.notes
                .push(format!("{shown} names no CUDA, HIP or OpenCL source: all files below the folder are read"));
            compiled = hosts;
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
        if compiled.is_empty() && files.iter().any(has_hosts) {
            let readable = folder::host_files(folder).into_iter().filter(|path| frontend.may_read(path));
            compiled = readable.map(|path| Arc::new(Host::new(&path, &frontend, false))).collect();
        }
        if whole || !files.is_empty() {
            self.add_found(folder, files, &compiled);
        }
    }

    /// Has hosts that the command line names count for all kernels of OpenCL C.
    fn add_named_hosts(&mut self, hosts: &[Arc<Host>], of_option: &[Arc<Host>]) {
        for host in hosts.iter().chain(of_option) {
            if let Err(cause) = std::fs::metadata(&host.path) {
                let message = format!("cannot read {}: {cause}", host.path.display());
                self.faults.push(InputFault::command_line(message));
            }
        }
        let mut launched = false;
        for input in self.files.iter_mut().filter(|input| has_hosts(input)) {
            input.frontend.hosts.extend(hosts.iter().cloned());
            launched = true;
        }
        if let Some(host) = hosts.iter().chain(of_option).next().filter(|_| !launched && self.faults.is_empty()) {
            let message = format!(
                "{}: launches are read from a host of kernels, and no .cl, .cu or .hip file is given; for another language, give -x",
                host.path.display()
            );
            self.faults.push(InputFault::command_line(message));
        }
    }

    /// Tells the hosts of each input which files have kernels.
    fn tell_sources(&mut self) {
        let sources = self.files.iter().filter(|input| is_opencl(input)).map(|input| input.path.clone());
        let sources: Arc<[PathBuf]> = sources.collect();
        let mut told: HashMap<*const Host, Arc<Host>> = HashMap::new();
        for host in self.files.iter_mut().flat_map(|input| &mut input.frontend.hosts) {
            let with_sources = || Arc::new(Host { sources: sources.clone(), ..(**host).clone() });
            *host = told.entry(Arc::as_ptr(host)).or_insert_with(with_sources).clone();
        }
    }

    /// Tells each input in CUDA or HIP of the others, which may be parts of its program.
    fn tell_of_each_other(&mut self) {
        let all: Vec<(Language, Arc<Host>)> = self
            .files
            .iter()
            .filter_map(|input| {
                let language = language_of(&input.path, &input.frontend);
                let language = language.filter(|language| matches!(language, Language::Cuda | Language::Hip))?;
                let options = FrontendOptions { hosts: Vec::new(), ..input.frontend.clone() };
                let host = Host { path: input.path.clone(), options, is_named: false, sources: Arc::default() };
                Some((language, Arc::new(host)))
            })
            .collect();
        for input in &mut self.files {
            let language = language_of(&input.path, &input.frontend);
            let others = all.iter().filter(|(of_other, other)| Some(*of_other) == language && other.path != input.path);
            input.frontend.hosts.extend(others.map(|(_, other)| other.clone()));
        }
    }

    /// The kernel sources of a database; `None` if it is not a valid one, which is recorded.
    fn read_database(&mut self, path: &Path, given: &Path, settings: &Settings) -> Option<Found> {
        match Database::read(path, given, &settings.frontend.in_tree_of(given)) {
            Ok(Database { files, hosts, faults, notes }) => {
                self.faults.extend(faults);
                self.notes.extend(notes);
                Some((files, hosts))
            }
            Err(message) => {
                self.faults.push(InputFault::command_line(message));
                None
            }
        }
    }

    fn add_found(&mut self, place: &Path, mut files: Vec<Input>, hosts: &[Arc<Host>]) {
        for input in files.iter_mut().filter(|input| has_hosts(input)) {
            input.frontend.hosts.extend(hosts.iter().cloned());
        }
        // The faults of a database have been reported.
        if files.is_empty() && self.faults.is_empty() {
            let endings = folder::ENDINGS.join(", .");
            let message = format!("{}: no source of kernels here (.{endings})", place.display());
            self.faults.push(InputFault { culprit: Culprit::NoKernel, message });
        }
        self.files.extend(files);
    }
}
