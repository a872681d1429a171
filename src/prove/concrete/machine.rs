//! Executes a compiled program on concrete inputs, iteration by iteration.
//!
//! Arbitrary values are drawn by a rule, uninterpreted functions are one fixed function: what comes out is an execution
//! of the program like any other. Each value remembers which arbitrary values it depends on; where an operand decides
//! alone (a false one of a conjunction) only that one counts.

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{
    BinaryOp, CompareOp, Expression, Function, Loop, Obligation, Program, Site, Sort, Variable,
};

use super::tape::{Code, Head, Operation, Part, Slot, Step, Wished, at, index, single};
use super::value::{Rule, Taint, Taints, Value, low_bits, mix};
use crate::prove::encode::modified;

/// How an execution is to go.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What arbitrary values are.
    pub rule: Rule,
    /// The access of this number (in order of execution) is the hit; none if `None`.
    pub hit: Option<u64>,
    /// Steps at most.
    pub fuel: u64,
    /// Whether accesses are remembered.
    pub remember: bool,
}

/// An access of thread 1.
#[derive(Clone, Copy, Debug)]
pub struct Logged {
    /// Where.
    pub site: Site,
    /// The first cell.
    pub cell: u64,
    /// The number of the choice that makes it the hit.
    pub choice: u64,
    /// How many barriers have been executed before.
    pub epoch: u32,
}

/// An access of thread 2.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    /// What is asserted about it.
    pub obligation: Obligation,
    /// The first cell.
    pub cell: u64,
    /// How many accesses of thread 1 come before it.
    pub logged: usize,
    /// How many choices come before it.
    pub choices: u64,
    /// How many barriers have been executed before.
    pub epoch: u32,
}

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Regularly.
    Reached,
    /// At an assumption that does not hold.
    Excluded,
    /// At an assertion that fails, because of these arbitrary values.
    Failed(Obligation, Taint),
    /// Fuel or memory ran out.
    Exhausted,
}

/// The most accesses remembered.
const MOST_ACCESSES: usize = 1 << 17;

/// The most wishes of an execution.
const MOST_WISHES: usize = 8;

#[derive(Clone, Debug)]
struct Datum {
    value: Value,
    taint: Taint,
}

/// An execution.
pub struct Machine<'a> {
    program: &'a Program,
    code: &'a Code,
    plan: Plan,
    variables: Vec<Datum>,
    slots: Vec<Datum>,
    /// Sets of arbitrary values.
    pub taints: Taints,
    /// What the guards of the loops around depend on.
    control: Taint,
    draws: u64,
    choices: u64,
    epoch: u32,
    fuel: u64,
    /// The accesses of thread 1, in order.
    pub logged: Vec<Logged>,
    /// The accesses of thread 2, in order.
    pub checked: Vec<Checked>,
    /// Which of the watched conditions did not hold at some visit of their loops' heads.
    pub falsified: Vec<bool>,
    /// What parameters would have to be for comparisons with them to hold that did not, the first of each.
    pub wishes: Vec<(Wished, u64)>,
}

impl<'a> Machine<'a> {
    /// An execution that has not begun. `inputs` gives the value of each variable, by its index.
    pub fn new(program: &'a Program, code: &'a Code, inputs: &[Value], plan: Plan, conditions: usize) -> Self {
        let nothing = Datum { value: Value::Word(0), taint: 0 };
        Self {
            program,
            code,
            plan,
            variables: inputs.iter().map(|value| Datum { value: value.clone(), taint: 0 }).collect(),
            slots: vec![nothing; code.slots],
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
        }
    }

    /// Whether the inputs satisfy the preconditions.
    pub fn admissible(&mut self) -> bool {
        let code = self.code;
        self.steps(&code.preconditions).is_ok()
    }

    /// The number of the first part of the preconditions that the inputs do not satisfy.
    pub fn violated(&mut self) -> Option<usize> {
        let code = self.code;
        let mut assumed = 0;
        for step in &code.preconditions {
            if self.steps(std::slice::from_ref(step)).is_err() {
                return Some(assumed);
            }
            assumed += usize::from(matches!(step, Step::Assume(_)));
        }
        None
    }

    /// Executes the program.
    pub fn run(&mut self) -> End {
        let code = self.code;
        match self.parts(&code.body) {
            Ok(()) => End::Reached,
            Err(end) => end,
        }
    }

    /// The steps that are left.
    pub fn fuel_left(&self) -> u64 {
        self.fuel
    }

    /// A variable's value now.
    pub fn value(&self, variable: Variable) -> &Value {
        &self.variables[at(variable)].value
    }

    /// An expression's value now, with some variables' values taken from others.
    pub fn evaluate(&mut self, expression: Expression, instead: &[(Variable, Variable)]) -> Value {
        let (steps, slot, slots) = single(self.program, expression);
        if self.slots.len() < slots {
            self.slots.resize(slots, Datum { value: Value::Word(0), taint: 0 });
        }
        let originals = self.variables.clone();
        for &(variable, source) in instead {
            self.variables[at(variable)] = originals[at(source)].clone();
        }
        self.fuel = u64::MAX;
        let computed = self.steps(&steps);
        debug_assert!(computed.is_ok(), "computing ends");
        self.variables = originals;
        self.slots[index(slot)].value.clone()
    }

    fn parts(&mut self, parts: &'a [Part]) -> Result<(), End> {
        for part in parts {
            match part {
                Part::Straight(steps) => self.steps(steps)?,
                Part::Loop(loop_) => self.run_loop(*loop_)?,
            }
        }
        Ok(())
    }

    fn run_loop(&mut self, loop_: Loop) -> Result<(), End> {
        let code = self.code;
        let counter = self.program.loops[loop_].counter;
        let outer = self.control;
        let mut iterations = 0;
        loop {
            self.variables[at(counter)] = Datum { value: Value::Word(iterations), taint: self.control };
            let guard = self.head(&code.heads[loop_])?;
            self.control = self.taints.union(self.control, guard.taint);
            if guard.value.word() == 0 {
                break;
            }
            self.parts(&code.bodies[loop_])?;
            iterations += 1;
        }
        if self.control != outer {
            // How often the loop ran is in everything that it changes.
            for variable in modified(self.program, loop_) {
                let taint = self.variables[at(variable)].taint;
                self.variables[at(variable)].taint = self.taints.union(taint, self.control);
            }
            self.control = outer;
        }
        Ok(())
    }

    fn head(&mut self, head: &Head) -> Result<Datum, End> {
        self.steps(&head.steps)?;
        for &(condition, slot) in &head.conditions {
            self.falsified[condition] |= self.word(slot) == 0;
        }
        Ok(self.slots[index(head.guard)].clone())
    }

    fn steps(&mut self, steps: &[Step]) -> Result<(), End> {
        let cost = u64::try_from(steps.len()).unwrap_or(u64::MAX).saturating_add(1);
        self.fuel = self.fuel.checked_sub(cost).ok_or(End::Exhausted)?;
        for step in steps {
            match step {
                Step::Compute { operation, operands, widths, numbers, sort, target } => {
                    let datum = self.compute(operation, operands, widths, numbers.as_deref(), *sort);
                    self.slots[index(*target)] = datum;
                }
                Step::Write(variable, slot) => {
                    let mut datum = self.slots[index(*slot)].clone();
                    datum.taint = self.taints.union(datum.taint, self.control);
                    self.variables[at(*variable)] = datum;
                }
                Step::Draw(true) => self.choices += 1,
                Step::Draw(false) => self.draws += 1,
                Step::Assume(slot) if self.word(*slot) == 0 => return Err(End::Excluded),
                Step::Assume(_) => {}
                Step::Log(site, active, cell) => self.log(*site, *active, *cell)?,
                Step::Check(obligation, active, cell) => self.check(*obligation, *active, *cell)?,
                Step::Assert(obligation, slot) => self.assert(*obligation, *slot)?,
                Step::Wish(result, wished, sides) => self.wish(*result, *wished, *sides),
            }
        }
        Ok(())
    }

    fn assert(&mut self, obligation: Obligation, slot: Slot) -> Result<(), End> {
        use lockstep_ir::sequential::ObligationKind;
        if self.word(slot) == 0 {
            let taint = self.taints.union(self.slots[index(slot)].taint, self.control);
            return Err(End::Failed(obligation, taint));
        }
        if matches!(self.program.obligations[obligation].kind, ObligationKind::BarrierDivergence { .. }) {
            self.epoch += 1;
        }
        Ok(())
    }

    fn log(&mut self, site: Site, active: Slot, cell: Slot) -> Result<(), End> {
        if !self.plan.remember || self.word(active) == 0 {
            return Ok(());
        }
        if let Value::Word(cell) = self.slots[index(cell)].value {
            self.logged.push(Logged { site, cell, choice: self.choices, epoch: self.epoch });
        }
        if self.logged.len() > MOST_ACCESSES { Err(End::Exhausted) } else { Ok(()) }
    }

    fn check(&mut self, obligation: Obligation, active: Slot, cell: Slot) -> Result<(), End> {
        if !self.plan.remember || self.word(active) == 0 {
            return Ok(());
        }
        if let Value::Word(cell) = self.slots[index(cell)].value {
            let logged = self.logged.len();
            self.checked.push(Checked { obligation, cell, logged, choices: self.choices, epoch: self.epoch });
        }
        if self.checked.len() > MOST_ACCESSES { Err(End::Exhausted) } else { Ok(()) }
    }

    fn wish(&mut self, result: Slot, wished: Wished, [side, other]: [Slot; 2]) {
        let is_new = |(known, _): &(Wished, u64)| *known != wished;
        if self.plan.remember
            && self.word(result) == 0
            && self.wishes.len() < MOST_WISHES
            && self.wishes.iter().all(is_new)
            && let [Value::Word(side), Value::Word(other)] = [side, other].map(|slot| &self.slots[index(slot)].value)
            && let Some(now) = wished.of(&self.variables[at(wished.input)].value)
        {
            let word = now.wrapping_add(*other).wrapping_sub(*side) & low_bits(wished.high - wished.low + 1);
            self.wishes.push((wished, word));
        }
    }

    // --- Computing ----------------------------------------------------------------------------------

    fn word(&self, slot: Slot) -> u64 {
        self.slots[index(slot)].value.word()
    }

    fn taint(&self, slot: Slot) -> Taint {
        self.slots[index(slot)].taint
    }

    fn all_taints(&mut self, operands: &[Slot]) -> Taint {
        let mut all = 0;
        for &operand in operands {
            let taint = self.taint(operand);
            all = self.taints.union(all, taint);
        }
        all
    }

    fn compute(
        &mut self,
        operation: &Operation,
        operands: &[Slot],
        widths: &[u32],
        numbers: Option<&[u64]>,
        sort: Sort,
    ) -> Datum {
        match operation {
            Operation::Read(variable) => return self.variables[at(*variable)].clone(),
            Operation::Arbitrary(_, havoc) => return self.arbitrary(*havoc, sort),
            Operation::And => return self.junction(operands, 0),
            Operation::Or => return self.junction(operands, 1),
            Operation::Choose => return self.choose(operands),
            _ => {}
        }
        let mut taint = self.all_taints(operands);
        if let Operation::Apply(function) = operation
            && let Some(&number) = self.code.deciding.get(function)
        {
            let own = self.taints.single(number);
            taint = self.taints.union(taint, own);
        }
        let value = self.words(operation, operands, widths, numbers, sort).map(Value::Word);
        let value = value.unwrap_or_else(|| self.wide(operation, operands, widths, sort));
        Datum { value, taint }
    }

    fn arbitrary(&mut self, havoc: u32, sort: Sort) -> Datum {
        use lockstep_ir::sequential::Unknown;
        if self.code.havocs[index(havoc)].unknown == Unknown::Choice {
            return Datum { value: Value::Word(u64::from(self.plan.hit == Some(self.choices))), taint: 0 };
        }
        let taint = self.taints.single(havoc);
        Datum { value: Value::arbitrary(sort, self.plan.rule, self.draws), taint }
    }

    /// A conjunction if `decisive` is 0, a disjunction if it is 1.
    fn junction(&mut self, operands: &[Slot], decisive: u64) -> Datum {
        let mut decided: Option<Taint> = None;
        for &operand in operands {
            if self.word(operand) == decisive {
                let taint = self.taint(operand);
                decided = Some(decided.map_or(taint, |known| self.taints.smaller(known, taint)));
                if decided == Some(0) {
                    break;
                }
            }
        }
        match decided {
            Some(taint) => Datum { value: Value::Word(decisive), taint },
            None => Datum { value: Value::Word(1 - decisive), taint: self.all_taints(operands) },
        }
    }

    fn choose(&mut self, operands: &[Slot]) -> Datum {
        let (condition, then, otherwise) = (operands[0], operands[1], operands[2]);
        let chosen = if self.word(condition) == 0 { otherwise } else { then };
        let mut datum = self.slots[index(chosen)].clone();
        let decided = self.taint(condition);
        if decided != 0 {
            let one = self.taints.union(datum.taint, decided);
            let same = self.slots[index(then)].value.same(&self.slots[index(otherwise)].value);
            let both = self.all_taints(&[then, otherwise]);
            datum.taint = if same { self.taints.smaller(one, both) } else { one };
        }
        datum
    }

    /// The value where operands and result are words.
    fn words(
        &self,
        operation: &Operation,
        operands: &[Slot],
        widths: &[u32],
        numbers: Option<&[u64]>,
        sort: Sort,
    ) -> Option<u64> {
        let width = match sort {
            Sort::Boolean => 1,
            Sort::Bits(width) => width,
            Sort::Map { .. } => return None,
        };
        if width > 64 || widths.iter().any(|&width| width > 64) {
            return None;
        }
        let value = match operation {
            Operation::Constant(_) => numbers?[0],
            Operation::Not => 1 - self.word(operands[0]),
            Operation::Equal => {
                u64::from(self.slots[index(operands[0])].value.same(&self.slots[index(operands[1])].value))
            }
            Operation::Sum(..) => {
                let (constant, coefficients) = numbers?.split_first()?;
                coefficients.iter().zip(operands).fold(*constant, |sum, (coefficient, &operand)| {
                    sum.wrapping_add(coefficient.wrapping_mul(self.word(operand)))
                })
            }
            Operation::Complement => !self.word(operands[0]),
            Operation::Binary(op) => binary(*op, self.word(operands[0]), self.word(operands[1]), width),
            Operation::Compare(op) => {
                u64::from(compare(*op, self.word(operands[0]), self.word(operands[1]), widths[0]))
            }
            Operation::ZeroExtend => self.word(operands[0]),
            Operation::SignExtend => signed(self.word(operands[0]), widths[0]).cast_unsigned(),
            Operation::Extract(_, low) => self.word(operands[0]) >> low,
            Operation::Concat => (self.word(operands[0]) << widths[1]) | self.word(operands[1]),
            Operation::Select
            | Operation::Store
            | Operation::Apply(_)
            | Operation::Read(_)
            | Operation::Arbitrary(..)
            | Operation::And
            | Operation::Or
            | Operation::Choose => return None,
        };
        Some(value & low_bits(width))
    }

    /// The value where a wide vector, a map or a function takes part.
    fn wide(&self, operation: &Operation, operands: &[Slot], widths: &[u32], sort: Sort) -> Value {
        let value = |operand: usize| &self.slots[index(operands[operand])].value;
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
            Operation::Apply(function) => {
                let arguments: Vec<&Value> = (0..operands.len()).map(value).collect();
                apply(*function, &arguments, sort)
            }
            Operation::Not
            | Operation::Read(_)
            | Operation::Arbitrary(..)
            | Operation::And
            | Operation::Or
            | Operation::Choose => unreachable!("truth values are words"),
        }
    }
}

/// The value of an uninterpreted function: some fixed one.
pub fn apply(function: Function, arguments: &[&Value], result: Sort) -> Value {
    let seed = mix(0, u64::from(function.as_u32()));
    let seed = arguments.iter().fold(seed, |seed, argument| mix(seed, fingerprint(argument)));
    Value::arbitrary(result, Rule { seed, bits: 64 }, 0)
}

/// A number that is the same for equal values.
fn fingerprint(value: &Value) -> u64 {
    match value {
        Value::Word(word) => *word,
        Value::Wide(bits) => bits.unsigned().iter_u64_digits().fold(1, mix),
        // The same for all maps: a function that does not look at them is one too.
        Value::Map(_) => 2,
    }
}

fn signed(word: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (word << unused).cast_signed() >> unused
}

fn compare(op: CompareOp, a: u64, b: u64, width: u32) -> bool {
    match op {
        CompareOp::UnsignedLess => a < b,
        CompareOp::UnsignedLessEqual => a <= b,
        CompareOp::SignedLess => signed(a, width) < signed(b, width),
        CompareOp::SignedLessEqual => signed(a, width) <= signed(b, width),
    }
}

fn binary(op: BinaryOp, a: u64, b: u64, width: u32) -> u64 {
    let shift = |a: u64, shifted: fn(u64, u32) -> u64| match u32::try_from(b) {
        Ok(amount) if amount < width => shifted(a, amount),
        _ => 0,
    };
    match op {
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::UnsignedDivide => a.checked_div(b).unwrap_or(u64::MAX),
        BinaryOp::UnsignedRemainder => a.checked_rem(b).unwrap_or(a),
        BinaryOp::ShiftLeft => shift(a, |a, amount| a << amount),
        BinaryOp::LogicalShiftRight => shift(a, |a, amount| a >> amount),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        // Rare, and better not done twice.
        BinaryOp::SignedDivide | BinaryOp::SignedRemainder | BinaryOp::ArithmeticShiftRight => {
            op.fold(&Bits::new(width, a), &Bits::new(width, b)).to_u64().unwrap_or(0)
        }
    }
}
