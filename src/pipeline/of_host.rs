//! Defects that hinge on numbers which the host computes elsewhere.
//!
//! A run shows a defect in a launch with a certain `n`. If `n` is a member of an object, say, then
//! the host may have checked or computed it where that is not followed, and never pass this value.
//! Such a finding is only possible. In the launch that the program makes without options all
//! numbers are known, so a defect there is one of the program; and a defect that hinges on no
//! number is one of every launch.
//!
//! A search tells for some defects on which numbers they hinge. For others, runs do: the launch has
//! a defect of that kind, and it has none with another number, which the known relations of the
//! launch allow. The size of groups may be such a number as well.

use std::collections::BTreeMap;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Kernel, ParameterKind, Type};

use crate::findings;
use crate::frontend::ImportedKernel;
use crate::frontend::assume::evaluate::Number;
use crate::launch::LaunchRequest;
use crate::pipeline::given::Given;
use crate::pipeline::launches::AskedLaunch;
use crate::pipeline::own_groups::are_elsewhere;
use crate::pipeline::precondition::launch_of;
use crate::pipeline::settings::Settings;
use crate::pipeline::settle;
use crate::replay::Replay;
use crate::verdict::hinge::Hinge;
use crate::verdict::{Finding, KernelReport, Verdict};

/// Other numbers, which most kernels are right for if they are for any.
const OTHERS: [i128; 4] = [8, 64, 1024, 4096];

/// The smallest of them that counts below the number of a race: few elements leave most threads
/// without work, which excuses nothing.
const USUAL: i128 = 64;

/// Other numbers for two parameters, as for a pitch and the size of a slice.
const SMALLER: i128 = 1024;
const LARGER: i128 = 65_536;

/// The number of others that are tried together with other sizes of groups.
const FITTING: usize = 2;

/// The most findings that are run with other numbers, and the most of these.
const MOST_FINDINGS: usize = 16;
const MOST_NUMBERS: usize = 12;

/// The most parameters that get other numbers together.
const FEW: usize = 6;

/// Takes the defects that hinge on such numbers for possible ones.
pub fn doubt(
    imported: &ImportedKernel,
    given: &Given,
    asked: &AskedLaunch,
    settings: &Settings,
    report: &mut KernelReport,
) {
    let (kernel, request) = (given.for_runs(), &asked.request);
    let of_groups = are_elsewhere(asked);
    if report.verdict != Verdict::Defect || (request.computed_elsewhere.is_empty() && !of_groups) {
        return;
    }
    let is_elsewhere = |name: &str| {
        let index = kernel.parameters.iter().position(|parameter| parameter.name == name);
        index.is_some_and(|index| request.computed_elsewhere.contains(&index))
    };
    let hinging = |finding: &Finding| {
        finding.hinges.iter().find_map(|hinge| match hinge {
            Hinge::Parameter { name, .. } if is_elsewhere(name) => Some(name.clone()),
            _ => None,
        })
    };
    let elsewhere: Vec<&str> = kernel
        .parameters
        .iter()
        .filter(|parameter| {
            matches!(parameter.kind, ParameterKind::Scalar(Type::Bits(_))) && is_elsewhere(&parameter.name)
        })
        .map(|parameter| parameter.name.as_str())
        .collect();
    let warp_size = given.options.warp_size_for(kernel.language).min(64);
    let options = given.to_doubt();
    let replay = (!settings.no_replay && (of_groups || !elsewhere.is_empty()))
        .then(|| Replay::new(kernel, &options, request.global_offset, warp_size));
    let (mut left, mut known) = (MOST_FINDINGS, Vec::new());
    let offset = report.offset.clone();
    let elsewhere = Elsewhere { parameters: &elsewhere, of_groups };
    settle::doubt(report, settings, |finding| {
        let mut by_runs = || {
            left = left.checked_sub(1)?;
            let running = (request, replay.as_ref()?);
            let other = excused_by(imported, kernel, (finding, &offset), running, (elsewhere, &known))?;
            let said = other.said();
            known.retain(|one| *one != other);
            known.insert(0, other);
            Some(said)
        };
        hinging(finding).or_else(&mut by_runs).map(|name| Hinge::OfHost { name })
    });
}

/// The numbers that the host computes elsewhere.
#[derive(Clone, Copy)]
struct Elsewhere<'a> {
    /// The parameters.
    parameters: &'a [&'a str],
    /// Whether the open sizes of groups are.
    of_groups: bool,
}

/// Another launch: the numbers in which it differs from that of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Other {
    arguments: Vec<(String, i128)>,
    local: Option<[u64; 3]>,
}

impl Other {
    /// The differences in words.
    fn said(&self) -> String {
        let sizes = self.local.map(|_| "the size of groups");
        sizes.into_iter().chain(self.arguments.iter().map(|(name, _)| name.as_str())).collect::<Vec<_>>().join(" and ")
    }
}

/// Another launch that does not have the defect of a finding. Those that excuse other findings
/// are tried first.
fn excused_by(
    imported: &ImportedKernel,
    kernel: &Kernel,
    (finding, offset): (&Finding, &[u32]),
    (request, replay): (&LaunchRequest, &Replay<'_>),
    (elsewhere, known): (Elsewhere<'_>, &[Other]),
) -> Option<Other> {
    let launch = launch_of(imported, kernel, finding, offset);
    let shows = |arguments: &BTreeMap<String, Number>, [local, groups]: [[u64; 3]; 2]| {
        let arguments: Vec<(&str, i128)> =
            arguments.iter().map(|(name, value)| (name.as_str(), value.value())).collect();
        replay.shows(&local, &groups, &arguments, finding)
    };
    let is_passed = |name: &&str| launch.arguments.contains_key(*name);
    let names: Vec<&str> = elsewhere.parameters.iter().copied().filter(is_passed).take(MOST_NUMBERS).collect();
    let may_differ = !names.is_empty() || elsewhere.of_groups;
    if !may_differ || shows(&launch.arguments, [launch.local, launch.groups]) != Some(true) {
        return None;
    }
    let is_outside = finding.kind == findings::out_of_bounds::KIND;
    let is_usual = |(name, value): &(String, i128)| {
        is_outside || *value >= USUAL || launch.arguments.get(name).is_none_or(|known| known.value() < *value)
    };
    let excuses = |other: &Other| {
        let mut arguments = launch.arguments.clone();
        for (name, value) in &other.arguments {
            let Some(&integer) = imported.integers.get(name) else { return false };
            arguments.insert(name.clone(), Number::new(*value, integer));
        }
        let sizes = [other.local.unwrap_or(launch.local), launch.groups];
        let words = sizes.map(|sizes| sizes.map(|size| u32::try_from(size).unwrap_or(u32::MAX)));
        other.arguments.iter().all(is_usual)
            && is_allowed(kernel, request, &arguments, words)
            && shows(&arguments, sizes) == Some(false)
    };
    let others = others(&names, (elsewhere, request, launch.local));
    known.iter().chain(&others).find(|other| excuses(other)).cloned()
}

/// Other launches: in groups of other sizes with numbers that fit, as kernels for tiles need, in
/// groups of other sizes, and with other numbers. The first seldom take long.
fn others(names: &[&str], (elsewhere, request, local): (Elsewhere<'_>, &LaunchRequest, [u64; 3])) -> Vec<Other> {
    let sizes = if elsewhere.of_groups { other_sizes(request, local) } else { Vec::new() };
    let together = |value: i128| names.iter().map(|name| ((*name).to_owned(), value)).collect();
    let fitting = if names.is_empty() { &[][..] } else { &OTHERS[..FITTING] };
    let fit =
        |&local: &[u64; 3]| fitting.iter().map(move |&value| Other { arguments: together(value), local: Some(local) });
    let mut all: Vec<Other> = sizes.iter().flat_map(fit).collect();
    all.extend(sizes.iter().map(|&local| Other { local: Some(local), ..Other::default() }));
    all.extend(other_numbers(names).into_iter().map(|arguments| Other { arguments, ..Other::default() }));
    all
}

/// Other sizes of groups, where they are open: rows, and squares where two dimensions are.
fn other_sizes(request: &LaunchRequest, local: [u64; 3]) -> Vec<[u64; 3]> {
    let is_open = |at: &usize| match &request.local_size {
        None => true,
        Some(sizes) => sizes.get(*at).is_some_and(|size| size.known().is_none()),
    };
    let open: Vec<usize> = (0..3).filter(is_open).collect();
    let with = |sizes: [u64; 2]| {
        let mut changed = local;
        for (&at, size) in open.iter().zip(sizes.into_iter().chain([1])) {
            changed[at] = size;
        }
        changed
    };
    let rows = [32, 64, 128, 256, 512, 1024].map(|size| with([size, 1]));
    let squares = [4, 8, 16, 32].map(|size| with([size, size]));
    rows.into_iter().chain(squares).take(if open.len() > 1 { 10 } else { 6 }).collect()
}

/// Other numbers for parameters: for each alone, for all together, and for two.
fn other_numbers(names: &[&str]) -> Vec<Vec<(String, i128)>> {
    let of = |name: &&str, value: i128| ((*name).to_owned(), value);
    let mut all: Vec<Vec<(String, i128)>> =
        names.iter().flat_map(|name| OTHERS.map(|value| vec![of(name, value)])).collect();
    if (2..=FEW).contains(&names.len()) {
        all.extend(OTHERS.map(|value| names.iter().map(|name| of(name, value)).collect()));
        let pairs = names.iter().flat_map(|a| names.iter().map(move |b| (a, b))).filter(|(a, b)| a != b);
        all.extend(pairs.map(|(a, b)| vec![of(a, SMALLER), of(b, LARGER)]));
    }
    all
}

/// Whether the relations that are known of a launch allow these arguments.
fn is_allowed(
    kernel: &Kernel,
    request: &LaunchRequest,
    arguments: &BTreeMap<String, Number>,
    [local, groups]: [[u32; 3]; 2],
) -> bool {
    let values: Vec<Option<Bits>> = kernel
        .parameters
        .iter()
        .map(|parameter| match parameter.kind {
            ParameterKind::Scalar(Type::Bits(width)) => {
                Some(Bits::from_signed(width, arguments.get(&parameter.name)?.value()))
            }
            _ => None,
        })
        .collect();
    let ranges = request.ranges.iter().flat_map(|(number, range)| range.relations(number));
    ranges.chain(request.relations.iter().cloned()).all(|one| one.holds(&values, groups, local) != Some(false))
}
