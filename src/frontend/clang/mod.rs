//! Runs Clang.
//!
//! Clang compiles without optimisation and with debug information to LLVM bitcode. A header goes before the source: it
//! checks Clang's version (at no cost, unlike a call of `clang --version`) and declares the functions of specifications. What
//! else each language needs is in [`opencl`] and [`cuda`].

mod cuda;
mod dependencies;
mod erased;
mod headers;
mod opencl;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

pub use dependencies::dependencies;
use headers::Headers;
use lockstep_ir::kernel::Language;

use super::{FrontendOptions, InputError};

/// The names under which Clang is looked for.
const NAMES: [&str; 2] = ["clang-19", "clang"];

/// What makes Clang compile for the host.
const HOST_ONLY: &str = "--cuda-host-only";

/// What the header's `#error` says of a Clang whose bitcode we cannot read.
const WRONG_VERSION: &str = "Lockstep needs Clang 19";

/// What Clang made of a file.
pub struct Compiled {
    /// LLVM bitcode.
    pub bitcode: Vec<u8>,
    /// What Clang said on stderr.
    pub diagnostics: String,
    /// How long it took.
    pub seconds: f64,
}

/// Compiles a file of this language.
pub fn compile(path: &Path, language: Language, options: &FrontendOptions) -> Result<Compiled, InputError> {
    compile_with(path, language, options, |headers| match language {
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
    compile_with(path, language, options, |headers| {
        let mut arguments = cuda::host_arguments(headers, language, options);
        arguments.extend(with_openmp.then(|| "-fopenmp".into()));
        arguments
    })
}

fn compile_with(
    path: &Path,
    language: Language,
    options: &FrontendOptions,
    of_language: impl FnOnce(&Headers) -> Vec<OsString>,
) -> Result<Compiled, InputError> {
    let fault = |cause: io::Error| InputError::Clang(format!("cannot write the files that Clang needs: {cause}"));
    let headers = Headers::new(language).map_err(fault)?;
    // What else Clang is asked to write goes there too.
    let folder = tempfile::tempdir().map_err(fault)?;
    let bitcode = folder.path().join("kernel.bc");
    let opened = folder.path().join("kernel.d");
    let mut all = of_language(&headers);
    all.extend(arguments(options));
    let preprocessing = all.clone();
    all.extend(["-MD", "-MT", "it", "-MF"].map(Into::into));
    all.extend([opened.clone().into(), "-o".into(), bitcode.clone().into()]);
    all.extend(source(path));

    let start = Instant::now();
    let output = run(options.clang.as_deref(), &all)?;

    let diagnostics = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(if diagnostics.contains(WRONG_VERSION) {
            InputError::Clang(format!("{WRONG_VERSION}; give its path with --clang"))
        } else if diagnostics.trim().is_empty() {
            // Killed, or no Clang at all: a Clang that rejects a file says why.
            InputError::Clang(format!("Clang ended with {} on {} and said nothing", output.status, path.display()))
        } else {
            InputError::DoesNotCompile { path: path.to_owned(), output: with_hints(diagnostics) }
        });
    }
    let is_for_devices = !all.iter().any(|argument| argument == HOST_ONLY);
    let may_be_erased = || {
        let options_are_early = options.clang_arguments.iter().any(|argument| erased::may_precede_headers(argument));
        options_are_early || erased::may_be_used(&dependencies::opened(&opened, &headers))
    };
    if is_for_devices && may_be_erased() {
        nothing_is_erased(path, preprocessing, folder.path(), options)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let bitcode = std::fs::read(&bitcode)
        .map_err(|cause| InputError::Clang(format!("Clang left no output for {}: {cause}", path.display())))?;
    Ok(Compiled { bitcode, diagnostics, seconds })
}

/// Refuses a source in which a name is left whose meaning is not in the code that Clang made.
fn nothing_is_erased(
    path: &Path,
    mut arguments: Vec<OsString>,
    folder: &Path,
    options: &FrontendOptions,
) -> Result<(), InputError> {
    let preprocessed = folder.join("kernel.i");
    arguments.extend(["-w".into(), "-E".into(), "-o".into(), preprocessed.clone().into()]);
    arguments.extend(source(path));
    let output = run(options.clang.as_deref(), &arguments)?;
    let text = std::fs::read(&preprocessed);
    let (true, Ok(text)) = (output.status.success(), text) else {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(InputError::DoesNotCompile { path: path.to_owned(), output: with_hints(said) });
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

/// What Clang said of a file that does not compile, with what Clang cannot know of annotations.
fn with_hints(mut diagnostics: String) -> String {
    const AXIOM: [&str; 2] = ["function definition is not allowed here", "expanded from macro '__axiom'"];
    if AXIOM.iter().all(|said| diagnostics.contains(said)) {
        diagnostics.push_str(
            "__axiom stands at file scope; what holds of a kernel's launches is said by __requires at its beginning\n",
        );
    }
    if diagnostics.contains("error: reference to __global__ function") {
        diagnostics.push_str("a kernel that launches another (dynamic parallelism) is not supported\n");
    }
    diagnostics
}

fn run(given: Option<&Path>, arguments: &[OsString]) -> Result<Output, InputError> {
    let candidates: Vec<PathBuf> = match given {
        Some(path) => vec![path.to_owned()],
        None => NAMES.iter().map(PathBuf::from).collect(),
    };
    for candidate in &candidates {
        match Command::new(candidate).args(arguments).output() {
            Ok(output) => return Ok(output),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
            Err(cause) => {
                return Err(InputError::Clang(format!("cannot run Clang at {}: {cause}", candidate.display())));
            }
        }
    }
    Err(InputError::Clang(match given {
        Some(path) => format!("there is no Clang at {}", path.display()),
        None => {
            "Clang 19 is not installed (looked for clang-19 and clang); install it or give its path with --clang".into()
        }
    }))
}

/// What is passed to Clang whatever the language.
fn arguments(options: &FrontendOptions) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = [
        // Without it, functions are marked as not to be cleaned up.
        "-Xclang",
        "-disable-O0-optnone",
        // Clang would inline some functions before their variables are pinned.
        "-Xclang",
        "-disable-llvm-passes",
        "-g",
        "-gcolumn-info",
        "-fno-discard-value-names",
        "-emit-llvm",
        "-c",
        "-DLOCKSTEP",
    ]
    .map(OsString::from)
    .to_vec();
    arguments.extend(options.defines.iter().map(|define| format!("-D{define}").into()));
    for folder in &options.includes {
        arguments.extend(["-I".into(), folder.into()]);
    }
    arguments.extend(options.clang_arguments.iter().map(OsString::from));
    arguments
}

/// The source, as the last arguments.
fn source(path: &Path) -> [OsString; 2] {
    // Clang hands the name on to itself without the two dashes.
    let dashed = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    let path = if dashed { Path::new(".").join(path) } else { path.to_owned() };
    ["--".into(), path.into()]
}
