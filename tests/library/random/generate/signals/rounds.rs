//! Patterns in loops: barriers of all parties in each round, waits for the neighbours, and queues
//! of work. They are right.

use lockstep_ir::kernel::Ordering;

use super::super::super::program::{Condition, Means, Operator, Place, Relation, Signal, Statement, Value};
use super::super::{Generator, word};
use super::{CELLS, OF_GROUP, OTHER, Parties, SEEN, Side, TOLD, add, group_barrier, only_if};

/// The cells of a half of all data, which rounds write in turn.
const HALF: u32 = 16;
/// The same for data of a group, which has at most so many threads.
const HALF_OF_GROUP: u32 = CELLS / 2;

/// A barrier at which the party that comes last turns a flag.
struct Turned {
    count: Place,
    flag: Place,
    /// How each party computes the flag's next value by itself; `None` if it reads the flag before.
    sense: Option<Operator>,
    /// Whether the counter wraps around to zero, so that nobody sets it back.
    wraps: bool,
}

impl Generator {
    /// Rounds with barriers at which each party adds 1 to a cell and waits until it has a value.
    pub(super) fn barriers_in_rounds(&mut self, side: Side) -> Vec<Statement> {
        let place = Self::signal_cell(side, Value::Constant(self.below(2)));
        let sums = self.one_in(2);
        let all = self.rounds(side, |this, number| {
            let goal = Value::binary(Operator::Multiply, number, this.count_of(side));
            this.round_ends(side, &place, goal, sums)
        });
        let start = Statement::Assign(OTHER, Value::Constant(0));
        if sums { vec![start, all] } else { vec![all] }
    }

    /// Rounds with barriers at which the party that comes last turns a flag.
    pub(super) fn turns_in_rounds(&mut self, side: Side) -> Vec<Statement> {
        let turned = self.turned(side);
        let all = self.rounds(side, |this, _| this.meets_last(side, &turned));
        vec![Statement::Assign(OTHER, Value::Constant(0)), all]
    }

    /// Rounds in which each party writes its data, waits for all, and reads the data of others.
    ///
    /// The next round writes there only behind another such wait, or it writes to another half.
    /// `meets` is given the barrier's number in the kernel, from 1.
    fn rounds(&mut self, side: Side, mut meets: impl FnMut(&mut Self, Value) -> Vec<Statement>) -> Statement {
        let alternates = self.one_in(2);
        let bound = if self.one_in(3) { Value::Parameter } else { Value::Constant(1 + self.below(3)) };
        self.counted(bound, |this, round| {
            let uses = if alternates { 1 } else { 2 };
            let [first, second] =
                [1, 2].map(|number| round.clone().with(Operator::Multiply, uses).with(Operator::Add, number));
            let of_half = |place| if alternates { half_of(side, &round, place) } else { place };
            let own = of_half(this.data_of(side, this.me(side), false));
            let write = this.writes(own);
            let mut body = this.accessed(side, vec![write]);
            body.extend(meets(this, first));
            let other = this.me(side).with(Operator::Add, 1).with(Operator::Remainder, this.count(side));
            let place_of_other = this.data_of(side, other, true);
            let reads = this.reads_data(of_half(place_of_other));
            body.extend(this.accessed(side, reads));
            if !alternates {
                body.extend(meets(this, second));
            }
            body
        })
    }

    /// The counter and the flag of a barrier at which the party that comes last turns the flag.
    fn turned(&mut self, side: Side) -> Turned {
        let [count, flag] = [0, 1].map(|cell| Self::signal_cell(side, Value::Constant(cell)));
        let sense = match self.pick(&[3, 2, 1]) {
            0 => None,
            1 => Some(Operator::Xor),
            _ => Some(Operator::Add),
        };
        Turned { count, flag, sense, wraps: self.is_cuda() && self.one_in(3) }
    }

    /// Each party adds 1 to the counter. The last one sets it back and turns the flag, for which
    /// the others wait.
    fn meets_last(&mut self, side: Side, turned: &Turned) -> Vec<Statement> {
        let Turned { count, flag, sense, wraps } = turned;
        let old = Value::Variable(OTHER);
        let mut inside = Vec::new();
        let (new, relation) = if let Some(operator) = sense {
            inside.push(Statement::Assign(OTHER, old.clone().with(*operator, 1)));
            (old.clone(), Relation::NotEqual)
        } else {
            let means = self.means(side, Ordering::Relaxed);
            let (operation, place) = (Signal::Load, flag.clone());
            inside.push(Statement::Signal { operation, means, place, operands: Vec::new(), to: Some(OTHER) });
            (old.clone().with(Operator::Add, 1), Relation::Equal)
        };
        let last = Value::binary(Operator::Subtract, self.count_of(side), Value::Constant(1));
        let [draws, fences] = self.drawn_numbers(side, count, (1, wraps.then(|| last.clone())));
        inside.extend(draws);
        let mut then = fences;
        if !wraps {
            let means = match self.means(side, Ordering::Relaxed) {
                // PTX orders an ordinary store behind what was observed, and C11 does not.
                Means::Volatile if self.one_in(2) => Means::Plain,
                other => other,
            };
            let (operation, place) = (Signal::Store, count.clone());
            then.push(Statement::Signal { operation, means, place, operands: vec![Value::Constant(0)], to: None });
        }
        // Whoever counts next has to see the counter that is set back.
        then.extend(Self::total_fence(side));
        let adds = sense.is_none() && self.one_in(3);
        then.extend(if adds { self.counts(side, flag.clone()) } else { self.tells(side, flag.clone(), new) });
        let otherwise = self.waits_while(side, flag.clone(), relation, old);
        let condition = Condition::Compare(Relation::Equal, Value::Variable(SEEN), last);
        inside.push(Statement::If { condition, then, otherwise });
        [self.before_signal(side), self.led(side, inside), self.behind_signal(side)].concat()
    }

    /// Rounds in which each party writes its data, tells how far it has come, waits for the party
    /// before it and the one behind it, and reads the data of one of them.
    pub(super) fn neighbours_in_rounds(&mut self, side: Side) -> Vec<Statement> {
        let alternates = self.one_in(2);
        let counts = self.one_in(3);
        let bound = if self.one_in(3) { Value::Parameter } else { Value::Constant(1 + self.below(3)) };
        vec![self.counted(bound, |this, round| {
            let uses = if alternates { 1 } else { 2 };
            let [first, second] =
                [1, 2].map(|number| round.clone().with(Operator::Multiply, uses).with(Operator::Add, number));
            let of_half = |place| if alternates { half_of(side, &round, place) } else { place };
            let own = of_half(this.data_of(side, this.me(side), false));
            let write = this.writes(own);
            let mut body = this.accessed(side, vec![write]);
            body.extend(this.meets_neighbours(side, (first, counts)));
            let distance = if this.one_in(2) { 1 } else { this.count(side) - 1 };
            let other = this.me(side).with(Operator::Add, distance).with(Operator::Remainder, this.count(side));
            let place_of_other = this.data_of(side, other, true);
            let reads = this.reads_data(of_half(place_of_other));
            body.extend(this.accessed(side, reads));
            if !alternates {
                body.extend(this.meets_neighbours(side, (second, counts)));
            }
            body
        })]
    }

    /// A party tells that it has come to a step, or counts it, and waits for both neighbours.
    fn meets_neighbours(&mut self, side: Side, (step, counts): (Value, bool)) -> Vec<Statement> {
        let own = Self::signal_cell(side, self.me(side));
        let mut inside = if counts { self.counts(side, own) } else { self.tells(side, own, step.clone()) };
        for distance in [1, self.count(side) - 1] {
            let other = self.me(side).with(Operator::Add, distance).with(Operator::Remainder, self.count(side));
            inside.extend(self.waits_while(side, Self::signal_cell(side, other), Relation::Less, step.clone()));
        }
        [self.before_signal(side), self.led(side, inside), self.behind_signal(side)].concat()
    }

    /// Each party adds 1 to a cell, and waits until it has at least a value.
    ///
    /// With `sums`, a variable has the value, and grows by the number of parties each time. The one
    /// that comes last may go on without looking.
    fn round_ends(&mut self, side: Side, place: &Place, goal: Value, sums: bool) -> Vec<Statement> {
        let mut body = Vec::new();
        let goal = if sums {
            let sum = Value::binary(Operator::Add, Value::Variable(OTHER), self.count_of(side));
            body.push(Statement::Assign(OTHER, sum));
            Value::Variable(OTHER)
        } else {
            goal
        };
        if self.one_in(3) {
            let draws = self.both(side, |means| add(means, place.clone(), 1, Some(SEEN)));
            let mut inside = draws.concat();
            let drawn = Value::Variable(SEEN).with(Operator::Add, 1);
            let waits = self.waits_while(side, place.clone(), Relation::Less, goal.clone());
            inside.push(only_if(Condition::Compare(Relation::NotEqual, drawn, goal), waits));
            body.extend([self.before_signal(side), self.led(side, inside), self.behind_signal(side)].concat());
            return body;
        }
        body.extend(self.count_of_all(side, place, goal));
        body
    }

    /// Parties draw the numbers of items until there are no more, and change the items' data.
    pub(super) fn work(&mut self, side: Side) -> Vec<Statement> {
        let items = if self.one_in(3) { Value::Parameter } else { Value::Constant(1 + self.below(3)) };
        let place = Self::signal_cell(side, Value::Constant(self.below(2)));
        let data = self.shared_data(side, &Value::Variable(OTHER));
        // A group's own data has no contents at first.
        let changes = if side.data == OF_GROUP { vec![self.writes(data)] } else { self.changes(&data) };
        let has_item = Condition::Compare(Relation::Less, Value::Variable(OTHER), items);
        let draws = self.drawn_item(side, place);
        let again = self.is_shared(side).then(group_barrier);
        if self.one_in(2) {
            // It draws at the end of the loop.
            let body = [changes, again.into_iter().collect(), draws.clone()].concat();
            return [draws, vec![Statement::While { condition: has_item, is_checked_last: false, body }]].concat();
        }
        let mut body = draws;
        if self.one_in(2) {
            body.extend(again);
            body.push(only_if(has_item.clone(), changes));
        } else {
            body.push(only_if(has_item.clone(), changes));
            body.extend(again);
        }
        vec![Statement::While { condition: has_item, is_checked_last: true, body }]
    }

    /// A number from a counter, which one thread draws for its group, or each for itself.
    fn drawn_item(&mut self, side: Side, place: Place) -> Vec<Statement> {
        let draw = Self::draws(side, place);
        if !self.is_shared(side) {
            // All threads of a group know the number that one of them draws, if it is alone.
            return vec![draw];
        }
        let told = word(OF_GROUP, Value::Constant(TOLD));
        let store = Statement::Store { place: told.clone(), value: Value::Variable(OTHER) };
        let mut body = self.led(side, vec![draw, store]);
        body.push(group_barrier());
        body.push(Statement::Load { to: OTHER, place: told, mask: u32::MAX });
        body
    }
}

/// The cell in the half of all data that is written in a round.
fn half_of(side: Side, round: &Value, place: Place) -> Place {
    let cells = if side.data == OF_GROUP { HALF_OF_GROUP } else { HALF };
    let half = round.clone().with(Operator::And, 1).with(Operator::Multiply, cells);
    Place { index: Value::binary(Operator::Add, place.index, half), ..place }
}

/// The sides for which parties draw items: groups in which all threads take part, or threads.
pub(super) fn side_of_work(side: Side) -> Side {
    let is_wide = side.parties == Parties::Groups;
    Side { is_wide, is_total: side.is_total && is_wide, ..side }
}
