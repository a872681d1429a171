//! Counters: arrays from which every atomic draws the next number.
//!
//! Suppose that all atomic operations on an array add the same constant, not 0. Then no two of
//! these operations on one place return the same old value, nor values closer to each other than
//! the constant. This holds as long as the place does not wrap around and no thread sets it anew.
//! Loads do not change the place, and their results are not such numbers. (GPUVerify's refined
//! atomics, `gpuverify-facts.md` B.8.)
//!
//! # How many numbers there are
//!
//! Let N operations on one place of w bits add s to it, and let nothing else change it. They happen
//! one after the other, as atomic operations on one place do by its modification order. The k-th
//! returns a + k s modulo 2^w, where a is the initial value. The difference of two of them is d s
//! with 0 < d < N in one direction, and 2^w - d s in the other. If N s <= 2^w, both are at least s.
//! So these numbers are distinct, and no closer to each other than s, even if the counter wraps
//! around on the way. If N s is larger, they are not: the (2^w / s + 1)-th returns the same number
//! as the first, or one less than s away from it.
//!
//! So the question depends on N alone ([`Counter::tells_apart`]). Where all threads together cannot
//! draw more than 2^w / s numbers, nothing is assumed. They may draw more if a loop has an unknown
//! trip count or sizes are open. Then the bound is an assumption, which must be true in some run.
//! So it is not made if the launch refutes it. The launch does so if more numbers are drawn when
//! every thread comes to every draw, once in each loop of unknown trip count. This refuses more
//! assumptions than necessary (a draw may stand in a branch that few threads take), but never fewer
//! where all threads can draw.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, ArrayOrigin, AtomicOp, Block, Instruction, Kernel, Operation, Space, Value};
use lockstep_options::launch::Launch;
use num_bigint::BigUint;

use super::accesses::for_each_access;
use super::draws::{Count, Threads, any_block, executions};
use super::pointers::PointsTo;
use super::structure::Structure;

/// The facts about a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The least distance between two numbers, in either direction of counting.
    pub step: Bits,
    /// Whether the counter is also written other than by counting, which restarts it.
    pub is_set: bool,
    /// The blocks that draw numbers from the counter.
    pub draws: Vec<Block>,
}

/// The conditions under which numbers drawn from a counter differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apart {
    /// The numbers always differ.
    Always,
    /// The numbers differ if no more than this many are drawn, which the launch does not refute.
    IfAtMost(BigUint),
    /// The numbers do not differ in this launch.
    Not,
}

impl Counter {
    /// Whether the numbers that threads of this launch draw from the counter differ (in one barrier
    /// interval, if the counter is set).
    pub fn tells_apart(&self, kernel: &Kernel, structure: &Structure, space: Space, launch: &Launch) -> Apart {
        let limit = (BigUint::from(1u32) << self.step.width()) / self.step.unsigned();
        let threads = Threads::sharing(space, launch);
        let waits = |&instruction: &Instruction| {
            matches!(kernel.instructions[instruction].operation, Operation::Barrier { .. } | Operation::Phase { .. })
        };
        // Each iteration may be in an interval of its own.
        let once = |around| {
            self.is_set && any_block(structure, around, |block| kernel.blocks[block].instructions.iter().any(waits))
        };
        let draws = self.draws.iter().map(|&block| executions(kernel, structure, block, once));
        let drawn = draws.fold(Count::none(), Count::plus).by(threads);
        match drawn {
            Count { most: Some(most), .. } if most <= limit => Apart::Always,
            Count { usual, .. } if usual <= limit => Apart::IfAtMost(limit),
            Count { .. } => Apart::Not,
        }
    }
}

/// The step of an atomic that counts: the number that is added, in either direction. It has the
/// width of the numbers that are counted.
fn step(kernel: &Kernel, op: AtomicOp, operands: &[Value], result: Option<Value>) -> Option<Bits> {
    let width = operands.first().copied().or(result).and_then(|value| kernel.ty(value).width())?;
    let constant = |value: &Value| kernel.constant(*value).filter(|bits| !bits.is_zero()).cloned();
    match (op, operands) {
        (AtomicOp::Add, [amount]) => constant(amount),
        (AtomicOp::Subtract, [amount]) => constant(amount).map(|bits| bits.neg()),
        (AtomicOp::Increment, []) => Some(Bits::one(width)),
        (AtomicOp::Decrement, []) => Some(Bits::ones(width)),
        // With the largest number as the limit, it wraps no sooner than any sum does.
        (AtomicOp::Increment, [most]) if constant(most).is_some_and(|most| most.not().is_zero()) => {
            Some(Bits::one(width))
        }
        _ => None,
    }
}

/// The atomic operations on an array.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Counting {
    By(Bits),
    Otherwise,
}

/// Finds the counters among the arrays.
pub fn counters(kernel: &Kernel, structure: &Structure, points_to: &PointsTo) -> BTreeMap<Array, Counter> {
    let mut counting: BTreeMap<Array, Counting> = BTreeMap::new();
    let mut set: BTreeSet<Array> = BTreeSet::new();
    let mut draws: BTreeMap<Array, Vec<Block>> = BTreeMap::new();
    let blocks = structure.order.iter();
    let instructions = blocks
        .flat_map(|&block| kernel.blocks[block].instructions.iter().map(move |&instruction| (block, instruction)));
    for (block, instruction) in instructions {
        let data = &kernel.instructions[instruction];
        if let Operation::Atomic { access, op, operands, .. } = &data.operation
            && *op != AtomicOp::Load
        {
            let targets = &points_to[access.pointer].arrays;
            let one = targets.len() == 1 && !points_to[access.pointer].unknown;
            let here = match step(kernel, *op, operands, data.result) {
                Some(step) if one => Counting::By(step),
                _ => Counting::Otherwise,
            };
            for &array in targets {
                draws.entry(array).or_default().push(block);
                let known = counting.entry(array).or_insert_with(|| here.clone());
                if *known != here {
                    *known = Counting::Otherwise;
                }
            }
            continue;
        }
        for_each_access(kernel, &data.operation, data.result, |access| {
            if access.writes {
                set.extend(&points_to[access.pointer].arrays);
            }
        });
    }
    let shared = |array: Array| {
        let data = &kernel.arrays[array];
        matches!(data.space, Space::Global | Space::Local) && !matches!(data.origin, ArrayOrigin::Image { .. })
    };
    let counter = |(array, how)| match how {
        Counting::By(step) if shared(array) => {
            let back = step.neg();
            let step = if back.unsigned() < step.unsigned() { back } else { step };
            let draws = draws.remove(&array).unwrap_or_default();
            Some((array, Counter { step, is_set: set.contains(&array), draws }))
        }
        Counting::By(_) | Counting::Otherwise => None,
    };
    counting.into_iter().filter_map(counter).collect()
}
