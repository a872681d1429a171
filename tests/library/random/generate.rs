//! Draws random programs, well-formed by construction.
//!
//! Indices and conditions are drawn from patterns of real kernels (a cell of one's own, a
//! neighbour's, a tile's, a tree of sums). So a good part of the programs is free of races, and the
//! others are nearly so.

use std::collections::BTreeSet;

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::judge::DEFAULT_WARP_SIZE;
use super::program::{
    Arithmetic, Array, AtomicOperation, Condition, Form, Library, Operator, Place, Program, Relation, Statement, Value,
};
use super::source::Dialect;
use super::vocabulary::Vocabulary;

#[path = "generate/copies.rs"]
mod copies;
#[path = "generate/named_barriers.rs"]
mod named_barriers;
#[path = "generate/own_copies.rs"]
mod own_copies;
#[path = "generate/rows.rs"]
mod rows;
#[path = "generate/signals.rs"]
mod signals;
#[path = "generate/tickets.rs"]
mod tickets;
#[path = "generate/warps.rs"]
mod warps;

/// Sizes of a group and of the launch.
type Sizes = [([u32; 2], [u32; 2])];

/// The most bits of all inputs together, whose values are all tried.
const INPUT_BITS: u32 = 9;
/// The same if the order of atomic operations matters: all orders are tried, too.
const INPUT_BITS_WITH_ORDERS: u32 = 4;
/// The most atomic operations of all threads together whose results are used.
const MOST_ORDERED: u32 = 6;
/// The most unknown values of all threads together.
const MOST_CHOICES: u32 = 6;
/// The parameter's share of the bits.
const PARAMETER_BITS: u32 = 2;

/// The program of this number.
pub fn program(seed: u64) -> Program {
    Generator::new(seed, None).program()
}

/// The program of this number, with only this vocabulary besides the common one.
pub fn program_of(vocabulary: Vocabulary, seed: u64) -> Program {
    Generator::new(seed, Some(BTreeSet::from([vocabulary]))).program()
}

/// The program of this number whose threads signal each other, without mistakes.
pub fn right_signals(seed: u64) -> Program {
    Generator::new(seed, Some(BTreeSet::from([Vocabulary::Signals]))).program_of_signals(false)
}

/// The vocabularies of the program of this number, besides the common one.
pub fn vocabulary(seed: u64) -> BTreeSet<Vocabulary> {
    Vocabulary::draw(&mut Pcg64Mcg::seed_from_u64(seed))
}

/// The sizes of launches for a vocabulary.
fn sizes(vocabulary: &BTreeSet<Vocabulary>, has_orders: bool) -> &'static Sizes {
    let has = |which: Vocabulary| vocabulary.contains(&which);
    if has(Vocabulary::NamedBarriers) {
        return named_barriers::sizes(has_orders || has(Vocabulary::Tickets) || has(Vocabulary::Calls));
    }
    if has(Vocabulary::Signals) {
        return signals::SIZES;
    }
    if has(Vocabulary::Tickets) {
        return &[([2, 1], [2, 1]), ([3, 1], [1, 1]), ([4, 1], [1, 1]), ([5, 1], [1, 1]), ([2, 1], [1, 1])];
    }
    if has_orders {
        return &[([2, 1], [2, 1]), ([3, 1], [1, 1]), ([2, 1], [1, 1]), ([4, 1], [1, 1])];
    }
    if has(Vocabulary::Libraries) {
        return &[([4, 1], [1, 1]), ([2, 1], [2, 1]), ([2, 1], [1, 1]), ([4, 1], [1, 1])];
    }
    if has(Vocabulary::Calls) {
        return &[([2, 1], [2, 1]), ([2, 1], [1, 1]), ([3, 1], [1, 1]), ([4, 1], [1, 1]), ([2, 2], [1, 1])];
    }
    if has(Vocabulary::Warps) {
        return &[
            ([4, 1], [1, 1]),
            ([4, 1], [2, 1]),
            ([8, 1], [1, 1]),
            ([2, 1], [2, 1]),
            ([3, 1], [1, 1]),
            ([6, 1], [1, 1]),
            ([2, 2], [1, 1]),
            ([4, 2], [1, 1]),
        ];
    }
    if has(Vocabulary::Rows) {
        return &[
            ([2, 2], [2, 1]),
            ([2, 2], [1, 2]),
            ([2, 2], [1, 1]),
            ([4, 2], [1, 1]),
            ([2, 1], [2, 1]),
            ([4, 1], [1, 1]),
        ];
    }
    &[
        ([2, 1], [2, 1]),
        ([2, 1], [3, 1]),
        ([3, 1], [2, 1]),
        ([4, 1], [2, 1]),
        ([4, 1], [1, 1]),
        ([2, 2], [2, 1]),
        ([2, 2], [1, 1]),
        ([2, 1], [1, 1]),
    ]
}

/// The bound of an index of which nothing is known.
const ANYWHERE: u32 = u32::MAX;

/// An index, and its exclusive upper bound.
struct Index {
    value: Value,
    below: u32,
}

/// A loop around a statement.
#[derive(Clone, Copy)]
struct Around {
    number: usize,
    /// The exclusive upper bound of its counter.
    below: u32,
}

/// The context of a statement.
#[derive(Clone, Default)]
struct Context {
    depth: u32,
    /// Whether the code shows that all threads of a group come here together.
    is_uniform: bool,
    loops: Vec<Around>,
    in_branch: bool,
    /// The lanes that come here, if an enclosing branch says so.
    lanes: Option<Value>,
}

struct Generator {
    random: Pcg64Mcg,
    program: Program,
    threads: u32,
    group: u32,
    bits_left: u32,
    ordered_left: u32,
    calls_left: u32,
    /// The number of arrays besides counters, which come last.
    plain: usize,
    /// The number of statements that may follow.
    left: u32,
    /// The next number of a named barrier.
    number: u32,
}

impl Generator {
    fn new(seed: u64, vocabulary: Option<BTreeSet<Vocabulary>>) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let drawn = Vocabulary::draw(&mut random);
        let vocabulary = vocabulary.unwrap_or(drawn);
        let has = |which: Vocabulary| vocabulary.contains(&which);
        let has_orders = has(Vocabulary::Tickets) || (!has(Vocabulary::Libraries) && random.random_ratio(1, 6));
        let sizes = sizes(&vocabulary, has_orders);
        let (local_size, num_groups) = sizes[random.random_range(0..sizes.len())];
        let group = local_size[0] * local_size[1];
        let threads = group * num_groups[0] * num_groups[1];
        let warp_size = if has(Vocabulary::NamedBarriers) {
            named_barriers::warp_size(&mut random, group)
        } else if has(Vocabulary::Warps) {
            [2, 4, 4, DEFAULT_WARP_SIZE][random.random_range(0..4)]
        } else {
            DEFAULT_WARP_SIZE
        };
        let width = has(Vocabulary::Rows).then(|| rows::width(&mut random));
        let calls = if has(Vocabulary::Calls) && has_orders { 1 } else { (MOST_CHOICES / threads).min(3) };
        let program = Program {
            local_size,
            num_groups,
            warp_size,
            prefers_cuda: has(Vocabulary::Signals) && random.random_ratio(3, 4),
            arrays: Vec::new(),
            variables: if has(Vocabulary::Signals) { signals::VARIABLES } else { random.random_range(1..=3) },
            events: if has(Vocabulary::Copies) { random.random_range(1..=2) } else { 0 },
            width,
            calls: if has(Vocabulary::Calls) || has(Vocabulary::Libraries) { calls } else { 0 },
            loops: 0,
            body: Vec::new(),
            vocabulary,
        };
        // The other inputs.
        let of_width = if program.width.is_some() { 3 } else { 0 };
        let taken = program.calls * threads + of_width + u32::from(program.has(Vocabulary::Tickets));
        let bits = if has_orders { INPUT_BITS_WITH_ORDERS } else { INPUT_BITS };
        Self {
            threads,
            group,
            calls_left: program.calls,
            plain: 0,
            bits_left: (bits - PARAMETER_BITS).saturating_sub(taken).max(1),
            ordered_left: if has_orders { MOST_ORDERED } else { 0 },
            left: if program.has(Vocabulary::Signals) {
                0
            } else if program.has(Vocabulary::NamedBarriers) {
                random.random_range(0..=4)
            } else {
                random.random_range(3..=11)
            },
            number: 1,
            program,
            random,
        }
    }

    fn program(mut self) -> Program {
        if self.program.has(Vocabulary::Signals) {
            return self.program_of_signals(true);
        }
        for _ in 0..self.random.random_range(1..=2) {
            self.program.arrays.push(Array { is_local: false, cells: 0, counter: None, signals: false });
        }
        // Warps hand local arrays to each other.
        let none = if self.program.has(Vocabulary::NamedBarriers) { 0 } else { 4 };
        for _ in 0..self.pick(&[none, 4, 1]) {
            let cells = [self.group, 2 * self.group, 4][self.pick(&[4, 3, 1])].max(self.group);
            self.program.arrays.push(Array { is_local: true, cells, counter: None, signals: false });
        }
        self.plain = self.program.arrays.len();
        if self.program.has(Vocabulary::Tickets) {
            self.add_counters();
        }
        let context = Context { is_uniform: true, ..Context::default() };
        let mut body = self.filled();
        if self.program.has(Vocabulary::NamedBarriers) {
            body.extend(self.of_named_barriers(&context).unwrap_or_default());
        }
        while self.left > 0 {
            self.add(&context, &mut body);
        }
        Program { body, ..self.program }
    }

    // --- Chance ----------------------------------------------------------------------------------

    /// The index of a choice among these weights.
    fn pick(&mut self, weights: &[u32]) -> usize {
        let mut at = self.random.random_range(0..weights.iter().sum());
        weights
            .iter()
            .position(|weight| {
                at.checked_sub(*weight).is_none_or(|rest| {
                    at = rest;
                    false
                })
            })
            .unwrap_or(0)
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.random.random_range(0..bound.max(1))
    }

    fn one_in(&mut self, times: u32) -> bool {
        self.random.random_ratio(1, times)
    }

    fn variable(&mut self) -> usize {
        self.random.random_range(0..self.program.variables)
    }

    // --- Statements ------------------------------------------------------------------------------

    /// Fills local arrays, mostly with a barrier afterwards.
    fn filled(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        for array in 0..self.plain {
            if !self.program.arrays[array].is_local
                || self.is_filled_by_copy(array, &mut body)
                || self.is_filled_by_own_copies(array, &mut body)
            {
                continue;
            }
            for start in (0..self.program.arrays[array].cells).step_by(usize::try_from(self.group).expect("small")) {
                let index = self.local_id().with(Operator::Add, start);
                let place = word(array, index.with(Operator::Remainder, self.program.arrays[array].cells));
                let value = self.value(&Context::default(), 1);
                body.push(Statement::Store { place, value });
            }
        }
        self.start_counters(&mut body);
        if !body.is_empty() && !self.one_in(8) {
            body.push(Statement::Barrier { local: true, global: self.is_cuda() });
        }
        body
    }

    fn is_cuda(&self) -> bool {
        Dialect::of(&self.program) == Dialect::Cuda
    }

    /// Adds one statement, or a few that belong together.
    fn add(&mut self, context: &Context, body: &mut Vec<Statement>) {
        let added = if self.one_in(4) { self.of_vocabulary(context) } else { None };
        if let Some(added) = added {
            body.extend(added);
        } else {
            let statement = self.statement(context);
            body.push(statement);
        }
    }

    /// Statements that belong together, from the program's vocabulary besides the common one.
    fn of_vocabulary(&mut self, context: &Context) -> Option<Vec<Statement>> {
        let all: Vec<Vocabulary> = self.program.vocabulary.iter().copied().collect();
        let chosen = *all.get(self.random.random_range(0..all.len().max(1)))?;
        self.left = self.left.saturating_sub(1);
        match chosen {
            Vocabulary::Warps => Some(self.of_warps(context)),
            Vocabulary::Copies => self.of_copies(context),
            Vocabulary::OwnCopies => self.of_own_copies(context),
            Vocabulary::NamedBarriers => self.of_named_barriers(context),
            Vocabulary::Rows => Some(self.of_rows(context)),
            Vocabulary::Tickets => self.of_tickets(context),
            Vocabulary::Libraries => self.of_libraries(context),
            Vocabulary::Calls => self.of_calls(context),
            // Any access may be one; those who signal do nothing else.
            Vocabulary::Components | Vocabulary::Signals => None,
        }
    }

    /// Statements that depend on the result of a function without a body.
    fn of_calls(&mut self, context: &Context) -> Option<Vec<Statement>> {
        if self.calls_left == 0 || !context.loops.is_empty() {
            return None;
        }
        let call = self.call();
        let Statement::Call { to, .. } = call else { return None };
        let given = Value::Variable(to);
        if self.one_in(3) {
            let condition = Condition::Compare(Relation::Equal, given, Value::Constant(self.below(2)));
            let inside = Context { depth: context.depth + 1, is_uniform: false, in_branch: true, ..context.clone() };
            let then = self.statements(&inside, 2);
            return Some(vec![call, Statement::If { condition, then, otherwise: Vec::new() }]);
        }
        let array = self.random.random_range(0..self.plain);
        let data = self.program.arrays[array];
        let (me, all) = if data.is_local { (self.local_id(), self.group) } else { (self.global_id(), self.threads) };
        let by = [1, all][self.pick(&[2, 1])];
        let index = Value::binary(Operator::Add, me, given.with(Operator::Multiply, by));
        let index = if data.is_local { index.with(Operator::Remainder, data.cells) } else { index };
        let store = Statement::Store { place: word(array, index), value: self.value(context, 1) };
        Some(vec![call, store])
    }

    fn call(&mut self) -> Statement {
        self.calls_left -= 1;
        Statement::Call { to: self.variable(), through_pointer: self.one_in(3) }
    }

    /// A call of a function of a library, mostly between two accesses that it does not order.
    fn of_libraries(&mut self, context: &Context) -> Option<Vec<Statement>> {
        if !context.loops.is_empty() || !(context.is_uniform || self.one_in(8)) {
            return None;
        }
        let tile = [2, self.group][self.pick(&[1, 1])];
        let of_one = u32::from(self.calls_left > 0);
        let function = match self.pick(&[3 * of_one, 3, 3 * of_one, 2, 2]) {
            0 => Library::BlockSum,
            1 => Library::BlockScan,
            2 => Library::WarpSum,
            3 => Library::TileSum(tile),
            _ => Library::TileFirst(tile),
        };
        self.calls_left -= u32::from(matches!(function, Library::BlockSum | Library::WarpSum));
        let mut body = if self.one_in(2) { vec![self.store(context)] } else { Vec::new() };
        body.push(Statement::Library { to: self.variable(), function, value: self.value(context, 1) });
        if self.one_in(2) {
            body.push(self.load(context));
        }
        Some(body)
    }

    fn statements(&mut self, context: &Context, most: u32) -> Vec<Statement> {
        let count = 1 + self.below(most);
        let mut body = Vec::new();
        for _ in 0..count {
            self.add(context, &mut body);
        }
        body
    }

    fn statement(&mut self, context: &Context) -> Statement {
        self.left = self.left.saturating_sub(1);
        let nests = u32::from(context.depth < 3);
        let in_loop = u32::from(!context.loops.is_empty() && context.in_branch);
        let weights = [
            24,
            16,
            8,
            if context.is_uniform { 20 } else { 1 },
            14 * nests,
            10 * nests * u32::from(context.loops.len() < 2),
            6,
            2 * in_loop,
            2 * in_loop,
            u32::from(context.in_branch),
            24 * u32::from(self.program.has(Vocabulary::Warps)),
            14 * u32::from(self.program.has(Vocabulary::Calls) && self.calls_left > 0 && context.loops.is_empty()),
            16 * u32::from(self.can_draw(context)),
        ];
        match self.pick(&weights) {
            0 => self.store(context),
            1 => self.load(context),
            2 => {
                let to = self.variable();
                Statement::Assign(to, self.value(context, 2))
            }
            // CUDA has one barrier, for all memory.
            3 if self.is_cuda() => Statement::Barrier { local: true, global: true },
            3 => [(true, false), (false, true), (true, true)]
                .map(|(local, global)| Statement::Barrier { local, global })[self.pick(&[2, 2, 5])]
            .clone(),
            4 => self.branch(context),
            5 => self.repeat(context),
            6 => self.atomic(context),
            7 => Statement::Break,
            8 => Statement::Continue,
            9 => Statement::Return,
            10 => self.of_warp(context),
            11 => self.call(),
            _ => self.draw(context),
        }
    }

    fn store(&mut self, context: &Context) -> Statement {
        let (place, _) = self.place(context);
        Statement::Store { place, value: self.value(context, 1) }
    }

    fn load(&mut self, context: &Context) -> Statement {
        let (mut place, below) = self.place(context);
        let to = self.variable();
        let array = self.program.arrays[place.array];
        if array.is_local {
            // Copied values are known except for the lowest bit of each cell, which is an input.
            place.byte = if self.program.copies() { 0 } else { place.byte };
        } else if below == ANYWHERE {
            return Statement::Load { to, place, mask: 0 };
        } else {
            // The lowest bit of the cell is the input.
            place.byte = 0;
            let more = below.saturating_sub(array.cells);
            if more <= self.bits_left {
                self.bits_left -= more;
                self.program.arrays[place.array].cells = array.cells.max(below);
            } else if !self.reads(&mut place, 4) {
                return Statement::Assign(to, self.value(context, 2));
            }
        }
        Statement::Load { to, place, mask: 1 }
    }

    fn branch(&mut self, context: &Context) -> Statement {
        let (condition, is_uniform, lanes) = if let Some((condition, lanes)) = self.condition_of_lanes(context) {
            (condition, false, Some(lanes))
        } else {
            let (condition, is_uniform) = self.condition(context);
            (condition, is_uniform, None)
        };
        let inside = Context {
            depth: context.depth + 1,
            is_uniform: context.is_uniform && is_uniform,
            in_branch: true,
            lanes: lanes.or_else(|| context.lanes.clone()),
            ..context.clone()
        };
        let then = self.statements(&inside, 3);
        let otherwise = if self.one_in(3) { self.statements(&inside, 2) } else { Vec::new() };
        Statement::If { condition, then, otherwise }
    }

    fn repeat(&mut self, context: &Context) -> Statement {
        let number = self.program.loops;
        self.program.loops += 1;
        let (form, below, is_uniform) = match self.pick(&[6, 2, 2]) {
            0 => {
                let (bound, is_uniform) = match self.pick(&[4, 3, 2]) {
                    0 => (Value::Constant(1 + self.below(3)), true),
                    1 => (Value::Parameter, true),
                    _ => (self.value(context, 1), false),
                };
                (Form::Up { from: self.below(2), step: 1 + self.below(2), bound }, 3, is_uniform)
            }
            1 => {
                let from = [self.group / 2, 2, 4][self.pick(&[3, 1, 1])].max(1);
                (Form::Halving { from }, from + 1, true)
            }
            _ => {
                let to = [self.group, 4][self.pick(&[3, 1])];
                (Form::Doubling { to }, to, true)
            }
        };
        let is_checked_last = self.one_in(6);
        // If the end is checked after the body, the counter may equal its bound.
        let around = Around { number, below: below + u32::from(is_checked_last) };
        let mut inside = Context {
            depth: context.depth + 1,
            is_uniform: context.is_uniform && is_uniform,
            in_branch: false,
            ..context.clone()
        };
        inside.loops.push(around);
        let mut body = if matches!(form, Form::Halving { .. }) && self.one_in(2) {
            self.sum(&inside).unwrap_or_default()
        } else {
            Vec::new()
        };
        if body.is_empty() || self.one_in(3) {
            body.extend(self.statements(&inside, 3));
        }
        Statement::Loop { number, form, is_checked_last, body }
    }

    /// A step of a tree of sums in local memory, with its barrier or without.
    fn sum(&mut self, context: &Context) -> Option<Vec<Statement>> {
        let around = *context.loops.last()?;
        let array = (0..self.plain).find(|&array| {
            let data = self.program.arrays[array];
            data.is_local && data.cells >= 2 * self.group.div_ceil(2).max(around.below - 1)
        })?;
        let me = self.local_id();
        let by = Value::Counter(around.number);
        let cell = |index: Value| word(array, index);
        let to = self.variable();
        let other = cell(Value::binary(Operator::Add, me.clone(), by.clone()));
        let then = vec![
            Statement::Load { to, place: other, mask: 1 },
            Statement::Store { place: cell(me.clone()), value: Value::Variable(to) },
        ];
        let condition = Condition::Compare(Relation::Less, me, by);
        let mut body = vec![Statement::If { condition, then, otherwise: Vec::new() }];
        if !self.one_in(5) {
            body.push(Statement::Barrier { local: true, global: self.is_cuda() });
        }
        Some(body)
    }

    fn atomic(&mut self, context: &Context) -> Statement {
        let array = self.random.random_range(0..self.plain);
        let index = if self.program.arrays[array].is_local {
            self.local_index(context, array).value
        } else {
            match self.pick(&[2, 3, 2]) {
                0 => Value::Constant(self.below(2)),
                1 => self.value(context, 1).with(Operator::And, 1),
                _ => self.global_index(context).value,
            }
        };
        // Masked bits of other cells depend on more than a bit of an array's initial contents.
        let of_words = 2 * u32::from(self.program.arrays[array].is_local && !self.program.copies());
        let operation = [
            AtomicOperation::Add,
            AtomicOperation::Or,
            AtomicOperation::Exchange,
            AtomicOperation::Maximum,
            AtomicOperation::CompareExchange,
        ][self.pick(&[5, 2, 2, of_words, of_words])];
        let mut place = word(array, index);
        let operand = self.value(context, 1).with(Operator::And, 1);
        let is_used = self.ordered_left >= self.threads && context.loops.is_empty() && !self.one_in(4);
        let is_used = is_used && (self.program.arrays[array].is_local || self.reads(&mut place, 2));
        let to = is_used.then(|| (self.variable(), 1));
        self.ordered_left -= u32::from(is_used) * self.threads;
        Statement::Atomic { operation, place, operand, to }
    }

    /// Makes a place of a global array one of the cells that have a bit as input, and returns
    /// whether there are any.
    ///
    /// There are at most `most` (a power of two), fewer if not enough bits are left.
    fn reads(&mut self, place: &mut Place, most: u32) -> bool {
        let known = self.program.arrays[place.array].cells;
        let more = |cells: u32| cells.saturating_sub(known);
        let mut cells = most;
        while cells > 0 && more(cells) > self.bits_left {
            cells /= 2;
        }
        if cells == 0 {
            return false;
        }
        self.bits_left -= more(cells);
        self.program.arrays[place.array].cells = known.max(cells);
        place.index = place.index.clone().with(Operator::And, cells - 1);
        true
    }

    // --- Places ----------------------------------------------------------------------------------

    /// A place, and the bound of its index.
    fn place(&mut self, context: &Context) -> (Place, u32) {
        let array = self.random.random_range(0..self.plain);
        let is_local = self.program.arrays[array].is_local;
        if let Some(row) = self.row(context).filter(|_| !is_local) {
            let arithmetic = [Arithmetic::Unsigned, Arithmetic::Wide, Arithmetic::Signed][self.pick(&[3, 2, 3])];
            return (Place { arithmetic, ..word(array, row) }, ANYWHERE);
        }
        let special = self.index_by_lane(array).or_else(|| self.index_by_ticket(array));
        let index = match special {
            Some(index) => index,
            None if is_local => self.local_index(context, array),
            None => self.global_index(context),
        };
        let of_words = if self.program.has(Vocabulary::Components) { 2 } else { 12 };
        let bytes = [4, 1, 2][self.pick(&[of_words, 1, 1])];
        let byte = bytes * u8::try_from(self.below(u32::from(4 / bytes))).expect("small");
        (Place { bytes, byte, ..word(array, index.value) }, index.below)
    }

    fn local_id(&self) -> Value {
        linear(self.program.local_size[0], self.program.local_size[1], Value::LocalId)
    }

    fn global_id(&self) -> Value {
        let [width, height] = [0, 1].map(|at| self.program.local_size[at] * self.program.num_groups[at]);
        linear(width, height, Value::GlobalId)
    }

    fn global_index(&mut self, context: &Context) -> Index {
        let (me, all) = (self.global_id(), self.threads);
        let groups = self.program.num_groups[0];
        let around = context.loops.last().copied();
        let in_loop = u32::from(around.is_some());
        let counter = around.map_or(Value::Constant(0), |around| Value::Counter(around.number));
        let most = around.map_or(1, |around| around.below);
        let by = self.below(3);
        let (value, below) = match self.pick(&[16, 5, 6 * in_loop, 4, 4, 2, 3, 4, 1, 3 * in_loop, 2, 2, 2]) {
            0 => (me, all),
            1 => (me.with(Operator::Add, all * by), all * (by + 1)),
            2 => (Value::binary(Operator::Add, me, counter.with(Operator::Multiply, all)), all * most),
            3 => (me.with(Operator::Multiply, 2).with(Operator::Add, by % 2), 2 * all),
            4 => (me.with(Operator::Add, by).with(Operator::Remainder, all), all),
            5 => (Value::binary(Operator::Subtract, Value::Constant(all - 1), me), all),
            6 => (Value::GroupId(0), groups),
            7 => (self.value(context, 2).with(Operator::And, 3), 4),
            8 => (Value::Constant(by), by + 1),
            9 => (counter, most),
            10 => {
                let start = Value::GroupId(0).with(Operator::Multiply, self.group);
                let inside = self.local_id().with(Operator::Add, by).with(Operator::Remainder, self.group);
                (Value::binary(Operator::Add, start, inside), groups * self.group)
            }
            11 => {
                let bit = Value::Variable(self.variable()).with(Operator::And, 1);
                (Value::binary(Operator::Add, me, bit), all + 1)
            }
            _ => (me.with(Operator::Xor, 1), all.next_multiple_of(2)),
        };
        Index { value, below }
    }

    fn local_index(&mut self, context: &Context, array: usize) -> Index {
        let (me, all, cells) = (self.local_id(), self.group, self.program.arrays[array].cells);
        let around = context.loops.last().copied();
        let counter = around.map_or(Value::Constant(0), |around| Value::Counter(around.number));
        let most = around.map_or(1, |around| around.below);
        let fits = |below: u32| u32::from(below <= cells);
        let in_loop = u32::from(around.is_some());
        let by = self.below(3);
        let weights = [
            16,
            6,
            4,
            5 * fits(2 * all),
            6 * in_loop * fits(most),
            6,
            2,
            4 * in_loop,
            2 * u32::from(all % 2 == 0),
            4 * fits(2 * all),
        ];
        let value = match self.pick(&weights) {
            0 => me,
            1 => me.with(Operator::Add, by).with(Operator::Remainder, all),
            2 => Value::binary(Operator::Subtract, Value::Constant(all - 1), me),
            3 => me.with(Operator::Add, all),
            4 => counter,
            5 => self.value(context, 2).with(Operator::Remainder, cells),
            6 => Value::Constant(by % cells),
            7 => {
                let value = Value::binary(Operator::Add, me, counter);
                // Once in a while it leaves the array.
                let is_kept = all + most > cells + 1 && !self.one_in(12);
                if is_kept { value.with(Operator::Remainder, cells) } else { value }
            }
            8 => me.with(Operator::Xor, 1),
            _ => me.with(Operator::Multiply, 2).with(Operator::Add, by % 2),
        };
        Index { value, below: cells }
    }

    // --- Numbers ---------------------------------------------------------------------------------

    fn value(&mut self, context: &Context, depth: u32) -> Value {
        let around = context.loops.last().copied();
        let deeper = u32::from(depth > 0);
        let lane = 4 * u32::from(self.program.has(Vocabulary::Warps));
        let width = 2 * u32::from(self.program.width.is_some());
        match self.pick(&[6, 5, 4, 2, 2, 2, 4 * u32::from(around.is_some()), 7 * deeper, deeper, lane, width]) {
            0 => Value::Variable(self.variable()),
            1 => Value::Constant(self.below(5)),
            2 => self.local_id(),
            3 => self.global_id(),
            4 => Value::GroupId(0),
            5 => Value::Parameter,
            6 => around.map_or(Value::Parameter, |around| Value::Counter(around.number)),
            7 => self.operation(context, depth - 1),
            8 => {
                let (condition, _) = self.condition(context);
                let (a, b) = (self.value(context, depth - 1), self.value(context, depth - 1));
                Value::Select(Box::new(condition), Box::new(a), Box::new(b))
            }
            9 => Value::Lane,
            _ => Value::Width,
        }
    }

    /// A condition from the program's vocabulary besides the common one.
    fn condition_of_vocabulary(&mut self, context: &Context) -> Option<Condition> {
        let by = self.below(3);
        if self.program.width.is_some() && self.one_in(3) {
            let less = [Relation::Less, Relation::SignedLess][self.pick(&[3, 1])];
            let column = self.part_of_row(context).with(Operator::Add, by);
            return Some(Condition::Compare(less, column, self.radix()));
        }
        if self.program.has(Vocabulary::Tickets) && self.one_in(4) {
            let ticket = Value::Variable(self.variable());
            let step = self.program.arrays.last()?.counter?.step;
            let number = Value::Constant(step.wrapping_mul(self.below(self.threads)));
            return Some(Condition::Compare(Relation::Equal, ticket, number));
        }
        None
    }

    fn operation(&mut self, context: &Context, depth: u32) -> Value {
        let a = self.value(context, depth);
        let operators = [
            Operator::Add,
            Operator::Subtract,
            Operator::Multiply,
            Operator::And,
            Operator::Or,
            Operator::Xor,
            Operator::ShiftLeft,
            Operator::ShiftRight,
            Operator::Divide,
            Operator::Remainder,
        ];
        let operator = operators[self.pick(&[6, 3, 3, 3, 1, 2, 2, 2, 2, 3])];
        let b = match operator {
            Operator::ShiftLeft | Operator::ShiftRight => Value::Constant(1 + self.below(2)),
            Operator::Divide | Operator::Remainder => Value::Constant(2 + self.below(3)),
            _ => self.value(context, depth),
        };
        Value::binary(operator, a, b)
    }

    /// A condition, and whether the code shows that it is the same for all threads of a group.
    fn condition(&mut self, context: &Context) -> (Condition, bool) {
        let around = context.loops.last().copied();
        let in_loop = u32::from(around.is_some());
        let number = Value::Constant(self.below(4));
        let counter = around.map_or(Value::Parameter, |around| Value::Counter(around.number));
        let relation = [Relation::Equal, Relation::NotEqual, Relation::Less, Relation::LessEqual, Relation::SignedLess]
            [self.pick(&[5, 2, 5, 2, 2])];
        let compared = |a: Value, b: Value| Condition::Compare(relation, a, b);
        if let Some(condition) = self.condition_of_vocabulary(context) {
            return (condition, false);
        }
        match self.pick(&[8, 4, 5, 5, 3, 4 * in_loop, 4 * in_loop, 4, 1]) {
            0 => (compared(self.local_id(), number), false),
            1 => (compared(self.global_id(), number), false),
            2 => {
                let bit = Value::Variable(self.variable()).with(Operator::And, 1);
                (Condition::Compare(Relation::Equal, bit, Value::Constant(self.below(2))), false)
            }
            3 => (compared(Value::Parameter, number), true),
            4 => (compared(Value::GroupId(0), number), true),
            5 => (compared(counter, number), context.is_uniform),
            6 => (compared(self.local_id(), counter), false),
            7 => (compared(self.value(context, 1), self.value(context, 1)), false),
            _ => {
                let ((a, first), (b, second)) = (self.condition(context), self.condition(context));
                let (a, b) = (Box::new(a), Box::new(b));
                (if self.one_in(2) { Condition::And(a, b) } else { Condition::Or(a, b) }, first && second)
            }
        }
    }
}

/// A cell of an array.
fn word(array: usize, index: Value) -> Place {
    Place { array, index, arithmetic: Arithmetic::default(), bytes: 4, byte: 0 }
}

/// A thread's number from its index in two dimensions.
fn linear(width: u32, height: u32, id: fn(u8) -> Value) -> Value {
    if height == 1 {
        return id(0);
    }
    Value::binary(Operator::Add, id(1).with(Operator::Multiply, width), id(0))
}

/// A seed for each of many programs.
pub fn seeds(first: u64) -> impl Iterator<Item = u64> {
    let mut random = Pcg64Mcg::seed_from_u64(first);
    std::iter::repeat_with(move || random.next_u64())
}
