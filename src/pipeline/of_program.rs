//! A run of the whole program, without options.
//!
//! Where the proof of a kernel does not succeed, or assumes that accesses stay inside arrays of
//! unknown size, or that buffers are apart which may be one, the file's own `main` is executed. Its
//! launches of this kernel have the sizes, the
//! arguments and the contents of arrays that the program gives them. A defect in one of them is a
//! defect of the program, whatever else is known. A run without one says that a finding which
//! depends on contents is not one of this run. A run whose launches pass one buffer twice refutes
//! that buffers are apart, and the kernel is decided again for such launches.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use lockstep_ir::assumption::{Assumed, Assumption};
use lockstep_ir::kernel::Kernel;
use lockstep_ir::source::Place;
use lockstep_verdict::hinge::Hinge;

use crate::analysis::order::OrderedValues;
use crate::deadline::Deadline;
use crate::findings::{self, same_places};
use crate::frontend::{ImportedKernel, OwnProgram};
use crate::host::{Cause, StopKind, Stopped};
use crate::interpreter::Workers;
use crate::launch::{Alias, DefaultLaunch};
use crate::pipeline::launches::AskedLaunch;
use crate::pipeline::of_contents::{decide_race, may_hinge, of_open_contents};
use crate::pipeline::precondition::is_indexed_by_contents;
use crate::pipeline::settings::Settings;
use crate::pipeline::settle::{self, put_first};
use crate::pipeline::withdraw::may_overlap;
use crate::replay::program::{KernelOfProgram, Launched, Limits, run_program};
use crate::verdict::{Finding, KernelReport, UnfinishedRun, Verdict, rule};

/// The most time for a run.
const MOST: Duration = Duration::from_secs(8);

/// The most steps of the host.
const HOST_STEPS: u64 = 600_000_000;

/// The most steps of all kernels; of a verified kernel half of it.
const KERNEL_STEPS: u64 = 600_000_000;

/// The most time, and the most steps, of a run that only tells whether buffers are apart. Most
/// programs make all of their launches sooner than that.
const BRIEF: Duration = Duration::from_secs(2);
const BRIEF_STEPS: u64 = 100_000_000;

/// The memory of a program is at most this part of what a kernel may have: the accesses to its
/// arrays are recorded in many times their size.
const PARTS_OF_MEMORY: u64 = 32;

/// Numbers of launches without a defect.
#[derive(Clone, Copy)]
struct Without {
    all: u64,
    /// Those in which the program decides what is accessed.
    decided: u64,
    /// Those in which it has filled all arrays that are read.
    filled: u64,
}

/// The launches of a kernel that a program makes without options, in the places of one launch.
pub struct OwnLaunches {
    /// The defects, each in the first launch that has it.
    findings: Vec<Finding>,
    /// Pairs of pointers that launches passed into one buffer.
    overlaps: BTreeSet<Alias>,
    /// The launches without one, if no launch is known to have one.
    without: Option<Without>,
    /// Whether the program came to its end.
    is_whole: bool,
    /// The end of the run if it is an early one.
    unfinished: Option<UnfinishedRun>,
    /// The first launch, if its numbers are known.
    first: Option<DefaultLaunch>,
    /// The threads per group of these launches.
    local_sizes: BTreeSet<[u32; 3]>,
}

/// The launches of a kernel in the places of one launch, as the program makes them without options.
///
/// There are none if the program cannot be executed up to that place, or if a run has nothing to
/// add to the report.
pub fn launched(
    imported: &ImportedKernel,
    asked: &AskedLaunch,
    settings: &Settings,
    report: &KernelReport,
) -> Option<OwnLaunches> {
    // The command of a finding must read all files as they were read. A run of one of several
    // programs says nothing of the launches of the others.
    let program = imported.program.as_deref().filter(|program| program.is_read_alike && program.is_only)?;
    let is_wanted = settings.seeks_by_runs && settings.prove.only_defects.is_none() && !settings.no_replay;
    let is_given = settings.kernel_values.iter().any(|values| imported.is_called(&values.kernel));
    let has_places = !asked.places.is_empty() || !asked.escapes.is_empty();
    if !is_wanted || is_given || !has_places || !settings.lockstep.checks_all_races() {
        return None;
    }
    let sought = sought(imported, asked, report)?;
    let options = &settings.lockstep;
    let (most, host_steps, kernel_steps) = match sought {
        Sought::Overlaps => (BRIEF, BRIEF_STEPS, BRIEF_STEPS),
        Sought::Defects if report.verdict == Verdict::Verified => (MOST, HOST_STEPS, KERNEL_STEPS / 2),
        Sought::Defects => (MOST, HOST_STEPS, KERNEL_STEPS),
    };
    let deadline = Deadline::at(settings.run_deadline.or_earlier(Instant::now() + most));
    let bytes = settings.memory_bytes.unwrap_or(u64::MAX) / PARTS_OF_MEMORY;
    let (workers, ends_at_defect) = (Workers::ONE, true);
    let only_overlapping = sought == Sought::Overlaps;
    let limits = Limits { host_steps, kernel_steps, bytes, deadline, workers, ends_at_defect, only_overlapping };
    let run = run_program(&program.host, &[], &kernels(program, Some(&imported.symbol)), options, limits);
    // A launch that the source does not name is one through an address that is not followed.
    let is_named =
        |(file, line): &(String, u32)| imported.launches.iter().any(|one| (&one.file, one.line) == (file, *line));
    let is_here = |launched: &Launched| {
        launched.place.as_ref().is_some_and(|place| match asked.places.as_slice() {
            [] => !is_named(place),
            places => places.contains(place),
        })
    };
    let is_whole = matches!(run.ended.cause, Cause::Returned(_) | Cause::Exit(_));
    let unfinished = match &run.ended.cause {
        Cause::Returned(_) | Cause::Exit(_) => None,
        // The place depends on the machine.
        Cause::Stopped(Stopped { kind: StopKind::Limit, .. }) => {
            Some(UnfinishedRun { place: None, reason: "its steps, its memory or its time are used up".to_owned() })
        }
        Cause::Stopped(stopped) => {
            let place = run.ended.place.and_then(|place| program.host.places.get(usize::try_from(place).ok()?));
            let place = place.map(|(file, line)| Place { file: file.clone(), line: *line });
            Some(UnfinishedRun { place, reason: stopped.reason.clone() })
        }
    };
    // Nothing is known of the launches behind something that is not executed.
    let is_limited = matches!(&run.ended.cause, Cause::Stopped(stopped) if stopped.kind == StopKind::Limit);
    let here: Vec<Launched> = run.launched.into_iter().filter(is_here).collect();
    let sum = |of: fn(&Launched) -> u64| here.iter().map(of).sum::<u64>();
    let all = Without {
        all: sum(|launched| launched.whole),
        decided: sum(|launched| launched.decided),
        filled: sum(|launched| launched.filled),
    };
    let first = here.first().and_then(|launched| launched.first.clone());
    let local_sizes = here.iter().flat_map(|launched| launched.local_sizes.iter().copied()).collect();
    let overlaps = here.iter().flat_map(|launched| launched.overlaps.iter().cloned()).collect();
    let mut findings: Vec<Finding> = Vec::new();
    for finding in here.into_iter().flat_map(|launched| launched.findings) {
        if !findings.iter().any(|known| same_places(known, &finding)) {
            findings.push(finding);
        }
    }
    let without = (findings.is_empty() && (is_whole || is_limited)).then_some(all);
    // A launch that is given null fails at once on a device, and says nothing of the kernel.
    findings.retain(|finding| finding.kind != findings::null_dereference::KIND);
    for witness in findings.iter_mut().filter_map(|finding| finding.witness.as_mut()) {
        witness.words.extend(program.other_files.iter().map(|file| format!("--host={}", file.display())));
    }
    Some(OwnLaunches { findings, overlaps, without, is_whole, unfinished, first, local_sizes })
}

/// The kernels of a program, of which those with this symbol are watched, or all.
pub fn kernels<'a>(program: &'a OwnProgram, watched: Option<&str>) -> Vec<KernelOfProgram<'a>> {
    let of = |kernel: &'a crate::frontend::KernelOfProgram| KernelOfProgram {
        symbol: &kernel.symbol,
        kernel: &kernel.kernel,
        pointees: &kernel.pointees,
        initial: &kernel.initial,
        is_watched: watched.is_none_or(|watched| watched == kernel.symbol),
    };
    program.kernels.iter().map(of).collect()
}

/// The facts that a run may add to a report.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sought {
    /// Defects of any launch.
    Defects,
    /// Launches that pass one buffer twice. The proof is about all others.
    Overlaps,
}

/// The facts that a run may add to a report, if there are any.
///
/// A run says nothing of buffers that the host's code shows to be apart. It does not prove that: it
/// is followed with some indices taken for those of a loop's first iteration. So the assumption
/// stays listed.
fn sought(imported: &ImportedKernel, asked: &AskedLaunch, report: &KernelReport) -> Option<Sought> {
    let rests_on = |what: &Assumed| report.assumptions.find(what).is_some();
    match report.verdict {
        Verdict::Defect | Verdict::Unknown | Verdict::Conditional => Some(Sought::Defects),
        Verdict::Verified if rests_on(&Assumed::InsideUnknownSizes) => Some(Sought::Defects),
        Verdict::Verified => {
            let kernel = imported.kernel.as_ref().ok().filter(|_| rests_on(&Assumed::PointersApart))?;
            may_overlap(kernel, &imported.pointees, &asked.request.apart).then_some(Sought::Overlaps)
        }
        Verdict::Error => None,
    }
}

impl OwnLaunches {
    /// A launch with the one without options as the run has it, if the host's code does not tell
    /// it. A program that ends without a launch makes none without options.
    pub fn with_default(&self, asked: &AskedLaunch) -> AskedLaunch {
        let mut asked = asked.clone();
        if self.is_whole && self.local_sizes.is_empty() {
            asked.request.by_default = None;
        } else if asked.request.by_default.is_none() {
            asked.request.by_default.clone_from(&self.first);
        }
        asked.request.aliases.extend(self.new_overlaps(&asked));
        asked
    }

    /// Whether these launches pass one buffer twice where the host's code does not show it.
    pub fn refutes_separation(&self, asked: &AskedLaunch) -> bool {
        !self.new_overlaps(asked).is_empty()
    }

    fn new_overlaps(&self, asked: &AskedLaunch) -> Vec<Alias> {
        let known = &asked.request.aliases;
        let turned = |one: &Alias| {
            let [first, second] = &one.passed;
            Alias { passed: [second.clone(), first.clone()], distance: -one.distance }
        };
        let is_new = |one: &&Alias| !known.contains(one) && !known.contains(&turned(one));
        self.overlaps.iter().filter(is_new).cloned().collect()
    }

    /// Whether one of these launches has a defect.
    pub fn has_defect(&self) -> bool {
        !self.findings.is_empty()
    }

    /// The defects of these launches.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The threads per group of all launches.
    pub fn local_sizes(&self) -> &BTreeSet<[u32; 3]> {
        &self.local_sizes
    }
}

/// Adds the defects of the run to a report; returns whether there are some.
pub fn add(launched: &OwnLaunches, settings: &Settings, report: &mut KernelReport) -> bool {
    if launched.findings.is_empty() {
        return false;
    }
    put_first(report, &launched.findings);
    rule::settle(report, Vec::new(), settings.possible);
    true
}

/// Notes that the run ended before it could try all assumptions of a proof.
///
/// Launches behind that end may leave arrays of unknown size, or pass one buffer twice.
pub fn note_early_end(launched: &OwnLaunches, report: &mut KernelReport) {
    let is_tried = |one: &Assumption| matches!(one.what, Assumed::InsideUnknownSizes | Assumed::PointersApart);
    if report.verdict == Verdict::Verified && report.assumptions.iter().any(is_tried) {
        report.unfinished_run.clone_from(&launched.unfinished);
    }
}

/// Takes confirmed findings for possible ones if the program's own run makes the launch and does
/// not have them.
///
/// They depend on contents or numbers of another run. The contents of an array that the program
/// has not filled are those of any run, and must not decide that the defect is absent. This says
/// nothing where the user may give the program any numbers, as long as the finding depends on these
/// alone. Nor does it where the order of atomic operations decides what threads do: this run has
/// one order of many.
///
/// A run that ends at a defect of the kernel says nothing of other findings. Those that depend on
/// contents or numbers are possible as well: the kernel is a defect for what its program does.
pub fn doubt(
    imported: &ImportedKernel,
    asked: &AskedLaunch,
    launched: &OwnLaunches,
    settings: &Settings,
    report: &mut KernelReport,
) {
    let Ok(kernel) = &imported.kernel else { return };
    if report.verdict != Verdict::Defect {
        return;
    }
    let dependence = Dependence {
        kernel,
        are_computed: !asked.request.computed_elsewhere.is_empty(),
        by_order: OrderedValues::of(kernel),
        by_contents: of_open_contents(imported, kernel),
    };
    settle::doubt(report, settings, |finding| {
        let is_own = launched.findings.iter().any(|known| same_places(known, finding));
        if is_own { None } else { dependence.hinge(finding, launched) }
    });
}

/// The facts of a kernel on which its findings may depend.
struct Dependence<'a> {
    kernel: &'a Kernel,
    /// Whether the host computes arguments where that is not followed.
    are_computed: bool,
    by_order: OrderedValues,
    by_contents: OrderedValues,
}

impl Dependence<'_> {
    /// The reason why a finding of another run may be none of the program.
    fn hinge(&self, finding: &Finding, launched: &OwnLaunches) -> Option<Hinge> {
        let is_outside = finding.kind == findings::out_of_bounds::KIND;
        if !is_outside && finding.kind != findings::race::KIND {
            return None;
        }
        let array = finding.array.as_deref().unwrap_or_default();
        let is_of_numbers = self.are_computed && !self.by_order.decide_accesses(self.kernel, array);
        // Two threads may write the same value, as long as the contents are zeros.
        let are_both_writes = finding.subkind.as_deref() == Some("write-write");
        let is_of_contents = decide_race(&self.by_contents, self.kernel, finding)
            && (may_hinge(self.kernel, finding, is_outside) || is_indexed_by_contents(self.kernel, array));
        if !is_of_numbers && !is_of_contents {
            return None;
        }
        match launched.without {
            Some(without) => {
                let is_without = if are_both_writes { without.filled } else { without.decided } > 0;
                is_without.then(|| Hinge::OtherRun { first: (!launched.is_whole).then_some(without.all) })
            }
            None => launched.has_defect().then_some(Hinge::BehindDefect),
        }
    }
}
