//! Makes one wait of each loop that only tests a phase object until it is complete.
//!
//! **Why the behaviour stays.** A test may answer late, so a thread may see no for as long as it
//! likes while the phase is complete, and sees yes some time after that. Let a thread compute
//! nothing but values between the answer no and the same test, or a wait that stands for it; let
//! it then be where, and as, the answer yes would have led it. The test changes nothing that others
//! see, so the runs in which the answer is no some times and then yes are those of a wait followed
//! by yes. (A loop that never sees yes waits for ever, as the wait does.)
//!
//! A thread is as it would have been if each value has the same result that is visible there, by
//! dominance. Back at the test, those are the values of blocks that dominate it: where the thread
//! has come to such a block, what is passed to it must be what it had. Behind a wait, the ways of
//! both answers meet at a block that they come to first. Neither has come to a block that dominates
//! the test, and no other block of theirs dominates the meeting point. So what is passed there must
//! be the same, and nothing computed from the answer may be used there or later.

use std::collections::{BTreeMap, BTreeSet};

use crate::bits::Bits;
use crate::cfg::{self, Dominators};
use crate::kernel::{Block, Instruction, Kernel, Operation, PhaseOp, Target, Terminator, Type, Value};

/// The most blocks between a test and the same test.
const MOST: usize = 8;

/// The kernel in which such loops are waits.
pub fn recognise_waits(mut kernel: Kernel) -> Kernel {
    let is_test = |operation: &Operation| test(operation).is_some();
    if !kernel.instructions.values().any(|data| is_test(&data.operation)) {
        return kernel;
    }
    // No edge changes here.
    let dominators = Dominators::new(&cfg::graph(&kernel));
    // A test before a loop stands for a wait once the loop does.
    while let Some((block, instruction)) = next(&kernel, &dominators) {
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
fn next(kernel: &Kernel, dominators: &Dominators<Block>) -> Option<(Block, Instruction)> {
    kernel.blocks.iter().find_map(|(block, data)| {
        let tests = data.instructions.iter().filter(|&&at| test(&kernel.instructions[at].operation).is_some());
        tests.copied().find(|&at| stands_for_wait(kernel, block, at, dominators)).map(|at| (block, at))
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

fn stands_for_wait(kernel: &Kernel, block: Block, at: Instruction, dominators: &Dominators<Block>) -> bool {
    let mut no = Walk::new(kernel, block, at, false);
    match no.find_same(block, at, dominators) {
        None => false,
        Some(Found::Test) => true,
        Some(Found::Wait) => {
            let mut yes = Walk::new(kernel, block, at, true);
            yes.go_on();
            no.go_on();
            meet(kernel, &no, &yes, (block, at), dominators)
        }
    }
}

/// Whether the ways of both answers meet behind the wait, where a thread is the same on both.
fn meet(
    kernel: &Kernel,
    no: &Walk<'_>,
    yes: &Walk<'_>,
    (start, at): (Block, Instruction),
    dominators: &Dominators<Block>,
) -> bool {
    let of_yes = |block: Block| yes.places.iter().position(|&(other, _)| other == block);
    let Some(met) = no.places.iter().position(|&(block, _)| of_yes(block).is_some()) else { return false };
    let Some(met_by_yes) = of_yes(no.places[met].0) else { return false };
    if met < no.waited || no.places[met] != yes.places[met_by_yes] {
        return false;
    }
    let before: Vec<Block> =
        no.places[..met].iter().chain(&yes.places[..met_by_yes]).map(|&(block, _)| block).collect();
    if before.iter().any(|&block| dominators.dominates(block, start)) {
        return false;
    }
    let (meeting, passed) = &no.places[met];
    let told = computed_from(kernel, at);
    let is_told = |value: &Value| told.contains(value);
    let is_seen = kernel.blocks.iter().any(|(block, data)| {
        let mut operands = Vec::new();
        if block == start || before.contains(&block) {
            // These blocks keep to themselves all that they do not pass on.
            let others = data.terminator.targets().filter(|target| !before.contains(&target.block));
            operands
                .extend(others.filter(|target| target.block != *meeting).flat_map(|target| target.arguments.clone()));
        } else {
            for &instruction in &data.instructions {
                kernel.instructions[instruction].operation.for_each_operand(|operand| operands.push(operand));
            }
            data.terminator.for_each_operand(|operand| operands.push(operand));
        }
        operands.iter().any(is_told)
    });
    !is_seen && !passed.iter().any(is_told)
}

/// The result of an instruction, and what is computed from it.
fn computed_from(kernel: &Kernel, at: Instruction) -> BTreeSet<Value> {
    let mut found: BTreeSet<Value> = kernel.instructions[at].result.into_iter().collect();
    loop {
        let known = found.len();
        for data in kernel.instructions.values() {
            let mut uses = false;
            data.operation.for_each_operand(|operand| uses |= found.contains(&operand));
            found.extend(data.result.filter(|_| uses));
        }
        if found.len() == known {
            return found;
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
    fn find_same(&mut self, start: Block, at: Instruction, dominators: &Dominators<Block>) -> Option<Found> {
        let instructions = |block: Block| &self.kernel.blocks[block].instructions;
        let only_computes = |at: Instruction| {
            let operation = &self.kernel.instructions[at].operation;
            operation.is_computation() && !is_anything(operation)
        };
        // Whether a block whose values the test may use has the same ones again.
        let mut is_unchanged = true;
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
            is_unchanged &= !dominators.dominates(block, start) || self.kernel.blocks[block].parameters == arguments;
            if block == start {
                let unchanged = is_unchanged && self.kernel.blocks[start].parameters == arguments;
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
            if let Some(result) = data.result {
                // Nothing that an earlier visit to the block has told is kept.
                self.known.remove(&result);
                let value = self.computed(&data.operation, self.kernel.ty(result));
                self.known.extend(value.map(|value| (result, value)));
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
        match operation {
            Operation::Select(condition, a, b) => self.get(if self.get(*condition)?.is_zero() { *b } else { *a }),
            _ => operation.fold_known(|value| self.get(value), ty.width()?),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{parse, verify};

    /// A kernel with a test in `block2`, whose answer is `v3`, and these further lines.
    fn kernel(lines: &str) -> Kernel {
        let kernel = parse(&format!(
            "kernel \"k\" cuda pointers 64
arr0 = local parameter \"b\"
parameter \"b\" pointer arr0
entry block0

block0:
    v0: pointer(local) = array_base arr0
    v1: bv32 = constant 1bv32
    v2: bv32 = constant 0bv32
    jump block2(v1)

block1:
    return

block2(v10: bv32):
    v3: bool = phase test_parity v0 (v10)
{lines}"
        ))
        .expect("the kernel is well formed");
        verify(kernel.clone()).expect("the kernel keeps the rules");
        kernel
    }

    /// The number of waits, and that of tests that remain.
    fn counted(lines: &str) -> (usize, usize) {
        let kernel = recognise_waits(kernel(lines));
        verify(kernel.clone()).expect("the kernel keeps the rules");
        let count = |wanted: PhaseOp| {
            let is_one = |data: &&crate::kernel::InstructionData| matches!(data.operation, Operation::Phase { op, .. } if op == wanted);
            kernel.instructions.values().filter(is_one).count()
        };
        (count(PhaseOp::WaitParity), count(PhaseOp::TestParity))
    }

    #[test]
    fn loops_that_only_test_are_waits() {
        assert_eq!(counted("    branch v3, block1, block2(v10)\n"), (1, 0));
        // The answer as a number, and a block between.
        let by_number = "    v4: bv32 = select v3, v1, v2
    v5: bool = equal v4, v2
    branch v5, block3, block1

block3:
    jump block2(v10)
";
        assert_eq!(counted(by_number), (1, 0));
    }

    #[test]
    fn a_test_before_a_loop_is_part_of_the_wait() {
        let peeled = "    branch v3, block1, block3

block3:
    v4: bool = phase test_parity v0 (v10)
    branch v4, block1, block3
";
        assert_eq!(counted(peeled), (2, 0));
        // The loop waits for another phase.
        let of_other = peeled.replace("v0 (v10)", "v0 (v2)");
        assert_eq!(counted(&of_other), (1, 1));
    }

    #[test]
    fn loops_that_do_more_are_no_waits() {
        // The parity changes.
        let changes = "    v4: bv32 = xor v10, v1\n    branch v3, block1, block2(v4)\n";
        assert_eq!(counted(changes), (0, 1));
        // The thread stays while the phase is complete.
        assert_eq!(counted("    branch v3, block2(v10), block1\n"), (0, 1));
        // It does something else between.
        let arrives = "    branch v3, block1, block3

block3:
    v4: bv64 = phase arrive v0 ()
    jump block2(v10)
";
        assert_eq!(counted(arrives), (0, 1));
        // It goes on without an answer.
        assert_eq!(counted("    branch v3, block1, block1\n"), (0, 1));
    }
}
