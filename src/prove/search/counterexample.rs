//! Finds a readable state in which a goal fails, and translates it into the terms of a report.
//!
//! The encoding must be exact for the executions that it covers (no loop is cut), so that a state
//! of its symbols is an execution. Small numbers are preferred: few threads, small ids and
//! parameters.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{Expression, Expressions, Loop, Node, Obligation, Program, Sort, Unknown, Variable};
use lockstep_ir::source::Location;
use lockstep_solver::{Checked, Effort, Model, Session, Solver};
use rustc_hash::FxHashMap;

use crate::discharge::usable_facts;
use crate::encode::{Encoding, Source, Subject};
use crate::explain::function_in_words;
use crate::{ArrayContents, Counterexample};

/// The effort spent on each attempt to find smaller numbers.
const EMBELLISH: Effort = 1_000_000;

/// An execution in which the goal of this index fails and no earlier goal does.
///
/// It is `None` if there is none, if none is found within `limit`, or if the goal has no
/// obligation.
pub fn find(
    program: &Program,
    encoding: &mut Encoding,
    goal: usize,
    session: &mut Session,
    limit: Effort,
) -> Option<Counterexample> {
    let obligation = match encoding.goals[goal].subject {
        Subject::Obligation(obligation) => obligation,
        Subject::Invariant(_, _, obligation) => obligation?,
    };
    let solver = session.solver();
    let position = encoding.goals[goal].position;
    let mut facts = usable_facts(encoding, position, &[]);
    let condition = encoding.goals[goal].condition;
    facts.push(encoding.expressions.not(condition));
    for &fact in &facts {
        session.assert(&solver, &encoding.expressions, fact);
    }
    for expression in shown(program, encoding, goal) {
        session.mention(&solver, &encoding.expressions, expression);
    }
    let read = reads(&encoding.expressions, &facts).into_iter().map(|(_, _, value)| value).collect();
    match readable(program, &mut encoding.expressions, read, session, &solver, limit) {
        Checked::Satisfiable(model) => Some(decode(program, encoding, goal, obligation, &model, session)),
        Checked::Unsatisfiable | Checked::Unknown => None,
    }
}

/// Whether the facts hold together, preferably with small numbers.
///
/// The preference includes the values in `read`, which are read from read-only arrays: fields of
/// structs that are parameters (often sizes), and indices.
pub fn readable(
    program: &Program,
    expressions: &mut Expressions,
    read: Vec<Expression>,
    session: &mut Session,
    solver: &Solver,
    limit: Effort,
) -> Checked {
    let wishes = wishes(program, expressions, read);
    let embellish = EMBELLISH.min(limit);
    if let all @ Checked::Satisfiable(_) = session.check(solver, expressions, &wishes, embellish) {
        return all;
    }
    let mut best = session.check(solver, expressions, &[], limit);
    if !matches!(best, Checked::Satisfiable(_)) {
        return best;
    }
    let mut granted = Vec::new();
    for wish in wishes {
        granted.push(wish);
        match session.check(solver, expressions, &granted, embellish) {
            better @ Checked::Satisfiable(_) => best = better,
            Checked::Unsatisfiable => {
                granted.pop();
            }
            // If one attempt takes long, so will the others.
            Checked::Unknown => break,
        }
    }
    best
}

/// The values that a report shows of a state in which the goal fails.
fn shown(program: &Program, encoding: &Encoding, goal: usize) -> Vec<Expression> {
    let view = &encoding.goals[goal].view;
    let observables = &program.observables;
    let mut shown: Vec<Expression> = view.cell.into_iter().collect();
    shown.extend(view.offsets.into_iter().flatten());
    shown.extend(view.arrives.into_iter().flatten());
    shown.extend(view.iterations.iter().flatten().map(|(_, counter)| *counter));
    shown.extend(observables.local_ids.iter().chain(&observables.group_ids).flat_map(|copies| copies.iter().copied()));
    shown.extend(observables.local_sizes.iter().chain(&observables.num_groups).copied());
    shown.extend(observables.parameters.iter().map(|(_, parameter)| *parameter));
    shown
}

/// Conditions that would make a state easier to read, the most valuable first.
fn wishes(program: &Program, expressions: &mut Expressions, read: Vec<Expression>) -> Vec<Expression> {
    let observables = &program.observables;
    let mut bounds: Vec<(Vec<Expression>, u64)> = Vec::new();
    let ids = observables.local_ids.iter().flat_map(|copies| copies.iter().copied());
    bounds.push((ids.collect(), 3));
    let groups = observables.group_ids.iter().flat_map(|copies| copies.iter().copied());
    bounds.push((groups.collect(), 1));
    bounds.push((observables.local_sizes.clone(), 64));
    bounds.push((observables.num_groups.clone(), 4));
    bounds.push((observables.parameters.iter().map(|(_, parameter)| *parameter).collect(), 64));
    bounds.push((read, 64));
    let mut wishes = Vec::new();
    for (all, most) in bounds {
        let mut parts = Vec::new();
        for expression in all {
            // A narrow vector is always small.
            if let Sort::Bits(width) = expressions.sort(expression)
                && width > 7
            {
                let most = expressions.number(width, most);
                let part = expressions.compare(lockstep_ir::sequential::CompareOp::UnsignedLessEqual, expression, most);
                parts.push(part);
            }
        }
        let wish = expressions.and(parts);
        if expressions.as_boolean(wish).is_none() {
            wishes.push(wish);
        }
    }
    wishes
}

/// A model, and the encoding that it satisfies.
struct State<'a> {
    model: &'a Model,
    session: &'a mut Session,
    expressions: &'a mut Expressions,
}

impl State<'_> {
    fn number(&mut self, expression: Expression) -> u64 {
        self.bits(expression).and_then(|bits| bits.to_u64()).unwrap_or(u64::MAX)
    }

    fn numbers(&mut self, all: &[Expression]) -> Vec<u64> {
        all.iter().map(|&expression| self.number(expression)).collect()
    }

    fn bits(&mut self, expression: Expression) -> Option<Bits> {
        match self.expressions.sort(expression) {
            Sort::Bits(_) => self.model.bits(self.session, self.expressions, expression),
            Sort::Boolean => Some(Bits::new(1, u32::from(self.boolean(expression)))),
            Sort::Map { .. } => None,
        }
    }

    fn boolean(&mut self, expression: Expression) -> bool {
        self.model.boolean(self.session, self.expressions, expression).unwrap_or(false)
    }

    fn iterations(&mut self, counters: &[(Loop, Expression)]) -> Vec<(Loop, u64)> {
        counters.iter().map(|&(loop_, counter)| (loop_, self.number(counter))).collect()
    }

    /// The value of a variable as an expression, if it can be written as one.
    fn value(&mut self, variable: Variable) -> Option<Expression> {
        let expression = self.expressions.variable(variable);
        match self.expressions.sort(expression) {
            Sort::Boolean => {
                let value = self.boolean(expression);
                Some(self.expressions.boolean(value))
            }
            Sort::Bits(_) => {
                let bits = self.bits(expression)?;
                Some(self.expressions.bits(bits))
            }
            Sort::Map { .. } => None,
        }
    }
}

fn decode(
    program: &Program,
    encoding: &mut Encoding,
    goal: usize,
    obligation: Obligation,
    model: &Model,
    session: &mut Session,
) -> Counterexample {
    let unknowns = unknowns(encoding, goal, model, session);
    let position = encoding.goals[goal].position;
    let mut parts: Vec<Expression> = encoding.facts_before(position).map(|(_, fact)| fact.condition).collect();
    parts.push(encoding.goals[goal].condition);
    let view = encoding.goals[goal].view.clone();
    let mut state = State { model, session, expressions: &mut encoding.expressions };
    let observables = &program.observables;
    let of_thread = |all: &[lockstep_ir::sequential::Copies<Expression>], thread: usize| -> Vec<Expression> {
        all.iter().map(|copies| *copies.of(thread)).collect()
    };
    let local_ids = [0, 1].map(|thread| state.numbers(&of_thread(&observables.local_ids, thread)));
    let group_ids = [0, 1].map(|thread| state.numbers(&of_thread(&observables.group_ids, thread)));
    let mut parameters = Vec::with_capacity(observables.parameters.len());
    for (name, parameter) in &observables.parameters {
        if let Some(bits) = state.bits(*parameter) {
            parameters.push((name.clone(), bits));
        }
    }
    let contents = contents(program, &parts, &mut state);
    let offsets = view.offsets.and_then(|[first, second]| Some([state.bits(first)?, state.bits(second)?]));
    Counterexample {
        obligation,
        local_ids,
        group_ids,
        local_sizes: state.numbers(&observables.local_sizes),
        num_groups: state.numbers(&observables.num_groups),
        parameters,
        cell: view.cell.map(|cell| state.number(cell)),
        offsets,
        arrives: view.arrives.map(|both| both.map(|arrives| state.boolean(arrives))),
        iterations: [state.iterations(&view.iterations[0]), state.iterations(&view.iterations[1])],
        unknowns,
        hinges: Vec::new(),
        contents,
    }
}

/// The reads of the initial memory: the array, the cell and the value.
fn reads(expressions: &Expressions, parts: &[Expression]) -> BTreeSet<(Variable, Expression, Expression)> {
    let mut reads = BTreeSet::new();
    for &part in parts {
        expressions.for_each_part(part, |part| {
            if let Node::Select(map, index) = *expressions.node(part)
                && let Node::Variable(variable) = *expressions.node(map)
            {
                reads.insert((variable, index, part));
            }
        });
    }
    reads
}

/// The contents of read-only arrays, as far as they are read.
fn contents(program: &Program, parts: &[Expression], state: &mut State<'_>) -> Vec<ArrayContents> {
    let mut found: BTreeMap<Variable, BTreeMap<u64, u64>> = BTreeMap::new();
    for (variable, index, part) in reads(state.expressions, parts) {
        let (cell, value) = (state.bits(index), state.bits(part));
        if let (Some(cell), Some(value)) = (cell.and_then(|cell| cell.to_u64()), value.and_then(|value| value.to_u64()))
        {
            found.entry(variable).or_default().insert(cell, value);
        }
    }
    let of_variable = |(variable, cells): (Variable, BTreeMap<u64, u64>)| {
        let contents = ArrayContents::of_variable(program, variable)?;
        Some(ArrayContents { cells: cells.into_iter().collect(), ..contents })
    };
    found.into_iter().filter_map(of_variable).collect()
}

/// The arbitrary values on which the failure depends.
///
/// These are the ones that remain in the goal, and in the facts that restrict them, once everything
/// else has its value.
fn unknowns(
    encoding: &mut Encoding,
    goal: usize,
    model: &Model,
    session: &mut Session,
) -> Vec<(Unknown, Option<Location>)> {
    let position = encoding.goals[goal].position;
    let condition = encoding.goals[goal].condition;
    let facts: Vec<Expression> = encoding
        .facts_before(position)
        .filter(|(_, fact)| match fact.source {
            Source::Program | Source::Invariant => true,
            // A state in which an earlier goal fails is a defect too; candidates occur only with
            // cut loops.
            Source::Precondition | Source::Asserted | Source::Candidate(_) => false,
        })
        .map(|(_, fact)| fact.condition)
        .collect();
    let mut variables = BTreeSet::new();
    for &expression in facts.iter().chain([&condition]) {
        encoding.expressions.for_each_variable(expression, |variable| {
            variables.insert(variable);
        });
    }
    let arbitrary =
        |variable: &Variable| encoding.unknowns.get(variable).is_some_and(|(unknown, _)| *unknown != Unknown::Choice);
    let mut known = FxHashMap::default();
    let mut state = State { model, session, expressions: &mut encoding.expressions };
    for &variable in variables.iter().filter(|variable| !arbitrary(variable)) {
        if let Some(value) = state.value(variable) {
            known.insert(variable, value);
        }
    }
    let mut memo = FxHashMap::default();
    let rest = encoding.expressions.substitute(condition, &known, &mut memo);
    let functions = functions_of(&encoding.expressions, rest);
    let mut left = |expression: Expression| {
        let rest = encoding.expressions.substitute(expression, &known, &mut memo);
        let mut variables = BTreeSet::new();
        encoding.expressions.for_each_variable(rest, |variable| {
            if arbitrary(&variable) {
                variables.insert(variable);
            }
        });
        variables
    };
    let mut found = left(condition);
    let mut others: Vec<BTreeSet<Variable>> = facts.into_iter().map(left).collect();
    loop {
        let before = found.len();
        others.retain(|fact| {
            let related = !fact.is_disjoint(&found);
            if related {
                found.extend(fact);
            }
            !related
        });
        if found.len() == before {
            break;
        }
    }
    let mut unknowns = Vec::new();
    for variable in found {
        let unknown = encoding.unknowns[&variable].clone();
        if !unknowns.contains(&unknown) {
            unknowns.push(unknown);
        }
    }
    unknowns.extend(functions.into_iter().map(|what| (Unknown::Unmodelled(what), None)));
    unknowns
}

/// The uninterpreted functions that an expression applies, in words.
fn functions_of(expressions: &Expressions, expression: Expression) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    expressions.for_each_part(expression, |part| {
        if let Node::Apply(function, _) = expressions.node(part) {
            found.insert(function_in_words(&expressions.functions()[*function].name));
        }
    });
    found
}
