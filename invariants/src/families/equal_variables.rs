//! `equal-variables`: two variables of a thread that start alike and are assigned alike.
//!
//! Let `x0 = y0`, and let some value that an iteration assigns to `x` also be one that it assigns
//! to `y`. Then
//!
//! * `P → x = y`;
//! * `P ∧ c → x = y` for each condition `c` of these assignments that the loop does not change.
//!
//! Example: each iteration computes `x = x ^ 1`, and the first thread then sets `y = x`. This
//! gives `tid = 0 → x = y`.
//!
//! Useful where a thread computes the value that it waits for, and a second variable holds the
//! value that it has read in the end. The family `affine-equalities` knows neither `x ^ 1` nor
//! anything of values that are read.

use indexmap::IndexSet;
use lockstep_ir::sequential::{Expression, Loop, Node};
use rustc_hash::FxHashSet;

use super::predicate_facts::CONDITIONS;
use crate::claims::Claim;
use crate::context::Context;
use crate::scan::CarriedCopy;

/// The most values of a variable that are compared with those of others.
const MOST_VALUES: usize = 16;

/// The most pairs of variables of a thread.
const MOST_PAIRS: usize = 12;

pub fn claims(context: &mut Context<'_>, loop_: Loop) -> Vec<Claim> {
    let copies: Vec<CarriedCopy> = context.carried_bits(loop_);
    let is_steady: Vec<bool> = copies.iter().map(|&copy| context.scan.evolution(copy).is_steady()).collect();
    let assigned: Vec<Assigned> = copies.iter().map(|&copy| Assigned::to(context, copy)).collect();
    let mut found = Vec::new();
    for thread in 0..2 {
        let mut pairs = 0;
        // A variable that both threads share is compared with those of each.
        let is_of_thread = |at: &usize| copies[*at].thread == thread || context.is_uniform(copies[*at]);
        let of_thread: Vec<usize> = (0..copies.len()).filter(is_of_thread).collect();
        for (&x, &y) in of_thread.iter().flat_map(|x| of_thread.iter().filter(move |y| x < *y).map(move |y| (x, y))) {
            let (x, y) = if context.is_uniform(copies[x]) { (y, x) } else { (x, y) };
            let [one, other] = [copies[x], copies[y]];
            // Two closed forms say everything.
            let are_alike = one.thread == thread
                && !(is_steady[x] && is_steady[y])
                && context.width_of(one) == context.width_of(other)
                && context.initial(one) == context.initial(other)
                && assigned[x].values.iter().any(|value| assigned[y].values.contains(value));
            if !are_alike || pairs == MOST_PAIRS {
                continue;
            }
            pairs += 1;
            let values = [one, other].map(|copy| context.current(copy));
            let same = context.expressions.equal(values[0], values[1]);
            found.push(Claim::carried(context, one, same));
            let conditions = assigned[x].conditions.union(&assigned[y].conditions);
            for &condition in conditions.take(CONDITIONS) {
                let guarded = context.expressions.implies(condition, same);
                found.push(Claim::carried(context, one, guarded));
            }
        }
    }
    found
}

/// The assignments to a variable in an iteration.
#[derive(Default)]
struct Assigned {
    /// The assigned values, other than its own.
    values: IndexSet<Expression>,
    /// The conditions that the loop does not change.
    conditions: IndexSet<Expression>,
}

impl Assigned {
    fn to(context: &mut Context<'_>, copy: CarriedCopy) -> Self {
        let mut assigned = Self::default();
        let own = context.current(copy);
        let e = &*context.expressions;
        let mut waiting = vec![context.next(copy)];
        let mut seen = FxHashSet::default();
        while let Some(value) = waiting.pop() {
            match *e.node(value) {
                _ if value == own || seen.contains(&value) => {}
                Node::IfThenElse(condition, then, otherwise) if seen.len() < MOST_VALUES => {
                    seen.insert(value);
                    assigned.add_conditions(context, copy.loop_, condition);
                    waiting.extend([then, otherwise]);
                }
                _ => _ = assigned.values.insert(value),
            }
        }
        assigned
    }

    fn add_conditions(&mut self, context: &Context<'_>, loop_: Loop, condition: Expression) {
        match context.expressions.node(condition) {
            Node::And(parts) => parts.iter().for_each(|&part| self.add_conditions(context, loop_, part)),
            _ if context.scan.is_invariant(context.expressions, loop_, condition) => {
                self.conditions.insert(condition);
            }
            _ => {}
        }
    }
}
