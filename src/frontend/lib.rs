//! Imports kernels from a source file.
//!
//! `.cl`, `.cu` and `.hip` go through Clang ([`clang`]) to LLVM IR; `.ll` and `.bc` are LLVM IR
//! already, `.ptx` is PTX ([`ptx`]), and `.kernel` is kernel IR ([`text`]). [`llvm`] cleans LLVM IR
//! up and imports it: it inlines and constructs SSA form, and never moves, merges or deletes an
//! access. [`opencl`] and [`cuda`] know the meaning of the languages' built-in functions.

pub mod assume;
pub mod builder;
mod builtins;
pub mod clang;
pub mod cuda;
pub mod hosts;
mod linking;
pub mod llvm;
pub mod names;
pub mod opencl;
pub mod patterns;
mod program;
mod ptx;
pub mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use lockstep_ir::assumption::{Assumed, Assumption as Assuming, Assumptions};
use lockstep_ir::kernel::transform::{Irreducible, make_reducible, number_batches, recognise_waits};
use lockstep_ir::kernel::{Kernel, Language, VerifiedKernel, verify};
use lockstep_ir::source::{LeftOut, LeftOutPart};
use lockstep_options::launch::{Passed, SourceLaunch};
use lockstep_system::bounded;
use lockstep_system::sandbox::SourceTree;

use assume::{Assumption, Integer};
use hosts::Host;
use program::Programs;
pub use program::{KernelOfProgram, OwnProgram};

/// Options of the import.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of the command line")]
pub struct FrontendOptions {
    /// `-D` definitions, as given: `N`, `N=4`.
    pub defines: Vec<String>,
    /// `-I` folders.
    pub includes: Vec<PathBuf>,
    /// Further arguments for Clang.
    pub clang_arguments: Vec<String>,
    /// The Clang to run; found by name if not given.
    pub clang: Option<PathBuf>,
    /// The language version (`--cl-std`), `CL2.0` by default.
    pub cl_std: Option<String>,
    /// The language of source files (`-x`); taken from their ending if not given.
    pub language: Option<Language>,
    /// The CUDA toolkit whose headers are used (`--cuda-path`); our own if not given.
    pub cuda_path: Option<PathBuf>,
    /// Whether CUDA's vectors have arithmetic (`--vector-arithmetic`).
    pub vector_arithmetic: bool,
    /// The number of threads in a warp (`--warp-size`), as in HIP's `warpSize`; 64 if not given.
    pub warp_size: Option<u32>,
    /// 32 or 64.
    pub pointer_bits: u32,
    /// The annotations of the source that count.
    pub annotations: Annotations,
    /// The assumptions about every launch (`--assume`).
    pub assume: Vec<Assumption>,
    /// Whether to look for launches in host code.
    pub source_launches: bool,
    /// The hosts whose launches count for kernels of OpenCL C, and the files that a program in CUDA
    /// or HIP may have besides.
    pub hosts: Vec<Arc<Host>>,
    /// The text that is compiled in place of the file's own.
    pub replaced: Option<Arc<str>>,
    /// The tree of sources that Clang may read; the one around the source if not given.
    pub tree: Option<SourceTree>,
    /// Further files that Clang may read: those that the command line names.
    pub readable: SourceTree,
    /// Whether files from elsewhere are read if an input names them (`--trust-headers`).
    pub trusted: bool,
    /// Clang runs like any other program (`--no-sandbox`).
    pub no_sandbox: bool,
    /// The time that Clang may take.
    pub limit: Duration,
    /// The most memory that Clang may have, in bytes.
    pub memory_bytes: Option<u64>,
}

impl FrontendOptions {
    /// Whether a file that an input names, not the command line, may be read.
    pub fn may_read(&self, path: &Path) -> bool {
        self.trusted || self.readable.holds(path) || self.tree.as_ref().is_some_and(|tree| tree.holds(path))
    }

    /// The same with the tree around a file or folder of the command line.
    #[must_use]
    pub fn in_tree_of(&self, path: &Path) -> Self {
        let mut tree = SourceTree::default();
        tree.add_around(path);
        Self { tree: Some(tree), ..self.clone() }
    }
}

/// The default time limit of Clang.
const LONGEST: Duration = Duration::from_mins(5);

/// The annotations of the source that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Annotations {
    /// All.
    #[default]
    All,
    /// All, but loop invariants may turn out not to hold (`--invariants-as-candidates`).
    InvariantsAsCandidates,
    /// The preconditions of kernels (`--only-requires`).
    OnlyPreconditions,
    /// None (`--no-annotations`).
    None,
}

impl Default for FrontendOptions {
    fn default() -> Self {
        Self {
            defines: Vec::new(),
            includes: Vec::new(),
            clang_arguments: Vec::new(),
            clang: None,
            cl_std: None,
            language: None,
            cuda_path: None,
            vector_arithmetic: false,
            warp_size: None,
            pointer_bits: 64,
            annotations: Annotations::All,
            assume: Vec::new(),
            source_launches: false,
            hosts: Vec::new(),
            replaced: None,
            tree: None,
            readable: SourceTree::default(),
            trusted: false,
            no_sandbox: false,
            limit: LONGEST,
            memory_bytes: None,
        }
    }
}

/// The contents of a file.
#[derive(Debug)]
pub struct Module {
    /// The kernels in source order.
    pub kernels: Vec<ImportedKernel>,
    /// Clang's warnings on stderr.
    pub diagnostics: String,
    /// Seconds that Clang took.
    pub clang_seconds: f64,
    /// The host code that was left out because it does not compile.
    pub left_out: Vec<LeftOut>,
}

/// A kernel of a file.
#[derive(Clone, Debug)]
pub struct ImportedKernel {
    /// Its name in the source.
    ///
    /// In C++ it has its scope and template arguments, and also the types of its parameters if
    /// another kernel of the file has the same name.
    pub name: String,
    /// Other names that a user may give it ([`names`]), except its name in the module.
    pub names: Vec<String>,
    /// The types of its parameters in parentheses, if overloading is possible and they are known.
    pub parameter_types: Option<String>,
    /// Its name in the module: the mangled one for C++.
    pub symbol: String,
    /// The file that declares it.
    pub file: String,
    /// The line of its declaration; 0 if unknown.
    pub line: u32,
    /// The files that its locations name and that were read to import it.
    ///
    /// The compiler's line markers may name any other files.
    pub sources: Vec<String>,
    /// The assumptions of the import, each a sentence for the report.
    pub assumptions: Assumptions,
    /// The launches in the file's host code.
    pub launches: Vec<SourceLaunch>,
    /// The files and lines at which the host code lets the kernel's address escape.
    ///
    /// Code that has the address may launch the kernel in any way.
    pub escapes: Vec<(String, u32)>,
    /// Whether there the host may pass it numbers that are not followed, from another file.
    pub passes_unknown: bool,
    /// Whether the file is part of a whole program that never launches the kernel.
    pub is_never_launched: bool,
    /// The arrays, by name, behind pointers that the host passes in structs and in variables, and
    /// those of the variables themselves.
    pub pointees: Vec<(Passed, String)>,
    /// The variables of devices in the kernel, by their names in the module, with their initial
    /// contents up to the zeros at the end; none if they are not known.
    pub initial: Vec<(String, Option<Vec<u8>>)>,
    /// Those of these variables that the host's code may write.
    pub set_by_host: BTreeSet<String>,
    /// Whether each of [`FrontendOptions::assume`] applies to this kernel.
    ///
    /// The error is the reason why an assumption that names its parameters cannot apply.
    pub assumed: Vec<Result<bool, String>>,
    /// The C types of the parameters that are integers, by name.
    pub integers: BTreeMap<String, Integer>,
    /// The program that the file is, if it has a `main`.
    pub program: Option<Arc<OwnProgram>>,
    /// The kernel, or the reason why it cannot be read.
    pub kernel: Result<VerifiedKernel, Refusal>,
}

impl ImportedKernel {
    /// Whether a user may mean this kernel by a name of the source ([`names`]) or of the module.
    pub fn is_called(&self, name: &str) -> bool {
        name == self.symbol || self.names.contains(&names::normalised(name))
    }
}

/// A construct that is not supported, which makes the verdict of its kernel `unknown`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unsupported: {construct}{}", place(.file, *.line))]
pub struct Refusal {
    /// The construct, by name: `sub-group function sub_group_reduce_add`.
    pub construct: String,
    /// The file, empty if unknown.
    pub file: String,
    /// The line, 0 if unknown.
    pub line: u32,
}

/// An imported kernel, made reducible and verified, as later stages take it.
fn finished(kernel: Kernel) -> Result<VerifiedKernel, Refusal> {
    let irreducible = |error: Irreducible| Refusal { construct: error.to_string(), file: String::new(), line: 0 };
    verified(make_reducible(recognise_waits(number_batches(kernel))).map_err(irreducible)?)
}

/// The verified kernel. A broken rule is a fault of the import, which costs this kernel only.
fn verified(kernel: Kernel) -> Result<VerifiedKernel, Refusal> {
    let name = kernel.name.clone();
    verify(kernel).map_err(|problems| {
        let first = problems.first().map(ToString::to_string).unwrap_or_default();
        Refusal { construct: format!("kernel {name}: import broke a rule: {first}"), file: String::new(), line: 0 }
    })
}

fn place(file: &str, line: u32) -> String {
    match (file, line) {
        ("", _) => String::new(),
        (file, 0) => format!(" ({file})"),
        (file, line) => format!(" ({file}:{line})"),
    }
}

/// The reason why a file cannot be read at all: the input or the set-up is at fault.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file is missing or cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: std::io::Error,
    },
    /// The file's ending is unknown.
    #[error("{}: not a kind of file Lockstep reads (.cl, .cu, .hip, .ll, .bc, .ptx, .kernel); for another ending, give the language with -x", path.display())]
    UnknownKind {
        /// The file.
        path: PathBuf,
    },
    /// An option that is not passed on to Clang.
    #[error("{0}")]
    Refused(String),
    /// No suitable Clang.
    #[error("{0}")]
    Clang(String),
    /// Clang needs more memory than it may have, in bytes.
    #[error("{}: Clang needs more than the {} MiB that it may have (--memory gives more)", path.display(), bytes >> 20)]
    OutOfMemory {
        /// The file.
        path: PathBuf,
        /// The limit, in bytes.
        bytes: u64,
    },
    /// Clang rejects the file; its own output.
    #[error("{} does not compile:\n{output}", path.display())]
    DoesNotCompile {
        /// The file.
        path: PathBuf,
        /// Clang's output.
        output: String,
    },
    /// The LLVM IR cannot be read.
    #[error("{}: not valid LLVM IR: {cause}", path.display())]
    InvalidLlvm {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: String,
    },
    /// The PTX cannot be read.
    #[error("{}: not valid PTX: {cause}", path.display())]
    InvalidPtx {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: String,
    },
    /// The kernel IR cannot be read.
    #[error("{}: not valid kernel IR: {cause}", path.display())]
    InvalidText {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: String,
    },
    /// There is no kernel in the file.
    #[error("{}: no kernel in this file", path.display())]
    NoKernel {
        /// The file.
        path: PathBuf,
    },
}

/// The line of an error that says most.
fn first_line(error: &InputError) -> String {
    let text = error.to_string();
    text.lines().find(|line| line.contains("error:")).or(text.lines().next()).unwrap_or_default().to_owned()
}

/// The named file, if no compiler opens others.
fn opened_itself(path: &Path) -> Vec<PathBuf> {
    std::fs::canonicalize(path).into_iter().collect()
}

/// Records for each kernel which of the files that it names were opened, and removes the others.
fn tell_sources(kernels: &mut [ImportedKernel], opened: &[PathBuf]) -> BTreeSet<String> {
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    for kernel in kernels {
        let of_kernel = kernel.kernel.iter().flat_map(|kernel| kernel.files.values());
        let of_refusal = kernel.kernel.as_ref().err().map(|refusal| &refusal.file);
        let names: BTreeSet<String> = of_kernel.chain(of_refusal).chain([&kernel.file]).cloned().collect();
        let mut was_opened = |name: &String| {
            // Lockstep's own headers may be gone already.
            let is_one = |path: &Path| opened.iter().any(|opened| opened == path);
            let look = || is_one(Path::new(name)) || std::fs::canonicalize(name).is_ok_and(|path| is_one(&path));
            *known.entry(name.clone()).or_insert_with(look)
        };
        kernel.sources = names.into_iter().filter(|name| was_opened(name)).collect();
    }
    // The compiler uses names in angle brackets for things other than files, and Lockstep for its
    // own headers.
    let elsewhere = known.into_iter().filter(|(name, opened)| !opened && !name.is_empty() && !name.starts_with('<'));
    elsewhere.map(|(name, _)| name).collect()
}

/// The language of a file, if it is one that is known.
pub fn language_of(path: &Path, options: &FrontendOptions) -> Option<Language> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match (ending, options.language) {
        ("ll" | "bc", _) => Some(Language::Llvm),
        ("ptx", _) => Some(Language::Ptx),
        (_, Some(language)) => Some(language),
        ("cl", None) => Some(Language::OpenCl),
        ("cu" | "cuh", None) => Some(Language::Cuda),
        ("hip", None) => Some(Language::Hip),
        _ => None,
    }
}

/// Imports every kernel of a file.
pub fn import(path: &Path, options: &FrontendOptions) -> Result<Module, InputError> {
    import_meanwhile(path, options, &|| ())
}

/// Imports every kernel of a file. `started` is called if Clang runs, while there is nothing to do
/// but wait for it.
///
/// Work that fills memory belongs there and not before. Clang is started by a fork, and afterwards
/// each page that this process writes is copied first.
pub fn import_meanwhile(
    path: &Path,
    options: &FrontendOptions,
    started: clang::Started<'_>,
) -> Result<Module, InputError> {
    let unreadable = |cause| InputError::Unreadable { path: path.to_owned(), cause };
    let name = path.to_string_lossy();
    if name.chars().any(char::is_control) {
        // Reports consist of lines, and so do the lists of files that Clang writes.
        return Err(InputError::Refused(format!("{name:?}: a name with control characters is not read; rename it")));
    }
    let language = language_of(path, options);
    if options.replaced.is_some() && !matches!(language, Some(Language::OpenCl | Language::Cuda | Language::Hip)) {
        return Err(InputError::Refused(format!("{name}: only what Clang compiles is replaced by another text")));
    }
    if path.extension().is_some_and(|ending| ending == "kernel") {
        let bytes = bounded::read(path).map_err(unreadable)?;
        let mut module = text::import(path, &bytes, options)
            .map_err(|cause| InputError::InvalidText { path: path.to_owned(), cause })?;
        tell_sources(&mut module.kernels, &opened_itself(path));
        let has_some = !module.kernels.is_empty();
        return has_some.then_some(module).ok_or_else(|| InputError::NoKernel { path: path.to_owned() });
    }
    let Some(language) = language else {
        std::fs::metadata(path).map_err(unreadable)?;
        return Err(InputError::UnknownKind { path: path.to_owned() });
    };
    if language == Language::Ptx {
        return import_ptx(path, options);
    }
    let is_source = language != Language::Llvm;
    let bytes = bounded::read(path).map_err(unreadable)?;
    let seeks_launches = options.source_launches && matches!(language, Language::Cuda | Language::Hip);
    let compile = || {
        if is_source {
            clang::compile(path, language, options, started)
        } else {
            llvm::trial::comes_to_an_end(&bytes)
                .map_err(|cause| InputError::InvalidLlvm { path: path.to_owned(), cause })?;
            let opened = opened_itself(path);
            let (diagnostics, left_out) = (String::new(), Vec::new());
            let (bitcode, lacks_kernels, may_launch) = (bytes.clone(), false, false);
            Ok(clang::Compiled { bitcode, diagnostics, seconds: 0.0, opened, left_out, lacks_kernels, may_launch })
        }
    };
    // Other files may launch the kernels.
    let has_launches = clang::mentions_launch(&bytes) || !options.hosts.is_empty();
    // The thread is joined: a process that starts workers must have only one thread.
    let (compiled, launches) = if seeks_launches && has_launches {
        thread::scope(|scope| {
            let compiled = scope.spawn(compile);
            let programs = Programs::read(path, language, &bytes, options);
            (compiled.join().unwrap_or_else(|panic| resume_unwind(panic)), Some(programs))
        })
    } else {
        let compiled = compile();
        // The launches may be in files that this one includes.
        let has_some = seeks_launches && compiled.as_ref().is_ok_and(|compiled| compiled.may_launch);
        (compiled, has_some.then(|| Programs::read(path, language, &bytes, options)))
    };
    let compiled = compiled?;
    let source = llvm::Source {
        path,
        language,
        pointer_bits: options.pointer_bits,
        unoptimised: is_source,
        annotations: options.annotations,
        assume: &options.assume,
    };
    let mut kernels = llvm::import(&compiled.bitcode, source)
        .map_err(|cause| InputError::InvalidLlvm { path: path.to_owned(), cause })?;
    names::tell_apart(&mut kernels);
    if let Some(assumed) = missing_headers(&compiled.left_out) {
        for kernel in &mut kernels {
            kernel.assumptions.add(assumed.clone());
        }
    }
    let mut diagnostics = compiled.diagnostics;
    let elsewhere = tell_sources(&mut kernels, &compiled.opened);
    for name in elsewhere.iter().filter(|_| is_source) {
        let path = path.display();
        let _ = writeln!(
            diagnostics,
            "note: {path}: the source says that lines of it are those of {name}, which was not read; they are not shown"
        );
    }
    match launches {
        None => {}
        Some(Ok(programs)) => programs.add_to(&mut kernels, &compiled.left_out, &mut diagnostics),
        Some(Err(cause)) => {
            let _ = writeln!(diagnostics, "note: {}: launches in host code are not looked at: {cause}", path.display());
        }
    }
    if language == Language::OpenCl && options.source_launches {
        hosts::follow(&mut kernels, path, options, &mut diagnostics);
    }
    if kernels.is_empty() {
        return Err(match compiled.left_out.iter().find(|_| compiled.lacks_kernels) {
            None => InputError::NoKernel { path: path.to_owned() },
            Some(left) => without_kernels(path, left),
        });
    }
    Ok(Module { kernels, diagnostics, clang_seconds: compiled.seconds, left_out: compiled.left_out })
}

/// Imports every kernel of a PTX file.
fn import_ptx(path: &Path, options: &FrontendOptions) -> Result<Module, InputError> {
    let bytes = bounded::read(path).map_err(|cause| InputError::Unreadable { path: path.to_owned(), cause })?;
    let (mut kernels, sources) =
        ptx::import(path, &bytes, options).map_err(|cause| InputError::InvalidPtx { path: path.to_owned(), cause })?;
    if kernels.is_empty() {
        return Err(InputError::NoKernel { path: path.to_owned() });
    }
    let opened: Vec<PathBuf> = opened_itself(path).into_iter().chain(sources).collect();
    tell_sources(&mut kernels, &opened);
    Ok(Module { kernels, diagnostics: String::new(), clang_seconds: 0.0, left_out: Vec::new() })
}

/// The error for a file whose kernels may have been left out.
fn without_kernels(path: &Path, left: &LeftOut) -> InputError {
    let LeftOut { place, error, .. } = left;
    let output = format!("{}:{}: error: {error}\nwithout this host code there is no kernel\n", place.file, place.line);
    InputError::DoesNotCompile { path: path.to_owned(), output }
}

/// The assumption about headers that were not found, if there are some.
fn missing_headers(left_out: &[LeftOut]) -> Option<Assuming> {
    let headers: Vec<&LeftOut> = left_out.iter().filter(|left| left.part == LeftOutPart::Header).collect();
    let names: Vec<String> = headers.iter().map(|header| header.name.clone()).collect();
    let places = headers.iter().map(|header| header.place.clone());
    (!names.is_empty()).then(|| Assumed::MissingHeaders { names }.at(places))
}
