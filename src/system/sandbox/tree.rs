//! Folders that a hostile input may make Clang read: its own source tree and those that the user
//! names.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The entries that mark the top of a repository.
const TOPS: [&str; 4] = [".git", ".hg", ".jj", ".svn"];

/// The system's own folders: programs, libraries, headers, toolkits.
///
/// They may be read and their contents executed.
pub const SYSTEM: [&str; 10] =
    ["/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/opt", "/nix/store", "/gnu/store"];

/// Whether a folder is the top of a repository.
pub fn is_top(folder: &Path) -> bool {
    TOPS.iter().any(|top| folder.join(top).exists())
}

/// The number of the user whose rights this process has.
pub fn user() -> u32 {
    nix::unistd::geteuid().as_raw()
}

/// Folders that may be read, without links in their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceTree(Vec<PathBuf>);

impl SourceTree {
    /// These folders and files, as far as they exist.
    pub fn new<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut tree = Self::default();
        paths.into_iter().for_each(|path| tree.add(path));
        tree
    }

    /// Adds a folder or a file if it exists.
    pub fn add(&mut self, path: &Path) {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        if let Some(path) = fs::canonicalize(path).ok().filter(|path| !self.0.contains(path)) {
            self.0.push(path);
        }
    }

    /// Adds the tree of a file or folder of the command line: the repository around it.
    ///
    /// Without a repository the tree is the folder itself, or the file's folder. For a file below
    /// the working folder it also includes the working folder. Folders that hold more than a
    /// project (`/`, the home folder, the one for temporary files, all above them) never count.
    pub fn add_around(&mut self, path: &Path) {
        let is_folder = path.is_dir();
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Ok(folder) = fs::canonicalize(if is_folder { path } else { parent }) else { return };
        self.add(path);
        let crowded = crowded();
        let is_project = |folder: &Path| !crowded.iter().any(|above| above.starts_with(folder));
        let top = folder.ancestors().take_while(|folder| is_project(folder)).find(|folder| is_top(folder));
        if let Some(top) = top {
            return self.add(top);
        }
        let here = fs::canonicalize(".").ok().filter(|here| !is_folder && folder.starts_with(here));
        let folders = [
            Some(folder.clone()).filter(|folder| is_folder || is_project(folder)),
            here.filter(|here| is_project(here)),
        ];
        folders.iter().flatten().for_each(|folder| self.add(folder));
    }

    /// The folders and files.
    pub fn paths(&self) -> &[PathBuf] {
        &self.0
    }

    /// Whether a file or folder is in the tree, or in one of the system's, wherever links lead.
    ///
    /// A path that does not exist is in none.
    pub fn holds(&self, path: &Path) -> bool {
        fs::canonicalize(path).is_ok_and(|path| self.0.iter().chain(system()).any(|folder| path.starts_with(folder)))
    }
}

/// The system's folders without links in their paths, as far as they exist.
fn system() -> &'static [PathBuf] {
    static FOLDERS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    FOLDERS.get_or_init(|| SYSTEM.iter().filter_map(|folder| fs::canonicalize(folder).ok()).collect())
}

/// Folders that contain many projects, and more.
fn crowded() -> Vec<PathBuf> {
    let known = [dirs::home_dir(), Some(std::env::temp_dir()), Some(PathBuf::from("/"))];
    known.into_iter().flatten().filter_map(|folder| fs::canonicalize(folder).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_the_repository_or_the_folder() {
        let place = tempfile::tempdir().expect("a folder");
        let root = fs::canonicalize(place.path()).expect("it exists");
        fs::create_dir_all(root.join("repo/.git")).expect("a folder");
        fs::create_dir_all(root.join("repo/src/deep")).expect("a folder");
        fs::create_dir_all(root.join("plain/src")).expect("a folder");
        for file in ["repo/src/a.cl", "repo/b.cl", "plain/src/a.cl", "plain/b.cl", "secret"] {
            fs::write(root.join(file), "").expect("a file");
        }
        std::os::unix::fs::symlink(root.join("secret"), root.join("repo/link.cl")).expect("a link");
        let around = |path: &str| {
            let mut tree = SourceTree::default();
            tree.add_around(&root.join(path));
            tree
        };
        let repository = around("repo/src/a.cl");
        assert!(repository.holds(&root.join("repo/b.cl")) && !repository.holds(&root.join("plain/b.cl")));
        assert!(!repository.holds(&root.join("repo/link.cl")) && !repository.holds(&root.join("repo/none.cl")));
        assert!(around("repo/link.cl").holds(&root.join("secret")), "a file that the user names is read");
        let plain = around("plain/src");
        assert!(plain.holds(&root.join("plain/src/a.cl")) && !plain.holds(&root.join("plain/b.cl")));
        assert!(plain.holds(Path::new("/usr/include")));
    }
}
