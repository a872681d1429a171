//! Makes one wait of each loop that only tests a phase object until it is complete.
//!
//! **Why the behaviour stays.** A test may answer late, so a thread may see no for as long as it
//! likes while the phase is complete, and sees yes some time after that. Let a thread compute
//! nothing but values between the answer no and the same test, or a wait that stands for it; let
//! it then be where, and as, the answer yes would have led it. The test changes nothing that others
//! see, so the runs in which the answer is no some times and then yes are those of a wait followed
//! by yes. (A loop that never sees yes waits for ever, as the wait does.)

use std::collections::BTreeMap;

use crate::bits::Bits;
use crate::kernel::{
    Block, ConvertOp, Instruction, Kernel, Operation, PhaseOp, Target, Terminator, Type, UnaryOp, Value,
};

/// The most blocks between a test and the same test.
const MOST: usize = 8;

/// The kernel in which such loops are waits.
pub fn recognise_waits(mut kernel: Kernel) -> Kernel {
    let is_test = |operation: &Operation| test(operation).is_some();
    if !kernel.instructions.values().any(|data| is_test(&data.operation)) {
        return kernel;
    }
    // A test before a loop stands for a wait once the loop does.
    while let Some((block, instruction)) = next(&kernel) {
        replace(&mut kernel, block, instruction);
    }
    kernel
}

/// The object and the operand of a test, and what waits for the same.
fn test(operation: &Operation) -> Option<(Value, Value, PhaseOp)> {
    let Operation::Phase { op, object, operands } = operation else { return None };
    let wait = match op {
        PhaseOp::Test => PhaseOp::Wait,
        PhaseOp::TestParity => PhaseOp::WaitParity,
        _ => return None,
    };
    Some((*object, operands[0], wait))
}

/// A test that stands for a wait.
fn next(kernel: &Kernel) -> Option<(Block, Instruction)> {
    kernel.blocks.iter().find_map(|(block, data)| {
        let tests = data.instructions.iter().filter(|&&at| test(&kernel.instructions[at].operation).is_some());
        tests.copied().find(|&at| stands_for_wait(kernel, block, at)).map(|at| (block, at))
    })
}

/// Puts the wait before the answer, which is yes from now on.
fn replace(kernel: &mut Kernel, block: Block, at: Instruction) {
    let data = &mut kernel.instructions[at];
    let Some((object, operand, op)) = test(&data.operation) else { return };
    let location = data.location;
    data.operation = Operation::Constant(Bits::new(1, 1u8));
    let before = std::mem::take(&mut kernel.blocks[block].instructions);
    for instruction in before {
        if instruction == at {
            kernel.append_effect(block, Operation::Phase { op, object, operands: vec![operand] }, location);
        }
        kernel.blocks[block].instructions.push(instruction);
    }
}

fn stands_for_wait(kernel: &Kernel, block: Block, at: Instruction) -> bool {
    let mut no = Walk::new(kernel, block, at, false);
    match no.find_same(block, at) {
        None => false,
        Some(Found::Test) => true,
        Some(Found::Wait) => {
            let mut yes = Walk::new(kernel, block, at, true);
            yes.go_on();
            let has_met = |place: &(Block, Vec<Value>)| yes.places.contains(place);
            no.go_on();
            no.places[no.waited..].iter().any(has_met)
        }
    }
}

/// Whether the result may be another one each time.
fn is_anything(operation: &Operation) -> bool {
    matches!(operation, Operation::Undefined | Operation::Anything | Operation::Choice(_))
}

/// The operation that a thread comes to if the answer is no.
enum Found {
    /// The test, with the same values.
    Test,
    /// A wait for the same.
    Wait,
}

/// The way of a thread behind a test, as far as it only computes values.
struct Walk<'a> {
    kernel: &'a Kernel,
    /// The test.
    at: Instruction,
    block: Block,
    /// The position in the block.
    position: usize,
    /// The values that are known because the answer is.
    known: BTreeMap<Value, Bits>,
    /// The values that parameters of blocks have on this way.
    passed: BTreeMap<Value, Value>,
    /// The blocks that it comes to, and what is passed to them.
    places: Vec<(Block, Vec<Value>)>,
    /// How many blocks it had come to at the wait.
    waited: usize,
}

impl<'a> Walk<'a> {
    fn new(kernel: &'a Kernel, block: Block, at: Instruction, answer: bool) -> Self {
        let position = kernel.blocks[block].instructions.iter().position(|&other| other == at).unwrap_or_default() + 1;
        let answer = kernel.instructions[at].result.map(|result| (result, Bits::new(1, u8::from(answer))));
        Self {
            kernel,
            at,
            block,
            position,
            known: answer.into_iter().collect(),
            passed: BTreeMap::new(),
            places: Vec::new(),
            waited: 0,
        }
    }

    /// Goes on to the same test, or to a wait for the same.
    fn find_same(&mut self, start: Block, at: Instruction) -> Option<Found> {
        let instructions = |block: Block| &self.kernel.blocks[block].instructions;
        let only_computes = |at: Instruction| self.kernel.instructions[at].operation.is_computation();
        let is_pure = instructions(start).iter().take_while(|&&other| other != at).all(|&other| only_computes(other));
        loop {
            if let Some(effect) = self.pass_computations() {
                let operation = &self.kernel.instructions[effect].operation;
                if !self.waits_for_same(operation) {
                    return None;
                }
                self.position += 1;
                self.waited = self.places.len();
                return Some(Found::Wait);
            }
            let (block, arguments) = self.leave()?;
            if block == start {
                let unchanged = self.kernel.blocks[start].parameters == arguments;
                return (is_pure && unchanged).then_some(Found::Test);
            }
        }
    }

    /// Goes on as far as possible.
    fn go_on(&mut self) {
        while self.pass_computations().is_none() && self.leave().is_some() {}
    }

    /// Goes to the end of the block; stops at an instruction that does more than to compute.
    fn pass_computations(&mut self) -> Option<Instruction> {
        let instructions = &self.kernel.blocks[self.block].instructions;
        while let Some(&instruction) = instructions.get(self.position) {
            let data = &self.kernel.instructions[instruction];
            if !data.operation.is_computation() || is_anything(&data.operation) {
                return Some(instruction);
            }
            if let Some(result) = data.result
                && let Some(value) = self.computed(&data.operation, self.kernel.ty(result))
            {
                self.known.insert(result, value);
            }
            self.position += 1;
        }
        None
    }

    /// Goes to the next block, if it is known.
    fn leave(&mut self) -> Option<(Block, Vec<Value>)> {
        let target = match &self.kernel.blocks[self.block].terminator {
            Terminator::Jump(target) => target,
            Terminator::Branch { condition, then, otherwise } => {
                if self.get(*condition)?.is_zero() {
                    otherwise
                } else {
                    then
                }
            }
            _ => return None,
        };
        if self.places.len() >= MOST {
            return None;
        }
        let Target { block, arguments } = target;
        let arguments: Vec<Value> = arguments.iter().map(|&argument| self.meant(argument)).collect();
        let values: Vec<Option<Bits>> = arguments.iter().map(|&argument| self.get(argument)).collect();
        for ((&parameter, &argument), value) in self.kernel.blocks[*block].parameters.iter().zip(&arguments).zip(values)
        {
            self.passed.insert(parameter, argument);
            self.known.remove(&parameter);
            self.known.extend(value.map(|value| (parameter, value)));
        }
        (self.block, self.position) = (*block, 0);
        self.places.push((*block, arguments.clone()));
        Some((*block, arguments))
    }

    /// The value that a parameter of a block stands for on this way.
    fn meant(&self, value: Value) -> Value {
        self.passed.get(&value).copied().unwrap_or(value)
    }

    fn get(&self, value: Value) -> Option<Bits> {
        self.known.get(&value).or_else(|| self.kernel.constant(value)).cloned()
    }

    fn computed(&self, operation: &Operation, ty: Type) -> Option<Bits> {
        let width = ty.width().or_else(|| matches!(ty, Type::Bool).then_some(1))?;
        let get = |value: &Value| self.get(*value);
        match operation {
            Operation::Unary(UnaryOp::Not, a) => Some(get(a)?.not()),
            Operation::Binary(op, _, a, b) => op.checked_fold(&get(a)?, &get(b)?),
            Operation::Compare(op, a, b) => Some(Bits::new(1, u8::from(op.fold(&get(a)?, &get(b)?)))),
            Operation::Select(condition, a, b) => get(if get(condition)?.is_zero() { b } else { a }),
            Operation::Convert(ConvertOp::ZeroExtend, a) => Some(get(a)?.zero_extend(width)),
            Operation::Convert(ConvertOp::SignExtend, a) => Some(get(a)?.sign_extend(width)),
            Operation::Convert(ConvertOp::Truncate, a) => Some(get(a)?.extract(width - 1, 0)),
            _ => None,
        }
    }

    fn waits_for_same(&self, operation: &Operation) -> bool {
        let Some((object, operand, wait)) = test(&self.kernel.instructions[self.at].operation) else { return false };
        let Operation::Phase { op, object: other, operands } = operation else { return false };
        *op == wait && self.same(object, *other, 0) && self.same(operand, operands[0], 0)
    }

    /// Whether two values are the same, by the way in which they are computed.
    fn same(&self, a: Value, b: Value, depth: usize) -> bool {
        let (a, b) = (self.meant(a), self.meant(b));
        if a == b {
            return true;
        }
        let (Some(one), Some(other)) = (self.kernel.operation(a), self.kernel.operation(b)) else { return false };
        if depth > MOST || !one.is_computation() || is_anything(one) {
            return false;
        }
        let operands = |operation: &Operation| {
            let mut all = Vec::new();
            operation.for_each_operand(|operand| all.push(operand));
            all
        };
        let without = |operation: &Operation| {
            let mut operation = operation.clone();
            operation.for_each_operand_mut(|operand| *operand = a);
            operation
        };
        let (of_one, of_other) = (operands(one), operands(other));
        without(one) == without(other) && of_one.iter().zip(&of_other).all(|(&a, &b)| self.same(a, b, depth + 1))
    }
}
