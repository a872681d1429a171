//! Bytes of a group's shared memory that some thread can have written before a load reads them.
//!
//! Shared memory starts with nothing in it, unless the source makes an assumption about its
//! contents. A write counts for a load if it can come before the load. Abstract interpretation of
//! its address ([`super::words`]) bounds its bytes from above for all threads of all launches
//! concerned; block parameters may be anything. A read of other bytes finds data that nobody has
//! written, in every execution.
//!
//! A write **can come before** a load if a path of the control-flow graph leads from the write to
//! the load. If only barriers of the group order threads, this criterion is complete. In a kernel
//! without races, the writing thread passes, after the write, a barrier that the reading thread
//! passes before the load. Both wait at the same place of the text, which lies on paths from the
//! write and to the load. In a kernel in which anything else orders threads (atomics, fences,
//! barriers of another kind), every write counts for every load.
//!
//! An atomic operation that reads the memory it writes does not count as a write for others of its
//! kind: the first of them finds the earlier contents. It counts for loads.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::EntitySet;
use lockstep_invariants::Word;
use lockstep_ir::kernel::{
    Array, AtomicOp, BarrierKind, Block, Instruction, Kernel, Needs, Operation, Space, ThreadQuery, Value,
};

use super::accesses::for_each_access;
use super::pointers::PointsTo;
use super::structure::Structure;
use super::word_facts::Words;

/// Byte ranges of an array, each with an exclusive end: disjoint, in order and not touching.
pub type Bytes = Vec<(u64, u64)>;

/// The bytes that can have been written before each load of shared memory.
#[derive(Clone, Debug, Default)]
pub struct Written(BTreeMap<(Instruction, Array), Bytes>);

impl Written {
    /// The bytes of an array that can have been written before a load; `None` if any of them can.
    pub fn before(&self, load: Instruction, array: Array) -> Option<&Bytes> {
        self.0.get(&(load, array))
    }
}

/// A write to shared memory.
struct Write {
    place: (Block, usize),
    array: Array,
    /// The range from the first byte to the exclusive end; `None` if unknown.
    bytes: Option<(u64, u64)>,
    /// Whether the operation reads the contents that it replaces.
    replaces: bool,
}

/// Finds the bytes that can have been written. `query` bounds the answers to queries, for all
/// threads of a launch.
pub fn written(
    kernel: &Kernel,
    structure: &Structure,
    points_to: &PointsTo,
    query: impl FnMut(ThreadQuery) -> Option<Word>,
) -> Written {
    let is_shared = |array: &Array| kernel.arrays[*array].space == Space::Local;
    if !kernel.arrays.keys().any(|array| is_shared(&array)) {
        return Written::default();
    }
    let mut words = Words::new(kernel, query);
    let mut writes: Vec<Write> = Vec::new();
    let mut loads: Vec<((Block, usize), Instruction, Array, bool)> = Vec::new();
    for &block in &structure.order {
        for (index, &instruction) in kernel.blocks[block].instructions.iter().enumerate() {
            let (data, place) = (&kernel.instructions[instruction], (block, index));
            let replaces = replaces(&data.operation);
            for_each_access(kernel, &data.operation, data.result, |shape| {
                for &array in points_to[shape.pointer].arrays.iter().filter(|&array| is_shared(array)) {
                    if shape.writes {
                        // An asynchronous copy has several elements.
                        let bytes = shape.bytes.filter(|_| !shape.asynchronous);
                        let bytes = bytes.and_then(|bytes| bytes_of(&mut words, shape.pointer, bytes));
                        writes.push(Write { place, array, bytes, replaces });
                    }
                    if replaces || (matches!(data.operation, Operation::Load(_)) && shape.needs != Needs::Nothing) {
                        loads.push((place, instruction, array, replaces));
                    }
                }
            });
        }
    }
    let given = given(kernel, structure, points_to);
    let reachable = (!is_ordered_otherwise(kernel)).then(|| Reachable::of(kernel, structure));
    let mut written = Written::default();
    for (place, instruction, array, replacing) in loads {
        if given.contains(&array) {
            continue;
        }
        let mut before = writes.iter().filter(|write| {
            let counts = write.array == array && !(replacing && write.replaces);
            counts && reachable.as_ref().is_none_or(|reachable| reachable.leads(write.place, place))
        });
        let mut bytes = Bytes::new();
        if before.try_for_each(|write| write.bytes.map(|range| bytes.push(range))).is_some() {
            written.0.insert((instruction, array), merged(bytes));
        }
    }
    written
}

/// The arrays about whose contents the source makes an assumption, so that they are not empty.
fn given(kernel: &Kernel, structure: &Structure, points_to: &PointsTo) -> BTreeSet<Array> {
    let (mut given, mut seen, mut pending) = (BTreeSet::new(), EntitySet::new(), Vec::new());
    for &instruction in structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions) {
        if let Operation::Assume(condition, _) = &kernel.instructions[instruction].operation {
            pending.push(*condition);
        }
    }
    while let Some(value) = pending.pop() {
        let Some(operation) = kernel.operation(value).filter(|_| seen.insert(value)) else { continue };
        if let Operation::Load(access) = operation {
            given.extend(&points_to[access.pointer].arrays);
        }
        operation.for_each_operand(|operand| pending.push(operand));
    }
    given
}

/// Whether an operation replaces the contents that it reads by a value that depends on them.
fn replaces(operation: &Operation) -> bool {
    match operation {
        Operation::Atomic { op, .. } => !matches!(op, AtomicOp::Load | AtomicOp::Store | AtomicOp::Exchange),
        _ => false,
    }
}

/// Whether anything but barriers of the group orders the accesses of its threads.
fn is_ordered_otherwise(kernel: &Kernel) -> bool {
    kernel.instructions.values().any(|data| match &data.operation {
        Operation::Atomic { .. } | Operation::Fence { .. } | Operation::Phase { .. } => true,
        Operation::Barrier { kind, .. } => match kind {
            BarrierKind::Group | BarrierKind::Grid | BarrierKind::Cluster => false,
            BarrierKind::Named { .. } | BarrierKind::Arrive { .. } | BarrierKind::Warp { .. } => true,
        },
        _ => false,
    })
}

fn merged(mut ranges: Bytes) -> Bytes {
    ranges.sort_unstable();
    let mut merged = Bytes::new();
    for (low, high) in ranges {
        match merged.last_mut() {
            Some(last) if low <= last.1 => last.1 = last.1.max(high),
            _ => merged.push((low, high)),
        }
    }
    merged
}

/// The blocks that paths of at least one edge lead to.
struct Reachable(BTreeMap<Block, BTreeSet<Block>>);

impl Reachable {
    fn of(kernel: &Kernel, structure: &Structure) -> Self {
        let from = |start: Block| {
            let mut seen = BTreeSet::new();
            let mut pending = vec![start];
            while let Some(block) = pending.pop() {
                let targets = kernel.blocks[block].terminator.targets().map(|target| target.block);
                pending.extend(targets.filter(|&target| seen.insert(target)));
            }
            (start, seen)
        };
        Self(structure.order.iter().map(|&block| from(block)).collect())
    }

    fn leads(&self, from: (Block, usize), to: (Block, usize)) -> bool {
        (from.0 == to.0 && from.1 < to.1) || self.0.get(&from.0).is_some_and(|blocks| blocks.contains(&to.0))
    }
}

/// The bytes that accesses of this many bytes through a pointer can touch, if they stay inside the
/// array.
fn bytes_of(
    words: &mut Words<'_, impl FnMut(ThreadQuery) -> Option<Word>>,
    pointer: Value,
    bytes: u64,
) -> Option<(u64, u64)> {
    let (low, high) = words.of(pointer)?.signed();
    let (low, high) = (u64::try_from(low).ok()?, u64::try_from(high).ok()?);
    Some((low, high.checked_add(bytes)?))
}
