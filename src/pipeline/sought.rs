//! Defects that runs find where the proof neither succeeds nor finds one.
//!
//! The launches that are run are those of possible findings, the launch of the program without
//! options, and small ones in which the integer arguments count threads. Conditions of the host
//! that do not hold in a launch show in the run, which then says nothing.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::time::Duration;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Kernel, Operation, Parameter, ParameterKind, Type};

use crate::deadline::Deadline;
use crate::findings::same_places;
use crate::launch::{DefaultLaunch, Extent, Launch, LaunchRequest};
use crate::pipeline::launches::arguments_of;
use crate::pipeline::settings::{Settings, Trial};
use crate::replay::{Effort, Replay, TriedLaunch};
use crate::verdict::reason::Reason;
use crate::verdict::{Finding, KernelReport, Verdict, rule};

/// The most launches of possible findings that are run.
const MOST_FINDINGS: usize = 2;

/// Sizes of groups where they are open, in one dimension and in each of several.
const THREADS: [u32; 2] = [64, 8];

/// The share of the time limit for these runs, behind the end of the proof.
pub const SHARE: f64 = 0.1;

/// The time for such runs before a proof that uses synchronisation through memory, which takes
/// seconds to fail.
pub const FIRST: Duration = Duration::from_millis(500);

/// Numbers of groups where it is open. One of three may miss what the others tell.
const GROUPS: [u32; 2] = [2, 3];

/// The number of groups that compete for locks. Two of three that are wrongly in a critical section
/// at the same time are rare.
const COMPETING: u32 = 8;

/// Numbers of groups that a kernel may be meant for, and the most of them that are tried.
const COMPARED: RangeInclusive<u32> = 4..=64;
const MOST_COMPARED: usize = 4;

/// The kernel that is run, with the sizes and arguments of its launch.
#[derive(Clone, Copy)]
pub struct Running<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The sizes.
    pub launch: &'a Launch,
    /// The values of scalar parameters that are given.
    pub arguments: &'a [Option<Bits>],
    /// The runs.
    pub replay: &'a Replay<'a>,
}

/// Adds a defect that a run has to the report on a kernel that is neither proved nor refuted.
pub fn add(
    running: Running<'_>,
    request: &LaunchRequest,
    settings: &Settings,
    (effort, deadline): (Effort, Deadline),
    report: &mut KernelReport,
) {
    let is_open = report.verdict == Verdict::Unknown && !report.findings.iter().any(|finding| finding.confirmed);
    if !is_open || !settings.seeks_by_runs || !shows_defects(running, settings) {
        return;
    }
    let launches = launches(running, request, &report.findings);
    let others = if request.host.is_empty() { others(running) } else { Vec::new() };
    let Some(found) = running.replay.seek([&launches, &others], effort, deadline) else { return };
    // Without debug information, a finding has no place in the source.
    if found.accesses.iter().any(|access| access.line == 0) {
        return;
    }
    report.findings.retain(|known| !same_places(known, &found));
    let reasons: Vec<Reason> = std::mem::take(&mut report.reasons);
    report.findings.insert(0, found);
    rule::settle(report, reasons, settings.possible);
}

/// Whether a run has a defect.
pub fn fails(running: Running<'_>, request: &LaunchRequest, settings: &Settings) -> bool {
    let deadline = settings.prove.deadline.within(FIRST);
    let usual = launches(running, request, &[]);
    // A change that makes threads wait for ever may do so in larger launches only.
    let waits = || {
        let mut launches = usual.iter().cloned().chain(others(running));
        launches.any(|launch| running.replay.waits_in_all_runs(&launch, settings.prove.deadline.within(FIRST)))
    };
    shows_defects(running, settings)
        && (running.replay.fails(&usual, deadline) || settings.trial == Some(Trial::Ending) && waits())
}

/// Whether the defect of a run is one that the settings ask for.
fn shows_defects(running: Running<'_>, settings: &Settings) -> bool {
    let is_annotation = |operation: &Operation| matches!(operation, Operation::Annotation { .. });
    // Runs evaluate no statements about the proof, and know no races that are left out.
    let is_annotated = running.kernel.instructions.values().any(|data| is_annotation(&data.operation));
    settings.lockstep.checks_all_races() && !is_annotated && settings.prove.only_defects.is_none()
}

/// The launches that are run, for a kernel with these findings.
fn launches(running: Running<'_>, request: &LaunchRequest, findings: &[Finding]) -> Vec<TriedLaunch> {
    let Running { kernel, launch, arguments, replay } = running;
    let mut launches: Vec<TriedLaunch> = Vec::new();
    launches.extend(request.by_default.as_ref().map(|known| by_default(kernel, known)));
    // Other launches are those of the program only if the host may pass any number. A run does not
    // see conditions about numbers of the host.
    if request.computed_elsewhere.is_empty() {
        launches.extend(findings.iter().take(MOST_FINDINGS).map(|finding| of_finding(kernel, finding)));
        let groups = GROUPS.into_iter().chain(replay.has_locks().then_some(COMPETING));
        let groups = groups.filter(|_| request.host.is_empty());
        launches.extend(groups.map(|groups| small(kernel, launch, groups, (arguments, false))));
        launches.dedup();
    }
    launches
}

/// Further launches, for which the kernel may be meant. Their groups are as many as it compares
/// with, or their integer arguments count the groups.
fn others(running: Running<'_>) -> Vec<TriedLaunch> {
    let Running { kernel, launch, arguments, .. } = running;
    let mut compared: BTreeSet<u32> = BTreeSet::new();
    for data in kernel.instructions.values() {
        if let Operation::Compare(..) = data.operation {
            data.operation.for_each_operand(|operand| {
                let number = kernel.constant(operand).and_then(Bits::to_u64).and_then(|number| number.try_into().ok());
                // The last of n has the number n - 1.
                compared.extend(number.into_iter().flat_map(|number: u32| [number, number.saturating_add(1)]));
            });
        }
    }
    let compared = compared.into_iter().filter(|groups| COMPARED.contains(groups)).take(MOST_COMPARED);
    let compared = compared.filter(|_| launch.num_groups[0].known().is_none());
    let counting = GROUPS.into_iter().filter(|_| !kernel.parameters.is_empty());
    let all = compared.map(|groups| (groups, false)).chain(counting.map(|groups| (groups, true)));
    all.map(|(groups, counts)| small(kernel, launch, groups, (arguments, counts))).collect()
}

fn by_default(kernel: &Kernel, known: &DefaultLaunch) -> TriedLaunch {
    let (local, groups) = (known.local_size.map(u64::from), known.num_groups.map(u64::from));
    TriedLaunch { local: local.to_vec(), groups: groups.to_vec(), parameters: named(kernel, &known.arguments) }
}

fn of_finding(kernel: &Kernel, finding: &Finding) -> TriedLaunch {
    let parameters = named(kernel, &arguments_of(finding, kernel));
    TriedLaunch { local: finding.block.clone(), groups: finding.grid.clone(), parameters }
}

/// The known values of parameters, by name.
fn named(kernel: &Kernel, values: &[Option<Bits>]) -> Vec<(String, Bits)> {
    let values = kernel.parameters.iter().zip(values);
    values.filter_map(|(parameter, value)| Some((parameter.name.clone(), value.clone()?))).collect()
}

/// A small launch, whose integer arguments are the number of threads if they are open, or that of
/// groups.
fn small(
    kernel: &Kernel,
    launch: &Launch,
    groups: u32,
    (arguments, counts_groups): (&[Option<Bits>], bool),
) -> TriedLaunch {
    let is_open = |extent: &&Extent| extent.known().is_none();
    let several = usize::from(launch.local_size.iter().filter(is_open).count() > 1);
    let sizes =
        |extents: &[Extent; 3], open: u32| extents.map(|extent| u64::from(extent.known().unwrap_or(open))).to_vec();
    let (local, groups) = (sizes(&launch.local_size, THREADS[several]), sizes(&launch.num_groups, groups));
    let counted: u64 = groups.iter().chain(local.iter().filter(|_| !counts_groups)).product();
    let scalars = kernel.parameters.iter().filter(|parameter| matches!(parameter.kind, ParameterKind::Scalar(_)));
    let given = arguments.iter().map(Option::as_ref).chain(std::iter::repeat(None));
    let value = |(parameter, given): (&Parameter, Option<&Bits>)| match parameter.kind {
        ParameterKind::Scalar(Type::Bits(width)) => {
            Some((parameter.name.clone(), given.cloned().unwrap_or_else(|| Bits::new(width, counted))))
        }
        _ => None,
    };
    TriedLaunch { local, groups, parameters: scalars.zip(given).filter_map(value).collect() }
}
