//! The registers of PTX, their contents, and the reading and writing of operands.
//!
//! A register holds a bit-vector of its width, a Boolean (a predicate), or a pointer. A pointer
//! stays one as long as numbers are added to it ([`super::pointers`]). An unwritten register holds
//! anything.

use std::collections::HashMap;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    Array, Block, ConvertOp, FloatType, Operation, Space, Target, Terminator, Type, UnaryOp, Value,
};

use super::read::{Float, Instruction, Operand};
use super::taint::Taint;
use super::types::PtxType;
use super::{computation, effect};
use crate::builder::Builder;
use crate::builtins::Unsupported;
use crate::cuda::{anything, nvvm};

/// The most registers that one name may declare.
const MOST_REGISTERS: u32 = 4096;

/// Special registers of which nothing is known: each read gives any value.
const UNKNOWN_REGISTERS: [&str; 9] = [
    "aggr_smem_size",
    "cluster_ctaid",
    "cluster_ctarank",
    "cluster_nctaid",
    "cluster_nctarank",
    "clusterid",
    "is_explicit_cluster",
    "nclusterid",
    "reserved_smem_offset_begin",
];

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

/// A variable that an operand may name.
#[derive(Clone, Debug)]
pub enum Symbol {
    /// A variable in memory.
    Array(Array),
    /// A variable or parameter without an address; the name.
    Other(String),
}

/// The state of executing statements.
pub struct Machine<'call, 'kernel> {
    /// Where instructions are appended.
    pub builder: &'call mut Builder<'kernel>,
    /// The registers: the carry, the statement's operands, and the declared ones.
    pub registers: Vec<Register>,
    /// The registers of an assembly statement's operands.
    pub given: Vec<usize>,
    /// The variables of a whole file.
    pub symbols: Vec<Symbol>,
    /// The declared names, by nesting.
    scopes: Vec<HashMap<String, usize>>,
    /// The way in which the thread has ended in the current block.
    pub end: Option<Terminator>,
    /// The former contents of the registers that were written, in order.
    pub journal: Vec<(usize, Register)>,
    /// The values that are computed from addresses.
    pub taint: Taint,
    /// Whether an address whose array is not known may lead anywhere; otherwise it is refused.
    pub follows_all: bool,
    /// The accesses at numbers that no pointer was found for, and `cvta`s of pointers.
    pub seen: Seen,
}

/// Facts about addresses that a whole kernel's lowering collects.
#[derive(Debug, Default)]
pub struct Seen {
    /// Numbers that were used as addresses.
    pub numbers: Vec<Value>,
    /// Pointers that were used as addresses.
    pub pointers: Vec<Value>,
    /// Pointers that were converted between address spaces.
    pub converted: Vec<Value>,
}

impl<'call, 'kernel> Machine<'call, 'kernel> {
    /// A machine with the carry as its only register.
    pub fn new(builder: &'call mut Builder<'kernel>) -> Self {
        let mut machine = Self {
            builder,
            registers: Vec::new(),
            given: Vec::new(),
            symbols: Vec::new(),
            scopes: vec![HashMap::new()],
            end: None,
            journal: Vec::new(),
            taint: Taint::default(),
            follows_all: false,
            seen: Seen::default(),
        };
        machine.add_register(Type::Bool);
        machine
    }
}

impl Machine<'_, '_> {
    /// Adds a register that holds anything.
    pub fn add_register(&mut self, ty: Type) -> usize {
        self.registers.push(Register { ty, value: None, immediate: false });
        self.registers.len() - 1
    }

    /// Enters a block: names declared from here on belong to it.
    pub fn open(&mut self) {
        self.scopes.push(HashMap::new());
    }

    /// Leaves a block. False if there is none.
    pub fn close(&mut self) -> bool {
        self.scopes.len() > 1 && self.scopes.pop().is_some()
    }

    /// Writes a register.
    pub fn put(&mut self, index: usize, value: Option<Value>) {
        self.journal.push((index, self.registers[index]));
        self.registers[index].value = value;
    }

    /// The registers written since this place of the journal, with their contents before.
    fn written_since(&self, mark: usize) -> Vec<(usize, Register)> {
        let mut written: Vec<(usize, Register)> = Vec::new();
        for &(index, before) in &self.journal[mark..] {
            if !written.iter().any(|(known, _)| *known == index) {
                written.push((index, before));
            }
        }
        written.retain(|(index, before)| before.value != self.registers[*index].value);
        written
    }

    /// Declares registers.
    pub fn declare(&mut self, ty: &str, name: &str, count: Option<u32>) -> Result<(), Unsupported> {
        let refused = || Unsupported(format!("PTX register of type {ty}"));
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
            Operand::Register(index) => Some(*index),
            Operand::Name(name) => self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied(),
            _ => None,
        }
        .ok_or_else(|| Unsupported(format!("PTX operand {}", shown(operand))))
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
        let mark = self.journal.len();
        if computation(self, instruction)? {
            self.choose(condition, mark);
            return Ok(true);
        }
        self.branch(condition, mark, instruction)
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
    fn choose(&mut self, condition: Value, mark: usize) {
        for (index, old) in self.written_since(mark) {
            let new = self.registers[index];
            let [new, old] = self.alike([new, old]);
            let chosen = self.builder.select(condition, new, old);
            self.put(index, Some(chosen));
        }
    }

    /// Two contents of a register as values of one type.
    fn alike(&mut self, registers: [Register; 2]) -> [Value; 2] {
        match registers.map(|register| register.value) {
            [Some(a), Some(b)] if self.builder.ty(a) == self.builder.ty(b) => [a, b],
            _ => registers.map(|register| self.number_in(register)),
        }
    }

    /// Executes an instruction in a block of its own.
    fn branch(&mut self, condition: Value, mark: usize, instruction: &Instruction) -> Result<bool, Unsupported> {
        let start = self.builder.block;
        let (inside, after) = (self.builder.kernel.add_block(), self.builder.kernel.add_block());
        self.builder.block = inside;
        let known = effect(self, instruction)?;
        let mut then = Target { block: after, arguments: Vec::new() };
        let mut otherwise = then.clone();
        let end = self.builder.block;
        for (index, old) in self.written_since(mark) {
            let new = self.registers[index];
            let [new, old] = self.alike_at([(new, end), (old, start)]);
            then.arguments.push(new);
            otherwise.arguments.push(old);
            let ty = self.builder.ty(new);
            let merged = self.builder.kernel.add_parameter(after, ty, None);
            if [new, old].into_iter().any(|value| self.taint.of(self.builder.kernel, value)) {
                self.taint.mark(merged);
            }
            self.put(index, Some(merged));
        }
        self.builder.block = end;
        let last = self.end.take().unwrap_or(Terminator::Jump(then));
        self.end_block(end, last);
        let then = Target { block: inside, arguments: Vec::new() };
        self.end_block(start, Terminator::Branch { condition, then, otherwise });
        self.builder.block = after;
        Ok(known)
    }

    /// Two contents of a register as values of one type, each computed at the end of its block.
    fn alike_at(&mut self, contents: [(Register, Block); 2]) -> [Value; 2] {
        if let [Some(a), Some(b)] = contents.map(|(register, _)| register.value)
            && self.builder.ty(a) == self.builder.ty(b)
        {
            return [a, b];
        }
        contents.map(|(register, block)| {
            self.builder.block = block;
            self.number_in(register)
        })
    }

    /// Ends a block.
    pub fn end_block(&mut self, block: Block, terminator: Terminator) {
        let location = self.builder.location;
        let data = &mut self.builder.kernel.blocks[block];
        data.terminator = terminator;
        data.location = location;
    }

    // --- Reading ---------------------------------------------------------------------------------

    /// The contents of a register, as a bit-vector or a Boolean.
    pub fn number_in(&mut self, register: Register) -> Value {
        match register.value {
            None => anything(self.builder, register.ty),
            Some(pointer) if matches!(self.builder.ty(pointer), Type::Pointer(_)) => {
                let ty = self.builder.kernel.offset_type();
                let number = self.builder.append(Operation::PointerToInteger(pointer), ty);
                self.builder.resized(number, register.ty.width().unwrap_or(64), ConvertOp::ZeroExtend)
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
            Operand::Symbol(_) => {
                let content = self.content(operand)?;
                let ty = self.builder.kernel.offset_type();
                let number = self.number_in(Register { ty, value: content, immediate: false });
                Ok(self.builder.resized(number, width, ConvertOp::ZeroExtend))
            }
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
                    return Err(Unsupported(format!("PTX operand of {found} bits where {width} are expected")));
                }
                Ok(self.builder.resized(value, width, ConvertOp::ZeroExtend))
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
            _ => return Err(Unsupported(format!("PTX float of {width} bits"))),
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
        let unknown = || Unsupported(format!("PTX operand {name}"));
        let register = name.strip_prefix('%').ok_or_else(unknown)?;
        let register = register.replacen("lanemask_", "lanemask.", 1);
        let is_of_environment = register.strip_prefix("envreg").is_some_and(|number| number.parse::<u8>().is_ok());
        if is_of_environment || UNKNOWN_REGISTERS.contains(&register.split('.').next().unwrap_or_default()) {
            return Ok(anything(self.builder, Type::Bits(width)));
        }
        let own = if matches!(register.as_str(), "clock64" | "globaltimer" | "gridid") { 64 } else { 32 };
        let lanes = nvvm::special_register(self.builder, &register, &[Type::Bits(own)])?;
        let &[value] = lanes.as_slice() else { return Err(unknown()) };
        Ok(self.builder.resized(value, width, ConvertOp::ZeroExtend))
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
            return Err(Unsupported(format!("PTX predicate {}", shown(operand))));
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
    pub fn content(&mut self, operand: &Operand) -> Result<Option<Value>, Unsupported> {
        if let Operand::Symbol(index) = operand {
            let symbol = self.symbols.get(*index).cloned();
            return match symbol {
                Some(Symbol::Array(array)) => {
                    let space = self.builder.kernel.arrays[array].space;
                    Ok(Some(self.builder.append(Operation::ArrayBase(array), Type::Pointer(space))))
                }
                Some(Symbol::Other(name)) => Err(Unsupported(format!("PTX operand {name}"))),
                None => Err(Unsupported("PTX operand".into())),
            };
        }
        Ok(self.registers[self.register(operand)?].value)
    }

    /// The pointer that an operand is; `None` for a number.
    ///
    /// A number of 32 bits is the address of shared memory only, where pointers have 64.
    pub fn pointer_of(&mut self, operand: &Operand, width: u32) -> Option<Value> {
        if !matches!(operand, Operand::Symbol(_) | Operand::Register(_) | Operand::Given(_) | Operand::Name(_)) {
            return None;
        }
        let value = self.content(operand).ok()??;
        let Type::Pointer(space) = self.builder.ty(value) else { return None };
        (width == self.builder.kernel.pointer_bits || width == 32 && space == Space::Local).then_some(value)
    }

    /// The value of an immediate operand.
    pub fn constant(&self, operand: &Operand) -> Option<i128> {
        if let Operand::Integer(number) = operand {
            return Some(*number);
        }
        let value = self.registers[self.register(operand).ok()?].value?;
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
        let wrong = || Unsupported(format!("PTX result {} of another type", shown(target)));
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
            (Type::Bits(found), Type::Bits(wanted)) if found < wanted => self.builder.resized(value, wanted, extension),
            _ => return Err(wrong()),
        };
        self.put(index, Some(value));
        Ok(())
    }

    /// Writes a bit-vector, a predicate or a float into a register that is as wide.
    pub fn set(&mut self, target: &Operand, value: Value) -> Result<(), Unsupported> {
        self.write(target, value, ConvertOp::ZeroExtend)
    }

    /// Lets the registers of an operand hold anything.
    pub fn forget(&mut self, operand: &Operand) {
        match operand {
            Operand::Given(_) | Operand::Name(_) | Operand::Register(_) => {
                if let Ok(register) = self.register(operand)
                    && !self.registers[register].immediate
                {
                    self.put(register, None);
                }
            }
            Operand::Vector(parts) | Operand::Group(parts) => parts.iter().for_each(|part| self.forget(part)),
            Operand::Pair(first, second) => [first, second].into_iter().for_each(|part| self.forget(part)),
            Operand::Integer(_)
            | Operand::Float(_)
            | Operand::Address(..)
            | Operand::Not(_)
            | Operand::Symbol(_)
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

/// An operand as the source writes it.
pub fn shown(operand: &Operand) -> String {
    match operand {
        Operand::Given(number) => format!("%{number}"),
        Operand::Name(name) => name.clone(),
        other => format!("{other:?}"),
    }
}
