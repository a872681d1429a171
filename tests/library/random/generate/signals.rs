//! Threads and groups that synchronise through memory: flags, counters and locks.
//!
//! The patterns ([`patterns`], [`rounds`]) are right, and two thirds of them then get a mistake or
//! two ([`mistakes`]). This module has what they are made of.

#[path = "signals/mistakes.rs"]
mod mistakes;
#[path = "signals/patterns.rs"]
mod patterns;
#[path = "signals/rounds.rs"]
mod rounds;

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
/// The cells of data that parties share.
const SHARED: u32 = 2;
/// The cell of [`OF_GROUP`] in which a thread tells the others of its group what it has seen.
const TOLD: u32 = CELLS - 1;

/// Those who synchronise with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parties {
    /// The groups, each by one of its threads.
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
    /// The thread that signals for its group.
    leader: u32,
    /// Whether all threads of a group access data, and not only the one that signals.
    is_wide: bool,
    /// Whether each thread of a group has a sequentially consistent fence of its own, and the one
    /// that signals none.
    is_total: bool,
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
    /// A program of one pattern or two, which may have mistakes.
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
        if errs && self.one_in(10) {
            body = vec![self.in_rounds(body)];
        }
        if errs && !self.one_in(3) {
            self.make_mistakes_of_signals(&mut body);
        }
        let is_awaited = !errs || !self.one_in(12);
        self.start_arrays_of_groups(&mut body, is_awaited);
        self.forget_unused_arrays(&mut body);
        Program { body, ..self.program }
    }

    /// Lets the first thread of each group set the group's signals and shared data to zero, if
    /// there are any, and the others wait for that.
    fn start_arrays_of_groups(&self, body: &mut Vec<Statement>, is_awaited: bool) {
        let signals = (0..CELLS).filter(|&cell| uses_cell(body, (SIGNALS_OF_GROUP, cell), true));
        let data = (0..SHARED).filter(|&cell| uses_cell(body, (OF_GROUP, cell), false));
        let places = signals.map(|cell| (SIGNALS_OF_GROUP, cell)).chain(data.map(|cell| (OF_GROUP, cell)));
        let place = |(array, cell)| word(array, Value::Constant(cell));
        let start = |cell| Statement::Store { place: place(cell), value: Value::Constant(0) };
        let then: Vec<Statement> = places.map(start).collect();
        if then.is_empty() {
            return;
        }
        body.insert(0, only_if(is(self.local_id(), Relation::Equal, 0), then));
        if is_awaited {
            body.insert(1, group_barrier());
        }
    }

    /// Leaves out the arrays that no statement uses, so that kernels are small.
    fn forget_unused_arrays(&mut self, body: &mut [Statement]) {
        for array in (0..self.program.arrays.len()).rev() {
            if array != DATA && !uses(body, array) {
                self.program.arrays.remove(array);
                for_each_place(body, &mut |place| place.array -= usize::from(place.array > array));
            }
        }
    }

    // --- Sides -----------------------------------------------------------------------------------

    fn side(&mut self) -> Side {
        let several = [u32::from(self.program.num_groups[0] > 1), 1, u32::from(self.group > 1)];
        let parties = match self.pick(&[8 * several[0], 3 * several[1], 4 * several[2]]) {
            0 => Parties::Groups,
            1 => Parties::Threads,
            _ => Parties::OfGroup,
        };
        let is_of_group = parties == Parties::OfGroup;
        // OpenCL orders both memories separately, so signals and data are mostly in one.
        let signals = if is_of_group && self.one_in(2) { SIGNALS_OF_GROUP } else { SIGNALS };
        let is_apart = self.one_in(if self.is_cuda() { 2 } else { 4 });
        let data = if is_of_group && (signals == SIGNALS_OF_GROUP) != is_apart { OF_GROUP } else { DATA };
        let scope = match (is_of_group, self.pick(&[8, 6, 1])) {
            (true, 0) => Scope::Group,
            (_, 2) => Scope::System,
            _ => Scope::Device,
        };
        let is_wide = parties == Parties::Groups && !self.one_in(3);
        Side {
            parties,
            leader: if self.one_in(6) { self.group - 1 } else { 0 },
            is_wide,
            is_total: is_wide && self.is_cuda() && self.one_in(4),
            asks_sizes: !self.one_in(3),
            scope,
            signals,
            data,
        }
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

    /// The number of parties as the bound of a loop, which has two bits.
    fn bound_of(&self, side: Side) -> Value {
        if self.count(side) > 3 { Value::Constant(3) } else { self.count_of(side) }
    }

    /// Whether others of the group have to learn what the one that signals sees.
    fn is_shared(&self, side: Side) -> bool {
        side.is_wide && self.group > 1
    }

    // --- Places ----------------------------------------------------------------------------------

    /// A cell of signals.
    fn signal_cell(side: Side, cell: Value) -> Place {
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
            let inside = if shifts && self.group > 1 && self.one_in(2) {
                self.local_id().with(Operator::Add, 1).with(Operator::Remainder, self.group)
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

    /// Data that parties share: a cell, or one for each thread of a group.
    fn shared_data(&self, side: Side, cell: &Value) -> Place {
        if side.is_wide {
            let part = cell.clone().with(Operator::Multiply, CELLS);
            return word(side.data, Value::binary(Operator::Add, part, self.local_id()));
        }
        if side.parties == Parties::OfGroup && side.data == DATA {
            let part = Value::GroupId(0).with(Operator::Multiply, CELLS);
            return word(DATA, Value::binary(Operator::Add, part, cell.clone()));
        }
        word(side.data, cell.clone())
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

    /// The fence of each thread of a group, if it has one.
    fn total_fence(side: Side) -> Option<Statement> {
        let ordering = Ordering::SequentiallyConsistent;
        side.is_total.then_some(Statement::Fence { ordering, scope: side.scope, local: true, global: true })
    }

    /// Whether OpenCL orders data and signals separately: only fences of both memories order both.
    fn is_apart(&self, side: Side) -> bool {
        !self.is_cuda() && (side.data == OF_GROUP) != (side.signals == SIGNALS_OF_GROUP)
    }

    /// A way to release with an operation, which reads too or does not.
    fn releasing(&mut self, side: Side, reads: bool) -> How {
        self.with_fence(side, Ordering::Release, reads)
    }

    /// A way to acquire with an operation, which writes too or does not.
    fn acquiring(&mut self, side: Side, writes: bool) -> How {
        self.with_fence(side, Ordering::Acquire, writes)
    }

    fn with_fence(&mut self, side: Side, ordering: Ordering, does_both: bool) -> How {
        if side.is_total {
            return How { fence: None, ordering: Ordering::Relaxed };
        }
        if self.one_in(3) && !self.is_apart(side) {
            let orderings = [ordering, Ordering::SequentiallyConsistent, Ordering::AcquireRelease];
            return How { fence: None, ordering: orderings[self.pick(&[3, 1, u32::from(does_both)])] };
        }
        How { fence: Some(self.fence(side, ordering)), ordering: Ordering::Relaxed }
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

    /// Releases, and adds 1 to a cell of signals.
    fn counts(&mut self, side: Side, place: Place) -> Vec<Statement> {
        let how = self.releasing(side, true);
        let means = Means::Atomic(how.ordering, side.scope);
        how.fence.into_iter().chain([add(means, place, 1, None)]).collect()
    }

    /// Draws a ticket.
    fn draws(side: Side, place: Place) -> Statement {
        add(Means::Atomic(Ordering::Relaxed, side.scope), place, 1, Some(OTHER))
    }

    /// Reads a cell of signals: an operation, and the fence that has to follow at some place.
    fn looks(&mut self, side: Side, place: Place) -> (Statement, Option<Statement>) {
        let adds = self.one_in(8);
        let how = self.acquiring(side, adds);
        let look = if adds {
            add(Means::Atomic(how.ordering, side.scope), place, 0, Some(SEEN))
        } else {
            let means = self.means(side, how.ordering);
            Statement::Signal { operation: Signal::Load, means, place, operands: Vec::new(), to: Some(SEEN) }
        };
        (look, how.fence)
    }

    /// Waits while a cell of signals has this relation to a value, and acquires.
    fn waits_while(&mut self, side: Side, place: Place, relation: Relation, value: Value) -> Vec<Statement> {
        let (look, fence) = self.looks(side, place);
        let condition = Condition::Compare(relation, Value::Variable(SEEN), value);
        let is_checked_last = !self.one_in(4);
        let first = (!is_checked_last).then(|| look.clone());
        let waits = Statement::While { condition, is_checked_last, body: vec![look] };
        first.into_iter().chain([waits]).chain(fence).collect()
    }

    /// A read-modify-write that releases and acquires, and the fence behind it.
    fn both(&mut self, side: Side, signal: impl FnOnce(Means) -> Statement) -> [Vec<Statement>; 2] {
        let weights = if side.is_total {
            [0, 0, 0, 0, 1]
        } else if self.is_apart(side) {
            [1, 0, 0, 0, 0]
        } else {
            [5, 1, 1, 3, 0]
        };
        let (releases, acquires, ordering) = match self.pick(&weights) {
            0 => (true, true, Ordering::Relaxed),
            1 => (true, false, Ordering::Acquire),
            2 => (false, true, Ordering::Release),
            3 if self.one_in(4) => (false, false, Ordering::SequentiallyConsistent),
            3 => (false, false, Ordering::AcquireRelease),
            _ => (false, false, Ordering::Relaxed),
        };
        let before = releases.then(|| self.fence(side, Ordering::Release));
        let behind = acquires.then(|| self.fence(side, Ordering::Acquire));
        let signal = signal(Means::Atomic(ordering, side.scope));
        [before.into_iter().chain([signal]).collect(), behind.into_iter().collect()]
    }

    // --- Threads of a group ----------------------------------------------------------------------

    /// Statements of the thread that signals for its group, or of each thread that is a party.
    fn led(&self, side: Side, statements: Vec<Statement>) -> Vec<Statement> {
        if side.parties != Parties::Groups || self.group == 1 {
            return statements;
        }
        let condition = Condition::Compare(Relation::Equal, self.local_id(), Value::Constant(side.leader));
        vec![only_if(condition, statements)]
    }

    /// Statements of those who access data: all, or those who signal.
    fn accessed(&self, side: Side, statements: Vec<Statement>) -> Vec<Statement> {
        if side.is_wide { statements } else { self.led(side, statements) }
    }

    /// Between accesses of a group and its signal.
    fn before_signal(&self, side: Side) -> Vec<Statement> {
        let barrier = self.is_shared(side).then(group_barrier);
        Self::total_fence(side).into_iter().chain(barrier).collect()
    }

    /// Between a signal that a group has seen and its accesses.
    fn behind_signal(&self, side: Side) -> Vec<Statement> {
        let barrier = self.is_shared(side).then(group_barrier);
        barrier.into_iter().chain(Self::total_fence(side)).collect()
    }

    /// Statements in a loop, of which most are right only once.
    fn in_rounds(&mut self, body: Vec<Statement>) -> Statement {
        let bound = if self.one_in(3) { Value::Parameter } else { Value::Constant(2) };
        self.counted(bound, |_, _| body)
    }

    /// A loop up to a bound, in which `body` is given the counter.
    fn counted(&mut self, bound: Value, body: impl FnOnce(&mut Self, Value) -> Vec<Statement>) -> Statement {
        let number = self.program.loops;
        self.program.loops += 1;
        let form = Form::Up { from: 0, step: 1, bound };
        let body = body(self, Value::Counter(number));
        Statement::Loop { number, form, is_checked_last: false, body }
    }

    // --- Data ------------------------------------------------------------------------------------

    fn writes(&mut self, place: Place) -> Statement {
        let value = match self.pick(&[3, 2, 1]) {
            0 => self.global_id(),
            1 => Value::Constant(1),
            _ => Value::Variable(READ),
        };
        Statement::Store { place, value }
    }

    /// Reads data, and writes it to the thread's result, so that compilers keep the load.
    fn reads_data(&self, place: Place) -> Vec<Statement> {
        let result = Statement::Store { place: word(RESULTS, self.global_id()), value: Value::Variable(READ) };
        vec![Statement::Load { to: READ, place, mask: 1 }, result]
    }

    /// Reads data and writes it, or does one of both.
    fn changes(&mut self, place: &Place) -> Vec<Statement> {
        let value = Value::Variable(READ).with(Operator::Add, 1);
        let load = Statement::Load { to: READ, place: place.clone(), mask: 1 };
        let store = Statement::Store { place: place.clone(), value };
        match self.pick(&[6, 1, 1]) {
            0 => vec![load, store],
            1 => self.reads_data(place.clone()),
            _ => vec![store],
        }
    }
}

fn add(means: Means, place: Place, number: u32, to: Option<usize>) -> Statement {
    Statement::Signal { operation: Signal::Add, means, place, operands: vec![Value::Constant(number)], to }
}

fn group_barrier() -> Statement {
    Statement::Barrier { local: true, global: true }
}

fn only_if(condition: Condition, then: Vec<Statement>) -> Statement {
    Statement::If { condition, then, otherwise: Vec::new() }
}

/// Whether a value has a relation to a number.
fn is(value: Value, relation: Relation, number: u32) -> Condition {
    Condition::Compare(relation, value, Value::Constant(number))
}

/// Whether a number is less than a value.
fn is_more(value: Value, number: u32) -> Condition {
    Condition::Compare(Relation::Less, Value::Constant(number), value)
}

/// Calls `visit` on each statement, with nested ones after those that contain them.
fn for_each(body: &mut [Statement], visit: &mut impl FnMut(&mut Statement)) {
    for statement in body {
        visit(statement);
        match statement {
            Statement::If { then, otherwise, .. } => {
                for_each(then, visit);
                for_each(otherwise, visit);
            }
            Statement::Loop { body, .. } | Statement::While { body, .. } => for_each(body, visit),
            _ => {}
        }
    }
}

/// Calls `visit` on each place of an access.
fn for_each_place(body: &mut [Statement], visit: &mut impl FnMut(&mut Place)) {
    for_each(body, &mut |statement| match statement {
        Statement::Load { place, .. } | Statement::Store { place, .. } | Statement::Signal { place, .. } => {
            visit(place);
        }
        _ => {}
    });
}

fn uses(body: &[Statement], array: usize) -> bool {
    let mut uses = false;
    for_each_place(&mut body.to_vec(), &mut |place| uses |= place.array == array);
    uses
}

/// Whether a cell of an array is used: an index that is no constant is one of shared data, or it
/// may be any.
fn uses_cell(body: &[Statement], (array, cell): (usize, u32), may_be_any: bool) -> bool {
    let mut uses = false;
    for_each_place(&mut body.to_vec(), &mut |place| {
        let is_cell = match &place.index {
            Value::Constant(number) => *number == cell,
            Value::Binary(Operator::And, _, mask) => may_be_any || **mask == Value::Constant(SHARED - 1),
            _ => may_be_any,
        };
        uses |= place.array == array && is_cell;
    });
    uses
}
