//! Threads and groups that synchronise through memory: flags, counters and locks.
//!
//! The patterns are right, and about half of them then get a mistake or two.

use lockstep_ir::kernel::{Ordering, Scope};

use super::super::program::{
    Array, Condition, Form, Means, Operator, Place, Program, Relation, Signal, Statement, Value,
};
use super::{Generator, Sizes, word};

/// The sizes of launches.
pub(super) const SIZES: &Sizes = &[
    ([1, 1], [2, 1]),
    ([2, 1], [2, 1]),
    ([2, 1], [2, 1]),
    ([1, 1], [3, 1]),
    ([2, 1], [3, 1]),
    ([2, 1], [1, 1]),
    ([3, 1], [1, 1]),
    ([4, 1], [1, 1]),
];

/// The variables of a thread: [`READ`], [`SEEN`] and [`OTHER`].
pub(super) const VARIABLES: usize = 3;

/// The variable for data.
const READ: usize = 0;
/// The variable for what a signal tells.
const SEEN: usize = 1;
/// The variable for whether a thread has done its part, or for its ticket.
const OTHER: usize = 2;

/// The array of data.
const DATA: usize = 0;
/// The array of results, of which each thread writes its own cell.
const RESULTS: usize = 1;
/// The array of each group.
const OF_GROUP: usize = 2;
/// The array of signals.
const SIGNALS: usize = 3;
/// The array of signals of each group.
const SIGNALS_OF_GROUP: usize = 4;

/// The cells of arrays of each group, and of a group's part of [`SIGNALS`].
const CELLS: u32 = 8;
/// The cell of [`OF_GROUP`] in which the first thread tells the others what it has seen.
const TOLD: u32 = CELLS - 1;

/// Those who synchronise with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parties {
    /// The groups, each by its first thread.
    Groups,
    /// All threads of the launch.
    Threads,
    /// The threads of each group.
    OfGroup,
}

/// The parties, and where their signals and data are.
#[derive(Clone, Copy, Debug)]
struct Side {
    parties: Parties,
    /// Whether all threads of a group access data, and not only the first one.
    is_wide: bool,
    /// Whether sizes are those of the launch, and not constants.
    asks_sizes: bool,
    scope: Scope,
    signals: usize,
    data: usize,
}

/// How an operation acquires or releases.
struct How {
    /// The fence before an operation that releases, or after one that acquires.
    fence: Option<Statement>,
    ordering: Ordering,
}

impl Generator {
    /// A program of one pattern or two.
    pub(super) fn program_of_signals(mut self, errs: bool) -> Program {
        let global = Array { is_local: false, cells: 0, counter: None, signals: false };
        let local = Array { is_local: true, cells: CELLS, ..global };
        self.program.arrays = vec![global, global, local, Array { signals: true, ..global }];
        self.program.arrays.push(Array { signals: true, ..local });
        let mut body = self.pattern();
        if errs && self.one_in(6) {
            let again = self.pattern();
            if self.one_in(2) {
                body.push(group_barrier());
            }
            body.extend(again);
        }
        if errs && self.one_in(2) {
            self.make_mistakes_of_signals(&mut body);
        }
        let is_awaited = !errs || !self.one_in(12);
        self.start_signals(&mut body, is_awaited);
        self.forget_unused_arrays(&mut body);
        Program { body, ..self.program }
    }

    fn pattern(&mut self) -> Vec<Statement> {
        let side = self.side();
        match self.pick(&[5, 3, 5, 2, 5, 2]) {
            0 => self.flag(side),
            1 => self.chain_of_flags(side),
            2 => self.last_one(side),
            3 => self.barrier_of_count(side),
            4 => self.lock(side),
            _ => self.ticket_lock(side),
        }
    }

    /// Lets the first thread of each group set the group's signals to zero, if there are any, and the
    /// others wait for that.
    fn start_signals(&self, body: &mut Vec<Statement>, is_awaited: bool) {
        if !uses(body, SIGNALS_OF_GROUP) {
            return;
        }
        let first = Condition::Compare(Relation::Less, self.local_id(), Value::Constant(1));
        let cells = (0..CELLS).filter(|&cell| mentions_cell(body, cell));
        let place = |cell| word(SIGNALS_OF_GROUP, Value::Constant(cell));
        let then = cells.map(|cell| Statement::Store { place: place(cell), value: Value::Constant(0) }).collect();
        body.insert(0, only_if(first, then));
        if is_awaited {
            body.insert(1, group_barrier());
        }
    }

    // --- Sides -----------------------------------------------------------------------------------

    fn side(&mut self) -> Side {
        let groups = self.program.num_groups[0];
        let several = [u32::from(groups > 1), 1, u32::from(self.group > 1)];
        let parties = match self.pick(&[8 * several[0], 3 * several[1], 4 * several[2]]) {
            0 => Parties::Groups,
            1 => Parties::Threads,
            _ => Parties::OfGroup,
        };
        let is_of_group = parties == Parties::OfGroup;
        // OpenCL orders both memories separately, so signals and data are mostly in one.
        let signals = if is_of_group && self.one_in(2) { SIGNALS_OF_GROUP } else { SIGNALS };
        let is_apart = self.one_in(if self.is_cuda() { 2 } else { 4 });
        let data = match (is_of_group, (signals == SIGNALS_OF_GROUP) != is_apart) {
            (true, true) => OF_GROUP,
            _ => DATA,
        };
        let scope = match (is_of_group, self.pick(&[8, 6, 1])) {
            (true, 0) => Scope::Group,
            (_, 2) => Scope::System,
            _ => Scope::Device,
        };
        let is_wide = parties == Parties::Groups && !self.one_in(3);
        Side { parties, is_wide, asks_sizes: !self.one_in(3), scope, signals, data }
    }

    fn me(&self, side: Side) -> Value {
        match side.parties {
            Parties::Groups => Value::GroupId(0),
            Parties::Threads => self.global_id(),
            Parties::OfGroup => self.local_id(),
        }
    }

    fn threads_of_group(&self, side: Side) -> Value {
        if side.asks_sizes { Value::LocalSize(0) } else { Value::Constant(self.group) }
    }

    /// The number of parties in this launch.
    fn count(&self, side: Side) -> u32 {
        match side.parties {
            Parties::Groups => self.program.num_groups[0],
            Parties::Threads => self.threads,
            Parties::OfGroup => self.group,
        }
    }

    fn count_of(&self, side: Side) -> Value {
        match side.parties {
            _ if !side.asks_sizes => Value::Constant(self.count(side)),
            Parties::Groups => Value::NumGroups(0),
            Parties::Threads => Value::binary(Operator::Multiply, Value::NumGroups(0), Value::LocalSize(0)),
            Parties::OfGroup => Value::LocalSize(0),
        }
    }

    /// A cell of signals.
    fn signal_cell(&self, side: Side, cell: Value) -> Place {
        if side.parties == Parties::OfGroup && side.signals == SIGNALS {
            let part = Value::GroupId(0).with(Operator::Multiply, CELLS);
            return word(SIGNALS, Value::binary(Operator::Add, part, cell));
        }
        word(side.signals, cell)
    }

    /// The data of a party: its only cell, or that of the thread, or of the next one in its group.
    fn data_of(&mut self, side: Side, party: Value, shifts: bool) -> Place {
        if side.is_wide {
            let part = Value::binary(Operator::Multiply, party, self.threads_of_group(side));
            let inside = if shifts && self.group > 1 {
                let next = self.local_id().with(Operator::Add, 1);
                Value::binary(Operator::Remainder, next, Value::Constant(self.group))
            } else {
                self.local_id()
            };
            return word(side.data, Value::binary(Operator::Add, part, inside));
        }
        if side.parties == Parties::OfGroup && side.data == DATA {
            let part = Value::binary(Operator::Multiply, Value::GroupId(0), self.threads_of_group(side));
            return word(DATA, Value::binary(Operator::Add, part, party));
        }
        word(side.data, party)
    }

    /// Data that all parties share: a cell, or one for each thread of a group.
    fn shared_data(&mut self, side: Side) -> Place {
        if side.is_wide {
            return word(side.data, self.local_id());
        }
        let cell = Value::Constant(self.below(2));
        if side.parties == Parties::OfGroup && side.data == DATA {
            let part = Value::GroupId(0).with(Operator::Multiply, CELLS);
            return word(DATA, Value::binary(Operator::Add, part, cell));
        }
        word(side.data, cell)
    }

    // --- Operations ------------------------------------------------------------------------------

    fn fence(&mut self, side: Side, ordering: Ordering) -> Statement {
        let [local, global] = if self.is_cuda() || self.one_in(2) || self.is_apart(side) {
            [true, true]
        } else {
            [side.data == OF_GROUP, side.data != OF_GROUP]
        };
        let total = if self.is_cuda() { 3 } else { 1 };
        let ordering = match self.pick(&[total, 1, 1]) {
            0 => Ordering::SequentiallyConsistent,
            1 => Ordering::AcquireRelease,
            _ => ordering,
        };
        Statement::Fence { ordering, scope: side.scope, local, global }
    }

    /// Whether OpenCL orders data and signals separately.
    fn is_apart(&self, side: Side) -> bool {
        !self.is_cuda() && (side.data == OF_GROUP) != (side.signals == SIGNALS_OF_GROUP)
    }

    /// A way to release by an operation, which also reads (`AcquireRelease` is one of its
    /// orderings) or does not.
    fn releasing(&mut self, side: Side, reads: bool) -> How {
        // Fences of both memories order both.
        if self.one_in(3) && !self.is_apart(side) {
            let orderings = [Ordering::Release, Ordering::SequentiallyConsistent, Ordering::AcquireRelease];
            return How { fence: None, ordering: orderings[self.pick(&[3, 1, u32::from(reads)])] };
        }
        How { fence: Some(self.fence(side, Ordering::Release)), ordering: Ordering::Relaxed }
    }

    fn acquiring(&mut self, side: Side, writes: bool) -> How {
        if self.one_in(3) && !self.is_apart(side) {
            let orderings = [Ordering::Acquire, Ordering::SequentiallyConsistent, Ordering::AcquireRelease];
            return How { fence: None, ordering: orderings[self.pick(&[3, 1, u32::from(writes)])] };
        }
        How { fence: Some(self.fence(side, Ordering::Acquire)), ordering: Ordering::Relaxed }
    }

    /// Means of a load or a store: volatile ones are relaxed, and CUDA's.
    fn means(&mut self, side: Side, ordering: Ordering) -> Means {
        if ordering == Ordering::Relaxed && self.is_cuda() && self.one_in(2) {
            Means::Volatile
        } else {
            Means::Atomic(ordering, side.scope)
        }
    }

    /// Releases, and writes a value to a cell of signals.
    fn tells(&mut self, side: Side, place: Place, value: Value) -> Vec<Statement> {
        let exchanges = self.one_in(3);
        let how = self.releasing(side, exchanges);
        let (operation, means) = if exchanges {
            (Signal::Exchange, Means::Atomic(how.ordering, side.scope))
        } else {
            (Signal::Store, self.means(side, how.ordering))
        };
        let signal = Statement::Signal { operation, means, place, operands: vec![value], to: None };
        how.fence.into_iter().chain([signal]).collect()
    }

    /// Reads a cell of signals: an operation, and the fence that has to follow at some place.
    fn looks(&mut self, side: Side, place: Place) -> (Statement, Option<Statement>) {
        let adds = self.one_in(8);
        let how = self.acquiring(side, adds);
        let (operation, means, operands) = if adds {
            (Signal::Add, Means::Atomic(how.ordering, side.scope), vec![Value::Constant(0)])
        } else {
            (Signal::Load, self.means(side, how.ordering), Vec::new())
        };
        (Statement::Signal { operation, means, place, operands, to: Some(SEEN) }, how.fence)
    }

    /// Waits until a relation to a cell of signals holds no longer, and acquires.
    fn waits_while(&mut self, side: Side, place: Place, relation: Relation, value: Value) -> Vec<Statement> {
        let (look, fence) = self.looks(side, place);
        let condition = Condition::Compare(relation, Value::Variable(SEEN), value);
        let mut all = Vec::new();
        if self.one_in(4) {
            all.push(look.clone());
            all.push(Statement::While { condition, is_checked_last: false, body: vec![look] });
        } else {
            all.push(Statement::While { condition, is_checked_last: true, body: vec![look] });
        }
        all.extend(fence);
        all
    }

    /// A read-modify-write that releases and acquires, with its fences.
    fn both(&mut self, side: Side, signal: impl FnOnce(Means) -> Statement) -> [Vec<Statement>; 2] {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let fenced = self.is_apart(side);
        let (releases, acquires) = match self.pick(if fenced { &[1, 0, 0, 0] } else { &[5, 1, 1, 3] }) {
            0 => (true, true),
            1 => (true, false),
            2 => (false, true),
            _ => (false, false),
        };
        if releases {
            before.push(self.fence(side, Ordering::Release));
        }
        if acquires {
            after.push(self.fence(side, Ordering::Acquire));
        }
        let total = self.one_in(4);
        let ordering = match (releases, acquires) {
            (true, true) => Ordering::Relaxed,
            (false, false) if total => Ordering::SequentiallyConsistent,
            (false, false) => Ordering::AcquireRelease,
            (true, false) => Ordering::Acquire,
            (false, true) => Ordering::Release,
        };
        before.push(signal(Means::Atomic(ordering, side.scope)));
        [before, after]
    }

    /// Statements of the first thread of a group, if groups synchronise; of each thread otherwise.
    fn led(&mut self, side: Side, statements: Vec<Statement>) -> Vec<Statement> {
        if side.parties != Parties::Groups || self.group == 1 {
            return statements;
        }
        let condition = Condition::Compare(Relation::Equal, self.local_id(), Value::Constant(0));
        vec![Statement::If { condition, then: statements, otherwise: Vec::new() }]
    }

    /// A barrier of the group between its accesses and those of its first thread.
    fn joined(&self, side: Side) -> Option<Statement> {
        (side.is_wide && self.group > 1).then(group_barrier)
    }

    /// Statements of those who access data: all, or the first thread of each group.
    fn accessed(&mut self, side: Side, statements: Vec<Statement>) -> Vec<Statement> {
        if side.is_wide { statements } else { self.led(side, statements) }
    }

    fn writes(&mut self, place: Place) -> Statement {
        let value = match self.pick(&[3, 2, 1]) {
            0 => self.global_id(),
            1 => Value::Constant(1),
            _ => Value::Variable(READ),
        };
        Statement::Store { place, value }
    }

    /// Reads data, and often tells it.
    fn reads_data(&mut self, place: Place) -> Vec<Statement> {
        let mut body = vec![Statement::Load { to: READ, place, mask: 1 }];
        if self.one_in(2) {
            body.push(Statement::Store { place: word(RESULTS, self.global_id()), value: Value::Variable(READ) });
        }
        body
    }

    fn changes(&mut self, place: &Place) -> Vec<Statement> {
        let value = Value::Variable(READ).with(Operator::Add, 1);
        let load = Statement::Load { to: READ, place: place.clone(), mask: 1 };
        let store = Statement::Store { place: place.clone(), value };
        match self.pick(&[6, 1, 1]) {
            0 => vec![load, store],
            1 => vec![load],
            _ => vec![store],
        }
    }

    // --- Flags -----------------------------------------------------------------------------------

    /// A party writes data and sets a flag, for which others wait or look.
    fn flag(&mut self, side: Side) -> Vec<Statement> {
        let writer = self.below(self.count(side).min(2));
        let (cell, value) = (Value::Constant(self.below(2)), Value::Constant(1 + self.below(2)));
        let place = self.signal_cell(side, cell);
        let data = self.data_of(side, Value::Constant(writer), false);
        let written = self.writes(data);
        let mut writes = self.accessed(side, vec![written]);
        writes.extend(self.joined(side));
        let told = self.tells(side, place.clone(), value.clone());
        writes.extend(self.led(side, told));
        let shape = self.pick(&[4, 2, 1]);
        let reads = self.awaited(side, &place, &value, (writer, shape < 2));
        let is_writer = Condition::Compare(Relation::Equal, self.me(side), Value::Constant(writer));
        let mut body = match shape {
            0 => vec![Statement::If { condition: is_writer, then: writes, otherwise: reads }],
            1 => {
                let is_other = Condition::Compare(Relation::NotEqual, self.me(side), Value::Constant(writer));
                vec![only_if(is_writer, writes), only_if(is_other, reads)]
            }
            // The writer may wait for its own flag.
            _ => [vec![only_if(is_writer, writes)], reads].concat(),
        };
        if self.one_in(6) {
            body.extend(self.reads_of_all(side, writer));
        }
        body
    }

    /// Reads data that a party has written, without regard to any signal.
    fn reads_of_all(&mut self, side: Side, writer: u32) -> Vec<Statement> {
        let place = self.data_of(side, Value::Constant(writer), false);
        let condition = Condition::Compare(Relation::Equal, self.me(side), Value::Constant(writer));
        let reads = self.reads_data(place);
        self.accessed(side, vec![only_if(condition, reads)])
    }

    /// Reads of a party's data behind its flag.
    fn awaited(
        &mut self,
        side: Side,
        place: &Place,
        value: &Value,
        (writer, is_another): (u32, bool),
    ) -> Vec<Statement> {
        let data = self.data_of(side, Value::Constant(writer), true);
        // Only one reader may write there.
        let overwrites = is_another && self.count(side) == 2 && self.one_in(4);
        let reads = if overwrites { vec![self.writes(data)] } else { self.reads_data(data) };
        if self.one_in(3) {
            return self.looked(side, place.clone(), (Relation::Equal, value.clone()), reads);
        }
        let relation = if self.one_in(4) { Relation::Less } else { Relation::NotEqual };
        let waits = self.waits_while(side, place.clone(), relation, value.clone());
        if side.is_wide && self.one_in(4) {
            // Each thread waits for itself.
            return [waits, reads].concat();
        }
        let mut body = self.led(side, waits);
        body.extend(self.joined(side));
        body.extend(self.accessed(side, reads));
        body
    }

    /// Statements behind one look at a cell, if it has this relation to a value.
    fn looked(
        &mut self,
        side: Side,
        place: Place,
        (relation, value): (Relation, Value),
        then: Vec<Statement>,
    ) -> Vec<Statement> {
        let (look, fence) = self.looks(side, place);
        let is_told = side.is_wide && self.group > 1 && !self.one_in(3);
        let condition = Condition::Compare(relation, Value::Variable(SEEN), value);
        if is_told {
            return self.told(side, vec![look], condition, (fence.into_iter().collect(), then));
        }
        let mut body = vec![look];
        let mut then = then;
        if let Some(fence) = fence {
            if self.one_in(2) {
                body.push(fence);
            } else {
                then.insert(0, fence);
            }
        }
        body.push(only_if(condition, then));
        if side.is_wide { body } else { self.led(side, body) }
    }

    /// The first thread of a group draws or looks, and tells the others whether a condition holds.
    fn told(
        &mut self,
        side: Side,
        mut signals: Vec<Statement>,
        condition: Condition,
        (fences, mut then): (Vec<Statement>, Vec<Statement>),
    ) -> Vec<Statement> {
        let one = Value::Select(Box::new(condition), Box::new(Value::Constant(1)), Box::new(Value::Constant(0)));
        let told = word(OF_GROUP, Value::Constant(TOLD));
        let store = Statement::Store { place: told.clone(), value: one };
        if self.one_in(2) {
            signals.push(store);
            signals.extend(fences);
        } else {
            signals.extend(fences);
            signals.push(store);
        }
        let mut body = self.led(side, signals);
        body.push(group_barrier());
        body.push(Statement::Load { to: OTHER, place: told, mask: 1 });
        let holds = Condition::Compare(Relation::Equal, Value::Variable(OTHER), Value::Constant(1));
        if self.one_in(8) {
            then.push(group_barrier());
        }
        body.push(only_if(holds, then));
        if self.one_in(4) {
            body.push(group_barrier());
        }
        body
    }

    /// Each party waits for the one before it, and sets a flag for the next one.
    fn chain_of_flags(&mut self, side: Side) -> Vec<Statement> {
        let me = self.me(side);
        let before = Value::binary(Operator::Subtract, me.clone(), Value::Constant(1));
        // One cell that tells whose turn it is, or a flag for each.
        let is_turn = self.one_in(3);
        let cell = Value::Constant(self.below(2));
        let mut body = Vec::new();
        let waits = if is_turn {
            let place = self.signal_cell(side, cell.clone());
            let relation = if self.one_in(3) { Relation::Less } else { Relation::NotEqual };
            self.waits_while(side, place, relation, me.clone())
        } else {
            let place = self.signal_cell(side, before.clone());
            let waits = self.waits_while(side, place, Relation::NotEqual, Value::Constant(1));
            vec![only_if(Condition::Compare(Relation::Less, Value::Constant(0), me.clone()), waits)]
        };
        body.extend(self.led(side, waits));
        body.extend(self.joined(side));
        if self.one_in(2) {
            let shared = self.shared_data(side);
            let changes = self.changes(&shared);
            body.extend(self.accessed(side, changes));
        } else {
            let (own, other) = (self.data_of(side, me.clone(), false), self.data_of(side, before, true));
            let reads = self.reads_data(other);
            let is_later = Condition::Compare(Relation::Less, Value::Constant(0), me.clone());
            let write = self.writes(own);
            body.extend(self.accessed(side, vec![only_if(is_later, reads), write]));
        }
        body.extend(self.joined(side));
        let told = if is_turn {
            let place = self.signal_cell(side, cell);
            self.tells(side, place, me.with(Operator::Add, 1))
        } else {
            let place = self.signal_cell(side, me);
            self.tells(side, place, Value::Constant(1))
        };
        body.extend(self.led(side, told));
        body
    }

    // --- Counters --------------------------------------------------------------------------------

    /// Who draws the last number reads what all have written.
    fn last_one(&mut self, side: Side) -> Vec<Statement> {
        let own = self.data_of(side, self.me(side), false);
        let write = self.writes(own);
        let mut body = self.accessed(side, vec![write]);
        let total_fence = side.is_wide && self.is_cuda() && self.one_in(3);
        if total_fence {
            // As NVIDIA's sample does it: each thread has a fence, and the first one draws.
            body.push(self.total_fence(side));
        }
        body.extend(self.joined(side));
        let cell = Value::Constant(self.below(2));
        let place = self.signal_cell(side, cell);
        let last = Value::binary(Operator::Subtract, self.count_of(side), Value::Constant(1));
        let wraps = self.is_cuda() && self.one_in(4);
        let step = if wraps || !self.one_in(6) { 1 } else { 2 };
        let (operation, operand) =
            if wraps { (Signal::Increment, last.clone()) } else { (Signal::Add, Value::Constant(step)) };
        let draw = |means| Statement::Signal {
            operation,
            means,
            place: place.clone(),
            operands: vec![operand],
            to: Some(SEEN),
        };
        let [draws, fences] = if wraps || total_fence {
            // `atomicInc` has no ordering of its own.
            let before = if total_fence { None } else { Some(self.fence(side, Ordering::Release)) };
            let after = if total_fence { None } else { Some(self.fence(side, Ordering::Acquire)) };
            let draw = draw(Means::Atomic(
                Ordering::Relaxed,
                if side.scope == Scope::Group { side.scope } else { Scope::Device },
            ));
            [before.into_iter().chain([draw]).collect(), after.into_iter().collect()]
        } else {
            self.both(side, draw)
        };
        let mut then = self.reads_of_others(side);
        if total_fence {
            then.insert(0, self.total_fence(side));
        }
        if self.one_in(4) {
            // The last one lets the counter start again.
            let again = Statement::Signal {
                operation: Signal::Store,
                means: Means::Atomic(Ordering::Relaxed, side.scope),
                place: place.clone(),
                operands: vec![Value::Constant(0)],
                to: None,
            };
            let again = self.led(side, vec![again]);
            then.extend(again);
        }
        let last = if step == 1 { last } else { last.with(Operator::Multiply, step) };
        let is_last = Condition::Compare(Relation::Equal, Value::Variable(SEEN), last);
        if side.is_wide && self.group > 1 {
            body.extend(self.told(side, draws, is_last, (fences, then)));
            return body;
        }
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

    fn total_fence(&self, side: Side) -> Statement {
        Statement::Fence { ordering: Ordering::SequentiallyConsistent, scope: side.scope, local: true, global: true }
    }

    /// Reads the data of another party, or of all of them.
    fn reads_of_others(&mut self, side: Side) -> Vec<Statement> {
        if self.one_in(3) {
            let number = self.program.loops;
            self.program.loops += 1;
            let place = self.data_of(side, Value::Counter(number), true);
            let body = self.reads_data(place);
            let form = Form::Up { from: 0, step: 1, bound: self.count_of(side) };
            return vec![Statement::Loop { number, form, is_checked_last: false, body }];
        }
        let next = self.me(side).with(Operator::Add, 1);
        let other = Value::binary(Operator::Remainder, next, Value::Constant(self.count(side)));
        let place = self.data_of(side, other, true);
        if self.one_in(6) { vec![self.writes(place)] } else { self.reads_data(place) }
    }

    /// All wait until each of them has come.
    fn barrier_of_count(&mut self, side: Side) -> Vec<Statement> {
        let own = self.data_of(side, self.me(side), false);
        let write = self.writes(own);
        let mut body = self.accessed(side, vec![write]);
        body.extend(self.joined(side));
        let cell = Value::Constant(self.below(2));
        let place = self.signal_cell(side, cell);
        let how = self.releasing(side, true);
        let add = Statement::Signal {
            operation: Signal::Add,
            means: Means::Atomic(how.ordering, side.scope),
            place: place.clone(),
            operands: vec![Value::Constant(1)],
            to: None,
        };
        let mut inside: Vec<Statement> = how.fence.into_iter().chain([add]).collect();
        let relation = if self.one_in(3) { Relation::NotEqual } else { Relation::Less };
        inside.extend(self.waits_while(side, place, relation, self.count_of(side)));
        body.extend(self.led(side, inside));
        body.extend(self.joined(side));
        let reads = self.reads_of_others(side);
        // Two that write over each other's data may meet.
        body.extend(self.accessed(side, reads));
        body
    }

    // --- Locks -----------------------------------------------------------------------------------

    /// A lock around accesses to data that all share.
    fn lock(&mut self, side: Side) -> Vec<Statement> {
        let cell = Value::Constant(self.below(2));
        let place = self.signal_cell(side, cell);
        let shared = self.shared_data(side);
        let how = self.acquiring(side, true);
        let exchanges = self.one_in(3);
        let take = Statement::Signal {
            operation: if exchanges { Signal::Exchange } else { Signal::CompareExchange },
            means: Means::Atomic(how.ordering, side.scope),
            place: place.clone(),
            operands: if exchanges { vec![Value::Constant(1)] } else { vec![Value::Constant(0), Value::Constant(1)] },
            to: Some(SEEN),
        };
        let changes = self.changes(&shared);
        let gives = self.tells(side, place, Value::Constant(0));
        if !side.is_wide && self.one_in(2) {
            return self.until_done(side, (take, how.fence), [changes, gives].concat());
        }
        let is_held = Condition::Compare(Relation::NotEqual, Value::Variable(SEEN), Value::Constant(0));
        let mut takes = vec![Statement::While { condition: is_held, is_checked_last: true, body: vec![take] }];
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
        body.extend(self.joined(side));
        body.extend(changes);
        body.extend(self.joined(side));
        body.extend(self.led(side, gives));
        body
    }

    /// Tries to take a lock until it has once been taken.
    fn until_done(
        &mut self,
        side: Side,
        (take, fence): (Statement, Option<Statement>),
        inside: Vec<Statement>,
    ) -> Vec<Statement> {
        let is_free = Condition::Compare(Relation::Equal, Value::Variable(SEEN), Value::Constant(0));
        let mut then: Vec<Statement> = fence.into_iter().collect();
        then.extend(inside);
        then.push(Statement::Assign(OTHER, Value::Constant(1)));
        let body = vec![take, only_if(is_free, then)];
        let goes_on = Condition::Compare(Relation::Equal, Value::Variable(OTHER), Value::Constant(0));
        let all = vec![
            Statement::Assign(OTHER, Value::Constant(0)),
            Statement::While { condition: goes_on, is_checked_last: self.one_in(3), body },
        ];
        self.led(side, all)
    }

    /// A lock that serves in the order of tickets.
    fn ticket_lock(&mut self, side: Side) -> Vec<Statement> {
        let (next, serving) = (Value::Constant(0), Value::Constant(1));
        let (next, serving) = (self.signal_cell(side, next), self.signal_cell(side, serving));
        let draw = Statement::Signal {
            operation: Signal::Add,
            means: Means::Atomic(Ordering::Relaxed, side.scope),
            place: next,
            operands: vec![Value::Constant(1)],
            to: Some(OTHER),
        };
        let mut takes = vec![draw];
        takes.extend(self.waits_while(side, serving.clone(), Relation::NotEqual, Value::Variable(OTHER)));
        let shared = self.shared_data(side);
        let changes = self.changes(&shared);
        let gives = if self.one_in(3) {
            let how = self.releasing(side, true);
            let add = Statement::Signal {
                operation: Signal::Add,
                means: Means::Atomic(how.ordering, side.scope),
                place: serving,
                operands: vec![Value::Constant(1)],
                to: None,
            };
            how.fence.into_iter().chain([add]).collect()
        } else {
            self.tells(side, serving, Value::Variable(OTHER).with(Operator::Add, 1))
        };
        self.held(side, takes, changes, gives)
    }

    // --- Mistakes --------------------------------------------------------------------------------

    fn make_mistakes_of_signals(&mut self, body: &mut Vec<Statement>) {
        for _ in 0..=self.pick(&[4, 1]) {
            if self.one_in(6) {
                self.disturb(body);
            } else {
                let mut at = self.below(places(body));
                self.mistake_of_signals(body, &mut at);
            }
        }
    }

    /// Makes a mistake at the place of this number, and returns whether it has been reached.
    fn mistake_of_signals(&mut self, body: &mut Vec<Statement>, at: &mut u32) -> bool {
        for position in 0..body.len() {
            if is_place(&body[position]) {
                if *at == 0 {
                    self.mistake_of_signals_at(body, position);
                    return true;
                }
                *at -= 1;
            }
            let is_done = match &mut body[position] {
                Statement::If { then, otherwise, .. } => {
                    self.mistake_of_signals(then, at) || self.mistake_of_signals(otherwise, at)
                }
                Statement::Loop { body, .. } | Statement::While { body, .. } => self.mistake_of_signals(body, at),
                _ => false,
            };
            if is_done {
                return true;
            }
        }
        false
    }

    fn mistake_of_signals_at(&mut self, body: &mut Vec<Statement>, position: usize) {
        let (is_up, by_chance) = (self.one_in(2), self.one_in(2));
        let is_cuda = self.is_cuda();
        let to_front = self.one_in(3);
        let someone = self.someone();
        let kind = self.pick(&[3, 2, 2, 2, 1, 2, 1, 1]);
        match &mut body[position] {
            Statement::Fence { scope, ordering, local, global } => match kind {
                1 | 5 => *scope = narrower(*scope, is_cuda),
                2 => *ordering = weaker(*ordering, is_up),
                3 => swap(body, position, is_up),
                4 if !is_cuda => [*local, *global] = [by_chance, !by_chance],
                6 => move_to(body, position, to_front),
                7 => body[position] = only_if(someone, vec![body[position].clone()]),
                _ => {
                    body.remove(position);
                }
            },
            Statement::Signal { operation, means, place, operands, .. } => match kind {
                0 => swap(body, position, is_up),
                1 => {
                    if let Means::Atomic(_, scope) = means {
                        *scope = narrower(*scope, is_cuda);
                    }
                }
                2 => match means {
                    Means::Atomic(ordering, _) => *ordering = weaker(*ordering, is_up),
                    _ => *means = Means::Plain,
                },
                3 => place.index = place.index.clone().with(Operator::Xor, 1),
                4 => match operands.last_mut() {
                    Some(value) => *value = value.clone().with(Operator::Add, 1),
                    None => move_to(body, position, to_front),
                },
                5 => match operation {
                    Signal::Exchange | Signal::Store if by_chance => {
                        *operation = Signal::Store;
                        *means = if is_up && is_cuda { Means::Volatile } else { Means::Plain };
                    }
                    Signal::CompareExchange => {
                        *operation = Signal::Exchange;
                        operands.remove(0);
                    }
                    Signal::Load => *means = if is_up && is_cuda { Means::Volatile } else { Means::Plain },
                    _ => body.insert(position, body[position].clone()),
                },
                6 => body.insert(position, body[position].clone()),
                _ => body[position] = only_if(someone, vec![body[position].clone()]),
            },
            Statement::If { condition, then, otherwise } => match kind {
                0 | 1 => missed(condition, is_up),
                2 => {
                    // All do it.
                    let inside = std::mem::take(then);
                    body.splice(position..=position, inside);
                }
                3 | 4 if !then.is_empty() => {
                    // One statement is done by all, before or behind the others.
                    let moved = if is_up { then.remove(0) } else { then.remove(then.len() - 1) };
                    body.insert(if is_up { position } else { position + 1 }, moved);
                }
                5 => std::mem::swap(then, otherwise),
                _ => swap(body, position, is_up),
            },
            Statement::While { condition, body: inside, .. } => match kind {
                0 | 1 => missed(condition, is_up),
                2 => {
                    let inside = std::mem::take(inside);
                    body.splice(position..=position, inside);
                }
                3 => {
                    // It looks once, and goes on if it sees the wrong thing.
                    let condition = condition.clone();
                    let inside = std::mem::take(inside);
                    let rest: Vec<Statement> = body.drain(position + 1..).collect();
                    body.splice(position.., inside);
                    body.push(only_if(condition, rest));
                }
                _ => swap(body, position, is_up),
            },
            Statement::Store { place, .. } | Statement::Load { place, .. } => match kind {
                0 | 1 => {
                    place.index = place.index.clone().with(if by_chance { Operator::Add } else { Operator::Xor }, 1)
                }
                2 | 3 => move_to(body, position, to_front),
                4 => place.array = if place.array == DATA { SIGNALS } else { DATA },
                _ => swap(body, position, is_up),
            },
            _ => match kind {
                0..=2 => {
                    body.remove(position);
                }
                _ => swap(body, position, is_up),
            },
        }
    }

    /// Some of the threads or groups.
    fn someone(&mut self) -> Condition {
        let who = match self.pick(&[2, 2, 1]) {
            0 => Value::GroupId(0),
            1 => self.local_id(),
            _ => self.global_id(),
        };
        let relation = [Relation::Equal, Relation::NotEqual, Relation::Less][self.pick(&[3, 1, 1])];
        Condition::Compare(relation, who, Value::Constant(self.below(2)))
    }

    /// Lets somebody else signal, or uses the signals for data.
    fn disturb(&mut self, body: &mut Vec<Statement>) {
        let condition = self.someone();
        let array = if uses(body, SIGNALS_OF_GROUP) && self.one_in(2) { SIGNALS_OF_GROUP } else { SIGNALS };
        let place = word(array, Value::Constant(self.below(2)));
        let value = Value::Constant(self.below(3));
        let scope = if self.one_in(2) { Scope::Device } else { Scope::Group };
        let ordering = if self.one_in(2) { Ordering::Relaxed } else { Ordering::Release };
        let means = Means::Atomic(ordering, scope);
        let signal =
            |operation, operands| Statement::Signal { operation, means, place: place.clone(), operands, to: None };
        let disturbance = match self.pick(&[3, 3, 1, 1, 1]) {
            0 => signal(Signal::Store, vec![value]),
            1 => signal(Signal::Add, vec![value]),
            2 => signal(Signal::Exchange, vec![value]),
            3 => Statement::Store { place, value },
            _ => Statement::Load { to: READ, place, mask: 1 },
        };
        let at = self.random_position(body.len());
        let disturbance = if self.one_in(4) { disturbance } else { only_if(condition, vec![disturbance]) };
        body.insert(at, disturbance);
    }

    fn random_position(&mut self, length: usize) -> usize {
        let bound = u32::try_from(length).expect("few statements") + 1;
        usize::try_from(self.below(bound)).expect("few statements")
    }

    /// Leaves out the arrays that no statement uses, so that kernels are small.
    fn forget_unused_arrays(&mut self, body: &mut [Statement]) {
        for array in (0..self.program.arrays.len()).rev() {
            if array != DATA && !uses(body, array) {
                self.program.arrays.remove(array);
                renumber(body, array);
            }
        }
    }
}

fn group_barrier() -> Statement {
    Statement::Barrier { local: true, global: true }
}

fn only_if(condition: Condition, then: Vec<Statement>) -> Statement {
    Statement::If { condition, then, otherwise: Vec::new() }
}

/// The next narrower scope; OpenCL has none within groups.
fn narrower(scope: Scope, is_cuda: bool) -> Scope {
    match scope {
        Scope::System | Scope::Device => Scope::Group,
        _ if is_cuda => Scope::Thread,
        other => other,
    }
}

/// An ordering that lacks a part of this one.
fn weaker(ordering: Ordering, keeps_acquire: bool) -> Ordering {
    match ordering {
        Ordering::SequentiallyConsistent | Ordering::AcquireRelease if keeps_acquire => Ordering::Acquire,
        Ordering::SequentiallyConsistent | Ordering::AcquireRelease => Ordering::Release,
        _ => Ordering::Relaxed,
    }
}

/// Swaps a statement with the next one, or the one before it.
fn swap(body: &mut [Statement], position: usize, with_next: bool) {
    if with_next && position + 1 < body.len() {
        body.swap(position, position + 1);
    } else if position > 0 {
        body.swap(position - 1, position);
    }
}

fn move_to(body: &mut Vec<Statement>, position: usize, to_front: bool) {
    let moved = body.remove(position);
    body.insert(if to_front { 0 } else { body.len() }, moved);
}

fn is_place(statement: &Statement) -> bool {
    !matches!(statement, Statement::Assign(..))
}

/// The number of places at which a mistake may be made.
fn places(body: &[Statement]) -> u32 {
    let inside = |statement: &Statement| match statement {
        Statement::If { then, otherwise, .. } => places(then) + places(otherwise),
        Statement::Loop { body, .. } | Statement::While { body, .. } => places(body),
        _ => 0,
    };
    body.iter().map(|statement| u32::from(is_place(statement)) + inside(statement)).sum()
}

/// Makes a condition wrong by one.
fn missed(condition: &mut Condition, is_up: bool) {
    match condition {
        Condition::Compare(relation @ Relation::Less, ..) => *relation = Relation::LessEqual,
        Condition::Compare(relation @ Relation::LessEqual, ..) => *relation = Relation::Less,
        Condition::Compare(Relation::Equal, _, b) if is_up => *b = b.clone().with(Operator::Xor, 1),
        Condition::Compare(Relation::NotEqual, _, b) if is_up => *b = b.clone().with(Operator::Add, 1),
        Condition::Compare(relation @ Relation::NotEqual, ..) => *relation = Relation::Equal,
        Condition::Compare(relation, ..) => *relation = Relation::LessEqual,
        Condition::And(a, _) | Condition::Or(a, _) => missed(a, is_up),
    }
}

/// The places of a statement, without those of nested ones.
fn place(statement: &mut Statement) -> Option<&mut Place> {
    match statement {
        Statement::Load { place, .. } | Statement::Store { place, .. } | Statement::Signal { place, .. } => Some(place),
        _ => None,
    }
}

/// Calls `visit` on each place.
fn for_each_place(body: &mut [Statement], visit: &mut impl FnMut(&mut Place)) {
    for statement in body {
        place(statement).into_iter().for_each(&mut *visit);
        match statement {
            Statement::If { then, otherwise, .. } => {
                for_each_place(then, visit);
                for_each_place(otherwise, visit);
            }
            Statement::Loop { body, .. } | Statement::While { body, .. } => for_each_place(body, visit),
            _ => {}
        }
    }
}

fn uses(body: &[Statement], array: usize) -> bool {
    let mut uses = false;
    for_each_place(&mut body.to_vec(), &mut |place| uses |= place.array == array);
    uses
}

/// Whether the group's signals of this cell may be used: indices of threads may be any.
fn mentions_cell(body: &[Statement], cell: u32) -> bool {
    let mut mentions = false;
    for_each_place(&mut body.to_vec(), &mut |place| {
        let is_constant = matches!(place.index, Value::Constant(_));
        mentions |= place.array == SIGNALS_OF_GROUP && (!is_constant || place.index == Value::Constant(cell));
    });
    mentions
}

/// Gives the arrays behind one that is left out their new numbers.
fn renumber(body: &mut [Statement], left_out: usize) {
    for_each_place(body, &mut |place| place.array -= usize::from(place.array > left_out));
}
