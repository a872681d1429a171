//! Barriers in shared memory: `mbarrier`.
//!
//! An arrival releases, and a wait acquires, what the threads of the group have done, unless the
//! instruction says `relaxed`, which is refused. Forms that count other things than arrivals are
//! refused as well: bytes (`expect_tx`), arrivals that take part no longer (`arrive_drop`), those
//! that do not complete a phase (`noComplete`), and those at barriers of other groups.

use lockstep_ir::kernel::{ConvertOp, Operation, PhaseOp, Space, Type, Value};

use super::machine::Machine;
use super::memory::{pointer, space_of};
use super::read::{Instruction, Operand, Statement};
use crate::builtins::Unsupported;

/// Appends one of these instructions. `Ok(false)` for an unknown one.
pub fn expand(machine: &mut Machine, instruction: &Instruction) -> Result<bool, Unsupported> {
    let ("mbarrier", words) = instruction.words() else { return Ok(false) };
    let Some((&what, words)) = words.split_first() else { return Ok(false) };
    let Some(form) = Form::parse(words) else { return Ok(false) };
    match what {
        "init" => {
            let object = object(machine, instruction, 0, &form)?;
            let count = machine.number(instruction.operand(1)?, 32)?;
            machine.builder.append_effect(Operation::Phase { op: PhaseOp::Initialise, object, operands: vec![count] });
        }
        "arrive" => {
            let object = object(machine, instruction, 1, &form)?;
            let count = instruction.operands.get(2).map(|count| machine.number(count, 32)).transpose()?;
            let arrive = Operation::Phase { op: PhaseOp::Arrive, object, operands: count.into_iter().collect() };
            let token = machine.builder.append(arrive, Type::Bits(64));
            machine.set(instruction.operand(0)?, token)?;
        }
        "test_wait" | "try_wait" => {
            let (object, operand) = waited(machine, instruction, &form)?;
            let op = if form.parity { PhaseOp::TestParity } else { PhaseOp::Test };
            let test = Operation::Phase { op, object, operands: vec![operand] };
            let is_complete = machine.builder.append(test, Type::Bool);
            machine.set(instruction.operand(0)?, is_complete)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Appends the wait that a loop around a test makes.
pub fn wait(machine: &mut Machine, test: &Instruction) -> Result<(), Unsupported> {
    let (_, words) = test.words();
    let form = Form::parse(&words[1..]).ok_or_else(|| test.refused())?;
    let (object, operand) = waited(machine, test, &form)?;
    let op = if form.parity { PhaseOp::WaitParity } else { PhaseOp::Wait };
    machine.builder.append_effect(Operation::Phase { op, object, operands: vec![operand] });
    let yes = machine.builder.boolean(true);
    machine.set(test.operand(0)?, yes)
}

/// The meaning of the words of an opcode.
struct Form {
    space: Option<Space>,
    parity: bool,
}

impl Form {
    fn parse(words: &[&str]) -> Option<Self> {
        let mut form = Self { space: None, parity: false };
        for &word in words {
            match word {
                "parity" => form.parity = true,
                "release" | "acquire" | "cta" | "cluster" | "b64" => {}
                "shared" | "shared::cta" => form.space = space_of(word),
                _ => return None,
            }
        }
        Some(form)
    }
}

fn object(machine: &mut Machine, instruction: &Instruction, at: usize, form: &Form) -> Result<Value, Unsupported> {
    let operand = instruction.operand(at)?;
    pointer(machine, instruction, operand, form.space)
}

/// The phase object that is waited for, and the token or parity. A limit of the time that one try
/// takes decides nothing.
fn waited(machine: &mut Machine, instruction: &Instruction, form: &Form) -> Result<(Value, Value), Unsupported> {
    let object = object(machine, instruction, 1, form)?;
    let width = if form.parity { 32 } else { 64 };
    let operand = machine.number(instruction.operand(2)?, width)?;
    Ok((object, machine.builder.resized(operand, width, ConvertOp::ZeroExtend)))
}

/// The statements, in which a loop that does nothing but test a phase object is one statement.
///
/// The loops are `WAIT: test p; @!p bra WAIT;` and `WAIT: test p; @p bra DONE; bra WAIT; DONE:`.
pub fn with_waits(statements: &[Statement]) -> Vec<Statement> {
    let mut result = Vec::new();
    let mut rest = statements;
    while let Some((first, others)) = rest.split_first() {
        if let Some((wait, length)) = loop_at(rest) {
            result.push(wait);
            rest = &rest[length..];
        } else {
            result.push(first.clone());
            rest = others;
        }
    }
    result
}

/// The wait that the statements begin with, and the number of statements that it takes.
fn loop_at(statements: &[Statement]) -> Option<(Statement, usize)> {
    let [Statement::Label(start), Statement::Instruction(test), rest @ ..] = statements else { return None };
    let is_test = ["mbarrier.test_wait.", "mbarrier.try_wait."].iter().any(|name| test.opcode.starts_with(name));
    let tested = test.operands.first()?;
    if !is_test || test.guard.is_some() {
        return None;
    }
    // The label to which a branch leads if the test has, or has not, succeeded.
    let branch = |statement: &Statement, negated: Option<bool>| match statement {
        Statement::Instruction(Instruction { guard, opcode, operands }) => {
            let fits = match (guard, negated) {
                (None, None) => true,
                (Some((guard, is_negated)), Some(negated)) => guard == tested && *is_negated == negated,
                _ => false,
            };
            let [Operand::Name(label)] = operands.as_slice() else { return None };
            (fits && matches!(opcode.as_str(), "bra" | "bra.uni")).then(|| label.clone())
        }
        _ => None,
    };
    let wait = Statement::Wait(test.clone());
    match rest {
        [back, ..] if branch(back, Some(true)).as_ref() == Some(start) => Some((wait, 3)),
        [out, back, Statement::Label(end), ..]
            if branch(out, Some(false)).as_ref() == Some(end) && branch(back, None).as_ref() == Some(start) =>
        {
            Some((wait, 5))
        }
        _ => None,
    }
}
