//! The pipeline: every kernel of every input passes through every stage.
//!
//! import → resolve the launch → lower for both pairs of threads → prove → report. Kernels are
//! independent of each other; [`judge`](super::judge) has them processed in parallel, each in a
//! process.

mod allocations;
mod by_default;
pub mod described;
pub mod fault;
mod fixes;
pub mod given;
pub mod input;
pub mod input_fault;
pub mod launches;
pub mod listing;
mod memory;
mod never_launched;
mod of_contents;
mod of_host;
pub mod of_program;
mod of_variables;
mod one_buffer;
mod own_groups;
mod pairs;
mod picture;
mod precondition;
mod quote;
pub mod settings;
mod settle;
mod sought;
pub mod stated;
mod withdraw;

use std::time::Instant;

use lockstep_ir::kernel::Language;
use lockstep_ir::sequential::Pair;
use lockstep_ir::source::Place;

use crate::frontend::ImportedKernel;
use crate::lockstep::assumptions_alone;
use crate::replay::{Effort, Overlap, Replay};
use crate::report::{self, Sources};
use crate::signals::may_have_signals;
use crate::solver;
use crate::verdict::reason::{Reason, Work};
use crate::verdict::{KernelReport, Verdict};
pub use described::empty_report;
use described::{check_abstraction, check_annotations, describe, unchecked};
pub use input::{Asked, Imported, Input, RunOutcome, Special, import};
pub use input_fault::{Culprit, InputFault};
pub use launches::AskedLaunch;
use of_program::OwnLaunches;
use pairs::{
    BySignals, Decided, PAIRS, Pairwise, by_signals, contradiction, decide_pairs, is_broken_off, satisfying_if_proved,
};
pub use settings::{NO_LIMIT, Settings, Trial};
use settle::{has_end, hinges_on_axioms, merge, not_lowered, note_recheck, nothing_to_check, only_dimensions, settle};
use sought::Running;
use withdraw::{Passing, overlaps, withdraw_refuted};

/// Decides a kernel that comes from no file of the input, for the first of its launches, on the
/// workers of the current pool.
pub fn decide_alone(kernel: &ImportedKernel, settings: &Settings) -> Result<KernelReport, InputFault> {
    let _ready = solver::warm_up();
    let launches = settings.launches(kernel);
    let launch = launches.first().ok_or_else(|| InputFault::command_line("the kernel has no launch".to_owned()))?;
    decide_guarded(kernel, (None, 0.0), launch, settings, &mut |_| {})
}

/// The report of a kernel. The error is one in the command line (values or sizes that do not fit
/// this kernel) or in the kernel's source.
///
/// `known` gets the report that holds if the search for a precondition comes to no end. Fixes are
/// suggested for kernels of an input.
pub fn decide_guarded(
    imported: &ImportedKernel,
    (input, frontend_seconds): (Option<&Input>, f64),
    launch: &AskedLaunch,
    settings: &Settings,
    known: &mut (dyn FnMut(&KernelReport) + Send),
) -> Result<KernelReport, InputFault> {
    let started = Instant::now();
    let language = imported.kernel.as_ref().map_or(Language::OpenCl, |kernel| kernel.language);
    let settings = &settings.for_kernel(language, frontend_seconds, imported.program.is_some());
    let mut blank = blank_of(imported);
    blank.statistics.frontend_seconds = frontend_seconds;
    let first = precondition::are_sought(imported, launch, settings)
        .then(|| settings.leaving_time_for_preconditions(frontend_seconds));
    let first = first.as_ref().unwrap_or(settings);
    let decided = fault::guarded(|| decide(imported, blank.clone(), launch, first));
    let mut report = decided.unwrap_or_else(|message| {
        blank.verdict = Verdict::Error;
        blank.reasons = vec![Reason::Fault(Work::Judging, message)];
        Ok(blank)
    })?;
    // A fault from here on takes nothing from the verdict that is known.
    let with_one_buffer = |launch: &AskedLaunch, report: &KernelReport| {
        let overlaps = overlaps_at(imported, launch);
        let decide =
            |kernel: &ImportedKernel, launch: &AskedLaunch| decide(kernel, blank_of(kernel), launch, settings).ok();
        let decided = fault::guarded(|| one_buffer::decided(imported, launch, (&overlaps, report), decide));
        decided.ok().flatten()
    };
    if let Some(decided) = with_one_buffer(launch, &report) {
        report = decided;
    }
    let of_launch =
        |launch: &AskedLaunch, settings: &Settings| decide(imported, blank_of(imported), launch, settings).ok();
    let mut is_outside = false;
    let compared = fault::guarded(|| allocations::checked(imported, launch, settings, &report, &of_launch));
    if let Ok(Some(compared)) = compared {
        is_outside = compared.verdict == Verdict::Defect;
        report = compared;
    }
    let of_program = fault::guarded(|| of_program::launched(imported, launch, settings, &report)).ok().flatten();
    let doubted = |launch: &AskedLaunch, report: KernelReport| {
        let doubt = || {
            let mut report = report.clone();
            // The program's own run says more than runs with orderly contents.
            if let Some(of_program) = &of_program {
                of_program::doubt(imported, launch, of_program, settings, &mut report);
                own_groups::doubt(launch, of_program, settings, &mut report);
            }
            // The contents in the program's own run are no matter of doubt.
            if !of_program.as_ref().is_some_and(OwnLaunches::has_defect) {
                of_contents::doubt(imported, launch, settings, &mut report);
            }
            of_variables::doubt(imported, launch, of_program.as_ref(), settings, &mut report);
            never_launched::doubt(imported, launch, settings, &mut report);
            report
        };
        fault::guarded(doubt).unwrap_or_else(|_| report.clone())
    };
    if let Some(of_program) = &of_program
        && of_program::add(of_program, settings, &mut report)
    {
        return Ok(finished(doubted(launch, report), frontend_seconds, started));
    }
    let is_refuted =
        report.verdict == Verdict::Verified && of_program.as_ref().is_some_and(|own| own.refutes_separation(launch));
    let launch = &of_program.as_ref().map_or_else(|| launch.clone(), |own| own.with_default(launch));
    if is_refuted && let Ok(Some(decided)) = fault::guarded(|| of_launch(launch, settings)) {
        report = with_one_buffer(launch, &decided).unwrap_or(decided);
    }
    let in_own_groups = || {
        let asked = own_groups::launch(launch, of_program.as_ref()?, &report)?;
        of_launch(&asked, &settings.briefly(own_groups::MOST))
    };
    let in_own_groups = fault::guarded(in_own_groups).ok().flatten();
    if let Some(of_launch) = &in_own_groups {
        own_groups::add(&mut report, of_launch);
    }
    let mut by_default_requires = Vec::new();
    if let Some(without_options) = by_default::launch(imported, launch, settings, &report)
        && let briefly = &settings.briefly(by_default::MOST)
        && let Ok(Ok(of_launch)) = fault::guarded(|| decide(imported, blank_of(imported), &without_options, briefly))
    {
        let again = |kernel: &ImportedKernel, settings: &Settings| {
            decide(kernel, blank_of(kernel), &without_options, settings).ok()
        };
        // The program may fill the arrays so that the defect does not occur.
        let seek = || precondition::seek_contents(imported, &without_options, briefly, &of_launch, &again);
        let conditional = fault::guarded(seek).ok().flatten();
        let of_launch = conditional.unwrap_or_else(|| doubted(&without_options, of_launch));
        by_default_requires.clone_from(&of_launch.requires);
        by_default::add(&mut report, of_launch);
    }
    let again = |kernel: &ImportedKernel, settings: &Settings| decide(kernel, blank_of(kernel), launch, settings).ok();
    // Conditions are tried without the sizes of what the host allocates.
    let is_sought = !is_outside && precondition::is_sought(launch, settings, &report);
    // A defect of the launch without options is one of the program.
    let is_of_program = report.by_default.as_ref().is_some_and(|launch| launch.verdict == Verdict::Defect);
    let otherwise = if is_of_program { report.clone() } else { doubted(launch, report.clone()) };
    if is_sought {
        known(&finished(otherwise.clone(), frontend_seconds, started));
    }
    let seek = || {
        let found = is_sought.then(|| precondition::seek(imported, launch, settings, &report, &again)).flatten()?;
        Some(compared_with_memory(found, launch, settings, &otherwise))
    };
    let in_own_groups = || {
        let proof = in_own_groups.filter(|one| is_sought && one.verdict == Verdict::Verified)?;
        Some(own_groups::conditional(imported.kernel.as_ref().ok()?, &report, proof))
    };
    report = fault::guarded(seek).ok().flatten().or_else(in_own_groups).unwrap_or_else(|| otherwise.clone());
    if report.verdict == Verdict::Conditional {
        // The launch without options is among those that the conditions are about.
        by_default_requires.retain(|condition| !report.requires.contains(condition));
        report.requires.extend(by_default_requires);
    }
    if let Some(of_program) = &of_program {
        of_program::note_early_end(of_program, &mut report);
    }
    let fix = || fixes::seek((imported, input?), settings, (&report, started), again);
    report.fix = fault::guarded(fix).ok().flatten();
    Ok(finished(report, frontend_seconds, started))
}

/// The report of a conditional kernel, compared with what the host allocates.
///
/// Preconditions are proved with arrays of open size. If accesses leave the host's memory where the
/// precondition holds, it is none, and the report is that of a defect.
fn compared_with_memory(
    found: precondition::Found,
    launch: &AskedLaunch,
    settings: &Settings,
    otherwise: &KernelReport,
) -> KernelReport {
    let precondition::Found { report, under } = found;
    let proof = KernelReport { verdict: Verdict::Verified, findings: Vec::new(), ..report.clone() };
    let decide = |launch: &AskedLaunch, settings: &Settings| decide(&under, blank_of(&under), launch, settings).ok();
    match allocations::checked(&under, launch, settings, &proof, &decide) {
        None => report,
        Some(outside) if outside.verdict == Verdict::Defect => KernelReport {
            verdict: Verdict::Defect,
            findings: [otherwise.findings.clone(), outside.findings].concat(),
            reasons: outside.reasons,
            ..otherwise.clone()
        },
        Some(inside) => KernelReport { assumptions: inside.assumptions, ..report },
    }
}

/// The report with the time and the memory that it took.
fn finished(mut report: KernelReport, frontend_seconds: f64, started: Instant) -> KernelReport {
    report.statistics.wall_seconds = frontend_seconds + started.elapsed().as_secs_f64();
    report.statistics.peak_rss_bytes = memory::peak_rss_bytes();
    report
}

/// The arrays that a launch lets overlap.
fn overlaps_at(imported: &ImportedKernel, launch: &AskedLaunch) -> Vec<Overlap> {
    let passing = Passing { aliases: &launch.request.aliases, pointees: &imported.pointees, satisfying: &[] };
    imported.kernel.as_ref().map(|kernel| overlaps(kernel, passing)).unwrap_or_default()
}

/// Whether the source may allow a defect, which is then no reason to leave the others undecided.
fn may_allow(imported: &ImportedKernel) -> bool {
    let mut sources = Sources::named(&imported.sources);
    imported.sources.iter().any(|name| sources.text(name).is_some_and(report::allow::is_mentioned))
}

/// The report of a kernel before anything is decided.
fn blank_of(imported: &ImportedKernel) -> KernelReport {
    KernelReport { sources: imported.sources.clone(), ..empty_report(&imported.name, &imported.file, imported.line) }
}

fn decide(
    imported: &ImportedKernel,
    mut report: KernelReport,
    asked: &AskedLaunch,
    settings: &Settings,
) -> Result<KernelReport, InputFault> {
    fault::on_purpose(&imported.name);
    let kernel = match &imported.kernel {
        Ok(kernel) => kernel,
        Err(refusal) => {
            let place = Place { file: refusal.file.clone(), line: refusal.line };
            let place = Some(place).filter(|place| !place.file.is_empty());
            report.reasons = vec![Reason::NotRead { construct: refusal.construct.clone(), place }];
            return Ok(report);
        }
    };
    let in_this_kernel = |error: String| format!("kernel {} ({}): {error}", imported.name, imported.file);
    let of_source = |error| InputFault::kernel(in_this_kernel(error));
    let of_launch = |error| asked.fault(in_this_kernel(error));
    check_annotations(kernel).map_err(of_source)?;
    check_abstraction(kernel, settings).map_err(of_source)?;
    let mut resolved = asked.request.resolve(kernel).map_err(|error| of_launch(error.to_string()))?;
    report.launched_at.clone_from(&asked.places);
    report.escapes_at.clone_from(&asked.escapes);
    report.recorded_at.clone_from(&asked.recorded_at);
    let given = match &asked.arguments {
        Some(arguments) => settings.recorded(kernel, arguments),
        None => settings.given(imported, kernel, &asked.request),
    };
    let mut given = given.map_err(of_launch)?;
    let (arguments, assumptions) = (std::mem::take(&mut given.arguments), std::mem::take(&mut given.assumptions));
    let mut options = given.options.clone();
    let kernel = &*given.kernel;
    describe(&mut report, &resolved);
    stated::substitute(kernel, &mut resolved.launch, &mut options);
    report.shared_bytes = asked.request.shared_bytes;
    report.arguments = arguments;
    report.assumptions = resolved.assumptions;
    report.assumptions.extend(assumptions);
    report.assumptions.extend(imported.assumptions.iter().cloned());
    report.assumptions.extend(unchecked(settings, &options));
    let pairs = [Pair::SameGroup, Pair::DifferentGroups, Pair::Alone, Pair::SameThread]
        .map(|pair| (pair != Pair::DifferentGroups || !settings.only_intra_group).then_some(pair));
    let warp_size = options.warp_size_for(kernel.language).min(64);
    // Under axioms, a function is any that satisfies them, and not one of the host.
    let replay = (options.axioms.is_empty() && !settings.no_replay)
        .then(|| Replay::new(given.for_runs(), &options, resolved.launch.global_offset, warp_size));
    let for_runs = given.for_runs();
    let running =
        |replay| Running { kernel: for_runs, launch: &resolved.launch, arguments: &options.arguments, replay };
    if let Some(trial) = settings.trial {
        let fails = replay.as_ref().is_some_and(|replay| sought::fails(running(replay), &asked.request, settings));
        if fails || trial == Trial::Runs {
            report.verdict = if fails { Verdict::Defect } else { Verdict::Unknown };
            return Ok(report);
        }
    } else if let Some(replay) = replay.as_ref().filter(|_| may_have_signals(kernel) && !may_allow(imported)) {
        let runs = (Effort::Few, settings.prove.deadline.within(sought::FIRST));
        sought::add(running(replay), &asked.request, settings, runs, &mut report);
    }
    let replay = replay.as_ref().filter(|_| settings.trial.is_none());
    let by_signals = match report.verdict {
        Verdict::Defect => BySignals::Nothing,
        _ => by_signals(kernel, &resolved.launch, pairs, &options, settings),
    };
    let Decided { results, lower_seconds, rechecked } = match by_signals {
        BySignals::Proved(decided) => *decided,
        BySignals::Open | BySignals::Nothing => {
            // Where a proof depends on signals and fails, runs find most defects, and soon.
            let is_open = matches!(by_signals, BySignals::Open) && !may_allow(imported);
            if let Some(replay) = replay.filter(|_| is_open) {
                let runs = (Effort::All, settings.prove.deadline);
                sought::add(running(replay), &asked.request, settings, runs, &mut report);
            }
            let pairs = if report.verdict == Verdict::Defect { [None; PAIRS] } else { pairs };
            decide_pairs(kernel, &resolved.launch, pairs, &options, settings)
        }
    };
    report.statistics.lower_seconds = lower_seconds;
    if let Some(contradiction) = contradiction(&results) {
        return Err(of_source(report::reasons::contradiction(&contradiction)));
    }
    let satisfying = satisfying_if_proved(&results, settings);
    let is_defect = report.verdict == Verdict::Defect;
    if !is_defect && has_end(kernel) && results.iter().all(|result| matches!(result, Pairwise::Nothing)) {
        nothing_to_check(&resolved.launch, &mut report);
        match assumptions_alone(kernel, &resolved.launch, &options) {
            Ok(assumptions) => report.assumptions.extend(assumptions),
            Err(refused) => {
                report.verdict = Verdict::Unknown;
                report.reasons = vec![not_lowered(kernel, refused, settings)];
            }
        }
    } else {
        let broken_off = results.each_ref().map(is_broken_off);
        let mut open: Vec<Reason> = Vec::new();
        merge(kernel, results, settings, replay, (&mut report, &mut open));
        // No run shows the defect on whose account other pairs of threads were left undecided, so
        // they are decided after all.
        let is_shown =
            (replay.is_none() || report.findings.iter().any(|finding| finding.confirmed)) && !may_allow(imported);
        if broken_off.contains(&true) && !is_shown {
            open.retain(|reason| *reason != Reason::BrokenOff);
            let left = [0, 1, 2, 3].map(|index| pairs[index].filter(|_| broken_off[index]));
            let decided = decide_pairs(kernel, &resolved.launch, left, &options, settings);
            report.statistics.lower_seconds += decided.lower_seconds;
            merge(kernel, decided.results, settings, replay, (&mut report, &mut open));
        }
        settle(kernel, open, settings, &mut report);
        if let Some(replay) = replay {
            let deadline = settings.prove.deadline.later(settings.prove.timeout.mul_f64(sought::SHARE));
            sought::add(running(replay), &asked.request, settings, (Effort::All, deadline), &mut report);
        }
        if let Some(word) = given::sizes_word(&imported.name, kernel, &asked.request) {
            report.findings.iter_mut().filter_map(|finding| finding.witness.as_mut()).for_each(|witness| {
                witness.words.push(word.clone());
            });
        }
        report.findings.iter_mut().for_each(|finding| only_dimensions(finding, resolved.shown_dimensions));
    }
    if !options.axioms.is_empty() {
        report.findings.iter_mut().for_each(hinges_on_axioms);
    }
    of_host::doubt(imported, &given, asked, settings, &mut report);
    let (aliases, pointees) = (&asked.request.aliases, &imported.pointees);
    let passing = Passing { aliases, pointees, satisfying: &satisfying };
    withdraw_refuted(kernel, &resolved.launch, &options, passing, &mut report);
    if let Some(depth) = settings.prove.only_defects.filter(|_| report.verdict == Verdict::Verified) {
        report.verdict = Verdict::Unknown;
        report.reasons = vec![Reason::NoDefectFound { depth, spent: None }];
    }
    if let Some(rechecked) = rechecked.filter(|_| report.verdict == Verdict::Verified) {
        note_recheck(&mut report, rechecked);
    }
    quote::quote_source(&mut report.assumptions, &mut Sources::named(&imported.sources));
    Ok(report)
}
