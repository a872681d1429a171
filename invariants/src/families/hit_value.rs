//! `hit-value`: the value written by a recorded access.
//!
//! `hit → written = v` for each writing site whose hit the loop changes. The written value `v` must
//! be expressible at the hit, over recorded values, closed forms and unchanged values. Values that
//! come from memory or from a function are left out.
//!
//! Example: all threads execute `flag[0] = 1` in each iteration of a loop. The write of one thread
//! does not race with that of the other in a later iteration, since both write 1:
//! `hit → written = 1`.
//!
//! Useful where several threads write the same value in a loop.

use lockstep_ir::sequential::{Expression, Loop, Node, Site, Statement};
use rustc_hash::FxHashSet;

use crate::context::Context;

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    for site in context.changing_sites(loop_) {
        let Some((written, value)) = written_value(context, site) else { continue };
        if let Some(value) = context.at_hit(site, loop_, value) {
            let same = context.expressions.equal(written, value);
            context.propose_of_hit(site, same);
        }
    }
}

/// The variable that keeps the value written at the site, and that value.
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
    is_arithmetic(context, value).then_some((written, value))
}

/// Whether an expression consists of variables and numbers only.
fn is_arithmetic(context: &Context<'_>, expression: Expression) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![expression];
    while let Some(top) = stack.pop() {
        if !seen.insert(top) {
            continue;
        }
        if matches!(context.expressions.node(top), Node::Select(..) | Node::Store(..) | Node::Apply(..)) {
            return false;
        }
        context.expressions.for_each_operand(top, |operand| stack.push(operand));
    }
    true
}
