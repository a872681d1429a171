//! The places of steps: in the source where `.loc` says so and its text may be shown, else in the
//! file itself.
//!
//! A path in a PTX file is data from someone else. The source is named only if its file may be read
//! like any other file that an input names ([`FrontendOptions::may_read`]).

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lockstep_ir::kernel::Kernel;
use lockstep_ir::source::{File, Location, LocationData};
use lockstep_system::printable;

use super::flatten::StepPlace;
use super::module::Module;
use crate::FrontendOptions;

/// The files of a module that may be shown, by number: the name, and the file itself.
pub struct Sources {
    files: HashMap<u32, (String, PathBuf)>,
    own: String,
}

impl Sources {
    /// The files that may be shown.
    pub fn new(module: &Module, path: &Path, options: &FrontendOptions) -> Self {
        let mut files = HashMap::new();
        for (&number, named) in &module.files {
            let beside = path.parent().map(|folder| folder.join(named));
            let found = [Some(PathBuf::from(named)), beside].into_iter().flatten().find(|file| {
                !named.is_empty() && !named.chars().any(char::is_control) && options.may_read(file) && file.is_file()
            });
            if let Some(file) = found {
                files.insert(number, (printable::one_line(&file.to_string_lossy()).into_owned(), file));
            }
        }
        Self { files, own: path.display().to_string() }
    }

    /// The files that may be shown.
    pub fn opened(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.values().map(|(_, file)| file)
    }
}

/// The locations of one kernel's steps.
pub struct Places<'a> {
    sources: &'a Sources,
    steps: &'a [StepPlace],
    files: HashMap<String, File>,
    known: HashMap<usize, Location>,
}

impl<'a> Places<'a> {
    /// None so far.
    pub fn new(sources: &'a Sources, steps: &'a [StepPlace]) -> Self {
        Self { sources, steps, files: HashMap::new(), known: HashMap::new() }
    }

    /// The location of a step's place.
    pub fn location(&mut self, kernel: &mut Kernel, place: usize) -> Option<Location> {
        if let Some(known) = self.known.get(&place) {
            return Some(*known);
        }
        let data = self.steps.get(place)?;
        let mut inlined_at = data.call.and_then(|call| self.location(kernel, call));
        let shown = data.source.and_then(|source| {
            let [file, line, column] = source.at;
            // Line 0 stands for code that the compiler made itself.
            let name = self.sources.files.get(&file).filter(|_| line > 0)?.0.clone();
            if let Some([file, line, column]) = source.inlined_at
                && let Some((name, _)) = self.sources.files.get(&file).filter(|_| line > 0)
            {
                inlined_at = Some(self.add(kernel, &name.clone(), [line, column], inlined_at));
            }
            Some((name, [line, column]))
        });
        let (name, at) = shown.unwrap_or_else(|| (self.sources.own.clone(), [data.line, 0]));
        let location = self.add(kernel, &name, at, inlined_at);
        self.known.insert(place, location);
        Some(location)
    }

    fn add(
        &mut self,
        kernel: &mut Kernel,
        name: &str,
        [line, column]: [u32; 2],
        inlined_at: Option<Location>,
    ) -> Location {
        let file = *self.files.entry(name.to_owned()).or_insert_with(|| kernel.files.push(name.to_owned()));
        kernel.locations.push(LocationData { file, line, column, inlined_at, function: String::new() })
    }
}
