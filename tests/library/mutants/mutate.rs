//! Seeds one mistake into a kernel, at each place where it fits.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    Access, AtomicOp, BarrierKind, BinaryOp, Block, Definition, Instruction, InstructionData, Kernel, NoWrap,
    Operation, Space, SpaceSet, Terminator, Type, Value, ValueData, VerifiedKernel, parse, print, verify,
};

/// A kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mistake {
    /// A barrier is left out.
    DropBarrier,
    /// A barrier does not order one of its memories.
    WeakenBarrier,
    /// An access goes to the next element.
    ShiftIndex,
    /// A branch is taken regardless of its condition.
    DropGuard,
    /// An atomic operation becomes a load and a store.
    NarrowAtomic,
}

/// A kernel with a mistake.
pub struct Mutant {
    /// The kind of mistake.
    pub mistake: Mistake,
    /// The line of the source; 0 if it is not known.
    pub line: u32,
    /// The kernel.
    pub kernel: VerifiedKernel,
}

/// All of a kernel's mutants, in the order of its instructions.
pub fn mutants(kernel: &Kernel) -> Vec<Mutant> {
    let mut found = Vec::new();
    for (block, data) in &kernel.blocks {
        for at in 0..data.instructions.len() {
            of_instruction(kernel, block, at, &mut found);
        }
        if let Terminator::Branch { then, otherwise, .. } = &data.terminator {
            for target in [then, otherwise] {
                let mut changed = kernel.clone();
                changed.blocks[block].terminator = Terminator::Jump(target.clone());
                add(&mut found, Mistake::DropGuard, data.location, kernel, &changed);
            }
        }
    }
    found
}

fn of_instruction(kernel: &Kernel, block: Block, at: usize, found: &mut Vec<Mutant>) {
    let instruction = kernel.blocks[block].instructions[at];
    let InstructionData { operation, location, .. } = &kernel.instructions[instruction];
    let mut keep = |mistake: Mistake, changed: Kernel| add(found, mistake, *location, kernel, &changed);
    match operation {
        Operation::Barrier { kind, spaces, flags } => {
            let mut dropped = kernel.clone();
            dropped.blocks[block].instructions.remove(at);
            keep(Mistake::DropBarrier, dropped);
            if let (BarrierKind::Group, None) = (kind, flags) {
                for weaker in weaker(*spaces) {
                    let mut changed = kernel.clone();
                    changed.instructions[instruction].operation =
                        Operation::Barrier { kind: BarrierKind::Group, spaces: weaker, flags: None };
                    keep(Mistake::WeakenBarrier, changed);
                }
            }
        }
        Operation::Load(access) | Operation::Store(access, _) => {
            if let Some(changed) = shifted(kernel, (block, at), instruction, access) {
                keep(Mistake::ShiftIndex, changed);
            }
        }
        Operation::Atomic { access, op, operands, .. } => {
            if let Some(changed) = shifted(kernel, (block, at), instruction, access) {
                keep(Mistake::ShiftIndex, changed);
            }
            if let Some(changed) = narrowed(kernel, (block, at), instruction, access, *op, operands) {
                keep(Mistake::NarrowAtomic, changed);
            }
        }
        _ => {}
    }
}

/// Keeps a mutant that obeys the rules. Printing and reading it removes instructions outside of
/// blocks.
fn add(
    found: &mut Vec<Mutant>,
    mistake: Mistake,
    location: Option<lockstep_ir::source::Location>,
    kernel: &Kernel,
    changed: &Kernel,
) {
    let line = location.map_or(0, |location| kernel.locations[location].line);
    let read = parse(&print(changed)).expect("what is printed can be read");
    if let Ok(kernel) = verify(read) {
        found.push(Mutant { mistake, line, kernel });
    }
}

fn weaker(spaces: SpaceSet) -> impl Iterator<Item = SpaceSet> {
    let without = [SpaceSet { local: false, ..spaces }, SpaceSet { global: false, ..spaces }];
    without.into_iter().filter(move |weaker| *weaker != spaces)
}

/// Inserts an instruction before another one and returns its result.
fn insert(kernel: &mut Kernel, (block, at): (Block, usize), operation: Operation, ty: Type) -> Value {
    let location = kernel.instructions[kernel.blocks[block].instructions[at]].location;
    let instruction = kernel.instructions.push(InstructionData { operation, result: None, location });
    let value = kernel.values.push(ValueData { ty, name: None, definition: Definition::Result(instruction) });
    kernel.instructions[instruction].result = Some(value);
    kernel.blocks[block].instructions.insert(at, instruction);
    value
}

/// Moves an access by as many bytes as it accesses.
fn shifted(kernel: &Kernel, (block, at): (Block, usize), instruction: Instruction, access: &Access) -> Option<Kernel> {
    let ty = kernel.ty(access.pointer);
    let Type::Pointer(Space::Global | Space::Local) = ty else { return None };
    let accessed = match &kernel.instructions[instruction].operation {
        Operation::Store(_, value) => kernel.ty(*value),
        _ => kernel.ty(kernel.instructions[instruction].result?),
    };
    let mut changed = kernel.clone();
    let bytes = Bits::new(kernel.pointer_bits, accessed.width()?.div_ceil(8));
    let offset_type = kernel.offset_type();
    let offset = insert(&mut changed, (block, at), Operation::Constant(bytes), offset_type);
    let further = Operation::PointerAdd { pointer: access.pointer, offset, in_bounds: true };
    let pointer = insert(&mut changed, (block, at + 1), further, ty);
    match &mut changed.instructions[instruction].operation {
        Operation::Load(access) | Operation::Store(access, _) | Operation::Atomic { access, .. } => {
            access.pointer = pointer;
        }
        _ => return None,
    }
    Some(changed)
}

/// A load, and a store of the value that the atomic operation would have left.
fn narrowed(
    kernel: &Kernel,
    (block, at): (Block, usize),
    instruction: Instruction,
    access: &Access,
    op: AtomicOp,
    operands: &[Value],
) -> Option<Kernel> {
    let result = kernel.instructions[instruction].result?;
    let ty = kernel.ty(result);
    let Type::Bits(width) = ty else { return None };
    let binary = match op {
        AtomicOp::Add | AtomicOp::Increment => Some(BinaryOp::Add),
        AtomicOp::Subtract | AtomicOp::Decrement => Some(BinaryOp::Subtract),
        AtomicOp::And => Some(BinaryOp::And),
        AtomicOp::Or => Some(BinaryOp::Or),
        AtomicOp::Xor => Some(BinaryOp::Xor),
        AtomicOp::Exchange => None,
        _ => return None,
    };
    let mut changed = kernel.clone();
    let operand = match operands.first() {
        Some(operand) => *operand,
        None => insert(&mut changed, (block, at), Operation::Constant(Bits::one(width)), ty),
    };
    let at = changed.blocks[block].instructions.iter().position(|other| *other == instruction)?;
    changed.instructions[instruction].operation = Operation::Load(access.clone());
    // The store comes after the load: it is first put in front, then the two are swapped.
    let stored = match binary {
        Some(op) => {
            let sum = Operation::Binary(op, NoWrap::default(), result, operand);
            let stored = insert(&mut changed, (block, at), sum, ty);
            changed.blocks[block].instructions.swap(at, at + 1);
            stored
        }
        None => operand,
    };
    let behind = at + 1 + usize::from(binary.is_some());
    let store = changed.instructions.push(InstructionData {
        operation: Operation::Store(access.clone(), stored),
        result: None,
        location: changed.instructions[instruction].location,
    });
    changed.blocks[block].instructions.insert(behind, store);
    Some(changed)
}
