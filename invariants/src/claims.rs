//! Claims: what a family states about a value, wherever the value is kept.
//!
//! A claim `c(x, k)` is a condition over the values at the head of a loop: a variable `x` that the
//! loop carries, its iteration number `k`, and values that the loop does not change. A family
//! states it once. The same condition is then a candidate in each place that keeps such a value:
//!
//! * at the loop's head for the current value, while the thread iterates or for longer ([`While`]);
//! * after a way out for the value taken along, `left → c(t, k)`, where both threads share `x`;
//! * at the heads of all loops that may record an access, `hit → c(x_hit, k_hit)`.
//!
//! A claim about a record is inductive, because it held at the head of the iteration of the access.
//! Between that head and the access `x` does not change, and afterwards the record does not.
//!
//! The candidates about records come after all others of a loop. Solvers are several times slower
//! if they come before the facts of the accesses.

use cranelift_entity::SecondaryMap;
use lockstep_ir::sequential::{Expression, Loop, Site, Variable};

use crate::context::Context;
use crate::scan::CarriedCopy;

/// A condition on a value, over the values at the head of a loop.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The variable. If an access records it, the claim is about the recorded value, too.
    pub about: Variable,
    /// When the condition holds at the head.
    pub holds: While,
    /// The condition.
    pub condition: Expression,
}

/// When a claim holds at the head of a loop.
#[derive(Clone, Copy, Debug)]
pub enum While {
    /// While the copy's thread iterates.
    Iterating(CarriedCopy),
    /// While the copy's thread iterates; for a variable that both threads share, perhaps always.
    Carried(CarriedCopy),
    /// As before, and after the thread has left: then the variable does not change any more.
    Lasting(CarriedCopy),
    /// After a thread has left by the way out that this flag records.
    Left(Variable),
}

impl Claim {
    /// A claim about a carried variable.
    pub fn carried(context: &Context<'_>, copy: CarriedCopy, condition: Expression) -> Self {
        Self { about: context.variable_of(copy), holds: While::Carried(copy), condition }
    }

    /// A claim about a carried variable that stays true when the thread has left.
    pub fn lasting(context: &Context<'_>, copy: CarriedCopy, condition: Expression) -> Self {
        Self { about: context.variable_of(copy), holds: While::Lasting(copy), condition }
    }
}

/// The claims of a family, stated when they are first needed.
pub struct Claims {
    state: fn(&mut Context<'_>, Loop) -> Vec<Claim>,
    of_loops: SecondaryMap<Loop, Option<Vec<Claim>>>,
}

impl Claims {
    /// The claims that a family states.
    pub fn new(state: fn(&mut Context<'_>, Loop) -> Vec<Claim>) -> Self {
        Self { state, of_loops: SecondaryMap::new() }
    }

    fn of(&mut self, context: &mut Context<'_>, loop_: Loop) -> &[Claim] {
        let state = self.state;
        self.of_loops[loop_].get_or_insert_with(|| state(context, loop_))
    }

    /// Proposes the candidates about current values, at the head of a loop.
    pub fn propose(&mut self, context: &mut Context<'_>, loop_: Loop) {
        for claim in self.of(context, loop_) {
            at_head(context, claim);
        }
    }

    /// Proposes the candidates about a value recorded with an access, at the head of a loop.
    pub fn propose_of_recorded(&mut self, context: &mut Context<'_>, loop_: Loop, site: Site, original: Variable) {
        let data = &context.sites[site];
        let counter = data.loops.iter().copied().find(|&around| context.loops[around].counter == original);
        let carried = context.scan.carried.get(&original).map(|copy| copy.loop_);
        let carried = carried.filter(|of| data.loops.contains(of));
        let taken_along = context.scan.leaving.get(&original).map(|&(left, _)| left);
        let Some(of) = counter.or(carried).or(taken_along) else { return };
        for claim in self.of(context, of).iter().filter(|claim| claim.about == original) {
            if let Some(condition) = context.at_hit(site, loop_, claim.condition) {
                context.propose_of_hit(site, condition);
            }
        }
    }
}

fn at_head(context: &mut Context<'_>, claim: &Claim) {
    let condition = claim.condition;
    let (guard, copy) = match claim.holds {
        While::Left(taken) => (context.expressions.variable(taken), None),
        While::Iterating(copy) => (context.active(copy), None),
        While::Lasting(copy) if !context.is_uniform(copy) => (context.was_active(copy.loop_, copy.thread), None),
        While::Carried(copy) | While::Lasting(copy) => (context.active(copy), Some(copy)),
    };
    let guarded = context.expressions.implies(guard, condition);
    context.propose(guarded);
    if let Some(copy) = copy.filter(|&copy| context.is_uniform(copy)) {
        context.propose(condition);
        of_exits(context, copy, condition);
    }
}

/// Proposes a condition on a variable for the values of it that threads take along when they leave
/// the loop.
fn of_exits(context: &mut Context<'_>, copy: CarriedCopy, condition: Expression) {
    let x = context.current(copy);
    for exit in &context.scan.exits[copy.loop_] {
        for &(taken_along, _) in exit.values.iter().filter(|(_, value)| *value == x) {
            let instead = context.expressions.variable(taken_along);
            let condition = context.replaced(condition, copy, instead);
            let left = context.expressions.variable(exit.taken);
            let guarded = context.expressions.implies(left, condition);
            context.propose(guarded);
        }
    }
}
