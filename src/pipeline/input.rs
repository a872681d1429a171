//! Files with kernels, the requests about them, and the outcome of a run.

use std::borrow::Cow;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lockstep_ir::source::LeftOut;

use crate::frontend::{self, FrontendOptions, ImportedKernel, InputError, Module};
use crate::pipeline::fault;
use crate::pipeline::input_fault::{Culprit, InputFault};
use crate::pipeline::launches::AskedLaunch;
use crate::pipeline::settings::Settings;
use crate::report::{self};
use crate::verdict::KernelReport;

/// The outcome of a run.
#[derive(Clone, Debug, Default)]
pub struct RunOutcome {
    /// A report per kernel, in the order of the input.
    pub reports: Vec<KernelReport>,
    /// The errors in the input.
    pub errors: Vec<InputFault>,
    /// The names of requested kernels that exist but have no launch: only recordings lack some.
    pub never_launched: Vec<String>,
    /// Clang's messages about the files that it compiled.
    pub diagnostics: Vec<String>,
    /// The host code that was left out because it does not compile.
    pub left_out: Vec<LeftOut>,
    /// The seconds that Clang took.
    pub clang_seconds: f64,
    /// The seconds from the beginning of each file to its end, added up.
    pub wall_seconds: f64,
    /// The signal that ended the run early, and the number of missing kernels and unread files.
    pub interrupted: Option<(i32, usize)>,
}

impl RunOutcome {
    /// The error that reports an early end of the run, if there was one.
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
    /// The path of the file.
    pub path: PathBuf,
    /// The options for reading the file.
    pub frontend: FrontendOptions,
    /// Recorded launches, each with the name of its kernel. If there are none, all kernels are
    /// meant.
    pub recorded: Vec<(String, AskedLaunch)>,
    /// The folder or compilation database in which the file was found, if it was not named itself.
    /// Such a file need not have a kernel.
    pub found_in: Option<PathBuf>,
    /// Settings of the file and its kernels that differ from those of the command line.
    pub special: Option<Arc<dyn Special>>,
}

/// Settings that differ from those of the command line.
pub trait Special: Debug + Send + Sync {
    /// The file that has them, as it is shown.
    fn origin(&self) -> &Path;

    /// The settings for a kernel, given those of the run.
    ///
    /// # Errors
    ///
    /// They contradict each other, or do not fit the kernel.
    fn settings(&self, kernel: &ImportedKernel, of_run: &Settings) -> Result<Settings, InputFault>;

    /// The same without arguments of the kernel, whose name alone is known.
    fn named(&self, kernel: &str, of_run: &Settings) -> Result<Settings, InputFault>;
}

impl Input {
    /// The requests about the file's kernels, or the names of kernels that do not exist.
    pub fn asked<'a>(&self, module: &'a Module, settings: &Settings) -> Vec<Result<Asked<'a>, InputFault>> {
        let wanted = |kernel: &&ImportedKernel| settings.wants(kernel);
        if self.recorded.is_empty() {
            let of_kernel = |kernel: &'a ImportedKernel| match self.settings(kernel, settings) {
                Ok(settings) => settings.launches(kernel).into_iter().map(|launch| Ok((kernel, launch))).collect(),
                Err(fault) => vec![Err(fault)],
            };
            return module.kernels.iter().filter(wanted).flat_map(of_kernel).collect();
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

    /// The settings for a kernel of the file, given those of the run.
    pub fn settings<'s>(&self, kernel: &ImportedKernel, of_run: &'s Settings) -> Result<Cow<'s, Settings>, InputFault> {
        match &self.special {
            Some(special) => special.settings(kernel, of_run).map(Cow::Owned),
            None => Ok(Cow::Borrowed(of_run)),
        }
    }

    /// The same for a kernel whose name alone is known.
    pub fn settings_of<'s>(&self, kernel: &str, of_run: &'s Settings) -> Cow<'s, Settings> {
        let special = self.special.as_ref().and_then(|special| special.named(kernel, of_run).ok());
        special.map_or(Cow::Borrowed(of_run), Cow::Owned)
    }

    /// The error in a file that cannot be imported. A missing file is the fault of the recording
    /// that names it.
    fn fault(&self, error: &InputError) -> InputFault {
        let (culprit, message) = (Culprit::of_import(error), error.to_string());
        match self.recorded.first().filter(|_| culprit == Culprit::CommandLine) {
            Some((_, launch)) => launch.fault(message),
            None => InputFault { culprit, message },
        }
    }
}

/// A kernel and its launch.
pub type Asked<'a> = (&'a ImportedKernel, AskedLaunch);

/// A file that has been read.
pub enum Imported {
    /// The kernels of the file.
    Module(Module),
    /// The file cannot be read.
    Error(InputFault),
    /// Clang ran out of memory, with this limit in bytes.
    OutOfMemory(u64),
    /// The import panicked with this message.
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
