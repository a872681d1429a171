//! Random expressions as trees, with their value by definition, to compare with the expressions
//! that the arena builds.

use super::{MAPS, Random, WIDTHS};
use crate::bits::Bits;
#[allow(clippy::wildcard_imports, reason = "tests, if only of other crates")]
use crate::sequential::*;

/// An expression as it was requested, before any simplification.
#[derive(Clone, Debug)]
pub enum Tree {
    Boolean(bool),
    Bits(Bits),
    Variable(Variable),
    Not(Box<Tree>),
    And(Vec<Tree>),
    Or(Vec<Tree>),
    Implies(Box<[Tree; 2]>),
    Equal(Box<[Tree; 2]>),
    IfThenElse(Box<[Tree; 3]>),
    Sum(Bits, Vec<(Bits, Tree)>),
    Add(Box<[Tree; 2]>),
    Subtract(Box<[Tree; 2]>),
    Negate(Box<Tree>),
    Complement(Box<Tree>),
    Binary(BinaryOp, Box<[Tree; 2]>),
    Compare(CompareOp, Box<[Tree; 2]>),
    ZeroExtend(u32, Box<Tree>),
    SignExtend(u32, Box<Tree>),
    Extract(u32, u32, Box<Tree>),
    Concat(Box<[Tree; 2]>),
    Select(Box<[Tree; 2]>),
    Store(Box<[Tree; 3]>),
    Apply(Function, Vec<Tree>),
}

/// The values of the variables.
pub type Assignment = std::collections::HashMap<Variable, Value>;

/// Random trees over a few variables of each sort.
pub struct Trees {
    pub expressions: Expressions,
    pub variables: Vec<(Sort, Variable)>,
    functions: Vec<(Sort, Function)>,
}

impl Trees {
    pub fn new() -> Self {
        let mut expressions = Expressions::new();
        let mut variables = Vec::new();
        let mut functions = Vec::new();
        let sorts = WIDTHS.map(Sort::Bits).into_iter().chain(MAPS).chain([Sort::Boolean]);
        for (number, sort) in sorts.enumerate() {
            for name in ["x", "y", "z"] {
                let name = format!("{name}{number}");
                variables.push((sort, expressions.add_variable(&name, sort, None, Role::Value)));
            }
            if !matches!(sort, Sort::Map { .. }) {
                let parameters = vec![sort, Sort::Boolean, Sort::Bits(8)];
                functions.push((sort, expressions.add_function(&format!("f{number}"), parameters, sort)));
            }
        }
        Self { expressions, variables, functions }
    }

    pub fn variable(&self, random: &mut Random, sort: Sort) -> Variable {
        let of_sort: Vec<_> = self.variables.iter().filter(|(other, _)| *other == sort).collect();
        random.pick(&of_sort).1
    }

    pub fn tree(&self, random: &mut Random, sort: Sort, depth: u32) -> Tree {
        if depth == 0 || random.below(10) == 0 {
            return match sort {
                Sort::Boolean if random.below(4) == 0 => Tree::Boolean(random.below(2) == 0),
                Sort::Bits(width) if random.below(3) == 0 => Tree::Bits(random.bits(width)),
                _ => Tree::Variable(self.variable(random, sort)),
            };
        }
        let depth = depth - 1;
        if random.below(8) == 0 {
            let condition = self.tree(random, Sort::Boolean, depth);
            let branches = [(); 2].map(|()| self.tree(random, sort, depth));
            let [a, b] = branches;
            return Tree::IfThenElse(Box::new([condition, a, b]));
        }
        match sort {
            Sort::Boolean => self.boolean_tree(random, depth),
            Sort::Bits(width) => self.bits_tree(random, width, depth),
            Sort::Map { index, element } => Tree::Store(Box::new([
                self.tree(random, sort, depth),
                self.tree(random, Sort::Bits(index), depth),
                self.tree(random, Sort::Bits(element), depth),
            ])),
        }
    }

    #[allow(clippy::unnecessary_box_returns, reason = "trees hold their operands in boxes")]
    fn pair(&self, random: &mut Random, sort: Sort, depth: u32) -> Box<[Tree; 2]> {
        Box::new([(); 2].map(|()| self.tree(random, sort, depth)))
    }

    fn several(&self, random: &mut Random, sort: Sort, depth: u32) -> Vec<Tree> {
        (0..random.below(4)).map(|_| self.tree(random, sort, depth)).collect()
    }

    fn application(&self, random: &mut Random, sort: Sort, depth: u32) -> Tree {
        let of_sort: Vec<_> = self.functions.iter().filter(|(other, _)| *other == sort).collect();
        match of_sort.as_slice() {
            [] => Tree::Variable(self.variable(random, sort)),
            some => {
                let function = random.pick(some).1;
                let parameters = self.expressions.functions()[function].parameters.clone();
                let arguments = parameters.iter().map(|&sort| self.tree(random, sort, depth)).collect();
                Tree::Apply(function, arguments)
            }
        }
    }

    fn boolean_tree(&self, random: &mut Random, depth: u32) -> Tree {
        let boolean = Sort::Boolean;
        match random.below(10) {
            0 => Tree::Not(Box::new(self.tree(random, boolean, depth))),
            1 => Tree::And(self.several(random, boolean, depth)),
            2 => Tree::Or(self.several(random, boolean, depth)),
            3 => Tree::Implies(self.pair(random, boolean, depth)),
            4 => self.application(random, boolean, depth),
            5 | 6 => {
                let sort = random.sort();
                Tree::Equal(self.pair(random, sort, depth))
            }
            _ => {
                let sort = Sort::Bits(*random.pick(&WIDTHS));
                Tree::Compare(*random.pick(CompareOp::ALL), self.pair(random, sort, depth))
            }
        }
    }

    fn bits_tree(&self, random: &mut Random, width: u32, depth: u32) -> Tree {
        let sort = Sort::Bits(width);
        match random.below(16) {
            0 => {
                let terms = self.several(random, sort, depth).into_iter();
                let terms = terms.map(|term| (random.bits(width), term)).collect();
                Tree::Sum(random.bits(width), terms)
            }
            1 => Tree::Add(self.pair(random, sort, depth)),
            2 => Tree::Subtract(self.pair(random, sort, depth)),
            3 => Tree::Negate(Box::new(self.tree(random, sort, depth))),
            4 => Tree::Complement(Box::new(self.tree(random, sort, depth))),
            5 | 6 => {
                let narrow: Vec<_> = WIDTHS.into_iter().filter(|&other| other <= width).collect();
                let inner = Sort::Bits(*random.pick(&narrow));
                let inner = Box::new(self.tree(random, inner, depth));
                if random.below(2) == 0 { Tree::ZeroExtend(width, inner) } else { Tree::SignExtend(width, inner) }
            }
            7 | 8 => {
                let wide: Vec<_> = WIDTHS.into_iter().filter(|&other| other >= width).collect();
                let from = *random.pick(&wide);
                let low = random.below(from - width + 1);
                let inner = self.tree(random, Sort::Bits(from), depth);
                Tree::Extract(low + width - 1, low, Box::new(inner))
            }
            9 if width > 1 => {
                // Trees of the remaining widths are made by extraction from the widest.
                let low_width = 1 + random.below(width - 1);
                let part = |random: &mut Random, part_width: u32| {
                    if WIDTHS.contains(&part_width) {
                        return self.tree(random, Sort::Bits(part_width), depth);
                    }
                    let low = random.below(64 - part_width + 1);
                    Tree::Extract(low + part_width - 1, low, Box::new(self.tree(random, Sort::Bits(64), depth)))
                };
                Tree::Concat(Box::new([part(random, width - low_width), part(random, low_width)]))
            }
            10 => self.application(random, sort, depth),
            11 => match MAPS.iter().find(|map| matches!(map, Sort::Map { element, .. } if *element == width)) {
                Some(&Sort::Map { index, element }) => Tree::Select(Box::new([
                    self.tree(random, Sort::Map { index, element }, depth),
                    self.tree(random, Sort::Bits(index), depth),
                ])),
                _ => Tree::Variable(self.variable(random, sort)),
            },
            _ => Tree::Binary(*random.pick(BinaryOp::ALL), self.pair(random, sort, depth)),
        }
    }

    pub fn build(&mut self, tree: &Tree) -> Expression {
        match tree {
            Tree::Boolean(value) => self.expressions.boolean(*value),
            Tree::Bits(bits) => self.expressions.bits(bits.clone()),
            Tree::Variable(variable) => self.expressions.variable(*variable),
            Tree::Not(a) => {
                let a = self.build(a);
                self.expressions.not(a)
            }
            Tree::And(all) => {
                let all: Vec<_> = all.iter().map(|part| self.build(part)).collect();
                self.expressions.and(all)
            }
            Tree::Or(all) => {
                let all: Vec<_> = all.iter().map(|part| self.build(part)).collect();
                self.expressions.or(all)
            }
            Tree::Implies(both) => self.build_pair(both, Expressions::implies),
            Tree::Equal(both) => self.build_pair(both, Expressions::equal),
            Tree::IfThenElse(all) => {
                let [c, a, b] = all.each_ref().map(|part| self.build(part));
                self.expressions.if_then_else(c, a, b)
            }
            Tree::Sum(constant, terms) => {
                let terms = terms.iter().map(|(factor, term)| (factor.clone(), self.build(term))).collect();
                self.expressions.sum(constant.clone(), terms)
            }
            Tree::Add(both) => self.build_pair(both, Expressions::add),
            Tree::Subtract(both) => self.build_pair(both, Expressions::subtract),
            Tree::Negate(a) => {
                let a = self.build(a);
                self.expressions.negate(a)
            }
            Tree::Complement(a) => {
                let a = self.build(a);
                self.expressions.unary(UnaryOp::Not, a)
            }
            Tree::Binary(op, both) => self.build_pair(both, |e, a, b| e.binary(*op, a, b)),
            Tree::Compare(op, both) => self.build_pair(both, |e, a, b| e.compare(*op, a, b)),
            Tree::ZeroExtend(width, a) => {
                let a = self.build(a);
                self.expressions.zero_extend(*width, a)
            }
            Tree::SignExtend(width, a) => {
                let a = self.build(a);
                self.expressions.sign_extend(*width, a)
            }
            Tree::Extract(high, low, a) => {
                let a = self.build(a);
                self.expressions.extract(*high, *low, a)
            }
            Tree::Concat(both) => self.build_pair(both, Expressions::concat),
            Tree::Select(both) => self.build_pair(both, Expressions::select),
            Tree::Store(all) => {
                let [map, index, value] = all.each_ref().map(|part| self.build(part));
                self.expressions.store(map, index, value)
            }
            Tree::Apply(function, arguments) => {
                let arguments = arguments.iter().map(|argument| self.build(argument)).collect();
                self.expressions.apply(*function, arguments)
            }
        }
    }

    fn build_pair(
        &mut self,
        both: &[Tree; 2],
        construct: impl FnOnce(&mut Expressions, Expression, Expression) -> Expression,
    ) -> Expression {
        let [a, b] = both.each_ref().map(|part| self.build(part));
        construct(&mut self.expressions, a, b)
    }

    pub fn assignment(&self, random: &mut Random) -> Assignment {
        let value = |random: &mut Random, sort| match sort {
            Sort::Boolean => Value::Boolean(random.below(2) == 0),
            Sort::Bits(width) => Value::Bits(random.bits(width)),
            Sort::Map { index, element } => {
                let entries = (0..random.below(4)).map(|_| (random.bits(index), random.bits(element))).collect();
                Value::Map(entries, random.bits(element))
            }
        };
        self.variables.iter().map(|&(sort, variable)| (variable, value(random, sort))).collect()
    }

    /// Some function of the arguments, different for each name.
    pub fn interpret(&self, function: Function, arguments: &[Value]) -> Value {
        let mut state = u64::from(function.as_u32());
        for argument in arguments {
            let word = match argument {
                Value::Boolean(value) => u64::from(*value),
                Value::Bits(bits) => bits.to_u64().expect("at most 64 bits"),
                Value::Map(..) => unreachable!("no function of the tests takes a map"),
            };
            state = Random::new(state ^ word).next();
        }
        match self.expressions.functions()[function].result {
            Sort::Boolean => Value::Boolean(state & 1 == 1),
            Sort::Bits(width) => Value::Bits(Bits::new(width, state)),
            Sort::Map { .. } => unreachable!("no function of the tests returns a map"),
        }
    }

    pub fn evaluate(&self, expression: Expression, assignment: &Assignment) -> Value {
        evaluate(&self.expressions, expression, &|variable| assignment[&variable].clone(), &|function, arguments| {
            self.interpret(function, arguments)
        })
    }

    /// The value of a tree by SMT-LIB's definitions, with no simplification anywhere.
    pub fn value(&self, tree: &Tree, assignment: &Assignment) -> Value {
        let boolean = |tree: &Tree| self.value(tree, assignment).boolean();
        let bits = |tree: &Tree| self.value(tree, assignment).bits().clone();
        match tree {
            Tree::Boolean(value) => Value::Boolean(*value),
            Tree::Bits(constant) => Value::Bits(constant.clone()),
            Tree::Variable(variable) => assignment[variable].clone(),
            Tree::Not(a) => Value::Boolean(!boolean(a)),
            Tree::And(all) => Value::Boolean(all.iter().all(boolean)),
            Tree::Or(all) => Value::Boolean(all.iter().any(boolean)),
            Tree::Implies(both) => Value::Boolean(!boolean(&both[0]) || boolean(&both[1])),
            Tree::Equal(both) => Value::Boolean(self.value(&both[0], assignment) == self.value(&both[1], assignment)),
            Tree::IfThenElse(all) => self.value(if boolean(&all[0]) { &all[1] } else { &all[2] }, assignment),
            Tree::Sum(constant, terms) => Value::Bits(
                terms.iter().fold(constant.clone(), |sum, (factor, term)| sum.add(&factor.mul(&bits(term)))),
            ),
            Tree::Add(both) => Value::Bits(bits(&both[0]).add(&bits(&both[1]))),
            Tree::Subtract(both) => Value::Bits(bits(&both[0]).sub(&bits(&both[1]))),
            Tree::Negate(a) => Value::Bits(bits(a).neg()),
            Tree::Complement(a) => Value::Bits(bits(a).not()),
            Tree::Binary(op, both) => Value::Bits(op.fold(&bits(&both[0]), &bits(&both[1]))),
            Tree::Compare(op, both) => Value::Boolean(op.fold(&bits(&both[0]), &bits(&both[1]))),
            Tree::ZeroExtend(width, a) => Value::Bits(bits(a).zero_extend(*width)),
            Tree::SignExtend(width, a) => Value::Bits(bits(a).sign_extend(*width)),
            Tree::Extract(high, low, a) => Value::Bits(bits(a).extract(*high, *low)),
            Tree::Concat(both) => Value::Bits(bits(&both[0]).concat(&bits(&both[1]))),
            Tree::Select(both) => Value::Bits(self.value(&both[0], assignment).select(&bits(&both[1])).clone()),
            Tree::Store(all) => self.value(&all[0], assignment).store(bits(&all[1]), bits(&all[2])),
            Tree::Apply(function, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|argument| self.value(argument, assignment)).collect();
                self.interpret(*function, &arguments)
            }
        }
    }
}
