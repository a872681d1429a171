//! Counterexamples that a run contradicts.
//!
//! A run without the defect means nothing in general. The counterexample may rest on values that
//! the proof does not know and that differ in the run. Such values are results of loads from
//! written memory, floats, and results of functions known by name only. The run is significant if
//! there are no such values, so that counterexample and run describe the same execution. This is
//! taken to be the case only if all of these hold:
//!
//! 1. The finding is a race or an access out of bounds. (A statement of the source may concern
//!    threads that do not exist, which a run cannot check. About barriers, the proof is stricter
//!    than a run: it distinguishes the iterations in which threads come to one.) The counterexample
//!    depends on no arbitrary value, and has a number for each parameter.
//! 2. The kernel computes with integers alone and accesses memory by plain loads and stores. Its
//!    only operation that waits is the barrier of the group. It has no floats, functions by name,
//!    undefined values, atomics, fences, images, copies, or addresses as numbers.
//! 3. Each load is from an array that nobody writes and whose contents the counterexample gives.
//!    The run's arrays have only these contents. An access beyond them is visible, and then nothing
//!    is concluded.
//! 4. The run comes to its end without any fault, both when threads run one after the other and
//!    when all take turns. So no assumption is violated, no access leaves an array, and there is no
//!    defect, this one or another. The defect is not compared with the finding, because code
//!    without debug information may have other places or none. Two writes of the same value count
//!    as a race here: of two writes by one thread, the detector compares the values of the last one
//!    alone.
//!
//! *Argument.* By 2 and 3, the behaviour of a thread depends only on sizes, ids, parameters and
//! given contents, not on other threads. A barrier changes when the thread continues, not what it
//! does. So in any run the two threads behave as in the counterexample, up to the first fault. A
//! race between them is found in any run that has both accesses, as the detector orders accesses by
//! barriers alone here and watches these two threads only. A fault of one thread by itself happens
//! in every run. If the run has no fault, the two do not agree, and one of them is wrong: the
//! sequential program, or the interpreter. The finding is then not reported. This is no proof
//! either. The kernel is `unknown` unless another finding stands, and the reason says why, as it is
//! a fault in Lockstep.
//!
//! If any of these conditions fails, the finding is reported as a possible one.

use std::collections::BTreeSet;

use lockstep_findings as kinds;
use lockstep_interpreter::{Input, Ran};
use lockstep_ir::kernel::{
    Array, ArrayOrigin, BarrierKind, ConvertOp, Kernel, Operation, ParameterKind, Space, Type, UnaryOp,
};
use lockstep_ir::source::Place;
use lockstep_prove::Counterexample;
use lockstep_transform::analysis::pointers::points_to;
use lockstep_verdict::reason::Reason;
use lockstep_verdict::{AccessShown, Finding};

use super::contents;

/// The arrays that a kernel loads from, if its behaviour is determined by its inputs (2); otherwise
/// `None`.
pub fn loaded(kernel: &Kernel) -> Option<BTreeSet<Array>> {
    let has_floats = kernel.values.values().any(|value| matches!(value.ty, Type::Float(_)));
    if has_floats || !kernel.instructions.values().all(|data| is_determined(&data.operation)) {
        return None;
    }
    let known = points_to(kernel);
    let mut arrays = BTreeSet::new();
    for data in kernel.instructions.values() {
        if let Operation::Load(access) = &data.operation {
            let targets = &known[access.pointer];
            if targets.unknown || targets.elsewhere || targets.null {
                return None;
            }
            arrays.extend(targets.arrays.iter().copied());
        }
    }
    Some(arrays)
}

/// Whether an operation has the same effect in every run in which a thread has the same numbers.
fn is_determined(operation: &Operation) -> bool {
    match operation {
        Operation::Constant(_)
        | Operation::Parameter(_)
        | Operation::ThreadQuery(_)
        | Operation::Contents(_)
        | Operation::Unary(UnaryOp::Not | UnaryOp::Negate, _)
        | Operation::Binary(..)
        | Operation::Compare(..)
        | Operation::Select(..)
        | Operation::Convert(ConvertOp::ZeroExtend | ConvertOp::SignExtend | ConvertOp::Truncate, _)
        | Operation::Extract { .. }
        | Operation::Concat(..)
        | Operation::ArrayBase(_)
        | Operation::PointerAdd { .. }
        | Operation::SpaceCast(_)
        | Operation::Barrier { kind: BarrierKind::Group, flags: None, .. }
        | Operation::Assume(..)
        | Operation::Assert(..) => true,
        Operation::Load(access) | Operation::Store(access, _) => !access.volatile,
        // Operations that are not listed might not be determined.
        _ => false,
    }
}

/// Whether a run with the counterexample's values is its execution (1 and 3), given the arrays that
/// the kernel loads from. If so, this limits the arrays in `input` to the given contents.
pub fn is_told(
    kernel: &Kernel,
    loaded: &BTreeSet<Array>,
    finding: &Finding,
    counterexample: &Counterexample,
    input: &mut Input,
) -> bool {
    let decided = [kinds::race::KIND, kinds::out_of_bounds::KIND];
    if !decided.contains(&finding.kind) || !counterexample.unknowns.is_empty() {
        return false;
    }
    let has_value = |kind: &ParameterKind, name: &str| match kind {
        ParameterKind::Scalar(ty) => {
            let value = counterexample.parameters.iter().find(|(known, _)| known == name);
            value.is_some_and(|(_, bits)| contents::number(bits, *ty).is_some())
        }
        ParameterKind::Pointer(array) => !matches!(kernel.arrays[*array].origin, ArrayOrigin::Image { .. }),
        // The fields that the kernel reads are parameters of their own.
        ParameterKind::Aggregate(array) => !loaded.contains(array),
        ParameterKind::Opaque => false,
    };
    if !kernel.parameters.iter().all(|parameter| has_value(&parameter.kind, &parameter.name)) {
        return false;
    }
    loaded.iter().all(|&array| {
        let data = &kernel.arrays[array];
        let is_shared = matches!(data.space, Space::Global | Space::Constant);
        let told = counterexample.contents.iter().find(|told| told.array == data.name);
        let Some(told) = told.filter(|_| is_shared) else { return false };
        let Some(region) = usize::try_from(array.as_u32()).ok().and_then(|at| input.regions.get_mut(at)) else {
            return false;
        };
        let cells = told.cells.last().map_or(0, |(cell, _)| cell.saturating_add(1));
        region.size = region.size.min(cells.saturating_mul(told.cell_bytes));
        data.contents.is_none() && contents::in_words(told).is_some()
    })
}

/// Whether a run came to its end without any fault (4).
pub fn is_flawless(ran: &Ran) -> bool {
    let saw_all = ran.watched.as_ref().is_some_and(|watched| !watched.exhausted && watched.unsure.is_empty());
    !ran.broken_off && saw_all && ran.events.is_empty()
}

/// The reason for a kernel's verdict when a run has contradicted a counterexample.
pub fn reason(finding: &Finding) -> Reason {
    let place = |access: &AccessShown| Place { file: access.file.clone(), line: access.line };
    Reason::Contradicted { kind: finding.kind.to_owned(), places: finding.accesses.iter().map(place).collect() }
}

#[cfg(test)]
mod tests {
    use lockstep_ir::bits::Bits;
    use lockstep_ir::kernel::{VerifiedKernel, parse, verify};
    use lockstep_ir::sequential::Pair;

    use super::super::{Replay, Replayed};
    use lockstep_options::launch::{Extent, Launch, LaunchRequest};
    use lockstep_prove::{Outcome, ProveOptions, prove};
    use lockstep_transform::lockstep::{LockstepOptions, lower};

    /// Threads write `n` cells apart; with an `n` of 0 they all write one cell.
    fn kernel(extra: &str) -> VerifiedKernel {
        let text = format!(
            "kernel \"k\" opencl pointers 64
            file0 = \"k.cl\"
            loc0 = file0 1:2 \"k\"
            arr0 = global parameter \"out\"
            parameter \"out\" pointer arr0
            parameter \"n\" scalar bv64
            entry block0

            block0:
                v0: bv64 = query local_id 0
                v1: bv64 = parameter 1
                v2: bv64 = multiply v0, v1
                v3: pointer(global) = array_base arr0
                v4: pointer(global) = pointer_add v3, v2
                v5: bv8 = truncate v0
                {extra}
                store v4 align 1, v5 @loc0
                return"
        );
        verify(parse(&text).expect("a kernel")).expect("a kernel that keeps the rules")
    }

    /// The result of replaying the kernel's race when the counterexample has this value of `n`.
    fn replayed(extra: &str, n: Option<u64>) -> Replayed {
        let kernel = kernel(extra);
        let options = LockstepOptions::default();
        let request = LaunchRequest {
            local_size: Some(vec![Extent::Known(4)]),
            num_groups: Some(vec![Extent::Known(1)]),
            ..LaunchRequest::default()
        };
        let launch: Launch = request.resolve(&kernel).expect("a launch").launch;
        let program = lower(&kernel, &launch, Pair::SameGroup, &options).expect("a program").expect("two threads");
        let Outcome::Refuted(mut counterexamples) = prove(&program, &ProveOptions::default()).outcome else {
            panic!("there is a race")
        };
        if let Some(n) = n {
            for (_, value) in &mut counterexamples[0].parameters {
                *value = Bits::new(64, n);
            }
        }
        let (mut finding, counterexample) =
            lockstep_findings::findings(&program, &counterexamples, kernel.language).remove(0);
        let replay = Replay::new(&kernel, &options, [0; 3], 32);
        replay.replay(&mut finding, counterexample)
    }

    #[test]
    fn a_counterexample_that_is_wrong_is_contradicted() {
        assert_eq!(replayed("", None), Replayed::Confirmed);
        assert_eq!(replayed("", Some(1)), Replayed::Contradicted);
    }

    #[test]
    fn nothing_is_concluded_where_not_all_is_known() {
        // An undefined value is unknown even if nothing is computed from it.
        assert_eq!(replayed("v6: bv8 = undefined", Some(1)), Replayed::Possible);
        assert_eq!(replayed("v6: bv8 = load v3 align 1", Some(1)), Replayed::Possible);
    }
}
