//! Files with kernels, what is asked about them, and what comes of a run.

use std::path::PathBuf;

use crate::frontend::{self, FrontendOptions, ImportedKernel, InputError, Module};
use crate::pipeline::fault;
use crate::pipeline::input_fault::{Culprit, InputFault};
use crate::pipeline::launches::AskedLaunch;
use crate::pipeline::settings::Settings;
use crate::report::{self};
use crate::verdict::KernelReport;

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct RunOutcome {
    /// A report per kernel, in the order of the input.
    pub reports: Vec<KernelReport>,
    /// What is wrong with the input.
    pub errors: Vec<InputFault>,
    /// The names of kernels that were asked for and are there, and of which there is no launch:
    /// only recordings lack some.
    pub never_launched: Vec<String>,
    /// What Clang said about files that it compiled.
    pub diagnostics: Vec<String>,
    /// Seconds that Clang took.
    pub clang_seconds: f64,
    /// Seconds from the beginning of each file to its end, added up.
    pub wall_seconds: f64,
    /// The signal that ended the run before its time, and how many kernels, or files that were not
    /// read, are missing.
    pub interrupted: Option<(i32, usize)>,
}

impl RunOutcome {
    /// That the run was ended before its time, if it was.
    pub fn interruption(&self) -> Option<InputFault> {
        let (signal, missing) = self.interrupted?;
        let missing = report::count(missing, "kernel or file");
        let message = format!("interrupted by signal {signal}: {missing} not judged");
        Some(InputFault { culprit: Culprit::CommandLine, message })
    }
}

/// A file with kernels.
#[derive(Clone, Debug)]
pub struct Input {
    /// The file.
    pub path: PathBuf,
    /// How it is read.
    pub frontend: FrontendOptions,
    /// Recorded launches, and the names of the kernels that they are of. Where there is none, all
    /// kernels are meant.
    pub recorded: Vec<(String, AskedLaunch)>,
    /// The folder or compilation database in which it was found, if it was not named itself: it
    /// need not have a kernel.
    pub found_in: Option<PathBuf>,
}

impl Input {
    /// What is asked about the file's kernels, or the names of kernels that are not there.
    pub fn asked<'a>(&self, module: &'a Module, settings: &Settings) -> Vec<Result<Asked<'a>, InputFault>> {
        let wanted = |kernel: &&ImportedKernel| settings.wants(kernel);
        if self.recorded.is_empty() {
            let kernels = module.kernels.iter().filter(wanted);
            return kernels
                .flat_map(|kernel| settings.launches(kernel).into_iter().map(move |launch| Ok((kernel, launch))))
                .collect();
        }
        let of_one = |(name, launch): &(String, AskedLaunch)| {
            let called: Vec<&ImportedKernel> = module.kernels.iter().filter(|kernel| kernel.is_called(name)).collect();
            if called.is_empty() {
                let names: Vec<&str> = module.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
                let (file, names) = (self.path.display(), names.join(", "));
                return vec![Err(launch.fault(format!("no kernel `{name}` in {file}; there are: {names}")))];
            }
            called.into_iter().filter(wanted).map(|kernel| Ok((kernel, launch.clone()))).collect()
        };
        self.recorded.iter().flat_map(of_one).collect()
    }

    /// What is wrong with a file that cannot be imported. That it is not there is the fault of the
    /// recording that names it.
    fn fault(&self, error: &InputError) -> InputFault {
        let (culprit, message) = (Culprit::of_import(error), error.to_string());
        match self.recorded.first().filter(|_| culprit == Culprit::CommandLine) {
            Some((_, launch)) => launch.fault(message),
            None => InputFault { culprit, message },
        }
    }
}

/// A kernel and how it is launched.
pub type Asked<'a> = (&'a ImportedKernel, AskedLaunch);

/// A file that has been read.
pub enum Imported {
    /// Its kernels.
    Module(Module),
    /// It cannot be read.
    Error(InputFault),
    /// Clang ran out of memory, whose limit is so many bytes.
    OutOfMemory(u64),
    /// The import panicked, and said this.
    Fault(String),
}

/// Reads a file; `started` is called when Clang runs.
pub fn import(input: &Input, started: &(dyn Fn() + Sync)) -> Imported {
    match fault::guarded(|| frontend::import_meanwhile(&input.path, &input.frontend, started)) {
        Ok(Ok(module)) => Imported::Module(module),
        Ok(Err(InputError::OutOfMemory { bytes, .. })) => Imported::OutOfMemory(bytes),
        Ok(Err(error)) => Imported::Error(input.fault(&error)),
        Err(message) => Imported::Fault(message),
    }
}
