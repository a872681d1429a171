//! `turning-points`: variables that advance only before, or only after, a certain iteration.
//!
//! Let a condition `c` compare `y` with `n`, where `y` goes up or down by one in each iteration and
//! the loop does not change `n`. Then `c` changes at most once while the loop runs, in iteration
//! `T`, the **turning point**: the distance of `y0` from `n`, 64 bits wide, or 0 if `c` has turned
//! at the start.
//!
//! * If `x' = x + s` in the iterations before `T` and `x' = x` from there on, then
//!   `x = x0 + s·min(k, T)`. In the opposite case `x = x0 + s·(k - min(k, T))`. In the first case
//!   that also holds of a thread that has left, if it has passed `T`.
//! * If `x` takes the places of a ring in turn instead of advancing by `s`, in which the closed
//!   form is `r(k)`: `k <= T → x = r(k)`, where it does so before `T`. Where it does so from there
//!   on, `k <= T → x = x0`, and `T <= k → x = r(k - T)`, or `r(k)` if `T` is a multiple of the
//!   ring's length. This is proposed for numbers `T`.
//! * A thread that leaves where `c` turns, leaves in iteration `T`. So a value that it takes along
//!   is that of iteration `T`: `left → t = f(T)`, for a variable with a closed form `f` and for
//!   those above.
//!
//! * Conditions that the loop does not change may choose between such forms: threads of different
//!   roles share a loop.
//!
//! Inductive: `c` holds in iteration `k` if and only if `k < T`, or never, as long as `y` does not
//! wrap. The families `bounds` and `counter` say that it does not.
//!
//! Examples: a ring of `S` buffers whose producer waits for an empty one in `if (k >= S)` has
//! waited `k - min(k, S)` times. Its consumer, which gives back all but the last, `if (rounds - k >
//! S)`, has done so `min(k, rounds - S)` times.
//!
//! Useful where operations are counted, as those on barriers are: threads that execute different
//! loops come to a barrier equally often.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{CompareOp, Expression, Expressions, Loop, Node};
use rustc_hash::FxHashMap;

use crate::claims::{Claim, While};
use crate::context::Context;
use crate::recurrences::{Evolution, Supposed, closed_form, ring_of};
use crate::scan::{CarriedCopy, comparisons};

/// The most comparisons that are looked at for one variable, or one way out.
const COMPARISONS: usize = 6;

/// The most conditions that are taken apart.
const DEPTH: u32 = 6;

/// The most forms of one variable.
const FORMS: usize = 8;

/// The width of turning points.
const WIDTH: u32 = 64;

/// A form that a variable may have in each iteration.
#[derive(Clone, Copy)]
struct Form {
    /// When it has this form.
    when: Expression,
    /// The form.
    value: Expression,
    /// Whether it keeps the form when its thread has left.
    stays: bool,
}

pub fn claims(context: &mut Context<'_>, loop_: Loop) -> Vec<Claim> {
    let mut found = Vec::new();
    for copy in context.carried_bits(loop_) {
        let counter = context.counter(loop_);
        for form in forms(context, copy, counter) {
            let x = context.current(copy);
            let equal = context.expressions.equal(x, form.value);
            let claim = context.expressions.implies(form.when, equal);
            found.push(Claim::carried(context, copy, claim));
            if form.stays {
                found.push(Claim::lasting(context, copy, claim));
            }
        }
    }
    of_exits(context, loop_, &mut found);
    found
}

/// The forms of a variable that does not change in the same way in all iterations.
fn forms(context: &mut Context<'_>, copy: CarriedCopy, counter: Expression) -> Vec<Form> {
    let is_uneven = match context.scan.evolution(copy) {
        Evolution::Steps { exact, .. } => !exact,
        Evolution::Unknown => true,
        _ => false,
    };
    if !is_uneven {
        return Vec::new();
    }
    let next = context.next(copy);
    if !matches!(context.expressions.node(next), Node::IfThenElse(..)) {
        return Vec::new();
    }
    // In the iterations that count, the thread returns to the head.
    let known = context.scan.loops[copy.loop_].continuing[copy.thread].iter().map(|&condition| (condition, true));
    let mut supposed = Supposed::new(context.expressions, known.collect::<Vec<_>>());
    let next = supposed.value(context.expressions, next);
    let mut forms = forms_of(context, copy, next, counter, DEPTH).unwrap_or_default();
    forms.truncate(FORMS);
    forms
}

/// The forms of a variable that takes this value after each iteration.
fn forms_of(
    context: &mut Context<'_>,
    copy: CarriedCopy,
    next: Expression,
    counter: Expression,
    depth: u32,
) -> Option<Vec<Form>> {
    if let Some(value) = regular(context, copy, next, counter) {
        let when = context.expressions.boolean(true);
        let stays = next == context.current(copy);
        return Some(vec![Form { when, value, stays }]);
    }
    let &Node::IfThenElse(condition, then, otherwise) = context.expressions.node(next) else { return None };
    let depth = depth.checked_sub(1)?;
    let e = &mut *context.expressions;
    match e.node(condition).clone() {
        Node::Not(inner) => {
            let turned = e.if_then_else(inner, otherwise, then);
            // Some expressions are not turned.
            if turned == next { None } else { forms_of(context, copy, turned, counter, depth) }
        }
        Node::And(parts) | Node::Or(parts) if parts.len() > 1 => {
            let is_and = matches!(e.node(condition), Node::And(_));
            // First the parts that never change.
            let (fixed, rest): (Vec<Expression>, Vec<Expression>) =
                parts.iter().partition(|&&part| context.scan.is_invariant(e, copy.loop_, part));
            let (first, rest) = match (&fixed[..], &rest[..]) {
                ([], [first, rest @ ..]) | ([first], rest) => (*first, rest.to_vec()),
                ([first, more @ ..], rest) => (*first, more.iter().chain(rest).copied().collect()),
                ([], []) => return None,
            };
            let rest = if is_and { e.and(rest) } else { e.or(rest) };
            let inner = e.if_then_else(rest, then, otherwise);
            let (then, otherwise) = if is_and { (inner, otherwise) } else { (then, inner) };
            chosen(context, copy, (first, then, otherwise), counter, depth)
        }
        _ => chosen(context, copy, (condition, then, otherwise), counter, depth),
    }
}

/// The forms of a variable that takes one of two values after each iteration.
fn chosen(
    context: &mut Context<'_>,
    copy: CarriedCopy,
    (condition, then, otherwise): (Expression, Expression, Expression),
    counter: Expression,
    depth: u32,
) -> Option<Vec<Form>> {
    if context.scan.is_invariant(context.expressions, copy.loop_, condition) {
        let each = [then, otherwise].map(|value| forms_of(context, copy, value, counter, depth));
        let [Some(then), Some(otherwise)] = each else { return None };
        let e = &mut *context.expressions;
        let mut found = Vec::new();
        for (a, b) in then.iter().flat_map(|a| otherwise.iter().map(move |b| (a, b))).take(FORMS) {
            let when = [(condition, a.when), (e.not(condition), b.when)].map(|(of, when)| e.implies(of, when));
            found.push(Form {
                when: e.and(when),
                value: e.if_then_else(condition, a.value, b.value),
                stays: a.stays && b.stays,
            });
        }
        return Some(found);
    }
    let x = context.current(copy);
    let moves = match (then == x, otherwise == x) {
        (true, false) => otherwise,
        (false, true) => then,
        _ => return None,
    };
    let mut found = Vec::new();
    for point in turnings(context, copy, condition) {
        turned(context, copy, moves, (counter, point), &mut found);
    }
    Some(found)
}

/// The forms of a variable that changes before an iteration only, or from there on only.
fn turned(
    context: &mut Context<'_>,
    copy: CarriedCopy,
    moves: Expression,
    (counter, point): (Expression, Expression),
    found: &mut Vec<Form>,
) {
    let e = &mut *context.expressions;
    let is_before = e.compare(CompareOp::UnsignedLess, counter, point);
    let least = e.if_then_else(is_before, counter, point);
    let rest = e.subtract(counter, least);
    let always = e.boolean(true);
    if is_step(context, copy, moves) {
        for (iterations, stays) in [(least, true), (rest, false)] {
            if let Some(value) = regular(context, copy, moves, iterations) {
                found.push(Form { when: always, value, stays });
            }
        }
        return;
    }
    // A remainder of a minimum would be hard.
    let e = &mut *context.expressions;
    let behind = e.subtract(counter, point);
    let [until, from] =
        [(counter, point), (point, counter)].map(|(a, b)| e.compare(CompareOp::UnsignedLessEqual, a, b));
    // A remainder of the distance from a point that is no number is too hard.
    let mut cases = vec![(until, counter)];
    if e.as_bits(point).is_some() {
        cases.extend([(from, counter), (from, behind)]);
        let initial = context.initial(copy);
        found.push(Form { when: until, value: initial, stays: false });
    }
    for (when, iterations) in cases {
        if let Some(value) = regular(context, copy, moves, iterations) {
            found.push(Form { when, value, stays: false });
        }
    }
}

/// Whether a value is the variable plus a constant.
fn is_step(context: &mut Context<'_>, copy: CarriedCopy, next: Expression) -> bool {
    let x = context.current(copy);
    let step = context.expressions.subtract(next, x);
    context.expressions.as_bits(step).is_some()
}

/// The value after so many iterations that each have this effect: none, a constant step, or a step
/// in a ring.
fn regular(
    context: &mut Context<'_>,
    copy: CarriedCopy,
    next: Expression,
    iterations: Expression,
) -> Option<Expression> {
    let (scan, x, initial) = (context.scan, context.current(copy), context.initial(copy));
    let e = &mut *context.expressions;
    let step = e.subtract(next, x);
    let evolution = if e.as_bits(step).is_some() {
        Evolution::Steps { steps: vec![step], exact: true }
    } else {
        let is_invariant = |e: &Expressions, part: Expression| scan.is_invariant(e, copy.loop_, part);
        ring_of(e, is_invariant, x, next)?
    };
    (e.width(x) <= WIDTH).then(|| closed_form(e, initial, &evolution, None, iterations))?
}

/// The values that threads take along.
fn of_exits(context: &mut Context<'_>, loop_: Loop, found: &mut Vec<Claim>) {
    for exit in context.scan.exits[loop_].clone() {
        let of_exit = context.expressions.variables()[exit.taken].thread;
        let mut compared: Vec<Expression> =
            exit.conditions.iter().flat_map(|&condition| comparisons(context.expressions, condition)).collect();
        compared.truncate(COMPARISONS);
        let Some(&some) = context.carried_bits(loop_).first() else { continue };
        let mut points = Vec::new();
        for condition in compared {
            for point in turnings(context, CarriedCopy { thread: of_exit.unwrap_or(0), ..some }, condition) {
                if !points.contains(&point) {
                    points.push(point);
                }
            }
        }
        // A thread that leaves where one of two conditions turns, leaves where the first one does.
        for (index, &one) in points.clone().iter().enumerate() {
            for &other in &points.clone()[..index] {
                let is_first = context.expressions.compare(CompareOp::UnsignedLess, one, other);
                points.push(context.expressions.if_then_else(is_first, one, other));
            }
        }
        points.truncate(COMPARISONS);
        let known = exit.conditions.iter().map(|&condition| (condition, true));
        let mut supposed = Supposed::new(context.expressions, known.collect::<Vec<_>>());
        // A loop of constantly many iterations usually needs no help.
        if !context.scan.counts_iterations {
            points.retain(|&point| context.expressions.as_bits(point).is_none());
        }
        for point in points {
            for &(taken_along, value) in &exit.values {
                let value = supposed.value(context.expressions, value);
                let thread = context.expressions.variables()[taken_along].thread.or(of_exit).unwrap_or(0);
                for at_point in at_iteration(context, loop_, thread, value, point) {
                    let instead = context.expressions.variable(taken_along);
                    let condition = context.expressions.equal(instead, at_point);
                    found.push(Claim { about: taken_along, holds: While::Left(exit.taken), condition });
                }
            }
        }
    }
}

/// The forms of a value in an iteration, over values that the loop does not change.
fn at_iteration(
    context: &mut Context<'_>,
    loop_: Loop,
    thread: usize,
    value: Expression,
    iteration: Expression,
) -> Vec<Expression> {
    let mut variables = Vec::new();
    context.expressions.for_each_variable(value, |variable| variables.push(variable));
    let mut found = vec![value];
    for variable in variables {
        let Some(&copy) = context.scan.carried.get(&variable).filter(|copy| copy.loop_ == loop_) else { continue };
        if copy.thread != thread && !context.is_uniform(copy) {
            return Vec::new();
        }
        let mut of_variable: Vec<Expression> = context.closed_form(copy, iteration).into_iter().collect();
        let of_turning = forms(context, copy, iteration);
        let always = context.expressions.boolean(true);
        of_variable.extend(of_turning.iter().filter(|form| form.when == always).map(|form| form.value));
        let mut replaced = Vec::new();
        for form in found {
            for &instead in &of_variable {
                let map: FxHashMap<_, _> = [(variable, instead)].into_iter().collect();
                replaced.push(context.expressions.substitute(form, &map, &mut FxHashMap::default()));
            }
        }
        found = replaced;
        found.truncate(COMPARISONS);
    }
    found.retain(|&form| context.scan.is_invariant(context.expressions, loop_, form));
    found
}

/// The iterations in which a comparison turns for a thread, by the variables that turn it.
fn turnings(context: &mut Context<'_>, of: CarriedCopy, condition: Expression) -> Vec<Expression> {
    let mut found = Vec::new();
    for y in context.carried_bits(of.loop_) {
        if y.thread != of.thread && !context.is_uniform(y) {
            continue;
        }
        let Some(step) = context.scan.evolution(y).exact_step() else { continue };
        if context.expressions.as_bits(step).is_none() {
            continue;
        }
        if let Some(point) = turning_point(context, y, step, condition)
            && !found.contains(&point)
        {
            found.push(point);
        }
    }
    found
}

/// The iterations after which a known distance is nothing, if each of them changes it by as much.
fn steps_to_nothing(e: &mut Expressions, distance: Expression, change: &Bits) -> Option<Expression> {
    let distance = e.as_bits(distance)?.clone();
    let (distance, change) = if change.sign() { (distance, change.neg()) } else { (distance.neg(), change.clone()) };
    let steps = (!change.is_zero() && distance.urem(&change).is_zero()).then(|| distance.udiv(&change).to_u64())??;
    Some(e.number(WIDTH, steps))
}

fn turning_point(
    context: &mut Context<'_>,
    y: CarriedCopy,
    step: Expression,
    condition: Expression,
) -> Option<Expression> {
    let (a, b, op) = match *context.expressions.node(condition) {
        Node::Compare(op, a, b) => (a, b, Some(op)),
        Node::Equal(a, b) => (a, b, None),
        _ => return None,
    };
    let x = context.current(y);
    if context.expressions.width(a) > WIDTH || context.expressions.sort(a) != context.expressions.sort(x) {
        return None;
    }
    let initial = context.initial(y);
    // With all that the loop changes at its beginning, the condition and the distance are fixed.
    let start = context.replaced(condition, y, initial);
    let difference = context.expressions.subtract(b, a);
    let distance = context.replaced(difference, y, initial);
    if start == condition || !context.scan.is_invariant(context.expressions, y.loop_, distance) {
        return None;
    }
    let moved = context.expressions.add(x, step);
    let later = context.replaced(difference, y, moved);
    let change = context.expressions.subtract(later, difference);
    let change = context.expressions.as_bits(change).cloned()?;
    let is_strict = matches!(op, Some(CompareOp::UnsignedLess | CompareOp::SignedLess));
    let e = &mut *context.expressions;
    if !change.is_one() && !change.is_ones() {
        return op.is_none().then(|| steps_to_nothing(e, distance, &change)).flatten();
    }
    // The iterations until it turns, if it has not turned at the start.
    let (distance, one_more) = match op {
        // a < b: b - a goes down to nothing.
        Some(_) if change.is_ones() => (distance, !is_strict),
        // Not a < b: a - b goes down to less than nothing.
        Some(_) if change.is_one() => (e.negate(distance), is_strict),
        // a = b in one iteration, and different before.
        None if change.is_ones() => (distance, false),
        None if change.is_one() => (e.negate(distance), false),
        _ => return None,
    };
    let wide = if e.width(distance) < WIDTH { e.zero_extend(WIDTH, distance) } else { distance };
    let one_more = e.number(WIDTH, u64::from(one_more));
    let iterations = e.add(wide, one_more);
    let zero = e.number(WIDTH, 0);
    Some(match op {
        None => iterations,
        Some(_) if change.is_ones() => e.if_then_else(start, iterations, zero),
        Some(_) => e.if_then_else(start, zero, iterations),
    })
}
