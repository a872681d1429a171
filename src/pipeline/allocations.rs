//! Accesses beside the memory that the program allocates.
//!
//! A proof for arrays of open size assumes that accesses stay inside them. Where the host allocates
//! a kernel's memory and its sizes are computed from what the launch passes, that is no assumption
//! but a question: `if (i <= n) a[i] = 0;` is outside of `n` elements. So a verified kernel is
//! looked at once more, for its bounds alone, with arrays of those sizes.
//!
//! * If all accesses are inside, the proof does not rest on that assumption any longer.
//! * If not, the launch of the counterexample is decided by itself, with known sizes of arrays and
//!   all checks. A defect that a run shows there is one of the program, unless more may be known of
//!   the numbers than the relations and ranges say.
//! * Otherwise the verdict stays, with its assumption.
//!
//! An array that is accessed where the contents of another one say is left open: the program's
//! contents are not known.

use std::time::Duration;

use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::Kernel;

use crate::findings::out_of_bounds;
use crate::frontend::ImportedKernel;
use crate::launch::LaunchRequest;
use crate::pipeline::launches::{AskedLaunch, arguments_of};
use crate::pipeline::precondition::is_indexed_by_contents;
use crate::pipeline::settings::Settings;
use crate::pipeline::withdraw::arrays_of;
use crate::verdict::{Finding, KernelReport, Verdict};

/// The time that stands for the most effort that goes into one try.
const MOST: Duration = Duration::from_secs(5);

/// The most tries. After each failure, the array concerned is left open.
const TRIES: usize = 3;

/// The most counterexamples of one try whose launches are decided.
const MOST_LAUNCHES: usize = 3;

/// Decides a kernel for a launch.
type Decide<'a> = &'a dyn Fn(&AskedLaunch, &Settings) -> Option<KernelReport>;

/// The report on a verified kernel after its accesses were compared with what the host allocates;
/// `None` if that changes nothing.
pub fn checked(
    imported: &ImportedKernel,
    asked: &AskedLaunch,
    settings: &Settings,
    report: &KernelReport,
    decide: Decide<'_>,
) -> Option<KernelReport> {
    let kernel = imported.kernel.as_ref().ok()?;
    if !is_asked(imported, asked, settings, report) {
        return None;
    }
    let mut request = asked.request.with_allocations()?;
    let of_pointer = |place| arrays_of(kernel, &imported.pointees, place);
    request.allocations.retain(|allocation| {
        let arrays = of_pointer(allocation.place);
        arrays.iter().any(|&array| !is_indexed_by_contents(kernel, &kernel.arrays[array].name))
    });
    let bounds_alone = &of_bounds_alone(settings);
    for _ in 0..TRIES {
        if request.allocations.is_empty() {
            return None;
        }
        let sized = AskedLaunch { request: request.clone(), ..asked.clone() };
        let of_sizes = decide(&sized, bounds_alone)?;
        if of_sizes.verdict == Verdict::Verified {
            return Some(inside(report, of_sizes));
        }
        let is_outside = |finding: &&Finding| finding.kind == out_of_bounds::KIND;
        let is_of_program = asked.request.allocated.as_ref().is_some_and(|allocated| allocated.are_all);
        let mut possible = of_sizes.findings.iter().filter(is_outside);
        let shown = possible.clone().filter(|_| is_of_program).take(MOST_LAUNCHES).find_map(|finding| {
            let launch = AskedLaunch { request: launch_of(finding, kernel, &sized)?, ..asked.clone() };
            decide(&launch, &settings.briefly(MOST)).filter(|shown| shown.verdict == Verdict::Defect)
        });
        if let Some(shown) = shown {
            return Some(KernelReport {
                verdict: shown.verdict,
                findings: shown.findings,
                reasons: shown.reasons,
                ..report.clone()
            });
        }
        let name = possible.next()?.array.as_deref()?;
        request.allocations.retain(|one| of_pointer(one.place).iter().all(|&array| kernel.arrays[array].name != name));
    }
    None
}

fn is_asked(imported: &ImportedKernel, asked: &AskedLaunch, settings: &Settings, report: &KernelReport) -> bool {
    report.verdict == Verdict::Verified
        && report.assumptions.iter().any(|assumption| assumption.what == Assumed::InsideUnknownSizes)
        && !settings.kernel_values.iter().any(|values| imported.is_called(&values.kernel))
        && !settings.kernel_arrays.iter().any(|sizes| imported.is_called(&sizes.kernel))
        && settings.prove.only_defects.is_none()
        && settings.lockstep.checks_all_races()
        // Memory that is passed twice is one array.
        && super::overlaps_at(imported, asked).is_empty()
        && !settings.no_replay
}

/// The settings for a proof of bounds for a kernel without races.
fn of_bounds_alone(settings: &Settings) -> Settings {
    let mut settings = Settings { no_replay: true, ..settings.briefly(MOST) };
    settings.lockstep.only_divergence = true;
    settings
}

/// The report whose proof no longer rests on the assumption, in favour of others.
fn inside(report: &KernelReport, of_sizes: KernelReport) -> KernelReport {
    let mut joined = report.clone();
    let is_open = of_sizes.assumptions.iter().any(|assumption| assumption.what == Assumed::InsideUnknownSizes);
    if !is_open {
        let kept = report.assumptions.iter().filter(|assumption| {
            !matches!(assumption.what, Assumed::InsideUnknownSizes | Assumed::LargestArray { .. })
        });
        joined.assumptions = kept.cloned().collect();
    }
    let added = of_sizes.assumptions.iter().filter(|one| !matches!(one.what, Assumed::RacesUnchecked { .. }));
    joined.assumptions.extend(added.cloned());
    joined
}

/// The request for the launch of a finding.
fn launch_of(finding: &Finding, kernel: &Kernel, sized: &AskedLaunch) -> Option<LaunchRequest> {
    let padded = |sizes: &[u64]| {
        let mut all = [1_u32; 3];
        for (to, &size) in all.iter_mut().zip(sizes) {
            *to = u32::try_from(size).ok()?;
        }
        Some(all)
    };
    let arguments = arguments_of(finding, kernel);
    Some(sized.request.in_launch(arguments, padded(&finding.grid)?, padded(&finding.block)?))
}
