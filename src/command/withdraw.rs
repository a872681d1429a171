//! A proof whose assumptions the launch, the source or every run refutes says nothing, and is withdrawn: the kernel is `unknown`.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{Kernel, ParameterKind, VerifiedKernel};

use crate::analysis::accesses::for_each_access;
use crate::analysis::pointers::points_to;
use crate::launch::Launch;
use crate::lockstep::LockstepOptions;
use crate::replay::{Replay, is_refutable};
use crate::report;
use crate::verdict::{KernelReport, Undecided, Verdict};

/// Withdraws the verdict of a kernel that is verified if what it rests on is refuted by its launch, which passes one pointer to these pairs of
/// parameters, or by all runs that are tried.
pub fn withdraw_refuted(
    kernel: &VerifiedKernel,
    launch: &Launch,
    options: &LockstepOptions,
    same_pointers: &[[usize; 2]],
    report: &mut KernelReport,
) {
    if report.verdict != Verdict::Verified {
        return;
    }
    let reason = overlap(kernel, same_pointers).or_else(|| refuted(kernel, launch, options, report));
    if let Some(reason) = reason {
        report.verdict = Verdict::Unknown;
        report.reason = Some(report::in_words_of(kernel.language, &reason));
        report.undecided = Some(Undecided::Unproved);
    }
}

/// Why nothing is proved if no run keeps what is assumed.
fn refuted(
    kernel: &VerifiedKernel,
    launch: &Launch,
    options: &LockstepOptions,
    report: &KernelReport,
) -> Option<String> {
    // Under axioms functions are whatever satisfies them, and no host's.
    if !options.axioms.is_empty() || !is_refutable(&report.assumptions) {
        return None;
    }
    let warp_size = options.warp_size_for(kernel.language).min(64);
    let replay = Replay::new(kernel, options, launch.global_offset, warp_size);
    Some(replay.refuted(launch, &report.assumptions)?.reason())
}

/// Why nothing is proved of a launch that passes one pointer to two parameters, of which one is written: the proof takes them for pointers to
/// arrays that do not overlap.
fn overlap(kernel: &Kernel, same_pointers: &[[usize; 2]]) -> Option<String> {
    if same_pointers.is_empty() {
        return None;
    }
    let targets = points_to(kernel);
    let mut written = BTreeSet::new();
    for data in kernel.instructions.values() {
        for_each_access(kernel, &data.operation, data.result, |access| {
            if access.writes {
                written.extend(targets[access.pointer].arrays.iter().copied());
            }
        });
    }
    same_pointers.iter().find_map(|pair| {
        let arrays = pair.map(|index| match kernel.parameters.get(index)?.kind {
            ParameterKind::Pointer(array) => Some(array),
            _ => None,
        });
        let [Some(first), Some(second)] = arrays else { return None };
        let names = [first, second].map(|array| &kernel.arrays[array].name);
        (written.contains(&first) || written.contains(&second)).then(|| {
            format!(
                "the launch passes one pointer to `{}` and `{}`, which a proof takes for arrays that do not overlap, and \
                 the kernel writes there",
                names[0], names[1]
            )
        })
    })
}
