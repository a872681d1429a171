//! The sources of kernels below a folder, and the hosts.

use std::fs;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::frontend::hosts;
use crate::pipeline::input_fault::InputFault;

/// The endings of the files that are read. Headers (also `.cuh`) are read where sources include
/// them.
pub const ENDINGS: [&str; 7] = ["cl", "cu", "hip", "ll", "bc", "ptx", "kernel"];

/// All sources below a folder, sorted, and the folders that cannot be read.
pub fn kernel_files(folder: &Path) -> (Vec<PathBuf>, Vec<InputFault>) {
    files(folder, &ENDINGS)
}

/// All files in C and C++ below a folder, sorted.
pub fn host_files(folder: &Path) -> Vec<PathBuf> {
    files(folder, &hosts::ENDINGS).0
}

/// All files with these endings below a folder, sorted, and the folders that cannot be read.
///
/// Hidden files are left out. Links to folders are not followed: they could lead in circles, and to
/// the same file twice.
fn files(folder: &Path, endings: &[&str]) -> (Vec<PathBuf>, Vec<InputFault>) {
    let (mut files, mut faults) = (Vec::new(), Vec::new());
    for entry in WalkDir::new(folder).into_iter().filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry)) {
        match entry {
            Ok(entry) if is_source(&entry, endings) => {
                let path = entry.into_path();
                // The name is the same as without the folder.
                files.push(path.strip_prefix(".").map(Path::to_owned).unwrap_or(path));
            }
            Ok(_) => {}
            Err(error) => faults.push(InputFault::command_line(in_words(folder, &error))),
        }
    }
    files.sort();
    (files, faults)
}

fn in_words(folder: &Path, error: &walkdir::Error) -> String {
    let place = error.path().unwrap_or(folder).display();
    match error.io_error() {
        Some(cause) => format!("cannot read the folder {place}: {cause}"),
        None => format!("cannot read the folder {place}: {error}"),
    }
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

fn is_source(entry: &DirEntry, endings: &[&str]) -> bool {
    let ending = entry.path().extension().and_then(|ending| ending.to_str());
    if !ending.is_some_and(|ending| endings.contains(&ending)) {
        return false;
    }
    let kind = entry.file_type();
    // A link that leads nowhere is reported when the file is read.
    kind.is_file() || kind.is_symlink() && fs::metadata(entry.path()).map_or(true, |target| target.is_file())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn sources_are_found_whatever_is_beside_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        for name in
            ["b/z.cl", "b/a.cu", "a.hip", ".git/x.cl", "b/.hidden.cl", "x.cpp", "y.h", "c.cl/d.ll", "e.cuh", "cl"]
        {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
            fs::write(path, "").expect("a file");
        }
        symlink(root, root.join("b/circle")).expect("a link");
        symlink("nowhere", root.join("broken.cl")).expect("a link");
        symlink("b", root.join("folder.cl")).expect("a link");
        symlink("../a.hip", root.join("b/link.hip")).expect("a link");
        let (files, faults) = kernel_files(root);
        let names: Vec<_> =
            files.iter().map(|path| path.strip_prefix(root).expect("below").display().to_string()).collect();
        assert_eq!(names, ["a.hip", "b/a.cu", "b/link.hip", "b/z.cl", "broken.cl", "c.cl/d.ll"]);
        assert!(faults.is_empty(), "{faults:?}");
    }
}
