//! The rules of places, which are asserted.

use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, Block, Definition, Instruction, Space, ThreadQuery, Value};
use lockstep_ir::sequential::{CompareOp, Expression, Expressions, ObligationKind, Pair, SignalRule, Site, Variable};
use num_bigint::BigUint;

use super::{COUNT_WIDTH, Executed, Knowledge, Passage, Under};
use crate::lockstep::Lowering;
use crate::lockstep::memory::touch::Touch;
use crate::signals::leaders::Standing;
use crate::signals::{self, Change, Kind, Place, Strong};

impl Lowering<'_> {
    /// States that no two stores write the same value to a flag.
    pub(super) fn check_unique(&mut self, block: Block, at: Instruction) {
        let Some(state) = &self.signalling else { return };
        let writes: Vec<(Instruction, Executed)> = state.writes.iter().map(|(&at, one)| (at, *one)).collect();
        let Some(&now) = state.writes.get(&at) else { return };
        let blocks = self.kernel.instruction_blocks();
        let mut clashes = Vec::new();
        for (other, before) in writes {
            let Some(place) = blocks[other].filter(|_| before.array == now.array) else { continue };
            // Two threads, in either order, and one thread at two places.
            let pairs: &[(usize, usize)] = if other == at { &[(0, 1)] } else { &[(0, 1), (1, 0), (0, 0)] };
            for &(first, second) in pairs {
                let both = [self.active(place, first), self.active(block, second)];
                let (Some(stored), Some(stores)) = (before.value[first], now.value[second]) else { continue };
                let e = &mut self.program.expressions;
                let zero = e.number(e.width(stores), 0);
                let none = e.equal(stores, zero);
                let some = e.not(none);
                let same = [e.equal(before.cell[first], now.cell[second]), e.equal(stored, stores), some];
                clashes.push(e.and(both.into_iter().chain(same)));
            }
        }
        let clash = self.e().or(clashes);
        let good = self.e().not(clash);
        self.assert(good, ObligationKind::Signal(SignalRule::Unique));
    }

    /// A size of the launch.
    fn size(&mut self, query: ThreadQuery) -> Expression {
        let size = self.threads.query(&mut self.program.expressions, query, COUNT_WIDTH);
        *size.expect("a launch has three dimensions").of(0)
    }

    /// The number of additions that are made to a cell, at most.
    fn additions(&mut self, array: Array) -> Expression {
        let Some(signals) = self.signals() else { return self.e().number(COUNT_WIDTH, 0) };
        let blocks = self.kernel.instruction_blocks();
        let mut total = self.e().number(COUNT_WIDTH, 0);
        let counts = signals.operations.iter().filter(|(_, one)| one.array == array);
        for (at, _) in counts.filter(|(_, one)| matches!(one.change, Change::Count(..))) {
            let is_led = blocks[*at].is_some_and(|block| signals.leaders.standing(block) == Standing::Led);
            let is_global = self.kernel.arrays[array].space == Space::Global;
            let mut product = self.e().number(COUNT_WIDTH, 1);
            for dimension in 0..3 {
                let query = match (is_led, is_global) {
                    (true, true) => ThreadQuery::NumGroups(dimension),
                    (false, true) => ThreadQuery::GlobalSize(dimension),
                    (true, false) => continue,
                    (false, false) => ThreadQuery::LocalSize(dimension),
                };
                let size = self.size(query);
                product = self.e().multiply(product, size);
            }
            total = self.e().add(total, product);
        }
        total
    }

    /// Assumes what is known of the numbers with which additions count.
    pub(super) fn bound_counter(
        &mut self,
        block: Block,
        strong: &Strong,
        executed: &Executed,
        leads: [Option<Expression>; 2],
        step: u64,
    ) {
        let Change::Count(bits, limit) = &strong.change else { return };
        let width = bits.width();
        let additions = self.additions(strong.array);
        // As long as the counter does not wrap.
        let most = (BigUint::from(1_u32) << width) / BigUint::from(step);
        if width < COUNT_WIDTH {
            let most = self.e().bits(Bits::new(COUNT_WIDTH, most.clone()));
            let few = self.e().compare(CompareOp::UnsignedLessEqual, additions, most);
            self.assume(few, "a counter does not wrap");
        }
        let counter = self.kernel.arrays[strong.array].name.clone();
        self.list(Assumed::FewDraws { counter, each_interval: false, most });
        let counts = [0, 1].map(|thread| {
            let active = self.active(block, thread);
            let ways: Vec<Expression> = std::iter::once(active).chain(leads[thread]).collect();
            self.e().or(ways)
        });
        if let Some(limit) = limit {
            // The limit is the same for all threads and operations.
            let limit = self.scalar(*limit, 0);
            let e = &mut self.program.expressions;
            let limit = e.zero_extend(COUNT_WIDTH, limit);
            let one = e.number(COUNT_WIDTH, 1);
            let numbers = e.add(limit, one);
            let suffices = e.compare(CompareOp::UnsignedLessEqual, additions, numbers);
            let active = self.active(block, 0);
            let good = self.e().implies(active, suffices);
            self.assert(good, ObligationKind::Signal(SignalRule::Limit));
        }
        for (drawn, counts) in executed.value.into_iter().zip(counts) {
            let Some(drawn) = drawn else { continue };
            let e = &mut self.program.expressions;
            let drawn = e.zero_extend(COUNT_WIDTH, drawn);
            let step = e.number(COUNT_WIDTH, step);
            let after = e.add(drawn, step);
            let all = e.multiply(additions, step);
            let within = e.compare(CompareOp::UnsignedLessEqual, after, all);
            let bounded = e.implies(counts, within);
            self.assume(bounded, "a counter that begins at zero counts the additions");
        }
        if let Some(state) = &mut self.signalling {
            state.draws.push((*executed, counts));
        }
        let draws = self.signalling.as_ref().map(|state| state.draws.clone()).unwrap_or_default();
        for (other, counted) in draws.into_iter().filter(|(other, _)| other.array == strong.array) {
            for (first, second) in [(0, 1), (1, 0)] {
                let (Some(one), Some(two)) = (other.value[first], executed.value[second]) else { continue };
                let e = &mut self.program.expressions;
                let same = [
                    counted[first],
                    counts[second],
                    e.equal(other.cell[first], executed.cell[second]),
                    e.equal(one, two),
                ];
                let same = e.and(same);
                let distinct = e.not(same);
                self.assume(distinct, "no two additions return the same");
            }
        }
    }

    /// States that a thread sets a counter only when everybody has counted.
    pub(super) fn check_reset(&mut self, block: Block, strong: &Strong, place: &Place, touch: &Touch) {
        let Kind::Counter { step } = place.kind else { return };
        let additions = self.additions(strong.array);
        let Some(state) = &self.signalling else { return };
        let reads: Vec<(Executed, Knowledge)> = state
            .reads
            .iter()
            .filter(|(_, read)| read.array == strong.array)
            .filter_map(|(at, read)| Some((*read, state.knowledge.get(at)?[0])))
            .collect();
        let mut ways = Vec::new();
        for (read, knowledge) in reads {
            let Some(seen) = read.value[0] else { continue };
            let [own, led] = [knowledge.own, knowledge.led_met].map(|variable| self.e().variable(variable));
            let e = &mut self.program.expressions;
            let knows = e.or([own, led]);
            let seen = e.zero_extend(COUNT_WIDTH, seen);
            let step = e.number(COUNT_WIDTH, step);
            let after = e.add(seen, step);
            let all = e.multiply(additions, step);
            let is_last = e.equal(after, all);
            let same = e.equal(read.cell[0], touch.offset[0]);
            ways.push(e.and([knows, is_last, same]));
        }
        let knows = self.e().or(ways);
        let mut here = vec![self.active(block, 0)];
        if self.pair == Pair::SameGroup && self.kernel.arrays[strong.array].space == Space::Global {
            // It is a statement about one thread. A thread of several groups is one of a pair of
            // threads of different groups, where what its leader tells it is known.
            for dimension in 0..3 {
                let query = ThreadQuery::NumGroups(dimension);
                let groups = self.size(query);
                let one = self.e().number(COUNT_WIDTH, 1);
                here.push(self.program.expressions.equal(groups, one));
            }
        }
        let here = self.e().and(here);
        let good = self.e().implies(here, knows);
        self.assert(good, ObligationKind::Signal(SignalRule::Reset));
    }

    /// An operation on a lock.
    pub(super) fn change_lock(&mut self, block: Block, strong: &Strong, free: &Bits, touch: &Touch) {
        if strong.change == Change::Keep {
            return;
        }
        let active = [0, 1].map(|thread| self.active(block, thread));
        let free_value = self.e().bits(free.clone());
        if signals::is_taking(self.kernel, strong, free) {
            let (Change::Swap(_, to) | Change::Exchange(to), Some(result)) = (&strong.change, strong.result) else {
                return;
            };
            let stored = self.scalar(*to, 0);
            let gives = self.e().equal(stored, free_value);
            let takes = self.e().not(gives);
            let good = self.e().implies(active[0], takes);
            self.assert(good, ObligationKind::Signal(SignalRule::Taken));
            let seen = [0, 1].map(|thread| self.scalar(result, thread));
            let leads = [0, 1].map(|thread| self.leads_on(block, thread, strong));
            return self.take_lock(strong, touch, (active, leads), seen.map(|seen| (seen, free_value)));
        }
        self.give_back(block, strong, touch, active);
    }

    /// States that no two threads have the same number of their own for a cell.
    pub(super) fn check_distinct(&mut self, block: Block, array: Array, number: Value, touch: &Touch) {
        let value = [0, 1].map(|thread| Some(self.scalar(number, thread)));
        let now = Executed { array, cell: touch.offset, value };
        let Some(state) = &mut self.signalling else { return };
        state.turns.push((block, now));
        let turns: Vec<(Block, Executed)> = state.turns.iter().filter(|(_, one)| one.array == array).copied().collect();
        let mut clashes = Vec::new();
        for (place, before) in turns {
            for (first, second) in [(0, 1), (1, 0)] {
                let both = [self.active(place, first), self.active(block, second)];
                let (Some(one), Some(other)) = (before.value[first], now.value[second]) else { continue };
                let e = &mut self.program.expressions;
                let same = [e.equal(before.cell[first], now.cell[second]), e.equal(one, other)];
                clashes.push(e.and(both.into_iter().chain(same)));
            }
        }
        let clash = self.e().or(clashes);
        let good = self.e().not(clash);
        self.assert(good, ObligationKind::Signal(SignalRule::Distinct));
    }

    /// A read of the number whose turn it is, or the end of a turn. The thread's number may be a
    /// ticket that it has drawn.
    pub(super) fn change_turn(
        &mut self,
        block: Block,
        strong: &Strong,
        (ticket, is_drawn): (Value, bool),
        touch: &Touch,
    ) {
        let active = [0, 1].map(|thread| self.active(block, thread));
        if strong.change == Change::Keep {
            let Some(result) = strong.result else { return };
            let mut leads = [None; 2];
            let active = if is_drawn {
                // Whoever has no ticket has no turn. Values are not predicated.
                let Some(drawn) = self.draw_of(ticket) else { return };
                [0, 1].map(|thread| {
                    let drew = self.active(drawn, thread);
                    self.program.expressions.and([active[thread], drew])
                })
            } else {
                if self.signals().is_some_and(|signals| signals.leaders.is_of_group(ticket)) {
                    leads = [0, 1].map(|thread| self.leads_on(block, thread, strong));
                }
                active
            };
            let numbers = [0, 1].map(|thread| (self.scalar(result, thread), self.scalar(ticket, thread)));
            return self.take_lock(strong, touch, (active, leads), numbers);
        }
        if let Change::Store(value) = strong.change {
            let good = if !is_drawn || self.draw_of(ticket).is_some() {
                let [stored, mine] = [value, ticket].map(|value| self.scalar(value, 0));
                let e = &mut self.program.expressions;
                let one = e.number(e.width(mine), 1);
                let next = e.add(mine, one);
                e.equal(stored, next)
            } else {
                self.e().boolean(false)
            };
            let good = self.e().implies(active[0], good);
            self.assert(good, ObligationKind::Signal(SignalRule::Next));
        }
        self.give_back(block, strong, touch, active);
    }

    /// The block in which a ticket is drawn, if the walk has come to it.
    fn draw_of(&self, ticket: Value) -> Option<Block> {
        let Definition::Result(instruction) = self.kernel.values[ticket].definition else { return None };
        self.values[ticket].as_ref()?;
        self.kernel.instruction_blocks()[instruction]
    }

    /// An operation by which a thread begins to exclude others if two numbers are equal.
    fn take_lock(
        &mut self,
        strong: &Strong,
        touch: &Touch,
        (active, leads): ([Expression; 2], [Option<Expression>; 2]),
        equal: [(Expression, Expression); 2],
    ) {
        let Some(both) = self.signalling.as_ref().and_then(|state| state.holds.get(&strong.array)).copied() else {
            return;
        };
        if let Some(state) = &mut self.signalling {
            state.taken.push((strong.array, touch.offset[0]));
        }
        for (thread, hold) in both.into_iter().enumerate() {
            let (seen, number) = equal[thread];
            let is_taken = self.e().equal(seen, number);
            let taken = self.e().and([active[thread], is_taken]);
            let acquires = self.e().boolean(strong.acquires);
            self.raise(hold.holds, taken);
            self.assign_if(taken, hold.acquired, acquires);
            let no = self.e().boolean(false);
            self.assign_if(taken, hold.released, no);
            self.assign_if(taken, hold.cell, touch.offset[thread]);
            if let (Some(leads), Some(led)) = (leads[thread], hold.led) {
                let taken = self.e().and([leads, is_taken]);
                self.raise(led.holds, taken);
                self.assign_if(taken, led.acquired, acquires);
                self.assign_if(taken, led.met, no);
                self.assign_if(taken, led.cell, touch.offset[thread]);
            }
        }
    }

    /// An operation by which a thread ceases to exclude others.
    fn give_back(&mut self, block: Block, strong: &Strong, touch: &Touch, active: [Expression; 2]) {
        let Some(both) = self.signalling.as_ref().and_then(|state| state.holds.get(&strong.array)).copied() else {
            return;
        };
        let [holds, acquired, cell] =
            [both[0].holds, both[0].acquired, both[0].cell].map(|variable| self.e().variable(variable));
        let same = self.e().equal(cell, touch.offset[0]);
        let held = self.e().and([holds, acquired, same]);
        let good = self.e().implies(active[0], held);
        self.assert(good, ObligationKind::Signal(SignalRule::Held));
        if !strong.releases {
            let released = self.e().variable(both[0].released);
            let good = self.e().implies(active[0], released);
            self.assert(good, ObligationKind::Signal(SignalRule::Released));
            let open = self.still_open(strong.array, |under| under.held, |e, passage| e.variable(passage.own));
            let open = self.e().and([active[0], open]);
            let good = self.e().not(open);
            self.assert(good, ObligationKind::Signal(SignalRule::Released));
        }
        if both[0].led.is_some() {
            self.release_for_group(block, strong, active[0]);
        }
        for (thread, hold) in both.into_iter().enumerate() {
            let keeps = self.e().not(active[thread]);
            self.keep_if(keeps, [hold.holds, hold.acquired, hold.released]);
            if let Some(led) = hold.led {
                let leads = self.may_lead_on(block, thread, strong);
                let keeps = self.e().not(leads);
                self.keep_if(keeps, [led.holds, led.acquired, led.met]);
            }
        }
    }

    fn keep_if<const COUNT: usize>(&mut self, keeps: Expression, variables: [Variable; COUNT]) {
        for variable in variables {
            let before = self.e().variable(variable);
            let after = self.e().and([before, keeps]);
            self.assign(variable, after);
        }
    }

    /// Whether the leader of a thread's group executes an operation on a cell of the group; `None`
    /// if that is not known.
    fn leads_on(&self, block: Block, thread: usize, strong: &Strong) -> Option<Expression> {
        self.leads(block, thread, true).filter(|_| self.is_cell_of_group(strong))
    }

    /// Whether the leader of a thread's group may execute an operation on a cell of the group.
    fn may_lead_on(&mut self, block: Block, thread: usize, strong: &Strong) -> Expression {
        self.leads_on(block, thread, strong).unwrap_or_else(|| self.program.expressions.boolean(true))
    }

    /// States that a leader that gives back a lock releases what its group has accessed under it: a
    /// barrier of the group follows each access of thread 1, and a release follows that.
    fn release_for_group(&mut self, block: Block, strong: &Strong, active: Expression) {
        let leads = self.may_lead_on(block, 0, strong);
        let releases = strong.releases;
        let released = |e: &mut Expressions, Passage { met, led, .. }: Passage| {
            let [met, led, releases] = [e.variable(met), e.variable(led), e.boolean(releases)];
            let by_itself = e.and([met, releases]);
            e.or([led, by_itself])
        };
        let open = self.still_open(strong.array, |under| under.of_leader, released);
        let other = self.e().not(active);
        let open = self.e().and([leads, other, open]);
        let good = self.e().not(open);
        self.assert(good, ObligationKind::Signal(SignalRule::Released));
    }

    /// Whether thread 1 has made an access under a lock of an array that is not released yet.
    fn still_open(
        &mut self,
        lock: Array,
        is_under: impl Fn(&Under) -> Variable,
        released: impl Fn(&mut Expressions, Passage) -> Expression,
    ) -> Expression {
        let state = self.signalling.as_ref();
        let under: Vec<(Site, Variable, Passage)> = state
            .into_iter()
            .flat_map(|state| &state.stages)
            .filter_map(|(&site, stage)| Some((site, is_under(stage.locks.get(&lock)?), stage.passage)))
            .collect();
        let open: Vec<Expression> = under
            .into_iter()
            .map(|(site, under, passage)| {
                let hit = self.program.sites[site].hit;
                let e = self.e();
                let [hit, under, released] = [e.variable(hit), e.variable(under), released(e, passage)];
                let pending = e.not(released);
                e.and([hit, under, pending])
            })
            .collect();
        self.e().or(open)
    }
}
