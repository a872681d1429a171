//! What is said of all inputs together: names on the command line must be those of some kernel, array or parameter, folders must have
//! kernels. It is collected file by file, since not all of them are in memory at the same time.

use std::collections::BTreeSet;
use std::path::Path;

use lockstep_ir::kernel::{Space, VerifiedKernel};

use super::exit::{Culprit, InputFault};
use super::pipeline::{Input, Settings};
use crate::frontend::ImportedKernel;

/// What is known of the inputs so far.
pub struct Whole<'a> {
    settings: &'a Settings,
    /// The names of kernels that the command line gives.
    named: Vec<Named<'a>>,
    /// How all kernels are called.
    kernels: BTreeSet<String>,
    /// The arrays that threads share, and whether those of every kernel are known.
    arrays: BTreeSet<String>,
    all_arrays: bool,
    /// Of each `--assume`.
    assumptions: Vec<Assumed>,
    /// Whether a kernel is launched.
    any_launched: bool,
    /// The folders and databases in which files were found, how many, and whether one of them may have a kernel.
    places: Vec<(&'a Path, usize, bool)>,
}

struct Named<'a> {
    name: &'a str,
    /// Whether it was asked for, rather than given something.
    asked_for: bool,
    known: bool,
    launched: bool,
}

#[derive(Clone, Default)]
struct Assumed {
    about_one: bool,
    errors: Vec<String>,
}

impl<'a> Whole<'a> {
    /// Nothing yet.
    pub fn new(settings: &'a Settings) -> Self {
        let named = |name: &'a String, asked_for| Named { name, asked_for, known: false, launched: false };
        let asked_for = settings.kernels.iter().map(|name| named(name, true));
        let with_values = settings.kernel_values.iter().map(|given| named(&given.kernel, false));
        let with_sizes = settings.kernel_arrays.iter().map(|given| named(&given.kernel, false));
        Self {
            settings,
            named: asked_for.chain(with_values).chain(with_sizes).collect(),
            kernels: BTreeSet::new(),
            arrays: BTreeSet::new(),
            all_arrays: true,
            assumptions: vec![Assumed::default(); settings.frontend.assume.len()],
            any_launched: false,
            places: Vec::new(),
        }
    }

    /// A file, and whether it has no kernels.
    pub fn add_file(&mut self, input: &'a Input, is_empty: bool) {
        let Some(place) = &input.found_in else { return };
        match self.places.iter_mut().find(|(known, ..)| known == place) {
            Some((_, files, has_kernels)) => {
                *files += 1;
                *has_kernels |= !is_empty;
            }
            None => self.places.push((place, 1, !is_empty)),
        }
    }

    /// Kernels, and those of them that are launched.
    pub fn add_kernels(&mut self, known: &[&ImportedKernel], launched: &[&ImportedKernel]) {
        for named in &mut self.named {
            named.known |= known.iter().any(|kernel| kernel.is_called(named.name));
            named.launched |= launched.iter().any(|kernel| kernel.is_called(named.name));
        }
        self.kernels.extend(known.iter().map(|kernel| kernel.name.clone()));
        let read: Vec<&VerifiedKernel> = known.iter().filter_map(|kernel| kernel.kernel.as_ref().ok()).collect();
        // What could not be read may have any.
        self.all_arrays &= read.len() == known.len();
        let arrays = read.iter().flat_map(|kernel| kernel.arrays.values());
        let shared = arrays.filter(|array| matches!(array.space, Space::Global | Space::Local | Space::Constant));
        self.arrays.extend(shared.map(|array| array.name.clone()));
        self.any_launched |= !launched.is_empty();
        for (index, assumption) in self.settings.frontend.assume.iter().enumerate() {
            let assumed = &mut self.assumptions[index];
            for kernel in launched {
                match kernel.assumed.get(index) {
                    Some(Ok(is_about)) => assumed.about_one |= is_about,
                    Some(Err(why)) => {
                        let error = format!("--assume '{}': {why} (kernel {})", assumption.text, kernel.name);
                        assumed.errors.push(error);
                        assumed.about_one = true;
                    }
                    // The kernel could not be read so far.
                    None => assumed.about_one = true,
                }
            }
        }
    }

    /// The names of kernels that were asked for and are there, and of which there is no launch.
    pub fn never_launched(&self) -> Vec<String> {
        let asked_for = self.named.iter().filter(|named| named.asked_for && named.known && !named.launched);
        asked_for.map(|named| named.name.to_owned()).collect()
    }

    /// What is wrong.
    pub fn faults(&self) -> Vec<InputFault> {
        let mut faults = self.empty_places();
        faults.extend(self.unknown_kernels().into_iter().map(InputFault::command_line));
        faults.extend(self.missing_arrays().into_iter().map(InputFault::kernel));
        faults.extend(self.unused_assumptions().into_iter().map(InputFault::command_line));
        faults
    }

    /// Folders and databases of which no file has a kernel.
    fn empty_places(&self) -> Vec<InputFault> {
        let empty = self.places.iter().filter(|(.., has_kernels)| !has_kernels);
        let fault = |&(place, files, _): &(&Path, usize, bool)| InputFault {
            culprit: Culprit::NoKernel,
            message: format!("{}: no kernel in the {} here", place.display(), crate::report::count(files, "source")),
        };
        empty.map(fault).collect()
    }

    fn unknown_kernels(&self) -> Vec<String> {
        let unknown = self.named.iter().filter(|named| !named.known && !self.kernels.is_empty());
        let names: Vec<&str> = self.kernels.iter().map(String::as_str).collect();
        unknown
            .map(|named| format!("no kernel `{}` in the input; there are: {}", named.name, names.join(", ")))
            .collect()
    }

    /// What is wrong with `--check-arrays`: each name must be that of an array that threads share.
    fn missing_arrays(&self) -> Vec<String> {
        if !self.all_arrays || self.kernels.is_empty() {
            return Vec::new();
        }
        let listed = || self.arrays.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let chosen = self.settings.lockstep.check_arrays.iter().flatten();
        chosen
            .filter(|name| !self.arrays.contains(name.as_str()))
            .map(|name| format!("--check-arrays: no kernel has an array `{name}`; there are: {}", listed()))
            .collect()
    }

    /// What is wrong with `--assume`: each must be about some kernel.
    fn unused_assumptions(&self) -> Vec<String> {
        let mut errors = Vec::new();
        let all = self.settings.frontend.assume.iter().zip(&self.assumptions);
        for (assumption, assumed) in all.filter(|_| self.any_launched) {
            errors.extend(assumed.errors.iter().cloned());
            if !assumed.about_one {
                let names: Vec<&str> = assumption.names().into_iter().collect();
                let names = names.join(", ");
                errors.push(format!("--assume '{}': no kernel has parameters named {names}", assumption.text));
            }
        }
        errors
    }
}
