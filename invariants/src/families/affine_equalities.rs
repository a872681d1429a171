//! `affine-equalities`: linear equations between variables of a thread, modulo `2^w`.
//!
//! The columns of the vectors are the carried variables of one width, the counter `k`, and the
//! terms of the initial values. The states at the loop's head are the state before the loop and
//! those after its iterations. Each path through the body (each choice of the conditions in the
//! assigned values) is a linear map. If it adds an unknown term, any multiple of that term may be
//! added. The span grows until a fixpoint; the equations are the linear forms that are zero on all
//! of it. This is Karr's analysis over numbers modulo `2^w`, following Müller-Olm and Seidl; an
//! equation times a power of two is a congruence.
//!
//! Proposed as `P → Σ c·x = 0` (also for threads that have left the loop, if `k` does not occur),
//! and for the values recorded with hits. Equations that closed forms imply are left out.
//!
//! Examples: `if (c) { p += 3; j++; }` gives `p - 3·j = p0 - 3·j0`;
//! `if (c) kept++; else dropped++;` gives `kept + dropped = k`; `at += jump[i] << 6` gives
//! `(at - at0)[5:0] = 0`.
//!
//! Useful where one variable is bounded and another, which follows it, forms the index. The family
//! `equal-values` handles relations between the two threads' copies.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{Expression, Loop, Node, Sort};

use crate::abstraction::{Span, Vector, mask};
use crate::claims::Claim;
use crate::context::Context;
use crate::recurrences::{Supposed, resized};
use crate::scan::CarriedCopy;

/// The maximum number of variables of a width; further ones are left out.
const MOST_VARIABLES: usize = 12;

/// The maximum number of other terms with a column.
const MOST_TERMS: usize = 16;

/// The maximum number of paths through a body; a body with more is skipped.
const MOST_PATHS: usize = 64;

/// The maximum depth to which nested conditionals are analysed.
const DEEPEST: u32 = 12;

pub fn claims(context: &mut Context<'_>, loop_: Loop) -> Vec<Claim> {
    let mut found = Vec::new();
    let mut widths: Vec<u32> = Vec::new();
    let copies = context.carried_bits(loop_);
    for &copy in &copies {
        let width = context.width_of(copy);
        let telling = !context.scan.evolution(copy).is_steady();
        if width <= 64 && telling && !widths.contains(&width) {
            widths.push(width);
        }
    }
    for width in widths {
        for thread in 0..2 {
            let members: Vec<CarriedCopy> = copies
                .iter()
                .copied()
                .filter(|&copy| context.width_of(copy) == width)
                .filter(|copy| copy.thread == thread || context.loops[loop_].carried[copy.index].variable.is_uniform())
                .take(MOST_VARIABLES)
                .collect();
            if members.iter().any(|copy| copy.thread == thread) {
                found.extend(equations(context, loop_, width, thread, members));
            }
        }
    }
    found
}

fn equations(
    context: &mut Context<'_>,
    loop_: Loop,
    width: u32,
    thread: usize,
    mut members: Vec<CarriedCopy>,
) -> Vec<Claim> {
    let mut found = Vec::new();
    // Variables with a closed form come last: equations begin with variables that have none.
    members.sort_by_key(|&copy| context.scan.evolution(copy).is_steady());
    let telling = members.iter().filter(|&&copy| !context.scan.evolution(copy).is_steady()).count();
    let Some(equations) = Equations::new(context, loop_, width, thread, &members).map(Equations::solved) else {
        return found;
    };
    for equation in equations.rows {
        let begins = equation.iter().position(|&entry| entry != 0).unwrap_or(usize::MAX);
        if begins >= telling {
            continue;
        }
        let condition = equations.columns.condition(context, width, &equation);
        if context.expressions.as_boolean(condition).is_some() {
            continue;
        }
        let counts = equation[equations.columns.counter()] != 0;
        let state = if counts { Claim::carried } else { Claim::lasting };
        found.push(state(context, members[begins], condition));
    }
    found
}

/// The meaning of the columns of vectors: the variables, the counter, other terms, and the constant
/// one at the end.
struct Columns {
    variables: Vec<Expression>,
    counter: Expression,
    terms: Vec<Expression>,
}

impl Columns {
    fn counter(&self) -> usize {
        self.variables.len()
    }

    fn len(&self) -> usize {
        self.one() + 1
    }

    /// Each term has a reserved column, whether or not the term is known yet.
    fn one(&self) -> usize {
        self.variables.len() + 1 + MOST_TERMS
    }

    fn unit(&self, column: usize) -> Vector {
        (0..self.len()).map(|at| u64::from(at == column)).collect()
    }

    /// The column of a variable or a known term.
    fn known(&self, term: Expression) -> Option<usize> {
        if term == self.counter {
            return Some(self.counter());
        }
        let variable = self.variables.iter().position(|&variable| variable == term);
        variable.or_else(|| self.terms.iter().position(|&known| known == term).map(|at| self.variables.len() + 1 + at))
    }

    /// The column of a term that the loop does not change, if there is room for it.
    fn of_term(&mut self, term: Expression) -> Option<usize> {
        if self.known(term).is_none() && self.terms.len() < MOST_TERMS {
            self.terms.push(term);
        }
        self.known(term)
    }

    /// `Σ entry · column = 0`, or that equation for the low bits if all entries are even.
    fn condition(&self, context: &mut Context<'_>, width: u32, equation: &[u64]) -> Expression {
        let even = equation.iter().map(|entry| entry.trailing_zeros()).min().unwrap_or(0).min(width - 1);
        let bits = |entry: u64| Bits::new(width, entry >> even & mask(width));
        let e = &mut *context.expressions;
        let mut terms = Vec::new();
        for (column, &entry) in equation.iter().enumerate() {
            let term = match column.checked_sub(self.variables.len()) {
                None => self.variables[column],
                Some(0) => self.counter,
                Some(at) if at <= self.terms.len() => self.terms[at - 1],
                Some(_) => continue,
            };
            if entry != 0 {
                terms.push((bits(entry), term));
            }
        }
        let sum = e.sum(bits(equation[self.one()]), terms);
        let low = if even == 0 { sum } else { e.extract(width - even - 1, 0, sum) };
        let zero = e.number(width - even, 0);
        e.equal(low, zero)
    }
}

/// The equations of a loop.
struct Equations {
    loop_: Loop,
    width: u32,
    columns: Columns,
    /// The values of the variables before the loop, as vectors over the columns.
    initial: Vec<Vector>,
    paths: Vec<Path>,
    rows: Vec<Vector>,
}

/// A path through the body: the new values of the variables, and the directions in which unknown
/// terms move them.
struct Path {
    next: Vec<Vector>,
    unknown: Vec<Vector>,
}

impl Equations {
    fn new(context: &mut Context<'_>, loop_: Loop, width: u32, thread: usize, members: &[CarriedCopy]) -> Option<Self> {
        let counter = context.expressions.variable(context.loops[loop_].counter);
        let counter = resized(context.expressions, width, counter);
        let variables: Vec<Expression> = members.iter().map(|&copy| context.current(copy)).collect();
        let columns = Columns { variables, counter, terms: Vec::new() };
        let known = context.scan.loops[loop_].continuing[thread].iter().map(|&conjunct| (conjunct, true));
        let mut known = Supposed::new(context.expressions, known);
        let next: Vec<Expression> =
            members.iter().map(|&copy| known.value(context.expressions, context.next(copy))).collect();
        let mut all = Self { loop_, width, columns, initial: Vec::new(), paths: Vec::new(), rows: Vec::new() };
        for &copy in members {
            let initial = context.initial(copy);
            let (vector, unknown) = all.linear(context, initial)?;
            if !unknown.is_empty() {
                return None;
            }
            all.initial.push(vector);
        }
        all.collect_paths(context, &next, DEEPEST)?;
        Some(all)
    }

    /// The equations of all states.
    fn solved(mut self) -> Self {
        let columns = self.columns.len();
        let mut span = Span::new(self.width, columns);
        let mut waiting: Vec<Vector> = Vec::new();
        // One state for each term, and one for the constant.
        for column in self.columns.counter() + 1..columns {
            let mut state = self.columns.unit(column);
            for (variable, initial) in self.initial.iter().enumerate() {
                state[variable] = initial[column];
            }
            waiting.push(state);
        }
        for path in &self.paths {
            waiting.extend(path.unknown.iter().cloned());
        }
        while let Some(state) = waiting.pop() {
            if span.add(state.clone()) {
                waiting.extend(self.paths.iter().map(|path| self.after(path, &state)));
            }
        }
        self.rows = span.annihilator();
        self
    }

    /// The state after an iteration.
    fn after(&self, path: &Path, state: &Vector) -> Vector {
        let mut after = state.clone();
        for (variable, next) in path.next.iter().enumerate() {
            let products = next.iter().zip(state).map(|(a, b)| a.wrapping_mul(*b));
            after[variable] = products.fold(0, u64::wrapping_add) & mask(self.width);
        }
        let counter = self.columns.counter();
        after[counter] = after[counter].wrapping_add(state[self.columns.one()]) & mask(self.width);
        after
    }

    /// The paths through the assigned values: one for each choice of the conditions in them.
    fn collect_paths(&mut self, context: &mut Context<'_>, next: &[Expression], depth: u32) -> Option<()> {
        let open = next.iter().find_map(|&value| open_condition(context, value, DEEPEST));
        let Some(condition) = open else { return self.add_path(context, next) };
        let depth = depth.checked_sub(1)?;
        for truth in [true, false] {
            let mut supposed = Supposed::new(context.expressions, [(condition, truth)]);
            let on_path: Vec<Expression> =
                next.iter().map(|&value| supposed.value(context.expressions, value)).collect();
            self.collect_paths(context, &on_path, depth)?;
        }
        Some(())
    }

    fn add_path(&mut self, context: &mut Context<'_>, next: &[Expression]) -> Option<()> {
        let mut path = Path { next: Vec::new(), unknown: Vec::new() };
        let mut unknown: Vec<Expression> = Vec::new();
        let mut directions: Vec<Vector> = Vec::new();
        for (variable, &value) in next.iter().enumerate() {
            let (vector, terms) = self.linear(context, value)?;
            path.next.push(vector);
            for (factor, term) in terms {
                let at = unknown.iter().position(|&known| known == term).unwrap_or_else(|| {
                    unknown.push(term);
                    directions.push(vec![0; self.columns.len()]);
                    unknown.len() - 1
                });
                directions[at][variable] = factor;
            }
        }
        path.unknown = directions;
        self.paths.push(path);
        (self.paths.len() <= MOST_PATHS).then_some(())
    }

    /// A number as a sum over the columns, and its remaining terms.
    fn linear(&mut self, context: &Context<'_>, value: Expression) -> Option<(Vector, Vec<(u64, Expression)>)> {
        let e = &*context.expressions;
        let mut vector = vec![0; self.columns.len()];
        let mut unknown = Vec::new();
        let alone = [(Bits::one(self.width), value)];
        let (constant, terms) = match e.node(value) {
            Node::Bits(bits) => (bits.to_u64()?, &[][..]),
            Node::Sum(constant, terms) => (constant.to_u64()?, &terms[..]),
            _ => (0, &alone[..]),
        };
        vector[self.columns.one()] = constant;
        for (factor, term) in terms {
            let factor = factor.to_u64()?;
            let unchanged = context.scan.is_invariant(e, self.loop_, *term);
            let column = if unchanged { self.columns.of_term(*term) } else { self.columns.known(*term) };
            match column {
                Some(column) => vector[column] = factor,
                None => unknown.push((factor, *term)),
            }
        }
        Some((vector, unknown))
    }
}

/// The first condition that a number still depends on: a single one, not a conjunction or
/// disjunction.
fn open_condition(context: &Context<'_>, value: Expression, depth: u32) -> Option<Expression> {
    let depth = depth.checked_sub(1)?;
    let e = &*context.expressions;
    match e.node(value) {
        Node::IfThenElse(condition, ..) => {
            let mut condition = *condition;
            while let Node::Not(first) = e.node(condition) {
                condition = *first;
            }
            while let Node::And(parts) | Node::Or(parts) = e.node(condition) {
                condition = parts[0];
                while let Node::Not(first) = e.node(condition) {
                    condition = *first;
                }
            }
            Some(condition)
        }
        Node::Sum(_, terms) => terms.iter().find_map(|(_, term)| open_condition(context, *term, depth)),
        Node::ZeroExtend(inner) if matches!(e.sort(value), Sort::Bits(_)) => open_condition(context, *inner, depth),
        _ => None,
    }
}
