//! Suggested fixes: changes of the source under which a kernel is verified that has data races,
//! barriers that not all threads reach, or wrong numbers at named barriers and in masks.
//!
//! Each candidate is a kernel with one or two more operations: barriers between the accesses of a
//! race within a group or a warp, or fences around what threads signal each other by. Or its
//! operations have what the findings say that they lack ([`operations`]), an update is atomic
//! ([`updates`]), or a wait for copies waits for more of them ([`waits`]). The places are
//! [`points`]: those at which a line of the source can stand. Or a statement stands at another
//! place ([`moves`]), threads wait under another condition ([`conditions`]), or the number of
//! threads at a named barrier or a mask of lanes is another one ([`numbers`]).
//!
//! A candidate is suggested if the changed source, compiled anew, is verified ([`text`]). So a
//! suggestion is a change of the source that has been proved to mend the kernel, not the only one,
//! and the smallest one only among those that were tried. To save time, a few runs of the kernel
//! with the same change refute most candidates before. They also refute those with which all runs
//! wait for ever, about which a proof says nothing. Where a statement goes or a condition changes,
//! some run of each launch must end, and runs must still come to the accesses of the findings.

mod conditions;
mod moves;
mod numbers;
mod operations;
mod points;
mod text;
mod updates;
mod waits;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    AssertKind, BarrierKind, Instruction, InstructionData, Kernel, Language, Operation, Ordering, Scope, Space,
    SpaceSet, Type, VerifiedKernel, verify,
};

use crate::deadline::Deadline;
use crate::findings::{barrier_divergence, lane_not_in_mask, named_barrier, race};
use crate::frontend::ImportedKernel;
use crate::pipeline::input::Input;
use crate::pipeline::settings::{Settings, Trial};
use crate::report::Sources;
use crate::signals::may_have_signals;
use crate::techniques::Technique;
use crate::verdict::fix::{Fix, Insertion, Replacement};
use crate::verdict::lack::Order;
use crate::verdict::{AccessShown, Finding, KernelReport, Verdict};
use points::{Point, points};

/// All trials end after this share of the kernel's time limit, at the least and at the most after
/// these times. They have the last time in any case.
const OF_TIME: f64 = 0.075;
const IN_ALL: [Duration; 2] = [Duration::from_millis(4_500), Duration::from_secs(30)];
const LEAST: Duration = Duration::from_secs(2);

/// They also have this share of the time that the verdict took.
const LEAST_SHARE: f64 = 1.0;

/// The least time if runs have told what the operations lack.
const IF_KNOWN: Duration = Duration::from_secs(8);

/// The kinds of findings that are mended, all of one kind.
const KINDS: [&str; 4] = [race::KIND, barrier_divergence::KIND, named_barrier::KIND, lane_not_in_mask::KIND];

/// The effort of a trial. One that relies on synchronisation through memory has the effort of any
/// other proof, and a share of the time that is left.
const EFFORT: Duration = Duration::from_secs(2);
const SHARE: f64 = 0.8;

/// The number of lanes of a warp.
const WARP: u64 = 32;

/// The most places for one operation, for each of two, and for a barrier of the warp.
const SINGLE: usize = 12;
const OF_TWO: usize = 4;
const OF_WARP: usize = 6;

/// The most lines between an operation and a place that is near: one at which a fence may be meant
/// for it.
const NEAR: u32 = 12;

/// An operation, and the statement that stands for it.
#[derive(Clone, Debug)]
struct Statement {
    text: &'static str,
    operation: Operation,
}

/// A change that mends a kernel of an input whose confirmed defects are races.
///
/// `decide` decides a changed kernel, and work on this one began at `started`.
pub fn seek(
    (imported, input): (&ImportedKernel, &Input),
    settings: &Settings,
    (report, started): (&KernelReport, Instant),
    decide: impl Fn(&ImportedKernel, &Settings) -> Option<KernelReport>,
) -> Option<Fix> {
    let kernel = imported.kernel.as_ref().ok()?;
    let is_wanted = settings.seeks_preconditions
        && settings.prove.techniques.has(Technique::Fixes)
        && settings.prove.only_defects.is_none()
        && settings.lockstep.checks_all_races();
    let is_source = kernel.language != Language::Ptx && Path::new(&imported.file) == input.path;
    if !is_wanted || report.verdict != Verdict::Defect || !is_source {
        return None;
    }
    let findings: Vec<&Finding> = report.findings.iter().collect();
    let is_of = |kind: &str| findings.iter().all(|finding| finding.kind == kind);
    if findings.is_empty() || !KINDS.iter().any(|kind| is_of(kind)) {
        return None;
    }
    let in_all = settings.prove.timeout.mul_f64(OF_TIME).clamp(IN_ALL[0], IN_ALL[1]);
    let lacks_order = findings.iter().any(|finding| !finding.lacks.is_empty());
    let in_all = if lacks_order { in_all.max(IF_KNOWN) } else { in_all };
    let deadline = Deadline::at(started).later(in_all).at_least(LEAST.max(started.elapsed().mul_f64(LEAST_SHARE)));
    let effort = if may_have_signals(kernel) { settings.prove.timeout } else { EFFORT.max(started.elapsed()) };
    let mut sources = Sources::named(&imported.sources);
    // Headers may be those of libraries, or of other kernels.
    let mut all = points(kernel, &mut sources);
    all.retain(|point| point.file == imported.file);
    let with = |kernel: VerifiedKernel| ImportedKernel { kernel: Ok(kernel), ..imported.clone() };
    let verdict = |kernel: VerifiedKernel, settings: &Settings| Some(decide(&with(kernel), settings)?.verdict);
    let is_refuted = |candidate: &Candidate| {
        let changed = changed(kernel, candidate);
        let settings = settings.trying(Trial::Runs, effort, deadline);
        changed.and_then(|changed| verdict(changed, &settings)) != Some(Verdict::Unknown)
    };
    let candidates = if is_of(race::KIND) {
        candidates((kernel, &imported.file), &findings, &all, (&mut sources, &is_refuted))
    } else {
        let moved = if is_of(barrier_divergence::KIND) {
            moves::of_barriers(&findings, &imported.file, &mut sources)
        } else {
            Vec::new()
        };
        let words = numbers::words(kernel, &findings, &imported.file, &mut sources);
        moved.into_iter().map(Candidate::of_source).chain(words.into_iter().map(Candidate::of_words)).collect()
    };
    let fix = candidates.into_iter().take_while(|_| !deadline.passed()).find_map(|candidate| {
        if candidate.of_source.is_empty() && is_refuted(&candidate) {
            return None;
        }
        let fix = candidate.fix();
        let again = text::imported(&fix, imported, input)?;
        let trial = if candidate.may_hide { Trial::Ending } else { Trial::Proof };
        let proof = settings.trying(trial, effort, deadline.within(deadline.remaining().mul_f64(SHARE)));
        let is_verified = verdict(again.clone(), &proof)? == Verdict::Verified;
        let are_reached = |again: &VerifiedKernel| {
            let accesses = findings.iter().flat_map(|finding| &finding.accesses);
            let lines: BTreeSet<u32> = accesses.filter_map(|access| fix.line_of_statement(access.line)).collect();
            let runs = settings.trying(Trial::Runs, effort, deadline.at_least(LEAST));
            let reached = |line: &u32| {
                let changed = failing_at(again, &imported.file, *line);
                changed.and_then(|changed| verdict(changed, &runs)) == Some(Verdict::Defect)
            };
            lines.iter().all(reached)
        };
        (is_verified && (!candidate.may_hide || are_reached(&again))).then_some(fix)
    })?;
    // A kernel that is verified as it is has its races in another launch.
    let as_it_is = settings.trying(Trial::Proof, EFFORT, Deadline::after(EFFORT));
    (decide(imported, &as_it_is)?.verdict != Verdict::Verified).then_some(fix)
}

/// Changes to try.
#[derive(Default)]
struct Candidate {
    insertions: Vec<(Point, Statement)>,
    changes: Vec<operations::Change>,
    /// Changes of the source alone, which is compiled for the kernel.
    of_source: Fix,
    /// Whether the accesses of the races may not be executed any more, or threads wait for ever.
    may_hide: bool,
}

impl Candidate {
    /// A change of the source alone. Where lines go, the race may merely be hidden.
    fn of_source(of_source: Fix) -> Self {
        Self { may_hide: !of_source.removals.is_empty(), of_source, ..Self::default() }
    }

    fn of_words(replacements: Vec<Replacement>) -> Self {
        Self::of_source(Fix { replacements, ..Fix::default() })
    }

    /// The changes of the source.
    fn fix(&self) -> Fix {
        let insertion = |(point, statement): &(Point, Statement)| Insertion {
            file: point.file.clone(),
            line: point.line,
            indentation: point.indentation.clone(),
            statement: statement.text.to_owned(),
        };
        let mut fix = self.of_source.clone();
        fix.insertions.extend(self.insertions.iter().map(insertion));
        fix.insertions.sort();
        fix.replacements.extend(self.changes.iter().map(|change| change.replacement.clone()));
        fix.replacements.sort();
        fix
    }
}

/// The kernel in which an assertion fails before each access and other action of a line.
fn failing_at(kernel: &Kernel, file: &str, line: u32) -> Option<VerifiedKernel> {
    let mut changed = kernel.clone();
    for block in kernel.blocks.keys() {
        let at = |instruction: &Instruction| {
            let is_there = operations::place(kernel, file, *instruction).is_some_and(|(of, _)| of == line);
            is_there && !kernel.instructions[*instruction].operation.is_computation()
        };
        let Some(index) = kernel.blocks[block].instructions.iter().position(at) else { continue };
        let before = changed.blocks[block].instructions.len();
        let never = changed.append(block, Operation::Constant(Bits::zero(1)), Type::Bool, None);
        changed.append_effect(block, Operation::Assert(never, AssertKind::User), None);
        let instructions = &mut changed.blocks[block].instructions;
        let assertion = instructions.split_off(before);
        instructions.splice(index..index, assertion);
    }
    verify(changed).ok()
}

/// The kernel with these changes.
fn changed(kernel: &Kernel, candidate: &Candidate) -> Option<VerifiedKernel> {
    let mut changed = kernel.clone();
    for change in &candidate.changes {
        operations::change(&mut changed, &change.operations);
    }
    let places =
        candidate.insertions.iter().flat_map(|(point, statement)| point.at.iter().map(move |at| (*at, statement)));
    let mut places: Vec<_> = places.collect();
    // From the end of each block, so that positions stay.
    places.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    for ((block, index), statement) in places {
        let next = changed.blocks[block].instructions.get(index).copied();
        let location = next.map_or(changed.blocks[block].location, |next| changed.instructions[next].location);
        let data = InstructionData { operation: statement.operation.clone(), result: None, location };
        let instruction = changed.instructions.push(data);
        changed.blocks[block].instructions.insert(index, instruction);
    }
    verify(changed).ok()
}

/// The changes to try, those of one line first.
fn candidates(
    (kernel, file): (&Kernel, &str),
    races: &[&Finding],
    all: &[Point],
    (sources, is_refuted): (&mut Sources, &dyn Fn(&Candidate) -> bool),
) -> Vec<Candidate> {
    let is_within = races.iter().all(|race| race.scope == Some(race::WITHIN_GROUP));
    let lacks_order = races.iter().any(|race| !race.lacks.is_empty());
    let (barrier, near) = (barrier(kernel.language, races, kernel), near(all, races));
    let at_signals = near_signals(kernel, all, races);
    let mut found: Vec<Candidate> = Vec::new();
    found.extend(moves::without_unlock(kernel, races, file, sources).into_iter().map(Candidate::of_source));
    let changes = operations::changes(kernel, races, file, sources);
    found.extend(changes.map(|changes| Candidate { changes, ..Candidate::default() }));
    let words = [updates::words(kernel, races, sources), waits::words(kernel, races, sources)].concat();
    found.extend(words.into_iter().map(Candidate::of_words));
    let mut lines = Vec::new();
    if is_within {
        if let Some(of_warp) = barrier_of_warp(kernel.language, races) {
            lines.extend(near.iter().take(OF_WARP).map(|place| vec![((*place).clone(), of_warp.clone())]));
        }
        lines.extend(placed(&near, &barrier));
        if kernel.language == Language::Cuda {
            // One lane may arrive for its warp.
            let (of_warp, arrivals) = (barrier_of_a_warp(), operations::lines(kernel, file, is_arrival));
            let is_beside = |place: &&&Point| arrivals.range(place.line..place.line + 3).next().is_some();
            let beside = near.iter().filter(is_beside).take(OF_WARP);
            lines.extend(beside.map(|place| vec![((*place).clone(), of_warp.clone())]));
        }
    } else if may_signal(kernel) && !lacks_order {
        // One thread may signal for its group, before or behind a barrier that is missing.
        let mut places: Vec<&Point> = Vec::new();
        for place in near.iter().take(SINGLE).zip(&at_signals).flat_map(|(one, other)| [*one, *other]) {
            if !places.iter().any(|known| (&known.file, known.line) == (&place.file, place.line)) {
                places.push(place);
            }
        }
        lines.extend(places.into_iter().map(|place| vec![(place.clone(), barrier.clone())]));
    }
    let everywhere = |statement: &Statement| {
        let insertions = all.iter().map(|point| (point.clone(), statement.clone())).collect();
        Candidate { insertions, ..Candidate::default() }
    };
    // If fences everywhere mend nothing, one or two do not.
    if let Some(fence) = fence(kernel, is_within).filter(|fence| !is_refuted(&everywhere(fence))) {
        let fences = placed(&at_signals, &fence);
        lines.splice(if lacks_order { 0..0 } else { lines.len()..lines.len() }, fences);
    }
    found.extend(lines.into_iter().map(|insertions| Candidate { insertions, ..Candidate::default() }));
    if !lacks_order {
        found.extend(moves::past_signals(kernel, races, file, sources).into_iter().map(Candidate::of_source));
        let words = conditions::words(kernel, races, file, sources).into_iter();
        found.extend(words.map(|words| Candidate { may_hide: true, ..Candidate::of_words(words) }));
    }
    found
}

/// One statement at each place, and then at two.
fn placed(places: &[&Point], statement: &Statement) -> Vec<Vec<(Point, Statement)>> {
    let at = |point: &Point| (point.clone(), statement.clone());
    let single = places.iter().take(SINGLE).map(|point| vec![at(point)]);
    let few: Vec<&&Point> = places.iter().take(OF_TWO).collect();
    let pairs = few
        .iter()
        .enumerate()
        .flat_map(|(index, one)| few[index + 1..].iter().map(move |other| vec![at(one), at(other)]));
    single.chain(pairs).collect()
}

/// The places between the accesses of races, from the later access upwards, and then those around.
fn near<'a>(all: &'a [Point], races: &[&Finding]) -> Vec<&'a Point> {
    let mut found: Vec<(u32, u32, &Point)> = Vec::new();
    for race in races {
        let [one, other] = race.accesses.as_slice() else { continue };
        let (first, last) = (one.line.min(other.line), one.line.max(other.line));
        for point in all.iter().filter(|point| point.file == one.file && point.file == other.file) {
            let (rank, distance) = match point.line {
                line if line >= first && line <= last => (0, last - line),
                line if line > last => (1, line - last),
                line => (2, first - line),
            };
            found.push((rank, distance, point));
        }
    }
    found.sort_by_key(|(rank, distance, _)| (*distance > NEAR, *rank, *distance));
    let mut seen = BTreeSet::new();
    found.into_iter().map(|(_, _, point)| point).filter(|point| seen.insert((&point.file, point.line))).collect()
}

/// The places before and behind the lines with atomic or volatile accesses or with arrivals, the
/// nearest first. All places are in one file.
///
/// Where the races say which operations lack an order, these are first: places before an operation
/// that does not release, and behind one that does not acquire.
fn near_signals<'a>(kernel: &Kernel, all: &'a [Point], races: &[&Finding]) -> Vec<&'a Point> {
    let is_signal = |operation: &Operation| operations::is_strong(operation) || is_arrival(operation);
    let lines = all.first().map(|point| operations::lines(kernel, &point.file, is_signal)).unwrap_or_default();
    let distance = |point: &Point| lines.iter().map(|line| line.abs_diff(point.line)).min().unwrap_or(u32::MAX);
    let lacks = || races.iter().flat_map(|race| &race.lacks);
    let from_lack = |point: &Point| {
        let of_file = lacks().filter(|lack| lack.file == point.file);
        let behind = of_file.filter_map(|lack| match lack.order {
            Order::Release => lack.line.checked_sub(point.line),
            Order::Acquire => point.line.checked_sub(lack.line + 1),
            Order::Scope => None,
        });
        behind.filter(|distance| *distance <= NEAR).min().unwrap_or(u32::MAX)
    };
    let mut found: Vec<&Point> = all.iter().collect();
    found.sort_by_key(|point| (from_lack(point), distance(point)));
    found
}

/// A barrier of the group that orders what the races access.
fn barrier(language: Language, races: &[&Finding], kernel: &Kernel) -> Statement {
    let is_local = |name: &str| kernel.arrays.values().any(|data| data.name == name && data.space == Space::Local);
    let are_local = races.iter().all(|race| race.array.as_deref().is_some_and(is_local));
    let (text, spaces) = match (language, are_local) {
        (Language::OpenCl, true) => ("barrier(CLK_LOCAL_MEM_FENCE);", SpaceSet { local: true, ..SpaceSet::NONE }),
        (Language::OpenCl, false) => (
            "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
            SpaceSet { local: true, global: true, ..SpaceSet::NONE },
        ),
        _ => ("__syncthreads();", SpaceSet::ALL),
    };
    Statement { text, operation: Operation::Barrier { kind: BarrierKind::Group, spaces, flags: None } }
}

/// The number of an access's thread in its block, the first dimension first.
fn number_in_block(access: &AccessShown, block: &[u64]) -> u64 {
    access.thread.iter().zip(block).rev().fold(0, |number, (id, size)| number * size + id)
}

/// A barrier of the warp, if all races are between threads of one warp of 32.
fn barrier_of_warp(language: Language, races: &[&Finding]) -> Option<Statement> {
    let warp = |access: &AccessShown, block: &[u64]| number_in_block(access, block) / WARP;
    let is_of_warp = |race: &&Finding| match race.accesses.as_slice() {
        [one, other] => warp(one, &race.block) == warp(other, &race.block),
        _ => false,
    };
    let is_meant = language == Language::Cuda && races.iter().all(is_of_warp);
    is_meant.then(barrier_of_a_warp)
}

fn barrier_of_a_warp() -> Statement {
    let operation = Operation::Barrier { kind: BarrierKind::Warp { mask: None }, spaces: SpaceSet::ALL, flags: None };
    Statement { text: "__syncwarp();", operation }
}

/// Whether an operation may be an arrival for others.
fn is_arrival(operation: &Operation) -> bool {
    let arrives = |kind: &BarrierKind| matches!(kind, BarrierKind::Named { .. } | BarrierKind::Arrive { .. });
    match operation {
        Operation::Phase { .. } => true,
        Operation::Barrier { kind, .. } => arrives(kind),
        _ => false,
    }
}

/// Whether some operations are those by which threads signal each other.
fn may_signal(kernel: &Kernel) -> bool {
    let is_atomic = |operation: &Operation| matches!(operation, Operation::Atomic { .. } | Operation::Fence { .. });
    kernel.instructions.values().any(|data| is_atomic(&data.operation))
}

/// A fence for all threads that race, in a kernel whose threads may signal each other.
fn fence(kernel: &Kernel, is_within: bool) -> Option<Statement> {
    if !may_signal(kernel) || !matches!(kernel.language, Language::Cuda | Language::Hip) {
        return None;
    }
    let (text, scope) =
        if is_within { ("__threadfence_block();", Scope::Group) } else { ("__threadfence();", Scope::Device) };
    let ordering = Ordering::SequentiallyConsistent;
    Some(Statement { text, operation: Operation::Fence { ordering, scope, spaces: SpaceSet::ALL } })
}
