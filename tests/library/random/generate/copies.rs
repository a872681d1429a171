//! Asynchronous copies of a group.

use rand::RngExt;

use super::super::program::{Operator, Statement, Value};
use super::super::vocabulary::Vocabulary;
use super::{Context, Generator, Index, word};

impl Generator {
    /// Whether a local array is filled by a copy from global memory.
    pub(super) fn is_filled_by_copy(&mut self, array: usize, body: &mut Vec<Statement>) -> bool {
        if !self.program.has(Vocabulary::Copies) || self.one_in(2) {
            return false;
        }
        let cells = self.program.arrays[array].cells;
        if !self.lets_read(0, cells) {
            return false;
        }
        let [from, to] = [0, array].map(|array| word(array, Value::Constant(0)));
        let count = Value::Constant(cells);
        body.push(Statement::Copy { event: 0, joins: false, from, to, count, stride: None });
        if !self.one_in(10) {
            body.push(Statement::Wait { events: vec![0] });
        }
        true
    }

    /// Whether the initial contents of a global array's first cells may be an input.
    pub(super) fn lets_read(&mut self, array: usize, cells: u32) -> bool {
        let known = self.program.arrays[array].cells;
        let more = cells.saturating_sub(known);
        let fits = more <= self.bits_left;
        if fits {
            self.bits_left -= more;
            self.program.arrays[array].cells = known.max(cells);
        }
        fits
    }

    /// A copy, usually followed by its wait, with or without a statement between the two.
    pub(super) fn of_copies(&mut self, context: &Context) -> Option<Vec<Statement>> {
        if !context.is_uniform && !self.one_in(6) {
            return None;
        }
        let locals: Vec<usize> = (0..self.plain).filter(|&array| self.program.arrays[array].is_local).collect();
        let globals: Vec<usize> = (0..self.plain).filter(|&array| !self.program.arrays[array].is_local).collect();
        let local = *locals.get(self.random.random_range(0..locals.len().max(1)))?;
        let global = globals[self.random.random_range(0..globals.len())];
        let cells = self.program.arrays[local].cells;
        let (count, most) = match self.pick(&[4, 4, 2]) {
            0 => (Value::Constant(self.group), self.group),
            1 => {
                let count = 1 + self.below(cells);
                (Value::Constant(count), count)
            }
            _ => (Value::Parameter, 3),
        };
        let stride = self.one_in(4).then(|| 1 + self.below(3));
        let inside = self.start_inside(context, cells, most);
        let outside = self.start_outside(context);
        let end = outside.below - 1 + (most - 1) * stride.unwrap_or(1) + 1;
        let reads = self.one_in(2) && self.lets_read(global, end);
        let (inside, outside) = (word(local, inside), word(global, outside.value));
        let (from, to) = if reads { (outside, inside) } else { (inside, outside) };
        let event = self.random.random_range(0..self.program.events);
        let mut body = vec![Statement::Copy { event, joins: self.one_in(4), from, to, count, stride }];
        if self.one_in(3) {
            body.push(self.statement(context));
        }
        if !self.one_in(6) {
            let events = if self.one_in(4) { (0..self.program.events).collect() } else { vec![event] };
            body.push(Statement::Wait { events });
        }
        Some(body)
    }

    /// The start of a copy of this many cells in local memory.
    fn start_inside(&mut self, context: &Context, cells: u32, most: u32) -> Value {
        let room = cells.saturating_sub(most);
        match self.pick(&[8, 3, 1]) {
            0 => Value::Constant(0),
            1 => Value::Constant(self.below(room + 1)),
            _ => self.value(context, 1).with(Operator::And, 1),
        }
    }

    /// The start of a copy in global memory.
    fn start_outside(&mut self, context: &Context) -> Index {
        let around = context.loops.last().copied();
        let in_loop = u32::from(around.is_some());
        let groups = self.program.num_groups[0] * self.program.num_groups[1];
        match self.pick(&[8, 2, 1, 2 * in_loop]) {
            0 => {
                let group = super::linear(self.program.num_groups[0], self.program.num_groups[1], Value::GroupId);
                let below = (groups - 1) * self.group + 1;
                Index { value: group.with(Operator::Multiply, self.group), below }
            }
            1 => Index { value: Value::Constant(0), below: 1 },
            2 => Index { value: self.value(context, 1).with(Operator::And, 1), below: 2 },
            _ => Index {
                value: around.map_or(Value::Constant(0), |around| Value::Counter(around.number)),
                below: around.map_or(1, |around| around.below),
            },
        }
    }
}
