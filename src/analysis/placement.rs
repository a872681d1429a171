//! Whether annotations stand where they must.
//!
//! A loop invariant stands at the head of its loop, a barrier invariant directly before its barrier: nothing that is seen
//! by others may happen in between. One that stands elsewhere is a mistake of the source, whose author is told the right place.

use lockstep_ir::kernel::{BarrierKind, Block, Kernel, Operation};
use lockstep_ir::source::Location;

use super::structure::Structure;

/// An annotation in the wrong place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misplaced {
    /// What is wrong, with the right place.
    pub message: String,
    /// Where it stands.
    pub location: Option<Location>,
}

/// The first annotation that stands where it must not.
pub fn misplaced(kernel: &Kernel, structure: &Structure) -> Option<Misplaced> {
    for &block in &structure.order {
        let instructions = &kernel.blocks[block].instructions;
        for (position, &instruction) in instructions.iter().enumerate() {
            let data = &kernel.instructions[instruction];
            let Operation::Annotation { name, .. } = &data.operation else { continue };
            let message = match name.as_str() {
                "__invariant" | "__global_invariant" | "__candidate_invariant" | "__candidate_global_invariant"
                    if !is_head(structure, block) =>
                {
                    format!(
                        "{name} does not stand at the head of a loop; write it first in the loop's condition, as in \
                         `while ({name}(e), i < n)` or `for (i = 0; {name}(e), i < n; i++)`, without &&, || and ?: (use \
                         &, | and __implies)"
                    )
                }
                _ if name.starts_with("__barrier_invariant_")
                    && !leads_to_barrier(kernel, block, &instructions[position..]) =>
                {
                    format!("{name} does not stand directly before a barrier")
                }
                _ => continue,
            };
            return Some(Misplaced { message, location: data.location });
        }
    }
    None
}

fn is_head(structure: &Structure, block: Block) -> bool {
    structure.loop_of[block].is_some_and(|index| structure.loops[index].header == block)
}

/// Whether the next thing that is seen by others is a group barrier.
fn leads_to_barrier(kernel: &Kernel, block: Block, instructions: &[lockstep_ir::kernel::Instruction]) -> bool {
    debug_assert!(instructions.iter().all(|instruction| kernel.blocks[block].instructions.contains(instruction)));
    for &instruction in instructions {
        match &kernel.instructions[instruction].operation {
            Operation::Barrier { kind: BarrierKind::Group, .. } => return true,
            Operation::Store(..)
            | Operation::Atomic { .. }
            | Operation::MemoryCopy { .. }
            | Operation::MemorySet { .. }
            | Operation::ImageRead { .. }
            | Operation::ImageWrite { .. }
            | Operation::Fence { .. }
            | Operation::Barrier { .. }
            | Operation::WarpExchange { .. }
            | Operation::AsyncCopy { .. }
            | Operation::AsyncWait(_)
            | Operation::Phase { .. } => return false,
            Operation::Load(_)
            | Operation::Assume(..)
            | Operation::Assert(..)
            | Operation::Annotation { .. }
            | Operation::Constant(_)
            | Operation::Undefined
            | Operation::Parameter(_)
            | Operation::ThreadQuery(_)
            | Operation::Unary(..)
            | Operation::Binary(..)
            | Operation::Compare(..)
            | Operation::Select(..)
            | Operation::Convert(..)
            | Operation::Extract { .. }
            | Operation::Concat(..)
            | Operation::Float(..)
            | Operation::Uninterpreted(..)
            | Operation::ArrayBase(_)
            | Operation::Null
            | Operation::PointerAdd { .. }
            | Operation::SpaceCast(_)
            | Operation::PointerToInteger(_)
            | Operation::IntegerToPointer(_)
            | Operation::PointerEqual(..)
            | Operation::PointerDifference(..) => {}
        }
    }
    false
}
