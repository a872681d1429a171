//! Patterns in loops: barriers of all parties in each round, waits for the neighbours, and queues
//! of work. They are right.

use super::super::super::program::{Condition, Operator, Place, Relation, Statement, Value};
use super::super::{Generator, word};
use super::{CELLS, OF_GROUP, OTHER, Parties, SEEN, Side, TOLD, add, group_barrier, only_if};

/// The cells of a half of all data, which rounds write in turn.
const HALF: u32 = 16;
/// The same for data of a group, which has at most so many threads.
const HALF_OF_GROUP: u32 = CELLS / 2;

impl Generator {
    /// Rounds in which each party writes its data, waits for all, and reads the data of others.
    ///
    /// The next round writes there only behind another such wait, or it writes to another half.
    pub(super) fn barriers_in_rounds(&mut self, side: Side) -> Vec<Statement> {
        let place = Self::signal_cell(side, Value::Constant(self.below(2)));
        let alternates = self.one_in(2);
        let sums = self.one_in(2);
        let bound = if self.one_in(3) { Value::Parameter } else { Value::Constant(1 + self.below(3)) };
        let all = self.counted(bound, |this, round| {
            let uses = if alternates { 1 } else { 2 };
            let goal = |number: Value| {
                let before = round.clone().with(Operator::Multiply, uses);
                let uses = Value::binary(Operator::Add, before, number);
                Value::binary(Operator::Multiply, uses, this.count_of(side))
            };
            let [first, second] = [1, 2].map(|number| goal(Value::Constant(number)));
            let of_half = |place| if alternates { half_of(side, &round, place) } else { place };
            let own = of_half(this.data_of(side, this.me(side), false));
            let write = this.writes(own);
            let mut body = this.accessed(side, vec![write]);
            body.extend(this.round_ends(side, &place, first, sums));
            let other = this.me(side).with(Operator::Add, 1).with(Operator::Remainder, this.count(side));
            let place_of_other = this.data_of(side, other, true);
            let reads = this.reads_data(of_half(place_of_other));
            body.extend(this.accessed(side, reads));
            if !alternates {
                body.extend(this.round_ends(side, &place, second, sums));
            }
            body
        });
        let start = Statement::Assign(OTHER, Value::Constant(0));
        if sums { vec![start, all] } else { vec![all] }
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
