//! The registers of inline PTX, their contents, and the reading and writing of operands.
//!
//! A register holds a bit-vector of its width, a Boolean (a predicate), or a pointer. A pointer
//! that is only moved stays the same pointer. An unwritten register holds anything.

use std::collections::HashMap;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Block, ConvertOp, FloatType, Operation, Target, Terminator, Type, UnaryOp, Value};

use super::read::{Float, Instruction, Operand};
use super::types::PtxType;
use super::{computation, effect};
use crate::builder::Builder;
use crate::builtins::Unsupported;
use crate::cuda::{anything, nvvm};

/// The most registers that one name may declare.
const MOST_REGISTERS: u32 = 4096;

/// The register that holds the carry of additions and the borrow of subtractions.
pub const CARRY: usize = 0;

/// A register.
#[derive(Clone, Copy, Debug)]
pub struct Register {
    /// The type of its contents: a Boolean, or a bit-vector.
    pub ty: Type,
    /// Its contents; `None` for anything.
    pub value: Option<Value>,
    /// Whether it is an immediate number, which has any width.
    pub immediate: bool,
}

/// The state of reading an assembly statement.
pub struct Machine<'call, 'kernel> {
    /// Where instructions are appended.
    pub builder: &'call mut Builder<'kernel>,
    /// The registers: the carry, the statement's operands, and the declared ones.
    pub registers: Vec<Register>,
    /// The registers of the statement's operands.
    pub given: Vec<usize>,
    /// The declared names, by nesting.
    pub scopes: Vec<HashMap<String, usize>>,
    /// The way in which the thread has ended in the current block.
    pub end: Option<Terminator>,
}

impl Machine<'_, '_> {
    /// Adds a register that holds anything.
    pub fn add_register(&mut self, ty: Type) -> usize {
        self.registers.push(Register { ty, value: None, immediate: false });
        self.registers.len() - 1
    }

    /// Declares registers.
    pub fn declare(&mut self, ty: &str, name: &str, count: Option<u32>) -> Result<(), Unsupported> {
        let refused = || Unsupported(format!("inline PTX register of type {ty}"));
        let ty = match PtxType::parse(ty).ok_or_else(refused)? {
            PtxType { width: 1, .. } => Type::Bool,
            PtxType { width, .. } => Type::Bits(width),
        };
        let names: Vec<String> = match count {
            None => vec![name.to_owned()],
            Some(count) if count <= MOST_REGISTERS => (0..count).map(|index| format!("{name}{index}")).collect(),
            Some(_) => return Err(refused()),
        };
        for name in names {
            let register = self.add_register(ty);
            if let Some(scope) = self.scopes.last_mut() {
                scope.insert(name, register);
            }
        }
        Ok(())
    }

    /// The register that an operand names.
    fn register(&self, operand: &Operand) -> Result<usize, Unsupported> {
        match operand {
            Operand::Given(number) => self.given.get(*number).copied(),
            Operand::Name(name) => self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied(),
            _ => None,
        }
        .ok_or_else(|| Unsupported(format!("inline PTX operand {}", shown(operand))))
    }

    /// Executes an instruction if its guard holds. `Ok(false)` for an unknown one.
    pub fn execute(&mut self, instruction: &Instruction) -> Result<bool, Unsupported> {
        let Some((guard, negated)) = &instruction.guard else {
            return self.execute_always(instruction);
        };
        let mut condition = self.predicate(guard)?;
        if *negated {
            condition = self.builder.unary(UnaryOp::Not, condition);
        }
        let before = self.registers.clone();
        if computation(self, instruction)? {
            self.choose(condition, &before);
            return Ok(true);
        }
        self.branch(condition, &before, instruction)
    }

    fn execute_always(&mut self, instruction: &Instruction) -> Result<bool, Unsupported> {
        if computation(self, instruction)? {
            return Ok(true);
        }
        if !effect(self, instruction)? {
            return Ok(false);
        }
        if let Some(how) = self.end.take() {
            // The code after the end is never reached, which shows where the condition is.
            let always = self.builder.boolean(true);
            let (end, after) = (self.builder.kernel.add_block(), self.builder.kernel.add_block());
            let then = Target { block: end, arguments: Vec::new() };
            let otherwise = Target { block: after, arguments: Vec::new() };
            self.end_block(end, how);
            self.end_block(self.builder.block, Terminator::Branch { condition: always, then, otherwise });
            self.builder.block = after;
        }
        Ok(true)
    }

    /// Keeps the former contents of registers where a condition does not hold.
    fn choose(&mut self, condition: Value, before: &[Register]) {
        for (index, &old) in before.iter().enumerate() {
            let new = self.registers[index];
            if old.value != new.value {
                let [new, old] = self.alike([new, old]);
                self.registers[index].value = Some(self.builder.select(condition, new, old));
            }
        }
    }

    /// Two contents of a register as values of one type.
    fn alike(&mut self, registers: [Register; 2]) -> [Value; 2] {
        let types = registers.map(|register| register.value.map(|value| self.builder.ty(value)));
        match (registers[0].value, registers[1].value) {
            (Some(a), Some(b)) if types[0] == types[1] => [a, b],
            _ => registers.map(|register| self.number_in(register)),
        }
    }

    /// Executes an instruction in a block of its own.
    fn branch(
        &mut self,
        condition: Value,
        before: &[Register],
        instruction: &Instruction,
    ) -> Result<bool, Unsupported> {
        let start = self.builder.block;
        let (inside, after) = (self.builder.kernel.add_block(), self.builder.kernel.add_block());
        self.builder.block = inside;
        let known = effect(self, instruction)?;
        let mut then = Target { block: after, arguments: Vec::new() };
        let mut otherwise = then.clone();
        let end = self.builder.block;
        for (index, &old) in before.iter().enumerate() {
            let new = self.registers[index];
            if old.value != new.value {
                let value = self.number_in(new);
                then.arguments.push(value);
                self.builder.block = start;
                let value = self.number_in(old);
                otherwise.arguments.push(value);
                self.builder.block = end;
                let ty = self.builder.ty(value);
                self.registers[index].value = Some(self.builder.kernel.add_parameter(after, ty, None));
            }
        }
        let last = self.end.take().unwrap_or(Terminator::Jump(then));
        self.end_block(end, last);
        let then = Target { block: inside, arguments: Vec::new() };
        self.end_block(start, Terminator::Branch { condition, then, otherwise });
        self.builder.block = after;
        Ok(known)
    }

    fn end_block(&mut self, block: Block, terminator: Terminator) {
        let location = self.builder.location;
        let data = &mut self.builder.kernel.blocks[block];
        data.terminator = terminator;
        data.location = location;
    }

    // --- Reading ---------------------------------------------------------------------------------

    /// The contents of a register, as a bit-vector or a Boolean.
    fn number_in(&mut self, register: Register) -> Value {
        match register.value {
            None => anything(self.builder, register.ty),
            Some(pointer) if matches!(self.builder.ty(pointer), Type::Pointer(_)) => {
                let ty = self.builder.kernel.offset_type();
                let number = self.builder.append(Operation::PointerToInteger(pointer), ty);
                resized(self.builder, number, register.ty.width().unwrap_or(64), ConvertOp::ZeroExtend)
            }
            Some(value) => value,
        }
    }

    /// The width of an operand; `None` for an immediate number and for a special register.
    pub fn width(&self, operand: &Operand) -> Option<u32> {
        let register = self.registers[self.register(operand).ok()?];
        register.ty.width().filter(|_| !register.immediate)
    }

    /// Whether an operand is a predicate.
    pub fn is_predicate(&self, operand: &Operand) -> bool {
        self.register(operand).is_ok_and(|register| self.registers[register].ty == Type::Bool)
    }

    /// The low bits of an operand.
    pub fn number(&mut self, operand: &Operand, width: u32) -> Result<Value, Unsupported> {
        match operand {
            Operand::Integer(number) => Ok(self.builder.bits(Bits::from_signed(width, *number))),
            Operand::Float(float) => self.float_bits(*float, width),
            Operand::Name(name) if self.register(operand).is_err() => self.special(name, width),
            _ => {
                let register = self.registers[self.register(operand)?];
                let value = self.number_in(register);
                let found = self.builder.ty(value).width().unwrap_or(width);
                if register.immediate
                    && let Some(bits) = self.builder.kernel.constant(value).cloned()
                {
                    let resized = if found > width { bits.extract(width - 1, 0) } else { bits.sign_extend(width) };
                    return Ok(self.builder.bits(resized));
                }
                if found < width || register.ty == Type::Bool {
                    return Err(Unsupported(format!("inline PTX operand of {found} bits where {width} are expected")));
                }
                Ok(resized(self.builder, value, width, ConvertOp::ZeroExtend))
            }
        }
    }

    fn float_bits(&mut self, float: Float, width: u32) -> Result<Value, Unsupported> {
        #[expect(clippy::cast_possible_truncation, reason = "the nearest float is what is meant")]
        let bits = match (float, width) {
            (Float::Single(bits), 32) => u64::from(bits),
            (Float::Double(bits), 64) => bits,
            (Float::Double(bits), 32) => u64::from((f64::from_bits(bits) as f32).to_bits()),
            (Float::Single(bits), 64) => f64::from(f32::from_bits(bits)).to_bits(),
            (Float::Decimal(number), 32) => u64::from((number as f32).to_bits()),
            (Float::Decimal(number), 64) => number.to_bits(),
            _ => return Err(Unsupported(format!("inline PTX float of {width} bits"))),
        };
        Ok(self.builder.number(width, bits))
    }

    /// The carry, which another assembly statement may have left.
    pub fn carry(&mut self) -> Value {
        self.number_in(self.registers[CARRY])
    }

    /// A special register, or a constant with a name.
    fn special(&mut self, name: &str, width: u32) -> Result<Value, Unsupported> {
        if name == "WARP_SZ" {
            return Ok(self.builder.number(width, 32));
        }
        let unknown = || Unsupported(format!("inline PTX operand {name}"));
        let register = name.strip_prefix('%').ok_or_else(unknown)?;
        let register = register.replacen("lanemask_", "lanemask.", 1);
        let own = if matches!(register.as_str(), "clock64" | "globaltimer" | "gridid") { 64 } else { 32 };
        let lanes = nvvm::special_register(self.builder, &register, &[Type::Bits(own)])?;
        let &[value] = lanes.as_slice() else { return Err(unknown()) };
        Ok(resized(self.builder, value, width, ConvertOp::ZeroExtend))
    }

    /// An operand as a float of this format.
    pub fn float(&mut self, operand: &Operand, float: FloatType) -> Result<Value, Unsupported> {
        let bits = self.number(operand, float.width())?;
        Ok(bitcast(self.builder, bits, Type::Float(float)))
    }

    /// A predicate.
    pub fn predicate(&mut self, operand: &Operand) -> Result<Value, Unsupported> {
        if let Operand::Not(operand) = operand {
            let value = self.predicate(operand)?;
            return Ok(self.builder.unary(UnaryOp::Not, value));
        }
        if let Operand::Integer(number) = operand {
            return Ok(self.builder.boolean(*number != 0));
        }
        let register = self.registers[self.register(operand)?];
        if register.ty != Type::Bool {
            return Err(Unsupported(format!("inline PTX predicate {}", shown(operand))));
        }
        Ok(self.number_in(register))
    }

    /// An operand as it is: all bits of a register, a predicate, or this many bits of a number.
    pub fn whole(&mut self, operand: &Operand, width: u32) -> Result<Value, Unsupported> {
        if matches!(operand, Operand::Not(_)) || self.is_predicate(operand) {
            return self.predicate(operand);
        }
        let width = self.width(operand).unwrap_or(width);
        self.number(operand, width)
    }

    /// The contents of a register, which may be a pointer; `None` if nothing is known of them.
    pub fn content(&self, operand: &Operand) -> Result<Option<Value>, Unsupported> {
        Ok(self.registers[self.register(operand)?].value)
    }

    /// The value of an immediate operand.
    pub fn constant(&self, operand: &Operand) -> Option<i128> {
        if let Operand::Integer(number) = operand {
            return Some(*number);
        }
        let value = self.content(operand).ok()??;
        i128::try_from(self.builder.kernel.constant(value)?.signed()).ok()
    }

    // --- Writing ---------------------------------------------------------------------------------

    /// Writes a register; one that is wider than the value is filled by this conversion.
    pub fn write(&mut self, target: &Operand, value: Value, extension: ConvertOp) -> Result<(), Unsupported> {
        if matches!(target, Operand::Name(name) if name == "_") {
            return Ok(());
        }
        let index = self.register(target)?;
        let register = self.registers[index];
        let wrong = || Unsupported(format!("inline PTX result {} of another type", shown(target)));
        if register.immediate {
            return Err(wrong());
        }
        let value = match (self.builder.ty(value), register.ty) {
            (Type::Pointer(_), Type::Bits(_)) => value,
            (found, wanted) if found == wanted => value,
            (Type::Float(float), Type::Bits(_)) => {
                let bits = bitcast(self.builder, value, Type::Bits(float.width()));
                return self.write(target, bits, extension);
            }
            (Type::Bits(found), Type::Bits(wanted)) if found < wanted => {
                resized(self.builder, value, wanted, extension)
            }
            _ => return Err(wrong()),
        };
        self.registers[index].value = Some(value);
        Ok(())
    }

    /// Writes a bit-vector, a predicate or a float into a register that is as wide.
    pub fn set(&mut self, target: &Operand, value: Value) -> Result<(), Unsupported> {
        self.write(target, value, ConvertOp::ZeroExtend)
    }

    /// Lets the registers of an operand hold anything.
    pub fn forget(&mut self, operand: &Operand) {
        match operand {
            Operand::Given(_) | Operand::Name(_) => {
                if let Ok(register) = self.register(operand)
                    && !self.registers[register].immediate
                {
                    self.registers[register].value = None;
                }
            }
            Operand::Vector(parts) => parts.iter().for_each(|part| self.forget(part)),
            Operand::Pair(first, second) => [first, second].into_iter().for_each(|part| self.forget(part)),
            Operand::Integer(_)
            | Operand::Float(_)
            | Operand::Address(..)
            | Operand::Not(_)
            | Operand::OtherAddress => {}
        }
    }
}

/// A value as another type of the same width, or the value that it was made from in the same way.
pub fn bitcast(builder: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    match builder.kernel.operation(value) {
        Some(&Operation::Convert(ConvertOp::Bitcast, from)) if builder.ty(from) == ty => from,
        _ => builder.convert(ConvertOp::Bitcast, value, ty),
    }
}

/// A bit-vector of another width.
pub fn resized(builder: &mut Builder<'_>, value: Value, width: u32, widen: ConvertOp) -> Value {
    let found = builder.ty(value).width().unwrap_or(width);
    let op = if found > width { ConvertOp::Truncate } else { widen };
    builder.convert(op, value, Type::Bits(width))
}

/// An operand as the source writes it.
fn shown(operand: &Operand) -> String {
    match operand {
        Operand::Given(number) => format!("%{number}"),
        Operand::Name(name) => name.clone(),
        other => format!("{other:?}"),
    }
}
