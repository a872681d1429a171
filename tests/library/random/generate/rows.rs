//! Rows of an unknown width: `row * width + column`.

use rand::{Rng, RngExt};

use super::super::program::{Arithmetic, Condition, Operator, Place, Relation, Statement, Value, Width};
use super::{Context, Generator, word};

/// The second parameter of a kernel.
pub fn width(random: &mut impl Rng) -> Width {
    Width { mask: [Some(3), Some(7), Some(7), None][random.random_range(0..4)] }
}

impl Generator {
    /// A row or a column.
    pub(super) fn part_of_row(&mut self, context: &Context) -> Value {
        let around = context.loops.last().copied();
        let has_rows = u32::from(self.program.local_size[1] > 1);
        let in_loop = u32::from(around.is_some());
        match self.pick(&[6, 8 * has_rows, 2, 2 * has_rows, 3, 5 * in_loop, 2, 1]) {
            0 => Value::GlobalId(0),
            1 => Value::GlobalId(1),
            2 => Value::LocalId(0),
            3 => Value::LocalId(1),
            4 => Value::GroupId(0),
            5 => around.map_or(Value::Parameter, |around| Value::Counter(around.number)),
            6 => Value::Constant(self.below(3)),
            _ => Value::Variable(self.variable()),
        }
    }

    /// A width of rows.
    pub(super) fn radix(&mut self) -> Value {
        match self.pick(&[8, 2, 1]) {
            0 => Value::Width,
            1 => Value::Parameter,
            _ => Value::Width.with(Operator::Add, 1),
        }
    }

    /// A cell of a row.
    fn cell(&mut self, row: Value, column: Value) -> Value {
        let radix = self.radix();
        let start = Value::binary(Operator::Multiply, row, radix.clone());
        let column = match self.pick(&[12, 2, 2, 1]) {
            0 => column,
            1 => column.with(Operator::Add, 1 + self.below(2)),
            2 => {
                let last = radix.with(Operator::Subtract, 1);
                Value::binary(Operator::Subtract, last, column)
            }
            _ => column.with(Operator::Multiply, 2),
        };
        Value::binary(Operator::Add, start, column)
    }

    /// An index by row and column, sometimes, if the program has rows.
    pub(super) fn row(&mut self, context: &Context) -> Option<Value> {
        if self.program.width.is_none() || self.one_in(3) {
            return None;
        }
        let (row, column) = (self.part_of_row(context), self.part_of_row(context));
        if self.one_in(5) {
            // A plane.
            let plane = self.part_of_row(context);
            let rows = if self.one_in(2) { Value::Parameter } else { self.radix() };
            let start = Value::binary(Operator::Multiply, plane, rows);
            return Some(self.cell(Value::binary(Operator::Add, start, row), column));
        }
        Some(self.cell(row, column))
    }

    /// A write to a cell of a row whose column lies in the row.
    pub(super) fn of_rows(&mut self, context: &Context) -> Vec<Statement> {
        let globals: Vec<usize> = (0..self.plain).filter(|&array| !self.program.arrays[array].is_local).collect();
        let array = globals[self.random.random_range(0..globals.len())];
        let has_rows = self.program.local_size[1] > 1;
        let (row, column) = if has_rows && !self.one_in(4) {
            (Value::GlobalId(1), Value::GlobalId(0))
        } else {
            (self.part_of_row(context), self.part_of_row(context))
        };
        let less = [Relation::Less, Relation::LessEqual, Relation::SignedLess][self.pick(&[10, 1, 2])];
        let mut condition = Condition::Compare(less, column.clone(), Value::Width);
        if self.one_in(2) {
            let within = Condition::Compare(Relation::Less, row.clone(), Value::Parameter);
            condition = Condition::And(Box::new(within), Box::new(condition));
        }
        let start = Value::binary(Operator::Multiply, row, Value::Width);
        let index = Value::binary(Operator::Add, start, column);
        let arithmetic = [Arithmetic::Unsigned, Arithmetic::Wide, Arithmetic::Signed][self.pick(&[3, 2, 3])];
        let place = Place { arithmetic, ..word(array, index) };
        let mut then = vec![Statement::Store { place, value: self.value(context, 1) }];
        if self.one_in(3) {
            let (place, _) = self.place(context);
            then.push(Statement::Store { place, value: self.value(context, 1) });
        }
        vec![Statement::If { condition, then, otherwise: Vec::new() }]
    }
}
