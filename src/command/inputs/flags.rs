//! The compiler options that affect how a kernel is read.
//!
//! [`OPTIONS`] lists the options that are kept, under the spellings of GCC, Clang, nvcc and hipcc.
//! It also lists those that are dropped together with a value that could be taken for an option.
//! Everything else is left out: options about the generated code (`-O2`, `-gencode`, `-rdc=true`),
//! about warnings, and for the host's compiler or the linker.

use std::path::{Path, PathBuf};

use lockstep_ir::kernel::Language;

use crate::bounded;
use crate::frontend::FrontendOptions;
use crate::frontend::clang::refuse_response_files;

/// The ways in which a value may follow its option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `-Dvalue`, `-D=value` or `-D value`.
    Joined,
    /// `-std=value` or `-std value`.
    Apart,
}

/// The treatment of an option.
#[derive(Clone, Copy)]
enum Meaning {
    /// It is passed to Clang under this name.
    Kept(&'static str),
    /// The same, for an option whose value is a folder.
    Folder(&'static str),
    /// The same, for an option whose value is a file that is searched for like an included one.
    File(&'static str),
    /// The language's version.
    Standard,
    /// The language.
    Language,
    /// A file with more options.
    Response,
    /// It is dropped, with its value.
    Dropped,
    /// It is dropped with a message: it would make a compiler run code that somebody else wrote.
    Refused,
}

use Form::{Apart, Joined};
use Meaning::{Dropped, File, Folder, Kept, Refused, Response, Standard};

const OPTIONS: &[(&str, Form, Meaning)] = &[
    ("-D", Joined, Kept("-D")),
    ("--define-macro", Apart, Kept("-D")),
    ("-U", Joined, Kept("-U")),
    ("--undefine-macro", Apart, Kept("-U")),
    ("-I", Joined, Folder("-I")),
    ("--include-path", Apart, Folder("-I")),
    ("--include-directory", Apart, Folder("-I")),
    ("-isystem", Joined, Folder("-isystem")),
    ("--system-include", Apart, Folder("-isystem")),
    ("-iquote", Joined, Folder("-iquote")),
    ("-idirafter", Joined, Folder("-idirafter")),
    ("-include", Apart, File("-include")),
    ("--include", Apart, File("-include")),
    ("--pre-include", Apart, File("-include")),
    ("-imacros", Apart, File("-imacros")),
    ("-std", Apart, Standard),
    ("--std", Apart, Standard),
    ("-cl-std", Apart, Standard),
    ("-x", Joined, Meaning::Language),
    ("--x", Apart, Meaning::Language),
    ("--options-file", Apart, Response),
    ("-optf", Apart, Response),
    ("@", Joined, Response),
    // Each of them names code that a compiler would run.
    ("-fplugin", Apart, Refused),
    ("-fpass-plugin", Apart, Refused),
    ("-load", Apart, Refused),
    ("-wrapper", Apart, Refused),
    ("-specs", Apart, Refused),
    ("--specs", Apart, Refused),
    ("--config", Apart, Refused),
    ("-B", Joined, Refused),
    // The value begins with a dash, or names a file that is written.
    ("-Xcompiler", Apart, Dropped),
    ("--compiler-options", Apart, Dropped),
    ("-Xlinker", Apart, Dropped),
    ("--linker-options", Apart, Dropped),
    ("-Xptxas", Apart, Dropped),
    ("--ptxas-options", Apart, Dropped),
    ("-Xnvlink", Apart, Dropped),
    ("--nvlink-options", Apart, Dropped),
    ("-Xarchive", Apart, Dropped),
    ("--archive-options", Apart, Dropped),
    ("-Xfatbin", Apart, Dropped),
    ("--fatbin-options", Apart, Dropped),
    ("-Xcudafe", Apart, Dropped),
    ("-Xarch_host", Apart, Dropped),
    ("-Xarch_device", Apart, Dropped),
    ("-Xclang", Apart, Dropped),
    ("-Xpreprocessor", Apart, Dropped),
    ("-Xassembler", Apart, Dropped),
    ("-mllvm", Apart, Dropped),
    ("-ccbin", Apart, Dropped),
    ("--compiler-bindir", Apart, Dropped),
    ("-o", Apart, Dropped),
    ("--output-file", Apart, Dropped),
    ("-MF", Apart, Dropped),
    ("-MT", Apart, Dropped),
    ("-MQ", Apart, Dropped),
    ("-maxrregcount", Apart, Dropped),
    ("--maxrregcount", Apart, Dropped),
];

/// The options kept from a command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// The language of `-x`, or of the compiler's name.
    pub language: Option<Language>,
    /// The language's version.
    pub standard: Option<String>,
    /// The options for Clang, in the order of the command line.
    pub for_clang: Vec<String>,
    /// Notes on unreadable words.
    pub notes: Vec<String>,
    /// Options that prevent the reading of a source, with reasons.
    pub refused: Vec<String>,
}

/// The deepest nesting of response files.
const NESTING: usize = 8;

/// The options kept from a command line, whose first word is the compiler, run in this folder.
///
/// Files that an option names must be readable under these options.
pub fn read(words: &[String], folder: &Path, options: &FrontendOptions) -> Flags {
    let mut flags = Flags::default();
    let compiler = words.first().map(|word| Path::new(word).file_name().unwrap_or_default().to_string_lossy());
    if compiler.is_some_and(|name| name.starts_with("hipcc")) {
        flags.language = Some(Language::Hip);
    }
    flags.add(words.get(1..).unwrap_or_default(), folder, options, 0);
    flags.refused.extend(refuse_response_files(&flags.for_clang).err());
    flags
}

impl Flags {
    fn add(&mut self, words: &[String], folder: &Path, options: &FrontendOptions, depth: usize) {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some((meaning, value)) = meaning(word) else { continue };
            let Some(value) = value.or_else(|| words.next().map(String::as_str)) else { continue };
            match meaning {
                Kept(name) => self.for_clang.push(format!("{name}{value}")),
                Folder(name) => {
                    let path = folder.join(value);
                    self.for_clang.extend([name.to_owned(), path.display().to_string()]);
                }
                File(name) => {
                    let path = Some(folder.join(value)).filter(|path| path.is_file());
                    let path = path.unwrap_or_else(|| PathBuf::from(value));
                    if path.exists() && !options.may_read(&path) {
                        self.refused.push(format!("`{name} {value}` names a file outside of the source tree"));
                    }
                    self.for_clang.extend([name.to_owned(), path.display().to_string()]);
                }
                Standard => self.standard = Some(value.to_owned()),
                Meaning::Language => self.language = language(value),
                Response => self.add_response(&folder.join(value), folder, options, depth),
                Dropped => {}
                Refused => self.notes.push(format!("{word} in a compilation database has no effect")),
            }
        }
    }

    fn add_response(&mut self, path: &Path, folder: &Path, options: &FrontendOptions, depth: usize) {
        if path.exists() && !options.may_read(path) {
            return self.refused.push(format!("{} is outside of the source tree", path.display()));
        }
        let text = bounded::read_to_string(path).map_err(|cause| cause.to_string());
        let words = text.and_then(|text| shell_words::split(&text).map_err(|cause| cause.to_string()));
        match words {
            Ok(words) if depth < NESTING => self.add(&words, folder, options, depth + 1),
            Ok(_) => self.notes.push(format!("{}: too many files of options in each other", path.display())),
            Err(cause) => self.notes.push(format!("options in {} are left out: {cause}", path.display())),
        }
    }
}

/// The treatment of a word, and the value that it contains.
fn meaning(word: &str) -> Option<(Meaning, Option<&str>)> {
    OPTIONS.iter().find_map(|&(name, form, meaning)| {
        let rest = word.strip_prefix(name)?;
        match (form, rest.strip_prefix('=')) {
            (_, _) if rest.is_empty() => Some((meaning, None)),
            (_, Some(value)) => Some((meaning, Some(value))),
            (Joined, None) => Some((meaning, Some(rest))),
            (Apart, None) => None,
        }
    })
}

/// The language that `-x` names, if it is a kernel language.
fn language(name: &str) -> Option<Language> {
    match name {
        "cu" | "cuda" => Some(Language::Cuda),
        "hip" => Some(Language::Hip),
        "cl" => Some(Language::OpenCl),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(line: &str) -> Flags {
        read(&shell_words::split(line).expect("quotes match"), Path::new("/build"), &FrontendOptions::default())
    }

    #[test]
    fn relevant_flags_are_kept_in_order() {
        let read = flags(
            "/usr/bin/nvcc -forward-unknown-to-host-compiler -DA=1 -D B='\"x y\"' -Iinc -I/abs -isystem=sys -isystem sys2 \
             --define-macro=C -U D -gencode arch=compute_70,code=sm_70 -std=c++17 -x cu -rdc=true --expt-relaxed-constexpr \
             -Xcompiler -DHOST -Xcompiler=-fPIC -ccbin g++ -maxrregcount 32 -O3 -c a.cu -o -DOUT",
        );
        let kept = [
            "-DA=1",
            "-DB=\"x y\"",
            "-I",
            "/build/inc",
            "-I",
            "/abs",
            "-isystem",
            "/build/sys",
            "-isystem",
            "/build/sys2",
            "-DC",
            "-UD",
        ];
        assert_eq!(read.for_clang, kept);
        assert_eq!((read.language, read.standard.as_deref()), (Some(Language::Cuda), Some("c++17")));
    }

    #[test]
    fn languages_come_from_the_option_or_the_compiler() {
        assert_eq!(flags("/opt/rocm/bin/hipcc a.cpp").language, Some(Language::Hip));
        assert_eq!(flags("clang++ -x hip a.cpp").language, Some(Language::Hip));
        assert_eq!(flags("clang -xcl a.x").language, Some(Language::OpenCl));
        assert_eq!(flags("g++ -x c++ a.cpp").language, None);
        assert_eq!(flags("").language, None);
    }

    #[test]
    fn files_of_options_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.rsp"), "-I\"with space\" --options-file b.rsp -DX").expect("a file");
        std::fs::write(folder.path().join("b.rsp"), "@a.rsp").expect("a file");
        let options = FrontendOptions::default().in_tree_of(folder.path());
        let read = read(&["nvcc", "--options-file", "a.rsp", "@none.rsp"].map(str::to_owned), folder.path(), &options);
        assert_eq!(read.for_clang[..2], ["-I".to_owned(), folder.path().join("with space").display().to_string()]);
        assert_eq!(read.for_clang.last().map(String::as_str), Some("-DX"));
        assert!(read.notes.len() == 2 && read.notes[1].contains("none.rsp"), "{:?}", read.notes);
    }
}
