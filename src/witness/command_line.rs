//! The words of `lockstep run` that run a witness again.

use std::path::Path;

use lockstep_ir::kernel::Language;

use super::sources::Copied;
use super::with_slashes;
use crate::frontend::{Annotations, FrontendOptions};
use crate::pipeline::Settings;
use crate::report::quoted;

/// The flags under which a kernel was verified, as far as a run has them.
///
/// The sizes and the folders of included files are left out.
pub fn flags(settings: &Settings, frontend: &FrontendOptions, kernel: &str) -> Vec<String> {
    let mut flags = vec![format!("--kernel={kernel}")];
    flags.extend(frontend.defines.iter().map(|define| format!("-D{define}")));
    flags.extend(frontend.clang_arguments.iter().map(|argument| format!("--clang-arg={argument}")));
    let path = |path: &Path| path.display().to_string();
    flags.extend(frontend.clang.as_deref().map(|clang| format!("--clang={}", path(clang))));
    flags.extend(frontend.cl_std.as_deref().map(|standard| format!("--cl-std={standard}")));
    let language = frontend.language.and_then(|language| match language {
        Language::OpenCl => Some("cl"),
        Language::Cuda => Some("cuda"),
        Language::Hip => Some("hip"),
        Language::Ptx | Language::Llvm => None,
    });
    flags.extend(language.map(|language| format!("--language={language}")));
    flags.extend(frontend.cuda_path.as_deref().map(|folder| format!("--cuda-path={}", path(folder))));
    flags.extend((frontend.pointer_bits == 32).then(|| "--pointer-bits=32".to_owned()));
    let assumed = frontend.assume.iter().filter(|assumption| assumption.is_for(kernel));
    flags.extend(assumed.map(|assumption| format!("--assume={}", assumption.text)));
    let annotations = match frontend.annotations {
        Annotations::All => None,
        Annotations::InvariantsAsCandidates => Some("--invariants-as-candidates"),
        Annotations::OnlyPreconditions => Some("--only-requires"),
        Annotations::None => Some("--no-annotations"),
    };
    flags.extend(annotations.map(str::to_owned));
    let checked = &settings.lockstep;
    let warp = if checked.warps_in_lock_step { "--warp-sync" } else { "--warp-size" };
    flags.extend(checked.warp_size.map(|size| format!("{warp}={size}")));
    flags.extend(checked.no_benign_tolerance.then(|| "--no-benign-tolerance".to_owned()));
    flags.extend(checked.only_intra_group.then(|| "--only-intra-group".to_owned()));
    flags.extend(checked.exited_threads_arrive.then(|| "--exited-threads=arrive".to_owned()));
    let list = |kernel: &str, all: Vec<Option<String>>| {
        let all = all.into_iter().map(|one| one.unwrap_or_else(|| "*".to_owned()));
        [kernel.to_owned()].into_iter().chain(all).collect::<Vec<_>>().join(",")
    };
    for given in &settings.kernel_values {
        let values = given.values.iter().map(|value| value.as_ref().map(ToString::to_string)).collect();
        flags.push(format!("--kernel-args={}", list(&given.kernel, values)));
    }
    for given in &settings.kernel_arrays {
        let sizes = given.sizes.iter().map(|size| size.map(|size| size.to_string())).collect();
        flags.push(format!("--kernel-arrays={}", list(&given.kernel, sizes)));
    }
    flags
}

/// The command line after `lockstep`, for a shell in the witness's folder: its first words, and the
/// flags, one each.
pub fn command_line(copied: &Copied, flags: &[String], given: &[String]) -> (String, Vec<String>) {
    let includes = copied.includes.iter().map(|folder| format!("-I{}", with_slashes(folder)));
    let rest = flags.iter().cloned().chain(includes).chain(given.iter().cloned()).map(|word| quoted(&word)).collect();
    let source = with_slashes(&copied.source);
    let source = if source.starts_with('-') { format!("./{source}") } else { source };
    (format!("run {}", quoted(&source)), rest)
}
