//! Checks the rules of the sequential program.
//!
//! # The rules
//!
//! * **Sorts.** An assigned value has its variable's sort. An assumption, assertion, precondition,
//!   guard, invariant, fact or activity is a truth value. A carried variable's values have its
//!   sort, a recorded variable has the sort of its original.
//! * **Inputs** (and watched cells) are never assigned or given an arbitrary value; a loop's
//!   counter is changed by the loop alone. Preconditions mention inputs only.
//! * **Loops.** The statements mention each loop exactly once, inside its parent, in the order of
//!   their numbers (an outer loop before those inside it). A counter has 64 bits, belongs to one
//!   loop, and names it. The activity of a thread is a Boolean variable. A carried variable's
//!   initial value mentions nothing that the loop changes.
//! * **Copies.** If a variable has two copies, the first is thread 1's and the second thread 2's; a
//!   single copy belongs to no thread.
//! * **Race instrumentation.** Each array has a watched cell of its own, and cells of at least one
//!   byte. Hit, written value and recorded values of a site belong to thread 1 and to that site
//!   alone, and name the site. The loops around a site are a chain from an outermost loop inwards.
//!   If a site records anything, it records the counters of these loops.
//! * **Obligations.** Each is asserted exactly once. A race is between accesses to one array that
//!   conflict.
//! * **Places.** Every location and file mentioned exists; a location's call comes before it in the
//!   table, so every chain of calls is finite.

use std::fmt::Display;
use std::ops::Deref;

use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};

use super::print::ground_text;
use super::{
    Copies, Expression, Loop, LoopData, Obligation, ObligationKind, Program, Role, Site, SiteData, Sort, Statement,
    Variable,
};
use crate::kernel::Problem;
use crate::source::Location;

/// A program that satisfies the rules.
#[derive(Clone, Debug)]
pub struct VerifiedProgram(Program);

impl Deref for VerifiedProgram {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.0
    }
}

impl VerifiedProgram {
    /// The program, to be changed and verified again.
    pub fn into_inner(self) -> Program {
        self.0
    }
}

/// Checks every rule and returns all problems, not only the first.
pub fn verify(program: Program) -> Result<VerifiedProgram, Vec<Problem>> {
    let mut checker = Checker {
        program: &program,
        problems: Vec::new(),
        mentioned: EntitySet::new(),
        last_mentioned: None,
        asserted: SecondaryMap::new(),
        roles: SecondaryMap::new(),
    };
    checker.program();
    let problems = checker.problems;
    if problems.is_empty() { Ok(VerifiedProgram(program)) } else { Err(problems) }
}

struct Checker<'a> {
    program: &'a Program,
    problems: Vec<Problem>,
    mentioned: EntitySet<Loop>,
    last_mentioned: Option<Loop>,
    asserted: SecondaryMap<Obligation, u32>,
    /// How often a variable has the role of a counter, watched cell, hit, written or recorded
    /// value.
    roles: SecondaryMap<Variable, u32>,
}

impl Checker<'_> {
    fn rule(&mut self, kept: bool, entity: impl Display, message: impl FnOnce() -> String) {
        if !kept {
            self.problems.push(Problem { entity: entity.to_string(), message: message() });
        }
    }

    fn known<K: EntityRef + Display, V>(&mut self, table: &PrimaryMap<K, V>, key: K, entity: impl Display) -> bool {
        let known = table.is_valid(key);
        self.rule(known, entity, || format!("mentions {key}, which does not exist"));
        known
    }

    fn sort(&mut self, expression: Expression, sort: Sort, entity: impl Display, what: &str) {
        let found = self.program.expressions.sort(expression);
        self.rule(found == sort, entity, || format!("{what} is {found:?}, not {sort:?}"));
    }

    fn condition(&mut self, expression: Expression, entity: impl Display, what: &str) {
        self.sort(expression, Sort::Boolean, entity, what);
    }

    fn variable_sort(&self, variable: Variable) -> Sort {
        self.program.expressions.variables()[variable].sort
    }

    fn name(&self, variable: Variable) -> String {
        self.program.expressions.variables()[variable].name.clone()
    }

    fn location(&mut self, location: Option<Location>, entity: impl Display) {
        if let Some(location) = location {
            self.known(&self.program.locations, location, entity);
        }
    }

    fn program(&mut self) {
        let program = self.program;
        self.places();
        for precondition in program.preconditions.iter().chain(&program.exact) {
            let entity = format!("precondition ({})", ground_text(&precondition.ground));
            self.condition(precondition.condition, &entity, "it");
            let mut others = Vec::new();
            program.expressions.for_each_variable(precondition.condition, |variable| {
                if !is_input(program.expressions.variables()[variable].role) {
                    others.push(self.name(variable));
                }
            });
            self.rule(others.is_empty(), &entity, || format!("mentions {}, not an input", others.join(", ")));
        }
        for (array, data) in &program.arrays {
            self.rule(data.cell_bytes > 0, array, || "has cells of no bytes".into());
            let sort = self.variable_sort(data.watched);
            self.rule(matches!(sort, Sort::Bits(_)), array, || format!("watches a cell that is {sort:?}"));
            self.role(data.watched, Role::Watched, None, array);
            for digit in &data.digits {
                let sort = self.variable_sort(digit.variable);
                self.rule(matches!(sort, Sort::Bits(_)), array, || format!("watches a digit that is {sort:?}"));
                self.role(digit.variable, Role::Watched, None, array);
                self.rule(program.expressions.sort(digit.value) == sort, array, || {
                    "has a digit of another sort than its value".into()
                });
            }
        }
        self.statements(&program.body, None, "the body");
        for (looop, data) in &program.loops {
            self.looop(looop, data);
        }
        for (site, data) in &program.sites {
            self.site(site, data);
        }
        self.obligations();
        self.observables();
    }

    fn places(&mut self) {
        for (location, data) in &self.program.locations {
            self.known(&self.program.files, data.file, location);
            if let Some(call) = data.inlined_at {
                self.rule(call < location, location, || format!("is inlined at {call}, which does not come before"));
            }
        }
    }

    // --- Statements ------------------------------------------------------------------------------

    fn statements(&mut self, statements: &[Statement], around: Option<Loop>, entity: &str) {
        for statement in statements {
            match statement {
                Statement::Assign { variable, value, location } => {
                    self.location(*location, entity);
                    self.assigned(*variable, entity);
                    let (sort, name) = (self.variable_sort(*variable), self.name(*variable));
                    self.sort(*value, sort, entity, &format!("what is assigned to {name}"));
                }
                Statement::Havoc { variable, location, .. } => {
                    self.location(*location, entity);
                    self.assigned(*variable, entity);
                }
                Statement::Assume { condition, reason: _, about, location } => {
                    self.location(*location, entity);
                    self.condition(*condition, entity, "an assumption");
                    for &site in about.iter().flatten() {
                        self.known(&self.program.sites, site, entity);
                    }
                }
                Statement::Assert { condition, obligation, location } => {
                    self.location(*location, entity);
                    self.condition(*condition, obligation, "what is asserted");
                    if self.known(&self.program.obligations, *obligation, entity) {
                        self.asserted[*obligation] += 1;
                    }
                }
                Statement::Loop(looop) => self.mention(*looop, around, entity),
            }
        }
    }

    fn assigned(&mut self, variable: Variable, entity: &str) {
        let role = self.program.expressions.variables()[variable].role;
        let name = self.name(variable);
        self.rule(!is_input(role), entity, || format!("assigns {name}, an input"));
        self.rule(!matches!(role, Role::Counter(_)), entity, || format!("assigns {name}, a loop's counter"));
    }

    fn mention(&mut self, looop: Loop, around: Option<Loop>, entity: &str) {
        if !self.known(&self.program.loops, looop, entity) {
            return;
        }
        let first = self.mentioned.insert(looop);
        self.rule(first, looop, || "is mentioned more than once".into());
        if !first {
            // Its contents have been checked already; a loop inside itself would not terminate.
            return;
        }
        let in_order = self.last_mentioned < Some(looop);
        self.rule(in_order, looop, || "comes after a loop of a higher number".into());
        self.last_mentioned = Some(looop);
        let data = &self.program.loops[looop];
        self.rule(data.parent == around, looop, || match around {
            Some(around) => format!("is inside {around}, but says otherwise"),
            None => "is in no loop, but says otherwise".into(),
        });
        self.statements(&data.body, Some(looop), &looop.to_string());
    }

    // --- Loops -----------------------------------------------------------------------------------

    fn looop(&mut self, looop: Loop, data: &LoopData) {
        self.location(data.location, looop);
        let mentioned = self.mentioned.contains(looop);
        self.rule(mentioned, looop, || "is not mentioned by any statement".into());
        self.role(data.counter, Role::Counter(looop), None, looop);
        let sort = self.variable_sort(data.counter);
        self.rule(sort == Sort::Bits(64), looop, || format!("has a counter that is {sort:?}"));
        self.condition(data.guard, looop, "the guard");
        self.copies(data.active, looop);
        for &active in data.active.iter() {
            let sort = self.variable_sort(active);
            self.rule(sort == Sort::Boolean, looop, || format!("is active by a variable that is {sort:?}"));
        }
        for invariant in &data.invariants {
            self.condition(invariant.condition, looop, "an invariant");
        }
        for suggestion in self.program.suggested.iter().filter(|suggestion| suggestion.loop_ == looop) {
            self.condition(suggestion.condition, looop, "a suggestion");
        }
        let changed = self.changed(&data.body);
        for carried in &data.carried {
            self.copies(carried.variable, looop);
            for thread in [0, 1] {
                let variable = *carried.variable.of(thread);
                let (sort, name) = (self.variable_sort(variable), self.name(variable));
                let initial = *carried.initial.of(thread);
                self.sort(initial, sort, looop, &format!("the initial value of {name}"));
                self.sort(*carried.next.of(thread), sort, looop, &format!("the next value of {name}"));
                let mut changing = Vec::new();
                self.program.expressions.for_each_variable(initial, |variable| {
                    if changed.contains(variable) || variable == data.counter {
                        changing.push(self.name(variable));
                    }
                });
                self.rule(changing.is_empty(), looop, || {
                    format!("changes {}, which the initial value of {name} mentions", changing.join(", "))
                });
            }
        }
    }

    /// The variables that the statements and the loops among them change.
    fn changed(&self, statements: &[Statement]) -> EntitySet<Variable> {
        let mut changed = EntitySet::new();
        let mut entered = EntitySet::<Loop>::new();
        let mut pending: Vec<&Statement> = statements.iter().collect();
        while let Some(statement) = pending.pop() {
            match statement {
                Statement::Assign { variable, .. } | Statement::Havoc { variable, .. } => {
                    changed.insert(*variable);
                }
                Statement::Assume { .. } | Statement::Assert { .. } => {}
                Statement::Loop(looop) => {
                    if self.program.loops.is_valid(*looop) && entered.insert(*looop) {
                        changed.insert(self.program.loops[*looop].counter);
                        pending.extend(&self.program.loops[*looop].body);
                    }
                }
            }
        }
        changed
    }

    // --- Variables -------------------------------------------------------------------------------

    fn copies(&mut self, copies: Copies<Variable>, entity: impl Display) {
        let expected = match copies {
            Copies::Uniform(_) => [None, None],
            Copies::Each(_) => [Some(0), Some(1)],
        };
        for (thread, expected) in expected.into_iter().enumerate() {
            let variable = *copies.of(thread);
            let found = self.program.expressions.variables()[variable].thread;
            let name = self.name(variable);
            self.rule(found == expected, &entity, || format!("takes {name} for a copy of another thread than it is"));
        }
    }

    /// Checks that the variable has this role and thread, and has not been seen in a role before.
    fn role(&mut self, variable: Variable, role: Role, thread: Option<usize>, entity: impl Display) {
        let data = &self.program.expressions.variables()[variable];
        let (found, name) = (data.role, data.name.clone());
        let right_thread = data.thread == thread;
        self.rule(found == role, &entity, || format!("takes {name} for {role:?}, which is {found:?}"));
        self.rule(right_thread, &entity, || format!("takes {name} for a copy of another thread than it is"));
        self.roles[variable] += 1;
        let alone = self.roles[variable] == 1;
        self.rule(alone, entity, || format!("uses {name}, which has another use already"));
    }

    // --- Race instrumentation --------------------------------------------------------------------

    fn site(&mut self, site: Site, data: &SiteData) {
        self.location(data.location, site);
        self.known(&self.program.arrays, data.array, site);
        self.role(data.hit, Role::Hit(site), Some(0), site);
        let sort = self.variable_sort(data.hit);
        self.rule(sort == Sort::Boolean, site, || format!("has a hit that is {sort:?}"));
        if let Some(written) = data.written {
            self.role(written, Role::Written(site), Some(0), site);
        }
        for recorded in &data.recorded {
            self.role(recorded.recorded, Role::Recorded(site), Some(0), site);
            let alike = self.variable_sort(recorded.recorded) == self.variable_sort(recorded.original);
            let (copy, original) = (self.name(recorded.recorded), self.name(recorded.original));
            self.rule(alike, site, || format!("records {original} in {copy}, of another sort"));
        }
        for &fact in &data.facts {
            self.condition(fact, site, "a fact");
        }
        for &active in data.active.iter() {
            self.condition(active, site, "whether it is executed");
        }
        let mut parent = None;
        for &looop in &data.loops {
            if !self.known(&self.program.loops, looop, site) {
                return;
            }
            let around = self.program.loops[looop].parent;
            self.rule(around == parent, site, || format!("is in {looop} without the loops around that"));
            parent = Some(looop);
            let counter = self.program.loops[looop].counter;
            let recorded = data.recorded.is_empty() || data.recorded.iter().any(|entry| entry.original == counter);
            self.rule(recorded, site, || format!("does not record the counter of {looop}"));
        }
    }

    fn obligations(&mut self) {
        let program = self.program;
        for (obligation, data) in &program.obligations {
            self.location(data.location, obligation);
            let times = self.asserted[obligation];
            self.rule(times == 1, obligation, || format!("is asserted {times} times"));
            match &data.kind {
                ObligationKind::Race { logged, checked } => self.race(obligation, *logged, *checked),
                ObligationKind::BarrierDivergence { active } | ObligationKind::WarpDivergence { active } => {
                    for &active in active.iter() {
                        self.condition(active, obligation, "whether a thread is there");
                    }
                }
                ObligationKind::Claim { thread, .. } => self.of_a_thread(*thread, obligation),
                ObligationKind::OutOfBounds { thread, cell, .. } => {
                    self.of_a_thread(*thread, obligation);
                    let bits = matches!(self.program.expressions.sort(*cell), Sort::Bits(_));
                    self.rule(bits, obligation, || "has a cell number that is no bit-vector".into());
                }
                ObligationKind::GroupOperationDivergence
                | ObligationKind::NamedBarrier(_)
                | ObligationKind::Signal(_)
                | ObligationKind::Digits { .. }
                | ObligationKind::InvariantEntry
                | ObligationKind::InvariantStep => {}
            }
        }
    }

    fn of_a_thread(&mut self, thread: Option<usize>, obligation: Obligation) {
        self.rule(thread.is_none_or(|thread| thread < 2), obligation, || "is of a third thread".into());
    }

    fn race(&mut self, obligation: Obligation, logged: Site, checked: Site) {
        let sites = &self.program.sites;
        if !self.known(sites, logged, obligation) || !self.known(sites, checked, obligation) {
            return;
        }
        let (first, second) = (&sites[logged], &sites[checked]);
        // Two atomics may race too: this depends on their scopes and widths, which are not known
        // here.
        let conflict = first.array == second.array && (first.kind.writes() || second.kind.writes());
        self.rule(conflict, obligation, || format!("{logged} and {checked} do not conflict"));
    }

    fn observables(&mut self) {
        let observables = &self.program.observables;
        let ids = observables.local_ids.iter().chain(&observables.group_ids).chain(&observables.group_starts);
        let sizes = observables.local_sizes.iter().chain(&observables.num_groups).chain(&observables.global_sizes);
        for &observable in ids.flat_map(Copies::iter).chain(sizes) {
            let sort = self.program.expressions.sort(observable);
            self.rule(matches!(sort, Sort::Bits(_)), "observables", || format!("an id or size is {sort:?}"));
        }
    }
}

fn is_input(role: Role) -> bool {
    match role {
        Role::Input | Role::Watched => true,
        Role::Value
        | Role::Predicate
        | Role::Ghost
        | Role::Counter(_)
        | Role::ExitCounter(_)
        | Role::Hit(_)
        | Role::Written(_)
        | Role::Recorded(_)
        | Role::Contents
        | Role::Choice => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::sample;
    use super::super::{AccessKind, BinaryOp, Carried};
    use super::*;

    /// The rules that the sample breaks after a change.
    #[track_caller]
    fn broken(change: impl FnOnce(&mut Program)) -> Vec<String> {
        let mut program = sample();
        change(&mut program);
        verify(program).expect_err("a rule is broken").iter().map(ToString::to_string).collect()
    }

    fn assign(program: &mut Program, name: &str) -> Statement {
        let variable = program.expressions.variable_named(name).unwrap();
        let value = program.expressions.variable(variable);
        Statement::Assign { variable, value, location: None }
    }

    const LOOP: Loop = Loop(0);

    #[test]
    fn the_sample_keeps_the_rules() {
        assert!(verify(sample()).is_ok());
    }

    #[test]
    fn inputs_and_counters_are_not_assigned() {
        for (name, message) in [
            ("n", "the body: assigns n, an input"),
            ("watched.a", "the body: assigns watched.a, an input"),
            ("k", "the body: assigns k, a loop's counter"),
        ] {
            let problems = broken(|program| {
                let statement = assign(program, name);
                program.body.push(statement);
            });
            assert_eq!(problems, [message]);
        }
    }

    #[test]
    fn sorts_agree() {
        let problems = broken(|program| {
            let variable = program.expressions.variable_named("i").unwrap();
            let value = program.expressions.boolean(true);
            program.body.push(Statement::Assign { variable, value, location: None });
            program.body.push(Statement::Havoc { variable, unknown: super::super::Unknown::Undefined, location: None });
            let condition = program.expressions.variable(variable);
            program.body.push(Statement::Assume { condition, reason: String::new(), about: None, location: None });
        });
        assert_eq!(
            problems,
            [
                "the body: what is assigned to i is Boolean, not Bits(32)",
                "the body: an assumption is Bits(32), not Boolean",
            ]
        );
    }

    #[test]
    fn preconditions_mention_inputs_only() {
        let problems = broken(|program| {
            let active = program.expressions.variable_named("active").unwrap();
            program.preconditions[0].condition = program.expressions.variable(active);
        });
        assert_eq!(problems, ["precondition (\"thread ids lie in the group\"): mentions active, not an input"]);
    }

    #[test]
    fn loops_are_mentioned_once_where_they_say() {
        assert_eq!(broken(|program| program.body.push(Statement::Loop(LOOP))), ["loop0: is mentioned more than once"]);
        let problems = broken(|program| program.loops[LOOP].body.push(Statement::Loop(LOOP)));
        assert_eq!(problems, ["loop0: is mentioned more than once"]);
        let problems = broken(|program| program.loops[LOOP].parent = Some(LOOP));
        assert!(problems.contains(&"loop0: is in no loop, but says otherwise".to_owned()), "{problems:?}");
        let problems = broken(|program| program.body.retain(|statement| !matches!(statement, Statement::Loop(_))));
        assert!(problems.contains(&"loop0: is not mentioned by any statement".to_owned()), "{problems:?}");
    }

    #[test]
    fn obligations_are_asserted_once() {
        let problems = broken(|program| {
            program.loops[LOOP].body.retain(|statement| !matches!(statement, Statement::Assert { .. }));
        });
        assert_eq!(problems, ["ob0: is asserted 0 times"]);
        let problems = broken(|program| {
            let condition = program.expressions.boolean(true);
            let obligation = Obligation::from_u32(5);
            program.body.push(Statement::Assert { condition, obligation, location: None });
        });
        assert_eq!(problems, ["the body: mentions ob5, which does not exist"]);
    }

    #[test]
    fn races_are_between_accesses_that_conflict() {
        let problems = broken(|program| program.sites.values_mut().next().unwrap().kind = AccessKind::Read);
        assert_eq!(problems, ["ob0: site0 and site0 do not conflict"]);
    }

    #[test]
    fn sites_record_what_they_must() {
        let problems = broken(|program| {
            let i = program.expressions.variable_named("i").unwrap();
            program.sites.values_mut().next().unwrap().recorded[0].original = i;
        });
        assert_eq!(
            problems,
            ["site0: records i in k.hit$1, of another sort", "site0: does not record the counter of loop0",]
        );
        let problems = broken(|program| {
            let hit = program.expressions.variable_named("active").unwrap();
            program.sites.values_mut().next().unwrap().hit = hit;
        });
        assert_eq!(
            problems,
            [
                "site0: takes active for Hit(site0), which is Predicate",
                "site0: takes active for a copy of another thread than it is",
            ]
        );
    }

    #[test]
    fn initial_values_do_not_change_in_the_loop() {
        let problems = broken(|program| {
            let loaded = program.expressions.variable_named("loaded").unwrap();
            let loaded = program.expressions.variable(loaded);
            let square = program.expressions.binary(BinaryOp::Multiply, loaded, loaded);
            let carried: &mut Carried = &mut program.loops[LOOP].carried[0];
            carried.initial = Copies::Uniform(square);
        });
        let expected = "loop0: changes loaded, which the initial value of i mentions";
        assert!(problems.iter().all(|problem| problem == expected), "{problems:?}");
    }
}
