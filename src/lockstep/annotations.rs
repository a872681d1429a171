//! Annotations: what the source states about loops, about both threads, and about accesses.
//!
//! # Statements
//!
//! Whatever the source states is asserted before anything may rely on it; only `__assume` and `__requires` are assumed,
//! and a report lists them.
//!
//! A **loop invariant** is an assertion at the head of its loop, and a suggestion to the search for
//! invariants ([`Program::suggested`](lockstep_ir::sequential::Program::suggested)). The assertion is what must hold; the
//! suggestion makes an inductive one useful. It is suggested over the state at the head: what the statements between the
//! head and the annotation assign is substituted ([`Lowering::at_head`]). One that is a **candidate** is suggested alone.
//!
//! What concerns one thread is claimed like everything of that kind ([`super::claims`]). Three kinds of statements cannot
//! be: those about both threads, those about threads that are not active (`__global_…`), and those about accesses, of
//! which only thread 1's are logged. What other pairs of threads have shown says nothing about them, since they are about
//! this pair, so they are asserted in the programs of *all* pairs; that makes a program even for pairs that race
//! nowhere ([`concerns_pairs`]). Of thread 2 they are assumed, as the threads are interchangeable; statements
//! about accesses are not made of it at all. A thread alone in its group has no other to be compared with: a statement
//! about both is then about no pair, and not made.
//!
//! # Accesses
//!
//! `__read(p)` says that thread 1 has a hit (see [`super::access`]) at a site that reads the array, and `__read_offset_bytes(p)`
//! is where the watched cell lies. Both together mean *each* access that no barrier has ordered yet, since the
//! watched cell and the choice of hits are free. Arrays that are asked about have sites even if nothing can race there.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{
    self, Access, AssertKind, Block, Definition, Kernel, Operation, Space, Terminator, ThreadQuery, Type, Value,
};
use lockstep_ir::sequential::{
    AccessKind, CompareOp, Copies, Expression, Loop, ObligationKind, Pair, Site, Statement, Suggestion, Variable,
};
use lockstep_ir::source::Location;

use super::arrays::Contents;
use super::recompute::{Instance, Place};
use super::synchronise::Fences;
use super::{Lowered, Lowering, PointerExpression, TAG_WIDTH, Unsupported};
use crate::analysis::intervals::orders;
use crate::analysis::pointers::PointsTo;
use crate::analysis::structure::Structure;

/// What a condition mentions besides the thread's own state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Mentions {
    /// The other thread.
    other: bool,
    /// Logged accesses.
    accesses: bool,
    /// To local memory.
    local: bool,
    /// To global memory.
    global: bool,
}

/// A fact that holds of every thread at the next barrier.
#[derive(Clone, Debug)]
pub struct BarrierInvariant {
    condition: Value,
    /// The threads, or pairs of threads, that it is wanted for.
    ids: Vec<Value>,
    /// Whether it is one about two threads.
    binary: bool,
    location: Option<Location>,
}

/// What a condition mentions, through arithmetic and through variables.
fn mentions(kernel: &Kernel, structure: &Structure, condition: Value) -> Mentions {
    let mut found = Mentions::default();
    for value in depended_on(kernel, structure, condition) {
        let Some(Operation::Annotation { name, operands }) = kernel.operation(value) else { continue };
        match name.as_str() {
            "__other" | "__lockstep_same_group" => found.other = true,
            "__read" | "__write" | "__read_offset_bytes" | "__write_offset_bytes" => {
                found.accesses = true;
                for &pointer in operands {
                    match kernel.ty(pointer) {
                        Type::Pointer(Space::Local) => found.local = true,
                        Type::Pointer(Space::Generic) => (found.local, found.global) = (true, true),
                        _ => found.global = true,
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The values that a value depends on, through arithmetic, through variables and through which way control takes.
fn depended_on(kernel: &Kernel, structure: &Structure, value: Value) -> BTreeSet<Value> {
    let mut seen = BTreeSet::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if !seen.insert(value) {
            continue;
        }
        match kernel.values[value].definition {
            Definition::Parameter(block, index) => {
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                for &from in &structure.predecessors[block] {
                    let terminator = &kernel.blocks[from].terminator;
                    let targets = terminator.targets().filter(|target| target.block == block);
                    pending.extend(targets.filter_map(|target| target.arguments.get(index)));
                    match terminator {
                        Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => {
                            pending.push(*value);
                        }
                        Terminator::Jump(_) | Terminator::Return | Terminator::Unreachable => {}
                    }
                }
            }
            Definition::Result(instruction) => {
                let operation = &kernel.instructions[instruction].operation;
                operation.for_each_operand(|operand| pending.push(operand));
            }
        }
    }
    seen
}

/// The values on which something depends that is stated of threads that need not be active.
pub fn stated_of_all(kernel: &Kernel, structure: &Structure) -> BTreeSet<Value> {
    let mut values = BTreeSet::new();
    for &instruction in structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions) {
        let (condition, global) = match &kernel.instructions[instruction].operation {
            Operation::Assert(condition, kind) => (*condition, *kind == AssertKind::Global),
            Operation::Annotation { name, operands } if !operands.is_empty() => {
                (operands[0], name.contains("_global_"))
            }
            _ => continue,
        };
        if global || mentions(kernel, structure, condition).other {
            values.extend(depended_on(kernel, structure, condition));
        }
    }
    values
}

/// Whether something is stated that each pair of threads must be asked about.
pub fn concerns_pairs(kernel: &Kernel, structure: &Structure) -> bool {
    let instructions = structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions);
    instructions.into_iter().any(|&instruction| match &kernel.instructions[instruction].operation {
        Operation::Assert(_, AssertKind::Global) => true,
        Operation::Assert(condition, AssertKind::User) => {
            mentions(kernel, structure, *condition) != Mentions::default()
        }
        Operation::Annotation { name, .. } if name == "__global_invariant" => true,
        Operation::Annotation { name, operands } if name == "__invariant" || name == "__function_wide_invariant" => {
            operands.iter().any(|&condition| mentions(kernel, structure, condition) != Mentions::default())
        }
        _ => false,
    })
}

/// Whether a kernel has barrier invariants.
pub fn has_barrier_invariants(kernel: &Kernel) -> bool {
    kernel.instructions.values().any(
        |data| matches!(&data.operation, Operation::Annotation { name, .. } if name.starts_with("__barrier_invariant_")),
    )
}

/// The arrays whose accesses the source asks about.
pub fn asked_about(kernel: &Kernel, structure: &Structure, points_to: &PointsTo) -> BTreeSet<kernel::Array> {
    let mut arrays = BTreeSet::new();
    for &instruction in structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions) {
        if let Operation::Annotation { name, operands } = &kernel.instructions[instruction].operation
            && matches!(name.as_str(), "__read" | "__write" | "__read_offset_bytes" | "__write_offset_bytes")
        {
            arrays.extend(operands.iter().flat_map(|&pointer| &points_to[pointer].arrays));
        }
    }
    arrays
}

/// The function that a place lies in, and the call through which it was inlined.
fn scope(kernel: &Kernel, location: Location) -> (&str, Option<Location>) {
    let data = &kernel.locations[location];
    (data.function.as_str(), data.inlined_at)
}

/// Whether a condition depends on a load from memory that threads share.
fn reads_shared_memory(kernel: &Kernel, condition: Value) -> bool {
    let mut found = false;
    for_each_load(kernel, condition, |access| {
        found |= !matches!(kernel.ty(access.pointer), Type::Pointer(Space::Private | Space::Constant));
    });
    found
}

/// The arrays that a condition loads from; `None` if that is not known.
fn loaded_arrays(kernel: &Kernel, points_to: &PointsTo, condition: Value) -> Option<BTreeSet<kernel::Array>> {
    let mut arrays = Some(BTreeSet::new());
    for_each_load(kernel, condition, |access| {
        let targets = &points_to[access.pointer];
        match &mut arrays {
            Some(found) if !targets.unknown && !targets.elsewhere => found.extend(&targets.arrays),
            _ => arrays = None,
        }
    });
    arrays
}

/// Calls `visit` on the accesses of the loads from which a value is computed.
fn for_each_load(kernel: &Kernel, value: Value, mut visit: impl FnMut(&Access)) {
    let mut seen = BTreeSet::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if let Some(operation) = kernel.operation(value).filter(|_| seen.insert(value)) {
            if let Operation::Load(access) = operation {
                visit(access);
            }
            operation.for_each_operand(|operand| pending.push(operand));
        }
    }
}

/// Something that the source states.
#[derive(Clone, Copy)]
struct Stated {
    /// Of each thread.
    holds: [Expression; 2],
    /// Of each thread, whether or not it is active.
    unconditionally: [Expression; 2],
    mentions: Mentions,
    /// Whether it is stated of threads that are not active, too.
    global: bool,
}

impl Lowering<'_> {
    /// An annotation.
    pub(super) fn annotation(
        &mut self,
        block: Block,
        name: &str,
        operands: &[Value],
        result: Option<Value>,
    ) -> Result<(), Unsupported> {
        if let Some(result) = result {
            let value = self.annotation_value(block, name, operands, self.kernel.ty(result))?;
            self.values[result] = Some(value);
            return Ok(());
        }
        let &[condition, ..] = operands else { return self.unsupported(format!("annotation {name}")) };
        match name {
            "__invariant" | "__global_invariant" | "__candidate_invariant" | "__candidate_global_invariant" => {
                self.loop_invariant(block, name, condition)
            }
            "__candidate_assert" | "__candidate_global_assert" => {
                if self.is_head(block) {
                    let stated = self.stated(block, condition, name.contains("global"));
                    self.suggest(stated);
                }
                Ok(())
            }
            // Stated where loops begin.
            "__function_wide_invariant" | "__function_wide_candidate_invariant" => Ok(()),
            _ if name.starts_with("__barrier_invariant_") => self.barrier_invariant(block, name, operands),
            _ => self.unsupported(format!("annotation {name}")),
        }
    }

    /// An assertion of the source.
    pub(super) fn user_assertion(
        &mut self,
        block: Block,
        condition: Value,
        kind: AssertKind,
    ) -> Result<(), Unsupported> {
        let stated = self.stated(block, condition, kind == AssertKind::Global);
        self.state(stated)?;
        if self.is_head(block) {
            self.suggest(stated);
        }
        Ok(())
    }

    fn is_head(&self, block: Block) -> bool {
        self.structure.loop_of[block].is_some_and(|index| self.structure.loops[index].header == block)
    }

    fn loop_invariant(&mut self, block: Block, name: &str, condition: Value) -> Result<(), Unsupported> {
        if !self.is_head(block) {
            return self.unsupported(format!("{name} that does not stand at the head of a loop"));
        }
        let stated = self.stated(block, condition, name.contains("global"));
        if !name.contains("candidate") {
            self.state(stated)?;
        }
        self.suggest(stated);
        Ok(())
    }

    fn stated(&mut self, block: Block, condition: Value, global: bool) -> Stated {
        let each = [0, 1].map(|thread| self.scalar(condition, thread));
        self.stated_of(block, condition, each, global)
    }

    /// A condition with the values that it has at a place.
    fn stated_of(&mut self, block: Block, condition: Value, each: [Expression; 2], global: bool) -> Stated {
        let holds = [0, 1].map(|thread| {
            let active = self.active(block, thread);
            if global { each[thread] } else { self.e().implies(active, each[thread]) }
        });
        let mentions = mentions(self.kernel, self.structure, condition);
        Stated { holds, unconditionally: each, mentions, global }
    }

    /// The invariants of the function that a loop stands in, at the loop's head.
    pub(super) fn function_wide_invariants(&mut self, header: Block) -> Result<(), Unsupported> {
        let before = self.location;
        let of_loop = self.kernel.blocks[header].location.map(|location| scope(self.kernel, location));
        for &block in &self.structure.order {
            for &instruction in &self.kernel.blocks[block].instructions {
                let data = &self.kernel.instructions[instruction];
                let Operation::Annotation { name, operands } = &data.operation else { continue };
                let (true, &[condition]) = (name.starts_with("__function_wide_"), operands.as_slice()) else {
                    continue;
                };
                if data.location.map(|location| scope(self.kernel, location)) != of_loop {
                    continue;
                }
                self.location = data.location;
                let each = self.recomputed(condition, Place { block: header, instance: None })?;
                let stated = self.stated_of(header, condition, each, false);
                if name == "__function_wide_invariant" {
                    if reads_shared_memory(self.kernel, condition) {
                        return self.unsupported("function-wide invariant about what shared memory holds");
                    }
                    self.state(stated)?;
                }
                self.suggest(stated);
            }
        }
        self.location = before;
        Ok(())
    }

    // --- Barrier invariants -------------------------------------------------------------------------

    fn barrier_invariant(&mut self, block: Block, name: &str, operands: &[Value]) -> Result<(), Unsupported> {
        let &[condition, ref ids @ ..] = operands else { return self.unsupported(format!("annotation {name}")) };
        let binary = name.contains("_binary_");
        let stated = self.stated(block, condition, false);
        if stated.mentions.accesses || (stated.mentions.other && !binary) {
            return self.unsupported(format!("{name} about accesses or, unless it is binary, the other thread"));
        }
        match self.pair {
            Pair::SameGroup => self.state(stated)?,
            // It is about two threads of one group.
            Pair::Alone | Pair::DifferentGroups if binary => {}
            Pair::Alone | Pair::DifferentGroups => self.state(stated)?,
        }
        self.barrier_invariants.push(BarrierInvariant {
            condition,
            ids: ids.to_vec(),
            binary,
            location: self.location,
        });
        Ok(())
    }

    /// What the invariants that stand before a barrier say of the threads that they are wanted for.
    ///
    /// # Why this is sound
    ///
    /// The invariant has been shown of an arbitrary thread of the group (of two, if it is binary) where it stands, directly
    /// before the barrier, in the same block: so of each thread that comes to the barrier, and all threads of the group do,
    /// since that too is asserted. (Where threads that have returned count as having arrived, nothing is assumed.)
    /// What a thread reads in it are accesses, which race with no write of another thread between the last barrier
    /// and this one: so it sees what memory holds when all have arrived. Afterwards an array that the barrier orders holds
    /// just that: its new contents at the barrier satisfy the invariant of each thread. An array that the barrier does
    /// not order, or perhaps not, has no new contents; what reads one is not assumed.
    ///
    /// Threads of different groups have each its own group's memory: what such a thread's copy of an array is renewed with is
    /// what the array holds for its group. (A thread of another group that writes there races with those that state the fact.)
    ///
    /// An invariant is assumed of a thread id only if there is a thread with that id in the first dimension; in the
    /// other dimensions its ids are those of the thread that wants to know. Of two threads it is assumed only if they
    /// are different. What it says of values besides memory is computed from that thread's ids; a value that
    /// is computed from other things must be the same for all threads of the group ([`Lowering::recomputed`]).
    pub(super) fn use_barrier_invariants(&mut self, block: Block, fences: Fences) -> Result<(), Unsupported> {
        let at_barrier = self.location;
        for BarrierInvariant { condition, ids, binary, location } in std::mem::take(&mut self.barrier_invariants) {
            self.location = location;
            let ordered = fences.flags.is_none()
                && loaded_arrays(self.kernel, self.points_to, condition).is_some_and(|arrays| {
                    arrays.iter().all(|&array| {
                        let written = !matches!(self.arrays.get(array).contents, Contents::Function(_));
                        !written || orders(self.kernel, array, fences.spaces)
                    })
                });
            if self.pair == Pair::Alone || self.exited.is_some() || !ordered {
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

    /// Assumes an invariant of the threads that one of the two threads wants to know about.
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
        // Of different groups each thread wants to know about its own.
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

    /// The threads of which a condition may be assumed: what is said of both says nothing of one that is alone, and of
    /// accesses only thread 1's are known.
    pub(super) fn assumed_of(&self, condition: Value) -> &'static [usize] {
        let Mentions { other, accesses, .. } = mentions(self.kernel, self.structure, condition);
        match (other && self.pair == Pair::Alone, accesses) {
            (true, _) => &[],
            (false, true) => &[0],
            (false, false) => &[0, 1],
        }
    }

    fn state(&mut self, stated: Stated) -> Result<(), Unsupported> {
        let Stated { holds, unconditionally: _, mentions, global } = stated;
        let kind = |thread| ObligationKind::Assertion { thread };
        if mentions.accesses {
            return self.state_of_accesses(holds[0], mentions);
        }
        if !global && !mentions.other {
            self.claim(holds, kind);
            return Ok(());
        }
        match self.pair {
            Pair::Alone if mentions.other => {}
            Pair::Alone => self.assert(holds[0], kind(None)),
            Pair::SameGroup | Pair::DifferentGroups if holds[0] == holds[1] => self.assert(holds[0], kind(None)),
            Pair::SameGroup | Pair::DifferentGroups => {
                self.assert(holds[0], kind(Some(0)));
                self.assume(holds[1], "shown for each pair of threads");
            }
        }
        Ok(())
    }

    /// States something about thread 1's accesses. Threads of different groups do not meet in local memory.
    fn state_of_accesses(&mut self, holds: Expression, mentions: Mentions) -> Result<(), Unsupported> {
        if self.options.only_divergence {
            self.program.assume_listed("what the source states about accesses is not checked (--only-divergence)");
        } else if mentions.local && mentions.global {
            return self.unsupported("statement about accesses to local memory and to global memory at once");
        } else if self.pair != Pair::DifferentGroups || !mentions.local {
            self.assert(holds, ObligationKind::Assertion { thread: Some(0) });
        }
        Ok(())
    }

    /// Suggests an invariant of the innermost loop, at whose head the walk is.
    fn suggest(&mut self, stated: Stated) {
        let Some(open) = self.open_loops.last() else { return };
        let (loop_, active, entered, left) = (open.loop_, open.active, open.entered, open.left());
        if self.pair == Pair::Alone && stated.mentions.other {
            return;
        }
        for thread in 0..if stated.mentions.accesses { 1 } else { 2 } {
            // A thread that has left the loop keeps what it left with: what memory holds then is wanted behind the loop.
            let been_here = left.iter().chain([&active]).map(|variables| *variables.of(thread)).collect::<Vec<_>>();
            let been_here: Vec<Expression> =
                been_here.into_iter().map(|variable| self.e().variable(variable)).collect();
            let been_here = self.e().or(been_here);
            let afterwards = self.e().implies(been_here, stated.unconditionally[thread]);
            // And one that came to it is there or has left it.
            let somewhere = self.e().implies(*entered.of(thread), been_here);
            for condition in [stated.holds[thread], afterwards, somewhere] {
                let Some(condition) = self.at_head(condition) else { continue };
                self.suggest_condition(loop_, condition);
            }
        }
    }

    pub(super) fn suggest_condition(&mut self, loop_: Loop, condition: Expression) {
        let suggestion = Suggestion { loop_, condition };
        if !self.program.suggested.contains(&suggestion) {
            self.program.suggested.push(suggestion);
        }
    }

    /// What holds at the head of the innermost loop exactly if this holds here, where no loop lies between; `None`
    /// if it hinges on something unknown that arises on the way.
    fn at_head(&mut self, condition: Expression) -> Option<Expression> {
        let statements = self.statements.last().cloned().unwrap_or_default();
        let mut values = rustc_hash::FxHashMap::default();
        let mut unknown: BTreeSet<Variable> = BTreeSet::new();
        for statement in statements {
            match statement {
                Statement::Assign { variable, value, .. } => {
                    let mut lost = false;
                    self.e().for_each_variable(value, |read| lost |= unknown.contains(&read));
                    let value = self.e().substitute(value, &values, &mut rustc_hash::FxHashMap::default());
                    values.insert(variable, value);
                    if lost {
                        unknown.insert(variable);
                    } else {
                        unknown.remove(&variable);
                    }
                }
                Statement::Havoc { variable, .. } => {
                    values.remove(&variable);
                    unknown.insert(variable);
                }
                Statement::Assume { .. } | Statement::Assert { .. } => {}
                Statement::Loop(_) => return None,
            }
        }
        let mut lost = false;
        self.e().for_each_variable(condition, |read| lost |= unknown.contains(&read));
        (!lost).then(|| self.e().substitute(condition, &values, &mut rustc_hash::FxHashMap::default()))
    }

    // --- Values -------------------------------------------------------------------------------------

    pub(super) fn annotation_value(
        &mut self,
        block: Block,
        name: &str,
        operands: &[Value],
        ty: Type,
    ) -> Result<Copies<Lowered>, Unsupported> {
        let each = match (name, operands) {
            ("__enabled", []) => [0, 1].map(|thread| self.active(block, thread)),
            ("__dominator_enabled", []) => self.active_before(block)?,
            ("__lockstep_same_group", []) => {
                let same = self.pair != Pair::DifferentGroups;
                [self.e().boolean(same); 2]
            }
            ("__other", &[value]) => [1, 0].map(|other| self.scalar(value, other)),
            ("__read" | "__write", &[pointer]) => {
                let hit = self.has_accessed(name, pointer)?;
                // Only thread 1 logs; what this is for thread 2 is never used.
                [hit; 2]
            }
            ("__read_offset_bytes" | "__write_offset_bytes", &[pointer]) => {
                let offset = self.watched_offset(pointer, ty);
                [offset; 2]
            }
            ("__ptr_base", &[pointer]) => [0, 1].map(|thread| {
                let tag = self.pointer(pointer, thread).tag;
                self.e().zero_extend(ty.width().unwrap_or(TAG_WIDTH), tag)
            }),
            ("__ptr_offset_bytes", &[pointer]) => [0, 1].map(|thread| self.pointer(pointer, thread).offset),
            _ => return self.unsupported(format!("annotation {name}")),
        };
        Ok(Copies::Each(each.map(Lowered::Scalar)))
    }

    /// Whether threads are where control comes from into a block; into a loop from outside.
    fn active_before(&mut self, block: Block) -> Result<[Expression; 2], Unsupported> {
        let before = self.structure.predecessors[block].iter().copied();
        let before: Vec<Block> = before.filter(|&from| !self.structure.is_back_edge(from, block)).collect();
        match before.as_slice() {
            &[single] => Ok([0, 1].map(|thread| self.active(single, thread))),
            _ => self.unsupported("__dominator_enabled where control comes from several places"),
        }
    }

    /// The sites at which an array is read or written.
    fn sites_of(&self, array: kernel::Array, reads: bool) -> Vec<Site> {
        let of_kind = |site: &Site| match self.program.sites[*site].kind {
            AccessKind::Read | AccessKind::AsyncRead => reads,
            AccessKind::Write | AccessKind::AsyncWrite => !reads,
            AccessKind::Atomic => true,
        };
        let sites = self.sites.by_access.iter().filter(|((_, of, _), _)| *of == array).map(|(_, &site)| site);
        let sites: BTreeSet<Site> = sites.filter(of_kind).collect();
        sites.into_iter().collect()
    }

    fn has_accessed(&mut self, name: &str, pointer: Value) -> Result<Expression, Unsupported> {
        let PointerExpression { tag, .. } = self.pointer(pointer, 0);
        let mut any = Vec::new();
        for &array in &self.points_to[pointer].arrays {
            if !matches!(self.kernel.arrays[array].space, Space::Global | Space::Local) {
                return self.unsupported(format!("{name} of memory that is neither global nor local"));
            }
            let number = self.e().number(TAG_WIDTH, u64::from(array.as_u32()));
            let same = self.e().equal(tag, number);
            for site in self.sites_of(array, name == "__read") {
                let hit = self.program.sites[site].hit;
                let hit = self.e().variable(hit);
                any.push(self.e().and([same, hit]));
            }
        }
        Ok(self.e().or(any))
    }

    /// Where the watched cell lies, in bytes; anything for an array without accesses.
    fn watched_offset(&mut self, pointer: Value, ty: Type) -> Expression {
        let width = ty.width().unwrap_or(self.kernel.pointer_bits);
        let PointerExpression { tag, .. } = self.pointer(pointer, 0);
        let mut result = self.e().number(width, 0);
        for &array in &self.points_to[pointer].arrays {
            let Some(state) = self.arrays.find(array) else { continue };
            let Some(checked) = state.checked else { continue };
            let watched = self.program.arrays[checked].watched;
            let watched = self.e().variable(watched);
            let factor = lockstep_ir::bits::Bits::new(state.offset_bits, state.cell_bytes);
            let bytes = self.e().scale(factor, watched);
            let bytes = if state.offset_bits > width {
                self.e().extract(width - 1, 0, bytes)
            } else {
                self.e().zero_extend(width, bytes)
            };
            let number = self.e().number(TAG_WIDTH, u64::from(array.as_u32()));
            let same = self.e().equal(tag, number);
            result = self.e().if_then_else(same, bytes, result);
        }
        result
    }
}
