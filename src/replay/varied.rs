//! Runs a race with other numbers than the counterexample's.
//!
//! The prover takes what it does not know for anything, so its numbers may be such that no run has
//! the race: a parameter of 1 leaves the loops empty that would have computed what is written, and
//! two threads that write the same number race with nobody. The places are right all the same. So
//! the launch is made smaller, as far as the program still fails there, parameters get room for
//! every thread of it where the preconditions allow that, and all groups run. A run that has the
//! race confirms it as if the prover had named these numbers; where a run breaks an assumption,
//! what comes of it does not count.

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

/// Parameters that are varied.
const PARAMETERS: usize = 4;

/// How many threads' worth a parameter has room for.
const ROOM: [u64; 3] = [1, 4, 64];

/// The most threads of a launch whose groups all run.
const THREADS: u64 = 2048;

/// Contents that are tried: values that differ, and ones that lead through loops over rows.
const CONTENTS: [Contents; 4] =
    [made_up(Values::Random(0)), made_up(Values::Flags(0)), made_up(Values::Count), made_up(Values::Among(0))];

const fn made_up(integers: Values) -> Contents {
    Contents { told: false, integers, floats: Values::Random(0) }
}

/// Between groups instead of within one, and the other way round.
fn other_scope(finding: &Finding) -> &'static str {
    if finding.scope == Some(kinds::race::WITHIN_GROUP) {
        kinds::race::BETWEEN_GROUPS
    } else {
        kinds::race::WITHIN_GROUP
    }
}

impl Replay<'_> {
    /// Confirms a race that no run of its counterexample shows if a run with other numbers does,
    /// unless that race is among the known ones; whether it was confirmed.
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
            // The values that atomic operations return are shared out among all groups.
            let of_group: u64 = grid.local_size.into_iter().map(u64::from).product();
            let is_large = grid.groups().saturating_mul(of_group) > THREADS;
            let only = threads(&grid, &varied).filter(|_| is_large);
            // A run tells one of the races at a pair of places, be it within a group or between
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

    /// The same launch with larger parameters, all of them and one by one.
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
                // What it hinges on was tried with other numbers.
                let mut varied = Counterexample { hinges: Vec::new(), ..base.clone() };
                for index in choice {
                    let (_, bits) = &mut varied.parameters[index];
                    let larger = Bits::new(bits.width(), value);
                    // It must be that number as a signed one too.
                    (larger.signed() == value.into()).then_some(())?;
                    *bits = larger;
                }
                Some(varied)
            })
        })
    }
}
