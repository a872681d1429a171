//! The files that Clang is given besides the source.
//!
//! They are kept in the cache folder from one run to the next. Writing the two hundred of them for
//! each run takes longer than Clang does in a series of many runs. File systems are slow to reuse
//! the places of files just deleted. They are kept with `--no-cache`, too, because they hold no
//! results: before each use they are compared with the expected contents. If they differ and cannot
//! be repaired, the files are written into a temporary folder.

use std::ffi::OsStr;
use std::fs;
use std::hash::BuildHasher as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lockstep_ir::kernel::Language;
use lockstep_system::bounded;
use lockstep_system::cache;
use rustc_hash::FxBuildHasher;
use tempfile::TempDir;

use crate::cuda::HEADERS;
use crate::opencl::HOST_HEADERS;

/// Maps Clang's own atomics to OpenCL's, because Clang drops the scopes of its own for SPIR
/// targets.
const ATOMICS: &str = include_str!("../opencl/atomics.h");

/// The declarations used in specifications, and functions that replace those of Clang's whose
/// meaning its code loses.
const ANNOTATIONS: [&str; 3] =
    [include_str!("../annotations.h"), include_str!("../../../include/lockstep.h"), include_str!("scoped_atomics.h")];

/// The name of the header that contains them.
const BEFORE_SOURCE: &str = "lockstep.h";

/// The header that goes before a host of OpenCL: it checks Clang's version.
const BEFORE_HOST: (&str, &str) =
    ("lockstep_host.h", "#if !defined(__clang__) || __clang_major__ != 19\n#error Lockstep needs Clang 19\n#endif\n");

/// The time for which the files of another version of Lockstep are kept.
const KEPT: Duration = Duration::from_hours(7 * 24);

/// A folder of these files.
pub enum Headers {
    Kept(PathBuf),
    Temporary(TempDir),
}

impl Headers {
    /// The files for this language.
    ///
    /// # Errors
    ///
    /// The files do not exist, and no temporary folder can be written either.
    pub fn new(language: Language) -> io::Result<Self> {
        Self::kept_in(cache::folder().map(|folder| folder.join("headers")).as_deref(), &files(language))
    }

    /// The files kept in this folder, if they can be kept.
    fn kept_in(folder: Option<&Path>, files: &[File]) -> io::Result<Self> {
        if let Some(folder) = folder {
            let kept = folder.join(format!("{:016x}", FxBuildHasher.hash_one(files)));
            // Clang puts the name between quotes.
            let is_quotable = !kept.as_os_str().as_encoded_bytes().iter().any(|byte| b"\"\n".contains(byte));
            if is_quotable && (is_whole(&kept, files) || write_in(folder, &kept, files).is_ok()) {
                // Opening the folder marks it as used and so not old.
                let _ = fs::File::open(&kept).and_then(|folder| folder.set_modified(SystemTime::now()));
                return Ok(Self::Kept(kept));
            }
        }
        let folder = tempfile::tempdir()?;
        write(folder.path(), files)?;
        Ok(Self::Temporary(folder))
    }

    /// The folder, which takes the place of a toolkit's in CUDA and HIP.
    pub fn folder(&self) -> &Path {
        match self {
            Self::Kept(folder) => folder,
            Self::Temporary(folder) => folder.path(),
        }
    }

    /// The header that goes before a host of OpenCL.
    pub fn before_host(&self) -> PathBuf {
        self.folder().join(BEFORE_HOST.0)
    }

    /// The header that goes before every source, after [`PRELUDE`](crate::cuda::PRELUDE) where that
    /// is used.
    pub fn before_source(&self) -> PathBuf {
        self.folder().join(BEFORE_SOURCE)
    }
}

/// A file's path in the folder, and the parts of its text.
type File = (&'static str, Vec<&'static str>);

fn files(language: Language) -> Vec<File> {
    match language {
        Language::Cuda | Language::Hip => {
            let headers = HEADERS.iter().map(|(path, text)| (*path, vec![*text]));
            headers.chain([(BEFORE_SOURCE, ANNOTATIONS.to_vec())]).collect()
        }
        Language::OpenCl | Language::Ptx | Language::Llvm => {
            let host = HOST_HEADERS.iter().chain([&BEFORE_HOST]).map(|(path, text)| (*path, vec![*text]));
            host.chain([(BEFORE_SOURCE, [&[ATOMICS], &ANNOTATIONS[..]].concat())]).collect()
        }
    }
}

/// Whether the folder holds all files with the right contents, and nothing else.
fn is_whole(folder: &Path, files: &[File]) -> bool {
    files
        .iter()
        .all(|(path, text)| bounded::read(&folder.join(path)).is_ok_and(|bytes| bytes == text.concat().as_bytes()))
        && number_of_files(folder).is_ok_and(|number| number == files.len())
}

fn number_of_files(folder: &Path) -> io::Result<usize> {
    let mut number = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        number += if entry.file_type()?.is_dir() { number_of_files(&entry.path())? } else { 1 };
    }
    Ok(number)
}

fn write(folder: &Path, files: &[File]) -> io::Result<()> {
    for (path, text) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text.concat())?;
    }
    Ok(())
}

/// Writes the files into a folder beside the place and moves it there, so that others see all files
/// or none.
///
/// A later process leaves the files of the first where they are, because they are in use.
fn write_in(folder: &Path, place: &Path, files: &[File]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let beside = TempDir::new_in(folder)?;
    write(beside.path(), files)?;
    let mut moved = fs::rename(beside.path(), place);
    if moved.is_err() && !is_whole(place, files) {
        // The contents of the place are damaged.
        let damaged = TempDir::new_in(folder)?;
        fs::rename(place, damaged.path().join("damaged"))?;
        moved = fs::rename(beside.path(), place);
    }
    if moved.is_ok() {
        // The folder was moved, so nothing is left to delete.
        let _ = beside.keep();
    } else if !is_whole(place, files) {
        return moved;
    }
    forget_old(folder);
    Ok(())
}

/// Deletes old files that other versions of Lockstep, or killed runs, left behind.
fn forget_old(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().filter(|entry| is_ours(&entry.file_name())).map(|entry| entry.path()) {
        let modified = fs::metadata(&path).and_then(|metadata| metadata.modified());
        let age = modified.ok().and_then(|modified| SystemTime::now().duration_since(modified).ok());
        if age.is_some_and(|age| age > KEPT) {
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// Whether a name is one that Lockstep gives folders: a hash, or the name of a temporary folder.
fn is_ours(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(".tmp") || (name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn the_only_entry(folder: &Path) -> PathBuf {
        let entries: Vec<PathBuf> =
            fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
        assert_eq!(entries.len(), 1, "{entries:?}");
        entries[0].clone()
    }

    fn kept_in(folder: &Path) -> Headers {
        Headers::kept_in(Some(folder), &files(Language::Cuda)).expect("headers")
    }

    #[test]
    fn they_are_written_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = folder.path().join("not there yet");
        let first = kept_in(&cache);
        assert_eq!(first.folder(), the_only_entry(&cache));
        assert!(is_whole(first.folder(), &files(Language::Cuda)));
        let modified = || fs::metadata(first.before_source()).and_then(|metadata| metadata.modified()).expect("a time");
        let written = modified();
        let second = kept_in(&cache);
        assert_eq!((second.folder(), modified()), (first.folder(), written));
    }

    #[test]
    fn damaged_headers_are_replaced() {
        let cache = tempfile::tempdir().expect("a folder");
        let damages: [fn(&Headers); 5] = [
            |headers| fs::write(headers.folder().join("string.h"), "#define threadIdx blockIdx").expect("written"),
            |headers| {
                fs::remove_dir_all(headers.folder()).expect("removed");
                fs::write(headers.folder(), "no folder").expect("written");
            },
            |headers| fs::write(headers.folder().join("cuda_runtime.h"), "#define __syncthreads()").expect("written"),
            |headers| fs::remove_file(headers.before_source()).expect("removed"),
            |headers| fs::remove_dir_all(headers.folder()).expect("removed"),
        ];
        for damage in damages {
            let headers = kept_in(cache.path());
            damage(&headers);
            assert!(!is_whole(headers.folder(), &files(Language::Cuda)));
            let again = kept_in(cache.path());
            assert!(is_whole(again.folder(), &files(Language::Cuda)));
            assert_eq!(again.folder(), the_only_entry(cache.path()));
        }
    }

    /// A later process neither fails nor takes away the files that others use.
    #[test]
    fn many_at_once_share_them() {
        let cache = tempfile::tempdir().expect("a folder");
        let start = std::sync::Barrier::new(8);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    start.wait();
                    for _ in 0..20 {
                        let headers = kept_in(cache.path());
                        assert!(
                            matches!(headers, Headers::Kept(_)) && is_whole(headers.folder(), &files(Language::Cuda))
                        );
                    }
                });
            }
        });
    }

    #[test]
    fn without_a_place_they_are_temporary() {
        let (file, cache) = (tempfile::NamedTempFile::new().expect("a file"), tempfile::tempdir().expect("a folder"));
        // No folder can be made below a file.
        let quoted = cache.path().join("a \"b\"");
        for place in [None, Some(file.path()), Some(quoted.as_path())] {
            let headers = Headers::kept_in(place, &files(Language::OpenCl)).expect("headers");
            let folder = headers.folder().to_owned();
            assert!(is_whole(&folder, &files(Language::OpenCl)));
            drop(headers);
            assert!(!folder.exists());
        }
    }

    #[test]
    fn those_of_others_go_when_they_are_old() {
        let cache = tempfile::tempdir().expect("a folder");
        let [old, young, of_others] =
            ["0123456789abcdef", "fedcba9876543210", "mylib"].map(|name| cache.path().join(name));
        for path in [&old, &young, &of_others] {
            fs::create_dir(path).expect("a folder");
        }
        let long_ago = SystemTime::now() - 2 * KEPT;
        for path in [&old, &of_others] {
            fs::File::open(path).and_then(|folder| folder.set_modified(long_ago)).expect("its time can be set");
        }
        let headers = kept_in(cache.path());
        assert!(headers.folder().exists() && young.exists() && of_others.exists() && !old.exists());
    }
}
