//! Counters of loops that advance by the size of the launch: `i += gridDim.x * blockDim.x`.
//!
//! CUDA's sizes are unsigned, so the sum wraps by the rules of the language. With open sizes and an
//! open bound, there is a launch of 2^31 - 2 threads in which it does, and in which a thread comes
//! back to the elements of others. Nobody makes such a launch. The reading that the loop is meant
//! to have is that the counter goes up to its bound ([`Assumed::LaunchStrides`]); it is assumed
//! unless the options say otherwise, and listed.
//!
//! A **stride of the launch** is a size that the launch has (threads in a group or in all, or the
//! number of groups), or such a size times, plus, or shifted by, strides and constants. A counter
//! is a parameter of a loop's header that an iteration replaces by its sum with a stride of the
//! launch. It has at least 32 bits, and each iteration comes to an exit of the loop at which it, or
//! the sum, must be less than a bound for the loop to go on. So the sum wraps only if the bound is
//! within a stride of the greatest number. Nothing is assumed of other sums: they may wrap in every
//! launch, after a few iterations.
//!
//! A counter is signed if a signed comparison or a sign extension reads it or the sum, and unsigned
//! otherwise: then the sum does not wrap as a number of that kind.
//!
//! [`Assumed::LaunchStrides`]: lockstep_ir::assumption::Assumed::LaunchStrides

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::{
    BinaryOp, Block, CompareOp, ConvertOp, Definition, Kernel, NoWrap, Operation, Terminator, ThreadQuery, UnaryOp,
    Value, VerifiedKernel, verify,
};

use super::structure::{LoopIndex, Structure};

/// The advance of a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stride {
    /// The counter before it advances.
    pub counter: Value,
    /// The stride.
    pub by: Value,
    /// Whether the stride is at most the number of threads in the launch. Others may wrap around
    /// themselves, and be negative.
    pub is_bounded: bool,
    /// Whether the counter is a signed number.
    pub signed: bool,
    /// The values that the counter or the sum is compared with.
    pub bounds: Vec<Value>,
}

/// The sums by which counters advance by a stride of the launch.
pub fn launch_strides(kernel: &Kernel, structure: &Structure) -> BTreeMap<Value, Stride> {
    let sums = (0..structure.loops.len()).flat_map(|index| sums_of(kernel, structure, index));
    let sums: Vec<[Value; 3]> = sums.collect();
    let stride = |&[counter, by, sum]: &[Value; 3]| {
        let is_bounded = is_product_of_sizes(kernel, by);
        (sum, Stride { counter, by, is_bounded, signed: false, bounds: Vec::new() })
    };
    let mut strides: BTreeMap<Value, Stride> = sums.iter().map(stride).collect();
    if sums.is_empty() {
        return strides;
    }
    let mut read = |value: Value, signed: bool, bound: Option<Value>| {
        for (_, stride) in strides.iter_mut().filter(|(sum, stride)| **sum == value || stride.counter == value) {
            stride.signed |= signed;
            stride.bounds.extend(bound);
        }
    };
    let instructions = structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions);
    for &instruction in instructions {
        match kernel.instructions[instruction].operation {
            Operation::Compare(op, a, b) => {
                let signed = matches!(op, CompareOp::SignedLess | CompareOp::SignedLessEqual);
                for [read_one, other] in [[a, b], [b, a]] {
                    read(read_one, signed, Some(other));
                    // With more bits, a number without a sign has none in any comparison.
                    if let Some(inner) = extended(kernel, read_one) {
                        read(inner, false, Some(other));
                    }
                }
            }
            Operation::Convert(ConvertOp::SignExtend, operand) => read(operand, true, None),
            _ => {}
        }
    }
    strides
}

/// The kernel with the sums by which counters advance marked as such that must not wrap, so that
/// runs tell where they do. A sum that is cut to fewer bits has no mark.
pub fn with_marked_strides(kernel: &VerifiedKernel) -> Option<VerifiedKernel> {
    let (closed, structure) = Structure::of(kernel).ok()?;
    let mut marked = (**kernel).clone();
    for (sum, stride) in launch_strides(&closed, &structure) {
        let Definition::Result(instruction) = closed.values[sum].definition else { continue };
        // The closed kernel has the instructions of the kernel, and may have more.
        let Some(data) = marked.instructions.get_mut(instruction).filter(|data| data.result == Some(sum)) else {
            continue;
        };
        if let Operation::Binary(BinaryOp::Add, marks, ..) = &mut data.operation {
            *marks = NoWrap { signed: stride.signed, unsigned: !stride.signed, meant: false, ..*marks };
        }
    }
    verify(marked).ok()
}

/// The counters of a loop, each with the stride and the sum that replaces it.
fn sums_of(kernel: &Kernel, structure: &Structure, loop_: LoopIndex) -> Vec<[Value; 3]> {
    let mut sums = Vec::new();
    let header = structure.loops[loop_].header;
    let tested = tested(kernel, structure, loop_);
    let is_wide = |value: Value| kernel.ty(value).width().is_some_and(|width| width >= LEAST_WIDTH);
    let counters = (0..).zip(&kernel.blocks[header].parameters).filter(|(_, counter)| is_wide(**counter));
    for (index, &counter) in counters {
        for sum in structure.arguments(kernel, header, index) {
            // In OpenCL C sizes have 64 bits, and the sum is cut to those of the counter.
            let wide = match kernel.operation(sum) {
                Some(&Operation::Convert(ConvertOp::Truncate, wide)) => wide,
                _ => sum,
            };
            let Some(&Operation::Binary(BinaryOp::Add, _, a, b)) = kernel.operation(wide) else { continue };
            let is_counter = |value: Value| value == counter || wide != sum && extended(kernel, value) == Some(counter);
            let by = [(a, b), (b, a)].into_iter().find(|&(from, by)| is_counter(from) && is_stride(kernel, by));
            let is_tested = [counter, sum].iter().any(|value| tested.contains(value));
            sums.extend(by.filter(|_| is_tested).map(|(_, by)| [counter, by, sum]));
        }
    }
    sums
}

/// The values that are less than others, or equal, in each iteration of a loop that goes on.
fn tested(kernel: &Kernel, structure: &Structure, loop_: LoopIndex) -> BTreeSet<Value> {
    let is_inside = |block: Block| structure.contains(loop_, structure.loop_of[block]);
    // Conditions, and whether each holds where the loop goes on.
    let mut pending: Vec<(Value, bool)> = Vec::new();
    for &block in structure.order.iter().filter(|&&block| is_inside(block)) {
        if let Terminator::Branch { condition, then, otherwise } = &kernel.blocks[block].terminator
            && is_inside(then.block) != is_inside(otherwise.block)
            && is_in_each_iteration(kernel, structure, loop_, block)
        {
            pending.push((*condition, is_inside(then.block)));
        }
    }
    let mut tested = BTreeSet::new();
    while let Some((condition, holds)) = pending.pop() {
        match kernel.operation(condition) {
            Some(&Operation::Compare(op, a, b)) if !matches!(op, CompareOp::Equal | CompareOp::NotEqual) => {
                let less = if holds { a } else { b };
                tested.extend([less].into_iter().chain(extended(kernel, less)));
            }
            Some(&Operation::Unary(UnaryOp::Not, operand)) => pending.push((operand, !holds)),
            Some(&Operation::Binary(BinaryOp::And, _, a, b)) if holds => pending.extend([(a, true), (b, true)]),
            Some(&Operation::Binary(BinaryOp::Or, _, a, b)) if !holds => pending.extend([(a, false), (b, false)]),
            _ => {}
        }
    }
    tested
}

/// Whether each iteration of a loop that goes on comes to a block.
fn is_in_each_iteration(kernel: &Kernel, structure: &Structure, loop_: LoopIndex, block: Block) -> bool {
    let header = structure.loops[loop_].header;
    if block == header {
        return true;
    }
    // Whether no way leads back to the header around the block.
    let mut reached = BTreeSet::from([block, header]);
    let mut pending = vec![header];
    while let Some(from) = pending.pop() {
        for target in kernel.blocks[from].terminator.targets() {
            if target.block == header {
                return false;
            }
            let is_inside = structure.contains(loop_, structure.loop_of[target.block]);
            if is_inside && reached.insert(target.block) {
                pending.push(target.block);
            }
        }
    }
    true
}

/// The value that another one has with more bits.
fn extended(kernel: &Kernel, value: Value) -> Option<Value> {
    match kernel.operation(value) {
        Some(&Operation::Convert(ConvertOp::ZeroExtend | ConvertOp::SignExtend, inner)) => Some(inner),
        _ => None,
    }
}

/// Whether a value is a product of sizes of the launch, each at most once.
fn is_product_of_sizes(kernel: &Kernel, value: Value) -> bool {
    let (mut pending, mut sizes) = (vec![value], Vec::new());
    while let Some(value) = pending.pop() {
        match kernel.operation(value) {
            Some(&Operation::ThreadQuery(query)) => sizes.push(query),
            Some(&Operation::Convert(ConvertOp::ZeroExtend | ConvertOp::SignExtend | ConvertOp::Truncate, operand)) => {
                pending.push(operand);
            }
            Some(&Operation::Binary(BinaryOp::Multiply, _, a, b)) => pending.extend([a, b]),
            _ => return false,
        }
        if sizes.len() + pending.len() > DEEPEST {
            return false;
        }
    }
    let is_whole = |query: &ThreadQuery| matches!(query, ThreadQuery::GlobalSize(_));
    let once = (1..sizes.len()).all(|at| !sizes[..at].contains(&sizes[at]));
    once && (sizes.len() == 1 || !sizes.iter().any(is_whole))
}

/// Whether a value is a stride of the launch.
fn is_stride(kernel: &Kernel, value: Value) -> bool {
    matches!(stride(kernel, value, DEEPEST), Some(true))
}

/// The least number of bits of a counter.
const LEAST_WIDTH: u32 = 32;

/// The most operations between a stride and a size of the launch.
const DEEPEST: usize = 8;

/// Whether a value that is made of sizes of the launch and constants has a size in it; `None` for
/// other values.
fn stride(kernel: &Kernel, value: Value, depth: usize) -> Option<bool> {
    let depth = depth.checked_sub(1)?;
    match *kernel.operation(value)? {
        // A counter that goes down does not advance.
        Operation::Constant(ref bits) if bits.sign() => None,
        Operation::Constant(_) => Some(false),
        Operation::ThreadQuery(query) => is_size(query).then_some(true),
        Operation::Convert(ConvertOp::ZeroExtend | ConvertOp::SignExtend | ConvertOp::Truncate, operand) => {
            stride(kernel, operand, depth)
        }
        Operation::Binary(BinaryOp::Add | BinaryOp::Multiply | BinaryOp::ShiftLeft, _, a, b) => {
            Some(stride(kernel, a, depth)? | stride(kernel, b, depth)?)
        }
        _ => None,
    }
}

fn is_size(query: ThreadQuery) -> bool {
    match query {
        ThreadQuery::LocalSize(_) | ThreadQuery::NumGroups(_) | ThreadQuery::GlobalSize(_) => true,
        ThreadQuery::LocalId(_)
        | ThreadQuery::GroupId(_)
        | ThreadQuery::GlobalId(_)
        | ThreadQuery::GlobalOffset(_)
        | ThreadQuery::Dimensions
        | ThreadQuery::LaneId
        | ThreadQuery::WarpSize => false,
    }
}
