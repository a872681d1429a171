//! Suggested fixes: changes of the source under which a kernel with data races is verified.
//!
//! Each candidate is a kernel with one or two more operations: barriers between the accesses of a
//! race within a group or a warp, or fences around what threads signal each other by. Or its
//! operations have what the findings say that they lack ([`operations`]), an update is atomic
//! ([`updates`]), or a wait for copies waits for more of them ([`waits`]). The places are
//! [`points`]: those at which a line of the source can stand.
//!
//! A candidate is suggested if the changed source, compiled anew, is verified ([`text`]). So a
//! suggestion is a change of the source that has been proved to mend the kernel, not the only one,
//! and the smallest one only among those that were tried. To save time, a few runs of the kernel
//! with the same change refute most candidates before.

mod operations;
mod points;
mod text;
mod updates;
mod waits;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use lockstep_ir::kernel::{
    BarrierKind, InstructionData, Kernel, Language, Operation, Ordering, Scope, Space, SpaceSet, VerifiedKernel, verify,
};

use crate::deadline::Deadline;
use crate::findings::race;
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

/// The effort of a trial. One that relies on synchronisation through memory has the effort of any
/// other proof, and a share of the time that is left.
const EFFORT: Duration = Duration::from_secs(2);
const SHARE: f64 = 0.8;

/// The most places for one operation, for each of two, and for a barrier of the warp.
const SINGLE: usize = 12;
const OF_TWO: usize = 4;
const OF_WARP: usize = 2;

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
    let races: Vec<&Finding> = report.findings.iter().collect();
    if races.is_empty() || races.iter().any(|finding| finding.kind != race::KIND) {
        return None;
    }
    let in_all = settings.prove.timeout.mul_f64(OF_TIME).clamp(IN_ALL[0], IN_ALL[1]);
    let deadline = Deadline::at(started).later(in_all).at_least(LEAST);
    let effort = if may_have_signals(kernel) { settings.prove.timeout } else { EFFORT };
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
    let candidates = candidates((kernel, &imported.file), &races, &all, (&mut sources, &is_refuted));
    let fix = candidates.into_iter().take_while(|_| !deadline.passed()).find_map(|candidate| {
        if candidate.words.is_empty() && is_refuted(&candidate) {
            return None;
        }
        let fix = candidate.fix();
        let again = text::imported(&fix, imported, input)?;
        let settings = settings.trying(Trial::Proof, effort, deadline.within(deadline.remaining().mul_f64(SHARE)));
        (verdict(again, &settings)? == Verdict::Verified).then_some(fix)
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
    words: Vec<Replacement>,
}

impl Candidate {
    /// The changes of the source.
    fn fix(&self) -> Fix {
        let insertion = |(point, statement): &(Point, Statement)| Insertion {
            file: point.file.clone(),
            line: point.line,
            indentation: point.indentation.clone(),
            statement: statement.text.to_owned(),
        };
        let mut insertions: Vec<Insertion> = self.insertions.iter().map(insertion).collect();
        insertions.sort();
        let replacements = self.changes.iter().map(|change| &change.replacement).chain(&self.words);
        let mut replacements: Vec<Replacement> = replacements.cloned().collect();
        replacements.sort();
        Fix { insertions, replacements }
    }
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
    let changes = operations::changes(kernel, races, file, sources);
    found.extend(changes.map(|changes| Candidate { changes, ..Candidate::default() }));
    let words = [updates::words(kernel, races, sources), waits::words(kernel, races, sources)].concat();
    found.extend(words.into_iter().map(|words| Candidate { words, ..Candidate::default() }));
    let mut lines = Vec::new();
    if is_within {
        if let Some(of_warp) = barrier_of_warp(kernel.language, races) {
            lines.extend(near.iter().take(OF_WARP).map(|place| vec![((*place).clone(), of_warp.clone())]));
        }
        lines.extend(placed(&near, &barrier));
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

/// The places before and behind the lines with atomic or volatile accesses, the nearest first.
///
/// Where the races say which operations lack an order, these are first: places before an operation
/// that does not release, and behind one that does not acquire.
fn near_signals<'a>(kernel: &Kernel, all: &'a [Point], races: &[&Finding]) -> Vec<&'a Point> {
    let is_signal = |operation: &Operation| match operation {
        Operation::Atomic { .. } => true,
        Operation::Load(access) | Operation::Store(access, _) => access.volatile,
        _ => false,
    };
    let signals = kernel.instructions.values().filter(|data| is_signal(&data.operation));
    let places = signals.filter_map(|data| data.location).map(|location| &kernel.locations[location]);
    let lines: BTreeSet<(&str, u32)> = places.map(|place| (kernel.files[place.file].as_str(), place.line)).collect();
    let distance = |point: &Point| {
        let of_file = lines.iter().filter(|(file, _)| *file == point.file);
        of_file.map(|(_, line)| line.abs_diff(point.line)).min().unwrap_or(u32::MAX)
    };
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

/// A barrier of the warp, if all races are between threads of one warp of 32.
fn barrier_of_warp(language: Language, races: &[&Finding]) -> Option<Statement> {
    let warp = |access: &AccessShown, block: &[u64]| {
        let dimensions = access.thread.iter().zip(block).rev();
        dimensions.fold(0, |number, (id, size)| number * size + id) / 32
    };
    let is_of_warp = |race: &&Finding| match race.accesses.as_slice() {
        [one, other] => warp(one, &race.block) == warp(other, &race.block),
        _ => false,
    };
    let operation = Operation::Barrier { kind: BarrierKind::Warp { mask: None }, spaces: SpaceSet::ALL, flags: None };
    let is_meant = language == Language::Cuda && races.iter().all(is_of_warp);
    is_meant.then_some(Statement { text: "__syncwarp();", operation })
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
