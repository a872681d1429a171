//! Kernels in the kernel IR's own text, as `lockstep inspect --stage kernel` prints it.
//!
//! The command line's settings for a source's language, macros and annotations mean nothing here:
//! they were applied when the text was made. Only verified kernels are passed on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::{self, Kernel};

use super::names;
use super::{FrontendOptions, ImportedKernel, Module};

/// The text at which a kernel begins.
const BEGINNING: &str = "kernel \"";

/// Reads the kernels of a file. The error gives the fault and its line.
pub fn import(path: &Path, bytes: &[u8], options: &FrontendOptions) -> Result<Module, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("it is not UTF-8: {error}"))?;
    let mut kernels = Vec::new();
    for (line, text) in parts(text) {
        let kernel = kernel::parse(text).map_err(|error| moved(&error, line))?;
        let kernel = kernel::verify(kernel).map_err(|problems| {
            let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
            format!("the kernel of line {} breaks rules of the kernel IR: {}", line + 1, all.join("; "))
        })?;
        kernels.push(imported(path, kernel, line, options));
    }
    Ok(Module { kernels, diagnostics: String::new(), clang_seconds: 0.0, left_out: Vec::new() })
}

/// The texts of the kernels, and the number of lines before each.
fn parts(text: &str) -> Vec<(u32, &str)> {
    let mut starts: Vec<(u32, usize)> = Vec::new();
    let mut at = 0;
    for (line, content) in (0..).zip(text.split_inclusive('\n')) {
        if content.starts_with(BEGINNING) {
            starts.push((line, at));
        }
        at += content.len();
    }
    let ends = starts.iter().skip(1).map(|(_, at)| *at).chain([text.len()]);
    starts.iter().zip(ends).map(|(&(line, start), end)| (line, &text[start..end])).collect()
}

/// The error with its line in the file.
fn moved(error: &kernel::ParseError, before: u32) -> String {
    format!("line {}: {}", error.line.saturating_add(before), error.message)
}

fn imported(path: &Path, kernel: kernel::VerifiedKernel, line: u32, options: &FrontendOptions) -> ImportedKernel {
    let (file, declared) = declared_at(&kernel).unwrap_or_else(|| (path.display().to_string(), line + 1));
    ImportedKernel {
        name: kernel.name.clone(),
        names: vec![names::normalised(&kernel.name)],
        parameter_types: None,
        symbol: kernel.name.clone(),
        file,
        line: declared,
        sources: Vec::new(),
        assumptions: [Assumed::Import.everywhere()].into_iter().collect(),
        launches: Vec::new(),
        pointees: Vec::new(),
        initial: Vec::new(),
        program: None,
        escapes: Vec::new(),
        passes_unknown: false,
        set_by_host: BTreeSet::new(),
        is_never_launched: false,
        integers: BTreeMap::new(),
        assumed: options.assume.iter().map(|_| Err("the kernel is given as kernel IR".to_owned())).collect(),
        kernel: Ok(kernel),
    }
}

fn declared_at(kernel: &Kernel) -> Option<(String, u32)> {
    let data = &kernel.locations[kernel.location?];
    Some((kernel.files[data.file].clone(), data.line))
}
