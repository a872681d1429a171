//! The fixpoint computation: facts about variables at the heads of loops.
//!
//! Statements are executed in order on the known facts about the variables ([`State`]). The state
//! at a loop's head joins the states before the loop and after an iteration. Bounds that keep
//! growing jump to the next constant that the program compares with, or to the end of the range
//! ([`Word::widened`]). Narrowing then recovers precision by executing without widening
//! ([`NARROWING`]).
//!
//! The result is a guess. A variable without a value so far contributes nothing:
//! `when active: x = 0` makes `x` zero, not "zero or anything", because claims about `x` are about
//! threads that got there. A conditional assignment stores its value under its condition, and under
//! the earlier assumptions and assertions.
//!
//! Only the variables that loops carry are tracked, with their dependencies, and only thread 1's
//! copies: thread 2's are alike.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntitySet, SecondaryMap};
use lockstep_ir::sequential::{BinaryOp, Expression, Loop, Node, Program, Role, Sort, Statement, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::scan::Scan;

use super::facts::{BRANCHES, Facts, State, Value};
use super::word::{Word, mask};

/// A loop's bounds are widened from this visit on.
const WIDENED_FROM: u32 = 3;

/// A variable that still changes at this visit becomes unknown.
const MOST_VISITS: u32 = 60;

/// The number of further executions of the program that recover precision lost by widening.
const NARROWING: u32 = 2;

/// The maximum number of assumptions that are remembered at a time.
const MOST_CLAUSES: usize = 40;

/// The budget of the analysis, in evaluations.
const EFFORT: u64 = 3_000_000;

/// The facts about variables at each loop's head.
pub type Heads = SecondaryMap<Loop, State>;

/// Analyses all loops of a program. The result is empty if that exceeds the budget.
pub fn heads(program: &Program, scan: &Scan) -> Heads {
    let mut engine = Engine::new(program, scan);
    let mut state = State::default();
    for (variable, data) in program.expressions.variables() {
        if matches!(data.role, Role::Input | Role::Watched) {
            state.insert(variable, Value::any(data.sort));
        }
    }
    engine.learn_inputs(&state);
    engine.widening = true;
    let start = state.clone();
    engine.execute(&program.body, None, &mut state);
    engine.widening = false;
    for _ in 0..NARROWING {
        let mut state = start.clone();
        engine.execute(&program.body, None, &mut state);
    }
    if engine.effort > EFFORT { Heads::new() } else { engine.heads }
}

struct Engine<'a> {
    program: &'a Program,
    scan: &'a Scan,
    inputs: FxHashMap<Expression, Value>,
    /// The tracked variables.
    relevant: EntitySet<Variable>,
    /// The variables that each loop changes.
    changed: SecondaryMap<Loop, FxHashSet<Variable>>,
    heads: Heads,
    visits: SecondaryMap<Loop, u32>,
    /// The constants of each width that the program compares with, ascending.
    thresholds: BTreeMap<u32, Vec<u64>>,
    /// The assumptions that still hold, with their variables.
    clauses: Vec<Expression>,
    /// The next values of the variables that the current loop carries, once the first of them has
    /// been assigned.
    next: Option<State>,
    clause_variables: FxHashMap<Expression, Option<Vec<Variable>>>,
    widening: bool,
    effort: u64,
}

impl<'a> Engine<'a> {
    fn new(program: &'a Program, scan: &'a Scan) -> Self {
        let relevant = relevant(program, scan);
        let mut changed = SecondaryMap::new();
        for loop_ in program.loops.keys() {
            changed[loop_] = program.changed_in(loop_).into_iter().collect();
        }
        Self {
            program,
            scan,
            inputs: FxHashMap::default(),
            thresholds: thresholds(program, &relevant),
            relevant,
            changed,
            heads: Heads::new(),
            visits: SecondaryMap::new(),
            clauses: Vec::new(),
            next: None,
            clause_variables: FxHashMap::default(),
            widening: true,
            effort: 0,
        }
    }

    fn learn_inputs(&mut self, state: &State) {
        let mut facts = Facts::new(&self.program.expressions, state, &self.inputs, &[]);
        for precondition in &self.program.preconditions {
            // A guess need not handle contradictory preconditions.
            let _ = facts.learn(precondition.condition, true);
        }
        self.inputs = facts.into_learnt();
    }

    fn execute(&mut self, statements: &[Statement], inside: Option<Loop>, state: &mut State) {
        for statement in statements {
            if self.effort > EFFORT {
                return;
            }
            match statement {
                &Statement::Assign { variable, value, .. } => match inside {
                    Some(loop_) if self.carries(loop_, variable) => self.come_back(state, loop_, variable),
                    _ => self.assign(state, variable, Some(value)),
                },
                &Statement::Havoc { variable, .. } => self.assign(state, variable, None),
                &Statement::Assume { condition, .. } | &Statement::Assert { condition, .. } => self.assume(condition),
                &Statement::Loop(loop_) => self.execute_loop(loop_, state),
            }
        }
    }

    fn assign(&mut self, state: &mut State, variable: Variable, value: Option<Expression>) {
        let e = &self.program.expressions;
        if self.relevant.contains(variable) {
            let value = match value {
                Some(value) => {
                    let mut facts = Facts::new(e, state, &self.inputs, &self.clauses);
                    // If assumptions contradict each other, this point is unreachable; the
                    // following statements handle it.
                    let _ = facts.propagate();
                    let result = facts.value(value, &mut self.branches());
                    self.effort += facts.effort;
                    result
                }
                None => Some(Value::any(e.variables()[variable].sort)),
            };
            match value {
                Some(value) => state.insert(variable, value),
                None => state.remove(&variable),
            };
        }
        self.forget(&|changed| changed == variable);
    }

    /// The number of branches of an expression that are evaluated under their conditions: small
    /// once most of the budget is spent.
    fn branches(&self) -> u32 {
        if self.effort < EFFORT / 4 { BRANCHES } else { 4 }
    }

    fn carries(&self, loop_: Loop, variable: Variable) -> bool {
        let carried = &self.program.loops[loop_].carried;
        self.relevant.contains(variable) && carried.iter().any(|carried| *carried.variable.of(0) == variable)
    }

    /// Restricts a carried variable to its value in threads that return to the head; its value in
    /// other threads is irrelevant. All carried variables are evaluated when the first is assigned.
    fn come_back(&mut self, state: &mut State, loop_: Loop, variable: Variable) {
        if self.next.is_none() {
            let mut facts = Facts::new(&self.program.expressions, state, &self.inputs, &self.clauses);
            let _ = facts.propagate();
            let mut possible = true;
            for &conjunct in &self.scan.loops[loop_].continuing[0] {
                possible &= facts.learn(conjunct, true).is_some();
            }
            possible &= facts.propagate().is_some();
            let mut next = State::new();
            for carried in self.program.loops[loop_].carried.iter().filter(|_| possible) {
                if let Some(value) = facts.value(*carried.next.of(0), &mut self.branches()) {
                    next.insert(*carried.variable.of(0), value);
                }
            }
            self.effort += facts.effort;
            self.next = Some(next);
        }
        match self.next.as_ref().and_then(|next| next.get(&variable)) {
            Some(value) => state.insert(variable, *value),
            None => state.remove(&variable),
        };
        self.forget(&|changed| changed == variable);
    }

    /// Forgets the assumptions about variables that change.
    fn forget(&mut self, changes: &dyn Fn(Variable) -> bool) {
        let variables = &self.clause_variables;
        self.clauses.retain(|clause| {
            let of_clause = variables.get(clause).and_then(Option::as_ref);
            of_clause.is_some_and(|of_clause| !of_clause.iter().any(|&variable| changes(variable)))
        });
    }

    fn assume(&mut self, condition: Expression) {
        let e = &self.program.expressions;
        let relevant = &self.relevant;
        let variables = self.clause_variables.entry(condition).or_insert_with(|| {
            let mut variables = Vec::new();
            let mut telling = false;
            let mut usable = true;
            e.for_each_variable(condition, |variable| {
                let data = &e.variables()[variable];
                telling |= relevant.contains(variable) && data.sort != Sort::Boolean;
                usable &= matches!(data.role, Role::Input | Role::Value | Role::Predicate | Role::Contents)
                    && data.thread != Some(1);
                variables.push(variable);
            });
            (usable && telling).then_some(variables)
        });
        if variables.is_some() && self.clauses.len() < MOST_CLAUSES && !self.clauses.contains(&condition) {
            self.clauses.push(condition);
        }
    }

    fn execute_loop(&mut self, loop_: Loop, state: &mut State) {
        let data = &self.program.loops[loop_];
        let changed = std::mem::take(&mut self.changed[loop_]);
        self.forget(&|variable| changed.contains(&variable));
        self.changed[loop_] = changed;
        let clauses = self.clauses.clone();
        state.insert(data.counter, Value::Word(Word::exactly(64, 0)));
        if !self.widening {
            // The state after one iteration from the facts known so far.
            let mut after = std::mem::take(&mut self.heads[loop_]);
            self.iterate(loop_, &mut after);
            self.heads[loop_] = joined(state, &after);
        }
        while self.widening {
            let head = joined(&self.heads[loop_], state);
            self.visits[loop_] += 1;
            let before = std::mem::take(&mut self.heads[loop_]);
            let mut head = self.widened(&before, head, self.visits[loop_]);
            let known = before == head && self.visits[loop_] > 1;
            self.heads[loop_].clone_from(&head);
            if known || self.effort > EFFORT {
                break;
            }
            self.iterate(loop_, &mut head);
            self.clauses.clone_from(&clauses);
            *state = joined(state, &head);
        }
        self.clauses = clauses;
        state.clone_from(&self.heads[loop_]);
    }

    fn iterate(&mut self, loop_: Loop, state: &mut State) {
        let data = &self.program.loops[loop_];
        let outer = self.next.take();
        self.execute(&data.body, Some(loop_), state);
        self.next = outer;
        if let Some(Value::Word(counter)) = state.get(&data.counter).copied() {
            let next = super::operations::sum(64, 1, &[(1, counter)]);
            state.insert(data.counter, Value::Word(next));
        }
    }

    fn widened(&self, before: &State, head: State, visits: u32) -> State {
        if visits < WIDENED_FROM {
            return head;
        }
        let mut widened = head;
        for (variable, now) in &mut widened {
            let (Some(Value::Word(old)), Value::Word(new)) = (before.get(variable), &*now) else { continue };
            if old != new {
                let thresholds = self.thresholds.get(&new.width()).map_or(&[][..], Vec::as_slice);
                let word = if visits > MOST_VISITS { Word::any(new.width()) } else { old.widened(new, thresholds) };
                *now = Value::Word(word);
            }
        }
        widened
    }
}

/// The facts that hold in both of two states.
fn joined(a: &State, b: &State) -> State {
    let mut joined = a.clone();
    for (&variable, value) in b {
        joined.entry(variable).and_modify(|known| *known = known.or(value)).or_insert(*value);
    }
    joined
}

/// The variables that loops carry, with their dependencies. They are numbers and truth values of
/// the source, of thread 1 or of both threads.
fn relevant(program: &Program, scan: &Scan) -> EntitySet<Variable> {
    let e = &program.expressions;
    let mut values: BTreeMap<Variable, Vec<Expression>> = BTreeMap::new();
    collect_values(program, &program.body, &mut values);
    let mut waiting: Vec<Variable> = Vec::new();
    for data in program.loops.values() {
        waiting.extend(data.active.iter().copied());
        waiting.extend(data.carried.iter().flat_map(|carried| carried.variable.iter().copied()));
    }
    for exit in program.loops.keys().flat_map(|loop_| &scan.exits[loop_]) {
        waiting.extend(exit.values.iter().map(|&(variable, _)| variable));
    }
    let mut relevant = EntitySet::new();
    while let Some(variable) = waiting.pop() {
        let data = &e.variables()[variable];
        let followed = matches!(data.role, Role::Value | Role::Predicate | Role::Counter(_)) && data.thread != Some(1);
        if !followed || Value::any(data.sort) == Value::Unfollowed || !relevant.insert(variable) {
            continue;
        }
        for &value in values.get(&variable).into_iter().flatten() {
            e.for_each_variable(value, |variable| waiting.push(variable));
        }
    }
    relevant
}

fn collect_values(program: &Program, statements: &[Statement], values: &mut BTreeMap<Variable, Vec<Expression>>) {
    for statement in statements {
        match statement {
            Statement::Assign { variable, value, .. } => values.entry(*variable).or_default().push(*value),
            Statement::Havoc { .. } | Statement::Assume { .. } | Statement::Assert { .. } => {}
            Statement::Loop(inner) => collect_values(program, &program.loops[*inner].body, values),
        }
    }
}

/// The maximum number of shift distances that constants are shifted by: a program with more is no
/// loop over halves.
const SHIFTS: usize = 2;

/// The constants that tracked variables are compared with or masked by, and their neighbours. The
/// program's shifts of these constants are included: a variable that is halved while it is at least
/// 128 is at least 64.
fn thresholds(program: &Program, relevant: &EntitySet<Variable>) -> BTreeMap<u32, Vec<u64>> {
    let e = &program.expressions;
    let mut values = BTreeMap::new();
    collect_values(program, &program.body, &mut values);
    let mut stack: Vec<Expression> = Vec::new();
    for (variable, values) in &values {
        if relevant.contains(*variable) {
            stack.extend(values);
        }
    }
    let mut thresholds: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    let mut note = |expression: Expression| {
        if let Node::Bits(bits) = e.node(expression)
            && bits.width() <= 64
            && let Some(number) = bits.to_u64()
        {
            let all = mask(bits.width());
            let around = [number, number.wrapping_sub(1) & all, number.wrapping_add(1) & all];
            thresholds.entry(bits.width()).or_default().extend(around);
        }
    };
    let mut shifts: BTreeSet<u32> = BTreeSet::new();
    let mut seen: FxHashSet<Expression> = FxHashSet::default();
    while let Some(top) = stack.pop() {
        if !seen.insert(top) {
            continue;
        }
        match *e.node(top) {
            Node::Extract(high, low, whole) if low > 0 && high + 1 == e.width(whole) => {
                shifts.insert(low);
            }
            Node::Binary(op @ (BinaryOp::ArithmeticShiftRight | BinaryOp::SignedDivide), a, b) => {
                let by = e.as_bits(b).and_then(|by| match op {
                    BinaryOp::SignedDivide => by.power_of_two(),
                    _ => by.to_u64().and_then(|by| u32::try_from(by).ok()),
                });
                shifts.extend(by.filter(|&by| by > 0));
                note(a);
                note(b);
            }
            Node::Compare(_, a, b) | Node::Equal(a, b) | Node::Binary(_, a, b) | Node::IfThenElse(_, a, b) => {
                note(a);
                note(b);
            }
            _ => {}
        }
        e.for_each_operand(top, |operand| stack.push(operand));
    }
    for (&width, numbers) in &mut thresholds {
        for by in shifts.iter().copied().filter(|&by| by < width).take(SHIFTS) {
            let shifted: Vec<u64> = numbers.iter().map(|number| number >> by).collect();
            numbers.extend(shifted);
        }
        numbers.extend([0, 1]);
        numbers.sort_unstable();
        numbers.dedup();
    }
    thresholds
}
