//! Settings that a configuration gives to a file and its kernels.
//!
//! The tables that match are merged in their order: a later value replaces an earlier one, and
//! lists add up. Options that the command line gives are then removed, and the rest is appended to
//! the command line as words. So a setting is read, checked and reported as an option is.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser as _;
use glob::MatchOptions;
use lockstep_ir::assumption::GivenBy;
use lockstep_ir::kernel::{Parameter, ParameterKind, VerifiedKernel};
use lockstep_ir::source::Place;
use num_bigint::BigInt;

use super::keys::{ARGUMENTS, ARRAYS, ASSUME, DEFINES, INCLUDES, Key, Kind};
use super::read::{Configuration, Entry, Given, Section, sentence};
use super::tree_of;
use crate::command::arguments::{Arguments, KernelArguments};
use crate::command::inputs::shown;
use crate::frontend::assume::Assumption;
use crate::frontend::{FrontendOptions, ImportedKernel};
use crate::lockstep::LockstepOptions;
use crate::pipeline::given::{KernelArrays, KernelValues};
use crate::pipeline::{Input, InputFault, Settings, Special};

/// Options of which one replaces the other.
const EXCLUSIVE: [[&str; 2]; 2] = [["num-groups", "global-size"], ["warp-size", "warp-sync"]];

/// Lists of which a name in one leaves the other.
const OPPOSED: [&str; 2] = ["check", "no-check"];

/// Keys that a recorded launch or `--open-sizes` makes void.
const SIZES: [&str; 4] = ["local-size", "num-groups", "global-size", "open-sizes"];

/// Keys whose values do not become words of the command line.
const APART: [&str; 5] = [INCLUDES, DEFINES, ASSUME, ARGUMENTS, ARRAYS];

/// A configuration, for one input.
#[derive(Debug)]
pub struct Applied {
    configuration: Arc<Configuration>,
    arguments: KernelArguments,
    /// The tables that match the file.
    sections: Vec<usize>,
    recorded: bool,
}

impl Applied {
    /// The tables for the file or folder at this place; none if no table is about it.
    pub fn new(
        configuration: Arc<Configuration>,
        arguments: &KernelArguments,
        place: &Path,
        recorded: bool,
    ) -> Option<Self> {
        let real = fs::canonicalize(place).unwrap_or_else(|_| place.to_owned());
        let below = real.strip_prefix(&configuration.folder).ok().map(Path::to_owned);
        let matches = |section: &Section| is_about(section, below.as_deref(), &real);
        let sections: Vec<usize> = (0..configuration.sections.len())
            .filter(|&index| {
                let section = &configuration.sections[index];
                !section.entries.is_empty() && matches(section)
            })
            .collect();
        let arguments = arguments.clone();
        (!sections.is_empty()).then_some(Self { configuration, arguments, sections, recorded })
    }

    /// Changes how the file is read.
    pub fn apply(&self, input: &mut Input) -> Result<(), Vec<InputFault>> {
        let merged = self.merged(|section| section.kernels.is_none());
        let settings = self.parsed(&merged).map_err(|fault| vec![fault])?;
        let frontend = &mut input.frontend;
        let words = |key: &str| merged.values(key).iter().map(|given| given.word.clone()).collect::<Vec<_>>();
        frontend.defines.splice(0..0, words(DEFINES));
        let from = &settings.frontend;
        if merged.has("cl-std") {
            frontend.cl_std.clone_from(&from.cl_std);
        }
        if merged.has("language") {
            frontend.language = from.language;
        }
        frontend.pointer_bits = from.pointer_bits;
        frontend.warp_size = from.warp_size;
        frontend.source_launches &= from.source_launches;
        frontend.assume.extend(self.assumptions());
        self.add_includes(&merged, frontend)
    }

    /// The conditions of all tables, each with the kernels that it is about.
    fn assumptions(&self) -> Vec<Assumption> {
        let mut all = Vec::new();
        for section in self.own_sections() {
            let entries = section.entries.iter().filter(|entry| entry.key.name == ASSUME);
            for Given { word, line, .. } in entries.flat_map(|entry| &entry.values) {
                let origin = Place { file: self.origin().display().to_string(), line: *line };
                // It was read before.
                if let Ok(condition) = Assumption::parse(word) {
                    all.push(condition.of_configuration(origin, section.kernels.clone()));
                }
            }
        }
        all
    }

    fn add_includes(&self, merged: &Merged, frontend: &mut FrontendOptions) -> Result<(), Vec<InputFault>> {
        let own = tree_of(&self.configuration.folder);
        let mut faults = Vec::new();
        for Given { word, line, .. } in merged.values(INCLUDES) {
            let folder = self.configuration.folder.join(word);
            let fault = |message: &str| {
                let path = self.origin().display();
                InputFault::command_line(format!("{path}:{line}: `{INCLUDES}`: {word} {message}"))
            };
            if !folder.is_dir() {
                faults.push(fault("is no folder"));
            } else if !own.may_read(&folder) && !frontend.may_read(&folder) {
                faults.push(fault("lies outside of the file's repository or folder; -I or --allow-read names it"));
            } else {
                frontend.readable.add(&folder);
                frontend.includes.push(shown(&folder));
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    fn own_sections(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter().map(|&index| &self.configuration.sections[index])
    }

    /// The settings of the tables that match, without those that the command line gives.
    fn merged(&self, matches: impl Fn(&Section) -> bool) -> Merged {
        let mut merged = Merged::default();
        for section in self.own_sections().filter(|section| matches(section)) {
            section.entries.iter().for_each(|entry| merged.add(entry));
        }
        merged.remove_given(&self.arguments);
        if self.recorded || self.arguments.config.line.given.contains("open_sizes") {
            merged.remove(&SIZES);
        }
        if self.recorded {
            merged.remove(&["language", ARGUMENTS, ARRAYS]);
        }
        merged
    }

    /// The settings of the command line with these added. Axioms are left out.
    fn parsed(&self, merged: &Merged) -> Result<Settings, InputFault> {
        let mut words = self.arguments.config.line.words.clone();
        let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
        words.splice(end..end, merged.words().into_iter().map(OsString::from));
        let fault = |message: String| InputFault::command_line(format!("{}: {message}", self.origin().display()));
        let arguments = Arguments::try_parse_from(words).map_err(|error| fault(sentence(&error)))?;
        let arguments = arguments.command.into_kernel_arguments().unwrap_or_else(|| self.arguments.clone());
        Settings::without_axioms(&arguments).map_err(|error| fault(error.to_string()))
    }

    /// The settings of a run, changed by those of the tables.
    fn changed(&self, merged: &Merged, of_run: &Settings) -> Result<Settings, InputFault> {
        let own = self.parsed(merged)?;
        let mut frontend = of_run.frontend.clone();
        frontend.source_launches = own.frontend.source_launches;
        let axioms = of_run.lockstep.axioms.clone();
        Ok(Settings {
            frontend,
            launch: own.launch,
            lockstep: LockstepOptions { axioms, ..own.lockstep },
            prove: own.prove,
            kernel_values: own.kernel_values,
            kernel_arrays: own.kernel_arrays,
            only_intra_group: own.only_intra_group,
            possible: own.possible,
            ..of_run.clone()
        })
    }

    fn of_kernel(&self, name: &str) -> Merged {
        self.merged(|section| section.kernels.as_ref().is_none_or(|patterns| patterns.matches(name)))
    }

    /// The given values in the order of the parameters.
    fn in_order(
        &self,
        (kernel, key): (&VerifiedKernel, &str),
        given: &[Given],
        takes: fn(&ParameterKind) -> bool,
    ) -> Result<Vec<Option<String>>, InputFault> {
        let parameters: Vec<&Parameter> = kernel.passed().iter().filter(|parameter| takes(&parameter.kind)).collect();
        if let Some(Given { name, line, .. }) =
            given.iter().find(|given| parameters.iter().all(|one| one.name != given.name))
        {
            let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let known =
                if known.is_empty() { "it has none".to_owned() } else { format!("there are: {}", known.join(", ")) };
            let (path, kernel) = (self.origin().display(), &kernel.name);
            let message = format!("{path}:{line}: `{key}`: kernel {kernel} has no such parameter `{name}`; {known}");
            return Err(InputFault::command_line(message));
        }
        let value = |parameter: &&Parameter| given.iter().rev().find(|given| given.name == parameter.name);
        Ok(parameters.iter().map(|parameter| value(parameter).map(|given| given.word.clone())).collect())
    }

    fn add_arguments(
        &self,
        imported: &ImportedKernel,
        merged: &Merged,
        settings: &mut Settings,
    ) -> Result<(), InputFault> {
        let Ok(kernel) = &imported.kernel else { return Ok(()) };
        let (symbol, by) = (imported.symbol.clone(), GivenBy::Configuration);
        let values = merged.values(ARGUMENTS);
        if !values.is_empty() {
            let by_value =
                |kind: &ParameterKind| matches!(kind, ParameterKind::Scalar(_) | ParameterKind::Aggregate(_));
            let words = self.in_order((kernel, ARGUMENTS), values, by_value)?;
            let number = |word: Option<String>| word.and_then(|word| word.parse::<BigInt>().ok());
            let values = words.into_iter().map(number).collect();
            settings.kernel_values.push(KernelValues { kernel: symbol.clone(), values, by });
        }
        let sizes = merged.values(ARRAYS);
        if !sizes.is_empty() {
            let words = self.in_order((kernel, ARRAYS), sizes, |kind| matches!(kind, ParameterKind::Pointer(_)))?;
            let sizes = words.into_iter().map(|word| word.and_then(|word| word.parse().ok())).collect();
            settings.kernel_arrays.push(KernelArrays { kernel: symbol, sizes, by });
        }
        Ok(())
    }

    /// The error of `check-arrays`: a name that is mistaken would leave out all races.
    fn check_array_names(&self, imported: &ImportedKernel, merged: &Merged) -> Result<(), InputFault> {
        let Ok(kernel) = &imported.kernel else { return Ok(()) };
        let arrays: Vec<&str> = kernel.arrays.values().map(|array| array.name.as_str()).collect();
        let Some(Given { word, line, .. }) =
            merged.values("check-arrays").iter().find(|given| !arrays.contains(&given.word.as_str()))
        else {
            return Ok(());
        };
        let (path, name) = (self.origin().display(), &imported.name);
        let message = format!("{path}:{line}: `check-arrays`: kernel {name} has no array `{word}`");
        Err(InputFault::command_line(message))
    }

    /// The error of a condition that cannot be about the kernel.
    fn check_conditions(&self, imported: &ImportedKernel) -> Result<(), InputFault> {
        let all = self.assumptions();
        let first = imported.assumed.len().saturating_sub(all.len());
        let wrong = imported.assumed.iter().skip(first).zip(&all).find_map(|(assumed, condition)| {
            let why = assumed.as_ref().err().filter(|_| imported.kernel.is_ok())?;
            let line = condition.origin.as_ref().map_or(0, |origin| origin.line);
            let path = self.origin().display();
            Some(format!("{path}:{line}: `{}`: {why} (kernel {})", condition.text, imported.name))
        });
        wrong.map_or(Ok(()), |message| Err(InputFault::command_line(message)))
    }
}

impl Special for Applied {
    fn origin(&self) -> &Path {
        &self.configuration.path
    }

    fn settings(&self, kernel: &ImportedKernel, of_run: &Settings) -> Result<Settings, InputFault> {
        self.check_conditions(kernel)?;
        let merged = self.of_kernel(kernel.names.first().unwrap_or(&kernel.name));
        let mut settings = self.changed(&merged, of_run)?;
        self.add_arguments(kernel, &merged, &mut settings)?;
        self.check_array_names(kernel, &merged)?;
        Ok(settings)
    }

    fn named(&self, kernel: &str, of_run: &Settings) -> Result<Settings, InputFault> {
        self.changed(&self.of_kernel(kernel), of_run)
    }
}

/// Whether a table is about a file. A pattern without a slash matches the name of the file.
fn is_about(section: &Section, below: Option<&Path>, real: &Path) -> bool {
    let Some(patterns) = &section.files else { return true };
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::default() };
    let name = real.file_name().map(PathBuf::from).unwrap_or_default();
    patterns.iter().any(|pattern| {
        let path = if pattern.as_str().contains('/') { below } else { Some(name.as_path()) };
        path.is_some_and(|path| pattern.matches_path_with(path, options))
    })
}

/// The settings of several tables.
#[derive(Debug, Default)]
struct Merged(Vec<Entry>);

impl Merged {
    fn add(&mut self, entry: &Entry) {
        let key = entry.key;
        for [one, other] in EXCLUSIVE {
            if key.name == one || key.name == other {
                self.remove(&[one, other]);
            }
        }
        for (list, opposite) in [(OPPOSED[0], OPPOSED[1]), (OPPOSED[1], OPPOSED[0])] {
            if key.name == list {
                self.remove_words(opposite, &|word| entry.values.iter().any(|given| given.word == word));
            }
        }
        if key.name == DEFINES {
            let is_again = |word: &str| entry.values.iter().any(|given| macro_name(&given.word) == macro_name(word));
            self.remove_words(DEFINES, &is_again);
        }
        match self.0.iter_mut().find(|known| known.key.name == key.name) {
            Some(known) if key.adds_up() => known.values.extend(entry.values.iter().cloned()),
            Some(known) => known.values.clone_from(&entry.values),
            None => self.0.push(entry.clone()),
        }
    }

    fn remove(&mut self, names: &[&str]) {
        self.0.retain(|entry| !names.contains(&entry.key.name));
    }

    fn remove_words(&mut self, name: &str, is_removed: &dyn Fn(&str) -> bool) {
        let entries = self.0.iter_mut().filter(|entry| entry.key.name == name);
        entries.for_each(|entry| entry.values.retain(|given| !is_removed(&given.word)));
    }

    /// Removes the settings that the command line gives.
    fn remove_given(&mut self, arguments: &KernelArguments) {
        let given = &arguments.config.line.given;
        self.0.retain(|entry| entry.key.adds_up() || !given.contains(entry.key.id));
        for [one, other] in EXCLUSIVE {
            let is_given = |name: &str| Key::named(name).is_some_and(|key| given.contains(key.id));
            if is_given(one) || is_given(other) {
                self.remove(&[one, other]);
            }
        }
        let is_defined = |word: &str| arguments.frontend.defines.iter().any(|own| macro_name(own) == macro_name(word));
        self.remove_words(DEFINES, &is_defined);
        let checks = &arguments.checks;
        let is_chosen = |word: &str| checks.check.iter().chain(&checks.no_check).any(|check| check.name() == word);
        for list in OPPOSED {
            self.remove_words(list, &is_chosen);
        }
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|entry| entry.key.name == name)
    }

    fn values(&self, name: &str) -> &[Given] {
        self.0.iter().find(|entry| entry.key.name == name).map_or(&[], |entry| &entry.values)
    }

    /// The words that have the same effect on the command line.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        for Entry { key, values } in self.0.iter().filter(|entry| !APART.contains(&entry.key.name)) {
            let word = |given: &Given| match (key.kind, given.word.as_str()) {
                (Kind::Flag, "true") => Some(key.option.to_owned()),
                (Kind::Flag, _) => None,
                (_, word) => Some(format!("{}={word}", key.option)),
            };
            words.extend(values.iter().filter_map(word));
        }
        words
    }
}

/// The name of a macro: `N` of `N=4`.
fn macro_name(define: &str) -> &str {
    define.split(['=', '(']).next().unwrap_or(define)
}
