//! Barriers of some of a group's warps: warps that hand parts of a local array to each other.
//!
//! The patterns are right, and about half of them then get a mistake or two.

use rand::{Rng, RngExt};

use super::super::program::{Condition, Form, Operator, Place, Relation, Statement, Value};
use super::{Around, Context, Generator, Sizes, word};

/// The sizes of launches; there are fewer threads if orders or unknown values are tried, too.
pub(super) fn sizes(has_few_threads: bool) -> &'static Sizes {
    if has_few_threads {
        return &[([4, 1], [1, 1]), ([4, 1], [1, 1]), ([6, 1], [1, 1])];
    }
    &[
        ([4, 1], [1, 1]),
        ([4, 1], [2, 1]),
        ([6, 1], [1, 1]),
        ([8, 1], [1, 1]),
        ([8, 1], [1, 1]),
        ([2, 2], [1, 1]),
        ([4, 2], [1, 1]),
        ([3, 2], [1, 1]),
        ([5, 1], [1, 1]),
    ]
}

/// The size of a warp, of which a group has at least two.
pub(super) fn warp_size(random: &mut impl Rng, group: u32) -> u32 {
    if group > 4 && random.random_ratio(1, 4) { 4 } else { 2 }
}

/// Warps that do the same.
#[derive(Clone, Copy)]
struct Role {
    first: u32,
    warps: u32,
}

/// An operation on a named barrier.
fn barrier(number: Value, threads: u32, waits: bool) -> Statement {
    Statement::NamedBarrier { number, threads: Some(threads), waits }
}

impl Generator {
    /// Warps that order their accesses to a local array by named barriers.
    pub(super) fn of_named_barriers(&mut self, context: &Context) -> Option<Vec<Statement>> {
        if !context.is_uniform && !self.one_in(8) {
            return None;
        }
        let array = (0..self.plain).find(|&array| self.program.arrays[array].is_local)?;
        let mut body = match self.pick(&[4, 6, 2, 4, 1]) {
            0 => self.chain(context, array),
            1 => self.pipeline(context, array),
            2 => self.meeting(context, array),
            3 => self.crossing(context, array),
            _ => self.meeting_of_all(context, array),
        };
        if self.one_in(2) {
            self.make_mistakes(&mut body);
        }
        if context.is_uniform && self.one_in(2) {
            body.push(Statement::Barrier { local: true, global: true });
        }
        Some(body)
    }

    // --- Patterns --------------------------------------------------------------------------------

    /// Each role writes cells and hands them to the next one, once or in a loop in which the last
    /// one hands them back.
    fn chain(&mut self, context: &Context, array: usize) -> Vec<Statement> {
        let most = self.warps().min(3);
        let count = if most > 2 && self.one_in(2) { 3 } else { 2 };
        let roles = self.roles(count);
        let first = self.numbers(count);
        let around = if self.one_in(2) { Some(self.around()) } else { None };
        let inside = within(context, around);
        let mut bodies = Vec::new();
        for (position, &role) in roles.iter().enumerate() {
            let (at, last) = (u32::try_from(position).expect("few"), position + 1 == roles.len());
            let mut body = Vec::new();
            if position > 0 {
                let threads = self.threads_of(&[roles[position - 1], role]);
                body.push(barrier(Value::Constant(first + at - 1), threads, true));
                let from = self.pick(&vec![1; position]);
                body.push(self.read_of(array, roles[from], Value::Constant(0), 0));
            }
            body.extend(self.filler(&inside));
            if last {
                body.push(self.result(&inside));
            } else {
                body.push(self.own_cell(&inside, array));
                let threads = self.threads_of(&[role, roles[position + 1]]);
                body.push(barrier(Value::Constant(first + at), threads, self.one_in(4)));
            }
            bodies.push(body);
        }
        if around.is_some() || self.one_in(3) {
            let (number, ends) = (Value::Constant(first + count - 1), [roles[0], roles[roles.len() - 1]]);
            let threads = self.threads_of(&ends);
            bodies[0].push(barrier(number.clone(), threads, true));
            if around.is_none() {
                bodies[0].push(self.own_cell(&inside, array));
            }
            bodies[roles.len() - 1].push(barrier(number, threads, self.one_in(4)));
        }
        self.repeated(&roles, bodies, around, Vec::new())
    }

    /// Producers fill the buffers of a ring, and consumers empty them.
    fn pipeline(&mut self, context: &Context, array: usize) -> Vec<Statement> {
        let roles = self.roles(2);
        let [producers, consumers] = [roles[0], roles[1]];
        let threads = self.threads_of(&roles);
        let span = self.threads_of(&[producers]);
        let room = (self.program.arrays[array].cells / span).clamp(1, 3);
        let slots = 1 + self.below(room);
        let first = self.numbers(2 * slots);
        let around = self.around();
        let inside = within(context, Some(around));
        // One barrier for all buffers may be used too early.
        let full = in_turn(first, slot(around, if self.one_in(4) { 1 } else { slots }));
        let empty = in_turn(first + slots, slot(around, slots));
        let offset = slot(around, slots).with(Operator::Multiply, span);
        let index = Value::binary(Operator::Add, offset.clone(), self.local_id().with(Operator::Remainder, span));
        let mut produces = vec![Statement::Store { place: word(array, index), value: self.value(&inside, 1) }];
        produces.extend(self.filler(&inside));
        produces.push(barrier(full.clone(), threads, self.one_in(6)));
        let mut consumes = vec![barrier(full, threads, true)];
        consumes.push(self.read_of(array, Role { first: 0, warps: producers.warps }, offset, 1));
        consumes.extend(self.filler(&inside));
        if self.one_in(2) {
            consumes.push(self.result(&inside));
        }
        let behind = self.hand_back((&mut produces, &mut consumes), (empty, threads), (around, slots));
        let mut body = self.repeated(&[producers, consumers], vec![produces, consumes], Some(around), behind);
        if self.one_in(2) {
            body.push(self.result(context));
        }
        body
    }

    /// Lets the producers wait until a buffer is empty: before they fill it again, behind each
    /// round, or at a barrier of the group, which is returned. If there are few rounds, they need
    /// not wait.
    fn hand_back(
        &mut self,
        (produces, consumes): (&mut Vec<Statement>, &mut Vec<Statement>),
        (empty, threads): (Value, u32),
        (around, slots): (Around, u32),
    ) -> Vec<Statement> {
        let wait = barrier(empty.clone(), threads, true);
        let arrive = barrier(empty, threads, self.one_in(6));
        let round = Value::Counter(around.number);
        let is_short = around.below <= slots;
        match self.pick(&[6, 3, 2, if is_short { 6 } else { 1 }]) {
            0 => {
                let is_used = Condition::Compare(Relation::LessEqual, Value::Constant(slots), round.clone());
                produces.insert(0, only_if(is_used, wait));
                let later = round.with(Operator::Add, slots);
                let comes_again = Condition::Compare(Relation::Less, later, bound(around));
                consumes.push(only_if(comes_again, arrive));
            }
            1 => {
                produces.push(wait);
                consumes.push(arrive);
            }
            2 => return vec![Statement::Barrier { local: true, global: true }],
            _ => {}
        }
        Vec::new()
    }

    /// Some warps write cells, wait for each other, and read the cells.
    fn meeting(&mut self, context: &Context, array: usize) -> Vec<Statement> {
        let roles = self.roles(if self.warps() > 2 { 2 } else { 1 });
        let role = roles[self.pick(&vec![1; roles.len()])];
        let around = if self.one_in(2) { Some(self.around()) } else { None };
        let inside = within(context, around);
        let first = self.numbers(2);
        let threads = self.threads_of(&[role]);
        let mut body = vec![self.own_cell(&inside, array)];
        body.push(barrier(Value::Constant(first), threads, true));
        body.push(self.read_of(array, role, Value::Constant(0), 0));
        body.extend(self.filler(&inside));
        if around.is_some() || self.one_in(3) {
            let second = first + self.below(2);
            body.push(barrier(Value::Constant(second), threads, true));
        }
        if self.one_in(2) {
            body.push(self.result(&inside));
        }
        self.repeated(&[role], vec![body], around, Vec::new())
    }

    /// Two roles come to two barriers in the same order, or nearly, and may wait at each.
    ///
    /// There are few accesses, so that it is the barriers that go wrong.
    fn crossing(&mut self, context: &Context, array: usize) -> Vec<Statement> {
        let roles = self.roles(2);
        let (first, threads) = (self.numbers(2), self.threads_of(&roles));
        let around = if self.one_in(2) { Some(self.around()) } else { None };
        let inside = within(context, around);
        let count = 2 + self.below(3);
        let mut steps: Vec<(u32, bool)> = (0..count).map(|_| (first + self.below(2), self.one_in(2))).collect();
        let mut bodies = Vec::new();
        for &role in &roles {
            let mut body = Vec::new();
            for &(number, waits) in &steps {
                if self.one_in(4) {
                    body.push(self.own_cell(&inside, array));
                }
                body.push(barrier(Value::Constant(number), threads, waits));
                if self.one_in(4) {
                    let other = roles[usize::from(role.first == roles[0].first)];
                    body.push(self.read_of(array, other, Value::Constant(0), 0));
                }
            }
            bodies.push(body);
            for step in &mut steps {
                step.1 = !step.1 || self.one_in(3);
            }
            if self.one_in(4) {
                let at = usize::try_from(self.below(count - 1)).expect("few");
                steps.swap(at, at + 1);
            }
        }
        self.repeated(&roles, bodies, around, Vec::new())
    }

    /// All warps wait for each other at a barrier with a number.
    fn meeting_of_all(&mut self, context: &Context, array: usize) -> Vec<Statement> {
        let all = Role { first: 0, warps: self.warps() };
        let threads = if self.one_in(2) { None } else { Some(self.threads_of(&[all])) };
        let number = Value::Constant(self.numbers(1));
        let mut body = vec![self.own_cell(context, array)];
        body.push(Statement::NamedBarrier { number, threads, waits: true });
        body.push(self.read_of(array, all, Value::Constant(0), 0));
        body.push(self.result(context));
        body
    }

    // --- Parts -----------------------------------------------------------------------------------

    fn warps(&self) -> u32 {
        self.group.div_ceil(self.program.warp_size)
    }

    /// So many threads does a barrier of these roles wait for.
    fn threads_of(&self, roles: &[Role]) -> u32 {
        roles.iter().map(|role| role.warps).sum::<u32>() * self.program.warp_size
    }

    /// Disjoint roles, which need not have all warps.
    fn roles(&mut self, count: u32) -> Vec<Role> {
        let mut left = self.warps();
        let mut roles = Vec::new();
        for behind in (0..count).rev() {
            let most = left - behind;
            let warps = if self.one_in(3) { 1 + self.below(most) } else { most.min(1 + self.below(2)) };
            roles.push(Role { first: self.warps() - left, warps });
            left -= warps;
        }
        if self.one_in(3) {
            roles.reverse();
        }
        roles
    }

    /// The first of so many numbers, which are mostly new.
    fn numbers(&mut self, count: u32) -> u32 {
        if self.number + count > 16 || self.one_in(6) {
            self.number = u32::from(!self.one_in(12));
        }
        self.number += count;
        self.number - count
    }

    /// A new loop, which counts from 0.
    fn around(&mut self) -> Around {
        self.program.loops += 1;
        let trips = self.below(4);
        Around { number: self.program.loops - 1, below: if trips == 0 { PARAMETER } else { trips } }
    }

    /// The roles' statements, in one loop or in one for each of them.
    fn repeated(
        &mut self,
        roles: &[Role],
        bodies: Vec<Vec<Statement>>,
        around: Option<Around>,
        behind: Vec<Statement>,
    ) -> Vec<Statement> {
        let Some(around) = around else { return self.branches(roles, bodies) };
        let bound = bound(around);
        let looped = |body: Vec<Statement>| Statement::Loop {
            number: around.number,
            form: Form::Up { from: 0, step: 1, bound: bound.clone() },
            is_checked_last: false,
            body,
        };
        if !behind.is_empty() || self.one_in(2) {
            let mut body = self.branches(roles, bodies);
            body.extend(behind);
            return vec![looped(body)];
        }
        let bodies = bodies.into_iter().map(|body| vec![looped(body)]).collect();
        self.branches(roles, bodies)
    }

    /// Branches to the roles' statements: the one inside the other, or one after the other.
    fn branches(&mut self, roles: &[Role], bodies: Vec<Vec<Statement>>) -> Vec<Statement> {
        let is_nested = self.one_in(2);
        let covers = roles.iter().map(|role| role.warps).sum::<u32>() == self.warps();
        let mut all: Vec<Statement> = Vec::new();
        for (role, body) in roles.iter().zip(bodies).rev() {
            let condition = self.is_of(*role);
            if is_nested && all.is_empty() && covers {
                all = body;
            } else if is_nested {
                all = vec![Statement::If { condition, then: body, otherwise: all }];
            } else {
                all.insert(0, Statement::If { condition, then: body, otherwise: Vec::new() });
            }
        }
        all
    }

    /// Whether a thread's warp is one of the role's.
    fn is_of(&mut self, role: Role) -> Condition {
        let warp = self.local_id().with(Operator::Divide, self.program.warp_size);
        let end = role.first + role.warps;
        if role.warps == 1 && !self.one_in(3) {
            return Condition::Compare(Relation::Equal, warp, Value::Constant(role.first));
        }
        let from = Condition::Compare(Relation::LessEqual, Value::Constant(role.first), warp.clone());
        let to = if self.one_in(2) {
            Condition::Compare(Relation::Less, warp, Value::Constant(end))
        } else {
            Condition::Compare(Relation::Less, self.local_id(), Value::Constant(end * self.program.warp_size))
        };
        if role.first == 0 {
            to
        } else if end == self.warps() {
            from
        } else {
            Condition::And(Box::new(from), Box::new(to))
        }
    }

    /// Writes the thread's cell of a local array.
    fn own_cell(&mut self, context: &Context, array: usize) -> Statement {
        Statement::Store { place: word(array, self.local_id()), value: self.value(context, 1) }
    }

    /// Reads a cell of those that a role has written, from an offset on.
    fn read_of(&mut self, array: usize, role: Role, offset: Value, most: u32) -> Statement {
        let (start, shift) = (role.first * self.program.warp_size, self.below(2 + most));
        let last = self.group.min(start + self.threads_of(&[role])) - start;
        let lane = self.local_id().with(Operator::Add, shift).with(Operator::Remainder, last);
        let mut index = Value::binary(Operator::Add, offset, lane);
        if start > 0 {
            index = index.with(Operator::Add, start);
        }
        Statement::Load { to: self.variable(), place: word(array, index), mask: 1 }
    }

    /// Writes what the thread has read to its own cell of a global array, or what it has read
    /// decides whether it writes to another one's.
    fn result(&mut self, context: &Context) -> Statement {
        let read = Value::Variable(self.variable());
        let value = if self.one_in(2) { read.clone() } else { self.value(context, 1) };
        if !self.one_in(6) {
            return Statement::Store { place: word(0, self.global_id()), value };
        }
        let bit = read.with(Operator::And, 1);
        let place = word(0, self.global_id().with(Operator::Xor, self.below(2)));
        let condition = Condition::Compare(Relation::Equal, bit, Value::Constant(self.below(2)));
        only_if(condition, Statement::Store { place, value })
    }

    /// Now and then, a statement of any kind.
    fn filler(&mut self, context: &Context) -> Option<Statement> {
        self.one_in(12).then(|| self.statement(context))
    }

    // --- Mistakes --------------------------------------------------------------------------------

    fn make_mistakes(&mut self, body: &mut Vec<Statement>) {
        for _ in 0..=self.pick(&[4, 1]) {
            let mut at = self.below(places(body));
            self.mistake(body, &mut at);
        }
    }

    /// Makes a mistake at the place of this number, and returns whether it has been reached.
    fn mistake(&mut self, body: &mut Vec<Statement>, at: &mut u32) -> bool {
        for position in 0..body.len() {
            if is_place(&body[position]) {
                if *at == 0 {
                    self.mistake_at(body, position);
                    return true;
                }
                *at -= 1;
            }
            let is_done = match &mut body[position] {
                Statement::If { then, otherwise, .. } => self.mistake(then, at) || self.mistake(otherwise, at),
                Statement::Loop { body, .. } => self.mistake(body, at),
                _ => false,
            };
            if is_done {
                return true;
            }
        }
        false
    }

    /// A bit of which the first thread of each warp of the first group may tell too little, as does
    /// a parameter that equals what is loaded.
    fn rare_bit(&mut self) -> Value {
        let read = Value::Variable(self.variable());
        match self.pick(&[3, 2, 2, 2, 1]) {
            0 => Value::GroupId(0).with(Operator::And, 1),
            1 => Value::Parameter.with(Operator::ShiftRight, 1),
            2 => read.with(Operator::And, 1),
            3 => Value::binary(Operator::Xor, read, Value::Parameter).with(Operator::And, 1),
            _ => self.local_id().with(Operator::And, 1),
        }
    }

    fn rare_condition(&mut self) -> Condition {
        Condition::Compare(Relation::Equal, self.rare_bit(), Value::Constant(self.below(2)))
    }

    fn mistake_at(&mut self, body: &mut Vec<Statement>, position: usize) {
        let warp = self.program.warp_size;
        let kind = self.pick(&[2, 2, 1, 2, 2, 1, 2, 2, 3]);
        let (condition, bit) = (self.rare_condition(), self.rare_bit());
        let is_up = self.one_in(2);
        match &mut body[position] {
            Statement::NamedBarrier { number, threads, waits } => match kind {
                0 => {
                    body.remove(position);
                }
                1 => *number = number.clone().with(if is_up { Operator::Add } else { Operator::Subtract }, 1),
                2 => {
                    *threads = threads.map(|threads| if is_up { threads + warp } else { threads.max(warp + 1) - warp });
                }
                3 => *waits = threads.is_none() || !*waits,
                6 => body[position] = only_if(condition, body[position].clone()),
                7 => *number = Value::binary(Operator::Add, number.clone(), bit),
                8 if position > 0 => {
                    let then: Vec<Statement> = body.drain(position - 1..=position).collect();
                    let otherwise = then.iter().rev().cloned().collect();
                    body.insert(position - 1, Statement::If { condition, then, otherwise });
                }
                4 if position > 0 => body.swap(position - 1, position),
                4 if position + 1 < body.len() => body.swap(position, position + 1),
                _ => body.insert(position, body[position].clone()),
            },
            Statement::If { condition, .. } => missed(condition, is_up),
            Statement::Loop { form: Form::Up { from, bound, .. }, is_checked_last, .. } => match kind {
                0 => *is_checked_last = true,
                1 => *from += 1,
                2 => *bound = bit.with(Operator::Add, 1),
                _ => *bound = Value::Constant(1 + self.below(3)),
            },
            Statement::Store { place, .. } | Statement::Load { place, .. } => {
                let cells = self.program.arrays[place.array].cells;
                let by = if kind == 0 { warp } else { 1 };
                shift(place, by, cells);
            }
            _ => {
                body.remove(position);
            }
        }
    }
}

/// The bound of a loop's counter that is the parameter.
const PARAMETER: u32 = 4;

fn bound(around: Around) -> Value {
    if around.below == PARAMETER { Value::Parameter } else { Value::Constant(around.below) }
}

/// The buffer of a round, in turn.
fn slot(around: Around, slots: u32) -> Value {
    if slots == 1 { Value::Constant(0) } else { Value::Counter(around.number).with(Operator::Remainder, slots) }
}

/// The context in a role.
fn within(context: &Context, around: Option<Around>) -> Context {
    let mut inside = Context { depth: context.depth + 2, is_uniform: false, in_branch: true, ..context.clone() };
    inside.loops.extend(around);
    inside
}

fn only_if(condition: Condition, statement: Statement) -> Statement {
    Statement::If { condition, then: vec![statement], otherwise: Vec::new() }
}

/// The number of a barrier, in turn from a first one on.
fn in_turn(first: u32, slot: Value) -> Value {
    match slot {
        Value::Constant(_) => Value::Constant(first),
        slot => Value::binary(Operator::Add, Value::Constant(first), slot),
    }
}

/// The number of places at which a mistake may be made.
fn places(body: &[Statement]) -> u32 {
    let inside = |statement: &Statement| match statement {
        Statement::If { then, otherwise, .. } => places(then) + places(otherwise),
        Statement::Loop { body, .. } => places(body),
        _ => 0,
    };
    body.iter().map(|statement| u32::from(is_place(statement)) + inside(statement)).sum()
}

fn is_place(statement: &Statement) -> bool {
    match statement {
        Statement::NamedBarrier { .. }
        | Statement::If { .. }
        | Statement::Loop { form: Form::Up { .. }, .. }
        | Statement::Barrier { .. } => true,
        Statement::Store { place, .. } | Statement::Load { place, .. } => place.bytes == 4,
        _ => false,
    }
}

/// Makes a condition wrong by one.
fn missed(condition: &mut Condition, is_up: bool) {
    match condition {
        Condition::Compare(relation @ Relation::Less, ..) => *relation = Relation::LessEqual,
        Condition::Compare(relation @ Relation::LessEqual, ..) => *relation = Relation::Less,
        Condition::Compare(Relation::Equal, a, _) if is_up => *a = a.clone().with(Operator::Xor, 1),
        Condition::Compare(relation, ..) => *relation = Relation::LessEqual,
        Condition::And(a, _) | Condition::Or(a, _) => missed(a, is_up),
    }
}

/// Moves an access, within the cells that exist or whose initial values are tried.
fn shift(place: &mut Place, by: u32, cells: u32) {
    place.index = place.index.clone().with(Operator::Add, by);
    if cells > 0 {
        place.index = place.index.clone().with(Operator::Remainder, cells);
    }
}
