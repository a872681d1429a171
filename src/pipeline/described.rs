//! The parts of a report that are known before anything is proved.

use lockstep_ir::assumption::{Assumed, Assumption, Assumptions};
use lockstep_ir::kernel::{InstructionData, Kernel, Operation};
use lockstep_ir::source::{Location, Place};

use crate::analysis::placement::misplaced;
use crate::analysis::structure::Structure;
use crate::checks::Check;
use crate::launch::{self, Extent, ResolvedLaunch};
use crate::lockstep::LockstepOptions;
use crate::pipeline::settings::Settings;
use crate::verdict::{KernelReport, Known, Statistics, Verdict};

/// A report without any results.
pub fn empty_report(name: &str, file: &str, line: u32) -> KernelReport {
    KernelReport {
        name: name.to_owned(),
        file: file.to_owned(),
        line,
        input: 0,
        block: Vec::new(),
        grid: Vec::new(),
        threads: Vec::new(),
        offset: Vec::new(),
        shared_bytes: None,
        launched_at: Vec::new(),
        escapes_at: Vec::new(),
        recorded_at: Vec::new(),
        arguments: Vec::new(),
        verdict: Verdict::Unknown,
        reasons: Vec::new(),
        by_default: None,
        requires: Vec::new(),
        findings: Vec::new(),
        fix: None,
        allowed: Vec::new(),
        assumptions: Assumptions::default(),
        unfinished_run: None,
        statistics: Statistics::default(),
        rechecked: None,
        fingerprint: String::new(),
        known: Known::default(),
        sources: Vec::new(),
        listings: Vec::new(),
    }
}

/// The launch as a report shows it.
pub fn describe(report: &mut KernelReport, resolved: &ResolvedLaunch) {
    let (launch, dimensions) = (&resolved.launch, resolved.shown_dimensions);
    let shown = |size: &[Extent; 3]| size[..dimensions].iter().map(|extent| extent.known()).collect();
    report.block = shown(&launch.local_size);
    report.grid = shown(&launch.num_groups);
    if launch.global_size.iter().any(|extent| extent.known().is_some()) {
        report.threads = shown(&launch.global_size);
    }
    if launch.global_offset != [0; 3] {
        report.offset = launch::shown_offset(&launch.global_offset, dimensions).to_vec();
    }
}

/// The checks that the command line leaves out, as assumptions.
pub fn unchecked(settings: &Settings, options: &LockstepOptions) -> Vec<Assumption> {
    let races = |option: &str| Assumed::RacesUnchecked { option: option.to_owned() };
    let all = [
        (settings.only_intra_group, Assumed::GroupsUnchecked),
        (options.only_divergence, races("--only-divergence")),
        (options.only_log, races("--only-log")),
    ];
    let given = all.into_iter().filter(|(given, _)| *given).map(|(_, assumed)| assumed);
    let switched_off = Check::ALL.iter().copied().filter(|&check| !options.checks.has(check));
    let others = options.check_arrays.as_ref().map(|arrays| {
        let names = arrays.iter().cloned().collect();
        Assumed::OtherArraysUnchecked { names }
    });
    let unchecked = given.chain(switched_off.filter_map(Check::assumed_instead)).chain(others);
    unchecked.map(Assumed::everywhere).collect()
}

/// Checks that the annotations of the source stand where they must.
pub fn check_annotations(kernel: &Kernel) -> Result<(), String> {
    let annotated = |data: &InstructionData| matches!(data.operation, Operation::Annotation { .. });
    if !kernel.instructions.values().any(annotated) {
        return Ok(());
    }
    let Ok((kernel, structure)) = Structure::of(kernel) else { return Ok(()) };
    match misplaced(&kernel, &structure) {
        Some(found) => Err(format!("{}{}", found.message, place(&kernel, found.location))),
        None => Ok(()),
    }
}

/// Refuses GPUVerify's equality abstraction for a kernel with atomics. Under this abstraction two
/// threads read the same value from a place, which rules out atomics.
pub fn check_abstraction(kernel: &Kernel, settings: &Settings) -> Result<(), String> {
    let atomic = |data: &&InstructionData| matches!(data.operation, Operation::Atomic { .. });
    match kernel.instructions.values().find(atomic).filter(|_| settings.equality_abstraction) {
        Some(data) => {
            Err(format!("--equality-abstraction cannot be used with atomics{}", place(kernel, data.location)))
        }
        None => Ok(()),
    }
}

/// The file and line in parentheses, if they are known.
pub fn place(kernel: &Kernel, location: Option<Location>) -> String {
    place_of(kernel, location).map_or(String::new(), |place| format!(" ({}:{})", place.file, place.line))
}

/// The file and line, if they are known.
pub fn place_of(kernel: &Kernel, location: Option<Location>) -> Option<Place> {
    Some(kernel.place(location)).filter(|place| place.line > 0)
}
