//! `lockstep.toml`: settings of a project, per file or per kernel.
//!
//! [`find`] searches the file from each input upwards, [`read`] reads it by the table of [`keys`],
//! and [`apply`] makes settings of the tables that match. A setting has the effect of an option on
//! the command line, which wins over it, and is reported like one. The file is data that others may
//! have written: it starts no program, and folders that it names lie inside of its own tree.

mod apply;
mod find;
mod keys;
mod read;
pub mod schema;
mod write;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::KernelArguments;
use super::inputs::{outside, shown};
use super::piped;
use crate::bounded;
use crate::frontend::FrontendOptions;
use crate::pipeline::{Input, InputFault};
use apply::Applied;
use find::{Found, find};
pub use find::{NAME, candidates};
pub use read::{Configuration, located};
pub use write::write_requires;

/// The largest configuration that is read, in bytes.
const LARGEST: usize = 64 << 10;

/// The configurations of a run.
#[derive(Debug)]
pub struct Configurations<'a> {
    arguments: &'a KernelArguments,
    /// Whether the inputs are recorded launches, which have sizes and arguments of their own.
    recorded: bool,
    /// The configurations by their paths; none for a faulty one.
    known: BTreeMap<PathBuf, Option<Arc<Configuration>>>,
    /// Errors in the configurations.
    pub faults: Vec<InputFault>,
    /// Notes on configurations that are not used.
    pub notes: Vec<String>,
}

impl<'a> Configurations<'a> {
    /// Those that a command line asks for.
    pub fn new(arguments: &'a KernelArguments, recorded: bool) -> Self {
        Self { arguments, recorded, known: BTreeMap::new(), faults: Vec::new(), notes: Vec::new() }
    }

    /// Gives each input its settings. Inputs whose configuration is faulty are removed.
    pub fn apply(&mut self, inputs: Vec<Input>) -> Vec<Input> {
        let mut kept = Vec::new();
        for mut input in inputs {
            let is_piped = self.arguments.config.piped.as_ref() == Some(&input.path);
            if is_piped {
                piped::in_working_folder(&mut input.frontend);
            }
            let place = if is_piped { PathBuf::from(".") } else { input.path.clone() };
            if self.apply_to(&mut input, &place) {
                kept.push(input);
            }
        }
        kept
    }

    fn apply_to(&mut self, input: &mut Input, place: &Path) -> bool {
        let Some(path) = self.path_for(place) else { return true };
        let Some(configuration) = self.read(&path) else { return false };
        let Some(applied) = Applied::new(configuration, self.arguments, place, self.recorded) else { return true };
        match applied.apply(input) {
            Ok(()) => {
                input.special = Some(Arc::new(applied));
                true
            }
            Err(faults) => {
                let new: Vec<InputFault> = faults.into_iter().filter(|fault| !self.faults.contains(fault)).collect();
                self.faults.extend(new);
                false
            }
        }
    }

    fn path_for(&mut self, place: &Path) -> Option<PathBuf> {
        let asked = &self.arguments.config;
        if asked.no_config || asked.config.is_some() {
            return asked.config.clone();
        }
        let Found { file, foreign } = find(place);
        if let Some(foreign) = foreign {
            let note = format!("{}: not used, since it belongs to another user (--config uses it)", foreign.display());
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        file
    }

    fn read(&mut self, path: &Path) -> Option<Arc<Configuration>> {
        if !self.known.contains_key(path) {
            let read = self.read_anew(path);
            let read = read.map_err(|messages| {
                self.faults.extend(messages.into_iter().map(InputFault::command_line));
            });
            self.known.insert(path.to_owned(), read.ok().map(Arc::new));
        }
        self.known.get(path)?.clone()
    }

    fn read_anew(&self, path: &Path) -> Result<Configuration, Vec<String>> {
        let is_asked_for = self.arguments.config.config.is_some();
        let name = if is_asked_for { path.to_owned() } else { shown(path) };
        let fault = |message: &str| vec![format!("{}: {message}", name.display())];
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = fs::canonicalize(folder).map_err(|cause| fault(&cause.to_string()))?;
        let real = fs::canonicalize(path).map_err(|cause| fault(&cause.to_string()))?;
        // A link in a hostile repository could have a file elsewhere quoted in messages.
        if !is_asked_for && real.parent() != Some(&folder) && !tree_of(&folder).may_read(&real) {
            return Err(vec![outside(&name.display().to_string(), &folder).message]);
        }
        bounded::check(path).map_err(|cause| fault(&cause.to_string()))?;
        if fs::metadata(path).is_ok_and(|known| usize::try_from(known.len()).map_or(true, |bytes| bytes > LARGEST)) {
            return Err(fault(&format!("a configuration has at most {} KiB", LARGEST >> 10)));
        }
        let text = bounded::read_to_string(path).map_err(|cause| fault(&cause.to_string()))?;
        Configuration::parse(&text, name.clone(), folder)
            .map_err(|problems| problems.iter().map(|problem| located(&name, problem)).collect())
    }
}

/// The files that may be read for a configuration in this folder.
fn tree_of(folder: &Path) -> FrontendOptions {
    // No file has this name, so no link of it counts.
    FrontendOptions::default().in_tree_of(&folder.join("\0"))
}

/// The only input of a command, with its settings.
pub fn single(path: &Path, arguments: &KernelArguments) -> anyhow::Result<Input> {
    let settings = crate::pipeline::Settings::without_axioms(arguments)?;
    let input = Input { frontend: settings.frontend.clone(), ..settings.input(path) };
    let mut configurations = Configurations::new(arguments, false);
    let input = configurations.apply(vec![input]).pop();
    for note in &configurations.notes {
        crate::report::say(&format!("note: {note}"));
    }
    input.ok_or_else(|| {
        let faults: Vec<&str> = configurations.faults.iter().map(|fault| fault.message.as_str()).collect();
        anyhow::anyhow!("{}", faults.join("\nerror: "))
    })
}
