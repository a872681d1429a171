//! Asynchronous copies, and their effects on hits.
//!
//! A **group copy** (OpenCL's `async_work_group_copy`) is one access of the whole group that no
//! particular thread performs. It may touch any of its cells (a free index), as a log for thread 1
//! and as a check for thread 2. The check comes first, so that a copy does not race with itself.
//! Its hits survive barriers and end when its event is waited for. Events are free values, so a
//! wait forgets a copy only if it must be that copy's event.
//!
//! A **copy of a thread** (`cp.async`; PTX ISA, "Data movement and conversion: asynchronous copy")
//! is made beside the thread that starts it, at any time until the thread waits for its batch. The
//! thread itself must not touch what it copies before that wait. Other threads must not before a
//! barrier *behind* the wait. All that comes before the start of the copy is ordered before it, as
//! by a fork. So it is an access of its thread with three differences:
//!
//! * its hit records the number of its batch ([`number_batches`]), and `waited` begins as false;
//! * a wait for which the number says so makes `waited` true. It orders the copy before what thread
//!   1 does next, and nothing else: a barrier forgets the hit only if `waited` holds. A barrier
//!   that both threads pass before the wait leaves it, as the copy may still be made behind it;
//! * the thread races with its own copies. The programs of two threads do not see that, as thread 2
//!   is another one. So there is a program of its own, of [`Pair::SameThread`]: both threads are
//!   one, only hits of copies conflict, and a wait forgets them at once. A copy is compared with
//!   earlier ones of the same thread before it is logged.
//!
//! A thread may copy **several elements** at once. It then touches any one of them, as a group copy
//! does. They are apart from each other, so that a copy does not race with itself.
//!
//! A **shared copy** (`cg::memcpy_async`) is parted among the threads of the group, in a way that
//! nobody knows. Each thread copies its part for itself, and waits for that part only. So each of
//! the two threads touches any one of the elements, as if it copied all of them. This includes the
//! pairs of elements of every way to part them, and more: both threads may touch the same element.
//! Within one copy they do not, and the check comes first there, as for a group copy. It is
//! complete for a pair of one group, because both make the same copies together: this is asserted,
//! with the pointers and the count. Threads of different groups make different copies. Other copies
//! of the same elements may be parted in another way, so that they race unless they are ordered
//! between all threads.
//!
//! Thread 1's waits are enough. For a race between an access of one thread and a copy of another,
//! take the thread of the copy as thread 1. If the access comes after the copy is started, in the
//! order of the program's statements, the hit of the copy is checked. If it comes before, and no
//! barrier is between them, take the other thread as thread 1: its access is logged, and a copy is
//! checked like any access. With a barrier in between the access is ordered before the copy.
//!
//! The contents of arrays that copies write are adversarial
//! ([`intervals`](crate::analysis::intervals)), so nothing is known of a value that is loaded while
//! a copy may change it.
//!
//! A copy reads `count` bytes, and the proof takes it to read the whole element unless that is
//! none. It writes the whole element, zeros included. Copies are not taken to
//! write equal values: two copies into one cell always race.

use std::collections::BTreeSet;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    Access, AsyncGroup, AsyncWait, Block, Definition, Instruction, Kernel, Operation, StridedSide, Value,
};
use lockstep_ir::sequential::{
    BinaryOp, CompareOp, Copies, Expression, Loop, ObligationKind, Pair, Site, Sort, Unknown, Variable,
};

use crate::analysis::structure::LoopIndex;
use crate::lockstep::loops::OpenLoop;
use crate::lockstep::memory::touch::{Extent, Touch};
use crate::lockstep::{Lowered, Lowering, Unsupported};

/// The most numbers of remaining batches in waits for which invariants are suggested.
const KEPT: usize = 4;

/// The most batches that are closed between a wait and the head of a loop.
const BEHIND: u64 = 2;

/// The most stages of a pipeline that are in flight, for which invariants are suggested.
const STAGES: u64 = 3;

/// Whether threads start copies for themselves.
pub fn are_of_threads(kernel: &Kernel) -> bool {
    let is_such =
        |operation: &Operation| matches!(operation, Operation::AsyncCopy { group, .. } if group.is_of_threads());
    kernel.instructions.values().any(|data| is_such(&data.operation))
}

impl Lowering<'_> {
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
        if self.pair == Pair::SameGroup && group.is_collective() {
            let event = event.filter(|_| !group.is_of_threads());
            self.check_same_arguments(
                block,
                [to.pointer, from.pointer, *count],
                [stride.map(|(_, value)| value), event],
            );
        }
        if group.is_of_threads() {
            let Some(batch) = *event else { return self.unsupported("asynchronous copy in a batch without a number") };
            self.copy_of_thread(block, instruction, *group, [from, to], (*count, *element_bytes), batch);
            return Ok(());
        }
        let bits = self.kernel.pointer_bits;
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
            // Threads of one group take part in the same copy; threads of different groups each do
            // their own.
            self.compare_copy(access.pointer, &touch, self.pair != Pair::DifferentGroups);
        }
        Ok(())
    }

    /// Lets each thread touch any one of the elements of so many bytes, which begin at the touched
    /// offset. The last of them may be a part, but is touched as a whole.
    fn touch_any_element(&mut self, touch: &mut Touch, bytes: Value, element_bytes: u32) {
        let bits = self.kernel.pointer_bits;
        let size = Bits::new(bits, u64::from(element_bytes));
        for thread in 0..2 {
            let index = self.unknown("copied", Sort::Bits(bits), Some(thread), Unknown::Choice);
            let distance = self.e().scale(size.clone(), index);
            // The index is so small that its distance does not wrap.
            let most = self.e().bits(Bits::ones(bits).udiv(&size));
            let bytes = self.scalar(bytes, thread);
            let within = [
                self.e().compare(CompareOp::UnsignedLessEqual, index, most),
                self.e().compare(CompareOp::UnsignedLess, distance, bytes),
            ];
            touch.active[thread] = self.e().and([touch.active[thread], within[0], within[1]]);
            touch.offset[thread] = self.e().add(touch.offset[thread], distance);
        }
    }

    /// Logs and checks one side of a copy, for each array that the pointer may point into. If both
    /// threads make the same copy, it is checked first: it does not race with itself.
    fn compare_copy(&mut self, pointer: Value, touch: &Touch, is_same_copy: bool) {
        let arrays: Vec<_> = self.facts.points_to[pointer].arrays.iter().copied().collect();
        for array in arrays {
            self.check_constant(touch, array);
            self.check_bounds(touch, array);
            let Some(&site) = self.sites.by_access.get(&(touch.instruction, array, touch.position)) else { continue };
            if is_same_copy {
                self.check(site, touch, array);
                self.log(site, touch, array);
            } else {
                self.log(site, touch, array);
                self.check(site, touch, array);
            }
        }
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
        let events = match wait {
            AsyncWait::Events(events) => events,
            AsyncWait::Batches { closed: Some(closed), kept } => {
                self.wait_for_batches(block, *closed, *kept);
                return Ok(());
            }
            AsyncWait::Commit | AsyncWait::AllBut(_) | AsyncWait::Batches { closed: None, .. } => {
                return self.unsupported("batches of asynchronous copies without numbers");
            }
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
            let Some(state) = self.sites.states[site].as_ref().filter(|state| state.waited.is_none()) else { continue };
            let Some(variable) = state.event else { continue };
            let mine = self.e().variable(variable);
            let mut finished = Vec::new();
            for &event in events {
                let each = [0, 1].map(|thread| self.scalar(event, thread));
                let parts = each.map(|event| self.e().equal(event, mine));
                finished.push(self.e().and(parts));
            }
            let finished = self.e().or(finished);
            let forgets = self.e().and([both, finished]);
            self.forget_if(site, forgets);
        }
        Ok(())
    }

    // --- Copies of a thread ----------------------------------------------------------------------

    fn copy_of_thread(
        &mut self,
        block: Block,
        instruction: Instruction,
        group: AsyncGroup,
        [from, to]: [&Access; 2],
        (count, element_bytes): (Value, u32),
        batch: Value,
    ) {
        let extent = Extent::Bytes(u64::from(element_bytes));
        for (position, access) in [from, to].into_iter().enumerate() {
            let mut touch = self.touch(block, instruction, position, access.pointer, extent);
            touch.event = Some(self.scalar(batch, 0));
            if group != AsyncGroup::Thread {
                self.touch_any_element(&mut touch, count, element_bytes);
            } else if position == 0 {
                for thread in 0..2 {
                    let read = self.scalar(count, thread);
                    let zero = self.program.expressions.number(self.kernel.pointer_bits, 0);
                    let none = self.e().equal(read, zero);
                    let some = self.e().not(none);
                    touch.active[thread] = self.e().and([touch.active[thread], some]);
                }
            }
            self.check_alignment(&touch);
            if self.options.one_thread && position == 1 {
                self.written_contents(access.pointer, &touch, None);
            }
            let is_shared = group == AsyncGroup::Shared && self.pair == Pair::SameGroup;
            self.compare_copy(access.pointer, &touch, is_shared || self.is_one_thread());
        }
    }

    /// Notes which of thread 1's copies have been made.
    fn wait_for_batches(&mut self, block: Block, closed: Value, kept: u32) {
        if self.pair == Pair::DifferentGroups {
            return;
        }
        self.sites.end_stretch();
        let (here, closed) = (self.active(block, 0), self.scalar(closed, 0));
        for site in self.program.sites.keys() {
            let Some(state) = &self.sites.states[site] else { continue };
            let (Some(batch), Some(waited)) = (state.event, state.waited) else { continue };
            let batch = self.e().variable(batch);
            let needed = self.with_later(batch, u64::from(kept));
            let is_made = self.e().compare(CompareOp::UnsignedLess, needed, closed);
            let is_made = self.e().and([here, is_made]);
            if self.is_one_thread() {
                self.forget_if(site, is_made);
            } else {
                let before = self.e().variable(waited);
                let is_new = self.e().not(before);
                let ends = self.e().and([is_new, is_made]);
                self.end_copy_in_rounds(site, ends);
                let after = self.e().or([before, is_made]);
                self.assign(waited, after);
            }
        }
    }

    /// The number of a batch plus a number of later ones.
    fn with_later(&mut self, batch: Expression, later: u64) -> Expression {
        let later = self.program.expressions.number(self.kernel.pointer_bits, later);
        self.e().add(batch, later)
    }

    /// Suggests invariants about pending copies for the head of a loop.
    ///
    /// With `c` batches closed at the head, a hit of batch `b` for which nobody has waited yet has
    /// `c ≤ b + kept + m`: the last wait left at most `kept` batches, and `m` have been closed
    /// since. This is said of a thread that goes on: one that leaves does not wait again, and
    /// `c` is computed all the same. If a barrier follows each wait, `waited` does not hold at the
    /// head.
    pub fn suggest_of_copies(&mut self, index: LoopIndex, loop_: Loop) {
        let sites: Vec<Site> = self.program.sites.keys().collect();
        let of_copy = |this: &Self, site: Site| {
            let state = this.sites.states[site].as_ref()?;
            Some((state.event?, state.waited?))
        };
        if self.pair == Pair::DifferentGroups || !sites.iter().any(|&site| of_copy(self, site).is_some()) {
            return;
        }
        let closed = self.closed_at(self.facts.structure.loops[index].header);
        let closed: Vec<Expression> = closed.into_iter().map(|closed| self.scalar(closed, 0)).collect();
        let kept = self.kept_by_waits();
        self.suggest_of_numbers(loop_, &closed);
        let active = *self.program.loops[loop_].active.of(0);
        let active = self.e().variable(active);
        for site in sites {
            let Some((batch, waited)) = of_copy(self, site) else { continue };
            let hit = self.program.sites[site].hit;
            let [hit, batch, waited] = [hit, batch, waited].map(|variable| self.e().variable(variable));
            let pending = self.e().not(waited);
            let is_pending = self.e().implies(hit, pending);
            self.suggest_condition(loop_, is_pending);
            let pending = if self.is_one_thread() { [hit, active] } else { [hit, self.e().and([pending, active])] };
            let pending = self.e().and(pending);
            for &closed in &closed {
                for op in [CompareOp::UnsignedLess, CompareOp::UnsignedLessEqual] {
                    let is_older = self.e().compare(op, batch, closed);
                    let is_older = self.e().implies(hit, is_older);
                    self.suggest_condition(loop_, is_older);
                }
                for later in kept.iter().flat_map(|kept| (0..=BEHIND).map(move |behind| u64::from(*kept) + behind)) {
                    let most = self.with_later(batch, later);
                    let is_late = self.e().compare(CompareOp::UnsignedLessEqual, closed, most);
                    let is_late = self.e().implies(pending, is_late);
                    self.suggest_condition(loop_, is_late);
                }
            }
        }
    }

    /// Suggests how far apart the numbers are that count batches (`stages` ahead of each other), at
    /// the head of a loop and where a thread leaves it.
    fn suggest_of_numbers(&mut self, loop_: Loop, at_head: &[Expression]) {
        let active = *self.program.loops[loop_].active.of(0);
        let mut places = vec![(active, at_head.to_vec())];
        let numbers = self.numbers_of_batches();
        let exits = self.open_loops.last().map(OpenLoop::exits).unwrap_or_default();
        for (taken, to, slots) in exits {
            let parameters = self.kernel.blocks[to].parameters.iter().zip(slots);
            let left_with = parameters.filter(|(parameter, _)| numbers.contains(parameter));
            let left_with: Vec<Variable> = left_with.filter_map(|(_, slot)| slot).collect();
            places.push((taken, left_with.into_iter().map(|slot| self.e().variable(slot)).collect()));
        }
        for (here, numbers) in places {
            let here = self.e().variable(here);
            for (&a, &b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (a, b))).filter(|(a, b)| a != b) {
                for stages in 0..=STAGES {
                    let ahead = self.with_later(b, stages);
                    for [less, more] in [[a, ahead], [ahead, a]] {
                        let is_so = self.e().compare(CompareOp::UnsignedLessEqual, less, more);
                        let is_so = self.e().implies(here, is_so);
                        self.suggest_condition(loop_, is_so);
                    }
                }
            }
        }
    }

    /// The numbers of batches that waits may leave.
    fn kept_by_waits(&self) -> Vec<u32> {
        let kept: BTreeSet<u32> = self
            .kernel
            .instructions
            .values()
            .filter_map(|data| match data.operation {
                Operation::AsyncWait(AsyncWait::Batches { kept, .. }) => Some(kept),
                _ => None,
            })
            .collect();
        kept.into_iter().take(KEPT).collect()
    }

    /// The numbers of batches when a block begins: of those that are closed, and others that waits
    /// are computed from, if the kernel has values for them there.
    fn closed_at(&self, block: Block) -> Vec<Value> {
        let numbers = self.numbers_of_batches();
        let of_parameters = |block: Block| -> Vec<Value> {
            let parameters = self.kernel.blocks[block].parameters.iter().copied();
            parameters.filter(|parameter| numbers.contains(parameter)).collect()
        };
        let at_end = |block: Block| {
            let results = self.kernel.blocks[block].instructions.iter().rev();
            let results = results.filter_map(|&instruction| self.kernel.instructions[instruction].result);
            results.into_iter().find(|result| numbers.contains(result))
        };
        let here = of_parameters(block);
        if !here.is_empty() {
            return here;
        }
        // Where different numbers meet there is a parameter, so that any way to the block will do.
        let structure = &self.facts.structure;
        let position = |block: &Block| structure.order.iter().position(|other| other == block);
        let before = |block: &Block| structure.predecessors[*block].iter().copied().min_by_key(position);
        let ways = std::iter::successors(before(&block), before).take(structure.order.len());
        let found = ways.map(|block| at_end(block).map_or_else(|| of_parameters(block), |end| vec![end]));
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The values that count closed batches: those that copies and waits name, and what they are
    /// computed from.
    fn numbers_of_batches(&self) -> BTreeSet<Value> {
        let mut pending: Vec<Value> = self
            .kernel
            .instructions
            .values()
            .filter_map(|data| match data.operation {
                Operation::AsyncCopy { group, event, .. } if group.is_of_threads() => event,
                Operation::AsyncWait(AsyncWait::Batches { closed, .. }) => closed,
                _ => None,
            })
            .collect();
        let mut found = BTreeSet::new();
        while let Some(value) = pending.pop() {
            if !found.insert(value) {
                continue;
            }
            match self.kernel.values[value].definition {
                Definition::Result(instruction) => match self.kernel.instructions[instruction].operation {
                    Operation::Binary(_, _, a, b) | Operation::Select(_, a, b) => {
                        pending.extend([a, b].into_iter().filter(|&value| self.kernel.constant(value).is_none()));
                    }
                    _ => {}
                },
                Definition::Parameter(block, position) => {
                    let targets = self.kernel.blocks.values().flat_map(|data| data.terminator.targets());
                    let position = usize::try_from(position).expect("positions are small");
                    pending.extend(
                        targets.filter(|target| target.block == block).map(|target| target.arguments[position]),
                    );
                }
            }
        }
        found
    }
}
