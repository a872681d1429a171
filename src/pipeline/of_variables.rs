//! Defects that hinge on variables of the device whose contents the host copies there.
//!
//! Runs of one kernel leave a variable such as `__constant__ int table[8]` as it is initialised,
//! which is zero for most. If the host writes the variable, it has other contents in each launch of
//! the program. So a defect is shown again with other contents of such variables: elements that
//! count up, or are all one number. If one of these launches does not have it, the finding is only
//! possible. A defect in the program's own run needs no such doubt, as the run has the contents of
//! the program. A variable that the host's code does not write has its initial contents.
//!
//! A variable that the kernel writes is left as it is: other launches may have set it.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{Array, ArrayOrigin, Kernel, Operation, Space, VerifiedKernel, verify};

use crate::analysis::pointers::points_to;
use crate::findings::same_places;
use crate::frontend::ImportedKernel;
use crate::launch::Passed;
use crate::pipeline::launches::AskedLaunch;
use crate::pipeline::of_program::OwnLaunches;
use crate::pipeline::precondition::launch_of;
use crate::pipeline::settings::Settings;
use crate::pipeline::settle;
use crate::pipeline::withdraw::accesses;
use crate::replay::Replay;
use crate::verdict::hinge::Hinge;
use crate::verdict::{KernelReport, Verdict};

/// The most bytes of a variable that gets other contents.
const MOST_BYTES: u64 = 1 << 20;

/// The most findings that are run with other contents.
const MOST_FINDINGS: usize = 8;

/// Other contents: element `i` is the first number and `i` times the second one.
const OTHERS: [[u64; 2]; 4] = [[0, 1], [1, 1], [1, 0], [1024, 0]];

/// Takes the defects that hinge on such variables for possible ones.
pub fn doubt(
    imported: &ImportedKernel,
    asked: &AskedLaunch,
    own: Option<&OwnLaunches>,
    settings: &Settings,
    report: &mut KernelReport,
) {
    let Ok(kernel) = &imported.kernel else { return };
    if report.verdict != Verdict::Defect || imported.set_by_host.is_empty() || settings.no_replay {
        return;
    }
    let Ok(given) = settings.given(imported, kernel, &asked.request) else { return };
    let kernel = given.for_runs();
    let variables = variables(imported, kernel);
    let others: Vec<VerifiedKernel> = OTHERS.iter().filter_map(|of| with_contents(kernel, &variables, *of)).collect();
    if variables.is_empty() {
        return;
    }
    let options = given.to_doubt();
    let warp_size = options.warp_size_for(kernel.language).min(64);
    let replays: Vec<Replay<'_>> =
        others.iter().map(|other| Replay::new(other, &options, asked.request.global_offset, warp_size)).collect();
    let names = variables.iter().map(|array| kernel.arrays[*array].name.clone()).collect::<BTreeSet<_>>();
    let names: Vec<String> = names.into_iter().collect();
    let (mut left, offset) = (MOST_FINDINGS, report.offset.clone());
    settle::doubt(report, settings, |finding| {
        if own.is_some_and(|own| own.findings().iter().any(|known| same_places(known, finding))) {
            return None;
        }
        left = left.checked_sub(1)?;
        let launch = launch_of(imported, kernel, finding, &offset);
        let arguments: Vec<(&str, i128)> =
            launch.arguments.iter().map(|(name, value)| (name.as_str(), value.value())).collect();
        let lacks =
            |replay: &Replay<'_>| replay.shows(&launch.local, &launch.groups, &arguments, finding) == Some(false);
        replays.iter().any(lacks).then(|| Hinge::SetByHost(names.clone()))
    });
}

/// Whether the host writes the variable of the device of this name.
pub fn is_set_by_host(imported: &ImportedKernel, variable: &str) -> bool {
    imported.pointees.iter().any(|(passed, name)| {
        name == variable && matches!(passed, Passed::Variable(symbol) if imported.set_by_host.contains(symbol))
    })
}

/// The variables that the host writes, and the kernel only reads.
fn variables(imported: &ImportedKernel, kernel: &Kernel) -> Vec<Array> {
    let (accessed, written) = accesses(kernel);
    let is_meant = |array: &Array| {
        let data = &kernel.arrays[*array];
        data.origin == ArrayOrigin::Variable
            && matches!(data.space, Space::Global | Space::Constant)
            && data.size.is_some_and(|bytes| bytes <= MOST_BYTES)
            && !written.contains(array)
            && is_set_by_host(imported, &data.name)
    };
    accessed.into_iter().filter(is_meant).collect()
}

/// The kernel with other contents of variables.
fn with_contents(kernel: &Kernel, variables: &[Array], [first, step]: [u64; 2]) -> Option<VerifiedKernel> {
    let mut changed = kernel.clone();
    for &array in variables {
        let size = usize::try_from(kernel.arrays[array].size?).ok()?;
        let bytes = element_bytes(kernel, array);
        let elements = (0..).map(|index: u64| first.wrapping_add(step.wrapping_mul(index)));
        let contents = elements.flat_map(|element| element.to_le_bytes().into_iter().take(bytes)).take(size);
        changed.arrays[array].contents = Some(contents.collect());
    }
    verify(changed).ok()
}

/// The bytes of an element, as the kernel loads it.
fn element_bytes(kernel: &Kernel, array: Array) -> usize {
    let targets = points_to(kernel);
    let width = kernel.instructions.values().find_map(|data| match &data.operation {
        Operation::Load(access) if targets[access.pointer].arrays.contains(&array) => kernel.ty(data.result?).width(),
        _ => None,
    });
    usize::try_from(width.unwrap_or(32).div_ceil(8)).unwrap_or(4).clamp(1, 8)
}
