//! Withdrawal of proofs whose assumptions the launch, the source or every run refutes. Such a proof
//! says nothing, and the kernel is `unknown`.

use std::collections::BTreeSet;

use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, ArrayData, ArrayOrigin, Kernel, ParameterKind, VerifiedKernel};

use crate::analysis::accesses::for_each_access;
use crate::analysis::pointers::points_to;
use crate::analysis::strides::with_marked_strides;
use crate::launch::places::ArgumentPlace;
use crate::launch::{Alias, Launch, Passed};
use crate::lockstep::LockstepOptions;
use crate::replay::{Known, Overlap, Replay, is_refutable};
use crate::verdict::reason::Reason;
use crate::verdict::{KernelReport, Verdict};

/// Facts about a launch besides its sizes.
#[derive(Clone, Copy)]
pub struct Passing<'a> {
    /// Pairs of pointers that the launch passes into one piece of memory.
    pub aliases: &'a [Alias],
    /// The names of the arrays that the launch's pointers in structs and variables lead to.
    pub pointees: &'a [(Passed, String)],
    /// Parameters with which the preconditions hold, by their names.
    pub satisfying: &'a [(String, Bits)],
}

/// Withdraws the verdict of a verified kernel if its assumptions are refuted by its launch, or by
/// all runs that are tried.
pub fn withdraw_refuted(
    kernel: &VerifiedKernel,
    launch: &Launch,
    options: &LockstepOptions,
    passing: Passing<'_>,
    report: &mut KernelReport,
) {
    if report.verdict != Verdict::Verified {
        return;
    }
    let overlaps = overlaps(kernel, passing);
    let reason = overlaps.iter().find(|overlap| overlap.distance == 0).map(|overlap| same_pointer(kernel, *overlap));
    let reason = reason.or_else(|| refuted(kernel, launch, options, (&overlaps, passing.satisfying), report));
    if let Some(reason) = reason {
        report.verdict = Verdict::Unknown;
        report.reasons = vec![reason];
    }
}

/// The reason why nothing is proved, if no run satisfies the assumptions.
fn refuted(
    kernel: &VerifiedKernel,
    launch: &Launch,
    options: &LockstepOptions,
    (overlaps, satisfying): (&[Overlap], &[(String, Bits)]),
    report: &KernelReport,
) -> Option<Reason> {
    // Under axioms, a function is any that satisfies them, and not one of the host.
    if !options.axioms.is_empty() || overlaps.is_empty() && !is_refutable(&report.assumptions) {
        return None;
    }
    let warp_size = options.warp_size_for(kernel.language).min(64);
    let has_strides = report.assumptions.iter().any(|listed| listed.what == Assumed::LaunchStrides);
    let marked = if has_strides { with_marked_strides(kernel) } else { None };
    let kernel = marked.as_ref().unwrap_or(kernel);
    let replay = Replay::new(kernel, options, launch.global_offset, warp_size);
    let refuted = replay.refuted(launch, &report.assumptions, Known { satisfying, overlaps })?;
    Some(Reason::Refuted(Box::new(refuted)))
}

/// The reason why nothing is proved for a launch that passes one pointer twice.
fn same_pointer(kernel: &Kernel, overlap: Overlap) -> Reason {
    Reason::SamePointer(overlap.arrays.map(|array| kernel.arrays[array].name.clone()))
}

/// Whether two arrays of a kernel, one of them written, are not known to be apart in the launch.
pub fn may_overlap(kernel: &Kernel, pointees: &[(Passed, String)], apart: &[Passed]) -> bool {
    let (accessed, written) = accesses(kernel);
    let are_apart: BTreeSet<Array> = apart.iter().flat_map(|passed| arrays(kernel, pointees, passed)).collect();
    let is_passed = |array: &&Array| kernel.arrays[**array].origin == ArrayOrigin::Parameter;
    let passed: Vec<&Array> = accessed.iter().filter(is_passed).collect();
    passed.len() > 1
        && passed.iter().any(|array| written.contains(array))
        && !passed.iter().all(|array| are_apart.contains(array))
}

/// The arrays that the launch lets overlap, if one of the two is written.
pub fn overlaps(kernel: &Kernel, passing: Passing<'_>) -> Vec<Overlap> {
    if passing.aliases.is_empty() {
        return Vec::new();
    }
    let (accessed, written) = accesses(kernel);
    let mut overlaps = Vec::new();
    for alias in passing.aliases {
        let [first, second] = alias.passed.each_ref().map(|passed| arrays(kernel, passing.pointees, passed));
        for (&first, &second) in first.iter().flat_map(|first| second.iter().map(move |second| (first, second))) {
            let is_written = written.contains(&first) || written.contains(&second);
            if first != second && is_written && accessed.contains(&first) && accessed.contains(&second) {
                overlaps.push(Overlap { arrays: [first, second], distance: alias.distance });
            }
        }
    }
    overlaps
}

/// The arrays that a kernel accesses, and those that it writes.
pub fn accesses(kernel: &Kernel) -> (BTreeSet<Array>, BTreeSet<Array>) {
    let targets = points_to(kernel);
    let (mut accessed, mut written) = (BTreeSet::new(), BTreeSet::new());
    for data in kernel.instructions.values() {
        for_each_access(kernel, &data.operation, data.result, |access| {
            accessed.extend(targets[access.pointer].arrays.iter().copied());
            if access.writes {
                written.extend(targets[access.pointer].arrays.iter().copied());
            }
        });
    }
    (accessed, written)
}

/// The arrays that the pointer in a place of the parameters leads to.
pub fn arrays_of(kernel: &Kernel, pointees: &[(Passed, String)], place: ArgumentPlace) -> Vec<Array> {
    arrays(kernel, pointees, &Passed::Parameter { index: place.parameter, at: place.at })
}

/// The arrays that a passed pointer leads to; several if variables share a name.
fn arrays(kernel: &Kernel, pointees: &[(Passed, String)], passed: &Passed) -> Vec<Array> {
    if let Passed::Parameter { index, at } = passed
        && let Some(ParameterKind::Pointer(array)) = kernel.parameters.get(*index).map(|parameter| &parameter.kind)
    {
        return if *at == 0 { vec![*array] } else { Vec::new() };
    }
    let origin = match passed {
        Passed::Parameter { .. } | Passed::Held { .. } => ArrayOrigin::Parameter,
        Passed::Variable(_) => ArrayOrigin::Variable,
    };
    let names: Vec<&String> = pointees.iter().filter(|(known, _)| known == passed).map(|(_, name)| name).collect();
    let is_meant = |(_, data): &(Array, &ArrayData)| data.origin == origin && names.contains(&&data.name);
    kernel.arrays.iter().filter(is_meant).map(|(array, _)| array).collect()
}
