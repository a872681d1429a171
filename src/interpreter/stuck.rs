//! Launches that do not end, as their threads wait in loops for what nobody does.
//!
//! What a thread does next depends on its own state (registers, private memory, the step that it has come to) and on memory that others see. Let no
//! thread that can run change that memory, however far it runs alone; and let each of them come back to a state that it has been in. Then all of them go
//! round, and whoever waits at a barrier waits for one of these. (Groups that have not started, and threads that could not go on, might do what others
//! wait for: then nothing is told.) That stays so in whatever order they make their steps, as none of them
//! ever does what another one could notice: **the launch does not end, whatever the schedule is from here on**. (Under lock-step a warp takes a
//! thread's place: which of its lanes make a step is given by where they are, so lanes that wait in a loop may keep the one waiting that
//! they wait for.)
//!
//! Threads run on copies of themselves to find that out, and memory is left as it is, so looking changes nothing. A state that comes back is found as
//! R. P. Brent has it ("An improved Monte Carlo factorization algorithm", 1980): it is compared with one that is kept, from further and further
//! on. What is not found are loops whose states never repeat, such as those that count, and those in which lanes of a warp meet.

use super::copies::Copies;
use super::group::Group;
use super::launch::Launch;
use super::machine::{Event, Reach, Thread, Wrong};
use super::named::NamedBarriers;
use super::races::GroupWatch;

/// The steps that a thread is given to come back to where it was.
const MOST: u64 = 1 << 14;

/// More than any thread makes here.
const PLENTY: u64 = u64::MAX / 2;

impl Launch<'_> {
    /// Whether all threads that can run go round in loops for ever. That is told, once for each place.
    pub(super) fn waits_for_ever(&mut self) -> bool {
        if !self.is_whole() {
            return false;
        }
        let mut loops = Vec::new();
        for index in self.can_go_on() {
            let Some(found) = self.with_reach(index, |group, reach| group.goes_round(reach)) else { return false };
            loops.extend(found);
        }
        for event in &loops {
            if !self.events.iter().any(|other| other.is_like(event)) {
                self.events.push(*event);
            }
        }
        !loops.is_empty()
    }
}

impl Group {
    /// The loops that the threads are in, if all that can run are in one for ever, and at least one can.
    fn goes_round(&self, reach: &mut Reach<'_>) -> Option<Vec<Event>> {
        let (steps, events) = (reach.steps, reach.events.len());
        reach.watch = None;
        reach.turns = None;
        reach.changes = Some(false);
        let warp = usize::try_from(reach.grid.warp_size).expect("at most 64");
        let size = if reach.warps_in_lock_step { warp } else { 1 };
        let mut parts = (0..self.threads.len()).step_by(size).map(|start| self.part(start, size));
        let loops = parts.by_ref().filter(|part| part.can_run().next().is_some()).map(|part| part.round(reach));
        let loops: Option<Vec<Event>> = loops.collect();
        reach.events.truncate(events);
        reach.steps = steps;
        loops.filter(|loops| !loops.is_empty())
    }

    /// Some of the threads, as a group that nothing is done in.
    fn part(&self, start: usize, size: usize) -> Self {
        let threads = start..(start + size).min(self.threads.len());
        Self {
            number: self.number,
            index: self.index,
            threads: self.threads[threads.clone()].to_vec(),
            stops: self.stops[threads].to_vec(),
            local: Vec::new(),
            named: NamedBarriers::default(),
            copies: Copies::default(),
            watch: GroupWatch::default(),
            has_ended: false,
        }
    }

    /// The loop that a thread alone, or the lanes of a warp, are in.
    fn round(mut self, reach: &mut Reach<'_>) -> Option<Event> {
        let (mut kept, mut next) = (self.threads.clone(), 1);
        let mut made = 0;
        loop {
            for length in 1..=next {
                made += self.step_in_loop(reach)?;
                if are_alike(&self.threads, &kept) {
                    return self.told(reach, length);
                }
                if made > MOST {
                    return None;
                }
            }
            (kept, next) = (self.threads.clone(), 2 * next);
        }
    }

    /// Makes one step, unless that stops a thread or changes what others see. Returns for how many it counts.
    fn step_in_loop(&mut self, reach: &mut Reach<'_>) -> Option<u64> {
        reach.steps = PLENTY;
        let before = self.stops.clone();
        let first = self.can_run().next()?;
        self.execute(reach, first, 1);
        let is_same = self.stops == before && self.named.is_empty() && reach.changes == Some(false);
        is_same.then_some(PLENTY - reach.steps)
    }

    /// The place in a loop of so many steps that reads what others might change, or any place in it.
    fn told(&mut self, reach: &mut Reach<'_>, length: u64) -> Option<Event> {
        let mut places = Vec::new();
        for _ in 0..length {
            let threads = self.can_run().map(|thread| &self.threads[thread]);
            let next = threads.min_by_key(|thread| thread.at)?;
            places.push((next.at, next.local_id));
            self.step_in_loop(reach)?;
        }
        let reads = places.iter().find(|(at, _)| reach.code.step(*at).accesses_memory());
        let &(at, thread) = reads.or(places.first())?;
        Some(Event { what: Wrong::GoesRound, at, group: self.index, thread })
    }
}

/// Whether all that the next steps of these threads depend on is the same, apart from memory that others see.
fn are_alike(threads: &[Thread], others: &[Thread]) -> bool {
    let is_alike = |thread: &Thread, other: &Thread| {
        thread.at == other.at && thread.registers == other.registers && thread.private == other.private
    };
    threads.iter().zip(others).all(|(thread, other)| is_alike(thread, other))
}
