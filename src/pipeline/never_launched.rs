//! Kernels that the program in their file never launches.
//!
//! A program may keep a kernel that it does not use, or choose the size of its groups by a
//! constant, which leaves some instances of a template without a launch. Or its launches are in a
//! function that nobody calls. Nothing tells how such a
//! kernel is to be launched, so a run that shows a defect is no run of the program. Its findings
//! are possible.

use lockstep_verdict::KernelReport;
use lockstep_verdict::hinge::Hinge;

use crate::frontend::ImportedKernel;
use crate::pipeline::launches::AskedLaunch;
use crate::pipeline::settings::Settings;
use crate::pipeline::settle;

/// Takes the confirmed findings of such a kernel for possible ones, if nobody has given sizes.
pub fn doubt(imported: &ImportedKernel, asked: &AskedLaunch, settings: &Settings, report: &mut KernelReport) {
    let sizes = &settings.launch;
    let is_given = sizes.local_size.is_some() || sizes.num_groups.is_some() || sizes.global_size.is_some();
    let are_values_given = settings.kernel_values.iter().any(|values| imported.is_called(&values.kernel));
    // A recorded launch was made.
    let is_known = is_given || are_values_given || !asked.recorded_at.is_empty();
    if imported.is_never_launched && settings.frontend.source_launches && !is_known {
        settle::doubt(report, settings, |_| Some(Hinge::NeverLaunched));
    }
}
