//! Places that tell how far a thread has come.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, Block, Instruction};
use lockstep_ir::sequential::{CompareOp, Expression, Loop, ObligationKind, SignalRule, Site, Variable};
use rustc_hash::FxHashMap;

use super::{Executed, Execution, Told};
use crate::lockstep::Lowering;
use crate::lockstep::loops::OpenLoop;
use crate::lockstep::memory::touch::Touch;
use crate::signals::Strong;

/// The last execution of a write by a thread, or by its leader.
#[derive(Clone, Copy, Debug)]
pub struct Last {
    /// Whether there was one.
    some: Variable,
    execution: Execution,
}

impl Lowering<'_> {
    /// The ghosts of the last execution of a write.
    pub(super) fn last(&mut self, at: Instruction, strong: &Strong, thread: usize) -> Last {
        let name = format!("write.{}", at.as_u32());
        Last { some: self.flag(&name, Some(thread)), execution: self.execution(&name, Some(thread), strong) }
    }

    fn lasts(&self, array: Array) -> Vec<(Instruction, [Last; 2])> {
        let Some(state) = &self.signalling else { return Vec::new() };
        let is_there = |at: &Instruction| self.array_of(*at) == Some(array);
        state.lasts.iter().filter(|(at, _)| is_there(at)).map(|(&at, &both)| (at, both)).collect()
    }

    fn last_of(&self, at: Instruction) -> Option<[Last; 2]> {
        self.signalling.as_ref()?.lasts.get(&at).copied()
    }

    /// An addition as the two threads execute it. The old value is what the thread has stored last,
    /// as nobody else stores there. This is not assumed of what the addition returns: where the
    /// rules do not hold it may be false, and the execution in which they fail must not be lost.
    pub(super) fn added(&mut self, at: Instruction, strong: &Strong, step: &Bits, touch: &Touch) -> Executed {
        let last = self.last_of(at);
        let value = [0, 1].map(|thread| {
            let before = self.program.expressions.variable(last?[thread].execution.value);
            let step = self.e().bits(step.clone());
            Some(self.e().add(before, step))
        });
        Executed { array: strong.array, cell: touch.offset, value }
    }

    /// A write that tells how far a thread has come.
    pub(super) fn go_on(
        &mut self,
        (block, at): (Block, Instruction),
        strong: &Strong,
        executed: Executed,
        leads: [Option<Expression>; 2],
    ) {
        let both = self.last_of(at).expect("it is a write to such a place");
        let stored = executed.value.map(|value| value.expect("it stores a number"));
        let active = [0, 1].map(|thread| self.active(block, thread));
        let executes = [0, 1].map(|thread| {
            let ways: Vec<Expression> = std::iter::once(active[thread]).chain(leads[thread]).collect();
            self.e().or(ways)
        });
        self.check_growth(at, active[0], (executed.cell[0], stored[0]), strong.array);
        if let Some(state) = &mut self.signalling {
            state.stored.insert(at, stored);
        }
        self.suggest_of_progress(at, (strong.array, &both), (executes, executed.cell, stored));
        for (thread, Last { some, execution }) in both.into_iter().enumerate() {
            self.assign_if(executes[thread], execution.value, stored[thread]);
            self.assign_if(executes[thread], execution.cell, executed.cell[thread]);
            self.raise(some, executes[thread]);
        }
        self.check_owner(active, executed.cell, strong.array);
        // The number that an addition adds to has changed now.
        let value = both.map(|last| Some(self.program.expressions.variable(last.execution.value)));
        if let Some(state) = &mut self.signalling {
            state.writes.insert(at, Executed { value, ..executed });
        }
    }

    /// States that a thread stores more than before, and at one place of the kernel to one cell.
    fn check_growth(
        &mut self,
        at: Instruction,
        active: Expression,
        (cell, stored): (Expression, Expression),
        array: Array,
    ) {
        let e = self.e();
        let zero = e.number(e.width(stored), 0);
        let mut good = vec![e.compare(CompareOp::UnsignedLess, zero, stored)];
        for (other, both) in self.lasts(array) {
            let Last { some, execution } = both[0];
            let e = &mut self.program.expressions;
            let [some, last_cell, last] = [some, execution.cell, execution.value].map(|variable| e.variable(variable));
            let same = e.equal(last_cell, cell);
            let grows = e.compare(CompareOp::UnsignedLess, last, stored);
            good.push(if other == at {
                let both = e.and([same, grows]);
                e.implies(some, both)
            } else {
                let both = e.and([some, same]);
                e.implies(both, grows)
            });
        }
        let good = self.e().and(good);
        let good = self.e().implies(active, good);
        self.assert(good, ObligationKind::Signal(SignalRule::Grows));
    }

    /// States that the other thread has not stored to the cell.
    fn check_owner(&mut self, active: [Expression; 2], cell: [Expression; 2], array: Array) {
        let mut clashes = Vec::new();
        for (_, both) in self.lasts(array) {
            for (mine, other) in [(0, 1), (1, 0)] {
                let Last { some, execution } = both[other];
                let e = &mut self.program.expressions;
                let [some, theirs] = [some, execution.cell].map(|variable| e.variable(variable));
                let same = e.equal(theirs, cell[mine]);
                clashes.push(e.and([active[mine], some, same]));
            }
        }
        let clash = self.e().or(clashes);
        let good = self.e().not(clash);
        self.assert(good, ObligationKind::Signal(SignalRule::Owned));
    }

    /// Suggests for the loops around a write, and those inside, what holds of its last execution
    /// and of the first one that has released a hit.
    fn suggest_of_progress(
        &mut self,
        at: Instruction,
        (array, lasts): (Array, &[Last; 2]),
        (executes, cell, stored): ([Expression; 2], [Expression; 2], [Expression; 2]),
    ) {
        for open in self.open_loops.clone() {
            for (thread, Last { some, execution }) in lasts.iter().enumerate() {
                let width = self.program.expressions.width(stored[thread]);
                let numbers = open.numbers(&self.program.expressions, thread, width);
                let others: Vec<Variable> =
                    self.lasts(array).iter().map(|(_, both)| both[thread].execution.value).collect();
                let e = &mut self.program.expressions;
                let [some, last_cell, last, active] = [*some, execution.cell, execution.value, *open.active.of(thread)]
                    .map(|variable| e.variable(variable));
                let same = e.equal(last_cell, cell[thread]);
                let mut likely = vec![e.implies(some, same)];
                for condition in e.conjuncts(executes[thread]).into_iter().chain([*open.entered.of(thread)]) {
                    likely.push(e.implies(some, condition));
                }
                let zero = e.number(width, 0);
                likely.push(e.compare(CompareOp::SignedLessEqual, zero, last));
                // A thread that has left the loop may go on with its numbers.
                let mut below = Vec::new();
                for other in others {
                    let other = e.variable(other);
                    below.push(e.compare(CompareOp::UnsignedLess, other, stored[thread]));
                }
                for number in numbers {
                    let number = e.variable(number);
                    below.push(e.compare(CompareOp::UnsignedLess, last, number));
                    below.push(e.compare(CompareOp::UnsignedLessEqual, last, number));
                }
                likely.extend(below.into_iter().map(|below| e.implies(active, below)));
                for condition in likely {
                    self.suggest_condition(open.loop_, condition);
                }
            }
            self.suggest_of_told(at, (&lasts[0], stored[0]), open.loop_);
        }
    }

    /// Suggests that the last number of a thread is that of the iteration before.
    pub(super) fn suggest_of_last_stored(&mut self, open: &OpenLoop) {
        let Some(state) = &self.signalling else { return };
        let stored: Vec<(Instruction, [Expression; 2])> = state.stored.iter().map(|(&at, &both)| (at, both)).collect();
        for (at, stored) in stored {
            let Some(both) = self.last_of(at).filter(|_| self.is_inside(at, open)) else { continue };
            for (thread, Last { some, execution }) in both.into_iter().enumerate() {
                let before = self.last_round(open.loop_, thread);
                let e = &mut self.program.expressions;
                let stored = e.substitute(stored[thread], &before, &mut FxHashMap::default());
                let [some, last, active] =
                    [some, execution.value, *open.active.of(thread)].map(|variable| e.variable(variable));
                let same = e.equal(last, stored);
                let both = e.and([some, active]);
                let same = e.implies(both, same);
                self.suggest_condition(open.loop_, same);
            }
        }
    }

    fn suggest_of_told(&mut self, at: Instruction, (last, stored): (&Last, Expression), around: Loop) {
        let Some(state) = &self.signalling else { return };
        let told: Vec<(Site, Told)> =
            state.stages.iter().filter_map(|(&site, stage)| Some((site, *stage.told.get(&at)?))).collect();
        let inside: Vec<Loop> =
            self.program.loops.keys().filter(|&loop_| loop_ != around && self.lies_in(loop_, around)).collect();
        for (site, Told { ways, first }) in told {
            let Some(first) = first else { continue };
            let hit = self.program.sites[site].hit;
            for (way, first) in ways.into_iter().zip(first).take(self.ways()) {
                let e = &mut self.program.expressions;
                let [hit, told, some] = [hit, way, last.some].map(|variable| e.variable(variable));
                let [cell, value, last_cell, last_value] =
                    [first.cell, first.value, last.execution.cell, last.execution.value]
                        .map(|variable| e.variable(variable));
                let same = e.equal(cell, last_cell);
                let before = e.compare(CompareOp::UnsignedLessEqual, value, last_value);
                let all = e.and([some, same, before]);
                let since = e.implies(told, all);
                for &loop_ in inside.iter().chain([&around]) {
                    self.suggest_condition(loop_, since);
                }
                if !self.program.sites[site].loops.contains(&around) {
                    continue;
                }
                let is_told = self.e().implies(hit, told);
                self.suggest_condition(around, is_told);
                let recorded = self.sites.states[site].as_ref().map(|state| state.recorded.clone()).unwrap_or_default();
                // By the write of the same iteration.
                let then = recorded.iter().map(|one| (one.original, self.program.expressions.variable(one.recorded)));
                let then: FxHashMap<Variable, Expression> = then.collect();
                let e = &mut self.program.expressions;
                let stored = e.substitute(stored, &then, &mut FxHashMap::default());
                let at_once = e.compare(CompareOp::UnsignedLessEqual, value, stored);
                let both = e.and([hit, told]);
                let at_once = e.implies(both, at_once);
                for &loop_ in inside.iter().chain([&around]) {
                    self.suggest_condition(loop_, at_once);
                }
                // Inside, a hit may be one of this iteration.
                let counter = self.program.loops[around].counter;
                let Some(recorded) = recorded.iter().find(|one| one.original == counter) else { continue };
                let [then, now] = [recorded.recorded, counter].map(|variable| self.e().variable(variable));
                let now = self.e().equal(then, now);
                let is_told_or_now = self.e().or([is_told, now]);
                for &loop_ in &inside {
                    self.suggest_condition(loop_, is_told_or_now);
                }
            }
        }
    }

    /// Whether a loop lies in another one.
    pub(super) fn lies_in(&self, inner: Loop, outer: Loop) -> bool {
        std::iter::successors(Some(inner), |&loop_| self.program.loops[loop_].parent).any(|loop_| loop_ == outer)
    }
}
