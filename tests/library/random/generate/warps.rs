//! Barriers of a warp, and exchanges between its lanes.

use lockstep_ir::kernel::WarpOp;

use super::super::program::{Condition, Operator, Relation, Statement, Value};
use super::super::vocabulary::Vocabulary;
use super::{Context, Generator, Index};

/// The exchange operations, with their weights.
const OPERATIONS: [(WarpOp, u32); 18] = [
    (WarpOp::Shuffle, 8),
    (WarpOp::ShuffleUp, 5),
    (WarpOp::ShuffleDown, 5),
    (WarpOp::ShuffleXor, 6),
    (WarpOp::VoteAll, 4),
    (WarpOp::VoteAny, 4),
    (WarpOp::VoteEqual, 1),
    (WarpOp::Ballot, 6),
    (WarpOp::MatchAny, 3),
    (WarpOp::MatchAll, 2),
    (WarpOp::ActiveMask, 1),
    (WarpOp::ReduceAdd, 2),
    (WarpOp::ReduceSignedMin, 1),
    (WarpOp::ReduceSignedMax, 1),
    (WarpOp::ReduceUnsignedMin, 1),
    (WarpOp::ReduceUnsignedMax, 1),
    (WarpOp::ReduceAnd, 1),
    (WarpOp::ReduceXor, 1),
];

impl Generator {
    fn has_warps(&self) -> bool {
        self.program.has(Vocabulary::Warps)
    }

    /// The number of lanes of a warp in a tiny group.
    fn lanes(&self) -> u32 {
        self.program.warp_size.min(self.group.next_power_of_two())
    }

    /// A mask: mostly one that names all lanes that come here.
    fn mask(&mut self, context: &Context) -> Value {
        let lanes = self.lanes();
        let known = 20 * u32::from(context.lanes.is_some());
        let all = if known == 0 { 16 } else { 2 };
        match self.pick(&[known, all, all / 2, 1, 1, 1]) {
            0 => context.lanes.clone().unwrap_or(Value::Constant(u32::MAX)),
            1 => Value::Constant(u32::MAX),
            2 => Value::Constant(ones(lanes)),
            3 => Value::Constant(1 + self.below(ones(lanes))),
            4 => Value::Variable(self.variable()),
            _ => {
                let bit = Value::binary(Operator::ShiftLeft, Value::Constant(1), Value::Lane);
                let other = Value::Constant(1 + self.below(ones(lanes)));
                Value::binary(Operator::Or, bit, other)
            }
        }
    }

    /// A barrier of a warp, or an exchange.
    pub(super) fn of_warp(&mut self, context: &Context) -> Statement {
        let mask = self.mask(context);
        if self.one_in(2) {
            return Statement::WarpBarrier { mask };
        }
        let weights = OPERATIONS.map(|(_, weight)| weight);
        let (op, _) = OPERATIONS[self.pick(&weights)];
        let to = self.variable();
        let value = self.value(context, 1);
        let lanes = self.lanes();
        let width = [self.program.warp_size, lanes, lanes.div_ceil(2)][self.pick(&[6, 2, 3])];
        let by = match op {
            WarpOp::Shuffle => self.source(context, lanes),
            WarpOp::ShuffleXor => Value::Constant([1, lanes / 2, lanes + 1, 0][self.pick(&[6, 3, 1, 1])]),
            _ => self.distance(context),
        };
        // Without a mask it is a function of the lanes that happen to be active.
        let mask = (op != WarpOp::ActiveMask && !self.one_in(24)).then_some(mask);
        Statement::Exchange { to, op, mask, value, by, width }
    }

    fn source(&mut self, context: &Context, lanes: u32) -> Value {
        match self.pick(&[6, 3, 2, 1, 1]) {
            0 => Value::Constant(self.below(lanes)),
            1 => Value::Lane.with(Operator::Add, 1).with(Operator::And, lanes - 1),
            2 => Value::Lane.with(Operator::Xor, 1),
            3 => Value::Parameter,
            _ => self.value(context, 1),
        }
    }

    fn distance(&mut self, context: &Context) -> Value {
        let around = context.loops.last().copied();
        match self.pick(&[6, 2 * u32::from(around.is_some()), 1, 1]) {
            0 => Value::Constant(1 + self.below(2)),
            1 => around.map_or(Value::Constant(1), |around| Value::Counter(around.number)),
            2 => Value::Parameter,
            _ => self.value(context, 0).with(Operator::And, 7),
        }
    }

    /// Writes a cell, synchronises the lanes, and accesses another cell; or synchronises only the
    /// lanes of a vote.
    pub(super) fn of_warps(&mut self, context: &Context) -> Vec<Statement> {
        let mask = self.mask(context);
        if self.one_in(3) {
            return self.of_voters(context, mask);
        }
        let mut body = vec![self.store(context)];
        if !self.one_in(6) {
            body.push(Statement::WarpBarrier { mask });
        }
        body.push(if self.one_in(2) { self.load(context) } else { self.store(context) });
        body
    }

    fn of_voters(&mut self, context: &Context, mask: Value) -> Vec<Statement> {
        let to = self.variable();
        let (condition, _) = self.condition(context);
        let [one, none] = [1, 0].map(Value::Constant);
        let value = Value::Select(Box::new(condition.clone()), Box::new(one), Box::new(none));
        let by = Value::Constant(0);
        let width = self.program.warp_size;
        let vote = Statement::Exchange { to, op: WarpOp::Ballot, mask: Some(mask), value, by, width };
        let inside = Context {
            depth: context.depth + 1,
            is_uniform: false,
            in_branch: true,
            lanes: Some(Value::Variable(to)),
            ..context.clone()
        };
        let then = self.statements(&inside, 3);
        vec![vote, Statement::If { condition, then, otherwise: Vec::new() }]
    }

    /// A condition that some lanes of each warp meet, and the mask that names them.
    pub(super) fn condition_of_lanes(&mut self, context: &Context) -> Option<(Condition, Value)> {
        if !self.has_warps() || context.lanes.is_some() || self.one_in(2) {
            return None;
        }
        let lanes = self.lanes();
        let compared = |relation, a: Value, b: u32| Condition::Compare(relation, a, Value::Constant(b));
        let number = self.below(lanes);
        let (condition, mask) = match self.pick(&[4, 3, 3, 1]) {
            0 => (compared(Relation::Less, Value::Lane, number + 1), ones(number + 1)),
            1 => (compared(Relation::Equal, Value::Lane, number), 1 << number),
            2 => {
                (compared(Relation::Equal, Value::Lane.with(Operator::And, 1), number & 1), 0x5555_5555 << (number & 1))
            }
            _ => {
                let warp = self.local_id().with(Operator::Divide, self.program.warp_size);
                (compared(Relation::Equal, warp, 0), u32::MAX)
            }
        };
        Some((condition, Value::Constant(mask)))
    }

    /// An index by lane and warp.
    pub(super) fn index_by_lane(&mut self, array: usize) -> Option<Index> {
        if !self.has_warps() || self.one_in(2) {
            return None;
        }
        let data = self.program.arrays[array];
        let (me, all) = if data.is_local { (self.local_id(), self.group) } else { (self.global_id(), self.threads) };
        let (lanes, by) = (self.lanes(), self.below(3));
        let warp = self.program.warp_size;
        let (value, below) = match self.pick(&[5, 4, 2, 3, 1, 2]) {
            0 => {
                let other = Value::Lane.with(Operator::Add, by).with(Operator::And, lanes - 1);
                let start = Value::binary(Operator::Subtract, me, Value::Lane);
                (Value::binary(Operator::Add, start, other), all + lanes)
            }
            1 => (me.with(Operator::Xor, 1), all.next_multiple_of(2)),
            2 => (me.with(Operator::Xor, lanes / 2), all + lanes),
            3 => (me.with(Operator::Divide, warp), all.div_ceil(warp)),
            4 => (Value::Lane, lanes),
            _ => {
                let lane = Value::Variable(self.variable()).with(Operator::And, lanes - 1);
                let start = Value::binary(Operator::Subtract, me, Value::Lane);
                (Value::binary(Operator::Add, start, lane), all + lanes)
            }
        };
        if data.is_local && below > data.cells {
            return Some(Index { value: value.with(Operator::Remainder, data.cells), below: data.cells });
        }
        Some(Index { value, below })
    }
}

/// The lowest lanes, this many of them.
fn ones(lanes: u32) -> u32 {
    if lanes >= 32 { u32::MAX } else { (1 << lanes) - 1 }
}
