//! Encodes a program as facts and goals: symbolic execution of its structured body.
//!
//! Variables become expressions over *symbols*: inputs, and a fresh variable for each arbitrary
//! value. An assignment is a substitution, simplified as it is built. Assumptions and assertions
//! become [`Fact`]s. A [`Goal`] has a position in the tree of facts and may rely on the facts
//! before it. There is no other control flow, so without loops the tree is a list.
//!
//! **Cut** ([`Mode::Cut`]): a loop is replaced by an arbitrary iteration. Its invariants are goals
//! before the loop. Then every variable that the loop changes becomes arbitrary, and the invariants
//! become facts. One branch of the tree continues with the guard and the body, at whose end the
//! invariants are goals again. The other branch continues behind the loop with the negated guard. A
//! loop whose guard does not hold on entry does nothing. So inside the body, the guard held on
//! entry. Behind the loop, either it held on entry or no access has happened since. (Only hits are
//! compared: a barrier that no thread reaches leaves them unchanged.) The encoding covers every
//! execution of the program and more, so it is good for proofs.
//!
//! **Unrolled** ([`Mode::Unroll`]): iterations are executed in sequence, each under the condition
//! that the guards so far held. Behind the loop, the variables' values are merged. Executions that
//! need more iterations than the bounds allow are left out, so it is good for finding defects. If
//! none is left out, the encoding is [`Encoding::complete`] and as good for proofs as the program
//! itself.
//!
//! An assertion is a fact for everything after it, as in the semantics of programs: an execution
//! ends where an assertion fails. So goals may be proved independently, and if all are proved, none
//! fails.

pub mod sites;

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use lockstep_invariants::{Candidate, CandidateId, Check, Phase};
use lockstep_ir::sequential::{
    Copies, Expression, Expressions, Loop, LoopData, Node, Obligation, ObligationKind, Program, Role, Site, Statement,
    Unknown, Variable,
};
use lockstep_ir::source::Location;
use lockstep_options::deadline::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};

/// A fact, by its index in an encoding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FactId(u32);
entity_impl!(FactId, "fact");

/// A position in the tree of facts: behind this fact, or at the root.
pub type Position = Option<FactId>;

/// A condition that holds for the rest of the program.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The condition, over symbols.
    pub condition: Expression,
    /// The reason why it holds.
    pub source: Source,
    /// The preceding fact.
    pub previous: Position,
}

/// The reason why a fact holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A precondition.
    Precondition,
    /// An assumption or a guard.
    Program,
    /// A previous goal.
    Asserted,
    /// A given invariant of the program, at its loop's head.
    Invariant,
    /// A candidate at its loop's head; it may be used only while the candidate is live.
    Candidate(CandidateId),
}

/// Something to prove.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The position; the facts up to here may be used.
    pub position: Position,
    /// The condition, over symbols.
    pub condition: Expression,
    /// The subject of the goal.
    pub subject: Subject,
    /// The access that is checked, if the goal is about a race.
    pub checked: Option<Site>,
    /// The values that a report shows of a state in which it fails.
    pub view: View,
}

/// The subject of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// An assertion of the program.
    Obligation(Obligation),
    /// The invariant of a loop with this index.
    ///
    /// The obligation, if any, represents it in reports.
    Invariant(Check, usize, Option<Obligation>),
}

/// Expressions over symbols that describe the state at a goal.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The watched cell.
    pub cell: Option<Expression>,
    /// The first cell each thread accesses.
    pub offsets: Option<[Expression; 2]>,
    /// Whether each thread arrives.
    pub arrives: Option<[Expression; 2]>,
    /// The loops around each thread's place, outermost first, with their completed iterations.
    pub iterations: [Vec<(Loop, Expression)>; 2],
}

/// The candidates that are checked together.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The position; the facts up to here may be used.
    pub position: Position,
    /// Each candidate's condition there.
    pub goals: Vec<(CandidateId, Expression)>,
}

/// A program's facts and goals.
#[derive(Debug)]
pub struct Encoding {
    /// The program's expressions and those over symbols.
    pub expressions: Expressions,
    /// The tree of facts, without trivially true ones.
    pub facts: PrimaryMap<FactId, Fact>,
    /// The sites to which a fact matters, for facts that do not matter to everything.
    pub about: FxHashMap<Expression, BTreeSet<Site>>,
    /// The goals in program order, without trivially true ones.
    pub goals: Vec<Goal>,
    /// The number of trivially true goals.
    pub trivial_goals: usize,
    /// The candidates' goals.
    pub batches: BTreeMap<Check, Batch>,
    /// The symbols that are arbitrary values, with their roles and origins.
    pub unknowns: FxHashMap<Variable, (Unknown, Option<Location>)>,
    /// The position at the end of the program.
    pub end: Position,
    /// Whether every execution is covered exactly.
    pub complete: bool,
}

/// The treatment of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Cut at their invariants.
    Cut,
    /// Executed.
    Unroll(Bounds),
}

/// The bounds of the execution of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The maximum number of iterations of each loop with a guard that is not known to hold.
    pub unknown: usize,
    /// The maximum number of iterations of all loops together with a guard that is known to hold.
    pub known: usize,
    /// The maximum number of expressions.
    pub expressions: usize,
    /// The time after which no further iteration is started.
    pub deadline: Deadline,
}

/// Encodes a program with the candidates for its loops.
pub fn encode(program: &Program, candidates: &[Candidate], mode: Mode) -> Encoding {
    let mut expressions = program.expressions.clone();
    let path = expressions.boolean(true);
    let first_expressions = expressions.len();
    let mut executor = Executor {
        program,
        candidates,
        mode,
        values: FxHashMap::default(),
        known: Known::default(),
        position: None,
        path,
        loops: Vec::new(),
        known_iterations: 0,
        symbols: 0,
        first_expressions,
        stopped: false,
        out: Encoding {
            expressions,
            facts: PrimaryMap::new(),
            about: FxHashMap::default(),
            goals: Vec::new(),
            trivial_goals: 0,
            batches: BTreeMap::new(),
            unknowns: FxHashMap::default(),
            end: None,
            complete: true,
        },
    };
    if mode == Mode::Cut && !program.loops.is_empty() {
        executor.out.complete = false;
    }
    // Facts that only executions must satisfy are no part of a proof by induction.
    let exact = if mode == Mode::Cut { &[][..] } else { &program.exact };
    for precondition in program.preconditions.iter().chain(exact) {
        executor.add_fact(precondition.condition, Source::Precondition);
    }
    executor.statements(&program.body);
    executor.out.end = executor.position;
    executor.out
}

impl Encoding {
    /// The facts up to a position, the latest first.
    pub fn facts_before(&self, position: Position) -> impl Iterator<Item = (FactId, &Fact)> {
        std::iter::successors(position, |&fact| self.facts[fact].previous).map(|fact| (fact, &self.facts[fact]))
    }

    /// Whether a fact may matter to a question about accesses of some sites.
    ///
    /// Every fact may matter to a question about no sites. A fact that no execution can satisfy may
    /// matter to any question.
    pub fn matters(&self, fact: Expression, sites: &BTreeSet<Site>) -> bool {
        sites.is_empty()
            || self.expressions.as_boolean(fact).is_some()
            || self.about.get(&fact).is_none_or(|about| !about.is_disjoint(sites))
    }

    /// For each fact, the position of the last fact at or before it that was not a goal.
    pub fn last_assumptions(&self) -> SecondaryMap<FactId, Position> {
        let mut last: SecondaryMap<FactId, Position> = SecondaryMap::with_capacity(self.facts.len());
        for (id, fact) in &self.facts {
            last[id] = match fact.source {
                Source::Asserted => fact.previous.and_then(|previous| last[previous]),
                _ => Some(id),
            };
        }
        last
    }

    /// The position of the last fact at or before this one that was not a goal.
    pub fn last_assumption(&self, position: Position) -> Position {
        self.facts_before(position).find(|(_, fact)| fact.source != Source::Asserted).map(|(id, _)| id)
    }
}

/// The translations of expressions under the current values of variables.
///
/// They are kept because later code repeats most of them.
#[derive(Default)]
struct Known {
    values: FxHashMap<Expression, Expression>,
    /// The variables that occur in them.
    variables: FxHashSet<Variable>,
}

struct Executor<'a> {
    program: &'a Program,
    candidates: &'a [Candidate],
    mode: Mode,
    /// The value of each variable that has one; the other variables are their own symbols.
    values: FxHashMap<Variable, Expression>,
    known: Known,
    position: Position,
    /// The condition under which unrolled execution reaches this point.
    path: Expression,
    /// The enclosing loops, outermost first.
    loops: Vec<Loop>,
    known_iterations: usize,
    symbols: usize,
    first_expressions: usize,
    /// Whether a bound is exhausted; nothing more is executed then.
    stopped: bool,
    out: Encoding,
}

impl<'a> Executor<'a> {
    fn statements(&mut self, statements: &'a [Statement]) {
        for statement in statements {
            if self.stopped {
                return;
            }
            match statement {
                Statement::Assign { variable, value, location: _ } => {
                    let value = self.value(*value);
                    self.set(*variable, value);
                }
                Statement::Havoc { variable, unknown, location } => {
                    let symbol = self.fresh(*variable);
                    self.out.unknowns.insert(symbol, (unknown.clone(), *location));
                }
                Statement::Assume { condition, reason: _, about, location: _ } => {
                    let condition = self.value(*condition);
                    let condition = self.out.expressions.implies(self.path, condition);
                    if let Some(sites) = about {
                        self.out.about.entry(condition).or_default().extend(sites);
                    }
                    self.add_fact(condition, Source::Program);
                }
                Statement::Assert { condition, obligation, location: _ } => {
                    let condition = self.value(*condition);
                    let view = |executor: &mut Self| executor.view(*obligation);
                    self.add_goal(condition, Subject::Obligation(*obligation), view);
                }
                Statement::Loop(loop_) => match self.mode {
                    Mode::Cut => self.cut(*loop_),
                    Mode::Unroll(bounds) => self.unroll(*loop_, bounds),
                },
            }
        }
    }

    // --- Values, facts, goals
    // -----------------------------------------------------------------------

    fn value(&mut self, expression: Expression) -> Expression {
        let Self { out: Encoding { expressions, .. }, values, known, .. } = self;
        for part in expressions.operands_first(expression, |part| known.values.contains_key(&part)) {
            let value = match *expressions.node(part) {
                Node::Variable(variable) => {
                    known.variables.insert(variable);
                    values.get(&variable).copied().unwrap_or(part)
                }
                _ => expressions.rebuild(part, |operand| known.values[&operand]),
            };
            known.values.insert(part, value);
        }
        known.values[&expression]
    }

    fn set(&mut self, variable: Variable, value: Expression) {
        if self.known.variables.contains(&variable) {
            self.known = Known::default();
        }
        self.values.insert(variable, value);
    }

    /// Makes a variable arbitrary and returns its new symbol.
    fn fresh(&mut self, variable: Variable) -> Variable {
        self.symbols += 1;
        let data = self.out.expressions.variables()[variable].clone();
        let (stem, suffix) = data.name.split_at(data.name.rfind('$').unwrap_or(data.name.len()));
        // The number makes the name unique at once: requesting the bare name would try all numbers
        // taken before.
        let name = format!("{stem}..{}{suffix}", self.symbols);
        let symbol = self.out.expressions.add_variable(&name, data.sort, data.thread, data.role);
        let value = self.out.expressions.variable(symbol);
        self.set(variable, value);
        symbol
    }

    fn add_fact(&mut self, condition: Expression, source: Source) {
        if self.out.expressions.as_boolean(condition) != Some(true) {
            self.position = Some(self.out.facts.push(Fact { condition, source, previous: self.position }));
        }
    }

    fn add_fact_on_path(&mut self, condition: Expression, source: Source) {
        let condition = self.out.expressions.implies(self.path, condition);
        self.add_fact(condition, source);
    }

    fn add_goal(&mut self, condition: Expression, subject: Subject, view: impl FnOnce(&mut Self) -> View) {
        let condition = self.out.expressions.implies(self.path, condition);
        if self.out.expressions.as_boolean(condition) == Some(true) {
            self.out.trivial_goals += 1;
            return;
        }
        let view = view(self);
        let checked = match subject {
            Subject::Obligation(obligation) => match self.program.obligations[obligation].kind {
                ObligationKind::Race { checked, .. } => Some(checked),
                _ => None,
            },
            Subject::Invariant(..) => None,
        };
        self.out.goals.push(Goal { position: self.position, condition, subject, checked, view });
        let stands_alone = match subject {
            Subject::Obligation(obligation) => self.program.obligations[obligation].kind.stands_alone(),
            Subject::Invariant(..) => false,
        };
        if !stands_alone {
            self.add_fact(condition, Source::Asserted);
        }
    }

    // --- Loops
    // --------------------------------------------------------------------------------------

    fn cut(&mut self, loop_: Loop) {
        let program = self.program;
        let data = &program.loops[loop_];
        let zero = self.out.expressions.number(64, 0);
        self.set(data.counter, zero);
        self.assert_invariants(loop_, Phase::Entry);
        let entered = self.value(data.guard);
        let modified = program.changed_in(loop_);
        let hits = modified.iter().filter(|&&variable| is_hit(program, variable)).copied().collect();
        let before = self.values_of(&hits);
        for variable in modified {
            self.fresh(variable);
        }
        for invariant in &data.invariants {
            let condition = self.value(invariant.condition);
            self.add_fact(condition, Source::Invariant);
        }
        for (index, candidate) in self.candidates.iter().enumerate() {
            if candidate.loop_ == loop_ {
                let condition = self.value(candidate.condition);
                self.add_fact(condition, Source::Candidate(CandidateId::new(index)));
            }
        }
        let guard = self.value(data.guard);
        let not_guard = self.out.expressions.not(guard);

        let (head, values) = (self.position, self.values.clone());
        self.add_fact(entered, Source::Program);
        self.add_fact(guard, Source::Program);
        self.iteration(loop_, data);
        self.assert_invariants(loop_, Phase::Step);
        (self.position, self.values, self.known) = (head, values, Known::default());
        self.add_fact(not_guard, Source::Program);
        let after = self.values_of(&hits);
        let kept = before.into_iter().zip(after);
        let kept: Vec<Expression> = kept.map(|(before, after)| self.out.expressions.equal(before, after)).collect();
        let kept = self.out.expressions.and(kept);
        let entered_or_kept = self.out.expressions.or([entered, kept]);
        self.add_fact(entered_or_kept, Source::Program);
    }

    /// The body, and the increment of the counter.
    fn iteration(&mut self, loop_: Loop, data: &'a LoopData) {
        self.loops.push(loop_);
        self.statements(&data.body);
        self.loops.pop();
        let counter = self.out.expressions.variable(data.counter);
        let counter = self.value(counter);
        let one = self.out.expressions.number(64, 1);
        let next = self.out.expressions.add(counter, one);
        self.set(data.counter, next);
    }

    fn assert_invariants(&mut self, loop_: Loop, phase: Phase) {
        let check = Check { loop_, phase };
        let program = self.program;
        for (index, invariant) in program.loops[loop_].invariants.iter().enumerate() {
            let condition = self.value(invariant.condition);
            let subject = Subject::Invariant(check, index, invariant_obligation(program, check));
            self.add_goal(condition, subject, Self::view_of_loops);
        }
        let position = self.position;
        let mut goals = Vec::new();
        for (index, candidate) in self.candidates.iter().enumerate() {
            if candidate.loop_ == loop_ {
                let condition = self.value(candidate.condition);
                if self.out.expressions.as_boolean(condition) != Some(true) {
                    goals.push((CandidateId::new(index), condition));
                }
            }
        }
        self.out.batches.insert(check, Batch { position, goals });
    }

    fn unroll(&mut self, loop_: Loop, bounds: Bounds) {
        let program = self.program;
        let data = &program.loops[loop_];
        let modified = program.changed_in(loop_);
        let zero = self.out.expressions.number(64, 0);
        self.set(data.counter, zero);
        let outer_path = self.path;
        let mut unknown_iterations = 0;
        // The guard, and the values of the variables that the loop changes, at each evaluation that
        // may have been the last.
        let mut exits: Vec<(Expression, Vec<Expression>)> = Vec::new();
        loop {
            self.assume_invariants(data);
            let guard = self.value(data.guard);
            let go_on = match self.out.expressions.as_boolean(guard) {
                Some(false) => break,
                Some(true) => self.known_iterations < bounds.known,
                None => unknown_iterations < bounds.unknown,
            };
            if !go_on || self.stopped || self.exhausted(bounds) {
                // Only executions that leave the loop here are continued.
                self.out.complete = false;
                let not_guard = self.out.expressions.not(guard);
                self.add_fact_on_path(not_guard, Source::Program);
                self.stopped |= self.out.expressions.as_boolean(guard) == Some(true);
                break;
            }
            if self.out.expressions.as_boolean(guard) == Some(true) {
                self.known_iterations += 1;
            } else {
                unknown_iterations += 1;
                exits.push((guard, self.values_of(&modified)));
            }
            self.path = self.out.expressions.and([self.path, guard]);
            self.iteration(loop_, data);
        }
        for (guard, values) in exits.into_iter().rev() {
            for (&variable, earlier) in modified.iter().zip(values) {
                let later = self.values.get(&variable).copied();
                let later = later.unwrap_or_else(|| self.out.expressions.variable(variable));
                let merged = self.out.expressions.if_then_else(guard, later, earlier);
                self.set(variable, merged);
            }
        }
        self.path = outer_path;
    }

    /// Assumes user invariants at an unrolled loop's head.
    ///
    /// If one of them fails, the proof with cut loops reports it.
    fn assume_invariants(&mut self, data: &LoopData) {
        for invariant in &data.invariants {
            let condition = self.value(invariant.condition);
            self.add_fact_on_path(condition, Source::Invariant);
        }
    }

    fn values_of(&mut self, variables: &BTreeSet<Variable>) -> Vec<Expression> {
        let mut values = Vec::with_capacity(variables.len());
        for variable in variables {
            let value = self.values.get(variable).copied();
            values.push(value.unwrap_or_else(|| self.out.expressions.variable(*variable)));
        }
        values
    }

    fn exhausted(&self, bounds: Bounds) -> bool {
        self.out.expressions.len() - self.first_expressions > bounds.expressions || bounds.deadline.passed()
    }

    // --- Views
    // --------------------------------------------------------------------------------------

    fn view_of_loops(&mut self) -> View {
        let loops = self.loops.clone();
        let counters = self.counters(&loops);
        View { iterations: [counters.clone(), counters], ..View::default() }
    }

    fn counters(&mut self, loops: &[Loop]) -> Vec<(Loop, Expression)> {
        let mut counters = Vec::with_capacity(loops.len());
        for &loop_ in loops {
            let counter = self.out.expressions.variable(self.program.loops[loop_].counter);
            counters.push((loop_, self.value(counter)));
        }
        counters
    }

    fn view(&mut self, obligation: Obligation) -> View {
        let mut view = self.view_of_loops();
        match &self.program.obligations[obligation].kind {
            ObligationKind::Race { logged, checked } => self.view_race(&mut view, *logged, *checked),
            ObligationKind::BarrierDivergence { active } | ObligationKind::WarpDivergence { active } => {
                view.arrives = Some(self.values_of_copies(active));
            }
            ObligationKind::OutOfBounds { cell, .. } => {
                let cell = self.value(*cell);
                view.offsets = Some([cell, cell]);
                view.cell = Some(cell);
            }
            ObligationKind::GroupOperationDivergence
            | ObligationKind::Claim { .. }
            | ObligationKind::NamedBarrier(_)
            | ObligationKind::Signal(_)
            | ObligationKind::Digits { .. }
            | ObligationKind::InvariantEntry
            | ObligationKind::InvariantStep => {}
        }
        view
    }

    fn values_of_copies(&mut self, copies: &Copies<Expression>) -> [Expression; 2] {
        [self.value(*copies.of(0)), self.value(*copies.of(1))]
    }

    /// Shows thread 1 in its state when its site was hit, and thread 2 in its current state.
    fn view_race(&mut self, view: &mut View, logged: Site, checked: Site) {
        let program = self.program;
        let site = &program.sites[logged];
        let mut at_hit = FxHashMap::default();
        for recorded in &site.recorded {
            at_hit.insert(recorded.original, self.out.expressions.variable(recorded.recorded));
        }
        let offset = *site.offset.of(0);
        let offset = self.out.expressions.substitute(offset, &at_hit, &mut FxHashMap::default());
        let first = self.value(offset);
        let second = self.value(*program.sites[checked].offset.of(1));
        view.offsets = Some([first, second]);
        let watched = self.out.expressions.variable(program.arrays[site.array].watched);
        view.cell = Some(self.value(watched));
        let mut counters = Vec::with_capacity(site.loops.len());
        for &loop_ in &site.loops {
            let counter = program.loops[loop_].counter;
            let counter = match at_hit.get(&counter) {
                Some(&recorded) => recorded,
                None => self.out.expressions.variable(counter),
            };
            counters.push((loop_, self.value(counter)));
        }
        view.iterations = [counters, self.counters(&program.sites[checked].loops)];
    }
}

/// Whether a variable records that an access of a site has happened.
fn is_hit(program: &Program, variable: Variable) -> bool {
    matches!(program.expressions.variables()[variable].role, Role::Hit(_))
}

/// The obligation that represents a loop's invariants in reports.
///
/// It is the one of the right kind at the loop's place.
fn invariant_obligation(program: &Program, check: Check) -> Option<Obligation> {
    let kind = match check.phase {
        Phase::Entry => ObligationKind::InvariantEntry,
        Phase::Step => ObligationKind::InvariantStep,
    };
    let location = program.loops[check.loop_].location;
    let mut found = program.obligations.iter().filter(|(_, data)| data.kind == kind && data.location == location);
    found.next().map(|(obligation, _)| obligation)
}
