//! Executes a compiled program on concrete inputs, iteration by iteration.
//!
//! Arbitrary values are drawn by a rule, and each uninterpreted function is one fixed function. The
//! result is an ordinary execution of the program. Each value records the arbitrary values on which
//! it depends. Where one operand alone decides the result (a false operand of a conjunction), only
//! that operand counts.

use lockstep_invariants::sign_extended;
use lockstep_ir::sequential::{Expression, Function, Loop, Obligation, Program, Site, Sort, Variable};
use lockstep_options::deadline::Deadline;

use super::compile::single;
use super::tape::{
    Cell, Code, Computation, Head, Operation, Part, Place, Step, Tape, Wished, WordOperation, at, index,
};
use super::value::{Rule, Taint, Taints, Value, low_bits, mix};

/// The parameters of one execution.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The rule that draws arbitrary values.
    pub rule: Rule,
    /// The number of the access (in execution order) that is the hit; `None` for no hit.
    pub hit: Option<u64>,
    /// The maximum number of steps.
    pub fuel: u64,
    /// Whether accesses are recorded.
    pub remember: bool,
}

/// An access of thread 1.
#[derive(Clone, Copy, Debug)]
pub struct Logged {
    /// The site of the access.
    pub site: Site,
    /// The first cell.
    pub cell: u64,
    /// The number of the choice that makes it the hit.
    pub choice: u64,
    /// The number of barriers executed before.
    pub epoch: u32,
}

/// An access of thread 2.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    /// The assertion about it.
    pub obligation: Obligation,
    /// The first cell.
    pub cell: u64,
    /// The number of accesses of thread 1 before it.
    pub logged: usize,
    /// The number of choices before it.
    pub choices: u64,
    /// The number of barriers executed before.
    pub epoch: u32,
}

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It reached the program's end.
    Reached,
    /// It stopped at an assumption that does not hold.
    Excluded,
    /// It stopped at an assertion that fails because of these arbitrary values.
    Failed(Obligation, Taint),
    /// It ran out of fuel or memory.
    Exhausted,
}

/// The maximum number of recorded accesses.
const MOST_ACCESSES: usize = 1 << 17;

/// The number of steps between checks of the clock.
const LOOK_EVERY: u64 = 1 << 16;

/// The maximum number of wishes per execution.
const MOST_WISHES: usize = 8;

/// A value, and the arbitrary values on which it depends.
#[derive(Clone, Debug)]
struct Datum<V> {
    value: V,
    taint: Taint,
}

type Word = Datum<u64>;

impl Copy for Word {}

/// An execution.
pub struct Machine<'a> {
    program: &'a Program,
    code: &'a Code,
    plan: Plan,
    cells: Vec<Word>,
    others: Vec<Datum<Value>>,
    /// Sets of arbitrary values.
    pub taints: Taints,
    /// The arbitrary values on which the guards of the enclosing loops depend.
    control: Taint,
    draws: u64,
    choices: u64,
    epoch: u32,
    fuel: u64,
    /// The accesses of thread 1, in order.
    pub logged: Vec<Logged>,
    /// The accesses of thread 2, in order.
    pub checked: Vec<Checked>,
    /// Whether each watched condition failed at some visit of its loop's head.
    pub falsified: Vec<bool>,
    /// Parameter values that would satisfy failed comparisons, the first for each parameter.
    pub wishes: Vec<(Wished, u64)>,
    /// The assertions whose failures are ignored.
    passed_over: Vec<Obligation>,
    deadline: Deadline,
    /// The step count at which the clock is checked next.
    until: u64,
}

impl<'a> Machine<'a> {
    /// An execution before its first step. `inputs` gives the value of each variable, by its index.
    pub fn new(program: &'a Program, code: &'a Code, inputs: &[Value], plan: Plan, conditions: usize) -> Self {
        let places = &code.places;
        let mut machine = Self {
            program,
            code,
            plan,
            cells: vec![Datum { value: 0, taint: 0 }; index(places.cells)],
            others: vec![Datum { value: Value::Word(0), taint: 0 }; index(places.others)],
            taints: Taints::new(),
            control: 0,
            draws: 0,
            choices: 0,
            epoch: 0,
            fuel: plan.fuel,
            logged: Vec::new(),
            checked: Vec::new(),
            falsified: vec![false; conditions],
            wishes: Vec::new(),
            passed_over: Vec::new(),
            deadline: Deadline::NEVER,
            until: 0,
        };
        for &(cell, word) in &places.constants {
            machine.cells[index(cell)].value = word;
        }
        for (&place, value) in places.variables.iter().zip(inputs) {
            machine.set(place, Datum { value: value.clone(), taint: 0 });
        }
        machine
    }

    /// Continues past failures of these assertions.
    pub fn pass_over(&mut self, obligations: Vec<Obligation>) {
        self.passed_over = obligations;
    }

    /// Limits the execution to end by this deadline.
    pub fn until(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

    /// Whether the inputs satisfy the preconditions.
    pub fn admissible(&mut self) -> bool {
        let code = self.code;
        self.steps(&code.preconditions).is_ok()
    }

    /// The index of the first part of the preconditions that the inputs violate.
    pub fn violated(&mut self) -> Option<usize> {
        if self.admissible() {
            return None;
        }
        // The cell holds the value that was computed before.
        let conditions = self.code.preconditions.steps.iter().filter_map(|step| match step {
            Step::Assume(cell) => Some(*cell),
            _ => None,
        });
        conditions.map(|cell| self.word(cell)).position(|holds| holds == 0)
    }

    /// Executes the program.
    pub fn run(&mut self) -> End {
        let code = self.code;
        match self.parts(&code.body) {
            Ok(()) => End::Reached,
            Err(end) => end,
        }
    }

    /// The remaining steps.
    pub fn fuel_left(&self) -> u64 {
        self.fuel
    }

    /// The current value of a variable.
    pub fn value(&self, variable: Variable) -> Value {
        self.get(self.place(variable)).value
    }

    /// The current value of an expression, with some variables' values taken from others.
    pub fn evaluate(&mut self, expression: Expression, instead: &[(Variable, Variable)]) -> Value {
        let (tape, place, places) = single(self.program, self.code, expression);
        self.cells.resize(index(places.cells), Datum { value: 0, taint: 0 });
        self.others.resize(index(places.others), Datum { value: Value::Word(0), taint: 0 });
        for &(cell, word) in &places.constants {
            self.cells[index(cell)].value = word;
        }
        let originals: Vec<Datum<Value>> =
            instead.iter().map(|&(variable, _)| self.get(self.place(variable))).collect();
        let sources: Vec<Datum<Value>> = instead.iter().map(|&(_, source)| self.get(self.place(source))).collect();
        let put = |machine: &mut Self, data: Vec<Datum<Value>>| {
            for (&(variable, _), datum) in instead.iter().zip(data) {
                machine.set(machine.place(variable), datum);
            }
        };
        put(self, sources);
        self.fuel = u64::MAX;
        let deadline = std::mem::take(&mut self.deadline);
        let computed = self.steps(&tape);
        debug_assert!(computed.is_ok(), "computing ends");
        self.deadline = deadline;
        let value = self.get(place).value;
        put(self, originals);
        value
    }

    fn place(&self, variable: Variable) -> Place {
        self.code.places.variables[at(variable)]
    }

    fn get(&self, place: Place) -> Datum<Value> {
        match place {
            Place::Word(cell) => {
                let Datum { value, taint } = self.cells[index(cell)];
                Datum { value: Value::Word(value), taint }
            }
            Place::Other(number) => self.others[index(number)].clone(),
        }
    }

    fn set(&mut self, place: Place, Datum { value, taint }: Datum<Value>) {
        match place {
            Place::Word(cell) => self.cells[index(cell)] = Datum { value: value.word(), taint },
            Place::Other(number) => self.others[index(number)] = Datum { value, taint },
        }
    }

    fn taint_mut(&mut self, place: Place) -> &mut Taint {
        match place {
            Place::Word(cell) => &mut self.cells[index(cell)].taint,
            Place::Other(number) => &mut self.others[index(number)].taint,
        }
    }

    fn parts(&mut self, parts: &'a [Part]) -> Result<(), End> {
        for part in parts {
            match part {
                Part::Straight(tape) => self.steps(tape)?,
                Part::Loop(loop_) => self.run_loop(*loop_)?,
            }
        }
        Ok(())
    }

    fn run_loop(&mut self, loop_: Loop) -> Result<(), End> {
        let code = self.code;
        let counter = self.place(self.program.loops[loop_].counter);
        let outer = self.control;
        let mut iterations = 0;
        loop {
            self.set(counter, Datum { value: Value::Word(iterations), taint: self.control });
            let guard = self.head(&code.heads[loop_])?;
            self.control = self.taints.union(self.control, guard.taint);
            if guard.value == 0 {
                break;
            }
            self.parts(&code.bodies[loop_])?;
            iterations += 1;
        }
        if self.control != outer {
            // Everything that the loop changes depends on its trip count.
            for variable in self.program.changed_in(loop_) {
                let place = self.place(variable);
                let taint = *self.taint_mut(place);
                *self.taint_mut(place) = self.taints.union(taint, self.control);
            }
            self.control = outer;
        }
        Ok(())
    }

    fn head(&mut self, head: &Head) -> Result<Word, End> {
        self.steps(&head.tape)?;
        for &(condition, cell) in &head.conditions {
            self.falsified[condition] |= self.word(cell) == 0;
        }
        Ok(self.cells[index(head.guard)])
    }

    fn steps(&mut self, tape: &Tape) -> Result<(), End> {
        let cost = u64::try_from(tape.steps.len()).unwrap_or(u64::MAX).saturating_add(1);
        self.fuel = self.fuel.checked_sub(cost).ok_or(End::Exhausted)?;
        match self.until.checked_sub(cost) {
            Some(until) => self.until = until,
            None if self.deadline.passed() => return Err(End::Exhausted),
            None => self.until = LOOK_EVERY,
        }
        for step in &tape.steps {
            match step {
                Step::Word { operation, operands: [a, b], width, target } => {
                    let [a, b] = [a, b].map(|&cell| self.cells[index(cell)]);
                    let value = of_words(*operation, a.value, b.value, *width) & low_bits(*width);
                    self.cells[index(*target)] = Datum { value, taint: self.taints.union(a.taint, b.taint) };
                }
                Step::Sum { constant, terms, width, target } => {
                    let mut sum = Datum { value: *constant, taint: 0 };
                    for &(factor, term) in &tape.terms[index(terms.start)..index(terms.end)] {
                        let Datum { value, taint } = self.cells[index(term)];
                        sum.value = sum.value.wrapping_add(factor.wrapping_mul(value));
                        sum.taint = self.taints.union(sum.taint, taint);
                    }
                    sum.value &= low_bits(*width);
                    self.cells[index(*target)] = sum;
                }
                Step::Junction { decisive, operands, target } => {
                    let operands = &tape.operands[index(operands.start)..index(operands.end)];
                    self.cells[index(*target)] = self.junction(operands, u64::from(*decisive));
                }
                Step::Choose { operands: [condition, then, otherwise], target } => {
                    let [condition, then, otherwise] =
                        [condition, then, otherwise].map(|&cell| self.cells[index(cell)]);
                    let chosen = if condition.value == 0 { otherwise } else { then };
                    let same = then.value == otherwise.value;
                    let taint = self.chosen(condition.taint, chosen.taint, [then.taint, otherwise.taint], same);
                    self.cells[index(*target)] = Datum { value: chosen.value, taint };
                }
                Step::Apply { function, operands, width, target } => {
                    let mut seed = seed_of(*function);
                    let mut taint = self.own_taint(*function);
                    for &operand in &tape.operands[index(operands.start)..index(operands.end)] {
                        let operand = self.cells[index(operand)];
                        seed = mix(seed, operand.value);
                        taint = self.taints.union(taint, operand.taint);
                    }
                    let value = result_of(seed) & low_bits(*width);
                    self.cells[index(*target)] = Datum { value, taint };
                }
                Step::Arbitrary { havoc, width, target } => {
                    self.cells[index(*target)] = self.arbitrary(*havoc, *width);
                }
                Step::General(computation, target) => {
                    let datum = self.general(computation);
                    self.set(*target, datum);
                }
                Step::Write(variable, place) => {
                    let mut datum = self.get(*place);
                    datum.taint = self.taints.union(datum.taint, self.control);
                    self.set(self.place(*variable), datum);
                }
                Step::Draw(true) => self.choices += 1,
                Step::Draw(false) => self.draws += 1,
                Step::Assume(cell) if self.word(*cell) == 0 => return Err(End::Excluded),
                Step::Assume(_) => {}
                Step::Log(site, active, cell) => self.log(*site, *active, *cell)?,
                Step::Check(obligation, active, cell) => self.check(*obligation, *active, *cell)?,
                Step::Assert(obligation, cell) => self.assert(*obligation, *cell)?,
                Step::Wish(result, wished, sides) => self.wish(*result, *wished, *sides),
            }
        }
        Ok(())
    }

    fn assert(&mut self, obligation: Obligation, holds: Cell) -> Result<(), End> {
        use lockstep_ir::sequential::ObligationKind;
        let holds = self.cells[index(holds)];
        if holds.value == 0 && !self.passed_over.contains(&obligation) {
            return Err(End::Failed(obligation, self.taints.union(holds.taint, self.control)));
        }
        if matches!(self.program.obligations[obligation].kind, ObligationKind::BarrierDivergence { .. }) {
            self.epoch += 1;
        }
        Ok(())
    }

    fn log(&mut self, site: Site, active: Cell, cell: Cell) -> Result<(), End> {
        if !self.plan.remember || self.word(active) == 0 {
            return Ok(());
        }
        self.logged.push(Logged { site, cell: self.word(cell), choice: self.choices, epoch: self.epoch });
        if self.logged.len() > MOST_ACCESSES { Err(End::Exhausted) } else { Ok(()) }
    }

    fn check(&mut self, obligation: Obligation, active: Cell, cell: Cell) -> Result<(), End> {
        if !self.plan.remember || self.word(active) == 0 {
            return Ok(());
        }
        let (cell, logged) = (self.word(cell), self.logged.len());
        self.checked.push(Checked { obligation, cell, logged, choices: self.choices, epoch: self.epoch });
        if self.checked.len() > MOST_ACCESSES { Err(End::Exhausted) } else { Ok(()) }
    }

    fn wish(&mut self, result: Cell, wished: Wished, sides: [Cell; 2]) {
        let is_new = |(known, _): &(Wished, u64)| *known != wished;
        if self.plan.remember
            && self.word(result) == 0
            && self.wishes.len() < MOST_WISHES
            && self.wishes.iter().all(is_new)
            && let Some(now) = wished.of(&self.value(wished.input))
        {
            let [side, other] = sides.map(|side| self.word(side));
            let word = now.wrapping_add(other).wrapping_sub(side) & low_bits(wished.high - wished.low + 1);
            self.wishes.push((wished, word));
        }
    }

    // --- Computing
    // ----------------------------------------------------------------------------------

    fn word(&self, cell: Cell) -> u64 {
        self.cells[index(cell)].value
    }

    /// A conjunction if `decisive` is 0, a disjunction if it is 1.
    fn junction(&mut self, operands: &[Cell], decisive: u64) -> Word {
        let (mut decided, mut all): (Option<Taint>, Taint) = (None, 0);
        for &operand in operands {
            let Datum { value, taint } = self.cells[index(operand)];
            if value == decisive {
                decided = Some(decided.map_or(taint, |known| self.taints.smaller(known, taint)));
                if decided == Some(0) {
                    break;
                }
            } else if decided.is_none() {
                all = self.taints.union(all, taint);
            }
        }
        match decided {
            Some(taint) => Datum { value: decisive, taint },
            None => Datum { value: 1 - decisive, taint: all },
        }
    }

    /// The arbitrary values on which a choice depends.
    ///
    /// These are those of the chosen value and of the condition, or of both alternatives if the
    /// alternatives are equal.
    fn chosen(&mut self, condition: Taint, chosen: Taint, both: [Taint; 2], same: bool) -> Taint {
        if condition == 0 {
            return chosen;
        }
        let one = self.taints.union(chosen, condition);
        let both = self.taints.union(both[0], both[1]);
        if same { self.taints.smaller(one, both) } else { one }
    }

    fn general(&mut self, computation: &Computation) -> Datum<Value> {
        let Computation { operation, operands, widths, sort } = computation;
        match operation {
            Operation::Arbitrary(_, havoc) => {
                let value = Value::arbitrary(*sort, self.plan.rule, self.draws);
                return Datum { value, taint: self.taints.single(*havoc) };
            }
            Operation::Read(_) => return self.get(operands[0]),
            _ => {}
        }
        let data: Vec<Datum<Value>> = operands.iter().map(|&operand| self.get(operand)).collect();
        if *operation == Operation::Choose {
            let [condition, then, otherwise] = [&data[0], &data[1], &data[2]];
            let chosen = if condition.value.word() == 0 { otherwise } else { then };
            let same = then.value.same(&otherwise.value);
            let taint = self.chosen(condition.taint, chosen.taint, [then.taint, otherwise.taint], same);
            return Datum { value: chosen.value.clone(), taint };
        }
        let own = if let Operation::Apply(function) = operation { self.own_taint(*function) } else { 0 };
        let taint = data.iter().fold(own, |all, datum| self.taints.union(all, datum.taint));
        let values: Vec<&Value> = data.iter().map(|datum| &datum.value).collect();
        Datum { value: general_value(operation, &values, widths, *sort), taint }
    }

    /// The arbitrary values on which a function's results depend, besides those of its arguments.
    fn own_taint(&mut self, function: Function) -> Taint {
        self.code.deciding.get(&function).map_or(0, |&number| self.taints.single(number))
    }

    fn arbitrary(&mut self, havoc: u32, width: u32) -> Word {
        use lockstep_ir::sequential::Unknown;
        if self.code.havocs[index(havoc)].unknown == Unknown::Choice {
            return Datum { value: u64::from(self.plan.hit == Some(self.choices)), taint: 0 };
        }
        let value = self.plan.rule.word(self.draws) & low_bits(width);
        Datum { value, taint: self.taints.single(havoc) }
    }
}

/// The result of an operation on words; the caller truncates it to the result's width.
fn of_words(operation: WordOperation, a: u64, b: u64, width: u32) -> u64 {
    match operation {
        WordOperation::Copy => a,
        WordOperation::Not => 1 - a,
        WordOperation::Equal => u64::from(a == b),
        WordOperation::Complement => !a,
        WordOperation::Binary(op) => op.of_words(width, a, b),
        WordOperation::Compare(op, width) => u64::from(op.of_words(width, a, b)),
        WordOperation::SignExtend(width) => sign_extended(a, width).cast_unsigned(),
        WordOperation::Extract(low) => a >> low,
        WordOperation::Concat(width) => (a << width) | b,
    }
}

/// The result of an operation that involves a wide vector, a map or a function.
fn general_value(operation: &Operation, operands: &[&Value], widths: &[u32], sort: Sort) -> Value {
    let value = |operand: usize| operands[operand];
    let bits = |operand: usize| value(operand).bits(widths[operand]);
    let width = match sort {
        Sort::Bits(width) => width,
        Sort::Boolean | Sort::Map { .. } => 1,
    };
    let truth = |holds: bool| Value::Word(u64::from(holds));
    match operation {
        Operation::Constant(bits) => Value::of(bits.clone()),
        Operation::Equal => truth(value(0).same(value(1))),
        Operation::Sum(constant, coefficients) => {
            let terms = coefficients.iter().enumerate();
            Value::of(terms.fold(constant.clone(), |sum, (term, factor)| sum.add(&factor.mul(&bits(term)))))
        }
        Operation::Complement => Value::of(bits(0).not()),
        Operation::Binary(op) => Value::of(op.fold(&bits(0), &bits(1))),
        Operation::Compare(op) => truth(op.fold(&bits(0), &bits(1))),
        Operation::ZeroExtend => Value::of(bits(0).zero_extend(width)),
        Operation::SignExtend => Value::of(bits(0).sign_extend(width)),
        Operation::Extract(high, low) => Value::of(bits(0).extract(*high, *low)),
        Operation::Concat => Value::of(bits(0).concat(&bits(1))),
        Operation::Select => value(0).select(&bits(1)),
        Operation::Store => value(0).store(bits(1), bits(2)),
        Operation::Apply(function) => apply(*function, operands, sort),
        Operation::Not
        | Operation::Read(_)
        | Operation::Arbitrary(..)
        | Operation::And
        | Operation::Or
        | Operation::Choose => unreachable!("truth values are words, and the others are treated before"),
    }
}

/// The value of an uninterpreted function, chosen arbitrarily but fixed.
pub fn apply(function: Function, arguments: &[&Value], result: Sort) -> Value {
    let seed = arguments.iter().fold(seed_of(function), |seed, argument| mix(seed, fingerprint(argument)));
    Value::arbitrary(result, Rule { seed, bits: 64 }, 0)
}

fn seed_of(function: Function) -> u64 {
    mix(0, u64::from(function.as_u32()))
}

/// The value of an uninterpreted function whose result is a word.
fn result_of(seed: u64) -> u64 {
    Rule { seed, bits: 64 }.word(0)
}

/// A number that is equal for equal values.
fn fingerprint(value: &Value) -> u64 {
    match value {
        Value::Word(word) => *word,
        Value::Wide(bits) => bits.unsigned().iter_u64_digits().fold(1, mix),
        // The same number for all maps: a function that ignores them is a valid choice.
        Value::Map(_) => 2,
    }
}
