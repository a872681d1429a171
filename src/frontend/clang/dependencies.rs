//! Which files a source includes.

use std::path::{Path, PathBuf};

use lockstep_ir::kernel::Language;

use super::headers::Headers;
use super::{cuda, of_options, opencl, process, with_hints};
use crate::frontend::{FrontendOptions, InputError};

/// The files that a source of this language includes, as Clang names them: not those that Lockstep itself puts before it, and not
/// those of the system.
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
    let rule = std::fs::read(&written).map_err(fault)?;
    let mut found = of_rule(&String::from_utf8_lossy(&rule));
    found.retain(|file| file != path && *file != process::literal(path) && !file.starts_with(headers.folder()));
    Ok(found)
}

/// The files that a rule says were opened, without links in their paths.
pub(super) fn opened(rule: &Path) -> Vec<PathBuf> {
    let rule = std::fs::read(rule).unwrap_or_default();
    let files = of_rule(&String::from_utf8_lossy(&rule));
    files.iter().filter_map(|file| std::fs::canonicalize(file).ok()).collect()
}

/// The files that Clang opened, by the rule that it left in a file, but for Lockstep's own. A rule that cannot be read is itself
/// among them, as a file that is not there.
pub(super) fn opened_of_others(rule: &Path, headers: &Headers) -> Vec<PathBuf> {
    // A source may begin the path to a file of its own with the folder's name.
    let is_ours = |file: &Path| file.starts_with(headers.folder()) && !file.iter().any(|part| part == "..");
    match std::fs::read_to_string(rule) {
        Ok(text) => of_rule(&text).into_iter().filter(|file| !is_ours(file)).collect(),
        Err(_) => vec![rule.join("unreadable")],
    }
}

/// The prerequisites of a rule of Make's, as Clang writes one.
fn of_rule(rule: &str) -> Vec<PathBuf> {
    let (_, rest) = rule.split_once(": ").unwrap_or_default();
    let mut words = vec![String::new()];
    let mut characters = rest.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        let word = words.last_mut().expect("there is one");
        match (character, next) {
            ('\\', Some(escaped @ (' ' | '#'))) | ('$', Some(escaped @ '$')) => {
                characters.next();
                word.push(escaped);
            }
            ('\\', Some('\n')) | ('\n' | ' ', _) => words.push(String::new()),
            _ => word.push(character),
        }
    }
    words.into_iter().filter(|word| !word.is_empty()).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_read_as_make_would() {
        let rule = "it: a.cl inc/b.h \\\n  with\\ blank.h \\\n  price$$.h\n";
        let expected = ["a.cl", "inc/b.h", "with blank.h", "price$.h"].map(PathBuf::from);
        assert_eq!(of_rule(rule), expected);
        assert!(of_rule("").is_empty());
    }
}
