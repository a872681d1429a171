//! Recurrences of the variables that a loop carries, and their closed forms.
//!
//! An iteration maps a variable `x` to `x'`. `x0` is its value before the loop, and `k` is the
//! number of iterations since. All numbers of `x`'s width are modulo `2^width`; `k` does not wrap.
//!
//! ```text
//!     recurrence                            closed form
//!     x' = x + s                            x = x0 + s·k
//!     x' = x << c                           x = x0 << c·k, likewise to the right
//!     x' = x + s = e ? a : x + s            x = a + s·((d + k) mod n)
//!     x' = (x + s) mod e                    the same, with a = 0
//!     x' = f(x)                             x = k odd ? f(x0) : x0
//!     x' = (y wraps) ? f(x) : x             x = (d + k) / n odd ? f(x0) : x0
//! ```
//!
//! In a ring, `n = (e - a) / s` is the number of places, and `d = (x0 - a) / s` that of the first.
//! The map `f` is its own inverse: a flipped bit, `c - x`, or an exchange of two variables. In the
//! last line, `y` follows a ring with the numbers `d` and `n`. In other words, `f` is applied once
//! in each round of the ring, and a ring of one place would give the line before.
//!
//! In a ring, `d + k` would wrap where `k` does not. So the closed forms use `k mod n` and `k / n`
//! only: `(d + k) mod n` is `k mod n + d`, less `n` if that is `n` or more.
//!
//! A variable that iterations map by one of several steps has no closed form, but the steps are
//! known ([`Evolution::Steps`]).

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{
    BinaryOp, CompareOp, Copies, Expression, Expressions, Loop, Node, Program, Sort, Variable,
};
use rustc_hash::FxHashMap;

use crate::scan::{CarriedCopy, Scan, is_inside};

/// How a carried variable changes in an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evolution {
    /// It grows by one of these, each unchanged by the loop.
    Steps {
        /// The distinct steps, including those of inner loops.
        steps: Vec<Expression>,
        /// Whether the only step is taken exactly once in each iteration.
        exact: bool,
    },
    /// It is shifted left by this many bits.
    ShiftLeft(u32),
    /// It is shifted right by this many bits, filled with zeros.
    LogicalShiftRight(u32),
    /// It is shifted right by this many bits, filled with its sign.
    ArithmeticShiftRight(u32),
    /// It is divided by two to this power, rounded towards zero.
    SignedHalve(u32),
    /// It takes the places of a ring in turn.
    Ring(Ring),
    /// It exchanges its initial value and another one.
    Exchange {
        /// The other value, unchanged by the loop.
        other: Expression,
        /// The ring at whose end it does so; `None` if it does so in each iteration.
        at_end_of: Option<CarriedCopy>,
    },
    /// None of these.
    Unknown,
}

/// The places `first`, `first ± step`, …, of which there are `length`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    first: Expression,
    step: Bits,
    down: bool,
    length: Expression,
}

impl Evolution {
    /// The step, if it is the same in each iteration.
    pub fn exact_step(&self) -> Option<Expression> {
        match self {
            Self::Steps { steps, exact: true } => Some(steps[0]),
            _ => None,
        }
    }

    /// The number of bits by which the variable is shifted or halved, negative to the right; `None`
    /// if it is neither.
    pub fn shift(&self) -> Option<i64> {
        match *self {
            Self::ShiftLeft(by) => Some(i64::from(by)),
            Self::LogicalShiftRight(by) | Self::ArithmeticShiftRight(by) | Self::SignedHalve(by) => {
                Some(-i64::from(by))
            }
            Self::Steps { .. } | Self::Ring(_) | Self::Exchange { .. } | Self::Unknown => None,
        }
    }

    /// Whether each iteration adds the same or shifts by the same. Such a variable moves one way,
    /// and its closed form says everything about it.
    pub fn is_steady(&self) -> bool {
        self.exact_step().is_some() || self.shift().is_some()
    }

    /// Whether the variable neither takes steps nor is shifted.
    pub fn is_irregular(&self) -> bool {
        matches!(self, Self::Ring(_) | Self::Exchange { .. } | Self::Unknown)
    }
}

/// The direction in which a variable moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Never down, except by wrapping.
    Up,
    /// Never up, except by wrapping.
    Down,
    /// Either direction, or unknown.
    Unknown,
}

/// The direction of steps.
pub fn direction(expressions: &Expressions, evolution: &Evolution) -> Direction {
    match evolution {
        Evolution::Steps { steps, .. } => {
            let signs: Vec<Option<bool>> =
                steps.iter().map(|&step| expressions.as_bits(step).map(Bits::sign)).collect();
            let zero = |step: &Expression| expressions.as_bits(*step).is_some_and(Bits::is_zero);
            if signs.iter().all(|sign| *sign == Some(false)) {
                Direction::Up
            } else if signs.iter().zip(steps).all(|(sign, step)| *sign == Some(true) || zero(step)) {
                Direction::Down
            } else {
                Direction::Unknown
            }
        }
        Evolution::ShiftLeft(_) => Direction::Up,
        Evolution::LogicalShiftRight(_) | Evolution::ArithmeticShiftRight(_) | Evolution::SignedHalve(_) => {
            Direction::Down
        }
        Evolution::Ring(_) | Evolution::Exchange { .. } | Evolution::Unknown => Direction::Unknown,
    }
}

// --- Closed forms --------------------------------------------------------------------------------

/// The value after `counter` iterations, from the initial value and the evolution, if it has a
/// closed form. For an exchange, `ring` is the evolution and the initial value of the ring.
pub fn closed_form(
    e: &mut Expressions,
    initial: Expression,
    evolution: &Evolution,
    ring: Option<(&Ring, Expression)>,
    counter: Expression,
) -> Option<Expression> {
    let (op, by) = match *evolution {
        Evolution::Steps { ref steps, exact: true } => {
            let counter = resized(e, e.width(initial), counter);
            let change = e.multiply(steps[0], counter);
            return Some(e.add(initial, change));
        }
        Evolution::Ring(ref ring) => {
            let width = e.width(initial);
            let place = Turn::new(e, ring, initial, counter)?.place;
            let place = resized(e, width, place);
            let way = e.scale(ring.step.clone(), place);
            return Some(if ring.down { e.subtract(ring.first, way) } else { e.add(ring.first, way) });
        }
        Evolution::Exchange { other, at_end_of } => {
            let odd = match (at_end_of, ring) {
                (None, _) => is_odd(e, 0, counter),
                (Some(_), Some((ring, start))) => Turn::new(e, ring, start, counter)?.odd_round,
                (Some(_), None) => return None,
            };
            return Some(e.if_then_else(odd, other, initial));
        }
        Evolution::Steps { .. } | Evolution::Unknown => return None,
        Evolution::ShiftLeft(by) => (BinaryOp::ShiftLeft, by),
        // For a non-negative number, halving is shifting.
        Evolution::LogicalShiftRight(by) | Evolution::SignedHalve(by) => (BinaryOp::LogicalShiftRight, by),
        Evolution::ArithmeticShiftRight(by) => (BinaryOp::ArithmeticShiftRight, by),
    };
    let amount = shift_amount(e, e.width(initial), by, counter);
    Some(e.binary(op, initial, amount))
}

/// A number of 64 bits modulo `2^width`.
pub fn resized(e: &mut Expressions, width: u32, number: Expression) -> Expression {
    if width < e.width(number) { e.extract(width - 1, 0, number) } else { e.zero_extend(width, number) }
}

/// `min(by · counter, width)` as a shift distance. All shifts by the width or more are alike, but
/// the truncated counter would wrap around to zero.
fn shift_amount(e: &mut Expressions, width: u32, by: u32, counter: Expression) -> Expression {
    let limit = e.number(64, u64::from(width));
    let within = e.compare(CompareOp::UnsignedLess, counter, limit);
    let narrow = resized(e, width, counter);
    let factor = e.number(width, u64::from(by));
    let amount = e.multiply(factor, narrow);
    let all = e.number(width, u64::from(width));
    e.if_then_else(within, amount, all)
}

/// Whether a bit of a number is one.
fn is_odd(e: &mut Expressions, bit: u32, number: Expression) -> Expression {
    let bit = e.extract(bit, bit, number);
    let one = e.number(1, 1);
    e.equal(bit, one)
}

/// The place in a ring after a number of iterations, from zero, and whether the number of completed
/// rounds is odd.
struct Turn {
    place: Expression,
    odd_round: Expression,
}

impl Turn {
    fn new(e: &mut Expressions, ring: &Ring, initial: Expression, counter: Expression) -> Option<Self> {
        let way = if ring.down { e.subtract(ring.first, initial) } else { e.subtract(initial, ring.first) };
        let start = if ring.step.is_one() {
            way
        } else {
            let way = e.as_bits(way).filter(|way| way.urem(&ring.step).is_zero())?;
            let start = way.udiv(&ring.step);
            e.bits(start)
        };
        let (start, length) = (e.zero_extend(64, start), e.zero_extend(64, ring.length));
        if let Some(power) = e.as_bits(length).and_then(Bits::power_of_two) {
            let sum = e.add(start, counter);
            let place = e.binary(BinaryOp::UnsignedRemainder, sum, length);
            return Some(Self { place, odd_round: is_odd(e, power, sum) });
        }
        let rest = e.binary(BinaryOp::UnsignedRemainder, counter, length);
        let rounds = e.binary(BinaryOp::UnsignedDivide, counter, length);
        let odd = is_odd(e, 0, rounds);
        if e.as_bits(start).is_some_and(Bits::is_zero) {
            return Some(Self { place: rest, odd_round: odd });
        }
        let room = e.subtract(length, start);
        let within = e.compare(CompareOp::UnsignedLess, rest, room);
        let (sum, even) = (e.add(rest, start), e.not(odd));
        let again = e.subtract(sum, length);
        Some(Self { place: e.if_then_else(within, sum, again), odd_round: e.if_then_else(within, odd, even) })
    }
}

// --- Recognition ---------------------------------------------------------------------------------

/// The evolutions of the variables that a loop carries. Those of the loops inside it are known.
pub fn evolutions(program: &mut Program, scan: &Scan, loop_: Loop) -> Vec<Copies<Evolution>> {
    let carried = program.loops[loop_].carried.clone();
    let on_return = [0, 1].map(|thread| returning(program, scan, loop_, thread));
    let mut all = Vec::with_capacity(carried.len());
    let mut ends = Vec::new();
    for (index, carried) in carried.iter().enumerate() {
        let uniform = carried.variable.is_uniform() && carried.next.is_uniform();
        let mut of = |thread: usize| {
            let variable = *carried.variable.of(thread);
            let nexts = [*carried.next.of(thread), on_return[thread][&variable]];
            let (evolution, at_end) = alone(program, scan, loop_, variable, nexts);
            let copy = CarriedCopy { loop_, index, thread };
            ends.extend(at_end.into_iter().map(|condition| End { ring: copy, uniform, condition }));
            evolution
        };
        all.push(if uniform { Copies::Uniform(of(0)) } else { Copies::Each([of(0), of(1)]) });
    }
    for (thread, next) in on_return.iter().enumerate() {
        exchanges(program, scan, loop_, thread, next, &ends, &mut all);
    }
    all
}

/// The values of a thread's variables after an iteration from which it returns to the head.
fn returning(program: &mut Program, scan: &Scan, loop_: Loop, thread: usize) -> FxHashMap<Variable, Expression> {
    let data = &program.loops[loop_];
    let known = scan.loops[loop_].continuing[thread].iter().map(|&condition| (condition, true)).collect::<Vec<_>>();
    let mut supposed = Supposed::new(&mut program.expressions, known);
    let values = data.carried.iter().map(|one| (*one.variable.of(thread), *one.next.of(thread)));
    values.map(|(variable, next)| (variable, supposed.value(&mut program.expressions, next))).collect()
}

/// The evolution of a variable by itself, from its value after any iteration and after one from
/// which its thread returns. For a ring also the conditions under which an iteration leads from its
/// last place to the first.
fn alone(
    program: &mut Program,
    scan: &Scan,
    loop_: Loop,
    variable: Variable,
    [next, on_return]: [Expression; 2],
) -> (Evolution, Vec<Expression>) {
    let x = program.expressions.variable(variable);
    if !matches!(program.expressions.sort(x), Sort::Bits(_)) {
        return (Evolution::Unknown, Vec::new());
    }
    let regular = additive(program, scan, loop_, x, next).or_else(|| shift(&program.expressions, x, next));
    if let Some(evolution) = regular {
        return (evolution, Vec::new());
    }
    match ring(&mut program.expressions, |e, part| scan.is_invariant(e, loop_, part), x, on_return) {
        Some((ring, ends)) => (Evolution::Ring(ring), ends),
        None => (Evolution::Unknown, Vec::new()),
    }
}

/// The maximum number of branches of an if-then-else that are analysed: a value with more is not an
/// induction variable.
const BRANCHES: usize = 32;

/// A value that an if-then-else may choose.
pub struct Branch {
    /// The conditions on the way to it, with their truth values.
    pub guards: Vec<(Expression, bool)>,
    /// The value.
    pub value: Expression,
}

/// The values between which an if-then-else chooses, and whether these are all.
pub fn branches(e: &Expressions, value: Expression) -> (Vec<Branch>, bool) {
    let mut found = Vec::new();
    let mut waiting = vec![Branch { guards: Vec::new(), value }];
    for _ in 0..BRANCHES {
        let Some(branch) = waiting.pop() else { break };
        if let Node::IfThenElse(condition, then, otherwise) = *e.node(branch.value) {
            for (value, holds) in [(otherwise, false), (then, true)] {
                let mut guards = branch.guards.clone();
                guards.push((condition, holds));
                waiting.push(Branch { guards, value });
            }
        } else {
            found.push(branch);
        }
    }
    (found, waiting.is_empty())
}

/// The evolution of a variable that `next` leads through a ring.
pub fn ring_of(
    e: &mut Expressions,
    is_invariant: impl Fn(&Expressions, Expression) -> bool,
    x: Expression,
    next: Expression,
) -> Option<Evolution> {
    let (ring, _) = ring(e, is_invariant, x, next)?;
    Some(Evolution::Ring(ring))
}

/// The steps, if each branch of `next` is `x` plus terms that the loop does not change, plus the
/// steps of loops inside it.
fn additive(program: &mut Program, scan: &Scan, loop_: Loop, x: Expression, next: Expression) -> Option<Evolution> {
    let mut steps = Vec::new();
    let mut exact = true;
    let mut waiting = vec![next];
    for _ in 0..BRANCHES {
        let Some(value) = waiting.pop() else {
            exact &= steps.len() == 1;
            return Some(Evolution::Steps { steps, exact });
        };
        if let &Node::IfThenElse(_, then, otherwise) = program.expressions.node(value) {
            waiting.extend([otherwise, then]);
            continue;
        }
        if let Some((before, inner)) = before_inner_loop(program, scan, loop_, x, value) {
            exact = false;
            steps.extend(inner);
            waiting.push(before);
            continue;
        }
        let step = program.expressions.subtract(value, x);
        if !scan.is_invariant(&program.expressions, loop_, step) {
            return None;
        }
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    None
}

/// Replaces a variable that an inner loop carries, if `value` is a sum with such a variable.
/// Returns the sum with that variable's initial value in its place, and the steps of the variable
/// in the inner loop.
pub fn before_inner_loop(
    program: &mut Program,
    scan: &Scan,
    loop_: Loop,
    x: Expression,
    value: Expression,
) -> Option<(Expression, Vec<Expression>)> {
    let terms: Vec<Expression> = match program.expressions.node(value) {
        Node::Variable(_) => vec![value],
        Node::Sum(_, terms) => terms.iter().filter(|(factor, _)| factor.is_one()).map(|(_, term)| *term).collect(),
        _ => return None,
    };
    for term in terms {
        let &Node::Variable(variable) = program.expressions.node(term) else { continue };
        if let Some(&(inner, then)) = scan.leaving.get(&variable)
            && inner != loop_
            && is_inside(&program.loops, inner, loop_)
        {
            let rest = program.expressions.subtract(value, term);
            return Some((program.expressions.add(rest, then), Vec::new()));
        }
        let Some(&copy) = scan.carried.get(&variable) else { continue };
        if term == x || copy.loop_ == loop_ || !is_inside(&program.loops, copy.loop_, loop_) {
            continue;
        }
        let Evolution::Steps { steps, .. } = scan.evolution(copy).clone() else { continue };
        if steps.iter().any(|&step| !scan.is_invariant(&program.expressions, loop_, step)) {
            continue;
        }
        let initial = *program.loops[copy.loop_].carried[copy.index].initial.of(copy.thread);
        let rest = program.expressions.subtract(value, term);
        return Some((program.expressions.add(rest, initial), steps));
    }
    None
}

/// The shift or halving by which `next` comes from `x`, if it is one.
pub fn shift(expressions: &Expressions, x: Expression, next: Expression) -> Option<Evolution> {
    let width = expressions.width(x);
    match expressions.node(next) {
        Node::Sum(constant, terms) if constant.is_zero() => match &terms[..] {
            [(factor, term)] if *term == x => factor.power_of_two().map(Evolution::ShiftLeft),
            _ => None,
        },
        &Node::ZeroExtend(inner) => match *expressions.node(inner) {
            Node::Extract(high, low, whole) if whole == x && high + 1 == width => {
                Some(Evolution::LogicalShiftRight(low))
            }
            _ => None,
        },
        &Node::Binary(op, a, b) if a == x => {
            let by = expressions.as_bits(b)?;
            match op {
                BinaryOp::ArithmeticShiftRight => u32::try_from(by.to_u64()?).ok().map(Evolution::ArithmeticShiftRight),
                BinaryOp::SignedDivide if !by.sign() => by.power_of_two().map(Evolution::SignedHalve),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The ring that `next` leads through, and the conditions under which it leads to the first place.
fn ring(
    e: &mut Expressions,
    is_invariant: impl Fn(&Expressions, Expression) -> bool,
    x: Expression,
    next: Expression,
) -> Option<(Ring, Vec<Expression>)> {
    let width = e.width(x);
    if width > 64 {
        return None;
    }
    let (step, by) = match *e.node(next) {
        Node::IfThenElse(condition, then, otherwise) => {
            for (first, onward, holds) in [(then, otherwise, true), (otherwise, then, false)] {
                let step = e.subtract(onward, x);
                let Some(step) = e.as_bits(step).filter(|step| !step.is_zero()).cloned() else { continue };
                if !is_invariant(e, first) {
                    continue;
                }
                let last = last_place(e, &is_invariant, x, &step, condition, holds)?;
                let ring = ring_between(e, first, last, &step)?;
                let at_end = if holds { condition } else { e.not(condition) };
                return Some((ring, vec![at_end, e.equal(next, first)]));
            }
            return None;
        }
        Node::Binary(BinaryOp::UnsignedRemainder | BinaryOp::SignedRemainder, sum, by) => (e.subtract(sum, x), by),
        // The low bits of a sum: a remainder by a power of two.
        Node::ZeroExtend(sum) => {
            let low = e.width(sum);
            let before = e.extract(low - 1, 0, x);
            let step = e.subtract(sum, before);
            (e.zero_extend(width, step), e.number(width, 1 << low))
        }
        _ => return None,
    };
    let step = e.as_bits(step).filter(|step| !step.is_zero() && !step.sign()).cloned()?;
    if !is_invariant(e, by) {
        return None;
    }
    let (zero, back) = (e.number(width, 0), e.bits(step.neg()));
    let last = e.add(by, back);
    let ring = ring_between(e, zero, last, &step)?;
    Some((ring, vec![e.equal(next, zero)]))
}

/// The ring from the first place to the last one, or one that a full step leads across. If the step
/// is not one, the places must be constants.
fn ring_between(e: &mut Expressions, first: Expression, last: Expression, step: &Bits) -> Option<Ring> {
    let width = e.width(first);
    let down = step.sign();
    let step = if down { step.neg() } else { step.clone() };
    let way = if down { e.subtract(first, last) } else { e.subtract(last, first) };
    let places = match e.as_bits(way) {
        Some(way) => {
            let steps = way.to_u64()?.div_ceil(step.to_u64()?);
            // A ring of one place stands still.
            e.number(width, Some(steps).filter(|&steps| steps > 0)?)
        }
        None if step.is_one() => way,
        None => return None,
    };
    let one = e.number(width, 1);
    Some(Ring { first, step, down, length: e.add(places, one) })
}

/// The value of `x` from which on a condition has this truth value, in the direction of the step.
fn last_place(
    e: &mut Expressions,
    is_invariant: &impl Fn(&Expressions, Expression) -> bool,
    x: Expression,
    step: &Bits,
    condition: Expression,
    holds: bool,
) -> Option<Expression> {
    let up = !step.sign();
    // Going up, the condition is `side ≥ bound + beyond`; going down, `side ≤ bound - beyond`.
    let (sides, beyond) = match *e.node(condition) {
        Node::Not(inner) => return last_place(e, is_invariant, x, step, inner, !holds),
        Node::Equal(a, b) if holds => (vec![(a, b), (b, a)], 0),
        Node::Compare(op, a, b) => {
            let strict = matches!(op, CompareOp::SignedLess | CompareOp::UnsignedLess) == holds;
            let (low, high) = if holds { (a, b) } else { (b, a) };
            (vec![if up { (high, low) } else { (low, high) }], u64::from(strict))
        }
        _ => return None,
    };
    for (side, bound) in sides {
        if e.sort(side) != e.sort(x) || !is_invariant(e, bound) {
            continue;
        }
        let beyond = e.number(e.width(x), beyond);
        let end = if up { e.add(bound, beyond) } else { e.subtract(bound, beyond) };
        let (offset, mirrored) = (e.subtract(side, x), e.add(side, x));
        if is_invariant(e, offset) {
            return Some(e.subtract(end, offset));
        }
        if matches!(e.node(condition), Node::Equal(..)) && is_invariant(e, mirrored) {
            return Some(e.subtract(mirrored, end));
        }
    }
    None
}

/// A condition under which an iteration leads from the last place of a ring to the first.
struct End {
    ring: CarriedCopy,
    uniform: bool,
    condition: Expression,
}

/// Finds the copies of a thread that exchange two values, in each iteration or at a ring's end.
fn exchanges(
    program: &mut Program,
    scan: &Scan,
    loop_: Loop,
    thread: usize,
    next: &FxHashMap<Variable, Expression>,
    ends: &[End],
    evolutions: &mut [Copies<Evolution>],
) {
    let carried = program.loops[loop_].carried.clone();
    let own: Vec<usize> = (0..carried.len())
        .filter(|&index| thread == 0 || !evolutions[index].is_uniform())
        .filter(|&index| *evolutions[index].of(thread) == Evolution::Unknown)
        .filter(|&index| {
            let sort = program.expressions.variables()[*carried[index].variable.of(thread)].sort;
            matches!(sort, Sort::Bits(_) | Sort::Boolean)
        })
        .collect();
    if own.is_empty() {
        return;
    }
    let e = &mut program.expressions;
    let initial = carried.iter().map(|one| (*one.variable.of(thread), *one.initial.of(thread))).collect();
    let in_reach = ends.iter().filter(|end| end.uniform || end.ring.thread == thread);
    for end in std::iter::once(None).chain(in_reach.map(Some)) {
        let [kept, changed] = [false, true].map(|truth| {
            let mut supposed = Supposed::new(e, end.map(|end| (end.condition, truth)));
            next.iter().map(|(&x, &value)| (x, supposed.value(e, value))).collect::<FxHashMap<_, _>>()
        });
        for &index in &own {
            let variable = *carried[index].variable.of(thread);
            let uniform = evolutions[index].is_uniform();
            let (x, once) = (e.variable(variable), changed[&variable]);
            let fits = end.is_none_or(|end| kept[&variable] == x && (end.uniform || !uniform));
            if once == x || !fits || *evolutions[index].of(thread) != Evolution::Unknown {
                continue;
            }
            let twice = e.substitute(once, &changed, &mut FxHashMap::default());
            let other = e.substitute(once, &initial, &mut FxHashMap::default());
            let is_invariant = |part| scan.is_invariant(e, loop_, part);
            if is_invariant(other) && (twice == x || flipped_by(e, x, once).is_some_and(is_invariant)) {
                let found = Evolution::Exchange { other, at_end_of: end.map(|end| end.ring) };
                match &mut evolutions[index] {
                    Copies::Uniform(evolution) => *evolution = found,
                    Copies::Each(each) => each[thread] = found,
                }
            }
        }
    }
}

/// The value that flips a variable's bits.
fn flipped_by(e: &Expressions, x: Expression, once: Expression) -> Option<Expression> {
    match *e.node(once) {
        Node::Binary(BinaryOp::Xor, a, b) if a == x || b == x => Some(if a == x { b } else { a }),
        _ => None,
    }
}

/// Conditions with known truth values.
pub struct Supposed {
    known: FxHashMap<Expression, Expression>,
    memo: FxHashMap<Expression, Expression>,
}

impl Supposed {
    /// Supposes that conditions have these truth values, and their negations the opposite ones.
    pub fn new(e: &mut Expressions, conditions: impl IntoIterator<Item = (Expression, bool)>) -> Self {
        let mut known = FxHashMap::default();
        for (condition, truth) in conditions {
            known.insert(condition, e.boolean(truth));
            known.insert(e.not(condition), e.boolean(!truth));
        }
        Self { known, memo: FxHashMap::default() }
    }

    /// An expression without the conditions.
    pub fn value(&mut self, e: &mut Expressions, expression: Expression) -> Expression {
        if self.known.is_empty() {
            return expression;
        }
        e.replace(expression, |_, part| self.known.contains_key(&part), |_, part| self.known[&part], &mut self.memo)
    }
}
