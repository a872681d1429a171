//! Kernels in groups whose size is not known before a run.
//!
//! A program may choose its kernel from a table, and launch it through a pointer, or compute the
//! size of groups where that is not followed. Then the proof is about groups of any size, and most
//! kernels are written for one. The program's own run says in which groups it launches the kernel
//! without options. A defect in such groups is told before others. A proof for them makes the
//! kernel conditional on that size: other options of the program may lead to others.

use std::time::Duration;

use lockstep_ir::kernel::{Kernel, Language};
use lockstep_verdict::hinge::Hinge;
use lockstep_verdict::{KernelReport, Verdict};

use crate::launch::{Extent, Size};
use crate::pipeline::launches::AskedLaunch;
use crate::pipeline::of_program::OwnLaunches;
use crate::pipeline::settings::Settings;
use crate::pipeline::settle::{self, put_first};

/// The time that stands for the most effort that goes into this launch.
pub const MOST: Duration = Duration::from_secs(10);

/// Whether the size of groups in a launch is open, and the host does not tell what it may be.
pub fn are_elsewhere(asked: &AskedLaunch) -> bool {
    let through_address = asked.places.is_empty() && !asked.escapes.is_empty();
    let is_open = |extent: &Extent| extent.known().is_none();
    let is_any_open = asked.request.local_size.as_ref().is_none_or(|sizes| sizes.iter().any(is_open));
    is_any_open && (through_address || asked.request.groups_elsewhere)
}

/// The same launch in groups of the one size that the program's run has.
pub fn launch(asked: &AskedLaunch, own: &OwnLaunches, report: &KernelReport) -> Option<AskedLaunch> {
    let is_open = matches!(report.verdict, Verdict::Defect | Verdict::Unknown);
    let size = own.local_sizes().first().filter(|_| own.local_sizes().len() == 1)?;
    let dimensions = size.iter().rposition(|&threads| threads != 1).unwrap_or(0) + 1;
    let known: Size =
        size[..dimensions.max(report.block.len()).min(3)].iter().map(|&size| Extent::Known(size)).collect();
    let mut asked = Some(asked).filter(|asked| is_open && are_elsewhere(asked))?.clone();
    asked.request.local_size = Some(known);
    Some(asked)
}

/// Adds the defects in the program's groups.
pub fn add(report: &mut KernelReport, of_launch: &KernelReport) {
    if of_launch.verdict != Verdict::Defect {
        return;
    }
    report.verdict = Verdict::Defect;
    report.reasons = Vec::new();
    put_first(report, &of_launch.findings);
}

/// The report of a kernel that is proved in the program's groups: conditional on their size.
pub fn conditional(kernel: &Kernel, report: &KernelReport, proof: KernelReport) -> KernelReport {
    let name = |dimension: usize| match kernel.language {
        Language::OpenCl => format!("get_local_size({dimension})"),
        _ => format!("blockDim.{}", ["x", "y", "z"][dimension.min(2)]),
    };
    let is_open = |at: &usize| report.block.get(*at).is_none_or(Option::is_none);
    let sizes = proof.block.iter().enumerate().filter(|(at, _)| is_open(at));
    let sizes = sizes.filter_map(|(at, size)| Some(format!("{} == {}", name(at), (*size)?)));
    KernelReport {
        verdict: Verdict::Conditional,
        requires: sizes.collect(),
        reasons: if report.findings.is_empty() { report.reasons.clone() } else { Vec::new() },
        assumptions: proof.assumptions,
        listings: proof.listings,
        rechecked: proof.rechecked,
        ..report.clone()
    }
}

/// Takes confirmed findings in groups of other sizes for possible ones.
pub fn doubt(asked: &AskedLaunch, own: &OwnLaunches, settings: &Settings, report: &mut KernelReport) {
    let launched = own.local_sizes();
    if launched.is_empty() || !are_elsewhere(asked) {
        return;
    }
    settle::doubt(report, settings, |finding| {
        let size = [0, 1, 2].map(|at| finding.block.get(at).copied().unwrap_or(1));
        let is_launched = launched.iter().any(|own| own.map(u64::from) == size);
        (!is_launched).then(|| Hinge::OtherSizes { launched: launched.iter().copied().collect() })
    });
}
