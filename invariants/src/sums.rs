//! Adds ghost variables to a program: running sums of the steps of induction variables.
//!
//! A variable that adds `s` in an iteration is `x0 + s·k` in terms of the iteration number `k`. The
//! product is hard for a bit-vector solver if `s` is unknown or is not a power of two. Moreover, an
//! index that continues through the loops of a nest has no such form. So a ghost `g` adds up the
//! steps of `x`:
//!
//! ```text
//!     g := 0;  while (…) { … x := x + s …  g := g + s }         x = x0 + g
//! ```
//!
//! Both threads share the ghost, since they iterate together. All variables and loops that pass a
//! value on share it, too. In a nest it starts before the outermost loop, and each loop adds its
//! own part. It advances only where a thread returns to the loop's head, as the variable does. Each
//! access in these loops records it with the hit, like the counters. The family `progress` proposes
//! the claims about it.
//!
//! **Sound**: the ghosts are new variables. They are assigned at the ends of loop bodies, before
//! loops, and where hits are recorded, and only new assignments read them. No guard, assertion,
//! assumption or other variable depends on them, so the executions of the program are the same,
//! extended by the ghosts' values. An assertion fails in one program if and only if it does in the
//! other. No proof assumes that a ghost follows a variable: the relation is a candidate.

use cranelift_entity::{EntitySet, PrimaryMap};
use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{
    Claim, Expression, Loop, LoopData, Node, ObligationKind, Program, Recorded, Role, Site, Sort, Statement, Variable,
};
use rustc_hash::FxHashMap;

use crate::recurrences::before_inner_loop;
use crate::scan::{CarriedCopy, Scan, is_inside};

/// A running sum.
#[derive(Clone, Debug)]
pub struct Sum {
    /// The ghost.
    pub variable: Variable,
    /// The variables that follow it: loops and the indices of variables that they carry.
    pub members: Vec<(Loop, usize)>,
    /// Whether the members decrease as it increases.
    pub down: bool,
    /// The step of each loop.
    pub steps: Vec<(Loop, Expression)>,
    width: u32,
}

impl Sum {
    /// The outermost loop: before it the sum is zero.
    pub fn root(&self) -> Loop {
        self.members[0].0
    }

    fn step_of(&self, loop_: Loop) -> Option<Expression> {
        self.steps.iter().find(|(of, _)| *of == loop_).map(|(_, step)| *step)
    }
}

/// The maximum number of sums of a program: with more, inference costs more than it gains.
const MOST: usize = 12;

/// Adds the ghosts that are likely to help.
pub fn add_sums(program: &mut Program) -> Vec<Sum> {
    if program.loops.is_empty() {
        return Vec::new();
    }
    let scan = Scan::new(program);
    let mut sums = merged(sums(program, &scan));
    let indexing = indexing(program);
    sums.retain(|sum| pays(program, sum) && says_where(program, &indexing, sum));
    sums.truncate(MOST);
    for sum in &mut sums {
        let sort = Sort::Bits(sum.width);
        sum.variable = program.expressions.add_variable("sum", sort, None, Role::Value);
        insert(program, sum);
    }
    sums
}

/// Whether the sum is better than closed forms in terms of a single iteration number.
fn pays(program: &Program, sum: &Sum) -> bool {
    let simple = |step: Expression| match program.expressions.as_bits(step) {
        Some(bits) => bits.is_zero() || bits.power_of_two().is_some(),
        None => false,
    };
    let in_a_nest = sum.members.iter().any(|&(loop_, _)| loop_ != sum.root());
    in_a_nest || !sum.steps.iter().all(|&(_, step)| simple(step))
}

/// Whether an accessed cell depends on a variable that follows the sum.
fn says_where(program: &Program, indexing: &EntitySet<Variable>, sum: &Sum) -> bool {
    sum.members.iter().any(|&(loop_, index)| {
        program.loops[loop_].carried[index].variable.iter().any(|&variable| indexing.contains(variable))
    })
}

/// The variables that the places of accesses are computed from, transitively, over all assignments.
/// A loaded value does not count as computed from its index, and a choice between two values does
/// not count as computed from its condition.
fn indexing(program: &Program) -> EntitySet<Variable> {
    let mut assigned: FxHashMap<Variable, Vec<Expression>> = FxHashMap::default();
    let mut waiting: Vec<Expression> = Vec::new();
    let bodies = program.loops.values().map(|data| &data.body).chain([&program.body]);
    for statement in bodies.flatten() {
        match statement {
            &Statement::Assign { variable, value, .. } => assigned.entry(variable).or_default().push(value),
            Statement::Assert { condition, obligation, .. } => match &program.obligations[*obligation].kind {
                ObligationKind::OutOfBounds { cell, .. } => waiting.push(*cell),
                // A user's assertion may be about any variable.
                ObligationKind::Claim { claim: Claim::Assertion, .. }
                | ObligationKind::InvariantEntry
                | ObligationKind::InvariantStep => {
                    waiting.push(*condition);
                }
                _ => {}
            },
            Statement::Havoc { .. } | Statement::Assume { .. } | Statement::Loop(_) => {}
        }
    }
    waiting.extend(program.sites.values().flat_map(|site| site.offset.iter().copied()));
    let (mut found, mut seen) = (EntitySet::new(), EntitySet::new());
    while let Some(top) = waiting.pop() {
        if !seen.insert(top) {
            continue;
        }
        match *program.expressions.node(top) {
            Node::Variable(variable) => {
                if found.insert(variable) {
                    waiting.extend(assigned.get(&variable).into_iter().flatten());
                }
            }
            Node::Select(..) => {}
            Node::IfThenElse(_, then, otherwise) => waiting.extend([then, otherwise]),
            _ => program.expressions.for_each_operand(top, |operand| waiting.push(operand)),
        }
    }
    found
}

/// A sum for each variable, or for each chain of variables that pass a value on through a nest.
fn sums(program: &mut Program, scan: &Scan) -> Vec<Sum> {
    let mut sums: Vec<Sum> = Vec::new();
    let loops: Vec<Loop> = program.loops.keys().collect();
    for loop_ in loops {
        for index in 0..program.loops[loop_].carried.len() {
            let Some(step) = own_step(program, scan, loop_, index) else { continue };
            let carried_on = (0..sums.len()).find(|&sum| carries_on(program, scan, &sums[sum], loop_, index));
            if let Some(sum) = carried_on {
                sums[sum].members.push((loop_, index));
                sums[sum].steps.push((loop_, step));
                continue;
            }
            let variable = *program.loops[loop_].carried[index].variable.of(0);
            let Sort::Bits(width) = program.expressions.variables()[variable].sort else { continue };
            let (members, steps) = (vec![(loop_, index)], vec![(loop_, step)]);
            sums.push(Sum { variable, members, down: false, steps, width });
        }
    }
    for sum in &mut sums {
        turn_upwards(program, sum);
        sum.steps.retain(|&(_, step)| !program.expressions.as_bits(step).is_some_and(Bits::is_zero));
    }
    sums.retain(|sum| !sum.steps.is_empty());
    sums
}

/// The step that a loop itself adds to a variable, apart from the loops inside it. It is the same
/// in each iteration and for both threads.
fn own_step(program: &mut Program, scan: &Scan, loop_: Loop, index: usize) -> Option<Expression> {
    let carried = program.loops[loop_].carried[index].clone();
    let mut step = None;
    for thread in 0..if carried.variable.is_uniform() { 1 } else { 2 } {
        let x = program.expressions.variable(*carried.variable.of(thread));
        if !matches!(program.expressions.sort(x), Sort::Bits(_)) {
            return None;
        }
        let mut waiting = vec![*carried.next.of(thread)];
        // A variable with more successors is not treated as a sum.
        for _ in 0..8 {
            let Some(value) = waiting.pop() else { break };
            if let &Node::IfThenElse(_, then, otherwise) = program.expressions.node(value) {
                waiting.extend([otherwise, then]);
            } else if let Some((before, _)) = before_inner_loop(program, scan, loop_, x, value) {
                waiting.push(before);
            } else {
                let added = program.expressions.subtract(value, x);
                if !scan.is_invariant(&program.expressions, loop_, added) || step.is_some_and(|step| step != added) {
                    return None;
                }
                step = Some(added);
            }
        }
        if !waiting.is_empty() {
            return None;
        }
    }
    step
}

/// Whether a variable starts from one of the sum's variables in an enclosing loop, up to terms that
/// never change there.
fn carries_on(program: &mut Program, scan: &Scan, sum: &Sum, loop_: Loop, index: usize) -> bool {
    let carried = program.loops[loop_].carried[index].clone();
    sum.step_of(loop_).is_none()
        && sum.members.iter().any(|&(around, at)| {
            let begun = program.loops[around].carried[at].clone();
            let same_shape = carried.variable.is_uniform() == begun.variable.is_uniform();
            same_shape
                && loop_ != around
                && is_inside(&program.loops, loop_, around)
                && (0..2).all(|thread| {
                    let x = program.expressions.variable(*begun.variable.of(thread));
                    let initial = *carried.initial.of(thread);
                    if program.expressions.sort(x) != program.expressions.sort(initial) {
                        return false;
                    }
                    let difference = program.expressions.subtract(initial, x);
                    scan.is_invariant(&program.expressions, sum.root(), difference)
                })
        })
}

/// Makes constant steps positive.
fn turn_upwards(program: &mut Program, sum: &mut Sum) {
    let e = &mut program.expressions;
    if sum.steps.iter().any(|&(_, step)| e.as_bits(step).is_some_and(Bits::sign)) {
        sum.down = true;
        for (_, step) in &mut sum.steps {
            *step = e.negate(*step);
        }
    }
}

/// Merges sums: variables with the same steps in the same loops share one.
fn merged(sums: Vec<Sum>) -> Vec<Sum> {
    let mut merged: Vec<Sum> = Vec::new();
    for sum in sums {
        let alike = |one: &&mut Sum| {
            one.root() == sum.root() && one.steps == sum.steps && one.width == sum.width && one.down == sum.down
        };
        match merged.iter_mut().find(alike) {
            Some(known) => known.members.extend(sum.members),
            None => merged.push(sum),
        }
    }
    merged
}

/// Adds the assignments of a ghost.
fn insert(program: &mut Program, sum: &Sum) {
    let ghost = program.expressions.variable(sum.variable);
    let root = sum.root();
    let zero = program.expressions.number(sum.width, 0);
    let start = Statement::Assign { variable: sum.variable, value: zero, location: program.loops[root].location };
    let around = match program.loops[root].parent {
        Some(parent) => &mut program.loops[parent].body,
        None => &mut program.body,
    };
    if let Some(at) = around.iter().position(|statement| *statement == Statement::Loop(root)) {
        around.insert(at, start);
    }
    for &(loop_, step) in &sum.steps {
        let further = program.expressions.add(ghost, step);
        let value = program.expressions.if_then_else(program.loops[loop_].guard, further, ghost);
        let location = program.loops[loop_].location;
        program.loops[loop_].body.push(Statement::Assign { variable: sum.variable, value, location });
    }
    let sites: Vec<Site> = program.sites.keys().collect();
    for site in sites {
        if program.sites[site].loops.contains(&root) {
            record(program, sum, site);
        }
    }
}

/// Records the ghost with the hit, beside the counter of the innermost loop.
fn record(program: &mut Program, sum: &Sum, site: Site) {
    let data = &program.sites[site];
    let Some(&innermost) = data.loops.last() else { return };
    let counter = program.loops[innermost].counter;
    let Some(beside) = data.recorded.iter().find(|recorded| recorded.original == counter) else { return };
    let found = program.loops[innermost].body.iter().enumerate().find_map(|(at, statement)| match statement {
        &Statement::Assign { variable, value, location } if variable == beside.recorded => Some((at, value, location)),
        _ => None,
    });
    let Some((at, value, location)) = found else { return };
    let &Node::IfThenElse(hit_now, ..) = program.expressions.node(value) else { return };
    let name = format!("sum.at.{}$1", site.as_u32());
    let recorded = program.expressions.add_variable(&name, Sort::Bits(sum.width), Some(0), Role::Recorded(site));
    let (now, before) = (program.expressions.variable(sum.variable), program.expressions.variable(recorded));
    let value = program.expressions.if_then_else(hit_now, now, before);
    program.loops[innermost].body.insert(at + 1, Statement::Assign { variable: recorded, value, location });
    program.sites[site].recorded.push(Recorded { original: sum.variable, recorded });
}

/// The copies of a member, both the same for a uniform one.
pub fn copies(loops: &PrimaryMap<Loop, LoopData>, (loop_, index): (Loop, usize)) -> [CarriedCopy; 2] {
    let uniform = loops[loop_].carried[index].variable.is_uniform();
    [0, 1].map(|thread| CarriedCopy { loop_, index, thread: if uniform { 0 } else { thread } })
}
