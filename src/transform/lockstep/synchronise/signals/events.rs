//! Fences, barriers and operations on places.

use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, Block, Instruction, Ordering, Scope, Space, SpaceSet, Value};
use lockstep_ir::sequential::{CompareOp, Expression, Pair, Site, Variable};

use super::{Executed, Hold, Knowledge, Passage, Round, Told, Ways};
use crate::analysis::intervals::orders;
use crate::lockstep::Lowering;
use crate::lockstep::memory::touch::Touch;
use crate::lockstep::synchronise::Fences;
use crate::signals::{Change, Kind, Place, Strong, is_wide};

impl Lowering<'_> {
    pub(super) fn raise(&mut self, variable: Variable, condition: Expression) {
        let before = self.e().variable(variable);
        let after = self.e().or([before, condition]);
        if after != before {
            self.assign(variable, after);
        }
    }

    /// The passages of the accesses that an order of these memories is about, with the thread.
    fn passages(&self, spaces: SpaceSet) -> Vec<(Passage, usize)> {
        let Some(state) = &self.signalling else { return Vec::new() };
        let covered = |site: Site| {
            let state = self.sites.states[site].as_ref();
            state.is_some_and(|state| orders(self.kernel, state.kernel_array, spaces))
        };
        let stages = state.stages.iter().filter(|(site, _)| covered(**site)).map(|(_, stage)| (stage.passage, 0));
        let lates = state.lates.iter().filter(|late| covered(late.checked)).map(|late| (late.passage, 1));
        stages.chain(lates).collect()
    }

    /// The knowledge by reads of places in these memories.
    fn knowledge(&self, spaces: SpaceSet) -> Vec<(Instruction, [Knowledge; 2])> {
        let (Some(state), Some(signals)) = (&self.signalling, self.signals()) else { return Vec::new() };
        let covered =
            |at: &Instruction| signals.operations.get(at).is_some_and(|one| orders(self.kernel, one.array, spaces));
        state.knowledge.iter().filter(|(at, _)| covered(at)).map(|(&at, both)| (at, *both)).collect()
    }

    /// A fence.
    pub fn signal_fence(&mut self, block: Block, ordering: Ordering, scope: Scope, spaces: SpaceSet) {
        if self.signalling.is_none() {
            return;
        }
        if ordering.acquires() {
            self.renew_own_copies(block, Fences { spaces: SpaceSet::ALL, flags: None });
        }
        if !is_wide(scope).is_some_and(|is_wide| self.includes_both(is_wide)) {
            return;
        }
        let is_total = ordering == Ordering::SequentiallyConsistent && self.kernel.language.has_fence_order();
        if ordering.releases() {
            for (passage, thread) in self.passages(spaces) {
                let active = self.active(block, thread);
                self.raise(passage.own, active);
                if is_total {
                    self.raise(passage.total, active);
                }
                if let Some(leads) = self.leads(block, thread, false) {
                    let met = self.e().variable(passage.met);
                    let behind = self.e().and([leads, met]);
                    self.raise(passage.led, behind);
                    if is_total {
                        self.raise(passage.total_met, behind);
                    }
                }
            }
        }
        self.fence_under_locks(block, ordering, spaces);
        if !ordering.acquires() {
            return;
        }
        for (_, both) in self.knowledge(spaces) {
            for (thread, knowledge) in both.into_iter().enumerate() {
                let active = self.active(block, thread);
                let [own, led, led_met] =
                    [knowledge.own, knowledge.led, knowledge.led_met].map(|variable| self.e().variable(variable));
                let own = self.e().and([active, own]);
                self.raise(knowledge.acquired, own);
                if is_total {
                    let behind = self.e().and([active, led_met]);
                    let behind = self.e().or([own, behind]);
                    self.raise(knowledge.total, behind);
                }
                if let Some(leads) = self.leads(block, thread, false) {
                    let led = self.e().and([leads, led]);
                    self.raise(knowledge.led_acquired, led);
                    if is_total {
                        self.raise(knowledge.led_total, led);
                    }
                }
            }
        }
    }

    /// A fence of threads that hold locks.
    fn fence_under_locks(&mut self, block: Block, ordering: Ordering, spaces: SpaceSet) {
        for (array, both) in self.holds() {
            if !orders(self.kernel, array, spaces) {
                continue;
            }
            for (thread, hold) in both.into_iter().enumerate() {
                let active = self.active(block, thread);
                let holds = self.e().variable(hold.holds);
                let behind = self.e().and([active, holds]);
                if ordering.acquires() {
                    self.raise(hold.acquired, behind);
                    if let (Some(leads), Some(led)) = (self.leads(block, thread, false), hold.led) {
                        let holds = self.e().variable(led.holds);
                        let behind = self.e().and([leads, holds]);
                        self.raise(led.acquired, behind);
                    }
                }
                if ordering.releases() {
                    // A release hands on what the thread has acquired before.
                    let acquired = self.e().variable(hold.acquired);
                    let behind = self.e().and([behind, acquired]);
                    self.raise(hold.released, behind);
                }
            }
        }
    }

    fn holds(&self) -> Vec<(Array, [Hold; 2])> {
        let state = self.signalling.as_ref();
        state.map(|state| state.holds.iter().map(|(&array, &both)| (array, both)).collect()).unwrap_or_default()
    }

    /// A barrier of the group.
    pub fn signal_barrier(&mut self, block: Block, fences: Fences) {
        // Threads of one group need no leader: the barrier orders their accesses.
        if self.signalling.is_none() || fences.flags.is_some() || self.pair != Pair::DifferentGroups {
            return;
        }
        for (passage, thread) in self.passages(fences.spaces) {
            let active = self.active(block, thread);
            self.raise(passage.met, active);
            let total = self.e().variable(passage.total);
            let behind = self.e().and([active, total]);
            self.raise(passage.total_met, behind);
        }
        self.hand_on_locks(block, fences.spaces);
        for (_, both) in self.knowledge(fences.spaces) {
            for (thread, knowledge) in both.into_iter().enumerate() {
                let active = self.active(block, thread);
                for (from, to) in [
                    (knowledge.led, knowledge.led_met),
                    (knowledge.led_acquired, knowledge.acquired_met),
                    (knowledge.led_total, knowledge.total_met),
                ] {
                    let from = self.e().variable(from);
                    let behind = self.e().and([active, from]);
                    self.raise(to, behind);
                }
            }
        }
    }

    /// Lets the threads of a group work under the locks that their leader has taken, behind a
    /// barrier.
    fn hand_on_locks(&mut self, block: Block, spaces: SpaceSet) {
        for (array, both) in self.holds() {
            if !orders(self.kernel, array, spaces) {
                continue;
            }
            for (thread, hold) in both.into_iter().enumerate() {
                let Some(led) = hold.led else { continue };
                let active = self.active(block, thread);
                let [holds, acquired] = [led.holds, led.acquired].map(|variable| self.e().variable(variable));
                let behind = self.e().and([active, holds, acquired]);
                self.raise(led.met, behind);
            }
        }
    }

    /// An operation that may be on a place, after its own accesses have been logged and checked.
    pub fn signal_operation(&mut self, block: Block, instruction: Instruction, touch: &Touch) {
        let Some(signals) = self.signals() else { return };
        let Some(strong) = signals.operations.get(&instruction) else { return };
        if strong.acquires {
            self.renew_own_copies(block, Fences { spaces: SpaceSet::ALL, flags: None });
        }
        let Some(place) = self.place_of(strong) else { return };
        match &place.kind {
            Kind::Lock { free } => self.change_lock(block, strong, free, touch),
            Kind::Turn { ticket, counter } => {
                if counter.is_none() {
                    self.check_distinct(block, strong.array, *ticket, touch);
                }
                self.change_turn(block, strong, (*ticket, counter.is_some()), touch);
            }
            Kind::Flag | Kind::Counter { .. } | Kind::Progress => {
                self.assume_unset(strong.array);
                // The read part of an addition comes before its write part.
                self.read_place((block, instruction), strong, touch);
                self.write_place((block, instruction), strong, place, touch);
            }
        }
    }

    fn assume_unset(&mut self, array: Array) {
        // Local memory is a place only if a thread has set it to zero.
        let data = &self.kernel.arrays[array];
        if data.space == Space::Global {
            self.list(Assumed::SignalsUnset { array: data.name.clone() });
        }
    }

    fn read_place(&mut self, (block, instruction): (Block, Instruction), strong: &Strong, touch: &Touch) {
        let Some(state) = &self.signalling else { return };
        let Some(&both) = state.knowledge.get(&instruction) else { return };
        let Some(result) = strong.result else { return };
        let value = [0, 1].map(|thread| self.scalar(result, thread));
        let leads = [0, 1].map(|thread| self.leads(block, thread, true).filter(|_| self.is_cell_of_group(strong)));
        let rounds = [0, 1].map(|thread| {
            let executes = std::iter::once(self.active(block, thread)).chain(leads[thread]);
            let executes = executes.collect::<Vec<_>>();
            Round { executes: self.e().or(executes), cell: touch.offset[thread] }
        });
        let last = [0, 1].map(|thread| {
            let now = (touch.offset[thread], value[thread]);
            self.begin_read((&both[thread], rounds[thread].executes), now)
        });
        let [cell, value] = [last.map(|(cell, _)| cell), last.map(|(_, value)| value)];
        let executed = Executed { array: strong.array, cell, value: value.map(Some) };
        if let Some(state) = &mut self.signalling {
            state.reads.insert(instruction, executed);
            if both[0].seen.is_some() {
                state.rounds.insert(instruction, rounds);
            }
        }
        self.assume_stored(strong.array, result);
        for (thread, knowledge) in both.into_iter().enumerate() {
            let active = self.active(block, thread);
            self.raise(knowledge.own, active);
            if strong.acquires {
                self.raise(knowledge.acquired, active);
            }
            if let Some(leads) = leads[thread] {
                self.raise(knowledge.led, leads);
                if strong.acquires {
                    self.raise(knowledge.led_acquired, leads);
                }
            }
        }
    }

    /// Forgets what a thread knows by earlier executions of a read in a loop. Returns the cell and
    /// the value of the last execution.
    fn begin_read(
        &mut self,
        (knowledge, executes): (&Knowledge, Expression),
        now: (Expression, Expression),
    ) -> (Expression, Expression) {
        let Some(seen) = knowledge.seen else { return now };
        let no = self.e().boolean(false);
        for variable in knowledge.flags() {
            self.assign_if(executes, variable, no);
        }
        self.assign_if(executes, seen.cell, now.0);
        self.assign_if(executes, seen.value, now.1);
        (self.e().variable(seen.cell), self.e().variable(seen.value))
    }

    /// Assumes that a flag has one of the values that are stored there, if all of them are
    /// constants.
    fn assume_stored(&mut self, array: Array, result: Value) {
        let Some(signals) = self.signals() else { return };
        if signals.places.get(&array).is_none_or(|place| place.kind != Kind::Flag) {
            return;
        }
        let changes = signals.operations.values().filter(|one| one.array == array);
        let stored: Option<Vec<Bits>> = changes
            .filter_map(|one| match one.change {
                Change::Store(value) | Change::Exchange(value) => Some(self.kernel.constant(value).cloned()),
                Change::Keep | Change::Count(..) | Change::Swap(..) | Change::Other => None,
            })
            .collect();
        let Some(stored) = stored else { return };
        for thread in 0..2 {
            let seen = self.scalar(result, thread);
            let e = self.e();
            let values = std::iter::once(Bits::zero(e.width(seen))).chain(stored.iter().cloned());
            let values: Vec<Expression> = values.map(|value| self.program.expressions.bits(value)).collect();
            let is_one =
                values.into_iter().map(|value| self.program.expressions.equal(seen, value)).collect::<Vec<_>>();
            let is_one = self.e().or(is_one);
            self.assume(is_one, "a flag has a value that was stored there, or zero");
        }
    }

    /// Whether each thread's copy of the cell that an operation accesses is its leader's.
    pub(super) fn is_cell_of_group(&self, strong: &Strong) -> bool {
        self.signals().is_some_and(|signals| signals.leaders.is_of_group(strong.pointer))
    }

    fn write_place(
        &mut self,
        (block, instruction): (Block, Instruction),
        strong: &Strong,
        place: &Place,
        touch: &Touch,
    ) {
        let of_group = |value| self.signals().is_some_and(|signals| signals.leaders.is_of_group(value));
        let (executed, is_of_group) = match (&strong.change, &place.kind) {
            (Change::Keep, _) => return,
            (Change::Store(value) | Change::Exchange(value), Kind::Flag | Kind::Progress) => {
                let is_of_group = of_group(*value) && self.is_cell_of_group(strong);
                let value = [0, 1].map(|thread| Some(self.scalar(*value, thread)));
                (Executed { array: strong.array, cell: touch.offset, value }, is_of_group)
            }
            (Change::Store(_) | Change::Exchange(_), _) => return self.check_reset(block, strong, place, touch),
            (Change::Count(step, _), Kind::Progress) => {
                let is_of_group = self.is_cell_of_group(strong);
                (self.added(instruction, strong, step, touch), is_of_group)
            }
            (_, _) => {
                let result = strong.result;
                let value = [0, 1].map(|thread| result.map(|result| self.scalar(result, thread)));
                (Executed { array: strong.array, cell: touch.offset, value }, self.is_cell_of_group(strong))
            }
        };
        let leads = [0, 1].map(|thread| self.leads(block, thread, true).filter(|_| is_of_group));
        if let Kind::Counter { step } = place.kind {
            self.bound_counter(block, strong, &executed, leads, step);
        }
        if let Some(state) = &mut self.signalling {
            state.writes.insert(instruction, executed);
        }
        if place.kind == Kind::Flag {
            self.check_unique(block, instruction);
        }
        if place.kind == Kind::Progress {
            self.go_on((block, instruction), strong, executed, leads);
        }
        self.tell((block, instruction), strong, leads);
        self.settle((block, instruction), strong, leads);
    }

    /// Whether a write releases an access of a thread, by each way.
    fn released_by(
        &mut self,
        passage: Passage,
        releases: bool,
        active: Expression,
        leads: Option<Expression>,
    ) -> Ways<Expression> {
        let [own, met, led, total, total_met] =
            [passage.own, passage.met, passage.led, passage.total, passage.total_met]
                .map(|variable| self.program.expressions.variable(variable));
        let e = self.e();
        let yes = e.boolean(releases);
        let by_itself = e.or([own, yes]);
        let mut strict = vec![e.and([active, by_itself])];
        let mut total = vec![e.and([active, total])];
        if let Some(leads) = leads {
            let released = e.and([met, yes]);
            let released = e.or([led, released]);
            strict.push(e.and([leads, released]));
            total.push(e.and([leads, total_met]));
        }
        [e.or(strict), e.or(total)]
    }

    /// Notes which of thread 1's accesses a write releases.
    fn tell(&mut self, (block, at): (Block, Instruction), strong: &Strong, leads: [Option<Expression>; 2]) {
        let Some(state) = &self.signalling else { return };
        let stages: Vec<(Passage, Told)> =
            state.stages.values().filter_map(|stage| Some((stage.passage, *stage.told.get(&at)?))).collect();
        let Some(&wrote) = state.writes.get(&at) else { return };
        let (active, releases) = (self.active(block, 0), self.releases(strong));
        for (passage, told) in stages {
            let ways = self.released_by(passage, releases, active, leads[0]);
            for (number, way) in ways.into_iter().enumerate() {
                if let (Some(first), Some(stored)) = (told.first, wrote.value[0]) {
                    let before = self.e().variable(told.ways[number]);
                    let not_yet = self.e().not(before);
                    let begins = self.e().and([way, not_yet]);
                    self.assign_if(begins, first[number].cell, wrote.cell[0]);
                    self.assign_if(begins, first[number].value, stored);
                }
                self.raise(told.ways[number], way);
            }
        }
    }

    /// Whether a write releases by itself, and so does each one that a read may have seen in its
    /// place.
    fn releases(&self, strong: &Strong) -> bool {
        let Some(signals) = self.signals() else { return false };
        let mut others = signals.operations.values().filter(|other| other.array == strong.array && other.writes());
        let is_progress = signals.places.get(&strong.array).is_some_and(|place| place.kind == Kind::Progress);
        strong.releases && (!is_progress || others.all(|other| other.releases))
    }

    /// Settles the races that waited for a write of thread 2.
    fn settle(&mut self, (block, at): (Block, Instruction), strong: &Strong, leads: [Option<Expression>; 2]) {
        let Some(state) = &self.signalling else { return };
        let lates = state.lates.clone();
        let Some(&wrote) = state.writes.get(&at) else { return };
        let (active, releases) = (self.active(block, 1), self.releases(strong));
        for late in lates {
            let released = self.released_by(late.passage, releases, active, leads[1]);
            let mut ways = Vec::new();
            for (read, known) in &late.known {
                let read = self.signalling.as_ref().and_then(|state| state.reads.get(read)).copied();
                let Some(mut read) = read.filter(|read| read.array == wrote.array) else { continue };
                if let Some(seen) = known.seen {
                    let [cell, value] = [seen.cell, seen.value].map(|variable| self.e().variable(variable));
                    read = Executed { cell: [cell; 2], value: [Some(value); 2], ..read };
                }
                let Some(seen) = self.has_seen((&wrote, 1), (&read, 0)) else { continue };
                for (way, known) in released.into_iter().zip(known.ways).take(self.ways()) {
                    let known = self.e().variable(known);
                    ways.push(self.program.expressions.and([way, known, seen]));
                }
            }
            let settled = self.e().or(ways);
            let before = self.e().variable(late.race);
            let still = self.e().not(settled);
            let after = self.e().and([before, still]);
            if after != before {
                self.suggest_in_time(late.race);
                self.assign(late.race, after);
            }
        }
    }

    /// Whether a read has read from a write, or from behind it, by their values.
    pub(super) fn has_seen(
        &mut self,
        (wrote, writer): (&Executed, usize),
        (read, reader): (&Executed, usize),
    ) -> Option<Expression> {
        let place = self.signals()?.places.get(&wrote.array)?;
        let seen = read.value[reader]?;
        let e = &mut self.program.expressions;
        let mut all = vec![e.equal(wrote.cell[writer], read.cell[reader])];
        match place.kind {
            Kind::Flag => {
                let stored = wrote.value[writer]?;
                let zero = e.number(e.width(seen), 0);
                let unset = e.equal(seen, zero);
                all.push(e.not(unset));
                all.push(e.equal(stored, seen));
            }
            Kind::Counter { .. } => {
                let drawn = wrote.value[writer]?;
                all.push(e.compare(CompareOp::UnsignedLess, drawn, seen));
            }
            Kind::Progress => {
                let stored = wrote.value[writer]?;
                all.push(e.compare(CompareOp::UnsignedLessEqual, stored, seen));
            }
            Kind::Lock { .. } | Kind::Turn { .. } => return None,
        }
        Some(e.and(all))
    }
}
