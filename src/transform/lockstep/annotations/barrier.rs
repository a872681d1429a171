//! Barrier invariants: facts that hold for every thread when it comes to a barrier, and that other
//! threads may use after it.

use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::{Block, Kernel, Operation, ThreadQuery, Value};
use lockstep_ir::sequential::{CompareOp, Pair};
use lockstep_ir::source::Location;

use super::mentions::loaded_arrays;
use crate::analysis::intervals::orders;
use crate::lockstep::memory::arrays::Contents;
use crate::lockstep::recompute::{Instance, Place};
use crate::lockstep::synchronise::Fences;
use crate::lockstep::{Lowered, Lowering, Unsupported};

/// A fact that holds for every thread at the next barrier.
#[derive(Clone, Debug)]
pub struct BarrierInvariant {
    condition: Value,
    /// The threads, or pairs of threads, for which the fact is needed.
    ids: Vec<Value>,
    /// Whether the fact is about two threads.
    binary: bool,
    location: Option<Location>,
}

/// Whether a kernel has barrier invariants.
pub fn has_barrier_invariants(kernel: &Kernel) -> bool {
    kernel.instructions.values().any(
        |data| matches!(&data.operation, Operation::Annotation { name, .. } if name.starts_with("__barrier_invariant_")),
    )
}

impl Lowering<'_> {
    pub fn barrier_invariant(&mut self, block: Block, name: &str, operands: &[Value]) -> Result<(), Unsupported> {
        let &[condition, ref ids @ ..] = operands else { return self.unsupported(format!("annotation {name}")) };
        let binary = name.contains("_binary_");
        let stated = self.stated(block, condition, false);
        if stated.mentions.accesses || (stated.mentions.other && !binary) {
            return self.unsupported(format!("{name} about accesses or, unless it is binary, the other thread"));
        }
        match self.pair {
            Pair::SameGroup => self.state(stated)?,
            // A binary invariant is about two threads of one group.
            Pair::Alone | Pair::DifferentGroups | Pair::SameThread if binary => {}
            Pair::Alone | Pair::DifferentGroups | Pair::SameThread => self.state(stated)?,
        }
        if self.options.no_barrier_access_checks {
            self.list(Assumed::BarrierAccessesUnchecked);
        }
        self.barrier_invariants.push(BarrierInvariant {
            condition,
            ids: ids.to_vec(),
            binary,
            location: self.location,
        });
        Ok(())
    }

    /// Assumes the invariants that stand before a barrier for the threads that need them.
    ///
    /// # Why this is sound
    ///
    /// The invariant has been proved for an arbitrary thread of the group (for two, if it is
    /// binary) where it stands, directly before the barrier, in the same block. So it holds for
    /// each thread that comes to the barrier, and all threads of the group do, since that too is
    /// asserted. (Where threads that have returned count as having arrived, nothing is assumed.) A
    /// thread's reads in the invariant are accesses, which race with no write of another thread
    /// between the last barrier and this one. So the thread sees the contents of memory when all
    /// threads have arrived. Afterwards an array that the barrier orders holds exactly these
    /// contents: its new contents at the barrier satisfy the invariant of each thread. An array
    /// that the barrier does not order, or perhaps does not, has no new contents; an invariant that
    /// reads one is not assumed.
    ///
    /// Threads of different groups each have their own group's memory: a thread's copy of an array
    /// is renewed with the contents of the array for the thread's group. (A thread of another group
    /// that writes there races with those that state the fact.)
    ///
    /// An invariant is assumed for a thread id only if there is a thread with that id in the first
    /// dimension. In the other dimensions its ids are those of the thread that needs the fact. A
    /// binary invariant is assumed only for two different threads. Values besides memory are
    /// computed from that thread's ids. A value that is computed from other things must be the same
    /// for all threads of the group ([`Lowering::recomputed`]).
    pub fn use_barrier_invariants(&mut self, block: Block, fences: Fences) -> Result<(), Unsupported> {
        let at_barrier = self.location;
        for BarrierInvariant { condition, ids, binary, location } in std::mem::take(&mut self.barrier_invariants) {
            self.location = location;
            let ordered = fences.flags.is_none()
                && loaded_arrays(self.kernel, &self.facts.points_to, condition).is_some_and(|arrays| {
                    arrays.iter().all(|&array| {
                        let written = !matches!(self.arrays.get(array).contents, Contents::Function(_));
                        !written || orders(self.kernel, array, fences.spaces)
                    })
                });
            if self.is_one_thread() || self.exited.is_some() || !ordered {
                continue;
            }
            for wanted in ids.chunks(if binary { 2 } else { 1 }) {
                for thread in 0..2 {
                    self.assume_of(block, condition, wanted, thread)?;
                }
            }
        }
        self.location = at_barrier;
        Ok(())
    }

    /// Assumes an invariant for the threads that one of the two threads needs it for.
    fn assume_of(
        &mut self,
        block: Block,
        condition: Value,
        wanted: &[Value],
        thread: usize,
    ) -> Result<(), Unsupported> {
        let bits = self.kernel.pointer_bits;
        let size = match *self.thread_query(ThreadQuery::LocalSize(0))?.of(thread) {
            Lowered::Scalar(size) => size,
            Lowered::Pointer(_) => return self.unsupported("group size"),
        };
        let mut applies = vec![self.active(block, thread)];
        let mut ids = Vec::new();
        for &id in wanted {
            let id = self.scalar(id, thread);
            let width = self.e().width(id);
            let wide = self.e().zero_extend(width.max(bits), size);
            let id = if width < bits { self.e().sign_extend(bits, id) } else { id };
            applies.push(self.e().compare(CompareOp::UnsignedLess, id, wide));
            ids.push(if width > bits { self.e().extract(bits - 1, 0, id) } else { id });
        }
        // With different groups, each thread needs facts about its own group.
        let like = if self.pair == Pair::DifferentGroups { [thread; 2] } else { [thread, 1 - thread] };
        let ids = match *ids.as_slice() {
            [one] => [one; 2],
            [one, other] => {
                let mut same = vec![self.e().equal(one, other)];
                for dimension in [1, 2] {
                    let own = self.thread_query(ThreadQuery::LocalId(dimension))?;
                    if let [Lowered::Scalar(a), Lowered::Scalar(b)] = like.map(|thread| *own.of(thread)) {
                        same.push(self.e().equal(a, b));
                    }
                }
                let same = self.e().and(same);
                applies.push(self.e().not(same));
                [one, other]
            }
            _ => return self.unsupported("barrier invariant with an odd number of threads"),
        };
        let instance = Instance { ids, like };
        let holds = self.recomputed(condition, Place { block, instance: Some(instance) })?[0];
        let applies = self.e().and(applies);
        let holds = self.e().implies(applies, holds);
        self.assume(holds, "the barrier invariant has been shown of each thread");
        Ok(())
    }
}
