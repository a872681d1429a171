//! Tests the detector against explicit happens-before sets.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::{Array, AtomicOp, Ordering, Scope, Space, SpaceSet, Type};
use proptest::prelude::*;

use super::super::code::{ArrayPlace, AtomicStep, Code, Step};
use super::super::{Grid, Thread};
use super::{Accessed, Detector, GroupWatch, Through};

/// The number of threads in a warp.
///
/// With two warps per group, more threads read a cell at once than are kept.
const WARP: usize = 8;
/// The number of threads in a group.
const GROUP: usize = 2 * WARP;
const THREADS: usize = 2 * GROUP;
/// A launch with two groups.
const GRID: Grid =
    Grid { local_size: [16, 1, 1], num_groups: [2, 1, 1], global_offset: [0; 3], dimensions: 1, warp_size: 8 };
/// The lanes of a whole warp.
const WHOLE: usize = (1 << WARP) - 1;

/// A step of a history.
#[derive(Clone, Copy, Debug)]
enum Happens {
    /// A plain read or write of a cell by a thread.
    Plain {
        thread: usize,
        cell: Cell,
        writes: bool,
        /// The written value.
        value: usize,
    },
    /// An atomic access of a cell by a thread.
    Atomic {
        thread: usize,
        cell: Cell,
        op: AtomicOp,
        ordering: Ordering,
        scope: Scope,
    },
    Fence {
        thread: usize,
        ordering: Ordering,
        scope: Scope,
        spaces: SpaceSet,
    },
    GroupBarrier {
        group: usize,
        spaces: SpaceSet,
    },
    /// A barrier of some lanes of a warp, as bits.
    WarpBarrier {
        warp: usize,
        lanes: usize,
    },
    LaunchBarrier,
}

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    local: bool,
    index: u64,
}

fn spaces() -> impl Strategy<Value = SpaceSet> {
    (1..4u8).prop_map(|bits| SpaceSet { local: bits & 1 != 0, global: bits & 2 != 0, ..SpaceSet::NONE })
}

fn cell() -> impl Strategy<Value = Cell> {
    (any::<bool>(), prop::sample::select(vec![0, 0, 0, 1u64])).prop_map(|(local, index)| Cell { local, index })
}

fn plain(threads: usize, writes: f64) -> impl Strategy<Value = Happens> {
    (0..threads, cell(), prop::bool::weighted(writes), 0..2usize)
        .prop_map(|(thread, cell, writes, value)| Happens::Plain { thread, cell, writes, value })
}

fn scope() -> impl Strategy<Value = Scope> {
    prop::sample::select(vec![Scope::Warp, Scope::Group, Scope::Device, Scope::Device])
}

fn atomic(orderings: Vec<Ordering>) -> impl Strategy<Value = Happens> {
    let op = prop::sample::select(vec![AtomicOp::Load, AtomicOp::Store, AtomicOp::Add, AtomicOp::Add]);
    (0..THREADS, cell(), op, prop::sample::select(orderings), scope())
        .prop_map(|(thread, cell, op, ordering, scope)| Happens::Atomic { thread, cell, op, ordering, scope })
}

const ORDERINGS: [Ordering; 5] = [
    Ordering::Relaxed,
    Ordering::Acquire,
    Ordering::Release,
    Ordering::AcquireRelease,
    Ordering::SequentiallyConsistent,
];

/// The operations that order threads in a history.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ordered {
    /// Barriers of groups and of the launch.
    Groups,
    /// Also barriers of parts of warps; there are many reads.
    Lanes,
    /// All operations.
    Memory,
}

fn happens(ordered: Ordered) -> impl Strategy<Value = Happens> {
    let lanes = prop_oneof![Just(WHOLE), 1..=WHOLE];
    let fence = (0..THREADS, prop::sample::select(ORDERINGS[1..].to_vec()), scope(), spaces())
        .prop_map(|(thread, ordering, scope, spaces)| Happens::Fence { thread, ordering, scope, spaces });
    let barrier = prop_oneof![
        4 => (0..2usize, spaces()).prop_map(|(group, spaces)| Happens::GroupBarrier { group, spaces }),
        1 => Just(Happens::LaunchBarrier),
    ];
    let of_lanes = (prop::sample::select(vec![0, 0, 0, 1, 2, 3usize]), lanes)
        .prop_map(|(warp, lanes)| Happens::WarpBarrier { warp, lanes });
    let relaxed = atomic(vec![Ordering::Relaxed]);
    match ordered {
        Ordered::Groups => prop_oneof![6 => plain(THREADS, 0.2), 3 => relaxed, 2 => barrier].boxed(),
        Ordered::Lanes => prop_oneof![12 => plain(WARP + 2, 0.05), 1 => barrier, 8 => of_lanes].boxed(),
        Ordered::Memory => {
            prop_oneof![6 => plain(THREADS, 0.2), 6 => atomic(ORDERINGS.to_vec()), 1 => barrier, 2 => of_lanes, 2 => fence]
                .boxed()
        }
    }
}

/// A step of three threads that release and acquire through one cell what the first one writes.
fn passed_on() -> impl Strategy<Value = Happens> {
    let all = vec![0, WARP, GROUP];
    let thread = move || prop::sample::select(all.clone());
    let (data, flag) = (Cell { local: false, index: 0 }, Cell { local: false, index: 1 });
    let op = prop::sample::select(vec![AtomicOp::Load, AtomicOp::Load, AtomicOp::Store, AtomicOp::Add]);
    let ordering = prop::sample::select(vec![Ordering::Relaxed, Ordering::Acquire, Ordering::Release]);
    prop_oneof![
        1 => thread().prop_map(move |thread| Happens::Plain { thread, cell: data, writes: thread == 0, value: 0 }),
        4 => (thread(), op, ordering, scope())
            .prop_map(move |(thread, op, ordering, scope)| Happens::Atomic { thread, cell: flag, op, ordering, scope }),
    ]
}

/// The rules of a language.
#[derive(Clone, Copy, Debug, Default)]
struct Rules {
    /// Whether memories are ordered separately, and other threads' stores end what has been left at
    /// a cell (OpenCL).
    by_space: bool,
    /// Whether two plain writes of the same value are allowed.
    tolerant: bool,
    /// Whether an atomic write precedes what follows an atomic read of its value (PTX).
    observed_precede: bool,
}

fn rules() -> impl Strategy<Value = Rules> {
    (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(by_space, tolerant, observed)| Rules {
        by_space,
        tolerant,
        observed_precede: observed && !by_space,
    })
}

fn code(all: &[Happens], rules: Rules) -> Code {
    let mut atomics = Vec::new();
    let mut step = |happens: &Happens| match happens {
        Happens::Atomic { op, ordering, scope, .. } => {
            atomics.push(AtomicStep {
                op: *op,
                bits: 32,
                ty: Type::Bits(32),
                pointer: 0,
                operands: Vec::new(),
                to: None,
                ordering: *ordering,
                failing: *ordering,
                scope: *scope,
            });
            Step::Atomic(u32::try_from(atomics.len() - 1).expect("few"))
        }
        Happens::Fence { ordering, scope, spaces, .. } => {
            Step::Fence { ordering: *ordering, scope: *scope, spaces: *spaces }
        }
        Happens::WarpBarrier { .. } => Step::Barrier {
            kind: lockstep_ir::kernel::BarrierKind::Warp { mask: Some(lockstep_ir::kernel::Value::from_u32(0)) },
            mask: 0,
            spaces: SpaceSet::ALL,
            flags: None,
        },
        // The detector ignores it.
        _ => Step::Return,
    };
    let steps: Vec<Step> = all.iter().map(&mut step).collect();
    let place = |space| ArrayPlace { space, private: 0, bytes: 8, is_image: false, of_library: false };
    Code {
        places: vec![None; steps.len()],
        steps,
        arrays: vec![place(Space::Local), place(Space::Global)],
        atomics,
        pointer_bytes: 8,
        orders_by_space: rules.by_space,
        observed_precede: vec![rules.observed_precede; 2],
        fences_synchronise: false,
        ..Code::default()
    }
}

/// The numbers of the accesses that happened before, for each memory.
type Before = [BTreeSet<usize>; 2];

/// An operation, or a fence of these memories.
#[derive(Clone, Copy)]
struct Way {
    ordering: Ordering,
    fence: Option<SpaceSet>,
}

impl Way {
    /// The memories about which an acquirer learns from a release through a place of this memory.
    ///
    /// The other memory is included only where OpenCL says so.
    fn tells(self, other: Self, space: usize) -> [bool; 2] {
        let is_about = |way: Self| way.fence.is_none_or(|spaces| [spaces.local, spaces.global][space]);
        let of_both = |way: Self| way.fence.is_some_and(|spaces| spaces.local && spaces.global);
        let consistent = |way: Self| way.ordering == Ordering::SequentiallyConsistent;
        let ways = [self, other];
        let all = ways.into_iter().all(of_both) || ways.into_iter().all(consistent);
        [0, 1].map(|about| ways.into_iter().all(is_about) && (about == space || all))
    }
}

/// The knowledge that a thread has released.
#[derive(Clone)]
struct Leaving {
    from: usize,
    way: Way,
    scope: Scope,
    /// The narrower scope within which it was left.
    left: Scope,
    before: Before,
}

type Left = Vec<Leaving>;

/// The last atomic write of a cell, and those from which its value is derived.
#[derive(Clone)]
struct Chain {
    thread: usize,
    scope: Scope,
    /// The numbers of all of them.
    writes: BTreeSet<usize>,
}

/// Whether an access races with an earlier one that does not happen before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Races {
    No,
    /// Atomic writes of the same place lead from the earlier ones to the access: each of them
    /// happens after the one before. The detector may miss these.
    Coherent,
    Yes,
}

/// The accesses that happen before each thread's next step.
#[derive(Default)]
struct Model {
    before: Vec<Before>,
    fenced: Vec<Left>,
    /// The read releases, each with the memory in which it was read.
    seen: Vec<Vec<(usize, Leaving)>>,
    rules: Rules,
    left: Vec<((Cell, Option<usize>), Left)>,
    /// The knowledge that each thread's releasing operations have left at a cell, at any time.
    headed: Vec<(usize, (Cell, Option<usize>), Leaving)>,
    /// The knowledge that each thread's relaxed atomic reads of a cell have read.
    read: Vec<(usize, (Cell, Option<usize>), Leaving)>,
    made: Vec<(usize, usize, Happens)>,
    /// The chain of each cell that has one.
    chains: Vec<((Cell, Option<usize>), Chain)>,
    /// For each atomic write, the accesses of any place that happen before it.
    behind: BTreeMap<usize, BTreeSet<usize>>,
}

fn group(thread: usize) -> usize {
    thread / GROUP
}

fn includes(scope: Scope, a: usize, b: usize) -> bool {
    match scope {
        Scope::Warp => a / WARP == b / WARP,
        Scope::Group => group(a) == group(b),
        _ => true,
    }
}

fn narrower(a: Scope, b: Scope) -> Scope {
    let rank = |scope| match scope {
        Scope::Warp => 0,
        Scope::Group => 1,
        _ => 2,
    };
    if rank(a) <= rank(b) { a } else { b }
}

impl Model {
    fn meet(&mut self, threads: &[usize], spaces: [bool; 2]) {
        for space in (0..2).filter(|space| spaces[*space]) {
            let all: BTreeSet<usize> =
                threads.iter().flat_map(|&thread| self.before[thread][space].iter().copied()).collect();
            for &thread in threads {
                self.before[thread][space].clone_from(&all);
            }
        }
    }

    fn learn(&mut self, thread: usize, (at, leaving): &(usize, Leaving), way: Way, scope: Scope) {
        if includes(leaving.left, leaving.from, thread) && includes(scope, leaving.from, thread) {
            let tells = if self.rules.by_space { leaving.way.tells(way, *at) } else { [true; 2] };
            for space in (0..2).filter(|space| tells[*space]) {
                self.before[thread][space].extend(&leaving.before[space]);
            }
        }
    }

    /// Applies a step, and returns whether its access races.
    fn happens(&mut self, number: usize, happens: Happens) -> Races {
        match happens {
            Happens::GroupBarrier { group, spaces } => {
                self.meet(&(group * GROUP..(group + 1) * GROUP).collect::<Vec<_>>(), [spaces.local, spaces.global]);
            }
            Happens::WarpBarrier { warp, lanes } => {
                let lanes: Vec<usize> =
                    (0..WARP).filter(|lane| lanes >> lane & 1 == 1).map(|lane| warp * WARP + lane).collect();
                self.meet(&lanes, [true; 2]);
            }
            Happens::LaunchBarrier => self.meet(&(0..THREADS).collect::<Vec<_>>(), [true; 2]),
            Happens::Fence { thread, ordering, scope, spaces } => {
                let way = Way { ordering, fence: Some(spaces) };
                if ordering.acquires() {
                    for seen in self.seen[thread].clone() {
                        self.learn(thread, &seen, way, scope);
                    }
                }
                if ordering.releases() {
                    let before = self.before[thread].clone();
                    self.fenced[thread].push(Leaving { from: thread, way, scope, left: scope, before });
                }
            }
            Happens::Plain { thread, cell, writes, .. } => {
                if writes {
                    let place = (cell, cell.local.then_some(group(thread)));
                    self.chains.retain(|(other, _)| *other != place);
                }
                return self.access(number, thread, cell, happens);
            }
            Happens::Atomic { thread, cell, op, ordering, scope } => {
                if op != AtomicOp::Store {
                    self.observe(thread, cell, scope);
                }
                let races = self.access(number, thread, cell, happens);
                if op != AtomicOp::Store {
                    self.acquire(thread, cell, (ordering, scope));
                }
                if op != AtomicOp::Load {
                    self.release(thread, cell, (op, ordering, scope));
                    self.extend_chain(number, thread, cell, (op, scope));
                }
                return races;
            }
        }
        Races::No
    }

    /// The chain that an atomic read observes.
    fn observed(&self, place: (Cell, Option<usize>), (thread, scope): (usize, Scope)) -> Option<&Chain> {
        let (_, chain) = self.chains.iter().find(|(other, _)| *other == place)?;
        let is_strong = includes(scope, thread, chain.thread) && includes(chain.scope, thread, chain.thread);
        (is_strong && self.rules.observed_precede).then_some(chain)
    }

    fn extend_chain(&mut self, number: usize, thread: usize, cell: Cell, (op, scope): (AtomicOp, Scope)) {
        let place = (cell, cell.local.then_some(group(thread)));
        let before = self.observed(place, (thread, scope)).filter(|_| op != AtomicOp::Store);
        let mut writes = before.map(|chain| chain.writes.clone()).unwrap_or_default();
        writes.insert(number);
        self.chains.retain(|(other, _)| *other != place);
        self.chains.push((place, Chain { thread, scope, writes }));
        self.behind.insert(number, self.before[thread][usize::from(!cell.local)].clone());
    }

    fn access(&mut self, number: usize, thread: usize, cell: Cell, happens: Happens) -> Races {
        let space = usize::from(!cell.local);
        let same_place =
            |other: usize, other_cell: Cell| cell == other_cell && (!cell.local || group(other) == group(thread));
        let known = &self.before[thread][space];
        let coherent = |made: &usize, earlier: Happens| {
            let alike = self.made.iter().filter(|(.., by)| is_alike(*by, earlier)).map(|(number, ..)| *number);
            // Each is behind the next one, and the numbers ascend.
            let mut followed = BTreeSet::from([*made]);
            for write in alike {
                if self.behind.get(&write).is_some_and(|behind| !behind.is_disjoint(&followed)) {
                    followed.insert(write);
                }
            }
            followed.iter().any(|write| write != made && known.contains(write))
        };
        let race = |(made, other, earlier): &(usize, usize, Happens)| {
            let (Happens::Plain { cell: other_cell, .. } | Happens::Atomic { cell: other_cell, .. }) = *earlier else {
                return Races::No;
            };
            let strong = match (happens, *earlier) {
                (Happens::Atomic { scope: a, .. }, Happens::Atomic { scope: b, .. }) => {
                    includes(a, thread, *other) && includes(b, thread, *other)
                }
                _ => false,
            };
            let tolerated = self.rules.tolerant && written(happens).is_some() && written(happens) == written(*earlier);
            let conflicts = (writes(happens) || writes(*earlier)) && !strong && !tolerated;
            let races = same_place(*other, other_cell) && conflicts && *other != thread && !known.contains(made);
            match races {
                false => Races::No,
                true if coherent(made, *earlier) => Races::Coherent,
                true => Races::Yes,
            }
        };
        let all: Vec<Races> = self.made.iter().map(race).collect();
        let has = |what: Races| all.contains(&what).then_some(what);
        let races = has(Races::Yes).or(has(Races::Coherent)).unwrap_or(Races::No);
        self.before[thread][space].insert(number);
        self.made.push((number, thread, happens));
        races
    }

    /// The releases at a place.
    fn left_at(&mut self, place: (Cell, Option<usize>)) -> &mut Left {
        let at = self.left.iter().position(|(other, _)| *other == place).unwrap_or_else(|| {
            self.left.push((place, Vec::new()));
            self.left.len() - 1
        });
        &mut self.left[at].1
    }

    fn observe(&mut self, thread: usize, cell: Cell, scope: Scope) {
        if let Some(chain) = self.observed((cell, cell.local.then_some(group(thread))), (thread, scope)) {
            let writes = chain.writes.clone();
            self.before[thread][usize::from(!cell.local)].extend(writes);
        }
    }

    fn acquire(&mut self, thread: usize, cell: Cell, (ordering, scope): (Ordering, Scope)) {
        let place = (cell, cell.local.then_some(group(thread)));
        let (way, space) = (Way { ordering, fence: None }, usize::from(!cell.local));
        let left = self.left_at(place).clone();
        let seen = left.iter().map(|leaving| (space, leaving.clone()));
        if ordering.acquires() {
            for seen in seen {
                self.learn(thread, &seen, way, scope);
            }
            if !self.rules.by_space {
                let of_place = |(by, at, _): &&(usize, (Cell, Option<usize>), Leaving)| *by == thread && *at == place;
                let read: Left = self.read.iter().filter(of_place).map(|(.., leaving)| leaving.clone()).collect();
                for leaving in read {
                    self.learn(thread, &(space, leaving), way, scope);
                }
            }
        } else {
            let seen: Vec<_> = seen
                .filter(|(_, leaving)| {
                    includes(leaving.left, leaving.from, thread) && includes(scope, leaving.from, thread)
                })
                .collect();
            self.read.extend(seen.iter().map(|(_, leaving)| (thread, place, leaving.clone())));
            self.seen[thread].extend(seen);
        }
    }

    fn release(&mut self, thread: usize, cell: Cell, (op, ordering, scope): (AtomicOp, Ordering, Scope)) {
        let place = (cell, cell.local.then_some(group(thread)));
        let way = Way { ordering, fence: None };
        let left_again = |left: &Left| -> Left {
            let again = |leaving: &Leaving| Leaving { left: narrower(leaving.scope, scope), ..leaving.clone() };
            left.iter().map(again).collect()
        };
        let mut now = self.left_at(place).clone();
        if op == AtomicOp::Store {
            now.retain(|leaving| leaving.from == thread);
            now = left_again(&now);
        }
        now.extend(left_again(&self.fenced[thread]));
        if !self.rules.by_space {
            let of_place = |(by, at, _): &&(usize, (Cell, Option<usize>), Leaving)| *by == thread && *at == place;
            let headed: Left = self.headed.iter().filter(of_place).map(|(.., leaving)| leaving.clone()).collect();
            now.extend(left_again(&headed));
        }
        if ordering.releases() {
            let leaving = Leaving { from: thread, way, scope, left: scope, before: self.before[thread].clone() };
            self.headed.push((thread, place, leaving.clone()));
            now.push(leaving);
        }
        *self.left_at(place) = now;
    }
}

/// Whether two atomic accesses have the same scope.
fn is_alike(a: Happens, b: Happens) -> bool {
    matches!((a, b), (Happens::Atomic { scope: a, .. }, Happens::Atomic { scope: b, .. }) if a == b)
}

fn writes(happens: Happens) -> bool {
    match happens {
        Happens::Plain { writes, .. } => writes,
        Happens::Atomic { op, .. } => op != AtomicOp::Load,
        _ => false,
    }
}

/// The value of a plain write.
fn written(happens: Happens) -> Option<usize> {
    match happens {
        Happens::Plain { writes: true, value, .. } => Some(value),
        _ => None,
    }
}

/// The detector, with the data that the interpreter keeps for it.
struct Run {
    detector: Detector,
    /// The contents of written cells.
    memory: Vec<((Cell, Option<usize>), usize)>,
    groups: Vec<(GroupWatch, Vec<Thread>)>,
}

impl Run {
    fn new(code: &Code, tolerant: bool) -> Self {
        let races = super::super::Races { tolerant, within_groups: false, between: None };
        let mut detector = Detector::new(code, &GRID, races, false).expect("a small launch");
        let groups = (0..2)
            .map(|group| {
                let watch = detector.start(group, None);
                let thread = |number| Thread::new(code, &[], [number, 0, 0], number, detector.thread());
                (watch, (0..u32::try_from(GROUP).expect("few")).map(thread).collect())
            })
            .collect();
        Self { detector, memory: Vec::new(), groups }
    }

    /// Whether a write leaves a cell unchanged.
    fn leaves(&mut self, thread: usize, cell: Cell, value: usize) -> bool {
        let place = (cell, cell.local.then_some(group(thread)));
        let before = self.memory.iter().position(|(other, _)| *other == place).map(|at| self.memory.remove(at).1);
        self.memory.push((place, value));
        before == Some(value)
    }

    /// Applies a step, and returns whether the detector finds a race.
    fn happens(&mut self, number: usize, happens: Happens) -> bool {
        let same = match happens {
            Happens::Plain { thread, cell, writes: true, value } => self.leaves(thread, cell, value),
            // It leaves a value that no plain write does.
            Happens::Atomic { thread, cell, .. } if writes(happens) => self.leaves(thread, cell, number + 2),
            _ => false,
        };
        let detector = &mut self.detector;
        let at = u32::try_from(number).expect("few");
        let accessed = |cell: Cell| Accessed {
            at,
            writes: writes(happens),
            array: Array::from_u32(u32::from(!cell.local)),
            local: cell.local,
            offset: cell.index * 4,
            bytes: 4,
        };
        match happens {
            Happens::GroupBarrier { group, spaces } => {
                let (watch, threads) = &mut self.groups[group];
                detector.group_barrier(watch, threads, spaces);
            }
            Happens::WarpBarrier { warp, lanes } => {
                let first = warp % 2 * WARP;
                let lanes: Vec<usize> =
                    (0..WARP).filter(|lane| lanes >> lane & 1 == 1).map(|lane| first + lane).collect();
                detector.warp_barrier(&mut self.groups[warp / 2].1, &lanes, SpaceSet::ALL);
            }
            Happens::LaunchBarrier => {
                detector.launch_barrier(self.groups.iter_mut().map(|(watch, threads)| (watch, &mut threads[..])));
            }
            Happens::Fence { thread, ordering, scope, spaces } => {
                let (watch, threads) = &mut self.groups[group(thread)];
                let thread = &mut threads[thread % GROUP];
                detector.fence(watch, (&mut thread.clock, thread.number), (ordering, scope, spaces));
            }
            Happens::Plain { thread, cell, .. } => {
                let (watch, threads) = &mut self.groups[group(thread)];
                let thread = &threads[thread % GROUP];
                let mut found = false;
                let by = (&thread.clock, thread.number);
                detector.access(watch, by, accessed(cell), |_, _| same, |_| found = true);
                return found;
            }
            Happens::Atomic { thread, cell, op, ordering, .. } => {
                let (watch, threads) = &mut self.groups[group(thread)];
                let thread = &mut threads[thread % GROUP];
                let mut found = false;
                let through = Through { ordering, reads: op != AtomicOp::Store, writes: op != AtomicOp::Load };
                if through.reads {
                    detector.observe(watch, (&mut thread.clock, thread.number), accessed(cell));
                }
                let by = (&thread.clock, thread.number);
                detector.access(watch, by, accessed(cell), |_, _| false, |_| found = true);
                detector.through_memory(watch, (&mut thread.clock, thread.number), accessed(cell), through);
                return found;
            }
        }
        false
    }
}

/// Checks that both agree at every access until the first race of each cell.
fn check(all: &[Happens], rules: Rules) -> Result<(), TestCaseError> {
    let code = code(all, rules);
    let (mut model, mut run) = (Model { rules, ..Model::default() }, Run::new(&code, rules.tolerant));
    model.before = vec![Before::default(); THREADS];
    model.fenced = vec![Vec::new(); THREADS];
    model.seen = vec![Vec::new(); THREADS];
    let mut raced: Vec<(Cell, Option<usize>)> = Vec::new();
    for (number, &happens) in all.iter().enumerate() {
        let (races, found) = (model.happens(number, happens), run.happens(number, happens));
        let (Happens::Plain { thread, cell, .. } | Happens::Atomic { thread, cell, .. }) = happens else { continue };
        let place = (cell, cell.local.then_some(group(thread)));
        if raced.contains(&place) {
            continue;
        }
        let at = u32::try_from(number).expect("few");
        let agree = match races {
            Races::No => !found,
            Races::Coherent => true,
            Races::Yes => found || run.detector.unsure.contains(&at),
        };
        prop_assert!(agree, "{number}: {happens:?} races: {races:?}, found: {found}");
        if races != Races::No {
            raced.push(place);
        }
    }
    Ok(())
}

/// More lanes read than are kept, and the barrier orders only the kept ones.
#[test]
fn a_dropped_reader_is_missed_aloud() {
    let cell = Cell { local: false, index: 0 };
    let read = |thread| Happens::Plain { thread, cell, writes: false, value: 0 };
    let meets = Happens::WarpBarrier { warp: 0, lanes: 0b10_1111 };
    let write = Happens::Plain { thread: 5, cell, writes: true, value: 0 };
    let all: Vec<Happens> = (0..5).map(read).chain([meets, write]).collect();
    check(&all, Rules::default()).expect("the write races with the fifth read");
}

/// A later reader knows of the kept reads, and does not represent the dropped one.
#[test]
fn a_dropped_reader_is_not_forgotten() {
    let cell = Cell { local: true, index: 0 };
    let read = |thread| Happens::Plain { thread, cell, writes: false, value: 0 };
    let meets = Happens::WarpBarrier { warp: 0, lanes: 0b11_1111 };
    let write = Happens::Plain { thread: 0, cell, writes: true, value: 0 };
    let all: Vec<Happens> = [0, 1, 2, 3, 6].map(read).into_iter().chain([meets, read(2), meets, write]).collect();
    for tolerant in [false, true] {
        check(&all, Rules { tolerant, ..Rules::default() }).expect("the write races with the fifth read");
    }
}

/// More atomic accesses are made than are kept, and a later one is behind the kept ones.
#[test]
fn dropped_atomic_accesses_are_missed_aloud() {
    let cell = Cell { local: false, index: 0 };
    let atomic = |thread, op, scope| Happens::Atomic { thread, cell, op, ordering: Ordering::Relaxed, scope };
    let store = |thread| atomic(thread, AtomicOp::Store, Scope::Device);
    let meets = Happens::WarpBarrier { warp: 0, lanes: 0b10_1111 };
    let write = Happens::Plain { thread: 5, cell, writes: true, value: 0 };
    for op in [AtomicOp::Load, AtomicOp::Store] {
        let made = (0..5).map(|thread| atomic(thread, op, Scope::Device));
        let all: Vec<Happens> = made.chain([meets, store(5), write]).collect();
        check(&all, Rules::default()).expect("the write races with the fifth access");
    }
    // A read of a narrow scope conflicts with whatever is outside of the scope.
    let add = atomic(0, AtomicOp::Add, Scope::Device);
    let all = [store(GROUP), add, store(WARP), atomic(0, AtomicOp::Load, Scope::Warp)];
    check(&all, Rules { observed_precede: true, ..Rules::default() }).expect("the read races with the second store");
}

/// Two threads write the same value after one of them has made another access.
///
/// The other access is a read, a write of another value, or atomic.
#[test]
fn the_same_value_hides_no_other_race() {
    let cell = Cell { local: true, index: 0 };
    let access = |thread, writes, value| Happens::Plain { thread, cell, writes, value };
    let (op, ordering, scope) = (AtomicOp::Add, Ordering::Relaxed, Scope::Device);
    let before = [access(0, false, 0), access(0, true, 0), Happens::Atomic { thread: 0, cell, op, ordering, scope }];
    for first in before {
        check(&[first, access(0, true, 1), access(1, true, 1)], Rules { tolerant: true, ..Rules::default() })
            .expect("a race that is found");
    }
    let code = code(&[access(0, true, 1), access(1, true, 1)], Rules::default());
    let mut run = Run::new(&code, true);
    assert!(!run.happens(0, access(0, true, 1)) && !run.happens(1, access(1, true, 1)), "the same value is no race");
}

/// A thread releases, stores for its warp alone, and adds for all: PTX's release pattern goes on.
#[test]
fn a_narrow_store_does_not_end_a_release_pattern() {
    let [data, flag] = [0, 1].map(|index| Cell { local: false, index });
    let data = |thread, writes| Happens::Plain { thread, cell: data, writes, value: 0 };
    let flag = |thread, op, ordering, scope| Happens::Atomic { thread, cell: flag, op, ordering, scope };
    let last = |scope| {
        [
            data(0, true),
            flag(0, AtomicOp::Store, Ordering::Release, Scope::Device),
            flag(0, AtomicOp::Store, Ordering::Relaxed, Scope::Warp),
            flag(0, AtomicOp::Add, Ordering::Relaxed, scope),
            flag(GROUP, AtomicOp::Load, Ordering::Acquire, Scope::Device),
            data(GROUP, false),
        ]
    };
    for scope in [Scope::Device, Scope::Group] {
        check(&last(scope), Rules::default()).expect("a race if the addition is narrow too");
    }
}

/// A thread stores twice for its group, which another thread knows of the second store alone.
///
/// The store of the other thread stands for both, although nothing orders the first one before it.
#[test]
fn stores_that_follow_each_other_are_left_out() {
    let cell = Cell { local: false, index: 1 };
    let flag = |thread, op, scope| Happens::Atomic { thread, cell, op, ordering: Ordering::Relaxed, scope };
    let all = [
        flag(0, AtomicOp::Store, Scope::Group),
        flag(0, AtomicOp::Store, Scope::Group),
        flag(WARP, AtomicOp::Load, Scope::Group),
        flag(WARP, AtomicOp::Store, Scope::Group),
        flag(0, AtomicOp::Add, Scope::Device),
        flag(GROUP, AtomicOp::Load, Scope::Device),
    ];
    check(&all, Rules { observed_precede: true, ..Rules::default() }).expect("the race is of coherent accesses");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn barriers_of_groups_order_what_they_mean(
        all in prop::collection::vec(happens(Ordered::Groups), 1..60),
        rules in rules(),
    ) {
        check(&all, Rules { by_space: false, ..rules })?;
    }

    #[test]
    fn barriers_of_lanes_order_what_they_mean(
        all in prop::collection::vec(happens(Ordered::Lanes), 1..100),
        rules in rules(),
    ) {
        check(&all, Rules { by_space: false, ..rules })?;
    }

    #[test]
    fn patterns_follow_program_order(all in prop::collection::vec(passed_on(), 1..20), rules in rules()) {
        check(&all, Rules { by_space: false, ..rules })?;
    }

    #[test]
    fn whatever_orders_threads_orders_what_it_means(
        all in prop::collection::vec(happens(Ordered::Memory), 1..60),
        rules in rules(),
    ) {
        check(&all, rules)?;
    }
}
