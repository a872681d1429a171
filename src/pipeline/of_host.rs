//! Defects that hinge on numbers which the host computes elsewhere.
//!
//! A run shows a defect in a launch with a certain `n`. If `n` is a member of an object, say, then
//! the host may have checked or computed it where that is not followed, and never pass this value.
//! Such a finding is only possible. In the launch that the program makes without options all
//! numbers are known, so a defect there is one of the program; and a defect that hinges on no
//! number is one of every launch.

use lockstep_ir::kernel::Kernel;

use crate::launch::LaunchRequest;
use crate::pipeline::settings::Settings;
use crate::verdict::hinge::Hinge;
use crate::verdict::{Finding, KernelReport, Verdict, rule};

/// Takes the defects that hinge on such numbers for possible ones.
pub fn doubt(kernel: &Kernel, request: &LaunchRequest, settings: &Settings, report: &mut KernelReport) {
    if report.verdict != Verdict::Defect {
        return;
    }
    let is_elsewhere = |name: &str| {
        let index = kernel.parameters.iter().position(|parameter| parameter.name == name);
        index.is_some_and(|index| request.computed_elsewhere.contains(&index))
    };
    let hinging = |finding: &Finding| {
        finding.hinges.iter().find_map(|hinge| match hinge {
            Hinge::Parameter { name, .. } if is_elsewhere(name) => Some(name.clone()),
            _ => None,
        })
    };
    let mut any = false;
    for finding in report.findings.iter_mut().filter(|finding| finding.confirmed) {
        if let Some(name) = hinging(finding) {
            finding.confirmed = false;
            finding.hinges.insert(0, Hinge::OfHost { name });
            any = true;
        }
    }
    if any {
        rule::settle(report, Vec::new(), settings.possible);
    }
}
