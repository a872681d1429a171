//! Reduces a failing program while it still fails.

use std::time::{Duration, Instant};

use super::program::{Condition, Program, Statement, Value};

/// The most programs that are tried.
const MOST_TRIES: usize = 2_000;

/// The time limit.
const MOST_TIME: Duration = Duration::from_mins(5);

/// The smallest program that results from leaving out one thing after the other.
pub fn shrink(program: &Program, fails: impl Fn(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    let mut tries = 0;
    let started = Instant::now();
    let is_over = |tries: usize| tries >= MOST_TRIES || started.elapsed() > MOST_TIME;
    loop {
        let before = smallest.clone();
        let mut at = 0;
        while !is_over(tries) {
            let mut edit = Edit { at, is_done: false };
            let candidate = Program { body: edit.statements(&smallest.body), ..smallest.clone() };
            if !edit.is_done {
                break;
            }
            tries += 1;
            if fails(&candidate) {
                smallest = candidate;
            } else {
                at += 1;
            }
        }
        if smallest == before || is_over(tries) {
            return smallest;
        }
    }
}

/// One change of a program, selected by its number.
struct Edit {
    at: usize,
    is_done: bool,
}

impl Edit {
    /// Whether this is the place.
    fn is_here(&mut self) -> bool {
        if self.is_done {
            return false;
        }
        self.is_done = self.at == 0;
        self.at = self.at.saturating_sub(1);
        self.is_done
    }

    fn statements(&mut self, statements: &[Statement]) -> Vec<Statement> {
        let mut changed = Vec::new();
        for statement in statements {
            if self.is_here() {
                continue;
            }
            match statement {
                Statement::If { then, otherwise, .. } if self.is_here() => {
                    changed.extend(then.iter().chain(otherwise).cloned());
                }
                Statement::While { body, .. } if self.is_here() => changed.extend(body.iter().cloned()),
                _ => changed.push(self.statement(statement)),
            }
        }
        changed
    }

    fn statement(&mut self, statement: &Statement) -> Statement {
        let mut statement = statement.clone();
        match &mut statement {
            Statement::Assign(_, value) => *value = self.value(value),
            Statement::Load { place, .. } => place.index = self.value(&place.index),
            Statement::Store { place, value } => {
                place.index = self.value(&place.index);
                *value = self.value(value);
            }
            Statement::Atomic { place, operand, .. } => {
                place.index = self.value(&place.index);
                *operand = self.value(operand);
            }
            Statement::If { condition, then, otherwise } => {
                *condition = self.condition(condition);
                *then = self.statements(then);
                *otherwise = self.statements(otherwise);
            }
            Statement::Loop { body, .. } => *body = self.statements(body),
            Statement::While { condition, body, .. } => {
                *condition = self.condition(condition);
                *body = self.statements(body);
            }
            Statement::Signal { place, operands, .. } => {
                place.index = self.value(&place.index);
                for operand in operands {
                    *operand = self.value(operand);
                }
            }
            Statement::NamedBarrier { number, .. } => *number = self.value(number),
            Statement::WarpBarrier { mask } => *mask = self.value(mask),
            Statement::Exchange { mask, value, by, .. } => {
                *mask = mask.as_ref().map(|mask| self.value(mask));
                *value = self.value(value);
                *by = self.value(by);
            }
            Statement::Draw { place, .. } => place.index = self.value(&place.index),
            Statement::Copy { from, to, count, .. } => {
                from.index = self.value(&from.index);
                to.index = self.value(&to.index);
                *count = self.value(count);
            }
            Statement::OwnCopy { from, to } => {
                from.index = self.value(&from.index);
                to.index = self.value(&to.index);
            }
            Statement::SharedCopy { from, to, count } => {
                from.index = self.value(&from.index);
                to.index = self.value(&to.index);
                *count = self.value(count);
            }
            Statement::Library { value, .. } => *value = self.value(value),
            Statement::Break
            | Statement::Continue
            | Statement::Return
            | Statement::Barrier { .. }
            | Statement::Call { .. }
            | Statement::Commit
            | Statement::Fence { .. }
            | Statement::OwnWait { .. }
            | Statement::Wait { .. } => {}
        }
        statement
    }

    fn value(&mut self, value: &Value) -> Value {
        if *value != Value::Constant(0) && self.is_here() {
            return Value::Constant(0);
        }
        match value {
            Value::Binary(operator, a, b) => {
                if self.is_here() {
                    return (**a).clone();
                }
                Value::binary(*operator, self.value(a), if is_bound(value) { (**b).clone() } else { self.value(b) })
            }
            Value::Select(condition, a, b) => {
                if self.is_here() {
                    return (**a).clone();
                }
                let condition = self.condition(condition);
                Value::Select(Box::new(condition), Box::new(self.value(a)), Box::new(self.value(b)))
            }
            _ => value.clone(),
        }
    }

    fn condition(&mut self, condition: &Condition) -> Condition {
        match condition {
            Condition::Compare(relation, a, b) => Condition::Compare(*relation, self.value(a), self.value(b)),
            Condition::And(a, _) | Condition::Or(a, _) if self.is_here() => (**a).clone(),
            Condition::And(a, b) => Condition::And(Box::new(self.condition(a)), Box::new(self.condition(b))),
            Condition::Or(a, b) => Condition::Or(Box::new(self.condition(a)), Box::new(self.condition(b))),
        }
    }
}

/// Whether the second operand of an operation must stay as it is.
///
/// A divisor is not 0, and a mask bounds the values that are read.
fn is_bound(value: &Value) -> bool {
    use super::program::Operator::{And, Divide, Remainder, ShiftLeft, ShiftRight};
    matches!(value, Value::Binary(And | Divide | Remainder | ShiftLeft | ShiftRight, _, b) if matches!(**b, Value::Constant(_)))
}
