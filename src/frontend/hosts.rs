//! Hosts of OpenCL: files in C or C++ that launch the kernels of `.cl` files.
//!
//! A host names kernels by strings, and its program's source by a path at run time, which is not
//! followed. So a launch counts for the kernel of this name. If several `.cl` files have one, it
//! counts for those nearest to the host in the tree of folders. If these are several, it counts for
//! each, and a note says so.
//!
//! A `.cl` file and the first host with a `main` that launches one of its kernels are a program,
//! which can be executed. It has the kernels that no other file as near has, too.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use lockstep_ir::assumption::Assumed;
use lockstep_ir::host::{HostProgram, KernelSources};
use lockstep_ir::source::Place;
use lockstep_options::launch::SourceLaunch;
use lockstep_system::bounded;

use super::clang::{self, mentions};
use super::llvm::{self, NotCovered, OpenClHost};
use super::{FrontendOptions, ImportedKernel, OwnProgram, first_line};

/// The endings of hosts.
pub const ENDINGS: [&str; 5] = ["c", "cc", "cpp", "cxx", "c++"];

/// The most hosts that are read for one file with kernels.
const MOST_READ: usize = 16;

/// The most bytes between the word `kernel` and the kernel's name.
const LONGEST_DECLARATION: usize = 400;

/// A host.
#[derive(Clone, Debug)]
pub struct Host {
    /// The file.
    pub path: PathBuf,
    /// The options for reading it.
    pub options: FrontendOptions,
    /// Whether the command line names it. Any other host counts if it has the name of a kernel in
    /// quotes.
    pub is_named: bool,
    /// The `.cl` files whose kernels it may launch.
    pub sources: Arc<[PathBuf]>,
}

impl Host {
    /// A host with the options of the kernels.
    pub fn new(path: &Path, options: &FrontendOptions, is_named: bool) -> Self {
        let options = FrontendOptions { hosts: Vec::new(), language: None, ..options.clone() };
        let options = if options.tree.is_some() { options } else { options.in_tree_of(path) };
        Self { path: path.to_owned(), options, is_named, sources: Arc::default() }
    }
}

/// Whether a file is one of hosts, by its ending.
pub fn is_host(path: &Path) -> bool {
    path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| ENDINGS.contains(&ending))
}

/// Adds the launches of the hosts to the kernels of a file.
///
/// If a host cannot be read, nothing is known of its launches, and those of others are left out.
pub fn follow(kernels: &mut [ImportedKernel], path: &Path, options: &FrontendOptions, diagnostics: &mut String) {
    let mut found: Vec<(&Arc<Host>, OpenClHost)> = Vec::new();
    for host in options.hosts.iter().filter(|host| counts(host, kernels)) {
        let shown = host.path.display();
        let read = if found.len() < MOST_READ { read(host) } else { Err("too many hosts have these names".to_owned()) };
        match read {
            Ok(launches) => found.push((host, launches)),
            Err(cause) => {
                let _ = writeln!(diagnostics, "note: {shown}: launches in host code are not looked at: {cause}");
                return;
            }
        }
    }
    for (host, launches) in &found {
        for kernel in kernels.iter_mut() {
            add(kernel, path, host, launches, diagnostics);
        }
    }
    let launches_one =
        |found: &OpenClHost| found.launches.iter().any(|(name, _)| kernels.iter().any(|kernel| kernel.symbol == *name));
    let mut programs: Vec<(&Arc<Host>, OpenClHost)> =
        found.into_iter().filter(|(_, found)| found.program.is_some()).collect();
    // The launches of some hosts are not followed.
    programs.sort_by_key(|(_, found)| !launches_one(found));
    if let Some((host, OpenClHost { program: Some(program), .. })) = programs.into_iter().next() {
        make_program(kernels, path, options, (host, program));
    }
}

/// Whether a host is read with the options of the kernels.
pub fn is_read_alike(host: &Host, options: &FrontendOptions) -> bool {
    let of = |options: &FrontendOptions| {
        (options.defines.clone(), options.includes.clone(), options.clang_arguments.clone())
    };
    of(&host.options) == of(options)
}

/// Makes a program of a host and the kernels of a file.
fn make_program(
    kernels: &mut [ImportedKernel],
    path: &Path,
    options: &FrontendOptions,
    (host, mut program): (&Host, HostProgram),
) {
    let mut names: HashMap<String, String> = HashMap::new();
    for (file, _) in &mut program.places {
        let name = names.entry(file.clone()).or_insert_with(|| shown(file, [path, &host.path]));
        file.clone_from(name);
    }
    program.sources = sources(path, host, options);
    let is_nearest = |kernel: &&mut ImportedKernel| {
        let mut rivals = rivals(&kernel.symbol, path, host).into_iter();
        rivals.all(|rival| distance(rival, &host.path) > distance(path, &host.path))
    };
    let symbols = kernels.iter_mut().filter(is_nearest).map(|kernel| kernel.symbol.clone());
    let symbols: HashSet<String> = symbols.collect();
    let mut program = OwnProgram::new(program, &*kernels);
    program.kernels.retain(|kernel| symbols.contains(&kernel.symbol));
    (program.other_files, program.is_read_alike) = (vec![host.path.clone()], is_read_alike(host, options));
    let program = Arc::new(program);
    for kernel in kernels.iter_mut().filter(|kernel| symbols.contains(&kernel.symbol)) {
        kernel.program = Some(program.clone());
    }
}

/// The texts that the program may read when it runs: that of the kernels, and those of other `.cl`
/// files that the host names in quotes.
fn sources(path: &Path, host: &Host, options: &FrontendOptions) -> KernelSources {
    let mut found: Vec<PathBuf> = vec![path.to_owned()];
    for name in names_in_quotes(&bounded::read(&host.path).unwrap_or_default()) {
        let last = Path::new(&name).file_name().map_or(Path::new(""), Path::new);
        let folder = |path: &Path| path.parent().unwrap_or(Path::new("")).to_owned();
        let places = [folder(&host.path).join(&name), folder(&host.path).join(last), folder(path).join(last)];
        let other = places.into_iter().find(|place| place.is_file() && host.options.may_read(place));
        let is_new = |other: &PathBuf| found.iter().all(|known| !is_same(known, other));
        found.extend(other.filter(is_new));
    }
    let text = |path: &PathBuf| (path.display().to_string(), bounded::read(path).unwrap_or_default());
    let defined = options.clang_arguments.iter().filter_map(|argument| argument.strip_prefix("-D"));
    let defines = options.defines.iter().map(String::as_str).chain(defined).map(str::to_owned).collect();
    KernelSources { files: found.iter().take(MOST_SOURCES).map(text).collect(), defines }
}

/// The most files that a program may read.
const MOST_SOURCES: usize = 16;

/// The names of `.cl` files between quotes in a text.
fn names_in_quotes(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let has_ending = |part: &str| Path::new(part).extension().is_some_and(|ending| ending == "cl");
    let is_name = |part: &&str| has_ending(part) && !part.contains(char::is_control);
    text.split('"').filter(is_name).take(MOST_NAMES).map(str::to_owned).collect()
}

/// The most names of files that are looked for.
const MOST_NAMES: usize = 64;

/// Whether two paths lead to one file.
fn is_same(a: &Path, b: &Path) -> bool {
    std::fs::canonicalize(a).is_ok_and(|a| std::fs::canonicalize(b).is_ok_and(|b| a == b))
}

/// Whether a host may launch one of these kernels.
fn counts(host: &Host, kernels: &[ImportedKernel]) -> bool {
    // A file that cannot be read is an error if the command line names it.
    let text = || bounded::read(&host.path).unwrap_or_default();
    let names =
        |text: Vec<u8>| kernels.iter().any(|kernel| mentions(&text, format!("\"{}\"", kernel.symbol).as_bytes()));
    host.is_named || names(text())
}

fn read(host: &Host) -> Result<OpenClHost, String> {
    let compiled = clang::compile_opencl_host(&host.path, &host.options).map_err(|error| first_line(&error))?;
    llvm::opencl_launches(&compiled.bitcode)
}

/// Adds the launches of a host to a kernel of a file.
fn add(kernel: &mut ImportedKernel, path: &Path, host: &Host, found: &OpenClHost, diagnostics: &mut String) {
    let rivals = rivals(&kernel.symbol, path, host);
    if rivals.iter().any(|rival| distance(rival, &host.path) < distance(path, &host.path)) {
        return;
    }
    let shown = |file: &str| shown(file, [Path::new(&kernel.file), &host.path]);
    let own = found.launches.iter().filter(|(name, _)| *name == kernel.symbol);
    let launches: Vec<SourceLaunch> =
        own.map(|(_, launch)| SourceLaunch { file: shown(&launch.file), ..launch.clone() }).collect();
    let own = found.escapes.iter().filter(|(name, _)| name.as_ref().is_none_or(|name| *name == kernel.symbol));
    let mut escapes: Vec<(String, u32)> = own.map(|(_, (file, line))| (shown(file), *line)).collect();
    for (_, (file, line), kind) in found.not_covered.iter().filter(|(name, ..)| *name == kernel.symbol) {
        let (file, why) = (shown(file), why(*kind));
        let _ = writeln!(diagnostics, "note: {file}:{line}: {why}; no verdict on {} covers this launch", kernel.name);
        if *kind == NotCovered::Offset {
            let place = Place { file: file.clone(), line: *line };
            kernel.assumptions.add(Assumed::GlobalOffset { first: vec![0] }.at([place]));
        }
        escapes.push((file, *line));
    }
    if let Some(rival) = rivals.iter().find(|_| !launches.is_empty())
        && distance(rival, &host.path) == distance(path, &host.path)
    {
        let (host, path, rival, name) = (host.path.display(), path.display(), rival.display(), &kernel.name);
        let _ = writeln!(
            diagnostics,
            "note: {host}: there is a kernel {name} in {path} and in {rival}: its launches count for both"
        );
    }
    kernel.launches.extend(launches);
    kernel.escapes.extend(escapes.into_iter().filter(|place| !kernel.escapes.contains(place)).collect::<Vec<_>>());
}

fn why(kind: NotCovered) -> &'static str {
    match kind {
        NotCovered::Offset => "the first global id is not followed, and 0 is assumed",
        NotCovered::Remainder => "the last group is smaller than the others",
    }
}

/// A file's name in reports: one that the rest of the report uses, if it has one.
fn shown(file: &str, known: [&Path; 2]) -> String {
    let real = std::fs::canonicalize(file).ok();
    let is_same = |other: &&Path| real.is_some() && std::fs::canonicalize(other).ok() == real;
    known.into_iter().find(is_same).map_or_else(|| file.to_owned(), |known| known.display().to_string())
}

/// The other files with a kernel of this name that a host may launch, by their text.
fn rivals<'a>(kernel: &str, path: &Path, host: &'a Host) -> Vec<&'a PathBuf> {
    let others = host.sources.iter().filter(|other| *other != path);
    others.filter(|other| bounded::read(other).is_ok_and(|text| declares(&text, kernel))).collect()
}

/// Whether a text seems to have a kernel of this name.
fn declares(text: &[u8], kernel: &str) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    text.windows(kernel.len()).enumerate().filter(|(_, word)| *word == kernel.as_bytes()).any(|(at, _)| {
        let end = at + kernel.len();
        let before = &text[at.saturating_sub(LONGEST_DECLARATION)..at];
        let start = before.iter().rposition(|byte| matches!(byte, b';' | b'}')).map_or(0, |last| last + 1);
        let is_called = text[end..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'(');
        is_called && !is_part(before.last()) && !is_part(text.get(end)) && mentions(&before[start..], b"kernel")
    })
}

/// The number of steps from one file's folder to another's.
pub fn distance(a: &Path, b: &Path) -> usize {
    let folders = |path: &Path| -> Vec<PathBuf> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let parts = path.parent().unwrap_or(Path::new("")).components().filter(|part| *part != Component::CurDir);
        parts.map(|part| PathBuf::from(part.as_os_str())).collect()
    };
    let (a, b) = (folders(a), folders(b));
    let common = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    a.len() + b.len() - 2 * common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_found_in_text() {
        let text = b"void f(int); __kernel __attribute__((reqd_work_group_size(16, 1, 1)))\nvoid scan_ (int a);";
        assert!(declares(text, "scan_"));
        for other in ["scan", "f", "can_", "a"] {
            assert!(!declares(text, other), "{other}");
        }
    }

    #[test]
    fn names_of_kernel_files_stand_in_quotes() {
        let text = b"read(\"x/a.cl\"); #include \"b.h\"\nread(\"b.cl\", \"\\n\"); c.cl \"d\n.cl\" \"\xFF.cl\"";
        assert_eq!(names_in_quotes(text), ["x/a.cl", "b.cl", "\u{FFFD}.cl"]);
    }

    #[test]
    fn files_in_one_folder_are_nearest() {
        let of = |a: &str| distance(Path::new(a), Path::new("x/src/main.c"));
        assert_eq!(["x/src/k.cl", "x/k.cl", "x/cl/k.cl", "./x/src/k.cl"].map(of), [0, 1, 2, 0]);
    }
}
