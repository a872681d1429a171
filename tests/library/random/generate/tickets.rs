//! Counters, and numbers drawn from them.

use rand::RngExt;

use super::super::program::{Array, Condition, Counter, Operator, Place, Relation, Statement, Value};
use super::{ANYWHERE, Context, Generator, Index, word};

impl Generator {
    /// Adds a counter after the other arrays.
    ///
    /// It lies in local memory, where the kernel sets it, or in global memory, where the host has.
    pub(super) fn add_counters(&mut self) {
        let bits = [32, 16, 8][self.pick(&[5, 2, 4])];
        let end = 1_u64 << bits;
        let steps = [1, 2, 3, end / 2, end / 4, end / 4 * 3, end / 8, end - 1, end / 3];
        let step = steps[self.pick(&[6, 2, 2, 5, 4, 1, 2, 1, 1])];
        let is_local = self.one_in(2);
        let start = is_local.then(|| [0, 1, 7][self.pick(&[6, 1, 1])]);
        let counter = Counter { bits, step: u32::try_from(step).expect("less than 2^32"), start };
        let cells = if is_local { 2 } else { 0 };
        self.program.arrays.push(Array { is_local, cells, counter: Some(counter), signals: false });
    }

    fn counter(&self) -> Option<(usize, Counter)> {
        let array = self.plain;
        Some((array, self.program.arrays.get(array)?.counter?))
    }

    fn cell_of_counter(&self, index: Value) -> Option<Place> {
        let (array, counter) = self.counter()?;
        Some(Place { bytes: u8::try_from(counter.bits / 8).expect("few"), ..word(array, index) })
    }

    /// Lets the first threads of a group set the counter, if it is the group's.
    pub(super) fn start_counters(&mut self, body: &mut Vec<Statement>) {
        let Some(start) = self.counter().and_then(|(_, counter)| counter.start) else { return };
        let Some(place) = self.cell_of_counter(self.local_id()) else { return };
        let condition = Condition::Compare(Relation::Less, self.local_id(), Value::Constant(2));
        let then = vec![Statement::Store { place, value: Value::Constant(start) }];
        body.push(Statement::If { condition, then, otherwise: Vec::new() });
    }

    /// Whether there is a counter, and all orders may be tried in which all threads draw from it.
    pub(super) fn can_draw(&self, context: &Context) -> bool {
        let draws = if context.loops.is_empty() { self.threads } else { 3 * self.threads };
        self.counter().is_some() && self.ordered_left >= draws && context.loops.len() < 2
    }

    pub(super) fn draw(&mut self, context: &Context) -> Statement {
        self.ordered_left -= if context.loops.is_empty() { self.threads } else { 3 * self.threads };
        let index = match self.pick(&[8, 1, 1]) {
            0 => Value::Constant(0),
            1 => Value::Parameter.with(Operator::And, 1),
            _ => self.value(context, 1).with(Operator::And, 1),
        };
        let to = self.variable();
        match self.cell_of_counter(index) {
            Some(place) => Statement::Draw { to, place },
            None => Statement::Assign(to, Value::Constant(0)),
        }
    }

    /// Draws a number, and writes a cell of the thread's own.
    pub(super) fn of_tickets(&mut self, context: &Context) -> Option<Vec<Statement>> {
        if !self.can_draw(context) {
            return None;
        }
        let draw = self.draw(context);
        let Statement::Draw { to, .. } = draw else { return None };
        let array = self.random.random_range(0..self.plain);
        let index = self.index_of(array, to);
        let store = Statement::Store { place: word(array, index.value), value: self.value(context, 1) };
        Some(vec![draw, store])
    }

    /// An index computed from a variable, which may be a ticket.
    pub(super) fn index_by_ticket(&mut self, array: usize) -> Option<Index> {
        self.counter()?;
        if self.one_in(2) {
            return None;
        }
        let variable = self.variable();
        Some(self.index_of(array, variable))
    }

    fn index_of(&mut self, array: usize, variable: usize) -> Index {
        let ticket = Value::Variable(variable);
        let step = self.counter().map_or(1, |(_, counter)| counter.step);
        let by = self.below(3);
        // A place too far away does not count.
        let is_near = u32::from(step < 1 << 16);
        let value = match self.pick(&[6 * is_near, 4, 4, 3 * is_near, 2 * is_near, 2, is_near, 2]) {
            0 => ticket,
            1 => ticket.with(Operator::ShiftRight, step.ilog2()),
            2 => ticket.with(Operator::Divide, step),
            3 => ticket.with(Operator::ShiftRight, 1 + by),
            4 => ticket.with(Operator::Multiply, 2).with(Operator::Add, by % 2),
            5 => ticket.with(Operator::And, 7),
            6 => ticket.with(Operator::Add, by),
            _ => ticket.with(Operator::ShiftRight, step.ilog2().saturating_sub(1)),
        };
        let data = self.program.arrays[array];
        if data.is_local {
            return Index { value: value.with(Operator::Remainder, data.cells), below: data.cells };
        }
        Index { value, below: ANYWHERE }
    }
}
