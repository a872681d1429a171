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

use lockstep_ir::kernel::{self, AssertKind, Block, Definition, Kernel, Operation, Type, Value};
use lockstep_ir::sequential::{
    AccessKind, Copies, Expression, ObligationKind, Pair, Site, Statement, Suggestion, Variable,
};

use super::{Lowered, Lowering, PointerExpression, TAG_WIDTH, Unsupported};
use crate::analysis::pointers::PointsTo;
use crate::analysis::structure::Structure;

/// What a condition mentions besides the thread's own state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// The other thread.
    other: bool,
    /// Logged accesses.
    accesses: bool,
}

/// What a condition mentions, through arithmetic and through variables.
fn mentions(kernel: &Kernel, structure: &Structure, condition: Value) -> Mentions {
    let mut found = Mentions::default();
    let mut seen = BTreeSet::new();
    let mut pending = vec![condition];
    while let Some(value) = pending.pop() {
        if !seen.insert(value) {
            continue;
        }
        match kernel.values[value].definition {
            Definition::Parameter(block, index) => {
                let edges = structure.predecessors[block].iter().flat_map(|&from| {
                    kernel.blocks[from].terminator.targets().filter(move |target| target.block == block)
                });
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                pending.extend(edges.filter_map(|target| target.arguments.get(index)));
                // Which edge is taken matters too.
                for &from in &structure.predecessors[block] {
                    match &kernel.blocks[from].terminator {
                        kernel::Terminator::Branch { condition: value, .. }
                        | kernel::Terminator::Switch { value, .. } => pending.push(*value),
                        _ => {}
                    }
                }
            }
            Definition::Result(instruction) => {
                let operation = &kernel.instructions[instruction].operation;
                if let Operation::Annotation { name, .. } = operation {
                    match name.as_str() {
                        "__other" | "__lockstep_same_group" => found.other = true,
                        "__read" | "__write" | "__read_offset_bytes" | "__write_offset_bytes" => found.accesses = true,
                        _ => {}
                    }
                }
                operation.for_each_operand(|operand| pending.push(operand));
            }
        }
    }
    found
}

/// Whether something is stated that each pair of threads must be asked about.
pub fn concerns_pairs(kernel: &Kernel, structure: &Structure) -> bool {
    let instructions = structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions);
    instructions.into_iter().any(|&instruction| match &kernel.instructions[instruction].operation {
        Operation::Assert(_, AssertKind::Global) => true,
        Operation::Assert(condition, AssertKind::User) => {
            mentions(kernel, structure, *condition) != Mentions::default()
        }
        Operation::Annotation { name, .. } => {
            matches!(name.as_str(), "__invariant" | "__global_invariant" | "__function_wide_invariant")
        }
        _ => false,
    })
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

/// Something that the source states.
#[derive(Clone, Copy)]
struct Stated {
    /// Of each thread.
    holds: [Expression; 2],
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
            _ => self.unsupported(format!("annotation {name}")),
        }
    }

    /// An assertion of the source.
    pub(super) fn user_assertion(&mut self, block: Block, condition: Value, kind: AssertKind) {
        let stated = self.stated(block, condition, kind == AssertKind::Global);
        self.state(stated);
        if self.is_head(block) {
            self.suggest(stated);
        }
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
            self.state(stated);
        }
        self.suggest(stated);
        Ok(())
    }

    fn stated(&mut self, block: Block, condition: Value, global: bool) -> Stated {
        let holds = [0, 1].map(|thread| {
            let active = self.active(block, thread);
            let condition = self.scalar(condition, thread);
            if global { condition } else { self.e().implies(active, condition) }
        });
        Stated { holds, mentions: mentions(self.kernel, self.structure, condition), global }
    }

    fn state(&mut self, stated: Stated) {
        let Stated { holds, mentions, global } = stated;
        let kind = |thread| ObligationKind::Assertion { thread };
        if mentions.accesses {
            return self.assert(holds[0], kind(Some(0)));
        }
        if !global && !mentions.other {
            return self.claim(holds, kind);
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
    }

    /// Suggests an invariant of the innermost loop, at whose head the walk is.
    fn suggest(&mut self, stated: Stated) {
        let Some(loop_) = self.open_loops.last().map(|open| open.loop_) else { return };
        if self.pair == Pair::Alone && stated.mentions.other {
            return;
        }
        for thread in 0..if stated.mentions.accesses { 1 } else { 2 } {
            let Some(condition) = self.at_head(stated.holds[thread]) else { continue };
            let suggestion = Suggestion { loop_, condition };
            if !self.program.suggested.contains(&suggestion) {
                self.program.suggested.push(suggestion);
            }
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

    fn annotation_value(
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
                let hit = self.has_accessed(name, pointer);
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

    fn has_accessed(&mut self, name: &str, pointer: Value) -> Expression {
        let PointerExpression { tag, .. } = self.pointer(pointer, 0);
        let mut any = Vec::new();
        for &array in &self.points_to[pointer].arrays {
            let number = self.e().number(TAG_WIDTH, u64::from(array.as_u32()));
            let same = self.e().equal(tag, number);
            for site in self.sites_of(array, name == "__read") {
                let hit = self.program.sites[site].hit;
                let hit = self.e().variable(hit);
                any.push(self.e().and([same, hit]));
            }
        }
        self.e().or(any)
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
