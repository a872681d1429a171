//! Accesses that repeat earlier ones: to memory that the same thread has just read or written.
//!
//! A read **repeats** an earlier one of the same block under two conditions. Both read the same
//! number of bytes through pointers that are computed alike. Nothing between them waits for other
//! threads or orders memory (a barrier, a fence, an atomic operation, an asynchronous copy…).
//!
//! A kernel without the repeating read has the same races. Suppose that thread *s* executes the
//! repeating read, which races with a write by thread *t*. In the same execution of the block, *s*
//! executed the earlier read of the same cells: pointers computed alike from the same values are
//! the same. Between the two reads, *s* passed nothing that could separate one of them from *t*'s
//! write and not the other. So *s*'s earlier read races with the same write. (A write followed by a
//! read of the written data is no such case: two writes of one value do not race.) Other
//! requirements, such as staying inside the array, are checked for both accesses all the same.
//!
//! A write **repeats** an earlier one under the same conditions. It may race where the earlier one
//! does not, since two writes of one value do not race, and the two may write different values. But
//! any statement about the cells of one holds for those of the other. A program for proofs may
//! therefore record them as one access that is executed twice ([`crate::lockstep`]).
//!
//! Values are numbered over the whole kernel, each by its operation and the numbers of its
//! operands. In one execution of a block, each value that may be used there has a single value, so
//! equal numbers are equal values. A result that may differ from one time to the next, or is not
//! plainly a function of its operands, has a number to itself.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use lockstep_ir::computation;
use lockstep_ir::kernel::{Instruction, Kernel, Operation, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::accesses::byte_width;
use crate::analysis::structure::Structure;

/// The accesses of a kernel that repeat an earlier one.
#[derive(Clone, Debug, Default)]
pub struct Repeated {
    reads: BTreeSet<Instruction>,
    /// The repeating writes, each with the first write that it repeats.
    writes: BTreeMap<Instruction, Instruction>,
}

impl Repeated {
    /// Finds the repeating accesses.
    pub fn of(kernel: &Kernel, structure: &Structure) -> Self {
        let numbers = numbers(kernel, structure);
        let mut repeated = Self::default();
        for &block in &structure.order {
            // The pointers and widths of the accesses since the last synchronisation.
            let mut read: FxHashSet<(u32, u64)> = FxHashSet::default();
            let mut written: FxHashMap<(u32, u64), Instruction> = FxHashMap::default();
            for &instruction in &kernel.blocks[block].instructions {
                let data = &kernel.instructions[instruction];
                match (&data.operation, data.result) {
                    (Operation::Load(access), Some(result)) if !access.volatile => {
                        let is_new = read.insert((numbers[access.pointer], byte_width(kernel, kernel.ty(result))));
                        repeated.reads.extend((!is_new).then_some(instruction));
                    }
                    (Operation::Store(access, value), _) if !access.volatile => {
                        let place = (numbers[access.pointer], byte_width(kernel, kernel.ty(*value)));
                        let first = *written.entry(place).or_insert(instruction);
                        repeated.writes.extend((first != instruction).then_some((instruction, first)));
                    }
                    (operation, _) if separates(operation) => {
                        read.clear();
                        written.clear();
                    }
                    _ => {}
                }
            }
        }
        repeated
    }

    /// Whether an instruction is a read that repeats an earlier one.
    pub fn is_read(&self, instruction: Instruction) -> bool {
        self.reads.contains(&instruction)
    }

    /// The first write that an instruction repeats.
    pub fn write(&self, instruction: Instruction) -> Option<Instruction> {
        self.writes.get(&instruction).copied()
    }

    /// The writes that repeat an earlier one.
    pub fn writes(&self) -> impl Iterator<Item = Instruction> {
        self.writes.keys().copied()
    }
}

/// Whether an operation may separate the accesses before it from those after it for other threads.
///
/// A volatile access that is a signal does not: by itself it neither releases nor acquires, and a
/// fence or an atomic operation that does is one that separates.
#[expect(clippy::unnested_or_patterns, reason = "the pattern of a macro cannot be nested into another")]
fn separates(operation: &Operation) -> bool {
    match operation {
        Operation::Load(_)
        | Operation::Store(..)
        | Operation::MemoryCopy { .. }
        | Operation::MemorySet { .. }
        | Operation::ImageRead { .. }
        | Operation::ImageWrite { .. }
        | Operation::Counted(_)
        | Operation::Assume(..)
        | Operation::Assert(..)
        | computation!() => false,
        Operation::Atomic { .. }
        | Operation::Fence { .. }
        | Operation::Barrier { .. }
        | Operation::WarpExchange { .. }
        | Operation::GroupExchange { .. }
        | Operation::AsyncCopy { .. }
        | Operation::AsyncWait(_)
        | Operation::Phase { .. }
        // An annotation may ask which accesses have happened so far.
        | Operation::Annotation { .. } => true,
    }
}

/// A number for each value; values with the same number are equal where both may be used.
fn numbers(kernel: &Kernel, structure: &Structure) -> SecondaryMap<Value, u32> {
    let mut numbers: SecondaryMap<Value, u32> = SecondaryMap::new();
    for value in kernel.values.keys() {
        numbers[value] = value.as_u32();
    }
    let mut known: FxHashMap<(Operation, Type), u32> = FxHashMap::default();
    for &block in &structure.order {
        for &instruction in &kernel.blocks[block].instructions {
            let data = &kernel.instructions[instruction];
            let Some(result) = data.result.filter(|_| is_function(&data.operation)) else { continue };
            let mut operation = data.operation.clone();
            // A number is that of the first value that has it.
            operation.for_each_operand_mut(|operand| *operand = Value::from_u32(numbers[*operand]));
            numbers[result] = *known.entry((operation, kernel.ty(result))).or_insert(numbers[result]);
        }
    }
    numbers
}

/// Whether an operation's result is a function of its operands, of the thread and of the launch.
fn is_function(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Constant(_)
            | Operation::Parameter(_)
            | Operation::ThreadQuery(_)
            | Operation::Unary(..)
            | Operation::Binary(..)
            | Operation::Compare(..)
            | Operation::Select(..)
            | Operation::Convert(..)
            | Operation::Extract { .. }
            | Operation::Concat(..)
            | Operation::ArrayBase(_)
            | Operation::PointerAdd { .. }
            | Operation::SpaceCast(_)
    )
}
