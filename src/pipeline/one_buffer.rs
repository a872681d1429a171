//! Kernels decided again for a launch that passes one buffer twice.
//!
//! A proof takes the pointers of a launch for different arrays. If the launch passes two pointers
//! into one buffer, the kernel is decided once more with the two arrays made one ([`make_one`]), so
//! that accesses through both pointers meet.
//!
//! * A defect that a run of this kernel shows is one of the launch, and is reported.
//! * The launch may pass different buffers on other paths. So the kernel is `verified` if it is so
//!   both with different arrays and with one, at each distance that the launch may have.
//! * In all other cases the verdict remains `unknown`. This includes two pairs of overlapping
//!   arrays: the launch may have one of them, the other, or both.

use lockstep_ir::assumption::{Assumed, Assumptions};
use lockstep_ir::kernel::transform::make_one;
use lockstep_ir::kernel::{Array, ArrayOrigin, Kernel, Operation, Space, verify};

use crate::frontend::ImportedKernel;
use crate::interpreter::one_buffer::in_words;
use crate::pipeline::AskedLaunch;
use crate::replay::Overlap;
use crate::verdict::reason::{Instead, Reason};
use crate::verdict::{KernelReport, Verdict};

/// The most overlaps for which a kernel is decided again.
const MOST_OVERLAPS: usize = 4;

/// Two arrays of which one begins in the other.
struct One {
    whole: Array,
    part: Array,
    distance: u64,
}

/// The report on a kernel whose launch lets arrays overlap, if that decides it.
///
/// `report` is that on the kernel with different arrays, and `decide` decides a changed kernel.
pub fn decided(
    imported: &ImportedKernel,
    asked: &AskedLaunch,
    (overlaps, report): (&[Overlap], &KernelReport),
    decide: impl Fn(&ImportedKernel, &AskedLaunch) -> Option<KernelReport>,
) -> Option<KernelReport> {
    let kernel = imported.kernel.as_ref().ok()?;
    if report.verdict != Verdict::Unknown || overlaps.is_empty() || overlaps.len() > MOST_OVERLAPS {
        return None;
    }
    let is_withdrawn = matches!(report.reasons.as_slice(), [reason] if is_about_overlaps(reason));
    let mut asked = asked.clone();
    asked.request.aliases.clear();
    let mut all = Vec::new();
    // Whether pointers at a distance meet depends on sizes that the launch alone may know.
    for overlap in overlaps.iter().filter(|overlap| is_withdrawn || overlap.distance == 0) {
        let Some((changed, one)) = with_one_array(imported, kernel, *overlap) else { continue };
        let mut again = decide(&changed, &asked)?;
        if again.verdict == Verdict::Defect && again.findings.iter().any(|finding| finding.confirmed) {
            name_buffer(kernel, &one, &mut again);
            return Some(again);
        }
        all.push(again);
    }
    let are_one_pair = overlaps.windows(2).all(|pair| same_arrays(pair[0]) == same_arrays(pair[1]));
    let is_verified = is_withdrawn && are_one_pair && all.len() == overlaps.len();
    if !is_verified || all.iter().any(|again| again.verdict != Verdict::Verified) {
        return None;
    }
    Some(verified(kernel, all, report))
}

/// The report on a kernel that is verified with different arrays and with one.
fn verified(kernel: &Kernel, mut with_one: Vec<KernelReport>, apart: &KernelReport) -> KernelReport {
    let buffers = kernel.arrays.values().filter(|data| data.origin == ArrayOrigin::Parameter).count();
    let mut assumptions = Assumptions::default();
    for mut listed in with_one.iter().chain([apart]).flat_map(|report| report.assumptions.iter().cloned()) {
        match &mut listed.what {
            // It does not apply to these two.
            Assumed::PointersApart if buffers <= 2 => continue,
            Assumed::OneBuffer { or_apart, .. } => *or_apart = true,
            _ => {}
        }
        assumptions.add(listed);
    }
    let report = with_one.pop().unwrap_or_else(|| apart.clone());
    KernelReport { assumptions, ..report }
}

/// Whether a proof was withdrawn because arrays overlap in the launch.
fn is_about_overlaps(reason: &Reason) -> bool {
    match reason {
        Reason::SamePointer(_) => true,
        Reason::Refuted(refuted) => matches!(refuted.instead, Instead::Shared { .. }),
        _ => false,
    }
}

/// The two arrays of an overlap in the order of the kernel.
fn same_arrays(overlap: Overlap) -> [Array; 2] {
    let mut arrays = overlap.arrays;
    arrays.sort_unstable();
    arrays
}

/// The kernel in which two arrays are one; `None` if they are no buffers of one address space.
fn with_one_array(imported: &ImportedKernel, kernel: &Kernel, overlap: Overlap) -> Option<(ImportedKernel, One)> {
    let [mut whole, mut part] = overlap.arrays;
    if overlap.distance < 0 {
        (whole, part) = (part, whole);
    }
    let one = One { whole, part, distance: overlap.distance.unsigned_abs() };
    let is_buffer = |array: Array| {
        let data = &kernel.arrays[array];
        data.space == Space::Global && data.origin == ArrayOrigin::Parameter && data.size.is_none()
    };
    let is_stated = kernel.instructions.values().any(|data| match data.operation {
        Operation::Contents(fact) => [whole, part].contains(&fact.array),
        _ => false,
    });
    // A fact about one of the two is none about a part of the other.
    if !is_buffer(whole) || !is_buffer(part) || is_stated {
        return None;
    }
    let changed = verify(make_one(kernel.clone(), [whole, part], one.distance)).ok()?;
    let mut imported = imported.clone();
    let [whole, part] = [whole, part].map(|array| kernel.arrays[array].name.clone());
    imported.assumptions.add(Assumed::OneBuffer { whole, part, distance: one.distance, or_apart: false }.everywhere());
    imported.kernel = Ok(changed);
    Some((imported, one))
}

/// Lets the witnesses of a report pass one buffer twice.
fn name_buffer(kernel: &Kernel, one: &One, report: &mut KernelReport) {
    let [whole, part] = [one.whole, one.part].map(|array| kernel.arrays[array].name.as_str());
    let prefix = format!("--arg={part}=");
    for finding in &mut report.findings {
        finding.parameters.insert(part.to_owned(), in_words(whole, one.distance));
    }
    for witness in report.findings.iter_mut().filter_map(|finding| finding.witness.as_mut()) {
        witness.words.retain(|word| !word.starts_with(&prefix));
        witness.words.push(format!("{prefix}{}", in_words(whole, one.distance)));
    }
}
