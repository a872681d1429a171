//! Counters: arrays of which every atomic takes the next number.
//!
//! If all that is done to an array atomically is to add one and the same constant, not 0, then no
//! two of these operations on one place return the same old value, nor values closer to each other
//! than the constant, as long as the place does not wrap around and nobody sets it anew. Loads do
//! not change it, and what they return is no such number. (GPUVerify's refined atomics,
//! `gpuverify-facts.md` B.8.)
//!
//! # How many numbers there are
//!
//! Let N operations on one place add s to it, of w bits, one after the other (atomic operations on
//! one place are, by its modification order), and nothing else change it. The k-th returns a + k s
//! modulo 2^w, wherever a was. Of two of them the difference is d s with 0 < d < N, in the one
//! direction, and 2^w - d s in the other. If N s <= 2^w both are at least s: so these numbers are
//! distinct, and no closer to each other than s, even if the counter wraps around on the way. If N
//! s is larger they are not: the (2^w / s + 1)-th returns what the first did, or less than s from
//! it.
//!
//! So it is a question of N alone ([`Counter::tells_apart`]). Where all threads together cannot
//! draw more than 2^w / s numbers nothing is assumed. Where they may, as a loop goes round an
//! unknown number of times or sizes are open, it is an assumption that they do not; one that must
//! be true of some run. So it is not made if the launch refutes it: if more numbers are drawn as
//! soon as every thread comes to every draw, once in each loop of unknown count. That refuses more
//! than it must (a draw may stand in a branch that few threads take), and never less where threads
//! are not kept from drawing.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, ArrayOrigin, AtomicOp, Block, Instruction, Kernel, Operation, Space, Value};
use lockstep_options::launch::Launch;
use num_bigint::BigUint;

use super::accesses::for_each_access;
use super::draws::{Count, Threads, any_block, executions};
use super::pointers::PointsTo;
use super::structure::Structure;

/// What is known of a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// How far apart two numbers are at least, whichever way it counts.
    pub step: Bits,
    /// Whether it is written to other than by counting: then it counts anew.
    pub is_set: bool,
    /// Where numbers are drawn from it.
    pub draws: Vec<Block>,
}

/// Whether numbers drawn from a counter differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apart {
    /// They do.
    Always,
    /// If no more than this are drawn, which the launch does not refute.
    IfAtMost(BigUint),
    /// Not in this launch.
    Not,
}

impl Counter {
    /// Whether numbers differ that threads of this launch draw from it (in one barrier interval, if
    /// it is set).
    pub fn tells_apart(&self, kernel: &Kernel, structure: &Structure, space: Space, launch: &Launch) -> Apart {
        let limit = (BigUint::from(1u32) << self.step.width()) / self.step.unsigned();
        let threads = Threads::sharing(space, launch);
        let waits = |&instruction: &Instruction| {
            matches!(kernel.instructions[instruction].operation, Operation::Barrier { .. })
        };
        // Each iteration may be an interval of its own.
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

/// The step of an atomic that counts: what is added, whichever way. It is as wide as the numbers
/// that are counted.
fn step(kernel: &Kernel, op: AtomicOp, operands: &[Value], result: Option<Value>) -> Option<Bits> {
    let width = operands.first().copied().or(result).and_then(|value| kernel.ty(value).width())?;
    let constant = |value: &Value| kernel.constant(*value).filter(|bits| !bits.is_zero()).cloned();
    match (op, operands) {
        (AtomicOp::Add, [amount]) => constant(amount),
        (AtomicOp::Subtract, [amount]) => constant(amount).map(|bits| bits.neg()),
        (AtomicOp::Increment, []) => Some(Bits::one(width)),
        (AtomicOp::Decrement, []) => Some(Bits::ones(width)),
        // Up to the largest number it does not wrap sooner than any sum does.
        (AtomicOp::Increment, [most]) if constant(most).is_some_and(|most| most.not().is_zero()) => {
            Some(Bits::one(width))
        }
        _ => None,
    }
}

/// What is done to an array atomically.
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
