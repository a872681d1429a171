//! Detects launches whose threads wait forever in loops.
//!
//! The next step of a thread depends on its own state (registers, private memory, position in the
//! code) and on shared memory. Assume that no runnable thread changes shared memory, however far it
//! runs alone, and that each of them returns to an earlier state. Then all of them loop, and every
//! thread that waits at a barrier waits for one of these. This remains true in whatever order they
//! make their steps, as none of them ever does anything that another could observe. **So the launch
//! does not end, whatever the schedule is from here on.** Nothing is reported
//!
//! * if a group has not started, or a thread is stuck: these might do what the others wait for;
//! * if a thread waits where it need not: for lanes of its warp at a function without a mask, or
//!   for its group at a copy. The interpreter waits there, but a device may let them proceed;
//! * if a value was made up: a clock advances;
//! * if a thread has trapped, which ends the launch and the run, too.
//!
//! Lockstep execution is no exception. The order in which lanes of a loop precede those for which
//! they wait is this interpreter's, and not every device's.
//!
//! The check runs copies of the threads and leaves memory unchanged, so it has no effects. It
//! detects a repeated state by R. P. Brent's method ("An improved Monte Carlo factorization
//! algorithm", 1980): the state is compared with a saved one, which is replaced at increasing
//! intervals. It does not find loops whose states never repeat, such as those that count, nor those
//! in which threads meet.

use super::code::Code;
use super::copies::Copies;
use super::events::{Event, Wrong};
use super::group::{Group, has_trapped};
use super::launch::Launch;
use super::machine::{Reach, Stop, Thread};
use super::named::NamedBarriers;
use super::races::GroupWatch;

/// The maximum number of steps in which a thread must return to an earlier state.
const MOST: u64 = 1 << 14;

/// A step budget that no thread uses up here.
const PLENTY: u64 = u64::MAX / 2;

impl Launch<'_> {
    /// Whether all runnable threads loop forever.
    ///
    /// This is reported once per place, unless a trap ends the launch.
    pub(super) fn waits_for_ever(&mut self) -> bool {
        let is_ended = self.all_have_started() && self.events.iter().any(|event| event.what == Wrong::Trap);
        if !is_ended && !self.is_whole() {
            return false;
        }
        let Some(loops) = self.all_go_round() else { return false };
        for event in loops.iter().filter(|_| !is_ended) {
            if !self.events.iter().any(|other| other.is_like(event)) {
                self.events.push(*event);
            }
        }
        !loops.is_empty()
    }

    /// The loops of all started groups' threads, if all runnable threads loop forever.
    pub(super) fn all_go_round(&mut self) -> Option<Vec<Event>> {
        // Callers that treat made-up values as inputs only check the loops.
        if self.events.iter().any(Event::is_made_up) && !self.goes_on {
            return None;
        }
        let mut loops = Vec::new();
        for index in self.can_go_on() {
            loops.extend(self.with_reach(index, |group, reach| group.goes_round(reach))?);
        }
        Some(loops)
    }
}

impl Group {
    /// The loops of the threads, if there are runnable threads and all of them loop forever.
    fn goes_round(&self, reach: &mut Reach<'_>) -> Option<Vec<Event>> {
        if !self.stops.iter().flatten().all(|&stop| is_for_good(reach.code, stop)) {
            return None;
        }
        let (steps, events) = (reach.steps, std::mem::take(reach.events));
        reach.watch = None;
        reach.tally = None;
        reach.turns = None;
        reach.changes = Some(false);
        let loops: Option<Vec<Event>> = self.can_run().map(|thread| self.part(thread).round(reach)).collect();
        let made_up = std::mem::replace(reach.events, events).iter().any(Event::is_made_up);
        reach.steps = steps;
        loops.filter(|loops| !loops.is_empty() && !made_up)
    }

    /// One of the threads, as a group of its own without records.
    fn part(&self, thread: usize) -> Self {
        Self {
            number: self.number,
            index: self.index,
            threads: vec![self.threads[thread].clone()],
            stops: vec![None],
            local: Vec::new(),
            named: NamedBarriers::default(),
            phases: self.phases.iter().map(|(&place, object)| (place, object.without_waiting())).collect(),
            copies: Copies::default(),
            watch: GroupWatch::default(),
            has_ended: false,
        }
    }

    /// The loop in which a thread runs when it is alone.
    fn round(mut self, reach: &mut Reach<'_>) -> Option<Event> {
        let (mut kept, mut next) = (self.threads[0].clone(), 1);
        let mut made = 0;
        loop {
            for length in 1..=next {
                made += self.step_in_loop(reach)?;
                if are_alike(&self.threads[0], &kept) {
                    return self.reported(reach, length);
                }
                if made > MOST {
                    return None;
                }
            }
            (kept, next) = (self.threads[0].clone(), 2 * next);
        }
    }

    /// Makes one step and returns its cost, unless it stops the thread or changes shared memory.
    fn step_in_loop(&mut self, reach: &mut Reach<'_>) -> Option<u64> {
        reach.clock.look(1);
        reach.steps = PLENTY;
        self.execute(reach, 0, 1);
        let is_same =
            !reach.clock.is_late && self.stops[0].is_none() && self.named.is_empty() && reach.changes == Some(false);
        is_same.then_some(PLENTY - reach.steps)
    }

    /// The event for a loop of this length, at a step that accesses memory, or at any of its steps.
    fn reported(&mut self, reach: &mut Reach<'_>, length: u64) -> Option<Event> {
        let mut places = Vec::new();
        for _ in 0..length {
            places.push(self.threads[0].at);
            self.step_in_loop(reach)?;
        }
        let accesses = places.iter().find(|&&at| reach.code.step(at).accesses_memory());
        let &at = accesses.or(places.first())?;
        Some(Event { what: Wrong::GoesRound, at, group: self.index, thread: self.threads[0].local_id })
    }
}

/// Whether a stopped thread can continue only with others.
///
/// These are the threads that it names, or all of its group.
fn is_for_good(code: &Code, stop: Stop) -> bool {
    match stop {
        Stop::Exchange(number, _) => code.exchange(number).mask.is_some(),
        Stop::Barrier(..) | Stop::Named(_) | Stop::Awaits(_) | Stop::GroupExchange(_) | Stop::Finished => true,
        Stop::Broken(_) => has_trapped(code, stop),
        Stop::Arrives(..)
        | Stop::Phase(..)
        | Stop::AsyncCopy(..)
        | Stop::AsyncWait(..)
        | Stop::OwnCopy(..)
        | Stop::OwnWait(_)
        | Stop::OutOfSteps => false,
    }
}

/// Whether two threads agree in everything that their next steps depend on, except shared memory.
fn are_alike(thread: &Thread, other: &Thread) -> bool {
    thread.at == other.at && thread.registers == other.registers && thread.private == other.private
}
