//! Kernels that the program in their file never launches.
//!
//! A program may keep a kernel that it does not use, or choose the size of its groups by a
//! constant, which leaves some instances of a template without a launch. Nothing tells how such a
//! kernel is to be launched, so a run that shows a defect is no run of the program. Its findings
//! are possible.

use lockstep_verdict::hinge::Hinge;
use lockstep_verdict::{KernelReport, Verdict, rule};

use crate::frontend::ImportedKernel;
use crate::pipeline::launches::AskedLaunch;
use crate::pipeline::settings::Settings;

/// Takes the confirmed findings of such a kernel for possible ones, if nobody has given sizes.
pub fn doubt(imported: &ImportedKernel, asked: &AskedLaunch, settings: &Settings, report: &mut KernelReport) {
    let is_given = settings.launch != asked.request
        || settings.launch.local_size.is_some()
        || settings.launch.num_groups.is_some()
        || settings.launch.global_size.is_some()
        || settings.kernel_values.iter().any(|values| imported.is_called(&values.kernel));
    if report.verdict != Verdict::Defect
        || !imported.is_never_launched
        || !settings.frontend.source_launches
        || is_given
    {
        return;
    }
    let confirmed = report.findings.iter_mut().filter(|finding| finding.confirmed);
    for finding in confirmed {
        finding.confirmed = false;
        finding.hinges.insert(0, Hinge::NeverLaunched);
    }
    rule::settle(report, Vec::new(), settings.possible);
}
