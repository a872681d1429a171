//! The reasons why no run shows a finding, as the runs that were tried tell them.
//!
//! A finding that stays possible says what it hinges on: the values that the proof does not know come from the counterexample
//! ([`crate::report::finding`]), and this module adds what kept runs from showing it. The first of these that applies is told:
//!
//! 1. The launch cannot be run, as it is too large, say.
//! 2. Runs do not evaluate what the source states there.
//! 3. Runs have the defect, but only after something that makes the rest of a run meaningless.
//! 4. Something of that kind stops all runs before.
//! 5. Runs are broken off before they come to an end.
//! 6. Runs come to their ends without it: then it hinges on the order of the threads, on the contents of the arrays, or on the state
//!    that the proof takes a loop to begin an iteration in. How many runs there were, and in which orders, is told.

use std::collections::BTreeSet;

use lockstep_ir::kernel::VerifiedKernel;

use crate::interpreter::{Code, Event, Schedule, Wrong};

/// What the runs for one finding came to, none of which has shown it.
#[derive(Clone, Debug, Default)]
pub struct Tried {
    /// Why the launch cannot be run.
    pub refused: Option<String>,
    /// Whether what the source states there is evaluated by the proof alone.
    pub is_stated: bool,
    /// What a run had before the defect that it had, where that makes what follows meaningless.
    pub after: Option<String>,
    /// What stopped a run before.
    stopped_by: Option<String>,
    /// Runs that nothing stopped.
    ended: usize,
    /// The most steps of a run that was broken off.
    broken_off: Option<u64>,
    /// The ways in which threads took turns.
    orders: BTreeSet<&'static str>,
    /// A read of what nobody has written, for which runs take zero and the proof anything.
    unwritten: Option<String>,
    /// What else runs take otherwise than the proof, as clauses.
    pub beside: Vec<String>,
    /// Whether the accesses are in loops, of which the proof may know less than runs do.
    pub is_in_loop: bool,
    /// Whether the counterexample rests on values that are not known, which are told already.
    pub has_unknowns: bool,
}

impl Tried {
    /// Of a launch that cannot be run.
    pub fn refused(why: String) -> Self {
        Self { refused: Some(why), ..Self::default() }
    }

    /// Notes a run that does not have the defect: what stopped it, and its steps if these were too many.
    pub fn note(&mut self, schedule: Schedule, stopped_by: Option<String>, broken_off: Option<u64>) {
        self.orders.insert(order(schedule));
        match (stopped_by, broken_off) {
            (Some(what), _) => {
                self.stopped_by.get_or_insert(what);
            }
            (None, Some(steps)) => self.broken_off = self.broken_off.max(Some(steps)),
            (None, None) => self.ended += 1,
        }
    }

    /// Notes a read of what nobody has written.
    pub fn note_unwritten(&mut self, what: impl FnOnce() -> String) {
        self.unwritten.get_or_insert_with(what);
    }

    /// Why no run shows it, as clauses.
    pub fn in_words(&self) -> String {
        let unwritten = self.unwritten.iter().map(|what| format!("runs take zero for {what}"));
        let clauses: Vec<String> = unwritten.chain(self.beside.iter().cloned()).chain([self.outcome()]).collect();
        clauses.join("; ")
    }

    fn outcome(&self) -> String {
        if let Some(why) = &self.refused {
            return format!("no run shows it: {why}");
        }
        if self.is_stated {
            return "no run shows it: runs do not evaluate what the source states there".to_owned();
        }
        if let Some(what) = &self.after {
            return format!("runs have it only after {what}");
        }
        let orders: Vec<&str> = self.orders.iter().copied().collect();
        let orders = orders.join(" and ");
        let hinges_on_more = self.has_unknowns || self.unwritten.is_some() || !self.beside.is_empty();
        match (&self.stopped_by, self.broken_off, self.ended) {
            (Some(what), None, 0) => format!("no run comes to it: before it there is {what}"),
            (None, Some(steps), 0) => format!("no run comes to it within {steps} steps"),
            (Some(what), Some(steps), 0) => {
                format!("no run comes to it: within {steps} steps, or before it there is {what}")
            }
            (_, _, 0) => "no run shows it: none could be made".to_owned(),
            (_, _, 1) if hinges_on_more => format!("the run of the launch, {orders}, does not have it"),
            (_, _, several) if hinges_on_more => {
                format!("none of {several} runs with different contents of the arrays, {orders}, has it")
            }
            (_, _, several) => {
                let loops = if self.is_in_loop { ", on what the loops have done before" } else { "" };
                let runs = match several {
                    1 => "the run of the launch does not have".to_owned(),
                    several => format!("none of {several} runs has"),
                };
                format!(
                    "it hinges on an order of the threads{loops} or on contents of the arrays that {runs}, {orders}"
                )
            }
        }
    }
}

fn order(schedule: Schedule) -> &'static str {
    match schedule {
        Schedule::InOrder => "thread after thread",
        Schedule::RoundRobin(_) | Schedule::Random(_) => "in turns",
    }
}

/// An event that makes the rest of a run meaningless, with its place.
pub fn stop_in_words(kernel: &VerifiedKernel, code: &Code, event: &Event) -> String {
    let name = |array| &kernel.arrays[array].name;
    let what = match event.what {
        Wrong::OutOfBounds { array: Some(array), offset, writes, .. } => {
            let access = if writes { "a write" } else { "a read" };
            format!("{access} at byte {offset} of `{}`, outside of the memory that the run gives it,", name(array))
        }
        Wrong::OutOfBounds { array: None, .. } => "an access through the null pointer".to_owned(),
        Wrong::OutsideImage { array, .. } => {
            format!("an access outside of the image that the run gives `{}`", name(array))
        }
        Wrong::Misaligned { array, .. } => format!("a misaligned access to `{}`", name(array)),
        Wrong::ConstantWritten(array) => format!("a write to constant memory, `{}`", name(array)),
        Wrong::Assumption => "an assumption that does not hold".to_owned(),
        Wrong::NoSuchBarrier { .. } => "a barrier that there is not".to_owned(),
        Wrong::NobodyWaits { .. } => "threads that arrive at a barrier where nobody waits".to_owned(),
        Wrong::InactiveSource => "a read from a lane that does not take part".to_owned(),
        Wrong::GoesRound => "a loop that never ends".to_owned(),
        Wrong::Unreachable => "code that the source calls unreachable".to_owned(),
        Wrong::Undefined(what) => format!("undefined behaviour, {}", what.text()),
        Wrong::AnyValue(what) => format!("a value that the language does not say, {}", what.text()),
        Wrong::Refused(number) => format!("{}, which is not run", code.refusal(number)),
        Wrong::Unknown(number) => format!("the result of {}, which is not known", code.function(number)),
        Wrong::NotModelled => "a value that is not modelled".to_owned(),
        Wrong::Assertion => "an assertion that does not hold".to_owned(),
        Wrong::Divergence { .. } => "a thread that waits for ever".to_owned(),
        Wrong::Differs(_) => "a group operation with different operands".to_owned(),
        Wrong::NotWaitedFor => "a copy that nobody waits for".to_owned(),
        Wrong::NotInMask => "a lane outside its own mask".to_owned(),
        Wrong::Trap => "a trap".to_owned(),
        Wrong::Unwritten { array, .. } => format!("a read of what nobody has written, of `{}`", name(array)),
        Wrong::Race(race) => format!("another race, on `{}`", name(race.array)),
    };
    let place = code.place(event.at).map(|location| &kernel.locations[location]);
    let place = place.map(|data| format!(" at {}:{}", kernel.files[data.file], data.line));
    format!("{what}{}", place.unwrap_or_default())
}
