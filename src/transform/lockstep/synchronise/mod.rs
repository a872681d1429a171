//! The effects of barriers on hits; of asynchronous copies see [`copies`], of barriers for some of
//! the threads [`named`] and [`phases`].
//!
//! A **group barrier** must be reached by both threads of a group or by neither (the lock-step
//! paper, Table 4d). In lock-step, "reached" means the same barrier in the same iteration of all
//! loops (conditions B1 and B2). The barrier orders the memories that it fences: hits on local
//! memory, global memory and images are forgotten according to its flags. It orders nothing between
//! threads of different groups.

pub mod copies;
pub mod grids;
pub mod named;
pub mod phases;
pub mod signals;
pub mod tickets;
pub mod warps;

use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    self, ArrayOrigin, BarrierKind, Block, Instruction, Kernel, Operation, Space, SpaceSet, Value,
};
use lockstep_ir::sequential::{Copies, Expression, ObligationKind, Pair, Site, Statement, Unknown, Variable};
use lockstep_options::launch::Launch;

use crate::analysis::intervals::orders;
use crate::lockstep::memory::arrays::Contents;
use crate::lockstep::{Lowering, Unsupported};

/// The memories that a barrier orders.
#[derive(Clone, Copy)]
pub struct Fences {
    /// The memories that it may order at most.
    pub spaces: SpaceSet,
    /// The flags that select among these, if they are computed.
    pub flags: Option<Value>,
}

/// Turns numbered barriers that all threads of a group wait at into group barriers. These are
/// barrier 0, for as many threads as the launch's groups have.
pub fn join_counted(kernel: &mut Kernel, launch: &Launch) {
    let sizes = launch.local_size.iter().map(|extent| extent.known().map(u64::from));
    let Some(threads) = sizes.product::<Option<u64>>() else { return };
    let number = |value| kernel.constant(value).and_then(Bits::to_u64);
    let joined: Vec<Instruction> = kernel
        .instructions
        .iter()
        .filter(|(_, data)| match data.operation {
            Operation::Barrier { kind: BarrierKind::Named { id, count: Some(count) }, .. } => {
                number(id) == Some(0) && number(count) == Some(threads)
            }
            _ => false,
        })
        .map(|(instruction, _)| instruction)
        .collect();
    for instruction in joined {
        if let Operation::Barrier { kind, .. } = &mut kernel.instructions[instruction].operation {
            *kind = BarrierKind::Group;
        }
    }
}

impl Lowering<'_> {
    pub fn barrier(
        &mut self,
        (block, instruction): (Block, Instruction),
        kind: BarrierKind,
        fences: Fences,
    ) -> Result<(), Unsupported> {
        if self.options.one_thread {
            self.see_what_others_wrote(block, fences);
        }
        self.next_epoch();
        self.sites.end_stretch();
        match kind {
            BarrierKind::Group => {
                self.signal_barrier(block, fences);
                if self.pair == Pair::SameGroup {
                    self.check_divergence(block);
                    self.state_rules(block, instruction);
                    self.forget(block, fences);
                    self.note_barrier();
                }
                // A thread that is alone in its group learns nothing from others.
                if self.pair != Pair::Alone {
                    self.renew_contents(block, fences);
                }
                self.use_barrier_invariants(block, fences)
            }
            BarrierKind::Grid => {
                self.list(Assumed::GroupsRunAtOnce);
                self.check_divergence(block);
                self.forget(block, fences);
                self.note_barrier();
                self.renew_contents(block, fences);
                Ok(())
            }
            BarrierKind::Named { .. } | BarrierKind::Arrive { .. } => self.named_barrier((block, instruction), fences),
            BarrierKind::Warp { mask } => {
                self.state_rules_of_warp(block, instruction);
                self.warp_barrier(block, mask, fences);
                Ok(())
            }
            BarrierKind::Cluster => self.unsupported("cluster barrier"),
        }
    }

    /// Notes that the loops around have a barrier.
    fn note_barrier(&mut self) {
        for open in &self.open_loops {
            self.program.loops[open.loop_].has_barrier = true;
        }
    }

    /// Asserts that both threads are here, or neither.
    fn check_divergence(&mut self, block: Block) {
        let active = [self.active(block, 0), self.active(block, 1)];
        let mut good = self.e().equal(active[0], active[1]);
        if let Some(exited) = self.exited.as_ref().map(|exited| exited.variables) {
            for (here, gone) in [(0, 1), (1, 0)] {
                let gone = self.e().variable(exited[gone]);
                let arrived = self.e().and([active[here], gone]);
                good = self.e().or([good, arrived]);
            }
            self.list(Assumed::ReturnedThreadsArrive);
        }
        self.assert(good, ObligationKind::BarrierDivergence { active: Copies::Each(active) });
    }

    /// Forgets the hits in the memories that the barrier orders.
    fn forget(&mut self, block: Block, fences: Fences) {
        self.sites.end_stretch();
        for site in self.program.sites.keys() {
            let Some(state) = &self.sites.states[site] else { continue };
            if !state.is_ordered_by_barriers() || self.sites.follows(site, self.program.sites[site].array) {
                continue;
            }
            let array = state.kernel_array;
            let both = [0, 1].map(|thread| self.fenced(block, fences, array, thread));
            let both = self.e().and(both);
            if self.e().as_boolean(both) == Some(false) {
                continue;
            }
            self.forget_if(site, both);
        }
    }

    /// Forgets the hit of a site under a condition. A copy of a thread is forgotten only if the
    /// thread has waited for it.
    pub fn forget_if(&mut self, site: Site, condition: Expression) {
        let waited = self.sites.states[site].as_ref().and_then(|state| state.waited);
        let forgets = match waited.filter(|_| !self.is_one_thread()) {
            Some(waited) => {
                let waited = self.e().variable(waited);
                self.e().and([condition, waited])
            }
            None => condition,
        };
        let keeps = self.e().not(forgets);
        let hit = self.program.sites[site].hit;
        let before = self.e().variable(hit);
        let after = self.e().and([before, keeps]);
        self.assign(hit, after);
    }

    /// Whether a thread is at the barrier, and its flags order accesses to the array.
    pub fn fenced(&mut self, block: Block, fences: Fences, array: kernel::Array, thread: usize) -> Expression {
        if !orders(self.kernel, array, fences.spaces) {
            return self.e().boolean(false);
        }
        let active = self.active(block, thread);
        let Some(flags) = fences.flags else { return active };
        let data = &self.kernel.arrays[array];
        let bit = match (data.origin, data.space) {
            (ArrayOrigin::Image { .. }, _) => 2,
            (_, Space::Global) => 1,
            (_, Space::Local) => 0,
            (_, Space::Private | Space::Constant | Space::Generic) => return self.e().boolean(false),
        };
        let flags = self.scalar(flags, thread);
        let flag = self.e().extract(bit, bit, flags);
        let set = self.e().number(1, 1);
        let set = self.e().equal(flag, set);
        self.e().and([active, set])
    }

    /// Makes the writes of other threads visible: arrays get new unknown contents, the same for
    /// threads of one group. A thread's own copy is renewed whenever the thread is at the barrier,
    /// even if the other is not.
    fn renew_contents(&mut self, block: Block, fences: Fences) {
        let arrays: Vec<_> = self.arrays.iter().collect();
        for (array, state) in arrays {
            let Contents::Shared { at_barrier, own } = state.contents else { continue };
            if !orders(self.kernel, array, fences.spaces) {
                continue;
            }
            let name = self.kernel.arrays[array].name.clone();
            let unknown = Unknown::Contents(name.clone());
            if self.pair == Pair::SameGroup {
                let location = self.location;
                self.emit(Statement::Havoc { variable: at_barrier, unknown: unknown.clone(), location });
            }
            let Some(own) = own else { continue };
            let mut seen = None;
            for (thread, variable) in own.into_iter().enumerate() {
                let renewed = match self.pair {
                    Pair::SameGroup => self.e().variable(at_barrier),
                    Pair::DifferentGroups | Pair::Alone => {
                        let sort = self.program.expressions.variables()[variable].sort;
                        self.unknown(&format!("{name}.renewed"), sort, Some(thread), unknown.clone())
                    }
                    // Both are the contents that one thread sees.
                    Pair::SameThread => seen.unwrap_or_else(|| {
                        let sort = self.program.expressions.variables()[variable].sort;
                        self.unknown(&format!("{name}.renewed"), sort, None, unknown.clone())
                    }),
                };
                seen = Some(renewed);
                let here = self.fenced(block, fences, array, thread);
                self.assign_if(here, variable, renewed);
            }
        }
    }

    /// The value before the loop of a variable that represents a loop header's parameter.
    pub fn initial_value(&self, variable: Variable) -> Option<Expression> {
        self.open_loops.iter().find_map(|open| open.initial_of(variable))
    }
}
