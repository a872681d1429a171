//! The source of a witness: the file itself and those that it includes, in the same relative
//! places.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use lockstep_ir::kernel::Language;

use super::Files;
use crate::bounded;
use crate::frontend::FrontendOptions;
use crate::frontend::clang::dependencies;

/// The folder for files that include each other.
const BELOW: &str = "source";

/// The copied files; paths are relative to the witness's folder.
pub struct Copied {
    /// The source.
    pub source: PathBuf,
    /// The folders that are searched for included files.
    pub includes: Vec<PathBuf>,
    /// All files: the original path (without links), and the path of the copy.
    pub files: Files,
    /// Their contents, where these are text.
    pub texts: Vec<String>,
}

/// Copies a source and the files that it includes.
///
/// A file that includes nothing lies in the folder itself. Otherwise all lie below the deepest
/// folder that contains all of them, and each folder that Clang searched for them.
pub fn copy(path: &Path, language: Language, options: &FrontendOptions, place: &Path) -> anyhow::Result<Copied> {
    let included = if language == Language::Llvm { Vec::new() } else { dependencies(path, language, options)? };
    let real = |path: &Path| fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display()));
    let source = real(path)?;
    let mut from = vec![source.clone()];
    let mut folders = Vec::new();
    for file in &included {
        let file_there = real(file)?;
        if !from.contains(&file_there) {
            from.push(file_there);
        }
    }
    for folder in options.includes.iter().filter(|folder| included.iter().any(|file| file.starts_with(folder))) {
        folders.push(real(folder)?);
    }
    let to: Box<dyn Fn(&Path) -> PathBuf> = if from.len() == 1 {
        let folder = source.parent().map(Path::to_owned).unwrap_or_default();
        Box::new(move |path| path.strip_prefix(&folder).unwrap_or(path).to_owned())
    } else {
        let parents = from.iter().filter_map(|file| file.parent());
        let above = common(parents.chain(folders.iter().map(PathBuf::as_path)));
        Box::new(move |path| Path::new(BELOW).join(path.strip_prefix(&above).unwrap_or(path)))
    };
    let mut texts = Vec::new();
    let mut files = Files::new();
    for file in from {
        let target = to(&file);
        if let Some(parent) = place.join(&target).parent() {
            fs::create_dir_all(parent)?;
        }
        let bytes = bounded::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        fs::write(place.join(&target), &bytes)?;
        texts.extend(String::from_utf8(bytes).ok());
        files.push((file, target));
    }
    let includes = folders.iter().map(|folder| to(folder)).collect();
    Ok(Copied { source: to(&source), includes, files, texts })
}

/// The deepest folder that contains all of these.
fn common<'a>(mut folders: impl Iterator<Item = &'a Path>) -> PathBuf {
    let mut above = folders.next().map(Path::to_owned).unwrap_or_default();
    for folder in folders {
        while !folder.starts_with(&above) && above.pop() {}
    }
    above
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_folder_is_the_longest_path_of_all() {
        let of = |folders: &[&str]| common(folders.iter().map(Path::new));
        assert_eq!(of(&["/a/b/c", "/a/b/d", "/a/b"]), Path::new("/a/b"));
        assert_eq!(of(&["/a/bc", "/a/b"]), Path::new("/a"));
        assert_eq!(of(&["/a"]), Path::new("/a"));
    }
}
