//! Accesses that signals order.

use std::collections::BTreeMap;

use lockstep_ir::kernel::{Array, Instruction, Terminator};
use lockstep_ir::sequential::{Expression, Loop, Node, ObligationKind, Site, Variable};
use rustc_hash::FxHashMap;

use super::{Execution, Hold, Known, Late, Passage, Under, Ways};
use crate::lockstep::Lowering;
use crate::lockstep::memory::touch::Touch;

impl Lowering<'_> {
    /// Lets a new hit of a site begin anew.
    pub fn begin_passage(&mut self, site: Site, hit_now: Expression) {
        let Some(stage) = self.signalling.as_ref().and_then(|state| state.stages.get(&site)).cloned() else { return };
        let no = self.e().boolean(false);
        let Passage { own, met, led, total, total_met } = stage.passage;
        for variable in
            [own, met, led, total, total_met].into_iter().chain(stage.told.values().flat_map(|told| told.ways))
        {
            self.assign_if(hit_now, variable, no);
        }
        for (read, known) in &stage.known {
            let ways = self.ways_known(*read, 0);
            for (&variable, way) in known.ways.iter().zip(ways) {
                self.assign_if(hit_now, variable, way);
            }
            if let (Some(kept), Some(last)) = (known.seen, self.last_seen(*read, 0)) {
                for (to, from) in [(kept.cell, last.cell), (kept.value, last.value)] {
                    let from = self.e().variable(from);
                    self.assign_if(hit_now, to, from);
                }
            }
        }
        for (lock, Under { held, cell, of_leader }) in stage.locks {
            let Some(hold) = self.signalling.as_ref().and_then(|state| state.holds.get(&lock)).map(|both| both[0])
            else {
                continue;
            };
            let [own, by_leader, now] = self.excludes(hold);
            let is_held = self.e().or([own, by_leader]);
            self.assign_if(hit_now, held, is_held);
            if hold.led.is_some() {
                let not_own = self.e().not(own);
                let is_led = self.e().and([by_leader, not_own]);
                self.assign_if(hit_now, of_leader, is_led);
            }
            self.assign_if(hit_now, cell, now);
        }
    }

    /// Whether a thread works under a lock of its own, whether it does under its leader's, and the
    /// cell of the former, or else of the latter.
    fn excludes(&mut self, hold: Hold) -> [Expression; 3] {
        let e = &mut self.program.expressions;
        let [holds, acquired, cell] = [hold.holds, hold.acquired, hold.cell].map(|variable| e.variable(variable));
        let own = e.and([holds, acquired]);
        let Some(led) = hold.led else { return [own, e.boolean(false), cell] };
        let [met, of_leader] = [led.met, led.cell].map(|variable| e.variable(variable));
        [own, met, e.if_then_else(own, cell, of_leader)]
    }

    /// The cells of locks that thread 1 may hold at a site and of signals that it may have read,
    /// and what is likely to hold of them at a hit.
    pub fn signals_at(&mut self, site: Site) -> Vec<(Expression, Expression)> {
        let Some(state) = &self.signalling else { return Vec::new() };
        let Some(stage) = state.stages.get(&site) else { return Vec::new() };
        let taken: Vec<(Variable, Variable, Expression)> = state
            .taken
            .iter()
            .filter_map(|(lock, cell)| stage.locks.get(lock).map(|under| (under.held, under.cell, *cell)))
            .collect();
        let read: Vec<(Instruction, Known, Expression)> = stage
            .known
            .iter()
            .filter_map(|(at, known)| state.rounds.get(at).map(|rounds| (*at, *known, rounds[0].cell)))
            .collect();
        let known: Vec<(Instruction, Known)> = stage.known.iter().map(|(&read, &known)| (read, known)).collect();
        let condition = |(held, at, cell): (Variable, Variable, Expression)| {
            let e = &mut self.program.expressions;
            let [held, at] = [held, at].map(|variable| e.variable(variable));
            let same = e.equal(at, cell);
            (cell, e.implies(held, same))
        };
        let mut likely: Vec<(Expression, Expression)> = taken.into_iter().map(condition).collect();
        for (at, Known { ways, seen }, cell) in read {
            let Some(seen) = seen else { continue };
            let [known_cell, value] = [seen.cell, seen.value].map(|variable| self.e().variable(variable));
            let ways = ways.map(|way| self.e().variable(way));
            let same = self.e().equal(known_cell, cell);
            let ways = ways.into_iter().take(self.ways());
            likely.extend(ways.chain([same]).map(|condition| (cell, condition)));
            for number in self.stored_at(at) {
                let number = self.e().bits(number);
                likely.push((cell, self.program.expressions.equal(value, number)));
            }
        }
        let count = self.ways();
        for (read, Known { ways, seen }) in known {
            let Some(seen) = seen else { continue };
            for (returned, condition) in self.decided_by(read, 0) {
                let e = &mut self.program.expressions;
                let value = FxHashMap::from_iter([(returned, e.variable(seen.value))]);
                let holds = e.substitute(condition, &value, &mut FxHashMap::default());
                let ways = ways.map(|way| e.variable(way));
                let knows = e.or(ways.into_iter().take(count));
                let fails = e.not(holds);
                likely.extend([holds, fails].map(|condition| (condition, e.implies(knows, condition))));
            }
        }
        likely
    }

    /// The conditions of a thread's branches that depend on the number that a read returns, with
    /// the variable of that number.
    pub(super) fn decided_by(&mut self, read: Instruction, thread: usize) -> Vec<(Variable, Expression)> {
        let Some(signals) = self.signals() else { return Vec::new() };
        let result = signals.operations.get(&read).and_then(|strong| strong.result);
        let Some(returned) = result.filter(|&result| self.values[result].is_some()) else { return Vec::new() };
        let Node::Variable(returned) = *self.program.expressions.node(self.scalar(returned, thread)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for &block in &self.facts.structure.order {
            let Terminator::Branch { condition, .. } = self.kernel.blocks[block].terminator else { continue };
            if self.values[condition].is_none() {
                continue;
            }
            let condition = self.scalar(condition, thread);
            let mut depends = false;
            self.program.expressions.for_each_variable(condition, |variable| depends |= variable == returned);
            if depends && !found.contains(&(returned, condition)) {
                found.push((returned, condition));
            }
        }
        found
    }

    /// The place that an operation is on.
    pub(super) fn array_of(&self, at: Instruction) -> Option<Array> {
        Some(self.signals()?.operations.get(&at)?.array)
    }

    /// The last execution of a read in a loop by a thread.
    pub(super) fn last_seen(&self, read: Instruction, thread: usize) -> Option<Execution> {
        self.signalling.as_ref()?.knowledge.get(&read)?[thread].seen
    }

    /// Whether a thread has acquired by a read, by each way.
    pub(super) fn ways_known(&mut self, read: Instruction, thread: usize) -> Ways<Expression> {
        let knowledge = self.signalling.as_ref().and_then(|state| state.knowledge.get(&read)).map(|both| both[thread]);
        let Some(knowledge) = knowledge else { return [self.e().boolean(false); 2] };
        let e = &mut self.program.expressions;
        let [acquired, acquired_met, total, total_met] =
            [knowledge.acquired, knowledge.acquired_met, knowledge.total, knowledge.total_met]
                .map(|variable| e.variable(variable));
        [e.or([acquired, acquired_met]), e.or([total, total_met])]
    }

    /// Whether signals order thread 1's hit of a site and what thread 2 does now at another.
    pub fn ordered_by_signals(&mut self, hit: Site, now: Site, touch: &Touch) -> Option<Expression> {
        let state = self.signalling.as_ref()?;
        let stage = state.stages.get(&hit)?.clone();
        let array = self.sites.states[now].as_ref()?.kernel_array;
        let (writes, reads) = (state.writes.clone(), state.reads.clone());
        let mut ordered = Vec::new();
        for (write, told) in &stage.told {
            let Some(place) = self.array_of(*write).filter(|place| self.reaches(*place, array)) else { continue };
            for way in 0..self.ways() {
                let first = told.first.map(|first| self.executions(place, [first[way]; 2]));
                let Some(wrote) = first.or_else(|| writes.get(write).copied()) else { continue };
                for (at, read) in reads.iter().filter(|(_, read)| read.array == place) {
                    let Some(seen) = self.has_seen((&wrote, 0), (read, 1)) else { continue };
                    let known = self.ways_known(*at, 1)[way];
                    let told = self.e().variable(told.ways[way]);
                    ordered.push(self.program.expressions.and([told, known, seen]));
                }
            }
        }
        for (lock, Under { held, cell, .. }) in &stage.locks {
            let hold = self.signalling.as_ref().and_then(|state| state.holds.get(lock)).map(|both| both[1]);
            let Some(hold) = hold.filter(|_| self.reaches(*lock, array)) else { continue };
            let [own, by_leader, now] = self.excludes(hold);
            let e = &mut self.program.expressions;
            let [held, cell] = [*held, *cell].map(|variable| e.variable(variable));
            let is_held = e.or([own, by_leader]);
            let same = e.equal(cell, now);
            ordered.push(e.and([held, is_held, same]));
        }
        ordered.extend(self.ordered_by_observation(hit, touch));
        Some(self.e().or(ordered))
    }

    /// Whether thread 1's write to a place, which is the hit itself, was observed by thread 2. In
    /// PTX, what precedes in observation order an operation that comes first in program order
    /// precedes in causality order.
    fn ordered_by_observation(&mut self, hit: Site, touch: &Touch) -> Vec<Expression> {
        let Some(state) = &self.signalling else { return Vec::new() };
        if !self.kernel.language.has_fence_order() {
            return Vec::new();
        }
        let of_hit = self.sites.by_access.iter().find(|(_, site)| **site == hit).map(|((at, ..), _)| *at);
        // The hit may be any of several executions.
        let of_hit = of_hit.filter(|at| !state.lasts.contains_key(at));
        let Some(&wrote) = of_hit.and_then(|at| state.writes.get(&at)) else { return Vec::new() };
        let (reads, knowledge) = (state.reads.clone(), state.knowledge.clone());
        let mut ordered = Vec::new();
        for (read, executed) in reads.iter().filter(|(_, read)| read.array == wrote.array) {
            // The operation itself is compared before it counts as executed.
            if *read == touch.instruction {
                continue;
            }
            let Some(seen) = self.has_seen((&wrote, 0), (executed, 1)) else { continue };
            let Some(both) = knowledge.get(read) else { continue };
            let e = &mut self.program.expressions;
            let [own, led] = [both[1].own, both[1].led_met].map(|variable| e.variable(variable));
            let knows = e.or([own, led]);
            ordered.push(e.and([knows, seen]));
        }
        ordered
    }

    /// The condition to assert where two accesses would race: the race must not be, unless thread 2
    /// may still release its access to thread 1. Then the race is noted.
    pub fn unless_late(&mut self, logged: Site, checked: Site, race: Expression) -> Expression {
        let now = self.e().not(race);
        let Some(state) = &self.signalling else { return now };
        let Some(stage) = state.stages.get(&logged) else { return now };
        let Some(array) = self.sites.states[checked].as_ref().map(|state| state.kernel_array) else { return now };
        let ahead: Vec<Array> = stage
            .told
            .keys()
            .filter(|at| !state.writes.contains_key(at))
            .filter_map(|at| self.array_of(*at))
            .filter(|&place| self.reaches(place, array))
            .collect();
        let known: BTreeMap<Instruction, Known> = stage
            .known
            .iter()
            .filter(|(at, _)| state.reads.get(at).is_some_and(|read| ahead.contains(&read.array)))
            .map(|(&at, &known)| (at, known))
            .collect();
        if known.is_empty() || self.e().as_boolean(race) == Some(false) {
            return now;
        }
        let ways = self.ways();
        let any: Vec<Expression> = known
            .values()
            .flat_map(|known| &known.ways[..ways])
            .map(|&way| self.program.expressions.variable(way))
            .collect();
        let any = self.e().or(any);
        let waits = self.e().and([race, any]);
        let number = self.signalling.as_ref().map_or(0, |state| state.lates.len());
        let name = format!("late.{number}");
        let late = Late {
            race: self.flag(&name, None),
            passage: self.passage(&name, None),
            known: known
                .iter()
                .map(|(&at, known)| {
                    let repeated = known.seen.and_then(|_| self.signals()?.operations.get(&at));
                    (at, self.known(&format!("{name}.known.{}", at.as_u32()), None, repeated))
                })
                .collect(),
            logged,
            checked,
        };
        let no = self.e().boolean(false);
        // Another race may wait already, with what thread 1 had acquired before another access.
        let waited = self.e().variable(late.race);
        let alone = self.e().not(waited);
        let Passage { own, met, led, total, total_met } = late.passage;
        for variable in [own, met, led, total, total_met] {
            self.assign_if(waits, variable, no);
        }
        for (at, kept) in &late.known {
            let last = known[at];
            // By one execution of the read for all of them.
            let mut same = Vec::new();
            for (kept, last) in kept.seen.into_iter().zip(last.seen) {
                for (kept, last) in [(kept.cell, last.cell), (kept.value, last.value)] {
                    let [kept, last] = [kept, last].map(|variable| self.e().variable(variable));
                    same.push(self.program.expressions.equal(kept, last));
                }
            }
            let same = self.e().and(same);
            for (to, from) in kept.ways.into_iter().zip(last.ways) {
                let [from, before] = [from, to].map(|variable| self.e().variable(variable));
                let before = self.e().and([before, same]);
                let before = self.e().or([alone, before]);
                let both = self.e().and([before, from]);
                self.assign_if(waits, to, both);
            }
            for (kept, last) in kept.seen.into_iter().zip(last.seen) {
                for (to, from) in [(kept.cell, last.cell), (kept.value, last.value)] {
                    let from = self.e().variable(from);
                    self.assign_if(waits, to, from);
                }
            }
        }
        self.raise(late.race, waits);
        self.suggest_in_time(late.race);
        if let Some(state) = &mut self.signalling {
            state.lates.push(late);
        }
        let not_late = self.e().not(any);
        let race = self.e().and([race, not_late]);
        self.e().not(race)
    }

    /// Suggests that no race waits at the heads of the loops here.
    pub(super) fn suggest_in_time(&mut self, race: Variable) {
        let loops: Vec<Loop> = self.open_loops.iter().map(|open| open.loop_).collect();
        for loop_ in loops {
            let race = self.e().variable(race);
            let none = self.e().not(race);
            self.suggest_condition(loop_, none);
        }
    }

    /// Asserts at the end that no race waits any more.
    pub fn check_late(&mut self) {
        let Some(state) = &self.signalling else { return };
        for Late { race, logged, checked, .. } in state.lates.clone() {
            self.location = self.program.sites[checked].location;
            let race = self.e().variable(race);
            let good = self.e().not(race);
            self.assert(good, ObligationKind::Race { logged, checked });
        }
    }
}
