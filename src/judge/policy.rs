//! The files that a worker may use.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cache;
use crate::frontend::clang;
use crate::pipeline::{Input, Settings};
use crate::sandbox::{self, Policy};

/// Puts this process, a worker that reads these files, and all processes that it starts into a
/// sandbox.
///
/// # Errors
/// The machine's kernel refuses the sandbox; the worker must not go on.
pub fn enter(inputs: &[Input], settings: &Settings) -> std::io::Result<()> {
    if settings.frontend.no_sandbox {
        return Ok(());
    }
    sandbox::enter(&policy(inputs, settings)).map(|_| ())
}

fn policy(inputs: &[Input], settings: &Settings) -> Policy {
    // The system reports a process's own state there. Other processes' memory and environment stay
    // hidden.
    let mut policy = Policy { read: vec![PathBuf::from("/proc")], ..Policy::default() };
    for input in inputs {
        let needed = clang::policy(&input.path, &input.frontend);
        policy.read.extend(needed.read);
        policy.execute.extend(needed.execute);
    }
    // This program is executed to try out modules of LLVM IR.
    policy.execute.extend(sandbox::loaded());
    if settings.recheck.is_some() {
        // The command line names a program. It may be a script, need any file, and store its input.
        policy.execute.push(PathBuf::from("/"));
        policy.write.push(PathBuf::from("/"));
    }
    policy.write.extend(writable());
    policy
}

/// The folders for Lockstep's own files.
fn writable() -> Vec<PathBuf> {
    let kept = cache::folder().filter(|folder| fs::create_dir_all(folder).is_ok());
    [tempfile::env::temp_dir()].into_iter().chain(kept).collect()
}

/// The sandbox of `run`, `inspect` and the writing of witnesses, which read the files that the
/// command line names. There is no network, and writing is possible only below these folders.
///
/// # Errors
/// The machine's kernel refuses the sandbox.
pub fn enter_to_write(outputs: &[&Path]) -> std::io::Result<()> {
    let folder = |path: &&Path| {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match fs::metadata(path) {
            Ok(known) if !known.is_file() => path.to_path_buf(),
            // A new file is written beside the target of any link, and replaces it.
            _ => fs::canonicalize(path)
                .ok()
                .and_then(|path| path.parent().map(Path::to_owned))
                .unwrap_or(parent.to_owned()),
        }
    };
    let write = writable().into_iter().chain(outputs.iter().map(folder)).collect();
    sandbox::enter(&Policy { read: Vec::new(), execute: vec![PathBuf::from("/")], write }).map(|_| ())
}
