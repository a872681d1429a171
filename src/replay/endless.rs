//! Launches whose threads wait for ever in loops, whatever the host passes.
//!
//! The interpreter tells when a launch cannot end any more, whatever the schedule from there on
//! (its file `stuck.rs`). Such a run is a fact, but its arguments and contents are chosen here. So
//! it counts as a defect of the kernel only if
//!
//! * the loop reads a **signal**, by an atomic or volatile access to memory that the kernel
//!   changes. Where the kernel does not change it, the host may, even while the kernel runs;
//! * threads of the run have stored there, and the kernel only stores, exchanges and swaps. A lock
//!   may be free at 1, a turn may begin at 1, and a counter may count down from what the host has
//!   set: where nothing but zeros or sums of them are seen, other contents may end the wait;
//! * nothing else that the host passes decides whether a thread comes there, stays there, or what
//!   it waits for: no other contents, no result of a function ([`Influences`]). Signals are zero at
//!   first, as proofs assume. If a parameter decides, the finding is a *possible* one: the host may
//!   pass the number of groups, say;
//! * nothing else goes wrong in the run.
//!
//! The caller requires such a run in each of the launches that it tries, among them launches with
//! as many groups as constants of the kernel say: a kernel may be meant for one number of groups.

use std::collections::BTreeSet;

use lockstep_findings::endless_wait;
use lockstep_interpreter::{Event, Grid, Part, Ran, Wrong};
use lockstep_ir::kernel::{Array, AtomicOp, Instruction, Operation, Space};
use lockstep_transform::analysis::accesses::for_each_access;
use lockstep_transform::analysis::pointers::points_to;
use lockstep_transform::signals::only_reads;
use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;
use lockstep_verdict::hinge::Hinge;

use super::Replay;
use super::refuted::Influences;
use super::sought::{Tried, blank};

/// A wait for a signal that never comes.
pub(super) struct EndlessWait<'a> {
    event: &'a Event,
    /// The numbers of the parameters on which it depends.
    parameters: BTreeSet<u32>,
}

impl EndlessWait<'_> {
    /// Whether it is there whatever the host passes.
    pub(super) fn is_certain(&self) -> bool {
        self.parameters.is_empty()
    }
}

impl Replay<'_> {
    /// The wait of a run for a signal that never comes.
    pub(super) fn endless_wait<'a>(&self, ran: &'a Ran) -> Option<EndlessWait<'a>> {
        let is_wait = |event: &Event| event.what == Wrong::GoesRound;
        if ran.events.is_empty() || !ran.events.iter().all(is_wait) {
            return None;
        }
        let (influences, signals, changed) = (Influences::of(self.kernel), self.signals(), self.set(ran));
        let of_kernel = |event: &'a Event| {
            let part = self.code.part(event.at);
            let Part::Instruction(instruction) = part else { return None };
            let parameters = influences.on([part]).parameters_beside(&signals)?;
            self.reads_signal(instruction, &changed).then_some(EndlessWait { event, parameters })
        };
        ran.events.iter().filter_map(of_kernel).min_by_key(|wait| wait.parameters.len())
    }

    /// Whether an instruction reads a signal that the kernel changes.
    fn reads_signal(&self, instruction: Instruction, changed: &BTreeSet<Array>) -> bool {
        let data = &self.kernel.instructions[instruction];
        let is_signal = match &data.operation {
            Operation::Atomic { .. } => true,
            Operation::Load(access) => access.volatile,
            _ => false,
        };
        let targets = points_to(self.kernel);
        let mut arrays = BTreeSet::new();
        for_each_access(self.kernel, &data.operation, data.result, |access| {
            arrays.extend(targets[access.pointer].arrays.iter().copied());
        });
        is_signal && !arrays.is_empty() && arrays.is_subset(changed)
    }

    /// The arrays that the kernel sets, and does not count in. Those in global memory hold
    /// something else than zeros at the end of the run.
    fn set(&self, ran: &Ran) -> BTreeSet<Array> {
        let targets = points_to(self.kernel);
        let (mut changed, mut counted) = (BTreeSet::new(), BTreeSet::new());
        for data in self.kernel.instructions.values().filter(|data| !only_reads(self.kernel, &data.operation)) {
            for_each_access(self.kernel, &data.operation, data.result, |access| {
                if access.writes {
                    let arrays = targets[access.pointer].arrays.iter().copied();
                    let sets = match &data.operation {
                        Operation::Store(..) => true,
                        Operation::Atomic { op, .. } => {
                            matches!(op, AtomicOp::Store | AtomicOp::Exchange | AtomicOp::CompareExchange)
                        }
                        _ => false,
                    };
                    if sets { &mut changed } else { &mut counted }.extend(arrays);
                }
            });
        }
        let is_set = |array: &Array| {
            let is_global = self.kernel.arrays[*array].space == Space::Global;
            let region = usize::try_from(array.as_u32()).ok().and_then(|number| ran.regions.get(number));
            let holds_more =
                region.is_some_and(|region| region.contents(region.reach()).flatten().any(|byte| byte != 0));
            !counted.contains(array) && (!is_global || holds_more)
        };
        changed.retain(is_set);
        changed
    }

    /// The finding of such a wait.
    pub(super) fn waits_for_ever(&self, wait: &EndlessWait<'_>, grid: &Grid, launch: &Tried) -> Finding {
        let EndlessWait { event, parameters } = wait;
        let access = self.access(event.at, (event.group, event.thread), grid, Act::WaitsForEver);
        let found = Finding { accesses: vec![access], ..blank(endless_wait::CODE, endless_wait::KIND, launch) };
        let names = parameters.iter().filter_map(|&number| self.kernel.parameters.get(usize::try_from(number).ok()?));
        let hinge = |name: &str| {
            let value = found.parameters.iter().find(|(known, _)| known.as_str() == name)?.1.clone();
            Some(Hinge::Parameter { name: name.to_owned(), value })
        };
        let hinges: Vec<Hinge> = names.filter_map(|parameter| hinge(&parameter.name)).collect();
        Finding { confirmed: wait.is_certain(), hinges, ..found }
    }
}
