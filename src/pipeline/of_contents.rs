//! Defects that hinge on the contents that the program gives its arrays.
//!
//! A run shows a defect with contents that nobody has fixed. Where the host of the file launches
//! the kernel, the program has contents of its own, and these are not known here. If the same
//! launch with orderly contents has no defect of this kind, the finding stays a possible one: the
//! run is true, but may not be one of the program.
//!
//! *Orderly* are elements that count up, in steps of one or of many: indices are distinct, offsets
//! are in order and far apart. For an access outside of an array, at a place that is read from
//! another array, zeros are orderly as well. A kernel that adds to what a table names
//! (`bins[data[i]]++`) is made for elements that are equal, so its defects are real.

use std::collections::BTreeMap;

use lockstep_ir::kernel::{ArrayData, ArrayOrigin, Kernel};

use crate::analysis::order::OrderedValues;
use crate::findings;
use crate::frontend::ImportedKernel;
use crate::interpreter::is_of_launch;
use crate::interpreter::one_buffer::is_other;
use crate::pipeline::given::Given;
use crate::pipeline::launches::AskedLaunch;
use crate::pipeline::of_variables::is_set_by_host;
use crate::pipeline::precondition::{accumulates, is_indexed_by_contents, orderly};
use crate::pipeline::settings::Settings;
use crate::pipeline::settle;
use crate::replay::Replay;
use crate::verdict::hinge::Hinge;
use crate::verdict::{Finding, KernelReport, Verdict};

/// The most launches that are run with orderly contents.
const MOST_RUNS: usize = 6;

/// Takes the defects that hinge on contents for possible ones.
pub fn doubt(imported: &ImportedKernel, asked: &AskedLaunch, settings: &Settings, report: &mut KernelReport) {
    let Ok(kernel) = &imported.kernel else { return };
    if report.verdict != Verdict::Defect || asked.places.is_empty() || settings.no_replay {
        return;
    }
    // A race is looked for without sizes of arrays: large elements may lead outside of these.
    let mut without_sizes = asked.request.clone();
    without_sizes.array_bytes.clear();
    without_sizes.allocations.clear();
    let of = |request| settings.given(imported, kernel, request).ok();
    let (Some(given), Some(unsized_)) = (of(&asked.request), of(&without_sizes)) else { return };
    let options = [&given, &unsized_].map(Given::to_doubt);
    let replays = [(&given, &options[0]), (&unsized_, &options[1])].map(|(given, options)| {
        let warp_size = options.warp_size_for(kernel.language).min(64);
        Replay::new(given.for_runs(), options, asked.request.global_offset, warp_size)
    });
    let contents = of_open_contents(imported, kernel);
    let (mut known, offset) = (BTreeMap::new(), report.offset.clone());
    settle::doubt(report, settings, |finding| {
        let is_outside = finding.kind == findings::out_of_bounds::KIND;
        let replay = &replays[usize::from(!is_outside)];
        let arguments: Vec<(String, String)> =
            finding.parameters.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let launch = (finding.block.clone(), finding.grid.clone(), arguments, is_outside);
        // Some launches are enough to see whether contents matter.
        let may_run = may_hinge(kernel, finding, is_outside)
            && (is_outside || decide_race(&contents, kernel, finding))
            && (known.len() < MOST_RUNS || known.contains_key(&launch));
        let is_orderly = || orderly(imported, kernel, finding, &offset, (replay, is_outside));
        (may_run && *known.entry(launch).or_insert_with(is_orderly)).then_some(Hinge::Contents)
    });
}

/// The values that depend on contents that nobody has fixed: those of arrays that a launch passes,
/// and of variables that the host writes. Other variables begin as the source initialises them.
pub fn of_open_contents(imported: &ImportedKernel, kernel: &Kernel) -> OrderedValues {
    let is_open = |data: &ArrayData| data.origin != ArrayOrigin::Variable || is_set_by_host(imported, &data.name);
    let open = kernel.arrays.iter().filter(|(_, data)| is_of_launch(data.space) && is_open(data));
    OrderedValues::of_contents(kernel, &open.map(|(array, _)| array).collect())
}

/// Whether these contents decide if two threads race: which elements they access, or whether they
/// write the same value.
pub fn decide_race(contents: &OrderedValues, kernel: &Kernel, finding: &Finding) -> bool {
    let array = finding.array.as_deref().unwrap_or_default();
    let are_both_writes = finding.subkind.as_deref() == Some("write-write");
    contents.decide_accesses(kernel, array) || are_both_writes && contents.decide_stores(kernel, array)
}

/// Whether contents may be the reason of a finding.
pub fn may_hinge(kernel: &Kernel, finding: &Finding, is_outside: bool) -> bool {
    // Runs here have different buffers.
    if finding.parameters.values().any(|value| is_other(value)) {
        return false;
    }
    if is_outside {
        return finding.array.as_ref().is_some_and(|array| is_indexed_by_contents(kernel, array));
    }
    finding.kind == findings::race::KIND && !accumulates(kernel)
}
