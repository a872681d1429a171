//! The picture of a finding: from the run that confirmed it, or else from the proof, as far as
//! these show it.

use std::collections::BTreeSet;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{ArrayData, ArrayOrigin, Operation, VerifiedKernel};
use lockstep_ir::sequential::{ObligationKind, Program};
use num_traits::ToPrimitive;

use crate::analysis::accesses::for_each_access;
use crate::prove::Counterexample;
use crate::replay::Replay;
use crate::verdict::act::Act;
use crate::verdict::picture::{ArrayShape, Picture, Touched, Way, WayEnd};
use crate::verdict::{AccessShown, Finding};

/// The picture of a finding that still lists all dimensions.
pub fn of(
    finding: &Finding,
    program: &Program,
    counterexample: &Counterexample,
    kernel: &VerifiedKernel,
    replay: Option<&Replay<'_>>,
) -> Picture {
    let array = finding.array.as_ref().and_then(|name| kernel.arrays.values().find(|data| data.name == *name));
    let array = array.filter(|data| !matches!(data.origin, ArrayOrigin::Image { .. }));
    let shape = array.map(shape);
    let of_run = replay.filter(|_| finding.confirmed).and_then(|replay| replay.picture(finding));
    let (touched, ways) = of_run.unwrap_or_else(|| {
        // The proof is about other numbers than a finding that a run has confirmed.
        let touched = if finding.confirmed { Vec::new() } else { proved(finding, program, counterexample, kernel) };
        (touched, without_barriers(finding, kernel))
    });
    let width = |access: &AccessShown| bytes_of(kernel, access);
    let missing = |(touched, access): (Option<Touched>, &AccessShown)| {
        let touched = touched?;
        Some(Touched { bytes: if touched.bytes > 0 { touched.bytes } else { width(access)? }, ..touched })
    };
    let touched = touched.into_iter().zip(&finding.accesses).map(missing).collect();
    Picture { array: shape, touched, ways }
}

fn shape(data: &ArrayData) -> ArrayShape {
    let element = data.element.as_ref().filter(|element| element.bytes > 0);
    ArrayShape {
        name: data.name.clone(),
        element: element.map(|element| element.name.clone()),
        element_bytes: element.map_or(1, |element| element.bytes),
        dimensions: element.map_or_else(Vec::new, |element| element.dimensions.clone()),
        bytes: data.size,
    }
}

/// The first byte of each access in the execution of the counterexample, which does not give the
/// number of bytes.
fn proved(
    finding: &Finding,
    program: &Program,
    counterexample: &Counterexample,
    kernel: &VerifiedKernel,
) -> Vec<Option<Touched>> {
    let Some(offsets) = &counterexample.offsets else { return Vec::new() };
    let (cell_bytes, watched) = match &program.obligations[counterexample.obligation].kind {
        ObligationKind::Race { logged, .. } => {
            (program.arrays[program.sites[*logged].array].cell_bytes, finding.offset_bytes)
        }
        ObligationKind::OutOfBounds { cell_bytes, .. } => (*cell_bytes, None),
        _ => return Vec::new(),
    };
    let touched = |(offset, access): (&Bits, &AccessShown)| {
        let first = offset.signed().to_i64()?.checked_mul(i64::try_from(cell_bytes).ok()?)?;
        let bytes = bytes_of(kernel, access)?;
        // An access listed at several places, as in a copy, has its first byte elsewhere.
        let meets = watched
            .and_then(|byte| i64::try_from(byte).ok())
            .is_none_or(|byte| (first..first.saturating_add(i64::try_from(bytes).unwrap_or(i64::MAX))).contains(&byte));
        meets.then_some(Touched { first, bytes })
    };
    offsets.iter().zip(&finding.accesses).map(touched).collect()
}

/// The number of bytes of the accesses at a place of the source, if it is the same for all.
fn bytes_of(kernel: &VerifiedKernel, access: &AccessShown) -> Option<u64> {
    let mut all = BTreeSet::new();
    for data in kernel.instructions.values() {
        let place = data.location.map(|location| &kernel.locations[location]);
        let is_here = place.is_some_and(|place| {
            (place.line, place.column) == (access.line, access.column) && kernel.files[place.file] == access.file
        });
        if is_here && access.line > 0 {
            for_each_access(kernel, &data.operation, data.result, |shape| {
                let fits = match access.act {
                    Act::Read => !shape.writes && !shape.atomic,
                    Act::Write => shape.writes && !shape.atomic,
                    Act::Atomic => shape.atomic,
                    _ => true,
                };
                if fits {
                    all.insert(shape.bytes);
                }
            });
        }
    }
    all.first().copied().flatten().filter(|_| all.len() == 1)
}

/// The ways to the accesses in a kernel without any barrier.
fn without_barriers(finding: &Finding, kernel: &VerifiedKernel) -> Vec<Way> {
    let has_barrier = kernel.instructions.values().any(|data| matches!(data.operation, Operation::Barrier { .. }));
    if has_barrier {
        return Vec::new();
    }
    finding.accesses.iter().map(|_| Way { passed: Vec::new(), end: WayEnd::There, after: Vec::new() }).collect()
}
