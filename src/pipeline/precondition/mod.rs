//! Preconditions that are found, not demanded.
//!
//! A kernel that fails for some arguments or sizes may be right for those it is launched with: a
//! table holds eight numbers, a width is at least the number of threads. Where each confirmed
//! finding can be excluded by a precondition of one of the [`templates`], the [`search`] looks for
//! the cheapest one under which the kernel is verified. Each is proved like a precondition of the
//! source: it becomes an assumption at the kernel's entry, and the kernel passes through the whole
//! pipeline. The precondition is sufficient because the proof succeeds. Each
//! part excludes a launch in which a run has shown a defect or the proof a possible one, or the
//! proof without it was too hard.
//!
//! A precondition must be worth writing down: it leaves several values of each parameter and
//! launches with several threads ([`samples`]).

mod guards;
mod launches;
mod roles;
mod rows;
mod samples;
mod search;
mod tables;
mod templates;
mod usual;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::{self, Kernel};

use crate::findings;
use crate::frontend::ImportedKernel;
use crate::frontend::assume::{Integer, assume};
use crate::pipeline::fault;
use crate::pipeline::launches::AskedLaunch;
use crate::pipeline::settings::Settings;
use crate::replay::{Replay, Sampled};
use crate::signals::may_have_signals;
use crate::techniques::Technique;
use crate::verdict::reason::Reason;
use crate::verdict::{Finding, KernelReport, Statistics, Undecided, Verdict};
use launches::{Valuation, of_finding, of_program, of_sizes};
use roles::{Roles, roles};
use rows::of_rows;
use samples::Samples;
use search::{Conjunctions, Trial, cheapest};
pub use tables::is_indexed_by_contents;
use tables::tables;
use templates::{FITS, Origin, TableDefects, Template, constants, knows_its_group, of_tables, open_sizes, templates};
use usual::{minimised, usual};

/// The time for the search where threads synchronise through memory and a run has a defect: most of
/// these defects occur in every launch.
const MOST_WITH_SIGNALS: Duration = Duration::from_secs(2);

/// The most preconditions that are tried, and the most that are tried by a proof.
const TRIALS: usize = 100;
const PROOFS: usize = 8;

/// The time limit that stands for the effort of a trial.
const EFFORT: Duration = Duration::from_secs(2);

/// The most trials that decide nothing. They take the longest, and the clock must not decide
/// whether a precondition is found.
const UNDECIDED: usize = 4;

/// The number of trials that are repeated with more effort if they decide nothing, and that are
/// among the first proofs, ...
const REPEATED: usize = 1;
const EARLY: usize = 3;

/// ... and the time limit that stands for it.
const MORE_EFFORT: Duration = Duration::from_secs(15);

/// A trial with fewer conditions takes at most so many times as long as the proof with all of them,
/// and at least this long: time is left to leave out others. The clock decides nothing but that.
const TIMES: u32 = 8;
const LEAST_TIME: Duration = Duration::from_secs(2);

/// The share of the time limit that stands for the effort of a trial with all usual conditions.
const USUAL: u32 = 3;

/// The pipeline; `None` if the preconditions contradict each other.
type Decide<'a> = &'a dyn Fn(&ImportedKernel, &Settings) -> Option<KernelReport>;

/// A precondition that was found.
pub struct Found {
    /// The report of the kernel as conditional.
    pub report: KernelReport,
    /// The kernel with the precondition as its own.
    pub under: ImportedKernel,
}

/// Finds a precondition for a kernel with a confirmed defect, or with possible ones only.
pub fn seek(
    imported: &ImportedKernel,
    asked: &AskedLaunch,
    settings: &Settings,
    report: &KernelReport,
    decide: Decide<'_>,
) -> Option<Found> {
    fault::on_purpose(&format!("search of {}", imported.name));
    let kernel = imported.kernel.as_ref().ok()?;
    let mut settings = settings.clone();
    if may_have_signals(kernel) && report.findings.iter().any(|finding| finding.confirmed) {
        settings = settings.briefly(MOST_WITH_SIGNALS);
        settings.prove.deadline = settings.prove.deadline.within(MOST_WITH_SIGNALS);
        settings.lockstep.deadline = settings.lockstep.deadline.within(MOST_WITH_SIGNALS);
    }
    let settings = &settings;
    let given = settings.given(imported, kernel, &asked.request).ok()?;
    let warp_size = given.options.warp_size_for(kernel.language).min(64);
    let replay = Replay::new(given.for_runs(), &given.options, asked.request.global_offset, warp_size);
    let mut seeker = Seeker::new(imported, (kernel, asked), settings, report, (&replay, decide))?;
    let failing = seeker.failing();
    // A run that no condition excludes.
    if failing.is_none() && report.findings.iter().any(|finding| finding.confirmed) {
        return None;
    }
    let found = seeker.usual(failing.as_deref().unwrap_or_default());
    let (indices, proof) = match (found, failing) {
        (Some(found), _) => found,
        // Without a failing launch nothing says which conditions are needed.
        (None, Some(failing)) if !failing.is_empty() => cheapest(&mut seeker, failing, TRIALS)?,
        _ => return None,
    };
    let requires = seeker.chosen(&indices).into_iter().map(|template| template.assumption.text.clone()).collect();
    let findings: Vec<Finding> = shown(report).cloned().collect();
    let under = seeker.under(&indices)?;
    let report = KernelReport {
        verdict: Verdict::Conditional,
        requires,
        // Outside of the precondition, the kernel fails or stays undecided.
        reasons: if findings.is_empty() { report.reasons.clone() } else { Vec::new() },
        findings,
        assumptions: proof.assumptions,
        listings: proof.listings,
        rechecked: proof.rechecked,
        statistics: seeker.spent,
        ..report.clone()
    };
    Some(Found { report, under })
}

/// The same for a launch whose sizes and arguments are known: only the contents of arrays are open.
pub fn seek_contents(
    imported: &ImportedKernel,
    asked: &AskedLaunch,
    settings: &Settings,
    report: &KernelReport,
    decide: Decide<'_>,
) -> Option<KernelReport> {
    let has_tables = imported.kernel.as_ref().is_ok_and(|kernel| !tables(kernel).is_empty());
    let is_sought = report.verdict == Verdict::Defect && is_sought(asked, settings, report);
    let found = (has_tables && is_sought).then(|| seek(imported, asked, settings, report, decide)).flatten();
    found.map(|found| found.report)
}

/// Whether the proof fails for want of time or of a simpler question.
fn is_too_hard(report: &KernelReport) -> bool {
    let is_hard = |reason: &Reason| matches!(reason, Reason::Unproved(_) | Reason::OutOfTime(..));
    report.verdict == Verdict::Unknown && report.reasons.iter().any(is_hard)
}

/// Whether a precondition is sought for a kernel with this report.
pub fn is_sought(asked: &AskedLaunch, settings: &Settings, report: &KernelReport) -> bool {
    let is_refuted = report.verdict == Verdict::Defect || report.undecided() == Some(Undecided::Unconfirmed);
    // A defect of the program is none that a condition excuses.
    let is_of_program = report.by_default.as_ref().is_some_and(|launch| launch.verdict == Verdict::Defect);
    // An operation that lacks its order or scope does so in every launch, and so does one that
    // takes another lock or gives one back that others hold.
    let of_locks = [findings::different_locks::CODE, findings::unlocked_by_others::CODE];
    let lacks_order = report
        .findings
        .iter()
        .any(|finding| finding.confirmed && (!finding.lacks.is_empty() || of_locks.contains(&finding.code)));
    // Proofs assume that threads end, so none shows under which condition a wait ends.
    let waits = report.findings.iter().any(|finding| finding.kind == findings::endless_wait::KIND);
    let is_open = is_refuted || is_too_hard(report);
    is_open && !is_of_program && !lacks_order && !waits && may_be_sought(asked, settings)
}

/// Whether preconditions are sought if the proof of a kernel fails, and there may be some.
pub fn are_sought(imported: &ImportedKernel, asked: &AskedLaunch, settings: &Settings) -> bool {
    !imported.integers.is_empty() && may_be_sought(asked, settings)
}

fn may_be_sought(asked: &AskedLaunch, settings: &Settings) -> bool {
    settings.seeks_preconditions
        && settings.prove.techniques.has(Technique::Preconditions)
        && settings.prove.only_defects.is_none()
        // Recorded arguments are those of one launch.
        && asked.arguments.is_none()
        // Runs know neither axioms nor which races are left out.
        && settings.axioms.is_empty()
        && !settings.no_replay
        && settings.lockstep.checks_all_races()
}

/// The findings that a precondition must exclude and that stay in the report: the confirmed ones,
/// or all if none is. The proof excludes the others, too.
fn shown(report: &KernelReport) -> impl Iterator<Item = &Finding> {
    let any_confirmed = report.findings.iter().any(|finding| finding.confirmed);
    report.findings.iter().filter(move |finding| finding.confirmed || !any_confirmed)
}

/// A search for a kernel's precondition.
struct Seeker<'a> {
    imported: &'a ImportedKernel,
    settings: &'a Settings,
    report: &'a KernelReport,
    runs: Runs<'a>,
    decide: Decide<'a>,
    /// The types of the integer parameters that are open, by name.
    integers: BTreeMap<String, Integer>,
    pointer_bits: u32,
    samples: Samples,
    roles: Roles,
    templates: Vec<Template>,
    /// For each template, the launches of the samples that satisfy it.
    satisfying: Vec<Vec<bool>>,
    /// The number of proofs that may yet be tried, of trials that may yet decide nothing, and of
    /// those that may be repeated.
    proofs: usize,
    undecided: usize,
    repeated: usize,
    /// The most time of a trial with fewer conditions than those with which the kernel is proved.
    most: Duration,
    /// The cost so far.
    spent: Statistics,
}

impl<'a> Seeker<'a> {
    /// `None` if each launch that is run has a defect.
    fn new(
        imported: &'a ImportedKernel,
        (kernel, asked): (&Kernel, &AskedLaunch),
        settings: &'a Settings,
        report: &'a KernelReport,
        (replay, decide): (&'a Replay<'a>, Decide<'a>),
    ) -> Option<Self> {
        let is_given = |name: &String| report.arguments.iter().any(|(given, _)| given == name);
        let open = imported.integers.iter().filter(|(name, _)| !is_given(name));
        let integers: BTreeMap<String, Integer> = open.map(|(name, ty)| (name.clone(), *ty)).collect();
        let parameters: Vec<(String, Integer)> = integers.iter().map(|(name, ty)| (name.clone(), *ty)).collect();
        let tables = tables(kernel);
        let runs = Runs { replay, has_tables: !tables.is_empty() };
        let (sizes, roles) = ((report.block.as_slice(), report.grid.as_slice()), roles(kernel));
        let constants = constants(kernel, sizes.0, sizes.1);
        let base = match shown(report).next() {
            Some(finding) => of_finding(finding, &integers, &report.offset, kernel.pointer_bits),
            None => of_sizes(sizes.0, sizes.1, &report.offset, kernel.pointer_bits),
        };
        let warp = report.assumptions.iter().find_map(|listed| match listed.what {
            Assumed::WholeWarps { lanes } => Some(lanes),
            _ => None,
        });
        let mut samples = Samples::new(&base, &parameters, &constants, sizes, (&roles, knows_its_group(kernel), warp));
        let is_cuda = matches!(kernel.language, kernel::Language::Cuda | kernel::Language::Hip);
        let about_rows = templates::of_rows(&of_rows(kernel, sizes, is_cuda), &parameters);
        let is_preferred = |template: &&Template| template.cost == FITS || template.origin == Origin::Groups;
        samples.prefer(&about_rows.iter().filter(is_preferred).collect::<Vec<_>>());
        samples.run(&|launch| runs.run(launch));
        if samples.none_passes() {
            return None;
        }
        let open_sizes = open_sizes(kernel.language, sizes.0, sizes.1);
        let mut templates = templates(&parameters, &roles, &open_sizes, &constants);
        templates.extend(about_rows);
        let is_of_contents = |finding: &&Finding| {
            let launch = of_finding(finding, &integers, &report.offset, kernel.pointer_bits);
            passes(runs, &launch)
        };
        let of_contents: Vec<&Finding> = shown(report).filter(is_of_contents).collect();
        let is_outside = |finding: &&Finding| finding.kind == findings::out_of_bounds::KIND;
        let defects = match of_contents.as_slice() {
            [] => TableDefects::Unknown,
            all if all.iter().all(is_outside) => TableDefects::OutOfBounds,
            _ => TableDefects::Races,
        };
        templates.extend(of_tables(&tables, &parameters, &constants, defects));
        let program = asked.request.by_default.as_ref().map(|launch| of_program(launch, kernel, &integers, &base));
        let admits = |template: &Template| match &program {
            // A condition that the program breaks tells its user nothing.
            Some(program) => template.assumption.holds(program) != Some(false),
            None => true,
        };
        templates.retain(|template| samples.admit(template) && admits(template));
        let satisfying = templates.iter().map(|template| samples.satisfying(template)).collect();
        Some(Self {
            imported,
            settings,
            report,
            runs,
            decide,
            integers,
            pointer_bits: kernel.pointer_bits,
            samples,
            roles,
            templates,
            satisfying,
            proofs: PROOFS,
            undecided: UNDECIDED,
            repeated: REPEATED,
            most: Duration::MAX,
            spent: report.statistics,
        })
    }

    /// The launches that are known to fail at first.
    fn failing(&self) -> Option<Vec<Vec<bool>>> {
        let found = shown(self.report).map(|finding| self.launch_of_shown(finding));
        let failing: Vec<Vec<bool>> =
            found.chain(self.samples.failing.iter().cloned()).map(|launch| self.violated(&launch)).collect();
        // No template excludes a launch that violates none.
        failing.iter().all(|launch| launch.contains(&true)).then_some(failing)
    }

    /// Tries the usual conditions, all together, and leaves out those that are not needed.
    fn usual(&mut self, failing: &[Vec<bool>]) -> Option<(Vec<usize>, KernelReport)> {
        let excludes = |chosen: &[usize]| failing.iter().all(|launch| chosen.iter().any(|&part| launch[part]));
        let mut trials: Vec<Vec<usize>> = usual(&self.templates, &self.roles).into();
        trials.dedup();
        trials.retain(|chosen| !chosen.is_empty() && excludes(chosen) && self.is_worthwhile(chosen));
        let (chosen, proof) = self.first_proved(trials)?;
        let costs = self.costs();
        let mut is_first = true;
        let mut prove = |fewer: &[usize]| {
            let is_first = std::mem::take(&mut is_first);
            self.prove_fewer(fewer, &chosen, is_first, excludes(fewer))
        };
        Some(minimised(chosen.clone(), proof, &|index| costs[index], &mut prove))
    }

    /// The weakest of these conjunctions with which the kernel is proved. They are in the order
    /// from the weakest to the strongest, with which most proofs are easy: if little effort proves
    /// the kernel under that one, the others get little effort, too; otherwise they get all of it.
    fn first_proved(&mut self, trials: Vec<Vec<usize>>) -> Option<(Vec<usize>, KernelReport)> {
        let (strongest, weaker) = trials.split_last()?;
        let little = if weaker.is_empty() { self.effort_of_usual() } else { EFFORT.min(self.effort_of_usual()) };
        let mut strongest_proof = None;
        let mut left: Vec<(&Vec<usize>, Duration)> = Vec::new();
        let started = Instant::now();
        match self.prove_under(strongest, little, trials.len())? {
            Trial::Proved(proof) => {
                self.most = LEAST_TIME.max(started.elapsed() * TIMES);
                strongest_proof = Some((strongest.clone(), proof));
                left.extend(weaker.iter().map(|chosen| (chosen, little / 2)));
            }
            // The others may exclude other launches.
            Trial::Fails(_) => left.extend(weaker.iter().map(|chosen| (chosen, self.effort_of_usual()))),
            Trial::Open if weaker.is_empty() => return None,
            Trial::Open => left.extend(trials.iter().map(|chosen| (chosen, self.effort_of_usual()))),
        }
        for (chosen, parts) in left.iter().zip((1..=left.len()).rev()) {
            if let Trial::Proved(proof) = self.prove_under(chosen.0, chosen.1, parts)? {
                return Some((chosen.0.clone(), proof));
            }
        }
        strongest_proof
    }

    /// Tries to prove the kernel under some conditions, in one of so many parts of the time.
    fn prove_under(&mut self, chosen: &[usize], effort: Duration, parts: usize) -> Option<Trial<KernelReport>> {
        let share = self.settings.prove.deadline.remaining() / u32::try_from(parts).unwrap_or(1);
        let kernel = self.under(chosen)?;
        Some(self.judge_within(&kernel, effort, share.min(self.most)))
    }

    /// Tries to prove the kernel under fewer conditions than all with which it is proved; `None`
    /// ends that.
    fn prove_fewer(
        &mut self,
        fewer: &[usize],
        all: &[usize],
        is_first: bool,
        excludes: bool,
    ) -> Option<Trial<KernelReport>> {
        if self.settings.prove.deadline.passed() {
            return None;
        }
        if !excludes || self.samples.failing_under(&self.chosen(fewer), &|launch| self.runs.run(launch)).is_some() {
            return Some(Trial::Open);
        }
        // Conditions that say the same as all are as good. The first trial is without signs, which
        // are often not needed.
        let launches = self.satisfying.first().map_or(0, Vec::len);
        let admits = |chosen: &[usize], at: usize| chosen.iter().all(|&index| self.satisfying[index][at]);
        let is_equivalent = (0..launches).all(|at| admits(fewer, at) == admits(all, at));
        if is_equivalent || is_first {
            let kernel = self.under(fewer)?;
            return Some(self.judge(&kernel, self.effort_of_usual()));
        }
        self.prove_under(fewer, EFFORT, 1)
    }

    fn effort_of_usual(&self) -> Duration {
        self.settings.prove.timeout / USUAL
    }

    fn launch_of(&self, finding: &Finding) -> Valuation {
        of_finding(finding, &self.integers, &self.report.offset, self.pointer_bits)
    }

    /// The launch of a finding that a run shows; its contents are no reason if other contents show
    /// it, too.
    fn launch_of_shown(&self, finding: &Finding) -> Valuation {
        let launch = self.launch_of(finding);
        let fails = self.runs.run(&launch).is_some_and(|sampled| sampled.fails);
        Valuation { is_orderly: fails, ..launch }
    }

    /// The templates that a launch violates.
    fn violated(&self, launch: &Valuation) -> Vec<bool> {
        self.templates.iter().map(|template| template.assumption.holds(launch) == Some(false)).collect()
    }

    fn chosen(&self, indices: &[usize]) -> Vec<&Template> {
        indices.iter().map(|&index| &self.templates[index]).collect()
    }

    /// The kernel with these conditions as preconditions.
    fn under(&self, indices: &[usize]) -> Option<ImportedKernel> {
        let mut changed = (**self.imported.kernel.as_ref().ok()?).clone();
        for template in self.chosen(indices) {
            assume(&template.assumption, &mut changed, &self.integers).ok()?;
        }
        Some(ImportedKernel { kernel: Ok(kernel::verify(changed).ok()?), ..self.imported.clone() })
    }

    /// Tries to prove a kernel.
    fn judge(&mut self, kernel: &ImportedKernel, effort: Duration) -> Trial<KernelReport> {
        self.judge_within(kernel, effort, self.settings.prove.deadline.remaining())
    }

    fn judge_within(&mut self, kernel: &ImportedKernel, effort: Duration, most: Duration) -> Trial<KernelReport> {
        let mut settings = self.settings.clone();
        settings.prove.deadline = settings.prove.deadline.within(most);
        // A launch in which the proof fails must be excluded, whether or not a run fails in it.
        settings.no_replay = true;
        settings.prove.timeout = effort.min(settings.prove.timeout);
        settings.prove.goes_on = false;
        // The conditions may contradict those of the source.
        let Some(trial) = (self.decide)(kernel, &settings) else { return Trial::Open };
        self.spent.add(&trial.statistics);
        match trial.verdict {
            Verdict::Verified => Trial::Proved(trial),
            _ if trial.findings.is_empty() => Trial::Open,
            _ => {
                let launches = trial.findings.iter().map(|finding| self.violated(&self.launch_of(finding)));
                Trial::Fails(launches.collect())
            }
        }
    }
}

impl Conjunctions for Seeker<'_> {
    type Proof = KernelReport;

    fn costs(&self) -> Vec<u32> {
        self.templates.iter().map(|template| template.cost).collect()
    }

    fn is_worthwhile(&self, indices: &[usize]) -> bool {
        let part = |&index: &usize| (&self.templates[index], self.satisfying[index].as_slice());
        self.samples.leaves_enough(&indices.iter().map(part).collect::<Vec<_>>())
    }

    fn is_no_easier(&self, stronger: &[usize], weaker: &[usize]) -> bool {
        let helps = stronger.iter().any(|index| !weaker.contains(index) && self.templates[*index].helps);
        let all = |indices: &[usize], at: usize| indices.iter().all(|&index| self.satisfying[index][at]);
        let launches = self.satisfying.first().map_or(0, Vec::len);
        !helps && (0..launches).all(|at| !all(stronger, at) || all(weaker, at))
    }

    fn attempt(&mut self, indices: &[usize]) -> Option<Trial<KernelReport>> {
        if self.undecided == 0 || self.settings.prove.deadline.passed() {
            return None;
        }
        // Runs are cheaper than proofs.
        if let Some(launch) = self.samples.failing_under(&self.chosen(indices), &|launch| self.runs.run(launch)) {
            return Some(Trial::Fails(vec![self.violated(&launch)]));
        }
        self.proofs = self.proofs.checked_sub(1)?;
        let kernel = self.under(indices)?;
        let mut trial = self.judge(&kernel, EFFORT);
        let is_early = self.proofs + EARLY >= PROOFS;
        if matches!(trial, Trial::Open) && self.repeated > 0 && is_early {
            self.repeated -= 1;
            trial = self.judge(&kernel, MORE_EFFORT);
        }
        if matches!(trial, Trial::Open) {
            self.undecided -= 1;
        }
        Some(trial)
    }
}

/// Whether a launch has no defect if its arrays have orderly contents.
fn passes(runs: Runs<'_>, launch: &Valuation) -> bool {
    runs.run(launch).is_some_and(|sampled| !sampled.fails && !sampled.is_void)
}

/// Whether a kernel adds to what the elements of a table name.
pub fn accumulates(kernel: &Kernel) -> bool {
    tables(kernel).iter().any(|table| table.accumulates)
}

/// Whether the launch of a finding has no defect with orderly contents, or with zeros.
pub fn orderly(
    imported: &ImportedKernel,
    kernel: &Kernel,
    finding: &Finding,
    offset: &[u32],
    (replay, or_zeros): (&Replay<'_>, bool),
) -> bool {
    let launch = of_finding(finding, &imported.integers, offset, kernel.pointer_bits);
    let arguments: Vec<(&str, i128)> =
        launch.arguments.iter().map(|(name, value)| (name.as_str(), value.value())).collect();
    replay.passes_orderly(&launch.local, &launch.groups, &arguments, or_zeros)
}

/// The launch of a finding.
pub fn launch_of(imported: &ImportedKernel, kernel: &Kernel, finding: &Finding, offset: &[u32]) -> Valuation {
    of_finding(finding, &imported.integers, offset, kernel.pointer_bits)
}

/// Runs of launches.
#[derive(Clone, Copy)]
struct Runs<'a> {
    replay: &'a Replay<'a>,
    /// Whether the kernel has tables.
    has_tables: bool,
}

impl Runs<'_> {
    fn run(self, launch: &Valuation) -> Option<Sampled> {
        let arguments: Vec<(&str, i128)> =
            launch.arguments.iter().map(|(name, value)| (name.as_str(), value.value())).collect();
        self.replay.sample(&launch.local, &launch.groups, &arguments, self.has_tables)
    }
}
