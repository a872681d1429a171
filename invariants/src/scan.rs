//! Data about loops for the candidate families. It covers the variables that a loop's body changes,
//! the evolution of its carried variables, and the conditions under which a thread returns to the
//! head.
//!
//! All data only guide guesses. A wrong answer costs a candidate, which Houdini drops.

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use lockstep_ir::sequential::{
    BarrierRule, Copies, Expression, Expressions, Loop, LoopData, Node, ObligationKind, Program, Role, Sort, Statement,
    Variable,
};
use rustc_hash::FxHashMap;

use crate::recurrences::{self, Evolution};

/// A carried variable's copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CarriedCopy {
    /// The loop that carries it.
    pub loop_: Loop,
    /// Its index among those that the loop carries.
    pub index: usize,
    /// The thread, 0 for a uniform variable.
    pub thread: usize,
}

/// Data about one loop.
#[derive(Clone, Debug, Default)]
pub struct LoopScan {
    /// The activity of each thread before the loop.
    pub entered: [Option<Expression>; 2],
    /// The variables assigned in the body, loops inside it included, and its counter.
    pub changed: EntitySet<Variable>,
    /// How each carried variable evolves.
    pub evolutions: Vec<Copies<Evolution>>,
    /// The conditions that held at the head of the previous iteration of a thread that returned to
    /// the head, for each thread. They are conjuncts over variables at the head and variables
    /// assigned in the body.
    pub continuing: [Vec<Expression>; 2],
    /// The conditions that held when a thread entered the loop, for each thread.
    pub entering: [Vec<Expression>; 2],
}

/// Data about all loops.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// The data of each loop.
    pub loops: SecondaryMap<Loop, LoopScan>,
    /// The carried variables, with the loops that carry them.
    pub carried: FxHashMap<Variable, CarriedCopy>,
    /// The values with which a thread leaves a loop. For each variable that a loop's body assigns
    /// under a condition and does not carry: the assigned value, over the values in that iteration.
    pub leaving: FxHashMap<Variable, (Loop, Expression)>,
    /// The ways out of each loop.
    pub exits: SecondaryMap<Loop, Vec<Exit>>,
    /// Whether something is claimed of how often a loop of constantly many iterations has done
    /// something: it initialises the barriers of the kernel.
    pub counts_iterations: bool,
}

/// A way out of a loop.
#[derive(Clone, Debug)]
pub struct Exit {
    /// The variable that records whether a thread has taken it; it belongs to no thread if it is
    /// the same for both.
    pub taken: Variable,
    /// The conditions under which a thread takes it, over the values in that iteration.
    pub conditions: Vec<Expression>,
    /// The values that a thread takes along: variables, and their values at that moment, over the
    /// values in that iteration.
    pub values: Vec<(Variable, Expression)>,
}

impl Scan {
    /// Scans all loops of a program.
    pub fn new(program: &mut Program) -> Self {
        let carried = carried_copies(program);
        let leaving = leaving_values(program, &carried);
        let mut exits = SecondaryMap::new();
        for loop_ in program.loops.keys() {
            exits[loop_] = ways_out(program, loop_, &leaving);
        }
        let initialises = |kind: &ObligationKind| *kind == ObligationKind::NamedBarrier(BarrierRule::Initialised);
        let counts_iterations = program.obligations.values().any(|data| initialises(&data.kind));
        let mut scan = Self { loops: SecondaryMap::new(), carried, leaving, exits, counts_iterations };
        let loops: Vec<Loop> = program.loops.keys().collect();
        // Inner loops first: an outer loop's variables evolve through them.
        for &loop_ in loops.iter().rev() {
            for variable in program.changed_in(loop_) {
                scan.loops[loop_].changed.insert(variable);
            }
            let data = &program.loops[loop_];
            scan.loops[loop_].continuing = values_at_end(&mut program.expressions, &program.loops, &data.body, data);
            scan.loops[loop_].evolutions = recurrences::evolutions(program, &scan, loop_);
        }
        for &loop_ in &loops {
            let data = &program.loops[loop_];
            let before = enclosing_statements(&program.loops, &program.body, loop_);
            scan.loops[loop_].entered = [0, 1].map(|thread| {
                let active = *data.active.of(thread);
                before.iter().rev().find_map(|statement| match statement {
                    Statement::Assign { variable, value, .. } if *variable == active => Some(*value),
                    _ => None,
                })
            });
            scan.loops[loop_].entering = values_at_end(&mut program.expressions, &program.loops, before, data);
        }
        scan
    }

    /// Whether `expression` mentions nothing that the loop changes.
    pub fn is_invariant(&self, expressions: &Expressions, loop_: Loop, expression: Expression) -> bool {
        let mut invariant = true;
        expressions.for_each_variable(expression, |variable| {
            invariant &= !self.loops[loop_].changed.contains(variable);
        });
        invariant
    }

    /// How a carried variable's copy evolves.
    pub fn evolution(&self, copy: CarriedCopy) -> &Evolution {
        self.loops[copy.loop_].evolutions[copy.index].of(copy.thread)
    }
}

fn carried_copies(program: &Program) -> FxHashMap<Variable, CarriedCopy> {
    let mut copies = FxHashMap::default();
    for (loop_, data) in &program.loops {
        for (index, carried) in data.carried.iter().enumerate() {
            for (thread, &variable) in carried.variable.iter().enumerate() {
                // A variable carried by several loops belongs to the outermost one; inner loops
                // come later.
                copies.entry(variable).or_insert(CarriedCopy { loop_, index, thread });
            }
        }
    }
    copies
}

fn leaving_values(
    program: &Program,
    carried: &FxHashMap<Variable, CarriedCopy>,
) -> FxHashMap<Variable, (Loop, Expression)> {
    let mut leaving = FxHashMap::default();
    for (loop_, data) in &program.loops {
        for statement in &data.body {
            let &Statement::Assign { variable, value, .. } = statement else { continue };
            let &Node::IfThenElse(_, then, otherwise) = program.expressions.node(value) else { continue };
            let keeps = matches!(program.expressions.node(otherwise), Node::Variable(old) if *old == variable);
            if keeps && !carried.contains_key(&variable) {
                leaving.insert(variable, (loop_, then));
            }
        }
    }
    leaving
}

/// The ways out of a loop. A thread that leaves first saves its values and then sets the flag.
fn ways_out(program: &Program, loop_: Loop, leaving: &FxHashMap<Variable, (Loop, Expression)>) -> Vec<Exit> {
    let mut exits = Vec::new();
    let mut values = Vec::new();
    for statement in &program.loops[loop_].body {
        let &Statement::Assign { variable, value, .. } = statement else { continue };
        if let Some(&(of, then)) = leaving.get(&variable)
            && of == loop_
        {
            values.push((variable, then));
        }
        let stays =
            |part: &Expression| matches!(program.expressions.node(*part), Node::Variable(old) if *old == variable);
        let Node::Or(parts) = program.expressions.node(value) else { continue };
        if parts.iter().any(stays) && program.expressions.variables()[variable].role == Role::Predicate {
            let mut conditions = Vec::new();
            if let [reached] = parts.iter().copied().filter(|part| !stays(part)).collect::<Vec<_>>()[..] {
                conditions = program.expressions.conjuncts(reached);
            }
            let thread = program.expressions.variables()[variable].thread;
            let of_thread = |(value, _): &(Variable, Expression)| {
                thread.is_none() || program.expressions.variables()[*value].thread.is_none_or(|of| Some(of) == thread)
            };
            let values_of_thread = values.iter().filter(|one| of_thread(one)).copied().collect();
            exits.push(Exit { taken: variable, conditions, values: values_of_thread });
            // The flags of both threads come after the values of both threads.
            if thread != Some(0) {
                values.clear();
            }
        }
    }
    exits
}

/// Whether `inner` is `outer` or inside it.
pub fn is_inside(loops: &PrimaryMap<Loop, LoopData>, inner: Loop, outer: Loop) -> bool {
    let mut at = Some(inner);
    while let Some(loop_) = at {
        if loop_ == outer {
            return true;
        }
        at = loops[loop_].parent;
    }
    false
}

// --- Under which conditions a thread is active ---------------------------------------------------

/// The statements before a loop in the body or program around it.
fn enclosing_statements<'a>(
    all: &'a PrimaryMap<Loop, LoopData>,
    body: &'a [Statement],
    loop_: Loop,
) -> &'a [Statement] {
    let around = match all[loop_].parent {
        Some(parent) => &all[parent].body,
        None => body,
    };
    let end = around.iter().position(|statement| *statement == Statement::Loop(loop_));
    &around[..end.unwrap_or(0)]
}

/// The conjuncts of each thread's activity in `data`'s loop after `statements`, over the values
/// before them, as far as straight-line execution determines them.
fn values_at_end(
    expressions: &mut Expressions,
    loops: &PrimaryMap<Loop, LoopData>,
    statements: &[Statement],
    data: &LoopData,
) -> [Vec<Expression>; 2] {
    let mut values: FxHashMap<Variable, Expression> = FxHashMap::default();
    for statement in statements {
        let &Statement::Assign { variable, value, .. } = statement else { continue };
        let value = effective_value(expressions, loops, variable, value);
        let value = expressions.substitute(value, &values, &mut FxHashMap::default());
        values.insert(variable, value);
    }
    [0, 1].map(|thread| {
        let mut conjuncts = Vec::new();
        if let Some(&value) = values.get(data.active.of(thread)) {
            conjuncts = expressions.conjuncts(value);
        }
        without_flags(expressions, conjuncts)
    })
}

/// The conjuncts without the flags among them that others repeat.
fn without_flags(expressions: &mut Expressions, conjuncts: Vec<Expression>) -> Vec<Expression> {
    let flag = |conjunct: &Expression| match expressions.node(*conjunct) {
        Node::Variable(variable) => Some(*variable),
        _ => None,
    };
    let flags: Vec<Variable> = conjuncts.iter().filter_map(flag).collect();
    let yes = expressions.boolean(true);
    let known: FxHashMap<Variable, Expression> = flags.into_iter().map(|flag| (flag, yes)).collect();
    let mut simpler = Vec::new();
    for conjunct in conjuncts {
        let is_flag = matches!(expressions.node(conjunct), Node::Variable(_));
        let rest = if is_flag { conjunct } else { expressions.substitute(conjunct, &known, &mut FxHashMap::default()) };
        simpler.extend(expressions.conjuncts(rest));
    }
    let mut seen = EntitySet::new();
    simpler.retain(|&conjunct| seen.insert(conjunct));
    simpler
}

/// The value that a predicated assignment `x := if p { value } else { x }` assigns if it does. A
/// loop's own activity is kept whole, because the predicate is then part of the conditions that
/// hold afterwards.
fn effective_value(
    expressions: &mut Expressions,
    loops: &PrimaryMap<Loop, LoopData>,
    variable: Variable,
    value: Expression,
) -> Expression {
    let old = expressions.variable(variable);
    match *expressions.node(value) {
        Node::IfThenElse(condition, then, otherwise) if otherwise == old => {
            let is_activity = loops.values().any(|data| data.active.iter().any(|&active| active == variable));
            if is_activity { expressions.and([condition, then]) } else { then }
        }
        Node::IfThenElse(_, then, otherwise) if then == old => otherwise,
        _ => value,
    }
}

/// The comparisons and equations of bit-vectors inside `condition`, in a repeatable order.
pub fn comparisons(expressions: &Expressions, condition: Expression) -> Vec<Expression> {
    let mut found = Vec::new();
    let mut seen = EntitySet::new();
    let mut waiting = vec![condition];
    while let Some(top) = waiting.pop() {
        if !seen.insert(top) {
            continue;
        }
        match expressions.node(top) {
            Node::Compare(..) => found.push(top),
            Node::Equal(a, _) if matches!(expressions.sort(*a), Sort::Bits(_)) => {
                found.push(top);
            }
            _ => expressions.for_each_operand(top, |operand| waiting.push(operand)),
        }
    }
    found
}
