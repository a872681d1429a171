//! Compiles a program for concrete execution.
//!
//! Equal expressions are computed once (value numbering over the versions of variables), so the
//! conditions that predicated statements repeat cost nothing. Both branches of a choice are
//! computed.

use std::ops::Range;

use cranelift_entity::SecondaryMap;
use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{
    Expression, Function, Loop, Node, ObligationKind, Program, Role, Sort, Statement, UnaryOp, Unknown, Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::tape::{
    Cell, Code, Computation, Havoc, Head, Operation, Part, Place, Places, Step, Tape, Wished, WordOperation, at,
    width_of_word,
};
use crate::explain::function_in_words;

/// Compiles a program; the conditions are evaluated at each visit of their loops' heads.
///
/// It is `None` if the program compares maps, which a concrete execution cannot do.
pub fn compile(program: &Program, conditions: &[(Loop, Expression)]) -> Option<Code> {
    let mut places = Places::default();
    for (_, data) in program.expressions.variables() {
        let place = places.add(data.sort);
        places.variables.push(place);
    }
    let mut compiler = Compiler::new(program, places);
    let body = compiler.parts(&program.body);
    let mut bodies = SecondaryMap::new();
    let mut heads: SecondaryMap<Loop, Head> = SecondaryMap::new();
    for (loop_, data) in &program.loops {
        bodies[loop_] = compiler.parts(&data.body);
        compiler.begin(&[]);
        let guard = compiler.word(data.guard);
        let mut watched = Vec::new();
        for (number, &(_, condition)) in conditions.iter().enumerate().filter(|(_, (owner, _))| *owner == loop_) {
            watched.push((number, compiler.word(condition)));
        }
        heads[loop_] = Head { tape: compiler.finish(), guard, conditions: watched };
    }
    let mut assumed = Vec::new();
    for precondition in program.preconditions.iter().chain(&program.exact) {
        match program.expressions.node(precondition.condition) {
            Node::And(parts) => assumed.extend(parts.iter().copied()),
            _ => assumed.push(precondition.condition),
        }
    }
    compiler.begin(&[]);
    for &part in &assumed {
        let holds = compiler.word(part);
        compiler.tape.steps.push(Step::Assume(holds));
    }
    let preconditions = compiler.finish();
    let deciding = compiler.number_deciding_functions();
    let Compiler { places, havocs, compares_maps, .. } = compiler;
    let code = Code { body, bodies, heads, preconditions, assumed, places, havocs, deciding };
    (!compares_maps).then_some(code)
}

/// The steps that compute one expression, the place of its result, and all places in use.
pub fn single(program: &Program, code: &Code, expression: Expression) -> (Tape, Place, Places) {
    let mut compiler = Compiler::new(program, code.places.clone());
    compiler.begin(&[]);
    let place = compiler.place(expression);
    let tape = compiler.finish();
    (tape, place, compiler.places)
}

struct Compiler<'a> {
    program: &'a Program,
    havocs: Vec<Havoc>,
    places: Places,
    constants: FxHashMap<u64, Cell>,
    compares_maps: bool,
    /// The tape that is being written.
    tape: Tape,
    /// The places on the tape of the results computed so far.
    computed: FxHashMap<Computation, Place>,
    /// The places of the variables that the tape has written or read.
    values: FxHashMap<Variable, Place>,
    /// The variables that the tape writes.
    written: FxHashSet<Variable>,
}

impl<'a> Compiler<'a> {
    fn new(program: &'a Program, places: Places) -> Self {
        Self {
            program,
            havocs: Vec::new(),
            constants: places.constants.iter().map(|&(cell, word)| (word, cell)).collect(),
            places,
            compares_maps: false,
            tape: Tape::default(),
            computed: FxHashMap::default(),
            values: FxHashMap::default(),
            written: FxHashSet::default(),
        }
    }

    /// The numbers of the uninterpreted functions whose results decide something.
    ///
    /// These are comparisons of floats and their conversions to integers. A value that depends on
    /// one of them is as uncertain as one that depends on a load. Storing floats does not make a
    /// value uncertain.
    fn number_deciding_functions(&mut self) -> FxHashMap<Function, u32> {
        let mut deciding = FxHashMap::default();
        for (function, data) in self.program.expressions.functions() {
            if data.result == Sort::Boolean || data.name.contains("_to_") {
                let number = u32::try_from(self.havocs.len()).expect("fewer functions than that");
                let unknown = Unknown::Unmodelled(function_in_words(&data.name));
                self.havocs.push(Havoc { unknown, location: None });
                deciding.insert(function, number);
            }
        }
        deciding
    }

    fn parts(&mut self, statements: &[Statement]) -> Vec<Part> {
        let mut parts = Vec::new();
        for run in statements.chunk_by(|one, next| [one, next].iter().all(|it| !matches!(it, Statement::Loop(_)))) {
            if let [Statement::Loop(loop_)] = run {
                parts.push(Part::Loop(*loop_));
                continue;
            }
            self.begin(run);
            for statement in run {
                self.statement(statement);
            }
            parts.push(Part::Straight(self.finish()));
        }
        parts
    }

    /// Begins a tape for these statements.
    fn begin(&mut self, statements: &[Statement]) {
        let written = statements.iter().filter_map(|statement| match statement {
            Statement::Assign { variable, .. } | Statement::Havoc { variable, .. } => Some(*variable),
            Statement::Assume { .. } | Statement::Assert { .. } | Statement::Loop(_) => None,
        });
        self.written = written.collect();
        self.computed.clear();
        self.values.clear();
    }

    fn finish(&mut self) -> Tape {
        std::mem::take(&mut self.tape)
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign { variable, value, location: _ } => {
                self.log_if_access(*variable, *value);
                let place = self.place(*value);
                self.write(*variable, place);
            }
            Statement::Havoc { variable, unknown, location } => {
                let number = u32::try_from(self.havocs.len()).expect("fewer statements than that");
                self.havocs.push(Havoc { unknown: unknown.clone(), location: *location });
                let sort = self.program.expressions.variables()[*variable].sort;
                let is_choice = *unknown == Unknown::Choice;
                self.tape.steps.push(Step::Draw(is_choice));
                let place = self.compute(Operation::Arbitrary(*variable, number), &[], &[], sort);
                self.write(*variable, place);
            }
            Statement::Assume { condition, .. } => {
                let holds = self.word(*condition);
                self.tape.steps.push(Step::Assume(holds));
            }
            Statement::Assert { condition, obligation, location: _ } => {
                if let ObligationKind::Race { checked, .. } = &self.program.obligations[*obligation].kind {
                    let site = &self.program.sites[*checked];
                    let (active, offset) = (self.word(*site.active.of(1)), self.place(*site.offset.of(1)));
                    if let Place::Word(offset) = offset {
                        self.tape.steps.push(Step::Check(*obligation, active, offset));
                    }
                }
                let holds = self.word(*condition);
                self.tape.steps.push(Step::Assert(*obligation, holds));
            }
            Statement::Loop(_) => unreachable!("loops are parts of their own"),
        }
    }

    /// Logs an access of thread 1 if the variable is a hit and the assignment may set it.
    fn log_if_access(&mut self, variable: Variable, value: Expression) {
        let Role::Hit(site) = self.program.expressions.variables()[variable].role else {
            return;
        };
        let mut mentions_watched = false;
        let variables = self.program.expressions.variables();
        self.program.expressions.for_each_variable(value, |mentioned| {
            mentions_watched |= variables[mentioned].role == Role::Watched;
        });
        if mentions_watched {
            let data = &self.program.sites[site];
            let (active, offset) = (self.word(*data.active.of(0)), self.place(*data.offset.of(0)));
            if let Place::Word(offset) = offset {
                self.tape.steps.push(Step::Log(site, active, offset));
            }
        }
    }

    fn write(&mut self, variable: Variable, place: Place) {
        self.values.insert(variable, place);
        self.tape.steps.push(Step::Write(variable, place));
    }

    /// The cell that holds the value of an expression here; the expression must be a word.
    fn word(&mut self, expression: Expression) -> Cell {
        let Place::Word(cell) = self.place(expression) else { panic!("a word expected") };
        cell
    }

    /// The place that holds the value of an expression here.
    fn place(&mut self, expression: Expression) -> Place {
        let program = self.program;
        let mut known: FxHashMap<Expression, Place> = FxHashMap::default();
        for part in program.expressions.operands_first(expression, |_| false) {
            let place = self.node(part, &known);
            known.insert(part, place);
        }
        known[&expression]
    }

    fn node(&mut self, expression: Expression, known: &FxHashMap<Expression, Place>) -> Place {
        let expressions = &self.program.expressions;
        let sort = expressions.sort(expression);
        let operation = match expressions.node(expression) {
            Node::Variable(variable) => return self.variable(*variable, sort),
            Node::Boolean(value) => return Place::Word(self.constant(u64::from(*value))),
            Node::Bits(bits) => match bits.to_u64() {
                Some(word) if width_of_word(sort).is_some() => return Place::Word(self.constant(word)),
                _ => Operation::Constant(bits.clone()),
            },
            Node::Not(_) => Operation::Not,
            Node::And(_) => Operation::And,
            Node::Or(_) => Operation::Or,
            Node::Equal(a, _) => {
                self.compares_maps |= matches!(expressions.sort(*a), Sort::Map { .. });
                Operation::Equal
            }
            Node::IfThenElse(..) => Operation::Choose,
            Node::Sum(constant, terms) => {
                Operation::Sum(constant.clone(), terms.iter().map(|(coefficient, _)| coefficient.clone()).collect())
            }
            Node::Unary(UnaryOp::Not, _) => Operation::Complement,
            Node::Binary(op, ..) => Operation::Binary(*op),
            Node::Compare(op, ..) => Operation::Compare(*op),
            // A word has the same representation at any width.
            Node::ZeroExtend(inner) if width_of_word(sort).is_some() => return known[inner],
            Node::ZeroExtend(_) => Operation::ZeroExtend,
            Node::SignExtend(_) => Operation::SignExtend,
            Node::Extract(high, low, _) => Operation::Extract(*high, *low),
            Node::Concat(..) => Operation::Concat,
            Node::Select(..) => Operation::Select,
            Node::Store(..) => Operation::Store,
            Node::Apply(function, _) => Operation::Apply(*function),
        };
        let (mut operands, mut widths) = (Vec::new(), Vec::new());
        expressions.for_each_operand(expression, |operand| {
            operands.push(known[&operand]);
            widths.push(match expressions.sort(operand) {
                Sort::Bits(width) => width,
                Sort::Boolean | Sort::Map { .. } => 0,
            });
        });
        let before = self.tape.steps.len();
        let place = self.compute(operation, &operands, &widths, sort);
        let is_new = self.tape.steps.len() > before;
        if let (&Node::Equal(a, b), &[Place::Word(one), Place::Word(other)]) =
            (expressions.node(expression), &operands[..])
            && let Place::Word(result) = place
            && matches!(expressions.sort(a), Sort::Bits(_))
            && is_new
        {
            self.wish([a, b], [one, other], result);
        }
        place
    }

    fn variable(&mut self, variable: Variable, sort: Sort) -> Place {
        if let Some(&place) = self.values.get(&variable) {
            return place;
        }
        // The current value may still be needed after the variable is written.
        let own = self.places.variables[at(variable)];
        let place = if self.written.contains(&variable) {
            self.compute(Operation::Read(variable), &[own], &[0], sort)
        } else {
            own
        };
        self.values.insert(variable, place);
        place
    }

    /// The cell that holds a constant.
    fn constant(&mut self, word: u64) -> Cell {
        let places = &mut self.places;
        *self.constants.entry(word).or_insert_with(|| {
            let cell = places.cells;
            places.cells += 1;
            places.constants.push((cell, word));
            cell
        })
    }

    fn compute(&mut self, operation: Operation, operands: &[Place], widths: &[u32], sort: Sort) -> Place {
        let key = Computation { operation, operands: operands.into(), widths: widths.into(), sort };
        if let Some(&known) = self.computed.get(&key) {
            return known;
        }
        let target = self.places.add(sort);
        let step = self.of_words(&key, target).unwrap_or_else(|| Step::General(Box::new(key.clone()), target));
        self.tape.steps.push(step);
        self.computed.insert(key, target);
        target
    }

    /// The step that computes an operation on words.
    fn of_words(&mut self, computation: &Computation, target: Place) -> Option<Step> {
        let Computation { operation, operands, widths, sort } = computation;
        let (Place::Word(target), Some(width)) = (target, width_of_word(*sort)) else { return None };
        let cell = |place: &Place| match place {
            Place::Word(cell) => Some(*cell),
            Place::Other(_) => None,
        };
        let cells: Vec<Cell> = operands.iter().map(cell).collect::<Option<_>>()?;
        let operation = match operation {
            Operation::Read(_) => WordOperation::Copy,
            Operation::Not => WordOperation::Not,
            Operation::Equal => WordOperation::Equal,
            Operation::Complement => WordOperation::Complement,
            Operation::Binary(op) => WordOperation::Binary(op.of_kernel()),
            Operation::Compare(op) => WordOperation::Compare(op.of_kernel(), widths[0]),
            Operation::SignExtend => WordOperation::SignExtend(widths[0]),
            Operation::Extract(_, low) => WordOperation::Extract(*low),
            Operation::Concat => WordOperation::Concat(widths[1]),
            Operation::And | Operation::Or => {
                let operands = append(&mut self.tape.operands, cells);
                return Some(Step::Junction { decisive: *operation == Operation::Or, operands, target });
            }
            Operation::Choose => return Some(Step::Choose { operands: cells.try_into().ok()?, target }),
            Operation::Sum(constant, factors) => {
                let constant = constant.to_u64()?;
                let factors: Vec<u64> = factors.iter().map(Bits::to_u64).collect::<Option<_>>()?;
                let terms = append(&mut self.tape.terms, factors.into_iter().zip(cells));
                return Some(Step::Sum { constant, terms, width, target });
            }
            Operation::Apply(function) => {
                let operands = append(&mut self.tape.operands, cells);
                return Some(Step::Apply { function: *function, operands, width, target });
            }
            Operation::Arbitrary(_, havoc) => return Some(Step::Arbitrary { havoc: *havoc, width, target }),
            Operation::Constant(_) | Operation::ZeroExtend | Operation::Select | Operation::Store => return None,
        };
        let operands = [*cells.first()?, *cells.last()?];
        Some(Step::Word { operation, operands, width, target })
    }

    /// Records the parameter value that would make an equation hold.
    fn wish(&mut self, sides: [Expression; 2], [first, second]: [Cell; 2], result: Cell) {
        for (side, cells) in sides.into_iter().zip([[first, second], [second, first]]) {
            let once = Bits::new(self.program.expressions.width(side), 1u32);
            let terms = match self.program.expressions.node(side) {
                Node::Sum(_, terms) => {
                    terms.iter().filter(|(factor, _)| *factor == once).map(|(_, term)| *term).collect()
                }
                _ => vec![side],
            };
            if let Some(wished) = terms.into_iter().find_map(|term| self.parameter(term)) {
                self.tape.steps.push(Step::Wish(result, wished, cells));
                return;
            }
        }
    }

    /// The parameter bits that an expression consists of.
    fn parameter(&self, expression: Expression) -> Option<Wished> {
        let expressions = &self.program.expressions;
        let (inner, bits) = match *expressions.node(expression) {
            Node::Extract(high, low, inner) => (inner, Some((high, low))),
            _ => (expression, None),
        };
        let (&Node::Variable(input), Sort::Bits(width)) = (expressions.node(inner), expressions.sort(inner)) else {
            return None;
        };
        let (high, low) = bits.unwrap_or((width - 1, 0));
        let is_parameter = self.program.observables.parameters.iter().any(|(_, parameter)| *parameter == inner);
        (is_parameter && high - low < 64).then_some(Wished { input, high, low })
    }
}

/// Appends to a list and returns the range of the new items.
fn append<T>(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Range<u32> {
    let length = |list: &Vec<T>| u32::try_from(list.len()).expect("fewer than that");
    let start = length(list);
    list.extend(items);
    start..length(list)
}
