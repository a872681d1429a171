//! Lowers a kernel: its steps are executed block by block on the registers of a machine.
//!
//! The blocks are visited along the dominator tree, so a block begins with the registers as its
//! immediate dominator left them, apart from those that merge there, which are parameters of the
//! kernel IR's block. Whether such a parameter is a pointer or a number depends on what the jumps
//! pass, and what a loop passes is known only when its body has been lowered. So a kernel is
//! lowered in rounds ([`super::rounds`]): each begins with the kinds that the one before found.

use std::collections::{BTreeSet, HashMap};

use lockstep_ir::assumption::{Assumed, Assumptions};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    ArrayData, ArrayOrigin, Block, ConvertOp, ElementLayout, Kernel, Operation, Space, Target, Terminator, Type, Value,
};

use super::calls;
use super::declare::Variable;
use super::flatten::{Flat, Step, SymbolData};
use super::graph::{BlockData, Ending, Graph, writes};
use super::machine::{Machine, Register, Seen, Symbol};
use super::module::Function;
use super::names;
use super::parameters::{Parameters, Slot};
use super::places::Places;
use super::pointers::cast;
use super::read::{Instruction, Operand};
use super::slots::Parts;
use super::types::PtxType;
use crate::builder::Builder;
use crate::builtins::Unsupported;
use crate::cuda::anything;

/// The kind of the contents that a register has where it merges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kind {
    /// Whether it is a pointer.
    pub holds: Holds,
    /// Whether it is a number that is computed from an address.
    pub tainted: bool,
}

/// The contents of a register. Each but the first is less known than those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Holds {
    /// Nothing is known yet.
    #[default]
    Nothing,
    /// Zero, which may be a pointer or a number.
    Zero,
    /// A pointer to this address space.
    Pointer(Space),
    /// A number.
    Number,
}

impl Kind {
    /// The kind of contents that are of either kind.
    pub fn join(self, other: Self) -> Self {
        let holds = match (self.holds, other.holds) {
            (Holds::Nothing, holds) | (holds, Holds::Nothing) => holds,
            (Holds::Number, _) | (_, Holds::Number) => Holds::Number,
            // Zero is the null pointer, but in shared memory it is an address like any other.
            (Holds::Zero, Holds::Pointer(Space::Local)) | (Holds::Pointer(Space::Local), Holds::Zero) => Holds::Number,
            (Holds::Zero, holds) | (holds, Holds::Zero) => holds,
            (Holds::Pointer(a), Holds::Pointer(b)) => Holds::Pointer(if a == b { a } else { Space::Generic }),
        };
        // A pointer as a number is computed from an address.
        let becomes_number = |kind: Self| matches!(kind.holds, Holds::Pointer(_)) && holds == Holds::Number;
        let tainted = self.tainted || other.tainted || becomes_number(self) || becomes_number(other);
        Self { holds, tainted }
    }
}

/// The kinds of registers, by block and register.
pub type Kinds = HashMap<(usize, usize), Kind>;

/// The facts that a round begins with.
#[derive(Clone, Debug, Default)]
pub struct Guesses {
    /// The parameters that are numbers.
    pub numbers: BTreeSet<Slot>,
    /// The kinds of merged registers.
    pub kinds: Kinds,
}

/// The result of a round.
pub struct Round {
    /// The kernel.
    pub kernel: Kernel,
    /// Its parameters.
    pub parameters: Parameters,
    /// The kinds of merged registers that the jumps pass.
    pub kinds: Kinds,
    /// The addresses that were seen.
    pub seen: Seen,
    /// The kinds with which they were lowered.
    pub used_kinds: Kinds,
    /// The assumptions of calls.
    pub assumptions: Assumptions,
}

/// A refused step.
#[derive(Debug)]
pub struct RefusedStep {
    /// The construct.
    pub construct: String,
    /// The index of its place.
    pub place: usize,
}

/// The parts of a kernel that stay the same in all rounds.
pub struct Input<'a> {
    /// The function.
    pub function: &'a Function,
    /// Its steps.
    pub flat: &'a Flat,
    /// Their graph.
    pub graph: &'a Graph,
    /// The parts of parameters that are read.
    pub parts: &'a Parts,
    /// A kernel without code.
    pub empty: &'a Kernel,
}

/// The registers that blocks pass on where they merge, by the block that they pass them to: the
/// block that passes them, and their contents.
type Passed = Vec<Vec<(usize, Vec<Option<Value>>)>>;

struct Lowering<'a, 'm, 'b, 'k> {
    input: &'a Input<'a>,
    guesses: &'a Guesses,
    places: &'a mut Places<'a>,
    machine: &'m mut Machine<'b, 'k>,
    parameters: Parameters,
    /// The kernel IR's block in which each block begins, and the one in which it ends.
    begins: Vec<Block>,
    ends: Vec<Block>,
    /// The values at the ends of blocks, by edge.
    passed: Passed,
    /// The kinds with which registers were merged.
    used_kinds: Kinds,
    assumptions: Assumptions,
    place: usize,
}

/// Lowers a kernel once.
pub fn round<'a>(input: &'a Input<'a>, guesses: &'a Guesses, places: &'a mut Places<'a>) -> Result<Round, RefusedStep> {
    let mut kernel = input.empty.clone();
    kernel.location = places.location(&mut kernel, 0);
    let location = kernel.location;
    let refuse = |Unsupported(construct)| RefusedStep { construct, place: 0 };
    let parameters = Parameters::new(&mut kernel, input.function, input.parts, &guesses.numbers).map_err(refuse)?;
    let symbols = input.flat.symbols.iter().map(|symbol| add_symbol(&mut kernel, symbol, &parameters, input.function));
    let symbols: Vec<Symbol> = symbols.collect();
    let entry = kernel.entry;
    let mut builder = Builder { kernel: &mut kernel, block: entry, location };
    let mut machine = Machine::new(&mut builder);
    machine.symbols = symbols;
    machine.follows_all = true;
    machine.taint.follows = true;
    machine.registers =
        input.flat.registers.iter().map(|ty| Register { ty: *ty, value: None, immediate: false }).collect();
    let count = input.graph.blocks.len();
    let mut lowering = Lowering {
        input,
        guesses,
        places,
        machine: &mut machine,
        parameters,
        begins: Vec::with_capacity(count),
        ends: vec![entry; count],
        passed: vec![Vec::new(); count],
        used_kinds: Kinds::new(),
        assumptions: Assumptions::default(),
        place: 0,
    };
    let result = lowering.run();
    let Lowering { parameters, used_kinds, assumptions, place, .. } = lowering;
    let seen = std::mem::take(&mut machine.seen);
    match result {
        Ok(kinds) => Ok(Round { kernel, parameters, kinds, seen, used_kinds, assumptions }),
        Err(Unsupported(construct)) => Err(RefusedStep { construct, place }),
    }
}

impl Lowering<'_, '_, '_, '_> {
    fn run(&mut self) -> Result<Kinds, Unsupported> {
        for index in 0..self.input.graph.blocks.len() {
            let block =
                if index == 0 { self.machine.builder.kernel.entry } else { self.machine.builder.kernel.add_block() };
            self.begins.push(block);
        }
        // Along the dominator tree; the state of the registers is restored behind each subtree.
        let mut stack = vec![(0, None)];
        while let Some((block, mark)) = stack.pop() {
            if let Some(mark) = mark {
                self.restore(mark);
                continue;
            }
            stack.push((block, Some(self.machine.journal.len())));
            self.block(block)?;
            let children = self.input.graph.children[block].iter().rev();
            stack.extend(children.map(|child| (*child, None)));
        }
        let kinds = self.kinds();
        for index in 0..self.input.graph.order.len() {
            self.end(self.input.graph.order[index]);
        }
        Ok(kinds)
    }

    fn restore(&mut self, mark: usize) {
        while self.machine.journal.len() > mark {
            if let Some((register, before)) = self.machine.journal.pop() {
                self.machine.registers[register] = before;
            }
        }
    }

    fn go_to(&mut self, place: usize) {
        self.place = place;
        self.machine.builder.location = self.places.location(self.machine.builder.kernel, place);
    }

    // --- Blocks ----------------------------------------------------------------------------------

    fn block(&mut self, index: usize) -> Result<(), Unsupported> {
        self.machine.builder.block = self.begins[index];
        let BlockData { start, end, place, ref ending } = self.input.graph.blocks[index];
        self.merge(index);
        for (step, place) in &self.input.flat.steps[start..end] {
            self.go_to(*place);
            let mark = self.machine.journal.len();
            self.step(step)?;
            self.check_writes(step, mark)?;
        }
        self.go_to(place);
        let mut successors = ending.successors();
        successors.sort_unstable();
        successors.dedup();
        for next in successors {
            let merges = &self.input.graph.merges[next];
            let values = merges.iter().map(|register| self.machine.registers[*register].value).collect();
            self.passed[next].push((index, values));
        }
        self.condition(ending)?;
        self.ends[index] = self.machine.builder.block;
        Ok(())
    }

    /// The parameters of a block.
    fn merge(&mut self, index: usize) {
        for (position, &register) in self.input.graph.merges[index].iter().enumerate() {
            let guess = self.guesses.kinds.get(&(index, register)).copied();
            let kind = guess.unwrap_or_else(|| self.incoming(index, position, register));
            self.used_kinds.insert((index, register), kind);
            let ty = self.type_of(kind, register);
            let block = self.begins[index];
            let value = self.machine.builder.kernel.add_parameter(block, ty, None);
            if kind.tainted && !matches!(ty, Type::Pointer(_)) {
                self.machine.taint.mark(value);
            }
            self.machine.put(register, Some(value));
        }
    }

    fn type_of(&self, kind: Kind, register: usize) -> Type {
        let own = self.machine.registers[register].ty;
        let bits = self.machine.builder.kernel.pointer_bits;
        match kind.holds {
            Holds::Pointer(space) if own == Type::Bits(bits) => Type::Pointer(space),
            Holds::Pointer(Space::Local) if own == Type::Bits(32) => Type::Pointer(Space::Local),
            Holds::Pointer(_) | Holds::Nothing | Holds::Zero | Holds::Number => own,
        }
    }

    /// The kind of what the jumps that are known so far pass.
    fn incoming(&mut self, block: usize, position: usize, register: usize) -> Kind {
        let mut kind = Kind::default();
        let edges: Vec<Option<Value>> = self.passed[block].iter().map(|(_, values)| values[position]).collect();
        for value in edges {
            kind = kind.join(self.kind_of(value, register));
        }
        kind
    }

    fn kind_of(&mut self, value: Option<Value>, register: usize) -> Kind {
        let Some(value) = value else { return Kind::default() };
        let kernel = &*self.machine.builder.kernel;
        let holds = match kernel.ty(value) {
            Type::Pointer(space) => Holds::Pointer(space),
            _ if kernel.constant(value).is_some_and(Bits::is_zero) => Holds::Zero,
            _ => Holds::Number,
        };
        let kind = Kind { holds, tainted: self.machine.taint.of(kernel, value) };
        // A pointer that the register's type has no room for is a number.
        match (holds, self.type_of(kind, register)) {
            (Holds::Pointer(_), Type::Bits(_)) => Kind { holds: Holds::Number, tainted: true },
            _ => kind,
        }
    }

    /// The kinds of all merged registers, from all jumps.
    fn kinds(&mut self) -> Kinds {
        let mut kinds = Kinds::new();
        for to in 0..self.passed.len() {
            for (position, &register) in self.input.graph.merges[to].iter().enumerate() {
                let kind = self.incoming(to, position, register);
                kinds.insert((to, register), kind);
            }
        }
        kinds
    }

    // --- Ends of blocks --------------------------------------------------------------------------

    /// Computes the condition of a block's end, and ends it without arguments.
    fn condition(&mut self, ending: &Ending) -> Result<(), Unsupported> {
        let to = |block: usize| Target { block: self.begins[block], arguments: Vec::new() };
        let terminator = match ending {
            Ending::Jump(next) => Terminator::Jump(to(*next)),
            Ending::End(terminator) => terminator.clone(),
            Ending::Branch { condition, negated, then, otherwise } => {
                let (mut then, mut otherwise) = (to(*then), to(*otherwise));
                let condition = self.machine.predicate(condition)?;
                if *negated {
                    std::mem::swap(&mut then, &mut otherwise);
                }
                Terminator::Branch { condition, then, otherwise }
            }
            Ending::Table(index, blocks) => {
                let targets: Vec<Target> = blocks.iter().map(|block| to(*block)).collect();
                let value = self.machine.number(index, 32)?;
                let cases = (0_u32..).zip(targets).map(|(case, target)| (Bits::new(32, case), target)).collect();
                // An index beyond the table has no defined behaviour.
                let beyond = self.machine.builder.kernel.add_block();
                self.machine.end_block(beyond, Terminator::Unreachable);
                Terminator::Switch { value, cases, default: Target { block: beyond, arguments: Vec::new() } }
            }
        };
        let block = self.machine.builder.block;
        self.machine.end_block(block, terminator);
        Ok(())
    }

    /// Adds the arguments of a block's jumps.
    fn end(&mut self, index: usize) {
        let block = self.ends[index];
        self.machine.builder.block = block;
        self.machine.builder.location = self.machine.builder.kernel.blocks[block].location;
        let mut successors = self.input.graph.blocks[index].ending.successors();
        successors.sort_unstable();
        successors.dedup();
        for next in successors {
            let passed = self.passed[next].iter().find(|(from, _)| *from == index);
            let Some(values) = passed.map(|(_, values)| values.clone()) else { continue };
            let wanted = self.machine.builder.kernel.blocks[self.begins[next]].parameters.clone();
            let mut arguments = Vec::with_capacity(values.len());
            for (value, parameter) in values.into_iter().zip(wanted) {
                let ty = self.machine.builder.ty(parameter);
                arguments.push(self.as_type(value, ty));
            }
            let begin = self.begins[next];
            for target in self.machine.builder.kernel.blocks[block].terminator.targets_mut() {
                if target.block == begin {
                    target.arguments.clone_from(&arguments);
                }
            }
        }
    }

    /// The contents of a register as a value of this type.
    fn as_type(&mut self, value: Option<Value>, ty: Type) -> Value {
        let Some(value) = value else {
            return match ty {
                Type::Pointer(_) => self.machine.builder.append(Operation::Undefined, ty),
                _ => anything(self.machine.builder, ty),
            };
        };
        match (self.machine.builder.ty(value), ty) {
            (found, wanted) if found == wanted => value,
            (Type::Pointer(_), Type::Pointer(_)) => cast(self.machine, value, ty),
            (_, Type::Pointer(_)) if self.machine.builder.kernel.constant(value).is_some_and(Bits::is_zero) => {
                self.machine.builder.append(Operation::Null, ty)
            }
            (_, Type::Pointer(_)) => {
                let bits = self.machine.builder.kernel.pointer_bits;
                let number = self.machine.builder.resized(value, bits, ConvertOp::ZeroExtend);
                self.machine.builder.append(Operation::IntegerToPointer(number), ty)
            }
            _ => self.machine.number_in(Register { ty, value: Some(value), immediate: false }),
        }
    }

    // --- Steps -----------------------------------------------------------------------------------

    fn step(&mut self, step: &Step) -> Result<(), Unsupported> {
        match step {
            Step::Instruction(instruction) => self.instruction(instruction),
            Step::Copy(to, from, ty) => self.copy(to, from, *ty),
            Step::Parameter(to, index, offset, ty) => {
                let value = self.parameters.read(self.machine, (*index, *offset), *ty)?;
                self.machine.write(to, value, ty.extension())
            }
            Step::Call(name, results, arguments) => {
                calls::call(self.machine, name, results, arguments, &mut self.assumptions)
            }
            Step::Refused(why) => Err(Unsupported(why.clone())),
            Step::Label(_) | Step::Jump(..) | Step::Table(..) | Step::End(..) => Ok(()),
        }
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<(), Unsupported> {
        if matches!(instruction.words().0, "tex" | "tld4") {
            let here = self.machine.builder.kernel.place(self.machine.builder.location);
            self.assumptions.add(Assumed::TexturesUnchanged.at([here]));
        }
        if self.machine.execute(instruction)? { Ok(()) } else { Err(instruction.refused()) }
    }

    fn copy(&mut self, to: &Operand, from: &Operand, ty: PtxType) -> Result<(), Unsupported> {
        let opcode = |name: &str| format!("{name}.param.b{}", ty.width);
        let address = |operand: &Operand| Operand::Address(Box::new(operand.clone()), None);
        if let Operand::Symbol(_) = to {
            let operands = vec![address(to), from.clone()];
            return self.instruction(&Instruction { guard: None, opcode: opcode("st"), operands });
        }
        if let Operand::Symbol(index) = from
            && matches!(self.input.flat.symbols[*index], SymbolData::Passed(_) | SymbolData::Parameter(_))
        {
            let operands = vec![to.clone(), address(from)];
            return self.instruction(&Instruction { guard: None, opcode: opcode("ld"), operands });
        }
        if let Some(pointer) = self.machine.pointer_of(from, ty.width) {
            return self.machine.set(to, pointer);
        }
        let value = self.machine.number(from, ty.width)?;
        self.machine.write(to, value, ty.extension())
    }

    /// Checks the assumption of [`super::graph`]: a step writes the registers that it says.
    fn check_writes(&self, step: &Step, mark: usize) -> Result<(), Unsupported> {
        let written = &self.machine.journal[mark..];
        if written.is_empty() {
            return Ok(());
        }
        let expected = writes(step);
        if written.iter().all(|(register, _)| expected.contains(register)) {
            return Ok(());
        }
        Err(Unsupported("PTX instruction that writes another register than its first operand".into()))
    }
}

/// The array of a variable.
fn add_symbol(kernel: &mut Kernel, symbol: &SymbolData, parameters: &Parameters, function: &Function) -> Symbol {
    match symbol {
        SymbolData::Parameter(index) => match parameters.copy(*index) {
            Some(copy) => Symbol::Array(copy),
            None => Symbol::Other(function.parameters[*index].name.clone()),
        },
        SymbolData::Passed(variable) => Symbol::Other(variable.name.clone()),
        SymbolData::Variable(variable) => match variable_array(kernel, variable) {
            Some(data) => {
                let is_dynamic = |data: &ArrayData| {
                    data.space == Space::Local && data.origin == ArrayOrigin::Variable && data.size.is_none()
                };
                // All names of memory whose size the launch determines denote one piece of it.
                let known = kernel.arrays.iter().find(|(_, known)| is_dynamic(known)).map(|(array, _)| array);
                match known.filter(|_| is_dynamic(&data)) {
                    Some(array) => Symbol::Array(array),
                    None => Symbol::Array(kernel.arrays.push(data)),
                }
            }
            None => Symbol::Other(variable.name.clone()),
        },
    }
}

fn variable_array(kernel: &Kernel, variable: &Variable) -> Option<ArrayData> {
    let (space, origin) = match variable.space.as_str() {
        "shared" => (Space::Local, ArrayOrigin::Variable),
        "global" => (Space::Global, ArrayOrigin::Variable),
        "const" => (Space::Constant, ArrayOrigin::Variable),
        "local" | "param" => (Space::Private, ArrayOrigin::Stack),
        _ => return None,
    };
    let element_bytes = variable.element_bytes()?;
    let is_sized = !variable.is_extern && !variable.dimensions.contains(&0);
    let is_bytes = variable.ty == "b8";
    Some(ArrayData {
        name: names::shown(&variable.name),
        space,
        origin,
        element: (!is_bytes && variable.vector == 1).then(|| ElementLayout {
            name: variable.ty.clone(),
            bytes: element_bytes,
            dimensions: variable.dimensions.clone(),
        }),
        size: if is_sized { Some(variable.bytes()?) } else { None },
        contents: None,
        volatile: false,
        sized_by: None,
        restrict: false,
        nonzero: variable.is_initialised,
        location: kernel.location,
    })
}
