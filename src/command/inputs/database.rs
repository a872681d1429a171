//! Compilation databases (`compile_commands.json`) and the kernel sources in them.
//!
//! Each source has its own options. The format is
//! [Clang's](https://clang.llvm.org/docs/JSONCompilationDatabase.html). Host sources are left out.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lockstep_ir::kernel::Language;
use rustc_hash::FxHashSet;
use serde::Deserialize;

use super::flags::{self, Flags};
use super::outside;
use crate::bounded;
use crate::frontend::FrontendOptions;
use crate::frontend::hosts::{self, Host};
use crate::pipeline::Input;
use crate::pipeline::input_fault::InputFault;

/// The kernels of a database.
#[derive(Debug, Default)]
pub struct Database {
    /// The sources, in its order; one for each file and set of options.
    pub files: Vec<Input>,
    /// The sources in C and C++, which may launch kernels of OpenCL C.
    pub hosts: Vec<Arc<Host>>,
    /// Malformed entries.
    pub faults: Vec<InputFault>,
    /// Notes on unreadable options.
    pub notes: Vec<String>,
}

/// An entry as written in the file.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

impl Database {
    /// Reads a database given on the command line. The error names the place where it is malformed.
    pub fn read(path: &Path, given: &Path, options: &FrontendOptions) -> Result<Self, String> {
        let text = bounded::read(path).map_err(|cause| format!("cannot read {}: {cause}", path.display()))?;
        let entries: Vec<Entry> = serde_json::from_slice(&text).map_err(|error| {
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            format!("{}:{}:{}: no compilation database: {message}", path.display(), error.line(), error.column())
        })?;
        let mut database = Self::default();
        let mut known = FxHashSet::default();
        let fault = |cause: std::io::Error| format!("{}: {cause}", path.display());
        let base = std::path::absolute(path.parent().unwrap_or(Path::new(""))).or_else(|_| std::env::current_dir());
        let base = base.map_err(fault)?;
        for (number, entry) in entries.iter().enumerate() {
            let words = match entry.words() {
                Ok(words) => words,
                Err(cause) => {
                    let (path, file) = (path.display(), entry.file.display());
                    let message = format!("{path}: entry {number} ({file}): {cause}");
                    database.faults.push(InputFault::command_line(message));
                    continue;
                }
            };
            let folder = base.join(&entry.directory);
            let flags = flags::read(&words, &folder, options);
            let file = shown(&folder.join(&entry.file));
            let Some(language) = language(&entry.file, &flags) else {
                database.hosts.extend(host(&file, &flags, options).map(Arc::new));
                continue;
            };
            if file.exists() && !options.may_read(&file) {
                database
                    .faults
                    .push(outside(&format!("{}: entry {number} ({})", path.display(), file.display()), given));
                continue;
            }
            if let Some(refused) = flags.refused.first() {
                let (path, file) = (path.display(), entry.file.display());
                database.faults.push(InputFault::command_line(format!("{path}: entry {number} ({file}): {refused}")));
                continue;
            }
            let input = input(file, given, language, &flags, options);
            let real = fs::canonicalize(&input.path).unwrap_or_else(|_| input.path.clone());
            let how = (language, input.frontend.clang_arguments.clone(), input.frontend.cl_std.clone());
            if known.insert((real, how)) {
                database.files.push(input);
                let new = flags.notes.into_iter().filter(|note| !database.notes.contains(note)).collect::<Vec<_>>();
                database.notes.extend(new);
            }
        }
        Ok(database)
    }
}

impl Entry {
    fn words(&self) -> Result<Vec<String>, String> {
        match (&self.arguments, &self.command) {
            (Some(arguments), _) => Ok(arguments.clone()),
            (None, Some(command)) => shell_words::split(command).map_err(|cause| format!("its command has a {cause}")),
            (None, None) => Err("it has neither arguments nor a command".to_owned()),
        }
    }
}

/// The language of a source, if it is a kernel language.
fn language(file: &Path, flags: &Flags) -> Option<Language> {
    let by_ending = match file.extension().and_then(|ending| ending.to_str())? {
        "cu" => Some(Language::Cuda),
        "hip" => Some(Language::Hip),
        "cl" => Some(Language::OpenCl),
        _ => None,
    };
    flags.language.or(by_ending)
}

/// A path as a user would write it: relative to the working folder, if it is below.
pub fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(fs::canonicalize);
    let below = here.and_then(|here| Ok(fs::canonicalize(path)?.strip_prefix(here).map(Path::to_owned)));
    below.ok().and_then(Result::ok).unwrap_or_else(|| path.to_owned())
}

/// A source with its options.
///
/// The command line's options come later, so that its definitions take precedence.
fn input(path: PathBuf, given: &Path, language: Language, flags: &Flags, options: &FrontendOptions) -> Input {
    let mut frontend = options.clone();
    let own_headers = matches!(language, Language::Cuda | Language::Hip)
        && (language == Language::Hip || options.cuda_path.is_none());
    let mut arguments = if own_headers { without_toolkits(&flags.for_clang) } else { flags.for_clang.clone() };
    match (language, &flags.standard) {
        (Language::OpenCl, Some(standard)) => frontend.cl_std = frontend.cl_std.or_else(|| Some(standard.clone())),
        (_, Some(standard)) => arguments.push(format!("-std={standard}")),
        (_, None) => {}
    }
    arguments.extend(frontend.defines.drain(..).map(|define| format!("-D{define}")));
    arguments.append(&mut frontend.clang_arguments);
    frontend.clang_arguments = arguments;
    frontend.language = frontend.language.or(Some(language));
    Input { path, frontend, recorded: Vec::new(), found_in: Some(given.to_owned()), special: None }
}

/// A source in C or C++ with its options; none if it may not be read.
fn host(path: &Path, flags: &Flags, options: &FrontendOptions) -> Option<Host> {
    if !hosts::is_host(path) || !flags.refused.is_empty() || !options.may_read(path) {
        return None;
    }
    let mut host = Host::new(path, options, false);
    let mut arguments = flags.for_clang.clone();
    arguments.extend(flags.standard.iter().map(|standard| format!("-std={standard}")));
    arguments.extend(host.options.defines.drain(..).map(|define| format!("-D{define}")));
    arguments.append(&mut host.options.clang_arguments);
    host.options.clang_arguments = arguments;
    Some(host)
}

/// Options without the folders of a toolkit's headers, which Lockstep replaces by its own.
fn without_toolkits(arguments: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for argument in arguments {
        let of_folder =
            kept.last().is_some_and(|name| ["-I", "-isystem", "-iquote", "-idirafter"].contains(&name.as_str()));
        let has = |header| Path::new(argument).join(header).exists();
        if of_folder && (has("cuda_runtime.h") || has("hip/hip_runtime.h")) {
            kept.pop();
        } else {
            kept.push(argument.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Database, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("compile_commands.json");
        fs::write(&path, json).expect("a file");
        let shown = path.display().to_string();
        let options = FrontendOptions { defines: vec!["MINE".into()], ..FrontendOptions::default() };
        let read = Database::read(&path, &path, &options);
        read.map_err(|message| message.replace(&shown, "db.json"))
    }

    #[test]
    fn sources_of_kernels_have_their_own_options() {
        let database = read(
            r#"[{"directory": "/b", "file": "a.cu", "command": "nvcc -DN='4 5' -std=c++14 -c a.cu"},
                {"directory": "/b", "file": "/b/a.cu", "arguments": ["nvcc", "-DN=4 5", "-O3", "-std=c++14"], "output": "x"},
                {"directory": "/b", "file": "a.cu", "arguments": ["nvcc", "-DN=6"]},
                {"directory": "/b", "file": "main.cpp", "arguments": ["g++", "-DN=7"]},
                {"directory": "/b", "file": "k.cl", "arguments": ["clang", "-cl-std=CL1.2"]},
                {"directory": "/b", "file": "h.cpp", "arguments": ["clang++", "-x", "hip"]}]"#,
        );
        let files = database.expect("it is one").files;
        let paths: Vec<String> = files.iter().map(|input| input.path.display().to_string()).collect();
        assert_eq!(paths, ["/b/a.cu", "/b/a.cu", "/b/k.cl", "/b/h.cpp"]);
        assert_eq!(files[0].frontend.clang_arguments, ["-DN=4 5", "-std=c++14", "-DMINE"]);
        assert_eq!(files[1].frontend.clang_arguments, ["-DN=6", "-DMINE"]);
        assert_eq!(files[2].frontend.cl_std.as_deref(), Some("CL1.2"));
        assert_eq!(files[3].frontend.language, Some(Language::Hip));
        assert!(files.iter().all(|input| input.frontend.defines.is_empty()));
    }

    #[test]
    fn malformed_databases_are_refused_with_their_place() {
        let malformed = |json| read(json).expect_err("it is malformed");
        assert!(
            malformed("[\n  {,}]").starts_with("db.json:2:4: no compilation database: "),
            "{}",
            malformed("[\n  {,}]")
        );
        assert!(malformed("{}").starts_with("db.json:1:"), "{}", malformed("{}"));
        assert!(malformed(r#"[{"directory": "/b"}]"#).contains("missing field `file`"));
        let database = read(
            r#"[{"directory": "/b", "file": "a.cu", "command": "nvcc 'a.cu"},
                {"directory": "/b", "file": "b.cu"}, {"directory": "/b", "file": "c.cu", "command": "nvcc"}]"#,
        );
        let Database { files, faults, .. } = database.expect("it is one");
        assert_eq!(files.len(), 1);
        let missing = ["entry 0 (a.cu): its command has a missing closing quote", "entry 1 (b.cu): it has neither"];
        assert!(
            faults.iter().zip(missing).all(|(fault, part)| fault.message.contains(part)) && faults.len() == 2,
            "{faults:?}"
        );
    }

    #[test]
    fn headers_of_a_toolkit_are_left_out() {
        let toolkit = tempfile::tempdir().expect("a folder");
        fs::write(toolkit.path().join("cuda_runtime.h"), "").expect("a file");
        let toolkit = toolkit.path().display().to_string();
        let arguments = ["-DA", "-isystem", &toolkit, "-I", "/nowhere"].map(str::to_owned);
        assert_eq!(without_toolkits(&arguments), ["-DA", "-I", "/nowhere"]);
    }
}
