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
//! launch allow.

use std::collections::BTreeMap;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Kernel, ParameterKind, Type};

use crate::frontend::ImportedKernel;
use crate::frontend::assume::evaluate::Number;
use crate::launch::LaunchRequest;
use crate::pipeline::given::Given;
use crate::pipeline::precondition::launch_of;
use crate::pipeline::settings::Settings;
use crate::replay::Replay;
use crate::verdict::hinge::Hinge;
use crate::verdict::{Finding, KernelReport, Verdict, rule};

/// Other numbers, which most kernels are right for if they are for any.
const OTHERS: [i128; 3] = [64, 1024, 4096];

/// The step between other numbers of several parameters, as of a pitch and the size of a slice.
const STEP: i128 = 16;

/// The most findings that are run with other numbers, and the most of these.
const MOST_FINDINGS: usize = 6;
const MOST_NUMBERS: usize = 4;

/// Takes the defects that hinge on such numbers for possible ones.
pub fn doubt(
    imported: &ImportedKernel,
    given: &Given,
    request: &LaunchRequest,
    settings: &Settings,
    report: &mut KernelReport,
) {
    let kernel = given.for_runs();
    if report.verdict != Verdict::Defect || request.computed_elsewhere.is_empty() {
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
    let replay = (!settings.no_replay && !elsewhere.is_empty())
        .then(|| Replay::new(kernel, &given.options, request.global_offset, warp_size));
    let mut left = MOST_FINDINGS;
    let (offset, mut any) = (report.offset.clone(), false);
    for finding in report.findings.iter_mut().filter(|finding| finding.confirmed) {
        let by_runs = |replay: &Replay<'_>, left: &mut usize| {
            *left = left.checked_sub(1)?;
            excused_by(imported, kernel, (finding, &offset), (request, replay), &elsewhere)
        };
        let name = hinging(finding).or_else(|| by_runs(replay.as_ref()?, &mut left));
        if let Some(name) = name {
            finding.confirmed = false;
            finding.hinges.insert(0, Hinge::OfHost { name });
            any = true;
        }
    }
    if any {
        rule::settle(report, Vec::new(), settings.possible);
    }
}

/// The parameter, or the parameters, with another number of which a launch does not have the defect
/// of a finding.
fn excused_by(
    imported: &ImportedKernel,
    kernel: &Kernel,
    (finding, offset): (&Finding, &[u32]),
    (request, replay): (&LaunchRequest, &Replay<'_>),
    elsewhere: &[&str],
) -> Option<String> {
    let launch = launch_of(imported, kernel, finding, offset);
    let shows = |arguments: &BTreeMap<String, Number>| {
        let arguments: Vec<(&str, i128)> =
            arguments.iter().map(|(name, value)| (name.as_str(), value.value())).collect();
        replay.shows(&launch.local, &launch.groups, &arguments, finding)
    };
    let names: Vec<&str> = elsewhere.iter().copied().filter(|name| launch.arguments.contains_key(*name)).collect();
    if names.is_empty() || names.len() > MOST_NUMBERS || shows(&launch.arguments) != Some(true) {
        return None;
    }
    let sizes = [launch.local, launch.groups].map(|sizes| sizes.map(|size| u32::try_from(size).unwrap_or(u32::MAX)));
    let excuses = |changes: &Vec<(&str, i128)>| {
        let mut arguments = launch.arguments.clone();
        for (name, value) in changes {
            arguments.insert((*name).to_owned(), Number::new(*value, *imported.integers.get(*name)?));
        }
        Some(is_allowed(kernel, request, &arguments, sizes) && !shows(&arguments)?)
    };
    let found = other_numbers(&names).into_iter().find(|changes| excuses(changes) == Some(true))?;
    Some(found.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" and "))
}

/// Other numbers for parameters: for each alone, and for all together.
fn other_numbers<'n>(names: &[&'n str]) -> Vec<Vec<(&'n str, i128)>> {
    let mut all: Vec<Vec<(&str, i128)>> =
        names.iter().flat_map(|&name| OTHERS.map(|value| vec![(name, value)])).collect();
    if names.len() > 1 {
        all.extend(OTHERS.map(|value| names.iter().map(|&name| (name, value)).collect()));
        let rising = || std::iter::successors(Some(OTHERS[0]), |value| value.checked_mul(STEP));
        all.push(names.iter().copied().zip(rising()).collect());
        all.push(names.iter().rev().copied().zip(rising()).collect());
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
