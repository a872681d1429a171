//! Code whose synchronising operations order more than the program says.
//!
//! Memory orders and scopes do not change the steps of a run. They only change which accesses
//! happen before others. So two runs of one schedule, with and without stronger operations, have
//! the same accesses, and a race of the former that the latter lacks is one for want of order.

use lockstep_ir::kernel::{Ordering, Scope};

use super::code::{Code, Position, Step};

/// A property that an operation may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stronger {
    /// The scope of the whole launch.
    Scope,
    /// A release: earlier accesses of the thread are handed over.
    Release,
    /// An acquire: accesses that others have handed over come before the thread's next ones.
    Acquire,
}

/// The ordering that also has this property.
fn also(ordering: Ordering, what: Stronger) -> Ordering {
    ordering.strengthened(what == Stronger::Release, what == Stronger::Acquire)
}

impl Code {
    /// The properties that operations of the code lack, each with its step.
    ///
    /// The operations are atomic ones, fences, and volatile accesses where these are relaxed.
    pub fn lacking(&self) -> Vec<(Position, Stronger)> {
        let mut found = Vec::new();
        // Without fences, volatile accesses race as plain ones do, and are no operations.
        let has_fences = self.steps.iter().any(|step| matches!(step, Step::Fence { .. }));
        for (at, step) in (0..).zip(&self.steps) {
            let (ordering, scope, reads, writes) = match step {
                Step::Fence { ordering, scope, .. } => (*ordering, *scope, true, true),
                Step::Atomic(number) => {
                    let atomic = &self.atomics[usize::try_from(*number).expect("positions fit")];
                    let op = atomic.op;
                    (atomic.ordering, atomic.scope, super::races::reads(op), super::races::writes(op))
                }
                Step::Load { strong: true, .. } | Step::LoadPointer { strong: true, .. } if has_fences => {
                    (Ordering::Relaxed, Scope::Device, true, false)
                }
                Step::Store { strong: true, .. } | Step::StorePointer { strong: true, .. } if has_fences => {
                    (Ordering::Relaxed, Scope::Device, false, true)
                }
                _ => continue,
            };
            let is_narrow = !matches!(scope, Scope::Device | Scope::System);
            let lacks = [
                (is_narrow, Stronger::Scope),
                (writes && !ordering.releases(), Stronger::Release),
                (reads && !ordering.acquires(), Stronger::Acquire),
            ];
            found.extend(lacks.into_iter().filter(|(lacks, _)| *lacks).map(|(_, what)| (at, what)));
        }
        found
    }

    /// The code in which these operations have the properties that they lack.
    #[must_use]
    pub fn stronger(&self, all: &[(Position, Stronger)]) -> Self {
        let mut code = self.clone();
        for &(at, what) in all {
            match &mut code.steps[usize::try_from(at).expect("positions fit")] {
                Step::Fence { ordering, scope, .. } => match what {
                    Stronger::Scope => *scope = scope.widened(),
                    Stronger::Release | Stronger::Acquire => *ordering = also(*ordering, what),
                },
                Step::Atomic(number) => {
                    let atomic = &mut code.atomics[usize::try_from(*number).expect("positions fit")];
                    match what {
                        Stronger::Scope => atomic.scope = atomic.scope.widened(),
                        Stronger::Release => atomic.ordering = also(atomic.ordering, what),
                        Stronger::Acquire => {
                            atomic.ordering = also(atomic.ordering, what);
                            atomic.failing = also(atomic.failing, what);
                        }
                    }
                }
                _ => {
                    let ordering = code.volatile_orders.entry(at).or_insert(Ordering::Relaxed);
                    *ordering = also(*ordering, what);
                }
            }
        }
        code
    }

    /// The ordering of a volatile access, or of a plain one beside a fence.
    pub(super) fn volatile_order(&self, at: Position) -> Ordering {
        self.volatile_orders.get(&at).copied().unwrap_or(Ordering::Relaxed)
    }
}
