//! Compiles a program for concrete execution: each run of statements without a loop is a tape of steps.
//!
//! Expressions are computed into numbered slots, equal ones once (value numbering over the versions of variables), so
//! that the conditions that predicated statements repeat cost nothing. Everything is computed, chosen or not.

use cranelift_entity::{EntityRef, SecondaryMap};
use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{
    BinaryOp, CompareOp, Expression, Function, Loop, Node, Obligation, ObligationKind, Program, Site, Sort, Statement,
    Variable,
};
use rustc_hash::FxHashMap;

use super::value::{Value, low_bits};

/// Where a computed value is.
pub type Slot = u32;

/// An operation, with what distinguishes it from others on the same operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A constant: a truth value is one bit.
    Constant(Bits),
    /// A variable's value at the beginning of the tape.
    Read(Variable),
    /// An arbitrary value of this variable's sort, of the havoc statement of this number.
    Arbitrary(Variable, u32),
    /// Boolean negation.
    Not,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Equality.
    Equal,
    /// If-then-else.
    Choose,
    /// The constant plus each operand times its coefficient.
    Sum(Bits, Box<[Bits]>),
    /// Bitwise complement.
    Complement,
    /// An operation on two bit-vectors.
    Binary(BinaryOp),
    /// A comparison.
    Compare(CompareOp),
    /// Zero-extension.
    ZeroExtend,
    /// Sign-extension.
    SignExtend,
    /// Bits from the second to the first.
    Extract(u32, u32),
    /// Concatenation.
    Concat,
    /// An element of a map.
    Select,
    /// A changed map.
    Store,
    /// An uninterpreted function.
    Apply(Function),
}

impl Operation {
    /// The constants in it, if there are any and all are short.
    fn numbers(&self) -> Option<Box<[u64]>> {
        match self {
            Self::Constant(bits) => Some([bits.to_u64()?].into()),
            Self::Sum(constant, coefficients) => [constant].into_iter().chain(coefficients).map(Bits::to_u64).collect(),
            _ => None,
        }
    }
}

/// A step of a tape.
#[derive(Clone, Debug)]
pub enum Step {
    /// Computes a value.
    Compute {
        /// What.
        operation: Operation,
        /// Of these.
        operands: Box<[Slot]>,
        /// The operands' widths; 0 for truth values and maps.
        widths: Box<[u32]>,
        /// The numbers in the operation, if they are words.
        numbers: Option<Box<[u64]>>,
        /// The result's sort.
        sort: Sort,
        /// Into this.
        target: Slot,
    },
    /// Changes a variable.
    Write(Variable, Slot),
    /// A havoc statement for which a value is drawn; whether it is the instrumentation's choice.
    Draw(bool),
    /// Ends the execution unless this holds.
    Assume(Slot),
    /// Thread 1 logs an access: whether it is active, and the cell.
    Log(Site, Slot, Slot),
    /// Thread 2 checks an access: whether it is active, and the cell.
    Check(Obligation, Slot, Slot),
    /// Fails unless this holds.
    Assert(Obligation, Slot),
    /// Compares what bits of an input are added to with something else: the result of the comparison, the bits, and both sides.
    Wish(Slot, Wished, [Slot; 2]),
}

/// Bits of an input, from the second to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wished {
    /// The input.
    pub input: Variable,
    /// The highest bit.
    pub high: u32,
    /// The lowest bit.
    pub low: u32,
}

impl Wished {
    /// These bits, of the input's value.
    pub fn of(self, value: &Value) -> Option<u64> {
        match value {
            Value::Word(word) => Some((word >> self.low) & low_bits(self.high - self.low + 1)),
            Value::Wide(bits) => bits.extract(self.high, self.low).to_u64(),
            Value::Map(_) => None,
        }
    }

    /// The input's value with these bits in it.
    pub fn set(self, value: &Value, width: u32, word: u64) -> Value {
        let distance = Bits::new(width, self.low);
        let [mask, word] = [low_bits(self.high - self.low + 1), word]
            .map(|word| BinaryOp::ShiftLeft.fold(&Bits::new(width, word), &distance));
        let others = BinaryOp::And.fold(&value.bits(width), &mask.not());
        Value::of(BinaryOp::Or.fold(&others, &word))
    }
}

/// What is executed.
#[derive(Clone, Debug)]
pub enum Part {
    /// Steps.
    Straight(Vec<Step>),
    /// A loop.
    Loop(Loop),
}

/// What is computed at a loop's head.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// The steps.
    pub steps: Vec<Step>,
    /// The guard.
    pub guard: Slot,
    /// The watched conditions of this loop, by the number given to them.
    pub conditions: Vec<(usize, Slot)>,
}

/// A program, compiled.
#[derive(Clone, Debug)]
pub struct Code {
    /// The program's body.
    pub body: Vec<Part>,
    /// Each loop's.
    pub bodies: SecondaryMap<Loop, Vec<Part>>,
    /// Each loop's head.
    pub heads: SecondaryMap<Loop, Head>,
    /// The preconditions.
    pub preconditions: Vec<Step>,
    /// The parts of the preconditions that are assumed one after the other.
    pub assumed: Vec<Expression>,
    /// How many slots there are.
    pub slots: usize,
    /// The havoc statements, in order of their numbers, and behind them the functions whose results decide something.
    pub havocs: Vec<Havoc>,
    /// The numbers of these functions.
    pub deciding: FxHashMap<Function, u32>,
}

/// A havoc statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Havoc {
    /// What the value stands for.
    pub unknown: lockstep_ir::sequential::Unknown,
    /// Where.
    pub location: Option<lockstep_ir::source::Location>,
}

/// Compiles a program; the conditions are evaluated at each visit of their loops' heads. `None` if it compares maps,
/// which a concrete execution cannot.
pub fn compile(program: &Program, conditions: &[(Loop, Expression)]) -> Option<Code> {
    let mut compiler = Compiler::new(program);
    let body = compiler.parts(&program.body);
    let mut bodies = SecondaryMap::new();
    let mut heads: SecondaryMap<Loop, Head> = SecondaryMap::new();
    for (loop_, data) in &program.loops {
        bodies[loop_] = compiler.parts(&data.body);
        compiler.tape = Tape::default();
        let guard = compiler.slot(data.guard);
        let mut watched = Vec::new();
        for (number, &(_, condition)) in conditions.iter().enumerate().filter(|(_, (owner, _))| *owner == loop_) {
            watched.push((number, compiler.slot(condition)));
        }
        heads[loop_] = Head { steps: compiler.finish(), guard, conditions: watched };
    }
    let mut assumed = Vec::new();
    for precondition in program.preconditions.iter().chain(&program.exact) {
        match program.expressions.node(precondition.condition) {
            Node::And(parts) => assumed.extend(parts.iter().copied()),
            _ => assumed.push(precondition.condition),
        }
    }
    for &part in &assumed {
        let slot = compiler.slot(part);
        compiler.tape.steps.push(Step::Assume(slot));
    }
    let preconditions = compiler.finish();
    let slots = index(compiler.slots);
    let deciding = compiler.number_deciding_functions();
    let code = Code { body, bodies, heads, preconditions, assumed, slots, havocs: compiler.havocs, deciding };
    (!compiler.compares_maps).then_some(code)
}

/// The steps that compute one expression, the slot it is in, and how many slots that takes.
pub fn single(program: &Program, expression: Expression) -> (Vec<Step>, Slot, usize) {
    let mut compiler = Compiler::new(program);
    let slot = compiler.slot(expression);
    let steps = compiler.finish();
    (steps, slot, index(compiler.slots))
}

/// The tape that is being written.
#[derive(Default)]
struct Tape {
    steps: Vec<Step>,
    /// The slots of what has been computed.
    computed: FxHashMap<(Operation, Box<[Slot]>, Sort), Slot>,
    /// The slots of the variables that have been written or read.
    values: FxHashMap<Variable, Slot>,
    used: Slot,
}

struct Compiler<'a> {
    program: &'a Program,
    havocs: Vec<Havoc>,
    slots: Slot,
    tape: Tape,
    compares_maps: bool,
}

impl<'a> Compiler<'a> {
    fn new(program: &'a Program) -> Self {
        Self { program, havocs: Vec::new(), slots: 0, tape: Tape::default(), compares_maps: false }
    }

    /// Comparisons of floats and their conversions to integers are functions of which nothing is known. What rests on
    /// them is as uncertain as what rests on a value that is loaded; that floats are stored is not.
    fn number_deciding_functions(&mut self) -> FxHashMap<Function, u32> {
        let mut deciding = FxHashMap::default();
        for (function, data) in self.program.expressions.functions() {
            if data.result == Sort::Boolean || data.name.contains("_to_") {
                let number = u32::try_from(self.havocs.len()).expect("fewer functions than that");
                let what = format!("the result of {}", data.name);
                let unknown = lockstep_ir::sequential::Unknown::Unmodelled(what);
                self.havocs.push(Havoc { unknown, location: None });
                deciding.insert(function, number);
            }
        }
        deciding
    }

    fn parts(&mut self, statements: &[Statement]) -> Vec<Part> {
        let mut parts = Vec::new();
        for statement in statements {
            if let Statement::Loop(loop_) = statement {
                let steps = self.finish();
                parts.extend([Part::Straight(steps), Part::Loop(*loop_)]);
            } else {
                self.statement(statement);
            }
        }
        let steps = self.finish();
        parts.push(Part::Straight(steps));
        parts
    }

    fn finish(&mut self) -> Vec<Step> {
        let tape = std::mem::take(&mut self.tape);
        self.slots = self.slots.max(tape.used);
        tape.steps
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign { variable, value, location: _ } => {
                self.log_if_access(*variable, *value);
                let slot = self.slot(*value);
                self.write(*variable, slot);
            }
            Statement::Havoc { variable, unknown, location } => {
                let number = u32::try_from(self.havocs.len()).expect("fewer statements than that");
                self.havocs.push(Havoc { unknown: unknown.clone(), location: *location });
                let sort = self.program.expressions.variables()[*variable].sort;
                let is_choice = *unknown == lockstep_ir::sequential::Unknown::Choice;
                self.tape.steps.push(Step::Draw(is_choice));
                let slot = self.compute(Operation::Arbitrary(*variable, number), Box::new([]), Box::new([]), sort);
                self.write(*variable, slot);
            }
            Statement::Assume { condition, reason: _, location: _ } => {
                let slot = self.slot(*condition);
                self.tape.steps.push(Step::Assume(slot));
            }
            Statement::Assert { condition, obligation, location: _ } => {
                if let ObligationKind::Race { checked, .. } = &self.program.obligations[*obligation].kind {
                    let site = &self.program.sites[*checked];
                    let (active, offset) = (self.slot(*site.active.of(1)), self.slot(*site.offset.of(1)));
                    self.tape.steps.push(Step::Check(*obligation, active, offset));
                }
                let slot = self.slot(*condition);
                self.tape.steps.push(Step::Assert(*obligation, slot));
            }
            Statement::Loop(_) => unreachable!("loops are parts of their own"),
        }
    }

    /// An assignment to a hit that may set it is an access of thread 1.
    fn log_if_access(&mut self, variable: Variable, value: Expression) {
        let lockstep_ir::sequential::Role::Hit(site) = self.program.expressions.variables()[variable].role else {
            return;
        };
        let mut mentions_watched = false;
        let variables = self.program.expressions.variables();
        self.program.expressions.for_each_variable(value, |mentioned| {
            mentions_watched |= variables[mentioned].role == lockstep_ir::sequential::Role::Watched;
        });
        if mentions_watched {
            let site_data = &self.program.sites[site];
            let (active, offset) = (self.slot(*site_data.active.of(0)), self.slot(*site_data.offset.of(0)));
            self.tape.steps.push(Step::Log(site, active, offset));
        }
    }

    fn write(&mut self, variable: Variable, slot: Slot) {
        self.tape.values.insert(variable, slot);
        self.tape.steps.push(Step::Write(variable, slot));
    }

    /// The slot that has the expression's value here.
    fn slot(&mut self, expression: Expression) -> Slot {
        let program = self.program;
        let mut known: FxHashMap<Expression, Slot> = FxHashMap::default();
        let mut stack = vec![expression];
        while let Some(&top) = stack.last() {
            if known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            program.expressions.for_each_operand(top, |operand| {
                if !known.contains_key(&operand) {
                    stack.push(operand);
                }
            });
            if stack.len() == before {
                let slot = self.node(top, &known);
                known.insert(top, slot);
                stack.pop();
            }
        }
        known[&expression]
    }

    fn node(&mut self, expression: Expression, known: &FxHashMap<Expression, Slot>) -> Slot {
        let expressions = &self.program.expressions;
        let sort = expressions.sort(expression);
        let operation = match expressions.node(expression) {
            Node::Variable(variable) => {
                if let Some(&slot) = self.tape.values.get(variable) {
                    return slot;
                }
                Operation::Read(*variable)
            }
            Node::Boolean(value) => Operation::Constant(Bits::new(1, u32::from(*value))),
            Node::Bits(bits) => Operation::Constant(bits.clone()),
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
            Node::Unary(lockstep_ir::sequential::UnaryOp::Not, _) => Operation::Complement,
            Node::Binary(op, ..) => Operation::Binary(*op),
            Node::Compare(op, ..) => Operation::Compare(*op),
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
        let both = <[Slot; 2]>::try_from(&operands[..]).ok();
        let before = self.tape.used;
        let slot = self.compute(operation, operands.into(), widths.into(), sort);
        if let (&Node::Equal(a, b), Some(both)) = (expressions.node(expression), both)
            && matches!(expressions.sort(a), Sort::Bits(_))
            && slot == before
        {
            self.wish([a, b], both, slot);
        }
        slot
    }

    fn compute(&mut self, operation: Operation, operands: Box<[Slot]>, widths: Box<[u32]>, sort: Sort) -> Slot {
        let key = (operation, operands, sort);
        if let Some(&known) = self.tape.computed.get(&key) {
            return known;
        }
        let target = self.tape.used;
        self.tape.used += 1;
        let (operation, operands, sort) = key.clone();
        if let Operation::Read(variable) = operation {
            self.tape.values.insert(variable, target);
        }
        self.tape.computed.insert(key, target);
        let numbers = operation.numbers();
        self.tape.steps.push(Step::Compute { operation, operands, widths, numbers, sort, target });
        target
    }

    /// Notes that an equation holds if a parameter is what the rest of it says.
    fn wish(&mut self, sides: [Expression; 2], [first, second]: [Slot; 2], result: Slot) {
        for (side, slots) in sides.into_iter().zip([[first, second], [second, first]]) {
            let once = Bits::new(self.program.expressions.width(side), 1u32);
            let terms = match self.program.expressions.node(side) {
                Node::Sum(_, terms) => {
                    terms.iter().filter(|(factor, _)| *factor == once).map(|(_, term)| *term).collect()
                }
                _ => vec![side],
            };
            if let Some(wished) = terms.into_iter().find_map(|term| self.parameter(term)) {
                self.tape.steps.push(Step::Wish(result, wished, slots));
                return;
            }
        }
    }

    /// The bits of a parameter that an expression is.
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

/// The index of a slot.
pub fn index(slot: Slot) -> usize {
    usize::try_from(slot).expect("an index")
}

/// The index of a variable in a list of all.
pub fn at(variable: Variable) -> usize {
    variable.index()
}
