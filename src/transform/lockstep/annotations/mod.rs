//! Annotations: the source's statements about loops, about both threads, and about accesses.
//!
//! # Statements
//!
//! Every statement of the source is asserted before anything may rely on it. Only `__assume` and
//! `__requires` are assumed, and a report lists them.
//!
//! A **loop invariant** is an assertion at the head of its loop, and a suggestion to the search for
//! invariants ([`Program::suggested`](lockstep_ir::sequential::Program::suggested)). The assertion
//! must hold; the suggestion makes an inductive invariant useful. It is suggested over the state at
//! the head: assignments between the head and the annotation are substituted
//! ([`Lowering::at_head`]). An annotation that is a **candidate** is suggested only.
//!
//! Statements about one thread are claimed like all conditions of that kind
//! ([`super::instrument::claims`]). Three kinds of statements cannot be: those about both threads,
//! those about threads that are not active (`__global_…`), and those about accesses, because only
//! thread 1's accesses are logged. They are about this pair, so proofs for other pairs say nothing
//! about them. They are therefore asserted in the programs of *all* pairs, and there is a program
//! even for pairs that race nowhere ([`concerns_pairs`]). They are assumed of thread 2, as the
//! threads are interchangeable; statements about accesses are not made of it at all. A thread alone
//! in its group has no other thread to be compared with. A statement about both threads then
//! concerns no pair and is not made.
//!
//! # Accesses
//!
//! `__read(p)` says that thread 1 has a hit (see [`super::memory::access`]) at a site that reads
//! the array. `__read_offset_bytes(p)` is the offset of the watched cell. Both together mean *each*
//! access that no barrier has ordered yet, since the watched cell and the choice of hits are free.
//! Arrays that annotations ask about have sites even if nothing can race there.

mod barrier;
mod mentions;
mod taken;
mod values;

use std::collections::BTreeSet;

use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::{AssertKind, Block, Kernel, Operation, Space, Value};
use lockstep_ir::sequential::{Claim, Expression, Loop, ObligationKind, Pair, Statement, Suggestion, Variable};
use lockstep_ir::source::Location;

use super::recompute::Place;
use super::{Lowering, Unsupported};
pub use barrier::{BarrierInvariant, has_barrier_invariants};
use mentions::{Mentions, accessed_arrays, mentions, reads_shared_memory};
pub use mentions::{asked_about, concerns_pairs, reads_of_barrier_invariants, stated_of_all};
pub use taken::Taken;

/// The function that contains a place, and the call through which it was inlined.
fn scope(kernel: &Kernel, location: Location) -> (&str, Option<Location>) {
    let data = &kernel.locations[location];
    (data.function.as_str(), data.inlined_at)
}

/// A statement of the source.
#[derive(Clone, Copy)]
struct Stated {
    /// The condition for each thread.
    holds: [Expression; 2],
    /// The condition for each thread, whether or not it is active.
    unconditionally: [Expression; 2],
    mentions: Mentions,
    /// Whether the statement covers threads that are not active, too.
    global: bool,
    /// Whether the accesses that the statement mentions are logged.
    logged: bool,
}

impl Lowering<'_> {
    /// Lowers an annotation.
    pub fn annotation(
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
            // These are stated where loops begin.
            "__function_wide_invariant" | "__function_wide_candidate_invariant" => Ok(()),
            _ if name.starts_with("__barrier_invariant_") => self.barrier_invariant(block, name, operands),
            _ => self.unsupported(format!("annotation {name}")),
        }
    }

    /// Lowers an assertion of the source.
    pub fn user_assertion(&mut self, block: Block, condition: Value, kind: AssertKind) -> Result<(), Unsupported> {
        if matches!(kind, AssertKind::Elected | AssertKind::Awaited) {
            self.grid_barrier_rule(block, condition, kind);
            return Ok(());
        }
        if kind == AssertKind::KnownTarget {
            let holds = [0, 1].map(|thread| {
                let active = self.active(block, thread);
                let known = self.scalar(condition, thread);
                self.e().implies(active, known)
            });
            self.claim(holds, |thread| ObligationKind::Claim { claim: Claim::KnownTarget, thread });
            return Ok(());
        }
        let stated = self.stated(block, condition, kind == AssertKind::Global);
        self.state(stated)?;
        if self.is_head(block) {
            self.suggest(stated);
        }
        Ok(())
    }

    fn is_head(&self, block: Block) -> bool {
        self.facts.structure.loop_of[block].is_some_and(|index| self.facts.structure.loops[index].header == block)
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

    /// A statement of a condition with the values that it has at a place.
    fn stated_of(&mut self, block: Block, condition: Value, each: [Expression; 2], global: bool) -> Stated {
        let holds = [0, 1].map(|thread| {
            let active = self.active(block, thread);
            if global { each[thread] } else { self.e().implies(active, each[thread]) }
        });
        let mentions = mentions(self.kernel, &self.facts.structure, &self.facts.points_to, condition);
        Stated { holds, unconditionally: each, mentions, global, logged: self.logs_all(condition) }
    }

    /// States the function-wide invariants of a loop's function at the loop's head.
    pub fn function_wide_invariants(&mut self, header: Block) -> Result<(), Unsupported> {
        let before = self.location;
        let of_loop = self.kernel.blocks[header].location.map(|location| scope(self.kernel, location));
        for &block in &self.facts.structure.order {
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

    /// Whether all accesses that a condition mentions are logged.
    fn logs_all(&self, condition: Value) -> bool {
        let arrays = accessed_arrays(self.kernel, &self.facts.structure, &self.facts.points_to, condition);
        let mut shared =
            arrays.iter().map(|&array| &self.kernel.arrays[array]).filter(|data| data.space != Space::Private);
        shared.all(|data| self.options.logs(data))
    }

    /// The threads for which a condition may be assumed. A condition on both threads says nothing
    /// about a thread that is alone. A condition on accesses is known for thread 1 at most.
    pub fn assumed_of(&self, condition: Value) -> &'static [usize] {
        if !self.logs_all(condition) {
            return &[];
        }
        let Mentions { other, accesses, .. } =
            mentions(self.kernel, &self.facts.structure, &self.facts.points_to, condition);
        match (other && self.is_one_thread(), accesses) {
            (true, _) => &[],
            (false, true) => &[0],
            (false, false) => &[0, 1],
        }
    }

    fn state(&mut self, stated: Stated) -> Result<(), Unsupported> {
        let Stated { holds, unconditionally: _, mentions, global, logged } = stated;
        let kind = |thread| ObligationKind::Claim { claim: Claim::Assertion, thread };
        if mentions.accesses {
            return self.state_of_accesses(holds[0], mentions, logged);
        }
        let asymmetric = self.options.asymmetric_asserts;
        if !global && !mentions.other {
            match self.pair {
                Pair::SameGroup if asymmetric => self.assert(holds[0], kind(Some(0))),
                // The condition is proved for pairs in one group, and for threads alone in theirs.
                Pair::DifferentGroups | Pair::SameThread if asymmetric => {}
                Pair::SameGroup | Pair::DifferentGroups | Pair::Alone | Pair::SameThread => self.claim(holds, kind),
            }
            return Ok(());
        }
        match self.pair {
            Pair::SameThread => {}
            Pair::Alone if mentions.other => {}
            Pair::Alone => self.assert(holds[0], kind(None)),
            Pair::SameGroup | Pair::DifferentGroups if holds[0] == holds[1] => self.assert(holds[0], kind(None)),
            Pair::SameGroup | Pair::DifferentGroups => {
                self.assert(holds[0], kind(Some(0)));
                if !asymmetric {
                    self.assume(holds[1], "shown for each pair of threads");
                }
            }
        }
        Ok(())
    }

    /// Asserts a statement about thread 1's accesses. Threads of different groups do not share
    /// local memory.
    fn state_of_accesses(&mut self, holds: Expression, mentions: Mentions, logged: bool) -> Result<(), Unsupported> {
        if self.options.only_divergence {
            self.list(Assumed::StatementsUnchecked);
        } else if !logged {
            self.list(Assumed::StatementsAboutOthersUnchecked);
        } else if mentions.local && mentions.global {
            return self.unsupported("statement about accesses to local memory and to global memory at once");
        } else if self.pair == Pair::SameThread {
            // The statement is about the accesses of pairs of threads.
        } else if self.pair != Pair::DifferentGroups || !mentions.local {
            self.assert(holds, ObligationKind::Claim { claim: Claim::Assertion, thread: Some(0) });
        }
        Ok(())
    }

    /// Suggests an invariant of the innermost loop, at whose head the walk is.
    fn suggest(&mut self, stated: Stated) {
        let Some(open) = self.open_loops.last() else { return };
        let (loop_, active, entered, left) = (open.loop_, open.active, open.entered, open.left());
        if self.is_one_thread() && stated.mentions.other {
            return;
        }
        let only_first = stated.mentions.accesses || self.options.asymmetric_asserts;
        for thread in 0..if only_first { 1 } else { 2 } {
            // A thread that has left the loop keeps the values it left with, because code after the
            // loop needs the contents of memory at that time.
            let been_here = left.iter().chain([&active]).map(|variables| *variables.of(thread)).collect::<Vec<_>>();
            let been_here: Vec<Expression> =
                been_here.into_iter().map(|variable| self.e().variable(variable)).collect();
            let been_here = self.e().or(been_here);
            let afterwards = self.e().implies(been_here, stated.unconditionally[thread]);
            // A thread that came to the loop is there or has left it.
            let somewhere = self.e().implies(*entered.of(thread), been_here);
            for condition in [stated.holds[thread], afterwards, somewhere] {
                let Some(condition) = self.at_head(condition) else { continue };
                self.suggest_condition(loop_, condition);
            }
        }
    }

    pub fn suggest_condition(&mut self, loop_: Loop, condition: Expression) {
        let suggestion = Suggestion { loop_, condition };
        if !self.program.suggested.contains(&suggestion) {
            self.program.suggested.push(suggestion);
        }
    }

    /// The condition at the head of the innermost loop that is equivalent to this one here, if no
    /// loop lies between. `None` if the condition depends on an unknown that arises on the way.
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
}
