//! Counters: arrays of which every atomic takes the next number.
//!
//! If all that is done to an array atomically is to add one and the same constant, not 0, then no two of these operations on one place
//! return the same old value, nor values closer to each other than the constant, as long as the place does not wrap around and nobody
//! sets it anew. Loads do not change it, and
//! what they return is no such number. (GPUVerify's refined atomics, `gpuverify-facts.md` B.8.)

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, ArrayOrigin, AtomicOp, Kernel, Operation, Space, Value};

use super::accesses::for_each_access;
use super::pointers::PointsTo;
use super::structure::Structure;

/// What is known of a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// How far apart two numbers are at least, whichever way it counts.
    pub step: Bits,
    /// Whether it is written to other than by counting: then it counts anew.
    pub is_set: bool,
}

/// The step of an atomic that counts: what is added, whichever way. It is as wide as the numbers that are counted.
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
    for &instruction in structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions) {
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
            Some((array, Counter { step, is_set: set.contains(&array) }))
        }
        Counting::By(_) | Counting::Otherwise => None,
    };
    counting.into_iter().filter_map(counter).collect()
}
