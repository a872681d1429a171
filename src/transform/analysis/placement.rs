//! Checks that annotations stand where they must.
//!
//! A loop invariant stands at the head of its loop, a barrier invariant directly before its
//! barrier. Nothing that other threads see may happen in between. A precondition stands where every
//! thread of every launch passes, before the thread does anything that others see. In a branch it
//! would say nothing about launches, and could make code dead unnoticed. Contracts of the functions
//! that a kernel calls stand at the beginning of these functions; function-wide invariants may also
//! stand at the end. The import knows where functions begin and end
//! (`src/frontend/llvm/contracts/misplaced.rs`). It leaves an [`Operation::Annotation`] for each
//! contract that stands elsewhere.
//!
//! Some values are known only to an annotation: the other thread's value, whether a thread is
//! enabled, which accesses have happened. They may flow into annotations only: a kernel that acts
//! on them is not the kernel that runs on a device. A misplaced annotation is a mistake of the
//! source, whose author is told the right place.

use std::collections::BTreeMap;

use lockstep_ir::kernel::{
    BarrierKind, Block, Instruction, Kernel, MISPLACED_FUNCTION_WIDE, Operation, Space, Terminator, Type, Value,
};
use lockstep_ir::source::Location;
use lockstep_ir::{computation, interaction};

use super::structure::Structure;

/// The prefix of names that stand for a function's result.
const RETURNED: &str = "__return_val_";

/// The prefix of names that stand for values at a function's beginning.
const OLD: &str = "__old_";

/// An annotation in the wrong place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misplaced {
    /// The description of the mistake, with the right place.
    pub message: String,
    /// The place of the annotation.
    pub location: Option<Location>,
}

/// The first misplaced annotation.
pub fn misplaced(kernel: &Kernel, structure: &Structure) -> Option<Misplaced> {
    stated_elsewhere(kernel, structure).or_else(|| acted_on(kernel, structure))
}

/// The first annotation that belongs elsewhere.
fn stated_elsewhere(kernel: &Kernel, structure: &Structure) -> Option<Misplaced> {
    let mut result = None;
    for &block in &structure.order {
        let instructions = &kernel.blocks[block].instructions;
        for (position, &instruction) in instructions.iter().enumerate() {
            let data = &kernel.instructions[instruction];
            let found = |message: String| Some(Misplaced { message, location: data.location });
            let Operation::Annotation { name, .. } = &data.operation else { continue };
            let seen_before = || instructions[..position].iter().any(|&before| is_seen(kernel, before));
            let right_place = match name.as_str() {
                _ if is_invariant(name) && data.result.is_some() => return Some(misuse(name, data.location)),
                _ if is_invariant(name) => is_head(structure, block) && !seen_before(),
                _ if name.starts_with("__barrier_invariant_") => leads_to_barrier(kernel, &instructions[position..]),
                // The import found these elsewhere.
                _ => !is_of_contract(name) && !name.starts_with(MISPLACED_FUNCTION_WIDE),
            };
            match right_place {
                true => {}
                // The postcondition that contains this one follows, and is itself reported if it is
                // misplaced.
                false if name.starts_with(RETURNED) || name.starts_with(OLD) => {
                    result = result.or_else(|| found(right_place_of(name)));
                }
                false => return found(right_place_of(name)),
            }
        }
    }
    result
}

/// Whether an annotation of this name states a loop invariant.
pub(super) fn is_invariant(name: &str) -> bool {
    matches!(name, "__invariant" | "__global_invariant" | "__candidate_invariant" | "__candidate_global_invariant")
}

/// Whether a name belongs to the contracts of functions.
fn is_of_contract(name: &str) -> bool {
    ["__requires", "__global_requires", "__ensures", "__global_ensures"].contains(&name)
        || [OLD, RETURNED].iter().any(|prefix| name.starts_with(prefix))
}

/// The right place of an annotation that stands elsewhere.
fn right_place_of(name: &str) -> String {
    match name {
        _ if is_invariant(name) => format!(
            "{name} does not stand at the head of a loop; write it first in the loop's condition, as in \
             `while ({name}(e), i < n)` or `for (i = 0; {name}(e), i < n; i++)`, without &&, || and ?: (use \
             &, | and __implies)"
        ),
        _ if name.starts_with("__barrier_invariant_") => format!("{name} does not stand directly before a barrier"),
        _ if name.starts_with(OLD) => format!(
            "{name} does not stand in an __ensures; before the loop or the statement that it is about, keep the value in a \
             variable of its own"
        ),
        _ if name.starts_with(RETURNED) => format!(
            "{name} does not stand in an __ensures, at the beginning of a function that returns a value of this type, \
             outside of __old_int and __old_bool"
        ),
        _ if name.starts_with(MISPLACED_FUNCTION_WIDE) => format!(
            "__function_wide_{} does not stand at the end of its function, behind the loops that it is about; what holds in one \
             loop is said by __invariant",
            &name[MISPLACED_FUNCTION_WIDE.len()..]
        ),
        _ if name.ends_with("requires") => format!(
            "{name} does not stand at the beginning of its function, where each run comes by and nothing has happened; what \
             holds elsewhere is said by __assert, or by __assume if it is known of the data"
        ),
        _ => format!(
            "{name} does not stand at the beginning of its function, where each run comes by and nothing has happened, or it needs \
             a branch itself: write & and | in place of && and ||, and __ite in place of ?:"
        ),
    }
}

/// The first value that only annotations may ask for but that affects the kernel's behaviour.
fn acted_on(kernel: &Kernel, structure: &Structure) -> Option<Misplaced> {
    let mut ghosts: BTreeMap<Value, String> = BTreeMap::new();
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &structure.order {
            for &instruction in &kernel.blocks[block].instructions {
                let data = &kernel.instructions[instruction];
                let mut from = None;
                data.operation.for_each_operand(|operand| from = from.take().or_else(|| ghosts.get(&operand).cloned()));
                let (name, result) = match (&data.operation, from, data.result) {
                    // The address that a specified function without a body accesses is part of its
                    // behaviour, and not a value reserved for annotations.
                    (Operation::Annotation { name, .. }, None, _) if name == "__anywhere" => continue,
                    (Operation::Annotation { name, .. }, _, Some(result)) => (name.clone(), result),
                    (operation, Some(name), _) if !is_harmless(operation) => {
                        return Some(misuse(&name, data.location));
                    }
                    (_, Some(name), Some(result)) => (name, result),
                    _ => continue,
                };
                changed |= ghosts.insert(result, name).is_none();
            }
            let terminator = &kernel.blocks[block].terminator;
            if let Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } = terminator
                && let Some(name) = ghosts.get(value)
            {
                return Some(misuse(name, kernel.blocks[block].location));
            }
            for target in terminator.targets() {
                for (&parameter, argument) in kernel.blocks[target.block].parameters.iter().zip(&target.arguments) {
                    if let Some(name) = ghosts.get(argument).cloned() {
                        changed |= ghosts.insert(parameter, name).is_none();
                    }
                }
            }
        }
    }
    None
}

fn misuse(name: &str, location: Option<Location>) -> Misplaced {
    if is_invariant(name) {
        let message = format!(
            "the source uses the value of {name}, which has none; write it first and behind it a comma, as in \
             `while ({name}(e), i < n)` or `for (i = 0; {name}(e), i < n; i++)`"
        );
        return Misplaced { message, location };
    }
    let name =
        if name == "__other" { "the other thread's value (__other_int, __uniform_int and the like)" } else { name };
    let message = format!(
        "the kernel acts on {name}, which is for annotations only; in an annotation write & and | in place of && and ||, \
         and __ite in place of ?:"
    );
    Misplaced { message, location }
}

/// Whether an operation only computes, states or reads: nothing that others see depends on its
/// operands.
fn is_harmless(operation: &Operation) -> bool {
    match operation {
        interaction!() => false,
        // A load from an address that a thread does not compute itself is one more access, never
        // one fewer.
        Operation::Load(_)
        | Operation::Counted(_)
        | Operation::Assume(..)
        | Operation::Assert(..)
        | Operation::Annotation { .. } => true,
        computation!() => true,
    }
}

/// Whether others may see the effect of an instruction.
fn is_seen(kernel: &Kernel, instruction: Instruction) -> bool {
    match &kernel.instructions[instruction].operation {
        Operation::Store(access, _) => kernel.ty(access.pointer) != Type::Pointer(Space::Private),
        // These initialise variables.
        Operation::MemorySet { .. } | Operation::MemoryCopy { .. } => false,
        operation => !is_harmless(operation),
    }
}

fn is_head(structure: &Structure, block: Block) -> bool {
    structure.loop_of[block].is_some_and(|index| structure.loops[index].header == block)
}

/// Whether the next event that others see is a group barrier.
fn leads_to_barrier(kernel: &Kernel, instructions: &[Instruction]) -> bool {
    for &instruction in instructions {
        let operation = &kernel.instructions[instruction].operation;
        if matches!(operation, Operation::Barrier { kind: BarrierKind::Group, .. }) {
            return true;
        }
        if !is_harmless(operation) {
            return false;
        }
    }
    false
}
