//! Runs of a race with other numbers than the counterexample's.
//!
//! The prover lets unknown values be anything, so with its numbers a run may lack the race. A
//! parameter of 1 leaves the loops empty that would have computed the written values, and two
//! threads that write the same number do not race. The places are right all the same. So the launch
//! is made smaller as long as the program still fails there, parameters get room for every thread
//! where the preconditions allow it, and all groups run. A run that has the race confirms it as if
//! the prover had named these numbers. If a run breaks an assumption, its result does not count.

use std::iter;
use std::slice;

use lockstep_findings as kinds;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{ParameterKind, Type};
use lockstep_ir::sequential::Program;
use lockstep_prove::{Counterexample, only_possible, smaller};
use lockstep_verdict::Finding;

use super::contents::{Contents, Values};
use super::{Replay, SCHEDULES, Trial, threads};

/// The most steps of all runs of one finding.
const STEPS_IN_ALL: u64 = 60_000_000;

/// The most steps of one run.
const STEPS: u64 = 3_000_000;

/// The most parameters that are varied.
const PARAMETERS: usize = 4;

/// The room that a parameter gets, as a multiple of the number of threads.
const ROOM: [u64; 3] = [1, 4, 64];

/// The most threads of a launch whose groups all run.
const THREADS: u64 = 2048;

/// The contents to try: values that differ, and values that lead through loops over rows.
const CONTENTS: [Contents; 4] =
    [made_up(Values::Random(0)), made_up(Values::Flags(0)), made_up(Values::Count), made_up(Values::Among(0))];

const fn made_up(integers: Values) -> Contents {
    Contents { told: false, integers, floats: Values::Random(0) }
}

/// The opposite scope: between groups instead of within one, or the reverse.
fn other_scope(finding: &Finding) -> &'static str {
    if finding.scope == Some(kinds::race::WITHIN_GROUP) {
        kinds::race::BETWEEN_GROUPS
    } else {
        kinds::race::WITHIN_GROUP
    }
}

impl Replay<'_> {
    /// Confirms a race that no run of its counterexample shows, if a run with other numbers has it
    /// and the race is not among the known ones. Returns whether it was confirmed.
    pub fn vary(
        &self,
        finding: &mut Finding,
        known: &[Finding],
        program: &Program,
        counterexample: &Counterexample,
    ) -> bool {
        if finding.kind != kinds::race::KIND {
            return false;
        }
        let small = smaller(program, counterexample, self.options.deadline);
        let base = small.as_ref().unwrap_or(counterexample);
        let mut left = STEPS_IN_ALL;
        let with_room = only_possible(program, self.with_room(base));
        for varied in iter::once(base.clone()).chain(with_room) {
            if left == 0 || self.options.deadline.passed() {
                return false;
            }
            let Some((told, _)) =
                kinds::findings(program, slice::from_ref(&varied), self.kernel.language).into_iter().next()
            else {
                return false;
            };
            let Some(grid) = self.grid(&varied) else { return false };
            // The return values of atomic operations are shared out among all groups.
            let of_group: u64 = grid.local_size.into_iter().map(u64::from).product();
            let is_large = grid.groups().saturating_mul(of_group) > THREADS;
            let only = threads(&grid, &varied).filter(|_| is_large);
            // A run reports one of the races at a pair of places, either within a group or between
            // two.
            for scope in [finding.scope, Some(other_scope(finding))] {
                let told = Finding { scope, ..told.clone() };
                let mut trial = Trial { left, each: STEPS, ..Trial::new(grid, only) };
                self.try_with(&told, &varied, &mut trial, false, &CONTENTS, &SCHEDULES[..1]);
                left = trial.left;
                let is_new = |found: &Finding| !known.iter().any(|known| kinds::same_defect(known, found));
                if let Some((found, _)) = trial.found.filter(|(found, _)| is_new(found)) {
                    *finding = self.confirmed(found);
                    return true;
                }
            }
        }
        false
    }

    /// The same launch with larger parameters: all of them, and then one by one.
    fn with_room(&self, base: &Counterexample) -> impl Iterator<Item = Counterexample> {
        let all = base.local_sizes.iter().chain(&base.num_groups);
        let all_threads = all.fold(1, |all: u64, &size| all.saturating_mul(size));
        let scalars = self.kernel.parameters.iter().filter_map(|parameter| match parameter.kind {
            ParameterKind::Scalar(ty) => Some((&parameter.name, ty)),
            ParameterKind::Pointer(_) | ParameterKind::Aggregate(_) | ParameterKind::Opaque => None,
        });
        let given = self.options.arguments.iter().map(Option::is_some).chain(iter::repeat(false));
        let open = scalars.zip(given).filter(|((_, ty), given)| matches!(ty, Type::Bits(_)) && !given);
        let open: Vec<usize> = open
            .filter_map(|((name, _), _)| base.parameters.iter().position(|(known, _)| known == name))
            .take(PARAMETERS)
            .collect();
        let each = if open.len() > 1 { open.iter().map(|&index| vec![index]).collect() } else { Vec::new() };
        let choices: Vec<Vec<usize>> = iter::once(open).chain(each).filter(|choice| !choice.is_empty()).collect();
        ROOM.into_iter().flat_map(move |room| {
            let value = all_threads.saturating_mul(room);
            choices.clone().into_iter().filter_map(move |choice| {
                // The values that the counterexample hinges on were tried with other numbers.
                let mut varied = Counterexample { hinges: Vec::new(), ..base.clone() };
                for index in choice {
                    let (_, bits) = &mut varied.parameters[index];
                    let larger = Bits::new(bits.width(), value);
                    // The parameter must be the same number if it is read as signed.
                    (larger.signed() == value.into()).then_some(())?;
                    *bits = larger;
                }
                Some(varied)
            })
        })
    }
}
