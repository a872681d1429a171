//! Tests that each family proposes its formula. An execution of the loop keeps the formula true,
//! and an execution of a loop that breaks the pattern falsifies it.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{
    BinaryOp, CompareOp, Copies, Expression, Expressions, Loop, Node, Program, Role, Site, Sort, Statement, Suggestion,
    Variable,
};

use super::FAMILIES;
use crate::testing::{Builder, empty_program, falsified};
use crate::{Candidate, ProposeOptions, SUGGESTED, propose};

/// `for (i = start; i < n; i = next)` for two threads.
struct Counting {
    program: Program,
    loop_: Loop,
    variables: [Variable; 2],
    x: [Expression; 2],
    start: [Expression; 2],
    n: Expression,
    inputs: Vec<(Expression, u64)>,
}

/// The loop with starts 3 and 5, the given `n`, and `next` from the function.
fn counting(width: u32, n: u64, next: impl Fn(&mut Expressions, Expression) -> Expression) -> Counting {
    let mut program = empty_program();
    let mut builder = Builder::new(&mut program);
    let sort = Sort::Bits(width);
    let loop_ = builder.add_divergent_loop();
    let start = [builder.input("start$1", sort), builder.input("start$2", sort)];
    let bound = builder.input("n", sort);
    let (first, x1) = builder.value("i$1", sort);
    let (second, x2) = builder.value("i$2", sort);
    let (variables, x) = ([first, second], [x1, x2]);
    let Copies::Each(active) = builder.program.loops[loop_].active else { unreachable!() };
    let yes = builder.program.expressions.boolean(true);
    for thread in 0..2 {
        builder.assign(None, variables[thread], start[thread]);
        builder.assign(None, active[thread], yes);
    }
    builder.place(loop_, None);
    let mut nexts = Vec::new();
    for thread in 0..2 {
        let e = &mut builder.program.expressions;
        let p = e.variable(active[thread]);
        let condition = e.compare(CompareOp::SignedLess, x[thread], bound);
        let stays = e.and([p, condition]);
        let later = next(e, x[thread]);
        nexts.push(later);
        // The activity is updated first: afterwards it is true if and only if the thread returns.
        let now = e.if_then_else(p, later, x[thread]);
        builder.assign(Some(loop_), active[thread], stays);
        builder.assign(Some(loop_), variables[thread], now);
    }
    builder.carry_each(loop_, variables, start, [nexts[0], nexts[1]]);
    let inputs = vec![(start[0], 3), (start[1], 5), (bound, n)];
    Counting { program, loop_, variables, x, start, n: bound, inputs }
}

impl Counting {
    fn active(&mut self, thread: usize) -> Expression {
        let variable = *self.program.loops[self.loop_].active.of(thread);
        self.program.expressions.variable(variable)
    }

    /// `P → condition` for thread 1.
    fn guarded(&mut self, condition: Expression) -> Expression {
        let active = self.active(0);
        self.program.expressions.implies(active, condition)
    }

    /// The counter modulo `2^width`.
    fn counter(&mut self) -> Expression {
        let counter = self.program.loops[self.loop_].counter;
        let counter = self.program.expressions.variable(counter);
        let width = self.program.expressions.width(self.x[0]);
        if width < 64 {
            self.program.expressions.extract(width - 1, 0, counter)
        } else {
            self.program.expressions.zero_extend(width, counter)
        }
    }

    fn check(
        mut self,
        family: &str,
        expected: Expression,
        broken: impl FnOnce(&mut Expressions, Expression) -> Expression,
    ) {
        let inputs = self.inputs.clone();
        check(&mut self.program, self.loop_, family, expected, &inputs);
        let (variable, loop_) = (self.variables[0], self.loop_);
        break_assignment(&mut self.program, loop_, variable, broken);
        refutes(&self.program, loop_, expected, &inputs);
    }
}

/// Checks that the family proposes the condition for the loop, and that the execution keeps it.
fn check(program: &mut Program, loop_: Loop, family: &'_ str, expected: Expression, inputs: &[(Expression, u64)]) {
    let omitted = FAMILIES.iter().map(|one| one.name.to_owned()).filter(|name| name != family).collect();
    let candidates = propose(program, &[], &ProposeOptions { omitted, ..ProposeOptions::default() });
    assert!(candidates.iter().all(|candidate| candidate.family == family));
    let found = candidates.iter().position(|one| one.loop_ == loop_ && one.condition == expected);
    let shown = |condition| lockstep_ir::sequential::print_expression(&program.expressions, condition);
    let found = found.unwrap_or_else(|| {
        let others: Vec<String> = candidates.iter().map(|one| shown(one.condition)).collect();
        panic!("{family} does not propose {} but {others:#?}", shown(expected))
    });
    assert!(!falsified(program, &candidates, inputs)[found], "{family}: the execution falsifies it");
}

/// Checks that the execution falsifies the condition.
fn refutes(program: &Program, loop_: Loop, condition: Expression, inputs: &[(Expression, u64)]) {
    let candidate = Candidate { loop_, condition, family: "broken" };
    assert!(falsified(program, &[candidate], inputs)[0], "the broken loop keeps it as well");
}

/// Changes the value that the loop's body assigns to a variable.
fn break_assignment(
    program: &mut Program,
    loop_: Loop,
    changed: Variable,
    broken: impl FnOnce(&mut Expressions, Expression) -> Expression,
) {
    let assigned = program.loops[loop_].body.iter_mut().find_map(|statement| match statement {
        Statement::Assign { variable, value, .. } if *variable == changed => Some(value),
        _ => None,
    });
    let value = assigned.expect("the body assigns it");
    *value = broken(&mut program.expressions, *value);
}

fn plus(amount: u64) -> impl Fn(&mut Expressions, Expression) -> Expression {
    move |e, x| {
        let width = e.width(x);
        let amount = e.number(width, amount);
        e.add(x, amount)
    }
}

fn shifted(op: BinaryOp, by: u64) -> impl Fn(&mut Expressions, Expression) -> Expression {
    move |e, x| {
        let width = e.width(x);
        let by = e.number(width, by);
        e.binary(op, x, by)
    }
}

#[test]
fn the_families_have_names_of_their_own() {
    for (index, family) in FAMILIES.iter().enumerate() {
        assert!(FAMILIES[..index].iter().all(|earlier| earlier.name != family.name));
        assert!(family.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
    }
}

#[test]
fn suggestions_are_proposed_even_alone() {
    let mut example = counting(32, 60, plus(4));
    let four = example.program.expressions.number(32, 4);
    let condition = example.program.expressions.equal(example.x[0], four);
    let suggestion = Suggestion { loop_: example.loop_, condition };
    example.program.suggested.push(suggestion);
    let options = ProposeOptions { only_suggested: true, ..ProposeOptions::default() };
    let candidates = propose(&mut example.program, &[], &options);
    let found: Vec<_> = candidates.iter().map(|candidate| (candidate.condition, candidate.family)).collect();
    assert_eq!(found, [(condition, SUGGESTED)]);
    let all = propose(&mut example.program, &[], &ProposeOptions::default());
    assert!(all.len() > 1 && all.contains(&candidates[0]));
}

#[test]
fn closed_form_of_a_strided_variable_of_any_width() {
    for width in [8, 32, 64, 96] {
        let mut example = counting(width, 60, plus(4));
        let k = example.counter();
        let change = example.program.expressions.scale(Bits::new(width, 4u32), k);
        let form = example.program.expressions.add(example.start[0], change);
        let closed = example.program.expressions.equal(example.x[0], form);
        let expected = example.guarded(closed);
        example.check("recurrences", expected, plus(1));
    }
}

/// Down from 100 in steps of ten, an 8-bit number stays a signed number. From 200 to 120 it is only
/// an unsigned one. If it wraps, nothing is proposed in the counter's width.
#[test]
fn closed_form_in_the_counters_width() {
    for (start, last, signed) in [(100, 0, Some(true)), (200, 120, Some(false)), (40, 106, None)] {
        let goes_on = |e: &mut Expressions, v: &[Expression]| {
            let last = e.number(8, last);
            let same = e.equal(v[0], last);
            e.not(same)
        };
        let mut example = uniform(8, &[start], |e, v| vec![plus(246)(e, v[0])], goes_on);
        let e = &mut example.program.expressions;
        let counter = e.variable(example.program.loops[example.loop_].counter);
        let wide = match signed {
            Some(true) => e.sign_extend(64, example.values[0]),
            Some(false) => e.zero_extend(64, example.values[0]),
            None => example.values[0],
        };
        let (start, way) = if signed.is_some() {
            (e.number(64, start), e.scale(Bits::new(64, 10u32).neg(), counter))
        } else {
            let narrow = e.extract(7, 0, counter);
            (e.number(8, start), e.scale(Bits::new(8, 246u32), narrow))
        };
        let form = e.add(start, way);
        let expected = e.equal(wide, form);
        check(&mut example.program, example.loop_, "recurrences", expected, &[]);
        break_assignment(&mut example.program, example.loop_, example.variables[0], |e, x| plus(1)(e, x));
        refutes(&example.program, example.loop_, expected, &[]);
    }
}

#[test]
fn closed_form_of_a_halved_variable() {
    // n is so great that the loop continues when the variable is zero: the shift distance must not
    // wrap.
    for op in [BinaryOp::LogicalShiftRight, BinaryOp::SignedDivide] {
        let divisor = if op == BinaryOp::SignedDivide { 4 } else { 2 };
        let mut example = counting(8, 100, shifted(op, divisor));
        let e = &mut example.program.expressions;
        let counter = e.variable(example.program.loops[example.loop_].counter);
        let limit = e.number(64, 8);
        let within = e.compare(CompareOp::UnsignedLess, counter, limit);
        let narrow = e.extract(7, 0, counter);
        let twice = e.scale(Bits::new(8, 2u32), narrow);
        let all = e.number(8, 8);
        let amount = e.if_then_else(within, twice, all);
        let form = e.binary(BinaryOp::LogicalShiftRight, example.start[0], amount);
        let closed = e.equal(example.x[0], form);
        let expected = example.guarded(closed);
        example.inputs[0].1 = 96;
        example.check("recurrences", expected, plus(1));
    }
}

#[test]
fn closed_form_where_all_branches_agree() {
    let mut example = counting(32, 60, |e, x| {
        let ten = e.number(32, 10);
        let c = e.compare(CompareOp::SignedLess, x, ten);
        let left = plus(4)(e, x);
        let other = e.number(32, 12);
        let right = e.if_then_else(c, other, x);
        let right = e.add(right, x);
        let right = e.subtract(right, right);
        let right = e.add(right, left);
        e.if_then_else(c, left, right)
    });
    let k = example.counter();
    let change = example.program.expressions.scale(Bits::new(32, 4u32), k);
    let form = example.program.expressions.add(example.start[0], change);
    let closed = example.program.expressions.equal(example.x[0], form);
    let expected = example.guarded(closed);
    example.check("recurrences", expected, plus(1));
}

#[test]
fn bounds_by_the_start_and_by_the_guard() {
    let mut example = counting(32, 60, plus(1));
    let above = example.program.expressions.compare(CompareOp::SignedLessEqual, example.start[0], example.x[0]);
    let above = example.guarded(above);
    example.check("bounds", above, |e, x| {
        let sixty = e.number(32, 60);
        e.subtract(x, sixty)
    });
    let mut example = counting(32, 60, plus(1));
    let below = example.program.expressions.compare(CompareOp::SignedLessEqual, example.x[0], example.n);
    let below = example.guarded(below);
    example.check("bounds", below, plus(40));
}

#[test]
fn stride_of_branches_that_differ() {
    let either = |e: &mut Expressions, x: Expression| {
        let ten = e.number(32, 10);
        let c = e.compare(CompareOp::SignedLess, x, ten);
        let (a, b) = (plus(12)(e, x), plus(20)(e, x));
        e.if_then_else(c, a, b)
    };
    let mut example = counting(32, 60, either);
    let e = &mut example.program.expressions;
    let (now, before) = (e.extract(1, 0, example.x[0]), e.extract(1, 0, example.start[0]));
    let same = e.equal(now, before);
    let expected = example.guarded(same);
    example.check("recurrences", expected, plus(1));
}

#[test]
fn stride_that_is_no_power_of_two() {
    let mut example = counting(32, 60, plus(6));
    let e = &mut example.program.expressions;
    let six = e.number(32, 6);
    let now = e.binary(BinaryOp::UnsignedRemainder, example.x[0], six);
    let before = e.binary(BinaryOp::UnsignedRemainder, example.start[0], six);
    let same = e.equal(now, before);
    let expected = example.guarded(same);
    example.check("recurrences", expected, plus(2));
}

#[test]
fn equal_predicates_while_both_go_on() {
    let mut example = counting(32, 60, plus(4));
    let (a, b) = (example.active(0), example.active(1));
    let same = example.program.expressions.equal(a, b);
    // From 3 and 2, both variables pass 60 in the same iteration; a faster one does not.
    example.inputs[1].1 = 2;
    example.check("equal-values", same, plus(9));
}

#[test]
fn equal_differences_where_there_is_no_closed_form() {
    let either = |e: &mut Expressions, x: Expression| {
        let forty = e.number(32, 40);
        let c = e.compare(CompareOp::SignedLess, x, forty);
        let (a, b) = (plus(1)(e, x), plus(2)(e, x));
        e.if_then_else(c, a, b)
    };
    let mut example = counting(32, 38, either);
    let actives = [example.active(0), example.active(1)];
    let e = &mut example.program.expressions;
    let both = e.and(actives);
    let (a, b) = (e.subtract(example.x[0], example.start[0]), e.subtract(example.x[1], example.start[1]));
    let same = e.equal(a, b);
    let expected = e.implies(both, same);
    example.check("equal-values", expected, plus(1));
}

#[test]
fn counter_of_a_constant_trip_count_and_of_a_symbolic_one() {
    let mut example = counting(32, 60, plus(1));
    let (counter, active) = (example.program.loops[example.loop_].counter, example.active(0));
    let e = &mut example.program.expressions;
    let counter = e.variable(counter);
    let distance = e.subtract(example.n, example.start[0]);
    let distance = e.zero_extend(64, distance);
    let within = e.compare(CompareOp::UnsignedLessEqual, counter, distance);
    let expected = e.implies(active, within);
    // A step back makes the loop run longer.
    example.check("counter", expected, |e, x| {
        let one = e.number(32, 1);
        e.subtract(x, one)
    });
}

#[test]
fn predicate_facts_of_the_previous_iteration() {
    let mut example = counting(32, 60, plus(4));
    let counter = example.program.loops[example.loop_].counter;
    let e = &mut example.program.expressions;
    let four = e.number(32, 4);
    let before = e.subtract(example.x[0], four);
    let passed = e.compare(CompareOp::SignedLess, before, example.n);
    let guarded = example.guarded(passed);
    let e = &mut example.program.expressions;
    let (counter, zero) = (e.variable(counter), e.number(64, 0));
    let later = e.compare(CompareOp::UnsignedLess, zero, counter);
    let expected = e.implies(later, guarded);
    example.check("predicate-facts", expected, plus(7));
}

// --- A loop with uniform variables ---------------------------------------------------------------

struct Uniform {
    program: Program,
    loop_: Loop,
    variables: Vec<Variable>,
    values: Vec<Expression>,
}

/// `while (goes_on) { variables := nexts }` with constants at the start.
fn uniform(
    width: u32,
    starts: &[u64],
    nexts: impl Fn(&mut Expressions, &[Expression]) -> Vec<Expression>,
    goes_on: impl Fn(&mut Expressions, &[Expression]) -> Expression,
) -> Uniform {
    let mut program = empty_program();
    let mut builder = Builder::new(&mut program);
    let loop_ = builder.add_loop();
    let Copies::Uniform(active) = builder.program.loops[loop_].active else { unreachable!() };
    let (variables, values): (Vec<_>, Vec<_>) = starts.iter().map(|_| builder.value("x", Sort::Bits(width))).unzip();
    let initial: Vec<_> = starts.iter().map(|&start| builder.program.expressions.number(width, start)).collect();
    for (&variable, &initial) in variables.iter().zip(&initial) {
        builder.assign(None, variable, initial);
    }
    let yes = builder.program.expressions.boolean(true);
    builder.assign(None, active, yes);
    builder.place(loop_, None);
    let stays = goes_on(&mut builder.program.expressions, &values);
    let next = nexts(&mut builder.program.expressions, &values);
    builder.assign(Some(loop_), active, stays);
    for index in 0..starts.len() {
        builder.assign(Some(loop_), variables[index], next[index]);
        builder.carry(loop_, variables[index], initial[index], next[index]);
    }
    Uniform { program, loop_, variables, values }
}

/// `for (a = 1, b = 64; b > 0; a <<= 1, b >>= 1)`
fn doubling() -> Uniform {
    uniform(
        32,
        &[1, 64],
        |e, v| vec![shifted(BinaryOp::ShiftLeft, 1)(e, v[0]), shifted(BinaryOp::LogicalShiftRight, 1)(e, v[1])],
        |e, v| {
            let zero = e.number(32, 0);
            e.compare(CompareOp::SignedLess, zero, v[1])
        },
    )
}

/// `for (a = 1, b = 64, i = 0; i < 10; i++) if (i & 1) { a <<= 1; b >>= 1; }`
fn doubling_at_times() -> Uniform {
    uniform(
        32,
        &[1, 64, 0],
        |e, v| {
            let (zero, one) = (e.number(32, 0), e.number(32, 1));
            let odd = e.binary(BinaryOp::And, v[2], one);
            let keeps = e.equal(odd, zero);
            let doubled = shifted(BinaryOp::ShiftLeft, 1)(e, v[0]);
            let halved = shifted(BinaryOp::LogicalShiftRight, 1)(e, v[1]);
            vec![e.if_then_else(keeps, v[0], doubled), e.if_then_else(keeps, v[1], halved), plus(1)(e, v[2])]
        },
        |e, v| {
            let ten = e.number(32, 10);
            e.compare(CompareOp::UnsignedLess, v[2], ten)
        },
    )
}

#[test]
fn powers_of_two_and_their_product() {
    let mut example = doubling_at_times();
    let e = &mut example.program.expressions;
    let sixty_four = e.number(32, 64);
    let product = e.multiply(example.values[0], example.values[1]);
    let kept = e.equal(product, sixty_four);
    let minus_one = e.bits(Bits::ones(32));
    let below = e.add(example.values[0], minus_one);
    let common = e.binary(BinaryOp::And, example.values[0], below);
    let zero = e.number(32, 0);
    let power = e.equal(common, zero);
    for expected in [kept, power] {
        check(&mut example.program, example.loop_, "recurrences", expected, &[]);
    }
    break_assignment(&mut example.program, example.loop_, example.variables[0], |e, x| plus(1)(e, x));
    for expected in [kept, power] {
        refutes(&example.program, example.loop_, expected, &[]);
    }
}

#[test]
fn a_constant_trip_count() {
    let mut example = uniform(
        32,
        &[0],
        |e, v| vec![plus(3)(e, v[0])],
        |e, v| {
            let hundred = e.number(32, 100);
            e.compare(CompareOp::SignedLess, v[0], hundred)
        },
    );
    // 0, 3, …, 99 pass, 102 does not: iteration 34 is the last, and 35 are completed.
    let counter = example.program.loops[example.loop_].counter;
    let e = &mut example.program.expressions;
    let (counter, limit) = (e.variable(counter), e.number(64, 35));
    let expected = e.compare(CompareOp::UnsignedLessEqual, counter, limit);
    check(&mut example.program, example.loop_, "counter", expected, &[]);
    break_assignment(&mut example.program, example.loop_, example.variables[0], |e, x| {
        let two = e.number(32, 2);
        e.subtract(x, two)
    });
    refutes(&example.program, example.loop_, expected, &[]);
}

#[test]
fn steps_of_inner_loops_count_for_the_outer_one() {
    // while (…) { for (y = x, j = 0; j < 2; j++) y += 4; x = y + 8; }
    let mut program = empty_program();
    let mut builder = Builder::new(&mut program);
    let (outer, inner) = (builder.add_loop(), builder.add_loop());
    let sort = Sort::Bits(32);
    let start = builder.input("start", sort);
    let ((x, x_value), (y, y_value)) = (builder.value("x", sort), builder.value("y", sort));
    let next_y = plus(4)(&mut builder.program.expressions, y_value);
    let next_x = plus(8)(&mut builder.program.expressions, y_value);
    builder.assign(None, x, start);
    builder.place(outer, None);
    builder.assign(Some(outer), y, x_value);
    builder.place(inner, Some(outer));
    builder.assign(Some(inner), y, next_y);
    builder.assign(Some(outer), x, next_x);
    builder.carry(outer, x, start, next_x);
    builder.carry(inner, y, x_value, next_y);
    let e = &mut builder.program.expressions;
    let (now, before) = (e.extract(1, 0, x_value), e.extract(1, 0, start));
    let expected = e.equal(now, before);
    let candidates = propose(&mut program, &[], &ProposeOptions::default());
    assert!(
        candidates.iter().any(|one| one.loop_ == outer && one.condition == expected && one.family == "recurrences")
    );
}

// --- Loops with a site ---------------------------------------------------------------------------

/// `for (i = 3; i < 60; i += 4) A[i] = …`, watching `A[watched]`.
fn writing(broken: bool) -> (Uniform, Site, Expression) {
    let mut example = uniform(
        32,
        &[3],
        |e, v| vec![plus(4)(e, v[0])],
        |e, v| {
            let sixty = e.number(32, 60);
            e.compare(CompareOp::SignedLess, v[0], sixty)
        },
    );
    let counter = example.program.loops[example.loop_].counter;
    let updates = std::mem::take(&mut example.program.loops[example.loop_].body);
    let mut builder = Builder::new(&mut example.program);
    let site = builder.add_site(vec![example.loop_], &[example.variables[0], counter]);
    let no = builder.program.expressions.boolean(false);
    let hit = builder.program.sites[site].hit;
    builder.program.body.insert(0, Statement::Assign { variable: hit, value: no, location: None });
    let watched = builder.program.arrays.values().next().unwrap().watched;
    let e = &mut builder.program.expressions;
    let watched = e.variable(watched);
    let touches = e.equal(watched, example.values[0]);
    let condition = if broken { e.boolean(true) } else { touches };
    builder.record(Some(example.loop_), site, condition);
    let recorded = builder.program.sites[site].recorded[0].recorded;
    let recorded = builder.program.expressions.variable(recorded);
    let fact = builder.program.expressions.equal(watched, recorded);
    builder.program.sites[site].facts.push(fact);
    example.program.loops[example.loop_].body.extend(updates);
    (example, site, watched)
}

#[test]
fn facts_of_a_hit() {
    let (mut example, site, watched) = writing(false);
    let (hit, fact) = (example.program.sites[site].hit, example.program.sites[site].facts[0]);
    let hit = example.program.expressions.variable(hit);
    let expected = example.program.expressions.implies(hit, fact);
    check(&mut example.program, example.loop_, "hit-facts", expected, &[(watched, 11)]);
    // Recorded on every access, watched or not.
    let (mut broken, site, watched) = writing(true);
    let hit = broken.program.expressions.variable(broken.program.sites[site].hit);
    let expected = broken.program.expressions.implies(hit, broken.program.sites[site].facts[0]);
    refutes(&broken.program, broken.loop_, expected, &[(watched, 11)]);
}

#[test]
fn values_of_a_hit() {
    let (mut example, site, watched) = writing(false);
    let e = &mut example.program.expressions;
    let kept = e.add_variable("written", Sort::Bits(32), Some(0), Role::Written(site));
    let (written, hit) = (e.variable(kept), e.variable(example.program.sites[site].hit));
    // The site writes 2·x + 1, at each hit.
    let recorded = example.program.sites[site].recorded[0];
    let twice = |e: &mut Expressions, x: Expression| e.sum(Bits::new(32, 1u32), vec![(Bits::new(32, 2u32), x)]);
    let x = e.variable(recorded.original);
    let value = twice(e, x);
    let at = e.variable(recorded.recorded);
    let at_hit = twice(e, at);
    let expected = e.equal(written, at_hit);
    let expected = e.implies(hit, expected);
    example.program.sites[site].written = Some(kept);
    // The written value is assigned where the recorded value is, under the same condition.
    let body = &example.program.loops[example.loop_].body;
    let (place, condition) = body
        .iter()
        .enumerate()
        .find_map(|(place, statement)| match statement {
            Statement::Assign { variable, value, .. } if *variable == recorded.recorded => {
                match *example.program.expressions.node(*value) {
                    Node::IfThenElse(condition, ..) => Some((place, condition)),
                    _ => None,
                }
            }
            _ => None,
        })
        .expect("the site records");
    let value = example.program.expressions.if_then_else(condition, value, written);
    let statement = Statement::Assign { variable: kept, value, location: None };
    example.program.loops[example.loop_].body.insert(place, statement);
    check(&mut example.program, example.loop_, "hit-facts", expected, &[(watched, 11)]);
    let mut broken = example.program.clone();
    break_assignment(&mut broken, example.loop_, kept, |e, x| plus(1)(e, x));
    refutes(&broken, example.loop_, expected, &[(watched, 11)]);
}

#[test]
fn closed_forms_of_a_hit() {
    let (mut example, site, watched) = writing(false);
    let [value, iteration] = [0, 1].map(|index| example.program.sites[site].recorded[index].recorded);
    let (hit, counter) = (example.program.sites[site].hit, example.program.loops[example.loop_].counter);
    let e = &mut example.program.expressions;
    let [hit, counter, value, iteration] = [hit, counter, value, iteration].map(|variable| e.variable(variable));
    let narrow = e.extract(31, 0, iteration);
    let three = e.number(32, 3);
    let change = e.scale(Bits::new(32, 4u32), narrow);
    let form = e.add(three, change);
    let closed = e.equal(value, form);
    let closed = e.implies(hit, closed);
    let earlier = e.compare(CompareOp::UnsignedLess, iteration, counter);
    let earlier = e.implies(hit, earlier);
    for (family, expected) in [("recurrences", closed), ("hit-facts", earlier)] {
        check(&mut example.program, example.loop_, family, expected, &[(watched, 11)]);
    }
    // A recorded value that differs from the value at the site, and a recorded iteration in the
    // future.
    let recorded = example.program.sites[site].recorded.clone();
    let mut broken = example.program.clone();
    break_assignment(&mut broken, example.loop_, recorded[0].recorded, |e, x| plus(1)(e, x));
    refutes(&broken, example.loop_, closed, &[(watched, 11)]);
    let mut broken = example.program.clone();
    break_assignment(&mut broken, example.loop_, recorded[1].recorded, |e, x| plus(1)(e, x));
    refutes(&broken, example.loop_, earlier, &[(watched, 11)]);
}

#[test]
fn no_access_is_pending_after_a_barrier() {
    let (mut example, site, watched) = writing(false);
    let hit = example.program.sites[site].hit;
    let before = example.program.clone();
    example.program.loops[example.loop_].has_barrier = true;
    let no = example.program.expressions.boolean(false);
    Builder::new(&mut example.program).assign(Some(example.loop_), hit, no);
    let hit = example.program.expressions.variable(hit);
    let expected = example.program.expressions.not(hit);
    check(&mut example.program, example.loop_, "no-access", expected, &[(watched, 11)]);
    // Without the barrier, the hit stays.
    let mut without = before;
    let hit = without.expressions.variable(without.sites[site].hit);
    let expected = without.expressions.not(hit);
    refutes(&without, example.loop_, expected, &[(watched, 11)]);
}

#[test]
fn candidates_do_not_flood() {
    let (mut example, ..) = writing(false);
    let candidates = propose(&mut example.program, &[], &ProposeOptions::default());
    assert!(candidates.len() < 40, "{} candidates", candidates.len());
    let mut example = counting(32, 60, plus(4));
    let candidates = propose(&mut example.program, &[], &ProposeOptions::default());
    assert!((10..40).contains(&candidates.len()), "{} candidates", candidates.len());
}

#[test]
fn intervals_of_what_wraps_around_by_itself() {
    // From 2, one more each time, and 0 after 5.
    let ring = |e: &mut Expressions, v: &[Expression]| {
        let six = e.number(32, 6);
        let zero = e.number(32, 0);
        let next = plus(1)(e, v[0]);
        let end = e.equal(next, six);
        vec![e.if_then_else(end, zero, next), plus(1)(e, v[1])]
    };
    let twenty = |e: &mut Expressions, v: &[Expression]| {
        let twenty = e.number(32, 20);
        e.compare(CompareOp::UnsignedLess, v[1], twenty)
    };
    let mut example = uniform(32, &[2, 0], ring, twenty);
    let five = example.program.expressions.number(32, 5);
    let below = example.program.expressions.compare(CompareOp::UnsignedLessEqual, example.values[0], five);
    check(&mut example.program, example.loop_, "abstract-values", below, &[]);
    break_assignment(&mut example.program, example.loop_, example.variables[0], plus(1));
    refutes(&example.program, example.loop_, below, &[]);
}

/// A phase, a stage at whose end it changes, and a counter up to 20. The phase is assigned before
/// the stage that it is computed from.
fn pipeline(
    starts: [u64; 2],
    next: impl Fn(&mut Expressions, Expression) -> Expression,
    turned: impl Fn(&mut Expressions, Expression, Expression) -> Expression,
) -> Uniform {
    let nexts = |e: &mut Expressions, v: &[Expression]| {
        let (phase, stage) = (turned(e, v[1], v[0]), next(e, v[1]));
        vec![phase, stage, plus(1)(e, v[2])]
    };
    let twenty = |e: &mut Expressions, v: &[Expression]| {
        let twenty = e.number(32, 20);
        e.compare(CompareOp::UnsignedLess, v[2], twenty)
    };
    uniform(32, &[starts[1], starts[0], 0], nexts, twenty)
}

/// `x + 1 == 3 ? 0 : x + 1`
fn modulo_three(e: &mut Expressions, x: Expression) -> Expression {
    let (three, zero, further) = (e.number(32, 3), e.number(32, 0), plus(1)(e, x));
    let end = e.equal(further, three);
    e.if_then_else(end, zero, further)
}

/// `p ^= (x + 1 == 3)`
fn flipped_after_three(e: &mut Expressions, x: Expression, phase: Expression) -> Expression {
    let (three, zero, one, further) = (e.number(32, 3), e.number(32, 0), e.number(32, 1), plus(1)(e, x));
    let end = e.equal(further, three);
    let bit = e.if_then_else(end, one, zero);
    e.binary(BinaryOp::Xor, phase, bit)
}

/// From stage 2: it is `(k + 2) mod 3`, and the phase is `(k + 2) / 3 mod 2`, both in terms of `k
/// mod 3` and `k / 3`.
#[test]
fn a_stage_and_its_phase_follow_the_iteration_number() {
    let mut example = pipeline([2, 0], modulo_three, flipped_after_three);
    let k = example.program.expressions.variable(example.program.loops[example.loop_].counter);
    let e = &mut example.program.expressions;
    let (three, room) = (e.number(64, 3), e.number(64, 1));
    let rest = e.binary(BinaryOp::UnsignedRemainder, k, three);
    let within = e.compare(CompareOp::UnsignedLess, rest, room);
    let (before, after) = (plus(2)(e, rest), plus(u64::MAX)(e, rest));
    let stage = e.if_then_else(within, before, after);
    let stage = e.extract(31, 0, stage);
    let stage = e.equal(example.values[1], stage);
    let rounds = e.binary(BinaryOp::UnsignedDivide, k, three);
    let (lowest, one, zero) = (e.extract(0, 0, rounds), e.number(32, 1), e.number(32, 0));
    let odd = e.number(1, 1);
    let odd = e.equal(lowest, odd);
    let even = e.not(odd);
    let odd = e.if_then_else(within, odd, even);
    let phase = e.if_then_else(odd, one, zero);
    let phase = e.equal(example.values[0], phase);
    for expected in [stage, phase] {
        check(&mut example.program, example.loop_, "recurrences", expected, &[]);
    }
    for (of, variable) in [(phase, example.variables[0]), (stage, example.variables[1])] {
        let mut broken = example.program.clone();
        break_assignment(&mut broken, example.loop_, variable, plus(1));
        refutes(&broken, example.loop_, of, &[]);
    }
}

/// The closed forms of a ring and its phase, for all the ways in which compilers write rings.
#[test]
fn rings_in_all_forms() {
    type Next = fn(&mut Expressions, Expression) -> Expression;
    let cases: [(&str, [u64; 2], Next); 8] = [
        ("x + 1 == 3 ? 0 : x + 1", [0, 7], modulo_three),
        ("x == 2 ? 0 : x + 1", [1, 7], |e, x| {
            let (two, zero, further) = (e.number(32, 2), e.number(32, 0), plus(1)(e, x));
            let end = e.equal(x, two);
            e.if_then_else(end, zero, further)
        }),
        ("x + 1 < 5 ? x + 1 : 0", [4, 0], |e, x| {
            let (five, zero, further) = (e.number(32, 5), e.number(32, 0), plus(1)(e, x));
            let more = e.compare(CompareOp::SignedLess, further, five);
            e.if_then_else(more, further, zero)
        }),
        ("x + 1 > 6 ? 0 : x + 1", [3, 0], |e, x| {
            let (six, zero, further) = (e.number(32, 6), e.number(32, 0), plus(1)(e, x));
            let end = e.compare(CompareOp::UnsignedLess, six, further);
            e.if_then_else(end, zero, further)
        }),
        ("x == 0 ? 4 : x - 1", [2, 1], |e, x| {
            let (zero, four, back) = (e.number(32, 0), e.number(32, 4), plus(u64::from(u32::MAX))(e, x));
            let end = e.equal(x, zero);
            e.if_then_else(end, four, back)
        }),
        ("x + 1024 == 3072 ? 0 : x + 1024", [1024, 0], |e, x| {
            let (all, zero, further) = (e.number(32, 3072), e.number(32, 0), plus(1024)(e, x));
            let end = e.equal(further, all);
            e.if_then_else(end, zero, further)
        }),
        ("(x + 1) % 5", [3, 0], |e, x| {
            let (five, further) = (e.number(32, 5), plus(1)(e, x));
            e.binary(BinaryOp::UnsignedRemainder, further, five)
        }),
        ("(x + 1) & 7", [3, 0], |e, x| {
            let (seven, further) = (e.number(32, 7), plus(1)(e, x));
            e.binary(BinaryOp::And, further, seven)
        }),
    ];
    for (name, starts, next) in cases {
        // The phase changes where the variable comes back to its first place.
        let first = if name.ends_with("x - 1") { 4 } else { 0 };
        let turned = |e: &mut Expressions, x: Expression, phase: Expression| {
            let (stage, first) = (next(e, x), e.number(32, first));
            let (end, seven) = (e.equal(stage, first), e.number(32, 7));
            let other = e.subtract(seven, phase);
            e.if_then_else(end, other, phase)
        };
        let mut example = pipeline(starts, next, turned);
        let omitted = FAMILIES.iter().map(|one| one.name.to_owned()).filter(|name| name != "recurrences").collect();
        let options = ProposeOptions { omitted, ..ProposeOptions::default() };
        let all = propose(&mut example.program, &[], &options);
        let counter = example.program.loops[example.loop_].counter;
        for about in &example.variables[..2] {
            let of_both: Vec<Candidate> = all
                .iter()
                .filter(|one| [*about, counter].iter().all(|part| mentions(&example.program, one.condition, *part)))
                .cloned()
                .collect();
            assert!(!of_both.is_empty(), "{name}");
            assert!(falsified(&example.program, &of_both, &[]).iter().all(|falsified| !falsified), "{name}");
            let mut broken = example.program.clone();
            break_assignment(&mut broken, example.loop_, *about, plus(1));
            assert!(falsified(&broken, &of_both, &[]).iter().all(|&falsified| falsified), "{name}");
        }
    }
}

fn mentions(program: &Program, condition: Expression, variable: Variable) -> bool {
    let mut found = false;
    program.expressions.for_each_variable(condition, |part| found |= part == variable);
    found
}

#[test]
fn known_bits_of_what_is_toggled() {
    let toggled = |e: &mut Expressions, v: &[Expression]| {
        let (bit, seven) = (e.number(32, 64), e.number(32, 7));
        let low = e.binary(BinaryOp::And, v[1], seven);
        let some = e.equal(low, seven);
        let other = e.binary(BinaryOp::Xor, v[0], bit);
        vec![e.if_then_else(some, other, v[0]), plus(1)(e, v[1])]
    };
    let twenty = |e: &mut Expressions, v: &[Expression]| {
        let twenty = e.number(32, 20);
        e.compare(CompareOp::UnsignedLess, v[1], twenty)
    };
    let mut example = uniform(32, &[5, 0], toggled, twenty);
    let e = &mut example.program.expressions;
    let (low, five) = (e.extract(5, 0, example.values[0]), e.number(6, 5));
    let known = e.equal(low, five);
    check(&mut example.program, example.loop_, "abstract-values", known, &[]);
    break_assignment(&mut example.program, example.loop_, example.variables[0], plus(1));
    refutes(&example.program, example.loop_, known, &[]);
}

#[test]
fn affine_equalities_of_what_goes_on_together() {
    // One of the first two continues, depending on the third, by 3 and by 5.
    let either = |e: &mut Expressions, v: &[Expression]| {
        let (two, zero) = (e.number(32, 2), e.number(32, 0));
        let low = e.binary(BinaryOp::And, v[2], two);
        let first = e.equal(low, zero);
        let (a, b) = (plus(3)(e, v[0]), plus(5)(e, v[1]));
        vec![e.if_then_else(first, a, v[0]), e.if_then_else(first, v[1], b), plus(1)(e, v[2])]
    };
    let twenty = |e: &mut Expressions, v: &[Expression]| {
        let twenty = e.number(32, 20);
        e.compare(CompareOp::UnsignedLess, v[2], twenty)
    };
    let mut example = uniform(32, &[7, 1, 0], either, twenty);
    // 5·(x - 7) + 3·(y - 1) = 15·k, with 1 in front of x.
    let counter = example.program.loops[example.loop_].counter;
    let candidates = propose(&mut example.program, &[], &ProposeOptions::default());
    let equalities: Vec<Candidate> =
        candidates.into_iter().filter(|candidate| candidate.family == "affine-equalities").collect();
    assert!(!equalities.is_empty());
    for equality in &equalities {
        let mut variables = Vec::new();
        example.program.expressions.for_each_variable(equality.condition, |variable| variables.push(variable));
        assert!(variables.contains(&example.variables[0]) && variables.contains(&example.variables[1]));
        assert!(variables.contains(&counter) || variables.contains(&example.variables[2]));
    }
    assert_eq!(falsified(&example.program, &equalities, &[]), vec![false; equalities.len()]);
    break_assignment(&mut example.program, example.loop_, example.variables[0], plus(1));
    assert_eq!(falsified(&example.program, &equalities, &[]), vec![true; equalities.len()]);
}

#[test]
fn last_round_of_a_flag() {
    // Whether the counting variable was below 7.
    let flag = |e: &mut Expressions, x: Expression| {
        let (seven, one, zero) = (e.number(32, 7), e.number(32, 1), e.number(32, 0));
        let below = e.compare(CompareOp::UnsignedLess, x, seven);
        e.if_then_else(below, one, zero)
    };
    let twenty = |e: &mut Expressions, v: &[Expression]| {
        let twenty = e.number(32, 20);
        e.compare(CompareOp::UnsignedLess, v[1], twenty)
    };
    let mut example = uniform(32, &[0, 0], |e, v| vec![flag(e, v[1]), plus(1)(e, v[1])], twenty);
    let Copies::Uniform(active) = example.program.loops[example.loop_].active else { unreachable!() };
    let e = &mut example.program.expressions;
    let (zero, minus_one) = (e.number(32, 0), e.bits(Bits::ones(32)));
    let before = e.add(example.values[1], minus_one);
    let made = flag(e, before);
    let same = e.equal(example.values[0], made);
    let first = e.equal(example.values[1], zero);
    let (either, active) = (e.or([first, same]), e.variable(active));
    let expected = e.implies(active, either);
    check(&mut example.program, example.loop_, "last-round", expected, &[]);
    break_assignment(&mut example.program, example.loop_, example.variables[0], plus(1));
    refutes(&example.program, example.loop_, expected, &[]);
}

#[test]
fn guarded_steps_end_at_the_guard() {
    // The third variable keeps its value.
    let until_there = |e: &mut Expressions, v: &[Expression]| {
        let there = e.equal(v[0], v[2]);
        let further = plus(1)(e, v[0]);
        vec![e.if_then_else(there, v[0], further), plus(1)(e, v[1]), v[2]]
    };
    let twenty = |e: &mut Expressions, v: &[Expression]| {
        let twenty = e.number(32, 20);
        e.compare(CompareOp::UnsignedLess, v[1], twenty)
    };
    let mut example = uniform(32, &[0, 0, 4], until_there, twenty);
    // No statement in the loop assigns it.
    example.program.loops[example.loop_].body.retain(|statement| match statement {
        Statement::Assign { variable, .. } => *variable != example.variables[2],
        _ => true,
    });
    example.program.loops[example.loop_].carried.truncate(2);
    let e = &mut example.program.expressions;
    let expected = e.compare(CompareOp::UnsignedLessEqual, example.values[0], example.values[2]);
    check(&mut example.program, example.loop_, "bounds", expected, &[]);
    break_assignment(&mut example.program, example.loop_, example.variables[0], plus(1));
    refutes(&example.program, example.loop_, expected, &[]);
}

#[test]
fn counter_of_what_is_halved() {
    let mut example = doubling();
    let counter = example.program.expressions.variable(example.program.loops[example.loop_].counter);
    let e = &mut example.program.expressions;
    // The values are 64, 32, …, 1, and the one that fails.
    let limit = e.number(64, 8);
    let expected = e.compare(CompareOp::UnsignedLessEqual, counter, limit);
    check(&mut example.program, example.loop_, "counter", expected, &[]);
    break_assignment(&mut example.program, example.loop_, example.variables[1], plus(1));
    refutes(&example.program, example.loop_, expected, &[]);
}
