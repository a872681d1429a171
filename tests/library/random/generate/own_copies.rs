//! Asynchronous copies of a thread, and copies that the threads of a group share.

use rand::RngExt;

use super::super::program::{Operator, Statement, Value};
use super::super::vocabulary::Vocabulary;
use super::{Context, Generator, word};

impl Generator {
    /// Whether a local array is filled by the threads' own copies from global memory.
    pub(super) fn is_filled_by_own_copies(&mut self, array: usize, body: &mut Vec<Statement>) -> bool {
        if !self.program.has(Vocabulary::OwnCopies) || self.one_in(2) {
            return false;
        }
        let cells = self.program.arrays[array].cells;
        if !self.lets_read(0, cells) {
            return false;
        }
        if self.one_in(3) {
            let [from, to] = [0, array].map(|array| word(array, Value::Constant(0)));
            body.push(Statement::SharedCopy { from, to, count: Value::Constant(cells) });
        } else {
            for start in (0..cells).step_by(usize::try_from(self.group).expect("small")) {
                let index = self.local_id().with(Operator::Add, start).with(Operator::Remainder, cells);
                let [from, to] = [0, array].map(|array| word(array, index.clone()));
                body.push(Statement::OwnCopy { from, to });
            }
        }
        if !self.one_in(12) {
            body.push(Statement::Commit);
        }
        if !self.one_in(4) {
            body.push(Statement::OwnWait { kept: 0 });
        }
        true
    }

    /// A copy, usually followed by the end of its batch, by a wait for it or another batch, and by
    /// a barrier.
    pub(super) fn of_own_copies(&mut self, context: &Context) -> Option<Vec<Statement>> {
        let mut body = Vec::new();
        match self.pick(&[10, 2, 2]) {
            0 => body.push(self.own_copy(context)?),
            1 => {}
            _ => {
                body.push(self.own_copy(context)?);
                body.push(Statement::Commit);
                body.push(self.own_copy(context)?);
            }
        }
        if !self.one_in(6) {
            body.push(Statement::Commit);
        }
        if self.one_in(3) {
            body.push(self.statement(context));
        }
        if !self.one_in(3) {
            let kept = [0, 1, 2][self.pick(&[6, 4, 1])];
            body.push(Statement::OwnWait { kept });
        }
        if context.is_uniform && self.one_in(2) {
            body.push(Statement::Barrier { local: true, global: true });
        }
        Some(body)
    }

    fn own_copy(&mut self, context: &Context) -> Option<Statement> {
        let locals: Vec<usize> = (0..self.plain).filter(|&array| self.program.arrays[array].is_local).collect();
        let globals: Vec<usize> = (0..self.plain).filter(|&array| !self.program.arrays[array].is_local).collect();
        let local = *locals.get(self.random.random_range(0..locals.len().max(1)))?;
        let global = globals[self.random.random_range(0..globals.len())];
        if context.is_uniform && self.one_in(4) {
            let cells = self.program.arrays[local].cells;
            let count = 1 + self.below(cells);
            let reads = self.lets_read(global, count);
            let count = if self.one_in(4) && cells >= 3 { Value::Parameter } else { Value::Constant(count) };
            let [inside, outside] = [local, global].map(|array| word(array, Value::Constant(0)));
            let (from, to) = if reads { (outside, inside) } else { (inside, outside) };
            return Some(Statement::SharedCopy { from, to, count });
        }
        let inside = word(local, self.local_index(context, local).value);
        let outside = self.global_index(context);
        let reads = outside.below < 1 << 16 && self.lets_read(global, outside.below);
        let outside = word(global, outside.value);
        let (from, to) = if reads { (outside, inside) } else { (inside, outside) };
        Some(Statement::OwnCopy { from, to })
    }
}
