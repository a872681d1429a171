//! The launch that the program makes without options, beside the launches of any options.
//!
//! With a kernel that is not verified for every option, the user asks first whether the program
//! that they have is right. So that launch is decided by itself. A defect in it is one of the
//! program, is shown first, and no precondition excuses it but one about contents of arrays. In
//! that launch the sizes of the host's allocations are known as well, so a verified kernel is
//! looked at, too: a proof for all options assumes that accesses stay inside arrays whose sizes are
//! not known.

use std::time::Duration;

use lockstep_ir::assumption::Assumed;
use lockstep_verdict::hinge::Hinge;
use lockstep_verdict::{ByDefault, KernelReport, Verdict};

use crate::frontend::ImportedKernel;
use crate::launch::LaunchRequest;
use crate::pipeline::launches::AskedLaunch;
use crate::pipeline::settings::Settings;
use crate::pipeline::settle::put_first;

/// The time that stands for the most effort that goes into this launch.
pub const MOST: Duration = Duration::from_secs(10);

/// The launch without options, if it is worth a verdict of its own beside this report.
///
/// There is none if the command line gives the kernel's arguments.
pub fn launch(
    imported: &ImportedKernel,
    asked: &AskedLaunch,
    settings: &Settings,
    report: &KernelReport,
) -> Option<AskedLaunch> {
    if settings.kernel_values.iter().any(|values| imported.is_called(&values.kernel)) {
        return None;
    }
    let is_open = matches!(report.verdict, Verdict::Defect | Verdict::Unknown);
    let is_wanted = settings.seeks_preconditions && settings.prove.only_defects.is_none();
    let request: LaunchRequest = asked.request.without_options().filter(|_| is_wanted)?;
    // A proof for arrays of open size assumes that accesses stay inside them.
    let fixes_arrays = report.verdict == Verdict::Verified
        && (request.array_bytes != asked.request.array_bytes || request.allocations != asked.request.allocations)
        && report.assumptions.iter().any(|assumption| assumption.what == Assumed::InsideUnknownSizes);
    (is_open || fixes_arrays).then(|| AskedLaunch { request, ..asked.clone() })
}

/// Adds the verdict on the launch without options to a report.
pub fn add(report: &mut KernelReport, of_launch: KernelReport) {
    // A proof for arrays of open size says nothing of their sizes here.
    let is_said = matches!(of_launch.verdict, Verdict::Defect | Verdict::Conditional)
        || of_launch.findings.iter().any(|finding| finding.hinges.contains(&Hinge::Contents));
    if report.verdict == Verdict::Verified && !is_said {
        return;
    }
    let known = |sizes: &[Option<u32>]| sizes.iter().map(|size| size.unwrap_or(1)).collect();
    report.by_default = Some(ByDefault {
        block: known(&of_launch.block),
        grid: known(&of_launch.grid),
        arguments: of_launch.arguments.clone(),
        verdict: of_launch.verdict,
    });
    if report.verdict == Verdict::Verified && of_launch.verdict == Verdict::Conditional {
        report.verdict = Verdict::Conditional;
        report.requires = of_launch.requires;
        report.findings = of_launch.findings;
        return;
    }
    if of_launch.verdict != Verdict::Defect {
        return;
    }
    report.verdict = Verdict::Defect;
    report.reasons = Vec::new();
    put_first(report, &of_launch.findings);
}
