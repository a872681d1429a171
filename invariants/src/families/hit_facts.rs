//! `hit-facts`: a recorded access, and when it was.
//!
//! For each site whose hit the loop changes:
//!
//! * `hit → fact` for each of the site's facts: the access touches the watched cell, and the
//!   conditions hold under which the site is reached;
//! * `hit → written = v` for a site that writes `v`, if `v` is arithmetic over values known at the
//!   hit, and does not come from memory or from a function;
//! * `hit → c` for each condition `c` on the way to a loop around the site: thread 1 has passed it,
//!   even if it is no longer active;
//! * `hit → k_hit < k` for the loop itself and `hit → k_hit ≤ k` for the loops around it; in a nest
//!   also `hit ∧ (no outer loop has gone on since) → k_hit < k`, since an inner counter starts
//!   again;
//! * `hit → k_hit = k` for a loop around it with a barrier, which may have ordered everything
//!   before this iteration. The same is proposed under the condition that this loop was entered,
//!   `E1 ∨ E2`, because a thread that leaves the outer loop before the barrier passes neither.
//!
//! All but the last two are over recorded values and values that cannot have changed since. So an
//! iteration either leaves them unchanged or, at the site, makes them true. Other families' claims
//! about a variable are also proposed for its recorded value ([`crate::claims`]).
//!
//! Example: `A[4*i + tid] = 1` under `i < n` gives `hit → watched = 4·i_hit + tid`,
//! `hit → i_hit < n`, `hit → written = 1` and `hit → k_hit < k`. So the hit of an earlier iteration
//! is on another cell than this iteration's access, if `i_hit` and `i` follow from `k_hit` and `k`.
//!
//! Always useful: without these facts nothing is known about a hit after the loop's head.

use lockstep_ir::sequential::{CompareOp, Expression, Loop, Node, Site, Statement, Variable};

use super::predicate_facts::CONDITIONS;
use crate::context::Context;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    for site in context.changing_sites(loop_) {
        for &fact in &context.sites[site].facts {
            context.propose_of_hit(site, fact);
        }
        if let Some((written, value)) = written_value(context, site)
            && let Some(value) = context.at_hit(site, loop_, value)
        {
            let same = context.expressions.equal(written, value);
            context.propose_of_hit(site, same);
        }
        for &around in &context.sites[site].loops {
            for &passed in context.scan.loops[around].entering[0].iter().take(CONDITIONS) {
                if let Some(passed) = context.at_hit(site, loop_, passed) {
                    context.propose_of_hit(site, passed);
                }
            }
        }
        recorded_counters(context, loop_, site);
    }
}

/// The variable that keeps the value written at the site, and that value, if it consists of
/// variables and numbers only.
fn written_value(context: &mut Context<'_>, site: Site) -> Option<(Expression, Expression)> {
    let data = &context.sites[site];
    let kept = data.written?;
    let body = &context.loops[*data.loops.last()?].body;
    let assigned = body.iter().find_map(|statement| match statement {
        Statement::Assign { variable, value, location: _ } if *variable == kept => Some(*value),
        _ => None,
    })?;
    let written = context.expressions.variable(kept);
    let value = match *context.expressions.node(assigned) {
        Node::IfThenElse(_, value, otherwise) if otherwise == written => value,
        Node::IfThenElse(_, otherwise, value) if otherwise == written => value,
        _ => assigned,
    };
    let loaded = |node: &Node| matches!(node, Node::Select(..) | Node::Store(..) | Node::Apply(..));
    (!context.expressions.occurs(&[value], loaded)).then_some((written, value))
}

fn recorded_counters(context: &mut Context<'_>, loop_: Loop, site: Site) {
    let entered = entered_by_one(context, loop_);
    // The conditions that the enclosing loops are in the iteration of the hit.
    let mut same_iterations: Vec<Expression> = Vec::new();
    for enclosing in loops_around(context, loop_) {
        let Some((counter, recorded)) = counters(context, enclosing, site) else { continue };
        let before = context.expressions.compare(CompareOp::UnsignedLess, recorded, counter);
        if enclosing == loop_ {
            context.propose_of_hit(site, before);
            let same = context.expressions.and(same_iterations.iter().copied());
            let ordered = context.expressions.implies(same, before);
            context.propose_of_hit(site, ordered);
        } else {
            let not_after = context.expressions.compare(CompareOp::UnsignedLessEqual, recorded, counter);
            context.propose_of_hit(site, not_after);
            if !context.sites[site].loops.contains(&loop_) {
                context.propose_of_hit(site, before);
            }
            let same = context.expressions.equal(recorded, counter);
            if context.loops[enclosing].has_barrier {
                context.propose_of_hit(site, same);
                if let Some(entered) = entered {
                    let same = context.expressions.implies(entered, same);
                    context.propose_of_hit(site, same);
                }
            }
            same_iterations.push(same);
        }
    }
}

/// Whether one of the threads enters the loop, if that is not certain.
fn entered_by_one(context: &mut Context<'_>, loop_: Loop) -> Option<Expression> {
    let [first, second] = context.scan.loops[loop_].entered;
    let entered = context.expressions.or([first?, second?]);
    let is_open = context.expressions.as_boolean(entered).is_none();
    (is_open && context.scan.is_invariant(context.expressions, loop_, entered)).then_some(entered)
}

/// The loop and those around it, outermost first.
fn loops_around(context: &Context<'_>, loop_: Loop) -> Vec<Loop> {
    let mut around: Vec<Loop> = std::iter::successors(Some(loop_), |&inner| context.loops[inner].parent).collect();
    around.reverse();
    around
}

/// A loop's counter and its recorded value.
fn counters(context: &mut Context<'_>, loop_: Loop, site: Site) -> Option<(Expression, Expression)> {
    let counter: Variable = context.loops[loop_].counter;
    let recorded = context.sites[site].recorded.iter().find(|recorded| recorded.original == counter)?.recorded;
    Some((context.expressions.variable(counter), context.expressions.variable(recorded)))
}
