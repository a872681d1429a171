//! Loads that may read an unwritten part of a thread's own variable.
//!
//! Such a load returns a different value each time, and need not agree with an earlier one. All
//! other loads return the contents of memory. The loads are found by a forward "surely written
//! since the start" over the control-flow graph, byte by byte, for writes and loads at constant
//! offsets. A load at another offset is sure only if the whole variable is written. A write at an
//! unknown offset counts for nothing, so an array that a loop fills is read by loads that are not
//! sure. For these the program tracks the written cells during the run.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use lockstep_ir::kernel::{
    Array, ArrayOrigin, BinaryOp, Block, ConvertOp, Instruction, Kernel, Operation, Space, Value,
};

use super::accesses::{byte_width, for_each_access};
use super::pointers::PointsTo;
use super::structure::Structure;

/// The loads that are not sure to read written data.
#[derive(Clone, Debug, Default)]
pub struct Initialised(BTreeSet<Instruction>);

impl Initialised {
    /// Whether a load may read data that nobody wrote.
    pub fn unsure(&self, load: Instruction) -> bool {
        self.0.contains(&load)
    }
}

/// The bytes of each variable that are surely written: disjoint ranges in order, their ends
/// exclusive.
type Written = BTreeMap<Array, Vec<(u64, u64)>>;

/// Finds the unsure loads.
pub fn initialised(kernel: &Kernel, structure: &Structure, points_to: &PointsTo) -> Initialised {
    let mut before: SecondaryMap<Block, Option<Written>> = SecondaryMap::new();
    before[kernel.entry] = Some(Written::new());
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &structure.order {
            let Some(mut written) = before[block].clone() else { continue };
            for &instruction in &kernel.blocks[block].instructions {
                step(kernel, points_to, instruction, &mut written);
            }
            for target in kernel.blocks[block].terminator.targets() {
                let known = &mut before[target.block];
                let both = known.as_ref().map_or_else(|| written.clone(), |known| in_both(known, &written));
                if known.as_ref() != Some(&both) {
                    *known = Some(both);
                    changed = true;
                }
            }
        }
    }
    let mut unsure = BTreeSet::new();
    for &block in &structure.order {
        let mut written = before[block].clone().unwrap_or_default();
        for &instruction in &kernel.blocks[block].instructions {
            let data = &kernel.instructions[instruction];
            if let (Operation::Load(access), Some(result)) = (&data.operation, data.result) {
                let bytes = byte_width(kernel, kernel.ty(result));
                if !surely_written(kernel, points_to, access.pointer, Some(bytes), &written) {
                    unsure.insert(instruction);
                }
            }
            step(kernel, points_to, instruction, &mut written);
        }
    }
    Initialised(unsure)
}

/// Whether an array is a thread's own variable, which holds nothing at first.
fn is_variable(kernel: &Kernel, array: Array) -> bool {
    let data = &kernel.arrays[array];
    data.space == Space::Private && data.origin == ArrayOrigin::Stack
}

/// Whether a value is undefined: storing it leaves a place as if nothing had been written.
pub fn is_nothing(kernel: &Kernel, value: Value) -> bool {
    matches!(kernel.operation(value), Some(Operation::Undefined))
}

/// Whether this many bytes (`None`: an unknown number) from a pointer on are written, wherever in
/// variables it points.
fn surely_written(
    kernel: &Kernel,
    points_to: &PointsTo,
    pointer: Value,
    bytes: Option<u64>,
    written: &Written,
) -> bool {
    points_to[pointer].arrays.iter().filter(|&&array| is_variable(kernel, array)).all(|&array| {
        let all = kernel.arrays[array].size.map(|size| (0, size));
        let place = constant_place(kernel, pointer).filter(|&(base, _)| base == array);
        let read = match (place, bytes) {
            (Some((_, offset)), Some(bytes)) => Some((offset, offset.saturating_add(bytes))),
            _ => all,
        };
        let ranges = written.get(&array).map_or(&[][..], Vec::as_slice);
        read.is_some_and(|(low, high)| ranges.iter().any(|&(from, to)| from <= low && high <= to))
    })
}

fn step(kernel: &Kernel, points_to: &PointsTo, instruction: Instruction, written: &mut Written) {
    let data = &kernel.instructions[instruction];
    let (leaves_something, bytes) = match &data.operation {
        Operation::Store(_, value) => (!is_nothing(kernel, *value), Some(byte_width(kernel, kernel.ty(*value)))),
        Operation::MemorySet { bytes, .. } => (true, number(kernel, *bytes)),
        Operation::MemoryCopy { from, bytes, .. } => {
            let bytes = number(kernel, *bytes);
            (surely_written(kernel, points_to, from.pointer, bytes, written), bytes)
        }
        // Other writes add nothing and remove nothing.
        _ => return,
    };
    for_each_access(kernel, &data.operation, data.result, |access| {
        if !access.writes {
            return;
        }
        let range = constant_place(kernel, access.pointer)
            .and_then(|(array, offset)| Some((array, (offset, offset.checked_add(bytes?)?))));
        match range {
            Some((array, range)) if leaves_something => add(written.entry(array).or_default(), range),
            None if leaves_something => {}
            Some((array, range)) => remove(written.entry(array).or_default(), range),
            None => written.retain(|array, _| !points_to[access.pointer].arrays.contains(array)),
        }
    });
}

fn add(ranges: &mut Vec<(u64, u64)>, (low, high): (u64, u64)) {
    let (mut low, mut high) = (low, high);
    ranges.retain(|&(from, to)| {
        let touches = from <= high && low <= to;
        if touches {
            (low, high) = (low.min(from), high.max(to));
        }
        !touches
    });
    ranges.push((low, high));
    ranges.sort_unstable();
}

fn remove(ranges: &mut Vec<(u64, u64)>, (low, high): (u64, u64)) {
    let parts = ranges.iter().flat_map(|&(from, to)| [(from, to.min(low)), (from.max(high), to)]);
    *ranges = parts.filter(|&(from, to)| from < to).collect();
}

fn in_both(a: &Written, b: &Written) -> Written {
    let mut both = Written::new();
    for (array, ranges) in a {
        let Some(others) = b.get(array) else { continue };
        let parts = ranges
            .iter()
            .flat_map(|&(from, to)| others.iter().map(move |&(low, high)| (from.max(low), to.min(high))))
            .filter(|&(from, to)| from < to);
        both.insert(*array, parts.collect());
    }
    both
}

/// The array and the offset of a pointer, if both are certain.
pub fn constant_place(kernel: &Kernel, pointer: Value) -> Option<(Array, u64)> {
    match kernel.operation(pointer)? {
        Operation::ArrayBase(array) => Some((*array, 0)),
        Operation::SpaceCast(pointer) => constant_place(kernel, *pointer),
        Operation::PointerAdd { pointer, offset, .. } => {
            let (array, base) = constant_place(kernel, *pointer)?;
            Some((array, base.checked_add(number(kernel, *offset)?)?))
        }
        _ => None,
    }
}

/// The number of a value, if it is certain and not negative.
fn number(kernel: &Kernel, value: Value) -> Option<u64> {
    let number = match kernel.operation(value)? {
        Operation::Constant(bits) => bits.to_i64().and_then(|number| u64::try_from(number).ok()),
        Operation::Binary(BinaryOp::Add, _, a, b) => number(kernel, *a)?.checked_add(number(kernel, *b)?),
        Operation::Binary(BinaryOp::Multiply, _, a, b) => number(kernel, *a)?.checked_mul(number(kernel, *b)?),
        Operation::Convert(ConvertOp::ZeroExtend | ConvertOp::SignExtend, a) => number(kernel, *a),
        _ => None,
    };
    // The number is the same as a signed number of its own width.
    let width = kernel.ty(value).width()?;
    number.filter(|&number| width > 64 || u128::from(number) < 1_u128 << (width - 1))
}
