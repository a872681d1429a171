//! Launches that do not end, as their threads wait in loops for what nobody does.
//!
//! What a thread does next depends on its own state (registers, private memory, the step that it has come to) and on memory that others see. Let no
//! thread that can run change that memory, however far it runs alone; and let each of them come back to a state that it has been in. Then all of them go
//! round, and whoever waits at a barrier waits for one of these. That stays so in whatever order they make their steps, as none of them
//! ever does what another one could notice: **the launch does not end, whatever the schedule is from here on**. Nothing is told
//!
//! * where a group has not started, or a thread could not go on: they might do what others wait for;
//! * where a thread waits that need not: for lanes of its warp at a function without a mask, or for its group at a copy. Here they wait, but a
//!   device may let them go on;
//! * where a value was made up: a clock goes on;
//! * where a thread has trapped: that ends the launch, and the run, too.
//!
//! Lock-step makes no exception: that lanes in a loop come before those that they wait for is this interpreter's order, and not every device's.
//!
//! Threads run on copies of themselves to find that out, and memory is left as it is, so looking changes nothing. A state that comes back is found as
//! R. P. Brent has it ("An improved Monte Carlo factorization algorithm", 1980): it is compared with one that is kept, from further and further
//! on. What is not found are loops whose states never repeat, such as those that count, and those in which threads meet.

use super::code::Code;
use super::copies::Copies;
use super::events::{Event, Wrong};
use super::group::{Group, has_trapped};
use super::launch::Launch;
use super::machine::{Reach, Stop, Thread};
use super::named::NamedBarriers;
use super::races::GroupWatch;

/// The steps that a thread is given to come back to where it was.
const MOST: u64 = 1 << 14;

/// More than any thread makes here.
const PLENTY: u64 = u64::MAX / 2;

impl Launch<'_> {
    /// Whether all threads that can run go round in loops for ever. That is told, once for each place, unless a trap ends the launch.
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

    /// The loops that the threads of all groups that have started are in, if all that can run are in one for ever.
    pub(super) fn all_go_round(&mut self) -> Option<Vec<Event>> {
        // Who takes what is made up for an input looks at the loops alone.
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
    /// The loops that the threads are in, if all that can run are in one for ever, and at least one can.
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

    /// One of the threads, as a group of its own in which nothing is kept.
    fn part(&self, thread: usize) -> Self {
        Self {
            number: self.number,
            index: self.index,
            threads: vec![self.threads[thread].clone()],
            stops: vec![None],
            local: Vec::new(),
            named: NamedBarriers::default(),
            copies: Copies::default(),
            watch: GroupWatch::default(),
            has_ended: false,
        }
    }

    /// The loop that a thread alone is in.
    fn round(mut self, reach: &mut Reach<'_>) -> Option<Event> {
        let (mut kept, mut next) = (self.threads[0].clone(), 1);
        let mut made = 0;
        loop {
            for length in 1..=next {
                made += self.step_in_loop(reach)?;
                if are_alike(&self.threads[0], &kept) {
                    return self.told(reach, length);
                }
                if made > MOST {
                    return None;
                }
            }
            (kept, next) = (self.threads[0].clone(), 2 * next);
        }
    }

    /// Makes one step, unless that stops the thread or changes what others see. Returns for how many it counts.
    fn step_in_loop(&mut self, reach: &mut Reach<'_>) -> Option<u64> {
        reach.clock.look(1);
        reach.steps = PLENTY;
        self.execute(reach, 0, 1);
        let is_same =
            !reach.clock.is_late && self.stops[0].is_none() && self.named.is_empty() && reach.changes == Some(false);
        is_same.then_some(PLENTY - reach.steps)
    }

    /// The place in a loop of so many steps that accesses memory, or any place in it.
    fn told(&mut self, reach: &mut Reach<'_>, length: u64) -> Option<Event> {
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

/// Whether a thread that has stopped so can go on only with others: with those that it names, or with all of its group.
fn is_for_good(code: &Code, stop: Stop) -> bool {
    match stop {
        Stop::Exchange(number, _) => code.exchange(number).mask.is_some(),
        Stop::Barrier(..) | Stop::Named(_) | Stop::GroupExchange(_) | Stop::Finished => true,
        Stop::Broken(_) => has_trapped(code, stop),
        Stop::Arrives(..) | Stop::AsyncCopy(..) | Stop::AsyncWait(..) | Stop::OutOfSteps => false,
    }
}

/// Whether all that the next steps of these threads depend on is the same, apart from memory that others see.
fn are_alike(thread: &Thread, other: &Thread) -> bool {
    thread.at == other.at && thread.registers == other.registers && thread.private == other.private
}
