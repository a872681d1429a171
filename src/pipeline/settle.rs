//! Verdicts from the results for the pairs of threads.

use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::{Kernel, Terminator, VerifiedKernel};
use lockstep_ir::sequential::{Obligation, ObligationKind, Program};

use crate::analysis::fences::might_order;
use crate::findings::{self, same_defect, same_places, uninitialised_read};
use crate::launch::{Extent, Launch};
use crate::lockstep::{MOST_RACES, NotLowered};
use crate::pipeline::described::place_of;
use crate::pipeline::listing::listing;
use crate::pipeline::pairs::{PAIRS, Pairwise, Recheck};
use crate::pipeline::picture;
use crate::pipeline::settings::Settings;
use crate::prove::{Conclusion, Counterexample, Outcome};
use crate::replay::{Replay, Replayed};
use crate::verdict::hinge::Hinge;
use crate::verdict::reason::Reason;
use crate::verdict::rule;
use crate::verdict::{Finding, KernelReport, Statistics, Verdict};

/// Merges the pairs' results into the report, the findings of all, and the open reasons.
pub fn merge(
    kernel: &VerifiedKernel,
    results: [Pairwise; PAIRS],
    settings: &Settings,
    replay: Option<&Replay<'_>>,
    (report, open): (&mut KernelReport, &mut Vec<Reason>),
) {
    for result in results {
        match result {
            Pairwise::Nothing => {}
            Pairwise::Refused(refused) => open.push(not_lowered(kernel, refused, settings)),
            Pairwise::Proof(decided) => {
                let (program, proof) = *decided;
                add_statistics(&mut report.statistics, &proof);
                if let Some(annotated) = proof.annotated {
                    let listing = listing(annotated, &proof.outcome, &report.sources);
                    // The listing of a pair that was left undecided at first is out of date.
                    report.listings.retain(|known| known.pair != listing.pair);
                    report.listings.push(listing);
                }
                report.assumptions.extend(program.assumptions.iter().cloned());
                match proof.outcome {
                    // No such pair of threads exists.
                    Outcome::Proved | Outcome::Impossible(_) => {}
                    Outcome::Refuted(counterexamples) => {
                        let (perhaps, certain): (Vec<_>, Vec<_>) = counterexamples
                            .into_iter()
                            .partition(|found| ordered_by_fence(kernel, &program, found.obligation).is_some());
                        let found = findings::findings(&program, &certain, kernel.language);
                        for (mut finding, counterexample) in found {
                            let replayed = replay.map(|replay| replay.replay(&mut finding, counterexample));
                            match (replay, replayed) {
                                (_, Some(Replayed::Contradicted)) => {
                                    open.push(Replay::contradicted(&finding));
                                    continue;
                                }
                                (Some(replay), Some(Replayed::Confirmed)) => {
                                    replay.minimise(&mut finding, &program, counterexample);
                                }
                                (Some(replay), Some(Replayed::Possible)) => {
                                    replay.vary(&mut finding, &report.findings, &program, counterexample);
                                }
                                (None, Some(Replayed::Confirmed | Replayed::Possible)) | (_, None) => {}
                            }
                            if let Some(reason) = uninitialised_read::guessed(&finding, counterexample) {
                                open.push(reason);
                                continue;
                            }
                            if let Some(reason) = rule_of_barriers(&finding, &program, counterexample, kernel) {
                                open.push(reason);
                                continue;
                            }
                            // A run may have shown this defect in place of another one that it did
                            // not show.
                            if report.findings.iter().any(|known| known.confirmed && same_defect(known, &finding)) {
                                continue;
                            }
                            if settings.drawn {
                                finding.picture = Some(picture::of(&finding, &program, counterexample, kernel, replay));
                            }
                            report.findings.push(finding);
                        }
                        let of_fences = |found: &Counterexample| ordered_by_fence(kernel, &program, found.obligation);
                        open.extend(perhaps.iter().filter_map(of_fences));
                    }
                    Outcome::Unknown(reason) => open.push(reason),
                }
            }
        }
    }
}

/// The reason for a kernel without a program.
pub fn not_lowered(kernel: &VerifiedKernel, refused: NotLowered, settings: &Settings) -> Reason {
    match refused {
        NotLowered::OutOfTime => Reason::LoweringOutOfTime(settings.prove.timeout),
        NotLowered::TooLarge => Reason::TooManyPairs(MOST_RACES),
        NotLowered::Unsupported(unsupported) => {
            let place = place_of(kernel, unsupported.location);
            Reason::NotLowered { construct: unsupported.construct, place }
        }
    }
}

/// Derives the verdict from the merged results by [`rule`]: a defect of one pair is a defect, a
/// proof needs all pairs.
pub fn settle(kernel: &VerifiedKernel, open: Vec<Reason>, settings: &Settings, report: &mut KernelReport) {
    // Where a run shows a race between threads of one group, a warning of a possible race between
    // two groups there adds nothing.
    let shown: Vec<Finding> = report.findings.iter().filter(|finding| finding.confirmed).cloned().collect();
    report.findings.retain(|finding| finding.confirmed || !shown.iter().any(|shown| same_places(shown, finding)));
    let mut reasons: Vec<Reason> = Vec::new();
    for reason in open {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    // The defect may have turned out to be certainly none, or only possible; then this is the
    // reason.
    if reasons.len() > 1 || !report.findings.is_empty() {
        reasons.retain(|reason| *reason != Reason::BrokenOff);
    }
    if reasons.is_empty() && !has_end(kernel) && settings.prove.only_defects.is_none() {
        reasons.push(Reason::NeverReturns);
    }
    rule::settle(report, reasons, settings.possible);
}

/// The reason for a rule of named barriers that a counterexample breaks and no run does. Rules are
/// more than what a program must keep to, so that such a counterexample is no warning.
fn rule_of_barriers(
    finding: &Finding,
    program: &Program,
    counterexample: &Counterexample,
    kernel: &Kernel,
) -> Option<Reason> {
    let obligation = &program.obligations[counterexample.obligation];
    match obligation.kind {
        ObligationKind::NamedBarrier(rule) if !finding.confirmed => {
            Some(Reason::BarrierRule { rule, place: place_of(kernel, obligation.location) })
        }
        _ => None,
    }
}

/// The reason for a race that a fence might prevent.
pub fn ordered_by_fence(kernel: &Kernel, program: &Program, obligation: Obligation) -> Option<Reason> {
    let ObligationKind::Race { logged, checked } = program.obligations[obligation].kind else { return None };
    let [first, second] = [logged, checked].map(|site| program.sites[site].location);
    let fence = place_of(kernel, Some(might_order(kernel, first?, second?)?));
    let array = program.arrays[program.sites[logged].array].name.clone();
    Some(Reason::FenceOrdering { fence, array, lines: [first, second].map(|location| kernel.place(location).line) })
}

/// Whether some path leads from the kernel's entry to an end. If none does, the code behind an
/// endless loop has been left out as never executed, and every statement about it holds.
pub fn has_end(kernel: &Kernel) -> bool {
    let mut seen = vec![kernel.entry];
    let mut next = 0;
    while let Some(&block) = seen.get(next) {
        next += 1;
        let terminator = &kernel.blocks[block].terminator;
        if matches!(terminator, Terminator::Return | Terminator::Trap) {
            return true;
        }
        for target in terminator.targets() {
            if !seen.contains(&target.block) {
                seen.push(target.block);
            }
        }
    }
    false
}

/// The verdict if neither a pair of threads nor one thread by itself has anything to check.
pub fn nothing_to_check(launch: &Launch, report: &mut KernelReport) {
    let single = launch.local_size.iter().chain(&launch.num_groups).all(|extent| *extent == Extent::Known(1));
    report.verdict = Verdict::Verified;
    if single {
        report.assumptions.add(Assumed::SingleThread.everywhere());
    }
}

pub fn note_recheck(report: &mut KernelReport, rechecked: Recheck) {
    match rechecked {
        Ok(rechecked) => report.rechecked = Some(rechecked),
        Err(model) => {
            report.verdict = Verdict::Error;
            report.reasons = vec![Reason::NotConfirmed(model)];
        }
    }
}

/// Marks a finding as dependent on axioms. The functions in a defect under axioms satisfy the
/// axioms for the terms that occur, but perhaps not for others.
pub fn hinges_on_axioms(finding: &mut Finding) {
    finding.hinges.insert(0, Hinge::Axioms);
    finding.confirmed = false;
}

/// Takes confirmed findings of a defect for possible ones, each of which hinges on a fact.
pub fn doubt(report: &mut KernelReport, settings: &Settings, mut hinge: impl FnMut(&Finding) -> Option<Hinge>) {
    let mut any = false;
    let is_defect = report.verdict == Verdict::Defect;
    for finding in report.findings.iter_mut().filter(|finding| is_defect && finding.confirmed) {
        if let Some(hinge) = hinge(finding) {
            finding.hinges.insert(0, hinge);
            finding.confirmed = false;
            any = true;
        }
    }
    // Without a finding that is doubted there is nothing to settle anew.
    if any {
        rule::settle(report, Vec::new(), settings.possible);
    }
}

/// Puts findings before the others of a report, which may have them already.
pub fn put_first(report: &mut KernelReport, first: &[Finding]) {
    let others = std::mem::take(&mut report.findings);
    let is_new = |finding: &Finding| !first.iter().any(|known| same_places(known, finding));
    report.findings = first.iter().cloned().chain(others.into_iter().filter(is_new)).collect();
}

/// Leaves out the dimensions in which the launch has size 1: every id there is 0.
pub fn only_dimensions(finding: &mut Finding, dimensions: usize) {
    let of_accesses = finding.accesses.iter_mut().flat_map(|access| [&mut access.block, &mut access.thread]);
    of_accesses.chain([&mut finding.block, &mut finding.grid]).for_each(|ids| ids.truncate(dimensions));
}

pub fn add_statistics(statistics: &mut Statistics, proof: &Conclusion) {
    let cost = &proof.statistics;
    statistics.infer_seconds += cost.infer_seconds;
    statistics.prove_seconds += cost.prove_seconds;
    statistics.candidates_proposed += cost.candidates_proposed;
    statistics.candidates_kept += cost.candidates_kept;
    statistics.obligations += cost.obligations;
    statistics.queries += cost.queries;
}
