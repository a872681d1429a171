//! Tickets: numbers that threads draw from a counter are distinct.
//!
//! A **ticket** is a number that an atomic on a counter ([`crate::analysis::counters`]) returns. No
//! other ticket drawn at the same place is equal to it, nor closer to it than a step of the
//! counter, whichever thread and iteration drew it. This is assumed for the draws of the two
//! threads wherever both numbers are known:
//!
//! * for two tickets that are both available: drawn in the same iterations of the loops around, or
//!   outside loops;
//! * for the ticket that thread 2 draws now, and thread 1's ticket at the moment of each hit, which
//!   is recorded with the hit.
//!
//! A leader may draw for its group ([`crate::signals`]). Then the number is that of each thread of
//! the group, compared with those that other groups draw.
//!
//! Each assumption is true in every real execution under two conditions. No more numbers are drawn
//! than there are, and no thread sets the counter between the two draws. The number of draws
//! depends on all threads of the launch, not on these two. [`crate::analysis::counters`] explains
//! when the number is known, when it is assumed (and listed, with the number), and when the launch
//! refutes it, so that nothing is assumed. A thread that sets the counter while others draw from it
//! races with them, which is reported. So where the kernel sets the counter at all, the assumption
//! covers only tickets drawn in one barrier interval: an **epoch**, counted by a ghost. The race
//! check ensures that a set counter begins anew at the next barrier at the latest. So the array
//! must be checked, among the threads of all groups unless no thread sets it.
//!
//! *Why one epoch has no set in it.* Suppose that a thread draws, then another one sets the
//! counter, and then a third one draws, without a race. So each of the three happens before the
//! next, and threads have met between them. At barriers of groups, warps and the launch they meet
//! at one place of the walk, in the order of the walk. So the walk comes by a barrier between the
//! first draw and the set, and by another one before the second draw, which is in a later epoch.
//! This needs that nothing else orders accesses ([`keeps_epochs`]). Signals order without a
//! barrier. At named barriers and mbarriers, threads meet at different places, so the walk is not
//! in the order of time. In lock-step, each instruction orders. And a strong volatile store does
//! not race at all.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::{Array, Block, Instruction, Kernel, Operation, Value};
use lockstep_ir::sequential::{CompareOp, Expression, Loop, Recorded, Role, Site, Sort, Variable};
use lockstep_options::launch::Launch;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use crate::analysis::counters::{Apart, Counter};
use crate::analysis::pointers::PointsTo;
use crate::lockstep::Lowering;
use crate::lockstep::memory::touch::Touch;

/// The state of counters in the walk.
#[derive(Clone, Debug, Default)]
pub struct Tickets {
    /// The counters that are checked for races.
    pub counters: BTreeMap<Array, Counter>,
    /// The assumed upper bounds on the numbers drawn, where one is assumed.
    pub limits: BTreeMap<Array, BigUint>,
    /// The number of the barrier interval, if a counter is set.
    epoch: Option<Variable>,
    drawn: Vec<Ticket>,
    /// The variables recorded with hits to compare tickets.
    pub recorded: BTreeMap<Site, Vec<Recorded>>,
}

/// A number that each of the two threads has drawn if it was active, in variables that keep it.
#[derive(Clone, Debug)]
struct Ticket {
    counter: Array,
    loops: Vec<Loop>,
    /// Whether each thread drew, the place it drew from, and its number.
    drew: [Expression; 2],
    place: [Expression; 2],
    number: [Expression; 2],
    /// The epoch of the draw, where it matters.
    epoch: Option<Expression>,
}

/// Whether the walk counts the epochs of a counter, if it is set.
///
/// `orders` says whether anything but barriers of groups, warps and the launch orders accesses.
pub fn keeps_epochs(
    kernel: &Kernel,
    points_to: &PointsTo,
    (array, counter): (Array, &Counter),
    strong: &BTreeSet<Instruction>,
    orders: bool,
) -> bool {
    let sets = |&instruction: &Instruction| match &kernel.instructions[instruction].operation {
        Operation::Store(access, _) => points_to[access.pointer].arrays.contains(&array),
        _ => false,
    };
    !counter.is_set || !orders && !strong.iter().any(sets)
}

impl Lowering<'_> {
    /// Drops the counters whose numbers are not distinct in this launch, and notes the assumptions
    /// about the others.
    pub fn limit_tickets(&mut self, launch: &Launch) {
        let (kernel, structure) = (self.kernel, &self.facts.structure);
        let limits = &mut self.tickets.limits;
        self.tickets.counters.retain(|&array, counter| {
            match counter.tells_apart(kernel, structure, kernel.arrays[array].space, launch) {
                Apart::Always => true,
                Apart::IfAtMost(limit) => {
                    limits.insert(array, limit);
                    true
                }
                Apart::Not => false,
            }
        });
    }

    /// Declares the epoch's ghost if a counter is set.
    pub fn start_tickets(&mut self) {
        if self.tickets.counters.values().any(|counter| counter.is_set) {
            let epoch = self.e().add_variable("epoch", Sort::Bits(64), None, Role::Value);
            let first = self.e().number(64, 0);
            self.assign(epoch, first);
            self.tickets.epoch = Some(epoch);
        }
    }

    /// Starts a new epoch at a barrier, where counters that are set may begin anew.
    pub fn next_epoch(&mut self) {
        let Some(epoch) = self.tickets.epoch else { return };
        let one = self.e().number(64, 1);
        let before = self.e().variable(epoch);
        let next = self.e().add(before, one);
        self.assign(epoch, next);
    }

    /// Assumes that an atomic's result, if it is a ticket, differs from other tickets.
    pub fn draw(&mut self, block: Block, pointer: Value, touch: &Touch, result: Value) {
        let arrays = &self.facts.points_to[pointer].arrays;
        let Some(&counter) = arrays.iter().next().filter(|array| self.tickets.counters.contains_key(array)) else {
            return;
        };
        let number = [0, 1].map(|thread| self.scalar(result, thread));
        // A leader's number is that of its group, from a place of the group.
        let is_of_group = self.facts.signals.as_ref().is_some_and(|signals| signals.leaders.is_of_group(pointer));
        let drew = [0, 1].map(|thread| {
            let active = self.active(block, thread);
            let leads = self.leads(block, thread, true).filter(|_| is_of_group);
            let ways: Vec<Expression> = std::iter::once(active).chain(leads).collect();
            self.e().or(ways)
        });
        let is_set = self.tickets.counters.get(&counter).is_some_and(|counter| counter.is_set);
        let epoch = match self.tickets.epoch.filter(|_| is_set) {
            Some(epoch) => {
                let now = self.e().variable(epoch);
                Some(self.keep(now, "epoch.drawn", None))
            }
            None => None,
        };
        let loops = self.open_loops.iter().map(|open| open.loop_).collect();
        let now = Ticket { counter, loops, drew, place: touch.offset, number, epoch };
        let kept = Ticket {
            drew: [0, 1].map(|thread| self.keep(drew[thread], "drew", Some(thread))),
            place: [0, 1].map(|thread| self.keep(touch.offset[thread], "place", Some(thread))),
            ..now.clone()
        };
        if let Some(limit) = self.tickets.limits.get(&counter) {
            let (counter, most) = (self.kernel.arrays[counter].name.clone(), limit.clone());
            self.list(Assumed::FewDraws { counter, each_interval: is_set, most });
        }
        let persists = |earlier: &Ticket| earlier.counter == counter && now.loops.starts_with(&earlier.loops);
        let earlier: Vec<Ticket> = self.tickets.drawn.iter().filter(|earlier| persists(earlier)).cloned().collect();
        self.tickets.drawn.push(kept);
        self.assume_distinct(&now, 0, &now, 1);
        for other in &earlier {
            self.assume_distinct(other, 0, &now, 1);
            self.assume_distinct(&now, 0, other, 1);
        }
        self.distinguish_from_hits(&now);
    }

    /// Assumes that a thread's ticket differs from the other thread's.
    fn assume_distinct(&mut self, one: &Ticket, first: usize, other: &Ticket, second: usize) {
        let same = self.same_ticket(one, first, other, second);
        let distinct = self.e().not(same);
        self.assume(distinct, "numbers drawn from a counter are distinct");
    }

    fn same_ticket(&mut self, one: &Ticket, first: usize, other: &Ticket, second: usize) -> Expression {
        let mut same = vec![one.drew[first], other.drew[second]];
        same.push(self.e().equal(one.place[first], other.place[second]));
        same.push(self.too_close(one.counter, one.number[first], other.number[second]));
        if let (Some(mine), Some(theirs)) = (one.epoch, other.epoch) {
            same.push(self.e().equal(mine, theirs));
        }
        self.e().and(same)
    }

    /// Whether two numbers are closer to each other than the counter's step.
    fn too_close(&mut self, counter: Array, a: Expression, b: Expression) -> Expression {
        let Some(step) = self.tickets.counters.get(&counter).map(|counter| counter.step.clone()) else {
            return self.e().boolean(false);
        };
        if step.is_one() || step.width() != self.e().width(a) {
            return self.e().equal(a, b);
        }
        // Neither distance, directly or around the wrap, is a whole step.
        let step = self.e().bits(step);
        let distances = [self.e().subtract(a, b), self.e().subtract(b, a)];
        let close = distances.map(|distance| self.e().compare(CompareOp::UnsignedLess, distance, step));
        self.e().or(close)
    }

    /// Assumes that thread 2's ticket differs from the one thread 1 had drawn when it was hit in an
    /// earlier iteration. Thread 1's ticket is therefore recorded with each hit in this loop that
    /// comes after the draw.
    fn distinguish_from_hits(&mut self, ticket: &Ticket) {
        let Some(innermost) = ticket.loops.last().copied() else { return };
        let mut changing = Vec::new();
        for part in [ticket.drew[0], ticket.place[0], ticket.number[0]].into_iter().chain(ticket.epoch) {
            self.program.expressions.for_each_variable(part, |variable| changing.push(variable));
        }
        changing.retain(|&variable| self.homes[variable].is_some_and(|home| ticket.loops.contains(&home)));
        changing.sort_unstable();
        changing.dedup();
        // A site that is logged before the draw records no ticket with a hit in the loop's first
        // iteration.
        let logged = |site: Site| self.sites.states[site].as_ref().is_some_and(|state| state.logged.is_some());
        let sites = self.program.sites.iter().filter(|(_, data)| data.loops.contains(&innermost));
        let sites: Vec<Site> = sites.map(|(site, _)| site).filter(|&site| !logged(site)).collect();
        for site in sites {
            let mut map = FxHashMap::default();
            for &original in &changing {
                let recorded = self.recorded_for_tickets(site, original);
                let recorded = self.e().variable(recorded);
                map.insert(original, recorded);
            }
            let mut memo = FxHashMap::default();
            let mut at_hit =
                |this: &mut Self, part: Expression| this.program.expressions.substitute(part, &map, &mut memo);
            let then = Ticket {
                drew: ticket.drew.map(|part| at_hit(self, part)),
                place: ticket.place.map(|part| at_hit(self, part)),
                number: ticket.number.map(|part| at_hit(self, part)),
                epoch: ticket.epoch.map(|part| at_hit(self, part)),
                ..ticket.clone()
            };
            let same = self.same_ticket(&then, 0, ticket, 1);
            let hit = self.program.sites[site].hit;
            let hit = self.e().variable(hit);
            let same = self.e().and([hit, same]);
            let distinct = self.e().not(same);
            self.assume(distinct, "numbers drawn from a counter are distinct");
            if let (Some(then), Some(epoch)) = (then.epoch, self.tickets.epoch) {
                let now = self.e().variable(epoch);
                let same_epoch = self.e().equal(then, now);
                let condition = self.e().implies(hit, same_epoch);
                self.suggest_condition(innermost, condition);
            }
        }
    }

    /// The variable that records another one's value with the hits of a site.
    fn recorded_for_tickets(&mut self, site: Site, original: Variable) -> Variable {
        let known = self.tickets.recorded.get(&site).into_iter().flatten();
        if let Some(known) = known.into_iter().find(|known| known.original == original) {
            return known.recorded;
        }
        let data = self.program.expressions.variables()[original].clone();
        let stem = data.name.split('$').next().unwrap_or(&data.name).to_owned();
        let name = format!("{stem}.at.{}$1", site.as_u32());
        let recorded = self.e().add_variable(&name, data.sort, Some(0), Role::Recorded(site));
        self.tickets.recorded.entry(site).or_default().push(Recorded { original, recorded });
        recorded
    }
}
