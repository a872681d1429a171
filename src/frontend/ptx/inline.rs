//! Inline PTX: `asm volatile("..." : outputs : inputs : clobbers)`.
//!
//! The statements of the text are executed in order. Labels and branches are refused
//! unless they make a loop that waits for a phase object, and so are variables that the text
//! declares. An unknown statement is passed over only if it can have no effect: the assembly has no
//! results, does not say that it changes memory, and the statement neither names an address nor
//! synchronises.

use lockstep_ir::kernel::{ConvertOp, Language, Operation, Space, Type, Value};

use super::machine::{Machine, Register, bitcast};
use super::phases;
use super::read::{self, Instruction, Operand, Statement};
use crate::builder::{Builder, Lanes};
use crate::builtins::{Unsupported, addresses};

/// An assembly statement, as LLVM represents it.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The text: `mov.u32 $0, %laneid;`.
    pub template: String,
    /// The constraints of the operands: `=r,r,~{memory}`.
    pub constraints: String,
}

/// The constraint of an operand of the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Constraint {
    /// A register of this type; whether it is a result.
    Register(Type, bool),
    /// The register of the result with this number.
    Tied(usize),
    /// A number that is written into the text.
    Immediate,
}

/// Appends the meaning of an assembly statement. `results` has the type of each of its results.
pub fn assembly(
    builder: &mut Builder<'_>,
    assembly: &Assembly,
    arguments: &[Lanes],
    results: &[Type],
) -> Result<Lanes, Unsupported> {
    execute(builder, assembly, arguments, results).map_err(|Unsupported(what)| match what.strip_prefix("PTX ") {
        Some(rest) => Unsupported(format!("inline PTX {rest}")),
        None => Unsupported(what),
    })
}

fn execute(
    builder: &mut Builder<'_>,
    assembly: &Assembly,
    arguments: &[Lanes],
    results: &[Type],
) -> Result<Lanes, Unsupported> {
    let statements = phases::with_waits(&read::read(&assembly.template)?);
    let (constraints, changes_memory) = constraints(&assembly.constraints)?;
    let mut machine = Machine::new(builder);
    bind(&mut machine, &constraints, arguments)?;
    // Nothing is known of other machines' assembly.
    let is_ptx = machine.builder.kernel.language != Language::Hip;
    let may_pass_over = results.is_empty() && !changes_memory;
    for statement in statements {
        match statement {
            Statement::Open => machine.open(),
            Statement::Close => {
                if !machine.close() {
                    return Err(Unsupported("PTX with unmatched braces".into()));
                }
            }
            Statement::Register { ty, name, count } => machine.declare(&ty, &name, count)?,
            Statement::Wait(test) if is_ptx => phases::wait(&mut machine, &test)?,
            Statement::Instruction(instruction) => {
                if !machine.execute(&instruction)? {
                    if !is_ptx {
                        return Err(Unsupported(format!("inline assembly instruction {}", instruction.opcode)));
                    }
                    if !(may_pass_over && is_harmless(&instruction)) {
                        return Err(instruction.refused());
                    }
                    instruction.operands.iter().for_each(|operand| machine.forget(operand));
                }
            }
            // The reader makes these of whole files only.
            Statement::Label(name) => return Err(Unsupported(format!("PTX with the label {name}"))),
            Statement::Wait(_)
            | Statement::Targets(..)
            | Statement::Variable(_)
            | Statement::Place(_)
            | Statement::Unread(_) => return Err(Unsupported("PTX statement of a whole file".into())),
        }
    }
    let mut outputs = Vec::new();
    for (constraint, register) in constraints.iter().zip(&machine.given) {
        if matches!(constraint, Constraint::Register(_, true)) {
            outputs.push(machine.registers[*register]);
        }
    }
    if outputs.len() != results.len() {
        return Err(Unsupported("inline assembly with results of several parts".into()));
    }
    outputs.into_iter().zip(results).map(|(register, ty)| result(&mut machine, register, *ty)).collect()
}

/// Whether an unknown instruction shows no sign of accessing memory or waiting.
fn is_harmless(instruction: &Instruction) -> bool {
    const OTHERS: [&str; 12] = [
        "bar",
        "barrier",
        "bra",
        "brx",
        "call",
        "clusterlaunchcontrol",
        "cp",
        "fence",
        "mbarrier",
        "membar",
        "ret",
        "wgmma",
    ];
    let (name, words) = instruction.words();
    let address = |operand: &Operand| matches!(operand, Operand::Address(..) | Operand::OtherAddress);
    let waits = OTHERS.contains(&name) || name.starts_with("tcgen05") || words.contains(&"sync");
    !waits && !instruction.operands.iter().any(address)
}

/// The operands that a list of constraints declares, and whether the statement changes memory.
fn constraints(list: &str) -> Result<(Vec<Constraint>, bool), Unsupported> {
    let mut operands = Vec::new();
    let mut changes_memory = false;
    for constraint in list.split(',').filter(|constraint| !constraint.is_empty()) {
        if constraint.starts_with('~') {
            changes_memory |= constraint == "~{memory}";
            continue;
        }
        let is_result = constraint.starts_with('=');
        let kind = constraint.trim_start_matches(['=', '&', '%']);
        operands.push(match kind {
            "h" => Constraint::Register(Type::Bits(16), is_result),
            "r" | "f" => Constraint::Register(Type::Bits(32), is_result),
            "l" | "d" => Constraint::Register(Type::Bits(64), is_result),
            "q" => Constraint::Register(Type::Bits(128), is_result),
            "n" | "i" => Constraint::Immediate,
            _ => match kind.parse() {
                Ok(number) => Constraint::Tied(number),
                Err(_) => return Err(Unsupported(format!("inline assembly with the constraint {constraint}"))),
            },
        });
    }
    Ok((operands, changes_memory))
}

/// Gives every operand of the statement its register, and the register its value.
fn bind(machine: &mut Machine, constraints: &[Constraint], arguments: &[Lanes]) -> Result<(), Unsupported> {
    let ill_typed = || Unsupported("inline assembly with operands of other types than its constraints".into());
    let mut arguments = arguments.iter();
    for constraint in constraints {
        let register = match *constraint {
            Constraint::Register(ty, _) => machine.add_register(ty),
            Constraint::Tied(number) => *machine.given.get(number).ok_or_else(ill_typed)?,
            Constraint::Immediate => machine.add_register(Type::Bits(64)),
        };
        machine.given.push(register);
        if matches!(constraint, Constraint::Register(_, true)) {
            continue;
        }
        let Some(&[value]) = arguments.next().map(Vec::as_slice) else { return Err(ill_typed()) };
        if *constraint == Constraint::Immediate {
            if machine.builder.kernel.constant(value).is_none() {
                return Err(ill_typed());
            }
            let ty = machine.builder.ty(value);
            machine.registers[register] = Register { ty, value: Some(value), immediate: true };
            continue;
        }
        let wanted = machine.registers[register].ty;
        let ty = machine.builder.ty(value);
        let value = match ty {
            Type::Pointer(_) => value,
            _ if ty.width() == wanted.width() => bitcast(machine.builder, value, wanted),
            _ => return Err(ill_typed()),
        };
        machine.registers[register].value = Some(value);
    }
    Ok(())
}

/// The final contents of a register, in the type of the statement's result.
fn result(machine: &mut Machine, register: Register, ty: Type) -> Result<Value, Unsupported> {
    let Some(value) = register.value else { return Ok(crate::cuda::anything(machine.builder, ty)) };
    let builder = &mut *machine.builder;
    let found = builder.ty(value);
    if found == ty {
        return Ok(value);
    }
    Ok(match (found, ty) {
        (Type::Pointer(_), Type::Pointer(Space::Generic)) => builder.append(Operation::SpaceCast(value), ty),
        (Type::Pointer(_), Type::Bits(width)) => {
            let offset = builder.kernel.offset_type();
            let number = builder.append(Operation::PointerToInteger(value), offset);
            builder.resized(number, width, ConvertOp::ZeroExtend)
        }
        (Type::Bits(64), Type::Pointer(_)) => addresses::pointer_behind(builder, value, ty)
            .unwrap_or_else(|| builder.append(Operation::IntegerToPointer(value), ty)),
        (found, ty) if found.width().is_some() && found.width() == ty.width() => bitcast(builder, value, ty),
        _ => return Err(Unsupported("inline assembly with a result of another type than its constraint".into())),
    })
}
