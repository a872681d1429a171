//! Checks on all inputs together. Names on the command line must belong to some kernel, array or
//! parameter, and folders must have kernels. The facts are collected file by file, since not all
//! files are in memory at the same time.

use std::collections::BTreeSet;
use std::path::Path;

use lockstep_ir::kernel::{Space, VerifiedKernel};
use serde::{Deserialize, Serialize};

use crate::frontend::ImportedKernel;
use crate::pipeline::{Culprit, InputFault};
use crate::pipeline::{Input, Settings};

/// Facts about the kernels of some files, which can be merged.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Seen {
    /// For each kernel name on the command line: whether a kernel has this name, ...
    known: Vec<bool>,
    /// ... and whether such a kernel is launched.
    launched: Vec<bool>,
    /// The names of all kernels.
    kernels: BTreeSet<String>,
    /// The arrays that threads share, ...
    arrays: BTreeSet<String>,
    /// ... and whether there is a kernel whose arrays are unknown.
    unknown_arrays: bool,
    /// The facts about each `--assume`.
    assumptions: Vec<Assumed>,
    /// Whether a kernel is launched.
    any_launched: bool,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Assumed {
    about_one: bool,
    errors: Vec<String>,
}

/// The kernel names on the command line, each with whether the user asks for the kernel itself.
fn names(settings: &Settings) -> impl Iterator<Item = (&str, bool)> {
    let asked_for = settings.kernels.iter().map(|name| (name.as_str(), true));
    let with_values = settings.kernel_values.iter().map(|given| (given.kernel.as_str(), false));
    let with_sizes = settings.kernel_arrays.iter().map(|given| (given.kernel.as_str(), false));
    asked_for.chain(with_values).chain(with_sizes)
}

impl Seen {
    /// The facts about kernels, some of which are launched.
    pub fn new(settings: &Settings, known: &[&ImportedKernel], launched: &[&ImportedKernel]) -> Self {
        let called = |name: &str, kernels: &[&ImportedKernel]| kernels.iter().any(|kernel| kernel.is_called(name));
        let read: Vec<&VerifiedKernel> = known.iter().filter_map(|kernel| kernel.kernel.as_ref().ok()).collect();
        let arrays = read.iter().flat_map(|kernel| kernel.arrays.values());
        let shared = arrays.filter(|array| matches!(array.space, Space::Global | Space::Local | Space::Constant));
        let mut assumptions = vec![Assumed::default(); settings.frontend.assume.len()];
        for (index, assumption) in settings.frontend.assume.iter().enumerate() {
            let assumed = &mut assumptions[index];
            for kernel in launched {
                match kernel.assumed.get(index) {
                    Some(Ok(is_about)) => assumed.about_one |= is_about,
                    Some(Err(why)) => {
                        let error = format!("--assume '{}': {why} (kernel {})", assumption.text, kernel.name);
                        assumed.errors.push(error);
                        assumed.about_one = true;
                    }
                    // The kernel could not be read.
                    None => assumed.about_one = true,
                }
            }
        }
        Self {
            known: names(settings).map(|(name, _)| called(name, known)).collect(),
            launched: names(settings).map(|(name, _)| called(name, launched)).collect(),
            kernels: known.iter().map(|kernel| kernel.name.clone()).collect(),
            arrays: shared.map(|array| array.name.clone()).collect(),
            // A kernel that could not be read may have any array.
            unknown_arrays: read.len() != known.len(),
            assumptions,
            any_launched: !launched.is_empty(),
        }
    }

    fn add(&mut self, other: Self) {
        let either = |all: &mut [bool], more: &[bool]| all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
        either(&mut self.known, &other.known);
        either(&mut self.launched, &other.launched);
        self.kernels.extend(other.kernels);
        self.arrays.extend(other.arrays);
        self.unknown_arrays |= other.unknown_arrays;
        for (all, more) in self.assumptions.iter_mut().zip(other.assumptions) {
            all.about_one |= more.about_one;
            all.errors.extend(more.errors);
        }
        self.any_launched |= other.any_launched;
    }
}

/// Facts about all inputs together.
pub struct Whole<'a> {
    settings: &'a Settings,
    seen: Seen,
    /// The folders and databases in which files were found, with the number of files and whether
    /// one of them may have a kernel.
    places: Vec<(&'a Path, usize, bool)>,
}

impl<'a> Whole<'a> {
    /// Creates empty facts.
    pub fn new(settings: &'a Settings) -> Self {
        Self { settings, seen: Seen::new(settings, &[], &[]), places: Vec::new() }
    }

    /// Adds a file, and whether it has no kernels.
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

    /// Adds the facts about more kernels.
    pub fn add(&mut self, seen: Seen) {
        self.seen.add(seen);
    }

    /// The names of requested kernels that exist but have no launch.
    pub fn never_launched(&self) -> Vec<String> {
        let facts = self.seen.known.iter().zip(&self.seen.launched);
        let missing = names(self.settings).zip(facts);
        let missing = missing.filter(|((_, asked_for), (known, launched))| *asked_for && **known && !**launched);
        missing.map(|((name, _), _)| name.to_owned()).collect()
    }

    /// The errors in the command line and the inputs.
    pub fn faults(&self) -> Vec<InputFault> {
        let mut faults = self.empty_places();
        faults.extend(self.unknown_kernels().into_iter().map(InputFault::command_line));
        faults.extend(self.missing_arrays().into_iter().map(InputFault::kernel));
        faults.extend(self.unused_assumptions().into_iter().map(InputFault::command_line));
        faults
    }

    /// Folders and databases without kernels in any file.
    fn empty_places(&self) -> Vec<InputFault> {
        let empty = self.places.iter().filter(|(.., has_kernels)| !has_kernels);
        let fault = |&(place, files, _): &(&Path, usize, bool)| InputFault {
            culprit: Culprit::NoKernel,
            message: format!("{}: no kernel in the {} here", place.display(), crate::report::count(files, "source")),
        };
        empty.map(fault).collect()
    }

    fn unknown_kernels(&self) -> Vec<String> {
        let named = names(self.settings).zip(&self.seen.known);
        let unknown = named.filter(|(_, known)| !**known && !self.seen.kernels.is_empty());
        let kernels: Vec<&str> = self.seen.kernels.iter().map(String::as_str).collect();
        unknown
            .map(|((name, _), _)| format!("no kernel `{name}` in the input; there are: {}", kernels.join(", ")))
            .collect()
    }

    /// The errors in `--check-arrays`: each name must be that of an array that threads share.
    fn missing_arrays(&self) -> Vec<String> {
        if self.seen.unknown_arrays || self.seen.kernels.is_empty() {
            return Vec::new();
        }
        let listed = || self.seen.arrays.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let chosen = self.settings.lockstep.check_arrays.iter().flatten();
        chosen
            .filter(|name| !self.seen.arrays.contains(name.as_str()))
            .map(|name| format!("--check-arrays: no kernel has an array `{name}`; there are: {}", listed()))
            .collect()
    }

    /// The errors in `--assume`: each must concern some kernel.
    fn unused_assumptions(&self) -> Vec<String> {
        let mut errors = Vec::new();
        let all = self.settings.frontend.assume.iter().zip(&self.seen.assumptions);
        for (assumption, assumed) in all.filter(|_| self.seen.any_launched) {
            errors.extend(assumed.errors.iter().cloned());
            if !assumed.about_one {
                let names: Vec<&str> = assumption.names().into_iter().chain(assumption.arrays()).collect();
                let names = names.join(", ");
                errors.push(format!("--assume '{}': no kernel has parameters named {names}", assumption.text));
            }
        }
        errors
    }
}
