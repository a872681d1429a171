//! The obligations of barriers of the launch that a kernel makes of memory
//! ([`crate::signals::grids`]).

use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::{AssertKind, Block, Value};
use lockstep_ir::sequential::{ObligationKind, Pair, SignalRule};

use crate::lockstep::Lowering;

impl Lowering<'_> {
    /// Lists what such barriers rest on.
    pub fn start_grid_barriers(&mut self) {
        for (&array, listed) in &self.facts.grid_arrays {
            let name = self.kernel.arrays[array].name.clone();
            self.list(Assumed::Termination);
            if listed.unset {
                self.list(Assumed::SignalsUnset { array: name.clone() });
            }
            if let Some(most) = listed.additions.clone() {
                self.list(Assumed::FewDraws { counter: name, each_interval: false, most });
            }
        }
    }

    /// States a rule of such a barrier for the threads that are here.
    pub fn grid_barrier_rule(&mut self, block: Block, condition: Value, kind: AssertKind) {
        let active = [0, 1].map(|thread| self.active(block, thread));
        let (rule, good) = if kind == AssertKind::Elected {
            // Threads of different groups may both be leaders.
            if self.pair != Pair::SameGroup {
                return;
            }
            let both = self.e().and(active);
            (SignalRule::Elected, self.e().not(both))
        } else {
            let holds = [0, 1].map(|thread| {
                let holds = self.scalar(condition, thread);
                self.e().implies(active[thread], holds)
            });
            (SignalRule::Awaited, self.e().and(holds))
        };
        self.assert(good, ObligationKind::Signal(rule));
    }
}
