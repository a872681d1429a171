//! The files that a source includes.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use lockstep_ir::kernel::Language;
use lockstep_system::sandbox::SourceTree;

use super::headers::Headers;
use super::{cuda, of_options, opencl, process, with_hints};
use crate::{FrontendOptions, InputError};

/// The files that a source of this language includes, as Clang names them.
///
/// Files that Lockstep puts before the source and system files are left out.
pub fn dependencies(path: &Path, language: Language, options: &FrontendOptions) -> Result<Vec<PathBuf>, InputError> {
    let headers = Headers::new(language)
        .map_err(|cause| InputError::Clang(format!("cannot write the files that Clang needs: {cause}")))?;
    let mut all = match language {
        Language::Cuda | Language::Hip => cuda::arguments(&headers, language, options),
        Language::OpenCl | Language::Ptx | Language::Llvm => opencl::arguments(&headers, options),
    };
    let fault = |cause| InputError::Clang(format!("cannot write the files that Clang needs: {cause}"));
    let folder = tempfile::tempdir().map_err(fault)?;
    let written = folder.path().join("included.d");
    all.extend(["-MM", "-MT", "it", "-w", "-DLOCKSTEP"].map(Into::into));
    all.extend(of_options(options));
    all.extend(["-o".into(), written.clone().into()]);
    let ended = process::run(path, &all, headers.folder(), folder.path(), options, &|| ())?;
    if !ended.status.success() {
        return Err(InputError::DoesNotCompile { path: path.to_owned(), output: with_hints(ended.said) });
    }
    let mut found = read(&written, path, options)?;
    found.retain(|file| file != path && *file != process::literal(path) && !file.starts_with(headers.folder()));
    Ok(found)
}

/// The files that Clang opened for the source at `path`, read from the Make rule that it left in a
/// file.
///
/// Every conclusion from a rule rests on its names, and Clang writes two kinds of names in a way
/// that cannot be undone: it turns backslashes into slashes, and leaves line breaks as they are. A
/// repository with a file `x\..\..\secret` could pass off `../secret` as opened, and have it shown.
/// Such names are refused.
pub(super) fn read(rule: &Path, path: &Path, options: &FrontendOptions) -> Result<Vec<PathBuf>, InputError> {
    let refused = |output: String| InputError::DoesNotCompile { path: path.to_owned(), output };
    let text = fs::read(rule)
        .map_err(|cause| refused(format!("the names of the files that it includes cannot be read: {cause}\n")))?;
    let files =
        of_rule(&text).ok_or_else(|| refused("it includes a file with a line break in its path\n".to_owned()))?;
    // The source itself is always among them.
    if files.is_empty() {
        return Err(refused("Clang does not say which files it includes\n".to_owned()));
    }
    match Listings::new(process::readable(path, options)).find_mistaken(&files) {
        Some(Mistaken::Name(entry)) => {
            Err(refused(format!("it may include {}, whose name has a backslash: rename it\n", entry.display())))
        }
        Some(Mistaken::Unlisted(folder, cause)) => {
            Err(refused(format!("it includes files below {}, which cannot be listed: {cause}\n", folder.display())))
        }
        None => Ok(files),
    }
}

/// The canonical paths, without links.
pub(super) fn canonical(files: &[PathBuf]) -> Vec<PathBuf> {
    files.iter().filter_map(|file| fs::canonicalize(file).ok()).collect()
}

/// The files that are not Lockstep's own.
pub(super) fn of_others<'a>(files: &'a [PathBuf], headers: &'a Headers) -> impl Iterator<Item = &'a PathBuf> {
    // A source may begin the path to a file of its own with the folder's name.
    let is_ours = |file: &Path| file.starts_with(headers.folder()) && !file.iter().any(|part| part == "..");
    files.iter().filter(move |file| !is_ours(file))
}

/// The reason why a name in Clang's rule may stand for another file.
#[derive(Debug)]
enum Mistaken {
    /// A folder entry on the way to the file that the rule would spell like the rest of the path.
    Name(PathBuf),
    /// A folder on the way whose entries cannot be listed.
    Unlisted(PathBuf, io::Error),
}

/// The entries of folders whose names have a backslash.
struct Listings {
    /// The source tree and the system's folders, all of which Clang can read.
    tree: SourceTree,
    known: HashMap<PathBuf, Vec<OsString>>,
}

impl Listings {
    fn new(tree: SourceTree) -> Self {
        Self { tree, known: HashMap::new() }
    }

    fn find_mistaken(&mut self, files: &[PathBuf]) -> Option<Mistaken> {
        files.iter().find_map(|file| {
            let bytes = file.as_os_str().as_bytes();
            let ends = (0..bytes.len()).filter(|&at| at == 0 || bytes[at - 1] == b'/');
            ends.map(|end| bytes.split_at(end)).find_map(|(folder, rest)| {
                let folder = if folder.is_empty() { Path::new(".") } else { Path::new(OsStr::from_bytes(folder)) };
                match self.of(folder) {
                    Ok(names) => {
                        let name = names.iter().find(|name| is_start_of(name.as_bytes(), rest))?;
                        Some(Mistaken::Name(folder.join(name)))
                    }
                    Err(cause) => Some(Mistaken::Unlisted(folder.to_owned(), cause)),
                }
            })
        })
    }

    /// The entries of a folder; empty if the folder does not exist or Clang has no access to it.
    fn of(&mut self, folder: &Path) -> io::Result<&[OsString]> {
        if !self.known.contains_key(folder) {
            let names = self.list(folder)?;
            self.known.insert(folder.to_owned(), names);
        }
        Ok(&self.known[folder])
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        // Only the system's administrator can put files into the system's folders.
        if SourceTree::default().holds(folder) {
            return Ok(Vec::new());
        }
        let entries: io::Result<Vec<OsString>> =
            fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect());
        match entries {
            Ok(mut names) => {
                names.retain(|name| name.as_bytes().contains(&b'\\'));
                Ok(names)
            }
            // The folder may hold names that can be opened but not listed.
            Err(cause) if self.tree.holds(folder) && folder.is_dir() => Err(cause),
            Err(_) => Ok(Vec::new()),
        }
    }
}

/// Whether a path begins with this name, its backslashes turned into slashes.
fn is_start_of(name: &[u8], path: &[u8]) -> bool {
    let is_alike = |(a, b): (&u8, &u8)| a == b || (*a == b'\\' && *b == b'/');
    path.len() >= name.len()
        && name.iter().zip(path).all(is_alike)
        && path.get(name.len()).is_none_or(|&next| next == b'/')
}

/// The prerequisites of a Make rule in Clang's format; `None` if a line ends inside a name.
fn of_rule(rule: &[u8]) -> Option<Vec<PathBuf>> {
    let start = rule.windows(2).position(|two| two == b": ").map_or(rule.len(), |at| at + 2);
    let end = rule.iter().rposition(|&byte| byte != b'\n').map_or(start, |last| last + 1);
    let mut words = vec![Vec::new()];
    let mut bytes = rule[start..end.max(start)].iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let next = bytes.peek().copied();
        let word = words.last_mut().expect("there is one");
        match (byte, next) {
            (b'\\', Some(escaped @ (b' ' | b'#'))) | (b'$', Some(escaped @ b'$')) => {
                bytes.next();
                word.push(escaped);
            }
            (b'\\', Some(b'\n')) => {
                bytes.next();
                words.push(Vec::new());
            }
            (b'\n', _) => return None,
            (b' ', _) => words.push(Vec::new()),
            _ => word.push(byte),
        }
    }
    let words = words.into_iter().filter(|word| !word.is_empty());
    Some(words.map(|word| OsString::from_vec(word).into()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_read_as_make_would() {
        let rule = "it: a.cl inc/b.h \\\n  with\\ blank.h \\\n  price$$.h\n";
        let expected = ["a.cl", "inc/b.h", "with blank.h", "price$.h"].map(PathBuf::from);
        assert_eq!(of_rule(rule.as_bytes()).expect("names"), expected);
        assert!(of_rule(b"").expect("no names").is_empty());
        assert_eq!(of_rule(b"it: a.cl d\n/etc/passwd \\\n  b.h\n"), None);
    }

    #[test]
    fn names_with_backslashes_are_mistaken_for_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        fs::create_dir_all(root.join("x")).expect("a folder");
        for name in [r"x\..\..\secret", r"x/b\c.h", "x/plain.h"] {
            fs::write(root.join(name), "").expect("a file");
        }
        let mistaken = |path: &str| {
            let found = Listings::new(SourceTree::new([root])).find_mistaken(&[root.join(path)]);
            found.map(|found| match found {
                Mistaken::Name(entry) => entry,
                Mistaken::Unlisted(folder, cause) => panic!("{}: {cause}", folder.display()),
            })
        };
        assert_eq!(mistaken("x/../../secret"), Some(root.join(r"x\..\..\secret")));
        assert_eq!(mistaken("x/b/c.h"), Some(root.join(r"x/b\c.h")));
        assert_eq!(mistaken("x/../x/b/c.h"), Some(root.join(r"x/../x/b\c.h")));
        for other in ["x/plain.h", "x/b/c.h2", "x/b", "x/../../secrets"] {
            assert_eq!(mistaken(other), None, "{other}");
        }
    }
}
