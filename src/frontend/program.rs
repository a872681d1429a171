//! Whole programs: the host's code, and the kernels that it launches.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lockstep_ir::host::HostProgram;
use lockstep_ir::kernel::{Language, VerifiedKernel};
use lockstep_ir::source::LeftOut;
use lockstep_options::launch::{Passed, SourceLaunch};

use super::hosts::{Host, is_read_alike};
use super::linking::{self, Linked};
use super::llvm::driver::LOOKUPS;
use super::llvm::{self, HostCode, Place, Renamed, Source};
use super::{FrontendOptions, ImportedKernel, clang, first_line, language_of, names, tell_sources};

/// A program: the host's code and the kernels, in one file or in several.
#[derive(Debug)]
pub struct OwnProgram {
    /// The host's code.
    pub host: HostProgram,
    /// The other files that the program is made of.
    pub other_files: Vec<PathBuf>,
    /// Whether all files are read with the same options, as they are on one command line.
    pub is_read_alike: bool,
    /// Whether the file of the kernels is part of no other program that is known.
    pub is_only: bool,
    /// The kernels that can be read.
    pub kernels: Vec<KernelOfProgram>,
}

/// A kernel of a program.
#[derive(Debug)]
pub struct KernelOfProgram {
    /// Its name in the module, by which the host launches it.
    pub symbol: String,
    /// As in [`ImportedKernel::name`].
    pub name: String,
    /// The file and line of its declaration; 0 if unknown.
    pub place: (String, u32),
    /// As in [`ImportedKernel::sources`].
    pub sources: Vec<String>,
    /// The kernel.
    pub kernel: VerifiedKernel,
    /// As in [`ImportedKernel::pointees`].
    pub pointees: Vec<(Passed, String)>,
    /// As in [`ImportedKernel::initial`].
    pub initial: Vec<(String, Option<Vec<u8>>)>,
}

impl OwnProgram {
    /// The program with this host and these kernels.
    pub fn new<'a>(mut host: HostProgram, kernels: impl IntoIterator<Item = &'a ImportedKernel>) -> Self {
        let readable = kernels.into_iter().filter_map(|imported| Some((imported, imported.kernel.as_ref().ok()?)));
        let readable: Vec<(&ImportedKernel, &VerifiedKernel)> = readable.collect();
        // The device's side of a variable has its initial contents.
        for (symbol, contents) in readable.iter().flat_map(|(imported, _)| &imported.initial) {
            let variable = host.variables.iter_mut().find(|variable| variable.is_elsewhere && variable.name == *symbol);
            if let (Some(contents), Some(variable)) = (contents, variable) {
                variable.contents.clone_from(contents);
            }
        }
        let of = |(imported, kernel): &(&ImportedKernel, &VerifiedKernel)| KernelOfProgram {
            symbol: imported.symbol.clone(),
            name: imported.name.clone(),
            place: (imported.file.clone(), imported.line),
            sources: imported.sources.clone(),
            kernel: (*kernel).clone(),
            pointees: imported.pointees.clone(),
            initial: imported.initial.clone(),
        };
        let kernels = readable.iter().map(of).collect();
        Self { host, other_files: Vec::new(), is_read_alike: true, is_only: true, kernels }
    }
}

/// The host's code of a file in CUDA or HIP, as part of each program that the file belongs to.
pub struct Programs<'a> {
    path: &'a Path,
    options: &'a FrontendOptions,
    found: Vec<(HostCode, Linked)>,
    /// The files that may launch the kernels and are in none of the programs.
    left_out: BTreeSet<PathBuf>,
    notes: String,
}

impl<'a> Programs<'a> {
    /// Reads the host's code of a file. The error is the reason why nothing is known of it.
    pub fn read(path: &'a Path, language: Language, text: &[u8], options: &'a FrontendOptions) -> Result<Self, String> {
        // Changes that host threads make to a number are part of its value.
        let with_openmp = clang::mentions(text, b"pragma omp");
        let compiled = clang::compile_host(path, language, with_openmp, options).map_err(|error| first_line(&error))?;
        let mut notes = String::new();
        let mut found = Vec::new();
        let programs = linking::link(compiled.bitcode, (path, language), options, &mut notes);
        for linked in programs.linked {
            found.push((llvm::launches(&linked.bitcode)?, linked));
        }
        Ok(Self { path, options, found, left_out: programs.left_out, notes })
    }

    /// Adds launches and programs to the kernels of the file.
    pub fn add_to(mut self, kernels: &mut [ImportedKernel], left_out: &[LeftOut], diagnostics: &mut String) {
        diagnostics.push_str(&self.notes);
        for (code, linked) in &self.found {
            for kernel in kernels.iter_mut() {
                let of_kernel = kernel.file.clone();
                add(kernel, code, |file| self.shown(file, &of_kernel, linked));
            }
        }
        // A file that is left out may launch a kernel in any way.
        for kernel in kernels.iter_mut().filter(|_| !self.left_out.is_empty()) {
            kernel.passes_unknown = true;
            kernel.escapes.extend(self.left_out.iter().map(|path| (path.display().to_string(), 0)));
        }
        let hosts: Vec<Option<HostProgram>> = self.found.iter_mut().map(|(code, _)| code.program.take()).collect();
        let with_main = hosts.into_iter().zip(&self.found).filter_map(|(host, (_, linked))| Some((host?, linked)));
        let with_main: Vec<(HostProgram, &Linked)> = with_main.collect();
        // Nothing of the host's code is missing, and nothing finds kernels by their names.
        let is_all_read = left_out.is_empty() && !with_main.iter().any(|(host, _)| launches_by_name(host));
        let is_only = with_main.len() == 1;
        let Some((host, linked)) = with_main.into_iter().next() else { return };
        let program = Arc::new(OwnProgram { is_only, ..self.program(host, linked, kernels) });
        for kernel in kernels {
            let is_launched = kernel.launches.iter().any(|launch| launch.is_reached) || !kernel.escapes.is_empty();
            kernel.is_never_launched = is_all_read && !is_launched;
            kernel.program = Some(program.clone());
        }
    }

    fn program(&self, mut host: HostProgram, linked: &Linked, kernels: &[ImportedKernel]) -> OwnProgram {
        let given = self.path.display().to_string();
        host.places.iter_mut().for_each(|(file, _)| *file = self.shown(file, &given, linked));
        let mut of_others: Vec<ImportedKernel> =
            linked.others.iter().flat_map(|(other, renamed)| kernels_of(other, renamed)).collect();
        // Instances of a template of a header are in each file that uses them.
        let mut known: BTreeSet<String> = kernels.iter().map(|kernel| kernel.symbol.clone()).collect();
        of_others.retain(|kernel| known.insert(kernel.symbol.clone()));
        let mut program = OwnProgram::new(host, kernels.iter().chain(&of_others));
        program.is_read_alike = linked.others.iter().all(|(other, _)| is_read_alike(other, self.options));
        program.other_files = linked.others.iter().map(|(other, _)| other.path.clone()).collect();
        program
    }

    /// A file's name in reports: one that the rest of the report uses, if it has one.
    fn shown(&self, file: &str, of_kernel: &str, linked: &Linked) -> String {
        let real = std::fs::canonicalize(file).ok();
        let is_same = |other: &&Path| real.is_some() && std::fs::canonicalize(other).ok() == real;
        let others = linked.others.iter().map(|(other, _)| other.path.as_path());
        let known = [Path::new(of_kernel), self.path].into_iter().chain(others).find(is_same);
        known.map_or_else(|| file.to_owned(), |known| known.display().to_string())
    }
}

/// Adds the launches of one program to a kernel.
fn add(kernel: &mut ImportedKernel, code: &HostCode, shown: impl Fn(&str) -> String) {
    let own = code.launches.iter().filter(|(symbol, _)| *symbol == kernel.symbol);
    let launches = own.map(|(_, launch)| SourceLaunch { file: shown(&launch.file), ..launch.clone() });
    let own = code.escapes.iter().filter(|(symbol, _)| *symbol == kernel.symbol).map(|(_, place)| place);
    let is_in_kernel = |symbol: &&String| kernel.initial.iter().any(|(known, _)| known == *symbol);
    let set: Vec<String> = code.set_variables.iter().filter(is_in_kernel).cloned().collect();
    kernel.set_by_host.extend(set);
    let is_any = |name: &Option<String>| name.as_ref().is_none_or(|name| *name == kernel.symbol);
    let handles = code.handles_escape.iter().filter(|(name, _)| is_any(name)).map(|(_, place)| place);
    let handles: Vec<&Place> = handles.collect();
    kernel.passes_unknown |= !handles.is_empty();
    let escapes = own.chain(handles).map(|(file, line)| (shown(file), *line));
    let (launches, escapes): (Vec<SourceLaunch>, Vec<(String, u32)>) = (launches.collect(), escapes.collect());
    // Another program may have the same code.
    kernel.launches.extend(launches.into_iter().filter(|launch| !kernel.launches.contains(launch)).collect::<Vec<_>>());
    kernel.escapes.extend(escapes.into_iter().filter(|place| !kernel.escapes.contains(place)).collect::<Vec<_>>());
}

/// The kernels of another file of a program; none if it cannot be read, and then a run ends where
/// it launches one.
fn kernels_of(other: &Host, renamed: &Renamed) -> Vec<ImportedKernel> {
    let (path, options) = (&other.path, &other.options);
    let Some(language @ (Language::Cuda | Language::Hip)) = language_of(path, options) else { return Vec::new() };
    let read = clang::compile(path, language, options, &|| ()).ok().and_then(|compiled| {
        let source = Source {
            path,
            language,
            pointer_bits: options.pointer_bits,
            unoptimised: true,
            annotations: options.annotations,
            assume: &options.assume,
        };
        let mut kernels = llvm::import(&compiled.bitcode, source).ok()?;
        names::tell_apart(&mut kernels);
        tell_sources(&mut kernels, &compiled.opened);
        Some(kernels)
    });
    let mut kernels = read.unwrap_or_default();
    let of_stub =
        |(stub, renamed): (&String, &String)| Some((llvm::kernel_symbol(stub)?, llvm::kernel_symbol(renamed)?));
    let symbols: BTreeMap<String, String> = renamed.iter().filter_map(of_stub).collect();
    for kernel in &mut kernels {
        if let Some(symbol) = symbols.get(&kernel.symbol) {
            kernel.symbol.clone_from(symbol);
        }
        let held = kernel.pointees.iter_mut().filter_map(|(passed, _)| match passed {
            Passed::Variable(name) | Passed::Held { variable: name, .. } => Some(name),
            Passed::Parameter { .. } => None,
        });
        for name in held.chain(kernel.initial.iter_mut().map(|(name, _)| name)) {
            if let Some(other) = renamed.get(name) {
                name.clone_from(other);
            }
        }
    }
    kernels
}

/// Whether a program may look for its kernels by their names.
fn launches_by_name(program: &HostProgram) -> bool {
    const LOOKING: [&str; 6] = ["ModuleGet", "LibraryGet", "LinkAdd", "GetFuncBySymbol", "GetKernel", "dlsym"];
    let functions = program.functions.iter().filter(|function| function.steps.is_empty());
    // The driver's lookups are followed.
    let is_followed = |name: &str| LOOKUPS.contains(&name) || name.contains("ModuleGetGlobal");
    let mut names = functions.map(|function| function.name.as_str());
    names.any(|name| !is_followed(name) && LOOKING.iter().any(|part| name.contains(part)))
}
