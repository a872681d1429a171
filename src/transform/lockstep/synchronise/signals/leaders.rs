//! The blocks that the leader of each thread's group executes, and the values that it tells.

use lockstep_ir::kernel::{Block, Instruction, Terminator, Value};
use lockstep_ir::sequential::{Expression, ObligationKind, Pair, SignalRule};

use crate::lockstep::Lowering;
use crate::signals::Signals;
use crate::signals::leaders::Standing;

impl Lowering<'_> {
    /// Whether the leader of each thread's group comes to a block.
    pub fn note_leaders(&mut self, block: Block) {
        let Some(signals) = self.signals() else { return };
        let standing = signals.leaders.standing(block);
        if standing == Standing::Led && self.pair == Pair::SameGroup {
            let both = [0, 1].map(|thread| self.active(block, thread));
            let both = self.e().and(both);
            let good = self.e().not(both);
            self.assert(good, ObligationKind::Signal(SignalRule::Elected));
        }
        if self.pair != Pair::DifferentGroups {
            return;
        }
        let leads = match standing {
            Standing::Together => Some([0, 1].map(|thread| self.active(block, thread))),
            Standing::Others => Some([self.e().boolean(false); 2]),
            Standing::Unknown => None,
            Standing::Led => self.led(signals, block),
        };
        if let Some(state) = &mut self.signalling {
            state.leads[block] = leads;
        }
    }

    fn led(&mut self, signals: &Signals, block: Block) -> Option<[Expression; 2]> {
        let known = |this: &Self, block: Block| this.signalling.as_ref().and_then(|state| state.leads[block]);
        if let Some(dominator) = self.facts.structure.shortcut[block] {
            return known(self, dominator);
        }
        let mut ways = [Vec::new(), Vec::new()];
        for &from in &self.facts.structure.predecessors[block] {
            let before = known(self, from)?;
            let targets: Vec<Block> =
                self.kernel.blocks[from].terminator.targets().map(|target| target.block).collect();
            for (position, _) in targets.iter().enumerate().filter(|(_, target)| **target == block) {
                // Where the condition is the group's, each thread's copy of it is the leader's. Any
                // other one is known to hold for the leader.
                let is_chosen = match &self.kernel.blocks[from].terminator {
                    Terminator::Branch { condition, .. } => !signals.leaders.is_of_group(*condition),
                    _ => false,
                };
                for thread in 0..2 {
                    let condition = if is_chosen { self.true_() } else { self.edge_condition(from, position, thread) };
                    ways[thread].push(self.program.expressions.and([before[thread], condition]));
                }
            }
        }
        Some(ways.map(|ways| self.e().or(ways)))
    }

    /// Whether the leader of a thread's group executes a block; `None` if that is not known, or if
    /// the block is executed by others, too, and `alone` is asked for.
    pub fn leads(&self, block: Block, thread: usize, alone: bool) -> Option<Expression> {
        let standing = self.signals()?.leaders.standing(block);
        if alone && standing != Standing::Led {
            return None;
        }
        Some(self.signalling.as_ref()?.leads[block]?[thread])
    }

    /// Assumes of leaders what holds for each thread that comes to a block.
    pub fn assume_of_leaders(&mut self, block: Block, condition: Value) {
        if !self.signals().is_some_and(|signals| signals.leaders.is_of_group(condition)) {
            return;
        }
        for thread in 0..2 {
            let Some(leads) = self.leads(block, thread, true) else { continue };
            let condition = self.scalar(condition, thread);
            let holds = self.e().implies(leads, condition);
            self.assume(holds, "the leader waits until this holds");
        }
    }

    /// The value that a load returns to each thread if the leader has stored it for the group.
    pub fn broadcast(&mut self, instruction: Instruction) -> Option<[(Expression, Expression); 2]> {
        if self.pair != Pair::DifferentGroups {
            return None;
        }
        let broadcast = *self.signals()?.leaders.broadcasts.get(&instruction)?;
        let both = [0, 1].map(|thread| {
            let led = self.leads(broadcast.block, thread, true)?;
            Some((led, self.scalar(broadcast.value, thread)))
        });
        let [Some(first), Some(second)] = both else { return None };
        Some([first, second])
    }
}
