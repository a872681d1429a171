//! Finds the `lockstep.toml` of an input.
//!
//! The search goes from the folder of the input upwards. It ends at the top of a repository, at the
//! border of a file system, and with the first file found. A file that belongs to somebody else
//! than the user and the owner of the input is not used: `/tmp/lockstep.toml` says nothing about
//! the folders of other users below.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::sandbox;

/// The name of the file.
pub const NAME: &str = "lockstep.toml";

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The file.
    pub file: Option<PathBuf>,
    /// A file that belongs to somebody else.
    pub foreign: Option<PathBuf>,
}

/// Searches from a file or folder.
pub fn find(input: &Path) -> Found {
    let Ok(owner) = fs::metadata(input).map(|known| known.uid()) else { return Found::default() };
    for file in candidates(input) {
        let Ok(known) = fs::symlink_metadata(&file) else { continue };
        let is_trusted = [sandbox::user(), owner].contains(&known.uid());
        return if is_trusted {
            Found { file: Some(file), foreign: None }
        } else {
            Found { file: None, foreign: Some(file) }
        };
    }
    Found::default()
}

/// The places that are searched for a file or folder, in their order.
pub fn candidates(input: &Path) -> Vec<PathBuf> {
    let Ok(real) = fs::canonicalize(input) else { return Vec::new() };
    let start = if real.is_dir() { Some(real.as_path()) } else { real.parent() };
    let device = |folder: &Path| fs::metadata(folder).ok().map(|known| known.dev());
    let Some(start) = start.filter(|start| device(start).is_some()) else { return Vec::new() };
    let mut all = Vec::new();
    for folder in start.ancestors().take_while(|folder| device(folder) == device(start)) {
        all.push(folder.join(NAME));
        if sandbox::is_top(folder) {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_ends_at_the_top_of_a_repository() {
        let root = tempfile::tempdir().expect("a folder");
        let root = fs::canonicalize(root.path()).expect("it exists");
        let write = |name: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(&path, "").expect("a file");
            path
        };
        let (outer, source) = (write(NAME), write("repository/src/k.cl"));
        assert_eq!(find(&source).file, Some(outer));
        write("repository/.git/HEAD");
        assert_eq!(find(&source), Found::default());
        let inner = write("repository/lockstep.toml");
        assert_eq!(find(&source).file, Some(inner.clone()));
        assert_eq!(find(source.parent().expect("a folder")).file, Some(inner.clone()));
        assert_eq!(find(&root.join("nowhere.cl")), Found::default());
        // Only root can give a file away.
        let other = |path: &Path| std::os::unix::fs::chown(path, Some(12_345), None).is_ok();
        if other(&inner) {
            assert_eq!(find(&source), Found { file: None, foreign: Some(inner.clone()) });
            // The owner of the input may say how it is verified.
            assert!(other(&source) && find(&source).file == Some(inner));
        }
    }
}
