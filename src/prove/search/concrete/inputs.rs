//! Concrete inputs: models of the solver, and variations likely to expose defects.
//!
//! Races tend to occur between neighbours, first and last threads, or first and last groups.
//! Revealing parameters are small, or equal to sizes. Open sizes get small values. Inputs that the
//! program defines as products of others are recomputed. Each variation is checked against the
//! preconditions before it is used.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{
    Array, BinaryOp, Copies, Expression, Expressions, Node, Program, Role, Sort, Value as Evaluated, Variable, evaluate,
};
use lockstep_solver::{Model, Session};

use super::tape::at;
use super::value::{Rule, Value, mix};

/// The value of each variable, by its index; the values of assigned variables do not matter.
pub type Inputs = Vec<Value>;

/// The inputs of a model. `expressions` are the program's, or extend them.
pub fn of_model(program: &Program, expressions: &mut Expressions, model: &Model, session: &mut Session) -> Inputs {
    let mut inputs = arbitrary(program, Rule { seed: 0, bits: 0 });
    for (variable, data) in program.expressions.variables() {
        if !matches!(data.role, Role::Input | Role::Watched) {
            continue;
        }
        let expression = expressions.variable(variable);
        let value = match data.sort {
            Sort::Boolean => model.boolean(session, expressions, expression).map(|value| Value::Word(u64::from(value))),
            Sort::Bits(_) => model.bits(session, expressions, expression).map(Value::of),
            Sort::Map { .. } => None,
        };
        if let Some(value) = value {
            inputs[at(variable)] = value;
        }
    }
    inputs
}

/// The inputs of one program, for another program that has inputs of the same names.
pub fn carried_over(inputs: Inputs, from: &Program, to: &Program) -> Inputs {
    if std::ptr::eq(from, to) {
        return inputs;
    }
    let mut carried = arbitrary(to, Rule { seed: 0, bits: 0 });
    for (variable, data) in to.expressions.variables() {
        let Some(origin) = from.expressions.variable_named(&data.name) else { continue };
        if matches!(data.role, Role::Input | Role::Watched) && from.expressions.variables()[origin].sort == data.sort {
            carried[at(variable)] = inputs[at(origin)].clone();
        }
    }
    carried
}

/// Sets the watched cell, and its digits as far as they are arithmetic on numbers.
pub fn watch(program: &Program, inputs: &mut Inputs, array: Array, cell: u64) {
    let e = &program.expressions;
    let data = &program.arrays[array];
    inputs[at(data.watched)] = Value::Word(cell);
    for digit in data.digits.iter().filter(|digit| is_arithmetic(e, digit.value)) {
        let variable = |variable: Variable| match e.variables()[variable].sort {
            Sort::Bits(width) => Evaluated::Bits(inputs[at(variable)].bits(width)),
            Sort::Boolean => Evaluated::Boolean(inputs[at(variable)].word() != 0),
            Sort::Map { .. } => unreachable!("no arithmetic"),
        };
        let value = evaluate(e, digit.value, &variable, &|_, _| unreachable!("no arithmetic"));
        inputs[at(digit.variable)] = Value::of(value.bits().clone());
    }
}

/// Whether an expression mentions no memory and no functions.
fn is_arithmetic(e: &Expressions, expression: Expression) -> bool {
    !e.occurs(&[expression], |node| matches!(node, Node::Select(..) | Node::Store(..) | Node::Apply(..)))
}

/// Arbitrary values for all variables.
pub fn arbitrary(program: &Program, rule: Rule) -> Inputs {
    let variables = program.expressions.variables();
    variables.iter().map(|(variable, data)| Value::arbitrary(data.sort, rule, u64::from(variable.as_u32()))).collect()
}

/// The inputs that are varied.
#[derive(Clone)]
pub struct Knobs {
    /// The local ids of the two threads in each dimension.
    pub(super) local_ids: Vec<[Option<Variable>; 2]>,
    /// The group ids of the two threads in each dimension.
    pub(super) group_ids: Vec<[Option<Variable>; 2]>,
    pub(super) local_sizes: Vec<Size>,
    pub(super) num_groups: Vec<Size>,
    /// Inputs that are products of others, such as the global size.
    ///
    /// A product that another one uses comes before it.
    products: Vec<(Variable, [Size; 2])>,
    pub(super) parameters: Vec<Variable>,
    /// The host's own numbers.
    pub(super) host: Vec<Variable>,
    maps: Vec<Variable>,
}

/// Values that are tried for open group sizes and group counts; 0 keeps the current value.
const LOCAL_SIZES: [u64; 8] = [0, 8, 4, 32, 2, 64, 3, 16];
const NUM_GROUPS: [u64; 6] = [0, 2, 4, 1, 3, 8];

/// A size of the launch.
#[derive(Clone, Copy)]
pub(super) enum Size {
    /// A constant size.
    Known(u64),
    /// A size that is an input.
    Open(Variable),
}

/// Parameter values that are tried, the most revealing first.
const TELLING: [u64; 14] = [64, 0, 1, 2, 3, 4, 8, 16, 17, 32, 100, 128, 1000, 1024];

/// Pairs of ids.
///
/// The variants other than numbers denote the last place, the one before it, and the middle.
const PAIRS: [[Place; 2]; 12] = [
    [Place::At(0), Place::At(1)],
    [Place::At(1), Place::At(0)],
    [Place::At(0), Place::Last],
    [Place::Last, Place::At(0)],
    [Place::At(2), Place::At(1)],
    [Place::At(1), Place::At(2)],
    [Place::At(0), Place::Middle],
    [Place::Middle, Place::At(0)],
    [Place::At(3), Place::At(1)],
    [Place::Any(0), Place::Any(1)],
    [Place::Any(2), Place::Any(3)],
    [Place::Last, Place::Any(4)],
];

impl Size {
    /// The size under these inputs.
    pub(super) fn value(self, inputs: &Inputs) -> u64 {
        match self {
            Self::Known(size) => size,
            Self::Open(variable) => match inputs[at(variable)] {
                Value::Word(size) => size,
                Value::Wide(_) | Value::Map(_) => 1,
            },
        }
    }
}

#[derive(Clone, Copy)]
enum Place {
    At(u64),
    Last,
    Middle,
    Any(u64),
}

impl Place {
    fn below(self, size: u64, seed: u64) -> u64 {
        match self {
            Self::At(at) => at,
            Self::Last => size.saturating_sub(1),
            Self::Middle => size / 2,
            Self::Any(salt) => mix(seed, salt) % size.max(1),
        }
    }
}

impl Knobs {
    /// The knobs of a program.
    pub fn of(program: &Program) -> Self {
        let input = |expression: &Expression| match *program.expressions.node(*expression) {
            Node::Variable(variable) if program.expressions.variables()[variable].role == Role::Input => Some(variable),
            _ => None,
        };
        let ids = |all: &[Copies<Expression>]| -> Vec<[Option<Variable>; 2]> {
            all.iter().map(|copies| [input(copies.of(0)), input(copies.of(1))]).collect()
        };
        let sizes = |all: &[Expression]| -> Vec<Size> {
            let size = |expression| {
                input(expression).map_or_else(
                    || Size::Known(program.expressions.as_bits(*expression).and_then(Bits::to_u64).unwrap_or(1)),
                    Size::Open,
                )
            };
            all.iter().map(size).collect()
        };
        let observables = &program.observables;
        let maps = program.expressions.variables().iter();
        Self {
            local_ids: ids(&observables.local_ids),
            group_ids: ids(&observables.group_ids),
            local_sizes: sizes(&observables.local_sizes),
            num_groups: sizes(&observables.num_groups),
            products: products(program),
            parameters: observables.parameters.iter().filter_map(|(_, parameter)| input(parameter)).collect(),
            host: observables.host.iter().filter_map(|(_, number)| input(number)).collect(),
            maps: maps.filter(|(_, data)| matches!(data.sort, Sort::Map { .. })).map(|(map, _)| map).collect(),
        }
    }

    /// The variation of this number; it may violate the preconditions.
    pub fn vary(&self, program: &Program, base: &Inputs, number: u64) -> Inputs {
        let mut inputs = base.clone();
        let seed = mix(1, number);
        // All parameters are the same at first, and then each differs from the others.
        for (position, &parameter) in (0u64..).zip(&self.parameters) {
            let choice = if number % 3 == 2 { mix(seed, position) } else { number / 2 };
            set_number(program, &mut inputs, parameter, TELLING[pick(choice, TELLING.len())]);
        }
        self.fill_maps(program, &mut inputs, Rule { seed, bits: [0, 3, 64][pick(number, 3)] });
        for (sizes, tried, salt) in [(&self.local_sizes, &LOCAL_SIZES[..], 5), (&self.num_groups, &NUM_GROUPS[..], 6)] {
            // The first dimension is usually the largest, but not always.
            for (dimension, size) in (0..).zip(sizes) {
                let choice = if dimension == 0 { number / 3 } else { mix(seed, salt + dimension) };
                let size = (*size, tried[pick(choice, tried.len())]);
                if let (Size::Open(variable), value @ 1..) = size {
                    set_number(program, &mut inputs, variable, value);
                }
            }
        }
        Self::place(program, &mut inputs, &self.local_ids, &self.local_sizes, number, seed);
        Self::place(program, &mut inputs, &self.group_ids, &self.num_groups, number / 2, !seed);
        self.multiply(program, &mut inputs);
        inputs
    }

    /// Fills all arrays according to a rule.
    pub(super) fn fill_maps(&self, program: &Program, inputs: &mut Inputs, rule: Rule) {
        for &map in &self.maps {
            inputs[at(map)] =
                Value::arbitrary(program.expressions.variables()[map].sort, rule, u64::from(map.as_u32()));
        }
    }

    /// Sets each product to the product of its factors.
    pub(super) fn multiply(&self, program: &Program, inputs: &mut Inputs) {
        for &(product, factors) in &self.products {
            let [a, b] = factors.map(|factor| factor.value(inputs));
            set_number(program, inputs, product, a.saturating_mul(b));
        }
    }

    /// Sets ids: a revealing pair in one dimension, and the same place in the others.
    fn place(
        program: &Program,
        inputs: &mut Inputs,
        ids: &[[Option<Variable>; 2]],
        sizes: &[Size],
        number: u64,
        seed: u64,
    ) {
        let moving: Vec<usize> =
            (0..ids.len()).filter(|&dimension| ids[dimension].iter().any(Option::is_some)).collect();
        if moving.is_empty() {
            return;
        }
        let apart = moving[pick(number / 12 + number, moving.len())];
        for &dimension in &moving {
            let size = sizes.get(dimension).map_or(1, |size| size.value(inputs));
            let pair = PAIRS[pick(number, PAIRS.len())];
            let together = if number % 4 == 3 { mix(seed, 7) % size.max(1) } else { 0 };
            for thread in [0, 1] {
                let Some(variable) = ids[dimension][thread] else { continue };
                let value = if dimension == apart { pair[thread].below(size, seed) } else { together };
                set_number(program, inputs, variable, value);
            }
        }
    }
}

/// Sets a variable to a number, if it is a bit-vector.
pub(super) fn set_number(program: &Program, inputs: &mut Inputs, variable: Variable, value: u64) {
    if let Sort::Bits(width) = program.expressions.variables()[variable].sort {
        inputs[at(variable)] = Value::of(Bits::new(width, value));
    }
}

/// The inputs that the program's exact facts define as products of others.
///
/// Such a fact has the form `zext(a) * zext(b) = zext(product)`.
fn products(program: &Program) -> Vec<(Variable, [Size; 2])> {
    let expressions = &program.expressions;
    let variable = |expression: Expression| match *expressions.node(expression) {
        Node::Variable(variable) => Some(variable),
        Node::ZeroExtend(inner) => match *expressions.node(inner) {
            Node::Variable(variable) => Some(variable),
            _ => None,
        },
        _ => None,
    };
    let factor = |expression: Expression| match expressions.as_bits(expression).and_then(Bits::to_u64) {
        Some(known) => Some(Size::Known(known)),
        None => variable(expression).map(Size::Open),
    };
    // A constant factor is the coefficient of a sum.
    let factors = |expression: Expression| match expressions.node(expression) {
        &Node::Binary(BinaryOp::Multiply, a, b) => Some([factor(a)?, factor(b)?]),
        Node::Sum(constant, terms) if constant.is_zero() && terms.len() == 1 => {
            Some([Size::Known(terms[0].0.to_u64()?), factor(terms[0].1)?])
        }
        _ => None,
    };
    let mut products = Vec::new();
    for fact in &program.exact {
        if let Node::Equal(a, b) = *expressions.node(fact.condition) {
            let found = [(a, b), (b, a)].into_iter().find_map(|(all, of)| Some((variable(all)?, factors(of)?)));
            products.extend(found);
        }
    }
    products
}

fn pick(number: u64, length: usize) -> usize {
    usize::try_from(number % u64::try_from(length).unwrap_or(1)).unwrap_or(0)
}
