//! Programs for the tests of this folder.

use cranelift_entity::PrimaryMap;

#[allow(clippy::wildcard_imports, reason = "tests, if only of other crates")]
use super::*;
use crate::bits::Bits;
use crate::kernel::ElementLayout;
use crate::source::LocationData;

/// What lowering makes of this kernel, for two threads of a group (and a read that races with nothing):
///
/// ```c
/// for (int i = 0; i < n; i++)
///   a[4 * lid + i - 3] = f(a[0]);
/// ```
///
/// With `i < 4` as the bound that the precondition gives `n`, and `4 * lid`, no two threads meet.
pub(super) fn sample() -> Program {
    let mut e = Expressions::new();
    let word = Sort::Bits(32);
    let both = |e: &mut Expressions, name: &str, sort, role| {
        [0, 1].map(|thread| e.add_variable(&format!("{name}${}", thread + 1), sort, Some(thread), role))
    };
    let (loop0, site0) = (Loop::from_u32(0), Site::from_u32(0));
    let lid = both(&mut e, "lid", word, Role::Input);
    let n = e.add_variable("n", word, None, Role::Input);
    let watched = e.add_variable("watched.a", Sort::Bits(64), None, Role::Watched);
    let i = e.add_variable("i", word, None, Role::Value);
    let counter = e.add_variable("k", Sort::Bits(64), None, Role::Counter(loop0));
    let active = e.add_variable("active", Sort::Boolean, None, Role::Predicate);
    let choice = e.add_variable("choice", Sort::Boolean, None, Role::Choice);
    let hit = e.add_variable("hit$1", Sort::Boolean, Some(0), Role::Hit(site0));
    let recorded = e.add_variable("k.hit$1", Sort::Bits(64), Some(0), Role::Recorded(site0));
    let contents = e.add_variable("a", Sort::Map { index: 64, element: 32 }, None, Role::Contents);
    let loaded = e.add_variable("loaded", word, None, Role::Value);
    let f = e.add_function("f", vec![word], word);

    let mut files = PrimaryMap::new();
    let file = files.push("scale.cl".to_owned());
    let mut locations = PrimaryMap::new();
    let mut at = |line, column| {
        let function = "scale".to_owned();
        locations.push(LocationData { file, line, column, inlined_at: None, function })
    };
    let (at_loop, at_store) = (at(3, 3), at(4, 5));

    let [lid1, lid2] = lid.map(|lid| e.variable(lid));
    let [n_value, i_value, counter_value] = [n, i, counter].map(|variable| e.variable(variable));
    let [active_value, choice_value, hit_value] = [active, choice, hit].map(|variable| e.variable(variable));
    let (watched_value, recorded_value) = (e.variable(watched), e.variable(recorded));
    let (zero, one, size, four) = (e.number(32, 0), e.number(32, 1), e.number(32, 64), e.number(32, 4));

    let mut preconditions = Vec::new();
    for lid in [lid1, lid2] {
        let condition = e.compare(CompareOp::UnsignedLess, lid, size);
        preconditions.push(Precondition { condition, reason: "thread ids lie in the group".into() });
    }
    let same = e.equal(lid1, lid2);
    let distinct = e.not(same);
    preconditions.push(Precondition { condition: distinct, reason: "the threads are distinct".into() });
    let short = e.compare(CompareOp::SignedLessEqual, n_value, four);
    preconditions.push(Precondition { condition: short, reason: "requires n <= 4".into() });

    let offset = |e: &mut Expressions, lid: Expression, i: Expression| {
        let constant = Bits::from_signed(32, -3);
        let terms = vec![(Bits::new(32, 4u32), lid), (Bits::one(32), i)];
        let sum = e.sum(constant, terms);
        e.sign_extend(64, sum)
    };
    let offset1 = offset(&mut e, lid1, i_value);
    let offset2 = offset(&mut e, lid2, i_value);
    let in_bounds = e.compare(CompareOp::SignedLess, i_value, n_value);

    let touches1 = e.equal(offset1, watched_value);
    let now = e.and([active_value, choice_value, touches1]);
    let new_hit = e.or([hit_value, now]);
    let new_recorded = e.if_then_else(now, counter_value, recorded_value);
    let touches2 = e.equal(offset2, watched_value);
    let meets = e.and([active_value, hit_value, touches2]);
    let no_race = e.not(meets);
    let next = e.add(i_value, one);
    let next_active = e.compare(CompareOp::SignedLess, next, n_value);
    let contents_value = e.variable(contents);
    let index = e.number(64, 0);
    let cell = e.select(contents_value, index);
    let image = e.apply(f, vec![cell]);
    let initially_active = e.compare(CompareOp::SignedLess, zero, n_value);
    let recorded_low = e.extract(31, 0, recorded_value);
    let recorded_offset = offset(&mut e, lid1, recorded_low);
    let fact = e.equal(recorded_offset, watched_value);
    let fact_holds = e.implies(hit_value, fact);
    let fact2 = e.compare(CompareOp::UnsignedLess, recorded_low, four);
    let fact2_holds = e.implies(hit_value, fact2);
    let counter_low = e.extract(31, 0, counter_value);
    let closed_form = e.equal(i_value, counter_low);
    let small = e.compare(CompareOp::UnsignedLessEqual, i_value, four);
    let within = e.implies(active_value, in_bounds);
    let no = e.boolean(false);

    let mut loops = PrimaryMap::new();
    let at_loop = Some(at_loop);
    let at_store = Some(at_store);
    let obligation = Obligation::from_u32(0);
    let user = |condition| Invariant { condition, family: "user".into() };
    let looop = loops.push(LoopData {
        counter,
        guard: active_value,
        active: Copies::Uniform(active),
        body: vec![
            Statement::Assign { variable: loaded, value: image, location: at_store },
            Statement::Havoc { variable: choice, unknown: Unknown::Choice, location: at_store },
            Statement::Assert { condition: no_race, obligation, location: at_store },
            Statement::Assign { variable: recorded, value: new_recorded, location: at_store },
            Statement::Assign { variable: hit, value: new_hit, location: at_store },
            Statement::Assign { variable: i, value: next, location: at_loop },
            Statement::Assign { variable: active, value: in_bounds, location: at_loop },
        ],
        parent: None,
        invariants: [closed_form, small, within, fact_holds, fact2_holds].map(user).into(),
        carried: vec![Carried {
            name: Some("i".into()),
            variable: Copies::Uniform(i),
            initial: Copies::Uniform(zero),
            next: Copies::Uniform(next),
        }],
        has_barrier: false,
        location: at_loop,
    });
    let _ = next_active;
    let mut arrays = PrimaryMap::new();
    let element = Some(ElementLayout { name: "float".into(), bytes: 4, dimensions: Vec::new() });
    let array =
        arrays.push(ArrayData { name: "a".into(), group_shared: false, cell_bytes: 4, watched, element, image: None });
    let mut sites = PrimaryMap::new();
    let site = sites.push(SiteData {
        array,
        kind: AccessKind::Write,
        location: at_store,
        loops: vec![looop],
        hit,
        written: None,
        recorded: vec![Recorded { original: counter, recorded }],
        facts: vec![fact, fact2],
        offset: Copies::Each([offset1, offset2]),
        active: Copies::Uniform(active_value),
    });
    let mut obligations = PrimaryMap::new();
    obligations.push(ObligationData { kind: ObligationKind::Race { logged: site, checked: site }, location: at_store });
    Program {
        name: "scale".into(),
        pair: Pair::SameGroup,
        files,
        locations,
        expressions: e,
        preconditions,
        exact: Vec::new(),
        body: vec![
            Statement::Assign { variable: hit, value: no, location: None },
            Statement::Havoc { variable: contents, unknown: Unknown::Contents("a".into()), location: None },
            Statement::Assign { variable: i, value: zero, location: at_loop },
            Statement::Assign { variable: active, value: initially_active, location: at_loop },
            Statement::Loop(looop),
        ],
        loops,
        arrays,
        sites,
        obligations,
        suggested: Vec::new(),
        observables: Observables {
            local_ids: vec![Copies::Each([lid1, lid2])],
            group_ids: vec![Copies::Uniform(zero)],
            local_sizes: vec![size],
            num_groups: vec![one],
            group_starts: vec![Copies::Uniform(zero)],
            global_sizes: vec![size],
            parameters: vec![("n".into(), n_value)],
        },
        assumptions: vec!["pointer parameters do not overlap".into()],
    }
}

/// A program that does nothing, over these expressions.
pub(super) fn trivial(expressions: Expressions) -> Program {
    Program {
        name: "trivial".into(),
        pair: Pair::SameGroup,
        files: PrimaryMap::new(),
        locations: PrimaryMap::new(),
        expressions,
        preconditions: Vec::new(),
        exact: Vec::new(),
        body: Vec::new(),
        loops: PrimaryMap::new(),
        arrays: PrimaryMap::new(),
        sites: PrimaryMap::new(),
        obligations: PrimaryMap::new(),
        suggested: Vec::new(),
        observables: Observables::default(),
        assumptions: Vec::new(),
    }
}

/// Pseudo-random numbers (splitmix64), so that a failing seed can be named.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, bound: u32) -> u32 {
        u32::try_from(self.next() % u64::from(bound)).expect("below a u32")
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[usize::try_from(self.next() % 0x1_0000).expect("16 bits fit") % from.len()]
    }

    pub(super) fn sort(&mut self) -> Sort {
        match self.below(8) {
            0..3 => Sort::Boolean,
            7 => *self.pick(&MAPS),
            _ => Sort::Bits(*self.pick(&WIDTHS)),
        }
    }

    /// Constants on which rules act, and some on which none does.
    pub(super) fn bits(&mut self, width: u32) -> Bits {
        match self.below(6) {
            0 => Bits::zero(width),
            1 => Bits::one(width),
            2 => Bits::ones(width),
            3 => Bits::one(width).shl(&Bits::new(width, self.below(width))),
            4 => Bits::from_signed(width, i64::from(self.below(9)) - 4),
            _ => Bits::new(width, self.next()),
        }
    }
}

pub(super) const WIDTHS: [u32; 5] = [1, 3, 8, 32, 64];
const MAPS: [Sort; 2] = [Sort::Map { index: 3, element: 8 }, Sort::Map { index: 1, element: 3 }];

/// An expression as it was asked for, before any simplification.
#[derive(Clone, Debug)]
pub(super) enum Tree {
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

/// What the variables are.
pub(super) type Assignment = std::collections::HashMap<Variable, Value>;

/// Random trees over a few variables of each sort.
pub(super) struct Trees {
    pub(super) expressions: Expressions,
    pub(super) variables: Vec<(Sort, Variable)>,
    functions: Vec<(Sort, Function)>,
}

impl Trees {
    pub(super) fn new() -> Self {
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

    pub(super) fn variable(&self, random: &mut Random, sort: Sort) -> Variable {
        let of_sort: Vec<_> = self.variables.iter().filter(|(other, _)| *other == sort).collect();
        random.pick(&of_sort).1
    }

    pub(super) fn tree(&self, random: &mut Random, sort: Sort, depth: u32) -> Tree {
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

    pub(super) fn build(&mut self, tree: &Tree) -> Expression {
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

    pub(super) fn assignment(&self, random: &mut Random) -> Assignment {
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
    pub(super) fn interpret(&self, function: Function, arguments: &[Value]) -> Value {
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

    pub(super) fn evaluate(&self, expression: Expression, assignment: &Assignment) -> Value {
        evaluate(&self.expressions, expression, &|variable| assignment[&variable].clone(), &|function, arguments| {
            self.interpret(function, arguments)
        })
    }

    /// The value of a tree by SMT-LIB's definitions, with no simplification anywhere.
    pub(super) fn value(&self, tree: &Tree, assignment: &Assignment) -> Value {
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

/// A program with something of everything. It keeps the rules of the verifier that concern sorts, not the others.
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
    program.assumptions = vec!["first".into(), "line\nbreak".into()];
    let file = program.files.push("a b.cl".into());
    for number in 0..3 {
        let inlined_at = (number > 0).then(|| Location::from_u32(number - 1));
        let function = if number == 1 { String::new() } else { "f".into() };
        program.locations.push(LocationData { file, line: number, column: 9, inlined_at, function });
    }
    let watched = generator.trees.variable(generator.random, Sort::Bits(64));
    let element = Some(ElementLayout { name: "struct s".into(), bytes: 12, dimensions: vec![0, 4] });
    let array = ArrayData { name: "a".into(), group_shared: true, cell_bytes: 4, watched, element, image: Some(3) };
    generator.program.arrays.push(array);
    for _ in 0..3 {
        let precondition = Precondition { condition: generator.condition(), reason: "why \\ not".into() };
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
    let observables = Observables {
        local_ids,
        group_ids,
        local_sizes: vec![local_size],
        num_groups: vec![groups],
        group_starts: vec![generator.copies(Sort::Bits(32))],
        global_sizes: vec![generator.expression(Sort::Bits(32))],
        parameters,
    };
    let Generator { mut program, trees, .. } = generator;
    program.observables = observables;
    program.expressions = trees.expressions;
    // Every third program has names for much of it, some for parts of conjunctions and sums.
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
                        Statement::Assume { condition: self.condition(), reason, location }
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
        let family = ["closed-form", "user", "x 1", "interval"][self.random.below(4) as usize].to_owned();
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
            ObligationKind::Assertion { thread: None },
            ObligationKind::ConstantWrite { thread: Some(0) },
            ObligationKind::NullDereference { thread: Some(1) },
            ObligationKind::OutOfBounds { array, cells: 64, cell_bytes: 4, cell, thread: Some(1), element },
            ObligationKind::InvariantEntry,
            ObligationKind::InvariantStep,
        ];
        for kind in kinds {
            let location = self.location();
            self.program.obligations.push(ObligationData { kind, location });
        }
    }
}
