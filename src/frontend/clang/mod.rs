//! Runs Clang.
//!
//! Clang compiles without optimisation and with debug information to LLVM bitcode. A header goes
//! before the source: it checks Clang's version (at no cost, unlike a call of `clang --version`)
//! and declares the functions of specifications. The further needs of each language are in
//! [`opencl`] and [`cuda`].

mod cuda;
mod dependencies;
mod erased;
mod headers;
mod left_out;
mod opencl;
mod process;

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Instant;

use lockstep_ir::kernel::Language;
use lockstep_ir::source::LeftOut;

use super::{FrontendOptions, InputError};
pub use dependencies::dependencies;
use headers::Headers;
pub use process::{Started, policy, refuse_response_files};

/// The `#error` message of the header for a Clang whose bitcode Lockstep cannot read.
const WRONG_VERSION: &str = "Lockstep needs Clang 19";

/// Clang's messages about an allocation that failed.
const OUT_OF_MEMORY: [&str; 3] = ["LLVM ERROR: out of memory", "std::bad_alloc", "failed to map segment"];

/// The beginning of Clang's own crash report.
const CRASHED: &str = "\nStack dump:\n";

/// The result of compiling a file with Clang.
pub struct Compiled {
    /// LLVM bitcode.
    pub bitcode: Vec<u8>,
    /// Clang's output on stderr.
    pub diagnostics: String,
    /// The time that Clang took.
    pub seconds: f64,
    /// The files that Clang opened, without links in their paths.
    pub opened: Vec<PathBuf>,
    /// The host code that was left out because it does not compile.
    pub left_out: Vec<LeftOut>,
    /// Whether a kernel may be missing because of that.
    pub lacks_kernels: bool,
    /// Whether one of the files may launch kernels.
    pub may_launch: bool,
}

/// Compiles a file of this language; `started` is called once Clang runs.
pub fn compile(
    path: &Path,
    language: Language,
    options: &FrontendOptions,
    started: Started<'_>,
) -> Result<Compiled, InputError> {
    compile_side(path, language, (options, started), Side::Device, |headers| match language {
        Language::Cuda | Language::Hip => cuda::arguments(headers, language, options),
        Language::OpenCl | Language::Ptx | Language::Llvm => opencl::arguments(headers, options),
    })
}

/// Compiles the host side of a CUDA or HIP file, to see how it launches its kernels.
pub fn compile_host(
    path: &Path,
    language: Language,
    with_openmp: bool,
    options: &FrontendOptions,
) -> Result<Compiled, InputError> {
    let compile = |with_standard_headers: bool| {
        compile_side(path, language, (options, &|| ()), Side::Host, |headers| {
            let mut arguments = cuda::host_arguments(headers, language, options);
            arguments.extend(with_openmp.then(|| "-fopenmp".into()));
            arguments.extend(with_standard_headers.then(cuda::with_standard_headers).into_iter().flatten());
            arguments
        })
    };
    // Few sources need them, and they take time to read.
    compile(false).or_else(|error| compile(true).map_err(|_| error))
}

/// Compiles a file in C or C++ that is part of a program in CUDA or HIP.
pub fn compile_plain_host(
    path: &Path,
    language: Language,
    with_openmp: bool,
    options: &FrontendOptions,
) -> Result<Compiled, InputError> {
    let compile = |with_toolkit| {
        compile_side(path, language, (options, &|| ()), Side::Host, |headers| {
            let mut arguments = cuda::plain_host_arguments(headers, (path, language), with_toolkit, options);
            arguments.extend(with_openmp.then(|| "-fopenmp".into()));
            arguments
        })
    };
    let is_c = path.extension().is_some_and(|ending| ending == "c");
    if is_c {
        return compile(false);
    }
    compile(true).or_else(|error| compile(false).map_err(|_| error))
}

/// Compiles a host in C or C++, to see how it launches kernels of OpenCL.
pub fn compile_opencl_host(path: &Path, options: &FrontendOptions) -> Result<Compiled, InputError> {
    let arguments = |headers: &Headers| opencl::host_arguments(headers, path);
    compile_side(path, Language::OpenCl, (options, &|| ()), Side::Host, arguments)
}

/// The side of a program that a compilation is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Device,
    Host,
}

fn compile_side(
    path: &Path,
    language: Language,
    (options, started): (&FrontendOptions, Started<'_>),
    side: Side,
    of_language: impl FnOnce(&Headers) -> Vec<OsString>,
) -> Result<Compiled, InputError> {
    let fault = |cause: io::Error| InputError::Clang(format!("cannot write the files that Clang needs: {cause}"));
    let headers = Headers::new(language).map_err(fault)?;
    // Other files that Clang is asked to write go there, too.
    let folder = tempfile::tempdir().map_err(fault)?;
    let bitcode = folder.path().join("kernel.bc");
    let rule = folder.path().join("opened.d");
    let mut all = of_language(&headers);
    all.extend(arguments(options));
    if let Some(text) = &options.replaced {
        all.extend(in_place_of(path, text, folder.path())?);
    }
    let preprocessing = all.clone();
    all.extend(["-o".into(), bitcode.clone().into()]);
    all.extend(["-MD".into(), "-MT".into(), "it".into(), "-MF".into(), rule.clone().into()]);

    let start = Instant::now();
    let ended = process::run(path, &all, headers.folder(), folder.path(), options, started)?;

    let is_for_devices = side == Side::Device;
    let mut diagnostics = ended.said;
    let mut reduced = None;
    if !ended.status.success() {
        let error = failure(path, ended.status, diagnostics, folder.path(), options);
        if options.replaced.is_some() {
            // Parts of the file's own text cannot be left out of another one.
            return Err(error);
        }
        let failed = left_out::Failed {
            source: path,
            arguments: &preprocessing,
            headers: headers.folder(),
            folder: folder.path(),
            options,
            rule: &rule,
        };
        let has_host_code = is_for_devices && matches!(language, Language::Cuda | Language::Hip);
        let found = without_host_code(&failed, error, has_host_code, &bitcode)?;
        diagnostics = found.1;
        reduced = Some(found.0);
    }
    let bitcode = std::fs::read(&bitcode)
        .map_err(|cause| InputError::Clang(format!("Clang left no output for {}: {cause}", path.display())))?;
    let mut files = dependencies::read(&rule, path, options)?;
    // Empty headers are there in place of those that were not found.
    files.retain(|file| !file.starts_with(folder.path()));
    if let Some(file) = erased::naming_ours(dependencies::of_others(&files, &headers)) {
        let output = format!("{}: names that begin with __lockstep_ are Lockstep's own\n", file.display());
        return Err(InputError::DoesNotCompile { path: path.to_owned(), output });
    }
    let may_be_erased = || {
        let options_are_early = options.clang_arguments.iter().any(|argument| erased::may_precede_headers(argument));
        options_are_early || erased::may_be_used(dependencies::of_others(&files, &headers))
    };
    if is_for_devices && may_be_erased() {
        let folders = (headers.folder(), folder.path());
        match &reduced {
            None => nothing_is_erased(path, preprocessing, folders, options)?,
            Some(reduced) => {
                nothing_is_erased(&reduced.source, reduced.arguments.clone(), folders, &reduced.options)?;
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let opened = dependencies::canonical(&files);
    // The sandbox keeps Clang from reading anything else, if the machine's kernel supports one and
    // the rule is truthful.
    if !options.no_sandbox
        && let Some(elsewhere) = process::outside(&opened, path, headers.folder(), options)
    {
        return Err(InputError::DoesNotCompile { path: path.to_owned(), output: elsewhere });
    }
    let left_out = reduced.map_or(Vec::new(), |reduced| reduced.left_out);
    let lacks_kernels = !left_out.is_empty() && declares_kernels(dependencies::of_others(&files, &headers));
    let may_launch = is_for_devices && matches!(language, Language::Cuda | Language::Hip) && {
        let launches = |file: &PathBuf| std::fs::read(file).map_or(true, |text| mentions_launch(&text));
        dependencies::of_others(&files, &headers).any(launches)
    };
    Ok(Compiled { bitcode, diagnostics, seconds, opened, left_out, lacks_kernels, may_launch })
}

/// Whether one of these files may declare a kernel.
fn declares_kernels<'a>(mut files: impl Iterator<Item = &'a PathBuf>) -> bool {
    files.any(|file| std::fs::read(file).map_or(true, |text| mentions(&text, b"__global__")))
}

/// Whether a word is in a text.
pub fn mentions(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window == word)
}

/// Whether the text of a source may launch kernels.
pub fn mentions_launch(text: &[u8]) -> bool {
    [&b"<<<"[..], b"Launch", b"KernelNode"].into_iter().any(|word| mentions(text, word))
}

/// The error for a compilation that failed.
fn failure(
    path: &Path,
    status: ExitStatus,
    diagnostics: String,
    folder: &Path,
    options: &FrontendOptions,
) -> InputError {
    if let Some(cause) = process::is_full(folder) {
        InputError::Clang(format!(
            "{}: Clang cannot write temporary files: {cause} ({})",
            path.display(),
            std::env::temp_dir().display()
        ))
    } else if let Some(bytes) =
        options.memory_bytes.filter(|_| OUT_OF_MEMORY.iter().any(|said| diagnostics.contains(said)))
    {
        InputError::OutOfMemory { path: path.to_owned(), bytes }
    } else if diagnostics.contains(WRONG_VERSION) {
        InputError::Clang(format!("{WRONG_VERSION}; give its path with --clang"))
    } else if diagnostics.trim().is_empty() {
        // Clang was killed, or is not Clang at all: a Clang that rejects a file says why.
        InputError::Clang(format!("Clang ended with {status} on {} and said nothing", path.display()))
    } else if let Some((before, dump)) = diagnostics.split_once(CRASHED) {
        InputError::Clang(format!("{}: Clang itself crashed{}", path.display(), crash(before, dump)))
    } else {
        InputError::DoesNotCompile { path: path.to_owned(), output: with_hints(diagnostics) }
    }
}

/// Compiles a source again without the host code that does not compile, if that is the error.
///
/// The result has Clang's diagnostics, too.
fn without_host_code(
    failed: &left_out::Failed<'_>,
    error: InputError,
    has_host_code: bool,
    bitcode: &Path,
) -> Result<(left_out::Reduced, String), InputError> {
    let (path, mut output) = match error {
        InputError::DoesNotCompile { path, output } if has_host_code => (path, output),
        other => return Err(other),
    };
    let kept = match left_out::reduce(failed) {
        Ok(reduced) => {
            let mut arguments = reduced.arguments.clone();
            arguments.extend(["-o".into(), bitcode.into()]);
            let options = &reduced.options;
            let ended = process::run(&reduced.source, &arguments, failed.headers, failed.folder, options, &|| ())?;
            if ended.status.success() {
                return Ok((reduced, ended.said));
            }
            left_out::first_error(&ended.said)
        }
        Err(left_out::Kept::Because(kept)) => kept,
        Err(left_out::Kept::Error(error)) => return Err(error),
    };
    let _ = writeln!(output, "host code that does not compile is left out, but not this: {kept}");
    Err(InputError::DoesNotCompile { path, output })
}

/// Refuses a source in which a name remains whose meaning is not in the code that Clang made.
fn nothing_is_erased(
    path: &Path,
    mut arguments: Vec<OsString>,
    (headers, folder): (&Path, &Path),
    options: &FrontendOptions,
) -> Result<(), InputError> {
    let preprocessed = folder.join("kernel.i");
    arguments.extend(["-w".into(), "-E".into(), "-o".into(), preprocessed.clone().into()]);
    let ended = process::run(path, &arguments, headers, folder, options, &|| ())?;
    let text = std::fs::read(&preprocessed);
    let (true, Ok(text)) = (ended.status.success(), text) else {
        return Err(InputError::DoesNotCompile { path: path.to_owned(), output: with_hints(ended.said) });
    };
    match erased::find(&String::from_utf8_lossy(&text)) {
        None => Ok(()),
        Some(left) => Err(InputError::DoesNotCompile {
            path: path.to_owned(),
            output: format!(
                "{}:{}: error: {} is not supported here: its scope is lost in Clang's code, and the source takes away or \
                 goes around the macro by which Lockstep keeps it (#undef, #define or a string with this name)\n",
                left.file.display(),
                left.line,
                left.name
            ),
        }),
    }
}

/// The end of a sentence about a crash.
///
/// It tells the place in Clang from the crash report, and the diagnostics that Clang printed
/// `before`.
fn crash(before: &str, report: &str) -> String {
    // Line 0 of the report is Clang's command line, and lines 1 and up give the place; the stack
    // trace follows.
    let was_at = report.lines().find_map(|line| line.strip_prefix("1.\t"));
    let said = before.split("PLEASE submit a bug report").next().unwrap_or_default().trim();
    let at = was_at.map_or(String::new(), |at| format!(" (at {at})"));
    if said.is_empty() { at } else { format!("{at}, after it had said:\n{said}") }
}

/// Clang's diagnostics of a file that does not compile, with hints on annotations that Clang cannot
/// know.
fn with_hints(mut diagnostics: String) -> String {
    const AXIOM: [&str; 2] = ["function definition is not allowed here", "expanded from macro '__axiom'"];
    if AXIOM.iter().all(|said| diagnostics.contains(said)) {
        diagnostics.push_str(
            "__axiom stands at file scope; what holds of a kernel's launches is said by __requires at its beginning\n",
        );
    }
    if diagnostics.contains(": Permission denied") || diagnostics.contains("' file not found") {
        diagnostics.push_str(
            "Clang may read the source's own folder or repository, the system's folders and those given with -I; --allow-read DIR \
             names others\n",
        );
    }
    if diagnostics.contains("error: reference to __global__ function") {
        diagnostics.push_str("a kernel that launches another (dynamic parallelism) is not supported\n");
    }
    diagnostics
}

/// The arguments of Clang for every language.
fn arguments(options: &FrontendOptions) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = [
        // Without this option, functions are marked as not to be optimised.
        "-Xclang",
        "-disable-O0-optnone",
        // Without this option, Clang would inline some functions before their variables are pinned.
        "-Xclang",
        "-disable-llvm-passes",
        "-g",
        // Without this option, debuggers see no fields of a struct whose constructor is unused.
        "-Xclang",
        "-fno-use-ctor-homing",
        "-gcolumn-info",
        "-fno-discard-value-names",
        "-emit-llvm",
        "-c",
        "-DLOCKSTEP",
    ]
    .map(OsString::from)
    .to_vec();
    arguments.extend(of_options(options));
    arguments
}

/// Clang's warnings that are repeated: those about code whose meaning is not what it seems to be.
/// Others are about style, and `--clang-arg` asks for them.
const WARNINGS: [&str; 12] = [
    "-Wno-everything",
    "-W#warnings",
    "-Warray-bounds",
    "-Wbuiltin-macro-redefined",
    "-Wdivision-by-zero",
    "-Wimplicit-function-declaration",
    "-Winteger-overflow",
    "-Wmacro-redefined",
    "-Wsequence-point",
    "-Wshift-count-negative",
    "-Wshift-count-overflow",
    "-Wuninitialized",
];

/// The arguments under which a text, written to a folder, is compiled in place of a file's own.
fn in_place_of(path: &Path, text: &str, folder: &Path) -> Result<Vec<OsString>, InputError> {
    let fault = |cause: io::Error| InputError::Clang(format!("cannot write the source that Clang needs: {cause}"));
    let replacing = folder.join("replacing");
    let files = [process::literal(path).into_os_string(), replacing.clone().into_os_string()];
    // Clang splits the word at a semicolon, and is given another path of a file whose name begins
    // with `@`. It would compile the file's own text.
    let is_split = files.iter().any(|file| file.as_encoded_bytes().contains(&b';'));
    if is_split || process::is_misread(path) {
        return Err(InputError::Refused(format!("{}: a file of this name is not replaced", path.display())));
    }
    std::fs::write(&replacing, text).map_err(fault)?;
    Ok(vec!["-Xclang".into(), "-remap-file".into(), "-Xclang".into(), files.join(OsStr::new(";"))])
}

/// The arguments from the command line and the inputs.
fn of_options(options: &FrontendOptions) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = WARNINGS.map(OsString::from).to_vec();
    arguments.extend(options.defines.iter().map(|define| OsString::from(format!("-D{define}"))));
    for folder in &options.includes {
        arguments.extend(["-I".into(), process::literal(folder).into()]);
    }
    arguments.extend(options.clang_arguments.iter().map(OsString::from));
    arguments
}
