//! Patterns of synchronisation through memory, which are right.

use lockstep_ir::kernel::{Ordering, Scope};

use super::super::super::program::{Condition, Means, Operator, Place, Relation, Signal, Statement, Value};
use super::super::{Generator, word};
use super::rounds::side_of_work;
use super::{CELLS, OF_GROUP, OTHER, SEEN, Side, TOLD, group_barrier, is, is_more, only_if};

/// The cell of signals from which tickets are drawn that stand for parties.
const TICKETS: u32 = CELLS - 1;

/// The cell of signals of the first slot of a queue, behind its tail and its head.
const FIRST_SLOT: u32 = 2;

impl Generator {
    /// One pattern.
    pub(super) fn pattern(&mut self) -> Vec<Statement> {
        let side = self.side();
        match self.pick(&[5, 4, 2, 1, 5, 3, 5, 2, 2, 5, 5, 4, 5]) {
            0 => self.flag(side),
            1 => self.chain_of_flags(side),
            2 => self.flags_of_all(side),
            3 => self.queue(Side { is_wide: false, is_total: false, ..side }),
            4 => self.last_one(side),
            5 => self.barrier_of_count(side),
            6 if self.one_in(5) => {
                let lock = self.lock(side);
                vec![self.in_rounds(lock)]
            }
            6 => self.lock(side),
            7 => self.ticket_lock(side),
            8 => self.turns(side),
            9 => self.barriers_in_rounds(side),
            10 => self.neighbours_in_rounds(side),
            11 => self.work(side_of_work(side)),
            _ if self.one_in(4) => self.turns_in_rounds(side),
            _ => self.turns_in_rounds(side_of_work(side)),
        }
    }

    // --- Flags -----------------------------------------------------------------------------------

    /// A party writes data and sets a flag, for which others wait or look.
    fn flag(&mut self, side: Side) -> Vec<Statement> {
        let writer = self.below(self.count(side).min(2));
        let (cell, value) = (Value::Constant(self.below(2)), 1 + self.below(2));
        let place = Self::signal_cell(side, cell);
        let data = self.data_of(side, Value::Constant(writer), false);
        let written = self.writes(data);
        let mut writes = self.accessed(side, vec![written]);
        writes.extend(self.telling(side, place.clone(), Value::Constant(value)));
        let shape = self.pick(&[4, 2, 1]);
        let reads_again = self.one_in(6) && shape < 2;
        let reads = self.awaited(side, &place, value, (writer, shape < 2 && !reads_again));
        let is_writer = is(self.me(side), Relation::Equal, writer);
        let mut body = match shape {
            0 => vec![Statement::If { condition: is_writer, then: writes, otherwise: reads }],
            1 => {
                let is_other = is(self.me(side), Relation::NotEqual, writer);
                vec![only_if(is_writer, writes), only_if(is_other, reads)]
            }
            // The writer waits for its own flag, too.
            _ => [vec![only_if(is_writer, writes)], reads].concat(),
        };
        if reads_again {
            let place = self.data_of(side, Value::Constant(writer), false);
            let reads = only_if(is(self.me(side), Relation::Equal, writer), self.reads_data(place));
            body.extend(self.accessed(side, vec![reads]));
        }
        body
    }

    /// Reads of a party's data behind its flag, or writes by another one if nobody reads them.
    fn awaited(
        &mut self,
        side: Side,
        place: &Place,
        value: u32,
        (writer, may_overwrite): (u32, bool),
    ) -> Vec<Statement> {
        let data = self.data_of(side, Value::Constant(writer), true);
        // Only one other party may write there.
        let overwrites = may_overwrite && self.count(side) == 2 && self.one_in(6);
        let reads = if overwrites { vec![self.writes(data)] } else { self.reads_data(data) };
        if self.one_in(3) {
            let seen = [is(Value::Variable(SEEN), Relation::Equal, value), is_more(Value::Variable(SEEN), value - 1)];
            let seen = seen[self.pick(&[3, 1])].clone();
            return self.looked(side, place.clone(), seen, reads);
        }
        let (relation, value) =
            [(Relation::NotEqual, value), (Relation::Less, value), (Relation::Equal, 0)][self.pick(&[3, 1, 1])];
        let waits = self.waits_while(side, place.clone(), relation, Value::Constant(value));
        if side.is_wide && self.one_in(4) {
            // Each thread waits for itself.
            return [waits, Self::total_fence(side).into_iter().collect(), reads].concat();
        }
        let mut body = self.led(side, waits);
        body.extend(self.behind_signal(side));
        body.extend(self.accessed(side, reads));
        body
    }

    /// Statements behind one look at a cell, if it shows the right thing.
    fn looked(&mut self, side: Side, place: Place, seen: Condition, mut then: Vec<Statement>) -> Vec<Statement> {
        let (look, fence) = self.looks(side, place);
        if self.is_shared(side) && !self.one_in(3) {
            return self.told(side, vec![look], seen, (fence.into_iter().collect(), then));
        }
        let mut body = vec![look];
        if let Some(fence) = fence.or_else(|| Self::total_fence(side)) {
            if self.one_in(2) {
                body.push(fence);
            } else {
                then.insert(0, fence);
            }
        }
        body.push(only_if(seen, then));
        self.accessed(side, body)
    }

    /// A thread draws or looks, and tells the others of its group whether a condition holds.
    fn told(
        &mut self,
        side: Side,
        mut signals: Vec<Statement>,
        condition: Condition,
        (fences, then): (Vec<Statement>, Vec<Statement>),
    ) -> Vec<Statement> {
        let one = Value::Select(Box::new(condition), Box::new(Value::Constant(1)), Box::new(Value::Constant(0)));
        let told = word(OF_GROUP, Value::Constant(TOLD));
        let store = vec![Statement::Store { place: told.clone(), value: one }];
        signals.extend(if self.one_in(2) { [store, fences] } else { [fences, store] }.concat());
        let mut body = self.led(side, signals);
        body.push(group_barrier());
        body.push(Statement::Load { to: OTHER, place: told, mask: 1 });
        let mut then: Vec<Statement> = Self::total_fence(side).into_iter().chain(then).collect();
        if self.one_in(8) {
            then.push(group_barrier());
        }
        body.push(only_if(is(Value::Variable(OTHER), Relation::Equal, 1), then));
        body
    }

    /// Each party waits for the one before it, and sets a flag for the next one.
    fn chain_of_flags(&mut self, side: Side) -> Vec<Statement> {
        let mut body = Vec::new();
        let me = if self.one_in(4) {
            body = self.order_by_tickets(side);
            Value::Variable(OTHER)
        } else {
            self.me(side)
        };
        let before = me.clone().with(Operator::Subtract, 1);
        // One cell that tells whose turn it is, or a flag for each.
        let turn = self.one_in(3).then(|| Value::Constant(self.below(2)));
        let waits = if let Some(cell) = &turn {
            let place = Self::signal_cell(side, cell.clone());
            let relation = if self.one_in(3) { Relation::Less } else { Relation::NotEqual };
            self.waits_while(side, place, relation, me.clone())
        } else {
            let place = Self::signal_cell(side, before.clone());
            let waits = self.waits_while(side, place, Relation::NotEqual, Value::Constant(1));
            vec![only_if(is_more(me.clone(), 0), waits)]
        };
        body.extend(self.led(side, waits));
        body.extend(self.behind_signal(side));
        let accesses = self.accesses_in_turn(side, &me);
        body.extend(self.accessed(side, accesses));
        let (cell, value) = match turn {
            Some(cell) => (cell, me.with(Operator::Add, 1)),
            None => (me, Value::Constant(1)),
        };
        body.extend(self.telling(side, Self::signal_cell(side, cell), value));
        body
    }

    /// Accesses of a party behind those of the one before it.
    fn accesses_in_turn(&mut self, side: Side, me: &Value) -> Vec<Statement> {
        if self.one_in(2) {
            let shared = self.shared_data(side, &Value::Constant(0));
            return self.changes(&shared);
        }
        let own = self.data_of(side, me.clone(), false);
        // The one before it has seen the flags of those before that one.
        let other = if self.one_in(4) { Value::Constant(0) } else { me.clone().with(Operator::Subtract, 1) };
        let other = self.data_of(side, other, true);
        let reads = only_if(is_more(me.clone(), 0), self.reads_data(other));
        vec![reads, self.writes(own)]
    }

    /// The parties draw tickets, which then stand for them.
    fn order_by_tickets(&mut self, side: Side) -> Vec<Statement> {
        let place = Self::signal_cell(side, Value::Constant(TICKETS));
        let draws = Self::draws(side, place);
        if !self.is_shared(side) {
            return self.led(side, vec![draws]);
        }
        let told = word(OF_GROUP, Value::Constant(TOLD));
        let store = Statement::Store { place: told.clone(), value: Value::Variable(OTHER) };
        let mut body = self.led(side, vec![draws, store]);
        body.push(group_barrier());
        body.push(Statement::Load { to: OTHER, place: told, mask: CELLS - 1 });
        body
    }

    /// Each party sets a flag, and one of them or all read what they have written, one after the
    /// other.
    fn flags_of_all(&mut self, side: Side) -> Vec<Statement> {
        let own = self.data_of(side, self.me(side), false);
        let write = self.writes(own);
        let mut body = self.accessed(side, vec![write]);
        body.extend(self.telling(side, Self::signal_cell(side, self.me(side)), Value::Constant(1)));
        let all = self.counted(self.bound_of(side), |this, other| {
            let mut inside = this.waiting(side, Self::signal_cell(side, other.clone()), Value::Constant(1));
            let place = this.data_of(side, other, true);
            let reads = this.reads_data(place);
            inside.extend(this.accessed(side, reads));
            inside
        });
        if self.one_in(2) {
            let reader = self.below(2);
            body.push(only_if(is(self.me(side), Relation::Equal, reader), vec![all]));
        } else {
            body.push(all);
        }
        body
    }

    /// Some parties draw slots, fill them and mark them; the others draw slots and wait for the
    /// marks.
    fn queue(&mut self, side: Side) -> Vec<Statement> {
        let slot = Value::Variable(OTHER);
        let mark = slot.clone().with(Operator::Add, FIRST_SLOT);
        let (tail, head) = (Value::Constant(0), Value::Constant(1));
        let data = self.data_of(side, slot, false);
        let mut fills = vec![Self::draws(side, Self::signal_cell(side, tail)), self.writes(data.clone())];
        let place = Self::signal_cell(side, mark);
        fills.extend(self.tells(side, place.clone(), Value::Constant(1)));
        let mut empties = vec![Self::draws(side, Self::signal_cell(side, head))];
        empties.extend(self.waits_while(side, place, Relation::NotEqual, Value::Constant(1)));
        empties.extend(self.reads_data(data));
        let fills_slots = is(self.me(side).with(Operator::And, 1), Relation::Equal, 0);
        self.led(side, vec![Statement::If { condition: fills_slots, then: fills, otherwise: empties }])
    }

    /// Two parties that hand data to each other, in one round or several.
    fn turns(&mut self, side: Side) -> Vec<Statement> {
        let [full, empty] = [0, 1].map(|cell| Self::signal_cell(side, Value::Constant(cell)));
        let bound = if self.one_in(3) { Value::Parameter } else { Value::Constant(1 + self.below(3)) };
        let all = self.counted(bound, |this, round| {
            let next = round.clone().with(Operator::Add, 1);
            let data = this.data_of(side, Value::Constant(0), false);
            let (write, reads) = (this.writes(data.clone()), this.reads_data(data));
            let mut fills = this.waiting(side, empty.clone(), round);
            fills.extend(this.accessed(side, vec![write]));
            fills.extend(this.telling(side, full.clone(), next.clone()));
            let mut empties = this.waiting(side, full, next.clone());
            empties.extend(this.accessed(side, reads));
            empties.extend(this.telling(side, empty, next));
            [fills, empties]
                .into_iter()
                .zip(0..)
                .map(|(body, party)| only_if(is(this.me(side), Relation::Equal, party), body))
                .collect()
        });
        vec![all]
    }

    /// A party waits until a cell has a value.
    fn waiting(&mut self, side: Side, place: Place, value: Value) -> Vec<Statement> {
        let waits = self.waits_while(side, place, Relation::NotEqual, value);
        [self.led(side, waits), self.behind_signal(side)].concat()
    }

    /// A party writes a value to a cell behind its accesses.
    fn telling(&mut self, side: Side, place: Place, value: Value) -> Vec<Statement> {
        let tells = self.tells(side, place, value);
        [self.before_signal(side), self.led(side, tells)].concat()
    }

    // --- Counters --------------------------------------------------------------------------------

    /// Who draws the last number reads what all have written.
    fn last_one(&mut self, side: Side) -> Vec<Statement> {
        let own = self.data_of(side, self.me(side), false);
        let write = self.writes(own);
        let mut body = self.accessed(side, vec![write]);
        body.extend(self.before_signal(side));
        let place = Self::signal_cell(side, Value::Constant(self.below(2)));
        let last = Value::binary(Operator::Subtract, self.count_of(side), Value::Constant(1));
        let wraps = self.is_cuda() && self.one_in(4);
        let step = if wraps || !self.one_in(6) { 1 } else { 2 };
        let [draws, fences] = self.drawn_numbers(side, &place, (step, wraps.then(|| last.clone())));
        let mut then = self.reads_of_others(side);
        if self.one_in(4) {
            // The last one lets the counter start again.
            let means = Means::Atomic(Ordering::Relaxed, side.scope);
            let operands = vec![Value::Constant(0)];
            let again = Statement::Signal { operation: Signal::Store, means, place, operands, to: None };
            then.extend(if side.is_wide { self.led(side, vec![again]) } else { vec![again] });
        }
        let mut drawn = Value::Variable(SEEN);
        if !wraps && step == 1 && self.one_in(6) {
            drawn = drawn.with(Operator::Remainder, self.count(side));
        }
        let last = if step == 1 { last } else { last.with(Operator::Multiply, step) };
        let is_last = Condition::Compare(Relation::Equal, drawn, last);
        if self.is_shared(side) {
            body.extend(self.told(side, draws, is_last, (fences, then)));
            return body;
        }
        let fences: Vec<Statement> = fences.into_iter().chain(Self::total_fence(side)).collect();
        let mut inside = draws;
        if self.one_in(2) {
            inside.extend(fences);
        } else {
            then = [fences, then].concat();
        }
        inside.push(only_if(is_last, then));
        body.extend(self.led(side, inside));
        body
    }

    /// Draws a number, which is a multiple of a step or wraps around behind a last one; and the
    /// fence behind that.
    pub(super) fn drawn_numbers(
        &mut self,
        side: Side,
        place: &Place,
        (step, last): (u32, Option<Value>),
    ) -> [Vec<Statement>; 2] {
        let Some(last) = last else {
            return self.both(side, |means| super::add(means, place.clone(), step, Some(SEEN)));
        };
        // `atomicInc` has no ordering of its own, and no scope beyond the device's.
        let scope = if side.scope == Scope::Group { Scope::Group } else { Scope::Device };
        let means = Means::Atomic(Ordering::Relaxed, scope);
        let (operation, place) = (Signal::Increment, place.clone());
        let draw = Statement::Signal { operation, means, place, operands: vec![last], to: Some(SEEN) };
        if side.is_total {
            return [vec![draw], Vec::new()];
        }
        [vec![self.fence(side, Ordering::Release), draw], vec![self.fence(side, Ordering::Acquire)]]
    }

    /// Reads the data of another party, or of all of them.
    fn reads_of_others(&mut self, side: Side) -> Vec<Statement> {
        if self.one_in(3) {
            let reads = self.counted(self.bound_of(side), |this, other| {
                let place = this.data_of(side, other, true);
                this.reads_data(place)
            });
            return vec![reads];
        }
        let other = self.me(side).with(Operator::Add, 1).with(Operator::Remainder, self.count(side));
        let place = self.data_of(side, other, true);
        if self.one_in(6) { vec![self.writes(place)] } else { self.reads_data(place) }
    }

    /// All wait until each of them has come, once or twice.
    fn barrier_of_count(&mut self, side: Side) -> Vec<Statement> {
        let own = self.data_of(side, self.me(side), false);
        let write = self.writes(own);
        let mut body = self.accessed(side, vec![write.clone()]);
        let place = Self::signal_cell(side, Value::Constant(self.below(2)));
        body.extend(self.count_of_all(side, &place, self.count_of(side)));
        let reads = self.reads_of_others(side);
        let overwrites = matches!(reads[..], [Statement::Store { .. }]);
        body.extend(self.accessed(side, reads));
        if self.one_in(4) && !overwrites {
            // Nobody reads any more when the second one is over.
            body.extend(self.count_of_all(side, &place, self.count_of(side).with(Operator::Multiply, 2)));
            body.extend(self.accessed(side, vec![write]));
        }
        body
    }

    /// Each party adds 1 to a cell, and waits until it has this value.
    pub(super) fn count_of_all(&mut self, side: Side, place: &Place, value: Value) -> Vec<Statement> {
        let mut inside = self.counts(side, place.clone());
        // A party may see the cell only after others have come to the next meeting.
        inside.extend(self.waits_while(side, place.clone(), Relation::Less, value));
        [self.before_signal(side), self.led(side, inside), self.behind_signal(side)].concat()
    }

    // --- Locks -----------------------------------------------------------------------------------

    /// A lock around accesses to data that all share, or one of two locks for one of two cells.
    fn lock(&mut self, side: Side) -> Vec<Statement> {
        let cell = match self.pick(&[4, 1, 1]) {
            0 => Value::Constant(self.below(2)),
            1 => self.me(side).with(Operator::And, 1),
            _ => Value::Parameter.with(Operator::And, 1),
        };
        let place = Self::signal_cell(side, cell.clone());
        let shared = self.shared_data(side, &cell);
        let how = self.acquiring(side, true);
        let exchanges = self.one_in(3);
        let expected = (!exchanges).then_some(Value::Constant(0));
        let take = Statement::Signal {
            operation: if exchanges { Signal::Exchange } else { Signal::CompareExchange },
            means: Means::Atomic(how.ordering, side.scope),
            place: place.clone(),
            operands: expected.into_iter().chain([Value::Constant(1)]).collect(),
            to: Some(SEEN),
        };
        let changes = self.changes(&shared);
        let gives = self.tells(side, place.clone(), Value::Constant(0));
        if !side.is_wide && self.one_in(2) {
            return self.if_taken(side, (take, how.fence), [changes, gives].concat());
        }
        let is_held = is(Value::Variable(SEEN), Relation::NotEqual, 0);
        let mut tries = vec![take];
        if self.one_in(5) {
            // It looks until the lock is free, and only then tries to take it.
            let means = Means::Atomic(Ordering::Relaxed, side.scope);
            let (operation, to) = (Signal::Load, Some(SEEN));
            let look = Statement::Signal { operation, means, place, operands: Vec::new(), to };
            tries.insert(0, Statement::While { condition: is_held.clone(), is_checked_last: true, body: vec![look] });
        }
        let mut takes = vec![Statement::While { condition: is_held, is_checked_last: true, body: tries }];
        takes.extend(how.fence);
        self.held(side, takes, changes, gives)
    }

    /// Statements between those that take a lock and those that give it back.
    fn held(
        &mut self,
        side: Side,
        takes: Vec<Statement>,
        changes: Vec<Statement>,
        gives: Vec<Statement>,
    ) -> Vec<Statement> {
        if !side.is_wide {
            return self.led(side, [takes, changes, gives].concat());
        }
        let mut body = self.led(side, takes);
        body.extend(self.behind_signal(side));
        body.extend(changes);
        body.extend(self.before_signal(side));
        body.extend(self.led(side, gives));
        body
    }

    /// Tries to take a lock, once or until it has been taken.
    fn if_taken(
        &mut self,
        side: Side,
        (take, fence): (Statement, Option<Statement>),
        inside: Vec<Statement>,
    ) -> Vec<Statement> {
        let is_free = is(Value::Variable(SEEN), Relation::Equal, 0);
        let then: Vec<Statement> = fence.into_iter().chain(inside).collect();
        if self.one_in(4) {
            return self.led(side, vec![take, only_if(is_free, then)]);
        }
        let done = Statement::Assign(OTHER, Value::Constant(1));
        let body = vec![take, only_if(is_free, [then, vec![done]].concat())];
        let condition = is(Value::Variable(OTHER), Relation::Equal, 0);
        let waits = Statement::While { condition, is_checked_last: self.one_in(3), body };
        self.led(side, vec![Statement::Assign(OTHER, Value::Constant(0)), waits])
    }

    /// A lock that serves in the order of tickets.
    fn ticket_lock(&mut self, side: Side) -> Vec<Statement> {
        let [next, serving] = [0, 1].map(|cell| Self::signal_cell(side, Value::Constant(cell)));
        let mut takes = vec![Self::draws(side, next)];
        takes.extend(self.waits_while(side, serving.clone(), Relation::NotEqual, Value::Variable(OTHER)));
        let shared = self.shared_data(side, &Value::Constant(0));
        let changes = self.changes(&shared);
        let gives = if self.one_in(3) {
            self.counts(side, serving)
        } else {
            self.tells(side, serving, Value::Variable(OTHER).with(Operator::Add, 1))
        };
        self.held(side, takes, changes, gives)
    }
}
