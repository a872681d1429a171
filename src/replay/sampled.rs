//! Runs of launches that no counterexample names, to see in which of them a kernel fails.

use lockstep_interpreter::arguments::{Given, prepare};
use lockstep_interpreter::{Event, How, Races, Ran, Schedule, Workers, Wrong};
use lockstep_ir::kernel::ParameterKind;
use lockstep_options::checks::Check;

use super::contents::{self, Contents, Values};
use super::{BYTES, Replay};

/// The most steps of one run: some milliseconds.
const STEPS: u64 = 4_000_000;

/// The contents of arrays. Element `i` is `i`: offsets are in order, indices differ and are small.
const CONTENTS: Contents = Contents { told: false, integers: Values::Count, floats: Values::Random(0) };

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampled {
    /// Whether the run has a defect.
    pub fails: bool,
    /// Whether it says nothing about this launch: it was broken off, rests on something that the
    /// language does not define, or passes only because threads write the same value.
    pub is_void: bool,
    /// The number of executed steps.
    pub steps: u64,
}

impl Replay<'_> {
    /// Runs a launch of these sizes with these integer parameters, by name; others have default
    /// values. `None` if it cannot be run.
    pub fn sample(&self, local: &[u64], groups: &[u64], parameters: &[(&str, i128)]) -> Option<Sampled> {
        let grid = self.grid_of(local, groups)?;
        let mut arguments: Vec<Given> = parameters
            .iter()
            .map(|(name, value)| Given { name: (*name).to_owned(), value: value.to_string() })
            .collect();
        for parameter in &self.kernel.parameters {
            if let ParameterKind::Pointer(array) = parameter.kind {
                let words = contents::words(&self.kernel.arrays[array], CONTENTS, &self.telling);
                arguments.extend(words.map(|value| Given { name: parameter.name.clone(), value }));
            }
        }
        let input = prepare(self.kernel, &grid, &arguments, &self.options.arguments).ok()?.input;
        if lockstep_interpreter::bytes_at_once(&self.code, &grid, &input) > BYTES {
            return None;
        }
        let run = |tolerant: bool| {
            let how = How {
                most_steps: STEPS,
                schedule: Schedule::InOrder,
                warps_in_lock_step: self.options.warps_in_lock_step,
                lanes_apart: false,
                returned_arrive: self.options.exited_threads_arrive,
                races: Some(Races { tolerant, within_groups: self.options.only_intra_group, between: None }),
                groups: None,
                workers: Workers::ONE,
                deadline: self.options.deadline,
            };
            lockstep_interpreter::run(&self.code, &grid, input.clone(), how)
        };
        let fails = |ran: &Ran| self.defined(&ran.events).iter().any(|event| self.is_defect(&event.what));
        let tolerates = !self.options.no_benign_tolerance;
        let ran = run(tolerates)?;
        if fails(&ran) {
            return Some(Sampled { fails: true, is_void: false, steps: ran.steps });
        }
        let strays = |event: &Event| !matches!(event.what, Wrong::Unwritten { .. });
        let is_void = ran.broken_off || ran.events.iter().any(strays);
        let is_void = is_void || tolerates && fails(&run(false)?);
        Some(Sampled { fails: false, is_void, steps: ran.steps })
    }

    /// Whether an event of a run is a defect in every launch of these sizes and parameters.
    fn is_defect(&self, event: &Wrong) -> bool {
        match *event {
            Wrong::Race(_) | Wrong::Differs(_) | Wrong::Assertion => true,
            Wrong::Divergence { other, .. } => other.is_some() || !self.options.exited_threads_arrive,
            Wrong::OutOfBounds { array: Some(array), .. } => {
                self.kernel.arrays[array].size.is_some() && self.options.checks.has(Check::Bounds)
            }
            _ => false,
        }
    }
}
