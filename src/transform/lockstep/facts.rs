//! The facts about a kernel that its lowering rests on, computed once.
//!
//! [`Facts`] hold for all pairs of threads and for all ways to lower a kernel, [`PairFacts`] for
//! one pair.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::EntitySet;
use lockstep_invariants::Word;
use lockstep_ir::kernel::{
    self, BarrierKind, Instruction, Kernel, Operation, Space, ThreadQuery, Unsupported, Value, VerifiedKernel,
};
use lockstep_ir::sequential::Pair;
use lockstep_options::checks::Check;
use lockstep_options::launch::Launch;
use lockstep_options::techniques::Technique;

use super::memory::{arrays, cached};
use super::synchronise::named::Planned;
use super::synchronise::tickets::keeps_epochs;
use super::{ELSEWHERE, LockstepOptions, annotations, synchronise};
use crate::analysis::accesses::for_each_access;
use crate::analysis::addresses::{Addresses, addresses, indices};
use crate::analysis::alignment::{Divisors, divisors, divisors_of_ids};
use crate::analysis::counters::{Counter, counters};
use crate::analysis::initialised::{Initialised, initialised};
use crate::analysis::intervals::{Intervals, intervals};
use crate::analysis::need::{Needed, needed};
use crate::analysis::placement::{Misplaced, misplaced};
use crate::analysis::pointers::{PointsTo, points_to};
use crate::analysis::repeated::Repeated;
use crate::analysis::strides::{Stride, launch_strides};
use crate::analysis::structure::Structure;
use crate::analysis::uniformity::{Uniformity, uniformity};
use crate::analysis::written::{Written, written};
use crate::rounds::{Rounds, names_all};
use crate::signals::grids::Listed;
use crate::signals::{self, Signals};

/// Facts about a kernel in a launch that hold for all threads.
pub struct Facts {
    /// The kernel in the form that the transformation requires.
    pub kernel: Kernel,
    pub structure: Structure,
    /// The plan for named barriers, if there are any.
    pub planned: Option<Planned>,
    /// The volatile accesses that do not race with each other.
    pub strong: BTreeSet<Instruction>,
    /// The arrays by which the kernel makes barriers of the launch, with what is assumed of them.
    pub grid_arrays: BTreeMap<kernel::Array, Listed>,
    /// The plan for synchronisation through memory, if it is to order accesses.
    pub signals: Option<Signals>,
    pub points_to: PointsTo,
    pub initialised: Initialised,
    /// The reads that count as repetitions of earlier accesses.
    pub repeated: Repeated,
    /// The reads that are not checked for races.
    pub unchecked_reads: BTreeSet<Instruction>,
    pub needed: Needed,
    pub addresses: Addresses,
    /// The values that the addresses of accesses are computed from.
    pub indices: EntitySet<Value>,
    pub divisors: Divisors,
    /// The divisors of values under the assumption that arguments and loaded values are divisible
    /// by anything.
    pub divisors_of_ids: Divisors,
    /// The accesses to each array.
    pub used: arrays::Uses,
    /// The counters that numbers are drawn from.
    pub counters: BTreeMap<kernel::Array, Counter>,
    /// The arrays about whose accesses the source makes statements.
    pub asked_about: BTreeSet<kernel::Array>,
    /// The values that the source's statements about all threads depend on.
    stated_of_all: BTreeSet<Value>,
    /// Whether threads of different groups need any check.
    pub concerns_groups: bool,
    /// Whether an operation names all lanes of a warp.
    pub names_all_lanes: bool,
    /// The sums by which counters advance by a stride of the launch.
    pub strides: BTreeMap<Value, Stride>,
    /// Whether initialisation of shared memory is checked.
    checks_initialised: bool,
    techniques: lockstep_options::techniques::Techniques,
}

impl Facts {
    /// The facts, or the construct that prevents lowering.
    pub fn of(kernel: &VerifiedKernel, launch: &Launch, options: &LockstepOptions) -> Result<Self, Unsupported> {
        // The rules of places are statements about all threads of the launch.
        let asks_all = !options.only_intra_group && !options.one_thread;
        let may_signal = options.signals && !options.warps_in_lock_step && asks_all;
        let may_wait = options.signals && signals::may_have_signals(kernel);
        let waiting = if may_wait { signals::waits::without_waiting(kernel, launch) } else { None };
        let (waits, kernel) = (waiting.is_some(), waiting.as_ref().unwrap_or(kernel));
        let meets = may_signal && !options.exited_threads_arrive;
        let grids = if meets { signals::grids::with_grid_barriers(kernel, launch) } else { None };
        let kernel = grids.as_ref().map_or(kernel, |grids| &grids.kernel);
        let first = if may_signal && may_wait { signals::ids::with_ids_first(kernel) } else { None };
        let kernel = first.as_ref().unwrap_or(kernel);
        let grid_arrays = grids.as_ref().map(|grids| grids.arrays.clone()).unwrap_or_default();
        let (mut kernel, mut structure, rounds) = with_rounds(kernel, launch, options)?;
        let planned = match rounds {
            Some(_) if options.exited_threads_arrive => {
                let construct =
                    "named barrier or mbarrier where threads that have returned count as arrived".to_owned();
                return Err(Unsupported { construct, location: kernel.location });
            }
            Some(rounds) => {
                (kernel, structure) = Structure::of(&rounds.number(kernel))?;
                Some(Planned::new(rounds, &kernel)?)
            }
            None => None,
        };
        refuse_too_many_arrays(&kernel)?;
        if let Some(Misplaced { message, location }) = misplaced(&kernel, &structure) {
            return Err(Unsupported { construct: message, location });
        }
        let points_to = points_to(&kernel);
        refuse_accesses_elsewhere(&kernel, &structure, &points_to)?;
        let initialised = initialised(&kernel, &structure, &points_to);
        let divisors = divisors(&kernel, &structure.order);
        let used = arrays::Uses::collect(&kernel, &structure, &points_to, &initialised, &divisors);
        cached::resolve(&mut kernel, &points_to, &used);
        let strong = signals::strong_volatiles(&kernel, &structure, &points_to, &divisors);
        let of_barriers = grid_arrays.keys().copied().collect();
        let signals = if may_signal && planned.is_none() {
            signals::signals(&kernel, &structure, &points_to, &divisors, launch, waits, &of_barriers)
        } else {
            None
        };
        let concerns_groups = used.any_shared_write(&kernel)
            || synchronises_groups(&kernel)
            || annotations::concerns_pairs(&kernel, &structure, &points_to);
        let unchecked_reads = if options.no_barrier_access_checks {
            annotations::reads_of_barrier_invariants(&kernel, &structure)
        } else {
            BTreeSet::new()
        };
        // A read may repeat an unchecked read, and would then be the first one to check.
        let repeats =
            options.techniques.has(Technique::RepeatedReads) && unchecked_reads.is_empty() && !options.signals;
        // Nobody uses the numbers by which a barrier counts.
        let mut tickets = counters(&kernel, &structure, &points_to);
        let orders = planned.is_some() || signals.is_some() || waits || options.warps_in_lock_step;
        tickets.retain(|&array, counter| {
            !grid_arrays.contains_key(&array) && keeps_epochs(&kernel, &points_to, (array, counter), &strong, orders)
        });
        let has_tickets = options.techniques.has(Technique::Tickets);
        Ok(Self {
            repeated: if repeats { Repeated::of(&kernel, &structure) } else { Repeated::default() },
            counters: if has_tickets { tickets } else { BTreeMap::new() },
            needed: needed(&kernel, &structure, &points_to),
            addresses: addresses(&kernel, &structure),
            indices: indices(&kernel, &structure),
            divisors_of_ids: divisors_of_ids(&kernel, &structure.order),
            asked_about: annotations::asked_about(&kernel, &structure, &points_to),
            stated_of_all: annotations::stated_of_all(&kernel, &structure, &points_to),
            checks_initialised: options.checks.has(Check::Uninitialised),
            techniques: options.techniques,
            names_all_lanes: names_all_lanes(&kernel, options.warp_size_for(kernel.language)),
            strides: if options.wrapping_strides { BTreeMap::new() } else { launch_strides(&kernel, &structure) },
            concerns_groups,
            unchecked_reads,
            divisors,
            used,
            initialised,
            points_to,
            planned,
            strong,
            grid_arrays,
            signals,
            structure,
            kernel,
        })
    }
}

/// The kernel in the form that the transformation requires, and the plan for its named barriers.
pub fn with_rounds(
    kernel: &VerifiedKernel,
    launch: &Launch,
    options: &LockstepOptions,
) -> Result<(Kernel, Structure, Option<Rounds>), Unsupported> {
    let (mut kernel, structure) = Structure::of(kernel)?;
    synchronise::join_counted(&mut kernel, launch);
    let rounds = Rounds::of(&kernel, launch, options.warp_size_for(kernel.language))?;
    Ok((kernel, structure, rounds))
}

/// Whether an exchange or a barrier of a warp has a mask with all lanes.
fn names_all_lanes(kernel: &Kernel, warp_size: u32) -> bool {
    kernel.instructions.values().any(|data| {
        let mask = match data.operation {
            Operation::WarpExchange { mask, .. } => mask,
            Operation::Barrier { kind: BarrierKind::Warp { mask }, .. } => mask,
            _ => None,
        };
        mask.is_some_and(|mask| names_all(kernel, mask, warp_size.into()))
    })
}

/// Facts about one pair of threads.
pub struct PairFacts {
    pub intervals: Intervals,
    pub uniformity: Uniformity,
    /// The uniformity within a group, where it differs from `uniformity` and barrier invariants
    /// need it.
    pub group_uniformity: Option<Uniformity>,
    /// The bytes of shared memory that can have been written before each load.
    pub written: Written,
}

impl PairFacts {
    /// The facts, given the ranges of the answers to thread queries.
    pub fn of(
        facts: &Facts,
        pair: Pair,
        checked: RacesChecked<'_>,
        word: impl FnMut(ThreadQuery) -> Option<Word>,
    ) -> Self {
        let Facts { kernel, structure, points_to, .. } = facts;
        let races_checked = |array| checked.has(array);
        let signals = facts.signals.as_ref().is_some_and(|signals| !signals.places.is_empty());
        let intervals = intervals(kernel, structure, points_to, pair, &races_checked, signals).with(facts.techniques);
        let is_written = |array| facts.used.is_written(array);
        let uniform_for =
            |pair| uniformity(kernel, structure, points_to, &is_written, &intervals, &facts.stated_of_all, pair);
        let asks_for_groups = pair == Pair::DifferentGroups && annotations::has_barrier_invariants(kernel);
        Self {
            uniformity: uniform_for(pair),
            group_uniformity: asks_for_groups.then(|| uniform_for(Pair::SameGroup)),
            written: if facts.checks_initialised {
                written(kernel, structure, points_to, word)
            } else {
                Written::default()
            },
            intervals,
        }
    }
}

/// The arrays on which races are checked.
#[derive(Clone, Copy)]
pub struct RacesChecked<'a> {
    pub kernel: &'a Kernel,
    pub options: &'a LockstepOptions,
}

impl RacesChecked<'_> {
    /// Whether races between threads of one group are checked.
    pub fn in_groups(self, array: kernel::Array) -> bool {
        let Self { kernel, options } = self;
        match kernel.arrays[array].space {
            // In lock-step, writes by other threads of the warp are visible without a barrier.
            _ if options.adversarial || options.warps_in_lock_step => false,
            _ if !options.checks_races_on(&kernel.arrays[array]) => false,
            Space::Local | Space::Global => true,
            Space::Private | Space::Constant | Space::Generic => false,
        }
    }

    /// Whether all races are checked.
    pub fn has(self, array: kernel::Array) -> bool {
        let between_groups = self.kernel.arrays[array].space == Space::Global;
        self.in_groups(array) && !(self.options.only_intra_group && between_groups)
    }
}

/// Whether threads of different groups wait for each other, which they may fail to do.
fn synchronises_groups(kernel: &Kernel) -> bool {
    kernel.instructions.values().any(|data| match &data.operation {
        Operation::Barrier { kind, .. } => match kind {
            BarrierKind::Grid | BarrierKind::Cluster => true,
            BarrierKind::Group | BarrierKind::Named { .. } | BarrierKind::Arrive { .. } | BarrierKind::Warp { .. } => {
                false
            }
        },
        _ => false,
    })
}

/// Refuses a kernel with so many arrays that their numbers reach the reserved ones.
fn refuse_too_many_arrays(kernel: &Kernel) -> Result<(), Unsupported> {
    if u64::try_from(kernel.arrays.len()).is_ok_and(|arrays| arrays <= ELSEWHERE) {
        return Ok(());
    }
    Err(Unsupported { construct: format!("kernel of more than {ELSEWHERE} arrays"), location: kernel.location })
}

/// Refuses accesses through pointers of unknown origin, which may lead to memory outside the
/// kernel's arrays.
fn refuse_accesses_elsewhere(kernel: &Kernel, structure: &Structure, points_to: &PointsTo) -> Result<(), Unsupported> {
    for &instruction in structure.order.iter().flat_map(|&block| &kernel.blocks[block].instructions) {
        let data = &kernel.instructions[instruction];
        let mut known = true;
        for_each_access(kernel, &data.operation, data.result, |access| known &= !points_to[access.pointer].elsewhere);
        if !known {
            let construct =
                "access through a pointer out of memory, where the kernel has no array of its address space";
            return Err(Unsupported { construct: construct.to_owned(), location: data.location });
        }
    }
    Ok(())
}
