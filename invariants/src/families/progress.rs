//! `progress`: the distance that a variable has moved since an access was recorded, without
//! iteration numbers.
//!
//! Let `g` be a running sum of a variable's steps (see [`crate::sums`]), `o` the variable's value
//! before the outermost loop that advances it, and `s` a step:
//!
//! * `P → x = o + g`, in nests also for threads that have left the loop, and
//!   `hit → x_hit = o + g_hit`; going down `o - g`;
//! * `hit → g_hit ≤ g` and `hit → s ≤ g - g_hit`, unsigned. They are proposed at the head of the
//!   loop around the site that advances `x` most often, and at the heads of the loops around that
//!   one. They also hold as long as some thread continues alone. At the heads of the loops inside,
//!   the hit may also be from the current iteration: then the counters of the advancing loops are
//!   those of the hit, and `g = g_hit`;
//! * the same for hits in the current round only. A round is an iteration of the loops around all
//!   those of the sum; the sum begins at zero in each round;
//! * `g ≤ 2^62` for 64 bits: accesses are assumed to lie within 2^56 bytes of their array's
//!   pointer. So a variable that is used as an index is small in each iteration, whatever it is
//!   compared with, and the sum is too;
//! * `g ≤ s·k` for a constant step of 64 bits in a single loop: if only a counter bounds the sum,
//!   it does not wrap.
//!
//! Inductive: a hit of this iteration has `g_hit = g` at the access, and the following step makes
//! the difference `s`. An earlier hit has a difference of at least `s` already, and adding `s` once
//! more keeps it so unless the sum wraps. The sum does not wrap if the variable that follows it
//! does not.
//!
//! Example: `for (i = gid; i < n; i += get_global_size(0)) y[i] = …`: thread 2's `i` is a whole
//! launch ahead of thread 1's `i` in an earlier iteration, up to the difference of their ids. The
//! difference is less than a launch, so the cells differ.
//!
//! Useful where steps are symbolic or no powers of two: the claims have no products and no
//! remainders, only sums. Also useful in nests where an index continues through all loops and has
//! no closed form.

use lockstep_ir::sequential::{CompareOp, Expression, Loop, Site};

use crate::claims::Claim;
use crate::context::Context;
use crate::scan::is_inside;
use crate::sums::{Sum, copies};

pub fn claims(context: &mut Context<'_>, loop_: Loop) -> Vec<Claim> {
    let mut found = Vec::new();
    for sum in context.sums {
        followers(context, loop_, sum, &mut found);
    }
    found
}

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    let sums = context.sums;
    for sum in sums {
        if is_inside(context.loops, loop_, sum.root()) {
            bounded(context, loop_, sum);
        }
    }
    for site in context.changing_sites(loop_) {
        for sum in sums {
            hits(context, loop_, site, sum);
        }
    }
}

/// `x = o + g` for the variables that the loop carries.
fn followers(context: &mut Context<'_>, loop_: Loop, sum: &Sum, found: &mut Vec<Claim>) {
    let ghost = context.expressions.variable(sum.variable);
    for &member in sum.members.iter().filter(|member| member.0 == loop_) {
        for copy in copies(context.loops, member) {
            let origin = context.origin(copy);
            let x = context.current(copy);
            let e = &mut *context.expressions;
            let form = if sum.down { e.subtract(origin, ghost) } else { e.add(origin, ghost) };
            let equal = e.equal(x, form);
            found.push(Claim::carried(context, copy, equal));
            // An enclosing loop continues with the value.
            if sum.members.iter().any(|&(other, _)| other != member.0) {
                found.push(Claim::lasting(context, copy, equal));
            }
        }
    }
}

/// `g ≤ 2^62`, and `g ≤ s·k` if the counter bounds the sum more tightly than the variable does.
fn bounded(context: &mut Context<'_>, loop_: Loop, sum: &Sum) {
    let ghost = context.expressions.variable(sum.variable);
    if context.expressions.width(ghost) != 64 {
        return;
    }
    let far = context.expressions.number(64, 1 << 62);
    let near = context.expressions.compare(CompareOp::UnsignedLessEqual, ghost, far);
    context.propose(near);
    let [(only, step)] = sum.steps[..] else { return };
    let Some(step) = context.expressions.as_bits(step).cloned() else { return };
    if only != loop_ {
        return;
    }
    let counter = context.expressions.variable(context.loops[loop_].counter);
    let most = context.expressions.scale(step, counter);
    let few = context.expressions.compare(CompareOp::UnsignedLessEqual, ghost, most);
    context.propose(few);
}

/// The claims about a hit.
fn hits(context: &mut Context<'_>, loop_: Loop, site: Site, sum: &Sum) {
    let data = context.sites[site].clone();
    let Some(ghost_then) = data.recorded.iter().find(|recorded| recorded.original == sum.variable) else { return };
    let then = context.expressions.variable(ghost_then.recorded);
    // Outside its loops the sum has no meaning.
    if !is_inside(context.loops, loop_, sum.root()) {
        return;
    }
    let now = context.expressions.variable(sum.variable);
    let ordered = context.expressions.compare(CompareOp::UnsignedLessEqual, then, now);
    // Closed forms handle constant steps.
    let symbolic = sum.steps.iter().any(|&(_, step)| context.expressions.as_bits(step).is_none());
    let rounds = if symbolic { loops_around(context, sum.root()) } else { Vec::new() };
    let other_round = in_another_iteration(context, site, &rounds);
    propose_in_round(context, site, other_round, ordered);
    let advance = context.expressions.subtract(now, then);
    let advances_here = sum.steps.iter().any(|&(of, _)| is_inside(context.loops, of, loop_));
    for step in steps_behind(sum, &data.loops) {
        let mut further = context.expressions.compare(CompareOp::UnsignedLessEqual, step, advance);
        if !advances_here {
            let same = context.expressions.equal(then, now);
            let of_sum = |around: &Loop| sum.steps.iter().any(|(of, _)| of == around);
            let advancing: Vec<Loop> = loops_around(context, loop_).into_iter().filter(of_sum).collect();
            let iterations = in_another_iteration(context, site, &advancing);
            let same_iterations = iterations.map(|others| context.expressions.not(others));
            let same = context.expressions.and(same_iterations.into_iter().chain([same]));
            further = context.expressions.or([same, further]);
        }
        propose_in_round(context, site, other_round, further);
        // If the test is at the end, the last iteration accesses and does not advance.
        let guard = context.loops[loop_].guard;
        let guarded = context.expressions.implies(guard, further);
        context.propose_of_hit(site, guarded);
    }
}

/// The loops around a loop, the innermost first.
fn loops_around(context: &Context<'_>, loop_: Loop) -> Vec<Loop> {
    let parent = |of: &Loop| context.loops[*of].parent;
    std::iter::successors(parent(&loop_), parent).collect()
}

/// The condition that an access was in another iteration of one of these loops. `None` if there is
/// none, or if the record does not determine the iteration.
fn in_another_iteration(context: &mut Context<'_>, site: Site, loops: &[Loop]) -> Option<Expression> {
    let mut others = Vec::new();
    for &around in loops {
        let counter = context.loops[around].counter;
        let recorded = context.sites[site].recorded.iter().find(|recorded| recorded.original == counter)?.recorded;
        let [now, then] = [counter, recorded].map(|variable| context.expressions.variable(variable));
        let same = context.expressions.equal(now, then);
        others.push(context.expressions.not(same));
    }
    (!others.is_empty()).then(|| context.expressions.or(others))
}

/// Proposes a condition on a hit, and the same condition on a hit of this round. A round is an
/// iteration of the loops around those of the sum.
fn propose_in_round(context: &mut Context<'_>, site: Site, other_round: Option<Expression>, condition: Expression) {
    context.propose_of_hit(site, condition);
    if let Some(other_round) = other_round {
        let in_round = context.expressions.or([other_round, condition]);
        context.propose_of_hit(site, in_round);
    }
}

/// The steps that may come next after an access: those of the loops around it, innermost first.
fn steps_behind(sum: &Sum, around: &[Loop]) -> Vec<Expression> {
    let mut steps: Vec<Expression> = Vec::new();
    for loop_ in around.iter().rev() {
        for &(of, step) in &sum.steps {
            if of == *loop_ && !steps.contains(&step) {
                steps.push(step);
            }
        }
    }
    steps.truncate(2);
    steps
}
