//! Findings: the meaning of a counterexample to the user, one file per kind.
//!
//! | code | kind |
//! |---|---|
//! | `LS0101` | [`race`] |
//! | `LS0102` | [`barrier_divergence`] |
//! | `LS0103` | [`group_operation_divergence`] |
//! | `LS0104` | [`assertion`] |
//! | `LS0105` | [`constant_write`] |
//! | `LS0106` | [`null_dereference`] |
//! | `LS0107` | [`out_of_bounds`] |
//! | `LS0108` | [`invariant_entry`] |
//! | `LS0109` | [`invariant_step`] |
//! | `LS0110` | [`warp_divergence`] |
//! | `LS0111` | [`lane_not_in_mask`] |
//! | `LS0112` | [`inactive_source`] |
//! | `LS0113` | [`misaligned_access`] |
//! | `LS0114` | [`uninitialised_read`] |
//! | `LS0115` | [`index_overflow`] |
//! | `LS0116` | [`unknown_target`] |
//! | `LS0117` | [`named_barrier`] |
//! | `LS0118` | [`volatile_race`] |
//! | `LS0119` | [`narrow_scope`] |
//! | `LS0120` | [`missing_release`] |
//! | `LS0121` | [`missing_acquire`] |
//! | `LS0122` | [`missing_order`] |
//! | `LS0123` | [`endless_wait`] |
//! | `LS0124` | [`different_locks`] |
//! | `LS0125` | [`unlocked_by_others`] |

pub mod assertion;
pub mod barrier_divergence;
pub mod cause;
pub mod constant_write;
pub mod different_locks;
pub mod endless_wait;
pub mod examples;
pub mod group_operation_divergence;
pub mod inactive_source;
pub mod index_overflow;
pub mod invariant_entry;
pub mod invariant_step;
pub mod lane_not_in_mask;
pub mod manual;
pub mod misaligned_access;
pub mod missing_acquire;
pub mod missing_order;
pub mod missing_release;
pub mod named_barrier;
pub mod narrow_scope;
pub mod null_dereference;
pub mod out_of_bounds;
pub mod race;
mod run;
pub mod undecided;
pub mod uninitialised_read;
pub mod unknown_target;
pub mod unlocked_by_others;
pub mod volatile_race;
pub mod warp_divergence;

use lockstep_ir::kernel::Language;
use lockstep_ir::sequential::{Claim, ObligationKind, Program};
use lockstep_prove::Counterexample;
use lockstep_verdict::act::Act;
use lockstep_verdict::{AccessShown, Finding};

use manual::{Kind, kinds};
pub use run::{Run, number};

/// Every kind, in the order of the codes.
pub const KINDS: [Kind; 25] = kinds![
    race,
    barrier_divergence,
    group_operation_divergence,
    assertion,
    constant_write,
    null_dereference,
    out_of_bounds,
    invariant_entry,
    invariant_step,
    warp_divergence,
    lane_not_in_mask,
    inactive_source,
    misaligned_access,
    uninitialised_read,
    index_overflow,
    unknown_target,
    named_barrier,
    volatile_race,
    narrow_scope,
    missing_release,
    missing_acquire,
    missing_order,
    endless_wait,
    different_locks,
    unlocked_by_others,
];

/// The findings of a program's counterexamples, without repetitions. A race found from both sides
/// is one finding. Each finding comes with its counterexample.
pub fn findings<'a>(
    program: &Program,
    counterexamples: &'a [Counterexample],
    language: Language,
) -> Vec<(Finding, &'a Counterexample)> {
    let mut findings: Vec<(Finding, &Counterexample)> = Vec::new();
    for counterexample in counterexamples {
        let found = finding(&Run { program, counterexample, language });
        if !findings.iter().any(|(known, _)| same_defect(known, &found)) {
            findings.push((found, counterexample));
        }
    }
    findings
}

/// The finding of one counterexample.
fn finding(run: &Run<'_>) -> Finding {
    match &run.program.obligations[run.counterexample.obligation].kind {
        &ObligationKind::Race { logged, checked } => race::finding(run, logged, checked),
        ObligationKind::BarrierDivergence { .. } => barrier_divergence::finding(run),
        ObligationKind::GroupOperationDivergence => group_operation_divergence::finding(run),
        ObligationKind::WarpDivergence { .. } => warp_divergence::finding(run),
        &ObligationKind::Claim { claim, thread } => match claim {
            Claim::Assertion => assertion::finding(run, thread),
            Claim::KnownTarget => unknown_target::finding(run, thread),
            Claim::ConstantWrite => constant_write::finding(run, thread),
            Claim::NullDereference => null_dereference::finding(run, thread),
            Claim::LaneInMask => lane_not_in_mask::finding(run, thread),
            Claim::ActiveSource => inactive_source::finding(run, thread),
            Claim::Alignment => misaligned_access::finding(run, thread),
            Claim::Initialised => uninitialised_read::finding(run, thread),
            Claim::Overflow => index_overflow::finding(run, thread),
        },
        ObligationKind::OutOfBounds { array, cells, cell_bytes, cell, thread, element } => {
            let (cells, cell_bytes, element) = (*cells, *cell_bytes, element.as_ref());
            let array = out_of_bounds::Bounds { array, cells, cell_bytes, element };
            out_of_bounds::finding(run, &array, *cell, *thread)
        }
        &ObligationKind::NamedBarrier(rule) => named_barrier::finding(run, rule),
        ObligationKind::Signal(_) => unreachable!("no defect is looked for in a program with signals"),
        ObligationKind::Digits { .. } => unreachable!("no defect is looked for in a program with digits"),
        ObligationKind::InvariantEntry => invariant_entry::finding(run),
        ObligationKind::InvariantStep => invariant_step::finding(run),
    }
}

/// Whether two findings are about the same defect. They are if they have the same kind at the same
/// places, whichever thread is first.
pub fn same_defect(a: &Finding, b: &Finding) -> bool {
    a.scope == b.scope && same_places(a, b)
}

/// Whether two findings are of the same kind at the same places, within a group or between groups.
pub fn same_places(a: &Finding, b: &Finding) -> bool {
    let places = |finding: &Finding| {
        let mut places: Vec<_> = finding.accesses.iter().map(place).collect();
        places.sort();
        places
    };
    a.kind == b.kind && a.array == b.array && places(a) == places(b)
}

type Place = (String, u32, u32, Act, Vec<(String, u32, u32)>);

fn place(access: &AccessShown) -> Place {
    let stack = access.stack.iter().map(|frame| (frame.file.clone(), frame.line, frame.column)).collect();
    (access.file.clone(), access.line, access.column, access.act, stack)
}
