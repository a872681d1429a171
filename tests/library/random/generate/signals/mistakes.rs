//! Mistakes in the synchronisation through memory.

use lockstep_ir::kernel::{Ordering, Scope};

use super::super::super::program::{Condition, Means, Operator, Place, Relation, Signal, Statement, Value};
use super::super::{Generator, word};
use super::{DATA, OTHER, SEEN, SIGNALS, SIGNALS_OF_GROUP, for_each, is, only_if, uses};

/// The kinds of mistakes, of which each statement has as many as it can.
const KINDS: [u32; 8] = [3, 2, 2, 2, 1, 2, 1, 1];

/// The choices for mistakes that a statement allows.
#[expect(clippy::struct_excessive_bools, reason = "choices that have nothing to do with each other")]
struct Chance {
    kind: usize,
    is_up: bool,
    is_one: bool,
    to_front: bool,
    is_cuda: bool,
    someone: Condition,
}

impl Generator {
    pub(super) fn make_mistakes_of_signals(&mut self, body: &mut Vec<Statement>) {
        for _ in 0..=self.pick(&[4, 1]) {
            match self.pick(&[20, 5, 1]) {
                0 => {
                    let mut at = self.below(places(body));
                    self.mistake_of_signals(body, &mut at);
                }
                1 => self.disturb(body),
                _ => await_zeros(body),
            }
        }
    }

    /// Makes a mistake at the place of this number, and returns whether it has been reached.
    fn mistake_of_signals(&mut self, body: &mut Vec<Statement>, at: &mut u32) -> bool {
        for position in 0..body.len() {
            if *at == 0 {
                let chance = Chance {
                    kind: self.pick(&KINDS),
                    is_up: self.one_in(2),
                    is_one: self.one_in(2),
                    to_front: self.one_in(3),
                    is_cuda: self.is_cuda(),
                    someone: self.someone(),
                };
                mistake(body, position, chance);
                return true;
            }
            *at -= 1;
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

    /// Some of the threads or groups.
    fn someone(&mut self) -> Condition {
        let who = match self.pick(&[4, 4, 2, 1]) {
            0 => Value::GroupId(0),
            1 => self.local_id(),
            2 => self.global_id(),
            _ => Value::Parameter,
        };
        let relation = [Relation::Equal, Relation::NotEqual, Relation::Less][self.pick(&[3, 1, 1])];
        Condition::Compare(relation, who, Value::Constant(self.below(2)))
    }

    /// Lets somebody else signal, uses the signals for data, or forgets what a signal told.
    fn disturb(&mut self, body: &mut Vec<Statement>) {
        let array = if uses(body, SIGNALS_OF_GROUP) && self.one_in(2) { SIGNALS_OF_GROUP } else { SIGNALS };
        let place = word(array, Value::Constant(self.below(2)));
        let value = Value::Constant(self.below(3));
        let signals = signals(body);
        let disturbance = match self.pick(&[6 * u32::from(!signals.is_empty()), 4, 1, 1, 1]) {
            0 => signals[self.position(signals.len() - 1)].clone(),
            1 => self.other_signal(place, value),
            2 => Statement::Store { place, value },
            3 => return self.insert_all(body, self.reads_data(place)),
            _ => Statement::Assign([SEEN, OTHER][self.pick(&[2, 1])], value),
        };
        self.insert_all(body, vec![disturbance]);
    }

    /// Inserts statements of all threads or of some.
    fn insert_all(&mut self, body: &mut Vec<Statement>, statements: Vec<Statement>) {
        let condition = if self.one_in(4) { is(Value::Constant(0), Relation::Equal, 0) } else { self.someone() };
        self.insert_somewhere(body, only_if(condition, statements));
    }

    fn other_signal(&mut self, place: Place, value: Value) -> Statement {
        let scope = if self.one_in(2) { Scope::Device } else { Scope::Group };
        let ordering = if self.one_in(2) { Ordering::Relaxed } else { Ordering::Release };
        let operation = [Signal::Store, Signal::Add, Signal::Exchange][self.pick(&[3, 3, 1])];
        Statement::Signal { operation, means: Means::Atomic(ordering, scope), place, operands: vec![value], to: None }
    }

    /// Inserts a statement, into a branch or a loop too.
    fn insert_somewhere(&mut self, body: &mut Vec<Statement>, statement: Statement) {
        let at = self.position(body.len());
        match body.get_mut(at) {
            Some(Statement::If { then: body, .. } | Statement::While { body, .. }) if self.one_in(2) => {
                self.insert_somewhere(body, statement);
            }
            _ => body.insert(at, statement),
        }
    }

    /// A number up to this one.
    fn position(&mut self, last: usize) -> usize {
        let bound = u32::try_from(last).expect("few statements") + 1;
        usize::try_from(self.below(bound)).expect("few statements")
    }
}

/// Makes a mistake in a statement.
fn mistake(body: &mut Vec<Statement>, position: usize, chance: Chance) {
    match &mut body[position] {
        Statement::Fence { .. } => mistake_of_fence(body, position, chance),
        Statement::Signal { .. } => mistake_of_signal(body, position, chance),
        Statement::If { .. } => mistake_of_branch(body, position, chance),
        Statement::While { .. } => mistake_of_wait(body, position, chance),
        Statement::Store { place, .. } | Statement::Load { place, .. } => match chance.kind {
            0 | 1 => {
                let operator = if chance.is_one { Operator::Add } else { Operator::Xor };
                place.index = place.index.clone().with(operator, 1);
            }
            2 | 3 => move_to(body, position, chance.to_front),
            4 => place.array = if place.array == DATA { SIGNALS } else { DATA },
            _ => swap(body, position, chance.is_up),
        },
        _ => match chance.kind {
            0..=2 => {
                body.remove(position);
            }
            _ => swap(body, position, chance.is_up),
        },
    }
}

fn mistake_of_fence(body: &mut Vec<Statement>, position: usize, chance: Chance) {
    let Statement::Fence { scope, ordering, local, global } = &mut body[position] else { return };
    match chance.kind {
        1 | 5 => *scope = narrower(*scope, chance.is_cuda),
        2 => *ordering = weaker(*ordering, chance.is_up),
        3 => swap(body, position, chance.is_up),
        4 if !chance.is_cuda => [*local, *global] = [chance.is_one, !chance.is_one],
        6 => move_to(body, position, chance.to_front),
        7 => body[position] = only_if(chance.someone, vec![body[position].clone()]),
        _ => {
            body.remove(position);
        }
    }
}

fn mistake_of_signal(body: &mut Vec<Statement>, position: usize, chance: Chance) {
    let is_volatile = chance.is_up && chance.is_cuda;
    let Statement::Signal { operation, means, place, operands, .. } = &mut body[position] else { return };
    match chance.kind {
        0 => swap(body, position, chance.is_up),
        1 => {
            if let Means::Atomic(_, scope) = means {
                *scope = narrower(*scope, chance.is_cuda);
            }
        }
        2 => match means {
            Means::Atomic(ordering, _) => *ordering = weaker(*ordering, chance.is_up),
            _ => *means = Means::Plain,
        },
        3 if chance.is_one => place.index = place.index.clone().with(Operator::Xor, 1),
        3 => place.index = Value::GroupId(0).with(Operator::And, 1),
        4 => match operands.last_mut() {
            Some(value) => *value = value.clone().with(if chance.is_one { Operator::Add } else { Operator::Xor }, 1),
            None => move_to(body, position, chance.to_front),
        },
        5 => match operation {
            Signal::Exchange | Signal::Store if chance.is_one => {
                *operation = Signal::Store;
                *means = if is_volatile { Means::Volatile } else { Means::Plain };
            }
            Signal::CompareExchange => {
                *operation = Signal::Exchange;
                operands.remove(0);
            }
            Signal::Load => *means = if is_volatile { Means::Volatile } else { Means::Plain },
            _ => body.insert(position, body[position].clone()),
        },
        6 => body.insert(position, body[position].clone()),
        _ => body[position] = only_if(chance.someone, vec![body[position].clone()]),
    }
}

fn mistake_of_branch(body: &mut Vec<Statement>, position: usize, chance: Chance) {
    let Statement::If { condition, then, otherwise } = &mut body[position] else { return };
    match chance.kind {
        0 | 1 => missed(condition, chance.is_up),
        2 => {
            // All do it.
            let inside = std::mem::take(then);
            body.splice(position..=position, inside);
        }
        3 | 4 if !then.is_empty() => {
            // One statement is done by all, before or behind the others.
            let moved = then.remove(if chance.is_up { 0 } else { then.len() - 1 });
            body.insert(if chance.is_up { position } else { position + 1 }, moved);
        }
        5 => std::mem::swap(then, otherwise),
        _ => swap(body, position, chance.is_up),
    }
}

fn mistake_of_wait(body: &mut Vec<Statement>, position: usize, chance: Chance) {
    let Statement::While { condition, body: inside, .. } = &mut body[position] else { return };
    match chance.kind {
        0 | 1 => missed(condition, chance.is_up),
        2 | 3 => {
            // It looks once, and goes on in any case, or if it has seen the right or wrong thing.
            let condition = if chance.is_one { negated(condition) } else { condition.clone() };
            let inside = std::mem::take(inside);
            let rest: Vec<Statement> = body.drain(position + 1..).collect();
            body.splice(position.., inside);
            body.extend(if chance.kind == 2 { rest } else { vec![only_if(condition, rest)] });
        }
        _ => swap(body, position, chance.is_up),
    }
}

/// Lets those who wait for a value wait for 0, with which the cell starts.
fn await_zeros(body: &mut [Statement]) {
    let zero = |value: &mut Value| {
        if matches!(value, Value::Constant(_)) {
            *value = Value::Constant(0);
        }
    };
    for_each(body, &mut |statement| match statement {
        Statement::Signal { operation: Signal::Store | Signal::Exchange, operands, .. } => {
            operands.iter_mut().for_each(zero);
        }
        Statement::If { condition: Condition::Compare(_, Value::Variable(SEEN), value), .. }
        | Statement::While { condition: Condition::Compare(_, Value::Variable(SEEN), value), .. } => zero(value),
        _ => {}
    });
}

/// The signals that change a cell, as they are in the second round of a loop.
fn signals(body: &[Statement]) -> Vec<Statement> {
    let mut signals = Vec::new();
    for_each(&mut body.to_vec(), &mut |statement| {
        if let Statement::Signal { operation, place, operands, .. } = statement
            && *operation != Signal::Load
        {
            operands.iter_mut().chain([&mut place.index]).for_each(end_loops);
            signals.push(statement.clone());
        }
    });
    signals
}

/// Replaces counters of loops, which other statements do not have.
fn end_loops(value: &mut Value) {
    match value {
        Value::Counter(_) => *value = Value::Constant(1),
        Value::Binary(_, a, b) => {
            end_loops(a);
            end_loops(b);
        }
        _ => {}
    }
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

/// The number of places at which a mistake may be made.
fn places(body: &[Statement]) -> u32 {
    let mut count = 0;
    for_each(&mut body.to_vec(), &mut |_| count += 1);
    count
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

fn negated(condition: &Condition) -> Condition {
    match condition {
        Condition::Compare(Relation::Equal, a, b) => Condition::Compare(Relation::NotEqual, a.clone(), b.clone()),
        Condition::Compare(Relation::NotEqual, a, b) => Condition::Compare(Relation::Equal, a.clone(), b.clone()),
        Condition::Compare(_, a, b) => Condition::Compare(Relation::LessEqual, b.clone(), a.clone()),
        other => other.clone(),
    }
}
