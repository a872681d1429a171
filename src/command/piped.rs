//! The input `-`: the standard input, as a file with kernels.
//!
//! It is copied to a temporary file, which reports call `stdin.cl` (`.cu`, `.hip`). Its folder is
//! the working folder: headers and `lockstep.toml` are looked for there.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use lockstep_ir::kernel::Language;

use super::arguments::Command;
use crate::bounded;
use crate::frontend::FrontendOptions;
use crate::report;

/// The name of the input on the command line.
const NAME: &str = "-";

/// Puts the standard input into a file if the command reads it, and the file in its place.
///
/// # Errors
///
/// Its language is not given, or it cannot be read.
pub fn store(command: &mut Command) -> anyhow::Result<()> {
    if inputs(command).iter().all(|path| **path != Path::new(NAME)) {
        return Ok(());
    }
    let Some(arguments) = command.kernel_arguments_mut() else { return Ok(()) };
    let ending = match arguments.frontend.language {
        Some(Language::OpenCl) => "cl",
        Some(Language::Cuda) => "cu",
        Some(Language::Hip) => "hip",
        _ => bail!("the standard input has no ending that tells its language: give it with -x (cl, cuda, hip)"),
    };
    let name = format!("stdin.{ending}");
    let file = tempfile::env::temp_dir().join(&name);
    let mut text = Vec::new();
    io::stdin().take(bounded::LARGEST).read_to_end(&mut text).context("cannot read the standard input")?;
    fs::write(&file, &text).with_context(|| format!("cannot write {}", file.display()))?;
    report::call(file.display().to_string(), name);
    arguments.config.piped = Some(file.clone());
    for path in inputs(command).into_iter().filter(|path| **path == Path::new(NAME)) {
        path.clone_from(&file);
    }
    Ok(())
}

/// The inputs of a command.
fn inputs(command: &mut Command) -> Vec<&mut PathBuf> {
    match command {
        Command::Verify(arguments) => arguments.inputs.iter_mut().collect(),
        Command::Inspect(arguments) => vec![&mut arguments.input],
        Command::Run(arguments) => vec![&mut arguments.input],
        _ => Vec::new(),
    }
}

/// Has Clang read the standard input as a file of the working folder.
pub fn in_working_folder(options: &mut FrontendOptions) {
    // No file has this name, so no link of it counts.
    *options = options.in_tree_of(Path::new("./\0"));
    if let Ok(folder) = std::env::current_dir() {
        options.clang_arguments.push(format!("-iquote{}", folder.display()));
    }
}
