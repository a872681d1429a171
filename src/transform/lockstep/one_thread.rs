//! Lowering of the kernel for one thread after predication, for reading.
//!
//! The walk is the same as for the program of two threads, with everything uniform and nothing
//! instrumented. The predicates, loops and values are those of the lock-step program before it is
//! dualised. Memory is shown as the thread itself sees it. The thread sees its own writes and, at a
//! barrier it takes part in, the writes that the barrier makes visible. (In the program of two
//! threads, stores become hits and checks, and loads are abstracted further.)

use lockstep_ir::kernel::{Block, Space, VerifiedKernel};
use lockstep_ir::sequential::{Pair, Program, Unknown};
use lockstep_options::launch::Launch;

use super::memory::arrays::Contents;
use super::synchronise::Fences;
use super::{LockstepOptions, Lowering, NotLowered, lower};
use crate::analysis::intervals::orders;

/// The sequential program that one thread of a launch executes.
pub fn lower_one_thread(
    kernel: &VerifiedKernel,
    launch: &Launch,
    options: &LockstepOptions,
) -> Result<Program, NotLowered> {
    let options = LockstepOptions { one_thread: true, ..options.clone() };
    let program = lower(kernel, launch, Pair::Alone, &options)?;
    Ok(program.expect("there is always a thread").into_inner().of_first_thread())
}

impl Lowering<'_> {
    /// Makes the writes of other threads visible to this one.
    pub fn see_what_others_wrote(&mut self, block: Block, fences: Fences) {
        for (array, state) in self.arrays.iter().collect::<Vec<_>>() {
            let data = &self.kernel.arrays[array];
            let Contents::Private([variable, _]) = state.contents else { continue };
            if data.space == Space::Private || !orders(self.kernel, array, fences.spaces) {
                continue;
            }
            let (name, unknown) = (format!("{}.visible", data.name), Unknown::Contents(data.name.clone()));
            let sort = self.program.expressions.variables()[variable].sort;
            let visible = self.unknown(&name, sort, Some(0), unknown);
            let here = self.fenced(block, fences, array, 0);
            self.assign_if(here, variable, visible);
        }
    }
}
