//! The values that a kernel's arguments have at a launch.
//!
//! A handle's arguments are the state of one kernel object. From a launch, all paths are followed
//! back. A path ends at the call that sets the argument through the very handle of the launch.
//! Before that, each of the following makes the argument open:
//!
//! * a call that may set it through another value that may be the same handle,
//! * a call that sets an argument whose index is not known,
//! * an unknown function, if the handle is known elsewhere,
//! * the place where the handle comes from, or the beginning of the function.
//!
//! If all paths end at one call, it dominates the launch. If they end at several, the argument has
//! a value only if all of them set the same constant.

use std::collections::{BTreeMap, BTreeSet};

use inkwell::llvm_sys::core as c;

use super::super::host_ranges::block_of;
use super::super::raw::{LBlock, LValue, Opcode, ValueKind};
use super::handles::{Handle, Handles};
use super::markers::{Launch, Set, called_api};

/// The most arguments that are looked at.
const MOST_ARGUMENTS: usize = 128;

/// The most instructions that are looked at for one argument.
const MOST_STEPS: usize = 100_000;

/// The value of an argument at a launch.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// Not known.
    Open,
    /// A number, or a handle of the API as a number.
    Value(LValue),
    /// Local memory of this size in bytes.
    Local(LValue),
}

impl Argument {
    /// The number.
    pub fn number(&self) -> Option<LValue> {
        match self {
            Self::Value(value) => Some(*value),
            Self::Open | Self::Local(_) => None,
        }
    }

    /// The pointer that the number is: the handle of a buffer.
    pub fn buffer(&self) -> Option<LValue> {
        let value = self.number()?;
        let is_pointer = matches!(value.kind(), ValueKind::LLVMInstructionValueKind)
            && matches!(value.opcode(), Opcode::LLVMPtrToInt);
        is_pointer.then(|| value.operands().first().copied())?
    }
}

/// The calls of a function that set arguments.
pub struct Arguments<'a> {
    handles: &'a Handles,
    predecessors: BTreeMap<usize, Vec<LBlock>>,
    sets: BTreeMap<usize, (Set, Handle)>,
}

impl<'a> Arguments<'a> {
    /// The calls of a function.
    pub fn of(function: LValue, handles: &'a Handles) -> Self {
        let (mut predecessors, mut sets) = (BTreeMap::<usize, Vec<LBlock>>::new(), BTreeMap::new());
        for block in function.blocks() {
            for next in block.terminator().map(LValue::successors).unwrap_or_default() {
                predecessors.entry(next.0.addr()).or_default().push(block);
            }
            let found = block.iter().filter_map(Set::of);
            sets.extend(found.map(|set| (set.marker.0.addr(), (set, handles.of_value(set.handle)))));
        }
        Self { handles, predecessors, sets }
    }

    /// The arguments of a launch, in the order of their indices.
    pub fn at(&self, launch: &Launch) -> Vec<Argument> {
        let handle = self.handles.of_value(launch.handle);
        let own = self.sets.values().filter(|(set, _)| set.handle == launch.handle);
        let count = own.filter_map(|(set, _)| set.index).max().map_or(0, |last| last + 1);
        (0..count.min(MOST_ARGUMENTS)).map(|index| self.argument(launch, &handle, index)).collect()
    }

    fn argument(&self, launch: &Launch, handle: &Handle, index: usize) -> Argument {
        let Some(sets) = self.reaching(launch, handle, index) else { return Argument::Open };
        let read = |set: &Set| match (set.value(), set.local_bytes()) {
            (Some(value), _) => Argument::Value(value),
            (None, Some(bytes)) => Argument::Local(bytes),
            (None, None) => Argument::Open,
        };
        let all: Vec<Argument> = sets.iter().map(read).collect();
        match all.as_slice() {
            [only] => *only,
            [first, others @ ..] if others.iter().all(|other| is_same_constant(first, other)) => *first,
            _ => Argument::Open,
        }
    }

    /// The calls that may have set an argument last, if they are all known.
    fn reaching(&self, launch: &Launch, handle: &Handle, index: usize) -> Option<Vec<Set>> {
        let mut found = Vec::new();
        let mut pending = vec![previous(launch.marker).ok_or(block_of(launch.marker))];
        let mut seen = BTreeSet::new();
        let mut left = MOST_STEPS;
        while let Some(at) = pending.pop() {
            left = left.checked_sub(1)?;
            match at {
                Ok(instruction) => match self.effect(instruction, launch, handle, index) {
                    Effect::None => pending.push(previous(instruction).ok_or(block_of(instruction))),
                    Effect::Sets(set) => found.push(set),
                    Effect::Unknown => return None,
                },
                Err(block) => {
                    // The function begins here, or the block is not reached.
                    let before = self.predecessors.get(&block.0.addr())?;
                    for &block in before.iter().filter(|block| seen.insert(block.0.addr())) {
                        pending.push(Ok(block.terminator()?));
                    }
                }
            }
        }
        (!found.is_empty()).then_some(found)
    }

    fn effect(&self, instruction: LValue, launch: &Launch, handle: &Handle, index: usize) -> Effect {
        if instruction == launch.handle {
            return Effect::Unknown;
        }
        if let Some((set, of_set)) = self.sets.get(&instruction.0.addr()) {
            return match set.index {
                Some(other) if other != index => Effect::None,
                Some(_) if set.handle == launch.handle => Effect::Sets(*set),
                _ if of_set.may_be(handle) => Effect::Unknown,
                _ => Effect::None,
            };
        }
        if handle.is_unknown || handle.escapes { of_others(instruction) } else { Effect::None }
    }
}

/// The effect of an instruction on an argument.
enum Effect {
    None,
    Sets(Set),
    Unknown,
}

/// The effect of an instruction on a handle that other code may know.
fn of_others(instruction: LValue) -> Effect {
    if !matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMCallBr) {
        return Effect::None;
    }
    let is_harmless = |name: &str| name.starts_with("llvm.") || name.starts_with("lockstep.") || leaves_arguments(name);
    match called_api(instruction) {
        Some(name) if is_harmless(&name) => Effect::None,
        _ => Effect::Unknown,
    }
}

/// Whether a function of the API, or of C's library, sets no argument and calls nothing back.
///
/// A marker stands for the functions that set arguments.
fn leaves_arguments(name: &str) -> bool {
    const OF_C: [&str; 10] =
        ["abort", "calloc", "exit", "fprintf", "free", "malloc", "printf", "putchar", "puts", "fwrite"];
    name.starts_with("clGet")
        || name.starts_with("clEnqueueNDRange")
        || ["clSetKernelArg", "clFinish", "clFlush", "clWaitForEvents", "clReleaseEvent"].contains(&name)
        || OF_C.contains(&name)
}

fn is_same_constant(a: &Argument, b: &Argument) -> bool {
    let same = |a: LValue, b: LValue| a.small_constant().is_some() && a == b;
    match (a, b) {
        (Argument::Value(a), Argument::Value(b)) | (Argument::Local(a), Argument::Local(b)) => same(*a, *b),
        _ => false,
    }
}

fn previous(instruction: LValue) -> Option<LValue> {
    // SAFETY: it is an instruction.
    LValue::new(unsafe { c::LLVMGetPreviousInstruction(instruction.0) })
}
