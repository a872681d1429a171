//! The effects of barriers and asynchronous copies on hits.
//!
//! A **group barrier** must be reached by both threads of a group or by neither (the lock-step
//! paper, Table 4d). In lock-step, "reached" means the same barrier in the same iteration of all
//! loops (conditions B1 and B2). The barrier orders the memories that it fences: hits on local
//! memory, global memory and images are forgotten according to its flags. It orders nothing between
//! threads of different groups.
//!
//! A **group copy** is one access of the whole group that no particular thread performs. It may
//! touch any of its cells (a free index), as a log for thread 1 and as a check for thread 2. The
//! check comes first, so that a copy does not race with itself. Its hits survive barriers and end
//! when its event is waited for. Events are free values, so a wait forgets a copy only if it must
//! be that copy's event.

pub mod tickets;
pub mod warps;

use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    self, ArrayOrigin, AsyncGroup, AsyncWait, BarrierKind, Block, Instruction, Kernel, Operation, Space, SpaceSet,
    StridedSide, Value,
};
use lockstep_ir::sequential::{
    BinaryOp, CompareOp, Copies, Expression, ObligationKind, Pair, Sort, Statement, Unknown, Variable,
};
use lockstep_options::launch::Launch;

use crate::analysis::intervals::orders;
use crate::lockstep::memory::arrays::Contents;
use crate::lockstep::memory::touch::Extent;
use crate::lockstep::{Lowered, Lowering, Unsupported};

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
    pub fn barrier(&mut self, block: Block, kind: BarrierKind, fences: Fences) -> Result<(), Unsupported> {
        if self.options.one_thread {
            self.see_what_others_wrote(block, fences);
        }
        self.next_epoch();
        self.sites.end_stretch();
        match kind {
            BarrierKind::Group => {
                if self.pair == Pair::SameGroup {
                    self.check_divergence(block);
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
            BarrierKind::Named { .. } | BarrierKind::Arrive { .. } => self.unsupported("named barrier"),
            BarrierKind::Warp { mask } => {
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
            if state.event.is_some() || self.sites.follows(site, self.program.sites[site].array) {
                continue;
            }
            let array = state.kernel_array;
            let both = [0, 1].map(|thread| self.fenced(block, fences, array, thread));
            let both = self.e().and(both);
            if self.e().as_boolean(both) == Some(false) {
                continue;
            }
            let waits = self.e().not(both);
            let hit = self.program.sites[site].hit;
            let before = self.e().variable(hit);
            let after = self.e().and([before, waits]);
            self.assign(hit, after);
        }
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
            for (thread, variable) in own.into_iter().enumerate() {
                let renewed = match self.pair {
                    Pair::SameGroup => self.e().variable(at_barrier),
                    Pair::DifferentGroups | Pair::Alone => {
                        let sort = self.program.expressions.variables()[variable].sort;
                        self.unknown(&format!("{name}.renewed"), sort, Some(thread), unknown.clone())
                    }
                };
                let here = self.fenced(block, fences, array, thread);
                self.assign_if(here, variable, renewed);
            }
        }
    }

    pub fn asynchronous_copy(
        &mut self,
        block: Block,
        instruction: Instruction,
        operation: &Operation,
        result: Option<Value>,
    ) -> Result<(), Unsupported> {
        let Operation::AsyncCopy { group, to, from, count, element_bytes, stride, event } = operation else {
            return self.unsupported("asynchronous copy");
        };
        if *group == AsyncGroup::Thread {
            return self.unsupported("asynchronous copy of a single thread");
        }
        let bits = self.kernel.pointer_bits;
        if self.pair == Pair::SameGroup {
            self.check_same_arguments(
                block,
                [to.pointer, from.pointer, *count],
                [stride.map(|(_, value)| value), *event],
            );
        }
        let shared = self.pair != Pair::DifferentGroups;
        let fresh = self.copies(shared, |this, thread| {
            this.unknown("event", Sort::Bits(bits), (!shared).then_some(thread), Unknown::Choice)
        });
        for thread in 0..if shared { 1 } else { 2 } {
            let zero = self.e().number(bits, 0);
            let none = self.e().equal(*fresh.of(thread), zero);
            let some = self.e().not(none);
            self.assume(some, "an event is not the null event");
        }
        let joined = self.copies(shared, |this, thread| match event {
            Some(event) => {
                let event = this.scalar(*event, thread);
                let zero = this.e().number(bits, 0);
                let none = this.e().equal(event, zero);
                this.e().if_then_else(none, *fresh.of(thread), event)
            }
            None => *fresh.of(thread),
        });
        if let Some(result) = result {
            self.values[result] = Some(joined.map(Lowered::Scalar));
        }
        for (position, (access, side)) in [(from, StridedSide::From), (to, StridedSide::To)].into_iter().enumerate() {
            let extent = Extent::Bytes(u64::from(*element_bytes));
            let mut touch = self.touch(block, instruction, position, access.pointer, extent);
            touch.event = Some(*joined.of(0));
            for thread in 0..2 {
                let index = self.unknown("copied", Sort::Bits(bits), Some(thread), Unknown::Choice);
                let count = self.scalar(*count, thread);
                let within = self.e().compare(CompareOp::UnsignedLess, index, count);
                touch.active[thread] = self.e().and([touch.active[thread], within]);
                let mut distance = index;
                if let Some((strided, step)) = stride
                    && *strided == side
                {
                    let step = self.scalar(*step, thread);
                    distance = self.e().binary(BinaryOp::Multiply, index, step);
                }
                let bytes = Bits::new(bits, u64::from(*element_bytes));
                let distance = self.e().scale(bytes, distance);
                touch.offset[thread] = self.e().add(touch.offset[thread], distance);
            }
            if self.options.one_thread && side == StridedSide::To {
                self.written_contents(access.pointer, &touch, None);
            }
            let arrays: Vec<_> = self.facts.points_to[access.pointer].arrays.iter().copied().collect();
            for array in arrays {
                self.check_constant(&touch, array);
                self.check_bounds(&touch, array);
                let Some(&site) = self.sites.by_access.get(&(instruction, array, position)) else { continue };
                // Threads of one group take part in the same copy; threads of different groups each
                // do their own.
                if self.pair == Pair::DifferentGroups {
                    self.log(site, &touch, array);
                    self.check(site, &touch, array);
                } else {
                    self.check(site, &touch, array);
                    self.log(site, &touch, array);
                }
            }
        }
        Ok(())
    }

    fn check_same_arguments(&mut self, block: Block, pointers_and_count: [Value; 3], others: [Option<Value>; 2]) {
        let active = [self.active(block, 0), self.active(block, 1)];
        let together = self.e().equal(active[0], active[1]);
        self.assert(together, ObligationKind::BarrierDivergence { active: Copies::Each(active) });
        let mut same = Vec::new();
        for value in pointers_and_count.into_iter().chain(others.into_iter().flatten()) {
            let equal = match (*self.lowered(value).of(0), *self.lowered(value).of(1)) {
                (Lowered::Scalar(a), Lowered::Scalar(b)) => self.e().equal(a, b),
                (Lowered::Pointer(a), Lowered::Pointer(b)) => {
                    let tags = self.e().equal(a.tag, b.tag);
                    let offsets = self.e().equal(a.offset, b.offset);
                    self.e().and([tags, offsets])
                }
                _ => panic!("a pointer and a scalar meet"),
            };
            same.push(equal);
        }
        let same = self.e().and(same);
        let both = self.e().and(active);
        let good = self.e().implies(both, same);
        self.assert(good, ObligationKind::GroupOperationDivergence);
    }

    pub fn asynchronous_wait(&mut self, block: Block, wait: &AsyncWait) -> Result<(), Unsupported> {
        let AsyncWait::Events(events) = wait else {
            return self.unsupported("batches of asynchronous copies");
        };
        if self.pair == Pair::DifferentGroups {
            return Ok(());
        }
        if self.pair == Pair::SameGroup {
            self.check_divergence(block);
        }
        let both = [self.active(block, 0), self.active(block, 1)];
        let both = self.e().and(both);
        for &event in events {
            let each = [self.scalar(event, 0), self.scalar(event, 1)];
            let same = self.e().equal(each[0], each[1]);
            let good = self.e().implies(both, same);
            self.assert(good, ObligationKind::GroupOperationDivergence);
        }
        self.sites.end_stretch();
        for site in self.program.sites.keys() {
            let Some(variable) = self.sites.states[site].as_ref().and_then(|state| state.event) else { continue };
            let mine = self.e().variable(variable);
            let mut finished = Vec::new();
            for &event in events {
                let each = [0, 1].map(|thread| self.scalar(event, thread));
                let parts = each.map(|event| self.e().equal(event, mine));
                finished.push(self.e().and(parts));
            }
            let finished = self.e().or(finished);
            let forgets = self.e().and([both, finished]);
            let keeps = self.e().not(forgets);
            let hit = self.program.sites[site].hit;
            let before = self.e().variable(hit);
            let after = self.e().and([before, keeps]);
            self.assign(hit, after);
        }
        Ok(())
    }

    /// The value before the loop of a variable that represents a loop header's parameter.
    pub fn initial_value(&self, variable: Variable) -> Option<Expression> {
        self.open_loops.iter().find_map(|open| open.initial_of(variable))
    }
}
