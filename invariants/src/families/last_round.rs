//! `last-round`: facts about the previous iteration, from a variable that each iteration
//! recomputes.
//!
//! Let each iteration compute `v := e(x)`. The expression `e` is over variables `x` that grow by a
//! step `s` in each iteration, and over terms that the loop does not change. At the head of the
//! next iteration `x` is one step further, so
//!
//! ```text
//!     P → x = x0 ∨ v = e(x - s)
//! ```
//!
//! The conditions under which the thread returned are true in `e`. A thread that leaves keeps its
//! `v` and its `x`, so the claim also holds for it if the variables are its own. An `x` that both
//! threads share advances until the end of the iteration in which they leave. Consider each way
//! out: `left` records that it was taken, `c` are the conditions under which it is taken, and `t`
//! is a value taken along that equals `e(x)` then. Proposed are:
//!
//! ```text
//!     left → t = e(x - s)
//!     left → c(x - s)
//!     left → x - s = x0 ∨ t = e(x - 2s)     for a t that is v
//! ```
//!
//! For a `t` that is such an `x`, or that is shifted, both are expressed in terms of `k - 1`. The
//! conditions of the family `bounds` on `x` are proposed for `x - s`. For recorded values the claim
//! is `hit → x_hit = x0 ∨ v_hit = e(x_hit - s)`.
//!
//! Inductive: the claim holds after an iteration whatever held before it, and a thread that has
//! left changes nothing.
//!
//! If a loop that both threads leave together has a barrier, accesses that are pending at its head
//! are from the last iteration: `P → hit → k_hit + 1 = k` for each site in it, and
//! `left → hit → k_hit + 1 = k` or `k_hit + 2 = k`, depending on whether the thread left after the
//! access or in the iteration after it. In addition, `left → c` is proposed for the conditions `c`
//! of the way out, with variables that grow or are shifted in terms of `k - 1`. Pending accesses
//! outside the loop were already pending when the loop began: `P → hit → k = 0` and
//! `left → hit → k = 1`.
//!
//! Example: in `for (i = 0; i < n; i++) { flag = i < id && id < 63 - i; if (flag) …; }` the claim
//! is `i = 0 ∨ (flag ⇔ i - 1 < id ∧ id < 64 - i)` at the head, and after the loop
//! `n - 1 < id < 64 - n` if `flag` and `n > 0`.
//!
//! Useful where a flag records which threads took part in the last round: in stencils that compute
//! several time steps in one launch and whose tiles shrink. Also useful for tree reductions and
//! scans whose barrier is at the beginning of an iteration.

use lockstep_ir::sequential::{Copies, Expression, Loop, Node, Site, Variable};
use rustc_hash::FxHashMap;

use super::bounds;
use crate::claims::{Claim, While};
use crate::context::Context;
use crate::scan::{CarriedCopy, Exit};

/// The maximum number of variables analysed in one loop: more are a state, not flags.
const VARIABLES: usize = 16;

pub fn claims(context: &mut Context<'_>, loop_: Loop) -> Vec<Claim> {
    let stepping = stepping(context, loop_);
    let mut found = Vec::new();
    for (copy, made) in remade(context, loop_, &stepping) {
        let holds = if made.lasts(context) { While::Lasting(copy) } else { While::Iterating(copy) };
        found.push(Claim { about: context.variable_of(copy), holds, condition: made.at(context, 0) });
    }
    found
}

pub fn propose(context: &mut Context<'_>, loop_: Loop) {
    let stepping = stepping(context, loop_);
    let remade = remade(context, loop_, &stepping);
    for exit in context.scan.exits[loop_].clone() {
        taken_along(context, loop_, &stepping, &remade, &exit);
    }
    pending(context, loop_);
}

/// A variable that grows by the same step in each iteration.
#[derive(Clone, Copy)]
struct Stepping {
    copy: CarriedCopy,
    x: Expression,
    step: Expression,
    uniform: bool,
}

impl Stepping {
    /// Its value this many iterations ago.
    fn ago(&self, context: &mut Context<'_>, iterations: u64) -> Expression {
        let width = context.expressions.width(self.x);
        let times = context.expressions.number(width, iterations);
        let way = context.expressions.multiply(times, self.step);
        context.expressions.subtract(self.x, way)
    }
}

/// A variable that each iteration recomputes.
struct Remade {
    /// The variable.
    value: Expression,
    /// The value that an iteration computes, over the values at its beginning.
    made: Expression,
    /// The growing variables in that value.
    stepping: Vec<Stepping>,
}

impl Remade {
    /// Whether none of the variables changes after the thread has left.
    fn lasts(&self, context: &Context<'_>) -> bool {
        let of_one = |variable: &Variable| context.expressions.variables()[*variable].thread.is_some();
        let own = matches!(context.expressions.node(self.value), Node::Variable(variable) if of_one(variable));
        own && self.stepping.iter().all(|one| !one.uniform)
    }

    /// `x = x0 ∨ v = e(x - s)` in terms of the current `x`. For a shared `x`, it is for `later`
    /// iterations later.
    fn at(&self, context: &mut Context<'_>, later: u64) -> Expression {
        let first = self.stepping[0];
        let now = first.ago(context, if first.uniform { later } else { 0 });
        let initial = context.initial(first.copy);
        let at_first = context.expressions.equal(now, initial);
        let before = moved(context, &self.stepping, self.made, 1, later);
        let same = context.expressions.equal(self.value, before);
        context.expressions.or([at_first, same])
    }
}

/// `made` with each growing variable replaced by its value `ago` iterations ago; for a shared
/// variable, `later` more.
fn moved(context: &mut Context<'_>, stepping: &[Stepping], made: Expression, ago: u64, later: u64) -> Expression {
    let mut map = FxHashMap::default();
    for one in stepping {
        let before = one.ago(context, ago + if one.uniform { later } else { 0 });
        map.insert(context.variable_of(one.copy), before);
    }
    context.expressions.substitute(made, &map, &mut FxHashMap::default())
}

fn stepping(context: &mut Context<'_>, loop_: Loop) -> Vec<Stepping> {
    let mut found = Vec::new();
    for copy in context.carried_bits(loop_) {
        let Some(step) = context.scan.evolution(copy).exact_step() else { continue };
        if context.expressions.as_bits(step).is_some_and(lockstep_ir::bits::Bits::is_zero) {
            continue;
        }
        let uniform = context.loops[loop_].carried[copy.index].variable.is_uniform();
        found.push(Stepping { copy, x: context.current(copy), step, uniform });
    }
    found
}

/// The variables that each iteration recomputes, with the claims about them.
fn remade(context: &mut Context<'_>, loop_: Loop, stepping: &[Stepping]) -> Vec<(CarriedCopy, Remade)> {
    let mut found = Vec::new();
    if stepping.is_empty() {
        return found;
    }
    for copy in context.carried_copies(loop_) {
        if context.scan.evolution(copy).is_irregular() {
            let (value, next) = (context.current(copy), context.next(copy));
            let conditions = context.scan.loops[loop_].continuing[copy.thread].clone();
            if let Some((made, stepping)) = made_of(context, loop_, copy.thread, stepping, &conditions, next) {
                found.push((copy, Remade { value, made, stepping }));
            }
        }
    }
    found.truncate(VARIABLES);
    found
}

/// An expression in the body, over the values at the beginning of an iteration, with its growing
/// variables. The thread executes it under these conditions. `None` unless it depends on growing
/// variables and otherwise only on terms that the loop does not change.
fn made_of(
    context: &mut Context<'_>,
    loop_: Loop,
    thread: usize,
    stepping: &[Stepping],
    conditions: &[Expression],
    expression: Expression,
) -> Option<(Expression, Vec<Stepping>)> {
    let mut known = FxHashMap::default();
    let (yes, no) = (context.expressions.boolean(true), context.expressions.boolean(false));
    let active = *context.loops[loop_].active.of(thread);
    let active = context.expressions.variable(active);
    for &condition in conditions.iter().chain([&active]) {
        let opposite = context.expressions.not(condition);
        known.insert(condition, Some(yes));
        known.insert(opposite, Some(no));
    }
    known.extend(stepping.iter().map(|one| (one.x, Some(one.x))));
    let made = context.in_terms_of(loop_, expression, &mut known)?;
    let mut inside = Vec::new();
    context.expressions.for_each_variable(made, |variable| {
        inside.extend(stepping.iter().copied().filter(|one| context.variable_of(one.copy) == variable));
    });
    (!inside.is_empty()).then_some((made, inside))
}

/// The values that threads take along when they leave the loop.
fn taken_along(
    context: &mut Context<'_>,
    loop_: Loop,
    stepping: &[Stepping],
    remade: &[(CarriedCopy, Remade)],
    exit: &Exit,
) {
    let left = context.expressions.variable(exit.taken);
    let divergent = matches!(context.loops[loop_].active, Copies::Each(_));
    let mut involved: Vec<Stepping> = Vec::new();
    for &(taken_along, value) in &exit.values {
        let result = context.expressions.variable(taken_along);
        let thread = context.expressions.variables()[taken_along].thread.unwrap_or(0);
        let (claim, growing) = if let Some((_, claim)) = remade.iter().find(|(_, claim)| claim.value == value) {
            let kept = Remade { value: result, made: claim.made, stepping: claim.stepping.clone() };
            (kept.at(context, 1), kept.stepping)
        } else {
            // A value that grows itself has a closed form.
            if let Some(form) = form_when_left(context, loop_, value) {
                let same = context.expressions.equal(result, form);
                let guarded = context.expressions.implies(left, same);
                context.propose(guarded);
                when_left(context, loop_, exit);
            }
            if matches!(context.expressions.node(value), Node::Variable(_) | Node::Sum(..)) {
                continue;
            }
            let Some((made, growing)) = made_of(context, loop_, thread, stepping, &exit.conditions, value) else {
                continue;
            };
            let made = moved(context, &growing, made, 0, 1);
            (context.expressions.equal(result, made), growing)
        };
        // In a loop that threads leave one by one, a shared variable advances after that for as
        // long as any thread stays.
        if divergent && growing.iter().any(|one| one.uniform) {
            continue;
        }
        let guarded = context.expressions.implies(left, claim);
        context.propose(guarded);
        for one in growing {
            if involved.iter().all(|other| other.x != one.x) {
                involved.push(one);
            }
        }
    }
    ways_there(context, loop_, left, exit, &involved);
}

/// The conditions under which a way out is taken, and the bounds of growing variables, both at that
/// moment.
fn ways_there(context: &mut Context<'_>, loop_: Loop, left: Expression, exit: &Exit, involved: &[Stepping]) {
    if involved.is_empty() {
        return;
    }
    let thread = context.expressions.variables()[exit.taken].thread.unwrap_or(0);
    let mut then = Vec::new();
    for &condition in &exit.conditions {
        then.extend(made_of(context, loop_, thread, involved, &[], condition));
    }
    for one in involved.iter().filter(|one| one.uniform) {
        for condition in bounds::conditions(context, one.copy) {
            then.push((condition, vec![*one]));
        }
    }
    for (condition, growing) in then {
        let condition = moved(context, &growing, condition, 0, 1);
        let guarded = context.expressions.implies(left, condition);
        context.propose(guarded);
    }
}

/// Proposes that pending accesses are from the last iteration, and conditions on that iteration.
fn pending(context: &mut Context<'_>, loop_: Loop) {
    let data = &context.loops[loop_];
    let Copies::Uniform(active) = data.active else { return };
    let sites: Vec<Site> = context.changing_sites(loop_);
    if !data.has_barrier || sites.is_empty() {
        return;
    }
    let (original, active) = (data.counter, context.expressions.variable(active));
    let counter = context.expressions.variable(original);
    let exits = context.scan.exits[loop_].clone();
    for site in sites {
        let ago = |context: &mut Context<'_>, start: Expression, iterations: u64| {
            let iterations = context.expressions.number(64, iterations);
            let later = context.expressions.add(start, iterations);
            context.expressions.equal(later, counter)
        };
        let then = context.sites[site].recorded.iter().find(|one| one.original == original).map(|one| one.recorded);
        // The condition while the threads continue, and the alternatives when they have left.
        let (going, gone) = if let Some(then) = then {
            let then = context.expressions.variable(then);
            let before = ago(context, then, 1);
            (before, vec![before, ago(context, then, 2)])
        } else {
            let zero = context.expressions.number(64, 0);
            (ago(context, zero, 0), vec![ago(context, zero, 1)])
        };
        let guarded = context.expressions.implies(active, going);
        context.propose_of_hit(site, guarded);
        for exit in &exits {
            let left = context.expressions.variable(exit.taken);
            for &last in &gone {
                let guarded = context.expressions.implies(left, last);
                context.propose_of_hit(site, guarded);
            }
        }
    }
    for exit in &exits {
        when_left(context, loop_, exit);
    }
}

/// The value of a shared variable in the iteration in which the threads left a loop together.
fn form_when_left(context: &mut Context<'_>, loop_: Loop, value: Expression) -> Option<Expression> {
    let &Node::Variable(variable) = context.expressions.node(value) else { return None };
    let &copy = context.scan.carried.get(&variable)?;
    let uniform = context.loops[loop_].carried.get(copy.index)?.variable.is_uniform();
    if copy.loop_ != loop_ || !uniform || !matches!(context.loops[loop_].active, Copies::Uniform(_)) {
        return None;
    }
    form_of_last(context, copy)
}

/// A variable in terms of the number of the previous iteration, if it has a closed form.
fn form_of_last(context: &mut Context<'_>, copy: CarriedCopy) -> Option<Expression> {
    let counter = context.expressions.variable(context.loops[copy.loop_].counter);
    let one = context.expressions.number(64, 1);
    let last = context.expressions.subtract(counter, one);
    context.closed_form(copy, last)
}

/// The conditions of a way out in terms of the number of the iteration in which it was taken.
fn when_left(context: &mut Context<'_>, loop_: Loop, exit: &Exit) {
    let mut known = FxHashMap::default();
    for copy in context.carried_bits(loop_) {
        let form = form_of_last(context, copy);
        known.insert(context.current(copy), form);
    }
    let left = context.expressions.variable(exit.taken);
    for &condition in &exit.conditions {
        if let Some(condition) = context.in_terms_of(loop_, condition, &mut known.clone()) {
            let guarded = context.expressions.implies(left, condition);
            context.propose(guarded);
        }
    }
}
