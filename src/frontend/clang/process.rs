//! Starts Clang so that nothing but the source decides what it does.
//!
//! * Clang reads a word of its command line that begins with `@` as the name of a file with more
//!   words, which may load a plugin. It does so twice. The driver does it for its own words. The
//!   compiler proper does it for the words that the driver makes of them: `-D@f` has become `-D`
//!   and `@f`, and a source `/x/@f.cl` is also called `@f.cl`. [`refuse_response_files`] handles
//!   the values of options, and [`literal`] makes paths that name no such file. A source with such
//!   a name is compiled in an empty folder, where no such file exists.
//! * Clang's environment is empty but for [`KEPT`], and it reads no configuration files.
//! * It runs in a [`sandbox`](lockstep_system::sandbox), for a limited time and with limited
//!   memory. Its output is truncated beyond a useful length.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use lockstep_system::printable;
use lockstep_system::sandbox::{self, Policy, SourceTree};
use wait_timeout::ChildExt as _;

use crate::{FrontendOptions, InputError};

/// The names under which Clang is looked for.
const NAMES: [&str; 2] = ["clang-19", "clang"];

/// The environment variables that Clang keeps.
///
/// They tell how it is found, with its libraries, and in which language it prints messages.
const KEPT: [&str; 4] = ["PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL"];

/// The most bytes of Clang's output that are read.
const MOST_SAID: u64 = 1 << 20;

/// Options whose value may follow without a blank and later becomes a word of its own.
const WITH_VALUES: [&str; 18] = [
    "-D",
    "-U",
    "-I",
    "-F",
    "-L",
    "-B",
    "-x",
    "-o",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-iframework",
    "-isysroot",
    "-MF",
    "-MT",
    "-MQ",
];

/// Clang's exit status and its output on stderr.
pub struct Ended {
    pub status: ExitStatus,
    pub said: String,
}

/// A path that Clang takes neither for an option nor for a file of options, whatever it begins
/// with.
pub fn literal(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes().first() {
        None => PathBuf::from("."),
        Some(b'@' | b'-') => Path::new(".").join(path),
        Some(_) => path.to_owned(),
    }
}

/// Whether Clang would take the name of a file for one with more options.
pub fn is_misread(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"@"))
}

/// Refuses a word, or an option's value, that Clang would take for the name of a file with more
/// options.
pub fn refuse_response_files<S: AsRef<OsStr>>(arguments: &[S]) -> Result<(), String> {
    let names_a_file = |word: &[u8]| {
        let value = |name: &&str| word.strip_prefix(name.as_bytes());
        let values = WITH_VALUES.iter().filter_map(value).map(|value| value.strip_prefix(b"=").unwrap_or(value));
        std::iter::once(word).chain(values).any(|word| word.starts_with(b"@"))
    };
    match arguments.iter().map(AsRef::as_ref).find(|word| names_a_file(word.as_encoded_bytes())) {
        None => Ok(()),
        Some(word) => {
            let word = word.to_string_lossy();
            Err(format!("`{word}`: Clang would read more options from the file behind the `@`; write them out"))
        }
    }
}

/// A function that is called once Clang runs and nothing is left to do but wait for it.
pub type Started<'a> = &'a (dyn Fn() + Sync);

/// Runs Clang on a source with these arguments.
///
/// Clang may write below `folder`, which must contain nothing that others wrote.
pub fn run(
    source: &Path,
    arguments: &[OsString],
    headers: &Path,
    folder: &Path,
    options: &FrontendOptions,
    started: Started<'_>,
) -> Result<Ended, InputError> {
    refuse_response_files(arguments).map_err(InputError::Refused)?;
    let misread = is_misread(source);
    let fault = |cause: io::Error| InputError::Clang(format!("cannot run Clang: {cause}"));
    let source = if misread { std::path::absolute(source).map_err(fault)? } else { literal(source) };
    let candidates: Vec<PathBuf> = match &options.clang {
        Some(path) => vec![path.clone()],
        None => NAMES.iter().map(PathBuf::from).collect(),
    };
    for candidate in &candidates {
        let mut said = tempfile::tempfile_in(folder).map_err(fault)?;
        let mut command = Command::new(candidate);
        command.args(["--no-default-config", "-fno-crash-diagnostics"]).args(arguments).arg("--").arg(&source);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said.try_clone().map_err(fault)?);
        command.env_clear().env("TMPDIR", folder);
        command.envs(KEPT.iter().filter_map(|name| Some((name, kept(name)?))));
        if misread {
            command.current_dir(folder);
        }
        if !options.no_sandbox {
            let mut allowed = policy(&source, options);
            allowed.read.push(headers.to_owned());
            allowed.write.push(folder.to_owned());
            let prepared = allowed.prepare();
            let prepared = match options.memory_bytes {
                Some(bytes) => prepared.with_memory(bytes),
                None => prepared,
            };
            sandbox::confine(&mut command, prepared);
        }
        match command.spawn() {
            Ok(mut child) => {
                started();
                let Some(status) = child.wait_timeout(options.limit).map_err(fault)? else {
                    child.kill().and_then(|()| child.wait()).map_err(fault)?;
                    let (path, seconds) = (source.display(), options.limit.as_secs_f64());
                    return Err(InputError::Clang(format!("{path}: Clang did not end in {seconds} s (--timeout)")));
                };
                return Ok(Ended { status, said: beginning(&mut said).map_err(fault)? });
            }
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
            Err(cause) => {
                return Err(InputError::Clang(format!("cannot run Clang at {}: {cause}", candidate.display())));
            }
        }
    }
    Err(InputError::Clang(match &options.clang {
        Some(path) => format!("there is no Clang at {}", path.display()),
        None => {
            "Clang 19 is not installed (looked for clang-19 and clang); install it or give its path with --clang".into()
        }
    }))
}

/// The reason why nothing can be written into a folder, if so: a full disk, a limit on the size of
/// files.
pub fn is_full(folder: &Path) -> Option<io::Error> {
    const ROOM: usize = 64 << 10;
    let written = tempfile::tempfile_in(folder).and_then(|mut file| file.write_all(&vec![1; ROOM]));
    written.err()
}

/// An environment variable, restricted to absolute paths if it lists folders.
///
/// Relative folders could be the repository's.
fn kept(name: &str) -> Option<OsString> {
    let value = std::env::var_os(name)?;
    if !matches!(name, "PATH" | "LD_LIBRARY_PATH") {
        return Some(value);
    }
    let folders: Vec<PathBuf> = std::env::split_paths(&value).filter(|folder| folder.is_absolute()).collect();
    // An empty search path would mean the working folder.
    if folders.is_empty() { Some("/nonexistent".into()) } else { std::env::join_paths(folders).ok() }
}

/// The beginning of Clang's output, and a note if there was more.
fn beginning(said: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    said.rewind()?;
    said.take(MOST_SAID).read_to_end(&mut bytes)?;
    let mut text = printable::lines(&String::from_utf8_lossy(&bytes)).into_owned();
    if said.metadata()?.len() > MOST_SAID {
        text.push_str("\nnote: Clang says more than this\n");
    }
    Ok(text)
}

/// The file-access policy of Clang: read a source's tree and the command line's files, and execute
/// itself.
///
/// A process that starts Clang from inside a sandbox needs the same rights, and Lockstep's headers
/// and a temporary folder besides.
pub fn policy(source: &Path, options: &FrontendOptions) -> Policy {
    let named = options.clang.as_ref().map_or(NAMES.as_slice(), |_| &[]).iter().map(Path::new);
    let execute = named.chain(options.clang.as_deref()).flat_map(installed).collect();
    let mut read = readable(source, options).paths().to_vec();
    for host in &options.hosts {
        let of_host = readable(&host.path, &host.options);
        read.extend(of_host.paths().iter().filter(|path| !read.contains(path)).cloned().collect::<Vec<_>>());
    }
    Policy { read, execute, write: Vec::new() }
}

/// The error for an opened file that lies where Clang must not read.
pub fn outside(opened: &[PathBuf], source: &Path, headers: &Path, options: &FrontendOptions) -> Option<String> {
    let mut tree = readable(source, options);
    tree.add(headers);
    let found = opened.iter().find(|path| !tree.holds(path))?;
    Some(format!(
        "it includes {}, which lies outside of its tree; --allow-read DIR names folders that may be read",
        found.display()
    ))
}

/// The folders and files that Clang may read for a source.
pub fn readable(source: &Path, options: &FrontendOptions) -> SourceTree {
    let mut tree = options.tree.clone().unwrap_or_else(|| {
        let mut tree = SourceTree::default();
        tree.add_around(source);
        tree
    });
    let named = options.readable.paths().iter().map(PathBuf::as_path);
    for path in named.chain(options.cuda_path.as_deref()).chain([source]) {
        tree.add(path);
    }
    tree
}

/// The folders of a Clang installed elsewhere than the system's programs: its own, and those of its
/// libraries and headers.
fn installed(clang: &Path) -> Vec<PathBuf> {
    let searched = kept("PATH").unwrap_or_default();
    let found = match clang.components().count() {
        1 => std::env::split_paths(&searched).map(|folder| folder.join(clang)).find(|path| path.is_file()),
        _ => Some(clang.to_owned()),
    };
    let Some(real) = found.as_deref().and_then(|path| path.canonicalize().ok()) else { return Vec::new() };
    if SourceTree::default().holds(&real) {
        return Vec::new();
    }
    let Some(folder) = real.parent() else { return Vec::new() };
    let beside = ["../lib", "../lib64", "../include"].map(|name| folder.join(name));
    // A script may stand for Clang: the folder in which it is found has other files.
    let named = found.as_deref().and_then(Path::parent).map(Path::to_owned);
    [real.clone()].into_iter().chain(beside).chain(named.filter(|named| named.is_absolute())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_names_a_file_of_options() {
        for word in ["@r", "-D@r", "-D=@r", "-I@r", "-include@r", "-U@r", "-isystem@r"] {
            assert!(refuse_response_files(&["-DA", word]).is_err(), "{word}");
        }
        assert_eq!(refuse_response_files(&["-DA=@r", "-I./@r", "./@r.cl", "a@b"]), Ok(()));
    }

    #[test]
    fn paths_are_taken_literally() {
        let of = |path: &str| literal(Path::new(path)).display().to_string();
        assert_eq!(["@r", "-r", "", "a/@r", "/a"].map(of), ["./@r", "./-r", ".", "a/@r", "/a"]);
    }
}
