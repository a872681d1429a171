//! Random programs that contain every construct.

use num_bigint::BigUint;

use super::{Random, Trees, trivial};
use crate::assumption::{Assumed, GivenBy};
use crate::bits::Bits;
use crate::kernel::ElementLayout;
#[allow(clippy::wildcard_imports, reason = "tests, if only of other crates")]
use crate::sequential::*;
use crate::source::{LocationData, Place};

/// A program with every construct. It satisfies the verifier's rules about sorts, but not the
/// others.
pub fn random_program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let mut trees = Trees::new();
    let e = &mut trees.expressions;
    for name in ["let", "odd name", "true", "zext8", "back`quote\\\n", "7up", "x$1", "copy$2"] {
        let thread = if name == "copy$2" { Some(0) } else { None };
        let variable = e.add_variable(name, Sort::Bits(8), thread, Role::Input);
        trees.variables.push((Sort::Bits(8), variable));
    }
    let mut generator = Generator { program: trivial(Expressions::new()), trees, random: &mut random };
    let program = &mut generator.program;
    program.name = "with \"quotes\"".into();
    program.pair = Pair::DifferentGroups;
    let place = |line| Place { file: "line\nbreak \".cl".into(), line };
    program.assumptions = [
        Assumed::PointersApart.everywhere(),
        Assumed::NoDivisionByZero { signed: true }.at([place(3), place(7)]),
        Assumed::NotReached.at([place(1)]),
        Assumed::GlobalSize { threads: vec![Some(64), None] }.everywhere(),
        Assumed::FewDraws { counter: "c".into(), each_interval: false, most: BigUint::from(1_u32) << 70 }.everywhere(),
        Assumed::ArraySize { name: "a \"b\"".into(), bytes: 12, by: GivenBy::Sizes }.everywhere(),
    ]
    .into_iter()
    .collect();
    let file = program.files.push("a b.cl".into());
    for number in 0..3 {
        let inlined_at = (number > 0).then(|| Location::from_u32(number - 1));
        let function = if number == 1 { String::new() } else { "f".into() };
        program.locations.push(LocationData { file, line: number, column: 9, inlined_at, function });
    }
    let watched = generator.trees.variable(generator.random, Sort::Bits(64));
    let digit = generator.trees.variable(generator.random, Sort::Bits(32));
    let digits = vec![Digit { variable: digit, value: generator.expression(Sort::Bits(32)) }];
    let element = Some(ElementLayout { name: "struct s".into(), bytes: 12, dimensions: vec![0, 4] });
    let array =
        ArrayData { name: "a".into(), group_shared: true, cell_bytes: 4, watched, digits, element, image: Some(3) };
    generator.program.arrays.push(array);
    for _ in 0..3 {
        let precondition =
            Precondition { condition: generator.condition(), ground: Ground::Model("why \\ not".into()) };
        generator.program.preconditions.push(precondition);
    }
    generator.program.body = generator.statements(3, None);
    for loop_ in generator.program.loops.keys().collect::<Vec<_>>() {
        let suggestion = Suggestion { loop_, condition: generator.condition() };
        generator.program.suggested.push(suggestion);
    }
    for number in 0..5 {
        generator.site(number);
    }
    generator.obligations();
    let (local_ids, group_ids) = (vec![generator.copies(Sort::Bits(32))], vec![generator.copies(Sort::Bits(3))]);
    let (local_size, groups) = (generator.expression(Sort::Bits(64)), generator.expression(Sort::Bits(64)));
    let parameters = vec![("n".to_owned(), generator.expression(Sort::Bits(8)))];
    let host = vec![("host.n".to_owned(), generator.expression(Sort::Bits(8)))];
    let observables = Observables {
        local_ids,
        group_ids,
        local_sizes: vec![local_size],
        num_groups: vec![groups],
        group_starts: vec![generator.copies(Sort::Bits(32))],
        global_sizes: vec![generator.expression(Sort::Bits(32))],
        parameters,
        host,
    };
    let Generator { mut program, trees, .. } = generator;
    program.observables = observables;
    program.expressions = trees.expressions;
    // Every third program has many names, some for parts of conjunctions and sums.
    if seed.is_multiple_of(3) {
        hint_names(&mut program.expressions, &mut random);
    }
    program
}

fn hint_names(e: &mut Expressions, random: &mut Random) {
    let all: Vec<Expression> = (0..e.len()).map(cranelift_entity::EntityRef::new).collect();
    for expression in all {
        let part = match e.node(expression).clone() {
            Node::And(parts) if parts.len() > 2 => e.and(parts[1..].iter().copied()),
            Node::Sum(constant, terms) if terms.len() > 2 => e.sum(constant, terms[1..].to_vec()),
            Node::Sum(_, terms) if terms.len() > 1 => e.sum(Bits::one(terms[0].0.width()), terms.to_vec()),
            _ => expression,
        };
        if random.below(4) == 0 {
            let name = ["i", "i$1", "i$2", "x$1", "odd name", "when", "i.2"][random.below(7) as usize];
            e.hint_name(part, name);
        }
    }
}

struct Generator<'a> {
    program: Program,
    trees: Trees,
    random: &'a mut Random,
}

impl Generator<'_> {
    fn expression(&mut self, sort: Sort) -> Expression {
        let tree = self.trees.tree(self.random, sort, 4);
        self.trees.build(&tree)
    }

    fn condition(&mut self) -> Expression {
        self.expression(Sort::Boolean)
    }

    fn copies(&mut self, sort: Sort) -> Copies<Expression> {
        if self.random.below(2) == 0 {
            return Copies::Uniform(self.expression(sort));
        }
        let first = self.expression(sort);
        Copies::Each([first, self.expression(sort)])
    }

    fn variable(&mut self, sort: Sort) -> Variable {
        self.trees.variable(self.random, sort)
    }

    fn location(&mut self) -> Option<Location> {
        (self.random.below(3) > 0).then(|| Location::from_u32(self.random.below(3)))
    }

    fn statements(&mut self, depth: u32, parent: Option<Loop>) -> Vec<Statement> {
        (0..4)
            .map(|_| {
                let location = self.location();
                match self.random.below(if depth > 0 { 6 } else { 4 }) {
                    0 => {
                        let sort = self.random.sort();
                        let mut value = self.expression(sort);
                        let variable = self.variable(sort);
                        if self.random.below(2) == 0 {
                            let condition = self.condition();
                            let e = &mut self.trees.expressions;
                            let old = e.variable(variable);
                            value = e.if_then_else(condition, value, old);
                        }
                        Statement::Assign { variable, value, location }
                    }
                    1 => {
                        let unknown = self.unknown();
                        Statement::Havoc { variable: self.variable(Sort::Bits(8)), unknown, location }
                    }
                    2 => {
                        let reason = "a \"reason\"".into();
                        let about = [None, Some(vec![]), Some(vec![0]), Some(vec![1, 4])]
                            [self.random.below(4) as usize]
                            .clone()
                            .map(|sites| sites.into_iter().map(Site::from_u32).collect());
                        Statement::Assume { condition: self.condition(), reason, about, location }
                    }
                    3 => {
                        let obligation = Obligation::from_u32(self.random.below(9));
                        Statement::Assert { condition: self.condition(), obligation, location }
                    }
                    _ => self.looop(depth - 1, parent),
                }
            })
            .collect()
    }

    fn unknown(&mut self) -> Unknown {
        let what = "some\tthing".to_owned();
        match self.random.below(6) {
            0 => Unknown::Load(what),
            1 => Unknown::Atomic(what),
            2 => Unknown::Contents(what),
            3 => Unknown::Undefined,
            4 => Unknown::Unmodelled(what),
            _ => Unknown::Choice,
        }
    }

    fn looop(&mut self, depth: u32, parent: Option<Loop>) -> Statement {
        let (sort, boolean) = (Sort::Bits(32), Sort::Boolean);
        let variable = Copies::Each([self.variable(sort), self.variable(sort)]);
        let name = (self.random.below(2) == 0).then(|| "i".to_owned());
        let carried = vec![Carried { name, variable, initial: self.copies(sort), next: self.copies(sort) }];
        let family = ["recurrences", "user", "x 1", "bounds"][self.random.below(4) as usize].to_owned();
        let data = LoopData {
            counter: self.variable(Sort::Bits(64)),
            guard: self.condition(),
            active: Copies::Each([self.variable(boolean), self.variable(boolean)]),
            body: Vec::new(),
            parent,
            invariants: vec![Invariant { condition: self.condition(), family }],
            carried,
            has_barrier: self.random.below(2) == 0,
            location: self.location(),
        };
        let looop = self.program.loops.push(data);
        self.program.loops[looop].body = self.statements(depth, Some(looop));
        Statement::Loop(looop)
    }

    fn site(&mut self, number: usize) {
        use AccessKind::{AsyncRead, AsyncWrite, Atomic, Read, Write};
        let original = self.variable(Sort::Bits(8));
        let data = SiteData {
            array: Array::from_u32(0),
            kind: [Read, Write, Atomic, AsyncRead, AsyncWrite][number],
            volatile: number == 1,
            location: self.location(),
            loops: (0..self.random.below(3)).map(Loop::from_u32).collect(),
            hit: self.variable(Sort::Boolean),
            written: (number == 1).then_some(original),
            recorded: vec![Recorded { original, recorded: self.variable(Sort::Bits(8)) }],
            facts: vec![self.condition(), self.condition()],
            offset: self.copies(Sort::Bits(64)),
            active: self.copies(Sort::Boolean),
        };
        self.program.sites.push(data);
    }

    fn obligations(&mut self) {
        let array = "a".to_owned();
        let cell = self.expression(Sort::Bits(32));
        let element = Some(ElementLayout { name: "int".into(), bytes: 4, dimensions: vec![8, 8] });
        let kinds = [
            ObligationKind::Race { logged: Site::from_u32(1), checked: Site::from_u32(0) },
            ObligationKind::BarrierDivergence { active: self.copies(Sort::Boolean) },
            ObligationKind::GroupOperationDivergence,
            ObligationKind::WarpDivergence { active: self.copies(Sort::Boolean) },
            ObligationKind::Digits { array: array.clone() },
            ObligationKind::OutOfBounds { array, cells: Some(64), cell_bytes: 4, cell, thread: Some(1), element },
            ObligationKind::InvariantEntry,
            ObligationKind::InvariantStep,
        ];
        let claims = Claim::ALL.into_iter().zip([None, Some(0), Some(1)].into_iter().cycle());
        let claims = claims.map(|(claim, thread)| ObligationKind::Claim { claim, thread });
        let rules = BarrierRule::ALL.into_iter().map(ObligationKind::NamedBarrier);
        let signals = SignalRule::ALL.into_iter().map(ObligationKind::Signal);
        for kind in kinds.into_iter().chain(claims).chain(rules).chain(signals) {
            let location = self.location();
            self.program.obligations.push(ObligationData { kind, location });
        }
    }
}
