//! PTX: inline assembly of CUDA sources ([`inline`]), and whole files.
//!
//! [`read`] makes statements of the text, which are executed in order on the registers of a
//! [`machine`]. The result of an instruction is exact, a function of its operands of which only the
//! name is known, or anything. Its effect on memory and on other threads is exact, or the
//! instruction is refused by name. A guard (`@p`) chooses between the old and the new contents of
//! registers; a guarded access, barrier or exchange gets a block of its own.

mod aliases;
mod calls;
mod declare;
mod flatten;
mod graph;
mod import;
mod inline;
mod integers;
mod lower;
mod machine;
mod memory;
mod module;
mod moves;
mod names;
mod parameters;
mod phases;
mod places;
mod pointers;
mod read;
mod rounds;
mod slots;
mod synchronise;
mod taint;
mod types;

use crate::builtins::Unsupported;
pub use import::import;
pub use inline::{Assembly, assembly};
use machine::Machine;
use read::Instruction;

/// Appends an instruction. `Ok(false)` for an unknown one.
type Chapter = fn(&mut Machine, &Instruction) -> Result<bool, Unsupported>;

/// Executes an instruction that depends on its operands only. `Ok(false)` for an unknown one.
fn computation(machine: &mut Machine, instruction: &Instruction) -> Result<bool, Unsupported> {
    const CHAPTERS: [Chapter; 5] =
        [pointers::expand, moves::expand, integers::expand, moves::float_arithmetic, moves::function];
    for chapter in CHAPTERS {
        if chapter(machine, instruction)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Executes an instruction that touches memory or other threads. `Ok(false)` for an unknown one.
fn effect(machine: &mut Machine, instruction: &Instruction) -> Result<bool, Unsupported> {
    const CHAPTERS: [Chapter; 3] = [memory::expand, synchronise::expand, phases::expand];
    for chapter in CHAPTERS {
        if chapter(machine, instruction)? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests;
